#include "config.h"
#include "analyze/diff/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/ops/profile.h"
#include "analyze/ops/traffic.h"
#include "analyze/pieces/cut.h"
#include "analyze/steps/step_ops.h"
#include "base/clamp.h"
#include "base/hash.h"
#include "base/pool.h"

#define NONE UINT32_MAX

/* When an op first ran: in which step, on which core, when. */
struct moment {
	size_t step, core;
	int64_t start, dur;
};

/* A kind of event on one core, and then an op of all cores. */
struct sum {
	uint64_t program;
	strid name;
	uint32_t op;          /* of one core: which of all cores */
	uint32_t meta, track; /* track NONE: a digest has no event of it */
	size_t event;
	int64_t runs, self, wait;
	struct moment first;
	int64_t *step, *step_wait;
};

/* A run of a collective that other cores run, too. */
struct meeting {
	int64_t id, dur;
	size_t step;
	uint32_t sum, core;
};

struct core_scan {
	const struct scan *scan;
	const struct side_rows *rows;
	size_t core;
	struct sum *v;
	uint32_t n, cap;
	uint32_t *slot; /* by meta: sum + 1 */
	size_t mask;
	struct meeting *meeting;
	size_t nmeetings, meetings_cap;
	int64_t *busy; /* by step that is used: of all ops */
	bool summed;   /* a digest has the sums */
	const char *no_ops;
};

struct scan {
	const struct side_input *in;
	const struct side_options *o;
	struct side *s;
	size_t *used_at, *series_at; /* by step: which of those used, of the series; SIZE_MAX: none */
	struct cut_ops *ops;
	uint8_t *meets; /* by meta: whether its runs have ids */
	bool *others;   /* by name: it meets cores that are not in the capture */
	struct core_scan *core;
	struct {
		uint64_t program;
		struct slice name;
	} module[64];
	size_t nmodules;
};

/* Where the account's parts of the time of an op are in a waterfall. */
static enum part_kind part_of(const struct scan *w, uint32_t meta)
{
	static const enum part_kind fall[SPENT_PARTS] = {
#define PART(id, name, kind, fall, meaning) [SPENT_##id] = PART_##fall,
#include "analyze/pieces/parts.def"
#undef PART
	};

	return fall[group_part[w->ops->group[meta]]];
}

static void grow_slots(struct core_scan *c)
{
	free(c->slot);
	c->mask = c->mask ? c->mask * 2 + 1 : 255;
	c->slot = xcalloc(c->mask + 1, sizeof *c->slot);
	for (uint32_t i = 0; i < c->n; i++) {
		size_t k = hash_mix(c->v[i].meta, 0) & c->mask;

		while (c->slot[k])
			k = (k + 1) & c->mask;
		c->slot[k] = i + 1;
	}
}

static uint32_t sum_of(struct core_scan *c, uint32_t meta, uint32_t track, size_t event)
{
	size_t k;

	if (!c->mask || (size_t)c->n * 2 > c->mask)
		grow_slots(c);
	k = hash_mix(meta, 0) & c->mask;
	while (c->slot[k] && c->v[c->slot[k] - 1].meta != meta)
		k = (k + 1) & c->mask;
	if (c->slot[k])
		return c->slot[k] - 1;
	VEC_PUSH(c->v, c->n, c->cap);
	c->v[c->n] = (struct sum){ .meta = meta,
		.track = track,
		.event = event,
		.first.step = SIZE_MAX,
		.step = xcalloc(c->scan->s->nseries + 1, sizeof(int64_t)) };
	c->slot[k] = ++c->n;
	return c->n - 1;
}

static bool is_before(const struct moment *a, const struct moment *b)
{
	if (a->step != b->step)
		return a->step < b->step;
	if (a->core != b->core)
		return a->core < b->core;
	return a->start != b->start ? a->start < b->start : a->dur > b->dur;
}

static void forget_sums(struct core_scan *c)
{
	c->nmeetings = 0;
	if (c->summed)
		return;
	for (uint32_t i = 0; i < c->n; i++)
		free(c->v[i].step);
	c->n = 0;
	if (c->slot)
		memset(c->slot, 0, (c->mask + 1) * sizeof *c->slot);
	memset(c->busy, 0, c->scan->s->nused * sizeof *c->busy);
}

