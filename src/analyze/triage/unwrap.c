#include "config.h"
#include "analyze/triage/unwrap.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/triage/internal.h"
#include "base/mem.h"

#define READ_BYTES ((size_t)256 << 10) /* are collected before lines are given on */

static struct slice line_at(const struct unwrap *u, size_t i)
{
	return (struct slice){ u->bytes + u->line[i].at, u->line[i].n };
}

/* codes: those for a terminal count, too */
static uint32_t columns(struct slice s, bool codes)
{
	uint32_t n = 0;
	size_t code;

	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '\r' || n == UNWRAP_NO_COLUMNS - 1)
			return UNWRAP_NO_COLUMNS;
		if (!codes && (code = unwrap_code_length(s, i))) {
			i += code - 1;
			continue;
		}
		n += (s.s[i] & 0xc0) != 0x80;
	}
	return n;
}

/* Nothing but ASCII, and nothing for a terminal: columns are bytes. */
static bool is_plain(const char *s, size_t n)
{
	uint64_t high = 0, word;
	size_t i = 0;

	for (; i + sizeof word <= n; i += sizeof word) {
		memcpy(&word, s + i, sizeof word);
		high |= word;
	}
	for (; i < n; i++)
		high |= (unsigned char)s[i];
	return !(high & UINT64_C(0x8080808080808080)) && !memchr(s, '\033', n) && !memchr(s, '\r', n);
}

/* A program that wraps a text counts the codes in it, unlike a terminal: then the longest line with codes is about as
 * long as the longest without, when its codes are counted. */
static bool codes_count(const char *s, size_t n)
{
	uint32_t plain = 0, counted = 0, shown = 0;

	if (!memchr(s, '\033', n))
		return false;
	for (const char *end = s + n, *next; s < end; s = next + 1) {
		struct slice line = { s, 0 };
		uint32_t cols;

		next = memchr(s, '\n', (size_t)(end - s));
		next = next ? next : end;
		line.n = (size_t)(next - s);
		cols = columns(line, true);
		if (!memchr(line.s, '\033', line.n)) {
			plain = cols > plain ? cols : plain;
			continue;
		}
		counted = cols > counted ? cols : counted;
		cols = columns(line, false);
		shown = cols > shown ? cols : shown;
	}
	return counted == plain ||
	    (plain > shown && llabs((int64_t)counted - plain) < (int64_t)plain - shown);
}

/* A record of a log that begins otherwise than the one before: nobody has asked for its head. */
static bool is_other_record(const struct unwrap *u, size_t i)
{
	struct slice s = line_at(u, i), before = line_at(u, i - 1);

	return s.n > TRIAGE_DATE && before.n > TRIAGE_DATE && memcmp(s.s, before.s, TRIAGE_DATE) &&
	    triage_is_dated(s) && triage_is_dated(before);
}

uint32_t unwrap_head(struct unwrap *u, size_t i)
{
	struct unwrap_line *l = &u->line[i];

	if (l->later)
		l->head = (uint32_t)triage_head_length(line_at(u, i), &u->front, &l->prefixed);
	l->later = false;
	return l->head;
}

static void line_add(struct unwrap *u, size_t n)
{
	struct slice s = { u->bytes + u->cut, n };
	size_t i = u->nlines;
	size_t front, uncounted;
	bool plain;

	if (s.n && s.s[s.n - 1] == '\r')
		s.n--;
	s = unwrap_without_padding(&u->dress, s);
	VEC_PUSH(u->line, u->nlines, u->lines_cap);
	u->nlines++;
	plain = s.n < UNWRAP_NO_COLUMNS && (u->plain || is_plain(s.s, s.n));
	front = unwrap_dress_length(&u->dress, s, &uncounted);
	u->line[i] = (struct unwrap_line){ .at = u->cut + front, .lines = 1, .from = u->given + u->cut };
	u->line[i].cols = plain ? (uint32_t)s.n : columns(s, u->codes);
	u->line[i].cols -= u->line[i].cols == UNWRAP_NO_COLUMNS ? 0 : (uint32_t)uncounted;
	u->line[i].n = unwrap_undress(u->bytes + u->cut + front, s.n - front, plain);
	u->line[i].head = 1;
	u->line[i].later = true;
	u->cut += n + 1;
	if (i && is_other_record(u, i)) {
		u->line[i - 1].after = (struct unwrap_break){ .ends = true };
		return;
	}
	unwrap_head(u, i);
	if (i)
		unwrap_break_find(u, i - 1);
}

