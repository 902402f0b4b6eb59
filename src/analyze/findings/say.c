#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"

static __attribute__((format(printf, 2, 0))) const char *say(struct rule_work *w, const char *fmt, va_list ap)
{
	char text[2000];

	vsnprintf(text, sizeof text, fmt, ap);
	return arena_strndup(&w->out->text, text, strlen(text));
}

const char *rule_say(struct rule_work *w, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = say(w, fmt, ap);
	va_end(ap);
	return text;
}

struct finding *rule_raise(struct rule_work *w, double measure, double cost, const char *key)
{
	const struct rule *r = w->rule;
	struct findings *o = w->out;
	struct finding *f;
	int level = 0;

	while (level < RULE_LEVELS && !(measure >= r->at[level]))
		level++;
	if (level == RULE_LEVELS)
		return NULL;
	VEC_PUSH(o->v, o->n, w->cap);
	f = &o->v[o->n++];
	*f = (struct finding){ .id = r->id,
		.severity = (enum severity)level,
		.cost_kind = r->cost,
		.cost = cost,
		.of_total = -1,
		.title = r->title,
		.evidence = "",
		.detail = "",
		.proof = rule_proof(w) };
	if (isnan(cost) || cost < 0) {
		f->cost_kind = COST_NONE;
		f->cost = 0;
	} else if (r->cost == COST_TIME && cost > 1) {
		f->cost = 1;
	}
	f->advice = rule_advice(&w->out->text, r->advice, key, true);
	return f;
}

void rule_detail(struct rule_work *w, struct finding *f, const char *label, const char *fmt, ...)
{
	const char *text;
	va_list ap;

	va_start(ap, fmt);
	text = say(w, fmt, ap);
	va_end(ap);
	f->detail = rule_say(w, "%s%s%s\t%s", f->detail, *f->detail ? "\n" : "", label, text);
}

void rule_checked(struct rule_work *w, const char *fmt, ...)
{
	struct findings *o = w->out;
	va_list ap;

	VEC_PUSH(o->checked, o->nchecked, w->checked_cap);
	va_start(ap, fmt);
	o->checked[o->nchecked++] = (struct finding_note){ w->rule->label, say(w, fmt, ap) };
	va_end(ap);
}

/* Several rules may miss the same thing, so each is listed once. */
void rule_missing(struct rule_work *w, const char *title, const char *fmt, ...)
{
	struct findings *o = w->out;
	va_list ap;

	for (size_t i = 0; i < o->nmissing; i++)
		if (!strcmp(o->missing[i].title, title))
			return;
	VEC_PUSH(o->missing, o->nmissing, w->missing_cap);
	va_start(ap, fmt);
	o->missing[o->nmissing++] = (struct finding_note){ title, say(w, fmt, ap) };
	va_end(ap);
}

double rule_fact(const struct rule_work *w, const char *id)
{
	const struct overview *v = w->in->overview;

	return v && overview_known(v, id) ? facts_number(&v->summary, id) : NAN;
}

struct hlo_contents *rule_contents(struct rule_work *w)
{
	if (!w->contents)
		w->contents = contents_new(w->in->dump);
	return w->contents;
}

const char *rule_host(const struct rule_work *w, int host)
{
	const struct dump *d = w->in->dump;

	if (!d || host < 0 || (size_t)host >= d->nhosts)
		return "?";
	return arena_strndup(&w->out->text, strtab_str(&d->str, d->hosts[host].name),
	    strtab_len(&d->str, d->hosts[host].name));
}

const char *rule_time(struct rule_work *w, double ps)
{
	int64_t t = from_double(ps);
	enum time_unit unit = unit_for(t);
	double v = (double)t / (double)unit_ps[unit];
	char text[40];

	units_time_in(text, sizeof text, t, unit,
	    unit == UNIT_PS || fabs(v) >= 99.95 ? 0
		: fabs(v) >= 9.995              ? 1
						: 2);
	return rule_say(w, "%s %s", text, unit_name(unit, false));
}

const char *rule_ops(struct rule_work *w, size_t n)
{
	return rule_say(w, "%zu op%s", n, n == 1 ? "" : "s");
}

bool rule_stopped(const struct rule_work *w)
{
	return progress_cancelled(w->in->progress);
}

bool rule_has_plane(const struct rule_work *w, enum plane_kind kind)
{
	return w->in->dump && trace_has_plane(&w->in->dump->trace, kind);
}
