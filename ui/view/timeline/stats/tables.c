#include "config.h"

#include "view/timeline/stats/internal.h"

#include <string.h>

#include "analyze/device/kinds.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "result/cell_text.h"

enum { TRACKS_BELOW = 4, BOTH_ROWS = 14, COPY_DIGITS = 10 };

/* --- columns --- */

struct name_row {
	const struct dump *dump;
	const struct window_name *of;
	double all; /* ps, sum over all tracks */
};

struct track_row {
	const struct scene *sc;
	const struct interval_track *of;
	int64_t span;
};

static struct cell ps_cell(int64_t ps)
{
	return ps < 0 ? cell_null() : cell_int(ps);
}

/* "TPU:0", followed by the line unless it is the ops'; for a host only the thread; prefixed by "w-1" if there
 * are several hosts. */
static struct cell track_name(const struct scene *sc, uint32_t track, struct arena *text)
{
	char buf[256];
	const char *host = "";
	size_t host_len = 0;
	const struct track *k = scene_track(sc, track);
	const struct strtab *str = &sc->cap->dump->str;
	const struct plane *p = &sc->cap->dump->trace.planes[k->plane];
	struct slice label = plane_label(strtab_text(str, p->name));
	const char *plane = label.s, *name = strtab_str(str, k->name);
	size_t plane_len = p->kind == PLANE_HOST ? 0 : label.n, len = strtab_len(str, k->name);

	if (plane_len && k->role == TRACK_OPS)
		len = 0;
	if (sc->cap->dump->nhosts > 1 && sc->host < 0)
		host = scene_host_name(sc, p->host, &host_len);
	snprintf(buf, sizeof buf, "%.*s%s%.*s%s%.*s", (int)utf8_head(host, host_len, 60), host,
	    host_len ? " " : "", (int)utf8_head(plane, plane_len, 80), plane, plane_len && len ? " " : "",
	    (int)utf8_head(name, len, 100), name);
	return arena_cell(text, buf);
}

static const struct plane *plane_of(const struct track_row *r)
{
	return &r->sc->cap->dump->trace.planes[scene_track(r->sc, r->of->track)->plane];
}

static struct cell host_of(const struct track_row *r)
{
	const struct dump *d = r->sc->cap->dump;
	int host = plane_of(r)->host;

	return host < 0 ? cell_null() : cell_strid(&d->str, d->hosts[host].name);
}

#define SCHEMA names
#define SCHEMA_ROW struct name_row
#define SCHEMA_DEF "view/timeline/stats/names.def"
#include "result/schema_def.h"
const struct schema statistics_name_schema = { SCHEMA_COLUMNS(names_columns),
	.view = "name count total_ps self_ps self_percent mean_ps min_ps max_ps p50_ps p99_ps kind" };

#define SCHEMA tracks
#define SCHEMA_ROW struct track_row
#define SCHEMA_DEF "view/timeline/stats/tracks.def"
#include "result/schema_def.h"
const struct schema statistics_track_schema = { SCHEMA_COLUMNS(tracks_columns),
	.view = "track host plane line events busy_ps busy_percent gaps total_gap_ps longest_gap_ps "
		"longest_gap_at_ps" };

/* --- tables --- */

void statistics_name_table(const struct scene *sc, const struct window *w, size_t ntracks, size_t most,
    struct table *t)
{
	struct name_row r = { .dump = sc->cap->dump, .all = (double)(w->t1 - w->t0) * (double)ntracks };

	table_begin(t, &statistics_name_schema);
	for (size_t i = 0; i < w->nnames && i < most; i++) {
		r.of = &w->names[i];
		table_add(t, &r);
	}
}

void statistics_track_table(const struct scene *sc, const struct interval *v, struct table *t)
{
	struct track_row r = { .sc = sc, .span = v->t1 - v->t0 };

	table_begin(t, &statistics_track_schema);
	for (size_t i = 0; i < v->ntracks; i++) {
		r.of = &v->tracks[i];
		table_add(t, &r);
	}
}

static void draw_swatch(const void *ctx, size_t row, struct canvas *cv, struct rect r)
{
	const struct window_name *w = sheet_of(&((const struct statistics *)ctx)->names, row);

	if (cv->mono)
		canvas_put(cv, r.y, r.x + 1, (uint32_t)class_info(w->class)->letter, ROLE_TEXT, 0);
	else if (w->class != CLASS_WAIT)
		canvas_put(cv, r.y, r.x + 1, ' ', (enum role)(ROLE_FILL_MATMUL + w->class), 0);
}

void statistics_open(struct statistics *s)
{
	sheet_open(&s->names, &statistics_name_schema, NULL, "self_ps");
	sheet_open(&s->tracks, &statistics_track_schema, NULL, NULL);
	s->names.still = s->tracks.still = true;
	s->names.lead = s->tracks.lead = 2;
	s->names.mark = draw_swatch;
	s->names.ctx = s;
}

