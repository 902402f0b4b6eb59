#include "config.h"
#include "analyze/memprof/profile.h"
#include "analyze/steps/steps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

static void memory_event(struct mkspace *s, bool freed, int64_t t, int64_t device, int64_t heap, int64_t size,
    int64_t address)
{
	space_event(s, freed ? "MemoryDeallocation" : "MemoryAllocation", t, 1);
	space_int(s, "index_on_host", device);
	space_int(s, "bytes_reserved", 100);
	space_int(s, "bytes_allocated", heap);
	space_int(s, "bytes_available", heap < 900 ? 900 - heap : 0);
	space_int(s, "peak_bytes_in_use", 700);
	space_int(s, "requested_bytes", size - 1);
	space_int(s, "allocation_bytes", size);
	space_int(s, "addr", address);
	if (!freed)
		space_int(s, "data_type", 1);
}

/* Device 1 before device 0; the peak of device 0 comes twice; 40 bytes lay there before. */
static struct dump *two_devices(void)
{
	struct mkspace s = { 0 };

	space_host(&s);
	memory_event(&s, false, 1000, 1, 10, 10, 4096);
	memory_event(&s, false, 2000, 0, 140, 100, 64);
	memory_event(&s, false, 3000, 0, 240, 100, 128);
	memory_event(&s, true, 4000, 0, 140, 100, 64);
	memory_event(&s, false, 5000, 0, 240, 100, 192);
	memory_event(&s, true, 6000, 0, 140, 100, 128);
	return space_load(&s, 1);
}

static const struct cell *at(const struct table *t, size_t row, const char *column)
{
	assert_true(row < t->nrows);
	return t->cells + row * t->ncolumns + table_column(t, column);
}

static void text_is(const struct table *t, size_t row, const char *column, const char *want)
{
	const struct cell *c = at(t, row, column);

	assert_int_equal(c->type, CELL_STR);
	assert_int_equal(c->n, strlen(want));
	assert_memory_equal(c->s, want, c->n);
}

static void the_last_of_equal_peaks_counts(void **state)
{
	struct dump *d = two_devices();
	struct memory_profile p;

	(void)state;
	memprof_build(d, NULL, NULL, NULL, &p);
	assert_int_equal(p.ndevices, 2);
	assert_string_equal(facts_text(&p.summary, "kind"), "allocator");
	assert_string_equal(p.device[0].name, "0");
	assert_int_equal(p.device[0].n, 5);
	assert_int_equal(p.device[0].v[p.device[0].peak].t, 5000);
	assert_int_equal(memprof_event_use(&p.device[0].v[p.device[0].peak]), 340);
	assert_int_equal(p.device[0].capacity, 1000);
	assert_int_equal(p.device[0].lifetime, 700);
	assert_int_equal(at(&p.devices, 0, "peakStatsTimePs")->u.i, 5000);
	assert_int_equal(at(&p.devices, 1, "heapAllocatedBytes")->u.i, 10);
	assert_int_equal(p.timeline.nrows, 6);
	text_is(&p.timeline, 2, "memoryActivity", "DEALLOCATION");
	text_is(&p.timeline, 2, "address", "64");
	memprof_free(&p);
	space_close(d);
}

static void what_lies_in_memory_at_the_peak(void **state)
{
	struct dump *d = two_devices();
	struct memory_profile p;

	(void)state;
	memprof_build(d, NULL, NULL, NULL, &p);
	assert_int_equal(p.device[0].nactive, 3);
	text_is(&p.active, 0, "tfOpName", "stack");                   /* 100, requested 100 */
	assert_int_equal(at(&p.active, 1, "numOccurrences")->u.i, 2); /* two of 100, requested 99 */
	assert_int_equal(at(&p.active, 1, "requestedBytes")->u.i, 99);
	text_is(&p.active, 1, "dataType", "float");
	text_is(&p.active, 2, "tfOpName", "unused preallocated device memory");
	assert_int_equal(at(&p.active, 2, "allocationBytes")->u.i, 40);
	text_is(&p.active, 3, "device", "1");
	memprof_free(&p);
	space_close(d);
}

