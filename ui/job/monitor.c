/* The screen of monitored jobs: what they did in the last query, and graphs of all of them. */
#include "config.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/now.h"
#include "core/worker.h"
#include "job/internal.h"
#include "job/past.h"
#include "live/monitor.h"
#include "widget/card.h"
#include "widget/chart.h"
#include "widget/sheet/sheet.h"

#define TURN_US 100000
#define LEAST_MS 1000 /* from one query to the next, where a server answers at once */

/* Numbers that have a graph; top: the value of its upper edge, 0 = the largest one seen. */
static const struct measure {
	const char *name, *unit;
	size_t at;
	double top;
} measures[] = {
	{ "idle", "%", offsetof(struct job_sample, idle), 100 },
	{ "matrix units", "%", offsetof(struct job_sample, mxu), 100 },
	{ "step time", "ms", offsetof(struct job_sample, step_avg), 0 },
	{ "waiting for infeed", "%", offsetof(struct job_sample, infeed_avg), 100 },
};
#define NMEASURES (sizeof measures / sizeof *measures)

struct monitoring {
	struct overlay base;
	struct app_live wish;
	struct servers servers;
	struct capture_options o;
	struct worker thread;
	_Atomic bool end, pause;
	pthread_mutex_t lock;   /* of what follows */
	struct monitored *last; /* per server, as the next */
	struct past (*past)[NMEASURES];
	size_t samples;
	char why[500]; /* nothing can be asked */

	/* of the screen */
	struct sheet sheet;
	struct table table;
	size_t drawn;
};

struct monitored_row {
	const char *server;
	const struct monitored *of;
};

static struct cell known(const struct monitored_row *r, double v)
{
	return !r->of->known ? cell_null() : cell_num(v);
}

static struct cell chips_cell(const struct monitored_row *r, struct arena *text)
{
	const struct job_sample *s = &r->of->sample;
	char buf[120];

	if (!r->of->known)
		return arena_cell(text, r->of->why);
	if (!s->tpu)
		snprintf(buf, sizeof buf, "no TPU in this profile");
	else if (s->cores)
		snprintf(buf, sizeof buf, "%d core%s of %s", s->cores, s->cores == 1 ? "" : "s",
		    *s->type ? s->type : "a TPU");
	else
		snprintf(buf, sizeof buf, "%s", *s->type ? s->type : "TPU");
	return arena_cell(text, buf);
}

#define SCHEMA monitored
#define SCHEMA_ROW struct monitored_row
#define SCHEMA_DEF "job/monitor.def"
#include "result/schema_def.h"

static const struct schema monitored_schema = { SCHEMA_COLUMNS(monitored_columns) };

/* --- the thread --- */

static bool stopped(void *self)
{
	return atomic_load(&((struct monitoring *)self)->end);
}

static double measured(const struct monitored *now, const struct measure *what)
{
	double v = NAN;

	if (now->known)
		memcpy(&v, (const char *)&now->sample + what->at, sizeof v);
	return v;
}

static void publish(struct monitoring *m, const struct monitored *now, const struct err *err)
{
	pthread_mutex_lock(&m->lock);
	snprintf(m->why, sizeof m->why, "%s", now ? "" : err->msg);
	for (size_t i = 0; now && i < m->servers.n; i++) {
		m->last[i] = now[i];
		for (size_t k = 0; k < NMEASURES; k++)
			past_put(&m->past[i][k], m->samples, measured(&now[i], &measures[k]));
	}
	m->samples += now != NULL;
	pthread_mutex_unlock(&m->lock);
	worker_wake(&m->thread);
}

static bool asks_on(const struct monitoring *m, int64_t next)
{
	return !atomic_load(&m->pause) && now_ms() >= next &&
	    (!m->wish.queries || m->samples < (size_t)m->wish.queries);
}

/* Stays until the screen is closed, also when nothing more is asked. */
static void watch(void *ctx)
{
	struct monitoring *m = ctx;
	struct monitored *now = xcalloc(m->servers.n, sizeof *now);
	struct monitor *monitor = monitor_new(&m->o, m->wish.level);
	struct err err = { 0 };
	bool found = !servers_look_up(&m->servers, m->wish.allow_remote, &err);
	int64_t next = 0;

	if (!found)
		publish(m, NULL, &err);
	for (; !stopped(m); usleep(TURN_US)) {
		if (!found || !asks_on(m, next))
			continue;
		next = now_ms() + LEAST_MS;
		if (monitor_query(monitor, now, stopped, m, &err))
			publish(m, now, &err);
		else if (err.status)
			publish(m, NULL, &err);
	}
	monitor_free(monitor);
	free(now);
}

