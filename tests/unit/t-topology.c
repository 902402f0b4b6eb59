#include "config.h"
#include "model/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void text_is_two_or_three_sizes(void **state)
{
	static const char *const wrong[] = { "", "4", "x", "4x", "4x4x", "4x4x4x4", "0x4", "4x-1", "4X4",
		" 4x4", "4x4 ", "99999999999x4" };
	struct err e = { 0 };
	int x, y, z;

	(void)state;
	assert_int_equal(topology_parse("4x8", &x, &y, &z, &e), 0);
	assert_int_equal(x * 100 + y * 10 + z, 481);
	assert_int_equal(topology_parse("2x3x16", &x, &y, &z, &e), 0);
	assert_true(x == 2 && y == 3 && z == 16);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		e = (struct err){ 0 };
		assert_int_equal(topology_parse(wrong[i], &x, &y, &z, &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
		assert_non_null(strstr(e.msg, "--topology"));
	}
}

/* Chips of a host are numbered along the mesh: 2x2 blocks of a 4x4 one. */
static void known_chips_stand_where_their_numbers_say(void **state)
{
	static const int64_t chip[16] = { 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15 };
	struct topology_ask v[16];
	struct topology t = { 0 };

	(void)state;
	for (int i = 0; i < 16; i++)
		v[i] = (struct topology_ask){ i / 4, i % 4, 0, chip[i] };
	assert_true(topology_place(&t, "TPU v5 lite", v, 16));
	assert_int_equal(t.source, TOPOLOGY_ASSUMED);
	assert_true(t.x == 4 && t.y == 4 && t.z == 1);
	assert_true(t.host_x == 2 && t.host_y == 2 && t.host_z == 1);
	assert_int_equal(t.cores_per_chip, 1);
	assert_true(t.core[6].x == 2 && t.core[6].y == 1 && t.core[6].z == 0);
	assert_true(t.core[15].x == 3 && t.core[15].y == 3);
	topology_free(&t);
}

static void unknown_chips_are_placed_by_host_and_plane(void **state)
{
	struct topology_ask v[32];
	struct topology t = { 0 };

	(void)state;
	for (int i = 0; i < 32; i++)
		v[i] = (struct topology_ask){ i / 8, i % 8, -1, -1 };
	assert_true(topology_place(&t, "TPU v3", v, 32));
	assert_true(t.x == 4 && t.y == 4 && t.z == 1 && t.cores_per_chip == 2);
	/* the second host starts two chips to the right, and its third chip is one row below */
	assert_true(t.core[8].x == 2 && t.core[8].y == 0 && t.core[8].core_on_chip == 0);
	assert_true(t.core[9].x == 2 && t.core[9].y == 0 && t.core[9].core_on_chip == 1);
	assert_true(t.core[12].x == 2 && t.core[12].y == 1);
	assert_true(t.core[16].x == 0 && t.core[16].y == 2);
	assert_int_equal(t.core[12].chip, 6);
	topology_free(&t);
}

/* Two slices of 4 chips, whose hosts both count from 0: side by side, not one on the other. */
static void hosts_with_the_same_chips_are_placed_in_order(void **state)
{
	struct topology_ask v[8];
	struct topology t = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++)
		v[i] = (struct topology_ask){ i / 4, i % 4, 0, i % 4 };
	assert_true(topology_place(&t, "TPU v5 lite", v, 8));
	assert_int_equal(t.source, TOPOLOGY_ASSUMED);
	assert_int_equal(t.x * t.y * t.z, 8);
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < i; k++)
			assert_false(t.core[i].x == t.core[k].x && t.core[i].y == t.core[k].y);
	assert_int_equal(t.core[7].chip, 7);
	topology_free(&t);
}

static void a_mesh_that_is_too_small_is_not_used(void **state)
{
	struct topology_ask v[8];
	struct topology t = { .x = 2, .y = 2, .z = 1, .source = TOPOLOGY_USER };

	(void)state;
	for (int i = 0; i < 8; i++)
		v[i] = (struct topology_ask){ i / 4, i % 4, 0, i };
	assert_false(topology_place(&t, "TPU v5", v, 8));
	assert_int_equal(t.source, TOPOLOGY_ASSUMED);
	assert_true(t.x == 2 && t.y == 2 && t.z == 2);
	topology_free(&t);
	t = (struct topology){ .x = 8, .y = 1, .z = 1, .source = TOPOLOGY_USER };
	assert_true(topology_place(&t, "TPU v5", v, 8));
	assert_int_equal(t.source, TOPOLOGY_USER);
	assert_int_equal(t.core[5].x, 5);
	topology_free(&t);
}

static void a_device_that_is_not_in_the_table_has_no_place(void **state)
{
	struct topology_ask v = { 0, 0, -1, -1 };
	struct topology t = { 0 };
	struct topology_kind k;

	(void)state;
	assert_false(topology_kind_of("CPU", &k));
	assert_true(topology_kind_of("tpu V6 LITE", &k));
	assert_true(k.axes == 2 && k.hbm_gib == 32);
	assert_true(topology_place(&t, "CPU", &v, 1));
	assert_int_equal(t.source, TOPOLOGY_NONE);
	assert_int_equal(t.core[0].x, -1);
	topology_free(&t);
	assert_true(topology_place(&t, "TPU v4", NULL, 0));
	assert_int_equal(t.ncores, 0);
	topology_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_two_or_three_sizes),
		cmocka_unit_test(known_chips_stand_where_their_numbers_say),
		cmocka_unit_test(unknown_chips_are_placed_by_host_and_plane),
		cmocka_unit_test(hosts_with_the_same_chips_are_placed_in_order),
		cmocka_unit_test(a_mesh_that_is_too_small_is_not_used),
		cmocka_unit_test(a_device_that_is_not_in_the_table_has_no_place),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
