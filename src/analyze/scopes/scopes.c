#include "config.h"
#include "analyze/scopes/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/op_peaks.h"
#include "analyze/scopes/internal.h"
#include "base/clamp.h"
#include "base/mem.h"
#include "base/text/digit.h"

const char *scope_tree_name(enum scope_tree t)
{
	static const char *const names[SCOPES_TREES] = { "folded", "raw", "source", "stack" };

	return t < SCOPES_TREES ? names[t] : NULL;
}

const char *scope_phase_name(enum scope_phase p)
{
	static const char *const names[PHASE_COUNT] = { "forward", "backward", "recompute", "other" };

	return names[p];
}

struct builder {
	struct scopes *s;
	const struct scopes_options *o;
	struct leaves leaves;
	size_t scopes_cap;
};

/* What the stats of an op say. */
struct facts {
	strid tf_op, source, stack, flops, bytes, access;
	struct slice scope, line, frames;
	struct opsum cost;
	struct arena *text;
};

static void keep_text(struct facts *f, struct slice *to, const struct stat_value *v)
{
	if (v->type == STAT_STR && !to->n)
		*to = (struct slice){ arena_strndup(f->text, v->s, v->n), v->n };
}

static bool take_fact(void *ctx, const struct stat_value *v)
{
	struct facts *f = ctx;

	if (v->name_id == UINT32_MAX)
		return true;
	if (v->name_id == f->tf_op)
		keep_text(f, &f->scope, v);
	else if (v->name_id == f->source)
		keep_text(f, &f->line, v);
	else if (v->name_id == f->stack)
		keep_text(f, &f->frames, v);
	else if (v->name_id == f->flops && v->type < STAT_STR && v->d > 0)
		f->cost.flops = v->d;
	else if (v->name_id == f->bytes && v->type < STAT_STR && v->d > 0)
		f->cost.bytes = v->d;
	else if (v->name_id == f->access && v->type == STAT_BYTES)
		opsum_take_access(&f->cost, v);
	return true;
}

static size_t split_source(struct slice t, struct slice *part)
{
	size_t n = t.n;

	while (n && is_digit(t.s[n - 1]))
		n--;
	if (n == t.n || n < 2 || t.s[n - 1] != ':') {
		part[0] = t;
		return 1;
	}
	part[0] = (struct slice){ t.s, n - 1 };
	part[1] = (struct slice){ t.s + n, t.n - n };
	return 2;
}

static size_t split_stack(struct slice t, struct slice *part)
{
	size_t n = 0;

	while (t.n && n < PATH_PARTS) {
		const char *end = memchr(t.s, '\n', t.n);
		size_t len = end ? (size_t)(end - t.s) : t.n;

		part[n] = (struct slice){ t.s, len };
		n += len > 0;
		t.s += len + (end != NULL);
		t.n -= len + (end != NULL);
	}
	return n;
}

static void place_leaf(struct builder *b, struct leaf *l)
{
	struct slice raw[PATH_PARTS], part[PATH_PARTS];
	size_t n = scope_path(l->scope, raw), k = 0;
	const char *none = "(no scope)";

	b->s->no_scope = add_clamped(b->s->no_scope, n ? 0 : l->op.self);
	if (b->o->tree == SCOPES_SOURCE || b->o->tree == SCOPES_STACK) {
		none = b->o->tree == SCOPES_SOURCE ? "(no source)" : "(no stack)";
		k = b->o->tree == SCOPES_STACK ? split_stack(l->frames, part)
		    : l->line.n                ? split_source(l->line, part)
					       : 0;
	} else if (b->o->tree == SCOPES_FOLDED) {
		k = scope_fold(raw, n, part);
	} else {
		memcpy(part, raw, n * sizeof *raw);
		k = n;
	}
	if (!k)
		part[k++] = slice_of(none);
	l->n = k;
	l->part = arena_alloc(&b->s->text, k * sizeof *part);
	memcpy(l->part, part, k * sizeof *part);
}

static struct leaf leaf_of(const struct core_times *t, const struct facts *f, uint32_t meta,
    const struct time_op *op)
{
	struct slice raw[PATH_PARTS];
	size_t n = scope_path(f->scope, raw);

	return (struct leaf){ .scope = f->scope,
		.line = f->line,
		.frames = f->frames,
		.meta = meta,
		.name = t->dump->trace.metas[meta].name,
		.op = *op,
		.phase = scope_phase_of(raw, n, cut_text(t->dump, meta)),
		.comm = t->ops->role[meta].time == PIECE_COMM,
		.flops = f->cost.flops,
		.hbm = opsum_hbm(&f->cost) };
}