/* runs that took so long in a step */
static void add_runs(struct core_scan *c, struct sum *x, size_t step, int64_t runs, int64_t self)
{
	const struct scan *w = c->scan;
	int64_t *busy = &c->busy[w->used_at[step]];

	x->runs += runs;
	x->self = add_clamped(x->self, self);
	*busy = add_clamped(*busy, self);
	if (w->series_at[step] != SIZE_MAX)
		x->step[w->series_at[step]] += self;
}

static void take_op(void *ctx, const struct step_op *o)
{
	struct core_scan *c = ctx;
	const struct scan *w = c->scan;
	size_t step;
	struct moment at;
	struct sum *x;
	uint32_t i;

	if (!o) {
		forget_sums(c);
		return;
	}
	step = c->rows->at[o->step];
	if (step == SIZE_MAX || w->used_at[step] == SIZE_MAX)
		return;
	i = sum_of(c, o->meta, o->track, o->event);
	x = &c->v[i];
	if (!c->summed) {
		add_runs(c, x, step, 1, o->self);
		at = (struct moment){ step, c->core, o->start, o->dur };
		if (is_before(&at, &x->first))
			x->first = at;
	}
	if (o->id != STEP_OP_NO_ID)
		VEC_ADD(c->meeting, c->nmeetings, c->meetings_cap,
		    (struct meeting){ o->id, o->dur, step, i, (uint32_t)c->core });
}

/* By number of a step in the message: the step that is used; SIZE_MAX: none. */
static size_t *steps_of_digest(const struct core_scan *c, const Pb__DigestRuns *m)
{
	const struct scan *w = c->scan;
	size_t nevents = w->in->dump->trace.tracks[c->rows->v[0].track].n;
	size_t *row = xcalloc(nevents + 1, sizeof *row), *step = xcalloc(m->n_step + 1, sizeof *step);

	for (size_t i = 0; i < c->rows->n; i++)
		if (c->rows->v[i].event < nevents)
			row[c->rows->v[i].event] = i + 1;
	for (size_t i = 0; i < m->n_step; i++) {
		size_t at = m->step[i] < nevents ? row[m->step[i]] : 0;

		step[i] = at ? c->rows->at[at - 1] : SIZE_MAX;
		if (step[i] != SIZE_MAX && w->used_at[step[i]] == SIZE_MAX)
			step[i] = SIZE_MAX;
	}
	free(row);
	return step;
}

static void take_digest_op(struct core_scan *c, const Pb__DigestRuns *m, size_t op, uint32_t meta,
    const size_t *step)
{
	struct sum *x = NULL;

	for (size_t i = 0; i < m->n_step; i++) {
		int64_t runs = m->runs[op * m->n_step + i];
		struct moment at;
		uint32_t at_sum;

		if (!runs || step[i] == SIZE_MAX)
			continue;
		at_sum = sum_of(c, meta, NONE, 0);
		x = &c->v[at_sum];
		add_runs(c, x, step[i], runs, m->self[op * m->n_step + i]);
		at = (struct moment){ step[i], c->core, m->start[op], m->duration[op] };
		if (is_before(&at, &x->first))
			x->first = at;
	}
	if (x)
		x->program = m->program[op];
}

/* A digest says what its ops took, in place of them. */
static void take_digest(struct core_scan *c)
{
	const struct dump *d = c->scan->in->dump;
	uint32_t plane = c->rows->v[0].plane;
	int file = d->trace.planes[plane].file;
	Pb__DigestRuns *m;
	size_t kinds, *step;
	uint32_t first;

	if (file < 0 || !d->files[file].digest)
		return;
	m = digest_runs(d, plane);
	c->summed = m && !m->left_out;
	c->no_ops = c->summed ? NULL : m ? "digest_sums" : "digest_old";
	if (c->summed) {
		first = digest_kinds(d, plane, &kinds);
		step = steps_of_digest(c, m);
		for (size_t i = 0; i < m->n_kind; i++)
			if (m->kind[i] < kinds)
				take_digest_op(c, m, i, first + m->kind[i], step);
		free(step);
	}
	if (m)
		pb__digest_runs__free_unpacked(m, NULL);
}

