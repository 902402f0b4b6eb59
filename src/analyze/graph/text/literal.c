#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/text/fields.h"
#include "analyze/graph/text/print.h"

/* Constants of messages, as XLA prints them: of arrays those of at most ten elements, { { 1, 2 }, { 3, 4 } }; others
 * are "{...}". */
enum { MOST_ELEMENTS = 10, MOST_DIMENSIONS = 8 };

/* PrimitiveType: the field of LiteralProto that has the values, and how these are written there: v varint, f float, d
 * double, h half, b bfloat16, 1 to 2 bytes with sign (+ without), p pred; complex ones have two floats each. */
static const struct {
	int type;
	uint32_t field;
	char form;
} types[] = { { PB__PRIMITIVE_TYPE__PRED, 2, 'p' }, { PB__PRIMITIVE_TYPE__S8, 15, '1' },
	{ PB__PRIMITIVE_TYPE__U8, 3, '+' }, { PB__PRIMITIVE_TYPE__S16, 17, '2' },
	{ PB__PRIMITIVE_TYPE__U16, 16, '#' }, { PB__PRIMITIVE_TYPE__S32, 4, 'v' },
	{ PB__PRIMITIVE_TYPE__S64, 5, 'v' }, { PB__PRIMITIVE_TYPE__U32, 6, 'u' },
	{ PB__PRIMITIVE_TYPE__U64, 7, 'u' }, { PB__PRIMITIVE_TYPE__F32, 8, 'f' },
	{ PB__PRIMITIVE_TYPE__F64, 9, 'd' }, { PB__PRIMITIVE_TYPE__C64, 12, 'f' },
	{ PB__PRIMITIVE_TYPE__C128, 18, 'd' }, { PB__PRIMITIVE_TYPE__F16, 11, 'h' },
	{ PB__PRIMITIVE_TYPE__BF16, 13, 'b' } };

struct values {
	struct slice bytes; /* those not read yet */
	struct shape_list numbers;
	size_t at;
	char form;
};

static double half_of(uint16_t h)
{
	int exponent = h >> 10 & 31;
	double v = h & 1023;

	v = exponent ? (v + 1024) * (double)(1u << exponent) / (1u << 25) : v / (1u << 24);
	if (exponent == 31)
		v = h & 1023 ? strtod("nan", NULL) : strtod("inf", NULL);
	return h & 0x8000 ? -v : v;
}

static void put_round_trip(FILE *f, double v, bool single)
{
	char text[40];

	snprintf(text, sizeof text, "%.*g", single ? 6 : 15, v);
	if (single ? strtof(text, NULL) != (float)v : strtod(text, NULL) != v)
		snprintf(text, sizeof text, "%.*g", single ? 9 : 17, v);
	fputs(v != v ? "nan" : text, f);
}

static bool take_bytes(struct values *v, void *to, size_t n)
{
	if (v->bytes.n < n)
		return false;
	memcpy(to, v->bytes.s, n);
	v->bytes = (struct slice){ v->bytes.s + n, v->bytes.n - n };
	return true;
}

static bool put_wide(FILE *f, struct values *v)
{
	float single;
	double d;

	if (v->form == 'f' && take_bytes(v, &single, sizeof single))
		put_round_trip(f, (double)single, true);
	else if (v->form == 'd' && take_bytes(v, &d, sizeof d))
		put_round_trip(f, d, false);
	else
		return false;
	return true;
}

static bool put_narrow(FILE *f, struct values *v)
{
	uint8_t byte = 0;
	uint16_t h = 0;
	uint32_t bits;
	float single;
	bool two = strchr("2#hb", v->form);

	if (!(two ? take_bytes(v, &h, 2) : take_bytes(v, &byte, 1)))
		return false;
	bits = (uint32_t)h << 16;
	memcpy(&single, &bits, sizeof single);
	if (v->form == 'h')
		fprintf(f, "%.5g", half_of(h));
	else if (v->form == 'b')
		fprintf(f, "%.4g", (double)single);
	else if (v->form == '1' || v->form == '2')
		fprintf(f, "%d", two ? (int16_t)h : (int8_t)byte);
	else
		fprintf(f, "%u", two ? (unsigned)h : byte);
	return true;
}

static bool put_value(FILE *f, struct values *v, bool alone)
{
	int64_t n;

	if (v->form == 'f' || v->form == 'd')
		return put_wide(f, v);
	if (!strchr("vup", v->form))
		return put_narrow(f, v);
	if (v->at == v->numbers.n)
		return false;
	n = v->numbers.v[v->at++];
	if (v->form == 'p')
		fputs(alone ? (n ? "true" : "false") : n ? "1" : "0", f);
	else
		fprintf(f, v->form == 'u' ? "%" PRIu64 : "%" PRId64, n);
	return true;
}

static bool put_element(FILE *f, struct values *v, const struct shape *s)
{
	bool is;

	if (s->type != PB__PRIMITIVE_TYPE__C64 && s->type != PB__PRIMITIVE_TYPE__C128)
		return put_value(f, v, !s->dim.n);
	fputc('(', f);
	is = put_value(f, v, true);
	fputs(", ", f);
	is &= put_value(f, v, true);
	fputc(')', f);
	return is;
}

static bool put_array(FILE *f, struct values *v, const struct shape *s, size_t dimension)
{
	bool last = dimension + 1 == s->dim.n, is = true;

	if (!s->dim.n)
		return put_element(f, v, s);
	fputs(s->dim.n == 1 ? "{" : "{ ", f);
	for (int64_t k = 0; is && k < s->dim.v[dimension]; k++) {
		fputs(k ? ", " : "", f);
		is = last ? put_element(f, v, s) : put_array(f, v, s, dimension + 1);
	}
	fputs(s->dim.n == 1 ? "}" : " }", f);
	return is;
}

/* The values of a literal: varints one by one, everything else as the bytes that they take. */
static bool open_values(struct arena *a, struct slice literal, const struct shape *s, struct values *v)
{
	size_t k = 0, n = sizeof types / sizeof *types;

	while (k < n && types[k].type != s->type)
		k++;
	if (k == n)
		return false;
	*v = (struct values){ .form = types[k].form };
	if (strchr("vup", v->form))
		v->numbers = field_numbers(a, literal, types[k].field);
	else
		v->bytes = field_slice(literal, types[k].field);
	return true;
}

struct slice graph_literal(struct arena *a, const struct hlo_graph *g, uint32_t i)
{
	struct slice literal, out = slice_of("{...}");
	struct shape shape;
	struct values v;
	int64_t n = 1;
	char *text = NULL;
	size_t length = 0;
	FILE *f;

	if (g->text)
		return hlo_operands_text(g, i);
	literal = field_slice((struct slice){ g->v[i].at, g->v[i].len }, 8);
	if (!graph_shape(a, g, i, &shape) || shape.dim.n > MOST_DIMENSIONS ||
	    !open_values(a, literal, &shape, &v))
		return out;
	for (size_t k = 0; k < shape.dim.n && n <= MOST_ELEMENTS; k++) /* [1000000,0] has many, too */
		n = shape.dim.v[k] < 0 || shape.dim.v[k] > MOST_ELEMENTS ? MOST_ELEMENTS + 1
									 : n * shape.dim.v[k];
	if (n > MOST_ELEMENTS || !(f = open_memstream(&text, &length)))
		return out;
	if (put_array(f, &v, &shape, 0)) {
		fflush(f);
		out = (struct slice){ arena_strndup(a, text, length), length };
	}
	fclose(f);
	free(text);
	return out;
}
