/* What is known of one device. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "job/chips.h"
#include "widget/card.h"
#include "widget/text.h"

enum { LABEL = 15, LEFT = 46 /* of two parts side by side */, CHART_MOST = 12 };

static void number_text(char *buf, size_t size, double v, int digits, const char *unit)
{
	if (isnan(v))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%.*f%s%s", digits, v, *unit ? " " : "", unit);
}

/* "0.755 ms"; the metrics count microseconds */
static char *ms_of(char *buf, size_t size, double us)
{
	text_ms(buf, size, us / 1e3);
	return buf;
}

static int draw_number(struct canvas *c, struct rect r, int y, const char *label, double v, int digits,
    const char *unit)
{
	char text[60];

	number_text(text, sizeof text, v, digits, unit);
	return card_pair(c, r, y, LABEL, label, text);
}

static int draw_facts(const struct watching *w, struct canvas *c, struct rect r, const struct chip *v)
{
	char text[120], used[40], total[40], a[40], b[40];
	int y = r.y;

	number_text(used, sizeof used, v->used / GIB, 2, "");
	number_text(total, sizeof total, v->total / GIB, 2, "GiB");
	snprintf(text, sizeof text, "device %d", v->device);
	card_head(c, y++, r, text, w->local.type);
	if (w->servers.n > 1 && v->from)
		y = card_pair(c, r, y, LABEL, "server", v->from);
	if (chips_owner(w, v->device, text, sizeof text))
		y = card_pair(c, r, y, LABEL, "process", text);
	snprintf(text, sizeof text, "%s of %s", used, total);
	y = card_pair(c, r, y, LABEL, "HBM in use", text);
	y = draw_number(c, r, y, "duty cycle", v->duty, 1, "%");
	y = draw_number(c, r, y, "HBM bandwidth", v->bandwidth, 1, "%");
	y = draw_number(c, r, y, "idle for", v->idle_s, 1, "s");
	y = draw_number(c, r, y, "queue", v->queue, 0, "");
	snprintf(text, sizeof text, "%s  90%% %s", ms_of(a, sizeof a, v->p50_us),
	    ms_of(b, sizeof b, v->p90_us));
	y = card_pair(c, r, y, LABEL, "executions 50%", text);
	snprintf(text, sizeof text, "%s  99.9%% %s", ms_of(a, sizeof a, v->p95_us),
	    ms_of(b, sizeof b, v->p999_us));
	return card_pair(c, r, y, LABEL, "           95%", text);
}

static int draw_graph(struct canvas *c, struct rect r, int y, int rows, const char *title, const char *about,
    const struct past *p, size_t n, double top)
{
	card_head(c, y, r, title, about);
	if (top > 0)
		past_chart(p, n, c, (struct rect){ y + 1, r.x, rows, r.w - 1 }, top);
	return y + 1 + rows;
}

static int draw_graphs(const struct watching *w, struct canvas *c, struct rect r, const struct chip *v,
    int rows)
{
	const struct chip_past *p = chips_past(w, v);
	struct past_span s = past_span(w->moments, r.w - 8);
	char about[60];
	int y = r.y;

	rows = rows < CHART_MOST ? rows : CHART_MOST;
	if (!p || rows < 2)
		return y;
	snprintf(about, sizeof about, "%% in the last %.0f s",
	    (double)(w->moments - s.first) * w->interval_ms / 1e3);
	y = draw_graph(c, r, y, rows, "duty cycle", about, &p->duty, w->moments, 100);
	return draw_graph(c, r, y, rows, "HBM in use", "GiB", &p->used, w->moments, v->total / GIB);
}

/* The name without what all of them have. */
static void short_name(char *buf, size_t size, const struct reading *r)
{
	struct slice name = slice_of(r->metric);
	char text[160];

	slice_cut(&name, "tpu.runtime.");
	if (slice_find(name, ".microsecond"))
		name.n = (size_t)(slice_find(name, ".microsecond") - name.s);
	snprintf(text, sizeof text, "%.*s%s%s", (int)(name.n < 120 ? name.n : 120), name.s,
	    *r->label ? " " : "", r->label);
	snprintf(buf, size, "%s", text);
}

static void reading_text(char *buf, size_t size, const struct reading *r)
{
	bool us = strstr(r->metric, ".microsecond");
	char a[40], b[40];

	if (r->distribution && us)
		snprintf(buf, size, "50%% %s  99.9%% %s", ms_of(a, sizeof a, r->p50),
		    ms_of(b, sizeof b, r->p999));
	else if (r->distribution)
		snprintf(buf, size, "mean %.4g", r->value);
	else if (isnan(r->value))
		snprintf(buf, size, "–");
	else
		snprintf(buf, size, "%.6g", r->value);
}

/* Draws the other metrics that the servers list, of the device or of no single one. */
static int draw_others(const struct watching *w, struct canvas *c, struct rect r, int y,
    const struct chip *of)
{
	bool any = false;

	for (size_t i = 0; i < w->readings.n; i++) {
		const struct reading *v = &w->readings.v[i];
		char name[160], text[120];

		if (chips_know(v->metric) || v->server != of->server ||
		    (v->device >= 0 && v->device != of->device))
			continue;
		if (!any)
			card_head(c, y++, r, "other metrics", "");
		any = true;
		short_name(name, sizeof name, v);
		reading_text(text, sizeof text, v);
		if (y < r.y + r.h) {
			int end = canvas_right(c, y, r.x + r.w - 1, ROLE_TEXT, 0, text);

			canvas_cut(c, y, r.x + 1, end - r.x - 2, ROLE_DIM, 0, name, strlen(name));
		}
		y++;
	}
	return y;
}

int chips_card(const struct watching *w, struct canvas *c, struct rect r, bool wide)
{
	size_t row = sheet_row(&w->sheet);
	const struct chip *v = row < w->chips.n ? &w->chips.v[row] : NULL;
	struct rect left = { r.y, r.x, r.h, wide ? LEFT : r.w };
	struct rect right = { r.y, r.x + LEFT, r.h, r.w - LEFT };
	int y, graphs;

	if (!v)
		return r.y;
	y = draw_facts(w, c, left, v);
	if (!wide)
		right = (struct rect){ y + 1, r.x, r.y + r.h - y - 1, r.w };
	graphs = draw_graphs(w, c, right, v, right.h / 2 - 1);
	y = y > graphs ? y : graphs;
	return draw_others(w, c, r, y + 1, v);
}
