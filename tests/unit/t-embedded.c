#include "config.h"
#include "base/file/embedded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define SAMPLE "simulated-v5e-4chip.xplane.pb.gz"

static void unknown_names_are_not_found(void **state)
{
	(void)state;
	assert_null(embedded_find("no such file"));
	assert_null(embedded_find(""));
}

static void every_file_is_found_by_its_name(void **state)
{
	(void)state;
	for (const struct embedded *e = embedded_files; e->name; e++) {
		assert_ptr_equal(embedded_find(e->name), e);
		assert_true(e->size > 0);
	}
}

static void bytes_are_those_of_the_file(void **state)
{
	const struct embedded *e = embedded_find(SAMPLE);
	const char *top = getenv("top_srcdir");
	char path[4096];
	unsigned char *bytes;
	FILE *f;

	(void)state;
	assert_non_null(e);
	assert_non_null(top);
	snprintf(path, sizeof path, "%s/data/sample/" SAMPLE, top);
	f = fopen(path, "rb");
	assert_non_null(f);
	bytes = malloc(e->size + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, e->size + 1, f), e->size);
	assert_memory_equal(bytes, e->bytes, e->size);
	fclose(f);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_names_are_not_found),
		cmocka_unit_test(every_file_is_found_by_its_name),
		cmocka_unit_test(bytes_are_those_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
