#include "config.h"
#include "analyze/step_cores.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/clamp.h"
#include "analyze/core_details.h"
#include "analyze/digest.h"
#include "analyze/step_ops.h"
#include "analyze/tracestat.h"
#include "base/pool.h"

const struct step_metric_info step_metric_info[METRIC_COUNT] = {
	[METRIC_HIGH_FLOPS] = { "high_flops_us", "High-flops compute", "compute" },
	[METRIC_LOW_FLOPS] = { "low_flops_us", "Low-flops compute", "other" },
	[METRIC_INFEED] = { "infeed_us", "Input wait", "input" },
	[METRIC_OUTFEED] = { "outfeed_us", "Output", "output" },
	[METRIC_COLLECTIVES] = { "collectives_us", "Collectives", "coll." },
	[METRIC_SEND] = { "send_us", "Send", "send" },
	[METRIC_RECV] = { "recv_us", "Receive", "recv" },
	[METRIC_HOST_TRANSFER] = { "host_transfer_us", "Host transfer", "host" },
	[METRIC_IDLE] = { "idle_us", "Idle", "idle" },
	[METRIC_SPARSECORE_WAIT] = { "sparsecore_wait_us", "SparseCore wait", "SC wait" },
	[METRIC_MEGACORE_WAIT] = { "megacore_wait_us", "Megacore wait", "MC wait" },
};

enum { KIND_METRIC = 0x0f, KIND_CRS = 0x10, KIND_ASYNC_DONE = 0x20, KIND_NAMELESS = 0x40 };

/* prefix: every category that begins so. */
static const struct {
	const char *category;
	bool prefix;
	unsigned kind;
} categories[] = {
	{ "convolution", false, METRIC_HIGH_FLOPS },
	{ "convolution base-dilated", false, METRIC_HIGH_FLOPS },
	{ "convolution window-dilated", false, METRIC_HIGH_FLOPS },
	{ "convolution fusion", false, METRIC_HIGH_FLOPS },
	{ "output fusion", false, METRIC_HIGH_FLOPS },
	{ "infeed", false, METRIC_INFEED },
	{ "outfeed", false, METRIC_OUTFEED },
	{ "all-reduce", false, METRIC_COLLECTIVES | KIND_CRS },
	{ "all-reduce fusion", false, METRIC_COLLECTIVES | KIND_CRS },
	{ "all-to-all", false, METRIC_COLLECTIVES | KIND_CRS },
	{ "all-reduce", true, METRIC_COLLECTIVES },
	{ "all-gather", true, METRIC_COLLECTIVES },
	{ "all-to-all", true, METRIC_COLLECTIVES },
	{ "reduce-scatter", true, METRIC_COLLECTIVES },
	{ "collective-permute", true, METRIC_COLLECTIVES },
	{ "collective-broadcast", true, METRIC_COLLECTIVES },
	{ "ragged-all-to-all", true, METRIC_COLLECTIVES },
	{ "send", false, METRIC_SEND },
	{ "send-done", false, METRIC_SEND },
	{ "recv", false, METRIC_RECV },
	{ "recv-done", false, METRIC_RECV },
	{ "host send", false, METRIC_HOST_TRANSFER },
	{ "host send-done", false, METRIC_HOST_TRANSFER },
	{ "host recv", false, METRIC_HOST_TRANSFER },
	{ "host recv-done", false, METRIC_HOST_TRANSFER },
	{ "megacore fusion", false, METRIC_MEGACORE_WAIT },
	{ "sparsecorev0 infeed wait", false, METRIC_SPARSECORE_WAIT },
	{ "async-done", false, METRIC_LOW_FLOPS | KIND_ASYNC_DONE },
};

static unsigned kind_of(const char *category, size_t len)
{
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
		size_t n = strlen(categories[i].category);

		if ((len == n || (categories[i].prefix && len > n)) &&
		    !memcmp(category, categories[i].category, n))
			return categories[i].kind;
	}
	return METRIC_LOW_FLOPS;
}

