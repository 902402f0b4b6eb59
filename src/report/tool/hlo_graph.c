#include "config.h"
#include "report/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/graph/dot.h"
#include "analyze/graph/text/print.h"
#include "analyze/graph/tables.h"
#include "analyze/graph/waste.h"
#include "capture/results.h"
#include "model/hlo.h"
#include "report/choose.h"
#include "report/warnings.h"

enum { MODULES, COMPUTATIONS, INSTRUCTIONS, WASTE, NEIGHBORS, TABLES };
enum { ROWS_MAX = 200 }; /* in text, where a table is not asked for */

struct work {
	const struct dump *dump;
	const struct report_options *o;
	const struct opdb *db;
	const struct steps *steps;
	size_t module;
	struct hlo_graph *graph;
	struct graph_costs costs;
	uint32_t op; /* HLO_NONE: not asked for */
	struct graph_near near;
	struct table table[TABLES];
};

/* Without a choice, the module that takes the most time; in a folder of modules, the largest. */
static int choose_module(struct work *w, struct err *e)
{
	const struct dump *d = w->dump;
	int64_t time;
	int found;

	if (!d->nmodules)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%s",
		    hlo_modules_why(d) ? hlo_modules_why(d)
				       : "no HLO modules found; name HLO text (*.after_optimizations.txt), "
					 "an HLO proto, a folder "
					 "of "
					 "--xla_dump_to, or an XSpace captured with enable_hlo_proto");
	if (w->o->module) {
		if ((found = hlo_module_find(d, w->o->module)) < 0)
			return err_set(e, EXIT_USAGE, ERR_NOWHERE,
			    "no module '%s'; give a name, name(id) or id from report hlo_graph --table "
			    "modules",
			    w->o->module);
		w->module = (size_t)found;
		return 0;
	}
	w->module = graph_main_module(d, w->db, &time);
	return 0;
}

static int read_graph(struct work *w, struct err *e)
{
	const struct dump *d = w->dump;
	const struct hlo_module *m = &d->modules[w->module];

	if (!(w->graph = hlo_graph_of(d, w->module, e)))
		return -1;
	graph_costs_make(d, w->module, w->graph, w->db, w->steps, &w->costs);
	if (*w->graph->damage && !(d->files[m->file].partial && !w->graph->dangling)) {
		char *text = xasprintf("%s: %s", m->name, w->graph->damage);

		report_damage(d, m->file, ERR_NOWHERE, text);
		free(text);
	}
	return 0;
}

/* The instruction or, of a computation, its root. */
static int find_op(struct work *w, struct err *e)
{
	const struct hlo_graph *g = w->graph;
	uint32_t c;

	w->op = HLO_NONE;
	if (!w->o->op)
		return 0;
	w->op = hlo_instr_named(g, slice_of(w->o->op));
	c = w->op == HLO_NONE ? hlo_computation_named(g, slice_of(w->o->op)) : HLO_NONE;
	if (c != HLO_NONE)
		w->op = g->computation[c].root;
	if (w->op == HLO_NONE)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no instruction '%.80s' in module %.80s; see report hlo_graph --table instructions",
		    w->o->op, w->dump->modules[w->module].name);
	if (w->o->radius >= 0)
		graph_near_make(g, w->op, (uint32_t)w->o->radius, GRAPH_NEAR_MAX, &w->near);
	return 0;
}

static void add_module(struct work *w, size_t i)
{
	struct graph_module_row row = { .dump = w->dump, .module = &w->dump->modules[i] };
	struct graph_costs costs;
	struct hlo_graph *own = NULL;
	struct err err = { 0 };

	if (i == w->module) {
		row.graph = w->graph;
		row.costs = &w->costs;
	} else if ((own = hlo_graph_of(w->dump, i, &err))) {
		graph_costs_make(w->dump, i, own, w->db, w->steps, &costs);
		row.graph = own;
		row.costs = &costs;
	}
	row.why = !row.graph ? err.msg : *row.graph->damage ? row.graph->damage : NULL;
	table_add(&w->table[MODULES], &row);
	if (own)
		graph_costs_free(&costs);
	hlo_graph_free(own);
}

/* Whether only what is near --op is printed; a screen also has the rest of its module. */
static bool is_near(const struct work *w)
{
	return w->op != HLO_NONE && !w->o->screen;
}

/* Modules are read one by one, so that only one of the others is in memory. */
static void make_tables(struct work *w)
{
	bool all = !w->o->module && !w->o->op;

	table_begin(&w->table[MODULES], &graph_modules_schema);
	for (size_t i = 0; i < w->dump->nmodules; i++)
		if (all || i == w->module)
			add_module(w, i);
	graph_computations_table(w->graph, &w->costs, &w->table[COMPUTATIONS]);
	if (!is_near(w))
		graph_instructions_table(w->graph, &w->costs, &w->table[INSTRUCTIONS]);
	else
		table_begin(&w->table[INSTRUCTIONS], &graph_instructions_schema);
	if (!is_near(w))
		graph_waste_table(w->graph, &w->costs, &w->table[WASTE]);
	else
		table_begin(&w->table[WASTE], &graph_waste_schema);
	if (w->op != HLO_NONE)
		graph_neighbors_table(w->graph, &w->costs, &w->near, &w->table[NEIGHBORS]);
	else
		table_begin(&w->table[NEIGHBORS], &graph_neighbors_schema);
}

static bool is_printed(const struct work *w, int i)
{
	size_t rows = w->table[i].nrows;

	if (w->o->table)
		return report_is_table(w->o, "hlo_graph", i);
	if (i == NEIGHBORS || is_near(w))
		return i == NEIGHBORS && w->op != HLO_NONE;
	if (w->o->format != REPORT_TEXT)
		return true;
	return i == MODULES ? rows > 1 : i == COMPUTATIONS || (rows && rows <= ROWS_MAX);
}

