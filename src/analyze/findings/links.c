#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/robust.h"

/* A channel, with means over all steps. */
struct link {
	const struct pod_channel *c; /* the channel in one of its steps */
	double latency, runs;        /* latency: us, mean; runs: per step and pair of cores */
	size_t steps;
	double *pair, *wait; /* us, by pair of cores of `c`; NULL: not known */
};

/* Channels are of one kind if the names of their ops agree up to the first dot: "all-gather-start.3,…" and
 * "all-gather-start". */
static struct slice kind_of(const struct pod_channel *c)
{
	return (struct slice){ c->hlo_names, strcspn(c->hlo_names, ".,") };
}

static int by_kind(const struct pod_channel *x, const struct pod_channel *y)
{
	int c = slice_order(kind_of(x), kind_of(y));

	if (c)
		return c;
	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int by_link(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	int kind = by_kind(x->c, y->c), d;

	if (kind || x->c->id != y->c->id)
		return kind ? kind : x->c->id < y->c->id ? -1 : 1;
	d = strcmp(x->c->hlo_names, y->c->hlo_names);
	return d ? d : (x->c > y->c) - (x->c < y->c);
}

static void add_pairs(struct link *l, const struct pod_channel *c)
{
	bool same = c->pair_us && c->nsrc == l->c->nsrc &&
	    !memcmp(c->src, l->c->src, c->nsrc * sizeof *c->src) &&
	    !memcmp(c->dst, l->c->dst, c->nsrc * sizeof *c->dst);

	if (!l->pair && same) {
		l->pair = xcalloc(2 * c->nsrc + 1, sizeof *l->pair);
		l->wait = l->pair + c->nsrc;
	}
	for (size_t i = 0; i < c->nsrc && l->pair; i++) {
		l->pair[i] += same ? c->pair_us[i] : NAN;
		l->wait[i] += same ? c->wait_us[i] : NAN;
	}
}

/* Returns one entry per channel; channels of a kind are adjacent. */
static struct link *links_of(const struct pod *p, size_t *n)
{
	struct link *v = xcalloc(p->nchannels + 1, sizeof *v);

	for (size_t i = 0; i < p->nchannels; i++) {
		const struct pod_channel *c = &p->channel[i];

		v[i] = (struct link){ c, c->duration_us,
			(double)c->occurrences / (double)(c->nsrc ? c->nsrc : 1), 1, NULL, NULL };
	}
	qsort(v, p->nchannels, sizeof *v, by_link);
	*n = 0;
	for (size_t i = 0; i < p->nchannels; i++) {
		struct link *last = *n ? &v[*n - 1] : NULL;

		if (last && last->c->id == v[i].c->id && !by_kind(last->c, v[i].c) &&
		    !strcmp(last->c->hlo_names, v[i].c->hlo_names)) {
			last->latency += v[i].latency;
			last->runs += v[i].runs;
			last->steps++;
			add_pairs(last, v[i].c);
		} else {
			v[*n] = v[i];
			add_pairs(&v[(*n)++], v[i].c);
		}
	}
	for (size_t i = 0; i < *n; i++) {
		for (size_t k = 0; k < v[i].c->nsrc && v[i].pair; k++) {
			v[i].pair[k] /= (double)v[i].steps;
			v[i].wait[k] /= (double)v[i].steps;
		}
		v[i].latency /= (double)v[i].steps;
		v[i].runs /= (double)v[i].steps;
	}
	return v;
}

struct hot {
	const struct link *link;
	size_t pair; /* of its cores */
	double latency, median, z, cost, wait;
	size_t n;
	bool of_pairs; /* n are the pairs of its channel, otherwise channels of its kind */
};

/* Returns the slowest channel of a kind. */
static struct hot hot_of(const struct link *v, size_t n, double step_us)
{
	double *x = xcalloc(n + 1, sizeof *x);
	struct hot h = { .link = v, .n = n };
	struct robust r;

	for (size_t i = 0; i < n; i++) {
		x[i] = v[i].latency;
		h.link = v[i].latency > h.link->latency ? &v[i] : h.link;
	}
	r = robust_of(x, n);
	free(x);
	h.latency = h.link->latency;
	h.median = r.median;
	h.z = robust_z(&r, h.link->latency);
	h.cost = (h.link->latency - h.median) * h.link->runs / step_us;
	return h;
}

/* Returns the slowest pair of cores of a channel, like those of a ring of permutes.  It costs what its receiver waits
 * for it beyond what a transfer of the others takes, or beyond what the others wait, if that is hidden. */
static struct hot hot_pair_of(const struct link *l, double step_us)
{
	double *x = xcalloc(l->c->nsrc + 1, sizeof *x), least = INFINITY;
	struct hot h = { .link = l, .n = l->pair ? l->c->nsrc : 0, .of_pairs = true };
	struct robust r;

	for (size_t i = 0; i < h.n; i++) {
		x[i] = l->pair[i];
		h.pair = l->pair[i] > l->pair[h.pair] ? i : h.pair;
	}
	r = robust_of(x, h.n);
	free(x);
	for (size_t i = 0; i < h.n; i++)
		least = i != h.pair && l->wait[i] < least ? l->wait[i] : least;
	if (!h.n)
		return h;
	h.latency = l->pair[h.pair];
	h.wait = l->wait[h.pair];
	h.median = r.median;
	h.z = robust_z(&r, h.latency);
	h.cost = fmin(h.latency - h.median, fmax(0, h.wait - fmin(least, h.median))) * l->runs / step_us;
	return h;
}

static void say_hot(struct rule_work *w, struct finding *f, const struct hot *h)
{
	const struct pod *p = w->in->pod;
	const struct pod_channel *c = h->link->c;
	const struct step_core_info *from = &p->cores.core[c->src[h->pair]],
				    *to = &p->cores.core[c->dst[h->pair]];

	f->evidence = rule_say(w, "%score %d of %s to core %d of %s: %s, median of %zu %s %s (%.1f×)%s",
	    c->id < 0 ? "" : rule_say(w, "channel %lld, ", (long long)c->id), from->core,
	    rule_host(w, from->host), to->core, rule_host(w, to->host), rule_time(w, h->latency * 1e6), h->n,
	    h->of_pairs ? "pairs" : "of its kind", rule_time(w, h->median * 1e6), h->latency / h->median,
	    h->of_pairs ? rule_say(w, "; the receiver waits %s of it", rule_time(w, h->wait * 1e6)) : "");
	if (h->of_pairs)
		f->mend = rule_say(w, "link:%s/%d=median", rule_host(w, to->host), to->core);
	rule_at_link(w, f, REF_CHANNEL,
	    c->id >= 0 ? rule_say(w, "%lld", (long long)c->id)
		       : rule_say(w, "%.*s", (int)strcspn(c->hlo_names, ","), c->hlo_names));
	if (c->id >= 0)
		rule_detail(w, f, "Channel", "%lld", (long long)c->id);
	rule_detail(w, f, "Ops", "%s", c->hlo_names);
	rule_detail(w, f, "Pairs of cores", "%zu", c->nsrc);
	rule_detail(w, f, "Size", "%s", rule_bytes(w, (double)c->bytes));
	rule_detail(w, f, "Usual spreads from the median", "%.1f", h->z);
}

static void take_hotter(const struct rule_work *w, struct hot h, struct hot *worst)
{
	if ((double)h.n >= rule_limit(w->rule, "least") && h.median > 0 && h.z > rule_limit(w->rule, "z") &&
	    h.link->c->nsrc && (!worst->link || h.cost > worst->cost))
		*worst = h;
}

void rule_hot_link(struct rule_work *w)
{
	const struct pod *p = w->in->pod;
	struct hot worst = { .link = NULL };
	struct finding *f;
	struct link *v;
	size_t n;

	if (!p || !p->nchannels || !(w->step_ps > 0))
		return;
	v = links_of(p, &n);
	for (size_t a = 0, b; a < n; a = b) {
		for (b = a + 1; b < n && !by_kind(v[a].c, v[b].c);)
			b++;
		take_hotter(w, hot_of(v + a, b - a, w->step_ps / 1e6), &worst);
	}
	for (size_t i = 0; i < n; i++)
		take_hotter(w, hot_pair_of(&v[i], w->step_ps / 1e6), &worst);
	if (worst.link && (f = rule_raise(w, worst.cost * 100, worst.cost, NULL)))
		say_hot(w, f, &worst);
	else
		rule_checked(w, n == 1 ? "1 channel" : "%zu channels, none much slower than its kind", n);
	for (size_t i = 0; i < n; i++)
		free(v[i].pair);
	free(v);
}

/* Counts the hosts that have fewer cores than the host with the most. */
static size_t short_hosts(const struct pod *p, size_t *first)
{
	const struct step_cores *c = &p->cores;
	size_t full = 0, hosts = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t a = 0, b; a < c->ncores; a = b) {
			for (b = a + 1; b < c->ncores && c->core[b].host == c->core[a].host;)
				b++;
			if (!pass)
				full = b - a > full ? b - a : full;
			else if (b - a < full)
				*first = hosts++ ? *first : a;
		}
	return hosts;
}

