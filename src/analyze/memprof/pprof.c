#include "config.h"
#include "analyze/memprof/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memprof/internal.h"
#include "base/bisect.h"
#include "base/text/python.h"
#include "base/text/strtab.h"

/* bytes of all stacks together: frames repeat, so a file could ask for any amount */
#define STACK_TEXT_MAX ((size_t)64 << 20)

struct total {
	const char *device, *kind;
	int64_t allocations, bytes, unknown, samples;
};

struct building {
	struct pprof *p;
	const Pb__Profile *m;
	size_t space, count; /* index of each among the values of a sample; SIZE_MAX: there is none */
	struct strtab keys;  /* of devices and kinds, and of stacks */
	struct strtab stacks;
	struct total *total;
	size_t ntotals, totals_cap;
	size_t stacks_cap;
	uint64_t *key;
	size_t key_cap;
};

/* "" when there is none */
static const char *pprof_text(const Pb__Profile *m, int64_t at)
{
	return at >= 0 && (uint64_t)at < m->n_string_table && m->string_table[at] ? m->string_table[at] : "";
}

/* --- IDs --- */

VEC_ORDER(by_id, struct pprof_id, UP(id) UP(at));

static void make_frames(struct pprof *p)
{
	const Pb__Profile *m = p->message;
	struct pprof_frames *f = p->frames = xcalloc(1, sizeof *f);

	f->nlocations = m->n_location;
	f->nfunctions = m->n_function;
	f->location = xcalloc(m->n_location + 1, sizeof *f->location);
	f->function = xcalloc(m->n_function + 1, sizeof *f->function);
	for (size_t i = 0; i < m->n_location; i++)
		f->location[i] = (struct pprof_id){ m->location[i]->id, (uint32_t)i };
	for (size_t i = 0; i < m->n_function; i++)
		f->function[i] = (struct pprof_id){ m->function[i]->id, (uint32_t)i };
	qsort(f->location, f->nlocations, sizeof *f->location, by_id);
	qsort(f->function, f->nfunctions, sizeof *f->function, by_id);
}

static const struct pprof_id *find_id(const struct pprof_id *v, size_t n, uint64_t id)
{
	size_t lo;

	BISECT(lo, n, v[lo].id < id);
	return lo < n && v[lo].id == id ? &v[lo] : NULL;
}

struct pprof_frame pprof_frame(const struct pprof *p, uint64_t id)
{
	const struct pprof_frames *f = p->frames;
	struct pprof_frame frame = { "", "", -1 };
	const struct pprof_id *at = find_id(f->location, f->nlocations, id);
	const Pb__Location *location = at ? p->message->location[at->at] : NULL;

	if (!location || !location->n_line)
		return frame;
	frame.line = location->line[0]->has_line ? location->line[0]->line : -1;
	at = find_id(f->function, f->nfunctions, location->line[0]->function_id);
	if (at) {
		frame.function = pprof_text(p->message, p->message->function[at->at]->name);
		frame.file = pprof_text(p->message, p->message->function[at->at]->filename);
	}
	return frame;
}

struct pprof_frame pprof_user_frame(const struct pprof *p, const struct pprof_stack *s)
{
	for (size_t i = 0; i < s->depth; i++) {
		struct pprof_frame f = pprof_frame(p, s->frame[i]);

		if (*f.file && !python_is_library(f.file))
			return f;
	}
	return (struct pprof_frame){ "", "", -1 };
}

/* --- samples --- */

/* JAX writes "allocations" in "count" and "space" in "bytes"; other heap profiles say "objects" and
 * "inuse_space". */
static void find_values(struct building *b)
{
	b->space = b->count = SIZE_MAX;
	for (size_t i = 0; i < b->m->n_sample_type; i++) {
		const char *unit = pprof_text(b->m, b->m->sample_type[i]->unit),
			   *type = pprof_text(b->m, b->m->sample_type[i]->type);

		if (!strcmp(unit, "bytes"))
			b->space = i;
		else if (!strcmp(unit, "count") && strcmp(type, "samples") != 0)
			b->count = i;
	}
	if (!b->m->n_string_table && b->m->n_sample_type == 2) { /* names come last and are cut off */
		b->count = 0;
		b->space = 1;
	}
}

