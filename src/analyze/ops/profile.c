#include "config.h"
#include "analyze/ops/profile.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/text/digit.h"

const char *const op_group_name[] = { "program", "category", "provenance" };

/* The program of "jit_f(7)", as the plane of metadata names programs; false: not such a name. */
static bool program_in(struct slice name, uint64_t *program)
{
	size_t n = name.n;
	char digits[24], again[24];
	size_t from;

	if (n < 4 || name.s[n - 1] != ')')
		return false;
	for (from = n - 1; from && is_digit(name.s[from - 1]);)
		from--;
	if (from < 2 || name.s[from - 1] != '(' || n - 1 - from >= sizeof digits)
		return false;
	memcpy(digits, name.s + from, n - 1 - from);
	digits[n - 1 - from] = 0;
	*program = strtoull(digits, NULL, 10);
	snprintf(again, sizeof again, "%" PRIu64, *program);
	return !strcmp(digits, again);
}

/* Converted traces have no plane that lists the modules, but their runs. */
static bool may_name_program(const struct dump *d, const struct evmeta *m)
{
	return m->plane != UINT32_MAX ? d->trace.planes[m->plane].kind == PLANE_META
				      : m->file >= 0 && file_is_converted(&d->files[m->file]);
}

static bool names_program(const struct dump *d, const struct evmeta *m, uint64_t *program)
{
	return may_name_program(d, m) && program_in(dump_text(d, m->name), program);
}

struct slice op_program_name(const struct dump *d, uint64_t program)
{
	uint64_t named;

	for (size_t i = 0; i < d->trace.nmetas; i++)
		if (names_program(d, &d->trace.metas[i], &named) && named == program)
			return dump_text(d, d->trace.metas[i].name);
	return slice_of("main");
}

struct slice op_program_label(const struct dump *d, const struct op *o)
{
	if (o->module == OP_NO_MODULE)
		return slice_of("–");
	return o->module ? dump_text(d, o->module) : op_program_name(d, o->program);
}

static bool same_program(const struct op *a, const struct op *b)
{
	return a == b || (a && b && a->program == b->program && a->module == b->module);
}

/* o: an op whose program tells it from others of its name; NULL: the name does */
static size_t slot_of(const struct opprofile *p, const struct op_node *parent, enum op_node_kind kind,
    struct slice name, const struct op *o)
{
	uint64_t h = hash_mix(strtab_hash(name.s, name.n) + (uint64_t)kind * 31, (uintptr_t)parent);
	size_t i = h & (p->nslots - 1);

	for (; p->slot[i]; i = (i + 1) & (p->nslots - 1)) {
		const struct op_node *x = p->slot[i];

		if (x->parent == parent && x->kind == kind && slice_same(x->name, name) &&
		    same_program(x->op, o))
			break;
	}
	return i;
}

static void grow_slots(struct opprofile *p)
{
	struct op_node **old = p->slot;
	size_t n = p->nslots;

	p->nslots = n ? n * 2 : 256;
	p->slot = xcalloc(p->nslots, sizeof(struct op_node *));
	for (size_t i = 0; i < n; i++)
		if (old[i])
			p->slot[slot_of(p, old[i]->parent, old[i]->kind, old[i]->name, old[i]->op)] = old[i];
	free(old);
}

static struct op_node *child_of_op(struct opprofile *p, struct op_node *parent, enum op_node_kind kind,
    struct slice name, const struct op *o)
{
	size_t i;

	if (p->nodes * 2 >= p->nslots)
		grow_slots(p);
	i = slot_of(p, parent, kind, name, o);
	if (p->slot[i])
		return p->slot[i];
	p->slot[i] = arena_alloc(&p->arena, sizeof *p->slot[i]);
	*p->slot[i] = (struct op_node){ .kind = kind, .name = name, .parent = parent, .op = o };
	p->nodes++;
	if (parent)
		VEC_ADD(parent->child, parent->n, parent->cap, p->slot[i]);
	return p->slot[i];
}

static struct op_node *child(struct opprofile *p, struct op_node *parent, enum op_node_kind kind,
    struct slice name)
{
	return child_of_op(p, parent, kind, name, NULL);
}

/* Returns the self time as it would be at full clock frequency. */
static int64_t scaled_self(const struct opsum *s)
{
	double scale = s->time > 0 && s->normalized > 0 ? (double)s->normalized / (double)s->time : 1;

	return from_double((double)s->self * scale);
}

/* Adds an op to a node that is not itself an op or category: self time, and the work of ops that contain no
 * others. */
static void take_up(struct op_node *x, const struct opsum *s)
{
	struct opsum part = { .time = s->self, .self = s->self, .normalized = s->normalized };

	if (s->time == s->self) {
		part.flops = s->flops;
		part.model_flops = s->model_flops;
		part.bytes = s->bytes;
		part.has_mem = s->has_mem;
		part.no_spaces = s->no_spaces;
		memcpy(part.mem, s->mem, sizeof part.mem);
	}
	opsum_add(&x->sum, &part);
	x->scaled = add_clamped(x->scaled, scaled_self(s));
}

