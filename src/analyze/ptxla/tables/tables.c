#include "config.h"
#include "analyze/ptxla/tables/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"

enum { SPREAD_MOST = 16 }; /* bars */

/* of a report: what is there, and what adds up */
enum { STEP_MARKS, STEP_TENSORS, STEP_COUNTERS };
enum {
	STEP_COMPILATIONS,
	STEP_COMPILING,
	STEP_EXECUTIONS,
	STEP_EXECUTING,
	STEP_TRANSFERS,
	STEP_FALLBACKS,
	STEP_SUMS
};

/* How much counts and times of a report have grown since the one before of the same process. */
struct report_sums {
	struct cell counter[STEP_COUNTERS], grown[STEP_SUMS];
};

/* A row of any table: the member of its table is set, and report where the table is of reports. */
struct ptxla_row {
	const struct ptxla *x;
	const struct ptxla_report *report;
	union {
		const void *of;
		const struct ptxla_metric *metric;
		const struct ptxla_counter *counter;
		const struct ptxla_notice *notice;
		const struct ptxla_analysis *analysis;
		const struct ptxla_unlowered *block;
		const struct ptxla_graph *graph;
		const struct ptxla_launch *launch;
		const struct ptxla_group_row *group;
		const struct ptxla_saved *saved;
		const struct report_sums *sums;
	};
	size_t i;
};

static const char *const unit_names[] = { NULL, "ps", "bytes", "count" };
static const char *const kind_names[] = { "compilation", "post_compilation", "execution",
	"unexpected_execution" };

static struct cell of_file(const struct ptxla *x, uint32_t file)
{
	return cell_strz(x->files[file].path);
}

static struct cell of_name(const struct ptxla *x, strid id)
{
	return id ? cell_str(strtab_str(&x->names, id), strtab_len(&x->names, id)) : cell_null();
}

static struct cell metric_cell(const struct ptxla_metric *m, union ptxla_number v)
{
	return !ptxla_known(v) || !m->unit ? cell_null()
	    : m->unit == PTXLA_COUNT       ? cell_num(v.d)
					   : cell_int(v.i);
}

/* whole units of a time or size */
static struct cell rounded(const struct ptxla_metric *m)
{
	double mean = ptxla_mean(m);

	return isnan(mean) || m->unit == PTXLA_COUNT ? cell_num(mean) : cell_int(from_double(round(mean)));
}

static struct cell percentile(const struct ptxla_row *r, double percent)
{
	const struct ptxla_metric *m = r->metric;
	double v = ptxla_percentile(r->x, m, percent);

	if (isnan(v) && percent >= 99 && m->npercents) /* other percentiles were asked for */
		v = ptxla_double(m->unit, r->x->values[m->percent + m->npercents - 1]);

	return isnan(v) || m->unit == PTXLA_COUNT ? cell_num(v) : cell_int(from_double(v));
}

/* A bar for each percentile, as high as its share of the largest. */
static struct cell spread(const struct ptxla_row *r, struct arena *text)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	const struct ptxla_metric *m = r->metric;
	double most = 0;
	char buf[4 * SPREAD_MOST + 1] = "";

	for (size_t i = m->percent; i < m->percent + m->npercents; i++)
		most = fmax(most, ptxla_double(m->unit, r->x->values[i]));
	for (size_t i = m->percent; i < m->percent + m->npercents && i < m->percent + SPREAD_MOST; i++) {
		double v = ptxla_double(m->unit, r->x->values[i]) / most;

		strcat(buf, bars[v > 0 ? (int)fmin(7, v * 8) : 0]);
	}
	return arena_cell(text, buf);
}

/* What tells the report from others: its host, the number of its process, or its file. */
static struct cell process_of(const struct ptxla *x, const struct ptxla_report *report, struct arena *text)
{
	const struct ptxla_file *f = &x->files[report->file];
	const char *slash = strrchr(f->path, '/');
	char buf[32];

	if (report->host)
		return of_name(x, report->host);
	if (f->ordinal < 0)
		return cell_strz(slash && slash[1] ? slash + 1 : f->path);
	snprintf(buf, sizeof buf, "%lld", (long long)f->ordinal);
	return arena_cell(text, buf);
}

static struct cell where(const struct ptxla_row *r, struct arena *text)
{
	return process_of(r->x, r->report, text);
}

static struct cell frame_function(const struct ptxla_frame *f)
{
	return cell_strz(f ? f->function : NULL);
}

