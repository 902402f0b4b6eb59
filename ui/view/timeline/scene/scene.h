/* What is looked at: the dump, its rows, which piece of time is in view, and where the cursor is.  All that is
 * drawn, marked, searched or summed up stands on this and adds a state of its own. */
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

/* Counted up by whoever changes it; what is made from it remembers the number it was made at. */
struct scene_changes {
	unsigned rows;   /* made again */
	unsigned unions; /* of threads */
	unsigned times;  /* of events: another clock, other hosts, hosts aligned */
	unsigned hits;   /* what search and filter match */
	unsigned colors;
};

struct scene {
	struct view *view;
	struct dump *dump;
	int host; /* whose rows these are, -1 = all */
	struct layout lay;
	struct viewport port;
	struct rows rows;
	struct cursor cursor;
	struct picks picks;
	struct scene_shift shift;
	struct scene_changes changes;
	struct history filters; /* typed for the filter of tracks */
	bool filtered;          /* only events that pass a filter keep their colour */
	bool open[PANES];       /* PANE_EVENT: while an event is selected, whatever stands here */
};

/* the state of the view begins with its scene */
static inline struct scene *scene_of(const struct view *v)
{
	return v->state;
}
static inline struct track *scene_track(const struct scene *sc, uint32_t i)
{
	return &sc->dump->trace.tracks[i];
}

static inline struct rows_node *scene_node(const struct scene *sc, size_t place)
{
	return &sc->rows.v[sc->rows.vis[place]];
}

/* rows at the top of the plot that do not scroll: at most half of it, the other pinned ones scroll */
static inline size_t scene_pins(const struct scene *sc)
{
	size_t most = sc->lay.plot.h > 1 ? (size_t)sc->lay.plot.h / 2 : 0;

	return sc->rows.tracks.npin < most ? sc->rows.tracks.npin : most;
}
/* place in rows.vis of a row of the plot; may be >= nvis */
static inline size_t scene_place(const struct scene *sc, int row)
{
	return (size_t)row < scene_pins(sc) ? (size_t)row : sc->cursor.top + (size_t)row;
}

/* the key of an action here, for a sentence: keys may be bound anew */
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
bool scene_utc(const struct scene *); /* asked for, and known */
unsigned scene_toggle_utc(struct scene *);
/* in full: "09:14:03.125000000000 UTC" while times are UTC, else "19.500543127463 s" */
char *scene_time_exact(const struct scene *, int64_t t, bool day, char *buf, size_t size);
/* to the column, as the ruler has it: "19.50 s", or the time of day */
void scene_time_brief(const struct scene *, int64_t at, char *buf, size_t size);

/* scene.c: rectangles, rows and cursor that belong together */
void scene_relayout(struct scene *);     /* rectangles, columns and rows for what the pane shows now */
void scene_keep_visible(struct scene *); /* that, and the row of the cursor on screen, the cursor in view */
void scene_rebuild(struct scene *);      /* rows again: other host, other clock, something derived */
void scene_measure(struct scene *);      /* bounds of the run */
/* those around the node, with the rows that are made then: it may be another node now */
void scene_open_sections(struct scene *, uint32_t node);
bool scene_event_at(const struct scene *, struct rows_source, int64_t t, size_t *event);
uint32_t *scene_tracks(const struct scene *, size_t *n);           /* of all rows there are; caller frees */
int64_t scene_ref_shift(const struct scene *, const struct ref *); /* from times of a place to the screen's */

/* step.c: the steps of rows */
uint32_t scene_steps_track(const struct scene *, const struct rows_node *); /* of the section a row is in */
/* Of a row of a folded core, whose own row of runs is made when it opens: those runs, by start; 0, NULL: any
 * other row */
size_t scene_runs(const struct scene *, const struct rows_node *, const struct step **first);
void scene_step_name(const struct scene *, uint32_t track, size_t event, char *buf, size_t size);
void scene_step_title(const struct scene *, const struct step *, char *buf, size_t size); /* the same */

/* goto.c: a time, a time of day, a step, an op, as :goto is told it; -1 = err says why not */
int scene_goto(const struct scene *, const char *text, struct ref *, struct err *);
/* show.c: what other views want to be shown; -1 = it is not here */
int scene_show_name(struct scene *, strid name);
int scene_show_op(struct scene *, uint64_t program, strid name);
int scene_show_step(struct scene *, const struct ref *);

/* arrange.c: pinning, hiding, moving, sorting and filtering rows */
unsigned arrange_act(struct scene *, enum action, int count);           /* ACT_PASS: none of its actions */
int arrange_command(struct scene *, const char *name, const char *arg); /* sort, show, tracks; -1: another */
void arrange_filter(struct scene *, const char *pattern);               /* "" = none */
void arrange_status(const struct scene *, char *buf, size_t size); /* "12 of 96 tracks, 2 hidden", or "" */

/* pane.c: what stands below the rows, and its frame */
enum pane scene_pane(const struct scene *);
void scene_pane_title(const struct scene *, struct canvas *, struct rect, const char *left, size_t len,
    const char *right);

/* text.c */
const char *scene_event_name(const struct scene *, const struct track *, size_t event,
    int *len); /* at most 100 */
/* what picks and the timing tool have to say; false: nothing */
bool scene_status(const struct scene *, char *buf, size_t size);

#endif