void statistics_drop_tables(struct statistics *s)
{
	if (!s->made)
		return;
	sheet_set(&s->names, NULL);
	sheet_set(&s->tracks, NULL);
	table_free(&s->name_table);
	table_free(&s->track_table);
	s->made = false;
}

void statistics_want(struct statistics *s)
{
	size_t names = s->names.list.top, tracks = s->tracks.list.top;

	if (s->made || !s->has)
		return;
	statistics_name_table(s->sc, &s->shown.window, s->shown.ntracks, SIZE_MAX, &s->name_table);
	statistics_track_table(s->sc, &s->shown, &s->track_table);
	sheet_set_rows(&s->names,
	    &(struct sheet_rows){ .table = &s->name_table,
		.of = s->shown.window.names,
		.size = sizeof *s->shown.window.names });
	sheet_set(&s->tracks, &s->track_table);
	s->names.list.at = s->names.list.top = names;
	s->tracks.list.at = s->tracks.list.top = tracks;
	s->made = true;
}

/* --- drawing --- */

static void tracks_text(const struct statistics *st, char *buf, size_t size)
{
	size_t n;

	statistics_tracks(st, &n);
	if (statistics_picked(st))
		snprintf(buf, size, "%zu events of %zu %s", st->sc->picks.n, n, n == 1 ? "track" : "tracks");
	else if (st->sc->picks.ntracks)
		snprintf(buf, size, "%zu selected %s", n, n == 1 ? "track" : "tracks");
	else if (st->nthreads)
		snprintf(buf, size, "the core runs nothing: %zu %s of its host", n,
		    n == 1 ? "thread" : "threads");
	else if (st->sc->rows.threads_only)
		snprintf(buf, size, "%zu %s", n, n == 1 ? "thread" : "threads");
	else
		snprintf(buf, size, "ops of %zu %s", n, n == 1 ? "core" : "cores");
}

static void draw_names(struct statistics *s, struct canvas *cv, struct rect r)
{
	const struct interval *v = &s->shown;
	char of[64], cut[96] = "";

	sheet_draw(&s->names, cv, (struct rect){ r.y, r.x, r.h > 2 ? r.h - 1 : r.h, r.w });
	if (r.h < 3)
		return;
	tracks_text(s, of, sizeof of);
	if (v->cut)
		snprintf(cut, sizeof cut, "; %llu %s cut at an end (only the part inside counts)",
		    (unsigned long long)v->cut, v->cut == 1 ? "event" : "events");
	canvas_fmt(cv, r.y + r.h - 1, r.x + 3, r.w - 4, ROLE_DIM, 0, "%s%s%s", of,
	    s->sc->filtered ? "; busy time and gaps are of all events" : "", cut);
}

/* Draws as many tracks as fit below the names. */
static void draw_first_tracks(struct statistics *s, struct canvas *cv, struct rect r)
{
	size_t rows = (size_t)r.h - 1, n = s->shown.ntracks;

	s->tracks.list.at = s->tracks.list.top = 0;
	if (n > rows) {
		r.h--;
		canvas_fmt(cv, r.y + r.h, r.x + 3, r.w - 4, ROLE_DIM, 0, "%zu more tracks (i)", n - rows + 1);
	}
	sheet_draw(&s->tracks, cv, r);
}

static void draw_union(struct statistics *st, struct canvas *cv, struct rect r)
{
	const struct interval *v = &st->shown;
	char busy[48], text[200];
	int64_t span = v->t1 - v->t0;

	if (!v->has_union || v->occupied < 0)
		return;
	units_time_exact(busy, sizeof busy, v->occupied, scene_ascii(st->sc));
	snprintf(text, sizeof text, "Any of %zu %s busy: %s, %.4f %%", v->ntracks,
	    v->ntracks == 1 ? "track" : "tracks", busy, span ? 100 * (double)v->occupied / (double)span : 0);
	canvas_str(cv, r.y + r.h - 1, r.x + 3, r.w - 4, ROLE_DIM, 0, text);
}

static bool fits_title(struct rect r, const char *left, const char *right)
{
	return utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) + 9 <= r.w;
}

/* Parts that do not fit are dropped: first words of the name, then the times; a name given by the user is
 * cut. */
static void draw_title(struct statistics *st, struct canvas *cv, struct rect r)
{
	const char *note = st->by_track ? "busy time and gaps of all events" : "what passes the filter";
	const struct mark *m = marks_current(st->marks);
	const char *name = m ? m->name : "what is in view";
	char a[48], b[48], sum[48], left[160], right[120];
	int64_t t0, t1;

	statistics_interval(st, &t0, &t1);
	scene_time_exact(st->sc, t0, a, sizeof a);
	if (scene_utc(st->sc))
		a[strlen(a) - strlen(" UTC")] = '\0'; /* the other end has it */
	snprintf(right, sizeof right, "%s  to  %s", a, scene_time_exact(st->sc, t1, b, sizeof b));
	if (st->sc->filtered)
		snprintf(left, sizeof left, "%s: %s", note, name);
	else
		snprintf(left, sizeof left, m ? "marked: %s" : "statistics of %s", name);
	if (statistics_picked(st))
		snprintf(left, sizeof left, "%s%zu selected events: sum %s",
		    st->sc->picks.cut ? "the first " : "", st->sc->picks.n,
		    units_time_exact(sum, sizeof sum, picks_sum(st->sc), scene_ascii(st->sc)));
	else if (!fits_title(r, left, right))
		snprintf(left, sizeof left, "%s", st->sc->filtered ? note : name);
	if ((st->sc->filtered || !m) && !fits_title(r, left, right))
		*right = '\0';
	scene_pane_title(st->sc, cv, r, left, strlen(left), right);
}

