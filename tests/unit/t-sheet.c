/* The table widget: order, filter, search, columns, clicks, what comes back in another session. */
#include "config.h"

#include "widget/sheet/sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"

static const struct column columns[] = {
	{ .id = "op", .label = "op", .unit = "", .type = COL_STRING, .show = SHOW_MIDDLE },
	{ .id = "kind", .label = "kind", .unit = "", .type = COL_STRING, .width = 10, .drop = 3 },
	{ .id = "self", .label = "self", .unit = "us", .type = COL_NUMBER, .width = 9 },
	{ .id = "share", .label = "share", .unit = "percent", .type = COL_NUMBER, .width = 7, .drop = 1 },
	{ .id = "runs", .label = "runs", .unit = "", .type = COL_INTEGER, .width = 6, .drop = 2 },
	{ .id = "none", .label = "none", .unit = "", .type = COL_INTEGER, .width = 5 } /* not in the table */
};
static const struct schema schema = { SCHEMA_COLUMNS(columns), .view = "self share runs op -kind none" };
enum { SELF, SHARE, RUNS, OP, KIND, NONE };

static struct table table;
static struct sheet sheet;

static void add(const char *op, const char *kind, double self, double share, int64_t runs)
{
	struct cell *cell = table_row(&table);

	cell[0] = cell_str(op, strlen(op));
	cell[1] = cell_str(kind, strlen(kind));
	cell[2] = self < 0 ? cell_null() : cell_num(self);
	cell[3] = cell_num(share);
	cell[4] = cell_int(runs);
}

static int begin(void **state)
{
	(void)state;
	table_begin_some(&table, &schema, 5);
	add("fusion.2", "loop", 12000, 40, 7);
	add("fusion.10", "loop", 500.5, 10, 1234567);
	add("copy", "copy", -1, 0, 7);
	add("a-very-long-name-of-an-operation.33", "conv", 12000, 50, 2);
	add("tiny", "copy", .25, 0, 1);
	sheet_open(&sheet, &schema, NULL, "self");
	sheet_set(&sheet, &table);
	return 0;
}

static int end(void **state)
{
	sheet_free(&sheet);
	table_free(&table);
	return canvas_end(state);
}

static void draw(int rows, int cols)
{
	fresh(rows, cols);
	sheet_draw(&sheet, &c, (struct rect){ 0, 0, rows, cols });
}

