#include "config.h"
#include "analyze/triage/internal.h"

#include <ctype.h>
#include <string.h>

#include "base/hash.h"
#include "base/text/digit.h"

#define LABEL 64 /* longest name */
#define SAMPLE FRONT_SAMPLE
#define TASKS 16 /* labels that follow one another and are more than these are numbers of lines */

/* What launchers and logs put in front of each line.  %0 is a digit, %9 digits, %a small letters, %w a name, %v a word;
 * %D and %T are times, %F one with a fraction, %M one with the name of a month, %S the data of RFC 5424; in place of a
 * blank at the end, the line may end. */
static const char *const shapes[] = {
	"[rank: %9] ",                                                         /* Lightning */
	"[%a%9]:",                                                             /* torchrun and its agents */
	"[%9,%9]<stdout>:", "[%9,%9]<stderr>:",                                /* mpirun */
	"%D %9.%9.%9.%9 [%9] ",                                                /* torch_xla.distributed */
	"%T %w %w[%9]:",                                                       /* journalctl */
	"%F stdout F ", "%F stderr F ", "%F stdout P ", "%F stderr P ", "%F ", /* containers */
	"<%9>%0 %T %v %v %v %v %S",                                            /* RFC 5424 */
};
/* RFC 3164; the lines of a text may have nothing but the date */
static const char *const month_shapes[] = { "%M %w %w[%9]:", "%M %w %w:", "%M" };

/* Returns the end of the digits from `at` on. */
static size_t digits_end(struct slice s, size_t at)
{
	while (at < s.n && is_digit(s.s[at]))
		at++;
	return at;
}

/* Returns the end of the word from `at` on. */
static size_t word_end(struct slice s, size_t at)
{
	while (at < s.n && s.s[at] != ' ')
		at++;
	return at;
}

static size_t name_end(struct slice s, size_t at)
{
	size_t from = at;

	while (at < s.n && at - from < LABEL && !memchr(" :[", s.s[at], 3))
		at++;
	return at;
}

static size_t letters_end(struct slice s, size_t at)
{
	while (at < s.n && s.s[at] >= 'a' && s.s[at] <= 'z')
		at++;
	return at;
}

/* "<14>" before the rest of syslog */
static size_t priority_end(struct slice s)
{
	size_t at = s.n && *s.s == '<' ? digits_end(s, 1) : 0;

	return at > 1 && at < 5 && at < s.n && s.s[at] == '>' ? at + 1 : 0;
}

/* The list of data of RFC 5424 in brackets, in whose quotes a bracket may stand. */
static size_t data_end(struct slice s, size_t at)
{
	size_t from = at;
	bool quoted = false;

	if (triage_shape_is(s, at, "-"))
		return at + 1;
	while (at < s.n && s.s[at] == '[') {
		for (at++; at < s.n && (quoted || s.s[at] != ']'); at++) {
			at += s.s[at] == '\\' && at + 1 < s.n;
			quoted ^= s.s[at] == '"' && s.s[at - 1] != '\\';
		}
		at++;
	}
	return at <= s.n ? at : from;
}

/* "2026-11-22T10:00:01.123456Z", "2026-11-22T10:00:01+00:00" */
static size_t time_end(struct slice s, size_t at, bool fraction)
{
	size_t end = at + 19, digits;

	if (!triage_shape_is(s, at, "0000-00-00T00:00:00"))
		return at;
	digits = end < s.n && s.s[end] == '.' ? digits_end(s, end + 1) : end;
	if (fraction && digits < end + 4)
		return at;
	end = digits;
	if (end < s.n && s.s[end] == 'Z')
		return end + 1;
	if (end < s.n && memchr("+-", s.s[end], 2))
		end = digits_end(s, end + 1);
	return triage_shape_is(s, end, ":00") ? end + 3 : end;
}

