/* Which bytes of a capture are shown before the rest is there, and when. */
#include "config.h"

#include "load/early.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"

static size_t calls, last;

static void note(void *ctx, const void *bytes, size_t n, const char *name)
{
	(void)ctx;
	assert_non_null(bytes);
	assert_string_equal(name, "a.pb");
	calls++;
	last = n;
}

/* An XSpace of planes of `each` bytes that are named like those of devices, or NULL: no memory. */
static uint8_t *planes(size_t n, size_t each)
{
	static const uint8_t head[] = { 0x0a, 0x80, 0x80, 0x80, 0x00, 0x12, 0x0d };
	uint8_t *b = calloc(1, n);

	for (size_t at = 0; b && at + each <= n; at += each) {
		size_t len = each - 5, rest = each - sizeof head - 13;

		memcpy(b + at, head, sizeof head);
		for (int i = 0; i < 4; i++, len >>= 7)
			b[at + 1 + (size_t)i] = (uint8_t)((len & 127) | (i < 3 ? 128 : 0));
		memcpy(b + at + sizeof head, "/device:TPU:0", 13);
		memcpy(b + at + sizeof head + 13, "\x32", 1); /* a stat takes the rest */
		for (int i = 0; i < 4; i++)
			b[at + sizeof head + 14 + (size_t)i] =
			    (uint8_t)(((rest - 5) >> 7 * i & 127) | (i < 3 ? 128 : 0));
	}
	return b;
}

static struct early begin(void)
{
	calls = last = 0;
	return (struct early){ .show = note, .began = 1 }; /* long ago */
}

static void whole_planes_only(void **state)
{
	struct early e = begin();
	uint8_t *b = planes(1 << 20, 100000);

	(void)state;
	assert_non_null(b);
	early_came(&e, "a.pb", b, 99999); /* the first is not there yet */
	assert_int_equal(calls, 0);
	early_came(&e, "a.pb", b, 150000);
	assert_int_equal(calls, 1);
	assert_int_equal(last, 100000);
	early_came(&e, "a.pb", b, 450000); /* just now */
	assert_int_equal(calls, 1);
	e.ended = 1;
	early_came(&e, "a.pb", b, 160000); /* hardly more */
	assert_int_equal(calls, 1);
	early_came(&e, "a.pb", b, 450000);
	assert_int_equal(calls, 2);
	assert_int_equal(last, 400000);
	free(b);
}

static void patience(void **state)
{
	struct early e = begin();
	uint8_t *b = planes(1 << 20, 100000);

	(void)state;
	assert_non_null(b);
	e.began = 0;
	early_came(&e, "a.pb", b, 500000); /* all of it may be there in a moment */
	assert_int_equal(calls, 0);
	assert_true(e.began);
	free(b);
}

static void other_kinds(void **state)
{
	static const char json[] = "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"name\":\"x\"},";
	struct early e = begin();
	uint8_t *b = calloc(1, 100000);

	(void)state;
	assert_non_null(b);
	memset(b, ' ', 100000);
	early_came(&e, "a.pb", b, 100000);
	assert_int_equal(calls, 0);
	memcpy(b, json, sizeof json - 1);
	early_came(&e, "a.pb", b, 100000);
	assert_int_equal(calls, 1);
	assert_int_equal(last, 100000);
	free(b);
}

/* Of a file that takes long the first planes, however many there are. */
static void large(void **state)
{
	struct early e = begin();
	uint8_t *b = planes((size_t)100 << 20, 10000000);

	(void)state;
	if (!b)
		skip();
	e.bytes = (uint64_t)500 << 20; /* is read in a second */
	early_large(&e, "a.pb", b, (size_t)100 << 20);
	assert_int_equal(calls, 0);
	e.bytes = (uint64_t)520 << 20;
	early_large(&e, "a.pb", b, 50000000);
	assert_int_equal(calls, 0);
	early_large(&e, "a.pb", b, (size_t)100 << 20);
	assert_int_equal(calls, 1);
	assert_int_equal(last, 10000000);
	early_large(&e, "a.pb", b, (size_t)100 << 20);
	assert_int_equal(calls, 1);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_planes_only),
		cmocka_unit_test(patience),
		cmocka_unit_test(other_kinds),
		cmocka_unit_test(large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
