/* From a finding to its proof: two programs have an op of the same name, each with a finding; the time in which a core
 * is idle is marked itself. */
#include "config.h"
#include "core/jump.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

#define US 1000000LL

static struct mkspace space;
static struct app_options options = { .sample_name = "two.xplane.pb",
	.load = { .threads = 1 },
	.colors = -1 };

/* fusion.1 of one program on its own core. */
static void core(const char *plane, int program, const char *category, const char *framework, int64_t start,
    int64_t dur)
{
	space_plane(&space, program, plane);
	space_plane_double(&space, "peak_teraflops_per_second", 100);
	space_plane_double(&space, "peak_hbm_bw_gigabytes_per_second", 1000);
	space_op(&space, "fusion.1", category, program, program);
	space_meta_str(&space, "fusion.1", "tf_op", framework);
	space_meta_int(&space, "fusion.1", "flops", 20 * dur);
	space_meta_int(&space, "fusion.1", "bytes_accessed", dur / 10);
	space_line(&space, 3, "XLA Ops");
	space_event(&space, "fusion.1", start, dur);
}

/* The less important finding is about the second program. */
static int setup(void **state)
{
	(void)state;
	core("/device:TPU:0", 7, "convolution fusion", "jit(first)/dot_general:", 0, 700 * US);
	core("/device:TPU:1", 8, "data formatting", "jit(second)/transpose:", 100 * US, 300 * US);
	space_end(&space, 0);
	options.sample = space.space.b;
	options.sample_size = space.space.n;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pb_free(&space.space);
	return 0;
}

static void shows(const char *keys, const char *what, const char * not )
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct err err = { .at = ERR_NOWHERE };

	if (app_snapshot(&options, "findings", keys, 40, 120, 0, SHOT_NONE, f, &err))
		fail_msg("%s: %s", keys, err.msg);
	fclose(f);
	if (!strstr(text, what) || strstr(text, not ))
		fail_msg("after %s the screen should show \"%s\", not \"%s\":\n%s", keys, what, not, text);
	free(text);
}

static void a_finding_leads_to_its_own_program(void **state)
{
	(void)state;
	shows("/layouts<Enter><Enter>", "| data formatting", "| convolution fusion");
	shows("/layouts<Enter>T", "TPU:1 XLA Ops   row", "TPU:0 XLA Ops   row");
	shows("/MXU<Enter><Enter>", "| convolution fusion", "| data formatting");
	shows("/MXU<Enter>T", "TPU:0 XLA Ops   row", "TPU:1 XLA Ops   row");
}

static void every_evidence_has_a_view(void **state)
{
	(void)state;
	for (int e = 0; e < EVIDENCE_COUNT; e++) {
		size_t i = 0;

		while (view_list[i] && strcmp(view_list[i]->id, evidence_view((enum evidence)e)))
			i++;
		if (!view_list[i])
			fail_msg("no view %s", evidence_view((enum evidence)e));
	}
}

/* Two steps of a millisecond; in the second one the core waits for 600 us, in the first for 400 at most. */
static int setup_idle(void **state)
{
	static const int op[][2] = { { 0, 300 }, { 500, 100 }, { 1000, 100 }, { 1700, 200 } };

	(void)state;
	core("/device:TPU:0", 7, "convolution fusion", "jit(f)/dot_general:", 0, 0);
	for (size_t i = 0; i < sizeof op / sizeof *op; i++)
		space_event(&space, "fusion.1", op[i][0] * US, op[i][1] * US);
	space_line(&space, 1, "Steps");
	space_event(&space, "100", 0, 1000 * US);
	space_event(&space, "101", 1000 * US, 1000 * US);
	space_end(&space, 0);
	options.sample = space.space.b;
	options.sample_size = space.space.n;
	return 0;
}

static void idle_time_is_marked(void **state)
{
	(void)state;
	shows("/Device idle<Enter><Enter>", "600.000 us", "no hit");
	shows("/Device idle<Enter><Enter>", "into step 101", "occurrence");
}

int main(void)
{
	const struct CMUnitTest two[] = {
		cmocka_unit_test(a_finding_leads_to_its_own_program),
		cmocka_unit_test(every_evidence_has_a_view),
	};
	const struct CMUnitTest idle[] = { cmocka_unit_test(idle_time_is_marked) };

	return cmocka_run_group_tests(two, setup, teardown) +
	    cmocka_run_group_tests(idle, setup_idle, teardown);
}
