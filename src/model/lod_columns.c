#include "config.h"

#include "model/lod.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "model/internal.h"

#define VIEW_AHEAD 2 /* columns */
/* of a long leaf only these are prefetched; the processor then recognizes the pattern */
#define FETCH_EVENTS 128
#define FETCH_BYTES 1024

/* Returns where column k begins, clamped. */
static int64_t edge(int64_t t0, int64_t step, int k)
{
	int64_t d, t;

	if (__builtin_mul_overflow(step, (int64_t)k, &d) || __builtin_add_overflow(t0, d, &t))
		return INT64_MAX;
	return t;
}

/* The columns of a picture.  Each one touches some twenty cache lines on as many pages, all far from those of
 * the next column.  The lines are therefore prefetched a few columns ahead, which gives most of the speed
 * when a column holds many events. */
struct view {
	const struct track *t;
	int64_t t0, step;
	int n, next; /* edges 0 to n; next: the first one not looked up yet */
	enum { INNER, NEAR, FAR } kind;
	size_t leaf[2 * VIEW_AHEAD]; /* ring buffer: the last leaf before edge k, at k modulo the size */
};

/* Forced inline: a compiler that sees a function that only prefetches takes it for one without effect and
 * drops the call. */
#define FORCE_INLINE static inline __attribute__((always_inline))

FORCE_INLINE void fetch(const void *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += LOD_ALIGN)
		__builtin_prefetch((const char *)p + i);
}

FORCE_INLINE void fetch_leaf(const struct view *v, size_t leaf)
{
	const struct track *t = v->t;
	const struct lod *l = t->lod;
	size_t i = leaf << l->shift, size = (size_t)1 << l->shift, rows = (size_t)l->rows;
	size_t group = leaf / LOD_FAN * LOD_FAN * rows, bytes = LOD_FAN * rows * sizeof *l->len;

	if (size > FETCH_EVENTS)
		size = FETCH_EVENTS;
	if (v->kind == INNER)
		fetch(sums_of(l, leaf, l->sums - 1), LOD_ALIGN);
	else
		fetch(sums_of(l, leaf, 0), (v->kind == NEAR ? 2 : 1) * (size_t)l->sums * LOD_ALIGN);
	if (v->kind == NEAR)
		fetch(l->len + group, bytes < FETCH_BYTES ? bytes : FETCH_BYTES);
	fetch(l->last + leaf * rows, rows * sizeof *l->last);
	fetch(t->start.more.p + i * t->start.more.width, size * t->start.more.width);
	fetch(t->dur.p + i * t->dur.width, size * t->dur.width);
	fetch(t->meta.p + i * t->meta.width, size * t->meta.width);
	if (rows > 1)
		fetch(t->depth + i, size);
	if (t->lane)
		fetch(t->lane + i, size);
}

static struct lod_cell *cell_at(const struct view *v, int row, int k, struct lod_cell *out)
{
	return &out[(size_t)row * (size_t)v->n + (size_t)k];
}

/* Returns the last leaf that begins before an edge; edges must be asked for in order. */
static size_t view_leaf(struct view *v, int edge_no)
{
	int size = 2 * VIEW_AHEAD;

	for (; v->next <= v->n && v->next <= edge_no + VIEW_AHEAD; v->next++) {
		size_t before = v->next ? v->leaf[(v->next - 1) % size] : 0, leaf;

		leaf = leaf_before(v->t->lod, before, edge(v->t0, v->step, v->next));
		v->leaf[v->next % size] = leaf;
		if (leaf != before)
			fetch_leaf(v, leaf);
	}
	return v->leaf[edge_no % size];
}

/* --- the innermost row: time by class before a moment --- */

struct prefix {
	const struct track *t;
	const uint8_t *meta_class;
	enum shape shape;
	size_t i;                 /* the events before i are those that began before the moment */
	int64_t sum[CLASS_COUNT]; /* durations less those of children; with lanes: time up to sweep.now */
	uint32_t last[TRACK_ROWS_MAX];
	struct sweep sweep;
};

