#include "config.h"

#include "view/timeline/detail/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

#define SHORT_TIME 8 /* columns of a time: "967.0 µs" */
#define NUMBER 8     /* columns of a time without its unit */
#define MOST 10      /* a rate above this many times the peak is meaningless */
#define ITEM_GAP 2   /* columns between items of a line */

/* Splits "104.1" from "TFLOP/s". */
static void split_si(double v, const char *unit, char *number, char *rest, size_t size)
{
	char *blank;

	units_si(number, size, v, unit);
	blank = strchr(number, ' ');
	snprintf(rest, size, "%s", blank ? blank + 1 : "");
	if (blank)
		*blank = '\0';
}

/* "52.8 % of 197 T"; ~ marks a peak that is not in the capture. */
void details_peak_text(const struct detail *d, double rate, double peak, const char *unit, char *buf,
    size_t size)
{
	char of[24], of_prefix[24], percent[24] = DETAILS_NA;

	split_si(peak, unit, of, of_prefix, sizeof of);
	if (strchr(of, '.')) {
		size_t n = strlen(of);

		while (of[n - 1] == '0')
			of[--n] = '\0';
		if (of[n - 1] == '.')
			of[n - 1] = '\0';
	}
	if (details_known(rate))
		units_percent(percent, sizeof percent, rate / peak);
	snprintf(buf, size, "%s %% of %s%s", percent, d->peak_assumed ? "~" : "", of);
	if (strlen(of_prefix) > strlen(unit))
		snprintf(buf + strlen(buf), size - strlen(buf), " %c", *of_prefix);
}

static void draw_peak_bar(struct canvas *cv, int y, int x, int w, double share)
{
	int eighths = share >= 1 ? w * 8 : share > 0 ? (int)(share * w * 8 + 0.5) : 0;
	const struct glyphs *g = cv->glyphs;

	if (w < 4)
		return;
	if (g->ascii)
		canvas_put(cv, y, x - 1, '[', ROLE_TEXT, 0);
	for (int i = 0; i < w; i++, eighths -= 8) {
		if (g->ascii)
			canvas_put(cv, y, x + i, eighths >= 4 ? '#' : '.', ROLE_TEXT, 0);
		else if (eighths > 0)
			canvas_put(cv, y, x + i, g->left[eighths > 8 ? 8 : eighths], ROLE_TEXT, 0);
	}
	if (g->ascii)
		canvas_put(cv, y, x + w, ']', ROLE_TEXT, 0);
	else
		canvas_glyph(cv, y, x + w, GLYPH_EDGE, ROLE_TEXT, 0);
}

/* "104.1 TFLOP/s", with the unit always at the same column. */
static void put_si(struct canvas *cv, int y, const struct details_at *at, double v, const char *unit)
{
	char number[48] = DETAILS_NA, rest[48] = "";
	size_t n;

	if (details_known(v))
		split_si(v, unit, number, rest, sizeof number);
	n = strlen(rest) > strlen(unit) ? strlen(rest) - strlen(unit) : 0;
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, number);
	canvas_text(cv, y, at->unit, 1, ROLE_TEXT, 0, rest, n);
	canvas_str(cv, y, at->unit + 1, 7, ROLE_TEXT, 0, unit);
}

int details_rate(const struct detail *d, struct canvas *cv, int y, const struct details_at *at,
    const char *label, double rate, double peak, const char *unit)
{
	char text[96];
	const char *sign;
	int x = at->percent;

	if (!details_known(rate) && !at->fixed)
		return 0;
	if (details_known(peak) && rate >= MOST * peak) /* the work continues after the event */
		rate = NAN;
	canvas_str(cv, y, at->x, DETAILS_LABEL, ROLE_TEXT, 0, label);
	put_si(cv, y, at, rate, unit);
	if (!details_known(peak))
		return 1;
	draw_peak_bar(cv, y, at->bar, at->bar_w, details_known(rate) ? rate / peak : 0);
	details_peak_text(d, rate, peak, unit, text, sizeof text);
	sign = strchr(text, ' ');
	x -= sign ? utf8_cols(text, (size_t)(sign - text)) : 0;
	canvas_str(cv, y, x, cv->cols - x, ROLE_TEXT, 0, text);
	return 1;
}

int details_intensity(const struct detail *d, struct canvas *cv, int y, const struct details_at *at)
{
	char buf[96] = DETAILS_NA;
	bool has = details_known(d->intensity);

	if (!has && !at->fixed)
		return 0;
	canvas_str(cv, y, at->x, DETAILS_LABEL, ROLE_TEXT, 0, "intensity");
	if (has)
		snprintf(buf, sizeof buf, "%.1f", d->intensity);
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, buf);
	canvas_str(cv, y, at->unit + 1, 7, ROLE_TEXT, 0, "FLOP/B");
	if (details_known(d->ridge)) {
		snprintf(buf, sizeof buf, "ridge %.1f%s", d->ridge,
		    !has                           ? ""
			: d->intensity >= d->ridge ? ": compute bound"
						   : ": memory bound");
		canvas_str(cv, y, at->bar, cv->cols - at->bar, ROLE_TEXT, 0, buf);
	}
	return 1;
}

