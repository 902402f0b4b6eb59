#include "config.h"

#include "base/codec/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"
#include "base/text/slice.h"
#include "base/text/utf8.h"

#define TEXT_MAX ((size_t)64 << 20)
#define NODES_MAX ((size_t)4 << 20) /* 64 to 80 bytes each */

struct parser {
	const char *text, *p, *end;
	struct arena *arena;
	struct err *err;
	size_t nodes;
	struct json *open[JSON_DEPTH];  /* the containers around p */
	struct json **tail[JSON_DEPTH]; /* where the next child of each goes */
	int depth;
};

static int fail(struct parser *ps, const char *at, const char *what)
{
	return err_set(ps->err, EXIT_NOTHING, (uint64_t)(at - ps->text),
	    "invalid JSON: %s; the file may be damaged or cut off", what);
}

static void skip_space(struct parser *ps)
{
	while (ps->p < ps->end && (*ps->p == ' ' || *ps->p == '\n' || *ps->p == '\t' || *ps->p == '\r'))
		ps->p++;
}

static bool at_char(const struct parser *ps, char c)
{
	return ps->p < ps->end && *ps->p == c;
}

static int hex4(struct parser *ps, uint32_t *out)
{
	uint32_t v = 0;

	if (ps->end - ps->p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = ps->p[i];
		if (is_digit(c))
			v = v << 4 | (uint32_t)(c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | (uint32_t)((c | 0x20) - 'a' + 10);
		else
			return -1;
	}
	ps->p += 4;
	*out = v;
	return 0;
}

/* Parses what follows "\u".  Unpaired surrogates become U+FFFD. */
static int unescape_unicode(struct parser *ps, char **out)
{
	uint32_t c, low;

	if (hex4(ps, &c))
		return -1;
	if (c >= 0xd800 && c <= 0xdbff && ps->end - ps->p >= 6 && ps->p[0] == '\\' && ps->p[1] == 'u') {
		const char *back = ps->p;
		ps->p += 2;
		if (hex4(ps, &low))
			return -1;
		if (low >= 0xdc00 && low <= 0xdfff)
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		else
			ps->p = back;
	}
	if (c >= 0xd800 && c <= 0xdfff)
		c = 0xfffd;
	*out += utf8_put(*out, c);
	return 0;
}

static int unescape(struct parser *ps, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (++ps->p >= ps->end)
		return -1;
	if (*ps->p == 'u') {
		ps->p++;
		return unescape_unicode(ps, out);
	}
	found = *ps->p ? strchr(from, *ps->p) : NULL;
	if (!found)
		return -1;
	*(*out)++ = to[found - from];
	ps->p++;
	return 0;
}

static int parse_string(struct parser *ps, const char **s, size_t *len)
{
	const char *start = ps->p, *q = ps->p + 1;
	char *copy, *out;

	while (q < ps->end && *q != '"') /* unescaping never makes a string longer */
		q += *q == '\\' && q + 1 < ps->end ? 2 : 1;
	if (q >= ps->end)
		return fail(ps, start, "a string does not end");
	copy = out = arena_alloc(ps->arena, (size_t)(q - start));
	ps->p++;
	while (*ps->p != '"') {
		const char *at = ps->p;
		if ((unsigned char)*at < 0x20)
			return fail(ps, at, "a control character in a string");
		if (*at != '\\')
			*out++ = *ps->p++;
		else if (unescape(ps, &out))
			return fail(ps, at, "a bad escape in a string");
	}
	ps->p++;
	*s = copy;
	*len = (size_t)(out - copy);
	return 0;
}

static bool skip_digits(struct parser *ps)
{
	const char *from = ps->p;

	while (ps->p < ps->end && is_digit(*ps->p))
		ps->p++;
	return ps->p > from;
}

static int parse_number(struct parser *ps, struct json *node)
{
	const char *from = ps->p;
	bool ok;

	if (at_char(ps, '-'))
		ps->p++;
	if (at_char(ps, '0')) {
		ps->p++;
		ok = true;
	} else {
		ok = skip_digits(ps);
	}
	if (ok && at_char(ps, '.')) {
		ps->p++;
		ok = skip_digits(ps);
	}
	if (ok && (at_char(ps, 'e') || at_char(ps, 'E'))) {
		ps->p++;
		if (at_char(ps, '+') || at_char(ps, '-'))
			ps->p++;
		ok = skip_digits(ps);
	}
	if (!ok)
		return fail(ps, from, "a bad number");
	node->type = JSON_NUMBER;
	node->len = (size_t)(ps->p - from);
	node->s = arena_strndup(ps->arena, from, node->len);
	return 0;
}

static int parse_word(struct parser *ps, struct json *node)
{
	static const struct {
		const char *word;
		enum json_type type;
	} words[] = {
		{ "null", JSON_NULL },
		{ "true", JSON_TRUE },
		{ "false", JSON_FALSE },
	};
	struct slice rest = { ps->p, (size_t)(ps->end - ps->p) };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (slice_cut(&rest, words[i].word)) {
			ps->p = rest.s;
			node->type = words[i].type;
			return 0;
		}
	}
	return fail(ps, ps->p, "expected a value");
}

