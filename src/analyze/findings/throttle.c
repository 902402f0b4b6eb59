/* What the chip says of throttling: events, or their line, and counters with a word of it in their names. */
#include "config.h"
#include "analyze/findings/internal.h"

#include "analyze/trace/clock.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/text/digit.h"

struct throttling {
	const struct dump *dump;
	int64_t from, to; /* when to look, on the plain clock */
	int64_t time;     /* of the longest */
	strid name;
	uint32_t plane;
};

static bool says_throttle(const struct dump *d, strid name)
{
	return slice_has_nocase(dump_text(d, name), "throttl");
}

/* A chip's units, by the number in their name; what has none may be any chip of its host. */
static bool is_of(const struct dump *d, const struct plane *p, const struct step_core_info *core)
{
	const struct slice name = dump_text(d, p->name);
	int64_t number = 0;
	size_t i = 0;

	if (p->host != core->host)
		return false;
	if (p->kind == PLANE_TPU)
		return p->core == core->core;
	if (p->kind != PLANE_CHIP && p->kind != PLANE_CUSTOM)
		return false;
	while (i < name.n && !is_digit(name.s[i]))
		i++;
	if (i == name.n)
		return true;
	for (; i < name.n && is_digit(name.s[i]) && number < 100000000; i++)
		number = number * 10 + name.s[i] - '0';
	return number == (core->chip >= 0 ? core->chip : core->core);
}

static void take_time(struct throttling *x, int64_t from, int64_t to, strid name, uint32_t plane)
{
	const int64_t begin = from > x->from ? from : x->from, end = to < x->to ? to : x->to;

	if (end - begin > x->time) {
		x->time = end - begin;
		x->name = name;
		x->plane = plane;
	}
}

static void look_at_track(struct throttling *x, const struct track *t)
{
	const bool all = says_throttle(x->dump, t->name);

	if (t->file < 0 || (t->role != TRACK_OTHER && t->role != TRACK_TRACEME))
		return;
	for (size_t i = 0; i < t->n; i++) {
		const strid name = x->dump->trace.metas[track_meta(t, i)].name;
		int64_t start, dur;

		clock_plain(x->dump, t, i, &start, &dur);
		if (start < x->to && start + dur > x->from && (all || says_throttle(x->dump, name)))
			take_time(x, start, start + dur, name, t->plane);
	}
}

/* A sample holds until the next one. */
static void look_at_counter(struct throttling *x, const struct counter *c)
{
	size_t i;

	BISECT(i, c->n, c->t[i] <= x->from);
	for (i -= i > 0; i < c->n && c->t[i] < x->to; i++)
		if (c->v[i] > 0)
			take_time(x, c->t[i], i + 1 < c->n ? c->t[i + 1] : x->to, c->name, c->plane);
}

const char *rule_throttled(struct rule_work *w, const struct step_core_info *core,
    const struct step_core *step)
{
	const struct trace *t = &w->in->dump->trace;
	struct throttling x = { .dump = w->in->dump,
		.from = step->start,
		.to = add_clamped(step->start, step->total) };

	if (step->total <= 0)
		return NULL;
	for (size_t k = 0; k < t->ntracks; k++)
		if (is_of(x.dump, &t->planes[t->tracks[k].plane], core))
			look_at_track(&x, &t->tracks[k]);
	for (size_t k = 0; k < t->ncounters && !x.time; k++) /* whose last value would hold forever */
		if (says_throttle(x.dump, t->counters[k].name) &&
		    is_of(x.dump, &t->planes[t->counters[k].plane], core))
			look_at_counter(&x, &t->counters[k]);
	if (!x.time)
		return NULL;
	return rule_say(w, "%.*s covers %s of it (%.*s)", (int)dump_text(x.dump, x.name).n,
	    dump_text(x.dump, x.name).s, rule_time(w, (double)x.time),
	    (int)dump_text(x.dump, t->planes[x.plane].name).n, dump_text(x.dump, t->planes[x.plane].name).s);
}
