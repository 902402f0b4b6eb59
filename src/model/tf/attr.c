#include "config.h"

#include "model/tf/attr.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/text/utf8.h"
#include "tf_graph.pb-c.h"

enum { VARINT, BYTES = 2, FIXED32 = 5 }; /* wire types */
enum { NODE_INPUT = 3, NODE_ATTR = 5 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { LIST = 1, TEXT, INTEGER, FLOAT, BOOLEAN, TYPE, SHAPE, TENSOR, PLACEHOLDER, FUNCTION };
enum { LIST_FUNCTION = 9 };
enum { FUNCTION_NAME = 1 };
enum { SHAPE_DIM = 2, SHAPE_UNKNOWN = 3 };
enum { DIM_SIZE = 1 };
enum {
	TENSOR_TYPE = 1,
	TENSOR_SHAPE,
	TENSOR_CONTENT = 4,
	TENSOR_FLOATS,
	TENSOR_INTS = 7,
	TENSOR_TEXTS,
	TENSOR_LONGS = 10
};
enum { VALUES_SHOWN = 8 };

void tf_node_inputs(const struct tf_node *x, void (*each)(void *, const struct tf_input *), void *ctx)
{
	struct wire w = wire_open(x->at, x->len);

	while (wire_next(&w)) {
		struct tf_input in;
		const char *colon;

		if (w.field != NODE_INPUT || w.type != BYTES)
			continue;
		in.text = in.name = wire_text(&w);
		in.control = slice_cut(&in.name, "^");
		if ((colon = memchr(in.name.s, ':', in.name.n)))
			in.name.n = (size_t)(colon - in.name.s);
		each(ctx, &in);
	}
}

void tf_node_attrs(const struct tf_node *x, void (*each)(void *, struct slice, struct slice), void *ctx)
{
	struct wire w = wire_open(x->at, x->len), entry;

	while (wire_next(&w)) {
		struct slice key = { "", 0 }, value = { "", 0 };

		if (w.field != NODE_ATTR || w.type != BYTES)
			continue;
		for (entry = wire_open(w.s, w.n); wire_next(&entry);)
			if (entry.type == BYTES && entry.field == ENTRY_KEY)
				key = wire_text(&entry);
			else if (entry.type == BYTES && entry.field == ENTRY_VALUE)
				value = wire_text(&entry);
		each(ctx, key, value);
	}
}

/* --- text --- */

struct said {
	char *buf;
	size_t size, n;
};

static __attribute__((format(printf, 2, 3))) void say(struct said *s, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = s->n < s->size ? vsnprintf(s->buf + s->n, s->size - s->n, fmt, ap) : 0;
	va_end(ap);
	s->n += n > 0 ? (size_t)n : 0;
}

static bool is_full(const struct said *s)
{
	return s->n + 1 >= s->size;
}

/* DT_FLOAT is said as "float". */
static void say_type(struct said *s, uint64_t type)
{
	const ProtobufCEnumValue *e = protobuf_c_enum_descriptor_get_value(&pb__data_type__descriptor,
	    type > 100 ? (int)type - 100 : (int)type);

	if (!e || slice_find(slice_of(e->name), "INVALID")) {
		say(s, "type %" PRIu64, type);
		return;
	}
	for (const char *p = e->name + 3; *p; p++)
		say(s, "%c", tolower((unsigned char)*p));
	say(s, "%s", type > 100 ? " &" : "");
}

static void say_shape(struct said *s, struct slice shape)
{
	struct wire w = wire_open(shape.s, shape.n), dim;
	bool unknown = false;
	int n = 0;

	say(s, "[");
	while (wire_next(&w) && !is_full(s)) {
		int64_t size = 0;

		unknown |= w.field == SHAPE_UNKNOWN && w.type == VARINT && w.u;
		if (w.field != SHAPE_DIM || w.type != BYTES)
			continue;
		for (dim = wire_open(w.s, w.n); wire_next(&dim);)
			if (dim.field == DIM_SIZE && dim.type == VARINT)
				size = (int64_t)dim.u;
		say(s, size < 0 ? "%s?" : "%s%" PRId64, n++ ? ", " : "", size);
	}
	say(s, unknown ? "…]" : "]");
}

static void say_text(struct said *s, struct slice text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.s[i] < ' ' && text.s[i] != '\n' && text.s[i] != '\t') {
			say(s, "%zu bytes", text.n);
			return;
		}
	say(s, "\"%.*s\"", (int)(text.n < s->size ? text.n : s->size), text.s);
}

