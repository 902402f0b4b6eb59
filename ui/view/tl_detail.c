#include "config.h"

#include "view/tl.h"
#include "view/tl_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/classify.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"

#define NA "\xe2\x80\x93"
#define LABEL 11			/* columns of a label and its gap */
#define TIME 10				/* columns of a time: "967.039 µs" */
#define SHORT_TIME 8			/* "967.0 µs" */
#define BAR 8				/* columns of a share of the peak: eighths tell 1.6 % apart */
#define MOST 10				/* times its peak: no rate at all */
#define NUMBER 8				/* columns of a time without its unit */
#define WIDE 100			/* columns: from here on two halves */
#define ROOMY 12			/* rows: from here on there are empty ones */
#define ITEM_GAP 2			/* columns between items of a line */
#define ALL_AT_ONCE 1000000		/* events: up to here all occurrences of an op are looked up before it is shown */

/* --- making --- */

void tl_detail_free(struct tl *t)
{
	if (t->has_detail)
		detail_free(&t->detail);
	t->has_detail = false;
}

static void detail_make(struct tl *t)
{
	struct detail old = { 0 };
	bool same;

	if (t->has_detail && t->detail_track == t->sel_track && t->detail_event == t->sel_event)
		return;
	same = t->has_detail && t->all_done && t->detail_track == t->sel_track &&
	    tl_track(t, t->sel_track)->meta[t->detail_event] == tl_track(t, t->sel_track)->meta[t->sel_event];
	if (same)
		old = t->detail;	/* numbers alone are taken from it */
	tl_detail_free(t);
	detail_of(t->dump, &t->view->app->steps, t->sel_track, t->sel_event, &t->detail);
	t->detail_track = t->sel_track;
	t->detail_event = t->sel_event;
	t->has_detail = true;
	t->all_done = same || tl_track(t, t->sel_track)->role != TRACK_OPS;
	if (same) {
		t->detail.all_count = old.all_count;
		t->detail.all_min = old.all_min;
		t->detail.all_mean = old.all_mean;
		t->detail.all_max = old.all_max;
	} else if (!t->all_done && t->dump->trace.events <= ALL_AT_ONCE) {
		detail_all(t->dump, &t->detail);
		t->all_done = true;
	}
}

bool tl_detail_step(struct tl *t)
{
	if (!t->selected || (!t->full && (t->lay.pane.h <= 0 || tl_pane_kind(t) != TL_PANE_EVENT)))
		return false;
	detail_make(t);
	if (!t->all_done) {
		detail_all(t->dump, &t->detail);
		t->all_done = true;
		t->view->stale = true;
	}
	return false;
}

/* --- pieces of text --- */

static bool known(double v)
{
	return isfinite(v) && v > 0;
}

/* A long name that says more than the short one. */
static bool has_full(const struct detail *d)
{
	return d->full && *d->full && (!d->name || strcmp(d->full, d->name));
}

static const char *memory_label(const struct detail *d)
{
	return d->hbm_estimated ? "memory" : "HBM";
}

static const char *category_of(const struct tl *t)
{
	const struct track *k = tl_track(t, t->sel_track);
	int class = META_CLASS(t->dump->trace.meta_class[k->meta[t->sel_event]]);

	if (t->detail.category && *t->detail.category)
		return t->detail.category;
	return class < CLASS_COUNT ? class_label[class] : "";
}

/* The step it begins in, as the rows show it. */
static void step_text(const struct tl *t, char *buf, size_t size)
{
	const struct detail *d = &t->detail;
	uint32_t node = t->sel_track < t->rows.ntracks ? t->rows.node_of[t->sel_track] : TL_NONE;
	uint32_t track = node != TL_NONE ? tl_steps_track(t, &t->rows.v[node]) : TL_NONE;
	char name[80];
	size_t event;

	*buf = '\0';
	if (track == TL_NONE || track == t->sel_track ||
	    !tl_event_at(t, (struct tl_source){ track, 0, 1 }, d->start, &event) ||
	    !tl_track(t, track)->dur[event])
		return;
	tl_step_name(t, track, event, name, sizeof name);
	snprintf(
	    buf, size, "%5.2f %% of %s", 100 * (double)d->dur / (double)tl_track(t, track)->dur[event], name);
}

