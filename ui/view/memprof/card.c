#include "config.h"
#include "view/memprof/memprof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/fields.h"

enum { WIDEST = 64 };

static void put_advice(struct pen *p, const char *text)
{
	pen_head(p, "WHAT TO DO", "");
	pen_say(p, ROLE_TEXT, text);
	p->y++;
}

static double known(double bytes, bool is_known)
{
	return is_known ? bytes : NAN;
}

/* --- an allocation at the peak --- */

static const struct {
	const char *name, *says, *advice; /* name: of what no event names */
} lives[LIFE_COUNT] = {
	[LIFE_EARLIER] = { "allocated earlier", "before the capture began",
	    "Parameters, optimizer state and what else lives on, which no event of the capture names. "
	    "save_device_memory_profile() of jax.profiler says which lines of Python made it." },
	[LIFE_RESERVED] = { "reserved", "by the allocator, for programs",
	    "Programs have their temporaries here: the memory view shows the buffers of each, and the "
	    "op that makes the largest." },
	[LIFE_KEPT] = { "no op is named", "not freed in the capture",
	    "If this grows with each step, something holds on to arrays: compare two "
	    "device memory profiles (memory.prof) that were saved some steps apart." },
	[LIFE_FREED] = { "no op is named", "freed in the capture",
	    "It counts only while it lives: donate inputs (donate_argnums), delete results that are "
	    "not "
	    "needed before the next step, or fetch them in smaller parts." },
};

static void put_group(struct pen *p, const struct memprof *s)
{
	const struct memory_device *m = &s->events->device[s->device];
	const struct memory_group *g = sheet_here(&s->sheet[MEMPROF_GROUPS]);
	size_t row = sheet_row(&s->sheet[MEMPROF_GROUPS]);
	double use = (double)memprof_event_use(&m->v[m->peak]);
	const struct memory_event *e;
	struct slice name;

	if (!g)
		return;
	e = g->event;
	name = table_str(&s->table, row, GROUPS_op);
	pen_name(p, name.n ? name : slice_of(lives[g->life].name));
	pen_say(p, ROLE_DIM, lives[g->life].says);
	p->y++;
	pen_fields(p,
	    FIELDS({ "size", "B", .v = (double)g->bytes },
		{ "each", "B", .v = (double)(g->bytes / (g->count ? g->count : 1)), .no = g->count <= 1 },
		{ "count", COUNT, .v = (double)g->count, .no = g->count <= 1 },
		{ "asked for", "B", .v = (double)g->requested, .no = !e || g->requested >= g->bytes },
		{ "of the peak", "fraction", .v = use > 0 ? (double)g->bytes / use : NAN }));
	pen_row(p, &s->table, row, "?shape type region", true);
	pen_fields(p,
	    FIELDS({ "allocated at", "ps", .v = e ? (double)e->t : NAN, .no = !e },
		{ g->life == LIFE_KEPT ? "held for more than" : "held for", "ps", .v = (double)g->held,
		    .no = !e }));
	p->y++;
	put_advice(p, lives[g->life].advice);
}

static void put_device(struct pen *p, const struct memprof *s)
{
	const struct memory_device *m = &s->events->device[s->device];
	const struct memory_event *e = &m->v[m->peak];
	bool is_free = e->free > 0;
	char text[48];

	pen_head(p, "AT THE PEAK", units_time(text, sizeof text, e->t, false));
	pen_fields(p,
	    FIELDS({ "in use", "B", .v = known((double)memprof_event_use(e), e->known) },
		{ "reserved", "B", .v = known((double)e->stack, e->known) },
		{ "allocated", "B", .v = known((double)e->heap, e->known) },
		{ "free", "B", .v = known((double)e->free, is_free) },
		{ "capacity", "B", .v = known((double)m->capacity, m->capacity > 0 && is_free) },
		{ "fragmentation", "fraction", .v = e->fragmentation }, { "step", .text = s->step },
		{ "most allocated", "B", .v = known((double)m->lifetime, m->lifetime > 0) },
		{ "events", COUNT, .v = (double)m->n }));
}

/* What the compiler knows of the program that ran then. */
static void put_compiler(struct pen *p, const struct memprof *s)
{
	static const char *const when[] = { [WHEN_RUNNING] = "ran at the peak",
		[WHEN_NEXT] = "began after the peak",
		[WHEN_LAST] = "ran before the peak" };
	const struct memory_beside *b =
	    s->beside && s->device < s->beside->n ? &s->beside->v[s->device] : NULL;

	if (!b || !b->when)
		return;
	pen_head(p, "AS COMPILED", when[b->when]);
	pen_text(p, 0, ROLE_TEXT, b->program, 1);
	if (b->peak < 0) {
		pen_say(p, ROLE_DIM,
		    "Its buffer assignment, which says what it needs, is not in the capture.");
		return;
	}
	pen_fields(p,
	    FIELDS({ "needs", "B", .v = (double)b->peak },
		{ "parameters", "B", .v = known((double)b->parameters, b->parameters >= 0) },
		{ "temporaries", "B", .v = known((double)b->temporaries, b->temporaries >= 0) },
		{ "of them gathered weights", "B", .v = (double)b->gathered, .no = b->gathered <= 0 },
		{ "outputs", "B", .v = known((double)b->outputs, b->outputs >= 0) }));
}

