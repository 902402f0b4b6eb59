#include "config.h"
#include "view/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/ops/opdb.h"
#include "base/mem.h"
#include "core/app.h"
#include "core/results.h"
#include "model/hlo.h"

enum { CALLS_MAX = 64 }; /* computations in computations */

void graph_view_center(struct graph_view *s, uint32_t instr)
{
	s->at = instr;
	s->line = graph_view_line_of(s->g, instr);
	s->name = -1;
	s->box = 0;
}

/* A reference to the op if the trace has it, else to the name; `row` is the module + 1. */
static struct ref graph_view_ref_of(const struct view *v, uint32_t i)
{
	const struct graph_view *s = v->state;
	const struct opdb *db = result_get(v->app, RESULT_OPS);
	struct ref ref = REF_EMPTY;
	struct slice name;

	if (i == HLO_NONE || !s->g)
		return ref;
	name = hlo_name(s->g, i);
	ref.kind = REF_BUFFER;
	ref.program = v->cap->dump->modules[s->module].program;
	ref.row = (uint64_t)s->module + 1;
	snprintf(ref.text, sizeof ref.text, "%.*s", (int)name.n, name.s);
	if (db && s->costed && s->costs.v[i].op < db->n) {
		ref.kind = REF_OP;
		ref.name = db->v[s->costs.v[i].op].name;
	}
	return ref;
}

void graph_view_jump(struct view *v, uint32_t instr)
{
	struct graph_view *s = v->state;
	struct ref here = graph_view_ref_of(v, s->at);

	if (instr == HLO_NONE || instr == s->at)
		return;
	app_remember(v->app, &here);
	graph_view_center(s, instr);
}

bool graph_view_go(struct view *v, const char *name)
{
	struct graph_view *s = v->state;
	struct slice text = slice_of(name);
	const char *part = strchr(name, '{'); /* of a buffer: "fusion.3{0}" */
	uint32_t i, c;

	text.n = part ? (size_t)(part - name) : text.n;
	i = hlo_instr_named(s->g, text);
	c = i == HLO_NONE ? hlo_computation_named(s->g, text) : HLO_NONE;
	i = c != HLO_NONE ? s->g->computation[c].root : i;
	if (i == HLO_NONE)
		return false;
	graph_view_center(s, i);
	return true;
}

uint32_t graph_view_here(const struct graph_view *s)
{
	size_t row = s->mode >= GRAPH_COMPUTATIONS ? sheet_row(&s->sheet) : SIZE_MAX;
	uint32_t i;

	if (!s->g)
		return HLO_NONE;
	if (s->mode == GRAPH_COMPUTATIONS)
		return row < s->table.nrows ? s->g->computation[s->row[row]].root : HLO_NONE;
	if (s->mode == GRAPH_INSTRUCTIONS)
		return row < s->table.nrows ? s->row[row] : HLO_NONE;
	if (s->mode == GRAPH_BOXES)
		return s->box < s->near.n ? s->near.v[s->box].i : s->at;
	if (s->mode == GRAPH_TEXT) {
		i = graph_view_instr_on(s->g, s->line);
		return i == HLO_NONE ? s->at : i;
	}
	if (s->focus != SIDE_CENTER && s->sides_of == s->at) {
		int side = s->focus == SIDE_USERS;

		if (s->list[side].at < s->side[side].n)
			return s->side[side].v[s->list[side].at].i;
	}
	return s->at;
}

struct ref graph_view_ref(const struct view *v)
{
	const struct graph_view *s = v->state;

	return graph_view_ref_of(v, graph_view_here(s));
}

/* The fusion, loop or other op that runs an instruction which the capture has no times of. */
struct ref graph_view_around(const struct view *v)
{
	const struct graph_view *s = v->state;
	uint32_t i = graph_view_here(s);

	for (int depth = 0; s->g && s->costed && i != HLO_NONE && depth < CALLS_MAX; depth++) {
		i = graph_caller(s->g, s->g->v[i].computation);
		if (i != HLO_NONE && s->costs.v[i].op != OP_NONE)
			return graph_view_ref_of(v, i);
	}
	return REF_EMPTY;
}

static int show_name(struct view *v, char *name)
{
	struct graph_view *s = v->state;
	bool there;

	if (s->mode >= GRAPH_COMPUTATIONS)
		s->mode = GRAPH_NAV;
	s->focus = SIDE_CENTER;
	free(s->want);
	s->want = NULL;
	if (!graph_view_sync(v)) {
		s->want = name;
		return s->failed ? -1 : 0;
	}
	there = graph_view_go(v, name);
	free(name);
	return there ? 0 : -1;
}

