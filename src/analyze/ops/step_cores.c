#include "config.h"
#include "analyze/ops/step_cores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/device/core_details.h"
#include "analyze/device/digest.h"
#include "analyze/device/step_metric.h"
#include "analyze/ops/internal.h"
#include "analyze/ops/traffic.h"
#include "analyze/steps/rows.h"
#include "base/bisect.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/spill/spill.h"

#define LEFT_OUT SIZE_MAX
/* The table of cores and steps has room for so many, and for four times as many as there are. */
#define FEW_CELLS ((size_t)1 << 16)

enum {
	NAMELESS = STEP_KIND_OWN
}; /* a flag beside those of step_metric.h: the op lacks program_id or symbol_id */

/* One core. */
struct job {
	const struct step_cores_builder *b;
	const struct step *row;
	size_t nrows;
	size_t *step; /* index of the step of each row */
	size_t core;
	Pb__DigestPlane *digest;
	struct step_feed *feed;    /* NULL: no walk of its ops was begun */
	bool fed;                  /* that walk was whole */
	void *also;                /* of this core; NULL: nobody else asks */
	struct step_kinds *kinds;  /* NULL: those of the kinds of events */
	struct step_core left_out; /* the times of steps that are not in the table */
	struct step_run *run;
	size_t nruns, runs_cap;
	bool mixed;
	char apart[64]; /* padding, because threads write here with every op and must not share cache lines */
};

struct step_cores_builder {
	const struct dump *dump;
	struct step_cores *out;
	struct job *job;
	size_t njobs;
	uint32_t *job_of;               /* a plane: the number of its first job, from 1; 0: it has none */
	uint8_t *kind, *time, *traffic; /* by meta: metric with flags; enum time_kind */
	struct progress *progress;
	const struct step_cores_also *also;
};

static struct step_core *cell(struct step_cores *s, size_t core, size_t step)
{
	return &s->v[core * s->nsteps + step];
}

static size_t step_of_id(const struct step_cores *s, int64_t id)
{
	size_t a;

	BISECT(a, s->nsteps, s->step[a].id < id);
	return a < s->nsteps && s->step[a].id == id ? a : LEFT_OUT;
}

static struct step_core *cell_of_row(struct job *j, size_t row)
{
	return j->step[row] == LEFT_OUT ? &j->left_out : cell(j->b->out, j->core, j->step[row]);
}

static void add_op(const struct step_cores_builder *b, struct step_kinds *kinds, const struct step_op *o,
    struct step_core *c)
{
	unsigned kind = b->kind[o->meta];
	enum time_kind k = (enum time_kind)b->time[o->meta];
	enum step_metric m;

	if (kinds)
		step_kinds_of(kinds, o, &kind, &k);
	m = (enum step_metric)(kind & STEP_KIND_METRIC);
	c->ps[m] = add_clamped(c->ps[m], o->self);
	c->kind[k] = add_clamped(c->kind[k], o->self);
	if (kind & STEP_KIND_CRS)
		c->crs = add_clamped(c->crs, o->self);
	if (kind & STEP_KIND_ASYNC_DONE)
		c->async_done = add_clamped(c->async_done, o->self);
	if (kind & NAMELESS)
		c->nameless = add_clamped(c->nameless, o->self);
}

static void forget_ops(struct step_core *c)
{
	memset(c->ps, 0, sizeof c->ps);
	memset(c->kind, 0, sizeof c->kind);
	c->crs = c->async_done = c->nameless = c->tail = 0;
}

/* Until end_core(), `tail` is where the last op ends. */
static void take_own_op(struct job *j, const struct step_op *o)
{
	struct step_core *c = cell_of_row(j, o->step);

	add_op(j->b, j->kinds, o, c);
	c->tail = o->plain_end > c->tail ? o->plain_end : c->tail;
}

static void take_op(void *ctx, const struct step_op *o)
{
	struct job *j = ctx;
	const struct step_cores_builder *b = j->b;

	if (j->also)
		b->also->op(j->also, o);
	if (!o) {
		for (size_t k = 0; k < j->nrows; k++)
			forget_ops(cell_of_row(j, k));
		j->nruns = 0;
		j->mixed = false;
		return;
	}
	if (!j->digest)
		take_own_op(j, o);
	if (!b->traffic[o->meta] || j->step[o->step] == LEFT_OUT)
		return;
	VEC_PUSH(j->run, j->nruns, j->runs_cap);
	j->mixed |= j->nruns && j->run[j->nruns - 1].step > j->step[o->step];
	j->run[j->nruns++] = (struct step_run){ o->plain_start, o->plain_end, o->dur, o->id, o->meta,
		(uint32_t)j->step[o->step] };
}

