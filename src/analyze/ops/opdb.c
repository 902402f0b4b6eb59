#include "config.h"
#include "analyze/ops/opdb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/host_memory.h"
#include "analyze/ops/internal.h"
#include "analyze/ops/step_cores.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/pool.h"

struct slice op_name_in(struct slice text)
{
	const char *eq = slice_find(text, " = ");

	if (eq)
		text.n = (size_t)(eq - text.s);
	slice_cut(&text, "%");
	return text;
}

struct slice op_short_name(const struct dump *d, const struct op *o)
{
	return op_name_in(dump_text(d, o->name));
}

bool op_talks_to_host(const struct op *o)
{
	return slice_ends(o->provenance, ":XlaSendToHost") || slice_ends(o->provenance, ":XlaRecvFromHost") ||
	    (slice_find(o->expression, "send-done") && slice_find(o->expression, "is_host_transfer=true"));
}

/* What makes an op a row of its own. */
struct op_key {
	uint64_t program;
	strid module, name;
	uint32_t parent;
};

/* Rows by key: a hash table with open addressing, row + 1. */
struct rows {
	struct opdb *db;
	size_t cap, planes_cap;
	uint32_t *slot;
	size_t nslots;
};

static struct op_key key_of(const struct op *o)
{
	return (struct op_key){ o->program, o->module, o->name, o->parent };
}

static size_t slot_of(const struct rows *r, struct op_key k)
{
	uint64_t h = hash_mix(k.program + k.module, (uint64_t)k.name << 32 | k.parent);
	size_t i = h & (r->nslots - 1);

	for (; r->slot[i]; i = (i + 1) & (r->nslots - 1)) {
		const struct op *o = &r->db->v[r->slot[i] - 1];

		if (o->program == k.program && o->module == k.module && o->name == k.name &&
		    o->parent == k.parent)
			break;
	}
	return i;
}

static void grow_slots(struct rows *r)
{
	free(r->slot);
	r->nslots = r->nslots ? r->nslots * 2 : 256;
	r->slot = xcalloc(r->nslots, sizeof *r->slot);
	for (size_t i = 0; i < r->db->n; i++)
		r->slot[slot_of(r, key_of(&r->db->v[i]))] = (uint32_t)i + 1;
}

static uint32_t row_of(struct rows *r, struct op_key k)
{
	static const struct slice none = { "", 0 };

	if (r->db->n * 2 >= r->nslots)
		grow_slots(r);
	size_t i = slot_of(r, k);

	if (r->slot[i])
		return r->slot[i] - 1;
	VEC_PUSH(r->db->v, r->db->n, r->cap);
	r->db->v[r->db->n] = (struct op){ .program = k.program,
		.module = k.module,
		.name = k.name,
		.parent = k.parent,
		.category = none,
		.expression = none,
		.provenance = none,
		.dedup = none,
		.source = none,
		.stack = none,
		.shape = none };
	r->slot[i] = (uint32_t)++r->db->n;
	return (uint32_t)r->db->n - 1;
}

struct texts {
	struct op *o;
	struct arena *arena;
	const struct opdb_names *names;
	bool by_event;
};

static bool take_text(void *ctx, const struct stat_value *v)
{
	struct texts *t = ctx;
	const struct {
		strid name;
		struct slice *to;
	} known[] = {
		{ t->names->provenance, &t->o->provenance },
		{ t->names->dedup, &t->o->dedup },
		{ t->names->source, &t->o->source },
		{ t->names->stack, &t->o->stack },
		{ t->names->shape, &t->o->shape },
		/* of an event: its kind may be one of several programs */
		{ t->names->category, &t->o->category },
		{ t->names->long_name, &t->o->expression },
	};
	size_t n = sizeof known / sizeof *known - (t->by_event ? 0 : 2);

	for (size_t i = 0; i < n && v->type == STAT_STR && v->name_id != UINT32_MAX; i++)
		if (v->name_id == known[i].name && !known[i].to->n && v->n)
			*known[i].to = (struct slice){ arena_strndup(t->arena, v->s, v->n), v->n };
	return true;
}

static unsigned texts_of(const struct op *o)
{
	return (o->provenance.n ? TEXT_PROVENANCE : 0) | (o->dedup.n ? TEXT_DEDUP : 0) |
	    (o->source.n ? TEXT_SOURCE : 0) | (o->stack.n ? TEXT_STACK : 0) | (o->shape.n ? TEXT_SHAPE : 0);
}

