#include "config.h"

#include "view/timeline/draw/internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "base/text/units.h"
#include "base/text/utf8.h"
#include "model/lod.h"
#include "widget/card.h"

#define NUMBER 5 /* columns of the number */

static const char *const labels[GUTTER_NUMBERS] = { "busy %", "collective %", "events" },
			 *const passed_labels[GUTTER_NUMBERS] = { "& busy %", "& coll. %", "& events" };

/* --- numbers --- */

static void put_count(char *buf, size_t size, double n)
{
	static const char unit[] = " kMGTPE";
	size_t i = 0;

	for (; fabs(n) >= 99999.5 && unit[i + 1]; i++)
		n /= 1000;
	if (i)
		snprintf(buf, size, "%.0f%c", n, unit[i]);
	else
		snprintf(buf, size, "%.0f", n);
}

/* What the number of a row counts: the track, or what passes the filter; NULL: that is not known yet.  */
static const struct track *counted(struct picture *p, const struct rows_node *v, uint32_t track)
{
	if (!filter_on(p->subset.filter))
		return scene_track(p->sc, track);
	return subset_of(&p->subset, v, (struct rows_source){ track, -1, 1 }, false);
}

/* The share of the view that a row is busy, of which `k` is what counts; waits do not count in a section or a
 * thread. */
