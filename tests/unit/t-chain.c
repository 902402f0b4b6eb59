/* What held an event up: gaps, launches, what the host did. */
#include "config.h"

#include "analyze/events/chain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mkspace.h"
#include "../lib/mktrace.h"
#include "analyze/trace/links.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

#define US PS_PER_US

enum { MODULES, OPS, MAIN, RUNTIME };

/* Module a 0-100 us, module b 400-500 us; main waits 90-600 us; the runtime thread enqueues b at 366 us,
 * inside Execute, which main's call at 350 us caused. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };
	struct dump *d;

	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	mk_event(&m, "a", 0, 100 * US);
	mk_event(&m, "b", 400 * US, 100 * US);
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 60 * US);
	mk_event(&m, "copy.2", 70 * US, 30 * US);
	mk_event(&m, "while.3", 400 * US, 100 * US);
	mk_event(&m, "dot.4", 410 * US, 50 * US);
	mk_event(&m, "dot.5", 460 * US, 30 * US);
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "np.asarray(jax.Array)", 90 * US, 510 * US);
	mk_event(&m, "PjitFunction(b)", 350 * US, 10 * US);
	mk_track(&m, "tfrt/2");
	mk_event(&m, "Execute", 360 * US, 20 * US);
	mk_event(&m, "DoEnqueueProgram", 366 * US, 5 * US);
	d = mk_done(&m);
	mk_link(d, (struct edge){ RUNTIME, 1, MODULES, 1, 0 });
	mk_link(d, (struct edge){ MAIN, 1, RUNTIME, 1, 0 });
	return d;
}

static void test_gap(void **state)
{
	struct dump *d = sample();
	struct chain_gap g;

	(void)state;
	assert_false(chain_gap(d, OPS, 0, &g)); /* the first one */
	assert_true(chain_gap(d, OPS, 1, &g));
	assert_int_equal(g.from, 60 * US);
	assert_int_equal(g.to, 70 * US);
	assert_int_equal(g.before, 0);
	assert_true(chain_gap(d, OPS, 2, &g));
	assert_int_equal(g.to - g.from, 300 * US);
	assert_int_equal(g.before, 1);
	assert_true(chain_gap(d, OPS, 3, &g)); /* inside the loop, from its begin */
	assert_int_equal(g.from, 400 * US);
	assert_int_equal(g.before, SIZE_MAX);
	assert_true(chain_gap(d, OPS, 4, &g));
	assert_int_equal(g.to, g.from);
	assert_int_equal(g.before, 3);
	dump_close(d);
}

static const struct chain_line *line(const struct chain *c, enum chain_kind kind, size_t nth)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].kind == kind && !nth--)
			return &c->v[i];
	return NULL;
}

static void test_event(void **state)
{
	struct dump *d = sample();
	struct chain c;

	(void)state;
	chain_of_event(d, OPS, 2, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(line(&c, CHAIN_GAP, 0));
	assert_non_null(strstr(line(&c, CHAIN_GAP, 0)->text, "gap 300.000 us before while.3"));
	assert_non_null(strstr(line(&c, CHAIN_MODULE, 0)->text, "in module b"));
	assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 0)->text, "launched by DoEnqueueProgram"));
	assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 0)->text, "(+34.000 us) on tfrt/2 in Execute"));
	assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 1)->text, "caused by PjitFunction(b)"));
	assert_int_equal(line(&c, CHAIN_LAUNCH, 0)->track, RUNTIME);
	/* the event that launched it comes first */
	assert_int_equal(line(&c, CHAIN_HOST, 0)->track, RUNTIME);
	assert_int_equal(line(&c, CHAIN_HOST, 1)->track, MAIN);
	assert_non_null(strstr(line(&c, CHAIN_HOST, 1)->text, "main/1 in np.asarray(jax.Array) until 600"));
	chain_free(&c);
	/* a gap inside its module */
	chain_of_event(d, OPS, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_MODULE, 0)->text, "the gap lies inside it"));
	assert_null(line(&c, CHAIN_LAUNCH, 0));
	chain_free(&c);
	for (uint32_t k = 0; k < d->trace.ntracks; k++)
		for (size_t i = 0; i < d->trace.tracks[k].n; i++) {
			chain_of_event(d, k, i, &(struct chain_words){ 0 }, &c);
			assert_true(c.n > 0);
			chain_free(&c);
		}
	dump_close(d);
}

