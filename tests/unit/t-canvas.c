#include "config.h"

#include "core/paint/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"

static void looks(int colors, const char *want)
{
	size_t n;
	char *text = canvas_dump(&c, colors, &n);

	assert_string_equal(text, want);
	free(text);
}

static void test_text_is_clipped(void **state)
{
	(void)state;
	fresh(2, 5);
	assert_int_equal(canvas_str(&c, 0, 3, 10, ROLE_TEXT, 0, "abcdef"), 6);
	assert_int_equal(canvas_str(&c, 1, -2, 10, ROLE_TEXT, 0, "abcdef"), 6);
	canvas_str(&c, 2, 0, 5, ROLE_TEXT, 0, "out");
	canvas_str(&c, -1, 0, 5, ROLE_TEXT, 0, "out");
	canvas_put(&c, INT32_MAX, INT32_MAX, 'x', ROLE_TEXT, 0);
	canvas_put(&c, 0, INT32_MIN, 'x', ROLE_TEXT, 0);
	shows("   ab\ncdef\n");
	assert_int_equal(canvas_str(&c, 0, 0, 2, ROLE_TEXT, 0, "xyz"), 2);
	shows("xy ab\ncdef\n");
}

static void test_clip_rectangle(void **state)
{
	struct rect old;

	(void)state;
	fresh(3, 6);
	old = canvas_clip(&c, (struct rect){ 1, 2, 1, 100 });
	assert_int_equal(old.w, 6);
	canvas_fill(&c, (struct rect){ -5, -5, 100, 100 }, '#', ROLE_TEXT, 0);
	shows("\n  ####\n\n");
	canvas_clip(&c, (struct rect){ 5, 5, 3, 3 });
	canvas_fill(&c, (struct rect){ 0, 0, 3, 6 }, 'x', ROLE_TEXT, 0);
	shows("\n  ####\n\n");
	canvas_clip(&c, old);
	canvas_fill(&c, (struct rect){ 0, INT32_MAX - 1, 9, INT32_MAX }, 'x', ROLE_TEXT, 0);
	shows("\n  ####\n\n");
}

/* Text from files is made harmless. */
static void test_hostile_text(void **state)
{
	(void)state;
	fresh(1, 12);
	canvas_str(&c, 0, 0, 12, ROLE_TEXT, 0, "a\033[31mb\tc\x9b\xff");
	shows("a\xe2\x90\x9b[31mb\xe2\x90\x89"
	      "c\xe2\x90\xa6\xe2\x90\xa6\n");
	fresh(1, 12);
	/* C1 and a bidi override as UTF-8 */
	canvas_str(&c, 0, 0, 12, ROLE_TEXT, 0,
	    "\xc2\x9b"
	    "1m\xe2\x80\xae"
	    "x");
	shows("\xe2\x90\xa6"
	      "1m\xe2\x90\xa6"
	      "x\n");
	fresh_as(1, 12, &glyphs_ascii, false);
	canvas_str(&c, 0, 0, 12, ROLE_TEXT, 0, "\033\xc2\xb5s \xe2\x80\xa6 \xe6\x97\xa5");
	shows("?us ~ ?\n");
	canvas_put(&c, 0, 0, 0x2588, ROLE_TEXT, 0);
	canvas_put(&c, 0, 1, 7, ROLE_TEXT, 0);
	shows("#?s ~ ?\n");
	canvas_str(&c, 0, 0, 12, ROLE_TEXT, 0, "▁▃▅▇█"); /* columns of a small chart keep their heights */
	shows(".-+## ?\n");
}

