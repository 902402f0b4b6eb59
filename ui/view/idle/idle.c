#include "config.h"
#include "view/idle/idle.h"

#include <stdio.h>

#include "core/app.h"
#include "core/results.h"
#include "view/frames.h"

static const struct schema *const schemas[IDLE_PAGES] = {
	[IDLE_LONGEST] = &idle_longest_schema,
	[IDLE_LAUNCHES] = &idle_launches_schema,
	[IDLE_CORES] = &idle_cores_schema,
	[IDLE_STEPS] = &idle_steps_schema,
};

static void idle_take(struct view *v)
{
	struct idle_view *s = v->state;

	if (!(s->v = result_get(v->app, RESULT_IDLE)))
		return;
	idle_longest_table(s->v, &s->table[IDLE_LONGEST]);
	idle_launches_table(s->v, &s->table[IDLE_LAUNCHES]);
	idle_cores_table(s->v, &s->table[IDLE_CORES]);
	idle_steps_table(s->v, true, &s->table[IDLE_STEPS]);
	for (int i = 0; i < IDLE_PAGES; i++)
		sheet_set(&s->sheet[i], &s->table[i]);
}

static void drop_rows(struct view *v)
{
	struct idle_view *s = v->state;

	for (int i = 0; s->v && i < IDLE_PAGES; i++) {
		sheet_set(&s->sheet[i], NULL);
		table_free(&s->table[i]);
	}
	s->v = NULL;
}

static struct sheet *page_sheet(struct view *v)
{
	struct idle_view *s = v->state;

	return &s->sheet[s->page];
}

static void draw_main(struct view *v, struct canvas *c, struct rect a)
{
	sheet_draw(page_sheet(v), c, a);
}

static unsigned page_go(struct view *v, int page)
{
	((struct idle_view *)v->state)->page = (enum idle_page)page;
	frame_close_card(v);
	return REACT_REDRAW;
}

static unsigned idle_act(struct view *v, enum action a, int count)
{
	const struct idle_view *s = v->state;

	(void)count;
	return a == ACT_IDLE_NEXT ? page_go(v, ((int)s->page + 1) % IDLE_PAGES) : ACT_PASS;
}

static unsigned idle_press(struct view *v, const struct mouse *m)
{
	const struct idle_view *s = v->state;
	int tab = tabs_at(&s->tabs, m);

	return tab < 0 ? ACT_PASS : page_go(v, tab);
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_IDLE],
	.results = 1u << RESULT_IDLE,
	.take = idle_take,
	.drop = drop_rows,
	.sheet = page_sheet,
	.above = idle_above,
	.main = draw_main,
	.card = idle_card,
	.act = idle_act,
	.press = idle_press };

static int idle_open(struct view *v)
{
	static const char
	    *const sort[IDLE_PAGES] = { [IDLE_LONGEST] = "idle_us", [IDLE_LAUNCHES] = "time_us" };
	static const char *const name[IDLE_PAGES] = { "after", "event", "core", "step" };
	struct idle_view *s = v->state;

	for (int i = 0; i < IDLE_PAGES; i++) {
		sheet_open(&s->sheet[i], schemas[i], NULL, sort[i]);
		sheet_name(&s->sheet[i], name[i], NULL);
		s->sheet[i].all = true;
	}
	return 0;
}

static void idle_close(struct view *v)
{
	struct idle_view *s = v->state;

	frame_close(v);
	for (int i = 0; i < IDLE_PAGES; i++)
		sheet_free(&s->sheet[i]);
}

/* The piece of idle time, on its core; of a launch, what the host did. */
static struct ref idle_here(const struct view *v)
{
	const struct idle_view *s = v->state;
	struct ref r = REF_EMPTY;
	size_t row;

	if (!frame_ready(v) || (row = sheet_row(&s->sheet[s->page])) >= s->table[s->page].nrows)
		return r;
	if (s->page == IDLE_LONGEST) {
		const struct idle_gap *g = &s->v->gap[row];

		r.kind = REF_TIME;
		r.gap = true;
		r.host = g->host;
		r.core = g->core;
		r.t0 = g->of.from - g->of.shift;
		r.t1 = g->of.to - g->of.shift;
	} else if (s->page == IDLE_LAUNCHES && s->v->launch[row].low) {
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
	sheet_status(&s->sheet[s->page], left, size);
	snprintf(right, size, "%s",
	    s->page == IDLE_STEPS ? "of the core's own marker" : "sums of the capture");
}

static int idle_copy(struct view *v, FILE *out)
{
	return frame_ready(v) ? sheet_copy(page_sheet(v), out) : -1;
}

static const char *table_name(const struct view *v)
{
	return idle_pages[((const struct idle_view *)v->state)->page];
}

static void idle_save(const struct view *v, struct kv *kv)
{
	const struct idle_view *s = v->state;

	kv_put_int(kv, "page", (int64_t)s->page);
	sheet_save(&s->sheet[s->page], kv);
}

static void idle_restore(struct view *v, const struct kv *kv)
{
	struct idle_view *s = v->state;
	int64_t page;

	if (!kv_get_int(kv, "page", &page) || page < 0 || page >= IDLE_PAGES)
		return;
	s->page = (enum idle_page)page;
	sheet_restore(&s->sheet[s->page], kv);
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
	FRAME_SLOTS,
	.here = idle_here,
	.status = idle_status,
	.close = idle_close,
	.save = idle_save,
	.restore = idle_restore,
	.copy = idle_copy,
	.report = "idle",
	.table = table_name,
};