void rule_missing_cores(struct rule_work *w)
{
	const struct pod *p = w->in->pod;
	int64_t all, missing;
	size_t hosts, first = 0;
	struct finding *f;
	const char *cut;
	bool exact;

	if (!p || !p->cores.ncores)
		return;
	exact = p->topology.source == TOPOLOGY_FILE || p->topology.source == TOPOLOGY_USER;
	missing = pod_missing_chips(p, &all);
	hosts = short_hosts(p, &first);
	if (missing > 0 && (cut = rule_cut(w, rule_say(w, "only %zu could be read", p->cores.ncores)))) {
		rule_unknown(w, "%s", cut);
		return;
	}
	if (missing > 0 && (f = rule_raise(w, 100 * (double)missing / (double)all, NAN, NULL))) {
		f->evidence = rule_say(w, "%lld of %s%lld %ss %s not in the capture, which has %zu host%s",
		    (long long)missing, exact ? "" : "at least ", (long long)all, pod_unit(p),
		    missing == 1 ? "is" : "are", pod_machines(p), pod_machines(p) == 1 ? "" : "s");
	} else if (hosts && (f = rule_raise(w, 100 * (double)hosts / (double)p->nhosts, NAN, NULL))) {
		f->evidence = rule_say(w, "%zu of %zu hosts %s fewer cores than the others (%s%s)", hosts,
		    p->nhosts, hosts == 1 ? "has" : "have", rule_host(w, p->cores.core[first].host),
		    hosts > 1 ? ", …" : "");
		rule_at_core(w, f, p->cores.core[first].host, p->cores.core[first].core);
	} else {
		rule_checked(w, "%zu on %zu host%s", p->cores.ncores, pod_machines(p),
		    pod_machines(p) == 1 ? "" : "s");
	}
}