static void prefix_load(struct prefix *p, size_t leaf)
{
	const struct lod *l = p->t->lod;
	size_t rows = (size_t)l->rows;

	p->i = leaf << l->shift;
	memcpy(p->sum, sums_of(l, leaf, l->sums - 1), sizeof p->sum);
	if (p->shape == FLAT)
		return;
	memcpy(p->last, l->last + leaf * rows, rows * sizeof *p->last);
	if (p->shape == NEST)
		return;
	p->sweep.next = p->i;
	p->sweep.now = l->start[leaf];
	p->sweep.nopen = 0;
	for (size_t r = 0; r < rows; r++) {
		struct sweep_open o;
		size_t k;

		if (!p->last[r] || end_of(p->t, p->last[r] - 1) <= p->sweep.now)
			continue;
		sweep_push(&p->sweep, p->last[r] - 1);
		k = p->sweep.nopen - 1;
		for (o = p->sweep.open[k]; k && p->sweep.open[k - 1].event > o.event; k--)
			p->sweep.open[k] = p->sweep.open[k - 1];
		p->sweep.open[k] = o;
	}
}

/* Subtracts what was counted too early, the part of open events after t. The part of a child goes back to its
 * parent, which has at least as much left. */
static void prefix_overhang(const struct prefix *p, int64_t t, int64_t *out)
{
	int parent = -1;

	if (p->shape == FLAT) {
		if (p->i && end_of(p->t, p->i - 1) > t)
			add_to_sum(&out[class_of(p->t, p->meta_class, p->i - 1)], t - end_of(p->t, p->i - 1));
		return;
	}
	for (int r = 0; r < p->t->rows && p->last[r]; r++) {
		size_t i = p->last[r] - 1;
		int64_t left = end_of(p->t, i) - t;
		int class = class_of(p->t, p->meta_class, i);

		if (left <= 0)
			break;
		add_to_sum(&out[class], -left);
		if (parent >= 0)
			add_to_sum(&out[parent], left);
		parent = class;
	}
}

/* Moves to t, which must not be before the previous t, and returns the time by class before it.  leaf: the
 * last one that begins before t. */
static void prefix_at(struct prefix *p, int64_t t, size_t leaf, int64_t *out)
{
	const struct track *k = p->t;

	if (leaf << k->lod->shift > p->i)
		prefix_load(p, leaf);
	if (p->shape == FLAT) {
		for (; p->i < k->n && track_start(k, p->i) < t; p->i++)
			add_to_sum(&p->sum[class_of(k, p->meta_class, p->i)], track_dur(k, p->i));
	} else if (p->shape == NEST) {
		for (; p->i < k->n && track_start(k, p->i) < t; p->i++) {
			int row = k->depth[p->i], class = class_of(k, p->meta_class, p->i);

			add_to_sum(&p->sum[class], track_dur(k, p->i));
			if (row && p->last[row - 1])
				add_to_sum(&p->sum[class_of(k, p->meta_class, p->last[row - 1] - 1)],
				    -track_dur(k, p->i));
			p->last[row] = (uint32_t)p->i + 1;
		}
	} else {
		if (t > p->sweep.now)
			sweep_classes(&p->sweep, t, p->meta_class, p->sum);
		p->i = p->sweep.next;
	}
	memcpy(out, p->sum, sizeof p->sum);
	if (p->shape != LANES)
		prefix_overhang(p, t, out);
}

static void prefix_begin(struct prefix *p, const struct track *t, const uint8_t *meta_class)
{
	p->t = t;
	p->meta_class = meta_class;
	p->shape = shape_of(t);
	p->sweep = (struct sweep){ .track = t };
	prefix_load(p, 0);
}

/* Only where events had to share the last row of a track can the result be negative, because their parents
 * are not known. */
static int64_t part_since(int64_t now, int64_t before)
{
	int64_t d = minus(now, before);

	return d < 0 ? 0 : d;
}

