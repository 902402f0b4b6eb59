#include "config.h"
#include "analyze/replay/change.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/scopes/scopes.h"
#include "base/mem.h"

static bool text_fits(const struct selection *by, struct slice text)
{
	bool fits;
	char *s;

	if (!by->wild)
		return slice_same((struct slice){ by->pattern, by->len }, text);
	s = xstrndup(text.s, text.n);
	fits = !fnmatch(by->pattern, s, FNM_NOESCAPE);
	free(s);
	return fits;
}

static bool is_of_phase(const struct dump *d, uint32_t meta, const char *phase)
{
	struct slice part[PATH_PARTS];
	char path[4096];
	size_t n = 0;

	if (stat_meta_str(d, meta, "tf_op", path, sizeof path))
		n = scope_path(slice_of(path), part);
	return !strcmp(scope_phase_name(scope_phase_of(part, n, cut_text(d, meta))), phase);
}

static bool is_of_kind(enum work_group group, const char *kind)
{
	static const char *const kinds[] = { "matmul", "compute", "copy" };

	return group <= GROUP_FORMAT && !strcmp(kinds[group], kind);
}

static bool selects(const struct replay *r, const struct selection *s, const struct node *n)
{
	const struct evmeta *m = &r->dump->trace.metas[n->meta];

	switch (s->by) {
	case BY_CATEGORY:
		return text_fits(s, dump_text(r->dump, m->category));
	case BY_KIND:
		return is_of_kind(n->group, s->pattern);
	case BY_PHASE:
		return is_of_phase(r->dump, n->meta, s->pattern);
	default:
		return text_fits(s, dump_text(r->dump, m->name));
	}
}

static void add_effect(const struct selection *s, const struct node *n, struct effect *e)
{
	const enum selector flight = n->group == GROUP_DMA ? BY_DMA : BY_TRANSFER;

	e->hide |= s->by == BY_HIDE;
	e->unknown |= s->by == BY_HIDE || s->by == BY_TRANSFER;
	if (s->factor == ROOFLINE) {
		e->roof = fmin(e->roof, 1);
	} else if (s->by <= BY_PHASE) {
		e->factor *= s->factor;
		e->roof = e->roof < INFINITY ? e->roof * s->factor : e->roof;
	}
	if (s->factor != ROOFLINE && (s->by == flight || (s->by <= BY_PHASE && s->by != BY_KIND)))
		e->transfer *= s->factor;
}

static const struct effect no_effect = { 1, INFINITY, 1, true, false, false };

static const struct effect *effect_of(const struct change *c, const struct replay *r, const struct node *n)
{
	struct effect *e;

	if (!c || !c->n)
		return &no_effect;
	e = &c->effect[n->meta];
	if (e->known)
		return e;
	*e = no_effect;
	for (size_t i = 0; i < c->n; i++)
		if (selects(r, &c->v[i], n))
			add_effect(&c->v[i], n, e);
	return e;
}

/* What is said of all ops of a group is said of sums of them, too. */
void change_groups(struct change *c)
{
	for (enum work_group g = 0; g <= GROUP_FORMAT; g++)
		c->group[g] = no_effect;
	for (size_t i = 0; i < c->n; i++) {
		const struct selection *s = &c->v[i];
		const bool all = s->by == BY_OP && !strcmp(s->pattern, "*");

		c->by_node |= s->by <= BY_PHASE && s->by != BY_KIND && !all;
		for (enum work_group g = 0; g <= GROUP_FORMAT; g++)
			if (all || (s->by == BY_KIND && is_of_kind(g, s->pattern)))
				add_effect(s, &(struct node){ .group = g }, &c->group[g]);
	}
	for (int i = 0; i < IDLE_CAUSES; i++)
		c->in_run |= i < IDLE_INPUT && c->idle[i] != 1;
}

