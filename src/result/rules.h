/* The table of rules, data/findings.tsv: one row per rule with its thresholds, kind of cost, kind of evidence,
 * title and advice (tpuscope(7), FINDINGS).  The rules themselves are code in src/analyze; findings, verdicts
 * and the colors of views read their numbers here.  Rows are constants, read when somebody first asks; any
 * thread. */
#ifndef RESULT_RULES_H
#define RESULT_RULES_H

#include "base/mem.h"
#include "base/text/slice.h"
#include "result/proof.h"

enum cost_kind { COST_NONE, COST_TIME, COST_BYTES };

#define RULE_LEVELS 3 /* thresholds of high, medium and low */

struct rule {
	const char *id, *label, *limits, *title, *advice;
	double at[RULE_LEVELS]; /* NaN: never of that severity */
	enum cost_kind cost;
	enum evidence evidence;
};

const struct rule *rule_row(size_t i);         /* NULL: there are no more */
const struct rule *rule_named(const char *id); /* NULL: the table does not have it, the rule is off */
/* which threshold the measure reaches, 0 for high; RULE_LEVELS: none, or rule NULL */
int rule_level(const struct rule *, double measure);
/* the value of "name=12.5" among the limits; NaN: none, or rule NULL */
double rule_limit(const struct rule *, const char *name);
#define RULE_BETWEEN " | " /* separates the paragraphs of an advice in a table */
typedef bool rule_condition(struct slice condition, struct slice of);
/* What conditions are asked about, and words that say what device the input is about (analyze/device/target.h);
 * NULL: a TPU */
struct advice_case {
	struct slice of;
	const char *device;
};
/* The paragraphs behind a condition, "[...]" or "{...}", that holds, without it, then, if `all`, those without a
 * condition; separated by `between`, which is not longer than RULE_BETWEEN.  Before all that, "<gpu pytorch>" leaves
 * a paragraph to devices that have these words. */
const char *rule_paragraphs(struct arena *, const char *advice, rule_condition *, const struct advice_case *,
    bool all, const char *between);
/* those of a key, "[key]"; separated by \n */
const char *rule_advice(struct arena *, const char *advice, const char *key, const char *device, bool all);

#endif
