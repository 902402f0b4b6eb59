#include "config.h"
#include "report/reports.h"

#include <string.h>

#include "analyze/roofline.h"
#include "report/ops_part.h"

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
};
static const struct column diagnostics[] = {
	{ "severity", "severity", "", COL_STRING },
	{ "message", "message", "", COL_STRING },
};
static const char *const for_people[] = { "include_infeed_outfeed", "step", "rank", "total_self_time",
	"total_time_in_percentage", "measured_flop_rate", "hbm_bw", "bottleneck_operational_intensity",
	"roofline_efficiency", "bound_by", "operation", NULL };

/* One table being made: what all rows of one part share. */
struct part {
	struct table *t;
	const struct opdb *db;
	bool transfers;
	double total, cumulative; /* ps; fraction */
	double steps;
	int64_t rank;
};

static struct cell word(const char *s)
{
	return cell_str(s, strlen(s));
}

static struct cell *add_times(struct cell *c, struct part *p, const struct opsum *s)
{
	double n = (double)s->occurrences, share = safe_div((double)s->self, p->total);

	p->cumulative += share;
	*c++ = cell_int(s->occurrences);
	*c++ = ops_us((double)s->time / p->steps);
	*c++ = ops_us(safe_div((double)s->time, n));
	*c++ = ops_us((double)s->self);
	*c++ = ops_us(safe_div((double)s->self, n));
	*c++ = cell_num(share);
	*c++ = cell_num(p->cumulative);
	*c++ = cell_num(safe_div((double)s->dma, (double)s->time));
	return c;
}

static struct cell *add_rates(struct cell *c, const struct part *p, const struct opsum *s)
{
	struct roof_use use;
	struct roof r;

	roof_of(s, &p->db->peaks, &r);
	roof_use(&r, &p->db->peaks, &use);
	*c++ = cell_num(r.flop_rate);
	*c++ = cell_num(r.model_rate);
	*c++ = cell_num(r.all_bw);
	for (size_t i = 0; i < ROOF_COUNT; i++)
		*c++ = cell_num(r.bw[i]);
	*c++ = cell_num(r.all_intensity);
	for (size_t i = 0; i < ROOF_COUNT; i++)
		*c++ = cell_num(r.intensity[i]);
	*c++ = cell_num(r.bottleneck);
	*c++ = word(r.bound_by);
	*c++ = ops_us(safe_div((double)s->time / p->steps, (double)p->db->planes));
	*c++ = cell_num(safe_div((double)s->time, p->total));
	*c++ = cell_num(use.optimal_rate);
	*c++ = cell_num(use.efficiency);
	*c++ = cell_num(use.compute);
	*c++ = cell_num(use.memory);
	*c++ = cell_bool(p->transfers);
	return c;
}

/* o NULL: the program as a whole. */
static void add_row(
    struct part *p, const struct dump *d, const char *step, const struct op *o, const struct opsum *s)
{
	struct cell *c = table_row(p->t);
	struct optext source = o ? o->source : (struct optext){ "", 0 };

	*c++ = cell_str(table_copy(p->t, step, strlen(step)), strlen(step));
	*c++ = cell_int(o ? ++p->rank : 0);
	*c++ = o ? ops_text(o->category) : word("Program");
	*c++ = o ? ops_text(op_short_name(d, o)) : word("Program");
	c = add_times(c, p, s);
	c = add_rates(c, p, s);
	*c++ = o ? ops_program(p->t, o->program) : word("0");
	*c = ops_text(source);
}

static void add_average(struct part *p, const struct dump *d, const struct op_step *v, size_t n)
{
	struct opsum sum = { 0 }, one;

	for (size_t i = 0; i < n; i++) {
		roof_program(&v[i].db, p->transfers, &one);
		opsum_add(&sum, &one);
	}
	sum.occurrences = 1;
	p->total = (double)sum.time;
	p->steps = n ? (double)n : 1;
	add_row(p, d, "Average", NULL, &sum);
	p->steps = 1;
}

static void add_part(struct table *t, const struct dump *d, const struct opdb *db, const struct op_step *v,
    size_t n, bool transfers)
{
	struct part p = { .t = t, .db = db, .transfers = transfers, .steps = 1 };
	struct opsum program;

	if (!db->planes)
		return;
	roof_program(db, transfers, &program);
	p.total = (double)program.time;
	add_row(&p, d, "Total", NULL, &program);
	for (size_t i = 0; i < db->n; i++)
		if (!db->v[i].sparse && (transfers || !roof_is_transfer(&db->v[i])))
			add_row(&p, d, "Total", &db->v[i], &db->v[i].sum);
	p.cumulative = 0;
	add_average(&p, d, v, n);
	for (size_t i = 0; i < n; i++) {
		roof_program(&v[i].db, transfers, &program);
		p.total = (double)program.time;
		add_row(&p, d, v[i].number, NULL, &program);
	}
}

