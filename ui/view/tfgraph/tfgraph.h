/* A graph of TensorFlow (analyze/tf/shown.h, RESULT_TF_GRAPH and _LINES) as a tree of name scopes, and which of its ops
 * a TPU can run.  Pages beside the tree: the ops by count, the nodes that a TPU cannot run, and one node with what it
 * reads and what reads it, where Enter goes on to the next.  It shares the tab of HLO graphs.  tfgraph.c is the view,
 * pages.c makes the tables of its pages, card.c says what is selected. */
#ifndef VIEW_TFGRAPH_TFGRAPH_H
#define VIEW_TFGRAPH_TFGRAPH_H

#include "analyze/tf/shown.h"
#include "core/view.h"
#include "view/frame.h"

enum tf_page { TF_TREE, TF_OPS, TF_LIST, TF_NODE, TF_PAGES };

/* A line of the page of one node: a function that it calls, something that it reads, or that reads it, or an
 * attribute. */
struct tf_line {
	const char *kind; /* static */
	struct slice name, what;
	uint32_t node; /* of a function its first one; TF_NO_NODE: nothing to go to */
	bool function;
};

struct tfgraph {
	struct frame frame;
	/* results, requested again for each drawing; NULL = not ready */
	const struct tf_shown *shown;
	const struct tf_lines *lines;
	enum tf_page page, from; /* from: the page that the node was opened from */
	struct sheet sheet[TF_PAGES];
	struct table table[TF_PAGES]; /* of all pages but the tree */
	uint32_t *listed;             /* node of each row of the list */
	struct tf_line *line;
	size_t nlines, lines_cap;
	struct arena text; /* of the lines */
	uint32_t node;     /* of that page */
	struct ref want;   /* to show when the graph is ready; REF_NONE = nothing */
	bool ordered;      /* the order of the first tree was chosen */
};

/* The node of the line under the cursor; TF_NO_NODE: there is none. */
uint32_t tfgraph_node_here(const struct tfgraph *);
const struct tf_row *tfgraph_row_here(const struct tfgraph *); /* of the tree; NULL: another page, or none */

/* pages.c */
extern const struct schema tf_node_schema;
void tfgraph_make_tree(struct tfgraph *);
void tfgraph_make_page(struct tfgraph *, enum tf_page); /* unless it is there */
void tfgraph_make_node(struct tfgraph *, uint32_t node);
void tfgraph_free_pages(struct tfgraph *);

/* card.c */
int tfgraph_card(struct view *, struct canvas *, struct rect, enum frame_card);

#endif
