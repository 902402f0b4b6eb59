#include "config.h"
#include "view/pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { CORES_MOST = 64, LABEL_MOST = 14, NUMBER = 8 };

/* From below: what computes, what talks, what waits. */
static const int stack[POD_TABS] = { 0, 7, 3, 4, 1, 2, 5, 8, 6 };

static void add_core(const struct pod_view *v, struct pod_line *l, size_t core)
{
	const struct step_core *c = pod_core_step(v, core);
	double value = v->stats.value[core];

	if (isnan(value))
		return;
	if (isnan(l->high) || value > l->high)
		l->core = (uint32_t)core;
	l->low = fmin(l->low, value);
	l->high = fmax(l->high, value);
	l->value = isnan(l->value) ? value : l->value + value;
	l->step += (double)c->total;
	l->ms += pod_tab_ps(c, v->tab) / 1e9;
	for (int t = 0; t < POD_TABS; t++)
		l->part[t] += pod_tab_ps(c, t);
}

static void mean(struct pod_line *l, size_t n)
{
	double by = n ? (double)n : 1;

	l->value /= by;
	l->ms /= by;
	l->step /= by;
	for (int t = 0; t < POD_TABS; t++)
		l->part[t] /= by;
}

static int worst_first(const void *a, const void *b)
{
	const struct pod_line *x = a, *y = b;
	bool none = isnan(x->value), other = isnan(y->value);

	if (none != other)
		return none ? 1 : -1;
	if (none)
		return (x->core > y->core) - (x->core < y->core);
	return x->value != y->value ? (x->value < y->value ? 1 : -1)
				    : (x->core > y->core) - (x->core < y->core);
}

void pod_bars_make(struct pod_view *v)
{
	const struct step_cores *c = &v->pod->cores;
	size_t end;

	v->by_host = c->ncores > CORES_MOST && v->pod->nhosts > 1;
	v->line = xrealloc(v->line, c->ncores + 1, sizeof *v->line);
	v->nlines = 0;
	for (size_t i = 0; i < c->ncores; i = end) {
		struct pod_line *l = &v->line[v->nlines++];
		size_t n = 0;

		*l = (struct pod_line){ (uint32_t)c->core[i].host, (uint32_t)i, NAN, NAN, NAN, 0, 0, { 0 } };
		for (end = i;
		     end < c->ncores && (end == i || (v->by_host && c->core[end].host == c->core[i].host));
		     end++) {
			add_core(v, l, end);
			n += !isnan(v->stats.value[end]);
		}
		mean(l, n);
	}
	if (!v->by_place)
		qsort(v->line, v->nlines, sizeof *v->line, worst_first);
	v->bars.n = v->nlines;
}

static char *label(const struct pod_view *v, const struct pod_line *l, char *buf, size_t size)
{
	if (!v->by_host)
		return pod_core_name(v, l->core, buf, size);
	snprintf(buf, size, "%s", l->host < v->nhosts ? v->host[l->host] : "");
	return buf;
}

static int label_cols(const struct pod_view *v)
{
	int most = 5;

	for (size_t i = 0; i < v->nlines; i++) {
		char text[48];
		int n = utf8_cols(label(v, &v->line[i], text, sizeof text), strlen(text));

		most = n > most ? n : most;
	}
	return most < LABEL_MOST ? most : LABEL_MOST;
}

static void draw_head(const struct pod_view *v, struct canvas *c, struct rect r)
{
	int x = r.x + 1, end = r.x + r.w;
	char gloss[80];

	if (v->by_place)
		snprintf(gloss, sizeof gloss, "%sby position", v->by_host ? "means of hosts " : "");
	else
		snprintf(gloss, sizeof gloss, "%sworst %s first", v->by_host ? "means of hosts, " : "",
		    pod_tab[v->tab].title);
	x += canvas_str(c, r.y, x, end - x, v->below_focus ? ROLE_TAB_HERE : ROLE_HEAD, ATTR_BOLD,
		 "STEP BREAKDOWN") +
	     2;
	x += canvas_str(c, r.y, x, end - x, ROLE_DIM, 0, gloss) + 3;
	end = canvas_right(c, r.y, end, ROLE_DIM, 0, v->by_host ? "% of step" : "ms") - 1;
	for (int i = 0; i < POD_TABS; i++) {
		const struct pod_tab *t = &pod_tab[stack[i]];
		int w = (int)strlen(t->title) + 2;

		if (!(v->stats.sum[stack[i]] > v->stats.sum_total / 1000))
			continue;
		if (x + w > end)
			break;
		canvas_put(c, r.y, x, t->sign, t->role, 0);
		x += 2 + canvas_str(c, r.y, x + 2, w - 2, ROLE_TEXT, 0, t->title) + 2;
	}
}

static void draw_line(
    const struct pod_view *v, struct canvas *c, int y, struct rect r, const struct pod_line *l, int left)
{
	struct bar_part part[POD_TABS];
	bool here = v->by_host ? (int)l->host == v->pod->cores.core[v->core].host : l->core == v->core;
	int right = v->by_host ? NUMBER + 10 : NUMBER;
	char text[64], name[48];

	label(v, l, name, sizeof name);
	canvas_cut(c, y, r.x + 1, left, ROLE_TEXT, 0, name, strlen(name));
	if (here) /* a sign, as a row in bold costs ten times the bytes */
		canvas_glyph(c, y, r.x, GLYPH_CUT_RIGHT, ROLE_TEXT, 0);
	for (int i = 0; i < POD_TABS; i++)
		part[i] = (struct bar_part){ "",
			v->stats.most_total > 0 ? l->part[stack[i]] / v->stats.most_total : 0,
			pod_tab[stack[i]].role, pod_tab[stack[i]].sign };
	bar_stack(c, y, r.x + left + 2, r.w - left - 2 - right, part, POD_TABS);
	if (isnan(l->value))
		snprintf(text, sizeof text, "%s", c->glyphs->ascii ? "-" : "–");
	else if (v->by_host)
		snprintf(text, sizeof text, "%.1f %%  %3.0f%s%-3.0f", 100 * l->value, 100 * l->low,
		    c->glyphs->ascii ? "-" : "–", 100 * l->high);
	else
		snprintf(text, sizeof text, "%.*f", pod_digits(v), l->ms);
	canvas_right(c, y, r.x + r.w, ROLE_TEXT, 0, text);
}

void pod_bars_draw(struct pod_view *v, struct canvas *c, struct rect r)
{
	int left = label_cols(v);

	if (r.h < 2)
		return;
	draw_head(v, c, r);
	v->bars.y = r.y + 1;
	if (v->below_focus)
		list_fit(&v->bars, r.h - 1);
	else /* the worst stay in sight, wherever in the map the cursor is */
		v->bars.top = 0;
	v->bars.rows = r.h - 1;
	for (int i = 0; i < r.h - 1 && v->bars.top + (size_t)i < v->nlines; i++)
		draw_line(v, c, r.y + 1 + i, r, &v->line[v->bars.top + (size_t)i], left);
}
