#include "config.h"

#include "view/timeline/tl.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/regex.h"
#include "base/text/units.h"
#include "model/lod.h"

enum { AT_ONCE_MS = 10 }; /* a search that takes no longer goes to its first hit at once */

static const struct find_pos nowhere = { ROWS_NONE, 0 };

/* --- a search begins and ends --- */

void tl_search_end(struct tl *t)
{
	struct tl_search *s = &t->search;

	if (s->find)
		find_free(s->find);
	if (s->names_begun)
		window_free(&s->names);
	for (size_t i = 0; i < s->nskip; i++)
		free(s->skip[i]);
	free(s->skip);
	free(s->strip);
	free(s->tracks);
	free(s->sorted);
	free(s->pattern);
	free(s->name_hit);
	free(s->own);
	tl_matches_end(&s->match);
	memset(s, 0, sizeof *s);
	t->scene.open[PANE_HITS] = false;
	t->scene.changes.hits++;
}

/* Distinct names that match, as a set. */
static void mark_names(struct tl *t)
{
	struct tl_search *s = &t->search;
	const struct trace *trace = &t->scene.dump->trace;

	s->name_hit_n = t->scene.dump->str.n;
	s->name_hit = xcalloc(s->name_hit_n + 1, 1);
	for (size_t i = 0; i < s->nmeta; i++)
		if (s->find->name_hit[i])
			s->name_hit[trace->metas[i].name] = 1;
}

static void search_ready(struct tl *t)
{
	struct tl_search *s = &t->search;

	s->at = nowhere;
	s->find->shift = scene_shifts(&t->scene);
	s->nskip = t->scene.dump->trace.ntracks;
	s->skip = xcalloc(s->nskip + 1, sizeof *s->skip);
	mark_names(t);
	t->scene.changes.hits++;
}

/* It may take longer than a frame: the rest of it in tl_search_step(). */
static void search_begin(struct tl *t, const struct regex *re)
{
	struct tl_search *s = &t->search;

	tl_search_end(t);
	s->pattern = xstrdup(regex_pattern(re));
	s->nmeta = t->scene.dump->trace.nmetas;
	s->tracks = scene_tracks(&t->scene, &s->ntracks);
	if (!tl_matches_begin(t, &s->match, s->pattern, NULL) && !tl_matches_step(t, &s->match, AT_ONCE_MS)) {
		s->find = s->match.find;
		t->scene.open[PANE_HITS] = s->find;
		s->match.find = NULL;
	}
	if (s->find)
		search_ready(t);
}

const uint8_t *tl_search_skip(struct tl *t, uint32_t track)
{
	struct tl_search *s = &t->search;
	const struct track *k = scene_track(&t->scene, track);

	if (track >= s->nskip)
		return NULL;
	if (!s->skip[track]) {
		uint8_t *b = s->skip[track] = xcalloc(k->n / TL_SKIP + 1, 1);
		size_t slot;

		if (tl_matches_slot(&s->match, track, &slot)) {
			const uint32_t *before = s->find->blocks[slot].before;

			for (size_t i = 0; i < k->n; i += FIND_BLOCK)
				b[i / TL_SKIP] |= before[i / FIND_BLOCK + 1] != before[i / FIND_BLOCK];
			return b;
		}
		for (size_t i = 0; i < k->n; i++)
			if (tl_hit_at(t, k, i)) {
				b[i / TL_SKIP] = 1;
				i |= TL_SKIP - 1;
			}
	}
	return s->skip[track];
}

/* --- from hit to hit --- */

/* The hits around the current one, as many as a table could show. */
static void find_around(struct tl *t)
{
	struct tl_search *s = &t->search;
	struct find_pos p = s->at;
	uint64_t rank = s->rank;
	int before = 0;

	while (before < TL_HITS_AROUND / 2 && rank > 1) {
		p = find_step(s->find, t->scene.dump, 0, p, -1);
		rank--;
		before++;
	}
	s->here = before;
	for (s->naround = 0; s->naround < TL_HITS_AROUND && rank <= s->find->hits; rank++) {
		s->around[s->naround++] = (struct tl_hit_row){ rank, p };
		p = find_step(s->find, t->scene.dump, 0, p, 1);
	}
}

