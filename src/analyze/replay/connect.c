#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/groups.h"
#include "analyze/pieces/hlo_line.h"
#include "base/bisect.h"
#include "base/mem.h"
#include "base/text/digit.h"

static strid name_of(const struct replay *r, uint32_t meta)
{
	return r->dump->trace.metas[meta].name;
}

static uint64_t program_of(const struct replay *r, uint32_t meta)
{
	uint64_t program = 0;

	cut_program(r->dump, meta, &program);
	return program;
}

/* --- collectives --- */

struct sync_run {
	int64_t id;
	uint64_t program;
	strid name;
	uint32_t core, node;
};

VEC_ORDER(by_run, struct sync_run, UP(id) UP(program) UP(name) UP(core) UP(node));

static bool same_run(const struct sync_run *a, const struct sync_run *b)
{
	return a->id == b->id && a->program == b->program && a->name == b->name;
}

/* Are all that take part in the capture, each once? */
static bool is_whole(const struct replay *r, const struct sync_run *v, size_t n)
{
	const struct hlo_line l = hlo_line_of(cut_text(r->dump, r->core[v->core].node[v->node].meta));
	struct hlo_group_size size = { .known = false };
	struct arena text = { 0 };
	const char *groups;

	for (size_t i = 1; i < n; i++)
		if (v[i].core == v[i - 1].core)
			return false;
	groups = hlo_groups(&text, hlo_text_list(l.attributes, "replica_groups="), &size);
	groups = groups && *groups ? groups : NULL;
	arena_free(&text);
	return r->ncores > 1 && n > 1 && !(groups && size.known && size.devices > r->ncores);
}

static void add_member(struct replay *r, uint32_t core, uint32_t node, int64_t total)
{
	r->core[core].node[node].at = (uint32_t)r->nmembers;
	VEC_ADD(r->member, r->nmembers, r->members_cap,
	    (struct member){ .core = core, .node = node, .total = total });
}

static void add_sync(struct replay *r, const struct sync_run *v, size_t n)
{
	struct meeting m = { .member = (uint32_t)r->nmembers,
		.members = (uint32_t)n,
		.least = INT64_MAX,
		.least_alone = INT64_MAX };

	for (size_t i = 0; i < n; i++) {
		const struct node *s = &r->core[v[i].core].node[v[i].node];
		int64_t total = s->d + (v[i].node && s[-1].kind == NODE_BARRIER ? s[-1].d : 0);

		m.least = total < m.least ? total : m.least;
		m.least_alone = s->d < m.least_alone ? s->d : m.least_alone;
		add_member(r, v[i].core, v[i].node, total);
	}
	VEC_ADD(r->meeting, r->nmeetings, r->meetings_cap, m);
}

static void connect_syncs(struct replay *r)
{
	struct sync_run *v = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t k = 0; k < r->ncores; k++)
		for (uint32_t i = 0; i < r->core[k].nsyncs; i++) {
			const struct sync_node *s = &r->core[k].sync[i];
			const uint32_t meta = r->core[k].node[s->node].meta;

			VEC_ADD(v, n, cap,
			    (struct sync_run){ s->id, program_of(r, meta), name_of(r, meta), k, s->node });
		}
	VEC_SORT(v, n, by_run);
	for (size_t a = 0, b; a < n; a = b) {
		for (b = a + 1; b < n && same_run(&v[a], &v[b]);)
			b++;
		if (is_whole(r, &v[a], b - a))
			add_sync(r, &v[a], b - a);
	}
	free(v);
	r->nsyncs = r->nmeetings;
}

/* What is not known to meet is work of the core. */
static void forget_others(struct replay_core *c)
{
	for (size_t i = 0; i < c->nnodes; i++) {
		struct node *n = &c->node[i];

		if (n->kind == NODE_SYNC && n->at == NODE_NONE)
			n->kind = NODE_WORK;
	}
	for (size_t i = 0; i < c->nnodes; i++)
		if (c->node[i].kind == NODE_BARRIER &&
		    (i + 1 == c->nnodes || c->node[i + 1].kind != NODE_SYNC))
			c->node[i].kind = NODE_GAP;
}

/* --- launches --- */

static bool run_the_same(const struct replay *r)
{
	for (size_t k = 1; k < r->ncores; k++) {
		if (r->core[k].nruns != r->core[0].nruns)
			return false;
		for (size_t i = 0; i < r->core[0].nruns; i++)
			if (r->core[k].run[i] != r->core[0].run[i])
				return false;
	}
	return r->ncores > 1;
}

