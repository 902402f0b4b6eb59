#include "config.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/units.h"
#include "core/worker.h"
#include "job/internal.h"
#include "remote/profiler/recording.h"
#include "widget/bar.h"
#include "widget/card.h"

#define BAR 12
#define STATE 27  /* column of a server's state */
#define NARROW 64 /* columns, below which a server takes two lines */
#define LOW 8     /* rows */
#define WIDE 120  /* columns, from which on what is said of it stands below its state */

enum wish { WISH_NONE, WISH_STOP, WISH_CANCEL, WISH_ROOM };

/* What is shown of a server. */
struct shown {
	struct worker_status s;
	char text[600];
};

struct taking {
	struct overlay base;
	struct servers servers;
	struct capture_options o;
	struct capture_wish wanted;
	struct recording *capture; /* of the thread, until it has ended */
	struct worker thread;
	struct err err;       /* of the thread until it is over: where a server is could not be found out */
	pthread_mutex_t lock; /* of `shown` */
	struct shown *shown;
	_Atomic int wish;
	_Atomic bool over;
	bool joined, canceled;
	char **run; /* of the caller */
};

static void publish(struct taking *t)
{
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->servers.n; i++) {
		struct shown *to = &t->shown[i];

		recording_status(t->capture, i, &to->s);
		snprintf(to->text, sizeof to->text, "%s", to->s.text);
	}
	pthread_mutex_unlock(&t->lock);
}

static void obey(struct taking *t)
{
	struct err err;

	switch (atomic_exchange(&t->wish, WISH_NONE)) {
	case WISH_STOP:
		recording_stop(t->capture);
		break;
	case WISH_CANCEL:
		recording_cancel(t->capture);
		break;
	case WISH_ROOM:
		recording_room(t->capture, NULL, &err); /* what is shown says whether there is room now */
		break;
	default:
		break;
	}
}

static void run_capture(void *ctx)
{
	struct taking *t = ctx;

	if (servers_look_up(&t->servers, false, &t->err)) {
		atomic_store(&t->over, true);
		return;
	}
	while (recording_step(t->capture)) {
		obey(t);
		publish(t);
	}
	publish(t);
	atomic_store(&t->over, true);
}

/* "0.4 of 1.0 s", "12.3 of 51.0 MiB, 45.1 MiB/s" */
static void progress_text(const struct worker_status *s, char *buf, size_t size)
{
	int64_t passed = now_ms() - s->since;
	char got[40], all[40], rate[40];

	*buf = 0;
	if (s->state == WORKER_RECEIVING || s->state == WORKER_FULL)
		snprintf(buf, size, "%s of %s, %s/s", units_bytes(got, sizeof got, (double)s->bytes),
		    units_bytes(all, sizeof all, (double)s->expected),
		    units_bytes(rate, sizeof rate, passed > 0 ? (double)s->bytes * 1e3 / (double)passed : 0));
	else if (s->state == WORKER_DONE && s->bytes)
		snprintf(buf, size, "%s", units_bytes(got, sizeof got, (double)s->bytes));
	else if (s->state == WORKER_TRACING && s->until > s->since)
		snprintf(buf, size, "%.1f of %.1f s", (double)passed / 1e3,
		    (double)(s->until - s->since) / 1e3);
	else if (s->state < WORKER_DONE)
		snprintf(buf, size, "%.1f s", (double)passed / 1e3);
}

/* How far it has come in what it is doing; NaN is drawn as an empty bar. */
static double share_of(const struct worker_status *s)
{
	if (s->state == WORKER_DONE)
		return 1;
	if (s->state == WORKER_TRACING && s->until > s->since)
		return (double)(now_ms() - s->since) / (double)(s->until - s->since);
	return s->state == WORKER_RECEIVING && s->expected ? (double)s->bytes / (double)s->expected : 0;
}

/* One server takes a line, two on a narrow screen, and more where there is something to say. */
static int draw_server(const struct shown *v, struct canvas *c, struct rect area, int y)
{
	const struct worker_status *s = &v->s;
	bool bad = s->state == WORKER_FAILED || s->state == WORKER_FULL, narrow = area.w < NARROW;
	struct rect below = { area.y, area.w < WIDE ? 3 : STATE, area.h, 0 };
	char text[160];
	int x = narrow ? below.x : STATE, end = area.w - 1;

	below.w = end - below.x;
	canvas_cut(c, y, 1, narrow ? end - 1 : STATE - 3, ROLE_BOLD, 0, s->address, strlen(s->address));
	y += narrow;
	canvas_str(c, y, x, 11,
	    bad                           ? ROLE_BAD
		: s->state == WORKER_DONE ? ROLE_GOOD
					  : ROLE_TEXT,
	    0, s->stopping && s->state == WORKER_TRACING ? "stopping" : worker_state_name(s->state));
	x += 12;
	if (!narrow) {
		bar_draw_dotted(c, y, x, BAR, share_of(s), ROLE_PROGRESS);
		x += BAR + 2;
	}
	progress_text(s, text, sizeof text);
	x += canvas_str(c, y, x, end - x, ROLE_TEXT, 0, text);
	if (s->attempt > 1)
		canvas_fmt(c, y, x + 2, end - x - 2, ROLE_DIM, 0, "attempt %d", s->attempt);
	if (!*v->text)
		return y + 1;
	below.x--; /* it begins a column later */
	below.w += 2;
	return card_text(c, below, y + 1, 0, bad ? ROLE_BAD : ROLE_DIM, v->text, strlen(v->text));
}

