/* Where the host says what a step is, much of its time may be in none of them: loading, logging, sleeping. */
#include "config.h"

#include "analyze/findings/internal.h"
#include "base/clamp.h"
#include "model/lod.h"

enum { STEPS_LEAST = 4, LOOKED_AT = 100000 /* events between two steps */, NAME = 80 };

struct between {
	double share, ps;           /* of the host with most of it; per step */
	size_t n;                   /* its steps */
	const struct step *longest; /* the step before the longest time between two */
	int64_t from, to;           /* that time */
};

static const struct track *track_of(const struct dump *d, const struct step *s)
{
	const struct track *t = s && s->track < d->trace.ntracks ? &d->trace.tracks[s->track] : NULL;

	return t && s->event < t->n ? t : NULL;
}

static void look_at_host(const struct rule_work *w, const struct step *s, size_t n, struct between *worst)
{
	struct between b = { .n = 1 };
	double steps = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct track *t = track_of(w->in->dump, &s[i]);
		int64_t from, to;

		if (s[i].interval <= 0)
			continue;
		steps += (double)(s[i].dur < s[i].interval ? s[i].dur : s[i].interval);
		all += (double)s[i].interval;
		b.n++;
		from = t ? track_start(t, s[i].event) : s[i].start;
		to = add_clamped(from, s[i].interval);
		from = add_clamped(from, s[i].dur);
		if (sub_clamped(to, from) > sub_clamped(b.to, b.from)) {
			b.longest = &s[i];
			b.from = from;
			b.to = to;
		}
	}
	b.share = 1 - steps / all;
	b.ps = (all - steps) / (double)(b.n - 1);
	if (b.n >= STEPS_LEAST && b.share > worst->share)
		*worst = b;
}

static const char *name_of(struct rule_work *w, const struct track *t, size_t event)
{
	const struct dump *d = w->in->dump;
	struct slice name = dump_text(d, d->trace.metas[track_meta(t, event)].name);

	return rule_say(w, "%.*s", (int)(name.n < NAME ? name.n : NAME), name.s);
}

static size_t outermost(const struct track *t, size_t event)
{
	while (track_parent(t, event) < t->n)
		event = track_parent(t, event);
	return event;
}

/* "nothing is traced for 20.1 ms, after step 3 and before step 4" of the thread that has the steps; or what takes most
 * of the longest time between two of them.  "": not known */
static const char *what_passes(struct rule_work *w, struct finding *f, const struct between *b)
{
	const struct dump *d = w->in->dump;
	const struct track *t = track_of(d, b->longest);
	const int64_t between = sub_clamped(b->to, b->from);
	struct lod_gaps gaps;
	size_t first, after, most = SIZE_MAX;

	if (!t)
		return "";
	lod_gaps(t, b->from, b->to, &gaps);
	first = track_lower(t, b->from);
	for (size_t i = first; i < t->n && i - first < LOOKED_AT && track_start(t, i) < b->to; i++)
		if (most == SIZE_MAX || track_dur(t, i) > track_dur(t, most))
			most = i;
	if (gaps.longest > between / 2) {
		first = track_lower(t, gaps.at);
		after = track_lower(t, gaps.at + gaps.longest);
		rule_at_gap(f, &d->trace.planes[b->longest->plane], gaps.at, gaps.at + gaps.longest);
		return rule_say(w, "; the host does nothing traced for %s%s%s%s%s",
		    rule_time(w, (double)gaps.longest), first ? ", after " : "",
		    first ? name_of(w, t, outermost(t, first - 1)) : "", after < t->n ? " and before " : "",
		    after < t->n ? name_of(w, t, after) : "");
	}
	if (most == SIZE_MAX || track_dur(t, most) < between / 2)
		return "";
	rule_at_gap(f, &d->trace.planes[b->longest->plane], b->from, b->to);
	return rule_say(w, "; mostly in %s, %s after step %s", name_of(w, t, most),
	    rule_time(w, (double)track_dur(t, most)), b->longest->label);
}

void rule_between_steps(struct rule_work *w)
{
	const struct steps *s = w->in->steps;
	struct between b = { .n = 0 };
	struct finding *f;

	if (!s || s->source != STEPS_HOST)
		return;
	for (size_t i = 0, end; i < s->n; i = end) {
		for (end = i; end < s->n && s->v[end].host == s->v[i].host;)
			end++;
		look_at_host(w, &s->v[i], end - i, &b);
	}
	if (b.n && (f = rule_raise(w, 100 * b.share, b.share, NULL)))
		f->evidence =
		    rule_say(w, "%s pass between two of %zu steps, in none of them: %.0f %% of the time%s",
			rule_time(w, b.ps), b.n, 100 * b.share, what_passes(w, f, &b));
}
