#include "config.h"
#include "analyze/ops/layout_fit.h"

#include <string.h>

#include "base/text/digit.h"

/* What the dimensions of the three arrays of a convolution or dot mean; NULL: not known. */
enum { LHS, RHS, OUT, ARRAYS };

struct dim_meaning {
	const char *what;
	int axis; /* as in struct shape_dim */
};

struct meaning {
	const char *kind;
	struct dim_meaning of[ARRAYS][FIT_DIMS];
};

static const char batch[] = "batch", feature[] = "feature", spatial[] = "spatial",
		  contracting[] = "contracting", free_dim[] = "free", input_feature[] = "input feature",
		  output_feature[] = "output feature";

static void mean(struct meaning *m, int array, int64_t dim, const char *what)
{
	if (dim >= 0 && dim < FIT_DIMS)
		m->of[array][dim].what = what;
}

static void mean_axis(struct meaning *m, int array, int64_t dim, int axis)
{
	mean(m, array, dim, spatial);
	if (dim >= 0 && dim < FIT_DIMS)
		m->of[array][dim].axis = axis;
}

static void mean_axes(struct meaning *m, int array, const int64_t *dim, size_t n)
{
	for (size_t i = 0; i < n && i < FIT_DIMS; i++)
		mean_axis(m, array, dim[i], (int)i + 1);
}

static void mean_all(struct meaning *m, int array, const int64_t *dim, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		mean(m, array, dim[i], what);
}

static void add_array(struct layout_fit *f, const char *role, const struct shape *s,
    const struct dim_meaning *meaning)
{
	struct fit_shape *x = &f->v[f->n];

	if (!shape_is_array(s))
		return;
	if (f->n == FIT_SHAPES) {
		f->more++;
		return;
	}
	*x = (struct fit_shape){ .role = role, .shape = *s };
	x->ndims = shape_fit(s, x->dim, FIT_DIMS);
	x->efficiency = shape_efficiency(x->dim, x->ndims);
	for (size_t i = 0; meaning && i < x->ndims; i++) {
		struct dim_meaning none = { 0 },
				   m = x->dim[i].index < FIT_DIMS ? meaning[x->dim[i].index] : none;

		x->dim[i].semantics = m.what;
		x->dim[i].axis = m.axis;
	}
	f->n++;
}

static void add_shape(struct layout_fit *f, const char *role, const struct shape *s,
    const struct dim_meaning *meaning)
{
	add_array(f, role, s, meaning);
	for (size_t i = 0; s->type == SHAPE_TUPLE && i < s->nsub; i++) /* at most SHAPE_DEPTH deep */
		add_shape(f, role, &s->sub[i], meaning);
}

static void choose_main(struct layout_fit *f)
{
	const char *role = f->kind ? "lhs" : "result";

	f->main = 0;
	for (size_t i = f->n; i-- > 0;)
		if (!strcmp(f->v[i].role, role))
			f->main = i;
}

/* ---- from the text of an instruction: "%name = SHAPE opcode(SHAPE %a, SHAPE %b), attribute=…" ---- */

static struct slice attribute(struct slice t, const char *name)
{
	const char *s = memmem(t.s, t.n, name, strlen(name));
	struct slice v = { "", 0 };

	if (!s)
		return v;
	v.s = s + strlen(name);
	v.n = (size_t)(t.s + t.n - v.s);
	return v;
}

/* Parses "b01f_01io->b01f". */
static void mean_labels(struct meaning *m, struct slice labels)
{
	int array = LHS;
	int64_t dim = 0;

	for (size_t i = 0; i < labels.n && array < ARRAYS; i++) {
		char c = labels.s[i];

		if (c == '_' || c == '-') {
			array++;
			dim = 0;
			i += c == '-';
			continue;
		}
		if (!strchr("bfio?0123456789", c))
			break;
		if (is_digit(c))
			mean_axis(m, array, dim++, c - '0' + 1);
		else
			mean(m, array, dim++,
			    c == 'b'       ? batch
				: c == 'f' ? feature
				: c == 'i' ? input_feature
				: c == 'o' ? output_feature
					   : NULL);
	}
}

/* Parses "{1,2}". */
static size_t parse_numbers(struct slice t, int64_t *v, size_t max)
{
	size_t n = 0;
	bool digit = false;

	for (size_t i = 1; t.n && *t.s == '{' && i < t.n && t.s[i] != '}'; i++) {
		bool was = digit;

		digit = is_digit(t.s[i]);
		if (!digit)
			continue;
		if (!was && n == max)
			break;
		if (!was)
			v[n++] = 0;
		v[n - 1] = v[n - 1] < 1000 ? v[n - 1] * 10 + (t.s[i] - '0') : 1000;
	}
	return n;
}

