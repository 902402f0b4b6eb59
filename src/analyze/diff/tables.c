#include "config.h"
#include "analyze/diff/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

static struct cell op_cell(const struct side_op *op)
{
	return op ? cell_str(op->name.s, op->name.n) : cell_null();
}

static struct cell category_cell(const struct fall *f)
{
	const struct side_op *op = f->op[BASE] ? f->op[BASE] : f->op[NEW];

	return op ? cell_str(op->category.s, op->category.n) : cell_strz(f->name ? f->name : "");
}

static struct cell name_cell(const struct unit *u, int which)
{
	return u && u->name[which].s ? cell_str(u->name[which].s, u->name[which].n) : cell_null();
}

static struct cell category_of_unit(const struct unit *u)
{
	const struct side_op *op = u->op[BASE] ? u->op[BASE] : u->op[NEW];

	return cell_str(op->category.s, op->category.n);
}

static struct cell unit_num(const struct unit *u, int which, double v)
{
	return u->op[which] ? cell_num(v) : cell_null();
}

struct change_row {
	const struct change *change;
	double share;
	const char *evidence, *advice, *where;
};

struct op_row {
	const struct unit *unit;
	const char *how;
	double delta, low, high;
};

struct sweep_row {
	const char *capture, *verdict, *reason;
	const struct diff *d;
	int64_t memory, base_memory;
	bool base; /* it is the base itself */
};

static struct cell sweep_num(const struct sweep_row *r, double v)
{
	return r->base || r->d->verdict == VERDICT_NOT_COMPARABLE ? cell_null() : cell_num(v);
}

/* Without steps nothing takes time. */
static struct cell sweep_ps(const struct sweep_row *r, int64_t v)
{
	return r->d->new ? cell_int(v) : cell_null();
}

/* Of captures that cannot be compared no part is known. */
static struct cell sweep_part(const struct sweep_row *r, enum part_kind k)
{
	return r->base || r->d->verdict != VERDICT_NOT_COMPARABLE ? sweep_ps(r, r->d->part[NEW][k])
								  : cell_null();
}

#define SCHEMA comparability
#define SCHEMA_ROW struct comparability_row
#define SCHEMA_DEF "analyze/diff/comparability.def"
#include "result/schema_def.h"

#define SCHEMA waterfall
#define SCHEMA_ROW struct fall
#define SCHEMA_DEF "analyze/diff/waterfall.def"
#include "result/schema_def.h"

#define SCHEMA changes
#define SCHEMA_ROW struct change_row
#define SCHEMA_DEF "analyze/diff/changes_columns.def"
#include "result/schema_def.h"

#define SCHEMA matches
#define SCHEMA_ROW struct member
#define SCHEMA_DEF "analyze/diff/matches.def"
#include "result/schema_def.h"

#define SCHEMA ops
#define SCHEMA_ROW struct op_row
#define SCHEMA_DEF "analyze/diff/ops.def"
#include "result/schema_def.h"

#define SCHEMA delta
#define SCHEMA_ROW struct diff_delta
#define SCHEMA_DEF "analyze/diff/delta.def"
#include "result/schema_def.h"

#define SCHEMA sweep
#define SCHEMA_ROW struct sweep_row
#define SCHEMA_DEF "analyze/diff/sweep.def"
#include "result/schema_def.h"

const struct schema
    diff_comparability_schema = { SCHEMA_COLUMNS(comparability_columns) },
    diff_changes_schema = { SCHEMA_COLUMNS(changes_columns),
	    .text = "kind name_base name_new core delta_ps share evidence advice" },
    diff_waterfall_schema = { SCHEMA_COLUMNS(waterfall_columns) },
    diff_delta_schema = { SCHEMA_COLUMNS(delta_columns) },
    diff_matches_schema = { SCHEMA_COLUMNS(matches_columns) },
    diff_ops_schema = { SCHEMA_COLUMNS(ops_columns),
	    .text = "name_base name_new how self_ps_base self_ps_new delta_ps" },
    diff_sweep_schema = { SCHEMA_COLUMNS(sweep_columns),
	    .text = "capture verdict step_time_ps delta_percent ci_low_percent ci_high_percent op_ps "
		    "comm_ps idle_ps spread_ps typical_ps memory_peak_bytes" };

const struct schema *diff_schema_of(enum diff_table t)
{
	static const struct schema *const of[DIFF_TABLES] = {
		[DIFF_COMPARABILITY] = &diff_comparability_schema,
		[DIFF_FAIL_IF] = &diff_fail_if_schema,
		[DIFF_CHANGES] = &diff_changes_schema,
		[DIFF_WATERFALL] = &diff_waterfall_schema,
		[DIFF_STEPS] = &diff_steps_schema,
		[DIFF_MATCHES] = &diff_matches_schema,
		[DIFF_OPS] = &diff_ops_schema,
		[DIFF_MEMORY] = &diff_memory_schema,
		[DIFF_FINDINGS] = &diff_findings_schema,
		[DIFF_ENVIRONMENT] = &diff_environment_schema,
		[DIFF_SWEEP] = &diff_sweep_schema,
	};

	return of[t];
}