static struct cell frame_file(const struct ptxla_frame *f)
{
	return cell_strz(f ? f->file : NULL);
}

static struct cell frame_line(const struct ptxla_frame *f)
{
	return f ? cell_int(f->line) : cell_null();
}

static struct cell place(const struct ptxla_frame *f, struct arena *text)
{
	const char *slash = f ? strrchr(f->file, '/') : NULL;
	struct cell cell;
	char *s;

	if (!f)
		return cell_null();
	s = xasprintf("%s:%lld", slash && slash[1] ? slash + 1 : f->file, (long long)f->line);
	cell = arena_cell(text, s);
	free(s);
	return cell;
}

static struct cell content_text(uint64_t content, struct arena *text)
{
	char hex[17];

	snprintf(hex, sizeof hex, "%016llx", (unsigned long long)content);
	return arena_cell(text, hex);
}

static struct cell saved_place(const struct ptxla_saved *s, struct arena *text)
{
	return s->first->user.file ? place(&s->first->user, text) : cell_strz(s->first->name);
}

/* clang-format would put spaces into the path */
/* clang-format off */
#define SCHEMA_FOLDER analyze/ptxla/tables
#define SCHEMA_ROW struct ptxla_row
#define SCHEMA metrics
#include "result/schema_def.h"
#define SCHEMA percentiles
#include "result/schema_def.h"
#define SCHEMA counters
#include "result/schema_def.h"
#define SCHEMA notices
#include "result/schema_def.h"
#define SCHEMA analyses
#include "result/schema_def.h"
#define SCHEMA unlowered
#include "result/schema_def.h"
#define SCHEMA graphs
#include "result/schema_def.h"
#define SCHEMA launches
#include "result/schema_def.h"
#define SCHEMA by_cause
#include "result/schema_def.h"
#define SCHEMA by_frame
#include "result/schema_def.h"
#define SCHEMA by_hash
#include "result/schema_def.h"
#define SCHEMA saved
#include "result/schema_def.h"
#define SCHEMA steps
#include "result/schema_def.h"
#define SCHEMA times
#define SHOWN_UNIT "ps"
#define SHOW_SHOWN SHOW_PLAIN
#define SCHEMA_DEF "analyze/ptxla/tables/shown.def"
#include "result/schema_def.h"
#undef SHOWN_UNIT
#undef SHOW_SHOWN
#define SCHEMA sizes
#define SHOWN_UNIT "B"
#define SHOW_SHOWN SHOW_HUMAN
#define SCHEMA_DEF "analyze/ptxla/tables/shown.def"
#include "result/schema_def.h"
#undef SHOWN_UNIT
#undef SHOW_SHOWN
#define SCHEMA counts
#define SHOWN_UNIT ""
#define SHOW_SHOWN SHOW_PLAIN
#define SCHEMA_DEF "analyze/ptxla/tables/shown.def"
#include "result/schema_def.h"
#undef SHOWN_UNIT
#undef SHOW_SHOWN
/* clang-format on */

const char *const ptxla_table_name[PTXLA_TABLES] = { "metrics", "percentiles", "counters", "notices",
	"findings", "analyses", "by_cause", "by_frame", "by_hash", "unlowered", "graphs", "launches", "saved",
	"times", "data", "counts", "steps", "changes" };