/* "104.1" and "TFLOP/s". */
static void split_si(double v, const char *unit, char *number, char *rest, size_t size)
{
	char *blank;

	units_si(number, size, v, unit);
	blank = strchr(number, ' ');
	snprintf(rest, size, "%s", blank ? blank + 1 : "");
	if (blank)
		*blank = '\0';
}

/* "52.8 % of 197 T"; ~ marks a peak that the capture does not state. */
static void peak_text(
    const struct detail *d, double rate, double peak, const char *unit, char *buf, size_t size)
{
	char of[24], of_prefix[24], percent[24] = NA;

	split_si(peak, unit, of, of_prefix, sizeof of);
	if (strchr(of, '.')) {
		size_t n = strlen(of);

		while (of[n - 1] == '0')
			of[--n] = '\0';
		if (of[n - 1] == '.')
			of[n - 1] = '\0';
	}
	if (known(rate))
		units_percent(percent, sizeof percent, rate / peak);
	snprintf(buf, size, "%s %% of %s%s", percent, d->peak_assumed ? "~" : "", of);
	if (strlen(of_prefix) > strlen(unit))
		snprintf(buf + strlen(buf), size - strlen(buf), " %c", *of_prefix);
}

static void draw_peak_bar(struct canvas *cv, int y, int x, int w, double share)
{
	int eighths = share >= 1 ? w * 8 : share > 0 ? (int)(share * w * 8 + 0.5) : 0;
	const struct glyphs *g = cv->glyphs;

	if (w < 4)
		return;
	if (g->ascii)
		canvas_put(cv, y, x - 1, '[', ROLE_TEXT, 0);
	for (int i = 0; i < w; i++, eighths -= 8) {
		if (g->ascii)
			canvas_put(cv, y, x + i, eighths >= 4 ? '#' : '.', ROLE_TEXT, 0);
		else if (eighths > 0)
			canvas_put(cv, y, x + i, g->left[eighths > 8 ? 8 : eighths], ROLE_TEXT, 0);
	}
	if (g->ascii)
		canvas_put(cv, y, x + w, ']', ROLE_TEXT, 0);
	else
		canvas_glyph(cv, y, x + w, GLYPH_EDGE, ROLE_TEXT, 0);
}

/* Columns of numbers: label, end of the number … end of the percentage.  fixed: a line is there for every op,
 * its words always at the same places, so that from op to op numbers alone change. */
struct at { int x, number, unit, bar, bar_w, percent; bool fixed; };

/* "104.1 TFLOP/s"; what it is measured in keeps its place behind the letter. */
static void put_si(struct canvas *cv, int y, const struct at *at, double v, const char *unit)
{
	char number[48] = NA, rest[48] = "";
	size_t n;

	if (known(v))
		split_si(v, unit, number, rest, sizeof number);
	n = strlen(rest) > strlen(unit) ? strlen(rest) - strlen(unit) : 0;
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, number);
	canvas_text(cv, y, at->unit, 1, ROLE_TEXT, 0, rest, n);
	canvas_str(cv, y, at->unit + 1, 7, ROLE_TEXT, 0, unit);
}

static int rate_line(const struct detail *d, struct canvas *cv, int y, const struct at *at, const char *label,
    double rate, double peak, const char *unit)
{
	char text[96];
	const char *sign;
	int x = at->percent;

	if (!known(rate) && !at->fixed)
		return 0;
	if (known(peak) && rate >= MOST * peak)		/* what it began goes on after it */
		rate = 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, label);
	put_si(cv, y, at, rate, unit);
	if (!known(peak))
		return 1;
	draw_peak_bar(cv, y, at->bar, at->bar_w, known(rate) ? rate / peak : 0);
	peak_text(d, rate, peak, unit, text, sizeof text);
	sign = strchr(text, ' ');
	x -= sign ? utf8_cols(text, (size_t)(sign - text)) : 0;
	canvas_str(cv, y, x, cv->cols - x, ROLE_TEXT, 0, text);
	return 1;
}

