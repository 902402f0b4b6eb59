#include "config.h"
#include "analyze/idle/idle.h"

#include <stdio.h>

struct idle_row {
	const struct dump *dump;
	const struct idle_core *of;
	bool labels;
};

struct launch_row {
	const struct dump *dump;
	const struct idle_launch *of;
};

struct gap_row {
	const struct dump *dump;
	const struct idle_gap *of;
};

static struct cell idle_us(int64_t ps)
{
	return cell_num((double)ps / 1e6);
}

static struct cell known_us(int64_t ps)
{
	return ps < 0 ? cell_null() : idle_us(ps);
}

static struct cell idle_host(const struct idle_row *r)
{
	return cell_strid(&r->dump->str, r->dump->hosts[r->of->host].name);
}

static struct cell kind_of(const struct dump *d, uint32_t meta)
{
	return meta == CUT_NONE ? cell_null() : cell_strid(&d->str, d->trace.metas[meta].name);
}

static struct cell thread_of(const struct launch_row *r)
{
	return cell_strid(&r->dump->str, r->dump->trace.tracks[r->of->track].name);
}

static struct cell event_of(const struct launch_row *r, struct arena *text)
{
	const struct idle_launch *l = r->of;
	struct slice top, low;
	char both[512];

	if (!l->top)
		return cell_null();
	if (l->top == l->low)
		return cell_strid(&r->dump->str, l->top);
	top = dump_text(r->dump, l->top);
	low = dump_text(r->dump, l->low);
	snprintf(both, sizeof both, "%.*s > %.*s", (int)(top.n < 240 ? top.n : 240), top.s,
	    (int)(low.n < 240 ? low.n : 240), low.s);
	return arena_cell(text, both);
}

#define SCHEMA cores
#define SCHEMA_ROW struct idle_row
#define SCHEMA_DEF "analyze/idle/cores.def"
#include "result/schema_def.h"

#define SCHEMA steps
#define SCHEMA_ROW struct idle_row
#define SCHEMA_DEF "analyze/idle/steps.def"
#include "result/schema_def.h"

#define SCHEMA launches
#define SCHEMA_ROW struct launch_row
#define SCHEMA_DEF "analyze/idle/launches.def"
#include "result/schema_def.h"

#define SCHEMA longest
#define SCHEMA_ROW struct gap_row
#define SCHEMA_DEF "analyze/idle/longest.def"
#include "result/schema_def.h"

const struct schema idle_cores_schema = {
	SCHEMA_COLUMNS(cores_columns),
	.text = "host core window_us idle_us launch_us between_us in_run_us input_us other_cores_us dma_us "
		"communication_us dependency_us unknown_us infeed_us",
},
		    idle_steps_schema = { SCHEMA_COLUMNS(steps_columns) },
		    idle_launches_schema = { SCHEMA_COLUMNS(launches_columns) },
		    idle_longest_schema = { SCHEMA_COLUMNS(longest_columns) };

void idle_cores_table(const struct idle *v, struct table *t)
{
	table_begin(t, &idle_cores_schema);
	for (size_t i = 0; i < v->ncores; i++)
		table_add(t, &(struct idle_row){ v->dump, &v->core[i], false });
}

void idle_steps_table(const struct idle *v, bool labels, struct table *t)
{
	table_begin(t, &idle_steps_schema);
	for (size_t i = 0; i < v->nsteps; i++)
		table_add(t, &(struct idle_row){ v->dump, &v->step[i], labels });
}

void idle_launches_table(const struct idle *v, struct table *t)
{
	table_begin(t, &idle_launches_schema);
	for (size_t i = 0; i < v->nlaunches; i++)
		table_add(t, &(struct launch_row){ v->dump, &v->launch[i] });
}

void idle_longest_table(const struct idle *v, struct table *t)
{
	table_begin(t, &idle_longest_schema);
	for (size_t i = 0; i < v->ngaps; i++)
		table_add(t, &(struct gap_row){ v->dump, &v->gap[i] });
}
