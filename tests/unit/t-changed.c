/* Files of every kind that change while they are open: cut off, emptied, longer, written to, replaced or deleted, and
 * one thing after the other while they are read.  Every report goes on, and what happened to the file is said. */
#include "config.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "../lib/corpus.h"
#include "../lib/rmtree.h"
#include "base/mem.h"
#include "load/load.h"
#include "load/source/source.h"
#include "load/watch.h"
#include "../lib/mkreport.h"

#define SAMPLE_MAX (1 << 20)
#define ROUNDS 3 /* of a file that changes while it is read */

static char top[] = "changed-XXXXXX";
static uint8_t bytes[SAMPLE_MAX];
static size_t nbytes;
static FILE *null;

static void write_file(const char *path, size_t n, const char *mode)
{
	FILE *f = fopen(path, mode);

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void cut_off(const char *path)
{
	assert_int_equal(truncate(path, (off_t)nbytes / 2), 0);
}

static void empty(const char *path)
{
	assert_int_equal(truncate(path, 0), 0);
}

static void lengthen(const char *path)
{
	write_file(path, nbytes, "ab");
}

static void overwrite(const char *path)
{
	FILE *f = fopen(path, "rb+");

	assert_non_null(f);
	for (size_t i = 0; i < nbytes; i++)
		fputc(~bytes[i] & 255, f);
	fclose(f);
}

static void replace(const char *path)
{
	write_file("other", nbytes / 2, "wb");
	assert_int_equal(rename("other", path), 0);
}

static void delete (const char *path)
{
	assert_int_equal(unlink(path), 0);
}

static const struct {
	const char *name, *says;
	void (*how)(const char *path);
} changes[] = {
	{ "cut off", "shrank", cut_off },
	{ "emptied", "shrank", empty },
	{ "longer", "grew", lengthen },
	{ "written to", NULL, overwrite }, /* within the grain of the clock of files, nobody can tell */
	{ "replaced", "was replaced", replace },
	{ "deleted", "was deleted", delete },
};
#define CHANGES (sizeof changes / sizeof *changes)

static struct dump *open_sample(const char *path)
{
	const struct load_options load = { .threads = 2, .texts = true };
	struct err err = { .at = ERR_NOWHERE };

	return load_paths(&path, 1, &load, NULL, &err);
}

static void report_all(struct dump *d)
{
	const struct report_options o = { .format = REPORT_TEXT,
		.core = -1,
		.top = -1,
		.width = 100,
		.args = true,
		.threads = 2 };

	for (const struct report_tool *t = report_tools; t->name; t++) {
		struct err err = { .at = ERR_NOWHERE };

		report_dump(d, t->name, &o, null, &err);
	}
}

static void change_open_file(const char *sample, const char *path)
{
	for (size_t i = 0; i < CHANGES; i++) {
		struct dump *d;
		char said[300] = "";

		write_file(path, nbytes, "wb");
		if (!(d = open_sample(path)))
			return;
		changes[i].how(path);
		report_all(d);
		load_watch(d, true, said, sizeof said);
		if (changes[i].says && !strstr(said, changes[i].says))
			fail_msg("%s, %s: \"%s\" is said", sample, changes[i].name, said);
		dump_close(d);
	}
}

struct restless {
	const char *path;
	_Atomic bool over;
};

static void *keep_changing(void *self)
{
	struct restless *r = self;

	for (size_t i = 0; !r->over; i++) {
		changes[i % CHANGES].how(r->path);
		usleep(50);
		write_file(r->path, nbytes, "wb");
		usleep(200);
	}
	return NULL;
}

/* The file may be in the folder that is opened. */
static void change_while_reading(const char *opened, const char *path)
{
	struct restless r = { .path = path };
	pthread_t thread;

	write_file(path, nbytes, "wb");
	assert_int_equal(pthread_create(&thread, NULL, keep_changing, &r), 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct dump *d = open_sample(opened);

		if (d)
			report_all(d);
		dump_close(d);
	}
	r.over = true;
	pthread_join(thread, NULL);
}

static void test_folder(const char *const folder[2])
{
	char *dir = xasprintf("%s/tests/fuzz/corpus/%s", getenv("top_srcdir"), folder[0]);
	struct dirent **names;
	int n = scandir(dir, &names, NULL, alphasort);

	assert_true(n > 2);
	for (int i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, names[i]->d_name);
		FILE *f = *names[i]->d_name != '.' ? fopen(path, "rb") : NULL;

		if (f) {
			nbytes = fread(bytes, 1, SAMPLE_MAX, f);
			fclose(f);
			change_open_file(path, folder[1]);
			change_while_reading(folder[1], folder[1]);
			unlink(folder[1]);
		}
		free(path);
		free(names[i]);
	}
	free(names);
	free(dir);
}

