#include "config.h"
#include "view/findings/findings.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"
#include "core/jump.h"
#include "core/results.h"
#include "view/frames.h"
#include "widget/bar.h"
#include "widget/card.h"
#include "widget/chart.h"

enum { BAR = 8, SAVES = 9, TITLE_AT = 4, TITLE_LEAST = 30, ADVICE_MOST = 2 };

/* --- layout --- */

/* Rows per finding: evidence is dropped before the list has to scroll; what to do is shown where there is room for
 * it besides the notes. */
static int lines_of(size_t n, int rows, int notes, bool beside)
{
	int lines = 3 + ADVICE_MOST;

	if (!beside)
		return 1;
	if ((int)n * 3 - 1 > rows)
		return (int)n * 2 <= rows ? 2 : 1;
	while (lines > 3 && (int)n * lines + notes > rows)
		lines--;
	return lines;
}

/* Steps of TPU cores can be replayed; keeps its place until it is known whether there are any. */
static bool can_mend(const struct view *v)
{
	const struct findings *mended = capture_has(v->cap, RESULT_MENDED);

	return trace_has_plane(&v->cap->dump->trace, PLANE_TPU) && (!mended || mended->whole > 0);
}

/* Places the line that shows where a step goes, if there is a trace; returns the rows it takes from list and
 * card. */
static int divide_step(struct view *v, struct rect a)
{
	struct findings_view *f = v->state;
	struct findings_place *p = &f->place;
	bool steps = v->cap->dump && v->cap->dump->trace.ntracks > 0, gaps = a.h >= 20;

	*p = (struct findings_place){ .head = a.h >= 8, .legend = a.h >= 12 };
	if (!steps || a.h < 8)
		return !steps && gaps;
	p->mended = a.h >= 14 && can_mend(v);
	p->step = (struct rect){ a.y + gaps, a.x, 1 + p->legend + p->mended, a.w };
	return gaps + p->step.h + gaps;
}

/* Places the notes on what was checked under the list, or gives the unused rows to the card below. */
static void divide_notes(struct findings_view *f, struct frame_place *at)
{
	int notes = findings_view_check_rows(f->set);
	struct findings_place *p = &f->place;
	int used = (int)f->list.n * f->lines + (f->lines < 3), room = p->list.h - p->head - used;

	p->notes = (struct rect){ p->list.y + p->head + used, p->list.x, room, p->list.w };
	if (!f->list.n)
		p->notes = (struct rect){ p->list.y + 3, p->list.x, p->list.h - 3, p->list.w };
	if (p->notes.h < 2 || p->notes.h < (notes < 3 ? notes : 3))
		p->notes.h = notes && room > 0; /* the counts alone */
	if (p->notes.h)
		p->list.h = p->notes.y - p->list.y;
	if (p->notes.h > 1 || at->how != FRAME_BELOW || room <= 1)
		return;
	at->card.y -= room - 1;
	at->card.h += room - 1;
	p->list.h -= p->notes.h ? 0 : room - 1;
}

struct frame_place findings_view_divide(struct view *v, struct rect a)
{
	struct frame_place at = frame_divide(&frame_forms[FORM_FINDINGS], a);
	struct findings_view *f = v->state;
	struct findings_place *p = &f->place;
	int top = divide_step(v, a);

	p->list = (struct rect){ at.main.y + top, at.main.x, at.main.h - top, at.main.w };
	if (at.how == FRAME_BESIDE) {
		at.card.y += top;
		at.card.h -= top;
	}
	f->lines = lines_of(f->list.n, p->list.h - p->head, f->set ? findings_view_check_rows(f->set) : 0,
	    at.how == FRAME_BESIDE);
	if (f->set)
		divide_notes(f, &at);
	f->list.y = p->list.y + p->head;
	return at;
}

/* --- the list --- */

struct columns {
	int title_w, bar, cost, saves, kind, proof;
}; /* first columns, for cost and saves the column after it; 0 = none */

/* Columns needed for the names of the views with the proofs, and for the heading. */
static int proof_cols(const struct findings *s)
{
	int most = 5;

	for (size_t i = 0; i < s->n; i++) {
		char text[48];
		int cols;

		jump_view(s->v[i].proof.evidence, text, sizeof text);
		cols = utf8_cols(text, strlen(text));
		most = cols > most ? cols : most;
	}
	return most;
}

static int cost_cols(const struct findings *s)
{
	int most = 6;

	for (size_t i = 0; i < s->n; i++) {
		char text[48];
		int cols;

		finding_cost(&s->v[i], text, sizeof text);
		cols = utf8_cols(text, strlen(text));
		most = cols > most ? cols : most;
	}
	return most;
}

