#include "config.h"
#include "view/ptxla/ptxla.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ptxla/meaning.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "widget/bar.h"
#include "widget/card.h"
#include "widget/text.h"

enum { LABEL = 13, CARD_WIDEST = 78, HISTORY_ROWS = 4, HISTORY_MOST = 512 };

static int put_head(struct canvas *c, struct rect r, int y, const char *title, const char *about)
{
	if (y < r.y + r.h)
		card_head(c, y, r, title, about);
	return y + 1;
}

static int put_text(struct canvas *c, struct rect r, int y, enum role role, const char *s)
{
	return s ? card_text(c, r, y, 0, role, s, strlen(s)) : y;
}

/* Paragraphs that line breaks separate. */
static int put_paragraphs(struct canvas *c, struct rect r, int y, const char *s)
{
	while (s && *s) {
		size_t n = strcspn(s, "\n");

		y = card_text(c, r, y, 0, ROLE_TEXT, s, n);
		s += n + (s[n] == '\n');
	}
	return y;
}

static int put_advice(struct canvas *c, struct rect r, int y, const char *s)
{
	if (!s)
		return y;
	y = put_head(c, r, y + 1, "WHAT TO DO", "");
	return put_paragraphs(c, r, y, s);
}

static void value_text(enum ptxla_unit unit, double v, char *buf, size_t size, bool ascii)
{
	if (isnan(v))
		snprintf(buf, size, "%s", ascii ? "-" : "–");
	else if (unit == PTXLA_PS)
		units_time_short(buf, size, from_double(v), ascii);
	else if (unit == PTXLA_BYTES)
		text_bytes(buf, size, v);
	else
		snprintf(buf, size, "%.6g", v);
}

static int put_pair(struct canvas *c, struct rect r, int y, const char *label, const char *value)
{
	if (y < r.y + r.h) {
		canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, label);
		canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, value);
	}
	return y + 1;
}

static int put_value(struct canvas *c, struct rect r, int y, const char *label, enum ptxla_unit unit,
    double v)
{
	char text[48];

	value_text(unit, v, text, sizeof text, c->glyphs->ascii);
	return put_pair(c, r, y, label, text);
}

/* A fact of a metric or a group, in one unit. */
struct ptxla_fact {
	const char *label;
	enum ptxla_unit unit;
	double value;
};

static int put_facts(struct canvas *c, struct rect r, int y, const struct ptxla_fact *v, size_t n)
{
	struct rect all = { y, r.x, r.y + r.h - y, r.w }, at = all;

	for (size_t i = 0; i < n; i++) {
		at = card_field(all, (int)i);
		put_value(c, at, at.y, v[i].label, v[i].unit, v[i].value);
	}
	return n ? at.y + 1 : y;
}

static int put_name(struct canvas *c, struct rect r, int y, struct slice s)
{
	if (y < r.y + r.h)
		canvas_cut(c, y, r.x + 1, r.w - 2, ROLE_BOLD, ATTR_BOLD, s.n ? s.s : "(name cut off)",
		    s.n ? s.n : strlen("(name cut off)"));
	return y + 1;
}

/* --- from report to report --- */

/* How much a metric or counter grew in each of `ncol` groups of reports of one process; NaN: it was not there. */
struct history {
	double v[HISTORY_MOST], most;
	int64_t first, last;
	int n;
};

static double sum_at(const struct ptxla *x, size_t report, strid name, bool counter)
{
	const char *text = strtab_str(&x->names, name);
	int64_t value;

	if (counter) {
		value = ptxla_counter(x, report, text);
		return value == INT64_MIN ? NAN : (double)value;
	}
	const struct ptxla_metric *m = ptxla_metric(x, report, text);

	return m ? ptxla_double(m->unit, m->accumulator) : NAN;
}