/* Ops of a program follow each other with gaps below a nanosecond, which explain nothing. */
static void test_no_gap(void **state)
{
	struct mktrace m = { 0 };
	struct chain c;
	struct dump *d;

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Ops");
	mk_event(&m, "fusion.1", 0, 60 * US);
	mk_event(&m, "copy.2", 60 * US + 999, 30 * US);
	mk_event(&m, "copy.3", 90 * US + 1999, 30 * US);
	d = mk_done(&m);
	chain_of_event(d, 0, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_null(line(&c, CHAIN_GAP, 0));
	assert_non_null(strstr(line(&c, CHAIN_NOTE, 0)->text, "no gap before copy.2: fusion.1 ran until it"));
	chain_free(&c);
	chain_of_event(d, 0, 2, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_GAP, 0)->text, "gap 1.000 ns before copy.3"));
	chain_free(&c);
	dump_close(d);
}

/* Three cores meet in all-reduce.1 and leave it at 200 us; a fourth one has a run of its own at the same
 * time. */
static struct dump *meeting_sample(void)
{
	static const int begins[] = { 100, 130, 110, 105 };
	struct mktrace m = { 0 };
	char name[32];

	mk_host(&m, "w-0");
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "/device:TPU:%d", i);
		mk_plane(&m, name);
		mk_track(&m, "XLA Ops");
		mk_event(&m, "fusion.1", 0, begins[i] * US);
		mk_event(&m, "all-reduce.1", begins[i] * US, (i == 3 ? 150 : 200 - begins[i]) * US);
	}
	return mk_done(&m);
}

/* The core that came last to a collective is named, with the time that was waited for it. */
static void test_meeting(void **state)
{
	struct dump *d = meeting_sample();
	struct chain c;

	(void)state;
	chain_of_event(d, 0, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_MEETING, 0)->text,
	    "waited 30.000 us of 100.000 us for TPU:1, the last of 3 cores to begin, at 130.000000 us"));
	assert_int_equal(line(&c, CHAIN_MEETING, 0)->track, 1);
	assert_int_equal(line(&c, CHAIN_MEETING, 0)->event, 1);
	assert_non_null(
	    strstr(line(&c, CHAIN_MEETING, 1)->text, "that core ran fusion.1 for 130.000 us before it"));
	chain_free(&c);
	chain_of_event(d, 1, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_MEETING, 0)->text,
	    "the last of 3 cores to begin: the first one, TPU:0, waited 30.000 us for it"));
	assert_int_equal(line(&c, CHAIN_MEETING, 0)->track, 0);
	chain_free(&c);
	chain_of_event(d, 3, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_null(line(&c, CHAIN_MEETING, 0));
	chain_free(&c);
	chain_of_event(d, 0, 0, &(struct chain_words){ .ascii = true }, &c);
	assert_null(line(&c, CHAIN_MEETING, 0));
	chain_free(&c);
	dump_close(d);
}

/* Where the file says which runs meet, it does not matter when they end. */
static void test_meeting_by_id(void **state)
{
	static const int begins[] = { 100, 130, 140, 105 }, ids[] = { 7, 7, 8, 8 };
	struct mkspace s = { 0 };
	struct dump *d;
	struct chain c;
	char name[32];

	(void)state;
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "/device:TPU:%d", i);
		space_plane(&s, i + 1, name);
		space_line(&s, 3, "XLA Ops");
		space_event(&s, "all-reduce.1", begins[i] * US, (200 + i - begins[i]) * US);
		space_int(&s, "all_reduce_unique_id", ids[i]);
	}
	d = space_load(&s, 1);
	classify(d);
	chain_of_event(d, space_track(d, "XLA Ops", 0), 0, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_MEETING, 0)->text,
	    "waited 30.000 us of 100.000 us for TPU:1, the last of 2 cores to begin"));
	chain_free(&c);
	space_close(d);
}