/* Adds an op to a category, group or op: all of it. */
static void take_whole(struct op_node *x, const struct op *o)
{
	opsum_add(&x->sum, &o->sum);
	x->scaled = add_clamped(x->scaled, scaled_self(&o->sum));
}

static struct op_node *add_provenance(struct opprofile *p, struct op_node *at, const struct op *o)
{
	const char *s = o->provenance.s, *end = s + o->provenance.n;
	int depth = 0;

	while (s < end) {
		const char *stop = ++depth < OPPROFILE_DEPTH ? memchr(s, '/', (size_t)(end - s)) : NULL;
		struct slice part = { s, (size_t)((stop ? stop : end) - s) };
		const char *rest = stop, *colon;

		while (rest && rest < end && *rest == '/')
			rest++;
		if ((!rest || rest == end) && (colon = memchr(s, ':', part.n))) /* of the last part */
			part.n = (size_t)(colon - s);
		if (stop != s) {
			at = child(p, at, NODE_PROVENANCE, part);
			take_up(at, &o->sum);
		}
		s = rest ? rest : end;
	}
	return at;
}

VEC_ORDER(by_program, struct op_program_name, UP(program) UP(order));

struct op_program_names op_program_names(const struct dump *d)
{
	struct op_program_names k = { .n = 0 };
	uint64_t program;

	for (size_t i = 0; i < d->trace.nmetas; i++) {
		if (!names_program(d, &d->trace.metas[i], &program))
			continue;
		VEC_ADD(k.v, k.n, k.cap,
		    (struct op_program_name){ program, i, dump_text(d, d->trace.metas[i].name) });
	}
	VEC_SORT(k.v, k.n, by_program);
	return k;
}

struct slice op_program_named(const struct op_program_names *k, uint64_t program)
{
	size_t lo;

	BISECT(lo, k->n, k->v[lo].program < program);
	return lo < k->n && k->v[lo].program == program ? k->v[lo].name : slice_of("main");
}

static void add_op(struct opprofile *p, const struct dump *d, const struct op_program_names *k,
    const struct op *o, enum op_group by)
{
	struct slice name = dump_text(d, o->name);
	struct op_node *at = p->root;

	if (o->sparse || slice_begins(name, "region"))
		return;
	take_up(at, &o->sum);
	if (by != GROUP_CATEGORY) {
		at = child(p, at, NODE_PROGRAM,
		    o->module ? op_program_label(d, o) : op_program_named(k, o->program));
		take_up(at, &o->sum);
	}
	if (o->sum.time > o->sum.self)
		return;
	if (by == GROUP_PROVENANCE)
		at = add_provenance(p, at, o);
	at = child(p, at, NODE_CATEGORY, o->category);
	take_whole(at, o);
	at = child(p, at, NODE_DUPLICATES, o->dedup.n ? o->dedup : name);
	take_whole(at, o);
	take_whole(child_of_op(p, at, NODE_OP, name, o), o);
}

static int by_time(const void *a, const void *b)
{
	const struct op_node *const *x = a, *const *y = b;

	if ((*x)->sum.time != (*y)->sum.time)
		return (*x)->sum.time > (*y)->sum.time ? -1 : 1;
	return slice_order((*x)->name, (*y)->name);
}

/* Replaces a group of one op by that op.  Recursion is bounded by OPPROFILE_DEPTH and the levels around
 * it. */
static void finish(struct op_node *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct op_node *c = x->child[i];

		finish(c);
		if (c->kind != NODE_DUPLICATES)
			continue;
		if (c->n == 1) {
			c->child[0]->parent = x;
			x->child[i] = c->child[0];
			free(c->child);
			c->child = NULL;
			c->n = 0;
		} else {
			c->op = c->child[0]->op;
			c->name = c->child[0]->name;
		}
	}
	VEC_SORT(x->child, x->n, by_time);
}

/* XProf says 0 of what a capture lacks; of a converted trace it says nothing. */
static unsigned counts_known(const struct opdb *db)
{
	bool model = false;

	for (size_t i = 0; i < db->n; i++)
		model |= db->v[i].sum.model_flops > 0;
	if (!db->converted)
		return KNOWS_ALL_COUNTS;
	return (opdb_lacks_flops(db) ? 0 : KNOWS_FLOP_COUNT) | (model ? KNOWS_MODEL_COUNT : 0);
}

void opprofile_build(const struct dump *d, const struct opdb *db, enum op_group by, bool with_idle,
    struct opprofile *p)
{
	static const char *const names[] = { "by_program", "by_category", "by_provenance" };
	struct op_program_names k = op_program_names(d);

