#include "config.h"

#include "core/input/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/utf8.h"

static struct keymap map;

static void test_keys_are_keys_and_used_once(void **state)
{
	size_t n;
	const struct binding *b = action_bindings(&n);

	(void)state;
	assert_true(n > 20);
	for (size_t i = 0; i < n; i++) {
		if (b[i].key.code == K_NONE)
			fail_msg("%s is not a key", b[i].text);
		for (size_t j = 0; j < i; j++)
			if (b[i].scope == b[j].scope && key_same(b[i].key, b[j].key))
				fail_msg("%s stands twice in %s", b[i].text, scope_name[b[i].scope]);
	}
}

/* A key means the same in all views: the actions of a line are one idea, as each view has it.  The timeline has
 * the keys of trace viewers, for hands that rest on w a s d, and digits choose what a view counts: tools, metrics,
 * memory spaces, severities. */
static const struct {
	const char *keys, *actions, *meaning;
} families[] = {
	{ "<Enter>", "open go-to-proof drill-down input-card open-buffer choose node",
	    "opens what is selected" },
	{ "h <Left>", "left step-left input-step-left previous-device", "to the left" },
	{ "l <Right>", "right step-right input-step-right next-device", "to the right" },
	{ "[", "point-previous pod-step-previous log-previous previous-report previous-llo-kernel",
	    "the previous of its kind" },
	{ "]", "point-next pod-step-next log-next next-report next-llo-kernel", "the next of its kind" },
	{ "{", "pod-step-previous previous-report previous-llo-kernel", "the previous step of the work" },
	{ "}", "pod-step-next next-report next-llo-kernel", "the next step of the work" },
	{ "+ w", "expand points-in", "less at once, in more detail" },
	{ "-", "collapse points-out", "more at once, in less detail" },
	{ "b", "group op-tree stacks", "grouped by something else" },
	{ "e }", "problem-next next-error next-incompatible", "the next problem" },
	{ "{", "previous-error previous-incompatible", "the problem before it" },
	{ "i", "with-idle idle transfers", "what is no op comes in, or stays out" },
	{ "i", "incompatible-list graph-lists", "as a list" },
	{ "i", "edit-query", "typing, as in an editor" },
	{ "b", "op-in-base", "the same of the base" },
	{ "w", "mend", "what if this were not so" },
	{ "A", "show-account log-merge", "all of it in one account, or one log" },
	{ "M", "module choose-graph", "which of several programs" },
	{ "s", "sort-by by-cost by-size order", "another order" },
	{ "t", "as-table boxes charts graph-boxes input-chart", "the same drawn in another way" },
	{ "u",
	    "next-op-table next-table back-to-ops memory-view graph-page next-page next-report-table "
	    "next-kernel-table checks next-list next-tree next-llo-page next-communication-table "
	    "next-idle-table next-diff-page next-account-table",
	    "the next page of the tab" },
	{ "z", "series log-fold", "what is alike as one line" },
	{ "w", "by-wasted slowest-step worst-step straggler heaviest", "what is worst" },
	{ "d", "details", "the details in full" },
	{ "L", "log-lines graph-text show-llo", "lines of text, and of a schedule" },
	{ ")", "more-lines radius-more", "more of what is around" },
	{ "(", "fewer-lines radius-less", "less of it" },
	{ "*", "expand-all long-form switch-all", "all that is hidden" },
	{ "O", "show-ops core-ops", "the ops of what is selected" },
	{ "K", "core llo-kernels", "which of several cores, or kernels" },
	{ "<Space>", "toggle page-down switch", "opens the line; where lines do not open, the next page" },
	{ "q <Esc>", "back close dismiss", "back" },
	{ "? <F1>", "help close", "help, and out of it" },
	{ "d", "points-right", "program time moves like the timeline" },
	{ "a", "points-left", "likewise" },
	{ "a", "add-change", "one more" },
};

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = words; (s = strstr(s, word)); s++)
		if ((s == words || s[-1] == ' ') && (!s[n] || s[n] == ' '))
			return true;
	return false;
}

/* Is the action one that the key is for? */
static bool in_family(const struct binding *b)
{
	bool in = false;

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		in |= has_word(families[i].keys, b->text) &&
		    has_word(families[i].actions, action_info[b->action].name);
	}
	return in;
}

/* The timeline, and the pages that control what runs and hide the views. */
static bool has_keys_of_its_own(enum scope s)
{
	return s == SCOPE_TIMELINE || s == SCOPE_CAPTURE || s == SCOPE_DIALOG || s == SCOPE_CHIPS ||
	    s == SCOPE_MONITOR;
}