/* At most `lines` lines; returns how many were used. */
static int draw_wrapped(struct canvas *cv, int y, int x, int w, int lines, const char *s)
{
	size_t len = strlen(s);
	int n = 0;

	for (; len && n < lines; n++) {
		size_t part = tl_wrap(s, len, w);

		if (n == lines - 1 && part < len) {
			part = utf8_fit(s, len, w - 1);
			canvas_glyph(cv, y + n, x + canvas_text(cv, y + n, x, w - 1, ROLE_TEXT, 0, s, part),
			    GLYPH_ELLIPSIS, ROLE_TEXT, 0);
			return n + 1;
		}
		canvas_text(cv, y + n, x, w, ROLE_TEXT, 0, s, part);
		while (part < len && s[part] == ' ')
			part++;
		s += part;
		len -= part;
	}
	return n;
}

/* --- the pane --- */

static const char *name_of(const struct detail *d)
{
	return d->name ? d->name : "event";
}

static void draw_title(struct tl *t, struct canvas *cv, struct rect r, bool named)
{
	const struct detail *d = &t->detail;
	uint32_t node = t->sel_track < t->rows.ntracks ? t->rows.node_of[t->sel_track] : TL_NONE;
	const struct tl_node *section = node != TL_NONE ? &t->rows.v[node] : NULL;
	char right[96] = "", a[32], b[32], *left;

	while (section && section->parent != TL_NONE && section->kind != TL_DEVICE && section->kind != TL_THREADS)
		section = &t->rows.v[section->parent];
	left = xasprintf("%.*s%s%s%s%s", section ? (int)section->len : 0, section ? section->name : "",
	    section && d->track_name ? " " : "", d->track_name ? d->track_name : "", named ? ": " : "",
	    named ? name_of(d) : "");
	if (d->occurrences)
		snprintf(right, sizeof right, "occurrence %s of %s on this track",
		    units_count(a, sizeof a, d->nth), units_count(b, sizeof b, d->occurrences));
	tl_pane_title(t, cv, r, left, strlen(left), right);
	free(left);
}

static void field(struct canvas *cv, int y, int x, int w, const char *label, const char *value)
{
	size_t len = strlen(value);

	if (len && value[len - 1] == ':')		/* an op path without a type behind it */
		len--;
	canvas_str(cv, y, x, LABEL - 1, ROLE_TEXT, 0, label);
	canvas_cut(cv, y, x + LABEL - 1, w - LABEL + 1, ROLE_TEXT, 0, value, len);
}

/* Ops of a chip: its peaks are known. */
static bool has_places(const struct tl *t)
{
	return tl_track(t, t->sel_track)->role == TRACK_OPS && known(t->detail.peak_flops);
}

/* Steps, modules, scopes and the like: no kind of work, nothing inside to take off. */
static bool is_frame(const struct tl *t)
{
	enum track_role role = tl_track(t, t->sel_track)->role;

	return role == TRACK_STEPS || role == TRACK_MODULES || role == TRACK_SCOPE || role == TRACK_FRAMEWORK || role == TRACK_SOURCE;
}

/* On the screen. */
static int64_t start_of(const struct tl *t)
{
	return t->detail.start + tl_align_shift(t, tl_track(t, t->sel_track)->plane);
}

static void draw_times(struct tl *t, struct canvas *cv, int y, int x, int w)
{
	const struct detail *d = &t->detail;
	bool ascii = tl_ascii(t), frame = is_frame(t);
	char buf[160];

	if (has_places(t))		/* in the title it would move the line behind it */
		field(cv, y++, x, w, "name", name_of(d));
	if (!frame)
		field(cv, y++, x, w, "category", category_of(t));
	field(cv, y++, x, w, "start", units_time_exact(buf, sizeof buf, start_of(t), ascii));
	field(cv, y++, x, w, "end", units_time_exact(buf, sizeof buf, start_of(t) + d->dur, ascii));
	canvas_str(cv, y, x, LABEL - 1, ROLE_TEXT, 0, "duration");
	canvas_right(cv, y++, x + LABEL - 1 + TIME, ROLE_TEXT, 0, units_time(buf, sizeof buf, d->dur, ascii));
	if (!frame) {
		canvas_str(cv, y, x, LABEL - 1, ROLE_TEXT, 0, "self");
		canvas_right(cv, y++, x + LABEL - 1 + TIME, ROLE_TEXT, 0,
		    d->self == d->dur ? "= duration" : units_time(buf, sizeof buf, d->self, ascii));
	}
	step_text(t, buf, sizeof buf);
	if (*buf)
		field(cv, y, x, w, "in step", buf);
}