	*p = (struct opprofile){ .db = db, .knows = KNOWS_TIME | KNOWS_COUNT };
	p->knows |= counts_known(db);
	p->knows |= db->peaks.tflops > 0 && p->knows & KNOWS_FLOP_COUNT ? KNOWS_FLOPS : 0;
	p->knows |= db->peaks.bw[PEAK_HBM] > 0 && p->knows & KNOWS_BYTES ? KNOWS_HBM : 0;
	p->root = child(p, NULL, NODE_ROOT, slice_of(names[by]));
	for (size_t i = 0; i < db->n; i++)
		add_op(p, d, &k, &db->v[i], by);
	free(k.v);
	if (with_idle && db->planes) {
		struct op_node *idle = child(p, p->root, NODE_IDLE, slice_of("IDLE"));

		idle->sum.time = idle->sum.self = sub_clamped(sub_clamped(db->total, db->other), db->op_time);
	}
	p->root->sum.time = with_idle ? sub_clamped(db->total, db->other) : db->op_time;
	finish(p->root);
	free(p->slot);
	p->slot = NULL;
	p->nslots = 0;
}

static void free_children(struct op_node *x)
{
	for (size_t i = 0; i < x->n; i++)
		free_children(x->child[i]);
	free(x->child);
}

void opprofile_free(struct opprofile *p)
{
	if (p->root)
		free_children(p->root);
	free(p->slot);
	arena_free(&p->arena);
	*p = (struct opprofile){ 0 };
}

static double hbm_of(const struct opsum *s, double ns, double peak)
{
	double use = safe_div(safe_div(opsum_hbm(s), ns), peak);

	if (!opsum_knows_hbm(s) || !(peak > 0) || (use > 1 && !s->has_mem))
		return NAN;
	return use < 1 ? use : 1;
}

static void forget_unknown(const struct opprofile *p, struct op_use *u)
{
	if (!(p->knows & KNOWS_FLOPS))
		u->flops = u->uncapped = u->utilization = NAN;
	for (int i = 0; i < 3 && !(p->knows & KNOWS_BYTES); i++)
		u->bytes[i] = u->bandwidth[i] = NAN;
}

void opprofile_use(const struct opprofile *p, const struct op_node *x, struct op_use *u)
{
	static const enum op_peak peak_of[3] = { PEAK_HBM, PEAK_SRAM_RD, PEAK_SRAM_WR };
	static const struct op_peaks none;
	const struct op_peaks *peaks = p->db ? &p->db->peaks : &none;
	const struct opsum *s = &x->sum;
	double ns = (double)s->time / 1e3, rate = safe_div(safe_div(s->flops, ns), peaks->tflops * 1e3);
	double used = rate, best;

	if (x->use) {
		*u = *x->use;
		u->flops = p->knows & KNOWS_FLOPS ? u->flops : NAN;
		u->uncapped = p->knows & KNOWS_FLOPS ? u->uncapped : NAN;
		u->utilization = u->share > 0 ? u->uncapped / u->share : NAN;
		u->wasted = p->knows & (KNOWS_FLOPS | KNOWS_HBM) ? u->wasted : NAN;
		for (int i = 0; i < 3; i++)
			u->bandwidth[i] = p->knows & KNOWS_HBM ? u->bandwidth[i] : NAN;
		u->hbm = u->bandwidth[0];
		return;
	}
	if (s->normalized)
		used *= (double)s->time / (double)s->normalized;
	*u = (struct op_use){ .share = safe_div((double)s->time, (double)p->root->sum.time) };
	u->flops = (used < 1 ? used : 1) * u->share;
	u->uncapped = used * u->share;
	if (!(p->knows & KNOWS_FLOPS))
		u->utilization = NAN;
	else
		u->utilization = x->scaled > 0 ? rate * ((double)s->self / (double)x->scaled) : rate;
	u->bytes[0] = s->mem[SPACE_HBM][ACCESS_READ] + s->mem[SPACE_HBM][ACCESS_WRITE];
	for (int i = SPACE_CMEM; i < SPACE_COUNT; i++) {
		u->bytes[1] += s->mem[i][ACCESS_READ];
		u->bytes[2] += s->mem[i][ACCESS_WRITE];
	}
	for (size_t i = 0; i < 3; i++) {
		double b = safe_div(safe_div(u->bytes[i], ns), peaks->bw[peak_of[i]]);

		u->bandwidth[i] = b < 1 ? b : 1;
	}
	u->hbm = p->knows & KNOWS_HBM ? hbm_of(s, ns, peaks->bw[PEAK_HBM]) : NAN;
	best = u->hbm > u->utilization ? u->hbm : u->utilization;
	u->wasted =
	    p->knows & KNOWS_FLOPS && p->knows & KNOWS_HBM ? u->share * (best < 1 ? 1 - best : 0) : NAN;
	if (p->db && p->db->converted)
		forget_unknown(p, u);
}
