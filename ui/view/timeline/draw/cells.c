#include "config.h"

#include "view/timeline/draw/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "model/lod.h"

#define SCRATCH 4096    /* cells computed at a time, few enough to stay in the cache */
#define HOST_COLUMNS 64 /* of a folded host computed at a time */

/* --- slots: rows kept from frame to frame --- */

static void resize_pool(struct cells *c, int rows, int w)
{
	size_t n = (size_t)(rows > 0 ? rows : 1) * 2;

	if (n == c->nslot && w == c->w)
		return;
	free(c->slot);
	free(c->pool);
	c->nslot = n;
	c->w = w < 1 ? 1 : w;
	c->slot = xcalloc(n, sizeof *c->slot);
	c->pool = xcalloc(n * (size_t)c->w, sizeof *c->pool);
	for (size_t i = 0; i < n; i++)
		c->slot[i].cell = c->pool + i * (size_t)c->w;
}

void cells_free(struct cells *c)
{
	free(c->slot);
	free(c->pool);
	free(c->scratch);
	memset(c, 0, sizeof *c);
}

/* Did anything other than the view change? */
static void forget_columns(struct cells *c)
{
	for (size_t i = 0; i < c->nslot; i++)
		c->slot[i].c = 0;
}

static struct cells_slot *slot_of(struct cells *c, uint32_t node, struct rows_source s)
{
	struct cells_slot *oldest = NULL;

	for (size_t i = 0; i < c->nslot; i++) {
		struct cells_slot *p = &c->slot[i];

		if (p->c && p->node == node && p->track == s.track && p->row == s.row)
			return p;
		if (p->stamp != c->stamp && (!oldest || !p->c || (oldest->c && p->stamp < oldest->stamp)))
			oldest = p;
	}
	if (!oldest) /* never: there are twice as many as rows */
		oldest = c->slot;
	oldest->c = 0;
	oldest->node = node;
	oldest->track = s.track;
	oldest->row = s.row;
	return oldest;
}

/* Shifts the columns that are still valid; `from` … `to` must be made. */
static void slot_shift(struct cells_slot *p, const struct viewport *g, int w)
{
	int64_t by = g->k - p->k;

	p->from = 0;
	p->to = w;
	if (p->c == g->c && by > -w && by < w) {
		size_t keep = (size_t)(w - (by < 0 ? -by : by));

		if (by > 0) {
			memmove(p->cell, p->cell + by, keep * sizeof *p->cell);
			p->from = (int)keep;
		} else {
			memmove(p->cell - by, p->cell, keep * sizeof *p->cell);
			p->to = (int)-by;
		}
	}
	p->c = g->c;
	p->k = g->k;
}

const struct cells_column *cells_row(const struct cells *c, uint32_t node)
{
	for (size_t i = 0; i < c->nslot; i++)
		if (c->slot[i].node == node && c->slot[i].stamp == c->stamp && c->slot[i].c)
			return c->slot[i].cell;
	return NULL;
}

/* --- from the index to cells --- */

/* Does an event fill at least 3/4 of a column? */
static bool fills_column(int64_t len, int64_t c)
{
	return len >= c - c / 4;
}

static uint8_t largest_class(const int64_t busy[CLASS_COUNT])
{
	int best = 0;

	for (int i = 1; i < CLASS_COUNT; i++)
		if (busy[i] > busy[best])
			best = i;
	return (uint8_t)best;
}

static struct cells_column cell_of(const struct lod_cell *in, int64_t c)
{
	struct cells_column out = { .any = in->total > 0 || in->begins || in->big };

	out.class = largest_class(in->busy);
	if (in->total > 0)
		out.eighths = in->total >= c ? 8 : (uint8_t)(8.0 * (double)in->total / (double)c);
	out.begins = in->begins < 2 ? (uint8_t)in->begins : 2;
	if (in->big && fills_column(in->big_len, c))
		out.big = in->big;
	return out;
}

/* Finds the rows [from, to) of the lane that contains row r. */
static void lane_rows(const struct track *t, int r, int *from, int *to)
{
	*from = 0;
	*to = t->rows;
	for (int i = 0; t->lane && i < t->nlanes; i++) {
		if (t->lane_base[i] > r) {
			*to = t->lane_base[i];
			break;
		}
		*from = t->lane_base[i];
	}
}

/* A column of a folded track: the innermost time, and the event that fills most of it, if there is one: at
 * the deepest row whose children leave it that much, with no other lane active. */
