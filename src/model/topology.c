#include "config.h"
#include "model/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file/embedded.h"
#include "base/mem.h"
#include "base/text/digit.h"

#define FIELDS 6

int topology_parse(const char *text, int *x, int *y, int *z, struct err *e)
{
	int *side[3] = { x, y, z }, n = 0;
	const char *s = text;
	bool more = true;

	*x = *y = *z = 1;
	for (; more && n < 3; n++) {
		char *end = (char *)(uintptr_t)s;
		long v = is_digit(*s) ? strtol(s, &end, 10) : 0;

		if (v < 1 || v > TOPOLOGY_SIDE_MAX)
			break;
		*side[n] = (int)v;
		more = *end == 'x';
		s = end + more;
	}
	if (n < 2 || more || *s)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "--topology %.60s: must be the number of chips along each axis, for example 4x4 or 4x4x4",
		    text);
	return 0;
}

/* Reads the table line by line, with up to FIELDS fields; lines are cut at their tabs. */
struct rows {
	const char *s, *end;
	char line[160], *field[FIELDS];
};

static struct rows rows_open(void)
{
	const struct embedded *e = embedded_find("topologies.tsv");
	const char *s = e ? (const char *)e->bytes : NULL;

	return (struct rows){ .s = s, .end = e ? s + e->size : NULL };
}

/* Reads the next line of that kind. */
static bool rows_next(struct rows *r, const char *sort)
{
	while (r->s < r->end) {
		const char *stop = memchr(r->s, '\n', (size_t)(r->end - r->s));
		size_t n = (size_t)((stop ? stop : r->end) - r->s);
		char *rest = r->line;

		if (n >= sizeof r->line)
			n = sizeof r->line - 1;
		memcpy(r->line, r->s, n);
		r->line[n] = 0;
		r->s = stop ? stop + 1 : r->end;
		for (int i = 0; i < FIELDS; i++) {
			r->field[i] = strsep(&rest, "\t");
			if (!r->field[i])
				r->field[i] = r->line + n;
		}
		if (!strcmp(r->field[0], sort))
			return true;
	}
	return false;
}

bool topology_kind_of(const char *device, struct topology_kind *k)
{
	struct rows r = rows_open();

	while (rows_next(&r, "chip"))
		if (!strcasecmp(r.field[1], device)) {
			*k = (struct topology_kind){ atoi(r.field[2]), atoi(r.field[3]), atoi(r.field[4]),
				atoi(r.field[5]) };
			return true;
		}
	return false;
}

/* Finds the smallest default mesh that holds so many chips. */
static bool default_mesh(int axes, int64_t chips, int *x, int *y, int *z)
{
	struct rows r = rows_open();

	while (rows_next(&r, "mesh"))
		if (atoi(r.field[1]) == axes && atoi(r.field[2]) >= chips)
			return !topology_parse(r.field[3], x, y, z, NULL);
	return false;
}

static bool block_of(int64_t chips, int *x, int *y, int *z)
{
	struct rows r = rows_open();

	while (rows_next(&r, "block"))
		if (atoi(r.field[1]) == chips)
			return !topology_parse(r.field[2], x, y, z, NULL);
	return false;
}

/* Returns the cores per chip: what the cores say; else the table, or more if a host has more planes than
 * that. */
static int cores_per_chip(const struct topology_kind *k, const struct topology_ask *v, size_t n)
{
	int most = 0, cores = k->cores_per_chip ? k->cores_per_chip : 1, on_host = 0;

	for (size_t i = 0; i < n; i++) {
		on_host = i && v[i].host == v[i - 1].host ? on_host + 1 : 1;
		most = on_host > most ? on_host : most;
		if (v[i].core_on_chip >= 0 && v[i].core_on_chip < TOPOLOGY_CORES_MAX &&
		    v[i].core_on_chip >= cores)
			cores = v[i].core_on_chip + 1;
	}
	while (k->chips_per_host && most > cores * k->chips_per_host)
		cores++;
	return cores;
}

static void place_at(struct topology *t, struct topology_core *c, int64_t chip)
{
	c->chip = chip;
	if (!t->x || chip < 0 || chip >= (int64_t)t->x * t->y * t->z)
		return;
	c->x = (int)(chip % t->x);
	c->y = (int)(chip / t->x % t->y);
	c->z = (int)(chip / t->x / t->y);
}

/* Places chips by host and plane: hosts are blocks in raster order, and so are the chips inside a host. */
static void place_in_order(struct topology *t, const struct topology_ask *v, size_t n, int64_t per_host)
{
	int bx = 1, by = 1, bz = 1;
	bool blocks = block_of(per_host, &bx, &by, &bz) && !(t->x % bx) && !(t->y % by) && !(t->z % bz);
	int64_t host = -1, local = 0;

	for (size_t i = 0; i < n; i++) {
		struct topology_core *c = &t->core[i];
		int64_t chip, x, y, z;

		local = i && v[i].host == v[i - 1].host ? local + 1 : 0;
		host += !local;
		chip = local / t->cores_per_chip;
		if (c->core_on_chip < 0)
			c->core_on_chip = (int)(local % t->cores_per_chip);
		if (!blocks) {
			place_at(t, c, host * per_host + chip);
			continue;
		}
		x = host % (t->x / bx) * bx + chip % bx;
		y = host / (t->x / bx) % (t->y / by) * by + chip / bx % by;
		z = host / (t->x / bx) / (t->y / by) * bz + chip / bx / by;
		place_at(t, c, x + t->x * (y + t->y * z));
	}
}

