#include "config.h"
#include "analyze/triage/internal.h"

#include <stdlib.h>
#include <string.h>

static void add(struct triage_lines *l, struct triage_work *w, const char *text, struct slice line)
{
	struct slice rest = triage_record_take(w, line);

	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->at = xrealloc(l->at, l->cap + 1, sizeof *l->at);
		l->prefix = xrealloc(l->prefix, l->cap, sizeof *l->prefix);
		l->severity = xrealloc(l->severity, l->cap, 1);
	}
	l->at[l->n] = (size_t)(line.s - text);
	l->prefix[l->n] = line.n - rest.n < UINT16_MAX ? (uint16_t)(line.n - rest.n) : 0;
	l->severity[l->n++] = w->record->severity ? w->record->severity : ' ';
}

void triage_lines_find(const char *text, size_t n, struct progress *p, struct triage_lines *l)
{
	const char *s = text, *end = text + n;
	struct triage_work w = { 0 };

	*l = (struct triage_lines){ 0 };
	triage_log_begin(&w, "");
	while (s < end && !(l->n % 4096 == 0 && progress_canceled(p))) {
		const char *next = memchr(s, '\n', (size_t)(end - s));
		size_t len = (size_t)((next ? next : end) - s);

		add(l, &w, text, (struct slice){ s, len && s[len - 1] == '\r' ? len - 1 : len });
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
	*l = (struct triage_lines){ 0 };
}
