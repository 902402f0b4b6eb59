#include "config.h"
#include "analyze/trace/ties.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/sort.h"

#define LAUNCH_TYPE 12      /* context type of a host launch and its device module */
#define RUN_BITS 0x0fffffff /* the device keeps only these bits of a run_id */

static const char *const names[TIE_COUNT] = {
	[TIE_P] = "_p",
	[TIE_PT] = "_pt",
	[TIE_C] = "_c",
	[TIE_CT] = "_ct",
	[TIE_PID] = "_pid",
	[TIE_FLOW] = "flow",
	[TIE_ROOT] = "_r",
	[TIE_STEP_NUM] = "step_num",
	[TIE_ITER_NUM] = "iter_num",
	[TIE_GROUP] = "group_id",
	[TIE_RUN] = "run_id",
	[TIE_ORDINAL] = "device_ordinal",
	[TIE_CORRELATION] = "correlation_id",
	[TIE_OFFLOAD_CORE] = "offload_core_id",
	[TIE_OFFLOAD_START] = "tc_offload_start_id",
};

void ties_names_init(struct ties_names *t, const struct dump *d)
{
	t->n = d->str.n;
	t->kind = xcalloc(t->n + 1, 1);
	t->present = t->nids = 0;
	for (int i = 0; i < TIE_COUNT; i++) {
		strid id = strtab_find(&d->str, names[i], strlen(names[i]));

		if (id < t->n) {
			t->kind[id] = (uint8_t)(i + 1);
			t->present |= 1u << i;
			t->id[t->nids++] = id;
		}
	}
}

void ties_names_free(struct ties_names *t)
{
	free(t->kind);
	t->kind = NULL;
}

static int kind_of(const struct ties_names *t, const struct stat_value *v)
{
	if (v->name_id < t->n)
		return t->kind[v->name_id] - 1;
	for (int i = 0; v->name_id == UINT32_MAX && i < TIE_COUNT; i++)
		if (stat_is(v, names[i]))
			return i;
	return -1;
}

static bool integer_of_stat(const struct stat_value *v, int64_t *out)
{
	char text[24], *end;

	switch (v->type) {
	case STAT_INT:
	case STAT_UINT:
		*out = v->i;
		return true;
	case STAT_DOUBLE:
		*out = v->d >= -9e18 && v->d <= 9e18 ? (int64_t)v->d : 0;
		return true;
	case STAT_STR:
		if (!v->n || v->n >= sizeof text)
			return false;
		memcpy(text, v->s, v->n);
		text[v->n] = 0;
		*out = *text == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
		return !*end;
	default:
		return false;
	}
}

struct reading {
	const struct ties_names *names;
	struct ties *out;
};

static bool read_one(void *ctx, const struct stat_value *v)
{
	const struct reading *r = ctx;
	int k = kind_of(r->names, v);

	if (k >= 0 && !(r->out->has & 1u << k) && integer_of_stat(v, &r->out->v[k]))
		r->out->has |= 1u << k;
	return true;
}

void ties_open(struct ties_reader *r, const struct ties_names *names_, const struct dump *d,
    const struct track *t)
{
	r->names = names_;
	r->quick = stats_ints_are_quick(d, t);
	stat_ints_open(&r->ints, d, t, names_->id, names_->nids);
}

bool ties_read(struct ties_reader *r, size_t i, struct ties *out)
{
	struct reading reading = { r->names, out };
	int64_t any[TIE_COUNT];

	out->has = 0;
	/* Most events have none of them, which is cheap to find out. */
	if (r->quick && !stat_ints_read(&r->ints, i, any))
		return false;
	stats_of_event(r->ints.dump, r->ints.track, i, read_one, &reading);
	return out->has != 0;
}

static void add_end(struct tie_ends *e, const struct tie_end *end)
{
	VEC_ADD(e->v, e->n, e->cap, *end);
}

