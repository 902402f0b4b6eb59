#include "config.h"
#include "view/pod/pod.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Finest first.  Cells with numbers are for up to 64 chips; the last level has no limit. */
static const struct pod_level levels[] = {
	{ POD_CORE, 12, 5, 8, 1, 2, 1, 5, 5, 2, true, true },
	{ POD_CORE, 8, 3, 8, 1, 2, 1, 5, 5, 2, true, false },
	{ POD_CORE, 8, 3, 64, 1, 2, 1, 5, 5, 2, true, true },
	{ POD_CORE, 4, 3, 64, 0, 1, 1, 2, 4, 2, true, false },
	{ POD_CHIP, 4, 3, 64, 0, 1, 1, 2, 4, 2, true, false },
	{ POD_CORE, 4, 1, 64, 0, 1, 1, 2, 4, 2, true, false },
	{ POD_CHIP, 4, 1, 64, 0, 1, 1, 2, 4, 2, true, false },
	{ POD_CORE, 4, 1, 64, 0, 1, 0, 2, 4, 1, true, false },
	{ POD_CHIP, 4, 1, 64, 0, 1, 0, 2, 4, 1, true, false },
	{ POD_CORE, 2, 1, 4096, 0, 1, 1, 2, 4, 2, false, false },
	{ POD_CHIP, 2, 1, 65536, 0, 1, 1, 2, 4, 2, false, false },
	{ POD_CHIP, 2, 1, 65536, 0, 1, 0, 2, 4, 1, false, false },
	{ POD_CHIP, 2, 1, 65536, 0, 1, 0, 2, 4, 0, false, false },
	{ POD_CHIP, 2, 1, 65536, 0, 0, 0, 2, 4, 1, false, false },
	{ POD_CHIP, 2, 1, 65536, 0, 0, 0, 2, 4, 0, false, false },
	{ POD_HOST, 4, 1, 1024, 0, 0, 0, 2, 4, 2, true, false },
	{ POD_HOST, 2, 1, 1 << 30, 0, 0, 0, 2, 4, 1, false, false },
	{ POD_HOST, 1, 1, 1 << 30, 0, 0, 0, 2, 0, 1, false, false },
};

enum { NLEVELS = sizeof levels / sizeof *levels, BIG_CORES = 16, MID_CORES = 128, WIDE = 140 };

/* --- hosts without coordinates: blocks in order, as close to a square as the columns allow --- */

static size_t host_cores(const struct pod *p, size_t first)
{
	size_t end = first;

	while (end < p->cores.ncores && p->cores.core[end].host == p->cores.core[first].host)
		end++;
	return end - first;
}

static void in_order(struct pod_grid *g, const struct pod *p, const struct pod_level *l, int cols)
{
	size_t most = 0, hosts = 0;
	int per, bw, bh, host = -1, local = 0;

	for (size_t i = 0, n; i < p->cores.ncores; i += n, hosts++) {
		n = host_cores(p, i);
		most = n > most ? n : most;
	}
	bw = l->unit == POD_HOST ? 1 : (int)(most < 8 ? most : 8);
	bh = l->unit == POD_HOST ? 1 : (int)((most + (size_t)bw - 1) / (size_t)bw);
	per = (cols - l->left + l->host_gap) / (bw * l->w + l->host_gap);
	if (per > (int)ceil(sqrt((double)hosts)) && hosts > 4)
		per = (int)ceil(sqrt((double)hosts));
	per = per < 1 ? 1 : per;
	for (size_t i = 0; i < p->cores.ncores; i++, local++) {
		if (!i || p->cores.core[i].host != p->cores.core[i - 1].host) {
			host++;
			local = 0;
		}
		g->cell[i] = (struct pod_cell){ host % per * bw + (l->unit == POD_HOST ? 0 : local % bw),
			host / per * bh + (l->unit == POD_HOST ? 0 : local / bw), 0, 0, 0, 1, (uint32_t)i };
	}
	g->block_w = bw;
	g->block_h = bh;
	g->chip_w = 0;
}

static bool has_place(const struct topology_core *c)
{
	return c->x >= 0 && c->y >= 0 && c->z >= 0;
}

static struct pod_cell place_of(const struct topology *t, const struct topology_core *c, enum pod_unit unit,
    uint32_t core)
{
	struct pod_cell at = { c->x, c->y, c->z, 0, 0, 1, core };
	int cpc = t->cores_per_chip > 0 ? t->cores_per_chip : 1;

	if (unit == POD_CORE)
		at.gx = c->x * cpc + (c->core_on_chip >= 0 && c->core_on_chip < cpc ? c->core_on_chip : 0);
	else if (unit == POD_HOST) {
		at.gx /= t->host_x;
		at.gy /= t->host_y;
		at.gz /= t->host_z;
	}
	return at;
}

