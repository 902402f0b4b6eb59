#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pod/own.h"
#include "base/robust.h"

struct outlier {
	size_t at;
	double value, median, spread, z;
};

/* Finds the largest value and how far it lies from the others. */
static bool outlier_of(const double *v, size_t n, struct outlier *o)
{
	double *all = xcalloc(n + 1, sizeof *all), lowest = INFINITY;
	struct robust r;

	*o = (struct outlier){ 0 };
	for (size_t i = 0; i < n; i++) {
		all[i] = v[i];
		lowest = v[i] < lowest ? v[i] : lowest;
		if (v[i] > v[o->at])
			o->at = i;
	}
	r = robust_of(all, n);
	free(all);
	o->median = r.median;
	if (n < 3 || !(o->median > 0))
		return false;
	o->value = v[o->at];
	o->spread = (o->value - lowest) / o->median;
	o->z = robust_z(&r, o->value);
	return true;
}

/* pod_own_times(), for the caller to free */
static double *own_of(const struct step_cores *c, size_t step)
{
	double *own = xcalloc(c->ncores + 1, sizeof *own);

	pod_own_times(c, step, own);
	return own;
}

static size_t busiest_step(const struct step_cores *c, size_t core)
{
	double most = -1;
	size_t at = 0;

	for (size_t i = 0; i < c->nsteps; i++) {
		double *own = own_of(c, i);

		if (own[core] > most) {
			most = own[core];
			at = i;
		}
		free(own);
	}
	return at;
}

/* How many others share the slowness of a core: those on its chip and those on its host. */
struct mates {
	size_t on_chip, slow_on_chip, on_host, slow_on_host; /* without the core itself */
	/* the largest busy time of the cores of its host that are not slow, relative to the median; NaN:
	 * none */
	double busiest;
};

static struct mates mates_of(const struct step_cores *c, const size_t *core, const double *v, size_t n,
    const struct outlier *o)
{
	const struct step_core_info *self = &c->core[core[o->at]], *x;
	struct mates m = { .busiest = NAN };

	for (size_t i = 0; i < n; i++) {
		bool chip, slow = v[i] - o->median > (o->value - o->median) / 2;

		x = &c->core[core[i]];
		if (i == o->at || x->host != self->host)
			continue;
		chip = self->chip >= 0 && x->chip == self->chip;
		m.on_host++;
		m.slow_on_host += slow;
		m.on_chip += chip;
		m.slow_on_chip += chip && slow;
		if (!slow && !(v[i] / o->median < m.busiest))
			m.busiest = v[i] / o->median;
	}
	return m;
}

/* Writes " (chip 2 at 0,1,0)", and says so when the position is assumed. */
static const char *place_of(struct rule_work *w, const struct step_core_info *x)
{
	const struct pod *p = w->in->pod;
	const struct topology_core *t;
	size_t i = 0;

	while (p && i < p->cores.ncores &&
	    (p->cores.core[i].host != x->host || p->cores.core[i].core != x->core))
		i++;
	if (!p || i >= p->cores.ncores || i >= p->topology.ncores || (t = &p->topology.core[i])->x < 0)
		return x->chip >= 0 ? rule_say(w, " (chip %lld)", (long long)x->chip) : "";
	return rule_say(w, " (chip %lld at %d,%d,%d%s)", (long long)t->chip, t->x, t->y, t->z,
	    p->topology.source == TOPOLOGY_ASSUMED ? ", assumed" : "");
}

/* "; 2.0× in 2 of 12 steps": a core that is slow in few of them; "" otherwise. */
static const char *say_steps(struct rule_work *w, size_t core)
{
	const struct step_cores *c = w->cores;
	double limit = 1 + rule_limit(w->rule, "spread") / 100, most = 0;
	size_t slow = 0, n = 0;

	for (size_t s = 0; s < c->nsteps; s++) {
		double *own = own_of(c, s), *others = xcalloc(c->ncores + 1, sizeof *others), median;
		size_t k = 0;

		for (size_t i = 0; i < c->ncores; i++)
			if (!isnan(own[i]))
				others[k++] = own[i];
		median = robust_median(others, k);
		n += !isnan(own[core]);
		slow += own[core] > limit * median;
		most = fmax(most, own[core] / median);
		free(own);
		free(others);
	}
	return 2 * slow < n ? rule_say(w, "; %.1f× in %zu of %zu steps", most, slow, n) : "";
}

