#include "config.h"
#include "analyze/graph/text/attributes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/fields.h"
#include "analyze/graph/text/sharding.h"
#include "base/codec/pbread.h"

/* An instruction, and one of its fields, the first of that number. */
struct attribute {
	FILE *f;
	const struct hlo_graph *g;
	uint32_t i;
	struct slice instr;
	uint32_t field;
	const char *key;
	struct wire at;
	bool there;
};

static void put_key(const struct attribute *a)
{
	fprintf(a->f, ", %s=", a->key);
}

static int64_t value_of(const struct attribute *a)
{
	return a->there && a->at.type == 0 ? (int64_t)a->at.u : 0;
}

static struct slice bytes_of(const struct attribute *a)
{
	return a->there && a->at.type == 2 ? wire_text(&a->at) : (struct slice){ "", 0 };
}

/* --- numbers, flags and texts --- */

static void put_ALWAYS(const struct attribute *a)
{
	put_key(a);
	fprintf(a->f, "%" PRId64, value_of(a));
}

static void put_NUMBER(const struct attribute *a)
{
	if (a->there)
		put_ALWAYS(a);
}

static void put_POSITIVE(const struct attribute *a)
{
	if (value_of(a) > 0)
		put_ALWAYS(a);
}

static void put_ABOVE_ONE(const struct attribute *a)
{
	if (value_of(a) > 1)
		put_ALWAYS(a);
}

static void put_FLAG_ALWAYS(const struct attribute *a)
{
	put_key(a);
	fputs(value_of(a) ? "true" : "false", a->f);
}

static void put_FLAG(const struct attribute *a)
{
	if (value_of(a))
		put_FLAG_ALWAYS(a);
}

static void put_FLOAT(const struct attribute *a)
{
	float v = 0;
	uint32_t bits = (uint32_t)a->at.u;

	if (a->there && a->at.type == 5)
		memcpy(&v, &bits, sizeof v);
	put_key(a);
	fprintf(a->f, "%g", (double)v);
}

static void put_WORD(const struct attribute *a)
{
	if (!bytes_of(a).n)
		return;
	put_key(a);
	put_slice(a->f, bytes_of(a));
}

static void put_QUOTED(const struct attribute *a)
{
	if (!bytes_of(a).n)
		return;
	put_key(a);
	fputc('"', a->f);
	put_escaped(a->f, bytes_of(a));
	fputc('"', a->f);
}

/* The names of an enum in the order of its values; NULL: that value is not printed. */
static void put_one_of(const struct attribute *a, const char *const *names, size_t n)
{
	int64_t v = value_of(a);

	if (v < 0 || v >= (int64_t)n || !names[v])
		return;
	put_key(a);
	fputs(names[v], a->f);
}

#define FORM_OF_NAMES(form, ...) \
	static void put_##form(const struct attribute *a) \
	{ \
		static const char *const names[] = { __VA_ARGS__ }; \
\
		put_one_of(a, names, sizeof names / sizeof *names); \
	}
FORM_OF_NAMES(FFT, "FFT", "IFFT", "RFFT", "IRFFT")
FORM_OF_NAMES(DISTRIBUTION, NULL, "rng_uniform", "rng_normal")
FORM_OF_NAMES(ALGORITHM, "rng_default", "rng_three_fry", "rng_philox")
FORM_OF_NAMES(SCHEDULE, NULL, "SCHEDULE_LATEST", "SCHEDULE_EARLIEST")
FORM_OF_NAMES(API, NULL, NULL, "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI")

/* Element type of the first operand, SHAPE_INVALID. */
static int64_t operand_type(const struct attribute *a)
{
	uint32_t o = hlo_nlinks(&a->g->operands, a->i) ? hlo_link(&a->g->operands, a->i, 0) : HLO_NONE;
	const struct hlo_instr *v = o == HLO_NONE ? NULL : &a->g->v[o];

	return v && v->shape ? field_number((struct slice){ v->shape, v->shape_len }, 2) : SHAPE_INVALID;
}