static void put_op(const struct work *w, struct report *r)
{
	const struct hlo_graph *g = w->graph;
	struct arena a = { 0 };
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (f) {
		graph_print_instr(f, g, w->op, GRAPH_SHORT, SIZE_MAX);
		fclose(f);
	}
	report_sum_str(r, "op", arena_strndup(&a, hlo_name(g, w->op).s, hlo_name(g, w->op).n));
	report_sum_int(r, "radius", w->o->radius);
	report_sum_str(r, "hlo", text);
	free(text);
	arena_free(&a);
}

static void put_summary(const struct work *w, struct report *r)
{
	const struct hlo_graph *g = w->graph;
	const struct hlo_module *m = &w->dump->modules[w->module];
	struct slice entry = g->entry == HLO_NONE ? slice_of("") : hlo_computation_name(g, g->entry);
	struct arena a = { 0 };
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, m->program);
	report_sum_str(r, "module", m->name);
	report_sum_str(r, "program_id", m->program ? id : NULL);
	report_sum_int(r, "modules", (int64_t)w->dump->nmodules);
	report_sum_str(r, "entry_computation", entry.n ? arena_strndup(&a, entry.s, entry.n) : NULL);
	report_sum_int(r, "computations", g->ncomputations);
	report_sum_int(r, "instructions", g->n);
	report_sum_num(r, "self_time_us", w->costs.timed ? (double)w->costs.program / 1e6 : NAN);
	report_sum_int(r, "dangling", g->dangling);
	if (w->op != HLO_NONE)
		put_op(w, r);
	arena_free(&a);
}

static int put_document(struct work *w, FILE *f, const char *tool, struct err *e)
{
	struct table *printed[TABLES];
	struct report *r;
	char title[HLO_TITLE];

	for (int i = 0; i < TABLES; i++)
		printed[i] = is_printed(w, i) ? &w->table[i] : NULL;
	if (report_order_tables(w->o, "hlo_graph", printed, TABLES,
		w->op != HLO_NONE ? NEIGHBORS : INSTRUCTIONS, e))
		return -1;
	r = report_open(w->o, f, tool, w->dump);
	report_dump_warnings(r, w->dump);
	report_module_warning(r, w->dump, w->o->module, &w->dump->modules[w->module]);
	if (!w->o->module && w->dump->nmodules > 1)
		report_warning(r, "%zu modules; showing %s; choose another with --module", w->dump->nmodules,
		    hlo_module_title(w->dump, w->module, title, sizeof title));
	if (w->near.cut)
		report_warning(r, "only the nearest %d instructions are shown; choose a smaller --radius",
		    GRAPH_NEAR_MAX);
	if (!is_near(w) && !graph_is_compiled(w->graph) &&
	    (!w->o->table || report_is_table(w->o, "hlo_graph", WASTE)))
		report_warning(r,
		    "the module is not compiled yet (no schedule, no fusions): table waste is empty");
	put_summary(w, r);
	for (int i = 0; i < TABLES; i++)
		if (is_printed(w, i))
			report_whole(r, report_table_name("hlo_graph", i), &w->table[i]);
	return report_end(r, e);
}

static int put_text(const struct work *w, FILE *f, struct err *e)
{
	enum graph_form form = !strcmp(w->o->as, "long") ? GRAPH_LONG : GRAPH_SHORT;

	for (uint32_t k = 0; w->op != HLO_NONE && k < w->near.n; k++) {
		graph_print_instr(f, w->graph, w->near.v[k].i, form, SIZE_MAX);
		fputc('\n', f);
	}
	if (w->op == HLO_NONE)
		graph_print_module(f, w->graph, form);
	return ferror(f) ? err_set(e, EXIT_NOTHING, ERR_NOWHERE, "cannot write") : 0;
}

static int put_dot(struct work *w, FILE *f, struct err *e)
{
	const struct hlo_graph *g = w->graph;
	bool near = w->op != HLO_NONE && w->o->radius >= 0;

	if (!near)
		graph_near_all(g, w->op == HLO_NONE ? g->entry : g->v[w->op].computation, GRAPH_NEAR_MAX,
		    &w->near);
	graph_dot(f, g, &w->costs, &w->near, near);
	return ferror(f) ? err_set(e, EXIT_NOTHING, ERR_NOWHERE, "cannot write") : 0;
}

static int put_graph(struct work *w, FILE *f, const char *tool, struct err *e)
{
	int bad;

	if (w->o->as && !strcmp(w->o->as, "dot"))
		return put_dot(w, f, e);
	if (w->o->as && strcmp(w->o->as, "tables"))
		return put_text(w, f, e);
	make_tables(w);
	bad = put_document(w, f, tool, e);
	for (int i = 0; i < TABLES; i++)
		table_free(&w->table[i]);
	return bad;
}

int report_graph_of_hlo(struct capture *c, const struct report_options *o, FILE *f, const char *tool,
    struct err *e)
{
	struct work w = { .dump = c->base, .o = o };
	int bad;

	w.steps = capture_steps(c);
	w.db = capture_get(c, RESULT_OPS, NULL, e);
	bad = choose_module(&w, e) || read_graph(&w, e);
	if (!bad) {
		bad = find_op(&w, e) || put_graph(&w, f, tool, e);
		graph_costs_free(&w.costs);
		graph_near_free(&w.near);
		hlo_graph_free(w.graph);
	}
	return bad ? -1 : EXIT_OK;
}

int report_hlo_graph(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	return report_graph_of_hlo(c, o, f, "hlo_graph", e);
}
