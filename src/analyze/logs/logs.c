#include "config.h"
#include "analyze/logs/internal.h"

#include <stdlib.h>

void logs_take(struct logs *l, struct log_text *texts, size_t n)
{
	*l = (struct logs){ .texts = texts, .ntexts = n };
}

void logs_read(struct logs *l, struct progress *p)
{
	for (size_t i = 0; i < l->ntexts; i++) {
		struct log_text *t = &l->texts[i];

		triage_lines_free(&t->lines);
		triage_lines_find(t->path, t->bytes, t->n, p, &t->lines);
	}
	free(l->order);
	l->order = NULL;
	l->n = l->ntexts ? l->texts[0].lines.n : 0;
	if (l->ntexts > 1)
		logs_merge(l, p);
}

struct log_line logs_line(const struct logs *l, size_t i)
{
	return l->order ? l->order[i] : (struct log_line){ .line = i };
}

struct slice logs_bytes(const struct logs *l, struct log_line at)
{
	const struct log_text *t = &l->texts[at.text];
	size_t from = t->lines.at[at.line], to = t->lines.at[at.line + 1];

	while (to > from && (t->bytes[to - 1] == '\n' || t->bytes[to - 1] == '\r'))
		to--;
	return (struct slice){ t->bytes + from, to - from };
}

void logs_free(struct logs *l)
{
	for (size_t i = 0; i < l->ntexts; i++)
		triage_lines_free(&l->texts[i].lines);
	free(l->texts);
	free(l->order);
	*l = (struct logs){ 0 };
}
