#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"

/* Reads so many digits; what is no digit, as in "--03-31", is 0. */
static int64_t digits_at(const char *s, int n)
{
	int64_t v = 0;

	for (int i = 0; i < n; i++)
		v = v * 10 + (is_digit(s[i]) ? s[i] - '0' : 0);
	return v;
}

/* "2026-03-31T19:10:58.655107", "--03-31T19:10:58" (triage_record.time) */
static int64_t time_of(const char *s)
{
	bool year = *s != '-';
	const char *date = s + (year ? 5 : 2), *clock = date + 6;
	int64_t day, micros = 0;

	if (!*s)
		return TRIAGE_NEVER;
	day = (digits_at(date, 2) * 32 + digits_at(date + 3, 2)) * 86400;
	if (clock[8] == '.')
		for (int i = 0, unit = 100000; i < 6 && clock[9 + i]; i++, unit /= 10)
			micros += unit * digits_at(clock + 9 + i, 1);
	return (year ? digits_at(s, 4) : 0) * TRIAGE_YEAR + micros +
	    (day + digits_at(clock, 2) * 3600 + digits_at(clock + 3, 2) * 60 + digits_at(clock + 6, 2)) *
	    1000000;
}

static void make_room(struct triage_lines *l)
{
	if (l->n < l->cap)
		return;
	l->cap = l->cap ? 2 * l->cap : 1024;
	l->at = xrealloc(l->at, l->cap + 1, sizeof *l->at);
	l->prefix = xrealloc(l->prefix, l->cap, sizeof *l->prefix);
	l->severity = xrealloc(l->severity, l->cap, 1);
	l->when = xrealloc(l->when, l->cap, sizeof *l->when);
}

static void add_line(struct triage_lines *l, struct triage_work *w, const char *text, struct slice line)
{
	struct slice rest = triage_record_take(w, line);
	size_t prefix = line.n - rest.n;

	make_room(l);
	triage_record_facts(w, rest);
	l->at[l->n] = (size_t)(line.s - text);
	l->prefix[l->n] = prefix < UINT16_MAX ? (uint16_t)prefix : 0;
	l->severity[l->n] = w->record->severity ? w->record->severity : ' ';
	l->when[l->n] = prefix || !l->n ? time_of(w->record->time) : l->when[l->n - 1];
	l->n++;
}

void triage_lines_find(const char *path, const char *text, size_t n, struct progress *p,
    struct triage_lines *l)
{
	const char *s = text, *end = text + n;
	struct triage_work w = { 0 };

	*l = (struct triage_lines){ 0 };
	triage_log_begin(&w, path);
	triage_front_find(&w.unwrap.front, text, n, NULL);
	while (s < end && !(l->n % 4096 == 0 && progress_canceled(p))) {
		const char *next = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((next ? next : end) - s);

		add_line(l, &w, text, (struct slice){ s, len && s[len - 1] == '\r' ? len - 1 : len });
		s += len + (next != NULL);
	}
	if (!l->at)
		l->at = xcalloc(1, sizeof *l->at);
	l->at[l->n] = n;
	triage_log_free(&w.logs[0]);
	free(w.logs);
}

void triage_lines_free(struct triage_lines *l)
{
	free(l->at);
	free(l->prefix);
	free(l->severity);
	free(l->when);
	*l = (struct triage_lines){ 0 };
}
