#include "config.h"

#include "model/tf/graph.h"

#include <string.h>

#include "model/tf/nodes.h"

static const char *const names[TF_SOURCES] = { "graph_def", "meta_graph", "run_metadata", "file",
	"keras_model" };

const char *tf_source_name(enum tf_source s)
{
	return names[s];
}

struct tf_graph *tf_graph_add(struct dump *d, int file, enum tf_source source, struct slice tag,
    const struct slice *piece, size_t npieces)
{
	struct tf_graph g = { .file = file, .source = source, .npieces = npieces };

	g.tag = tag.n ? arena_strndup(&d->arena, tag.s, tag.n) : NULL;
	g.piece = arena_alloc(&d->arena, npieces * sizeof *g.piece);
	memcpy(g.piece, piece, npieces * sizeof *piece);
	tf_nodes_count(&g);
	VEC_ADD(d->graphs, d->ngraphs, d->graphs_cap, g);
	return &d->graphs[d->ngraphs - 1];
}

/* How much a graph of that source is preferred; 0: never used. */
static int rank_of(const struct tf_graph *g)
{
	return g->source == TF_KERAS                            ? 0
	    : g->source == TF_GRAPH_DEF || g->source == TF_FILE ? 3
	    : g->source == TF_META_GRAPH                        ? 2
								: 1;
}

void tf_graph_choose(struct dump *d)
{
	struct tf_graph *best = NULL;

	for (size_t i = 0; i < d->ngraphs; i++) {
		struct tf_graph *g = &d->graphs[i];

		if (rank_of(g) && (!best || (g->file == best->file && rank_of(g) >= rank_of(best))))
			best = g;
	}
	if (best)
		best->used = true;
}

const struct tf_graph *tf_graph_used(const struct dump *d)
{
	for (size_t i = 0; i < d->ngraphs; i++)
		if (d->graphs[i].used)
			return &d->graphs[i];
	return NULL;
}
