#include "config.h"

#include "view/tl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/classify.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/utf8.h"

#define LABEL 11			/* columns of a label and its gap */
#define LINKS_AT_ONCE 500000		/* events: up to here arrows are looked up unasked */

/* --- making --- */

void tl_detail_free(struct tl *t)
{
	if (t->has_detail)
		detail_free(&t->detail);
	t->has_detail = false;
}

static void detail_make(struct tl *t)
{
	if (t->has_detail && t->detail_track == t->sel_track && t->detail_event == t->sel_event)
		return;
	tl_detail_free(t);
	detail_of(t->dump, &t->view->app->steps, t->sel_track, t->sel_event, &t->detail);
	t->detail_track = t->sel_track;
	t->detail_event = t->sel_event;
	t->has_detail = true;
	t->all_done = tl_track(t, t->sel_track)->role != TRACK_OPS;
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
	if (!t->links && t->dump->trace.events <= LINKS_AT_ONCE) {
		tl_want_links(t);
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
	    buf, size, "%.2f %% of %s", 100 * (double)d->dur / (double)tl_track(t, track)->dur[event], name);
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

/* "52.8 % of 197", of the unit of the rate, else with the letter of its own; ~ marks a peak that the capture does not state. */
static void peak_text(
    const struct detail *d, double rate, double peak, const char *unit, char *buf, size_t size)
{
	char number[24], prefix[24], of[24], of_prefix[24], percent[24];

	split_si(rate, unit, number, prefix, sizeof number);
	split_si(peak, unit, of, of_prefix, sizeof of);
	if (strchr(of, '.')) {
		size_t n = strlen(of);

		while (of[n - 1] == '0')
			of[--n] = '\0';
		if (of[n - 1] == '.')
			of[n - 1] = '\0';
	}
	units_percent(percent, sizeof percent, rate / peak);
	snprintf(buf, size, "%s %% of %s%s", percent, d->peak_assumed ? "~" : "", of);
	if (strcmp(prefix, of_prefix))
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
		canvas_glyph(cv, y, x + w, GLYPH_EDGE, ROLE_LINE, 0);
}

/* Columns of a rate: label, end of the number … end of the percentage. */
struct at { int x, number, unit, bar, bar_w, percent; };

static int rate_line(const struct detail *d, struct canvas *cv, int y, const struct at *at, const char *label,
    double rate, double peak, const char *unit)
{
	char number[48], rest[48], text[96];

	if (!known(rate))
		return 0;
	split_si(rate, unit, number, rest, sizeof number);
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, label);
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, number);
	canvas_str(cv, y, at->unit, 8, ROLE_TEXT, 0, rest);
	if (known(peak)) {
		const char *sign;
		int x = at->percent;

		draw_peak_bar(cv, y, at->bar, at->bar_w, rate / peak);
		peak_text(d, rate, peak, unit, text, sizeof text);
		sign = strchr(text, ' ');
		x -= sign ? (int)(sign - text) : 0;
		canvas_str(cv, y, x, cv->cols - x, ROLE_TEXT, 0, text);
	}
	return 1;
}

/* HLO text without the layouts behind shapes: "bf16[8,512]{1,0:T(8,128)}" → "bf16[8,512]". */
static char *without_layouts(const char *s)
{
	char *out = xmalloc(strlen(s) + 1);
	size_t n = 0;

	while (*s) {
		if (*s == '{' && n && out[n - 1] == ']') {
			int depth = 0;

			do {
				depth += (*s == '{') - (*s == '}');
				s++;
			} while (*s && depth > 0);
			continue;
		}
		out[n++] = *s++;
	}
	out[n] = '\0';
	return out;
}

/* Bytes of a text that go on the next line of w columns: up to a blank, if there is one in the second half. */
static size_t wrap(const char *s, size_t len, int w)
{
	size_t fit = utf8_fit(s, len, w), at = fit;

	if (fit >= len)
		return len;
	while (at > fit / 2 && s[at] != ' ' && s[at - 1] != ',')
		at--;
	if (at > fit / 2)
		return at;
	return fit ? fit : 1;
}