/* A digest has the sums per step, and only those ops that take part in traffic. */
static void add_digest(struct job *j)
{
	size_t at = 0;

	for (size_t k = 0; k < j->nrows; k++) {
		struct step_core own, *c = cell_of_row(j, k);

		if (!digest_cell(j->digest, j->row[k].event, &at, &own))
			continue;
		for (size_t i = 0; i < METRIC_COUNT; i++)
			c->ps[i] = add_clamped(c->ps[i], own.ps[i]);
		for (size_t i = 0; i < KIND_OPS; i++)
			c->kind[i] = add_clamped(c->kind[i], own.kind[i]);
		c->crs = add_clamped(c->crs, own.crs);
		c->async_done = add_clamped(c->async_done, own.async_done);
		c->nameless = add_clamped(c->nameless, own.nameless);
	}
}

static void place_rows(const struct step_cores_builder *b, struct job *j)
{
	j->step = xcalloc(j->nrows + 1, sizeof *j->step);
	for (size_t k = 0; k < j->nrows; k++) {
		j->step[k] = step_of_id(b->out, j->row[k].id);
		struct step_core *c = cell_of_row(j, k);

		c->start = c->total < 0 ? j->row[k].start : c->start;
		c->total = add_clamped(c->total < 0 ? 0 : c->total, j->row[k].dur);
		c->group = j->row[k].group;
	}
}

static struct step_ops_visitor begin_core(struct step_cores_builder *b, struct job *j)
{
	j->b = b;
	j->digest = digest_of_plane(b->dump, j->row->plane);
	j->kinds = step_kinds_new(b->dump, j->row->plane);
	place_rows(b, j);
	return (struct step_ops_visitor){ .visit = take_op, .ctx = j, .traffic = b->traffic };
}

/* A program that communicates all the time has more runs than memory should hold. */
static void keep_runs(struct step_core_info *core, struct job *j)
{
	const size_t bytes = j->nruns * sizeof *j->run;

	core->run = xrealloc(j->run, j->nruns + 1, sizeof *core->run);
	core->nruns = j->nruns;
	core->mixed = j->mixed;
	spill_counts(bytes, 0);
	if (spill_due(bytes))
		core->spill = spill_copy(core->run, bytes);
	if (!core->spill)
		return;
	spill_counts(0, bytes);
	free(core->run);
	core->run = spill_bytes(core->spill);
}

static void drop_runs(struct step_core_info *core)
{
	if (core->spill) {
		spill_free(core->spill);
	} else {
		spill_counts(0, core->nruns * sizeof *core->run);
		free(core->run);
	}
	core->run = NULL;
	core->spill = NULL;
	core->nruns = 0;
}

static void end_core(struct step_cores_builder *b, struct job *j)
{
	if (!j->fed)
		keep_runs(&b->out->core[j->core], j);
	if (j->digest)
		add_digest(j);
	digest_free(j->digest);
	step_kinds_free(j->kinds);
	free(j->step);
	for (size_t s = 0; s < b->out->nsteps; s++) {
		struct step_core *c = cell(b->out, j->core, s);
		int64_t rest = c->total;

		for (size_t m = 0; m < METRIC_COUNT; m++)
			rest = sub_clamped(rest, c->ps[m]);
		c->ps[METRIC_IDLE] = rest > 0 ? rest : 0;
		c->tail = c->tail ? sub_clamped(add_clamped(c->start, c->total), c->tail) : 0;
		c->tail = c->tail < 0 ? 0 : c->tail < c->ps[METRIC_IDLE] ? c->tail : c->ps[METRIC_IDLE];
	}
}

/* Starts over if a first, incomplete pass left something. */
static void run_core(void *ctx, size_t i)
{
	struct step_cores_builder *b = ctx;
	struct job *j = &b->job[i];
	struct step_ops_visitor visitor = { .visit = take_op, .ctx = j, .traffic = b->traffic };

	if (!j->feed)
		visitor = begin_core(b, j);
	if (b->also && !j->fed)
		j->also = b->also->begin(b->also->ctx, j->row, j->nrows);
	if (!j->fed)
		step_ops_visit(b->dump, j->row, j->nrows, b->progress, &visitor);
	if (j->also)
		b->also->end(j->also);
	end_core(b, j);
	step_feed_free(j->feed);
}