static void history_make(struct history *h, const struct ptxla *x, size_t report, strid name, bool counter,
    int cols)
{
	const struct ptxla_report *of = &x->reports[report];
	size_t n = 0, i, at = 0;
	double before = 0;

	*h = (struct history){ .n = 0, .first = -1, .last = -1 };
	for (i = 0; i < x->nreports; i++)
		n += x->reports[i].file == of->file && x->reports[i].host == of->host;
	if (n < 2 || cols < 2)
		return;
	h->n = (size_t)cols < n ? cols : (int)n;
	h->n = h->n < HISTORY_MOST ? h->n : HISTORY_MOST;
	for (i = 0; i < x->nreports; i++) {
		double v;

		if (x->reports[i].file != of->file || x->reports[i].host != of->host)
			continue;
		/* only the ends of groups matter: what is between them adds up */
		if ((at + 1) * (size_t)h->n / n != at * (size_t)h->n / n) {
			v = sum_at(x, i, name, counter);
			h->v[at * (size_t)h->n / n] = v - before;
			before = isnan(v) ? before : v;
			h->most = fmax(h->most, h->v[at * (size_t)h->n / n]);
		}
		h->first = at ? h->first : x->reports[i].step;
		h->last = x->reports[i].step;
		at++;
	}
}

static void column_draw(struct canvas *c, int x, int y, double share)
{
	static const uint32_t blocks[] = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587,
		0x2588 };
	int eighths = share > 0 ? (int)fmax(1, share * HISTORY_ROWS * 8) : 0;

	for (int row = 0; row < HISTORY_ROWS; row++) {
		int part = eighths - row * 8;

		if (part > 0 && c->glyphs->ascii)
			canvas_put(c, y - row, x, part >= 4 ? '#' : '.', ROLE_TEXT, 0);
		else if (part > 0)
			canvas_put(c, y - row, x, blocks[part > 8 ? 8 : part], ROLE_TEXT, 0);
	}
}

static int put_history(const struct ptxla_view *s, struct canvas *c, struct rect r, int y, size_t report,
    strid name, bool counter)
{
	struct history h;
	char text[64];

	if (!name)
		return y;
	history_make(&h, s->x, report, name, counter, r.w - 2);
	if (!h.n || !(h.most > 0))
		return y;
	y = put_head(c, r, y + 1, "OVER THE REPORTS", "growth");
	for (int i = 0; i < h.n && y + HISTORY_ROWS <= r.y + r.h; i++)
		column_draw(c, r.x + 1 + i, y + HISTORY_ROWS - 1, h.v[i] / h.most);
	y += HISTORY_ROWS;
	if (h.first >= 0 && y < r.y + r.h) {
		snprintf(text, sizeof text, "step %lld to %lld", (long long)h.first, (long long)h.last);
		canvas_str(c, y, r.x + 1, r.w - 2, ROLE_DIM, 0, text);
	}
	return y + 1;
}

/* --- the cards of the pages --- */

static int put_percentiles(const struct ptxla *x, const struct ptxla_metric *m, struct canvas *c,
    struct rect r, int y)
{
	double most = 0;
	char label[24], text[48];

	if (!m->npercents)
		return y;
	y = put_head(c, r, y + 1, "PERCENTILES", "of the last samples");
	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		most = fmax(most, ptxla_double(m->unit, x->values[i]));
	for (size_t i = m->percent; i < m->percent + m->npercents; i++, y++) {
		double v = ptxla_double(m->unit, x->values[i]);

		if (y >= r.y + r.h)
			continue;
		snprintf(label, sizeof label, "%g %%", (double)x->percents[i] / PTXLA_PERCENT);
		value_text(m->unit, v, text, sizeof text, c->glyphs->ascii);
		canvas_right(c, y, r.x + 7, ROLE_DIM, 0, label);
		bar_draw(c, y, r.x + 8, r.w - 21 > 0 ? r.w - 21 : 0, most > 0 ? v / most : 0, ROLE_TEXT,
		    false);
		canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text);
	}
	return y;
}

