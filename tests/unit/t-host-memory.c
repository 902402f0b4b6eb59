#include "config.h"
#include "analyze/hlo/host_memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define HOST "f32[8,128]{1,0:T(8,128)S(5)}" /* 4096 bytes */
#define HBM "f32[8,128]{1,0:T(8,128)}"

static void reads_and_writes_of_the_host_are_found(void **state)
{
	static const struct {
		const char *text;
		double read, written, host;
	} cases[] = {
		{ "%a = " HBM " copy(" HBM " %b)", 4096, 4096, 0 },
		{ "%a = " HBM " copy(" HOST " %b)", 4096, 4096, 4096 },
		{ "%a = " HOST " copy(" HBM " %b), metadata={op_name=\"f\"}", 4096, 4096, 4096 },
		{ "%a = " HBM " fusion(" HBM " %b, /*index=1*/" HOST " %c), kind=kLoop", 9000, 4096, 4096 },
		/* only a part of an operand is read */
		{ "%a = f32[8]{0} dynamic-slice(" HOST " %b, s32[] %i)", 32, 32, 32 },
		/* its start only reads, its end only writes */
		{ "%s = (" HBM ", " HOST ", u32[]{:S(2)}) copy-start(" HOST " %p)", 4096, NAN, 4096 },
		{ "%s = (" HOST ", " HBM ", u32[]{:S(2)}) copy-start(" HBM " %p)", 4096, NAN, 0 },
		{ "%d = " HBM " copy-done((" HBM ", " HOST ", u32[]{:S(2)}) %s)", 4096, NAN, 0 },
		{ "%d = " HOST " copy-done((" HOST ", " HBM ", u32[]{:S(2)}) %s)", 4096, NAN, 4096 },
		{ "S(5)", 10, 10, 0 },
		{ "%a = " HBM " copy(f32[8]{0:S(5)", 10, 10, 0 },
		{ "", 10, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double host = host_memory_bytes(slice_of(cases[i].text), cases[i].read, cases[i].written);

		if (host != cases[i].host)
			fail_msg("%s: %g", cases[i].text, host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_and_writes_of_the_host_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
