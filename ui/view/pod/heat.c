#include "config.h"
#include "view/pod/pod.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"

enum { AIRY = 30, SMALL = 8, FILLS = 8 };

/* --- tabs and head --- */

static const char *short_name(const struct pod_view *v, int tab)
{
	return tab == TAB_OWN ? "own" : kind_info[pod_view_kind(v, tab)].short_name;
}

/* When there is no room, tabs of metrics without any time are dropped first, starting with the last. */
static unsigned tabs_shown(const struct pod_view *v, int cols)
{
	unsigned shown = (1u << POD_METRICS) - 1;
	int w = 0;

	for (int i = 0; i < POD_METRICS; i++)
		w += (int)strlen(short_name(v, i)) + 4;
	for (int i = POD_METRICS - 1; i >= 0 && w > cols; i--)
		if (i != v->tab && !(v->stats.most[i] > 0)) {
			shown &= ~(1u << i);
			w -= (int)strlen(short_name(v, i)) + 4;
		}
	return shown;
}

static void draw_tabs(struct pod_view *v, struct canvas *c, int y, struct rect r)
{
	unsigned shown = tabs_shown(v, r.w - 3);
	int x = r.x;

	v->tabs_y = y;
	for (int k = 0; k < POD_METRICS; k++) {
		int i = (k + TAB_OWN) % POD_METRICS,
		    w = (int)strlen(short_name(v, i)) + 4; /* own work first */
		bool there = v->stats.most[i] > 0 || i == v->tab;

		v->tab_x[i] = x;
		v->tab_w[i] = 0;
		if (!(shown & 1u << i) || x + w > r.x + r.w)
			continue;
		v->tab_w[i] = w;
		if (i == v->tab) {
			canvas_fmt(c, y, x, w, ROLE_TAB_HERE, 0, " %d %s ", k, short_name(v, i));
		} else {
			canvas_fmt(c, y, x + 1, 1, ROLE_DIM, 0, "%d", k);
			canvas_str(c, y, x + 3, w - 3, there ? ROLE_TEXT : ROLE_DIM, 0, short_name(v, i));
		}
		x += w;
	}
}

static void step_text(const struct pod_view *v, char *buf, size_t size)
{
	snprintf(buf, size, "step ◂ %zu of %zu ▸", v->step + 1, v->pod->cores.nsteps);
}

static void draw_head(struct pod_view *v, struct canvas *c, int y, struct rect r)
{
	static const char *const per[] = { "by core", "a cell per chip", "a cell per host" };
	const struct pod *p = v->pod;
	char title[32], step[48], gloss[160];
	int x, end;

	snprintf(title, sizeof title, "%s", v->group ? "replica groups" : pod_view_tab_name(v, v->tab));
	for (char *s = title; *s; s++)
		*s = (char)toupper((unsigned char)*s);
	step_text(v, step, sizeof step);
	end = canvas_right(c, y, r.x + r.w, ROLE_TEXT, 0, step) - 1;
	v->steps_y = y;
	v->steps_x = end + 1;
	v->steps_end = r.x + r.w;
	x = r.x + 1 + canvas_str(c, y, r.x + 1, end - r.x - 1, ROLE_HEAD, ATTR_BOLD, title) + 2;
	if (v->group)
		snprintf(gloss, sizeof gloss, "of the selected collective");
	else
		snprintf(gloss, sizeof gloss, "%% of step %s, %s%s", step_cores_label(&p->cores, v->step),
		    v->grid.level ? per[v->grid.level->unit] : per[0],
		    v->grid.ncells < p->cores.ncores ? ", its worst core" : "");
	if (!p->cores.step[v->step].everywhere)
		snprintf(gloss + strlen(gloss), sizeof gloss - strlen(gloss), "; on %zu of %zu cores",
		    v->stats.n, p->cores.ncores);
	canvas_start(c, y, x, end - x, ROLE_DIM, 0, gloss, strlen(gloss));
}

/* --- the map --- */

