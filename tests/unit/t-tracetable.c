#include "config.h"
#include "load/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../lib/dumpcheck.h"
#include "../lib/mklevels.h"
#include "../lib/pbuild.h"
#include "base/mem.h"
#include "load/source/source.h"
#include "load/table/coarse.h"
#include "load/table/sstable.h"

static struct pb args(const char *text, uint64_t ref)
{
	struct pb raw = { 0 }, all = { 0 }, a = { 0 }, b = { 0 };

	pb_s(&a, 1, "text");
	pb_s(&a, 2, text);
	pb_sub(&all, 1, &a);
	pb_s(&b, 1, "long_name");
	table_fixed_field(&b, 6, ref);
	pb_sub(&all, 1, &b);
	pb_sub(&raw, 2, &all);
	return raw;
}

static struct pb description(void)
{
	struct pb trace = { 0 }, device = { 0 }, resource = { 0 }, of = { 0 }, entry = { 0 }, name = { 0 },
		  full = { 0 };

	pb_s(&resource, 1, "XLA Ops");
	pb_u(&resource, 2, 3);
	pb_u(&of, 1, 3);
	pb_sub(&of, 2, &resource);
	pb_s(&device, 1, "w-2 /device:TPU:0");
	pb_u(&device, 2, 5);
	pb_sub(&device, 3, &of);
	pb_u(&entry, 1, 5);
	pb_sub(&entry, 2, &device);
	pb_sub(&trace, 1, &entry);
	table_fixed_field(&name, 1, 0x1122334455667788);
	pb_s(&name, 2, "a name that is longer than others");
	pb_sub(&trace, 8, &name);
	table_fixed_field(&full, 1, 99);
	pb_s(&full, 2, "@@%fusion = f32[]");
	pb_sub(&trace, 8, &full);
	return trace;
}

#define OPS 200

/* Ops on two levels, a flow from the first to the last, an asynchronous event and three samples; with args in
 * the table itself or elsewhere. */
static struct pb trace_table(bool snappy, bool with_args)
{
	static struct mktable t;
	struct pb e, d = description();

	t = (struct mktable){ .snappy = snappy };
	for (char level = '1'; level <= '2'; level++)
		for (uint64_t i = 0; i < OPS; i++) {
			if ((level == '1') != (i % 3 == 0))
				continue;
			e = (struct pb){ 0 };
			pb_u(&e, 1, 5);
			pb_u(&e, 2, 3);
			if (i & 1)
				pb_s(&e, 3, "fusion");
			else
				table_fixed_field(&e, 12, 0x1122334455667788);
			pb_u(&e, 5, i);
			pb_u(&e, 7, 400);
			if (with_args) {
				char text[20];
				struct pb raw;

				snprintf(text, sizeof text, "event %d", (int)i);
				raw = args(text, 99);
				pb_sub(&e, 8, &raw);
			}
			if (i == 0 || i == OPS - 1) {
				pb_u(&e, 9, 77);
				pb_u(&e, 10, i ? 3 : 1);
				pb_u(&e, 11, 12);
			}
			table_put_event(&t, level, 1000 + i * 500, 0, &e);
		}
	e = (struct pb){ 0 };
	pb_u(&e, 1, 5);
	pb_s(&e, 3, "copy-start");
	pb_u(&e, 7, 900);
	pb_u(&e, 9, 5);
	pb_u(&e, 10, 1);
	table_put_event(&t, '3', 5000, 0, &e);
	for (uint64_t i = 0; i < 3; i++) {
		struct pb raw = { 0 }, all = { 0 }, arg = { 0 };

		e = (struct pb){ 0 };
		pb_u(&e, 1, 5);
		pb_s(&e, 3, "HBM");
		pb_s(&arg, 1, "bw");
		pb_double(&arg, 4, 1.5 * (double)i);
		pb_sub(&all, 1, &arg);
		pb_sub(&raw, 2, &all);
		pb_sub(&e, 8, &raw);
		table_put_event(&t, '4', 7000, (uint8_t)i, &e);
	}
	table_put(&t, "trace", 5, &d);
	return table_finish(&t);
}

