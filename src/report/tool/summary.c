#include "config.h"
#include "report/reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "base/codec/json.h"
#include "capture/compare.h"
#include "capture/results.h"
#include "report/choose.h"

#define MAX_BYTES 2048
#define ROWS 20 /* of findings and ops, at first */

struct share_row {
	const char *kind;
	int64_t ps;
	double fraction;
};

struct op_row {
	const struct side_op *op;
	double share;
};

/* The report that shows the evidence of a finding. */
static const char *command_of(const struct proof *p)
{
	static const struct {
		const char *view, *command;
	} of[] = { { "input", "report input_pipeline" }, { "overview", "report overview" },
		{ "timeline", "report steps" }, { "ops", "report hlo_stats --top 10" },
		{ "hlo_stats", "report hlo_stats --top 10" }, { "roofline", "report roofline --top 10" },
		{ "pod", "report pod" }, { "kernels", "report kernels" },
		{ "memory", "report memory --top 10" }, { "memory_profile", "report memory_profile" },
		{ "ptxla", "report metrics" } };
	const char *view = evidence_view(p->evidence);

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (!strcmp(of[i].view, view))
			return of[i].command;
	return "report findings";
}

#define SCHEMA shares
#define SCHEMA_ROW struct share_row
#define SCHEMA_DEF "report/tool/summary_shares.def"
#include "result/schema_def.h"

struct found {
	const struct dump *dump;
	const struct finding *v;
};

/* What it is about: an op, a core, a step. */
static struct cell place_cell(const struct found *r, struct arena *text)
{
	char buf[300];

	return arena_cell(text, proof_say(&r->v->proof, r->dump, buf, sizeof buf));
}

#define SCHEMA found
#define SCHEMA_ROW struct found
#define SCHEMA_DEF "report/tool/summary_findings.def"
#include "result/schema_def.h"

#define SCHEMA terse
#define SCHEMA_ROW struct found
#define SCHEMA_DEF "report/tool/summary_terse.def"
#include "result/schema_def.h"

#define SCHEMA ops
#define SCHEMA_ROW struct op_row
#define SCHEMA_DEF "report/tool/summary_ops.def"
#include "result/schema_def.h"

const struct schema summary_shares_schema = { SCHEMA_COLUMNS(shares_columns) },
		    summary_findings_schema = { SCHEMA_COLUMNS(found_columns) },
		    summary_ops_schema = { SCHEMA_COLUMNS(ops_columns) };
static const struct schema terse_schema = { SCHEMA_COLUMNS(terse_columns) };

struct summary_parts {
	const struct dump *dump;
	const struct findings *findings;
	const struct side *side;
	struct diff diff; /* of the side with itself: its parts */
	char what[200];
};

enum { SHARES, FINDINGS, OPS, TABLES, TERSE = 1800 /* bytes: from here on down only what counts most */ };

static void put_capture(void *ctx, struct json_out *j)
{
	const struct summary_parts *p = ctx;
	const struct dump *d = p->dump;

	json_key(j, "capture");
	json_obj(j);
	json_key(j, "run");
	if (d->nruns)
		json_strz(j, d->runs[d->run].name);
	else
		json_null(j);
	json_key(j, "hosts");
	json_uint(j, d->nhosts);
	json_key(j, "chip");
	if (p->side->chip)
		json_strz(j, p->side->chip);
	else
		json_null(j);
	json_key(j, "cores");
	json_uint(j, p->side->no_ops ? 0 : p->side->ncores);
	json_end(j);
}

static void put_nothing(void *ctx, struct json_out *j)
{
	(void)ctx;
	(void)j;
}

static int by_self(const void *a, const void *b)
{
	const struct op_row *x = a, *y = b;

	return (y->op->self > x->op->self) - (y->op->self < x->op->self);
}

/* What the capture is, in one sentence. */
static void say_what(struct summary_parts *p)
{
	const struct side *s = p->side;
	char cores[64] = "", time[32] = "";

	if (!s->program) {
		snprintf(p->what, sizeof p->what, "%zu file%s without steps or programs that ran",
		    p->dump->nfiles, p->dump->nfiles == 1 ? "" : "s");
		return;
	}
	if (s->chip && s->ncores)
		snprintf(cores, sizeof cores, " on %zu core%s of %.20s", s->ncores, s->ncores == 1 ? "" : "s",
		    s->chip);
	if (p->diff.new)
		snprintf(time, sizeof time, " of %.4g ms", (double)p->diff.new / 1e9);
	snprintf(p->what, sizeof p->what, "%.60s%s: %zu steps%s, %zu finding%s", s->program, cores, s->nsteps,
	    time, p->findings->n, p->findings->n == 1 ? "" : "s");
}