/* What ran in a step, with its time alone: count is 1, and the gaps are none. */
static size_t ops_in_step(const struct core_time *c, const char *step, struct time_op *op)
{
	size_t steps = 0, at = 0;

	for (size_t row = 0; row < c->nrows; row++) {
		const bool wanted = steps_is(&c->row[row], step);

		steps += wanted;
		for (; at < c->ncells && c->cell[at].step == row; at++) {
			struct time_op *o = &op[c->cell[at].meta - c->base];

			if (!wanted)
				continue;
			if (!o->count)
				*o = (struct time_op){ .count = 1,
					.track = c->op[o - op].track,
					.event = c->op[o - op].event,
					.around = c->op[o - op].around };
			o->self = add_clamped(o->self, c->cell[at].time);
		}
	}
	return steps;
}

static void leaves_of_core(const struct core_times *t, const struct core_time *c, const struct facts *names,
    const char *step, struct leaves *out)
{
	const struct dump *d = t->dump;
	struct time_op *own = step ? xcalloc(c->nops + 1, sizeof *own) : NULL;
	const size_t steps = step ? ops_in_step(c, step, own) : c->nrows;

	VEC_ADD(out->core, out->ncores, out->cores_cap,
	    (struct leaf_core){ c->core, step ? 0 : c->tail, steps });
	for (uint32_t k = 0; k < c->nops; k++) {
		const struct time_op *op = step ? &own[k] : &c->op[k];
		struct facts f = *names;
		struct leaf l;

		if (!op->count)
			continue;
		stats_of_meta(d, c->base + k, take_fact, &f);
		if (d->trace.metas[c->base + k].plane >= d->trace.nplanes)
			stats_of_event(d, &d->trace.tracks[op->track], op->event, take_fact, &f);
		l = leaf_of(t, &f, c->base + k, op);
		l.core = (uint32_t)out->ncores - 1;
		VEC_ADD(out->v, out->n, out->cap, l);
	}
	free(own);
}

void leaves_of_times(const struct core_times *t, int core, const char *step, struct leaves *out)
{
	const struct dump *d = t->dump;
	struct facts names = { .tf_op = strtab_find(&d->str, "tf_op", 5),
		.source = strtab_find(&d->str, "source", 6),
		.stack = strtab_find(&d->str, "source_stack", 12),
		.flops = strtab_find(&d->str, "flops", 5),
		.bytes = strtab_find(&d->str, "bytes_accessed", 14),
		.access = strtab_find(&d->str, "memory_access_breakdown", 23),
		.text = out->text };

	for (size_t i = 0; i < t->ncores; i++)
		if (core < 0 || t->core[i].core == core)
			leaves_of_core(t, &t->core[i], &names, step, out);
}

static void find_leaves(struct builder *b, const struct core_times *t)
{
	b->leaves.text = &b->s->text;
	leaves_of_times(t, b->o->core, b->o->step, &b->leaves);
	if (b->o->mixed)
		leaves_mixed(t->dump, &b->leaves);
	if (!b->o->step) /* digests keep none */
		leaves_of_digests(t, b->o->core, &b->leaves);
	b->s->cores = b->leaves.ncores;
	for (size_t i = 0; i < b->leaves.ncores; i++) {
		const struct leaf_core *c = &b->leaves.core[i];

		b->s->tail = add_clamped(b->s->tail, c->tail);
		b->s->steps = c->steps > b->s->steps ? c->steps : b->s->steps;
	}
	for (size_t i = 0; i < b->leaves.n; i++)
		place_leaf(b, &b->leaves.v[i]);
}

static int by_path(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;

	for (size_t i = 0; i < x->n && i < y->n; i++) {
		int order = slice_order(x->part[i], y->part[i]);

		if (order)
			return order;
	}
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return x->core != y->core ? (x->core < y->core ? -1 : 1) : (x->meta > y->meta) - (x->meta < y->meta);
}

static void add_leaf(struct scope_sum *s, const struct leaf *l)
{
	const struct time_op *o = &l->op;

	s->time = add_clamped(s->time, o->self);
	s->count = add_clamped(s->count, o->count);
	s->gap = add_clamped(s->gap, o->gap);
	s->phase[l->phase] = add_clamped(s->phase[l->phase], o->self);
	s->exposed = add_clamped(s->exposed, l->comm ? o->self : 0);
	s->mixed = add_clamped(s->mixed, l->mix == MIX_SCOPES ? o->self : 0);
	s->unread = add_clamped(s->unread, l->mix == MIX_UNKNOWN ? o->self : 0);
	if (o->around)
		return;
	s->flops += l->flops * (double)o->count;
	s->hbm += l->hbm * (double)o->count;
	s->rated = add_clamped(s->rated, o->self);
}