/* --- changes --- */

static const char *advice_of(const char *kind)
{
	static const struct {
		const char *kind, *advice;
	} advice[] = {
#define CHANGE(id, what, advice) { #id, advice },
#include "analyze/diff/changes.def"
#undef CHANGE
	};

	for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
		if (!strcmp(advice[i].kind, kind))
			return advice[i].advice;
	return NULL;
}

/* "37.1 → 55.8 µs each, 4 per step; 1246 → 828 GB/s" */
static void say_op(const struct unit *u, char *buf, size_t size)
{
	double each[SIDES], rate[SIDES];
	char a[32], b[32];
	size_t n;

	for (int k = 0; k < SIDES; k++) {
		each[k] = u->runs[k] > 0 ? (u->self[k] + u->wait[k]) / u->runs[k] : NAN;
		rate[k] = u->op[k] && each[k] > 0 ? u->op[k]->bytes / (each[k] / 1e12) : NAN;
	}
	*buf = '\0';
	if (u->group)
		snprintf(buf, size, "%zu op%s → %zu op%s; ", u->count[BASE], u->count[BASE] == 1 ? "" : "s",
		    u->count[NEW], u->count[NEW] == 1 ? "" : "s");
	n = strlen(buf);
	if (!u->op[BASE] || !u->op[NEW]) {
		int k = u->op[BASE] ? BASE : NEW;

		snprintf(buf + n, size - n, "%s each, %.6g per step",
		    units_time(a, sizeof a, (int64_t)each[k], false), u->runs[k]);
		return;
	}
	snprintf(buf + n, size - n, "%s → %s each, %.6g", units_time(a, sizeof a, (int64_t)each[BASE], false),
	    units_time(b, sizeof b, (int64_t)each[NEW], false), u->runs[BASE]);
	n = strlen(buf);
	if (fabs(u->runs[NEW] - u->runs[BASE]) > 1e-9)
		snprintf(buf + n, size - n, " → %.6g", u->runs[NEW]);
	n = strlen(buf);
	snprintf(buf + n, size - n, " per step");
	n = strlen(buf);
	if (rate[BASE] > 0 && rate[NEW] > 0)
		snprintf(buf + n, size - n, "; %s → %s", units_si(a, sizeof a, rate[BASE], "B/s"),
		    units_si(b, sizeof b, rate[NEW], "B/s"));
	n = strlen(buf);
	if (u->wait[BASE] > 0 || u->wait[NEW] > 0)
		snprintf(buf + n, size - n, "; waiting %s → %s",
		    units_time(a, sizeof a, (int64_t)u->wait[BASE], false),
		    units_time(b, sizeof b, (int64_t)u->wait[NEW], false));
}

static void say_change(const struct comparison *c, const struct change *x, char *buf, size_t size)
{
	char a[32], b[32];

	if (x->unit)
		say_op(x->unit, buf, size);
	else if (x->core >= 0)
		snprintf(buf, size, "core %d does more work than the others, which wait for it", x->core);
	else
		snprintf(buf, size, "%s → %s per step and core",
		    units_time(a, sizeof a, c->d->part[BASE][PART_IDLE], false),
		    units_time(b, sizeof b, c->d->part[NEW][PART_IDLE], false));
}

static void add_changes(struct comparison *c)
{
	int64_t delta = c->d->new - c->d->base;
	char text[400];

	for (size_t i = 0; i < c->nchanges; i++) {
		const struct change *x = &c->change[i];
		char *where = change_where(c, x);

		say_change(c, x, text, sizeof text);
		table_add(&c->d->table[DIFF_CHANGES],
		    &(struct change_row){ x, delta ? x->delta / (double)delta : NAN, text, advice_of(x->kind),
			where });
		free(where);
	}
}

/* --- ops --- */

static int by_change(const void *a, const void *b)
{
	const struct op_row *x = a, *y = b;

	return (fabs(y->delta) > fabs(x->delta)) - (fabs(y->delta) < fabs(x->delta));
}

static const char *how_of(const struct unit *u)
{
	for (size_t i = 0; i < u->nmembers; i++)
		if (u->member[i].how)
			return u->member[i].how;
	return NULL;
}

static void add_ops(struct comparison *c)
{
	struct op_row *v = xcalloc(c->nunits + 1, sizeof *v);

	for (size_t i = 0; i < c->nunits; i++) {
		const struct unit *u = &c->unit[i];
		double own = u->self[BASE] + u->wait[BASE];
		struct interval x = { .known = false };

		if (u->op[BASE] && u->op[NEW] && !c->fatal)
			x = interval_of_unit(c, u);
		v[i] = (struct op_row){ u, how_of(u), u->self[NEW] + u->wait[NEW] - own,
			x.known ? x.low * own / 100 : NAN, x.known ? x.high * own / 100 : NAN };
	}
	VEC_SORT(v, c->nunits, by_change);
	for (size_t i = 0; i < c->nunits; i++)
		table_add(&c->d->table[DIFF_OPS], &v[i]);
	free(v);
}

