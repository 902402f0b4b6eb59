#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memprof/internal.h"
#include "base/clamp.h"
#include "base/hash.h"

/* What was in memory at the peak.  As in XProf, only the events of the peak's step are followed, by address.
 * The part of the heap that they do not explain was allocated before. */
struct held {
	uint64_t address;
	size_t event;
	bool live;
};

struct replay {
	struct memory_profile *p;
	const struct memory_device *m;
	struct held *slot;
	size_t nslots; /* open addressing; event SIZE_MAX = free slot */
	int64_t unmapped;
};

static struct held *slot_of(struct replay *r, uint64_t address)
{
	size_t i = (size_t)hash_mix(address, 0) & (r->nslots - 1);

	while (r->slot[i].event != SIZE_MAX && r->slot[i].address != address)
		i = (i + 1) & (r->nslots - 1);
	return &r->slot[i];
}

static void replay_init(struct replay *r)
{
	for (r->nslots = 16; r->nslots < 2 * r->m->n;)
		r->nslots *= 2;
	r->slot = xcalloc(r->nslots, sizeof *r->slot);
	for (size_t i = 0; i < r->nslots; i++)
		r->slot[i].event = SIZE_MAX;
}

static void forget_all(struct replay *r)
{
	for (size_t i = 0; i < r->nslots; i++)
		r->slot[i] = (struct held){ .event = SIZE_MAX };
}

/* An event that frees memory takes its names from the allocation at that address. */
static void name_freed(struct replay *r)
{
	for (size_t i = 0; i < r->m->n; i++) {
		struct memory_event *e = &r->m->v[i];
		struct held *s = slot_of(r, e->address);

		if (e->freed && s->live) {
			const struct memory_event *from = &r->m->v[s->event];

			e->op = from->op;
			e->region = from->region;
			e->type = from->type;
			e->shape = from->shape;
			s->live = false;
		} else if (!e->freed && !s->live) {
			*s = (struct held){ e->address, i, true };
		}
	}
}

static void follow(struct replay *r)
{
	const struct memory_event *peak = &r->m->v[r->m->peak];

	r->unmapped = peak->heap;
	for (size_t i = 0; i < r->m->n && r->m->v[i].offset <= peak->offset; i++) {
		const struct memory_event *e = &r->m->v[i];
		struct held *s;

		if (e->step != peak->step)
			continue;
		s = slot_of(r, e->address);
		if (!e->freed) {
			*s = (struct held){ e->address, i, true };
			r->unmapped = sub_clamped(r->unmapped, e->allocated);
		} else if (s->live) {
			r->unmapped = add_clamped(r->unmapped, e->allocated);
			s->live = false;
		}
	}
}

struct sorting {
	const struct memory_profile *p;
	const struct memory_event **v;
	size_t n, cap;
};

static int text_order(const struct memory_profile *p, strid a, strid b)
{
	return a == b ? 0 : slice_order(strtab_text(&p->str, a), strtab_text(&p->str, b));
}

static int by_size(const void *a, const void *b, void *ctx)
{
	const struct memory_event *x = *(const struct memory_event *const *)a,
				  *y = *(const struct memory_event *const *)b;
	const struct memory_profile *p = ctx;
	int r;

	if (x->allocated != y->allocated)
		return x->allocated > y->allocated ? -1 : 1;
	if (x->requested != y->requested)
		return x->requested > y->requested ? -1 : 1;
	if ((r = text_order(p, x->op, y->op)) || (r = text_order(p, x->region, y->region)) ||
	    (r = strcmp(memprof_type_name(x->type), memprof_type_name(y->type))))
		return r;
	return text_order(p, x->shape, y->shape);
}

struct active_row {
	const struct memory_profile *profile;
	const struct memory_device *device;
	const struct memory_event *event;
	int64_t count;
};

static struct cell share_of_peak(const struct active_row *r)
{
	int64_t use = memprof_event_use(&r->device->v[r->device->peak]);

	return use > 0 ? cell_num((double)r->event->allocated * (double)r->count / (double)use) : cell_null();
}

#define SCHEMA active
#define SCHEMA_ROW struct active_row
#define SCHEMA_DEF "analyze/memprof/active.def"
#include "result/schema_def.h"

const struct schema memprof_active_schema = { SCHEMA_COLUMNS(active_columns),
	.view =
	    "allocationBytes share numOccurrences requestedBytes tfOpName dataType tensorShape -regionType "
	    "-stepId" };

static struct memory_event special(struct memory_profile *p, const struct memory_event *peak, int64_t bytes,
    const char *op, const char *region)
{
	return (struct memory_event){ .requested = bytes,
		.allocated = bytes,
		.step = peak->step,
		.op = strtab_addz(&p->str, op),
		.region = strtab_addz(&p->str, region),
		.shape = strtab_addz(&p->str, "unknown") };
}

static void add_event(struct sorting *s, const struct memory_event *e)
{
	VEC_ADD(s->v, s->n, s->cap, e);
}

void memprof_active(struct memory_profile *p, struct memory_device *m)
{
	const struct memory_event *peak = &m->v[m->peak];
	struct replay r = { .p = p, .m = m };
	struct sorting s = { .p = p };
	struct memory_event rest, stack;

	replay_init(&r);
	name_freed(&r);
	forget_all(&r);
	follow(&r);
	for (size_t i = 0; i < r.nslots; i++)
		if (r.slot[i].live)
			add_event(&s, &m->v[r.slot[i].event]);
	if (r.unmapped > 0) {
		rest = special(p, peak, r.unmapped, "unused preallocated device memory", "persist/dynamic");
		add_event(&s, &rest);
	}
	if (peak->stack > 0) {
		stack = special(p, peak, peak->stack, "stack", "stack");
		add_event(&s, &stack);
	}
	if (s.n)
		qsort_r(s.v, s.n, sizeof *s.v, by_size, p);
	m->first_active = p->active.nrows;
	for (size_t i = 0, k; i < s.n; i = k) {
		for (k = i + 1; k < s.n && !by_size(&s.v[i], &s.v[k], p);)
			k++;
		table_add(&p->active, &(struct active_row){ p, m, s.v[i], (int64_t)(k - i) });
	}
	m->nactive = p->active.nrows - m->first_active;
	free(s.v);
	free(r.slot);
}

const char *memprof_type_name(int type)
{
	static const char *const names[] = { "INVALID", "float", "double", "int32", "uint8", "int16", "int8",
		"string", "complex64", "int64", "bool", "qint8", "quint8", "qint32", "bfloat16", "qint16",
		"quint16", "uint16", "complex128", "half", "resource", "variant", "uint32", "uint64",
		"float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz",
		"int4", "uint4", "int2", "uint2" };

	return (size_t)type < sizeof names / sizeof *names ? names[type] : "unknown";
}