/* Finds the launch before each run of a core; NODE_NONE: none. */
static uint32_t *find_launches(struct replay_core *c)
{
	uint32_t *of = xmalloc((c->nruns + 1) * sizeof *of), launch = NODE_NONE, run = NODE_NONE;

	for (size_t i = 0; i <= c->nruns; i++)
		of[i] = NODE_NONE;
	for (uint32_t i = 0; i < c->nnodes; i++) {
		struct node *n = &c->node[i];

		if (n->meta == NODE_NONE) {
			launch = n->kind == NODE_LAUNCH ? i : launch;
			continue;
		}
		if (n->run != run && launch != NODE_NONE) {
			c->node[launch].run = n->run;
			if (of[n->run] == NODE_NONE)
				of[n->run] = launch;
		}
		run = n->run;
		launch = NODE_NONE;
	}
	return of;
}

static bool is_shared_by_all(const struct replay *r, const struct node *n)
{
	size_t m;

	if (n->kind != NODE_SYNC)
		return false;
	BISECT(m, r->nsyncs, r->meeting[m].member + r->meeting[m].members <= n->at);
	return r->meeting[m].members == r->ncores;
}

/* The time between the last that all cores shared, or the launch before, and this one. */
static double tail_of(const struct replay *r, const struct replay_core *c, uint32_t launch, uint32_t run)
{
	double sum = 0;

	for (uint32_t i = launch; i-- > 0;) {
		const struct node *n = &c->node[i];

		if (is_shared_by_all(r, n) || (n->meta != NODE_NONE && n->run + 1 < run) ||
		    n->kind == NODE_LAUNCH)
			break;
		sum += (double)n->d;
	}
	return sum;
}

/* Is a gap before a run shorter on cores that came later? */
static double slope_of(const struct replay *r, uint32_t *const *launch)
{
	double xx = 0, xy = 0, *tail = xcalloc(r->ncores + 1, sizeof *tail), n = (double)r->ncores;

	for (uint32_t run = 1; run < r->core[0].nruns; run++) {
		double tails = 0, gaps = 0;
		size_t has = 0;

		for (size_t k = 0; k < r->ncores; k++) {
			if (launch[k][run] == NODE_NONE)
				continue;
			tails += tail[k] = tail_of(r, &r->core[k], launch[k][run], run);
			gaps += (double)r->core[k].node[launch[k][run]].d;
			has++;
		}
		for (size_t k = 0; k < r->ncores && has == r->ncores; k++) {
			double x = tail[k] - tails / n;

			xx += x * x;
			xy += x * ((double)r->core[k].node[launch[k][run]].d - gaps / n);
		}
	}
	free(tail);
	return xx > 0 ? xy / xx : 0;
}

static void add_launch(struct replay *r, uint32_t *const *launch, uint32_t run)
{
	struct meeting m = { .member = (uint32_t)r->nmembers,
		.members = (uint32_t)r->ncores,
		.launch = true,
		.least = INT64_MAX };

	for (size_t k = 0; k < r->ncores; k++)
		if (launch[k][run] == NODE_NONE)
			return;
	for (uint32_t k = 0; k < r->ncores; k++) {
		int64_t d = r->core[k].node[launch[k][run]].d;

		m.least = d < m.least ? d : m.least;
		add_member(r, k, launch[k][run], d);
	}
	VEC_ADD(r->meeting, r->nmeetings, r->meetings_cap, m);
}

static void connect_launches(struct replay *r, bool same)
{
	uint32_t **launch = xcalloc(r->ncores + 1, sizeof *launch);

	for (size_t k = 0; k < r->ncores; k++)
		launch[k] = find_launches(&r->core[k]);
	r->together = same && slope_of(r, launch) < -0.5;
	for (uint32_t run = 1; r->together && run < r->core[0].nruns; run++)
		add_launch(r, launch, run);
	for (size_t k = 0; k < r->ncores; k++)
		free(launch[k]);
	free(launch);
}

/* --- pairs with partners on other cores --- */

/* A start, the n-th of its name in the run. */
struct exchange_run {
	uint32_t run, number, core, pair, start;
	strid name;
	uint64_t program;
};

VEC_ORDER(by_exchange, struct exchange_run, UP(run) UP(program) UP(name) UP(number) UP(core) UP(pair));
VEC_ORDER(by_core, struct exchange_run, UP(core) UP(run) UP(program) UP(name) UP(start));

static bool same_name(const struct exchange_run *a, const struct exchange_run *b)
{
	return a->run == b->run && a->program == b->program && a->name == b->name;
}

