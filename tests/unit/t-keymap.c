#include "config.h"

#include "core/input/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct keymap map;
static struct err err;

static int setup(void **state)
{
	(void)state;
	err = (struct err){ .at = ERR_NOWHERE };
	keymap_init(&map);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	keymap_free(&map);
	return 0;
}

static struct key key(const char *text)
{
	struct key k = { K_NONE, 0 };

	assert_int_equal(key_parse(&text, &k), 0);
	assert_int_equal(*text, 0);
	return k;
}

static enum action does(enum scope scope, const char *text)
{
	return keymap_action(&map, scope, key(text));
}

static void refuses(const char *verb, const char *rest, const char *why)
{
	err.msg[0] = 0;
	assert_int_equal(keymap_line(&map, verb, rest, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	if (!strstr(err.msg, why))
		fail_msg("%s %s: \"%s\" should say \"%s\"", verb, rest, err.msg, why);
}

static void test_bind_and_unbind(void **state)
{
	struct key keys[4];

	(void)state;
	assert_int_equal(keymap_line(&map, "bind", "timeline x zoom-in # as I like it", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "x"), ACT_ZOOM_IN);
	assert_int_equal(does(SCOPE_FILES, "x"), ACT_NONE);
	assert_int_equal(keymap_line(&map, "bind", "overview z core", &err),
	    0); /* its home is another view */
	assert_int_equal(does(SCOPE_OVERVIEW, "z"), ACT_CORE);
	refuses("bind", "pod z core", "core is an action of table, not of pod");
	/* the key bound last is shown first, the old ones remain */
	assert_true(keymap_keys(&map, ACT_ZOOM_IN, SCOPE_TIMELINE, keys, 4) >= 2);
	assert_int_equal(keys[0].code, 'x');
	/* one binding per scope */
	assert_int_equal(keymap_line(&map, "bind", "timeline x zoom-out", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "x"), ACT_ZOOM_OUT);
	assert_int_equal(keymap_line(&map, "unbind", "timeline x", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "x"), ACT_NONE);
	refuses("unbind", "timeline x", "not bound");
	/* # is a key, too */
	assert_int_equal(keymap_line(&map, "bind", "all # find", &err), 0);
	assert_int_equal(does(SCOPE_FILES, "#"), ACT_FIND);
}

static void test_scopes(void **state)
{
	struct key keys[4];

	(void)state;
	assert_int_equal(keymap_line(&map, "bind", "timeline q pan-left", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "q"), ACT_PAN_LEFT);
	assert_int_equal(does(SCOPE_FILES, "q"), ACT_BACK);
	/* so q does not run `back` in the timeline */
	for (size_t i = keymap_keys(&map, ACT_BACK, SCOPE_TIMELINE, keys, 4); i-- > 0;)
		assert_int_not_equal(keys[i].code, 'q');
	/* the name of an earlier version */
	assert_int_equal(keymap_line(&map, "bind", "timeline <M-c> colour", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "<M-c>"), ACT_COLOR);
	assert_int_equal(keymap_line(&map, "bind", "findings <M-f> finding", &err), 0);
	assert_int_equal(does(SCOPE_FINDINGS, "<M-f>"), ACT_DETAILS);
	assert_int_equal(keymap_line(&map, "bind", "triage <M-f> advice", &err), 0);
	assert_int_equal(does(SCOPE_TRIAGE, "<M-f>"), ACT_DETAILS);
	assert_int_equal(keymap_line(&map, "bind", "timeline Y time-utc", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "Y"), ACT_TIME_UTC);
	assert_int_equal(keymap_line(&map, "bind", "timeline <C-l> none", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "<C-l>"), ACT_NONE);
	assert_int_equal(does(SCOPE_FILES, "<C-l>"), ACT_REDRAW);
	refuses("bind", "all x zoom-in", "timeline");
	refuses("bind", "files x zoom-in", "files");
}

static void test_mistakes(void **state)
{
	size_t n = map.n;

	(void)state;
	refuses("bind", "timeline x", "bind SCOPE KEY ACTION");
	refuses("bind", "", "bind SCOPE KEY ACTION");
	refuses("unbind", "timeline", "unbind SCOPE KEY");
	refuses("bind", "timeline x zoom-in more", "bind SCOPE");
	refuses("bind", "nowhere x zoom-in", "unknown scope 'nowhere'");
	assert_non_null(strstr(err.msg, scope_name[SCOPE_COUNT - 1])); /* all are named */
	refuses("bind", "timeline <Nokey> zoom-in", "not a key");
	refuses("bind", "timeline xy zoom-in", "not a key");
	refuses("bind", "timeline x fly", "unknown action 'fly'");
	refuses("bind", "timeline x zoom-in-zoom-in-zoom-in-zoom-in-zoom-in-zoom-in", "bind SCOPE");
	assert_int_equal(keymap_preset(&map, "klingon", &err), -1);
	assert_non_null(strstr(err.msg, "azerty, dvorak, qwerty"));
	assert_int_equal(keymap_preset(&map, "", &err), -1);
	assert_int_equal(map.n, n);
}

static bool is_f_key(struct key k)
{
	return k.code >= K_F1 && k.code <= K_F12;
}

/* No key is bound twice in a scope, and every action on an F-key has another key, too. */
static void sound(const char *name)
{
	for (size_t i = 0; i < map.n; i++)
		for (size_t j = 0; j < i; j++)
			if (map.v[i].scope == map.v[j].scope && key_same(map.v[i].key, map.v[j].key))
				fail_msg("%s: a key stands twice in %s", name, scope_name[map.v[i].scope]);
	for (int s = 0; s < SCOPE_COUNT; s++)
		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
			struct key keys[16];
			size_t n = keymap_keys(&map, (enum action)a, (enum scope)s, keys, 16), f = 0;

			for (size_t i = 0; i < n; i++)
				f += is_f_key(keys[i]);
			if (n && f == n)
				fail_msg("%s: %s in %s is on F-keys alone", name, action_info[a].name,
				    scope_name[s]);
		}
}

/* Whatever a view can do with the default keys, it can do with those of every preset. */
static void test_presets_reach_everything(void **state)
{
	struct keymap def;
	char name[40];
	size_t i = 0;

	(void)state;
	keymap_init(&def);
	for (; keymap_preset_name(i, name, sizeof name); i++) {
		if (keymap_preset(&map, name, &err))
			fail_msg("%s: %s", name, err.msg);
		sound(name);
		for (int s = 0; s < SCOPE_COUNT; s++)
			for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
				struct key k;

				if (keymap_keys(&def, (enum action)a, (enum scope)s, &k, 1) &&
				    !keymap_keys(&map, (enum action)a, (enum scope)s, &k, 1))
					fail_msg("%s: no key for %s in %s", name, action_info[a].name,
					    scope_name[s]);
			}
	}
	assert_true(i >= 3);
	keymap_free(&def);
}

