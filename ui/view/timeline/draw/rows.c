#include "config.h"

#include "view/timeline/draw/internal.h"

#include <string.h>

#include "base/text/digit.h"
#include "base/text/utf8.h"

enum {
	LABEL = 6,      /* cells from which a bar shows its name */
	LABEL_THIN = 3, /* cells after ┬ from which a step shows its name */
	SUFFIX_HEAD = 4 /* letters that must remain before "….12" */
};

struct row { /* one row being drawn */
	struct picture *p;
	struct canvas *cv;
	const struct rows_node *v;
	const struct cells_column *cell;
	const struct track *t;
	int y, x, w;                 /* of the plot on the screen */
	size_t selected;             /* event selected on this row, SIZE_MAX = none */
	bool searching, thin, guide; /* guide: the cursor line is drawn through it */
};

static enum role fill_role(int class)
{
	return (enum role)(ROLE_FILL_MATMUL + class);
}
static enum role block_role(int class)
{
	return (enum role)(ROLE_BLOCK_MATMUL + class);
}

/* --- names in bars --- */

/* Length of ".12" at the end of a name, 0 = none. */
static size_t suffix_of(const char *s, size_t len)
{
	size_t n = len;

	while (n && is_digit(s[n - 1]))
		n--;
	return n && n < len && s[n - 1] == '.' ? len - n + 1 : 0;
}

static void draw_name(struct canvas *cv, int y, int x, int w, enum role role, unsigned attr, const char *s,
    size_t len)
{
	size_t tail = suffix_of(s, len), head;

	if (w <= 0)
		return;
	if (len > (size_t)w * 4 + 64 || utf8_cols(s, len) > w) {
		if (tail && (int)tail + 1 + SUFFIX_HEAD > w)
			tail = 0;
		head = utf8_fit(s, len - tail, w - 1 - (int)tail);
		x += canvas_text(cv, y, x, w - 1, role, attr, s, head);
		canvas_glyph(cv, y, x, GLYPH_ELLIPSIS, role, attr);
		canvas_text(cv, y, x + 1, (int)tail, role, attr, s + len - tail, tail);
		return;
	}
	canvas_text(cv, y, x, w, role, attr, s, len);
}

static const char *name_of(const struct row *r, size_t event, size_t *len)
{
	const struct dump *d = r->p->sc->cap->dump;
	strid name = d->trace.metas[track_meta(r->t, event)].name;

	*len = strtab_len(&d->str, name);
	return strtab_str(&d->str, name);
}

/* --- bars --- */

