#include "config.h"
#include "analyze/pod_part.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/clock.h"
#include "analyze/shape.h"
#include "base/pool.h"

#define PIECE 4096

static bool is_one_of(const char *s, size_t n, const char *const *v)
{
	for (; *v; v++)
		if (strlen(*v) == n && !memcmp(*v, s, n))
			return true;
	return false;
}

static bool ends_in(const char *s, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n >= k && !memcmp(s + n - k, end, k);
}

static unsigned roles_of(const char *s, size_t n)
{
	static const char *const begin[] = { "send", NULL }, *const end[] = { "recv-done", NULL };
	unsigned roles = step_metric_of(s, n) == METRIC_COLLECTIVES ? POD_COLLECTIVE : 0;

	if (is_one_of(s, n, begin))
		return POD_BEGIN;
	if (is_one_of(s, n, end))
		return POD_END;
	if (roles && n >= 18 && !memcmp(s, "collective-permute", 18))
		roles |= ends_in(s, n, "-start")  ? POD_BEGIN
			 : ends_in(s, n, "-done") ? POD_END
						  : POD_BEGIN | POD_END;
	return roles;
}

bool pod_is_traffic(struct optext category)
{
	return roles_of(category.s, category.n) != 0;
}

/* A kind of event on one plane, to find those of the same op. */
struct kind {
	uint64_t program;
	strid name;
	uint32_t meta;
};

static int by_op(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	if (x->program != y->program)
		return x->program < y->program ? -1 : 1;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->meta > y->meta) - (x->meta < y->meta);
}

struct optext pod_op_list(const struct pod_op *o, const char *key)
{
	const char *at = memmem(o->text, o->len, key, strlen(key)), *end = o->text + o->len, *s;
	int depth = 0;

	if (!at)
		return (struct optext){ "", 0 };
	at += strlen(key);
	at += at < end && *at == '"';
	for (s = at; s < end; s++) {
		depth += *s == '{';
		depth -= *s == '}';
		if (depth <= 0 && *s == '}')
			return (struct optext){ at, (size_t)(s - at) + 1 };
		/* attributes are parted by ", ", their parts by "," */
		if (!depth && *s == ',' && s + 1 < end && s[1] == ' ')
			return (struct optext){ at, (size_t)(s - at) };
	}
	return (struct optext){ at, (size_t)(s - at) };
}

static int64_t channel_of(const struct pod_op *o)
{
	static const char key[] = "channel_id=";
	const char *at = memmem(o->text, o->len, key, strlen(key)), *end = o->text + o->len;
	int64_t v = 0;

	if (!at || (at += strlen(key)) == end || *at < '0' || *at > '9')
		return POD_ID_NONE;
	for (; at < end && *at >= '0' && *at <= '9' && v < INT64_MAX / 16; at++)
		v = v * 10 + (*at - '0');
	return v;
}

static uint64_t size_of(const struct shape *s)
{
	int64_t n = shape_is_array(s) ? shape_unpadded(s) : 0;
	uint64_t sum = n > 0 ? (uint64_t)n : 0;

	for (size_t i = 0; s->type == SHAPE_TUPLE && i < s->nsub; i++)
		sum += size_of(&s->sub[i]);
	return sum;
}

/* An asynchronous op returns its operand, its result and marks of its own. */
uint64_t pod_op_bytes(const struct pod_op *o, bool sent)
{
	const char *at = memmem(o->text, o->len, " = ", 3);
	struct arena a = { 0 };
	struct shape s;
	uint64_t n = 0;

	if (at && shape_parse(&a, at + 3, o->len - (size_t)(at + 3 - o->text), &s)) {
		bool async = s.type == SHAPE_TUPLE && s.nsub > 1 &&
			     (sent || memmem(at, o->len - (size_t)(at - o->text), "-start(", 7));

		n = size_of(async ? &s.sub[sent ? 0 : 1] : &s);
	}
	arena_free(&a);
	return n;
}