/* Bars are dropped before titles are cut. */
static void columns_of(const struct findings *s, struct rect a, bool kinds, struct columns *k)
{
	int end = a.x + a.w, before;

	k->proof = a.w < 56 ? 0 : end - 1 - proof_cols(s);
	k->kind = kinds ? k->proof - 7 : 0;
	k->cost = kinds ? k->kind - 1 : k->proof ? k->proof - 4 : end - 1;
	k->saves = k->proof && s->whole > 0 ? k->cost : 0;
	k->cost -= k->saves ? SAVES : 0;
	before = k->cost - cost_cols(s) - 1;
	k->bar = k->proof && before - BAR - 1 - a.x - TITLE_AT >= TITLE_LEAST ? before - BAR : 0;
	k->title_w = (k->bar ? k->bar - 1 : before - 2) - a.x - TITLE_AT;
}

static const char *kind_of(const struct finding *f)
{
	static const char *const kind[] = { "", "time", "" }; /* bytes have their unit */

	return kind[f->cost_kind];
}

static void draw_head(const struct findings_view *f, struct canvas *c, struct rect a, const struct columns *k)
{
	char text[32];

	canvas_str(c, a.y, a.x + TITLE_AT, k->title_w, ROLE_DIM, 0, "Finding");
	snprintf(text, sizeof text, "Cost%s", f->by_cost ? c->glyphs->ascii ? " v" : " ▾" : "");
	canvas_str(c, a.y, k->bar ? k->bar : k->cost - 6, 8, ROLE_DIM, 0, text);
	if (k->saves)
		canvas_right(c, a.y, k->saves, ROLE_DIM, 0, "Saves");
	if (k->proof)
		canvas_str(c, a.y, k->proof, a.x + a.w - k->proof, ROLE_DIM, 0, "Proof");
}

static double bar_top(const struct findings *s)
{
	double most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (finding_share(&s->v[i]) > most)
			most = finding_share(&s->v[i]);
	return most > 0 ? chart_top(most) : 1;
}

/* What to do about it, a row each. */
static void draw_advice(const struct finding *f, struct canvas *c, int y, int x, int cols, int rows)
{
	const char *s = f->advice;

	for (int i = 0; i < rows && *s; i++) {
		char text[400];
		size_t n = strcspn(s, "\n");

		snprintf(text, sizeof text, "%d %.*s", i + 1, (int)(n < 390 ? n : 390), s);
		card_start(c, y + i, x, cols, ROLE_DIM, 0, text);
		s += n + (s[n] == '\n');
	}
}

/* The columns of a title: also those of the bar and the cost if they are empty. */
static int title_cols(struct rect a, const struct columns *k, double share, const char *cost)
{
	int end = !*cost ? (k->saves          ? k->saves - SAVES
				   : k->proof ? k->proof
					      : a.x + a.w) -
		1
	    : share > 0 && k->bar ? k->bar - 1
				  : k->cost - utf8_cols(cost, strlen(cost)) - 2;

	return end - a.x - TITLE_AT;
}

static void draw_finding(const struct findings_view *f, struct canvas *c, struct rect a, int y,
    const struct columns *k, size_t line, double top)
{
	const struct finding *one = &f->set->v[f->order[line]];
	double share = finding_share(one);
	enum role role = findings_view_role(one->severity), text_role = ROLE_TEXT;
	unsigned bold = one->severity == SEVERITY_LOW ? 0 : ATTR_BOLD;
	char text[48];

	if (bold)
		text_role = ROLE_BOLD;
	canvas_str(c, y, a.x + 1, 2, role, bold, findings_view_mark(one->severity));
	/* the same attribute as its neighbors sends fewer bytes */
	canvas_put(c, y, a.x + TITLE_AT - 1, ' ', text_role, bold);
	finding_cost(one, text, sizeof text);
	card_start(c, y, a.x + TITLE_AT, title_cols(a, k, share, text),
	    f->scratch && findings_view_match(one, f->frame.find, f->scratch) ? ROLE_HIT : text_role, bold,
	    one->title);
	canvas_right(c, y, k->cost, text_role, bold, text);
	if (k->kind && *text)
		canvas_str(c, y, k->kind, 5, ROLE_DIM, 0, kind_of(one));
	if (k->saves)
		canvas_right(c, y, k->saves, text_role, bold,
		    finding_saving(one, c->glyphs->ascii, text, sizeof text));
	if (k->proof) {
		jump_view(one->proof.evidence, text, sizeof text);
		canvas_str(c, y, k->proof, a.x + a.w - k->proof, ROLE_TEXT, 0, text);
	}
	if (f->lines > 1 && y + 1 < a.y + a.h)
		card_start(c, y + 1, a.x + TITLE_AT, a.w - TITLE_AT - 1, ROLE_TEXT, 0, one->evidence);
	draw_advice(one, c, y + 2, a.x + TITLE_AT, a.w - TITLE_AT - 1, f->lines - 3);
	if (line == f->list.at) {
		canvas_role(c, (struct rect){ y, a.x, 1, a.w }, ROLE_SELECTED, ATTR_BOLD);
		if (k->bar && share > 0)
			canvas_role(c, (struct rect){ y, k->bar, 1, BAR }, ROLE_TEXT, 0);
	}
	if (k->bar && share > 0)
		bar_draw(c, y, k->bar, BAR, share / top, bold ? role : ROLE_TEXT);
}

