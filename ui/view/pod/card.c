#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/pod/own.h"
#include "core/app.h"
#include "result/cell_text.h"
#include "result/rules.h"
#include "widget/bar.h"
#include "widget/fields.h"

enum { WORST = 5, HOSTS_MOST = 6, BINS = 32, BIN_ROWS = 3, COST_ROWS = 4 };

static const char *ms_text(const struct pod_view *v, char *buf, size_t size, double ps)
{
	if (isnan(ps))
		return CELL_UNKNOWN;
	snprintf(buf, size, "%.*f", pod_view_digits(v), ps / 1e9);
	return buf;
}

static const char *ratio_text(char *buf, size_t size, double a, double b)
{
	if (isnan(a) || !(b > 0))
		return CELL_UNKNOWN;
	snprintf(buf, size, "%.2f", a / b);
	return buf;
}

/* A label, and two numbers. */
static void put_numbers(struct pen *p, const char *label, const char *first, const char *second)
{
	if (pen_fits(p))
		canvas_right(p->c, p->y, p->r.x + p->r.w - 14, ROLE_TEXT, 0, first);
	pen_line(p, ROLE_DIM, slice_of(label), second);
}

static void put_times(struct pen *p, const struct pod_view *v, const char *label, double own, double usual)
{
	char a[32], b[32];

	put_numbers(p, label, ms_text(v, a, sizeof a, own), ms_text(v, b, sizeof b, usual));
}

static double least_spread(void)
{
	return rule_limit(rule_named("straggler_core"), "spread") / 100;
}

/* By as much as the finding asks for. */
static bool is_more(double own, double usual)
{
	return own > 0 && own >= usual * (1 + least_spread());
}

/* " (1.23×)"; "" = of nothing */
static const char *times_text(char *buf, size_t size, double own, double usual)
{
	*buf = '\0';
	if (usual > 0)
		snprintf(buf, size, " (%.2f×)", own / usual);
	return buf;
}

static bool pod_view_is_straggler(const struct pod_view *v, size_t core)
{
	return v->pod->step[v->step].straggler == core &&
	    is_more(v->stats.own[core], v->stats.usual[TAB_OWN]);
}

/* --- the core --- */

static int draw_name(const struct pod_view *v, struct canvas *c, struct rect r, int y, bool mark)
{
	const struct topology *t = &v->pod->topology;
	const struct topology_core *at = &v->pod->topology.core[v->core];
	const struct step_core_info *i = &v->pod->cores.core[v->core];
	char name[48], gloss[64] = "", place[48] = "";
	int x = r.x + 1;

	x +=
	    canvas_str(c, y, x, 16, ROLE_BOLD, ATTR_BOLD, pod_view_core_name(v, v->core, name, sizeof name)) +
	    2;
	if (at->chip >= 0)
		snprintf(gloss, sizeof gloss, "chip %lld core %d", (long long)at->chip, at->core_on_chip);
	canvas_str(c, y, x, r.x + r.w - x, ROLE_DIM, 0, gloss);
	if (mark && pod_view_is_straggler(v, v->core))
		canvas_right(c, y, r.x + r.w, ROLE_WARN, 0, "! straggler");
	if (at->x >= 0)
		snprintf(place, sizeof place, "(%d,%d,%d)", at->x, at->y, at->z);
	x = r.x + 1 + canvas_str(c, y + 1, r.x + 1, 14, ROLE_TEXT, 0, place) + 2;
	if (at->x >= 0 && t->host_x && v->pod->nhosts > 1)
		x += canvas_fmt(c, y + 1, x, r.x + r.w - x, ROLE_DIM, 0, "block (%d,%d,%d)",
			 at->x / t->host_x, at->y / t->host_y, at->z / t->host_z) +
		    2;
	if ((size_t)i->host < v->pod->nhosts)
		card_tail(c, y + 1, x, r.x + r.w - x, ROLE_DIM, v->pod->host[i->host],
		    strlen(v->pod->host[i->host]));
	return y + 2;
}

