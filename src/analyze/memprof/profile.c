#include "config.h"
#include "analyze/memprof/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memprof/internal.h"
#include "analyze/steps/groups.h"
#include "analyze/steps/steps.h"
#include "base/bisect.h"
#include "base/clamp.h"

#define PIECE 4096 /* events between two checks for cancellation */

enum { KIND_NONE, KIND_ALLOCATION, KIND_DEALLOCATION };

static const char *const stat_names[] = { "index_on_host", "device_ordinal", "allocator_name",
	"bytes_reserved", "bytes_allocated", "bytes_available", "fragmentation", "peak_bytes_in_use",
	"requested_bytes", "allocation_bytes", "addr", "tf_op", "group_id", "region_type", "data_type",
	"shape" };

enum {
	S_INDEX,
	S_ORDINAL,
	S_ALLOCATOR,
	S_RESERVED,
	S_ALLOCATED,
	S_AVAILABLE,
	S_FRAGMENTATION,
	S_LIFETIME,
	S_REQUESTED,
	S_ALLOCATION,
	S_ADDRESS,
	S_OP,
	S_STEP,
	S_REGION,
	S_TYPE,
	S_SHAPE,
	STATS
};

struct reading {
	const struct dump *d;
	struct memory_profile *p;
	struct progress *progress;
	strid stat[STATS];
	uint8_t *kind; /* by meta */
	struct memory_event e;
	strid memory; /* name of its memory, in p->str */
	bool said;    /* it has one of the stats */
	size_t cap;   /* capacity for memories */
	uint32_t *place;
	size_t nplaces; /* by name: index of the memory + 1 */
};

static int which(const struct reading *r, const struct stat_value *v)
{
	for (int i = 0; i < STATS; i++)
		if (v->name_id != UINT32_MAX ? v->name_id == r->stat[i] : stat_is(v, stat_names[i]))
			return i;
	return STATS;
}

static strid text_of(struct reading *r, const struct stat_value *v)
{
	return v->type == STAT_STR ? strtab_add(&r->p->str, v->s, v->n) : 0;
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct reading *r = ctx;
	struct memory_event *e = &r->e;
	char number[32];
	int stat = which(r, v);

	r->said |= stat != STATS;
	switch (stat) {
	case S_INDEX:
	case S_ORDINAL:
		snprintf(number, sizeof number, "%" PRId64, stat_integer(v));
		r->memory = strtab_addz(&r->p->str, number);
		break;
	case S_ALLOCATOR:
		r->memory = text_of(r, v);
		break;
	case S_RESERVED:
		e->stack = stat_integer(v);
		e->known = true;
		break;
	case S_ALLOCATED:
		e->heap = stat_integer(v);
		e->known = true;
		break;
	case S_AVAILABLE:
		e->free = stat_integer(v);
		break;
	case S_FRAGMENTATION:
		e->fragmentation = v->type == STAT_DOUBLE ? v->d : (double)stat_integer(v);
		break;
	case S_LIFETIME:
		e->lifetime = stat_integer(v);
		break;
	case S_REQUESTED:
		e->requested = stat_integer(v);
		break;
	case S_ALLOCATION:
		e->allocated = stat_integer(v);
		break;
	case S_ADDRESS:
		e->address = v->type == STAT_UINT ? v->u : (uint64_t)stat_integer(v);
		break;
	case S_OP:
		e->op = text_of(r, v);
		break;
	case S_STEP:
		e->step = stat_integer(v);
		break;
	case S_REGION:
		e->region = text_of(r, v);
		break;
	case S_TYPE:
		e->type = (int)(stat_integer(v) & 0xffff);
		break;
	case S_SHAPE:
		e->shape = text_of(r, v);
		break;
	default:
		break;
	}
	return true;
}

static struct memory_device *memory_of(struct reading *r)
{
	struct memory_profile *p = r->p;
	const char *name = strtab_str(&p->str, r->memory);

