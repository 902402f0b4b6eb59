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
		l->head = (uint32_t)triage_head_length(line_at(u, i), &u->labels, &l->prefixed);
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
	u->line[i] = (struct unwrap_line){ .at = u->cut + front };
	u->line[i].cols = plain ? (uint32_t)s.n : columns(s, u->codes);
	u->line[i].cols -= u->line[i].cols == UNWRAP_NO_COLUMNS ? 0 : (uint32_t)uncounted;
	u->line[i].n = unwrap_undress(u->bytes + u->cut + front, s.n - front, plain);
	u->line[i].head = 1;
	u->line[i].later = true;
	u->cut += n + 1;
	if (i && is_other_record(u, i)) {
		u->line[i - 1].after = (struct unwrap_break){ .side = SIDE_ENDS };
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

static uint32_t lost_blanks(const struct unwrap_line *l, enum unwrap_joint joint)
{
	if (joint == JOINT_COLUMN && l->way.width > l->cols)
		return l->way.width - l->cols;
	return joint != JOINT_TIGHT;
}

/* A line of the first look at a paste. */
static void keep_line(struct unwrap *u, struct slice s, size_t lines, uint64_t at)
{
	VEC_ADD(u->kept, u->nkept, u->kept_cap, (struct unwrap_kept){ lines, u->heads, at });
	unwrap_text(u->again, s.s, s.n);
	unwrap_text(u->again, "\n", 1);
}

/* A line of the second look, from `lines` lines of the first one. */
static void give_again(void *ctx, struct slice s, size_t lines, uint64_t at, bool ended)
{
	struct unwrap *u = ctx;
	const struct unwrap_kept *k = &u->kept[u->nkept];
	size_t n = 0;

	(void)at;
	u->heads = u->again->heads;
	for (size_t i = 0; i < lines; i++) {
		n += k[i].lines;
		u->heads += k[i].heads;
	}
	u->nkept += lines;
	u->give(u->ctx, s, n, k->at, ended);
}

/* Gives on the next line; false: what follows it must be known before. */
static bool give_one(struct unwrap *u, bool end)
{
	size_t first = u->next, i = first;
	struct slice whole = line_at(u, first), next;
	enum unwrap_joint joint;

	u->njoined = u->heads = 0;
	u->says = SAYS_UNKNOWN;
	u->before = JOINT_NONE;
	while (i + 1 < u->nlines && (joint = unwrap_joint(u, first, i)) != JOINT_NONE) {
		if (i == first)
			joined_add(u, whole);
		for (uint32_t k = lost_blanks(&u->line[i], joint); k; k--)
			joined_add(u, (struct slice){ " ", 1 });
		next = line_at(u, i + 1);
		u->heads += unwrap_head(u, i + 1) && triage_has_record(next, &u->labels);
		next.s += u->line[i].after.prefix;
		next.n -= u->line[i].after.prefix;
		u->before = joint;
		joined_add(u, next);
		i++;
	}
	if (i + 1 == u->nlines && !end)
		return false;
	if (i > first)
		whole = (struct slice){ u->joined, u->njoined };
	u->silent = i == first && u->heard && u->quiet;
	if (u->again)
		keep_line(u, whole, i + 1 - first, u->given + u->line[first].at);
	else
		u->give(u->ctx, whole, i + 1 - first, u->given + u->line[first].at, true);
	u->next = i + 1;
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

static bool is_paste(const struct unwrap *u)
{
	return !u->is_again && !u->given && !u->next && u->nlines <= UNWRAP_AROUND && u->n <= READ_BYTES;
}

static bool begins_again(void *ctx, struct slice s)
{
	const struct unwrap *u = ctx;

	return u->begins(u->ctx, s);
}

static struct unwrap *second_look(struct unwrap *u)
{
	struct unwrap *again = xcalloc(1, sizeof *again);

	*again = (struct unwrap){ .filter = u->filter,
		.begins = u->begins ? begins_again : NULL,
		.give = give_again,
		.ctx = u,
		.labels = u->labels,
		.codes = u->codes,
		.is_again = true };
	return again;
}

static void end_second_look(struct unwrap *u)
{
	u->nkept = 0;
	u->silent = false;
	unwrap_end(u->again);
	unwrap_free(u->again);
	free(u->again);
	u->again = NULL;
	u->nkept = 0;
}

/* What the lines begin with, when nothing is around them that only shows them. */
static void find_labels(struct unwrap *u)
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
	triage_labels_find(&u->labels, text, (size_t)(out - text), u->filter);
	free(text);
}

/* Only a line that was put together may show that it has a label. */
static void look_at_text(struct unwrap *u)
{
	struct unwrap *first = u->is_again ? u->ctx : NULL;

	if (!first) {
		u->codes = codes_count(u->bytes, u->n);
		unwrap_dress_find(&u->dress, (struct slice){ u->bytes, u->n });
	}
	if (!first || !(u->labels.kind || u->labels.front.n))
		find_labels(u);
	if (first)
		first->labels = u->labels;
}

static void give_lines(struct unwrap *u, bool end)
{
	const char *at;

	u->plain = is_plain(u->bytes + u->cut, u->n - u->cut);
	u->fresh = 0;
	if (!u->given && !u->nlines)
		look_at_text(u);
	while (u->cut < u->n && (at = memchr(u->bytes + u->cut, '\n', u->n - u->cut)))
		line_add(u, (size_t)(at - u->bytes) - u->cut);
	unwrap_survey(u);
	u->heard = false;
	if (end && is_paste(u))
		u->again = second_look(u);
	while (u->next < u->nlines && (end || u->next + UNWRAP_AROUND < u->nlines))
		if (!give_one(u, end))
			break;
	if (u->again)
		end_second_look(u);
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
	free(u->kept);
	*u = (struct unwrap){ 0 };
}
