#include "config.h"

#include "view/timeline/search/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "view/timeline/viewport/utc.h"

enum { NAMES_W = 52, SPLIT = 100 }; /* columns of the table of names; from this width on both are shown */

static void draw_name(const struct search *se, struct canvas *cv, int y, int x, int w,
    const struct window_name *n, bool here, enum time_unit total, enum time_unit max)
{
	const struct strtab *str = &se->sc->dump->str;
	unsigned attr = here ? ATTR_BOLD : 0;
	char buf[48];

	if (here)
		canvas_put(cv, y, x + 1, '>', ROLE_MARK, ATTR_BOLD);
	canvas_cut(cv, y, x + 3, w - 34, ROLE_TEXT, attr, strtab_str(str, n->name), strtab_len(str, n->name));
	snprintf(buf, sizeof buf, "%" PRIu64, n->count);
	canvas_right(cv, y, x + w - 24, ROLE_TEXT, attr, buf);
	canvas_right(cv, y, x + w - 13, ROLE_TEXT, attr, units_time_in(buf, sizeof buf, n->total, total, 3));
	canvas_right(cv, y, x + w - 2, ROLE_TEXT, attr, units_time_in(buf, sizeof buf, n->max, max, 3));
}

static void draw_names(struct search *s, struct canvas *cv, struct rect r)
{
	enum time_unit total = UNIT_MS, max = UNIT_US;
	strid here = s->at.track != ROWS_NONE
	    ? s->sc->dump->trace.metas[scene_track(s->sc, s->at.track)->meta[s->at.i]].name
	    : 0;
	const struct window_name *const *v = s->sorted;
	size_t n = s->nsorted, first = 0, rows = r.h > 3 ? (size_t)r.h - 3 : 1;
	int y = r.y + 1;
	char buf[32];

	canvas_str(cv, y, r.x + 3, 8, ROLE_TEXT, ATTR_UNDERLINE, "name");
	canvas_right(cv, y, r.x + r.w - 24, ROLE_TEXT, ATTR_UNDERLINE, "hits");
	if (!s->names_done) {
		canvas_glyph(cv, y + 1, r.x + 3, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		total = i ? total : unit_for(v[i]->total);
		max = unit_for(v[i]->max) > max || !i ? unit_for(v[i]->max) : max;
		if (v[i]->name == here && i >= rows)
			first = i - rows + 1;
	}
	snprintf(buf, sizeof buf, "total %s", unit_name(total, scene_ascii(s->sc)));
	canvas_right(cv, y, r.x + r.w - 13, ROLE_TEXT, ATTR_UNDERLINE, buf);
	snprintf(buf, sizeof buf, "max %s", unit_name(max, scene_ascii(s->sc)));
	canvas_right(cv, y, r.x + r.w - 2, ROLE_TEXT, ATTR_UNDERLINE, buf);
	for (size_t i = first; i < n && i < first + rows; i++)
		draw_name(s, cv, ++y, r.x, r.w, v[i], v[i]->name == here, total, max);
}

/* "TPU:0", "host": the section a track is in. */
static void section_of(const struct search *se, uint32_t track, const char **name, size_t *len)
{
	const struct rows *r = &se->sc->rows;
	uint32_t i = track < r->ntracks ? r->node_of[track] : ROWS_NONE;

	*name = "";
	*len = 0;
	for (; i != ROWS_NONE; i = r->v[i].parent)
		if (r->v[i].kind == NODE_DEVICE || r->v[i].kind == NODE_THREADS) {
			*name = r->v[i].name;
			*len = r->v[i].len;
			return;
		}
}

/* Where a hit begins, in the unit of all of them; of the day it takes more columns than the 14 there are. */
static const char *start_text(const struct search *se, int64_t start, enum time_unit unit, char *buf,
    size_t size)
{
	int decimals = unit == UNIT_PS ? 0 : 6;

	if (!scene_utc(se->sc))
		return units_time_in(buf, size, start, unit, decimals);
	return utc_text(utc_anchor(se->sc->dump), start, utc_decimals(unit_ps[unit]) + decimals, false, buf,
	    size);
}

static int start_more(const struct search *se, enum time_unit unit)
{
	char buf[48];
	int more = (int)strlen(start_text(se, 0, unit, buf, sizeof buf)) - 13;

	return scene_utc(se->sc) && more > 0 ? more : 0;
}

static void draw_hit(const struct search *se, struct canvas *cv, int y, struct rect r,
    const struct search_row *h, bool here, enum time_unit at, enum time_unit len)
{
	const struct track *k = scene_track(se->sc, h->pos.track);
	strid name = se->sc->dump->trace.metas[k->meta[h->pos.i]].name;
	enum role role = here ? ROLE_SELECTED : ROLE_TEXT;
	const char *section;
	size_t n;
	char buf[48];

	if (here) {
		canvas_fill(cv, (struct rect){ y, r.x, 1, r.w - 1 }, ' ', role, 0);
		canvas_put(cv, y, r.x, '>', role, 0);
	}
	snprintf(buf, sizeof buf, "%" PRIu64, h->rank);
	canvas_right(cv, y, r.x + 7, role, 0, buf);
	r.x += start_more(se, at);
	r.w -= start_more(se, at);
	canvas_right(cv, y, r.x + 22, role, 0,
	    start_text(se, k->start[h->pos.i] + scene_shift_of(se->sc, k->plane), at, buf, sizeof buf));
	canvas_right(cv, y, r.x + 33, role, 0,
	    units_time_in(buf, sizeof buf, k->dur[h->pos.i], len, len == UNIT_PS ? 0 : 3));
	section_of(se, h->pos.track, &section, &n);
	canvas_cut(cv, y, r.x + 36, 8, role, 0, section, n);
	canvas_cut(cv, y, r.x + 45, r.w - 46, role, 0, strtab_str(&se->sc->dump->str, name),
	    strtab_len(&se->sc->dump->str, name));
}

static void draw_around(struct search *s, struct canvas *cv, struct rect r)
{
	int rows = r.h > 3 ? r.h - 3 : 1, first = s->here - (rows - 1) / 2, y = r.y + 1, more;
	enum time_unit at = UNIT_MS, len = UNIT_PS;
	char buf[32];

	if (first + rows > s->naround)
		first = s->naround - rows;
	if (first < 0)
		first = 0;
	for (int i = first; i < s->naround && i < first + rows; i++) {
		const struct track *k = scene_track(s->sc, s->around[i].pos.track);

		len = unit_for(k->dur[s->around[i].pos.i]) > len ? unit_for(k->dur[s->around[i].pos.i]) : len;
	}
	at = unit_for(s->sc->port.last > -s->sc->port.first ? s->sc->port.last : s->sc->port.first);
	canvas_right(cv, y, r.x + 7, ROLE_TEXT, ATTR_UNDERLINE, "hit");
	snprintf(buf, sizeof buf, "start %s", scene_utc(s->sc) ? "UTC" : unit_name(at, scene_ascii(s->sc)));
	more = start_more(s, at);
	canvas_right(cv, y, r.x + more + 22, ROLE_TEXT, ATTR_UNDERLINE, buf);
	canvas_right(cv, y, r.x + more + 33, ROLE_TEXT, ATTR_UNDERLINE, unit_name(len, scene_ascii(s->sc)));
	canvas_str(cv, y, r.x + more + 36, 6, ROLE_TEXT, ATTR_UNDERLINE, "track");
	canvas_str(cv, y, r.x + more + 45, r.w - more - 46, ROLE_TEXT, ATTR_UNDERLINE, "name");
	for (int i = first; i < s->naround && i < first + rows; i++)
		draw_hit(s, cv, ++y, r, &s->around[i], i == s->here, at, len);
}

void search_draw(struct search *s, struct canvas *cv, struct rect r)
{
	char left[160], right[128], a[32], b[32], c[32];
	struct rect names = { r.y, r.x, r.h, r.w >= SPLIT ? NAMES_W - 1 : 0 };
	struct rect around = { r.y, r.x + (r.w >= SPLIT ? NAMES_W + 2 : 1), r.h,
		r.w - (r.w >= SPLIT ? NAMES_W + 2 : 1) };
	struct rect old = canvas_clip(cv, r);

	snprintf(left, sizeof left, "hits of /%.120s/", s->pattern);
	snprintf(right, sizeof right, "%s of %s events   %s %s", units_count(a, sizeof a, s->find->hits),
	    units_count(b, sizeof b, s->sc->dump->trace.events), units_count(c, sizeof c, s->find->names),
	    s->find->names == 1 ? "name" : "names");
	scene_pane_title(s->sc, cv, r, left, strlen(left), right);
	if (names.w)
		draw_names(s, cv, names);
	draw_around(s, cv, around);
	canvas_clip(cv, old);
}
