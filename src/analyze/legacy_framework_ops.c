#include "config.h"
#include "analyze/legacy_framework_ops.h"

#include <string.h>

#include "analyze/legacy_table.h"
#include "analyze/op_tables.h"
#include "tf_stats.pb-c.h"

static struct cell word(const char *s)
{
	return s ? cell_str(s, strlen(s)) : cell_str("", 0);
}

static void add_record(struct table *t, const Pb__TfStatsRecord *x)
{
	struct cell *c = table_row(t);

	*c++ = cell_int((int64_t)x->rank);
	*c++ = word(x->host_or_device);
	*c++ = word(x->op_type);
	*c++ = word(x->op_name);
	*c++ = cell_int(x->occurrences);
	*c++ = cell_num(x->total_time_in_us);
	*c++ = cell_num(x->avg_time_in_us);
	*c++ = cell_num(x->total_self_time_in_us);
	*c++ = cell_num(x->avg_self_time_in_us);
	*c++ = cell_num(x->device_total_self_time_as_fraction);
	*c++ = cell_num(x->device_cumulative_total_self_time_as_fraction);
	*c++ = cell_num(x->host_total_self_time_as_fraction);
	*c++ = cell_num(x->host_cumulative_total_self_time_as_fraction);
	*c++ = cell_num(x->measured_flop_rate);
	*c++ = x->has_model_flop_rate ? cell_num(x->model_flop_rate) : cell_null();
	*c++ = cell_num(x->measured_memory_bw);
	*c++ = cell_num(x->operational_intensity);
	*c++ = word(x->bound_by);
	*c = word(x->is_eager ? "Eager" : "Function");
}

/* XProf writes the table with idle time first. */
static const struct json *choose(const struct json *j, bool with_idle)
{
	const struct json *t = datatable_find(j, "host_or_device");

	if (!t || with_idle || j->type != JSON_ARRAY)
		return t;
	for (t = t->next; t; t = t->next)
		if (datatable_column(t, "host_or_device") >= 0)
			return t;
	return NULL;
}

/* A profiler that saw neither FLOPs nor bytes of an op wrote 0. */
static void forget_unknown(struct table *t)
{
	static const char *const rates[] = { "measured_flop_rate", "measured_memory_bw", "model_flop_rate",
		"operational_intensity" };
	int at[sizeof rates / sizeof *rates];

	for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
		at[k] = table_column(t, rates[k]);
	for (size_t i = 0; i < t->nrows; i++) {
		struct cell *c = t->cells + i * t->ncolumns;

		if ((c[at[0]].type == CELL_NUM && c[at[0]].u.d != 0) ||
		    (c[at[1]].type == CELL_NUM && c[at[1]].u.d != 0))
			continue;
		for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
			c[at[k]] = cell_null();
	}
}

bool legacy_framework_ops(const struct toolfile *file, unsigned flags, struct table *t)
{
	bool with_idle = flags & OPS_WITH_IDLE;
	const Pb__TfStatsDatabase *db = toolfile_message(file, &pb__tf_stats_database__descriptor);
	const Pb__TfStatsTable *records = !db ? NULL : with_idle ? db->with_idle : db->without_idle;
	const struct json *j = db ? NULL : choose(file->json, with_idle);

	ops_framework_empty(t);
	for (size_t i = 0; records && i < records->n_tf_stats_record; i++)
		add_record(t, records->tf_stats_record[i]);
	if (j)
		legacy_rows(t, j);
	if (flags & OPS_UNKNOWN_NULL)
		forget_unknown(t);
	return records || j;
}