/* The host of all cells of a plane; SIZE_MAX: several. */
static size_t plane_host(const struct pod_view *v, int z)
{
	size_t host = SIZE_MAX;

	for (size_t i = 0; i < v->grid.ncells; i++) {
		const struct pod_cell *cell = &v->grid.cell[i];
		size_t own = (size_t)v->pod->cores.core[cell->worst].host;

		if (cell->gz != z)
			continue;
		if (host != SIZE_MAX && host != own)
			return SIZE_MAX;
		host = own;
	}
	return host;
}

static void plane_title(const struct pod_view *v, struct canvas *c, int y, int x, int z)
{
	const struct pod_grid *g = &v->grid;
	size_t host = g->level->top > 1 && g->planes < 9 ? plane_host(v, z) : SIZE_MAX;
	int used = 0, w = g->plane_w > 8 ? g->plane_w : 8, pitch = g->plane_w + g->level->plane_gap;

	if (!g->level->top)
		return;
	if (!g->placed) {
		canvas_str(c, y, x, w > 30 ? w : 30, ROLE_DIM, 0, "hosts in order");
		return;
	}
	if (v->pod->topology.z > 1)
		used = canvas_fmt(c, y, x, w, ROLE_TEXT, ATTR_BOLD,
			   w > 8                                   ? "Z = %d"
			       : z && pitch <= (int)strlen("Z=10") ? "%d"
								   : "Z=%d",
			   g->level->unit == POD_HOST ? z * v->pod->topology.host_z : z) +
		    2;
	if (host < v->nhosts && *v->host[host] && w - used > 8)
		canvas_fmt(c, y, x + used, w - used, ROLE_DIM, 0, "host %s", v->host[host]);
}

static void axis_labels(const struct pod_view *v, struct canvas *c, int y, int x, int z)
{
	const struct pod_grid *g = &v->grid;
	const struct pod_level *l = g->level;
	int last_x = -1, last_y = -1;

	if (!g->placed || l->unit == POD_HOST)
		return;
	for (size_t i = 0; i < g->ncells; i++) {
		const struct pod_cell *cell = &g->cell[i];
		int chip = cell->gx / (g->chip_w ? g->chip_w : 1), wide = l->w * (g->chip_w ? g->chip_w : 1);
		char text[16];

		if (cell->gz != z)
			continue;
		if (cell->gy != last_y && l->left && (z % g->per_row == 0 || l->plane_gap >= l->left)) {
			snprintf(text, sizeof text, "y%d", cell->gy);
			canvas_right(c, y + cell->y % (g->plane_h + 1) + l->h / 2, x - 1, ROLE_DIM, 0, text);
		}
		last_y = cell->gy;
		if (cell->gy || chip == last_x || l->top < (g->planes > 1 ? 2 : 1))
			continue;
		last_x = chip;
		snprintf(text, sizeof text, "x%d", chip);
		if ((int)strlen(text) < wide || (wide == 2 && strlen(text) == 2 && !(chip % 2)))
			canvas_str(c, y + l->top - 1,
			    v->map.x + cell->x - cell->gx % (g->chip_w ? g->chip_w : 1) * l->w +
				(wide - (int)strlen(text)) / 2,
			    wide, ROLE_DIM, 0, text);
		else if (wide == 2 && !(chip % 4))
			canvas_fmt(c, y + l->top - 1, v->map.x + cell->x, 3, ROLE_DIM, 0, "%d", chip);
	}
}

static void draw_planes(const struct pod_view *v, struct canvas *c)
{
	const struct pod_grid *g = &v->grid;

	for (int z = 0; z < g->planes; z++) {
		int y = v->map.y - v->top + z / g->per_row * (g->plane_h + 1),
		    x = v->map.x + g->level->left + z % g->per_row * (g->plane_w + g->level->plane_gap);

		plane_title(v, c, y, x, z);
		axis_labels(v, c, y, x, z);
	}
}

