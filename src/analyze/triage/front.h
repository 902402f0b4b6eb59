/* What every line of a text has in front, whatever wrote it: "2026-11-22 10:00:01,123 - root - ERROR - ",
 * "ERROR:absl:", "E   ", "train.log:12:".  No list of tools is needed: the lines agree in it, but for digits,
 * levels of logging and how many blanks there are.  A text whose lines begin so by chance is left alone: what is
 * in front has a time or a level, or all lines have it and go on differently; it holds no prose and no word of an
 * error.  A line that was wrapped has it only once.  Pure; the struct owns nothing. */
#ifndef ANALYZE_TRIAGE_FRONT_H
#define ANALYZE_TRIAGE_FRONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/slice.h"

#define FRONT_UNITS 96
#define FRONT_SAMPLE 300 /* lines that are compared */

/* A piece of a line: the levels of logging are alike, and so are numbers. */
enum front_kind { UNIT_CHARACTER, UNIT_BLANKS, UNIT_LEVEL, UNIT_NUMBER };
struct front_unit {
	uint8_t kind;
	char c; /* of a character */
	bool
	    counts; /* a number that goes on from line to line, as a clock does: it tells no processes apart */
	bool edge;  /* what is in front may end behind it */
};

struct triage_front {
	struct front_unit unit[FRONT_UNITS];
	uint32_t n;      /* 0: the lines have nothing in front */
	uint32_t least;  /* so many units tell that a line has it; it may go on otherwise */
	uint32_t blanks; /* at its end; more of them belong to the line */
	bool all;        /* lines without it are rests of wrapped lines, not more lines of a record */
};

/* of the lines without their known prefixes, of which there may be FRONT_SAMPLE */
void triage_front_find(struct triage_front *, const struct slice *line, size_t nlines);
/* Bytes of it at the beginning of a line; *key, unless NULL, gets a hash of what tells the process. */
size_t triage_front_length(const struct triage_front *, struct slice, uint64_t *key);

#endif
