#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"
#include "analyze/trace/clock.h"
#include "base/text/units.h"
#include "model/hlo.h"

static bool has_xspace(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].kind == FILE_XSPACE && d->files[i].bytes)
			return true;
	return false;
}

void rule_no_device(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	struct finding *f;
	size_t n = 0;

	if (!d || !has_xspace(d))
		return;
	for (size_t i = 0; i < d->trace.nplanes; i++)
		n += plane_runs_ops(d->trace.planes[i].kind);
	if (n)
		rule_checked(w, "%zu", n);
	else if (rule_cut(w, "no device plane could be read"))
		rule_unknown(w, "%s", rule_cut(w, "no device plane could be read"));
	else if (target_ran_on_cpu(w->in->dump))
		rule_hint(w, "the program ran on the CPU: no device plane, threads of XLA's CPU client");
	else if ((f = rule_raise(w, 1, NAN, NULL)))
		f->evidence = rule_say(w,
		    "%zu plane%s on %zu host%s, but no device plane: the device was not traced, or the "
		    "program ran on the CPU",
		    d->trace.nplanes, d->trace.nplanes == 1 ? "" : "s", d->nhosts, d->nhosts == 1 ? "" : "s");
}

void rule_partial_hosts(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	size_t without = 0, first = 0;
	const char *what;
	struct finding *f;
	bool *has;

	if (!d || !has_xspace(d) || d->nhosts < 2)
		return;
	what = dump_machines(d) < d->nhosts ? "processes" : "hosts";
	has = xcalloc(d->nhosts, sizeof *has);
	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (plane_runs_ops(d->trace.planes[i].kind) && d->trace.planes[i].host >= 0)
			has[d->trace.planes[i].host] = true;
	for (size_t i = d->nhosts; i-- > 0;)
		if (!has[i]) {
			first = i;
			without++;
		}
	free(has);
	if (without == d->nhosts)
		return;
	if ((f = rule_raise(w, 100 * (double)without / (double)d->nhosts, NAN, NULL)))
		f->evidence = rule_say(w, "%zu of %zu %s %s no device plane (%s%s)", without, d->nhosts, what,
		    without == 1 ? "has" : "have", rule_host(w, (int)first), without > 1 ? ", …" : "");
	else
		rule_checked(w, "%zu of %zu %s have device planes", d->nhosts, d->nhosts, what);
}

void rule_damaged(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	const struct file *first = NULL;
	struct finding *f;
	size_t n = 0;

	if (d && d->canceled) { /* a file that was not read whole need not be damaged */
		rule_unknown(w, "%s", rule_partly_read);
		return;
	}
	for (size_t i = 0; d && i < d->nfiles; i++)
		if (d->files[i].partial) {
			first = first ? first : &d->files[i];
			n++;
		}
	if (n && (f = rule_raise(w, (double)n, NAN, NULL)))
		f->evidence = d->nfiles == 1
		    ? rule_say(w, "%s: what could be read of it is shown", first->base)
		    : rule_say(w, "%zu of %zu files: %s%s", n, d->nfiles, first->base, n > 1 ? ", …" : "");
	else if (d && d->nfiles)
		rule_checked(w, d->nfiles == 1 ? "complete" : "%zu, all complete", d->nfiles);
}

/* TPU cores of the capture, with steps or without */
static size_t device_cores(const struct rule_work *w)
{
	const struct trace *t = &w->in->dump->trace;
	size_t n = 0;

	for (uint32_t i = 0; i < t->nplanes; i++)
		n += t->planes[i].kind == PLANE_TPU;
	return n;
}

/* No step is known to miss a core: which cores does that say of? */
static void say_complete_steps(struct rule_work *w, size_t all)
{
	size_t with = w->cores->ncores;
	const char *cut = rule_cut(w,
	    rule_say(w, "%zu on the %zu core%s with whole steps", all, with, with == 1 ? "" : "s"));

	if (cut)
		rule_unknown(w, "%s", cut);
	else if (device_cores(w) > with)
		rule_checked(w, "%zu, all on the %zu core%s that have steps", all, with,
		    with == 1 ? "" : "s");
	else
		rule_checked(w, "%zu, all on all cores", all);
}

