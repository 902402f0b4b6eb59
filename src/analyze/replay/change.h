/* Shared by change.c and parse.c: what an expression changes. */
#ifndef ANALYZE_REPLAY_CHANGE_H
#define ANALYZE_REPLAY_CHANGE_H

#include "analyze/replay/internal.h"

#define ROOFLINE (-1.0)

enum selector { BY_OP, BY_CATEGORY, BY_KIND, BY_PHASE, BY_TRANSFER, BY_DMA, BY_HIDE };

struct selection {
	enum selector by;
	char *pattern;
	double factor; /* ROOFLINE: not above the bound */
	uint8_t *fits; /* by meta: 0 unknown yet, 1 no, 2 yes */
};

struct change {
	struct selection *v;
	size_t n, cap;
	bool *median, *host, *link; /* by core */
	bool any_median, any_host, any_link;
	double idle[IDLE_CAUSES];
	double input; /* the most that an infeed takes; NaN: unchanged */
	bool no_output;
	double **infeed_of; /* by core: by number of the op; NULL */
	double *gap;        /* by run: the median of the gaps before it; NaN */
	double *off;        /* by exchange: the median of the links; NaN */
	size_t ngaps;
};

#endif
