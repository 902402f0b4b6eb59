/* A view shows one aspect of a loaded dump.  It gets actions, never keys; draws into a canvas, never to a terminal; owns its private state and nothing of the model.  All slots but id, title, scope, open,
 * draw and act may be NULL.  The app zeroes `state` (ops->size bytes) before open() and frees it after close().
 * act() returns REACT_ bits that say what became stale, or ACT_PASS so that the generic code does it.  step() does background work in slices of at most budget_ms and returns 1 while
 * there is more.  resize() only computes rectangles.  here()/show() carry a selection from view to view. */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include "analyze/find.h"
#include "analyze/steps.h"
#include "core/action.h"
#include "core/canvas.h"
#include "model/dump.h"

struct app;
struct view;

enum { REACT_NONE = 0, REACT_REDRAW = 1, REACT_RELAYOUT = 2, REACT_BACK = 4, REACT_QUIT = 8, ACT_PASS = 0x100 };

enum { NEED_TRACE = 1 };		/* what a view cannot do without; the tab is not shown when it is missing */

enum ref_kind { REF_NONE, REF_EVENT, REF_TRACK, REF_NAME, REF_STEP, REF_TIME, REF_FILE };

struct ref {
	enum ref_kind kind;
	uint32_t track;			/* UINT32_MAX = none */
	size_t event;
	strid name;
	int64_t t0, t1;			/* ps; what to bring into view; t0 = t1: that moment, the zoom stays */
	int file;			/* -1 = none */
};

struct view_ops {
	const char *id, *title, *short_title;
	char letter;			/* v + letter */
	enum scope scope;
	unsigned needs;
	size_t size;
	int (*open)(struct view *);
	int (*step)(struct view *, int budget_ms);
	void (*resize)(struct view *, int rows, int cols);
	void (*draw)(struct view *, struct canvas *);				/* the view's own area; clip is set */
	unsigned (*act)(struct view *, enum action, int count);			/* count: how many equal actions were folded into one */
	int (*find)(struct view *, const struct regex *, int dir);		/* dir 0: new pattern (NULL: end the search); ±1 next, previous. Returns hits, -1 = cannot */
	void (*find_status)(const struct view *, char *buf, size_t size);	/* "hit 3 of 120" */
	struct ref (*here)(const struct view *);
	int (*show)(struct view *, const struct ref *);				/* -1 = cannot */
	void (*status)(const struct view *, char *left, char *right, size_t size);	/* status line */
	void (*title_right)(const struct view *, char *buf, size_t size);	/* right end of the title line */
	void (*close)(struct view *);
};

struct view {
	const struct view_ops *ops;
	void *state;
	struct app *app;
	struct rect area;		/* rows 2 … rows-3 of the screen */
	bool opened, stale;
};

extern const struct view_ops *const view_list[];	/* tab order; ends with NULL */

#endif
