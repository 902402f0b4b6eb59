#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <string.h>

/* Facts about steps under XProf's ids, by how they begin. */
static const char *const heads[] = { "steptime_", "infeed_percent_", "tc_", "active_", "host_transfer_" };

/* Facts of our own, and the fact of XProf that each repeats: XProf leaves them out. */
static const struct {
	const char *id, *of;
} own[] = {
	{ "step_ms_average", "steptime_ms_average" },
	{ "step_ms_standard_deviation", "steptime_ms_standard_deviation" },
	{ "step_ms_minimum", "steptime_ms_minimum" },
	{ "step_ms_maximum", "steptime_ms_maximum" },
	{ "step_input_percent", "infeed_percent_average" },
};

static bool is_about_steps(const char *id)
{
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(id, heads[i], strlen(heads[i])))
			return true;
	return false;
}

void overview_xprof_facts(const struct overview *o, struct facts *f)
{
	bool input = o->file || isnan(overview_hidden_input(o));

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (facts_get(f, own[i].of))
			facts_num(f, own[i].id,
			    input || !strstr(own[i].id, "input") ? facts_number(f, own[i].of) : NAN);
	for (size_t i = 0; i < f->n; i++) {
		const char *id = f->v[i].id;

		if (!o->file && !strcmp(id, "host_idle_time_percent"))
			f->v[i].v = cell_num(o->xprof_host_idle);
		else if (o->own_ids && !strcmp(id, "input_class"))
			f->v[i].v = cell_str("unknown", 7);
		else if (o->own_ids && (is_about_steps(id) || !strcmp(id, "input_conclusion_percent")))
			f->v[i].v = cell_null();
	}
}

void overview_program_runs(const struct overview *o, const struct table *steps, struct table *runs)
{
	table_begin_like(runs, steps);
	if (!o->own_steps)
		runs->nrows = 0;
}
