/* The thread that asks for metrics of chips. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/now.h"
#include "base/text/units.h"
#include "job/chips.h"

#define LOOK_MS 30000 /* between two looks at all processes, which take longer than a question */

static bool ended(void *self)
{
	return atomic_load(&((struct watching *)self)->end);
}

static size_t place_of(const struct watching *w, const struct chip *v)
{
	size_t i = 0;

	BISECT(i, w->npast,
	    w->past[i]->server < v->server ||
		(w->past[i]->server == v->server && w->past[i]->device < v->device));
	return i;
}

static bool is_past_of(const struct watching *w, size_t i, const struct chip *v)
{
	return i < w->npast && w->past[i]->server == v->server && w->past[i]->device == v->device;
}

const struct chip_past *chips_past(const struct watching *w, const struct chip *v)
{
	size_t i = place_of(w, v);

	return is_past_of(w, i, v) ? w->past[i] : NULL;
}

/* A server that names other devices each time has a past of some of them. */
static void add_past(struct watching *w, const struct chip *v)
{
	size_t i = place_of(w, v);
	struct chip_past *p;

	if (is_past_of(w, i, v) || w->npast >= DEVICES_MAX)
		return;
	p = xcalloc(1, sizeof *p);
	p->server = v->server;
	p->device = v->device;
	p->duty.from = p->used.from = w->moments;
	VEC_ADD(w->past, w->npast, w->cappast, p);
	memmove(w->past + i + 1, w->past + i, (w->npast - 1 - i) * sizeof *w->past);
	w->past[i] = p;
}

/* Devices that are not heard of any more have a gap in their past, and all have one where nobody asked: in a pause, or
 * while the program was stopped. */
static void keep_past(struct watching *w)
{
	size_t began = past_began(&w->moment, now_ms(), w->interval_ms), gap;

	if (!began) /* asked out of turn */
		return;
	gap = began - 1 < PAST_MAX ? began - 1 : PAST_MAX;
	for (size_t i = 0; i < w->npast; i++) {
		for (size_t k = 1; k <= gap; k++) {
			past_put(&w->past[i]->duty, w->moments + began - 1 - k, NAN);
			past_put(&w->past[i]->used, w->moments + began - 1 - k, NAN);
		}
	}
	w->moments += began - 1;
	for (size_t i = 0; i < w->chips.n; i++)
		add_past(w, &w->chips.v[i]);
	for (size_t i = 0; i < w->npast; i++) {
		struct chip_past *p = w->past[i];
		const struct chip *v = chips_find(&w->chips, p->server, p->device);

		past_put(&p->duty, w->moments, v ? v->duty : NAN);
		past_put(&p->used, w->moments, v ? v->used / GIB : NAN);
	}
	w->moments++;
}

/* Where several servers have a device of that number, it is not known which of them is the machine's. */
bool chips_owner(const struct watching *w, int device, char *buf, size_t size)
{
	const struct local_chips *l = &w->local;
	int per = l->per_chip > 1 && w->chips.n == l->n * (size_t)l->per_chip ? l->per_chip : 1;

	*buf = 0;
	return !chips_share_number(&w->chips, device) && local_owner_of(l, device / per, buf, size);
}

/* Whether what this machine has is to be looked at: the servers are here, and it is time or something changed. */
static bool looks_around(const struct watching *w, bool answers)
{
	bool here = w->metrics;

	for (size_t i = 0; i < w->servers.n; i++)
		here = here && w->servers.to[i].loopback;
	return here && (!w->looked || answers != w->answers || now_ms() >= w->looked + LOOK_MS);
}

/* Takes what was heard, or that nothing was. */
static void publish(struct watching *w, struct readings *r, bool answers, const struct err *err)
{
	if (answers != w->answers || !w->since)
		w->since = time(NULL);
	if (!answers && (w->answers || !w->moments))
		w->lost = w->since;
	w->answers = answers;
	snprintf(w->why, sizeof w->why, "%s", err->status ? err->msg : "");
	readings_free(&w->readings);
	w->readings = *r;
	if (answers) {
		chips_free(&w->chips);
		w->chips = chips_of(r);
		w->heard = true;
	} else if (w->heard) {
		chips_forget(&w->chips);
	} else {
		chips_free(&w->chips);
		w->chips = chips_of_bus(&w->local);
	}
	keep_past(w);
	w->asked++;
}

static int look_up(struct watching *w, struct err *err)
{
	if (w->metrics)
		return 0;
	if (servers_look_up(&w->servers, w->allow_remote, err))
		return -1;
	w->metrics = metrics_new(w->servers.address, w->servers.to, w->servers.n);
	return 0;
}

static void ask_once(struct watching *w)
{
	struct readings r = { 0 };
	struct core_status *core = NULL;
	struct err err = { 0 };
	struct local_chips local = { 0 };
	size_t n = 0;
	bool bad = look_up(w, &err) || metrics_read(w->metrics, &r, ended, w, &err),
	     looks = looks_around(w, !bad);

	if (!bad && atomic_load(&w->wants_cores))
		metrics_cores(w->metrics, &core, &n, ended, w, &err);
	if (looks)
		local_read(&local, w->root);
	pthread_mutex_lock(&w->lock);
	if (looks) {
		local_free(&w->local);
		w->local = local;
		w->looked = now_ms();
	}
	publish(w, &r, !bad, &err);
	free(w->core);
	w->core = core;
	w->ncores = n;
	pthread_mutex_unlock(&w->lock);
	worker_wake(&w->thread);
}

void chips_wish(struct watching *w, _Atomic bool *wish, bool wanted)
{
	pthread_mutex_lock(&w->lock);
	atomic_store(wish, wanted);
	pthread_cond_signal(&w->wish);
	pthread_mutex_unlock(&w->lock);
}

/* Sleeps until it is time to ask again, or sooner when the cores are wanted. */
static void wait_for_next(struct watching *w, int64_t next)
{
	bool cores = atomic_load(&w->wants_cores);
	struct timespec at = { .tv_sec = next / 1000, .tv_nsec = next % 1000 * 1000000 };
	int late = 0;

	pthread_mutex_lock(&w->lock);
	while (!ended(w) && !late && (cores || !atomic_load(&w->wants_cores)))
		late = atomic_load(&w->pause) ? pthread_cond_wait(&w->wish, &w->lock)
					      : pthread_cond_timedwait(&w->wish, &w->lock, &at);
	pthread_mutex_unlock(&w->lock);
}

void chips_watch(void *ctx)
{
	struct watching *w = ctx;

	for (int64_t next = now_ms(), now; !ended(w);) {
		wait_for_next(w, next);
		if (ended(w))
			return;
		now = now_ms();
		ask_once(w);
		if (now < next) /* the cores were wanted at once */
			continue;
		now = now_ms();
		next = next + 2 * w->interval_ms < now ? now : next + w->interval_ms;
	}
}