static void make_tables(const struct summary_parts *p, bool terse, struct table t[TABLES])
{
	const struct side *s = p->side;
	struct op_row *v = xcalloc(s->nops + 1, sizeof *v);
	double all = s->median * (double)s->nused * (double)s->ncores;

	table_begin(&t[SHARES], &summary_shares_schema);
	for (int k = 0; k < PARTS && p->diff.new > 0 && !s->no_ops; k++)
		if (p->diff.part[1][k])
			table_add(&t[SHARES],
			    &(struct share_row){ part_info[k].id, p->diff.part[1][k],
				(double)p->diff.part[1][k] / (double)p->diff.new });
	table_begin(&t[FINDINGS], terse ? &terse_schema : &summary_findings_schema);
	for (size_t i = 0; i < p->findings->n && i < ROWS; i++)
		table_add(&t[FINDINGS], &(struct found){ p->dump, &p->findings->v[i] });
	table_begin(&t[OPS], &summary_ops_schema);
	for (size_t i = 0; i < s->nops; i++)
		v[i] = (struct op_row){ &s->op[i], all > 0 ? (double)s->op[i].self / all : NAN };
	VEC_SORT(v, s->nops, by_self);
	for (size_t i = 0; i < s->nops && i < ROWS; i++)
		table_add(&t[OPS], &v[i]);
	free(v);
}

static double variation(const struct side *s)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < s->nsteps; i++)
		mean += (double)s->step[i] / (double)s->nsteps;
	for (size_t i = 0; i < s->nsteps; i++)
		squares += ((double)s->step[i] - mean) * ((double)s->step[i] - mean);
	return s->nsteps > 1 && mean > 0 ? 100 * sqrt(squares / (double)(s->nsteps - 1)) / mean : NAN;
}

/* What takes most of the step; of ops, the roof that is closer. */
static const char *bound_of(const struct summary_parts *p)
{
	static const char *const of[PARTS] = { [PART_COMM] = "communication",
		[PART_COMM_WAIT] = "communication",
		[PART_INPUT] = "input",
		[PART_OUTPUT] = "host",
		[PART_HOST_TRANSFER] = "host",
		[PART_IDLE] = "idle" };
	const struct side *s = p->side;
	int most = PART_OP;

	if (!p->diff.new || s->no_ops)
		return "unknown";
	for (int k = 0; k <= PART_IDLE; k++)
		if (p->diff.part[1][k] > p->diff.part[1][most])
			most = k;
	if (most != PART_OP)
		return of[most];
	return isnan(s->hbm) || isnan(s->mfu) ? "unknown" : s->hbm > s->mfu ? "hbm" : "compute";
}

static const char *trust_of(const struct dump *d, const struct side *s)
{
	if (d->simulated)
		return "simulated";
	for (size_t i = 0; i < s->nwarnings; i++)
		if (strcmp(s->warning[i].code, "assumed_peaks"))
			return "partial";
	return s->nwarnings ? "assumed peaks" : "full";
}

static void put_whole(struct report *r, const char *id, int64_t v)
{
	if (v < 0)
		report_sum_num(r, id, NAN);
	else
		report_sum_int(r, id, v);
}

static double short_number(double v)
{
	return round(v * 100) / 100;
}

static void put_facts(struct report *r, const struct summary_parts *p, bool terse)
{
	const struct side *s = p->side;
	const struct finding *first = p->findings->n ? &p->findings->v[0] : NULL;

	if (terse)
		report_sum_str(r, "program", s->program);
	else
		report_sum_str(r, "what", p->what);
	if (!terse)
		report_sum_str(r, "program", s->program);
	report_sum_str(r, "trust", trust_of(p->dump, s));
	report_sum_str(r, "verdict", first ? first->title : NULL);
	report_sum_str(r, "bound", bound_of(p));
	report_sum_int(r, "steps", (int64_t)s->nsteps);
	put_whole(r, "step_time_ps", p->diff.new ? p->diff.new : -1);
	if (!terse)
		report_sum_num(r, "step_cv_percent", short_number(variation(s)));
	put_whole(r, "memory_peak_bytes", s->memory_peak);
	if (!terse)
		put_whole(r, "memory_limit_bytes", memory_limit_of(p->dump, 0));
	report_sum_num(r, "mfu_percent", short_number(s->mfu));
	report_sum_str(r, "next", first ? command_of(&first->proof) : "report findings");
}

