#include "config.h"

#include "core/input/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct prompt p;
static struct history h;

/* Types keys in notation; returns the result of the last one. */
static enum prompt_event type(const char *keys)
{
	enum prompt_event e = PROMPT_NOTHING;
	struct key k;

	while (*keys) {
		assert_int_equal(key_parse(&keys, &k), 0);
		e = prompt_key(&p, k);
	}
	return e;
}

static void after_keys(const char *keys, const char *text, size_t at)
{
	prompt_open(&p, ':', &h);
	type(keys);
	assert_string_equal(p.text, text);
	assert_int_equal(p.len, strlen(text));
	assert_int_equal(p.at, at);
}

static void test_editing(void **state)
{
	(void)state;
	after_keys("abc", "abc", 3);
	after_keys("abc<Left><Left>x", "axbc", 2);
	after_keys("abc<Home>x<End>y", "xabcy", 5);
	after_keys("abc<C-a>x<C-e>y", "xabcy", 5);
	after_keys("abc<BS>", "ab", 2);
	after_keys("abc<Left><Del>", "ab", 2);
	after_keys("abc<Home><BS>", "abc", 0);
	after_keys("abc<Del>", "abc", 3);
	after_keys("one two  <C-w>", "one ", 4);
	after_keys("one two<C-w><C-w><C-w>x", "x", 1);
	after_keys("one two<Left><Left><C-u>", "wo", 0);
	after_keys("abc<Left><Left><C-k>", "a", 1);
	after_keys("<Space>a<M-x><F5>b", " ab", 3);
}

static void test_characters_stay_whole(void **state)
{
	(void)state;
	after_keys("\xc3\xa9\xe6\x97\xa5<BS>", "\xc3\xa9", 2);
	after_keys("\xc3\xa9\xe6\x97\xa5<Left><Left>x", "x\xc3\xa9\xe6\x97\xa5", 1);
	after_keys("\xe6\x97\xa5<Home><Del>", "", 0);
}

static void test_endings(void **state)
{
	(void)state;
	prompt_open(&p, '/', &h);
	assert_int_equal(type("x<Esc>"), PROMPT_CLOSED);
	assert_false(p.open);
	prompt_open(&p, '/', &h);
	assert_int_equal(type("<BS>"), PROMPT_CLOSED);
	prompt_open(&p, '/', &h);
	assert_int_equal(type("<C-c>"), PROMPT_CLOSED);
	prompt_open(&p, '/', &h);
	assert_int_equal(type("vi<Tab>"), PROMPT_COMPLETE);
	assert_true(p.open);
	assert_int_equal(type("<Enter>"), PROMPT_DONE);
	assert_false(p.open);
	assert_string_equal(p.text, "vi");
}

static void test_history(void **state)
{
	(void)state;
	history_free(&h);
	prompt_open(&p, ':', &h);
	type("one<Enter>");
	prompt_open(&p, ':', &h);
	type("two<Enter>");
	prompt_open(&p, ':', &h);
	type("two<Enter>"); /* repeated and empty lines are not kept */
	prompt_open(&p, ':', &h);
	type("<Enter>");
	assert_int_equal(h.n, 2);
	after_keys("<Up>", "two", 3);
	after_keys("<Up><Up><Up>", "one", 3);
	after_keys("typed<Up><Up><Down><Down>", "typed", 5);
	after_keys("<Down>", "", 0);
	for (int i = 0; i < 2 * HISTORY_MAX; i++) {
		char line[32];

		snprintf(line, sizeof line, "line %d", i);
		prompt_open(&p, ':', &h);
		prompt_set(&p, line);
		type("<Enter>");
	}
	assert_int_equal(h.n, HISTORY_MAX);
	after_keys("<Up>", "line 199", 8);
}

static void test_limit(void **state)
{
	(void)state;
	prompt_open(&p, '/', &h);
	for (int i = 0; i < PROMPT_MAX + 50; i++)
		type("x");
	assert_int_equal(p.len, PROMPT_MAX);
	type("<BS>\xc3\xa9"); /* one byte is free: a two-byte character is refused */
	assert_int_equal(p.len, PROMPT_MAX - 1);
}

static void test_long_lines_keep_the_cursor_in_sight(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 1, 10, &glyphs_blocks, false);
	prompt_open(&p, '/', &h);
	type("0123456789abcdef");
	prompt_draw(&p, &c, 0);
	assert_int_equal(c.cells[1].ch, '/');
	assert_int_equal(c.cursor_x, 9);
	assert_int_equal(c.cells[8].ch, 'f');
	type("<Home>");
	canvas_clear(&c);
	prompt_draw(&p, &c, 0);
	assert_int_equal(c.cursor_x, 2);
	assert_int_equal(c.cells[2].ch, '0');
	canvas_resize(&c, 1, 2);
	prompt_draw(&p, &c, 0);
	canvas_free(&c);
}

/* A cut list of completions ends with a whole word and an ellipsis. */
static void test_what_has_no_room_is_told(void **state)
{
	static const struct {
		int cols;
		const char *shown;
	} v[] = {
		{ 40, ":   view set bind unbind\n" },
		{ 24, ":   view set bind unbind\n" },
		{ 23, ":   view set bind \u2026\n" },
		{ 19, ":   view set bind \u2026\n" },
		{ 18, ":   view set \u2026\n" },
		{ 8, ":   \u2026\n" },
		{ 6, ":   \u2026\n" },
	};
	struct canvas c;
	char *text;
	size_t n;

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		canvas_init(&c, 1, v[i].cols + 2, &glyphs_blocks, false);
		prompt_open(&p, ':', &h);
		snprintf(p.hint, sizeof p.hint, "view set bind unbind");
		prompt_draw(&p, &c, 0);
		text = canvas_dump(&c, 0, &n);
		assert_string_equal(text + 1, v[i].shown);
		free(text);
		canvas_free(&c);
	}
}

static int end(void **state)
{
	(void)state;
	history_free(&h);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_editing),
		cmocka_unit_test(test_characters_stay_whole),
		cmocka_unit_test(test_endings),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_long_lines_keep_the_cursor_in_sight),
		cmocka_unit_test(test_what_has_no_room_is_told),
	};

	return cmocka_run_group_tests_name("prompt", tests, NULL, end);
}
