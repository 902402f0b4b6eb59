/* The status line and the key bar of the timeline: their texts, and what is left of them on a narrow
 * screen. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/regex.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "core/input/keymap.h"

#define MS PS_PER_MS

static char left[400], right[400];

/* Runs of a module of 700 ms, 19.5 s after the begin; two cores, a collective in each run. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	for (int c = 0; c < 2; c++) {
		mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "XLA Modules");
		for (int i = 0; i < 5; i++)
			mk_event(&m, "jit_train_step(12190760917235803885)", 19500543127463 + i * 784 * MS,
			    700 * MS);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 5; i++) {
			mk_event(&m, "fusion.1", 19500543127463 + i * 784 * MS, 300 * MS);
			mk_event(&m, "all-reduce.4", 19800543127463 + i * 784 * MS, 200 * MS);
		}
	}
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "np.asarray(jax.Array)", 100 * MS, 90000 * MS);
	return mk_done(&m);
}

/* It has to fit on the screen: a space at both ends and two between the halves. */
static void says(const char *text, bool wanted)
{
	*left = *right = '\0';
	view_timeline.status(&view, left, right, sizeof left);
	if ((strstr(left, text) || strstr(right, text)) != wanted)
		fail_msg("\"%s\" should%s be in: %s | %s", text, wanted ? "" : " not", left, right);
	if (*right)
		assert_true(
		    utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + 4 <= view.area.w);
}

/* The least important parts are dropped first, as a whole; on narrow screens the cursor's time is exact to
 * the column. */
static void order_of_keeping(void **state)
{
	(void)state;
	view_begin(sample(), 40, 160, false);
	app.cap->clocks.any_differs = true;
	act(ACT_DOWN);
	act(ACT_STEP_NEXT);
	act(ACT_STEP_NEXT);
	says("cursor 21.068543127463 s", true);
	says("into run 2 of jit_train_step", true);
	says("per column", true);
	says("row ", true);
	says("plain clock", true);
	resize(24, 80);
	says("cursor ", true);
	says("into run 2", true);
	says("plain clock", true);
	says("/column", true);
	resize(24, 40);
	says("cursor ", true);
	says("into run 2", true);
	view_end();
}

/* A long name of a row is cut after a character, also where one takes several bytes. */
static void long_names(void **state)
{
	struct mktrace m = { 0 };

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/host:CPU");
	mk_track(&m,
	    "\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb"
	    "\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb\xe4\xb8\xbb");
	mk_event(&m, "work", 0, 10 * MS);
	view_begin(mk_done(&m), 40, 160, false);
	act(ACT_DOWN);
	says("\xe4\xb8\xbb", true);
	says("\xe4\xb8   row", false);
	says("\xe4   row", false);
	says("\xe4\xb8\xbb   row", true);
	view_end();
}

/* A typed count comes before everything else. */
static void beside_a_count(void **state)
{
	int used = (int)strlen("count 100   ");

	(void)state;
	view_begin(sample(), 40, 120, false);
	act(ACT_DOWN);
	act(ACT_STEP_NEXT);
	act(ACT_STEP_NEXT);
	for (int w = 40; w < 160; w++) {
		resize(24, w);
		app.p->counting = true;
		app.p->count = 100;
		says("cursor ", true);
		assert_true(utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + used + 4 <= w);
		app.p->counting = false;
	}
	view_end();
}

static void plain_clock(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, false);
	says("clock", false); /* only one clock */
	app.cap->clocks.any_differs = true;
	says("plain clock", true);
	app.cap->clocks.in_use = CLOCK_DEVICE;
	says("device clock", true);
	act(ACT_STATISTICS);
	says("device clock", true);
	view_end();
}

