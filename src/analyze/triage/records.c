#include "config.h"
#include "analyze/triage/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/text/digit.h"

#define PREFIXES 8 /* and heads, in front of a line */

static const char severities[] = "DIWEF";

/* The head of a record: where it begins and ends in the line. */
struct head {
	size_t from, to;
	enum triage_format format;
	char severity;
	char time[40];
	struct slice thread, place;
};

static int two(const char *s)
{
	return (s[0] - '0') * 10 + s[1] - '0';
}

/* Returns the end of "+thread FILE:LINE]" from `at` on, or 0 when it is not complete. */
static size_t place_end(struct slice s, size_t at, struct head *h)
{
	size_t from;

	if (at >= s.n || s.s[at] != ' ')
		return 0;
	while (at < s.n && s.s[at] == ' ')
		at++;
	for (from = at; at < s.n && triage_digits(s.s + at, 1); at++)
		;
	if (at == from || at >= s.n || s.s[at] != ' ')
		return 0;
	h->thread = (struct slice){ s.s + from, at - from };
	for (from = ++at; at < s.n && s.s[at] != ']' && s.s[at] != ' ' && at - from < 300; at++)
		;
	if (at >= s.n || s.s[at] != ']' || !memchr(s.s + from, ':', at - from))
		return 0;
	h->place = (struct slice){ s.s + from, at - from };
	return at + 1;
}

/* A month much smaller than that of the last record belongs to the next year.  This runs for every line of a
 * log, so it does not use printf. */
static void glog_time(struct triage_log *log, const char *date, const char *clock, char *out)
{
	int month = two(date);

	if (log->year && log->month - month > 6)
		log->year++;
	log->month = month;
	*out++ = '-';
	*out++ = '-';
	if (log->year) {
		out -= 2;
		for (int i = 0, unit = 1000; i < 4; i++, unit /= 10)
			*out++ = (char)('0' + log->year / unit % 10);
		*out++ = '-';
	}
	memcpy(out, date, 2);
	out[2] = '-';
	memcpy(out + 3, date + 2, 2);
	out[5] = 'T';
	memcpy(out + 6, clock, 15);
	out[21] = 0;
}

static bool glog_head(struct triage_log *log, struct slice s, size_t colon, struct head *h)
{
	const char *c;

	if (colon < 8 || s.s[colon - 3] != ' ' || !triage_digits(s.s + colon - 7, 4) ||
	    !(c = strchr("IWEF", s.s[colon - 8])) || !*c)
		return false;
	h->from = colon - 8;
	h->severity = *c;
	if (triage_shape_is(s, colon - 2, "00:00:00.000000") && memcmp(s.s + colon - 7, "0000", 4)) {
		h->format = FORMAT_GLOG;
		if (!(h->to = place_end(s, colon + 13, h)))
			return false;
		glog_time(log, s.s + colon - 7, s.s + colon - 2, h->time);
		return true;
	}
	size_t at = colon + 4, n = 0;
	int64_t seconds = 0;

	for (; at + n < s.n && n < 12 && triage_digits(s.s + at + n, 1); n++)
		seconds = seconds * 10 + (s.s[at + n] - '0');
	if (n < 3 || memcmp(s.s + colon - 7, "0000", 4) || !triage_shape_is(s, at + n, ".000000"))
		return false;
	h->format = FORMAT_GLOG0;
	if (!(h->to = place_end(s, at + n + 7, h)))
		return false;
	time_t when = (time_t)seconds;
	struct tm tm;

	if (!gmtime_r(&when, &tm))
		return false;
	size_t len = strftime(h->time, sizeof h->time, "%Y-%m-%dT%H:%M:%S", &tm);

	snprintf(h->time + len, sizeof h->time - len, "%.7s", s.s + at + n);
	return true;
}

static bool python_head(struct slice s, size_t colon, struct head *h)
{
	static const struct {
		const char *name;
		char severity;
	} levels[] = { { "DEBUG", 'D' }, { "INFO", 'I' }, { "WARNING", 'W' }, { "ERROR", 'E' },
		{ "CRITICAL", 'F' } };
	const char *end;

	if (colon < 13 || !triage_shape_is(s, colon - 9, " 00-00 00:00:00 ["))
		return false;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		if (!slice_ends((struct slice){ s.s, colon - 9 }, levels[i].name))
			continue;
		if (!(end = memchr(s.s + colon + 7, ']', s.n - colon - 7)))
			return false;
		h->from = colon - 9 - strlen(levels[i].name);
		h->to = (size_t)(end + 1 - s.s);
		h->format = FORMAT_PYTHON;
		h->severity = levels[i].severity;
		h->thread = (struct slice){ s.s, 0 };
		h->place = (struct slice){ s.s + colon + 8, (size_t)(end - s.s) - colon - 8 };
		snprintf(h->time, sizeof h->time, "--%.5sT%.8s", s.s + colon - 8, s.s + colon - 2);
		return true;
	}
	return false;
}