/* At most `lines` lines; returns how many were used. */
static int draw_wrapped(struct canvas *cv, int y, int x, int w, int lines, const char *s)
{
	size_t len = strlen(s);
	int n = 0;

	for (; len && n < lines; n++) {
		size_t part = wrap(s, len, w);

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

static void draw_title(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct detail *d = &t->detail;
	uint32_t node = t->sel_track < t->rows.ntracks ? t->rows.node_of[t->sel_track] : TL_NONE;
	const struct tl_node *section = node != TL_NONE ? &t->rows.v[node] : NULL;
	char right[96] = "", a[32], b[32], *left;

	while (section && section->parent != TL_NONE && section->kind != TL_DEVICE && section->kind != TL_THREADS)
		section = &t->rows.v[section->parent];
	left = xasprintf("%s on %.*s %s", d->name ? d->name : "event", section ? (int)section->len : 0,
	    section ? section->name : "", d->track_name ? d->track_name : "");
	if (d->occurrences)
		snprintf(right, sizeof right, "occurrence %s of %s on this track",
		    units_count(a, sizeof a, d->nth), units_count(b, sizeof b, d->occurrences));
	tl_pane_title(t, cv, r, left, strlen(left), right);
	free(left);
}

static void field(struct canvas *cv, int y, int x, int w, const char *label, const char *value, unsigned attr)
{
	size_t len = strlen(value);

	if (len && value[len - 1] == ':')		/* an op path without a type behind it */
		len--;
	canvas_str(cv, y, x, LABEL - 1, ROLE_TEXT, 0, label);
	canvas_cut(cv, y, x + LABEL - 1, w - LABEL + 1, ROLE_TEXT, attr, value, len);
}

static void draw_times(struct tl *t, struct canvas *cv, int y, int x, int w)
{
	const struct detail *d = &t->detail;
	bool ascii = tl_ascii(t);
	bool op = tl_track(t, t->sel_track)->role == TRACK_OPS;
	char buf[160];

	if (op || strcmp(category_of(t), class_label[CLASS_OTHER]))
		field(cv, y++, x, w, "category", category_of(t), 0);
	field(cv, y++, x, w, "start", units_time_exact(buf, sizeof buf, d->start, ascii), 0);
	field(cv, y++, x, w, "end", units_time_exact(buf, sizeof buf, d->start + d->dur, ascii), 0);
	field(cv, y++, x, w, "duration", units_time(buf, sizeof buf, d->dur, ascii), ATTR_BOLD);
	if (op || d->self != d->dur)
		field(cv, y++, x, w, "self", units_time(buf, sizeof buf, d->self, ascii), 0);
	step_text(t, buf, sizeof buf);
	if (*buf)
		field(cv, y, x, w, "in step", buf, 0);
}

static int intensity_line(const struct detail *d, struct canvas *cv, int y, const struct at *at)
{
	char buf[96];

	if (!known(d->intensity))
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "intensity");
	snprintf(buf, sizeof buf, "%.1f", d->intensity);
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, buf);
	canvas_str(cv, y, at->unit, 8, ROLE_TEXT, 0, "FLOP/B");
	if (known(d->ridge)) {
		snprintf(buf, sizeof buf, "ridge %.1f: %s bound", d->ridge,
		    d->intensity >= d->ridge ? "compute" : "memory");
		canvas_str(cv, y, at->bar, cv->cols - at->bar, ROLE_TEXT, 0, buf);
	}
	return 1;
}

static int work_line(const struct detail *d, struct canvas *cv, int y, const struct at *at)
{
	char number[48] = "", rest[48] = "", a[48], text[128] = "";
	double hbm = d->hbm_bytes > 0 ? d->hbm_bytes : d->bytes;

	if (!known(d->flops) && !known(hbm))
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "work");
	if (known(d->flops)) {
		split_si(d->flops, "FLOP", number, rest, sizeof number);
		canvas_right(cv, y, at->number, ROLE_TEXT, 0, number);
		canvas_str(cv, y, at->unit, 8, ROLE_TEXT, 0, rest);
	}
	if (known(hbm))
		snprintf(text, sizeof text, "%s %s", d->hbm_estimated ? "all memory" : "HBM",
		    units_bytes(a, sizeof a, hbm));
	if (known(d->vmem_bytes))
		snprintf(text + strlen(text), sizeof text - strlen(text), "   VMEM %s",
		    units_bytes(a, sizeof a, d->vmem_bytes));
	canvas_str(cv, y, at->bar, cv->cols - at->bar, ROLE_TEXT, 0, text);
	return 1;
}

