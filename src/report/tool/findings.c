#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec/json.h"
#include "analyze/findings/findings.h"
#include "capture/results.h"
#include "model/hlo.h"
#include "report/blocks.h"
#include "report/choose.h"
#include "report/warnings.h"

struct note {
	const char *what, *text;
};

#define SCHEMA hint
#define SCHEMA_ROW struct note
#define SCHEMA_DEF "report/tool/notes.def"
#define NOTE_LABEL "about"
#include "result/schema_def.h"
#undef NOTE_LABEL

#define SCHEMA passed
#define SCHEMA_ROW struct note
#define SCHEMA_DEF "report/tool/notes.def"
#define NOTE_LABEL "checked, nothing to report"
#include "result/schema_def.h"
#undef NOTE_LABEL

#define SCHEMA unknown
#define SCHEMA_ROW struct note
#define SCHEMA_DEF "report/tool/notes.def"
#define NOTE_LABEL "checks"
#include "result/schema_def.h"
#undef NOTE_LABEL

static const struct schema hint_schema = { SCHEMA_COLUMNS(hint_columns) },
			   passed_schema = { SCHEMA_COLUMNS(passed_columns) },
			   unknown_schema = { SCHEMA_COLUMNS(unknown_columns) };

/* Each reason once: "Warm-up" and why, or "6 checks" and why, with their names. */
static void add_unknown(struct table *t, const struct findings *v, size_t i)
{
	char *labels = findings_unknown(v, i), *text;
	size_t n = 1;
	char what[32];

	if (!labels)
		return;
	for (const char *s = labels; (s = strstr(s, ", ")); s++)
		n++;
	snprintf(what, sizeof what, "%zu checks", n);
	text = xasprintf("%s: %s", v->check[i].text, labels);
	if (n == 1)
		table_add(t, &(struct note){ v->check[i].label, v->check[i].text });
	else
		table_add(t, &(struct note){ arena_strndup(&t->text, what, strlen(what)), text });
	free(text);
	free(labels);
}

static void put_checks_for_people(struct report *r, const struct findings *v, enum check_state state,
    const struct schema *schema)
{
	struct table t;

	if (!v->count[state])
		return;
	table_begin(&t, schema);
	for (size_t i = 0; i < v->nchecks; i++) {
		const struct finding_check *c = &v->check[i];

		if (c->state == state && state == CHECK_UNKNOWN)
			add_unknown(&t, v, i);
		else if (c->state == state)
			table_add(&t, &(struct note){ c->label, c->text });
	}
	report_whole(r, check_name(state), &t);
	table_free(&t);
}

static void put_checks(struct report *r, const struct findings *v)
{
	struct json_out *j = report_json(r, "checks");

	if (!j)
		return;
	json_arr(j);
	for (size_t i = 0; i < v->nchecks; i++) {
		const struct finding_check *c = &v->check[i];

		json_obj(j);
		json_key(j, "id");
		json_strz(j, c->id);
		json_key(j, "label");
		json_strz(j, c->label);
		json_key(j, "state");
		json_strz(j, check_name(c->state));
		json_key(j, "text");
		json_strz(j, c->text);
		json_end(j);
	}
	json_end(j);
}

static void put_savings(struct report *r, const struct findings *v)
{
	const bool known = v->whole > 0;

	report_sum_num(r, "step_us", known ? v->whole / 1e6 : NAN);
	report_sum_num(r, "joint_step_us", known ? v->joint / 1e6 : NAN);
	report_sum_num(r, "joint_save_us", known ? (v->whole - v->joint) / 1e6 : NAN);
}

/* Writes the warnings of the overview (NULL: none), the summary and the rows; text also gets what was checked and what
 * is missing.  more: how many rows --top left out. */
static void put_findings(struct report *r, const struct capture *c, const struct findings *v,
    const struct overview *overview, const struct table *t, size_t more)
{
	const struct dump *d = c->base;
	int64_t n[3] = { 0 };

	if (overview && (d->trace.ntracks || d->trace.ncounters))
		report_warnings(r, &overview->warnings);
	for (size_t i = 0; i < v->n; i++)
		n[v->v[i].severity]++;
	report_sum_int(r, "findings", (int64_t)v->n);
	for (int i = 0; i < 3; i++)
		report_sum_int(r, severity_name((enum severity)i), n[i]);
	if (capture_is_huge(c))
		report_warning(r,
		    "more than %d million events, or %d tracks: what mending saves, overlap and causes of "
		    "idle time are left out; report account, communication and idle have them",
		    CAPTURE_HUGE / 1000000, CAPTURE_WIDE);
	if (v->whole > 0 || !report_for_people(r))
		put_savings(r, v);
	report_sum_int(r, "checks_passed", (int64_t)v->count[CHECK_PASSED]);
	report_sum_int(r, "checks_not_possible", (int64_t)v->count[CHECK_UNKNOWN]);
	if (!report_for_people(r)) {
		report_whole(r, NULL, t);
		put_checks(r, v);
		return;
	}
	report_blocks(r, "findings", t, more);
	put_checks_for_people(r, v, CHECK_HINT, &hint_schema);
	put_checks_for_people(r, v, CHECK_PASSED, &passed_schema);
	put_checks_for_people(r, v, CHECK_UNKNOWN, &unknown_schema);
}

static int write_report(const struct capture *c, const struct report_options *o, FILE *f,
    const struct findings *v, const struct overview *overview, struct err *e)
{
	struct report *r;
	struct table t;
	int bad;

	findings_table(v, v->n, &t);
	if (report_order(o, &t, e)) {
		table_free(&t);
		return -1;
	}
	r = report_open(o, f, "findings", c->base);
	report_dump_warnings(r, c->base);
	put_findings(r, c, v, overview, &t, o->top >= 0 ? v->n - t.nrows : 0);
	bad = report_end(r, e);
	table_free(&t);
	return bad;
}

int report_findings(struct capture *c, const struct report_options *o, FILE *f, struct err *e)
{
	const struct dump *d = c->base;
	const struct findings *findings;

	if (report_check(c, o, e))
		return -1;
	if (o->module && hlo_module_find(d, o->module) < 0)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no module \"%s\" — a name, name(id) or id; report memory lists them", o->module);
	if (!(findings = capture_get(c, RESULT_MENDED, NULL, e)))
		return -1;
	return write_report(c, o, f, findings, capture_get(c, RESULT_OVERVIEW, NULL, e), e) ? -1 : EXIT_OK;
}
