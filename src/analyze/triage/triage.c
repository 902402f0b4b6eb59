#include "config.h"
#include "analyze/triage/triage.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/triage/internal.h"

void triage_begin(struct triage *t)
{
	struct triage_work *w = xcalloc(1, sizeof *w);

	*t = (struct triage){ .work = w };
	w->t = t;
	w->queue_end = &w->queue;
	w->until = UINT64_MAX;
	w->filter = triage_filter_new(&t->text, &w->kinds, &w->nkinds, w->special);
	triage_tables_init(t);
}

static void take_piece(struct triage_work *w, const char *s, size_t n, bool end)
{
	w->line += !w->piece;
	triage_line(w, (struct slice){ s, n });
	w->piece = !end;
}

static void file_end(struct triage_work *w)
{
	if (!w->nlogs)
		return;
	if (w->ncarry || w->piece)
		take_piece(w, w->carry ? w->carry : "", w->ncarry, true);
	w->ncarry = 0;
	w->piece = false;
	w->logs[w->nlogs - 1].lines = w->line;
	w->logs[w->nlogs - 1].bytes = w->offset;
	triage_close_all(w);
	triage_merge_file_end(w);
}

void triage_file(struct triage *t, const char *path)
{
	struct triage_work *w = t->work;

	file_end(w);
	triage_log_begin(w, path);
	w->line = w->offset = w->last_key = 0;
	w->until = UINT64_MAX;
}

static void carry(struct triage_work *w, const char *s, size_t n)
{
	if (w->ncarry + n > w->carry_cap) {
		w->carry_cap = 2 * (w->ncarry + n) + 256;
		w->carry = xrealloc(w->carry, w->carry_cap, 1);
	}
	memcpy(w->carry + w->ncarry, s, n);
	w->ncarry += n;
}

void triage_text(struct triage *t, const char *s, size_t n)
{
	struct triage_work *w = t->work;

	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t len = end ? (size_t)(end - s) : n;

		if (!end || w->ncarry) {
			size_t take = w->ncarry + len > TRIAGE_LINE_MAX ? TRIAGE_LINE_MAX - w->ncarry : len;

			carry(w, s, take);
			w->offset += take;
			s += take;
			n -= take;
			end = end && take == len ? end : NULL;
			if (end || w->ncarry == TRIAGE_LINE_MAX) {
				take_piece(w, w->carry, w->ncarry, end != NULL);
				w->ncarry = 0;
			}
		} else {
			take_piece(w, s, len, true);
			w->offset += len;
			s += len;
			n -= len;
		}
		if (end) {
			s++;
			n--;
			w->offset++;
		}
	}
}

void triage_dump(struct triage *t, const char *path)
{
	struct triage_work *w = t->work;

	VEC_PUSH(w->dumps, w->ndumps, w->dumps_cap);
	w->dumps[w->ndumps++] = xstrdup(path);
}

void triage_end(struct triage *t)
{
	struct triage_work *w = t->work;

	file_end(w);
	triage_merge_end(w);
	triage_join_dumps(w);
	triage_tables_fill(w);
	triage_findings(w);
}

static void work_free(struct triage_work *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->nrows; i++)
		triage_occurrence_free(w->rows[i]);
	for (struct triage_occurrence *o = w->queue, *next; o; o = next) {
		next = o->next;
		triage_occurrence_free(o);
	}
	for (size_t i = 0; i < w->nlogs; i++)
		triage_log_free(&w->logs[i]);
	for (size_t i = 0; i < w->ndumps; i++)
		free(w->dumps[i]);
	for (size_t i = 0; i < TRIAGE_CONTEXTS; i++)
		free(w->contexts[i].before);
	triage_filter_free(w->filter);
	free(w->dumps);
	free(w->kinds);
	free(w->logs);
	free(w->rows);
	free(w->buckets);
	free(w->seen);
	free(w->carry);
	free(w->clean);
	free(w->repr);
	free(w);
}

void triage_free(struct triage *t)
{
	work_free(t->work);
	facts_free(&t->summary);
	table_free(&t->errors);
	table_free(&t->buffers);
	table_free(&t->requirement);
	table_free(&t->spaces);
	table_free(&t->report);
	table_free(&t->logs);
	table_free(&t->findings);
	arena_free(&t->text);
	t->work = NULL;
}
