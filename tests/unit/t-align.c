/* Offsets of clocks estimated from steps, and aligning one step on all hosts. */
#include "config.h"

#include "analyze/events/host_align.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "../lib/mktrace.h"
#include "analyze/events/find.h"
#include "analyze/interval/interval.h"
#include "base/mem.h"
#include "base/text/regex.h"
#include "base/text/units.h"

/* Hosts with two cores each; their clocks are ahead by `off`; `late` is added to the start of one step of one
 * host. */
static struct dump *sample(const int64_t *off, int hosts, int late_step, int64_t late, int first_of_last)
{
	struct mktrace m = { 0 };
	char name[32];

	for (int h = 0; h < hosts; h++) {
		snprintf(name, sizeof name, "w-%d", h);
		mk_host(&m, name);
		for (int c = 0; c < 2; c++) {
			snprintf(name, sizeof name, "/device:TPU:%d", c);
			mk_plane(&m, name);
			mk_track(&m, "Steps");
			for (int s = h == hosts - 1 ? first_of_last : 0; s < 5; s++) {
				snprintf(name, sizeof name, "%d", 100 + s);
				mk_event(&m, name,
				    100 * PS_PER_US + s * PS_PER_MS + off[h] + c * PS_PER_NS +
					(h == 1 && s == late_step ? late : 0),
				    900 * PS_PER_US);
			}
		}
	}
	return mk_done(&m);
}

static void offsets(void **state)
{
	const int64_t off[] = { 0, 3 * PS_PER_US, -70 * PS_PER_NS };
	struct dump *d = sample(off, 3, 2, 40 * PS_PER_US, 1);
	struct steps s;
	struct align_host out[3];

	(void)state;
	steps_find(d, &s);
	assert_int_equal(align_estimate(d, &s, out), 3);
	assert_int_equal(out[0].offset, 0);
	assert_int_equal(out[0].steps, 5);
	assert_int_equal(out[1].offset, 3 * PS_PER_US); /* one step that began late changes nothing */
	assert_int_equal(out[1].spread, 0);
	assert_int_equal(out[2].offset, -70 * PS_PER_NS);
	assert_int_equal(out[2].steps, 4); /* by number: this host lacks the first */
	steps_free(&s);
	dump_close(d);
}

static void one_step(void **state)
{
	const int64_t off[] = { 0, 3 * PS_PER_US, -70 * PS_PER_NS };
	struct dump *d = sample(off, 3, 2, 40 * PS_PER_US, 3);
	struct steps s;
	int64_t shift[3], zero = 0;

	(void)state;
	steps_find(d, &s);
	assert_int_equal(s.v[0].id, -3); /* steps_find() counts from the first that all have */
	assert_true(align_on_step(d, &s, -1, shift, &zero));
	assert_int_equal(zero, 100 * PS_PER_US + 2 * PS_PER_MS); /* the earlier core */
	assert_int_equal(shift[0], 0);
	assert_int_equal(shift[1], -43 * PS_PER_US);
	assert_int_equal(shift[2], 0); /* this host has no such step */
	assert_true(align_on_step(d, &s, 1, shift, &zero));
	assert_int_equal(shift[2], 70 * PS_PER_NS);
	assert_false(align_on_step(d, &s, 7, shift, &zero));
	steps_free(&s);
	dump_close(d);
}

static void same_names(const struct window *a, const struct window *b)
{
	assert_int_equal(a->nnames, b->nnames);
	assert_int_equal(a->events, b->events);
	assert_memory_equal(a->class_ps, b->class_ps, sizeof a->class_ps);
	for (size_t i = 0; i < a->nnames; i++) {
		assert_int_equal(a->names[i].name, b->names[i].name);
		assert_int_equal(a->names[i].count, b->names[i].count);
		assert_int_equal(a->names[i].cut, b->names[i].cut);
		assert_int_equal(a->names[i].total, b->names[i].total);
		assert_int_equal(a->names[i].p99, b->names[i].p99);
	}
}

