#include "config.h"
#include "analyze/triage/front.h"

#include <string.h>

#include "analyze/triage/internal.h"
#include "base/hash.h"
#include "base/text/digit.h"

#define ORIGINS 8 /* lines that the others are compared with */
#define WORDS \
	2 /* in a row, without a sign between them; more are prose, and in a single line these are, too */
#define OFTEN 10   /* of the lines that have it at all, one in so many may go on otherwise */
#define VALUES 16  /* of a number that tells processes apart */
#define NARROW 50u /* columns of a line that may have been wrapped */

static const char *const levels[] = { "CRITICAL", "DEBUG", "ERROR", "FATAL", "INFO", "NOTICE", "SEVERE",
	"TRACE", "WARN", "WARNING" };

static bool is_letter(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

static size_t letters_end(struct slice s, size_t at)
{
	while (at < s.n && is_letter(s.s[at]))
		at++;
	return at;
}

static size_t numbers_end(struct slice s, size_t at)
{
	while (at < s.n && is_digit(s.s[at]))
		at++;
	return at;
}

static size_t blanks_end(struct slice s, size_t at)
{
	while (at < s.n && (s.s[at] == ' ' || s.s[at] == '\t'))
		at++;
	return at;
}

/* "ERROR" or "error", but no "Error", which begins a message; "E" before a date */
static bool is_level(struct slice word, struct slice behind)
{
	if (word.n == 1)
		return memchr("IWEFD", *word.s, 5) && behind.n > 2 && *behind.s == ' ' &&
		    is_digit(behind.s[1]);
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strlen(levels[i]) == word.n && (*word.s & ~32) == *levels[i]) {
			size_t k = 1;

			while (k < word.n && (word.s[k] ^ levels[i][k]) == (*word.s & 32))
				k++;
			if (k == word.n)
				return true;
		}
	return false;
}

/* The unit at `at` of a line; returns its end.  Blanks that pad a number belong to it. */
static size_t unit_at(struct slice s, size_t at, struct front_unit *u)
{
	size_t end = blanks_end(s, at);

	*u = (struct front_unit){ .kind = UNIT_CHARACTER };
	if (end < s.n && is_digit(s.s[end]) && (end == at || !at || s.s[at - 1] == '[')) {
		u->kind = UNIT_NUMBER;
		return numbers_end(s, end);
	}
	if (end > at) {
		u->kind = UNIT_BLANKS;
		return end;
	}
	if (is_letter(s.s[at]) && (!at || !is_letter(s.s[at - 1]))) {
		end = letters_end(s, at);
		if (is_level((struct slice){ s.s + at, end - at }, (struct slice){ s.s + end, s.n - end })) {
			u->kind = UNIT_LEVEL;
			return end;
		}
	}
	u->c = s.s[at];
	return at + 1;
}

/* The end of a unit of that kind at `at` of a line; `at`: there is none. */
static size_t same_unit_end(const struct front_unit *u, struct slice s, size_t at)
{
	size_t end = at;

	if (u->kind == UNIT_CHARACTER)
		return at + (s.s[at] == u->c);
	if (u->kind == UNIT_LEVEL) {
		end = letters_end(s, at);
		return is_level((struct slice){ s.s + at, end - at }, (struct slice){ s.s + end, s.n - end })
		    ? end
		    : at;
	}
	if (u->kind == UNIT_BLANKS || !at || s.s[at - 1] == '[')
		end = blanks_end(s, at);
	if (u->kind == UNIT_BLANKS)
		return end;
	return end < s.n && is_digit(s.s[end]) ? numbers_end(s, end) : at;
}

/* --- the first line that may show it --- */

/* A line as units. */
struct origin {
	struct front_unit unit[FRONT_UNITS];
	uint32_t end[FRONT_UNITS]; /* of each in the line */
	uint32_t n, first,
	    last;    /* units up to behind the first time or level, and the last; 0: it has none */
	bool record; /* behind them begins a record of a log */
};

/* A word that begins the name of an error, "jaxlib.xla_extension.XlaRuntimeError:", or its code */
static bool is_error_word(struct slice s, size_t at)
{
	size_t end = at, capitals = 0;

	while (end < s.n && (is_letter(s.s[end]) || s.s[end] == '.'))
		capitals += s.s[end] < 'a' && s.s[end] != '.', end++;
	return slice_ends((struct slice){ s.s + at, end - at }, "Error") ||
	    (end - at > 8 && capitals == end - at);
}

