#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdio.h>
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

const char *check_name(enum check_state s)
{
	static const char *const names[] = { "found", "passed", "hint", "not possible" };

	return names[s];
}

const char *findings_counts(const struct findings *f, char *buf, size_t size)
{
	size_t passed = f->count[CHECK_PASSED], unknown = f->count[CHECK_UNKNOWN];
	int n = 0;

	*buf = 0;
	if (passed)
		n = snprintf(buf, size, "%zu check%s passed", passed, passed == 1 ? "" : "s");
	if (unknown && n >= 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, passed ? ", %zu not possible" : "%zu checks not possible",
		    unknown);
	return buf;
}

char *findings_unknown(const struct findings *f, size_t i)
{
	char *labels = xstrdup(""), *longer;

	for (size_t k = 0; k < f->nchecks; k++) {
		if (f->check[k].state != CHECK_UNKNOWN || strcmp(f->check[k].text, f->check[i].text))
			continue;
		if (k < i) {
			free(labels);
			return NULL;
		}
		longer = xasprintf("%s%s%s", labels, *labels ? ", " : "", f->check[k].label);
		free(labels);
		labels = longer;
	}
	return labels;
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

/* What was raised counts, not what the rule noted before it. */
static void run_rule(struct rule_work *w, const struct rule *rule, void (*run)(struct rule_work *))
{
	struct findings *o = w->out;
	size_t found = o->n, noted = o->nchecks;

	w->rule = rule;
	run(w);
	if (o->n > found) {
		o->nchecks = noted;
		VEC_ADD(o->check, o->nchecks, w->check_cap,
		    (struct finding_check){ rule->id, rule->label, o->v[found].title, CHECK_FOUND });
	}
	if (o->nchecks > noted)
		o->count[o->check[noted].state]++;
}

void findings_build(const struct finding_input *in, struct findings *out)
{
	struct rule_work w = { .in = in, .out = out };
	const struct rule *rule;

	*out = (struct findings){ 0 };
	progress_what(in->progress, "checking for problems");
	rule_sums(&w);
	for (size_t i = 0; i < NRULES && !rule_stopped(&w); i++)
		if ((rule = rule_named(all_rules[i].id)))
			run_rule(&w, rule, all_rules[i].run);
	VEC_SORT(out->v, out->n, by_rank);
	if (w.contents)
		contents_free(w.contents);
	free(w.step);
}

void findings_free(struct findings *f)
{
	free(f->v);
	free(f->check);
	arena_free(&f->text);
	*f = (struct findings){ 0 };
}
