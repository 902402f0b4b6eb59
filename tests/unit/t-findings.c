#include "config.h"
#include "analyze/communication/communication.h"
#include "analyze/idle/idle.h"
#include "analyze/scopes/scopes.h"
#include "analyze/findings/findings.h"
#include "analyze/overview/environment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"
#include "../lib/mktf.h"
#include "../lib/rulecase.h"
#include "base/file/embedded.h"
#include "base/text/units.h"
#include "model/tf/graph.h"
#include "model/toolfile.h"

#define CORES 8
#define STEPS 8
#define STEP_PS (1000 * PS_PER_US)

/* What a rule looks at, filled by hand. */
struct scene {
	struct dump *d;
	bool files; /* d was loaded from files */
	struct steps steps;
	struct opdb db;
	struct overview v;
	struct input_pipeline in;
	struct pod pod;
	bool has_pod;
	struct communication comm; /* of one op */
	struct comm_op comm_op;
	struct scopes scopes;
	struct name_scope scope[2];
	struct scope_op again;
	struct idle idle;
	struct step_core_info core[CORES];
	struct step_core cell[CORES * STEPS];
};

static struct slice text_of(const char *s)
{
	return (struct slice){ s, strlen(s) };
}

static struct scene *scene_new(struct dump *d, bool files)
{
	struct scene *x = xcalloc(1, sizeof *x);

	x->d = d ? d : dump_new();
	x->files = files;
	x->db.peaks = (struct op_peaks){ .tflops = 100, .bw[PEAK_HBM] = 1000 };
	x->db.planes = CORES;
	return x;
}

static void scene_free(struct scene *x)
{
	free(x->db.v);
	free(x->steps.v);
	free(x->v.cores.step);
	facts_free(&x->v.summary);
	table_free(&x->in.breakdown);
	table_free(&x->v.steps);
	free(x->pod.channel);
	free(x->pod.topology.core);
	if (x->files)
		space_close(x->d);
	else
		dump_close(x->d);
	free(x);
}

/* 1 ms of compute on every core in every step. */
static struct step_cores *add_cores(struct scene *x)
{
	struct step_cores *c = &x->v.cores;

	x->v.tpu = true;
	x->steps.source = STEPS_LINE;
	c->core = x->core;
	c->v = x->cell;
	c->ncores = CORES;
	c->nsteps = STEPS;
	c->step = xcalloc(STEPS, sizeof *c->step);
	for (int i = 0; i < STEPS; i++) {
		snprintf(c->step[i].number, sizeof c->step[i].number, "%d", 100 + i);
		c->step[i].everywhere = true;
	}
	for (int i = 0; i < CORES; i++)
		x->core[i] = (struct step_core_info){ .host = i / 2, .core = i % 2 };
	for (int i = 0; i < CORES * STEPS; i++)
		x->cell[i] =
		    (struct step_core){ .total = STEP_PS, .ps[METRIC_HIGH_FLOPS] = STEP_PS, .sync = -1 };
	return c;
}

static void add_steps(struct scene *x, const int64_t *dur, size_t n)
{
	x->steps.v = xcalloc(n, sizeof *x->steps.v);
	x->steps.n = n;
	for (size_t i = 0; i < n; i++) {
		x->steps.v[i] =
		    (struct step){ .id = (int64_t)i, .start = (int64_t)i * 1000000000, .dur = dur[i] };
		snprintf(x->steps.v[i].number, sizeof x->steps.v[i].number, "%zu", i);
		snprintf(x->steps.v[i].label, sizeof x->steps.v[i].label, "%zu", 100 + i);
	}
}

/* us of self time in one run; shares of the peaks */
static struct op *add_op(struct scene *x, const char *name, const char *category, const char *expression,
    double us, double flops, double hbm)
{
	double ps = us * (double)PS_PER_US;
	struct op *o;

	x->db.v = xrealloc(x->db.v, x->db.n + 1, sizeof *x->db.v);
	o = &x->db.v[x->db.n++];
	*o = (struct op){ .program = 7,
		.name = strtab_addz(&x->d->str, name),
		.category = text_of(category),
		.expression = text_of(expression),
		.provenance = text_of(""),
		.shape = text_of(""),
		.parent = OP_NONE };
	o->sum = (struct opsum){ .occurrences = 1,
		.time = (int64_t)ps,
		.self = (int64_t)ps,
		.flops = flops * x->db.peaks.tflops * ps,
		.bytes = hbm * ps };
	x->db.op_time += o->sum.self;
	x->db.total += o->sum.self;
	return o;
}

static void build(struct scene *x, struct findings *f)
{
	struct finding_input in = { .dump = x->d,
		.steps = &x->steps,
		.ops = &x->db,
		.overview = &x->v,
		.input = &x->in,
		.pod = x->has_pod ? &x->pod : NULL,
		.communication = x->comm.nops ? &x->comm : NULL,
		.scopes = x->scopes.n ? &x->scopes : NULL,
		.idle = &x->idle };

	for (size_t i = 0; i < CORES * STEPS; i++)
		step_core_kinds(&x->cell[i]);
	findings_build(&in, f);
}

/* --- what is wrong in a scene, or nearly --- */

static struct scene *metric(enum step_metric m, int share)
{
	struct scene *x = scene_new(NULL, false);

	add_cores(x);
	for (int i = 0; i < CORES * STEPS; i++) {
		x->cell[i].ps[m] = STEP_PS / 100 * share;
		x->cell[i].ps[METRIC_HIGH_FLOPS] -= x->cell[i].ps[m];
	}
	return x;
}

static struct scene *input(bool bad)
{
	return metric(METRIC_INFEED, bad ? 30 : 3);
}
static struct scene *output(bool bad)
{
	return metric(METRIC_OUTFEED, bad ? 8 : 3);
}
static struct scene *idle(bool bad)
{
	return metric(METRIC_IDLE, bad ? 40 : 2);
}
static struct scene *sparse(bool bad)
{
	return metric(METRIC_SPARSECORE_WAIT, bad ? 12 : 0);
}
static struct scene *collectives(bool bad)
{
	return metric(METRIC_COLLECTIVES, bad ? 33 : 4);
}

static struct scene *waiting(bool bad)
{
	struct scene *x = metric(METRIC_COLLECTIVES, 20);

	for (int i = 0; i < CORES * STEPS; i++) {
		x->cell[i].sync = bad ? STEP_PS / 8 : STEP_PS / 100;
		x->cell[i].sync_compute = STEP_PS / 5 - x->cell[i].sync;
	}
	return x;
}

/* The slow one works all the time, the others wait for it in a collective. */
static struct scene *slow(bool bad, size_t from, size_t to)
{
	struct scene *x = scene_new(NULL, false);

	add_cores(x);
	for (size_t k = 0; k < CORES; k++)
		for (size_t i = 0; i < STEPS; i++) {
			struct step_core *c = &x->cell[k * STEPS + i];

			c->ps[METRIC_COLLECTIVES] = k >= from && k < to && bad ? 0 : STEP_PS / 4;
			c->ps[METRIC_HIGH_FLOPS] -= c->ps[METRIC_COLLECTIVES];
		}
	return x;
}

static struct scene *slow_core(bool bad)
{
	return slow(bad, 5, 6);
}

/* Two cores of four hosts: their median core is not far enough to tell one core from them. */
static struct scene *slow_host(bool bad)
{
	struct scene *x = slow(bad, 4, 6);

	for (size_t k = 0; k < CORES; k++)
		for (size_t i = 0; i < STEPS; i++)
			x->cell[k * STEPS + i].ps[METRIC_COLLECTIVES] += (int64_t)(k % 2) * STEP_PS / 20;
	return x;
}

/* No one core stands out: half of them have more to do. */
static struct scene *uneven(bool bad)
{
	return slow(bad, 0, 4);
}

/* The cores of the pod are those of the overview. */
static struct scene *add_pod(struct scene *x)
{
	x->has_pod = true;
	x->pod.cores = x->v.cores;
	x->pod.nhosts = CORES / 2;
	for (int i = 0; i < CORES; i++)
		x->core[i].chip = i;
	for (int s = 0; s < STEPS; s++) {
		x->v.cores.step[s].everywhere = true;
		for (int i = 0; i < CORES; i++)
			x->cell[i * STEPS + s].start = s * STEP_PS;
	}
	return x;
}

static struct scene *pod(void)
{
	struct scene *x = scene_new(NULL, false);

	add_cores(x);
	return add_pod(x);
}

/* Five channels of a kind, and one of another that is as slow as it is long. */
static struct scene *links(bool bad)
{
	static uint32_t ends[2] = { 0, 1 };
	struct scene *x = pod();

	x->pod.nchannels = 6;
	x->pod.channel = xcalloc(6, sizeof *x->pod.channel);
	for (int i = 0; i < 6; i++)
		x->pod.channel[i] = (struct pod_channel){ .id = 10 + i,
			.src = &ends[0],
			.dst = &ends[1],
			.nsrc = 1,
			.ndst = 1,
			.bytes = i < 5 ? 4096 : 1 << 20,
			.occurrences = 1,
			.duration_us = i == 5 ? 300
			    : i == 2 && bad   ? 80
					      : 10 + i * 0.01,
			.hlo_names = i == 5 ? "recv.1" : "collective-permute-start.1" };
	return x;
}

static struct scene *missing(bool bad)
{
	struct scene *x = pod();

	if (bad)
		x->core[CORES - 1].chip = CORES + 1;
	return x;
}

/* The cores of host 2 begin late; a microsecond is nothing. */
static struct scene *apart(bool bad)
{
	struct scene *x = pod();

	for (int i = 4; i < 6; i++)
		for (int s = 0; s < STEPS; s++)
			x->cell[i * STEPS + s].start += bad ? STEP_PS / 5 : PS_PER_US;
	return x;
}

static struct scene *mixed(bool bad)
{
	struct scene *x = pod();

	for (int i = 0; i < 2; i++)
		dump_add_file(x->d, &(struct file){ .path = (char *)"a.xplane.pb", .kind = FILE_XSPACE });
	x->pod.apart = bad ? "1 host (w-0) came in several files" : NULL;
	x->pod.naparts = bad;
	return x;
}

/* Steps of 10 ms. */
static struct scene *generic(const char *part, double ms)
{
	struct scene *x = scene_new(NULL, false);

	table_begin(&x->v.steps, &overview_generic_schema);
	for (int i = 0; i < 3; i++) {
		struct cell *c = table_row(&x->v.steps);

		c[table_column(&x->v.steps, "stepTimeMs")] = cell_num(10);
		c[table_column(&x->v.steps, part)] = cell_num(ms);
	}
	return x;
}

static struct scene *launch(bool bad)
{
	struct scene *x = generic("kernelLaunchTimeMs", bad ? 1 : 0.1);

	trace_add_plane(&x->d->trace, &(struct plane){ .kind = PLANE_GPU });
	return x;
}
static struct scene *others(bool bad)
{
	return generic("otherTimeMs", bad ? 2 : 0.1);
}
static struct scene *eager(bool bad)
{
	static const struct toolfile result;
	struct scene *x = scene_new(NULL, false);

	facts_num(&x->v.summary, "device_op_time_eager_percent", bad ? 12 : 8);
	x->v.file = &result; /* traces do not say it */
	return x;
}

