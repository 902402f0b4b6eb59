#include "config.h"
#include "analyze/pieces/hlo_line.h"

#include "base/text/digit.h"

/* The end of what begins at s and ends at `stop` outside of brackets. */
static const char *outside(const char *s, const char *end, char stop)
{
	int depth = 0;

	for (; s < end && (depth || *s != stop); s++)
		depth += (*s == '(' || *s == '{' || *s == '[') - (*s == ')' || *s == '}' || *s == ']');
	return s;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
	    c == '-';
}

struct slice hlo_text_head(struct slice text)
{
	const char *at = memmem(text.s, text.n, " = ", 3);

	return (struct slice){ text.s, at ? (size_t)(at - text.s) : text.n };
}

struct hlo_line hlo_line_of(struct slice text)
{
	struct hlo_line l = { 0 };
	const char *end = text.s + text.n, *s, *e;
	size_t head = hlo_text_head(text).n;

	if (head == text.n)
		return l;
	s = text.s + head + 3;
	e = outside(s, end, ' ');
	l.shape = (struct slice){ s, (size_t)(e - s) };
	s = e + (e < end);
	for (e = s; e < end && is_word(*e);)
		e++;
	if (e == end || *e != '(')
		return l;
	l.opcode = (struct slice){ s, (size_t)(e - s) };
	s = e + 1;
	e = outside(s, end, ')');
	l.operands = (struct slice){ s, (size_t)(e - s) };
	s = e + (e < end);
	l.attributes = (struct slice){ s, (size_t)(end - s) };
	return l;
}

struct slice hlo_line_last_operand(const struct hlo_line *l)
{
	const char *at = l->operands.n ? memrchr(l->operands.s, '%', l->operands.n) : NULL, *s = at;

	if (!at)
		return (struct slice){ "", 0 };
	for (s = at + 1; s < l->operands.s + l->operands.n && is_word(*s);)
		s++;
	return (struct slice){ at + 1, (size_t)(s - at - 1) };
}
