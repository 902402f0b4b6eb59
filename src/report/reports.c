#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/clock.h"
#include "analyze/digest.h"
#include "base/text/units.h"

#define WARNINGS_MAX 20

const struct report_tool report_tools[] = {
	{ "info", "tracks of a capture: files, planes, lines, events, times", 0, NULL, report_info },
	{ "findings", "what is wrong, ranked by what it costs: evidence and what to do",
	    TAKES_CORE | TAKES_MODULE, NULL, report_findings },
	{ "overview", "the run in numbers: step times, idle time, duty cycle, utilization, top ops",
	    TAKES_CORE | TAKES_TABLE, overview_table_names, report_overview },
	{ "input_pipeline", "how long the device waits for its input, and what the host does meanwhile",
	    TAKES_CORE | TAKES_TABLE, input_table_names, report_input_pipeline },
	{ "memory", "where the memory of a compiled program goes: heap, buffers at the peak, lifetimes",
	    TAKES_MODULE | TAKES_SPACE | TAKES_TABLE, memory_table_names, report_memory },
	{ "memory_profile", "memory in use over time by device; what memory.prof and XLA's text dumps tell",
	    TAKES_TABLE, memory_profile_table_names, report_memory_profile },
	{ "pod", "all cores of all hosts: what takes their time, links, collectives, stragglers",
	    TAKES_CORE | TAKES_STEP | TAKES_POD | TAKES_TABLE, pod_table_names, report_pod },
	{ "trace", "events in order of time, or totals with --by name|track|step",
	    TAKES_CORE | TAKES_STEP | TAKES_EVENTS, NULL, report_trace },
	{ "steps", "steps: times, infeed, idle, compute, outliers", TAKES_CORE | TAKES_STEP, NULL,
	    report_steps },
	{ "hlo_stats", "HLO ops: self time, FLOP and memory rates, what bounds them", TAKES_OPS, NULL,
	    report_hlo_stats },
	{ "framework_ops", "time by op of the framework, on devices and host threads",
	    TAKES_OPS | TAKES_TABLE, framework_table_names, report_framework_ops },
	{ "op_profile", "tree of where time goes, by program, category or provenance",
	    TAKES_OPS | TAKES_GROUP, NULL, report_op_profile },
	{ "roofline", "ops and steps against the roofs of the chip", TAKES_OPS | TAKES_TABLE,
	    roofline_table_names, report_roofline },
	{ NULL, NULL, 0, NULL, NULL }
};

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

bool report_is_device(enum plane_kind k)
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
		if (report_is_device(d->trace.planes[i].kind) && d->trace.planes[i].host >= 0)
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
		report_warning(r,
		    "no device plane: the capture holds host threads only (a run on CPU, or "
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
		report_warning(r, "%zu of %zu files are digests: sums of whole captures, without single ops",
		    digests, d->nfiles);
	if (d->cancelled)
		report_warning(r, "reading was stopped: what was read until then is shown");
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].partial)
			report_warning(r, "%s is damaged or cut off: what could be read is shown",
			    d->files[i].base);
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
		report_warning(r,
		    "no steps: the capture has no step markers, no modules of a device and no host steps");
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
		    "two clocks that differ by up to %s on %zu device planes: starts are the timeline's, "
		    "as are durations of events; durations of steps are the device's",
		    units_time(text, sizeof text, worst, true), differ);
	clock_free(&c);
}
