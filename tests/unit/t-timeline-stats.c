/* The pane of statistics: units, tracks, steps, what is copied and exported. */
#include "config.h"

#include "../lib/mktrace.h"
#include "../lib/mkview.h"
#include "base/text/units.h"

#define US PS_PER_US
#define MS PS_PER_MS
#define SECOND PS_PER_S

enum { CORES = 8 };

/* Two hosts of eight cores: 4 steps of a second, in each a long op, a short one; the first core works without
 * a gap. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };
	char name[32];

	for (int host = 0; host < 2; host++) {
		mk_host(&m, host ? "some-pod-w-1" : "some-pod-w-0");
		for (int core = 0; core < CORES; core++) {
			snprintf(name, sizeof name, "/device:TPU:%d", core);
			mk_plane(&m, name);
			mk_track(&m, "Steps");
			for (int i = 0; i < 4; i++)
				mk_event(&m, &"7\0008\0009\000a"[2 * i], i * SECOND, SECOND);
			mk_track(&m, "XLA Ops");
			for (int i = 0; i < 4; i++) {
				mk_event(&m, "copy-done.1", i * SECOND, 194 * MS);
				if (host || core) {
					mk_event(&m, "fusion.2", i * SECOND + 194 * MS, 5830000);
					continue;
				}
				mk_event(&m, "fusion.2", i * SECOND + 194 * MS, 806 * MS);
			}
		}
	}
	return mk_done(&m);
}

static char right[512]; /* right half of the last status line */

static const char *status(void)
{
	static char left[512];

	view_timeline.status(&view, left, right, sizeof left);
	return left;
}

static void digits(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	act(ACT_STATISTICS);
	assert_true(shown("mean s")); /* one unit for all times of a row; what is too small for it is not 0 */
	assert_true(shown("<0.001"));
	assert_true(shown("0.194"));
	assert_true(shown("self s"));
	assert_true(shown("self %"));
	view_end();
}

static void tracks(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	act(ACT_STATISTICS);
	assert_true(shown("w-0 TPU:2"));
	assert_true(shown("13 more tracks (i)"));
	act(ACT_STATISTICS);
	assert_true(shown("w-0 TPU:7"));
	assert_false(shown("w-1 TPU:7"));
	act(ACT_PAGE_DOWN);
	assert_true(shown("w-1 TPU:7"));
	act(ACT_SORT_NEXT);
	assert_true(shown("w-0 TPU:0"));
	view_end();
}

/* Without a gap the cells are empty, not 0. */
static void no_gap(void **state)
{
	char *text;
	size_t n;
	FILE *f;

	(void)state;
	view_begin(sample(), 40, 120, true);
	act(ACT_STATISTICS);
	act(ACT_STATISTICS);
	assert_int_equal(tl()->stats.shown.tracks[0].gaps, 0);
	assert_true(shown("   100        0         0.000               -               -"));
	f = open_memstream(&text, &n);
	statistics_copy(&tl()->stats, f);
	fclose(f);
	assert_non_null(strstr(text,
	    "some-pod-w-0\t/device:TPU:0\tXLA Ops\t8\t4000000000000\t0\t\t\tw-0 TPU:0\t100\t0\n"));
	assert_non_null(strstr(text, "\ttotal_ps\tself_ps\tmean_ps\t"));
	assert_null(strstr(text, "share"));
	free(text);
	view_end();
}

static void steps(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	marks_set(&tl()->marks, SECOND, 3 * SECOND, "two");
	act(ACT_STATISTICS);
	assert_non_null(strstr(status(), "= 2 steps (8, 9), ops of 16 cores"));
	marks_current(&tl()->marks)->t1 = 4 * SECOND;
	assert_non_null(strstr(status(), "= 3 steps (8 to a), ops of"));
	marks_current(&tl()->marks)->t1 = 2 * SECOND;
	assert_non_null(strstr(status(), "= 1 step (8), ops of"));
	marks_current(&tl()->marks)->t1++;
	assert_null(strstr(status(), "step"));
	resize(24, 81);
	act(ACT_SORT_REVERSE);
	look();
	assert_string_equal(status(), "marked 1.000000000001 s, ops of 16 cores");
	assert_string_equal(right, "by self, reversed   1-2 of 2 names");
	resize(24, 80);
	assert_string_equal(status(), "marked 1.000000000001 s");
	assert_string_equal(right, "by self, reversed   1-2 of 2 names");
	act(ACT_SORT_REVERSE);
	marks_current(&tl()->marks)->t1--;
	assert_non_null(strstr(status(), "= 1 step (8)"));
	assert_null(strstr(status(), "cores"));
	view_end();
}

