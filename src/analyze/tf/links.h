/* Which nodes a node gets its inputs from, and which read what it makes.  Names are looked up within the same
 * function, or outside of functions.  Made from the nodes, which must outlive it; the caller frees. */
#ifndef ANALYZE_TF_LINKS_H
#define ANALYZE_TF_LINKS_H

#include "model/tf/attr.h"

#define TF_NO_LINK UINT32_MAX

struct tf_links {
	const struct tf_nodes *nodes;
	uint32_t *slot, mask; /* nodes by name: index + 1; open addressing */
	uint32_t *first;      /* of each node, its first reader; [n]: the end */
	uint32_t *reader;
	/* outside of functions: inputs from nodes that are not there, the first of them, and nodes with the name
	 * of another one */
	size_t dangling, repeated;
	struct slice first_dangling;
};

int tf_links_make(const struct tf_nodes *, struct tf_links *, struct err *); /* -1: not enough memory */
void tf_links_free(struct tf_links *);
/* The node of that name in a function (TF_NO_FUNCTION: outside of functions); TF_NO_LINK: there is none. */
uint32_t tf_links_find(const struct tf_links *, uint32_t function, struct slice name);
/* "2 inputs come from nodes that are not in the graph (first: x)", what is wrong with the edges; "": nothing. */
char *tf_links_damage(const struct tf_links *, char *buf, size_t);

#endif
