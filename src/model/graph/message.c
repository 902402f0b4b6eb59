#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/codec/wire.h"
#include "model/graph/build.h"

/* Fields of HloProto, HloModuleProto, HloComputationProto and HloInstructionProto (data/proto/hlo.proto), read in
 * place.  A message that is cut is read up to the cut. */
enum { PROTO_MODULE = 1, PROTO_ASSIGNMENT = 3 };
enum {
	MODULE_NAME = 1,
	MODULE_ENTRY = 2,
	MODULE_COMPUTATION = 3,
	MODULE_ID = 5,
	MODULE_ENTRY_ID = 6,
	MODULE_SCHEDULE = 7,
	MODULE_FRAMES = 17
};
enum {
	COMPUTATION_NAME = 1,
	COMPUTATION_INSTR = 2,
	COMPUTATION_ID = 5,
	COMPUTATION_ROOT = 6,
	COMPUTATION_THREAD = 8
};
enum {
	INSTR_NAME = 1,
	INSTR_OPCODE = 2,
	INSTR_SHAPE = 3,
	INSTR_METADATA = 7,
	INSTR_PARAMETER = 9,
	INSTR_FUSION_KIND = 11,
	INSTR_INDEX = 13,
	INSTR_TARGET = 28,
	INSTR_ID = 35,
	INSTR_OPERANDS = 36,
	INSTR_CONTROLS = 37,
	INSTR_CALLS = 38
};
enum { META_TYPE = 1, META_NAME = 2, META_FILE = 3, META_LINE = 4, META_FRAME = 15 };

struct reader {
	struct hlo_graph *g;
	struct hlo_id *instr; /* of all computations: those of one together, ordered */
	uint64_t *id;         /* of instructions, by their index */
	size_t id_cap;
	struct hlo_id *computation;
	uint64_t *root; /* of computations */
	size_t computation_cap, root_cap;
	uint64_t entry;
	struct slice entry_name;
	struct slice frames;
	struct wire schedule;
};

/* Reads the next field, or the part of it that is there. */
static bool next_field(struct wire *w)
{
	return !w->bad && (wire_next(w) || (w->cut && w->s && w->n));
}

VEC_ORDER(in_order_of_ids, struct hlo_id, UP(id) UP(i));

static uint32_t with_id(const struct hlo_id *v, size_t n, uint64_t id)
{
	size_t at;

	BISECT(at, n, v[at].id < id);
	return at < n && v[at].id == id ? v[at].i : HLO_NONE;
}

static bool read_instr(struct reader *r, struct wire w)
{
	struct slice name = { "", 0 }, opcode = { "", 0 };
	struct hlo_instr i = { .at = (const char *)w.p, .len = (uint32_t)(w.end - w.p) };
	uint64_t id = 0;

	while (wire_next(&w)) {
		if (w.field == INSTR_NAME && w.type == 2) {
			name = wire_text(&w);
		} else if (w.field == INSTR_OPCODE && w.type == 2) {
			opcode = wire_text(&w);
		} else if (w.field == INSTR_SHAPE && w.type == 2) {
			i.shape = (const char *)w.s;
			i.shape_len = (uint32_t)w.n;
		} else if (w.field == INSTR_ID && w.type == 0) {
			id = w.u;
		}
	}
	r->g->unread += w.bad && !w.cut;
	r->g->cut |= w.cut;
	if (!hlo_add_instr(r->g, name, opcode, &i))
		return false;
	VEC_PUSH(r->id, r->g->n - 1, r->id_cap);
	r->id[r->g->n - 1] = id;
	return true;
}

