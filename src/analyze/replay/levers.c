#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/scopes/scopes.h"
#include "base/mem.h"
#include "base/pool.h"

static const struct {
	const char *id, *text;
} lever_texts[] = {
	{ "slowest_core", "Slowest core as median" },
	{ "cores", "All cores as median" },
	{ "input", "No waiting for input" },
	{ "input_least", "Shortest infeeds" },
	{ "output", "No outfeed" },
	{ "launch", "No late launches" },
	{ "gaps", "No gaps between runs" },
	{ "transfers", "Transfers take no time" },
	{ "hide", "Collectives hidden" },
	{ "dma", "Copies take no time" },
	{ "roofline", "All ops at their roof" },
	{ "matmul", "Matmuls at their roof" },
	{ "compute", "Other compute at roof" },
	{ "copy", "Formatting at its roof" },
	{ "recompute", "Nothing recomputed" },
};

const char *lever_text(const char *id)
{
	for (size_t i = 0; i < sizeof lever_texts / sizeof *lever_texts; i++)
		if (!strcmp(lever_texts[i].id, id))
			return lever_texts[i].text;
	return id;
}

/* What the steps have that could be changed. */
struct has {
	bool group[WORK_GROUPS + 1], cause[IDLE_CAUSES], recompute;
	uint32_t slowest; /* the core with most work of its own */
};

static bool is_recompute(const struct dump *d, uint32_t meta)
{
	struct slice part[PATH_PARTS];
	char path[4096];
	size_t n = 0;

	if (stat_meta_str(d, meta, "tf_op", path, sizeof path))
		n = scope_path(slice_of(path), part);
	return scope_phase_of(part, n, cut_text(d, meta)) == PHASE_RECOMPUTE;
}

static void find_recompute(const struct replay *r, struct has *h)
{
	const struct replay_core *c = &r->core[0];
	bool *seen = xcalloc(c->nbounds + 1, sizeof *seen);

	for (size_t i = 0; i < c->nnodes && !h->recompute; i++) {
		const uint32_t meta = c->node[i].meta;

		if (meta == NODE_NONE || seen[meta - c->base])
			continue;
		seen[meta - c->base] = true;
		h->recompute = is_recompute(r->dump, meta);
	}
	free(seen);
}

static void look_at_launch(const struct replay_core *c, const struct node *n, struct has *h)
{
	bool counts[IDLE_CAUSES] = { false };

	for (uint32_t i = 0; i < n->nshares; i++)
		counts[c->share[n->share + i].cause] |= c->share[n->share + i].step >= 0;
	for (int i = 0; i < IDLE_CAUSES; i++)
		h->cause[i] |= counts[i];
}

static void look(const struct replay *r, struct has *h)
{
	double most = -1;

	for (uint32_t k = 0; k < r->ncores; k++) {
		const struct replay_core *c = &r->core[k];
		double own = 0;

		for (size_t i = 0; i < c->nnodes; i++) {
			const struct node *n = &c->node[i];

			if (n->kind == NODE_LAUNCH)
				look_at_launch(c, n, h);
			if (n->meta == NODE_NONE || n->step < 0)
				continue;
			h->group[n->group] = true;
			if (n->kind == NODE_WORK && n->group <= GROUP_FORMAT && (size_t)n->step < r->nsteps)
				own += (double)n->d;
		}
		if (own > most) {
			most = own;
			h->slowest = k;
		}
	}
	find_recompute(r, h);
}

int levers_add(const struct replay *r, const char *id, const char *expression, struct levers *l,
    struct err *err)
{
	struct change *c = change_parse(r, expression, err);

	if (!c)
		return -1;
	VEC_ADD(l->v, l->n, l->cap,
	    (struct lever){ id, xstrdup(expression), change_at_most(expression), c, { NAN, NAN, false } });
	return 0;
}

static void add_lever(const struct replay *r, bool has, const char *id, const char *expression,
    struct levers *l)
{
	struct err none = { 0 };

	if (has)
		levers_add(r, id, expression, l, &none);
}

struct predicting {
	const struct replay *r;
	struct lever *v;
};

static void predict_one(void *ctx, size_t i)
{
	const struct predicting *p = ctx;
	struct lever *l = &p->v[i];

	if (!l->change)
		return;
	l->is = replay_predict(p->r, l->change);
	change_free(l->change);
	l->change = NULL;
}

void levers_predict(const struct replay *r, int threads, struct levers *l)
{
	struct predicting p = { r, l->v };

	pool_run(threads > 0 ? threads : pool_default_threads(), l->n, predict_one, &p);
}

void levers_standard(const struct replay *r, struct levers *l)
{
	struct has h = { .recompute = false };
	char slowest[400];
	struct slice host;

	if (!r->nsteps)
		return;
	look(r, &h);
	host = dump_text(r->dump, r->dump->hosts[r->core[h.slowest].host].name);
	snprintf(slowest, sizeof slowest, "core:%.*s/%d=median", (int)(host.n < 300 ? host.n : 300), host.s,
	    r->core[h.slowest].core);
	add_lever(r, r->ncores > 1, "slowest_core", slowest, l);
	add_lever(r, r->ncores > 1, "cores", "cores=median", l);
	add_lever(r, h.group[GROUP_INFEED] || h.cause[IDLE_INPUT], "input", "input=0", l);
	add_lever(r, h.group[GROUP_INFEED], "input_least", "input=least", l);
	add_lever(r, h.group[GROUP_OUTFEED], "output", "output=0", l);
	add_lever(r, h.cause[IDLE_LAUNCH], "launch", "idle:launch=0", l);
	add_lever(r, h.cause[IDLE_LAUNCH] || h.cause[IDLE_BETWEEN], "gaps", "idle:launch=0,idle:between=0",
	    l);
	add_lever(r, r->nsyncs || h.group[GROUP_ASYNC], "transfers", "transfer:*=0", l);
	add_lever(r, r->nsyncs, "hide", "hide:*", l);
	add_lever(r, h.group[GROUP_DMA], "dma", "dma:*=0", l);
	add_lever(r, true, "roofline", "op:*=roofline", l);
	add_lever(r, h.group[GROUP_MATMUL], "matmul", "kind:matmul=roofline", l);
	add_lever(r, h.group[GROUP_OTHER], "compute", "kind:compute=roofline", l);
	add_lever(r, h.group[GROUP_FORMAT], "copy", "kind:copy=roofline", l);
	add_lever(r, h.recompute, "recompute", "phase:recompute=0", l);
}

void levers_free(struct levers *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].expression);
		if (l->v[i].change)
			change_free(l->v[i].change);
	}
	free(l->v);
	*l = (struct levers){ 0 };
}