struct look_of {
	enum role role;
	char text[24];
	bool here, mark;
};

/* The number in a cell, with as many digits as fit. */
static void heat_text(const struct pod_view *v, const struct canvas *c, double value, struct look_of *o)
{
	const struct pod_level *l = v->grid.level;

	if (isnan(value))
		snprintf(o->text, sizeof o->text, "%s", CELL_UNKNOWN);
	else if (l->w >= 8)
		snprintf(o->text, sizeof o->text, "%.1f", 100 * value);
	else if (l->number)
		snprintf(o->text, sizeof o->text, "%.0f", 100 * value);
	else if (c->mono)
		snprintf(o->text, sizeof o->text, "%d", pod_view_scale_step(v, value, 10));
}

/* The role of a cell in a channel. */
struct end {
	uint32_t to;                   /* the cell that it sends to; UINT32_MAX = none */
	bool sends, receives, several; /* several: it sends to more cells */
};

static uint32_t cell_of(const struct pod_view *v, uint32_t core)
{
	return core < v->pod->cores.ncores ? v->grid.of[core] : UINT32_MAX;
}

/* By cell; NULL: no channel is selected.  The caller frees it. */
static struct end *ends_of_channel(const struct pod_view *v)
{
	const struct pod_channel *ch = pod_view_channel_here(v);
	struct end *end;

	if (!ch)
		return NULL;
	end = xcalloc(v->grid.ncells + 1, sizeof *end);
	for (size_t i = 0; i < ch->nsrc; i++) {
		uint32_t from = cell_of(v, ch->src[i]),
			 to = i < ch->ndst ? cell_of(v, ch->dst[i]) : UINT32_MAX;

		if (from == UINT32_MAX)
			continue;
		end[from].several |= end[from].sends && end[from].to != to;
		end[from].sends = true;
		end[from].to = to;
	}
	for (size_t i = 0; i < ch->ndst; i++)
		if (cell_of(v, ch->dst[i]) != UINT32_MAX)
			end[cell_of(v, ch->dst[i])].receives = true;
	return end;
}

/* The direction of a cell: along rows and columns of a plane, else to another plane. */
static const char *direction_sign(const struct pod_view *v, const struct canvas *c, size_t from, uint32_t to)
{
	static const char *const blocks[3][3] = { { "↖", "↑", "↗" }, { "←", "·", "→" }, { "↙", "↓", "↘" } };
	static const char *const ascii[3][3] = { { "\\", "^", "/" }, { "<", ".", ">" }, { "/", "v", "\\" } };
	const struct pod_cell *a = &v->grid.cell[from], *b;
	int dx, dy;

	if (to == UINT32_MAX)
		return "";
	b = &v->grid.cell[to];
	if (a->gz != b->gz)
		return b->gz > a->gz ? "⊕" : "⊖";
	dx = 1 + (b->gx > a->gx) - (b->gx < a->gx);
	dy = 1 + (b->gy > a->gy) - (b->gy < a->gy);
	return c->glyphs->ascii ? ascii[dy][dx] : blocks[dy][dx];
}

/* "S" for a sender, "D" for a receiver, an arrow to the cell that data is sent to. */
static void draw_end(const struct pod_view *v, struct canvas *c, size_t i, const struct end *end, int y,
    int x, enum role role)
{
	const struct pod_level *l = v->grid.level;
	char text[16];

	if (!end->sends && !end->receives)
		return;
	snprintf(text, sizeof text, "%s%s%s", end->sends ? "S" : "", end->receives ? "D" : "",
	    !end->sends        ? ""
		: end->several ? "*"
			       : direction_sign(v, c, i, end->to));
	if (end->sends && end->receives && l->w < 4) /* the arrow is more useful */
		snprintf(text, sizeof text, "%s", end->several ? "*" : direction_sign(v, c, i, end->to));
	canvas_str(c, y + (l->h > 1 ? l->h - 1 : 0), x + (l->w > 4 ? l->w / 2 - 1 : 0), l->w, role,
	    ATTR_REVERSE | ATTR_BOLD, text);
}

