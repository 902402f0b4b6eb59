#include "config.h"
#include "analyze/hlo/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/shape_type.h"
#include "base/text/digit.h"
#include "base/text/slice.h"

/* Indexed by number.  Types smaller than a byte take a whole one unless the layout packs them. */
static const struct {
	const char *name;
	int bytes;
} types[] = {
	[0] = { "primitive_type_invalid", 0 },
	[1] = { "pred", 1 },
	[2] = { "s8", 1 },
	[3] = { "s16", 2 },
	[4] = { "s32", 4 },
	[5] = { "s64", 8 },
	[6] = { "u8", 1 },
	[7] = { "u16", 2 },
	[8] = { "u32", 4 },
	[9] = { "u64", 8 },
	[10] = { "f16", 2 },
	[11] = { "f32", 4 },
	[12] = { "f64", 8 },
	[SHAPE_TUPLE] = { "tuple", 0 },
	[SHAPE_OPAQUE] = { "opaque", 0 },
	[15] = { "c64", 8 },
	[16] = { "bf16", 2 },
	[SHAPE_TOKEN] = { "token", 0 },
	[18] = { "c128", 16 },
	[19] = { "f8e5m2", 1 },
	[20] = { "f8e4m3fn", 1 },
	[21] = { "s4", 1 },
	[22] = { "u4", 1 },
	[23] = { "f8e4m3b11fnuz", 1 },
	[24] = { "f8e5m2fnuz", 1 },
	[25] = { "f8e4m3fnuz", 1 },
	[26] = { "s2", 1 },
	[27] = { "u2", 1 },
	[28] = { "f8e4m3", 1 },
	[29] = { "f8e3m4", 1 },
	[30] = { "s1", 1 },
	[31] = { "u1", 1 },
	[32] = { "f4e2m1fn", 1 },
	[33] = { "f8e8m0fnu", 1 },
	[SHAPE_BUFFER] = { "b", 0 },
	[35] = { "f6e3m2fn", 1 },
	[36] = { "f6e2m3fn", 1 },
};
#define NTYPES ((int)(sizeof types / sizeof *types))

/* NULL: not known */
static const char *shape_type_name(int type)
{
	return type >= 0 && type < NTYPES ? types[type].name : NULL;
}

int64_t shape_type_bytes(int type)
{
	return type >= 0 && type < NTYPES ? types[type].bytes : 1;
}

/* 0: no such type */
static int shape_type_of(const char *s, size_t n)
{
	int type = 0;

	for (int i = 1; i < NTYPES; i++)
		if (slice_is((struct slice){ s, n }, types[i].name))
			return i;
	if (n < 5 || n > 11 || !slice_begins((struct slice){ s, n }, "type"))
		return 0;
	for (size_t i = 4; i < n; i++) {
		if (s[i] < '0' || s[i] > '9' || type > INT32_MAX / 10 - 1)
			return 0;
		type = type * 10 + (s[i] - '0');
	}
	return type >= NTYPES ? type : 0;
}

/* ---- reading ---- */

struct reader {
	struct arena *arena;
	const char *p, *end;
	int depth;
};

static bool take_char(struct reader *r, char c)
{
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool take_word(struct reader *r, const char *word)
{
	struct slice rest = { r->p, (size_t)(r->end - r->p) };
	bool is_there = slice_cut(&rest, word);

	r->p = rest.s;
	return is_there;
}

static bool at_digit(const struct reader *r)
{
	return r->p < r->end && is_digit(*r->p);
}

static bool take_number(struct reader *r, int64_t *v)
{
	if (!at_digit(r))
		return false;
	for (*v = 0; at_digit(r); r->p++)
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, *r->p - '0', v))
			return false;
	return true;
}

/* Skips spaces and the comments with an index that XLA writes before every fifth element of a tuple. */
static void skip_blank(struct reader *r)
{
	const char *stop;

	for (;;) {
		while (r->p < r->end && (*r->p == ' ' || *r->p == '\n' || *r->p == '\t'))
			r->p++;
		if (r->end - r->p < 4 || memcmp(r->p, "/*", 2) ||
		    !(stop = memmem(r->p + 2, (size_t)(r->end - r->p - 2), "*/", 2)))
			return;
		r->p = stop + 2;
	}
}

/* Returns an upper limit for the length of a list: one more than the commas before it ends. */
static size_t count_elements(const struct reader *r, char close)
{
	const char *stop = memchr(r->p, close, (size_t)(r->end - r->p));
	size_t n = 1;

	for (const char *p = r->p; stop && p < stop; p++)
		n += *p == ',';
	return stop ? n : 0;
}

static bool new_list(struct reader *r, char close, struct shape_list *l)
{
	size_t n = count_elements(r, close);

	*l = (struct shape_list){ .v = n ? arena_alloc(r->arena, n * sizeof *l->v) : NULL };
	return n > 0;
}

