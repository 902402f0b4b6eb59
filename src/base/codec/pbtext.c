#include "config.h"

#include "base/codec/pbtext.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/digit.h"
#include "base/text/slice.h"

enum { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };
enum { LENGTH = 5, NAME_MAX_LEN = 64, NUMBER_MAX_LEN = 64 };

struct reading {
	const char *begin, *p, *end;
	uint8_t *out;
	size_t n, cap;
	bool refused;    /* no memory */
	const char *why; /* what is wrong at p; NULL: nothing yet */
	int depth;
};

static bool fail(struct reading *r, const char *why)
{
	if (!r->why)
		r->why = why;
	return false;
}

/* --- output --- */

static bool make_room(struct reading *r, size_t n)
{
	size_t cap = r->cap ? r->cap : 4096;
	uint8_t *more;

	if (r->cap - r->n >= n)
		return true;
	while (cap - r->n < n)
		cap *= 2;
	if (!(more = mem_try(r->out, cap, 1))) {
		r->refused = true;
		return fail(r, "not enough memory");
	}
	r->out = more;
	r->cap = cap;
	return true;
}

static bool put_varint(struct reading *r, uint64_t v)
{
	if (!make_room(r, 10))
		return false;
	for (; v > 127; v >>= 7)
		r->out[r->n++] = (uint8_t)(v | 128);
	r->out[r->n++] = (uint8_t)v;
	return true;
}

static bool put_fixed(struct reading *r, uint64_t v, size_t bytes)
{
	if (!make_room(r, bytes))
		return false;
	for (size_t i = 0; i < bytes; i++, v >>= 8)
		r->out[r->n++] = (uint8_t)v;
	return true;
}

/* Leaves room for the length of what follows.  Returns where that begins; 0 = no memory. */
static size_t begin_length(struct reading *r)
{
	if (!make_room(r, LENGTH))
		return 0;
	r->n += LENGTH;
	return r->n;
}

/* Fills the length in.  What is not whole says that it is longer than it is. */
static void end_length(struct reading *r, size_t from)
{
	size_t v = r->n - from + (r->why ? 1 : 0);

	for (size_t i = from - LENGTH; i < from; i++, v >>= 7)
		r->out[i] = (uint8_t)((v & 127) | (i + 1 < from ? 128 : 0));
}

/* --- input --- */

static void skip_space(struct reading *r)
{
	while (r->p < r->end) {
		if (*r->p == '#')
			while (r->p < r->end && *r->p != '\n')
				r->p++;
		else if (isspace((unsigned char)*r->p))
			r->p++;
		else
			return;
	}
}

static bool take_char(struct reading *r, char c)
{
	skip_space(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '+' || c == '-' || c == '/';
}

/* A name, a number or a word such as true; n 0: none. */
static struct slice take_word(struct reading *r)
{
	const char *from;

	skip_space(r);
	for (from = r->p; r->p < r->end && is_word(*r->p); r->p++)
		;
	return (struct slice){ from, (size_t)(r->p - from) };
}

static int digit(char c)
{
	return is_digit(c)         ? c - '0'
	    : c >= 'a' && c <= 'f' ? c - 'a' + 10
	    : c >= 'A' && c <= 'F' ? c - 'A' + 10
				   : 99;
}

static unsigned take_digits(struct reading *r, int base, int most)
{
	unsigned v = 0;

	for (; most && r->p < r->end && digit(*r->p) < base; most--, r->p++)
		v = v * (unsigned)base + (unsigned)digit(*r->p);
	return v;
}

static void put_utf8(struct reading *r, unsigned c)
{
	static const uint8_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (int i = n; --i > 0; c >>= 6)
		r->out[r->n + (size_t)i] = (uint8_t)(0x80 | (c & 63));
	r->out[r->n] = (uint8_t)(lead[n == 1 ? 0 : n] | c);
	r->n += (size_t)n;
}

/* What follows a backslash; there is room for 4 bytes. */
static void take_escape(struct reading *r)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char c = r->p < r->end ? *r->p++ : '\\';
	const char *plain = memchr(from, c, sizeof from - 1);

	if (c >= '0' && c <= '7') {
		r->p--;
		r->out[r->n++] = (uint8_t)take_digits(r, 8, 3);
	} else if (c == 'x' || c == 'X') {
		r->out[r->n++] = (uint8_t)take_digits(r, 16, 2);
	} else if (c == 'u' || c == 'U') {
		unsigned v = take_digits(r, 16, c == 'u' ? 4 : 8);

		put_utf8(r, v > 0x10ffff ? 0xfffd : v);
	} else {
		r->out[r->n++] = (uint8_t)(plain ? to[plain - from] : c);
	}
}