static void scan_core(void *ctx, size_t i)
{
	struct scan *w = ctx;
	struct core_scan *c = &w->core[i];

	if (c->rows->n)
		take_digest(c);
	step_ops_visit(w->in->dump, c->rows->v, c->rows->n, w->o->progress,
	    &(struct step_ops_visitor){ .visit = take_op, .ctx = c, .traffic = w->meets });
}

/* --- ops of all cores --- */

struct stats {
	struct side_op *op;
	struct sum *sum;
	struct side *s;
	struct slice text;
	const struct dump *d;
};

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct stats *x = ctx;
	const struct {
		const char *name;
		struct slice *to;
	} text[] = { { "tf_op", &x->op->tf_op }, { "source", &x->op->source },
		{ "shape_with_layout", &x->op->shape }, { "hlo_category", &x->op->category },
		{ "long_name", &x->text } };
	const struct {
		const char *name;
		double *to;
	} number[] = { { "flops", &x->op->flops }, { "bytes_accessed", &x->op->bytes } };

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (v->type == STAT_STR && stat_is(v, text[i].name) && !text[i].to->n)
			*text[i].to = (struct slice){ arena_strndup(&x->s->text, v->s, v->n), v->n };
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (stat_is(v, number[i].name))
			stat_number(v, number[i].to);
	return true;
}

static struct slice copy_text(struct side *s, struct slice t)
{
	return (struct slice){ arena_strndup(&s->text, t.s, t.n), t.n };
}

/* fused computations, reducers and the like have no part in it: "%name.1 = …" */
static bool is_remat(struct slice text, struct slice tf_op)
{
	const char *eq = slice_find(text, "=");
	struct slice name = { text.s, eq ? (size_t)(eq - text.s) : text.n };

	return slice_find(tf_op, "rematted_computation") || slice_find(name, ".remat");
}

/* The name of one of the first few programs, in order of their first ops; the others have none. */
static struct slice module_of(struct scan *w, uint64_t program)
{
	for (size_t i = 0; i < w->nmodules; i++)
		if (w->module[i].program == program)
			return w->module[i].name;
	if (w->nmodules == sizeof w->module / sizeof *w->module)
		return (struct slice){ "", 0 };
	w->module[w->nmodules].program = program;
	w->module[w->nmodules].name = copy_text(w->s, op_program_name(w->in->dump, program));
	return w->module[w->nmodules++].name;
}

static void describe_op(struct scan *w, struct sum *x, struct side_op *op)
{
	const struct dump *d = w->in->dump;
	const struct evmeta *m = &d->trace.metas[x->meta];
	struct stats stats = { .op = op, .sum = x, .s = w->s, .d = d };

	*op = (struct side_op){ .program = x->program,
		.runs = x->runs,
		.self = x->self,
		.wait = x->wait,
		.step = x->step,
		.step_wait = x->step_wait };
	op->name = copy_text(w->s, op_name_in(dump_text(d, m->name)));
	op->module = module_of(w, x->program);
	op->category = copy_text(w->s, dump_text(d, m->category));
	stats_of_meta(d, x->meta, take_stat, &stats);
	if (!m->len && x->track != NONE)
		stats_of_event(d, &d->trace.tracks[x->track], x->event, take_stat, &stats);
	if (m->full_len)
		stats.text = (struct slice){ m->full, m->full_len };
	op->signature = side_signature(stats.text);
	op->remat = is_remat(stats.text, op->tf_op);
	op->kind = part_of(w, x->meta);
	w->s->loose |= !op->signature;
}

/* Ops of one program and name are one, on whatever core. */
struct merge {
	struct sum *v;
	size_t n, cap;
	uint32_t *slot;
	size_t mask;
};

static void place_op(struct merge *m, uint32_t i)
{
	size_t k = hash_mix(m->v[i].program, m->v[i].name) & m->mask;

	while (m->slot[k])
		k = (k + 1) & m->mask;
	m->slot[k] = i + 1;
}

static struct sum *merged_op(struct merge *m, const struct sum *x)
{
	size_t k;

