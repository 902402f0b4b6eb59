/* Whether the times of a GPU's streams are possible: a stream runs one kernel after the other, so an event during which
 * several of its next begin has an end that was stamped too late. */
#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <strings.h>

#include "base/bisect.h"

struct impossible {
	const struct track *track; /* of the event that lasts too long by the most; NULL: none does */
	size_t event, next;        /* how many of the track begin during it */
	double most, sum, all;     /* ps: of that event, of all such events; of all events, possible or not */
	uint64_t n;
};

/* "Stream #20(Compute)", "stream 7 7" */
static bool is_stream(const struct dump *d, const struct track *t)
{
	struct slice name = dump_text(d, t->name);

	return d->trace.planes[t->plane].kind == PLANE_GPU && t->file >= 0 && name.n > 6 &&
	    !strncasecmp(name.s, "stream", 6);
}

/* Counts the events that begin during one; those that begin with it, or are annotations of PyTorch, do not count. */
static size_t count_next(const struct track *t, size_t i, size_t *first)
{
	size_t end;

	BISECT(*first, t->n, *first <= i || track_start(t, *first) <= track_start(t, i));
	BISECT(end, t->n, track_start(t, end) < track_end(t, i));
	return end > *first ? end - *first : 0;
}

static void look_at_stream(const struct rule_work *w, const struct track *t, strid annotation,
    struct impossible *x)
{
	for (size_t i = 0; i < t->n && !rule_stopped(w); i++) {
		size_t first, n;
		double more;

		if (w->in->dump->trace.metas[track_meta(t, i)].category == annotation)
			continue;
		x->all += (double)track_dur(t, i);
		n = count_next(t, i, &first);
		if ((double)n < rule_limit(w->rule, "next"))
			continue;
		more = (double)(track_end(t, i) - track_start(t, first));
		x->sum += more;
		x->n++;
		if (more > x->most) {
			x->most = more;
			x->track = t;
			x->event = i;
			x->next = n;
		}
	}
}

void rule_stream_overlap(struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	strid annotation = d ? strtab_find(&d->str, "gpu_user_annotation", 19) : 0;
	struct impossible x = { 0 };
	struct slice name, stream;
	struct finding *f;

	for (size_t i = 0; d && i < d->trace.ntracks; i++)
		if (is_stream(d, &d->trace.tracks[i]))
			look_at_stream(w, &d->trace.tracks[i], annotation ? annotation : UINT32_MAX, &x);
	if (!(x.all > 0))
		return;
	if (!x.n || !(f = rule_raise(w, 100 * x.sum / x.all, NAN, NULL))) {
		rule_checked(w, x.n ? "%.1f %% of their time is impossible" : "their times are possible",
		    100 * x.sum / x.all);
		return;
	}
	name = dump_text(d, d->trace.metas[track_meta(x.track, x.event)].name);
	stream = dump_text(d, x.track->name);
	f->evidence = rule_say(w,
	    "%.*s on %.*s lasts %s, but %zu of the stream's next begin during it, the first %s after it: at "
	    "most that "
	    "is possible; %.1f %% of the time of the streams is not (%" PRIu64 " event%s)",
	    (int)name.n, name.s, (int)stream.n, stream.s, rule_time(w, (double)track_dur(x.track, x.event)),
	    x.next, rule_time(w, (double)track_dur(x.track, x.event) - x.most), 100 * x.sum / x.all, x.n,
	    x.n == 1 ? "" : "s");
	rule_at_name(w, f, d->trace.metas[track_meta(x.track, x.event)].name);
}
