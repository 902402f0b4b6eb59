#include "config.h"

#include "view/tl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "core/job.h"

/* --- making --- */

static int by_step(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;
	int c;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if ((c = strcmp(x->number, y->number)))
		return c;
	return x->host != y->host ? x->host - y->host : x->core != y->core ? x->core - y->core : (x > y) - (x < y);
}

static int by_start(const void *a, const void *b)
{
	const struct tl_step_row *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->worst->id > y->worst->id) - (x->worst->id < y->worst->id);
}

static void add_core(const struct tl *t, struct tl_step_row *r, const struct step *s)
{
	int64_t from, to;

	steps_span(s, t->dump, &from, &to);
	from += tl_align_shift(t, s->plane);
	to += tl_align_shift(t, s->plane);
	if (!r->cores++ || to - from > r->to - r->from) {
		r->worst = s;
		r->from = from;
		r->to = to;
	}
	r->interval = s->interval > r->interval || r->cores == 1 ? s->interval : r->interval;
	r->outlier |= s->outlier;
}

static void make_rows(struct tl *t)
{
	struct tl_step_table *p = &t->steps;
	const struct steps *s = p->with_ops ? &p->own : &t->view->app->steps;
	const struct step **v = xcalloc(s->n + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		if (t->host < 0 || s->v[i].host == t->host)
			v[n++] = &s->v[i];
	qsort(v, n, sizeof *v, by_step);
	free(p->row);
	p->row = xcalloc(n + 1, sizeof *p->row);
	p->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!i || v[i]->id != v[i - 1]->id || strcmp(v[i]->number, v[i - 1]->number))
			p->n++;
		add_core(t, &p->row[p->n - 1], v[i]);
	}
	qsort(p->row, p->n, sizeof *p->row, by_start);
	free(v);
	p->host = t->host;
	p->made = true;
	p->problems_made = false;
}

/* The last step that begins at or before the cursor. */
static size_t row_at(const struct tl *t)
{
	const struct tl_step_table *p = &t->steps;
	size_t i = 0;

	while (i + 1 < p->n && p->row[i + 1].from <= t->cursor + t->grid.shift)
		i++;
	return i;
}

void tl_steps_want(struct tl *t)
{
	if (!t->steps.made || t->steps.host != t->host)
		make_rows(t);
}

/* --- what the ops did --- */

struct tl_steps_job { struct tl *t; struct steps steps; };

static void add_up(void *ctx, struct progress *progress)
{
	struct tl_steps_job *j = ctx;
	const struct steps *from = &j->t->view->app->steps;	/* names and groups stay there */

	steps_free(&j->steps);
	j->steps = *from;
	j->steps.text = (struct arena){ 0 };
	j->steps.v = xrealloc(NULL, from->n + 1, sizeof *from->v);
	memcpy(j->steps.v, from->v, from->n * sizeof *from->v);
	steps_times(j->t->dump, &j->steps, progress);
	j->steps.groups = NULL;
}

static void added_up(struct app *app, void *ctx)
{
	struct tl_steps_job *j = ctx;
	struct tl_step_table *p = &j->t->steps;

	(void)app;
	p->own = j->steps;
	p->with_ops = true;
	p->job = NULL;
	j->steps = (struct steps){ 0 };
	make_rows(j->t);
}

static void drop(void *ctx)
{
	struct tl_steps_job *j = ctx;

	steps_free(&j->steps);
	free(j);
}

void tl_steps_step(struct tl *t)
{
	struct tl_step_table *p = &t->steps;
	enum step_source source = t->view->app->steps.source;

	if (!p->open || p->with_ops || p->job || (source != STEPS_LINE && source != STEPS_MODULES))
		return;
	p->job = xcalloc(1, sizeof *p->job);
	p->job->t = t;
	jobs_add(t->view->app, &(struct job){ "adding up ops", add_up, added_up, drop, p->job });
}

void tl_steps_forget(struct tl *t)
{
	struct tl_step_table *p = &t->steps;

	if (p->job)
		jobs_drop(t->view->app, p->job);
	free(p->row);
	free(p->problem);
	if (p->with_ops)
		steps_free(&p->own);
	*p = (struct tl_step_table){ .open = p->open, .cur = p->cur, .top = p->top };
}

