#include "config.h"
#include "analyze/memory/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

static int64_t bytes_of(double mib)
{
	return mib >= 0 && mib < 8e12 ? (int64_t)llround(mib * MIB) : 0;
}

static const char *text_of(const char *s)
{
	return s ? s : "";
}

static enum memory_category category_of(const char *name)
{
	int c = 0;

	while (c < MEMORY_CATEGORIES && strcmp(memory_category_name((enum memory_category)c), text_of(name)))
		c++;
	return (enum memory_category)c;
}

static const char *source_of(struct arena *a, const Pb__SourceInfo *s)
{
	char *text =
	    s && s->file_name && *s->file_name ? xasprintf("%s:%d", s->file_name, s->line_number) : NULL;
	const char *copy = text ? arena_strndup(a, text, strlen(text)) : "";

	free(text);
	return copy;
}

static void add_object(struct memory *m, const Pb__HeapObject *o)
{
	struct memory_buffer *b = &m->peak[m->npeak++];

	*b = (struct memory_buffer){ .id = o->has_logical_buffer_id ? o->logical_buffer_id : 0,
		.category = category_of(o->group_name),
		.size = bytes_of(o->logical_buffer_size_mib),
		.unpadded = bytes_of(o->unpadded_shape_mib),
		.offset = -1,
		.start = -1,
		.end = -1,
		.name = text_of(o->instruction_name),
		.opcode = text_of(o->op_code),
		.op_name = text_of(o->tf_op_name),
		.shape = text_of(o->shape_string),
		.source = source_of(&m->text, o->source_info),
		.stack = o->source_info ? text_of(o->source_info->stack_frame) : "",
		.label = text_of(o->label) };
	if (b->category < MEMORY_CATEGORIES)
		m->category[b->category] = sum_bytes(m->category[b->category], b->size);
}

VEC_ORDER(by_start, struct memory_buffer, UP(start) UP(id));

VEC_ORDER_POINTERS(by_id, struct memory_buffer, UP(id));

/* The file has spans of all buffers by ID, but describes only the buffers at the peak. */
static void add_spans(struct memory *m, const Pb__PreprocessResult *r)
{
	struct memory_buffer **sorted = xcalloc(m->npeak + 1, sizeof *sorted), key = { .id = 0 },
			     *pointer = &key, **found;

	for (size_t i = 0; i < m->npeak; i++)
		sorted[i] = &m->peak[i];
	VEC_SORT(sorted, m->npeak, by_id);
	m->all = xcalloc(r->n_logical_buffer_spans + 1, sizeof *m->all);
	for (size_t i = 0; i < r->n_logical_buffer_spans; i++) {
		const Pb__PreprocessResult__SpansEntry *e = r->logical_buffer_spans[i];
		struct memory_buffer *b = &m->all[m->nall++];

		key.id = e->key;
		found = m->npeak ? bsearch(&pointer, sorted, m->npeak, sizeof *sorted, by_id) : NULL;
		if (found && e->value) {
			(*found)->start = e->value->start;
			(*found)->end = e->value->limit;
		}
		*b = found ? **found : memory_no_buffer;
		if (!found) {
			b->id = e->key;
			b->size = b->unpadded = -1;
		}
		b->start = e->value ? e->value->start : 0;
		b->end = e->value ? e->value->limit : 0;
	}
	VEC_SORT(m->all, m->nall, by_start);
	free(sorted);
}

static void add_points(struct memory *m, const Pb__PreprocessResult *r)
{
	m->npoints = r->n_heap_sizes;
	m->heap = xcalloc(m->npoints + 1, sizeof *m->heap);
	m->unpadded = xcalloc(m->npoints + 1, sizeof *m->unpadded);
	m->instruction = xcalloc(m->npoints + 1, sizeof *m->instruction);
	for (size_t i = 0; i < m->npoints; i++) {
		m->heap[i] = bytes_of(r->heap_sizes[i]);
		m->unpadded[i] = i < r->n_unpadded_heap_sizes ? bytes_of(r->unpadded_heap_sizes[i]) : 0;
		m->instruction[i] =
		    i < r->n_hlo_instruction_names ? text_of(r->hlo_instruction_names[i]) : "";
	}
}

static void summarize(struct memory *m, const Pb__PreprocessResult *r)
{
	double total = r->total_buffer_allocation_mib, rest = total - r->indefinite_buffer_allocation_mib;

	m->sums = (struct memory_sums){
		.peak = r->peak_heap_mib * MIB,
		.peak_unpadded = r->peak_unpadded_heap_mib * MIB,
		.allocated = total * MIB,
		.parameters = r->entry_computation_parameters_mib * MIB,
		.live_out = r->maybe_live_out_mib * MIB,
		.fixed = r->non_reusable_mib * MIB,
		.indefinite = r->indefinite_buffer_allocation_mib * MIB,
		.by_address = NAN,
		.padding = NAN,
		.donatable = NAN,
		.fragmentation = rest > 0 ? 100 * (total - r->peak_heap_mib) / rest : NAN,
	};
	memory_summary(m, text_of(r->module_name), text_of(r->entry_computation_name),
	    r->peak_heap_size_position);
	facts_null(&m->summary, "scopedMib");
	facts_null(&m->summary, "peakWithScopedMib");
}

void memory_of_result(const Pb__PreprocessResult *r, struct memory *m)
{
	add_points(m, r);
	m->peak = xcalloc(r->n_max_heap + 1, sizeof *m->peak);
	for (size_t i = 0; i < r->n_max_heap; i++)
		add_object(m, r->max_heap[i]);
	add_spans(m, r);
	m->peak_bytes = bytes_of(r->peak_heap_mib);
	m->peak_unpadded = bytes_of(r->peak_unpadded_heap_mib);
	m->peak_at = r->peak_heap_size_position;
	m->allocated = bytes_of(r->total_buffer_allocation_mib);
	m->fragmentation = m->allocated > m->peak_bytes ? m->allocated - m->peak_bytes : 0;
	summarize(m, r);
}