static void read_sample(const char *folder, const char *name)
{
	char *path = xasprintf("%s/tests/fuzz/corpus/%s/%s", getenv("top_srcdir"), folder, name);
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	nbytes = fread(bytes, 1, SAMPLE_MAX, f);
	fclose(f);
	free(path);
}

/* Two ranks of a host are opened as one folder; what happens to one of them is said by its name. */
static void ranks_that_change(void **state)
{
	(void)state;
	source_guard_install();
	assert_int_equal(mkdir("ranks", 0700), 0);
	for (size_t i = 0; i < CHANGES; i++) {
		struct dump *d;
		char said[300] = "";

		read_sample("xspace", "two-cores.pb");
		write_file("ranks/rank0_h.xplane.pb", nbytes, "wb");
		read_sample("xspace", "wild-doubles.pb");
		write_file("ranks/rank1_h.xplane.pb", nbytes, "wb");
		d = open_sample("ranks");
		assert_non_null(d);
		assert_int_equal(d->nfiles, 2);
		changes[i].how("ranks/rank1_h.xplane.pb");
		report_all(d);
		load_watch(d, true, said, sizeof said);
		if (changes[i].says && (!strstr(said, changes[i].says) || !strstr(said, "rank1_h")))
			fail_msg("%s: \"%s\" is said", changes[i].name, said);
		dump_close(d);
	}
	change_while_reading("ranks", "ranks/rank1_h.xplane.pb");
	rmtree("ranks");
}

static bool is_listed(const char *folder)
{
	/* these begin with lines that say what the rest is */
	static const char *const others[] = { "remote", "report", "screen" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(others[i], folder))
			return true;
	for (size_t i = 0; i < CORPUS_FOLDERS; i++)
		if (!strcmp(corpus_folders[i][0], folder))
			return true;
	return *folder == '.';
}

static void every_kind_is_listed(void **state)
{
	char *dir = xasprintf("%s/tests/fuzz/corpus", getenv("top_srcdir"));
	struct dirent **names;
	int n = scandir(dir, &names, NULL, alphasort);

	(void)state;
	assert_true(n > 2);
	for (int i = 0; i < n; i++) {
		if (!is_listed(names[i]->d_name))
			fail_msg("%s is not in tests/lib/corpus.h", names[i]->d_name);
		free(names[i]);
	}
	free(names);
	free(dir);
}

static void files_that_change(void **state)
{
	(void)state;
	source_guard_install(); /* after cmocka's own handler */
	for (size_t i = 0; i < CORPUS_FOLDERS; i++)
		test_folder(corpus_folders[i]);
}

static int begin(void **state)
{
	(void)state;
	return !getenv("top_srcdir") || !(null = fopen("/dev/null", "w")) || !mkdtemp(top) || chdir(top);
}

static int end(void **state)
{
	(void)state;
	fclose(null);
	return chdir("..") || rmtree(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_kind_is_listed),
		cmocka_unit_test(files_that_change), cmocka_unit_test(ranks_that_change) };

	return cmocka_run_group_tests(tests, begin, end);
}
