#include "config.h"
#include "analyze/replay/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

struct part_row {
	enum spent part;
	int64_t total;
	double mean, step;
};

struct core_row {
	const struct replay *of;
	size_t core;
	int64_t time, last, syncs;
	int64_t part[SPENT_PARTS];
};

struct step_row {
	const struct replay *of;
	size_t step;
	int64_t part[SPENT_PARTS];
};

struct path_table_row {
	const struct replay *r;
	const struct path_row *of;
	double steps, step;
};

static struct cell step_name(const struct step_row *r, struct arena *text)
{
	const struct border *b = &r->of->core[0].border[r->step];
	char number[24];

	if (!b->of_run)
		return cell_strid(&r->of->dump->str, b->name);
	snprintf(number, sizeof number, "%zu", r->step);
	return arena_cell(text, number);
}

static struct cell path_name(const struct path_table_row *r)
{
	if (r->of->what == PATH_SKEW)
		return cell_strz("");
	return r->of->what == PATH_IDLE ? cell_strz(idle_cause_id[r->of->name])
					: cell_strid(&r->r->dump->str, r->of->name);
}

#define SCHEMA parts
#define SCHEMA_ROW struct part_row
#define SCHEMA_DEF "analyze/replay/part_rows.def"
#include "result/schema_def.h"

#define SCHEMA cores
#define SCHEMA_ROW struct core_row
#define SCHEMA_DEF "analyze/replay/cores.def"
#include "result/schema_def.h"

#define SCHEMA steps
#define SCHEMA_ROW struct step_row
#define SCHEMA_DEF "analyze/replay/steps.def"
#include "result/schema_def.h"

#define SCHEMA path
#define SCHEMA_ROW struct path_table_row
#define SCHEMA_DEF "analyze/replay/path.def"
#include "result/schema_def.h"

#define SCHEMA whatif
#define SCHEMA_ROW struct lever
#define SCHEMA_DEF "analyze/replay/whatif.def"
#include "result/schema_def.h"

const struct schema replay_parts_schema = {
			    SCHEMA_COLUMNS(parts_columns),
			    .view = "part bar mean_us share| -total_ps",
		    },
		    replay_cores_schema = {
			    SCHEMA_COLUMNS(cores_columns),
			    .text = "host core time_ps last syncs wait_ps transfer_ps infeed_ps dma_ps",
			    .view = "core time_ps last syncs wait_ps transfer_ps -host -infeed_ps -dma_ps",
		    },
		    replay_steps_schema = {
			    SCHEMA_COLUMNS(steps_columns),
			    .text = "step used step_ps core_time_us replay_us light_us",
			    .view = "step used step_ps core_time_us replay_us light_us",
		    },
		    replay_path_schema = { SCHEMA_COLUMNS(path_columns) },
		    replay_levers_schema = { SCHEMA_COLUMNS(whatif_columns) };

void replay_parts_table(const struct replay *r, bool some, struct table *t)
{
	const double n = (double)(replay_count(r, r->used) * r->ncores),
		     step = replay_mean(r, r->step, r->used);

	table_begin(t, &replay_parts_schema);
	for (int p = 0; p < SPENT_PARTS && r->nsteps; p++) {
		int64_t total = 0;

		for (size_t k = 0; k < r->ncores; k++)
			for (size_t i = 0; i < r->nsteps; i++)
				total += r->used[i] ? replay_parts(r, k, i)[p] : 0;
		if (total || !some)
			table_add(t, &(struct part_row){ (enum spent)p, total, (double)total / n, step });
	}
}

/* Counts the collectives of the steps used, and who came last to them. */
static void count_syncs(const struct replay *r, int64_t *last, int64_t *syncs)
{
	for (size_t i = 0; i < r->nsyncs; i++) {
		const struct meeting *m = &r->meeting[i];
		const struct member *v = &r->member[m->member];
		uint32_t late = 0;
		bool counts = true;

		for (uint32_t k = 0; k < m->members; k++) {
			const struct node *n = &r->core[v[k].core].node[v[k].node];
			bool used = n->step >= 0 && (size_t)n->step < r->nsteps && r->used[n->step];

			syncs[v[k].core] += used;
			counts &= used;
			if (v[k].total < v[late].total)
				late = k;
		}
		last[v[late].core] += counts;
	}
}

void replay_cores_table(const struct replay *r, int core, struct table *t)
{
	int64_t *last = xcalloc(2 * r->ncores + 1, sizeof *last), *syncs = last + r->ncores;

	table_begin(t, &replay_cores_schema);
	count_syncs(r, last, syncs);
	for (size_t k = 0; k < r->ncores && r->nsteps; k++) {
		struct core_row row = { .of = r,
			.core = k,
			.last = r->nsyncs ? last[k] : -1,
			.syncs = r->nsyncs ? syncs[k] : -1 };

		if (core >= 0 && r->core[k].core != core)
			continue;
		for (size_t i = 0; i < r->nsteps; i++)
			for (int p = 0; p < SPENT_PARTS && r->used[i]; p++) {
				row.part[p] += replay_parts(r, k, i)[p];
				row.time += replay_parts(r, k, i)[p];
			}
		table_add(t, &row);
	}
	free(last);
}

void replay_steps_table(const struct replay *r, const char *step, struct table *t)
{
	table_begin(t, &replay_steps_schema);
	for (size_t i = 0; i < r->nsteps; i++) {
		struct step_row row = { .of = r, .step = i };
		struct cell name;

		for (size_t k = 0; k < r->ncores; k++)
			for (int p = 0; p < SPENT_PARTS; p++)
				row.part[p] += replay_parts(r, k, i)[p];
		name = step_name(&row, &t->text);
		if (!step || slice_is(cell_text(&name), step))
			table_add(t, &row);
	}
}

void replay_path_table(const struct replay *r, struct table *t)
{
	const double n = (double)replay_count(r, r->used), step = replay_mean(r, r->step, r->used);

	table_begin(t, &replay_path_schema);
	for (size_t i = 0; i < r->path.n; i++)
		table_add(t, &(struct path_table_row){ r, &r->path.v[i], n, step });
}

void replay_levers_table(const struct levers *l, struct table *t)
{
	table_begin(t, &replay_levers_schema);
	for (size_t i = 0; i < l->n; i++)
		table_add(t, &l->v[i]);
}