/* false: the level needs coordinates that are unknown */
static bool put_cores(struct pod_grid *g, const struct pod *p, const struct pod_level *l, int cols)
{
	const struct topology *t = &p->topology;
	int cpc = t->cores_per_chip > 0 ? t->cores_per_chip : 1;

	g->placed_cores = 0;
	for (size_t i = 0; i < t->ncores; i++)
		g->placed_cores += has_place(&t->core[i]);
	g->placed = g->placed_cores > 0 && (l->unit != POD_HOST || t->host_x > 0);
	if (!g->placed) {
		if (l->unit == POD_CHIP)
			return false;
		in_order(g, p, l, cols);
		return true;
	}
	for (size_t i = 0; i < t->ncores; i++)
		g->cell[i] = has_place(&t->core[i]) ? place_of(t, &t->core[i], l->unit, (uint32_t)i)
						    : (struct pod_cell){ .gx = -1 };
	g->chip_w = l->unit == POD_CORE ? cpc : 1;
	g->block_w = l->unit == POD_HOST ? 0 : t->host_x * g->chip_w;
	g->block_h = l->unit == POD_HOST ? 0 : t->host_y;
	return true;
}

/* --- cells --- */

static int by_place(const void *a, const void *b)
{
	const struct pod_cell *x = a, *y = b;

	if (x->gz != y->gz)
		return x->gz - y->gz;
	if (x->gy != y->gy)
		return x->gy - y->gy;
	return x->gx != y->gx ? x->gx - y->gx : (x->worst > y->worst) - (x->worst < y->worst);
}

/* Cores at one position become one cell; those without coordinates (first, because gx is -1) get none. */
static void merge_cells(struct pod_grid *g, size_t n)
{
	qsort(g->cell, n, sizeof *g->cell, by_place);
	g->ncells = 0;
	g->w = g->h = g->planes = 0;
	for (size_t i = 0; i < n; i++) {
		struct pod_cell *c = &g->cell[i], *last = g->ncells ? &g->cell[g->ncells - 1] : NULL;

		if (c->gx < 0) {
			g->of[c->worst] = UINT32_MAX;
			continue;
		}
		if (last && last->gx == c->gx && last->gy == c->gy && last->gz == c->gz) {
			last->n++;
			g->of[c->worst] = (uint32_t)(g->ncells - 1);
			continue;
		}
		g->of[c->worst] = (uint32_t)g->ncells;
		g->w = c->gx >= g->w ? c->gx + 1 : g->w;
		g->h = c->gy >= g->h ? c->gy + 1 : g->h;
		g->planes = c->gz >= g->planes ? c->gz + 1 : g->planes;
		g->cell[g->ncells++] = *c;
	}
}

static int column_of(const struct pod_grid *g, int gx)
{
	int x = gx * g->level->w;

	if (g->block_w)
		x += gx / g->block_w * g->level->host_gap;
	if (g->chip_w && g->level->chip_gap)
		x += (gx / g->chip_w - (g->block_w ? gx / g->block_w : 0)) * g->level->chip_gap;
	return x;
}

static int row_of(const struct pod_grid *g, int gy)
{
	int y = gy * g->level->h;

	if (g->level->chip_gap && g->level->h > 1)
		return y + gy * g->level->chip_gap;
	return y + (g->block_h ? gy / g->block_h * g->level->host_gap_y : 0);
}

void pod_view_grid_spot(const struct pod_grid *g, struct pod_cell *c)
{
	const struct pod_level *l = g->level;

	c->x = l->left + c->gz % g->per_row * (g->plane_w + l->plane_gap) + column_of(g, c->gx);
	c->y = c->gz / g->per_row * (g->plane_h + 1) + l->top + row_of(g, c->gy);
}

static void put_planes(struct pod_grid *g, int cols)
{
	const struct pod_level *l = g->level;

	g->plane_w = g->w ? column_of(g, g->w - 1) + l->w : 0;
	g->plane_h = l->top + (g->h ? row_of(g, g->h - 1) + l->h : 0);
	g->per_row = (cols - l->left + l->plane_gap) / (g->plane_w + l->plane_gap);
	g->per_row = g->per_row < 1 ? 1 : g->per_row > g->planes ? g->planes : g->per_row;
	g->plane_rows = g->planes ? (g->planes + g->per_row - 1) / g->per_row : 0;
	g->height = g->plane_rows ? g->plane_rows * (g->plane_h + 1) - 1 : 0;
	for (size_t i = 0; i < g->ncells; i++)
		pod_view_grid_spot(g, &g->cell[i]);
}

