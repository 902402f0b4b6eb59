#include "config.h"
#include "analyze/kernels/kernels.h"

#include <stdio.h>

struct kernel_row {
	const struct kernel *of;
	int64_t rank, all; /* all: ns of all kernels */
	bool people;
};

struct kernel_op_row {
	const struct kernel_op *of;
	int64_t all;
	bool people;
};

struct kernel_stream_row {
	const struct kernels *k;
	const struct kernel_stream *of;
	uint32_t plane;
	int64_t all;
};

struct kernel_device_row {
	const struct kernels *k;
	const struct kernel_device *of;
	uint32_t plane;
};

static struct cell slice_cell(struct slice s)
{
	return cell_str(s.n ? s.s : "", s.n);
}

static struct cell us_cell(int64_t ns)
{
	return cell_num((double)ns / 1e3);
}

static struct cell gap_cell(const struct kernel_sum *s)
{
	return s->launches ? cell_num((double)s->gap / (double)s->launches / 1e6) : cell_null();
}

static struct cell share_cell(const struct kernel_sum *s, int64_t all)
{
	return all > 0 ? cell_num((double)s->total / (double)all) : cell_null();
}

static struct cell dims_cell(struct arena *text, const uint32_t v[3])
{
	char buf[40];

	if (!(v[0] | v[1] | v[2]))
		return cell_null();
	snprintf(buf, sizeof buf, "%u,%u,%u", v[0], v[1], v[2]);
	return arena_cell(text, buf);
}

static int64_t shared_bytes(const struct kernel_row *r)
{
	return (int64_t)r->of->shape.static_shared + r->of->shape.dynamic_shared;
}

static struct cell registers_cell(const struct kernel_row *r)
{
	uint32_t n = r->of->shape.registers;

	return n && n <= KERNEL_REGISTERS_MAX ? cell_int(n) : cell_null();
}

static struct cell occupancy_cell(const struct kernel_row *r)
{
	return r->of->occupancy <= 0 ? cell_null() : cell_num(r->of->occupancy);
}

/* no op: XProf has an empty text */
#define op_cell(r) ((r)->people && !(r)->of->OP_OF.n ? cell_null() : slice_cell((r)->of->OP_OF))

static struct cell host_cell(const struct kernels *k, uint32_t plane)
{
	int host = k->dump->trace.planes[plane].host;

	return host >= 0 ? slice_cell(dump_text(k->dump, k->dump->hosts[host].name)) : cell_null();
}

static struct cell device_cell(const struct kernels *k, uint32_t plane)
{
	return slice_cell(plane_label(dump_text(k->dump, k->dump->trace.planes[plane].name)));
}

static struct cell busy_cell(const struct kernels *k, int64_t busy)
{
	return cell_num(kernels_busy(k, busy));
}

#define OP_OF op
#define SCHEMA kernel
#define SCHEMA_ROW struct kernel_row
#define SCHEMA_DEF "analyze/kernels/kernels.def"
#include "result/schema_def.h"
#undef OP_OF

#define OP_OF name
#define SCHEMA op
#define SCHEMA_ROW struct kernel_op_row
#define SCHEMA_DEF "analyze/kernels/ops.def"
#include "result/schema_def.h"
#undef OP_OF

#define SCHEMA stream
#define SCHEMA_ROW struct kernel_stream_row
#define SCHEMA_DEF "analyze/kernels/streams.def"
#include "result/schema_def.h"

#define SCHEMA device
#define SCHEMA_ROW struct kernel_device_row
#define SCHEMA_DEF "analyze/kernels/devices.def"
#include "result/schema_def.h"

const struct schema kernels_schema[] = {
	[KERNELS_BY_KERNEL] = { SCHEMA_COLUMNS(kernel_columns),
	    .view =
		"kernel_name total_duration_us share occurrences avg_duration_us max_duration_us launch_us "
		"block_dim "
		"grid_dim registers shmem_bytes lds_bytes occupancy_pct is_kernel_using_tensor_core op_name",
	    .text = "kernel_name op_name occurrences total_duration_us share avg_duration_us max_duration_us "
		    "launch_us "
		    "block_dim grid_dim registers shmem_bytes lds_bytes occupancy_pct "
		    "is_kernel_using_tensor_core" },
	[KERNELS_BY_OP] = { SCHEMA_COLUMNS(op_columns) },
	[KERNELS_BY_STREAM] = { SCHEMA_COLUMNS(stream_columns) },
	[KERNELS_DEVICES] = { SCHEMA_COLUMNS(device_columns) },
};

static void add_kernels(const struct kernels *k, bool people, struct table *t)
{
	for (size_t i = 0; i < k->n; i++)
		table_add(t, &(struct kernel_row){ &k->v[i], (int64_t)i + 1, k->sum.total, people });
}

static void add_streams(const struct kernels *k, struct table *t)
{
	for (size_t i = 0; i < k->nstreams; i++) {
		const struct kernel_stream *s = &k->streams[i];

		table_add(t, &(struct kernel_stream_row){ k, s, k->devices[s->device].plane, k->sum.total });
	}
}

void kernels_table(const struct kernels *k, enum kernels_table which, bool people, struct table *t)
{
	table_begin(t, &kernels_schema[which]);
	switch (which) {
	case KERNELS_BY_KERNEL:
		add_kernels(k, people, t);
		break;
	case KERNELS_BY_OP:
		for (size_t i = 0; i < k->nops; i++)
			table_add(t, &(struct kernel_op_row){ &k->ops[i], k->sum.total, people });
		break;
	case KERNELS_BY_STREAM:
		add_streams(k, t);
		break;
	case KERNELS_DEVICES:
		for (size_t i = 0; i < k->ndevices; i++)
			table_add(t, &(struct kernel_device_row){ k, &k->devices[i], k->devices[i].plane });
		break;
	}
}
