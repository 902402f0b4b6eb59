#include "config.h"
#include "analyze/memory/listing.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/memory/dump.h"
#include "analyze/memory/internal.h"
#include "base/clamp.h"
#include "base/mem.h"

/* Columns of the tables of dump.h. */
enum { A_INDEX, A_SIZE, A_COLOR, A_CLASS = 4, A_PARAMETER, A_LIVE_OUT = 8, A_THREAD_LOCAL };
enum { V_ALLOCATION, V_ID, V_NAME, V_INDEX, V_COLOR, V_SIZE, V_OFFSET, V_SHAPE };
enum { R_NAME, R_INDEX, R_START, R_END };
enum { P_NAME, P_INDEX, P_BYTES };
enum { S_COLOR = 1, S_TOTAL };
enum { U_COLOR = 1, U_SECTION, U_RANK, U_SIZE = 6, U_OFFSET, U_VALUES, U_SHAPES };

#define SPACES 16
#define ELEMENTS 32 /* tuples in tuples with more of them have no shape */

struct happening {
	int64_t at;
	size_t value;
	bool freed;
};

struct value {
	bool temporary;           /* it does not live as long as the program runs */
	size_t allocation, place; /* place: values with the same place have the same address */
	int64_t offset;
};

struct listing {
	struct arena *a;
	struct memory_dump text[HLO_TEXTS];
	const struct table *table[DUMP_TABLES]; /* each table from whichever text has it; NULL: none */
	Pb__HloModuleProto *module;
	Pb__BufferAssignmentProto *b;
	Pb__HloComputationProto *body;
	struct value *value;                   /* one for each element of b->logical_buffers */
	const Pb__HloModuleProto *message;     /* what lies beside the texts; NULL: nothing does */
	const Pb__HloInstructionProto **known; /* its instructions, by name */
	size_t nknown;
	size_t timed;
};

static const struct cell *at(const struct table *t, size_t row, int column)
{
	return &t->cells[row * t->ncolumns + (size_t)column];
}

static int64_t int_at(const struct table *t, size_t row, int column)
{
	const struct cell *c = at(t, row, column);

	return c->type == CELL_INT ? c->u.i : 0;
}

static bool is_set(const struct table *t, size_t row, int column)
{
	const struct cell *c = at(t, row, column);

	return c->type == CELL_BOOL && c->u.b;
}

static char *text_of(struct arena *a, const struct cell *c)
{
	return c->type == CELL_STR ? arena_strndup(a, c->s, c->n) : arena_strndup(a, "", 0);
}

/* --- shapes --- */

static int64_t *copy_list(struct arena *a, const struct shape_list *l, size_t *n)
{
	int64_t *v = arena_alloc(a, (l->n + 1) * sizeof *v);

	memcpy(v, l->v, l->n * sizeof *v);
	*n = l->n;
	return v;
}

static Pb__LayoutProto *layout_of(struct arena *a, const struct shape_layout *from)
{
	Pb__LayoutProto *to = arena_alloc(a, sizeof *to);

	pb__layout_proto__init(to);
	to->minor_to_major = copy_list(a, &from->order, &to->n_minor_to_major);
	to->tiles = arena_alloc(a, (from->ntiles + 1) * sizeof(void *));
	for (; to->n_tiles < from->ntiles; to->n_tiles++) {
		Pb__TileProto *tile = to->tiles[to->n_tiles] = arena_alloc(a, sizeof *tile);

		pb__tile_proto__init(tile);
		tile->dimensions = copy_list(a, &from->tile[to->n_tiles], &tile->n_dimensions);
	}
	to->tail_padding_alignment_in_elements = from->tail;
	to->element_size_in_bits = from->bits;
	to->memory_space = from->space;
	to->has_tail_padding_alignment_in_elements = from->tail > 1;
	to->has_element_size_in_bits = from->bits > 0;
	to->has_memory_space = from->space > 0;
	return to;
}

