#include "config.h"

#include "view/timeline/search/hits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/interval/window.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "view/timeline/search/internal.h"
#include "view/timeline/viewport/utc.h"

/* from this width on, names are shown, too, with this many columns */
enum { NAMES_W = 50, SPLIT = 100 };
enum { UTC_DECIMALS = 9, EVENTS_PER_MS = 200000 };

/* --- columns --- */

struct hit_row {
	const struct scene *sc;
	const struct find *find;
	struct find_pos pos;
};

struct name_row {
	const struct dump *dump;
	const struct window_name *of;
};

static const struct track *track_of(const struct hit_row *r)
{
	return scene_track(r->sc, r->pos.track);
}

static const struct plane *plane_of(const struct hit_row *r)
{
	return &r->sc->cap->dump->trace.planes[track_of(r)->plane];
}

static int64_t start_of(const struct hit_row *r)
{
	return track_start(track_of(r), r->pos.i) + scene_shift_of(r->sc, track_of(r)->plane);
}

static struct cell utc_of(const struct hit_row *r, struct arena *text)
{
	int64_t anchor = utc_anchor(r->sc->cap->dump);
	char buf[48];

	return anchor ? arena_cell(text, utc_text(anchor, start_of(r), UTC_DECIMALS, false, buf, sizeof buf))
		      : cell_null();
}

/* The section that a track is in: "TPU:0", "host"; where there are several hosts, "w-1 TPU:0". */
static struct cell section_of(const struct hit_row *h, struct arena *text)
{
	bool hosts = h->sc->cap->dump->nhosts > 1 && h->sc->host < 0;
	const struct rows *r = &h->sc->rows;
	uint32_t i = h->pos.track < r->ntracks ? r->node_of[h->pos.track] : ROWS_NONE;

	for (; i != ROWS_NONE; i = r->v[i].parent) {
		const struct rows_node *v = &r->v[i];
		size_t len;
		const char *host;
		char buf[160];

		if (v->kind != NODE_DEVICE && v->kind != NODE_THREADS)
			continue;
		if (!hosts || v->parent == ROWS_NONE)
			return cell_str(v->name, v->len);
		host = scene_host_name(h->sc, h->sc->cap->dump->trace.planes[v->plane].host, &len);
		snprintf(buf, sizeof buf, "%.*s %.*s", len < 60 ? (int)len : 60, host,
		    v->len < 80 ? (int)v->len : 80, v->name);
		return arena_cell(text, buf);
	}
	return cell_null();
}

#define SCHEMA hits
#define SCHEMA_ROW struct hit_row
#define SCHEMA_DEF "view/timeline/search/hits.def"
#include "result/schema_def.h"
const struct schema hit_list_schema = { SCHEMA_COLUMNS(hits_columns) };

#define SCHEMA names
#define SCHEMA_ROW struct name_row
#define SCHEMA_DEF "view/timeline/search/names.def"
#include "result/schema_def.h"
const struct schema hit_names_schema = { SCHEMA_COLUMNS(names_columns) };

/* --- the longest of them --- */

bool hit_longer(const struct scene *sc, struct find_pos a, struct find_pos b)
{
	int64_t x = track_dur(scene_track(sc, a.track), a.i), y = track_dur(scene_track(sc, b.track), b.i);

	if (x != y)
		return x > y;
	return a.track != b.track ? a.track < b.track : a.i < b.i;
}

static void sift_down(struct hit_list *l)
{
	for (size_t i = 0, to = 0;; i = to) {
		struct find_pos p = l->v[i];

		for (size_t c = 2 * i + 1; c <= 2 * i + 2 && c < l->n; c++)
			to = hit_longer(l->sc, l->v[to], l->v[c]) ? c : to;
		if (to == i)
			return;
		l->v[i] = l->v[to];
		l->v[to] = p;
	}
}

static void add_longest(struct hit_list *l, struct find_pos p)
{
	size_t i = l->n;

	if (l->n == HITS_MOST) {
		if (!hit_longer(l->sc, p, l->v[0]))
			return;
		l->v[0] = p;
		sift_down(l);
		return;
	}
	for (l->n++; i && hit_longer(l->sc, l->v[(i - 1) / 2], p); i = (i - 1) / 2)
		l->v[i] = l->v[(i - 1) / 2];
	l->v[i] = p;
}

static void look_through(struct hit_list *l, const struct find *f, size_t k)
{
	const struct track *t = scene_track(l->sc, f->tracks[k]);
	const uint32_t *before = f->blocks[k].before;

	for (size_t b = 0; f->track_hits[k] && b * FIND_BLOCK < t->n; b++) {
		size_t end = (b + 1) * FIND_BLOCK < t->n ? (b + 1) * FIND_BLOCK : t->n;

		for (size_t i = b * FIND_BLOCK; before[b] != before[b + 1] && i < end; i++)
			if (find_holds(f, t, k, i))
				add_longest(l, (struct find_pos){ f->tracks[k], i });
	}
}

static int by_length(const void *pa, const void *pb, void *sc)
{
	const struct find_pos *a = pa, *b = pb;

	return hit_longer(sc, *a, *b) ? -1 : hit_longer(sc, *b, *a);
}

static void fill_hit_table(struct hit_list *l, const struct find *f)
{
	struct hit_row r = { .sc = l->sc, .find = f };

	qsort_r(l->v, l->n, sizeof *l->v, by_length, l->sc);
	table_begin(&l->hit_table, &hit_list_schema);
	for (size_t i = 0; i < l->n; i++) {
		r.pos = l->v[i];
		table_add(&l->hit_table, &r);
	}
	sheet_set_rows(&l->hits,
	    &(struct sheet_rows){ .table = &l->hit_table, .of = l->v, .size = sizeof *l->v });
}