/* "collective-permute-done(… %collective-permute-start.3)": the op that began it */
static uint32_t begin_of(const struct pod_ops *p, const struct pod_op *o)
{
	struct optext name;
	const char *at = o->text ? memrchr(o->text, '%', o->len) : NULL, *s;

	if (!at)
		return POD_OP_NONE;
	for (s = at + 1; s < o->text + o->len && *s != ')' && *s != ',' && *s != ' ';)
		s++;
	name = (struct optext){ at + 1, (size_t)(s - at - 1) };
	for (size_t i = 0; i < p->nops; i++)
		if (p->op[i].program == o->program && p->op[i].roles & POD_BEGIN &&
		    strtab_len(&p->dump->str, p->op[i].name) == name.n &&
		    !memcmp(strtab_str(&p->dump->str, p->op[i].name), name.s, name.n))
			return (uint32_t)i;
	return POD_OP_NONE;
}

static void add_op(struct pod_ops *p, size_t *cap, const struct kind *k)
{
	const struct evmeta *m = &p->dump->trace.metas[k->meta];
	const struct strtab *str = &p->dump->str;
	struct pod_op o = {
		.program = k->program, .name = k->name, .category = m->category, .begin = POD_OP_NONE
	};

	o.text = m->full ? m->full : strtab_str(str, m->name);
	o.len = m->full ? m->full_len : strtab_len(str, m->name);
	o.roles = roles_of(strtab_str(str, m->category), strtab_len(str, m->category));
	o.channel = channel_of(&o);
	VEC_PUSH(p->op, p->nops, *cap);
	p->op[p->nops++] = o;
}

static void find_ops(struct pod_ops *p)
{
	const struct trace *t = &p->dump->trace;
	struct kind *v = NULL;
	size_t n = 0, cap = 0, ops_cap = 0;

	p->of_meta = xcalloc(t->nmetas + 1, sizeof *p->of_meta);
	for (uint32_t i = 0; i < t->nmetas; i++) {
		const struct evmeta *m = &t->metas[i];
		int64_t program = 0;

		p->of_meta[i] = POD_OP_NONE;
		if (m->plane >= t->nplanes || t->planes[m->plane].kind != PLANE_TPU ||
		    !roles_of(strtab_str(&p->dump->str, m->category), strtab_len(&p->dump->str, m->category)))
			continue;
		stat_meta_int(p->dump, i, "program_id", &program);
		VEC_PUSH(v, n, cap);
		v[n++] = (struct kind){ (uint64_t)program, m->name, i };
	}
	if (n)
		qsort(v, n, sizeof *v, by_op);
	for (size_t i = 0; i < n; i++) {
		if (!i || v[i].program != v[i - 1].program || v[i].name != v[i - 1].name)
			add_op(p, &ops_cap, &v[i]);
		p->of_meta[v[i].meta] = (uint32_t)(p->nops - 1);
	}
	free(v);
	for (size_t i = 0; i < p->nops; i++)
		if (p->op[i].roles & POD_END && !(p->op[i].roles & POD_BEGIN))
			p->op[i].begin = begin_of(p, &p->op[i]);
}

struct job {
	struct pod_run *v;
	size_t n, cap;
};

struct reader {
	struct pod_ops *ops;
	const struct steps *steps;
	const struct step_cores *cores;
	struct clock_names names;
	strid unique;
	struct job *job;
	struct progress *progress;
};

struct unique {
	strid name;
	int64_t id;
};

static bool take_unique(void *ctx, const struct stat_value *v)
{
	struct unique *u = ctx;

	if (v->name_id != u->name)
		return true;
	u->id = v->i;
	return false;
}

static uint32_t step_at(const struct reader *r, uint32_t plane, int64_t from, int64_t to)
{
	const struct step *s = steps_at(r->steps, r->ops->dump, plane, from);
	size_t a = 0, b = r->cores->nsteps;

	if (!s && to > from)
		s = steps_at(r->steps, r->ops->dump, plane, to - 1);
	while (s && a < b) {
		size_t m = a + (b - a) / 2;

		if (r->cores->step[m].id < s->id)
			a = m + 1;
		else
			b = m;
	}
	return s && a < r->cores->nsteps && r->cores->step[a].id == s->id ? (uint32_t)a : UINT32_MAX;
}

