/* What the shapes of the listed buffers and the numbers of a message tell: for each rule a text that
 * raises it and one that must not. */
#include "config.h"

#include "analyze/triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* "SIZE|SHAPE|OP|LABEL" or "SIZE|SHAPE|OP|LABEL|UNPADDED" */
struct sample {
	const char *id, *used, *limit, *arguments;
	const char *buffers[8];
	const char *evidence, *advice; /* parts of the texts; NULL: the rule must not hold */
};

static void put(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void put(char *out, size_t size, const char *fmt, ...)
{
	size_t n = strlen(out);
	va_list args;

	va_start(args, fmt);
	vsnprintf(out + n, size - n, fmt, args);
	va_end(args);
}

static void make_text(const struct sample *s, char *out, size_t size)
{
	*out = 0;
	put(out, size,
	    "Ran out of memory in memory space hbm. Used %s of %s hbm. Exceeded hbm capacity by 1.00G.\n",
	    s->used, s->limit);
	put(out, size,
	    "Total hbm usage >= %s:\n    reserved  258.00M\n    program  %s\n    arguments  %s\n\n", s->used,
	    s->used, s->arguments ? s->arguments : "0B");
	put(out, size,
	    "Program hbm requirement %s:\n    HLO temp  %s (100.0%% utilization: Unpadded (%s) Padded (%s), "
	    "0.0%% fragmentation (0B))\n\n  Largest program allocations in hbm:\n\n",
	    s->used, s->used, s->used, s->used);
	for (size_t i = 0; i < 8 && s->buffers[i]; i++) {
		char none[1] = "", line[300], *field[5] = { none, none, none, none, none }, *rest = line;

		snprintf(line, sizeof line, "%s", s->buffers[i]);
		for (int k = 0; k < 5 && rest; k++)
			field[k] = strsep(&rest, "|");
		put(out, size, "  %zu. Size: %s\n", i + 1, field[0]);
		if (*field[2])
			put(out, size, "     Operator: op_name=\"%s\"\n", field[2]);
		put(out, size, "     Shape: %s\n     Unpadded size: %s\n", field[1],
		    *field[4] ? field[4] : field[0]);
		put(out, size,
		    "     XLA label: %s\n     Allocation type: HLO temp\n     ==========================\n\n",
		    field[3]);
	}
}

static const char *cell(const struct table *t, size_t row, const char *id)
{
	const struct cell *c = &t->cells[row * t->ncolumns + (size_t)table_column(t, id)];

	return c->type == CELL_STR ? c->s : "";
}

static void check(const struct sample *s, const char *text)
{
	struct triage t;
	size_t row = SIZE_MAX;

	triage_begin(&t);
	triage_file(&t, "x");
	triage_text(&t, text, strlen(text));
	triage_end(&t);
	for (size_t i = 0; i < t.findings.nrows; i++)
		if (!strcmp(cell(&t.findings, i, "id"), s->id))
			row = i;
	if (!s->evidence && row != SIZE_MAX)
		fail_msg("%s must not hold: %s", s->id, cell(&t.findings, row, "evidence"));
	if (s->evidence && row == SIZE_MAX)
		fail_msg("%s does not hold for %s", s->id, text);
	if (s->evidence && !strstr(cell(&t.findings, row, "evidence"), s->evidence))
		fail_msg("%s says: %s", s->id, cell(&t.findings, row, "evidence"));
	if (s->advice && !strstr(cell(&t.findings, row, "advice"), s->advice))
		fail_msg("%s advises: %s", s->id, cell(&t.findings, row, "advice"));
	triage_free(&t);
}

#define BLOCKS "kernel.1 = custom-call(), kernel_metadata={\\\"block_q\\\": 512, \\\"block_kv\\\": 2048}"

static const struct sample samples[] = {
	{ "parameters_most", "15.00G", "16.00G", "12.00G", { "3.00G|f32[8,8]||a" },
	    "12.0 GiB of 16.0 GiB (75 %)", "Donate" },
	{ "parameters_most", "17.00G", "16.00G", "8.00G", { "9.00G|f32[8,8]||a" }, NULL, NULL },
	{ "far_too_large", "56.00G", "16.00G", NULL, { NULL },
	    "3.5 times the memory of one device; evenly sharded it needs at least 4 devices", "Shard" },
	{ "far_too_large", "17.00G", "16.00G", NULL, { NULL }, NULL, NULL },
	{ "buffer_over_limit", "40.00G", "16.00G", NULL, { "36.00G|f32[96,10066330]||a" },
	    "36.0 GiB f32[96,10066330]; the limit is 16.0", "pieces" },
	{ "buffer_over_limit", "40.00G", "16.00G", NULL, { "15.00G|f32[96,41943040]||a" }, NULL, NULL },
	{ "kernel_blocks", "94.00G", "90.00G", NULL,
	    { "36.00G|f32[8,12,8,24576,512]{4,3,2,1,0:T(8,128)}|jit(f)/splash/pallas_call|" BLOCKS,
		"2.00G|f32[8,8192,8192]||a" },
	    "f32[8,12,8,24576,512] of splash: 12 is 24576 / block_kv (2048)",
	    "block_kv = 4096 makes 6 copies instead of 12" },
	{ "kernel_blocks", "94.00G", "90.00G", NULL,
	    { "36.00G|f32[8,13,8,24576,512]|jit(f)/splash/pallas_call|" BLOCKS }, NULL, NULL },
	{ "attention_scores", "20.00G", "16.00G", NULL,
	    { "16.00G|f32[4,16,8192,8192]{3,2,1,0:T(8,128)}|jit(f)/dot_general|a" },
	    "every pair of 8192 positions", "flash attention" },
	{ "attention_scores", "20.00G", "16.00G", NULL, { "16.00G|f32[64,8192,8192]|jit(f)/softmax/exp|a" },
	    "8192 positions", NULL },
	{ "attention_scores", "20.00G", "16.00G", NULL,
	    { "16.00G|f32[64,8192,8192]|jit(f)/mlp/dot_general|a", "1.00G|f32[16384,16384]||b" }, NULL,
	    NULL },
	{ "vocabulary", "34.00G", "31.00G", NULL,
	    { "9.27G|f32[2,8192,151936]|jit(f)/dot_general|a",
		"9.27G|f32[16384,151936]|jit(f)/jit(log_softmax)/sub|b" },
	    "18.5 GiB of the 18.5 GiB listed, in 2 buffers, have the dimension 151936, which looks like the "
	    "vocabulary (softmax)",
	    "chunks of the sequence" },
	{ "vocabulary", "34.00G", "31.00G", NULL, { "9.27G|f32[2,8192,151936]|jit(f)/dot_general|a" }, NULL,
	    NULL },
	{ "loop_keeps", "28.00G", "16.00G", NULL,
	    { "3.00G|bf16[48,2,2048,8192]{3,2,1,0:T(8,128)(2,1)}|broadcast.3|c = custom-call(), "
	      "custom_call_target=\"AllocateBuffer\"",
		"3.00G|bf16[48,2,2048,8192]{3,2,1,0:T(8,128)(2,1)}|broadcast.3|d" },
	    "2 x 3.0 GiB bf16[48,2,2048,8192] of broadcast.3 looks like the values that 48 iterations of a "
	    "loop keep",
	    "jax.checkpoint" },
	{ "loop_keeps", "28.00G", "16.00G", NULL, { "6.00G|bf16[48,2,2048,8192]|jit(f)/add|c" }, NULL, NULL },
	{ "largest_buffer", "20.00G", "16.00G", NULL,
	    { "8.00G|f32[8192,262144]|jit(f)/mul|a", "2.00G|f32[4096,131072]||b" },
	    "8.0 GiB f32[8192,262144] of mul, 80 % of all that is listed", NULL },
	{ "largest_buffer", "20.00G", "16.00G", NULL,
	    { "2.00G|f32[1,2]||a", "2.00G|f32[3,4]||b", "2.00G|f32[5,6]||c", "2.00G|f32[7,8]||d",
		"2.00G|f32[9,8]||e" },
	    NULL, NULL },
	{ "same_shape", "20.00G", "16.00G", NULL,
	    { "4.00G|f32[8192,1024,128]||a", "4.00G|f32[8192,1024,128]||b" },
	    "2 x 4.0 GiB f32[8192,1024,128] are live at once, 8.0 GiB in total", "lax.scan" },
	{ "same_shape", "200.00G", "16.00G", NULL,
	    { "4.00G|f32[8192,1024,128]||a", "4.00G|f32[8192,1024,128]||b" }, NULL, NULL },
	{ "same_shape", "20.00G", "16.00G", NULL,
	    { "4.00G|f32[8192,1024,128]||a", "4.00G|f32[4096,2048,128]||b" }, NULL, NULL },
	{ "padding_waste", "20.00G", "16.00G", NULL,
	    { "16.00G|f32[32768,1024,64]{2,1,0:T(8,128)}||a|8.00G\n     Extra memory due to padding: 8.00G "
	      "(2.0x expansion)" },
	    "8.0 GiB of the 16.0 GiB listed are padding; in f32[32768,1024,64] 64 takes the memory of 128",
	    "Merge the 64" },
	{ "padded_dimension", "20.00G", "16.00G", NULL,
	    { "16.00G|f32[32768,1024,64]{2,1,0:T(8,128)}||a|8.00G\n     Extra memory due to padding: 8.00G "
	      "(2.0x expansion)" },
	    NULL, NULL },
	{ "padded_dimension", "5.00G", "4.00G", NULL,
	    { "4.51G|bf16[660,224,224,64]{0,3,2,1:T(8,128)(2,1)}||a|3.95G" },
	    "in bf16[660,224,224,64] 660 takes the memory of 768",
	    "768 takes no more memory, 640 takes less" },
	{ "padded_dimension", "5.00G", "4.00G", NULL,
	    { "4.51G|bf16[768,224,224,64]{0,3,2,1:T(8,128)(2,1)}||a" }, NULL, NULL },
	{ "two_types", "20.00G", "16.00G", NULL,
	    { "8.00G|f32[2,8192,131072]||a", "4.00G|bf16[2,8192,131072]||b" },
	    "there are 8.0 GiB f32[2,8192,131072] and 4.0 GiB bf16[2,8192,131072]", "Convert as late" },
	{ "two_types", "20.00G", "16.00G", NULL,
	    { "8.00G|f32[2,8192,131072]||a", "4.00G|bf16[4,8192,65536]||b" }, NULL, NULL },
	{ "backward_pass", "20.00G", "16.00G", NULL,
	    { "8.00G|f32[8192,262144]|jit(f)/transpose(jvp(g))/mul|a" }, "8.0 GiB of the 8.0 GiB listed",
	    "jax.checkpoint" },
	{ "backward_pass", "20.00G", "16.00G", NULL, { "8.00G|f32[8192,262144]|jit(f)/mul|a" }, NULL, NULL },
	{ "batch", "20.00G", "19.00G", NULL, { "4.00G|f32[16,4096,16384]||a", "4.00G|f32[16,16384,4096]||b" },
	    "16 is the first dimension of 8.0 GiB of the 8.0 GiB listed, so it looks like the batch",
	    "A batch of about 14 instead of 16" },
	{ "batch", "20.00G", "19.00G", NULL,
	    { "4.59G|bf16[660,224,224,64]{0,3,2,1:T(8,128)(2,1)}||a|3.95G",
		"4.59G|bf16[660,224,224,64]{0,3,2,1:T(8,128)(2,1)}||b|3.95G" },
	    "660 is the first dimension", "about 640 instead of 660" },
	{ "batch", "20.00G", "19.00G", NULL, { "4.00G|f32[16,4096,16384]||a", "4.00G|f32[8,16384,8192]||b" },
	    NULL, NULL },
	{ "nearly_fits", "16.10G", "16.00G", NULL, { NULL }, NULL, NULL }, /* 1 GiB too much, it says */
	{ "nearly_fits", "91.00G", "90.00G", NULL, { NULL }, "it is only 1.0 GiB too large", NULL },
	{ "no_list", "17.00G", "16.00G", NULL, { NULL }, "the text ends before the list", "tpu_logs" },
	{ "no_list", "17.00G", "16.00G", NULL, { "9.00G|f32[8,8]||a" }, NULL, NULL },
};

static void rules(void **state)
{
	static char text[16384];

	(void)state;
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		make_text(&samples[i], text, sizeof text);
		check(&samples[i], text);
	}
}