bool pod_view_stands_out(const struct pod_view *v, double value)
{
	return is_more(value, v->stats.median);
}

/* The metric, other than compute, that takes most of the step. */
static const char *bottleneck(const struct pod_view *v, const struct step_core *s)
{
	int most = TAB_MATMUL + 1;

	for (int t = most; t < POD_TABS; t++)
		most = pod_view_tab_ps(s, t) > pod_view_tab_ps(s, most) ? t : most;
	return pod_view_tab_name(v, most);
}

static void put_core(struct pen *p, const struct pod_view *v)
{
	const struct step_core *s = pod_view_core_step(v, v->core);
	const char *said = pod_bottleneck(v->pod, v->core, v->step);
	double value = v->stats.value[v->core];
	char a[32], z[32];

	put_numbers(p, "", "this, ms", "median");
	canvas_role(p->c, (struct rect){ p->y - 1, p->r.x, 1, p->r.w }, ROLE_DIM, 0);
	for (int t = 0; t < POD_TABS; t++) {
		if (!(v->stats.most[t] > 0) && t != v->tab)
			continue;
		put_times(p, v, pod_view_tab_name(v, t), s->total < 0 ? NAN : pod_view_tab_ps(s, t),
		    v->stats.usual[t]);
		if (t == TAB_COLLECTIVES && !isnan(v->stats.usual_sync))
			put_times(p, v, "· waiting", s->sync < 0 ? NAN : (double)s->sync,
			    v->stats.usual_sync);
		if (t == TAB_SEND_RECV && s->total >= 0) {
			put_times(p, v, "· send", (double)s->ps[METRIC_SEND], NAN);
			put_times(p, v, "· receive", (double)s->ps[METRIC_RECV], NAN);
		}
	}
	put_times(p, v, pod_view_tab_name(v, TAB_OWN), v->stats.own[v->core], v->stats.usual[TAB_OWN]);
	put_times(p, v, "step", s->total < 0 ? NAN : (double)s->total, v->stats.usual_total);
	pen_field(p, said ? "bottleneck" : "largest non-matmul", ROLE_TEXT,
	    s->total < 0 ? NULL
		: said   ? said
			 : bottleneck(v, s));
	snprintf(z, sizeof z, "%.1f usual spreads", pod_view_stats_z(&v->stats, value));
	pen_field(p, "× median", ROLE_TEXT, ratio_text(a, sizeof a, value, v->stats.median));
	pen_field(p, "from the median", ROLE_TEXT, isnan(value) ? NULL : z);
}

/* How many cores of the same chip and host exceed the median by at least half as much as this core. */
struct mates {
	size_t on_chip, chip, on_host, host; /* others there, and how many of them exceed it */
};

static struct mates mates_of(const struct pod_view *v)
{
	const struct step_core_info *core = v->pod->cores.core, *self = &core[v->core];
	double limit = (v->stats.value[v->core] + v->stats.median) / 2;
	int64_t chip = v->pod->topology.core[v->core].chip;
	struct mates m = { 0 };
	size_t a = v->core;

	while (a > 0 && core[a - 1].host == self->host)
		a--;
	for (; a < v->pod->cores.ncores && core[a].host == self->host; a++) {
		bool same = chip >= 0 && v->pod->topology.core[a].chip == chip;

		if (a == v->core || isnan(v->stats.value[a]))
			continue;
		m.on_host++;
		m.host += v->stats.value[a] > limit;
		m.on_chip += same;
		m.chip += same && v->stats.value[a] > limit;
	}
	return m;
}

static const char *mates_text(const struct mates *m)
{
	if (!m->on_host)
		return "";
	if (m->host == m->on_host)
		return " So are all cores of its host.";
	if (m->on_chip && m->chip == m->on_chip && m->host == m->chip)
		return " So are all cores of its chip.";
	return m->host ? "" : " Only slow core on its host.";
}

