/* The query language: what it matches, its error messages, and searching in slices. */
#include "config.h"

#include "analyze/events/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../lib/mktrace.h"
#include "analyze/events/find.h"
#include "base/text/units.h"

#define US PS_PER_US

static bool event_stats_asked;

/* Event i of a track has run_id = i, note = "odd" or "even". */
static void event_stats(const struct dump *d, const struct track *k, size_t i, stat_fn *fn, void *ctx)
{
	struct stat_value v = { .name = "run_id",
		.name_len = 6,
		.type = STAT_INT,
		.i = (int64_t)i,
		.u = i,
		.d = (double)i };

	(void)d;
	(void)k;
	event_stats_asked = true;
	if (fn(ctx, &v))
		fn(ctx,
		    &(struct stat_value){ .name = "note",
			.name_len = 4,
			.type = STAT_STR,
			.s = i % 2 ? "odd" : "even",
			.n = i % 2 ? 3 : 4 });
}

static void meta_stats(const struct dump *d, uint32_t meta, stat_fn *fn, void *ctx)
{
	(void)d;
	fn(ctx,
	    &(struct stat_value){ .name = "kind",
		.name_len = 4,
		.type = STAT_STR,
		.s = meta ? "later" : "first",
		.n = 5 });
}

static const struct stat_reader reader = { .event = event_stats, .meta = meta_stats };

/* TPU:0, TPU:1: Steps 7, 8; fusion.1 (10 us), while.2 (30 us) around all-reduce.3 (20 us), in both steps. */
static struct dump *sample(void)
{
	struct mktrace m = { 0 };

	mk_host(&m, "w-0");
	m.d->files[0].stats = &reader;
	for (int c = 0; c < 2; c++) {
		mk_plane(&m, c ? "/device:TPU:1" : "/device:TPU:0");
		mk_track(&m, "Steps");
		for (int i = 0; i < 2; i++)
			mk_event(&m, i ? "8" : "7", i * 100 * US, 90 * US);
		mk_track(&m, "XLA Ops");
		for (int i = 0; i < 2; i++) {
			mk_event(&m, "fusion.1", i * 100 * US, 10 * US);
			mk_event(&m, "while.2", (i * 100 + 20) * US, 30 * US);
			mk_event(&m, "all-reduce.3", (i * 100 + 25) * US, 20 * US);
		}
	}
	return mk_done(&m);
}

static size_t count(const struct dump *d, const char *text)
{
	struct err e = { 0 };
	struct query *q = query_new(text, &e);
	struct steps s;
	struct query_run *r;
	size_t n = 0;

	assert_non_null(q);
	steps_find(d, &s);
	r = query_bind(q, d, &s);
	for (uint32_t k = 0; k < d->trace.ntracks; k++)
		for (size_t i = 0; query_track(r, k) && i < d->trace.tracks[k].n; i++)
			n += query_event(r, k, i);
	query_unbind(r);
	query_free(q);
	steps_free(&s);
	return n;
}

static void test_terms(void **state)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{ "name~fusion", 4 },
		{ "name=fusion.1", 4 },
		{ "name=fusion", 0 },
		{ "!name~fusion", 12 },
		{ "name!~fusion", 12 },
		{ "FUSION", 0 },
		{ "fusion", 4 },
		{ "!fusion !while", 8 },
		{ "dur>10us", 4 + 4 + 4 },
		{ "dur>=10us track~Ops", 12 },
		{ "dur<=10us", 4 },
		{ "dur=20us", 4 },
		{ "self>10us name~while", 0 },
		{ "self=10us name~while", 4 },
		{ "self<=10us track~Ops", 8 },
		{ "cat=all-reduce", 4 },
		{ "cat=collective", 4 },
		{ "cat~^all", 4 },
		{ "!cat=collective track~Ops", 8 },
		{ "track=TPU:1", 8 },
		{ "track=\"TPU:1 XLA Ops\"", 6 },
		{ "track~\"tpu:1 xla\"", 6 },
		{ "track=\"XLA Ops\"", 12 },
		{ "step=8 track~Ops", 6 },
		{ "step>7 fusion", 2 },
		{ "step=1 track~Ops", 6 },
		{ "step=9", 0 },
		{ "step<=7 fusion", 2 },
		{ "step~^7$ fusion", 2 },
		{ "!step=8 track~Ops", 6 },
		{ "start>=100us fusion", 2 },
		{ "dur > 10us", 4 + 4 + 4 },
		{ "dur> 10us track ~Ops", 4 + 4 },
		{ "track = \"TPU:1 XLA Ops\"", 6 },
		{ "end<=10us", 2 },
		{ "name~fusion dur>10us", 0 },
	};
	struct dump *d = sample();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (count(d, cases[i].text) != cases[i].n)
			print_message("%s: %zu\n", cases[i].text, count(d, cases[i].text));
		assert_int_equal(count(d, cases[i].text), cases[i].n);
	}
	dump_close(d);
}

static void test_args(void **state)
{
	struct dump *d = sample();

	(void)state;
	for (size_t i = 0; i < d->trace.nmetas; i++) {
		d->trace.metas[i].file = 0;
		d->trace.metas[i].len = 1;
	}
	assert_int_equal(count(d, "arg.run_id=1"), 4);
	assert_int_equal(count(d, "arg.run_id>=4"), 4);
	assert_int_equal(count(d, "arg.note=odd"), 8);
	assert_int_equal(count(d, "arg.note~^ev track~Ops"), 6);
	assert_int_equal(count(d, "arg~run_id=5"), 2);
	assert_int_equal(count(d, "arg=even arg.run_id=4"), 2);
	assert_int_equal(count(d, "!arg.note=odd"), 8);
	assert_int_equal(count(d, "arg.none=1"), 0);
	event_stats_asked = false;
	assert_int_equal(count(d, "arg.kind=first"), 1); /* a stat of the event kind */
	event_stats_asked = false;
	assert_int_equal(count(d, "name=nothing arg.note=odd"), 0);
	assert_false(event_stats_asked); /* not decoded if a cheaper term decides */
	dump_close(d);
}

