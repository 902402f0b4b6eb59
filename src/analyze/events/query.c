#include "config.h"
#include "analyze/events/query.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/internal.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "base/text/words.h"

static const struct {
	const char *name;
	unsigned ops;     /* bits 1 << enum query_op */
	const char *sign; /* the one that is typed most */
} fields[QUERY_FIELDS] = {
	[QUERY_NAME] = { "name", OPS_TEXT, "~" },
	[QUERY_CAT] = { "cat", OPS_TEXT, "=" },
	[QUERY_TRACK] = { "track", OPS_TEXT, "=" },
	[QUERY_DUR] = { "dur", OPS_NUMBER, ">" },
	[QUERY_START] = { "start", OPS_NUMBER, ">=" },
	[QUERY_END] = { "end", OPS_NUMBER, "<" },
	[QUERY_SELF] = { "self", OPS_NUMBER, ">" },
	[QUERY_STEP] = { "step", OPS_TEXT | OPS_NUMBER, "=" },
	[QUERY_ARG] = { "arg", OPS_TEXT | OPS_NUMBER, "." },
};

char *query_word(size_t i, char *buf, size_t size)
{
	if (i >= QUERY_FIELDS)
		return NULL;
	snprintf(buf, size, "%s%s", fields[i].name, fields[i].sign);
	return buf;
}

bool query_word_is(const char *field)
{
	for (size_t i = 0; i < QUERY_FIELDS; i++)
		if (!strcmp(fields[i].name, field))
			return true;
	return false;
}

/* Longer signs first, so that ">=" is not read as ">". */
static const struct {
	const char *sign;
	enum query_op op;
	bool not ;
} signs[] = {
	{ "!~", OP_MATCH, true },
	{ "!=", OP_EQUAL, true },
	{ "<=", OP_AT_MOST, false },
	{ ">=", OP_AT_LEAST, false },
	{ "==", OP_EQUAL, false },
	{ "~", OP_MATCH, false },
	{ "=", OP_EQUAL, false },
	{ "<", OP_LESS, false },
	{ ">", OP_MORE, false },
};

struct head { /* the beginning of a term: "!arg.KEY>" */
	enum query_field field;
	enum query_op op;
	bool not ;
	const char *key;
	size_t key_len;
	const char *value;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *s)
{
	while (blank(*s))
		s++;
	return s;
}

static const char *read_sign(const char *s, struct head *h)
{
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t n = strlen(signs[i].sign);

		if (strncmp(s, signs[i].sign, n))
			continue;
		h->op = signs[i].op;
		h->not ^= signs[i].not ;
		return s + n;
	}
	return NULL;
}

/* Returns false when the word is not a term. */
static bool read_head(const char *s, struct head *h)
{
	*h = (struct head){ .not = *s == '!' };
	s += h->not ;
	for (size_t i = 0; i < QUERY_FIELDS; i++) {
		size_t n = strlen(fields[i].name);

		if (strncmp(s, fields[i].name, n))
			continue;
		h->field = (enum query_field)i;
		s += n;
		if (i == QUERY_ARG && *s == '.') {
			h->key = ++s;
			while (*s && !blank(*s) && !strchr("~=<>!", *s))
				s++;
			h->key_len = (size_t)(s - h->key);
		}
		if (!(s = read_sign(skip_blanks(s), h)))
			return false;
		h->value = skip_blanks(s);
		return true;
	}
	return false;
}

