/* The lines of a text for other analyses of logs, as triage reads them (tpuscope(7), TRIAGE): those that a
 * terminal wrapped are put together around the phrases that the analysis looks for; a lone \r ends one, too;
 * codes of a terminal, prefixes of launchers and the heads of log records are taken off; a repr() that has one
 * of the phrases is cut at its written-out line breaks.  Texts come in pieces of any size.  What is given is
 * valid during the call.  The caller frees the reader; one thread. */
#ifndef ANALYZE_TRIAGE_READER_H
#define ANALYZE_TRIAGE_READER_H

#include <stdint.h>

#include "base/text/slice.h"

struct text_reader;

struct text_line {
	struct slice s;
	uint64_t line;     /* of the text, from 1: its first one if it was wrapped */
	uint64_t process;  /* tells the prefixes of launchers apart; 0 = the line has none */
	struct slice host; /* that such a prefix names; empty: none */
};

/* A line that begins with one of the phrases is never the rest of a wrapped one.  They are not copied. */
struct text_reader *text_reader_new(const char *const *phrases, size_t n,
    void (*give)(void *ctx, const struct text_line *), void *ctx);
void text_reader_free(struct text_reader *);
void text_reader_begin(struct text_reader *, uint64_t line); /* a text whose first line has this number */
void text_reader_text(struct text_reader *, const char *, size_t);
void text_reader_end(struct text_reader *); /* gives the rest */

#endif
