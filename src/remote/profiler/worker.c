#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file/disk.h"
#include "base/mem.h"
#include "base/now.h"
#include "base/text/utf8.h"
#include "remote/profiler/internal.h"

void worker_enter(struct worker *w, enum worker_state state, int64_t until)
{
	if (w->state != state || state == WORKER_RETRYING)
		w->since = now_ms();
	w->state = state;
	w->until = until;
}

bool worker_over(const struct worker *w)
{
	return w->state >= WORKER_DONE;
}

void worker_close(struct worker *w)
{
	grpc_free(w->call);
	grpc_free(w->stop);
	grpc_close(w->conn);
	w->call = w->stop = NULL;
	w->conn = NULL;
	save_drop(&w->save); /* it may hold something before its file is open */
	w->opened = false;
	response_end(&w->response);
}

void worker_fail(struct worker *w, int exit, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(w->text, sizeof w->text, fmt, ap);
	va_end(ap);
	w->exit = exit;
	worker_close(w);
	worker_enter(w, WORKER_FAILED, 0);
}

int worker_open_file(struct worker *w)
{
	struct recording *c = w->capture;
	char name[sizeof w->name + 20];

	if (w->opened)
		return 0;
	snprintf(name, sizeof name, "%s.xplane.pb", w->name);
	if ((c->spare ? folder_make(c->spare, &w->trouble) : run_folder_make(&c->folder, &w->trouble)) ||
	    save_open(&w->save, recording_folder(c), name, &w->trouble))
		return -1;
	w->opened = true;
	return 0;
}

static void hold(struct worker *w)
{
	grpc_hold(w->conn, true);
	worker_enter(w, WORKER_FULL, 0);
}

static uint64_t held_by_all(const struct recording *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->o.n; i++)
		sum += c->worker[i].nbytes;
	return sum;
}

bool worker_hold(struct worker *w, const uint8_t *p, size_t n)
{
	uint64_t most = w->capture->most;
	uint8_t *more;

	if (w->expected > most || n > most - held_by_all(w->capture))
		return false;
	if (w->nbytes + n > w->cap) {
		more = mem_try(w->bytes, (w->nbytes + n) * 2, 1);
		if (!more)
			return false;
		w->bytes = more;
		w->cap = (w->nbytes + n) * 2;
	}
	memcpy(w->bytes + w->nbytes, p, n);
	w->nbytes += n;
	return true;
}

static bool take_space(void *self, const uint8_t *p, size_t n)
{
	struct worker *w = self;

	if (w->capture->o.in_memory)
		return worker_hold(w, p, n);
	if (w->response.empty_trace)
		return true; /* there is nothing in it to keep */
	if ((w->state != WORKER_FULL && worker_open_file(w)) || !save_put(&w->save, p, n))
		return false;
	if (w->save.error && w->state != WORKER_FULL)
		hold(w);
	return true;
}

/* Names come from the peer: they stay in the folder, and are not hidden. */
static bool is_safe_name(struct slice name)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.s[i] < ' ' || name.s[i] == '/' || name.s[i] == 127)
			return false;
	return name.n > 0 && name.n < 100 && name.s[0] != '.' && !slice_ends(name, "tf_stats_helper_result");
}

/* A file of a server that makes the tools' data itself. */
static void take_tool(void *self, struct slice name, struct slice data)
{
	struct worker *w = self;
	struct save s = { 0 };
	char file[400];

	if (w->capture->o.in_memory || !is_safe_name(name))
		return;
	snprintf(file, sizeof file, "%s.%.*s", w->name, (int)name.n, name.s);
	if (run_folder_make(&w->capture->folder, &w->trouble) ||
	    save_open(&s, w->capture->folder.path, file, &w->trouble))
		return;
	if (save_put(&s, (const uint8_t *)data.s, data.n) && !s.error && !save_finish(&s, &w->trouble)) {
		w->capture->saved = true;
		free(w->path);
		w->path = xasprintf("%s/%s", w->capture->folder.path, file);
	} else {
		save_drop(&s);
	}
}

static void announce(void *self, uint64_t bytes)
{
	struct worker *w = self;

	w->expected = bytes;
	if (!w->capture->o.in_memory && bytes > disk_room(recording_folder(w->capture))) {
		save_hold(&w->save); /* nothing is written where not everything fits */
		hold(w);
	}
}

static bool take_answer(void *self, const uint8_t *p, size_t n)
{
	struct worker *w = self;

	return response_put(&w->response, p, n);
}

static void call_method(struct worker *w)
{
	const struct capture_options *o = &w->capture->o;
	struct timespec now;
	struct profile_request r = { .what = o->what,
		.root = o->in_memory && w->capture->scratch ? w->capture->scratch
		    : w->capture->folder.root               ? w->capture->folder.root
							    : "",
		.session = w->capture->folder.session,
		.host = w->address->text,
		.save_there = o->save_there };
	uint8_t *message;
	size_t n;

	clock_gettime(CLOCK_REALTIME, &now);
	if (o->n > 1 && o->delay_ms) /* all begin at the same time, by their clocks */
		r.start_ns = now.tv_sec * 1000000000LL + now.tv_nsec + o->delay_ms * 1000000LL;
	message = request_profile(&r, &n);
	w->call = grpc_start(w->conn,
	    &(struct grpc_request){ .path = o->continuous ? PROFILER_SERVICE "GetSnapshot"
							  : PROFILER_SERVICE "Profile",
		.message = message,
		.n = o->continuous ? 0 : n,
		.timeout_ms = (int64_t)o->delay_ms + o->what.duration_ms + o->grace_s * 1000LL,
		.sink = { w, announce, take_answer } });
	free(message);
}

static void worker_begin(struct worker *w)
{
	w->response = (struct response){ .self = w, .space = take_space, .tool = take_tool };
	w->trouble = (struct err){ 0 };
	w->received = w->expected = 0;
	w->nbytes = 0;
	w->conn = grpc_open(w->to, w->address->port ? w->address->text : "localhost");
	call_method(w);
	worker_enter(w, WORKER_CONNECTING, 0);
}

/* How far the call has come that is not over. */
static void follow(struct worker *w, int64_t now)
{
	const struct capture_options *o = &w->capture->o;
	int64_t sent = grpc_sent_at(w->call);
	int64_t traced = sent + (o->continuous ? 0 : (o->n > 1 ? o->delay_ms : 0) + o->what.duration_ms);

	w->received = grpc_received(w->call);
	if (w->state == WORKER_FULL)
		return;
	if (grpc_expected(w->call))
		worker_enter(w, WORKER_RECEIVING, 0);
	else if (sent && now >= traced)
		worker_enter(w, WORKER_COLLECTING, 0);
	else if (sent)
		worker_enter(w, WORKER_TRACING, traced);
}

void worker_step(struct worker *w, int64_t now)
{
	struct grpc_end end;

	switch (w->state) {
	case WORKER_WAITING:
	case WORKER_RETRYING:
		if (now >= w->until)
			worker_begin(w);
		break;
	case WORKER_DONE:
	case WORKER_FAILED:
	case WORKER_CANCELED:
		break;
	default:
		follow(w, now);
		if (!grpc_end(w->call) || w->state == WORKER_FULL)
			break;
		end = *grpc_end(w->call);
		worker_outcome(w, &end);
	}
}