bool hit_list_step(struct hit_list *l, const struct find *f, int budget_ms)
{
	size_t events = 0;

	if (l->complete)
		return false;
	if (!l->v)
		l->v = xcalloc(HITS_MOST, sizeof *l->v);
	while (l->looked < f->ntracks) {
		events += scene_track(l->sc, f->tracks[l->looked])->n;
		look_through(l, f, l->looked++);
		if (budget_ms >= 0 && events > (size_t)budget_ms * EVENTS_PER_MS)
			return true;
	}
	fill_hit_table(l, f);
	l->complete = true;
	l->sc->view->stale = true;
	return false;
}

void hit_list_name(struct hit_list *l, const struct window_name *const *v, size_t n)
{
	struct name_row r = { .dump = l->sc->cap->dump };

	table_begin(&l->name_table, &hit_names_schema);
	for (size_t i = 0; i < n; i++) {
		r.of = v[i];
		table_add(&l->name_table, &r);
	}
	sheet_set_rows(&l->names,
	    &(struct sheet_rows){ .table = &l->name_table, .of = v, .size = sizeof *v });
	l->named = true;
}

void hit_list_here(struct hit_list *l, struct find_pos p, bool follow)
{
	l->here = p;
	l->follow = follow;
}

/* --- drawing --- */

static bool is_here(const struct hit_list *l, size_t row)
{
	const struct find_pos *p = sheet_of(&l->hits, row);

	return p && p->track == l->here.track && p->i == l->here.i;
}

static void mark_hit(const void *ctx, size_t row, struct canvas *cv, struct rect r)
{
	if (!is_here(ctx, row))
		return;
	canvas_put(cv, r.y, r.x, '>', ROLE_TEXT, 0);
	canvas_role(cv, r, ROLE_SELECTED, 0);
}

static bool hit_is_named(const struct hit_list *l, size_t row)
{
	const struct window_name *const *w = sheet_of(&l->names, row);
	const struct track *k = l->here.track != ROWS_NONE ? scene_track(l->sc, l->here.track) : NULL;

	return w && k && (*w)->name == l->sc->cap->dump->trace.metas[track_meta(k, l->here.i)].name;
}

static void mark_name(const void *ctx, size_t row, struct canvas *cv, struct rect r)
{
	if (hit_is_named(ctx, row))
		canvas_put(cv, r.y, r.x, '>', ROLE_MARK, ATTR_BOLD);
}

/* Scrolls to a line, in the order shown. */
static void scroll_to(const struct hit_list *l, struct sheet *s, bool (*is)(const struct hit_list *, size_t))
{
	for (size_t i = 0; i < s->list.n; i++)
		if (is(l, s->order[i])) {
			s->list.at = i;
			list_fit(&s->list, s->list.rows);
			s->list.at = s->list.top;
			return;
		}
}

/* Draws a sheet that is `still`: its position is its first visible line. */
static void draw_sheet(struct hit_list *l, struct sheet *s, struct canvas *cv, struct rect r,
    bool (*is)(const struct hit_list *, size_t))
{
	if (!s->table) {
		canvas_glyph(cv, r.y + 1, r.x + 1, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	s->list.rows = r.h - 1;
	if (l->follow)
		scroll_to(l, s, is);
	sheet_draw(s, cv, r);
}

static void draw_title(const struct search *s, struct canvas *cv, struct rect r)
{
	char left[160], right[128], a[32], b[32], c[32];
	bool some = s->find->hits > HITS_MOST;

	snprintf(left, sizeof left, "hits of /%.120s/", s->pattern);
	snprintf(right, sizeof right, "%s%s of %s events   %s %s", some ? "the longest of " : "",
	    units_count(a, sizeof a, s->find->hits), units_count(b, sizeof b, s->sc->cap->dump->trace.events),
	    units_count(c, sizeof c, s->find->names), s->find->names == 1 ? "name" : "names");
	scene_pane_title(s->sc, cv, r, left, strlen(left), right);
}

void search_draw(struct search *s, struct canvas *cv, struct rect r)
{
	struct hit_list *l = &s->list;
	int names = r.w >= SPLIT ? NAMES_W : 0;
	struct rect old = canvas_clip(cv, r);

	draw_title(s, cv, r);
	sheet_hide(&l->hits, "start_ps", scene_utc(s->sc));
	sheet_hide(&l->hits, "start_utc", !scene_utc(s->sc));
	if (names)
		draw_sheet(l, &l->names, cv, (struct rect){ r.y + 1, r.x, r.h - 1, names }, hit_is_named);
	draw_sheet(l, &l->hits, cv, (struct rect){ r.y + 1, r.x + names, r.h - 1, r.w - names }, is_here);
	l->follow = false;
	canvas_clip(cv, old);
}

/* --- opening --- */

void hit_list_open(struct hit_list *l, struct scene *sc)
{
	l->sc = sc;
	l->here.track = ROWS_NONE;
	sheet_open(&l->hits, &hit_list_schema, NULL, "duration_ps");
	sheet_open(&l->names, &hit_names_schema, NULL, "total_ps");
	l->hits.still = l->names.still = true;
	l->hits.mark = mark_hit;
	l->names.mark = mark_name;
	l->hits.ctx = l->names.ctx = l;
}

void hit_list_forget(struct hit_list *l)
{
	sheet_set(&l->hits, NULL);
	sheet_set(&l->names, NULL);
	table_free(&l->hit_table);
	table_free(&l->name_table);
	free(l->v);
	l->v = NULL;
	l->n = l->looked = 0;
	l->complete = l->named = l->follow = false;
	l->here.track = ROWS_NONE;
}

void hit_list_close(struct hit_list *l)
{
	hit_list_forget(l);
	sheet_free(&l->hits);
	sheet_free(&l->names);
}
