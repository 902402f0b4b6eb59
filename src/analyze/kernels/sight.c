#include "config.h"
#include "analyze/kernels/internal.h"

#include <string.h>

#include "base/mem.h"

#define NO_NAME (UINT32_MAX - 1)

static const char *const names[SIGHT_STATS] = {
	[SIGHT_DETAILS] = "kernel_details",
	[SIGHT_TF_OP] = "tf_op",
	[SIGHT_HLO_OP] = "hlo_op",
	[SIGHT_ANNOTATION] = "annotation",
	[SIGHT_COPY] = "memcpy_details",
	[SIGHT_BLOCK] = "block",
	[SIGHT_GRID] = "grid",
	[SIGHT_PROGRAM] = "program_id",
	[SIGHT_REGISTERS] = "registers per thread",
	[SIGHT_SHARED] = "shared memory",
	[SIGHT_EXTERNAL] = "External id",
	[SIGHT_OCCUPANCY] = "est. achieved occupancy %",
	[SIGHT_THEORETICAL] = "theoretical_occupancy_pct",
};

void sight_begin(struct sight *s, const struct dump *d)
{
	*s = (struct sight){ .dump = d };
	for (int i = 0; i < SIGHT_STATS; i++) {
		s->id[i] = strtab_find(&d->str, names[i], strlen(names[i]));
		s->id[i] = s->id[i] == UINT32_MAX ? NO_NAME : s->id[i];
	}
	s->cat_kernel = strtab_find(&d->str, "kernel", 6);
	s->cat_copy = strtab_find(&d->str, "gpu_memcpy", 10);
}

void sight_end(struct sight *s)
{
	for (int i = 0; i < SIGHT_TEXTS; i++)
		free(s->text[i].s);
}

static void keep_text(struct sight *s, int k, const struct stat_value *v)
{
	if (v->type < STAT_STR)
		return;
	if (v->n > s->text[k].cap) {
		s->text[k].cap = v->n * 2;
		s->text[k].s = xrealloc(s->text[k].s, s->text[k].cap, 1);
	}
	if (v->n)
		memcpy(s->text[k].s, v->s, v->n);
	s->text[k].n = v->n;
	s->has |= 1u << k;
}

static void keep_number(struct sight *s, int k, const struct stat_value *v)
{
	if (!stat_number(v, &s->number[k]))
		return;
	if (!stat_whole(v, &s->whole[k]))
		s->whole[k] = 0;
	s->has |= 1u << k;
}

static bool keep(void *ctx, const struct stat_value *v)
{
	struct sight *s = ctx;

	for (int k = 0; k < SIGHT_STATS; k++) {
		if (v->name_id != s->id[k] && (v->name_id != UINT32_MAX || !stat_is(v, names[k])))
			continue;
		if (SIGHT_HAS(s, k))
			break;
		if (k < SIGHT_TEXTS)
			keep_text(s, k, v);
		else
			keep_number(s, k, v);
		break;
	}
	return true;
}

/* The event's own stats come before those of its kind. */
enum sight_kind sight_read(struct sight *s, const struct track *t, size_t i)
{
	const struct evmeta *m = &s->dump->trace.metas[track_meta(t, i)];
	bool torch = m->category && (m->category == s->cat_kernel || m->category == s->cat_copy);

	s->has = 0;
	stats_of_event(s->dump, t, i, keep, s);
	if (torch)
		return m->category == s->cat_kernel ? SIGHT_KERNEL : SIGHT_COPIES;
	stats_of_meta(s->dump, track_meta(t, i), keep, s);
	if (SIGHT_HAS(s, SIGHT_DETAILS) && s->text[SIGHT_DETAILS].n)
		return SIGHT_KERNEL;
	return SIGHT_HAS(s, SIGHT_COPY) ? SIGHT_COPIES : SIGHT_OTHER;
}

struct slice sight_text(const struct sight *s, enum sight_stat k)
{
	return SIGHT_HAS(s, k) ? (struct slice){ s->text[k].s, s->text[k].n } : (struct slice){ "", 0 };
}

static uint32_t small(const struct sight *s, enum sight_stat k)
{
	return SIGHT_HAS(s, k) && s->whole[k] > 0 && s->whole[k] <= UINT32_MAX ? (uint32_t)s->whole[k] : 0;
}

void sight_shape(const struct sight *s, struct kernel_shape *shape, double *occupancy)
{
	*shape = KERNEL_SHAPE;
	*occupancy = 0;
	if (!SIGHT_HAS(s, SIGHT_DETAILS)) {
		memset(shape->block, 0, sizeof shape->block);
		memset(shape->grid, 0, sizeof shape->grid);
	}
	kernel_details(sight_text(s, SIGHT_DETAILS), shape, occupancy);
	kernel_dims(sight_text(s, SIGHT_BLOCK), shape->block);
	kernel_dims(sight_text(s, SIGHT_GRID), shape->grid);
	if (SIGHT_HAS(s, SIGHT_REGISTERS))
		shape->registers = small(s, SIGHT_REGISTERS);
	if (SIGHT_HAS(s, SIGHT_SHARED))
		shape->dynamic_shared = small(s, SIGHT_SHARED);
	for (enum sight_stat k = SIGHT_OCCUPANCY; k <= SIGHT_THEORETICAL; k++)
		if (SIGHT_HAS(s, k) && s->number[k] > 0 && s->number[k] <= 100)
			*occupancy = s->number[k];
}
