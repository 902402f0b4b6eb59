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

/* Returns one entry per channel; channels of a kind are adjacent. */
static struct link *links_of(const struct pod *p, size_t *n)
{
	struct link *v = xcalloc(p->nchannels + 1, sizeof *v);

	for (size_t i = 0; i < p->nchannels; i++) {
		const struct pod_channel *c = &p->channel[i];

		v[i] = (struct link){ c, c->duration_us,
			(double)c->occurrences / (double)(c->nsrc ? c->nsrc : 1), 1 };
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
		} else {
			v[(*n)++] = v[i];
		}
	}
	for (size_t i = 0; i < *n; i++) {
		v[i].latency /= (double)v[i].steps;
		v[i].runs /= (double)v[i].steps;
	}
	return v;
}

struct hot {
	const struct link *link;
	double median, z, cost;
	size_t n;
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
	h.median = r.median;
	h.z = robust_z(&r, h.link->latency);
	h.cost = (h.link->latency - h.median) * h.link->runs / step_us;
	return h;
}

static void say_hot(struct rule_work *w, struct finding *f, const struct hot *h)
{
	const struct pod *p = w->in->pod;
	const struct pod_channel *c = h->link->c;
	const struct step_core_info *from = &p->cores.core[c->src[0]], *to = &p->cores.core[c->dst[0]];

	f->evidence = rule_say(w,
	    "channel %lld, core %d of %s to core %d of %s: %s, median of %zu of its kind %s (%.1f×)",
	    (long long)c->id, from->core, rule_host(w, from->host), to->core, rule_host(w, to->host),
	    rule_time(w, h->link->latency * 1e6), h->n, rule_time(w, h->median * 1e6),
	    h->link->latency / h->median);
	rule_at_link(w, f, REF_CHANNEL,
	    c->id >= 0 ? rule_say(w, "%lld", (long long)c->id)
		       : rule_say(w, "%.*s", (int)strcspn(c->hlo_names, ","), c->hlo_names));
	rule_detail(w, f, "Channel", "%lld: %s", (long long)c->id, c->hlo_names);
	rule_detail(w, f, "Pairs of cores", "%zu", c->nsrc);
	rule_detail(w, f, "Size", "%s", rule_bytes(w, (double)c->bytes));
	rule_detail(w, f, "Deviation (robust z)", "%.1f", h->z);
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
		struct hot h;

		for (b = a + 1; b < n && !by_kind(v[a].c, v[b].c);)
			b++;
		h = hot_of(v + a, b - a, w->step_ps / 1e6);
		if ((double)h.n >= rule_limit(w->rule, "least") && h.median > 0 &&
		    h.z > rule_limit(w->rule, "z") && h.link->c->nsrc && (!worst.link || h.cost > worst.cost))
			worst = h;
	}
	if (worst.link && (f = rule_raise(w, worst.cost * 100, worst.cost, NULL)))
		say_hot(w, f, &worst);
	else
		rule_checked(w, n == 1 ? "1 channel" : "%zu channels, none much slower than its kind", n);
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