/* "Nov 22 10:00:01", which may have a fraction, from `at` on: returns its end. */
static size_t month_end(struct slice s, size_t at)
{
	static const char *const months = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (s.n < at + 15 || s.s[at + 3] != ' ' || s.s[at + 6] != ' ' || !is_digit(s.s[at + 5]) ||
	    !(is_digit(s.s[at + 4]) || s.s[at + 4] == ' ') || !triage_shape_is(s, at + 7, "00:00:00"))
		return at;
	for (int i = 0; i < 12; i++)
		if (!memcmp(s.s + at, months + 3 * i, 3))
			return s.n > at + 15 && s.s[at + 15] == '.' ? digits_end(s, at + 16) : at + 15;
	return at;
}

/* Returns the end of an element of a shape at `at`; `at`: there is none. */
static size_t element_end(char element, struct slice s, size_t at)
{
	switch (element) {
	case '0':
		return at + (at < s.n && is_digit(s.s[at]));
	case '9':
		return digits_end(s, at);
	case 'a':
		return letters_end(s, at);
	case 'w':
		return name_end(s, at);
	case 'v':
		return word_end(s, at);
	case 'D':
		return triage_shape_is(s, at, "0000-00-00 00:00:00") ? at + 19 : at;
	case 'T':
	case 'F':
		return time_end(s, at, element == 'F');
	case 'M':
		return month_end(s, at);
	case 'S':
		return data_end(s, at);
	default:
		return at;
	}
}

/* Returns the end of what has the shape from `at` on; 0: it has not.  date: gets the end of the time, which tells no
 * process, as what stands before it. */
static size_t shape_end(const char *shape, struct slice s, size_t at, size_t *date)
{
	for (size_t end; *shape; at = end, shape++) {
		if (*shape == ' ' && !shape[1])
			return at == s.n || s.s[at] == ' ' ? at : 0;
		if (*shape != '%') {
			end = at + (at < s.n && s.s[at] == *shape);
		} else {
			end = element_end(*++shape, s, at);
			*date = strchr("DTFM", *shape) ? end : *date;
		}
		if (end == at)
			return 0;
	}
	return at;
}

static size_t month_prefix(struct slice s, size_t at, bool dates, size_t *date)
{
	size_t n = 0;

	for (size_t i = dates ? 2 : 0; i < 3 && !n; i++)
		n = shape_end(month_shapes[i], s, at, date);
	return n;
}

/* "POD CONTAINER " of stern: nothing but words. */
static size_t pod_length(struct slice s)
{
	size_t at = 0, words = 0;
	bool dash = false;

	for (; at < s.n && at < 2 * LABEL && words < 2; at++) {
		if (s.s[at] == ' ') {
			if (!at || s.s[at - 1] == ' ' || !dash)
				return 0;
			words++;
		} else if (!is_digit(s.s[at]) && !(s.s[at] >= 'a' && s.s[at] <= 'z') && s.s[at] != '-') {
			return 0;
		}
		dash |= s.s[at] == '-';
	}
	return words == 2 ? at - 1 : words == 1 && at == s.n ? at : 0;
}

/* "[worker3]" */
static size_t square_length(struct slice s)
{
	size_t at = 1;

	if (s.n < 4 || !((s.s[1] | 32) >= 'a' && (s.s[1] | 32) <= 'z'))
		return 0;
	while (at < s.n && at < LABEL && (isalnum((unsigned char)s.s[at]) || strchr("-_.", s.s[at])))
		at++;
	return at < s.n && s.s[at] == ']' && is_digit(s.s[at - 1]) && (at + 1 == s.n || s.s[at + 1] == ' ')
	    ? at + 1
	    : 0;
}

/* "3:" of srun, "HOST-3:" of pdsh, "NAME-3  |" of docker compose: labels of processes where lines begin with
 * them, but anything elsewhere */