static const char *path_of(struct builder *b, const char *above, struct slice name)
{
	const char *join = b->o->tree == SCOPES_SOURCE ? ":" : "/";
	size_t n = above ? strlen(above) + 1 : 0;
	char *path = arena_alloc(&b->s->text, n + name.n + 1);

	if (above) {
		memcpy(path, above, n - 1);
		path[n - 1] = *join;
	}
	memcpy(path + n, name.s, name.n);
	return path;
}

/* Adds the scopes of a path that are not those of the path before it.  open: the scopes of that one. */
static size_t open_scopes(struct builder *b, const struct leaf *l, uint32_t *open, size_t depth)
{
	struct scopes *s = b->s;
	size_t same = 0;

	while (same < depth && same < l->n && slice_same(s->v[open[same]].name, l->part[same]))
		same++;
	for (size_t i = same; i < l->n; i++) {
		const char *above = i ? s->v[open[i - 1]].path : NULL;

		VEC_PUSH(s->v, s->n, b->scopes_cap);
		s->v[s->n] = (struct name_scope){ .name = l->part[i],
			.depth = (uint32_t)i,
			.parent = i ? open[i - 1] : UINT32_MAX,
			.path = path_of(b, above, l->part[i]) };
		open[i] = (uint32_t)s->n++;
	}
	return l->n;
}

static void keep_op(struct scopes *s, const struct leaf *l, uint32_t scope, size_t *cap)
{
	if (l->meta == CUT_NONE)
		return;
	VEC_ADD(s->op, s->nops, *cap,
	    (struct scope_op){ .name = l->name,
		.meta = l->meta,
		.scope = scope,
		.phase = l->phase,
		.time = l->op.self,
		.count = l->op.count });
}

static void make_tree(struct builder *b)
{
	uint32_t open[PATH_PARTS];
	size_t depth = 0, ops_cap = 0;

	VEC_SORT(b->leaves.v, b->leaves.n, by_path);
	for (size_t i = 0; i < b->leaves.n; i++) {
		struct leaf *l = &b->leaves.v[i];
		struct scope_sum *own;

		depth = open_scopes(b, l, open, depth);
		l->in = open[depth - 1];
		add_leaf(&b->s->sum, l);
		for (size_t k = 0; k < depth; k++)
			add_leaf(&b->s->v[open[k]].sum, l);
		own = &b->s->v[l->in].sum;
		own->self = add_clamped(own->self, l->op.self);
		keep_op(b->s, l, l->in, &ops_cap);
	}
}

/* A scope while the cores are looked at one after the other. */
struct on_cores {
	int64_t time; /* on this core */
	size_t cores; /* how many have it so far */
	size_t last;  /* of them, + 1 */
};

/* Adds an op to its scope and those around; met: the scopes of this core. */
static void add_to_core(struct scopes *s, const struct leaf *l, struct on_cores *v, uint32_t *met, size_t *n)
{
	for (uint32_t k = l->in; k != UINT32_MAX; k = s->v[k].parent) {
		if (v[k].last != l->core + (size_t)1)
			met[(*n)++] = k;
		v[k].last = l->core + (size_t)1;
		v[k].time = add_clamped(v[k].time, l->op.self);
	}
}

static void end_core(struct scopes *s, struct on_cores *v, const uint32_t *met, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct name_scope *x = &s->v[met[i]];
		struct on_cores *o = &v[met[i]];

		x->core_min = o->cores++ && x->core_min < o->time ? x->core_min : o->time;
		x->core_max = o->time > x->core_max ? o->time : x->core_max;
		o->time = 0;
	}
}