/* The shortest run of each collective in each step. */
struct meetings {
	const struct step_run **v;
	size_t mask;
};

static const struct step_run **meeting_of(const struct meetings *m, const struct step_run *r)
{
	size_t i = hash_mix((uint64_t)r->id, (uint64_t)r->step) & m->mask;

	while (m->v[i] && (m->v[i]->step != r->step || m->v[i]->id != r->id))
		i = (i + 1) & m->mask;
	return &m->v[i];
}

static bool meets(const struct step_cores_builder *b, const struct step_run *r)
{
	return r->id != STEP_OP_NO_ID && b->kind[r->meta] & STEP_KIND_MEETS;
}

static void part_runs(struct step_cores_builder *b, struct meetings *m, const size_t *from, const size_t *to)
{
	struct step_cores *s = b->out;
	size_t n = 0;

	for (size_t i = 0; i < s->ncores; i++)
		n += to[i] - from[i];
	if (m->mask < n * 2) {
		while (m->mask < n * 2)
			m->mask = m->mask * 2 + 1;
		m->v = xrealloc(m->v, m->mask + 1, sizeof *m->v);
	}
	memset(m->v, 0, (m->mask + 1) * sizeof *m->v);
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->ncores; i++)
			for (size_t k = from[i]; k < to[i]; k++) {
				const struct step_run *r = &s->core[i].run[k], **shortest;
				struct step_core *c = cell(s, i, r->step);

				if (!meets(b, r))
					continue;
				shortest = meeting_of(m, r);
				if (!pass) {
					if (!*shortest || r->dur < (*shortest)->dur)
						*shortest = r;
					continue;
				}
				c->sync = add_clamped(c->sync < 0 ? 0 : c->sync, r->dur - (*shortest)->dur);
				c->sync_compute =
				    add_clamped(c->sync_compute < 0 ? 0 : c->sync_compute, (*shortest)->dur);
			}
}

/* Their wait is longer than what the cores at hand tell.  A digest has the text of an op with one of the cores that run
 * it. */
static void mark_others(struct step_cores_builder *b)
{
	struct step_cores *s = b->out;
	const struct evmeta *metas = b->dump->trace.metas;
	enum { ASKED = 1, OTHERS = 2 };
	uint8_t *of_meta = xcalloc(b->dump->trace.nmetas + 1, 1), *of_name = xcalloc(b->dump->str.n + 1, 1);

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < s->ncores; i++)
			for (size_t k = 0; k < s->core[i].nruns; k++) {
				const struct step_run *r = &s->core[i].run[k];
				const struct evmeta *m = &metas[r->meta];
				uint8_t *asked = &of_meta[r->meta];

				if (!meets(b, r))
					continue;
				if (!*asked && m->full_len) {
					*asked = traffic_meets_others(b->dump, r->meta, s->ncores) ? OTHERS
												   : ASKED;
					of_name[m->name] |= *asked;
				}
				if (pass && (m->full_len ? *asked : of_name[m->name]) & OTHERS)
					cell(s, i, r->step)->others = true;
			}
	free(of_meta);
	free(of_name);
}

/* Splits collectives: the core that arrived last did not wait, so its run is the transfer itself. */
static void part_collectives(struct step_cores_builder *b)
{
	size_t *from = xcalloc(2 * b->out->ncores + 1, sizeof *from), *to = from + b->out->ncores;
	struct meetings m = { .mask = 1 };

	while (step_cores_next(b->out, from, to))
		part_runs(b, &m, from, to);
	free(m.v);
	free(from);
	mark_others(b);
}

struct step_rows {
	size_t step, n;
};

VEC_ORDER(most_rows_first, struct step_rows, DOWN(n) UP(step));

/* Keeps the steps that most cores have, as many as the table has room for: with cores that have no steps in common
 * it would grow as their square. */
static void leave_out(struct step_cores *s, size_t nrows, struct step_rows *rows)
{
	size_t room = 4 * nrows + FEW_CELLS, keep = s->ncores ? room / s->ncores : s->nsteps, n = 0;
	bool *kept;

	if (s->nsteps <= keep)
		return;
	kept = xcalloc(s->nsteps, sizeof *kept);
	VEC_SORT(rows, s->nsteps, most_rows_first);
	for (size_t i = 0; i < keep; i++)
		kept[rows[i].step] = true;
	for (size_t i = 0; i < s->nsteps; i++)
		if (kept[i])
			s->step[n++] = s->step[i];
	s->left_out = s->nsteps - n;
	s->nsteps = n;
	free(kept);
}

