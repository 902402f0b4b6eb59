#include "config.h"
#include "analyze/triage/front.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/triage/internal.h"
#include "base/hash.h"
#include "base/text/digit.h"

#define ORIGINS 8  /* lines that the others are compared with */
#define OFTEN 10   /* of the lines that have a time or a level, one in so many may go on otherwise */
#define NARROW 50u /* columns of a line that may have been wrapped */
#define LONGEST 120

/* --- known: what one line shows alone --- */

#define ISO "0000-00-00T00:00:00"

/* In a shape, 0 is a digit, and these stand for more:
 *     %9 digits   %a small letters   %C capitals   %n a name   %t one without capitals
 *     %h one with a digit in it, too   %v a word   %* all, up to what follows it in the shape   %M a month and its day
 *     %z what ends a time: a fraction, a zone, or nothing   %| nothing
 * What stands before %z or %| tells no process.  In place of a blank at the end, the line may end. */
static const char *const shapes[] = {
	"(%*pid=%*)",                              /* Ray, vLLM */
	"[pod/%*] ",                               /* kubectl logs --prefix */
	"[rank: %9] ",                             /* Lightning */
	"[%a%9]:",                                 /* torchrun and its agents */
	"[%9,%9]<%a>:",                            /* mpirun */
	"0000-00-00 00:00:00%z %9.%9.%9.%9 [%9] ", /* torch_xla.distributed */
	ISO "%z %n %n[%9]:",                       /* journalctl */
	ISO ".000%z std%a %C ",
	ISO ".000%z ", /* containers */
	"<%9>%|",      /* the priority of syslog, which tells no process either */
	"%9 " ISO "%z %v %v %v %v - ",
	"%9 " ISO "%z %v %v %v %v [%*] ",
	"%M 00:00:00%z %n %n[%9]:",
	"%M 00:00:00%z %h %t:",
	"%M 00:00:00%z ",
};

/* What a sign is: one bit, and perhaps EDGE, behind which a front may end.  STOP: none of a front */
enum {
	DIGIT = 1,
	SMALL = 2,
	CAPITAL = 4,
	LINE = 8,
	DOT = 16,
	BLANK = 32,
	COLON = 64,
	SQUARE = 128,
	STOP = 256,
	OTHER = 512,
	ANY = 1023,
	EDGE = 1024
};
#define LETTER (SMALL | CAPITAL | LINE)
#define NAME (ANY & ~(BLANK | COLON | SQUARE))

static inline unsigned sign_of(char c)
{
	static const uint16_t signs[128] = { ['\t'] = BLANK,
		[' '] = BLANK | EDGE,
		[':'] = COLON | EDGE,
		['_'] = LINE,
		['.'] = DOT,
		['['] = SQUARE,
		[']'] = SQUARE | EDGE,
		[';'] = STOP,
		['%'] = STOP,
		['='] = STOP,
		['|'] = OTHER | EDGE,
		['>'] = OTHER | EDGE,
		[')'] = OTHER | EDGE,
		['}'] = OTHER | EDGE,
		['#'] = OTHER | EDGE,
		['+'] = OTHER | EDGE,
		[','] = OTHER | EDGE,
		['$'] = OTHER | EDGE,
		['*'] = OTHER | EDGE };

	if (is_digit(c))
		return DIGIT;
	if ((unsigned char)((c | 32) - 'a') < 26)
		return c & 32 ? SMALL : CAPITAL;
	return (unsigned char)c < 128 && signs[(unsigned char)c] ? signs[(unsigned char)c] : OTHER;
}

/* The end of what has only such signs */
static inline size_t span(struct slice s, size_t at, unsigned signs)
{
	while (at < s.n && sign_of(s.s[at]) & signs)
		at++;
	return at;
}

static struct slice behind(struct slice s, size_t n)
{
	return (struct slice){ s.s + n, s.n - n };
}

/* What a time may end with: ",123", ".123456Z", "+00:00" */
static size_t zone_end(struct slice s, size_t at)
{
	at = span(s, at, DIGIT);
	while (at + 1 < s.n && memchr(".,+-:", s.s[at], 5) && is_digit(s.s[at + 1]))
		at = span(s, at + 1, DIGIT);
	return at + (at < s.n && s.s[at] == 'Z');
}

