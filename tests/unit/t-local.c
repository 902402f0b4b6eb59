/* The chips of a machine, and who has them open: a folder in place of / has them. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "live/local.h"
#include "tests/lib/rmtree.h"

static char root[64];

static void make_folder(const char *path)
{
	char all[300];

	snprintf(all, sizeof all, "%s/%s", root, path);
	for (char *p = all + strlen(root) + 1; *p; p++)
		if (*p == '/') {
			*p = 0;
			mkdir(all, 0700);
			*p = '/';
		}
	mkdir(all, 0700);
}

static void write_text(const char *folder, const char *name, const char *text)
{
	char path[300];
	FILE *f;

	make_folder(folder);
	snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
	assert_non_null(f = fopen(path, "w"));
	fputs(text, f);
	fclose(f);
}

static void add_card(const char *name, const char *vendor, const char *device, const char *subsystem)
{
	char folder[100];

	snprintf(folder, sizeof folder, "sys/bus/pci/devices/%s", name);
	write_text(folder, "vendor", vendor);
	write_text(folder, "device", device);
	write_text(folder, "subsystem_device", subsystem);
}

static void add_process(const char *pid, const char *name, const char *const *files)
{
	char folder[100], path[300];

	snprintf(folder, sizeof folder, "proc/%s", pid);
	write_text(folder, "comm", name);
	snprintf(folder, sizeof folder, "proc/%s/fd", pid);
	make_folder(folder);
	for (int i = 0; files[i]; i++) {
		snprintf(path, sizeof path, "%s/%s/%d", root, folder, i);
		assert_false(symlink(files[i], path));
	}
}

static int begin(void **state)
{
	(void)state;
	strcpy(root, "local-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	return rmtree(root);
}

static void nothing_there(void **state)
{
	struct local_chips l;

	(void)state;
	local_read(&l, root);
	assert_int_equal(l.n, 0);
	assert_int_equal(l.nowners, 0);
	assert_true(isnan(l.hbm));
	local_free(&l);
}

static void chips_and_owners(void **state)
{
	static const char *const python[] = { "/dev/null", "/dev/vfio/1", "/dev/vfio/0", "/dev/vfio/1",
		"/dev/vfio/vfio", NULL },
				 *const other[] = { "/dev/vfio/1", "/dev/accelerator", "/dev/accel2x", NULL };
	struct local_chips l;
	char text[80];

	(void)state;
	add_card("0000:00:04.0", "0x1ae0\n", "0x0063\n", "0x004e\n");
	add_card("0000:00:05.0", "0x1ae0\n", "0x0063\n", "0x004e\n");
	add_card("0000:00:06.0", "0x1ae0\n", "0x0042\n", "0x0000\n"); /* of Google, but no TPU */
	add_card("0000:00:07.0", "0x8086\n", "0x0063\n", "0x0000\n");
	add_process("1234", "python\x1b[31m\n", python);
	add_process("77", "tail\n", other);
	add_process("self", "self\n", python);
	local_read(&l, root);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.type, "TPU v5e");
	assert_float_equal(l.hbm, 17179869184.0, 0);
	assert_int_equal(l.per_chip, 1);
	assert_int_equal(l.nowners, 3);
	assert_string_equal(l.owner[0].device, "/dev/vfio/0");
	assert_int_equal(l.owner[1].pid, 77);
	assert_true(local_owner_of(&l, 1, text, sizeof text));
	assert_non_null(strstr(text, "tail 77, python"));
	assert_null(strchr(text, '\x1b'));
	assert_false(local_owner_of(&l, 2, text, sizeof text));
	local_free(&l);
}

static void kinds_of_chips(void **state)
{
	struct local_chips l;

	(void)state;
	add_card("0000:00:04.0", "0x1ae0\n", "0x0027\n", "0x004f\n");
	local_read(&l, root);
	assert_string_equal(l.type, "TPU v3");
	assert_int_equal(l.per_chip, 2);
	local_free(&l);
	add_card("0000:00:05.0", "0x1ae0\n", "0x0076\n", "0x0000\n");
	local_read(&l, root);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.type, "");
	assert_true(isnan(l.hbm));
	local_free(&l);
	local_read(&l, ""); /* whatever this machine has */
	local_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_there, begin, end),
		cmocka_unit_test_setup_teardown(chips_and_owners, begin, end),
		cmocka_unit_test_setup_teardown(kinds_of_chips, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