static void number_steps(struct step_cores_builder *b)
{
	const struct step **row = NULL;
	struct step_cores *s = b->out;
	struct step_rows *rows;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < b->njobs; i++)
		for (size_t k = 0; k < b->job[i].nrows; k++)
			VEC_ADD(row, n, cap, &b->job[i].row[k]);
	VEC_SORT(row, n, steps_by_id);
	s->step = xcalloc(n + 1, sizeof *s->step);
	rows = xcalloc(n + 1, sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		if (!i || row[i]->id != row[i - 1]->id) {
			s->step[s->nsteps].id = row[i]->id;
			s->step[s->nsteps].of = row[i];
			memcpy(s->step[s->nsteps].number, row[i]->number, sizeof row[i]->number);
			s->nsteps++;
		}
		if (!s->step[s->nsteps - 1].name) {
			s->step[s->nsteps - 1].name = row[i]->name;
			s->step[s->nsteps - 1].name_len = row[i]->name_len;
		}
		rows[s->nsteps - 1].step = s->nsteps - 1;
		rows[s->nsteps - 1].n++;
	}
	leave_out(s, n, rows);
	free(rows);
	free(row);
}

static void find_cores(struct step_cores_builder *b, const struct steps *steps, const char *host, int core)
{
	struct step_cores *s = b->out;
	size_t cap = 0, jobs_cap = 0, end;

	b->job_of = xcalloc(b->dump->trace.nplanes + 1, sizeof *b->job_of);
	for (size_t a = 0; a < steps->n; a = end) {
		const struct step *x = &steps->v[a];

		for (end = a + 1;
		     end < steps->n && steps->v[end].host == x->host && steps->v[end].core == x->core;)
			end++;
		if (x->core < 0 || (core >= 0 && x->core != core) ||
		    (host && !dump_host_is(b->dump, x->host, host)))
			continue;
		struct core_details d = core_details_of(b->dump, x->plane);

		VEC_PUSH(s->core, s->ncores, cap);
		VEC_ADD(b->job, b->njobs, jobs_cap,
		    (struct job){ .row = x, .nrows = end - a, .core = s->ncores });
		if (!b->job_of[x->plane])
			b->job_of[x->plane] = (uint32_t)b->njobs;
		s->core[s->ncores++] = (struct step_core_info){ .host = x->host,
			.core = x->core,
			.plane = x->plane,
			.chip = d.chip,
			.core_on_chip = d.core_on_chip };
	}
}

struct names {
	strid program, symbol;
	bool has_program, has_symbol;
};

static bool take_name(void *ctx, const struct stat_value *v)
{
	struct names *n = ctx;

	n->has_program |= v->name_id == n->program;
	n->has_symbol |= v->name_id == n->symbol && v->u;
	return !n->has_program || !n->has_symbol;
}

static bool is_nameless(const struct step_cores_builder *b, uint32_t meta)
{
	struct names n = { .program = strtab_find(&b->dump->str, "program_id", 10),
		.symbol = strtab_find(&b->dump->str, "symbol_id", 9) };

	stats_of_meta(b->dump, meta, take_name, &n);
	return !n.has_program || !n.has_symbol;
}

static void know_kinds(struct step_cores_builder *b)
{
	const struct trace *t = &b->dump->trace;

	b->kind = xcalloc(t->nmetas + 1, 1);
	b->time = t->meta_class ? NULL : classes_of(b->dump);
	if (t->meta_class)
		b->time = memcpy(xcalloc(t->nmetas + 1, 1), t->meta_class, t->nmetas);
	b->traffic = xcalloc(t->nmetas + 1, 1);
	for (size_t i = 0; i < t->nmetas; i++) {
		struct slice category = dump_text(b->dump, t->metas[i].category);

		b->kind[i] = (uint8_t)step_kind_of(category.s, category.n);
		b->time[i] =
		    (uint8_t)kind_of_op(b->time[i], t->metas[i].category && !(b->out && b->out->no_kinds));
		b->traffic[i] = traffic_roles(category) ||
		    (b->time[i] == KIND_COLLECTIVE && traffic_is_async(dump_text(b->dump, t->metas[i].name)));
		/* a digest already has the sum of those without an ID */
		if (t->metas[i].plane < t->nplanes && t->planes[t->metas[i].plane].kind == PLANE_TPU &&
		    !(t->metas[i].file >= 0 && b->dump->files[t->metas[i].file].digest == DIGEST_VERSION) &&
		    is_nameless(b, (uint32_t)i))
			b->kind[i] |= NAMELESS;
	}
}

