#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/pbuild.h"
#include "../lib/sametrack.h"

#define EPOCH INT64_C(1790001000000000000)

/* Loads a message, checks every promise, and leaves the bytes to the caller (pb_free after dump_close). */
static struct dump *load(const struct pb *space)
{
	struct load_options options = { .threads = 1 };
	struct err err = { .status = 0 };

	return dump_checked(load_memory(space->b, space->n, "h7.xplane.pb", &options, &err), &err);
}

static void add_event(struct pb *line, int64_t meta, int64_t offset, int64_t dur)
{
	struct pb e = pb_event(meta, offset, dur);

	pb_sub(line, 4, &e);
}

static void add_line(struct pb *plane, struct pb line)
{
	pb_sub(plane, 3, &line);
}

static struct pb line_of_one(int64_t id, const char *name, int64_t ts, int64_t offset)
{
	struct pb l = pb_line(id, name, ts);

	add_event(&l, 1, offset, 10);
	return l;
}

static void assert_str(const struct dump *d, strid id, const char *want)
{
	assert_int_equal(strtab_len(&d->str, id), strlen(want));
	assert_memory_equal(strtab_str(&d->str, id), want, strlen(want));
}

static const char *event_name(const struct dump *d, size_t track, size_t i)
{
	static char buf[200];
	strid id = d->trace.metas[track_meta(&d->trace.tracks[track], i)].name;

	snprintf(buf, sizeof buf, "%.*s", (int)strtab_len(&d->str, id), strtab_str(&d->str, id));
	return buf;
}

static bool has_problem(const struct dump *d, enum problem_level level, const char *part)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].level == level && strstr(d->problems->v[i].text, part))
			return true;
	return false;
}

static void names_and_times(void **state)
{
	struct pb space = { 0 }, p = pb_plane(3, "/device:TPU:2"), l = pb_line(5, "XLA Ops", 1000), m = { 0 };
	struct dump *d;

	(void)state;
	add_event(&l, 1, 500, 100);
	add_event(&l, 2, 700, 0);
	add_line(&p, l);
	add_line(&p, pb_line(6, "Overlay", 0));
	pb_meta(&p, 1, "%fusion.1 = f32[] fusion()", "fusion.1");
	pb_s(&m, 2, "plain");
	pb_stat_u(&m, 5, 1, 7, 2); /* hlo_category → "copy" */
	pb_entry(&p, 4, 2, &m);
	pb_stat_name(&p, 1, "hlo_category");
	pb_stat_name(&p, 2, "copy");
	pb_sub(&space, 1, &p);
	pb_s(&space, 2, "something failed");
	pb_s(&space, 4, "the-host");
	d = load(&space);
	assert_int_equal(d->trace.nplanes, 1);
	assert_int_equal(d->trace.planes[0].kind, PLANE_TPU);
	assert_int_equal(d->trace.planes[0].core, 2);
	assert_int_equal(d->trace.planes[0].id, 3);
	assert_str(d, d->hosts[d->trace.planes[0].host].name, "the-host");
	assert_int_equal(d->trace.ntracks, 2);
	assert_str(d, d->trace.tracks[0].name, "XLA Ops");
	assert_int_equal(d->trace.tracks[0].role, TRACK_OPS);
	assert_int_equal(d->trace.tracks[0].id, 5);
	assert_int_equal(d->trace.tracks[0].n, 2);
	assert_int_equal(track_start(&d->trace.tracks[0], 0), 1000500);
	assert_int_equal(track_dur(&d->trace.tracks[0], 0), 100);
	assert_int_equal(d->trace.tracks[1].n, 0);
	assert_string_equal(event_name(d, 0, 0), "fusion.1");
	assert_int_equal(d->trace.metas[track_meta(&d->trace.tracks[0], 0)].full_len, 26);
	assert_string_equal(event_name(d, 0, 1), "plain");
	assert_null(d->trace.metas[track_meta(&d->trace.tracks[0], 1)].full);
	assert_str(d, d->trace.metas[track_meta(&d->trace.tracks[0], 1)].category, "copy");
	assert_int_equal(d->origin_ns, 0);
	assert_int_equal(dump_status(d), EXIT_OK);
	assert_int_equal(problems_count(d->problems, -1), 0);
	assert_true(has_problem(d, PROBLEM_NOTE, "something failed"));
	dump_close(d);
	pb_free(&space);
}

