#include "config.h"
#include "analyze/findings/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/triage/triage.h"

#define PLACE_MAX 250

static struct slice text_at(const struct table *t, size_t row, const char *column)
{
	return cell_text(table_get(t, row, column));
}

static double measure_of(struct slice severity)
{
	return slice_is(severity, "high")  ? SEVERITY_LOW + 1 - SEVERITY_HIGH
	    : slice_is(severity, "medium") ? SEVERITY_LOW + 1 - SEVERITY_MEDIUM
					   : 1;
}

/* "worker.log line 12" */
static const char *place_of(struct rule_work *w, const struct table *errors, size_t row)
{
	struct slice file = text_at(errors, row, "file");
	const char *slash = file.s ? memrchr(file.s, '/', file.n) : NULL;

	if (slash)
		file = (struct slice){ slash + 1, (size_t)(file.s + file.n - slash - 1) };
	file.n = file.n < PLACE_MAX ? file.n : PLACE_MAX;
	return rule_say(w, "%.*s line %" PRId64, (int)file.n, file.s, table_get(errors, row, "line")->u.i);
}

/* Raises what happened. */
static struct finding *raise_error(struct rule_work *w, const struct table *t, size_t row)
{
	struct finding *f = rule_raise(w, measure_of(text_at(t, row, "severity")), NAN, NULL);
	struct slice title = text_at(t, row, "title"), evidence = text_at(t, row, "evidence"),
		     advice = text_at(t, row, "advice");

	if (!f)
		return NULL;
	f->title = rule_say(w, "%.*s", (int)title.n, title.s);
	f->evidence = rule_say(w, "%.*s", (int)(evidence.n < 1900 ? evidence.n : 1900), evidence.s);
	f->advice =
	    rule_advice(&w->out->text, arena_strndup(&w->out->text, advice.s, advice.n), NULL, NULL, true);
	return f;
}

/* The finding about errors of this kind; NULL: none yet. */
static struct finding *finding_of_kind(struct rule_work *w, size_t from, struct slice title)
{
	for (size_t i = from; i < w->out->n; i++)
		if (slice_is(title, w->out->v[i].title))
			return &w->out->v[i];
	return NULL;
}

static void add_error(struct rule_work *w, const struct triage *t, size_t row, size_t from)
{
	struct slice evidence = text_at(&t->findings, row, "evidence");
	struct finding *f = finding_of_kind(w, from, text_at(&t->findings, row, "title"));
	const struct cell *error = table_get(&t->findings, row, "error");
	const char *place = error->type == CELL_INT ? place_of(w, &t->errors, (size_t)error->u.i) : "";

	if (f) {
		if ((double)w->shown++ < rule_limit(w->rule, "most"))
			rule_detail(w, f, place, "%.*s", (int)(evidence.n < 250 ? evidence.n : 250),
			    evidence.s);
		return;
	}
	w->shown = 0;
	f = raise_error(w, &t->findings, row);
	if (!f || !*place)
		return;
	f->proof.kind = REF_NODE;
	f->proof.text = place;
	f->proof.program = (uint64_t)error->u.i + 1;
}

/* One finding for each kind of error, the worst first: the first of them, and where there are more. */
void rule_log_errors(struct rule_work *w)
{
	const struct triage *t = w->in->triage;
	size_t from = w->out->n;
	int64_t last = -1;

	if (!t || !t->logs.nrows)
		return;
	for (size_t i = 0; i < t->findings.nrows; i++) {
		const struct cell *error = table_get(&t->findings, i, "error");

		/* the first row of an error is what happened, the others are causes */
		if (error->type == CELL_INT && error->u.i == last)
			continue;
		last = error->type == CELL_INT ? error->u.i : -1;
		add_error(w, t, i, from);
	}
	if (!t->findings.nrows)
		rule_checked(w, "no known error in %zu text%s", t->logs.nrows, t->logs.nrows == 1 ? "" : "s");
}