void tie_ends_add(struct tie_ends *e, const struct dump *d, uint32_t track, size_t event,
    const struct ties *t)
{
	const struct plane *p = &d->trace.planes[d->trace.tracks[track].plane];
	struct tie_end end = { .track = track, .event = event };

	for (int side = 0; side < 2; side++) {
		enum tie id = side ? TIE_C : TIE_P, type = side ? TIE_CT : TIE_PT;

		if (!TIE_HAS(t, id))
			continue;
		end.producer = !side;
		end.key = (uint64_t)t->v[id];
		if (TIE_HAS(t, TIE_PID))
			end.key = hash_mix(end.key, (uint64_t)t->v[TIE_PID]);
		end.host_type =
		    (uint32_t)(p->host + 1) << 8 | (TIE_HAS(t, type) ? (uint32_t)t->v[type] & 255 : 0);
		add_end(e, &end);
	}
}

void tie_ends_add_launch(struct tie_ends *e, const struct dump *d, uint32_t track, size_t event,
    const struct ties *t)
{
	const struct track *k = &d->trace.tracks[track];
	const struct plane *p = &d->trace.planes[k->plane];
	struct slice name = dump_text(d, d->trace.metas[track_meta(k, event)].name);
	struct tie_end end = { .track = track,
		.event = event,
		.producer = p->kind == PLANE_HOST,
		.host_type = (uint32_t)(p->host + 1) << 8 | LAUNCH_TYPE };
	int64_t core;

	if (!TIE_HAS(t, TIE_RUN))
		return;
	if (p->kind == PLANE_TPU && k->role == TRACK_MODULES && !TIE_HAS(t, TIE_C))
		core = p->core;
	else if (end.producer && TIE_HAS(t, TIE_ORDINAL) && slice_begins(name, TIE_LAUNCHER) &&
	    !TIE_HAS(t, TIE_P))
		core = t->v[TIE_ORDINAL];
	else
		return;
	end.key = (uint64_t)core << 32 | ((uint64_t)t->v[TIE_RUN] & RUN_BITS);
	add_end(e, &end);
}

VEC_ORDER(by_key, struct tie_end, UP(key) UP(host_type) DOWN(producer) UP(track) UP(event));

static bool same_key(const struct tie_end *a, const struct tie_end *b)
{
	return a->key == b->key && a->host_type == b->host_type;
}

bool tie_ends_by_key(struct tie_ends *e, void (*fn)(void *, const struct tie_end *, size_t, size_t),
    void *ctx, size_t *skipped, const struct progress *progress)
{
	if (!sort_items(e->v, e->n, sizeof *e->v, by_key, progress))
		return false;
	for (size_t a = 0, c, end; a < e->n; a = end) {
		if (progress_canceled(progress))
			return false;
		for (c = a; c < e->n && same_key(&e->v[a], &e->v[c]) && e->v[c].producer; c++)
			;
		for (end = c; end < e->n && same_key(&e->v[a], &e->v[end]); end++)
			;
		if ((c - a >= TIE_FAN_MAX && end - c >= TIE_FAN_MAX) ||
		    (end - c && c - a > (1u << 20) / (end - c)))
			*(skipped ? skipped : &(size_t){ 0 }) += 1;
		else if (c > a && end > c)
			fn(ctx, &e->v[a], c - a, end - a);
	}
	return true;
}

struct joining {
	void (*fn)(void *ctx, const struct tie_end *from, const struct tie_end *to);
	void *ctx;
};

static void join_all(void *ctx, const struct tie_end *v, size_t producers, size_t n)
{
	const struct joining *j = ctx;

	for (size_t p = 0; p < producers; p++)
		for (size_t q = producers; q < n; q++)
			j->fn(j->ctx, &v[p], &v[q]);
}

bool tie_ends_join(struct tie_ends *e, void (*fn)(void *, const struct tie_end *, const struct tie_end *),
    void *ctx, size_t *skipped, const struct progress *progress)
{
	return tie_ends_by_key(e, join_all, &(struct joining){ fn, ctx }, skipped, progress);
}
