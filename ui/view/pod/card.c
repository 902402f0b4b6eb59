#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/app.h"
#include "widget/card.h"

enum { WORST = 5, HOSTS_MOST = 6, BINS = 32, BIN_ROWS = 3, COST_ROWS = 4 };

#define NOTABLE 1.05 /* × the median; a core below it counts as normal */

static const char *dash_sign(const struct canvas *c)
{
	return c->glyphs->ascii ? "-" : "–";
}

static void ms_text(const struct pod_view *v, char *buf, size_t size, double ps, const struct canvas *c)
{
	if (isnan(ps))
		snprintf(buf, size, "%s", dash_sign(c));
	else
		snprintf(buf, size, "%.*f", pod_view_digits(v), ps / 1e9);
}

static void ratio_text(char *buf, size_t size, double a, double b, const struct canvas *c)
{
	if (isnan(a) || !(b > 0))
		snprintf(buf, size, "%s", dash_sign(c));
	else
		snprintf(buf, size, "%.2f", a / b);
}

/* Draws a label, and one or two right-aligned numbers. */
static int draw_value_line(struct canvas *c, struct rect r, int y, const char *label, const char *first,
    const char *second)
{
	if (y >= r.y + r.h)
		return y + 1;
	canvas_str(c, y, r.x + 1, 14, ROLE_DIM, 0, label);
	if (first)
		canvas_right(c, y, r.x + r.w - 13, ROLE_TEXT, 0, first);
	canvas_right(c, y, r.x + r.w, ROLE_TEXT, 0, second);
	return y + 1;
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
	if (mark && v->pod->step[v->step].straggler == v->core)
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

/* The metric, other than compute, that takes most of the step. */
static const char *bottleneck(const struct step_core *s)
{
	int most = TAB_COMPUTE + 1;

	for (int t = most; t < POD_TABS; t++)
		most = pod_view_tab_ps(s, t) > pod_view_tab_ps(s, most) ? t : most;
	return pod_view_tab_name(most);
}

static int draw_times(const struct pod_view *v, struct canvas *c, struct rect r, int y)
{
	const struct step_core *s = pod_view_core_step(v, v->core);
	const char *said;
	char a[32], b[32];

	if (y < r.y + r.h) {
		canvas_right(c, y, r.x + r.w - 13, ROLE_DIM, 0, "this, ms");
		canvas_right(c, y, r.x + r.w, ROLE_DIM, 0, "median");
	}
	y++;
	for (int t = 0; t < POD_TABS; t++) {
		if (!(v->stats.most[t] > 0) && t != v->tab)
			continue;
		ms_text(v, a, sizeof a, s->total < 0 ? NAN : pod_view_tab_ps(s, t), c);
		ms_text(v, b, sizeof b, v->stats.usual[t], c);
		y = draw_value_line(c, r, y, pod_view_tab_name(t), a, b);
		if (t != TAB_COLLECTIVES || isnan(v->stats.usual_sync))
			continue;
		ms_text(v, a, sizeof a, s->sync < 0 ? NAN : (double)s->sync, c);
		ms_text(v, b, sizeof b, v->stats.usual_sync, c);
		y = draw_value_line(c, r, y, c->glyphs->ascii ? "- waiting" : "· waiting", a, b);
	}
	ms_text(v, a, sizeof a, s->total < 0 ? NAN : (double)s->total, c);
	ms_text(v, b, sizeof b, v->stats.usual_total, c);
	y = draw_value_line(c, r, y, "step", a, b);
	said = pod_bottleneck(v->pod, v->core, v->step);
	y = draw_value_line(c, r, y, "bottleneck", NULL,
	    s->total < 0 ? dash_sign(c)
		: said   ? said
			 : bottleneck(s));
	ratio_text(a, sizeof a, v->stats.value[v->core], v->stats.median, c);
	if (isnan(v->stats.value[v->core]))
		snprintf(b, sizeof b, "%s", dash_sign(c));
	else
		snprintf(b, sizeof b, "z %.1f", pod_view_stats_z(&v->stats, v->stats.value[v->core]));
	return draw_value_line(c, r, y, c->glyphs->ascii ? "x median" : "× median", a, b);
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

/* The time that a core takes longer than the others is lost when they wait for it: in collectives, or in
 * longer steps. */
static void cost_text(const struct pod_view *v, char *buf, size_t size, const struct canvas *c)
{
	const struct step_core *s = pod_view_core_step(v, v->core);
	const char *times = c->glyphs->ascii ? "x" : "×";
	const char *straggler = v->pod->step[v->step].straggler == v->core
	    ? " All its own work takes longest: the others wait for it."
	    : "";
	double own, usual, excess, total = (double)s->total, wait, ratio;
	struct mates m;

	if (s->total < 0 || v->stats.n < 2) {
		snprintf(buf, size,
		    s->total < 0 ? "This core does not have the step."
				 : "There is no other core to compare with.");
		return;
	}
	own = pod_view_tab_ps(s, v->tab);
	usual = v->stats.usual[v->tab];
	excess = own - usual;
	ratio = usual > 0 ? own / usual : own > 0 ? INFINITY : 1;
	if ((ratio < NOTABLE && ratio > 1 / NOTABLE) || !(total > 0) || fabs(excess) < total / 1000) {
		snprintf(buf, size, "%s: within %.0f %% of the median.%s", pod_view_tab_name(v->tab),
		    100 * (NOTABLE - 1), straggler);
		return;
	}
	if (ratio < 1) {
		snprintf(buf, size, "%.2f%s the median: %.*f ms less, %.1f %% of the step.%s", ratio, times,
		    pod_view_digits(v), -excess / 1e9, -100 * excess / total,
		    v->tab == TAB_COLLECTIVES ? " It arrives last." : straggler);
		return;
	}
	wait = v->stats.usual[TAB_COLLECTIVES] - pod_view_tab_ps(s, TAB_COLLECTIVES);
	m = mates_of(v);
	if (isinf(ratio))
		snprintf(buf, size, "Most cores have no %s:", pod_view_tab_name(v->tab));
	else
		snprintf(buf, size, "%.2f%s the median:", ratio, times);
	snprintf(buf + strlen(buf), size - strlen(buf), " %.*f ms more, %.1f %% of the step.%s%s",
	    pod_view_digits(v), excess / 1e9, 100 * excess / total,
	    v->tab != TAB_COLLECTIVES && wait > excess / 2 ? " Others wait for it." : "", mates_text(&m));
}

static int draw_cost(const struct pod_view *v, struct canvas *c, struct rect r, int y)
{
	char text[300];

	cost_text(v, text, sizeof text, c);
	card_head(c, y, r, "WHAT IT COSTS", "");
	card_text(c,
	    (struct rect){ r.y, r.x, y + 1 + COST_ROWS < r.y + r.h ? y + 1 + COST_ROWS - r.y : r.h, r.w },
	    y + 1, 0, ROLE_TEXT, text, strlen(text));
	return y + 1 + COST_ROWS;
}

/* --- the pod --- */

static int draw_worst(const struct pod_view *v, struct canvas *c, struct rect r, int y, int rows)
{
	const struct pod_stats *s = &v->stats;

	card_head(c, y, r, "WORST CORES", pod_view_tab_name(v->tab));
	canvas_right(c, y, r.x + r.w, ROLE_DIM, 0, c->glyphs->ascii ? "x median" : "× median");
	for (int i = 0; i < rows && i < (int)s->n; i++) {
		size_t core = s->order[i];
		double value = s->value[core];
		char text[48];

		y++;
		pod_view_core_name(v, core, text, sizeof text);
		canvas_cut(c, y, r.x + 1, 10, ROLE_TEXT, 0, text, strlen(text));
		bar_draw(c, y, r.x + 12,
		    r.w < 26       ? 0
			: r.w < 34 ? r.w - 26
				   : 8,
		    s->high > 0 ? value / s->high : 0,
		    value > s->median * 1.1 ? ROLE_WARN : kind_role(pod_tab[v->tab].kind), false);
		ms_text(v, text, sizeof text, pod_view_tab_ps(pod_view_core_step(v, core), v->tab), c);
		canvas_right(c, y, r.x + r.w - 6, ROLE_TEXT, 0, text);
		ratio_text(text, sizeof text, value, s->median, c);
		canvas_right(c, y, r.x + r.w, value > s->median * 1.1 ? ROLE_BOLD : ROLE_TEXT,
		    value > s->median * 1.1 ? ATTR_BOLD : 0, text);
	}
	return y + 1;
}

static int draw_spread(const struct pod_view *v, struct canvas *c, struct rect r, int y)
{
	const struct pod_stats *s = &v->stats;
	char gloss[48], text[32];

	snprintf(gloss, sizeof gloss, "max / min over %zu cores", s->n);
	card_head(c, y++, r, "SPREAD", gloss);
	if (v->tab != TAB_COLLECTIVES) {
		ratio_text(text, sizeof text, s->most[v->tab], s->least[v->tab], c);
		y = draw_value_line(c, r, y, pod_view_tab_name(v->tab), NULL, text);
	}
	ratio_text(text, sizeof text, s->most[TAB_COLLECTIVES], s->least[TAB_COLLECTIVES], c);
	y = draw_value_line(c, r, y, pod_view_tab_name(TAB_COLLECTIVES), NULL, text);
	ratio_text(text, sizeof text, s->most_total, s->least_total, c);
	return draw_value_line(c, r, y, "step", NULL, text);
}

static int draw_hosts(const struct pod_view *v, struct canvas *c, struct rect r, int y)
{
	const struct step_cores *cores = &v->pod->cores;
	char gloss[48], text[32];

	snprintf(gloss, sizeof gloss, "mean %s", pod_view_tab_name(v->tab));
	card_head(c, y++, r, "HOSTS", gloss);
	for (size_t i = 0, end; i < cores->ncores && y < r.y + r.h; i = end, y++) {
		const char *name = v->pod->host[cores->core[i].host];
		double sum = 0;
		size_t n = 0;

		for (end = i; end < cores->ncores && cores->core[end].host == cores->core[i].host; end++)
			if (pod_view_core_step(v, end)->total >= 0) {
				sum += pod_view_tab_ps(pod_view_core_step(v, end), v->tab);
				n++;
			}
		ms_text(v, text, sizeof text, n ? sum / (double)n : NAN, c);
		strcat(text, " ms");
		card_tail(c, y, r.x + 1, r.w - 16, ROLE_TEXT, name, strlen(name));
		canvas_right(c, y, r.x + r.w, ROLE_TEXT, 0, text);
	}
	return y;
}

/* Histogram of the cores by their share, from the smallest to the largest. */
static int draw_distribution(const struct pod_view *v, struct canvas *c, struct rect r, int y)
{
	const struct pod_stats *s = &v->stats;
	double low = s->low, high = s->high > s->low ? s->high : s->low + .01;
	size_t bin[BINS] = { 0 }, most = 1;
	char text[32];

	for (size_t i = 0; i < s->n; i++) {
		int at = (int)((s->value[s->order[i]] - low) / (high - low) * BINS);

		bin[at < BINS ? at : BINS - 1]++;
	}
	for (int i = 0; i < BINS; i++)
		most = bin[i] > most ? bin[i] : most;
	card_head(c, y++, r, "DISTRIBUTION", "cores by % of step");
	for (int i = 0; i < BINS; i++) {
		int eighths = (int)((double)bin[i] / (double)most * BIN_ROWS * 8 + .5);

		eighths = bin[i] && !eighths ? 1 : eighths;
		for (int k = BIN_ROWS - 1; k >= 0 && eighths > 0; k--, eighths -= 8)
			if (y + k < r.y + r.h)
				canvas_put(c, y + k, r.x + 1 + i,
				    c->glyphs->height[eighths < 8 ? eighths : 8],
				    low + (high - low) * (i + .5) / BINS > s->median * 1.1
					? ROLE_WARN
					: kind_role(pod_tab[v->tab].kind),
				    0);
	}
	y += BIN_ROWS;
	if (y < r.y + r.h) {
		canvas_fmt(c, y, r.x + 1, 8, ROLE_DIM, 0, "%.1f", 100 * low);
		snprintf(text, sizeof text, "%.1f %%", 100 * high);
		canvas_right(c, y, r.x + 1 + BINS, ROLE_DIM, 0, text);
	}
	return y + 1;
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
	int y = r.y;

	if (v->below != POD_BARS)
		return pod_view_links_card(v, c, r);
	y = draw_name(v, c, r, y, true);
	y = draw_times(v, c, r, y) + 1;
	y = draw_cost(v, c, r, y) + 1;
	if (v->stats.n <= 1)
		return y;
	y = draw_worst(v, c, r, y, WORST) + 1;
	y = draw_spread(v, c, r, y) + 1;
	return hosts > 1 && hosts <= HOSTS_MOST ? draw_hosts(v, c, r, y) : draw_distribution(v, c, r, y);
}

/* Draws a rule, then the core at the left, its cost and the worst cores at the right. */
void pod_view_card_below(struct pod_view *v, struct canvas *c, struct rect r)
{
	struct rect left = { r.y + 1, r.x, r.h - 1, r.w / 2 - 2 },
		    right = { r.y + 1, r.x + r.w / 2, r.h - 1, r.w - r.w / 2 - 1 };
	char text[300], name[48];

	card_rule(c, r, r.y,
	    v->below == POD_CHANNELS          ? "channel"
		: v->below == POD_COLLECTIVES ? "collective"
					      : pod_view_core_name(v, v->core, name, sizeof name),
	    v->below == POD_BARS && v->pod->step[v->step].straggler == v->core ? "! straggler" : "");
	if (v->below != POD_BARS) {
		pod_view_links_card(v, c, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
	} else {
		cost_text(v, text, sizeof text, c);
		draw_name(v, c, left, left.y, false);
		card_text(c, left, left.y + 2, 0, ROLE_TEXT, text, strlen(text));
		draw_worst(v, c, right, right.y, right.h - 1);
	}
}