/* How many rows lists lost. */
static void put_truncated(struct report *r, const struct summary_parts *p, const struct table *t)
{
	struct json_out *j = report_json(r, "truncated");
	const size_t whole[TABLES] = { t[SHARES].nrows, p->findings->n, p->side->nops };

	if (!j)
		return;
	json_obj(j);
	for (size_t i = 0; i < TABLES; i++)
		if (t[i].nrows < whole[i]) {
			json_key(j, report_table_name("summary", i));
			json_uint(j, whole[i] - t[i].nrows);
		}
	json_end(j);
}

static void write_tables(struct report *r, const struct summary_parts *p, bool terse, struct table *t)
{
	for (size_t i = 0; i < TABLES; i++)
		if (!terse || i == FINDINGS)
			report_whole(r, report_table_name("summary", i), &t[i]);
	put_truncated(r, p, t);
}

/* Writes it with so many findings and ops. */
static int write_cut(const struct summary_parts *p, const struct report_options *o, size_t findings,
    size_t ops, bool terse, FILE *f, struct err *err)
{
	struct report *r;
	struct table t[TABLES], *all[] = { &t[SHARES], &t[FINDINGS], &t[OPS] };
	int bad;

	make_tables(p, terse, t);
	table_top(&t[FINDINGS], findings);
	table_top(&t[OPS], terse ? 0 : ops);
	if (!(bad = report_order_tables(o, "summary", all, TABLES, SHARES, err))) {
		r = report_open(o, f, "summary", p->dump);
		report_about(r,
		    &(struct report_head){ terse ? put_nothing : put_capture, "the run in one answer",
			(void *)(uintptr_t)p });
		if (terse)
			report_terse(r);
		if (!p->side->nsteps)
			report_reason(r, REASON_no_steps, false);
		put_facts(r, p, terse);
		write_tables(r, p, terse, t);
		bad = report_end(r, err);
	}
	for (size_t i = 0; i < TABLES; i++)
		table_free(&t[i]);
	return bad;
}

/* As many rows as there is room for: ops go first. */
static int write_summary(const struct summary_parts *p, const struct report_options *o, FILE *f,
    struct err *err)
{
	size_t findings = ROWS, ops = ROWS, limit = o->max_bytes ? (size_t)o->max_bytes : MAX_BYTES, n = 0;
	bool terse = limit < TERSE;
	char *text = NULL;
	int bad = 0;

	while (!bad) {
		FILE *m = open_memstream(&text, &n);

		if (!m)
			return write_cut(p, o, findings, ops, terse, f, err);
		bad = write_cut(p, o, findings, ops, terse, m, err);
		fclose(m);
		if (n <= limit || (!findings && (!ops || terse)))
			break;
		if (terse)
			ops = 0;
		ops -= ops > 1 || (ops && !findings);
		findings -= ops <= 1 && findings;
		free(text);
	}
	if (!bad)
		fwrite(text, 1, n, f);
	free(text);
	return bad ? -1 : EXIT_OK;
}

int report_summary(struct capture *c, const struct report_options *o, FILE *f, struct err *err)
{
	struct summary_parts p = { .dump = c->base };
	struct side *s;
	int bad;

	if (!(s = capture_side(c,
		  &(struct side_options){ .host = o->host, .core = -1, .threads = o->threads }, err)))
		return -1;
	s->path = "";
	p.side = s;
	p.findings = capture_get(c, RESULT_MENDED, NULL, err);
	bad = !p.findings ||
	    capture_diff((const struct side *const *)&s, 1, (const struct side *const *)&s, 1, false,
		&(struct diff_options){ .margin = NAN, .scale = NAN }, &p.diff, err);
	if (!bad) {
		say_what(&p);
		bad = write_summary(&p, o, f, err);
		diff_free(&p.diff);
	}
	capture_side_free(s);
	return bad ? -1 : EXIT_OK;
}