/* A host whose cores are all slower than those of the others. */
static bool host_text(const struct pod_view *v, char *buf, size_t size)
{
	int host = v->pod->cores.core[v->core].host;
	double own, other, step = pod_own_host(&v->pod->cores, host, &own, &other);
	char times[32];

	if (isnan(step) || !is_more(own, other))
		return false;
	snprintf(buf, size,
	    "Its host: %.*f ms per step, %s %.*f ms%s: %.1f %% of the step. The others "
	    "wait for it; O shows the ops that differ.",
	    own < 1e10 ? 3 : 1, own / 1e9, v->pod->nhosts > 2 ? "the median one" : "the other",
	    own < 1e10 ? 3 : 1, other / 1e9, times_text(times, sizeof times, own, other),
	    100 * (own - other) / step);
	return true;
}

/* Says the mean own work in all steps, as the findings do; false: the core does not stand out. */
static bool own_text(const struct pod_view *v, char *buf, size_t size)
{
	double own, median, step = pod_own_mean(&v->pod->cores, v->core, &own, &median);
	char times[32];

	if (host_text(v, buf, size))
		return true;
	if (!is_more(own, median))
		return false;
	snprintf(buf, size,
	    "%.*f ms per step, median %.*f ms%s: %.1f %% of the step. The others wait for it; "
	    "O shows the ops that differ.",
	    own < 1e10 ? 3 : 1, own / 1e9, own < 1e10 ? 3 : 1, median / 1e9,
	    times_text(times, sizeof times, own, median), 100 * (own - median) / step);
	return true;
}

/* The time that a core takes longer than the others is lost when they wait for it: in collectives, or in
 * longer steps. */
static void cost_text(const struct pod_view *v, char *buf, size_t size)
{
	const struct step_core *s = pod_view_core_step(v, v->core);
	const char *straggler = pod_view_is_straggler(v, v->core)
	    ? " All its own work takes longest: the others wait for it."
	    : "";
	double own, usual, excess, total = (double)s->total, wait, ratio, spread = least_spread();
	struct mates m;

	if (s->total < 0 || v->stats.n < 2) {
		snprintf(buf, size,
		    s->total < 0 ? "This core does not have the step."
				 : "There is no other core to compare with.");
		return;
	}
	if (v->tab == TAB_OWN && own_text(v, buf, size))
		return;
	own = pod_view_ps(v, v->core, v->tab);
	usual = v->stats.usual[v->tab];
	excess = own - usual;
	ratio = usual > 0 ? own / usual : own > 0 ? INFINITY : 1;
	if ((ratio < 1 + spread && ratio > 1 / (1 + spread)) || !(total > 0) || fabs(excess) < total / 1000) {
		snprintf(buf, size, "%s: within %.0f %% of the median.%s", pod_view_tab_name(v, v->tab),
		    100 * spread, straggler);
		return;
	}
	if (ratio < 1) {
		snprintf(buf, size, "%.2f× the median: %.*f ms less, %.1f %% of the step.%s", ratio,
		    pod_view_digits(v), -excess / 1e9, -100 * excess / total,
		    v->tab == TAB_COLLECTIVES ? " It arrives last." : straggler);
		return;
	}
	wait = v->stats.usual[TAB_COLLECTIVES] - pod_view_tab_ps(s, TAB_COLLECTIVES);
	m = mates_of(v);
	if (isinf(ratio))
		snprintf(buf, size, "Most cores have no %s:", pod_view_tab_name(v, v->tab));
	else
		snprintf(buf, size, "%.2f× the median:", ratio);
	snprintf(buf + strlen(buf), size - strlen(buf), " %.*f ms more, %.1f %% of the step.%s%s",
	    pod_view_digits(v), excess / 1e9, 100 * excess / total,
	    v->tab != TAB_COLLECTIVES && wait > excess / 2 ? " Others wait for it." : "", mates_text(&m));
}