static bool tf_head(struct slice s, struct head *h)
{
	const char *c;

	if (!triage_shape_is(s, 0, "0000-00-00 00:00:00.000000: ") || s.n < 30 || s.s[29] != ' ' ||
	    !(c = strchr("IWEF", s.s[28])) || !*c)
		return false;
	*h = (struct head){ .format = FORMAT_TF,
		.severity = *c,
		.to = 30,
		.thread = { s.s, 0 },
		.place = { s.s, 0 } };
	snprintf(h->time, sizeof h->time, "%.10sT%.15s", s.s, s.s + 11);
	size_t at = 30, from;

	while (at < s.n && s.s[at] == ' ') /* the thread is padded */
		at++;
	for (from = at; at < s.n && triage_digits(s.s + at, 1); at++)
		;
	if (at > from && at < s.n && s.s[at] == ' ') {
		h->thread = (struct slice){ s.s + from, at - from };
		h->to = from = ++at;
	}
	for (at = from; at < s.n && s.s[at] != ']' && s.s[at] != ' ' && at - from < 300; at++)
		;
	if (at < s.n && s.s[at] == ']' && memchr(s.s + from, ':', at - from)) {
		h->place = (struct slice){ s.s + from, at - from };
		h->to = at + 1;
	}
	return true;
}

static bool find_head(struct triage_log *log, struct slice s, struct head *h)
{
	const char *p = s.s, *end = s.s + s.n;

	if (s.n > 30 && is_digit(*s.s) && tf_head(s, h))
		return true;
	while ((p = memchr(p, ':', (size_t)(end - p)))) {
		size_t at = (size_t)(p++ - s.s);

		if (at < 8 || s.n - at < 7 || s.s[at + 3] != ':' || s.s[at - 3] != ' ')
			continue;
		if (s.s[at - 6] == '-' ? python_head(s, at, h) : glog_head(log, s, at, h))
			return true;
	}
	return false;
}

/* The message begins there. */
static size_t behind_head(struct slice s, const struct head *h)
{
	return h->to + (h->to < s.n && s.s[h->to] == ' ');
}

static struct triage_record *record_of(struct triage_work *w, uint64_t prefix)
{
	struct triage_record *old = &w->records[0];

	for (size_t i = 0; i < TRIAGE_RECORDS; i++) {
		struct triage_record *r = &w->records[i];

		if (r->used && r->prefix == prefix) {
			r->used = ++w->ticks;
			return r;
		}
		if (r->used < old->used)
			old = r;
	}
	*old = (struct triage_record){ .prefix = prefix, .key = prefix, .used = ++w->ticks };
	return old;
}

static void count_record(struct triage_log *log, const struct head *h)
{
	log->records++;
	log->severities[strchr(severities, h->severity) - severities]++;
	log->formats[h->format]++;
	if (!*log->first)
		memcpy(log->first, h->time, sizeof log->first);
	memcpy(log->last, h->time, sizeof log->last);
}

struct slice triage_record_take(struct triage_work *w, struct slice s)
{
	struct triage_log *log = &w->logs[w->nlogs - 1];
	struct triage_prefixes prefixes = { .front = &w->unwrap.front };
	struct head h;
	bool counted = false;

	w->record = NULL;
	for (int i = 0; i < PREFIXES && s.n; i++) {
		size_t n = triage_prefix_next(&prefixes, s);

		if (!n) {
			h = (struct head){ 0 };
			if (counted &&
			    (s.n < 20 || !strchr("IWEFDC", *s.s) ||
				(s.s[1] > '9' && (s.s[1] < 'A' || s.s[1] > 'Z'))))
				break;
			if (!find_head(log, s, &h) || (counted && h.from))
				break;
			if (!counted) {
				count_record(log, &h);
				w->record = record_of(w, prefixes.key);
				w->record->format = h.format;
				w->record->severity = h.severity;
				memcpy(w->record->time, h.time, sizeof h.time);
				w->record->key =
				    hash_bytes(hash_bytes(prefixes.key + h.format, h.thread.s, h.thread.n),
					h.place.s, h.place.n);
				counted = true;
			}
			n = behind_head(s, &h);
		}
		s = (struct slice){ s.s + n, s.n - n };
	}
	w->headed = counted;
	w->bare = !w->record && !prefixes.key;
	if (!w->record)
		w->record = record_of(w, prefixes.key);
	return s;
}

