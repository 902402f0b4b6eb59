#include "config.h"
#include "view/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MIB 1048576.0
#define SMALL 16384

enum {
	RANK,
	SIZE,
	CUMULATIVE,
	UNPADDED,
	PADDING,
	EXPANSION,
	CATEGORY,
	SHAPE,
	OP,
	NAME,
	OPCODE,
	SOURCE,
	START,
	END,
	COLUMNS
};

static const struct column columns[COLUMNS] = {
	{ "rank", "rank", "", COL_INTEGER },
	{ "size", "size", "MiB", COL_NUMBER },
	{ "cumulative", "cumulative", "fraction", COL_NUMBER },
	{ "unpadded", "unpadded", "MiB", COL_NUMBER },
	{ "padding", "padding", "MiB", COL_NUMBER },
	{ "expansion", "expansion", "", COL_NUMBER },
	{ "kind", "kind", "", COL_STRING },
	{ "shape", "shape", "", COL_STRING },
	{ "op", "op", "", COL_STRING },
	{ "name", "name", "", COL_STRING },
	{ "opcode", "opcode", "", COL_STRING },
	{ "source", "source", "", COL_STRING },
	{ "from", "from", "", COL_INTEGER },
	{ "to", "to", "", COL_INTEGER },
};

const struct sheet_column mem_columns[] = {
	{ "rank", "#", 4, 7, SHEET_PLAIN, false },
	{ "size", "MiB", 8, 0, SHEET_PLAIN, false },
	{ "cumulative", "Cum", 6, 4, SHEET_PERCENT, false },
	{ "unpadded", "Unpadded", 8, 3, SHEET_PLAIN, false },
	{ "padding", "Padding", 9, 9, SHEET_PLAIN, true },
	{ "expansion", "×", 4, 2, SHEET_PLAIN, false },
	{ "kind", "T", 1, 0, SHEET_PLAIN, false },
	{ "shape", "Shape", 20, 5, SHEET_PLAIN, false },
	{ "op", "Op", -12, 0, SHEET_LEFT, false },
	{ "name", "Buffer", -16, 9, SHEET_MIDDLE, true },
	{ "opcode", "Opcode", 14, 9, SHEET_PLAIN, true },
	{ "source", "Source", -16, 9, SHEET_LEFT, true },
	{ "from", "From", 6, 9, SHEET_PLAIN, true },
	{ "to", "To", 6, 9, SHEET_PLAIN, true },
};
const size_t mem_ncolumns = sizeof mem_columns / sizeof *mem_columns;

const char *mem_buffer_title(const struct memory_buffer *b)
{
	return *b->name ? b->name : "small (< 16 KiB)";
}

char mem_letter(const struct memory_buffer *b)
{
	static const char letter[MEMORY_CATEGORIES + 1] = { 'P', 'O', 'L', 'C', 'T', ' ' };

	return letter[b->category];
}

enum role mem_role(const struct memory_buffer *b)
{
	static const enum role role[MEMORY_CATEGORIES + 1] = { ROLE_BLOCK_MATMUL, ROLE_BLOCK_COMPUTE,
		ROLE_BLOCK_OTHER, ROLE_BLOCK_COPY, ROLE_BLOCK_COLLECTIVE, ROLE_TEXT };

	return role[b->category];
}

enum role mem_cell_role(const void *view, size_t row, size_t column)
{
	const struct mem_view *s = view;
	struct memory_buffer *const *of = sheet_of(&s->sheet, row), *b;

	if (!of)
		return ROLE_TEXT;
	b = *of;
	if (!strcmp(mem_columns[column].id, "kind"))
		return mem_role(b);
	if (!strcmp(mem_columns[column].id, "expansion") && b->unpadded > 0 &&
	    (double)b->size >= 1.5 * (double)b->unpadded)
		return ROLE_BAD;
	return ROLE_TEXT;
}

/* The heap at point p holds what was allocated before and is freed later; at the last point what never is. */
bool mem_alive(const struct memory *m, const struct memory_buffer *b, int64_t p)
{
	int64_t last = (int64_t)m->npoints - 1;

	if (b->start < 0)
		return true;
	for (size_t i = 0; i < b->nlives; i++)
		if (b->life[i].start < p &&
		    (b->life[i].end >= p || (p == last && b->life[i].end == last - 1)))
			return true;
	return !b->nlives && b->start < p && b->end >= p;
}

/* --- rows --- */

static void add(struct mem_view *s, struct memory_buffer *b)
{
	s->row[s->nrows++] = b;
}

