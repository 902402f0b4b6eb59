#include "config.h"
#include "analyze/diff/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/shape.h"
#include "analyze/memprof/pprof.h"
#include "base/mem.h"
#include "model/digest.h"

static const char *copy_or_null(struct side *s, struct slice t)
{
	return t.n ? side_text(s, t) : NULL;
}

static void take_chip(const struct dump *d, struct side *s)
{
	char device[64];

	for (uint32_t i = 0; i < d->trace.nplanes && !s->chip; i++)
		if (d->trace.planes[i].kind == PLANE_TPU &&
		    stat_plane_str(d, i, "device_type_string", device, sizeof device))
			s->chip = copy_or_null(s, slice_of(device));
	if (!s->chip && d->device)
		s->chip = side_text(s, slice_of(d->device));
}

/* "jit_f(17)": its name, and the whole as the id of what was compiled. */
static void take_program(const struct dump *d, const char *module, struct side *s)
{
	strid main = side_main_program(d, module);
	struct slice name = main == UINT32_MAX ? (struct slice){ "", 0 } : dump_text(d, main);
	char text[HLO_TITLE + 24];

	if (!name.n && d->nmodules) {
		snprintf(text, sizeof text, "%.*s(%" PRIu64 ")", HLO_TITLE, d->modules[0].name,
		    d->modules[0].program);
		name = slice_of(text);
	}
	s->program_id = copy_or_null(s, name);
	while (name.n && name.s[name.n - 1] != '(')
		name.n--;
	if (name.n)
		s->program = side_text(s, (struct slice){ name.s, name.n - 1 });
	else
		s->program = s->program_id;
}

/* --- parameters of the program --- */

static const char *shape_of(const Pb__ShapeProto *p, struct side *s)
{
	struct shape shape;

	if (!p || !shape_of_proto(&s->text, p, &shape))
		return NULL;
	shape.layout = NULL;
	return shape_text(&s->text, &shape);
}

static void add_parameter(const Pb__HloInstructionProto *i, struct side *s)
{
	struct side_parameter *p = &s->parameter[s->nparameters++];
	const char *label =
	    i->metadata && i->metadata->op_name && *i->metadata->op_name ? i->metadata->op_name : i->name;

	*p = (struct side_parameter){ .label = side_text(s, slice_of(label)),
		.name = side_text(s, slice_of(i->name)),
		.type = shape_of(i->shape, s),
		.element = i->shape ? (int)i->shape->element_type : 0 };
	p->ndims = i->shape ? i->shape->n_dimensions : 0;
	p->dim = xcalloc(p->ndims + 1, sizeof *p->dim);
	for (size_t k = 0; k < p->ndims; k++)
		p->dim[k] = i->shape->dimensions[k];
}

static void take_parameters(const Pb__HloModuleProto *m, struct side *s)
{
	for (size_t c = 0; c < m->n_computations; c++) {
		const Pb__HloComputationProto *x = m->computations[c];

		if (x->id != m->entry_computation_id)
			continue;
		s->parameter = xcalloc(x->n_instructions + 1, sizeof *s->parameter);
		for (size_t i = 0; i < x->n_instructions; i++)
			if (x->instructions[i]->opcode && !strcmp(x->instructions[i]->opcode, "parameter"))
				add_parameter(x->instructions[i], s);
		return;
	}
}

/* --- a device memory profile --- */

/* The program may lie elsewhere on another machine. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What was allocated from one place, by the innermost call in the user's program. */
static struct side_buffer place_of(const struct pprof *p, size_t i, struct side *s)
{
	const struct pprof_stack *x = &p->stack[i];
	struct pprof_frame at = pprof_user_frame(p, x);
	struct slice device = table_str(&p->stacks, i, STACKS_device),
		     kind = table_str(&p->stacks, i, STACKS_kind);
	char *memory = xasprintf("%.*s%s%.*s", (int)device.n, device.n ? device.s : "", device.n ? " " : "",
	    (int)kind.n, kind.n ? kind.s : "");
	char *call, *label;
	struct side_buffer b;

	if (!*at.file && x->depth)
		at = pprof_frame(p, x->frame[0]);
	call = xasprintf("%s %s", base_of(at.file), at.function);
	label = xasprintf("%s:%lld %s, %s", base_of(at.file), (long long)at.line, at.function, memory);
	b = (struct side_buffer){ .label = side_text(s, slice_of(label)),
		.name = side_text(s, slice_of(memory)),
		.shape = side_text(s, slice_of(memory)),
		.opcode = "",
		.op_name = side_text(s, slice_of(call)),
		.bytes = x->bytes,
		.category = MEMORY_PARAMETER }; /* which are matched by their labels */
	free(memory);
	free(call);
	free(label);
	return b;
}

