#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"

enum { CORES_MOST = 64, LABEL_MOST = 14, NUMBER = 8 };

static void add_core(const struct pod_view *v, struct pod_line *l, size_t core)
{
	const struct step_core *c = pod_view_core_step(v, core);
	double value = v->stats.value[core], ps[POD_TABS];

	if (isnan(value))
		return;
	if (isnan(l->high) || value > l->high)
		l->core = (uint32_t)core;
	l->low = fmin(l->low, value);
	l->high = fmax(l->high, value);
	l->value = isnan(l->value) ? value : l->value + value;
	l->step += (double)c->total;
	pod_view_tabs_ps(c, ps);
	l->ms += pod_view_ps(v, core, v->tab) / 1e9;
	for (int t = 0; t < POD_TABS; t++)
		l->part[t] += ps[t];
}

static void host_mean(struct pod_line *l, size_t n)
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

void pod_view_bars_make(struct pod_view *v)
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
		host_mean(l, n);
	}
	if (!v->by_place)
		qsort(v->line, v->nlines, sizeof *v->line, worst_first);
	v->bars.n = v->nlines;
}

static char *line_label(const struct pod_view *v, const struct pod_line *l, char *buf, size_t size)
{
	if (!v->by_host)
		return pod_view_core_name(v, l->core, buf, size);
	snprintf(buf, size, "%s", l->host < v->nhosts ? v->host[l->host] : "");
	return buf;
}

static int label_cols(const struct pod_view *v)
{
	int most = 5;

	for (size_t i = 0; i < v->nlines; i++) {
		char text[48];
		const char *name = line_label(v, &v->line[i], text, sizeof text);
		int n = utf8_cols(name, strlen(name));

		most = n > most ? n : most;
	}
	return most < LABEL_MOST ? most : LABEL_MOST;
}

static void parts_of(const struct pod_view *v, const struct pod_line *l, struct bar_part part[POD_TABS])
{
	for (int i = 0; i < POD_TABS; i++)
		part[i] = kind_part(pod_view_kind(v, i), false,
		    v->stats.most_total > 0 ? l->part[i] / v->stats.most_total : 0);
}

/* A bit for each tab that any bar of `w` columns shows, visible or not. */
static unsigned parts_seen(const struct pod_view *v, struct canvas *c, int w)
{
	struct rect old = canvas_clip(c, (struct rect){ 0 });
	struct bar_part part[POD_TABS];
	unsigned seen = 0;

	for (size_t i = 0; i < v->nlines; i++) {
		parts_of(v, &v->line[i], part);
		seen |= bar_stack(c, 0, 0, w, part, POD_TABS);
	}
	canvas_clip(c, old);
	return seen;
}

static int legend_cols(const struct pod_view *v, unsigned seen)
{
	int cols = -2;

	for (int i = 0; i < POD_TABS; i++)
		cols += seen & 1u << i ? 4 + (int)strlen(pod_view_tab_name(v, i)) : 0;
	return cols;
}

/* Draws from x on, and on further rows from `left` on; returns the row below. */
static int draw_legend(const struct pod_view *v, struct canvas *c, int y, int x, int left, int end,
    int bottom, unsigned seen)
{
	for (int i = 0; i < POD_TABS; i++) {
		struct bar_part p = kind_part(pod_view_kind(v, i), false, 0);
		int w = 2 + (int)strlen(p.label);

		if (!(seen & 1u << i))
			continue;
		if (x + w > end) {
			y++;
			x = left;
		}
		if (y >= bottom)
			return y;
		canvas_put(c, y, x, p.sign, p.role, 0);
		canvas_str(c, y, x + 2, w - 2, ROLE_TEXT, 0, p.label);
		x += w + 2;
	}
	return y + 1;
}

/* To name every part of the bars when there is little room, the gloss is dropped, or the legend gets rows of
 * its own or, if there is only one row, replaces the heading.  Returns the row below. */
static int draw_head(const struct pod_view *v, struct canvas *c, struct rect r, unsigned seen)
{
	static const char head[] = "STEP BREAKDOWN";
	int x = r.x + 1, cols = legend_cols(v, seen), used,
	    end = canvas_right(c, r.y, r.x + r.w, ROLE_DIM, 0, v->by_host ? "% of step" : "ms") - 1;
	bool spare = (size_t)r.h > v->nlines + 1;
	char gloss[80];

	if (v->by_place)
		snprintf(gloss, sizeof gloss, "%sby position", v->by_host ? "means of hosts " : "");
	else
		snprintf(gloss, sizeof gloss, "%sworst %s first", v->by_host ? "means of hosts, " : "",
		    pod_view_tab_name(v, v->tab));
	used = utf8_cols(gloss, strlen(gloss));
	if (r.h < 3 && x + (int)sizeof head + 2 + cols > end)
		return draw_legend(v, c, r.y, x, x, end, r.y + 1, seen);
	x += canvas_str(c, r.y, x, end - x, v->below_focus ? ROLE_TAB_HERE : ROLE_HEAD, ATTR_BOLD, head) + 2;
	if (x + used + 3 + cols > end && !spare && x + 1 + cols <= end)
		return draw_legend(v, c, r.y, x + 1, x, end, r.y + 1, seen);
	canvas_str(c, r.y, x, end - x, ROLE_DIM, 0, gloss);
	if (x + used + 3 + cols <= end)
		return draw_legend(v, c, r.y, x + used + 3, x, end, r.y + 1, seen);
	return draw_legend(v, c, r.y + 1, r.x + 1, r.x + 1, r.x + r.w, r.y + r.h - 1, seen);
}

static void draw_line(const struct pod_view *v, struct canvas *c, int y, struct rect r,
    const struct pod_line *l, int left, int w)
{
	struct bar_part part[POD_TABS];
	bool here = v->by_host ? (int)l->host == v->pod->cores.core[v->core].host : l->core == v->core;
	char text[64], name[48];

	line_label(v, l, name, sizeof name);
	canvas_cut(c, y, r.x + 1, left, ROLE_TEXT, 0, name, strlen(name));
	if (here) /* a mark, because a bold row takes ten times the bytes */
		canvas_glyph(c, y, r.x, GLYPH_CUT_RIGHT, ROLE_TEXT, 0);
	parts_of(v, l, part);
	bar_stack(c, y, r.x + left + 2, w, part, POD_TABS);
	if (isnan(l->value))
		snprintf(text, sizeof text, "%s", CELL_UNKNOWN);
	else if (v->by_host)
		snprintf(text, sizeof text, "%.1f %%  %3.0f–%-3.0f", 100 * l->value, 100 * l->low,
		    100 * l->high);
	else
		snprintf(text, sizeof text, "%.*f", pod_view_digits(v), l->ms);
	canvas_right(c, y, r.x + r.w, ROLE_TEXT, 0, text);
}

void pod_view_bars_draw(struct pod_view *v, struct canvas *c, struct rect r)
{
	int left = label_cols(v), w = r.w - left - 2 - (v->by_host ? NUMBER + 10 : NUMBER), rows;

	if (r.h < 2)
		return;
	v->bars.y = draw_head(v, c, r, parts_seen(v, c, w));
	rows = r.y + r.h - v->bars.y;
	if (v->below_focus)
		list_fit(&v->bars, rows);
	else /* keep the worst visible wherever the cursor is in the map */
		v->bars.top = 0;
	v->bars.rows = rows;
	for (int i = 0; i < rows && v->bars.top + (size_t)i < v->nlines; i++)
		draw_line(v, c, v->bars.y + i, r, &v->line[v->bars.top + (size_t)i], left, w);
}
