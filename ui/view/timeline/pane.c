#include "config.h"

#include "view/timeline/tl.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/device/digest.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "model/lod.h"

#define NO_SHARE 0.00005 /* what reads 0.00 % needs no row */

/* --- which pane, and its frame --- */

void tl_draw_pane(struct tl *t, struct canvas *cv)
{
	if (t->scene.lay.pane.h <= 0)
		return;
	switch (scene_pane(&t->scene)) {
	case PANE_ALIGN:
		lineup_draw(&t->lineup, cv, t->scene.lay.pane);
		break;
	case PANE_STATS:
		tl_stats_draw(t, cv, t->scene.lay.pane);
		break;
	case PANE_STEPS:
		step_table_draw(&t->steps, cv, t->scene.lay.pane);
		break;
	case PANE_CHAIN:
		scene_enter_row(&t->scene); /* it may look for what is under the cursor */
		cause_draw(&t->cause, cv, t->scene.lay.pane);
		scene_leave(&t->scene);
		break;
	case PANE_HITS:
		search_draw(&t->search, cv, t->scene.lay.pane);
		break;
	case PANE_EVENT:
		details_draw(&t->details, cv, t->scene.lay.pane);
		break;
	case PANE_VIEW:
		tl_draw_inview(t, cv, t->scene.lay.pane);
	}
}

/* --- what is in view: by kind --- */

static void view_of(const struct tl *t, int64_t *t0, int64_t *t1)
{
	int64_t a = viewport_begin(&t->scene.port), b = viewport_end(&t->scene.port);

	*t0 = a > t->scene.port.first ? a : t->scene.port.first;
	*t1 = b < t->scene.port.last ? b : t->scene.port.last;
	if (*t1 < *t0)
		*t1 = *t0;
}