/* Says the order of a comparison only where it is unusual for the type: integers have a total order anyway. */
static void put_ORDER(const struct attribute *a)
{
	int64_t type = operand_type(a);
	bool integer = (type >= PB__PRIMITIVE_TYPE__PRED && type <= PB__PRIMITIVE_TYPE__U64) ||
	    type == PB__PRIMITIVE_TYPE__S4 || type == PB__PRIMITIVE_TYPE__U4;

	if (!integer && slice_begins(bytes_of(a), "TOTAL"))
		put_WORD(a);
}

/* --- lists --- */

static void put_LIST(const struct attribute *a)
{
	put_key(a);
	put_list(a->f, a->instr, a->field);
}

static void put_LIST_IF_ANY(const struct attribute *a)
{
	if (a->there)
		put_LIST(a);
}

static void put_FIRST(const struct attribute *a)
{
	struct arena arena = { 0 };
	struct shape_list l = field_numbers(&arena, a->instr, a->field);

	if (l.n) {
		put_key(a);
		fprintf(a->f, "%" PRId64, l.v[0]);
	}
	arena_free(&arena);
}

static void put_FLAGS(const struct attribute *a)
{
	struct arena arena = { 0 };
	struct shape_list l = field_numbers(&arena, bytes_of(a), 1);

	if (l.n) {
		put_key(a);
		for (size_t i = 0; i < l.n; i++)
			fprintf(a->f, "%s%s", i ? "," : "{", l.v[i] ? "true" : "false");
		fputc('}', a->f);
	}
	arena_free(&arena);
}

/* Whether one of the messages of a repeated field has another number than usual. */
static bool any_unusual(struct slice message, uint32_t field, uint32_t number, int64_t usual)
{
	struct wire w = wire_open(message.s, message.n);
	struct slice m;

	while (field_next(&w, field, &m))
		if (field_number(m, number) != usual)
			return true;
	return false;
}

static void put_SLICES(const struct attribute *a)
{
	struct wire w = wire_open(a->instr.s, a->instr.n);
	bool strides = any_unusual(a->instr, a->field, 3, 1);
	const char *between = "";
	struct slice m;

	put_key(a);
	fputc('{', a->f);
	while (field_next(&w, a->field, &m)) {
		fprintf(a->f, "%s[%" PRId64 ":%" PRId64, between, field_number(m, 1), field_number(m, 2));
		if (strides)
			fprintf(a->f, ":%" PRId64, field_number(m, 3));
		fputc(']', a->f);
		between = ", ";
	}
	fputc('}', a->f);
}

/* The end of an asynchronous collective says nothing of what its start said. */
static bool is_done(const struct attribute *a)
{
	return slice_ends(hlo_opcode(a->g, a->i), "-done");
}

static void put_PAIRS(const struct attribute *a)
{
	struct wire w = wire_open(a->instr.s, a->instr.n);
	const char *between = "";
	struct slice m;

	if (is_done(a))
		return;
	put_key(a);
	fputc('{', a->f);
	while (field_next(&w, a->field, &m)) {
		fprintf(a->f, "%s{%" PRId64 ",%" PRId64 "}", between, field_number(m, 1), field_number(m, 2));
		between = ",";
	}
	fputc('}', a->f);
}

static void put_PADDING(const struct attribute *a)
{
	struct slice config = bytes_of(a), m;
	struct wire w = wire_open(config.s, config.n);
	bool inside = any_unusual(config, 1, 3, 0);
	const char *between = "";

	put_key(a);
	while (field_next(&w, 1, &m)) {
		fprintf(a->f, "%s%" PRId64 "_%" PRId64, between, field_number(m, 1), field_number(m, 2));
		if (inside)
			fprintf(a->f, "_%" PRId64, field_number(m, 3));
		between = "x";
	}
}

static void put_REPLICAS(const struct attribute *a)
{
	if (is_done(a))
		return;
	put_key(a);
	put_replica_groups(a->f, a->instr);
}