/* Where prose, a table or an error begins in a line. */
static size_t message_at(struct slice s, size_t most)
{
	size_t words = 0, from = 0;
	struct front_unit u;

	for (size_t at = 0, end; at < s.n; at = end) {
		end = unit_at(s, at, &u);
		if (u.kind == UNIT_CHARACTER && is_letter(u.c)) {
			if (is_error_word(s, at) || triage_is_headed((struct slice){ s.s + at, s.n - at }))
				return at;
			from = words++ ? from : at;
			if (words > most)
				return most == 1 ? from : at;
			end = letters_end(s, at);
		} else if (memchr(";%=", s.s[at], 3) ||
		    (at && s.s[at - 1] == ' ' && triage_is_prefixed((struct slice){ s.s + at, s.n - at }))) {
			return at;
		} else if (u.kind != UNIT_BLANKS) {
			words = 0;
		}
	}
	return s.n;
}

static bool is_edge(const struct front_unit *u)
{
	return u->kind == UNIT_BLANKS || (u->kind == UNIT_CHARACTER && memchr(":|>)]}#+,$*", u->c, 11));
}

/* "03:12:01", "2026-11-24": the last of their numbers */
static bool ends_time(const struct origin *o, size_t i)
{
	const struct front_unit *u = &o->unit[i];

	return i >= 4 && u[0].kind == UNIT_NUMBER && u[-2].kind == UNIT_NUMBER && u[-4].kind == UNIT_NUMBER &&
	    u[-1].c && u[-1].c == u[-3].c && memchr(":-/", u[-1].c, 3);
}

/* A number that others belong to: "03:12:01,123" */
static bool is_of_number(const struct origin *o, size_t i)
{
	const struct front_unit *u = &o->unit[i];
	bool before = i >= 2 && u[-2].kind == UNIT_NUMBER && u[-1].c && memchr(":-/.,T", u[-1].c, 6);

	return before || (i + 2 < o->n && u[2].kind == UNIT_NUMBER && u[1].c && memchr(":-/.,T", u[1].c, 6));
}

static void find_origin(struct origin *o, struct slice s, size_t words)
{
	size_t most = message_at(s, words);

	*o = (struct origin){ .record =
				  most < s.n && triage_is_headed((struct slice){ s.s + most, s.n - most }) };
	for (size_t at = 0; at < most && o->n < FRONT_UNITS; o->n++) {
		struct front_unit *u = &o->unit[o->n];
		size_t from = at;

		at = unit_at(s, at, u);
		o->end[o->n] = (uint32_t)at;
		u->edge = is_edge(u);
		if (u->kind == UNIT_LEVEL && triage_is_headed((struct slice){ s.s + from, s.n - from }))
			break;
		if (u->kind == UNIT_LEVEL || ends_time(o, o->n)) {
			o->last = o->n + 1;
			o->first = o->first ? o->first : o->last;
		}
	}
	for (size_t i = 0; i < o->n; i++) {
		o->unit[i].counts = o->unit[i].kind == UNIT_NUMBER && is_of_number(o, i);
		o->unit[i].edge &= !(i && o->unit[i].c && o->unit[i - 1].kind == UNIT_NUMBER &&
		    i + 1 < o->n && o->unit[i + 1].kind == UNIT_NUMBER);
	}
}

/* --- what a line alone shows --- */

/* The end of a fraction or a zone behind a time: ",123", ".123456Z", "+00:00" */
static size_t fraction_end(struct slice s, size_t at)
{
	while (at + 1 < s.n && memchr(".,+:", s.s[at], 4) && is_digit(s.s[at + 1]))
		at = numbers_end(s, at + 1);
	return at + (at < s.n && s.s[at] == 'Z');
}

/* Skips the signs that separate the parts of a front; one blank belongs to the last of them. */
static size_t separators_end(struct slice s, size_t at)
{
	for (size_t end; at < s.n; at = end) {
		end = blanks_end(s, at);
		if (end < s.n &&
		    (memchr(":|>)]},", s.s[end], 7) ||
			(s.s[end] == '-' && end > at && end + 1 < s.n && s.s[end + 1] == ' ')))
			end++;
		else
			return at + (end > at);
	}
	return at;
}

/* "absl:" behind "ERROR:"; "[launch.py:321] "; "__main__:main:12 - " */
static size_t source_end(struct slice s, size_t at)
{
	size_t end = at, colon = 0;

	for (; end < s.n && s.s[end] != ' '; end++)
		if (s.s[end] == ':' && end + 1 < s.n && is_digit(s.s[end + 1]))
			colon = end;
	if (colon && s.s[at] == '[' && s.s[end - 1] == ']')
		return end;
	if (colon && triage_shape_is(s, end, " - "))
		return end + 2;
	if (!at || s.s[at - 1] != ':' || s.s[at] < '_')
		return at;
	for (end = at; end < s.n && (is_letter(s.s[end]) || is_digit(s.s[end]) || s.s[end] == '.'); end++)
		;
	return end < s.n && s.s[end] == ':' ? end + 1 : at;
}