	if (r->memory >= r->nplaces) {
		size_t n = 2 * (size_t)r->memory + 16;

		r->place = xrealloc(r->place, n, sizeof *r->place);
		memset(r->place + r->nplaces, 0, (n - r->nplaces) * sizeof *r->place);
		r->nplaces = n;
	}
	if (!r->place[r->memory]) {
		VEC_ADD(p->device, p->ndevices, r->cap,
		    (struct memory_device){
			.name = arena_strndup(&p->text, name, strtab_len(&p->str, r->memory)) });
		r->place[r->memory] = (uint32_t)p->ndevices;
	}
	return &p->device[r->place[r->memory] - 1];
}

/* Covers nest, and the innermost one around the event gives its step. */
struct covers {
	const struct group_cover *v;
	size_t n, next;
	const struct group_cover **open;
	size_t depth, cap;
};

static int64_t step_in(struct covers *c, int64_t start)
{
	while (c->next < c->n && c->v[c->next].start <= start)
		VEC_ADD(c->open, c->depth, c->cap, &c->v[c->next++]);
	while (c->depth && c->open[c->depth - 1]->end < start)
		c->depth--;
	return c->depth ? c->open[c->depth - 1]->id : -1;
}

static void read_track(struct reading *r, uint32_t track, struct covers *covers)
{
	const struct track *t = &r->d->trace.tracks[track];

	for (size_t i = 0; i < t->n; i++) {
		struct memory_device *m;

		if (i % PIECE == 0 && progress_canceled(r->progress)) {
			r->p->canceled = true;
			return;
		}
		if (r->kind[track_meta(t, i)] == KIND_NONE)
			continue;
		r->e = (struct memory_event){ .t = track_start(t, i),
			.offset = sub_clamped(track_start(t, i), t->base),
			.step = -1,
			.freed = r->kind[track_meta(t, i)] == KIND_DEALLOCATION };
		r->memory = 0;
		r->said = false;
		stats_of_event(r->d, t, i, take_stat, r);
		if (!r->said) { /* as in traces that were converted without arguments */
			r->p->silent++;
			continue;
		}
		if (r->e.step < 0)
			r->e.step = step_in(covers, r->e.t);
		m = memory_of(r);
		VEC_ADD(m->v, m->n, m->cap, r->e);
		m->lifetime = r->e.lifetime;
	}
}

static void read_host(struct reading *r, const struct groups *g)
{
	const struct trace *t = &r->d->trace;
	struct covers c = { .n = 0 };
	size_t from = 0; /* covers are sorted by track */

	for (uint32_t i = 0; i < t->ntracks && !r->p->canceled; i++) {
		const struct plane *plane = &t->planes[t->tracks[i].plane];

		if (plane->kind != PLANE_HOST || plane->host != r->p->host)
			continue;
		while (from < g->ncovers && g->cover[from].track < i)
			from++;
		if (g->ncovers) /* without covers there is no array to point into */
			c.v = g->cover + from;
		for (c.n = 0; from + c.n < g->ncovers && c.v[c.n].track == i;)
			c.n++;
		c.next = c.depth = 0;
		read_track(r, i, &c);
	}
	free(c.open);
}

/* --- memories in order, and their peaks --- */

int64_t memprof_event_use(const struct memory_event *e)
{
	return add_clamped(e->stack, e->heap);
}