/* Points at a core in the step in which it has most to do. */
static void at_slowest(struct rule_work *w, struct finding *f, size_t core)
{
	const struct step_core_info *x = &w->cores->core[core];
	const size_t slowest = busiest_step(w->cores, core);
	const char *step = step_cores_label(w->cores, slowest),
		   *throttled = rule_throttled(w, x, step_core_at(w->cores, core, slowest));

	rule_at_step_of(w, f, step, x->host, x->core);
	rule_detail(w, f, "Slowest in step", "%s", step);
	if (!throttled)
		return;
	f->evidence = rule_say(w, "%s; slowest in step %s: %s", f->evidence, step, throttled);
	rule_detail(w, f, "Throttled", "%s", throttled);
}

static void say_straggler(struct rule_work *w, struct finding *f, const struct step_core_info *slow,
    const struct outlier *o, const struct mates *m, size_t n)
{
	bool chip = m->on_chip && m->slow_on_chip == m->on_chip;

	f->evidence = rule_say(w,
	    "core %d of %s%s%s: %s per step without waiting, median of %zu cores %s (%.2f×); "
	    "the others wait for it",
	    slow->core, rule_host(w, slow->host), place_of(w, slow), chip ? " and its whole chip" : "",
	    rule_time(w, o->value), n, rule_time(w, o->median), o->value / o->median);
	rule_detail(w, f, "Core", "%d of host %s%s", slow->core, rule_host(w, slow->host), place_of(w, slow));
	rule_detail(w, f, "Usual spreads from the median", "%.1f", o->z);
	rule_detail(w, f, "Spread of the cores", "%.1f %%", o->spread * 100);
	if (m->on_chip)
		rule_detail(w, f, "Others of its chip", "%zu of %zu also slow", m->slow_on_chip, m->on_chip);
	if (m->on_host && m->slow_on_host)
		rule_detail(w, f, "Others of its host", "%zu of %zu also slow", m->slow_on_host, m->on_host);
	else if (m->on_host)
		rule_detail(w, f, "Others of its host", "normal (at most %.2f×), so it is not the host",
		    m->busiest);
}

/* A core that is slow together with all cores of its host is reported as a slow host instead. */
void rule_straggler_core(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	size_t *core, n = 0;
	struct finding *f;
	struct outlier o;
	double *v, *own, gain;

	if (!c && rule_has_plane(w, PLANE_TPU))
		rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "no steps");
	if (!c || c->ncores < 2)
		return; /* nothing to compare */
	own = own_of(c, SIZE_MAX);
	v = xcalloc(c->ncores, sizeof *v);
	core = xcalloc(c->ncores, sizeof *core);
	for (size_t i = 0; i < c->ncores; i++) {
		v[n] = own[i];
		core[n] = i;
		n += !isnan(v[n]);
	}
	if (outlier_of(v, n, &o)) {
		struct mates m = mates_of(c, core, v, n, &o);
		bool far = o.spread * 100 >= rule_limit(w->rule, "spread") && o.z > rule_limit(w->rule, "z");

		gain = (o.value - o.median) / w->step_ps;
		f = far && !(m.on_host && m.slow_on_host == m.on_host) ? rule_raise(w, gain * 100, gain, NULL)
								       : NULL;
		if (f) {
			w->slow_core = true;
			say_straggler(w, f, &c->core[core[o.at]], &o, &m, n);
			f->evidence = rule_say(w, "%s%s", f->evidence, say_steps(w, core[o.at]));
			at_slowest(w, f, core[o.at]);
		} else {
			rule_checked(w, "without waiting, max/median %.2f", o.value / o.median);
		}
	} else {
		rule_unknown(w, "fewer than three cores with steps");
	}
	free(own);
	free(v);
	free(core);
}

