#include "config.h"
#include "view/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memory/tables.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "result/sumtree.h"

#define SMALL 16384

static enum role memory_view_role(const struct memory_buffer *b)
{
	static const enum role role[MEMORY_CATEGORIES + 1] = { ROLE_BLOCK_MATMUL, ROLE_BLOCK_COMPUTE,
		ROLE_BLOCK_OTHER, ROLE_BLOCK_COPY, ROLE_BLOCK_COLLECTIVE, ROLE_BLOCK_OTHER, ROLE_TEXT };

	return b->gathered ? ROLE_BLOCK_IO : role[b->category];
}

enum role memory_view_cell_role(const void *view, size_t row, size_t column)
{
	const struct mem_view *s = view;
	struct memory_buffer *const *of = sheet_of(&s->sheet, row), *b;
	const char *id;

	if (!of)
		return ROLE_TEXT;
	b = *of;
	id = memory_buffers_schema.columns[column].id;
	if (!strcmp(id, "kind"))
		return memory_view_role(b);
	if (!strcmp(id, "expansion") && b->unpadded > 0 &&
	    (double)b->size >= memory_padded_times() * (double)b->unpadded)
		return ROLE_BAD;
	return ROLE_TEXT;
}

struct memory_life memory_view_life(const struct memory_buffer *b, size_t i)
{
	struct memory_life life = b->life[i];

	if (i + 1 == b->nlives && b->end > life.end)
		life.end = b->end;
	return life;
}

/* The heap at point p holds what was allocated before p and is freed at p or later; at the last point, what
 * is never freed. */
bool memory_view_alive(const struct memory *m, const struct memory_buffer *b, int64_t p)
{
	int64_t last = (int64_t)m->npoints - 1;

	if (b->start < 0)
		return true;
	for (size_t i = 0; i < b->nlives; i++) {
		struct memory_life life = memory_view_life(b, i);

		if (life.start < p && (life.end >= p || (p == last && life.end == last - 1)))
			return true;
	}
	return !b->nlives && b->start < p && b->end >= p;
}

/* --- rows --- */

static void add_row(struct mem_view *s, struct memory_buffer *b)
{
	s->row[s->nrows++] = b;
}

static struct memory_buffer *small_of_peak(struct mem_view *s)
{
	struct memory_buffer *b = s->m.npeak ? &s->m.peak[s->m.npeak - 1] : NULL;

	return b && b->id == -1 ? b : NULL;
}

static void add_described(struct mem_view *s, struct memory_buffer *b)
{
	if (!b->shape)
		memory_describe(&s->m, b);
	add_row(s, b);
}

static bool lists_all(const struct mem_view *s)
{
	return s->all && s->m.nsmall;
}

static void peak_rows(struct mem_view *s)
{
	for (size_t i = 0; i < s->m.npeak; i++)
		if (s->m.peak[i].id != -1 || !lists_all(s))
			add_row(s, &s->m.peak[i]);
	for (size_t i = 0; lists_all(s) && i < s->m.nsmall; i++)
		add_described(s, &s->m.small[i]);
}

/* A buffer that shares the memory of a listed one adds no memory. */
static bool is_there(const struct mem_view *s, const struct memory_buffer *b)
{
	for (size_t i = 0; b->shares && i < s->nrows; i++)
		if (s->row[i]->allocation == b->allocation && s->row[i]->offset == b->offset)
			return true;
	return false;
}

static void point_rows(struct mem_view *s)
{
	struct memory_buffer *small = small_of_peak(s);

	s->small = small ? *small : memory_no_buffer;
	s->small.size = s->small.unpadded = 0;
	for (size_t i = 0; i < s->m.npeak; i++)
		if (s->m.peak[i].start < 0 && s->m.peak[i].id != -1)
			add_row(s, &s->m.peak[i]);
	for (size_t i = 0; lists_all(s) && i < s->m.nsmall; i++)
		if (s->m.small[i].start < 0)
			add_described(s, &s->m.small[i]);
	for (int shared = 0; shared < 2; shared++)
		for (size_t i = 0; i < s->m.nall; i++) {
			struct memory_buffer *b = &s->m.all[i];

			if (b->shares != shared || !memory_view_alive(&s->m, b, s->point) || is_there(s, b))
				continue;
			if (b->size < SMALL && !lists_all(s))
				s->small.size = sum_bytes(s->small.size, b->size);
			else
				add_described(s, b);
		}
	if (s->small.size)
		add_row(s, &s->small);
}

/* --- the table --- */

void memory_view_rows(struct mem_view *s)
{
	struct memory_buffer *const *here = sheet_here(&s->sheet);
	int64_t id = here ? (*here)->id : -2;

	memory_view_rows_free(s);
	s->row = xcalloc(s->m.npeak + s->m.nsmall + s->m.nall + 2, sizeof *s->row);
	if (s->point == memory_view_peak_point(&s->m))
		peak_rows(s);
	else
		point_rows(s);
	table_begin(&s->table, &memory_buffers_schema);
	for (size_t i = 0; i < s->nrows; i++)
		table_add(&s->table, s->row[i]);
	memory_rank_buffers(&s->table);
	sheet_set_rows(&s->sheet,
	    &(struct sheet_rows){ .table = &s->table, .of = s->row, .size = sizeof *s->row });
	if (id == -2)
		s->sheet.list.at = s->sheet.list.top = 0;
	for (size_t i = 0; id != -2 && i < s->nrows; i++)
		if (s->row[i]->id == id && sheet_go(&s->sheet, i))
			return;
}

void memory_view_rows_free(struct mem_view *s)
{
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	free(s->row);
	s->row = NULL;
	s->nrows = 0;
}
