#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"
#include "../lib/rulecase.h"
#include "../lib/pbuild.h"
#include "analyze/memory/pick.h"
#include "model/toolfile.h"
#include "pprof.pb-c.h"

#define MIB(n) ((int64_t)(n) << 20)
#define BUFFERS 8
#define POINTS 100

/* What the rules look at, filled by hand: a program of 8 of 10 GiB without anything else wrong. */
struct scene {
	struct memory m;
	struct hlo_module module;
	struct memory_buffer buffer[BUFFERS];
	struct memory_donation donation;
	struct memory_profile profile;
	struct memory_device device;
	struct memory_event event;
	double fragmentation;
	struct dump *dump; /* with a device memory profile, or NULL */
	ProtobufCMessage *held;
};

static struct memory_buffer *add(struct scene *x, const char *name, enum memory_category category, int mib,
    int unpadded, const char *shape)
{
	struct memory_buffer *b = &x->buffer[x->m.npeak++];

	*b = (struct memory_buffer){ .id = (int64_t)x->m.npeak,
		.category = category,
		.size = MIB(mib),
		.unpadded = MIB(unpadded),
		.start = -1,
		.end = -1,
		.name = name,
		.opcode = "",
		.op_name = "",
		.shape = shape };
	x->m.category[category] += b->size;
	x->m.peak_bytes += b->size;
	return b;
}

static struct scene *scene_new(void)
{
	struct scene *x = xcalloc(1, sizeof *x);

	x->module = (struct hlo_module){ .name = "jit_f", .program = 7, .has_buffers = true };
	x->m = (struct memory){ .module = &x->module, .limit = MIB(10 << 10), .npoints = POINTS };
	x->m.peak = x->buffer;
	add(x, "p.0", MEMORY_PARAMETER, 8 << 10, 8 << 10, "f32[2097152,1024]{1,0:T(8,128)}");
	return x;
}

static void build(struct scene *x, struct findings *f)
{
	struct finding_input in = { .dump = x->dump,
		.memory = &x->m,
		.module = &x->module,
		.profile = &x->profile };

	double padding = 0;

	for (size_t i = 0; i < x->m.npeak; i++)
		if (x->buffer[i].category == MEMORY_PARAMETER)
			padding += (double)(x->buffer[i].size - x->buffer[i].unpadded);
	x->m.allocated = x->m.peak_bytes + x->m.fragmentation;
	x->m.sums = (struct memory_sums){ .fragmentation = x->fragmentation, .padding = padding };
	findings_build(&in, f);
}

static void scene_free(struct scene *x)
{
	if (x->dump)
		dump_close(x->dump);
	if (x->held)
		protobuf_c_message_free_unpacked(x->held, NULL);
	free(x);
}

static struct scene *limit(bool bad)
{
	struct scene *x = scene_new();

	x->m.limit = MIB(16 << 10);
	add(x, "big.remat2", MEMORY_TEMPORARY, bad ? 10 << 10 : 4 << 10, bad ? 10 << 10 : 4 << 10, "");
	return x;
}

/* 3 of 128 lanes hold data. */
static struct scene *padding(bool bad)
{
	struct scene *x = scene_new();

	add(x, "pad.1", MEMORY_TEMPORARY, bad ? 2048 : 128, bad ? 48 : 3, "f32[4194304,3]{1,0:T(8,128)}");
	add(x, "pad.2", MEMORY_TEMPORARY, bad ? 1024 : 64, bad ? 512 : 32, "f32[2097152,64]{1,0:T(8,128)}");
	return x;
}

static struct scene *buffers(bool bad)
{
	struct scene *x = scene_new();

	add(x, "pad.1", MEMORY_TEMPORARY, 3000, bad ? 100 : 2500, "f32[4194304,4]{1,0:T(8,128)}");
	return x;
}

static struct scene *parameters(bool bad)
{
	struct scene *x = scene_new();

	add(x, "w.1", bad ? MEMORY_PARAMETER : MEMORY_TEMPORARY, 1024, 24, "f32[2097152,3]{1,0:T(8,128)}");
	return x;
}