static void same_statistics(const struct dump *d, const struct dump *moved, const int64_t *shift, int64_t t0,
    int64_t t1)
{
	uint32_t tracks[] = { 0, 1, 2, 3, 4, 5 };
	struct interval a, b;

	interval_begin(&a, d, tracks, 6, t0, t1);
	interval_begin(&b, moved, tracks, 6, t0, t1);
	b.window.shift = shift;
	interval_step(&a, -1);
	interval_step(&b, -1);
	same_names(&a.window, &b.window);
	assert_int_equal(a.cut, b.cut);
	assert_int_equal(a.occupied, b.occupied);
	for (size_t k = 0; k < 6; k++) {
		assert_int_equal(a.tracks[k].events, b.tracks[k].events);
		assert_int_equal(a.tracks[k].gaps, b.tracks[k].gaps);
		assert_int_equal(a.tracks[k].busy, b.tracks[k].busy);
		assert_int_equal(a.tracks[k].longest, b.tracks[k].longest);
		assert_int_equal(a.tracks[k].at, b.tracks[k].at);
	}
	interval_free(&a);
	interval_free(&b);
}

static void same_hits(const struct dump *d, const struct dump *moved, const int64_t *shift)
{
	struct regex *re = regex_new("^10[13]$", REGEX_SMART_CASE, NULL);
	uint32_t tracks[] = { 0, 1, 2, 3, 4, 5 }, ca[40], cb[40];
	struct find *a = find_new(d, re, tracks, 6, NULL), *b = find_new(moved, re, tracks, 6, NULL);
	struct find_pos p = { UINT32_MAX, 0 }, q = p;

	b->shift = shift;
	for (uint64_t i = 1; i <= a->hits + 1; i++) {
		p = find_step(a, d, INT64_MIN, p, 1);
		q = find_step(b, moved, INT64_MIN, q, 1);
		assert_int_equal(p.track, q.track);
		assert_int_equal(p.i, q.i);
		assert_int_equal(find_rank(b, moved, q), find_rank(a, d, p));
	}
	q = find_step(b, moved, 2 * PS_PER_MS, (struct find_pos){ UINT32_MAX, 0 }, -1);
	p = find_step(a, d, 2 * PS_PER_MS, (struct find_pos){ UINT32_MAX, 0 }, -1);
	assert_true(p.track == q.track && p.i == q.i);
	find_columns(a, d, 0, PS_PER_MS / 7, 40, ca);
	find_columns(b, moved, 0, PS_PER_MS / 7, 40, cb);
	assert_memory_equal(ca, cb, sizeof ca);
	find_free(a);
	find_free(b);
	regex_free(re);
}

/* Results of hosts whose clocks differ and are aligned equal those of hosts whose clocks agree. */
static void shifted(void **state)
{
	const int64_t none[3] = { 0 }, off[] = { 0, 7 * PS_PER_MS, -900 * PS_PER_MS };
	struct dump *d = sample(none, 3, 2, 40 * PS_PER_US, 1), *moved = sample(off, 3, 2, 40 * PS_PER_US, 1);
	int64_t *shift = xcalloc(moved->trace.nplanes + 1, sizeof *shift);

	(void)state;
	for (size_t i = 0; i < moved->trace.nplanes; i++)
		shift[i] = -off[moved->trace.planes[i].host];
	for (int64_t t0 = 0; t0 < 5 * PS_PER_MS; t0 += 370 * PS_PER_US)
		same_statistics(d, moved, shift, t0, t0 + 1600 * PS_PER_US);
	same_hits(d, moved, shift);
	free(shift);
	dump_close(d);
	dump_close(moved);
}

static void nothing(void **state)
{
	struct mktrace m = { 0 };
	struct dump *d;
	struct steps s;
	struct align_host out[2];
	int64_t shift[2], zero;

	(void)state;
	mk_host(&m, "a");
	mk_host(&m, "b");
	mk_plane(&m, "/host:CPU");
	mk_track(&m, "main/1");
	mk_event(&m, "x", 0, 5);
	d = mk_done(&m);
	steps_find(d, &s);
	assert_int_equal(align_estimate(d, &s, out), 0);
	assert_false(out[0].known || out[1].known);
	assert_false(align_on_step(d, &s, 0, shift, &zero));
	steps_free(&s);
	dump_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets),
		cmocka_unit_test(one_step),
		cmocka_unit_test(shifted),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
