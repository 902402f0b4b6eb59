#include "config.h"

#include "base/codec/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"

#define BUF_SIZE (64u << 10)
#define STR_CHUNK 8192u /* bytes of a string written per check of the buffer */
/* each byte becomes 6 at most; the last character may extend beyond the chunk */
#define STR_ROOM(n) ((n)*6 + 32)
#define NUMBER_ROOM 32

enum { LEVEL_OBJECT = 1, LEVEL_FILLED = 2 };

struct json_out {
	FILE *f; /* NULL: writes to memory */
	char *buf;
	size_t n, cap;
	uint8_t *level; /* level[0] is the document */
	size_t nlevel, level_cap;
	bool newline, have_key, failed;
};

__extension__ typedef unsigned __int128 u128;

static struct json_out *out_new(FILE *f)
{
	struct json_out *o = xcalloc(1, sizeof *o);

	o->f = f;
	o->cap = f ? BUF_SIZE : STR_CHUNK;
	o->buf = xmalloc(o->cap);
	VEC_ADD(o->level, o->nlevel, o->level_cap, 0);
	return o;
}

struct json_out *json_out_file(FILE *f)
{
	return out_new(f);
}

struct json_out *json_out_mem(void)
{
	return out_new(NULL);
}

static void flush(struct json_out *o)
{
	if (!o->failed && o->n && fwrite(o->buf, 1, o->n, o->f) != o->n)
		o->failed = true;
	o->n = 0;
}

/* Makes room for `need` more bytes, at most BUF_SIZE. */
static inline char *make_room(struct json_out *o, size_t need)
{
	if (o->cap - o->n < need) {
		if (o->f) {
			flush(o);
		} else {
			while (o->cap - o->n < need)
				o->buf = xrealloc(o->buf, o->cap *= 2, 1);
		}
	}
	return o->buf + o->n;
}

static inline void put_char(struct json_out *o, char c)
{
	*make_room(o, 1) = c;
	o->n++;
}

static void put_bytes(struct json_out *o, const char *s, size_t len)
{
	memcpy(make_room(o, len), s, len);
	o->n += len;
}

static inline void break_line(struct json_out *o)
{
	if (o->newline) {
		o->newline = false;
		put_char(o, '\n');
	}
}

/* Writes what goes between two items.  Consecutive documents are separated by line breaks. */
static inline void separate(struct json_out *o)
{
	uint8_t *level = &o->level[o->nlevel - 1];

	if (*level & LEVEL_FILLED) {
		if (o->nlevel > 1)
			put_char(o, ',');
		else
			o->newline = true;
	}
	*level |= LEVEL_FILLED;
	break_line(o);
}

static inline void before_value(struct json_out *o)
{
	if (o->have_key) {
		o->have_key = false;
		return;
	}
	assert(!(o->level[o->nlevel - 1] & LEVEL_OBJECT));
	separate(o);
}

static void open_level(struct json_out *o, uint8_t level)
{
	before_value(o);
	put_char(o, level & LEVEL_OBJECT ? '{' : '[');
	VEC_ADD(o->level, o->nlevel, o->level_cap, level);
}

void json_obj(struct json_out *o)
{
	open_level(o, LEVEL_OBJECT);
}

void json_arr(struct json_out *o)
{
	open_level(o, 0);
}

void json_end(struct json_out *o)
{
	assert(o->nlevel > 1);
	if (o->nlevel <= 1)
		return;
	if (o->have_key)
		json_null(o);
	break_line(o);
	put_char(o, o->level[--o->nlevel] & LEVEL_OBJECT ? '}' : ']');
}

void json_newline(struct json_out *o)
{
	o->newline = true;
}

static char *put_hex(char *out, uint32_t c)
{
	static const char hex[] = "0123456789abcdef";

	*out++ = '\\';
	*out++ = 'u';
	for (int shift = 12; shift >= 0; shift -= 4)
		*out++ = hex[c >> shift & 15];
	return out;
}

static char *put_control(char *out, unsigned char c)
{
	static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";

	for (const char *s = shorts; *s; s += 2) {
		if ((unsigned char)*s == c) {
			*out++ = '\\';
			*out++ = s[1];
			return out;
		}
	}
	return put_hex(out, c);
}

/* Beyond ASCII, terminals act on C1 controls and on controls of writing direction; JavaScript takes line and
 * paragraph separators for line breaks. */
static bool must_escape(uint32_t c)
{
	return c < 0xa0 || c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069);
}

static char *put_wide(char *out, const char **p, const char *end)
{
	const char *from = *p;
	uint32_t c = utf8_next(p, end);

	if (must_escape(c))
		return put_hex(out, c);
	if (c == 0xfffd)
		return out + utf8_put(out, c);
	for (; from < *p; from++)
		*out++ = *from;
	return out;
}

static inline bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void put_string(struct json_out *o, const char *s, size_t len)
{
	const char *end, *stop;
	char *out;

	s = len ? s : ""; /* treat NULL as the empty string */
	end = s + len;
	put_char(o, '"');
	while (s < end) {
		stop = end - s > (ptrdiff_t)STR_CHUNK ? s + STR_CHUNK : end;
		out = make_room(o, STR_ROOM((size_t)(stop - s)));
		while (s < stop) {
			unsigned char c = (unsigned char)*s;
			if (is_plain(c)) {
				*out++ = *s++;
			} else if (c < 0x80) {
				out = put_control(out, c);
				s++;
			} else {
				out = put_wide(out, &s, end);
			}
		}
		o->n = (size_t)(out - o->buf);
	}
	put_char(o, '"');
}

