#include "config.h"

#include "view/timeline/tl.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

enum {
	GAPS = 10,       /* longest idle gaps that are worth a look */
	GAP_SHARE = 1000 /* of the run: shorter ones are not */
};

struct gaps {
	struct tl_problem v[GAPS];
	size_t n;
	int64_t least;
};

static int64_t length(const struct tl_problem *p)
{
	return p->to - p->from;
}

/* Cores stand still together: of gaps that overlap the longest stands for all. */
static void add_gap(struct gaps *g, const struct tl_problem *p)
{
	size_t at;

	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].from < p->to && p->from < g->v[i].to) {
			if (length(&g->v[i]) >= length(p))
				return;
			memmove(&g->v[i], &g->v[i + 1], (--g->n - i) * sizeof *g->v);
			i--;
		}
	for (at = g->n; at > 0 && length(&g->v[at - 1]) < length(p); at--)
		if (at < GAPS)
			g->v[at] = g->v[at - 1];
	if (at < GAPS) {
		g->v[at] = *p;
		g->n += g->n < GAPS;
	}
	if (g->n == GAPS && length(&g->v[GAPS - 1]) > g->least)
		g->least = length(&g->v[GAPS - 1]);
}

static void find_gaps(struct gaps *g, const struct tl *t, uint32_t track)
{
	const struct track *k = scene_track(&t->scene, track);
	int64_t end = k->n ? k->start[0] : 0, by = scene_shift_of(&t->scene, k->plane);

	for (size_t i = 0; i < k->n; i++) {
		if (k->start[i] - end > g->least)
			add_gap(g, &(struct tl_problem){ end + by, k->start[i] + by, track, i, true, NULL });
		if (k->start[i] + k->dur[i] > end)
			end = k->start[i] + k->dur[i];
	}
}

static int by_time(const void *a, const void *b)
{
	const struct tl_problem *x = a, *y = b;

	return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->gap > y->gap) - (x->gap < y->gap);
}

static void make_problems(struct tl *t)
{
	struct tl_step_table *p = &t->steps;
	struct gaps g = { .least = (t->scene.port.last - t->scene.port.first) / GAP_SHARE };

	for (size_t i = 0; !t->scene.rows.threads_only && i < t->scene.rows.ndevice; i++)
		if (t->scene.dump->trace.planes[scene_track(&t->scene, t->scene.rows.device[i])->plane]
			    .kind == PLANE_TPU &&
		    t->scene.rows.coarse[i] < 0)
			find_gaps(&g, t, t->scene.rows.device[i]);
	free(p->problem);
	p->problem = xcalloc(p->n + g.n + 1, sizeof *p->problem);
	p->nproblems = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->row[i].slow)
			p->problem[p->nproblems++] = (struct tl_problem){ p->row[i].from, p->row[i].to,
				p->row[i].worst->track, 0, false, &p->row[i] };
	for (size_t i = 0; i < g.n; i++)
		p->problem[p->nproblems++] = g.v[i];
	qsort(p->problem, p->nproblems, sizeof *p->problem, by_time);
	p->problems_made = true;
}

static void say(struct tl *t, size_t i)
{
	const struct tl_problem *p = &t->steps.problem[i];
	bool ascii = scene_ascii(&t->scene);
	char time[48], mean[48];

	units_time(time, sizeof time, length(p), ascii);
	if (p->gap)
		app_message(t->scene.view->app, false, "%zu of %zu: idle for %s (o says what held it up)",
		    i + 1, t->steps.nproblems, time);
	else
		app_message(t->scene.view->app, false, "%zu of %zu: slow step %s, %s; mean %s", i + 1,
		    t->steps.nproblems, p->step->worst->label, time,
		    units_time(mean, sizeof mean, (int64_t)t->steps.mean, ascii));
}

static void go(struct tl *t, size_t i)
{
	const struct tl_problem *p = &t->steps.problem[i];

	if (p->gap) {
		cursor_go_to_event(&t->scene, p->track, p->event);
	} else {
		cursor_unselect(&t->scene);
		t->steps.cur = (size_t)(p->step - t->steps.row);
		if (p->track < t->scene.rows.ntracks && t->scene.rows.node_of[p->track] != ROWS_NONE)
			t->scene.cursor.row =
			    rows_find(&t->scene.rows, t->scene.rows.v[t->scene.rows.node_of[p->track]].id);
	}
	viewport_fit(&t->scene.port, p->from - t->scene.port.shift, p->to - t->scene.port.shift);
	t->scene.cursor.at = p->from - t->scene.port.shift;
	scene_keep_visible(&t->scene);
	say(t, i);
}

unsigned tl_move_problem(struct tl *t, int count)
{
	struct tl_step_table *p = &t->steps;
	size_t i = 0;

	tl_steps_want(t);
	if (!p->problems_made)
		make_problems(t);
	if (!p->nproblems)
		return ACT_PASS;
	while (i < p->nproblems && p->problem[i].from <= t->scene.cursor.at + t->scene.port.shift)
		i++;
	go(t, (i + (size_t)(count > 0 ? count - 1 : 0)) % p->nproblems);
	return REACT_REDRAW;
}
