/* A neighborhood as a picture in character cells: instructions are boxes in layers, operands above their users,
 * edges are lines between layers.  A line that passes a layer has an item of its own there, without a node.
 * Boxes of a layer share the width; those for which there is no room are counted in `hidden`.  Edges that lead
 * up, as in a cycle, are left out.  The caller frees.  Pure. */
#ifndef ANALYZE_GRAPH_LAYERS_H
#define ANALYZE_GRAPH_LAYERS_H

#include "analyze/graph/near.h"

enum { LAYER_BOX_MIN = 12, LAYER_BOX_MAX = 34, LAYER_TRACKS = 6, LAYER_ITEMS = 20000 };

struct graph_item {
	uint32_t node; /* of the neighborhood; HLO_NONE: a line that passes */
	uint32_t layer;
	double order; /* within the layer */
	int x, w;     /* columns; w 0: hidden */
};
struct graph_segment {
	uint32_t from, to; /* items of one layer and the next */
	int track;         /* row of its horizontal part, from 0; -1: it is straight */
	bool control;
};
struct graph_layers {
	struct graph_item *v; /* by layer, then from left to right */
	uint32_t n, cap;
	uint32_t *first; /* by layer; first[nlayers] = n */
	uint32_t nlayers;
	struct graph_segment *s;
	uint32_t ns, scap;
	int *tracks; /* below each layer */
	uint32_t hidden;
	uint32_t *item; /* by node */
};

void graph_layers_make(const struct graph_near *, int width, struct graph_layers *);
void graph_layers_free(struct graph_layers *);

#endif