static double share_of(const struct picture *p, const struct rows_node *v, const struct track *k)
{
	bool work_only = v->kind != NODE_TRACK || p->sc->cap->dump->trace.planes[v->plane].kind == PLANE_HOST;
	int64_t busy[CLASS_COUNT] = { 0 }, t0 = viewport_begin(&p->sc->port), t1 = viewport_end(&p->sc->port);
	const uint8_t *classes =
	    k == scene_track(p->sc, v->track) ? p->sc->cap->dump->trace.meta_class : p->subset.classes;
	double sum = 0;

	if (k->n)
		lod_sum(k, classes, t0, t1, busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		if (p->number == GUTTER_COLLECTIVE ? c == CLASS_COLLECTIVE : !(work_only && c == CLASS_WAIT))
			sum += (double)busy[c];
	return sum / (double)viewport_span(&p->sc->port);
}

/* Busy share of a core of a digest; false: unknown there. */
static bool share_of_digest(const struct picture *p, const struct rows_node *v, double *share)
{
	double busy = digest_busy(&p->sc->cap->dump->trace.counters[v->counter], viewport_begin(&p->sc->port),
	    viewport_end(&p->sc->port));

	*share = busy / (double)viewport_span(&p->sc->port);
	return p->number == GUTTER_BUSY && busy >= 0;
}

static bool of_digest(const struct picture *p, const struct rows_node *v)
{
	return v->counter >= 0 &&
	    digest_is_counter(p->sc->cap->dump, &p->sc->cap->dump->trace.counters[v->counter]);
}

/* The mean of the cores; false: there are none, or some are not known yet. */
static bool share_of_host(struct picture *p, const struct rows_node *v, double *share)
{
	size_t n = 0;
	double own;

	*share = 0;
	for (uint32_t i = (uint32_t)(v - p->sc->rows.v) + 1; i < v->end; i = p->sc->rows.v[i].end) {
		const struct rows_node *c = &p->sc->rows.v[i];
		const struct track *k;

		if (c->kind == NODE_DEVICE && of_digest(p, c)) {
			if (share_of_digest(p, c, &own)) {
				*share += own;
				n++;
			}
			continue;
		}
		if (c->kind != NODE_DEVICE || c->track == ROWS_NONE ||
		    p->sc->cap->dump->trace.planes[c->plane].kind != PLANE_TPU ||
		    !scene_track(p->sc, c->track)->lod)
			continue;
		if (!(k = counted(p, c, c->track)))
			return false;
		*share += share_of(p, c, k);
		n++;
	}
	*share = n ? *share / (double)n : 0;
	return n > 0;
}

static uint64_t events_in_view(const struct picture *p, const struct track *k)
{
	return track_lower(k, viewport_end(&p->sc->port)) - track_lower(k, viewport_begin(&p->sc->port));
}

/* k: what counts of the row's track, NULL without one. */
static uint64_t events_of(const struct picture *p, const struct rows_node *v, const struct track *k)
{
	uint64_t n = 0;

	if (k && (k != scene_track(p->sc, v->track) || v->kind == NODE_TRACK || v->kind == NODE_DEVICE))
		return events_in_view(p, k);
	for (uint32_t i = 0; i < v->members; i++)
		n += events_in_view(p, scene_track(p->sc, p->sc->rows.member[v->member + i]));
	return n;
}

static void number_of_counter(struct picture *p, const struct rows_node *v, char *buf, size_t size)
{
	const struct counter *c = &p->sc->cap->dump->trace.counters[v->counter];
	bool any;
	double peak = counters_peak(&p->counters, v->counter, viewport_begin(&p->sc->port),
	    viewport_end(&p->sc->port), &any);

	if (!any)
		return;
	if (counter_is_bytes(p->sc, c))
		peak /= 1024.0 * 1024 * 1024;
	if (fabs(peak) >= 1000)
		put_count(buf, size, peak);
	else if (peak == floor(peak) && !counter_is_bytes(p->sc, c))
		snprintf(buf, size, "%.0f", peak);
	else
		snprintf(buf, size, "%.*f", fabs(peak) >= 10 ? 1 : fabs(peak) >= 1 ? 2 : 3, peak);
}

/* Rows inside a track and scopes have no number; time in collectives is shown for ops only. */
static bool has_share(const struct picture *p, const struct rows_node *v)
{
	if (v->kind == NODE_ROW || v->kind == NODE_LANES)
		return false;
	if (v->role == TRACK_SCOPE || v->role == TRACK_FRAMEWORK || v->role == TRACK_SOURCE)
		return false;
	return p->number == GUTTER_BUSY || v->kind == NODE_DEVICE || v->role == TRACK_OPS ||
	    v->role == TRACK_ASYNC;
}

static void number_of(struct picture *p, const struct rows_node *v, char *buf, size_t size)
{
	const struct track *k = v->track != ROWS_NONE ? counted(p, v, v->track) : NULL;
	bool passed = filter_on(p->subset.filter);
	double share = 0;

	*buf = '\0';
	if (!scene_has_sums(p->sc))
		return;
	if (of_digest(p, v)) {
		if (!passed && share_of_digest(p, v, &share))
			units_percent(buf, size, share);
	} else if (v->kind == NODE_COUNTER) {
		number_of_counter(p, v, buf, size);
	} else if (p->number == GUTTER_EVENTS) {
		if ((k || !passed) &&
		    (v->kind == NODE_TRACK || v->kind == NODE_GROUP || v->kind == NODE_THREADS ||
			(v->kind == NODE_DEVICE && k)))
			put_count(buf, size, (double)events_of(p, v, k));
	} else if (passed && p->number == GUTTER_COLLECTIVE && p->colors.by != COLORS_BY_CATEGORY) {
		return; /* what passes is known by color only */
	} else if (v->kind == NODE_HOST) {
		if (share_of_host(p, v, &share))
			units_percent(buf, size, share);
	} else if (k && scene_track(p->sc, v->track)->lod && has_share(p, v)) {
		units_percent(buf, size, share_of(p, v, k));
	}
}

/* --- names --- */

static void put_times(const struct picture *p, char *buf, size_t size, uint32_t n)
{
	snprintf(buf, size, " %s%u", scene_ascii(p->sc) ? "x" : "\xc3\x97", n);
}

/* " chip 2 core 1": what the profiler calls the core, where its number in the name does not say it. */
static void put_chip(const struct picture *p, const struct rows_node *v, char *buf, size_t size)
{
	if (v->chip < 0)
		return;
	if (p->sc->rows.chip_has_cores)
		snprintf(buf, size, " chip %" PRId64 " core %d", v->chip, v->core_on_chip);
	else if (v->chip != p->sc->cap->dump->trace.planes[v->plane].core)
		snprintf(buf, size, " chip %" PRId64, v->chip);
}

/* The text after the name, which is kept when the name is cut. */
static void tail_of(const struct picture *p, const struct rows_node *v, char *buf, size_t size)
{
	bool narrow = p->sc->lay.narrow;

	*buf = '\0';
	if (v->kind == NODE_THREADS && v->members > 1)
		snprintf(buf, size, narrow ? " (%u)" : " (%u threads)", v->members);
	else if (v->kind == NODE_GROUP)
		put_times(p, buf, size, v->members);
	else if (v->kind == NODE_COUNTERS)
		put_times(p, buf, size, v->end - (uint32_t)(v - p->sc->rows.v) - 1);
	else if (v->kind == NODE_TRACK && v->role == TRACK_ASYNC && v->folded && v->foldable)
		put_times(p, buf, size, (uint32_t)v->rows);
	else if (v->kind == NODE_DEVICE && v->note && !narrow)
		snprintf(buf, size, " (%zu %s %.*s)", scene_track(p->sc, v->steps)->n,
		    scene_ascii(p->sc) ? "x" : "\xc3\x97", (int)utf8_head(v->note, v->note_len, 40), v->note);
	else if (v->kind == NODE_DEVICE && !narrow)
		put_chip(p, v, buf, size);
	else if (v->kind == NODE_COUNTER && of_digest(p, v))
		return;
	else if (v->kind == NODE_COUNTER &&
	    counter_is_bytes(p->sc, &p->sc->cap->dump->trace.counters[v->counter]))
		snprintf(buf, size, narrow ? " GiB" : ", peak GiB");
	else if (v->kind == NODE_COUNTER && !narrow &&
	    counter_has_unit(p->sc, &p->sc->cap->dump->trace.counters[v->counter]))
		snprintf(buf, size, ", peak %.*s",
		    (int)strtab_len(&p->sc->cap->dump->str,
			p->sc->cap->dump->trace.counters[v->counter].unit),
		    strtab_str(&p->sc->cap->dump->str, p->sc->cap->dump->trace.counters[v->counter].unit));
	else if (v->kind == NODE_COUNTER && !narrow)
		snprintf(buf, size, ", peak");
}

/* Shortens names where the gutter is narrow. */
static void shorten_name(const struct picture *p, const char **name, size_t *len)
{
	static const struct {
		const char *from, *to;
	} table[] = {
		{ "XLA ", "" },
		{ "HBM in use", "HBM" },
		{ "Async XLA Ops", "Async Ops" },
		{ "Framework ops", "Framework" },
	};

	for (size_t i = 0; p->sc->lay.narrow && i < sizeof table / sizeof *table; i++) {
		size_t n = strlen(table[i].from);

		if (*len < n || memcmp(*name, table[i].from, n))
			continue;
		if (*table[i].to) {
			*name = table[i].to;
			*len = strlen(*name);
		} else {
			*name += n;
			*len -= n;
		}
	}
}

/* Draws a name, cut at its end, so that what follows stays. */
static int draw_cut(struct canvas *cv, int y, int x, int w, unsigned attr, const char *s, size_t len)
{
	size_t fit;
	int used;

	if (w <= 0)
		return 0;
	fit = utf8_fit(s, len, w);
	if (fit == len)
		return canvas_text(cv, y, x, w, ROLE_TEXT, attr, s, len);
	used = canvas_text(cv, y, x, w - 1, ROLE_TEXT, attr, s, utf8_fit(s, len, w - 1));
	canvas_glyph(cv, y, x + used, GLYPH_ELLIPSIS, ROLE_TEXT, attr);
	return used + 1;
}

static bool names_host(const struct picture *p, const struct rows_node *v)
{
	return v->kind == NODE_HOST ||
	    (v->kind == NODE_THREADS && v->parent == ROWS_NONE && p->sc->cap->dump->nhosts > 1);
}

/* The topmost pinned row around a row; pinned rows are shown apart from their section. */
static const struct rows_node *pinned_root(const struct picture *p, const struct rows_node *v)
{
	const struct rows_node *root = v;

	for (const struct rows_node *up = v;; up = &p->sc->rows.v[up->parent]) {
		if (tracks_has(&p->sc->rows.tracks.pinned, up->id))
			root = up;
		if (up->parent == ROWS_NONE)
			return root;
	}
}

static size_t name_with_section(const struct picture *p, const struct rows_node *v, const char *name,
    size_t len, char *buf, size_t size)
{
	const struct rows_node *s = &p->sc->rows.v[v->parent];
	const char *host = "";
	size_t host_len = 0;
	int n;

	while (s->parent != ROWS_NONE && s->kind != NODE_DEVICE && s->kind != NODE_THREADS)
		s = &p->sc->rows.v[s->parent];
	if (s->parent != ROWS_NONE || v->kind == NODE_DEVICE || v->kind == NODE_THREADS)
		host = scene_host_name(p->sc, p->sc->cap->dump->trace.planes[v->plane].host, &host_len);
	if (v->kind == NODE_DEVICE || v->kind == NODE_THREADS)
		n = snprintf(buf, size, "%.*s %.*s", (int)(host_len < 80 ? host_len : 80), host,
		    (int)(len < 80 ? len : 80), name);
	else
		n = snprintf(buf, size, "%.*s%s%.*s %.*s", (int)(host_len < 40 ? host_len : 40), host,
		    *host ? " " : "", (int)(s->len < 80 ? s->len : 80), s->name, (int)(len < 80 ? len : 80),
		    name);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

/* What follows a name in the gutter: the mark of the straggler stands out. */
struct tail {
	char mark[32], text[96];
};

static int tail_cols(const struct tail *t)
{
	return utf8_cols(t->mark, strlen(t->mark)) + utf8_cols(t->text, strlen(t->text));
}

/* Shortens it step by step until it fits into w columns beside a name of `name` columns; names are cut to fit,
 * but need some letters. */
static void fit_tail(const struct picture *p, const struct rows_node *v, struct tail *t, int name, int w)
{
	enum { LETTERS = 4 };

	if (tail_cols(t) + name > w && v->kind == NODE_COUNTER && *t->text == ',')
		memmove(t->text, t->text + 6, strlen(t->text + 6) + 1); /* ", peak GiB" */
	if (tail_cols(t) + name > w && v->kind == NODE_HOST)
		lineup_tail(p->lineup, v, true, t->text, sizeof t->text);
	if (tail_cols(t) + name > w && v->kind == NODE_DEVICE && (*t->mark || v->chip >= 0))
		*t->text = '\0';
	if (tail_cols(t) + name > w)
		lineup_mark(p->lineup, v, true, t->mark, sizeof t->mark);
	if (tail_cols(t) > w - LETTERS)
		*t->text = '\0';
}

static void draw_name(const struct picture *p, struct canvas *cv, int y, const struct rows_node *v,
    size_t place, int end)
{
	bool here = place == p->sc->cursor.row;
	const char *name = v->name;
	size_t len = v->len;
	char where[200];
	int w, x;
	const struct rows_node *root = place < p->sc->rows.tracks.npin ? pinned_root(p, v) : NULL;
	bool section = v->kind == NODE_HOST || v->kind == NODE_DEVICE || v->kind == NODE_THREADS;
	unsigned attr = section || here ? ATTR_BOLD : 0;
	struct tail tail = { .text = "" };

	x = p->sc->lay.area.x + 1 + (v->level - (root ? root->level : 0)) * (p->sc->lay.narrow ? 1 : 2);
	shorten_name(p, &name, &len);
	if (root == v && v->parent != ROWS_NONE) {
		len = name_with_section(p, v, name, len, where, sizeof where);
		name = where;
	}
	if (v->foldable)
		canvas_glyph(cv, y, x, v->folded ? GLYPH_FOLDED : GLYPH_OPEN, ROLE_TEXT, 0);
	x += 2;
	tail_of(p, v, tail.text, sizeof tail.text);
	lineup_tail(p->lineup, v, false, tail.text, sizeof tail.text);
	lineup_mark(p->lineup, v, false, tail.mark, sizeof tail.mark);
	if (p->sc->lay.narrow && v->role == TRACK_ASYNC && *tail.text)
		len = len > 5 ? 5 : len; /* "Async ×3" */
	fit_tail(p, v, &tail, utf8_cols(name, len), end - x);
	w = end - x - tail_cols(&tail);
	if (names_host(p, v)) { /* hosts of one job only differ at the end of their names */
		w = card_tail(cv, y, x, w, ROLE_TEXT, name, len);
		canvas_attr(cv, (struct rect){ y, x, 1, w }, attr);
		x += w;
	} else if (section) {
		x += canvas_cut(cv, y, x, w, ROLE_TEXT, attr, name, len);
	} else {
		x += draw_cut(cv, y, x, w, attr, name, len);
	}
	x += canvas_str(cv, y, x, end - x, ROLE_WARN, ATTR_BOLD, tail.mark);
	canvas_str(cv, y, x, end - x, ROLE_TEXT, v->kind == NODE_DEVICE ? 0 : attr, tail.text);
}

static void draw_one(struct picture *p, struct canvas *cv, int y, size_t place)
{
	const struct rows_node *v = scene_node(p->sc, place);
	int line = p->sc->lay.names.x + p->sc->lay.gutter - 1, end = line;
	char number[24] = "";

	if (p->sc->lay.numbers) {
		scene_enter(p->sc, v->plane);
		number_of(p, v, number, sizeof number);
		scene_leave(p->sc);
		if (*number)
			end = canvas_right(cv, y, line, ROLE_TEXT, 0, number) - 1;
		if (end > line - NUMBER - 1)
			end = line - (*number || p->sc->lay.narrow ? NUMBER + 1 : 1);
	}
	if (place == p->sc->cursor.row)
		canvas_put(cv, y, p->sc->lay.names.x, '>', ROLE_MARK, ATTR_BOLD);
	else if (place < p->sc->rows.tracks.npin && pinned_root(p, v) == v)
		canvas_put(cv, y, p->sc->lay.names.x, '^', ROLE_MARK, 0);
	draw_name(p, cv, y, v, place, end);
}

void picture_draw_gutter(struct picture *p, struct canvas *cv)
{
	const struct layout *l = &p->sc->lay;
	int line = l->names.x + l->gutter - 1, top = l->area.y;

	for (int y = top; y < l->names.y + l->names.h; y++)
		canvas_glyph(cv, y, line, GLYPH_VLINE, ROLE_LINE, 0);
	if (l->ruler >= 0 && l->numbers)
		canvas_right(cv, l->ruler, line, ROLE_TEXT, 0,
		    (filter_on(p->subset.filter) ? passed_labels : labels)[p->number]);
	for (int i = 0; i < l->names.h && scene_place(p->sc, i) < p->sc->rows.nvis; i++)
		draw_one(p, cv, l->names.y + i, scene_place(p->sc, i));
}
