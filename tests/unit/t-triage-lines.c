/* Lines of a log: their starts, their prefixes, the records they belong to; texts and folders of texts as a
 * dump, and their triage. */
#include "config.h"

#include "analyze/triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "load/load.h"

static void lines_and_records(void **state)
{
	static const char text[] = "a header\r\n"
				   "I1121 07:59:39.100000   14571 init.cc:10] starting\n"
				   "E1121 07:59:39.200000   14571 init.cc:11] broken:\n"
				   "  more of it\n"
				   "\n"
				   "(worker pid=7) W1121 07:59:39.300000 9 a.cc:1] slow";
	struct triage_lines l;

	(void)state;
	triage_lines_find("x", text, sizeof text - 1, NULL, &l);
	assert_int_equal(l.n, 6);
	assert_memory_equal(l.severity, " IEEEW", 6);
	assert_int_equal(l.at[0], 0);
	assert_int_equal(l.at[1], 10);
	assert_memory_equal(text + l.at[2], "E1121", 5);
	assert_string_equal(text + l.at[5] + l.prefix[5], "slow");
	assert_memory_equal(text + l.at[2] + l.prefix[2], "broken:", 7);
	assert_int_equal(l.prefix[3], 0);
	assert_true(l.when[0] == TRIAGE_NEVER && l.when[1] < TRIAGE_YEAR);
	assert_int_equal(l.when[2] - l.when[1], 100000);
	assert_true(l.when[4] == l.when[2] && l.when[5] > l.when[2]);
	assert_int_equal(l.at[6], sizeof text - 1);
	triage_lines_free(&l);
	triage_lines_find("x", "", 0, NULL, &l);
	assert_int_equal(l.n, 0);
	triage_lines_free(&l);
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char error[] =
    "E1121 07:59:39.906386   14571 init.cc:12] The TPU is already in use by process with pid 4242. "
    "Not attempting to load libtpu.so in this process.\n";

static uint64_t forgotten;

static void count_forgotten(struct source *s, uint64_t from, uint64_t to)
{
	(void)s;
	assert_true(from == forgotten && to > from);
	forgotten = to;
}

/* A log may be larger than memory: what was read of it is let go. */
static void a_log_does_not_stay_in_memory(void **state)
{
	static const char *const path[] = { "large.log" };
	struct load_options with = { .texts = true };
	FILE *f = fopen(path[0], "w");
	struct triage t;
	struct dump *d;
	struct err e;

	(void)state;
	for (int i = 0; i < 20000; i++)
		fputs(error, f);
	fclose(f);
	d = load_paths(path, 1, &with, NULL, &e);
	assert_non_null(d);
	assert_non_null(d->files[0].forget);
	d->files[0].forget = count_forgotten;
	triage_of_dump(d, NULL, &t);
	assert_int_equal(forgotten, d->files[0].bytes);
	triage_free(&t);
	dump_close(d);
	unlink(path[0]);
}

static void folders_of_texts(void **state)
{
	static const char *const path[] = { "texts" };
	struct load_options with = { .texts = true }, without = { .texts = false };
	struct triage t;
	struct dump *d;
	struct err e;

	(void)state;
	mkdir("texts", 0777);
	mkdir("texts/below", 0777);
	put("texts/out", "all is well\n");
	put("texts/below/driver.log", error);
	put("texts/module_0001.f.after_optimizations.txt", error);
	assert_null(load_paths(path, 1, &without, NULL, &e));
	d = load_paths(path, 1, &with, NULL, &e);
	assert_non_null(d);
	assert_int_equal(d->nfiles, 2);
	assert_true(triage_has_texts(d));
	triage_of_dump(d, NULL, &t);
	assert_int_equal(t.logs.nrows, 2);
	assert_int_equal(t.errors.nrows, 1);
	triage_free(&t);
	dump_close(d);
	unlink("texts/out");
	unlink("texts/below/driver.log");
	unlink("texts/module_0001.f.after_optimizations.txt");
	rmdir("texts/below");
	rmdir("texts");
}

static void texts_are_no_captures(void **state)
{
	static const char *const path[] = { "a.txt" };
	struct load_options with = { .texts = true }, without = { .texts = false };
	struct dump *d;
	struct err e;

	(void)state;
	put("a.txt", "\001 a log with control characters, as programs print them \033]0;x\007\n");
	assert_null(load_paths(path, 1, &without, NULL, &e));
	d = load_paths(path, 1, &with, NULL, &e);
	assert_non_null(d);
	assert_int_equal(d->files[0].kind, FILE_TEXT);
	dump_close(d);
	unlink("a.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_records),
		cmocka_unit_test(folders_of_texts),
		cmocka_unit_test(a_log_does_not_stay_in_memory),
		cmocka_unit_test(texts_are_no_captures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
