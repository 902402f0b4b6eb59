/* What makes a capture doubtful as a whole: the device's events end early, the Python tracer, dropped events. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text/units.h"

#define LATE (100 * PS_PER_MS) /* a program that is launched so long after the device's last event has none */
#define LEAST_GAP (2000 * PS_PER_MS)

static bool is_thread(const struct dump *d, const struct track *t)
{
	return slice_begins(dump_text(d, d->trace.planes[t->plane].name), "/host:CPU") && t->file >= 0;
}

void rule_python_tracer(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	uint64_t all = 0, python = 0;
	struct finding *f;

	for (size_t i = 0; d && i < d->trace.ntracks && !rule_stopped(w); i++) {
		const struct track *t = &d->trace.tracks[i];

		for (size_t k = 0; is_thread(d, t) && k < t->n; k++) {
			all++;
			python += slice_begins(dump_text(d, d->trace.metas[t->meta[k]].name), "$");
		}
	}
	if (all && (f = rule_raise(w, 100 * (double)python / (double)all, NAN, NULL)))
		f->evidence = rule_say(w,
		    "the Python tracer was on: %" PRIu64 " of %" PRIu64
		    " host events are Python calls; gaps between programs are inflated",
		    python, all);
	else if (all)
		rule_checked(w, "no Python calls among the host's events");
}

/* When the events of a host's devices and of its threads end. */
struct ends {
	int64_t first_device, device, host;
	uint64_t launched; /* programs, long after the device's last event */
};

static struct ends ends_of(const struct dump *d, int host)
{
	struct ends e = { .first_device = INT64_MAX, .device = INT64_MIN, .host = INT64_MIN };

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *t = &d->trace.tracks[i];
		const struct plane *p = &d->trace.planes[t->plane];

		if (p->host != host || !t->n)
			continue;
		if (is_thread(d, t)) {
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

		if (d->trace.planes[t->plane].host != host || !is_thread(d, t))
			continue;
		for (size_t k = t->n; k-- > 0 && t->start[k] > after;)
			n += is_launch(dump_text(d, d->trace.metas[t->meta[k]].name));
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
		rule_checked(w, "up to the end");
}

void rule_dropped_events(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
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
	if (!most || !(f = rule_raise(w, (double)most, NAN, NULL)))
		return;
	f->evidence = rule_say(w, "dropped_traces is %" PRId64 " in plane %.*s", most,
	    (int)dump_text(d, d->trace.planes[where].name).n, dump_text(d, d->trace.planes[where].name).s);
}