/* {0}: (1, {}): an output, and the operand whose memory it takes */
static void put_ALIASES(const struct attribute *a)
{
	struct wire w = wire_open(a->instr.s, a->instr.n);
	const char *between = "";
	struct slice m;

	if (!a->there)
		return;
	put_key(a);
	fputc('{', a->f);
	while (field_next(&w, a->field, &m)) {
		fputs(between, a->f);
		put_list(a->f, m, 1);
		fprintf(a->f, ": (%" PRId64 ", ", field_number(m, 2));
		put_list(a->f, m, 3);
		fputc(')', a->f);
		between = ", ";
	}
	fputc('}', a->f);
}

static void put_shape(FILE *f, struct slice message)
{
	struct arena arena = { 0 };
	struct shape shape;
	struct err err;
	const Pb__ShapeProto *proto =
	    pb_read(&pb__shape_proto__descriptor, &arena, message.s, message.n, &err);

	if (proto && shape_of_proto(&arena, proto, &shape))
		fputs(shape_text(&arena, &shape), f);
	arena_free(&arena);
}

static void put_SHAPE(const struct attribute *a)
{
	if (!a->there)
		return;
	put_key(a);
	put_shape(a->f, bytes_of(a));
}

static void put_SHAPES(const struct attribute *a)
{
	struct wire w = wire_open(a->instr.s, a->instr.n);
	const char *between = "";
	struct slice m;

	if (!field_number(a->instr, 56)) /* constrain_layout */
		return;
	put_key(a);
	fputc('{', a->f);
	while (field_next(&w, a->field, &m)) {
		fputs(between, a->f);
		put_shape(a->f, m);
		between = ", ";
	}
	fputc('}', a->f);
}

/* --- messages whose fields are attributes of their own --- */

/* optional: only if it has numbers; scalar: one number, not a list */
struct part {
	uint32_t field;
	const char *key;
	bool optional, scalar;
};

static void put_parts(FILE *f, struct slice message, const struct part *p, size_t n)
{
	struct wire w;

	for (; n; n--, p++) {
		if (p->optional && !field_first(message, p->field, &w))
			continue;
		fprintf(f, ", %s=", p->key);
		if (p->scalar)
			fprintf(f, "%" PRId64, field_number(message, p->field));
		else
			put_list(f, message, p->field);
	}
}

#define FORM_OF_PARTS(form, ...) \
	static void put_##form(const struct attribute *a) \
	{ \
		static const struct part parts[] = { __VA_ARGS__ }; \
\
		if (a->there) \
			put_parts(a->f, bytes_of(a), parts, sizeof parts / sizeof *parts); \
	}
FORM_OF_PARTS(DOT, { 3, "lhs_batch_dims", true, false }, { 1, "lhs_contracting_dims", false, false },
    { 4, "rhs_batch_dims", true, false }, { 2, "rhs_contracting_dims", false, false })
FORM_OF_PARTS(GATHER, { 1, "offset_dims", false, false }, { 2, "collapsed_slice_dims", false, false },
    { 3, "start_index_map", false, false }, { 5, "operand_batching_dims", true, false },
    { 6, "start_indices_batching_dims", true, false }, { 4, "index_vector_dim", false, true })
FORM_OF_PARTS(SCATTER, { 1, "update_window_dims", false, false }, { 2, "inserted_window_dims", false, false },
    { 3, "scatter_dims_to_operand_dims", false, false }, { 5, "input_batching_dims", true, false },
    { 6, "scatter_indices_batching_dims", true, false }, { 4, "index_vector_dim", false, true })

static void put_RAGGED_DOT(const struct attribute *a)
{
	static const struct part ragged[] = { { 2, "lhs_ragged_dims", false, false },
		{ 3, "rhs_group_dims", false, false } };
	struct attribute dot = *a;

	if (!a->there)
		return;
	dot.there = field_first(bytes_of(a), 1, &dot.at);
	put_DOT(&dot);
	put_parts(a->f, bytes_of(a), ragged, 2);
}

static void put_options(const struct attribute *a, const char *const *keys, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (field_number(bytes_of(a), i + 1))
			fprintf(a->f, ", %s=true", keys[i]);
}

static void put_TRIANGULAR(const struct attribute *a)
{
	static const char *const keys[] = { "left_side", "lower", "unit_diagonal" };
	static const char *const transpose[] = { NULL, "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT" };
	int64_t how = field_number(bytes_of(a), 4);

	put_options(a, keys, 3);
	if (how > 0 && how < 4)
		fprintf(a->f, ", transpose_a=%s", transpose[how]);
}