/* Returns NULL for what is neither an array nor a tuple of them. */
static Pb__ShapeProto *proto_of(struct arena *a, const struct shape *s)
{
	Pb__ShapeProto *to = arena_alloc(a, sizeof *to);

	pb__shape_proto__init(to);
	to->element_type = s->type;
	to->has_element_type = true;
	if (shape_is_array(s)) {
		to->dimensions = copy_list(a, &s->dim, &to->n_dimensions);
		to->layout = s->layout ? layout_of(a, s->layout) : NULL;
		return to;
	}
	to->tuple_shapes = arena_alloc(a, (s->nsub + 1) * sizeof(void *));
	for (; s->type == SHAPE_TUPLE && to->n_tuple_shapes < s->nsub; to->n_tuple_shapes++)
		if (!(to->tuple_shapes[to->n_tuple_shapes] = proto_of(a, &s->sub[to->n_tuple_shapes])))
			return NULL;
	return s->type == SHAPE_TUPLE ? to : NULL;
}

static Pb__ShapeProto *shape_of(struct arena *a, const struct cell *c)
{
	struct shape s;

	return c->type == CELL_STR && shape_parse(a, c->s, c->n, &s) ? proto_of(a, &s) : NULL;
}

/* A tuple that is itself an element of one: XLA's index of a value is of the shape of its instruction. */
static Pb__ShapeProto *as_element(struct arena *a, Pb__ShapeProto *shape, int64_t index)
{
	Pb__ShapeProto *to = arena_alloc(a, sizeof *to);

	if (!shape || (int)shape->element_type != SHAPE_TUPLE)
		return shape;
	if (index < 0 || index > ELEMENTS)
		return NULL;
	pb__shape_proto__init(to);
	to->element_type = shape->element_type;
	to->has_element_type = true;
	to->tuple_shapes = arena_alloc(a, (size_t)(index + 1) * sizeof(void *));
	while (to->n_tuple_shapes <= (size_t)index)
		to->tuple_shapes[to->n_tuple_shapes++] = shape;
	return to;
}

/* --- the message beside the texts --- */