static void order_is(const char *want)
{
	char got[32] = "";

	for (size_t i = 0; i < sheet.list.n; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%zu", sheet.order[i]);
	assert_string_equal(got, want);
}

static struct regex *pattern(const char *text)
{
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = regex_new(text, REGEX_SMART_CASE, &err);

	assert_non_null(re);
	return re;
}

static void test_order(void **state)
{

	(void)state;
	order_is("03142"); /* ties as the table has them, null last */
	sheet_act(&sheet, ACT_SORT_REVERSE, 1);
	order_is("41032"); /* null stays last */
	sheet_sort(&sheet, "op", -1);
	order_is("32014"); /* texts begin with a; numbers in them count */
	sheet_act(&sheet, ACT_SORT_NEXT, 1);
	assert_int_equal(sheet.sort, SELF); /* skips columns that are hidden, or not in the table */
	sheet_act(&sheet, ACT_SORT_PREV, 1);
	assert_int_equal(sheet.sort, OP);
	sheet_sort(&sheet, "nonsense", -1);
	assert_int_equal(sheet.sort, OP);
}

/* A column without a value, which this capture does not have, cannot order anything. */
static void test_order_skips_empty(void **state)
{
	(void)state;
	for (size_t i = 0; i < table.nrows; i++)
		table.cells[i * table.ncolumns + 3] = cell_null();
	sheet_set(&sheet, &table);
	draw(7, 56);
	sheet_act(&sheet, ACT_SORT_NEXT, 1);
	assert_int_equal(sheet.sort, RUNS);
	sheet_act(&sheet, ACT_SORT_PREV, 1);
	assert_int_equal(sheet.sort, SELF);
}

static void test_draws(void **state)
{
	(void)state;
	draw(7, 56);
	shows(" self ms ▼  share %    runs  op\n"
	      "    12.000     40.0       7  fusion.2\n"
	      "    12.000     50.0       2  a-very-long-name-…ation.33\n"
	      "     0.501     10.0    1.2M  fusion.10\n" /* digits are never cut off */
	      "    <0.001      0.0       1  tiny\n"
	      "         –      0.0       7  copy\n\n");
	assert_int_equal(c.cells[56].role, ROLE_SELECTED);
	assert_int_equal(c.cells[2 * 56].role, ROLE_TEXT);
	draw(3, 38); /* runs and then share are dropped before the name gets too short */
	shows(" self ms ▼  share %  op\n    12.000     40.0  fusion.2\n"
	      "    12.000     50.0  a-very-lon…on.33\n");
	draw(3, 30);
	sheet_act(&sheet, ACT_SORT_NEXT, 1);
	assert_int_equal(sheet.sort, OP); /* skips columns without room */
	sheet_sort(&sheet, "self", -1);
	draw(3, 30);
	shows(" self ms ▼  op\n    12.000  fusion.2\n    12.000  a-very-long…on.33\n");
	sheet_sort(&sheet, "share", -1);
	draw(2, 56); /* a title as wide as its column keeps the sort sign */
	shows("   self ms  share %▼   runs  op\n    12.000     50.0       2  a-very-long-name-…ation.33\n");
}

/* The bar of a share stands beside it, goes before it where there is no room, and is not in what is copied. */
static void test_bar_beside(void **state)
{
	struct sheet s;
	char *text = NULL;
	size_t size;
	FILE *f;

	(void)state;
	sheet_open(&s, &schema, "share| -runs op", "share");
	sheet_set(&s, &table);
	fresh(3, 50);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 3, 50 });
	shows(" share %▼             op\n    50.0  █████       a-very-long-name-o…ation.33\n"
	      "    40.0  ████        fusion.2\n");
	fresh(2, 30);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 2, 30 });
	shows(" share %▼ op\n    50.0  a-very-long-…ion.33\n");
	f = open_memstream(&text, &size);
	assert_int_equal(sheet_copy(&s, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "share\t50\n"));
	assert_null(strstr(text, "bar"));
	free(text);
	fresh(3, 50);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 3, 50 });
	sheet_act(&s, ACT_SORT_NEXT, 1); /* a bar has no order of its own */
	assert_string_equal(s.col[s.sort]->id, "op");
	sheet_click(&s, 0, s.x[1] + 2);
	assert_string_equal(s.col[s.sort]->id, "op");
	sheet_free(&s);
}

/* Room goes to the texts that are cut, then to all; the column that it is sorted by is never left out, and what
 * cannot be left out is narrower where there is too little room. */
static void test_widths(void **state)
{
	static const struct column names[] = {
		{ .id = "short", .label = "short", .unit = "", .type = COL_STRING, .width = -8 },
		{ .id = "long",
		    .label = "long",
		    .unit = "",
		    .type = COL_STRING,
		    .width = -8,
		    .show = SHOW_MIDDLE },
		{ .id = "n", .label = "n", .unit = "", .type = COL_INTEGER, .width = 5, .drop = 1 }
	};
	static const struct schema two = { SCHEMA_COLUMNS(names), .view = "short long n" };
	struct sheet s;
	struct table t;
	struct cell *cell;

	(void)state;
	table_begin(&t, &two);
	cell = table_row(&t);
	cell[0] = cell_strz("ab");
	cell[1] = cell_strz("a-name-of-20-columns");
	cell[2] = cell_int(7);
	sheet_open(&s, &two, NULL, "n");
	sheet_set(&s, &t);
	fresh(2, 39);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 2, 39 });
	shows(" short     long                    n ▼\n ab        a-name-of-20-columns      7\n");
	fresh(2, 60);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 2, 60 });
	shows(" short               long                               n ▼\n"
	      " ab                  a-name-of-20-columns                 7\n");
	fresh(2, 25);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 2, 25 });
	shows(" short    long       n ▼\n ab       a-name…      7\n");
	sheet_free(&s);
	table_free(&t);
}

