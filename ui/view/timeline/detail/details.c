#include "config.h"

#include "view/timeline/detail/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/text.h"

#define TIME 10             /* columns of a time: "967.039 µs" */
#define BAR 8               /* columns of a share of the peak; an eighth is 1.6 % */
#define WIDE 100            /* columns from which there are two halves */
#define ROOMY 12            /* rows from which there are empty rows */
#define ALL_AT_ONCE 1000000 /* events up to which all occurrences of an op are counted at once */

/* --- making --- */

void details_free(struct details *v)
{
	if (v->has)
		detail_free(&v->d);
	v->has = false;
}

void details_make(struct details *v)
{
	struct detail old = { 0 };
	bool same;

	if (v->has && v->track == v->sc->cursor.track && v->event == v->sc->cursor.event)
		return;
	same = v->has && v->all_done && v->track == v->sc->cursor.track &&
	    track_meta(scene_track(v->sc, v->sc->cursor.track), v->event) ==
		track_meta(scene_track(v->sc, v->sc->cursor.track), v->sc->cursor.event);
	if (same)
		old = v->d; /* only numbers are taken from it */
	details_free(v);
	detail_of(v->sc->cap->dump, &v->sc->view->cap->steps, v->sc->cursor.track, v->sc->cursor.event,
	    &v->d);
	v->track = v->sc->cursor.track;
	v->event = v->sc->cursor.event;
	v->has = true;
	v->all_done = same || scene_track(v->sc, v->sc->cursor.track)->role != TRACK_OPS;
	if (same) {
		v->d.all_count = old.all_count;
		v->d.all_min = old.all_min;
		v->d.all_mean = old.all_mean;
		v->d.all_max = old.all_max;
	} else if (!v->all_done && v->sc->cap->dump->trace.events <= ALL_AT_ONCE) {
		detail_all(v->sc->cap->dump, &v->d);
		v->all_done = true;
	}
}

bool details_step(struct details *v)
{
	if (!v->sc->cursor.selected ||
	    (!v->sc->cursor.full && (v->sc->lay.pane.h <= 0 || scene_pane(v->sc) != PANE_EVENT)))
		return false;
	details_make(v);
	if (!v->all_done) {
		detail_all(v->sc->cap->dump, &v->d);
		v->all_done = true;
		v->sc->view->stale = true;
	}
	return false;
}

/* --- parts of the text --- */

/* Is there a long name that adds to the short one? */
bool details_has_full(const struct detail *d)
{
	return d->full && *d->full && (!d->name || strcmp(d->full, d->name));
}

const char *details_compute(const struct detail *d)
{
	return d->flops_of_model ? "model" : "compute";
}

const char *details_memory(const struct detail *d)
{
	return d->hbm_estimated ? "memory" : "HBM";
}

const char *details_category(const struct details *v)
{
	const struct track *k = scene_track(v->sc, v->sc->cursor.track);
	int class = META_CLASS(v->sc->cap->dump->trace.meta_class[track_meta(k, v->sc->cursor.event)]);

	if (v->d.category && *v->d.category)
		return v->d.category;
	return class < CLASS_COUNT ? class_info(class)->name : "";
}

/* The step that the event begins in, as the rows call it. */
void details_step_text(const struct details *v, char *buf, size_t size)
{
	const struct detail *d = &v->d;
	uint32_t node =
	    v->sc->cursor.track < v->sc->rows.ntracks ? v->sc->rows.node_of[v->sc->cursor.track] : ROWS_NONE;
	uint32_t track = node != ROWS_NONE ? scene_steps_track(v->sc, &v->sc->rows.v[node]) : ROWS_NONE;
	char name[80];
	size_t event;
	double share;

	*buf = '\0';
	if (track == ROWS_NONE || track == v->sc->cursor.track ||
	    !scene_event_at(v->sc, (struct rows_source){ track, 0, 1 }, d->start, &event) ||
	    !track_dur(scene_track(v->sc, track), event))
		return;
	scene_step_name(v->sc, track, event, name, sizeof name);
	share = 100 * (double)d->dur / (double)track_dur(scene_track(v->sc, track), event);
	if (share > 0 && share < 0.005)
		snprintf(buf, size, "less than 0.01 %% of %s", name);
	else
		snprintf(buf, size, "%.2f %% of %s", share, name);
}