static int all_line(const struct tl *t, struct canvas *cv, int y, const struct at *at)
{
	const struct detail *d = &t->detail;
	enum time_unit unit = unit_for(d->all_mean);
	char buf[160], a[40], b[40], c[40];

	if (!d->all_count)
		return 0;
	canvas_str(cv, y, at->x, LABEL, ROLE_TEXT, 0, "all cores");
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, units_count(buf, sizeof buf, d->all_count));
	canvas_glyph(cv, y, at->unit, GLYPH_TIMES, ROLE_TEXT, 0);
	snprintf(buf, sizeof buf, "min %s   mean %s   max %s %s",
	    units_time_in(a, sizeof a, d->all_min, unit, 3), units_time_in(b, sizeof b, d->all_mean, unit, 3),
	    units_time_in(c, sizeof c, d->all_max, unit, 3), unit_name(unit, tl_ascii(t)));
	canvas_str(cv, y, at->bar, cv->cols - at->bar, ROLE_TEXT, 0, buf);
	return 1;
}

static void neighbour(struct canvas *cv, int y, int x, int w, const char *name, int64_t dur, bool ascii)
{
	char time[40];
	int time_w, used;

	units_time(time, sizeof time, dur, ascii);
	time_w = utf8_cols(time, strlen(time));
	w -= time_w + 2;
	used = w > 4 ? canvas_cut(cv, y, x, w, ROLE_TEXT, 0, name, strlen(name)) + 2 : 0;
	canvas_str(cv, y, x + used, time_w, ROLE_TEXT, 0, time);
}

static int neighbours_line(const struct tl *t, struct canvas *cv, int y, int x, int end)
{
	const struct detail *d = &t->detail;
	int half = d->before ? (end - x) / 2 : 0;

	if (d->before) {
		canvas_str(cv, y, x, LABEL, ROLE_TEXT, 0, "before");
		neighbour(cv, y, x + LABEL - 1, half - LABEL - 1, d->before, d->before_dur, tl_ascii(t));
	}
	if (d->after) {
		int label = half ? 7 : LABEL - 1;

		canvas_str(cv, y, x + half, label, ROLE_TEXT, 0, "after");
		neighbour(
		    cv, y, x + half + label, end - x - half - label, d->after, d->after_dur, tl_ascii(t));
	}
	return d->before || d->after;
}