static void taking_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct taking *t = (struct taking *)o;
	int y = area.y + (area.h < LOW ? 1 : 2);

	canvas_fill(c, area, ' ', ROLE_TEXT, 0);
	canvas_fmt(c, area.y, 1, area.w - 2, ROLE_HEAD, 0, "Capture into %s", t->wanted.logdir);
	if (atomic_load(&t->over) && t->err.status) {
		card_text(c, area, y, 0, ROLE_BAD, t->err.msg, strlen(t->err.msg));
		return;
	}
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->servers.n && y < area.y + area.h; i++)
		y = draw_server(&t->shown[i], c, area, y);
	pthread_mutex_unlock(&t->lock);
}

static void join(struct taking *t)
{
	if (!t->joined)
		worker_join(&t->thread);
	t->joined = true;
}

static bool taking_moves(struct overlay *o)
{
	struct taking *t = (struct taking *)o;

	if (!atomic_load(&t->over))
		return true;
	join(t);
	if (!*t->run && recording_path(t->capture)) {
		*t->run = xstrdup(recording_path(t->capture));
		o->picked = 0;
	}
	return false;
}

static unsigned taking_act(struct overlay *o, enum action a, int count)
{
	struct taking *t = (struct taking *)o;

	(void)count;
	switch (a) {
	case ACT_CAPTURE_STOP:
		atomic_store(&t->wish, WISH_STOP);
		return REACT_REDRAW;
	case ACT_CAPTURE_ROOM:
		atomic_store(&t->wish, WISH_ROOM);
		return REACT_REDRAW;
	case ACT_CAPTURE_CANCEL:
		if (t->canceled || atomic_load(&t->over))
			return REACT_BACK;
		t->canceled = true;
		atomic_store(&t->wish, WISH_CANCEL);
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static void taking_status(const struct overlay *o, char *buf, size_t size)
{
	const struct taking *t = (const struct taking *)o;

	snprintf(buf, size, "%s",
	    atomic_load(&t->over) ? "Esc closes" : "s stops early and keeps what was traced, Esc cancels");
}

static void taking_close(struct overlay *o)
{
	struct taking *t = (struct taking *)o;

	if (!atomic_load(&t->over))
		atomic_store(&t->wish, WISH_CANCEL);
	join(t);
	recording_free(t->capture);
	servers_end(&t->servers);
	pthread_mutex_destroy(&t->lock);
	free(t->shown);
	free(t);
}

static const struct overlay_ops taking_ops = {
	.scope = SCOPE_CAPTURE,
	.draw = taking_draw,
	.act = taking_act,
	.moves = taking_moves,
	.status = taking_status,
	.close = taking_close,
};

static void drop_capture(struct taking *t)
{
	recording_free(t->capture);
	servers_end(&t->servers);
	free(t->shown);
	free(t);
}

struct overlay *overlay_capture(const struct capture_wish *wanted, char **run,
    void (*on_pick)(struct app *, int), struct err *err)
{
	struct taking *t = xcalloc(1, sizeof *t);

	t->base = (struct overlay){ .ops = &taking_ops, .picked = -1, .on_pick = on_pick };
	t->run = run;
	t->wanted = *wanted;
	if (!servers_begin(&t->servers, t->wanted.servers, err)) {
		t->o = (struct capture_options){ .address = t->servers.address,
			.to = t->servers.to,
			.n = t->servers.n,
			.logdir = t->wanted.logdir,
			.what = { .duration_ms = t->wanted.duration_ms,
			    .host_level = t->wanted.host_level,
			    .device_level = t->wanted.device_level,
			    .python_level = t->wanted.python_level,
			    .no_hlo = t->wanted.no_hlo,
			    .advanced = *t->wanted.advanced ? t->wanted.advanced : NULL },
			.attempts = 3,
			.grace_s = 300 };
		t->capture = recording_new(&t->o, err);
	}
	t->shown = xcalloc(t->servers.n + 1, sizeof *t->shown);
	if (!t->capture) {
		drop_capture(t);
		return NULL;
	}
	pthread_mutex_init(&t->lock, NULL);
	publish(t);
	if (worker_start(&t->thread, run_capture, t)) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no thread can be started");
		drop_capture(t);
		return NULL;
	}
	return &t->base;
}
