#include "config.h"
#include "analyze/pod/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/step_metric.h"
#include "analyze/hlo/groups.h"

/* One run of an op of a collective on one core. */
struct instance {
	int64_t id, dur;
};

VEC_ORDER(by_instance, struct instance, UP(id) UP(dur));

/* Insertion sort: there is mostly one run per core. */
static void sort_instances(struct instance *v, size_t n)
{
	if (n > 64) {
		qsort(v, n, sizeof *v, by_instance);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		struct instance x = v[i];
		size_t k = i;

		for (; k && (v[k - 1].id > x.id || (v[k - 1].id == x.id && v[k - 1].dur > x.dur)); k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/* What all runs of an op have in common. */
struct known {
	bool known;
	const char *name, *category, *groups;
	uint64_t bytes;
	bool
	    whole; /* all cores leave it together, and all devices of its groups are here, as far as it names them */
};

static const struct known *known_of(struct pod *pod, const struct traffic *p, struct known *v, uint32_t op)
{
	const struct traffic_op *o = &p->op[op];
	const struct strtab *str = &p->dump->str;
	struct known *k = &v[op];
	struct hlo_group_size size;

	if (k->known)
		return k;
	k->known = true;
	k->name = arena_strndup(&pod->text, strtab_str(str, o->name), strtab_len(str, o->name));
	k->category = arena_strndup(&pod->text, strtab_str(str, o->category), strtab_len(str, o->category));
	k->groups = hlo_groups(&pod->text, traffic_list(o, "replica_groups="), &size);
	k->whole = (!size.known || size.devices <= pod->cores.ncores) &&
	    step_kind_of(k->category, strlen(k->category)) & STEP_KIND_MEETS;
	k->bytes = traffic_bytes(o, false);
	return k;
}

/* All cores leave a collective together, so the core that arrived last has the shortest run and did not wait:
 * its run is the transfer itself, and the excess of every other run is waiting (step_cores.h).  Of a run that
 * no other core of the capture met, nobody knows, nor where devices that take part are not in the capture. */
static void add_collective(struct pod *pod, size_t *cap, const struct known *k, size_t step,
    struct instance *v, size_t n)
{
	struct pod_collective c = { .name = k->name,
		.category = k->category,
		.replica_groups = k->groups,
		.bytes = k->bytes,
		.step = step,
		.occurrences = n };
	size_t ties = 0, first = 0;

	sort_instances(v, n);
	for (size_t i = 0; i < n; i++) {
		c.duration_us += (double)v[i].dur / 1e6;
		if (v[i].id == STEP_OP_NO_ID)
			continue;
		if (v[i].id != v[first].id)
			first = i;
		if (i == first && (i + 1 == n || v[i + 1].id != v[i].id))
			continue;
		c.sync_us += (double)(v[i].dur - v[first].dur) / 1e6;
		ties++;
	}
	c.duration_us /= (double)n;
	c.sync_us = ties && k->whole ? c.sync_us / (double)ties : NAN;
	VEC_ADD(pod->collective, pod->ncollectives, *cap, c);
}

/* By step, then by total time, largest first. */
static int by_cost(const void *a, const void *b)
{
	const struct pod_collective *x = a, *y = b;
	double p = x->duration_us * (double)x->occurrences, q = y->duration_us * (double)y->occurrences;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (p < q || p > q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

void pod_collectives(struct pod *pod, const struct traffic *p)
{
	struct known *known = xcalloc(p->nops + 1, sizeof *known);
	struct instance *v = NULL;
	size_t cap = 0, v_cap = 0, n;

	for (size_t a = 0, b; a < p->nruns; a = b) {
		const struct traffic_run *r = &p->run[a];

		for (b = a, n = 0; b < p->nruns; b++) {
			if (p->run[b].at->step != r->at->step || p->run[b].op != r->op)
				break;
			VEC_ADD(v, n, v_cap, (struct instance){ p->run[b].at->id, p->run[b].at->dur });
		}
		if (p->op[r->op].roles & TRAFFIC_COLLECTIVE)
			add_collective(pod, &cap, known_of(pod, p, known, r->op), r->at->step, v, n);
	}
	VEC_SORT(pod->collective, pod->ncollectives, by_cost);
	free(known);
	free(v);
}
