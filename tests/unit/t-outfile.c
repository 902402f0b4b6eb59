#include "config.h"

#include "base/file/outfile.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"

static char *dir, *path;

static int setup(void **state)
{
	const char *build = getenv("top_builddir");

	(void)state;
	umask(022);
	dir = build ? xasprintf("%s/tests/scratch/outfile-XXXXXX", build) : xstrdup("/tmp/outfile-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	path = xasprintf("%s/out.json", dir);
	return 0;
}

static int entries(bool remove_them)
{
	DIR *d = opendir(dir);
	int n = 0;

	for (struct dirent *e; (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		n++;
		if (remove_them) {
			char *p = xasprintf("%s/%s", dir, e->d_name);
			remove(p);
			free(p);
		}
	}
	closedir(d);
	return n;
}

static int teardown(void **state)
{
	(void)state;
	entries(true);
	rmdir(dir);
	free(dir);
	free(path);
	return 0;
}

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_content(const char *want)
{
	char got[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	got[fread(got, 1, sizeof got - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(got, want);
}

static void test_new_file(void **state)
{
	struct outfile o;
	struct stat st;

	(void)state;
	assert_int_equal(outfile_open(&o, path, false, NULL), 0);
	fputs("hello", o.f);
	assert_int_equal(access(path, F_OK), -1); /* the file does not exist before it is complete */
	assert_int_equal(outfile_close(&o, NULL), 0);
	assert_content("hello");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(entries(false), 1);
	assert_null(o.f);
}

static void test_dropped(void **state)
{
	struct outfile o;

	(void)state;
	assert_int_equal(outfile_open(&o, path, false, NULL), 0);
	fputs("half", o.f);
	outfile_drop(&o);
	assert_int_equal(entries(false), 0);
}

static void test_existing_is_refused(void **state)
{
	struct outfile o;
	struct err e = { 0 };

	(void)state;
	put_file(path, "old");
	assert_int_equal(outfile_open(&o, path, false, &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_non_null(strstr(e.msg, "--force"));
	assert_null(o.f);
	assert_content("old");
	assert_int_equal(entries(false), 1);
}

/* A file created by another process in the meantime is not overwritten. */
static void test_existing_since_open_is_refused(void **state)
{
	struct outfile o;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(outfile_open(&o, path, false, &e), 0);
	fputs("ours", o.f);
	put_file(path, "theirs");
	assert_int_equal(outfile_close(&o, &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	assert_content("theirs");
	assert_int_equal(entries(false), 1);
}

static void test_force_replaces_at_the_end(void **state)
{
	struct outfile o;
	struct stat st;

	(void)state;
	put_file(path, "old");
	chmod(path, 0600);
	assert_int_equal(outfile_open(&o, path, true, NULL), 0);
	fputs("new", o.f);
	fflush(o.f);
	assert_content("old");
	assert_int_equal(outfile_close(&o, NULL), 0);
	assert_content("new");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(entries(false), 1);
}

/* The file gets its name only after its content is complete. */
static void test_killed(void **state)
{
	int status, fd = open(dir, O_WRONLY | O_TMPFILE, 0600);
	struct outfile o;
	pid_t child;

	(void)state;
	if (fd < 0) {
		print_message("no files without names on this file system\n");
		skip();
	}
	close(fd);
	child = fork();
	if (!child) {
		if (outfile_open(&o, path, false, NULL) || fputs("half", o.f) < 0 || fflush(o.f))
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(entries(false), 0);
}

static void test_links(void **state)
{
	struct outfile o;
	struct err e = { 0 };
	struct stat st;
	char *name = xasprintf("%s/link", dir);

	(void)state;
	put_file(path, "old");
	assert_int_equal(symlink("out.json", name), 0);
	assert_int_equal(outfile_open(&o, name, true, NULL), 0);
	fputs("new", o.f);
	assert_int_equal(outfile_close(&o, NULL), 0);
	assert_content("new");
	assert_int_equal(lstat(name, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(path);
	assert_int_equal(outfile_open(&o, name, false, &e), -1); /* a dangling link counts as existing */
	free(name);
}

static void test_what_cannot_be(void **state)
{
	struct outfile o;
	struct err e = { 0 };
	char *name = xasprintf("%s/none/out", dir);

	(void)state;
	assert_int_equal(outfile_open(&o, dir, true, &e), -1);
	assert_non_null(strstr(e.msg, "directory"));
	assert_int_equal(outfile_open(&o, name, false, &e), -1);
	assert_non_null(strstr(e.msg, "No such file"));
	free(name);
	if (access("/dev/full", W_OK) == 0) {
		assert_int_equal(outfile_open(&o, "/dev/full", false, &e), 0);
		fputs("x", o.f);
		assert_int_equal(outfile_close(&o, &e), -1);
		assert_non_null(strstr(e.msg, "No space"));
		assert_int_equal(access("/dev/full", W_OK), 0);
	}
}

static void test_standard_output(void **state)
{
	struct outfile o;

	(void)state;
	assert_int_equal(outfile_open(&o, "-", false, NULL), 0);
	assert_ptr_equal(o.f, stdout);
	assert_int_equal(outfile_close(&o, NULL), 0);
	assert_true(fileno(stdout) >= 0);
	assert_int_equal(outfile_close(&o, NULL), 0); /* closed already */
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_new_file),
		T(test_dropped),
		T(test_existing_is_refused),
		T(test_existing_since_open_is_refused),
		T(test_force_replaces_at_the_end),
		T(test_killed),
		T(test_links),
		T(test_what_cannot_be),
		T(test_standard_output),
	};

	return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
