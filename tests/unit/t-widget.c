#include "config.h"

#include "widget/fields.h"
#include "widget/list.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../lib/mkcanvas.h"
#include "app/loading.h"
#include "core/input/command.h"
#include "core/overlay.h"

static void test_list_stays_inside(void **state)
{
	static const enum action moves[] = { ACT_UP, ACT_DOWN, ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_TOP,
		ACT_BOTTOM };

	(void)state;
	for (size_t n = 0; n < 12; n++)
		for (int rows = 0; rows < 14; rows++) {
			struct list l = { .n = n };
			unsigned r = 7;

			list_fit(&l, rows);
			for (int i = 0; i < 200; i++) {
				r = r * 1103515245 + 12345;
				list_act(&l, moves[(r >> 16) % 6], (int)((r >> 20) % 5));
				assert_true(n ? l.at < n : l.at == 0);
				if (!rows) { /* not drawn yet: no scrolling */
					assert_int_equal(l.top, 0);
					continue;
				}
				assert_true(l.top <= l.at && l.at - l.top < (size_t)rows);
				assert_true(n <= (size_t)rows ? l.top == 0 : l.top + (size_t)rows <= n);
			}
		}
}

static void test_list_moves(void **state)
{
	struct list l = { .n = 100 };

	(void)state;
	list_fit(&l, 10);
	assert_true(list_act(&l, ACT_DOWN, 3));
	assert_int_equal(l.at, 3);
	assert_true(list_act(&l, ACT_PAGE_DOWN, 2));
	assert_int_equal(l.at, 21);
	assert_true(list_act(&l, ACT_BOTTOM, 1));
	assert_int_equal(l.at, 99);
	assert_false(list_act(&l, ACT_DOWN, 1)); /* nothing moved, so nothing to draw */
	assert_true(list_act(&l, ACT_PAGE_UP, 60));
	assert_int_equal(l.at, 0);
	assert_false(list_act(&l, ACT_ZOOM_IN, 1));
	/* past the end of the page a third of it comes along */
	list_act(&l, ACT_DOWN, 9);
	assert_int_equal(l.top, 0);
	list_act(&l, ACT_DOWN, 1);
	assert_int_equal(l.at, 10);
	assert_int_equal(l.top, 4);
	list_act(&l, ACT_DOWN, 3);
	assert_int_equal(l.top, 4);
	list_act(&l, ACT_UP, 10);
	assert_int_equal(l.at, 3);
	assert_int_equal(l.top, 0);
}

static void test_paragraph(void **state)
{
	static const char text[] = "an event of negative length; averyveryverylongword";
	struct rect r = { 0, 0, 5, 14 };

	(void)state;
	fresh(5, 14);
	assert_int_equal(card_text(&c, r, 0, 0, ROLE_TEXT, text, sizeof text - 1), 5);
	shows(" an event of\n negative\n length;\n averyveryver\n ylongword\n");
	assert_int_equal(card_text_rows(12, text, sizeof text - 1), 5);
	assert_int_equal(card_text_rows(12, "", 0), 0);
	assert_int_equal(card_text_rows(0, "abc", 3), 2); /* a width too small is treated as 1 */
	fresh(1, 30);
	card_rule(&c, (struct rect){ 0, 0, 1, 30 }, 0, "title", "right");
	shows("─ title ────────────── right ─\n");
}

static void test_fields(void **state)
{
	struct pen p = { .c = &c, .r = { 0, 0, 5, 25 } };

	(void)state;
	fresh(5, 25);
	pen_head(&p, "SIZE", "of it");
	pen_fields(&p,
	    FIELDS({ "size", "B", .v = 3 << 20 }, { "runs", COUNT, .v = 12345 },
		{ "absent", "B", .v = 1, .no = true }, { "rate", "GiB/s", .v = NAN },
		{ "kind", .text = "a kind" }));
	assert_int_equal(p.y, 5);
	shows(" SIZE of it\n size            3.0 MiB\n runs             12,345\n rate                  –\n"
	      " kind             a kind\n");
	pen_name(&p, slice_of("below the end")); /* counted, not drawn */
	assert_int_equal(p.y, 6);
	fresh(4, 40);
	p = (struct pen){ .c = &c, .r = { 0, 0, 4, 40 }, .across = 2 };
	pen_fields(&p,
	    FIELDS({ "a", "ps", .v = 1500000 }, { "b", "fraction", .v = .5 }, { "c", "ms", .v = 1.5 }));
	p.label = 8;
	p.across = 1;
	pen_field(&p, "long", ROLE_TEXT, "words that go on beyond the end of a line");
	shows(" a         1.500 µs  b           50.0 %\n c         1.500 ms\n"
	      " long    words that go on beyond the\n         end of a line\n");
}

