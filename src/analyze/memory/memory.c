#include "config.h"
#include "analyze/memory/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/memory/listing.h"
#include "base/text/units.h"

#define UNTRACED 10 /* temporaries without times are told of from this part of the peak on */

const struct memory_buffer memory_no_buffer = { .id = -1,
	.category = MEMORY_CATEGORIES,
	.offset = -1,
	.start = -1,
	.end = -1,
	.name = "",
	.opcode = "",
	.op_name = "",
	.shape = "",
	.source = "",
	.stack = "",
	.label = "" };

void memory_problem(struct memory *m, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	if (m->problem)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	m->problem = arena_strndup(&m->text, text, strlen(text));
}

static const char *text_of(const char *s)
{
	return s ? s : "";
}

bool memory_indefinite(const Pb__BufferAllocationProto *a)
{
	return !a->is_thread_local &&
	    (a->is_entry_computation_parameter || a->is_constant || a->maybe_live_out);
}

static enum memory_category memory_category_of(const Pb__BufferAllocationProto *a)
{
	return a->is_entry_computation_parameter ? MEMORY_PARAMETER
	    : a->maybe_live_out                  ? MEMORY_OUTPUT
	    : a->is_thread_local                 ? MEMORY_THREAD_LOCAL
	    : a->is_constant                     ? MEMORY_CONSTANT
						 : MEMORY_TEMPORARY;
}

/* Returns the heap trace of the first allocation of the space that has one, else the trace with the most
 * events in that space. */
static const Pb__HeapSimulatorTrace *choose_trace(const struct simulation *s)
{
	const Pb__BufferAssignmentProto *b = s->b;
	const Pb__HeapSimulatorTrace **of = xcalloc(b->n_buffer_allocations + 1, sizeof(void *)),
				     *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < b->n_heap_simulator_traces; i++) {
		const Pb__HeapSimulatorTrace *t = b->heap_simulator_traces[i];
		const struct logical *l = t->n_events ? memory_logical(s, t->events[0]->buffer_id) : NULL;

		if (l)
			of[l->allocation] = t;
	}
	for (size_t i = 0; i < b->n_buffer_allocations && !best; i++)
		if (b->buffer_allocations[i]->color == s->m->space &&
		    !memory_indefinite(b->buffer_allocations[i]))
			best = of[i];
	free(of);
	for (size_t i = 0; i < b->n_heap_simulator_traces && (!best || most); i++) {
		const Pb__HeapSimulatorTrace *t = b->heap_simulator_traces[i];
		size_t n = 0;

		for (size_t k = 0; k < t->n_events; k++) {
			const struct logical *l = memory_logical(s, t->events[k]->buffer_id);

			n += l && l->p->color == s->m->space;
		}
		if (n > most) {
			most = n;
			best = t;
		}
	}
	return best;
}

/* For an allocation that lives as long as the program runs, returns its largest buffer, which stands for all
 * of it. */
static struct logical *largest_of(const struct simulation *s, const Pb__BufferAllocationProto *a)
{
	struct logical *best = NULL;
	int64_t size = 0;

	for (size_t i = 0; i < a->n_assigned; i++) {
		struct logical *l = memory_logical(s, a->assigned[i]->logical_buffer_id);

		if (l && l->size > size) {
			size = l->size;
			best = l;
		}
	}
	return best;
}

static enum memory_category category_of(const struct simulation *s, const Pb__BufferAllocationProto *a)
{
	return s->m->no_kinds ? MEMORY_UNKNOWN : memory_category_of(a);
}

static struct memory_buffer buffer_of(struct simulation *s, const struct logical *l)
{
	const Pb__OpMetadata *meta = l->instruction->metadata;

	return (struct memory_buffer){ .id = l->p->id,
		.category = category_of(s, s->b->buffer_allocations[l->allocation]),
		.size = l->size,
		.unpadded = s->m->lacks && !l->shape ? -1 : l->unpadded,
		.allocation = l->allocation,
		.offset = s->m->no_places ? -1 : l->offset,
		.start = l->start,
		.end = l->end,
		.shares = l->canonical != NO_BUFFER,
		.name = memory_buffer_name(&s->m->text, l),
		.opcode = text_of(l->instruction->opcode),
		.op_name = meta ? text_of(meta->op_name) : "",
		.instruction = l->instruction,
		.shape_proto = l->shape };
}