static int intensity_line(const struct detail *d, struct canvas *cv, int y, const struct at *at)
{
	char buf[96] = NA;
	bool has = known(d->intensity);

	if (!has && !at->fixed)
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "intensity");
	if (has)
		snprintf(buf, sizeof buf, "%.1f", d->intensity);
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, buf);
	canvas_str(cv, y, at->unit + 1, 7, ROLE_TEXT, 0, "FLOP/B");
	if (known(d->ridge)) {
		snprintf(buf, sizeof buf, "ridge %.1f%s", d->ridge,
		    !has ? "" : d->intensity >= d->ridge ? ": compute" : ": memory");
		canvas_str(cv, y, at->bar, cv->cols - at->bar, ROLE_TEXT, 0, buf);
	}
	return 1;
}

/* A label and its value, which ends at column `width`, or nothing when that does not fit; returns where the next one begins. */
static int item(struct canvas *cv, int y, int x, int width, const char *label, const char *value)
{
	const struct rect clip = cv->clip;

	if (x + width >= clip.x + clip.w)
		return clip.x + clip.w;
	canvas_str(cv, y, x, width, ROLE_TEXT, 0, label);
	canvas_right(cv, y, x + width, ROLE_TEXT, 0, value);
	return x + width + ITEM_GAP;
}

static int work_line(const struct detail *d, struct canvas *cv, int y, const struct at *at)
{
	double hbm = d->hbm_bytes > 0 ? d->hbm_bytes : d->bytes;
	char buf[48];
	int x = at->bar;

	if (!known(d->flops) && !known(hbm) && !at->fixed)
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "work");
	if (known(d->flops) || at->fixed)
		put_si(cv, y, at, d->flops, "FLOP");
	if (known(hbm) || at->fixed)
		x = item(cv, y, x, 17, memory_label(d), known(hbm) ? units_bytes(buf, sizeof buf, hbm) : NA);
	if (known(d->vmem_bytes) || at->fixed)
		item(cv, y, x, 15, "VMEM", known(d->vmem_bytes) ? units_bytes(buf, sizeof buf, d->vmem_bytes) : NA);
	return 1;
}

static int all_line(const struct tl *t, struct canvas *cv, int y, const struct at *at)
{
	const struct detail *d = &t->detail;
	enum time_unit unit = unit_for(d->all_mean);
	int64_t time[] = { d->all_min, d->all_mean, d->all_max }, whole = d->all_mean / unit_ps[unit];
	static const char *const label[] = { "", "min", "min mean", "min mean max" };
	int decimals = unit == UNIT_PS || whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3,
	    n = 3, end = cv->clip.x + cv->clip.w - 3;
	char buf[40];

	if (tl_track(t, t->sel_track)->role != TRACK_OPS)
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "all cores");
	if (!d->all_count)		/* not counted yet */
		return 1;
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, units_count(buf, sizeof buf, d->all_count));
	canvas_glyph(cv, y, at->unit, GLYPH_TIMES, ROLE_TEXT, 0);
	while (n > 1 && at->bar + n * (4 + NUMBER) > end)
		n--;
	canvas_str(cv, y, at->bar, 4 * n, ROLE_TEXT, 0, label[n]);
	for (int i = 0; i < n; i++) {
		units_time_in(buf, sizeof buf, time[i], unit, decimals);
		canvas_right(cv, y, at->bar + 4 * n + NUMBER * (i + 1), ROLE_TEXT, 0, buf);
	}
	canvas_str(cv, y, at->bar + n * (4 + NUMBER) + 1, 2, ROLE_TEXT, 0, unit_name(unit, tl_ascii(t)));
	return 1;
}