static void host_from_the_file_name(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "Task Environment");
	struct dump *d;

	(void)state;
	pb_stat_u(&p, 6, 1, 3, (uint64_t)EPOCH);
	pb_stat_name(&p, 1, "profile_start_time");
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_str(d, d->hosts[0].name, "h7");
	assert_true(d->start_unix_ns == EPOCH);
	assert_false(d->simulated);
	dump_close(d);
	pb_free(&space);
}

/* Lines with the same display_id, else id, and planes with the same name are merged; fields after the events
 * count, too. */
static void pieces_become_one(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = line_of_one(1, "a", 0, 100), q;
	struct dump *d;

	(void)state;
	pb_u(&l, 10, 77);
	pb_s(&l, 11, "shown");
	add_line(&p, l);
	add_line(&p, line_of_one(2, "b", 0, 200));
	l = line_of_one(9, "c", 0, 50);
	pb_u(&l, 10, 77);
	add_line(&p, l);
	pb_meta(&p, 1, "one", NULL);
	pb_sub(&space, 1, &p);
	q = pb_plane(2, "#Chip0");
	add_line(&q, line_of_one(1, "x", 0, 0));
	pb_sub(&space, 1, &q);
	p = pb_plane(1, "/host:CPU");
	l = line_of_one(2, "b again", 0, 150);
	add_event(&l, 2, 160, 1);
	add_line(&p, l);
	pb_meta(&p, 1, "one of the second piece", NULL);
	pb_sub(&space, 1, &p);
	p = pb_plane(1, "/host:CPU");
	pb_meta(&p, 2, "two, named elsewhere", NULL);
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.nplanes, 2);
	assert_int_equal(d->trace.ntracks, 3);
	assert_str(d, d->trace.tracks[0].name, "shown");
	assert_int_equal(d->trace.tracks[0].id, 77);
	assert_int_equal(d->trace.tracks[0].n, 2);
	assert_int_equal(track_start(&d->trace.tracks[0], 0), 50);
	assert_int_equal(d->trace.tracks[1].n, 3);
	assert_int_equal(track_start(&d->trace.tracks[1], 0), 150);
	assert_string_equal(event_name(d, 1, 0), "one of the second piece");
	assert_string_equal(event_name(d, 1, 1), "two, named elsewhere");
	assert_string_equal(event_name(d, 1, 2), "one");
	assert_str(d, d->trace.planes[d->trace.tracks[2].plane].name, "#Chip0");
	assert_string_equal(event_name(d, 2, 0), "unknown metadata 1");
	assert_int_equal(problems_count(d->problems, 0), 1);
	dump_close(d);
	pb_free(&space);
}

static struct dump *load_lines(struct pb *space, const int64_t *ts, size_t n, bool behind)
{
	struct pb p = pb_plane(1, "/host:CPU");

	for (size_t i = 0; i < n; i++) {
		struct pb l = line_of_one((int64_t)i + 1, "t", behind ? 0 : ts[i], 5);

		if (behind && ts[i])
			pb_u(&l, 3, (uint64_t)ts[i]);
		add_line(&p, l);
	}
	pb_meta(&p, 1, "e", NULL);
	pb_sub(space, 1, &p);
	return load(space);
}