static int hosts_of(const struct step_cores *c)
{
	int most = -1;

	for (size_t i = 0; i < c->ncores; i++)
		most = c->core[i].host > most ? c->core[i].host : most;
	return most + 1;
}

/* Times of a host: means over its cores, ps. */
struct host_times {
	double own, least, most, idle, infeed, waits;
	size_t cores, first;
};

static struct host_times times_of_host(const struct step_cores *c, const double *own, int host)
{
	struct host_times h = { .least = INFINITY };
	double cells = 0;

	for (size_t i = c->ncores; i-- > 0;) {
		if (c->core[i].host != host || isnan(own[i]))
			continue;
		h.own += own[i];
		h.least = fmin(h.least, own[i]);
		h.most = fmax(h.most, own[i]);
		h.first = i;
		h.cores++;
		for (size_t s = 0; s < c->nsteps; s++) {
			const struct step_core *x = step_core_at(c, i, s);

			if (x->total <= 0)
				continue;
			cells++;
			h.idle += (double)x->ps[METRIC_IDLE];
			h.infeed += (double)x->ps[METRIC_INFEED];
			h.waits += (double)x->ps[METRIC_COLLECTIVES];
		}
	}
	h.own /= h.cores ? (double)h.cores : 1;
	h.idle /= cells > 0 ? cells : 1;
	h.infeed /= cells > 0 ? cells : 1;
	h.waits /= cells > 0 ? cells : 1;
	return h;
}

/* Which advice fits: the host is late, with its input or its programs, or its cores have more to do. */
static const char *key_of_slower(const struct host_times *slow, const struct host_times *fast)
{
	return slow->infeed + slow->idle - fast->infeed - fast->idle > (slow->own - fast->own) / 2 ? "late"
												   : "work";
}

static const char *why_slower(struct rule_work *w, const struct host_times *slow,
    const struct host_times *fast)
{
	double half = (slow->own - fast->own) / 2;

	if (slow->infeed - fast->infeed > half)
		return rule_say(w, "it waits %s longer for input", rule_time(w, slow->infeed - fast->infeed));
	if (slow->idle - fast->idle > half)
		return rule_say(w, "its cores idle %s longer, so its programs begin late",
		    rule_time(w, slow->idle - fast->idle));
	return "its cores work longer";
}

/* Finds that all cores of one of two hosts take longer than all of the other, by more than they differ among each
 * other. */
static void slower_of_two(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	double *own = own_of(c, SIZE_MAX), gain;
	struct host_times h[2] = { times_of_host(c, own, 0), times_of_host(c, own, 1) };
	int at = h[1].own > h[0].own;
	const struct host_times *slow = &h[at], *fast = &h[!at];
	struct finding *f;

	free(own);
	if (slow->cores < 2 || fast->cores < 2)
		return;
	gain = slow->own - fast->own;
	f = slow->least - fast->most > gain / 2 && 100 * gain >= rule_limit(w->rule, "spread") * fast->own
	    ? rule_raise(w, 100 * gain / w->step_ps, gain / w->step_ps, key_of_slower(slow, fast))
	    : NULL;
	if (!f) {
		rule_checked(w, "without waiting, max/min %.2f", slow->own / fast->own);
		return;
	}
	w->slow_core = true;
	f->evidence = rule_say(w,
	    "%s: %s per step without waiting for others, %s %s (%.2f×): %s; the other waits for it",
	    rule_host(w, at), rule_time(w, slow->own), rule_host(w, !at), rule_time(w, fast->own),
	    slow->own / fast->own, why_slower(w, slow, fast));
	at_slowest(w, f, slow->first);
	rule_detail(w, f, "Collectives", "%s against %s", rule_time(w, slow->waits),
	    rule_time(w, fast->waits));
}

static int nearest(const double *v, int n, double to)
{
	int at = 0;

	for (int i = 1; i < n; i++)
		at = fabs(v[i] - to) < fabs(v[at] - to) ? i : at;
	return at;
}

