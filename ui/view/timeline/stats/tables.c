#include "config.h"

#include "view/timeline/stats/internal.h"

#include <string.h>

#include "analyze/device/classify.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

/* Columns of the two tables.  Those with the largest `drop` go first where there is no room; the one sorted
 * by never goes. */

enum { TRACKS_BELOW = 4, BOTH_ROWS = 14, NAME_LEAST = 20, COLUMNS_MAX = 10 };

struct stats_column {
	const char *title;
	int width, drop;
	bool unit;
};

static const struct stats_column name_column[N_KEYS] = {
	{ "name", 0, 0, false },
	{ "count", 8, 0, false },
	{ "total", 11, 4, true },
	{ "self", 11, 0, true },
	{ "mean", 11, 5, true },
	{ "min", 11, 9, true },
	{ "max", 11, 6, true },
	{ "p50", 11, 8, true },
	{ "p99", 11, 7, true },
	{ "share %", 8, 0, false },
};
static const struct stats_column track_column[T_KEYS] = {
	{ "track", 0, 0, false },
	{ "events", 9, 5, false },
	{ "busy", 11, 4, true },
	{ "busy %", 11, 0, false },
	{ "gaps", 10, 0, false },
	{ "total gap", 14, 6, true },
	{ "longest gap", 17, 0, true },
	{ "at", 13, 3, true },
};

struct stats_table {
	const struct stats_column *column;
	int n, name_w, width[COLUMNS_MAX];
	bool on[COLUMNS_MAX];
	enum time_unit unit[COLUMNS_MAX];
};

/* --- the tables --- */

/* most: the largest number that its first column, a count, may have to hold. */
static void fit_columns(struct stats_table *k, int w, int sorted, uint64_t most)
{
	int sum = NAME_LEAST, digits = snprintf(NULL, 0, "%llu", (unsigned long long)most);

	for (int i = 1; i < k->n; i++) {
		k->on[i] = true;
		k->width[i] = i == 1 && digits >= k->column[i].width ? digits + 1 : k->column[i].width;
		sum += k->width[i];
	}
	while (sum > w) {
		int worst = 0;

		for (int i = 1; i < k->n; i++)
			if (k->on[i] && i != sorted && k->column[i].drop > k->column[worst].drop)
				worst = i;
		if (!worst)
			break;
		k->on[worst] = false;
		sum -= k->width[worst];
	}
	k->name_w = w - sum + NAME_LEAST;
}

static void draw_head(const struct scene *sc, struct canvas *cv, int y, int x, const struct stats_table *k,
    const char *first, int sorted)
{
	char text[48];

	canvas_cut(cv, y, x, k->name_w, ROLE_TEXT, ATTR_UNDERLINE | (sorted ? 0 : ATTR_BOLD), first,
	    strlen(first));
	x += k->name_w;
	for (int i = 1; i < k->n; i++) {
		if (!k->on[i])
			continue;
		x += k->width[i];
		snprintf(text, sizeof text, "%s%s%s", k->column[i].title, k->column[i].unit ? " " : "",
		    k->column[i].unit ? unit_name(k->unit[i], scene_ascii(sc)) : "");
		canvas_right(cv, y, x, ROLE_TEXT, ATTR_UNDERLINE | (i == sorted ? ATTR_BOLD : 0), text);
	}
}

/* Right in its column, with a blank before it, never over the one to the left. */
static void draw_cell(struct canvas *cv, int y, int xend, int width, enum role role, const char *text)
{
	int n = utf8_cols(text, strlen(text));

	n = n < width ? n : width - 1;
	canvas_cut(cv, y, xend - n, n, role, 0, text, strlen(text));
}

/* Of the values in sight; what is 0 or not known asks for none. */
struct range {
	int64_t least, most;
};

static void widen(struct range *r, int64_t ps)
{
	if (ps <= 0)
		return;
	r->least = !r->least || ps < r->least ? ps : r->least;
	r->most = ps > r->most ? ps : r->most;
}