/* Returns the end of a term; blanks inside quotes do not end it.  NULL: a quote is not closed. */
static const char *term_end(const char *s)
{
	struct head h;
	const char *begin = read_head(s, &h) ? h.value : s + (*s == '!');
	bool quoted = false;

	for (s = begin; *s && (quoted || !blank(*s)); s++) {
		if (quoted && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			quoted = !quoted && (s == begin || (s > begin && strchr("~=<>", s[-1])));
	}
	return quoted ? NULL : s;
}

bool query_meant(const char *text)
{
	struct head h;

	if (!strncmp(text, "\\Q", 2))
		return false;
	for (const char *s = text; *s;) {
		const char *end;

		if (blank(*s)) {
			s++;
			continue;
		}
		if (read_head(s, &h))
			return true;
		for (end = s; *end && !blank(*end); end++)
			;
		s = end;
	}
	return false;
}

/* Returns the length of the word before a sign, as in "flops > 1e9", if it is not the name of a field; else
 * 0.  In "vector<int>" there is no field. */
static size_t strange_field(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
	struct head h = { .not = false };
	size_t n = isalpha((unsigned char)*s) ? strspn(s, letters) : 0;

	s = n ? read_sign(skip_blanks(s + n), &h) : NULL;
	s = s ? skip_blanks(s) : "";
	if (h.op != OP_EQUAL && h.op != OP_MATCH && !isdigit((unsigned char)*s))
		return 0;
	return *s ? n : 0;
}

/* Returns the field that a word is a longer form or a misspelling of, or NULL. */
static const char *nearest_field(const char *s, size_t n)
{
	for (size_t i = 0; i < QUERY_FIELDS; i++)
		if (!strncmp(s, fields[i].name, strlen(fields[i].name)) || word_is_typo(s, n, fields[i].name))
			return fields[i].name;
	return NULL;
}

char *query_hint(const char *text, char *buf, size_t size)
{
	struct head h;
	size_t n;

	for (const char *s = text; *(s = skip_blanks(s)); s += strcspn(s, " \t")) {
		s += *s == '!';
		if (!read_head(s, &h) && (n = strange_field(s))) {
			const char *near = nearest_field(s, n);
			int shown = n < 40 ? (int)n : 40;

			snprintf(buf, size, "; unknown field '%.*s'; did you mean %s%.*s?", shown, s,
			    near ? near : "arg.", near ? 0 : shown, s);
			return buf;
		}
	}
	*buf = '\0';
	return buf;
}

/* Returns a value without its quotes. */
static char *take_value(const char *s, const char *end)
{
	char *out = xstrndup(s, (size_t)(end - s)), *to = out;

	if (*s != '"')
		return out;
	for (s++; s < end && *s != '"'; s++) {
		if (*s == '\\' && (s[1] == '"' || s[1] == '\\'))
			s++;
		*to++ = *s;
	}
	*to = '\0';
	return out;
}

static int fail(const char *text, const char *at, struct err *e, const char *what, const char *arg)
{
	size_t n = 0;

	for (const char *s = text; s < at; n++)
		utf8_next(&s, at);
	return err_set(e, EXIT_USAGE, (uint64_t)(at - text), "at character %zu of the query: %.120s%.300s",
	    n + 1, arg, what);
}

static bool to_number(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return *s && !isspace((unsigned char)*s) && !*end;
}

/* A plain number would be picoseconds, which nobody means. */
static int no_unit(const char *text, const char *at, const char *value, struct err *e)
{
	const char *from = at;
	char term[80];

	while (from > text && !isalpha((unsigned char)from[-1]))
		from--;
	while (from > text && isalpha((unsigned char)from[-1]))
		from--;
	snprintf(term, sizeof term, " has no unit; %.*s%.40sus?", at - from < 20 ? (int)(at - from) : 20,
	    from, value);
	return fail(text, at, e, term, value);
}

/* Checks that the value is what its field needs. */
static int check_value(struct query_term *t, const char *text, const char *at, struct err *e)
{
	struct err inner = { .at = ERR_NOWHERE };
	char *rest;

	if (t->op == OP_MATCH) {
		if ((t->re = regex_new(t->value, REGEX_SMART_CASE, &inner)))
			return 0;
		/* the position is reported once, and the message has to fit on a line */
		if ((rest = strstr(inner.msg, ", at character")))
			*rest = '\0';
		return fail(text, at, e, inner.msg, "");
	}
	if (!*t->value)
		return fail(text, at, e, "a value is missing", "");
	t->has_number = to_number(t->value, &t->number);
	if (t->field >= QUERY_DUR && t->field <= QUERY_SELF) {
		if (t->has_number && t->number != 0)
			return no_unit(text, at, t->value, e);
		if (units_parse_time(t->value, &t->time))
			return fail(text, at, e, " is not a time (1.5ms, 20us, 300ns, 2s)", t->value);
	}
	if (t->field >= QUERY_STEP && t->op != OP_EQUAL && !t->has_number)
		return fail(text, at, e, " is not a number", t->value);
	return 0;
}

static int no_field(const char *text, const char *at, size_t n, struct err *e)
{
	const char *near = nearest_field(at, n);
	char what[200], name[40];
	size_t len;

	snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, at);
	len = (size_t)snprintf(what, sizeof what,
	    " is no field; did you mean %s%s? Fields:", near ? near : "arg.", near ? "" : name);
	for (size_t i = 0; i < QUERY_FIELDS; i++)
		len += (size_t)snprintf(what + len, sizeof what - len, " %s%s", fields[i].name,
		    i == QUERY_ARG ? ".NAME" : "");
	return fail(text, at, e, what, name);
}