void tl_hit_here(struct tl *t, struct find_pos p)
{
	struct tl_search *s = &t->search;

	s->at = p;
	s->rank = find_rank(s->find, t->scene.dump, p);
	find_around(t);
}

static void go(struct tl *t, struct find_pos p)
{
	if (p.track == ROWS_NONE)
		return;
	tl_hit_here(t, p);
	cursor_go_to_event(&t->scene, p.track, p.i);
}

int tl_find(struct tl *t, const struct regex *re, int dir)
{
	struct tl_search *s = &t->search;

	if (!dir) {
		if (!re) {
			tl_search_end(t);
			scene_keep_visible(&t->scene);
			return 0;
		}
		t->scene.open[PANE_CHAIN] = t->scene.open[PANE_STEPS] = false;
		search_begin(t, re);
		if (s->match.working)
			return 1;
		if (!s->find)
			return -1;
		if (!s->find->hits) {
			tl_search_end(t);
			return 0;
		}
		go(t, find_step(s->find, t->scene.dump, t->scene.cursor.at, nowhere, 1));
	} else if (s->find) {
		if (s->at.track != ROWS_NONE && cursor_in(&t->scene, s->at.track, s->at.i))
			go(t, find_step(s->find, t->scene.dump, t->scene.cursor.at, s->at, dir));
		else /* the cursor was moved away: on from there */
			go(t,
			    find_step(s->find, t->scene.dump,
				dir > 0 ? t->scene.cursor.at : t->scene.cursor.at - 1, nowhere, dir));
	} else {
		return s->match.working ? 1 : -1;
	}
	return s->find->hits > INT_MAX ? INT_MAX : (int)s->find->hits;
}

/* --- the table --- */

enum { NAMES_W = 52, SPLIT = 100 }; /* columns of the table of names; from this width on both are shown */

static int by_total(const void *pa, const void *pb)
{
	const struct window_name *const *a = pa, *const *b = pb;

	if ((*a)->total != (*b)->total)
		return (*a)->total > (*b)->total ? -1 : 1;
	return ((*a)->name > (*b)->name) - ((*a)->name < (*b)->name);
}

/* The names that match, by total time. */
static void sort_names(struct tl *t)
{
	struct tl_search *s = &t->search;

	s->sorted = xcalloc(s->names.nnames + 1, sizeof *s->sorted);
	s->nsorted = 0;
	for (size_t i = 0; i < s->names.nnames; i++)
		if (s->names.names[i].name < s->name_hit_n && s->name_hit[s->names.names[i].name])
			s->sorted[s->nsorted++] = &s->names.names[i];
	qsort(s->sorted, s->nsorted, sizeof *s->sorted, by_total);
}

/* Of a query the hits alone count. */
static void sum_hits(struct tl *t)
{
	struct tl_search *s = &t->search;
	uint32_t *place = xcalloc(t->scene.dump->str.n + 1, sizeof *place); /* by name, + 1 */
	struct window_name *v = NULL;
	size_t n = 0, cap = 0;

	for (size_t k = 0; k < s->find->ntracks; k++) {
		const struct track *tr = scene_track(&t->scene, s->find->tracks[k]);

		for (size_t i = 0; s->find->track_hits[k] && i < tr->n; i++) {
			strid name = t->scene.dump->trace.metas[tr->meta[i]].name;
			struct window_name *w;

			if (!(i % 64) && !s->find->bits[k][i / 64])
				i += 63;
			else if (find_holds(s->find, tr, k, i)) {
				if (!place[name]) {
					VEC_PUSH(v, n, cap);
					v[n] = (struct window_name){ .name = name };
					place[name] = (uint32_t)++n;
				}
				w = &v[place[name] - 1];
				w->count++;
				w->total = add_clamped(w->total, tr->dur[i]);
				w->max = tr->dur[i] > w->max ? tr->dur[i] : w->max;
			}
		}
	}
	free(place);
	s->own = v;
	s->nsorted = n;
	s->sorted = xcalloc(n + 1, sizeof *s->sorted);
	for (size_t i = 0; i < n; i++)
		s->sorted[i] = &v[i];
	qsort(s->sorted, n, sizeof *s->sorted, by_total);
}

