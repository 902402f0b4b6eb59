#include "config.h"

#include "base/text/regex.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <pcre2.h>

#include "base/mem.h"
#include "base/text/utf8.h"

/* Limits for hostile patterns, per subject: that many steps take 2 to 12 ms.  Memory is limited by
 * JIT_STACK_MAX or HEAP_KIB; deeper backtracking counts as "no match", too. */
#define MATCH_LIMIT 1000000
#define MATCH_LIMIT_INTERPRETED 250000
#define DEPTH_LIMIT 10000
#define HEAP_KIB 4096
#define JIT_STACK_FIRST (32u << 10)
#define JIT_STACK_MAX (1u << 20)

struct regex {
	pcre2_code *code;
	char *pattern, *comment; /* NULL: it begins with none */
	bool jit;
	atomic_bool *limited; /* a match ended at a limit */
};

struct regex_scratch {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack; /* NULL: the interpreter, or the small default stack of JIT code */
};

static bool valid_utf8(const char *s, size_t len)
{
	const char *end = s + len, *from;
	char again[4];

	while (s < end) {
		from = s;
		int n = utf8_put(again, utf8_next(&s, end));
		if (n != s - from || memcmp(from, again, (size_t)n))
			return false;
	}
	return true;
}

/* The capitals of escapes such as \S or \D do not count. */
static bool has_capital(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s >= 'A' && *s <= 'Z')
			return true;
	}
	return false;
}

static size_t characters_before(const char *s, size_t offset)
{
	const char *end = s + offset;
	size_t n = 0;

	for (; s < end; n++)
		utf8_next(&s, end);
	return n;
}

struct regex *regex_new(const char *pattern, enum regex_case which, struct err *err)
{
	size_t len = strlen(pattern);
	PCRE2_SIZE offset = 0;
	uint32_t options = 0;
	int error = 0;
	unsigned char text[200] = "";
	struct regex *r;
	pcre2_code *code;

	if (valid_utf8(pattern, len))
		options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;
	if (which == REGEX_SMART_CASE && !has_capital(pattern))
		options |= PCRE2_CASELESS;
	code = pcre2_compile((PCRE2_SPTR)pattern, len, options, &error, &offset, NULL);
	if (!code) {
		if (offset > len)
			offset = len;
		pcre2_get_error_message(error, text, sizeof text);
		err_set(err, EXIT_USAGE, offset,
		    "bad pattern: %s, at character %zu; put \\ before characters meant literally",
		    (char *)text, characters_before(pattern, offset) + 1);
		return NULL;
	}
	r = xcalloc(1, sizeof *r);
	r->code = code;
	r->pattern = xstrdup(pattern);
	if (!strncmp(pattern, "(?#", 3))
		r->comment = xstrndup(pattern + 3, strcspn(pattern + 3, ")"));
	r->limited = xcalloc(1, sizeof *r->limited);
	r->jit = pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
	return r;
}

struct regex *regex_literal(const char *text)
{
	PCRE2_SIZE offset = 0;
	int error = 0;
	struct regex *r = xcalloc(1, sizeof *r);

	r->code = pcre2_compile((PCRE2_SPTR)text, strlen(text), PCRE2_LITERAL, &error, &offset, NULL);
	if (!r->code) {
		free(r);
		return NULL;
	}
	r->pattern = xstrdup(text);
	r->limited = xcalloc(1, sizeof *r->limited);
	return r;
}

void regex_free(struct regex *r)
{
	if (!r)
		return;
	pcre2_code_free(r->code);
	free(r->pattern);
	free(r->comment);
	free(r->limited);
	free(r);
}

const char *regex_pattern(const struct regex *r)
{
	return r->pattern;
}

const char *regex_shown(const struct regex *r)
{
	return r->comment ? r->comment : r->pattern;
}

struct regex_scratch *regex_scratch_new(const struct regex *r)
{
	struct regex_scratch *s = xcalloc(1, sizeof *s);

	s->data = pcre2_match_data_create(1, NULL);
	s->context = pcre2_match_context_create(NULL);
	if (!s->data || !s->context) {
		regex_scratch_free(s);
		return NULL;
	}
	pcre2_set_match_limit(s->context, r->jit ? MATCH_LIMIT : MATCH_LIMIT_INTERPRETED);
	pcre2_set_depth_limit(s->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(s->context, HEAP_KIB);
	if (r->jit) {
		s->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MAX, NULL);
		if (s->stack)
			pcre2_jit_stack_assign(s->context, NULL, s->stack);
	}
	return s;
}

void regex_scratch_free(struct regex_scratch *s)
{
	if (!s)
		return;
	pcre2_match_data_free(s->data);
	pcre2_match_context_free(s->context);
	pcre2_jit_stack_free(s->stack);
	free(s);
}

static bool is_limit(int error)
{
	return error == PCRE2_ERROR_MATCHLIMIT || error == PCRE2_ERROR_DEPTHLIMIT ||
	    error == PCRE2_ERROR_HEAPLIMIT || error == PCRE2_ERROR_JIT_STACKLIMIT;
}

void regex_gave_up(const struct regex *r)
{
	atomic_store_explicit(r->limited, true, memory_order_relaxed);
}

bool regex_too_expensive(const struct regex *r, struct err *err)
{
	if (!r || !atomic_load_explicit(r->limited, memory_order_relaxed))
		return false;
	err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "pattern too expensive: %.200s; it has too many ways to match a text: avoid repetitions inside "
	    "of "
	    "repetitions",
	    r->pattern);
	return true;
}

bool regex_match(const struct regex *r, struct regex_scratch *x, const char *s, size_t len, size_t *from,
    size_t *to)
{
	const PCRE2_SIZE *at;
	int found = x ? pcre2_match(r->code, (PCRE2_SPTR)(s ? s : ""), len, 0, 0, x->data, x->context)
		      : PCRE2_ERROR_NOMATCH;

	if (found < 0) {
		if (is_limit(found))
			regex_gave_up(r);
		return false;
	}
	at = pcre2_get_ovector_pointer(x->data);
	if (from)
		*from = at[0] < at[1] ? at[0] : at[1]; /* \K can move the start after the end */
	if (to)
		*to = at[1];
	return true;
}
