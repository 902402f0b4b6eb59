#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/pbuild.h"

static void add_device(struct pb *trace, uint64_t id, const char *name, const char *const *resources)
{
	struct pb device = { 0 }, entry = { 0 };

	pb_s(&device, 1, name);
	pb_u(&device, 2, id);
	for (uint64_t i = 0; resources[i]; i++) {
		struct pb resource = { 0 }, of = { 0 };

		pb_s(&resource, 1, resources[i]);
		pb_u(&resource, 2, i + 1);
		pb_u(&resource, 3, 10 - i); /* the last one comes first */
		pb_u(&of, 1, i + 1);
		pb_sub(&of, 2, &resource);
		pb_sub(&device, 3, &of);
	}
	pb_u(&entry, 1, id);
	pb_sub(&entry, 2, &device);
	pb_sub(trace, 1, &entry);
}

static void add_event(struct pb *trace, uint64_t device, uint64_t resource, const char *name, uint64_t ts,
    uint64_t dur, const char *key, const char *value)
{
	struct pb event = { 0 };

	pb_u(&event, 1, device);
	pb_u(&event, 2, resource);
	pb_s(&event, 3, name);
	pb_u(&event, 9, ts);
	pb_u(&event, 10, dur);
	if (key) {
		struct pb arg = { 0 };

		pb_s(&arg, 1, key);
		pb_s(&arg, 2, value);
		pb_sub(&event, 11, &arg);
	}
	pb_sub(trace, 4, &event);
}

static struct pb example(void)
{
	static const char *const lines[] = { "XLA Modules", "XLA Ops", NULL },
				 *const threads[] = { "main/1", NULL };
	struct pb t = { 0 };

	add_device(&t, 700, "/host:CPU", threads);
	add_device(&t, 3, "/device:TPU:0", lines);
	add_event(&t, 3, 2, "fusion.1", 2000, 500, "hlo_op", "x");
	add_event(&t, 3, 2, "fusion.1", 1000, 500, "long_name", "%fusion.1 = f32[]");
	add_event(&t, 3, 1, "jit_f", 1000, 2000, NULL, NULL);
	add_event(&t, 700, 1, "train", 500, UINT64_MAX, NULL, NULL);
	add_event(&t, 9, 9, "nowhere", 0, 0, NULL, NULL);
	return t;
}

static struct dump *load(const void *bytes, size_t n, struct err *err)
{
	return dump_checked(load_memory(bytes, n, "h.trace", NULL, err), NULL);
}

static bool copy_stat(void *ctx, const struct stat_value *v)
{
	sprintf(ctx, "%.*s=%.*s", (int)v->name_len, v->name, (int)v->n, v->s);
	return true;
}

static void a_trace(void **state)
{
	struct pb t = example();
	struct err err = { 0 };
	struct dump *d = load(t.b, t.n, &err);
	const struct track *ops, *modules, *host, *lost;
	char stat[100] = "";
	int64_t start, dur;

	(void)state;
	assert_non_null(d);
	assert_int_equal(d->files[0].kind, FILE_OLD_TRACE);
	assert_int_equal(d->trace.events, 5);
	assert_int_equal(d->trace.nplanes, 3);
	assert_string_equal(strtab_str(&d->str, d->trace.planes[0].name), "/device:TPU:0");
	assert_int_equal(d->trace.planes[0].kind, PLANE_TPU);
	assert_string_equal(strtab_str(&d->str, d->trace.planes[1].name), "/host:CPU");
	assert_string_equal(strtab_str(&d->str, d->hosts[0].name), "h");
	ops = &d->trace.tracks[0];
	modules = &d->trace.tracks[1];
	host = &d->trace.tracks[2];
	lost = &d->trace.tracks[3];
	assert_int_equal(ops->role, TRACK_OPS);
	assert_int_equal(modules->role, TRACK_MODULES);
	assert_int_equal(ops->n, 2);
	assert_int_equal(track_start(ops, 0), 1000);
	assert_int_equal(track_dur(ops, 1), 500);
	assert_int_equal(track_dur(host, 0), TRACE_TIME_MAX - 500);
	assert_string_equal(strtab_str(&d->str, lost->name), "tid 9");
	assert_int_equal(d->trace.metas[track_meta(ops, 0)].full_len, 17);
	stats_of_event(d, ops, 1, copy_stat, stat);
	assert_string_equal(stat, "hlo_op=x");
	assert_true(d->files[0].stats->plain(d, ops, 1, &start, &dur));
	assert_true(start == 2000 && dur == 500);
	assert_int_equal(problems_count(d->problems, 0), 1); /* the event without an end */
	dump_close(d);
	pb_free(&t);
}

static void truncations(void **state)
{
	struct pb t = example();
	size_t opened = 0, damaged = 0;

	(void)state;
	for (size_t n = 0; n < t.n; n++) {
		struct err err = { 0 };
		uint8_t *exact = malloc(n ? n : 1);
		struct dump *d;

		memcpy(exact, t.b, n);
		d = load(exact, n, &err);
		assert_true(d || err.status == EXIT_NOTHING);
		if (d && d->files[0].kind == FILE_OLD_TRACE) {
			opened++;
			assert_true(d->trace.events < 5);
			damaged += dump_status(d) == EXIT_DAMAGED;
		}
		dump_close(d);
		free(exact);
	}
	assert_true(opened > t.n / 2);
	assert_true(damaged + 7 >= opened); /* all events but those between two of the seven messages */
	pb_free(&t);
}

static void changed_bytes(void **state)
{
	struct pb t = example();

	(void)state;
	for (size_t at = 0; at < t.n; at++)
		for (int bit = 0; bit < 8; bit++) {
			struct err err = { 0 };

			t.b[at] ^= (uint8_t)(1 << bit);
			dump_close(load(t.b, t.n, &err));
			t.b[at] ^= (uint8_t)(1 << bit);
		}
	pb_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace),
		cmocka_unit_test(truncations),
		cmocka_unit_test(changed_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
