#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/findings/findings.h"
#include "core/results.h"
#include "widget/card.h"

/* Shows the members of the finding alone, unless the view has none of them. */
static void keep_members(struct app *app, struct view *v, const struct proof *proof)
{
	char *filter = v->ops->filter ? proof_filter(proof) : NULL;
	struct err err = { .at = ERR_NOWHERE };

	if (!filter)
		return;
	app->p->banner.filters = true;
	if (v->ops->filter(v, filter, &err) <= 0 && !view_computes(v)) {
		v->ops->filter(v, "", &err);
		app->p->banner.filters = false;
	}
	free(filter);
}

void banner_open(struct app *app, const struct findings *f, size_t i, struct view *v)
{
	struct banner *b = &app->p->banner;
	char cost[48];

	banner_close(app);
	finding_cost(&f->v[i], cost, sizeof cost);
	snprintf(b->number, sizeof b->number, "finding %zu of %zu: %s", i + 1, f->n, cost);
	snprintf(b->text, sizeof b->text, "%s; %s", f->v[i].title, f->v[i].evidence);
	b->view = (size_t)(v - app->views);
	b->on = true;
	keep_members(app, v, &f->v[i].proof);
}

bool banner_here(const struct app *app)
{
	const struct banner *b = &app->p->banner;

	return b->on && app->nviews && b->view == app->current;
}

void banner_forget(struct app *app)
{
	if (!banner_here(app))
		return;
	app->p->banner = (struct banner){ 0 };
	app_layout(app);
}

void banner_close(struct app *app)
{
	struct banner *b = &app->p->banner;
	struct err err = { .at = ERR_NOWHERE };
	struct view *v = b->on && b->view < app->nviews ? &app->views[b->view] : NULL;

	if (v && v->opened && b->filters)
		v->ops->filter(v, "", &err);
	*b = (struct banner){ 0 };
	app_layout(app);
}

void banner_draw(struct app *app)
{
	struct canvas *c = &app->p->canvas;
	const struct banner *b = &app->p->banner;
	int x = 1;

	if (!banner_here(app))
		return;
	canvas_fill(c, (struct rect){ 2, 0, 1, c->cols }, ' ', ROLE_TEXT, 0);
	x += canvas_str(c, 2, x, c->cols - 2, ROLE_BOLD, ATTR_BOLD, b->number) + 2;
	card_start(c, 2, x, c->cols - 1 - x, ROLE_TEXT, 0, b->text);
}
