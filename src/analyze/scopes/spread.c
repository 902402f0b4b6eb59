#include "config.h"
#include "analyze/scopes/scopes.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

/* A scope has the time of those in it, which come after it. */
static void add_step(struct scopes *s, int64_t *time)
{
	for (size_t i = s->n; i-- > 0;) {
		struct name_scope *x = &s->v[i];

		if (x->parent != UINT32_MAX)
			time[x->parent] = add_clamped(time[x->parent], time[i]);
		x->step_sum = add_clamped(x->step_sum, time[i]);
		x->step_min = !s->cells || time[i] < x->step_min ? time[i] : x->step_min;
		x->step_max = time[i] > x->step_max ? time[i] : x->step_max;
	}
	s->cells++;
}

static void spread_core(struct scopes *s, const struct core_time *c, const char *only, int64_t *time)
{
	size_t at = 0;

	for (size_t step = 0; step < c->nrows; step++) {
		memset(time, 0, s->n * sizeof *time);
		for (; at < c->ncells && c->cell[at].step == step; at++) {
			int64_t *to = &time[s->scope_of[c->cell[at].meta]];

			*to = add_clamped(*to, c->cell[at].time);
		}
		if (!only || steps_is(&c->row[step], only))
			add_step(s, time);
	}
}

void scopes_spread(const struct core_times *t, const struct scopes_options *o, struct scopes *s)
{
	int64_t *time = xcalloc(s->n + 1, sizeof *time);

	for (size_t i = 0; i < t->ncores; i++)
		if (o->core < 0 || t->core[i].core == o->core)
			spread_core(s, &t->core[i], o->step, time);
	free(time);
}
