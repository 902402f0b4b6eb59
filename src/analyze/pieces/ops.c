#include "config.h"
#include "analyze/pieces/cut.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/device/classify.h"
#include "analyze/device/step_metric.h"
#include "analyze/pieces/hlo_line.h"
#include "base/bisect.h"
#include "base/mem.h"

/* The starts of one name in one program; their dones name it as an operand. */
struct start {
	uint64_t program;
	strid name;
	uint32_t slot;
};

VEC_ORDER(by_name, struct start, UP(program) UP(name));

struct starts {
	struct start *v;
	size_t n, cap;
};

bool cut_program(const struct dump *d, uint32_t meta, uint64_t *program)
{
	int64_t id;

	if (!stat_meta_int(d, meta, "program_id", &id))
		return false;
	*program = (uint64_t)id;
	return true;
}

struct slice cut_text(const struct dump *d, uint32_t meta)
{
	const struct evmeta *m = &d->trace.metas[meta];

	return m->full ? (struct slice){ m->full, m->full_len } : dump_text(d, m->name);
}

static uint32_t slot_of(const struct starts *s, uint64_t program, strid name)
{
	size_t i;

	BISECT(i, s->n, s->v[i].program < program || (s->v[i].program == program && s->v[i].name < name));
	return i < s->n && s->v[i].program == program && s->v[i].name == name ? s->v[i].slot : CUT_NONE;
}

/* The start that a done names as its last operand.  Converted traces keep no HLO text, and an op that hides the
 * collective stands between both where the compiler fused it: their names differ in one word then. */
static uint32_t slot_of_done(const struct dump *d, const struct starts *s, uint64_t program, uint32_t meta,
    bool *fused)
{
	const struct hlo_line l = hlo_line_of(cut_text(d, meta));
	struct slice last = hlo_line_last_operand(&l), name = dump_text(d, d->trace.metas[meta].name);
	const char *element = slice_find(last, "#"), *at = slice_find(name, "-done");
	uint32_t slot = CUT_NONE;
	char guess[256];
	int n;

	last.n = element ? (size_t)(element - last.s) : last.n;
	if (last.n)
		slot = slot_of(s, program, strtab_find(&d->str, last.s, last.n));
	if (slot != CUT_NONE || !at)
		return slot;
	*fused = l.opcode.n;
	n = snprintf(guess, sizeof guess, "%.*s-start%.*s", (int)(at - name.s), name.s,
	    (int)(name.s + name.n - at) - 5, at + 5);
	return n > 0 && (size_t)n < sizeof guess ? slot_of(s, program, strtab_find(&d->str, guess, (size_t)n))
						 : CUT_NONE;
}

static uint64_t program_of(const struct dump *d, uint32_t meta)
{
	uint64_t program = 0;

	cut_program(d, meta, &program);
	return program;
}

static void find_starts(struct cut_ops *o, struct starts *s)
{
	const struct trace *t = &o->dump->trace;

	for (uint32_t i = 0; i < t->nmetas; i++)
		if (o->role[i].part == PART_START)
			VEC_ADD(s->v, s->n, s->cap,
			    (struct start){ program_of(o->dump, i), t->metas[i].name, 0 });
	VEC_SORT(s->v, s->n, by_name);
	for (size_t i = 0; i < s->n; i++)
		s->v[i].slot = i && !by_name(&s->v[i - 1], &s->v[i]) ? s->v[i - 1].slot : o->nslots++;
}

static bool may_be_op(const struct dump *d, const struct evmeta *m)
{
	if (m->plane < d->trace.nplanes)
		return plane_is_tpu_core(d->trace.planes[m->plane].kind);
	return m->file >= 0 && file_is_converted(&d->files[m->file]);
}

/* The kinds are those of bars and tables of steps. */
static void read_roles(struct cut_ops *o)
{
	const struct dump *d = o->dump;
	uint8_t *own = d->trace.meta_class ? NULL : classes_of(d);
	const uint8_t *class = own ? own : d->trace.meta_class;
	const bool no_kinds = step_metrics_unknown(d);

	for (uint32_t i = 0; i < d->trace.nmetas; i++) {
		const struct evmeta *m = &d->trace.metas[i];
		const struct slice name = dump_text(d, m->name), category = dump_text(d, m->category);

		if (may_be_op(d, m))
			o->role[i] = op_role_of(name, category);
		o->group[i] = (uint8_t)work_group_of(kind_of_op(class[i], m -> category && !no_kinds), name,
		    category, o->role[i]);
	}
	free(own);
}

struct cut_ops *cut_ops_read(const struct dump *d)
{
	const struct trace *t = &d->trace;
	struct cut_ops *o = xcalloc(1, sizeof *o);
	struct starts s = { 0 };

	*o = (struct cut_ops){ .dump = d,
		.role = xcalloc(t->nmetas + 1, sizeof *o->role),
		.group = xcalloc(t->nmetas + 1, sizeof *o->group),
		.fused = xcalloc(t->nmetas + 1, sizeof *o->fused),
		.slot = xcalloc(t->nmetas + 1, sizeof *o->slot) };
	read_roles(o);
	find_starts(o, &s);
	for (uint32_t i = 0; i < t->nmetas; i++) {
		const enum op_part part = o->role[i].part;

		o->slot[i] = part == PART_START ? slot_of(&s, program_of(d, i), t->metas[i].name)
		    : part == PART_DONE         ? slot_of_done(d, &s, program_of(d, i), i, &o->fused[i])
						: CUT_NONE;
	}
	free(s.v);
	return o;
}

void cut_ops_free(struct cut_ops *o)
{
	if (!o)
		return;
	free(o->role);
	free(o->group);
	free(o->fused);
	free(o->slot);
	free(o);
}
