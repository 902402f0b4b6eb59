/* Shared by change.c and parse.c: what an expression changes.  parse.c fills in what it says, change_groups() and
 * change.c what follows of it for the ops of a replay; change.c frees all of it.  Times are ps.  One thread at a time:
 * effects are filled in while it is used. */
#ifndef ANALYZE_REPLAY_CHANGE_H
#define ANALYZE_REPLAY_CHANGE_H

#include "analyze/replay/internal.h"

#define ROOFLINE (-1.0)

enum selector { BY_OP, BY_CATEGORY, BY_KIND, BY_PHASE, BY_TRANSFER, BY_DMA, BY_HIDE };

struct selection {
	enum selector by;
	char *pattern;
	size_t len;
	bool wild;     /* the pattern is not just a text */
	double factor; /* ROOFLINE: not above the bound */
};

/* What all selections together make of a kind of op: own work to the smaller of d * factor and bound * roof, a transfer
 * or flight to so much of it, less what it can run beside.  Filled in when the first node of the kind is replayed. */
struct effect {
	double factor, roof, transfer;
	bool known, hide, unknown; /* unknown: waits that are not known would be changed */
};

struct change {
	struct selection *v;
	size_t n, cap;
	struct effect *effect;                 /* by meta */
	struct effect group[GROUP_FORMAT + 1]; /* of all ops of a group, where not by_node */
	bool by_node;                          /* what it does to an op depends on more than its group */
	bool in_run;                           /* it changes idle time in runs */
	bool *median, *host, *link;            /* by core */
	bool any_median, any_host, any_link;
	double idle[IDLE_CAUSES];
	double input; /* the most that an infeed takes; NaN: unchanged */
	bool no_output;
	double **infeed_of; /* by core: by number of the op; NULL */
	double *gap;        /* by run: the median of the gaps before it; NaN */
	double *off;        /* by exchange: the median of the links; NaN */
	size_t ngaps;
	bool *touches; /* set when it makes something another length */
};

void change_groups(struct change *); /* change.c: once it is read */

#endif
