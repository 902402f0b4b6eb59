#include "config.h"
#include "analyze/graph/text/attributes.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/graph/text/print.h"
#include "base/codec/wire.h"

enum form { NUMBER, FLAG, WORD, QUOTED, LIST, SLICES, PAIRS, GROUPS, DOT, DEVICES };

/* By the field of HloInstructionProto, in the order in which XLA prints them. */
static const struct {
	uint32_t field;
	enum form form;
	const char *key;
} attributes[] = {
	{ 14, LIST, "dimensions" },
	{ 17, SLICES, "slice" },
	{ 20, LIST, "dynamic_slice_sizes" },
	{ 13, NUMBER, "index" },
	{ 26, NUMBER, "channel_id" },
	{ 49, GROUPS, "replica_groups" },
	{ 87, DEVICES, "replica_groups" },
	{ 52, PAIRS, "source_target_pairs" },
	{ 71, FLAG, "use_global_device_ids" },
	{ 50, NUMBER, "feature_group_count" },
	{ 58, NUMBER, "batch_group_count" },
	{ 30, DOT, NULL },
	{ 32, LIST, "fft_length" },
	{ 34, LIST, "slice_sizes" },
	{ 60, FLAG, "is_stable" },
	{ 67, FLAG, "indices_are_sorted" },
	{ 69, FLAG, "unique_indices" },
	{ 63, WORD, "direction" },
	{ 11, WORD, "kind" },
	{ 28, QUOTED, "custom_call_target" },
	{ 79, QUOTED, "async_execution_thread" },
};

/* Calls put() for each number of the field, packed or not; `open` and `close` go around all of them. */
static void print_list(FILE *f, struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	const char *between = "";

	fputc('{', f);
	while (wire_next(&w)) {
		const uint8_t *p = w.s, *end = p ? p + w.n : NULL;
		uint64_t v = w.u;

		if (w.field != field)
			continue;
		if (w.type == 0)
			fprintf(f, "%s%" PRId64, between, (int64_t)v);
		while (w.type == 2 && p && p < end && (p = wire_varint(p, end, &v))) {
			fprintf(f, "%s%" PRId64, between, (int64_t)v);
			between = ",";
		}
		between = w.type == 0 ? "," : between;
	}
	fputc('}', f);
}

/* The number of a field; 0 when it is not written. */
static int64_t number_in(struct slice message, uint32_t field)
{
	struct wire w = wire_open(message.s, message.n);
	int64_t v = 0;

	while (wire_next(&w))
		if (w.field == field && w.type == 0)
			v = (int64_t)w.u;
	return v;
}

/* A repeated message: each with its brackets. */
static void print_messages(FILE *f, struct slice instr, uint32_t field, enum form form)
{
	struct wire w = wire_open(instr.s, instr.n);
	const char *between = "";

	fputc('{', f);
	while (wire_next(&w)) {
		struct slice m = wire_text(&w);

		if (w.field != field || w.type != 2)
			continue;
		fputs(between, f);
		between = form == SLICES ? ", " : ",";
		if (form == PAIRS)
			fprintf(f, "{%" PRId64 ",%" PRId64 "}", number_in(m, 1), number_in(m, 2));
		else if (form == SLICES)
			fprintf(f,
			    number_in(m, 3) == 1 ? "[%" PRId64 ":%" PRId64 "]"
						 : "[%" PRId64 ":%" PRId64 ":%" PRId64 "]",
			    number_in(m, 1), number_in(m, 2), number_in(m, 3));
		else
			print_list(f, m, 1);
	}
	fputc('}', f);
}

static void print_dot(FILE *f, struct slice m)
{
	static const char *const keys[] = { "lhs_contracting_dims", "rhs_contracting_dims", "lhs_batch_dims",
		"rhs_batch_dims" };

	for (uint32_t i = 0; i < 4; i++) {
		struct wire w = wire_open(m.s, m.n);
		bool any = false;

		while (wire_next(&w))
			any |= w.field == i + 1;
		if (!any)
			continue;
		fprintf(f, ", %s=", keys[i]);
		print_list(f, m, i + 1);
	}
}

static void print_one(FILE *f, struct slice instr, size_t row, const struct wire *w)
{
	struct slice v = wire_text(w);

	if (attributes[row].form == DOT) {
		print_dot(f, v);
		return;
	}
	fprintf(f, ", %s=", attributes[row].key);
	switch (attributes[row].form) {
	case NUMBER:
		fprintf(f, "%" PRId64, (int64_t)w->u);
		break;
	case FLAG:
		fputs(w->u ? "true" : "false", f);
		break;
	case WORD:
		fprintf(f, "%.*s", (int)v.n, v.s);
		break;
	case QUOTED:
		fprintf(f, "\"%.*s\"", (int)v.n, v.s);
		break;
	case LIST:
		print_list(f, instr, attributes[row].field);
		break;
	case DEVICES:
		print_messages(f, v, 1, GROUPS);
		break;
	default:
		print_messages(f, instr, attributes[row].field, attributes[row].form);
	}
}

/* The first field of that number says that it is there; repeated ones are printed at once. */
static void print_row(FILE *f, struct slice instr, size_t row)
{
	struct wire w = wire_open(instr.s, instr.n);
	enum form form = attributes[row].form;
	bool text = form == WORD || form == QUOTED || form == DOT || form == DEVICES;

	while (wire_next(&w))
		if (w.field == attributes[row].field) {
			bool set = text ? w.type == 2 && w.n : w.type == 2 || w.type == 0;

			set &= attributes[row].field < 50 || form != NUMBER || w.u != 1; /* of one group */
			if (set && !(form == FLAG && !w.u) && !(form == NUMBER && w.type != 0))
				print_one(f, instr, row, &w);
			return;
		}
}

