/* What makes a capture doubtful as a whole: the device's events end early or start late, it has few steps, its
 * clocks disagree, the profiler slowed the host down, left it out, or dropped events. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/clock.h"
#include "analyze/trace/ties.h"
#include "base/codec/wire.h"
#include "base/text/units.h"

#define LATE (100 * PS_PER_MS) /* a program that is launched so long after the device's last event has none */
#define LEAST_GAP (2000 * PS_PER_MS)

bool rule_is_thread(const struct dump *d, const struct track *t)
{
	return slice_begins(dump_text(d, d->trace.planes[t->plane].name), "/host:CPU") && t->file >= 0;
}

/* Levels of tracing, from the options of the profiler that a plane states; a level that is 0 is not written. */
struct levels {
	bool known, host_stated;
	uint64_t host, python;
};

static bool read_levels(void *ctx, const struct stat_value *v)
{
	struct levels *l = ctx;
	struct wire w;

	if (v->type != STAT_BYTES || !stat_is(v, "profile_options"))
		return true;
	w = wire_open(v->s, v->n);
	*l = (struct levels){ .known = v->n > 0 };
	while (wire_next(&w))
		if (w.field == 2) {
			l->host = w.u;
			l->host_stated = true;
		} else if (w.field == 4) {
			l->python = w.u;
		}
	l->known &= !w.bad;
	return false;
}

static struct levels levels_of(const struct dump *d, int host)
{
	struct levels l = { .known = false };

	for (uint32_t i = 0; i < d->trace.nplanes && !l.known; i++)
		if (d->trace.planes[i].host == host &&
		    slice_is(dump_text(d, d->trace.planes[i].name), "Task Environment"))
			stats_of_plane(d, i, read_levels, &l);
	return l;
}

static bool wanted_python(const struct dump *d)
{
	for (int host = 0; host < (int)d->nhosts; host++)
		if (levels_of(d, host).python)
			return true;
	return false;
}

void rule_python_tracer(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	uint64_t all = 0, python = 0;
	double percent;
	struct finding *f;

	for (size_t i = 0; d && i < d->trace.ntracks && !rule_stopped(w); i++) {
		const struct track *t = &d->trace.tracks[i];

		for (size_t k = 0; rule_is_thread(d, t) && k < t->n; k++) {
			all++;
			python += slice_begins(dump_text(d, d->trace.metas[track_meta(t, k)].name), "$");
		}
	}
	percent = all ? 100 * (double)python / (double)all : 0;
	if (python && wanted_python(d))
		percent = fmax(percent, w->rule->at[SEVERITY_LOW]);
	if (all && (f = rule_raise(w, percent, NAN, NULL))) {
		f->evidence = rule_say(w,
		    "the Python tracer was on: %" PRIu64 " of %" PRIu64
		    " host events are Python calls; gaps between programs are inflated",
		    python, all);
		if (100 * (w->share[METRIC_IDLE] + w->share[METRIC_INFEED]) >= rule_limit(w->rule, "idle"))
			f->severity = SEVERITY_MEDIUM;
	} else if (python) {
		rule_checked(w, "%" PRIu64 " of %" PRIu64 " host events are Python calls", python, all);
	} else if (all) {
		rule_checked(w, "no Python calls among the host's events");
	}
}

/* Was the host of a device not traced at all?  Options may leave its level out because it is 0. */
static bool is_untraced(const struct dump *d, int host)
{
	struct levels l = levels_of(d, host);
	bool device = false, threads = false;

	for (size_t i = 0; l.known && i < d->trace.nplanes; i++)
		device |= d->trace.planes[i].host == host && plane_runs_ops(d->trace.planes[i].kind);
	for (size_t i = 0; device && i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];

		threads |= d->trace.planes[t->plane].host == host && t->n && rule_is_thread(d, t);
	}
	return device && !l.host && (l.host_stated || !threads);
}

void rule_partial_trace_levels(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	int first = -1, n = 0, known = 0;
	struct finding *f;

	for (int host = 0; d && host < (int)d->nhosts; host++) {
		known += levels_of(d, host).known;
		if (!is_untraced(d, host))
			continue;
		first = n++ ? first : host;
	}
	if (n && (f = rule_raise(w, n, NAN, NULL)))
		f->evidence = rule_say(w,
		    "host_tracer_level was 0 on %s%s: what launched programs, and why the device waited, is "
		    "unknown",
		    rule_host(w, first), n > 1 ? ", …" : "");
	else if (known)
		rule_checked(w, "host and device");
}

