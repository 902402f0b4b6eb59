#include "config.h"
#include "analyze/memory/internal.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/chips.h"
#include "analyze/device/peaks.h"
#include "base/text/units.h"
#include "result/rules.h"

#define FRAMES_MAX 200

double memory_padded_times(void)
{
	return rule_limit(rule_named("padded_buffers"), "times");
}

const char *memory_space_name(int space)
{
	static const char *const names[] = { "HBM", "VMEM", "Sflag", "CMEM", "SMEM", "Host", "SparseCore" };

	return space >= 0 && space < (int)(sizeof names / sizeof *names) ? names[space] : NULL;
}

const char *memory_category_name(enum memory_category c)
{
	static const char *const names[] = { "Parameter", "Output", "Thread-local", "Constant", "Temporary",
		"", "" };

	return names[c];
}

static const char *take_over(struct arena *a, char *text)
{
	const char *copy = arena_strndup(a, text, strlen(text));

	free(text);
	return copy;
}

const char *memory_buffer_name(struct arena *a, const struct logical *l)
{
	const Pb__LogicalBufferProto__Location *at = l->p->defined_at;
	const char *name = l->instruction->name ? l->instruction->name : "";
	char *text;

	if (!at || !at->n_shape_index)
		return name;
	text = xasprintf("%s{%" PRId64, name, at->shape_index[0]);
	for (size_t i = 1; i < at->n_shape_index && i < SHAPE_DEPTH; i++) {
		char *longer = xasprintf("%s,%" PRId64, text, at->shape_index[i]);

		free(text);
		text = longer;
	}
	name = take_over(a, xasprintf("%s}", text));
	free(text);
	return name;
}

/* Numbers of files and frames count from 1. */
static const char *file_of(const Pb__StackFrameIndexProto *x, const Pb__StackFrameIndexProto__FileLocation *l)
{
	return l->file_name_id > 0 && (size_t)l->file_name_id <= x->n_file_names
	    ? x->file_names[l->file_name_id - 1]
	    : "";
}

static const Pb__StackFrameIndexProto__StackFrame *frame_at(const Pb__StackFrameIndexProto *x, int32_t id)
{
	return id > 0 && (size_t)id <= x->n_stack_frames ? x->stack_frames[id - 1] : NULL;
}

static const Pb__StackFrameIndexProto__FileLocation *location_of(const Pb__StackFrameIndexProto *x,
    const Pb__StackFrameIndexProto__StackFrame *f)
{
	return f->file_location_id > 0 && (size_t)f->file_location_id <= x->n_file_locations
	    ? x->file_locations[f->file_location_id - 1]
	    : NULL;
}

/* Writes one line per frame, innermost first. */
static const char *stack_of(struct arena *a, const Pb__StackFrameIndexProto *x, int32_t id)
{
	const Pb__StackFrameIndexProto__StackFrame *f;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int n = 0;

	if (!out)
		return "";
	for (f = frame_at(x, id); f && n < FRAMES_MAX; f = frame_at(x, f->parent_frame_id)) {
		const Pb__StackFrameIndexProto__FileLocation *l = location_of(x, f);

		if (l)
			fprintf(out, "%s%s:%d:%d", n++ ? "\n" : "", file_of(x, l), l->line, l->column);
		else
			break;
	}
	fclose(out);
	return take_over(a, text);
}

static const char *source_of(struct arena *a, const Pb__StackFrameIndexProto *x, const Pb__OpMetadata *m)
{
	const Pb__StackFrameIndexProto__StackFrame *f = x ? frame_at(x, m->stack_frame_id) : NULL;
	const Pb__StackFrameIndexProto__FileLocation *l = f ? location_of(x, f) : NULL;

	if (m->source_file && *m->source_file)
		return take_over(a, xasprintf("%s:%d", m->source_file, m->source_line));
	return l && *file_of(x, l) ? take_over(a, xasprintf("%s:%d", file_of(x, l), l->line)) : "";
}