/* The time and level that begin a line, with what stands between them and around: bytes. */
static size_t sure_length(const struct origin *o, struct slice s)
{
	size_t at, end;

	if (!o->last)
		return 0;
	at = separators_end(s, fraction_end(s, o->end[o->last - 1]));
	end = at < s.n ? source_end(s, at) : at;
	return end > at ? separators_end(s, end) : at;
}

/* Nothing but signs before the time or level. */
static bool begins_with_it(struct slice s)
{
	size_t at = 0;

	while (at < s.n && memchr("[(<{", s.s[at], 4))
		at++;
	return at < s.n &&
	    (is_digit(s.s[at]) || (is_letter(s.s[at]) && memchr("CDEFINSTWcdefinstw", s.s[at], at ? 18 : 9)));
}

static size_t length_of_one(struct slice s)
{
	struct origin o;
	size_t n;

	if (s.n < sizeof "INFO:" || !begins_with_it(s))
		return 0;
	find_origin(&o, s, 1);
	if (!o.first)
		return 0;
	for (uint32_t k = 0; k < o.first; k++)
		if (o.unit[k].kind == UNIT_CHARACTER && is_letter(o.unit[k].c))
			return 0;
	/* a time without a level that is a word may be the rest of a record that was wrapped */
	if (o.unit[0].kind == UNIT_NUMBER && o.unit[1].c == ':' &&
	    (o.unit[o.last - 1].kind != UNIT_LEVEL || o.end[o.last - 1] < o.end[o.last - 2] + 2))
		return 0;
	n = sure_length(&o, s);
	/* "error messages", "12:00:01am"; nothing else may be what a wrapped line begins with */
	return n <= o.end[o.last - 1] + (o.last == 1) || n >= s.n ? 0 : n;
}

/* --- what the others have of it --- */

/* How many units a line has in common with it; *next: where it goes on otherwise. */
static uint32_t common_units(const struct front_unit *unit, uint32_t n, struct slice s, size_t *next)
{
	uint32_t k = 0;
	size_t at = 0, end;

	for (; k < n && at < s.n && (end = same_unit_end(&unit[k], s, at)) > at; k++)
		at = end;
	*next = at;
	/* the blank at the end was stripped */
	return k + (k && k < n && at == s.n && unit[k].kind == UNIT_BLANKS);
}

struct sample {
	const struct slice *line;
	size_t n, of; /* of: which of them is the origin */
	struct origin origin;
	uint32_t common[FRONT_SAMPLE];
};

static size_t lines_with(const struct sample *s, uint32_t units)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->common[i] >= units;
	return n;
}

/* Behind so many units the lines begin in several ways, as lines of a message do. */
static bool is_varied(const struct sample *s, uint32_t units)
{
	char seen[3];
	size_t n = 0, lines = 0, at;

	if (s->origin.record && units == s->origin.n)
		return true;
	for (size_t i = 0; i < s->n && n < sizeof seen; i++) {
		struct front_unit u = { 0 };

		if (s->common[i] < units)
			continue;
		lines++;
		common_units(s->origin.unit, units, s->line[i], &at);
		if (at < s->line[i].n)
			unit_at(s->line[i], at, &u);
		u.c = u.kind == UNIT_CHARACTER ? u.c : (char)('0' + u.kind);
		if (!n || !memchr(seen, u.c, n))
			seen[n++] = u.c;
	}
	return n == sizeof seen || n == lines;
}

/* Lines without so many units can only be rests of wrapped lines. */
static bool have_all(const struct sample *s, uint32_t units)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		most = s->line[i].n > most ? s->line[i].n : most;
	for (size_t i = 0; i < s->n; i++) {
		size_t word = 0;

		if (s->common[i] >= units)
			continue;
		while (word < s->line[i].n && s->line[i].s[word] != ' ')
			word++;
		if (!i || s->line[i - 1].n < NARROW || s->line[i - 1].n + 1 + word <= most)
			return false;
	}
	return true;
}

static size_t begin_of(const struct origin *o, uint32_t k)
{
	return k ? o->end[k - 1] : 0;
}

