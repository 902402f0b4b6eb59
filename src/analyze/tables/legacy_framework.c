#include "config.h"
#include "analyze/tables/legacy_framework.h"

#include <string.h>

#include "analyze/tables/legacy_table.h"
#include "analyze/tables/ops.h"
#include "tf_stats.pb-c.h"

static struct cell word(const char *s)
{
	return s ? cell_str(s, strlen(s)) : cell_str("", 0);
}

static void add_record(struct table *t, const Pb__TfStatsRecord *x)
{
	struct cell *c = table_row(t);

	c[FRAMEWORK_rank] = cell_int((int64_t)x->rank);
	c[FRAMEWORK_host_or_device] = word(x->host_or_device);
	c[FRAMEWORK_type] = word(x->op_type);
	c[FRAMEWORK_operation] = word(x->op_name);
	c[FRAMEWORK_occurrences] = cell_int(x->occurrences);
	c[FRAMEWORK_total_time] = cell_num(x->total_time_in_us);
	c[FRAMEWORK_avg_time] = cell_num(x->avg_time_in_us);
	c[FRAMEWORK_total_self_time] = cell_num(x->total_self_time_in_us);
	c[FRAMEWORK_avg_self_time] = cell_num(x->avg_self_time_in_us);
	c[FRAMEWORK_device_total_self_time_percent] = cell_num(x->device_total_self_time_as_fraction);
	c[FRAMEWORK_device_cumulative_total_self_time_percent] =
	    cell_num(x->device_cumulative_total_self_time_as_fraction);
	c[FRAMEWORK_host_total_self_time_percent] = cell_num(x->host_total_self_time_as_fraction);
	c[FRAMEWORK_Host_cumulative_total_self_time_percent] =
	    cell_num(x->host_cumulative_total_self_time_as_fraction);
	c[FRAMEWORK_measured_flop_rate] = cell_num(x->measured_flop_rate);
	c[FRAMEWORK_model_flop_rate] = x->has_model_flop_rate ? cell_num(x->model_flop_rate) : cell_null();
	c[FRAMEWORK_measured_memory_bw] = cell_num(x->measured_memory_bw);
	c[FRAMEWORK_operational_intensity] = cell_num(x->operational_intensity);
	c[FRAMEWORK_bound_by] = word(x->bound_by);
	c[FRAMEWORK_eager] = word(x->is_eager ? "Eager" : "Function");
}

/* XProf writes the table with idle time first. */
static const struct json *choose_table(const struct json *j, bool with_idle)
{
	const struct json *t = datatable_find(j, "host_or_device");

	if (!t || with_idle || j->type != JSON_ARRAY)
		return t;
	for (t = t->next; t; t = t->next)
		if (datatable_column(t, "host_or_device") >= 0)
			return t;
	return NULL;
}

/* A profiler that recorded neither FLOPs nor bytes of an op wrote 0; such zeros become null. */
static void forget_unknown(struct table *t)
{
	static const enum framework_column rates[] = { FRAMEWORK_measured_flop_rate,
		FRAMEWORK_measured_memory_bw, FRAMEWORK_model_flop_rate, FRAMEWORK_operational_intensity };

	for (size_t i = 0; i < t->nrows; i++) {
		struct cell *c = t->cells + i * t->ncolumns;
		const struct cell *flops = &c[rates[0]], *bytes = &c[rates[1]];

		if ((flops->type == CELL_NUM && flops->u.d != 0) ||
		    (bytes->type == CELL_NUM && bytes->u.d != 0))
			continue;
		for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
			c[rates[k]] = cell_null();
	}
}

bool legacy_framework_ops(const struct toolfile *file, bool with_idle, struct table *t)
{
	const Pb__TfStatsDatabase *db = toolfile_message(file, &pb__tf_stats_database__descriptor);
	const Pb__TfStatsTable *records = !db ? NULL : with_idle ? db->with_idle : db->without_idle;
	const struct json *j = db ? NULL : choose_table(file->json, with_idle);

	table_begin(t, &framework_schema);
	for (size_t i = 0; records && i < records->n_tf_stats_record; i++)
		add_record(t, records->tf_stats_record[i]);
	if (j)
		legacy_rows(t, j);
	forget_unknown(t);
	return records || j;
}