static void test_mistakes(void **state)
{
	static const struct {
		const char *text;
		uint64_t at;
		const char *says;
	} cases[] = {
		{ "name~a dur>soon", 11, "not a time" },
		{ "dur>100", 4, "100 has no unit; dur>100us?" },
		{ "x self <= 2.5", 10, "2.5 has no unit; self <= 2.5us?" },
		{ "dur~3", 0, "takes" },
		{ "name~( x", 5, "parenthesis" },
		{ "name~\"a b", 0, "quote" },
		{ "", 0, "is empty" },
		{ "  ", 0, "is empty" },
		{ "arg.=3", 4, "name of a stat" },
		{ "step>soon", 5, "not a number" },
		{ "dur>", 4, "missing" },
		{ "arg>3", 0, "without a name" },
		{ "name>3", 0, "takes ~ or =" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err e = { 0 };

		assert_null(query_new(cases[i].text, &e));
		assert_int_equal(e.status, EXIT_USAGE);
		assert_int_equal(e.at, cases[i].at);
		assert_non_null(strstr(e.msg, cases[i].says));
		assert_true(strlen(e.msg) < 78); /* it fits on one line of the screen */
	}
}

static void test_meant(void **state)
{
	(void)state;
	assert_true(query_meant("name~x"));
	assert_true(query_meant("dur>10us"));
	assert_true(query_meant("fusion dur>10us"));
	assert_true(query_meant("!cat=copy"));
	assert_true(query_meant("fusion dur > 10us"));
	assert_false(query_meant("fusion"));
	assert_false(query_meant("name"));
	assert_false(query_meant("names~x"));
	assert_false(query_meant("\\Qname~x"));
	assert_false(query_meant("duration>3"));
}

static void test_hint(void **state)
{
	static const char *const near[][2] = { { "duration", "dur" }, { "names", "name" },
		{ "category", "cat" }, { "strat", "start" }, { "stat", "start" }, { "stop", "step" },
		{ "tarck", "track" }, { "depth", "arg.depth" }, { "st", "arg.st" } };
	char buf[128];

	(void)state;
	assert_string_equal(query_hint("flops>1e9", buf, sizeof buf),
	    "; unknown field 'flops'; did you mean arg.flops?");
	assert_string_equal(query_hint("dur>1us !foo = 1", buf, sizeof buf),
	    "; unknown field 'foo'; did you mean arg.foo?");
	for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
		char query[40], want[80];

		snprintf(query, sizeof query, "%s=1", near[i][0]);
		snprintf(want, sizeof want, "; unknown field '%s'; did you mean %s?", near[i][0], near[i][1]);
		assert_string_equal(query_hint(query, buf, sizeof buf), want);
	}
	assert_string_equal(query_hint("dur > 1us fusion", buf, sizeof buf), "");
	assert_string_equal(query_hint("fusion", buf, sizeof buf), "");
	assert_string_equal(query_hint("arg.flops>1e9 %b>c a=", buf, sizeof buf), "");
}

static bool track_passes(void *r, uint32_t track)
{
	return query_track(r, track);
}
static bool passes(void *r, uint32_t track, size_t i)
{
	return query_event(r, track, i);
}

/* A predicate and a name find the same events. */
static void test_find(void **state)
{
	struct mktrace m = { 0 };
	uint32_t tracks[2] = { 1, 0 };
	struct dump *d;
	struct err e = { 0 };
	int slices = 0;

	(void)state;
	mk_plane(&m, "/device:TPU:0");
	for (int k = 0; k < 2; k++) {
		mk_track(&m, k ? "XLA Ops" : "Async XLA Ops");
		for (int i = 0; i < 3000; i++)
			mk_event(&m, i % 7 ? "copy.1" : "fusion.2", i * 10 + k, 5);
	}
	d = mk_done(&m);
	struct regex *re = regex_new("fusion", REGEX_SMART_CASE, &e);
	struct query *q = query_new("name~fusion dur>=0", &e);
	struct query_run *r = query_bind(q, d, NULL);
	struct find *a = find_new(d, re, tracks, 2, NULL),
		    *b = find_begin(d, tracks, 2, track_passes, passes, r);

	while (find_more(b, d, 0))
		slices++;
	assert_true(slices > 5);
	assert_int_equal(b->looked, b->total);
	assert_int_equal(a->hits, b->hits);
	assert_int_equal(a->names, b->names);
	struct find_pos p = { UINT32_MAX, 0 }, s = p;
	for (uint64_t i = 0; i < a->hits; i++) {
		p = find_step(a, d, 0, p, 1);
		s = find_step(b, d, 0, s, 1);
		assert_int_equal(p.track, s.track);
		assert_int_equal(p.i, s.i);
		assert_int_equal(find_rank(b, d, s), i + 1);
	}
	find_free(a);
	find_free(b);
	query_unbind(r);
	query_free(q);
	regex_free(re);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terms),
		cmocka_unit_test(test_args),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_meant),
		cmocka_unit_test(test_hint),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