static void put_CHOLESKY(const struct attribute *a)
{
	static const char *const keys[] = { "lower" };

	put_options(a, keys, 1);
}

/* {tolerance={atol=0.001,rtol=0,ulps=0}} or {mode=highest} */
static void put_ACCURACY(const struct attribute *a)
{
	struct slice t = field_slice(bytes_of(a), 2);
	struct wire atol, rtol;

	if (t.n) {
		put_key(a);
		fprintf(a->f, "{tolerance={atol=%g,rtol=%g,ulps=%" PRId64 "}}",
		    field_first(t, 1, &atol) ? wire_double(&atol) : 0,
		    field_first(t, 2, &rtol) ? wire_double(&rtol) : 0, field_number(t, 3));
	} else if (field_number(bytes_of(a), 1) == 1) {
		put_key(a);
		fputs("{mode=highest}", a->f);
	}
}

/* {high,highest}, and the algorithm of a dot */
static void put_PRECISION(const struct attribute *a)
{
	static const char *const precision[] = { "default", "high", "highest" };
	static const char *const algorithm[] = { NULL, "dot_any_f8_any_f8_f32",
		"dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
		"dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
		"dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64",
		"dot_bf16_bf16_f32_x9" };
	struct arena arena = { 0 };
	struct shape_list l = field_numbers(&arena, bytes_of(a), 1);
	int64_t how = field_number(bytes_of(a), 2);
	bool usual = true;

	for (size_t i = 0; i < l.n; i++)
		usual &= l.v[i] == 0;
	if (!usual)
		put_key(a);
	for (size_t i = 0; !usual && i < l.n; i++)
		fprintf(a->f, "%s%s", i ? "," : "{", l.v[i] >= 0 && l.v[i] < 3 ? precision[l.v[i]] : "?");
	fputs(usual ? "" : "}", a->f);
	if (how > 0 && how < (int64_t)(sizeof algorithm / sizeof *algorithm))
		fprintf(a->f, ", algorithm=%s", algorithm[how]);
	arena_free(&arena);
}

/* --- windows: {size=3x3 stride=2x2 pad=1_1x1_1 …} --- */

static void put_window_part(FILE *f, struct slice window, const char *key, uint32_t field, uint32_t and)
{
	struct wire w = wire_open(window.s, window.n);
	const char *between = "";
	struct slice m;

	fprintf(f, "%s=", key);
	while (field_next(&w, 1, &m)) {
		fprintf(f, and? "%s%" PRId64 "_%" PRId64 : "%s%" PRId64, between, field_number(m, field),
		    field_number(m, and));
		between = "x";
	}
}

static void put_WINDOW(const struct attribute *a)
{
	static const struct {
		const char *key;
		uint32_t field, and;
		int64_t usual;
	} parts[] = { { " stride", 2, 0, 1 }, { " pad", 3, 4, 0 }, { " lhs_dilate", 6, 0, 1 },
		{ " rhs_dilate", 5, 0, 1 }, { " rhs_reversal", 7, 0, 0 } };
	struct slice w = bytes_of(a);

	if (!w.n)
		return;
	put_key(a);
	fputc('{', a->f);
	put_window_part(a->f, w, "size", 1, 0);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		if (any_unusual(w, 1, parts[k].field, parts[k].usual) ||
		    (parts[k].and &&any_unusual(w, 1, parts[k].and, parts[k].usual)))
			put_window_part(a->f, w, parts[k].key, parts[k].field, parts[k].and);
	fputc('}', a->f);
}

enum { DIMS_MAX = 64 };

/* b01f: each dimension by its letter, or the number of the spatial one */
static void put_labels(FILE *f, struct slice dims, const struct shape_list *spatial, char first,
    uint32_t first_field, char second, uint32_t second_field)
{
	size_t n = spatial->n + 2;
	int64_t one = field_number(dims, first_field), two = field_number(dims, second_field);

	for (int64_t d = 0; d < (int64_t)n && n <= DIMS_MAX; d++) {
		size_t k = 0;

		while (k < spatial->n && spatial->v[k] != d)
			k++;
		if (d == one || d == two)
			fputc(d == one ? first : second, f);
		else if (k < spatial->n)
			fprintf(f, "%zu", k);
		else
			fputc('?', f);
	}
}