static struct scene *ops(const char *name, const char *category, const char *expression, double us,
    double flops, double hbm)
{
	struct scene *x = scene_new(NULL, false);

	add_op(x, "fusion.9", "convolution fusion", "", 1000, 0.9, 0.2);
	add_op(x, name, category, expression, us, flops, hbm);
	return x;
}

static struct scene *memory(bool bad)
{
	return ops("fusion.1", "custom fusion", "", 2000, 0.1, bad ? 0.9 : 0.4);
}
static struct scene *matmul(bool bad)
{
	return ops("fusion.1", "convolution fusion", "", 900, bad ? 0.2 : 0.8, 0.1);
}
static struct scene *loops(bool bad)
{
	return ops("fusion.1", "loop fusion", "", 300, 0.01, bad ? 0.8 : 0.3);
}
static struct scene *formatting(bool bad)
{
	return ops("copy.1", "data formatting", "", bad ? 600 : 20, 0, 0.5);
}
static struct scene *copies(bool bad)
{
	return ops("copy-done.1", "copy-done", "", bad ? 300 : 20, 0, 0.5);
}
static struct scene *customs(bool bad)
{
	return ops("custom-call.1", "custom-call", "", bad ? 500 : 20, 0, 0);
}

static struct scene *host_copies(bool bad)
{
	return ops("copy-done.1", "copy-done",
	    bad ? "%copy-done.1 = f32[8]{0:T(8)} copy-done((f32[8]{0}, f32[8]{0:T(8)S(5)}, u32[]) %a)" : "",
	    500, 0, 0.1);
}

/* Runs that reach a third of the bandwidth are no overhead. */
static struct scene *tiny(bool bad)
{
	struct scene *x = ops("add.1", "non-fusion elementwise", "", 300, 0, bad ? 0.25 : 0.35);

	x->db.v[1].sum.occurrences = 600;
	return x;
}

/* A collective that takes a fifth of the steps. */
static struct scene *fifth(enum comm_mode mode)
{
	struct scene *x = scene_new(NULL, false);
	const int64_t ps = (int64_t)CORES * STEPS * STEP_PS / 5;

	add_cores(x);
	strtab_addz(&x->d->str, "all-gather-start.1");
	x->comm_op = (struct comm_op){ .name = text_of("all-gather-start.1"),
		.mode = mode,
		.groups = "{0,1},{2,3}",
		.axis = "y",
		.wall = ps,
		.exposed = ps,
		.wait = -1,
		.bytes = 1 << 20,
		.peak = 100 };
	x->comm = (struct communication){ .op = &x->comm_op,
		.nops = 1,
		.ncores = CORES,
		.steps = STEPS,
		.save = ps / CORES };
	return x;
}

static struct scene *serial(bool bad)
{
	struct scene *x = fifth(MODE_ASYNC);

	x->comm_op.wall *= 10;
	x->comm_op.hidden = x->comm_op.wall / 100 * (bad ? 13 : 60);
	return x;
}

static struct scene *slow_axis(bool bad)
{
	struct scene *x = fifth(MODE_SYNC);

	x->comm_op.busbw = bad ? 12 : 40;
	x->comm.mesh.assumed = true;
	x->comm.mesh.x = x->comm.mesh.y = 2;
	x->comm.mesh.z = 1;
	return x;
}

static struct scene *again(bool bad)
{
	struct scene *x = ops("fusion.1", "loop fusion", "", 300, 0, 0.1);
	const int64_t ps = bad ? 300 : 50;

	x->scope[0] = (struct name_scope){ .path = "f", .end = 2, .sum.phase[PHASE_RECOMPUTE] = ps };
	x->scope[1] = (struct name_scope){ .path = "f/mlp", .end = 2, .sum.phase[PHASE_RECOMPUTE] = ps };
	x->again = (struct scope_op){ .name = strtab_addz(&x->d->str, "fusion.1"), .phase = PHASE_RECOMPUTE };
	x->scopes = (struct scopes){ .v = x->scope,
		.n = 2,
		.op = &x->again,
		.nops = 1,
		.cores = 1,
		.sum = { .time = 1000, .phase[PHASE_RECOMPUTE] = ps } };
	return x;
}

static struct scene *outside(bool bad)
{
	struct scene *x = ops("send-done.1", "host send-done", "", 500, 0, 0);

	if (bad)
		x->db.v[1].provenance = text_of("jit(f)/callback:XlaSendToHost");
	return x;
}

static struct scene *padded(bool bad)
{
	return ops("fusion.1", "loop fusion",
	    bad ? "%fusion.1 = f32[4096,3]{1,0:T(8,128)} fusion(f32[4096,3]{1,0:T(8,128)} %a), kind=kLoop"
		: "%fusion.1 = f32[4096,256]{1,0:T(8,128)} fusion(f32[4096,256]{1,0:T(8,128)} %a), "
		  "kind=kLoop",
	    300, 0, 0.1);
}

static struct scene *batch(bool bad)
{
	static const char *const text[] = {
		"%convolution.1 = f32[16,112,112,64]{3,0,2,1:T(8,128)} "
		"convolution(f32[16,224,224,3]{0,3,2,1:T(8,128)} "
		"%p.1, f32[7,7,3,64]{3,2,1,0:T(4,128)} %p.2), window={size=7x7}, dim_labels=b01f_01io->b01f",
		"%convolution.1 = f32[12,112,112,64]{3,0,2,1:T(8,128)} "
		"convolution(f32[12,224,224,3]{0,3,2,1:T(8,128)} "
		"%p.1, f32[7,7,3,64]{3,2,1,0:T(4,128)} %p.2), window={size=7x7}, dim_labels=b01f_01io->b01f",
	};
	struct scene *x = ops("convolution.1", "convolution", text[bad], 300, 0.8, 0.1);

	add_op(x, "convolution.2", "convolution", text[bad], 300, 0.8, 0.1);
	return x;
}

/* Both programs copy: one into another layout, one into another memory. */
static struct scene *avoidable(bool bad)
{
	static const char *const code[] = {
		"HloModule m, is_scheduled=true\n\nENTRY main {\n  a = f32[256,128]{1,0} parameter(0)\n"
		"  b = f32[256,128]{1,0} negate(a)\n  copy.1 = f32[256,128]{1,0:S(1)} copy(b)\n"
		"  ROOT c = f32[256,128]{1,0} negate(copy.1)\n}\n",
		"HloModule m, is_scheduled=true\n\nENTRY main {\n  a = f32[256,128]{1,0} parameter(0)\n"
		"  b = f32[256,128]{1,0} negate(a)\n  copy.1 = f32[256,128]{0,1} copy(b)\n"
		"  ROOT c = f32[256,128]{0,1} negate(copy.1)\n}\n",
	};
	struct scene *x = ops("copy.1", "copy", "", 300, 0, 0.1);
	struct hlo_module *m;

	dump_add_file(x->d, &(struct file){ .path = (char *)"m.txt", .kind = FILE_HLO_TEXT });
	m = hlo_module_add(x->d, "m", 1, 0, 7);
	m->origin = HLO_TEXT;
	m->code = text_of(code[bad]);
	return x;
}

static struct scene *layers(bool bad)
{
	return ops("convolution.3", "convolution",
	    bad ? "%convolution.3 = f32[1024,384]{1,0:T(8,128)} convolution(f32[1024,1024]{1,0:T(8,128)} %a, "
		  "f32[1024,384]{1,0:T(8,128)} %b), dim_labels=bf_io->bf"
		: "%convolution.3 = f32[1024,512]{1,0:T(8,128)} convolution(f32[1024,1024]{1,0:T(8,128)} %a, "
		  "f32[1024,512]{1,0:T(8,128)} %b), dim_labels=bf_io->bf",
	    300, 0.8, 0.1);
}

static struct scene *batch_norm(bool bad)
{
	static const char *const text[] = {
		"%convolution.1 = f32[32,112,112,64]{3,0,2,1:T(8,128)} "
		"convolution(f32[32,224,224,3]{0,3,2,1:T(8,128)} "
		"%p.1, f32[7,7,3,64]{3,2,1,0:T(4,128)} %p.2), window={size=7x7}, dim_labels=b01f_01io->b01f",
		"%convolution.1 = f32[8,112,112,64]{3,0,2,1:T(8,128)} "
		"convolution(f32[8,224,224,3]{0,3,2,1:T(8,128)} "
		"%p.1, f32[7,7,3,64]{3,2,1,0:T(4,128)} %p.2), window={size=7x7}, dim_labels=b01f_01io->b01f",
	};
	struct scene *x = ops("convolution.1", "convolution", text[bad], 300, 0.8, 0.1);

	add_op(x, "convolution.2", "convolution", text[bad], 300, 0.8, 0.1);
	x->db.v[1].provenance = text_of("jit(f)/BatchNorm_0/mul:mul");
	return x;
}

static struct scene *varies(bool bad)
{
	struct scene *x = scene_new(NULL, false);

	add_steps(x,
	    bad ? (const int64_t[]){ 1000, 1300, 900, 1200, 1000, 1100 }
		: (const int64_t[]){ 1000, 1001, 1002, 1000, 1001, 1000 },
	    6);
	return x;
}

static struct scene *warm(bool bad)
{
	struct scene *x = scene_new(NULL, false);

	add_steps(x, (const int64_t[]){ bad ? 3000 : 1100, 1000, 1001, 1002, 1000, 1001 }, 6);
	return x;
}

