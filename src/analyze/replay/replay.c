#include "config.h"
#include "analyze/replay/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/robust.h"

struct job {
	struct cut_ops *ops;
	struct cut_core *cut;
	struct replay *r;
	struct progress *progress;
};

static void run_core(void *ctx, size_t i)
{
	const struct job *j = ctx;

	nodes_make(j->ops, &j->cut[i], &j->r->core[i], j->progress);
}

/* Those of a damaged capture may: they cannot be taken apart, and it counts as one without steps. */
static bool steps_overlap(const struct replay_core *c)
{
	for (size_t i = 1; i < c->nborders; i++)
		if (c->border[i].from < c->border[i - 1].to)
			return true;
	return false;
}

/* All have as many steps as the core that has fewest; cores without steps are no part of it. */
static void count_steps(struct replay *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->ncores; i++) {
		if (r->core[i].nnodes)
			r->core[n++] = r->core[i];
		else
			nodes_free(&r->core[i]);
	}
	r->ncores = n;
	r->nsteps = n ? SIZE_MAX : 0;
	for (size_t i = 0; i < n; i++) {
		const struct replay_core *c = &r->core[i];

		r->nsteps = c->nborders < r->nsteps ? c->nborders : r->nsteps;
	}
	for (size_t i = 0; i < n; i++)
		if (steps_overlap(&r->core[i]))
			r->nsteps = 0;
}

int64_t replay_time(const struct replay *r, size_t core, size_t step)
{
	int64_t sum = 0;

	for (int i = 0; i < SPENT_PARTS; i++)
		sum += replay_parts(r, core, step)[i];
	return sum;
}

static double median_of(const double *v, size_t n)
{
	double *copy = xmalloc((n + 1) * sizeof *copy), median;

	memcpy(copy, v, n * sizeof *v);
	median = robust_median(copy, n);
	free(copy);
	return median;
}

/* Used: near the median.  Whole: those and longer ones; the last one of a capture is often cut short. */
static void choose_steps(struct replay *r)
{
	double *away = xcalloc(r->nsteps + 1, sizeof *away), median = median_of(r->step, r->nsteps), most;
	bool any = false;

	for (size_t i = 0; i < r->nsteps; i++)
		away[i] = fabs(r->step[i] - median);
	most = fmax(5 * median_of(away, r->nsteps), 0.02 * median);
	for (size_t i = 0; i < r->nsteps; i++) {
		any |= r->used[i] = away[i] <= most;
		r->whole[i] = r->step[i] - median >= -most;
	}
	for (size_t i = 0; i < r->nsteps && !any; i++)
		r->used[i] = r->whole[i] = true;
	free(away);
}

static void measure_steps(struct replay *r)
{
	for (size_t i = 0; i < r->nsteps; i++)
		for (size_t k = 0; k < r->ncores; k++) {
			const int64_t *p = replay_parts(r, k, i);
			const double time = (double)replay_time(r, k, i);
			double light = 0;

			for (int part = SPENT_MATMUL_FLOPS; part <= SPENT_FORMAT_HBM; part += 4)
				light += (double)(p[part] + p[part + 1]);
			r->step[i] = fmax(r->step[i], time);
			r->core_time[i] += time / (double)r->ncores;
			r->light[i] = fmax(r->light[i], light);
		}
	choose_steps(r);
}

static void replay_unchanged(struct replay *r)
{
	double *out = replay_room(r);

	r->stuck = !replay_run(r, NULL, r, out) ||
	    ((r->together || r->nexchanges) && !replay_run(r, NULL, NULL, out));
	replay_steps(r, out, r->unchanged);
	free(out);
	path_make(r, &r->path);
}

void replay_make(const struct dump *d, const char *host, int threads, struct progress *progress,
    struct replay *r)
{
	struct launches *launches = launches_read(d, progress);
	struct job j = { .r = r, .progress = progress };
	uint32_t *plane;
	uint64_t events = 0;
	size_t n;

	*r = (struct replay){ .dump = d };
	plane = cut_planes(d, host, &n);
	borders_find(r, plane, n);
	j.ops = cut_ops_read(d);
	j.cut = xcalloc(n + 1, sizeof *j.cut);
	for (size_t i = 0; i < n; i++) {
		j.cut[i].plane = plane[i];
		launches_fill(launches, &j.cut[i]);
		events += cut_count(d, plane[i]);
	}
	progress_begin(progress, events);
	pool_run(threads > 0 ? threads : pool_default_threads(), n, run_core, &j);
	free(plane);
	free(j.cut);
	cut_ops_free(j.ops);
	launches_free(launches);
	count_steps(r);
	n = r->nsteps;
	r->used = xcalloc(n + 1, sizeof *r->used);
	r->whole = xcalloc(n + 1, sizeof *r->whole);
	r->step = xcalloc(4 * n + 1, sizeof *r->step);
	r->unchanged = r->step + n;
	r->light = r->step + 2 * n;
	r->core_time = r->step + 3 * n;
	r->parts = xcalloc(r->ncores * n + 1, sizeof *r->parts);
	for (size_t k = 0; k < r->ncores; k++) {
		r->unpaired += r->core[k].unpaired;
		r->guessed += r->core[k].guessed;
	}
	if (progress_canceled(progress))
		return;
	connect_cores(r);
	place_cores(r);
	for (size_t k = 0; k < r->ncores; k++)
		stretches_make(&r->core[k]);
	sums_make(r);
	measure_steps(r);
	replay_unchanged(r);
}

void replay_free(struct replay *r)
{
	for (size_t i = 0; i < r->ncores; i++)
		nodes_free(&r->core[i]);
	for (size_t i = 0; i < r->npeers; i++)
		free(r->peers[i]);
	free(r->peers);
	free(r->unknown);
	path_free(&r->path);
	free(r->core);
	free(r->member);
	free(r->meeting);
	free(r->exchange);
	free(r->exchanged);
	free(r->used);
	free(r->whole);
	free(r->step);
	free(r->parts);
	*r = (struct replay){ 0 };
}

double replay_median(const struct replay *r)
{
	return median_of(r->step, r->nsteps);
}

size_t replay_count(const struct replay *r, const bool *used)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nsteps; i++)
		n += used[i];
	return n;
}

double replay_error(const struct replay *r)
{
	double most = 0;

	for (size_t i = 0; i < r->nsteps; i++)
		if (r->used[i])
			most = fmax(most, 100 * fabs(r->unchanged[i] - r->step[i]) / r->step[i]);
	return r->stuck || !r->nsteps ? NAN : most;
}

double replay_mean(const struct replay *r, const double *v, const bool *used)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->nsteps; i++)
		if (used[i]) {
			sum += v[i];
			n++;
		}
	return n ? sum / (double)n : NAN;
}

struct prediction replay_predict(const struct replay *r, const struct change *c)
{
	struct prediction p = { NAN, NAN, false };
	double *out, *step;

	if (r->stuck || !r->nsteps || !change_is_known(c, r))
		return p;
	out = replay_room(r);
	step = xcalloc(r->nsteps + 1, sizeof *step);
	if (replay_run(r, c, NULL, out)) {
		replay_steps(r, out, step);
		p.save = replay_mean(r, r->unchanged, r->whole) - replay_mean(r, step, r->whole);
		p.step = replay_mean(r, r->step, r->whole) - p.save;
		p.nothing = !change_touches(c);
	}
	free(step);
	free(out);
	return p;
}
