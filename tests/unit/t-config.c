#include "config.h"

#include "core/input/conf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/utf8.h"

static struct config c;
static struct err err;

static void reads(const char *text)
{
	char buf[4000];
	size_t n = strlen(text);

	memcpy(buf, text, n + 1);
	config_free(&c);
	assert_int_equal(config_read(&c, "none", NULL, &err), 0);
	config_text(&c, "rc", buf, n, false);
}

static void notes(size_t n, const char *first)
{
	if (c.nnotes != n || (n && !strstr(c.notes[0], first)))
		fail_msg("%zu notes, the first is: %s", c.nnotes, c.nnotes ? c.notes[0] : "-");
}

static enum action does(enum scope scope, uint32_t code)
{
	return keymap_action(&c.keymap, scope, (struct key){ code, 0 });
}

static void test_lines(void **state)
{
	(void)state;
	reads("# comment\n\n   # another\r\n"
	      "keys azerty   # on the laptop\n"
	      "bind timeline x zoom-in\r\n"
	      "\tset\tclock  plain \n"
	      "set colors 16 # few\n"
	      "unbind timeline D");
	notes(0, "");
	assert_int_equal(does(SCOPE_TIMELINE, 'z'), ACT_ZOOM_IN);
	assert_int_equal(does(SCOPE_TIMELINE, 'x'), ACT_ZOOM_IN);
	assert_int_equal(does(SCOPE_TIMELINE, 'D'), ACT_NONE);
	assert_string_equal(settings_get(&c.settings, SET_CLOCK), "plain");
	assert_string_equal(settings_get(&c.settings, SET_COLORS), "16");
	reads("\xef\xbb\xbfset clock plain\n");
	notes(0, "");
	reads("");
	notes(0, "");
}

static void test_mistakes_name_the_line_and_go_on(void **state)
{
	static const char *const bad[][2] = {
		{ "color red", "unknown command 'color'" },
		{ "set", "set NAME VALUE" },
		{ "set clock", "set NAME VALUE" },
		{ "set clock # plain", "set NAME VALUE" },
		{ "set clock sundial", "should be one of device, plain" },
		{ "set weather fine", "unknown setting 'weather'" },
		{ "keys", "keys PRESET" },
		{ "keys klingon", "azerty" },
		{ "keys azerty dvorak", "keys PRESET" },
		{ "bind timeline x fly", "unknown action 'fly'" },
		{ "bind", "bind SCOPE KEY ACTION" },
		{ "unbind timeline <F7>", "not bound" },
	};
	char text[300];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		snprintf(text, sizeof text, "# first\n%s\nset clock plain\n", bad[i][0]);
		reads(text);
		notes(1, bad[i][1]);
		if (strncmp(c.notes[0], "rc:2: ", 6))
			fail_msg("not file and line: %s", c.notes[0]);
		assert_string_equal(settings_get(&c.settings, SET_CLOCK), "plain");
	}
}

static void test_foreign_bytes(void **state)
{
	char text[3000] = "set clock plain\nset\0colors 8\nset colors 16\n";

	(void)state;
	config_free(&c);
	assert_int_equal(config_read(&c, "none", NULL, &err), 0);
	config_text(&c, "rc", text, 42, false);
	notes(1, "rc:2: contains a NUL");
	assert_string_equal(settings_get(&c.settings, SET_COLORS), "16");
	memset(text, 'x', 2000);
	strcpy(text + 2000, "\nset clock plain");
	reads(text);
	notes(1, "rc:1: line longer");
	assert_string_equal(settings_get(&c.settings, SET_CLOCK), "plain");
}

static void test_many_mistakes_are_counted(void **state)
{
	FILE *f = fopen("t-config.rc", "w");

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < 100; i++)
		fprintf(f, "mistake %d\n", i);
	fclose(f);
	config_free(&c);
	assert_int_equal(config_read(&c, "t-config.rc", NULL, &err), 0);
	remove("t-config.rc");
	assert_int_equal(c.nnotes, CONFIG_NOTES + 1);
	assert_non_null(strstr(c.notes[CONFIG_NOTES], "80 more"));
	assert_string_equal(c.path, "t-config.rc");
}

