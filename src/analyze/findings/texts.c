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

static const char *advice_of(struct rule_work *w, const struct table *t, size_t row)
{
	struct slice advice = text_at(t, row, "advice");

	return rule_advice(&w->out->text, arena_strndup(&w->out->text, advice.s, advice.n), NULL, NULL, true);
}

static bool same_error(const struct table *t, size_t a, size_t b)
{
	const struct cell *x = table_get(t, a, "error"), *y = table_get(t, b, "error");

	return x->type == CELL_INT && y->type == CELL_INT && x->u.i == y->u.i;
}

/* Returns the row of the cause that is as bad as what happened; 0: none is known. */
static size_t cause_of(const struct table *t, size_t row)
{
	struct slice severity = text_at(t, row, "severity");

	for (size_t i = row + 1; i < t->nrows && same_error(t, row, i); i++)
		if (slice_same(text_at(t, i, "severity"), severity))
			return i;
	return 0;
}

/* The cause is said with what happened, and what to do about it comes first. */
static void add_cause(struct rule_work *w, const struct table *t, size_t row, struct finding *f)
{
	struct slice title = text_at(t, row, "title"), evidence = text_at(t, row, "evidence");
	const char *advice = advice_of(w, t, row);

	f->evidence = rule_say(w, "%s. %.*s: %.*s", f->evidence, (int)title.n, title.s,
	    (int)(evidence.n < 400 ? evidence.n : 400), evidence.s);
	if (*advice)
		f->advice = rule_say(w, "%s%s%s", advice, *f->advice ? "\n" : "", f->advice);
}

/* Raises what happened. */
static struct finding *raise_error(struct rule_work *w, const struct table *t, size_t row)
{
	struct finding *f = rule_raise(w, measure_of(text_at(t, row, "severity")), NAN, NULL);
	struct slice title = text_at(t, row, "title"), evidence = text_at(t, row, "evidence");
	size_t cause = cause_of(t, row);

	if (!f)
		return NULL;
	f->title = rule_say(w, "%.*s", (int)title.n, title.s);
	f->evidence = rule_say(w, "%.*s", (int)(evidence.n < 1400 ? evidence.n : 1400), evidence.s);
	f->advice = advice_of(w, t, row);
	if (cause)
		add_cause(w, t, cause, f);
	return f;
}

/* Is this the message from which the memory limit of the program was taken, so that its finding says it all? */
static struct finding *finding_of_program(struct rule_work *w, const struct table *errors, size_t row)
{
	const struct memory *m = w->in->memory;
	struct slice module = text_at(errors, row, "module");

	if (!m || !m->limit_said || !w->in->module || !slice_is(text_at(errors, row, "space"), "hbm") ||
	    (module.n && !slice_is(module, w->in->module->name)))
		return NULL;
	for (size_t i = 0; i < w->out->n; i++)
		if (!strcmp(w->out->v[i].id, "memory_limit"))
			return &w->out->v[i];
	return NULL;
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
	struct finding *told =
	    error->type == CELL_INT ? finding_of_program(w, &t->errors, (size_t)error->u.i) : NULL;

	if (told) {
		rule_detail(w, told, "Message", "%s", place);
		return;
	}
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
