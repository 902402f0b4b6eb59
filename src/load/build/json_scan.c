#include "config.h"

#include "load/build/json_scan.h"

#include <math.h>
#include <string.h>

#include "base/codec/json.h"
#include "base/text/digit.h"
#include "base/text/utf8.h"

static inline bool is_delimiter(char c)
{
	return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || scan_is_space(c);
}

struct nest {
	uint64_t depth, string, escape; /* string: all ones inside of a string */
};

/* Does the same a byte at a time, from any state, for the rest of a piece. */
static const char *nested_bytes(const char *p, const char *end, struct nest *n)
{
	for (; p < end; p++) {
		char c = *p;

		if (n->escape)
			n->escape = 0;
		else if (n->string && c == '\\')
			n->escape = 1;
		else if (c == '"')
			n->string = ~n->string;
		else if (n->string)
			continue;
		else if (c == '{' || c == '[')
			n->depth++;
		else if ((c == '}' || c == ']') && !--n->depth)
			return p + 1;
	}
	return NULL;
}

#ifdef __SSE2__

struct masks {
	uint64_t quote, backslash, open, close;
};

static inline uint64_t bits(__m128i a, __m128i b, __m128i c, __m128i d, char of)
{
	const __m128i x = _mm_set1_epi8(of);
	unsigned p = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, x));
	unsigned q = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(b, x));
	unsigned r = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(c, x));
	unsigned s = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(d, x));

	return (p | q << 16) | (uint64_t)(r | s << 16) << 32;
}

static inline struct masks classify(const char *p)
{
	const __m128i *v = (const __m128i *)(const void *)p, lower = _mm_set1_epi8(0x20);
	__m128i a = _mm_loadu_si128(v), b = _mm_loadu_si128(v + 1);
	__m128i c = _mm_loadu_si128(v + 2), d = _mm_loadu_si128(v + 3);
	struct masks m;

	m.quote = bits(a, b, c, d, '"');
	m.backslash = bits(a, b, c, d, '\\');
	a = _mm_or_si128(a, lower); /* [ and ] become { and } */
	b = _mm_or_si128(b, lower);
	c = _mm_or_si128(c, lower);
	d = _mm_or_si128(d, lower);
	m.open = bits(a, b, c, d, '{');
	m.close = bits(a, b, c, d, '}');
	return m;
}

/* Returns the bytes that an odd run of backslashes escapes; *carry: so is the first byte of the next
 * block. */
static inline uint64_t escaped(uint64_t backslash, uint64_t *carry)
{
	const uint64_t even = UINT64_C(0x5555555555555555);
	uint64_t follows, starts, sum;

	if (!backslash) {
		follows = *carry;
		*carry = 0;
		return follows;
	}
	backslash &= ~*carry;
	follows = backslash << 1 | *carry;
	starts = backslash & ~even & ~follows;
	*carry = __builtin_add_overflow(starts, backslash, &sum);
	return (even ^ sum << 1) & follows;
}

/* Each bit of the result is the parity of all bits up to it. */
static inline uint64_t parity(uint64_t m)
{
	m ^= m << 1;
	m ^= m << 2;
	m ^= m << 4;
	m ^= m << 8;
	m ^= m << 16;
	return m ^ m << 32;
}

/* Scans 64 bytes at once: unescaped quotes delimit strings, brackets outside of strings change the depth.
 * NULL when the value does not end in them. */
static inline const char *nested_block(const char *p, struct nest *n)
{
	struct masks m = classify(p);
	uint64_t inside = parity(m.quote & ~escaped(m.backslash, &n->escape)) ^ n->string, both;

	n->string = (uint64_t)((int64_t)inside >> 63);
	m.open &= ~inside;
	m.close &= ~inside;
	for (both = m.open | m.close; both; both &= both - 1) {
		if (m.open & both & -both)
			n->depth++;
		else if (!--n->depth)
			return p + __builtin_ctzll(both) + 1;
	}
	return NULL;
}

#endif

const char *scan_nested(const char *p, const char *end)
{
	struct nest n = { .depth = 1 };

	p++;
#ifdef __SSE2__
	for (; end - p >= 64; p += 64) {
		const char *behind;

		scan_ahead(p);
		behind = nested_block(p, &n);

		if (behind)
			return behind;
	}
#endif
	return nested_bytes(p, end, &n);
}