static bool collect(void *ctx, const struct stat_value *v)
{
	char *out = ctx, *end = out + strlen(out);

	if (v->type == STAT_STR)
		sprintf(end, "%.*s=%.*s;", (int)v->name_len, v->name, (int)v->n, v->s);
	else
		sprintf(end, "%.*s=%lld;", (int)v->name_len, v->name, (long long)v->i);
	return true;
}

static void check_table(const struct dump *d, bool with_args)
{
	const struct track *ops = &d->trace.tracks[0];
	char expected[200], got[300];
	int64_t start, dur;

	assert_null(dump_check(d));
	assert_int_equal(d->trace.events, OPS + 4);
	assert_int_equal(d->trace.nplanes, 1);
	assert_string_equal(strtab_str(&d->str, d->trace.planes[0].name), "/device:TPU:0");
	assert_string_equal(strtab_str(&d->str, d->hosts[0].name), "w-2");
	assert_int_equal(d->trace.ntracks, 3);
	assert_int_equal(ops->role, TRACK_OPS);
	assert_int_equal(ops->n, OPS);
	assert_int_equal(d->trace.tracks[1].role, TRACK_ASYNC);
	assert_int_equal(track_dur(&d->trace.tracks[1], 0), 900);
	assert_int_equal(d->trace.tracks[2].n, 3);
	assert_int_equal(d->trace.ncounters, 1);
	assert_true(d->trace.counters[0].n == 3 && d->trace.counters[0].v[2] == 3);
	assert_int_equal(d->trace.nedges, 1);
	assert_int_equal(d->trace.edges[0].dst, OPS - 1);
	assert_int_equal(d->trace.edges[0].category, 12);
	for (size_t i = 0; i < OPS; i++) {
		assert_int_equal(track_start(ops, i), 1000 + (int64_t)i * 500);
		assert_int_equal(track_dur(ops, i), 400);
		assert_string_equal(strtab_str(&d->str, d->trace.metas[track_meta(ops, i)].name),
		    i & 1 ? "fusion" : "a name that is longer than others");
		*got = '\0';
		stats_of_event(d, ops, i, collect, got);
		snprintf(expected, sizeof expected, "group_id=%d;%s", (int)i,
		    i == 0 || i == OPS - 1 ? "flow_id=77;" : "");
		if (with_args)
			snprintf(expected + strlen(expected), 100,
			    "text=event %d;long_name=%%fusion = f32[];", (int)i);
		assert_string_equal(got, expected);
		assert_true(d->files[0].stats->plain(d, ops, i, &start, &dur));
		assert_int_equal(start, track_start(ops, i));
	}
	if (with_args)
		assert_memory_equal(d->trace.metas[track_meta(ops, 1)].full, "%fusion = f32[]", 15);
}

static void tables(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct err err = { 0 };
		struct pb t;
		struct dump *d;

		t = trace_table(i & 1, i & 2);
		d = load_memory(t.b, t.n, "h.SSTABLE", NULL, &err);
		assert_non_null(d);
		assert_int_equal(d->files[0].kind, FILE_TRACE_TABLE);
		assert_int_equal(d->problems->n, 0);
		check_table(d, i & 2);
		dump_close(d);
		pb_free(&t);
	}
}