static struct cells_column cell_folded(const struct track *t, const struct lod_cell *rows, size_t stride,
    int64_t c)
{
	struct cells_column out = cell_of(rows + (size_t)t->rows * stride, c);
	int from = 0, to = t->rows;

	if (out.eighths < 6)
		return out;
	for (int r = t->rows - 1; r >= 0; r--) {
		const struct lod_cell *at = rows + (size_t)r * stride;
		int64_t inside = 0;

		if (!at->big || !fills_column(at->big_len, c))
			continue;
		lane_rows(t, r, &from, &to);
		if (r + 1 < to)
			inside = at[stride].total;
		if (fills_column(at->big_len - inside, c)) {
			out.big = at->big;
			break;
		}
	}
	for (int i = 0; out.big && t->lane && i < t->rows; i++)
		if ((i < from || i >= to) && rows[(size_t)i * stride].total > 0)
			out.big = 0;
	return out;
}

/* A row shared by several lanes is as high as the busiest lane. */
static struct lod_cell sum_lanes(const struct lod_cell *rows, size_t n, size_t stride)
{
	struct lod_cell sum = { .total = 0 };
	size_t active = 0;

	for (size_t r = 0; r < n; r++) {
		const struct lod_cell *at = rows + r * stride;

		if (!at->total && !at->begins)
			continue;
		active++;
		for (int i = 0; i < CLASS_COUNT; i++)
			sum.busy[i] = add_clamped(sum.busy[i], at->busy[i]);
		if (at->total > sum.total)
			sum.total = at->total;
		if (at->big_len >= sum.big_len) {
			sum.big = at->big;
			sum.big_len = at->big_len;
		}
		sum.begins += at->begins;
	}
	if (active > 1)
		sum.big_len = 0;
	return sum;
}

static struct lod_cell *scratch_cells(struct cells *c, size_t n)
{
	if (n > c->scratch_cap) {
		c->scratch = xrealloc(c->scratch, n, sizeof *c->scratch);
		c->scratch_cap = n;
	}
	return c->scratch;
}

/* Makes columns of `n` slots of one track, whose rows are consecutive from slot[0]->row; or of one slot that
 * sums up several rows. */
static void make_columns(struct cells *cs, const struct track *t, struct cells_slot **slot, size_t n,
    const struct rows_source *s, int from, int to)
{
	bool folded = s->row < 0 && t->rows > 1, lanes = s->rows > 1;
	size_t rows = folded ? (size_t)t->rows + 1 : lanes ? (size_t)s->rows : n;
	int step = (int)(SCRATCH / rows), row0 = s->row < 0 ? 0 : s->row;
	const uint8_t *meta_class;
	struct track copy;
	const struct track *drawn = colors_track(cs->colors, s->track, &copy, &meta_class);

	if (step < 1)
		step = 1;
	for (int x = from; x < to; x += step) {
		int cols = to - x < step ? to - x : step;
		struct lod_cell *in = scratch_cells(cs, rows * (size_t)cols);
		size_t stride = (size_t)cols;

		lod_columns(drawn, meta_class, viewport_time(&cs->sc->port, x), cs->sc->port.c, cols, row0,
		    (int)rows, in);
		for (size_t i = 0; i < stride; i++) {
			if (folded)
				slot[0]->cell[(size_t)x + i] = cell_folded(t, in + i, stride, cs->sc->port.c);
			else if (lanes) {
				struct lod_cell sum = sum_lanes(in + i, rows, stride);

				slot[0]->cell[(size_t)x + i] = cell_of(&sum, cs->sc->port.c);
			}
			for (size_t r = 0; !folded && !lanes && r < n; r++)
				slot[r]->cell[(size_t)x + i] = cell_of(&in[r * stride + i], cs->sc->port.c);
		}
	}
}

/* --- what a search and the filter leave --- */

/* Gives a column the share and class of what is left.  One event that fills most of it is drawn as before if
 * it is left. */
static void leave(struct cells_column *out, const struct lod_cell *left, bool keep_big, int64_t c)
{
	struct cells_column of_left = cell_of(left, c);

	out->hit = of_left.any;
	out->dim = !of_left.any;
	if (out->dim || keep_big)
		return;
	out->big = 0;
	out->class = of_left.class;
	out->eighths = of_left.eighths;
}

static bool is_left(const struct cells *cs, const struct rows_node *v, uint32_t track, uint32_t big)
{
	return big && v->members < 2 && subset_has(cs->subset, track, big - 1);
}

static void leave_all(struct cells_slot **slot, size_t n, int from, int to)
{
	for (size_t r = 0; r < n; r++)
		for (int x = from; x < to; x++)
			slot[r]->cell[x].hit = slot[r]->cell[x].any;
}

