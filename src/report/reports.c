#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/clock.h"
#include "analyze/digest.h"
#include "base/units.h"

#define WARNINGS_MAX 20

const struct report_tool report_tools[] = {
	{ "info", "tracks of a capture: files, planes, lines, events, times", report_info },
	{ "findings", "what is wrong, ranked by what it costs: evidence and what to do", report_findings },
	{ "overview", "the run in numbers: step times, idle time, duty cycle, utilization, top ops",
	    report_overview },
	{ "input_pipeline", "how long the device waits for its input, and what the host does meanwhile",
	    report_input_pipeline },
	{ "memory", "where the memory of a compiled program goes: heap, buffers at the peak, lifetimes",
	    report_memory },
	{ "memory_profile", "memory in use over time by device; what memory.prof and XLA's text dumps tell",
	    report_memory_profile },
	{ "pod", "all cores of all hosts: what takes their time, links, collectives, stragglers",
	    report_pod },
	{ "trace", "events in order of time, or totals with --by name|track|step", report_trace },
	{ "steps", "steps: times, infeed, idle, compute, outliers", report_steps },
	{ "hlo_stats", "HLO ops: self time, FLOP and memory rates, what bounds them", report_hlo_stats },
	{ "framework_ops", "time by op of the framework, on devices and host threads", report_framework_ops },
	{ "op_profile", "tree of where time goes, by program, category or provenance", report_op_profile },
	{ "roofline", "ops and steps against the roofs of the chip", report_roofline },
	{ NULL, NULL, NULL }
};

int report_check(const struct report_options *o, const char *tool, unsigned takes, struct err *e)
{
	const struct {
		const char *option;
		bool given;
		unsigned take;
	} v[] = {
		{ "core", o->core >= 0, TAKES_CORE },
		{ "step", o->step != NULL, TAKES_STEP },
		{ "module", o->module != NULL, TAKES_MODULE },
		{ "by", o->by != NULL, TAKES_EVENTS },
		{ "name", o->name != NULL, TAKES_EVENTS },
		{ "track", o->track != NULL, TAKES_EVENTS },
		{ "from", o->from != NULL, TAKES_EVENTS },
		{ "to", o->to != NULL, TAKES_EVENTS },
		{ "query", o->query != NULL, TAKES_EVENTS },
		{ "args", o->args, TAKES_EVENTS },
		{ "group", o->group != NULL, TAKES_GROUP },
		{ "exclude-idle", o->exclude_idle, TAKES_GROUP },
		{ "space", o->space > 0, TAKES_SPACE },
		{ "metric", o->metric != NULL, TAKES_POD },
		{ "topology", o->topology != NULL, TAKES_POD },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (v[i].given && !(takes & v[i].take))
			return err_set(e, EXIT_USAGE, ERR_NOWHERE, "--%s is not an option of report %s",
			    v[i].option, tool);
	if (o->table)
		return err_set(
		    e, EXIT_USAGE, ERR_NOWHERE, "report %s has one table: leave --table out", tool);
	return 0;
}

int report_check_tables(const struct report_options *o, const char *tool, unsigned takes,
    const char *const *names,
    size_t n, struct err *e)
{
	struct report_options rest = *o;
	char list[160] = "";

	rest.table = NULL;
	if (report_check(&rest, tool, takes, e))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!o->table || !strcmp(o->table, names[i]))
			return 0;
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
	}
	return err_set(e, EXIT_USAGE, ERR_NOWHERE, "no table \"%s\" in report %s — there are: %s", o->table,
	    tool, list);
}

int report_order(const struct report_options *o, struct table *t, struct err *e)
{
	if (o->sort && table_sort(t, o->sort, e))
		return -1;
	if (o->top >= 0)
		table_top(t, (size_t)o->top);
	return 0;
}