static size_t label_length(struct slice s)
{
	size_t at = 0, number, end;

	if (*s.s == '[')
		return square_length(s);
	while (at < s.n && at < LABEL && (isalnum((unsigned char)s.s[at]) || strchr("-_.", s.s[at])))
		at++;
	for (number = end = at; number && is_digit(s.s[number - 1]); number--)
		;
	if (number == end || (number && !strchr("-_", s.s[number - 1])))
		return 0;
	while (number && at < s.n && s.s[at] == ' ')
		at++;
	if (at == s.n || s.s[at] != (at == end ? ':' : '|'))
		return 0;
	return at + 1 == s.n || s.s[at + 1] == ' ' ? at + 1 : 0;
}

/* Labels of lines that grow from line to line are numbers of lines. */
struct numbering {
	bool grows;
	size_t n;
	long first, last;
};

static void follow_label(struct numbering *m, struct slice label)
{
	size_t end = label.n, at;
	long value = 0;

	while (end && !is_digit(label.s[end - 1]))
		end--;
	for (at = end; at && is_digit(label.s[at - 1]); at--)
		;
	for (; at < end && value < 1000000; at++)
		value = value * 10 + label.s[at] - '0';
	m->grows = !m->n || (m->grows && value > m->last);
	m->first = m->n++ ? m->first : value;
	m->last = value;
}

static int kind_of_labels(const char *s, size_t n)
{
	const char *end = s + n, *next;
	size_t lines = 0, labels = 0, pods = 0, same = 0;
	struct slice pod = { s, 0 }, line;
	struct numbering numbers = { 0 };
	size_t length;

	for (; s < end && lines < SAMPLE; s = next + 1) {
		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		if (s == next)
			continue;
		line = (struct slice){ s, (size_t)(next - s) };
		if ((length = label_length(line)))
			follow_label(&numbers, (struct slice){ s, length });
		labels += length > 0;
		length = pod_length(line);
		if (!lines++)
			pod = (struct slice){ s, length };
		pods += length > 0;
		same += length && length == pod.n && !memcmp(s, pod.s, length);
		if (!labels && !pods)
			return LABELS_NONE;
	}
	if (lines > 2 && (pods == lines || (same > 2 && 4 * same >= lines)))
		return LABELS_PODS;
	if (numbers.n > 2 && numbers.grows && (numbers.first || numbers.n > TASKS))
		return LABELS_NONE;
	/* the others are rests of lines that were wrapped */
	return labels && (labels == lines || (labels > 2 && 4 * labels >= lines)) ? LABELS_NUMBERED
										  : LABELS_NONE;
}

/* Whether a line may begin as syslog does, "Nov 22 10:00:01"; cheap, for it is asked of every line. */
static inline bool is_month(struct slice s)
{
	return s.n >= 15 && s.s[3] == ' ' && s.s[6] == ' ' && s.s[9] == ':' && s.s[12] == ':';
}

/* kind: of the labels that may stand there */
static size_t known_prefix(struct slice s, const struct triage_labels *labels, int kind, size_t *date)
{
	const char *end;
	size_t n;

	*date = 0;
	if (*s.s == '(' && (end = memchr(s.s, ')', s.n < 120 ? s.n : 120)) &&
	    memmem(s.s, (size_t)(end - s.s), "pid=", 4))
		return (size_t)(end - s.s) + 1;
	if (slice_begins(s, "[pod/") && (end = memmem(s.s, s.n < 200 ? s.n : 200, "] ", 2)))
		return (size_t)(end - s.s) + 1;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if ((*shapes[i] == *s.s || (*shapes[i] == '%' && is_digit(*s.s))) &&
		    (n = shape_end(shapes[i], s, 0, date)))
			return n;
	n = priority_end(s);
	if ((n || is_month(s)) && (n = month_prefix(s, n, labels->dates, date)))
		return n;
	if (*s.s == '[' && kind != LABELS_NUMBERED)
		return 0;
	*date = 0;
	return kind == LABELS_PODS ? pod_length(s) : kind ? label_length(s) : 0;
}

