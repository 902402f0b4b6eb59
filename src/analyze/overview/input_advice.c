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

double input_measured_us(const struct input_pipeline *p, enum input_category c)
{
	const struct table *t = &p->host_ops;
	double ms = 0;

	if (p->file || !t->nrows)
		return c < p->breakdown.nrows ? number_at(&p->breakdown, c, INPUT_PART_time_us) : 0;
	for (size_t i = 0; i < t->nrows; i++) {
		const struct cell *stage = &t->cells[i * t->ncolumns + INPUT_OP_category];

		if (stage->type == CELL_STR &&
		    slice_is((struct slice){ stage->s, stage->n }, input_category_info[c].label))
			ms += number_at(t, i, INPUT_OP_selfTimeInMs);
	}
	return 1e3 * ms;
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
	double percent = facts_number(&p->summary, "input_percent"), us[INPUT_CATEGORIES], all = 0;
	char evidence[160], id[48];

	advice_init(&p->recommendations);
	severity = !strcmp(class, "high") ? "high" : !strcmp(class, "moderate") ? "medium" : NULL;
	if (!severity)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		all += us[i] = input_measured_us(p, (enum input_category)i);
		for (; k && us[order[k - 1]] < us[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t i = 0; i < n; i++) {
		const struct input_category_info *c = &input_category_info[order[i]];
		double ms = us[order[i]] / 1e3, share = all > 0 ? us[order[i]] / all : 0;

		if (share < WORTH)
			break;
		snprintf(id, sizeof id, "input_%s", c->id);
		snprintf(evidence, sizeof evidence, "%.*f ms, %.1f %% of the host's input work",
		    units_decimals(ms), ms, 100 * share);
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
