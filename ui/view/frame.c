#include "config.h"
#include "view/frame.h"

#include <stdio.h>

#include "core/app.h"
#include "core/choice.h"
#include "core/results.h"
#include "widget/card.h"

enum { TITLE = 512, LONGEST = 20000 /* most rows of a full card */, AMPLE = 136 };

static struct frame *frame_of(const struct view *v)
{
	return v->state;
}

static const struct frame_ops *ops_of(const struct view *v)
{
	return v->ops->frame;
}

static struct sheet *shown_sheet(struct view *v)
{
	const struct frame_ops *ops = ops_of(v);

	return ops->sheet ? ops->sheet(v) : NULL;
}

static struct list *shown_list(struct view *v)
{
	const struct frame_ops *ops = ops_of(v);
	struct sheet *s = shown_sheet(v);

	return s ? &s->list : ops->list ? ops->list(v) : NULL;
}

/* --- keeping in sync with the results --- */

static void forget_search(struct view *v)
{
	struct frame *f = frame_of(v);

	if (f->serial && ops_of(v)->drop)
		ops_of(v)->drop(v);
	f->serial = 0;
}

/* A view that needs no results is always ready. */
static unsigned long serial_of(const struct view *v)
{
	const struct frame_ops *ops = ops_of(v);
	unsigned needs = ops->needs ? ops->needs(v) : ops->results;

	return needs ? results_serial(v->app, needs) : 1;
}

bool frame_ready(const struct view *view)
{
	struct view *v = (struct view *)view;
	struct frame *f = frame_of(v);
	const struct frame_ops *ops = ops_of(v);
	unsigned long now = serial_of(v);

	if (now != f->serial || (ops->of_core && v->cap->scope.op_core != f->core)) {
		forget_search(v);
		if (!now)
			return false;
		f->serial = now;
		f->core = ops->of_core ? v->cap->scope.op_core : -1;
		if (ops->take)
			ops->take(v);
	}
	return now && (!ops->ready || ops->ready(v));
}

void frame_renew(struct view *v)
{
	if (shown_sheet(v))
		sheet_keep(shown_sheet(v));
	forget_search(v);
}

void frame_close(struct view *v)
{
	forget_search(v);
}

/* --- layout --- */

/* A third of the columns beyond AMPLE is the card's, so that texts in it wrap less. */
static int card_width(const struct frame_form *form, int cols)
{
	int w = form->beside.card + (cols > AMPLE ? (cols - AMPLE) / 3 : 0);

	return w < form->beside.most ? w : form->beside.most > 0 ? form->beside.most : form->beside.card;
}

struct frame_place frame_divide(const struct frame_form *form, struct rect a)
{
	struct frame_place p = { .main = a };
	int rows = 0, card;

	if (form->beside.cols && a.w >= form->beside.cols && a.h >= form->beside.rows) {
		card = card_width(form, a.w);
		p.how = FRAME_BESIDE;
		p.card = (struct rect){ a.y, a.x + a.w - card, a.h, card };
		p.main.w = a.w - card - form->beside.gap;
		return p;
	}
	for (size_t i = 0; i < FRAME_HEIGHTS && form->below.height[i].rows && a.w >= form->below.cols; i++)
		if (a.h >= form->below.height[i].rows)
			rows = form->below.height[i].card;
	if (rows) {
		p.how = FRAME_BELOW;
		p.card = (struct rect){ a.y + a.h - rows, a.x, rows, a.w };
		p.main.h = a.h - rows;
	}
	return p;
}

/* --- the full card --- */

static bool has_card(struct view *v)
{
	const struct frame_ops *ops = ops_of(v);

	return !ops->has_card || ops->has_card(v);
}

static void set_full(struct view *v, bool full)
{
	struct frame *f = frame_of(v);

	f->full = full && has_card(v);
	f->scroll = 0;
}

void frame_open_card(struct view *v)
{
	set_full(v, true);
}

void frame_close_card(struct view *v)
{
	set_full(v, false);
}

