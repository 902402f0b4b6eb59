#include "config.h"

#include "job/chips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "widget/card.h"

static void watching_title(const struct overlay *o, char *left, char *right, size_t size)
{
	struct watching *w = (struct watching *)o;
	char since[20];
	struct tm tm;

	pthread_mutex_lock(&w->lock);
	localtime_r(&w->since, &tm);
	strftime(since, sizeof since, "%H:%M:%S", &tm);
	if (w->servers.n > 1)
		snprintf(left, size, "chips of %zu servers", w->servers.n);
	else
		snprintf(left, size, "chips of %s", w->servers.address[0].text);
	if (atomic_load(&w->pause))
		snprintf(right, size, "paused");
	else if (w->since)
		snprintf(right, size, w->answers ? "since %s" : "no answer since %s", since);
	pthread_mutex_unlock(&w->lock);
}

static unsigned toggle_full(struct watching *w, bool full)
{
	w->full = full && !w->on_cores && w->table.nrows; /* chips are the thread's */
	w->scroll = 0;
	return REACT_REDRAW;
}

static unsigned watching_act(struct overlay *o, enum action a, int count)
{
	struct watching *w = (struct watching *)o;

	switch (a) {
	case ACT_CHIPS_PAUSE:
		chips_wish(w, &w->pause, !atomic_load(&w->pause));
		return REACT_REDRAW;
	case ACT_CHIPS_CORES:
		w->on_cores = !w->on_cores;
		chips_wish(w, &w->wants_cores, w->on_cores);
		return toggle_full(w, false);
	case ACT_CHIPS_CLOSE:
		return w->full ? toggle_full(w, false) : REACT_BACK;
	case ACT_OPEN:
	case ACT_DETAILS:
		return toggle_full(w, !w->full);
	default:
		if (w->full)
			return card_scroll(&w->scroll, w->lines, w->rows, a, count) ? REACT_REDRAW : ACT_PASS;
		return sheet_act(chips_sheet(w), a, count);
	}
}

static unsigned watching_press(struct overlay *o, int y, int x)
{
	struct watching *w = (struct watching *)o;

	return !w->full && sheet_click(chips_sheet(w), y, x) ? REACT_REDRAW : REACT_NONE;
}

static void watching_status(const struct overlay *o, char *buf, size_t size)
{
	struct watching *w = (struct watching *)o;
	char scrolled[64] = "", row[200];

	if (w->full)
		card_scroll_text(w->scroll, w->lines, w->rows, scrolled, sizeof scrolled);
	sheet_status(chips_sheet(w), row, sizeof row);
	pthread_mutex_lock(&w->lock);
	snprintf(buf, size, "%s   every %g s%s%s", *scrolled ? scrolled : row, w->interval_ms / 1e3,
	    w->heard && *w->servers.warning ? "   " : "", w->heard ? w->servers.warning : "");
	pthread_mutex_unlock(&w->lock);
}

static size_t watching_notes(const struct overlay *o, struct help_note *notes, size_t most)
{
	(void)most;
	return sheet_meanings(chips_sheet((struct watching *)o), notes);
}

static struct worker *watching_worker(struct overlay *o)
{
	return &((struct watching *)o)->thread;
}

static void free_watching(struct watching *w)
{
	metrics_free(w->metrics);
	servers_end(&w->servers);
	chips_close_sheets(w);
	chips_free(&w->chips);
	local_free(&w->local);
	readings_free(&w->readings);
	for (size_t i = 0; i < w->npast; i++)
		free(w->past[i]);
	free(w->past);
	free(w->core);
	free(w);
}

static void watching_close(struct overlay *o)
{
	struct watching *w = (struct watching *)o;

	chips_wish(w, &w->end, true);
	worker_join(&w->thread);
	pthread_cond_destroy(&w->wish);
	pthread_mutex_destroy(&w->lock);
	free_watching(w);
}

static const struct overlay_ops watching_ops = {
	.scope = SCOPE_CHIPS,
	.title = watching_title,
	.draw = chips_draw,
	.act = watching_act,
	.press = watching_press,
	.status = watching_status,
	.worker = watching_worker,
	.notes = watching_notes,
	.close = watching_close,
};

struct overlay *overlay_chips(const struct app_live *what, struct err *err)
{
	struct watching *w = xcalloc(1, sizeof *w);
	pthread_condattr_t clock;

	w->base = (struct overlay){ .ops = &watching_ops, .picked = -1 };
	w->allow_remote = what->allow_remote;
	w->interval_ms = what->interval_ms;
	w->root = "";
	chips_open_sheets(w);
	if (servers_begin(&w->servers, what->servers, err)) {
		free_watching(w);
		return NULL;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&w->wish, &clock);
	pthread_condattr_destroy(&clock);
	if (!worker_start(&w->thread, chips_watch, w))
		return &w->base;
	err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no thread can be started");
	free_watching(w);
	return NULL;
}