enum step_metric step_metric_of(const char *category, size_t len)
{
	return (enum step_metric)(kind_of(category, len) & KIND_METRIC);
}

/* One run of a collective on one core. */
struct meeting {
	int64_t id, dur;
	size_t core, step;
};

struct job {
	const struct step *row;
	size_t nrows;
	size_t *step; /* of each row */
	size_t core;
	struct meeting *met;
	size_t nmet, met_cap;
};

struct builder {
	const struct dump *dump;
	struct step_cores *out;
	struct job *job;
	size_t njobs;
	uint8_t *kind; /* by meta */
	strid unique; /* "all_reduce_unique_id", UINT32_MAX = nobody has it */
	struct progress *progress;
};

static struct step_core *cell(struct step_cores *s, size_t core, size_t step)
{
	return &s->v[core * s->nsteps + step];
}

static size_t step_of_id(const struct step_cores *s, int64_t id)
{
	size_t a = 0, b = s->nsteps;

	while (a < b) {
		size_t m = a + (b - a) / 2;

		if (s->step[m].id < id)
			a = m + 1;
		else
			b = m;
	}
	return a;
}

struct unique {
	strid name;
	int64_t id;
	bool has;
};

static bool take_unique(void *ctx, const struct stat_value *v)
{
	struct unique *u = ctx;

	if (v->name_id != u->name)
		return true;
	u->id = v->i;
	u->has = true;
	return false;
}

static void add_meeting(const struct builder *b, struct job *j, const struct step_op *o, size_t step)
{
	struct unique u = { .name = b->unique };

	if (b->unique != UINT32_MAX)
		stats_of_event(b->dump, &b->dump->trace.tracks[o->track], o->event, take_unique, &u);
	if (!u.has)
		return;
	VEC_PUSH(j->met, j->nmet, j->met_cap);
	j->met[j->nmet++] = (struct meeting){ u.id, o->dur, j->core, step };
}

static unsigned kind_of_op(const struct builder *b, const struct step_op *o)
{
	return b->kind[b->dump->trace.tracks[o->track].meta[o->event]];
}

static void add_op(const struct builder *b, const struct step_op *o, struct step_core *c)
{
	unsigned kind = kind_of_op(b, o);
	enum step_metric m = (enum step_metric)(kind & KIND_METRIC);

	c->ps[m] = add_clamped(c->ps[m], o->self);
	if (kind & KIND_CRS)
		c->crs = add_clamped(c->crs, o->self);
	if (kind & KIND_ASYNC_DONE)
		c->async_done = add_clamped(c->async_done, o->self);
	if (kind & KIND_NAMELESS)
		c->nameless = add_clamped(c->nameless, o->self);
}

/* A digest has the sums, and of its ops those that meet others. */
static void add_digest(const struct builder *b, const Pb__DigestPlane *m, const struct job *j)
{
	for (size_t k = 0; k < j->nrows; k++) {
		struct step_core own, *c = cell(b->out, j->core, j->step[k]);

		if (!digest_cell(m, j->row[k].event, &own))
			continue;
		for (size_t i = 0; i < METRIC_COUNT; i++)
			c->ps[i] = add_clamped(c->ps[i], own.ps[i]);
		c->crs = add_clamped(c->crs, own.crs);
		c->async_done = add_clamped(c->async_done, own.async_done);
		c->nameless = add_clamped(c->nameless, own.nameless);
	}
}