/* What a copy has of a name: count, and self time as a share of the wall-clock time of all tracks. */
static bool copied(const char *name, const char *count, const char *share)
{
	char *text, *line, *end;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	bool found;

	statistics_copy(&tl()->stats, f);
	fclose(f);
	line = strstr(text, name);
	end = line ? strchr(line, '\n') : NULL;
	if (end)
		*end = '\0';
	found = line && strstr(line, count) && strlen(line) > strlen(share) &&
	    !strcmp(line + strlen(line) - strlen(share), share);
	if (!found)
		fprintf(stderr, "%s\n", line ? line : "none");
	free(text);
	return found;
}

static void filter(void **state)
{
	struct err e = { 0 };

	(void)state;
	view_begin(sample(), 24, 80, true);
	assert_false(shown("not applied"));
	view_timeline.filter(&view, "dur>1ms", &e);
	finish();
	assert_true(shown("in view: whole run, what passes the filter"));
	assert_true(shown("& busy %"));
	assert_true(shown("all the rest"));
	act(ACT_STATISTICS);
	assert_true(shown("what passes the filter: what is in view"));
	marks_set(&tl()->marks, SECOND, 3 * SECOND, "a name");
	finish();
	assert_true(shown("what passes the filter: a name"));
	/* 32 of 194 ms in 16 tracks of 2 s; of fusion.2 only the two long ones */
	assert_true(copied("copy-done.1\t", "\t32\t", "\t19.4"));
	assert_true(copied("fusion.2\t", "\t2\t", "\t5.0375"));
	view_timeline.filter(&view, "copy", &e);
	finish();
	assert_true(copied("copy-done.1\t", "\t32\t", "\t19.4"));
	assert_false(copied("fusion.2\t", "\t2\t", "\t5.0375"));
	view_timeline.filter(&view, "", &e);
	finish();
	assert_true(shown("marked: a name"));
	assert_true(copied("fusion.2\t", "\t32\t", "\t5.038046562"));
	view_timeline.filter(&view, "dur>1ms", &e);
	finish();
	resize(40, 120);
	assert_true(shown("what passes the filter: a name"));
	assert_true(shown("busy time and gaps are of all events"));
	act(ACT_STATISTICS);
	assert_true(shown("busy time and gaps of all events: a name"));
	act(ACT_STATISTICS);
	view_end();
}

/* While only a part of the run is there, no number claims more than that. */
static void part_of_a_run(void **state)
{
	(void)state;
	view_begin(sample(), 40, 120, true);
	assert_true(shown("kind of time"));
	assert_true(shown(" 19.4|"));
	view.part = PART_LEVELS;
	assert_false(shown("kind of time"));
	assert_true(shown("Sums follow"));
	assert_true(shown("busy %"));
	assert_false(shown(" 19.4|"));
	view.part = PART_WINDOW;
	assert_true(shown("kind of time"));
	assert_true(shown(" 19.4|"));
	act(ACT_DOWN);
	act(ACT_DOWN);
	act(ACT_RIGHT);
	view.part = PART_ALL;
	assert_true(shown("mean max"));
	assert_true(shown("after"));
	assert_true(shown("= duration"));
	for (view.part = PART_TRACKS; view.part <= PART_LEVELS; view.part++) {
		assert_false(shown("mean max"));
		assert_int_equal(shown("after"), view.part == PART_TRACKS);
		assert_int_equal(shown("= duration"), view.part != PART_LEVELS);
	}
	view.part = PART_WINDOW;
	act(ACT_ZOOM_IN_FAST);
	act(ACT_ZOOM_IN_FAST);
	assert_false(shown("= duration")); /* what is in it is not all in view */
	view.part = PART_ALL;
	view_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits),
		cmocka_unit_test(part_of_a_run),
		cmocka_unit_test(tracks),
		cmocka_unit_test(no_gap),
		cmocka_unit_test(steps),
		cmocka_unit_test(filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
