#include "config.h"
#include "app/loading.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"

#define BAR_MAX 60

int64_t loading_eta_ms(const struct loading *l)
{
	if (!l->bytes || l->bytes >= l->total || l->elapsed_ms < 500)
		return -1;
	return (int64_t)((double)l->elapsed_ms * (double)(l->total - l->bytes) / (double)l->bytes);
}

static void draw_progress_bar(const struct loading *l, struct canvas *c, int y, int x, int w)
{
	double part = l->bytes >= l->total ? 1 : (double)l->bytes / (double)l->total;
	int eighths = (int)(part * w * 8);

	for (int i = 0; i < w; i++) {
		int fill = eighths - i * 8;
		uint32_t ch = c->glyphs->left[fill < 0 ? 0 : fill > 8 ? 8 : fill];

		canvas_put(c, y, x + i, ch == ' ' ? c->glyphs->g[GLYPH_BULLET] : ch,
		    ch == ' ' ? ROLE_DIM : ROLE_PROGRESS, 0);
	}
}

static void progress_text(const struct loading *l, char *buf, size_t size)
{
	char read[32], total[32], rate[32], percent[16], eta[32];
	int64_t left = loading_eta_ms(l);
	size_t n;

	snprintf(buf, size, "%s", units_bytes(read, sizeof read, (double)l->bytes));
	n = strlen(buf);
	if (l->total)
		snprintf(buf + n, size - n, " of %s   %s %%",
		    units_bytes(total, sizeof total, (double)l->total),
		    units_percent(percent, sizeof percent,
			l->bytes >= l->total ? 1 : (double)l->bytes / (double)l->total));
	n = strlen(buf);
	if (l->elapsed_ms >= 500)
		snprintf(buf + n, size - n, "   %s",
		    units_si(rate, sizeof rate, (double)l->bytes * 1000 / (double)l->elapsed_ms, "B/s"));
	n = strlen(buf);
	if (left >= 0)
		snprintf(buf + n, size - n, "   %s s left",
		    units_time_in(eta, sizeof eta, left * PS_PER_MS, UNIT_S, 1));
}

void loading_draw(const struct loading *l, struct canvas *c, struct rect area)
{
	int x = area.x + 3, w = area.w - 6 < BAR_MAX ? area.w - 6 : BAR_MAX, y = area.y + (area.h > 6);
	char text[160], events[32];

	canvas_str(c, y, x, 8, ROLE_DIM, 0, "opening");
	canvas_cut(c, y, x + 9, area.w - 15, ROLE_TEXT, 0, l->name, strlen(l->name));
	if (l->total)
		draw_progress_bar(l, c, y + 1 + (area.h > 6), x, w);
	if (l->bytes) {
		progress_text(l, text, sizeof text);
		canvas_str(c, y + 2 + 2 * (area.h > 6), x, area.w - 4, ROLE_TEXT, 0, text);
	}
	canvas_fmt(c, y + 3 + 2 * (area.h > 6), x, area.w - 4, ROLE_TEXT, 0, "%s events   %s",
	    units_count(events, sizeof events, l->events),
	    l->stopping   ? "stopping"
		: l->what ? l->what
			  : "");
}