static void name_text(const struct statistics *st, const struct interval *v, const struct window_name *w,
    int key, enum time_unit unit, char *buf, size_t size)
{
	double all = (double)(v->t1 - v->t0) * (double)v->ntracks;
	int64_t value = statistics_name_value(w, key);

	if (key == N_COUNT)
		snprintf(buf, size, "%llu", (unsigned long long)w->count);
	else if (key == N_SHARE)
		snprintf(buf, size, "%.2f", all > 0 ? 100 * (double)w->self / all : 0);
	else if (value < 0)
		*buf = '\0'; /* ranks not known yet */
	else
		units_time_cell(buf, size, value, unit, scene_ascii(st->sc));
}

static void draw_swatch(struct canvas *cv, int y, int x, int class)
{
	if (cv->mono)
		canvas_put(cv, y, x, (uint32_t)class_letter[class], ROLE_TEXT, 0);
	else if (class != CLASS_WAIT)
		canvas_put(cv, y, x, ' ', (enum role)(ROLE_FILL_MATMUL + class), 0);
}

static void draw_name(const struct statistics *st, struct canvas *cv, int y, int x,
    const struct stats_table *k, const struct interval *v, const struct window_name *w)
{
	const struct strtab *str = &st->sc->dump->str;
	char text[48];

	draw_swatch(cv, y, x, w->class);
	canvas_cut(cv, y, x + 2, k->name_w - 3, ROLE_TEXT, 0, strtab_str(str, w->name),
	    strtab_len(str, w->name));
	x += k->name_w;
	for (int i = 1; i < k->n; i++) {
		if (!k->on[i])
			continue;
		x += k->width[i];
		name_text(st, v, w, i, k->unit[i], text, sizeof text);
		draw_cell(cv, y, x, k->width[i], ROLE_TEXT, text);
	}
}

/* "TPU:0", and the line when it is not the ops'; of a host only the thread; "w-1" before it where hosts are
 * several. */
static void track_name(const struct scene *sc, uint32_t track, char *buf, size_t size)
{
	const char *host = "";
	size_t host_len = 0;
	const struct track *k = scene_track(sc, track);
	const struct strtab *str = &sc->dump->str;
	const struct plane *p = &sc->dump->trace.planes[k->plane];
	struct slice label = plane_label(strtab_text(str, p->name));
	const char *plane = label.s, *name = strtab_str(str, k->name);
	int plane_len = p->kind == PLANE_HOST ? 0 : (int)label.n, len = (int)strtab_len(str, k->name);

	if (plane_len && k->role == TRACK_OPS)
		len = 0;
	if (sc->dump->nhosts > 1 && sc->host < 0)
		host = scene_host_name(sc, p->host, &host_len);
	snprintf(buf, size, "%.*s%s%.*s%s%.*s", (int)(host_len < 60 ? host_len : 60), host,
	    host_len ? " " : "", plane_len > 80 ? 80 : plane_len, plane, plane_len && len ? " " : "",
	    len > 100 ? 100 : len, name);
}

static int64_t track_time(const struct interval *v, const struct interval_track *r, int key)
{
	return key == T_AT ? r->at - v->t0 : statistics_track_value(v, r, key);
}

/* none: stands for a gap that there is not. */
static void track_text(const struct statistics *st, const struct interval *v, const struct interval_track *r,
    int key, enum time_unit unit, const char *none, char *buf, size_t size)
{
	int64_t span = v->t1 - v->t0;

	if (key == T_EVENTS || key == T_GAPS)
		snprintf(buf, size, "%llu", (unsigned long long)(key == T_GAPS ? r->gaps : r->events));
	else if (key == T_PERCENT)
		snprintf(buf, size, "%.4f", span ? 100 * (double)r->busy / (double)span : 0);
	else if ((key == T_LONGEST || key == T_AT) && !r->gaps)
		snprintf(buf, size, "%s", none);
	else
		units_time_cell(buf, size, track_time(v, r, key), unit, scene_ascii(st->sc));
}

