/* One graph of a dump with what is known of it: its nodes, which of them a TPU runs, and the table of ops that this
 * comes from.  The caller frees (tf_analysis_free). */
#ifndef ANALYZE_TF_ANALYSIS_H
#define ANALYZE_TF_ANALYSIS_H

#include "analyze/tf/compat.h"

struct tf_analysis {
	const struct tf_graph *graph;
	struct tf_ops ops;
	struct tf_nodes nodes;
	struct tf_compat compat;
};

/* The graph of that number or tag, NULL: the one that is used.  NULL with err: there is none (EXIT_NOTHING), or no such
 * one (EXIT_USAGE). */
const struct tf_graph *tf_analysis_pick(const struct dump *, const char *graph, struct err *);
/* Picks a graph to show, not to judge: a Keras model is one if there is nothing else. */
const struct tf_graph *tf_analysis_pick_any(const struct dump *, const char *graph, struct err *);
/* -1 with err: the table of the user is wrong (EXIT_USAGE), or not enough memory. */
int tf_analysis_make(const struct tf_graph *, struct tf_analysis *, struct err *);
void tf_analysis_free(struct tf_analysis *);

#endif
