#include "config.h"
#include "view/ptxla/ptxla.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ptxla/meaning.h"
#include "base/text/utf8.h"
#include "result/cell_text.h"
#include "widget/bar.h"
#include "widget/fields.h"
#include "widget/text.h"

enum { CARD_WIDEST = 78, TWO_FIELDS = 60, LABEL = 13, HISTORY_ROWS = 4, HISTORY_MOST = 512 };

/* Paragraphs that line breaks separate. */
static void put_advice(struct pen *p, const char *s)
{
	if (!s)
		return;
	p->y++;
	pen_head(p, "WHAT TO DO", "");
	for (size_t n; *s; s += n + (s[n] == '\n')) {
		n = strcspn(s, "\n");
		pen_text(p, 0, ROLE_TEXT, (struct slice){ s, n }, 0);
	}
}

static const char *unit_of(enum ptxla_unit unit)
{
	return unit == PTXLA_PS ? "ps" : unit == PTXLA_BYTES ? "B" : "";
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

static void put_history(struct pen *p, const struct ptxla_view *s, size_t report, strid name, bool counter)
{
	struct history h;

	if (!name)
		return;
	history_make(&h, s->x, report, name, counter, p->r.w - 2);
	if (!h.n || !(h.most > 0))
		return;
	p->y++;
	pen_head(p, "OVER THE REPORTS", "growth");
	for (int i = 0; i < h.n && p->y + HISTORY_ROWS <= p->r.y + p->r.h; i++)
		bar_column(p->c, p->y + HISTORY_ROWS - 1, p->r.x + 1 + i, HISTORY_ROWS, h.v[i] / h.most,
		    ROLE_TEXT);
	p->y += HISTORY_ROWS;
	if (h.first >= 0)
		pen_fmt(p, ROLE_DIM, "step %lld to %lld", (long long)h.first, (long long)h.last);
	else
		p->y++;
}

/* --- the cards of the pages --- */

static void put_percentiles(struct pen *p, const struct ptxla *x, const struct ptxla_metric *m)
{
	double most = 0;
	char label[24], text[48];

	if (!m->npercents)
		return;
	p->y++;
	pen_head(p, "PERCENTILES", "of the last samples");
	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		most = fmax(most, ptxla_double(m->unit, x->values[i]));
	for (size_t i = m->percent; i < m->percent + m->npercents; i++, p->y++) {
		double v = ptxla_double(m->unit, x->values[i]);
		const struct rect r = p->r;

		if (!pen_fits(p))
			continue;
		snprintf(label, sizeof label, "%g %%", (double)x->percents[i] / PTXLA_PERCENT);
		number_text(text, sizeof text, v, unit_of(m->unit), false, NUMBER_SHORT);
		canvas_right(p->c, p->y, r.x + 7, ROLE_DIM, 0, label);
		bar_draw(p->c, p->y, r.x + 8, r.w - 21, most > 0 ? v / most : 0, ROLE_TEXT);
		canvas_right(p->c, p->y, r.x + r.w - 1, ROLE_TEXT, 0, text);
	}
}

/* A name that may have been cut off. */
static void put_name(struct pen *p, struct slice s)
{
	pen_name(p, s.n ? s : slice_of("(name cut off)"));
}

/* Its name, unless the rule above has it, and what it means. */
static void put_meaning(struct pen *p, struct slice name, enum frame_card how)
{
	if (how != FRAME_BELOW)
		put_name(p, name);
	pen_say(p, ROLE_TEXT, ptxla_meaning(name));
	p->y += how != FRAME_BELOW;
}

static void metric_card(struct pen *p, const struct ptxla_view *s, size_t row, enum frame_card how)
{
	const struct ptxla_metric *m = &s->x->metrics[s->of[row]];
	struct slice name = strtab_text(&s->x->names, m->name);
	const char *unit = unit_of(m->unit);

	put_meaning(p, name, how);
	pen_fields(p,
	    FIELDS({ "samples", COUNT, .v = m->samples < 0 ? NAN : (double)m->samples },
		{ "sum", unit, .v = ptxla_double(m->unit, m->accumulator) },
		{ "mean", unit, .v = ptxla_mean(m) },
		{ "per second", unit, .v = ptxla_double(m->unit, m->value_rate) },
		{ "samples/s", "", .v = m->rate },
		{ "deviation", unit, .v = ptxla_double(m->unit, m->deviation),
		    .no = !ptxla_known(m->deviation) }));
	put_percentiles(p, s->x, m);
	put_history(p, s, m->report, m->name, false);
	put_advice(p, ptxla_advice(name));
}

static void counter_card(struct pen *p, const struct ptxla_view *s, size_t row, enum frame_card how)
{
	const struct ptxla_counter *k = &s->x->counters[s->of[row]];
	struct slice name = strtab_text(&s->x->names, k->name);

	put_meaning(p, name, how);
	p->across = 1;
	pen_fields(p, FIELDS({ "value", COUNT, .v = (double)k->value }));
	put_history(p, s, k->report, k->name, true);
	put_advice(p, ptxla_advice(name));
}

static void put_frames(struct pen *p, const struct ptxla_frame *v, const struct ptxla_frame *user, size_t n,
    bool cut)
{
	char text[512];

	if (!n)
		return;
	p->y++;
	pen_head(p, "STACK", "innermost first");
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof text, "%s %.200s  %.200s:%lld", &v[i] == user ? "->" : "  ",
		    v[i].function, text_short_path(v[i].file), (long long)v[i].line);
		pen_say(p, &v[i] == user ? ROLE_BOLD : ROLE_DIM, text);
	}
	if (cut)
		pen_say(p, ROLE_DIM, "   more frames are not printed (PT_XLA_DEBUG_MAX_FRAME)");
}

