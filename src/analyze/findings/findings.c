#include "config.h"
#include "analyze/findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/internal.h"
#include "base/text/units.h"

static const struct {
	const char *id;
	void (*run)(struct rule_work *);
} all_rules[] = {
#define RULE(id) { #id, rule_##id },
#include "analyze/findings/rules.def"
#undef RULE
};

bool finding_of_pieces(const char *id)
{
	static const char *const ids[] = {
#define RULE(id)
#define RULE_OF_PIECES(id) #id,
#include "analyze/findings/rules.def"
#undef RULE
	};
	size_t i = 0;

	while (i < sizeof ids / sizeof *ids && strcmp(ids[i], id))
		i++;
	return i < sizeof ids / sizeof *ids;
}

#define NRULES (sizeof all_rules / sizeof *all_rules)

double finding_share(const struct finding *f)
{
	double share = f->cost_kind == COST_TIME ? f->cost : f->cost_kind == COST_BYTES ? f->of_total : -1;

	return share >= 0 ? share : -1; /* -1 also for NaN */
}

const char *finding_cost(const struct finding *f, char *buf, size_t size)
{
	double share = finding_share(f);
	char n[16];

	*buf = 0;
	if (f->cost_kind == COST_BYTES && f->cost >= 0)
		units_bytes(buf, size, f->cost);
	else if (share >= 0)
		snprintf(buf, size, "%s %%", units_percent(n, sizeof n, share));
	return buf;
}

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

VEC_ORDER(by_severity, struct finding, UP(severity) UP(nth));

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

/* Leaves the first of what the last rule found in several reports, with their number. */
static void merge_reports(struct rule_work *w, size_t found)
{
	struct findings *o = w->out;
	struct finding *f = &o->v[found];
	size_t more = o->n - found - 1;

	if (more)
		f->evidence =
		    rule_say(w, "%.1900s; and in %zu more report%s", f->evidence, more, more > 1 ? "s" : "");
	if (f->step >= 0)
		rule_detail(w, f, "at step", "%lld", (long long)f->step);
	o->n = found + 1;
}

/* Of ops and buffers that are counted, the first by name: a text is read without the column of places, too. */
static void name_first(struct rule_work *w, struct finding *f)
{
	enum ref_kind k = f->proof.kind;
	char place[200];

	if ((k == REF_OP || k == REF_COLLECTIVE || k == REF_BUFFER) && !strstr(f->evidence, f->proof.text))
		f->evidence = rule_say(w, "%.1700s; see %s", f->evidence,
		    proof_say(&f->proof, w->in->dump, place, sizeof place));
}

/* Once a rule raised something, what it noted before is dropped. */
static void run_rule(struct rule_work *w, const struct rule *rule, void (*run)(struct rule_work *),
    enum ptxla_places places)
{
	struct findings *o = w->out;
	size_t found = o->n, noted = o->nchecks;

	w->rule = rule;
	w->noted = noted;
	w->nmembers = w->members_len = 0;
	run(w);
	for (size_t i = found; i < o->n; i++)
		name_first(w, &o->v[i]);
	if (o->n > found) {
		if (rule->evidence == EVIDENCE_PTXLA && places == PTXLA_FIRST_PLACE)
			merge_reports(w, found);
		o->nchecks = noted;
		VEC_ADD(o->check, o->nchecks, w->check_cap,
		    (struct finding_check){ rule->id, rule->label, o->v[found].title, CHECK_FOUND });
	}
	if (o->nchecks > noted)
		o->count[o->check[noted].state]++;
}

void findings_of_ptxla(const struct ptxla *x, enum ptxla_places places, struct findings *out)
{
	struct finding_input in = { .ptxla = x };
	struct rule_work w = { .in = &in, .out = out };
	const struct rule *rule;

	*out = (struct findings){ 0 };
	for (size_t i = 0; i < NRULES; i++)
		if ((rule = rule_named(all_rules[i].id)) && rule->evidence == EVIDENCE_PTXLA)
			run_rule(&w, rule, all_rules[i].run, places);
	VEC_SORT(out->v, out->n, by_severity);
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
			run_rule(&w, rule, all_rules[i].run, PTXLA_FIRST_PLACE);
	VEC_SORT(out->v, out->n, by_rank);
	if (in->dump)
		findings_refer(in->dump, out);
	if (w.contents)
		contents_free(w.contents);
	free(w.step);
	free(w.members);
}

void findings_free(struct findings *f)
{
	free(f->v);
	free(f->check);
	arena_free(&f->text);
	*f = (struct findings){ 0 };
}
