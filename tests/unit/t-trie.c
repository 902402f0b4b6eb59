/* Which events have a name that begins with a text, from the table of names beside a trace table. */
#include "config.h"

#include "load/table/trie.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mktrie.h"

#ifdef HAVE_SNAPPY
#define WAYS 8
#else
#define WAYS 4
#endif

enum { EVENTS = 2000, LONG = 1500 };

/* What an event is: name number k has those with i % NAMES == k, at times that go up and down, some of them equal. */
static const char *const texts[] = { "fusion.1", "fusion.12", "fusion.2", "fusion", "Fusion", "copy-start.7",
	"$array.py:302 __format__", "\xc3\xbc", "\xc3\xbc\x62ung", "zebra", "{", "f", "f\xc3\xbcsion",
	"a name that is longer than what is kept of the last name of a block: 1",
	"a name that is longer than what is kept of the last name of a block: 2" };
#define NAMES (sizeof texts / sizeof *texts)

static char long_name[LONG + 1];

static uint64_t time_of(size_t i)
{
	return i * 7919 % EVENTS / 3 * 1000 + 17;
}

static char level_of(size_t i)
{
	return "123456789ABCD"[i % 11 + 2];
}

static const char *name_of(size_t i)
{
	return i % (NAMES + 1) < NAMES ? texts[i % (NAMES + 1)] : long_name;
}

static struct pb table(int how)
{
	struct trie_name names[NAMES + 1] = { { 0 } };

	for (size_t k = 0; k <= NAMES; k++)
		names[k].name = name_of(k);
	for (size_t i = 0; i < EVENTS; i++)
		trie_name_add(&names[i % (NAMES + 1)], level_of(i), time_of(i), (uint8_t)(i % 3));
	return trie_table(names, NAMES + 1, how);
}

static struct trie_want want_of(const char *text, uint64_t from, int dir)
{
	struct trie_want w = { .from = from, .dir = dir };

	snprintf(w.text, sizeof w.text, "%s", text);
	return w;
}

/* What it must find, event by event. */
static struct trie_hits expected(const struct trie_want *w)
{
	struct trie_hits h = { .n = 0 };
	char level = 'Z';

	for (int wrap = 0; wrap < 2 && !h.n; wrap++)
		for (size_t i = 0; i < EVENTS; i++) {
			uint64_t at = time_of(i);

			if (strncmp(name_of(i), w->text, strlen(w->text)) != 0 ||
			    (!wrap &&
				(w->dir > 0      ? at <= w->from
					: w->dir ? at >= w->from
						 : at < w->from)))
				continue;
			if (!h.n++ || (w->dir >= 0 ? at < h.at : at > h.at)) {
				h.at = at;
				level = 'Z';
			}
			if (at == h.at && level_of(i) < level)
				level = level_of(i);
		}
	if (h.n)
		h.rank = 1;
	h.n = 0;
	for (size_t i = 0; i < EVENTS; i++)
		if (!strncmp(name_of(i), w->text, strlen(w->text))) {
			h.n++;
			h.rank += time_of(i) < h.at;
		}
	if (!h.n)
		return h;
	h.resolution = UINT64_C(1000000000000);
	for (const char *l = "123456789ABCD"; *l != level; l++)
		h.resolution /= 10;
	return h;
}

static void check(struct trie *t, const char *text, uint64_t from, int dir)
{
	struct trie_want w = want_of(text, from, dir);
	struct trie_hits got, e = expected(&w);

	assert_true(trie_find(t, &w, &got, NULL));
	assert_int_equal(got.problem.status, 0);
	assert_int_equal(got.n, e.n);
	assert_int_equal(got.at, e.at);
	assert_int_equal(got.rank, e.rank);
	assert_int_equal(got.resolution, e.resolution);
}

static void every_text_everywhere(void **state)
{
	static const char *const others[] = { "fu", "x", "~", "fusion.123", "\xc3", "\xff", "a name", "Z",
		"a name that is longer than what is kept of the last name of a block: 3",
		"a name that is longer than wh", "$", "long" };

	(void)state;
	for (int how = 0; how < WAYS; how++) {
		struct pb file = table(how);
		struct trie t;

		assert_int_equal(trie_open(&t, file.b, file.n, NULL), 0);
		assert_true(t.t.nblocks > 10);
		for (int dir = -1; dir <= 1; dir++)
			for (uint64_t from = 0; from < 700000; from += 31337) {
				for (size_t k = 0; k <= NAMES; k++)
					check(&t, k < NAMES ? texts[k] : "longlonglong", from, dir);
				for (size_t k = 0; k < sizeof others / sizeof *others; k++)
					check(&t, others[k], from, dir);
			}
		trie_close(&t);
		pb_free(&file);
	}
}

/* Hit after hit goes through all moments, in their order, and begins again. */
static void walk_through(void **state)
{
	struct pb file = table(0);
	struct trie t;

	(void)state;
	assert_int_equal(trie_open(&t, file.b, file.n, NULL), 0);
	for (int dir = -1; dir <= 1; dir += 2) {
		struct trie_want w = want_of("fusion.1", dir > 0 ? 0 : UINT64_MAX, 0);
		struct trie_hits h;
		uint64_t first, last, moments = 0;

		w.dir = dir;
		assert_true(trie_find(&t, &w, &h, NULL));
		first = h.at;
		do {
			last = h.rank;
			w.from = h.at;
			assert_true(trie_find(&t, &w, &h, NULL));
			moments++;
			assert_true(h.at == first || (dir > 0 ? h.rank > last : h.rank < last));
		} while (h.at != first);
		assert_true(moments > 100);
		assert_true(h.n == 250 && moments <= h.n);
	}
	trie_close(&t);
	pb_free(&file);
}