static void draw_track(const struct statistics *st, struct canvas *cv, int y, int x,
    const struct stats_table *k, const struct interval *v, const struct interval_track *r)
{
	char text[256];

	track_name(st->sc, r->track, text, sizeof text);
	canvas_cut(cv, y, x + 2, k->name_w - 3, ROLE_TEXT, 0, text, strlen(text));
	x += k->name_w;
	for (int i = 1; i < k->n; i++) {
		if (!k->on[i])
			continue;
		x += k->width[i];
		track_text(st, v, r, i, k->unit[i], "–", text, sizeof text);
		draw_cell(cv, y, x, k->width[i], ROLE_TEXT, text);
	}
}

static void whose(const struct statistics *st, char *buf, size_t size)
{
	size_t n;

	statistics_tracks(st, &n);
	if (st->sc->picks.ntracks)
		snprintf(buf, size, "%zu selected %s", n, n == 1 ? "track" : "tracks");
	else if (st->sc->rows.threads_only)
		snprintf(buf, size, "%zu %s", n, n == 1 ? "thread" : "threads");
	else
		snprintf(buf, size, "ops of %zu %s", n, n == 1 ? "core" : "cores");
}

/* The names below, summed as far as sums mean anything. */
static void draw_more(const struct statistics *s, struct canvas *cv, int y, int x,
    const struct stats_table *k, const struct interval *v, size_t from)
{
	struct window_name sum = { .min = INT64_MAX };
	char text[64];

	for (size_t i = from; i < v->window.nnames; i++) {
		const struct window_name *w = &v->window.names[s->order[i]];

		sum.count += w->count;
		sum.total += w->total;
		sum.self += w->self;
		sum.min = w->min < sum.min ? w->min : sum.min;
		sum.max = w->max > sum.max ? w->max : sum.max;
	}
	snprintf(text, sizeof text, "%zu more names (PgDn)", v->window.nnames - from);
	if ((int)strlen(text) > k->name_w - 3)
		*strchr(text, '(') = '\0';
	canvas_str(cv, y, x + 2, k->name_w - 3, ROLE_DIM, 0, text);
	x += k->name_w;
	for (int i = 1; i < k->n; i++) {
		if (!k->on[i])
			continue;
		x += k->width[i];
		if (i == N_P50 || i == N_P99)
			continue;
		name_text(s, v, &sum, i, k->unit[i], text, sizeof text);
		if (k->column[i].unit && (int)strlen(text) >= k->width[i]) /* the unit is of smaller ones */
			units_time(text, sizeof text, statistics_name_value(&sum, i), scene_ascii(s->sc));
		draw_cell(cv, y, x, k->width[i], ROLE_DIM, text);
	}
}

/* Nothing but zeros: as pieces of the interval would be told. */
static enum time_unit unit_of(const struct interval *v, const struct range *r)
{
	return r->most ? unit_for_column(r->least, r->most) : unit_for((v->t1 - v->t0) / 10);
}

static void name_units(const struct statistics *s, struct stats_table *k, size_t rows)
{
	const struct window *w = &s->shown.window;

	for (int key = 1; key < k->n; key++) {
		struct range r = { 0, 0 };

		for (size_t i = s->top; i < s->top + rows && i < w->nnames; i++)
			widen(&r, statistics_name_value(&w->names[s->order[i]], key));
		k->unit[key] = unit_of(&s->shown, &r);
	}
}

static void track_units(const struct statistics *s, struct stats_table *k, size_t top, size_t rows)
{
	const struct interval *v = &s->shown;

	for (int key = 1; key < k->n; key++) {
		struct range r = { 0, 0 };

		for (size_t i = top; i < top + rows && i < v->ntracks; i++)
			widen(&r, track_time(v, &v->tracks[s->order[v->window.nnames + i]], key));
		k->unit[key] = unit_of(&s->shown, &r);
	}
}