static void put_DIM_LABELS(const struct attribute *a)
{
	struct slice d = bytes_of(a);
	struct arena arena = { 0 };
	struct shape_list in = field_numbers(&arena, d, 11), kernel = field_numbers(&arena, d, 6);
	struct shape_list out = field_numbers(&arena, d, 12);

	if (a->there) {
		put_key(a);
		put_labels(a->f, d, &in, 'b', 7, 'f', 8);
		fputc('_', a->f);
		put_labels(a->f, d, &kernel, 'i', 3, 'o', 4);
		fputs("->", a->f);
		put_labels(a->f, d, &out, 'b', 9, 'f', 10);
	}
	arena_free(&arena);
}

/* --- what it calls, and what it waits for --- */

static void put_computation(const struct attribute *a, const char *before, uint32_t c)
{
	fprintf(a->f, "%s%%", before);
	put_slice(a->f, c == HLO_NONE ? slice_of("?") : hlo_computation_name(a->g, c));
}

static void put_CALLS(const struct attribute *a)
{
	static const char *const loop[] = { ", body=", ", condition=" };
	static const char *const scatter[] = { ", select=", ", scatter=" };
	static const char *const branch[] = { ", true_computation=", ", false_computation=" };
	struct slice opcode = hlo_opcode(a->g, a->i);
	uint32_t n = hlo_nlinks(&a->g->calls, a->i);
	bool is_branch = slice_is(opcode, "conditional"), is_while = slice_is(opcode, "while");
	const char *const *two = is_while                              ? loop
	    : slice_is(opcode, "select-and-scatter")                   ? scatter
	    : is_branch && operand_type(a) == PB__PRIMITIVE_TYPE__PRED ? branch
								       : NULL;
	bool many = !two && (is_branch || n > 1 || slice_is(opcode, "custom-call"));
	bool inside = slice_is(opcode, "fusion") || slice_is(opcode, "async-start");

	if (slice_is(opcode, "async-update") || slice_is(opcode, "async-done"))
		return;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t at = is_while && n == 2 ? 1 - k : k;
		uint32_t c = hlo_link(&a->g->calls, a->i, at);

		put_computation(a,
		    two && n == 2   ? two[at]
			: !many     ? inside ? ", calls=" : ", to_apply="
			: k         ? ", "
			: is_branch ? ", branch_computations={"
				    : ", called_computations={",
		    c);
	}
	if (many && n)
		fputc('}', a->f);
}

static void put_CONTROLS(const struct attribute *a)
{
	uint32_t n = hlo_nlinks(&a->g->controls, a->i);

	for (uint32_t k = 0; k < n; k++) {
		uint32_t c = hlo_link(&a->g->controls, a->i, k);

		if (!k)
			put_key(a);
		fputs(k ? ", %" : "{%", a->f);
		put_slice(a->f, c == HLO_NONE ? slice_of("?") : hlo_name(a->g, c));
	}
	if (n)
		fputc('}', a->f);
}

/* --- what all instructions may have --- */

static void put_DOMAIN(const struct attribute *a)
{
	put_key(a);
	fputs("{kind=\"sharding\", entry=", a->f);
	put_sharding(a->f, field_slice(a->instr, 54));
	fputs(", exit=", a->f);
	put_sharding(a->f, field_slice(a->instr, 55));
	fputc('}', a->f);
}

static void put_SHARDING(const struct attribute *a)
{
	if (!a->there)
		return;
	put_key(a);
	put_sharding(a->f, bytes_of(a));
}

enum { FRONTEND_MAX = 1000 };