void tl_steps_free(struct tl *t)
{
	tl_steps_forget(t);
	t->steps.open = false;
}

/* --- keys --- */

unsigned tl_steps_toggle(struct tl *t)
{
	struct tl_step_table *p = &t->steps;

	tl_steps_want(t);
	if (!p->open && !p->n) {
		app_message(t->view->app, false, "No steps in this capture");
		return REACT_REDRAW;
	}
	p->open = !p->open;
	if (p->open) {
		p->cur = row_at(t);
		t->chain.open = false;
	}
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static void go_to_step(struct tl *t, const struct tl_step_row *r)
{
	uint32_t track = r->worst->track;

	if (track < t->rows.ntracks && t->rows.node_of[track] != TL_NONE) {
		tl_rows_open_to(&t->rows, t->rows.node_of[track]);
		tl_rows_show(&t->rows);
		t->cur = tl_rows_find(&t->rows, t->rows.v[t->rows.node_of[track]].id);
	}
	tl_grid_fit(&t->grid, r->from - t->grid.shift, r->to - t->grid.shift);
	t->cursor = r->from - t->grid.shift;
	tl_keep_visible(t);
}

bool tl_steps_act(struct tl *t, enum action a, int count, unsigned *react)
{
	struct tl_step_table *p = &t->steps;
	size_t page = t->lay.pane.h > 3 ? (size_t)t->lay.pane.h - 3 : 1, by = (size_t)count;

	if (!p->open)
		return false;
	tl_steps_want(t);
	*react = REACT_REDRAW;
	switch (a) {
	case ACT_PAGE_UP: by *= page;	/* fall through */
	case ACT_UP: p->cur = p->cur > by ? p->cur - by : 0; break;
	case ACT_PAGE_DOWN: by *= page;	/* fall through */
	case ACT_DOWN: p->cur += by; break;
	case ACT_TOP: p->cur = 0; break;
	case ACT_BOTTOM: p->cur = p->n; break;
	case ACT_OPEN:
		if (p->cur < p->n)
			go_to_step(t, &p->row[p->cur]);
		break;
	case ACT_BACK:
		p->open = false;
		tl_keep_visible(t);
		break;
	default: return false;
	}
	if (p->cur >= p->n)
		p->cur = p->n ? p->n - 1 : 0;
	return true;
}

/* --- drawing --- */

struct table_columns { int number, name, name_w, dur, next, core, idle, infeed; };

static struct table_columns columns_of(struct rect r)
{
	struct table_columns c = { .number = r.x + 3 };
	int end = r.x + r.w - 2;

	c.infeed = end;
	c.idle = c.infeed - 12;
	c.core = c.idle - 22;		/* left aligned */
	c.next = c.core - 3;
	c.dur = c.next - 13;
	c.name = r.x + 14;
	c.name_w = c.dur - 14 - c.name;
	return c;
}

static void core_text(const struct tl *t, const struct tl_step_row *r, char *buf, size_t size)
{
	const struct strtab *str = &t->dump->str;
	int host = r->worst->host;

	if (t->dump->nhosts > 1 && t->host < 0 && host >= 0)
		snprintf(buf, size, "%.8s TPU:%d", strtab_str(str, t->dump->hosts[host].name), r->worst->core);
	else if (r->worst->core >= 0)
		snprintf(buf, size, "TPU:%d", r->worst->core);
	else
		snprintf(buf, size, "host");
}

static void draw_step(const struct tl *t, struct canvas *cv, int y, struct rect r, const struct table_columns *c,
    const struct tl_step_row *s, bool here, enum time_unit unit)
{
	enum role role = here ? ROLE_SELECTED : ROLE_TEXT;
	unsigned attr = s->outlier ? ATTR_BOLD : 0;
	int decimals = unit == UNIT_PS ? 0 : 3;
	char buf[64];

	if (here) {
		canvas_fill(cv, (struct rect){ y, r.x, 1, r.w - 1 }, ' ', role, 0);
		canvas_put(cv, y, r.x, '>', role, 0);
	}
	if (s->outlier)
		canvas_put(cv, y, r.x + 1, '!', here ? role : ROLE_WARN, ATTR_BOLD);
	canvas_cut(cv, y, c->number, c->name - c->number - 1, role, attr, s->worst->number, strlen(s->worst->number));
	if (s->worst->name && c->name_w > 3)
		canvas_cut(cv, y, c->name, c->name_w, role, 0, s->worst->name, s->worst->name_len);
	canvas_right(cv, y, c->dur, role, attr, units_time_in(buf, sizeof buf, s->to - s->from, unit, decimals));
	if (s->interval >= 0)
		canvas_right(cv, y, c->next, role, 0, units_time_in(buf, sizeof buf, s->interval, unit, decimals));
	core_text(t, s, buf, sizeof buf);
	canvas_str(cv, y, c->core, 13, role, 0, buf);
	if (s->worst->has_ops) {
		canvas_right(cv, y, c->idle, role, 0, units_time_in(buf, sizeof buf, s->worst->idle, unit, decimals));
		canvas_right(cv, y, c->infeed, role, 0,
		    units_time_in(buf, sizeof buf, s->worst->infeed, unit, decimals));
	}
}

static void draw_heads(
    const struct tl *t, struct canvas *cv, int y, const struct table_columns *c, enum time_unit unit)
{
	char buf[48];

	canvas_str(cv, y, c->number, 8, ROLE_TEXT, ATTR_UNDERLINE, "step");
	if (c->name_w > 3)
		canvas_str(cv, y, c->name, c->name_w, ROLE_TEXT, ATTR_UNDERLINE, "name");
	snprintf(buf, sizeof buf, "longest %s", unit_name(unit, tl_ascii(t)));
	canvas_right(cv, y, c->dur, ROLE_TEXT, ATTR_UNDERLINE, buf);
	canvas_right(cv, y, c->next, ROLE_TEXT, ATTR_UNDERLINE, "to next");
	canvas_str(cv, y, c->core, 13, ROLE_TEXT, ATTR_UNDERLINE, "on");
	canvas_right(cv, y, c->idle, ROLE_TEXT, ATTR_UNDERLINE, "idle");
	canvas_right(cv, y, c->infeed, ROLE_TEXT, ATTR_UNDERLINE, "infeed");
}

void tl_draw_steps(struct tl *t, struct canvas *cv, struct rect r)
{
	struct tl_step_table *p = &t->steps;
	const struct steps *s = &t->view->app->steps;
	struct table_columns c = columns_of(r);
	struct rect old = canvas_clip(cv, r);
	size_t rows = r.h > 3 ? (size_t)r.h - 3 : 1, outliers = 0;
	enum time_unit unit;
	char left[240], right[96];

	tl_steps_want(t);
	unit = unit_for((int64_t)(s->max_ms * (double)PS_PER_MS));
	for (size_t i = 0; i < p->n; i++)
		outliers += p->row[i].outlier;
	snprintf(left, sizeof left, "steps%s%.*s", s->source == STEPS_MODULES ? ": runs of " : s->source == STEPS_HOST ?
	    " of the host" : "", (int)strcspn(s->module, "("), s->source == STEPS_MODULES ? s->module : "");
	snprintf(right, sizeof right, "%zu steps, mean %.3f ms, %zu slow (!)", p->n, s->avg_ms, outliers);
	tl_pane_title(t, cv, r, left, strlen(left), right);
	draw_heads(t, cv, r.y + 1, &c, unit);
	if (p->cur < p->top)
		p->top = p->cur;
	if (p->cur >= p->top + rows)
		p->top = p->cur - rows + 1;
	if (p->top + rows > p->n)
		p->top = p->n > rows ? p->n - rows : 0;
	for (size_t i = p->top; i < p->n && i < p->top + rows; i++)
		draw_step(t, cv, r.y + 2 + (int)(i - p->top), r, &c, &p->row[i], i == p->cur, unit);
	canvas_clip(cv, old);
}