static struct scene *fragmented(bool bad)
{
	struct scene *x = scene_new();

	add(x, "t", MEMORY_TEMPORARY, 1024, 1024, "");
	x->m.fragmentation = bad ? MIB(1024) : MIB(90);
	x->fragmentation = bad ? 50 : 8;
	return x;
}

static struct scene *donation(bool bad)
{
	struct scene *x = scene_new();

	x->donation = (struct memory_donation){ &x->buffer[0], add(x, "out", MEMORY_OUTPUT, 4096, 4096, ""),
		MIB(bad ? 4096 : 16) };
	x->m.donation = &x->donation;
	x->m.ndonations = 1;
	return x;
}

static struct scene *activations(bool bad)
{
	struct scene *x = scene_new();
	struct memory_buffer *b;

	for (int i = 0; i < 2; i++) {
		b = add(x, i ? "h.1" : "h.0", MEMORY_TEMPORARY, 4096 - i, 4096 - i, "");
		b->op_name = "jit(f)/jvp(layer)/dot_general";
		b->start = 10 + i;
		b->end = bad ? 90 : 15; /* the next op has used it */
	}
	b = add(x, "g", MEMORY_TEMPORARY, 64, 64, "");
	b->op_name = "jit(f)/transpose(jvp(layer))/dot_general";
	return x;
}

static struct scene *allocator(bool bad)
{
	struct scene *x = scene_new();

	x->m.limit = MIB(16 << 10);
	x->event = (struct memory_event){ .known = true, .heap = MIB(bad ? 15 << 10 : 9 << 10) };
	x->device = (struct memory_device){ .name = "0", .v = &x->event, .n = 1, .capacity = MIB(16 << 10) };
	x->profile.device = &x->device;
	x->profile.ndevices = 1;
	return x;
}

static void hold(struct scene *x, struct pb *all)
{
	static char path[] = "m.prof";

	x->held = protobuf_c_message_unpack(&pb__profile__descriptor, NULL, all->n, all->b);
	pb_free(all);
	assert_non_null(x->held);
	x->dump = dump_new();
	dump_add_file(x->dump, &(struct file){ .path = path, .kind = FILE_PPROF, .host = -1 });
	toolfile_add(x->dump, 0)->message = x->held;
}

/* Six steps with three events each; what they hold grows in all steps, or in the first ones only. */
static struct scene *grows(bool bad)
{
	static struct memory_event v[18];
	struct scene *x = allocator(false);

	for (int i = 0; i < 18; i++) {
		int step = i / 3, more = bad || step < 2 ? step : 2;

		v[i] = (struct memory_event){ .t = i,
			.step = step,
			.known = true,
			.heap = MIB(4096 + 100 * more + i % 3) };
	}
	x->device.v = v;
	x->device.n = 18;
	x->device.peak = 17;
	return x;
}

/* A device memory profile: 1000 MiB on each of four devices, and a table on the first. */
static struct scene *held(uint64_t state, uint64_t table)
{
	static const char *const texts[] = { "", "allocations", "count", "space", "bytes", "kind", "buffer",
		"device", "TPU_0", "TPU_1", "TPU_2", "TPU_3", "init", "load_table" };
	enum { BYTES = 3, KIND = 5, DEVICE = 7, FIRST = 8, INIT = 12 };
	struct scene *x = scene_new();
	struct pb all = { 0 };