/* Takes texts from the first core that has them.  names NULL: the texts of the file are not wanted. */
static void add_texts(const struct dump *d, const struct opdb_names *names, struct opdb *db, struct op *o,
    const struct plane_op *p)
{
	const struct evmeta *m = &d->trace.metas[p->meta];
	struct texts t = { o, &db->text, names, p->by_event };
	bool more = p->by_event ? !o->category.n || !o->expression.n : false;

	if (!o->sum.occurrences)
		o->meta = p->meta;
	if (names && (more || (p->texts & ~texts_of(o))))
		plane_op_stats(d, p, take_text, &t);
	if (!o->category.n)
		o->category = dump_text(d, m->category);
	if (!o->expression.n && m->full)
		o->expression = (struct slice){ m->full, m->full_len };
}

static bool is_asked(const struct opdb_options *o, const struct plane_op *x)
{
	for (size_t i = 0; o->programs && i < o->nprograms; i++)
		if (o->programs[i] == x->program && !x->module)
			return true;
	return !o->programs;
}

static void add_op(const struct dump *d, const struct opdb_names *names, struct rows *rows,
    const struct plane_op *x, uint32_t parent)
{
	struct opdb *db = rows->db;
	uint32_t row =
	    row_of(rows, (struct op_key){ x->program, x->module, d->trace.metas[x->meta].name, parent });
	struct op *o = &db->v[row];

	add_texts(d, names, db, o, x);
	opsum_add(&o->sum, &x->sum);
	o->event_flops += x->event_flops;
	o->event_bytes += x->event_bytes;
	db->converted |= x->by_event;
	o->sparse = parent != OP_NONE;
}

static void merge_planes(const struct dump *d, const struct opdb_options *options,
    const struct opdb_names *names, struct rows *rows, struct plane_scan *p)
{
	struct opdb *db = rows->db;
	int64_t op_time = 0, other = 0,
		span = p->window ? p->window->to - p->window->from : sub_clamped(p->last, p->first);

	for (size_t i = 0; i < p->n; i++) {
		const struct plane_op *x = &p->v[i];

		if (!is_asked(options, x)) {
			other = add_clamped(other, x->sum.self);
			continue;
		}
		add_op(d, names, rows, x, OP_NONE);
		op_time = add_clamped(op_time, x->sum.self);
		if (x->sum.time > 0)
			db->normalized = add_clamped(db->normalized,
			    from_double(
				(double)x->sum.self * ((double)x->sum.normalized / (double)x->sum.time)));
	}
	db->dropped += p->dropped;
	db->absurd += p->absurd;
	db->op_time = add_clamped(db->op_time, op_time);
	db->other = add_clamped(db->other, other);
	if (p->last >= p->first || p->window) {
		db->total = add_clamped(db->total, span);
		db->overlap |= add_clamped(op_time, other) > span;
		VEC_ADD(db->plane, db->planes, rows->planes_cap,
		    (struct op_plane){ p->plane, span, op_time });
	}
}

/* Adds the ops that ran on SparseCores as children of the ops that started them. */
static void merge_sparse(const struct dump *d, const struct opdb_names *names, struct rows *rows,
    const struct plane_scan *scan, size_t n)
{
	struct opdb *db = rows->db;
	size_t nruns;
	struct sparse_run *run = opdb_sparse(d, names, scan, n, db, &nruns);

	for (size_t i = 0; i < nruns; i++) {
		int64_t program = 0;
		bool known = db->n && stat_meta_int(d, run[i].parent, "program_id", &program);
		size_t slot = known ? slot_of(rows,
					  (struct op_key){ (uint64_t)program, 0,
					      d->trace.metas[run[i].parent].name, OP_NONE })
				    : 0;
		uint32_t parent = known && rows->slot[slot] ? rows->slot[slot] - 1 : OP_NONE;

		for (size_t k = 0; k < run[i].scan.n && parent != OP_NONE; k++)
			add_op(d, names, rows, &run[i].scan.v[k], parent);
		opdb_scan_free(&run[i].scan);
	}
	free(run);
}

struct order {
	const struct dump *dump;
	const struct op *v;
};

static int by_self(const void *a, const void *b, void *ctx)
{
	const struct order *order = ctx;
	const struct op *x = &order->v[*(const uint32_t *)a], *y = &order->v[*(const uint32_t *)b];
	const struct dump *d = order->dump;

	if (x->sum.self != y->sum.self)
		return x->sum.self > y->sum.self ? -1 : 1;
	int c = slice_order(dump_text(d, x->name), dump_text(d, y->name));

	if (c)
		return c;
	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return (x > y) - (x < y);
}

