#include "config.h"
#include "analyze/roof_table.h"

#include <string.h>

#include "analyze/op_tables.h"
#include "base/clamp.h"

static const struct column columns[] = {
	{ "step", "step", "", COL_STRING },
	{ "rank", "rank", "", COL_INTEGER },
	{ "category", "category", "", COL_STRING },
	{ "operation", "operation", "", COL_STRING },
	{ "occurrences", "occurrences", "", COL_INTEGER },
	{ "total_time", "total time", "us", COL_NUMBER },
	{ "avg_time", "avg time", "us", COL_NUMBER },
	{ "total_self_time", "self time", "us", COL_NUMBER },
	{ "avg_self_time", "avg self time", "us", COL_NUMBER },
	{ "total_self_time_percent", "self", "fraction", COL_NUMBER },
	{ "cumulative_total_self_time_percent", "cumulative self", "fraction", COL_NUMBER },
	{ "dma_stall_percent", "DMA stall", "fraction", COL_NUMBER },
	{ "measured_flop_rate", "FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "model_flop_rate", "model FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "measured_memory_bw", "memory BW", "GiB/s", COL_NUMBER },
	{ "hbm_bw", "HBM BW", "GiB/s", COL_NUMBER },
	{ "cmem_read_bw", "CMEM read BW", "GiB/s", COL_NUMBER },
	{ "cmem_write_bw", "CMEM write BW", "GiB/s", COL_NUMBER },
	{ "vmem_read_bw", "VMEM read BW", "GiB/s", COL_NUMBER },
	{ "vmem_write_bw", "VMEM write BW", "GiB/s", COL_NUMBER },
	{ "operational_intensity", "intensity", "FLOP/B", COL_NUMBER },
	{ "hbm_operational_intensity", "HBM intensity", "FLOP/B", COL_NUMBER },
	{ "cmem_read_operational_intensity", "CMEM read intensity", "FLOP/B", COL_NUMBER },
	{ "cmem_write_operational_intensity", "CMEM write intensity", "FLOP/B", COL_NUMBER },
	{ "vmem_read_operational_intensity", "VMEM read intensity", "FLOP/B", COL_NUMBER },
	{ "vmem_write_operational_intensity", "VMEM write intensity", "FLOP/B", COL_NUMBER },
	{ "bottleneck_operational_intensity", "bottleneck intensity", "FLOP/B", COL_NUMBER },
	{ "bound_by", "bound by", "", COL_STRING },
	{ "total_time_per_core", "time per core", "us", COL_NUMBER },
	{ "total_time_in_percentage", "time", "fraction", COL_NUMBER },
	{ "optimal_flop_rate", "optimal FLOP rate", "GFLOP/s", COL_NUMBER },
	{ "roofline_efficiency", "roofline efficiency", "fraction", COL_NUMBER },
	{ "compute_efficiency", "compute efficiency", "fraction", COL_NUMBER },
	{ "max_mem_bw_utilization", "memory utilization", "fraction", COL_NUMBER },
	{ "include_infeed_outfeed", "infeed, outfeed", "", COL_BOOLEAN },
	{ "hlo_module_id", "program id", "", COL_STRING },
	{ "source_info", "source", "", COL_STRING },
	/* with `texts` only */
	{ "tf_op_name", "framework op", "", COL_STRING },
	{ "hlo_op_expression", "HLO op expression", "", COL_STRING },
};
enum { COLUMNS = sizeof columns / sizeof *columns, PLAIN = COLUMNS - 2 };

void roof_table_init(struct table *t, bool texts)
{
	table_init(t, columns, texts ? COLUMNS : PLAIN);
}

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

static struct cell *add_times(struct cell *c, struct roof_part *p, const struct opsum *s)
{
	double n = (double)s->occurrences, share = safe_div((double)s->self, p->total);

	p->cumulative += share;
	*c++ = ops_count(&p->t->text, s->occurrences);
	*c++ = ops_us((double)s->time / p->steps);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = cell_num(share);
	*c++ = cell_num(p->cumulative);
	*c++ = cell_num(safe_div((double)s->dma, (double)s->time));
	return c;
}

static struct cell rate(const struct roof_part *p, double v)
{
	return p->unknown_null && !(v > 0) ? cell_null() : cell_num(v);
}

static struct cell *add_rates(struct cell *c, const struct roof_part *p, const struct opsum *s)
{
	struct roof_use use;
	struct roof r;

	roof_of(s, &p->db->peaks, &r);
	roof_use(&r, &p->db->peaks, &use);
	*c++ = rate(p, r.flop_rate);
	*c++ = rate(p, r.model_rate);
	*c++ = rate(p, r.all_bw);
	for (size_t i = 0; i < ROOF_COUNT; i++)
		*c++ = rate(p, r.bw[i]);
	*c++ = rate(p, r.all_intensity);
	for (size_t i = 0; i < ROOF_COUNT; i++)
		*c++ = rate(p, r.intensity[i]);
	*c++ = rate(p, r.bottleneck);
	*c++ = word(r.bound_by);
	*c++ = ops_us(safe_div((double)s->time / p->steps, (double)p->db->planes));
	*c++ = cell_num(safe_div((double)s->time, p->total));
	*c++ = rate(p, use.optimal_rate);
	*c++ = rate(p, use.efficiency);
	*c++ = rate(p, use.compute);
	*c++ = rate(p, use.memory);
	*c++ = cell_bool(p->transfers);
	return c;
}

/* o NULL: the program as a whole. */
void roof_row(struct roof_part *p, const struct dump *d, const char *step, const struct op *o,
    const struct opsum *s)
{
	struct cell *c = table_row(p->t);
	struct slice source = o ? o->source : (struct slice){ "", 0 };

	*c++ = cell_str(table_copy(p->t, step, strlen(step)), strlen(step));
	*c++ = cell_int(o ? ++p->rank : 0);
	*c++ = o ? ops_text(o->category) : word("Program");
	*c++ = o ? ops_text(op_short_name(d, o)) : word("Program");
	c = add_times(c, p, s);
	c = add_rates(c, p, s);
	*c++ = o ? ops_program(&p->t->text, o->program) : word("0");
	*c++ = ops_text(source);
	if (p->t->ncolumns == PLAIN || !o)
		return;
	*c++ = ops_text(o->provenance);
	*c = ops_text(o->expression);
}