static void run_core(void *ctx, size_t i)
{
	struct builder *b = ctx;
	struct job *j = &b->job[i];
	struct step_ops ops;
	bool whole = step_ops_read(b->dump, j->row, j->nrows, b->progress, &ops);
	Pb__DigestPlane *digest = j->nrows ? digest_of_plane(b->dump, j->row->plane) : NULL;

	j->step = xcalloc(j->nrows + 1, sizeof *j->step);
	for (size_t k = 0; k < j->nrows; k++) {
		j->step[k] = step_of_id(b->out, j->row[k].id);
		struct step_core *c = cell(b->out, j->core, j->step[k]);

		c->start = c->total < 0 ? j->row[k].start : c->start;
		c->total = add_clamped(c->total < 0 ? 0 : c->total, j->row[k].dur);
		c->group = j->row[k].group;
	}
	for (size_t k = 0; k < ops.n && whole; k++) {
		const struct step_op *o = &ops.v[k];

		if (o->step == SIZE_MAX)
			continue;
		if (!digest)
			add_op(b, o, cell(b->out, j->core, j->step[o->step]));
		if ((kind_of_op(b, o) & KIND_METRIC) == METRIC_COLLECTIVES)
			add_meeting(b, j, o, j->step[o->step]);
	}
	if (digest)
		add_digest(b, digest, j);
	digest_free(digest);
	step_ops_free(&ops);
	free(j->step);
	for (size_t s = 0; s < b->out->nsteps; s++) {
		struct step_core *c = cell(b->out, j->core, s);
		int64_t rest = c->total;

		for (size_t m = 0; m < METRIC_COUNT; m++)
			rest = sub_clamped(rest, c->ps[m]);
		c->ps[METRIC_IDLE] = rest > 0 ? rest : 0;
	}
}

static int by_meeting(const void *a, const void *b)
{
	const struct meeting *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur < y->dur ? -1 : 1;
	return (x->core > y->core) - (x->core < y->core);
}

/* Who came last waited for nobody: its run is the work of the collective. */
static void part_collectives(struct builder *b)
{
	struct meeting *v = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < b->njobs; i++)
		for (size_t k = 0; k < b->job[i].nmet; k++) {
			VEC_PUSH(v, n, cap);
			v[n++] = b->job[i].met[k];
		}
	if (n)
		qsort(v, n, sizeof *v, by_meeting);
	for (size_t i = 0, first = 0; i < n; i++) {
		struct step_core *c = cell(b->out, v[i].core, v[i].step);

		if (v[i].step != v[first].step || v[i].id != v[first].id)
			first = i;
		c->sync = add_clamped(c->sync < 0 ? 0 : c->sync, v[i].dur - v[first].dur);
		c->sync_compute = add_clamped(c->sync_compute < 0 ? 0 : c->sync_compute, v[first].dur);
	}
	free(v);
}

static int by_id(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x > y) - (x < y);
}

static void number_steps(struct builder *b)
{
	const struct step **row = NULL;
	struct step_cores *s = b->out;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < b->njobs; i++)
		for (size_t k = 0; k < b->job[i].nrows; k++) {
			VEC_PUSH(row, n, cap);
			row[n++] = &b->job[i].row[k];
		}
	if (n)
		qsort(row, n, sizeof *row, by_id);
	s->step = xcalloc(n + 1, sizeof *s->step);
	for (size_t i = 0; i < n; i++) {
		if (!i || row[i]->id != row[i - 1]->id) {
			s->step[s->nsteps].id = row[i]->id;
			memcpy(s->step[s->nsteps].number, row[i]->number, sizeof row[i]->number);
			s->nsteps++;
		}
		if (!s->step[s->nsteps - 1].name) {
			s->step[s->nsteps - 1].name = row[i]->name;
			s->step[s->nsteps - 1].name_len = row[i]->name_len;
		}
	}
	free(row);
}

