#include "config.h"
#include "widget/bar.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"

static double clamp(double v)
{
	return v > 0 ? v < 1 ? v : 1 : 0;	/* NaN: 0 */
}

void bar_draw(struct canvas *c, int y, int x, int w, double share, enum role role, bool rest)
{
	int eighths = (int)(clamp(share) * w * 8 + .5);

	if (!eighths && share > 0)
		eighths = 1;
	for (int i = 0; i < w; i++, eighths -= 8) {
		if (eighths > 0)
			canvas_put(c, y, x + i, c->glyphs->left[eighths < 8 ? eighths : 8], role, 0);
		else if (rest)
			canvas_glyph(c, y, x + i, GLYPH_BULLET, ROLE_DIM, 0);
	}
}

void bar_stack(struct canvas *c, int y, int x, int w, const struct bar_part *part, size_t n)
{
	double sum = 0;
	int at = 0;

	for (size_t i = 0; i < n; i++) {
		int end;

		sum += clamp(part[i].share);
		end = (int)(clamp(sum) * w + .5);
		if (end == at && part[i].share > .1 / w && at < w)
			end = at + 1;
		for (; at < end; at++)
			canvas_put(c, y, x + at, part[i].sign, part[i].role, 0);
	}
}

int bar_legend(struct canvas *c, int y, int x, int w, const struct bar_part *part, size_t n)
{
	int at = 0;

	for (size_t i = 0; i < n; i++) {
		char text[96], percent[16];
		int cols;

		snprintf(text, sizeof text, "%s %s %%", part[i].label,
		    units_percent(percent, sizeof percent, part[i].share));
		cols = utf8_cols(text, strlen(text)) + 2;
		if (at + (at ? 3 : 0) + cols > w)
			break;
		at += at ? 3 : 0;
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
