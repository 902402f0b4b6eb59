#include "config.h"

#include "view/timeline/scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/text/units.h"
#include "view/timeline/viewport/utc.h"

/* Is it a bare number, which needs a unit? */
static bool bare_number(const char *text)
{
	return text[strspn(text, "0123456789.+- ")] == '\0' && strpbrk(text, "0123456789");
}

static bool all_zero(const char *text)
{
	return !strpbrk(text, "123456789");
}

/* Is only a part of the run loaded, so that what is not there may still come? */
static bool in_part(const struct scene *sc)
{
	return sc->view->part != PART_ALL;
}

static int out_of_run(const struct scene *sc, const char *text, bool clock, struct err *e)
{
	char from[64], to[64];

	if (clock) { /* if a day was given, the message has one, too */
		bool day = strchr(text, '-');

		utc_text(utc_anchor(sc->cap->dump), sc->port.first, 3, day, from, sizeof from);
		utc_text(utc_anchor(sc->cap->dump), sc->port.last, 3, day, to, sizeof to);
	} else {
		units_time(from, sizeof from, sc->port.first, scene_ascii(sc));
		units_time(to, sizeof to, sc->port.last, scene_ascii(sc));
	}
	return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "%.60s is outside %s, from %s to %s", text,
	    in_part(sc) ? "what is loaded so far" : "the run", from, to);
}

static bool looks_like_clock(const char *text)
{
	return strchr(text, ':') && text[strspn(text, "0123456789-:. TZUC")] == '\0';
}

static int to_moment(const struct scene *sc, const char *text, bool clock, int64_t at, struct ref *r,
    struct err *e)
{
	if (at < sc->port.first || at > sc->port.last)
		return out_of_run(sc, text, clock, e);
	*r = (struct ref){ .kind = REF_TIME, .track = ROWS_NONE, .file = -1, .t0 = at, .t1 = at };
	return 0;
}

static int to_clock(const struct scene *sc, const char *text, struct ref *r, struct err *e)
{
	int64_t anchor = utc_anchor(sc->cap->dump), at;
	char key[32];

	if (!anchor)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE, "the start time of this capture is unknown");
	if (sc->shift.on)
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "no times of day while hosts are aligned; %s ends it",
		    scene_key(sc, ACT_ALIGN, key, sizeof key));
	if (utc_parse(anchor, sc->port.first, sc->port.last, text, &at))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "%.60s is not a time of day: 15:03:20.010, or 2026-11-21 15:03:20", text);
	return to_moment(sc, text, true, at, r, e);
}

/* Finds the step on the core of the cursor's row, else on the first core that has it. */
static int to_step(const struct scene *sc, const char *name, struct ref *r, struct err *e)
{
	const struct steps *s = &sc->view->cap->steps;
	const struct rows_node *v = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	uint32_t track = v ? scene_steps_track(sc, v) : ROWS_NONE;
	const struct step *runs;
	uint32_t plane = v && scene_runs(sc, v, &runs) ? runs->plane
	    : track == ROWS_NONE                       ? UINT32_MAX
						       : scene_track(sc, track)->plane;
	const struct step *found = NULL;
	int64_t from, to;
	char key[32];

	for (size_t i = 0; i < s->n; i++)
		if (steps_is(&s->v[i], name) && (!found || (s->v[i].plane == plane && found->plane != plane)))
			found = &s->v[i];
	if (!found && in_part(sc))
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no step %.60s so far", name);
	if (!s->n)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no steps in this capture");
	if (!found)
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no step %.60s; %s lists them", name,
		    scene_key(sc, ACT_STEP_TABLE, key, sizeof key));
	steps_span(found, sc->cap->dump, &from, &to);
	return to_moment(sc, name, false, from + scene_shift_of(sc, found->plane), r, e);
}

static bool is_event(const struct dump *d, strid name)
{
	for (size_t i = 0; i < d->trace.nmetas; i++)
		if (d->trace.metas[i].name == name)
			return true;
	return false;
}

static bool to_op(const struct scene *sc, const char *name, struct ref *r)
{
	strid id = strtab_find(&sc->cap->dump->str, name, strlen(name));

	if (id == UINT32_MAX || !is_event(sc->cap->dump, id))
		return false;
	*r = (struct ref){ .kind = REF_NAME, .track = ROWS_NONE, .file = -1, .name = id };
	return true;
}

/* Returns what follows the word: "step 101" → "101"; NULL: another word. */
static const char *after_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(text, word, n) && text[n] == ' ' ? text + n + strspn(text + n, " ") : NULL;
}

static int no_op(const struct scene *sc, const char *name, struct err *e)
{
	char key[32];

	if (in_part(sc))
		return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no event named '%.60s' so far", name);
	return err_set(e, EXIT_NOTHING, ERR_NOWHERE, "no event named '%.60s'; %s searches for parts of names",
	    name, scene_key(sc, ACT_FIND, key, sizeof key));
}

int scene_goto(const struct scene *sc, const char *text, struct ref *r, struct err *e)
{
	const char *name;
	int64_t at;

	if ((name = after_word(text, "step")) || (name = after_word(text, "run")))
		return to_step(sc, name, r, e);
	if ((name = after_word(text, "op")))
		return to_op(sc, name, r) ? 0 : no_op(sc, name, e);
	if (looks_like_clock(text))
		return to_clock(sc, text, r, e);
	if (bare_number(text) && !all_zero(text))
		return err_set(e, EXIT_USAGE, ERR_NOWHERE,
		    "%.30s needs a unit: %.30sms, %.30sus, or step %.30s", text, text, text, text);
	if (!units_parse_time(text, &at))
		return to_moment(sc, text, false, at, r, e);
	if (to_op(sc, text, r))
		return 0;
	return in_part(sc)
	    ? err_set(e, EXIT_NOTHING, ERR_NOWHERE, "nothing is called '%.60s' so far", text)
	    : err_set(e, EXIT_USAGE, ERR_NOWHERE,
		  "'%.60s' is not a time (1.5ms, 15:03:20), step NUMBER, op NAME or mark", text);
}
