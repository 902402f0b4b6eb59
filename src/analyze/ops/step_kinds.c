#include "config.h"
#include "analyze/ops/internal.h"

#include <stdlib.h>

#include "analyze/ops/runs.h"
#include "base/hash.h"

/* An op of one program: kind -1 if it states no category, or that of its name. */
struct stated {
	uint32_t program, meta;
	int kind;
	bool used;
};

struct step_kinds {
	const struct dump *dump;
	struct op_runs runs;
	struct stated *v; /* a hash table with open addressing */
	size_t n, mask;
};

struct step_kinds *step_kinds_new(const struct dump *d, uint32_t plane)
{
	int file = d->trace.planes[plane].file;
	struct step_kinds *k;

	if (file < 0 || !file_is_converted(&d->files[file]))
		return NULL;
	k = xcalloc(1, sizeof *k);
	k->dump = d;
	op_runs_find(d, plane, &k->runs);
	if (k->runs.nprograms > 2) /* the first is that of ops outside of all runs */
		return k;
	step_kinds_free(k);
	return NULL;
}

static struct stated *place_of(struct stated *v, size_t mask, uint32_t program, uint32_t meta)
{
	size_t i = hash_mix(program, meta) & mask;

	while (v[i].used && (v[i].program != program || v[i].meta != meta))
		i = (i + 1) & mask;
	return &v[i];
}

static void make_room(struct step_kinds *k)
{
	size_t mask = k->mask ? k->mask * 2 + 1 : 255;
	struct stated *v;

	if (k->v && k->n * 2 < k->mask)
		return;
	v = xcalloc(mask + 1, sizeof *v);
	for (size_t i = 0; k->v && i <= k->mask; i++)
		if (k->v[i].used)
			*place_of(v, mask, k->v[i].program, k->v[i].meta) = k->v[i];
	free(k->v);
	k->v = v;
	k->mask = mask;
}

struct category {
	struct slice name_of_meta;
	int kind;
};

static bool take_category(void *ctx, const struct stat_value *v)
{
	struct category *c = ctx;
	struct slice category = { v->s, v->n };

	if (v->type != STAT_STR || !stat_is(v, "hlo_category"))
		return true;
	if (!slice_same(category, c->name_of_meta))
		c->kind = (int)step_kind_of(category.s, category.n);
	return false;
}

static int kind_stated(const struct step_kinds *k, const struct step_op *o)
{
	struct category c = { dump_text(k->dump, k->dump->trace.metas[o->meta].category), -1 };

	stats_of_event(k->dump, &k->dump->trace.tracks[o->track], o->event, take_category, &c);
	return c.kind;
}

void step_kinds_of(struct step_kinds *k, const struct step_op *o, unsigned *kind, enum time_kind *time)
{
	uint32_t program = op_runs_program(&k->runs, k->runs.device ? o->start : o->plain_start);
	struct stated *s;

	make_room(k);
	s = place_of(k->v, k->mask, program, o->meta);
	if (!s->used) {
		*s = (struct stated){ program, o->meta, kind_stated(k, o), true };
		k->n++;
	}
	if (s->kind < 0)
		return;
	*kind = (unsigned)s->kind;
	*time = step_metric_info[s->kind & STEP_KIND_METRIC].kind;
}

void step_kinds_free(struct step_kinds *k)
{
	if (!k)
		return;
	op_runs_free(&k->runs);
	free(k->v);
	free(k);
}
