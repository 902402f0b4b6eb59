#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memprof/internal.h"
#include "base/clamp.h"

/* What was in memory at the peak, by how long it lives.  Unlike the table `active`, which is XProf's, all
 * events of the capture are followed, whatever their step. */
struct at_address {
	uint64_t address;
	size_t event;
};

VEC_ORDER(by_address, struct at_address, UP(address) UP(event));

/* An allocation that was there at the peak. */
struct alive {
	enum memprof_life life;
	const struct memory_event *event;
	double held;
};

struct living {
	struct alive *v;
	size_t n, cap;
	int64_t explained; /* bytes */
};

static const char *const life_name[LIFE_COUNT] = { "earlier", "reserved", "kept", "freed" };

/* Events at one address: the last one up to the peak says whether something was there, and the next one when
 * it ended. */
static void follow_address(const struct memory_device *m, const struct at_address *at, size_t n,
    struct living *l)
{
	const struct memory_event *e;
	size_t i = 0;
	bool ends;

	while (i < n && at[i].event <= m->peak)
		i++;
	if (!i || m->v[at[i - 1].event].freed)
		return;
	e = &m->v[at[i - 1].event];
	ends = i < n;
	VEC_ADD(l->v, l->n, l->cap,
	    (struct alive){ ends ? LIFE_FREED : LIFE_KEPT, e,
		(double)m->v[ends ? at[i].event : m->n - 1].t - (double)e->t });
	l->explained = add_clamped(l->explained, e->allocated);
}

static void find_living(const struct memory_device *m, struct living *l)
{
	struct at_address *at = xcalloc(m->n + 1, sizeof *at);

	for (size_t i = 0; i < m->n; i++)
		at[i] = (struct at_address){ m->v[i].address, i };
	VEC_SORT(at, m->n, by_address);
	for (size_t i = 0, k; i < m->n; i = k) {
		for (k = i + 1; k < m->n && at[k].address == at[i].address;)
			k++;
		follow_address(m, at + i, k - i, l);
	}
	free(at);
}

/* --- groups --- */

static int by_kind(const void *a, const void *b)
{
	const struct alive *x = a, *y = b;
	const struct memory_event *p = x->event, *q = y->event;

#define BY(f, g) \
	if ((f) != (g)) \
	return (f) < (g) ? -1 : 1
	BY(x->life, y->life);
	BY(p->op, q->op);
	BY(p->shape, q->shape);
	BY(p->type, q->type);
	BY(p->region, q->region);
	if (!p->op && !p->shape) /* nothing else tells them apart */
		BY(p->allocated, q->allocated);
#undef BY
	return 0;
}

VEC_ORDER(by_bytes, struct memory_group, DOWN(bytes) UP(life) UP(event));

static void add_group(struct memory_device *m, size_t *cap, const struct alive *v, size_t n)
{
	struct memory_group g = { .life = v->life, .event = v->event, .count = (int64_t)n };

	for (size_t i = 0; i < n; i++) {
		g.bytes = add_clamped(g.bytes, v[i].event->allocated);
		g.requested = add_clamped(g.requested, v[i].event->requested);
		g.held += v[i].held / (double)n;
	}
	VEC_ADD(m->group, m->ngroups, *cap, g);
}

static void add_rest(struct memory_device *m, size_t *cap, enum memprof_life life, int64_t bytes)
{
	if (bytes > 0)
		VEC_ADD(m->group, m->ngroups, *cap,
		    (struct memory_group){ .life = life, .count = 1, .bytes = bytes });
}

void memprof_find_groups(struct memory_device *m)
{
	const struct memory_event *peak = &m->v[m->peak];
	struct living l = { .n = 0 };
	size_t cap = 0;

	find_living(m, &l);
	VEC_SORT(l.v, l.n, by_kind);
	for (size_t i = 0, k; i < l.n; i = k) {
		for (k = i + 1; k < l.n && !by_kind(&l.v[i], &l.v[k]);)
			k++;
		add_group(m, &cap, l.v + i, k - i);
	}
	add_rest(m, &cap, LIFE_EARLIER, sub_clamped(peak->heap, l.explained));
	add_rest(m, &cap, LIFE_RESERVED, peak->stack);
	VEC_SORT(m->group, m->ngroups, by_bytes);
	free(l.v);
}

/* --- table --- */

struct group_row {
	const struct memory_profile *profile;
	const struct memory_device *device;
	const struct memory_group *group;
};

static struct cell name_cell(const struct group_row *r, strid id)
{
	return strtab_len(&r->profile->str, id) ? cell_strid(&r->profile->str, id) : cell_null();
}

static struct cell share_of_peak(const struct group_row *r)
{
	int64_t use = memprof_event_use(&r->device->v[r->device->peak]);

	return use > 0 ? cell_num((double)r->group->bytes / (double)use) : cell_null();
}

#define SCHEMA groups
#define SCHEMA_ROW struct group_row
#define SCHEMA_DEF "analyze/memprof/groups.def"
#include "result/schema_def.h"

const struct schema memprof_groups_schema = { SCHEMA_COLUMNS(groups_columns),
	.view = "bytes share count lifetime held op shape -type -region padding -requested" };

void memprof_groups_table(const struct memory_profile *p, size_t device, struct table *t)
{
	const struct memory_device *m = &p->device[device];

	for (size_t i = 0; i < m->ngroups; i++)
		table_add(t, &(struct group_row){ p, m, &m->group[i] });
}
