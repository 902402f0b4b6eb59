#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/tf/analysis.h"
#include "analyze/tf/links.h"
#include "model/tf/graph.h"
#include "report/choose.h"
#include "report/tool/tf.h"
#include "report/warnings.h"

enum { T_INCOMPATIBLE, T_OPS, T_LIBRARY_OPS, T_GRAPHS, TABLES };

/* Layers of a Keras model name what they read in ways of their own. */
static void warn_of_edges(struct report *r, const struct tf_analysis *a)
{
	struct tf_links links;
	char text[240];

	if (a->graph->source == TF_KERAS || tf_links_make(&a->nodes, &links, &(struct err){ 0 }))
		return;
	if (*tf_links_damage(&links, text, sizeof text))
		report_warning(r, "%s", text);
	tf_links_free(&links);
}

void report_tf_warnings(struct report *r, const struct dump *d, const struct tf_analysis *a)
{
	size_t others = 0;

	report_dump_warnings(r, d);
	for (size_t i = 0; i < d->ngraphs; i++) /* a meta graph beside a graph is the same one */
		others += &d->graphs[i] != a->graph &&
		    (d->graphs[i].source != TF_META_GRAPH || a->graph->source == TF_META_GRAPH);
	if (others)
		report_warning(r, "%zu other graph%s in the files %s not counted; choose one with --graph",
		    others, others == 1 ? "" : "s", others == 1 ? "is" : "are");
	if (a->compat.unlisted) {
		struct slice op = strtab_text(&a->nodes.text, a->compat.first_unlisted->op);
		bool one = a->compat.unlisted == 1;

		report_warning(r,
		    "%" PRIu64
		    " node%s in functions %s an op that a TPU is not known to run (%s%.*s); the score, as "
		    "TensorBoard's, does not look into functions",
		    a->compat.unlisted, one ? "" : "s", one ? "has" : "have",
		    one ? "" : "first: ", (int)(op.n < 40 ? op.n : 40), op.s);
	}
	warn_of_edges(r, a);
	if (a->graph->source == TF_KERAS)
		report_warning(r, "the layers of a Keras model, not the ops that it runs");
}

static void put_summary(struct report *r, const struct tf_analysis *a)
{
	report_sum_int(r, "nodes", (int64_t)a->nodes.main);
	report_sum_int(r, "functions", (int64_t)a->nodes.nfn);
	report_sum_int(r, "library_nodes", (int64_t)(a->nodes.n - a->nodes.main));
	report_sum_int(r, "compatible", (int64_t)a->compat.compatible);
	report_sum_int(r, "incompatible", (int64_t)a->compat.incompatible);
	report_sum_int(r, "score_percent", a->compat.score);
}

int report_compat(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	struct table t[TABLES], *all[TABLES];
	const struct tf_graph *g;
	struct tf_analysis a;
	struct report *r;
	int bad;

	if (!(g = tf_analysis_pick(d, o->graph, e)) || tf_analysis_make(g, &a, e))
		return -1;
	tf_incompatible_table(&a.compat, &t[T_INCOMPATIBLE]);
	tf_ops_table(&a.compat, false, &t[T_OPS]);
	tf_ops_table(&a.compat, true, &t[T_LIBRARY_OPS]);
	tf_graphs_table(d, &t[T_GRAPHS]);
	for (int i = 0; i < TABLES; i++)
		all[i] = &t[i];
	if (!(bad = report_order_tables(o, "compat", all, TABLES, T_INCOMPATIBLE, e))) {
		r = report_open(o, f, "compat", d);
		report_tf_warnings(r, d, &a);
		put_summary(r, &a);
		for (int i = 0; i < TABLES; i++)
			if (o->table ? report_is_table(o, "compat", i)
				     : o->format != REPORT_TEXT || t[i].nrows)
				report_whole(r, report_table_name("compat", i), &t[i]);
		bad = report_end(r, e);
	}
	for (int i = 0; i < TABLES; i++)
		table_free(&t[i]);
	tf_analysis_free(&a);
	return bad ? -1 : EXIT_OK;
}
