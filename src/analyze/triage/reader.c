#include "config.h"
#include "analyze/triage/reader.h"

#include <stdlib.h>

#include "analyze/triage/internal.h"

struct text_reader {
	struct triage_work work; /* first: other() gets it */
	void (*give)(void *ctx, const struct text_line *);
	void *ctx;
	const char *const *phrases;
	size_t nphrases;
};

/* "2021-04-19 13:28:12 10.164.0.25 [0] ": the third word */
static struct slice host_of(struct slice prefix)
{
	enum { DATED = 20 };
	size_t n = 0;

	if (prefix.n <= DATED || prefix.s[4] != '-' || prefix.s[DATED - 1] != ' ')
		return (struct slice){ NULL, 0 };
	while (DATED + n < prefix.n && prefix.s[DATED + n] != ' ')
		n++;
	return slice_begins((struct slice){ prefix.s + DATED + n, prefix.n - DATED - n }, " [")
	    ? (struct slice){ prefix.s + DATED, n }
	    : (struct slice){ NULL, 0 };
}

static void give_line(struct triage_work *w, struct slice s)
{
	struct text_reader *r = (struct text_reader *)(void *)w;

	r->give(r->ctx, &(struct text_line){ s, w->line, w->record->prefix, host_of(w->prefix) });
}

static bool begins(void *ctx, struct slice s)
{
	const struct text_reader *r = ctx;

	for (size_t i = 0; i < r->nphrases; i++)
		if (s.n && *s.s == *r->phrases[i] && slice_begins(s, r->phrases[i]))
			return true;
	return false;
}

static void take_line(void *ctx, struct slice s, size_t lines, uint64_t at, bool ended)
{
	struct triage_work *w = ctx;

	(void)at;
	w->line += !w->piece;
	triage_line(w, s);
	w->line += lines - 1;
	w->piece = !ended;
}

struct text_reader *text_reader_new(const char *const *phrases, size_t n,
    void (*give)(void *ctx, const struct text_line *), void *ctx)
{
	struct text_reader *r = xcalloc(1, sizeof *r);
	struct triage_work *w = &r->work;

	r->give = give;
	r->ctx = ctx;
	r->phrases = phrases;
	r->nphrases = n;
	w->other = give_line;
	w->filter = triage_filter_of(phrases, n);
	w->unwrap = (struct unwrap){ .filter = w->filter, .begins = begins, .give = take_line, .ctx = w };
	triage_log_begin(w, "");
	return r;
}

void text_reader_begin(struct text_reader *r, uint64_t line)
{
	r->work.line = line - 1;
	r->work.piece = false;
}

void text_reader_text(struct text_reader *r, const char *s, size_t n)
{
	unwrap_text(&r->work.unwrap, s, n);
}

void text_reader_end(struct text_reader *r)
{
	unwrap_end(&r->work.unwrap);
}

void text_reader_free(struct text_reader *r)
{
	if (!r)
		return;
	triage_filter_free(r->work.filter);
	unwrap_free(&r->work.unwrap);
	triage_log_free(&r->work.logs[0]);
	free(r->work.logs);
	free(r->work.clean);
	free(r->work.repr);
	free(r);
}