static void put_analysis(struct pen *p, const struct ptxla_analysis *a)
{
	static const char *const names[PTXLA_SIZES] = { "input", "output", "aliased", "intermediate",
		"program" };
	struct field size[PTXLA_SIZES];
	bool any = false;

	for (int i = 0; i < PTXLA_SIZES; i++) {
		any |= a->size[i] >= 0;
		size[i] = (struct field){ names[i], "B", .v = a->size[i] < 0 ? NAN : (double)a->size[i] };
	}
	p->across = 1;
	if (any) {
		p->y++;
		pen_head(p, "MEMORY", "of the compiled graph");
		pen_fields(p, size, PTXLA_SIZES);
	}
	if (a->partial) {
		p->y++;
		pen_say(p, ROLE_WARN, "The block is cut off: some of it may be missing.");
	}
	put_frames(p, a->frames, a->user, a->nframes, a->truncated);
}

static void put_what(struct pen *p, const struct ptxla_analysis *a)
{
	char text[160];
	struct slice cause = slice_of(a->cause);

	if (a->user) {
		snprintf(text, sizeof text, "%.60s %.80s:%lld", a->user->function,
		    text_short_path(a->user->file), (long long)a->user->line);
		put_name(p, slice_of(text));
	}
	if (cause.n) {
		pen_text(p, 0, ROLE_TEXT, cause, 0);
		pen_say(p, ROLE_DIM, ptxla_cause_meaning(cause));
	}
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

static void group_card(struct pen *p, const struct ptxla_view *s, size_t row)
{
	const struct ptxla_group_row *g = &s->groups[row];
	const struct ptxla_analysis *memory =
	    ptxla_view_pages[s->page] == PTXLA_BY_HASH ? memory_of(s->x, g->of->graph_hash) : NULL;

	put_what(p, g->of);
	p->y++;
	pen_fields(p,
	    FIELDS({ "compiled", COUNT, .v = (double)g->compiled },
		{ "executed", COUNT, .v = g->executed < 0 ? NAN : (double)g->executed },
		{ "graphs", COUNT, .v = (double)g->distinct }));
	if (memory)
		put_analysis(p, memory);
	put_analysis(p, g->first);
}

/* All columns of a row, each as the sheet shows it; a long text is below its label. */
static void put_columns(struct pen *p, const struct ptxla_view *s, size_t row)
{
	const struct sheet *sheet = &s->sheet[s->page];
	char text[256];

	for (size_t i = 0; i < sheet->ncol; i++) {
		const char *label = sheet->col[i]->label;

		sheet_text(sheet, row, i, text, sizeof text);
		if (utf8_cols(text, strlen(text)) + LABEL < p->r.w - 2) {
			pen_line(p, ROLE_DIM, slice_of(label), text);
			continue;
		}
		pen_fmt(p, ROLE_DIM, "%s", label);
		pen_text(p, 2, ROLE_TEXT, slice_of(text), 0);
	}
}

static void put_card(struct pen *p, const struct ptxla_view *s, size_t row, enum frame_card how)
{
	const struct ptxla_unlowered *u;

	switch (ptxla_view_pages[s->page]) {
	case PTXLA_TIMES:
	case PTXLA_DATA:
	case PTXLA_COUNTS:
		metric_card(p, s, row, how);
		break;
	case PTXLA_COUNTERS:
		counter_card(p, s, row, how);
		break;
	case PTXLA_BY_FRAME:
	case PTXLA_BY_CAUSE:
	case PTXLA_BY_HASH:
		group_card(p, s, row);
		break;
	case PTXLA_ANALYSES:
		put_what(p, &s->x->analyses[row]);
		put_analysis(p, &s->x->analyses[row]);
		break;
	default:
		put_columns(p, s, row);
		u = ptxla_view_pages[s->page] == PTXLA_UNLOWERED ? &s->x->unlowered[row] : NULL;
		if (u)
			put_frames(p, u->frames, u->user, u->nframes, false);
	}
}

int ptxla_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct ptxla_view *s = v->state;
	size_t row = ptxla_view_row(s);
	struct pen p = { .c = c, .r = r, .y = r.y };

	if (row == SIZE_MAX)
		return r.y;
	if (how == FRAME_BELOW) {
		char *name = sheet_row_name(&s->sheet[s->page]);

		p.y = card_rule(c, r, r.y, name ? name : "details", "Enter: all of it");
		free(name);
	}
	if (how == FRAME_FULL && r.w > CARD_WIDEST)
		p.r.w = CARD_WIDEST;
	p.across = p.r.w < TWO_FIELDS ? 1 : 2;
	put_card(&p, s, row, how);
	return p.y;
}