/* Its name, unless the rule above has it, and what it means. */
static int put_meaning(struct canvas *c, struct rect r, int y, struct slice name, enum frame_card how)
{
	if (how != FRAME_BELOW)
		y = put_name(c, r, y, name);
	return put_text(c, r, y, ROLE_TEXT, ptxla_meaning(name)) + (how != FRAME_BELOW);
}

static int metric_card(const struct ptxla_view *s, struct canvas *c, struct rect r, size_t row,
    enum frame_card how)
{
	const struct ptxla_metric *m = &s->x->metrics[s->of[row]];
	struct slice name = strtab_text(&s->x->names, m->name);
	enum ptxla_unit unit = (enum ptxla_unit)m->unit;
	const struct ptxla_fact facts[] = {
		{ "samples", PTXLA_COUNT, m->samples < 0 ? NAN : (double)m->samples },
		{ "sum", unit, ptxla_double(unit, m->accumulator) },
		{ "mean", unit, ptxla_mean(m) },
		{ "per second", unit, ptxla_double(unit, m->value_rate) },
		{ "samples/s", PTXLA_COUNT, m->rate },
		{ "deviation", unit, ptxla_double(unit, m->deviation) },
	};

	int y = put_meaning(c, r, r.y, name, how);

	y = put_facts(c, r, y, facts, sizeof facts / sizeof *facts - !ptxla_known(m->deviation));
	y = put_percentiles(s->x, m, c, r, y);
	y = put_history(s, c, r, y, m->report, m->name, false);
	return put_advice(c, r, y, ptxla_advice(name));
}

static int counter_card(const struct ptxla_view *s, struct canvas *c, struct rect r, size_t row,
    enum frame_card how)
{
	const struct ptxla_counter *k = &s->x->counters[s->of[row]];
	struct slice name = strtab_text(&s->x->names, k->name);

	int y = put_meaning(c, r, r.y, name, how);

	y = put_value(c, r, y, "value", PTXLA_COUNT, (double)k->value);
	y = put_history(s, c, r, y, k->report, k->name, true);
	return put_advice(c, r, y, ptxla_advice(name));
}

static int put_frames(const struct ptxla_frame *v, const struct ptxla_frame *user, size_t n, bool cut,
    struct canvas *c, struct rect r, int y)
{
	char text[512];

	if (!n)
		return y;
	y = put_head(c, r, y + 1, "STACK", "innermost first");
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%s %s%.200s  %.200s:%lld", &v[i] == user ? "->" : "  ", "",
		    v[i].function, text_short_path(v[i].file), (long long)v[i].line);
		y = card_text(c, r, y, 0, &v[i] == user ? ROLE_BOLD : ROLE_DIM, text, strlen(text));
	}
	return cut ? put_text(c, r, y, ROLE_DIM, "   more frames are not printed (PT_XLA_DEBUG_MAX_FRAME)")
		   : y;
}

static int put_analysis(const struct ptxla_view *s, const struct ptxla_analysis *a, struct canvas *c,
    struct rect r, int y)
{
	static const char *const names[PTXLA_SIZES] = { "input", "output", "aliased", "intermediate",
		"program" };
	bool any = false;

	(void)s;
	for (int i = 0; i < PTXLA_SIZES; i++)
		any |= a->size[i] >= 0;
	if (any)
		y = put_head(c, r, y + 1, "MEMORY", "of the compiled graph");
	for (int i = 0; i < PTXLA_SIZES && any; i++)
		y = put_value(c, r, y, names[i], PTXLA_BYTES, a->size[i] < 0 ? NAN : (double)a->size[i]);
	if (a->partial)
		y = put_text(c, r, y + 1, ROLE_WARN, "The block is cut off: some of it may be missing.");
	return put_frames(a->frames, a->user, a->nframes, a->truncated, c, r, y);
}

