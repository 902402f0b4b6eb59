#include "config.h"

#include "view/timeline/scene/internal.h"

#include <string.h>

#include "base/text/utf8.h"

enum pane scene_pane(const struct scene *sc)
{
	int pane = PANES - 1;

	while (pane > PANE_VIEW && !(pane == PANE_EVENT ? sc->cursor.selected : sc->open[pane]))
		pane--;
	return (enum pane)pane;
}

void scene_pane_title(const struct scene *sc, struct canvas *cv, struct rect r, const char *left, size_t len,
    const char *right)
{
	int x, end = r.x + r.w, tee = sc->lay.names.x + sc->lay.gutter - 1,
	       right_w = utf8_cols(right, strlen(right)), room = r.w - 6;

	for (x = r.x; x < end; x++)
		canvas_glyph(cv, r.y, x, GLYPH_HLINE, ROLE_LINE, 0);
	if (*right && right_w + 8 < r.w) {
		canvas_right(cv, r.y, end - 2, ROLE_TEXT, 0, right);
		canvas_put(cv, r.y, end - 2, ' ', ROLE_TEXT, 0);
		canvas_put(cv, r.y, end - 3 - right_w, ' ', ROLE_TEXT, 0);
		room -= right_w + 3;
	}
	x = r.x + 2;
	canvas_put(cv, r.y, r.x + 1, ' ', ROLE_TEXT, 0);
	x += canvas_cut(cv, r.y, x, room, ROLE_TEXT, ATTR_BOLD, left, len);
	canvas_put(cv, r.y, x, ' ', ROLE_TEXT, 0);
	if (tee > x && tee < end - right_w - 4 && sc->lay.plot.h > 0)
		canvas_glyph(cv, r.y, tee, GLYPH_TEE_UP, ROLE_LINE, 0);
}