/* By how long it lives: all events count, whatever their step, and what ends after the peak, too. */
static void how_long_it_lives(void **state)
{
	static const struct {
		const char *lifetime;
		int64_t bytes, held;
	} want[] = { { "reserved", 100, -1 }, { "kept", 100, 1000 }, { "freed", 100, 3000 },
		{ "earlier", 40, -1 } };
	struct dump *d = two_devices();
	struct memory_profile p;
	struct table t;

	(void)state;
	memprof_build(d, NULL, NULL, NULL, &p);
	table_begin(&t, &memprof_groups_schema);
	memprof_groups_table(&p, 0, &t);
	assert_int_equal(t.nrows, 4);
	for (size_t i = 0; i < 4; i++) {
		text_is(&t, i, "lifetime", want[i].lifetime);
		assert_int_equal(at(&t, i, "bytes")->u.i, want[i].bytes);
		if (want[i].held < 0)
			assert_int_equal(at(&t, i, "held")->type, CELL_NULL);
		else
			assert_true(at(&t, i, "held")->u.d == (double)want[i].held);
	}
	assert_int_equal(at(&t, 1, "count")->u.i, 1);
	assert_int_equal(at(&t, 1, "op")->type, CELL_NULL); /* never the name of an unknown one */
	text_is(&t, 1, "type", "float");
	table_free(&t);
	memprof_free(&p);
	space_close(d);
}

static void events_that_say_nothing_are_not_zero(void **state)
{
	struct mkspace s = { 0 };
	struct dump *d;
	struct memory_profile p;

	(void)state;
	space_host(&s);
	space_event(&s, "MemoryAllocation", 1000, 1);
	space_event(&s, "MemoryDeallocation", 2000, 1);
	d = space_load(&s, 1);
	memprof_build(d, NULL, NULL, NULL, &p);
	assert_int_equal(p.ndevices, 0);
	assert_int_equal(p.silent, 2);
	assert_int_equal(p.timeline.nrows, 0);
	assert_string_equal(facts_text(&p.summary, "kind"), "");
	assert_non_null(strstr(memprof_missing(d), "without their arguments"));
	memprof_free(&p);
	dump_close(d);
}

static void without_events_there_is_nothing(void **state)
{
	struct mkspace s = { 0 };
	struct memory_profile p;
	struct dump *d;

	(void)state;
	space_host(&s);
	space_event(&s, "work", 1000, 500);
	d = space_load(&s, 1);
	assert_false(memprof_any(d));
	memprof_build(d, NULL, NULL, NULL, &p);
	assert_int_equal(p.ndevices, 0);
	assert_int_equal(p.host, -1);
	assert_int_equal(facts_get(&p.summary, "kind")->type, CELL_NULL);
	assert_non_null(strstr(memprof_missing(d), "save_device_memory_profile"));
	memprof_free(&p);
	space_close(d);
}

static void people_read_what_steps_are_called(void **state)
{
	static const struct column columns[] = {
		{ .id = "stepId", .label = "", .unit = "", .type = COL_INTEGER }
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	struct step step[2] = { { .host = 1, .group = 1, .label = "7" },
		{ .host = 0, .group = 1, .label = "101" } };
	struct steps steps = { .v = step, .n = 2 };
	struct table t;

	(void)state;
	table_begin(&t, &columns_schema);
	for (int i = 0; i < 4; i++)
		*table_row(&t) = cell_int(i / 2 + 1);
	memprof_label_steps(&t, &steps, 0);
	text_is(&t, 0, "stepId", "101");
	text_is(&t, 1, "stepId", "101");
	assert_int_equal(at(&t, 2, "stepId")->type, CELL_NULL); /* no step is known */
	assert_int_equal(at(&t, 3, "stepId")->type, CELL_NULL);
	table_free(&t);
}

static void absurd_numbers_saturate(void **state)
{
	struct mkspace s = { 0 };
	struct memory_profile p;
	struct dump *d;

	(void)state;
	space_host(&s);
	for (int i = 0; i < 3; i++)
		memory_event(&s, false, 1000 + i, 0, INT64_MAX - i, INT64_MAX, i);
	d = space_load(&s, 1);
	memprof_build(d, NULL, NULL, NULL, &p);
	assert_int_equal(memprof_event_use(&p.device[0].v[p.device[0].peak]), INT64_MAX);
	memprof_free(&p);
	space_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_of_equal_peaks_counts),
		cmocka_unit_test(what_lies_in_memory_at_the_peak),
		cmocka_unit_test(how_long_it_lives),
		cmocka_unit_test(events_that_say_nothing_are_not_zero),
		cmocka_unit_test(without_events_there_is_nothing),
		cmocka_unit_test(people_read_what_steps_are_called),
		cmocka_unit_test(absurd_numbers_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