static void forget_kinds(struct step_cores_builder *b)
{
	free(b->kind);
	free(b->time);
	free(b->traffic);
}

struct step_cores_builder *step_cores_begin(const struct dump *d, const struct steps *steps, const char *host,
    int core, struct progress *progress, struct step_cores *s)
{
	struct step_cores_builder *b = xcalloc(1, sizeof *b);

	*b = (struct step_cores_builder){ .dump = d, .out = s, .progress = progress };
	*s = (struct step_cores){ .source = steps->source,
		.several = steps->programs.n > 1,
		.no_kinds = step_metrics_unknown(d) };
	find_cores(b, steps, host, core);
	number_steps(b);
	know_kinds(b);
	s->v = xcalloc(s->ncores * s->nsteps + 1, sizeof *s->v);
	for (size_t i = 0; i < s->ncores * s->nsteps; i++)
		s->v[i] = (struct step_core){ .total = -1, .sync = -1, .sync_compute = -1, .group = -1 };
	return b;
}

struct step_feed *step_cores_feed(struct step_cores_builder *b, uint32_t plane)
{
	struct job *j = b->job_of[plane] ? &b->job[b->job_of[plane] - 1] : NULL;
	struct step_ops_visitor visitor;

	if (!j)
		return NULL;
	visitor = begin_core(b, j);
	return j->feed = step_feed_new(b->dump, j->row, j->nrows, &visitor);
}

void step_cores_fed(struct step_cores_builder *b, uint32_t plane)
{
	struct job *j = &b->job[b->job_of[plane] - 1];

	j->fed = true;
	keep_runs(&b->out->core[j->core], j);
}

void step_cores_end(struct step_cores_builder *b, int threads)
{
	struct step_cores *s = b->out;
	uint64_t ops = 0;

	for (size_t i = 0; i < b->njobs; i++)
		ops += b->job[i].fed ? 0 : step_ops_count(b->dump, b->job[i].row->plane);
	if (ops)
		progress_begin(b->progress, ops);
	pool_run(threads > 0 ? threads : pool_default_threads(), b->njobs, run_core, b);
	part_collectives(b);
	for (size_t k = 0; k < s->nsteps; k++) {
		s->step[k].everywhere = true;
		for (size_t i = 0; i < s->ncores; i++)
			s->step[k].everywhere &= cell(s, i, k)->total >= 0;
		s->incomplete += !s->step[k].everywhere;
	}
	free(b->job);
	free(b->job_of);
	forget_kinds(b);
	free(b);
}

void step_cores_build(const struct dump *d, const struct steps *steps, const char *host, int core,
    int threads, struct progress *progress, struct step_cores *s)
{
	step_cores_end(step_cores_begin(d, steps, host, core, progress, s), threads);
}

void step_cores_build_also(const struct dump *d, const struct steps *steps, const char *host, int threads,
    struct progress *progress, const struct step_cores_also *also, struct step_cores *s)
{
	struct step_cores_builder *b = step_cores_begin(d, steps, host, -1, progress, s);

	b->also = also;
	step_cores_end(b, threads);
}

struct rows {
	const struct step_cores_builder *b;
	struct step_core *own;
	size_t n;
};

static void take_op_of_rows(void *ctx, const struct step_op *o)
{
	struct rows *r = ctx;

	if (o)
		add_op(r->b, NULL, o, &r->own[o->step]);
	for (size_t i = 0; !o && i < r->n; i++)
		forget_ops(&r->own[i]);
}

struct step_cores_builder *step_cores_know(const struct dump *d)
{
	struct step_cores_builder *b = xcalloc(1, sizeof *b);

	b->dump = d;
	know_kinds(b);
	return b;
}

void step_cores_forget(struct step_cores_builder *b)
{
	forget_kinds(b);
	free(b);
}

bool step_cores_of_rows(const struct step_cores_builder *b, const struct step *row, size_t nrows,
    struct step_core *own)
{
	struct rows r = { b, own, nrows };