static void add_to_category(struct simulation *s, const Pb__BufferAllocationProto *a, int64_t size)
{
	int64_t *sum = &s->m->category[category_of(s, a)];

	*sum = sum_bytes(*sum, size > 0 ? size : 0);
}

static void add_peak(struct simulation *s, const struct logical *l, struct memory_buffer *small)
{
	struct memory *m = s->m;

	if (l->size < SMALL) {
		small->size = sum_bytes(small->size, l->size);
		m->small[m->nsmall++] = buffer_of(s, l);
		return;
	}
	m->peak[m->npeak] = buffer_of(s, l);
	memory_describe(m, &m->peak[m->npeak++]);
}

/* Fills the list of what is alive at the peak: what lives as long as the program runs, then what the heap
 * trace has at that time, and one entry for all small buffers together. */
static void make_peak(struct simulation *s)
{
	struct memory *m = s->m;
	struct memory_buffer small = memory_no_buffer;

	small.label = "small (<16384 bytes)";
	m->peak = xcalloc(s->b->n_buffer_allocations + s->npeak + 1, sizeof *m->peak);
	m->small = xcalloc(s->b->n_buffer_allocations + s->npeak + 1, sizeof *m->small);
	for (size_t i = 0; i < s->b->n_buffer_allocations; i++) {
		const Pb__BufferAllocationProto *a = s->b->buffer_allocations[i];
		const struct logical *l =
		    a->color == m->space && memory_indefinite(a) ? largest_of(s, a) : NULL;

		if (l) {
			add_to_category(s, a, memory_possible(a->size));
			if (!m->space)
				add_peak(s, l, &small);
		}
	}
	for (size_t i = 0; i < s->npeak; i++) {
		const struct logical *l = &s->v[s->peak[i].buffer];

		add_to_category(s, s->b->buffer_allocations[l->allocation], l->size);
		add_peak(s, &s->v[s->peak[i].shown], &small);
	}
	if (small.size)
		m->peak[m->npeak++] = small;
}

struct born {
	int64_t start, id;
	size_t at;
};

VEC_ORDER(by_start, struct born, UP(start) UP(id));