static void test_azerty(void **state)
{
	static const struct {
		const char *key;
		enum action action;
	} wanted[] = {
		{ "z", ACT_ZOOM_IN },
		{ "q", ACT_PAN_LEFT },
		{ "s", ACT_ZOOM_OUT },
		{ "d", ACT_PAN_RIGHT },
		{ "Z", ACT_ZOOM_IN_FAST },
		{ "S", ACT_ZOOM_OUT_FAST },
		{ "D", ACT_PAN_RIGHT_FAST },
		{ "&", ACT_TOOL_SELECT },
		{ "é", ACT_TOOL_PAN },
		{ "\"", ACT_TOOL_ZOOM },
		{ "'", ACT_TOOL_TIMING },
		{ "1", ACT_TOOL_SELECT },
		{ "4", ACT_TOOL_TIMING },
		{ "Q", ACT_QUIT },
		{ "<F10>", ACT_QUIT },
		{ "<Esc>", ACT_BACK },
		{ "0", ACT_WHOLE },
	};

	(void)state;
	assert_int_equal(keymap_preset(&map, "azerty", &err), 0);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (does(SCOPE_TIMELINE, wanted[i].key) != wanted[i].action)
			fail_msg("%s should do %s", wanted[i].key, action_info[wanted[i].action].name);
	assert_int_equal(does(SCOPE_FILES, "q"), ACT_BACK);
}

static void test_dvorak(void **state)
{
	(void)state;
	assert_int_equal(keymap_preset(&map, "dvorak", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, ","), ACT_ZOOM_IN);
	assert_int_equal(does(SCOPE_TIMELINE, "a"), ACT_PAN_LEFT);
	assert_int_equal(does(SCOPE_TIMELINE, "o"), ACT_ZOOM_OUT);
	assert_int_equal(does(SCOPE_TIMELINE, "e"), ACT_PAN_RIGHT);
	/* a preset starts from the defaults */
	assert_int_equal(keymap_preset(&map, "qwerty", &err), 0);
	assert_int_equal(does(SCOPE_TIMELINE, "w"), ACT_ZOOM_IN);
	assert_int_not_equal(does(SCOPE_TIMELINE, "o"), ACT_ZOOM_OUT);
}

static void test_list_says_what_is_bound(void **state)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	(void)state;
	assert_int_equal(keymap_line(&map, "bind", "timeline <M-z> zoom-in", &err), 0);
	assert_int_equal(keymap_line(&map, "unbind", "timeline w", &err), 0);
	assert_int_equal(keymap_list(f, &map, NULL), 0);
	fclose(f);
	assert_non_null(strstr(text, "  Alt-z  +          zoom-in "));
	free(text);
}

static void test_copy(void **state)
{
	struct keymap copy;

	(void)state;
	for (int i = 0; i < 26; i++)
		assert_int_equal(keymap_bind(&map, SCOPE_FILES, (struct key){ (uint32_t)('a' + i), MOD_ALT },
				     ACT_UP, &err),
		    0);
	keymap_copy(&copy, &map);
	keymap_line(&map, "unbind", "files <M-a>", &err);
	assert_int_equal(does(SCOPE_FILES, "<M-a>"), ACT_NONE);
	assert_int_equal(keymap_action(&copy, SCOPE_FILES, key("<M-a>")), ACT_UP);
	assert_int_equal(keymap_default(SCOPE_TIMELINE, key("w")), ACT_ZOOM_IN);
	keymap_free(&copy);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_bind_and_unbind),
		TEST(test_scopes),
		TEST(test_mistakes),
		TEST(test_presets_reach_everything),
		TEST(test_azerty),
		TEST(test_dvorak),
		TEST(test_list_says_what_is_bound),
		TEST(test_copy),
	};

	return cmocka_run_group_tests_name("keymap", tests, NULL, NULL);
}