const struct schema ptxla_schema[PTXLA_TABLES] = {
	[PTXLA_METRICS] = { SCHEMA_COLUMNS(metrics_columns) },
	[PTXLA_PERCENTILES] = { SCHEMA_COLUMNS(percentiles_columns) },
	[PTXLA_COUNTERS] = { SCHEMA_COLUMNS(counters_columns),
	    .view = "name value class -step -host -ordinal -file",
	    .text = "name value class step host ordinal" },
	[PTXLA_NOTICES] = { SCHEMA_COLUMNS(notices_columns),
	    .view = "line kind metric samples steps seconds ops -file",
	    .text = "line kind metric samples steps seconds ops" },
	[PTXLA_ANALYSES] = { SCHEMA_COLUMNS(analyses_columns),
	    .view =
		"kind place cause -function -source_file -source_line graph_hash -inputs -outputs -frames "
		"-input_bytes -output_bytes -aliased_bytes intermediate_bytes -program_bytes -graph_name "
		"-line -partial -file",
	    .text = "line kind place cause graph_name graph_hash inputs outputs intermediate_bytes" },
	[PTXLA_BY_CAUSE] = { SCHEMA_COLUMNS(by_cause_columns), .view = "count kind cause distinct_hashes" },
	[PTXLA_BY_FRAME] = { SCHEMA_COLUMNS(by_frame_columns),
	    .view = "place function kind count -source_file -source_line",
	    .text = "count kind function source_file source_line" },
	[PTXLA_BY_HASH] = { SCHEMA_COLUMNS(by_hash_columns),
	    .view = "graph_hash compilations executions inputs outputs" },
	[PTXLA_UNLOWERED] = { SCHEMA_COLUMNS(unlowered_columns),
	    .view = "count op function source_file source_line -frames -line -file",
	    .text = "count op function source_file source_line" },
	[PTXLA_GRAPHS] = { SCHEMA_COLUMNS(graphs_columns),
	    .view = "graph_hash format nodes roots distinct_roots function source_file source_line -name "
		    "-content -line -file",
	    .text =
		"line format graph_hash roots distinct_roots nodes function source_file source_line file" },
	[PTXLA_LAUNCHES] = { SCHEMA_COLUMNS(launches_columns),
	    .view = "count compiled graph_hash device line -file",
	    .text = "count compiled graph_hash device line" },
	[PTXLA_SAVED] = { SCHEMA_COLUMNS(saved_columns),
	    .view = "place distinct saved nodes_least nodes_most function -source_file -source_line",
	    .text = "place distinct saved nodes_least nodes_most function" },
	[PTXLA_TIMES] = { SCHEMA_COLUMNS(times_columns),
	    .view = "name samples sum mean median most spread value_rate rate -step where",
	    .text = "name samples sum mean median most spread value_rate rate step where" },
	[PTXLA_DATA] = { SCHEMA_COLUMNS(sizes_columns),
	    .view = "name samples sum mean median most spread value_rate rate -step where",
	    .text = "name samples sum mean median most spread value_rate rate step where" },
	[PTXLA_COUNTS] = { SCHEMA_COLUMNS(counts_columns),
	    .view = "name samples sum mean median most spread value_rate rate -step where",
	    .text = "name samples sum mean median most spread value_rate rate step where" },
	[PTXLA_STEPS] = { SCHEMA_COLUMNS(steps_columns) },
};

static void add_report(const struct ptxla *x, enum ptxla_table which, size_t report, struct table *t)
{
	const struct ptxla_report *r = &x->reports[report];

	if (which == PTXLA_COUNTERS)
		for (size_t i = r->counter; i < r->counter + r->ncounters; i++)
			table_add(t, &(struct ptxla_row){ x, r, { &x->counters[i] }, i });
	for (size_t i = r->metric; i < r->metric + r->nmetrics && which != PTXLA_COUNTERS; i++) {
		const struct ptxla_metric *m = &x->metrics[i];

		if (which == PTXLA_METRICS ||
		    (which >= PTXLA_TIMES && m->unit == which - PTXLA_TIMES + PTXLA_PS))
			table_add(t, &(struct ptxla_row){ x, r, { m }, i });
		for (size_t k = 0; which == PTXLA_PERCENTILES && k < m->npercents; k++)
			table_add(t, &(struct ptxla_row){ x, r, { m }, m->percent + k });
	}
}

void ptxla_report_rows(const struct ptxla *x, enum ptxla_table which, size_t report, struct table *t,
    size_t **of, size_t *n)
{
	const struct ptxla_report *r = &x->reports[report];
	size_t from = which == PTXLA_COUNTERS ? r->counter : r->metric;
	size_t to = from + (which == PTXLA_COUNTERS ? r->ncounters : r->nmetrics);

	*of = xrealloc(*of, *n + to - from + 1, sizeof **of);
	for (size_t i = from; i < to; i++)
		if (which == PTXLA_COUNTERS || x->metrics[i].unit == which - PTXLA_TIMES + PTXLA_PS)
			(*of)[(*n)++] = i;
	add_report(x, which, report, t);
}

static int64_t samples_of(const struct ptxla *x, size_t report, const char *name, int64_t *sum)
{
	const struct ptxla_metric *m = ptxla_metric(x, report, name);

	if (!m)
		return 0;
	if (sum && m->unit == PTXLA_PS && ptxla_known(m->accumulator))
		*sum = m->accumulator.i;
	return m->samples > 0 ? m->samples : 0;
}

