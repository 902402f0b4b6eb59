/* Kernels of GPUs: what is read of each form of capture, which kernels make a row, and whose op they are. */
#include "config.h"
#include "analyze/kernels/kernels.h"
#include "analyze/trace/links.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkspace.h"

static void text_stat(struct mkspace *s, const char *name, const char *v)
{
	pb_stat_s(&s->event, 4, space_name(s->stat, &s->nstats, name), v);
}

static void kernel(struct mkspace *s, const char *name, int64_t start, int64_t dur, const char *details)
{
	space_event(s, name, start, dur);
	text_stat(s, "kernel_details", details);
}

static bool is(struct slice t, const char *text)
{
	return slice_is(t, text);
}

static void make(const struct dump *d, struct kernels *k)
{
	kernels_make(d, &(struct kernels_options){ .core = -1 }, k);
}

static void details_are_read_in_all_their_forms(void **state)
{
	struct kernel_shape s = KERNEL_SHAPE;
	double occupancy = 0;

	(void)state;
	kernel_details(slice_of("regs:32 static_shared:16\ndynamic_shared:48 block:256,2,1 grid:4,64,3 "
				"occ_pct:62.5 "
				"more:7 nothing"),
	    &s, &occupancy);
	assert_int_equal(s.registers, 32);
	assert_int_equal(s.static_shared + s.dynamic_shared, 64);
	assert_int_equal(s.block[0], 256);
	assert_int_equal(s.block[1], 2);
	assert_int_equal(s.grid[2], 3);
	assert_true(occupancy > 62.4 && occupancy < 62.6);
	assert_int_equal(s.lds, -1);
	s = KERNEL_SHAPE;
	occupancy = 0;
	kernel_details(slice_of(" grid:4,64,1 block:256,1,1 private_mem:8 group_mem:8704 occ_pct:0"), &s,
	    &occupancy);
	assert_int_equal(s.lds, 8704);
	assert_int_equal(s.scratch, 8);
	assert_int_equal(s.registers, 0);
	assert_true(occupancy <= 0);
	s = KERNEL_SHAPE;
	kernel_details(slice_of("regs: block:7,1 grid:1,2,99999999999 regs:-1 shm:5 :9 block:"), &s,
	    &occupancy);
	assert_int_equal(s.block[0], 1);
	assert_int_equal(s.grid[1], 1);
	assert_int_equal(s.registers, 0);
	kernel_dims(slice_of("[\n 128, 2 ,1]"), s.block);
	assert_int_equal(s.block[0], 128);
	assert_int_equal(s.block[1], 2);
}

