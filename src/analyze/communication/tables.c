#include "config.h"
#include "analyze/communication/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

struct comm_op_row {
	const struct comm_op *op;
	size_t steps;
};

struct comm_core_row {
	const struct communication *of;
	const struct comm_core *core;
};

struct comm_step_row {
	const struct communication *of;
	const struct comm_step *step;
	bool labels;
};

static struct cell us_cell(int64_t ps)
{
	return cell_num((double)ps / 1e6);
}

static struct cell known_us(int64_t ps)
{
	return ps < 0 ? cell_null() : us_cell(ps);
}

static struct cell slice_cell(struct slice s)
{
	return s.n ? cell_str(s.s, s.n) : cell_null();
}

static struct cell host_cell(const struct communication *c, int host)
{
	return host < 0 ? cell_null() : cell_strid(&c->dump->str, c->dump->hosts[host].name);
}

static struct cell program_of(const struct comm_op *o, struct arena *text)
{
	char id[24];

	snprintf(id, sizeof id, "%" PRIu64, o->program);
	return o->has_program ? arena_cell(text, id) : cell_null();
}

static struct cell part_us(const struct comm_op *o, int64_t ps)
{
	return comm_in_no_sum(o) ? cell_null() : us_cell(ps);
}

static const char *mode_name(enum comm_mode m)
{
	static const char *const names[] = { [MODE_SYNC] = "sync",
		[MODE_ASYNC] = "async",
		[MODE_UPDATE] = "update",
		[MODE_FUSED] = "fused",
		[MODE_NETWORK] = "network" };

	return names[m];
}

static const char *core_type(const struct comm_op *o)
{
	return o->mode == MODE_NETWORK ? NULL : o->sparse ? "SparseCore" : "TensorCore";
}

static struct cell transfer_of(const struct comm_op *o)
{
	return o->mode == MODE_SYNC && o->wait >= 0 ? us_cell(o->exposed - o->wait) : cell_null();
}

#define SCHEMA ops
#define SCHEMA_ROW struct comm_op_row
#define SCHEMA_DEF "analyze/communication/ops.def"
#include "result/schema_def.h"

#define SCHEMA groups
#define SCHEMA_ROW struct comm_group
#define SCHEMA_DEF "analyze/communication/groups.def"
#include "result/schema_def.h"

#define SCHEMA cores
#define SCHEMA_ROW struct comm_core_row
#define SCHEMA_DEF "analyze/communication/cores.def"
#include "result/schema_def.h"

#define SCHEMA steps
#define SCHEMA_ROW struct comm_step_row
#define SCHEMA_DEF "analyze/communication/steps.def"
#include "result/schema_def.h"

const struct schema communication_ops_schema = {
	SCHEMA_COLUMNS(ops_columns),
	.view = "name axis count exposed_us wait_us hidden_us busbw_gbps ici_percent",
	.text =
	    "name kind axis count wall_us hidden_us exposed_us wait_us bytes busbw_gbps ici_percent save_us"
};
const struct schema communication_groups_schema = { SCHEMA_COLUMNS(groups_columns),
	.view = "key count exposed_us wait_us hidden_us busbw_gbps" };
const struct schema communication_cores_schema = { SCHEMA_COLUMNS(cores_columns) };
const struct schema communication_steps_schema = { SCHEMA_COLUMNS(steps_columns) };

void communication_ops_table(const struct communication *c, bool copies, struct table *t)
{
	table_begin(t, &communication_ops_schema);
	for (size_t i = 0; i < (copies ? c->ncopies : c->nops); i++)
		table_add(t, &(struct comm_op_row){ copies ? &c->copy[i] : &c->op[i], c->steps });
}

void communication_cores_table(const struct communication *c, struct table *t)
{
	table_begin(t, &communication_cores_schema);
	for (size_t i = 0; i < c->ncores; i++)
		table_add(t, &(struct comm_core_row){ c, &c->core[i] });
}

void communication_steps_table(const struct communication *c, bool labels, struct table *t)
{
	table_begin(t, &communication_steps_schema);
	for (size_t i = 0; i < c->nsteps; i++)
		table_add(t, &(struct comm_step_row){ c, &c->step[i], labels });
}

void communication_groups_table(const struct communication *c, enum comm_by by, struct table *t)
{
	size_t n;
	struct comm_group *v = communication_groups(c, by, &n);

	table_begin(t, &communication_groups_schema);
	for (size_t i = 0; i < n; i++)
		table_add(t, &v[i]);
	free(v);
}
