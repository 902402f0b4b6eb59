#include "config.h"

#include "load/probe/probe_tf.h"

#include <ctype.h>
#include <string.h>

#include "base/codec/crc32c.h"
#include "base/codec/wire.h"
#include "base/text/utf8.h"

#define KEY(field, type) ((field) << 3 | (type))

enum { OP_LONGEST = 256, EVENT_HEAD = 12, LONG_NAME = 32 << 10 };

/* Reads the next field, or the part of it that is before the end of the head. */
static bool peek(struct wire *w)
{
	return !w->bad && (wire_next(w) || (w->bad && w->s && w->n));
}

static bool is_printable(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < ' ' || s[i] == 0x7f)
			return false;
	return n > 0;
}

/* "MatMul", "_Arg", "Namespace>Op" */
static bool is_op(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum(s[i]) && (!i || !strchr(">.-", s[i]) || !s[i]) && s[i] != '_')
			return false;
	return n && n < OP_LONGEST && !isdigit(s[0]);
}

static bool is_field(struct wire *w, uint32_t field)
{
	return peek(w) && KEY(w->field, w->type) == KEY(field, 2);
}

/* NodeDef: name, op, then only inputs, device and attributes, which begin with their keys.  With nothing but two
 * names, the second must be like that of an op. */
static bool is_node(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);
	bool sure;

	if (!is_field(&w, 1) || w.bad || !is_printable(w.s, w.n) || !is_field(&w, 2) || w.bad ||
	    !is_op(w.s, w.n))
		return false;
	for (sure = isupper(w.s[0]) || w.s[0] == '_'; peek(&w); sure = true) {
		if (w.type != 2 || w.field < 3 || w.field > 7)
			return false;
		if (w.field < 5 ? !is_printable(w.s, w.n) : w.field == 5 && w.n && w.s[0] != KEY(1, 2))
			return false;
	}
	return sure && (!w.bad || w.cut);
}

/* A message whose first field, 1, is a message that begins with the name of an op or function. */
static bool begins_with_named(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n), inner;

	if (!is_field(&w, 1))
		return false;
	inner = wire_open(w.s, w.n);
	return is_field(&inner, 1) && is_op(inner.s, inner.n);
}

/* FunctionDefLibrary: functions begin with their signatures. */
static bool is_library(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	return is_field(&w, 1) && begins_with_named(w.s, w.n);
}

/* MetaInfoDef: it lists ops, or names the version of TensorFlow. */
static bool is_meta_info(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);
	bool ops = false, version = false;

	while (peek(&w)) {
		if (w.field > 8 || w.type != (w.field == 7 ? 0 : 2))
			return false;
		ops |= w.field == 2 && begins_with_named(w.s, w.n);
		version |= w.field == 5 && is_printable(w.s, w.n) && isdigit(w.s[0]);
		if (w.field == 2 && !ops)
			return false;
	}
	return ops || version;
}

static bool is_meta_graph(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	return is_field(&w, 1) && is_meta_info(w.s, w.n);
}

static enum tf_form binary_form(const uint8_t *s, size_t n)
{
	struct wire w = wire_open(s, n);

	if (!peek(&w))
		return TF_NONE;
	if (KEY(w.field, w.type) == KEY(1, 0))
		return is_field(&w, 2) && is_meta_graph(w.s, w.n) ? TF_SAVED_MODEL_BYTES : TF_NONE;
	if (KEY(w.field, w.type) == KEY(1, 2) && is_node(w.s, w.n))
		return TF_GRAPH_BYTES;
	if (KEY(w.field, w.type) == KEY(2, 2) && is_library(w.s, w.n))
		return TF_GRAPH_BYTES;
	return is_meta_graph(s, n) ? TF_META_GRAPH_BYTES : TF_NONE;
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (isspace((unsigned char)*p) || *p == '#')) {
		if (*p == '#')
			while (p < end && *p != '\n')
				p++;
		p += p < end;
	}
	return p;
}

static struct slice take_word(const char **p, const char *end)
{
	const char *from = *p = skip_space(*p, end);

	while (*p < end && (isalnum((unsigned char)**p) || **p == '_'))
		++*p;
	return (struct slice){ from, (size_t)(*p - from) };
}

static bool take_sign(const char **p, const char *end, const char *signs)
{
	*p = skip_space(*p, end);
	if (*p == end || !**p || !strchr(signs, **p))
		return false;
	++*p;
	return true;
}

/* The text form begins with the name of a message, and in it with that of a field; or with a number. */
static enum tf_form text_form(const char *p, const char *end)
{
	static const struct {
		const char *name;
		enum tf_form form;
	} names[] = {
		{ "node", TF_GRAPH_TEXT },
		{ "versions", TF_GRAPH_TEXT },
		{ "library", TF_GRAPH_TEXT },
		{ "meta_info_def", TF_META_GRAPH_TEXT },
		{ "graph_def", TF_META_GRAPH_TEXT },
		{ "meta_graphs", TF_SAVED_MODEL_TEXT },
	};
	struct slice word = take_word(&p, end), inner;
	bool colon = take_sign(&p, end, ":");

	if (slice_is(word, "saved_model_schema_version"))
		return colon ? TF_SAVED_MODEL_TEXT : TF_NONE;
	if (!take_sign(&p, end, "{<"))
		return TF_NONE;
	inner = take_word(&p, end);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(word, names[i].name))
			return inner.n && take_sign(&p, end, ":{<") ? names[i].form : TF_NONE;
	return TF_NONE;
}

static bool has_word(const uint8_t *s, size_t n, const char *word)
{
	return memmem(s, n, word, strlen(word));
}

bool probe_is_keras(const uint8_t *head, size_t n)
{
	return has_word(head, n, "\"class_name\"") && has_word(head, n, "\"config\"") &&
	    (has_word(head, n, "\"layers\"") || has_word(head, n, "\"keras_version\""));
}

enum tf_form probe_tf(const uint8_t *head, size_t n)
{
	size_t bom = utf8_bom((const char *)head, n);
	const char *first = skip_space((const char *)head + bom, (const char *)head + n);
	enum tf_form form = text_form(first, (const char *)head + n);

	if (first < (const char *)head + n && *first == '{')
		return probe_is_keras(head, n) ? TF_KERAS_JSON : TF_NONE;
	return form != TF_NONE ? form : binary_form(head, n);
}

enum file_kind probe_tf_kind(const uint8_t *head, size_t n)
{
	switch (probe_tf(head, n)) {
	case TF_NONE:
		return FILE_UNKNOWN;
	case TF_SAVED_MODEL_BYTES:
	case TF_SAVED_MODEL_TEXT:
		return FILE_SAVED_MODEL;
	default:
		return FILE_TF_GRAPH;
	}
}

/* The length of the first record has its checksum, and the record begins with a time, as an Event does. */
bool probe_is_tfevents(const uint8_t *head, size_t n)
{
	uint32_t crc;

	if (memmem(head, n < 64 ? n : 64, "brain.Event:", 12))
		return true;
	if (n <= EVENT_HEAD || head[EVENT_HEAD] != KEY(1, 1))
		return false;
	memcpy(&crc, head + 8, 4);
	return le32toh(crc) == crc32c_mask(crc32c(head, 8));
}

bool probe_is_long_name(const uint8_t *head, size_t n)
{
	struct wire w = wire_open(head, n);

	if (!is_field(&w, 1) || !w.cut)
		return false;
	w = wire_open(w.s, w.n);
	return is_field(&w, 1) && w.cut && w.n >= LONG_NAME && is_printable(w.s, w.n);
}