/* --- drawing --- */

static enum role row_role(const void *ctx, size_t row, size_t column)
{
	const struct monitoring *m = ctx;

	(void)column;
	return m->samples && !m->last[row].known ? ROLE_BAD : ROLE_TEXT;
}

static void take_news(struct monitoring *m)
{
	size_t row = sheet_row(&m->sheet);

	if (m->drawn == m->samples)
		return;
	m->drawn = m->samples;
	table_free(&m->table);
	table_begin(&m->table, &monitored_schema);
	for (size_t i = 0; i < m->servers.n; i++)
		table_add(&m->table, &(struct monitored_row){ m->servers.address[i].text, &m->last[i] });
	sheet_set(&m->sheet, &m->table);
	sheet_go(&m->sheet, row);
}

static void draw_graph(const struct monitoring *m, size_t row, size_t k, struct canvas *c, struct rect r)
{
	const struct past *p = &m->past[row][k];
	double top = measures[k].top, last = past_at(p, m->samples - 1, m->samples);
	char about[60];

	snprintf(about, sizeof about, isnan(last) ? "%s, now –" : "%s, now %.4g", measures[k].unit, last);
	card_head(c, r.y, r, measures[k].name, about);
	top = top > 0 ? top : chart_top(past_largest(p, m->samples));
	past_chart(p, m->samples, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w }, top);
}

/* Two by two of the server under the cursor, or in one column; those that have no room are left out. */
static void draw_graphs(const struct monitoring *m, struct canvas *c, struct rect r)
{
	size_t row = sheet_row(&m->sheet), across = r.w >= 76 ? 2 : 1, down = NMEASURES / across;
	int w = r.w / (int)across, h;

	if (row >= m->servers.n)
		return;
	r.y = card_rule(c, r, r.y, m->servers.address[row].text, "");
	h = --r.h / (int)down;
	h = h > 14 ? 14 : h < 4 ? 4 : h;
	for (size_t k = 0; k < NMEASURES; k++) {
		int y = r.y + (int)(k / across) * h;

		if (y + h <= r.y + r.h)
			draw_graph(m, row, k, c,
			    (struct rect){ y, r.x + (int)(k % across) * w, h - (k / across + 1 < down),
				w - 1 });
	}
}

/* What an old server says itself, or why nothing is known of it. */
static int draw_said(const struct monitoring *m, struct canvas *c, struct rect r, int y)
{
	size_t row = sheet_row(&m->sheet);
	const struct monitored *v = row < m->servers.n ? &m->last[row] : NULL;
	const char *said = v && v->known ? v->sample.said : "";

	if (v && !v->known)
		return card_text(c, r, y, 0, ROLE_WARN, v->why, strlen(v->why));
	for (; *said && y < r.y + r.h; said += strcspn(said, "\n") + (said[strcspn(said, "\n")] == '\n'))
		canvas_text(c, y++, r.x + 1, r.w - 2, ROLE_TEXT, 0, said, strcspn(said, "\n"));
	return y;
}

static void monitoring_draw(struct overlay *o, struct canvas *c, struct rect a)
{
	struct monitoring *m = (struct monitoring *)o;
	int y = a.y, end = a.y + a.h, rows, most = a.h > 16 ? a.h / 3 : a.h - 2;

	pthread_mutex_lock(&m->lock);
	take_news(m);
	if (*m->why) {
		card_text(c, a, y, 0, ROLE_BAD, m->why, strlen(m->why));
	} else if (!m->samples) {
		canvas_str(c, y, a.x + 1, a.w - 2, ROLE_DIM, 0, "waiting for the first answer");
	} else {
		rows = m->servers.n < (size_t)most ? (int)m->servers.n : most;
		sheet_draw(&m->sheet, c, (struct rect){ y, a.x, rows + 1, a.w });
		y = draw_said(m, c, a, y + rows + 1);
		draw_graphs(m, c, (struct rect){ y, a.x, end - y, a.w });
	}
	pthread_mutex_unlock(&m->lock);
}

