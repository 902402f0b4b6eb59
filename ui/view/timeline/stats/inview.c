#include "config.h"

#include "view/timeline/stats/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/device/kinds.h"
#include "analyze/device/step_metric.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "model/lod.h"

#define NO_SHARE 0.00005 /* below this the row would read 0.00 % */

enum { LEAD = 2, NAMES_LEAST = 32, NAMES_MOST = 104 /* columns: numbers stay near their names */ };

/* Rows at the bottom that a pane leaves empty where there is room. */
static int foot_of(struct rect r)
{
	return r.h > 8;
}

/* --- what is in view: by kind --- */

/* The whole run of cores is from the first op to the last: no core idles before it began or when it is over. */
static void keep_ops(const struct scene *sc, int64_t *t0, int64_t *t1)
{
	int64_t first = INT64_MAX, last = INT64_MIN;

	for (size_t i = 0; i < sc->rows.ndevice; i++) {
		const struct track *k = scene_track(sc, sc->rows.device[i]);
		int64_t by = scene_shift_of(sc, k->plane);

		if (k->n && k->first + by < first)
			first = k->first + by;
		if (k->n && k->last + by > last)
			last = k->last + by;
	}
	if (first < last) {
		*t0 = *t0 > first ? *t0 : first;
		*t1 = *t1 < last ? *t1 : last;
	}
}

static void view_of(const struct scene *sc, int64_t *t0, int64_t *t1)
{
	int64_t a = viewport_begin(&sc->port), b = viewport_end(&sc->port);

	*t0 = a > sc->port.first ? a : sc->port.first;
	*t1 = b < sc->port.last ? b : sc->port.last;
	if (sc->port.whole && !sc->rows.threads_only && !sc->rows.has_coarse)
		keep_ops(sc, t0, t1);
	if (*t1 < *t0)
		*t1 = *t0;
}