static bool may_be_known(struct slice s)
{
	return *s.s == '(' || *s.s == '[' || *s.s == '<' || is_digit(*s.s) || is_month(s);
}

bool triage_is_prefixed(struct slice s)
{
	static const struct triage_labels none;
	size_t date;

	if (is_digit(*s.s))
		return triage_shape_is(s, 0, "0000-00-00 00:00:00 0") &&
		    known_prefix(s, &none, LABELS_NONE, &date);
	return may_be_known(s) && known_prefix(s, &none, LABELS_NONE, &date);
}

size_t triage_prefix_next(struct triage_prefixes *p, struct slice s)
{
	int kind = p->taken++ ? LABELS_NONE : p->labels->kind;
	size_t date, n = 0;

	if (kind || may_be_known(s))
		n = known_prefix(s, p->labels, kind, &date);
	if (n) { /* the date is no part of the key of the process */
		p->key = hash_bytes(p->key, s.s + date, n - date);
		return n + (n < s.n && s.s[n] == ' ');
	}
	if (p->fronted || triage_is_headed(s))
		return 0;
	p->fronted = true;
	return triage_front_length(&p->labels->front, s, &p->key);
}

/* Lines of syslog have few hosts; those to which only the date was added go on as they like. */
static bool has_dates_only(const char *s, size_t n)
{
	struct slice first = { NULL, 0 };
	size_t lines = 0, same = 0, sampled = 0;

	for (const char *end = s + n, *next; s < end && sampled++ < SAMPLE; s = next + 1) {
		struct slice line = { s, 0 }, host;
		size_t date;

		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		line.n = (size_t)(next - s);
		if (!is_month(line) || !(date = month_end(line, 0)))
			continue;
		host = (struct slice){ s + date, (date < line.n ? word_end(line, date + 1) : date) - date };
		first = lines++ ? first : host;
		same += slice_same(first, host);
	}
	return lines > 1 && 4 * same < 3 * lines;
}

/* The front that was found holds, or begins, a phrase that is looked for: "pt-xla-profiler: " */
static bool is_message(const struct triage_front *f, const struct slice *line, size_t lines,
    const struct triage_filter *filter)
{
	struct triage_hit hits[TRIAGE_HITS];
	size_t n, found;

	for (size_t i = 0; i < lines; i++) {
		n = triage_front_length(f, line[i], NULL);
		found = n ? triage_filter_find(filter, line[i], hits) : 0;
		for (size_t k = 0; k < found; k++)
			if (hits[k].at < n)
				return true;
	}
	return false;
}

/* "W1121 08:3" where the head of a record was wrapped: the next line has the rest of it */
static bool is_cut_head(struct slice s)
{
	return s.n && memchr("IWEF", *s.s, 4) && (s.n == 1 || is_digit(s.s[1])) && !memchr(s.s, ']', s.n);
}

void triage_labels_find(struct triage_labels *l, const char *s, size_t n, const struct triage_filter *filter)
{
	struct slice line[SAMPLE] = { 0 };
	size_t lines = 0, length;
	bool rest = false;

	*l = (struct triage_labels){ .kind = kind_of_labels(s, n), .dates = has_dates_only(s, n) };
	for (const char *end = s + n, *next; s < end && lines < SAMPLE; s = next + 1) {
		struct triage_prefixes p = { .labels = l, .fronted = true };

		if (!(next = memchr(s, '\n', (size_t)(end - s))))
			next = end;
		line[lines] = (struct slice){ s, (size_t)(next - s) };
		while (line[lines].n && (length = triage_prefix_next(&p, line[lines])))
			line[lines] = (struct slice){ line[lines].s + length, line[lines].n - length };
		if (rest || is_cut_head(line[lines]))
			rest = !rest;
		else
			lines += line[lines].n > 0;
	}
	triage_front_find(&l->front, line, lines);
	if (filter && is_message(&l->front, line, lines, filter))
		l->front.n = 0;
}