/* A query goes on; when it is done, the first hit is gone to. */
static bool match_step(struct tl *t, int budget_ms)
{
	struct tl_search *s = &t->search;
	char hint[128];

	t->scene.view->stale = true;
	if (tl_matches_step(t, &s->match, budget_ms))
		return true;
	s->find = s->match.find;
	t->scene.open[PANE_HITS] = s->find;
	s->match.find = NULL;
	if (!s->find->hits) {
		app_message(t->scene.view->app, false, "/%.200s: not found%s", s->pattern,
		    query_hint(s->pattern, hint, sizeof hint));
		tl_search_end(t);
		return false;
	}
	search_ready(t);
	go(t, find_step(s->find, t->scene.dump, t->scene.cursor.at, nowhere, 1));
	return true;
}

/* Totals by name: over the whole run, once. */
bool tl_search_step(struct tl *t, int budget_ms)
{
	struct tl_search *s = &t->search;
	const struct trace *trace = &t->scene.dump->trace;

	if (s->match.working)
		return match_step(t, budget_ms);
	if (!s->find || s->names_done || t->scene.lay.pane.h <= 0)
		return false;
	if (s->find->bits) {
		sum_hits(t);
		s->names_done = true;
		t->scene.view->stale = true;
		return false;
	}
	if (!s->names_begun) {
		window_begin(&s->names, t->scene.dump, s->tracks, s->ntracks, trace->first, trace->last + 1,
		    false);
		s->names_begun = true;
	}
	if (window_step(&s->names, budget_ms))
		return true;
	sort_names(t);
	s->names_done = true;
	t->scene.view->stale = true;
	return false;
}

