#include "config.h"
#include "analyze/communication/internal.h"

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

/* All ops with the same groups have the name that the program gives their axis, in whichever op it does. */
void comm_axes(struct communication *c)
{
	struct grouped *v = xcalloc(c->nops + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < c->nops; i++) {
		struct comm_op *o = &c->op[i];
		const struct hlo_line l = hlo_line_of(cut_text(c->dump, o->meta));

		if (o->groups)
			v[n++] = (struct grouped){ o,
				hlo_mesh_axes(&c->text, hlo_text_list(l.attributes, "replica_groups=")) };
	}
	VEC_SORT(v, n, by_groups);
	for (size_t i = 0; i < n; i++) {
		if (i && !strcmp(v[i].op->groups, v[i - 1].op->groups))
			v[i].op->axis = v[i - 1].op->axis;
		else
			v[i].op->axis = v[i].mesh.n         ? v[i].mesh.s
			    : !*v[i].op->groups             ? "all"
			    : v[i].op->kind == COMM_PERMUTE ? "pairs"
							    : stride_name(&c->text, v[i].op);
	}
	free(v);
}