static void test_wide_characters(void **state)
{
	(void)state;
	fresh(1, 5);
	assert_int_equal(canvas_str(&c, 0, 0, 5, ROLE_TEXT, 0, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"), 4);
	shows("\xe6\x97\xa5\xe6\x9c\xac\n");
	canvas_put(&c, 0, 1, 'x', ROLE_TEXT, 0); /* overwriting a right half clears the left one */
	shows(" x\xe6\x9c\xac\n");
	canvas_put(&c, 0, 2, 'y', ROLE_TEXT, 0); /* overwriting a left half clears the right one */
	shows(" xy\n");
	canvas_put(&c, 0, 4, 0x65e5, ROLE_TEXT, 0); /* no room for its right half */
	shows(" xy\n");
	canvas_put(&c, 0, -1, 0x65e5, ROLE_TEXT, 0);
	shows(" xy\n");
}

static void cuts_to(const char *name, int cols, const char *want)
{
	char line[200];

	fresh(1, 60);
	snprintf(line, sizeof line, "%s\n", want);
	assert_int_equal(canvas_cut(&c, 0, 0, cols, ROLE_TEXT, 0, name, strlen(name)) <= cols, 1);
	shows(line);
}

static void test_cut(void **state)
{
	(void)state;
	cuts_to("fusion.161", 10, "fusion.161");
	cuts_to("fusion.161", 9, "fusi\xe2\x80\xa6.161");
	cuts_to("fusion.161", 8, "fusion.\xe2\x80\xa6");
	cuts_to("copy-start.2", 8, "copy-\xe2\x80\xa6.2");
	cuts_to("copy-start.2", 6, "copy-\xe2\x80\xa6");
	cuts_to("dynamic-update-slice.33", 20, "dynamic-updat\xe2\x80\xa6ice.33");
	cuts_to("tpu-v5e-w-12-0", 12, "tpu-v5\xe2\x80\xa6-12-0");
	cuts_to("dynamic-update-slice.33", 1, "\xe2\x80\xa6");
	cuts_to("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5, "\xe6\x97\xa5\xe6\x9c\xac\xe2\x80\xa6");
	cuts_to("abc", 0, "");
}

static void test_right_and_format(void **state)
{
	(void)state;
	fresh(2, 10);
	assert_int_equal(canvas_right(&c, 0, 9, ROLE_TEXT, 0, "42 \xc2\xb5s"), 4);
	assert_int_equal(canvas_fmt(&c, 1, 0, 6, ROLE_TEXT, 0, "%d of %d", 12, 345), 6);
	shows("    42 \xc2\xb5s\n12 of\n");
}

static void test_looks(void **state)
{
	(void)state;
	fresh(1, 6);
	canvas_str(&c, 0, 0, 1, ROLE_TEXT, 0, "a");
	canvas_str(&c, 0, 1, 1, ROLE_DIM, 0, "b");
	canvas_str(&c, 0, 2, 1, ROLE_FILL_COPY, ATTR_BOLD, "c");
	canvas_put(&c, 0, 4, ' ', ROLE_TITLE, 0);
	looks(0, "abc\n");
	looks(16, "a\033[0;90mb\033[0;1;30;43mc\033[0m \033[0;7m \033[0m\n");
	looks(8, "a\033[0;2mb\033[0;1;30;43mc\033[0m \033[0;7m \033[0m\n");
	c.mono = true;
	looks(16, "ab\033[0;1mc\033[0m \033[0;7m \033[0m\n");
}

static void test_roles(void **state)
{
	(void)state;
	fresh(1, 3);
	canvas_put(&c, 0, 0, 'x', ROLE_FILL_MATMUL, 0);
	canvas_role(&c, (struct rect){ 0, 1, 1, 1 }, ROLE_SELECTED, 0);
	canvas_attr(&c, (struct rect){ 0, 0, 9, 9 }, ATTR_UNDERLINE);
	assert_int_equal(c.cells[0].role, ROLE_FILL_MATMUL);
	assert_int_equal(c.cells[1].role, ROLE_SELECTED);
	assert_int_equal(c.cells[2].role, ROLE_TEXT);
	assert_int_equal(c.cells[2].attr, ATTR_UNDERLINE);
}

static void test_no_size_at_all(void **state)
{
	(void)state;
	fresh(0, 0);
	canvas_str(&c, 0, 0, 9, ROLE_TEXT, 0, "x");
	canvas_fill(&c, (struct rect){ 0, 0, 1, 1 }, 'x', ROLE_TEXT, 0);
	shows("");
	canvas_resize(&c, 1, 1);
	canvas_put(&c, 0, 0, 0x65e5, ROLE_TEXT, 0);
	shows("\n");
}

/* Drawing a full screen of single cells must be fast: 300 x 60 in well under a millisecond, with a margin for
 * slow machines and sanitizers. */
static void test_fast(void **state)
{
	struct timespec a, b;
	double ms;

	(void)state;
	fresh(60, 300);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (int n = 0; n < 10; n++)
		for (int y = 0; y < 60; y++)
			for (int x = 0; x < 300; x++)
				canvas_put(&c, y, x, 0x2581 + (uint32_t)(x & 7), ROLE_FILL_COPY, 0);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	ms = (double)(b.tv_sec - a.tv_sec) * 100 + (double)(b.tv_nsec - a.tv_nsec) * 1e-7;
	print_message("# %.3f ms for 18000 cells\n", ms);
	assert_true(ms < 20);
}

/* What a move of the selection leaves for later: rows of the late areas, in their order, once there are too many
 * bytes; never anything else. */
static void test_late_areas(void **state)
{
	struct canvas_cell before[4 * 40];

	(void)state;
	fresh(4, 40);
	memcpy(before, c.cells, sizeof before);
	canvas_late(&c, (struct rect){ 1, 20, 9, 20 });
	canvas_late(&c, (struct rect){ 0, 20, 1, 10 });
	for (int y = 0; y < 4; y++)
		canvas_str(&c, y, 15, 25, ROLE_TEXT, 0, "abcdefghijklmnopqrstuvwxy");
	assert_false(canvas_hold(&c, before, 200));
	assert_true(canvas_hold(&c, before, 100));
	shows("               abcde          pqrstuvwxy\n"
	      "               abcdefghijklmnopqrstuvwxy\n"
	      "               abcdefghijklmnopqrstuvwxy\n"
	      "               abcde\n");
	assert_true(canvas_hold(&c, before, 1));
	shows("               abcde          pqrstuvwxy\n               abcde\n               abcde\n"
	      "               abcde\n");
	canvas_clear(&c);
	assert_int_equal(c.late[0].h, 0);
	canvas_str(&c, 0, 0, 40, ROLE_TEXT, 0, "abcdefghijklmnopqrstuvwxy");
	assert_false(canvas_hold(&c, before, 1));
}

/* Lines wait, and so do the ends of those that were there, wherever they are; what they cross does not. */
static void test_late_cells(void **state)
{
	struct canvas_cell before[4 * 40];

	(void)state;
	fresh(4, 40);
	for (int y = 0; y < 4; y++) {
		canvas_put(&c, y, 5, '|', ROLE_MARK, 0);
		canvas_late_cell(&c, y, 5);
	}
	canvas_late_cell(&c, 4, 5);
	memcpy(before, c.cells, sizeof before);
	canvas_clear(&c);
	for (int y = 0; y < 4; y++) {
		canvas_put(&c, y, 9, '|', ROLE_MARK, 0);
		canvas_late_cell(&c, y, 9);
		canvas_str(&c, y, 0, 3, ROLE_TEXT, 0, "abc");
	}
	assert_false(canvas_hold(&c, before, 400));
	shows("abc      |\nabc      |\nabc      |\nabc      |\n");
	assert_true(canvas_hold(&c, before, 60));
	shows("abc  |\nabc  |\nabc  |\nabc  |\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_clipped),
		cmocka_unit_test(test_clip_rectangle),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_wide_characters),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_right_and_format),
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_no_size_at_all),
		cmocka_unit_test(test_late_areas),
		cmocka_unit_test(test_late_cells),
		cmocka_unit_test(test_fast),
	};

	return cmocka_run_group_tests_name("canvas", tests, NULL, canvas_end);
}