/* Steps of a host, which says their numbers, may not be the first of the job. */
static void a_job_that_runs_for_long_does_not_warm_up(void **state)
{
	static const struct {
		int64_t number;
		bool compiles, found;
	} cases[] = { { 346, false, false }, { 0, false, true }, { 1, false, true }, { 346, true, true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scene *x = warm(true);
		struct mkspace s = { 0 };
		struct findings f;

		space_host(&s);
		space_event(&s, cases[i].compiles ? "BackendCompile" : "work", 0, 500 * PS_PER_MS);
		dump_close(x->d);
		x->d = space_load(&s, 1);
		x->files = true;
		x->steps.source = STEPS_HOST;
		for (int64_t k = 0; k < 6; k++) {
			x->steps.v[k].core = -1;
			snprintf(x->steps.v[k].number, sizeof x->steps.v[k].number, "train %d",
			    (int)(cases[i].number + k));
		}
		build(x, &f);
		assert_int_equal(finding_of(&f, "warm_steps") != NULL, cases[i].found);
		if (!cases[i].found)
			assert_string_equal(check_of(&f, "warm_steps")->text,
			    "first step 3.00× the median, in a job that runs for long");
		findings_free(&f);
		scene_free(x);
	}
}

static struct scene *gaps(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 5; i++)
		space_event(&s, "jit_f(7)", i * 1000000, bad ? 600000 : 990000);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *programs(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 2, "XLA Modules");
	space_event(&s, "jit_f(7)", 0, 10);
	space_event(&s, "jit_f(7)", 10, 10);
	space_event(&s, bad ? "jit_f(8)" : "jit_g(8)", 20, 10);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *compiling(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/host:CPU");
	space_line(&s, 2, "main");
	space_event(&s, bad ? "BackendCompile" : "train", 0, 1000000);
	space_event(&s, "train", 1000000, 1000000);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *device(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, bad ? "/host:CPU" : "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	return scene_new(space_load(&s, 1), true);
}

/* A device whose events end after 1 s; the host goes on for 4 s, and launches more, or does not. */
static struct scene *ends_early(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 1000 * PS_PER_MS);
	space_host(&s);
	for (int i = 0; i < 5; i++)
		space_event(&s, bad ? "TpuLoadedProgram DoEnqueueProgram" : "wait", i * 1000 * PS_PER_MS,
		    PS_PER_MS);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *python(bool bad)
{
	struct mkspace s = { 0 };

	space_host(&s);
	for (int i = 0; i < 10; i++)
		space_event(&s, i % 5 || !bad ? "work" : "$train.py:12 step", i * 10, 5);
	return scene_new(space_load(&s, 1), true);
}

/* Few of them, as of another tool, do not slow the host down. */
static struct scene *few_python(void)
{
	struct mkspace s = { 0 };

	space_host(&s);
	for (int i = 0; i < 100; i++)
		space_event(&s, i % 50 ? "work" : "$train.py:12 step", i * 10, 5);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *dropped(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	pb_stat_u(&s.plane, 6, space_name(s.stat, &s.nstats, "dropped_traces"), 3, bad ? 7 : 0);
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	return scene_new(space_load(&s, 1), true);
}

/* Kernels of 100 us, one after the other, of which the second may end after all others. */
static struct scene *streams(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:GPU:0");
	space_line(&s, 20, "Stream #20(Compute)");
	for (int i = 0; i < 5; i++)
		space_event(&s, i % 2 ? "fmha" : "gemm", i * 110 * PS_PER_US,
		    (i == 1 && bad ? 3600 : 100) * PS_PER_US);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *starts_late(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", (bad ? 3000 : 1000) * PS_PER_MS, 1000 * PS_PER_MS);
	space_host(&s);
	space_event(&s, "BackendCompile", 0, 500 * PS_PER_MS);
	space_event(&s, "wait", 600 * PS_PER_MS, 4400 * PS_PER_MS);
	return scene_new(space_load(&s, 1), true);
}

/* profile_options of a capture of the device alone; with another level they have another byte. */
static struct scene *levels(bool bad)
{
	struct mkspace s = { 0 };
	struct pb stat;

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	space_plane(&s, 2, "Task Environment");
	stat = pb_stat(space_name(s.stat, &s.nstats, "profile_options"));
	pb_bytes(&stat, 6, bad ? "\x18\x01\x28\x01" : "\x10\x02\x18\x01\x28\x01", bad ? 4 : 6);
	pb_sub(&s.plane, 6, &stat);
	return scene_new(space_load(&s, 1), true);
}

static struct scene *few_steps(bool bad)
{
	struct scene *x = device(false);
	int64_t dur[] = { STEP_PS, STEP_PS, STEP_PS, STEP_PS, STEP_PS };
	struct step_cores *c = add_cores(x);

	c->nsteps = 5;
	for (int i = 0; i < 4 && bad; i++)
		c->step[i].everywhere = false;
	add_steps(x, dur, 5);
	return x;
}

/* A fifth of the runs begins before its launch. */
static struct scene *early_runs(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 2, "XLA Modules");
	for (int i = 0; i < 20; i++) {
		space_event(&s, "jit_f(7)", (100 + i * 20 - (bad && i < 4 ? 12 : 0)) * PS_PER_MS, PS_PER_MS);
		space_int(&s, "run_id", i);
	}
	space_host(&s);
	for (int i = 0; i < 20; i++) {
		space_event(&s, "DoEnqueueProgram", (100 + i * 20) * PS_PER_MS - (i ? PS_PER_MS : 0),
		    PS_PER_US);
		space_int(&s, "run_id", i);
		space_int(&s, "device_ordinal", 0);
	}
	return scene_new(space_load(&s, 1), true);
}

/* Programs on four devices, of which the file has some. */
static struct scene *planes_of(unsigned planes)
{
	struct mkspace s = { 0 };
	char name[32];

	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof name, "/device:TPU:%d", i);
		if (!(planes & 1u << i))
			continue;
		space_plane(&s, i, name);
		space_line(&s, 3, "XLA Ops");
		space_event(&s, "fusion.1", 0, 10);
	}
	space_host(&s);
	for (int i = 0; i < 4; i++) {
		space_event(&s, "DoEnqueueProgram", 0, 1);
		space_int(&s, "device_ordinal", i);
	}
	return scene_new(space_load(&s, 1), true);
}

static struct scene *planes(bool bad)
{
	return planes_of(bad ? 5 : 15);
}

/* Two hosts of a slice, or with a number between them that nobody has. */
static struct scene *hosts_of_slice(bool bad)
{
	struct scene *x = device(false);

	dump_host(x->d, "t1v-n-7-w-0", 11);
	dump_host(x->d, bad ? "t1v-n-7-w-3.c.internal" : "t1v-n-7-w-1.c.internal", 22);
	return x;
}

static struct scene *sparse_calls(bool bad)
{
	struct scene *x = device(false);

	add_op(x, bad ? "lookup.1.call-start" : "lookup.1", "custom-call", "", 10, 0, 0);
	return x;
}

static struct scene *empty(bool bad)
{
	struct scene *x = device(false);

	if (bad)
		dump_add_file(x->d,
		    &(struct file){ .path = (char *)"t-1.xplane.pb",
			.base = "t-1.xplane.pb",
			.kind = FILE_XSPACE });
	return x;
}

static struct scene *hosts(bool bad)
{
	struct mkspace s[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		space_plane(&s[i], 1, bad && i ? "/host:CPU" : "/device:TPU:0");
		space_line(&s[i], 3, "XLA Ops");
		space_event(&s[i], "fusion.1", 0, 10);
	}
	return scene_new(space_load(s, 2), true);
}

static struct scene *damaged(bool bad)
{
	struct scene *x = device(false);

	x->d->files[0].partial = bad;
	return x;
}

static struct scene *incomplete(bool bad)
{
	struct scene *x = scene_new(NULL, false);

	add_cores(x)->incomplete = bad;
	return x;
}

static struct scene *peaks(bool bad)
{
	struct scene *x = ops("fusion.1", "loop fusion", "", 10, 0.1, 0.1);

	x->db.peaks.assumed = bad;
	return x;
}

static struct scene *hlo(bool bad)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), proto;
	struct mkspace s = { 0 };
	struct scene *x;

	hlo_add(&entry, hlo_new("fusion.1", "fusion", 1));
	pb_sub(&m, 3, &entry);
	proto = hlo_proto(&m);
	space_plane(&s, 1, "/host:metadata");
	space_meta_bytes(&s, bad ? "jit_f(8)" : "jit_f(7)", "Hlo Proto", proto.b, proto.n);
	pb_free(&proto);
	x = scene_new(space_load(&s, 1), true);
	add_op(x, "fusion.1", "loop fusion", "", 10, 0.1, 0.1);
	return x;
}

static struct scene *clocks(bool bad)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	for (int i = 0; i < 40; i++) {
		int64_t at = i * 20 * PS_PER_MS;

		space_event(&s, "fusion.1", at, PS_PER_MS);
		space_pair(&s, at + (bad && i % 8 == 7 ? 5 * PS_PER_MS : 0), PS_PER_MS);
	}
	return scene_new(space_load(&s, 1), true);
}

/* A graph with a text in it, or a number. */
static struct scene *tf_graph(bool bad)
{
	static struct pb bytes;
	struct scene *x = scene_new(NULL, false);

	pb_free(&bytes);
	tf_node(&bytes, 1, "a/in", "Placeholder", "/device:TPU:0", NULL);
	tf_node(&bytes, 1, "a/text", bad ? "AsString" : "Cast", "/device:TPU:0", "a/in", NULL);
	dump_add_file(x->d, &(struct file){ .path = (char *)"graph.pb", .kind = FILE_TF_GRAPH });
	tf_graph_add(x->d, 0, TF_FILE, text_of(""), &(struct slice){ (const char *)bytes.b, bytes.n }, 1);
	tf_graph_choose(x->d);
	return x;
}

/* Host steps that begin every ms. */
static struct scene *sleeps(bool bad)
{
	int64_t part = bad ? STEP_PS / 4 : STEP_PS - 1000, dur[6] = { part, part, part, part, part, part };
	struct scene *x = scene_new(NULL, false);

	add_steps(x, dur, 6);
	x->steps.source = STEPS_HOST;
	for (int i = 0; i < 6; i++)
		x->steps.v[i].interval = i < 5 ? STEP_PS : -1;
	return x;
}

/* The same with the thread that has them, on which that comes right behind each step, for so long. */
static struct scene *sleeps_after(const char *event, int64_t ps)
{
	struct scene *x = sleeps(true);
	struct mkspace s = { 0 };

	space_host(&s);
	for (int i = 0; i < 6; i++) {
		space_event(&s, "train", i * STEP_PS, STEP_PS / 4);
		space_event(&s, event, i * STEP_PS + STEP_PS / 4, ps);
	}
	dump_close(x->d);
	x->d = space_load(&s, 1);
	x->files = true;
	for (size_t i = 0; i < 6; i++) {
		x->steps.v[i].track = 0;
		x->steps.v[i].event = x->steps.v[i].last = 2 * i;
	}
	return x;
}