void rule_straggler_host(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	int hosts = c && !w->slow_core ? hosts_of(c) : 0, n = 0;
	struct finding *f;
	struct outlier o;
	double *v, *own;
	int *host;

	if (hosts == 2)
		slower_of_two(w);
	if (hosts < 3)
		return;
	own = own_of(c, SIZE_MAX);
	v = xcalloc((size_t)hosts, sizeof *v);
	host = xcalloc((size_t)hosts, sizeof *host);
	for (int h = 0; h < hosts; h++) {
		double sum = 0;
		size_t cores = 0;

		for (size_t i = 0; i < c->ncores; i++) {
			if (c->core[i].host != h || isnan(own[i]))
				continue;
			sum += own[i];
			cores++;
		}
		if (cores) {
			host[n] = h;
			v[n++] = sum / (double)cores;
		}
	}
	if (outlier_of(v, (size_t)n, &o)) {
		double gain = (o.value - o.median) / w->step_ps;
		struct host_times slow = times_of_host(c, own, host[o.at]),
				  other = times_of_host(c, own, host[nearest(v, n, o.median)]);

		f = o.spread * 100 >= rule_limit(w->rule, "spread") && o.z > rule_limit(w->rule, "z")
		    ? rule_raise(w, gain * 100, gain, key_of_slower(&slow, &other))
		    : NULL;
		if (f) {
			w->slow_core = true;
			f->evidence =
			    rule_say(w, "%s: %s per step without waiting, median of %d hosts %s (%.2f×)",
				rule_host(w, host[o.at]), rule_time(w, o.value), n, rule_time(w, o.median),
				o.value / o.median);
			rule_detail(w, f, "Usual spreads from the median", "%.1f", o.z);
			at_slowest(w, f, slow.first);
		} else {
			rule_checked(w, "without waiting, max/median %.2f", o.value / o.median);
		}
	}
	free(own);
	free(v);
	free(host);
}

/* Work that is uneven in every step, whichever core has most of it. */
void rule_imbalance(struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	size_t n = 0, most = 0, least = 0;
	double sum = 0, high = 0, low = 0, cost, busy, *own;
	struct finding *f;

	if (!c || w->slow_core)
		return;
	own = own_of(c, SIZE_MAX);
	for (size_t i = 0; i < c->ncores; i++) {
		if (isnan(busy = own[i]))
			continue;
		if (!n || busy > high) {
			high = busy;
			most = i;
		}
		if (!n || busy < low) {
			low = busy;
			least = i;
		}
		sum += busy;
		n++;
	}
	free(own);
	if (n < 2 || !(w->step_ps > 0))
		return;
	cost = (high - sum / (double)n) / w->step_ps;
	if (!(f = rule_raise(w, cost * 100, cost, NULL))) {
		rule_checked(w, "without waiting, max/mean %.2f", high / (sum / (double)n));
		return;
	}
	w->uneven = cost;
	f->evidence = rule_say(w,
	    "%s per step without waiting on core %d of %s%s, %s on core %d of %s; mean of %zu cores %s",
	    rule_time(w, high), c->core[most].core, rule_host(w, c->core[most].host),
	    place_of(w, &c->core[most]), rule_time(w, low), c->core[least].core,
	    rule_host(w, c->core[least].host), n, rule_time(w, sum / (double)n));
	at_slowest(w, f, most);
	rule_detail(w, f, "Busiest", "%.2f× the mean", high * (double)n / sum);
	rule_detail(w, f, "Least busy", "%.2f× the mean", low * (double)n / sum);
	rule_detail(w, f, "Between", "%s",
	    c->core[most].host == c->core[least].host ? "cores of one host" : "hosts");
}

/* Computes the parts of the collectives as shares of all steps; NaN: no collective could be matched across
 * cores, as when there is one. */
static void parts_of(const struct rule_work *w, double *sync, double *transfer)
{
	double total = 0, s = 0, t = 0;
	bool known = false;

	for (size_t i = 0; w->cores && w->cores->ncores > 1 && i < w->cores->ncores * w->cores->nsteps; i++) {
		const struct step_core *x = &w->cores->v[i];

		if (x->total <= 0)
			continue;
		total += (double)x->total;
		if (x->sync < 0)
			continue;
		known = true;
		s += (double)x->sync;
		t += (double)x->sync_compute;
	}
	*sync = known ? s / total : NAN;
	*transfer = known ? t / total : NAN;
}