/* Bandwidths as on every card; what no chip can do is no number. */
static void test_rates(void **state)
{
	static const struct column rates[] = {
		{ .id = "bw",
		    .label = "HBM",
		    .title = "HBM",
		    .unit = "GiB/s",
		    .type = COL_NUMBER,
		    .width = 9 },
		{ .id = "of", .label = "of roof", .unit = "fraction", .type = COL_NUMBER, .width = 9 },
	};
	static const struct schema form = { SCHEMA_COLUMNS(rates) };
	struct sheet s;
	struct table t;

	(void)state;
	table_begin(&t, &form);
	for (int i = 0; i < 2; i++) {
		struct cell *cell = table_row(&t);

		cell[0] = cell_rate(i ? 100 : 1e7, !i);
		cell[1] = cell_rate(i ? .5 : 1e4, !i);
	}
	sheet_open(&s, &form, NULL, "bw");
	sheet_set(&s, &t);
	fresh(3, 24);
	sheet_draw(&s, &c, (struct rect){ 0, 0, 3, 24 });
	shows("  HBM GB/s▼ of roof %\n     107.4       50.0\n    > peak     > peak\n");
	sheet_free(&s);
	table_free(&t);
}

static void test_row_stays(void **state)
{
	struct err err = { .at = ERR_NOWHERE };

	(void)state;
	assert_true(sheet_go(&sheet, 1));
	sheet_act(&sheet, ACT_SORT_REVERSE, 1);
	assert_int_equal(sheet_row(&sheet), 1);
	assert_int_equal(sheet_filter(&sheet, "fusion", &err), 2);
	assert_int_equal(sheet_row(&sheet), 1);
	assert_false(sheet_go(&sheet, 4)); /* hidden */
	assert_int_equal(sheet_filter(&sheet, "(", &err), -1);
	assert_int_equal(sheet.list.n, 2);                       /* the old filter is kept */
	assert_int_equal(sheet_filter(&sheet, "loop", &err), 0); /* matches a hidden column */
	assert_int_equal(sheet_row(&sheet), SIZE_MAX);
	sheet_toggle(&sheet, KIND);
	assert_int_equal(sheet.list.n, 2);
	sheet_toggle(&sheet, KIND);
	sheet.all = true;
	assert_int_equal(sheet_filter(&sheet, "loop", &err), 2);
	assert_int_equal(sheet_filter(&sheet, "", &err), 5);
	sheet_set(&sheet, NULL);
	assert_int_equal(sheet_row(&sheet), SIZE_MAX);
	draw(3, 40);
	shows("\n\n\n");
}

/* The data of rows is replaced with the table, so that a row number never leads to data of another table. */
static void test_what_rows_stand_for(void **state)
{
	static const int of[] = { 10, 11, 12, 13, 14 };
	struct err err;

	(void)state;
	assert_null(sheet_here(&sheet)); /* only the table was given */
	sheet_set_rows(&sheet, &(struct sheet_rows){ .table = &table, .of = of, .size = sizeof *of });
	assert_ptr_equal(sheet_here(&sheet), &of[sheet_row(&sheet)]);
	assert_ptr_equal(sheet_of(&sheet, 4), &of[4]);
	assert_null(sheet_of(&sheet, 5));
	assert_null(sheet_of(&sheet, SIZE_MAX));
	sheet_filter(&sheet, "zzzz", &err);
	assert_null(sheet_here(&sheet));
	assert_true(sheet_show(&sheet, 2)); /* the filter is cleared */
	assert_null(sheet.filter);
	assert_ptr_equal(sheet_here(&sheet), &of[2]);
	sheet_set(&sheet, &table);
	assert_null(sheet_of(&sheet, 2));
}