	if (!m->mask || m->n * 2 > m->mask) {
		free(m->slot);
		m->mask = m->mask ? m->mask * 2 + 1 : 255;
		m->slot = xcalloc(m->mask + 1, sizeof *m->slot);
		for (uint32_t i = 0; i < m->n; i++)
			place_op(m, i);
	}
	k = hash_mix(x->program, x->name) & m->mask;
	while (m->slot[k] &&
	    (m->v[m->slot[k] - 1].program != x->program || m->v[m->slot[k] - 1].name != x->name))
		k = (k + 1) & m->mask;
	if (m->slot[k])
		return &m->v[m->slot[k] - 1];
	VEC_PUSH(m->v, m->n, m->cap);
	m->v[m->n] = *x;
	m->v[m->n].runs = 0;
	m->slot[k] = (uint32_t)++m->n;
	return NULL;
}

static void add_values(int64_t **to, int64_t *more, size_t n)
{
	if (!more)
		return;
	for (size_t i = 0; *to && i < n; i++)
		(*to)[i] += more[i];
	if (*to)
		free(more);
	else
		*to = more;
}

static void merge_core(struct scan *w, struct merge *m, struct core_scan *c)
{
	const struct evmeta *metas = w->in->dump->trace.metas;

	for (uint32_t i = 0; i < c->n; i++) {
		struct sum *x = &c->v[i], *to;
		int64_t program = 0;

		if (!c->summed) {
			stat_meta_int(w->in->dump, x->meta, "program_id", &program);
			x->program = (uint64_t)program;
		}
		x->name = metas[x->meta].name;
		if ((to = merged_op(m, x))) {
			to->self = add_clamped(to->self, x->self);
			to->wait = add_clamped(to->wait, x->wait);
			to->first = is_before(&x->first, &to->first) ? x->first : to->first;
			/* a digest has the texts once */
			if (!metas[to->meta].full_len && metas[x->meta].full_len)
				to->meta = x->meta;
			add_values(&to->step, x->step, w->s->nseries);
			add_values(&to->step_wait, x->step_wait, w->s->nseries);
		} else {
			to = &m->v[m->n - 1];
		}
		x->op = (uint32_t)(to - m->v);
		to->runs += x->runs;
	}
}

/* --- waiting --- */

VEC_ORDER(by_meeting, struct meeting, UP(step) UP(id) UP(dur) UP(core) UP(sum));

/* What a run took longer than the shortest of the same collective on any core, it waited; unless the shortest may be
 * that of a core which is not here. */
static void part_waiting(struct scan *w)
{
	const struct evmeta *metas = w->in->dump->trace.metas;
	struct meeting *all = NULL;
	size_t n = 0, cap = 0;
	int64_t least = 0;

	for (size_t c = 0; c < w->s->ncores; c++)
		for (size_t i = 0; i < w->core[c].nmeetings; i++)
			if (!w->others[metas[w->core[c].v[w->core[c].meeting[i].sum].meta].name])
				VEC_ADD(all, n, cap, w->core[c].meeting[i]);
	VEC_SORT(all, n, by_meeting);
	for (size_t i = 0; i < n; i++) {
		struct sum *x = &w->core[all[i].core].v[all[i].sum];
		size_t at = w->series_at[all[i].step];

		if (!i || all[i].step != all[i - 1].step || all[i].id != all[i - 1].id)
			least = all[i].dur;
		x->wait = add_clamped(x->wait, all[i].dur - least);
		if (!x->step_wait)
			x->step_wait = xcalloc(w->s->nseries + 1, sizeof *x->step_wait);
		if (at != SIZE_MAX)
			x->step_wait[at] += all[i].dur - least;
	}
	free(all);
}

/* --- all of it --- */

static void know_kinds(struct scan *w)
{
	const struct trace *t = &w->in->dump->trace;

	w->ops = cut_ops_read(w->in->dump);
	w->others = xcalloc(w->in->dump->str.n + 1, sizeof *w->others);
	w->meets = xcalloc(t->nmetas + 1, 1);
	for (size_t i = 0; i < t->nmetas; i++) {
		struct slice category = dump_text(w->in->dump, t->metas[i].category);

		w->meets[i] = step_metric_of(category.s, category.n) == METRIC_COLLECTIVES;
		if (w->meets[i] && traffic_meets_others(w->in->dump, (uint32_t)i, w->s->ncores))
			w->others[t->metas[i].name] = true;
	}
}

