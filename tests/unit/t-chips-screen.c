/* The screen of the chips where no server answers: what the machine itself says. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "job/chips.h"

static struct local_owner owners[] = {
	{ .pid = 4242, .number = 1, .name = "python3", .device = "/dev/vfio/1" }
};

static struct watching *made(size_t chips, size_t nowners)
{
	struct watching *w = xcalloc(1, sizeof *w);
	struct err err = { 0 };

	assert_int_equal(servers_begin(&w->servers, "localhost:8431", &err), 0);
	pthread_mutex_init(&w->lock, NULL);
	chips_open_sheets(w);
	w->local = (struct local_chips){ .n = chips,
		.type = "TPU v5e",
		.hbm = 16 * GIB,
		.per_chip = 1,
		.nowners = nowners,
		.owner = owners };
	w->chips = chips_of_bus(&w->local);
	w->moments = 1;
	w->looked = 1;
	w->interval_ms = 1000;
	snprintf(w->why, sizeof w->why, "localhost:8431: Connection refused");
	return w;
}

static char *drawn(struct watching *w, int rows, int cols)
{
	struct canvas c;
	char *text;
	size_t n;

	canvas_init(&c, rows, cols, &glyphs_blocks, false);
	canvas_clear(&c);
	chips_draw(&w->base, &c, (struct rect){ 0, 0, rows, cols });
	text = canvas_dump(&c, 0, &n);
	canvas_free(&c);
	return text;
}

static void dropped(struct watching *w)
{
	chips_close_sheets(w);
	chips_free(&w->chips);
	servers_end(&w->servers);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void test_chips_of_the_bus(void **state)
{
	struct watching *w = made(4, 1);
	char *text = drawn(w, 20, 120);

	(void)state;
	assert_non_null(strstr(text, "Connection refused; this machine has 4 chips, TPU v5e"));
	assert_non_null(strstr(text, "python3 4242"));
	assert_non_null(strstr(text, "16.0"));
	assert_non_null(strstr(text, "– of 16.00 GiB"));
	free(text);
	dropped(w);
}

static void test_nobody_uses_them(void **state)
{
	struct watching *w = made(1, 0);
	char *text = drawn(w, 20, 200);

	(void)state;
	assert_non_null(strstr(text, "this machine has 1 chip, TPU v5e, which no process uses"));
	assert_null(strstr(text, "process  "));
	free(text);
	w->local.hidden = true;
	text = drawn(w, 20, 200);
	assert_non_null(strstr(text, "who uses them is shown to root"));
	free(text);
	dropped(w);
}

static void test_no_chips(void **state)
{
	struct watching *w = made(0, 0);
	char *text = drawn(w, 20, 120);

	(void)state;
	assert_non_null(strstr(text, "this machine has no TPU on its PCI bus"));
	free(text);
	dropped(w);
}

/* Numbers that no server has: they are cut to what can be shown. */
static void test_numbers_without_measure(void **state)
{
	struct watching *w = made(1, 0);
	char *text;

	(void)state;
	w->chips.v[0].queue = w->chips.v[0].count = 1e300;
	text = drawn(w, 20, 200);
	assert_non_null(strstr(text, "  9.2E"));
	free(text);
	dropped(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chips_of_the_bus),
		cmocka_unit_test(test_nobody_uses_them),
		cmocka_unit_test(test_no_chips),
		cmocka_unit_test(test_numbers_without_measure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