static void test_keys_mean_one_thing(void **state)
{
	size_t n;
	const struct binding *b = action_bindings(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			if (has_keys_of_its_own(b[i].scope) || has_keys_of_its_own(b[j].scope) ||
			    b[i].action == b[j].action || !key_same(b[i].key, b[j].key) ||
			    strspn(b[i].text, "0123456789"))
				continue;
			if (!in_family(&b[i]) || !in_family(&b[j]))
				fail_msg("%s is %s in %s and %s in %s", b[i].text,
				    action_info[b[i].action].name, scope_name[b[i].scope],
				    action_info[b[j].action].name, scope_name[b[j].scope]);
		}
}

static void test_texts(void **state)
{
	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		const struct action_info *i = &action_info[a];

		assert_true(*i->name && *i->help);
		if (utf8_cols(i->help, strlen(i->help)) > 44)
			fail_msg("the help of %s is too long", i->name);
		assert_int_equal(strspn(i->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(i->name));
		assert_int_equal(action_by_name(i->name), a);
	}
	assert_int_equal(action_by_name("no-such-thing"), ACT_NONE);
	assert_int_equal(action_by_name(""), ACT_NONE);
}

/* Every action can be reached: by a key in its own scope. */
static void test_every_action_has_a_key(void **state)
{
	struct key k;

	(void)state;
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (!keymap_keys(&map, (enum action)a, action_info[a].scope, &k, 1))
			fail_msg("%s has no key", action_info[a].name);
}

/* An entry of the key bar names keys of its view, or its action has one; no action is there twice. */
static void check_bar(const struct bar_entry *e, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *s = e[i].text;
		struct key key;

		if (!*s)
			continue;

		if (!keymap_keys(&map, e[i].action, e[i].scope, &key, 1))
			fail_msg("\"%s\" of %s is on no key", s, scope_name[e[i].scope]);
		for (; s[0] && s[1] == ' '; s += 2) {
			const char *one = s;

			if (!key_parse(&one, &key) && one == s + 1 &&
			    keymap_default(e[i].scope, key) == ACT_NONE)
				fail_msg("\"%s\" of %s: %c does nothing", e[i].text, scope_name[e[i].scope],
				    *s);
		}
		for (size_t k = 0; k < i; k++)
			if (e[k].scope == e[i].scope && e[k].action == e[i].action && *e[k].text)
				fail_msg("\"%s\" stands twice in the bar of %s", e[i].text,
				    scope_name[e[i].scope]);
	}
}

static void test_key_bar(void **state)
{
	size_t n;
	const struct bar_entry *e = action_bar(&n);

	(void)state;
	check_bar(e, n);
	for (int page = 0; page < PAGE_NONE; page++) {
		assert_non_null(e = action_page((enum bar_page)page, &n));
		check_bar(e, n);
	}
	assert_null(action_page(PAGE_NONE, &n));
}

static void test_own_scope_first(void **state)
{
	(void)state;
	assert_int_equal(keymap_action(&map, SCOPE_TIMELINE, (struct key){ 'w', 0 }), ACT_ZOOM_IN);
	assert_int_equal(keymap_action(&map, SCOPE_FILES, (struct key){ 'w', 0 }), ACT_NONE);
	assert_int_equal(keymap_action(&map, SCOPE_FILES, (struct key){ 'q', 0 }), ACT_BACK);
	assert_int_equal(keymap_action(&map, SCOPE_HELP, (struct key){ 'q', 0 }), ACT_CLOSE);
	assert_int_equal(keymap_action(&map, SCOPE_HELP, (struct key){ K_PGDN, 0 }), ACT_PAGE_DOWN);
	assert_int_equal(keymap_action(&map, SCOPE_ALL, (struct key){ 'x', MOD_CTRL }), ACT_NONE);
}

static char *listed(const char *format)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	assert_int_equal(keymap_list(f, &map, format), 0);
	fclose(f);
	return text;
}

static void test_list(void **state)
{
	char *text = listed(NULL), *man = listed("man");

	(void)state;
	assert_non_null(strstr(text, "zoom-in"));
	assert_non_null(strstr(text, "PgDn"));
	assert_non_null(strstr(man, ".SS Timeline\n"));
	assert_non_null(strstr(man,
	    "\\fI"
	    "zoom\\-in\\fR"));
	assert_non_null(strstr(man, "\\fB\\(haL\\fR")); /* ^L must stay a caret */
	/* only our own requests may look like requests */
	for (char *line = man; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (*line == '.' && strncmp(line, ".TP 16\n", 7) && strncmp(line, ".PD", 3) &&
		    strncmp(line, ".SS ", 4))
			fail_msg("roff would take this for a request: %.20s", line);
	}
	free(text);
	free(man);
	assert_int_equal(keymap_list(stderr, &map, "html"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_are_keys_and_used_once),
		cmocka_unit_test(test_keys_mean_one_thing),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_every_action_has_a_key),
		cmocka_unit_test(test_key_bar),
		cmocka_unit_test(test_own_scope_first),
		cmocka_unit_test(test_list),
	};

	keymap_init(&map);
	int failed = cmocka_run_group_tests_name("action", tests, NULL, NULL);
	keymap_free(&map);
	return failed;
}