static void kernels_of_one_name_shape_and_op_are_a_row(void **state)
{
	struct mkspace s = { 0 };
	struct kernels k;
	struct dump *d;

	(void)state;
	space_plane(&s, 1, "/device:GPU:0");
	space_line(&s, 7, "Stream #7(Kernel)");
	kernel(&s, "gemm", 1000000, 2500, "regs:32 block:256,1,1 grid:4,1,1");
	text_stat(&s, "tf_op", "a/MatMul:MatMul");
	kernel(&s, "gemm", 1010000, 999, "regs:32 block:256,1,1 grid:4,1,1"); /* less than 1 ns */
	text_stat(&s, "tf_op", "a/MatMul:MatMul");
	kernel(&s, "gemm", 1020000, 3999, "grid:4,1,1 block:256,1,1 regs:32");
	text_stat(&s, "tf_op", "a/MatMul:Other");
	kernel(&s, "gemm", 1030000, 9000, "regs:32 block:256,1,1 grid:8,1,1");
	text_stat(&s, "tf_op", "a/MatMul:MatMul");
	space_event(&s, "MemcpyH2D", 1040000, 4000);
	text_stat(&s, "memcpy_details", "size:4 dest:4 async:1");
	space_line(&s, 8, "Stream #8(Kernel)");
	kernel(&s, "gemm", 1000000, 5000, "regs:32 block:256,1,1 grid:4,1,1");
	text_stat(&s, "tf_op", "a/MatMul:MatMul");
	space_line(&s, -559038737 + 3, "TensorFlow Ops"); /* derived from the others */
	kernel(&s, "gemm", 1000000, 5000, "regs:32 block:256,1,1 grid:4,1,1");
	d = space_load(&s, 1);
	make(d, &k);
	assert_int_equal(k.n, 2);
	assert_int_equal(k.sum.n, 4);
	assert_int_equal(k.sum.total, 2 + 3 + 9 + 5);
	assert_int_equal(k.v[0].sum.total, 10);
	assert_int_equal(k.v[0].sum.n, 3);
	assert_int_equal(k.v[0].sum.min, 2);
	assert_int_equal(k.v[0].sum.max, 5);
	assert_int_equal(k.v[0].streams, 2);
	assert_int_equal(k.v[1].shape.grid[0], 8);
	assert_true(is(k.v[0].op, "a/MatMul") && k.v[0].eligible && !k.v[0].uses);
	assert_int_equal(k.nops, 1);
	assert_int_equal(k.ops[0].kernels, 2);
	assert_int_equal(k.nstreams, 2);
	assert_int_equal(k.ndevices, 1);
	assert_int_equal(k.devices[0].ncopies, 1);
	assert_int_equal(k.copies, 4000);
	/* 0-5 of both streams, 10-10.999, 20-23.999, 30-39, 40-44 ns */
	assert_int_equal(k.devices[0].busy, 5000 + 999 + 3999 + 9000 + 4000);
	kernels_free(&k);
	space_close(d);
}

/* A program with an instruction "dot.1" of the op "jit(f)/dot_general". */
static struct pb program(void)
{
	struct pb meta = { 0 }, op = { 0 }, computation = { 0 }, module = { 0 }, proto = { 0 };

	pb_s(&meta, 2, "jit(f)/dot_general");
	pb_s(&op, 1, "dot.1");
	pb_s(&op, 2, "dot");
	pb_sub(&op, 7, &meta);
	pb_s(&computation, 1, "main");
	pb_sub(&computation, 2, &op);
	pb_s(&module, 1, "jit_f");
	pb_sub(&module, 3, &computation);
	pb_sub(&proto, 1, &module);
	return proto;
}

static void the_op_is_that_of_the_instruction(void **state)
{
	struct mkspace s = { 0 };
	struct pb hlo = program();
	struct kernels k;
	struct dump *d;

	(void)state;
	space_plane(&s, 5, "/host:metadata");
	space_meta_bytes(&s, "jit_f(9)", "Hlo Proto", hlo.b, hlo.n);
	space_meta_int(&s, "jit_f(9)", "program_id", 9);
	pb_free(&hlo);
	space_plane(&s, 1, "/device:GPU:0");
	space_line(&s, 1, "Stream #1(Kernel)");
	kernel(&s, "a", 0, 30000, "regs:1");
	text_stat(&s, "hlo_op", "call::dot.1");
	text_stat(&s, "tf_op", "XlaModule:");
	space_int(&s, "program_id", 9);
	kernel(&s, "b", 100000, 20000, "regs:1");
	text_stat(&s, "hlo_op", "dot.2");
	text_stat(&s, "tf_op", "XlaModule:");
	space_int(&s, "program_id", 9);
	kernel(&s, "c", 200000, 10000, "regs:5000");
	text_stat(&s, "annotation", "model/layer_1/Relu:Relu#shape=(int32[3])#");
	d = space_load(&s, 1);
	make(d, &k);
	assert_int_equal(k.n, 3);
	assert_true(is(k.v[0].op, "jit(f)/dot_general") && k.v[0].eligible);
	assert_true(is(k.v[1].op, ""));
	assert_true(is(k.v[2].op, "")); /* as XProf; an op of its own in the table of ops */
	assert_int_equal(k.nops, 3);
	assert_true(is(k.ops[2].name, "model/layer_1/Relu:Relu"));
	assert_int_equal(k.odd_registers, 1);
	kernels_free(&k);
	space_close(d);
}