/* Its name, cut to what its time leaves; that ends where the piece ends. */
static void neighbour(struct canvas *cv, int y, int x, int w, const char *name, int64_t dur, bool ascii)
{
	char time[40];
	int time_w;

	tl_short_time(time, sizeof time, dur, ascii);
	time_w = utf8_cols(time, strlen(time));
	if (w > SHORT_TIME + 6)
		canvas_cut(cv, y, x, w - (time_w > SHORT_TIME ? time_w : SHORT_TIME) - 1, ROLE_TEXT, 0, name, strlen(name));
	canvas_right(cv, y, x + w, ROLE_TEXT, 0, time);
}

static int neighbours_line(const struct tl *t, struct canvas *cv, int y, const struct at *at, int end)
{
	const struct detail *d = &t->detail;
	int x = at->x, half = d->before || at->fixed ? (end - x - LABEL + 9) / 2 : 0, label = half ? 7 : LABEL - 1;

	if (!d->before && !d->after && !at->fixed)
		return 0;
	if (half) {
		canvas_str(cv, y, x, LABEL, ROLE_TEXT, 0, "before");
		if (d->before)
			neighbour(cv, y, x + LABEL - 1, half - LABEL - 1, d->before, d->before_dur, tl_ascii(t));
	}
	if (d->after || at->fixed)
		canvas_str(cv, y, x + half, label, ROLE_TEXT, 0, "after");
	if (d->after)
		neighbour(cv, y, x + half + label, end - x - half - label, d->after, d->after_dur, tl_ascii(t));
	return 1;
}

/* Where its flows go and come from, once arrows are known. */
static int flow_line(struct tl *t, struct canvas *cv, int y, int x, int w)
{
	char text[480];

	if (!t->flow.known)
		return 0;
	tl_flow_text(t, t->sel_track, t->sel_event, text, sizeof text);
	if (*text)
		field(cv, y, x, w, "flow", text);
	return *text != '\0';
}