/* --- a stack or call of a device memory profile --- */

/* The stack's calls, one per line. */
static void put_stack(struct pen *p, struct slice text)
{
	pen_head(p, "STACK", "innermost first");
	for (size_t len; text.n; text.s += len, text.n -= len) {
		const char *end = memchr(text.s, ';', text.n);

		len = end ? (size_t)(end - text.s) : text.n;
		pen_line(p, ROLE_TEXT, (struct slice){ text.s, len }, "");
		len += end != NULL;
	}
	p->y++;
}

/* The line to look at, which is not the innermost where a library made the array. */
static void put_user(struct pen *p, const struct memprof *s, size_t row)
{
	struct slice user = table_str(&s->table, row, STACKS_user_source);

	if (!user.n || slice_same(user, table_str(&s->table, row, STACKS_source)))
		return;
	pen_head(p, "YOUR CODE", "");
	pen_text(p, 0, ROLE_TEXT, user, 0);
	p->y++;
}

static void put_call(struct pen *p, const struct memprof *s, size_t row)
{
	struct slice name, source;

	if (row == SIZE_MAX)
		return;
	name = table_str(&s->table, row, STACKS_function);
	source = table_str(&s->table, row, STACKS_source);
	pen_name(p, name.n ? name : slice_of("(unknown function)"));
	p->y++;
	pen_row(p, &s->table, row, "bytes share allocations", true);
	p->y++;
	if (source.n) {
		pen_head(p, "WHERE", "");
		pen_text(p, 0, ROLE_TEXT, source, 0);
		p->y++;
	}
	if (s->stacks)
		put_user(p, s, row);
	if (s->stacks)
		put_stack(p, table_str(&s->table, row, STACKS_stack));
	put_advice(p,
	    s->stacks
		? "They live until the program drops them: delete what is not needed, or donate it to "
		  "the call that replaces it (donate_argnums). What grows from profile to profile is held "
		  "somewhere: a list, a cache, a result that is kept for logging."
		: "Open calls down to the line that made the arrays, or look at the largest stacks. What "
		  "two profiles of the same program differ in is what it leaks.");
}

static void put_profile(struct pen *p, const struct memprof *s)
{
	const struct pprof *f = &s->pprof;

	pen_head(p, "PROFILE", "");
	pen_fields(p,
	    FIELDS({ "size", "B", .v = (double)f->bytes },
		{ "allocations", COUNT, .v = f->allocations < 0 ? NAN : (double)f->allocations },
		{ "size unknown", COUNT, .v = (double)f->unknown },
		{ "stacks", COUNT, .v = (double)f->nstacks }));
}

/* What is selected and what to do about it, in a few lines. */
static int card_below(const struct memprof *s, struct canvas *c, struct rect r)
{
	const struct memory_group *g = s->has_pprof ? NULL : sheet_here(&s->sheet[MEMPROF_GROUPS]);
	const struct sheet *sheet = &s->sheet[s->stacks ? MEMPROF_STACKS : MEMPROF_TREE];
	size_t row = sheet_row(g ? &s->sheet[MEMPROF_GROUPS] : sheet);
	struct pen p = { .c = c, .r = r };
	struct slice name;
	char title[64];

	if (row == SIZE_MAX)
		return r.y;
	name = table_str(&s->table, row, g ? (size_t)GROUPS_op : (size_t)STACKS_function);
	snprintf(title, sizeof title, "%.*s", (int)(name.n < 50 ? name.n : 50), name.n ? name.s : "");
	p.y = card_rule(c, r, r.y, name.n || !g ? title : lives[g->life].name, g ? lives[g->life].says : "");
	pen_text(&p, 0, ROLE_TEXT,
	    g ? slice_of(lives[g->life].advice) : table_str(&s->table, row, STACKS_source), 0);
	return p.y;
}

int memprof_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct memprof *s = v->state;
	struct pen p = { .c = c, .r = r, .y = r.y };

	if (how == FRAME_BELOW)
		return card_below(s, c, r);
	if (how == FRAME_FULL)
		p.r.w = r.w > WIDEST ? WIDEST : r.w;
	if (s->has_pprof) {
		put_call(&p, s, sheet_row(memprof_view_sheet(v)));
		put_profile(&p, s);
	} else {
		put_group(&p, s);
		put_device(&p, s);
		put_compiler(&p, s);
	}
	return p.y;
}
