#include "config.h"

#include "analyze/trace/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NO_DEVICE INT64_MIN
#define PATIENCE 64 /* events that are read before a file without figures is given up */
#define DEVICE_NAME "HBM in use"
#define NAMED_NAME "memory in use ("

/* What one event of an allocator says. */
struct sample {
	strid allocator; /* 0 = no name */
	int64_t device, reserved, allocated;
	bool any;
};

struct names {
	strid allocator, index, ordinal, reserved, allocated;
};

struct reading {
	struct dump *d;
	struct names names;
	struct sample s;
	char allocator[128];
	size_t told, untold; /* events of the file with and without memory sizes */
};

/* Counters that were made: the n-th one is of what the entry n + 1 of `of` says. */
struct made {
	struct strtab of;
	uint32_t *counter;
	size_t n, cap;
};

struct made_of {
	int64_t device;
	int host;
	strid allocator;
};

static strid name_of(const struct dump *d, const char *name)
{
	return strtab_find(&d->str, name, strlen(name));
}

static bool is(const struct stat_value *v, strid id, const char *name)
{
	return v->name_id != UINT32_MAX ? v->name_id == id : stat_is(v, name);
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct reading *r = ctx;

	if (is(v, r->names.allocated, "bytes_allocated")) {
		r->s.allocated = stat_integer(v);
		r->s.any = true;
	} else if (is(v, r->names.reserved, "bytes_reserved")) {
		r->s.reserved = stat_integer(v);
		r->s.any = true;
	} else if (is(v, r->names.index, "index_on_host") ||
	    (is(v, r->names.ordinal, "device_ordinal") && r->s.device == NO_DEVICE)) {
		r->s.device = stat_integer(v);
	} else if (is(v, r->names.allocator, "allocator_name") && v->type == STAT_STR) {
		snprintf(r->allocator, sizeof r->allocator, "%.*s",
		    (int)(v->n < sizeof r->allocator ? v->n : sizeof r->allocator), v->s);
	}
	return true;
}

static bool read_sample(struct reading *r, const struct track *t, size_t i)
{
	r->s = (struct sample){ .device = NO_DEVICE };
	r->allocator[0] = '\0';
	stats_of_event(r->d, t, i, take_stat, r);
	r->s.allocator = strtab_addz(&r->d->str, r->allocator);
	return r->s.any;
}

/* Returns the plane of a device of a host or, if there is none, `otherwise`, the plane of the event. */
static uint32_t plane_of(const struct dump *d, int host, enum plane_kind kind, int64_t core,
    uint32_t otherwise)
{
	for (uint32_t p = 0; p < d->trace.nplanes; p++) {
		const struct plane *k = &d->trace.planes[p];

		if (k->host == host && k->kind == kind && k->core == core)
			return p;
	}
	return otherwise;
}

static uint32_t new_counter(struct reading *r, int host, uint32_t plane)
{
	struct counter c = { .unit = strtab_addz(&r->d->str, "bytes"), .plane = plane, .track = -1 };
	char name[sizeof r->allocator + 32] = DEVICE_NAME;
	int gpu;

	if (r->s.allocator) {
		snprintf(name, sizeof name, NAMED_NAME "%s)", r->allocator);
		if (sscanf(r->allocator, "GPU_%d_bfc", &gpu) == 1)
			c.plane = plane_of(r->d, host, PLANE_GPU, gpu, plane);
	} else if (r->s.device != NO_DEVICE) {
		c.plane = plane_of(r->d, host, PLANE_TPU, r->s.device, plane);
		if (c.plane == plane)
			snprintf(name, sizeof name, DEVICE_NAME ", device %lld", (long long)r->s.device);
	}
	c.name = strtab_addz(&r->d->str, name);
	return trace_add_counter(&r->d->trace, &c);
}

/* Returns the counter that a sample belongs to, making it if necessary. */
static struct counter *counter_of(struct reading *r, struct made *made, uint32_t plane)
{
	struct made_of of = { .device = r->s.allocator ? 0 : r->s.device,
		.host = r->d->trace.planes[plane].host,
		.allocator = r->s.allocator };
	strid id = strtab_add(&made->of, (const char *)&of, sizeof of);

	if (id > made->n)
		VEC_ADD(made->counter, made->n, made->cap, new_counter(r, of.host, plane));
	return &r->d->trace.counters[made->counter[id - 1]];
}

struct moment {
	int64_t t;
	size_t order;
	double v;
};

VEC_ORDER(by_time, struct moment, UP(t) UP(order));

/* Sorts the samples by time: they come thread by thread. */
static void sort_counter(struct counter *c)
{
	struct moment *m = xrealloc(NULL, c->n, sizeof *m);

	for (size_t i = 0; i < c->n; i++)
		m[i] = (struct moment){ c->t[i], i, c->v[i] };
	qsort(m, c->n, sizeof *m, by_time);
	for (size_t i = 0; i < c->n; i++) {
		c->t[i] = m[i].t;
		c->v[i] = m[i].v;
	}
	free(m);
}

/* Gives up on a file whose first events have no figures, because reading stats takes time, especially from
 * compressed files. */
static void read_track(struct reading *r, const struct track *t, const uint8_t *wanted, struct made *made)
{
	for (size_t i = 0; i < t->n && (r->told || r->untold < PATIENCE); i++) {
		if (!wanted[track_meta(t, i)])
			continue;
		if (!read_sample(r, t, i)) {
			r->untold++;
			continue;
		}
		r->told++;
		counter_add(counter_of(r, made, t->plane), track_start(t, i),
		    (double)r->s.reserved + (double)r->s.allocated);
	}
}

static bool made_before(const struct dump *d)
{
	for (size_t i = 0; i < d->trace.ncounters; i++) {
		const struct counter *c = &d->trace.counters[i];

		if (c->track < 0 &&
		    (slice_begins(dump_text(d, c->name), DEVICE_NAME) ||
			slice_begins(dump_text(d, c->name), NAMED_NAME)))
			return true;
	}
	return false;
}

size_t derive_memory_counters(struct dump *d)
{
	strid alloc = name_of(d, "MemoryAllocation"), dealloc = name_of(d, "MemoryDeallocation");
	struct reading r = { .d = d,
		.names = {
		    name_of(d, "allocator_name"),
		    name_of(d, "index_on_host"),
		    name_of(d, "device_ordinal"),
		    name_of(d, "bytes_reserved"),
		    name_of(d, "bytes_allocated"),
		} };
	struct made made = { .n = 0 };
	uint8_t *wanted;
	int file = -1;

	if ((alloc == UINT32_MAX && dealloc == UINT32_MAX) || made_before(d))
		return 0;
	strtab_init(&made.of);
	wanted = xcalloc(d->trace.nmetas, 1);
	for (size_t m = 0; m < d->trace.nmetas; m++)
		wanted[m] = d->trace.metas[m].name == alloc || d->trace.metas[m].name == dealloc;
	for (size_t k = 0; k < d->trace.ntracks; k++) {
		const struct track *t = &d->trace.tracks[k];

		if (d->trace.planes[t->plane].kind != PLANE_HOST || t->file < 0)
			continue;
		if (t->file != file)
			r.told = r.untold = 0;
		file = t->file;
		read_track(&r, t, wanted, &made);
	}
	for (size_t i = 0; i < made.n; i++)
		sort_counter(&d->trace.counters[made.counter[i]]);
	strtab_free(&made.of);
	free(made.counter);
	free(wanted);
	return made.n;
}