static int by_instruction(const void *a, const void *b)
{
	const Pb__HloInstructionProto *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static void index_message(struct listing *l, const Pb__HloProto *p)
{
	size_t n = 0;

	if (!p || !p->hlo_module)
		return;
	l->message = p->hlo_module;
	for (size_t i = 0; i < l->message->n_computations; i++)
		n += l->message->computations[i]->n_instructions;
	l->known = xcalloc(n + 1, sizeof *l->known);
	for (size_t i = 0; i < l->message->n_computations; i++) {
		const Pb__HloComputationProto *c = l->message->computations[i];

		for (size_t k = 0; k < c->n_instructions; k++)
			if (c->instructions[k]->name)
				l->known[l->nknown++] = c->instructions[k];
	}
	VEC_SORT(l->known, l->nknown, by_instruction);
}

/* The texts leave out the kind of op and where it comes from. */
static void take_from_message(const struct listing *l, Pb__HloInstructionProto *to)
{
	const Pb__HloInstructionProto *key = to, **found = NULL;

	if (l->nknown)
		found = bsearch(&key, l->known, l->nknown, sizeof *l->known, by_instruction);
	if (!found)
		return;
	to->opcode = (*found)->opcode;
	to->metadata = (*found)->metadata;
	if (!to->shape)
		to->shape = (*found)->shape;
}

/* --- allocations and what is in them --- */

static void add_value(struct listing *l, int64_t id, const struct cell *name, const struct cell *index,
    const struct cell *shape, int64_t size, bool temporary)
{
	Pb__HloInstructionProto *i = arena_alloc(l->a, sizeof *i);
	Pb__LogicalBufferProto *v = arena_alloc(l->a, sizeof *v);
	Pb__LogicalBufferProto__Location *where = arena_alloc(l->a, sizeof *where);

	pb__hlo_instruction_proto__init(i);
	pb__logical_buffer_proto__init(v);
	pb__logical_buffer_proto__location__init(where);
	i->name = text_of(l->a, name);
	i->id = where->instruction_id = v->id = id;
	where->has_instruction_id = true;
	i->shape = shape ? shape_of(l->a, shape) : NULL;
	if (index->type == CELL_STR && index->n > 2) { /* longer than "{}": has numbers, such as "{0,1}" */
		const char *p = text_of(l->a, index);

		where->shape_index = arena_alloc(l->a, index->n * sizeof *where->shape_index);
		for (p++; *p && *p != '}'; p += strcspn(p, ",}"), p += *p == ',')
			where->shape_index[where->n_shape_index++] = strtoll(p, NULL, 10);
		if (where->n_shape_index)
			i->shape = as_element(l->a, i->shape, where->shape_index[where->n_shape_index - 1]);
	}
	take_from_message(l, i);
	v->defined_at = where;
	v->size = size;
	v->color = l->b->buffer_allocations[l->b->n_buffer_allocations - 1]->color;
	l->value[l->b->n_logical_buffers] =
	    (struct value){ .temporary = temporary, .allocation = l->b->n_buffer_allocations - 1 };
	l->body->instructions[l->body->n_instructions++] = i;
	l->b->logical_buffers[l->b->n_logical_buffers++] = v;
}

static void assign(struct listing *l, Pb__BufferAllocationProto *to, int64_t id, int64_t offset, int64_t size)
{
	Pb__BufferAllocationProto__Assigned *p = arena_alloc(l->a, sizeof *p);

	pb__buffer_allocation_proto__assigned__init(p);
	p->logical_buffer_id = id;
	p->offset = offset;
	p->size = size;
	to->assigned[to->n_assigned++] = p;
	l->value[l->b->n_logical_buffers - 1].offset = offset;
}

static Pb__BufferAllocationProto *new_allocation(struct listing *l, size_t values)
{
	Pb__BufferAllocationProto *p = arena_alloc(l->a, sizeof *p);

	pb__buffer_allocation_proto__init(p);
	p->assigned = arena_alloc(l->a, (values + 1) * sizeof(void *));
	l->b->buffer_allocations[l->b->n_buffer_allocations++] = p;
	return p;
}

static void put_allocations(struct listing *l)
{
	const struct table *t = l->table[DUMP_ALLOCATIONS], *v = l->table[DUMP_VALUES];
	size_t next = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		size_t first = next;
		Pb__BufferAllocationProto *p;
		const struct cell *class = at(t, i, A_CLASS);

		while (next < v->nrows && int_at(v, next, V_ALLOCATION) == int_at(t, i, A_INDEX))
			next++;
		p = new_allocation(l, next - first);
		p->index = int_at(t, i, A_INDEX);
		p->size = int_at(t, i, A_SIZE);
		p->color = int_at(t, i, A_COLOR);
		p->is_entry_computation_parameter = at(t, i, A_PARAMETER)->type == CELL_INT;
		p->maybe_live_out = is_set(t, i, A_LIVE_OUT);
		p->is_thread_local = is_set(t, i, A_THREAD_LOCAL);
		p->is_constant = slice_is(cell_text(class), "constant");
		for (; first < next; first++) {
			add_value(l, int_at(v, first, V_ID), at(v, first, V_NAME), at(v, first, V_INDEX),
			    at(v, first, V_SHAPE), int_at(v, first, V_SIZE),
			    !memory_indefinite(p) && !p->is_thread_local);
			assign(l, p, int_at(v, first, V_ID), int_at(v, first, V_OFFSET),
			    int_at(v, first, V_SIZE));
		}
	}
}

/* With only live ranges, all that is known is the sizes of what is alive at the peak.  They are laid one
 * after another in one allocation. */
static void put_peak(struct listing *l)
{
	const struct table *t = l->table[DUMP_PEAK];
	Pb__BufferAllocationProto *p = new_allocation(l, t->nrows);
	int64_t offset = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		int64_t size = int_at(t, i, P_BYTES);

		add_value(l, (int64_t)i + 1, at(t, i, P_NAME), at(t, i, P_INDEX), NULL, size, true);
		assign(l, p, (int64_t)i + 1, offset, size);
		if (__builtin_add_overflow(offset, size, &offset))
			offset = INT64_MAX;
	}
	p->size = offset;
}

/* Rows of a usage report, from row i on, that belong to one allocation. */
static size_t rows_together(const struct table *t, size_t i)
{
	size_t n = 1;

	while (i + n < t->nrows && int_at(t, i + n, U_COLOR) == int_at(t, i, U_COLOR) &&
	    int_at(t, i + n, U_SECTION) == int_at(t, i, U_SECTION))
		n++;
	return n;
}