static struct exchange_run *find_exchanges(const struct replay *r, size_t *n)
{
	struct exchange_run *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (uint32_t k = 0; k < r->ncores; k++)
		for (uint32_t i = 0; i < r->core[k].npairs; i++) {
			const uint32_t start = r->core[k].pair[i].start;
			const struct node *s = start == NODE_NONE ? NULL : &r->core[k].node[start];

			if (s && s->kind == NODE_START && s->at == i && s->group == GROUP_ASYNC)
				VEC_ADD(v, *n, cap,
				    (struct exchange_run){ s->run, 0, k, i, start, name_of(r, s->meta),
					program_of(r, s->meta) });
		}
	VEC_SORT(v, *n, by_core);
	for (size_t i = 0; i < *n; i++)
		v[i].number =
		    i && v[i].core == v[i - 1].core && same_name(&v[i], &v[i - 1]) ? v[i - 1].number + 1 : 0;
	VEC_SORT(v, *n, by_exchange);
	return v;
}

uint32_t replay_exchanged(const struct replay *r, uint32_t exchange, uint32_t core)
{
	const struct exchange *x = &r->exchange[exchange];
	const struct exchange_pair *v = r->exchanged + x->first;
	size_t i = core;

	if (x->n < r->ncores)
		BISECT(i, x->n, v[i].core < core);
	return i < x->n && v[i].core == core ? v[i].pair : NODE_NONE;
}

static uint32_t next_number(const char **s, bool *more)
{
	uint32_t n = 0;

	while (**s && !is_digit(**s))
		++*s;
	*more = **s;
	for (; is_digit(**s) && n < 1u << 24; ++*s)
		n = n * 10 + (uint32_t)(**s - '0');
	return n;
}

/* Reads whom a core waits for from "{0,1},{2,3}": the sources of its pairs, or the others of its group. */
static uint32_t *read_peers(const struct replay *r, const char *groups, bool pairs, uint32_t core,
    uint32_t *n, bool *known)
{
	uint32_t *v = NULL, *group = NULL;
	size_t cap = 0, size, group_cap = 0, found = 0;

	while (groups && *groups) {
		bool mine = false, more;

		size = 0;
		for (const char *end = strchr(groups, '}'); end && groups < end;) {
			uint32_t x = next_number(&groups, &more);

			if (!more || groups > end)
				break;
			if (x >= r->ncores)
				*known = false;
			mine |= x == core && (!pairs || size == 1);
			VEC_ADD(group, size, group_cap, x);
		}
		groups = strchr(groups, '{');
		for (size_t i = 0; i < (pairs && size ? 1 : size) && mine; i++)
			if (group[i] != core)
				VEC_ADD(v, found, cap, group[i]);
	}
	free(group);
	*n = (uint32_t)found;
	return v;
}

/* Whom a core waits for in the pairs of each kind of op. */
struct peers {
	const uint32_t *v;
	uint32_t n;
	bool read;
};

static struct peers peers_of(struct replay *r, uint32_t core, uint32_t meta)
{
	const struct hlo_line l = hlo_line_of(cut_text(r->dump, meta));
	const struct slice pairs = hlo_text_list(l.attributes, "source_target_pairs=");
	struct peers p = { .read = true };
	struct arena text = { 0 };
	bool known = true;
	uint32_t *v = read_peers(r,
	    hlo_groups(&text, pairs.n ? pairs : hlo_text_list(l.attributes, "replica_groups="), NULL),
	    pairs.n > 0, core, &p.n, &known);

	arena_free(&text);
	VEC_ADD(r->peers, r->npeers, r->peers_cap, v);
	p.v = v;
	p.n = known ? p.n : 0;
	return p;
}

static void find_peers(struct replay *r)
{
	for (uint32_t k = 0; k < r->ncores; k++) {
		struct replay_core *c = &r->core[k];
		struct peers *of = xcalloc(c->nbounds + 1, sizeof *of);

		for (size_t i = 0; i < c->npairs; i++) {
			struct pair *p = &c->pair[i];
			struct peers *x;

			if (p->exchange == NODE_NONE || p->done == NODE_NONE)
				continue;
			x = &of[c->node[p->start].meta - c->base];
			if (!x->read)
				*x = peers_of(r, k, c->node[p->start].meta);
			p->peer = x->v;
			p->npeers = x->n;
		}
		free(of);
	}
}

/* The shortest flight of those that receive is the transfer. */
static void find_least(struct replay *r)
{
	double *least = xmalloc((r->nexchanges + 1) * sizeof *least);

	for (size_t i = 0; i < r->nexchanges; i++)
		least[i] = INFINITY;
	for (int set = 0; set < 2; set++)
		for (size_t k = 0; k < r->ncores; k++)
			for (size_t i = 0; i < r->core[k].npairs; i++) {
				struct pair *p = &r->core[k].pair[i];

				if (!p->npeers)
					continue;
				if (set)
					p->own = least[p->exchange];
				else if (p->flight < least[p->exchange])
					least[p->exchange] = p->flight;
			}
	free(least);
}