const char *scan_value(const char *p, const char *end)
{
	const char *q = p;

	if (p == end)
		return NULL;
	if (*p == '"') {
		q = scan_quote(p + 1, end);
		return q ? q + 1 : NULL;
	}
	if (*p == '{' || *p == '[')
		return scan_nested(p, end);
	while (q < end && !is_delimiter(*q))
		q++;
	return q < end ? q : NULL;
}

const char *scan_skip(struct scan_skip *s, const char *p, const char *end)
{
	for (; p < end; p++) {
		char c = *p;

		if (s->string) {
			if (s->escape)
				s->escape = false;
			else if (c == '\\')
				s->escape = true;
			else if (c == '"') {
				s->string = false;
				if (!s->depth)
					return p + 1;
			}
			continue;
		}
		if (!s->depth) {
			if (!s->begun && scan_is_space(c))
				continue;
			if (is_delimiter(c) && (s->begun || c != '"'))
				return p;
		}
		s->begun = true;
		if (c == '"')
			s->string = true;
		else if (c == '{' || c == '[')
			s->depth++;
		else if ((c == '}' || c == ']') && !--s->depth)
			return p + 1;
	}
	return NULL;
}

static inline int64_t times10(int64_t v, int add, bool *range)
{
	int64_t r;

	if (__builtin_mul_overflow(v, INT64_C(10), &r) || __builtin_add_overflow(r, (int64_t)add, &r)) {
		*range = true;
		return v;
	}
	return r;
}

/* Reads the exponent at p, clamped; returns the place after it, NULL when cut off. */
static const char *exponent(const char *p, const char *end, int64_t *e)
{
	bool minus = false;

	*e = 0;
	if (p == end || (*p != 'e' && *p != 'E'))
		return p;
	p++;
	if (p < end && (*p == '-' || *p == '+'))
		minus = *p++ == '-';
	for (; p < end && is_digit(*p); p++)
		if (*e < INT64_C(1) << 40)
			*e = *e * 10 + (*p - '0');
	if (minus)
		*e = -*e;
	return p;
}

/* Places digits relative to the decimal point, which the exponent moves: digits before it make microseconds,
 * the six after it picoseconds, the seventh rounds. */
static void assemble(const char *p, const char *end, int64_t point, struct scan_time *t)
{
	static const int32_t unit[6] = { 100000, 10000, 1000, 100, 10, 1 };
	int64_t us = 0, place = -point;
	int32_t ps = 0;
	bool range = false;

	for (; p < end; p++) {
		if (*p == '.')
			continue;
		if (place < 0)
			us = times10(us, *p - '0', &range);
		else if (place < 6)
			ps += (*p - '0') * unit[place];
		else if (place == 6)
			ps += *p >= '5';
		place++;
	}
	for (; place < 0 && us && !range; place++)
		us = times10(us, 0, &range);
	t->us = us;
	t->ps = ps;
	t->range = range;
}

const char *scan_time_slow(const char *p, const char *end, struct scan_time *t)
{
	const char *start = p, *digits, *stop;
	bool quoted = p < end && *p == '"', minus;
	int64_t before = 0, e;

	p += quoted;
	minus = p < end && *p == '-';
	p += minus;
	if (p < end && *p == '+')
		p++;
	digits = p;
	for (; p < end && is_digit(*p); p++)
		before++;
	if (p < end && *p == '.')
		for (p++; p < end && is_digit(*p); p++)
			;
	stop = p;
	p = exponent(p, end, &e);
	if (p == end)
		return NULL;
	if (stop - digits == (stop > digits && digits[before] == '.') || (quoted && *p != '"'))
		return start; /* not a digit, or more than a number between the quotes */
	assemble(digits, stop, before + e, t);
	if (minus) {
		t->us = -t->us;
		t->ps = -t->ps;
	}
	return p + quoted;
}

