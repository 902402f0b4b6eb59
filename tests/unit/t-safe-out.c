#include "config.h"
#include "base/text/safe_out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Writes the pieces through the door, each on its own, and compares what comes out. */
static void check(const char *const *pieces, const char *want)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n), *door = safe_out(to);

	assert_non_null(door);
	for (; *pieces; pieces++) {
		fputs(*pieces, door);
		assert_int_equal(fflush(door), 0);
	}
	assert_int_equal(fclose(door), 0);
	fclose(to);
	assert_string_equal(text, want);
	free(text);
}

static void plain_text_stays(void **state)
{
	static const char *const v[] = { "a\tb\n", "µs 模型 ", "│\n", NULL };

	(void)state;
	check(v, "a\tb\nµs 模型 │\n");
}

static void what_a_terminal_obeys_is_shown(void **state)
{
	static const char *const v[] = { "\033]0;x\a", "\r\177", "\302\233J", NULL };

	(void)state;
	check(v, "␛]0;x␇␍␡␦J");
}

/* A character may be cut between two writes, and broken bytes are signs of their own. */
static void characters_in_pieces(void **state)
{
	static const char *const halves[] = { "\302", "\265s", "\342\224", "\202", NULL },
				 *const broken[] = { "\302", "\033[2J", NULL },
				 *const last[] = { "x\342\224", NULL };

	(void)state;
	check(halves, "µs│");
	check(broken, "␦␛[2J");
	check(last, "x␦␦");
}

static void errors_are_told(void **state)
{
	FILE *full = fopen("/dev/full", "w"), *door = safe_out(full);
	int bad;

	(void)state;
	fputs("text", door);
	bad = fflush(door);
	bad |= fclose(door);
	assert_int_not_equal(bad, 0);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(what_a_terminal_obeys_is_shown), cmocka_unit_test(characters_in_pieces),
		cmocka_unit_test(errors_are_told) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
