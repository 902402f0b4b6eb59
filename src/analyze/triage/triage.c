#include "config.h"
#include "analyze/triage/triage.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/triage/internal.h"

/* Lines that came out of a cover have numbers of their own. */
static void number_line(struct triage_work *w)
{
	struct triage_covered *c = &w->covered;

	if (w->piece)
		return;
	if (c->next == c->n) {
		w->line++;
		return;
	}
	w->line = c->line[c->next++];
	if (c->next < c->n / 2)
		return;
	memmove(c->line, c->line + c->next, (c->n - c->next) * sizeof *c->line);
	c->n -= c->next;
	c->next = 0;
}

static void take_line(void *ctx, struct slice s, size_t lines, uint64_t at, bool ended)
{
	struct triage_work *w = ctx;

	number_line(w);
	w->place++;
	w->offset = at;
	triage_line(w, s);
	triage_record_count(w, w->unwrap.heads);
	w->piece = false;
	for (size_t i = 1; i < lines; i++)
		number_line(w);
	w->piece = !ended;
}

static void take_text(void *ctx, const char *s, size_t n, uint64_t line)
{
	struct triage_work *w = ctx;

	if (line)
		VEC_ADD(w->covered.line, w->covered.n, w->covered.cap, line);
	unwrap_text(&w->unwrap, s, n);
}

void triage_begin(struct triage *t)
{
	struct triage_work *w = xcalloc(1, sizeof *w);

	*t = (struct triage){ .work = w };
	w->t = t;
	w->queue_end = &w->queue;
	w->until = UINT64_MAX;
	w->filter = triage_filter_new(&t->text, &w->kinds, &w->nkinds, w->special);
	w->unwrap = (struct unwrap){ .filter = w->filter, .give = take_line, .ctx = w };
	w->cover = cover_new(take_text, w);
	triage_tables_init(t);
}

static void file_end(struct triage_work *w)
{
	uint64_t lines;

	if (!w->nlogs)
		return;
	lines = cover_end(w->cover);
	unwrap_end(&w->unwrap);
	w->piece = false;
	w->covered.n = w->covered.next = 0;
	w->logs[w->nlogs - 1].lines = lines ? lines : w->line;
	w->logs[w->nlogs - 1].bytes = w->bytes;
	triage_unknown_decide(w);
	w->traceback = false;
	triage_close_all(w);
	triage_merge_file_end(w);
}

void triage_file(struct triage *t, const char *path)
{
	struct triage_work *w = t->work;

	file_end(w);
	triage_log_begin(w, path);
	w->line = w->place = w->offset = w->bytes = w->last_key = w->gpu_key = 0;
	w->until = UINT64_MAX;
}

void triage_text(struct triage *t, const char *s, size_t n)
{
	t->work->bytes += n;
	cover_text(t->work->cover, s, n);
}

void triage_dump(struct triage *t, const char *path)
{
	struct triage_work *w = t->work;

	VEC_ADD(w->dumps, w->ndumps, w->dumps_cap, xstrdup(path));
}

void triage_end(struct triage *t)
{
	struct triage_work *w = t->work;

	file_end(w);
	triage_unknown_end(w);
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
	unwrap_free(&w->unwrap);
	cover_free(w->cover);
	free(w->covered.line);
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
