#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/internal.h"

static const struct {
	const char *id;
	void (*run)(struct rule_work *);
} all_rules[] = {
#define RULE(id) { #id, rule_##id },
#include "analyze/findings/rules.def"
#undef RULE
};

#define NRULES (sizeof all_rules / sizeof *all_rules)

const char *severity_name(enum severity s)
{
	static const char *const names[] = { "high", "medium", "low" };

	return names[s];
}

static bool rule_known(const char *id)
{
	for (size_t i = 0; i < NRULES; i++)
		if (!strcmp(all_rules[i].id, id))
			return true;
	return false;
}

/* Costs in bytes are compared with costs in time by their share of the peak. */
static int by_rank(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	double cx = x->cost_kind == COST_BYTES ? x->of_total : x->cost;
	double cy = y->cost_kind == COST_BYTES ? y->of_total : y->cost;

	if (x->severity != y->severity)
		return x->severity < y->severity ? -1 : 1;
	cx = x->cost_kind == COST_NONE || isnan(cx) ? -1 : cx;
	cy = y->cost_kind == COST_NONE || isnan(cy) ? -1 : cy;
	if (cx < cy || cx > cy)
		return cx > cy ? -1 : 1;
	return strcmp(x->id, y->id);
}

int findings_build(const struct finding_input *in, struct findings *out, struct err *e)
{
	struct rule_work w = { .in = in, .out = out };
	struct rules rules;

	*out = (struct findings){ 0 };
	if (rules_read(&out->text, in->rules, rule_known, &rules, e)) {
		findings_free(out);
		return -1;
	}
	progress_what(in->progress, "looking for what is wrong");
	rule_sums(&w);
	for (size_t i = 0; i < NRULES && !rule_stopped(&w); i++)
		for (size_t k = 0; k < rules.n; k++)
			if (!strcmp(rules.v[k].id, all_rules[i].id)) {
				w.rule = &rules.v[k];
				all_rules[i].run(&w);
			}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_rank);
	if (w.contents)
		contents_free(w.contents);
	free(w.step);
	free(rules.v);
	return 0;
}

void findings_free(struct findings *f)
{
	free(f->v);
	free(f->checked);
	free(f->missing);
	arena_free(&f->text);
	*f = (struct findings){ 0 };
}
