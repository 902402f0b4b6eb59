#include "config.h"
#include "analyze/findings/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/target.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "model/toolfile.h"

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
	int level = rule_level(r, measure);

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
		.step = -1,
		.save = NAN,
		.save_share = NAN,
		.nth = o->n,
		.proof = rule_proof(w) };
	f->proof.members = rule_members(w);
	f->proof.nmembers = w->nmembers;
	if (isnan(cost) || cost < 0) {
		f->cost_kind = COST_NONE;
		f->cost = 0;
	} else if (r->cost == COST_TIME && cost > 1) {
		f->cost = 1;
	}
	f->advice = rule_advice(&w->out->text, r->advice, key, rule_words(w), true);
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

void rule_note(struct rule_work *w, enum check_state state, const char *fmt, ...)
{
	struct findings *o = w->out;
	va_list ap;

	va_start(ap, fmt);
	VEC_ADD(o->check, o->nchecks, w->check_cap,
	    (struct finding_check){ w->rule->id, w->rule->label, say(w, fmt, ap), state });
	va_end(ap);
}

void rule_checked_once(struct rule_work *w, const char *evidence)
{
	if (w->out->nchecks == w->noted)
		rule_checked(w, "%s", evidence);
}

double rule_fact(const struct rule_work *w, const char *id)
{
	const struct overview *v = w->in->overview;

	return v ? facts_number(&v->summary, id) : NAN;
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

/* Is there anything with times? */
static bool is_traced(const struct rule_work *w)
{
	return w->in->dump && (w->in->dump->trace.ntracks || w->in->dump->trace.ncounters);
}

const char rule_no_peaks[] = "the peaks of the chip are unknown; set them with --peaks";

/* Is there a result whose tables have times? */
static bool has_results(const struct rule_work *w)
{
	static const enum file_kind timed[] = { FILE_OP_PROFILE, FILE_FRAMEWORK_OPS, FILE_OVERVIEW,
		FILE_INPUT_PIPELINE, FILE_POD_VIEWER };

	for (size_t i = 0; w->in->dump && i < sizeof timed / sizeof *timed; i++)
		if (toolfile_find(w->in->dump, timed[i], NULL, NULL))
			return true;
	return w->in->overview && w->in->overview->file;
}

const char rule_partly_read[] = "loading was stopped; F5 reads the rest";

const char *rule_cut(const struct rule_work *w, const char *what)
{
	const struct dump *d = w->in->dump;
	bool cut = false;
	char text[160];

	for (size_t i = 0; d && i < d->nfiles; i++)
		cut |= d->files[i].partial;
	if (!d || (!cut && !d->canceled))
		return NULL;
	snprintf(text, sizeof text, "%s: %s", what,
	    d->canceled ? rule_partly_read : "the input is damaged or cut off");
	return arena_strndup(&w->out->text, text, strlen(text));
}

const char *rule_no_times(const struct rule_work *w)
{
	const char *cut;

	if (is_traced(w))
		return NULL;
	if (has_results(w))
		return "a profiler's results have no single ops or events";
	cut = rule_cut(w, "no times could be read");
	return cut ? cut : "no times in this input: it is not a capture";
}

const char *rule_no_ops(const struct rule_work *w)
{
	const struct dump *d = w->in->dump;
	const char *cut;

	if (w->in->ops && w->in->ops->n && w->in->ops->op_time > 0)
		return NULL;
	if (rule_no_times(w))
		return rule_no_times(w);
	if (!rule_has_plane(w, PLANE_TPU) && rule_has_events(w, PLANE_GPU))
		return "kernels of a GPU are not HLO ops; see Kernels, or report kernels";
	for (size_t i = 0; i < d->trace.nplanes; i++)
		if (plane_runs_ops(d->trace.planes[i].kind))
			return (cut = rule_cut(w, "no ops on a whole device plane"))
			    ? cut
			    : "no op times on the device planes";
	return (cut = rule_cut(w, "no device plane could be read")) ? cut : "no device plane";
}

const char *rule_no_steps(const struct rule_work *w)
{
	if (w->cores || (w->in->overview && w->in->overview->file && w->step_ps > 0))
		return NULL;
	if (rule_no_times(w))
		return rule_no_times(w);
	if (rule_has_plane(w, PLANE_TPU) && !(w->in->ops && w->in->ops->n) && rule_cut(w, "no steps and ops"))
		return rule_cut(w, "no steps and ops");
	return rule_has_plane(w, PLANE_TPU)
	    ? "no steps: put jax.profiler.StepTraceAnnotation (or tf.profiler.experimental.Trace) around each"
	    : rule_no_ops(w);
}

const char *rule_no_kinds(const struct rule_work *w)
{
	const struct opdb *db = w->in->ops;
	const char *why = rule_no_ops(w);
	int64_t without = 0;

	for (size_t i = 0; !why && i < db->n; i++)
		without += db->v[i].category.n ? 0 : db->v[i].sum.self;
	return why                      ? why
	    : without > db->op_time / 2 ? "ops have no category (hlo_category) in this file"
					: NULL;
}

bool rule_stopped(const struct rule_work *w)
{
	return progress_canceled(w->in->progress);
}

bool rule_has_plane(const struct rule_work *w, enum plane_kind kind)
{
	return w->in->dump && trace_has_plane(&w->in->dump->trace, kind);
}

const char rule_foreign[] = "the names of PyTorch's events do not tell it";

bool rule_is_foreign(const struct rule_work *w)
{
	return target_is_pytorch(w->in->dump);
}

bool rule_has_events(const struct rule_work *w, enum plane_kind kind)
{
	const struct dump *d = w->in->dump;

	for (size_t i = 0; d && i < d->trace.ntracks; i++)
		if (d->trace.tracks[i].n && d->trace.planes[d->trace.tracks[i].plane].kind == kind)
			return true;
	return false;
}
