#include "config.h"
#include "view/timeline/scene/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"
#include "model/stat.h"

#define AROUND 4 /* an op is shown with this many times its duration on either side */

/* Finds the event kinds of an op; of any program if `program` is 0. */
static uint8_t *kinds_of(const struct dump *d, uint64_t program, strid name)
{
	const struct trace *tr = &d->trace;
	uint8_t *is = xcalloc(tr->nmetas + 1, 1);
	int64_t id;

	for (size_t i = 0; i < tr->nmetas; i++)
		is[i] = tr->metas[i].name == name &&
		    (!program ||
			(stat_meta_int(d, (uint32_t)i, "program_id", &id) && (uint64_t)id == program));
	return is;
}

/* Shows an op that begins at `at` with what is around it.  The times of a damaged file may span the whole range. */
static void fit_op(struct scene *sc, int64_t at, int64_t dur)
{
	int64_t room = dur < TRACE_TIME_MAX / AROUND ? dur * AROUND + !dur : TRACE_TIME_MAX;

	viewport_fit(&sc->port, trace_clip(sub_clamped(at, room)),
	    trace_clip(add_clamped(add_clamped(at, dur), room)));
}

static bool ops_first(const struct track *k, int round)
{
	return (k->role == TRACK_OPS) == (round == 0);
}

/* Finds the first run of the op at or after the cursor, else the first of all; tracks of ops come first. */
int scene_show_op(struct scene *sc, uint64_t program, strid name)
{
	uint8_t *is = kinds_of(sc->cap->dump, program, name);
	int64_t shown = sc->cursor.at + sc->port.shift;
	int done = -1;

	for (int round = 0; round < 4 && done; round++)
		for (size_t i = 0; i < sc->rows.n && done; i++) {
			const struct rows_node *n = &sc->rows.v[i];
			const struct track *k = n->kind == NODE_TRACK ? scene_track(sc, n->track) : NULL;
			size_t e;

			if (!k || !ops_first(k, round / 2))
				continue;
			e = round % 2 ? 0 : track_lower(k, shown - scene_shift_of(sc, k->plane));
			while (e < k->n && !is[track_meta(k, e)])
				e++;
			if (e == k->n)
				continue;
			fit_op(sc, track_start(k, e) + scene_shift_of(sc, k->plane), track_dur(k, e));
			done = cursor_go_to_event(sc, n->track, e) ? 0 : -1;
		}
	free(is);
	return done;
}

/* Goes to the longest run of an op in a step; -1: it has none. */
static int show_op_of_step(struct scene *sc, const struct step *s, strid name)
{
	size_t best = SIZE_MAX;
	const struct track *k = NULL;
	int64_t from, to;

	steps_span(s, sc->cap->dump, &from, &to);
	for (uint32_t i = UINT32_MAX;
	     (i = trace_track_of(&sc->cap->dump->trace, s->plane, i)) < sc->cap->dump->trace.ntracks;) {
		k = scene_track(sc, i);
		if (k->role != TRACK_OPS)
			continue;
		for (size_t e = track_lower(k, from); e < k->n && track_start(k, e) < to; e++)
			if (sc->cap->dump->trace.metas[track_meta(k, e)].name == name &&
			    (best == SIZE_MAX || track_dur(k, e) > track_dur(k, best)))
				best = e;
		if (best == SIZE_MAX)
			continue;
		fit_op(sc, track_start(k, best) + scene_shift_of(sc, s->plane), track_dur(k, best));
		return cursor_go_to_event(sc, i, best) ? 0 : -1;
	}
	return -1;
}

/* Finds a step by its name, on the named core, else on the core where it is longest; with the name of an op, the op in
 * that step. */
int scene_show_step(struct scene *sc, const struct ref *r)
{
	const struct steps *s = &sc->view->cap->steps;
	const struct step *best = NULL;
	int64_t from, to, by;

	for (size_t i = 0; i < s->n; i++) {
		const struct step *x = &s->v[i];

		if (!steps_is(x, r->text) || (r->host >= 0 && x->host != r->host) ||
		    (r->core >= 0 && x->core != r->core))
			continue;
		if (!best || x->dur > best->dur)
			best = x;
	}
	if (!best)
		return -1;
	if (r->name && !show_op_of_step(sc, best, r->name))
		return 0;
	steps_span(best, sc->cap->dump, &from, &to);
	by = scene_shift_of(sc, best->plane);
	viewport_fit(&sc->port, from + by, to + by);
	return cursor_go_to_event(sc, best->track, best->event) ? 0 : -1;
}

/* Finds the first event of a name after the cursor, else the first of all. */
int scene_show_name(struct scene *sc, strid name)
{
	int64_t shown = sc->cursor.at + sc->port.shift;

	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < sc->rows.n; i++) {
			const struct rows_node *n = &sc->rows.v[i];
			const struct track *k = n->kind == NODE_TRACK ? scene_track(sc, n->track) : NULL;

			for (size_t e = k && !again ? track_lower(k, shown - scene_shift_of(sc, k->plane))
						    : 0;
			     k && e < k->n; e++)
				if (sc->cap->dump->trace.metas[track_meta(k, e)].name == name)
					return cursor_go_to_event(sc, n->track, e) ? 0 : -1;
		}
	return -1;
}