/* Stats that the lines above have said already. */
static bool said(const char *name)
{
	static const char *const names[] = {
		"flops", "model_flops", "bytes_accessed", "raw_bytes_accessed", "memory_access_breakdown",
		"hlo_category", "tf_op", "source", "source_stack", "device_offset_ps",
		"device_duration_ps", "hlo_text", "long_name",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* The file's own times, where they are those shown. */
static bool shown_time(const struct detail *d, const struct detail_stat *s)
{
	int64_t ps = !strcmp(s->name, "offset_ps") ? d->start : !strcmp(s->name, "duration_ps") ? d->dur : -1;
	char buf[32];

	snprintf(buf, sizeof buf, "%lld", (long long)ps);
	return ps >= 0 && !strcmp(buf, s->value);
}

/* The next stat worth a line. */
static const struct detail_stat *next_stat(const struct detail *d, size_t *i)
{
	while (*i < d->nstats) {
		const struct detail_stat *s = &d->stats[(*i)++];

		if (!said(s->name) && !shown_time(d, s) && (!d->name || strcmp(s->value, d->name)))
			return s;
	}
	return NULL;
}

static void stat_line(struct canvas *cv, int y, int x, int w, const struct detail_stat *s)
{
	int used = canvas_cut(cv, y, x, w / 2, ROLE_DIM, 0, s->name, strlen(s->name)) + 2;

	used = used < LABEL - 1 ? LABEL - 1 : used;
	canvas_cut(cv, y, x + used, w - used, ROLE_TEXT, 0, s->value, strlen(s->value));
}

static int draw_op(struct tl *t, struct canvas *cv, int y, int end, struct rect r, bool fixed)
{
	const struct detail *d = &t->detail;
	int x = r.x + 1, source_x = r.x + r.w * 2 / 3 - 1, w = d->source ? source_x - x - 2 : r.w - 2;

	if ((d->op_path || fixed) && y < end)
		field(cv, y, x, w, "op", d->op_path ? d->op_path : NA);
	if ((d->source || fixed) && y < end) {
		const char *source = d->source ? tl_short_path(d->source) : NA;
		int at = d->op_path || fixed ? source_x : x;

		canvas_str(cv, y, at, 7, ROLE_TEXT, 0, "source");
		canvas_cut(cv, y, at + 7, r.x + r.w - at - 8, ROLE_TEXT, 0, source, strlen(source));
	}
	if (d->op_path || d->source || fixed)
		y++;
	if (has_full(d) && y < end) {
		char *text = tl_short_hlo(d->full);
		bool is_hlo = *d->full == '%', wide = r.w >= WIDE;
		int rows = is_hlo && wide ? 1 : is_hlo ? 2 : 3;

		canvas_str(cv, y, x, LABEL, ROLE_TEXT, 0, is_hlo ? "HLO" : "full name");
		y += draw_wrapped(cv, y, x + LABEL - 1, is_hlo && wide ? source_x - x - LABEL - 1 : r.w - LABEL - 1,
		    rows < end - y ? rows : end - y, text);
		free(text);
	}
	return y;
}

/* Stats on what room is left; those of an op with its HLO text say the same again, or are numbers inside the compiler. */
static void draw_stats(struct tl *t, struct canvas *cv, int y, int end, struct rect r, int x, size_t i)
{
	const struct detail *d = &t->detail;
	const struct detail_stat *s;

	for (; y < end && (s = next_stat(d, &i)); y++) {
		stat_line(cv, y, r.x + 1, x - r.x - 3, s);
		if ((s = next_stat(d, &i)))
			stat_line(cv, y, x, r.x + r.w - x - 1, s);
	}
}

static void draw_wide(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct detail *d = &t->detail;
	const struct detail_stat *s;
	int y = r.y + 1, x = r.x + r.w * 5 / 12, end = r.y + r.h - (r.h > 10), bar_w = r.x + r.w - x - 52,
	    right = y;
	struct at at = { x, x + 18, x + 19, x + 29, bar_w > BAR ? BAR : bar_w, 0, has_places(t) };
	size_t i = 0;

	at.percent = at.bar + at.bar_w + 8;
	draw_times(t, cv, y, r.x + 1, x - r.x - 3);
	right += rate_line(d, cv, right, &at, "compute", d->flop_rate, d->peak_flops, "FLOP/s");
	right += rate_line(d, cv, right, &at, memory_label(d), d->hbm_rate, d->peak_hbm, "B/s");
	right += intensity_line(d, cv, right, &at);
	right += work_line(d, cv, right, &at);
	right += all_line(t, cv, right, &at);
	right += neighbours_line(t, cv, right, &at, r.x + r.w - 1);
	if (right < end)
		right += flow_line(t, cv, right, x, r.x + r.w - x - 1);
	while (!at.fixed && right < y + 6 && right < end && (s = next_stat(d, &i)))
		stat_line(cv, right++, x, r.x + r.w - x - 1, s);
	y = draw_op(t, cv, y + 7 + (r.h >= ROOMY), end, r, at.fixed);
	if (!at.fixed || !has_full(d))
		draw_stats(t, cv, y, end, r, x, i);
}

static void draw_narrow(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct detail *d = &t->detail;
	const struct detail_stat *s;
	int y = r.y + 1, end = r.y + r.h - (r.h > 7), bar_w = r.w - 64, x = r.x + 1;
	struct at at = { x, r.x + 17, r.x + 18, r.x + 29, bar_w < 0 ? 0 : bar_w > BAR ? BAR : bar_w, 0, has_places(t) };
	char a[48], b[48], c[48];
	size_t i = 0;

	units_time(b, sizeof b, d->self, tl_ascii(t));
	units_time_exact(c, sizeof c, start_of(t), tl_ascii(t));
	at.percent = at.bar + at.bar_w + 10;
	canvas_cut(cv, y, x, 21, ROLE_TEXT, 0, category_of(t), strlen(category_of(t)));
	canvas_right(cv, y, r.x + 34, ROLE_TEXT, 0, units_time(a, sizeof a, d->dur, tl_ascii(t)));
	canvas_fmt(cv, y, r.x + 38, r.w - 39, ROLE_TEXT, 0, "self %*s    start %s",
	    TIME + (int)(strlen(b) - (size_t)utf8_cols(b, strlen(b))), b, c);
	y++;
	if (y < end)
		y += rate_line(d, cv, y, &at, "compute", d->flop_rate, d->peak_flops, "FLOP/s");
	if (y < end)
		y += rate_line(d, cv, y, &at, memory_label(d), d->hbm_rate, d->peak_hbm, "B/s");
	y = draw_op(t, cv, y, end, r, at.fixed);
	if (y < end)
		y += flow_line(t, cv, y, x, r.w - 2);
	for (; (!at.fixed || !has_full(d)) && y < end && (s = next_stat(d, &i)); y++)
		stat_line(cv, y, x, r.w - 2, s);
}

void tl_draw_detail(struct tl *t, struct canvas *cv, struct rect r)
{
	struct rect old = canvas_clip(cv, r);

	detail_make(t);
	draw_title(t, cv, r, r.w < WIDE || !has_places(t));
	if (r.w >= WIDE)
		draw_wide(t, cv, r);
	else
		draw_narrow(t, cv, r);
	canvas_clip(cv, old);
}

/* --- the whole screen: everything, scrolled --- */

struct page {
	struct canvas *cv;
	struct rect r;
	int line;			/* of the next text, 0 on top of the rectangle */
	FILE *out;			/* not NULL: text goes there, whole, and no cells are drawn */
};

/* Lines of a text stand below each other. */
static void page_write(FILE *out, const char *label, const char *text)
{
	do {
		size_t n = strcspn(text, "\n");

		fprintf(out, "%-16s  %.*s\n", label, (int)n, text);
		label = "";
		text += n;
		text += *text == '\n';
	} while (*text);
}

/* A label and its text, line by line; newlines begin a line. */
static void page_add(struct page *p, const char *label, const char *text, unsigned attr)
{
	int x = p->r.x + 18, w = p->r.w - 19;
	size_t len = strlen(text);

	if (p->out) {
		page_write(p->out, label, text);
		return;
	}
	if (p->line >= 0 && p->line < p->r.h)
		canvas_cut(p->cv, p->r.y + p->line, p->r.x + 1, 16, ROLE_DIM, 0, label, strlen(label));
	do {
		size_t line = strcspn(text, "\n"), part = tl_wrap(text, line, w < 1 ? 1 : w);

		if (p->line >= 0 && p->line < p->r.h)
			canvas_text(p->cv, p->r.y + p->line, x, w, ROLE_TEXT, attr, text, part);
		p->line++;
		while (part < line && text[part] == ' ')
			part++;
		part += part < len && text[part] == '\n';
		text += part;
		len -= part;
	} while (len);
}

static void page_blank(struct page *p)
{
	p->line++;
	if (p->out)
		putc('\n', p->out);
}

static void page_text(struct page *p, const char *label, const char *text)
{
	if (text && *text)
		page_add(p, label, text, 0);
}

static void page_time(struct page *p, const char *label, int64_t ps, bool ascii, unsigned attr)
{
	char buf[64];

	page_add(p, label, units_time_exact(buf, sizeof buf, ps, ascii), attr);
}

static void page_rates(struct page *p, const struct detail *d)
{
	char buf[256], a[64], b[96];

	if (known(d->flop_rate)) {
		peak_text(d, d->flop_rate, d->peak_flops, "FLOP/s", b, sizeof b);
		snprintf(buf, sizeof buf, "%s%s%s", units_si(a, sizeof a, d->flop_rate, "FLOP/s"),
		    known(d->peak_flops) ? ", " : "", known(d->peak_flops) ? b : "");
		page_add(p, "compute", buf, 0);
	}
	if (known(d->hbm_rate)) {
		peak_text(d, d->hbm_rate, d->peak_hbm, "B/s", b, sizeof b);
		snprintf(buf, sizeof buf, "%s%s%s", units_si(a, sizeof a, d->hbm_rate, "B/s"),
		    known(d->peak_hbm) ? ", " : "", known(d->peak_hbm) ? b : "");
		page_add(p, memory_label(d), buf, 0);
	}
	if (known(d->intensity)) {
		snprintf(buf, sizeof buf, "%.1f FLOP/B", d->intensity);
		if (known(d->ridge))
			snprintf(buf + strlen(buf), sizeof buf - strlen(buf), ", ridge %.1f: %s bound",
			    d->ridge, d->intensity >= d->ridge ? "compute" : "memory");
		page_add(p, "intensity", buf, 0);
	}
	if (d->peak_assumed && (known(d->flop_rate) || known(d->hbm_rate)))
		page_add(p, "peaks", "not in the capture: those of the device's type", 0);
	if (known(d->flops))
		page_add(p, "work", units_si(buf, sizeof buf, d->flops, "FLOP"), 0);
	if (known(d->bytes))
		page_add(p, "all memory", units_bytes(buf, sizeof buf, d->bytes), 0);
	if (known(d->hbm_bytes))
		page_add(p, "HBM", units_bytes(buf, sizeof buf, d->hbm_bytes), 0);
	if (known(d->vmem_bytes))
		page_add(p, "VMEM", units_bytes(buf, sizeof buf, d->vmem_bytes), 0);
}

static void page_around(struct page *p, const struct detail *d, bool ascii)
{
	char buf[512], a[64], b[64], c[64], n[32];

	if (d->all_count) {
		snprintf(buf, sizeof buf, "%s events: min %s, mean %s, max %s",
		    units_count(n, sizeof n, d->all_count), units_time(a, sizeof a, d->all_min, ascii),
		    units_time(b, sizeof b, d->all_mean, ascii), units_time(c, sizeof c, d->all_max, ascii));
		page_add(p, "all cores", buf, 0);
	}
	if (d->before) {
		snprintf(
		    buf, sizeof buf, "%.400s, %s", d->before, units_time(a, sizeof a, d->before_dur, ascii));
		page_add(p, "before", buf, 0);
	}
	if (d->after) {
		snprintf(
		    buf, sizeof buf, "%.400s, %s", d->after, units_time(a, sizeof a, d->after_dur, ascii));
		page_add(p, "after", buf, 0);
	}
}

static void page_flows(struct tl *t, struct page *p)
{
	char text[320];
	int dir, before = 0;

	if (!tl_want_links(t))
		page_add(p, "flows", "being looked for", 0);
	for (size_t i = 0; t->flow.known && tl_flow_nth(t, t->sel_track, t->sel_event, i, &dir, text, sizeof text); i++) {
		page_add(p, dir == before ? "" : dir > 0 ? "flows" : "caused by", text, 0);
		before = dir;
	}
}

static void page_all(struct tl *t, struct page *p)
{
	const struct detail *d = &t->detail;
	bool ascii = tl_ascii(t);
	char buf[256];

	page_text(p, "host", d->host_name);
	page_text(p, "plane", d->plane_name);
	page_text(p, "track", d->track_name);
	page_text(p, "category", category_of(t));
	page_time(p, "start", start_of(t), ascii, 0);
	page_time(p, "end", start_of(t) + d->dur, ascii, 0);
	page_time(p, "duration", d->dur, ascii, ATTR_BOLD);
	page_time(p, "self", d->self, ascii, 0);
	step_text(t, buf, sizeof buf);
	page_text(p, "in step", buf);
	page_rates(p, d);
	page_around(p, d, ascii);
	page_flows(t, p);
	page_text(p, "op", d->op_path);
	page_text(p, "source", d->source);
	page_text(p, "source stack", d->source_stack);
	if (d->nstats)
		page_blank(p);
	for (size_t i = 0; i < d->nstats; i++)
		page_add(p, d->stats[i].name, d->stats[i].value, 0);
	if (has_full(d)) {
		page_blank(p);
		page_add(p, *d->full == '%' ? "HLO" : "full name", d->full, 0);
	}
}

void tl_draw_full(struct tl *t, struct canvas *cv)
{
	struct rect r = t->lay.area, old = canvas_clip(cv, r);
	struct page p = { .cv = cv };

	detail_make(t);
	draw_title(t, cv, r, true);
	r.y++;
	r.h--;
	canvas_clip(cv, r);
	p.r = r;
	p.line = -t->full_top;
	page_all(t, &p);
	t->full_lines = p.line + t->full_top;
	canvas_clip(cv, old);
}

void tl_detail_text(struct tl *t, FILE *out)
{
	struct page p = { .out = out };

	detail_make(t);
	page_text(&p, "name", t->detail.name);
	page_all(t, &p);
}