/* Finds the least and the most time that a core spends in each scope: 0 on a core that does not have it. */
static void find_spread(struct builder *b)
{
	struct scopes *s = b->s;
	const struct leaves *l = &b->leaves;
	struct on_cores *v = xcalloc(s->n + 1, sizeof *v);
	uint32_t *met = xcalloc(s->n + 1, sizeof *met);
	size_t *first = xcalloc(l->ncores + 1, sizeof *first), *next = xcalloc(l->n + 1, sizeof *next);

	for (size_t i = l->n; i-- > 0;) { /* lists of indices + 1 */
		next[i] = first[l->v[i].core];
		first[l->v[i].core] = i + 1;
	}
	for (size_t core = 0; core < l->ncores; core++) {
		size_t n = 0;

		for (size_t i = first[core]; i; i = next[i - 1])
			add_to_core(s, &l->v[i - 1], v, met, &n);
		end_core(s, v, met, n);
	}
	for (size_t i = 0; i < s->n; i++)
		if (v[i].cores < l->ncores && s->v[i].core_min > 0)
			s->v[i].core_min = 0;
	free(v);
	free(met);
	free(first);
	free(next);
}

/* A scope with its place in the tree, to order those of one parent. */
struct child {
	const struct name_scope *of;
	uint32_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	uint32_t p = x->of->parent + 1, q = y->of->parent + 1;

	if (p != q)
		return p < q ? -1 : 1;
	if (x->of->sum.time != y->of->sum.time)
		return x->of->sum.time > y->of->sum.time ? -1 : 1;
	return strcmp(x->of->path, y->of->path);
}

/* Puts the scopes in the order of the tree, those of one parent by time; parents come before their children in
 * any case. */
static void order_tree(struct scopes *s)
{
	struct child *v = xcalloc(s->n + 1, sizeof *v);
	uint32_t *size = xcalloc(s->n + 1, sizeof *size), *place = xcalloc(s->n + 1, sizeof *place),
		 *next = xcalloc(s->n + 1, sizeof *next);
	struct name_scope *out = xcalloc(s->n + 1, sizeof *out);

	for (size_t i = s->n; i-- > 0;) {
		v[i] = (struct child){ &s->v[i], (uint32_t)i };
		size[i]++;
		if (s->v[i].parent != UINT32_MAX)
			size[s->v[i].parent] += size[i];
	}
	VEC_SORT(v, s->n, by_time);
	for (size_t i = 0; i < s->n;
	     i++) { /* by parent: all of a parent are placed before their own children */
		uint32_t at = v[i].at, parent = s->v[at].parent;
		uint32_t *from = parent == UINT32_MAX ? &next[s->n] : &next[parent];

		place[at] = *from;
		*from += size[at];
		next[at] = place[at] + 1;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct name_scope *x = &out[place[i]];

		*x = s->v[i];
		x->parent = x->parent == UINT32_MAX ? UINT32_MAX : place[x->parent];
		x->end = place[i] + size[i];
	}
	for (size_t i = 0; i < s->nops; i++) {
		s->op[i].scope = place[s->op[i].scope];
		s->scope_of[s->op[i].meta] = s->op[i].scope;
	}
	free(s->v);
	s->v = out;
	free(v);
	free(size);
	free(place);
	free(next);
}

/* An op of one name and scope is one, on all cores. */
VEC_ORDER(by_op, struct scope_op, UP(scope) UP(name) UP(phase));
VEC_ORDER(longest, struct scope_op, DOWN(time) UP(scope) UP(name));

static void join_ops(struct scopes *s)
{
	size_t n = 0;

	VEC_SORT(s->op, s->nops, by_op);
	for (size_t i = 0; i < s->nops; i++) {
		if (n && !by_op(&s->op[n - 1], &s->op[i])) {
			s->op[n - 1].time = add_clamped(s->op[n - 1].time, s->op[i].time);
			s->op[n - 1].count = add_clamped(s->op[n - 1].count, s->op[i].count);
		} else {
			s->op[n++] = s->op[i];
		}
	}
	s->nops = n;
	VEC_SORT(s->op, s->nops, longest);
}

void scopes_make(const struct core_times *t, const struct scopes_options *o, struct scopes *s)
{
	struct builder b = { .s = s, .o = o };
	struct op_peaks peaks = { 0 };

	*s = (struct scopes){ .scope_of = xcalloc(t->dump->trace.nmetas + 1, sizeof *s->scope_of),
		.one_step = o->step };
	op_peaks_of(t->dump, &peaks);
	s->flops = peaks.tflops * 1e12;
	s->hbm = peaks.bw[PEAK_HBM] * 1e9;
	find_leaves(&b, t);
	make_tree(&b);
	find_spread(&b);
	order_tree(s);
	join_ops(s);
	free(b.leaves.v);
	free(b.leaves.core);
}

void scopes_free(struct scopes *s)
{
	free(s->v);
	free(s->op);
	free(s->scope_of);
	arena_free(&s->text);
	*s = (struct scopes){ .n = 0 };
}