static char class_char(const struct picture *p, const struct cells_column *c)
{
	char letter = colors_letter(&p->colors, c->class);

	if (c->eighths < 1)
		return '.';
	if (c->eighths >= 4)
		return letter;
	return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Draws a column with several events. */
static void draw_mixture(const struct row *r, int x)
{
	const struct cells_column *c = &r->cell[x];
	unsigned attr = r->searching && c->hit ? ATTR_BOLD | ATTR_UNDERLINE : 0;
	int h = c->eighths < 1 ? 1 : c->eighths > 7 ? 7 : c->eighths;

	if (c->dim)
		canvas_glyph(r->cv, r->y, r->x + x, GLYPH_SHADE, ROLE_MISS, 0);
	else if (r->cv->mono)
		canvas_put(r->cv, r->y, r->x + x, (uint32_t)class_char(r->p, c), block_role(c->class), attr);
	else
		canvas_put(r->cv, r->y, r->x + x, r->cv->glyphs->height[h], block_role(c->class), attr);
}

struct bar {
	int from, to; /* columns */
	size_t event;
	int class;
	bool container, begins, cut_left, cut_right, edge; /* edge: something is drawn right before it */
};

/* Waits and containers are a name on a dashed line. */
static void draw_dashed(const struct row *r, const struct bar *b)
{
	int x = b->from, w = b->to - b->from;
	size_t len;
	const char *name = name_of(r, b->event, &len);

	for (int i = b->from; i < b->to; i++)
		canvas_glyph(r->cv, r->y, r->x + i, GLYPH_DASH, ROLE_LINE, 0);
	if (b->begins)
		canvas_glyph(r->cv, r->y, r->x + x, GLYPH_CONTAINER, ROLE_LINE, 0);
	if (w >= LABEL && b->event != r->selected)
		draw_name(r->cv, r->y, r->x + x + 1, w - 1, ROLE_TEXT,
		    r->searching && r->cell[x].hit ? ATTR_BOLD | ATTR_UNDERLINE : 0, name, len);
}

/* A union of threads shows the name of the thread that is active, if it is a single event. */
static const char *name_in_union(const struct row *r, const struct bar *b, size_t *len)
{
	const struct viewport *g = &r->p->sc->port;
	int64_t from = viewport_time(g, b->from), to = viewport_time(g, b->to),
		middle = from + (to - from) / 2;

	*len = 0;
	for (uint32_t i = 0; i < r->v->members && i < 4; i++) {
		uint32_t track = r->p->sc->rows.member[r->v->member + i];
		const struct track *t = scene_track(r->p->sc, track);
		size_t event;

		if (scene_event_at(r->p->sc, (struct rows_source){ track, -1, 1 }, middle, &event) &&
		    META_CLASS(r->p->sc->cap->dump->trace.meta_class[track_meta(t, event)]) != CLASS_WAIT &&
		    track_start(t, event) < from + g->c && track_end(t, event) > to - g->c) {
			strid name = r->p->sc->cap->dump->trace.metas[track_meta(t, event)].name;

			*len = strtab_len(&r->p->sc->cap->dump->str, name);
			return strtab_str(&r->p->sc->cap->dump->str, name);
		}
	}
	return "";
}

static void draw_fill(const struct row *r, const struct bar *b)
{
	int x = r->x + b->from, w = b->to - b->from, text = b->edge && b->begins ? 1 : 0;
	bool hit = r->searching && r->cell[b->from].hit;
	unsigned attr = hit ? ATTR_BOLD | ATTR_UNDERLINE : 0;
	enum role role = fill_role(b->class);
	uint32_t ch = !r->cv->mono ? ' '
	    : w >= LABEL           ? '='
				   : (uint32_t)colors_letter(&r->p->colors, b->class);
	size_t len;
	const char *name;

	if (r->cell[b->from].dim) {
		for (int i = 0; i < w; i++)
			canvas_glyph(r->cv, r->y, x + i, GLYPH_SHADE, ROLE_MISS, 0);
		return;
	}
	canvas_fill(r->cv, (struct rect){ r->y, x, 1, w }, ch, role, attr);
	if (b->cut_right && w > 1)
		canvas_glyph(r->cv, r->y, x + --w, GLYPH_CUT_RIGHT, role, attr);
	if (b->edge && b->begins)
		canvas_glyph(r->cv, r->y, x, GLYPH_EDGE, role, attr);
	else if (b->cut_left)
		canvas_glyph(r->cv, r->y, x, GLYPH_CUT_LEFT, role, attr);
	if (b->cut_left)
		text = 1;
	if (b->to - b->from < (hit ? LABEL_THIN : LABEL) || b->event == r->selected)
		return;
	name = r->v->members > 1 ? name_in_union(r, b, &len) : name_of(r, b->event, &len);
	draw_name(r->cv, r->y, x + text, w - text, role, attr, name, len);
}

static void draw_bar(const struct row *r, int from, int to)
{
	const struct viewport *g = &r->p->sc->port;
	struct bar b = { .from = from, .to = to, .event = r->cell[from].big - 1 };
	int64_t start = track_start(r->t, b.event), end = start + track_dur(r->t, b.event);
	uint8_t mc = colors_of(&r->p->colors, r->v, r->t, b.event);

	b.class = META_CLASS(mc) < CLASS_COUNT ? META_CLASS(mc) : CLASS_OTHER;
	b.container = mc & META_CONTAINER;
	b.begins = start >= viewport_begin(g) && start > viewport_time(g, (int64_t)from - 1);
	b.cut_left = !from && start < viewport_begin(g);
	b.cut_right = to == r->w && end > viewport_end(g);
	b.edge = from > 0 && r->cell[from - 1].any;
	if (b.container || b.class == CLASS_WAIT)
		draw_dashed(r, &b);
	else
		draw_fill(r, &b);
}

static void draw_bars(const struct row *r)
{
	for (int x = 0, to; x < r->w; x = to) {
		to = x + 1;
		if (!r->cell[x].any)
			continue;
		if (!r->cell[x].big) {
			draw_mixture(r, x);
			continue;
		}
		while (to < r->w && r->cell[to].big == r->cell[x].big)
			to++;
		draw_bar(r, x, to);
	}
}

/* --- lines: steps, modules, scopes --- */

/* The event named at column x: one that begins there fills the next column; otherwise the one that came in
 * from the left. */
static size_t thin_event(const struct row *r, int x, int to)
{
	int at = r->cell[x].begins ? x + 1 : x;

	return at < to && r->cell[at].big ? r->cell[at].big - 1 : SIZE_MAX;
}

static void draw_thin_name(const struct row *r, int x, int to, bool begins)
{
	size_t event = thin_event(r, x, to), len;
	bool number = true;
	const char *name;
	int at = r->x + x + begins, w = to - x - begins;

	if (event >= r->t->n || w < LABEL_THIN)
		return;
	name = name_of(r, event, &len);
	for (size_t i = 0; i < len; i++)
		number = number && is_digit(name[i]);
	if (r->t->role == TRACK_STEPS && r->t->file >= 0 && number && w >= (int)len + 5) {
		canvas_text(r->cv, r->y, at, 5, ROLE_TEXT, 0, "step ", 5);
		at += 5;
		w -= 5;
	}
	draw_name(r->cv, r->y, at, w, ROLE_TEXT,
	    r->cell[x].hit && r->searching ? ATTR_BOLD | ATTR_UNDERLINE : 0, name, len);
}

static void draw_thin(const struct row *r)
{
	for (int x = 0, to; x < r->w; x = to) {
		const struct cells_column *c = &r->cell[x];

		to = x + 1;
		if (!c->any)
			continue;
		while (to < r->w && r->cell[to].any && !r->cell[to].begins)
			to++;
		for (int i = x; i < to; i++)
			canvas_glyph(r->cv, r->y, r->x + i, GLYPH_HLINE, ROLE_LINE, 0);
		if (c->begins)
			canvas_glyph(r->cv, r->y, r->x + x, c->begins > 1 ? GLYPH_BEGIN_MANY : GLYPH_BEGIN,
			    ROLE_LINE, 0);
		draw_thin_name(r, x, to, c->begins);
	}
}

/* --- counters --- */

static void draw_counter(const struct row *r)
{
	const uint32_t *height = r->cv->glyphs->graph;

	for (int x = 0; x < r->w; x++)
		if (r->cell[x].any)
			canvas_put(r->cv, r->y, r->x + x, height[r->cell[x].eighths ? r->cell[x].eighths : 1],
			    ROLE_COUNTER, 0);
}

/* --- selection, cursor, hits at the edge --- */

/* Does the row show the selected event? */
static bool shows_selected(const struct row *r, struct rows_source s)
{
	const struct scene *sc = r->p->sc;
	int row;

	if (!sc->cursor.selected || s.track != sc->cursor.track || sc->cursor.event >= r->t->n)
		return false;
	row = track_row(r->t, sc->cursor.event);
	return s.row < 0 || (row >= s.row && row < s.row + s.rows);
}

/* Columns of the selected event within the view. */
struct selected_cols {
	int from, to;
	bool cut_left, cut_right;
};

static struct selected_cols selected_cols(const struct row *r)
{
	const struct scene *sc = r->p->sc;
	int64_t start = track_start(r->t, sc->cursor.event), end = start + track_dur(r->t, sc->cursor.event);
	struct selected_cols s = { viewport_column(&sc->port, start),
		viewport_column(&sc->port, end > start ? end - 1 : end), false, false };

	s.cut_left = s.from < 0;
	s.cut_right = s.to >= r->w;
	return s;
}

/* Draws the name of the selected event in reverse between brackets.  The cells between the name and the end
 * are unchanged, so that a move changes few cells. */
static void draw_selection(const struct row *r)
{
	const struct canvas_cell *cell = &r->cv->cells[(size_t)r->y * (size_t)r->cv->cols + (size_t)r->x];
	struct selected_cols s = selected_cols(r);
	int from = s.cut_left ? 0 : s.from, to = s.cut_right ? r->w - 1 : s.to;
	int end = from + 1; /* after the name */
	size_t len;
	const char *name = name_of(r, r->p->sc->cursor.event, &len);

	if (s.from >= r->w || s.to < 0)
		return;
	if (to - from + 1 < LABEL) {
		end = to + 1;
	} else if (r->thin) {
		while (end < to && cell[end].role == ROLE_TEXT)
			end++;
	} else {
		int x = from + 1 + s.cut_left, w = to - x - s.cut_right,
		    used = utf8_cols(name, len < 400 ? len : 400);

		end = x + (used < w ? used : w);
		canvas_fill(r->cv, (struct rect){ r->y, r->x + from, 1, end - from }, ' ', ROLE_SELECTED, 0);
		draw_name(r->cv, r->y, r->x + x, w, ROLE_SELECTED, 0, name, len);
	}
	canvas_role(r->cv, (struct rect){ r->y, r->x + from, 1, end - from }, ROLE_SELECTED, 0);
	if (to > from) {
		canvas_put(r->cv, r->y, r->x + from, '[', ROLE_SELECTED, 0);
		canvas_put(r->cv, r->y, r->x + to, ']', ROLE_SELECTED, 0);
	}
	if (s.cut_left && to - from >= 3)
		canvas_glyph(r->cv, r->y, r->x + from + 1, GLYPH_CUT_LEFT, ROLE_SELECTED, 0);
	if (s.cut_right && to - from >= 3)
		canvas_glyph(r->cv, r->y, r->x + to - 1, GLYPH_CUT_RIGHT, ROLE_SELECTED, 0);
}

/* The cursor line has the background of what it crosses, so that it does not cut a bar in two. */
static void draw_cursor(const struct row *r)
{
	int x = viewport_column(&r->p->sc->port, r->p->sc->cursor.at);
	const struct cells_column *c = r->cell && x >= 0 && x < r->w ? &r->cell[x] : NULL;
	enum role role = ROLE_CURSOR;
	enum glyph sign = GLYPH_CURSOR;

	if (x < 0 || x >= r->w)
		return;
	if (r->selected != SIZE_MAX) {
		struct selected_cols s = selected_cols(r);

		if (x == s.from || x == s.to)
			return; /* its brackets mark the position */
		if (x > s.from && x < s.to) {
			role =
			    (enum role)r->cv->cells[(size_t)r->y * (size_t)r->cv->cols + (size_t)(r->x + x)]
				.role;
			sign = GLYPH_VLINE;
		}
	}
	if (role == ROLE_CURSOR && c && c->any && !r->thin && !rows_shows_counter(r->v) && !c->dim && r->t &&
	    (c->big || c->eighths >= 4)) {
		uint8_t mc = c->big ? colors_of(&r->p->colors, r->v, r->t, c->big - 1) : c->class;

		if (META_CLASS(mc) != CLASS_WAIT && !(mc & META_CONTAINER))
			role = fill_role(META_CLASS(mc));
	}
	canvas_glyph(r->cv, r->y, r->x + x, sign, role, 0);
}

static void draw_tick(const struct row *r, bool current)
{
	bool any = false;

	for (int x = 0; r->cell && x < r->w && !any; x++)
		any = r->cell[x].hit;
	if (current)
		canvas_glyph(r->cv, r->y, r->x + r->w, GLYPH_HIT_HERE, ROLE_MARK, 0);
	else if (any)
		canvas_glyph(r->cv, r->y, r->x + r->w, GLYPH_HIT, ROLE_TEXT, 0);
}

static void draw_untimed(const struct row *r)
{
	const struct track *t = r->v->kind == NODE_TRACK ? scene_track(r->p->sc, r->v->track) : NULL;

	if (t && !t->n && t->untimed)
		canvas_fmt(r->cv, r->y, r->x + 1, r->w - 1, ROLE_DIM, 0, "%zu totals without times",
		    t->untimed);
}

/* Without cores a folded host is drawn from the track of its steps, if there is one. */
static bool shows_cores(const struct row *r)
{
	const struct rows *rows = &r->p->sc->rows;

	for (const struct rows_node *v = r->v + 1; rows_shows_host(r->v) && v < rows->v + r->v->end; v++)
		if (v->kind == NODE_DEVICE && v->track != ROWS_NONE)
			return true;
	return false;
}

static void draw_row(struct row *r, struct rows_source s)
{
	bool selected = r->t && shows_selected(r, s);

	r->selected = selected ? r->p->sc->cursor.event : SIZE_MAX;
	r->thin = r->v->thin || (r->v->kind == NODE_HOST && !shows_cores(r)) ||
	    (r->v->kind == NODE_DEVICE && s.track == r->v->steps && !rows_shows_counter(r->v));
	if (!r->cell)
		draw_untimed(r);
	else if (rows_shows_counter(r->v))
		draw_counter(r);
	else if (r->thin)
		draw_thin(r);
	else
		draw_bars(r);
	if (selected)
		draw_selection(r);
	if (r->guide)
		draw_cursor(r);
	if (r->searching)
		draw_tick(r, selected);
}

void picture_draw_rows(struct picture *p, struct canvas *cv)
{
	const struct rect plot = p->sc->lay.plot;
	/* a line through all rows is most of what a move sends, so it is optional */
	bool guide = settings_on(&p->sc->view->app->settings, SET_GUIDE);

	for (int i = 0; i < plot.h; i++) {
		size_t place = scene_place(p->sc, i);
		struct row r = {
			.p = p,
			.cv = cv,
			.y = plot.y + i,
			.x = plot.x,
			.w = p->sc->port.w,
			.searching = p->sc->open[PANE_HITS],
		};
		struct rows_source s;

		if (place >= p->sc->rows.nvis)
			break;
		r.v = scene_node(p->sc, place);
		r.cell = cells_row(&p->cells, p->sc->rows.vis[place]);
		s = rows_source(r.v);
		r.t = s.track != ROWS_NONE ? scene_track(p->sc, s.track) : NULL;
		r.guide = guide || place == p->sc->cursor.row;
		scene_enter(p->sc, r.v->plane);
		draw_row(&r, s);
		scene_leave(p->sc);
	}
}