static int by_place(const void *a, const void *b)
{
	return strcmp(((const struct side_buffer *)a)->label, ((const struct side_buffer *)b)->label);
}

/* If that is all there is. */
static void take_heap(const struct dump *d, struct side *s)
{
	const struct toolfile *t = s->events ? NULL : toolfile_find(d, FILE_PPROF, NULL, NULL);
	struct pprof p;
	struct err e;
	size_t n = 0;

	if (!t || pprof_build(t, &p, &e))
		return;
	s->heap = true;
	s->memory_peak = p.bytes;
	s->buffer = xcalloc(p.nstacks + 1, sizeof *s->buffer);
	for (size_t i = 0; i < p.nstacks; i++)
		if (p.stack[i].bytes > 0)
			s->buffer[n++] = place_of(&p, i, s);
	qsort(s->buffer, n, sizeof *s->buffer, by_place);
	for (size_t i = 0; i < n; i++) {
		struct side_buffer *last = s->nbuffers ? &s->buffer[s->nbuffers - 1] : NULL;

		if (last && !by_place(last, &s->buffer[i]))
			last->bytes += s->buffer[i].bytes;
		else
			s->buffer[s->nbuffers++] = s->buffer[i];
	}
	pprof_free(&p);
}

/* --- memory, findings, environment --- */

static void take_buffers(const struct memory *m, struct side *s)
{
	s->memory_peak = m->peak_bytes;
	s->buffer = xcalloc(m->npeak + 1, sizeof *s->buffer);
	for (size_t i = 0; i < m->npeak; i++) {
		const struct memory_buffer *b = &m->peak[i];
		bool named = b->op_name && *b->op_name && b->category == MEMORY_PARAMETER;

		s->buffer[s->nbuffers++] = (struct side_buffer){ .label = b->id < 0
			    ? "small buffers"
			    : side_text(s, slice_of(named ? b->op_name : b->name)),
			.name = side_text(s, slice_of(b->name)),
			.shape = side_text(s, slice_of(b->shape)),
			.opcode = side_text(s, slice_of(b->opcode)),
			.op_name = side_text(s, slice_of(b->op_name)),
			.bytes = b->shares ? 0 : b->size,
			.unpadded = b->unpadded,
			.category = b->category };
	}
}

static void take_findings(const struct findings *f, struct side *s)
{
	s->has_findings = true;
	s->has_pieces = f->pieces;
	s->finding = xcalloc(f->n + 1, sizeof *s->finding);
	for (size_t i = 0; i < f->n; i++)
		s->finding[s->nfindings++] = (struct side_finding){ side_text(s, slice_of(f->v[i].id)),
			severity_name(f->v[i].severity), side_text(s, slice_of(f->v[i].title)),
			f->v[i].cost_kind, f->v[i].cost };
}

static void take_overview(const struct overview *o, struct side *s)
{
	s->mfu = facts_number(&o->summary, "mfu_percent");
	s->hbm = facts_number(&o->summary, "hbm_bandwidth_utilization_percent");
	environment_init(&s->environment);
	for (size_t i = 0; i < o->environment.nrows; i++)
		environment_add(&s->environment,
		    side_text(s, table_str(&o->environment, i, ENVIRONMENT_name)),
		    side_text(s, table_str(&o->environment, i, ENVIRONMENT_value)));
}

void side_program(const struct side_input *in, const struct side_options *o, struct side *s)
{
	const struct dump *d = in->dump;
	const Pb__HloProto *proto = NULL;
	int module;

	take_chip(d, s);
	take_program(d, o->module, s);
	module = s->program_id ? hlo_module_find(d, s->program_id) : -1;
	if (module < 0 && s->program)
		module = hlo_module_find(d, s->program);
	if (module >= 0)
		proto = hlo_module_proto(d, (size_t)module, NULL);
	if (proto && proto->hlo_module)
		take_parameters(proto->hlo_module, s);
	if (in->memory)
		take_buffers(in->memory, s);
	take_heap(d, s);
	if (in->findings && !side_digest_findings(d, s) && !digest_count(d))
		take_findings(in->findings, s);
	if (in->overview)
		take_overview(in->overview, s);
}