static void kernels(void **state)
{
	static const struct sample v[] = {
		{ "allocation",
		    "Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape "
		    "= "
		    "'f32[8192,8192]{1,0:T(8,128)}', space=vmem, size = 0x10000000, scoped, tag = 'scratch "
		    "operand'] :: k.1\n",
		    NULL, NULL, { NULL }, "256.0 MiB f32[8192,8192]: scratch operand", NULL },
		{ "no_program",
		    "Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape "
		    "= 'f32[8192,8192]{1,0:T(8,128)}', space=vmem, size = 0x10000000, scoped] :: k.1\n",
		    NULL, NULL, { NULL }, "only the instruction: k.1", "tpuscope triage MESSAGE DIR" },
		{ "allocation", "Ran out of memory in memory space vmem. Used 20.00M of 16.00M vmem.\n", NULL,
		    NULL, { NULL }, NULL, NULL },
		{ "kernel_buffers",
		    "Ran out of memory in memory space vmem. Used 24.00M of 16.00M vmem.\n\n  Largest "
		    "program "
		    "allocations in vmem:\n\n  1. Size: 8.00M\n     Operator: "
		    "op_name=\"jit(f)/pallas_call\"\n     "
		    "Shape: u8[8388608]{0}\n     ===\n\n  2. Size: 8.00M\n     Shape: u8[8388608]{0}\n     "
		    "===\n",
		    NULL, NULL, { NULL }, "2 x 8.0 MiB u8[8388608] of pallas_call, 100 %", NULL },
		{ "kernel_buffers",
		    "Ran out of memory in memory space hbm. Used 24.00M of 16.00M hbm.\n\n  Largest program "
		    "allocations in hbm:\n\n  1. Size: 8.00M\n     Shape: u8[8388608]{0}\n     ===\n",
		    NULL, NULL, { NULL }, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		check(&v[i], v[i].used);
}

/* Shapes without layouts, several values in one buffer: only the sizes show padding. */
static void reports(void **state)
{
	static const char text[] =
	    "Ran out of memory in memory space hbm. Used 17.00G of 16.00G hbm. HLO module: f. Memory usage "
	    "report: \n\n"
	    "Memory Space: default (color=0)\nTotal bytes: 17179869184 (16.0GiB)\n  cumulative_size;  size;  "
	    "offset; "
	    "used_by_n_values; shapes_list\n  -----\n"
	    "     8.0GiB( 50%);     8.0GiB;            0;                5; s32[8], "
	    "4\303\227f32[2048,512,512,3]\n"
	    "    16.0GiB(100%);     8.0GiB;   8589934592;                1; f32[2048,512,512,3]\n";
	static const struct sample v[] = {
		{ "padding_waste", NULL, NULL, NULL, { NULL }, "f32[2048,512,512,3] 3 takes the memory of 4",
		    NULL },
		{ "batch", NULL, NULL, NULL, { NULL }, "2048 is the first dimension", NULL },
		{ "same_shape", NULL, NULL, NULL, { NULL }, "2 x 8.0 GiB f32[2048,512,512,3]", NULL },
		{ "no_list", NULL, NULL, NULL, { NULL }, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		check(&v[i], text);
}

static void ops(void **state)
{
	static const struct {
		const char *name, *op;
	} v[] = {
		{ "jit(f)/mul", "mul" },
		{ "jit(f)/splash/pallas_call", "splash" },
		{ "jit(f)/pallas_call", "pallas_call" },
		{ "broadcast.3", "broadcast.3" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		size_t n;
		const char *s = triage_op(v[i].name, &n);

		assert_int_equal(n, strlen(v[i].op));
		assert_memory_equal(s, v[i].op, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rules),
		cmocka_unit_test(kernels),
		cmocka_unit_test(reports),
		cmocka_unit_test(ops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