static void make_all(struct simulation *s)
{
	size_t n = s->b->n_logical_buffers, *from = xcalloc(n + 2, sizeof *from);
	struct memory_life *life = arena_alloc(&s->m->text, (s->nlife + 1) * sizeof *life);
	struct born *born = xcalloc(n + 1, sizeof *born);
	struct memory *m = s->m;
	size_t nborn = 0;

	for (size_t i = 0; i < s->nlife; i++)
		from[s->life[i].buffer + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		from[i] += from[i - 1];
	for (size_t i = 0; i < s->nlife; i++)
		life[from[s->life[i].buffer + 1]++] =
		    (struct memory_life){ s->life[i].start, s->life[i].end };
	m->all = xcalloc(s->nlife + 1, sizeof *m->all);
	for (size_t i = 0; i < n; i++)
		if (s->v[i].start >= 0)
			born[nborn++] = (struct born){ s->v[i].start, s->v[i].p->id, i };
	VEC_SORT(born, nborn, by_start);
	for (; m->nall < nborn; m->nall++) {
		size_t i = born[m->nall].at;

		m->all[m->nall] = buffer_of(s, &s->v[i]);
		m->all[m->nall].life = life + from[i];
		m->all[m->nall].nlives = from[i + 1] - from[i];
	}
	free(born);
	free(from);
}

static int by_form(const void *a, const void *b)
{
	const struct memory_buffer *const *x = a, *const *y = b;

	if ((*x)->size != (*y)->size)
		return (*x)->size < (*y)->size ? 1 : -1;
	return strcmp((*x)->shape, (*y)->shape);
}

static bool is_free(const struct simulation *s, const struct memory_buffer *b)
{
	const Pb__BufferAllocationProto *a = s->b->buffer_allocations[b->allocation];

	return b->category == MEMORY_PARAMETER && !a->maybe_live_out && !a->is_parameter_aliased_with_output;
}

/* Finds parameters that are not aliased with an output although an output of the same size and shape could
 * take their memory. */
static void find_donations(struct simulation *s)
{
	struct memory *m = s->m;
	const struct memory_buffer **in = xcalloc(m->npeak + 1, sizeof *in),
				   **out = xcalloc(m->npeak + 1, sizeof *out);
	size_t nin = 0, nout = 0;

	m->donation = xcalloc(m->npeak + 1, sizeof *m->donation);
	for (size_t i = 0; i < m->npeak; i++) {
		if (m->peak[i].category == MEMORY_OUTPUT)
			out[nout++] = &m->peak[i];
		else if (m->peak[i].instruction && is_free(s, &m->peak[i]))
			in[nin++] = &m->peak[i];
	}
	qsort(in, nin, sizeof *in, by_form);
	qsort(out, nout, sizeof *out, by_form);
	for (size_t i = 0, o = 0; i < nin && o < nout;) {
		int c = by_form(&in[i], &out[o]);

		if (!c)
			m->donation[m->ndonations++] =
			    (struct memory_donation){ in[i], out[o], out[o]->size };
		i += c <= 0;
		o += c >= 0;
	}
	free(in);
	free(out);
}

struct totals {
	int64_t parameters, live_out, fixed, indefinite, allocated;
	bool impossible; /* some allocation has no possible size, so none of these is known */
};

static struct totals totals_of(const struct simulation *s)
{
	struct totals t = { 0 };

	for (size_t i = 0; s->b && i < s->b->n_buffer_allocations; i++) {
		const Pb__BufferAllocationProto *a = s->b->buffer_allocations[i];
		int64_t size = memory_possible(a->size);

		if (a->color != s->m->space)
			continue;
		t.impossible |= size != a->size;
		if (a->is_entry_computation_parameter)
			t.parameters = sum_bytes(t.parameters, size);
		if (a->maybe_live_out)
			t.live_out = sum_bytes(t.live_out, size);
		if (a->is_thread_local || a->is_tuple)
			t.fixed = sum_bytes(t.fixed, size);
		if (memory_indefinite(a))
			t.indefinite = sum_bytes(t.indefinite, size);
		if (!a->is_thread_local)
			t.allocated = sum_bytes(t.allocated, size);
	}
	return t;
}

/* Returns the bytes that XProf adds to the heap: the permanent allocations of which it knows a buffer. */
static int64_t indefinite_of(struct simulation *s)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->b->n_buffer_allocations; i++) {
		const Pb__BufferAllocationProto *a = s->b->buffer_allocations[i];

		const struct logical *l =
		    a->color == s->m->space && memory_indefinite(a) ? largest_of(s, a) : NULL;

		if (!l || !memory_possible(a->size))
			continue;
		sum = sum_bytes(sum, memory_possible(a->size));
		s->padding = sum_bytes(s->padding, l->size > l->unpadded ? l->size - l->unpadded : 0);
	}
	return sum;
}

static double known(bool is, int64_t bytes)
{
	return is ? (double)bytes : NAN;
}

void memory_summary(struct memory *m, const char *module, const char *entry, int64_t peak_at)
{
	const struct memory_sums *s = &m->sums;
	struct facts *f = &m->summary;

	facts_str(f, "moduleName", module);
	facts_str(f, "entryComputationName", entry);
	facts_int(f, "space", m->space);
	facts_str(f, "space_name", memory_space_name(m->space));
	facts_num(f, "peakHeapMib", s->peak / MIB);
	facts_num(f, "peakUnpaddedHeapMib", s->peak_unpadded / MIB);
	facts_num(f, "totalBufferAllocationMib", s->allocated / MIB);
	facts_num(f, "entryComputationParametersMib", s->parameters / MIB);
	facts_num(f, "maybeLiveOutMib", s->live_out / MIB);
	facts_num(f, "nonReusableMib", s->fixed / MIB);
	facts_num(f, "indefiniteBufferAllocationMib", s->indefinite / MIB);
	facts_known(f, "peakHeapSizePosition", peak_at);
	facts_num(f, "addressPeakMib", s->by_address / MIB);
	facts_num(f, "parameterPaddingMib", s->padding / MIB);
	facts_num(f, "fragmentation_percent", s->fragmentation);
	facts_num(f, "limitMib", known(m->limit >= 0, m->limit) / MIB);
	facts_num(f, "donatableMib", s->donatable / MIB);
	facts_num(f, "gatheredWeightsMib", known(m->hlo && m->npeak, m->gathered) / MIB);
}