/* The result of a dot has the batch dimensions first, then the remaining dimensions of both operands. */
static void mean_dot(struct meaning *m, const int64_t *const v[4], const size_t n[4])
{
	for (int array = LHS; array <= OUT; array++)
		for (int64_t i = 0; i < FIT_DIMS; i++)
			mean(m, array, i, array == OUT && i < (int64_t)n[2] ? batch : free_dim);
	mean_all(m, LHS, v[0], n[0], contracting);
	mean_all(m, RHS, v[1], n[1], contracting);
	mean_all(m, LHS, v[2], n[2], batch);
	mean_all(m, RHS, v[3], n[3], batch);
}

static void mean_text(struct meaning *m, struct slice opcode, struct slice tail)
{
	static const char *const names[4] = { "lhs_contracting_dims=", "rhs_contracting_dims=",
		"lhs_batch_dims=", "rhs_batch_dims=" };
	int64_t dims[4][FIT_DIMS];
	const int64_t *v[4];
	size_t n[4];

	if (slice_is(opcode, "convolution")) {
		m->kind = "convolution";
		mean_labels(m, attribute(tail, "dim_labels="));
	} else if (slice_is(opcode, "dot")) {
		m->kind = "dot";
		for (int i = 0; i < 4; i++) {
			v[i] = dims[i];
			n[i] = parse_numbers(attribute(tail, names[i]), dims[i], FIT_DIMS);
		}
		mean_dot(m, v, n);
	}
}

/* Returns the end of the operands; NULL: not found. */
static const char *end_of_operands(const char *p, const char *end)
{
	for (int depth = 0; p < end; p++) {
		if (*p == ')' && !depth)
			return p;
		depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
	}
	return NULL;
}