static bool take_quoted(struct reading *r)
{
	char quote = *r->p++;

	for (;;) {
		const char *from = r->p;

		while (r->p < r->end && *r->p != quote && *r->p != '\\' && *r->p != '\n')
			r->p++;
		if (!make_room(r, (size_t)(r->p - from) + 4))
			return false;
		memcpy(r->out + r->n, from, (size_t)(r->p - from));
		r->n += (size_t)(r->p - from);
		if (r->p == r->end || *r->p == '\n')
			return fail(r, "a text without its closing quote");
		if (*r->p++ == quote)
			return true;
		take_escape(r);
	}
}

static bool at_quote(struct reading *r)
{
	skip_space(r);
	return r->p < r->end && (*r->p == '"' || *r->p == '\'');
}

/* Texts that follow each other are one. */
static bool take_text(struct reading *r)
{
	size_t from = begin_length(r);
	bool whole = from != 0;

	while (whole && at_quote(r))
		whole = take_quoted(r);
	if (from)
		end_length(r, from);
	return whole;
}

/* --- values --- */

static uint64_t integer_of(const char *s)
{
	bool minus = *s == '-';
	uint64_t v = strtoull(s + (minus || *s == '+'), NULL, 0);

	return minus ? 0 - v : v;
}

static bool is_true(const char *s)
{
	return !strcmp(s, "true") || !strcmp(s, "True") || !strcmp(s, "t") || !strcmp(s, "1");
}

static uint64_t word_value(const ProtobufCFieldDescriptor *f, const char *s)
{
	const ProtobufCEnumValue *e = f->type == PROTOBUF_C_TYPE_ENUM
	    ? protobuf_c_enum_descriptor_get_value_by_name(f->descriptor, s)
	    : NULL;
	uint64_t bits = 0;
	double d = strtod(s, NULL);
	float single = (float)d;

	if (f->type == PROTOBUF_C_TYPE_DOUBLE)
		memcpy(&bits, &d, sizeof d);
	else if (f->type == PROTOBUF_C_TYPE_FLOAT)
		memcpy(&bits, &single, sizeof single);
	else if (f->type == PROTOBUF_C_TYPE_BOOL)
		bits = is_true(s);
	else
		bits = e ? (uint64_t)(int64_t)e->value : integer_of(s);
	return bits;
}

static int wire_type(const ProtobufCFieldDescriptor *f)
{
	switch (f->type) {
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_BYTES:
	case PROTOBUF_C_TYPE_MESSAGE:
		return WIRE_BYTES;
	case PROTOBUF_C_TYPE_DOUBLE:
		return WIRE_FIXED64;
	case PROTOBUF_C_TYPE_FLOAT:
		return WIRE_FIXED32;
	default:
		return WIRE_VARINT;
	}
}

/* Drops what was written since `from`: the value of a field that is not wanted. */
static bool forget(struct reading *r, size_t from, bool whole)
{
	r->n = from;
	return whole;
}

static bool put_word(struct reading *r, const ProtobufCFieldDescriptor *f, int type)
{
	struct slice word = take_word(r);
	char s[NUMBER_MAX_LEN];
	uint64_t v;

	if (!word.n)
		return fail(r, "a value is missing");
	if (!f || type == WIRE_BYTES || word.n >= sizeof s)
		return true; /* a word where the message has a text */
	memcpy(s, word.s, word.n);
	s[word.n] = 0;
	v = word_value(f, s);
	if (!put_varint(r, (uint64_t)f->id << 3 | (unsigned)type))
		return false;
	return type == WIRE_VARINT ? put_varint(r, v) : put_fixed(r, v, type == WIRE_FIXED32 ? 4 : 8);
}