bool triage_is_dated(struct slice s)
{
	return s.n > 20 && s.s[5] == ' ' && s.s[8] == ':' && s.s[11] == ':' && memchr("IWEF", *s.s, 4) &&
	    triage_digits(s.s + 1, 4) && triage_digits(s.s + 6, 2) && triage_digits(s.s + 9, 2) &&
	    triage_digits(s.s + 12, 2);
}

/* As triage_shape_is(), as far as the line goes: it may be cut. */
static bool begins_as(struct slice s, size_t at, const char *shape)
{
	for (size_t i = 0; at + i < s.n && shape[i]; i++)
		if (shape[i] == '0' ? !is_digit(s.s[at + i]) : shape[i] != s.s[at + i])
			return false;
	return true;
}

bool triage_is_headed(struct slice s)
{
	size_t level = 0;

	if (!s.n || is_digit(*s.s))
		return triage_shape_is(s, 0, "0000-00-00 00:00:00.0") && begins_as(s, 20, "000000:") &&
		    (s.n < 29 || memchr("IWEF", s.s[28], 4)) && begins_as(s, 29, " ");
	while (level < s.n && s.s[level] >= 'A' && s.s[level] <= 'Z')
		level++;
	if (level == 1)
		return triage_is_dated(s);
	return level > 3 && level + 3 < s.n && begins_as(s, level, " 00-00 00:00:00 [");
}

/* Measures what triage_record_take() would take off, and counts nothing: the line may be the rest of a wrapped one. */
static size_t plain_head_length(struct slice s, const struct triage_front *front, bool *prefixed,
    bool *headed)
{
	struct triage_log log = { .pid = -1 };
	struct triage_prefixes prefixes = { .front = front };
	struct slice at = s;

	for (int i = 0; i < PREFIXES && at.n; i++) {
		size_t n = triage_prefix_next(&prefixes, at);
		struct head h = { 0 };

		if (!n) {
			if (*headed || at.n < 20 || !(triage_digits(at.s, 1) || strchr("IWEFDC", *at.s)) ||
			    !find_head(&log, at, &h) || h.from)
				break;
			n = behind_head(at, &h);
			*headed = true;
		} else {
			*prefixed |= !prefixes.fronted || front->all;
		}
		at = (struct slice){ at.s + n, at.n - n };
	}
	return s.n - at.n;
}

size_t triage_head_length(struct slice s, const struct triage_front *front, bool *prefixed)
{
	bool headed = false;

	*prefixed = false;
	/* the shortest one */
	return s.n < (front->n ? 1 : sizeof "(pid=)" - 1) ? 0
							  : plain_head_length(s, front, prefixed, &headed);
}

bool triage_has_record(struct slice s, const struct triage_front *front)
{
	bool prefixed = false, headed = false;

	plain_head_length(s, front, &prefixed, &headed);
	return headed;
}

void triage_record_count(struct triage_work *w, size_t more)
{
	struct triage_log *log = &w->logs[w->nlogs - 1];

	if (!w->headed)
		return;
	log->records += more;
	log->severities[strchr(severities, w->record->severity) - severities] += more;
	log->formats[w->record->format] += more;
}

/* Returns where the date of a prefix in the first n bytes begins and ends: "2026-11-22T10:00:01.123Z", "2026-11-22
 * 10:00:01", "Nov 22 10:00:01".  That of a record of glog tells it from others. */
static size_t prefix_date(struct slice s, size_t n, size_t *end)
{
	size_t at = 0, from;
	const char *colon;

	while (at < n && (colon = memchr(s.s + at, ':', n - at))) {
		at = (size_t)(colon - s.s) + 1;
		from = at < 14 ? 0 : at - 14;
		if (at < 10 || !triage_shape_is(s, at - 3, "00:00:00"))
			continue;
		if (triage_shape_is(s, from, "0000-00-00")) {
			*end = from + (s.s[from + 10] == 'T' ? 30 : 19);
			if (*end + 1 < n && memchr(",.", s.s[*end], 2))
				for (++*end; *end < n && is_digit(s.s[*end]); ++*end)
					;
			return from;
		}
		from = at - 10;
		if (s.s[from + 3] == ' ' && s.s[from + 6] == ' ') {
			*end = from + (triage_shape_is(s, from + 15, ".") ? 22 : 15);
			return from;
		}
	}
	return *end = 0;
}

