#include "config.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/units.h"
#include "core/worker.h"
#include "job/internal.h"
#include "live/chips.h"
#include "widget/bar.h"

#define BEAT_MS 1000
#define TURN_US 100000
#define HISTORY 240 /* moments that are kept */
#define DEVICES 64  /* that have a history */

struct watching {
	struct overlay base;
	struct servers servers;
	struct metrics *metrics; /* of the thread */
	struct worker thread;
	pthread_mutex_t lock; /* of what follows */
	struct chips chips;
	struct core_status *core;
	size_t ncores, moments;
	double history[DEVICES][HISTORY]; /* duty cycle of a row, a ring */
	char why[500];                    /* there are no readings */
	_Atomic bool end, pause, cores;   /* cores: they are asked for, too */
	size_t top;
};

static bool ended(void *self)
{
	return atomic_load(&((struct watching *)self)->end);
}

static void keep_moment(struct watching *w, struct readings *r)
{
	chips_free(&w->chips);
	w->chips = chips_of(r);
	for (size_t i = 0; i < DEVICES; i++)
		w->history[i][w->moments % HISTORY] = i < w->chips.n ? w->chips.v[i].duty : NAN;
	w->moments++;
	*w->why = 0;
}

static void ask_once(struct watching *w)
{
	struct readings r = { 0 };
	struct core_status *core = NULL;
	struct err err = { 0 };
	size_t n = 0;
	int bad = metrics_read(w->metrics, &r, ended, w, &err);

	if (!bad && atomic_load(&w->cores))
		metrics_cores(w->metrics, &core, &n, ended, w, &err);
	pthread_mutex_lock(&w->lock);
	if (bad)
		snprintf(w->why, sizeof w->why, "%s", err.msg);
	else
		keep_moment(w, &r);
	free(w->core);
	w->core = core;
	w->ncores = n;
	pthread_mutex_unlock(&w->lock);
	readings_free(&r);
}

static void watch(void *ctx)
{
	struct watching *w = ctx;
	int64_t next = now_ms();

	while (!ended(w)) {
		if (now_ms() >= next && !atomic_load(&w->pause)) {
			ask_once(w);
			next = now_ms() + BEAT_MS;
		}
		usleep(TURN_US);
	}
}

static void put_number(struct canvas *c, int y, int end, double v, int digits)
{
	char text[40];

	snprintf(text, sizeof text, "%.*f", digits, v);
	canvas_right(c, y, end, isnan(v) ? ROLE_DIM : ROLE_TEXT, 0, isnan(v) ? "–" : text);
}

/* Where columns end, and how wide the screen has to be for them; the history takes the rest. */
enum {
	AT_BAR = 8,
	BAR = 12,
	AT_USED = 31,
	AT_TOTAL = 40,
	AT_DUTY = 48,
	AT_QUEUE = 56,
	AT_P50 = 67,
	AT_P999 = 78,
	AT_HISTORY = 80
};

static void draw_head(struct canvas *c, int y, int w)
{
	static const struct {
		int end;
		const char *text;
	} heads[] = { { 7, "device" }, { AT_USED, "HBM GiB" }, { AT_TOTAL, "of" }, { AT_DUTY, "duty %" },
		{ AT_QUEUE, "queue" }, { AT_P50, "p50 ms" }, { AT_P999, "p99.9 ms" } };

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		canvas_right(c, y, heads[i].end, ROLE_HEAD, 0, heads[i].text);
	if (w > AT_HISTORY + 12)
		canvas_str(c, y, AT_HISTORY + 1, w - AT_HISTORY - 1, ROLE_HEAD, 0, "duty, last minutes");
}

