/* Captures in Riegeli records: several XSpaces that make one trace, each with ids of its own. */
#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/mkriegeli.h"
#include "model/hlo.h"

/* A record with one plane and one line whose events are named in other orders of ids: a, b or b, a. */
static struct pb record(bool swapped, int64_t timestamp_ns, int n)
{
	struct pb space = { 0 }, p = pb_plane(2, "/host:CPU"), l = pb_line(7, "main", timestamp_ns);

	for (int i = 0; i < n; i++) {
		struct pb e = pb_event(1 + (i + swapped) % 2, i * 1000, 100);

		pb_stat_u(&e, 4, 3 + swapped, 4, (uint64_t)i);
		pb_sub(&l, 4, &e);
	}
	pb_sub(&p, 3, &l);
	pb_meta(&p, swapped ? 2 : 1, "a", NULL);
	pb_meta(&p, swapped ? 1 : 2, "b", NULL);
	pb_stat_name(&p, 3 + swapped, "number");
	pb_stat_name(&p, 4 - swapped, "other");
	pb_stat_u(&p, 6, 4 - swapped, 3, swapped ? 2 : 1);
	pb_sub(&space, 1, &p);
	pb_s(&space, 3, "slow");
	return space;
}

static struct pb two_records(void)
{
	struct pb rec[] = { record(false, 50, 4), record(true, 51, 4) }, f = { 0 };

	rie_signature(&f);
	rie_records(&f, 0, rec, 1);
	rie_records(&f, 0, rec + 1, 1);
	rie_pad(&f);
	pb_free(&rec[0]);
	pb_free(&rec[1]);
	return f;
}

static struct dump *load_as(const struct pb *f, const char *name, struct err *err)
{
	const struct load_options options = { .threads = 2 };

	return dump_checked(load_memory(f->b, f->n, name, &options, err), NULL);
}

static struct dump *load(const struct pb *f)
{
	struct err err = { .status = 0 };
	struct dump *d = load_as(f, "h7.xplane.riegeli", &err);

	if (!d)
		fail_msg("%s", err.msg);
	return d;
}

static bool has_problem(const struct dump *d, const char *text)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (strstr(d->problems->v[i].text, text))
			return true;
	return false;
}

static const char *problem_of(const struct dump *d)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].level != PROBLEM_NOTE)
			return d->problems->v[i].text;
	return "";
}

/* The second record begins before the first one ends: the events of both are sorted together, and every name and
 * stat is that of its own record. */
static void one_trace(void **state)
{
	struct pb f = two_records();
	struct dump *d = load(&f);
	const struct track *t = &d->trace.tracks[0];
	int64_t v;

	(void)state;
	assert_int_equal(dump_status(d), EXIT_OK);
	assert_string_equal(problem_of(d), "");
	assert_int_equal(d->problems->n, 1); /* both records have the warning */
	assert_int_equal(d->files[0].kind, FILE_XSPACE);
	assert_string_equal(d->files[0].packing, "riegeli");
	assert_true(dump_host_is(d, 0, "h7"));
	assert_int_equal(d->trace.nplanes, 1);
	assert_int_equal(d->trace.ntracks, 1);
	assert_int_equal(t->n, 8);
	for (size_t i = 0; i < t->n; i++) {
		/* the first record has 50, 51, 52, 53 ns, the other one 51, 52, 53, 54: those follow them */
		int nth = (int)((i + 1) / 2), second = i > 0 && (i % 2 == 0 || i == 7), own = nth - second;
		strid number = strtab_find(&d->str, "number", 6);

		assert_int_equal(track_start(t, i), 50000 + nth * 1000);
		assert_true(
		    slice_is(dump_text(d, d->trace.metas[track_meta(t, i)].name), own % 2 ? "b" : "a"));
		assert_int_equal(stats_event_ints(d, t, i, &number, 1, &v), 1);
		assert_int_equal(v, own);
	}
	assert_true(stat_plane_int(d, 0, "other", &v));
	assert_int_equal(v, 1);
	dump_close(d);
	pb_free(&f);
}