static void dim_all(struct cells_slot **slot, size_t n, int from, int to)
{
	for (size_t r = 0; r < n; r++)
		for (int x = from; x < to; x++)
			slot[r]->cell[x].dim = true;
}

/* Does the same as make_columns(), from the track of what is left. */
static void leave_columns(struct cells *cs, const struct rows_node *v, struct cells_slot **slot, size_t n,
    const struct rows_source *s, int from, int to)
{
	const struct track *t = subset_of(cs->subset, v, *s, false);
	size_t rows = s->rows > 1 ? (size_t)s->rows : n;
	int row0 = s->row < 0 ? t ? t->rows : 0 : s->row;
	int step = (int)(SCRATCH / rows);

	if (!t)
		return;
	if (t == scene_track(cs->sc, s->track)) {
		leave_all(slot, n, from, to);
		return;
	}
	if (!t->n) {
		dim_all(slot, n, from, to);
		return;
	}
	for (int x = from; x < to; x += step) {
		int cols = to - x < step ? to - x : step;
		struct lod_cell *in = scratch_cells(cs, rows * (size_t)cols);

		lod_columns(t, cs->subset->classes, viewport_time(&cs->sc->port, x), cs->sc->port.c, cols,
		    row0, (int)rows, in);
		for (size_t i = 0; i < (size_t)cols; i++)
			for (size_t r = 0; r < n; r++) {
				struct cells_column *out = &slot[r]->cell[(size_t)x + i];
				struct lod_cell sum = s->rows > 1 ? sum_lanes(in + i, rows, (size_t)cols)
								  : in[r * (size_t)cols + i];

				leave(out, &sum, is_left(cs, v, s->track, out->big), cs->sc->port.c);
			}
	}
}

/* --- a frame --- */

static void make_rows(struct cells *cs, const struct rows_node *v, struct cells_slot **slot, size_t n,
    const struct rows_source *s)
{
	const struct track *t = scene_track(cs->sc, s->track);
	int from = cs->w, to = 0;

	for (size_t i = 0; i < n; i++) {
		from = slot[i]->from < slot[i]->to && slot[i]->from < from ? slot[i]->from : from;
		to = slot[i]->from < slot[i]->to && slot[i]->to > to ? slot[i]->to : to;
	}
	if (from >= to)
		return;
	make_columns(cs, t, slot, n, s, from, to);
	if (subset_on(cs->subset))
		leave_columns(cs, v, slot, n, s, from, to);
	for (size_t i = 0; i < n; i++)
		colors_cells(cs->colors, v, slot[i]->cell, from, to);
}

static bool is_drawable(struct cells *cs, const struct rows_source *s)
{
	return s->track != ROWS_NONE && scene_track(cs->sc, s->track)->lod;
}

static bool is_core(struct cells *cs, const struct rows_node *v)
{
	return v->kind == NODE_DEVICE && plane_runs_ops(cs->sc->cap->dump->trace.planes[v->plane].kind) &&
	    is_drawable(cs, &(struct rows_source){ v->track, -1, 1 });
}

/* Counters use the slots, too: the height is the value, the largest in a column counts. */
static void make_counter(struct cells *cs, uint32_t node)
{
	int counter = cs->sc->rows.v[node].counter;
	const struct counter *c = &cs->sc->cap->dump->trace.counters[counter];
	struct cells_slot *p = slot_of(cs, node, (struct rows_source){ ROWS_NONE, counter, 1 });
	double low = c->min < 0 ? c->min : 0, range = c->max - low;

	p->stamp = cs->stamp;
	slot_shift(p, &cs->sc->port, cs->w);
	for (int x = p->from; x < p->to; x++) {
		bool any = false;
		double v = counters_peak(cs->counters, counter, viewport_time(&cs->sc->port, x),
		    viewport_time(&cs->sc->port, x + 1), &any);
		double share = range > 0 ? (v - low) / range : 0;

		p->cell[x] = (struct cells_column){ .any = any &&
			    viewport_time(&cs->sc->port, x) + cs->sc->port.shift < cs->sc->port.last,
			.class = CLASS_OTHER };
		p->cell[x].eighths = (uint8_t)(share >= 1 ? 7 : share > 0 ? 7 * share : 0);
	}
}

/* --- a folded host: the mean of its cores --- */

/* Adds the innermost time of a track to n columns from column x on. */
static void add_share(const struct track *t, const uint8_t *classes, const struct viewport *g, int x, int n,
    struct lod_cell *sum)
{
	struct lod_cell in[HOST_COLUMNS];

