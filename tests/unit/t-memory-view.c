/* The memory viewer without a screen: rows of a point of the program, columns of points, zooming, boxes and
 * moving between them. */
#include "config.h"

#include "view/memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KIB(n) ((int64_t)(n) << 10)

static const struct memory_life lives[] = { { 0, 3 }, { 1, 7 }, { 4, 8 }, { 2, 5 }, { 6, 7 } };
static struct memory_buffer all[6], peak[4];
static int64_t heap[10], unpadded[10];
static const char *instruction[10];

static struct memory_buffer buffer(int64_t id, const char *name, int64_t size, int64_t offset,
    const struct memory_life *life, size_t n)
{
	return (struct memory_buffer){ .id = id,
		.category = MEMORY_TEMPORARY,
		.size = size,
		.unpadded = size,
		.allocation = 2,
		.offset = offset,
		.start = n ? life[0].start : -1,
		.end = n ? life[n - 1].end : -1,
		.life = life,
		.nlives = n,
		.name = name,
		.opcode = "add",
		.op_name = "",
		.shape = "",
		.source = "",
		.stack = "",
		.label = "" };
}

/* Nine events: a 0-3, b 1-7 above it, c 4-8 in the memory of a, d 2-5 twice and small, e shares the memory of
 * b. */
static struct mem_view *a_view(void)
{
	static struct mem_view s;

	s = (struct mem_view){ .made = true,
		.m = { .heap = heap,
		    .unpadded = unpadded,
		    .instruction = instruction,
		    .npoints = 10,
		    .peak = peak,
		    .npeak = 4,
		    .all = all,
		    .nall = 5,
		    .peak_at = 2,
		    .peak_bytes = KIB(201),
		    .limit = -1 } };
	all[0] = buffer(1, "a", KIB(64), 0, &lives[0], 1);
	all[1] = buffer(2, "b{1}", KIB(100), KIB(64), &lives[1], 1);
	all[2] = buffer(3, "c", KIB(32), 0, &lives[2], 1);
	all[3] = buffer(4, "d", KIB(1), KIB(164), &lives[3], 2);
	all[4] = buffer(5, "e", KIB(100), KIB(64), &lives[1], 1);
	all[4].shares = true;
	peak[0] = buffer(9, "p", KIB(36), 0, NULL, 0);
	peak[0].category = MEMORY_PARAMETER;
	peak[0].unpadded = KIB(18);
	peak[1] = all[0];
	peak[2] = all[1];
	peak[3] = buffer(-1, "", KIB(1), 0, NULL, 0);
	peak[3].category = MEMORY_CATEGORIES;
	s.to = 10;
	s.point = memory_view_peak_point(&s.m);
	sheet_open(&s.sheet, &memory_buffers_schema, NULL, "logicalBufferSizeMib");
	return &s;
}

static void end(struct mem_view *s)
{
	memory_view_rows_free(s);
	memory_view_boxes_free(s);
	sheet_free(&s->sheet);
}

static double cell(const struct mem_view *s, size_t line, const char *column)
{
	const struct cell *c =
	    &s->table
		 .cells[s->sheet.order[line] * s->table.ncolumns + (size_t)table_column(&s->table, column)];

	return c->type == CELL_INT ? (double)c->u.i : c->type == CELL_NUM ? c->u.d : -1;
}

static void alive_between_allocation_and_release(void **state)
{
	struct mem_view *s = a_view();

	(void)state;
	/* point 0 is the heap before event 0, which allocates it */
	assert_false(memory_view_alive(&s->m, &all[0], 0));
	assert_true(memory_view_alive(&s->m, &all[0], 1));
	assert_true(memory_view_alive(&s->m, &all[0], 3));
	assert_false(memory_view_alive(&s->m, &all[0], 4));
	assert_true(memory_view_alive(&s->m, &all[2], 9)); /* never released */
	assert_true(memory_view_alive(&s->m, &all[3], 5));
	assert_false(memory_view_alive(&s->m, &all[3], 6)); /* between two lifetimes */
	assert_true(memory_view_alive(&s->m, &all[3], 7));
	assert_true(memory_view_alive(&s->m, &peak[0], 0));
	assert_int_equal(s->point, 3);
	end(s);
}

