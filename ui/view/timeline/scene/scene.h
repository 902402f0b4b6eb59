/* What is looked at: the dump, its rows, which piece of time is in view, and where the cursor is.  All that is
 * drawn, marked, searched or summed up stands on this and adds a state of its own. */
#ifndef VIEW_TIMELINE_SCENE_H
#define VIEW_TIMELINE_SCENE_H

#include "core/app.h"
#include "view/timeline/rows/rows.h"
#include "view/timeline/scene/cursor.h"
#include "view/timeline/scene/picks.h"
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

/* From times of planes to those of the screen, while hosts are aligned. */
struct scene_shift {
	bool on;
	bool inside;    /* cursor and viewport speak in times of a host now */
	int64_t *plane; /* by plane */
	int64_t zero;   /* where the step begins on the first host */
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
	bool open[PANES]; /* PANE_EVENT: while an event is selected, whatever stands here */
};

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

#endif
