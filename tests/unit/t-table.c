#include "config.h"
#include "result/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text/natural.h"
#include "result/cell_text.h"

static const struct column columns[] = {
	{ .id = "name", .label = "name", .unit = "", .type = COL_STRING },
	{ .id = "n", .label = "n", .unit = "", .type = COL_INTEGER },
	{ .id = "x", .label = "x", .unit = "us", .type = COL_NUMBER },
};
static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };

static void add(struct table *t, const char *name, struct cell n, struct cell x)
{
	struct cell *c = table_row(t);

	c[0] = cell_str(table_copy(t, name, strlen(name)), strlen(name));
	c[1] = n;
	c[2] = x;
}

static void fill(struct table *t)
{
	table_begin(t, &columns_schema);
	add(t, "fusion.10", cell_int(3), cell_num(1.5));
	add(t, "fusion.9", cell_null(), cell_num(-1));
	add(t, "copy", cell_int(7), cell_null());
	add(t, "copy.1", cell_int(3), cell_num(2.5));
	add(t, "all-reduce", cell_int(3), cell_int(2));
}

static void expect(const struct table *t, const char *want)
{
	char got[200] = "";

	for (size_t i = 0; i < t->nrows; i++) {
		strcat(got, i ? " " : "");
		strncat(got, t->cells[i * 3].s, t->cells[i * 3].n);
	}
	assert_string_equal(got, want);
}

static void numbers_go_down_ties_keep_their_order_nulls_are_last(void **state)
{
	struct table t;

	(void)state;
	fill(&t);
	assert_int_equal(table_sort(&t, "n", NULL), 0);
	expect(&t, "copy fusion.10 copy.1 all-reduce fusion.9");
	assert_int_equal(table_sort(&t, "n:asc", NULL), 0);
	expect(&t, "fusion.10 copy.1 all-reduce copy fusion.9");
	assert_int_equal(table_sort(&t, "x", NULL), 0);
	expect(&t, "copy.1 all-reduce fusion.10 fusion.9 copy");
	table_free(&t);
}

static void numbers_beyond_what_is_possible_are_behind_all_others(void **state)
{
	static const struct column rates[] = {
		{ .id = "rate", .label = "rate", .unit = "GiB/s", .type = COL_NUMBER }
	};
	static const struct schema rates_schema = { SCHEMA_COLUMNS(rates) };
	struct table t;

	(void)state;
	table_begin(&t, &rates_schema);
	*table_row(&t) = cell_null();
	*table_row(&t) = cell_rate(1e9, true);
	*table_row(&t) = cell_rate(5, false);
	*table_row(&t) = cell_num(7);
	for (int down = 0; down < 2; down++) {
		size_t *order = table_order(&t, 0, down);

		assert_int_equal(order[0], down ? 3 : 2);
		assert_int_equal(order[2], 1);
		assert_int_equal(order[3], 0);
		free(order);
	}
	table_free(&t);
}

/* Whole or not, below zero or not; equals keep the order of the table. */
static void numbers_of_any_size_are_in_order(void **state)
{
	static const struct column one[] = { { .id = "n", .label = "n", .type = COL_NUMBER } };
	static const struct schema one_schema = { SCHEMA_COLUMNS(one) };
	static const double value[] = { 0, -0.0, 1, -1, 255, 256, -256, 1e300, -1e300, 5e-324, 65536.5, 3e9 };

	(void)state;
	for (int form = 0; form < 4; form++) {
		bool whole = form & 1, down = form & 2;
		struct table t;
		size_t *order;

		table_begin(&t, &one_schema);
		for (size_t i = 0; i < 500; i++) {
			double d = value[i * 7 % 12];
			bool fits = d > -1e18 && d < 1e18;

			*table_row(&t) = i % 11 == 3 ? cell_null()
			    : whole ? cell_int(fits ? (int64_t)d : INT64_MIN + (int64_t)i % 2)
				    : cell_num(d);
		}
		order = table_order(&t, 0, down);
		for (size_t i = 0; i + 1 < 500; i++) {
			const struct cell *a = table_at(&t, order[i], 0), *b = table_at(&t, order[i + 1], 0);
			bool less = whole ? a->u.i < b->u.i : a->u.d < b->u.d;
			bool more = whole ? a->u.i > b->u.i : a->u.d > b->u.d;

			assert_false(a->type == CELL_NULL && b->type != CELL_NULL);
			if (b->type == CELL_NULL && a->type != CELL_NULL)
				continue;
			if (a->type == CELL_NULL)
				less = more = false;
			assert_false(down ? less : more);
			assert_true(less || more || order[i] < order[i + 1]);
		}
		free(order);
		table_free(&t);
	}
}

