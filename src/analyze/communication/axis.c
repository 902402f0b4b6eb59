#include "config.h"
#include "analyze/communication/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/groups.h"
#include "base/mem.h"

struct grouped {
	struct comm_op *op;
	struct slice mesh;
};

/* Ops with a name for their axis first. */
static int by_groups(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;
	int order = strcmp(x->op->groups, y->op->groups);

	return order ? order : slice_order(y->mesh, x->mesh);
}

/* "n=8 stride 2", from the first group: its devices are that far apart */
static const char *stride_name(struct arena *a, const struct comm_op *o)
{
	long long v[2] = { 0, 0 };
	char text[64];
	int n = sscanf(o->groups, "{%lld,%lld", &v[0], &v[1]);

	if (n == 2)
		snprintf(text, sizeof text, "n=%lld stride %lld", (long long)o->group_size, v[1] - v[0]);
	else
		snprintf(text, sizeof text, "n=%lld", (long long)o->group_size);
	return arena_strndup(a, text, strlen(text));
}

/* "xy": axes of the mesh of chips, where it is not assumed; "chip": its own cores; NULL: neither */
static const char *mesh_name(const struct comm_links *l, int axes)
{
	static const char *const names[] = { "chip", "x", "y", "xy", "z", "xz", "yz", "xyz" };

	return axes < 0 || (axes && l->mesh.source != TOPOLOGY_USER) ? NULL : names[axes];
}

static const char *name_axis(struct communication *c, const struct comm_links *l, const struct grouped *g,
    int axes)
{
	const char *mesh = g->op->group_size > 1 ? mesh_name(l, axes) : NULL;

	return g->mesh.n                  ? g->mesh.s
	    : mesh                        ? mesh
	    : !*g->op->groups             ? "all"
	    : g->op->kind == COMM_PERMUTE ? "pairs"
					  : stride_name(&c->text, g->op);
}

/* All ops with the same groups have the name that the program gives their axis, in whichever op it does. */
void comm_axes(struct communication *c, const struct comm_links *l)
{
	struct grouped *v = xcalloc(c->nops + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < c->nops; i++) {
		struct comm_op *o = &c->op[i];
		const struct hlo_line line = hlo_line_of(cut_text(c->dump, o->meta));

		if (o->groups)
			v[n++] = (struct grouped){ o,
				hlo_mesh_axes(&c->text, hlo_text_list(line.attributes, "replica_groups=")) };
	}
	VEC_SORT(v, n, by_groups);
	for (size_t i = 0; i < n; i++) {
		if (i && !strcmp(v[i].op->groups, v[i - 1].op->groups)) {
			v[i].op->axis = v[i - 1].op->axis;
			v[i].op->peak = v[i - 1].op->peak;
			continue;
		}
		bool alike;
		int axes = comm_links_axes(l, v[i].op->groups, &alike);

		v[i].op->axis = name_axis(c, l, &v[i], alike ? axes : -1);
		v[i].op->peak = comm_links_peak(l, axes);
		if (!isnan(v[i].op->peak) && axes) {
			c->mesh.x = l->mesh.x;
			c->mesh.y = l->mesh.y;
			c->mesh.z = l->mesh.z;
			c->mesh.assumed = l->mesh.source == TOPOLOGY_ASSUMED;
		}
	}
	free(v);
}