static void sums_of(const struct ptxla *x, size_t report, int64_t v[STEP_SUMS])
{
	const struct ptxla_report *r = &x->reports[report];

	memset(v, 0, STEP_SUMS * sizeof *v);
	v[STEP_COMPILATIONS] = samples_of(x, report, "CompileTime", &v[STEP_COMPILING]);
	v[STEP_EXECUTIONS] = samples_of(x, report, "ExecuteTime", &v[STEP_EXECUTING]);
	v[STEP_TRANSFERS] = add_clamped(samples_of(x, report, "TransferFromDeviceTime", NULL),
	    samples_of(x, report, "TransferFromServerTime", NULL));
	for (size_t i = r->counter; i < r->counter + r->ncounters; i++)
		if (slice_begins(strtab_text(&x->names, x->counters[i].name), "aten::"))
			v[STEP_FALLBACKS] = add_clamped(v[STEP_FALLBACKS], x->counters[i].value);
}

/* Reports of processes that print in turns are compared with the one before in the file, if it is of the same. */
static void add_steps(const struct ptxla *x, struct table *t)
{
	int64_t v[STEP_SUMS], before[STEP_SUMS] = { 0 }, made, freed, marks;

	for (size_t i = 0; i < x->nreports; i++) {
		const struct ptxla_report *r = &x->reports[i];
		struct report_sums row;
		bool goes_on = i && r[-1].file == r->file && r[-1].host == r->host;

		sums_of(x, i, v);
		for (int k = 0; k < STEP_SUMS; k++)
			row.grown[k] = cell_int(goes_on && v[k] >= before[k] ? v[k] - before[k] : v[k]);
		memcpy(before, v, sizeof before);
		made = ptxla_counter(x, i, "CreateXlaTensor");
		freed = ptxla_counter(x, i, "DestroyXlaTensor");
		marks = ptxla_counter(x, i, "MarkStep");
		row.counter[STEP_MARKS] = cell_known(marks);
		row.counter[STEP_TENSORS] = cell_known(made < 0 || freed < 0 ? -1 : sub_clamped(made, freed));
		table_add(t, &(struct ptxla_row){ x, r, { &row }, i });
	}
}

static void add_groups(const struct ptxla *x, enum ptxla_group by, struct table *t)
{
	size_t n;
	struct ptxla_group_row *v = ptxla_groups(x, by, &n);

	for (size_t i = 0; i < n; i++)
		table_add(t, &(struct ptxla_row){ .x = x, .of = &v[i] });
	free(v);
}

static void add_saved(const struct ptxla *x, struct table *t)
{
	size_t n;
	struct ptxla_saved *v = ptxla_saved(x, &n);

	for (size_t i = 0; i < n; i++)
		table_add(t, &(struct ptxla_row){ .x = x, .of = &v[i] });
	free(v);
}

static void add_all(const struct ptxla *x, const void *rows, size_t n, size_t size, struct table *t)
{
	for (size_t i = 0; i < n; i++)
		table_add(t, &(struct ptxla_row){ x, NULL, { (const char *)rows + i * size }, i });
}

#define ADD_ALL(v, n) add_all(x, x->v, x->n, sizeof *x->v, t)

void ptxla_table(const struct ptxla *x, enum ptxla_table which, size_t report, struct table *t)
{
	table_begin(t, &ptxla_schema[which]);
	switch (which) {
	case PTXLA_NOTICES:
		ADD_ALL(notices, nnotices);
		break;
	case PTXLA_ANALYSES:
		ADD_ALL(analyses, nanalyses);
		break;
	case PTXLA_UNLOWERED:
		ADD_ALL(unlowered, nunlowered);
		break;
	case PTXLA_GRAPHS:
		ADD_ALL(graphs, ngraphs);
		break;
	case PTXLA_LAUNCHES:
		ADD_ALL(launches, nlaunches);
		break;
	case PTXLA_SAVED:
		add_saved(x, t);
		break;
	case PTXLA_STEPS:
		add_steps(x, t);
		break;
	case PTXLA_BY_CAUSE:
	case PTXLA_BY_FRAME:
	case PTXLA_BY_HASH:
		add_groups(x, (enum ptxla_group)(which - PTXLA_BY_CAUSE), t);
		break;
	default:
		if (report != SIZE_MAX)
			add_report(x, which, report, t);
		for (size_t i = 0; report == SIZE_MAX && i < x->nreports; i++)
			add_report(x, which, i, t);
	}
}

