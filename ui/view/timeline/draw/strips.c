#include "config.h"

#include "view/timeline/draw/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"
#include "view/timeline/viewport/utc.h"

/* --- ruler --- */

static void draw_ruler(const struct picture *p, struct canvas *cv)
{
	int y = p->sc->lay.ruler, x0 = p->sc->lay.plot.x, w = p->sc->lay.plot.w,
	    x = viewport_column(&p->sc->port, p->sc->cursor.at), from = w, to = -1;
	struct tick tick[TICKS_MAX];
	char text[64];
	int n = scene_utc(p->sc) ? utc_ticks(&p->sc->port, utc_anchor(p->sc->cap->dump), tick, TICKS_MAX)
				 : ticks_make(&p->sc->port, scene_ascii(p->sc), tick, TICKS_MAX);

	if (x >= 0 && x < w) {
		int cols;

		scene_time_brief(p->sc, p->sc->cursor.at, text, sizeof text);
		cols = utf8_cols(text, strlen(text));
		from = x + 1 + cols <= w ? x : x - cols;
		to = from + cols;
		canvas_glyph(cv, y, x0 + x, GLYPH_CURSOR_TOP, ROLE_MARK, ATTR_BOLD);
		canvas_str(cv, y, x0 + (from == x ? x + 1 : from), cols, ROLE_MARK, 0, text);
	}
	for (int i = 0; i < n; i++) {
		int cols = utf8_cols(tick[i].text, strlen(tick[i].text)), end = tick[i].x + cols;

		if (tick[i].x >= from && tick[i].x <= to + 1)
			continue;
		canvas_glyph(cv, y, x0 + tick[i].x, GLYPH_TICK, ROLE_RULER, 0);
		if (end < w && (end < from - 1 || tick[i].x > to))
			canvas_str(cv, y, x0 + tick[i].x + 1, cols, ROLE_RULER, 0, tick[i].text);
	}
}

/* --- minimap --- */

static void draw_map_column(const struct picture *p, struct canvas *cv, int x)
{
	const struct minimap *m = &p->map;
	const double *busy = m->busy + (size_t)x * CLASS_COUNT;
	double sum = 0,
	       all = (double)m->port.c * (double)(p->sc->rows.threads_only || !m->done ? 1 : m->done);
	int best = 0, h;

	for (int c = 0; c < CLASS_COUNT; c++) {
		if (p->sc->rows.threads_only && c == CLASS_WAIT)
			continue;
		sum += busy[c];
		if (busy[c] > busy[best])
			best = c;
	}
	if (sum <= 0)
		return;
	if (p->colors.by == COLORS_BY_STEP)
		best = colors_at(m->colors, NULL, viewport_time(&m->port, x) + m->port.c / 2);
	h = sum < all ? (int)(8 * sum / all + 0.5) : 8;
	h = h < 1 ? 1 : h;
	canvas_put(cv, p->sc->lay.minimap, p->sc->lay.plot.x + x, cv->glyphs->graph[h],
	    (enum role)(ROLE_BLOCK_MATMUL + best), 0);
}

static void draw_minimap(struct picture *p, struct canvas *cv)
{
	const struct viewport *m = &p->map.port;
	int y = p->sc->lay.minimap, x0 = p->sc->lay.plot.x, from, to;

	canvas_str(cv, y, p->sc->lay.area.x + 3, p->sc->lay.gutter - 4, ROLE_TEXT, 0,
	    p->sc->lay.narrow && p->sc->lay.gutter < 20 ? "whole" : "whole run");
	minimap_step(&p->map, 1000, false);
	for (int x = 0; x < m->w; x++)
		draw_map_column(p, cv, x);
	if (p->sc->port.c >= m->c)
		return;
	from = viewport_column(m, viewport_begin(&p->sc->port));
	to = viewport_column(m, viewport_end(&p->sc->port) - 1);
	if (to <= from + 1 && from > 0)
		from--;
	if (to <= from + 1)
		to = from + 2;
	canvas_put(cv, y, x0 + (from < 0 ? 0 : from), '[', ROLE_MARK, ATTR_BOLD);
	if (to < m->w + 2)
		canvas_put(cv, y, x0 + (to >= m->w ? m->w - 1 : to), ']', ROLE_MARK, ATTR_BOLD);
}

/* --- hits over the whole run --- */

static void draw_hit_strip(struct picture *p, struct canvas *cv)
{
	struct search *s = p->search;
	int y = p->sc->lay.hits, line = p->sc->lay.names.x + p->sc->lay.gutter - 1;
	uint32_t most = 1;
	char n[32];

	canvas_str(cv, y, p->sc->lay.area.x + 3, p->sc->lay.gutter - 9, ROLE_TEXT, ATTR_BOLD,
	    p->sc->lay.narrow ? "hits" : "hits, whole run");
	canvas_right(cv, y, line, ROLE_TEXT, ATTR_BOLD, units_count(n, sizeof n, s->find->hits));
	if (!s->strip || s->strip_w != p->map.port.w) {
		s->strip_w = p->map.port.w;
		s->strip = xrealloc(s->strip, (size_t)s->strip_w, sizeof *s->strip);
		memset(s->strip, 0, (size_t)s->strip_w * sizeof *s->strip);
		find_columns(s->find, p->sc->cap->dump, viewport_begin(&p->map.port), p->map.port.c,
		    s->strip_w, s->strip);
	}
	for (int x = 0; x < s->strip_w; x++)
		most = s->strip[x] > most ? s->strip[x] : most;
	for (int x = 0; x < s->strip_w; x++) {
		uint64_t h = ((uint64_t)s->strip[x] * 7 + most - 1) / most;

		if (h)
			canvas_put(cv, y, p->sc->lay.plot.x + x, cv->glyphs->height[h > 7 ? 7 : h], ROLE_TEXT,
			    0);
	}
}

void picture_draw_strips(struct picture *p, struct canvas *cv)
{
	if (p->sc->lay.minimap >= 0)
		draw_minimap(p, cv);
	else
		minimap_step(&p->map, 0, false);
	if (p->sc->lay.hits >= 0 && p->search->find)
		draw_hit_strip(p, cv);
	if (p->sc->lay.ruler >= 0)
		draw_ruler(p, cv);
}