/* Where its flows go and come from, once arrows are known. */
static int flow_line(struct tl *t, struct canvas *cv, int y, int x, int w)
{
	char text[480];

	if (!t->links)
		return 0;
	tl_flow_text(t, t->sel_track, t->sel_event, text, sizeof text);
	if (*text)
		field(cv, y, x, w, "flow", text, 0);
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

/* The next stat worth a line. */
static const struct detail_stat *next_stat(const struct detail *d, size_t *i)
{
	while (*i < d->nstats) {
		const struct detail_stat *s = &d->stats[(*i)++];

		if (!said(s->name) && (!d->name || strcmp(s->value, d->name)))
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

static int draw_op(struct tl *t, struct canvas *cv, int y, int end, struct rect r)
{
	const struct detail *d = &t->detail;
	int x = r.x + 1, source_x = r.x + r.w * 2 / 3 - 1, w = d->source ? source_x - x - 2 : r.w - 2;

	if (d->op_path && y < end)
		field(cv, y, x, w, "op", d->op_path, 0);
	if (d->source && y < end) {
		int at = d->op_path ? source_x : x;

		canvas_str(cv, y, at, 7, ROLE_TEXT, 0, "source");
		canvas_cut(cv, y, at + 7, r.x + r.w - at - 8, ROLE_TEXT, 0, d->source, strlen(d->source));
	}
	if (d->op_path || d->source)
		y++;
	if (has_full(d) && y < end) {
		char *hlo = without_layouts(d->full);

		canvas_str(cv, y, x, LABEL, ROLE_TEXT, 0, *hlo == '%' ? "HLO" : "full name");
		y += draw_wrapped(cv, y, x + LABEL - 1, r.w - LABEL - 1, end - y > 3 ? 3 : end - y, hlo);
		free(hlo);
	}
	return y;
}

static void draw_wide(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct detail *d = &t->detail;
	const struct detail_stat *s;
	int y = r.y + 1, x = r.x + r.w * 5 / 12, end = r.y + r.h - (r.h > 10), bar_w = r.x + r.w - x - 50,
	    right = y;
	struct at at = { x, x + 18, x + 19, x + 29, bar_w > 20 ? 20 : bar_w, 0 };
	size_t i = 0;

	at.percent = at.bar + at.bar_w + 8;
	draw_times(t, cv, y, r.x + 1, x - r.x - 3);
	right += rate_line(d, cv, right, &at, "compute", d->flop_rate, d->peak_flops, "FLOP/s");
	right += rate_line(d, cv, right, &at, memory_label(d), d->hbm_rate, d->peak_hbm, "B/s");
	right += intensity_line(d, cv, right, &at);
	right += work_line(d, cv, right, &at);
	right += all_line(t, cv, right, &at);
	right += neighbours_line(t, cv, right, x, r.x + r.w - 1);
	if (right < end)
		right += flow_line(t, cv, right, x, r.x + r.w - x - 1);
	while (right < y + 6 && right < end && (s = next_stat(d, &i)))
		stat_line(cv, right++, x, r.x + r.w - x - 1, s);
	y = draw_op(t, cv, y + 7, end, r);
	for (; y < end && (s = next_stat(d, &i)); y++) {
		stat_line(cv, y, r.x + 1, x - r.x - 3, s);
		if ((s = next_stat(d, &i)))
			stat_line(cv, y, x, r.x + r.w - x - 1, s);
	}
}

static void draw_narrow(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct detail *d = &t->detail;
	const struct detail_stat *s;
	int y = r.y + 1, end = r.y + r.h - (r.h > 7), bar_w = r.w - 64, x = r.x + 1;
	struct at at = { x, r.x + 17, r.x + 18, r.x + 29, bar_w < 0 ? 0 : bar_w > 16 ? 16 : bar_w, 0 };
	char a[48], b[48], c[48];
	size_t i = 0;

	at.percent = at.bar + at.bar_w + 10;
	canvas_cut(cv, y, x, 21, ROLE_TEXT, 0, category_of(t), strlen(category_of(t)));
	canvas_str(cv, y, r.x + 24, 14, ROLE_TEXT, ATTR_BOLD, units_time(a, sizeof a, d->dur, tl_ascii(t)));
	canvas_fmt(cv, y, r.x + 38, r.w - 39, ROLE_TEXT, 0, "self %s    start %s",
	    units_time(b, sizeof b, d->self, tl_ascii(t)),
	    units_time_exact(c, sizeof c, d->start, tl_ascii(t)));
	y++;
	if (y < end)
		y += rate_line(d, cv, y, &at, "compute", d->flop_rate, d->peak_flops, "FLOP/s");
	if (y < end)
		y += rate_line(d, cv, y, &at, memory_label(d), d->hbm_rate, d->peak_hbm, "B/s");
	y = draw_op(t, cv, y, end - 1 > y + 3 ? y + 3 : end, r);
	if (y < end)
		y += flow_line(t, cv, y, x, r.w - 2);
	for (; y < end && (s = next_stat(d, &i)); y++)
		stat_line(cv, y, x, r.w - 2, s);
}

void tl_draw_detail(struct tl *t, struct canvas *cv, struct rect r)
{
	struct rect old = canvas_clip(cv, r);

	detail_make(t);
	draw_title(t, cv, r);
	if (r.w >= 100)
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
		size_t line = strcspn(text, "\n"), part = wrap(text, line, w < 1 ? 1 : w);

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

	tl_want_links(t);
	for (size_t i = 0; tl_flow_nth(t, t->sel_track, t->sel_event, i, &dir, text, sizeof text); i++) {
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
	page_time(p, "start", d->start, ascii, 0);
	page_time(p, "end", d->start + d->dur, ascii, 0);
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
	draw_title(t, cv, r);
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