	lod_columns(t, classes, viewport_time(g, x), g->c, n, t->rows, 1, in);
	for (int i = 0; i < n; i++) {
		for (int c = 0; c < CLASS_COUNT; c++)
			sum[i].busy[c] = add_clamped(sum[i].busy[c], in[i].busy[c]);
		sum[i].total = add_clamped(sum[i].total, in[i].total);
		sum[i].begins += in[i].begins;
	}
}

/* Columns x to x+n-1 of a host with `of` cores. */
static void host_columns(struct cells *cs, const struct rows_node *host, struct cells_column *out, int x,
    int n, int of)
{
	struct lod_cell sum[HOST_COLUMNS] = { { .total = 0 } }, left[HOST_COLUMNS] = { { .total = 0 } };
	int64_t c = cs->sc->port.c;
	bool known = subset_on(cs->subset);

	for (const struct rows_node *v = host + 1; v < cs->sc->rows.v + host->end; v++) {
		struct rows_source s = { v->track, -1, 1 };
		const struct track *drawn;
		const uint8_t *classes;
		struct track copy;

		if (!is_core(cs, v))
			continue;
		drawn = colors_track(cs->colors, v->track, &copy, &classes);
		add_share(drawn, classes, &cs->sc->port, x, n, sum);
		drawn = known ? subset_of(cs->subset, v, s, false) : NULL;
		known = known && drawn;
		if (known && drawn == scene_track(cs->sc, v->track))
			add_share(drawn, cs->sc->cap->dump->trace.meta_class, &cs->sc->port, x, n, left);
		else if (known && drawn->n)
			add_share(drawn, cs->subset->classes, &cs->sc->port, x, n, left);
	}
	for (int i = 0; i < n; i++) {
		out[i] = cell_of(&sum[i], c * of);
		if (known)
			leave(&out[i], &left[i], false, c * of);
	}
}

/* Returns false when no core of the host has ops. */
static bool make_host(struct cells *cs, uint32_t node)
{
	const struct rows_node *host = &cs->sc->rows.v[node];
	struct cells_slot *p;
	int cores = 0;

	for (const struct rows_node *v = host + 1; v < cs->sc->rows.v + host->end; v++)
		cores += is_core(cs, v);
	if (!cores)
		return false;
	p = slot_of(cs, node, (struct rows_source){ ROWS_NONE, -1, cores });
	p->stamp = cs->stamp;
	slot_shift(p, &cs->sc->port, cs->w);
	for (int x = p->from; x < p->to; x += HOST_COLUMNS) {
		int n = p->to - x < HOST_COLUMNS ? p->to - x : HOST_COLUMNS;

		host_columns(cs, host, p->cell + x, x, n, cores);
	}
	colors_cells(cs->colors, host, p->cell, p->from, p->to);
	return true;
}

static void frame_rows(struct cells *cs, size_t top, size_t end)
{
	struct cells_slot *slot[TRACK_ROWS_MAX];

	if (end > cs->sc->rows.nvis)
		end = cs->sc->rows.nvis;
	for (size_t i = top; i < end;) {
		const struct rows_node *v = scene_node(cs->sc, i);
		struct rows_source s = rows_source(v), next = s;
		size_t n = 0;

		scene_enter(cs->sc, v->plane);
		if (rows_shows_counter(v))
			make_counter(cs, cs->sc->rows.vis[i]);
		if (rows_shows_counter(v) || (rows_shows_host(v) && make_host(cs, cs->sc->rows.vis[i])) ||
		    !is_drawable(cs, &s)) {
			i++;
			continue;
		}
		do { /* the rows of one track at once */
			slot[n] = slot_of(cs, cs->sc->rows.vis[i], next);
			slot[n]->stamp = cs->stamp;
			slot_shift(slot[n++], &cs->sc->port, cs->w);
			if (++i >= end || s.row < 0 || s.rows > 1 || n == TRACK_ROWS_MAX)
				break;
			next = rows_source(scene_node(cs->sc, i));
		} while (next.track == s.track && next.rows == 1 && next.row == s.row + (int)n);
		make_rows(cs, v, slot, n, &s);
	}
}

void cells_frame(struct cells *cs, size_t top, int rows)
{
	const struct scene_changes *now = &cs->sc->changes;
	unsigned made = now->rows + now->times + now->hits + now->colors + cs->subset->made;
	size_t pins = scene_pins(cs->sc), end = top + (size_t)(rows > 0 ? rows : 0);

	resize_pool(cs, cs->sc->lay.area.h, cs->sc->port.w);
	if (cs->made != made)
		forget_columns(cs);
	cs->made = made;

	cs->stamp++;
	frame_rows(cs, 0, pins);
	frame_rows(cs, top + pins, end);
	scene_leave(cs->sc);
}