static void time_between_steps_has_a_name(void **state)
{
	static const struct {
		const char *event, *text;
		int64_t ps;
	} sees[] = {
		{ "log",
		    "75 % of the time; the host does nothing traced for 700 µs, after log and before train",
		    STEP_PS / 20 },
		{ "load", "75 % of the time; mostly in load, 500 µs after step", STEP_PS / 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof sees / sizeof *sees; i++) {
		struct scene *x = sleeps_after(sees[i].event, sees[i].ps);
		struct findings f;

		build(x, &f);
		if (!strstr(finding_of(&f, "between_steps")->evidence, sees[i].text))
			fail_msg("%s", finding_of(&f, "between_steps")->evidence);
		assert_true(finding_of(&f, "between_steps")->proof.last >
		    finding_of(&f, "between_steps")->proof.first);
		findings_free(&f);
		scene_free(x);
	}
}

/* Steps of 1 ms of which the overview knows a tenth: another thread works for the rest, but for a part. */
static struct scene *worked_by_others(int64_t part)
{
	int64_t dur[3] = { STEP_PS, STEP_PS, STEP_PS };
	struct scene *x = generic("otherTimeMs", 9);
	struct mkspace s = { 0 };

	space_host(&s);
	space_event(&s, "epoch", 0, 3 * STEP_PS);
	for (int i = 0; i < 3; i++)
		space_event(&s, "train", i * STEP_PS, STEP_PS);
	space_line(&s, 2, "pool");
	for (int i = 0; i < 3; i++)
		space_event(&s, "dot", i * STEP_PS + part, STEP_PS - part);
	space_event(&s, "$threading.py:1 wait", 0, 2 * STEP_PS);
	dump_close(x->d);
	x->d = space_load(&s, 1);
	x->files = true;
	add_steps(x, dur, 3);
	x->steps.source = STEPS_HOST;
	return x;
}

static void work_of_other_threads_is_seen(void **state)
{
	struct scene *x = worked_by_others(STEP_PS / 100);
	struct findings f;

	(void)state;
	build(x, &f);
	assert_null(finding_of(&f, "all_others"));
	assert_string_equal(check_of(&f, "all_others")->text, "1.0 %");
	findings_free(&f);
	scene_free(x);
	x = worked_by_others(STEP_PS / 4);
	build(x, &f);
	assert_non_null(strstr(finding_of(&f, "all_others")->evidence, "25.0 % of the step time"));
	findings_free(&f);
	scene_free(x);
}

static const struct rule_case scenes[] = {
	{ "input_bound", input, SEVERITY_HIGH, "300 µs of 1.00 ms per step; 30.0 – 30.0 %",
	    "input:step 100 core 0:0" },
	{ "output_bound", output, SEVERITY_MEDIUM, "8.0 % of the core time", "overview:" },
	{ "host_overhead", idle, SEVERITY_HIGH, "400 µs of 1.00 ms", "timeline:step 100 core 0:0" },
	{ "module_gaps", gaps, SEVERITY_HIGH, "4 gaps on 1 core", "timeline:" },
	{ "between_steps", sleeps, SEVERITY_HIGH, "750 µs pass between two of 6 steps", "timeline:" },
	{ "straggler_core", slow_core, SEVERITY_HIGH, "core 1 of ", "pod:step 100 core 2:1" },
	{ "straggler_host", slow_host, SEVERITY_HIGH, "median of 4 hosts", "pod:step 100 core 2:0" },
	{ "imbalance", uneven, SEVERITY_HIGH, "1.00 ms per step without waiting on core 0 of ",
	    "pod:step 100 core 0:0" },
	{ "hot_link", links, SEVERITY_MEDIUM,
	    "channel 12, core 0 of ? to core 1 of ?: 80.0 µs, median of 5 of its kind 10.0 µs",
	    "pod:channel 12" },
	{ "missing_cores", missing, SEVERITY_MEDIUM, "2 of at least 10 chips are", "pod:" },
	{ "hosts_apart", apart, SEVERITY_LOW, "starts its steps 200 µs later than most hosts",
	    "pod:core 2:0" },
	{ "mixed_files", mixed, SEVERITY_MEDIUM, "1 host (w-0) came in several files", "pod:" },
	{ "collective_wait", waiting, SEVERITY_MEDIUM, "125 µs of 1.00 ms", "pod:" },
	{ "collectives", collectives, SEVERITY_HIGH, "33.0 % of the core time", "pod:" },
	{ "memory_bound", memory, SEVERITY_HIGH,
	    "1 op at 90 % of HBM bandwidth (900 GB/s), FLOPS 10.0 %: 66.7 %", "roofline:fusion.1" },
	{ "matmul_low", matmul, SEVERITY_HIGH, "1 op at 20 % of peak FLOPS", "ops:fusion.1" },
	{ "elementwise", loops, SEVERITY_MEDIUM, "1 op at 80 % of HBM bandwidth: 23.1 %", "ops:fusion.1" },
	{ "padding", padded, SEVERITY_MEDIUM, "dimension 3 is padded to 128", "ops:fusion.1" },
	{ "batch", batch, SEVERITY_HIGH, "batch 12 per core in 2 of 2 convolutions (global 96 on 8 cores)",
	    "ops:" },
	{ "batch_norm", batch_norm, SEVERITY_MEDIUM, "its own batch of 8 (global 64)", "ops:convolution.1" },
	{ "layer_size", layers, SEVERITY_LOW, "1 op, 23.1 % of op time, with output feature 384",
	    "ops:convolution.3" },
	{ "host_copies", host_copies, SEVERITY_HIGH,
	    "1 op, 33.3 % of op time: copies between host memory (S(5)) and the device, which waits (47.7 "
	    "MiB "
	    "of HBM traffic)",
	    "ops:copy-done.1" },
	{ "data_formatting", formatting, SEVERITY_HIGH,
	    "1 op, 37.5 % of op time: read and written only to change the layout", "ops:copy.1" },
	{ "avoidable", avoidable, SEVERITY_HIGH,
	    "1 op, 23.1 % of op time; most of it only changes the layout", "ops:copy.1" },
	{ "copy_wait", copies, SEVERITY_MEDIUM, "1 op, 23.1 % of op time: waiting for copies",
	    "ops:copy-done.1" },
	{ "collectives_serial", serial, SEVERITY_LOW,
	    "13 % of the time in flight is hidden; the core sits in them for 20.0 % of the step: "
	    "all-gather-start.1 ",
	    "ops:all-gather-start.1" },
	{ "slow_axis", slow_axis, SEVERITY_MEDIUM,
	    "y uses 12 % of what its links carry (100 GB/s), for 20.0 % of the step; a mesh of 2x2x1 chips "
	    "is "
	    "assumed",
	    "ops:all-gather-start.1" },
	{ "recompute", again, SEVERITY_MEDIUM,
	    "30.0 % of the op time computes activations again, 100 % of that in f", "ops:fusion.1" },
	{ "tiny_ops", tiny, SEVERITY_MEDIUM, "600 runs, mean 500 ns", "ops:add.1" },
	{ "custom_calls", customs, SEVERITY_MEDIUM, "1 op without FLOPs: 33.3 %", "ops:custom-call.1" },
	{ "outside_compilation", outside, SEVERITY_HIGH, "1 op exchanging data", "ops:send-done.1" },
	{ "eager", eager, SEVERITY_MEDIUM, "12.0 % of the device's op time", "ops:" },
	{ "sparsecore", sparse, SEVERITY_MEDIUM, "12.0 %", "overview:" },
	{ "kernel_launch", launch, SEVERITY_MEDIUM, "10.0 % of the step time", "overview:" },
	{ "all_others", others, SEVERITY_HIGH, "20.0 % of the step time is neither compute, input, ",
	    "timeline:" },
	{ "compile", compiling, SEVERITY_HIGH, "compiled 1 time", "timeline:BackendCompile" },
	{ "recompiled", programs, SEVERITY_LOW, "2 different programs named jit_f ran", "timeline:" },
	{ "step_varies", varies, SEVERITY_MEDIUM,
	    "900 ps – 1.30 ns, sd 147 ps (13.6 %) over 6 steps; slowest step 101", "timeline:step 101" },
	{ "warm_steps", warm, SEVERITY_LOW,
	    "the first of 6 steps takes 3.00 ns, the median is 1.00 ns (3.0×); averages over all steps "
	    "include it",
	    "timeline:step 100" },
	{ "no_device", device, SEVERITY_MEDIUM, "1 plane on 1 host,", "timeline:" },
	{ "device_ends_early", ends_early, SEVERITY_HIGH,
	    "end 3.00 s before the host's, which launched 3 more programs: 75 % of", "timeline:" },
	{ "python_tracer", python, SEVERITY_LOW, "2 of 10 host events are Python calls", "timeline:" },
	{ "dropped_events", dropped, SEVERITY_HIGH, "dropped_traces is 7 in plane /device:TPU:0",
	    "timeline:" },
	{ "stream_overlap", streams, SEVERITY_MEDIUM,
	    "fmha on Stream #20(Compute) lasts 3.60 ms, but 3 of the stream's next begin during it, the "
	    "first 110 µs "
	    "after it: at most that is possible; 87.2 % of the time of the streams is not (1 event)",
	    "timeline:fmha" },
	{ "device_starts_late", starts_late, SEVERITY_LOW,
	    "nothing ran on the device for the first 3.00 s, 60 % of the capture: a host thread compiled for "
	    "500 ms",
	    "timeline:" },
	{ "partial_trace_levels", levels, SEVERITY_LOW, "host_tracer_level was 0 on host-0", "timeline:" },
	{ "short_capture", few_steps, SEVERITY_MEDIUM, "1 whole step: no spread", "overview:" },
	{ "clocks_apart", early_runs, SEVERITY_LOW, "12.0 ms early: 4 of 20 runs begin more than 1 ms before",
	    "timeline:" },
	{ "missing_planes", planes, SEVERITY_MEDIUM,
	    "programs were enqueued on devices 0-3, the file has the planes of 0 and 2", "timeline:" },
	{ "missing_host", hosts_of_slice, SEVERITY_MEDIUM,
	    "2 of at least 4 hosts are not in the capture: their names count to t1v-n-7-w-3", "pod:" },
	{ "sparsecore_missing", sparse_calls, SEVERITY_LOW, "1 op of theirs waits for SparseCores",
	    "ops:lookup.1.call-start" },
	{ "empty_file", empty, SEVERITY_HIGH, "t-1.xplane.pb is empty: above 2 GB", "files:" },
	{ "partial_hosts", hosts, SEVERITY_MEDIUM, "1 of 2 hosts has no", "pod:" },
	{ "tpu_ops", tf_graph, SEVERITY_MEDIUM, "1 of 2 nodes (50 % can run on a TPU)", "tf_graph:a/text" },
	{ "damaged", damaged, SEVERITY_MEDIUM, "what could be read of it is shown", "timeline:" },
	{ "incomplete_steps", incomplete, SEVERITY_LOW, "1 of 8 steps is not", "pod:" },
	{ "assumed_peaks", peaks, SEVERITY_LOW, "100.0 TFLOP/s and 1000.0 GB/s", "overview:" },
	{ "no_hlo", hlo, SEVERITY_LOW, "no HLO proto", "ops:" },
	{ "clock_jump", clocks, SEVERITY_LOW, "on 1 of 1 cores", "timeline:" },
};

static const struct rule_case *case_at(size_t i)
{
	return i < sizeof scenes / sizeof *scenes ? &scenes[i] : NULL;
}

static struct rule_scenes rules = { case_at, build, scene_free, NULL, NULL, NULL };

/* Stopping is not damage: the files may be whole. */
static void a_stopped_load_is_not_damaged(void **state)
{
	struct scene *x = damaged(true);
	struct findings f;

	(void)state;
	x->d->canceled = true;
	build(x, &f);
	assert_null(finding_of(&f, "damaged"));
	assert_int_equal(check_of(&f, "damaged")->state, CHECK_UNKNOWN);
	assert_string_equal(check_of(&f, "damaged")->text, "loading was stopped; F5 reads the rest");
	findings_free(&f);
	scene_free(x);
}

/* Devices that several processes share have their planes in other files. */
static void planes_of_another_process_are_not_missing(void **state)
{
	struct scene *x = planes_of(1);
	struct findings f;

	(void)state;
	build(x, &f);
	assert_null(finding_of(&f, "missing_planes"));
	assert_int_equal(check_of(&f, "missing_planes")->state, CHECK_HINT);
	assert_string_equal(check_of(&f, "missing_planes")->text,
	    "programs were enqueued on devices 0-3, the file has the plane of 0: open the files of all "
	    "processes");
	findings_free(&f);
	scene_free(x);
	x = planes_of(7);
	build(x, &f);
	assert_non_null(finding_of(&f, "missing_planes"));
	findings_free(&f);
	scene_free(x);
}

static void few_python_calls_are_counted(void **state)
{
	struct scene *x = few_python();
	struct findings f;

	(void)state;
	build(x, &f);
	assert_null(finding_of(&f, "python_tracer"));
	assert_int_equal(check_of(&f, "python_tracer")->state, CHECK_PASSED);
	assert_string_equal(check_of(&f, "python_tracer")->text, "2 of 100 host events are Python calls");
	findings_free(&f);
	scene_free(x);
}

static void reason_is(struct scene *x, const char *id, const char *reason)
{
	struct findings f;

	build(x, &f);
	assert_null(finding_of(&f, id));
	assert_int_equal(check_of(&f, id)->state, CHECK_UNKNOWN);
	assert_string_equal(check_of(&f, id)->text, reason);
	findings_free(&f);
}

/* Why a check is not possible is what the input lacks, not what it might lack. */
static void a_reason_is_true_of_the_input(void **state)
{
	struct scene *x = device(true); /* of the host alone */
	struct mkspace s = { 0 };
	struct toolfile *t;

	(void)state;
	x->d->files[0].partial = true;
	reason_is(x, "no_device", "no device plane could be read: the input is damaged or cut off");
	reason_is(x, "elementwise", "no device plane could be read: the input is damaged or cut off");
	x->d->canceled = true; /* by the user: nothing is damaged */
	reason_is(x, "no_device", "no device plane could be read: loading was stopped; F5 reads the rest");
	reason_is(x, "elementwise", "no device plane could be read: loading was stopped; F5 reads the rest");
	reason_is(x, "memory_limit", "no HLO proto could be read: loading was stopped; F5 reads the rest");
	scene_free(x);
	space_plane(&s, 1, "/device:GPU:0");
	space_line(&s, 3, "Stream #16(Kernel)");
	space_event(&s, "loop_add_fusion", 0, 10);
	x = scene_new(space_load(&s, 1), true);
	reason_is(x, "elementwise", "kernels of a GPU are not HLO ops; see Kernels, or report kernels");
	scene_free(x);
	x = scene_new(NULL, false);
	reason_is(x, "elementwise", "no times in this input: it is not a capture");
	t = toolfile_add(x->d,
	    dump_add_file(x->d, &(struct file){ .path = (char *)"a.json", .kind = FILE_OP_PROFILE }));
	assert_non_null(t);
	reason_is(x, "elementwise", "a profiler's results have no single ops or events");
	scene_free(x);
}

/* Without steps the pod view is empty: the files say who is there. */
static void a_proof_is_never_empty(void **state)
{
	struct scene *x = missing(true);
	const struct finding *one;
	struct findings f;

	(void)state;
	x->pod.cores.nsteps = 0;
	build(x, &f);
	one = finding_of(&f, "missing_cores");
	assert_non_null(one);
	assert_int_equal(one->proof.evidence, EVIDENCE_FILES);
	findings_free(&f);
	scene_free(x);
}

/* By value: another program has an op of that name, and it takes more time. */
static void an_op_is_that_of_its_program(void **state)
{
	struct scene *x = ops("copy.1", "data formatting", "", 600, 0, 0.5);
	const struct finding *one;
	struct findings f;

	(void)state;
	x->db.v[0].name = x->db.v[1].name;
	x->db.v[1].program = 8;
	build(x, &f);
	one = finding_of(&f, "data_formatting");
	assert_non_null(one);
	assert_int_equal(one->proof.kind, REF_OP);
	assert_int_equal(one->proof.name, x->db.v[1].name);
	assert_int_equal(one->proof.program, 8);
	findings_free(&f);
	scene_free(x);
}

/* A copy that keeps the layout is not there to change it: donating helps, another layout does not. */
static void a_copy_may_keep_the_layout(void **state)
{
	static const char
	    kept[] =
		"%copy.1 = bf16[4,2,8]{2,1,0:T(8,128)(2,1)S(1)} copy(bf16[4,2,8]{2,1,0:T(8,128)(2,1)} %a)",
	    changed[] =
		"%copy.2 = bf16[4,2,8]{1,2,0:T(8,128)(2,1)} copy(bf16[4,2,8]{2,1,0:T(8,128)(2,1)} %a)";
	struct scene *x = ops("copy.1", "data formatting", kept, 600, 0, 0.5);
	const struct finding *one;
	struct findings f;

	(void)state;
	build(x, &f);
	one = finding_of(&f, "data_formatting");
	assert_string_equal(one->title, "Arrays are copied without a change");
	assert_non_null(strstr(one->evidence, "37.5 % of op time: copies that keep the layout ("));
	assert_non_null(strstr(one->advice, "Donate buffers"));
	assert_null(strstr(one->advice, "transposes"));
	findings_free(&f);
	add_op(x, "copy.2", "data formatting", changed, 900, 0, 0.5);
	build(x, &f);
	one = finding_of(&f, "data_formatting");
	assert_string_equal(one->title, "Copies that only change layouts");
	assert_non_null(strstr(one->evidence,
	    "60.0 % of op time: 24.0 % copies that keep the layout, 36.0 % change it ("));
	assert_non_null(strstr(one->advice, "transposes"));
	findings_free(&f);
	scene_free(x);
}

/* No steps, no ops, no device: nothing is said of what was not measured. */
static void nothing_measured_nothing_found(void **state)
{
	struct finding_input in = { 0 };
	struct findings f;
	struct scene *x;

	(void)state;
	findings_build(&in, &f);
	assert_int_equal(f.n, 0);
	assert_int_equal(f.count[CHECK_PASSED], 0);
	assert_int_equal(check_of(&f, "matmul_low")->state, CHECK_UNKNOWN);
	expect_outcomes(&f);
	findings_free(&f);
	x = scene_new(NULL, false);
	build(x, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	scene_free(x);
	x = ops("fusion.1", "loop fusion", "", 1000, 0.01, 0.9); /* the peaks are not known */
	x->db.peaks = (struct op_peaks){ 0 };
	build(x, &f);
	assert_null(finding_of(&f, "elementwise"));
	assert_int_equal(check_of(&f, "elementwise")->state, CHECK_UNKNOWN);
	assert_non_null(strstr(check_of(&f, "elementwise")->text, "peaks"));
	findings_free(&f);
	scene_free(x);
}

/* Without infeed a wait for input is idle time; without categories nobody knows what an op is. */
static void what_is_not_known_has_not_passed(void **state)
{
	struct scene *x = metric(METRIC_IDLE, 10);
	struct findings f;
	char *labels;
	char text[96];

	(void)state;
	build(x, &f);
	assert_int_equal(check_of(&f, "input_bound")->state, CHECK_UNKNOWN);
	assert_non_null(strstr(check_of(&f, "input_bound")->text, "10.0 % idle"));
	findings_free(&f);
	scene_free(x);
	x = metric(METRIC_IDLE, 1);
	build(x, &f);
	assert_int_equal(check_of(&f, "input_bound")->state, CHECK_PASSED);
	findings_free(&f);
	scene_free(x);
	x = ops("fusion.1", "", "", 1000, 0.01, 0.9);
	for (size_t i = 0; i < x->db.n; i++)
		x->db.v[i].category.n = 0;
	build(x, &f);
	assert_int_equal(check_of(&f, "data_formatting")->state, CHECK_UNKNOWN);
	for (size_t i = 0; i < f.nchecks; i++)
		if (!strcmp(f.check[i].id, "data_formatting"))
			assert_null(findings_unknown(&f, i)); /* named with the first of its reason */
		else if (!strcmp(f.check[i].id, "memory_bound")) {
			assert_non_null(labels = findings_unknown(&f, i));
			assert_non_null(strstr(labels, "Data formatting"));
			free(labels);
		}
	assert_non_null(strstr(findings_counts(&f, text, sizeof text), " not possible"));
	findings_free(&f);
	scene_free(x);
	x = ops("kernel.1", "custom-call", "", 1000, 0, 0.9); /* no op has FLOPs: custom calls hide none */
	x->db.no_flops = x->db.n;
	build(x, &f);
	assert_int_equal(check_of(&f, "custom_calls")->state, CHECK_UNKNOWN);
	findings_free(&f);
	scene_free(x);
}

static void the_order_is_severity_then_cost(void **state)
{
	struct scene *x = metric(METRIC_INFEED, 25);
	struct findings f;

	(void)state;
	for (int i = 0; i < CORES * STEPS; i++) {
		x->cell[i].ps[METRIC_IDLE] = STEP_PS / 2;
		x->cell[i].ps[METRIC_OUTFEED] = STEP_PS / 10;
		x->cell[i].ps[METRIC_HIGH_FLOPS] = 0;
	}
	build(x, &f);
	assert_int_equal(f.n, 3);
	assert_string_equal(f.v[0].id, "host_overhead");
	assert_string_equal(f.v[1].id, "input_bound");
	assert_string_equal(f.v[2].id, "output_bound");
	assert_int_equal(f.v[0].cost_kind, COST_TIME);
	assert_true(fabs(f.v[0].cost - 0.5) < 1e-9);
	findings_free(&f);
	scene_free(x);
}

/* What the host does most comes first, what it does not do is not advised. */
static void advice_is_for_the_cause(void **state)
{
	static const struct column columns[] = {
		{ .id = "category", .label = "", .unit = "", .type = COL_STRING },
		{ .id = "time_us", .label = "", .unit = "us", .type = COL_NUMBER },
		{ .id = "share", .label = "", .unit = "", .type = COL_NUMBER },
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	struct scene *x = input(true);
	const struct finding *one;
	struct findings f;
	struct cell *c;

	(void)state;
	build(x, &f);
	assert_null(strstr(finding_of(&f, "input_bound")->advice, "num_parallel_calls"));
	findings_free(&f);
	table_begin(&x->in.breakdown, &columns_schema);
	c = table_row(&x->in.breakdown);
	c[0] = cell_str("enqueue", 7);
	c[1] = cell_num(100);
	c = table_row(&x->in.breakdown);
	c[0] = cell_str("preprocessing", 13);
	c[1] = cell_num(2500);
	build(x, &f);
	one = finding_of(&f, "input_bound");
	assert_int_equal(strncmp(one->advice, "Give preprocessing more", 23), 0);
	assert_null(strstr(one->advice, "Handing over"));
	assert_non_null(strstr(one->detail, "preprocessing\t2.50 ms in all"));
	assert_non_null(strstr(one->detail, "enqueue to device\t100 µs in all"));
	findings_free(&f);
	scene_free(x);
}

/* Of collectives without ids nobody knows how long they wait, but none transfers longer than the core that has
 * least of them. */
static void the_least_is_transfer_at_most(void **state)
{
	struct scene *x = metric(METRIC_COLLECTIVES, 30);
	const struct finding *one;
	struct findings f;

	(void)state;
	for (int s = 0; s < STEPS; s++)
		x->cell[s].ps[METRIC_COLLECTIVES] = STEP_PS / 100 * 8; /* of the first core */
	build(x, &f);
	one = finding_of(&f, "collectives");
	assert_non_null(one);
	assert_true(fabs(one->cost - 0.08) < 1e-9);
	assert_non_null(strstr(one->evidence, "at most 8.0 % transfer"));
	findings_free(&f);
	scene_free(x);
}

/* Waiting for a slow core is the core's cost, not that of collectives. */
static void a_straggler_explains_the_waiting(void **state)
{
	struct scene *x = slow_core(true);
	struct findings f;

	(void)state;
	for (size_t i = 0; i < CORES * STEPS; i++) {
		x->cell[i].sync = x->cell[i].ps[METRIC_COLLECTIVES] * 8 / 10;
		x->cell[i].sync_compute = x->cell[i].ps[METRIC_COLLECTIVES] - x->cell[i].sync;
	}
	build(x, &f);
	assert_non_null(finding_of(&f, "straggler_core"));
	assert_null(finding_of(&f, "collective_wait"));
	assert_null(finding_of(&f, "collectives"));
	findings_free(&f);
	scene_free(x);
}

/* The detail of the straggler: the core, its chip, or the host? */
static void say_slow(size_t from, size_t to, const char *id, const char *detail)
{
	struct scene *x = add_pod(slow(true, from, to));
	const struct finding *one;
	struct findings f;

	for (int i = 0; i < CORES; i++)
		x->core[i] = (struct step_core_info){ .host = i / 4, .core = i % 4, .chip = i / 2 };
	if (!strcmp(id, "straggler_host"))
		for (int i = 0; i < CORES; i++)
			x->core[i] = (struct step_core_info){ .host = i / 2, .core = i % 2, .chip = i };
	x->pod.topology.core = xcalloc(CORES, sizeof *x->pod.topology.core);
	x->pod.topology.ncores = CORES;
	x->pod.topology.source = TOPOLOGY_FILE;
	for (int i = 0; i < CORES; i++)
		x->pod.topology.core[i] = (struct topology_core){ .x = i / 2, .y = 1, .z = 0, .chip = i / 2 };
	build(x, &f);
	one = finding_of(&f, id);
	if (!one || (!strstr(one->evidence, detail) && !strstr(one->detail, detail)))
		fail_msg("%s: \"%s\" \"%s\"", id, one ? one->evidence : "not raised", one ? one->detail : "");
	for (size_t i = 0; i < f.n; i++)
		assert_true(strncmp(f.v[i].id, "straggler", 9) || !strcmp(f.v[i].id, id));
	findings_free(&f);
	scene_free(x);
}

static void a_straggler_is_a_core_a_chip_or_a_host(void **state)
{
	(void)state;
	say_slow(5, 6, "straggler_core", "core 1 of ? (chip 2 at 2,1,0): ");
	say_slow(5, 6, "straggler_core", "Others of its chip\t0 of 1 also slow");
	say_slow(5, 6, "straggler_core", "Others of its host\tnormal (at most 1.00×), so it is not the host");
	say_slow(4, 6, "straggler_core", "(chip 2 at 2,1,0) and its whole chip: ");
	say_slow(4, 6, "straggler_host", "median of 4 hosts");
}

/* A core of each host, and what its step has instead of compute: ms / 1000 */
static struct scene *shares(const int (*per_mille)[3])
{
	static const enum step_metric what[3] = { METRIC_IDLE, METRIC_COLLECTIVES, METRIC_RECV };
	struct scene *x = scene_new(NULL, false);

	add_cores(x);
	for (size_t k = 0; k < CORES; k++)
		for (size_t i = 0; i < STEPS; i++)
			for (int m = 0; m < 3; m++) {
				struct step_core *c = &x->cell[k * STEPS + i];

				c->ps[what[m]] = STEP_PS / 1000 * per_mille[k][m];
				c->ps[METRIC_HIGH_FLOPS] -= c->ps[what[m]];
			}
	return x;
}

static void is_straggler(const int (*per_mille)[3], const char *id)
{
	struct scene *x = shares(per_mille);
	struct findings f;

	build(x, &f);
	for (size_t i = 0; i < f.n; i++)
		assert_true(strncmp(f.v[i].id, "straggler", 9) != 0 || (id && !strcmp(f.v[i].id, id)));
	assert_true(!id || finding_of(&f, id));
	findings_free(&f);
	scene_free(x);
}

static void advice_of_host_is(struct scene *x, const char *has, const char *lacks)
{
	struct findings f;
	const char *advice;

	build(x, &f);
	advice = finding_of(&f, "straggler_host")->advice;
	assert_non_null(strstr(advice, has));
	assert_null(strstr(advice, lacks));
	findings_free(&f);
	scene_free(x);
}

/* A host that is late has no more to do. */
static void advice_fits_the_host(void **state)
{
	static const int late[CORES][3] = { { 0, 250 }, { 0, 240 }, { 0, 250 }, { 0, 240 }, { 250, 0 },
		{ 240, 0 }, { 0, 250 }, { 0, 240 } };

	(void)state;
	advice_of_host_is(shares(late), "host threads", "evenly");
	advice_of_host_is(slow_host(true), "evenly", "host threads");
}

/* Who idles does no work, whoever it waits for; it holds up the others only if they wait for it. */
static void idle_time_is_no_work(void **state)
{
	static const int
	    /* hosts wait for each other, so that all cores but that which works idle */
	    barrier[CORES][3] = { { 250 }, { 250 }, { 250 }, { 250 }, { 250 }, { 0 }, { 250 }, { 250 } },
	    /* idles in each step, and nobody waits for it */
	    idles[CORES][3] = { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 250 }, { 0 }, { 0 } },
	    /* waits for data, and the others for it */
	    late[CORES][3] = { { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 }, { 250, 0 },
		    { 0, 250 }, { 0, 250 } },
	    /* waits for what it receives */
	    receives[CORES][3] = { { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 0, 250 },
		    { 0, 250 }, { 0, 250 } },
	    /* both cores of a host wait for data */
	    host[CORES][3] = { { 0, 250 }, { 0, 240 }, { 0, 250 }, { 0, 240 }, { 250, 0 }, { 240, 0 },
		    { 0, 250 }, { 0, 240 } };

	(void)state;
	is_straggler(barrier, "straggler_core");
	is_straggler(idles, NULL);
	is_straggler(late, "straggler_core");
	is_straggler(receives, NULL);
	is_straggler(host, "straggler_host");
}

/* Cores that exchange data in pairs end when they are done: the first of them did not come late. */
static void who_ends_first_is_not_late(void **state)
{
	static const int first[CORES][3] = { { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 }, { 0, 250 },
		{ 250, 0 }, { 0, 250 }, { 0, 250 } };

	(void)state;
	for (int matched = 0; matched < 2; matched++) {
		struct scene *x = shares(first);
		struct findings f;

		for (size_t i = 0; i < STEPS; i++)
			x->cell[5 * STEPS + i].tail = STEP_PS / 4;
		for (size_t i = 0; i < CORES * STEPS && matched; i++)
			x->cell[i].sync = 0; /* all leave a collective together: then it did */
		build(x, &f);
		assert_int_equal(finding_of(&f, "straggler_core") != NULL, matched);
		findings_free(&f);
		scene_free(x);
	}
}

/* One of twenty steps is late: it costs what it costs, and the device is not idle in the others. */
static void a_late_step_is_no_idle_device(void **state)
{
	struct scene *x = scene_new(NULL, false);
	const struct finding *one;
	int64_t dur[20];
	struct findings f;

	(void)state;
	add_cores(x);
	for (size_t i = 0; i < CORES; i++) {
		x->cell[i * STEPS + 1].total = 20 * STEP_PS;
		x->cell[i * STEPS + 1].ps[METRIC_IDLE] = 19 * STEP_PS;
	}
	for (int i = 0; i < 20; i++)
		dur[i] = i == 7 ? 21 * STEP_PS : STEP_PS + i;
	add_steps(x, dur, 20);
	build(x, &f);
	assert_null(finding_of(&f, "host_overhead"));
	assert_non_null(one = finding_of(&f, "step_varies"));
	assert_true(fabs(one->cost - .5) < .01);
	findings_free(&f);
	scene_free(x);
}

/* A core that is slow in few steps is told so. */
static void slow_in_few_steps(void **state)
{
	struct scene *x = scene_new(NULL, false);
	const struct finding *one;
	struct findings f;

	(void)state;
	add_cores(x);
	x->cell[5 * STEPS + 1].total = x->cell[5 * STEPS + 1].ps[METRIC_HIGH_FLOPS] = 2 * STEP_PS;
	build(x, &f);
	assert_non_null(one = finding_of(&f, "straggler_core"));
	if (!strstr(one->evidence, "; 2.0× in 1 of "))
		fail_msg("%s", one->evidence);
	findings_free(&f);
	scene_free(x);
}

/* What the host did in the gaps is said by name. */
static void the_cause_of_idle_time(void **state)
{
	struct scene *x = metric(METRIC_IDLE, 20);
	const struct finding *one;
	struct findings f;

	(void)state;
	x->idle.sum.idle = 100;
	x->idle.sum.cause[IDLE_LAUNCH] = 61;
	x->idle.sum.cause[IDLE_BETWEEN] = 39;
	x->idle.host = (struct idle_host_event){ strtab_addz(&x->d->str, "PjitFunction(jitted_sampler)"),
		24 * 1800 * (int64_t)PS_PER_US, 24 };
	build(x, &f);
	assert_non_null(one = finding_of(&f, "host_overhead"));
	if (!strstr(one->evidence,
		"; cause of 61 % of idle time: the host has not launched yet (PjitFunction(jitted_sampler) "
		"1.80 ms in each of 24 gaps)"))
		fail_msg("%s", one->evidence);
	findings_free(&f);
	scene_free(x);
}

/* A host that had enqueued the next program is not told to dispatch ahead. */
static void advice_for_gaps_knows_their_cause(void **state)
{
	static const enum idle_cause cause[] = { IDLE_LAUNCH, IDLE_BETWEEN };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct scene *x = gaps(true);
		const struct finding *one;
		struct findings f;

		x->idle.sum.idle = x->idle.sum.cause[cause[i]] = 100;
		build(x, &f);
		assert_non_null(one = finding_of(&f, "module_gaps"));
		assert_non_null(strstr(one->advice, "Raise the steps per execution"));
		assert_int_equal(!strstr(one->advice, "Dispatch ahead"), i);
		findings_free(&f);
		scene_free(x);
	}
}

/* All-gathers that a start begins: half of them is hidden, and only compute beside none could hide more. */
static void the_hidden_share_of_collectives(void **state)
{
	for (int async = 0; async < 2; async++) {
		struct mkspace s = { 0 };
		struct step_core cell[STEPS];
		struct finding_input in = { 0 };
		struct scene *x = scene_new(NULL, false);
		const struct finding *one;
		struct communication comm;
		struct core_times times;
		struct dump *d;
		struct findings f;

		(void)state;
		space_plane(&s, 1, "/device:TPU:0");
		space_meta_str(&s, "all-gather-start.1", "hlo_category", "all-gather-start");
		space_meta_str(&s, "all-gather-done.1", "hlo_category", "all-gather-done");
		space_meta_str(&s, "all-gather.2", "hlo_category", "all-gather");
		space_meta_str(&s, "fusion.1", "hlo_category", "convolution fusion");
		space_line(&s, 3, "XLA Ops");
		for (int i = 0; i < STEPS; i++) {
			int64_t t = i * STEP_PS;

			space_event(&s, async ? "all-gather-start.1" : "all-gather.2", t, STEP_PS / 10);
			space_event(&s, "fusion.1", t + STEP_PS / 10, STEP_PS * 4 / 10);
			space_event(&s, async ? "all-gather-done.1" : "all-gather.2", t + STEP_PS / 2,
			    STEP_PS * 3 / 10);
			space_event(&s, "fusion.1", t + STEP_PS * 8 / 10, STEP_PS * 2 / 10);
		}
		d = space_load(&s, 1);
		for (int i = 0; i < STEPS; i++) {
			cell[i] = (struct step_core){ .total = STEP_PS, .sync = -1 };
			cell[i].ps[METRIC_COLLECTIVES] = cell[i].kind[KIND_COLLECTIVE] = STEP_PS * 4 / 10;
			cell[i].ps[METRIC_HIGH_FLOPS] = cell[i].kind[KIND_MATMUL] = STEP_PS * 6 / 10;
		}
		add_cores(x)->ncores = 1;
		memcpy(x->cell, cell, sizeof cell);
		x->db.op_time = x->db.total = STEPS * STEP_PS;
		core_times_make(d, &(struct steps){ .n = 0 }, NULL, 1, NULL, &times);
		communication_make(&times, &(struct comm_options){ .core = -1 }, &comm);
		in = (struct finding_input){ .dump = d,
			.steps = &x->steps,
			.ops = &x->db,
			.overview = &x->v,
			.communication = &comm };
		findings_build(&in, &f);
		assert_non_null(one = finding_of(&f, "collectives"));
		assert_int_equal(strstr(one->evidence,
				     "; 50 % of the asynchronous ones is hidden behind compute, at most "
				     "20.0 % of the step more could be") != NULL,
		    async);
		assert_int_equal(strstr(one->advice, "Let XLA overlap them") != NULL, !async);
		findings_free(&f);
		communication_free(&comm);
		core_times_free(&times);
		space_close(d);
		scene_free(x);
	}
}

/* Of two hosts, the cores of one idle, wait for input or work longer, and those of the other wait for them. */
static void one_of_two_hosts_is_late(void **state)
{
	static const struct {
		enum step_metric what;
		size_t odd; /* a core of the late host that is not late */
		const char *why;
	} cases[] = {
		{ METRIC_IDLE, CORES, "its cores idle 250 µs longer, so its programs begin late" },
		{ METRIC_INFEED, CORES, "it waits 250 µs longer for input" },
		{ METRIC_LOW_FLOPS, CORES, "its cores work longer" },
		{ METRIC_IDLE, 6, NULL },
	};

	(void)state;
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		struct scene *x = scene_new(NULL, false);
		const struct finding *one;
		struct findings f;

		add_cores(x);
		for (size_t k = 0; k < CORES; k++) {
			x->core[k].host = k >= CORES / 2;
			for (size_t i = 0; i < STEPS; i++) {
				struct step_core *c = &x->cell[k * STEPS + i];

				c->ps[k >= CORES / 2 && k != cases[n].odd ? cases[n].what
									  : METRIC_COLLECTIVES] = STEP_PS / 4;
				c->ps[METRIC_HIGH_FLOPS] -= STEP_PS / 4;
				c->sync = 0;
			}
		}
		build(x, &f);
		one = finding_of(&f, "straggler_host");
		assert_int_equal(one != NULL, cases[n].why != NULL);
		if (one) {
			assert_non_null(strstr(one->evidence, cases[n].why));
			assert_null(finding_of(&f, "imbalance"));
			assert_true(fabs(one->cost - .25) < 1e-6); /* not half of it */
		}
		findings_free(&f);
		scene_free(x);
	}
}