static const char *label_of(const struct building *b, const Pb__Sample *s, const char *key)
{
	for (size_t i = 0; i < s->n_label; i++)
		if (s->label[i]->str && !strcmp(pprof_text(b->m, s->label[i]->key), key))
			return pprof_text(b->m, s->label[i]->str);
	return NULL;
}

static int64_t value_of(const Pb__Sample *s, size_t i)
{
	return i < s->n_value ? s->value[i] : 0;
}

/* Returns the row of a device and kind. */
static size_t total_of(struct building *b, const char *device, const char *kind)
{
	size_t nd = device ? strlen(device) + 1 : 0, nk = kind ? strlen(kind) : 0;
	char *key = xmalloc(nd + nk + 2);
	strid id;

	key[0] = (char)('0' + (device != NULL) + 2 * (kind != NULL));
	memcpy(key + 1, device ? device : "", nd);
	memcpy(key + 1 + nd, kind ? kind : "", nk);
	id = strtab_add(&b->keys, key, 1 + nd + nk);
	free(key);
	if (id > b->ntotals)
		VEC_ADD(b->total, b->ntotals, b->totals_cap,
		    (struct total){ .device = device, .kind = kind });
	return id - 1;
}

static struct pprof_stack *stack_of(struct building *b, size_t total, const Pb__Sample *s)
{
	struct pprof *p = b->p;
	strid id;

	if (b->key_cap < s->n_location_id + 1) {
		b->key_cap = 2 * s->n_location_id + 16;
		b->key = xrealloc(b->key, b->key_cap, sizeof *b->key);
	}
	b->key[0] = total;
	if (s->n_location_id)
		memcpy(b->key + 1, s->location_id, s->n_location_id * sizeof *b->key);
	id = strtab_add(&b->stacks, (const char *)b->key, (s->n_location_id + 1) * sizeof *b->key);
	if (id > p->nstacks) {
		VEC_ADD(p->stack, p->nstacks, b->stacks_cap,
		    (struct pprof_stack){ .device = total,
			.frame = s->location_id,
			.depth = s->n_location_id });
	}
	return &p->stack[id - 1];
}

static void take_sample(struct building *b, const Pb__Sample *s)
{
	size_t row = total_of(b, label_of(b, s, "device"), label_of(b, s, "kind"));
	struct pprof_stack *stack = stack_of(b, row, s);
	struct total *t = &b->total[row];
	struct pprof *p = b->p;
	int64_t count = value_of(s, b->count), bytes = value_of(s, b->space);

	count = count > 0 ? count : 0;
	if (bytes < 0) {
		t->unknown = sum_bytes(t->unknown, count);
		p->unknown = sum_bytes(p->unknown, count);
		bytes = 0;
	}
	t->allocations = sum_bytes(t->allocations, count);
	t->bytes = sum_bytes(t->bytes, bytes);
	t->samples++;
	stack->allocations = sum_bytes(stack->allocations, count);
	stack->bytes = sum_bytes(stack->bytes, bytes);
	p->allocations = sum_bytes(p->allocations, count);
	p->bytes = sum_bytes(p->bytes, bytes);
}

/* --- tables --- */

struct ranked {
	const struct total *t;
	size_t at;
};

static int totals_order(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	int r;

	if (x->t->bytes != y->t->bytes)
		return x->t->bytes > y->t->bytes ? -1 : 1;
	if (!x->t->device != !y->t->device)
		return x->t->device ? -1 : 1;
	r = x->t->device ? strcmp(x->t->device, y->t->device) : 0;
	return r ? r : (x->at > y->at) - (x->at < y->at);
}

VEC_ORDER(stacks_order, struct pprof_stack, DOWN(bytes));

static struct cell text_cell(const char *s)
{
	return s && *s ? cell_str(s, strlen(s)) : cell_null();
}

struct total_row {
	const struct total *total;
	bool counted;
};

struct stack_row {
	int64_t rank, bytes, allocations, all; /* rank: -1 = none; all: bytes of the devices of the table */
	size_t depth;
	struct cell device, kind, text;
	struct pprof_frame leaf, user;
	bool counted;
};

static struct cell source_cell(struct arena *a, const char *file, int64_t line)
{
	char *text = line > 0 && *file ? xasprintf("%s:%lld", file, (long long)line) : NULL;
	struct cell c = arena_cell(a, text ? text : file);