/* What XProf writes: HOST.SSTABLE without args, HOST.metadata.SSTABLE with them under the same keys. */
static void args_beside(void **state)
{
	const char *build = getenv("top_builddir");
	char *dir = xasprintf("%s/tests/scratch/table-XXXXXX", build ? build : "."), *main_path, *args_path;
	struct load_options options = { .threads = 1 };
	struct pb main_table = trace_table(false, false), args_table = trace_table(false, true);
	struct err err = { 0 };
	struct pb packed_table = trace_table(true, true);
	static char text[100000];
	const char *path;
	struct dump *d;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	main_path = xasprintf("%s/h.SSTABLE", dir);
	args_path = xasprintf("%s/h.metadata.SSTABLE", dir);
	f = fopen(main_path, "wb");
	assert_int_equal(fwrite(main_table.b, 1, main_table.n, f), main_table.n);
	fclose(f);
	f = fopen(args_path, "wb");
	assert_int_equal(fwrite(args_table.b, 1, args_table.n, f), args_table.n);
	fclose(f);
	path = main_path;
	d = load_paths(&path, 1, &options, NULL, &err);
	assert_non_null(d);
	check_table(d, true);
	dump_close(d);
	f = fopen(args_path, "wb");
	fputs("no table", f);
	fclose(f);
	d = load_paths(&path, 1, &options, NULL, &err);
	assert_non_null(d);
	check_table(d, false);
	assert_int_equal(d->problems->n, 1);
	dump_close(d);
	f = fopen(args_path, "wb"); /* all of its blocks but the index cannot be unpacked */
	for (size_t i = 0; i + 600 < packed_table.n; i += 24)
		packed_table.b[i] = packed_table.b[i + 1] = 0xff;
	fwrite(packed_table.b, 1, packed_table.n, f);
	fclose(f);
	d = load_paths(&path, 1, &options, NULL, &err);
	assert_non_null(d);
	for (size_t i = 0; i < d->trace.ntracks; i++)
		for (size_t k = 0; k < d->trace.tracks[i].n; k++)
			stats_of_event(d, &d->trace.tracks[i], k, collect, text);
	assert_null(strstr(text, "text="));
	dump_close(d);
	unlink(main_path);
	unlink(args_path);
	rmdir(dir);
	free(main_path);
	free(args_path);
	free(dir);
	pb_free(&main_table);
	pb_free(&args_table);
	pb_free(&packed_table);
}

static void keys_are_found(void **state)
{
	struct pb t = trace_table(false, true);
	struct sstable s;
	struct err err = { 0 };
	size_t n = 0;

	(void)state;
	assert_int_equal(sstable_open(&s, t.b, t.n, &err), 0);
	assert_true(s.nblocks > 10);
	for (size_t i = 0; i < s.nblocks; i++) {
		struct sstable_block b = { 0 };
		struct sstable_cursor c, found;

		assert_int_equal(sstable_block(&s, i, &b, &err), 0);
		assert_false(b.damaged);
		for (c = sstable_walk(&b); sstable_next(&c); n++) {
			uint8_t key[SSTABLE_KEY_MAX];

			assert_int_equal(sstable_block_of(&s, c.key, c.nkey), i);
			assert_true(sstable_find(&b, c.key, c.nkey, &found));
			assert_ptr_equal(found.value, c.value);
			assert_true(sstable_at(&b, c.at, &found));
			assert_ptr_equal(found.value, c.value);
			assert_false(sstable_at(&b, c.at + 1, &found));
			memcpy(key, c.key, sizeof key);
			key[c.nkey - 1] ^= 0x80;
			assert_false(sstable_find(&b, key, c.nkey, &found));
		}
		assert_false(c.bad);
		sstable_release(&b);
	}
	assert_int_equal(n, OPS + 5);
	assert_int_equal(sstable_block_of(&s, (const uint8_t *)"zzz", 3), s.nblocks);
	sstable_close(&s);
	pb_free(&t);
}