static void too_long_texts(void **state)
{
	struct pb file = table(TRIE_PREFIXES);
	struct trie_want w = { .dir = 0 };
	struct trie_hits h;
	struct trie t;

	(void)state;
	assert_int_equal(trie_open(&t, file.b, file.n, NULL), 0);
	memcpy(w.text, long_name, TRIE_TEXT_MAX);
	assert_true(trie_find(&t, &w, &h, NULL));
	assert_int_equal(h.n, EVENTS / (NAMES + 1));
	w.text[TRIE_TEXT_MAX - 1] ^= 1;
	assert_true(trie_find(&t, &w, &h, NULL));
	assert_int_equal(h.n, 0);
	trie_close(&t);
	pb_free(&file);
}

/* Any cut and any changed byte: what it counts is not more than there is, and where it is less it says why. */
static void check_damage(int how)
{
	struct pb file = table(how);
	struct trie_want w = want_of("fusion.1", 0, 0);
	uint64_t all = expected(&w).n;
	size_t some = 0;

	for (size_t n = 0; n < file.n; n += 97) {
		struct trie_hits h = { 0 };
		struct err err = { 0 };
		struct trie t;

		if (trie_open(&t, file.b, n, &err)) {
			assert_true(err.status);
			continue;
		}
		assert_true(trie_find(&t, &w, &h, NULL));
		assert_int_equal(h.problem.status, EXIT_DAMAGED);
		assert_string_equal(h.problem.msg, "it is cut off");
		assert_true(h.n <= all);
		some += h.n > 0;
		trie_close(&t);
	}
	assert_true(some > 10);
	for (size_t i = 0; i < file.n; i += 53) {
		struct trie_hits h = { 0 };
		struct trie t;

		file.b[i] ^= 0x55;
		if (!trie_open(&t, file.b, file.n, NULL)) {
			assert_true(trie_find(&t, &w, &h, NULL));
			assert_true(h.n == all || h.problem.status == EXIT_DAMAGED);
			trie_close(&t);
		}
		file.b[i] ^= 0x55;
	}
	pb_free(&file);
}

static void damaged(void **state)
{
	(void)state;
	for (int how = 0; how < WAYS; how++)
		check_damage(how);
}

/* One that is large and cut off is not gone through. */
static void large_and_cut(void **state)
{
	struct pb file = table(0);
	size_t n = (size_t)70 << 20;
	uint8_t *b = calloc(1, n);
	struct err err = { 0 };
	struct trie t;

	(void)state;
	if (!b)
		skip();
	memcpy(b, file.b, file.n - 1);
	assert_int_equal(trie_open(&t, b, n, &err), -1);
	assert_string_equal(err.msg, "it is cut off");
	free(b);
	pb_free(&file);
}

static void not_keys(void **state)
{
	struct trie_name name = { "fusion.1", { 0 } };
	struct trie_want w = want_of("fusion", 0, 0);
	struct pb file;
	struct trie_hits h;
	struct trie t;

	(void)state;
	trie_name_add(&name, 'Z', UINT64_MAX, 255);
	pb_bytes(&name.events, 1, "short", 5);
	pb_u(&name.events, 1, 7);
	file = trie_table(&name, 1, 0);
	assert_int_equal(trie_open(&t, file.b, file.n, NULL), 0);
	assert_true(trie_find(&t, &w, &h, NULL));
	assert_int_equal(h.n, 1);
	assert_true(h.at == UINT64_MAX);
	assert_int_equal(h.resolution, 0);
	assert_string_equal(h.problem.msg, "a block of names is damaged");
	trie_close(&t);
	pb_free(&file);
}

static void canceled(void **state)
{
	struct pb file = table(0);
	struct progress p = { .cancel = true };
	struct trie_want w = want_of("f", 0, 0);
	struct trie_hits h;
	struct trie t;

	(void)state;
	assert_int_equal(trie_open(&t, file.b, file.n, NULL), 0);
	assert_false(trie_find(&t, &w, &h, &p));
	trie_close(&t);
	pb_free(&file);
}

static void paths(void **state)
{
	static const char *const path[][2] = { { "a/h.SSTABLE", "a/h.trie.SSTABLE" }, { ".SSTABLE", NULL },
		{ "h.tracetable", NULL }, { "h.x.SSTABLE", "h.x.trie.SSTABLE" }, { "", NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
		char *got = trie_path(path[i][0]);

		if (path[i][1])
			assert_string_equal(got, path[i][1]);
		else
			assert_null(got);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_everywhere),
		cmocka_unit_test(walk_through),
		cmocka_unit_test(too_long_texts),
		cmocka_unit_test(damaged),
		cmocka_unit_test(large_and_cut),
		cmocka_unit_test(not_keys),
		cmocka_unit_test(canceled),
		cmocka_unit_test(paths),
	};

	for (size_t i = 0; i < LONG; i++)
		long_name[i] = "long"[i % 4];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