void frame_toggle_card(struct view *v)
{
	set_full(v, !frame_of(v)->full);
}

/* Draws the card first outside the clip to find its length, then in place. */
static void draw_full(struct view *v, struct canvas *c, struct rect a)
{
	struct frame *f = frame_of(v);
	char title[TITLE] = "", right[TITLE] = "", scrolled[64];
	struct rect body = a, old;

	if (ops_of(v)->title) {
		body.y++;
		body.h--;
	}
	old = canvas_clip(c, (struct rect){ 0 });
	f->lines = ops_of(v)->card(v, c, (struct rect){ 0, body.x, LONGEST, body.w }, FRAME_FULL);
	f->rows = body.h;
	if (f->scroll > f->lines - body.h)
		f->scroll = f->lines > body.h ? f->lines - body.h : 0;
	canvas_clip(c, body);
	ops_of(v)->card(v, c, (struct rect){ body.y - f->scroll, body.x, LONGEST, body.w }, FRAME_FULL);
	canvas_clip(c, old);
	if (!ops_of(v)->title)
		return;
	ops_of(v)->title(v, title, right, sizeof right);
	card_scroll_text(f->scroll, f->lines, body.h, scrolled, sizeof scrolled);
	card_rule(c, a, a.y, title, *scrolled ? scrolled : right);
}

static void draw_card(struct view *v, struct canvas *c, const struct frame_place *p)
{
	struct rect old;

	if (p->how == FRAME_NO_CARD)
		return;
	if (p->how == FRAME_BESIDE)
		canvas_vline(c, p->card.y, p->card.x - 1, p->card.h);
	canvas_late(c, p->card);
	old = canvas_clip(c, p->card);
	ops_of(v)->card(v, c, p->card, p->how);
	canvas_clip(c, old);
}

void frame_draw(struct view *v, struct canvas *c)
{
	struct frame *f = frame_of(v);
	const struct frame_ops *ops = ops_of(v);
	struct rect a = v->area;

	if (ops->form->airy && a.h >= ops->form->airy) {
		a.y++;
		a.h--;
	}
	if (!frame_ready(v)) {
		if (ops->draw_nothing)
			ops->draw_nothing(v, c, a);
		else
			results_draw_what(v->app, ops->results, c, a);
		return;
	}
	if (shown_sheet(v))
		sheet_keep(shown_sheet(v));
	if (ops->above)
		a = ops->above(v, c, a);
	f->full = f->full && has_card(v);
	if (f->full) {
		draw_full(v, c, a);
		return;
	}
	f->at = ops->divide ? ops->divide(v, a) : frame_divide(ops->form, a);
	if (ops->main)
		ops->main(v, c, f->at.main);
	else
		sheet_draw(shown_sheet(v), c, f->at.main);
	draw_card(v, c, &f->at);
}

/* --- keys and clicks --- */

static void picked_column(struct app *app, int i)
{
	struct view *v = &app->views[app->current];
	struct sheet *s = frame_ready(v) ? shown_sheet(v) : NULL;

	if (!s)
		return;
	sheet_toggle(s, (size_t)i);
	/* stays open until Esc, because columns are often chosen in groups */
	sheet_choose(s, app, picked_column);
}

static void picked_order(struct app *app, int i)
{
	struct view *v = &app->views[app->current];

	if (frame_ready(v) && shown_sheet(v))
		sheet_sort_line(shown_sheet(v), i);
}

static void choose_in_sheet(struct view *v, enum action a)
{
	if (a == ACT_COLUMNS)
		sheet_choose(shown_sheet(v), v->app, picked_column);
	else
		sheet_choose_sort(shown_sheet(v), v->app, picked_order);
}

