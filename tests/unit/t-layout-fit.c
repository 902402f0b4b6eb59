#include "config.h"
#include "analyze/ops/layout_fit.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "../lib/mkhlo.h"
#include "../lib/mkspace.h"

static struct slice text(const char *s)
{
	return (struct slice){ s, strlen(s) };
}

static struct op op_of(const char *expression)
{
	return (struct op){ .program = 7, .expression = text(expression), .shape = text("") };
}

static void fit_of(const struct dump *d, struct hlo_contents *h, const char *expression, struct layout_fit *f)
{
	struct op o = op_of(expression);

	if (h)
		o.name = strtab_find(&d->str, "fusion.1", 8);
	layout_fit_op(d, h, &o, f);
}

static struct dump *small(void)
{
	struct mkspace s = { 0 };

	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	return space_load(&s, 1);
}

/* Batch 16 in the lanes and feature 3 in the sublanes: one of 21 places is used. */
static void a_convolution_and_its_padding(void **state)
{
	struct dump *d = small();
	const struct fit_shape *x;
	struct layout_fit f;

	(void)state;
	fit_of(d, NULL,
	    "%convolution.1 = f32[16,112,112,64]{3,0,2,1:T(8,128)} "
	    "convolution(f32[16,224,224,3]{0,3,2,1:T(8,128)} "
	    "%p.1, f32[7,7,3,64]{3,2,1,0:T(4,128)} %p.2), window={size=7x7}, dim_labels=b01f_01io->b01f",
	    &f);
	assert_string_equal(f.kind, "convolution");
	assert_int_equal(f.n, 3);
	x = &f.v[f.main];
	assert_string_equal(x->role, "lhs");
	assert_int_equal(x->ndims, 4);
	assert_string_equal(x->dim[0].semantics, "batch");
	assert_string_equal(x->dim[1].semantics, "feature");
	assert_string_equal(x->dim[2].semantics, "spatial");
	assert_true(x->efficiency > 0.0468 && x->efficiency < 0.0469);
	assert_int_equal(x->dim[0].size, 16);
	assert_int_equal(x->dim[0].padded, 128);
	assert_string_equal(layout_fit_role(&f, &x->dim[0]), "batch");
	assert_string_equal(f.v[2].role, "rhs");
	assert_string_equal(f.v[2].dim[0].semantics, "output feature");
	assert_string_equal(f.v[2].dim[1].semantics, "input feature");
	layout_fit_free(&f);
	space_close(d);
}

static void a_dot_and_its_dimensions(void **state)
{
	struct dump *d = small();
	struct layout_fit f;

	(void)state;
	fit_of(d, NULL,
	    "%dot.3 = bf16[4,256,100]{2,1,0:T(8,128)(2,1)} dot(bf16[4,256,512]{2,1,0:T(8,128)(2,1)} %a, "
	    "bf16[4,512,100]{2,1,0:T(8,128)(2,1)} %b), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
	    "rhs_batch_dims={0}, rhs_contracting_dims={1}",
	    &f);
	assert_string_equal(f.kind, "dot");
	assert_int_equal(f.n, 3);
	assert_string_equal(f.v[1].dim[0].semantics, "contracting");
	assert_string_equal(f.v[1].dim[1].semantics, "free");
	assert_string_equal(f.v[1].dim[2].semantics, "batch");
	assert_string_equal(f.v[2].dim[1].semantics, "contracting");
	assert_string_equal(f.v[0].dim[2].semantics, "batch");
	assert_string_equal(layout_fit_role(&f, &f.v[1].dim[0]), "contracting");
	assert_null(layout_fit_role(&f, &f.v[1].dim[2])); /* may be heads */
	assert_true(f.v[0].efficiency > 0.781 && f.v[0].efficiency < 0.782);
	assert_int_equal(f.v[1].dim[0].size, 512);
	assert_int_equal(f.v[1].dim[0].padded, 512);
	assert_int_equal(f.v[1].dim[0].alignment, 128);
	layout_fit_free(&f);
	space_close(d);
}

/* What the compiler calls the batch is any dimension of the dot: here it is not the batch of the program, 9. */
static void a_dot_that_runs_as_a_convolution(void **state)
{
	struct dump *d = small();
	struct layout_fit f;

	(void)state;
	fit_of(d, NULL,
	    "%convolution.2 = f32[130,512]{1,0:T(8,128)} convolution(f32[130,9]{0,1:T(8,128)} %p.1, "
	    "f32[9,512]{1,0:T(8,128)} %p.2), dim_labels=bf_io->bf",
	    &f);
	assert_string_equal(f.kind, "convolution");
	assert_false(layout_fit_slides(&f));
	assert_string_equal(f.v[f.main].dim[0].semantics, "batch");
	assert_null(layout_fit_role(&f, &f.v[f.main].dim[0]));
	layout_fit_free(&f);
	space_close(d);
}