static int add_term(struct query *q, const char *s, const char *end, struct err *e)
{
	struct query_term *t = &q->v[q->n];
	size_t strange;
	struct head h;

	if (q->n == QUERY_TERMS_MAX)
		return fail(q->text, s, e, "too many terms", "");
	*t = (struct query_term){ .field = QUERY_NAME, .op = OP_MATCH, .not = *s == '!' };
	if (!read_head(s, &h) && (strange = strange_field(s + t->not )))
		return no_field(q->text, s + t->not, strange, e);
	if (!read_head(s, &h)) {
		h.value = s + t->not ;
	} else {
		t->field = h.field;
		t->op = h.op;
		t->not = h.not ;
		if (h.key && !h.key_len)
			return fail(q->text, h.key, e, "arg. needs the name of a stat after the dot", "");
		t->key = h.key ? xstrndup(h.key, h.key_len) : NULL;
	}
	q->n++;
	t->value = take_value(h.value, end);
	if (!(fields[t->field].ops & 1u << t->op) || (t->field == QUERY_ARG && !t->key && t->op > OP_EQUAL))
		return fail(q->text, s, e,
		    t->field == QUERY_ARG                  ? " without a name takes ~ or ="
			: fields[t->field].ops == OPS_TEXT ? " takes ~ or ="
							   : " takes = < <= > or >=",
		    fields[t->field].name);
	return check_value(t, q->text, h.value, e);
}

struct query *query_new(const char *text, struct err *e)
{
	struct query *q = xcalloc(1, sizeof *q);

	q->text = xstrdup(text);
	for (const char *s = q->text, *end; *s; s = end) {
		if (blank(*s)) {
			end = s + 1;
			continue;
		}
		if (!(end = term_end(s))) {
			fail(q->text, s, e, "a quote is not closed", "");
		} else if (!add_term(q, s, end, e)) {
			continue;
		}
		query_free(q);
		return NULL;
	}
	if (q->n)
		return q;
	fail(q->text, q->text, e, "it is empty; for example name~fusion dur>10us", "");
	query_free(q);
	return NULL;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->n; i++) {
		regex_free(q->v[i].re);
		free(q->v[i].key);
		free(q->v[i].value);
	}
	free(q->text);
	free(q);
}

static bool has_field(const struct query *q, enum query_field field)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->v[i].field == field)
			return true;
	return false;
}

bool query_wants_steps(const struct query *q)
{
	return has_field(q, QUERY_STEP);
}

bool query_wants_name(const struct query *q)
{
	return has_field(q, QUERY_NAME);
}

bool query_wants_args(const struct query *q)
{
	return has_field(q, QUERY_ARG);
}

bool query_too_expensive(const struct query *q, struct err *e)
{
	for (size_t i = 0; q && i < q->n; i++)
		if (regex_too_expensive(q->v[i].re, e))
			return true;
	return false;
}

struct regex *query_regex(const char *text, struct err *e)
{
	struct query *q;

	if (!query_meant(text))
		return regex_new(text, REGEX_SMART_CASE, e);
	if (!(q = query_new(text, e)))
		return NULL;
	query_free(q);
	return regex_literal(text);
}