#define ROWS_AT_ONCE 4096 /* of cells whose texts are kept */

void ptxla_each(const struct ptxla *x, enum ptxla_table which, void (*row)(void *ctx, const struct cell *),
    void *ctx)
{
	struct table t;

	for (size_t i = 0; i < x->nreports;) {
		table_begin(&t, &ptxla_schema[which]);
		while (i < x->nreports && t.nrows < ROWS_AT_ONCE)
			add_report(x, which, i++, &t);
		for (size_t k = 0; k < t.nrows; k++)
			row(ctx, t.cells + k * t.ncolumns);
		table_free(&t);
	}
}

void ptxla_metrics_summary(const struct ptxla *x, bool people, struct facts *f)
{
	(void)people;
	int64_t reports = 0, partial = 0;

	for (size_t i = 0; i < x->nfiles; i++)
		reports += (int64_t)x->files[i].reports;
	for (size_t i = 0; i < x->nmetrics; i++)
		partial += ptxla_is_partial(&x->metrics[i]);
	facts_int(f, "reports", reports);
	facts_int(f, "metrics", (int64_t)x->nmetrics);
	facts_int(f, "counters", (int64_t)x->ncounters);
	facts_int(f, "partial", partial);
}

/* by: their hash as the text says it; else of their text */
static int64_t distinct_graphs(const struct ptxla *x, bool by_hash)
{
	struct strtab hashes;
	int64_t n;

	strtab_init(&hashes);
	for (size_t i = 0; i < x->ngraphs; i++)
		if (!by_hash)
			strtab_add(&hashes, (const char *)&x->graphs[i].content, sizeof x->graphs[i].content);
		else if (x->graphs[i].hash)
			strtab_addz(&hashes, x->graphs[i].hash);
	n = (int64_t)hashes.n - 1;
	strtab_free(&hashes);
	return n;
}

/* Different hashes of graphs in blocks of PT_XLA_DEBUG and in lines of logs. */
static int64_t distinct_hashes(const struct ptxla *x)
{
	struct strtab hashes;
	int64_t n;

	strtab_init(&hashes);
	for (size_t i = 0; i < x->nanalyses; i++)
		if (x->analyses[i].graph_hash)
			strtab_addz(&hashes, x->analyses[i].graph_hash);
	for (size_t i = 0; i < x->nlaunches; i++)
		strtab_addz(&hashes, x->launches[i].hash);
	n = (int64_t)hashes.n - 1;
	strtab_free(&hashes);
	return n;
}

/* A program that prints both blocks and lines tells of the same runs twice. */
static int64_t count_with_lines(const struct ptxla *x, enum ptxla_kind kind, int64_t blocks)
{
	int64_t lines = 0;

	for (size_t i = 0; i < x->nlaunches; i++)
		lines = add_clamped(lines,
		    kind == PTXLA_EXECUTION         ? x->launches[i].count
			: kind == PTXLA_COMPILATION ? x->launches[i].compiled
						    : 0);
	return lines > blocks ? lines : blocks;
}

/* Saved graphs tell neither; PT_XLA_DEBUG_LEVEL=1 prints compilations alone. */
static bool tells_of(const struct ptxla *x, enum ptxla_kind kind)
{
	bool run = kind == PTXLA_EXECUTION || kind == PTXLA_UNEXPECTED;

	return (x->nanalyses || x->nlaunches) && (!run || ptxla_tells_executions(x));
}

void ptxla_debug_summary(const struct ptxla *x, bool people, struct facts *f)
{
	static const char *const names[PTXLA_KINDS] = { "compilations", "post_compilations", "executions",
		"unexpected_executions" };
	int64_t n[PTXLA_KINDS] = { 0 };

	for (size_t i = 0; i < x->nanalyses; i++)
		n[x->analyses[i].kind]++;
	for (int i = 0; i < PTXLA_KINDS; i++)
		facts_known(f, names[i],
		    people && !tells_of(x, (enum ptxla_kind)i)
			? -1
			: count_with_lines(x, (enum ptxla_kind)i, n[i]));
	facts_int(f, "distinct_hashes", distinct_hashes(x));
	facts_int(f, "notices", (int64_t)x->nnotices);
	facts_int(f, "graphs", (int64_t)x->ngraphs);
	facts_int(f, "distinct_graphs", distinct_graphs(x, true));
	facts_int(f, "distinct_texts", distinct_graphs(x, false));
}