static void origins(void **state)
{
	static const struct {
		int64_t ts[3], origin, start[3];
	} cases[] = {
		{ { 0, 7, 6830 }, 0, { 5, 7005, 6830005 } },
		{ { 999999999999999, 7, 8 }, 0, { 999999999999999005, 7005, 8005 } },
		{ { EPOCH + 5, EPOCH, EPOCH + 1 }, EPOCH, { 5005, 5, 1005 } },
		{ { 1000000000000000, 1000000000000001, 1000000000000000 }, 1000000000000000,
		    { 5, 1005, 5 } },
		{ { 0, 1000000000000000, 0 }, 0, { 5, 1000000000000000005, 5 } },
		{ { 0, EPOCH, EPOCH + 2 }, EPOCH, { 5, 5, 2005 } }, /* cannot be told from 0 in ps */
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int behind = 0; behind < 2; behind++) {
			struct pb space = { 0 };
			struct dump *d = load_lines(&space, cases[i].ts, 3, behind);

			assert_true(d->origin_ns == cases[i].origin);
			for (size_t k = 0; k < 3; k++) {
				int64_t start, dur;

				assert_true(track_start(&d->trace.tracks[k], 0) == cases[i].start[k]);
				assert_true(
				    d->files[0].stats->plain(d, &d->trace.tracks[k], 0, &start, &dur));
				assert_true(start == cases[i].start[k] && dur == 10);
			}
			assert_int_equal(problems_count(d->problems, -1), 0);
			assert_int_equal(has_problem(d, PROBLEM_NOTE, "from 1970"), i == 5);
			dump_close(d);
			pb_free(&space);
		}
}

static void aggregates_have_no_time(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "t", 0), e = { 0 };
	struct dump *d;

	(void)state;
	pb_u(&e, 1, 1);
	pb_u(&e, 3, 900);
	pb_stat_u(&e, 4, 1, 4, 3);
	pb_u(&e, 5, 12); /* after the stats, as it is written */
	pb_sub(&l, 4, &e);
	add_event(&l, 1, 4, 1);
	add_line(&p, l);
	pb_meta(&p, 1, "e", NULL);
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.events, 2);
	assert_int_equal(d->trace.tracks[0].n, 1);
	assert_int_equal(d->trace.tracks[0].untimed, 1);
	assert_int_equal(d->trace.tracks[0].agg[0].count, 12);
	assert_int_equal(d->trace.tracks[0].agg[0].dur, 900);
	assert_int_equal(d->trace.tracks[0].first, 4);
	dump_close(d);
	pb_free(&space);
}

static void absurd_times(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "t", 0);
	struct dump *d;
	int64_t start, dur;

	(void)state;
	add_event(&l, 1, 10, -5);
	add_event(&l, 1, INT64_MAX, 5);
	add_event(&l, 1, -20, INT64_MAX);
	add_line(&p, l);
	pb_meta(&p, 1, "e", NULL);
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.tracks[0].n, 3);
	assert_int_equal(track_start(&d->trace.tracks[0], 0), -20);
	assert_int_equal(track_dur(&d->trace.tracks[0], 1), 0);
	assert_int_equal(problems_count(d->problems, 0), 3);
	assert_true(has_problem(d, PROBLEM_WARN, "negative"));
	assert_true(has_problem(d, PROBLEM_WARN, "out of range"));
	for (size_t i = 0; i < 3; i++) {
		assert_true(d->files[0].stats->plain(d, &d->trace.tracks[0], i, &start, &dur));
		assert_true(
		    start == track_start(&d->trace.tracks[0], i) && dur == track_dur(&d->trace.tracks[0], i));
	}
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	pb_free(&space);
}