static void draw_names(struct statistics *s, struct canvas *cv, struct rect r)
{
	const struct interval *v = &s->shown;
	struct stats_table k = { .column = name_column, .n = N_KEYS };
	size_t n = v->window.nnames;
	char first[64], note[200];
	int rows = r.h - 2;
	bool more;

	whose(s, first, sizeof first);
	s->rows = rows > 0 ? (size_t)rows : 0;
	more = s->rows > 1 && n > s->top + s->rows;
	s->rows -= more;
	name_units(s, &k, s->rows);
	fit_columns(&k, r.w - 2, s->by_name_key, v->window.events);
	draw_head(s->sc, cv, r.y, r.x + 1, &k, first, s->by_name_key);
	if (more)
		draw_more(s, cv, r.y + 1 + (int)s->rows, r.x + 1, &k, v, s->top + s->rows);
	for (size_t i = 0; i < s->rows && s->top + i < n; i++)
		draw_name(s, cv, r.y + 1 + (int)i, r.x + 1, &k, v, &v->window.names[s->order[s->top + i]]);
	if (r.h < 3)
		return;
	snprintf(note, sizeof note, "%llu %s cut by an end count with the part inside.%s",
	    (unsigned long long)v->cut, v->cut == 1 ? "event" : "events",
	    k.on[N_P50] || k.on[N_P99] ? "  Percentiles are nearest rank." : "");
	canvas_str(cv, r.y + r.h - 1, r.x + 3, r.w - 4, ROLE_DIM, 0, note);
}