void rule_incomplete_steps(struct rule_work *w)
{
	const struct steps *s = w->in->steps;
	uint64_t incomplete = w->cores ? w->cores->incomplete : 0;
	size_t all = w->cores ? w->cores->nsteps : 0;
	struct finding *f;
	double percent;

	if (s && s->unlinked && !incomplete &&
	    (f = rule_raise(w, 100.0 * (double)s->unlinked / (double)(s->unlinked + s->n), NAN, NULL))) {
		f->evidence = rule_say(w, "%" PRIu64 " step marker%s to no traced host step", s->unlinked,
		    s->unlinked == 1 ? " belongs" : "s belong");
		f->title = "Steps of the device without a step of the host";
		return;
	}
	if (!all && rule_has_plane(w, PLANE_TPU))
		rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "no steps");
	if (!all)
		return;
	percent = 100.0 * (double)incomplete / (double)all;
	if (incomplete && (f = rule_raise(w, percent, NAN, NULL)))
		f->evidence =
		    rule_say(w, "%" PRIu64 " of %zu steps %s not on all cores and left out of all means",
			incomplete, all, incomplete == 1 ? "is" : "are");
	else
		say_complete_steps(w, all);
}

void rule_assumed_peaks(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	struct finding *f;

	if (!db || !db->n)
		return;
	if (db->peaks.assumed && (f = rule_raise(w, 1, NAN, NULL)))
		f->evidence = rule_say(w, "%s: %.1f TFLOP/s and %.1f GB/s of HBM per core are assumed",
		    db->peaks.device, db->peaks.tflops, db->peaks.bw[PEAK_HBM]);
	else if (db->peaks.tflops > 0)
		rule_checked(w, "%.4g TFLOP/s, %.4g GB/s", db->peaks.tflops, db->peaks.bw[PEAK_HBM]);
	else
		rule_unknown(w, "%s", rule_no_peaks);
}

void rule_no_hlo(struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	const struct op *o = NULL;
	struct finding *f;

	if (!w->in->dump || !db || !db->n || !has_xspace(w->in->dump))
		return; /* other files never have one */
	for (size_t i = 0; i < db->n && !o; i++)
		if (!db->v[i].sparse)
			o = &db->v[i];
	if (!o)
		return;
	contents_instruction(rule_contents(w), o->program, op_short_name(w->in->dump, o));
	if (!contents_missing(rule_contents(w))) {
		rule_checked(w, "of the program that takes the most time");
		return;
	}
	if (rule_cut(w, "no HLO proto of the program could be read")) {
		rule_unknown(w, "%s", rule_cut(w, "no HLO proto of the program could be read"));
		return;
	}
	if ((f = rule_raise(w, 1, NAN, NULL)))
		f->evidence = hlo_modules_why(w->in->dump)
		    ? hlo_modules_why(w->in->dump)
		    : "plane /host:metadata has no HLO proto of the program that takes the most time";
}

void rule_clock_jump(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	struct clock_names names;
	int64_t worst = 0;
	size_t differ = 0, planes = 0;
	struct finding *f;

	if (!d || !rule_has_plane(w, PLANE_TPU))
		return;
	names = clock_names_of(d);
	for (uint32_t i = 0; i < d->trace.nplanes && !rule_stopped(w); i++) {
		struct clock_fit fit;

		if (d->trace.planes[i].kind != PLANE_TPU || !clock_fit_plane(d, &names, i, &fit))
			continue;
		planes++;
		differ += fit.differs;
		worst = fit.differs && fit.worst > worst ? fit.worst : worst;
	}
	if (!planes)
		return;
	if ((f = rule_raise(w, (double)worst / (double)PS_PER_US, NAN, NULL)))
		f->evidence = rule_say(w,
		    "up to %s between the timeline and the device's own clock, on %zu of %zu cores",
		    rule_time(w, (double)worst), differ, planes);
	else if (worst)
		rule_checked(w, "up to %s apart", rule_time(w, (double)worst));
	else
		rule_checked(w, "agree");
}