static void rows_of_the_peak(void **state)
{
	struct mem_view *s = a_view();

	(void)state;
	memory_view_rows(s);
	assert_int_equal(s->nrows, 4);
	assert_string_equal(memory_view_here(s)->name, "b{1}");
	assert_true(cell(s, 0, "rank") == 1 && cell(s, 3, "rank") == 4);
	assert_true(cell(s, 0, "cumulative") == 100 / 201.0 && cell(s, 3, "cumulative") == 1);
	assert_true(cell(s, 2, "expansion") == 2 && cell(s, 0, "expansion") == 1);
	assert_true(cell(s, 3, "padding_mib") == -1);
	end(s);
}

static void rows_of_another_point(void **state)
{
	struct mem_view *s = a_view();

	(void)state;
	memory_view_rows(s);
	s->point = 5;
	memory_view_rows(s);
	assert_int_equal(s->nrows, 4); /* p, b, c and the small ones; e shares b's memory */
	assert_string_equal(memory_view_here(s)->name, "b{1}"); /* the cursor stays on its buffer */
	assert_ptr_equal(s->row[3], &s->small);
	assert_int_equal(s->small.size, KIB(1));
	s->point = 6;
	memory_view_rows(s);
	assert_int_equal(s->nrows, 3);
	s->point = 9;
	memory_view_rows(s);
	assert_int_equal(s->nrows, 2); /* b is no longer listed: the cursor goes to the first line */
	assert_string_equal(memory_view_here(s)->name, "p");
	end(s);
}

static void columns_and_points(void **state)
{
	struct mem_view *s = a_view();
	struct rect wide = { 0, 7, 5, 40 }, narrow = { 0, 7, 5, 3 };

	(void)state;
	for (int64_t p = 0; p < 10; p++) {
		assert_int_equal(memory_view_point_at(s, wide, memory_view_col(s, wide, p)), p);
		assert_in_range(memory_view_col(s, narrow, p), 7, 9);
	}
	assert_int_equal(memory_view_point_at(s, wide, 0), 0);
	assert_int_equal(memory_view_point_at(s, wide, 99), 9);
	end(s);
}

static void zooming_and_panning_stay_inside(void **state)
{
	struct mem_view *s = a_view();

	(void)state;
	memory_view_zoom(s, .5);
	assert_int_equal(s->to - s->from, 5);
	assert_in_range(s->point, s->from, s->to - 1);
	for (int i = 0; i < 9; i++)
		memory_view_zoom(s, .5);
	assert_int_equal(s->to - s->from, 4);
	for (int i = 0; i < 30; i++)
		memory_view_pan(s, 1);
	assert_int_equal(s->to, 10);
	for (int i = 0; i < 30; i++)
		memory_view_pan(s, -1);
	assert_int_equal(s->from, 0);
	for (int i = 0; i < 9; i++)
		memory_view_zoom(s, 2);
	assert_true(s->from == 0 && s->to == 10);
	end(s);
}

static void boxes(void **state)
{
	struct mem_view *s = a_view();
	struct mem_boxes *x = &s->box;

	(void)state;
	memory_view_boxes_make(s);
	/* a, c, b and the two lifetimes of d; a buffer that shares memory has no box */
	assert_int_equal(x->n, 5);
	assert_true(x->top == (double)KIB(165));
	assert_string_equal(x->v[x->at].b->name, "b{1}"); /* the largest */
	memory_view_boxes_step(s, 1, 0, 1);
	assert_true(x->v[x->at].y0 == 0);
	x->at = 0;
	assert_string_equal(x->v[0].b->name, "a");
	memory_view_boxes_step(s, 0, 1, 1);
	assert_string_equal(x->v[x->at].b->name, "c");
	memory_view_boxes_step(s, 0, -1, 1);
	assert_string_equal(x->v[x->at].b->name, "a");
	memory_view_boxes_step(s, 0, -1, 1); /* nothing is further left */
	assert_string_equal(x->v[x->at].b->name, "a");
	memory_view_boxes_zoom(s, .25);
	assert_true(x->lo >= 0 && x->hi <= x->top && x->hi - x->lo < x->top / 3 && s->to - s->from < 10);
	memory_view_boxes_step(s, -1, 0, 5); /* the view scrolls along */
	assert_true(x->hi > (x->v[x->at].y0 + x->v[x->at].y1) / 2);
	end(s);
}

