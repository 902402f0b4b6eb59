/* The TensorFlow graphs that the files of a dump hold.  Loaders list them (load/tf); nodes are read when somebody
 * asks (model/tf/nodes.h).  A graph is one or more GraphDef messages in the wire format, in the bytes of its file
 * or in what its loader made of them; both live as long as the dump.  One graph is `used`: the one that TensorBoard
 * would show.  The list belongs to the dump.  Built by one thread while loading, read-only afterward. */
#ifndef MODEL_TF_GRAPH_H
#define MODEL_TF_GRAPH_H

#include "model/dump.h"

/* KERAS: the layers of a Keras model, which its loader wrote as a GraphDef: no ops that could run anywhere. */
enum tf_source { TF_GRAPH_DEF, TF_META_GRAPH, TF_RUN_METADATA, TF_FILE, TF_KERAS, TF_SOURCES };

struct tf_graph {
	int file;
	enum tf_source source;
	const char *tag;     /* NULL: none */
	struct slice *piece; /* GraphDefs, which together are the graph */
	size_t npieces;
	uint64_t nodes, functions, library_nodes; /* nodes: those outside of functions */
	bool damaged;                             /* a part of it could not be read */
	bool used;
};

/* Lists a graph whose pieces are copied, and counts its nodes. */
struct tf_graph *tf_graph_add(struct dump *, int file, enum tf_source, struct slice tag,
    const struct slice *piece, size_t npieces);
/* Sets which graph is used: of the first file with any, the last graph_def, else the last meta graph, else the last
 * of another source.  Keras models are never used. */
void tf_graph_choose(struct dump *);
const struct tf_graph *tf_graph_used(const struct dump *); /* NULL: there is none */
const char *tf_source_name(enum tf_source);                /* "graph_def", as in reports */

#endif