/* The prefixes of a line: a hash of what tells its process, and their length; false: nothing that all lines have is
 * among them. */
static bool is_fronted(const struct triage_front *front, struct slice s, uint64_t *key, size_t *length)
{
	struct triage_prefixes p = { .front = front };
	size_t whole = s.n, n;

	for (int i = 0; i < PREFIXES && s.n && (n = triage_prefix_next(&p, s)); i++)
		s = (struct slice){ s.s + n, s.n - n };
	*key = p.key;
	*length = whole - s.n;
	return p.fronted;
}

static bool same_front(const struct triage_front *front, struct slice a, struct slice b, size_t n)
{
	uint64_t key, other;
	size_t length;

	return is_fronted(front, a, &key, &length) && is_fronted(front, b, &other, &length) && key == other &&
	    length == n;
}

bool triage_same_head(const struct triage_front *front, struct slice a, struct slice b, size_t n)
{
	size_t from = 0, end = 0;

	if (a.n < n || b.n < n)
		return false;
	if (!memcmp(a.s, b.s, n))
		return true;
	from = prefix_date(a, n, &end);
	for (size_t i = 0; i < n; i++)
		if ((i < from || i >= end || !triage_digits(a.s + i, 1) || !triage_digits(b.s + i, 1)) &&
		    a.s[i] != b.s[i])
			return same_front(front, a, b, n);
	return true;
}

static char *word_after(struct slice s, const char *phrase)
{
	const char *p = slice_find(s, phrase);
	size_t n = 0;

	if (!p)
		return NULL;
	p += strlen(phrase);
	while (p + n < s.s + s.n && p[n] != ' ' && p[n] != '\t' && n < 255)
		n++;
	return n ? xstrndup(p, n) : NULL;
}

void triage_record_facts(struct triage_work *w, struct slice s)
{
	struct triage_log *log = &w->logs[w->nlogs - 1];
	char *word, *end;

	if (slice_begins(s, "Running on machine: ") && (word = word_after(s, "machine: "))) {
		free(log->host);
		log->host = word;
	}
	if (!log->build && slice_begins(s, "Build label: "))
		log->build = word_after(s, "label: ");
	if (slice_begins(s, "Log file created at: ") && triage_shape_is(s, 21, "0000/00/00"))
		log->year = atoi(s.s + 21), log->month = 0;
	if (log->pid < 0 && slice_begins(s, "Process id ") && (word = word_after(s, "id "))) {
		int64_t pid = strtoll(word, &end, 10);

		log->pid = end > word && pid >= 0 ? pid : -1;
		free(word);
	}
}

/* Takes facts from a file name of the form tpu_driver.HOST.USER.log.SEVERITY.YYYYMMDD-hhmmss.PID. */
static void name_facts(struct triage_log *log)
{
	static const char *const levels[] = { ".log.INFO.", ".log.WARNING.", ".log.ERROR.", ".log.FATAL." };
	const char *base = strrchr(log->path, '/'), *at, *driver;

	base = base ? base + 1 : log->path;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if ((at = strstr(base, levels[i]))) {
			struct slice date = { at + strlen(levels[i]), strlen(at) - strlen(levels[i]) };

			if (triage_shape_is(date, 0, "00000000-000000"))
				log->year = (int)strtol(date.s, NULL, 10) / 10000;
		}
	driver = strstr(base, "tpu_driver.");
	if (driver && (at = strstr(driver, ".log."))) {
		const char *host = driver + strlen("tpu_driver."), *user = at;

		while (user > host && user[-1] != '.')
			user--;
		if (user > host + 1)
			log->host = xstrndup(host, (size_t)(user - 1 - host));
	}
}

void triage_log_begin(struct triage_work *w, const char *path)
{
	struct triage_log *log;

	VEC_PUSH(w->logs, w->nlogs, w->logs_cap);
	log = &w->logs[w->nlogs++];
	*log = (struct triage_log){ .path = xstrdup(path), .pid = -1 };
	name_facts(log);
	for (size_t i = 0; i < TRIAGE_RECORDS; i++)
		w->records[i] = (struct triage_record){ 0 };
}

void triage_log_free(struct triage_log *log)
{
	free(log->path);
	free(log->host);
	free(log->build);
}
