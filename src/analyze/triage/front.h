/* What stands in front of the lines of a log; it is taken off before anything is looked for.  A front is, in any order:
 *
 *     known   one of the shapes of front.c, which a line shows alone: of launchers, containers and syslog
 *     open    a time or a level with what goes with it: process, thread, [brackets], file:line, logger
 *     common  what the lines of the text agree in, but for numbers, levels of logging and how many blanks there are:
 *             "worker-3: ", "E   ", "train.log:12:", "node 0 stderr: "; no list of tools is needed for it
 *
 * The head of a record (records.c) ends it.  A text whose lines begin alike by chance is left alone: what is common has
 * a time or a level, or all lines have it and go on differently; it holds no prose and no word of an error.  A line
 * that was wrapped has it only once.  Pure; nothing is owned. */
#ifndef ANALYZE_TRIAGE_FRONT_H
#define ANALYZE_TRIAGE_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/slice.h"

#define FRONT_UNITS 96   /* of a line: words by their letters, a number, a level, blanks */
#define FRONT_SAMPLE 300 /* lines that are compared */

struct triage_filter;

/* What the lines of a text have in common. */
struct triage_front {
	char unit[FRONT_UNITS + 2]; /* 0 behind them */
	bool counts
	    [FRONT_UNITS]; /* a number that goes on from line to line, as a clock does: it tells no process */
	uint32_t n;        /* 0: the lines have nothing in common */
	uint32_t least;    /* so many units tell that a line has it; it may go on otherwise */
	uint32_t blanks;   /* at its end; more of them belong to the line */
	bool all;          /* lines without it are rests of wrapped lines, not more lines of a record */
};

/* The front of one line, which is taken off piece by piece. */
struct triage_prefixes {
	const struct triage_front *front; /* of the text */
	bool fronted;                     /* what is open or common was looked for */
	uint64_t key;                     /* hash of what tells the process: no times */
};

/* of the beginning of a text; what the filter looks for, unless it is NULL, is none */
void triage_front_find(struct triage_front *, const char *, size_t, const struct triage_filter *);
/* Returns the length of the next piece at the beginning of what is left of a line, with the blank behind it. */
size_t triage_prefix_next(struct triage_prefixes *, struct slice);

#endif