/* A report lists only so many allocations of a space; its total is of all of them.  No chip has more than SPACES. */
static void put_unlisted(struct listing *l)
{
	static const struct cell none = { .type = CELL_NULL };
	const struct table *t = l->table[DUMP_SPACES];
	size_t listed = l->b->n_buffer_allocations, values = l->table[DUMP_REPORT]->nrows;
	struct cell name = cell_strz("not listed");

	for (size_t i = 0; t && i < t->nrows && i < SPACES; i++) {
		Pb__BufferAllocationProto *p;
		int64_t rest = int_at(t, i, S_TOTAL);

		for (size_t k = 0; k < listed; k++)
			if (l->b->buffer_allocations[k]->color == int_at(t, i, S_COLOR))
				rest = sub_clamped(rest, l->b->buffer_allocations[k]->size);
		if (rest <= 0)
			continue;
		p = new_allocation(l, 1);
		p->color = int_at(t, i, S_COLOR);
		p->size = rest;
		add_value(l, (int64_t)++values, &name, &none, &none, rest, true);
		assign(l, p, (int64_t)values, 0, rest);
	}
}

/* A usage report has sizes, offsets and shapes, such as "2×f32[8192,1024,128]", but no names. */
static void put_report(struct listing *l)
{
	static const struct cell none = { .type = CELL_NULL };
	const struct table *t = l->table[DUMP_REPORT];
	Pb__BufferAllocationProto *p = NULL;
	size_t next = 0;

	for (size_t i = 0; i < t->nrows; i++) {
		const struct cell *shapes = at(t, i, U_SHAPES);
		int64_t size = int_at(t, i, U_SIZE), offset = int_at(t, i, U_OFFSET), end;
		struct cell shape = *shapes, name;
		const char *sign = shapes->type == CELL_STR ? memmem(shapes->s, shapes->n, "×", 2) : NULL;
		char *label = xasprintf("%lld value%s", (long long)int_at(t, i, U_VALUES),
		    int_at(t, i, U_VALUES) == 1 ? "" : "s");

		if (i == next) {
			next += rows_together(t, i);
			p = new_allocation(l, next - i);
			p->color = int_at(t, i, U_COLOR);
		}
		if (sign)
			shape = cell_str(sign + 2, shapes->n - (size_t)(sign + 2 - shapes->s));
		name = cell_str(label, strlen(label));
		add_value(l, (int64_t)i + 1, &name, &none, &shape, size, true);
		assign(l, p, (int64_t)i + 1, offset, size);
		if (!__builtin_add_overflow(offset, size, &end) && end > p->size)
			p->size = end;
		free(label);
	}
	put_unlisted(l);
}

/* --- program time --- */

VEC_ORDER(by_time, struct happening, UP(at) DOWN(freed) UP(value));

struct named {
	const struct cell *name, *index;
	size_t row;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = slice_order(cell_text(x->name), cell_text(y->name));

	return c ? c : slice_order(cell_text(x->index), cell_text(y->index));
}

/* An index "{}" and no index are the same. */
static const struct cell *index_of(const struct table *t, size_t row, int column)
{
	static const struct cell none = { .type = CELL_NULL };
	const struct cell *c = at(t, row, column);

	return c->type == CELL_STR && c->n > 2 ? c : &none;
}

static struct named *ranges_by_name(const struct table *t, size_t *n)
{
	struct named *v = xcalloc(t->nrows + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < t->nrows; i++)
		if (at(t, i, R_NAME)->type == CELL_STR)
			v[(*n)++] = (struct named){ at(t, i, R_NAME), index_of(t, i, R_INDEX), i };
	qsort(v, *n, sizeof *v, by_name);
	return v;
}