static double own_work(const struct change *c, const struct replay *r, size_t core, const struct node *n)
{
	const struct effect *e = effect_of(c, r, n);
	double d = (double)n->d;

	if (c->median[core] && n->segment != NODE_NONE) {
		const struct segment *s = &r->core[core].segment[n->segment];

		d *= !isnan(s->median) && s->own ? s->median / (double)s->own : 1;
	}
	d *= e->factor;
	return e->roof < INFINITY && n->bound >= 0 ? fmin(d, (double)n->bound * e->roof) : d;
}

/* Notes that a length changes. */
static double changed(const struct change *c, double from, double to)
{
	if (c && from != to)
		*c->touches = true;
	return to;
}

double change_own(const struct change *c, const struct replay *r, size_t core, const struct node *n)
{
	const double d = (double)n->d;

	if (!c)
		return d;
	if (n->kind == NODE_WORK && n->group <= GROUP_FORMAT)
		return changed(c, d, own_work(c, r, core, n));
	if (n->group == GROUP_INFEED && !isnan(c->input))
		return changed(c, d, fmin(d, c->input));
	if (n->group == GROUP_INFEED && c->host[core] && !isnan(c->infeed_of[core][n->op]))
		return changed(c, d, fmin(d, c->infeed_of[core][n->op]));
	return n->group == GROUP_OUTFEED && c->no_output ? changed(c, d, 0) : d;
}

double change_stretch(const struct change *c, const struct replay *r, size_t core, const struct stretch *s)
{
	double median = 1, sum = (double)s->total;

	if (!c)
		return sum;
	if (c->by_node || (c->in_run && s->gaps))
		return NAN;
	if (c->median[core] && s->segment != NODE_NONE) {
		const struct segment *x = &r->core[core].segment[s->segment];

		median = !isnan(x->median) && x->own ? x->median / (double)x->own : 1;
	}
	for (enum work_group g = 0; g <= GROUP_FORMAT; g++) {
		const struct effect *e = &c->group[g];

		if (e->roof < INFINITY && (e->roof != 1 || median * e->factor != 1) && s->own[g])
			return NAN;
		sum += (e->roof < INFINITY ? (double)s->roof[g] : (double)s->own[g] * median * e->factor) -
		    (double)s->own[g];
	}
	return changed(c, (double)s->total, sum);
}

double change_transfer(const struct change *c, const struct replay *r, const struct node *n, double x)
{
	const struct effect *e = effect_of(c, r, n);

	double to = x * e->transfer;

	if (e->hide && n->kind == NODE_SYNC)
		to = fmax(0, to - (n->bound > 0 ? (double)n->bound : 0));
	return changed(c, x, to);
}

double change_idle(const struct change *c, const struct node *n)
{
	return c ? changed(c, (double)n->d, (double)n->d * c->idle[n->cause]) : (double)n->d;
}

double change_gap(const struct change *c, const struct replay *r, size_t core, const struct node *n)
{
	const struct share *s = r->core[core].share + n->share;
	double sum = 0;

	if (!c)
		return (double)n->d;
	for (uint32_t i = 0; i < n->nshares; i++)
		if (s[i].cause != IDLE_INPUT || isnan(c->input))
			sum += (double)s[i].ps * c->idle[s[i].cause];
	return changed(c, (double)n->d, sum);
}

double change_gap_most(const struct change *c, size_t core, uint32_t run, double gap)
{
	if (!c || !c->host[core] || run >= c->ngaps || isnan(c->gap[run]))
		return gap;
	return changed(c, gap, fmin(gap, c->gap[run]));
}

double change_off(const struct change *c, const struct pair *p, size_t core, double off)
{
	if (!c || !c->link[core] || isnan(c->off[p->exchange]))
		return off;
	return changed(c, off, fmin(off, c->off[p->exchange]));
}

bool change_touches(const struct change *c)
{
	return *c->touches;
}

/* Waits that are not known look like transfer. */
bool change_is_known(const struct change *c, const struct replay *r)
{
	if (c->any_median && r->ncores < 2)
		return false;
	for (size_t i = 0; !r->waits_known && i < r->nunknown; i++)
		if (c->any_median || effect_of(c, r, r->unknown[i])->unknown)
			return false;
	return true;
}