static double work_of(const struct tl *t, const struct track *k, int64_t t0, int64_t t1)
{
	int64_t busy[CLASS_COUNT], by = scene_shift_of(&t->scene, k->plane);
	double sum = 0;

	lod_sum(k, t->scene.dump->trace.meta_class, t0 - by, t1 - by, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		sum += c == CLASS_WAIT ? 0 : (double)busy[c];
	return sum;
}

/* Host work of the view: of the processes whose threads have been united. */
static void sum_host(struct tl *t, int64_t t0, int64_t t1)
{
	struct tl_inview *v = &t->inview;
	size_t n = 0;

	v->host_ps = 0;
	for (uint32_t i = 0; i < t->scene.rows.n; i++) {
		const struct rows_node *p = &t->scene.rows.v[i];

		if (p->kind != NODE_THREADS || p->track == ROWS_NONE ||
		    !scene_track(&t->scene, p->track)->lod ||
		    t->scene.dump->trace.planes[p->plane].kind != PLANE_HOST)
			continue;
		v->host_ps += work_of(t, scene_track(&t->scene, p->track), t0, t1);
		n++;
	}
	v->has_host = n;
	v->host_ps = n ? v->host_ps / (double)n : 0;
}

/* What a core of a digest did beyond the ops that are there. */
static double coarse_of(const struct tl *t, int counter, const int64_t busy[CLASS_COUNT], int64_t t0,
    int64_t t1)
{
	double ps = digest_busy(&t->scene.dump->trace.counters[counter], t0, t1);

	for (int c = 0; c < CLASS_COUNT; c++)
		ps -= (double)busy[c];
	return ps > 0 ? ps : 0;
}

static void sum_classes(struct tl *t)
{
	struct tl_inview *v = &t->inview;
	int64_t t0, t1, by, busy[CLASS_COUNT];
	const uint8_t *classes = t->scene.dump->trace.meta_class;
	const struct scene_changes *now = &t->scene.changes;
	unsigned made = now->times + now->colors + now->unions;
	struct track copy;

	view_of(t, &t0, &t1);
	if (v->has_class && v->class_t0 == t0 && v->class_t1 == t1 && v->class_made == made)
		return;
	memset(v->class_ps, 0, sizeof v->class_ps);
	v->coarse_ps = 0;
	for (size_t i = 0; i < t->scene.rows.ndevice; i++) {
		const struct track *k = scene_track(&t->scene, t->scene.rows.device[i]);

		if (!k->lod)
			continue;
		if (t->picture.colors.by == COLORS_BY_UTILIZATION)
			k = colors_track(&t->picture.colors, t->scene.rows.device[i], &copy, &classes);
		by = scene_shift_of(&t->scene, k->plane);
		lod_sum(k, classes, t0 - by, t1 - by, busy);
		for (int c = 0; c < CLASS_COUNT; c++)
			v->class_ps[c] += (double)busy[c];
		if (!t->scene.rows.threads_only && t->scene.rows.coarse[i] >= 0)
			v->coarse_ps += coarse_of(t, t->scene.rows.coarse[i], busy, t0 - by, t1 - by);
	}
	sum_host(t, t0, t1);
	v->class_t0 = t0;
	v->class_t1 = t1;
	v->class_made = made;
	v->has_class = true;
}

static void put_swatch(const struct tl *t, struct canvas *cv, int y, int x, int class)
{
	if (class == CLASS_WAIT) {
		canvas_glyph(cv, y, x, GLYPH_DASH, ROLE_LINE, 0);
		canvas_glyph(cv, y, x + 1, GLYPH_DASH, ROLE_LINE, 0);
	} else if (t->picture.colors.by == COLORS_BY_NAME || t->picture.colors.by == COLORS_BY_STEP) {
		return; /* no colour stands for a kind */
	} else if (cv->mono) {
		canvas_put(cv, y, x + 1, (uint32_t)colors_letter(&t->picture.colors, class), ROLE_TEXT, 0);
	} else {
		canvas_fill(cv, (struct rect){ y, x, 1, 2 }, ' ', (enum role)(ROLE_FILL_MATMUL + class), 0);
	}
}

struct kind {
	const char *label;
	double ps;
	int class;
}; /* class -1: no colour; ps < 0: not known */

static int by_time(const void *pa, const void *pb)
{
	const struct kind *a = pa, *b = pb;

	if (a->ps != b->ps)
		return a->ps > b->ps ? -1 : 1;
	return (a->class > b->class) - (a->class < b->class);
}

/* Kinds of work by their time, then what is no work. */
static int kinds_of(const struct tl *t, double all, struct kind *out)
{
	const struct tl_inview *v = &t->inview;
	double sum = 0;
	int n = 0;

	for (int c = 0; c < CLASS_COUNT; c++) {
		bool always = !t->scene.rows.threads_only && !t->scene.rows.has_coarse && c <= CLASS_IO &&
		    *colors_label(&t->picture.colors, c);

		sum += v->class_ps[c];
		if (c != CLASS_WAIT && (always || v->class_ps[c] > all * NO_SHARE))
			out[n++] = (struct kind){ colors_label(&t->picture.colors, c), v->class_ps[c], c };
	}
	qsort(out, (size_t)n, sizeof *out, by_time);
	if (t->scene.rows.has_coarse) {
		sum += v->coarse_ps;
		out[n++] = (struct kind){ "ops of digests", v->coarse_ps, -1 };
	}
	if (!t->scene.rows.threads_only)
		out[n++] = (struct kind){ "idle (no op)", all > sum ? all - sum : 0, -1 };
	return n;
}

static void draw_legend(const struct tl *t, struct canvas *cv, struct rect r, int y, int end)
{
	static const int sample[] = { 2, 5, 7 };

	if (y + 2 < end && !cv->mono) {
		for (int i = 0; i < 3; i++)
			canvas_put(cv, y + 1, r.x + 4 + i, cv->glyphs->height[sample[i]], ROLE_TEXT, 0);
		canvas_str(cv, y + 1, r.x + 8, 36, ROLE_TEXT, 0, "share of the column that is busy");
		canvas_str(cv, y + 2, r.x + 4, 40, ROLE_TEXT, 0, colors_legend(&t->picture.colors, false));
	} else if (y + 2 < end) {
		canvas_str(cv, y + 1, r.x + 4, 40, ROLE_TEXT, 0, "M at least half busy  m less  . < 1/8");
		canvas_str(cv, y + 2, r.x + 4, 40, ROLE_TEXT, 0, colors_legend(&t->picture.colors, true));
	}
}

static char *number_in(char *buf, size_t size, double ps, enum time_unit unit)
{
	return units_time_in(buf, size, from_double(ps), unit, unit == UNIT_PS ? 0 : 3);
}

static void draw_kinds(struct tl *t, struct canvas *cv, struct rect r, int64_t span)
{
	const struct tl_inview *v = &t->inview;
	size_t cores = t->scene.rows.threads_only || !t->scene.rows.ndevice ? 1 : t->scene.rows.ndevice;
	double all = (double)span * (double)cores;
	enum time_unit unit = unit_for(span);
	struct kind kind[CLASS_COUNT + 2];
	int n = kinds_of(t, all, kind), y = r.y + 1, end = r.y + r.h, x = r.x, last = end - 1;
	char buf[48];

	canvas_str(cv, y, x + 4, 16, ROLE_TEXT, ATTR_UNDERLINE, "kind of time");
	canvas_right(cv, y, x + 28, ROLE_TEXT, ATTR_UNDERLINE,
	    t->scene.rows.threads_only ? "% of wall" : "share %");
	snprintf(buf, sizeof buf, t->scene.rows.threads_only ? "%s" : "%s/core",
	    unit_name(unit, scene_ascii(&t->scene)));
	canvas_right(cv, y++, x + 37, ROLE_TEXT, ATTR_UNDERLINE, buf);
	if (n > last - y && n > 1 && last > y) /* the idle row stays, kinds that took least go */
		kind[last - y - 1] = kind[n - 1];
	for (int i = 0; i < n && y < last; i++, y++) {
		if (kind[i].class >= 0)
			put_swatch(t, cv, y, x + 1, kind[i].class);
		canvas_str(cv, y, x + 4, 18, ROLE_TEXT, 0, kind[i].label);
		snprintf(buf, sizeof buf, "%.2f", 100 * kind[i].ps / all);
		canvas_right(cv, y, x + 28, ROLE_TEXT, 0, buf);
		canvas_right(cv, y, x + 37, ROLE_TEXT, 0,
		    number_in(buf, sizeof buf, kind[i].ps / (double)cores, unit));
	}
	if (!t->scene.rows.threads_only && y < last && v->has_host) {
		put_swatch(t, cv, y, x + 1, CLASS_HOST);
		canvas_str(cv, y, x + 4, 24, ROLE_TEXT, 0, "host work, % of wall");
		snprintf(buf, sizeof buf, "%.2f", 100 * v->host_ps / (double)span);
		canvas_right(cv, y++, x + 37, ROLE_TEXT, 0, buf);
	}
	if (y < last) {
		put_swatch(t, cv, y, x + 1, CLASS_WAIT);
		canvas_str(cv, y, x + 4, 30, ROLE_TEXT, 0, "wait (host, runtime)");
		if (t->scene.rows.threads_only)
			canvas_right(cv, y, x + 37, ROLE_TEXT, 0,
			    number_in(buf, sizeof buf, v->class_ps[CLASS_WAIT], unit));
		y++;
	}
	draw_legend(t, cv, r, y, last);
}

/* --- what is in view: by name --- */

void tl_inview_free(struct tl *t)
{
	struct tl_inview *v = &t->inview;

	if (v->has)
		window_free(&v->shown);
	if (v->working)
		window_free(&v->work);
	free(v->tracks);
	memset(v, 0, sizeof *v);
}

const struct window *tl_inview_window(const struct tl *t)
{
	return t->inview.has && t->inview.made == t->scene.changes.times ? &t->inview.shown : NULL;
}

/* What is summed up of times that are others now. */
static void forget_old(struct tl *t)
{
	if (t->inview.made != t->scene.changes.times)
		tl_inview_free(t);
	t->inview.made = t->scene.changes.times;
}

static void inview_begin(struct tl *t, int64_t t0, int64_t t1)
{
	struct tl_inview *v = &t->inview;

	if (v->working)
		window_free(&v->work);
	v->tracks = xrealloc(v->tracks, t->scene.rows.ndevice + 1, sizeof *v->tracks);
	if (t->scene.rows.ndevice)
		memcpy(v->tracks, t->scene.rows.device, t->scene.rows.ndevice * sizeof *v->tracks);
	window_begin(&v->work, t->scene.dump, v->tracks, t->scene.rows.ndevice, t0, t1, false);
	v->work.shift = scene_shifts(&t->scene);
	v->work_t0 = t0;
	v->work_t1 = t1;
	v->working = true;
}

bool tl_inview_step(struct tl *t, int budget_ms)
{
	struct tl_inview *v = &t->inview;
	int64_t t0, t1;

	forget_old(t);
	view_of(t, &t0, &t1);
	if (scene_pane(&t->scene) != PANE_VIEW || t->scene.lay.pane.h <= 0 || t->scene.cursor.full ||
	    (v->has && v->shown_t0 == t0 && v->shown_t1 == t1))
		return false;
	if (!v->working || v->work_t0 != t0 || v->work_t1 != t1)
		inview_begin(t, t0, t1);
	if (window_step(&v->work, budget_ms))
		return true;
	if (v->has)
		window_free(&v->shown);
	v->shown = v->work;
	v->shown_t0 = t0;
	v->shown_t1 = t1;
	v->has = true;
	v->working = false;
	t->scene.view->stale = true;
	return false;
}

/* Where they end; name: its width; 0 = not there. */
struct name_columns {
	int x, name, count, share, self, mean;
};

static struct name_columns name_columns(struct rect r)
{
	struct name_columns c = { .x = r.w >= 110 ? r.x + 46 : r.x + 40 };
	int end = r.x + r.w - (r.w >= 110 ? 7 : 4), left = end - c.x;

	if (r.w >= 110) {
		c.mean = end;
		end -= 14;
	}
	if (left >= 56) {
		c.self = end;
		end -= r.w >= 110 ? 13 : 11;
	}
	c.share = end;
	c.count = end - 9;
	c.name = c.count - (r.w >= 110 ? 9 : 6) - c.x;
	return c;
}

static void draw_name_row(struct tl *t, struct canvas *cv, int y, const struct name_columns *c,
    const struct window_name *w, double all, enum time_unit unit, enum role role)
{
	const struct strtab *str = &t->scene.dump->str;
	char buf[48];

	if (t->picture.colors.by == COLORS_BY_NAME) {
		int class =
		    w->class == CLASS_WAIT ? CLASS_WAIT : colors_name_class(&t->picture.colors, w->name);

		canvas_put(cv, y, c->x - 2,
		    cv->mono ? (uint32_t)colors_letter(&t->picture.colors, class) : ' ',
		    cv->mono ? ROLE_TEXT : (enum role)(ROLE_FILL_MATMUL + class), 0);
	}
	canvas_cut(cv, y, c->x, c->name, role, 0, strtab_str(str, w->name), strtab_len(str, w->name));
	snprintf(buf, sizeof buf, "%llu", (unsigned long long)w->count);
	canvas_right(cv, y, c->count, role, 0, buf);
	snprintf(buf, sizeof buf, "%.2f", 100 * (double)w->self / all);
	canvas_right(cv, y, c->share, role, 0, buf);
	if (c->self)
		canvas_right(cv, y, c->self, role, 0, number_in(buf, sizeof buf, (double)w->self, unit));
	if (c->mean)
		canvas_right(cv, y, c->mean, role, 0,
		    units_time(buf, sizeof buf, w->count ? w->total / (int64_t)w->count : 0,
			scene_ascii(&t->scene)));
}

/* Those that have no row of their own, as one. */
static void draw_more(struct canvas *cv, int y, const struct name_columns *c, const struct window *v,
    size_t from, double all, enum time_unit unit)
{
	uint64_t count = 0;
	double self = 0;
	char buf[48];

	for (size_t i = from; i < v->nnames; i++) {
		count += v->names[i].count;
		self += (double)v->names[i].self;
	}
	snprintf(buf, sizeof buf, "%zu more names", v->nnames - from);
	canvas_str(cv, y, c->x, c->name, ROLE_DIM, 0, buf);
	snprintf(buf, sizeof buf, "%llu", (unsigned long long)count);
	canvas_right(cv, y, c->count, ROLE_DIM, 0, buf);
	snprintf(buf, sizeof buf, "%.2f", 100 * self / all);
	canvas_right(cv, y, c->share, ROLE_DIM, 0, buf);
	if (c->self)
		canvas_right(cv, y, c->self, ROLE_DIM, 0, number_in(buf, sizeof buf, self, unit));
}

static void draw_names(struct tl *t, struct canvas *cv, struct rect r, int64_t span)
{
	const struct tl_inview *v = &t->inview;
	struct name_columns c = name_columns(r);
	double all = (double)span *
	    (double)(t->scene.rows.threads_only || !t->scene.rows.ndevice ? 1 : t->scene.rows.ndevice);
	enum time_unit unit = unit_for(span);
	int64_t t0, t1;
	size_t rows;
	int y = r.y + 1;
	char buf[32];

	if (c.name < 8)
		return;
	view_of(t, &t0, &t1);
	canvas_str(cv, y, c.x, c.name, ROLE_TEXT, ATTR_UNDERLINE, "longest by self time");
	canvas_right(cv, y, c.count, ROLE_TEXT, ATTR_UNDERLINE, "count");
	canvas_right(cv, y, c.share, ROLE_TEXT, ATTR_UNDERLINE, "share %");
	snprintf(buf, sizeof buf, "self %s", unit_name(unit, scene_ascii(&t->scene)));
	if (c.self)
		canvas_right(cv, y, c.self, ROLE_TEXT, ATTR_UNDERLINE, buf);
	if (c.mean)
		canvas_right(cv, y, c.mean, ROLE_TEXT, ATTR_UNDERLINE, "mean");
	if (!v->has) {
		canvas_glyph(cv, y + 1, c.x, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	rows = r.y + r.h - 2 - y > 0 ? (size_t)(r.y + r.h - 2 - y) : 0;
	if (rows > 1 && v->shown.nnames > rows) {
		rows--;
		draw_more(cv, y + 1 + (int)rows, &c, &v->shown, rows, all, unit);
	}
	for (size_t i = 0; i < v->shown.nnames && i < rows; i++)
		draw_name_row(t, cv, ++y, &c, &v->shown.names[i], all, unit,
		    v->shown_t0 == t0 && v->shown_t1 == t1 ? ROLE_TEXT : ROLE_DIM);
}

void tl_draw_inview(struct tl *t, struct canvas *cv, struct rect r)
{
	char left[96], right[96], time[40];
	const char *of_all = t->scene.filtered ? ", filter not applied" : "";
	int64_t span = viewport_span(&t->scene.port);
	size_t n = t->scene.rows.ndevice;

	forget_old(t);
	sum_classes(t);
	snprintf(left, sizeof left, "in view: %s%s",
	    t->scene.port.whole ? "whole run" : units_time(time, sizeof time, span, scene_ascii(&t->scene)),
	    of_all);
	if (t->scene.rows.threads_only)
		snprintf(right, sizeof right, "time of %zu %s", n, n == 1 ? "thread" : "threads");
	else
		snprintf(right, sizeof right, "device time of %zu %s: %s", n, n == 1 ? "core" : "cores",
		    units_time_short(time, sizeof time,
			span > TRACE_TIME_MAX / (int64_t)(n + 1) ? TRACE_TIME_MAX : span * (int64_t)n,
			scene_ascii(&t->scene)));
	scene_pane_title(&t->scene, cv, r, left, strlen(left), right);
	draw_kinds(t, cv, r, span);
	draw_names(t, cv, r, span);
}