	free(text);
	return c;
}

#define SCHEMA device
#define SCHEMA_ROW struct total_row
#define SCHEMA_DEF "analyze/memprof/pprof_devices.def"
#include "result/schema_def.h"

#define SCHEMA stack
#define SCHEMA_ROW struct stack_row
#define SCHEMA_DEF "analyze/memprof/stacks.def"
#include "result/schema_def.h"

enum {
#define COLUMN(id, ...) DEVICES_##id,
#include "analyze/memprof/pprof_devices.def"
#undef COLUMN
};

const struct schema pprof_devices_schema = { SCHEMA_COLUMNS(device_columns) };
const struct schema pprof_stacks_schema = { SCHEMA_COLUMNS(stack_columns),
	.view = "bytes share allocations kind function user_source source depth",
	.text = "rank device kind allocations bytes user_source function depth stack" };

static void put_devices(struct building *b)
{
	struct ranked *order = xcalloc(b->ntotals + 1, sizeof *order);
	size_t *row = xcalloc(b->ntotals + 1, sizeof *row);

	for (size_t i = 0; i < b->ntotals; i++)
		order[i] = (struct ranked){ &b->total[i], i };
	qsort(order, b->ntotals, sizeof *order, totals_order);
	for (size_t i = 0; i < b->ntotals; i++) {
		row[order[i].at] = i;
		table_add(&b->p->devices, &(struct total_row){ order[i].t, b->p->allocations >= 0 });
	}
	for (size_t i = 0; i < b->p->nstacks; i++)
		b->p->stack[i].device = row[b->p->stack[i].device];
	free(row);
	free(order);
}

/* Writes "leaf;caller;…;root".  The text of all stacks together is limited. */
static struct cell stack_text(struct pprof *p, const struct pprof_stack *s, size_t *left)
{
	size_t n = 0, len;
	char *text;

	for (size_t i = 0; i < s->depth; i++)
		n += strlen(pprof_frame(p, s->frame[i]).function) + 1;
	if (!s->depth || n > *left) {
		p->cut |= s->depth > 0;
		return cell_null();
	}
	*left -= n;
	text = arena_alloc(&p->text, n);
	for (size_t i = 0, at = 0; i < s->depth; i++, at += len + 1) {
		const char *name = pprof_frame(p, s->frame[i]).function;

		len = strlen(name);
		memcpy(text + at, name, len);
		text[at + len] = ';';
	}
	return cell_str(text, n - 1);
}

static void put_stacks(struct building *b)
{
	const struct pprof_frame none = { "", "", -1 };
	struct pprof *p = b->p;
	size_t left = STACK_TEXT_MAX;

	for (size_t i = 0; i < p->nstacks; i++) {
		const struct pprof_stack *s = &p->stack[i];
		struct stack_row row = { .rank = (int64_t)i + 1,
			.bytes = s->bytes,
			.allocations = s->allocations,
			.all = p->bytes,
			.depth = s->depth,
			.device = *table_at(&p->devices, s->device, DEVICES_device),
			.kind = *table_at(&p->devices, s->device, DEVICES_kind),
			.leaf = s->depth ? pprof_frame(p, s->frame[0]) : none,
			.user = pprof_user_frame(p, s),
			.counted = p->allocations >= 0,
			.text = stack_text(p, s, &left) };

		table_add(&p->stacks, &row);
	}
}

static int64_t bytes_of(const struct pprof *p, size_t device)
{
	return device == SIZE_MAX ? p->bytes : table_at(&p->devices, device, DEVICES_bytes)->u.i;
}

/* Where sizes are missing, a row of 0 bytes has none but such allocations: its size is unknown. */
static void forget_zero(const struct pprof *p, struct cell *row, int64_t bytes)
{
	if (!bytes && p->unknown > 0)
		row[STACKS_bytes] = row[STACKS_share] = cell_null();
}

void pprof_stacks_table(const struct pprof *p, size_t device, struct table *t)
{
	double all = (double)bytes_of(p, device);

	table_begin(t, &pprof_stacks_schema);
	for (size_t i = 0; i < p->nstacks; i++) {
		struct cell *c;

		if (device != SIZE_MAX && p->stack[i].device != device)
			continue;
		c = table_row(t);
		memcpy(c, table_at(&p->stacks, i, 0), t->ncolumns * sizeof *c);
		c[STACKS_share] = all > 0 ? cell_num((double)p->stack[i].bytes / all) : cell_null();
		forget_zero(p, c, p->stack[i].bytes);
	}
}