static int parse_value(struct parser *ps, struct json *node)
{
	if (ps->p >= ps->end)
		return fail(ps, ps->p, "it ends too early");
	switch (*ps->p) {
	case '"':
		node->type = JSON_STRING;
		return parse_string(ps, &node->s, &node->len);
	case '{':
	case '[':
		if (ps->depth == JSON_DEPTH)
			return fail(ps, ps->p, "nested too deeply");
		node->type = *ps->p++ == '{' ? JSON_OBJECT : JSON_ARRAY;
		ps->open[ps->depth] = node;
		ps->tail[ps->depth++] = &node->child;
		return 0;
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		return parse_number(ps, node);
	default:
		return parse_word(ps, node);
	}
}

static struct json *new_node(struct parser *ps)
{
	if (++ps->nodes > NODES_MAX) {
		fail(ps, ps->p, "too many values");
		return NULL;
	}
	return arena_alloc(ps->arena, sizeof(struct json));
}

/* Parses the end or the next child of the innermost container. */
static int parse_step(struct parser *ps)
{
	struct json *in = ps->open[ps->depth - 1], *node;
	size_t key_len;

	if (at_char(ps, in->type == JSON_OBJECT ? '}' : ']')) {
		ps->p++;
		ps->depth--;
		return 0;
	}
	if (in->n) {
		if (!at_char(ps, ','))
			return fail(ps, ps->p, "expected a comma or a closing bracket");
		ps->p++;
		skip_space(ps);
	}
	node = new_node(ps);
	if (!node)
		return -1;
	if (in->type == JSON_OBJECT) {
		if (!at_char(ps, '"'))
			return fail(ps, ps->p, "expected a key");
		if (parse_string(ps, &node->key, &key_len))
			return -1;
		skip_space(ps);
		if (!at_char(ps, ':'))
			return fail(ps, ps->p, "expected a colon");
		ps->p++;
		skip_space(ps);
	}
	*ps->tail[ps->depth - 1] = node;
	ps->tail[ps->depth - 1] = &node->next;
	in->n++;
	return parse_value(ps, node);
}

struct json *json_parse_cut(struct arena *arena, const char *text, size_t len, struct err *err)
{
	struct parser ps = { .text = text, .p = text, .end = text + len, .arena = arena, .err = err };
	struct json *root;

	*err = (struct err){ .status = 0 };
	if (len > TEXT_MAX) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "JSON of %zu MiB is too large, the limit is %zu MiB",
		    len >> 20, TEXT_MAX >> 20);
		return NULL;
	}
	ps.p += utf8_bom(text, len);
	skip_space(&ps);
	root = new_node(&ps);
	if (parse_value(&ps, root))
		return root;
	for (skip_space(&ps); ps.depth; skip_space(&ps)) {
		if (parse_step(&ps))
			return root;
	}
	if (ps.p < ps.end)
		fail(&ps, ps.p, "extra text after its end");
	return root;
}

struct json *json_parse(struct arena *arena, const char *text, size_t len, struct err *err)
{
	struct err why;
	struct json *root = json_parse_cut(arena, text, len, &why);

	if (!why.status)
		return root;
	if (err)
		*err = why;
	return NULL;
}

const struct json *json_get(const struct json *obj, const char *key)
{
	if (!obj || obj->type != JSON_OBJECT)
		return NULL;
	for (const struct json *child = obj->child; child; child = child->next) {
		if (!strcmp(child->key, key))
			return child;
	}
	return NULL;
}

static double to_double(const char *s, size_t len, double otherwise)
{
	char *end;
	double v = strtod(s, &end);

	return len && end == s + len ? v : otherwise;
}

double json_num(const struct json *node, double otherwise)
{
	return node && node->type == JSON_NUMBER ? to_double(node->s, node->len, otherwise) : otherwise;
}

double json_number(const struct json *node, double otherwise)
{
	if (!node || (node->type != JSON_NUMBER && node->type != JSON_STRING))
		return otherwise;
	return to_double(node->s, node->len, otherwise);
}