static void connect_pairs(struct replay *r, bool same)
{
	size_t n = 0;
	struct exchange_run *v = same ? find_exchanges(r, &n) : NULL;

	r->exchange = xcalloc(n + 1, sizeof *r->exchange);
	r->exchanged = xcalloc(n + 1, sizeof *r->exchanged);
	for (size_t i = 0; i < n; i++) {
		if (!i || !same_name(&v[i], &v[i - 1]) || v[i].number != v[i - 1].number)
			r->exchange[r->nexchanges++].first = i;
		r->exchange[r->nexchanges - 1].n++;
		r->exchanged[i] = (struct exchange_pair){ v[i].core, v[i].pair };
		r->core[v[i].core].pair[v[i].pair].exchange = (uint32_t)r->nexchanges - 1;
	}
	free(v);
	find_peers(r);
	find_least(r);
}

/* --- segments: what is between two meetings of a run --- */

static void cut_segments(struct replay_core *c)
{
	uint32_t run = NODE_NONE, number = 0;

	for (size_t i = 0; i < c->nnodes; i++) {
		struct node *n = &c->node[i];
		struct segment *last = c->nsegments ? &c->segment[c->nsegments - 1] : NULL;

		if (n->meta == NODE_NONE)
			continue;
		if (n->run != run) {
			run = n->run;
			number = 0;
		}
		number += n->kind == NODE_SYNC || (n->kind == NODE_DONE && c->pair[n->at].npeers);
		if (n->kind != NODE_WORK || n->group > GROUP_FORMAT)
			continue;
		if (!last || last->run != run || last->number != number) {
			VEC_ADD(c->segment, c->nsegments, c->segments_cap,
			    (struct segment){ run, number, 0, NAN });
			last = &c->segment[c->nsegments - 1];
		}
		last->own += n->d;
		n->segment = (uint32_t)c->nsegments - 1;
	}
}

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct segment *segment_of(const struct replay_core *c, const struct segment *s)
{
	size_t i;

	BISECT(i, c->nsegments,
	    c->segment[i].run < s->run || (c->segment[i].run == s->run && c->segment[i].number < s->number));
	return i < c->nsegments && c->segment[i].run == s->run && c->segment[i].number == s->number
	    ? &c->segment[i]
	    : NULL;
}

/* The lower median of all cores, where all have it. */
static void find_medians(struct replay *r)
{
	int64_t *own = xmalloc((r->ncores + 1) * sizeof *own);

	for (size_t i = 0; r->ncores > 1 && i < r->core[0].nsegments; i++) {
		size_t n = 0;

		for (size_t k = 0; k < r->ncores; k++) {
			const struct segment *s = segment_of(&r->core[k], &r->core[0].segment[i]);

			if (s)
				own[n++] = s->own;
		}
		if (n < r->ncores)
			continue;
		qsort(own, n, sizeof *own, compare_numbers);
		for (size_t k = 0; k < r->ncores; k++)
			segment_of(&r->core[k], &r->core[0].segment[i])->median = (double)own[(n - 1) / 2];
	}
	free(own);
}

/* Finds the collectives of steps whose waits are not known, one node of each kind. */
static void find_unknown_waits(struct replay *r)
{
	bool *seen = xcalloc(r->dump->trace.nmetas + 1, sizeof *seen);
	size_t cap = 0;

	for (size_t k = 0; k < r->ncores; k++)
		for (size_t i = 0; i < r->core[k].nnodes; i++) {
			const struct node *n = &r->core[k].node[i];

			if (n->group != GROUP_SYNC || n->kind == NODE_SYNC || n->step < 0 || seen[n->meta])
				continue;
			seen[n->meta] = true;
			VEC_ADD(r->unknown, r->nunknown, cap, n);
		}
	free(seen);
}

void connect_cores(struct replay *r)
{
	const bool same = run_the_same(r);

	connect_syncs(r);
	for (size_t k = 0; k < r->ncores; k++)
		if (r->core[k].nsyncs)
			forget_others(&r->core[k]);
	connect_launches(r, same);
	connect_pairs(r, same);
	for (size_t k = 0; k < r->ncores; k++)
		cut_segments(&r->core[k]);
	find_medians(r);
	find_unknown_waits(r);
	r->waits_known = r->ncores < 2 || !r->nunknown;
}