static const uint16_t elements[128] = { ['9'] = DIGIT,
	['a'] = SMALL,
	['C'] = CAPITAL,
	['n'] = NAME,
	['t'] = NAME & ~CAPITAL,
	['v'] = ANY & ~BLANK };

/* Returns the end of an element of a shape at `at`; SIZE_MAX: there is none. */
static size_t element_end(const char *element, struct slice s, size_t at)
{
	struct slice rest = behind(s, at);
	bool month = triage_shape_is(rest, 3, " 0") || triage_shape_is(rest, 3, "  0");
	const char *end, *months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
	size_t n;

	switch (*element) {
	case '*':
		n = strcspn(element + 1, "%");
		end = memmem(rest.s, rest.n < LONGEST ? rest.n : LONGEST, element + 1, n);
		return end && !memchr(rest.s, ')', (size_t)(end - rest.s)) ? (size_t)(end - s.s) : SIZE_MAX;
	case 'M':
		return month && memmem(months, 47, rest.s, 3) ? at + 6 : SIZE_MAX;
	case 'z':
		return zone_end(s, at);
	case '|':
		return at;
	case 'h':
		n = span(s, at, NAME & ~CAPITAL);
		return span(s, at, NAME & ~(CAPITAL | DIGIT)) == n ? SIZE_MAX : n;
	default:
		n = span(s, at, elements[(unsigned char)*element & 127]);
		return n == at ? SIZE_MAX : n;
	}
}

/* Returns the end of what has the shape; 0: it has not.  date: gets the end of what tells no process. */
static size_t shape_end(const char *shape, struct slice s, size_t *date)
{
	size_t at = 0;
	bool ok;

	for (*date = 0; *shape; shape++) {
		if (*shape == ' ' && !shape[1] && at == s.n)
			return at;
		if (*shape == '%') {
			at = element_end(++shape, s, at);
			*date = *shape == 'z' || *shape == '|' ? at : *date;
		} else {
			ok = at < s.n && (*shape == '0' ? is_digit(s.s[at]) : s.s[at] == *shape);
			at = ok ? at + 1 : SIZE_MAX;
		}
		if (at == SIZE_MAX)
			return 0;
	}
	return at - (shape[-1] == ' ');
}

static size_t known_length(struct slice s, size_t *date)
{
	bool time = s.n && (is_digit(*s.s) || (s.n > 14 && s.s[3] == ' ' && s.s[9] == ':'));
	size_t n = 0;

	if (time || (s.n && memchr("([<", *s.s, 3)))
		for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !n; i++)
			/* most times differ from a shape first in what is behind the date */
			if (!time ? *shapes[i] == *s.s
				  : *shapes[i] == '%' ||
				    (*shapes[i] == '0' && s.n > 10 && shapes[i][10] == s.s[10]))
				n = shape_end(shapes[i], s, date);
	return n;
}

/* --- open: a time or a level --- */

/* "ERROR" or "error", but no "Error", which begins a message; "E" before a date */
static bool is_level(struct slice word, struct slice rest)
{
	char upper[sizeof " CRITICAL "] = " ";

	if (word.n == 1)
		return memchr("IWEFD", *word.s, 5) && rest.n > 2 && *rest.s == ' ' && is_digit(rest.s[1]);
	if (word.n < 4 || word.n > 8 || !memchr("CDEFINSTW", toupper(*word.s), 9))
		return false;
	for (size_t i = 0; i < word.n; i++)
		upper[1 + i] = (word.s[i] ^ *word.s) & 32 ? '?' : (char)toupper(word.s[i]);
	upper[1 + word.n] = ' ';
	return strstr(" CRITICAL DEBUG ERROR FATAL INFO NOTICE SEVERE TRACE WARN WARNING ", upper) != NULL;
}

/* It begins the name of an error, "jaxlib.xla_extension.XlaRuntimeError:", or its code. */
static bool is_error_word(struct slice s)
{
	struct slice word = { s.s, span(s, 0, LETTER | DOT) };

	return span(s, 0, CAPITAL | LINE) > 8 || slice_ends(word, "Error");
}

enum { NUMBER = '0', BLANKS = ' ', LEVEL = '\1' };