static void texts_go_up_in_natural_order(void **state)
{
	struct table t;

	(void)state;
	fill(&t);
	assert_int_equal(table_sort(&t, "name", NULL), 0);
	expect(&t, "all-reduce copy copy.1 fusion.9 fusion.10");
	assert_int_equal(table_sort(&t, "name:desc", NULL), 0);
	expect(&t, "fusion.10 fusion.9 copy.1 copy all-reduce");
	table_free(&t);
}

/* Texts that many rows share, and more texts than are looked at as such: equals keep the order of the table. */
static void texts_of_many_rows_are_in_order(void **state)
{
	static const struct column one[] = { { .id = "s", .label = "s", .type = COL_STRING } };
	static const struct schema one_schema = { SCHEMA_COLUMNS(one) };
	enum { ROWS = 12000 };

	(void)state;
	for (int form = 0; form < 4; form++) {
		size_t texts = form & 1 ? 7 : 5000;
		bool down = form & 2;
		struct table t;
		size_t *order;

		table_begin(&t, &one_schema);
		for (size_t i = 0; i < ROWS; i++) {
			char text[24];

			snprintf(text, sizeof text, "op.%zu%s", i * 7919 % texts, i % 3 ? "" : "a");
			*table_row(&t) = i % 11 == 3 ? cell_null()
			    : i % 13 == 5            ? cell_str(NULL, 0)
					  : cell_str(table_copy(&t, text, strlen(text)), strlen(text));
		}
		order = table_order(&t, 0, down);
		for (size_t i = 0; i + 1 < ROWS; i++) {
			const struct cell *a = table_at(&t, order[i], 0), *b = table_at(&t, order[i + 1], 0);
			int by = natural_cmp(a->s ? a->s : "", a->n, b->s ? b->s : "", b->n);

			if (a->type == CELL_NULL || b->type == CELL_NULL)
				by = (a->type == CELL_NULL) - (b->type == CELL_NULL);
			else if (down)
				by = -by;
			assert_true(by < 0 || (!by && order[i] < order[i + 1]));
		}
		free(order);
		table_free(&t);
	}
}