void pprof_calls_table(const struct pprof *p, size_t device, const struct pprof_node *v, size_t n,
    struct table *t)
{
	const struct pprof_frame none = { "", "", -1 };
	struct stack_row row = { .rank = -1, .all = bytes_of(p, device), .counted = p->allocations >= 0 };
	char name[256];

	table_begin(t, &pprof_stacks_schema);
	for (size_t i = 0; i < n; i++) {
		row.bytes = v[i].bytes;
		row.allocations = v[i].allocations;
		row.depth = (size_t)v[i].depth + 1;
		row.leaf = (struct pprof_frame){ v[i].function, v[i].file, v[i].line };
		if (v[i].frames > 1) {
			int len = snprintf(name, sizeof name, "%.200s \xe2\x80\xa6 %zu frames", v[i].function,
			    v[i].frames);

			row.leaf.function = table_copy(t, name, (size_t)len + 1);
		}
		row.user = python_is_library(v[i].file) ? none : row.leaf;
		table_add(t, &row);
		forget_zero(p, t->cells + i * t->ncolumns, v[i].bytes);
	}
}

static void put_summary(struct building *b)
{
	struct facts *f = &b->p->summary;

	facts_str(f, "kind", "pprof");
	facts_int(f, "samples", (int64_t)b->m->n_sample);
	facts_int(f, "locations", (int64_t)b->m->n_location);
	facts_known(f, "allocations", b->p->allocations);
	facts_int(f, "bytes", b->p->bytes);
	facts_int(f, "unknown_allocations", b->p->unknown);
	facts_int(f, "stacks", (int64_t)b->p->nstacks);
}

void pprof_tables(struct table *devices, struct table *stacks)
{
	table_begin(devices, &pprof_devices_schema);
	table_begin(stacks, &pprof_stacks_schema);
}

/* A merge sort, so that equal stacks keep the order of the file. */
static void sort_stacks(struct pprof *p)
{
	struct pprof_stack *v = p->stack, *to = xcalloc(p->nstacks + 1, sizeof *to), *swap;
	size_t n = p->nstacks;

	for (size_t width = 1; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width) {
			size_t mid = i + width < n ? i + width : n, end = mid + width < n ? mid + width : n,
			       a = i, k = mid;

			for (size_t o = i; o < end; o++)
				to[o] = a < mid && (k == end || stacks_order(&v[a], &v[k]) <= 0) ? v[a++]
												 : v[k++];
		}
		swap = v;
		v = to;
		to = swap;
	}
	free(to);
	p->stack = v;
}

int pprof_build(const struct toolfile *t, struct pprof *p, struct err *e)
{
	struct building b = { .p = p };

	*p = (struct pprof){ .message = toolfile_message(t, &pb__profile__descriptor) };
	pprof_tables(&p->devices, &p->stacks);
	if (!(b.m = p->message))
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no profile found in it");
	find_values(&b);
	if (b.space == SIZE_MAX)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE,
		    "a profile without bytes; open a memory profile: "
		    "jax.profiler.save_device_memory_profile()");
	make_frames(p);
	strtab_init(&b.keys);
	strtab_init(&b.stacks);
	for (size_t i = 0; i < b.m->n_sample; i++)
		take_sample(&b, b.m->sample[i]);
	p->allocations = b.count == SIZE_MAX ? -1 : p->allocations;
	put_devices(&b);
	sort_stacks(p);
	put_stacks(&b);
	put_summary(&b);
	strtab_free(&b.keys);
	strtab_free(&b.stacks);
	free(b.total);
	free(b.key);
	return 0;
}

void pprof_free(struct pprof *p)
{
	if (p->frames) {
		free(p->frames->location);
		free(p->frames->function);
	}
	free(p->frames);
	free(p->stack);
	facts_free(&p->summary);
	table_free(&p->devices);
	table_free(&p->stacks);
	arena_free(&p->text);
	*p = (struct pprof){ .message = NULL };
}