/* Turns live ranges into events.  A value stays alive until after its last instruction. */
static size_t happenings(struct listing *l, const struct table *t, int name, int index, struct happening *h)
{
	const struct table *ranges = l->table[DUMP_LIVE_RANGES];
	size_t n, k = 0;
	struct named *v = ranges_by_name(ranges, &n);

	for (size_t i = 0; i < t->nrows && i < l->b->n_logical_buffers; i++) {
		struct named key = { at(t, i, name), index_of(t, i, index), 0 }, *found = NULL;

		if (key.name->type == CELL_STR && l->value[i].temporary)
			found = bsearch(&key, v, n, sizeof *v, by_name);
		if (!found)
			continue;
		l->timed++;
		h[k++] = (struct happening){ int_at(ranges, found->row, R_START), i, false };
		h[k++] = (struct happening){ add_clamped(int_at(ranges, found->row, R_END), 1), i, true };
	}
	free(v);
	VEC_SORT(h, k, by_time);
	return k;
}

static char *instruction_at(const struct listing *l, int64_t i)
{
	const struct table *t = l->table[DUMP_INSTRUCTIONS];

	return t && i >= 0 && (uint64_t)i < t->nrows ? text_of(l->a, at(t, (size_t)i, 1)) : NULL;
}

static int by_address(const void *a, const void *b, void *ctx)
{
	const struct value *v = ctx, *x = &v[*(const size_t *)a], *y = &v[*(const size_t *)b];

	if (x->allocation != y->allocation)
		return x->allocation < y->allocation ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void find_places(struct listing *l)
{
	size_t n = l->b->n_logical_buffers, *order = xcalloc(n + 1, sizeof *order);

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_address, l->value);
	for (size_t i = 1; i < n; i++)
		l->value[order[i]].place =
		    l->value[order[i - 1]].place + (by_address(&order[i - 1], &order[i], l->value) != 0);
	free(order);
}

struct place {
	size_t owner, alive;
};

/* Values at the same address at the same time use one memory: those of a loop and its body, or of an op done
 * in place.  The later one shares the memory of the earlier one. */
static void put_event(struct listing *l, Pb__HeapSimulatorTrace *t, const struct happening *h,
    struct place *places)
{
	Pb__LogicalBufferProto *const *v = l->b->logical_buffers;
	struct place *p = &places[l->value[h->value].place];
	Pb__HeapSimulatorTrace__Event *e = arena_alloc(l->a, sizeof *e);

	pb__heap_simulator_trace__event__init(e);
	e->buffer_id = v[h->value]->id;
	e->instruction_name = instruction_at(l, h->at);
	if (h->freed) {
		e->kind = PB__HEAP_SIMULATOR_TRACE__EVENT__KIND__FREE;
		p->alive--;
	} else if (p->alive++ && v[p->owner]->size >= v[h->value]->size) {
		e->kind = PB__HEAP_SIMULATOR_TRACE__EVENT__KIND__SHARE_WITH;
		e->share_with_canonical_id = v[p->owner]->id;
	} else {
		e->kind = PB__HEAP_SIMULATOR_TRACE__EVENT__KIND__ALLOC;
		p->owner = h->value;
	}
	t->events[t->n_events++] = e;
}

static void put_trace(struct listing *l, const struct happening *h, size_t n, int64_t color,
    struct place *places)
{
	Pb__HeapSimulatorTrace *t = arena_alloc(l->a, sizeof *t);

	pb__heap_simulator_trace__init(t);
	t->events = arena_alloc(l->a, (n + 1) * sizeof(void *));
	for (size_t i = 0; i < n; i++)
		if (l->b->logical_buffers[h[i].value]->color == color)
			put_event(l, t, &h[i], places);
	if (t->n_events)
		l->b->heap_simulator_traces[l->b->n_heap_simulator_traces++] = t;
}

static void put_traces(struct listing *l, bool allocations)
{
	const struct table *t = l->table[allocations ? DUMP_VALUES : DUMP_PEAK];
	struct happening *h = xcalloc(2 * t->nrows + 1, sizeof *h);
	struct place *places = xcalloc(l->b->n_logical_buffers + 1, sizeof *places);
	size_t n = allocations ? happenings(l, t, V_NAME, V_INDEX, h) : happenings(l, t, P_NAME, P_INDEX, h);

	l->b->heap_simulator_traces = arena_alloc(l->a, SPACES * sizeof(void *));
	find_places(l);
	for (int64_t color = 0; n && color < SPACES; color++)
		put_trace(l, h, n, color, places);
	free(places);
	free(h);
}

/* --- all of it --- */

