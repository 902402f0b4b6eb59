/* The memory that control groups allow, in folders as the kernel shows them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "../lib/rmtree.h"
#include "base/cgroup.h"

static char dir[] = "/tmp/t-cgroup-XXXXXX", path[300];

static const char *in(const char *name)
{
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *f;

	for (char *p = (char *)in(name) + sizeof dir; *p; p++) /* its folders */
		if (*p == '/') {
			*p = 0;
			mkdir(path, 0700);
			*p = '/';
		}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static uint64_t limit(const char *groups)
{
	char list[300];

	put("list", groups);
	snprintf(list, sizeof list, "%s", in("list"));
	return cgroup_memory(list, in("mount"));
}

static void version_2(void **state)
{
	(void)state;
	put("mount/memory.max", "max\n");
	put("mount/pod/memory.max", "2147483648\n");
	put("mount/pod/container/memory.max", "max\n");
	assert_true(limit("0::/\n") == UINT64_MAX);
	assert_true(limit("0::/pod\n") == (uint64_t)2 << 30);
	assert_true(limit("0::/pod/container\n") == (uint64_t)2 << 30); /* by the group around it */
	put("mount/pod/container/memory.max", "1048576");
	assert_true(limit("0::/pod/container\n") == 1 << 20);
	assert_true(limit("0::/not/here\n") == UINT64_MAX);
	put("mount/memory.max", "4096\n"); /* a container that sees its own group as the root */
	assert_true(limit("0::/not/here\n") == 4096);
}

static void version_1(void **state)
{
	(void)state;
	put("mount/memory.max", "max\n");
	put("mount/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("mount/memory/job/memory.limit_in_bytes", "65536\n");
	assert_true(limit("5:cpu:/job\n4:memory:/\n0::/\n") == INT64_MAX / 4096 * 4096);
	assert_true(limit("5:cpu:/job\n4:memory:/job\n0::/\n") == 65536);
}

static void nothing_known(void **state)
{
	(void)state;
	assert_true(cgroup_memory("/not/here", "/not/here") == UINT64_MAX);
	assert_true(limit("") == UINT64_MAX);
	assert_true(limit("memory\n:\n::\n4:memory\n") == UINT64_MAX);
	put("mount/odd/memory.max", "\n");
	assert_true(limit("0::/odd\n") == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2),
		cmocka_unit_test(version_1),
		cmocka_unit_test(nothing_known),
	};
	int failed;

	if (!mkdtemp(dir))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmtree(dir);
	return failed;
}