static void draw_selected(struct canvas *c, int y, int x, int w, const struct look_of *o)
{
	if (w < 2) {
		canvas_glyph(c, y, x, GLYPH_HIT_HERE, o->role, ATTR_BOLD | (c->mono ? ATTR_REVERSE : 0));
		return;
	}
	canvas_put(c, y, x, '[', o->role, ATTR_BOLD);
	if (w > 2 || !*o->text)
		canvas_put(c, y, x + w - 1, ']', o->role, ATTR_BOLD);
}

static void draw_number(struct canvas *c, int y, int x, const struct pod_level *l, const struct look_of *o)
{
	int w = utf8_cols(o->text, strlen(o->text)), at = l->w > 4 ? l->w / 2 + 2 - w : (l->w - w) / 2;
	unsigned attr = o->here ? ATTR_BOLD : 0;

	if (o->here) { /* the same attribute everywhere takes fewer bytes */
		canvas_fill(c, (struct rect){ y, x, 1, l->w }, ' ', o->role, ATTR_BOLD);
		draw_selected(c, y, x, l->w, o);
	}
	if (o->here && l->w > 2 && w > l->w - 2) /* "100" leaves no room for both brackets */
		attr |= ATTR_REVERSE;
	if (o->here && l->w == 2)
		at = 1;
	if (*o->text && !(o->here && l->w < 2))
		canvas_str(c, y, x + (at > 0 ? at : 0), l->w, o->role, attr, o->text);
}

/* Is it larger than all others? */
static bool is_worst(const struct pod_view *v, size_t core)
{
	return v->stats.n > 1 && v->stats.order[0] == core && pod_view_stands_out(v, v->stats.high);
}

static void draw_cell(const struct pod_view *v, struct canvas *c, size_t i, const struct end *end)
{
	const struct pod_cell *cell = &v->grid.cell[i];
	const struct pod_level *l = v->grid.level;
	double value = v->stats.value[cell->worst];
	int y = v->map.y + cell->y - v->top, x = v->map.x + cell->x, mid = l->w < 8 ? l->h / 2 : l->h / 2 - 1;
	struct look_of o = { .role = ROLE_TEXT, .here = v->grid.of[v->core] == i };

	if (y + l->h <= v->map.y || y >= v->map.y + v->map.h)
		return;
	o.role = pod_view_heat(v, value);
	heat_text(v, c, value, &o);
	if (v->group) {
		int group = v->group[cell->worst];

		o.role = group < 0 ? ROLE_TEXT : (enum role)(ROLE_FILL_MATMUL + group % FILLS);
		*o.text = 0;
		if (l->w > 1)
			snprintf(o.text, sizeof o.text, group < 0 ? "." : "%d", group);
	}
	canvas_fill(c, (struct rect){ y, x, l->h, l->w }, ' ', o.role, 0);
	draw_number(c, y + mid, x, l, &o);
	if (l->w >= 8)
		canvas_fmt(c, y + mid + 1, x + l->w / 2 - 1, l->w / 2, o.role, 0, "c%d",
		    v->pod->cores.core[cell->worst].core);
	if (l->h > 2 && l->w >= 8 && !v->group && !end && is_worst(v, cell->worst))
		canvas_str(c, y + mid + 2, x + l->w / 2 - 4, l->w / 2 + 4, o.role, ATTR_BOLD, "▲ worst");
	else if (l->w < 3 && !o.here && !c->mono && !v->group && is_worst(v, cell->worst))
		canvas_put(c, y, x, 0x25b2, o.role, ATTR_BOLD);
	if (end)
		draw_end(v, c, i, end, y, x, o.role);
}