	for (unsigned type = 1; type <= BYTES; type += 2) {
		struct pb t = { 0 };

		pb_u(&t, 1, type);
		pb_u(&t, 2, type + 1);
		pb_sub(&all, 1, &t);
	}
	for (unsigned i = 0; i < 5; i++) {
		uint64_t mib = i < 4 ? state : table;
		struct pb sample = { 0 }, kind = { 0 }, device = { 0 };

		if (!mib)
			continue;
		pb_u(&sample, 1, i < 4 ? 1 : 2);
		pb_u(&sample, 2, 1);
		pb_u(&sample, 2, mib << 20);
		pb_u(&kind, 1, KIND);
		pb_u(&kind, 2, KIND + 1);
		pb_sub(&sample, 3, &kind);
		pb_u(&device, 1, DEVICE);
		pb_u(&device, 2, FIRST + i % 4);
		pb_sub(&sample, 3, &device);
		pb_sub(&all, 2, &sample);
	}
	for (unsigned id = 1; id <= 2; id++) {
		struct pb location = { 0 }, line = { 0 }, function = { 0 };

		pb_u(&line, 1, id);
		pb_u(&location, 1, id);
		pb_sub(&location, 4, &line);
		pb_sub(&all, 4, &location);
		pb_u(&function, 1, id);
		pb_u(&function, 2, INIT - 1 + id);
		pb_sub(&all, 5, &function);
	}
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		pb_s(&all, 6, texts[i]);
	hold(x, &all);
	x->dump->device = "v5e";
	return x;
}

/* A loop that keeps a scalar of each step, made by JAX for line 12 of the program. */
static struct scene *scalars(bool bad)
{
	static const char *const texts[] = { "", "allocations", "count", "space", "bytes", "kind", "buffer",
		"device", "cuda:0", "__call__", "/usr/lib/python3.12/site-packages/jax/ufunc_api.py", "train",
		"/home/me/train.py" };
	uint64_t count = bad ? 20000 : 2000;
	struct scene *x = scene_new();
	struct pb all = { 0 }, sample = { 0 };

	for (unsigned type = 1; type <= 3; type += 2) {
		struct pb t = { 0 };

		pb_u(&t, 1, type);
		pb_u(&t, 2, type + 1);
		pb_sub(&all, 1, &t);
	}
	pb_u(&sample, 1, 1);
	pb_u(&sample, 1, 2);
	pb_u(&sample, 2, count);
	pb_u(&sample, 2, 4 * count);
	for (unsigned label = 5; label <= 7; label += 2) {
		struct pb l = { 0 };

		pb_u(&l, 1, label);
		pb_u(&l, 2, label + 1);
		pb_sub(&sample, 3, &l);
	}
	pb_sub(&all, 2, &sample);
	for (unsigned id = 1; id <= 2; id++) {
		struct pb location = { 0 }, line = { 0 }, function = { 0 };

		pb_u(&line, 1, id);
		pb_u(&line, 2, id == 1 ? 179 : 12);
		pb_u(&location, 1, id);
		pb_sub(&location, 4, &line);
		pb_sub(&all, 4, &location);
		pb_u(&function, 1, id);
		pb_u(&function, 2, 7 + 2 * id);
		pb_u(&function, 4, 8 + 2 * id);
		pb_sub(&all, 5, &function);
	}
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		pb_s(&all, 6, texts[i]);
	hold(x, &all);
	return x;
}

static struct scene *arrays(bool bad)
{
	return held(bad ? 13000 : 1000, 0);
}

static struct scene *uneven(bool bad)
{
	return held(1000, bad ? 1000 : 0);
}

/* No advice of TPUs is given for a profile of a GPU. */
static void gpu_profile(void **state)
{
	struct scene *x = scalars(true);
	struct findings f;

	(void)state;
	build(x, &f);
	assert_string_equal(check_of(&f, "arrays_full")->text, "how much memory the GPU has is not known");
	for (size_t i = 0; i < f.nchecks; i++)
		assert_null(strstr(f.check[i].text, "v5e"));
	findings_free(&f);
	scene_free(x);
}

/* Nearly all is free, or others have taken it. */
static struct scene *empty(bool bad)
{
	struct scene *x = allocator(false);

	x->m.limit = x->device.capacity = MIB(64 << 10);
	x->event.heap = MIB(bad ? 9 << 10 : 30 << 10);
	return x;
}