static void add_operands(struct layout_fit *f, const char *p, const char *end, const struct meaning *m)
{
	for (size_t i = 0; p < end; i++) {
		struct shape s;
		size_t n;
		int depth = 0;

		while (p < end && *p == ' ')
			p++;
		n = shape_parse(&f->arena, p, (size_t)(end - p), &s);
		if (n)
			add_shape(f,
			    !m->kind ? "operand"
				: i  ? "rhs"
				     : "lhs",
			    &s, m->kind && i < 2 ? m->of[i ? RHS : LHS] : NULL);
		for (p += n; p < end && (*p != ',' || depth); p++)
			depth +=
			    (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
		p++;
	}
}

static bool fit_text(struct layout_fit *f, struct slice t)
{
	const char *end = t.s + t.n, *eq = memmem(t.s, t.n, " = ", 3), *p, *stop;
	struct meaning m = { 0 };
	struct slice opcode;
	struct shape s;
	size_t n;

	if (!eq)
		return false;
	p = eq + 3;
	n = shape_parse(&f->arena, p, (size_t)(end - p), &s);
	p += n;
	if (!n || p == end || *p != ' ')
		return false;
	opcode.s = ++p;
	while (p < end && *p != '(')
		p++;
	opcode.n = (size_t)(p - opcode.s);
	if (p == end || !(stop = end_of_operands(p + 1, end))) {
		add_shape(f, "result", &s, NULL);
		return true;
	}
	mean_text(&m, opcode, (struct slice){ stop, (size_t)(end - stop) });
	f->kind = m.kind;
	add_shape(f, "result", &s, m.kind ? m.of[OUT] : NULL);
	add_operands(f, p + 1, stop, &m);
	return true;
}

/* ---- from the HLO proto ---- */

static void mean_convolution(struct meaning *m, const Pb__ConvolutionDimensionNumbers *c)
{
	m->kind = "convolution";
	mean(m, LHS, c->input_batch_dimension, batch);
	mean(m, LHS, c->input_feature_dimension, feature);
	mean_axes(m, LHS, c->input_spatial_dimensions, c->n_input_spatial_dimensions);
	mean(m, RHS, c->kernel_input_feature_dimension, input_feature);
	mean(m, RHS, c->kernel_output_feature_dimension, output_feature);
	mean_axes(m, RHS, c->kernel_spatial_dimensions, c->n_kernel_spatial_dimensions);
	mean(m, OUT, c->output_batch_dimension, batch);
	mean(m, OUT, c->output_feature_dimension, feature);
	mean_axes(m, OUT, c->output_spatial_dimensions, c->n_output_spatial_dimensions);
}

static void mean_instruction(struct meaning *m, const Pb__HloInstructionProto *i)
{
	const Pb__DotDimensionNumbers *d = i->dot_dimension_numbers;

	if (i->convolution_dimension_numbers) {
		mean_convolution(m, i->convolution_dimension_numbers);
	} else if (d) {
		const int64_t *const v[4] = { d->lhs_contracting_dimensions, d->rhs_contracting_dimensions,
			d->lhs_batch_dimensions, d->rhs_batch_dimensions };
		const size_t n[4] = { d->n_lhs_contracting_dimensions, d->n_rhs_contracting_dimensions,
			d->n_lhs_batch_dimensions, d->n_rhs_batch_dimensions };

		m->kind = "dot";
		mean_dot(m, v, n);
	}
}

static void add_proto(struct layout_fit *f, const char *role, const Pb__HloInstructionProto *i,
    const struct dim_meaning *meaning)
{
	struct shape s;

	if (i && i->shape && shape_of_proto(&f->arena, i->shape, &s))
		add_shape(f, role, &s, meaning);
}

static const Pb__HloInstructionProto *by_id(const Pb__HloComputationProto *body, int64_t id)
{
	if (!body)
		return NULL;
	for (size_t i = body->n_instructions; i-- > 0;)
		if (body->instructions[i]->id == id)
			return body->instructions[i];
	return NULL;
}

static void fit_proto(struct layout_fit *f, const Pb__HloComputationProto *body,
    const Pb__HloInstructionProto *i)
{
	struct meaning m = { 0 };

	mean_instruction(&m, i);
	f->kind = m.kind;
	add_proto(f, "result", i, m.kind ? m.of[OUT] : NULL);
	for (size_t k = 0; m.kind && k < i->n_operand_ids && k < 2; k++)
		add_proto(f, k ? "rhs" : "lhs", by_id(body, i->operand_ids[k]), m.of[k ? RHS : LHS]);
}

/* Returns the convolution or dot that a fusion is about, which is the first one inside. */
static const Pb__HloInstructionProto *heart(struct hlo_contents *h, uint64_t program,
    const Pb__HloComputationProto *body, const Pb__HloComputationProto **where, int depth)
{
	const Pb__HloInstructionProto *found = NULL;

	for (size_t i = 0; body && i < body->n_instructions && !found; i++) {
		const Pb__HloInstructionProto *x = body->instructions[i];

		if (x->convolution_dimension_numbers || x->dot_dimension_numbers) {
			*where = body;
			found = x;
		} else if (depth) {
			found = heart(h, program, contents_body(h, program, x), where, depth - 1);
		}
	}
	return found;
}

static bool fit_heart(struct layout_fit *f, struct hlo_contents *h, uint64_t program,
    const Pb__HloComputationProto *body)
{
	const Pb__HloComputationProto *where = NULL;
	const Pb__HloInstructionProto *x = heart(h, program, body, &where, HLO_DEPTH);

	if (x)
		fit_proto(f, where, x);
	return f->n > 0;
}

void layout_fit_instruction(struct hlo_contents *h, uint64_t program, const Pb__HloComputationProto *body,
    const Pb__HloInstructionProto *i, struct layout_fit *f)
{
	*f = (struct layout_fit){ 0 };
	if (!fit_heart(f, h, program, contents_body(h, program, i)))
		fit_proto(f, body, i);
	choose_main(f);
}

void layout_fit_op(const struct dump *d, struct hlo_contents *h, const struct op *o, struct layout_fit *f)
{
	const Pb__HloInstructionProto *i =
	    h ? contents_instruction(h, o->program, op_short_name(d, o)) : NULL;
	struct slice name = dump_text(d, o->name);
	struct shape s;

	*f = (struct layout_fit){ 0 };
	if (!(i && fit_heart(f, h, o->program, contents_body(h, o->program, i))) &&
	    !fit_text(f, o->expression) && !fit_text(f, name)) {
		if (o->shape.n && shape_parse(&f->arena, o->shape.s, o->shape.n, &s))
			add_shape(f, "result", &s, NULL);
		else if (i)
			fit_proto(f, NULL, i);
	}
	choose_main(f);
}

void layout_fit_free(struct layout_fit *f)
{
	arena_free(&f->arena);
	*f = (struct layout_fit){ 0 };
}

static const struct shape_dim *axis_of(const struct fit_shape *s, int axis)
{
	for (size_t i = 0; s && i < s->ndims; i++)
		if (s->dim[i].axis == axis)
			return &s->dim[i];
	return NULL;
}

bool layout_fit_slides(const struct layout_fit *f)
{
	const struct fit_shape *lhs = NULL, *rhs = NULL;
	bool conv = f->kind && !strcmp(f->kind, "convolution"), does = false;

	for (size_t i = 0; i < f->n; i++) {
		lhs = strcmp(f->v[i].role, "lhs") ? lhs : &f->v[i];
		rhs = strcmp(f->v[i].role, "rhs") ? rhs : &f->v[i];
	}
	for (size_t k = 0; rhs && k < rhs->ndims; k++) {
		const struct shape_dim *over = rhs->dim[k].axis ? axis_of(lhs, rhs->dim[k].axis) : NULL;

		does |= conv && over && rhs->dim[k].size > 1 && rhs->dim[k].size < over->size;
	}
	return does;
}

const char *layout_fit_role(const struct layout_fit *f, const struct shape_dim *d)
{
	bool stated = f->kind &&
	    (strcmp(f->kind, "convolution") ? strcmp(d->semantics ? d->semantics : batch, batch)
					    : layout_fit_slides(f));

	return stated ? d->semantics : NULL;
}
