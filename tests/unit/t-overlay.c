/* Versions of a dump: what one thread reads does not change while another one derives, and overlays of one dump know
 * nothing of each other. */
#include "config.h"

#include "analyze/trace/derive.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../lib/mktrace.h"

#define CORES 20
#define THREADS 40
#define RUNS 30

static struct dump *sample(void)
{
	struct mktrace m = { 0 };
	char name[40];

	for (int k = 0; k < CORES; k++) {
		snprintf(name, sizeof name, "/device:TPU:%d", k);
		mk_plane(&m, name);
		mk_track(&m, "XLA Modules");
		for (int i = 0; i < RUNS; i++)
			mk_event(&m, "jit_f(1)", 1000 * i, 900);
	}
	mk_plane(&m, "/host:CPU");
	for (int k = 0; k < THREADS; k++) {
		snprintf(name, sizeof name, "pool/%d", k);
		mk_track(&m, name);
		for (int i = 0; i < RUNS; i++)
			mk_event(&m, "work", 1000 * i + 10 * k, 5);
	}
	return mk_done(&m);
}

/* A number that depends on all that a version has. */
static uint64_t all_of(const struct dump *d)
{
	const struct trace *t = &d->trace;
	uint64_t sum = d->str.n + t->nmetas * 3 + t->ntracks * 5 + t->nedges * 7;
	strid name;

	for (size_t k = 0; k < t->ntracks; k++)
		for (size_t i = 0; i < t->tracks[k].n; i++) {
			name = t->metas[track_meta(&t->tracks[k], i)].name;
			sum = sum * 31 + (uint64_t)track_start(&t->tracks[k], i) +
			    t->meta_class[track_meta(&t->tracks[k], i)] +
			    strtab_hash(strtab_str(&d->str, name), strtab_len(&d->str, name)) +
			    lod_open(&t->tracks[k], 0, track_start(&t->tracks[k], i));
		}
	for (size_t i = 0; i < t->nedges; i++)
		sum = sum * 31 + t->edges[t->edge_by_dst[i]].src;
	return sum + strtab_find(&d->str, "work", 4);
}

struct reader {
	const struct dump *d;
	uint64_t first;
	_Atomic int rounds;
	_Atomic bool stop, wrong;
};

static void *read_on(void *arg)
{
	struct reader *r = arg;

	while (!r->stop) {
		if (all_of(r->d) != r->first)
			r->wrong = true;
		r->rounds++;
	}
	return NULL;
}

static void derive_all(struct overlay *o)
{
	uint32_t threads[THREADS];

	for (uint32_t k = 0; k < THREADS; k++)
		threads[k] = CORES + k;
	for (uint32_t k = 0; k < CORES; k++) {
		char name[24];

		snprintf(name, sizeof name, "union of %u", k);
		assert_int_not_equal(derive_track(o, k, TRACK_STEPS), UINT32_MAX);
		assert_int_not_equal(derive_union(o, threads, 2 + k, name), UINT32_MAX);
	}
}

/* Readers of the dump, and of a version that is not the last. */
static void readers_see_no_change(void **state)
{
	struct reader r[2] = { 0 };
	struct dump *base = sample();
	struct links_found found = { 0 };
	const struct dump *shown;
	struct overlay *o = overlay_new(base, &shown);
	pthread_t thread[2];

	(void)state;
	assert_ptr_equal(shown, base);
	r[0].d = shown;
	derive_track(o, 3, TRACK_STEPS);
	r[1].d = shown;
	assert_ptr_not_equal(shown, base);
	for (int i = 0; i < 2; i++) {
		r[i].first = all_of(r[i].d);
		assert_int_equal(pthread_create(&thread[i], NULL, read_on, &r[i]), 0);
	}
	for (int again = 0; again < 10 || !r[0].rounds || !r[1].rounds; again++) {
		derive_all(o);
		VEC_ADD(found.edges, found.n, found.cap, (struct edge){ CORES, 0, CORES + 1, 0, 0 });
		links_order(&found, NULL);
		overlay_links(o, &found);
	}
	for (int i = 0; i < 2; i++) {
		r[i].stop = true;
		pthread_join(thread[i], NULL);
		assert_false(r[i].wrong);
		assert_int_equal(all_of(r[i].d), r[i].first);
	}
	assert_int_equal(base->trace.ntracks, CORES + THREADS);
	assert_true(shown->trace.ntracks > CORES + THREADS + CORES);
	assert_int_equal(shown->trace.nedges, 1);
	overlay_free(o);
	dump_close(base);
}

/* Strings that two tracks have in common are one, and those of the files keep their numbers. */
static void strings_are_interned_once(void **state)
{
	struct dump *base = sample();
	const struct dump *shown;
	struct overlay *o = overlay_new(base, &shown);
	const struct track *a, *b;
	uint32_t n;

	(void)state;
	a = &shown->trace.tracks[derive_track(o, 0, TRACK_STEPS)];
	n = shown->str.n;
	assert_true(n > base->str.n);
	b = &shown->trace.tracks[derive_track(o, 1, TRACK_STEPS)];
	assert_int_equal(shown->str.n, n);
	a = &shown->trace.tracks[derive_track(o, 0, TRACK_STEPS)];
	assert_int_equal(a->name, b->name);
	assert_string_equal(strtab_str(&shown->str, a->name), "Steps");
	assert_int_equal(shown->trace.metas[track_meta(a, 7)].name,
	    shown->trace.metas[track_meta(b, 7)].name);
	assert_string_equal(strtab_str(&shown->str, shown->trace.metas[track_meta(a, 7)].name), "7");
	assert_memory_equal(shown->trace.metas[track_meta(a, 7)].full, "jit_f(1)", 8);
	for (strid i = 0; i < base->str.n; i++)
		assert_ptr_equal(strtab_str(&shown->str, i), strtab_str(&base->str, i));
	overlay_free(o);
	dump_close(base);
}

static void overlays_do_not_disturb_each_other(void **state)
{
	struct dump *base = sample();
	const struct dump *shown[2];
	struct overlay *o[2] = { overlay_new(base, &shown[0]), overlay_new(base, &shown[1]) };
	uint64_t whole = all_of(base), one;
	uint32_t threads[2] = { CORES, CORES + 1 }, made;

	(void)state;
	made = derive_track(o[0], 5, TRACK_STEPS);
	assert_ptr_equal(shown[1], base);
	one = all_of(shown[0]);
	assert_int_equal(derive_union(o[1], threads, 2, "both"), made);
	derive_all(o[1]);
	assert_int_equal(all_of(shown[0]), one);
	overlay_free(o[1]);
	assert_int_equal(all_of(shown[0]), one);
	assert_int_equal(shown[0]->trace.tracks[made].role, TRACK_STEPS);
	overlay_free(o[0]);
	assert_int_equal(all_of(base), whole);
	dump_close(base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_see_no_change),
		cmocka_unit_test(strings_are_interned_once),
		cmocka_unit_test(overlays_do_not_disturb_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