const char *scan_int_slow(const char *p, const char *end, int64_t *v)
{
	const char *start = p, *first, *q;
	bool quoted = p < end && *p == '"', minus;
	uint64_t u = 0;

	p += quoted;
	minus = p < end && *p == '-';
	p += minus;
	for (first = p; p < end && is_digit(*p); p++)
		u = u * 10 + (uint64_t)(*p - '0');
	q = p;
	while (q < end && (is_digit(*q) || *q == '.' || *q == 'e' || *q == 'E' || *q == '+' || *q == '-'))
		q++;
	if (q == end)
		return NULL;
	if (p == first || (quoted && (*q != '"' || q != p)))
		return start;
	*v = (int64_t)(minus ? -u : u);
	return q + quoted;
}

static int hex4(const char *s, const char *end)
{
	int v = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int d = scan_hex(s[i]);

		if (d < 0)
			return -1;
		v = v << 4 | d;
	}
	return v;
}

/* Reads a \u escape at s (after the u), with the other surrogate if it has one.  Returns how many bytes it
 * takes; 0: it is invalid. */
static size_t unicode(const char *s, const char *end, uint32_t *c)
{
	int hi = hex4(s, end), lo;

	if (hi < 0)
		return 0;
	*c = (uint32_t)hi;
	if (hi < 0xd800 || hi > 0xdfff)
		return 4;
	if (hi < 0xdc00 && end - s >= 10 && s[4] == '\\' && s[5] == 'u' &&
	    (lo = hex4(s + 6, end)) >= 0xdc00 && lo < 0xe000) {
		*c = 0x10000 + ((uint32_t)(hi - 0xd800) << 10) + (uint32_t)(lo - 0xdc00);
		return 10;
	}
	*c = 0xfffd;
	return 4;
}

size_t scan_unescape(char *out, const char *s, size_t n)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *end = s + n, *hit;
	char *o = out;

	while (s < end) {
		uint32_t c;
		size_t u;

		if (*s != '\\' || end - s < 2) {
			*o++ = *s++;
		} else if (s[1] == 'u' && (u = unicode(s + 2, end, &c)) != 0) {
			s += 2 + u;
			o += utf8_put(o, c);
		} else if (s[1] && (hit = strchr(from, s[1])) != NULL) {
			*o++ = to[hit - from];
			s += 2;
		} else {
			*o++ = *s++;
		}
	}
	return (size_t)(o - out);
}

bool scan_member(struct slice object, size_t *at, struct slice *key, struct slice *value)
{
	const char *p = object.s + *at, *end = object.s + object.n, *q;
	bool array;

	*key = (struct slice){ "", 0 };
	if (!object.n || (*object.s != '{' && *object.s != '['))
		return false;
	array = *object.s == '[';
	p += !*at;
	while (p < end && (scan_is_space(*p) || *p == ','))
		p++;
	if (!array) {
		if (p == end || *p != '"' || !(q = scan_quote(p + 1, end)))
			return false;
		*key = (struct slice){ p + 1, (size_t)(q - p - 1) };
		p = scan_space(q + 1, end);
		if (p == end || *p != ':')
			return false;
		p = scan_space(p + 1, end);
	}
	q = scan_value(p, end);
	if (!q || q == p)
		return false;
	*value = (struct slice){ p, (size_t)(q - p) };
	*at = (size_t)(q - object.s);
	return true;
}

bool scan_is_string(struct slice v)
{
	return v.n >= 2 && *v.s == '"';
}

struct slice scan_inside(struct slice v)
{
	return scan_is_string(v) ? (struct slice){ v.s + 1, v.n - 2 } : v;
}

bool scan_number(struct slice value, double *d)
{
	struct slice v = scan_inside(value);
	struct json node = { .type = JSON_NUMBER };
	char copy[400]; /* longer than any double needs */

	if (!v.n || v.n >= sizeof copy || !is_digit(v.s[v.n > 1 && *v.s == '-']))
		return false;
	for (size_t i = 0; i < v.n; i++)
		if (!is_digit(v.s[i]) && !strchr("+-.eE", v.s[i]))
			return false;
	memcpy(copy, v.s, v.n);
	copy[v.n] = '\0';
	node.s = copy;
	node.len = v.n;
	*d = json_num(&node, NAN); /* "1-2" is none, nor are dates */
	return isfinite(*d);
}