static bool take_dims(struct reader *r, struct shape *s)
{
	if (!new_list(r, ']', &s->dim))
		return false;
	if (take_char(r, ']'))
		return true;
	do {
		bool bounded = take_word(r, "<="), any = !bounded && take_char(r, '?');
		int64_t *v = &s->dim.v[s->dim.n];

		if ((bounded || any) && !s->dynamic)
			s->dynamic = arena_alloc(r->arena, count_elements(r, ']') + s->dim.n);
		if (any)
			*v = SHAPE_ANY;
		else if (!take_number(r, v))
			return false;
		if (s->dynamic)
			s->dynamic[s->dim.n] = bounded || any;
		s->dim.n++;
	} while (take_char(r, ','));
	return take_char(r, ']');
}

static bool take_tile(struct reader *r, struct shape_list *l)
{
	if (!new_list(r, ')', l))
		return false;
	do {
		if (take_char(r, '*'))
			l->v[l->n] = SHAPE_ANY;
		else if (!take_number(r, &l->v[l->n]))
			return false;
		l->n++;
	} while (take_char(r, ','));
	return take_char(r, ')');
}

static bool take_tiles(struct reader *r, struct shape_layout *l)
{
	size_t n = 0;

	if (l->ntiles)
		return false;
	for (const char *p = r->p; p < r->end && *p != '}'; p++)
		n += *p == '(';
	l->tile = arena_alloc(r->arena, (n + 1) * sizeof *l->tile);
	for (l->ntiles = 0; l->ntiles < n && take_char(r, '(');)
		if (!take_tile(r, &l->tile[l->ntiles++]))
			return false;
	return l->ntiles > 0;
}

static bool take_split(struct reader *r, struct shape_layout *l)
{
	struct shape_split *all = arena_alloc(r->arena, (l->nsplits + 1) * sizeof *all),
			   *x = &all[l->nsplits];

	if (l->nsplits)
		memcpy(all, l->split, l->nsplits * sizeof *all);
	l->split = all;
	l->nsplits++;
	return take_char(r, '(') && take_number(r, &x->dimension) && take_char(r, ':') &&
	    take_tile(r, &x->at);
}

static bool take_type(struct reader *r, int *type)
{
	const char *s = r->p;

	while (r->p < r->end && ((*r->p >= 'a' && *r->p <= 'z') || at_digit(r)))
		r->p++;
	*type = shape_type_of(s, (size_t)(r->p - s));
	return *type > 0;
}

/* Parses what follows the colon of a layout; the parts may come in any order. */
static bool take_extension(struct reader *r, struct shape_layout *l)
{
	const struct {
		const char *word;
		int64_t *to;
	} numbers[] = { { "L(", &l->tail }, { "E(", &l->bits }, { "S(", &l->space }, { "M(", &l->prefix } };

	if (take_char(r, 'T'))
		return take_tiles(r, l);
	if (take_word(r, "SC"))
		return l->nsplits < SHAPE_DEPTH && take_split(r, l);
	if (take_word(r, "#("))
		return take_type(r, &l->index_type) && take_char(r, ')');
	if (take_word(r, "*("))
		return take_type(r, &l->pointer_type) && take_char(r, ')');
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (take_word(r, numbers[i].word))
			return take_number(r, numbers[i].to) && take_char(r, ')');
	return false;
}

static bool take_layout(struct reader *r, struct shape *s)
{
	struct shape_layout *l = s->layout = arena_alloc(r->arena, sizeof *l);

	if (!new_list(r, '}', &l->order))
		return false;
	if (at_digit(r))
		do
			if (!take_number(r, &l->order.v[l->order.n++]))
				return false;
		while (take_char(r, ','));
	if (take_char(r, ':'))
		while (r->p < r->end && *r->p != '}')
			if (!take_extension(r, l))
				return false;
	return take_char(r, '}');
}

static bool take_shape(struct reader *r, struct shape *s);

/* Counts the elements of the tuple that begins here by the commas of its own level. */
static size_t count_parts(const struct reader *r)
{
	size_t n = 1;
	int depth = 0;

	for (const char *p = r->p; p < r->end && depth >= 0; p++) {
		depth += (*p == '(' || *p == '[' || *p == '{') - (*p == ')' || *p == ']' || *p == '}');
		n += *p == ',' && !depth;
	}
	return n;
}

static bool take_parts(struct reader *r, struct shape *s, size_t max)
{
	if (r->depth == SHAPE_DEPTH)
		return false;
	r->depth++;
	skip_blank(r);
	if (take_char(r, ')'))
		max = 0;
	s->sub = arena_alloc(r->arena, (max + 1) * sizeof *s->sub);
	while (s->nsub < max) {
		skip_blank(r);
		if (!take_shape(r, &s->sub[s->nsub++]))
			return false;
		skip_blank(r);
		if (take_char(r, ')'))
			max = 0;
		else if (!take_char(r, ',') || s->nsub == max)
			return false;
	}
	r->depth--;
	return true;
}