static struct memory_buffer *small_of_peak(struct mem_view *s)
{
	struct memory_buffer *b = s->m.npeak ? &s->m.peak[s->m.npeak - 1] : NULL;

	return b && b->id == -1 ? b : NULL;
}

static void peak_rows(struct mem_view *s)
{
	for (size_t i = 0; i < s->m.npeak; i++)
		add(s, &s->m.peak[i]);
}

/* A buffer that shares the memory of one in the table adds nothing to it. */
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
			add(s, &s->m.peak[i]);
	for (int shared = 0; shared < 2; shared++)
		for (size_t i = 0; i < s->m.nall; i++) {
			struct memory_buffer *b = &s->m.all[i];

			if (b->shares != shared || !mem_alive(&s->m, b, s->point) || is_there(s, b))
				continue;
			if (b->size < SMALL) {
				s->small.size += b->size;
				continue;
			}
			if (!b->shape)
				memory_describe(&s->m, b);
			add(s, b);
		}
	if (s->small.size)
		add(s, &s->small);
}

/* --- the table --- */

static struct cell text(const char *s)
{
	return s && *s ? cell_str(s, strlen(s)) : cell_null();
}

struct cell mem_shape(const struct memory_buffer *b)
{
	const char *s = b->shape;
	size_t n = s ? *s == '(' ? strlen(s) : strcspn(s, "{") : 0;

	return n ? cell_str(s, n) : cell_null();
}

static void put_row(struct table *t, const struct memory_buffer *b)
{
	static const char letters[] = "POLCT";
	struct cell *c = table_row(t);
	bool small = b->id == -1 && b->category == MEMORY_CATEGORIES;

	c[SIZE] = cell_num((double)b->size / MIB);
	if (small) {
		c[OP] = text(mem_buffer_title(b));
		return;
	}
	if (b->unpadded > 0 || (b->shape && *b->shape)) {
		c[UNPADDED] = cell_num((double)b->unpadded / MIB);
		c[PADDING] = cell_num(b->size > b->unpadded ? (double)(b->size - b->unpadded) / MIB : 0);
	}
	if (b->unpadded > 0 && b->size > b->unpadded)
		c[EXPANSION] = cell_num((double)b->size / (double)b->unpadded);
	if (b->category < MEMORY_CATEGORIES)
		c[CATEGORY] = cell_str(&letters[b->category], 1);
	c[SHAPE] = mem_shape(b);
	c[OP] = text(*b->op_name ? b->op_name : b->name);
	c[NAME] = text(b->name);
	c[OPCODE] = text(b->opcode);
	c[SOURCE] = text(b->source);
	if (b->start >= 0) {
		c[START] = cell_int(b->start);
		c[END] = cell_int(b->end);
	}
}

/* Ranks and sums count by size, however the rows are sorted. */
static void put_ranks(struct table *t)
{
	size_t *order = table_order(t, SIZE, true);
	double sum = 0, all = 0;

	for (size_t i = 0; i < t->nrows; i++)
		all += t->cells[i * COLUMNS + SIZE].u.d;
	for (size_t i = 0; i < t->nrows; i++) {
		struct cell *c = &t->cells[order[i] * COLUMNS];

		sum += c[SIZE].u.d;
		c[RANK] = cell_int((int64_t)i + 1);
		c[CUMULATIVE] = all > 0 ? cell_num(sum / all) : cell_null();
	}
	free(order);
}

void mem_rows(struct mem_view *s)
{
	struct memory_buffer *const *here = sheet_here(&s->sheet);
	int64_t id = here ? (*here)->id : -2;

	mem_rows_free(s);
	s->row = xcalloc(s->m.npeak + s->m.nall + 2, sizeof *s->row);
	if (s->point == mem_peak_point(&s->m))
		peak_rows(s);
	else
		point_rows(s);
	table_init(&s->table, columns, COLUMNS);
	for (size_t i = 0; i < s->nrows; i++)
		put_row(&s->table, s->row[i]);
	put_ranks(&s->table);
	sheet_set_rows(&s->sheet,
	    &(struct sheet_rows){ .table = &s->table, .of = s->row, .size = sizeof *s->row });
	if (id == -2)
		s->sheet.list.at = s->sheet.list.top = 0;
	for (size_t i = 0; id != -2 && i < s->nrows; i++)
		if (s->row[i]->id == id && sheet_go(&s->sheet, i))
			return;
}

void mem_rows_free(struct mem_view *s)
{
	sheet_set(&s->sheet, NULL);
	table_free(&s->table);
	free(s->row);
	s->row = NULL;
	s->nrows = 0;
}
