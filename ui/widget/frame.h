/* A view that is a table (or a list, a tree, a chart) with a card about what is selected in it: the card
 * stands at the right, below, or nowhere, as a row of thresholds says, and has the whole area when it is
 * opened.  The frame owns what such views share: whether the results they need are there and which making
 * of them is shown, where things stand, the card in full and how far it is scrolled, and which one sheet
 * has the search.  Keys go to the view first, then to the card in full, then to the sheet or list shown.
 * A view with a frame has it as the first member of its state (zeroed), names its frame_ops in its
 * view_ops, and takes frame_draw() … frame_filter() as slots there; what it needs more it does around them.
 * Nothing in a frame is owned but by the view: there is nothing to free. */
#ifndef WIDGET_FRAME_H
#define WIDGET_FRAME_H

#include "core/view.h"
#include "widget/sheet.h"

enum { FRAME_HEIGHTS = 9 };
enum frame_card { FRAME_NO_CARD, FRAME_BESIDE, FRAME_BELOW, FRAME_FULL };

/* Where the card stands, by columns and rows of the area.  It is at the right from `beside.cols` and
 * `beside.rows` on (cols 0: never), `gap` columns are not the main part's then; else below from
 * `below.cols` on, with the rows of the last height that does not ask for more; else nowhere. */
struct frame_form {
	const char *view;
	int airy; /* rows from which an empty one stands below the tabs, 0 never */
	struct {
		int cols, rows, card, gap;
	} beside;
	struct {
		int cols;
		struct {
			int rows, card;
		} height[FRAME_HEIGHTS]; /* from fewer rows to more; rows 0: no more of them */
	} below;
};

struct frame_place {
	enum frame_card how;
	struct rect main, card;
};

struct frame_place frame_divide(const struct frame_form *, struct rect);

/* All but form, main and card may be NULL. */
struct frame_ops {
	const struct frame_form *form;
	/* bits of enum result: nothing is shown while one of them is not there.  When there are others than
	 * at the last time take() makes of them what is shown, after drop() gave up what was made of the old
	 * ones, which are gone; of_core: also when another core is chosen */
	unsigned results;
	unsigned (*needs)(
	    const struct view *); /* in place of `results`, where they are not always the same */
	bool of_core;
	void (*take)(struct view *);
	void (*drop)(struct view *);
	/* the rest of being there, whenever something is drawn or done: false = not yet */
	bool (*ready)(struct view *);
	/* in place of "adding up ops 43 %" */
	void (*draw_nothing)(struct view *, struct canvas *, struct rect);

	/* what keys, clicks, search and filter are for: one of them, the one shown; NULL = none is */
	struct sheet *(*sheet)(struct view *);
	struct list *(*list)(struct view *);
	/* searches what is shown where it is no sheet, as view_ops.find */
	int (*find)(struct view *, const struct regex *, int dir, struct list_hits *);

	/* a line over all: what is left of the area */
	struct rect (*above)(struct view *, struct canvas *, struct rect);
	/* in place of frame_divide() */
	struct frame_place (*divide)(struct view *, struct rect);
	void (*main)(struct view *, struct canvas *, struct rect);
	/* returns the row below; in full it may be drawn outside the screen to know its length */
	int (*card)(struct view *, struct canvas *, struct rect, enum frame_card);
	bool (*has_card)(struct view *); /* false: there is nothing to open */
	/* the rule above the card in full; `right` gives way to how far it is scrolled */
	void (*title)(struct view *, char *title, char *right, size_t size);

	/* before all else: what can be done without results, too; ACT_PASS = none of these */
	unsigned (*act_always)(struct view *, enum action, int count);
	unsigned (*act)(struct view *, enum action, int count);
	/* button 1, no card in full */
	unsigned (*press)(struct view *, const struct mouse *);
};

struct frame {
	unsigned long serial; /* which making of the results is shown; 0 = none */
	int core;
	bool full;
	int scroll, lines, rows;  /* of the card in full; rows: in sight, as drawn last */
	struct frame_place at;    /* as drawn last */
	const struct regex *find; /* the app's; NULL = no search */
	/* the one sheet that has the pattern; or what is no sheet has it, and these are its hits */
	struct sheet *searched;
	bool found;
	struct list_hits hits;
};

bool frame_ready(const struct view *); /* false: nothing to show yet */
void frame_renew(struct view *);       /* other choices: made anew from the same results */
void frame_close(struct view *);       /* drop() */
/* the card has the whole area, from its first line on; or no longer */
void frame_open_card(struct view *, bool open);
void frame_draw(struct view *, struct canvas *);
unsigned frame_act(struct view *, enum action, int count);
unsigned frame_mouse(struct view *, const struct mouse *);
int frame_find(struct view *, const struct regex *, int dir);
void frame_find_status(const struct view *, char *buf, size_t size);
int frame_filter(struct view *, const char *text, struct err *);
/* menu of the columns of the sheet shown; it stays until Esc */
void frame_choose_columns(struct view *);

#endif
