#include "config.h"

#include "view/timeline/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/classify.h"
#include "analyze/interval/interval.h"
#include "report/write/writer.h"

/* --- what is selected, as text --- */

int timeline_copy(struct timeline *t, FILE *f)
{
	enum pane shown = scene_pane(&t->scene);

	if (!t->scene.cursor.full && shown == PANE_STATS)
		return statistics_copy(&t->stats, f);
	if (!t->scene.cursor.full && shown == PANE_CHAIN)
		return cause_copy(&t->cause, f);
	if (!t->scene.cursor.full && shown == PANE_STEPS)
		return step_table_copy(&t->steps, f);
	if (!t->scene.cursor.selected)
		return inview_copy(&t->inview, f);
	details_text(&t->details, f);
	return 0;
}

/* --- the table of what is in view --- */

static const struct column names[] = {
	{ "name", "name", "", COL_STRING },
	{ "kind", "kind of time", "", COL_STRING },
	{ "count", "count", "", COL_INTEGER },
	{ "total_ps", "total", "ps", COL_INTEGER },
	{ "self_ps", "self", "ps", COL_INTEGER },
	{ "mean_ps", "mean", "ps", COL_NUMBER },
	{ "min_ps", "min", "ps", COL_INTEGER },
	{ "max_ps", "max", "ps", COL_INTEGER },
	{ "p50_ps", "p50", "ps", COL_INTEGER },
	{ "p99_ps", "p99", "ps", COL_INTEGER },
	{ "self_percent", "self", "percent", COL_NUMBER },
};
static const struct column tracks[] = {
	{ "host", "host", "", COL_STRING },
	{ "plane", "plane", "", COL_STRING },
	{ "line", "line", "", COL_STRING },
	{ "events", "events", "", COL_INTEGER },
	{ "busy_ps", "busy", "ps", COL_INTEGER },
	{ "gaps", "gaps", "", COL_INTEGER },
	{ "longest_gap_ps", "longest gap", "ps", COL_INTEGER },
	{ "longest_gap_at_ps", "where", "ps", COL_INTEGER },
};
#define N(a) (sizeof(a) / sizeof *(a))

static struct cell text(const struct timeline *t, strid id)
{
	return cell_str(strtab_str(&t->scene.dump->str, id), strtab_len(&t->scene.dump->str, id));
}

static struct cell rank(int64_t ps)
{
	return ps < 0 ? cell_null() : cell_int(ps);
}

static void name_row(const struct timeline *t, struct report *r, const struct window_name *w, double all)
{
	const char *kind = w->class < CLASS_COUNT ? class_label[w->class] : "";
	struct cell c[N(names)] = {
		text(t, w->name),
		cell_str(kind, strlen(kind)),
		cell_int((int64_t)w->count),
		cell_int(w->total),
		cell_int(w->self),
		cell_num(w->count ? (double)w->total / (double)w->count : 0),
		cell_int(w->min),
		cell_int(w->max),
		rank(w->p50),
		rank(w->p99),
		cell_num(all > 0 ? 100 * (double)w->self / all : 0),
	};

	report_row(r, c);
}

static void gaps_row(const struct timeline *t, struct report *r, const struct interval_track *i)
{
	const struct track *k = scene_track(&t->scene, i->track);
	const struct plane *p = &t->scene.dump->trace.planes[k->plane];
	struct cell c[N(tracks)] = {
		p->host >= 0 ? text(t, t->scene.dump->hosts[p->host].name) : cell_null(),
		text(t, p->name),
		text(t, k->name),
		cell_int((int64_t)i->events),
		cell_int(i->busy),
		cell_int((int64_t)i->gaps),
		cell_int(i->longest),
		i->longest ? cell_int(i->at) : cell_null(),
	};

	report_row(r, c);
}

/* Of the interval whose statistics are open, else of what is in view. */
static void begin(const struct timeline *t, struct interval *i)
{
	const struct interval *s = &t->stats.shown;
	int64_t t0 = viewport_begin(&t->scene.port), t1 = viewport_end(&t->scene.port);
	uint32_t *track = t->scene.rows.device;
	size_t n = t->scene.rows.ndevice;

	t0 = t0 > t->scene.port.first ? t0 : t->scene.port.first;
	t1 = t1 < t->scene.port.last ? t1 : t->scene.port.last;
	if (!t->scene.open[PANE_STATS] || !t->stats.has) {
		interval_begin(i, t->scene.dump, track, n, t0, t1);
		i->shift = scene_shifts(&t->scene);
		return;
	}
	track = xcalloc(s->ntracks + 1, sizeof *track);
	for (n = 0; n < s->ntracks; n++)
		track[n] = s->tracks[n].track;
	interval_begin(i, t->scene.dump, track, n, s->t0, s->t1);
	i->shift = scene_shifts(&t->scene);
	free(track);
}

static void export_steps(const struct timeline *t, struct report *r)
{
	struct table steps;

	const struct steps *from = step_table_steps(&t->steps);

	steps_table(from, t->scene.dump, report_for_people(r), &steps);
	report_whole(r, "steps", &steps);
	table_free(&steps);
}

void timeline_export(struct timeline *t, struct report *r)
{
	struct interval i;
	double all;

	begin(t, &i);
	interval_step(&i, -1);
	all = (double)(i.t1 - i.t0) * (double)i.ntracks;
	report_sum_int(r, "from_ps", i.t0);
	report_sum_int(r, "to_ps", i.t1);
	report_sum_int(r, "events", (int64_t)i.window.events);
	if (i.occupied >= 0)
		report_sum_int(r, "occupied_ps", i.occupied);
	report_table(r, "names", names, N(names));
	for (size_t k = 0; k < i.window.nnames; k++)
		name_row(t, r, &i.window.names[k], all);
	report_table_end(r);
	report_table(r, "tracks", tracks, N(tracks));
	for (size_t k = 0; k < i.ntracks; k++)
		gaps_row(t, r, &i.tracks[k]);
	report_table_end(r);
	interval_free(&i);
	if (t->scene.view->app->steps.n)
		export_steps(t, r);
}

const char *timeline_table(const struct timeline *t)
{
	if (t->scene.open[PANE_STEPS] && t->scene.view->app->steps.n)
		return "steps";
	return t->scene.open[PANE_STATS] && t->stats.by_track ? "tracks" : "names";
}