static void add_run(const struct reader *r, size_t core, const struct track *t, size_t i)
{
	const struct dump *d = r->ops->dump;
	struct job *j = &r->job[core];
	struct unique u = { r->unique, POD_ID_NONE };
	struct pod_run run = { .op = r->ops->of_meta[t->meta[i]], .core = (uint32_t)core };
	int64_t offset;

	run.step = step_at(r, t->plane, t->start[i], t->start[i] + t->dur[i]);
	if (run.step == UINT32_MAX)
		return;
	clock_plain(d, t, i, &run.start, &run.dur);
	run.end = run.start + run.dur;
	clock_pair(d, &r->names, t, i, &offset, &run.dur);
	if (r->unique != UINT32_MAX)
		stats_of_event(d, t, i, take_unique, &u);
	run.id = u.id;
	VEC_PUSH(j->v, j->n, j->cap);
	j->v[j->n++] = run;
}

static void read_core(void *ctx, size_t core)
{
	struct reader *r = ctx;
	const struct trace *trace = &r->ops->dump->trace;
	const uint32_t *of_meta = r->ops->of_meta;

	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(trace, r->cores->core[core].plane, k)) < trace->ntracks;) {
		const struct track *t = &trace->tracks[k];

		if (t->role != TRACK_OPS || t->file < 0)
			continue;
		for (size_t i = 0; i < t->n; i++) {
			if (i % PIECE == 0 && progress_cancelled(r->progress))
				return;
			if (of_meta[t->meta[i]] != POD_OP_NONE)
				add_run(r, core, t, i);
		}
	}
}

static int by_step(const void *a, const void *b)
{
	const struct pod_run *x = a, *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

#define KEYS_MAX (1u << 24)

/* Runs come by core and time, so those of a step and op stay in order when they are dealt out to it. */
static bool deal_out(struct pod_ops *p, size_t nsteps)
{
	size_t keys = p->nops * nsteps, at = 0;
	struct pod_run *to;
	uint32_t *place;

	if (!keys || keys > KEYS_MAX || p->nruns > UINT32_MAX)
		return false;
	place = xcalloc(keys + 1, sizeof *place);
	to = xcalloc(p->nruns + 1, sizeof *to);
	for (size_t i = 0; i < p->nruns; i++)
		place[p->run[i].step * p->nops + p->run[i].op]++;
	for (size_t k = 0; k < keys; k++) {
		size_t n = place[k];

		place[k] = (uint32_t)at;
		at += n;
	}
	for (size_t i = 0; i < p->nruns; i++)
		to[place[p->run[i].step * p->nops + p->run[i].op]++] = p->run[i];
	free(place);
	free(p->run);
	p->run = to;
	for (size_t i = 1; i < p->nruns; i++)
		if (by_step(&to[i - 1], &to[i]) > 0)
			return false;
	return true;
}

void pod_ops_read(const struct dump *d, const struct steps *steps, const struct step_cores *cores,
    int threads, struct progress *progress, struct pod_ops *p)
{
	struct reader r = { p, steps, cores, clock_names_of(d),
		strtab_find(&d->str, "all_reduce_unique_id", 20), NULL, progress };

	*p = (struct pod_ops){ .dump = d };
	find_ops(p);
	r.job = xcalloc(cores->ncores + 1, sizeof *r.job);
	if (p->nops)
		pool_run(threads > 0 ? threads : pool_default_threads(), cores->ncores, read_core, &r);
	for (size_t i = 0; i < cores->ncores; i++)
		p->nruns += r.job[i].n;
	p->run = xcalloc(p->nruns + 1, sizeof *p->run);
	p->nruns = 0;
	for (size_t i = 0; i < cores->ncores; i++) {
		if (r.job[i].n)
			memcpy(p->run + p->nruns, r.job[i].v, r.job[i].n * sizeof *p->run);
		p->nruns += r.job[i].n;
		free(r.job[i].v);
	}
	free(r.job);
	if (p->nruns && !deal_out(p, cores->nsteps))
		qsort(p->run, p->nruns, sizeof *p->run, by_step);
}

void pod_ops_free(struct pod_ops *p)
{
	free(p->op);
	free(p->of_meta);
	free(p->run);
	*p = (struct pod_ops){ 0 };
}