/* Each pair of a ring of permutes is compared with the others; one that is hidden costs nothing. */
static void a_slow_pair_of_a_ring(void **state)
{
	static uint32_t src[CORES] = { 0, 1, 2, 3, 4, 5, 6, 7 }, dst[CORES] = { 1, 2, 3, 4, 5, 6, 7, 0 };

	(void)state;
	for (int hidden = 0; hidden < 2; hidden++) {
		double us[2 * CORES];
		struct scene *x = pod();
		const struct finding *one;
		struct findings f;

		for (size_t i = 0; i < CORES; i++) {
			us[i] = i == 3 ? 80 : 10 + (double)i * 0.01;
			us[CORES + i] = hidden ? 0 : i == 3 ? 75 : 5;
		}
		x->pod.nchannels = 1;
		x->pod.channel = xcalloc(1, sizeof *x->pod.channel);
		x->pod.channel[0] = (struct pod_channel){ .id = 7,
			.src = src,
			.dst = dst,
			.nsrc = CORES,
			.ndst = CORES,
			.bytes = 4096,
			.occurrences = CORES,
			.duration_us = 18,
			.pair_us = us,
			.wait_us = us + CORES,
			.hlo_names = "collective-permute-start.1" };
		build(x, &f);
		one = finding_of(&f, "hot_link");
		assert_int_equal(one != NULL, !hidden);
		if (one)
			assert_non_null(strstr(one->evidence,
			    "core 1 of ? to core 0 of ?: 80.0 µs, median of 8 pairs 10.0 µs (8.0×); the "
			    "receiver waits 75.0 µs of it"));
		findings_free(&f);
		scene_free(x);
	}
}

