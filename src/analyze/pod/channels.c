#include "config.h"
#include "analyze/pod/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/step_metric.h"
#include "base/bisect.h"
#include "base/text/digit.h"

/* One end of a transfer: a send or a receive op in one step of one core. */
struct hop {
	size_t step;
	int64_t channel;
	uint32_t begin;
	bool arrives;
	const struct traffic_run *run;
};

VEC_ORDER(by_channel, struct hop,
    UP(step) UP(channel) UP(begin) UP(arrives) UP(run->core) UP(run->at->start));

static struct hop *find_hops(const struct traffic *p, size_t *n)
{
	struct hop *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < p->nruns; i++) {
		const struct traffic_op *o = &p->op[p->run[i].op];
		uint32_t begin = o->begin != TRAFFIC_NONE ? o->begin : p->run[i].op;
		int64_t channel = o->channel != TRAFFIC_ID_NONE ? o->channel : p->op[begin].channel;

		/* A channel number ties both ends together, so the names of the ops need not agree. */
		if (channel != TRAFFIC_ID_NONE)
			begin = 0;
		for (int arrives = 0; arrives < 2; arrives++) {
			if (!(o->roles & (arrives ? TRAFFIC_END : TRAFFIC_BEGIN)))
				continue;
			VEC_ADD(v, *n, cap,
			    (struct hop){ p->run[i].at->step, channel, begin, arrives, &p->run[i] });
		}
	}
	VEC_SORT(v, *n, by_channel);
	return v;
}

/* The ends of transfers on one core, by time. */
struct ends {
	const struct hop *v;
	size_t n;
};

static struct ends ends_of(const struct ends *all, size_t core)
{
	size_t a, b;

	BISECT(a, all->n, all->v[a].run->core < core);
	for (b = a; b < all->n && all->v[b].run->core == core;)
		b++;
	return (struct ends){ all->v + a, b - a };
}

static void add_pair(struct pod *pod, struct pod_channel *c, const struct ends *sent,
    const struct ends *arrived, size_t src, size_t dst)
{
	struct ends from = ends_of(sent, src), to = ends_of(arrived, dst);
	size_t n = from.n < to.n ? from.n : to.n;
	double pair_us = 0, wait_us = 0;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct step_run *arrives = to.v[i].run->at;
		int64_t dur = to.v[i].run->at->end - from.v[i].run->at->start,
			late = from.v[i].run->at->start - to.v[i].run->at->start;

		/* clocks of two hosts may differ so much that this is negative */
		c->duration_us += dur > 0 ? (double)dur / 1e6 : 0;
		c->send_delay_us += late > 0 ? (double)late / 1e6 : 0;
		pair_us += dur > 0 ? (double)dur / 1e6 / (double)n : 0;
		wait_us += (double)(arrives->end - arrives->start) / 1e6 / (double)n;
	}
	c->occurrences += n;
	if (!(c->nsrc & (c->nsrc - 1))) {
		size_t cap = c->nsrc ? c->nsrc * 2 : 1;
		uint32_t *both = arena_alloc(&pod->text, 2 * cap * sizeof *both);
		double *us = arena_alloc(&pod->text, 2 * cap * sizeof *us);

		if (c->nsrc) {
			memcpy(both, c->src, c->nsrc * sizeof *both);
			memcpy(both + cap, c->dst, c->ndst * sizeof *both);
			memcpy(us, c->pair_us, c->nsrc * sizeof *us);
			memcpy(us + cap, c->wait_us, c->nsrc * sizeof *us);
		}
		c->pair_us = us;
		c->wait_us = us + cap;
		c->src = both;
		c->dst = both + cap;
	}
	c->pair_us[c->nsrc] = pair_us;
	c->wait_us[c->nsrc] = wait_us;
	c->src[c->nsrc++] = (uint32_t)src;
	c->dst[c->ndst++] = (uint32_t)dst;
}

/* Maps device numbers of the HLO to cores.  If no core says which chip it is on, cores are counted in
 * order. */
void pod_devices_of(const struct pod *pod, struct pod_devices *v)
{
	int64_t last = -1, id;

	*v = (struct pod_devices){ 0 };
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < pod->cores.ncores; i++) {
			const struct step_core_info *c = &pod->cores.core[i];

			id = topology_device(c->chip, c->core_on_chip, pod->topology.cores_per_chip, i);
			if (!pass)
				last = id > last ? id : last;
			else if (v->core[id] == UINT32_MAX)
				v->core[id] = (uint32_t)i;
		}
		if (!pass) {
			v->n = (size_t)(last + 1);
			v->core = xcalloc(v->n + 1, sizeof *v->core);
			memset(v->core, 0xff, v->n * sizeof *v->core);
		}
	}
}

