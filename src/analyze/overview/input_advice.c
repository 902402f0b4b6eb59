#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "result/advice.h"
#include "result/rules.h"

#define WORTH 0.05 /* share of the host's work below which a part is not worth advice */

const struct input_category_info input_category_info[INPUT_CATEGORIES] = {
	{ "enqueue", "Enqueue", "enqueue to device", "Enqueueing to the device" },
	{ "preprocessing", "Preprocessing", "preprocessing", "Preprocessing" },
	{ "advanced_file_read", "Advanced file read", "advanced file read", "Reading files ahead" },
	{ "demanded_file_read", "Demanded file read", "demanded file read", "Reading files on demand" },
	{ "unclassified_nonequeue", "Unknown", "other", "Other input work" },
};

static double number_at(const struct table *t, size_t row, size_t column)
{
	const struct cell *c = &t->cells[row * t->ncolumns + column];

	return c->type == CELL_NUM ? c->u.d : 0;
}

static void advise(struct input_pipeline *p, const char *id, const char *severity, const char *title,
    const char *evidence, enum input_category c, const char *device)
{
	const struct rule *rule = rule_named("input_bound");
	struct arena a = { 0 };

	advice_add(&p->recommendations, id, severity, title, evidence,
	    rule ? rule_advice(&a, rule->advice, input_category_info[c].id, device, false) : "");
	arena_free(&a);
}

void input_recommend(struct input_pipeline *p, const char *device)
{
	const char *class = input_verdict(p), *severity;
	size_t order[INPUT_CATEGORIES],
	    n = p->breakdown.nrows < INPUT_CATEGORIES ? p->breakdown.nrows : INPUT_CATEGORIES;
	double percent = facts_number(&p->summary, "input_percent");
	char evidence[160], id[48];

	advice_init(&p->recommendations);
	severity = !strcmp(class, "high") ? "high" : !strcmp(class, "moderate") ? "medium" : NULL;
	if (!severity)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k && number_at(&p->breakdown, order[k - 1], 2) < number_at(&p->breakdown, i, 2); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t i = 0; i < n; i++) {
		const struct input_category_info *c = &input_category_info[order[i]];
		double share = number_at(&p->breakdown, order[i], 2);

		if (share < WORTH)
			break;
		snprintf(id, sizeof id, "input_%s", c->id);
		snprintf(evidence, sizeof evidence, "%.*f ms, %.1f %% of the host's input work",
		    units_decimals(number_at(&p->breakdown, order[i], 1) / 1e3, 3),
		    number_at(&p->breakdown, order[i], 1) / 1e3, 100 * share);
		advise(p, id, i ? "low" : severity, c->title, evidence, (enum input_category)order[i],
		    device);
	}
	if (p->recommendations.nrows || isnan(percent))
		return;
	snprintf(evidence, sizeof evidence,
	    "%.1f %% of the step time waits for input; no input op on the host", percent);
	advise(p, "input_unseen", severity, "Input work that the trace does not show", evidence, INPUT_OTHER,
	    device);
}