static const struct {
	struct rule_case rule;
	double of_total; /* -1: no bytes */
	const char *title;
} scenes[] = {
	{ { "memory_limit", limit, SEVERITY_HIGH,
	      "jit_f needs 18.0 GiB of 16.0 GiB per core (112.5 %), over by 2.0 GiB; the compiler "
	      "rematerializes already: 1 of",
	      "memory:module jit_f(7)" },
	    2.0 / 16, "The program does not fit into HBM" },
	{ { "memory_padding", padding, SEVERITY_MEDIUM, "2.5 GiB of 11.0 GiB at the memory peak are padding",
	      "memory:buffer pad.1 module jit_f(7)" },
	    2512.0 / 10240, "Dimensions of 3 and 64 are padded to 128" },
	{ { "padded_buffers", buffers, SEVERITY_MEDIUM,
	      "pad.1 takes 2.9 GiB for 100.0 MiB of data (30.0×): 25.9 % of the peak",
	      "memory:buffer pad.1 module jit_f(7)" },
	    2900.0 / 10240, "A buffer is mostly padding" },
	{ { "parameter_padding", parameters, SEVERITY_LOW,
	      "1000.0 MiB of 9.0 GiB at the peak are padding that stays for the whole program; 1 "
	      "large "
	      "parameter is padded",
	      "memory:buffer w.1 module jit_f(7)" },
	    1000.0 / 10240, "Parameters are padded in memory" },
	{ { "fragmentation", fragmented, SEVERITY_HIGH,
	      "10.0 GiB are allocated, but only 9.0 GiB are in use at the peak: 50.0 %",
	      "memory:module jit_f(7)" },
	    1.0 / 10, "Fragmentation" },
	{ { "donation", donation, SEVERITY_MEDIUM,
	      "1 output has the size and shape of a parameter that is not donated: 4.0 GiB of 12.0 GiB",
	      "memory:buffer p.0 module jit_f(7)" },
	    4.0 / 10, "Outputs could reuse the memory of parameters" },
	{ { "activations", activations, SEVERITY_LOW,
	      "8.0 GiB of 16.1 GiB at the peak: 2 temporaries of the forward pass wait for the backward pass",
	      "memory:buffer h.0 module jit_f(7)" },
	    8191.0 / 10240, "Activations fill the memory" },
	{ { "hbm_empty", empty, SEVERITY_LOW, "jit_f needs 8.0 GiB of 64.0 GiB per core (12.5 %)", "" }, -1,
	    "HBM nearly empty: the batch can grow" },
	{ { "allocator_peak", allocator, SEVERITY_MEDIUM,
	      "memory 0: 15.0 GiB of 16.0 GiB in use at the peak (93.8 %)", "memory_profile:" },
	    -1, "The device's memory is almost full" },
	{ { "memory_grows", grows, SEVERITY_MEDIUM,
	      "memory 0: 100.0 MiB more in each step, 6 of them; 11.5 GiB are free, enough for 117 more",
	      "memory_profile:" },
	    -1, "Memory grows from step to step" },
	{ { "arrays_full", arrays, SEVERITY_MEDIUM, "holds 12.7 GiB of arrays, 80.6 % of its 15.8 GiB",
	      "memory_profile:" },
	    -1, "Arrays fill the device's memory" },
	{ { "arrays_uneven", uneven, SEVERITY_MEDIUM,
	      "TPU_0 holds 2.0 GiB, the median of 4 devices is 1000.0 MiB; 1000.0 MiB of it are from calls "
	      "that made nothing on the others, the first in load_table",
	      "memory_profile:" },
	    .5, "One device holds more arrays than the others" },
	{ { "many_arrays", scalars, SEVERITY_MEDIUM,
	      "20000 arrays of 4 B on average, from 1 line: train.py:12 (20000)", "memory_profile:" },
	    -1, "Many small arrays are alive: something keeps them" },
};

static const struct rule_case *case_at(size_t i)
{
	return i < sizeof scenes / sizeof *scenes ? &scenes[i].rule : NULL;
}

static void title_and_cost(const struct finding *one, size_t i)
{
	double want = scenes[i].of_total;

	if (!strstr(one->title, scenes[i].title))
		fail_msg("%s: \"%s\"", one->id, one->title);
	assert_int_equal(one->cost_kind, want < 0 ? COST_NONE : COST_BYTES);
	if (want >= 0 && fabs(one->of_total - want) > 1e-9)
		fail_msg("%s: %.9f of HBM", one->id, one->of_total);
}