/* Fresh pages for each block would cost more than to unpack it. */
static void blocks_take_over_memory(void **state)
{
	struct pb t = trace_table(true, true);
	struct sstable s;
	struct err err = { 0 };
	struct sstable_block kept = { 0 };
	size_t kinds = 0;

	(void)state;
	assert_int_equal(sstable_open(&s, t.b, t.n, &err), 0);
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < s.nblocks; i++) {
			const uint8_t *owned = kept.owned;
			size_t room = kept.room;
			struct sstable_block own = { 0 };

			assert_int_equal(sstable_block(&s, i, &own, &err), 0);
			assert_int_equal(sstable_block(&s, i, &kept, &err), 0);
			assert_int_equal(kept.n, own.n);
			assert_int_equal(kept.restarts, own.restarts);
			assert_false(kept.damaged);
			assert_memory_equal(kept.b, own.b, own.n + 4 * own.restarts);
			if (room >= own.room)
				assert_ptr_equal(kept.owned, owned);
			kinds += own.owned != NULL;
			sstable_release(&own);
		}
	}
	assert_int_equal(kinds, 2 * s.nblocks);
	sstable_release(&kept);
	assert_null(kept.owned);
	sstable_close(&s);
	pb_free(&t);
}

static void damage_leaves_the_rest(void **state)
{
	struct pb t = trace_table(false, true);
	struct err err = { 0 };
	struct dump *d;

	(void)state;
	t.b[300] ^= 0x40; /* in the first block */
	d = load_memory(t.b, t.n, "h.SSTABLE", NULL, &err);
	assert_non_null(d);
	assert_true(d->trace.events > OPS / 2 && d->files[0].partial);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	pb_free(&t);
}

static bool is_told(const struct dump *d, const char *text)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (strstr(d->problems->v[i].text, text))
			return true;
	return false;
}

static void damaged_index(void **state)
{
	struct pb t = trace_table(false, true);
	struct err err = { 0 };
	struct sstable s;
	struct dump *d;

	(void)state;
	assert_int_equal(sstable_open(&s, t.b, t.n, &err), 0);
	assert_false(s.index_damaged);
	t.b[t.n - SSTABLE_FOOTER - 1] ^= 1; /* the last byte of its checksum */
	sstable_close(&s);
	d = load_memory(t.b, t.n, "h.SSTABLE", NULL, &err);
	assert_non_null(d);
	assert_true(is_told(d, "the index of the table is damaged"));
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	pb_free(&t);
}

/* Blocks do not have more bytes together than the file, however often the index names them. */
static void a_block_again_and_again(void **state)
{
	static struct mktable t;
	struct err err = { 0 };
	struct pb file, entry, e;
	struct dump *d;

	(void)state;
	for (uint64_t i = 0; i < 12; i++) {
		e = (struct pb){ 0 };
		pb_u(&e, 1, 5);
		pb_s(&e, 3, "fusion");
		pb_u(&e, 7, 400);
		table_put_event(&t, '1', 1000 + i * 500, 0, &e);
	}
	table_end_data(&t);
	entry = t.index;
	t.index = (struct pb){ 0 };
	for (int i = 0; i < 1000; i++)
		pb_raw(&t.index, entry.b, entry.n);
	e = description();
	table_put(&t, "trace", 5, &e);
	file = table_finish(&t);
	d = load_memory(file.b, file.n, "h.SSTABLE", NULL, &err);
	assert_non_null(d);
	assert_in_range(d->trace.events, 12, file.n / 10);
	assert_true(is_told(d, "the index of the table is damaged"));
	dump_close(d);
	pb_free(&entry);
	pb_free(&file);
}

/* What comes before the cut is read: with only the footer and the index missing, or half of the blocks and
 * the names. */
