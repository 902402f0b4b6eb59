/* A step: what it takes more or less than the median step of its core, by kind of time and by op. */
#include "config.h"

#include "view/timeline/detail/internal.h"

#include <stdio.h>
#include <string.h>

#include "analyze/account/differ.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "core/results.h"

enum { INSIDE_NAMES = 64, INSIDE_EVENTS = 10000, INSIDE_SHOWN = 4, INSIDE_NAME = 40 };
enum { NAME = 17, TIME = 11, SHARE = 8, CHANGE = 12, COLUMN = 1 + NAME + TIME + SHARE + CHANGE };

/* The step that the event is; NULL: it is none. */
static const struct step *step_here(const struct details *v)
{
	const struct steps *steps = &v->sc->view->cap->steps;
	const struct track *t = scene_track(v->sc, v->sc->cursor.track);
	const struct step *s = steps->n ? steps_at(steps, v->sc->cap->dump, t->plane, v->d.start) : NULL;
	int64_t from, to;

	if (!s || (s->track != v->sc->cursor.track && t->role != TRACK_STEPS))
		return NULL;
	steps_span(s, v->sc->cap->dump, &from, &to);
	return from == v->d.start ? s : NULL;
}

bool details_step_of(const struct details *v, struct step_facts *f)
{
	const struct steps *steps = &v->sc->view->cap->steps;
	const struct step_parts *parts;
	size_t row;

	*f = (struct step_facts){ .step = step_here(v) };
	if (!f->step)
		return false;
	parts = result_get(v->sc->view->app, RESULT_STEPS);
	if (!parts || parts->steps.n != steps->n)
		return true;
	row = (size_t)(f->step - steps->v);
	f->parts = parts->row[row].total < 0 ? NULL : &parts->row[row];
	f->is_median = parts->median[row] == row;
	f->has_median = account_row_differ(steps, parts->row, parts->median, row, &f->differ);
	f->why = &parts->why[row];
	return true;
}

char *details_step_median(const struct details *v, const struct step_facts *f, char *buf, size_t size)
{
	char text[DIFFER_TEXT];

	snprintf(buf, size, "%s",
	    f->has_median      ? step_differ_say(&f->differ, scene_ascii(v->sc), text, sizeof text)
		: f->is_median ? "this is the median step of its core"
			       : DETAILS_NA);
	return buf;
}

char *details_step_ops(const struct details *v, const struct step_facts *f, char *buf, size_t size)
{
	*buf = '\0';
	if (f->has_median && f->why)
		step_why_say(v->sc->cap->base, f->why, f->differ.by, WHY_OPS, scene_ascii(v->sc), buf, size);
	return buf;
}

/* A kind of time: how long, its share of the step, and its difference to the median step. */
static void draw_kind(const struct details *v, const struct step_facts *f, enum time_kind k,
    struct canvas *cv, int y, int x)
{
	char text[64], share[32];
	bool ascii = scene_ascii(v->sc);
	enum time_unit unit;

	canvas_cut(cv, y, x, NAME - 1, ROLE_TEXT, 0, kind_info[k].name, strlen(kind_info[k].name));
	canvas_right(cv, y, x + NAME + TIME, ROLE_TEXT, 0,
	    units_time(text, sizeof text, f->parts->kind[k], ascii));
	snprintf(share, sizeof share, "%s %%",
	    units_percent(text, sizeof text, (double)f->parts->kind[k] / (double)f->step->dur));
	canvas_right(cv, y, x + NAME + TIME + SHARE, ROLE_TEXT, 0, share);
	if (!f->has_median || f->differ.kind[k] == 0)
		return;
	unit = unit_for((int64_t)fabs(f->differ.kind[k]));
	step_differ_time(f->differ.kind[k], unit, ascii, share, sizeof share);
	snprintf(text, sizeof text, "%s %s", share, unit_name(unit, ascii));
	canvas_right(cv, y, x + COLUMN - 1,
	    step_differ_counts(f->differ.kind[k], f->differ.by) ? ROLE_BOLD : ROLE_DIM, 0, text);
}

/* What the kind weighs: its difference to the median, or its time where there is none. */
static double weight_of(const struct step_facts *f, size_t k)
{
	return f->has_median ? fabs(f->differ.kind[k]) : (double)f->parts->kind[k];
}

size_t details_step_kinds(const struct step_facts *f, enum time_kind *kind)
{
	size_t n = 0;

	for (size_t k = 0; f->parts && k <= KIND_IDLE; k++) {
		size_t at = n;

		if (!f->parts->kind[k] && !(f->has_median && f->differ.kind[k] != 0))
			continue;
		for (n++; at && weight_of(f, kind[at - 1]) < weight_of(f, k); at--)
			kind[at] = kind[at - 1];
		kind[at] = (enum time_kind)k;
	}
	return n;
}

/* "input_pipeline 35.48 ms, PjitFunction(train_step) 254.7 µs": what the thread of a host's step does in it. */
char *details_step_inside(const struct details *v, const struct step_facts *f, char *buf, size_t size)
{
	const struct track *t = &v->sc->cap->dump->trace.tracks[f->step->track];
	struct inside {
		strid name;
		int64_t ps;
	} in[INSIDE_NAMES] = { 0 };
	size_t n = 0, i = f->step->event + 1, len = 0;
	int64_t end = track_end(t, f->step->event);

	*buf = '\0';
	for (int looked = 0; i < t->n && track_start(t, i) < end && looked < INSIDE_EVENTS; looked++) {
		strid name = v->sc->cap->dump->trace.metas[track_meta(t, i)].name;
		size_t k = 0, next = track_lower(t, track_end(t, i));

		while (k < n && in[k].name != name)
			k++;
		if (k == n && n < INSIDE_NAMES)
			in[n++].name = name;
		if (k < n)
			in[k].ps = add_clamped(in[k].ps, track_dur(t, i));
		i = next > i ? next : i + 1;
	}
	for (int shown = 0; shown < INSIDE_SHOWN && len < size; shown++) {
		struct slice name;
		size_t most = 0;
		char time[48];

		for (size_t k = 1; k < n; k++)
			most = in[k].ps > in[most].ps ? k : most;
		if (!n || !in[most].ps)
			break;
		units_time_short(time, sizeof time, in[most].ps, scene_ascii(v->sc));
		name = dump_text(v->sc->cap->dump, in[most].name);
		len += (size_t)snprintf(buf + len, size - len, "%s%.*s %s", len ? ", " : "",
		    (int)(name.n < INSIDE_NAME ? name.n : INSIDE_NAME), name.s, time);
		in[most].ps = 0;
	}
	return buf;
}

void details_step_draw(const struct details *v, const struct step_facts *f, struct canvas *cv, struct rect r)
{
	int y = r.y, end = r.y + r.h, columns = r.w / COLUMN > 1 ? 2 : 1;
	enum time_kind kind[KIND_COUNT];
	size_t n = details_step_kinds(f, kind);
	char text[WHY_TEXT];

	details_field(cv, y++, r.x, r.w, "to median", details_step_median(v, f, text, sizeof text));
	if (*details_step_ops(v, f, text, sizeof text) && y < end)
		details_field(cv, y++, r.x, r.w, "by op", text);
	if (f->step->core < 0 && y < end && *details_step_inside(v, f, text, sizeof text))
		details_field(cv, y++, r.x, r.w, "inside", text);
	for (int i = 0; i < (int)n && y + i / columns < end; i++)
		draw_kind(v, f, kind[i], cv, y + i / columns, r.x + i % columns * (COLUMN + 2));
}