static bool make_level(struct pod_grid *g, const struct pod *p, const struct pod_level *l, int rows, int cols)
{
	size_t chips =
	    p->cores.ncores / (size_t)(p->topology.cores_per_chip > 0 ? p->topology.cores_per_chip : 1);

	if (chips > (size_t)l->most && (l->most > 8 || p->cores.ncores > BIG_CORES))
		return false;
	if (l->unit == POD_CORE && l->number && p->cores.ncores > MID_CORES)
		return false;
	if (l->wide && cols < WIDE)
		return false;
	g->level = l;
	if (!l->top && l->unit == POD_CHIP && p->topology.z > 1) /* without room for the names of planes */
		return false;
	if (!put_cores(g, p, l, cols))
		return false;
	for (size_t i = 0; i < p->cores.ncores; i++)
		g->cell[i].worst = (uint32_t)i;
	merge_cells(g, p->cores.ncores);
	put_planes(g, cols);
	return g->height <= rows && l->left + g->plane_w <= cols;
}

void pod_view_grid_make(struct pod_grid *g, const struct pod *p, int rows, int cols, int little)
{
	size_t n = p->cores.ncores;

	pod_view_grid_free(g);
	g->cell = xcalloc(n + 1, sizeof *g->cell);
	g->of = xcalloc(n + 1, sizeof *g->of);
	for (int i = 0; i < NLEVELS && little > 0; i++)
		if (levels[i].number && levels[i].unit != POD_HOST &&
		    make_level(g, p, &levels[i], rows - little, cols))
			return;
	for (int i = 0; i < NLEVELS; i++)
		if (make_level(g, p, &levels[i], rows, cols))
			return;
	rows = g->height; /* the map has to scroll: the finest level with no more rows */
	for (int i = 0; i < NLEVELS; i++)
		if (make_level(g, p, &levels[i], rows, cols))
			return;
}

void pod_view_grid_free(struct pod_grid *g)
{
	free(g->cell);
	free(g->of);
	*g = (struct pod_grid){ .ncells = 0 };
}

void pod_view_grid_values(struct pod_grid *g, const double *value, size_t ncores)
{
	for (size_t i = 0; i < g->ncells; i++)
		g->cell[i].worst = UINT32_MAX;
	for (size_t i = 0; i < ncores; i++) {
		struct pod_cell *c = g->of[i] == UINT32_MAX ? NULL : &g->cell[g->of[i]];

		if (c && (c->worst == UINT32_MAX || isnan(value[c->worst]) || value[i] > value[c->worst]))
			c->worst = (uint32_t)i;
	}
}

size_t pod_view_grid_move(const struct pod_grid *g, size_t from, int dx, int dy)
{
	const struct pod_cell *a = &g->cell[from];
	size_t best = from;
	int near = 0;

	for (size_t i = 0; i < g->ncells; i++) {
		const struct pod_cell *b = &g->cell[i];
		int along = dx ? (b->x - a->x) * dx : (b->y - a->y) * dy;

		if ((dx ? b->y != a->y : b->x != a->x) || along <= 0 || (near && along >= near))
			continue;
		near = along;
		best = i;
	}
	return best;
}

size_t pod_view_grid_plane(const struct pod_grid *g, size_t from, int by)
{
	const struct pod_cell *a = &g->cell[from];
	int want = a->gz + by, far = 0;
	size_t best = from;

	want = want < 0 ? 0 : want >= g->planes ? g->planes - 1 : want;
	for (size_t i = 0; i < g->ncells && want != a->gz; i++) {
		const struct pod_cell *b = &g->cell[i];
		int way = abs(b->gx - a->gx) + abs(b->gy - a->gy);

		if (b->gz == want && (best == from || way < far)) {
			best = i;
			far = way;
		}
	}
	return best;
}

size_t pod_view_grid_at(const struct pod_grid *g, int y, int x)
{
	for (size_t i = 0; i < g->ncells; i++) {
		const struct pod_cell *c = &g->cell[i];

		if (y >= c->y && y < c->y + g->level->h && x >= c->x && x < c->x + g->level->w)
			return i;
	}
	return SIZE_MAX;
}
