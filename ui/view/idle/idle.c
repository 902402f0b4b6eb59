#include "config.h"
#include "view/idle/idle.h"

#include <stdio.h>

#include "core/app.h"
#include "core/results.h"
#include "view/frames.h"

static const struct page pages[IDLE_PAGES] = {
	[IDLE_LONGEST] = { "longest", &idle_longest_schema, "after", NULL, "idle_us" },
	[IDLE_LAUNCHES] = { "launches", &idle_launches_schema, "event", NULL, "time_us" },
	[IDLE_CORES] = { "cores", &idle_cores_schema, "core", NULL, NULL },
	[IDLE_STEPS] = { "steps", &idle_steps_schema, "step", NULL, NULL },
};

static void idle_take(struct view *v)
{
	struct idle_view *s = v->state;

	if (!(s->v = result_get(v->app, RESULT_IDLE)))
		return;
	idle_longest_table(s->v, &s->pages.table[IDLE_LONGEST]);
	idle_launches_table(s->v, &s->pages.table[IDLE_LAUNCHES]);
	idle_cores_table(s->v, &s->pages.table[IDLE_CORES]);
	idle_steps_table(s->v, true, &s->pages.table[IDLE_STEPS]);
	pages_shown(v);
}

static void idle_drop(struct view *v)
{
	pages_drop(v);
	((struct idle_view *)v->state)->v = NULL;
}

static unsigned idle_act(struct view *v, enum action a, int count)
{
	(void)count;
	return a == ACT_IDLE_NEXT ? pages_next(v) : ACT_PASS;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_IDLE],
	.results = 1u << RESULT_IDLE,
	.take = idle_take,
	.drop = idle_drop,
	.above = idle_above,
	.card = idle_card,
	.act = idle_act,
	PAGES_FRAME_SLOTS };

static int idle_open(struct view *v)
{
	pages_open(v, pages, IDLE_PAGES);
	return 0;
}

/* The piece of idle time, on its core; of a launch, what the host did. */
static struct ref idle_here(const struct view *v)
{
	const struct idle_view *s = v->state;
	struct ref r = REF_EMPTY;
	size_t row;

	if (!frame_ready(v) ||
	    (row = sheet_row(&s->pages.sheet[s->pages.page])) >= s->pages.table[s->pages.page].nrows)
		return r;
	if (s->pages.page == IDLE_LONGEST) {
		const struct idle_gap *g = &s->v->gap[row];

		r.kind = REF_TIME;
		r.gap = true;
		r.host = g->host;
		r.core = g->core;
		r.t0 = g->of.from - g->of.shift;
		r.t1 = g->of.to - g->of.shift;
	} else if (s->pages.page == IDLE_LAUNCHES && s->v->launch[row].low) {
		r.kind = REF_NAME;
		r.name = s->v->launch[row].low;
	}
	return r;
}

static void idle_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct idle_view *s = v->state;

	*left = *right = 0;
	if (!frame_ready(v))
		return;
	sheet_status(&s->pages.sheet[s->pages.page], left, size);
	snprintf(right, size, "%s",
	    s->pages.page == IDLE_STEPS ? "of the core's own marker" : "sums of the capture");
}

static const char *table_name(const struct view *v)
{
	return pages[((const struct idle_view *)v->state)->pages.page].title;
}

static bool has_cores(const struct dump *d)
{
	return trace_has_plane(&d->trace, PLANE_TPU);
}

const struct view_ops view_idle = {
	.id = "idle",
	.title = "Idle",
	.short_title = "Idle",
	.of = "overview",
	.letter = 'I',
	.scope = SCOPE_IDLE,
	.needs = NEED_ANY,
	.any = has_cores,
	.frame = &frame_ops,
	.size = sizeof(struct idle_view),
	.open = idle_open,
	PAGES_SLOTS,
	.here = idle_here,
	.status = idle_status,
	.report = "idle",
	.table = table_name,
};