static int by_name(const void *a, const void *b)
{
	const struct memory_device *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct moment {
	int64_t t;
	size_t at;
};

VEC_ORDER(by_time, struct moment, UP(t) UP(at));

static void sort_events(struct memory_device *m)
{
	struct moment *order;
	struct memory_event *v;
	size_t sorted = 1;

	while (sorted < m->n && m->v[sorted - 1].offset <= m->v[sorted].offset)
		sorted++;
	if (sorted >= m->n)
		return;
	order = xcalloc(m->n, sizeof *order);
	v = xcalloc(m->n, sizeof *v);
	for (size_t i = 0; i < m->n; i++)
		order[i] = (struct moment){ m->v[i].offset, i };
	qsort(order, m->n, sizeof *order, by_time);
	for (size_t i = 0; i < m->n; i++)
		v[i] = m->v[order[i].at];
	free(order);
	free(m->v);
	m->v = v;
	m->cap = m->n;
}

/* Where the step is not known, takes the one after the last known step. */
static void number_steps(struct memory_device *m)
{
	int64_t last = -1;

	for (size_t i = 0; i < m->n; i++) {
		if (m->v[i].step < 0)
			m->v[i].step = add_clamped(last, 1);
		else
			last = m->v[i].step;
	}
}

static void find_peak(struct memory_device *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (memprof_event_use(&m->v[i]) >= memprof_event_use(&m->v[m->peak]))
			m->peak = i;
	m->capacity = add_clamped(memprof_event_use(&m->v[m->peak]), m->v[m->peak].free);
}

struct timeline_row {
	const struct memory_profile *profile;
	const struct memory_device *device;
	const struct memory_event *event;
};

static struct cell address(const struct memory_event *e, struct arena *text)
{
	char s[32];

	snprintf(s, sizeof s, "%" PRIu64, e->address);
	return arena_cell(text, s);
}

#define SCHEMA devices
#define SCHEMA_ROW struct memory_device
#define SCHEMA_DEF "analyze/memprof/devices.def"
#include "result/schema_def.h"

#define SCHEMA timeline
#define SCHEMA_ROW struct timeline_row
#define SCHEMA_DEF "analyze/memprof/timeline.def"
#include "result/schema_def.h"

const struct schema memprof_devices_schema = { SCHEMA_COLUMNS(devices_columns) };
const struct schema memprof_timeline_schema = { SCHEMA_COLUMNS(timeline_columns) };

static void timeline_rows(struct memory_profile *p, const struct memory_device *m)
{
	for (size_t i = 0; i < m->n; i++)
		table_add(&p->timeline, &(struct timeline_row){ p, m, &m->v[i] });
}

/* --- all --- */

static int kind_of(const struct dump *d, uint32_t meta)
{
	return slice_is(dump_text(d, d->trace.metas[meta].name), "MemoryAllocation")  ? KIND_ALLOCATION
	    : slice_is(dump_text(d, d->trace.metas[meta].name), "MemoryDeallocation") ? KIND_DEALLOCATION
										      : KIND_NONE;
}

bool memprof_any(const struct dump *d)
{
	for (uint32_t i = 0; i < d->trace.nmetas; i++)
		if (kind_of(d, i) != KIND_NONE)
			return true;
	return false;
}

/* Takes the requested host, or the first one with such events. */
static void choose_host(struct reading *r, const char *host)
{
	const struct trace *t = &r->d->trace;
	bool *has = xcalloc(r->d->nhosts + 1, sizeof *has);

	for (size_t i = 0; i < t->ntracks; i++) {
		const struct plane *p = &t->planes[t->tracks[i].plane];

		if (p->kind != PLANE_HOST || p->host < 0 || has[p->host] ||
		    (host && !dump_host_is(r->d, p->host, host)))
			continue;
		for (size_t k = 0; k < t->tracks[i].n && !has[p->host]; k++)
			has[p->host] = r->kind[track_meta(&t->tracks[i], k)] != KIND_NONE;
	}
	for (size_t i = 0; i < r->d->nhosts; i++) {
		if (!has[i])
			continue;
		if (r->p->host < 0)
			r->p->host = (int)i;
		else
			r->p->others++;
	}
	free(has);
}

void memprof_tables(struct table *devices, struct table *active, struct table *timeline)
{
	table_begin(devices, &memprof_devices_schema);
	table_begin(active, &memprof_active_schema);
	table_begin(timeline, &memprof_timeline_schema);
}

static void read_events(struct reading *r, const struct groups *groups, const char *host)
{
	const struct dump *d = r->d;
	struct groups own = { 0 };

	r->kind = xcalloc(d->trace.nmetas + 1, 1);
	for (uint32_t i = 0; i < d->trace.nmetas; i++)
		r->kind[i] = (uint8_t)kind_of(d, i);
	for (int i = 0; i < STATS; i++)
		r->stat[i] = strtab_find(&d->str, stat_names[i], strlen(stat_names[i]));
	choose_host(r, host);
	if (r->p->host >= 0) {
		if (!groups)
			groups_find(d, &own);
		read_host(r, groups ? groups : &own);
		groups_free(&own);
	}
	free(r->kind);
	free(r->place);
}

void memprof_build(const struct dump *d, const struct groups *groups, const char *host,
    struct progress *progress, struct memory_profile *p)
{
	struct reading r = { .d = d, .p = p, .progress = progress };

	*p = (struct memory_profile){ .host = -1 };
	strtab_init(&p->str);
	memprof_tables(&p->devices, &p->active, &p->timeline);
	if (memprof_any(d))
		read_events(&r, groups, host);
	VEC_SORT(p->device, p->ndevices, by_name);
	for (size_t i = 0; i < p->ndevices; i++) {
		struct memory_device *m = &p->device[i];

		sort_events(m);
		number_steps(m);
		find_peak(m);
		memprof_active(p, m);
		memprof_find_groups(m);
		table_add(&p->devices, m);
		timeline_rows(p, m);
	}
	facts_str(&p->summary, "kind", p->ndevices ? "allocator" : NULL);
}

struct step_label {
	int64_t group;
	size_t at;
};

VEC_ORDER(by_group, struct step_label, UP(group) UP(at));

/* The steps of a host, by group; of several of one group, the first tells its label. */
static struct step_label *labels_of(const struct steps *s, int host, size_t *n)
{
	struct step_label *v = xcalloc(s->n + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].host == host && s->v[i].group >= 0)
			v[(*n)++] = (struct step_label){ s->v[i].group, i };
	VEC_SORT(v, *n, by_group);
	return v;
}

