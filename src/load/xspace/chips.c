#include "config.h"

#include <stdlib.h>

#include "base/mem.h"
#include "core_details.pb-c.h"
#include "load/xspace/process.h"

/* A core of a process. */
struct owned {
	int host;      /* processes of a machine follow one another in dump.hosts */
	int64_t local; /* tells the chips of a process apart: what its file says, else the core */
	bool known;
	uint32_t plane;
};

VEC_ORDER(by_process, struct owned, UP(host) UP(local) UP(plane));
VEC_ORDER(by_chip, struct owned, UP(local) UP(host));

static bool take_chip(void *ctx, const struct stat_value *v)
{
	struct owned *o = ctx;
	Pb__CoreDetails *m;

	if (v->type != STAT_BYTES || !stat_is(v, "core_details") ||
	    !(m = pb__core_details__unpack(NULL, v->n, (const uint8_t *)v->s)))
		return true;
	o->local = m->global_chip_id;
	o->known = true;
	pb__core_details__free_unpacked(m, NULL);
	return false;
}

static bool is_process(const struct dump *d, int host)
{
	return host >= 0 && d->hosts[host].machine != d->hosts[host].name;
}

static size_t list_cores(const struct dump *d, struct owned **v)
{
	size_t n = 0, cap = 0;

	*v = NULL;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		struct owned o = { .host = p->host, .local = p->core, .plane = i };

		if (p->kind != PLANE_TPU || !is_process(d, p->host))
			continue;
		stats_of_plane(d, i, take_chip, &o);
		VEC_ADD(*v, n, cap, o);
	}
	VEC_SORT(*v, n, by_process);
	return n;
}

/* Whether every process of a machine says which chips it owns, and no other says the same. */
static bool chips_are_known(const struct owned *v, size_t n)
{
	struct owned *sorted = xcalloc(n, sizeof *sorted);
	bool known = true;

	for (size_t i = 0; i < n; i++)
		sorted[i] = v[i];
	VEC_SORT(sorted, n, by_chip);
	for (size_t i = 0; i < n && known; i++)
		known = sorted[i].known &&
		    (!i || sorted[i].local != sorted[i - 1].local || sorted[i].host == sorted[i - 1].host);
	free(sorted);
	return known;
}

static void count_chips(struct dump *d, const struct owned *v, size_t n, int64_t *chips)
{
	struct slice machine = dump_text(d, d->hosts[v->host].machine);

	for (size_t i = 0; i < n; i++) {
		*chips += !i || v[i].host != v[i - 1].host || v[i].local != v[i - 1].local;
		d->trace.planes[v[i].plane].chip = *chips;
	}
	problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
	    "chips of %.*s are counted in the order of its %s: the processes do not say which they own",
	    (int)(machine.n < 200 ? machine.n : 200), machine.s,
	    d->hosts[v->host].rank < 0 ? "processes" : "ranks");
}

/* Those of a SparseCore are those of its TensorCore. */
static void follow_cores(struct dump *d)
{
	for (uint32_t i = 0, last = 0; i < d->trace.nplanes; i++) {
		struct plane *p = &d->trace.planes[i];

		if (p->kind == PLANE_TPU) {
			last = i;
		} else if (plane_is_tpu_core(p->kind) && d->trace.planes[last].host == p->host &&
		    d->trace.planes[last].core == p->core) {
			p->chip = d->trace.planes[last].chip;
		}
	}
}

void process_chips(struct dump *d)
{
	struct owned *v;
	size_t n = list_cores(d, &v);
	int64_t chips = 0;
	bool counted = false;

	for (size_t a = 0, end; a < n; a = end) {
		strid machine = d->hosts[v[a].host].machine;

		for (end = a; end < n && d->hosts[v[end].host].machine == machine; end++)
			;
		if (chips_are_known(v + a, end - a))
			continue;
		count_chips(d, v + a, end - a, &chips);
		counted = true;
	}
	if (counted)
		follow_cores(d);
	free(v);
}