/* Another table has the row at another index, or has no row of that name. */
static void test_named_row_is_found_again(void **state)
{
	struct table other;

	(void)state;
	sheet_name(&sheet, "op", NULL);
	assert_true(sheet_go(&sheet, 2));
	sheet_keep(&sheet);
	table_begin_some(&other, &schema, 5);
	for (int i = 0; i < 3; i++) {
		struct cell *cell = table_row(&other);

		cell[0] = i == 1 ? cell_str("copy", 4) : cell_str("other", 5);
		cell[2] = cell_num(i);
	}
	sheet_set(&sheet, &other);
	assert_int_equal(sheet_row(&sheet), 1);
	assert_true(sheet_show_named(&sheet, "other"));
	assert_int_equal(sheet_row(&sheet), 0);
	assert_false(sheet_show_named(&sheet, "tiny"));
	sheet_set(&sheet, &table);
	assert_false(sheet_return(&sheet));
	assert_int_equal(sheet.list.at, 0); /* not by number */
	sheet_set(&sheet, NULL);
	table_free(&other);
}

static void test_search(void **state)
{
	struct regex *re = pattern("fusion|tiny"); /* lines 0, 2, 3 of 03142 */
	char text[64];

	(void)state;
	assert_int_equal(sheet_find(&sheet, re, 0), 3);
	assert_int_equal(sheet.list.at, 0);
	sheet_find(&sheet, re, 1);
	assert_int_equal(sheet.list.at, 2);
	draw(7, 56);
	assert_int_equal(c.cells[1 * 56 + 30].role, ROLE_HIT);
	assert_int_equal(c.cells[2 * 56 + 30].role, ROLE_TEXT);
	assert_int_equal(c.cells[3 * 56 + 30].role, ROLE_SELECTED);
	sheet_find_status(&sheet, text, sizeof text);
	assert_string_equal(text, "hit 2 of 3");
	sheet_find(&sheet, re, 1);
	sheet_find(&sheet, re, 1);
	assert_int_equal(sheet.list.at, 0); /* wraps around at the end */
	assert_int_equal(sheet.hit, 1);
	sheet_find(&sheet, re, -1);
	assert_int_equal(sheet.list.at, 3); /* and at the beginning */
	assert_int_equal(sheet.hit, 3);
	sheet_find(&sheet, re, -1);
	assert_int_equal(sheet.list.at, 2);
	sheet_find(&sheet, NULL, 0);
	regex_free(re);
	re = pattern("nothing");
	assert_int_equal(sheet_find(&sheet, re, 1), 0);
	assert_int_equal(sheet.list.at, 2);
	sheet_find(&sheet, NULL, 0);
	regex_free(re);
}

/* What was selected after a search, and is no hit, stays selected in another order. */
static void test_order_after_search(void **state)
{
	struct regex *re = pattern("fusion|tiny"); /* lines 0, 2, 3 of 03142 */

	(void)state;
	sheet_find(&sheet, re, 0);
	sheet.list.at = 1;
	sheet_act(&sheet, ACT_SORT_REVERSE, 1); /* 41032 */
	assert_int_equal(sheet_row(&sheet), 3);
	sheet_toggle(&sheet, KIND);
	assert_int_equal(sheet_row(&sheet), 3);
	sheet_find(&sheet, NULL, 0);
	regex_free(re);
}

/* The search looks into columns that are switched off, and quotes them, only if nothing that is shown matches; the
 * filter keeps to what can be seen. */
static void test_search_in_hidden_columns(void **state)
{
	struct regex *re = regex_new("cop", REGEX_SMART_CASE, NULL);
	char text[80];

	(void)state;
	assert_int_equal(sheet_find(&sheet, re, 0), 1); /* copy */
	sheet_find(&sheet, NULL, 0);
	sheet.find_all = true;
	assert_int_equal(sheet_find(&sheet, re, 0), 1); /* not tiny, of which only the kind matches */
	assert_int_equal(sheet_row(&sheet), 2);
	sheet_find(&sheet, NULL, 0);
	regex_free(re);
	re = regex_new("conv", REGEX_SMART_CASE, NULL);
	assert_int_equal(sheet_find(&sheet, re, 0), 1);
	assert_int_equal(sheet_row(&sheet), 3);
	sheet_find_status(&sheet, text, sizeof text);
	assert_non_null(strstr(text, "kind: conv"));
	sheet_find(&sheet, NULL, 0);
	assert_int_equal(sheet_filter(&sheet, "cop", NULL), 1);
	regex_free(re);
}