static void other_texts(void **state)
{
	struct dump *d = small();
	struct op o = op_of("");
	struct layout_fit f;

	(void)state;
	fit_of(d, NULL,
	    "%f.2 = (f32[10]{0:T(128)}, s32[]) fusion(f32[10]{0:T(128)} %a, (f32[2]{0}) %b), kind=kLoop", &f);
	assert_null(f.kind);
	assert_int_equal(f.n, 4);
	assert_int_equal(f.main, 0);
	assert_string_equal(f.v[3].role, "operand");
	assert_null(f.v[0].dim[0].semantics);
	layout_fit_free(&f);
	fit_of(d, NULL, "%f.2 = f32[10]{0:T(128)} fusion(f32[10", &f);
	assert_int_equal(f.n, 1);
	layout_fit_free(&f);
	fit_of(d, NULL, "no HLO text", &f);
	assert_int_equal(f.n, 0);
	layout_fit_free(&f);
	o.shape = text("f32[3,5]{1,0:T(8,128)}");
	layout_fit_op(d, NULL, &o, &f);
	assert_int_equal(f.n, 1);
	assert_int_equal(f.v[0].dim[1].padded, 8);
	layout_fit_free(&f);
	space_close(d);
}

static struct pb convolution(void)
{
	struct pb i = hlo_new("convolution.4", "convolution", 4), n = { 0 },
		  shape = hlo_shape(11, (const int64_t[]){ 16, 64 }, 2, (const int64_t[]){ 1, 0 }, 8, 128);

	pb_sub(&i, 3, &shape);
	pb_u(&n, 7, 0);
	pb_u(&n, 8, 1);
	pb_u(&n, 3, 0);
	pb_u(&n, 4, 1);
	pb_u(&n, 9, 0);
	pb_u(&n, 10, 1);
	pb_sub(&i, 16, &n);
	pb_u(&i, 36, 2);
	pb_u(&i, 36, 3);
	return i;
}

/* A fusion is judged by the convolution inside it. */
static void a_fusion_with_its_proto(void **state)
{
	struct pb m = { 0 }, entry = hlo_computation("entry", 1), body = hlo_computation("body", 2), p, q,
		  lhs = hlo_shape(11, (const int64_t[]){ 16, 3 }, 2, (const int64_t[]){ 0, 1 }, 8, 128),
		  rhs = hlo_shape(11, (const int64_t[]){ 3, 64 }, 2, (const int64_t[]){ 1, 0 }, 8, 128),
		  proto;
	struct mkspace s = { 0 };
	struct hlo_contents *h;
	struct layout_fit f;
	struct dump *d;

	(void)state;
	p = hlo_new("param.2", "parameter", 2);
	pb_sub(&p, 3, &lhs);
	q = hlo_new("param.3", "parameter", 3);
	pb_sub(&q, 3, &rhs);
	hlo_add(&body, p);
	hlo_add(&body, q);
	hlo_add(&body, convolution());
	hlo_add(&entry, hlo_fusion("fusion.1", 1, 2));
	pb_sub(&m, 3, &entry);
	pb_sub(&m, 3, &body);
	proto = hlo_proto(&m);
	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 3, "XLA Ops");
	space_event(&s, "fusion.1", 0, 10);
	space_plane(&s, 2, "/host:metadata");
	space_meta_bytes(&s, "jit_f(7)", "Hlo Proto", proto.b, proto.n);
	pb_free(&proto);
	d = space_load(&s, 1);
	h = contents_new(d);
	fit_of(d, h, "%fusion.1 = f32[16,64]{1,0:T(8,128)} fusion(f32[16,3] %a)", &f);
	assert_string_equal(f.kind, "convolution");
	assert_int_equal(f.n, 3);
	assert_string_equal(f.v[f.main].role, "lhs");
	assert_string_equal(f.v[f.main].dim[0].semantics, "batch");
	assert_int_equal(f.v[f.main].dim[0].padded, 128);
	assert_string_equal(f.v[f.main].dim[1].semantics, "feature");
	assert_int_equal(f.v[f.main].dim[1].padded, 8);
	assert_string_equal(f.v[2].dim[0].semantics, "output feature");
	layout_fit_free(&f);
	contents_free(h);
	space_close(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_convolution_and_its_padding),
		cmocka_unit_test(a_dot_and_its_dimensions),
		cmocka_unit_test(a_dot_that_runs_as_a_convolution),
		cmocka_unit_test(other_texts),
		cmocka_unit_test(a_fusion_with_its_proto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