static void monitoring_title(const struct overlay *o, char *left, char *right, size_t size)
{
	struct monitoring *m = (struct monitoring *)o;

	snprintf(left, size, "how busy %s is", m->servers.address[0].text);
	if (m->servers.n > 1)
		snprintf(left, size, "how busy %zu servers are", m->servers.n);
	pthread_mutex_lock(&m->lock);
	if (m->wish.queries)
		snprintf(right, size, "%zu of %d queries%s", m->samples, m->wish.queries,
		    atomic_load(&m->pause) ? ", paused" : "");
	else
		snprintf(right, size, "%zu queries%s", m->samples, atomic_load(&m->pause) ? ", paused" : "");
	pthread_mutex_unlock(&m->lock);
}

/* --- keys, life --- */

static unsigned monitoring_act(struct overlay *o, enum action a, int count)
{
	struct monitoring *m = (struct monitoring *)o;

	switch (a) {
	case ACT_MONITOR_PAUSE:
		atomic_store(&m->pause, !atomic_load(&m->pause));
		return REACT_REDRAW;
	case ACT_MONITOR_CLOSE:
		return REACT_BACK;
	default:
		return sheet_act(&m->sheet, a, count);
	}
}

static void monitoring_status(const struct overlay *o, char *buf, size_t size)
{
	struct monitoring *m = (struct monitoring *)o;
	const char *warning;

	pthread_mutex_lock(&m->lock);
	warning = m->samples ? m->servers.warning : ""; /* the thread has written it by then */
	pthread_mutex_unlock(&m->lock);
	snprintf(buf, size, "captures of %d ms, one after the other (old servers: their own figures)%s%s",
	    m->wish.duration_ms, *warning ? "   " : "", warning);
}

static size_t monitoring_notes(const struct overlay *o, struct help_note *notes, size_t most)
{
	(void)most;
	return sheet_meanings(&((const struct monitoring *)o)->sheet, notes);
}

static struct worker *monitoring_worker(struct overlay *o)
{
	return &((struct monitoring *)o)->thread;
}

static void free_monitoring(struct monitoring *m)
{
	servers_end(&m->servers);
	sheet_free(&m->sheet);
	table_free(&m->table);
	free(m->last);
	free(m->past);
	free(m);
}

static void monitoring_close(struct overlay *o)
{
	struct monitoring *m = (struct monitoring *)o;

	atomic_store(&m->end, true);
	worker_join(&m->thread);
	pthread_mutex_destroy(&m->lock);
	free_monitoring(m);
}

static const struct overlay_ops monitoring_ops = {
	.scope = SCOPE_MONITOR,
	.title = monitoring_title,
	.draw = monitoring_draw,
	.act = monitoring_act,
	.status = monitoring_status,
	.worker = monitoring_worker,
	.notes = monitoring_notes,
	.close = monitoring_close,
};

struct overlay *overlay_monitor(const struct app_live *what, struct err *err)
{
	struct monitoring *m = xcalloc(1, sizeof *m);

	m->base = (struct overlay){ .ops = &monitoring_ops, .picked = -1 };
	m->wish = *what;
	m->wish.servers = NULL; /* read below, and not kept by the caller */
	if (servers_begin(&m->servers, what->servers, err)) {
		free(m);
		return NULL;
	}
	m->o = (struct capture_options){ .address = m->servers.address,
		.to = m->servers.to,
		.n = m->servers.n,
		.what = { .duration_ms = what->duration_ms, .host_level = 1, .device_level = 1 },
		.attempts = what->attempts,
		.grace_s = what->grace_s };
	m->last = xcalloc(m->servers.n, sizeof *m->last);
	m->past = xcalloc(m->servers.n, sizeof *m->past);
	sheet_open(&m->sheet, &monitored_schema, NULL, NULL);
	m->sheet.role = row_role;
	m->sheet.ctx = m;
	pthread_mutex_init(&m->lock, NULL);
	if (!worker_start(&m->thread, watch, m))
		return &m->base;
	err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no thread can be started");
	free_monitoring(m);
	return NULL;
}
