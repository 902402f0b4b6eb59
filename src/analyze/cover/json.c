#include "config.h"
#include "analyze/cover/internal.h"

#include <string.h>

/* Members whose strings are texts. */
struct cover_member {
	const char *name;
	enum { MEMBER_TEXT, MEMBER_LOG, MEMBER_PIECES } kind; /* pieces: those of an array have line ends */
};

static const struct cover_member members[] = {
	{ "@message", MEMBER_TEXT },
	{ "MESSAGE", MEMBER_TEXT },
	{ "body", MEMBER_TEXT },
	{ "error", MEMBER_TEXT },
	{ "event", MEMBER_TEXT },
	{ "exc_info", MEMBER_TEXT },
	{ "exception", MEMBER_TEXT },
	{ "log", MEMBER_LOG },
	{ "message", MEMBER_TEXT },
	{ "msg", MEMBER_TEXT },
	{ "output", MEMBER_TEXT },
	{ "stack_trace", MEMBER_TEXT },
	{ "stderr", MEMBER_TEXT },
	{ "stdout", MEMBER_TEXT },
	{ "text", MEMBER_PIECES },
	{ "text/plain", MEMBER_PIECES },
	{ "textPayload", MEMBER_TEXT },
	{ "traceback", MEMBER_TEXT },
};

static const struct cover_member *member_of(struct slice name)
{
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (slice_is(name, members[i].name))
			return &members[i];
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_json(struct slice s)
{
	size_t at = 0;

	while (at < s.n && is_blank(s.s[at]))
		at++;
	if (at < s.n && s.s[at] == '[')
		for (at++; at < s.n && is_blank(s.s[at]); at++)
			;
	if (at == s.n || s.s[at] != '{')
		return false;
	for (at++; at < s.n && is_blank(s.s[at]); at++)
		;
	if (at == s.n || s.s[at] != '"')
		return false;
	for (const char *end; at < s.n && (end = memchr(s.s + at, '"', s.n - at));
	     at = (size_t)(end - s.s) + 1) {
		struct slice name = { s.s + at, (size_t)(end - s.s) - at };

		if (end + 1 < s.s + s.n && end[1] == ':' && member_of(name))
			return true;
	}
	return false;
}

static bool in_array(const struct cover_json *j)
{
	return j->depth && j->depth <= COVER_DEPTH && j->array[j->depth - 1];
}

static void begin_string(struct cover_json *j)
{
	j->string = j->fresh = true;
	j->key = !j->named && j->depth && !in_array(j);
	j->named = false;
	if (j->key)
		j->nname = 0;
	j->member = j->key || j->nname > COVER_NAME ? NULL : member_of((struct slice){ j->name, j->nname });
}

static void end_string(struct cover *c)
{
	struct cover_json *j = &c->json;
	const struct cover_member *m = j->member;

	j->string = false;
	j->member = NULL;
	if (!m)
		return;
	if ((m->kind == MEMBER_LOG && j->pieces) || (m->kind == MEMBER_PIECES && in_array(j)))
		return;
	cover_end_line(c, j->fresh);
}

/* The bytes of a string up to what ends or escapes something. */
static size_t string_bytes(struct cover *c, struct slice s)
{
	struct cover_json *j = &c->json;
	size_t n = 0, room;

	while (n < s.n && s.s[n] != '"' && s.s[n] != '\\')
		n++;
	if (j->key) {
		room = j->nname < COVER_NAME ? COVER_NAME - j->nname : 0;
		memcpy(j->name + (room ? j->nname : 0), s.s, n < room ? n : room);
		j->nname += n;
	} else if (j->member) {
		j->fresh &= !n;
		cover_put(c, s.s, n);
	}
	return n;
}

static size_t read_string(struct cover *c, struct slice s)
{
	struct cover_json *j = &c->json;
	size_t n = string_bytes(c, s);

	if (n == s.n)
		return n;
	if (s.s[n] == '"')
		end_string(c);
	else
		cover_escape_begin(&j->escape);
	return n + 1;
}

static void open_value(struct cover *c, bool array)
{
	struct cover_json *j = &c->json;

	if (j->depth < COVER_DEPTH)
		j->array[j->depth] = array;
	j->depth++;
	j->named = false;
	if (!array)
		j->nname = 0;
}

static void close_value(struct cover *c)
{
	struct cover_json *j = &c->json;
	bool entry = !in_array(j);

	if (!j->depth)
		return;
	if (!entry)
		cover_end_line(c, false); /* the last piece has no line end */
	j->depth--;
	j->nname = entry ? 0 : j->nname;
}

/* A byte between strings; false: this is no JSON. */
static bool read_sign(struct cover *c, char byte)
{
	struct cover_json *j = &c->json;

	if (byte == '"')
		begin_string(j);
	else if (byte == '{' || byte == '[')
		open_value(c, byte == '[');
	else if (byte == '}' || byte == ']')
		close_value(c);
	else if (byte == ':')
		j->named = true;
	else if (byte == ',')
		j->named = false;
	else
		return is_blank(byte) || memchr("-+.0123456789Etruefalsn", byte, 24);
	return true;
}

/* Lines that are no JSON stand between those that are. */
static size_t read_plain(struct cover *c, struct slice s)
{
	const char *end = memchr(s.s, '\n', s.n);
	size_t n = end ? (size_t)(end - s.s) : s.n;

	cover_put(c, s.s, n);
	if (!end)
		return n;
	c->json.plain = false;
	cover_end_line(c, true);
	c->line++;
	return n + 1;
}

static bool may_begin(const struct cover_json *j, char byte)
{
	return byte == '{' || is_blank(byte) || byte == ',' || byte == ']' || (byte == '[' && !j->any);
}

static void read_json(struct cover *c, struct slice s)
{
	struct cover_json *j = &c->json;
	size_t n;

	for (; s.n; s.s += n, s.n -= n) {
		n = 1;
		if (j->string && j->escape.left) {
			j->fresh = false;
			if (!j->member || !cover_escape_byte(c, &j->escape, *s.s))
				j->escape.left = 0;
		} else if (j->string) {
			n = read_string(c, s);
		} else if (j->plain || (!j->depth && !may_begin(j, *s.s))) {
			j->plain = true;
			n = read_plain(c, s);
		} else if (!read_sign(c, *s.s)) {
			j->depth = 0;
			j->plain = true;
			n = 0;
		} else {
			c->line += *s.s == '\n';
			j->any |= j->depth > 0;
		}
	}
}

const struct cover_kind cover_json = { is_json, read_json };