size_t pod_device_core(const struct pod_devices *v, int64_t id)
{
	return id < 0 || (uint64_t)id >= v->n || v->core[id] == UINT32_MAX ? SIZE_MAX : v->core[id];
}

/* Adds the pairs of a source-target list such as "{{0,1},{1,2}}". */
static void add_listed(struct pod *pod, const struct pod_devices *devices, struct pod_channel *c,
    const struct ends *sent, const struct ends *arrived, struct slice list)
{
	int64_t pair[2] = { 0 };
	int k = -1;

	for (size_t i = 0; i < list.n; i++) {
		char s = list.s[i];

		if (s == '{') {
			k = 0;
			pair[0] = pair[1] = 0;
		} else if (is_digit(s) && k >= 0 && pair[k] < INT32_MAX) {
			pair[k] = pair[k] * 10 + (s - '0');
		} else if (s == ',' && k == 0) {
			k = 1;
		} else if (s == '}' && k == 1) {
			size_t src = pod_device_core(devices, pair[0]),
			       dst = pod_device_core(devices, pair[1]);

			if (src != SIZE_MAX && dst != SIZE_MAX)
				add_pair(pod, c, sent, arrived, src, dst);
			k = -1;
		}
	}
}

/* Without a source-target list: pairs the cores that send with the cores that receive, in order. */
static void add_in_order(struct pod *pod, struct pod_channel *c, const struct ends *sent,
    const struct ends *arrived)
{
	size_t a = 0, b = 0;

	while (a < sent->n && b < arrived->n) {
		size_t src = sent->v[a].run->core, dst = arrived->v[b].run->core;

		add_pair(pod, c, sent, arrived, src, dst);
		while (a < sent->n && sent->v[a].run->core == src)
			a++;
		while (b < arrived->n && arrived->v[b].run->core == dst)
			b++;
	}
}

/* Lists the ops of a channel, each once: "send.42,recv-done.52". */
static const char *names_of(struct pod *pod, const struct traffic *p, const struct hop *v, size_t n)
{
	uint32_t seen[16];
	size_t nseen = 0;
	char *text = NULL;

	for (size_t i = 0; i < n && nseen < sizeof seen / sizeof *seen; i++) {
		const struct traffic_op *o = &p->op[v[i].run->op];
		bool had = false;
		char *longer;

		for (size_t k = 0; k < nseen; k++)
			had |= p->op[seen[k]].name == o->name;
		if (had)
			continue;
		seen[nseen++] = v[i].run->op;
		longer = xasprintf("%s%s%.*s", text ? text : "", text ? "," : "",
		    (int)strtab_len(&p->dump->str, o->name), strtab_str(&p->dump->str, o->name));
		free(text);
		text = longer;
	}
	const char *kept = arena_strndup(&pod->text, text ? text : "", text ? strlen(text) : 0);

	free(text);
	return kept;
}

static void add_channel(struct pod *pod, const struct pod_devices *devices, size_t *cap,
    const struct traffic *p, const struct hop *v, size_t n)
{
	struct pod_channel c = { .id = v->channel == TRAFFIC_ID_NONE ? -1 : v->channel, .step = v->step };
	struct ends sent = { v, 0 }, arrived;
	const struct traffic_op *begin = &p->op[v->run->op];
	struct slice list;

	while (sent.n < n && !v[sent.n].arrives)
		sent.n++;
	arrived = (struct ends){ v + sent.n, n - sent.n };
	if (!sent.n || !arrived.n)
		return;
	list = traffic_list(begin, "source_target_pairs=");
	if (list.n)
		add_listed(pod, devices, &c, &sent, &arrived, list);
	else
		add_in_order(pod, &c, &sent, &arrived);
	if (!c.occurrences)
		return;
	c.duration_us /= (double)c.occurrences;
	c.send_delay_us /= (double)c.occurrences;
	c.bytes = traffic_bytes(begin, true);
	c.hlo_names = names_of(pod, p, v, n);
	VEC_ADD(pod->channel, pod->nchannels, *cap, c);
}

void pod_channels(struct pod *pod, const struct traffic *p)
{
	size_t n, cap = 0;
	struct hop *v = find_hops(p, &n);
	struct pod_devices devices;

	pod_devices_of(pod, &devices);
	for (size_t a = 0, b; a < n; a = b) {
		for (b = a + 1; b < n && v[b].step == v[a].step && v[b].channel == v[a].channel &&
		     v[b].begin == v[a].begin;)
			b++;
		add_channel(pod, &devices, &cap, p, v + a, b - a);
	}
	free(devices.core);
	free(v);
}