/* Draws at most `lines` lines; returns how many were used. */
static int draw_wrapped(struct canvas *cv, int y, int x, int w, int lines, const char *s)
{
	size_t len = strlen(s);
	int n = 0;

	for (; len && n < lines; n++) {
		size_t part = text_wrap(s, len, w);

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

void details_title(struct details *v, struct canvas *cv, struct rect r, bool named)
{
	const struct detail *d = &v->d;
	uint32_t node =
	    v->sc->cursor.track < v->sc->rows.ntracks ? v->sc->rows.node_of[v->sc->cursor.track] : ROWS_NONE;
	const struct rows_node *section = node != ROWS_NONE ? &v->sc->rows.v[node] : NULL;
	bool step = scene_track(v->sc, v->sc->cursor.track)->role == TRACK_STEPS && *name_of(d) >= '0' &&
	    *name_of(d) <= '9';
	char right[96] = "", a[32], b[32], *left;

	while (section && section->parent != ROWS_NONE && section->kind != NODE_DEVICE &&
	    section->kind != NODE_THREADS)
		section = &v->sc->rows.v[section->parent];
	left = xasprintf("%.*s%s%s%s%s%s", section ? (int)section->len : 0, section ? section->name : "",
	    section && d->track_name ? " " : "", d->track_name ? d->track_name : "", named ? ": " : "",
	    named && step ? "step " : "", named ? name_of(d) : "");
	if (d->occurrences)
		snprintf(right, sizeof right, "occurrence %s of %s within this track",
		    units_count(a, sizeof a, d->nth), units_count(b, sizeof b, d->occurrences));
	scene_pane_title(v->sc, cv, r, left, strlen(left), right);
	free(left);
}

void details_field(struct canvas *cv, int y, int x, int w, const char *label, const char *value)
{
	size_t len = strlen(value);

	if (len && value[len - 1] == ':') /* an op path without a type after it */
		len--;
	canvas_str(cv, y, x, DETAILS_LABEL - 1, ROLE_TEXT, 0, label);
	canvas_cut(cv, y, x + DETAILS_LABEL - 1, w - DETAILS_LABEL + 1, ROLE_TEXT, 0, value, len);
}

/* Is it an op of a chip whose peaks are known? */
static bool has_places(const struct details *v)
{
	return scene_track(v->sc, v->sc->cursor.track)->role == TRACK_OPS && details_known(v->d.peak_flops);
}

/* Steps, modules, scopes and the like have no category and no self time. */
static bool is_frame(const struct details *v)
{
	enum track_role role = scene_track(v->sc, v->sc->cursor.track)->role;

	return role == TRACK_STEPS || role == TRACK_MODULES || role == TRACK_SCOPE ||
	    role == TRACK_FRAMEWORK || role == TRACK_SOURCE;
}

/* Start of the event, on the screen. */
int64_t details_start(const struct details *v)
{
	return v->d.start + scene_shift_of(v->sc, scene_track(v->sc, v->sc->cursor.track)->plane);
}

/* Are all events there that are in it? */
static bool knows_inside(const struct details *v)
{
	enum app_part part = v->sc->view->part;
	int64_t start = details_start(v);

	return part < PART_WINDOW ||
	    (part == PART_WINDOW && start >= viewport_begin(&v->sc->port) &&
		start + v->d.dur <= viewport_end(&v->sc->port));
}

static int draw_times(struct details *v, struct canvas *cv, int y, int x, int w)
{
	const struct detail *d = &v->d;
	bool ascii = scene_ascii(v->sc), frame = is_frame(v);
	char buf[160];

	if (has_places(v)) /* in the title it would move the rule after it */
		details_field(cv, y++, x, w, "name", name_of(d));
	if (!frame)
		details_field(cv, y++, x, w, "category", details_category(v));
	details_field(cv, y++, x, w, "start", scene_time_exact(v->sc, details_start(v), buf, sizeof buf));
	details_field(cv, y++, x, w, "end",
	    scene_time_exact(v->sc, details_start(v) + d->dur, buf, sizeof buf));
	canvas_str(cv, y, x, DETAILS_LABEL - 1, ROLE_TEXT, 0, "duration");
	canvas_right(cv, y++, x + DETAILS_LABEL - 1 + TIME, ROLE_TEXT, 0,
	    units_time(buf, sizeof buf, d->dur, ascii));
	if (!frame) {
		canvas_str(cv, y, x, DETAILS_LABEL - 1, ROLE_TEXT, 0, "self");
		canvas_right(cv, y++, x + DETAILS_LABEL - 1 + TIME, ROLE_TEXT, 0,
		    !knows_inside(v)        ? DETAILS_NA
			: d->self == d->dur ? "= duration"
					    : units_time(buf, sizeof buf, d->self, ascii));
	}
	details_step_text(v, buf, sizeof buf);
	if (*buf)
		details_field(cv, y++, x, w, "in step", buf);
	return y;
}

/* Lists where its flows go and come from, once flows are known. */
static int flow_line(struct details *v, struct canvas *cv, int y, int x, int w)
{
	char text[480];

	if (!v->flows->known)
		return 0;
	flows_text(v->flows, v->sc->cursor.track, v->sc->cursor.event, text, sizeof text);
	if (*text)
		details_field(cv, y, x, w, "flow", text);
	return *text != '\0';
}

/* Stats that the lines above already show. */
static bool is_shown_above(const char *name)
{
	static const char *const names[] = {
		"flops",
		"model_flops",
		"bytes_accessed",
		"raw_bytes_accessed",
		"memory_access_breakdown",
		"hlo_category",
		"tf_op",
		"source",
		"source_stack",
		"device_offset_ps",
		"device_duration_ps",
		"hlo_text",
		"long_name",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* A stat with the file's own times that are already shown. */
static bool shown_time(const struct detail *d, const struct detail_stat *s)
{
	int64_t ps = !strcmp(s->name, "offset_ps") ? d->start : !strcmp(s->name, "duration_ps") ? d->dur : -1;
	char buf[32];

	snprintf(buf, sizeof buf, "%lld", (long long)ps);
	return ps >= 0 && !strcmp(buf, s->value);
}

/* Finds the next stat that is worth a line. */
static const struct detail_stat *next_stat(const struct detail *d, size_t *i)
{
	while (*i < d->nstats) {
		const struct detail_stat *s = &d->stats[(*i)++];

		if (!is_shown_above(s->name) && !shown_time(d, s) && (!d->name || strcmp(s->value, d->name)))
			return s;
	}
	return NULL;
}

static void stat_line(struct canvas *cv, int y, int x, int w, const struct detail_stat *s)
{
	int used = canvas_cut(cv, y, x, w / 2, ROLE_DIM, 0, s->name, strlen(s->name)) + 2;

	used = used < DETAILS_LABEL - 1 ? DETAILS_LABEL - 1 : used;
	canvas_cut(cv, y, x + used, w - used, ROLE_TEXT, 0, s->value, strlen(s->value));
}

static int draw_op(struct details *v, struct canvas *cv, int y, int end, struct rect r, bool fixed)
{
	const struct detail *d = &v->d;
	int x = r.x + 1, source_x = r.x + r.w * 2 / 3 - 1, w = d->source ? source_x - x - 2 : r.w - 2;

	if ((d->op_path || fixed) && y < end)
		details_field(cv, y, x, w, "op", d->op_path ? d->op_path : DETAILS_NA);
	if ((d->source || fixed) && y < end) {
		const char *source = d->source ? text_short_path(d->source) : DETAILS_NA;
		int at = d->op_path || fixed ? source_x : x;

		canvas_str(cv, y, at, 7, ROLE_TEXT, 0, "source");
		canvas_cut(cv, y, at + 7, r.x + r.w - at - 8, ROLE_TEXT, 0, source, strlen(source));
	}
	if (d->op_path || d->source || fixed)
		y++;
	if (details_has_full(d) && y < end) {
		char *text = text_short_hlo(d->full);
		bool is_hlo = *d->full == '%';
		int rows = is_hlo ? 2 : 3, at = x + DETAILS_LABEL - 1;

		canvas_str(cv, y, x, DETAILS_LABEL, ROLE_TEXT, 0, is_hlo ? "HLO" : "full name");
		y += draw_wrapped(cv, y, at, r.x + r.w - 1 - at, rows < end - y ? rows : end - y, text);
		free(text);
	}
	return y;
}

/* Fills the remaining room with stats.  Those of an op with HLO text repeat what is shown, or are internal to
 * the compiler. */
static void draw_stats(struct details *v, struct canvas *cv, int y, int end, struct rect r, int x, size_t i)
{
	const struct detail *d = &v->d;
	const struct detail_stat *s;

	for (; y < end && (s = next_stat(d, &i)); y++) {
		stat_line(cv, y, r.x + 1, x - r.x - 3, s);
		if ((s = next_stat(d, &i)))
			stat_line(cv, y, x, r.x + r.w - x - 1, s);
	}
}

static void draw_wide(struct details *v, struct canvas *cv, struct rect r)
{
	const struct detail *d = &v->d;
	const struct detail_stat *s;
	int y = r.y + 1, x = r.x + r.w * 5 / 12, end = r.y + r.h - (r.h > 10), bar_w = r.x + r.w - x - 52,
	    right = y, below;
	struct step_facts facts;
	struct details_at at = { x, x + 18, x + 19, x + 29, bar_w > BAR ? BAR : bar_w, 0, has_places(v) };
	size_t i = 0;

	at.percent = at.bar + at.bar_w + 8;
	below = draw_times(v, cv, y, r.x + 1, x - r.x - 3);
	if (details_step_of(v, &facts)) {
		details_step_draw(v, &facts, cv, (struct rect){ below, r.x + 1, end - below, r.w - 2 });
		end = below;
	}
	right += details_rate(d, cv, right, &at, details_compute(d), d->flop_rate, d->peak_flops, "FLOP/s");
	right += details_rate(d, cv, right, &at, details_memory(d), d->hbm_rate, d->peak_hbm, "B/s");
	right += details_intensity(d, cv, right, &at);
	right += details_work(d, cv, right, &at);
	right += details_all(v, cv, right, &at);
	if (v->sc->view->part < PART_WINDOW)
		right += details_neighbors(v, cv, right, &at, r.x + r.w - 1);
	if (right < end)
		right += flow_line(v, cv, right, x, r.x + r.w - x - 1);
	while (!at.fixed && right < y + 6 && right < end && (s = next_stat(d, &i)))
		stat_line(cv, right++, x, r.x + r.w - x - 1, s);
	if (facts.step)
		return;
	y = draw_op(v, cv, y + 7 + (r.h >= ROOMY), end, r, at.fixed);
	if (!at.fixed || !details_has_full(d))
		draw_stats(v, cv, y, end, r, x, i);
}

enum { CLOCK = 21 }; /* columns of a time of day, without its zone */

static void draw_category(const struct details *v, struct canvas *cv, int y, int x)
{
	const char *name =
	    scene_track(v->sc, v->sc->cursor.track)->role == TRACK_STEPS ? "step" : details_category(v);

	canvas_cut(cv, y, x, 16, ROLE_TEXT, 0, name, strlen(name));
}

static void draw_narrow(struct details *v, struct canvas *cv, struct rect r)
{
	const struct detail *d = &v->d;
	const struct detail_stat *s;
	int y = r.y + 1, end = r.y + r.h - (r.h > 7), bar_w = r.w - 64, x = r.x + 1, used;
	struct details_at at = { x, r.x + 17, r.x + 18, r.x + 29,
		bar_w < 0         ? 0
		    : bar_w > BAR ? BAR
				  : bar_w,
		0, has_places(v) };
	char a[48], b[48], c[48];
	struct step_facts facts;
	size_t i = 0;

	if (knows_inside(v))
		units_time(b, sizeof b, d->self, scene_ascii(v->sc));
	else
		snprintf(b, sizeof b, "%s", DETAILS_NA);
	scene_time_exact(v->sc, details_start(v), c, sizeof c);
	at.percent = at.bar + at.bar_w + 10;
	draw_category(v, cv, y, x);
	canvas_str(cv, y, x + 17, 4, ROLE_TEXT, 0, "took");
	canvas_right(cv, y, r.x + 33, ROLE_TEXT, 0, units_time(a, sizeof a, d->dur, scene_ascii(v->sc)));
	used = canvas_fmt(cv, y, r.x + 35, r.w - 36, ROLE_TEXT, 0, "self %*s",
	    TIME + (int)(strlen(b) - (size_t)utf8_cols(b, strlen(b))), b);
	if (used + 8 + (strlen(c) < CLOCK ? (int)strlen(c) : CLOCK) <= r.w - 36)
		canvas_fmt(cv, y, r.x + 35 + used, r.w - 36 - used, ROLE_TEXT, 0, "  start %s", c);
	y++;
	if (details_step_of(v, &facts)) {
		details_step_draw(v, &facts, cv, (struct rect){ y, x, end - y, r.w - 2 });
		return;
	}
	if (y < end)
		y += details_rate(d, cv, y, &at, details_compute(d), d->flop_rate, d->peak_flops, "FLOP/s");
	if (y < end)
		y += details_rate(d, cv, y, &at, details_memory(d), d->hbm_rate, d->peak_hbm, "B/s");
	y = draw_op(v, cv, y, end, r, at.fixed);
	if (y < end)
		y += flow_line(v, cv, y, x, r.w - 2);
	for (; (!at.fixed || !details_has_full(d)) && y < end && (s = next_stat(d, &i)); y++)
		stat_line(cv, y, x, r.w - 2, s);
}

void details_draw(struct details *v, struct canvas *cv, struct rect r)
{
	struct rect old = canvas_clip(cv, r);

	details_make(v);
	details_title(v, cv, r, r.w < WIDE || !has_places(v));
	if (r.w >= WIDE)
		draw_wide(v, cv, r);
	else
		draw_narrow(v, cv, r);
	canvas_clip(cv, old);
}
