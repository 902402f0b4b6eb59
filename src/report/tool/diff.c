#include "config.h"
#include "report/tool/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "capture/compare.h"
#include "capture/results.h"
#include "report/choose.h"
#include "result/reasons.h"

struct sides {
	const struct report_side *side[2];
};

static void put_text(struct json_out *j, const char *key, const char *text)
{
	json_key(j, key);
	if (text)
		json_strz(j, text);
	else
		json_null(j);
}

static void put_side(struct json_out *j, const char *key, const struct report_side *s)
{
	json_key(j, key);
	json_obj(j);
	json_key(j, "paths");
	json_arr(j);
	for (size_t i = 0; i < s->n; i++)
		json_strz(j, s->v[i]->path);
	json_end(j);
	put_text(j, "program", s->v[0]->program);
	put_text(j, "program_id", s->v[0]->program_id);
	put_text(j, "chip", s->v[0]->chip);
	json_key(j, "hosts");
	json_uint(j, s->v[0]->hosts);
	json_key(j, "cores");
	json_uint(j, s->v[0]->ncores);
	json_key(j, "captures");
	json_uint(j, s->n);
	json_key(j, "warnings");
	json_arr(j);
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < s->v[i]->nwarnings; k++)
			json_strz(j, s->v[i]->warning[k].code);
	json_end(j);
	json_end(j);
}

static void put_sides(void *ctx, struct json_out *j)
{
	const struct sides *s = ctx;

	put_side(j, "base", s->side[0]);
	put_side(j, "new", s->side[1]);
}

static bool is_shown(const struct report_options *o, enum diff_table t, const struct diff *d)
{
	const struct table *rows = &d->table[t];
	bool memory_alone = d->verdict != VERDICT_NOT_COMPARABLE && !d->table[DIFF_WATERFALL].nrows;
	bool people = o->format == REPORT_TEXT || o->format == REPORT_MARKDOWN;

	if (o->table)
		return !strcmp(o->table, report_table_name("diff", t));
	if (!people)
		return true;
	return rows->nrows &&
	    (t <= DIFF_WATERFALL || t == DIFF_SWEEP || (t == DIFF_MEMORY && memory_alone) ||
		(o->format == REPORT_TEXT && t == DIFF_FINDINGS));
}

/* People see the buffers that differ, and the findings that one side has. */
static void keep_differences(enum diff_table which, struct table *t)
{
	size_t n = 0, at = (size_t)table_column(t, which == DIFF_MEMORY ? "delta_bytes" : "change");

	for (size_t i = 0; i < t->nrows; i++)
		if (which == DIFF_MEMORY ? table_num(t, i, at) != 0 : !slice_is(table_str(t, i, at), "both"))
			memmove(t->cells + n++ * t->ncolumns, t->cells + i * t->ncolumns,
			    t->ncolumns * sizeof *t->cells);
	t->nrows = n;
}

static void write_tables(struct report *r, const struct diff *d, const struct report_options *o)
{
	bool people = o->format == REPORT_TEXT || o->format == REPORT_MARKDOWN;

	for (enum diff_table i = 0; i < DIFF_TABLES; i++) {
		struct table t;

		if (!is_shown(o, i, d))
			continue;
		table_begin_like(&t, &d->table[i]);
		if (people && i == DIFF_WATERFALL && !o->table)
			diff_fold(&t);
		if (people && (i == DIFF_MEMORY || (i == DIFF_FINDINGS && !o->table)))
			keep_differences(i, &t);
		if (o->top >= 0)
			table_top(&t, (size_t)o->top);
		if (o->format == REPORT_MARKDOWN && o->top < 0 && !o->table)
			table_top(&t, 10);
		if (t.nrows || !people || o->table)
			report_whole(r, report_table_name("diff", i), &t);
		table_free(&t);
	}
}

/* People read one sentence. */
static void write_summary(struct report *r, const struct diff *d, const struct report_options *o)
{
	if (o->format == REPORT_JSON || o->format == REPORT_CSV)
		report_facts(r, &d->summary);
	else if (*facts_text(&d->summary, "text"))
		report_sum_str(r, "verdict", facts_text(&d->summary, "text"));
}

int report_diff(const struct diff *d, const struct report_side *base, const struct report_side *new,
    bool sweep, const struct report_options *o, FILE *f, struct err *err)
{
	struct sides sides = { { base, new } };
	char *title =
	    xasprintf("%s against %s%s", new->v[0]->path, base->v[0]->path, new->n > 1 ? " and more" : "");
	struct report *r = report_open(o, f, "diff", NULL);

	report_about(r, &(struct report_head){ put_sides, title, &sides });
	report_reason(r, reason_named(d->reason), d->verdict == VERDICT_NOT_COMPARABLE);
	if (!o->screen)
		report_csv_table(r, o->table ? o->table : sweep ? "sweep" : "waterfall");
	write_summary(r, d, o);
	write_tables(r, d, o);
	free(title);
	return report_end(r, err);
}

static int report_compared(struct capture *c, const struct report_options *o, FILE *f, struct err *err)
{
	const struct compared *x = capture_get(c, RESULT_DIFF, NULL, err);
	const struct side *own = x ? &x->side : NULL;
	struct report_side base = { c->against, c->nagainst }, new = { &own, 1 };

	if (!x)
		return EXIT_NOTHING;
	return report_diff(&x->diff, &base, &new, false, o, f, err);
}

const struct report_tool report_diff_tool = { "diff", "", TAKES_TABLE, report_compared, 1u << RESULT_DIFF };