/* Which steps are used, and which of those are in the rows of values: all, or some that are equally far apart. */
static void number_steps(struct scan *w)
{
	struct side *s = w->s;
	size_t u = 0, k = 0;

	w->used_at = xcalloc(s->nsteps + 1, sizeof *w->used_at);
	w->series_at = xcalloc(s->nsteps + 1, sizeof *w->series_at);
	for (size_t i = 0; i < s->nsteps; i++) {
		bool in = s->used[i] && k < s->nseries && u >= k * s->nused / s->nseries;

		w->series_at[i] = in ? k++ : SIZE_MAX;
		w->used_at[i] = s->used[i] ? u++ : SIZE_MAX;
	}
}

/* Sums up the own work of each core; ops are found by number, so this is done before they are sorted. */
static void make_busy(struct scan *w, const struct sum *op)
{
	for (size_t c = 0; c < w->s->ncores; c++)
		for (uint32_t i = 0; i < w->core[c].n; i++) {
			const struct sum *x = &w->core[c].v[i];
			enum part_kind k = part_of(w, op[x->op].meta);

			if (k == PART_OP || k == PART_HOST_TRANSFER)
				w->s->core[c].busy = add_clamped(w->s->core[c].busy, x->self);
		}
}

VEC_ORDER(by_first, struct sum, UP(first.step) UP(first.core) UP(first.start) DOWN(first.dur) UP(meta));

static void make_ops(struct scan *w)
{
	struct merge m = { .n = 0 };

	for (size_t c = 0; c < w->s->ncores; c++)
		merge_core(w, &m, &w->core[c]);
	make_busy(w, m.v);
	VEC_SORT(m.v, m.n, by_first);
	w->s->nops = m.n;
	w->s->op = xcalloc(m.n + 1, sizeof *w->s->op);
	for (size_t i = 0; i < m.n; i++) {
		describe_op(w, &m.v[i], &w->s->op[i]);
		w->s->op[i].order = i;
	}
	free(m.v);
	free(m.slot);
}

/* What a core's ops leave of its marker is idle, or they reach beyond it. */
static void make_idle(struct scan *w)
{
	struct side *s = w->s;

	s->idle_step = xcalloc(s->nseries + 1, sizeof *s->idle_step);
	for (size_t c = 0; c < s->ncores; c++) {
		const struct side_rows *r = w->core[c].rows;

		for (size_t i = 0; i < r->n; i++) {
			size_t step = r->at[i], at = step == SIZE_MAX ? SIZE_MAX : w->used_at[step];
			int64_t rest;

			if (at == SIZE_MAX)
				continue;
			rest = sub_clamped(r->v[i].dur, w->core[c].busy[at]);
			if (rest < 0)
				s->overhang = add_clamped(s->overhang, rest);
			else
				s->idle = add_clamped(s->idle, rest);
			if (rest > 0 && w->series_at[step] != SIZE_MAX)
				s->idle_step[w->series_at[step]] += rest;
		}
	}
}

void side_scan(const struct side_input *in, const struct side_options *o, const struct side_rows *rows,
    struct side *s)
{
	struct scan w = { .in = in, .o = o, .s = s, .core = xcalloc(s->ncores + 1, sizeof *w.core) };

	number_steps(&w);
	know_kinds(&w);
	for (size_t c = 0; c < s->ncores; c++)
		w.core[c] = (struct core_scan){ .scan = &w,
			.rows = &rows[c],
			.core = c,
			.busy = xcalloc(s->nused + 1, sizeof(int64_t)) };
	pool_run(o->threads > 0 ? o->threads : pool_default_threads(), s->ncores, scan_core, &w);
	for (size_t c = 0; c < s->ncores && !s->no_ops; c++)
		if ((s->no_ops = w.core[c].no_ops))
			side_warn(s, s->no_ops, in->dump->files[0].base);
	part_waiting(&w);
	make_idle(&w);
	make_ops(&w);
	for (size_t c = 0; c < s->ncores; c++) {
		free(w.core[c].v);
		free(w.core[c].slot);
		free(w.core[c].meeting);
		free(w.core[c].busy);
	}
	free(w.core);
	free(w.used_at);
	free(w.series_at);
	cut_ops_free(w.ops);
	free(w.others);
	free(w.meets);
}