static void summarize(struct simulation *s, const struct totals *t)
{
	struct memory *m = s->m;
	int64_t address = s->indefinite, donatable = 0, rest = t->allocated - t->indefinite;
	bool kinds = s->b && !m->no_kinds && !t->impossible;

	for (size_t i = 0; i < m->npoints; i++)
		address = m->address[i] > address ? m->address[i] : address;
	for (size_t i = 0; i < m->ndonations; i++)
		donatable = sum_bytes(donatable, m->donation[i].size);
	m->sums = (struct memory_sums){
		.peak = known(s->b, m->peak_bytes),
		.peak_unpadded = known(s->b && !m->no_shapes && !m->no_times, m->peak_unpadded),
		.allocated = known(s->b && !m->no_places, t->allocated),
		.parameters = known(kinds, t->parameters),
		.live_out = known(kinds, t->live_out),
		.fixed = known(kinds, t->fixed),
		.indefinite = known(kinds, t->indefinite),
		.by_address = known(s->b && !m->no_places && !m->no_times, address),
		.padding = known(kinds && !m->no_shapes, s->padding),
		.donatable = known(kinds, donatable),
		.fragmentation = rest > 0 && !m->no_places && !m->no_times
		    ? 100 * (double)(t->allocated - m->peak_bytes) / (double)rest
		    : NAN,
	};
	memory_summary(m,
	    m->hlo          ? text_of(m->hlo->name)
		: m->module ? m->module->name
			    : NULL,
	    m->hlo ? text_of(m->hlo->entry_computation_name) : NULL, s->b && !m->no_times ? m->peak_at : -1);
	facts_num(&m->summary, "scopedMib", known(m->scoped >= 0, m->scoped) / MIB);
	facts_num(&m->summary, "peakWithScopedMib",
	    known(s->b && m->scoped >= 0, sum_bytes(m->peak_bytes, m->scoped)) / MIB);
}

/* Adds what lives as long as the program runs to every point of the curves. */
static void add_indefinite(struct simulation *s)
{
	struct memory *m = s->m;

	s->indefinite = indefinite_of(s);
	m->fixed_padding = s->padding;
	for (size_t i = 0; i < m->npoints; i++) {
		m->heap[i] = sum_bytes(m->heap[i], s->indefinite);
		m->unpadded[i] = sum_bytes(m->unpadded[i], s->indefinite);
	}
	m->peak_bytes = sum_bytes(m->peak_bytes, s->indefinite);
	m->peak_unpadded = sum_bytes(m->peak_unpadded, s->indefinite);
}

/* Without a heap trace: everything that is allocated counts as alive at the peak, with an entry for each
 * temporary value. */
static void add_untimed(struct simulation *s)
{
	struct memory *m = s->m;
	enum memory_category category = m->no_kinds ? MEMORY_UNKNOWN : MEMORY_TEMPORARY;
	int64_t temporary = 0;

	m->peak = xrealloc(m->peak, m->npeak + s->b->n_logical_buffers + 1, sizeof *m->peak);
	for (size_t i = 0; i < s->b->n_buffer_allocations; i++) {
		const Pb__BufferAllocationProto *a = s->b->buffer_allocations[i];

		if (a->color != m->space || memory_indefinite(a) || a->is_thread_local)
			continue;
		temporary = sum_bytes(temporary, memory_possible(a->size));
		for (size_t k = 0; k < a->n_assigned; k++) {
			const struct logical *l = memory_logical(s, a->assigned[k]->logical_buffer_id);

			if (!l || l->size < SMALL || m->npeak > s->b->n_logical_buffers)
				continue;
			m->peak[m->npeak] = buffer_of(s, l);
			memory_describe(m, &m->peak[m->npeak++]);
		}
	}
	m->category[category] = sum_bytes(m->category[category], temporary);
	m->peak_bytes = sum_bytes(m->peak_bytes, temporary);
	m->peak_unpadded = 0;
}

/* The compiler's heap trace may leave temporaries out, such as those of computations that run beside the
 * program (async calls of tpu7x); with many of them, more is in use than the trace shows. */
