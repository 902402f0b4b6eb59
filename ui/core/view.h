/* A view shows one aspect of a loaded dump.  It gets actions, never keys; draws into a canvas, never to a
 * terminal; owns its private state and nothing of the model.  All slots but id, title, scope, open, draw and
 * act may be NULL.  The app zeroes `state` (ops->size bytes) before open() and frees it after close().  act()
 * returns REACT_ bits that say what became stale, or ACT_PASS to let the generic code handle the action.
 * step() does background work in slices of at most budget_ms and returns 1 while there is more.  resize()
 * only computes rectangles.  here()/show() carry a selection from view to view. */
#ifndef CORE_VIEW_H
#define CORE_VIEW_H

#include "analyze/events/find.h"
#include "analyze/steps/steps.h"
#include "core/config/kv.h"
#include "core/input/action.h"
#include "core/input/mouse.h"
#include "core/paint/canvas.h"
#include "model/dump.h"
#include "result/proof.h"

struct app;
struct capture;
struct document;
struct frame_ops;
struct report;
struct view;

enum {
	REACT_NONE = 0,
	REACT_REDRAW = 1,
	REACT_RELAYOUT = 2,
	REACT_BACK = 4,
	REACT_QUIT = 8,
	REACT_LATER = 16, /* nothing yet: the view is still computing */
	ACT_PASS = 0x100
};

/* What a view requires; its tab is not shown otherwise.  NEED_ANY: any() alone decides whether there is
 * something to show.  NEED_AGAINST: a capture to compare with. */
enum { NEED_TRACE = 1, NEED_ANY = 2, NEED_AGAINST = 4 };

/* How much of a run that is still read a view shows: no number may claim more. */
enum app_part {
	PART_ALL,    /* everything */
	PART_TRACKS, /* some tracks */
	PART_WINDOW, /* of what is in view all events */
	PART_LEVELS  /* of what is in view the longer events */
};

enum { REF_TEXT_MAX = 256 };

struct ref {
	enum ref_kind kind;
	uint32_t track; /* UINT32_MAX = none */
	size_t event;
	strid name; /* REF_STEP: an op in it; 0 = none */
	/* ps; the interval to bring into view; t0 = t1: that moment, without zooming */
	int64_t t0, t1;
	int file;         /* -1 = none */
	uint64_t program; /* REF_OP: of `name`; REF_BUFFER: that contains it; REF_MODULE; 0 = any */
	int host, core;   /* REF_CORE; a step or a gap of one core; -1 = none */
	bool gap;         /* REF_TIME: nothing runs on that core then */
	/* REF_BUFFER, REF_MODULE, REF_STEP, REF_CHANNEL, REF_COLLECTIVE: its name or number */
	char text[REF_TEXT_MAX];
	/* restores a position: t0 … t1 was in view, with the cursor at `at` on row `row` (the view's own
	 * number) */
	bool exact;
	int64_t at;
	uint64_t row;
};

#define REF_EMPTY ((struct ref){ .kind = REF_NONE, .track = UINT32_MAX, .file = -1, .host = -1, .core = -1 })

/* name NULL: the only table */
struct view_table {
	const char *name;
	const struct schema *schema;
};

/* A form of its report (--as) that E writes to a file whose name ends in `suffix`. */
struct view_form {
	const char *suffix, *as;
};

struct view_ops {
	const char *id, *title, *short_title;
	char letter; /* v + letter */
	/* id of the view whose tab this one shares; NULL: it has its own */
	const char *of;
	enum scope scope;
	unsigned needs;
	bool (*any)(const struct dump *); /* whether there is something else to show if `needs` is not met */
	/* parts shown in a frame; its state then begins with one (view/frame.h) */
	const struct frame_ops *frame;
	size_t size;
	int (*open)(struct view *);
	int (*step)(struct view *, int budget_ms);
	void (*resize)(struct view *, int rows, int cols);
	/* the view's own area; clip is set */
	void (*draw)(struct view *, struct canvas *);
	/* count: how many equal actions were merged into one */
	unsigned (*act)(struct view *, enum action, int count);
	/* dir 0: new pattern (NULL: end the search); ±1 next, previous. Returns hits, -1 = cannot */
	int (*find)(struct view *, const struct regex *, int dir);
	/* dims everything that does not match a pattern or a query; "" ends it.  Returns hits so far, -1 =
	 * err */
	int (*filter)(struct view *, const char *text, struct err *);
	void (*find_status)(const struct view *, char *buf, size_t size); /* "hit 3 of 120" */
	struct ref (*here)(const struct view *);
	/* what the selection is part of, for views that do not know it by itself; its text says what that is */
	struct ref (*around)(const struct view *);
	int (*show)(struct view *, const struct ref *);                            /* -1 = cannot */
	void (*status)(const struct view *, char *left, char *right, size_t size); /* status line */
	/* the most useful keys of what is shown now, for the key bar; NULL: those of
	 * core/input/actions.def */
	const struct bar_entry *(*bar)(const struct view *, size_t *n);
	/* right end of the title line */
	void (*title_right)(const struct view *, char *buf, size_t size);
	/* commands of core/input/commands.def in its scope; -1 = no such command */
	int (*command)(struct view *, const char *name, const char *arg);
	/* resolves the argument of :goto to something for show(); -1 = err: EXIT_NOTHING if it is not there */
	int (*place)(struct view *, const char *text, struct ref *, struct err *);
	/* more completions of a command's argument: calls offer(ctx, word) for each */
	void (*words)(const struct view *, const char *command, void (*offer)(void *ctx, const char *),
	    void *ctx);
	void (*close)(struct view *);
	/* position inside the area; returns REACT_ bits; ACT_PASS: the wheel moves by lines */
	unsigned (*mouse)(struct view *, const struct mouse *);
	/* moves with a button held should be reported now */
	bool (*drags)(const struct view *);
	/* saves the state to restore in another session */
	void (*save)(const struct view *, struct kv *);
	/* called right after open(); skips what no longer fits */
	void (*restore)(struct view *, const struct kv *);
	/* the name of what is selected, which the caller frees; NULL: that of the row of its sheet, or of here() */
	char *(*name)(const struct view *);
	/* writes all that is known of the selection as text; -1 = nothing is selected */
	int (*copy)(struct view *, FILE *);
	/* the report (report/reports.h) that E writes; NULL: there is nothing to write */
	const char *report;
	/* says which part of it the view shows (core/document.h) */
	void (*document)(struct view *, struct document *);
	/* adds tables that it lacks */
	void (*add)(void *view, struct report *);
	/* other files that it can be written to; ends with a NULL suffix */
	const struct view_form *forms;
	/* the tables that add() writes; ends with a NULL schema */
	const struct view_table *tables;
	/* the columns that it draws, where that is no sheet: for the help */
	const struct schema *columns;
	/* the id of the table to write as CSV */
	const char *(*table)(const struct view *);
};

struct view {
	const struct view_ops *ops;
	void *state;
	struct app *app;
	struct capture *cap; /* what it shows */
	enum app_part part;  /* that this is of the run */
	struct rect area;    /* rows 2 … rows-3 of the screen */
	bool opened, stale;
	bool left; /* of the views that share its tab, it was shown last */
};

extern const struct view_ops *const view_list[]; /* tab order; ends with NULL */

#endif
