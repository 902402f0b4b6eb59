#include "config.h"
#include "view/memprof/memprof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/card.h"
#include "widget/text.h"

enum { LABEL = 15 };

static const char *dash_sign(const struct canvas *c)
{
	return c->glyphs->ascii ? "-" : "–";
}

static int put_pair(struct canvas *c, struct rect r, int y, const char *label, enum role role,
    const char *text)
{
	if (y < r.y + r.h) {
		canvas_str(c, y, r.x + 1, LABEL, ROLE_DIM, 0, label);
		canvas_right(c, y, r.x + r.w - 1, role, 0, *text ? text : dash_sign(c));
	}
	return y + 1;
}

static int put_bytes(struct canvas *c, struct rect r, int y, const char *label, int64_t bytes, bool known)
{
	char text[32] = "";

	if (known)
		text_bytes(text, sizeof text, (double)bytes);
	return put_pair(c, r, y, label, ROLE_TEXT, text);
}

static int put_lines(struct canvas *c, struct rect r, int y, const char *title, const char *text)
{
	if (y < r.y + r.h)
		card_head(c, y, r, title, "");
	return card_text(c, r, y + 1, 0, ROLE_TEXT, text, strlen(text)) + 1;
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

static int put_cell(const struct memprof *s, struct canvas *c, struct rect r, int y, const char *label,
    const char *column)
{
	size_t len = 0;
	const char *text = table_string(&s->table, sheet_row(&s->sheet[MEMPROF_GROUPS]), column, &len);
	char buf[256];

	if (!len)
		return y;
	snprintf(buf, sizeof buf, "%.*s", (int)(len < sizeof buf ? len : sizeof buf - 1), text);
	return put_pair(c, r, y, label, ROLE_TEXT, buf);
}

static int put_sizes(const struct memory_device *m, const struct memory_group *g, struct canvas *c,
    struct rect r, int y)
{
	int64_t use = memprof_event_use(&m->v[m->peak]);
	char text[32];

	y = put_bytes(c, r, y, "size", g->bytes, true);
	if (g->count > 1) {
		y = put_bytes(c, r, y, "each", g->bytes / g->count, true);
		units_count(text, sizeof text, (uint64_t)g->count);
		y = put_pair(c, r, y, "count", ROLE_TEXT, text);
	}
	if (g->event && g->requested < g->bytes)
		y = put_bytes(c, r, y, "asked for", g->requested, true);
	text_percent(text, sizeof text, use > 0 ? (double)g->bytes / (double)use : NAN);
	return put_pair(c, r, y, "of the peak", ROLE_TEXT, text);
}

static int group_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct memory_device *m = &s->events->device[s->device];
	const struct memory_group *g = sheet_here(&s->sheet[MEMPROF_GROUPS]);
	size_t len = 0;
	const char *name;
	char text[64];

	if (!g)
		return y;
	name = table_string(&s->table, sheet_row(&s->sheet[MEMPROF_GROUPS]), "op", &len);
	if (y < r.y + r.h)
		canvas_cut(c, y, r.x + 1, r.w - 2, ROLE_BOLD, ATTR_BOLD, len ? name : lives[g->life].name,
		    len ? len : strlen(lives[g->life].name));
	y = card_text(c, r, y + 1, 0, ROLE_DIM, lives[g->life].says, strlen(lives[g->life].says)) + 1;
	y = put_sizes(m, g, c, r, y);
	y = put_cell(s, c, r, y, "shape", "shape");
	y = put_cell(s, c, r, y, "type", "type");
	y = put_cell(s, c, r, y, "region", "region");
	if (g->event) {
		units_time(text, sizeof text, g->event->t, c->glyphs->ascii);
		y = put_pair(c, r, y, "allocated at", ROLE_TEXT, text);
		units_time(text, sizeof text, (int64_t)g->held, c->glyphs->ascii);
		y = put_pair(c, r, y, g->life == LIFE_KEPT ? "held for more than" : "held for", ROLE_TEXT,
		    text);
	}
	return put_lines(c, r, y + 1, "WHAT TO DO", lives[g->life].advice);
}

static int device_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct memory_device *m = &s->events->device[s->device];
	const struct memory_event *e = &m->v[m->peak];
	char text[48];

	units_time(text, sizeof text, e->t, c->glyphs->ascii);
	if (y < r.y + r.h)
		card_head(c, y, r, "AT THE PEAK", text);
	y = put_bytes(c, r, y + 1, "in use", memprof_event_use(e), e->known);
	y = put_bytes(c, r, y, "reserved", e->stack, e->known);
	y = put_bytes(c, r, y, "allocated", e->heap, e->known);
	y = put_bytes(c, r, y, "free", e->free, e->free > 0);
	y = put_bytes(c, r, y, "capacity", m->capacity, m->capacity > 0 && e->free > 0);
	text_percent(text, sizeof text, e->fragmentation);
	y = put_pair(c, r, y, "fragmentation", ROLE_TEXT, text);
	y = put_pair(c, r, y, "step", ROLE_TEXT, s->step ? s->step : "");
	y = put_bytes(c, r, y, "most allocated", m->lifetime, m->lifetime > 0);
	units_count(text, sizeof text, m->n);
	return put_pair(c, r, y, "events", ROLE_TEXT, text);
}

/* --- a stack or call of a device memory profile --- */