void memory_describe(struct memory *m, struct memory_buffer *b)
{
	const Pb__StackFrameIndexProto *x = m->hlo ? m->hlo->stack_frame_index : NULL;
	const Pb__OpMetadata *meta = b->instruction ? b->instruction->metadata : NULL;
	struct shape s;

	if (b->label)
		return;
	b->shape =
	    b->shape_proto && shape_of_proto(&m->text, b->shape_proto, &s) ? shape_text(&m->text, &s) : "";
	b->source = meta ? source_of(&m->text, x, meta) : "";
	b->stack = meta && x ? stack_of(&m->text, x, meta->stack_frame_id) : "";
	b->label = take_over(&m->text,
	    xasprintf("%s: %s # %s", b->instruction && b->instruction->name ? b->instruction->name : "",
		b->shape, b->op_name));
}

VEC_ORDER(by_space, struct memory_space_info, UP(space));

static void count_space(struct memory_space_info *v, size_t *n, size_t max, int64_t space, int64_t bytes)
{
	size_t i = 0;

	if (space < 0 || space > INT_MAX)
		return;
	while (i < *n && v[i].space != (int)space)
		i++;
	if (i == *n) {
		if (i == max)
			return;
		v[(*n)++] = (struct memory_space_info){ (int)space, memory_space_name((int)space), 0 };
	}
	v[i].bytes = sum_bytes(v[i].bytes, bytes > 0 ? bytes : 0);
}

size_t memory_spaces(const Pb__HloProto *p, struct memory_space_info *v, size_t max)
{
	const Pb__BufferAssignmentProto *b = p ? p->buffer_assignment : NULL;
	size_t n = 0;

	for (size_t i = 0; b && i < b->n_buffer_allocations; i++)
		count_space(v, &n, max, b->buffer_allocations[i]->color,
		    b->buffer_allocations[i]->is_thread_local ? 0 : b->buffer_allocations[i]->size);
	for (size_t i = 0; b && i < b->n_logical_buffers; i++)
		count_space(v, &n, max, b->logical_buffers[i]->color, 0);
	VEC_SORT(v, n, by_space);
	return n;
}

int64_t memory_limit(const char *device)
{
	struct chip c;
	double usable;

	if (!chip_find(device, &c))
		return -1;
	usable = c.usable > 0 ? c.usable : c.planes > 0 ? c.hbm / c.planes : 0;
	return usable > 0 ? (int64_t)(usable * GIB) : -1;
}

/* Returns false when the device is of another kind than the ones before. */
static bool take_device(const char *device, int64_t *limit)
{
	int64_t of = device && *device ? memory_limit(device) : -1;

	if (of < 0 || (*limit >= 0 && of != *limit))
		return false;
	*limit = of;
	return true;
}

/* Returns the limit of the device that the planes of a capture name, else of the one that the compiler was
 * told; `said` gets the wording. */
static int64_t limit_said(const struct dump *d, char *said, size_t size)
{
	int64_t limit = -1;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		struct peaks p;

		if (d->trace.planes[i].kind != PLANE_TPU)
			continue;
		peaks_of_plane(d, i, &p);
		if (!take_device(p.device, &limit))
			return -1;
		snprintf(said, size, "%s", p.device);
	}
	for (size_t i = 0; limit < 0 && i < d->nmodules; i++)
		if (!d->modules[i].device)
			return -1;
	for (size_t i = 0; i < d->nmodules; i++) {
		if (!d->modules[i].device)
			continue;
		if (!take_device(d->modules[i].device, &limit))
			return -1;
		if (!*said)
			snprintf(said, size, "%s", d->modules[i].device);
	}
	return limit;
}

int64_t memory_limit_of(const struct dump *d, int space)
{
	char said[64] = "";
	int64_t limit = space ? -1 : limit_said(d, said, sizeof said);

	return limit < 0 && !space && d->device ? memory_limit(d->device) : limit;
}

void memory_check_device(struct dump *d)
{
	char said[64] = "";
	int64_t limit = d->device ? limit_said(d, said, sizeof said) : -1;

	if (limit >= 0 && limit != memory_limit(d->device))
		problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    "--device %s is ignored: the capture is of a %s", d->device, said);
}