static int by_name(const void *a, const void *b)
{
	const struct diff_op *x = a, *y = b;

	return x->program != y->program ? x->program < y->program ? -1 : 1 : slice_order(x->name, y->name);
}

/* Ops of the new side, to be found by their names, and those that are gone. */
static void list_ops(struct comparison *c)
{
	struct diff *d = c->d;

	d->op = xcalloc(c->nunits + 1, sizeof *d->op);
	for (int gone = 0; gone < 2 && !c->fatal; gone++)
		for (size_t i = 0; i < c->nunits; i++) {
			const struct unit *u = &c->unit[i];
			const struct side_op *of = u->op[gone ? BASE : NEW];

			if (!of || (gone && u->op[NEW]))
				continue;
			d->op[d->nops + d->ngone] = (struct diff_op){ of->name, of->program,
				u->self[BASE] + u->wait[BASE], u->self[NEW] + u->wait[NEW], of };
			*(gone ? &d->ngone : &d->nops) += 1;
		}
	VEC_SORT(d->op, d->nops, by_name);
}

const struct diff_op *diff_op_of(const struct diff *d, uint64_t program, struct slice name)
{
	struct diff_op key = { name, program, 0, 0, NULL };

	return bsearch(&key, d->op, d->nops, sizeof *d->op, by_name);
}

static int by_matched(const void *a, const void *b)
{
	const struct member *x = *(const struct member *const *)a, *y = *(const struct member *const *)b;

	return (x->with->order > y->with->order) - (x->with->order < y->with->order);
}

/* The rows are those of the first new capture. */
static void add_matches(struct comparison *c)
{
	const struct member **v = xcalloc(c->matches.n + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < c->matches.n; i++)
		if (c->matches.v[i].side == c->first[NEW] && c->matches.v[i].with)
			v[n++] = &c->matches.v[i];
	VEC_SORT(v, n, by_matched);
	for (size_t i = 0; i < n; i++)
		table_add(&c->d->table[DIFF_MATCHES], v[i]);
	free(v);
}

void make_tables(struct comparison *c)
{
	for (size_t i = 0; i < c->nfalls; i++)
		table_add(&c->d->table[DIFF_WATERFALL], &c->fall[i]);
	add_changes(c);
	add_matches(c);
	add_ops(c);
	list_ops(c);
	table_sort(&c->d->table[DIFF_MEMORY], "delta_bytes:desc", NULL);
	make_summary(c);
}

/* --- sweeps --- */

static void add_sweep(struct diff *all, const struct side *base, const struct side *s, const struct diff *d,
    bool is_base)
{
	table_add(&all->table[DIFF_SWEEP],
	    &(struct sweep_row){ s->path, is_base ? NULL : verdict_name(d->verdict),
		is_base ? NULL : d->reason, d, s->memory_peak, base->memory_peak, is_base });
}

static void take_rows(struct table *to, const struct table *from)
{
	for (size_t i = 0; i < from->nrows; i++) {
		struct cell *row = table_row(to);

		for (size_t k = 0; k < from->ncolumns; k++) {
			row[k] = from->cells[i * from->ncolumns + k];
			if (row[k].type == CELL_STR)
				row[k] = cell_copy(&to->text, cell_text(&row[k]));
		}
	}
}

int diff_sweep(const struct side *base, const struct side *const *v, size_t n, const struct diff_options *o,
    struct diff *all, struct err *err)
{
	struct diff_options plain = *o;
	size_t apart = 0;
	struct diff d;

	*all = (struct diff){ .verdict = VERDICT_SAME, .low = NAN, .high = NAN };
	for (size_t i = 0; i < DIFF_TABLES; i++)
		table_begin(&all->table[i], diff_schema_of((enum diff_table)i));
	plain.ngates = 0;
	for (size_t i = 0; i <= n; i++) {
		const struct side *s = i ? v[i - 1] : base;

		if (diff_make(&base, 1, &s, 1, i ? o : &plain, &d, err)) {
			diff_free(all);
			return -1;
		}
		add_sweep(all, base, s, &d, !i);
		if (i)
			take_rows(&all->table[DIFF_COMPARABILITY], &d.table[DIFF_COMPARABILITY]);
		take_rows(&all->table[DIFF_FAIL_IF], &d.table[DIFF_FAIL_IF]);
		all->held += d.held;
		all->not_judged += d.not_judged;
		all->reason = i && d.reason && !all->reason ? d.reason : all->reason;
		apart += i && d.verdict == VERDICT_NOT_COMPARABLE;
		diff_free(&d);
	}
	if (apart == n)
		all->verdict = VERDICT_NOT_COMPARABLE;
	facts_int(&all->summary, "captures", (int64_t)n + 1);
	return 0;
}