/* All cores wait for half of the time of their collectives. */
static void half_waits(struct scene *x)
{
	for (size_t i = 0; i < CORES * STEPS; i++) {
		x->cell[i].sync = x->cell[i].ps[METRIC_COLLECTIVES] / 2;
		x->cell[i].sync_compute = x->cell[i].ps[METRIC_COLLECTIVES] - x->cell[i].sync;
	}
}

/* The waiting of a capture is known of the cores that are in it. */
static void cores_that_are_missing_may_have_been_last(void **state)
{
	struct scene *x = metric(METRIC_COLLECTIVES, 20);
	struct findings f;

	(void)state;
	half_waits(x);
	x->v.cores.ncores = 1; /* it met nobody */
	build(x, &f);
	assert_string_equal(finding_of(&f, "collectives")->evidence,
	    "20.0 % of the core time, not hidden behind compute");
	assert_float_equal(finding_of(&f, "collectives")->cost, 0.2, 1e-9);
	findings_free(&f);
	x->v.cores.ncores = CORES;
	add_pod(x)->core[CORES - 1].chip = CORES + 1; /* of ten chips, two are not there */
	build(x, &f);
	assert_string_equal(finding_of(&f, "collectives")->evidence,
	    "200 µs per step: at most 100 µs transfer, at least 100 µs waiting for other cores");
	assert_string_equal(finding_of(&f, "collective_wait")->evidence,
	    "at least 100 µs of 1.00 ms core time per step is spent waiting in collectives for cores that "
	    "arrive "
	    "later");
	findings_free(&f);
	scene_free(x);
}