static void put_cost(struct pen *p, const struct pod_view *v)
{
	int end = p->y + 1 + COST_ROWS;
	char text[300];

	cost_text(v, text, sizeof text);
	pen_head(p, "WHAT IT COSTS", "");
	pen_text(p, 0, ROLE_TEXT, slice_of(text), COST_ROWS);
	p->y = end;
}

/* --- the pod --- */

static void put_worst(struct pen *p, const struct pod_view *v, int rows)
{
	const struct pod_stats *s = &v->stats;
	const struct rect r = p->r;

	pen_head(p, "WORST CORES", pod_view_tab_name(v, v->tab));
	canvas_right(p->c, p->y - 1, r.x + r.w - 1, ROLE_DIM, 0, "× median");
	for (int i = 0; i < rows && i < (int)s->n; i++, p->y++) {
		size_t core = s->order[i];
		double value = s->value[core];
		bool much = value > s->median * 1.1;
		char text[48];

		pod_view_core_name(v, core, text, sizeof text);
		canvas_cut(p->c, p->y, r.x + 1, 10, ROLE_TEXT, 0, text, strlen(text));
		bar_draw(p->c, p->y, r.x + 12,
		    r.w < 27       ? 0
			: r.w < 35 ? r.w - 27
				   : 8,
		    s->high > 0 ? value / s->high : 0,
		    much ? ROLE_WARN : kind_role(pod_view_kind(v, v->tab)));
		canvas_right(p->c, p->y, r.x + r.w - 7, ROLE_TEXT, 0,
		    ms_text(v, text, sizeof text, pod_view_ps(v, core, v->tab)));
		canvas_right(p->c, p->y, r.x + r.w - 1, much ? ROLE_BOLD : ROLE_TEXT, much ? ATTR_BOLD : 0,
		    ratio_text(text, sizeof text, value, s->median));
	}
}

static void put_spread(struct pen *p, const struct pod_view *v)
{
	const struct pod_stats *s = &v->stats;
	char gloss[48], a[32], b[32], c[32];

	snprintf(gloss, sizeof gloss, "max / min over %zu cores", s->n);
	pen_head(p, "SPREAD", gloss);
	pen_fields(p,
	    FIELDS({ pod_view_tab_name(v, v->tab), .no = v->tab == TAB_COLLECTIVES,
		       .text = ratio_text(a, sizeof a, s->most[v->tab], s->least[v->tab]) },
		{ pod_view_tab_name(v, TAB_COLLECTIVES),
		    .text = ratio_text(b, sizeof b, s->most[TAB_COLLECTIVES], s->least[TAB_COLLECTIVES]) },
		{ "step", .text = ratio_text(c, sizeof c, s->most_total, s->least_total) }));
}

static void put_hosts(struct pen *p, const struct pod_view *v)
{
	const struct step_cores *cores = &v->pod->cores;
	char gloss[48], text[40];

	snprintf(gloss, sizeof gloss, "mean %s", pod_view_tab_name(v, v->tab));
	pen_head(p, "HOSTS", gloss);
	for (size_t i = 0, end; i < cores->ncores && pen_fits(p); i = end, p->y++) {
		const char *name = v->pod->host[cores->core[i].host];
		double sum = 0;
		size_t n = 0;

		for (end = i; end < cores->ncores && cores->core[end].host == cores->core[i].host; end++)
			if (pod_view_core_step(v, end)->total >= 0) {
				sum += pod_view_ps(v, end, v->tab);
				n++;
			}
		snprintf(text, sizeof text, "%.*f ms", pod_view_digits(v), n ? sum / (double)n / 1e9 : 0);
		card_tail(p->c, p->y, p->r.x + 1, p->r.w - 17, ROLE_TEXT, name, strlen(name));
		canvas_right(p->c, p->y, p->r.x + p->r.w - 1, ROLE_TEXT, 0, n ? text : CELL_UNKNOWN);
	}
}