static double work_of(const struct scene *sc, const struct track *k, int64_t t0, int64_t t1)
{
	int64_t busy[CLASS_COUNT], by = scene_shift_of(sc, k->plane);
	double sum = 0;

	lod_sum(k, sc->cap->dump->trace.meta_class, t0 - by, t1 - by, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		sum += c == CLASS_WAIT ? 0 : (double)busy[c];
	return sum;
}

/* Work on the hosts in view: of the processes whose threads have been united. */
static void sum_host(struct inview *v, int64_t t0, int64_t t1)
{
	size_t n = 0;

	v->host_ps = 0;
	for (uint32_t i = 0; i < v->sc->rows.n; i++) {
		const struct rows_node *p = &v->sc->rows.v[i];

		if (p->kind != NODE_THREADS || p->track == ROWS_NONE || !scene_track(v->sc, p->track)->lod ||
		    v->sc->cap->dump->trace.planes[p->plane].kind != PLANE_HOST)
			continue;
		v->host_ps += work_of(v->sc, scene_track(v->sc, p->track), t0, t1);
		n++;
	}
	v->has_host = n;
	v->host_ps = n ? v->host_ps / (double)n : 0;
}

/* Busy time of a core of a digest that is not in its ops. */
static double coarse_of(const struct inview *v, int counter, const int64_t busy[CLASS_COUNT], int64_t t0,
    int64_t t1)
{
	double ps = digest_busy(&v->sc->cap->dump->trace.counters[counter], t0, t1);

	for (int c = 0; c < CLASS_COUNT; c++)
		ps -= (double)busy[c];
	return ps > 0 ? ps : 0;
}

/* Takes what passes the filter from the sums by name: those of an older interval until they are made again. */
static void take_passed(struct inview *v)
{
	bool by_use = v->colors->by == COLORS_BY_UTILIZATION;

	for (int c = 0; c < CLASS_COUNT; c++)
		v->class_ps[c] = v->has && !by_use ? (double)v->shown.class_ps[c] : 0;
	for (size_t i = 0; v->has && by_use && i < v->shown.nnames; i++) {
		const struct window_name *n = &v->shown.names[i];
		uint8_t class = colors_of(v->colors, NULL, scene_track(v->sc, n->track), n->longest);

		v->class_ps[META_CLASS(class)] += (double)n->self;
	}
	v->coarse_ps = v->host_ps = 0;
	v->has_class = v->has_host = false;
}

static void sum_classes(struct inview *v)
{
	int64_t t0, t1, by, busy[CLASS_COUNT];
	const uint8_t *classes = v->sc->cap->dump->trace.meta_class;
	const struct scene_changes *now = &v->sc->changes;
	unsigned made = now->times + now->colors + now->unions;
	struct track copy;

	if (filter_on(v->filter)) {
		take_passed(v);
		return;
	}
	view_of(v->sc, &t0, &t1);
	if (v->has_class && v->class_t0 == t0 && v->class_t1 == t1 && v->class_made == made)
		return;
	memset(v->class_ps, 0, sizeof v->class_ps);
	v->coarse_ps = 0;
	for (size_t i = 0; i < v->sc->rows.ndevice; i++) {
		const struct track *k = scene_track(v->sc, v->sc->rows.device[i]);

		if (!k->lod)
			continue;
		if (v->colors->by == COLORS_BY_UTILIZATION)
			k = colors_track(v->colors, v->sc->rows.device[i], &copy, &classes);
		by = scene_shift_of(v->sc, k->plane);
		lod_sum(k, classes, t0 - by, t1 - by, busy);
		for (int c = 0; c < CLASS_COUNT; c++)
			v->class_ps[c] += (double)busy[c];
		if (!v->sc->rows.threads_only && v->sc->rows.coarse[i] >= 0)
			v->coarse_ps += coarse_of(v, v->sc->rows.coarse[i], busy, t0 - by, t1 - by);
	}
	sum_host(v, t0, t1);
	v->class_t0 = t0;
	v->class_t1 = t1;
	v->class_made = made;
	v->has_class = true;
}

static void put_swatch(const struct inview *v, struct canvas *cv, int y, int x, int class)
{
	if (class == CLASS_WAIT) {
		canvas_glyph(cv, y, x, GLYPH_DASH, ROLE_LINE, 0);
		canvas_glyph(cv, y, x + 1, GLYPH_DASH, ROLE_LINE, 0);
	} else if (v->colors->by == COLORS_BY_NAME || v->colors->by == COLORS_BY_STEP) {
		return; /* colors do not stand for kinds */
	} else if (cv->mono) {
		canvas_put(cv, y, x + 1, (uint32_t)colors_letter(v->colors, class), ROLE_TEXT, 0);
	} else {
		canvas_fill(cv, (struct rect){ y, x, 1, 2 }, ' ', (enum role)(ROLE_FILL_MATMUL + class), 0);
	}
}

struct kind {
	const char *label;
	double ps;
	int class;
}; /* class -1: no color */

/* Time of a class. */
static bool is_shown(const struct inview *v, int class, double all)
{
	bool always = !v->sc->rows.threads_only && !v->sc->rows.has_coarse && class <= CLASS_IO &&
	    *colors_label(v->colors, class);

	return class != CLASS_WAIT && (always || v->class_ps[class] > all * NO_SHARE);
}

/* Some converted traces do not tell matmuls from other compute: there they are one kind. */
static bool is_one_compute(struct inview *v)
{
	if (!v->looked)
		v->no_kinds = step_metrics_unknown(v->sc->cap->dump);
	v->looked = true;
	return v->no_kinds && v->colors->by != COLORS_BY_UTILIZATION;
}

static void join_compute(struct inview *v, struct kind *k)
{
	k->label = kind_info[KIND_ANY_COMPUTE].name;
	k->ps = v->class_ps[CLASS_MATMUL] + v->class_ps[CLASS_COMPUTE];
}

/* Kinds of work in their order, then idle time and other kinds. */
static int kinds_of(struct inview *v, double all, struct kind *out)
{
	bool one = is_one_compute(v);
	double sum = 0;
	int n = 0;

	for (int k = 0; k < KIND_COUNT; k++)
		for (int c = 0; c < CLASS_COUNT; c++) {
			if ((int)kind_of_class(c) != k)
				continue;
			sum += v->class_ps[c];
			if ((one && c == CLASS_MATMUL) || !is_shown(v, c, all))
				continue;
			out[n++] = (struct kind){ colors_label(v->colors, c), v->class_ps[c], c };
			if (one && c == CLASS_COMPUTE)
				join_compute(v, &out[n - 1]);
		}
	if (v->sc->rows.has_coarse) {
		sum += v->coarse_ps;
		out[n++] = (struct kind){ "ops of digests", v->coarse_ps, -1 };
	}
	if (!v->sc->rows.threads_only)
		out[n++] = (struct kind){ filter_on(v->filter) ? "all the rest" : kind_info[KIND_IDLE].name,
			all > sum ? all - sum : 0, -1 };
	return n;
}

/* When there are few rows, the kinds with the least time are dropped; idle, the last one, stays. */
static int fit_kinds(struct kind *kind, int n, int rows)
{
	while (n > rows && n > 1) {
		int least = 0;

		for (int i = 1; i < n - 1; i++)
			least = kind[i].ps <= kind[least].ps ? i : least;
		memmove(kind + least, kind + least + 1, (size_t)(--n - least) * sizeof *kind);
	}
	return n;
}

/* Columns of the kinds, before the names. */
static int kinds_cols(struct rect r)
{
	return r.w >= 110 ? 43 : 37;
}

static void draw_legend(const struct inview *v, struct canvas *cv, struct rect r, int y, int end)
{
	static const int sample[] = { 2, 5, 7 };
	int w = kinds_cols(r) + LEAD - 4; /* and a blank before the names */

	if (y + 2 < end && !cv->mono) {
		for (int i = 0; i < 3; i++)
			canvas_put(cv, y + 1, r.x + 4 + i, cv->glyphs->height[sample[i]], ROLE_TEXT, 0);
		canvas_str(cv, y + 1, r.x + 8, w - 4, ROLE_TEXT, 0, "busy share of the column");
		canvas_str(cv, y + 2, r.x + 4, w, ROLE_TEXT, 0, colors_legend(v->colors, false));
	} else if (y + 2 < end) {
		canvas_str(cv, y + 1, r.x + 4, w, ROLE_TEXT, 0, "M half busy  m less  . < 1/8");
		canvas_str(cv, y + 2, r.x + 4, w, ROLE_TEXT, 0, colors_legend(v->colors, true));
	}
}

static char *number_in(char *buf, size_t size, double ps, enum time_unit unit)
{
	return units_time_in(buf, size, from_double(ps), unit, unit == UNIT_PS ? 0 : 3);
}

/* Cores whose time is all of the time; for threads it is that of the wall clock. */
static size_t cores_of(const struct inview *v)
{
	return v->sc->rows.threads_only || !v->sc->rows.ndevice ? 1 : v->sc->rows.ndevice;
}

static void draw_kinds(struct inview *v, struct canvas *cv, struct rect r, int64_t span)
{
	size_t cores = cores_of(v);
	double all = (double)span * (double)cores;
	enum time_unit unit = unit_for(span);
	struct kind kind[CLASS_COUNT + 2];
	int n = kinds_of(v, all, kind), y = r.y + 1, end = r.y + r.h, x = r.x, last = end - foot_of(r);
	char host[40];
	char buf[48];

	canvas_str(cv, y, x + 4, 16, ROLE_DIM, 0, "kind of time");
	canvas_right(cv, y, x + 28, ROLE_DIM, 0, v->sc->rows.threads_only ? "% of wall" : "share %");
	snprintf(buf, sizeof buf, v->sc->rows.threads_only ? "%s" : "%s/core",
	    unit_name(unit, scene_ascii(v->sc)));
	canvas_right(cv, y++, x + 37, ROLE_DIM, 0, buf);
	if (last > y)
		n = fit_kinds(kind, n, last - y);
	for (int i = 0; i < n && y < last; i++, y++) {
		if (kind[i].class >= 0)
			put_swatch(v, cv, y, x + 1, kind[i].class);
		canvas_str(cv, y, x + 4, 18, ROLE_TEXT, 0, kind[i].label);
		snprintf(buf, sizeof buf, "%.2f", 100 * kind[i].ps / all);
		canvas_right(cv, y, x + 28, ROLE_TEXT, 0, buf);
		canvas_right(cv, y, x + 37, ROLE_TEXT, 0,
		    number_in(buf, sizeof buf, kind[i].ps / (double)cores, unit));
	}
	if (!v->sc->rows.threads_only && y < last && v->has_host) {
		put_swatch(v, cv, y, x + 1, CLASS_HOST);
		snprintf(host, sizeof host, "%s, %% of wall", kind_info[KIND_HOST].name);
		canvas_str(cv, y, x + 4, 24, ROLE_TEXT, 0, host);
		snprintf(buf, sizeof buf, "%.2f", 100 * v->host_ps / (double)span);
		canvas_right(cv, y++, x + 37, ROLE_TEXT, 0, buf);
	}
	if (y < last) {
		put_swatch(v, cv, y, x + 1, CLASS_WAIT);
		canvas_str(cv, y, x + 4, 30, ROLE_TEXT, 0, kind_info[KIND_WAIT].name);
		if (v->sc->rows.threads_only)
			canvas_right(cv, y, x + 37, ROLE_TEXT, 0,
			    number_in(buf, sizeof buf, v->class_ps[CLASS_WAIT], unit));
		y++;
	}
	draw_legend(v, cv, r, y, last);
}

/* --- what is in view: by name --- */

void inview_free(struct inview *v)
{
	if (v->has)
		window_free(&v->shown);
	if (v->working)
		window_free(&v->work);
	free(v->tracks);
	*v = (struct inview){ .sc = v->sc, .colors = v->colors, .filter = v->filter };
}

static unsigned changes_now(const struct inview *v)
{
	return v->sc->changes.times + v->filter->changes;
}

static const struct window *inview_window(const struct inview *v)
{
	return v->has && v->made == changes_now(v) ? &v->shown : NULL;
}

/* Drops sums that were made for other times, or other events. */
static void forget_old(struct inview *v)
{
	if (v->made != changes_now(v))
		inview_free(v);
	v->made = changes_now(v);
}

static void inview_begin(struct inview *v, int64_t t0, int64_t t1)
{
	if (v->working)
		window_free(&v->work);
	v->tracks = xrealloc(v->tracks, v->sc->rows.ndevice + 1, sizeof *v->tracks);
	if (v->sc->rows.ndevice)
		memcpy(v->tracks, v->sc->rows.device, v->sc->rows.ndevice * sizeof *v->tracks);
	window_begin(&v->work, v->sc->cap->dump, v->tracks, v->sc->rows.ndevice, t0, t1);
	v->work.shift = scene_shifts(v->sc);
	filter_apply(v->filter, &v->work);
	v->work_t0 = t0;
	v->work_t1 = t1;
	v->working = true;
}

bool inview_step(struct inview *v, int budget_ms)
{
	int64_t t0, t1;

	forget_old(v);
	view_of(v->sc, &t0, &t1);
	if (scene_pane(v->sc) != PANE_VIEW || v->sc->lay.pane.h <= 0 || v->sc->cursor.full ||
	    (v->has && v->shown_t0 == t0 && v->shown_t1 == t1))
		return false;
	if (!v->working || v->work_t0 != t0 || v->work_t1 != t1)
		inview_begin(v, t0, t1);
	if (window_step(&v->work, budget_ms))
		return true;
	if (v->has)
		window_free(&v->shown);
	v->shown = v->work;
	v->shown_t0 = t0;
	v->shown_t1 = t1;
	v->has = true;
	v->working = false;
	v->sc->view->stale = true;
	return false;
}

/* What the sheet of names draws. */
struct name_sheet {
	const struct inview *v;
	struct sheet sheet;
	bool old; /* of an interval that was in view before */
};

static enum role name_role(const void *ctx, size_t row, size_t column)
{
	const struct name_sheet *s = ctx;

	(void)row;
	(void)column;
	return s->old ? ROLE_DIM : ROLE_TEXT;
}

static void put_name_color(const void *ctx, size_t row, struct canvas *cv, struct rect r)
{
	const struct name_sheet *s = ctx;
	const struct window_name *w = sheet_of(&s->sheet, row);
	int class = w->class == CLASS_WAIT ? CLASS_WAIT : colors_name_class(s->v->colors, w->name);

	canvas_put(cv, r.y, r.x + 1, cv->mono ? (uint32_t)colors_letter(s->v->colors, class) : ' ',
	    cv->mono ? ROLE_TEXT : (enum role)(ROLE_FILL_MATMUL + class), 0);
}

/* Says how much the names without a row of their own take. */
static void draw_more(struct canvas *cv, int y, struct rect r, const struct window *w, size_t from,
    double all)
{
	double self = 0;

	for (size_t i = from; i < w->nnames; i++)
		self += (double)w->names[i].self;
	canvas_fmt(cv, y, r.x + 1 + LEAD, r.w - 1 - LEAD, ROLE_DIM, 0, "%zu more names, self %.1f %%",
	    w->nnames - from, all > 0 ? 100 * self / all : 0);
}

static void draw_sheet(const struct inview *v, struct canvas *cv, struct rect r, size_t rows, bool old)
{
	struct name_sheet s = { .v = v, .old = old };
	struct table table;

	statistics_name_table(v->sc, &v->shown, cores_of(v), rows, &table);
	sheet_open(&s.sheet, &statistics_name_schema, "name count self_percent self_ps mean_ps", "self_ps");
	s.sheet.still = true;
	s.sheet.lead = LEAD;
	s.sheet.role = name_role;
	s.sheet.mark = v->colors->by == COLORS_BY_NAME ? put_name_color : NULL;
	s.sheet.ctx = &s;
	sheet_set_rows(&s.sheet,
	    &(struct sheet_rows){ .table = &table, .of = v->shown.names, .size = sizeof *v->shown.names });
	sheet_draw(&s.sheet, cv, r);
	sheet_free(&s.sheet);
	table_free(&table);
}

static void draw_names(const struct inview *v, struct canvas *cv, struct rect r)
{
	int x = kinds_cols(r), rows = r.h - 2 - foot_of(r);
	struct rect a = { r.y + 1, r.x + x, 1 + rows, r.w - x };
	size_t n = v->shown.nnames, most = rows > 0 ? (size_t)rows : 0;
	int64_t t0, t1;

	if (a.w < NAMES_LEAST || !most)
		return;
	a.w = a.w < NAMES_MOST ? a.w : NAMES_MOST;
	if (!v->has) {
		canvas_glyph(cv, r.y + 2, a.x + 1 + LEAD, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	view_of(v->sc, &t0, &t1);
	if (most > 1 && n > most) {
		most--;
		a.h--;
		draw_more(cv, a.y + a.h, a, &v->shown, most,
		    (double)(v->shown.t1 - v->shown.t0) * (double)cores_of(v));
	}
	if (n)
		draw_sheet(v, cv, a, most, v->shown_t0 != t0 || v->shown_t1 != t1);
}

void inview_draw(struct inview *v, struct canvas *cv, struct rect r)
{
	char left[96], right[96], time[40];
	const char *which = filter_on(v->filter) ? ", what passes the filter" : "";
	int64_t t0, t1, span = viewport_span(&v->sc->port);
	size_t n = v->sc->rows.ndevice;

	view_of(v->sc, &t0, &t1);
	if (v->sc->port.whole && !v->sc->rows.threads_only && t1 > t0)
		span = t1 - t0;
	forget_old(v);
	sum_classes(v);
	snprintf(left, sizeof left, "in view: %s%s",
	    span < viewport_span(&v->sc->port) ? "all ops"
		: v->sc->port.whole            ? "whole run"
					       : units_time(time, sizeof time, span, scene_ascii(v->sc)),
	    which);
	if (v->sc->rows.threads_only)
		snprintf(right, sizeof right, "time of %zu %s", n, n == 1 ? "thread" : "threads");
	else
		snprintf(right, sizeof right, "device time of %zu %s: %s", n, n == 1 ? "core" : "cores",
		    units_time_short(time, sizeof time,
			span > TRACE_TIME_MAX / (int64_t)(n + 1) ? TRACE_TIME_MAX : span * (int64_t)n,
			scene_ascii(v->sc)));
	scene_pane_title(v->sc, cv, r, left, strlen(left), right);
	if (!scene_has_sums(v->sc)) {
		canvas_str(cv, r.y + 1, r.x + 1, r.w - 2, ROLE_TEXT, 0,
		    "Sums follow when everything is read; zoom in for them now.");
		return;
	}
	draw_kinds(v, cv, r, span);
	draw_names(v, cv, r);
}

/* Copies the table of the pane, with all its rows. */
int inview_copy(const struct inview *v, FILE *f)
{
	const struct window *w = inview_window(v);
	struct table table;

	if (!w || !w->nnames)
		return -1;
	fprintf(f, "interval\t%" PRId64 "\t%" PRId64 "\tps\n", w->t0, w->t1);
	statistics_name_table(v->sc, w, cores_of(v), SIZE_MAX, &table);
	sheet_copy_table(&table, NULL, table.nrows, f);
	table_free(&table);
	return 0;
}