/* How long the cores wait is the same in all findings, whatever explains it. */
static void uneven_work_explains_waiting(void **state)
{
	struct scene *x = uneven(true);
	struct findings f;

	(void)state;
	half_waits(x);
	for (size_t k = 0; k < CORES; k++) /* half of the cores: 250 µs of collectives */
		for (size_t i = 0; k >= 4 && i < STEPS; i++)
			x->cell[k * STEPS + i].sync = STEP_PS / 5;
	build(x, &f);
	assert_non_null(finding_of(&f, "imbalance"));
	assert_non_null(strstr(finding_of(&f, "imbalance")->evidence, "mean of 8 cores 875 µs"));
	assert_string_equal(check_of(&f, "collective_wait")->text, "explained by uneven work: 10.0 %");
	findings_free(&f);
	for (size_t k = 0; k < CORES; k++)
		for (size_t i = 0; i < STEPS; i++) {
			x->cell[k * STEPS + i].ps[METRIC_COLLECTIVES] += STEP_PS / 4;
			x->cell[k * STEPS + i].ps[METRIC_HIGH_FLOPS] -= STEP_PS / 4;
			x->cell[k * STEPS + i].sync = STEP_PS * 3 / 10;
		}
	build(x, &f);
	assert_string_equal(finding_of(&f, "collective_wait")->evidence,
	    "300 µs of 1.00 ms core time per step is spent waiting in collectives for cores that arrive "
	    "later; uneven "
	    "work explains 125 µs of it");
	assert_float_equal(finding_of(&f, "collective_wait")->cost, 0.175, 1e-9);
	findings_free(&f);
	scene_free(x);
}

/* Each row is read, once, and is that of a rule. */
static void rows_of_the_table(void **state)
{
	static const char *const ids[] = {
#define RULE(id) #id,
#include "analyze/findings/rules.def"
#undef RULE
	};
	const struct embedded *own = embedded_find("findings.tsv");
	const char *p = (const char *)own->bytes, *end = p + own->size, *line;
	size_t n = 0;

	(void)state;
	for (; p < end; p = line + 1) {
		const struct rule *r;
		size_t k = 0;

		line = memchr(p, '\n', (size_t)(end - p));
		assert_non_null(line);
		if (*p == '#')
			continue;
		r = rule_row(n++);
		assert_non_null(r);
		assert_memory_equal(p, r->id, strlen(r->id));
		assert_int_equal(p[strlen(r->id)], '\t');
		assert_ptr_equal(rule_named(r->id), r);
		while (k < sizeof ids / sizeof *ids && strcmp(ids[k], r->id))
			k++;
		assert_true(k < sizeof ids / sizeof *ids);
	}
	assert_true(n > 20);
	assert_null(rule_row(n));
}

static void levels_and_limits(void **state)
{
	const struct rule r = { .limits = "steps=5 z=3.5", .at = { 20, 5, NAN } };

	(void)state;
	assert_int_equal(rule_level(&r, 20), 0);
	assert_int_equal(rule_level(&r, 19.9), 1);
	assert_int_equal(rule_level(&r, 4.9), RULE_LEVELS);
	assert_int_equal(rule_level(&r, NAN), RULE_LEVELS);
	assert_int_equal(rule_level(NULL, 100), RULE_LEVELS);
	assert_float_equal(rule_limit(&r, "z"), 3.5, 0);
	assert_true(isnan(rule_limit(&r, "step")) && isnan(rule_limit(NULL, "z")));
	assert_null(rule_named("none"));
}