static void cut_off(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		char got[300] = "";
		struct err err = { 0 };
		struct pb t;
		struct dump *d;

		t = trace_table(i & 1, true);
		d = load_memory(t.b, i & 2 ? t.n / 2 : t.n - 3, "h.SSTABLE", NULL, &err);
		assert_non_null(d);
		assert_null(dump_check(d));
		assert_int_equal(d->files[0].kind, FILE_TRACE_TABLE);
		assert_int_equal(dump_status(d), EXIT_DAMAGED);
		assert_true(d->files[0].partial);
		assert_non_null(strstr(d->problems->v[0].text, "cut off"));
		if (i & 2) {
			assert_true(d->trace.events > OPS / 3 && d->trace.events < OPS);
			assert_int_equal(d->problems->n, 2);
			assert_int_equal(d->problems->v[0].at, t.n / 2);
		} else {
			assert_int_equal(d->problems->n, 1);
			check_table(d, true);
		}
		dump_close(d);
		/* of an incomplete block, its first entries */
		d = load_memory(t.b, 300, "h.SSTABLE", NULL, &err);
		assert_non_null(d);
		assert_null(dump_check(d));
		assert_true(d->trace.events > 1 && d->trace.events < 40);
		stats_of_event(d, &d->trace.tracks[0], 1, collect, got);
		assert_non_null(strstr(got, "text=event"));
		dump_close(d);
		assert_null(load_memory(t.b, 5, "h.SSTABLE", NULL, &err));
		assert_int_equal(err.status, EXIT_NOTHING);
		pb_free(&t);
	}
}

/* Cut in the middle with the end kept, and with bytes changed everywhere. */
static void hostile_tables(void **state)
{
	struct pb t = trace_table(false, true);
	uint32_t random = 1;

	(void)state;
	for (size_t n = 48; n < t.n; n += 29) {
		struct err err = { 0 };
		uint8_t *cut = malloc(n);

		memcpy(cut, t.b, n - 48);
		memcpy(cut + n - 48, t.b + t.n - 48, 48);
		dump_close(load_memory(cut, n, "h.SSTABLE", NULL, &err));
		free(cut);
	}
	for (size_t n = 0; n < t.n; n += 29) {
		uint8_t *cut = malloc(n + 1);

		memcpy(cut, t.b, n);
		dump_close(load_memory(cut, n, "h.SSTABLE", NULL, NULL));
		free(cut);
	}
	pb_free(&t);
	t = trace_table(true, true);
	for (int i = 0; i < 4000; i++) {
		size_t at = (random = random * 1103515245 + 12345) % t.n, n = (size_t)(random >> 8) % t.n;
		uint8_t old = t.b[at];

		t.b[at] = (uint8_t)(random >> 24);
		dump_close(dump_checked(load_memory(t.b, n, "h.SSTABLE", NULL, NULL), NULL));
		t.b[at] = old;
	}
	pb_free(&t);
	t = trace_table(false, true);
	for (int i = 0; i < 4000; i++) {
		struct err err = { 0 };
		size_t at = (random = random * 1103515245 + 12345) % t.n;
		uint8_t old = t.b[at];

		t.b[at] = i & 1 ? (uint8_t)(random >> 24) : (uint8_t)(old ^ 1 << (random >> 28 & 7));
		dump_close(dump_checked(load_memory(t.b, t.n, "h.SSTABLE", NULL, &err), NULL));
		t.b[at] = old;
	}
	pb_free(&t);
}

static uint64_t coarse_events(const struct pb *file, size_t most)
{
	size_t n;
	uint8_t *b = tracetable_coarse(file->b, file->n, most, NULL, &n);
	struct dump *d = b ? load_memory(b, n, "host.SSTABLE", NULL, NULL) : NULL;
	uint64_t events = d ? d->trace.events : 0;

	assert_true(!b || d);
	if (d) {
		assert_int_equal(d->problems->n, 0);
		assert_true(slice_is(dump_text(d, d->trace.planes[0].name), "/device:TPU:0"));
		assert_true(
		    slice_is(dump_text(d, d->trace.metas[0].name), "a name that is longer than others"));
		dump_close(d);
	}
	free(b);
	return events;
}

