/* Listings of the tools that fetch captures, and which of their files are taken. */
#include "config.h"
#include "fetch/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/codec/sha256.h"

static void listings_of_all_tools(void **state)
{
	struct fetch_list l = { 0 };

	(void)state;
	fetch_list_parse(&l,
	    "gs://b/x/r/:\n      12  2024-01-02T03:04:05Z  gs://b/x/r/a b.xplane.pb\r\n"
	    "-1 2024-01-02T03:04:05Z gs://b/x/r/c.xplane.pb\n12 2024-01-02T03:04:05Z gs://b/../d.xplane.pb\n"
	    "12 2024-01-02T03:04:05Z gs://b/x/..\nTOTAL: 1 objects, 12 bytes (12B)\n",
	    "gs://b/x", LIST_GOOGLE);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].url, "gs://b/x/r/a b.xplane.pb");
	assert_string_equal(l.v[0].name, "a b.xplane.pb");
	assert_int_equal(l.v[0].bytes, 12);
	assert_int_equal(l.v[0].time, 1704164645);
	fetch_list_free(&l);
	fetch_list_parse(&l, "2024-01-02 03:04:05         7 logs/x/r/h.xplane.pb\n\n   PRE logs/\n",
	    "s3://b/logs/x/", LIST_AWS);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].url, "s3://b/logs/x/r/h.xplane.pb");
	fetch_list_free(&l);
	fetch_list_parse(&l, "2024/01/02 03:04:05         7 r/h.xplane.pb", "s3://b/logs/x/", LIST_S5CMD);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.v[0].url, "s3://b/logs/x/r/h.xplane.pb");
	assert_int_equal(l.v[0].time, 1704164645);
	fetch_list_free(&l);
}

static void a_run_is_what_a_folder_would_open(void **state)
{
	static const char text[] = "1 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r1/h.xplane.pb\n"
				   "2 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r2/h.xplane.pb\n"
				   "3 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r2/h.trace.json.gz\n"
				   "4 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r2/g.trace.json.gz\n"
				   "5 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r2/m(1).hlo_proto.pb\n"
				   "6 2024-01-02T03:04:05Z gs://b/x/plugins/profile/r3/readme.txt\n";
	struct fetch_list l = { 0 };
	struct err err = { 0 };
	char *name = NULL;

	(void)state;
	fetch_list_parse(&l, text, "gs://b/x", LIST_GOOGLE);
	assert_int_equal(l.n, 6);
	assert_int_equal(fetch_choose(&l, "gs://b/x", NULL, &name, &err), 0);
	assert_string_equal(name, "r2");
	assert_int_equal(l.n, 3);
	assert_int_equal(l.v[0].bytes + l.v[1].bytes + l.v[2].bytes, 2 + 4 + 5);
	free(name);
	assert_int_equal(fetch_choose(&l, "gs://b/x", "r9", &name, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	fetch_list_free(&l);
	assert_int_equal(fetch_choose(&l, "gs://b/x", NULL, &name, &err), -1);
	assert_int_equal(err.status, EXIT_NOTHING);
}

static void commands_are_words(void **state)
{
	char **v = fetch_words("  tool  get %s x%s %d", "gs://a b", "/c d");

	(void)state;
	assert_string_equal(v[0], "tool");
	assert_string_equal(v[2], "gs://a b");
	assert_string_equal(v[3], "x%s"); /* only a whole word is replaced */
	assert_string_equal(v[4], "/c d");
	assert_null(v[5]);
	fetch_words_free(v);
	assert_true(fetch_is_url("gs://b") && fetch_is_url("https://h/f") && !fetch_is_url("/tmp/gs://b"));
}

static void hashes(void **state)
{
	static const struct {
		const char *text;
		uint8_t first[4];
	} table[] = {
		{ "", { 0xe3, 0xb0, 0xc4, 0x42 } },
		{ "abc", { 0xba, 0x78, 0x16, 0xbf } },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", { 0x24, 0x8d, 0x6a, 0x61 } },
	};
	uint8_t out[32];

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		sha256(table[i].text, strlen(table[i].text), out);
		assert_memory_equal(out, table[i].first, 4);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listings_of_all_tools),
		cmocka_unit_test(a_run_is_what_a_folder_would_open),
		cmocka_unit_test(commands_are_words),
		cmocka_unit_test(hashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