static void test_files_that_are_not_there(void **state)
{
	(void)state;
	config_free(&c);
	assert_int_equal(config_read(&c, "no/such/file", NULL, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	assert_non_null(strstr(err.msg, "no/such/file"));
	config_free(&c);
	assert_int_equal(config_read(&c, ".", NULL, &err), -1);
	config_free(&c);
	assert_int_equal(config_read(&c, "none", "klingon", &err), -1);
	config_free(&c);
	assert_int_equal(config_read(&c, "none", "dvorak", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, 'o'), ACT_ZOOM_OUT);
}

static void test_stronger_sources_win(void **state)
{
	struct settings s = { 0 };

	(void)state;
	assert_string_equal(settings_get(&s, SET_CLOCK), setting_info[SET_CLOCK].value);
	assert_int_equal(settings_put(&s, "clock", "plain", SET_BY_OPTION, &err), 0);
	assert_int_equal(settings_put(&s, "clock", "device", SET_BY_CONFIG, &err), 1);
	assert_string_equal(settings_get(&s, SET_CLOCK), "plain");
	assert_int_equal(settings_put(&s, "clock", "device", SET_BY_USER, &err), 0);
	assert_string_equal(settings_get(&s, SET_CLOCK), "device");
	assert_int_equal(settings_put(&s, "clock", "", SET_BY_USER, &err), -1);
	assert_int_equal(settings_put(&s, "", "x", SET_BY_USER, &err), -1);
}

/* The rows of the table are valid, and their defaults are among their values. */
static void test_table_of_settings(void **state)
{
	char one[SETTING_MAX + 1];

	(void)state;
	for (int i = 0; i < SET_COUNT; i++) {
		const struct setting_info *s = &setting_info[i];

		assert_int_equal(setting_by_name(s->name), i);
		assert_int_equal(strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789.-"), strlen(s->name));
		if (setting_check((enum setting)i, s->value, &err))
			fail_msg("default of %s", err.msg);
		if (utf8_cols(s->help, strlen(s->help)) > 60)
			fail_msg("the help of %s is too long", s->name);
		assert_non_null(s->apply);
		for (size_t k = 0; setting_value((enum setting)i, k, one, sizeof one); k++)
			assert_int_equal(setting_check((enum setting)i, one, &err), 0);
	}
	assert_int_equal(setting_by_name("weather"), SET_COUNT);
}

/* The manual's block is what the program prints. */
static void test_manual_has_the_table(void **state)
{
	const char *top = getenv("top_srcdir");
	char path[4096], *page, *want = NULL, *begin, *end;
	size_t n;
	FILE *f;

	(void)state;
	assert_non_null(top);
	snprintf(path, sizeof path, "%s/man/tpuscope.5", top);
	f = fopen(path, "r");
	assert_non_null(f);
	page = calloc(1, 100000);
	assert_true(fread(page, 1, 99999, f) > 1000);
	fclose(f);
	f = open_memstream(&want, &n);
	settings_list(f, &c.settings, "man");
	fclose(f);
	begin = strstr(page, "settings-begin\n");
	end = strstr(page, ".\\\" settings-end");
	assert_true(begin && end);
	*end = 0;
	if (strcmp(begin + strlen("settings-begin\n"), want))
		fail_msg("rewrite the block of settings in tpuscope.5 with tpuscope --list-settings=man:\n%s",
		    want);
	for (int s = 0; s < SCOPE_COUNT; s++) {
		char bold[40];

		*end = '.';
		snprintf(bold, sizeof bold, ".B %s\n", scope_name[s]);
		if (!strstr(page, bold))
			fail_msg("the scope %s is not in tpuscope.5", scope_name[s]);
	}
	free(want);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_mistakes_name_the_line_and_go_on),
		cmocka_unit_test(test_foreign_bytes),
		cmocka_unit_test(test_many_mistakes_are_counted),
		cmocka_unit_test(test_files_that_are_not_there),
		cmocka_unit_test(test_stronger_sources_win),
		cmocka_unit_test(test_table_of_settings),
		cmocka_unit_test(test_manual_has_the_table),
	};
	int failed = cmocka_run_group_tests_name("config", tests, NULL, NULL);

	config_free(&c);
	return failed;
}
