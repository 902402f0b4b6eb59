#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/rulecase.h"
#include "analyze/llo/llo.h"

/* A kernel of one bundle, one loop and one copy, with nothing to complain of until a case changes it. */
struct scene {
	struct dump *d;
	struct llo l;
	struct chip_core chip;
	struct llo_kernel kernel;
	struct llo_loop loop;
	struct llo_dma dma;
	struct llo_chain chain;
	struct llo_memory memory;
	struct llo_line line[2];
	struct llo_unit_sum unit[3];
	struct llo_bundle bundle;
	struct llo_ins ins[2];
	int64_t cost, runs;
	uint32_t inner;
};

static struct scene *quiet(void)
{
	struct scene *s = xcalloc(1, sizeof *s);
	struct llo_kernel *k = &s->kernel;

	s->d = dump_new();
	s->chip = (struct chip_core){ .name = "v6e", .ghz = 1.75, .gbps = 1638, .side = 256, .granule = 32 };
	s->loop = (struct llo_loop){ .parent = LLO_NONE,
		.trips = 10,
		.pipeline = true,
		.cycles = 1000,
		.own_cycles = 1000,
		.matmul_percent = 75 };
	s->dma = (struct llo_dma){ .bytes = 8192, .runs = 10, .gap = 50, .wait = LLO_WAIT_SAME };
	s->dma.from = slice_of("hbm");
	s->dma.to = slice_of("vmem");
	s->chain = (struct llo_chain){ .length = 50, .cycles = 100 };
	s->memory = (struct llo_memory){ slice_of("vmem"), slice_of("scratch operand"), 1 << 20 };
	s->unit[0] = (struct llo_unit_sum){ .name = slice_of("MATMUL"), .percent = 40 };
	s->unit[1] = (struct llo_unit_sum){ .name = slice_of("VLOAD"), .percent = 10 };
	s->cost = 100;
	s->runs = 10;
	*k = (struct llo_kernel){ .name = slice_of("scale.1"),
		.kind = LLO_PALLAS,
		.chip = &s->chip,
		.aligned = true,
		.rows = true,
		.bundles = 1,
		.instructions = 2,
		.cycles_once = 100,
		.stalls = 10,
		.cycles = 1000,
		.time_us = 1000 / 1750.,
		.limit = slice_of("MATMUL"),
		.limit_percent = 40,
		.matmuls = 1,
		.hbm_bytes = 81920,
		.hbm_us = 0.05,
		.vmem_capacity = 64 << 20,
		.nunits = 2,
		.nloops = 1,
		.ndma = 1,
		.nlines = 2,
		.nchains = 1,
		.nmemory = 1 };
	strtab_init(&k->str);
	s->line[1].source = s->ins[1].source = strtab_add(&k->str, "x.py:7", 6);
	s->ins[0].real = s->ins[1].real = true;
	s->bundle = (struct llo_bundle){ .n = 2, .real = 2 };
	k->b = (struct llo_bundles){ .v = &s->bundle, .n = 1, .ins = s->ins, .nins = 2 };
	k->cost = &s->cost;
	k->runs = &s->runs;
	k->inner = &s->inner;
	k->loop = &s->loop;
	k->dma = &s->dma;
	k->chain = &s->chain;
	k->memory = &s->memory;
	k->line = s->line;
	k->unit = s->unit;
	s->l = (struct llo){ .v = k, .n = 1, .kernels = 1 };
	return s;
}

static void scene_free(struct scene *s)
{
	strtab_free(&s->kernel.str);
	dump_close(s->d);
	free(s);
}

static void build(struct scene *s, struct findings *f)
{
	struct finding_input in = { .dump = s->d, .llo = &s->l };

	findings_build(&in, f);
}

/* 8 KiB at 1638 GB/s need 8.75 cycles. */
static struct scene *dma_wait(bool bad)
{
	struct scene *s = quiet();

	s->dma.bytes = 1 << 20;
	s->dma.gap = bad ? 20 : 1200;
	return s;
}

static struct scene *memory(bool bad)
{
	struct scene *s = quiet();

	s->kernel.hbm_us = s->kernel.time_us * (bad ? 1.5 : 0.7);
	return s;
}

/* A chain is no matter where a unit is busy. */
static struct scene *latency(bool bad)
{
	struct scene *s = quiet();

	s->kernel.stalls = 45;
	s->chain.length = 90;
	s->kernel.limit_percent = bad ? 40 : 60;
	return s;
}

