/* A graph as the screen needs it: the analysis of one graph of the dump, its tree, the lines of the tree and their
 * table, and its edges.  If something is missing, `err` says why and the rest is empty.  Nothing of it changes after
 * it was made; threads may share it.  The caller frees. */
#ifndef ANALYZE_TF_SHOWN_H
#define ANALYZE_TF_SHOWN_H

#include "analyze/tf/analysis.h"
#include "analyze/tf/links.h"
#include "analyze/tf/rows.h"

struct tf_shown {
	struct tf_analysis a;
	struct tf_tree tree;
	struct tf_rows rows;
	struct tf_links links;
	struct table table; /* of the rows */
	struct err err;     /* status 0: all is there */
};

/* graph -1: the one that is used. */
void tf_shown_make(const struct dump *, int graph, bool series, struct tf_shown *);
void tf_shown_free(struct tf_shown *);
/* "a/b/(b)" of a line of the tree, cut at the beginning if it does not fit; returns buf. */
char *tf_shown_path(const struct tf_shown *, uint32_t line, char *buf, size_t size);

#endif