static void draw_name(const struct tl *t, struct canvas *cv, int y, int x, int w, const struct window_name *n,
    bool here, enum time_unit total, enum time_unit max)
{
	const struct strtab *str = &t->scene.dump->str;
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

static void draw_names(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct tl_search *s = &t->search;
	enum time_unit total = UNIT_MS, max = UNIT_US;
	strid here = s->at.track != ROWS_NONE
	    ? t->scene.dump->trace.metas[scene_track(&t->scene, s->at.track)->meta[s->at.i]].name
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
	snprintf(buf, sizeof buf, "total %s", unit_name(total, scene_ascii(&t->scene)));
	canvas_right(cv, y, r.x + r.w - 13, ROLE_TEXT, ATTR_UNDERLINE, buf);
	snprintf(buf, sizeof buf, "max %s", unit_name(max, scene_ascii(&t->scene)));
	canvas_right(cv, y, r.x + r.w - 2, ROLE_TEXT, ATTR_UNDERLINE, buf);
	for (size_t i = first; i < n && i < first + rows; i++)
		draw_name(t, cv, ++y, r.x, r.w, v[i], v[i]->name == here, total, max);
}

/* "TPU:0", "host": the section a track is in. */
static void section_of(const struct tl *t, uint32_t track, const char **name, size_t *len)
{
	const struct rows *r = &t->scene.rows;
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
static const char *start_text(const struct tl *t, int64_t start, enum time_unit unit, char *buf, size_t size)
{
	int decimals = unit == UNIT_PS ? 0 : 6;

	if (!scene_utc(&t->scene))
		return units_time_in(buf, size, start, unit, decimals);
	return utc_text(utc_anchor(t->scene.dump), start, utc_decimals(unit_ps[unit]) + decimals, false, buf,
	    size);
}

static int start_more(const struct tl *t, enum time_unit unit)
{
	char buf[48];
	int more = (int)strlen(start_text(t, 0, unit, buf, sizeof buf)) - 13;

	return scene_utc(&t->scene) && more > 0 ? more : 0;
}

static void draw_hit(const struct tl *t, struct canvas *cv, int y, struct rect r, const struct tl_hit_row *h,
    bool here, enum time_unit at, enum time_unit len)
{
	const struct track *k = scene_track(&t->scene, h->pos.track);
	strid name = t->scene.dump->trace.metas[k->meta[h->pos.i]].name;
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
	r.x += start_more(t, at);
	r.w -= start_more(t, at);
	canvas_right(cv, y, r.x + 22, role, 0,
	    start_text(t, k->start[h->pos.i] + scene_shift_of(&t->scene, k->plane), at, buf, sizeof buf));
	canvas_right(cv, y, r.x + 33, role, 0,
	    units_time_in(buf, sizeof buf, k->dur[h->pos.i], len, len == UNIT_PS ? 0 : 3));
	section_of(t, h->pos.track, &section, &n);
	canvas_cut(cv, y, r.x + 36, 8, role, 0, section, n);
	canvas_cut(cv, y, r.x + 45, r.w - 46, role, 0, strtab_str(&t->scene.dump->str, name),
	    strtab_len(&t->scene.dump->str, name));
}

static void draw_around(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct tl_search *s = &t->search;
	int rows = r.h > 3 ? r.h - 3 : 1, first = s->here - (rows - 1) / 2, y = r.y + 1, more;
	enum time_unit at = UNIT_MS, len = UNIT_PS;
	char buf[32];

	if (first + rows > s->naround)
		first = s->naround - rows;
	if (first < 0)
		first = 0;
	for (int i = first; i < s->naround && i < first + rows; i++) {
		const struct track *k = scene_track(&t->scene, s->around[i].pos.track);

		len = unit_for(k->dur[s->around[i].pos.i]) > len ? unit_for(k->dur[s->around[i].pos.i]) : len;
	}
	at = unit_for(t->scene.port.last > -t->scene.port.first ? t->scene.port.last : t->scene.port.first);
	canvas_right(cv, y, r.x + 7, ROLE_TEXT, ATTR_UNDERLINE, "hit");
	snprintf(buf, sizeof buf, "start %s",
	    scene_utc(&t->scene) ? "UTC" : unit_name(at, scene_ascii(&t->scene)));
	more = start_more(t, at);
	canvas_right(cv, y, r.x + more + 22, ROLE_TEXT, ATTR_UNDERLINE, buf);
	canvas_right(cv, y, r.x + more + 33, ROLE_TEXT, ATTR_UNDERLINE,
	    unit_name(len, scene_ascii(&t->scene)));
	canvas_str(cv, y, r.x + more + 36, 6, ROLE_TEXT, ATTR_UNDERLINE, "track");
	canvas_str(cv, y, r.x + more + 45, r.w - more - 46, ROLE_TEXT, ATTR_UNDERLINE, "name");
	for (int i = first; i < s->naround && i < first + rows; i++)
		draw_hit(t, cv, ++y, r, &s->around[i], i == s->here, at, len);
}

void tl_draw_hits(struct tl *t, struct canvas *cv, struct rect r)
{
	const struct tl_search *s = &t->search;
	char left[160], right[128], a[32], b[32], c[32];
	struct rect names = { r.y, r.x, r.h, r.w >= SPLIT ? NAMES_W - 1 : 0 };
	struct rect around = { r.y, r.x + (r.w >= SPLIT ? NAMES_W + 2 : 1), r.h,
		r.w - (r.w >= SPLIT ? NAMES_W + 2 : 1) };
	struct rect old = canvas_clip(cv, r);

	snprintf(left, sizeof left, "hits of /%.120s/", s->pattern);
	snprintf(right, sizeof right, "%s of %s events   %s %s", units_count(a, sizeof a, s->find->hits),
	    units_count(b, sizeof b, t->scene.dump->trace.events), units_count(c, sizeof c, s->find->names),
	    s->find->names == 1 ? "name" : "names");
	scene_pane_title(&t->scene, cv, r, left, strlen(left), right);
	if (names.w)
		draw_names(t, cv, names);
	draw_around(t, cv, around);
	canvas_clip(cv, old);
}