/* Returns how many are in sight; `key` shows the others. */
static size_t draw_tracks(struct statistics *s, struct canvas *cv, struct rect r, size_t top, const char *key)
{
	const struct interval *v = &s->shown;
	struct stats_table k = { .column = track_column, .n = T_KEYS };
	size_t rows = r.h > 1 ? (size_t)r.h - 1 : 0;

	if (rows > 1 && v->ntracks > top + rows) {
		rows--;
		canvas_fmt(cv, r.y + 1 + (int)rows, r.x + 3, r.w - 4, ROLE_DIM, 0, "%zu more tracks (%s)",
		    v->ntracks - top - rows, key);
	}
	track_units(s, &k, top, rows);
	fit_columns(&k, r.w - 2, s->by_track_key, v->window.events);
	draw_head(s->sc, cv, r.y, r.x + 1, &k, "track", s->by_track_key);
	for (size_t i = 0; i < rows && top + i < v->ntracks; i++)
		draw_track(s, cv, r.y + 1 + (int)i, r.x + 1, &k, v,
		    &v->tracks[s->order[v->window.nnames + top + i]]);
	return rows;
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

/* What has no room goes as a whole: first words of the name, then the times; a name that
 * somebody gave is cut. */
static void title(struct statistics *st, struct canvas *cv, struct rect r)
{
	static const char note[] = "all events, filter not applied";
	const struct mark *m = marks_current(st->marks);
	const char *name = m ? m->name : "what is in view";
	char a[48], b[48], left[160], right[120];
	int64_t t0, t1;

	statistics_interval(st, &t0, &t1);
	scene_time_exact(st->sc, t0, false, a, sizeof a);
	if (scene_utc(st->sc))
		a[strlen(a) - strlen(" UTC")] = '\0'; /* the other end says it */
	snprintf(right, sizeof right, "%s  to  %s", a, scene_time_exact(st->sc, t1, false, b, sizeof b));
	if (st->sc->filtered)
		snprintf(left, sizeof left, "%s: %s", note, name);
	else
		snprintf(left, sizeof left, m ? "marked interval: %s" : "statistics of %s", name);
	if (!fits_title(r, left, right))
		snprintf(left, sizeof left, "%s", st->sc->filtered ? note : name);
	if ((st->sc->filtered || !m) && !fits_title(r, left, right))
		*right = '\0';
	scene_pane_title(st->sc, cv, r, left, strlen(left), right);
}

void statistics_draw(struct statistics *s, struct canvas *cv, struct rect r)
{
	struct rect body = { r.y + 1, r.x, r.h - 1, r.w };
	int below = (int)(s->shown.ntracks < TRACKS_BELOW ? s->shown.ntracks : TRACKS_BELOW) + 1;

	title(s, cv, r);
	if (!s->has) {
		canvas_glyph(cv, body.y, r.x + 1, GLYPH_ELLIPSIS, ROLE_DIM, 0);
		return;
	}
	statistics_arrange(s);
	if (s->by_track) {
		s->rows =
		    draw_tracks(s, cv, (struct rect){ body.y, body.x, body.h - 1, body.w }, s->top, "PgDn");
		draw_union(s, cv, body);
	} else if (r.h >= BOTH_ROWS) {
		draw_names(s, cv, (struct rect){ body.y, body.x, body.h - below, body.w });
		draw_tracks(s, cv, (struct rect){ body.y + body.h - below, body.x, below, body.w }, 0, "i");
	} else {
		draw_names(s, cv, body);
	}
}

/* --- status, copy --- */

/* Where both halves do not fit: whose ops they are stands over the table, how far it is can be seen. */
void statistics_status(const struct statistics *s, char *left, char *right, size_t size)
{
	size_t n = statistics_lines(s), last = s->top + s->rows < n ? s->top + s->rows : n;
	char time[48], of[64] = "", steps[160] = "", by[64];
	int64_t t0, t1;
	bool marked = statistics_interval(s, &t0, &t1);
	int room = s->sc->lay.area.w - 7;

	if (marked)
		statistics_steps(s, t0, t1, steps, sizeof steps);
	snprintf(by, sizeof by, "by %s%s",
	    s->by_track ? track_column[s->by_track_key].title : name_column[s->by_name_key].title,
	    s->reverse ? " reversed" : "");
	snprintf(right, size, "%s   %zu-%zu of %zu %s", by, n ? s->top + 1 : 0, last, n,
	    s->by_track ? "tracks" : "names");
	whose(s, of, sizeof of);
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

static void copy_text(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc((unsigned char)s[i] < ' ' || s[i] == 0x7f ? ' ' : s[i], f);
}

static void copy_names(const struct statistics *s, FILE *f)
{
	const struct strtab *str = &s->sc->dump->str;

	fputs("name\tcount\ttotal_ps\tself_ps\tmean_ps\tmin_ps\tmax_ps\tp50_ps\tp99_ps\tshare_percent\n", f);
	for (size_t i = 0; i < s->shown.window.nnames; i++) {
		const struct window_name *w = &s->shown.window.names[s->order[i]];
		char share[48];

		copy_text(f, strtab_str(str, w->name), strtab_len(str, w->name));
		for (int key = N_COUNT; key <= N_P99; key++)
			fprintf(f, "\t%lld", (long long)statistics_name_value(w, key));
		name_text(s, &s->shown, w, N_SHARE, UNIT_PS, share, sizeof share);
		fprintf(f, "\t%s\n", share);
	}
}

int statistics_copy(struct statistics *s, FILE *f)
{
	char name[256];

	if (!s->sc->open[PANE_STATS] || !s->has)
		return -1;
	interval_step(&s->shown, -1);
	statistics_arrange(s);
	fprintf(f, "interval\t%lld\t%lld\tps\n", (long long)s->shown.t0, (long long)s->shown.t1);
	copy_names(s, f);
	fputs("\ntrack\tevents\tbusy_ps\tbusy_percent\tgaps\ttotal_gap_ps\tlongest_gap_ps\tat_ps\n", f);
	for (size_t i = 0; i < s->shown.ntracks; i++) {
		const struct interval_track *r = &s->shown.tracks[s->order[s->shown.window.nnames + i]];
		char text[64];

		track_name(s->sc, r->track, name, sizeof name);
		copy_text(f, name, strlen(name));
		for (int key = T_EVENTS; key < T_KEYS; key++) {
			track_text(s, &s->shown, r, key, UNIT_PS, "", text, sizeof text);
			fprintf(f, "\t%s", text);
		}
		fputc('\n', f);
	}
	if (s->shown.occupied >= 0)
		fprintf(f, "any busy\t\t%lld\n", (long long)s->shown.occupied);
	return ferror(f) ? -1 : 0;
}