static struct scene *spills(bool bad)
{
	struct scene *s = quiet();

	s->kernel.spills[0] = s->kernel.fills[0] = 10;
	s->kernel.spills_run[0] = s->kernel.fills_run[0] = bad ? 100 : 20;
	s->unit[1].percent = 55;
	return s;
}

static struct scene *mxu_idle(bool bad)
{
	struct scene *s = quiet();

	s->loop.matmul_percent = 20;
	s->kernel.matmuls = bad;
	return s;
}

static struct scene *unit(bool bad)
{
	struct scene *s = quiet();

	s->kernel.limit_percent = bad ? 83.3 : 79;
	return s;
}

/* Half of the instructions have no line; without annotations none has. */
static struct scene *step_overhead(bool bad)
{
	struct scene *s = quiet();

	s->kernel.nlines = bad ? 2 : 1;
	return s;
}

static struct scene *vmem(bool bad)
{
	struct scene *s = quiet();

	s->memory.bytes = (bad ? 62L : 40L) << 20;
	return s;
}

#define AT "llo:scale.1"
static const struct rule_case cases[] = {
	{ "llo_dma_wait", dma_wait, SEVERITY_HIGH,
	    "scale.1: 1.0 MiB hbm → vmem is awaited 20 cycles later; it needs 1120", AT },
	{ "llo_memory", memory, SEVERITY_MEDIUM, "at 1638 GB/s need 0.86 µs, the schedule 0.57", AT },
	{ "llo_latency", latency, SEVERITY_MEDIUM, "in 45 of 100 cycles", AT },
	{ "llo_spills", spills, SEVERITY_MEDIUM, "spills 10, fills 10 of vector registers per pass", AT },
	{ "llo_mxu_idle", mxu_idle, SEVERITY_MEDIUM, "20.0 % of the cycles of the main loop", AT },
	{ "llo_unit", unit, SEVERITY_LOW, "MATMUL is busy in 83.3 % of the cycles", AT },
	{ "llo_step_overhead", step_overhead, SEVERITY_MEDIUM,
	    "500 of 1,000 cycles are code of the loop and the pipeline, in 10 steps", AT },
	{ "llo_vmem", vmem, SEVERITY_HIGH, "62.0 MiB of 64.0 MiB of VMEM", AT },
};

static const struct rule_case *case_at(size_t i)
{
	return i < sizeof cases / sizeof *cases ? &cases[i] : NULL;
}

static struct rule_scenes rules = { case_at, build, scene_free, NULL, NULL, "\tllo\t" };

/* The schedules of XLA are never above low, and the advice says whose they are. */
static void schedules_of_xla_are_low(void **state)
{
	struct scene *s = vmem(true);
	struct findings f;

	(void)state;
	s->kernel.kind = LLO_XLA;
	build(s, &f);
	assert_int_equal(finding_of(&f, "llo_vmem")->severity, SEVERITY_LOW);
	assert_non_null(strstr(finding_of(&f, "llo_vmem")->advice, "XLA's own"));
	findings_free(&f);
	scene_free(s);
}

/* Where registers cost no cycles, and loads have room, spills are low. */
static void spills_beside_other_work_are_low(void **state)
{
	struct scene *s = spills(true);
	struct findings f;

	(void)state;
	s->unit[1].percent = 10;
	build(s, &f);
	assert_int_equal(finding_of(&f, "llo_spills")->severity, SEVERITY_LOW);
	findings_free(&f);
	s->kernel.ra_cycles = 6;
	build(s, &f);
	assert_int_equal(finding_of(&f, "llo_spills")->severity, SEVERITY_MEDIUM);
	findings_free(&f);
	scene_free(s);
}

/* Without cycles nothing is judged by them. */
static void without_cycles_nothing_is_said(void **state)
{
	struct scene *s = latency(true);
	struct findings f;

	(void)state;
	s->kernel.aligned = false;
	s->kernel.chip = NULL;
	s->kernel.time_us = s->kernel.hbm_us = NAN;
	build(s, &f);
	for (size_t i = 0; i < f.nchecks; i++)
		assert_true(strncmp(f.check[i].id, "llo_", 4) || !strcmp(f.check[i].id, "llo_vmem"));
	findings_free(&f);
	scene_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE_TESTS(&rules),
		cmocka_unit_test(schedules_of_xla_are_low),
		cmocka_unit_test(spills_beside_other_work_are_low),
		cmocka_unit_test(without_cycles_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
