#include "config.h"
#include "report/warnings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/device/target.h"
#include "analyze/memory/memory.h"
#include "analyze/ops/opdb.h"
#include "analyze/steps/steps.h"
#include "analyze/trace/clock.h"
#include "base/text/units.h"
#include "model/hlo.h"
#include "model/toolfile.h"

#define WARNINGS_MAX 20

static void warn_hosts(struct report *r, const struct dump *d)
{
	bool *has = xcalloc(d->nhosts + 1, sizeof *has), xspace = false, partial = false;
	size_t without = 0;
	const char *first = "";
	int len = 0;

	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (plane_runs_ops(d->trace.planes[i].kind) && d->trace.planes[i].host >= 0)
			has[d->trace.planes[i].host] = true;
	for (size_t i = 0; i < d->nfiles; i++) {
		xspace |= d->files[i].kind == FILE_XSPACE && d->files[i].bytes;
		partial |= d->files[i].partial;
	}
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
	if (without == d->nhosts && partial)
		report_warning(r,
		    "no device plane could be read: it may be in the part that is damaged or cut off");
	else if (without == d->nhosts)
		report_warning(r,
		    "no device plane: the capture has only host threads (the program ran on a CPU, or "
		    "the device was not traced)");
	else
		report_warning(r,
		    "%zu of %zu hosts %s no device plane (%.*s%s): %s cores are missing from all numbers",
		    without, d->nhosts, without == 1 ? "has" : "have", len, first, without > 1 ? ", …" : "",
		    without == 1 ? "its" : "their");
}

void report_damage(const struct dump *d, int file, uint64_t at, const char *text)
{
	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].file == file && !strcmp(d->problems->v[i].text, text))
			return;
	problem_add(d->problems, PROBLEM_DAMAGE, file, at, 1, "%s", text);
}

void report_dump_warnings(struct report *r, const struct dump *d)
{
	size_t shown = 0, digests;

	if (d->simulated)
		report_warning(r, "simulated capture: its times come from a model, not from measurement");
	if ((digests = digest_count(d)))
		report_warning(r,
		    "%zu of %zu files are digests: they hold sums over the capture, not single ops", digests,
		    d->nfiles);
	if (d->canceled)
		report_warning(r, "loading was stopped: showing what was read until then");
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].partial)
			report_warning(r, "%s is damaged or cut off: showing what could be read",
			    d->files[i].base);
	for (size_t i = 0; i < d->problems->n && shown < WARNINGS_MAX; i++) {
		const struct problem *p = &d->problems->v[i];
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
	if (s->source == STEPS_MODULES && s->programs.n > 1)
		report_warning(r,
		    "no step markers, and %s alternate: each run is shown by itself, to the next one",
		    s->module);
	else if (s->source == STEPS_MODULES)
		report_warning(r,
		    "no step markers: steps from program runs, each from the start of a run of %s to the "
		    "next",
		    s->module);
	if (s->source == STEPS_NONE)
		report_warning(r,
		    "no steps: the capture has no step markers, no device modules and no host steps");
	if (s->unlinked)
		report_warning(r,
		    "%" PRIu64 " step markers are left out, as in XProf: no traced host step launched them",
		    s->unlinked);
}

void report_pieces_warnings(struct report *r, const struct dump *d, size_t cores)
{
	const char *lack = op_lack(d);

	if (!cores)
		report_warning(r, "%s",
		    lack ? lack
			 : "this digest is of an older version and has nothing of this: make it again, or "
			   "open the capture");
}

void report_clock_warnings(struct report *r, const struct dump *d)
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
		    "device and host clock differ by up to %s on %zu device planes: starts and durations of "
		    "events are by the host clock, durations of steps by the device clock",
		    units_time(text, sizeof text, worst, true), differ);
	clock_free(&c);
}

void report_tool_warnings(struct report *r, const struct dump *d, const struct toolfile *t, size_t more)
{
	report_dump_warnings(r, d);
	report_warning(r, "all numbers are from %s, as the profiler wrote them", d->files[t->file].base);
	if (more)
		report_warning(r, "%zu more files of this kind are not shown; choose one with --host", more);
}

void report_file_warnings(struct report *r, const struct dump *d, const struct toolfile *t, const char *host)
{
	size_t more = 0;

	if (t)
		toolfile_find(d, d->files[t->file].kind, host, &more);
	if (t)
		report_tool_warnings(r, d, t, more);
	else
		report_dump_warnings(r, d);
}

void report_module_warning(struct report *r, const struct dump *d, const char *asked,
    const struct hlo_module *shown)
{
	size_t n = 0;

	for (size_t i = 0; asked && i < d->nmodules; i++)
		n += d->modules[i].name && !strcmp(d->modules[i].name, asked);
	if (n > 1 && shown->file >= 0)
		report_warning(r,
		    "%zu modules are named %s; showing that of %s; choose another by its id, or open its "
		    "file",
		    n, asked, d->files[shown->file].base);
}

void report_memory_warnings(struct report *r, const struct dump *d, const struct hlo_module *module,
    const struct memory *m, int space)
{
	if (module && m->problem && !module->damaged) /* damage is reported with the file */
		report_warning(r, "%s", m->problem);
	if (m->lacks && !m->problem)
		report_warning(r, "%s", m->lacks);
	if (m->limit < 0 && !space && target_of(d) == TARGET_TPU)
		report_warning(r,
		    "the memory limit is unknown, because nothing names the chip; set it with --device v5e");
	else if (m->limit < 0 && !space)
		report_warning(r, "the memory limit is unknown: the program is for a %s",
		    target_of(d) == TARGET_GPU ? "GPU" : "CPU");
}