static int put_what(const struct ptxla_analysis *a, struct canvas *c, struct rect r, int y)
{
	char text[160];
	struct slice cause = slice_of(a->cause);

	if (a->user) {
		snprintf(text, sizeof text, "%.60s %.80s:%lld", a->user->function,
		    text_short_path(a->user->file), (long long)a->user->line);
		y = put_name(c, r, y, slice_of(text));
	}
	if (cause.n) {
		y = card_text(c, r, y, 0, ROLE_TEXT, cause.s, cause.n);
		y = put_text(c, r, y, ROLE_DIM, ptxla_cause_meaning(cause));
	}
	return y;
}

/* What the compilation of a graph said about its memory. */
static const struct ptxla_analysis *memory_of(const struct ptxla *x, const char *hash)
{
	for (size_t i = 0; i < x->nanalyses && hash; i++)
		if (x->analyses[i].kind == PTXLA_POST && x->analyses[i].graph_hash &&
		    !strcmp(x->analyses[i].graph_hash, hash))
			return &x->analyses[i];
	return NULL;
}

static int group_card(const struct ptxla_view *s, struct canvas *c, struct rect r, int y, size_t row)
{
	const struct ptxla_group_row *g = &s->groups[row];
	const struct ptxla_analysis *memory;
	const struct ptxla_fact facts[] = { { "compiled", PTXLA_COUNT, (double)g->compiled },
		{ "executed", PTXLA_COUNT, (double)g->executed },
		{ "graphs", PTXLA_COUNT, (double)g->distinct } };

	y = put_what(g->of, c, r, y) + 1;
	y = put_facts(c, r, y, facts, sizeof facts / sizeof *facts);
	if (ptxla_view_pages[s->page] == PTXLA_BY_HASH) {
		memory = memory_of(s->x, g->of->graph_hash);
		if (memory)
			y = put_analysis(s, memory, c, r, y);
	}
	return put_analysis(s, g->first, c, r, y);
}

/* All columns of a row, each as the sheet shows it. */
static int put_columns(const struct ptxla_view *s, struct canvas *c, struct rect r, int y, size_t row)
{
	const struct sheet *sheet = &s->sheet[s->page];
	char text[256];

	for (size_t i = 0; i < sheet->ncol; i++) {
		const char *label = sheet->col[i]->label;

		sheet_text(sheet, row, i, text, sizeof text);
		if (utf8_cols(text, strlen(text)) + LABEL < r.w - 2) {
			y = put_pair(c, r, y, label, text);
			continue;
		}
		if (y < r.y + r.h)
			canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, label);
		y = card_text(c, r, y + 1, 2, ROLE_TEXT, text, strlen(text));
	}
	return y;
}

int ptxla_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct ptxla_view *s = v->state;
	size_t row = ptxla_view_row(s);
	const struct ptxla_unlowered *u;

	if (row == SIZE_MAX)
		return r.y;
	if (how == FRAME_BELOW) {
		char *name = sheet_row_name(&s->sheet[s->page]);

		r.y = card_rule(c, r, r.y, name ? name : "details", "Enter: all of it");
		r.h--;
		free(name);
	}
	if (how == FRAME_FULL)
		r.w = r.w > CARD_WIDEST ? CARD_WIDEST : r.w;
	switch (ptxla_view_pages[s->page]) {
	case PTXLA_TIMES:
	case PTXLA_DATA:
	case PTXLA_COUNTS:
		return metric_card(s, c, r, row, how);
	case PTXLA_COUNTERS:
		return counter_card(s, c, r, row, how);
	case PTXLA_BY_FRAME:
	case PTXLA_BY_CAUSE:
	case PTXLA_BY_HASH:
		return group_card(s, c, r, r.y, row);
	case PTXLA_ANALYSES:
		return put_analysis(s, &s->x->analyses[row], c, r, put_what(&s->x->analyses[row], c, r, r.y));
	case PTXLA_UNLOWERED:
		u = &s->x->unlowered[row];
		return put_frames(u->frames, u->user, u->nframes, false, c, r,
		    put_columns(s, c, r, r.y, row));
	default:
		return put_columns(s, c, r, r.y, row);
	}
}