/* A line in units, up to where prose, an error or the head of a record begins. */
struct units {
	char unit[FRONT_UNITS + 2]; /* 0 behind them */
	uint16_t end[FRONT_UNITS];  /* of each in the line */
	uint32_t n, first;          /* first: units up to behind the first time or level; 0: it has none */
	uint32_t
	    open;    /* up to behind the last one that is not behind two words in a row, which may be prose */
	bool record; /* behind them begins a record */
};

/* "03:12:01", "2026-11-24": unit i is the last of their numbers. */
static bool ends_time(const struct units *u, uint32_t i)
{
	const char *c = u->unit + i;

	return i >= 4 && c[0] == NUMBER && c[-2] == NUMBER && c[-4] == NUMBER && c[-1] == c[-3] &&
	    memchr(":-/", c[-1], 3);
}

/* Returns the end of the unit at `at`, which is a word as a whole.  Blanks that pad a number belong to it. */
static size_t unit_at(struct slice s, size_t at, char *unit)
{
	size_t end = span(s, at, BLANK);

	if (end < s.n && is_digit(s.s[end]) && (end == at || !at || s.s[at - 1] == '[')) {
		*unit = NUMBER;
		return span(s, end, DIGIT);
	}
	*unit = end > at ? BLANKS : s.s[at];
	if (end == at && sign_of(*unit) & LETTER) {
		end = span(s, at, LETTER);
		*unit = is_level((struct slice){ s.s + at, end - at }, behind(s, end)) ? LEVEL : *unit;
		return end;
	}
	return end > at ? end : at + 1;
}

static void units_of(struct units *u, struct slice s)
{
	size_t end, words = 0;
	bool prose = false, word;

	*u = (struct units){ .n = 0 };
	s.n = s.n < LONGEST * 8 ? s.n : LONGEST * 8;
	for (size_t at = 0; at < s.n && u->n < FRONT_UNITS;) {
		struct slice rest = behind(s, at);
		char unit;

		end = unit_at(s, at, &unit);
		word = sign_of(unit) & LETTER;
		words = word ? words + 1 : unit == BLANKS ? words : 0;
		prose |= words == 2;
		u->record = (!at || sign_of(*rest.s) & CAPITAL) && triage_is_headed(rest);
		if (u->record || words > 2 || (word && is_error_word(rest)) || sign_of(unit) & STOP)
			return;
		for (at = word ? at : end - 1; at < end && u->n < FRONT_UNITS; u->n++) {
			u->unit[u->n] = word ? s.s[at] : unit;
			u->end[u->n] = (uint16_t)++at;
		}
		if (unit == LEVEL || ends_time(u, u->n - 1)) {
			u->first = u->first ? u->first : u->n;
			u->open = prose ? u->open : u->n;
		}
	}
	/* the blank at the end was stripped */
	if (u->n && u->n < FRONT_UNITS && u->unit[u->n - 1] != BLANKS) {
		u->unit[u->n] = BLANKS;
		u->end[u->n++] = (uint16_t)s.n;
	}
}

/* Skips the signs that separate the parts of a front; one blank belongs to the last of them. */
static size_t separators_end(struct slice s, size_t at)
{
	for (size_t end; at < s.n; at = end + 1) {
		end = span(s, at, BLANK);
		if (end == s.n ||
		    !(memchr(":|>)]},", s.s[end], 7) || (end > at && triage_shape_is(s, end, "- "))))
			return at + (end > at);
	}
	return at;
}

/* "[launch.py:321] ", "__main__:main:12 - "; behind "ERROR:", "absl:" */
static size_t source_end(struct slice s, size_t at)
{
	static const char *const places[] = { "[%n:%9]", "[%n:%9:%n]", "%n:%9 - ", "%n:%n:%9 - ", "%t:" };
	bool logger = s.s[at - 1] == ':' && s.s[at] >= '_';
	size_t n = 0, unused;

	for (size_t i = 0; i < 4u + logger && !n; i++)
		n = shape_end(places[i], behind(s, at), &unused);
	return at + n;
}

/* The end of what is open: behind its last time or level come the fraction and zone, and the source. */
static size_t open_end(const struct units *u, struct slice s)
{
	size_t at = u->open ? u->end[u->open - 1] : 0, end;

	if (!at)
		return 0;
	at = separators_end(s, zone_end(s, at));
	end = at < s.n ? source_end(s, at) : at;
	return end > at ? separators_end(s, end) : at;
}