static struct rule_scenes rules = { case_at, build, scene_free, title_and_cost, "hbm_empty",
	"\tbuffers\t\tallocations\t" };

static void half_empty_memory_eases(void **state)
{
	static struct scene *(*const make[])(bool) = { fragmented, donation };
	static const char *const id[] = { "fragmentation", "donation" };
	struct findings f;
	struct scene *x;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		x = make[i](true);
		x->m.limit *= 4;
		build(x, &f);
		assert_int_equal(finding_of(&f, id[i])->severity, SEVERITY_LOW);
		findings_free(&f);
		scene_free(x);
	}
	x = activations(true);
	x->m.limit *= 4;
	build(x, &f);
	assert_null(finding_of(&f, "activations"));
	findings_free(&f);
	scene_free(x);
	x = empty(true); /* nobody says what the process holds */
	x->profile.ndevices = 0;
	build(x, &f);
	assert_null(check_of(&f, "hbm_empty"));
	findings_free(&f);
	scene_free(x);
}

/* Where there is much more memory, a few MiB are not worth a word, however large a part of the peak. */
static void what_nobody_needs_is_not_found(void **state)
{
	static struct scene *(*const make[])(bool) = { padding, buffers, parameters, fragmented, donation };
	static const char *const id[] = { "memory_padding", "padded_buffers", "parameter_padding",
		"fragmentation", "donation" };

	(void)state;
	for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
		struct scene *x = make[i](true);
		struct findings f;

		x->m.limit *= 50;
		build(x, &f);
		assert_null(finding_of(&f, id[i]));
		assert_int_equal(check_of(&f, id[i])->state, CHECK_PASSED);
		assert_non_null(strstr(check_of(&f, id[i])->text, "HBM has room"));
		findings_free(&f);
		scene_free(x);
	}
}

/* What nobody lists is padding, too, as in the memory view: of parameters and small buffers. */
static void all_padding_counts(void **state)
{
	struct scene *x = padding(false);
	struct findings f;

	(void)state;
	x->m.limit *= 50;
	x->m.fixed_padding = MIB(2);
	x->m.peak_unpadded = x->m.peak_bytes - MIB(200) + x->m.fixed_padding;
	build(x, &f);
	assert_int_equal(strncmp(check_of(&f, "memory_padding")->text, "200.0 MiB of ", 13), 0);
	findings_free(&f);
	scene_free(x);
}

/* Without a limit nothing is near it; what the compiler gave up on is known all the same. */
static void an_unknown_limit(void **state)
{
	struct scene *x = limit(true);
	struct findings f;

	(void)state;
	x->m.limit = -1;
	build(x, &f);
	assert_null(finding_of(&f, "memory_limit"));
	assert_null(finding_of(&f, "hbm_empty"));
	assert_int_equal(check_of(&f, "memory_limit")->state, CHECK_UNKNOWN);
	assert_non_null(strstr(check_of(&f, "memory_limit")->text, "nothing names the chip"));
	findings_free(&f);
	x->module.oom = true;
	build(x, &f);
	assert_string_equal(finding_of(&f, "memory_limit")->title, "Compiling the program ran out of memory");
	assert_int_equal(finding_of(&f, "memory_limit")->severity, SEVERITY_HIGH);
	findings_free(&f);
	scene_free(x);
}

/* Whatever the chip is, it has more than a small program needs. */
static void a_small_program_of_an_unknown_chip(void **state)
{
	struct scene *x = padding(true);
	struct findings f;

	(void)state;
	x->m.limit = -1;
	build(x, &f);
	assert_int_equal(finding_of(&f, "memory_padding")->severity, SEVERITY_MEDIUM);
	findings_free(&f);
	x->m.peak_bytes = 0;
	for (size_t i = 0; i < x->m.npeak; i++) {
		x->buffer[i].size /= 1000;
		x->buffer[i].unpadded /= 1000;
		x->m.peak_bytes += x->buffer[i].size;
	}
	build(x, &f);
	assert_null(finding_of(&f, "memory_padding"));
	assert_non_null(strstr(check_of(&f, "memory_padding")->text, "any chip has room"));
	findings_free(&f);
	scene_free(x);
}

