#include "config.h"

#include "core/input/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct {
	const char *text;
	struct key key;
	const char *shown;
} both_ways[] = {
	{ "w", { 'w', 0 }, "w" },
	{ "W", { 'W', 0 }, "W" },
	{ "?", { '?', 0 }, "?" },
	{ ">", { '>', 0 }, ">" },
	{ "<lt>", { '<', 0 }, "<" },
	{ "<Space>", { ' ', 0 }, "Space" },
	{ "<C-l>", { 'l', MOD_CTRL }, "^L" },
	{ "<M-3>", { '3', MOD_ALT }, "Alt-3" },
	{ "<PgDn>", { K_PGDN, 0 }, "PgDn" },
	{ "<S-Right>", { K_RIGHT, MOD_SHIFT }, "Shift-Right" },
	{ "<Esc>", { K_ESC, 0 }, "Esc" },
	{ "<S-Tab>", { K_TAB, MOD_SHIFT }, "Shift-Tab" },
	{ "<F1>", { K_F1, 0 }, "F1" },
	{ "<F12>", { K_F12, 0 }, "F12" },
	{ "<C-M-Up>", { K_UP, MOD_CTRL | MOD_ALT }, "Ctrl-Alt-Up" },
	{ "<M-:>", { ':', MOD_ALT }, "Alt-:" },
	{ "<BS>", { K_BACKSPACE, 0 }, "Backspace" },
	{ "\xc3\xa9", { 0xe9, 0 }, "\xc3\xa9" },
	{ "<C-Space>", { ' ', MOD_CTRL }, "Ctrl-Space" },
};

static void parses_to(const char *text, struct key want)
{
	const char *s = text;
	struct key k;

	if (key_parse(&s, &k))
		fail_msg("%s is not taken", text);
	if (*s || !key_same(k, want))
		fail_msg("%s: code %x mods %d, left \"%s\"", text, k.code, k.mods, s);
}

static void test_notation(void **state)
{
	char buf[32];

	(void)state;
	for (size_t i = 0; i < sizeof both_ways / sizeof *both_ways; i++) {
		if (!strcmp(both_ways[i].text, ">")) /* accepted as it is, written as <gt> */
			continue;
		parses_to(both_ways[i].text, both_ways[i].key);
		assert_string_equal(key_format(both_ways[i].key, buf, sizeof buf), both_ways[i].text);
	}
	for (size_t i = 0; i < sizeof both_ways / sizeof *both_ways; i++)
		assert_string_equal(key_show(both_ways[i].key, buf, sizeof buf), both_ways[i].shown);
}

static void test_one_form_for_each_key(void **state)
{
	(void)state;
	parses_to(">", (struct key){ '>', 0 });
	parses_to("<", (struct key){ '<', 0 });
	parses_to("<S-w>", (struct key){ 'W', 0 });
	parses_to("<S-W>", (struct key){ 'W', 0 });
	parses_to("<C-L>", (struct key){ 'l', MOD_CTRL });
	parses_to("<C-S-l>", (struct key){ 'l', MOD_CTRL });
	parses_to("<M-S-l>", (struct key){ 'L', MOD_ALT });
	parses_to("<C-i>", (struct key){ K_TAB, 0 });
	parses_to("<C-m>", (struct key){ K_ENTER, 0 });
	parses_to("<C-[>", (struct key){ K_ESC, 0 });
	parses_to("<Backspace>", (struct key){ K_BACKSPACE, 0 });
}

static void test_sequence(void **state)
{
	static const uint32_t want[] = { K_ESC, 'w', '<', '<', 'x', K_ENTER };
	const char *s = "<Esc>w<lt><x<Enter>";
	struct key k;

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(key_parse(&s, &k), 0);
		assert_int_equal(k.code, want[i]);
	}
	assert_int_equal(*s, 0);
}

static void test_mistakes(void **state)
{
	static const char *const wrong[] = { "", "<Nokey>", "<C->", "<M-ab>", "<F13>", "\x01", "\x7f",
		"\xff" };
	struct key k;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *s = wrong[i];

		if (!key_parse(&s, &k))
			fail_msg("%s is no key", wrong[i]);
		assert_ptr_equal(s, wrong[i]);
	}
}

static void test_small_buffers(void **state)
{
	char buf[4];

	(void)state;
	assert_string_equal(key_format((struct key){ K_PGDN, 0 }, buf, sizeof buf), "<Pg");
	assert_string_equal(key_show((struct key){ K_PGDN, MOD_CTRL }, buf, sizeof buf), "Ctr");
	assert_string_equal(key_format((struct key){ K_RESIZE, 0 }, buf, sizeof buf), "<no");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notation),
		cmocka_unit_test(test_one_form_for_each_key),
		cmocka_unit_test(test_sequence),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_small_buffers),
	};

	return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