/* f NULL: the value is skipped. */
static bool take_scalar(struct reading *r, const ProtobufCFieldDescriptor *f)
{
	int type = f ? wire_type(f) : WIRE_VARINT;
	size_t from = r->n;

	if (!at_quote(r))
		return put_word(r, f && f->type != PROTOBUF_C_TYPE_MESSAGE ? f : NULL, type);
	if (f && type == WIRE_BYTES && f->type != PROTOBUF_C_TYPE_MESSAGE)
		return put_varint(r, (uint64_t)f->id << 3 | WIRE_BYTES) && take_text(r);
	return forget(r, from, take_text(r));
}

static bool take_fields(struct reading *r, const ProtobufCMessageDescriptor *m, char close);

static bool take_message(struct reading *r, const ProtobufCFieldDescriptor *f, char close)
{
	bool wanted = f && f->type == PROTOBUF_C_TYPE_MESSAGE, whole;
	size_t before = r->n, from = 0;

	if (r->depth == PBTEXT_DEPTH)
		return fail(r, "messages are nested too deeply");
	r->depth++;
	if (wanted) {
		whole = put_varint(r, (uint64_t)f->id << 3 | WIRE_BYTES) && (from = begin_length(r)) &&
		    take_fields(r, f->descriptor, close);
		if (!r->refused)
			end_length(r, from);
	} else {
		whole = forget(r, before, take_fields(r, NULL, close));
	}
	r->depth--;
	return whole;
}

static bool take_value(struct reading *r, const ProtobufCFieldDescriptor *f)
{
	if (take_char(r, '{'))
		return take_message(r, f, '}');
	if (take_char(r, '<'))
		return take_message(r, f, '>');
	return take_scalar(r, f);
}

static bool take_list(struct reading *r, const ProtobufCFieldDescriptor *f)
{
	if (take_char(r, ']'))
		return true;
	do {
		if (!take_value(r, f))
			return false;
	} while (take_char(r, ','));
	return take_char(r, ']') || fail(r, "a list without its end");
}

static const ProtobufCFieldDescriptor *field_named(const ProtobufCMessageDescriptor *m, struct slice name)
{
	char s[NAME_MAX_LEN];

	if (!m || name.n >= sizeof s)
		return NULL;
	memcpy(s, name.s, name.n);
	s[name.n] = 0;
	return protobuf_c_message_descriptor_get_field_by_name(m, s);
}

/* A name, or that of an extension in brackets, which no message here has. */
static bool take_name(struct reading *r, struct slice *name)
{
	if (take_char(r, '[')) {
		*name = (struct slice){ "", 0 };
		while (r->p < r->end && *r->p != ']' && *r->p != '\n')
			r->p++;
		return take_char(r, ']') || fail(r, "a name without its end");
	}
	*name = take_word(r);
	return name->n || fail(r, "the name of a field is missing");
}

static bool take_field(struct reading *r, const ProtobufCMessageDescriptor *m)
{
	const ProtobufCFieldDescriptor *f;
	struct slice name;
	bool colon;

	if (!take_name(r, &name))
		return false;
	f = field_named(m, name);
	colon = take_char(r, ':');
	if (take_char(r, '['))
		return take_list(r, f);
	skip_space(r);
	if (!colon && (r->p == r->end || (*r->p != '{' && *r->p != '<')))
		return fail(r, "a field without a value");
	return take_value(r, f);
}

/* close 0: up to the end of the text. */
static bool take_fields(struct reading *r, const ProtobufCMessageDescriptor *m, char close)
{
	for (;;) {
		while (take_char(r, ',') || take_char(r, ';'))
			;
		skip_space(r);
		if (r->p == r->end)
			return !close || fail(r, "it ends inside a message");
		if (close && take_char(r, close))
			return true;
		if (!take_field(r, m))
			return false;
	}
}

uint8_t *pbtext_read(const ProtobufCMessageDescriptor *m, const char *text, size_t len, size_t *n,
    struct err *damaged, struct err *err)
{
	struct reading r = { .begin = text, .p = text, .end = text + len };

	*damaged = (struct err){ .at = ERR_NOWHERE };
	if (make_room(&r, 1))
		take_fields(&r, m, 0);
	if (r.refused) {
		free(r.out);
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for a text of %zu bytes", len);
		return NULL;
	}
	if (r.why)
		err_set(damaged, EXIT_DAMAGED, (uint64_t)(r.p - r.begin), "%s", r.why);
	*n = r.n;
	return r.out;
}