/* Names the collective of a step that takes most time, counting either the waiting or the rest. */
static void where_most(struct rule_work *w, struct finding *f, bool waiting)
{
	const struct pod *p = w->in->pod;
	const char *name = NULL;
	double most = 0;

	for (size_t i = 0; p && i < p->ncollectives; i++) {
		const struct pod_collective *c = &p->collective[i];
		double sync = isnan(c->sync_us) ? 0 : c->sync_us,
		       sum = (waiting ? sync : c->duration_us - sync) * (double)c->occurrences;

		if (sum > most) {
			most = sum;
			name = c->name;
		}
	}
	if (name)
		rule_at_link(w, f, REF_COLLECTIVE, name);
}

/* Without ids nobody knows which run waited for which.  But the core that has least of them in a step waited
 * least, and all of them transferred at most as long: what the others have more is waiting.  Returns that
 * least, as a share of all steps; NaN: there is one core. */
static double least_of(const struct rule_work *w)
{
	const struct step_cores *c = w->cores;
	double total = 0, sum = 0;

	if (!c || c->ncores < 2)
		return NAN;
	for (size_t s = 0; s < c->nsteps; s++) {
		double least = INFINITY, n = 0;

		for (size_t i = 0; i < c->ncores; i++) {
			const struct step_core *x = step_core_at(c, i, s);

			if (x->total <= 0)
				continue;
			least = fmin(least, (double)x->kind[KIND_COLLECTIVE]);
			total += (double)x->total;
			n++;
		}
		sum += n > 0 ? least * n : 0;
	}
	return total > 0 ? sum / total : NAN;
}

/* A core that was not captured may have arrived last: then more of the time is waiting. */
static bool is_part_of_pod(const struct rule_work *w)
{
	int64_t all;

	return w->in->pod && pod_missing_chips(w->in->pod, &all) > 0;
}

static const char *say_collectives(struct rule_work *w, double all, double sync, double cost)
{
	const char *whole = *w->whole ? w->whole : "the step time";
	bool part = is_part_of_pod(w);

	if (!isnan(sync))
		return rule_say(w, "%s per step: %s%s transfer, %s%s waiting for other cores",
		    rule_time(w, all * w->step_ps), part ? "at most " : "", rule_time(w, cost * w->step_ps),
		    part ? "at least " : "", rule_time(w, sync * w->step_ps));
	if (all - cost < .001)
		return rule_say(w, "%.1f %% of %s, not hidden behind compute", all * 100, whole);
	return rule_say(w,
	    "%.1f %% of %s: at most %.1f %% transfer, at least %.1f %% waiting for other cores", all * 100,
	    whole, cost * 100, (all - cost) * 100);
}

/* Do many small collectives take most of the time, which XLA could combine? */
static bool many_small(const struct rule_work *w)
{
	const struct pod *p = w->in->pod;
	double runs = 0, steps = 0, time = 0, all = 0;

	for (size_t i = 0; p && i < p->ncollectives; i++) {
		const struct pod_collective *c = &p->collective[i];
		double us = c->duration_us - (isnan(c->sync_us) ? 0 : c->sync_us);

		all += us * (double)c->occurrences;
		if (us >= rule_limit(w->rule, "small_us") || strstr(c->category, "permute"))
			continue;
		runs += (double)c->occurrences;
		time += us * (double)c->occurrences;
	}
	for (size_t i = 0; p && i < p->cores.ncores * p->cores.nsteps; i++)
		steps += p->cores.v[i].total > 0;
	return steps > 0 && runs / steps >= rule_limit(w->rule, "small_runs") && time > all / 2;
}

/* What the advice depends on: what costs most, whether the program overlaps them already, and their size. */
static const char *collective_keys(struct rule_work *w, double all, double sync, const struct overlap *o)
{
	return rule_say(w, "%s%s%s", w->slow_core && sync > all / 2 ? "straggler " : "",
	    o->starts ? "async" : "sync", many_small(w) ? " small" : "");
}

