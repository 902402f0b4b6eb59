#include "config.h"

#include "view/timeline/tl.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/device/digest.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "model/lod.h"

enum {
	MINIMAP_AT_ONCE = 16 /* tracks summed up before the clock is looked at */
};

/* --- ruler --- */

static void draw_ruler(const struct tl *t, struct canvas *cv)
{
	int y = t->scene.lay.ruler, x0 = t->scene.lay.plot.x, w = t->scene.lay.plot.w,
	    x = viewport_column(&t->scene.port, t->scene.cursor.at), from = w, to = -1;
	struct tick tick[TICKS_MAX];
	char text[64];
	int n = scene_utc(&t->scene) ? utc_ticks(&t->scene.port, utc_anchor(t->scene.dump), tick, TICKS_MAX)
				     : ticks_make(&t->scene.port, scene_ascii(&t->scene), tick, TICKS_MAX);

	if (x >= 0 && x < w) {
		int cols;

		scene_time_brief(&t->scene, t->scene.cursor.at, text, sizeof text);
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

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* At which changes of the scene it would be made now. */
static unsigned changes_now(const struct tl *t)
{
	return t->scene.changes.times + t->scene.changes.colors;
}

static void minimap_begin(struct tl *t)
{
	struct tl_minimap *m = &t->map;

	viewport_init(&m->grid, t->scene.port.first, t->scene.port.last, t->scene.port.w);
	free(m->busy);
	m->busy = xcalloc((size_t)m->grid.w * CLASS_COUNT, sizeof *m->busy);
	m->done = 0;
	m->made = changes_now(t);
}

/* A core of a digest was busy with more than the ops that are there. */
static void minimap_coarse(struct tl *t, int counter, int x, const int64_t own[CLASS_COUNT])
{
	struct tl_minimap *m = &t->map;
	double ps = digest_busy(&t->scene.dump->trace.counters[counter], viewport_time(&m->grid, x),
	    viewport_time(&m->grid, x + 1));

	for (int c = 0; c < CLASS_COUNT; c++)
		ps -= (double)own[c];
	if (ps > 0)
		m->busy[(size_t)x * CLASS_COUNT + CLASS_OTHER] += ps;
}

static void minimap_add(struct tl *t, uint32_t track, int coarse)
{
	struct tl_minimap *m = &t->map;
	struct track *k = scene_track(&t->scene, track);
	struct lod_cell cell[64];
	const struct track *drawn;
	const uint8_t *classes;
	struct track copy;

	if (!k->n || k->rows < 1 || (!k->lod && lod_build(k, t->scene.dump->trace.meta_class)))
		return;
	drawn = colors_track(&t->colors, track, &copy, &classes);
	m->grid.shift = scene_shift_of(&t->scene, k->plane);
	for (int x = 0; x < m->grid.w; x += 64) {
		int n = m->grid.w - x < 64 ? m->grid.w - x : 64;

		lod_columns(drawn, classes, viewport_time(&m->grid, x), m->grid.c, n, k->rows, 1, cell);
		for (int i = 0; i < n; i++) {
			for (int c = 0; c < CLASS_COUNT; c++)
				m->busy[(size_t)(x + i) * CLASS_COUNT + (size_t)c] += (double)cell[i].busy[c];
			if (coarse >= 0)
				minimap_coarse(t, coarse, x + i, cell[i].busy);
		}
	}
	m->grid.shift = 0;
}

bool tl_minimap_step(struct tl *t, int64_t budget_us)
{
	struct tl_minimap *m = &t->map;
	int64_t until = now_us() + budget_us;

	if (!m->busy || m->made != changes_now(t) || m->grid.w != t->scene.port.w ||
	    m->grid.first != t->scene.port.first || m->grid.last != t->scene.port.last)
		minimap_begin(t);
	while (m->done < t->scene.rows.ndevice) {
		minimap_add(t, t->scene.rows.device[m->done],
		    t->scene.rows.threads_only ? -1 : t->scene.rows.coarse[m->done]);
		m->done++;
		if (m->done % MINIMAP_AT_ONCE == 0 && now_us() > until)
			break;
	}
	return m->done < t->scene.rows.ndevice;
}

bool tl_minimap_done(const struct tl *t)
{
	return t->map.made == changes_now(t) && t->map.done >= t->scene.rows.ndevice;
}

static void draw_map_column(const struct tl *t, struct canvas *cv, int x)
{
	const struct tl_minimap *m = &t->map;
	const double *busy = m->busy + (size_t)x * CLASS_COUNT;
	double sum = 0,
	       all = (double)m->grid.c * (double)(t->scene.rows.threads_only || !m->done ? 1 : m->done);
	int best = 0, h;

	for (int c = 0; c < CLASS_COUNT; c++) {
		if (t->scene.rows.threads_only && c == CLASS_WAIT)
			continue;
		sum += busy[c];
		if (busy[c] > busy[best])
			best = c;
	}
	if (sum <= 0)
		return;
	if (t->colors.by == COLORS_BY_STEP)
		best = colors_at(&t->colors, NULL, viewport_time(&m->grid, x) + m->grid.c / 2);
	h = (int)(8 * sum / all + 0.5);
	h = h < 1 ? 1 : h > 8 ? 8 : h;
	canvas_put(cv, t->scene.lay.minimap, t->scene.lay.plot.x + x, cv->glyphs->graph[h],
	    (enum role)(ROLE_BLOCK_MATMUL + best), 0);
}

static void draw_minimap(struct tl *t, struct canvas *cv)
{
	const struct viewport *m = &t->map.grid;
	int y = t->scene.lay.minimap, x0 = t->scene.lay.plot.x, from, to;

	canvas_str(cv, y, t->scene.lay.area.x + 3, t->scene.lay.gutter - 4, ROLE_TEXT, 0,
	    t->scene.lay.narrow && t->scene.lay.gutter < 20 ? "whole" : "whole run");
	tl_minimap_step(t, 1000);
	for (int x = 0; x < m->w; x++)
		draw_map_column(t, cv, x);
	if (t->scene.port.c >= m->c)
		return;
	from = viewport_column(m, viewport_begin(&t->scene.port));
	to = viewport_column(m, viewport_end(&t->scene.port) - 1);
	if (to <= from + 1 && from > 0)
		from--;
	if (to <= from + 1)
		to = from + 2;
	canvas_put(cv, y, x0 + (from < 0 ? 0 : from), '[', ROLE_MARK, ATTR_BOLD);
	if (to < m->w + 2)
		canvas_put(cv, y, x0 + (to >= m->w ? m->w - 1 : to), ']', ROLE_MARK, ATTR_BOLD);
}

/* --- hits over the whole run --- */

static void draw_hit_strip(struct tl *t, struct canvas *cv)
{
	struct search *s = &t->search;
	int y = t->scene.lay.hits, line = t->scene.lay.names.x + t->scene.lay.gutter - 1;
	uint32_t most = 1;
	char n[32];

	canvas_str(cv, y, t->scene.lay.area.x + 3, t->scene.lay.gutter - 9, ROLE_TEXT, ATTR_BOLD,
	    t->scene.lay.narrow ? "hits" : "hits, whole run");
	canvas_right(cv, y, line, ROLE_TEXT, ATTR_BOLD, units_count(n, sizeof n, s->find->hits));
	if (!s->strip || s->strip_w != t->map.grid.w) {
		s->strip_w = t->map.grid.w;
		s->strip = xrealloc(s->strip, (size_t)s->strip_w, sizeof *s->strip);
		memset(s->strip, 0, (size_t)s->strip_w * sizeof *s->strip);
		find_columns(s->find, t->scene.dump, viewport_begin(&t->map.grid), t->map.grid.c, s->strip_w,
		    s->strip);
	}
	for (int x = 0; x < s->strip_w; x++)
		most = s->strip[x] > most ? s->strip[x] : most;
	for (int x = 0; x < s->strip_w; x++) {
		uint64_t h = ((uint64_t)s->strip[x] * 7 + most - 1) / most;

		if (h)
			canvas_put(cv, y, t->scene.lay.plot.x + x, cv->glyphs->height[h > 7 ? 7 : h],
			    ROLE_TEXT, 0);
	}
}

void tl_draw_strips(struct tl *t, struct canvas *cv)
{
	if (t->scene.lay.minimap >= 0)
		draw_minimap(t, cv);
	else
		tl_minimap_step(t, 0);
	if (t->scene.lay.hits >= 0 && t->search.find)
		draw_hit_strip(t, cv);
	if (t->scene.lay.ruler >= 0)
		draw_ruler(t, cv);
}
