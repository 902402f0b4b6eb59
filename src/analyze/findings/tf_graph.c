#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/tf/analysis.h"
#include "analyze/tf/hint.h"
#include "model/tf/graph.h"

#define OPS_SHOWN 8

/* What the incompatible nodes are for, and how many of them there are. */
struct causes {
	uint64_t of[TF_HINTS], probable;
	const struct tf_node *first[TF_HINTS], *first_probable;
};

static void count_causes(const struct tf_compat *c, struct causes *out)
{
	*out = (struct causes){ .probable = 0 };
	for (size_t i = 0; i < c->nodes->main; i++) {
		const struct tf_node *x = &c->nodes->v[i];
		enum tf_hint h;

		if (tf_compat_is(c, x))
			continue;
		if (tf_compat_class(c, x) == TF_PROBABLE) {
			out->first_probable = out->probable++ ? out->first_probable : x;
			continue;
		}
		h = tf_hint_of(tf_node_name(x), strtab_text(&c->nodes->text, x->op));
		out->first[h] = out->of[h]++ ? out->first[h] : x;
	}
}

/* Returns the cause that matters most: ops that have no reason to be on the host come first. */
static const char *main_cause(const struct causes *v, const struct tf_node **first)
{
	static const enum tf_hint order[] = { TF_HINT_NONE, TF_HINT_TEXT, TF_HINT_INPUT };
	static const enum tf_hint last[] = { TF_HINT_METRICS, TF_HINT_SAVE };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if ((*first = v->first[order[i]]))
			return tf_hint_key(order[i]);
	if ((*first = v->first_probable))
		return "probable";
	for (size_t i = 0; i < sizeof last / sizeof *last; i++)
		if ((*first = v->first[last[i]]))
			return tf_hint_key(last[i]);
	return NULL;
}

static void say_ops(struct rule_work *w, struct finding *f, const struct tf_compat *c)
{
	size_t n, shown = 0;
	struct tf_op_count *v = tf_compat_ops(c, false, &n);

	for (size_t i = 0; i < n && shown < OPS_SHOWN; i++) {
		struct slice op = strtab_text(&c->nodes->text, v[i].op);

		if (!v[i].incompatible)
			continue;
		rule_detail(w, f, rule_say(w, "%.*s", (int)(op.n < 40 ? op.n : 40), op.s), "%" PRIu64 ", %s",
		    v[i].incompatible, tf_class_name((enum tf_class)c->op[v[i].op].class));
		shown++;
	}
	free(v);
}

static void prove_node(struct rule_work *w, struct finding *f, const struct tf_node *x)
{
	f->proof.kind = REF_NODE;
	f->proof.text = rule_say(w, "%.*s", (int)(x->name_len < 250 ? x->name_len : 250), x->name);
}

/* Nothing says where functions run, so this is no more than a hint. */
static void check_functions(struct rule_work *w, const struct tf_analysis *a)
{
	const struct tf_compat *c = &a->compat;
	struct slice op = strtab_text(&a->nodes.text, c->first_unlisted->op),
		     name = tf_node_name(c->first_unlisted);
	struct finding *f = rule_raise(w, 0, NAN, "functions");

	if (!f)
		return;
	f->title = "Ops that a TPU is not known to run";
	f->evidence =
	    rule_say(w, "%" PRIu64 " of %zu nodes in functions: a TPU is not known to run %.*s (%.*s)",
		c->unlisted, a->nodes.n - a->nodes.main, (int)(op.n < 40 ? op.n : 40), op.s,
		(int)(name.n < 80 ? name.n : 80), name.s);
	prove_node(w, f, c->first_unlisted);
}

static void check_graph(struct rule_work *w, const struct tf_analysis *a)
{
	const struct tf_compat *c = &a->compat;
	const struct tf_node *first = NULL;
	struct causes v;
	struct finding *f;
	const char *key;
	uint64_t matter;

	if (!c->incompatible && c->unlisted) {
		check_functions(w, a);
		return;
	}
	if (!c->incompatible) {
		rule_checked(w, "a TPU can run all %zu nodes", a->nodes.n);
		return;
	}
	count_causes(c, &v);
	key = main_cause(&v, &first);
	matter = v.of[TF_HINT_NONE] + v.of[TF_HINT_TEXT] + v.of[TF_HINT_INPUT];
	if (!(f = rule_raise(w, (double)matter, NAN, key)))
		return;
	f->evidence = rule_say(w,
	    "%" PRIu64 " of %zu nodes (%d %% can run on a TPU): %" PRIu64 " that XLA may compile, %" PRIu64
	    " for saving and metrics, %" PRIu64 " other",
	    c->incompatible, a->nodes.n, c->score, v.probable, v.of[TF_HINT_SAVE] + v.of[TF_HINT_METRICS],
	    matter);
	say_ops(w, f, c);
	if (first)
		prove_node(w, f, first);
}

void rule_tpu_ops(struct rule_work *w)
{
	const struct tf_graph *g = w->in->dump ? tf_graph_used(w->in->dump) : NULL;
	struct tf_analysis a;
	struct err err;

	if (!g)
		return;
	if (tf_analysis_make(g, &a, &err)) {
		rule_unknown(w, "%s", err.msg);
		return;
	}
	check_graph(w, &a);
	tf_analysis_free(&a);
}