static void joined_add(struct unwrap *u, struct slice s)
{
	if (u->njoined + s.n > u->joined_cap) {
		u->joined_cap = 2 * (u->njoined + s.n) + 256;
		u->joined = xrealloc(u->joined, u->joined_cap, 1);
	}
	memcpy(u->joined + u->njoined, s.s, s.n);
	u->njoined += s.n;
}

/* Puts together the next lines that are one, up to *last; false: what follows them must be known before. */
static bool join_next(struct unwrap *u, bool end, size_t *last, struct slice *whole)
{
	size_t first = u->next, i = first;
	enum unwrap_joint joint;
	struct slice next;

	*whole = line_at(u, first);
	u->njoined = 0;
	u->heads = u->line[first].heads;
	u->says = SAYS_UNKNOWN;
	for (; i + 1 < u->nlines && (joint = unwrap_joint(u, first, i)) != JOINT_NONE; i++) {
		if (i == first)
			joined_add(u, *whole);
		if (joint == JOINT_BLANK)
			joined_add(u, (struct slice){ " ", 1 });
		next = line_at(u, i + 1);
		u->heads +=
		    u->line[i + 1].heads + (unwrap_head(u, i + 1) && triage_has_record(next, &u->front));
		next.s += u->line[i].after.prefix;
		next.n -= u->line[i].after.prefix;
		joined_add(u, next);
	}
	*last = i;
	if (i > first)
		*whole = (struct slice){ u->joined, u->njoined };
	return i + 1 < u->nlines || end;
}

static size_t lines_of(const struct unwrap *u, size_t first, size_t last)
{
	size_t n = 0;

	for (size_t i = first; i <= last; i++)
		n += u->line[i].lines;
	return n;
}

static bool give_one(struct unwrap *u, bool end)
{
	size_t first = u->next, last;
	struct slice whole;

	if (!join_next(u, end, &last, &whole))
		return false;
	u->silent = first == last && u->heard && u->quiet;
	u->give(u->ctx, whole, lines_of(u, first, last), u->line[first].from, true);
	u->next = last + 1;
	return true;
}

/* Forgets what was given on, but for the lines that the next ones are compared with. */
static void drop_given(struct unwrap *u, bool end)
{
	size_t bytes = u->next < u->nlines ? u->line[u->next].at : u->cut;
	size_t lines = u->next > UNWRAP_AROUND ? u->next - UNWRAP_AROUND : 0;

	if (!end && bytes < u->n / 2)
		return;
	memmove(u->bytes, u->bytes + bytes, u->n - bytes);
	u->n -= bytes;
	u->cut -= bytes;
	u->given += bytes;
	if (lines)
		memmove(u->line, u->line + lines, (u->nlines - lines) * sizeof *u->line);
	u->nlines -= lines;
	u->next -= lines;
	for (size_t i = u->next; i < u->nlines; i++)
		u->line[i].at -= bytes;
}

/* A paste may have been wrapped when it was written and again when it was shown. */
static bool is_paste(const struct unwrap *u)
{
	return !u->given && !u->next && u->nlines <= UNWRAP_AROUND && u->n <= READ_BYTES;
}

