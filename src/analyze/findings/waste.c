#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/graph/waste.h"
#include "model/hlo.h"

/* The time of each pattern in one program. */
struct wasted {
	int64_t self, by[WASTE_COUNT];
	size_t n;
	const struct op *longest;
};

/* An instruction in a fusion has no time of its own: what it costs there is not known. */
static void add_wasted(struct rule_work *w, const struct graph_costs *costs, const struct graph_wasted *v,
    size_t n, struct wasted *sum)
{
	for (size_t k = 0; k < n; k++) {
		const struct graph_cost *c = &costs->v[v[k].i];

		if (c->self <= 0 || c->op == OP_NONE || (k && v[k - 1].i == v[k].i))
			continue;
		sum->self += c->self;
		sum->by[v[k].kind] += c->self;
		sum->n++;
		rule_counts_op(w, &w->in->ops->v[c->op]);
		if (!sum->longest || c->self > sum->longest->sum.self)
			sum->longest = &w->in->ops->v[c->op];
	}
}

static bool measure_waste(struct rule_work *w, struct wasted *sum)
{
	int64_t time;
	size_t module = graph_main_module(w->in->dump, w->in->ops, &time);
	struct err err = { 0 };
	struct hlo_graph *g = time > 0 ? hlo_graph_of(w->in->dump, module, &err) : NULL;
	struct graph_costs costs;
	struct graph_wasted *v;
	size_t n;

	*sum = (struct wasted){ 0 };
	if (!g)
		return false;
	graph_costs_make(w->in->dump, module, g, w->in->ops, w->in->steps, &costs);
	n = graph_waste_find(g, &v);
	add_wasted(w, &costs, v, n, sum);
	free(v);
	graph_costs_free(&costs);
	hlo_graph_free(g);
	return true;
}

void rule_avoidable(struct rule_work *w)
{
	struct wasted sum;
	struct finding *f;
	const char *cut;
	double cost;
	int most = 0;

	if (!w->in->ops || !w->in->dump || !w->in->ops->op_time)
		return;
	if (!measure_waste(w, &sum)) {
		cut = rule_cut(w, "no HLO proto of the program could be read");
		rule_unknown(w, "%s", cut ? cut : "no HLO proto of the program");
		return;
	}
	cost = rule_step_share(w, (double)sum.self);
	for (int k = 1; k < WASTE_COUNT; k++)
		most = sum.by[k] > sum.by[most] ? k : most;
	if (!(f = rule_raise(w, 100 * cost, cost, graph_waste_info[most].id))) {
		rule_checked(w, "%.1f %% of the time", 100 * cost);
		return;
	}
	f->evidence = rule_say(w, "%s, %.1f %% of op time; most of it %s", rule_ops(w, sum.n),
	    100 * rule_op_share(w, (double)sum.self), graph_waste_info[most].text);
	for (int k = 0; k < WASTE_COUNT; k++)
		if (sum.by[k])
			rule_detail(w, f, graph_waste_info[k].id, "%.1f %% of op time",
			    100 * rule_op_share(w, (double)sum.by[k]));
	rule_at_op(w, f, sum.longest);
}
