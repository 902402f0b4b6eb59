#include "config.h"

#include "view/timeline/internal.h"

#include <stdlib.h>

#include "analyze/interval/interval.h"
#include "report/write/writer.h"

/* --- copying the selection as text --- */

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

/* --- exporting the tables of what is in view --- */

/* Uses the interval whose statistics are open, else what is in view. */
static void begin_report(const struct timeline *t, struct interval *i)
{
	const struct interval *s = &t->stats.shown;
	int64_t t0 = viewport_begin(&t->scene.port), t1 = viewport_end(&t->scene.port);
	uint32_t *track = t->scene.rows.device;
	size_t n = t->scene.rows.ndevice;

	t0 = t0 > t->scene.port.first ? t0 : t->scene.port.first;
	t1 = t1 < t->scene.port.last ? t1 : t->scene.port.last;
	if (!t->scene.open[PANE_STATS] || !t->stats.has) {
		interval_begin(i, t->scene.cap->dump, track, n, t0, t1);
		i->window.shift = scene_shifts(&t->scene);
		filter_apply(&t->filter, &i->window);
		return;
	}
	track = xcalloc(s->ntracks + 1, sizeof *track);
	for (n = 0; n < s->ntracks; n++)
		track[n] = s->tracks[n].track;
	interval_begin(i, t->scene.cap->dump, track, n, s->t0, s->t1);
	i->window.shift = scene_shifts(&t->scene);
	filter_apply(&t->filter, &i->window);
	free(track);
}

static void export_table(struct report *r, const char *name, struct table *t)
{
	report_whole(r, name, t);
	table_free(t);
}

void timeline_export(struct timeline *t, struct report *r)
{
	struct interval i;
	struct table table;

	begin_report(t, &i);
	interval_step(&i, -1);
	report_sum_int(r, "from_ps", i.t0);
	report_sum_int(r, "to_ps", i.t1);
	report_sum_int(r, "events", (int64_t)i.window.events);
	if (i.occupied >= 0)
		report_sum_int(r, "occupied_ps", i.occupied);
	if (t->search.find)
		report_sum_int(r, "hits", (int64_t)t->search.find->hits);
	statistics_name_table(&t->scene, &i.window, i.ntracks, SIZE_MAX, &table);
	export_table(r, "names", &table);
	statistics_track_table(&t->scene, &i, &table);
	export_table(r, "tracks", &table);
	interval_free(&i);
	if (t->search.find) {
		search_finish(&t->search);
		report_whole(r, "hits", &t->search.list.hit_table);
		report_whole(r, "hit_names", &t->search.list.name_table);
	}
	step_table_want(&t->steps);
	if (t->steps.n)
		report_whole(r, "steps", &t->steps.table);
}

const char *timeline_table(const struct timeline *t)
{
	if (t->scene.open[PANE_STEPS] && t->scene.view->app->cap->steps.n)
		return "steps";
	if (scene_pane(&t->scene) == PANE_HITS)
		return "hits";
	return t->scene.open[PANE_STATS] && t->stats.by_track ? "tracks" : "names";
}