/* Draws a label and its value, which ends at column `width`, or nothing if it does not fit; returns where the
 * next item starts. */
static int draw_item(struct canvas *cv, int y, int x, int width, const char *label, const char *value)
{
	const struct rect clip = cv->clip;

	if (x + width >= clip.x + clip.w)
		return clip.x + clip.w;
	canvas_str(cv, y, x, width, ROLE_TEXT, 0, label);
	canvas_right(cv, y, x + width, ROLE_TEXT, 0, value);
	return x + width + ITEM_GAP;
}

static const char *bytes_text(double bytes, char *buf, size_t size)
{
	return details_known(bytes) ? units_bytes(buf, size, bytes) : DETAILS_NA;
}

int details_work(const struct detail *d, struct canvas *cv, int y, const struct details_at *at)
{
	double hbm = d->hbm_bytes;
	char buf[48];
	int x = at->bar;

	if (!details_known(d->flops) && !details_known(hbm) && !at->fixed)
		return 0;
	canvas_str(cv, y, at->x, DETAILS_LABEL, ROLE_TEXT, 0, "work");
	if (details_known(d->flops) || at->fixed)
		put_si(cv, y, at, d->flops, "FLOP");
	if (details_known(hbm) || at->fixed)
		x = draw_item(cv, y, x, 17, details_memory(d), bytes_text(hbm, buf, sizeof buf));
	if (details_known(d->vmem_bytes) || at->fixed)
		draw_item(cv, y, x, 15, "VMEM", bytes_text(d->vmem_bytes, buf, sizeof buf));
	return 1;
}

int details_all(const struct details *v, struct canvas *cv, int y, const struct details_at *at)
{
	const struct detail *d = &v->d;
	enum time_unit unit = unit_for(d->all_mean);
	int64_t time[] = { d->all_min, d->all_mean, d->all_max }, whole = d->all_mean / unit_ps[unit];
	static const char *const label[] = { "", "min", "min mean", "min mean max" };
	int decimals = unit == UNIT_PS || whole >= 1000 ? 0
	    : whole >= 100                              ? 1
	    : whole >= 10                               ? 2
							: 3,
	    n = 3, end = cv->clip.x + cv->clip.w - 3;
	char buf[40];

	if (scene_track(v->sc, v->sc->cursor.track)->role != TRACK_OPS)
		return 0;
	canvas_str(cv, y, at->x, DETAILS_LABEL, ROLE_TEXT, 0, "all cores");
	if (!d->all_count || v->sc->view->part != PART_ALL) /* not counted yet */
		return 1;
	canvas_right(cv, y, at->number, ROLE_TEXT, 0, units_count(buf, sizeof buf, d->all_count));
	canvas_glyph(cv, y, at->unit, GLYPH_TIMES, ROLE_TEXT, 0);
	while (n > 1 && at->bar + n * (4 + NUMBER) > end)
		n--;
	canvas_str(cv, y, at->bar, 4 * n, ROLE_TEXT, 0, label[n]);
	for (int i = 0; i < n; i++) {
		units_time_in(buf, sizeof buf, time[i], unit, decimals);
		canvas_right(cv, y, at->bar + 4 * n + NUMBER * (i + 1), ROLE_TEXT, 0, buf);
	}
	canvas_str(cv, y, at->bar + n * (4 + NUMBER) + 1, 2, ROLE_TEXT, 0,
	    unit_name(unit, scene_ascii(v->sc)));
	return 1;
}

/* Draws a name, cut to the room left by its time, which is right-aligned. */
static void draw_neighbor(struct canvas *cv, int y, int x, int w, const char *name, int64_t dur, bool ascii)
{
	char time[40];
	int time_w;

	units_time_short(time, sizeof time, dur, ascii);
	time_w = utf8_cols(time, strlen(time));
	if (w > SHORT_TIME + 6)
		canvas_cut(cv, y, x, w - (time_w > SHORT_TIME ? time_w : SHORT_TIME) - 1, ROLE_TEXT, 0, name,
		    strlen(name));
	canvas_right(cv, y, x + w, ROLE_TEXT, 0, time);
}

int details_neighbors(const struct details *v, struct canvas *cv, int y, const struct details_at *at, int end)
{
	const struct detail *d = &v->d;
	int x = at->x, half = d->before || at->fixed ? (end - x - DETAILS_LABEL + 9) / 2 : 0,
	    label = half ? 7 : DETAILS_LABEL - 1;

	if (!d->before && !d->after && !at->fixed)
		return 0;
	if (half) {
		canvas_str(cv, y, x, DETAILS_LABEL, ROLE_TEXT, 0, "before");
		if (d->before)
			draw_neighbor(cv, y, x + DETAILS_LABEL - 1, half - DETAILS_LABEL - 1, d->before,
			    d->before_dur, scene_ascii(v->sc));
	}
	if (d->after || at->fixed)
		canvas_str(cv, y, x + half, label, ROLE_TEXT, 0, "after");
	if (d->after)
		draw_neighbor(cv, y, x + half + label, end - x - half - label, d->after, d->after_dur,
		    scene_ascii(v->sc));
	return 1;
}