static void read_computation(struct reader *r, struct wire w)
{
	uint32_t c = hlo_add_computation(r->g, (struct slice){ "", 0 });
	struct hlo_computation *of = &r->g->computation[c];
	struct slice name;
	size_t n = c;

	VEC_PUSH(r->computation, n, r->computation_cap);
	VEC_PUSH(r->root, n, r->root_cap);
	r->computation[c] = (struct hlo_id){ 0, c };
	r->root[c] = 0;
	while (next_field(&w)) {
		if (w.field == COMPUTATION_NAME && w.type == 2) {
			name = wire_text(&w);
			of->name = strtab_ref(&r->g->names, name.s, name.n);
		} else if (w.field == COMPUTATION_INSTR && w.type == 2) {
			if (!read_instr(r, wire_open(w.s, w.n)))
				return;
		} else if (w.field == COMPUTATION_ID && w.type == 0) {
			r->computation[c].id = w.u;
		} else if (w.field == COMPUTATION_ROOT && w.type == 0) {
			r->root[c] = w.u;
		} else if (w.field == COMPUTATION_THREAD && w.type == 2) {
			of->thread = wire_text(&w);
		}
	}
	r->g->unread += w.bad && !w.cut;
	r->g->cut |= w.cut;
}

static void read_module(struct reader *r, struct wire w)
{
	struct slice name;

	r->g->module = (struct slice){ (const char *)w.p, (size_t)(w.end - w.p) };
	while (next_field(&w)) {
		if (w.field == MODULE_NAME && w.type == 2) {
			name = wire_text(&w);
			r->g->name = strtab_str(&r->g->names, strtab_add(&r->g->names, name.s, name.n));
		} else if (w.field == MODULE_ENTRY && w.type == 2) {
			r->entry_name = wire_text(&w);
		} else if (w.field == MODULE_COMPUTATION && w.type == 2) {
			read_computation(r, wire_open(w.s, w.n));
		} else if (w.field == MODULE_ID && w.type == 0) {
			r->g->id = w.u;
		} else if (w.field == MODULE_ENTRY_ID && w.type == 0) {
			r->entry = w.u;
		} else if (w.field == MODULE_SCHEDULE && w.type == 2) {
			r->schedule = wire_open(w.s, w.n);
			r->g->scheduled = true;
		} else if (w.field == MODULE_FRAMES && w.type == 2) {
			r->frames = wire_text(&w);
		}
	}
	r->g->unread += w.bad && !w.cut;
	r->g->cut |= w.cut;
}

static void read_proto(struct reader *r, struct wire w, bool bare)
{
	if (bare) {
		read_module(r, w);
		return;
	}
	while (next_field(&w)) {
		if (w.field == PROTO_MODULE && w.type == 2 && !r->g->ncomputations)
			read_module(r, wire_open(w.s, w.n));
		else if (w.field == PROTO_ASSIGNMENT && w.type == 2)
			r->g->assignment = wire_text(&w);
	}
	r->g->cut |= w.cut;
}

/* --- the order of the program --- */

/* Numbers of a repeated field, packed or not: calls take() for each. */
struct numbers {
	struct wire packed;
	bool in;
};

static bool next_number(struct numbers *l, const struct wire *w, uint64_t *v)
{
	const uint8_t *p;

	if (!l->in) {
		l->in = true;
		l->packed = w->type == 2 ? wire_open(w->s, w->n) : wire_open(NULL, 0);
		if (w->type == 0) {
			*v = w->u;
			return true;
		}
	}
	if (l->packed.p >= l->packed.end || !(p = wire_varint(l->packed.p, l->packed.end, v)))
		return false;
	l->packed.p = p;
	return true;
}

static void index_instrs(struct reader *r)
{
	struct hlo_graph *g = r->g;

	r->instr = xmalloc(((size_t)g->n + 1) * sizeof *r->instr);
	for (uint32_t i = 0; i < g->n; i++)
		r->instr[i] = (struct hlo_id){ r->id[i], i };
	for (uint32_t c = 0; c < g->ncomputations; c++)
		VEC_SORT(r->instr + g->computation[c].first, g->computation[c].n, in_order_of_ids);
	VEC_SORT(r->computation, g->ncomputations, in_order_of_ids);
}

static uint32_t instr_of(const struct reader *r, uint32_t computation, uint64_t id)
{
	const struct hlo_computation *c = &r->g->computation[computation];

	return with_id(r->instr + c->first, c->n, id);
}

