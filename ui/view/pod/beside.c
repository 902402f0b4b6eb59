/* The ops of the chosen core beside those of the median core, below the map. */
#include "config.h"
#include "view/pod/pod.h"

#include <stdio.h>
#include <string.h>

#include "core/results.h"
#include "widget/fields.h"

enum { TWO_COLUMNS = 60 };

void pod_view_beside_want(struct pod_view *v)
{
	const struct step_core_info *core = &v->pod->cores.core[v->core];
	struct capture_scope *scope = &v->app->cap->scope;

	if (scope->beside_host == core->host && scope->beside_core == core->core)
		return;
	results_renew(v->app, RESULT_POD_BESIDE); /* first, because a job may read what changes */
	scope->beside_host = core->host;
	scope->beside_core = core->core;
}

const struct pod_beside *pod_view_beside(const struct pod_view *v)
{
	return result_get(v->app, RESULT_POD_BESIDE);
}

void pod_view_beside_make(struct pod_view *v)
{
	const struct pod_beside *b = pod_view_beside(v);

	if (!b)
		return;
	v->beside_serial = result_serial(v->app, RESULT_POD_BESIDE);
	pod_beside_table(b, &v->links);
	sheet_set_rows(&v->sheet,
	    &(struct sheet_rows){ .table = &v->links, .of = b->ops.v, .size = sizeof *b->ops.v });
}

bool pod_view_beside_due(const struct pod_view *v)
{
	return v->below == POD_OPS && result_serial(v->app, RESULT_POD_BESIDE) != v->beside_serial;
}

void pod_view_beside_gloss(const struct pod_view *v, char *buf, size_t size)
{
	const struct pod_beside *b = pod_view_beside(v);
	char core[48], median[48];

	*buf = 0;
	if (b && b->core < v->pod->cores.ncores)
		snprintf(buf, size, "%s beside %s, the median core; mean step",
		    pod_view_core_name(v, b->core, core, sizeof core),
		    pod_view_core_name(v, b->median, median, sizeof median));
}

const struct beside_op *pod_view_beside_here(const struct pod_view *v)
{
	const struct pod_beside *b = v->below == POD_OPS ? pod_view_beside(v) : NULL;
	size_t row = b ? sheet_row(&v->sheet) : SIZE_MAX;

	return b && row < b->ops.n && v->beside_serial == result_serial(v->app, RESULT_POD_BESIDE)
	    ? &b->ops.v[row]
	    : NULL;
}

static void put_own(struct pen *p, const struct pod_beside *b)
{
	char text[80];

	pen_head(p, "OWN WORK", "what the others wait for");
	snprintf(text, sizeof text, b->own[1] > 0 ? "%.2f×" : "–", b->own[0] / b->own[1]);
	pen_fields(p,
	    FIELDS({ "this core", "ms", .v = b->own[0] / 1e9 }, { "median", "ms", .v = b->own[1] / 1e9 },
		{ "ratio", .text = text },
		{ "of the step", "%", .v = 100 * (b->own[0] - b->own[1]) / b->step }));
	p->y++;
}

int pod_view_beside_card(const struct pod_view *v, struct canvas *c, struct rect r)
{
	const struct pod_beside *b = pod_view_beside(v);
	const struct beside_op *o = pod_view_beside_here(v);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = 13 };

	if (!b || b->core == SIZE_MAX)
		return p.y;
	if (r.w >= TWO_COLUMNS)
		p.r.w = r.w / 2;
	put_own(&p, b);
	if (!o)
		return p.y;
	if (r.w >= TWO_COLUMNS) {
		p.r.x += r.w / 2;
		p.y = r.y;
	}
	pen_head(&p, "OP", kind_info[o->kind].name);
	pen_name(&p, o->name);
	pen_fields(&p,
	    FIELDS({ "this core", "us", .v = o->ps[0] / 1e6 }, { "median core", "us", .v = o->ps[1] / 1e6 },
		{ "difference", "us", .v = (o->ps[0] - o->ps[1]) / 1e6 }));
	return p.y;
}