static void advice_is_for_what_takes_most(void **state)
{
	struct scene *x = limit(true);
	struct findings f;

	(void)state;
	build(x, &f);
	assert_int_equal(strncmp(finding_of(&f, "memory_limit")->advice, "Most of it is temporaries", 25), 0);
	assert_null(strstr(finding_of(&f, "memory_limit")->advice, "Most of it is parameters"));
	assert_non_null(strstr(finding_of(&f, "memory_limit")->detail, "Temporary\t10.0 GiB"));
	findings_free(&f);
	scene_free(x);
}

/* --- the program that is looked at --- */

static void add_program(struct mkspace *s, const char *name, int mib, bool buffers_too)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), b = { 0 }, a, proto;

	hlo_add(&entry, hlo_value("p.1", "parameter", 1, MIB(mib) / 4));
	pb_s(&m, 1, "jit_f");
	pb_sub(&m, 3, &entry);
	hlo_buffer(&b, 1, 1, MIB(mib), 0);
	a = hlo_allocation(0, MIB(mib), 0, 5);
	hlo_assign(&a, 1, 0, MIB(mib));
	pb_sub(&b, 3, &a);
	proto = hlo_proto(&m);
	if (buffers_too)
		pb_sub(&proto, 3, &b);
	else
		pb_free(&b);
	space_meta_bytes(s, name, "Hlo Proto", proto.b, proto.n);
	pb_free(&proto);
}

static int64_t peak_picked(const struct dump *d, const struct opdb *db, int asked)
{
	struct memory m;
	int64_t peak;

	if (!memory_pick(d, db, asked, NULL, NULL, &m))
		return -1;
	peak = m.peak_bytes;
	memory_free(&m);
	return peak;
}

static void the_program_that_takes_most_time(void **state)
{
	struct op op[3] = { { .program = 8, .sum.self = 5 }, { .program = 9, .sum.self = 7 },
		{ .program = 8, .sum.self = 4 } };
	struct opdb db = { .v = op, .n = 3, .op_time = 16 };
	struct mkspace s = { 0 };
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/host:metadata");
	add_program(&s, "jit_f(7)", 64, true);
	add_program(&s, "jit_f(8)", 2, true);
	add_program(&s, "jit_f(9)", 4, true);
	add_program(&s, "jit_f(10)", 99, false);
	d = space_load(&s, 1);
	assert_int_equal(d->nmodules, 4);
	assert_int_equal(peak_picked(d, &db, -1), MIB(2));
	assert_int_equal(peak_picked(d, NULL, -1), MIB(64));
	assert_int_equal(peak_picked(d, &db, hlo_module_find(d, "9")), MIB(4));
	assert_int_equal(peak_picked(d, &db, hlo_module_find(d, "10")), -1);
	for (size_t i = 0; i < 3; i++)
		op[i].program = 10;
	assert_int_equal(peak_picked(d, &db, -1), -1);
	d->modules[hlo_module_find(d, "8")].oom = true;
	assert_int_equal(peak_picked(d, NULL, -1), MIB(2));
	d->modules[hlo_module_find(d, "7")].len = MEMORY_PICK_BYTES + 1;
	d->modules[hlo_module_find(d, "8")].oom = false;
	assert_int_equal(peak_picked(d, NULL, -1), MIB(4));
	assert_int_equal(peak_picked(d, NULL, hlo_module_find(d, "7")), MIB(64));
	space_close(d);
	assert_int_equal(peak_picked(NULL, NULL, -1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE_TESTS(&rules),
		cmocka_unit_test(half_empty_memory_eases),
		cmocka_unit_test(what_nobody_needs_is_not_found),
		cmocka_unit_test(a_small_program_of_an_unknown_chip),
		cmocka_unit_test(all_padding_counts),
		cmocka_unit_test(an_unknown_limit),
		cmocka_unit_test(advice_is_for_what_takes_most),
		cmocka_unit_test(the_program_that_takes_most_time),
		cmocka_unit_test(gpu_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
