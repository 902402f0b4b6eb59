#include "config.h"
#include "analyze/replay/change.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/scopes/scopes.h"
#include "base/mem.h"

static bool text_fits(const char *pattern, struct slice text)
{
	char *s = xstrndup(text.s, text.n);
	bool fits = !fnmatch(pattern, s, FNM_NOESCAPE);

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

static bool selects(const struct replay *r, struct selection *s, const struct node *n)
{
	const struct evmeta *m = &r->dump->trace.metas[n->meta];
	bool fits;

	if (s->fits[n->meta])
		return s->fits[n->meta] == 2;
	if (s->by == BY_CATEGORY)
		fits = text_fits(s->pattern, dump_text(r->dump, m->category));
	else if (s->by == BY_KIND)
		fits = is_of_kind(n->group, s->pattern);
	else if (s->by == BY_PHASE)
		fits = is_of_phase(r->dump, n->meta, s->pattern);
	else
		fits = text_fits(s->pattern, dump_text(r->dump, m->name));
	s->fits[n->meta] = fits ? 2 : 1;
	return fits;
}

static double own_work(const struct change *c, const struct replay *r, size_t core, const struct node *n)
{
	double d = (double)n->d;

	if (c->median[core] && n->segment != NODE_NONE) {
		const struct segment *s = &r->core[core].segment[n->segment];

		d *= !isnan(s->median) && s->own ? s->median / (double)s->own : 1;
	}
	for (size_t i = 0; i < c->n; i++) {
		struct selection *s = &c->v[i];

		if (s->by > BY_PHASE || !selects(r, s, n))
			continue;
		if (s->factor != ROOFLINE)
			d *= s->factor;
		else if (n->bound >= 0)
			d = fmin(d, (double)n->bound);
	}
	return d;
}

double change_own(const struct change *c, const struct replay *r, size_t core, const struct node *n)
{
	const double d = (double)n->d;

	if (!c)
		return d;
	if (n->kind == NODE_WORK && n->group <= GROUP_FORMAT)
		return own_work(c, r, core, n);
	if (n->group == GROUP_INFEED && !isnan(c->input))
		return fmin(d, c->input);
	if (n->group == GROUP_INFEED && c->host[core] && !isnan(c->infeed_of[core][n->op]))
		return fmin(d, c->infeed_of[core][n->op]);
	return n->group == GROUP_OUTFEED && c->no_output ? 0 : d;
}

double change_transfer(const struct change *c, const struct replay *r, const struct node *n, double x)
{
	for (size_t i = 0; c && i < c->n; i++) {
		struct selection *s = &c->v[i];
		bool own = s->by == (n->group == GROUP_DMA ? BY_DMA : BY_TRANSFER);
		bool work =
		    (s->by == BY_PHASE || s->by == BY_OP || s->by == BY_CATEGORY) && s->factor != ROOFLINE;

		if ((own || work) && selects(r, s, n))
			x *= s->factor;
	}
	for (size_t i = 0; c && i < c->n && n->kind == NODE_SYNC; i++)
		if (c->v[i].by == BY_HIDE && selects(r, &c->v[i], n))
			x = fmax(0, x - (n->bound > 0 ? (double)n->bound : 0));
	return x;
}

double change_idle(const struct change *c, enum idle_cause cause)
{
	return c ? c->idle[cause] : 1;
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
	return sum;
}

double change_gap_most(const struct change *c, size_t core, uint32_t run, double gap)
{
	if (!c || !c->host[core] || run >= c->ngaps || isnan(c->gap[run]))
		return gap;
	return fmin(gap, c->gap[run]);
}

double change_off(const struct change *c, const struct pair *p, size_t core, double off)
{
	if (!c || !c->link[core] || isnan(c->off[p->exchange]))
		return off;
	return fmin(off, c->off[p->exchange]);
}

static bool takes_unknown(const struct change *c, const struct replay *r, const struct node *n)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].by == BY_HIDE || (c->v[i].by == BY_TRANSFER && selects(r, &c->v[i], n)))
			return true;
	return c->any_median;
}

/* Waits that are not known look like transfer. */
bool change_is_known(const struct change *c, const struct replay *r)
{
	if (c->any_median && r->ncores < 2)
		return false;
	for (size_t k = 0; !r->waits_known && k < r->ncores; k++)
		for (size_t i = 0; i < r->core[k].nnodes; i++) {
			const struct node *n = &r->core[k].node[i];

			if (n->group == GROUP_SYNC && n->kind != NODE_SYNC && n->step >= 0 &&
			    takes_unknown(c, r, n))
				return false;
		}
	return true;
}
