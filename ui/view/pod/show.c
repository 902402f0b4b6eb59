#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TELLING 0.01 /* share of the step by which a core must be slower to switch to another metric */

size_t pod_view_core_named(const struct pod *p, int host, int core)
{
	for (size_t i = 0; i < p->cores.ncores; i++)
		if ((host < 0 || p->cores.core[i].host == host) && p->cores.core[i].core == core)
			return i;
	return SIZE_MAX;
}

/* Is `name` one of "send.3,recv-done.4"? */
static bool is_among(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *s = names; s && len; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
		s += strspn(s, " ");
		if (!strncmp(s, name, len) && (!s[len] || s[len] == ','))
			return true;
	}
	return false;
}

static bool is_channel(const struct pod_channel *c, const char *name)
{
	char *end;
	long long id = strtoll(name, &end, 10);

	if (end != name && !*end)
		return c->id == id;
	return c->hlo_names && (!strcmp(c->hlo_names, name) || is_among(c->hlo_names, name));
}

/* The best match of several: one in the current step, else the slowest. */
struct found {
	size_t at, step;
	bool here;
	double us;
};

static void offer_match(struct found *f, size_t at, size_t step, size_t here, double us)
{
	if (f->at != SIZE_MAX && (f->here != (step == here) ? f->here : !(us > f->us)))
		return;
	*f = (struct found){ at, step, step == here, us };
}

static struct found find_link(const struct pod_view *v, enum pod_view_below kind, const char *name)
{
	const struct pod *p = v->pod;
	struct found f = { .at = SIZE_MAX };

	for (size_t i = 0; kind == POD_CHANNELS && i < p->nchannels; i++)
		if (is_channel(&p->channel[i], name))
			offer_match(&f, i, p->channel[i].step, v->step, p->channel[i].duration_us);
	for (size_t i = 0; kind == POD_COLLECTIVES && i < p->ncollectives; i++)
		if (!strcmp(p->collective[i].name, name))
			offer_match(&f, i, p->collective[i].step, v->step, p->collective[i].duration_us);
	return f;
}

static int show_link(struct pod_view *v, enum pod_view_below kind, const char *name)
{
	struct found f = find_link(v, kind, name);
	const struct pod_channel *c;

	if (f.at == SIZE_MAX)
		return -1;
	v->tab = kind == POD_CHANNELS ? TAB_SEND_RECV : TAB_COLLECTIVES;
	v->tab_chosen = true;
	pod_view_go_step(v, f.step);
	pod_view_below(v, kind);
	if (!pod_view_links_go(v, f.at))
		return -1;
	c = pod_view_channel_here(v);
	if (c && c->nsrc && c->src[0] < v->pod->cores.ncores) {
		pod_view_select(v, c->src[0]);
		pod_view_follow_bars(v);
	}
	return 0;
}

/* The metric with the largest excess over the median; time spent waiting for others does not count. */
static int telling_tab(const struct pod_view *v, size_t core)
{
	const struct step_core *s = pod_view_core_step(v, core);
	double most = TELLING * v->stats.usual_total;
	int best = v->tab;

	for (int t = 0; t < POD_TABS && s->total >= 0; t++) {
		double more = pod_view_tab_ps(s, t) - v->stats.usual[t];

		if (t == TAB_COLLECTIVES || !(more > most))
			continue;
		most = more;
		best = t;
	}
	return best;
}

int pod_view_place(struct view *view, const char *text, struct ref *r, struct err *err)
{
	const struct pod_view *v = view->state;

	text += strncmp(text, "step ", 5) ? 0 : 5;
	if (!frame_ready(view))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "the pod is not ready yet");
	if (step_cores_named(&v->pod->cores, text) == SIZE_MAX)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no step '%s' here; usage: :goto step N",
		    text);
	*r = REF_EMPTY;
	r->kind = REF_STEP;
	snprintf(r->text, sizeof r->text, "%s", text);
	return 0;
}

int pod_view_show(struct pod_view *v, const struct ref *r)
{
	size_t step = v->step, core;

	if (r->kind == REF_CHANNEL || r->kind == REF_COLLECTIVE)
		return show_link(v, r->kind == REF_CHANNEL ? POD_CHANNELS : POD_COLLECTIVES, r->text);
	if (r->kind == REF_STEP && *r->text && (step = step_cores_named(&v->pod->cores, r->text)) == SIZE_MAX)
		return -1;
	if (step != v->step)
		pod_view_go_step(v, step);
	if (r->core < 0)
		return 0;
	if ((core = pod_view_core_named(v->pod, r->host, r->core)) == SIZE_MAX)
		return -1;
	pod_view_below(v, POD_BARS);
	if (r->kind == REF_CORE && v->tab != TAB_OWN) {
		v->tab = telling_tab(v, core);
		v->tab_chosen = true;
	}
	pod_view_select(v, core);
	pod_view_count(v);
	pod_view_follow_bars(v);
	return 0;
}
