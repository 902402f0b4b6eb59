#include "config.h"
#include "analyze/tables/roofline.h"

#include <string.h>

#include "analyze/tables/ops.h"
#include "base/clamp.h"

struct roof_place {
	const struct dump *dump;
	const char *step;
	const struct op *op; /* NULL: the program as a whole */
	const struct opsum *sum;
	bool transfers, converted, people;
	int64_t rank;
	double time, runs, share, cumulative, total, cores; /* ps and fractions */
	struct roof roof;
	struct roof_use use;
};

static struct cell text_of(struct arena *text, const char *s)
{
	return cell_str(arena_strndup(text, s, strlen(s)), strlen(s));
}

static struct cell bound(const struct roof_place *r)
{
	const char *by = r->people ? roof_bound(&r->roof, r->op) : r->roof.bound_by;

	return by && !r->roof.no_spaces ? cell_strz(by) : cell_null();
}

/* A share of a peak; that of a memory is beyond what is possible when it passes 100 %. */
static struct cell of_peak(const struct roof_place *r, double v)
{
	return tables_possible_rate(v, r->use.memory > ROOF_POSSIBLE);
}

static struct cell text_or_null(const struct roof_place *r, struct slice t)
{
	return r->converted && !t.n ? cell_null() : tables_text(t);
}

#define SCHEMA roof
#define SCHEMA_ROW struct roof_place
#define SCHEMA_DEF "analyze/tables/roofline.def"
#include "result/schema_def.h"

const struct schema roof_schema = {
	SCHEMA_COLUMNS(roof_columns),
	.view = "-rank total_self_time total_self_time_percent occurrences -avg_time measured_flop_rate "
		"hbm_bw hbm_operational_intensity -bottleneck_operational_intensity roofline_efficiency "
		"-compute_efficiency -max_mem_bw_utilization bound_by category operation -tf_op_name "
		"-hlo_module_id -source_info -hlo_op_expression",
	.text = "include_infeed_outfeed step rank total_self_time total_time_in_percentage "
		"measured_flop_rate hbm_bw bottleneck_operational_intensity roofline_efficiency bound_by "
		"operation",
};

void roof_table_init(struct table *t, bool texts)
{
	table_begin_some(t, &roof_schema, roof_schema.n - (texts ? 0 : 2));
}

/* o NULL: the program as a whole */
void roof_row(struct roof_part *p, const struct dump *d, const char *step, const struct op *o,
    const struct opsum *s)
{
	struct roof_place r = { .dump = d,
		.step = step,
		.op = o,
		.sum = s,
		.transfers = p->transfers,
		.converted = p->db->converted,
		.people = p->people,
		.rank = o ? ++p->rank : 0,
		.time = (double)s->time / p->steps,
		.runs = (double)s->occurrences,
		.share = safe_div((double)s->self, p->total),
		.total = p->total,
		.cores = (double)p->db->planes };

	r.cumulative = p->cumulative += r.share;
	roof_of(s, &p->db->peaks, &r.roof);
	roof_use(&r.roof, &p->db->peaks, &r.use);
	table_add(p->t, &r);
}