static void launches_are_found_by_their_correlation(void **state)
{
	struct mkspace s = { 0 };
	struct kernels k;
	struct dump *d;

	(void)state;
	space_host(&s);
	space_event(&s, "cuLaunchKernel", 1000, 500);
	space_int(&s, "correlation_id", 41);
	space_event(&s, "cuLaunchKernel", 3000, 500);
	space_int(&s, "correlation_id", 42);
	space_plane(&s, 1, "/device:GPU:3");
	space_line(&s, 1, "Stream #1(Kernel)");
	kernel(&s, "a", 11000, 4000, "regs:1");
	space_int(&s, "correlation_id", 41);
	kernel(&s, "a", 33000, 4000, "regs:1");
	space_int(&s, "correlation_id", 42);
	kernel(&s, "a", 44000, 4000, "regs:1");
	space_int(&s, "correlation_id", 43);
	d = space_load(&s, 1);
	make(d, &k);
	assert_int_equal(k.v[0].sum.n, 3);
	assert_int_equal(k.v[0].sum.launches, 2);
	assert_int_equal(k.v[0].sum.gap, 10000 + 30000);
	kernels_free(&k);
	kernels_make(d, &(struct kernels_options){ .core = 2 }, &k);
	assert_int_equal(k.n + k.nstreams, 0);
	kernels_free(&k);
	space_close(d);
}

static void names_tell_the_matrix_unit(void **state)
{
	(void)state;
	assert_true(kernel_uses_matrix_unit(slice_of("volta_s884gemm_fp16_128x64")));
	assert_true(kernel_uses_matrix_unit(slice_of("Cijk_Ailk_Bljk_BBS")));
	assert_false(kernel_uses_matrix_unit(slice_of("loop_convert_fusion")));
	assert_true(kernel_op_is_eligible(slice_of("x/Conv2D")));
	assert_false(kernel_op_is_eligible(slice_of("MatMul")));
	assert_true(kernel_op_is_eligible(slice_of("a/BatchMatMulV2_1")));
}

/* Events of the GPUs of two traces of PyTorch that know their launch. */
static void launches_of_pytorch(void **state)
{
	static const struct {
		const char *path;
		size_t launched;
	} table[] = {
		{ "mi300~resnet_act_checkpoint", 2685 },
		{ "b200~eager_trace", 929 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *path = xasprintf("%s/../shared/data/found/trace_json-gpu/"
				       "AMD-AGI+TraceLens__tests~traces~%s.json.gz",
		    getenv("top_srcdir") ? getenv("top_srcdir") : ".", table[i].path);
		const char *paths[] = { path };
		struct load_options o = { .threads = 1 };
		struct links_found f = { 0 };
		size_t n = 0;
		struct dump *d;
		struct err err;

		if (access(path, R_OK))
			skip();
		d = load_paths(paths, 1, &o, NULL, &err);
		assert_non_null(d);
		assert_true(links_find(d, &f, NULL));
		for (size_t k = 0; k < f.n; k++)
			n += d->trace.planes[d->trace.tracks[f.edges[k].dst_track].plane].kind == PLANE_GPU;
		assert_int_equal(n, table[i].launched);
		links_found_free(&f);
		dump_close(d);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(details_are_read_in_all_their_forms),
		cmocka_unit_test(kernels_of_one_name_shape_and_op_are_a_row),
		cmocka_unit_test(the_op_is_that_of_the_instruction),
		cmocka_unit_test(launches_are_found_by_their_correlation),
		cmocka_unit_test(launches_of_pytorch),
		cmocka_unit_test(names_tell_the_matrix_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