static bool listing_begin(struct listing *l, size_t values, size_t allocations)
{
	l->b = arena_alloc(l->a, sizeof *l->b);
	l->module = arena_alloc(l->a, sizeof *l->module);
	l->body = arena_alloc(l->a, sizeof *l->body);
	pb__buffer_assignment_proto__init(l->b);
	pb__hlo_module_proto__init(l->module);
	pb__hlo_computation_proto__init(l->body);
	l->b->logical_buffers = arena_alloc(l->a, (values + 1) * sizeof(void *));
	l->b->buffer_allocations = arena_alloc(l->a, (allocations + 1) * sizeof(void *));
	l->body->instructions = arena_alloc(l->a, (values + 1) * sizeof(void *));
	l->value = arena_alloc(l->a, (values + 1) * sizeof *l->value);
	l->module->computations = arena_alloc(l->a, sizeof(void *));
	l->module->computations[l->module->n_computations++] = l->body;
	return values && allocations;
}

static const Pb__HloProto *finish(struct listing *l, const struct hlo_module *m)
{
	Pb__HloProto *p = arena_alloc(l->a, sizeof *p);

	pb__hlo_proto__init(p);
	l->module->name = arena_strndup(l->a, m->name, strlen(m->name));
	if (l->message) {
		l->module->entry_computation_name = l->message->entry_computation_name;
		l->module->stack_frame_index = l->message->stack_frame_index;
	}
	p->hlo_module = l->module;
	p->buffer_assignment = l->b;
	return p;
}

static const char *what_lacks(const struct listing *l, bool found, bool report, bool assigned)
{
	if (!found)
		return "the text has no buffers";
	if (report)
		return "from a usage report: sizes and shapes, no names, categories or program points";
	if (!assigned)
		return l->message ? "from live ranges only: the peak without addresses and kinds"
				  : "from live ranges only: the peak without addresses, kinds, shapes or "
				    "framework ops";
	if (l->message)
		return l->timed ? "the HLO proto has no buffers: they are from the texts beside it"
				: "the HLO proto has no buffers: they are from a text beside it, without "
				  "program points";
	return l->timed
	    ? "from texts of the compiler: no framework ops, no source lines"
	    : "from a text: no framework ops, no program points (add its live-range.txt for these)";
}

const Pb__HloProto *memory_listing(const struct hlo_module *m, const Pb__HloProto *message, struct arena *a,
    const char **lacks, struct listed *has)
{
	struct listing l = { .a = a };
	const Pb__HloProto *p = NULL;
	size_t n = 0, spaces;
	bool assigned, timed, report;

	for (; n < m->ntexts; n++) {
		memory_dump_parse(m->text[n].s, m->text[n].n, &l.text[n], NULL);
		for (int i = 0; i < DUMP_TABLES; i++)
			if (l.text[n].table[i].nrows && !l.table[i])
				l.table[i] = &l.text[n].table[i];
	}
	index_message(&l, message);
	assigned = l.table[DUMP_ALLOCATIONS] && l.table[DUMP_VALUES];
	timed = l.table[DUMP_LIVE_RANGES];
	report = !assigned && l.table[DUMP_REPORT];
	spaces = l.table[DUMP_SPACES] ? l.table[DUMP_SPACES]->nrows : 0;
	if (assigned && listing_begin(&l, l.table[DUMP_VALUES]->nrows, l.table[DUMP_ALLOCATIONS]->nrows)) {
		put_allocations(&l);
		p = finish(&l, m);
	} else if (report &&
	    listing_begin(&l, l.table[DUMP_REPORT]->nrows + spaces, l.table[DUMP_REPORT]->nrows + spaces)) {
		put_report(&l);
		p = finish(&l, m);
	} else if (!assigned && l.table[DUMP_PEAK] && listing_begin(&l, l.table[DUMP_PEAK]->nrows, 1)) {
		put_peak(&l);
		p = finish(&l, m);
	}
	if (p && timed && !report)
		put_traces(&l, assigned);
	*lacks = what_lacks(&l, p, report, assigned);
	*has = (struct listed){ .kinds = assigned, .places = assigned || report };
	free(l.known);
	while (n--)
		memory_dump_free(&l.text[n]);
	return p;
}