static const char *say_overlap(struct rule_work *w, const struct overlap *o)
{
	double self = w->in->ops && w->in->ops->op_time > 0 ? (double)w->in->ops->op_time : NAN,
	       more = rule_step_share(w, o->more < self ? o->more : self);

	if (!o->starts || !(o->hidden + o->async > 0))
		return "";
	return rule_say(w,
	    "; %.0f %% of the asynchronous ones is hidden behind compute, at most %.1f %% of the step more "
	    "could be",
	    100 * o->hidden / (o->hidden + o->async), 100 * more);
}

/* Waiting is caused by whatever the core waits for, so it does not count as a cost of the collectives. */
void rule_collectives(struct rule_work *w)
{
	const struct overview *v = w->in->overview;
	double all = w->collective, sync, transfer, step, cost;
	struct overlap o;
	struct finding *f;

	if (v && !v->tpu)
		all = (step = rule_mean_of(&v->steps, "stepTimeMs")) > 0
		    ? rule_mean_of(&v->steps, "deviceCollectivesTimeMs") / step
		    : NAN;
	if (!(all > 0)) {
		if (all == 0 && (!v || v->tpu))
			rule_checked(w, "none");
		else if (!v || v->tpu)
			rule_unknown(w, "%s", rule_no_steps(w) ? rule_no_steps(w) : "not stated");
		return;
	}
	parts_of(w, &sync, &transfer);
	cost = isnan(sync) ? least_of(w) : all - sync;
	cost = isnan(cost) ? all : cost;
	o = rule_overlap(w);
	if (!(f = rule_raise(w, cost * 100, cost,
		  collective_keys(w, all, isnan(sync) ? all - cost : sync, &o)))) {
		rule_checked(w, "%.1f %%", all * 100);
		return;
	}
	if (f->severity == SEVERITY_HIGH &&
	    cost * 100 < w->share[METRIC_INFEED] * 100 + rule_limit(w->rule, "over_input"))
		f->severity = SEVERITY_MEDIUM;
	f->evidence = rule_say(w, "%s%s", say_collectives(w, all, sync, cost), say_overlap(w, &o));
	where_most(w, f, false);
	rule_detail(w, f, "Share of the step", "%.1f %%", all * 100);
	if (!isnan(sync)) {
		rule_detail(w, f, "Transfer", "%.1f %%", cost * 100);
		rule_detail(w, f, "Waiting", "%.1f %%", sync * 100);
	}
}

/* A straggler that was found explains the waiting already, and uneven work as much of it as it costs. */
void rule_collective_wait(struct rule_work *w)
{
	double sync, transfer, rest;
	struct finding *f;
	const char *least;

	if (!(w->collective > 0) || !w->cores || w->cores->ncores < 2)
		return;
	parts_of(w, &sync, &transfer);
	least = isnan(sync) || is_part_of_pod(w) ? "at least " : "";
	rest = isnan(sync) ? w->collective - least_of(w) : sync;
	if (w->slow_core) {
		rule_checked(w, "explained by the straggler: %s%.1f %%", least, rest * 100);
		return;
	}
	if ((f = rule_raise(w, (rest - w->uneven) * 100, rest - w->uneven, NULL))) {
		f->evidence = rule_say(w,
		    "%s%s of %s core time per step is spent waiting in collectives for cores that arrive "
		    "later%s",
		    least, rule_time(w, rest * w->step_ps), rule_time(w, w->step_ps),
		    w->uneven > 0
			? rule_say(w, "; uneven work explains %s of it", rule_time(w, w->uneven * w->step_ps))
			: "");
		where_most(w, f, true);
	} else if (isnan(sync)) {
		rule_unknown(w,
		    "collectives have no all_reduce_unique_id: waiting and transfer cannot be separated");
	} else if (w->uneven > 0) {
		rule_checked(w, "explained by uneven work: %s%.1f %%", least, sync * 100);
	} else {
		rule_checked(w, "%s%.1f %%", least, sync * 100);
	}
}
