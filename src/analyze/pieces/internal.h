/* Shared by the files behind cut.h: the walk over one core. */
#ifndef ANALYZE_PIECES_INTERNAL_H
#define ANALYZE_PIECES_INTERNAL_H

#include "analyze/pieces/cut.h"
#include "analyze/trace/clock.h"

/* A start that waits for its done; of one slot, in order. */
struct open_flight {
	struct cut_op op;
	uint32_t next; /* its index + 1 */
};

struct flights { /* flights.c */
	struct open_flight *v;
	size_t n, cap;
	uint32_t *first, *last; /* by slot: index + 1 */
	uint32_t free;          /* of places that can be used again */
};

struct mark { /* a border of a step */
	int64_t time;
	uint32_t step;
	bool end, plain;
	bool begun; /* it ends a step that began earlier */
};

struct cutter {
	const struct cut_ops *ops;
	const struct cut_visitor *visitor;
	struct cut_core *core;
	struct progress *progress;
	struct clock_names names;
	strid reduce;
	int64_t cursor; /* all before is cut; INT64_MIN: nothing yet */
	int64_t shift;  /* of the op that was over last */
	struct cut_op *open;
	size_t depth, cap;
	struct flights flights;
	struct spans run, barrier, dependency; /* on the host's clock */
	struct mark *mark;
	size_t nmarks, at_mark;
	int64_t steps_from, steps_to; /* extent of the markers; empty: there are none */
};

void flights_begin(struct flights *, uint32_t nslots);
void flights_take(struct cutter *, const struct cut_op *, const struct cut_at *end);
void flights_end(struct cutter *); /* starts without a done */
void flights_free(struct flights *);

/* marks.c */
void marks_begin(struct cutter *, const struct step *row, size_t nrows);
/* The next border before that time, if there is one. */
bool marks_next(struct cutter *, int64_t before, int64_t begin_shift, int64_t end_shift, int64_t *at);
void marks_pass(struct cutter *, int64_t at);

/* lines.c: what lies beside the ops */
void lines_read(struct cutter *);

#endif
