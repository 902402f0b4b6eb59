/* Puts lines together again that a terminal, a mail or a notebook has wrapped (tpuscope(7), TRIAGE), before
 * anything is looked for in them.  A stretch of lines in which no phrase is found even without blanks and line breaks
 * passes unchanged.  Elsewhere a break is a wrap if a known sentence lies over it (squeeze.h), or if the columns of the
 * lines around and what both lines say make it likely (unwrap_joint.c).  A prefix that a log puts in front of every
 * line is taken off the joined ones; what was put around a text to show it to others is no part of it
 * (unwrap_clean.c).
 * A text of at most UNWRAP_AROUND lines, such as a paste, is put together twice, because it may have been wrapped when
 * it was written and again when it was shown.
 * Lines and offsets that are given count those of the text as it came.
 * Lines are given on as soon as UNWRAP_AROUND lines after them are known; unwrap_end() gives the rest.  What is
 * given is valid during the call.  Each line is looked at a bounded number of times.  Part of a triage; one
 * thread. */
#ifndef ANALYZE_TRIAGE_UNWRAP_H
#define ANALYZE_TRIAGE_UNWRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/triage/front.h"
#include "analyze/triage/squeeze.h"
#include "base/text/slice.h"

#define UNWRAP_AROUND 64             /* lines that are looked at before and after one */
#define UNWRAP_NO_COLUMNS UINT32_MAX /* of a line that cannot be part of any wrapping */

/* A line break. */
struct unwrap_break {
	bool ends;               /* the next line begins something */
	bool alike;              /* both lines begin alike */
	enum squeeze_joint said; /* a known sentence lies over it */
	bool asked;
	bool whole;      /* a word ends before it, by the looks of both ends */
	bool headed;     /* there is nothing but the head of a record before it, and none behind it */
	bool inside;     /* a word goes on behind it, by the looks of both ends */
	bool blank;      /* the last character before it is one */
	uint32_t prefix; /* bytes of the prefix of the next line */
	uint32_t word,
	    last_word;   /* columns: the first word behind it, 0 when a blank is there; the last before */
	uint32_t before; /* columns of the prefix and the blanks before the text */
};

/* Which phrases a line has: none, some, or those of an error. */
enum unwrap_says { SAYS_UNKNOWN, SAYS_NOTHING, SAYS_SOMETHING, SAYS_ERROR };

enum unwrap_joint { JOINT_NONE, JOINT_TIGHT, JOINT_BLANK };

struct unwrap_line {
	size_t at, n;  /* in the bytes, without its end; not of lines that were given on */
	uint32_t cols; /* as a terminal shows them */
	/* of the text as it came: how many lines it is, where they begin, and heads of records that are gone from it */
	size_t lines, heads;
	uint64_t from;
	uint32_t head;
	bool later, prefixed;
	enum unwrap_says says; /* in it */
	struct unwrap_break after;
};

/* Marks and blanks that were put around each line of a text to show it to others. */
struct unwrap_dress {
	size_t margin;    /* blanks */
	const char *mark; /* behind them, perhaps several times; NULL: none */
	bool wrapped;     /* lines were wrapped with it: their rests have none */
	bool padded;      /* all lines are as wide as the screen */
	size_t tail;      /* blanks that all lines end with otherwise */
};

struct unwrap {
	char *bytes;        /* that were not given on */
	size_t n, cap, cut; /* cut: those before it are in lines */
	uint64_t given;     /* bytes before them */
	/* UNWRAP_AROUND lines or fewer that were given on, and those that are known after them */
	struct unwrap_line *line;
	size_t next, nlines, lines_cap; /* next: the first that was not given on */
	char *joined;                   /* the line that is being put together */
	size_t njoined, joined_cap;
	size_t heads; /* of records, that were joined to the line that is given: each began a record */
	size_t fresh; /* bytes that came since lines were given on */
	bool plain;   /* the bytes that are cut into lines are ASCII without codes of a terminal */
	struct triage_front front;
	struct unwrap_dress dress;
	bool codes; /* of a terminal count as columns */
	/* quiet: no phrase is in the lines that are known; silent: nor in the one that is given */
	bool heard, quiet, silent;
	enum unwrap_says says; /* what the joined line says up to now */
	const struct triage_filter *filter;
	/* a line that begins so is no rest of the one before it; NULL: none more than triage knows */
	bool (*begins)(void *ctx, struct slice);
	/* s: a line without its end; lines: how many it was; at: where it began in the text; ended: false when
	 * the rest of a very long line follows */
	void (*give)(void *ctx, struct slice s, size_t lines, uint64_t at, bool ended);
	void *ctx;
};

void unwrap_text(struct unwrap *, const char *, size_t);
void unwrap_end(struct unwrap *); /* of a file; another one may follow */
void unwrap_free(struct unwrap *);

uint32_t unwrap_head(struct unwrap *, size_t i); /* of line i, which was not given on */

/* unwrap_clean.c: what is no part of a text */
size_t unwrap_code_length(struct slice,
    size_t at); /* of a code of a terminal; 0: there is none, or only its beginning */
void unwrap_dress_find(struct unwrap_dress *, struct slice beginning);
struct slice unwrap_without_padding(const struct unwrap_dress *, struct slice line);
/* Bytes of it in front of a line; *uncounted: columns that the lines did not have when they were wrapped. */
size_t unwrap_dress_length(const struct unwrap_dress *, struct slice, size_t *uncounted);
/* Takes codes of a terminal out of the n bytes of a line; typographic quotes and blanks become plain ones; a fence of
 * Markdown, an empty line.  Returns how many bytes are left.  plain: they are ASCII without such codes. */
size_t unwrap_undress(char *, size_t n, bool plain);

/* unwrap_joint.c */
void unwrap_break_find(struct unwrap *,
    size_t i); /* describes the break after line i, which is not the last one */
/* How the line that begins at line `first` and was joined up to line i goes on in the next one. */
enum unwrap_joint unwrap_joint(struct unwrap *, size_t first, size_t i);

#endif