static void add_diagnostics(struct table *t, const struct dump *d, const struct opdb *db, size_t nsteps)
{
	const struct {
		bool there;
		const char *severity, *message;
	} v[] = {
		{ !db->n, "WARNING", "no HLO ops of a TPU in the capture" },
		{ db->n && !(db->peaks.tflops > 0), "WARNING", "the peaks of the chip are not known" },
		{ db->peaks.assumed, "INFO",
		    "the peaks of the chip are assumed: the capture does not state them" },
		{ db->n && !nsteps, "WARNING", "no step markers: there is nothing per step" },
		{ db->n && d->nhosts > 1, "INFO",
		    "several hosts: megacore, CMEM and VMEM of the summary are left out, as "
		    "in XProf" },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		if (!v[i].there)
			continue;
		struct cell *c = table_row(t);

		c[0] = word(v[i].severity);
		c[1] = word(v[i].message);
	}
}

/* XProf forgets what the memories on the chip can do where it combines hosts, and shows VMEM only where it is merged. */
static void summarize(struct report *r, const struct dump *d, const struct opdb *db)
{
	static const struct {
		enum op_peak peak;
		const char *bw, *ridge;
		bool cmem, vmem;
	} memory[] = {
		{ PEAK_HBM, "peak_hbm_bw", "hbm_ridge_point", false, false },
		{ PEAK_CMEM_RD, "peak_cmem_read_bw", "cmem_read_ridge_point", true, false },
		{ PEAK_CMEM_WR, "peak_cmem_write_bw", "cmem_write_ridge_point", true, false },
		{ PEAK_VMEM_RD, "peak_vmem_read_bw", "vmem_read_ridge_point", false, true },
		{ PEAK_VMEM_WR, "peak_vmem_write_bw", "vmem_write_ridge_point", false, true },
	};
	struct op_peaks known = db->peaks, *p = &known;

	if (d->nhosts > 1)
		p->megacore = p->merged_vmem = false;
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		if ((memory[i].cmem && d->nhosts > 1) || (memory[i].vmem && !p->merged_vmem))
			p->bw[memory[i].peak] = 0;
	report_sum_str(r, "device_type", p->device);
	report_sum_bool(r, "megacore", p->megacore);
	report_sum_bool(r, "has_cmem", roof_has_cmem(p));
	report_sum_bool(r, "has_merged_vmem", p->merged_vmem);
	report_sum_num(r, "peak_flop_rate", p->tflops * 1e3);
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		report_sum_num(r, memory[i].bw, p->bw[memory[i].peak] / GIB_PER_GB);
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		report_sum_num(r, memory[i].ridge, safe_div(p->tflops * 1e3, p->bw[memory[i].peak]));
	report_sum_num(r, "time_scale_multiplier", safe_div((double)db->normalized, (double)db->op_time));
	report_sum_str(r, "peak_source", p->assumed ? "assumed" : p->tflops > 0 ? "file" : NULL);
}

int report_roofline(struct dump *d, const struct report_options *o, FILE *f, struct err *e)
{
	struct opdb_options options = { .host = o->host, .core = o->core, .threads = o->threads };
	struct table t, notes;
	struct op_step *steps;
	struct opdb db;
	size_t n;
	int bad;

	if (ops_check(o, "roofline", "main", "diagnostics", e))
		return -1;
	ops_build(d, o, &db);
	steps = roof_steps(d, &options, &n);
	table_init(&t, columns, sizeof columns / sizeof *columns);
	table_init(&notes, diagnostics, sizeof diagnostics / sizeof *diagnostics);
	add_part(&t, d, &db, steps, n, true);
	add_part(&t, d, &db, steps, n, false);
	add_diagnostics(&notes, d, &db, n);
	if (!(bad = report_order(o, &t, e))) {
		struct report *r = report_begin(f, o->format, o->width, "roofline", d);

		ops_warnings(r, d, &db);
		summarize(r, d, &db);
		if (!o->table || !strcmp(o->table, "main"))
			ops_table(r, o, "main", &t, for_people);
		if (!o->table || !strcmp(o->table, "diagnostics"))
			report_whole(r, "diagnostics", &notes);
		bad = report_end(r, e);
	}
	roof_steps_free(steps, n);
	table_free(&t);
	table_free(&notes);
	opdb_free(&db);
	return bad ? -1 : EXIT_OK;
}