static void counters_are_step_functions(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "#Chip0"), l = pb_line(1, "_counters_", 0);
	struct dump *d;

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct pb e = pb_event(i % 2 + 1, i * 100, 0);

		pb_stat_s(&e, 4, 3, "no number");
		if (i % 2)
			pb_stat_d(&e, 4, 2, i * 0.5);
		else
			pb_stat_u(&e, 4, 1, 4, (uint64_t)-i);
		pb_sub(&l, 4, &e);
	}
	add_line(&p, l);
	pb_meta(&p, 1, "HBM", NULL);
	pb_meta(&p, 2, "power", NULL);
	pb_stat_name(&p, 1, "bytes");
	pb_stat_name(&p, 2, "watts");
	pb_stat_name(&p, 3, "note");
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.ncounters, 2);
	assert_str(d, d->trace.counters[0].name, "HBM");
	assert_str(d, d->trace.counters[0].unit, "bytes");
	assert_int_equal(d->trace.counters[0].n, 3);
	assert_true(d->trace.counters[0].v[2] == -4 && d->trace.counters[0].t[2] == 400);
	assert_true(d->trace.counters[0].min == -4 && d->trace.counters[0].max == 0);
	assert_str(d, d->trace.counters[1].unit, "watts");
	assert_true(d->trace.counters[1].v[1] == 1.5);
	assert_int_equal(d->trace.tracks[0].n, 5); /* they count as events, too */
	dump_close(d);
	pb_free(&space);
}

static bool write_down(void *ctx, const struct stat_value *v)
{
	char *out = ctx;
	size_t n = strlen(out);

	n += (size_t)snprintf(out + n, 400 - n, "%.*s=", (int)v->name_len, v->name);
	if (v->type == STAT_DOUBLE)
		snprintf(out + n, 400 - n, "%g ", v->d);
	else if (v->type == STAT_UINT)
		snprintf(out + n, 400 - n, "%lluu ", (unsigned long long)v->u);
	else if (v->type == STAT_INT)
		snprintf(out + n, 400 - n, "%lldi ", (long long)v->i);
	else
		snprintf(out + n, 400 - n, "%.*s%c ", (int)v->n, v->s, v->type == STAT_BYTES ? 'b' : 's');
	return true;
}

static void stats_of_everything(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "t", 0), e = pb_event(1, 0, 1),
		  s = { 0 }, m = { 0 };
	char text[400] = "";
	struct dump *d;

	(void)state;
	pb_stat_d(&e, 4, 1, 0.25);
	pb_stat_u(&e, 4, 2, 3, UINT64_MAX);
	pb_stat_u(&e, 4, 3, 4, (uint64_t)-3);
	pb_stat_s(&e, 4, 4, "text");
	pb_u(&s, 7, 2); /* the value before the id */
	pb_u(&s, 1, 3);
	pb_sub(&e, 4, &s);
	pb_bytes(&s, 6, "\x01", 1);
	pb_sub(&e, 4, &s);          /* no id, no name */
	pb_stat_u(&e, 4, 1, 7, 99); /* a dangling reference */
	pb_sub(&l, 4, &e);
	add_line(&p, l);
	pb_s(&m, 2, "kind");
	pb_stat_s(&m, 5, 4, "of the kind");
	pb_entry(&p, 4, 1, &m);
	for (int k = 1; k <= 4; k++)
		pb_stat_name(&p, k, (const char *[]){ "one", "two", "three", "four" }[k - 1]);
	pb_stat_u(&p, 6, 2, 4, 5);
	pb_sub(&space, 1, &p);
	p = pb_plane(1, "/host:CPU");
	pb_stat_name(&p, 2, "of the second piece");
	pb_stat_u(&p, 6, 2, 4, 6);
	pb_sub(&space, 1, &p);
	d = load(&space);
	stats_of_event(d, &d->trace.tracks[0], 0, write_down, text);
	assert_string_equal(text,
	    "one=0.25 two=18446744073709551615u three=-3i four=texts three=twos stat 0=\x01"
	    "b one=s ");
	*text = '\0';
	stats_of_meta(d, 0, write_down, text);
	assert_string_equal(text, "four=of the kinds ");
	*text = '\0';
	stats_of_plane(d, 0, write_down, text);
	assert_string_equal(text, "two=5i of the second piece=6i ");
	dump_close(d);
	pb_free(&space);
}

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

/* Numbers of every length, fields in any order, unknown fields, long keys: everything is read as it was
 * written. */