/* A step of 100 ms of which the device waits, sends and idles so long. */
static void left_steps(struct overview *v, double input, double output, double idle, double last)
{
	static const struct column columns[] = {
		{ .id = "stepTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
		{ .id = "tcOutfeedTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER },
		{ .id = "tcIdleTimeMs", .label = "", .unit = "ms", .type = COL_NUMBER }
	};
	static const struct schema columns_schema = { SCHEMA_COLUMNS(columns) };
	static const struct toolfile file;

	*v = (struct overview){ .tpu = true, .file = &file };
	table_begin(&v->steps, &columns_schema);
	for (int i = 0; i < 5; i++) {
		struct cell *c = table_row(&v->steps);

		c[0] = cell_num(i < 4 ? 100 : last);
		c[1] = cell_num(output);
		c[2] = isnan(idle) ? cell_null() : cell_num(idle);
	}
	facts_num(&v->summary, "infeed_percent_average", input);
}

static void what_a_profiler_left(void **state)
{
	struct scene *x = scene_new(NULL, false);
	struct overview v;
	struct finding_input in = { .dump = x->d, .overview = &v };
	struct findings f;

	(void)state;
	left_steps(&v, 40, 30, 25, 100);
	findings_build(&in, &f);
	assert_float_equal(finding_of(&f, "input_bound")->cost, .40, 1e-9);
	assert_float_equal(finding_of(&f, "output_bound")->cost, .30, 1e-9);
	assert_float_equal(finding_of(&f, "host_overhead")->cost, .25, 1e-9);
	assert_string_equal(finding_of(&f, "host_overhead")->evidence,
	    "no op runs for 25.0 ms of 100 ms per step, by the profiler's result");
	/* there are no events */
	assert_int_equal(finding_of(&f, "host_overhead")->proof.evidence, EVIDENCE_STEP_TIME);
	assert_null(finding_of(&f, "step_varies"));
	findings_free(&f);
	overview_free(&v);
	left_steps(&v, NAN, 0, NAN, 300);
	findings_build(&in, &f);
	assert_int_equal(f.n, 1);
	assert_string_equal(f.v[0].id, "step_varies");
	findings_free(&f);
	overview_free(&v);
	left_steps(&v, NAN, 0, NAN, 40); /* nothing says that the last step is whole */
	findings_build(&in, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	overview_free(&v);
	scene_free(x);
}

/* A last step that is short because the capture or its program ended there says nothing; a long one does, and
 * so does a short one that something follows. */
static void a_last_step_that_may_be_cut(void **state)
{
	static const struct {
		int64_t last;
		bool open, found;
	} cases[] = { { 300, true, false }, { 300, false, true }, { 2500, true, true },
		{ 2500, false, true } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scene *x = scene_new(NULL, false);
		struct finding_input in = { .dump = x->d, .steps = &x->steps, .overview = &x->v };
		struct findings f;

		add_steps(x, (const int64_t[]){ 1000, 1001, 1002, cases[i].last }, 4);
		x->steps.v[3].open = cases[i].open;
		findings_build(&in, &f);
		assert_int_equal(finding_of(&f, "step_varies") != NULL, cases[i].found);
		findings_free(&f);
		scene_free(x);
	}
}

/* A slow first step warms up: it does not make the others vary, and what is left out is said. */
static void warm_up_is_no_variation(void **state)
{
	static const struct {
		int64_t dur[7];
		bool open; /* the last one */
		const char *varies, *warm;
	} cases[] = {
		{ { 3000, 1000, 1001, 1002, 1000, 1001, 1000 }, false, "sd 0.1 % over 6 of 7 steps",
		    "the first of 7 steps takes 3.00 ns" },
		{ { 3000, 2000, 1000, 1002, 1000, 1001, 1000 }, false, "sd 0.1 % over 5 of 7 steps",
		    "the first 2 of 7 steps take up to 3.00 ns" },
		{ { 3000, 1000, 1200, 1400, 1000, 1001, 300 }, true,
		    "over 5 of 7 steps (without warm-up; the last may be cut); slowest step 103",
		    "averages over all steps include it" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scene *x = scene_new(NULL, false);
		const struct finding *one;
		struct findings f;

		add_steps(x, cases[i].dur, 7);
		x->steps.v[6].open = cases[i].open;
		build(x, &f);
		one = finding_of(&f, "step_varies");
		if (!strstr(one ? one->evidence : check_of(&f, "step_varies")->text, cases[i].varies))
			fail_msg("%s", one ? one->evidence : check_of(&f, "step_varies")->text);
		if (!(one = finding_of(&f, "warm_steps")) || !strstr(one->evidence, cases[i].warm))
			fail_msg("%s", one ? one->evidence : "no warm-up");
		findings_free(&f);
		scene_free(x);
	}
}

/* On hosts alone the numbers of the steps are of those that the overview counts. */
static void steps_are_those_of_the_overview(void **state)
{
	struct scene *x = scene_new(NULL, false);
	const struct finding *one;
	struct findings f;

	(void)state;
	add_steps(x, (const int64_t[]){ 9000, 1000, 1200, 1400, 1000, 1001, 300 }, 7);
	table_begin(&x->v.steps, &overview_generic_schema);
	for (int i = 1; i < 6; i++) {
		struct cell *c = table_row(&x->v.steps);

		c[table_column(&x->v.steps, "stepTimeMs")] = cell_num(1e-6);
		c[table_column(&x->v.steps, "step_name")] = cell_strz(x->steps.v[i].label);
	}
	build(x, &f);
	assert_non_null(one = finding_of(&f, "step_varies"));
	if (!strstr(one->evidence, "1.00 ns – 1.40 ns, sd 178 ps (16.0 %) over 5 steps; "))
		fail_msg("%s", one->evidence);
	assert_null(finding_of(&f, "warm_steps"));
	findings_free(&f);
	scene_free(x);
}

/* Idle time in the steps is not mixed with that before the first and after the last. */
static void gaps_in_the_steps_and_outside(void **state)
{
	static const struct {
		int64_t first, len;
		enum severity severity;
		const char *title, *evidence;
	} cases[] = {
		{ 3000000, 990000, SEVERITY_LOW, "Device idle before or after the steps",
		    "2.90 µs of 7.99 µs per core: 1 gap on 1 core" },
		{ 3000000, 600000, SEVERITY_HIGH, "Device idle between programs",
		    "1.60 µs of 4.00 µs per core: 4 gaps on 1 core" },
		{ 110000, 990000, SEVERITY_LOW, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mkspace s = { 0 };
		struct steps steps;
		struct findings f;
		struct finding_input in = { .steps = &steps };
		const struct finding *x;

		space_plane(&s, 1, "/device:TPU:0");
		space_line(&s, 2, "XLA Modules");
		space_event(&s, "jit_init(3)", 0, 100000);
		for (int k = 0; k < 5; k++)
			space_event(&s, "jit_f(7)", cases[i].first + k * 1000000, cases[i].len);
		in.dump = space_load(&s, 1);
		steps_find(in.dump, &steps);
		assert_int_equal(steps.source, STEPS_MODULES);
		findings_build(&in, &f);
		x = finding_of(&f, "module_gaps");
		if (!x != !cases[i].title)
			fail_msg("case %zu: %s", i, x ? x->evidence : "no finding");
		if (x) {
			assert_string_equal(x->title, cases[i].title);
			assert_non_null(strstr(x->evidence, cases[i].evidence));
			assert_int_equal(x->severity, cases[i].severity);
			/* the proof is the gap itself */
			assert_int_equal(x->proof.kind, REF_TIME);
			assert_int_equal(x->proof.core, 0);
			assert_true(x->proof.last - x->proof.first > 300000);
		}
		findings_free(&f);
		steps_free(&steps);
		space_close((struct dump *)(uintptr_t)in.dump);
	}
}

/* A range is over what there are several of. */
static void a_range_needs_several(void **state)
{
	static const struct {
		size_t cores, steps;
		const char *evidence;
	} cases[] = {
		{ CORES, STEPS, "300 µs of 1.00 ms per step; 30.0 – 30.0 % over steps and cores" },
		{ 1, STEPS, "300 µs of 1.00 ms per step; 30.0 – 30.0 % over steps" },
		{ CORES, 1, "300 µs of 1.00 ms per step; 30.0 – 30.0 % over cores" },
		{ 1, 1, "300 µs of 1.00 ms per step" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scene *x = input(true);
		struct findings f;

		x->v.cores.ncores = cases[i].cores;
		x->v.cores.nsteps = cases[i].steps;
		build(x, &f);
		assert_string_equal(finding_of(&f, "input_bound")->evidence, cases[i].evidence);
		findings_free(&f);
		scene_free(x);
	}
}

static void stopped(void **state)
{
	struct scene *x = input(true);
	struct progress p = { 0 };
	struct finding_input in = { .dump = x->d, .steps = &x->steps, .overview = &x->v, .progress = &p };
	struct findings f;

	(void)state;
	atomic_store(&p.cancel, true);
	findings_build(&in, &f);
	assert_int_equal(f.n, 0);
	findings_free(&f);
	scene_free(x);
}

/* The batch is part of the environment where convolutions tell it. */
static bool environment_has(const struct scene *x, const char *what)
{
	struct table t;
	char all[400] = "";
	bool has;

	environment_build(x->d, &x->db, NULL, &t);
	for (size_t i = 0; i < t.nrows; i++)
		for (size_t k = 0; k < 2; k++) {
			struct slice text = cell_text(table_at(&t, i, k));

			snprintf(all + strlen(all), sizeof all - strlen(all), "%.*s ", (int)text.n, text.s);
		}
	has = strstr(all, what);
	table_free(&t);
	return has;
}

static void the_environment_has_the_batch(void **state)
{
	/* A window of 6 over a dimension of 1: it slides over nothing. */
	static const char dot[] =
	    "%convolution.1 = f32[8,512,6,128]{3,1,2,0:T(8,128)} "
	    "convolution(f32[8,512,768,1]{1,2,0,3:T(8,128)} %p.1, "
	    "f32[768,6,128,1]{2,0,1,3:T(8,128)} %p.2), "
	    "window={size=1x6 pad=0_0x5_5 rhs_reversal=0x1}, dim_labels=0bf1_i1o0->0b1f";
	struct scene *x = batch(true);

	(void)state;
	assert_true(environment_has(x, "batch_size 96 batch_per_core 12 "));
	scene_free(x);
	x = layers(true);
	assert_false(environment_has(x, "batch"));
	scene_free(x);
	x = ops("convolution.1", "convolution", dot, 300, 0.8, 0.1);
	add_op(x, "convolution.2", "convolution", dot, 300, 0.8, 0.1);
	assert_false(environment_has(x, "batch"));
	scene_free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_the_table),
		cmocka_unit_test(levels_and_limits),
		RULE_TESTS(&rules),
		cmocka_unit_test(a_stopped_load_is_not_damaged),
		cmocka_unit_test(planes_of_another_process_are_not_missing),
		cmocka_unit_test(few_python_calls_are_counted),
		cmocka_unit_test(work_of_other_threads_is_seen),
		cmocka_unit_test(time_between_steps_has_a_name),
		cmocka_unit_test(a_job_that_runs_for_long_does_not_warm_up),
		cmocka_unit_test(a_reason_is_true_of_the_input),
		cmocka_unit_test(a_proof_is_never_empty),
		cmocka_unit_test(an_op_is_that_of_its_program),
		cmocka_unit_test(a_copy_may_keep_the_layout),
		cmocka_unit_test(nothing_measured_nothing_found),
		cmocka_unit_test(the_least_is_transfer_at_most),
		cmocka_unit_test(what_is_not_known_has_not_passed),
		cmocka_unit_test(the_order_is_severity_then_cost),
		cmocka_unit_test(advice_is_for_the_cause),
		cmocka_unit_test(a_straggler_explains_the_waiting),
		cmocka_unit_test(a_straggler_is_a_core_a_chip_or_a_host),
		cmocka_unit_test(idle_time_is_no_work),
		cmocka_unit_test(advice_fits_the_host),
		cmocka_unit_test(who_ends_first_is_not_late),
		cmocka_unit_test(a_late_step_is_no_idle_device),
		cmocka_unit_test(slow_in_few_steps),
		cmocka_unit_test(the_cause_of_idle_time),
		cmocka_unit_test(advice_for_gaps_knows_their_cause),
		cmocka_unit_test(the_hidden_share_of_collectives),
		cmocka_unit_test(one_of_two_hosts_is_late),
		cmocka_unit_test(a_slow_pair_of_a_ring),
		cmocka_unit_test(cores_that_are_missing_may_have_been_last),
		cmocka_unit_test(uneven_work_explains_waiting),
		cmocka_unit_test(what_a_profiler_left),
		cmocka_unit_test(a_last_step_that_may_be_cut),
		cmocka_unit_test(warm_up_is_no_variation),
		cmocka_unit_test(steps_are_those_of_the_overview),
		cmocka_unit_test(gaps_in_the_steps_and_outside),
		cmocka_unit_test(a_range_needs_several),
		cmocka_unit_test(stopped),
		cmocka_unit_test(the_environment_has_the_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