	return step_ops_visit(b->dump, row, nrows, NULL,
	    &(struct step_ops_visitor){ .visit = take_op_of_rows, .ctx = &r });
}

static void *copy_of(const void *v, size_t n, size_t size)
{
	void *out = xcalloc(n + 1, size);

	if (n)
		memcpy(out, v, n * size);
	return out;
}

void step_cores_copy(struct step_cores *to, const struct step_cores *s)
{
	*to = *s;
	to->core = copy_of(s->core, s->ncores, sizeof *s->core);
	to->step = copy_of(s->step, s->nsteps, sizeof *s->step);
	to->v = copy_of(s->v, s->ncores * s->nsteps, sizeof *s->v);
	for (size_t i = 0; i < to->ncores; i++) {
		to->core[i].run = NULL;
		to->core[i].spill = NULL;
		to->core[i].nruns = 0;
	}
}

const char *step_cores_label(const struct step_cores *s, size_t step)
{
	return s->step[step].of ? s->step[step].of->label : s->step[step].number;
}

bool step_cores_is(const struct step_cores *s, size_t step, const char *text)
{
	const struct step *of = s->step[step].of;

	return of ? steps_is(of, text) : !strcmp(s->step[step].number, text);
}

size_t step_cores_named(const struct step_cores *s, const char *text)
{
	for (size_t i = 0; i < s->nsteps; i++)
		if (step_cores_is(s, i, text))
			return i;
	return SIZE_MAX;
}

void step_cores_drop_runs(struct step_cores *s)
{
	for (size_t i = 0; i < s->ncores; i++)
		drop_runs(&s->core[i]);
}

void step_cores_free(struct step_cores *s)
{
	step_cores_drop_runs(s);
	free(s->core);
	free(s->step);
	free(s->v);
	*s = (struct step_cores){ .source = STEPS_NONE };
}

bool step_cores_next(const struct step_cores *s, size_t *from, size_t *to)
{
	uint32_t step = UINT32_MAX;
	bool mixed = false, more = false;

	for (size_t i = 0; i < s->ncores; i++) {
		const struct step_core_info *c = &s->core[i];

		from[i] = to[i];
		more |= from[i] < c->nruns;
		mixed |= c->mixed;
		if (from[i] < c->nruns && c->run[from[i]].step < step)
			step = c->run[from[i]].step;
	}
	for (size_t i = 0; i < s->ncores && more; i++)
		while (to[i] < s->core[i].nruns && (mixed || s->core[i].run[to[i]].step == step))
			to[i]++;
	return more;
}

int64_t step_core_async(const struct step_core *c)
{
	int64_t more = sub_clamped(c->kind[KIND_COLLECTIVE], c->ps[METRIC_COLLECTIVES]);

	more = sub_clamped(sub_clamped(more, c->ps[METRIC_SEND]), c->ps[METRIC_RECV]);

	return more > 0 ? more < c->ps[METRIC_LOW_FLOPS] ? more : c->ps[METRIC_LOW_FLOPS] : 0;
}

enum step_metric step_core_bottleneck(const struct step_core *c)
{
	enum step_metric best = METRIC_LOW_FLOPS;
	int64_t ps[METRIC_COUNT];

	memcpy(ps, c->ps, sizeof ps);
	ps[METRIC_LOW_FLOPS] = sub_clamped(ps[METRIC_LOW_FLOPS], step_core_async(c));
	ps[METRIC_COLLECTIVES] = add_clamped(ps[METRIC_COLLECTIVES], step_core_async(c));
	for (size_t m = 0; m < METRIC_COUNT; m++)
		if (m != METRIC_HIGH_FLOPS && ps[m] > ps[best])
			best = (enum step_metric)m;
	return best;
}

double step_cores_shares(const struct step_cores *s, double share[METRIC_COUNT])
{
	double total = 0;
	size_t n = 0;

	for (int m = 0; m < METRIC_COUNT; m++)
		share[m] = 0;
	for (size_t i = 0; i < s->ncores * s->nsteps; i++) {
		if (s->v[i].total <= 0 || !step_cores_counts(s, i % s->nsteps))
			continue;
		total += (double)s->v[i].total;
		n++;
		for (int m = 0; m < METRIC_COUNT; m++)
			share[m] += (double)s->v[i].ps[m];
	}
	for (int m = 0; m < METRIC_COUNT; m++)
		share[m] = n ? share[m] / total : NAN;
	return n ? total / (double)n : NAN;
}
