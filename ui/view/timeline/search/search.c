#include "config.h"

#include "view/timeline/search/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/regex.h"
#include "base/text/units.h"
#include "model/lod.h"

enum { AT_ONCE_MS = 10 }; /* a search that takes no longer goes to its first hit at once */

static const struct find_pos nowhere = { ROWS_NONE, 0 };

/* --- a search begins and ends --- */

static void search_end(struct search *s)
{
	if (s->find)
		find_free(s->find);
	if (s->names_begun)
		window_free(&s->names);
	free(s->strip);
	free(s->sorted);
	free(s->pattern);
	free(s->name_hit);
	matches_end(&s->match);
	hit_list_forget(&s->list);
	*s = (struct search){ .sc = s->sc,
		.longest_on = s->longest_on,
		.longest = s->longest,
		.list = s->list };
	s->sc->open[PANE_HITS] = false;
	s->sc->changes.hits++;
}

/* The set of distinct names that match. */
static void mark_names(struct search *s)
{
	const struct trace *trace = &s->sc->cap->dump->trace;

	s->name_hit_n = s->sc->cap->dump->str.n;
	s->name_hit = xcalloc(s->name_hit_n + 1, 1);
	for (size_t i = 0; i < s->nmeta; i++)
		if (s->find->name_hit[i])
			s->name_hit[trace->metas[i].name] = 1;
}

static void search_ready(struct search *s)
{
	s->at = nowhere;
	s->find->shift = scene_shifts(s->sc);
	mark_names(s);
	s->sc->changes.hits++;
}

/* Starts a query; if it takes longer than a frame, search_step() continues it. */
static void search_begin(struct search *s, const struct regex *re)
{
	search_end(s);
	s->pattern = xstrdup(regex_pattern(re));
	s->nmeta = s->sc->cap->dump->trace.nmetas;
	if (!matches_begin(s->sc, &s->match, s->pattern, NULL) &&
	    !matches_step(s->sc, &s->match, AT_ONCE_MS)) {
		s->find = s->match.find;
		s->sc->open[PANE_HITS] = s->find;
		s->match.find = NULL;
	}
	if (s->find)
		search_ready(s);
}

/* --- from hit to hit --- */

void search_here(struct search *s, struct find_pos p, bool follow)
{
	s->at = p;
	s->rank = find_rank(s->find, s->sc->cap->dump, p);
	hit_list_here(&s->list, p, follow);
}

static void go_to_hit(struct search *se, struct find_pos p, bool follow)
{
	if (p.track == ROWS_NONE)
		return;
	search_here(se, p, follow);
	cursor_go_to_event(se->sc, p.track, p.i);
}

/* Where a search begins: at the selected event if that is a hit, else at the next one. */
static struct find_pos hit_here(const struct search *s)
{
	const struct cursor *c = &s->sc->cursor;
	struct find_pos p = { c->track, c->event };

	return c->selected && find_rank(s->find, s->sc->cap->dump, p)
	    ? p
	    : find_step(s->find, s->sc->cap->dump, c->at, nowhere, 1);
}

int search_find(struct search *s, const struct regex *re, int dir)
{
	if (!dir) {
		if (!re) {
			search_end(s);
			scene_keep_visible(s->sc);
			return 0;
		}
		s->sc->open[PANE_CHAIN] = s->sc->open[PANE_STEPS] = false;
		search_begin(s, re);
		if (s->find && !s->find->hits && !s->find->bits && scene_make_all_rows(s->sc))
			search_begin(s, re);
		if (s->match.working)
			return 1;
		if (!s->find)
			return -1;
		if (!s->find->hits) {
			if (s->match.expensive)
				regex_gave_up(re);
			search_end(s);
			return 0;
		}
		go_to_hit(s, hit_here(s), false);
	} else if (s->find) {
		if (s->at.track != ROWS_NONE && cursor_in(s->sc, s->at.track, s->at.i))
			go_to_hit(s, find_step(s->find, s->sc->cap->dump, s->sc->cursor.at, s->at, dir),
			    true);
		else /* the cursor was moved: continue from there */
			go_to_hit(s,
			    find_step(s->find, s->sc->cap->dump,
				dir > 0 ? s->sc->cursor.at : s->sc->cursor.at - 1, nowhere, dir),
			    true);
	} else {
		return s->match.working ? 1 : -1;
	}
	return s->find->hits > INT_MAX ? INT_MAX : (int)s->find->hits;
}