static void find_cores(struct builder *b, const struct steps *steps, const char *host, int core)
{
	struct step_cores *s = b->out;
	size_t cap = 0, jobs_cap = 0, end;

	for (size_t a = 0; a < steps->n; a = end) {
		const struct step *x = &steps->v[a];

		for (end = a + 1;
		     end < steps->n && steps->v[end].host == x->host && steps->v[end].core == x->core;)
			end++;
		if (x->core < 0 || (core >= 0 && x->core != core) ||
		    (host && !trace_host_is(b->dump, x->host, host)))
			continue;
		struct core_details d = core_details_of(b->dump, x->plane);

		VEC_PUSH(s->core, s->ncores, cap);
		VEC_PUSH(b->job, b->njobs, jobs_cap);
		b->job[b->njobs++] = (struct job){ .row = x, .nrows = end - a, .core = s->ncores };
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

static bool is_nameless(const struct builder *b, uint32_t meta)
{
	struct names n = { .program = strtab_find(&b->dump->str, "program_id", 10),
		.symbol = strtab_find(&b->dump->str, "symbol_id", 9) };

	stats_of_meta(b->dump, meta, take_name, &n);
	return !n.has_program || !n.has_symbol;
}

static void know_kinds(struct builder *b)
{
	const struct trace *t = &b->dump->trace;
	strid last = 0;
	unsigned kind = METRIC_LOW_FLOPS;

	b->kind = xcalloc(t->nmetas + 1, 1);
	for (size_t i = 0; i < t->nmetas; i++) {
		if (t->metas[i].category != last) {
			last = t->metas[i].category;
			kind = kind_of(strtab_str(&b->dump->str, last), strtab_len(&b->dump->str, last));
		}
		b->kind[i] = (uint8_t)kind;
		if (t->metas[i].plane < t->nplanes && t->planes[t->metas[i].plane].kind == PLANE_TPU &&
		    is_nameless(b, (uint32_t)i))
			b->kind[i] |= KIND_NAMELESS;
	}
}

void step_cores_build(const struct dump *d, const struct steps *steps, const char *host, int core,
    int threads, struct progress *progress, struct step_cores *s)
{
	struct builder b = { .dump = d,
		.out = s,
		.progress = progress,
		.unique = strtab_find(&d->str, "all_reduce_unique_id", 20) };
	uint64_t ops = 0;

	*s = (struct step_cores){ .source = steps->source };
	find_cores(&b, steps, host, core);
	number_steps(&b);
	know_kinds(&b);
	s->v = xcalloc(s->ncores * s->nsteps + 1, sizeof *s->v);
	for (size_t i = 0; i < s->ncores * s->nsteps; i++)
		s->v[i] = (struct step_core){ .total = -1, .sync = -1, .sync_compute = -1, .group = -1 };
	for (size_t i = 0; i < b.njobs; i++)
		ops += step_ops_count(d, b.job[i].row->plane);
	progress_begin(progress, ops);
	pool_run(threads > 0 ? threads : pool_default_threads(), b.njobs, run_core, &b);
	part_collectives(&b);
	for (size_t k = 0; k < s->nsteps; k++) {
		s->step[k].everywhere = true;
		for (size_t i = 0; i < s->ncores; i++)
			s->step[k].everywhere &= cell(s, i, k)->total >= 0;
		s->incomplete += !s->step[k].everywhere;
	}
	for (size_t i = 0; i < b.njobs; i++)
		free(b.job[i].met);
	free(b.job);
	free(b.kind);
}

bool step_cores_of_rows(const struct dump *d, const struct step *row, size_t nrows, struct step_core *own)
{
	struct builder b = { .dump = d };
	struct step_ops ops;
	bool whole = step_ops_read(d, row, nrows, NULL, &ops);

	know_kinds(&b);
	for (size_t k = 0; k < ops.n && whole; k++)
		if (ops.v[k].step != SIZE_MAX)
			add_op(&b, &ops.v[k], &own[ops.v[k].step]);
	step_ops_free(&ops);
	free(b.kind);
	return whole;
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
}

void step_cores_free(struct step_cores *s)
{
	free(s->core);
	free(s->step);
	free(s->v);
	*s = (struct step_cores){ .source = STEPS_NONE };
}

bool step_core_slowest(const struct step_cores *s, size_t step, size_t *core)
{
	int64_t longest = -1;

	for (size_t i = 0; i < s->ncores; i++) {
		int64_t total = step_core_at(s, i, step)->total;

		if (total > longest) {
			longest = total;
			*core = i;
		}
	}
	return longest >= 0;
}

enum step_metric step_core_bottleneck(const struct step_core *c)
{
	enum step_metric best = METRIC_LOW_FLOPS;

	for (size_t m = 0; m < METRIC_COUNT; m++)
		if (m != METRIC_HIGH_FLOPS && c->ps[m] > c->ps[best])
			best = (enum step_metric)m;
	return best;
}