/* The instructions of a computation in the order of its schedule; those that it lacks come last. */
static void reorder(struct reader *r, uint32_t c, const uint32_t *order, uint32_t n)
{
	struct hlo_graph *g = r->g;
	uint32_t first = g->computation[c].first, all = g->computation[c].n, k = 0;
	struct hlo_instr *v = xmalloc(((size_t)all + 1) * sizeof *v);
	uint64_t *id = xmalloc(((size_t)all + 1) * sizeof *id);
	bool *done = xcalloc((size_t)all + 1, sizeof *done);

	for (uint32_t i = 0; i < n + all; i++) {
		uint32_t at = i < n ? order[i] - first : i - n;

		if (done[at])
			continue;
		done[at] = true;
		v[k] = g->v[first + at];
		id[k++] = r->id[first + at];
	}
	memcpy(g->v + first, v, all * sizeof *v);
	memcpy(r->id + first, id, all * sizeof *id);
	free(v);
	free(id);
	free(done);
}

static void read_sequence(struct reader *r, uint32_t c, struct wire w)
{
	uint32_t *order = NULL, n = 0, cap = 0, i;
	uint64_t id;

	while (wire_next(&w)) {
		struct numbers l = { .in = false };

		while (w.field == 1 && next_number(&l, &w, &id) && n < r->g->computation[c].n)
			if ((i = instr_of(r, c, id)) != HLO_NONE)
				VEC_ADD(order, n, cap, i);
	}
	if (n)
		reorder(r, c, order, n);
	free(order);
}

/* Of several sequences of a computation the first counts: places are known as they were before. */
static void read_schedule(struct reader *r)
{
	bool *done = xcalloc((size_t)r->g->ncomputations + 1, sizeof *done);
	struct wire w = r->schedule;

	while (wire_next(&w)) {
		struct wire entry = wire_open(w.s, w.n), sequence = wire_open(NULL, 0);
		uint64_t key = 0;
		uint32_t c;

		if (w.field != 1 || w.type != 2)
			continue;
		while (wire_next(&entry)) {
			if (entry.field == 1 && entry.type == 0)
				key = entry.u;
			else if (entry.field == 2 && entry.type == 2)
				sequence = wire_open(entry.s, entry.n);
		}
		c = with_id(r->computation, r->g->ncomputations, key);
		if (c == HLO_NONE || done[c])
			continue;
		done[c] = true;
		read_sequence(r, c, sequence);
	}
	free(done);
}

/* --- links --- */

static void link_field(struct reader *r, struct hlo_build *b, uint32_t i, const struct wire *w)
{
	uint32_t c = r->g->v[i].computation;
	struct numbers l = { .in = false };
	uint64_t id;

	if (w->field < INSTR_OPERANDS || w->field > INSTR_CALLS)
		return;
	while (next_number(&l, w, &id)) {
		if (w->field == INSTR_OPERANDS)
			hlo_link_add(r->g, &b->operands, instr_of(r, c, id));
		else if (w->field == INSTR_CONTROLS)
			hlo_link_add(r->g, &b->controls, instr_of(r, c, id));
		else
			hlo_link_add(r->g, &b->calls, with_id(r->computation, r->g->ncomputations, id));
	}
}

static void link_all(struct reader *r)
{
	struct hlo_build b = { .operands = { .n = 0 } };
	struct hlo_graph *g = r->g;

	for (uint32_t i = 0; i < g->n; i++) {
		struct wire w = wire_open(g->v[i].at, g->v[i].len);

		while (wire_next(&w))
			link_field(r, &b, i, &w);
		hlo_link_end(&b.operands);
		hlo_link_end(&b.controls);
		hlo_link_end(&b.calls);
	}
	for (uint32_t c = 0; c < g->ncomputations; c++)
		g->computation[c].root = instr_of(r, c, r->root[c]);
	hlo_graph_end(g, &b);
}

static void find_entry(struct reader *r)
{
	struct hlo_graph *g = r->g;

	g->entry = r->entry ? with_id(r->computation, g->ncomputations, r->entry) : HLO_NONE;
	if (g->entry == HLO_NONE && r->entry_name.n)
		g->entry = hlo_computation_named(g, r->entry_name);
	if (g->entry == HLO_NONE && g->ncomputations)
		g->entry = g->ncomputations - 1;
}