/* A record that is cut off, in front of a whole one, takes nothing from it. */
/* Its views say what such a capture never has; an XSpace may have it. */
static void it_has_no_hlo(void **state)
{
	struct pb f = two_records();
	struct dump *d = load(&f);

	(void)state;
	assert_non_null(strstr(hlo_modules_why(d), "capture once without enable_continuous_profiling"));
	d->files[0].packing = NULL;
	assert_null(hlo_modules_why(d));
	dump_close(d);
	pb_free(&f);
}

static void a_cut_record(void **state)
{
	struct pb rec[] = { record(false, 50, 4), record(true, 90, 4) }, f = { 0 };
	size_t whole = rec[0].n;

	(void)state;
	for (size_t n = 1; n < whole; n++) {
		struct dump *d;

		if (n == whole - 6) /* the warning after the plane is not there: that is no damage */
			continue;
		f.n = 0;
		rec[0].n = n;
		rie_signature(&f);
		rie_records(&f, 0, rec, 2);
		d = load(&f);
		assert_true(d->trace.events >= 4);
		assert_int_equal(dump_status(d), EXIT_DAMAGED);
		assert_true(has_problem(d, "a record in the chunk at byte 64: "));
		dump_close(d);
	}
	pb_free(&f);
	pb_free(&rec[0]);
	pb_free(&rec[1]);
}

static void a_damaged_chunk(void **state)
{
	struct pb f = two_records();
	struct dump *d;

	(void)state;
	f.b[200] ^= 1;
	d = load(&f);
	assert_int_equal(d->trace.events, 4);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_true(d->files[0].partial);
	assert_non_null(strstr(problem_of(d), "records of bytes 64–"));
	dump_close(d);
	pb_free(&f);
}

static void nothing_in_it(void **state)
{
	struct pb f = { 0 }, rec[] = { record(false, 50, 4) };
	struct err err = { .status = 0 };
	size_t at;

	(void)state;
	rie_signature(&f);
	assert_null(load_as(&f, "h.xplane.riegeli", &err));
	assert_int_equal(err.status, EXIT_NOTHING);
	assert_non_null(strstr(err.msg, "no capture in it"));
	at = rie_records(&f, 0, rec, 1);
	f.b[at + 60] ^= 1;
	assert_null(load_as(&f, "h", &err));
	assert_int_equal(err.status, EXIT_NOTHING);
	assert_non_null(strstr(err.msg, "records of bytes 64–"));
	f.n = 64;
	rie_chunk(&f, 't', rec, 3, 90);
	assert_null(load_as(&f, "h", &err));
	assert_non_null(strstr(err.msg, "3 records at byte 64 are in transposed Riegeli chunks"));
	pb_free(&f);
	pb_free(&rec[0]);
}

/* By its content, whatever the name, and compressed as a whole. */
static void any_name_and_gzip(void **state)
{
	struct pb f = two_records(), packed = { 0 };
	struct err err = { .status = 0 };
	z_stream z = { 0 };
	struct dump *d = load_as(&f, "stdin", &err);

	(void)state;
	assert_non_null(d);
	assert_int_equal(d->trace.events, 8);
	dump_close(d);
	packed.b = malloc(f.n);
	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = f.b;
	z.avail_in = (uInt)f.n;
	z.next_out = packed.b;
	z.avail_out = (uInt)f.n;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	packed.n = z.total_out;
	deflateEnd(&z);
	d = load_as(&packed, "h.xplane.riegeli.gz", &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 8);
	assert_true(dump_host_is(d, 0, "h"));
	dump_close(d);
	packed.n -= 30;
	d = load_as(&packed, "h.xplane.riegeli.gz", &err);
	assert_non_null(d);
	assert_int_equal(d->trace.events, 8);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	pb_free(&f);
	pb_free(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_trace),
		cmocka_unit_test(it_has_no_hlo),
		cmocka_unit_test(a_cut_record),
		cmocka_unit_test(a_damaged_chunk),
		cmocka_unit_test(nothing_in_it),
		cmocka_unit_test(any_name_and_gzip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