/* It begins with a digit or a level, which has capitals or is in brackets. */
static bool may_be_open(struct slice s)
{
	size_t at = 0;

	while (at < s.n && memchr("[(<{", s.s[at], 4))
		at++;
	return at < s.n && (is_digit(s.s[at]) || memchr("CDEFINSTWcdefinstw", s.s[at], at ? 18 : 9));
}

/* The length of the front of a line that may be open.  A clock alone may be the rest of a record that was wrapped,
 * "error: ..." and "12:00:01am" the message. */
static size_t open_length(const struct units *u, struct slice s)
{
	size_t n = open_end(u, s), last = n ? u->end[u->open - 1] : 0;
	bool clock = u->unit[0] == NUMBER && u->unit[1] == ':', level = n && u->unit[u->open - 1] == LEVEL;

	for (uint32_t k = 0; k < u->first; k++)
		if (sign_of(u->unit[k]) & LETTER)
			return 0;
	if (!n || n >= s.n || n <= last + (u->open == 1))
		return 0;
	return clock && (!level || last < u->end[u->open - 2] + 2u) ? 0 : n;
}

/* --- common: what the others have of it --- */

struct sample {
	struct slice line[FRONT_SAMPLE];
	struct units units[FRONT_SAMPLE], *origin;
	uint32_t common[FRONT_SAMPLE]; /* units as those of the origin */
	size_t n;
};

static uint32_t begin_of(const struct units *u, uint32_t k)
{
	return k ? u->end[k - 1] : 0;
}

/* A front may end behind it; not between the numbers of a time. */
static bool is_edge(const char *unit, uint32_t k)
{
	return sign_of(unit[k]) & EDGE && !(k && unit[k - 1] == NUMBER && unit[k + 1] == NUMBER);
}

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
	char seen[3] = "";
	size_t n = 0, lines = 0;

	for (size_t i = 0; i < s->n && n < sizeof seen; i++) {
		size_t at = begin_of(&s->units[i], units);
		char c = s->common[i] < units || at == s->line[i].n ? '\n' : s->line[i].s[at];

		lines += s->common[i] >= units;
		c = is_digit(c) ? NUMBER : c;
		if (s->common[i] >= units && (!n || !memchr(seen, c, n)))
			seen[n++] = c;
	}
	return n == sizeof seen || n == lines || (s->origin->record && units == s->origin->n);
}

/* Lines without so many units can only be rests of wrapped lines. */
static bool have_all(const struct sample *s, uint32_t units)
{
	size_t most = 0;

	for (size_t i = 0; i < s->n; i++)
		most = s->line[i].n > most ? s->line[i].n : most;
	for (size_t i = 0; i < s->n; i++)
		if (s->common[i] < units &&
		    (!i || s->line[i - 1].n < NARROW ||
			s->line[i - 1].n + 1 + span(s->line[i], 0, ANY & ~BLANK) <= most))
			return false;
	return true;
}

/* How many units all have, or most of those that have the time and level; 0: these lines have nothing in front. */
static uint32_t units_in_front(const struct sample *s)
{
	const struct units *o = s->origin;
	size_t with = lines_with(s, o->first), open = open_end(o, s->line[o - s->units]);

	for (uint32_t k = o->n; k > (o->unit[0] == BLANKS); k--) {
		size_t lines = lines_with(s, k);
		bool timed = o->first && k >= o->first && OFTEN * lines >= (OFTEN - 1) * with;

		if (is_edge(o->unit, k - 1) && lines > 1 && 4 * lines >= s->n &&
		    ((timed && begin_of(o, k - 1) < open) || (is_varied(s, k) && (timed || have_all(s, k)))))
			return k;
	}
	return 0;
}

static struct slice number_of(const struct sample *s, size_t line, uint32_t k)
{
	size_t from = span(s->line[line], begin_of(&s->units[line], k), BLANK);

	return (struct slice){ s->line[line].s + from, s->units[line].end[k] - from };
}

/* It belongs to others, "03:12:01,123". */
static bool is_of_time(const struct units *u, uint32_t k)
{
	const char *c = u->unit + k;

	return (k > 1 && c[-2] == NUMBER && memchr(":-/.,T", c[-1], 6)) ||
	    (c[2] == NUMBER && memchr(":-/.,T", c[1], 6));
}

