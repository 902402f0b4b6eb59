#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <string.h>

#include "analyze/tables/roofline.h"
#include "base/clamp.h"
#include "capture/results.h"
#include "model/digest.h"
#include "report/choose.h"
#include "report/warnings.h"

struct roof_note {
	const char *severity, *message;
};

#define SCHEMA note
#define SCHEMA_ROW struct roof_note
#define SCHEMA_DEF "report/tool/roof_diagnostics.def"
#include "result/schema_def.h"

const struct schema roof_note_schema = { SCHEMA_COLUMNS(note_columns) };

static void add_average(struct roof_part *p, const struct dump *d, const struct op_step *v, size_t n)
{
	struct opsum sum = { 0 }, one;

	for (size_t i = 0; i < n; i++) {
		roof_program(&v[i].db, p->transfers, &one);
		opsum_add(&sum, &one);
	}
	sum.occurrences = 1;
	p->total = (double)sum.time;
	p->steps = n ? (double)n : 1;
	roof_row(p, d, "Average", NULL, &sum);
	p->steps = 1;
}

static void add_part(struct table *t, const struct dump *d, const struct opdb *db, const struct op_step *v,
    size_t n, bool transfers, bool text)
{
	struct roof_part p = { .t = t, .db = db, .transfers = transfers, .people = text, .steps = 1 };
	struct opsum program;

	if (!db->planes)
		return;
	roof_program(db, transfers, &program);
	p.total = (double)program.time;
	roof_row(&p, d, "Total", NULL, &program);
	for (size_t i = 0; i < db->n; i++)
		if (!db->v[i].sparse && (transfers || !roof_is_transfer(&db->v[i])))
			roof_row(&p, d, "Total", &db->v[i], &db->v[i].sum);
	p.cumulative = 0;
	if (n || (!db->converted && !digest_count(d))) /* XProf has a row of zeros */
		add_average(&p, d, v, n);
	for (size_t i = 0; i < n; i++) {
		roof_program(&v[i].db, transfers, &program);
		p.total = (double)program.time;
		roof_row(&p, d, text ? v[i].label : v[i].number, NULL, &program);
	}
}

static void add_diagnostics(struct table *t, const struct dump *d, const struct opdb *db, size_t nsteps)
{
	const struct {
		bool there;
		struct roof_note note;
	} v[] = {
		{ !db->n, { "WARNING", "no HLO ops of a TPU in the capture" } },
		{ db->n && !(db->peaks.tflops > 0), { "WARNING", "the peaks of the chip are unknown" } },
		{ db->peaks.assumed,
		    { "INFO",
			"the peaks of the chip are assumed, because the capture does not state them" } },
		{ db->n && !nsteps && !digest_count(d), { "WARNING", "no step markers: no rows per step" } },
		{ digest_count(d) > 0,
		    { "WARNING", "digests do not keep which ops ran in which step: no rows per step" } },
		{ db->n && d->nhosts > 1,
		    { "INFO",
			"several hosts: megacore, CMEM and VMEM of the summary are left out, as in XProf" } },
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		if (v[i].there)
			table_add(t, &v[i].note);
}

/* A peak of 0 is unknown. */
static double peak(double v)
{
	return v > 0 ? v : NAN;
}

/* Writes a property of the chip; those of converted traces are unknown, because planes lose their stats. */
static void put_flag(struct report *r, const char *id, bool has, const struct opdb *db)
{
	if (db->converted)
		report_sum_str(r, id, NULL);
	else
		report_sum_bool(r, id, has);
}

/* Like XProf, leaves out the peaks of on-chip memories when it combines hosts, and shows VMEM only if it is
 * merged. */
static void summarize(struct report *r, const struct dump *d, const struct opdb *db, bool text)
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
	report_sum_str(r, "device_type", *p->device || !db->converted ? p->device : NULL);
	put_flag(r, "megacore", p->megacore, db);
	put_flag(r, "has_cmem", roof_has_cmem(p), db);
	put_flag(r, "has_merged_vmem", p->merged_vmem, db);
	report_sum_num(r, "peak_flop_rate", peak(p->tflops * 1e3));
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		report_sum_num(r, memory[i].bw, peak(p->bw[memory[i].peak] / GIB_PER_GB));
	for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
		report_sum_num(r, memory[i].ridge, peak(safe_div(p->tflops * 1e3, p->bw[memory[i].peak])));
	report_sum_num(r, "time_scale_multiplier", safe_div((double)db->normalized, (double)db->op_time));
	report_sum_str(r, "peak_source",
	    p->stated           ? (text ? "given" : "option")
		: p->assumed    ? "assumed"
		: p->tflops > 0 ? "file"
				: NULL);
}

int report_roofline(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct op_steps *steps;
	const struct op_set *ops;
	struct table t, notes;
	int bad;

	if (report_check(c, o, e) || !(ops = capture_get(c, RESULT_TABLE_OPS, NULL, e)) ||
	    !(steps = capture_get(c, RESULT_OP_STEPS, NULL, e)))
		return -1;
	roof_table_init(&t, o->screen != NULL);
	table_begin(&notes, &roof_note_schema);
	add_part(&t, d, ops->db, steps->v, steps->n, true, o->format == REPORT_TEXT);
	add_part(&t, d, ops->db, steps->v, steps->n, false, o->format == REPORT_TEXT);
	add_diagnostics(&notes, d, ops->db, steps->n);
	bad = report_order_tables(o, "roofline", (struct table *[]){ &t, &notes }, 2, 0, e);
	if (!bad) {
		struct report *r = report_open(o, f, "roofline", d);

		report_op_warnings(r, d, ops->db);
		summarize(r, d, ops->db, o->format == REPORT_TEXT);
		if (!o->table || report_is_table(o, "roofline", 0))
			report_whole(r, report_table_name("roofline", 0), &t);
		if (!o->table || report_is_table(o, "roofline", 1))
			report_whole(r, report_table_name("roofline", 1), &notes);
		bad = report_end(r, e);
	}
	table_free(&t);
	table_free(&notes);
	return bad ? -1 : EXIT_OK;
}