/* --- source lines --- */

static void read_location(struct hlo_graph *g, struct wire w)
{
	struct hlo_frame_line at = { HLO_NONE, 0 };

	while (wire_next(&w)) {
		if (w.field == 1 && w.type == 0 && w.u && w.u < HLO_NONE)
			at.file = (uint32_t)w.u - 1;
		else if (w.field == 3 && w.type == 0)
			at.line = (int)w.u;
	}
	VEC_ADD(g->locations, g->nlocations, g->locations_cap, at);
}

static void read_frame(struct hlo_graph *g, struct wire w)
{
	uint64_t location = 0;

	while (wire_next(&w))
		if (w.field == 1 && w.type == 0)
			location = w.u;
	hlo_frame_add(g, location < HLO_NONE ? (uint32_t)location : 0);
}

static void read_frames(struct hlo_graph *g, struct slice bytes)
{
	for (int pass = 0; pass < 2; pass++) {
		struct wire w = wire_open(bytes.s, bytes.n);

		while (wire_next(&w)) {
			if (w.type != 2)
				continue;
			if (!pass && w.field == 1)
				VEC_ADD(g->files, g->nfiles, g->files_cap, wire_text(&w));
			else if (!pass && w.field == 3)
				read_location(g, wire_open(w.s, w.n));
			else if (pass && w.field == 4)
				read_frame(g, wire_open(w.s, w.n));
		}
	}
}

struct hlo_graph *hlo_graph_of_message(const uint8_t *p, size_t n, bool bare)
{
	struct reader r = { .g = hlo_graph_new(), .schedule = wire_open(NULL, 0) };

	read_proto(&r, wire_open(p, n), bare);
	if (r.frames.n)
		read_frames(r.g, r.frames);
	index_instrs(&r);
	read_schedule(&r);
	free(r.instr);
	index_instrs(&r);
	find_entry(&r);
	link_all(&r);
	VEC_SORT(r.instr, r.g->n, in_order_of_ids);
	r.g->ids = r.instr;
	free(r.id);
	free(r.computation);
	free(r.root);
	return r.g;
}

/* --- one instruction --- */

static void read_metadata(const struct hlo_graph *g, struct wire w, struct hlo_detail *d)
{
	uint64_t frame = 0;

	while (wire_next(&w)) {
		if (w.field == META_TYPE && w.type == 2)
			d->op_type = wire_text(&w);
		else if (w.field == META_NAME && w.type == 2)
			d->op_name = wire_text(&w);
		else if (w.field == META_FILE && w.type == 2)
			d->source = wire_text(&w);
		else if (w.field == META_LINE && w.type == 0)
			d->line = (int)w.u;
		else if (w.field == META_FRAME && w.type == 0)
			frame = w.u;
	}
	if (frame)
		hlo_detail_frame(g, frame, d);
}

void hlo_detail_of_message(const struct hlo_graph *g, uint32_t i, struct hlo_detail *d)
{
	struct wire w = wire_open(g->v[i].at, g->v[i].len);

	while (wire_next(&w)) {
		if (w.field == INSTR_METADATA && w.type == 2)
			read_metadata(g, wire_open(w.s, w.n), d);
		else if (w.field == INSTR_FUSION_KIND && w.type == 2)
			d->fusion_kind = wire_text(&w);
		else if (w.field == INSTR_TARGET && w.type == 2)
			d->target = wire_text(&w);
		else if (w.field == INSTR_PARAMETER && w.type == 0)
			d->parameter = (int64_t)w.u;
		else if (w.field == INSTR_INDEX && w.type == 0)
			d->index = (int64_t)w.u;
	}
	if (!hlo_opcode_is(g, i, "parameter"))
		d->parameter = -1;
	else if (d->parameter < 0) /* 0 is not written */
		d->parameter = 0;
	if (!hlo_opcode_is(g, i, "get-tuple-element"))
		d->index = -1;
	else if (d->index < 0)
		d->index = 0;
}
