/* The base of all other parts of the timeline: the dump, its rows, the interval in view, and the cursor.
 * What is drawn, marked, searched or summed up builds on it and adds its own state. */
#ifndef VIEW_TIMELINE_SCENE_H
#define VIEW_TIMELINE_SCENE_H

#include "core/app.h"
#include "core/input/prompt.h"
#include "view/timeline/rows/rows.h"
#include "view/timeline/scene/cursor.h"
#include "view/timeline/scene/picks.h"
#include "view/timeline/scene/shift.h"
#include "view/timeline/viewport/layout.h"
#include "view/timeline/viewport/viewport.h"

/* Counters, incremented by whoever changes something; what is made from it remembers the value it was made
 * at. */
struct scene_changes {
	unsigned rows;   /* rows were made again */
	unsigned unions; /* of threads */
	unsigned times;  /* of events: another clock, other hosts, hosts aligned */
	unsigned hits;   /* of search and filter */
	unsigned colors;
};

struct scene {
	struct view *view;
	struct capture *cap;
	int host; /* whose rows these are, -1 = all */
	struct layout lay;
	struct viewport port;
	struct rows rows;
	struct cursor cursor;
	struct picks picks;
	struct scene_shift shift;
	struct scene_changes changes;
	struct history filters; /* filters typed for tracks */
	bool filtered;          /* only events that pass a filter keep their color */
	bool open[PANES];       /* PANE_EVENT is open while an event is selected, whatever this says */
	int pane_most[PANES];   /* rows that a pane can fill, 0 = any number */
};

/* the state of the view starts with its scene */
static inline struct scene *scene_of(const struct view *v)
{
	return v->state;
}
static inline const struct track *scene_track(const struct scene *sc, uint32_t i)
{
	return &sc->cap->dump->trace.tracks[i];
}

static inline struct rows_node *scene_node(const struct scene *sc, size_t place)
{
	return &sc->rows.v[sc->rows.vis[place]];
}

/* rows at the top of the plot that do not scroll: at most half of it; further pinned rows scroll */
static inline size_t scene_pins(const struct scene *sc)
{
	size_t most = sc->lay.plot.h > 1 ? (size_t)sc->lay.plot.h / 2 : 0;

	return sc->rows.tracks.npin < most ? sc->rows.tracks.npin : most;
}
/* of all events in view; without them there are no sums */
static inline bool scene_has_sums(const struct scene *sc)
{
	return sc->view->part != PART_LEVELS;
}
/* index in rows.vis of a row of the plot; may be >= nvis */
static inline size_t scene_place(const struct scene *sc, int row)
{
	return (size_t)row < scene_pins(sc) ? (size_t)row : sc->cursor.top + (size_t)row;
}

/* the key of an action, for use in a message: keys may be rebound */
static inline const char *scene_key(const struct scene *sc, enum action a, char *buf, size_t size)
{
	return keymap_key_text(&sc->view->app->keymap, a, SCOPE_TIMELINE, buf, size);
}

static inline bool scene_ascii(const struct scene *sc)
{
	return sc->view->app->glyphs && sc->view->app->glyphs->ascii;
}

const char *scene_host_name(const struct scene *, int host, size_t *len); /* "w-1" of "sim-tpu-v4-w-1" */

/* moment.c: times of the screen as text */
bool scene_utc(const struct scene *); /* wanted and known */
unsigned scene_toggle_utc(struct scene *);
/* full precision: "09:14:03.125000000000 UTC" while times are UTC, else "19.500543127463 s" */
char *scene_time_exact(const struct scene *, int64_t t, char *buf, size_t size);
char *scene_time_dated(const struct scene *, int64_t t, char *buf, size_t size); /* UTC with the day */
/* to the precision of a column, as on the ruler: "19.50 s", or the time of day */
void scene_time_brief(const struct scene *, int64_t at, char *buf, size_t size);

/* scene.c: keeps rectangles, rows and cursor consistent */
/* also scrolls the cursor's row onto the screen and moves the cursor into the view */
void scene_keep_visible(struct scene *);
/* makes rows again, for another host or clock, or when tracks were derived */
void scene_rebuild(struct scene *);
/* makes the rows that wait until they are opened; false: there are none, or it would take long */
bool scene_make_all_rows(struct scene *);
void scene_measure(struct scene *); /* computes the bounds of the run */
/* opens the sections around the node, which may make rows, so that it may be another node after that */
void scene_open_sections(struct scene *, uint32_t node);
bool scene_event_at(const struct scene *, struct rows_source, int64_t t, size_t *event);
/* The tracks of all rows, folded or not, in the order of the rows; computed: also those of scopes, framework ops,
 * source lines and steps that are derived.  The caller frees it. */
uint32_t *scene_tracks(const struct scene *, bool computed, size_t *n);
/* from times of the reference to those of the screen */
int64_t scene_ref_shift(const struct scene *, const struct ref *);

/* step.c: the steps of rows */
/* of the section that a row is in */
uint32_t scene_steps_track(const struct scene *, const struct rows_node *);
/* For a row of a folded core, whose row of runs is only made when it opens: those runs, by start; for other
 * rows 0 and NULL. */
size_t scene_runs(const struct scene *, const struct rows_node *, const struct step **first);
void scene_step_name(const struct scene *, uint32_t track, size_t event, char *buf, size_t size);
/* title of a step */
void scene_step_title(const struct scene *, const struct step *, char *buf, size_t size);

/* goto.c: parses the argument of :goto: a time, a time of day, a step, an op; -1 = err, whose status is EXIT_USAGE
 * when it means nothing, EXIT_NOTHING when it is not there, or not yet */
int scene_goto(const struct scene *, const char *text, struct ref *, struct err *);
/* show.c: shows what other views refer to; -1 = it is not here */
int scene_show_name(struct scene *, strid name);
int scene_show_op(struct scene *, uint64_t program, strid name);
int scene_show_step(struct scene *, const struct ref *);

/* arrange.c: pinning, hiding, moving, sorting and filtering rows */
unsigned arrange_act(struct scene *, enum action, int count); /* ACT_PASS: not one of its actions */
/* sort, show, tracks; -1: another command */
int arrange_command(struct scene *, const char *name, const char *arg);
void arrange_filter(struct scene *, const char *pattern);          /* "" = none */
void arrange_status(const struct scene *, char *buf, size_t size); /* "12 of 96 tracks, 2 hidden", or "" */

/* pane.c: the pane below the rows, and its frame */
enum pane scene_pane(const struct scene *);
void scene_pane_title(const struct scene *, struct canvas *, struct rect, const char *left, size_t len,
    const char *right);

/* text.c */
const char *scene_event_name(const struct scene *, const struct track *, size_t event,
    int *len); /* at most 100 */
/* status text of picks and of the timing tool; false: none */
bool scene_status(const struct scene *, char *buf, size_t size);

#endif