void report_facts(struct report *r, const struct facts *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct cell *c = &f->v[i].v;

		if (c->type == CELL_INT)
			report_sum_int(r, f->v[i].id, c->u.i);
		else if (c->type == CELL_BOOL)
			report_sum_bool(r, f->v[i].id, c->u.b);
		else if (c->type == CELL_STR)
			report_sum_str(r, f->v[i].id, c->s);
		else
			report_sum_num(r, f->v[i].id, c->type == CELL_NUM ? c->u.d : NAN);
	}
}

static bool is_device(enum plane_kind k)
{
	return k == PLANE_TPU || k == PLANE_GPU || k == PLANE_CUSTOM || k == PLANE_SPARSECORE;
}

static void warn_hosts(struct report *r, const struct dump *d)
{
	bool *has = xcalloc(d->nhosts + 1, sizeof *has), xspace = false;
	size_t without = 0;
	const char *first = "";
	int len = 0;

	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (is_device(d->trace.planes[i].kind) && d->trace.planes[i].host >= 0)
			has[d->trace.planes[i].host] = true;
	for (size_t i = 0; i < d->nfiles; i++)
		xspace |= d->files[i].kind == FILE_XSPACE && d->files[i].bytes;
	for (size_t i = 0; i < d->nhosts; i++) {
		if (has[i])
			continue;
		if (!without++) {
			first = strtab_str(&d->str, d->hosts[i].name);
			len = (int)strtab_len(&d->str, d->hosts[i].name);
		}
	}
	free(has);
	if (!xspace || !without)
		return;
	if (without == d->nhosts)
		report_warning(r, "no device plane: the capture holds host threads only (a run on CPU, or "
				  "the device was not traced)");
	else
		report_warning(r,
		    "no device plane of %zu of %zu hosts (%.*s%s): its cores are missing in all numbers",
		    without, d->nhosts, len, first, without > 1 ? ", …" : "");
}

void report_dump_warnings(struct report *r, const struct dump *d)
{
	size_t shown = 0, digests;

	if (d->simulated)
		report_warning(r, "simulated capture: no time in it was measured");
	if ((digests = digest_count(d)))
		report_warning(r,
		    "%zu of %zu files are digests: sums of whole captures, without single ops", digests,
		    d->nfiles);
	if (d->cancelled)
		report_warning(r, "reading was stopped: what was read until then is shown");
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].partial)
			report_warning(
			    r, "%s is damaged or cut off: what could be read is shown", d->files[i].base);
	for (size_t i = 0; i < d->problems.n && shown < WARNINGS_MAX; i++) {
		const struct problem *p = &d->problems.v[i];
		char times[40] = "";

		if (p->level == PROBLEM_NOTE)
			continue;
		if (p->count > 1)
			snprintf(times, sizeof times, " (%" PRIu64 " times)", p->count);
		report_warning(r, "%s%s%s%s", p->file >= 0 ? d->files[p->file].base : "",
		    p->file >= 0 ? ": " : "", p->text, times);
		shown++;
	}
	warn_hosts(r, d);
}

void report_steps_warnings(struct report *r, const struct steps *s)
{
	if (s->source == STEPS_MODULES)
		report_warning(r,
		    "no step markers: a step is a run of %s, the module that takes the most time", s->module);
	if (s->source == STEPS_NONE)
		report_warning(
		    r, "no steps: the capture has no step markers, no modules of a device and no host steps");
	if (s->unlinked)
		report_warning(r,
		    "%" PRIu64 " step markers that no traced host step launched are left out, as in XProf",
		    s->unlinked);
}

void report_clock_warnings(struct report *r, struct dump *d)
{
	struct clocks c;
	size_t differ = 0;
	int64_t worst = 0;
	char text[32];

	clock_fit_all(d, &c);
	for (size_t i = 0; i < c.n; i++) {
		differ += c.fit[i].differs;
		worst = c.fit[i].differs && c.fit[i].worst > worst ? c.fit[i].worst : worst;
	}
	if (differ)
		report_warning(r,
		    "two clocks that differ by up to %s on %zu device planes: starts are the timeline's, as are "
		    "durations of events; durations of steps are the device's",
		    units_time(text, sizeof text, worst, true), differ);
	clock_free(&c);
}
