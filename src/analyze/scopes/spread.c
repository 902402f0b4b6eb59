#include "config.h"
#include "analyze/scopes/scopes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "base/pool.h"

enum { CELLS = 1 << 25 }; /* of a core: scopes times steps; where there are more, the spread is not known */

struct spread {
	const struct core_times *times;
	struct scopes *s;
	int only; /* the core */
	struct progress *progress;
	pthread_mutex_t lock;
};

struct walk {
	const struct core_time *core;
	const struct scopes *s;
	int64_t *cell; /* by step and scope */
	size_t at;     /* the step */
};

static void begin_walk(void *ctx)
{
	struct walk *w = ctx;

	memset(w->cell, 0, w->core->nrows * w->s->n * sizeof *w->cell);
	w->at = 0;
}

/* Pieces come in order, and are cut where steps begin and end. */
static void take_piece(void *ctx, const struct cut_piece *p)
{
	struct walk *w = ctx;
	const struct cut_step *step = w->core->cut.step;
	int64_t *cell;

	while (w->at + 1 < w->core->nrows && step[w->at + 1].from <= p->from)
		w->at++;
	if (p->time >= PIECE_IDLE || p->from < step[w->at].from || p->from >= step[w->at].to)
		return;
	cell = &w->cell[w->at * w->s->n + w->s->scope_of[p->op->meta]];
	*cell = add_clamped(*cell, p->to - p->from);
}

/* A scope has the time of those in it, which come after it. */
static void add_step(struct scopes *s, int64_t *cell)
{
	for (size_t i = s->n; i-- > 0;) {
		struct name_scope *x = &s->v[i];

		if (x->parent != UINT32_MAX)
			cell[x->parent] = add_clamped(cell[x->parent], cell[i]);
		x->step_sum = add_clamped(x->step_sum, cell[i]);
		x->step_min = !s->cells || cell[i] < x->step_min ? cell[i] : x->step_min;
		x->step_max = cell[i] > x->step_max ? cell[i] : x->step_max;
	}
	s->cells++;
}

static void run_core(void *ctx, size_t i)
{
	struct spread *p = ctx;
	const struct core_time *c = &p->times->core[i];
	struct cut_core again = { .plane = c->cut.plane };
	struct walk w = { .core = c, .s = p->s };

	if ((p->only >= 0 && c->core != p->only) || !c->nrows || c->nrows > CELLS / (p->s->n + 1))
		return;
	w.cell = xcalloc(c->nrows * p->s->n + 1, sizeof *w.cell);
	cut_core(p->times->ops, &again, c->row, c->nrows, p->progress,
	    &(struct cut_visitor){ begin_walk, take_piece, NULL, NULL, &w });
	pthread_mutex_lock(&p->lock);
	for (size_t k = 0; k < c->nrows; k++)
		add_step(p->s, w.cell + k * p->s->n);
	pthread_mutex_unlock(&p->lock);
	cut_core_free(&again);
	free(w.cell);
}

void scopes_spread(const struct core_times *t, int core, int threads, struct progress *progress,
    struct scopes *s)
{
	struct spread p = { .times = t, .s = s, .only = core, .progress = progress };
	uint64_t events = 0;

	for (size_t i = 0; i < t->ncores; i++)
		events += t->core[i].nrows ? t->core[i].cut.ops : 0;
	progress_begin(progress, events);
	pthread_mutex_init(&p.lock, NULL);
	pool_run(threads > 0 ? threads : pool_default_threads(), t->ncores, run_core, &p);
	pthread_mutex_destroy(&p.lock);
}