void statistics_draw(struct statistics *s, struct canvas *cv, struct rect r)
{
	struct rect body = { r.y + 1, r.x, r.h - 1, r.w };
	int below = (int)(s->shown.ntracks < TRACKS_BELOW ? s->shown.ntracks : TRACKS_BELOW) + 1;

	draw_title(s, cv, r);
	if (!s->has) {
		canvas_glyph(cv, body.y, r.x + 1, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	statistics_want(s);
	if (s->by_track) {
		sheet_draw(&s->tracks, cv, (struct rect){ body.y, body.x, body.h - 1, body.w });
		draw_union(s, cv, body);
	} else if (r.h >= BOTH_ROWS) {
		draw_names(s, cv, (struct rect){ body.y, body.x, body.h - below, body.w });
		draw_first_tracks(s, cv, (struct rect){ body.y + body.h - below, body.x, below, body.w });
	} else {
		draw_names(s, cv, body);
	}
}

/* --- status, copy --- */

/* If both halves do not fit, the left one is shortened: the title has the tracks, and the length can be
 * seen. */
void statistics_status(struct statistics *s, char *left, char *right, size_t size)
{
	const struct sheet *sheet = statistics_sheet(s);
	size_t n = sheet->list.n, top = sheet->list.top,
	       rows = sheet->list.rows > 0 ? (size_t)sheet->list.rows : 1,
	       last = top + rows < n ? top + rows : n;
	char time[48], of[64] = "", steps[160] = "", by[64];
	int64_t t0, t1;
	bool marked = statistics_interval(s, &t0, &t1);
	int room = s->sc->lay.area.w - 7;

	if (marked)
		statistics_steps(s, t0, t1, steps, sizeof steps);
	sheet_sorted(sheet, by, sizeof by);
	snprintf(right, size, "%s%s%zu-%zu of %zu %s", by, *by ? "   " : "", n ? top + 1 : 0, last, n,
	    s->by_track ? "tracks" : "names");
	tracks_text(s, of, sizeof of);
	for (;;) {
		snprintf(left, size, "%s %s%s%s%s%s%s", marked ? "marked" : "in view",
		    units_time_exact(time, sizeof time, t1 - t0, scene_ascii(s->sc)), *steps ? " = " : "",
		    steps, *of ? ", " : "", of, s->has && statistics_current(s, &s->shown) ? "" : " ...");
		if (utf8_cols(left, strlen(left)) + utf8_cols(right, strlen(right)) <= room)
			return;
		if (*of)
			*of = '\0';
		else if (strlen(right) > strlen(by))
			snprintf(right, size, "%s", by);
		else if (*steps)
			*steps = '\0';
		else
			return;
	}
}

/* The events that are selected, one a line, and their sum. */
static void copy_picks(const struct scene *sc, FILE *f)
{
	struct arena text = { 0 };

	fprintf(f, "track\tname\tstart_ps\tduration_ps\n");
	for (size_t i = 0; i < sc->picks.n; i++) {
		const struct pick *p = &sc->picks.v[i];
		const struct track *k = scene_track(sc, p->track);
		struct cell track = track_name(sc, p->track, &text),
			    name = cell_strid(&sc->cap->dump->str,
				sc->cap->dump->trace.metas[track_meta(k, p->event)].name);

		cell_file(f, &track, COPY_DIGITS);
		fputc('\t', f);
		cell_file(f, &name, COPY_DIGITS);
		fprintf(f, "\t%lld\t%lld\n",
		    (long long)(track_start(k, p->event) + scene_shift_of(sc, k->plane)),
		    (long long)track_dur(k, p->event));
	}
	fprintf(f, "sum\t\t\t%lld\n\n", (long long)picks_sum(sc));
	arena_free(&text);
}

int statistics_copy(struct statistics *s, FILE *f)
{
	if (!s->sc->open[PANE_STATS] || !s->has)
		return -1;
	statistics_drop_tables(s);
	interval_step(&s->shown, -1);
	statistics_want(s);
	if (statistics_picked(s))
		copy_picks(s->sc, f);
	fprintf(f, "interval\t%lld\t%lld\tps\n", (long long)s->shown.t0, (long long)s->shown.t1);
	sheet_copy_rows(&s->names, f);
	fputc('\n', f);
	sheet_copy_rows(&s->tracks, f);
	if (s->shown.occupied >= 0)
		fprintf(f, "any busy\t\t%lld\n", (long long)s->shown.occupied);
	return ferror(f) ? -1 : 0;
}