/* The picture before the rest is read has whole levels. */
static void coarse_levels(void **state)
{
	struct pb f = trace_table(true, true), cut = { 0 };

	(void)state;
	assert_int_equal(coarse_events(&f, (OPS + 2) / 3 - 1), 0);
	assert_int_equal(coarse_events(&f, (OPS + 2) / 3), (OPS + 2) / 3);
	assert_int_equal(coarse_events(&f, OPS + 1), OPS + 1);
	for (size_t n = 0; n < f.n; n += 7) {
		pb_raw(&cut, f.b, n);
		assert_int_equal(coarse_events(&cut, OPS), 0);
		pb_free(&cut);
	}
	pb_free(&f);
}

static struct dump *dump_of_window(const struct pb *f, size_t most, struct tracetable_window *w)
{
	size_t n;
	uint8_t *b = tracetable_coarse(f->b, f->n, most, w, &n);
	struct dump *d;

	assert_non_null(b);
	d = load_memory(b, n, "host.SSTABLE", NULL, NULL);
	assert_non_null(d);
	assert_null(dump_check(d));
	assert_int_equal(d->problems->n, 0);
	source_own(d->files[0].source);
	return d;
}

/* What a window shows equals what the whole table shows there, down to the last level that had room. */
static void windows(bool snappy)
{
	struct pb f = levels_table(snappy, 24000, 4);
	struct dump *whole = load_memory(f.b, f.n, "host.SSTABLE", NULL, NULL), *part;
	unsigned random = 17, all = 0, some = 0;

	assert_non_null(whole);
	assert_int_equal(whole->trace.events, 24000);
	for (int i = 0; i < 60; i++) {
		struct tracetable_window w = { .most = i % 3 ? 1000 : 200 };
		uint64_t sum, expected, n;

		random = random * 1103515245 + 12345;
		w.t0 = (uint64_t)(random >> 8) * 5000;
		w.t1 = w.t0 + (UINT64_C(1000) << (random >> 16) % 28);
		part = dump_of_window(&f, 100, &w);
		n = events_in(whole, (int64_t)w.t0, (int64_t)w.t1, 0, &expected);
		if (w.all) {
			all++;
			assert_int_equal(events_in(part, (int64_t)w.t0, (int64_t)w.t1, 0, &sum), n);
			assert_int_equal(sum, expected);
			assert_true(part->trace.events <= 100 + w.most);
		} else {
			some++;
			assert_true(n > w.most / 4);
		}
		/* the whole levels are there in any case */
		n = events_in(whole, 0, INT64_MAX, 1000000000, &expected);
		assert_int_equal(events_in(part, 0, INT64_MAX, 1000000000, &sum), n);
		assert_int_equal(sum, expected);
		dump_close(part);
	}
	assert_true(all > 10);
	assert_true(some > 5);
	dump_close(whole);
	pb_free(&f);
}

static void coarse_windows(void **state)
{
	(void)state;
	windows(false);
	windows(true);
}

/* Damage in the middle: the window is what could be read, and says that it is not all. */
static void hostile_windows(void **state)
{
	struct pb f = levels_table(true, 24000, 4);
	unsigned random = 3;

	(void)state;
	for (int i = 0; i < 400; i++) {
		struct tracetable_window w = { .t0 = i % 2 ? UINT64_MAX - 5 : 1000000000,
			.t1 = UINT64_MAX,
			.most = 5000 };
		size_t at = (random = random * 1103515245 + 12345) % f.n, n;
		uint8_t old = f.b[at];

		f.b[at] = (uint8_t)(random >> 24);
		free(tracetable_coarse(f.b, f.n, 100, &w, &n));
		f.b[at] = old;
	}
	pb_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables),
		cmocka_unit_test(args_beside),
		cmocka_unit_test(keys_are_found),
		cmocka_unit_test(blocks_take_over_memory),
		cmocka_unit_test(damage_leaves_the_rest),
		cmocka_unit_test(damaged_index),
		cmocka_unit_test(a_block_again_and_again),
		cmocka_unit_test(cut_off),
		cmocka_unit_test(hostile_tables),
		cmocka_unit_test(coarse_levels),
		cmocka_unit_test(coarse_windows),
		cmocka_unit_test(hostile_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