/* How many units all have, or most of those that have the time and level; 0: these lines have nothing in front. */
static uint32_t units_in_front(const struct sample *s)
{
	const struct origin *o = &s->origin;
	size_t with = lines_with(s, o->first), sure = sure_length(o, s->line[s->of]);

	for (uint32_t k = o->n; k && o->first && with > 1 && 4 * with >= s->n; k--)
		if (k >= o->first && o->unit[k - 1].edge && OFTEN * lines_with(s, k) >= (OFTEN - 1) * with &&
		    (begin_of(o, k - 1) < sure || is_varied(s, k)))
			return k;
	for (uint32_t k = o->n; k > (o->n && o->unit[0].kind == UNIT_BLANKS); k--)
		if (o->unit[k - 1].edge && lines_with(s, k) > 1 && 4 * lines_with(s, k) >= s->n &&
		    is_varied(s, k))
			return have_all(s, k) ? k : 0;
	return 0;
}

/* The number that is unit k of a line. */
static struct slice number_in(const struct front_unit *unit, uint32_t k, struct slice s)
{
	size_t at;

	common_units(unit, k, s, &at);
	at = blanks_end(s, at);
	return (struct slice){ s.s + at, numbers_end(s, at) - at };
}

/* It has many values, each in few lines. */
static bool does_count(const struct sample *s, uint32_t units, uint32_t k)
{
	struct slice value[VALUES], v;
	size_t n = 0, lines = 0, i;

	for (size_t l = 0; l < s->n; l++) {
		if (s->common[l] < units)
			continue;
		lines++;
		v = number_in(s->origin.unit, k, s->line[l]);
		for (i = 0; i < n && !slice_same(value[i], v); i++)
			;
		if (i == VALUES)
			return true;
		if (i == n)
			value[n++] = v;
	}
	return n > 1 && 3 * n > lines;
}

static uint32_t blanks_behind(const struct sample *s, uint32_t units)
{
	size_t least = SIZE_MAX, at, end;

	for (size_t i = 0; i < s->n; i++) {
		if (s->common[i] < units)
			continue;
		common_units(s->origin.unit, units - 1, s->line[i], &at);
		end = blanks_end(s->line[i], at);
		if (end < s->line[i].n && end - at < least)
			least = end - at;
	}
	return least == SIZE_MAX ? 1 : (uint32_t)least;
}

static void take_front(struct triage_front *f, struct sample *s, uint32_t units)
{
	struct origin *o = &s->origin;

	for (uint32_t k = 0; k < units; k++)
		if (o->unit[k].kind == UNIT_NUMBER && !o->unit[k].counts)
			o->unit[k].counts = does_count(s, units, k);
	memcpy(f->unit, o->unit, units * sizeof *f->unit);
	f->n = units;
	f->least = o->first && o->first < units ? o->first : units;
	f->all = have_all(s, f->least);
	f->blanks = o->unit[units - 1].kind == UNIT_BLANKS ? blanks_behind(s, units) : 0;
}

void triage_front_find(struct triage_front *f, const struct slice *line, size_t nlines)
{
	struct sample s = { .line = line, .n = nlines < FRONT_SAMPLE ? nlines : FRONT_SAMPLE };
	uint32_t units;
	size_t at;

	*f = (struct triage_front){ 0 };
	for (size_t i = 0, tried = 0; i < s.n && tried < ORIGINS; i++) {
		if (triage_is_headed(line[i]))
			continue;
		tried++;
		s.of = i;
		find_origin(&s.origin, line[i], WORDS);
		for (size_t k = 0; k < s.n && s.origin.n; k++)
			s.common[k] = triage_is_headed(line[k])
			    ? 0
			    : common_units(s.origin.unit, s.origin.n, line[k], &at);
		if (s.origin.n && (units = units_in_front(&s))) {
			take_front(f, &s, units);
			return;
		}
	}
}

size_t triage_front_length(const struct triage_front *f, struct slice s, uint64_t *key)
{
	uint64_t h = key ? *key : 0, process = h;
	size_t from = 0, to, length = 0;

	for (uint32_t k = 0; k < f->n; k++, from = to) {
		const struct front_unit *u = &f->unit[k];

		if (from == s.n && k + 1 == f->n &&
		    f->unit[k].kind == UNIT_BLANKS) /* the blank was stripped */
			length = from, process = h;
		if (from == s.n || (to = same_unit_end(u, s, from)) == from)
			break;
		if (key && u->kind == UNIT_NUMBER && !u->counts)
			h = hash_bytes(h, s.s + from, to - from);
		if (!u->edge || k + 1 < f->least)
			continue;
		length = to;
		process = h;
		if (u->kind == UNIT_BLANKS)
			length = from + (k + 1 == f->n && f->blanks < to - from ? f->blanks : 1);
	}
	if (!length)
		return length_of_one(s);
	if (key)
		*key = process;
	return length;
}