static void wrong_orders_are_refused_and_change_nothing(void **state)
{
	static const char *const wrong[] = { "nothing", "n:up", "", "na", "names", "n:" };
	struct table t;

	(void)state;
	fill(&t);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err e = { 0 };

		assert_int_equal(table_sort(&t, wrong[i], &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
	}
	expect(&t, "fusion.10 fusion.9 copy copy.1 all-reduce");
	table_free(&t);
}

static void many_rows_and_the_first_of_them(void **state)
{
	struct table t;
	const int n = 1000;

	(void)state;
	table_begin(&t, &columns_schema);
	for (int i = 0; i < n; i++)
		add(&t, "x", cell_int(i * 7919 % 13), cell_int(i));
	assert_int_equal(table_sort(&t, "n:asc", NULL), 0);
	for (int i = 1; i < n; i++) {
		const struct cell *a = &t.cells[(i - 1) * 3], *b = &t.cells[i * 3];

		assert_true(a[1].u.i < b[1].u.i || (a[1].u.i == b[1].u.i && a[2].u.i < b[2].u.i));
	}
	table_top(&t, 5000);
	assert_int_equal(t.nrows, n);
	table_top(&t, 3);
	assert_int_equal(t.nrows, 3);
	assert_int_equal(table_column(&t, "x"), 2);
	assert_int_equal(table_column(&t, "y"), -1);
	table_free(&t);
}

static void cells_are_found_by_row_and_column(void **state)
{
	static const struct column two[] = { { .id = "a", .label = "", .unit = "", .type = COL_NUMBER },
		{ .id = "b", .label = "", .unit = "", .type = COL_STRING } };
	static const struct schema two_schema = { SCHEMA_COLUMNS(two) };
	struct table t;
	struct cell *row;

	(void)state;
	table_begin(&t, &two_schema);
	row = table_row(&t);
	row[0] = cell_int(3);
	row[1] = cell_str("text", 2);
	assert_true(table_number(&t, 0, "a") == 3);
	assert_true(isnan(table_number(&t, 0, "b")) && isnan(table_number(&t, 0, "c")) &&
	    isnan(table_number(&t, 1, "a")));
	assert_true(slice_is(cell_text(table_get(&t, 0, "b")), "te"));
	assert_int_equal(cell_text(table_get(&t, 0, "a")).n, 0);
	table_free(&t);
}

static void cells_as_text(void **state)
{
	static const struct {
		double v;
		const char *unit, *brief, *precise;
	} number[] = {
		{ NAN, "us", "–", "–" },
		{ 1.5, "us", "1.500 µs", "1.500 µs" },
		{ 12.345, "percent", "12.3 %", "12.35 %" },
		{ 3.5, "GFLOP/s", "3.500 GFLOP/s", "3.500 GFLOP/s" },
		{ 2000, "GiB/s", "2.147 TB/s", "2147.484 GB/s" },
		{ 1536 * 1048576., "B", "1.50 GiB", "1.5 GiB" },
		{ .125, "fraction", "12.5 %", "0.125 fraction" },
		{ 1234567, "FLOP/B", "1.235 MFLOP/B", "1234567 FLOP/B" },
		{ 2, "", "2.00", "2.0000" },
	};
	struct column count = { .id = "n", .unit = "", .type = COL_INTEGER };
	struct cell cell = cell_int(12345);
	char buf[64], *text;
	size_t n;
	FILE *f;

	(void)state;
	for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
		assert_string_equal(number_text(buf, sizeof buf, number[i].v, number[i].unit, false,
					NUMBER_SHORT),
		    number[i].brief);
		assert_string_equal(number_text(buf, sizeof buf, number[i].v, number[i].unit, false,
					NUMBER_PRECISE),
		    number[i].precise);
	}
	assert_string_equal(cell_people(buf, sizeof buf, &cell, &count), "12,345");
	cell = cell_rate(1, true);
	assert_string_equal(cell_people(buf, sizeof buf, &cell, &count), CELL_BEYOND);
	assert_string_equal(cell_people(buf, sizeof buf, NULL, NULL), CELL_UNKNOWN);
	f = open_memstream(&text, &n);
	cell = cell_num(1. / 3);
	cell_file(f, &cell, 17);
	cell = cell_strz("\ta\n");
	cell_file(f, &cell, 17);
	fclose(f);
	assert_string_equal(text, "0.33333333333333331 a ");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_go_down_ties_keep_their_order_nulls_are_last),
		cmocka_unit_test(numbers_beyond_what_is_possible_are_behind_all_others),
		cmocka_unit_test(numbers_of_any_size_are_in_order),
		cmocka_unit_test(cells_as_text),
		cmocka_unit_test(texts_go_up_in_natural_order),
		cmocka_unit_test(texts_of_many_rows_are_in_order),
		cmocka_unit_test(wrong_orders_are_refused_and_change_nothing),
		cmocka_unit_test(many_rows_and_the_first_of_them),
		cmocka_unit_test(cells_are_found_by_row_and_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