/* Histogram of the cores by their share, from the smallest to the largest. */
static void put_distribution(struct pen *p, const struct pod_view *v)
{
	const struct pod_stats *s = &v->stats;
	double low = s->low, high = s->high > s->low ? s->high : s->low + .01;
	size_t bin[BINS] = { 0 }, most = 1;
	char text[32];

	for (size_t i = 0; i < s->n; i++) {
		double at = (s->value[s->order[i]] - low) / (high - low) * BINS;

		/* values may be so large that their difference is lost */
		bin[at >= BINS ? BINS - 1 : at > 0 ? (int)at : 0]++;
	}
	for (int i = 0; i < BINS; i++)
		most = bin[i] > most ? bin[i] : most;
	pen_head(p, "DISTRIBUTION", "cores by % of step");
	p->y += BIN_ROWS;
	for (int i = 0; i < BINS; i++)
		bar_column(p->c, p->y - 1, p->r.x + 1 + i, BIN_ROWS, (double)bin[i] / (double)most,
		    low + (high - low) * (i + .5) / BINS > s->median * 1.1
			? ROLE_WARN
			: kind_role(pod_view_kind(v, v->tab)));
	snprintf(text, sizeof text, "%.1f %%", 100 * high);
	canvas_right(p->c, p->y, p->r.x + 1 + BINS, ROLE_DIM, 0, text);
	canvas_fmt(p->c, p->y++, p->r.x + 1, 8, ROLE_DIM, 0, "%.1f", 100 * low);
}

static size_t hosts_shown(const struct pod_view *v)
{
	const struct step_cores *c = &v->pod->cores;
	size_t n = 0;

	for (size_t i = 0; i < c->ncores; i++)
		n += !i || c->core[i].host != c->core[i - 1].host;
	return n;
}

int pod_view_card_draw(struct pod_view *v, struct canvas *c, struct rect r)
{
	size_t hosts = hosts_shown(v);
	struct pen p = { .c = c, .r = { r.y, r.x, r.h, r.w + 1 } };

	if (v->below == POD_OPS)
		return pod_view_beside_card(v, c, r);
	if (v->below != POD_BARS)
		return pod_view_links_card(v, c, r);
	p.y = draw_name(v, c, r, r.y, true);
	put_core(&p, v);
	p.y++;
	put_cost(&p, v);
	p.y++;
	if (v->stats.n <= 1)
		return p.y;
	put_worst(&p, v, WORST);
	p.y++;
	put_spread(&p, v);
	p.y++;
	(hosts > 1 && hosts <= HOSTS_MOST ? put_hosts : put_distribution)(&p, v);
	return p.y;
}

/* Draws a rule, then the core at the left, its cost and the worst cores at the right. */
void pod_view_card_below(struct pod_view *v, struct canvas *c, struct rect r)
{
	struct rect left = { r.y + 1, r.x, r.h - 1, r.w / 2 - 2 };
	struct pen right = { .c = c, .r = { r.y + 1, r.x + r.w / 2, r.h - 1, r.w - r.w / 2 }, .y = r.y + 1 };
	char text[300], name[48];

	card_rule(c, r, r.y,
	    v->below == POD_CHANNELS          ? "channel"
		: v->below == POD_OPS         ? "op"
		: v->below == POD_COLLECTIVES ? "collective"
					      : pod_view_core_name(v, v->core, name, sizeof name),
	    v->below == POD_BARS && pod_view_is_straggler(v, v->core) ? "! straggler" : "");
	if (v->below == POD_OPS) {
		pod_view_beside_card(v, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
	} else if (v->below != POD_BARS) {
		pod_view_links_card(v, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
	} else {
		cost_text(v, text, sizeof text);
		draw_name(v, c, left, left.y, false);
		card_text(c, left, left.y + 2, 0, ROLE_TEXT, text, strlen(text));
		put_worst(&right, v, right.r.h - 1);
	}
}