static void take_front(struct triage_front *f, const struct sample *s, uint32_t units)
{
	const struct units *o = s->origin;

	f->n = units;
	f->least = o->first && o->first < units ? o->first : units;
	f->all = have_all(s, f->least);
	f->blanks = UINT32_MAX;
	memcpy(f->unit, o->unit, units);
	memset(f->counts, true, units);
	for (size_t l = 0, last = s->n; l < s->n; l++) {
		uint32_t blanks = s->units[l].end[units - 1] - begin_of(&s->units[l], units - 1);

		if (s->common[l] < units)
			continue;
		if (blanks < f->blanks && s->units[l].end[units - 1] < s->line[l].n)
			f->blanks = blanks;
		for (uint32_t k = 0; k < units && last < s->n; k++) {
			struct slice a = number_of(s, last, k), b = number_of(s, l, k);

			f->counts[k] &=
			    is_of_time(o, k) || a.n < b.n || (a.n == b.n && memcmp(a.s, b.s, a.n) < 0);
		}
		last = l;
	}
}

static void find_common(struct triage_front *f, struct sample *s)
{
	for (size_t i = 0; i < s->n && i < ORIGINS && !f->n; i++) {
		const struct units *o = s->origin = &s->units[i];
		uint32_t n;

		for (size_t k = 0; k < s->n; k++) {
			for (n = 0; n < o->n && n < s->units[k].n && o->unit[n] == s->units[k].unit[n];)
				n++;
			s->common[k] = n;
		}
		if ((n = units_in_front(s)))
			take_front(f, s, n);
	}
}

/* Returns the length of what is common at the beginning of a line, and adds what tells the process to the key. */
static size_t common_length(const struct triage_front *f, struct slice s, uint64_t *key)
{
	uint64_t h = *key;
	size_t n = 0, to;
	char unit;

	for (size_t at = 0, k = 0; k < f->n; k++, at = to) {
		unit = f->unit[k];
		to = at + 1;
		if (at < s.n && (unit == NUMBER || unit == BLANKS || unit == LEVEL))
			to = unit_at(s, at, &unit);
		else if (at < s.n)
			unit = s.s[at];
		else if (at > s.n || unit != BLANKS) /* the blank at the end was stripped */
			break;
		if (unit != f->unit[k])
			break;
		if (unit == NUMBER && !f->counts[k])
			h = hash_bytes(h, s.s + at, to - at);
		if (k + 1 < f->least || !is_edge(f->unit, k))
			continue;
		n = at == s.n ? at : to;
		*key = h;
		if (unit == BLANKS && at < s.n)
			n = k + 1 < f->n ? at + 1 : f->blanks < to - at ? at + f->blanks : to;
	}
	return n;
}

size_t triage_prefix_next(struct triage_prefixes *p, struct slice s)
{
	size_t date, n = known_length(s, &date);
	struct units u;

	if (n) { /* the date is no part of the key of the process */
		p->key = hash_bytes(p->key, s.s + date, n - date);
		return n + (n < s.n && s.s[n] == ' ');
	}
	if (p->fronted || triage_is_headed(s))
		return 0;
	p->fronted = true;
	if ((n = common_length(p->front, s, &p->key)) || !may_be_open(s))
		return n;
	units_of(&u, s);
	return open_length(&u, s);
}

void triage_front_find(struct triage_front *f, const char *s, size_t n, const struct triage_filter *filter)
{
	struct sample *lines = xcalloc(1, sizeof *lines);
	struct triage_hit hits[TRIAGE_HITS];
	size_t found;

	*f = (struct triage_front){ .n = 0 };
	for (const char *end = s + n, *next; s < end && lines->n < FRONT_SAMPLE; s = next + 1) {
		struct slice line = { s, 0 };
		size_t length, date;

		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		line.n = (size_t)(next - s);
		while ((length = known_length(line, &date)))
			line = behind(line, length + (length < line.n && line.s[length] == ' '));
		if (!line.n)
			continue;
		lines->line[lines->n] = line;
		units_of(&lines->units[lines->n++], line);
	}
	find_common(f, lines);
	found =
	    f->n && filter ? triage_filter_find(filter, lines->line[lines->origin - lines->units], hits) : 0;
	for (size_t i = 0; i < found; i++) /* a phrase begins in it: "pt-xla-profiler: " */
		if (hits[i].at < begin_of(lines->origin, f->n))
			f->n = 0;
	free(lines);
}