static void any_encoding_of_events(void **state)
{
	const size_t n = 4000;
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "t", 0);
	int64_t *start = malloc(n * sizeof *start), *dur = malloc(n * sizeof *dur), at = 0;
	uint64_t s = 88172645463325252u;
	struct dump *d;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		struct pb e = { 0 };
		int bits = (int)(next(&s) % 47);

		at += (int64_t)(next(&s) >> (17 + bits)) + 1;
		start[i] = i == 0 ? -7 : at;
		dur[i] = (int64_t)(next(&s) >> (17 + next(&s) % 47));
		if (i % 3 == 0)
			pb_stat_s(&e, 4, 1, "a stat");
		pb_u(&e, i % 2 ? 2 : 3, (uint64_t)(i % 2 ? start[i] : dur[i]));
		if (i % 5 == 0)
			pb_s(&e, 15, "unknown");
		if (i % 7 == 0)
			pb_double(&e, 100, 1);
		pb_u(&e, i % 2 ? 3 : 2, (uint64_t)(i % 2 ? dur[i] : start[i]));
		pb_u(&e, 1, i % 11 == 0 ? 300 : 1);
		if (i % 13 == 0) { /* the key in two bytes */
			pb_raw(&l, "\xa2\x00", 2);
			pb_varint(&l, e.n);
			pb_raw(&l, e.b, e.n);
			pb_free(&e);
		} else {
			pb_sub(&l, 4, &e);
		}
		if (i % 17 == 0)
			pb_u(&l, 9, i);
	}
	pb_meta(&p, 1, "one", NULL);
	pb_meta(&p, 300, "three hundred", NULL);
	add_line(&p, l); /* the last bytes of the file are events */
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.tracks[0].n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(track_start(&d->trace.tracks[0], i) == start[i]);
		assert_true(track_dur(&d->trace.tracks[0], i) == dur[i]);
		assert_string_equal(event_name(d, 0, i), i % 11 ? "one" : "three hundred");
	}
	assert_int_equal(problems_count(d->problems, -1), 0);
	dump_close(d);
	pb_free(&space);
	free(start);
	free(dur);
}

static struct pb sample(void)
{
	struct pb space = { 0 };

	for (int k = 0; k < 3; k++) {
		char name[40];
		struct pb p, l;

		snprintf(name, sizeof name, "/device:TPU:%d", k);
		p = pb_plane(k, name);
		for (int j = 0; j < 3; j++) {
			l = pb_line(j + 1, "line", j * 7);
			for (int i = 0; i < 20; i++) {
				struct pb e = pb_event(i % 4, i * 1000, 300 * (i % 7));

				pb_stat_u(&e, 4, 1, 3, (uint64_t)i);
				pb_sub(&l, 4, &e);
			}
			if (j == 1)
				pb_u(&l, 10, 40);
			add_line(&p, l);
		}
		for (int i = 0; i < 4; i++)
			pb_meta(&p, i, "%some.op = f32[] op()", "some.op");
		pb_stat_name(&p, 1, "a stat");
		pb_sub(&space, 1, &p);
	}
	pb_s(&space, 4, "host");
	return space;
}

/* Cut at every byte: what comes before is kept, more bytes never give fewer events, and the damage is
 * reported once. */
static void cut_everywhere(void **state)
{
	struct pb space = sample();
	uint64_t before = 0;

	(void)state;
	for (size_t n = 20; n < space.n; n++) {
		uint8_t *copy = malloc(n);
		struct pb cut = { .b = copy, .n = n };
		struct dump *d;

		memcpy(copy, space.b, n);
		d = load(&cut);
		assert_true(d->trace.events >= before);
		before = d->trace.events;
		for (size_t i = 0, told = 0; i < d->problems->n; i++) {
			told += d->problems->v[i].level == PROBLEM_DAMAGE;
			assert_true(told <= 1);
			if (d->problems->v[i].level == PROBLEM_DAMAGE)
				assert_int_equal(d->problems->v[i].at, n);
		}
		assert_int_equal(d->files[0].partial, dump_status(d) == EXIT_DAMAGED);
		dump_close(d);
		free(copy);
	}
	assert_int_equal(before, 180);
	pb_free(&space);
}