static void find_untraced(struct simulation *s)
{
	struct memory *m = s->m;
	size_t n = 0, of = 0;
	char bytes[24], text[160];

	for (size_t i = 0; i < s->b->n_buffer_allocations; i++) {
		const Pb__BufferAllocationProto *a = s->b->buffer_allocations[i];

		for (size_t k = 0; a->color == m->space && a->n_assigned > 1 && !memory_indefinite(a) &&
		     !a->is_thread_local && k < a->n_assigned;
		     k++) {
			const struct logical *l = memory_logical(s, a->assigned[k]->logical_buffer_id);

			of += l != NULL;
			if (!l || l->start >= 0 || l->ended || l->claims || l->canonical != NO_BUFFER)
				continue;
			m->untraced = sum_bytes(m->untraced, l->size);
			n++;
		}
	}
	if (!n || m->untraced < m->peak_bytes / UNTRACED) {
		m->untraced = 0;
		return;
	}
	snprintf(text, sizeof text,
	    "the heap trace leaves out %zu of %zu temporaries (%s): more may be in use than it shows", n, of,
	    units_bytes(bytes, sizeof bytes, (double)m->untraced));
	m->lacks = arena_strndup(&m->text, text, strlen(text));
}

static bool lacks_shapes(const struct simulation *s)
{
	for (size_t i = 0; i < s->b->n_logical_buffers; i++)
		if (s->v[i].p->color == s->m->space && !s->v[i].shape)
			return true;
	return false;
}

void memory_build(const struct hlo_module *module, const Pb__HloProto *proto, int space, int64_t limit,
    struct memory *m)
{
	const Pb__HloProto *listed = NULL;
	struct simulation s = { .m = m };
	struct totals t;
	struct listed has = { .kinds = true, .places = true };

	*m = (struct memory){ .space = space,
		.module = module,
		.limit = limit,
		.scoped = module && space == MEMORY_VMEM ? module->scoped : -1 };
	if (!proto && module && module->result) {
		memory_of_result(module->result, m);
		return;
	}
	if (module && module->ntexts && !(proto && proto->buffer_assignment))
		listed = memory_listing(module, proto, &m->text, &m->lacks, &has);
	m->no_kinds = listed && !has.kinds;
	m->no_places = listed && !has.places;
	proto = listed ? listed : proto;
	m->proto = proto;
	s.module = m->hlo = proto ? proto->hlo_module : NULL;
	s.b = proto ? proto->buffer_assignment : NULL;
	if (module && module->damaged)
		memory_problem(m, "%s", module->damage);
	if (!s.b && m->lacks) {
		memory_problem(m, "%s", m->lacks);
	} else if (!s.b) {
		memory_problem(m,
		    "no buffer assignment, so the memory of this module is unknown; open the files that "
		    "the compiler writes last, after_optimizations.hlo.pb");
	} else {
		memory_logicals(&s);
		s.trace = choose_trace(&s);
		m->no_times = m->lacks && !s.trace;
		m->no_shapes = m->lacks && lacks_shapes(&s);
		memory_simulate(&s);
		add_indefinite(&s);
		memory_occupy(&s);
		make_all(&s);
		make_peak(&s);
		if (m->no_times)
			add_untimed(&s);
		if (s.trace && !listed && space == MEMORY_HBM && m->peak_bytes)
			find_untraced(&s);
		memory_find_gathered(&s);
		find_donations(&s); /* points into the peak, which is complete now */
	}
	t = totals_of(&s);
	m->no_places |= t.impossible;
	m->allocated = m->no_places ? -1 : t.allocated;
	m->fragmentation = m->allocated > m->peak_bytes ? m->allocated - m->peak_bytes : 0;
	summarize(&s, &t);
	free(s.v);
	free(s.by_id.v);
	free(s.life);
	free(s.peak);
}

void memory_free(struct memory *m)
{
	free(m->heap);
	free(m->unpadded);
	free(m->instruction);
	free(m->address);
	free(m->peak);
	free(m->small);
	free(m->all);
	free(m->donation);
	facts_free(&m->summary);
	arena_free(&m->text);
	*m = (struct memory){ .limit = -1, .scoped = -1 };
}
