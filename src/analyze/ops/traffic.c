#include "config.h"
#include "analyze/ops/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/step_metric.h"
#include "analyze/hlo/groups.h"
#include "analyze/hlo/shape.h"
#include "base/bisect.h"
#include "base/text/digit.h"

/* A kind of event on one plane; kinds of the same op are brought together. */
struct kind {
	uint64_t program;
	strid name;
	uint32_t meta;
};

VEC_ORDER(by_op, struct kind, UP(program) UP(name) UP(meta));

struct slice traffic_list(const struct traffic_op *o, const char *key)
{
	return hlo_text_list((struct slice){ o->text, o->len }, key);
}

bool traffic_is_async(struct slice name)
{
	return slice_begins(name, "async-collective-start") || slice_begins(name, "async-collective-done");
}

static int64_t channel_of(const struct traffic_op *o)
{
	static const char key[] = "channel_id=";
	const char *at = memmem(o->text, o->len, key, strlen(key)), *end = o->text + o->len;
	int64_t v = 0;

	if (!at || (at += strlen(key)) == end || *at < '0' || *at > '9')
		return TRAFFIC_ID_NONE;
	for (; at < end && is_digit(*at) && v < INT64_MAX / 16; at++)
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

/* An asynchronous op returns a tuple of its operand, its result, and internal values. */
uint64_t traffic_bytes(const struct traffic_op *o, bool sent)
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

/* Finds the op that began a transfer: "collective-permute-done(… %collective-permute-start.3)". */
static uint32_t begin_of(const struct traffic *p, const struct traffic_op *o)
{
	size_t lo;
	strid name;
	const char *at = o->text ? memrchr(o->text, '%', o->len) : NULL, *s;

	if (!at)
		return TRAFFIC_NONE;
	for (s = at + 1; s < o->text + o->len && *s != ')' && *s != ',' && *s != ' ';)
		s++;
	name = strtab_find(&p->dump->str, at + 1, (size_t)(s - at - 1));
	BISECT(lo, p->nops, /* ops are in order of program and name */
	    p->op[lo].program < o->program || (p->op[lo].program == o->program && p->op[lo].name < name));
	return lo < p->nops && p->op[lo].program == o->program && p->op[lo].name == name &&
		p->op[lo].roles & TRAFFIC_BEGIN
	    ? (uint32_t)lo
	    : TRAFFIC_NONE;
}

static unsigned roles_of(const struct dump *d, const struct evmeta *m)
{
	unsigned roles = traffic_roles(dump_text(d, m->category));

	return roles || !traffic_is_async(dump_text(d, m->name)) ? roles : TRAFFIC_COLLECTIVE;
}

static void add_op(struct traffic *p, size_t *cap, const struct kind *k)
{
	const struct evmeta *m = &p->dump->trace.metas[k->meta];
	const struct strtab *str = &p->dump->str;
	struct traffic_op o = { .program = k->program,
		.name = k->name,
		.category = m->category,
		.begin = TRAFFIC_NONE };

	o.text = m->full ? m->full : strtab_str(str, m->name);
	o.len = m->full ? m->full_len : strtab_len(str, m->name);
	o.roles = roles_of(p->dump, m);
	o.channel = channel_of(&o);
	VEC_ADD(p->op, p->nops, *cap, o);
}

/* Kinds of a converted trace are of no plane; the category is one that only ops of a device have. */
static bool may_be_op(const struct dump *d, const struct evmeta *m)
{
	if (m->plane < d->trace.nplanes)
		return d->trace.planes[m->plane].kind == PLANE_TPU;
	return m->file >= 0 && file_is_converted(&d->files[m->file]);
}

static void find_ops(struct traffic *p)
{
	const struct trace *t = &p->dump->trace;
	struct kind *v = NULL;
	size_t n = 0, cap = 0, ops_cap = 0;

	p->of_meta = xcalloc(t->nmetas + 1, sizeof *p->of_meta);
	for (uint32_t i = 0; i < t->nmetas; i++) {
		const struct evmeta *m = &t->metas[i];
		int64_t program = 0;

		p->of_meta[i] = TRAFFIC_NONE;
		if (!may_be_op(p->dump, m) || !roles_of(p->dump, m))
			continue;
		stat_meta_int(p->dump, i, "program_id", &program);
		VEC_ADD(v, n, cap, (struct kind){ (uint64_t)program, m->name, i });
	}
	VEC_SORT(v, n, by_op);
	for (size_t i = 0; i < n; i++) {
		if (!i || v[i].program != v[i - 1].program || v[i].name != v[i - 1].name)
			add_op(p, &ops_cap, &v[i]);
		p->of_meta[v[i].meta] = (uint32_t)(p->nops - 1);
	}
	free(v);
	for (size_t i = 0; i < p->nops; i++)
		if (p->op[i].roles & TRAFFIC_END && !(p->op[i].roles & TRAFFIC_BEGIN))
			p->op[i].begin = begin_of(p, &p->op[i]);
}

VEC_ORDER(by_step, struct traffic_run, UP(at->step) UP(op) UP(core) UP(at->start));

/* A counting sort by op.  `place` first counts the runs of each op, then has the index of its next run. */
static size_t deal_some(struct traffic *p, const struct step_cores *s, const size_t *from, const size_t *to,
    size_t *place, size_t at)
{
	size_t first = at;
	bool sorted = true;

	memset(place, 0, p->nops * sizeof *place);
	for (size_t i = 0; i < s->ncores; i++)
		for (size_t k = from[i]; k < to[i]; k++)
			if (p->of_meta[s->core[i].run[k].meta] != TRAFFIC_NONE)
				place[p->of_meta[s->core[i].run[k].meta]]++;
	for (size_t k = 0; k < p->nops; k++) {
		size_t n = place[k];

		place[k] = at;
		at += n;
	}
	for (size_t i = 0; i < s->ncores; i++)
		for (size_t k = from[i]; k < to[i]; k++) {
			const struct step_run *r = &s->core[i].run[k];
			uint32_t op = p->of_meta[r->meta];

			if (op != TRAFFIC_NONE)
				p->run[place[op]++] = (struct traffic_run){ r, op, (uint32_t)i };
		}
	for (size_t i = first + 1; i < at && sorted; i++)
		sorted = by_step(&p->run[i - 1], &p->run[i]) <= 0;
	if (!sorted)
		qsort(p->run + first, at - first, sizeof *p->run, by_step);
	return at;
}

/* Runs come sorted by core and time, so after sorting by step and op they keep that order. */
static void deal_out(struct traffic *p, const struct step_cores *s)
{
	size_t *from = xcalloc(2 * s->ncores + 1, sizeof *from), *to = from + s->ncores;
	size_t *place = xcalloc(p->nops + 1, sizeof *place);

	p->nruns = 0;
	while (step_cores_next(s, from, to))
		p->nruns = deal_some(p, s, from, to, place, p->nruns);
	free(from);
	free(place);
}

void traffic_read(const struct dump *d, const struct step_cores *cores, struct traffic *p)
{
	*p = (struct traffic){ .dump = d };
	find_ops(p);
	for (size_t i = 0; i < cores->ncores; i++)
		p->nruns += cores->core[i].nruns;
	p->run = xcalloc(p->nruns + 1, sizeof *p->run);
	deal_out(p, cores);
}

bool traffic_meets_others(const struct dump *d, uint32_t meta, size_t ncores)
{
	const struct evmeta *m = &d->trace.metas[meta];
	struct hlo_group_size size = { .known = false };
	struct arena text = { 0 };

	if (m->full_len)
		hlo_groups(&text, hlo_text_list((struct slice){ m->full, m->full_len }, "replica_groups="),
		    &size);
	arena_free(&text);
	return size.known && size.devices > ncores;
}

void traffic_free(struct traffic *p)
{
	free(p->op);
	free(p->of_meta);
	free(p->run);
	*p = (struct traffic){ 0 };
}