/* As many allocations as a file says, without a look through all of them for each buffer. */
static void boxes_of_many_allocations(void **state)
{
	enum { N = 200000 };
	struct mem_view *s = a_view();
	struct memory_buffer *many = calloc(N, sizeof *many);

	(void)state;
	for (int i = 0; i < N; i++) {
		many[i] = buffer(i, "x", KIB(1), 0, &lives[0], 1);
		many[i].allocation = (uint32_t)(N - i);
	}
	s->m.all = many;
	s->m.nall = N;
	memory_view_boxes_make(s);
	assert_int_equal(s->box.n, N);
	assert_true(s->box.top == (double)KIB(N));
	end(s);
	free(many);
}

static const char *line(const struct mem_view *s, size_t i)
{
	static char text[80];

	assert_true(i < s->tree.list.n);
	sheet_text(&s->tree, s->tree.order[i], 4, text, sizeof text);
	return text;
}

/* jit(f)/jvp()/dot has a and b, jit(f)/add has p; the small ones have no op. */
static struct mem_view *a_tree(void)
{
	struct mem_view *s = a_view();

	peak[1].op_name = peak[2].op_name = "jit(f)/jvp()/dot";
	peak[0].op_name = "jit(f)/add";
	sheet_open(&s->tree, &memory_by_op_schema, NULL, NULL);
	memory_view_rows(s);
	memory_view_ops_make(s);
	s->by_op = true;
	return s;
}

static void end_tree(struct mem_view *s)
{
	memory_view_ops_free(s);
	sheet_free(&s->tree);
	end(s);
}

static void ops_make_a_tree(void **state)
{
	struct mem_view *s = a_tree();
	struct memory_buffer sum;

	(void)state;
	/* jit(f), jvp()/dot, b, a, add: p, small; "jvp()" has nothing of its own */
	assert_int_equal(s->nops, 6);
	assert_string_equal(line(s, 0), "jit(f)");
	assert_string_equal(line(s, 1), "jvp()/dot"); /* the largest one is open */
	assert_string_equal(line(s, 2), "b{1}");
	assert_string_equal(line(s, 3), "a");
	assert_string_equal(line(s, 4), "add");
	assert_string_equal(line(s, 5), "under 16 KiB");
	assert_int_equal(s->op[0].buffers, 3);
	assert_int_equal(s->op[1].size, KIB(164));
	memory_view_op_sum(s, &s->op[1], &sum);
	assert_true(sum.size == KIB(164) && sum.start == 0 && sum.end == 7);
	memory_view_op_sum(s, &s->op[0], &sum);
	assert_int_equal(sum.start, -1); /* the parameter is alive for the whole program */
	assert_true(sum.size == KIB(200) && sum.unpadded == KIB(182));
	end_tree(s);
}

static void lines_fold(void **state)
{
	struct mem_view *s = a_tree();

	(void)state;
	assert_null(memory_view_here(s)); /* an op */
	assert_int_equal(sheet_act(&s->tree, ACT_DOWN, 1), REACT_REDRAW);
	assert_int_equal(sheet_act(&s->tree, ACT_TOGGLE, 1), REACT_REDRAW);
	assert_int_equal(s->tree.list.n, 4);
	assert_string_equal(line(s, 2), "add");
	assert_int_equal(sheet_act(&s->tree, ACT_EXPAND, 1), REACT_REDRAW);
	assert_int_equal(s->tree.list.n, 6);
	sheet_act(&s->tree, ACT_DOWN, 1);
	assert_string_equal(memory_view_here(s)->name, "b{1}");
	assert_int_equal(sheet_act(&s->tree, ACT_OPEN, 1), ACT_PASS); /* a leaf */
	sheet_act(&s->tree, ACT_COLLAPSE, 1);
	assert_string_equal(line(s, s->tree.list.at), "jvp()/dot");
	sheet_act(&s->tree, ACT_COLLAPSE, 1);
	sheet_act(&s->tree, ACT_COLLAPSE, 1);
	sheet_act(&s->tree, ACT_COLLAPSE, 1);
	assert_int_equal(s->tree.list.n, 2);
	sheet_act(&s->tree, ACT_EXPAND_ALL, 1);
	assert_int_equal(s->tree.list.n, 6);
	end_tree(s);
}