/* --- sums by name --- */

VEC_ORDER_POINTERS(by_total, struct window_name, DOWN(total) UP(name));

/* Sorts the names that match by total time. */
static void sort_names(struct search *s)
{
	s->sorted = xcalloc(s->names.nnames + 1, sizeof *s->sorted);
	s->nsorted = 0;
	for (size_t i = 0; i < s->names.nnames; i++)
		if (s->names.names[i].name < s->name_hit_n && s->name_hit[s->names.names[i].name])
			s->sorted[s->nsorted++] = &s->names.names[i];
	qsort(s->sorted, s->nsorted, sizeof *s->sorted, by_total);
}

static uint32_t key_of_hit(const void *search, uint32_t track, size_t event)
{
	const struct search *s = search;
	const struct track *t = scene_track(s->sc, track);
	size_t k;

	return matches_slot(&s->match, track, &k) && find_holds(s->find, t, k, event) ? track_meta(t, event)
										      : WINDOW_OUT;
}

/* Continues a query; when it is complete, goes to the first hit. */
static bool match_step(struct search *s, int budget_ms)
{
	char hint[128];

	s->sc->view->stale = true;
	if (matches_step(s->sc, &s->match, budget_ms))
		return true;
	s->find = s->match.find;
	s->sc->open[PANE_HITS] = s->find;
	s->match.find = NULL;
	if (!s->find->hits) {
		if (s->match.expensive)
			app_error(s->sc->view->app, "%s", s->match.why.msg);
		else
			app_say(s->sc->view->app, "/%.200s: not found%s", s->pattern,
			    query_hint(s->pattern, hint, sizeof hint));
		search_end(s);
		return false;
	}
	search_ready(s);
	go_to_hit(s, hit_here(s), false);
	return true;
}

/* Sums by name over the whole run, once. */
static bool names_step(struct search *s, int budget_ms)
{
	const struct trace *trace = &s->sc->cap->dump->trace;

	if (!s->names_begun) {
		window_begin(&s->names, s->sc->cap->dump, s->match.tracks, s->match.ntracks, trace->first,
		    trace->last + 1);
		if (s->find->bits) /* of a query, only some events of a name may be hits */
			s->names.keys = (struct window_keys){ .of = key_of_hit, .ctx = s };
		s->names_begun = true;
	}
	if (window_step(&s->names, budget_ms))
		return true;
	sort_names(s);
	hit_list_name(&s->list, s->sorted, s->nsorted);
	s->names_done = true;
	s->sc->view->stale = true;
	return false;
}

bool search_step(struct search *s, int budget_ms)
{
	if (s->match.working)
		return match_step(s, budget_ms);
	if (!s->find || s->sc->lay.pane.h <= 0)
		return false;
	if (hit_list_step(&s->list, s->find, budget_ms))
		return true;
	return !s->names_done && names_step(s, budget_ms);
}

void search_finish(struct search *s)
{
	hit_list_step(&s->list, s->find, -1);
	while (!s->names_done)
		names_step(s, -1);
}

bool search_scroll(struct search *s, int pages)
{
	if (scene_pane(s->sc) != PANE_HITS)
		return false;
	sheet_scroll(&s->list.hits, pages);
	return true;
}

unsigned search_sort(struct search *s, enum action a, int count)
{
	if (scene_pane(s->sc) != PANE_HITS)
		return ACT_PASS;
	for (int i = 0; i < count; i++)
		sheet_act(&s->list.hits, a, 1);
	return REACT_REDRAW;
}

void search_open(struct search *s, struct scene *sc)
{
	s->sc = sc;
	hit_list_open(&s->list, sc);
}

void search_close(struct search *s)
{
	search_end(s);
	hit_list_close(&s->list);
}

/* Repeats the search on the current rows. */
void search_again(struct search *se)
{
	char *pattern = xstrdup(se->pattern);
	struct regex *re = query_regex(pattern, NULL);

	search_end(se);
	if (re)
		search_find(se, re, 0);
	regex_free(re);
	free(pattern);
}

void search_realign(struct search *s)
{
	free(s->strip);
	s->strip = NULL;
	if (!s->find)
		return;
	s->find->shift = scene_shifts(s->sc);
	hit_list_forget(&s->list);
	if (s->names_done)
		hit_list_name(&s->list, s->sorted, s->nsorted);
	if (s->at.track != ROWS_NONE)
		search_here(s, s->at, false);
}