/* Names of ops may have 300 kB: no quadratic time. */
static void test_long_texts(void **state)
{
	const size_t n = 2000000;
	char *text = malloc(n);
	struct rect r = { 0, 0, 2, 12 };

	(void)state;
	memset(text, 'x', n);
	memcpy(text + n - 4, "last", 4);
	alarm(20);
	fresh(1, 12);
	assert_int_equal(card_tail(&c, 0, 0, 12, ROLE_TEXT, text, n), 12);
	shows("…xxxxxxxlast\n");
	fresh(1, 12);
	assert_int_equal(canvas_cut(&c, 0, 0, 12, ROLE_TEXT, 0, text, n), 12);
	fresh(2, 12);
	card_text(&c, r, 0, 0, ROLE_TEXT, text, n);
	card_text_rows(12, text, n);
	alarm(0);
	free(text);
}

static void test_loading(void **state)
{
	struct loading l = { "/some/run", "reading", 512 << 20, 1024 << 20, 1234567, 2000, false };
	char text[80];

	(void)state;
	fresh(10, 60);
	loading_draw(&l, &c, (struct rect){ 0, 0, 10, 60 });
	shows("\n   opening  /some/run\n\n   ███████████████████████████···························\n\n"
	      "   512.0 MiB of 1.0 GiB   50.0 %   268.4 MB/s   2.0 s left\n"
	      "   1,234,567 events   reading\n\n\n\n");
	assert_int_equal(loading_eta_ms(&l), 2000);
	assert_string_equal(loading_text(&l, text, sizeof text), "loading: 50.0 %; ready in about 2.0 s");
	l.elapsed_ms = 100;
	assert_int_equal(loading_eta_ms(&l), -1); /* too early to tell */
	assert_string_equal(loading_text(&l, text, sizeof text), "loading: 50.0 %");
	l.total = 0;
	l.elapsed_ms = 9000;
	assert_string_equal(loading_text(&l, text, sizeof text), "loading");
	assert_int_equal(loading_eta_ms(&l), -1);
	loading_draw(&l, &c, (struct rect){ 0, 0, 3, 10 });
}

static void test_menu(void **state)
{
	static const struct menu_item items[] = { { 't', "Timeline", "", NULL },
		{ 'f', "Files", "2", NULL } };
	struct overlay *o = overlay_menu("views", items, 2, 1, NULL);
	unsigned react = 0;

	(void)state;
	fresh(6, 30);
	o->ops->draw(o, &c, (struct rect){ 0, 0, 6, 30 });
	shows(" views         │\n t Timeline    │\n f Files     2 │\n───────────────┴\n\n\n");
	assert_false(o->ops->key(o, (struct key){ 'x', 0 }, &react));
	assert_int_equal(o->picked, -1);
	assert_int_equal(o->ops->act(o, ACT_UP, 1), REACT_REDRAW);
	assert_int_equal(o->ops->act(o, ACT_CHOOSE, 1), REACT_BACK);
	assert_int_equal(o->picked, 0);
	assert_true(o->ops->key(o, (struct key){ 'f', 0 }, &react));
	assert_int_equal(react, REACT_BACK);
	assert_int_equal(o->picked, 1);
	o->ops->close(o);
}

static void test_menu_takes_clicks(void **state)
{
	static const struct menu_item items[] = { { 'a', "a", "", NULL }, { 'b', "b", "", NULL },
		{ 'c', "c", "", NULL }, { 'd', "d", "", NULL } };
	static const struct {
		int y, x;
		unsigned react;
		int picked;
	} presses[] = {
		{ 2, 5, REACT_NONE, -1 }, /* the title, the frame */
		{ 6, 5, REACT_NONE, -1 },
		{ 1, 5, REACT_BACK, -1 }, /* outside */
		{ 7, 5, REACT_BACK, -1 },
		{ 4, 0, REACT_BACK, -1 },
		{ 4, 25, REACT_BACK, -1 },
		{ 3, 5, REACT_BACK, 1 }, /* its lines: one is scrolled out */
		{ 5, 5, REACT_BACK, 3 },
	};
	struct overlay *o = overlay_menu("views", items, 4, 3, NULL);

	(void)state;
	fresh(9, 30);
	o->ops->draw(o, &c, (struct rect){ 2, 3, 5, 26 });
	for (size_t i = 0; i < sizeof presses / sizeof *presses; i++) {
		assert_int_equal(o->ops->press(o, presses[i].y, presses[i].x), presses[i].react);
		assert_int_equal(o->picked, presses[i].picked);
	}
	o->ops->close(o);
}

