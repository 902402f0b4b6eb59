/* A view that is a table (or a list, a tree, a chart) with a card about the selection: the card is at the
 * right, below, or not shown, as a row of thresholds says, and fills the whole area when it is opened.  The
 * frame owns what such views share: whether the results they need are ready and which version of them is
 * shown, the layout, the full card and its scrolling, and which one sheet has the search.  Keys go to the
 * view first, then to the full card, then to the sheet or list shown.  A view with a frame has it as the
 * first member of its state (zeroed), names its frame_ops in its view_ops, and uses frame_draw() …
 * frame_filter() as slots there, or calls them from its own.  A frame owns no memory: there is nothing to
 * free. */
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include "core/view.h"
#include "widget/sheet/sheet.h"

enum { FRAME_HEIGHTS = 9 };
enum frame_card { FRAME_NO_CARD, FRAME_BESIDE, FRAME_BELOW, FRAME_FULL };

/* Position of the card, by columns and rows of the area: at the right from `beside.cols` and `beside.rows` on
 * (cols 0: never), `gap` columns away from the main part, and up to `most` columns wide (0: always `card`) on
 * wide screens; else below from `below.cols` on, with the last height that fits; else not shown. */
struct frame_form {
	const char *view;
	int airy; /* rows from which there is an empty row below the tabs, 0 = never */
	struct {
		int cols, rows, card, gap, most;
	} beside;
	struct {
		int cols;
		struct {
			int rows, card;
		} height[FRAME_HEIGHTS]; /* in increasing order of rows; rows 0: end */
	} below;
};

struct frame_place {
	enum frame_card how;
	struct rect main, card;
};

struct frame_place frame_divide(const struct frame_form *, struct rect);

/* All but form and card may be NULL; main NULL: the sheet is drawn. */
struct frame_ops {
	const struct frame_form *form;
	/* bits of enum result: nothing is shown until all of them are ready.  When any has changed, drop()
	 * frees what was made from the old ones, which are gone, and take() converts the new ones; of_core:
	 * also when another core is chosen */
	unsigned results;
	unsigned (*needs)(
	    const struct view *); /* in place of `results`, where they are not always the same */
	bool of_core;
	void (*take)(struct view *);
	void (*drop)(struct view *);
	/* further preparation before anything is drawn or done: false = not ready yet */
	bool (*ready)(struct view *);
	/* draws something instead of "summing op times 43 %" */
	void (*draw_nothing)(struct view *, struct canvas *, struct rect);

	/* what keys, clicks, search and filter apply to: the one shown; NULL = none is */
	struct sheet *(*sheet)(struct view *);
	struct list *(*list)(struct view *);
	/* searches what is shown if it is not a sheet, like view_ops.find */
	int (*find)(struct view *, const struct regex *, int dir, struct list_hits *);

	/* draws a line above everything; returns the rest of the area */
	struct rect (*above)(struct view *, struct canvas *, struct rect);
	/* used instead of frame_divide() */
	struct frame_place (*divide)(struct view *, struct rect);
	void (*main)(struct view *, struct canvas *, struct rect);
	/* returns the row below; a full card may be drawn outside the screen to find its length */
	int (*card)(struct view *, struct canvas *, struct rect, enum frame_card);
	bool (*has_card)(struct view *); /* false: there is nothing to open */
	/* the rule above the full card; `right` is replaced by the scroll position if there is one */
	void (*title)(struct view *, char *title, char *right, size_t size);

	/* called first, also without results; ACT_PASS = not handled */
	unsigned (*act_always)(struct view *, enum action, int count);
	unsigned (*act)(struct view *, enum action, int count);
	/* button 1, when the card is not full */
	unsigned (*press)(struct view *, const struct mouse *);
};

struct frame {
	unsigned long serial; /* version of the results that is shown; 0 = none */
	int core;
	bool full;
	int scroll, lines, rows;  /* of the full card; rows: visible, as last drawn */
	struct frame_place at;    /* as last drawn */
	const struct regex *find; /* borrowed from the app; NULL = no search */
	/* the one sheet that has the search; if `found`, a part that is not a sheet has it, with these
	 * hits */
	struct sheet *searched;
	bool found;
	struct list_hits hits;
};

bool frame_ready(const struct view *); /* false: nothing to show yet */
void frame_renew(struct view *);       /* after a choice: made again from the same results */
void frame_close(struct view *);       /* drop() */
void frame_open_card(struct view *);   /* over the whole area, from its first line */
void frame_close_card(struct view *);
void frame_toggle_card(struct view *);
void frame_draw(struct view *, struct canvas *);
unsigned frame_act(struct view *, enum action, int count);
unsigned frame_mouse(struct view *, const struct mouse *);
int frame_find(struct view *, const struct regex *, int dir);
void frame_find_status(const struct view *, char *buf, size_t size);
int frame_filter(struct view *, const char *text, struct err *);
int frame_copy(struct view *, FILE *); /* of the sheet shown */

/* the slots of a view that leaves all of these to its frame */
#define FRAME_SLOTS \
	.draw = frame_draw, .act = frame_act, .find = frame_find, .find_status = frame_find_status, \
	.filter = frame_filter, .mouse = frame_mouse

#endif