void lod_sum(const struct track *t, const uint8_t *meta_class, int64_t t0, int64_t t1,
    int64_t busy[CLASS_COUNT])
{
	struct prefix p;
	int64_t before[CLASS_COUNT];

	memset(busy, 0, CLASS_COUNT * sizeof *busy);
	if (!t->n || t1 <= t0)
		return;
	prefix_begin(&p, t, meta_class);
	prefix_at(&p, t0, leaf_before(t->lod, 0, t0), before);
	prefix_at(&p, t1, leaf_before(t->lod, 0, t1), busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		busy[c] = part_since(busy[c], before[c]);
	sweep_free(&p.sweep);
}

static void columns_inner(struct view *v, const uint8_t *meta_class, struct lod_cell *out)
{
	struct prefix p;
	int64_t before[CLASS_COUNT];

	prefix_begin(&p, v->t, meta_class);
	prefix_at(&p, v->t0, view_leaf(v, 0), before);
	for (int k = 0; k < v->n; k++) {
		struct lod_cell *cell = &out[k];
		int64_t now[CLASS_COUNT];
		size_t begins = p.i;

		prefix_at(&p, edge(v->t0, v->step, k + 1), view_leaf(v, k + 1), now);
		*cell = (struct lod_cell){ .begins = (uint32_t)(p.i - begins) };
		for (int c = 0; c < CLASS_COUNT; c++) {
			cell->busy[c] = part_since(now[c], before[c]);
			add_to_sum(&cell->total, cell->busy[c]);
		}
		memcpy(before, now, sizeof before);
	}
	sweep_free(&p.sweep);
}

/* --- rows, with the event that covers most of a column --- */

struct row { /* state of a row in the current column */
	int64_t busy[CLASS_COUNT];
	/* len: of `last`, from the edge on, -1 = it ended before the edge; best_len: of `best` */
	int64_t len, best_len;
	uint32_t last, best; /* index + 1; best: the event before `last` that has most of the column */
	uint32_t begins;
};

struct walk {
	const struct track *t;
	const uint8_t *meta_class;
	size_t i;       /* first event not processed yet */
	int row0, rows; /* the rows wanted; the state of other rows is stale once leaves were skipped */
	struct row row[TRACK_ROWS_MAX];
};

static inline void consider(struct row *s, int64_t len, uint32_t event)
{
	if (len > s->best_len) {
		s->best_len = len;
		s->best = event;
	}
}

/* Processes the events before `end` that begin before t. */
FORCE_INLINE void replay_shape(struct walk *w, size_t end, int64_t t, enum shape shape)
{
	const struct track *k = w->t;
	size_t i = w->i;

	for (; i < end && track_start(k, i) < t; i++) {
		struct row *s = &w->row[row_of(k, i, shape)];

		consider(s, s->len, s->last);
		s->len = track_dur(k, i);
		s->last = (uint32_t)i + 1;
		s->begins++;
		add_to_sum(&s->busy[class_of(k, w->meta_class, i)], s->len);
	}
	w->i = i;
}

static void replay(struct walk *w, size_t end, int64_t t)
{
	enum shape shape = shape_of(w->t);

	if (shape == FLAT)
		replay_shape(w, end, t, FLAT);
	else if (shape == NEST)
		replay_shape(w, end, t, NEST);
	else
		replay_shape(w, end, t, LANES);
}

/* Considers the longest event of a row that begins in leaves from to to - 1; of equal ones, the earliest. */
static void longest(const struct lod *l, int row, size_t from, size_t to, struct row *s)
{
	size_t rows = (size_t)l->rows, r = (size_t)row;
	const uint32_t *best = NULL;
	int64_t len = s->best_len;

	while (from < to) {
		bool whole = from % LOD_FAN == 0 && to - from >= LOD_FAN;
		size_t at = (whole ? from / LOD_FAN : from) * rows + r;
		int64_t d = whole ? l->coarse_len[at] : l->len[at];

		if (d > len) {
			len = d;
			best = whole ? &l->coarse_big[at] : &l->big[at];
		}
		from += whole ? LOD_FAN : 1;
	}
	if (best)
		consider(s, len, *best);
}

/* Skips leaves from to to - 1, which begin and end inside the column that ends at t. All their events except
 * the last lie completely inside it.  The last one becomes the row's last event.  The longest of the others
 * is known from the index, unless the last one is the longest of its leaf.  In that case the leaf's events
 * are looked at, if their sum is large enough to matter. */
static void skip_row(struct walk *w, int row, size_t from, size_t to, int64_t t)
{
	const struct track *k = w->t;
	const struct lod *l = k->lod;
	size_t rows = (size_t)l->rows, r = (size_t)row, last = l->last[to * rows + r], leaf;
	const int64_t *a = sums_of(l, from, row), *b = sums_of(l, to, row);
	struct row *s = &w->row[row];
	int64_t others = 0, left;

	if (last == l->last[from * rows + r])
		return;
	consider(s, s->len, s->last);
	for (int c = 0; c < CLASS_COUNT; c++) {
		int64_t d = minus(b[c], a[c]);

		add_to_sum(&s->busy[c], d);
		add_to_sum(&others, d);
	}
	s->last = (uint32_t)last--;
	s->len = track_dur(k, last);
	others = minus(others, s->len);
	s->begins += others > 0 ? 2 : 1;
	leaf = last >> l->shift;
	longest(l, row, from, leaf, s);
	left = end_of(k, last) - t;
	if (l->big[leaf * rows + r] != last + 1)
		consider(s, l->len[leaf * rows + r], l->big[leaf * rows + r]);
	else if (left > 0 && others > s->best_len && others > s->len - left)
		for (size_t i = leaf << l->shift; i < last; i++)
			if (row_of(k, i, shape_of(k)) == row)
				consider(s, track_dur(k, i), (uint32_t)i + 1);
}

/* Moves to t; leaf: the last one that begins before t. */
static void add_column(struct walk *w, int64_t t, size_t leaf)
{
	const struct lod *l = w->t->lod;
	size_t next = (w->i + ((size_t)1 << l->shift) - 1) >> l->shift;

	if (leaf > next) {
		replay(w, next << l->shift, INT64_MAX);
		for (int r = w->row0; r < w->row0 + w->rows; r++)
			skip_row(w, r, next, leaf, t);
		w->i = leaf << l->shift;
	}
	replay(w, w->t->n, t);
}

/* Closes the column that ends at t and opens the next one. */
static void close_row(const struct walk *w, struct row *s, int64_t t, int64_t width, struct lod_cell *cell)
{
	const struct track *k = w->t;
	int64_t left = s->len >= 0 ? end_of(k, s->last - 1) - t : 0;
	int class = s->len >= 0 ? class_of(k, w->meta_class, s->last - 1) : 0;

	if (left > 0) {
		add_to_sum(&s->busy[class], -left);
		s->len -= left;
	}
	if (s->len == s->best_len && left > 0 && track_dur(k, s->last - 1) > track_dur(k, s->best - 1))
		s->best = s->last;
	else
		consider(s, s->len, s->last);
	memcpy(cell->busy, s->busy, sizeof s->busy);
	cell->total = 0;
	for (int c = 0; c < CLASS_COUNT; c++)
		add_to_sum(&cell->total, s->busy[c]);
	cell->big = s->best;
	cell->big_len = s->best_len < 0 ? 0 : s->best_len < width ? s->best_len : width;
	cell->begins = s->begins < 2 ? s->begins : 2;
	*s = (struct row){ .len = left > 0 ? left : -1, .best_len = -1, .last = s->last };
	if (left > 0)
		s->busy[class] = left;
}

static void walk_begin(struct walk *w, int64_t t0, size_t leaf)
{
	const struct track *k = w->t;
	const struct lod *l = k->lod;
	struct lod_cell unused;

	w->i = leaf << l->shift;
	for (int r = 0; r < l->rows; r++) {
		w->row[r] = (struct row){ .len = -1,
			.best_len = -1,
			.last = l->last[leaf * (size_t)l->rows + (size_t)r] };
		if (w->row[r].last)
			w->row[r].len = track_dur(k, w->row[r].last - 1);
	}
	replay(w, k->n, t0);
	for (int r = 0; r < l->rows; r++)
		close_row(w, &w->row[r], t0, 0, &unused);
}

static void columns_near(struct view *v, const uint8_t *meta_class, int row0, int rows, struct lod_cell *out)
{
	struct walk w;

	w.t = v->t;
	w.meta_class = meta_class;
	w.row0 = row0;
	w.rows = rows;
	walk_begin(&w, v->t0, view_leaf(v, 0));
	for (int k = 0; k < v->n; k++) {
		int64_t end = edge(v->t0, v->step, k + 1);

		add_column(&w, end, view_leaf(v, k + 1));
		for (int r = 0; r < rows; r++)
			close_row(&w, &w.row[row0 + r], end, v->step, cell_at(v, r, k, out));
	}
}

/* --- rows, when columns are so wide that no single event matters --- */

struct far {
	const struct track *t;
	const uint8_t *meta_class;
	size_t i; /* the events before i are those that began before the moment */
	int64_t sum[TRACK_ROWS_MAX][CLASS_COUNT]; /* sums of their whole durations */
	uint32_t last[TRACK_ROWS_MAX];
};

struct far_edge {
	int64_t busy[CLASS_COUNT]; /* before the edge */
	int64_t whole;             /* sum of the durations of the events that began before it */
	uint32_t last;
};

FORCE_INLINE void far_replay(struct far *f, int64_t t, enum shape shape)
{
	const struct track *k = f->t;
	size_t i = f->i;

	for (; i < k->n && track_start(k, i) < t; i++) {
		int row = row_of(k, i, shape);

		add_to_sum(&f->sum[row][class_of(k, f->meta_class, i)], track_dur(k, i));
		f->last[row] = (uint32_t)i + 1;
	}
	f->i = i;
}

static void far_at(struct far *f, int64_t t, size_t leaf)
{
	const struct lod *l = f->t->lod;
	size_t rows = (size_t)l->rows;
	enum shape shape = shape_of(f->t);

	if (leaf << l->shift > f->i) {
		f->i = leaf << l->shift;
		memcpy(f->sum, sums_of(l, leaf, 0), rows * sizeof *f->sum);
		memcpy(f->last, l->last + leaf * rows, rows * sizeof *f->last);
	}
	if (shape == FLAT)
		far_replay(f, t, FLAT);
	else if (shape == NEST)
		far_replay(f, t, NEST);
	else
		far_replay(f, t, LANES);
}

static struct far_edge far_edge(const struct far *f, int row, int64_t t)
{
	struct far_edge e = { .last = f->last[row] };

	memcpy(e.busy, f->sum[row], sizeof e.busy);
	for (int c = 0; c < CLASS_COUNT; c++)
		add_to_sum(&e.whole, e.busy[c]);
	if (e.last && end_of(f->t, e.last - 1) > t)
		add_to_sum(&e.busy[class_of(f->t, f->meta_class, e.last - 1)], t - end_of(f->t, e.last - 1));
	return e;
}

static void far_cell(const struct track *t, const struct far_edge *a, const struct far_edge *b,
    struct lod_cell *cell)
{
	*cell = (struct lod_cell){ .total = 0 };
	for (int c = 0; c < CLASS_COUNT; c++) {
		cell->busy[c] = minus(b->busy[c], a->busy[c]);
		add_to_sum(&cell->total, cell->busy[c]);
	}
	if (b->last != a->last)
		cell->begins = minus(b->whole, a->whole) > track_dur(t, b->last - 1) ? 2 : 1;
}

static void columns_far(struct view *v, const uint8_t *meta_class, int row0, int rows, struct lod_cell *out)
{
	struct far f = { .t = v->t, .meta_class = meta_class };
	struct far_edge before[TRACK_ROWS_MAX];

	for (int k = 0; k <= v->n; k++) {
		int64_t t = edge(v->t0, v->step, k);

		far_at(&f, t, view_leaf(v, k));
		for (int r = 0; r < rows; r++) {
			struct far_edge e = far_edge(&f, row0 + r, t);

			if (k)
				far_cell(v->t, &before[r], &e, cell_at(v, r, k - 1, out));
			before[r] = e;
		}
	}
}

void lod_columns(const struct track *t, const uint8_t *meta_class, int64_t t0, int64_t step, int n, int row0,
    int rows, struct lod_cell *out)
{
	struct view v = { .t = t, .t0 = t0, .step = step, .n = n, .kind = INNER };

	assert(t->lod && step > 0 && row0 >= 0);
	if (!t->n) {
		memset(out, 0, (size_t)rows * (size_t)n * sizeof *out);
		return;
	}
	if (row0 + rows > t->lod->rows)
		columns_inner(&v, meta_class, out + (size_t)--rows * (size_t)n);
	v.next = 0;
	v.kind = n > 1 && step / 4 > t->lod->longest ? FAR : NEAR;
	if (rows && v.kind == NEAR)
		columns_near(&v, meta_class, row0, rows, out);
	else if (rows)
		columns_far(&v, meta_class, row0, rows, out);
}