void memprof_label_steps(struct table *t, const struct steps *steps, int host)
{
	int column = table_column(t, "stepId");
	size_t n, k;
	struct step_label *v = labels_of(steps, host, &n);

	for (size_t i = 0; i < t->nrows && column >= 0; i++) {
		struct cell *c = &t->cells[i * t->ncolumns + (size_t)column];

		if (c->type != CELL_INT)
			continue;
		BISECT(k, n, v[k].group < c->u.i);
		*c = k < n && v[k].group == c->u.i ? cell_strz(steps->v[v[k].at].label) : cell_null();
	}
	free(v);
}

void memprof_free(struct memory_profile *p)
{
	for (size_t i = 0; i < p->ndevices; i++) {
		free(p->device[i].v);
		free(p->device[i].group);
	}
	free(p->device);
	facts_free(&p->summary);
	table_free(&p->devices);
	table_free(&p->active);
	table_free(&p->timeline);
	strtab_free(&p->str);
	arena_free(&p->text);
	*p = (struct memory_profile){ .host = -1 };
}

const char *memprof_missing(const struct dump *d)
{
	if (memprof_any(d))
		return "the memory events of this file say neither sizes nor memories, because it was "
		       "converted "
		       "without their arguments; open the capture that it was made from (*.xplane.pb)";
	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (d->trace.planes[i].kind == PLANE_HOST)
			return "no memory events in this capture: the TPU's allocator is rarely traced; "
			       "jax.profiler.save_device_memory_profile(\"memory.prof\") saves what is in "
			       "memory, "
			       "and the memory view shows what a program needs";
	return "no memory events: the capture has no host threads, which record them; profile with the host "
	       "tracer on, or use jax.profiler.save_device_memory_profile(\"memory.prof\")";
}