/* Sets the size of host blocks if the chips of every host fill a box of the same size. */
static void find_blocks(struct topology *t, const struct topology_ask *v)
{
	int size[3] = { 0 };

	for (size_t a = 0, end; a < t->ncores; a = end) {
		int low[3] = { INT_MAX, INT_MAX, INT_MAX }, high[3] = { -1, -1, -1 };

		for (end = a; end < t->ncores && v[end].host == v[a].host; end++) {
			const struct topology_core *c = &t->core[end];
			int at[3] = { c->x, c->y, c->z };

			for (int i = 0; i < 3; i++) {
				if (at[i] < 0)
					return;
				low[i] = at[i] < low[i] ? at[i] : low[i];
				high[i] = at[i] > high[i] ? at[i] : high[i];
			}
		}
		for (int i = 0; i < 3; i++) {
			int n = high[i] - low[i] + 1;

			if ((a && size[i] != n) || low[i] % n)
				return;
			size[i] = n;
		}
		if ((size_t)size[0] * size[1] * size[2] * t->cores_per_chip > end - a)
			return;
	}
	t->host_x = size[0];
	t->host_y = size[1];
	t->host_z = size[2];
}

/* Returns how many chips the mesh must hold; *per_host is how many of them a host has. */
static int64_t chips_needed(const struct topology *t, const struct topology_ask *v, size_t n, bool known,
    int64_t *per_host)
{
	int64_t most = 0, hosts = 0, on_host = 0, last = -1;

	for (size_t i = 0; i < n; i++) {
		bool same = i && v[i].host == v[i - 1].host;

		hosts += !same;
		on_host = same ? on_host + 1 : 1;
		most = on_host > most ? on_host : most;
		last = v[i].chip > last ? v[i].chip : last;
	}
	*per_host = (most + t->cores_per_chip - 1) / t->cores_per_chip;
	return known ? last + 1 : hosts * *per_host;
}

static int by_chip(const void *a, const void *b)
{
	const struct topology_ask *x = a, *y = b;

	return x->chip != y->chip ? (x->chip > y->chip) - (x->chip < y->chip) : x->host - y->host;
}

/* Does every core say its chip, and is no chip on two hosts?  Slices of a job number their chips alike, so
 * that these numbers are not positions in one mesh. */
static bool chips_known(const struct topology_ask *v, size_t n)
{
	struct topology_ask *sorted = xcalloc(n + 1, sizeof *sorted);
	bool known = n > 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = v[i];
	qsort(sorted, n, sizeof *sorted, by_chip);
	for (size_t i = 0; i < n && known; i++)
		known = sorted[i].chip >= 0 &&
		    (!i || sorted[i].chip != sorted[i - 1].chip || sorted[i].host == sorted[i - 1].host);
	free(sorted);
	return known;
}

bool topology_place(struct topology *t, const char *device, const struct topology_ask *v, size_t n)
{
	struct topology_kind k = { 0 };
	bool in_table = topology_kind_of(device, &k), known = chips_known(v, n), fits = true;
	int64_t need, per_host;

	t->cores_per_chip = t->cores_per_chip > 0 ? t->cores_per_chip : cores_per_chip(&k, v, n);
	t->core = xcalloc(n + 1, sizeof *t->core);
	t->ncores = n;
	for (size_t i = 0; i < n; i++)
		t->core[i] = (struct topology_core){ -1, -1, -1, v[i].core_on_chip, v[i].chip };
	need = chips_needed(t, v, n, known, &per_host);
	if (t->x && (int64_t)t->x * t->y * t->z < need) {
		t->x = t->y = t->z = 0;
		fits = false;
	}
	if (!t->x) {
		t->source = TOPOLOGY_NONE;
		if (n && in_table && default_mesh(k.axes, need, &t->x, &t->y, &t->z))
			t->source = TOPOLOGY_ASSUMED;
		else
			t->x = t->y = t->z = 0;
	}
	if (known)
		for (size_t i = 0; i < n; i++)
			place_at(t, &t->core[i], v[i].chip);
	else if (t->x)
		place_in_order(t, v, n, per_host);
	find_blocks(t, v);
	return fits;
}

#define CHIPS_MAX (1 << 16)

int64_t topology_device(int64_t chip, int core_on_chip, int cores_per_chip, size_t place)
{
	if (chip < 0 || chip >= CHIPS_MAX || core_on_chip < 0 || core_on_chip >= TOPOLOGY_CORES_MAX)
		return (int64_t)place;
	return chip * cores_per_chip + core_on_chip;
}

void topology_free(struct topology *t)
{
	free(t->core);
	*t = (struct topology){ 0 };
}