void json_key(struct json_out *o, const char *key)
{
	assert(o->level[o->nlevel - 1] & LEVEL_OBJECT && !o->have_key);
	separate(o);
	put_string(o, key, strlen(key));
	put_char(o, ':');
	o->have_key = true;
}

void json_str(struct json_out *o, const char *s, size_t len)
{
	before_value(o);
	put_string(o, s, len);
}

void json_strz(struct json_out *o, const char *s)
{
	json_str(o, s, strlen(s));
}

static char *put_uint(char *out, uint64_t v)
{
	char tmp[20];
	int i = sizeof tmp;

	do {
		tmp[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	memcpy(out, tmp + i, sizeof tmp - (size_t)i);
	return out + (sizeof tmp - (size_t)i);
}

void json_uint(struct json_out *o, uint64_t v)
{
	char *out;

	before_value(o);
	out = make_room(o, NUMBER_ROOM);
	o->n += (size_t)(put_uint(out, v) - out);
}

void json_int(struct json_out *o, int64_t v)
{
	char *out, *p;

	before_value(o);
	out = p = make_room(o, NUMBER_ROOM);
	if (v < 0)
		*p++ = '-';
	o->n += (size_t)(put_uint(p, v < 0 ? 0 - (uint64_t)v : (uint64_t)v) - out);
}

/* Returns 17 digits of v, 1e-4 <= v < 1e15, correctly rounded.  v = m * 2^e with e < 0, and m * 10^n fits
 * into 128 bits, so that dividing by 2^-e is exact. */
static uint64_t digits17(double v, int *exponent)
{
	static const uint64_t p16 = 10000000000000000u;
	int e, k;
	uint64_t m = (uint64_t)ldexp(frexp(v, &e), 53);

	e -= 53;
	for (k = (e + 52) * 1233 / 4096;;) { /* roughly log10(v) */
		u128 scaled = m, half = (u128)1 << (-e - 1), rest;
		uint64_t q;
		for (int n = 16 - k; n > 0; n--)
			scaled *= 10;
		q = (uint64_t)(scaled >> -e);
		rest = scaled & ((half << 1) - 1);
		if (q >= p16 * 10) {
			k++;
			continue;
		}
		if (q < p16) {
			k--;
			continue;
		}
		if (rest > half || (rest == half && (q & 1)))
			q++;
		if (q == p16 * 10) {
			q = p16;
			k++;
		}
		*exponent = k;
		return q;
	}
}

static char *put_fixed17(char *out, double v)
{
	int k, n = 17;
	uint64_t q = digits17(v, &k);
	char digit[17];

	for (int i = 16; i >= 0; i--, q /= 10)
		digit[i] = (char)('0' + q % 10);
	while (n > 1 && n > k + 1 && digit[n - 1] == '0')
		n--;
	if (k < 0) {
		*out++ = '0';
		*out++ = '.';
		for (int i = -1; i > k; i--)
			*out++ = '0';
	}
	for (int i = 0; i < n; i++) {
		*out++ = digit[i];
		if (i == k && i + 1 < n)
			*out++ = '.';
	}
	return out;
}

static char *put_printf17(char *out, double v)
{
	return out + snprintf(out, NUMBER_ROOM, "%.17g", v);
}

void json_double(struct json_out *o, double v)
{
	double size = fabs(v);
	char *out, *p;

	if (!isfinite(v)) {
		json_null(o);
		return;
	}
	before_value(o);
	out = p = make_room(o, NUMBER_ROOM);
	if (signbit(v))
		*p++ = '-';
	if (size < 1e15 && size == floor(size))
		p = put_uint(p, (uint64_t)size);
	else if (size < 1e15 && size >= 1e-4)
		p = put_fixed17(p, size);
	else
		p = put_printf17(p, size);
	o->n += (size_t)(p - out);
}

void json_bool(struct json_out *o, bool v)
{
	before_value(o);
	if (v)
		put_bytes(o, "true", 4);
	else
		put_bytes(o, "false", 5);
}

void json_null(struct json_out *o)
{
	before_value(o);
	put_bytes(o, "null", 4);
}

void json_raw(struct json_out *o, const char *s, size_t len)
{
	before_value(o);
	while (len) {
		size_t n = len < STR_CHUNK ? len : STR_CHUNK;

		put_bytes(o, s, n);
		s += n;
		len -= n;
	}
}

void json_out_flush(struct json_out *o)
{
	if (!o->f)
		return;
	flush(o);
	if (fflush(o->f))
		o->failed = true;
}

int json_out_end(struct json_out *o, char **text, size_t *len)
{
	int result;

	while (o->nlevel > 1) /* close what is open, so that the document is valid */
		json_end(o);
	break_line(o);
	json_out_flush(o);
	if (o->f && ferror(o->f))
		o->failed = true;
	if (!o->f) {
		put_char(o, '\0');
		o->n--;
	}
	result = o->failed ? -1 : 0;
	if (len)
		*len = o->f ? 0 : o->n;
	if (text && !o->f) {
		*text = o->buf;
		o->buf = NULL;
	} else if (text) {
		*text = NULL;
	}
	free(o->buf);
	free(o->level);
	free(o);
	return result;
}
