#include "config.h"
#include "widget/bar.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

static double clamp_share(double v)
{
	return v > 0 ? v < 1 ? v : 1 : 0; /* NaN: 0 */
}

static void draw_bar(struct canvas *c, int y, int x, int w, double share, enum role role, bool dots)
{
	int eighths = (int)(clamp_share(share) * w * 8 + .5);

	if (!eighths && share > 0)
		eighths = 1;
	for (int i = 0; i < w; i++, eighths -= 8) {
		if (eighths > 0)
			canvas_put(c, y, x + i, c->glyphs->left[eighths < 8 ? eighths : 8], role, 0);
		else if (dots)
			canvas_glyph(c, y, x + i, GLYPH_BULLET, ROLE_DIM, 0);
	}
}

void bar_draw(struct canvas *c, int y, int x, int w, double share, enum role role)
{
	draw_bar(c, y, x, w, share, role, false);
}

void bar_draw_dotted(struct canvas *c, int y, int x, int w, double share, enum role role)
{
	draw_bar(c, y, x, w, share, role, true);
}

void bar_column(struct canvas *c, int y, int x, int rows, double share, enum role role)
{
	int eighths = (int)(clamp_share(share) * rows * 8 + .5);

	if (!eighths && share > 0)
		eighths = 1;
	for (; eighths > 0; eighths -= 8)
		canvas_put(c, y--, x, c->glyphs->height[eighths < 8 ? eighths : 8], role, 0);
}

unsigned bar_stack(struct canvas *c, int y, int x, int w, const struct bar_part *part, size_t n)
{
	unsigned seen = 0;
	double sum = 0;
	int at = 0;

	for (size_t i = 0; i < n; i++) {
		int end;

		sum += clamp_share(part[i].share);
		end = (int)(clamp_share(sum) * w + .5);
		if (end == at && part[i].share > .1 / w && at < w)
			end = at + 1;
		if (at < end)
			seen |= 1u << i;
		for (; at < end; at++)
			canvas_put(c, y, x + at, part[i].sign, part[i].role, 0);
	}
	return seen;
}

enum { LEGEND_GAP = 3, LEGEND_NARROW = 2 };

/* Returns the columns of the text and its sign. */
static int legend_text(const struct bar_part *p, bool shares, char *buf, size_t size)
{
	char percent[16];

	if (shares)
		snprintf(buf, size, "%s %s %%", p->label, units_percent(percent, sizeof percent, p->share));
	else
		snprintf(buf, size, "%s", p->label);
	return 2 + utf8_cols(buf, strlen(buf));
}

int bar_legend_cols(const struct bar_part *part, size_t n)
{
	char text[96];
	int cols = 0;

	for (size_t i = 0; i < n; i++)
		cols += (i ? LEGEND_GAP : 0) + legend_text(&part[i], true, text, sizeof text);
	return cols;
}

int bar_legend(struct canvas *c, int y, int x, int w, const struct bar_part *part, size_t n)
{
	int most = bar_legend_cols(part, n), at = 0, between = most <= w ? LEGEND_GAP : LEGEND_NARROW;
	bool shares = most - (int)(n ? n - 1 : 0) * (LEGEND_GAP - between) <= w;

	for (size_t i = 0; i < n; i++) {
		char text[96];
		int cols = legend_text(&part[i], shares, text, sizeof text), gap = at ? between : 0;

		if (at + gap + cols > w)
			break;
		at += gap;
		canvas_put(c, y, x + at, part[i].sign, part[i].role, 0);
		canvas_str(c, y, x + at + 2, cols - 2, ROLE_TEXT, 0, text);
		at += cols;
	}
	return at;
}

enum role bar_use_role(double use)
{
	return use < .16 ? ROLE_BAD : use < .36 ? ROLE_WARN : ROLE_GOOD;
}