/* The first words of a help text, which fit on narrow screens, too. */
static bool stands_in(const char *text, const char *help)
{
	char start[24];

	snprintf(start, sizeof start, "%s", help);
	for (size_t n = strlen(start);
	     n && start[n - 1] == ' ';) /* trailing spaces at the cut are invisible */
		start[--n] = 0;
	return strstr(text, start);
}

/* The help shows every action of the view and of all views, at every size, by scrolling if needed. */
static void test_help_is_whole(void **state)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 36, 120 }, { 20, 80 }, { 4, 40 }, { 200, 300 } };
	struct keymap keymap;
	struct key key;

	(void)state;
	keymap_init(&keymap);
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct overlay *o = overlay_help(SCOPE_TIMELINE, &keymap, NULL, 0);
		struct rect area = { 0, 0, sizes[s].rows, sizes[s].cols };
		bool seen[ACT_COUNT] = { false }, told[DO_COUNT] = { false };

		for (int top = 0; top < 400; top++) {
			size_t n;
			char *text;

			fresh(area.h, area.w);
			o->ops->draw(o, &c, area);
			text = canvas_dump(&c, 0, &n);
			for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
				seen[a] |= stands_in(text, action_info[a].help);
			for (int i = 0; i < DO_COUNT; i++)
				told[i] |= strstr(text, command_info[i].name) &&
				    (area.w < 60 || strstr(text, command_info[i].help));
			free(text);
			o->ops->act(o, ACT_DOWN, 1);
		}
		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
			if (!seen[a] && keymap_keys(&keymap, (enum action)a, SCOPE_TIMELINE, &key, 1) &&
			    (action_info[a].scope == SCOPE_ALL || action_info[a].scope == SCOPE_TIMELINE))
				fail_msg("%s is missing from the help of %d rows", action_info[a].name,
				    area.h);
		for (int i = 0; i < DO_COUNT; i++)
			if (!told[i] &&
			    (command_info[i].scope == SCOPE_ALL || command_info[i].scope == SCOPE_TIMELINE))
				fail_msg(":%s is missing from the help of %d rows", command_info[i].name,
				    area.h);
		assert_int_equal(o->ops->act(o, ACT_CLOSE, 1), REACT_BACK);
		o->ops->close(o);
	}
	keymap_free(&keymap);
}

/* A search finds every word of the guides, on its own line of the help, at any width that has room for it. */
static void words_of_others(void **state)
{
	static const char *const words[] = {
#define WORD(word, text) word,
#include "core/input/glossary.def"
#undef WORD
	};
	struct keymap keymap;
	unsigned react;

	(void)state;
	keymap_init(&keymap);
	for (int cols = 80; cols <= 120; cols += 40)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
			struct overlay *o = overlay_help(SCOPE_TIMELINE, &keymap, NULL, 0);
			char status[160], *text;
			size_t n;

			fresh(20, cols);
			o->ops->draw(o, &c, (struct rect){ 0, 0, 20, cols });
			assert_true(o->ops->key(o, (struct key){ '/', 0 }, &react));
			for (const char *s = words[i]; *s; s++)
				assert_true(o->ops->key(o, (struct key){ (unsigned char)*s, 0 }, &react));
			assert_true(o->ops->key(o, (struct key){ K_ENTER, 0 }, &react));
			fresh(20, cols);
			o->ops->draw(o, &c, (struct rect){ 0, 0, 20, cols });
			text = canvas_dump(&c, 0, &n);
			o->ops->status(o, status, sizeof status);
			if (!strstr(text, words[i]) || !strstr(status, "line "))
				fail_msg("%s is not found at %d columns: %s", words[i], cols, status);
			free(text);
			o->ops->close(o);
		}
	keymap_free(&keymap);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_stays_inside),
		cmocka_unit_test(test_list_moves),
		cmocka_unit_test(test_paragraph),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_long_texts),
		cmocka_unit_test(test_loading),
		cmocka_unit_test(test_menu),
		cmocka_unit_test(test_menu_takes_clicks),
		cmocka_unit_test(test_help_is_whole),
		cmocka_unit_test(words_of_others),
	};

	return cmocka_run_group_tests_name("widget", tests, NULL, canvas_end);
}
