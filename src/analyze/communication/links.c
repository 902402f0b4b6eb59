#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/chips.h"
#include "analyze/device/core_details.h"
#include "analyze/device/peaks.h"
#include "base/mem.h"
#include "base/text/digit.h"

enum { AXES = 3, TORUS_LINKS = 6 };

/* Slices of a job count their chips alike: then a chip is not where its number says. */
static bool is_placed(const struct topology *t, const struct topology_ask *v)
{
	for (size_t i = 0; i < t->ncores; i++)
		if (t->core[i].x < 0 || (v[i].chip >= 0 && v[i].chip != t->core[i].chip))
			return false;
	return t->ncores > 0;
}

static void number_devices(struct comm_links *l, const struct topology_ask *v)
{
	int64_t last = -1;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < l->mesh.ncores; i++) {
			int64_t id = topology_device(v[i].chip, v[i].core_on_chip, l->mesh.cores_per_chip, i);

			last = id > last ? id : last;
			if (pass)
				l->core[id] = i;
		}
		if (!pass) {
			l->devices = (size_t)(last + 1);
			l->core = xcalloc(l->devices + 1, sizeof *l->core);
			memset(l->core, 0xff, l->devices * sizeof *l->core);
		}
	}
}

void comm_links_find(const struct core_times *t, const char *topology, struct comm_links *l)
{
	struct topology_ask *v = xcalloc(t->ncores + 1, sizeof *v);
	struct peaks peaks = { 0 };
	struct chip chip = { 0 };
	struct topology *m = &l->mesh;

	*l = (struct comm_links){ .link = 0 };
	for (size_t i = 0; i < t->ncores; i++) {
		struct core_details c = core_details_of(t->dump, t->core[i].cut.plane);

		v[i] = (struct topology_ask){ t->core[i].host, t->core[i].core, c.core_on_chip, c.chip };
	}
	if (t->ncores)
		peaks_of_plane(t->dump, t->core[0].cut.plane, &peaks);
	if (topology && *topology && !topology_parse(topology, &m->x, &m->y, &m->z, NULL))
		m->source = TOPOLOGY_USER;
	topology_place(m, peaks.device, v, t->ncores);
	if ((l->placed = chip_find(peaks.device, &chip) && is_placed(m, v))) {
		number_devices(l, v);
		l->link = chip.link;
		l->inside = chip.inside;
		l->wraps = chip.links >= TORUS_LINKS ? 4 : 16; /* in three dimensions, and in two */
	}
	free(v);
}

void comm_links_free(struct comm_links *l)
{
	topology_free(&l->mesh);
	free(l->core);
}

static const struct topology_core *core_of(const struct comm_links *l, int64_t device)
{
	return (uint64_t)device < l->devices && l->core[device] != SIZE_MAX ? &l->mesh.core[l->core[device]]
									    : NULL;
}

static int differ(const struct topology_core *a, const struct topology_core *b)
{
	return (a->x != b->x) | (a->y != b->y) << 1 | (a->z != b->z) << 2;
}

/* A list of all devices has no groups: all that there are. */
static int axes_of_all(const struct comm_links *l)
{
	int axes = 0;

	for (size_t i = 1; i < l->mesh.ncores; i++)
		axes |= differ(&l->mesh.core[0], &l->mesh.core[i]);
	return axes;
}

/* The group with the fewest links is the slowest. */
static int fewer_axes(int all, int axes)
{
	return all <= 0 || (axes && __builtin_popcount((unsigned)axes) < __builtin_popcount((unsigned)all))
	    ? axes
	    : all;
}

int comm_links_axes(const struct comm_links *l, const char *groups, bool *alike)
{
	const struct topology_core *first = NULL;
	int all = -1, axes = 0;

	*alike = true;
	if (!l->placed || !groups)
		return -1;
	if (!*groups)
		return axes_of_all(l);
	for (const char *s = groups; *s;) {
		const struct topology_core *c;
		int64_t device = 0;

		if (!is_digit(*s)) {
			*alike &= *s != '}' || all < 0 || all == axes;
			all = *s == '}' ? fewer_axes(all, axes) : all;
			if (*s++ == '{') {
				first = NULL;
				axes = 0;
			}
			continue;
		}
		for (; is_digit(*s) && device < INT32_MAX; s++)
			device = device * 10 + (*s - '0');
		if (!(c = core_of(l, device)))
			return -1;
		first = first ? first : c;
		axes |= differ(first, c);
	}
	return all;
}

double comm_links_peak(const struct comm_links *l, int axes)
{
	const int side[AXES] = { l->mesh.x, l->mesh.y, l->mesh.z };
	double links = 0;

	if (!axes)
		return l->inside > 0 ? l->inside : NAN;
	if (axes < 0 || !(l->link > 0))
		return NAN;
	for (int i = 0; i < AXES; i++)
		if (axes >> i & 1)
			links += side[i] % l->wraps ? 1 : 2;
	return links * l->link;
}
