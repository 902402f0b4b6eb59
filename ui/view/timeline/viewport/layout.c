#include "config.h"

#include "view/timeline/viewport/layout.h"

enum {
	WIDE = 100,
	SMALL = 60,      /* columns from which the gutter is wide; below, it has no numbers */
	FRAME_ROWS = 4,  /* title, tabs, status, key bar: the app's */
	STRIP_ROWS = 24, /* rows of the screen below which there is no hit strip */
	PANE_ROWS = 16,  /* rows of the screen below which there is no pane */
	PANE_LEAST = 5
};

/* Rows of a pane where there is room; on a screen of 24 rows it gets 7, plus `more`. */
static const struct {
	int rows, more;
	bool list;
} pane_rows[] = {
	[PANE_VIEW] = { 14, 0, true },
	[PANE_EVENT] = { 14, 1, false },
	[PANE_HITS] = { 15, 0, true },
	[PANE_STEPS] = { 13, 1, true },
	[PANE_CHAIN] = { 13, 1, false },
	[PANE_STATS] = { 18, 1, true },
	[PANE_ALIGN] = { 14, 0, false },
};

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int gutter_of(int w)
{
	int g = w >= WIDE ? 32 : w >= SMALL ? 22 : 14;

	return g <= w / 2 ? g : w / 2;
}

static int pane_of(int screen, int rows, enum pane pane)
{
	int h = (rows + 1) / 2 - 2 + pane_rows[pane].more;

	if (screen < PANE_ROWS)
		return 0;
	return min_int(h < PANE_LEAST ? PANE_LEAST : h, pane_rows[pane].rows);
}

void layout_make(struct layout *l, struct rect area, enum pane pane, int most, size_t rows, bool searching)
{
	int y = area.y, left = area.h > 0 && area.w > 1 ? area.h : 0, screen = area.h + FRAME_ROWS, h, plot;

	*l = (struct layout){ .area = area,
		.gutter = gutter_of(area.w),
		.minimap = -1,
		.hits = -1,
		.ruler = -1 };
	l->numbers = area.w >= SMALL;
	l->narrow = area.w < WIDE;
	if (left >= 3) {
		l->minimap = y++;
		left--;
	}
	if (searching && screen >= STRIP_ROWS && left >= 3) {
		l->hits = y++;
		left--;
	}
	if (left >= 2) {
		l->ruler = y++;
		left--;
	}
	h = pane_of(screen, left, pane);
	if (h && rows && pane_rows[pane].list && rows + 1 < (size_t)(left - h))
		h = left - (int)rows - 1;
	if (most > 0)
		h = min_int(h, most < PANE_LEAST ? PANE_LEAST : most);
	plot = area.w - l->gutter - 1;
	if (plot < 1)
		plot = 1;
	l->names = (struct rect){ y, area.x, left - h, l->gutter };
	l->plot = (struct rect){ y, area.x + l->gutter, left - h, plot };
	l->ticks = (struct rect){ y, area.x + l->gutter + plot, left - h, area.w - l->gutter - plot };
	l->pane = (struct rect){ y + left - h, area.x, h, area.w };
}
