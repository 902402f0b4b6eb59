#include "config.h"

#include "view/timeline/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/interval/interval.h"
#include "analyze/ops/opdb.h"
#include "core/document.h"
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

char *timeline_names(const struct view *v)
{
	const struct scene *sc = &((const struct timeline *)v->state)->scene;
	const struct dump *d = sc->cap->dump;
	char *text = NULL;
	size_t n = 0;
	FILE *f = sc->picks.n > 1 ? open_memstream(&text, &n) : NULL;

	for (size_t i = 0; f && i < sc->picks.n; i++) {
		const struct pick *p = &sc->picks.v[i];
		struct slice name = op_name_in(
		    dump_text(d, d->trace.metas[track_meta(scene_track(sc, p->track), p->event)].name));

		fprintf(f, "%.*s\n", (int)name.n, name.s);
	}
	if (f)
		fclose(f);
	return text;
}

/* --- exporting the tables of what is in view --- */

static bool has_statistics(const struct timeline *t)
{
	return t->scene.open[PANE_STATS] && t->stats.has;
}

/* The interval whose statistics are open, else what is in view. */
static void interval_of(const struct timeline *t, int64_t *t0, int64_t *t1)
{
	const struct viewport *p = &t->scene.port;
	int64_t begin = viewport_begin(p), end = viewport_end(p);

	*t0 = has_statistics(t) ? t->stats.shown.t0 : begin > p->first ? begin : p->first;
	*t1 = has_statistics(t) ? t->stats.shown.t1 : end < p->last ? end : p->last;
}

static void begin_report(const struct timeline *t, struct interval *i)
{
	const struct interval *s = &t->stats.shown;
	bool has = has_statistics(t);
	size_t n = has ? s->ntracks : t->scene.rows.ndevice;
	uint32_t *track = xcalloc(n + 1, sizeof *track);
	int64_t t0, t1;

	interval_of(t, &t0, &t1);
	for (size_t k = 0; k < n; k++)
		track[k] = has ? s->tracks[k].track : t->scene.rows.device[k];
	interval_begin(i, t->scene.cap->dump, track, n, t0, t1);
	i->window.shift = scene_shifts(&t->scene);
	filter_apply(&t->filter, &i->window);
	if (has && t->scene.picks.n > 1)
		picks_apply(&t->scene, &i->window);
	free(track);
}

static void put_summary(void *view, struct report *r)
{
	struct timeline *t = timeline_of(view);
	struct interval *i = &t->written;

	begin_report(t, i);
	interval_step(i, -1);
	report_sum_int(r, "from_ps", i->t0);
	report_sum_int(r, "to_ps", i->t1);
	report_sum_int(r, "events_shown", (int64_t)i->window.events);
	if (i->occupied >= 0)
		report_sum_int(r, "occupied_ps", i->occupied);
	if (t->search.find)
		report_sum_int(r, "hits", (int64_t)t->search.find->hits);
}

static void put_table(struct report *r, const char *name, struct table *t)
{
	report_whole(r, name, t);
	table_free(t);
}

void timeline_add(void *view, struct report *r)
{
	struct timeline *t = timeline_of(view);
	struct interval *i = &t->written;
	struct table table;

	statistics_name_table(&t->scene, &i->window, i->ntracks, SIZE_MAX, &table);
	put_table(r, "names", &table);
	statistics_track_table(&t->scene, i, &table);
	put_table(r, "tracks", &table);
	interval_free(i);
	if (t->search.find) {
		search_finish(&t->search);
		report_whole(r, "hits", &t->search.list.hit_table);
		report_whole(r, "hit_names", &t->search.list.name_table);
	}
	step_table_want(&t->steps);
	if (t->steps.n)
		report_whole(r, "steps", &t->steps.table);
}

/* A pattern as a query. */
static char *query_of(const char *pattern)
{
	char *query = xcalloc(2 * strlen(pattern) + sizeof "name~\"\"", 1), *to = stpcpy(query, "name~\"");

	for (const char *s = pattern; *s; s++) {
		if (*s == '"' || *s == '\\')
			*to++ = '\\';
		*to++ = *s;
	}
	*to = '"';
	return query;
}

static const char *document_text(struct document *d, char *text)
{
	const char *copy = arena_strndup(&d->text, text, strlen(text));

	free(text);
	return copy;
}

void timeline_document(struct view *v, struct document *d)
{
	const struct timeline *t = timeline_of(v);
	const struct matches *m = &t->filter.match;
	int64_t t0, t1;

	interval_of(t, &t0, &t1);
	d->options.by = t->scene.open[PANE_STEPS]            ? "step"
	    : t->scene.open[PANE_STATS] && t->stats.by_track ? "track"
							     : "name";
	d->options.from = document_text(d, xasprintf("%" PRId64 "ps", t0));
	d->options.to = document_text(d, xasprintf("%" PRId64 "ps", t1));
	if (filter_on(&t->filter))
		d->options.query = document_text(d, m->query ? xstrdup(m->text) : query_of(m->text));
	d->screen.sum = put_summary;
}

const char *timeline_table(const struct view *v)
{
	const struct timeline *t = timeline_of(v);

	if (t->scene.open[PANE_STEPS] && t->scene.view->cap->steps.n)
		return "steps";
	if (scene_pane(&t->scene) == PANE_HITS)
		return "hits";
	return t->scene.open[PANE_STATS] && t->stats.by_track ? "tracks" : "names";
}