static int show_op(struct view *v, strid name, uint64_t program)
{
	struct slice t = op_name_in(dump_text(v->cap->dump, name));
	int module = program ? hlo_module_by_program(v->cap->dump, program, NULL, 0) : -1;

	if (!name)
		return -1;
	if (module >= 0)
		graph_view_choose(v, module);
	return show_name(v, xstrndup(t.s, t.n));
}

/* "jit_f(7)" of a run of a module, as its instructions are not events */
static int show_module(struct view *v, const char *name)
{
	struct graph_view *s = v->state;
	int module = hlo_module_find(v->cap->dump, name);

	if (module < 0)
		return -1;
	graph_view_choose(v, module);
	return s->module == module ? 0 : -1;
}

static int show_event(struct view *v, const struct ref *ref)
{
	const struct dump *d = v->cap->dump;
	const struct trace *t = &d->trace;
	struct slice name;
	int64_t id = 0;
	uint32_t meta;
	char *text;
	int shown;

	if (ref->track >= t->ntracks || ref->event >= t->tracks[ref->track].n)
		return -1;
	meta = track_meta(&t->tracks[ref->track], ref->event);
	stat_meta_int(d, meta, "program_id", &id);
	if (!show_op(v, t->metas[meta].name, (uint64_t)id))
		return 0;
	name = dump_text(d, t->metas[meta].name);
	text = xstrndup(name.s, name.n);
	shown = show_module(v, text);
	free(text);
	return shown;
}

int graph_view_show(struct view *v, const struct ref *ref)
{
	switch (ref->kind) {
	case REF_OP:
	case REF_NAME:
		return show_op(v, ref->name, ref->kind == REF_OP ? ref->program : 0);
	case REF_EVENT:
		return show_event(v, ref);
	case REF_BUFFER:
		if (ref->program)
			graph_view_choose(v, hlo_module_by_program(v->cap->dump, ref->program, NULL, 0));
		else if (ref->row)
			graph_view_choose(v, (int)ref->row - 1);
		return show_name(v, xstrdup(ref->text));
	case REF_MODULE:
		return show_module(v, ref->text);
	default:
		return -1;
	}
}

/* --- search: names, opcodes, framework ops and sources of the whole module --- */

static void put_words(char *buf, size_t size, size_t *n, struct slice s)
{
	size_t k = s.n < size - *n - 1 ? s.n : size - *n - 1;

	if (k)
		memcpy(buf + *n, s.s, k);
	*n += k;
	buf[(*n)++] = ' ';
}

static bool matches(const struct hlo_graph *g, uint32_t i, const struct regex *re,
    struct regex_scratch *scratch)
{
	struct hlo_detail d;
	char text[512];
	size_t n = 0;

	put_words(text, sizeof text - 8, &n, hlo_name(g, i));
	put_words(text, sizeof text - 6, &n, hlo_opcode(g, i));
	hlo_detail(g, i, &d);
	put_words(text, sizeof text - 4, &n, d.op_name);
	put_words(text, sizeof text - 2, &n, d.source);
	return regex_match(re, scratch, text, n, NULL, NULL);
}

static void find_all(struct graph_view *s, const struct regex *re)
{
	struct regex_scratch *scratch = regex_scratch_new(re);
	size_t cap = 0;

	free(s->hit);
	s->hit = NULL;
	s->nhits = 0;
	for (uint32_t i = 0; i < s->g->n; i++)
		if (matches(s->g, i, re, scratch))
			VEC_ADD(s->hit, s->nhits, cap, i);
	regex_scratch_free(scratch);
}

int graph_view_find(struct view *v, const struct regex *re, int dir, struct list_hits *hits)
{
	struct graph_view *s = v->state;
	size_t k = 0;

	if (!re || !graph_view_sync(v)) {
		s->nhits = 0;
		return re ? -1 : 0;
	}
	if (!dir || !s->hit)
		find_all(s, re);
	hits->n = s->nhits;
	hits->at = 0;
	if (!s->nhits)
		return 0;
	while (k < s->nhits && (dir > 0 ? s->hit[k] <= s->at : s->hit[k] < s->at))
		k++;
	k = dir < 0 ? (k + s->nhits - 1) % s->nhits : k % s->nhits;
	hits->at = k + 1;
	s->focus = SIDE_CENTER;
	graph_view_center(s, s->hit[k]);
	return (int)s->nhits;
}
