/* Answers of profiler servers in pieces of all sizes, and what is saved where disks are full. */
#include "config.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/mem.h"
#include "remote/profiler/response.h"
#include "remote/profiler/save.h"
#include "tests/lib/pbuild.h"

struct taken {
	struct pb space;
	char tools[200];
};

static bool take_space(void *self, const uint8_t *p, size_t n)
{
	pb_raw(&((struct taken *)self)->space, p, n);
	return true;
}

static void take_tool(void *self, struct slice name, struct slice data)
{
	struct taken *t = self;

	snprintf(t->tools + strlen(t->tools), sizeof t->tools - strlen(t->tools), "%.*s=%.*s ", (int)name.n,
	    name.s, (int)data.n, data.s);
}

static struct response read_in_pieces(const struct pb *m, size_t piece, struct taken *t)
{
	struct response r = { .self = t, .space = take_space, .tool = take_tool };

	*t = (struct taken){ 0 };
	for (size_t at = 0; at < m->n; at += piece)
		if (!response_put(&r, m->b + at, m->n - at < piece ? m->n - at : piece))
			break;
	response_finish(&r);
	response_end(&r);
	return r;
}

static void test_an_answer_in_pieces(void **state)
{
	struct pb m = { 0 }, tool = { 0 };
	struct taken t;

	(void)state;
	pb_u(&m, 3, 1ull << 40); /* a field that nobody knows, of each type */
	pb_double(&m, 4, 1);
	pb_varint(&m, 5 << 3 | 5);
	pb_raw(&m, "four", 4);
	pb_s(&tool, 1, "a.json");
	pb_s(&tool, 2, "{}");
	pb_sub(&m, 6, &tool);
	pb_u(&m, 7, 1);
	pb_s(&m, 8, "the first part, ");
	pb_s(&m, 900, "unknown");
	pb_s(&m, 8, "");
	pb_s(&m, 8, "and the second");
	for (size_t piece = 1; piece < m.n + 2; piece++) {
		struct response r = read_in_pieces(&m, piece, &t);

		assert_null(r.damage);
		assert_true(r.empty_trace && r.has_space);
		assert_int_equal(r.at, m.n);
		assert_int_equal(t.space.n, 30);
		assert_memory_equal(t.space.b, "the first part, and the second", 30);
		assert_string_equal(t.tools, "a.json={} ");
		pb_free(&t.space);
	}
	for (size_t n = m.n, cut = 1; cut < n; cut++) { /* cut off anywhere: between fields, or it is said */
		struct response r;

		m.n = cut;
		r = read_in_pieces(&m, 7, &t);
		assert_int_equal(r.at, cut);
		pb_free(&t.space);
	}
	pb_free(&m);
}