void rule_mixed_files(struct rule_work *w)
{
	const struct pod *p = w->in->pod;
	struct finding *f;

	if (!p || !p->cores.ncores || !w->in->dump || w->in->dump->nfiles < 2)
		return;
	if (p->naparts && (f = rule_raise(w, (double)p->naparts, NAN, NULL)))
		f->evidence =
		    rule_say(w, "%s%s", p->apart, p->naparts > 1 ? "; see the pod's warnings for more" : "");
	else
		rule_checked(w, "from one run");
}

/* Returns when a host begins a step: the start of its first core. */
static double begin_of(const struct step_cores *c, size_t a, size_t b, size_t step)
{
	int64_t first = INT64_MAX;

	for (size_t i = a; i < b; i++) {
		const struct step_core *x = step_core_at(c, i, step);

		first = x->total >= 0 && x->start < first ? x->start : first;
	}
	return (double)first;
}

/* Returns how much later than the first host another one begins: the median over the steps that both have. */
static double late_of(const struct step_cores *c, size_t a, size_t b, size_t lead_end)
{
	double *x = xcalloc(c->nsteps + 1, sizeof *x), late;
	size_t n = 0;

	for (size_t s = 0; s < c->nsteps; s++)
		if (c->step[s].everywhere)
			x[n++] = begin_of(c, a, b, s) - begin_of(c, 0, lead_end, s);
	late = n ? robust_median(x, n) : 0;
	free(x);
	return late;
}

void rule_hosts_apart(struct rule_work *w)
{
	const struct pod *p = w->in->pod;
	const struct step_cores *c = p ? &p->cores : NULL;
	double *late, *sorted, median, worst = 0;
	size_t *core, n = 0, lead = 0, at = 0;
	struct finding *f;

	if (!p || !c->nsteps || !(w->step_ps > 0))
		return;
	late = xcalloc(c->ncores + 1, sizeof *late);
	sorted = xcalloc(c->ncores + 1, sizeof *sorted);
	core = xcalloc(c->ncores + 1, sizeof *core);
	for (size_t a = 0, b; a < c->ncores; a = b) {
		for (b = a + 1; b < c->ncores && c->core[b].host == c->core[a].host;)
			b++;
		lead = a ? lead : b;
		core[n] = a;
		sorted[n] = late[n] = late_of(c, a, b, lead);
		n++;
	}
	/* with only two hosts, the first one is the reference */
	median = n > 2 ? robust_median(sorted, n) : 0;
	for (size_t i = 0; i < n; i++)
		if (fabs(late[i] - median) > fabs(worst)) {
			worst = late[i] - median;
			at = i;
		}
	if (n > 1 && (f = rule_raise(w, fabs(worst) / w->step_ps * 100, NAN, NULL))) {
		f->evidence = rule_say(w, "%s starts its steps %s %s than %s; a step takes %s",
		    rule_host(w, c->core[core[at]].host), rule_time(w, fabs(worst)),
		    worst > 0 ? "later" : "earlier", n > 2 ? "most hosts" : rule_host(w, c->core[0].host),
		    rule_time(w, w->step_ps));
		rule_at_core(w, f, c->core[core[at]].host, c->core[core[at]].core);
	} else if (n > 1) {
		rule_checked(w, "at most %s apart", rule_time(w, fabs(worst)));
	}
	free(late);
	free(sorted);
	free(core);
}