static void test_sideways(void **state)
{
	(void)state;
	draw(7, 36);
	assert_true(sheet.shift_most > 0);
	for (int i = 0; i < 20; i++) {
		sheet_act(&sheet, ACT_RIGHT, 1);
		draw(7, 36);
	}
	assert_int_equal(sheet.shift, sheet.shift_most);
	sheet_act(&sheet, ACT_LEFT, 20);
	assert_int_equal(sheet.shift, 0);
}

static void test_clicks(void **state)
{
	(void)state;
	draw(7, 56);
	assert_true(sheet_click(&sheet, 3, 20));
	assert_int_equal(sheet_row(&sheet), sheet.order[2]);
	assert_true(sheet_click(&sheet, 0, sheet.x[OP] + 1));
	assert_int_equal(sheet.sort, OP);
	assert_false(sheet.down);
	assert_true(sheet_click(&sheet, 0, sheet.x[OP] + 1));
	assert_true(sheet.down);                  /* clicked again: reversed */
	assert_false(sheet_click(&sheet, 6, 20)); /* below the last line */
}

static void test_other_session(void **state)
{
	struct kv kv = { 0 };
	struct sheet other;

	(void)state;
	sheet_sort(&sheet, "runs", 0);
	sheet_toggle(&sheet, KIND);
	sheet_toggle(&sheet, SHARE);
	sheet_filter(&sheet, "fusion|copy", NULL);
	sheet_save(&sheet, &kv);
	sheet_open(&other, &schema, NULL, "self");
	sheet_restore(&other, &kv); /* before the table is set */
	sheet_set(&other, &table);
	assert_int_equal(other.sort, RUNS);
	assert_false(other.down);
	assert_false(other.off[KIND]);
	assert_true(other.off[SHARE]);
	assert_int_equal(other.list.n, sheet.list.n);
	kv_free(&kv);
	kv_put(&kv, "sort", "gone:desc"); /* a column that no longer exists is ignored */
	kv_put(&kv, "column", "gone");
	kv_put(&kv, "filter", "(");
	sheet_restore(&other, &kv);
	assert_int_equal(other.sort, RUNS);
	assert_int_equal(other.list.n, 4);
	kv_free(&kv);
	sheet_free(&other);
}

static void test_status(void **state)
{
	char text[128];

	(void)state;
	sheet_filter(&sheet, "fusion", NULL);
	sheet_status(&sheet, text, sizeof text);
	assert_string_equal(text, "1 of 2   &fusion   by self");
	sheet_act(&sheet, ACT_SORT_REVERSE, 1);
	sheet_filter(&sheet, "", NULL);
	sheet_status(&sheet, text, sizeof text);
	assert_non_null(strstr(text, "by self, reversed"));
}

/* At any size and with any columns, nothing is drawn outside the area and the cursor stays. */
static void test_any_size(void **state)
{
	(void)state;
	for (int rows = 1; rows < 9; rows++)
		for (int cols = 1; cols < 90; cols++) {
			fresh(rows, cols);
			sheet_draw(&sheet, &c, (struct rect){ 0, 0, rows, cols / 2 });
			for (int y = 0; y < rows; y++)
				for (int x = cols / 2; x < cols; x++)
					assert_int_equal(c.cells[y * cols + x].ch, ' ');
		}
}

#define T(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = { T(test_order), T(test_order_skips_empty), T(test_draws),
		T(test_bar_beside), cmocka_unit_test(test_widths), cmocka_unit_test(test_rates),
		T(test_row_stays), T(test_what_rows_stand_for), T(test_named_row_is_found_again),
		T(test_search), T(test_order_after_search), T(test_search_in_hidden_columns),
		T(test_sideways), T(test_clicks), T(test_other_session), T(test_status), T(test_any_size) };

	return cmocka_run_group_tests_name("sheet", tests, NULL, NULL);
}