/* Both ends of a long name are readable, and no character is cut in two. */
static void test_long_names(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	struct chain c;
	char name[200], text[400];
	const char *s;

	(void)state;
	for (int shift = 0; shift < 3; shift++) {
		snprintf(name, sizeof name, "begin%.*s", shift, "abc");
		for (int i = 0; i < 30; i++)
			strcat(name, "\xe2\x82\xac");
		strcat(name, "the end");
		memset(&m, 0, sizeof m);
		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "XLA Ops");
		mk_event(&m, "short", 0, US);
		mk_event(&m, name, 2 * US, US);
		d = mk_done(&m);
		chain_of_event(d, 0, 1, &(struct chain_words){ .ascii = true }, &c);
		s = line(&c, CHAIN_GAP, 0)->text;
		assert_non_null(strstr(s, " before begin"));
		assert_non_null(strstr(s, "the end: "));
		assert_non_null(strstr(s, ", after short"));
		assert_non_null(strstr(s, ".."));
		utf8_clean_text(text, sizeof text, s);
		assert_string_equal(text, s);
		chain_free(&c);
		dump_close(d);
	}
}

static void test_step(void **state)
{
	struct dump *d = sample();
	struct step s = { .number = "0",
		.host = 0,
		.core = 0,
		.plane = 0,
		.track = MODULES,
		.event = 0,
		.last = 1,
		.start = 0,
		.dur = 600 * US };
	struct track *modules = &d->trace.tracks[MODULES];
	struct chain c;
	int64_t sum = 0;

	(void)state;
	/* the step: from the begin of a to the end of b */
	track_set_time(modules, 1, track_start(modules, 1), 200 * US);
	chain_of_step(d, &s, &(struct chain_words){ .ascii = true }, &c);
	for (size_t i = 0; i < c.n; i++)
		if (!c.v[i].level && (c.v[i].kind == CHAIN_GAP || c.v[i].kind == CHAIN_MODULE))
			sum += c.v[i].to - c.v[i].from;
	assert_int_equal(sum, 600 * US); /* the parts add up to the step */
	assert_non_null(strstr(line(&c, CHAIN_GAP, 0)->text, "idle 300.000 us (50.0 %)"));
	assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 0)->text, "launched by DoEnqueueProgram"));
	chain_free(&c);
	dump_close(d);
}

/* A shortened thread name keeps its number. */
static void test_threads(void **state)
{
	static const char *const names[][2] = {
		{ "pjrt-tpu-tasks/3117357", " on pjrt-tpu-tasks/3117357" },
		{ "a_pool_of_threads_with_a_very_long_name/3117357", "e/3117357" },
		{ "pool/12345678901234567890", "/12345678901234567890" },
		{ "another_rather_long_pool/12345678901234567890", "../12345678901234567890" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct mktrace m = { 0 };
		struct dump *d;
		struct chain c;

		mk_host(&m, "w-0");
		mk_plane(&m, "/device:TPU:0");
		mk_track(&m, "XLA Modules");
		mk_event(&m, "a", 0, 100 * US);
		mk_event(&m, "b", 400 * US, 100 * US);
		mk_plane(&m, "/host:CPU");
		mk_track(&m, names[i][0]);
		mk_event(&m, "Enqueue", 366 * US, 5 * US);
		d = mk_done(&m);
		mk_link(d, (struct edge){ 1, 0, 0, 1, 0 });
		chain_of_event(d, 0, 1, &(struct chain_words){ .ascii = true }, &c);
		assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 0)->text, names[i][1]));
		assert_non_null(strstr(line(&c, CHAIN_HOST, 0)->text, strrchr(names[i][0], '/')));
		chain_free(&c);
		dump_close(d);
	}
}

/* Names of files end where their length says, whatever stands behind them. */
static void test_threads_of_files(void **state)
{
	static const char name[] = "another_rather_long_pool/12345678901234567890/4";
	struct mktrace m = { 0 };
	struct dump *d;
	struct chain c;

	(void)state;
	mk_host(&m, "w-0");
	mk_plane(&m, "/device:TPU:0");
	mk_track(&m, "XLA Modules");
	mk_event(&m, "a", 0, 100 * US);
	mk_event(&m, "b", 400 * US, 100 * US);
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "");
	mk_event(&m, "Enqueue", 366 * US, 5 * US);
	d = mk_done(&m);
	d->trace.tracks[1].name = strtab_ref(&d->str, name, sizeof name - 3);
	mk_link(d, (struct edge){ 1, 0, 0, 1, 0 });
	chain_of_event(d, 0, 1, &(struct chain_words){ .ascii = true }, &c);
	assert_non_null(strstr(line(&c, CHAIN_LAUNCH, 0)->text, "../12345678901234567890"));
	chain_free(&c);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_no_gap),
		cmocka_unit_test(test_meeting),
		cmocka_unit_test(test_meeting_by_id),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_threads_of_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
