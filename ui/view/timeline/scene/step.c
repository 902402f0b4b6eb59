#include "config.h"

#include "view/timeline/scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/text/digit.h"

uint32_t scene_steps_track(const struct scene *sc, const struct rows_node *v)
{
	const struct rows *r = &sc->rows;

	for (const struct rows_node *p = v;; p = &r->v[p->parent]) {
		if (p->steps != ROWS_NONE)
			return p->steps;
		if (p->parent == ROWS_NONE)
			break;
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].steps != ROWS_NONE)
			return r->v[i].steps;
	return ROWS_NONE;
}

size_t scene_runs(const struct scene *sc, const struct rows_node *v, const struct step **first)
{
	const struct steps *s = &sc->view->cap->steps;
	size_t n;

	while (v->kind != NODE_DEVICE && v->parent != ROWS_NONE)
		v = &sc->rows.v[v->parent];
	*first = NULL;
	if (s->source != STEPS_MODULES || v->kind != NODE_DEVICE || v->steps != ROWS_NONE)
		return 0;
	n = steps_of_plane(s, sc->cap->dump, v->plane, first);
	if (n && (*first)->plane == v->plane)
		return n;
	*first = NULL;
	return 0;
}

bool cursor_step(const struct scene *sc, int64_t *into, char *name, size_t size)
{
	const struct rows_node *v = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	uint32_t track = v ? scene_steps_track(sc, v) : ROWS_NONE;
	int64_t at = sc->cursor.at + sc->port.shift, from, to;
	const struct step *s;
	size_t event;

	if (v && scene_runs(sc, v, &s)) {
		at -= scene_shift_of(sc, v->plane);
		if (!(s = steps_at(&sc->view->cap->steps, sc->cap->dump, v->plane, at)))
			return false;
		steps_span(s, sc->cap->dump, &from, &to);
		scene_step_title(sc, s, name, size);
	} else {
		if (track == ROWS_NONE)
			return false;
		at -= scene_shift_of(sc, scene_track(sc, track)->plane);
		if (!scene_event_at(sc, (struct rows_source){ track, 0, 1 }, at, &event))
			return false;
		from = track_start(scene_track(sc, track), event);
		scene_step_name(sc, track, event, name, size);
	}
	*into = at - from;
	return true;
}

static bool is_number(const char *s, int len)
{
	while (len > 0 && is_digit(s[len - 1]))
		len--;
	return !len;
}

/* "step 100", "run 50 of jit_f", or another name of a step. */
static void step_name(const struct scene *sc, bool run, const char *name, int len, char *buf, size_t size)
{
	const struct steps *steps = &sc->view->cap->steps;

	if (run && steps->programs.n > 1)
		snprintf(buf, size, "run %.*s", len, name);
	else if (run && steps->source == STEPS_MODULES)
		snprintf(buf, size, "run %.*s of %.*s", len, name, (int)strcspn(steps->module, "("),
		    steps->module);
	else
		snprintf(buf, size, "%s%.*s", is_number(name, len) ? "step " : "", len, name);
}

void scene_step_name(const struct scene *sc, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct track *k = scene_track(sc, track);
	int len;
	const char *name = scene_event_name(sc, k, event, &len);

	step_name(sc, k->file < 0, name, len, buf, size);
}

void scene_step_title(const struct scene *sc, const struct step *s, char *buf, size_t size)
{
	step_name(sc, true, s->label, (int)strlen(s->label), buf, size);
}