static void sort_rows(const struct dump *d, struct opdb *db)
{
	struct order order = { d, db->v };
	uint32_t *from = xcalloc(db->n + 1, sizeof *from), *to = xcalloc(db->n + 1, sizeof *to);
	struct op *v = xcalloc(db->n + 1, sizeof *v);

	for (size_t i = 0; i < db->n; i++)
		from[i] = (uint32_t)i;
	qsort_r(from, db->n, sizeof *from, by_self, &order);
	for (size_t i = 0; i < db->n; i++)
		to[from[i]] = (uint32_t)i;
	for (size_t i = 0; i < db->n; i++) {
		v[i] = db->v[from[i]];
		if (v[i].parent != OP_NONE)
			v[i].parent = to[v[i].parent];
	}
	free(from);
	free(to);
	free(db->v);
	db->v = v;
}

static void take_host(struct op *o)
{
	const double *hbm = o->sum.mem[SPACE_HBM];
	double n = (double)(o->sum.occurrences ? o->sum.occurrences : 1);

	o->sum.host = n *
	    (o->sum.has_mem ? host_memory_bytes(o->expression, hbm[ACCESS_READ] / n, hbm[ACCESS_WRITE] / n)
			    : host_memory_bytes(o->expression, o->sum.bytes / n, NAN));
}

/* Counts what is missing, and what only the whole op can say. */
static void finish_ops(struct opdb *db)
{
	for (size_t i = 0; i < db->n; i++) {
		take_host(&db->v[i]);
		if (db->v[i].sparse)
			continue;
		db->no_flops += !(db->v[i].sum.flops > 0);
		db->no_bytes += !(db->v[i].sum.bytes > 0);
		db->no_mem += !db->v[i].sum.has_mem;
	}
}

static bool wanted(const struct dump *d, const struct plane *p, const struct opdb_options *o)
{
	return p->kind == PLANE_TPU && (o->core < 0 || p->core == o->core) &&
	    (!o->host || dump_host_is(d, p->host, o->host));
}

/* Works on a copy: scans of two threads would share cache lines, and they are written to for every op. */
static void scan_one(void *ctx, size_t i)
{
	struct plane_scan *scan = ctx, own = scan[i];

	opdb_scan(&own);
	dump_let_go(own.dump, own.plane);
	scan[i] = own;
}

void opdb_build(const struct dump *d, const struct opdb_options *o, struct opdb *db)
{
	struct opdb_names names = opdb_names_of(d);
	struct plane_scan *scan = NULL;
	struct rows rows = { .db = db };
	struct step_cores_builder *cores = NULL;
	size_t n = 0, cap = 0;

	*db = (struct opdb){ 0 };
	op_peaks_of(d, &db->peaks);
	if (o->steps && !o->windows) {
		db->cores = xcalloc(1, sizeof *db->cores);
		cores = step_cores_begin(d, o->steps, o->host, o->core, o->progress, db->cores);
	}
	for (size_t i = 0; i < (o->windows ? o->nwindows : d->trace.nplanes); i++) {
		uint32_t plane = o->windows ? o->windows[i].plane : (uint32_t)i;

		if (!wanted(d, &d->trace.planes[plane], o))
			continue;
		VEC_ADD(scan, n, cap,
		    (struct plane_scan){ .dump = d,
			.names = &names,
			.plane = plane,
			.progress = o->progress,
			.cores = cores,
			.window = o->windows ? &o->windows[i] : NULL });
	}
	pool_run(o->threads > 0 ? o->threads : pool_default_threads(), n, scan_one, scan);
	if (cores)
		step_cores_end(cores, o->threads);
	for (size_t i = 0; i < n; i++)
		merge_planes(d, o, o->no_texts ? NULL : &names, &rows, &scan[i]);
	if (!o->no_texts)
		merge_sparse(d, &names, &rows, scan, n);
	for (size_t i = 0; i < n; i++)
		opdb_scan_free(&scan[i]);
	free(scan);
	free(rows.slot);
	sort_rows(d, db);
	finish_ops(db);
}

const char *op_lack(const struct dump *d)
{
	bool ops = false;

	for (size_t i = 0; i < d->trace.ntracks; i++)
		ops |= d->trace.tracks[i].role == TRACK_OPS && d->trace.tracks[i].n;
	if (!trace_has_plane(&d->trace, PLANE_TPU) && trace_has_plane(&d->trace, PLANE_GPU))
		return "GPUs run kernels, not HLO ops: see the Kernels view or report kernels";
	return !trace_has_plane(&d->trace, PLANE_TPU)
	    ? "no /device:TPU plane, so no HLO ops: capture while the device runs"
	    : !ops ? "no line \"XLA Ops\", so no HLO ops: capture with tracing of the device on"
		   : NULL;
}

bool opdb_lacks_flops(const struct opdb *db)
{
	return db->converted && db->no_flops == db->n;
}

void opdb_free(struct opdb *db)
{
	free(db->v);
	free(db->plane);
	if (db->cores)
		step_cores_free(db->cores);
	free(db->cores);
	arena_free(&db->text);
	*db = (struct opdb){ 0 };
}