/* When the events of a host's devices and of its threads end. */
struct ends {
	int64_t first_device, device, first_host, host;
	uint64_t launched; /* programs, long after the device's last event */
};

static struct ends ends_of(const struct dump *d, int host)
{
	struct ends e = { .first_device = INT64_MAX,
		.device = INT64_MIN,
		.first_host = INT64_MAX,
		.host = INT64_MIN };

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];
		const struct plane *p = &d->trace.planes[t->plane];

		if (p->host != host || !t->n)
			continue;
		if (rule_is_thread(d, t)) {
			e.first_host = t->first < e.first_host ? t->first : e.first_host;
			e.host = t->last > e.host ? t->last : e.host;
		} else if (plane_runs_ops(p->kind)) {
			e.first_device = t->first < e.first_device ? t->first : e.first_device;
			e.device = t->last > e.device ? t->last : e.device;
		}
	}
	return e;
}

static bool is_launch(struct slice name)
{
	return slice_find(name, "DoEnqueueProgram") || slice_ends(name, "Executable::Execute");
}

static uint64_t launched_after(const struct dump *d, int host, int64_t after)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];

		if (d->trace.planes[t->plane].host != host || !rule_is_thread(d, t))
			continue;
		for (size_t k = t->n; k-- > 0 && track_start(t, k) > after;)
			n += is_launch(dump_text(d, d->trace.metas[track_meta(t, k)].name));
	}
	return n;
}

void rule_device_ends_early(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	struct ends worst = { .launched = 0 };
	double most = 0;
	int hosts = 0;
	struct finding *f;

	for (int host = 0; d && host < (int)d->nhosts && !rule_stopped(w); host++) {
		struct ends e = ends_of(d, host);
		double gap = (double)e.host - (double)e.device, percent;

		if (e.device == INT64_MIN || e.host == INT64_MIN)
			continue;
		hosts++;
		if (gap < (double)LEAST_GAP || (e.launched = launched_after(d, host, e.device + LATE)) < 2)
			continue;
		percent = 100 * gap / ((double)e.host - (double)e.first_device);
		if (percent > most) {
			most = percent;
			worst = e;
		}
	}
	if (worst.launched && (f = rule_raise(w, most, NAN, NULL)))
		f->evidence = rule_say(w,
		    "the device's events end %s before the host's, which launched %" PRIu64
		    " more programs: %.0f %% of the capture has no device data",
		    rule_time(w, (double)worst.host - (double)worst.device), worst.launched, most);
	else if (hosts)
		rule_checked(w, "with those of the host");
}

void rule_device_starts_late(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	double most = 0, late = 0;
	int hosts = 0;
	struct finding *f;

	for (int host = 0; d && host < (int)d->nhosts && !rule_stopped(w); host++) {
		struct ends e = ends_of(d, host);
		int64_t last = e.host > e.device ? e.host : e.device;
		double gap = (double)e.first_device - (double)e.first_host;

		if (e.device == INT64_MIN || e.host == INT64_MIN)
			continue;
		hosts++;
		if (gap > 0 && 100 * gap / ((double)last - (double)e.first_host) > most) {
			most = 100 * gap / ((double)last - (double)e.first_host);
			late = gap;
		}
	}
	if (late >= (double)LEAST_GAP && (f = rule_raise(w, most, NAN, NULL)))
		f->evidence =
		    rule_say(w, "nothing ran on the device for the first %s, %.0f %% of the capture%s",
			rule_time(w, late), most,
			w->compiled > 0
			    ? rule_say(w, ": a host thread compiled for %s", rule_time(w, w->compiled))
			    : "");
	else if (hosts)
		rule_checked(w, "%s after the host's", rule_time(w, late));
}

void rule_short_capture(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	size_t n = c ? 0 : w->nsteps;
	struct finding *f;

	if (!w->in->dump || !w->in->dump->trace.ntracks || !w->nsteps)
		return;
	for (size_t i = 0; c && i < c->nsteps; i++)
		n += c->step[i].everywhere;
	if ((f = rule_raise(w, rule_limit(w->rule, "steps") - (double)n, NAN, NULL)))
		f->evidence = rule_say(w, "%zu whole step%s: %s", n, n == 1 ? "" : "s",
		    n < 2 ? "no spread, no trend" : "little spread, no trend");
	else if (w->in->steps->programs.n > 1)
		rule_checked(w, "%zu runs of %s", n, w->in->steps->module);
	else
		rule_checked(w, "%zu whole steps", n);
}