/* The row of a counter has no events: shows its value and since when. */
static void counter_rows(void **state)
{
	struct mktrace m = { 0 };
	const struct bar_entry *e;
	size_t n;

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 100);
	mk_counter(&m, "HBM in use", "bytes", 4, 1 << 20);
	mk_counter(&m, "queue", "requests", 4, 2.5);
	view_begin(mk_done(&m), 40, 120, false);
	e = view_timeline.bar(&view, &n);
	assert_null(e);
	act(ACT_DOWN);
	act(ACT_DOWN);
	says("HBM in use 0 B since 0 ps", true);
	act(ACT_RIGHT);
	says("HBM in use 1.0 MiB since 10 ps", true);
	tl()->scene.cursor.at = 29;
	says("HBM in use 2.0 MiB since 20 ps", true);
	tl()->scene.cursor.at = -1;
	says("HBM in use: no sample yet", true);
	tl()->scene.cursor.at = 99;
	act(ACT_DOWN);
	says("queue 7.5 requests since 30 ps", true);
	resize(24, 80);
	says("queue 7.5 requests since ", true);
	e = view_timeline.bar(&view, &n);
	assert_non_null(e);
	for (size_t i = 0; i < n; i++)
		assert_true(
		    e[i].action != ACT_FIT && e[i].action != ACT_SAME_NEXT && e[i].action != ACT_FLOW_NEXT);
	view_end();
}

static void filters(void **state)
{
	(void)state;
	view_begin(sample(), 24, 80, false);
	assert_true(view_timeline.filter(&view, "cat=collective", &(struct err){ .at = ERR_NOWHERE }) >= 0);
	finish();
	act(ACT_DOWN);
	says("&cat=collective", true);
	arrange_filter(&tl()->scene, "ops");
	says("2 of 5 tracks", true);
	says("&cat=collective", true);
	view_timeline.filter(&view, "", NULL);
	says("&", false);
	view_end();
}

/* The current key bar. */
static bool offers(const char *text)
{
	size_t n;
	const struct bar_entry *e = view_timeline.bar(&view, &n);

	for (size_t i = 0; e && i < n; i++)
		if (!strcmp(e[i].text, text))
			return true;
	return false;
}

/* Each entry begins with a key that does what a click on it does. */
static void keys_are_true(void)
{
	size_t n;
	const struct bar_entry *e = view_timeline.bar(&view, &n);

	assert_non_null(e);
	for (size_t i = 0; i < n; i++) {
		bool same = false;
		char word[16];

		for (const char *s = e[i].text; !same && (s == e[i].text || s[1] == ' '); s += 2) {
			const char *key = word;
			struct key k;

			snprintf(word, sizeof word, "%.*s", (int)strcspn(s, " "), s);
			if (word[1])
				snprintf(word, sizeof word, "<%.*s>", (int)strcspn(s, " "), s);
			assert_int_equal(key_parse(&key, &k), 0);
			same = keymap_default(SCOPE_TIMELINE, k) == e[i].action;
		}
		if (!same)
			fail_msg("\"%s\" is not on that key", e[i].text);
	}
}

static void key_bar(void **state)
{
	struct err err = { .at = ERR_NOWHERE };
	struct regex *re = regex_new("fusion", REGEX_SMART_CASE, &err);
	size_t n;

	(void)state;
	view_begin(sample(), 40, 120, false);
	assert_null(view_timeline.bar(&view, &n)); /* the default of the view */
	act(ACT_DOWN);
	act(ACT_OPEN);
	assert_null(view_timeline.bar(&view, &n));
	act(ACT_OPEN);
	assert_true(offers("j k scroll") && !offers("w s zoom"));
	keys_are_true();
	act(ACT_BACK);
	act(ACT_CHAIN);
	assert_true(offers("Enter go") && offers("j k line"));
	keys_are_true();
	act(ACT_BACK);
	act(ACT_STEP_TABLE);
	assert_true(offers("Enter go") && offers("j k step"));
	keys_are_true();
	act(ACT_BACK);
	act(ACT_STATISTICS);
	assert_true(offers("i by name/track") && offers("> < sort") && offers("; other end"));
	keys_are_true();
	act(ACT_BACK);
	view_timeline.find(&view, re, 0);
	finish();
	assert_true(offers("n N hit"));
	keys_are_true();
	view_timeline.find(&view, NULL, 0);
	cursor_unselect(&tl()->scene);
	tl()->scene.open[PANE_ALIGN] = true;
	assert_true(offers("= off"));
	keys_are_true();
	tl()->scene.open[PANE_ALIGN] = false;
	regex_free(re);
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_of_keeping),
		cmocka_unit_test(long_names),
		cmocka_unit_test(beside_a_count),
		cmocka_unit_test(plain_clock),
		cmocka_unit_test(counter_rows),
		cmocka_unit_test(filters),
		cmocka_unit_test(key_bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