/* Finds what the lines have in front, behind marks and indentation that only show the text. */
static void find_front(struct unwrap *u)
{
	char *text = xmalloc(u->n + 1), *out = text;
	size_t lines = 0, uncounted;

	for (const char *s = u->bytes, *end = s + u->n, *next; s < end && lines < FRONT_SAMPLE;
	     s = next + 1) {
		struct slice line = { s, 0 };
		size_t n;

		next = memchr(s, '\n', (size_t)(end - s));
		next = next ? next : end;
		line.n = (size_t)(next - s);
		n = unwrap_dress_length(&u->dress, line, &uncounted);
		line.n -= n;
		lines += line.n > 0;
		memcpy(out, s + n, line.n);
		out += unwrap_undress(out, line.n, false);
		*out++ = '\n';
	}
	triage_front_find(&u->front, text, (size_t)(out - text), u->filter);
	free(text);
}

/* Puts the lines of a paste together, to look at what comes out as if it was the text. */
static void look_again(struct unwrap *u)
{
	struct unwrap_line made[UNWRAP_AROUND];
	struct slice whole;
	char *bytes = xmalloc(u->n + u->nlines + 1);
	size_t nbytes = 0, n = 0, last;

	for (; u->next < u->nlines; u->next = last + 1, n++) {
		join_next(u, true, &last, &whole);
		made[n] = (struct unwrap_line){ .at = nbytes,
			.n = whole.n,
			.lines = lines_of(u, u->next, last),
			.heads = u->heads,
			.from = u->line[u->next].from };
		memcpy(bytes + nbytes, whole.s, whole.n);
		bytes[nbytes + whole.n] = '\n';
		nbytes += whole.n + 1;
	}
	free(u->bytes);
	u->bytes = bytes;
	u->n = u->cap = nbytes;
	u->cut = u->nlines = u->next = 0;
	u->dress = (struct unwrap_dress){ .margin = 0 };
	if (!u->front.n) /* only a line that was put together may show its label */
		find_front(u);
	u->plain = false;
	for (size_t i = 0; i < n; i++) {
		line_add(u, made[i].n);
		u->line[i].lines = made[i].lines;
		u->line[i].heads = made[i].heads;
		u->line[i].from = made[i].from;
	}
	u->heard = false;
}

static void give_lines(struct unwrap *u, bool end)
{
	const char *at;

	u->plain = is_plain(u->bytes + u->cut, u->n - u->cut);
	u->fresh = 0;
	if (!u->given && !u->nlines) {
		u->codes = codes_count(u->bytes, u->n);
		unwrap_dress_find(&u->dress, (struct slice){ u->bytes, u->n });
		find_front(u);
	}
	while (u->cut < u->n && (at = memchr(u->bytes + u->cut, '\n', u->n - u->cut)))
		line_add(u, (size_t)(at - u->bytes) - u->cut);
	u->heard = false;
	if (end && is_paste(u))
		look_again(u);
	while (u->next < u->nlines && (end || u->next + UNWRAP_AROUND < u->nlines))
		if (!give_one(u, end))
			break;
	drop_given(u, end);
}

void unwrap_text(struct unwrap *u, const char *s, size_t n)
{
	while (n) {
		size_t take = n < READ_BYTES ? n : READ_BYTES;

		if (u->n + take + 1 > u->cap) {
			u->cap = 2 * (u->n + take) + READ_BYTES;
			u->bytes = xrealloc(u->bytes, u->cap, 1);
		}
		memcpy(u->bytes + u->n, s, take);
		u->n += take;
		u->fresh += take;
		s += take;
		n -= take;
		if (u->fresh >= READ_BYTES)
			give_lines(u, u->n >= TRIAGE_LINE_MAX);
		if (u->n >= TRIAGE_LINE_MAX) { /* one line */
			u->silent = false;
			u->give(u->ctx, (struct slice){ u->bytes, u->n }, 1, u->given, false);
			u->given += u->n;
			u->n = u->cut = u->nlines = u->next = 0;
		}
	}
}

void unwrap_end(struct unwrap *u)
{
	if (u->n && u->bytes[u->n - 1] != '\n')
		u->bytes[u->n++] = '\n';
	if (u->n)
		give_lines(u, true);
	u->n = u->cut = u->nlines = u->next = 0;
	u->given = 0;
}

void unwrap_free(struct unwrap *u)
{
	free(u->bytes);
	free(u->line);
	free(u->joined);
	*u = (struct unwrap){ 0 };
}