/* A dot at each position of the mesh; cells are drawn over them, so dots remain where no core is known. */
static void draw_places(const struct pod_view *v, struct canvas *c)
{
	const struct pod_grid *g = &v->grid;
	const struct pod_level *l = g->level;

	for (int k = 0; g->placed && k < g->w * g->h * g->planes; k++) {
		struct pod_cell spot = { .gx = k % g->w, .gy = k / g->w % g->h, .gz = k / g->w / g->h };

		pod_view_grid_spot(g, &spot);
		canvas_glyph(c, v->map.y + spot.y - v->top + l->h / 2, v->map.x + spot.x + (l->w - 1) / 2,
		    GLYPH_BULLET, ROLE_DIM, 0);
	}
}

/* Planes that do not fit are scrolled by whole rows of planes. */
static void keep_in_sight(struct pod_view *v)
{
	const struct pod_grid *g = &v->grid;
	uint32_t cell = g->of[v->core];
	int row = g->plane_h + 1, at, rows = v->map.h / row > 0 ? v->map.h / row : 1;

	if (g->height <= v->map.h || cell == UINT32_MAX) {
		v->top = g->height <= v->map.h ? 0 : v->top;
		return;
	}
	at = g->cell[cell].y / row;
	if (row > v->map.h)
		v->top = g->cell[cell].y - v->map.h / 2;
	else
		v->top = at / rows * rows * row;
	if (row > v->map.h && v->top > g->height - v->map.h)
		v->top = g->height - v->map.h;
	v->top = v->top > 0 ? v->top : 0;
}

static int draw_map(struct pod_view *v, struct canvas *c, struct rect r)
{
	struct end *end = ends_of_channel(v);
	struct rect clip;

	v->map = r;
	keep_in_sight(v);
	clip = canvas_clip(c, r);
	draw_planes(v, c);
	draw_places(v, c);
	for (size_t i = 0; i < v->grid.ncells; i++)
		draw_cell(v, c, i, end ? &end[i] : NULL);
	free(end);
	canvas_clip(c, clip);
	return r.y + (v->grid.height < r.h ? v->grid.height : r.h);
}

/* Rows for the map; `little`: rows to leave for what is below, if possible. */
static int rows_for(const struct pod_view *v, struct rect r, bool airy, int *little)
{
	bool small = r.h < SMALL;
	int rows = r.h - (small ? 1 : 3 + 3 * airy);

	*little = airy ? 9 : r.h >= 12 ? 4 : 0;
	if (v->below == POD_BARS)
		return rows;
	rows = rows - *little - airy > 3 ? rows - *little - airy : rows - *little;
	*little = 0;
	return rows;
}

/* Chooses cells that fit; empty rows are dropped before the map is cut. */
static void fit_grid(struct pod_view *v, struct rect r)
{
	int little, rows;

	if (v->grid.cell && v->grid_for.h == r.h && v->grid_for.w == r.w)
		return;
	v->grid_for = r;
	v->airy = r.h >= AIRY;
	rows = rows_for(v, r, v->airy, &little);
	pod_view_grid_make(&v->grid, v->pod, rows, r.w, little);
	if (v->airy && v->grid.height > rows) {
		v->airy = false;
		rows = rows_for(v, r, false, &little);
		pod_view_grid_make(&v->grid, v->pod, rows, r.w, little);
	}
	pod_view_grid_values(&v->grid, v->stats.value, v->pod->cores.ncores);
}

int pod_view_heat_draw(struct pod_view *v, struct canvas *c, struct rect r)
{
	bool small = r.h < SMALL;
	int y = r.y, rows, little;

	fit_grid(v, r);
	rows = rows_for(v, r, v->airy, &little);
	if (!small) {
		draw_tabs(v, c, y, r);
		y += 1 + v->airy;
	}
	draw_head(v, c, y, r);
	y += 1 + v->airy;
	if (rows < 1)
		return y;
	y = draw_map(v, c, (struct rect){ y, r.x, v->grid.height < rows ? v->grid.height : rows, r.w });
	if (!small)
		pod_view_legend_draw(v, c, y + v->airy, r);
	return y + (small ? 0 : 1 + v->airy);
}
