/* Why cores are idle, and what they compute again: what the pieces of their time say. */
#include "config.h"
#include "analyze/findings/internal.h"

#include "analyze/idle/idle.h"
#include "analyze/scopes/scopes.h"

const char *rule_idle_cause(struct rule_work *w)
{
	const struct idle *v = w->in->idle;
	enum idle_cause cause;
	int64_t most;
	struct slice name;
	const char *text;

	if (!v || v->sum.idle <= 0)
		return "";
	cause = idle_most(&v->sum, &most);
	if (cause == IDLE_UNKNOWN)
		return "";
	text = rule_say(w, "; cause of %.0f %% of idle time: %s", 100 * (double)most / (double)v->sum.idle,
	    idle_cause_name[cause]);
	if ((cause != IDLE_LAUNCH && cause != IDLE_INPUT) || !v->host.waits)
		return text;
	name = dump_text(w->in->dump, v->host.name);
	return rule_say(w, "%s (%.*s %s in each of %lld gaps)", text, (int)(name.n < 120 ? name.n : 120),
	    name.s, rule_time(w, (double)v->host.time / (double)v->host.waits), (long long)v->host.waits);
}

const char *rule_between_key(const struct rule_work *w)
{
	int64_t most;

	return w->in->idle && w->in->idle->sum.idle > 0 && idle_most(&w->in->idle->sum, &most) == IDLE_BETWEEN
	    ? "between"
	    : "between host";
}

/* The innermost scope that has most of it; the op itself does not count as one. */
static const struct name_scope *most_recomputed(const struct scopes *s)
{
	const struct name_scope *most = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct name_scope *x = &s->v[i];

		if (x->end == i + 1 || 2 * x->sum.phase[PHASE_RECOMPUTE] < s->sum.phase[PHASE_RECOMPUTE])
			continue;
		most = x; /* parents come first */
	}
	return most;
}

void rule_recompute(struct rule_work *w)
{
	const struct scopes *s = w->in->scopes;
	double again = s ? (double)s->sum.phase[PHASE_RECOMPUTE] : 0, share;
	const struct name_scope *scope;
	struct finding *f;

	if (!s || !s->cores || s->sum.time <= 0)
		return;
	if (!(again > 0) && s->no_scope == s->sum.time) {
		rule_unknown(w, "ops have no name scopes");
		return;
	}
	share = again / (double)s->sum.time;
	if (!(f = rule_raise(w, 100 * share, rule_step_share(w, again), NULL))) {
		rule_checked(w, "%.1f %% of the op time", 100 * share);
		return;
	}
	f->evidence = rule_say(w, "%.1f %% of the op time computes activations again", 100 * share);
	if ((scope = most_recomputed(s)))
		f->evidence = rule_say(w, "%s, %.0f %% of that in %.200s", f->evidence,
		    100 * (double)scope->sum.phase[PHASE_RECOMPUTE] / again, scope->path);
	for (size_t i = 0; i < s->nops; i++)
		if (s->op[i].phase == PHASE_RECOMPUTE) {
			rule_at_name(w, f, s->op[i].name);
			break;
		}
	rule_detail(w, f, "Forward", "%.1f %%",
	    100 * (double)s->sum.phase[PHASE_FORWARD] / (double)s->sum.time);
	rule_detail(w, f, "Backward", "%.1f %%",
	    100 * (double)s->sum.phase[PHASE_BACKWARD] / (double)s->sum.time);
}