/* What joins the runs of programs on cores to what launched them on their hosts. */
struct launches {
	const struct dump *d;
	struct clock_names clock;
	struct tie_ends stated, by_run;
	size_t runs, early;
	int64_t least, most; /* an early run has more than this; the earliest */
};

static void compare_launch(void *ctx, const struct tie_end *from, const struct tie_end *to)
{
	struct launches *l = ctx;
	const struct track *run = &l->d->trace.tracks[to->track], *host = &l->d->trace.tracks[from->track];
	int64_t start, dur, before;

	if (run->role != TRACK_MODULES || host->role == TRACK_MODULES)
		return;
	clock_plain(l->d, run, to->event, &start, &dur);
	before = track_start(host, from->event) - start;
	l->runs++;
	l->early += before > l->least;
	l->most = before > l->most ? before : l->most;
}

static void collect_launches(struct rule_work *w, struct launches *l)
{
	const struct trace *t = &l->d->trace;
	struct ties_names names;
	struct ties_reader reader;
	struct ties ties;

	ties_names_init(&names, l->d);
	for (uint32_t i = 0; i < t->ntracks && !rule_stopped(w); i++) {
		const struct track *k = &t->tracks[i];
		bool run = t->planes[k->plane].kind == PLANE_TPU && k->role == TRACK_MODULES;

		if (k->file < 0 || file_is_converted(&l->d->files[k->file]) ||
		    (!run && !rule_is_thread(l->d, k)))
			continue;
		ties_open(&reader, &names, l->d, k);
		for (size_t e = 0; e < k->n; e++) {
			if (!run &&
			    !slice_begins(dump_text(l->d, t->metas[track_meta(k, e)].name), TIE_LAUNCHER))
				continue;
			if (!ties_read(&reader, e, &ties))
				continue;
			tie_ends_add(&l->stated, l->d, i, e, &ties);
			tie_ends_add_launch(&l->by_run, l->d, i, e, &ties);
		}
	}
	ties_names_free(&names);
}

void rule_clocks_apart(struct rule_work *w)
{
	struct launches l = { .d = w->in->dump, .least = (int64_t)rule_limit(w->rule, "ms") * PS_PER_MS };
	struct finding *f;

	if (!l.d || !rule_has_plane(w, PLANE_TPU))
		return;
	collect_launches(w, &l);
	tie_ends_join(&l.stated, compare_launch, &l, NULL, w->in->progress);
	tie_ends_join(&l.by_run, compare_launch, &l, NULL, w->in->progress);
	free(l.stated.v);
	free(l.by_run.v);
	if (!l.runs)
		return;
	if ((f = rule_raise(w, 100 * (double)l.early / (double)l.runs, NAN, NULL)))
		f->evidence = rule_say(w,
		    "device times are %s early: %zu of %zu runs begin more than %.4g ms before the host "
		    "launched them",
		    rule_time(w, (double)l.most), l.early, l.runs, rule_limit(w->rule, "ms"));
	else
		rule_checked(w, "%zu runs begin after their launches", l.runs - l.early);
}

/* What the profiler itself said of the capture, where it speaks of what it dropped. */
static const char *said_dropped(const struct dump *d)
{
	for (size_t i = 0; i < d->problems->n; i++) {
		const struct problem *p = &d->problems->v[i];

		if (p->level == PROBLEM_NOTE && p->file >= 0 && d->files[p->file].kind == FILE_XSPACE &&
		    !strncmp(p->text, "the profiler ", 13) && strcasestr(p->text, "drop"))
			return p->text;
	}
	return NULL;
}

void rule_dropped_events(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	const char *said;
	struct finding *f;
	int64_t most = 0;
	uint32_t where = 0;

	for (uint32_t i = 0; d && i < d->trace.nplanes; i++) {
		int64_t n;

		if (stat_plane_int(d, i, "dropped_traces", &n) && n > most) {
			most = n;
			where = i;
		}
	}
	said = d && !most ? said_dropped(d) : NULL;
	if ((!most && !said) || !(f = rule_raise(w, said ? 1 : (double)most, NAN, NULL)))
		return;
	f->evidence = said ? rule_say(w, "%s", said)
			   : rule_say(w, "dropped_traces is %" PRId64 " in plane %.*s", most,
				 (int)dump_text(d, d->trace.planes[where].name).n,
				 dump_text(d, d->trace.planes[where].name).s);
}
