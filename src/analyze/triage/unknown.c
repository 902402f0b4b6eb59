#include "config.h"
#include "analyze/triage/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/text/digit.h"

#define NAME_LONGEST 120 /* bytes of the name of an exception */
#define RELATED 500      /* lines within which an exception belongs to the record that announces it */

static bool is_name(char c)
{
	return ((c | 32) >= 'a' && (c | 32) <= 'z') || is_digit(c) || c == '.' || c == '_';
}

/* The level that a logger puts in front of a line: "2026-11-22 10:00:01 - root - ERROR - ", "[FATAL] ". */
static char level_in(struct slice front)
{
	static const struct {
		const char *name;
		char severity;
	} levels[] = { { "ERROR", 'E' }, { "[error", 'E' }, { "SEVERE", 'E' }, { "FATAL", 'F' },
		{ "CRITICAL", 'F' } };

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (slice_find(front, levels[i].name))
			return levels[i].severity;
	return 0;
}

/* "jax.errors.JaxRuntimeError: INTERNAL: ...", "ValueError: ...": the last line of a traceback, which alone is one only
 * if a status in capitals follows. */
static bool is_exception(struct slice s, bool traceback)
{
	struct slice name = { s.s, 0 };
	size_t n, capitals = 0;

	while (name.n < s.n && name.n < NAME_LONGEST && is_name(s.s[name.n]))
		name.n++;
	if (name.n + 2 >= s.n || s.s[name.n] != ':' || s.s[name.n + 1] != ' ' ||
	    !(slice_ends(name, "Error") || slice_ends(name, "Exception")))
		return false;
	for (n = name.n + 2; n < s.n && ((s.s[n] >= 'A' && s.s[n] <= 'Z') || s.s[n] == '_'); n++)
		capitals++;
	return traceback || (capitals > 4 && n < s.n && s.s[n] == ':');
}

static void keep_text(char *to, size_t size, struct slice s)
{
	size_t n = s.n < size - 1 ? s.n : size - 1;

	while (n && n < s.n && (s.s[n] & 0xc0) == 0x80) /* never cut inside a UTF-8 character */
		n--;
	for (size_t i = 0; i < n; i++)
		to[i] = s.s[i] ? s.s[i] : ' ';
	to[n] = 0;
}

/* "client.h:88" of the head of a record */
static struct slice source_of(struct slice head)
{
	const char *end = memrchr(head.s, ']', head.n), *from = end;

	while (end && from > head.s && from[-1] > ' ' && from[-1] != '[')
		from--;
	return end && memchr(from, ':', (size_t)(end - from)) ? (struct slice){ from, (size_t)(end - from) }
							      : (struct slice){ NULL, 0 };
}

static int rank_of(char severity)
{
	return severity == 'F' ? 2 : severity == 'E' ? 1 : 0;
}

/* The record that waited is over, and no rule knows it. */
void triage_unknown_decide(struct triage_work *w)
{
	struct triage_unknown *u = &w->waiting, *first = &w->unknown;

	if (rank_of(u->severity) > rank_of(first->severity)) {
		*first = *u;
	} else if (u->severity && u->severity == first->severity) {
		first->count++;
		if (!*first->exception && u->file == first->file && u->line < first->line + RELATED)
			memcpy(first->exception, u->exception, sizeof first->exception);
	}
	u->severity = 0;
}

static void begin_record(struct triage_work *w, char severity, struct slice s)
{
	struct triage_unknown *u = &w->waiting;

	u->severity = s.n ? severity : 0;
	u->key = w->headed ? w->record->key : 0;
	u->file = w->nlogs - 1;
	memcpy(u->time, w->record->severity ? w->record->time : "", w->record->severity ? sizeof u->time : 1);
	if (!u->severity)
		return;
	u->line = w->line;
	u->place = w->place;
	u->count = 1;
	*u->exception = 0;
	keep_text(u->message, sizeof u->message, s);
	keep_text(u->source, sizeof u->source, source_of(w->prefix));
}

/* A message of several lines, each of which got the head of the record */
static bool is_same_record(const struct triage_work *w, const struct triage_unknown *u)
{
	return w->headed && u->key == w->record->key && u->file + 1 == w->nlogs &&
	    !strcmp(u->time, w->record->time);
}

void triage_unknown_line(struct triage_work *w, struct slice s, bool known)
{
	struct triage_unknown *u = &w->waiting;
	char severity = w->headed ? w->record->severity : w->prefix.n ? level_in(w->prefix) : 0;
	bool exception;

	if (w->headed && !rank_of(severity)) { /* most lines of a log */
		if (u->severity)
			triage_unknown_decide(w);
		u->key = 0;
		return;
	}
	if (!severity && !s.n)
		return;
	if (s.n && *s.s == 'T' && slice_begins(s, "Traceback (most recent call last)"))
		w->traceback = true;
	exception =
	    (!w->headed || rank_of(severity) || w->traceback) && is_exception(s, w->traceback || u->severity);
	if (exception && !severity && !u->severity)
		severity = 'E';
	if ((severity || w->headed) && !is_same_record(w, u)) {
		triage_unknown_decide(w);
		begin_record(w, severity, slice_trim(s));
	}
	if (known)
		u->severity = 0;
	else if (exception && u->severity)
		keep_text(u->exception, sizeof u->exception, slice_trim(s));
	w->traceback &= !exception;
}

/* A rule knows an error that is as bad. */
static bool is_explained(const struct triage_work *w, int rank)
{
	for (size_t i = 0; i < w->nrows; i++) {
		const char *severity = w->kinds[w->rows[i]->kind].severity;

		if (rank_of(!strcmp(severity, "fatal") ? 'F' : !strcmp(severity, "error") ? 'E' : 0) >= rank)
			return true;
	}
	return false;
}

void triage_unknown_end(struct triage_work *w)
{
	struct triage_unknown *u = &w->unknown;
	int kind = w->special[u->severity == 'F' ? KIND_UNKNOWN_FATAL : KIND_UNKNOWN_ERROR];
	struct triage_occurrence *o;
	char text[sizeof u->message + sizeof u->exception + 8];

	if (!u->severity || kind < 0 || is_explained(w, rank_of(u->severity)))
		return;
	o = xcalloc(1, sizeof *o);
	o->kind = kind;
	o->file = u->file;
	o->line = u->line;
	o->place = u->place;
	o->count = u->count;
	o->closed = true;
	for (int i = 0; i < NUM_COUNT; i++)
		o->num[i] = SIZE_NONE;
	snprintf(text, sizeof text, "%s%s%s", u->message,
	    *u->exception && !strstr(u->message, u->exception) ? "; " : "",
	    strstr(u->message, u->exception) ? "" : u->exception);
	triage_set(o, TEXT_MESSAGE, slice_of(text));
	triage_set(o, TEXT_TIME, slice_of(u->time));
	o->source = *u->source ? arena_strndup(&o->arena, u->source, strlen(u->source)) : NULL;
	o->advice = w->kinds[kind].advice;
	triage_code(o, slice_of(text));
	*w->queue_end = o;
	w->queue_end = &o->next;
	triage_merge_queue(w);
}
