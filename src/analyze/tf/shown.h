/* A graph as the screen needs it: the analysis of one graph of the dump, its tree and its edges; and, made again for
 * other series, the lines of the tree and their table.  If something is missing, `err` says why and the rest is empty.
 * Nothing of it changes after it was made; threads may share it.  The caller frees. */
#ifndef ANALYZE_TF_SHOWN_H
#define ANALYZE_TF_SHOWN_H

#include "analyze/tf/analysis.h"
#include "analyze/tf/links.h"
#include "analyze/tf/rows.h"

struct tf_shown {
	struct tf_analysis a;
	struct tf_tree tree;
	struct tf_links links;
	struct err err; /* status 0: all is there */
};

/* They point into the graph that they were made from; its `err` is theirs, too. */
struct tf_lines {
	struct tf_rows rows;
	struct table table; /* of the rows */
	struct err err;
};

/* graph -1: the one that is used. */
void tf_shown_make(const struct dump *, int graph, struct tf_shown *);
void tf_shown_free(struct tf_shown *);
void tf_lines_make(const struct tf_shown *, bool series, struct tf_lines *);
void tf_lines_free(struct tf_lines *);
/* "a/b/(b)" of a line of the tree, cut at the beginning if it does not fit; returns buf. */
char *tf_shown_path(const struct tf_shown *, uint32_t line, char *buf, size_t size);

#endif
