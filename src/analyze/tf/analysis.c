#include "config.h"

#include "analyze/tf/analysis.h"

#include <stdlib.h>
#include <string.h>

#include "model/tf/graph.h"

static const struct tf_graph *no_graph(const struct dump *d, struct err *err)
{
	for (size_t i = 0; i < d->ngraphs; i++)
		if (d->graphs[i].source == TF_KERAS) {
			err_set(err, EXIT_NOTHING, ERR_NOWHERE,
			    "a Keras model, which does not say what its layers run (report graph shows "
			    "them); "
			    "write a graph with tf.summary.graph() or tf.summary.trace_on(graph=True)");
			return NULL;
		}
	err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "no TensorFlow graph; name an event file with one, a GraphDef (*.pb, *.pbtxt) or a SavedModel");
	return NULL;
}

const struct tf_graph *tf_analysis_pick(const struct dump *d, const char *graph, struct err *err)
{
	const struct tf_graph *g = tf_graph_used(d);
	char *end;
	unsigned long n;

	if (!graph || !d->ngraphs)
		return g ? g : no_graph(d, err);
	n = strtoul(graph, &end, 10);
	if (*graph && !*end && n < d->ngraphs)
		return &d->graphs[n];
	for (size_t i = 0; i < d->ngraphs; i++)
		if (d->graphs[i].tag && !strcmp(d->graphs[i].tag, graph))
			return &d->graphs[i];
	err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "no graph %.60s; the files hold %zu, numbered from 0 (report compat "
	    "--table graphs lists them)",
	    graph, d->ngraphs);
	return NULL;
}

const struct tf_graph *tf_analysis_pick_any(const struct dump *d, const char *graph, struct err *err)
{
	return !graph && d->ngraphs && !tf_graph_used(d) ? &d->graphs[0] : tf_analysis_pick(d, graph, err);
}

int tf_analysis_make(const struct tf_graph *g, struct tf_analysis *a, struct err *err)
{
	*a = (struct tf_analysis){ .graph = g };
	if (tf_ops_read(&a->ops, err))
		return -1;
	if (tf_nodes_read(a->graph, &a->nodes, err)) {
		tf_ops_free(&a->ops);
		return -1;
	}
	tf_compat_make(&a->nodes, &a->ops, g->source == TF_KERAS, &a->compat);
	return 0;
}

void tf_analysis_free(struct tf_analysis *a)
{
	tf_compat_free(&a->compat);
	tf_nodes_free(&a->nodes);
	tf_ops_free(&a->ops);
}