static void test_damaged_answers(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		uint64_t at;
	} cases[] = {
		{ "\x00", 1, 0 },                                               /* field 0 */
		{ "\x0b", 1, 0 },                                               /* a group */
		{ "\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, 11 }, /* a number without an end */
		{ "\x32\xff\xff\xff\xff\x0f", 6, 5 },                           /* a file of 4 GiB */
		{ "\x42\x05"
		  "abc",
		    5, 5 }, /* shorter than it says */
		{ "\x42", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pb m = { (uint8_t *)cases[i].bytes, cases[i].n, 0 };
		struct taken t;
		struct response r = read_in_pieces(&m, 3, &t);

		assert_non_null(r.damage);
		assert_int_equal(r.at, cases[i].at);
		pb_free(&t.space);
	}
}

static char *folder(const char *name)
{
	const char *build = getenv("top_builddir");
	char *dir = xasprintf("%s/tests/scratch/%s-XXXXXX", build ? build : "/tmp", name);

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void remove_all(char *dir)
{
	char *command = xasprintf("rm -rf '%s'", dir);

	assert_int_equal(system(command), 0);
	free(command);
	free(dir);
}

/* The kernel refuses more than so many bytes of a file, as a full disk does. */
static void limit_files(rlim_t most)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = most;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void fill(uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
}

static void assert_file(const char *dir, const char *name, const uint8_t *bytes, size_t n)
{
	char *path = xasprintf("%s/%s", dir, name);
	uint8_t *got = malloc(n + 1);
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	assert_int_equal(fread(got, 1, n + 1, f), n);
	assert_memory_equal(got, bytes, n);
	fclose(f);
	free(got);
	free(path);
}

static void test_a_full_disk(void **state)
{
	uint8_t bytes[50000];
	char *dir = folder("full"), *other = xasprintf("%s/some/where", dir);
	struct save s = { 0 };
	struct err err = { 0 };

	(void)state;
	fill(bytes, sizeof bytes);
	assert_int_equal(save_open(&s, dir, "a", &err), 0);
	limit_files(20000);
	for (size_t at = 0; at < sizeof bytes; at += 10000)
		assert_true(save_put(&s, bytes + at, 10000));
	assert_int_equal(s.written, 20000);
	assert_int_equal(s.nheld, 30000);
	assert_int_equal(save_again(&s, NULL, &err), -1);
	assert_int_equal(err.status, EXIT_DISK);
	assert_int_equal(save_again(&s, other, &err), -1);
	limit_files(RLIM_INFINITY);
	assert_int_equal(save_again(&s, other, &err), 0);
	assert_int_equal(save_finish(&s, &err), 0);
	assert_file(other, "a", bytes, sizeof bytes);

	assert_int_equal(save_open(&s, dir, "b", &err), 0);
	limit_files(20000);
	assert_true(save_put(&s, bytes, sizeof bytes));
	assert_int_equal(save_part(&s, &err), 0);
	limit_files(RLIM_INFINITY);
	assert_file(dir, "b.part", bytes, 20000);
	free(other);
	remove_all(dir);
}

static void test_folders_of_runs(void **state)
{
	char *dir = folder("runs"), *logdir = xasprintf("%s/a/b", dir);
	struct run_folder f;
	struct err err = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(run_folder_choose(&f, logdir, NULL, &err), 0);
	assert_int_equal(strlen(f.session), 19); /* 2026_11_23_09_14_03 */
	run_folder_end(&f);
	assert_int_equal(stat(logdir, &st), -1);

	assert_int_equal(run_folder_choose(&f, logdir, "run", &err), 0);
	assert_int_equal(run_folder_make(&f, &err), 0);
	assert_int_equal(stat(f.path, &st), 0);
	run_folder_end(&f); /* nothing in it */
	assert_int_equal(rmdir(logdir), 0);

	assert_int_equal(run_folder_choose(&f, "gs://bucket/x", NULL, &err), -1);
	assert_int_equal(err.status, EXIT_USAGE);
	run_folder_end(&f);
	free(logdir);
	remove_all(dir);
}

/* The server makes the folders, and may belong to somebody else. */
static void test_a_scratch_folder_with_links(void **state)
{
	char *path = scratch_name(), *link = xasprintf("%s/run", path), other[] = "scratch-XXXXXX";
	char *file, *there;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(other));
	file = xasprintf("%s/kept", other);
	fd = open(file, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	there = realpath(other, NULL);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(symlink(there, link), 0);
	scratch_end(xasprintf("%s", path), "run");
	assert_int_equal(access(file, F_OK), 0);
	unlink(link);
	assert_int_equal(mkdir(link, 0700), 0);
	scratch_end(xasprintf("%s", path), "run");
	assert_int_equal(access(path, F_OK), -1);
	unlink(file);
	rmdir(other);
	free(there);
	free(file);
	free(link);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_scratch_folder_with_links),
		cmocka_unit_test(test_an_answer_in_pieces),
		cmocka_unit_test(test_damaged_answers),
		cmocka_unit_test(test_a_full_disk),
		cmocka_unit_test(test_folders_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