static void flipped_bytes(void **state)
{
	struct pb space = sample();
	uint64_t s = 1234567;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		uint8_t *copy = malloc(space.n);
		struct load_options options = { .threads = 1 };
		struct err err = { .status = 0 };
		struct dump *d;

		memcpy(copy, space.b, space.n);
		for (int k = (int)(next(&s) % 4); k >= 0; k--)
			copy[next(&s) % space.n] = (uint8_t)next(&s);
		d = load_memory(copy, space.n, "x.xplane.pb", &options, &err);
		if (!d)
			assert_true(err.status != 0 && *err.msg);
		else if (dump_check(d))
			fail_msg("round %d: %s", round, dump_check(d));
		dump_close(d);
		free(copy);
	}
	pb_free(&space);
}

/* An event that cannot be read costs itself; the others are complete. */
static void damage_stays_in_its_event(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = line_of_one(1, "bad", 0, 5);
	struct dump *d;

	(void)state;
	pb_raw(&l, "\x22\x02\x0b\x00", 4); /* an event with a group in it */
	add_event(&l, 1, 9, 9);
	add_line(&p, l);
	add_line(&p, line_of_one(2, "good", 0, 7));
	pb_meta(&p, 1, "e", NULL);
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.tracks[0].n, 2);
	assert_int_equal(track_start(&d->trace.tracks[0], 1), 9);
	assert_int_equal(d->trace.tracks[1].n, 1);
	assert_string_equal(event_name(d, 1, 0), "e");
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	assert_int_equal(d->problems->n, 1);
	assert_true(has_problem(d, PROBLEM_DAMAGE, "in plane /host:CPU, line bad"));
	assert_memory_equal(space.b + d->problems->v[0].at, "\x22\x02\x0b\x00", 4);
	dump_close(d);
	pb_free(&space);
}

static void threads_make_no_difference(void **state)
{
	struct pb space = sample();
	struct load_options options = { .threads = 4 };
	struct dump *one = load(&space),
		    *four = load_memory(space.b, space.n, "h7.xplane.pb", &options, NULL);

	(void)state;
	assert_non_null(four);
	assert_int_equal(one->trace.ntracks, four->trace.ntracks);
	for (size_t i = 0; i < one->trace.ntracks; i++)
		same_events(&one->trace.tracks[i], &four->trace.tracks[i]);
	dump_close(one);
	dump_close(four);
	pb_free(&space);
}

static void many_ids_without_metadata(void **state)
{
	struct pb space = { 0 }, p = pb_plane(1, "/host:CPU"), l = pb_line(1, "t", 0);
	struct dump *d;

	(void)state;
	for (int i = 0; i < 70000; i++)
		add_event(&l, i * 3, i, 1);
	add_event(&l, 0, 70000, 1);
	add_line(&p, l);
	pb_sub(&space, 1, &p);
	d = load(&space);
	assert_int_equal(d->trace.tracks[0].n, 70001);
	assert_string_equal(event_name(d, 0, 1), "unknown metadata 3");
	assert_string_equal(event_name(d, 0, 69999), "unknown metadata");
	assert_int_equal(track_meta(&d->trace.tracks[0], 0), track_meta(&d->trace.tracks[0], 70000));
	dump_close(d);
	pb_free(&space);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_times),
		cmocka_unit_test(host_from_the_file_name),
		cmocka_unit_test(pieces_become_one),
		cmocka_unit_test(origins),
		cmocka_unit_test(aggregates_have_no_time),
		cmocka_unit_test(absurd_times),
		cmocka_unit_test(counters_are_step_functions),
		cmocka_unit_test(stats_of_everything),
		cmocka_unit_test(any_encoding_of_events),
		cmocka_unit_test(cut_everywhere),
		cmocka_unit_test(flipped_bytes),
		cmocka_unit_test(damage_stays_in_its_event),
		cmocka_unit_test(threads_make_no_difference),
		cmocka_unit_test(many_ids_without_metadata),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
