#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "result/rules.h"

struct max_infeed {
	struct cell number, core;
};

#define SCHEMA core
#define SCHEMA_ROW struct max_infeed
#define SCHEMA_DEF "analyze/overview/max_infeed_core.def"
#include "result/schema_def.h"

const struct schema input_max_infeed_schema = { SCHEMA_COLUMNS(core_columns) };

static double number_at(const struct table *t, size_t row, int column)
{
	const struct cell *c = column < 0 ? NULL : &t->cells[row * t->ncolumns + (size_t)column];

	return !c ? NAN : c->type == CELL_NUM ? c->u.d : c->type == CELL_INT ? (double)c->u.i : NAN;
}

static double nan_to_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static double sum_of(const struct table *t, const char *id)
{
	int column = table_column(t, id);
	double sum = 0;

	for (size_t i = 0; i < t->nrows; i++)
		sum += nan_to_zero(number_at(t, i, column));
	return sum;
}

static double all_reduces(const struct overview *o)
{
	double sum = 0;

	for (size_t i = 0; i < o->nsteps; i++)
		sum += o->step[i].all_reduce;
	return sum;
}

/* XProf's verdicts have the thresholds of the rules input_bound and, for what may hide input, all_others. */
static const char *class_of(double input, bool potential)
{
	int level = rule_level(rule_named("input_bound"), input);

	return !level ? "high" : level < RULE_LEVELS ? "moderate" : potential ? "potential" : "none";
}

double input_share(const struct input_pipeline *p)
{
	double share = facts_number(&p->summary, "infeed_percent_average");

	return isnan(share) ? facts_number(&p->summary, "input_percent") : share;
}

const char *input_verdict(const struct input_pipeline *p)
{
	const char *class = facts_text(&p->summary, "input_class");
	double share = input_share(p);

	if (isnan(share) || !strcmp(class, "unknown") || p->file)
		return class;
	return class_of(share, !strcmp(class, "potential"));
}

double input_percent(const struct table *device)
{
	double infeed = sum_of(device, "tcInfeedTimeMs") + sum_of(device, "infeedTimeMs"),
	       step = sum_of(device, "stepTimeMs");

	return step > 0 ? 100 * infeed / step : NAN;
}

/* Returns the share of idle time of a TPU, if no core has infeed and none of it was charged to the host. */
static double hidden_in_cores(const struct overview *o)
{
	const struct step_cores *c = &o->cores;
	double idle = 0, total = 0;

	for (size_t i = 0; c->v && i < c->ncores * c->nsteps; i++) {
		if (c->v[i].total <= 0)
			continue;
		if (c->v[i].ps[METRIC_INFEED] > 0)
			return NAN;
		idle += (double)c->v[i].ps[METRIC_IDLE];
		total += (double)c->v[i].total;
	}
	if (!(total > 0) || sum_of(&o->steps, "tcInfeedTimeMs") > 0)
		return NAN;
	return c->source == STEPS_MODULES ? 1 : idle / total;
}

/* Time in which a wait for input would be: PyTorch's loaders are host events like others. */
static double maybe_input(const struct table *t)
{
	bool torch = t->nrows && table_column(t, "step_name") >= 0 &&
	    slice_begins(cell_text(table_get(t, 0, "step_name")), "ProfilerStep#");

	return sum_of(t, "otherTimeMs") + (torch ? sum_of(t, "hostComputeTimeMs") : 0);
}

double overview_hidden_input(const struct overview *o)
{
	double share = NAN, step;

	if (o->tpu && !o->file)
		share = hidden_in_cores(o);
	else if (o->tpu && (step = sum_of(&o->steps, "stepTimeMs")) > 0 &&
	    table_column(&o->steps, "tcInfeedTimeMs") >= 0 && !(sum_of(&o->steps, "tcInfeedTimeMs") > 0))
		share = sum_of(&o->steps, "tcIdleTimeMs") / step;
	else if (!o->tpu && (step = sum_of(&o->steps, "stepTimeMs")) > 0 &&
	    table_column(&o->steps, "infeedTimeMs") >= 0 && !(sum_of(&o->steps, "infeedTimeMs") > 0))
		share = maybe_input(&o->steps) / step;
	return rule_level(rule_named("input_bound"), 100 * share) < RULE_LEVELS ? share : NAN;
}

void overview_hidden_text(const struct overview *o, char *buf, size_t size)
{
	double share = overview_hidden_input(o);

	*buf = 0;
	if (isnan(share))
		return;
	if (o->tpu && o->cores.source == STEPS_MODULES)
		snprintf(buf, size, "no infeed op: a wait would be a gap between programs");
	else if (o->tpu)
		snprintf(buf, size, "no infeed op: a wait would be part of the %.1f %% idle time",
		    100 * share);
	else
		snprintf(buf, size,
		    maybe_input(&o->steps) > sum_of(&o->steps, "otherTimeMs")
			? "no input event: a wait would be part of the %.1f %% host and other time"
			: "no input event: a wait would be part of the %.1f %% other time",
		    100 * share);
}

void input_conclude(const struct overview *o, struct facts *f)
{
	const struct table *t = &o->steps;
	double input = sum_of(t, o->tpu ? "tcInfeedTimeMs" : "infeedTimeMs"),
	       others = sum_of(t, "otherTimeMs"), all;
	const char *class;
	bool known;

	all = sum_of(t, "stepTimeMs");
	if (o->tpu) /* XProf counts all-reduce as compute, and once more on its own */
		all = input + sum_of(t, "tcComputeTimeMs") + sum_of(t, "tcOutfeedTimeMs") +
		    sum_of(t, "tcIdleTimeMs") + all_reduces(o);
	if (!(all > 0)) {
		facts_str(f, "input_class", "unknown");
		facts_null(f, "input_conclusion_percent");
		facts_null(f, "input_percent");
		return;
	}
	class = class_of(100 * input / all,
	    rule_level(rule_named("all_others"), 100 * others / all) < RULE_LEVELS);
	facts_str(f, "input_class", class);
	facts_num(f, "input_conclusion_percent", 100 * (strcmp(class, "potential") ? input : others) / all);
	known = isnan(overview_hidden_input(o));
	facts_num(f, "input_percent", known ? input_percent(t) : NAN);
	facts_bool(f, "input_known", known);
}

void input_max_infeed_columns(struct table *t)
{
	table_begin(t, &input_max_infeed_schema);
}

void input_max_infeed_add(struct table *t, struct cell number, struct cell core)
{
	table_add(t, &(struct max_infeed){ number, core });
}

void input_max_infeed(const struct dump *d, const struct overview *o, struct table *t)
{
	input_max_infeed_columns(t);
	for (size_t i = 0; i < o->nsteps; i++) {
		const char *number = o->cores.step[o->step[i].step].number;
		struct cell step = cell_str(table_copy(t, number, strlen(number)), strlen(number));
		const struct step_core_info *core;
		char name[300] = "";

		if (o->step[i].infeed_core != SIZE_MAX) {
			core = &o->cores.core[o->step[i].infeed_core];
			snprintf(name, sizeof name, "%.*s:%d",
			    (int)strtab_len(&d->str, d->hosts[core->host].name),
			    strtab_str(&d->str, d->hosts[core->host].name), core->core);
		}
		input_max_infeed_add(t, step, table_text(t, name));
	}
}