static void folded_lines_are_searched_and_filtered(void **state)
{
	struct mem_view *s = a_tree();
	struct regex *re = regex_new("^a$", REGEX_AS_WRITTEN, NULL);

	(void)state;
	sheet_act(&s->tree, ACT_TOGGLE, 1);
	assert_int_equal(s->tree.list.n, 2);
	assert_int_equal(sheet_find(&s->tree, re, 1), 1);
	assert_string_equal(line(s, s->tree.list.at), "a"); /* its parent was opened */
	sheet_find(&s->tree, NULL, 0);
	regex_free(re);
	assert_int_equal(sheet_filter(&s->tree, "dot", NULL), 4); /* with ancestors and descendants */
	assert_string_equal(line(s, 0), "jit(f)");
	assert_int_equal(sheet_filter(&s->tree, "", NULL), 6);
	sheet_sort(&s->tree, "op", 0);
	assert_string_equal(line(s, 0), "jit(f)"); /* levels are sorted separately */
	assert_string_equal(line(s, 1), "add");
	assert_string_equal(line(s, 3), "a");
	end_tree(s);
}

/* XProf's span of a buffer ends when the last one that shares its memory does. */
static void memory_that_is_shared_is_in_use(void **state)
{
	struct mem_view *s = a_view();

	(void)state;
	all[1].end = 8;
	assert_true(memory_view_alive(&s->m, &all[1], 8));
	all[0].shares = true; /* nobody else has its place */
	memory_view_boxes_make(s);
	assert_int_equal(s->box.n, 5); /* a, b, c, and d twice; e has the place of b */
	assert_true(s->box.v[0].b == &all[0] && s->box.v[1].b == &all[2]);
	assert_int_equal(s->box.v[2].t1, 9);
	end(s);
}

static void free_ranges(void **state)
{
	struct mem_view *s = a_view();
	const struct mem_gaps *g;

	(void)state;
	memory_view_boxes_make(s);
	g = memory_view_gaps(s);
	assert_int_equal(g->n, 0); /* at the peak, 3: a, b, d */
	s->point = 6;              /* c of 32 KiB lies where a was, and d comes again */
	g = memory_view_gaps(s);
	assert_int_equal(g->n, 2);
	assert_true(g->v[0].y0 == KIB(32) && g->v[0].y1 == KIB(64));
	assert_true(g->v[0].below->b == &all[2] && g->v[0].above->b == &all[1]);
	assert_int_equal(g->v[0].t0, 4);
	assert_int_equal(g->v[0].t1, 9);
	assert_true(g->v[1].below->b == &all[1] && !g->v[1].above);
	assert_true(g->bytes == KIB(33));
	end(s);
}

static void small_buffers_one_by_one(void **state)
{
	struct mem_view *s = a_view();
	static struct memory_buffer small[1];

	(void)state;
	small[0] = all[3];
	s->m.small = small;
	s->m.nsmall = 1;
	memory_view_rows(s);
	assert_int_equal(s->row[3]->id, -1);
	assert_int_equal(sheet_go(&s->sheet, 3), 1);
	s->all = true;
	memory_view_rows(s);
	assert_int_equal(s->nrows, 4);
	assert_string_equal(s->row[3]->name, "d");
	s->point = 8;
	memory_view_rows(s);
	assert_string_equal(s->row[s->nrows - 1]->name, "c");
	end(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ops_make_a_tree),
		cmocka_unit_test(lines_fold),
		cmocka_unit_test(folded_lines_are_searched_and_filtered),
		cmocka_unit_test(alive_between_allocation_and_release),
		cmocka_unit_test(rows_of_the_peak),
		cmocka_unit_test(rows_of_another_point),
		cmocka_unit_test(columns_and_points),
		cmocka_unit_test(zooming_and_panning_stay_inside),
		cmocka_unit_test(boxes),
		cmocka_unit_test(boxes_of_many_allocations),
		cmocka_unit_test(memory_that_is_shared_is_in_use),
		cmocka_unit_test(free_ranges),
		cmocka_unit_test(small_buffers_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