static double float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

/* The numbers of a field that may be packed. */
static void say_numbers(struct said *s, const struct wire *w, bool floats, int *n)
{
	const uint8_t *p = w->s, *end;
	uint64_t v;

	if (w->type != BYTES) {
		if (++*n <= VALUES_SHOWN)
			floats ? say(s, "%s%g", *n > 1 ? ", " : ": ", float_of((uint32_t)w->u))
			       : say(s, "%s%" PRId64, *n > 1 ? ", " : ": ", (int64_t)w->u);
		return;
	}
	end = p + w->n;
	while (p < end && *n < VALUES_SHOWN) {
		uint32_t bits;

		if (floats) {
			if (end - p < 4)
				return;
			memcpy(&bits, p, 4);
			p += 4;
			say(s, "%s%g", (*n)++ ? ", " : ": ", float_of(le32toh(bits)));
		} else {
			if (!(p = wire_varint(p, end, &v)))
				return;
			say(s, "%s%" PRId64, (*n)++ ? ", " : ": ", (int64_t)v);
		}
	}
	*n += p < end;
}

/* The numbers of a tensor in one piece, for the types that are common. */
static void say_content(struct said *s, struct slice content, uint64_t type, int *n)
{
	size_t size = type == PB__DATA_TYPE__DT_INT64 ? 8 : 4, all = content.n / size;

	if (type != PB__DATA_TYPE__DT_FLOAT && type != PB__DATA_TYPE__DT_INT32 &&
	    type != PB__DATA_TYPE__DT_INT64)
		return;
	for (size_t i = 0; i < all && i < VALUES_SHOWN; i++, ++*n) {
		uint32_t four;
		uint64_t eight = 0;

		memcpy(&four, content.s + i * size, 4);
		if (size == 8)
			memcpy(&eight, content.s + i * size, 8);
		if (type == PB__DATA_TYPE__DT_FLOAT)
			say(s, "%s%g", i ? ", " : ": ", float_of(le32toh(four)));
		else
			say(s, "%s%" PRId64, i ? ", " : ": ",
			    size == 8 ? (int64_t)le64toh(eight) : (int64_t)(int32_t)le32toh(four));
	}
	*n += all > VALUES_SHOWN;
}

static void say_tensor(struct said *s, struct slice tensor)
{
	struct wire w = wire_open(tensor.s, tensor.n);
	uint64_t type = 0;
	int n = 0;

	while (wire_next(&w)) {
		if (w.field == TENSOR_TYPE && w.type == VARINT) {
			type = w.u;
			say_type(s, type);
		} else if (w.field == TENSOR_SHAPE && w.type == BYTES) {
			say(s, " ");
			say_shape(s, wire_text(&w));
		} else if (w.field == TENSOR_CONTENT && w.type == BYTES) {
			say_content(s, wire_text(&w), type, &n);
		} else if (w.field == TENSOR_FLOATS) {
			say_numbers(s, &w, true, &n);
		} else if (w.field == TENSOR_INTS || w.field == TENSOR_LONGS) {
			say_numbers(s, &w, false, &n);
		} else if (w.field == TENSOR_TEXTS && w.type == BYTES && ++n <= VALUES_SHOWN) {
			say(s, "%s", n > 1 ? ", " : ": ");
			say_text(s, wire_text(&w));
		}
	}
	say(s, n > VALUES_SHOWN ? ", …" : "");
}