unsigned frame_act(struct view *v, enum action a, int count)
{
	struct frame *f = frame_of(v);
	const struct frame_ops *ops = ops_of(v);
	unsigned react = ops->act_always ? ops->act_always(v, a, count) : ACT_PASS;

	if (react != ACT_PASS)
		return react;
	if (a == ACT_CORE && ops->of_core) {
		choice_core(v->app);
		return REACT_REDRAW;
	}
	if (!frame_ready(v))
		return a == ACT_BACK ? ACT_PASS : REACT_LATER;
	if (ops->act && (react = ops->act(v, a, count)) != ACT_PASS)
		return react;
	if (a == ACT_OPEN && !f->full && shown_sheet(v) && sheet_act(shown_sheet(v), a, count) != ACT_PASS)
		return REACT_REDRAW; /* a line with children */
	if (a == ACT_OPEN || a == ACT_DETAILS || (a == ACT_BACK && f->full)) {
		frame_toggle_card(v);
		return REACT_REDRAW;
	}
	if (f->full)
		return card_scroll(&f->scroll, f->lines, f->rows, a, count) ? REACT_REDRAW : ACT_PASS;
	if (shown_sheet(v) && (a == ACT_COLUMNS || a == ACT_SORT_BY)) {
		choose_in_sheet(v, a);
		return REACT_REDRAW;
	}
	if (shown_sheet(v))
		return sheet_act(shown_sheet(v), a, count);
	return shown_list(v) ? list_react(shown_list(v), a, count) : ACT_PASS;
}

/* A click selects; a click on the selected line opens it. */
unsigned frame_mouse(struct view *v, const struct mouse *m)
{
	struct frame *f = frame_of(v);
	struct list *l;
	struct sheet *s;
	unsigned react;
	size_t at;
	int line;

	if (m->kind == MOUSE_WHEEL || !frame_ready(v))
		return ACT_PASS;
	if (m->kind != MOUSE_PRESS || m->button != 1 || f->full)
		return REACT_NONE;
	if (ops_of(v)->press && (react = ops_of(v)->press(v, m)) != ACT_PASS)
		return react;
	if (!(l = shown_list(v)))
		return REACT_NONE;
	at = l->at;
	s = shown_sheet(v);
	if (s && (m->x >= s->x[s->ncol] || !sheet_click(s, m->y, m->x)))
		return REACT_NONE;
	if ((line = list_line_at(l, m->y)) < 0)
		return s ? REACT_REDRAW : REACT_NONE; /* a click on its header */
	l->at = (size_t)line;
	return at == l->at ? frame_act(v, ACT_OPEN, 1) : REACT_REDRAW;
}

/* --- search, filter --- */

int frame_find(struct view *v, const struct regex *re, int dir)
{
	struct frame *f = frame_of(v);
	bool ready = re && frame_ready(v);
	struct sheet *s = ready ? shown_sheet(v) : NULL;

	if (f->searched && f->searched != s)
		sheet_find(f->searched, NULL, 0);
	f->searched = NULL;
	f->found = false;
	f->find = re;
	if (!ready)
		return re ? -1 : 0;
	if (!s) {
		f->found = ops_of(v)->find != NULL;
		return f->found ? ops_of(v)->find(v, re, dir, &f->hits) : -1;
	}
	f->searched = s;
	return sheet_find(s, re, dir);
}

void frame_find_status(const struct view *v, char *buf, size_t size)
{
	struct sheet *s = shown_sheet((struct view *)v);

	if (s && s == frame_of(v)->searched && s->find)
		sheet_find_status(s, buf, size);
	else if (!s && frame_of(v)->found)
		list_find_status(&frame_of(v)->hits, buf, size);
	else
		snprintf(buf, size, "n searches here");
}

int frame_filter(struct view *v, const char *text, struct err *e)
{
	struct sheet *s;

	frame_ready(v); /* a filter may be restored before the results are ready */
	if (!(s = shown_sheet(v)))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "nothing to filter here");
	frame_close_card(v);
	return sheet_filter(s, text, e);
}

int frame_copy(struct view *v, FILE *out)
{
	struct sheet *s = frame_ready(v) ? shown_sheet(v) : NULL;

	return s ? sheet_copy(s, out) : -1;
}