/* The newest moment is at the right end. */
static void draw_history(const struct watching *w, size_t row, struct canvas *c, int y, int end)
{
	static const char *const levels[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" },
				 *const ascii[] = { " ", ".", ".", ":", "-", "=", "+", "#", "#" };
	bool plain = c->glyphs == &glyphs_ascii;

	for (int x = end - 1, i = 1;
	     x > AT_HISTORY && (size_t)i <= w->moments && i <= HISTORY && row < DEVICES; x--, i++) {
		double v = w->history[row][(w->moments - (size_t)i) % HISTORY];
		int level = isnan(v) ? 0 : v >= 100 ? 8 : v <= 0 ? 0 : (int)(v / 100 * 8 + 0.5);

		canvas_str(c, y, x, 1, ROLE_COUNTER, 0, (plain ? ascii : levels)[level]);
	}
}

static void draw_chip(const struct watching *w, size_t i, struct canvas *c, int y, int width)
{
	const struct chip *v = &w->chips.v[i];
	double share = v->used / v->total;

	canvas_fmt(c, y, 1, 6, ROLE_BOLD, 0, "%6d", v->device);
	if (!isnan(share))
		bar_draw(c, y, AT_BAR, BAR, share, share > .95 ? ROLE_BAD : ROLE_PROGRESS, true);
	put_number(c, y, AT_USED, v->used / GIB, 2);
	put_number(c, y, AT_TOTAL, v->total / GIB, 2);
	put_number(c, y, AT_DUTY, v->duty, 1);
	put_number(c, y, AT_QUEUE, v->queue, 0);
	put_number(c, y, AT_P50, v->p50_us / 1e3, 3);
	put_number(c, y, AT_P999, v->p999_us / 1e3, 3);
	draw_history(w, i, c, y, width - 1);
}

static int draw_cores(const struct watching *w, struct canvas *c, int y, struct rect area)
{
	if (w->ncores)
		canvas_str(c, y++, 1, area.w - 2, ROLE_HEAD, 0, "  core  chip  sequencer        executes");
	for (size_t i = w->top; i < w->ncores && y < area.y + area.h; i++, y++) {
		const struct core_status *v = &w->core[i];

		canvas_fmt(c, y, 1, 34, ROLE_TEXT, 0, "%6d%6d  %-15s", v->core, v->chip, v->kind);
		canvas_cut(c, y, 34, area.w - 35, *v->error ? ROLE_BAD : ROLE_TEXT, 0,
		    *v->error ? v->error : v->location, strlen(*v->error ? v->error : v->location));
	}
	return y;
}

static void watching_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct watching *w = (struct watching *)o;
	int y = area.y;

	canvas_fill(c, area, ' ', ROLE_TEXT, 0);
	pthread_mutex_lock(&w->lock);
	draw_head(c, y++, area.w);
	for (size_t i = w->top; i < w->chips.n && y < area.y + area.h; i++)
		draw_chip(w, i, c, y++, area.w);
	if (*w->why)
		canvas_cut(c, y + 1, 1, area.w - 2, ROLE_WARN, 0, w->why, strlen(w->why));
	else if (!w->moments)
		canvas_str(c, y + 1, 1, area.w - 2, ROLE_DIM, 0, "asking");
	else if (!w->chips.n)
		canvas_str(c, y + 1, 1, area.w - 2, ROLE_DIM, 0, "no metric of a device");
	if (y + 2 < area.y + area.h)
		draw_cores(w, c, y + 1, area);
	pthread_mutex_unlock(&w->lock);
}

static bool watching_moves(struct overlay *o)
{
	return !atomic_load(&((struct watching *)o)->pause);
}

static unsigned watching_act(struct overlay *o, enum action a, int count)
{
	struct watching *w = (struct watching *)o;

	switch (a) {
	case ACT_CHIPS_PAUSE:
		atomic_store(&w->pause, !atomic_load(&w->pause));
		return REACT_REDRAW;
	case ACT_CHIPS_CORES:
		atomic_store(&w->cores, !atomic_load(&w->cores));
		return REACT_REDRAW;
	case ACT_CHIPS_CLOSE:
		return REACT_BACK;
	case ACT_DOWN:
		w->top += (size_t)count;
		w->top = w->top < w->chips.n ? w->top : w->chips.n ? w->chips.n - 1 : 0;
		return REACT_REDRAW;
	case ACT_UP:
		w->top = w->top > (size_t)count ? w->top - (size_t)count : 0;
		return REACT_REDRAW;
	default:
		return ACT_PASS;
	}
}

static void watching_status(const struct overlay *o, char *buf, size_t size)
{
	const struct watching *w = (const struct watching *)o;

	snprintf(buf, size, "chips of %s, once a second%s", w->servers.address[0].text,
	    atomic_load(&w->pause) ? ": paused" : "");
}

static void watching_close(struct overlay *o)
{
	struct watching *w = (struct watching *)o;

	atomic_store(&w->end, true);
	worker_join(&w->thread);
	metrics_free(w->metrics);
	servers_end(&w->servers);
	chips_free(&w->chips);
	pthread_mutex_destroy(&w->lock);
	free(w->core);
	free(w);
}

static const struct overlay_ops watching_ops = {
	.scope = SCOPE_CHIPS,
	.draw = watching_draw,
	.act = watching_act,
	.moves = watching_moves,
	.status = watching_status,
	.close = watching_close,
};

struct overlay *overlay_chips(const char *servers, struct err *err)
{
	struct watching *w = xcalloc(1, sizeof *w);

	w->base = (struct overlay){ .ops = &watching_ops, .picked = -1 };
	if (servers_begin(&w->servers, servers, err)) {
		free(w);
		return NULL;
	}
	w->metrics = metrics_new(w->servers.address, w->servers.to, w->servers.n);
	pthread_mutex_init(&w->lock, NULL);
	if (!worker_start(&w->thread, watch, w))
		return &w->base;
	err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no thread can be started");
	metrics_free(w->metrics);
	servers_end(&w->servers);
	free(w);
	return NULL;
}