static void draw_list(struct findings_view *f, struct canvas *c)
{
	const struct findings_place *p = &f->place;
	struct rect a = p->list, old = canvas_clip(c, a);
	double top = bar_top(f->set);
	struct columns k;

	columns_of(f->set, a, !(f->set->whole > 0) && a.w >= (f->frame.at.how == FRAME_BESIDE ? 76 : 96), &k);
	if (p->head)
		draw_head(f, c, a, &k);
	list_fit(&f->list, (a.h - p->head + (f->lines >= 3)) / f->lines);
	f->scratch = f->frame.find ? regex_scratch_new(f->frame.find) : NULL;
	for (int i = 0; i < f->list.rows && f->list.top + (size_t)i < f->list.n; i++)
		draw_finding(f, c, a, f->list.y + i * f->lines, &k, f->list.top + (size_t)i, top);
	regex_scratch_free(f->scratch);
	f->scratch = NULL;
	f->list_end = a.x + a.w;
	canvas_clip(c, old);
}

/* The view that follows is the one that such a file is opened for. */
static void say_where(const struct app *app, char *text, size_t size)
{
	size_t n = strlen(text);

	if (app->nviews > 2)
		snprintf(text + n, size - n, " See %s.", app->views[1].ops->title);
}

/* Says why there are no findings to list. */
static void draw_none(const struct app *app, const struct findings_view *f, struct canvas *c, struct rect a)
{
	enum role role = ROLE_TEXT;
	char counts[96], text[192] = "No timing data; see 6 Memory.";

	if (f->filter) {
		role = ROLE_DIM;
		snprintf(text, sizeof text, "no finding matches the filter (& and Enter ends it)");
	} else if (f->set->nchecks &&
	    (!*findings_counts(f->set, counts, sizeof counts) || !f->set->count[CHECK_PASSED])) {
		role = ROLE_WARN;
		snprintf(text, sizeof text, "Nothing is known: %s.",
		    *counts ? counts : "no check was possible");
	} else if (f->set->nchecks) { /* good only if everything could be checked */
		role = f->set->count[CHECK_UNKNOWN] ? ROLE_TEXT : ROLE_GOOD;
		snprintf(text, sizeof text, "No findings: %s.", counts);
	}
	if (!f->filter && f->set->nchecks && !app->cap->dump->trace.ntracks)
		say_where(app, text, sizeof text);
	card_text(c, a, a.y + (a.h > 3), 0, role, text, strlen(text));
}

static void draw_step(struct view *v, struct canvas *c)
{
	const struct findings_view *f = v->state;
	const struct account *a = result_get(v->app, RESULT_ACCOUNT);

	if (!f->place.step.h || !a)
		return;
	findings_view_step_draw(a, c, f->place.step, f->place.legend);
	if (f->place.mended)
		findings_view_mended(f->set, c, f->place.step);
}

void findings_view_draw_nothing(struct view *v, struct canvas *c, struct rect a)
{
	const struct findings_view *f = v->state;

	findings_view_divide(v, a);
	draw_step(v, c);
	result_draw_what(v->app, RESULT_FINDINGS, c, f->place.list);
}

void findings_view_draw(struct view *v, struct canvas *c, struct rect a)
{
	struct findings_view *f = v->state;

	(void)a; /* uses the layout made by findings_view_divide() */
	draw_step(v, c);
	if (f->list.n)
		draw_list(f, c);
	else
		draw_none(v->app, f, c, f->place.list);
	if (f->place.notes.h)
		findings_view_checks(f->set, c, f->place.notes);
}
