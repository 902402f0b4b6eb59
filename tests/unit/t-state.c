/* The saved state of a capture: its name, its header, its file. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/state.h"
#include "load/source/source.h"

static char dir[] = "t-state-XXXXXX", top[4096];

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir) || !getcwd(top, sizeof top - 100))
		return -1;
	snprintf(top + strlen(top), 100, "/%s", dir);
	return 0;
}

static int remove_dir(void **state)
{
	char *command = NULL;

	(void)state;
	if (asprintf(&command, "rm -rf '%s'", top) < 0 || system(command))
		return -1;
	free(command);
	return 0;
}

/* A dump of files with these bytes. */
static struct dump *dump_with(const char *const *content, const uint64_t *bytes, size_t n)
{
	struct dump *d = dump_new();

	for (size_t i = 0; i < n; i++) {
		struct file f = { .path = (char *)(uintptr_t) "/some/where",
			.bytes = bytes[i],
			.host = -1,
			.source = source_of_memory(content[i], strlen(content[i]), "x"),
			.close_source = source_close };

		dump_add_file(d, &f);
	}
	return d;
}

static uint64_t id_of(const char *const *content, const uint64_t *bytes, size_t n, char head[STATE_HEAD])
{
	struct dump *d = dump_with(content, bytes, n);
	uint64_t id;

	state_head(d, head, &id);
	dump_close(d);
	return id;
}

static void told_apart(void **state)
{
	static const char *const a[] = { "first file", "second" }, *const b[] = { "first filE", "second" },
				 *const swapped[] = { "second", "first file" };
	static const uint64_t sizes[] = { 10, 6 }, longer[] = { 10, 7 };
	char head[STATE_HEAD], other[STATE_HEAD];
	uint64_t id = id_of(a, sizes, 2, head);

	(void)state;
	assert_int_equal(id_of(a, sizes, 2, other), id);
	assert_string_equal(head, other);
	assert_int_not_equal(id_of(b, sizes, 2, other), id);
	assert_int_not_equal(id_of(a, longer, 2, other), id);
	assert_int_not_equal(id_of(a, sizes, 1, other), id);
	assert_int_not_equal(id_of(swapped, sizes, 2, other), id);
	assert_true(strlen(head) < STATE_HEAD - 1);
	assert_int_equal(head[strlen(head) - 1], '\n');
	assert_memory_equal(head, "tpuscope-state 1\n", 17);
}

static void where(void **state)
{
	char *p;

	(void)state;
	setenv("HOME", "/home/me", 1);
	unsetenv("XDG_STATE_HOME");
	assert_string_equal(p = state_path(0xabc), "/home/me/.local/state/tpuscope/0000000000000abc");
	free(p);
	setenv("XDG_STATE_HOME", "/var/me", 1);
	assert_string_equal(p = state_path(1), "/var/me/tpuscope/0000000000000001");
	free(p);
	setenv("XDG_STATE_HOME", "relative", 1); /* not allowed: as if it were not set */
	assert_string_equal(p = state_path(1), "/home/me/.local/state/tpuscope/0000000000000001");
	free(p);
	setenv("HOME", "", 1);
	assert_null(state_path(1));
	unsetenv("HOME");
	assert_null(state_path(1));
}

static void kept(void **state)
{
	struct kv kv = { 0 }, back = { 0 };
	struct err err = { .at = ERR_NOWHERE };
	struct stat st;
	char *path;

	(void)state;
	setenv("XDG_STATE_HOME", top, 1);
	path = state_path(42);
	kv_put(&kv, "view", "timeline");
	kv_put(&kv, "mark", "two\nlines");
	assert_int_equal(state_read(path, "head 1\n", &back), STATE_NONE);
	assert_int_equal(state_write(path, "head 1\n", &kv, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(state_read(path, "head 1\n", &back), STATE_READ);
	assert_true(kv_same(&kv, &back));
	kv_put(&kv, "more", "1");
	assert_int_equal(state_write(path, "head 1\n", &kv, &err), 0); /* replaces */
	kv_free(&back);
	assert_int_equal(state_read(path, "head 1\n", &back), STATE_READ);
	assert_true(kv_same(&kv, &back));
	kv_free(&back);
	assert_int_equal(state_read(path, "head 2\n", &back), STATE_OTHER);
	assert_int_equal(back.n, 0);
	kv_free(&kv);
	free(path);
}

static void short_and_empty_files(void **state)
{
	struct kv kv = { 0 };
	char path[sizeof top + 20];
	FILE *f;

	(void)state;
	snprintf(path, sizeof path, "%s/short", top);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(state_read(path, "head 1\n", &kv), STATE_OTHER);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("head", f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(state_read(path, "head 1\n", &kv), STATE_OTHER);
	assert_int_equal(state_read(top, "head 1\n", &kv), STATE_OTHER); /* a folder */
	assert_int_equal(kv.n, 0);
}

static void no_place(void **state)
{
	struct kv kv = { 0 };
	struct err err = { .at = ERR_NOWHERE };
	char path[sizeof top + 20];

	(void)state;
	snprintf(path, sizeof path, "%s/short/below/a-file", top);
	assert_int_equal(state_write(path, "head\n", &kv, &err), -1);
	assert_true(*err.msg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told_apart),
		cmocka_unit_test(where),
		cmocka_unit_test(kept),
		cmocka_unit_test(short_and_empty_files),
		cmocka_unit_test(no_place),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