static bool take_shape(struct reader *r, struct shape *s)
{
	*s = (struct shape){ 0 };
	if (take_char(r, '(')) {
		s->type = SHAPE_TUPLE;
		return take_parts(r, s, count_parts(r));
	}
	if (!take_type(r, &s->type))
		return false;
	if (s->type == SHAPE_BUFFER)
		return take_char(r, '(') && take_parts(r, s, 1) && s->nsub;
	if (!take_char(r, '[') || !take_dims(r, s))
		return false;
	return !take_char(r, '{') || take_layout(r, s);
}

size_t shape_parse(struct arena *a, const char *s, size_t n, struct shape *out)
{
	struct reader r = { .arena = a, .p = s, .end = s + n };

	return take_shape(&r, out) ? (size_t)(r.p - s) : 0;
}

/* ---- writing ---- */

static void put_list(FILE *f, const struct shape_list *l, char any)
{
	for (size_t i = 0; i < l->n; i++) {
		if (i)
			putc(',', f);
		if (l->v[i] == SHAPE_ANY)
			putc(any, f);
		else
			fprintf(f, "%" PRId64, l->v[i]);
	}
}

static void put_type(FILE *f, int type)
{
	const char *name = shape_type_name(type);

	if (name)
		fputs(name, f);
	else
		fprintf(f, "type%d", type);
}

static bool has_extension(const struct shape_layout *l)
{
	return l->ntiles || l->tail > 1 || l->index_type || l->pointer_type || l->bits || l->space ||
	    l->nsplits || l->prefix;
}

static void put_number(FILE *f, const char *word, int64_t v, bool there)
{
	if (there)
		fprintf(f, "%s(%" PRId64 ")", word, v);
}

static void put_extension(FILE *f, const struct shape_layout *l)
{
	for (size_t i = 0; i < l->ntiles; i++) {
		fputs(i ? "(" : "T(", f);
		put_list(f, &l->tile[i], '*');
		putc(')', f);
	}
	put_number(f, "L", l->tail, l->tail > 1);
	for (int i = 0; i < 2; i++) {
		int type = i ? l->pointer_type : l->index_type;

		if (type) {
			fputs(i ? "*(" : "#(", f);
			put_type(f, type);
			putc(')', f);
		}
	}
	put_number(f, "E", l->bits, l->bits != 0);
	put_number(f, "S", l->space, l->space != 0);
	for (size_t i = 0; i < l->nsplits; i++) {
		fprintf(f, "SC(%" PRId64 ":", l->split[i].dimension);
		put_list(f, &l->split[i].at, '*');
		putc(')', f);
	}
	put_number(f, "M", l->prefix, l->prefix != 0);
}

static void put_layout(FILE *f, const struct shape *s)
{
	bool more = has_extension(s->layout);

	if (!s->dim.n && !s->layout->order.n && !more)
		return;
	putc('{', f);
	put_list(f, &s->layout->order, '?');
	if (more) {
		putc(':', f);
		put_extension(f, s->layout);
	}
	putc('}', f);
}

static void put_dims(FILE *f, const struct shape *s)
{
	for (size_t i = 0; i < s->dim.n; i++) {
		bool dynamic = s->dynamic && s->dynamic[i];

		fprintf(f, "%s", i ? "," : "");
		if (dynamic && s->dim.v[i] == SHAPE_ANY)
			putc('?', f);
		else
			fprintf(f, "%s%" PRId64, dynamic ? "<=" : "", s->dim.v[i]);
	}
}

static void put_shape(FILE *f, const struct shape *s)
{
	bool parts = s->type == SHAPE_TUPLE || s->type == SHAPE_BUFFER;

	if (s->type != SHAPE_TUPLE)
		put_type(f, s->type);
	putc(parts ? '(' : '[', f);
	for (size_t i = 0; i < s->nsub; i++) {
		if (i)
			fputs(", ", f);
		if (i && i % 5 == 0)
			fprintf(f, "/*index=%zu*/", i);
		put_shape(f, &s->sub[i]);
	}
	put_dims(f, s);
	putc(parts ? ')' : ']', f);
	if (s->layout && shape_is_array(s))
		put_layout(f, s);
}

const char *shape_text(struct arena *a, const struct shape *s)
{
	char *text = NULL;
	const char *copy;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return "";
	put_shape(f, s);
	fclose(f);
	copy = arena_strndup(a, text ? text : "", text ? n : 0);
	free(text);
	return copy;
}