/* The stack's calls, one per line. */
static int put_stack(const struct cell *text, struct canvas *c, struct rect r, int y)
{
	const char *at, *end;
	size_t len;

	if (y < r.y + r.h)
		card_head(c, y, r, "STACK", "innermost first");
	y++;
	if (text->type != CELL_STR)
		return y;
	for (at = text->s, end = at + text->n; at < end; at += len + 1, y++) {
		const char *semicolon = memchr(at, ';', (size_t)(end - at));

		len = semicolon ? (size_t)(semicolon - at) : (size_t)(end - at);
		if (y < r.y + r.h)
			canvas_cut(c, y, r.x + 1, r.w - 2, ROLE_TEXT, 0, at, len);
	}
	return y + 1;
}

static int call_card(const struct memprof *s, const struct sheet *sheet, struct canvas *c, struct rect r,
    int y)
{
	size_t row = sheet_row(sheet), len;
	const struct cell *bytes, *count, *share;
	const char *text;
	char buf[32];

	if (row == SIZE_MAX)
		return y;
	text = table_string(&s->table, row, "function", &len);
	if (y < r.y + r.h)
		canvas_cut(c, y, r.x + 1, r.w - 2, ROLE_BOLD, ATTR_BOLD, len ? text : "(unknown function)",
		    len ? len : strlen("(unknown function)"));
	bytes = table_at(&s->table, row, STACKS_bytes);
	y = put_bytes(c, r, y + 2, "size", bytes->u.i, bytes->type == CELL_INT);
	share = table_at(&s->table, row, STACKS_share);
	text_percent(buf, sizeof buf, share->type == CELL_NUM ? share->u.d : NAN);
	y = put_pair(c, r, y, "share", ROLE_TEXT, buf);
	count = table_at(&s->table, row, STACKS_allocations);
	*buf = 0;
	if (count->type == CELL_INT)
		units_count(buf, sizeof buf, (uint64_t)count->u.i);
	y = put_pair(c, r, y, "allocations", ROLE_TEXT, buf) + 1;
	text = table_string(&s->table, row, "source", &len);
	if (len) {
		if (y < r.y + r.h)
			card_head(c, y, r, "WHERE", "");
		y = card_text(c, r, y + 1, 0, ROLE_TEXT, text, len) + 1;
	}
	if (s->stacks)
		y = put_stack(table_at(&s->table, row, STACKS_stack), c, r, y);
	return put_lines(c, r, y, "WHAT TO DO",
	    s->stacks
		? "This line made the arrays: delete them when they are not needed, or donate them to "
		  "the call that replaces them (donate_argnums)."
		: "Open calls down to the line that made the arrays, or look at the largest stacks. What "
		  "two profiles of the same program differ in is what it leaks.");
}

static int pprof_card(const struct memprof *s, struct canvas *c, struct rect r, int y)
{
	const struct facts *f = &s->pprof.summary;
	const struct cell *n = facts_get(f, "allocations");
	char text[32] = "";

	if (y < r.y + r.h)
		card_head(c, y, r, "PROFILE", "");
	y = put_bytes(c, r, y + 1, "size", facts_get(f, "bytes")->u.i, true);
	if (n->type == CELL_INT)
		units_count(text, sizeof text, (uint64_t)n->u.i);
	y = put_pair(c, r, y, "allocations", ROLE_TEXT, text);
	units_count(text, sizeof text, (uint64_t)facts_get(f, "unknown_allocations")->u.i);
	y = put_pair(c, r, y, "size unknown", ROLE_TEXT, text);
	units_count(text, sizeof text, s->pprof.nstacks);
	return put_pair(c, r, y, "stacks", ROLE_TEXT, text);
}

/* What is selected and what to do about it, in a few lines. */
static int card_below(const struct memprof *s, struct canvas *c, struct rect r)
{
	const struct memory_group *g = s->has_pprof ? NULL : sheet_here(&s->sheet[MEMPROF_GROUPS]);
	const struct sheet *sheet = &s->sheet[s->stacks ? MEMPROF_STACKS : MEMPROF_TREE];
	size_t len = 0, row = sheet_row(g ? &s->sheet[MEMPROF_GROUPS] : sheet);
	const char *name = row == SIZE_MAX ? "" : table_string(&s->table, row, g ? "op" : "function", &len),
		   *where;
	char title[64];

	if (row == SIZE_MAX)
		return r.y;
	snprintf(title, sizeof title, "%.*s", (int)(len < 50 ? len : 50), name);
	if (g) {
		card_rule(c, r, r.y, len ? title : lives[g->life].name, lives[g->life].says);
		return card_text(c, r, r.y + 1, 0, ROLE_TEXT, lives[g->life].advice,
		    strlen(lives[g->life].advice));
	}
	card_rule(c, r, r.y, title, "");
	where = table_string(&s->table, row, "source", &len);
	return card_text(c, r, r.y + 1, 0, ROLE_TEXT, where, len);
}

int memprof_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct memprof *s = v->state;
	int y;

	if (how == FRAME_BELOW)
		return card_below(s, c, r);
	if (how == FRAME_FULL)
		r = (struct rect){ r.y, r.x, r.h, r.w > 64 ? 64 : r.w };
	y = s->has_pprof ? call_card(s, memprof_view_sheet(v), c, r, r.y) : group_card(s, c, r, r.y);
	return s->has_pprof ? pprof_card(s, c, r, y) : device_card(s, c, r, y);
}