static void print_calls(FILE *f, const struct hlo_graph *g, uint32_t i)
{
	uint32_t n = hlo_nlinks(&g->calls, i);
	bool loop = hlo_opcode_is(g, i, "while") && n == 2;
	bool many = hlo_opcode_is(g, i, "conditional") || (n > 1 && !loop);
	const char *key = hlo_opcode_is(g, i, "fusion") || slice_begins(hlo_opcode(g, i), "async") ? "calls"
	    : hlo_opcode_is(g, i, "conditional") ? "branch_computations"
	    : many                               ? "called_computations"
						 : "to_apply";

	for (uint32_t k = 0; k < n; k++) {
		uint32_t c = hlo_link(&g->calls, i, k);
		struct slice name = c == HLO_NONE ? slice_of("?") : hlo_computation_name(g, c);

		if (loop)
			fprintf(f, ", %s=", k ? "condition" : "body");
		else if (!k)
			fprintf(f, ", %s=%s", key, many ? "{" : "");
		fprintf(f, "%s%%%.*s", k && !loop ? ", " : "", (int)name.n, name.s);
	}
	if (many && n)
		fputc('}', f);
}

static void print_controls(FILE *f, const struct hlo_graph *g, uint32_t i)
{
	uint32_t n = hlo_nlinks(&g->controls, i);

	for (uint32_t k = 0; k < n; k++) {
		uint32_t c = hlo_link(&g->controls, i, k);
		struct slice name = c == HLO_NONE ? slice_of("?") : hlo_name(g, c);

		fprintf(f, "%s%%%.*s", k ? ", " : ", control-predecessors={", (int)name.n, name.s);
	}
	if (n)
		fputc('}', f);
}

static void print_metadata(FILE *f, const struct hlo_graph *g, uint32_t i)
{
	struct hlo_detail d;

	hlo_detail(g, i, &d);
	if (!d.op_name.n && !d.op_type.n && !d.source.n)
		return;
	fputs(", metadata={", f);
	if (d.op_type.n)
		fprintf(f, "op_type=\"%.*s\" ", (int)d.op_type.n, d.op_type.s);
	fprintf(f, "op_name=\"%.*s\"", (int)d.op_name.n, d.op_name.s);
	if (d.source.n)
		fprintf(f, " source_file=\"%.*s\" source_line=%d", (int)d.source.n, d.source.s,
		    d.line < 0 ? 0 : d.line);
	fputc('}', f);
}

void graph_attributes(FILE *f, const struct hlo_graph *g, uint32_t i)
{
	struct slice instr = { g->v[i].at, g->v[i].len };

	for (size_t row = 0; row < sizeof attributes / sizeof *attributes; row++)
		print_row(f, instr, row);
	if (hlo_opcode_is(g, i, "get-tuple-element")) {
		struct hlo_detail d;

		hlo_detail(g, i, &d);
		if (!d.index) /* 0 is not written */
			fputs(", index=0", f);
	}
	print_calls(f, g, i);
	print_controls(f, g, i);
	print_metadata(f, g, i);
}

/* --- constants --- */

static double half(uint16_t h, bool brain)
{
	uint32_t bits = brain ? (uint32_t)h << 16 : 0;
	int exponent = h >> 10 & 31;
	double fraction = h & 1023;
	float v;

	memcpy(&v, &bits, 4);
	if (brain)
		return (double)v;
	fraction =
	    exponent ? (fraction + 1024) * (double)(1u << exponent) / (1u << 25) : fraction / (1u << 24);
	return h & 0x8000 ? -fraction : fraction;
}

static void print_number(char *out, size_t size, uint32_t field, const struct wire *w)
{
	const uint8_t *p = w->s;
	uint64_t v = w->u;
	uint16_t h;
	float single;
	double d;

	if (w->type == 2 && field >= 2 && field <= 7 && field != 3 && !wire_varint(p, p + w->n, &v))
		return;
	if (field == 2)
		snprintf(out, size, "%s", v ? "true" : "false");
	else if (field == 4 || field == 5)
		snprintf(out, size, "%" PRId64, (int64_t)v);
	else if (field == 6 || field == 7)
		snprintf(out, size, "%" PRIu64, v);
	else if (field == 8 && w->type == 2 && w->n == 4 && (memcpy(&single, p, 4), true))
		snprintf(out, size, "%.9g", (double)single);
	else if (field == 9 && w->type == 2 && w->n == 8 && (memcpy(&d, p, 8), true))
		snprintf(out, size, "%.17g", d);
	else if ((field == 11 || field == 13) && w->n == 2 && (memcpy(&h, p, 2), true))
		snprintf(out, size, "%.6g", half(h, field == 13));
}

/* Of scalars the number; others are "{...}".  LiteralProto: a list for each type. */
struct slice graph_literal(struct arena *a, const struct hlo_graph *g, uint32_t i)
{
	struct wire w = wire_open(g->v[i].at, g->v[i].len), literal;
	char text[48] = "";
	struct shape shape;

	if (g->text)
		return hlo_operands_text(g, i);
	if (!graph_shape(a, g, i, &shape) || shape.dim.n)
		return slice_of("{...}");
	while (wire_next(&w)) {
		if (w.field != 8 || w.type != 2)
			continue;
		literal = wire_open(w.s, w.n);
		while (wire_next(&literal))
			if (literal.field > 1)
				print_number(text, sizeof text, literal.field, &literal);
	}
	return *text ? (struct slice){ arena_strndup(a, text, strlen(text)), strlen(text) }
		     : slice_of("{...}");
}