void graph_frontend_attributes(FILE *f, struct slice message)
{
	struct slice *v = NULL, entry;
	size_t n = 0, cap = 0;
	struct wire w = wire_open(message.s, message.n);

	while (n < FRONTEND_MAX && field_next(&w, 1, &entry)) { /* in order of their keys */
		size_t k = n;

		VEC_PUSH(v, n, cap);
		for (; k && slice_order(field_slice(entry, 1), field_slice(v[k - 1], 1)) < 0; k--)
			v[k] = v[k - 1];
		v[k] = entry;
		n++;
	}
	fputc('{', f);
	for (size_t k = 0; k < n; k++) {
		struct slice value = field_slice(v[k], 2);
		bool raw = slice_begins(value, "{");

		fputs(k ? "," : "", f);
		put_slice(f, field_slice(v[k], 1));
		fputs(raw ? "=" : "=\"", f);
		if (raw)
			put_slice(f, value);
		else
			put_escaped(f, value);
		fputs(raw ? "" : "\"", f);
	}
	fputc('}', f);
	free(v);
}

static void put_FRONTEND(const struct attribute *a)
{
	if (!bytes_of(a).n)
		return;
	put_key(a);
	graph_frontend_attributes(a->f, bytes_of(a));
}

static void put_METADATA(const struct attribute *a)
{
	static const struct {
		uint32_t field;
		bool text;
		const char *key;
	} parts[] = { { 1, true, "op_type" }, { 2, true, "op_name" }, { 3, true, "source_file" },
		{ 4, false, "source_line" }, { 17, false, "source_end_line" }, { 18, false, "source_column" },
		{ 19, false, "source_end_column" }, { 12, true, "deduplicated_name" },
		{ 15, false, "stack_frame_id" }, { 16, true, "scheduling_name" } };
	struct slice m = bytes_of(a);
	bool any = false;

	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
		struct slice text = field_slice(m, parts[k].field);

		if (parts[k].text ? !text.n : !field_number(m, parts[k].field))
			continue;
		fprintf(a->f, any ? " %s=" : ", metadata={%s=", parts[k].key);
		any = true;
		if (!parts[k].text) {
			fprintf(a->f, "%" PRId64, field_number(m, parts[k].field));
			continue;
		}
		fputc('"', a->f);
		put_escaped(a->f, text);
		fputc('"', a->f);
	}
	fputs(any ? "}" : "", a->f);
}

static void put_CONFIG(const struct attribute *a)
{
	if (slice_begins(bytes_of(a), "{"))
		put_WORD(a);
	else
		put_QUOTED(a);
}

/* --- all of them --- */

static bool is_among(struct slice opcode, const char *list)
{
	const char *end;

	if (!*list)
		return true;
	for (; *list; list = *end ? end + 1 : end) {
		size_t n;

		end = strchrnul(list, '|');
		n = (size_t)(end - list);
		if (list[n - 1] == '*' ? opcode.n >= n - 1 && !memcmp(opcode.s, list, n - 1)
				       : opcode.n == n && !memcmp(opcode.s, list, n))
			return true;
	}
	return false;
}

enum { FIELDS = 128 };

/* The first field of each number. */
static void find_fields(struct slice instr, struct wire *at, bool *there)
{
	struct wire w = wire_open(instr.s, instr.n);

	memset(there, 0, FIELDS * sizeof *there);
	while (wire_next(&w))
		if (w.field < FIELDS && !there[w.field]) {
			there[w.field] = true;
			at[w.field] = w;
		}
}

void graph_attributes(FILE *f, const struct hlo_graph *g, uint32_t i)
{
	static const struct {
		const char *opcodes;
		uint32_t field;
		void (*put)(const struct attribute *);
		const char *key;
	} rows[] = {
#define ATTRIBUTE(opcodes, field, form, key) { opcodes, field, put_##form, key },
#include "analyze/graph/text/attributes.def"
#undef ATTRIBUTE
	};
	struct attribute a = { .f = f, .g = g, .i = i, .instr = { g->v[i].at, g->v[i].len } };
	struct slice opcode = hlo_opcode(g, i);
	struct wire at[FIELDS];
	bool there[FIELDS];

	find_fields(a.instr, at, there);
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (!is_among(opcode, rows[k].opcodes))
			continue;
		a.field = rows[k].field;
		a.key = rows[k].key;
		a.there = there[a.field];
		if (a.there)
			a.at = at[a.field];
		rows[k].put(&a);
	}
}