static void say_function(struct said *s, struct slice f)
{
	struct wire w = wire_open(f.s, f.n);

	while (wire_next(&w))
		if (w.field == FUNCTION_NAME && w.type == BYTES)
			say(s, "%.*s()", (int)(w.n < s->size ? w.n : s->size), (const char *)w.s);
}

/* A field of an AttrValue, or of its list, whose functions have a number of their own. */
static void say_value(struct said *s, const struct wire *w, uint32_t field)
{
	struct slice text = wire_text(w);

	if (w->type == VARINT && field == TYPE)
		say_type(s, w->u);
	else if (w->type == VARINT && field == INTEGER)
		say(s, "%" PRId64, (int64_t)w->u);
	else if (w->type == VARINT && field == BOOLEAN)
		say(s, "%s", w->u ? "true" : "false");
	else if (w->type == FIXED32 && field == FLOAT)
		say(s, "%g", float_of((uint32_t)w->u));
	else if (w->type != BYTES)
		return;
	else if (field == TEXT)
		say_text(s, text);
	else if (field == SHAPE)
		say_shape(s, text);
	else if (field == TENSOR)
		say_tensor(s, text);
	else if (field == FUNCTION)
		say_function(s, text);
	else if (field == PLACEHOLDER)
		say(s, "$%.*s", (int)(text.n < s->size ? text.n : s->size), text.s);
}

static void say_packed(struct said *s, const struct wire *w, bool *more)
{
	const uint8_t *p = w->s, *end = p + w->n;
	struct wire one = *w;

	while (p < end && !is_full(s)) {
		say(s, *more ? ", " : "");
		*more = true;
		if (w->field == FLOAT) {
			uint32_t bits;

			if (end - p < 4)
				return;
			memcpy(&bits, p, 4);
			p += 4;
			one.type = FIXED32;
			one.u = le32toh(bits);
		} else {
			one.type = VARINT;
			if (!(p = wire_varint(p, end, &one.u)))
				return;
		}
		say_value(s, &one, w->field);
	}
}

static void say_list(struct said *s, struct slice list)
{
	struct wire w = wire_open(list.s, list.n);
	bool more = false;

	say(s, "[");
	while (wire_next(&w) && !is_full(s)) {
		if (w.type == BYTES && w.field >= INTEGER && w.field <= TYPE) {
			say_packed(s, &w, &more);
			continue;
		}
		say(s, more ? ", " : "");
		more = true;
		say_value(s, &w, w.field == LIST_FUNCTION ? (uint32_t)FUNCTION : w.field);
	}
	say(s, "]");
}

char *tf_attr_text(struct slice value, char *buf, size_t size)
{
	struct said s = { buf, size, 0 };
	struct wire w = wire_open(value.s, value.n);

	*buf = 0;
	while (wire_next(&w)) {
		if (w.field == LIST && w.type == BYTES)
			say_list(&s, wire_text(&w));
		else
			say_value(&s, &w, w.field);
	}
	return buf;
}

static void each_function(struct slice message, uint32_t field, void (*each)(void *, struct slice), void *ctx)
{
	struct wire w = wire_open(message.s, message.n), f;

	while (wire_next(&w)) {
		if (w.field != field || w.type != BYTES)
			continue;
		f = wire_open(w.s, w.n);
		while (wire_next(&f))
			if (f.field == FUNCTION_NAME && f.type == BYTES)
				each(ctx, wire_text(&f));
	}
}

void tf_attr_functions(struct slice value, void (*each)(void *, struct slice), void *ctx)
{
	struct wire w = wire_open(value.s, value.n);

	each_function(value, FUNCTION, each, ctx);
	while (wire_next(&w))
		if (w.field == LIST && w.type == BYTES)
			each_function(wire_text(&w), LIST_FUNCTION, each, ctx);
}
