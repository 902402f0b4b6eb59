/* A view of tables: a page for each, with a tab that says how many rows it has, and a sheet.  The state of such a view
 * begins with struct pages, which begins with the frame, and its slots are these functions; what is above the tabs, the
 * card and what a page leads to are its own.  Owns the tables, from pages_shown() to pages_drop(), and the sheets,
 * until pages_close().  The thread of the screen. */
#ifndef VIEW_PAGES_H
#define VIEW_PAGES_H

#include "view/frame.h"
#include "widget/tabs.h"

enum { PAGES_MOST = 8 };

struct page {
	const char *title;
	const struct schema *schema;
	const char *name, *more; /* columns that name a row; more NULL: none */
	const char *sort;        /* NULL: as the table is */
};

struct pages {
	struct frame frame;
	const struct page *info;
	int n, page; /* page: the one shown */
	bool shown;  /* the tables are there */
	struct tabs tabs;
	struct table table[PAGES_MOST];
	struct sheet sheet[PAGES_MOST];
};

void pages_open(struct view *, const struct page *, int n);
void pages_shown(struct view *); /* all tables have been made */
void pages_drop(struct view *);
unsigned pages_go(struct view *, int page); /* REACT_REDRAW */
unsigned pages_next(struct view *);
/* draws the tabs in the first row, if there is room; returns the rest of the area */
struct rect pages_tabs(struct view *, struct canvas *, struct rect);
/* the op named in the row under the cursor, for the timeline and the graph; REF_NONE: none */
struct ref pages_op(const struct view *);

struct sheet *pages_sheet(struct view *);
unsigned pages_press(struct view *, const struct mouse *);
void pages_close(struct view *);
void pages_save(const struct view *, struct kv *);
void pages_restore(struct view *, const struct kv *);

#define PAGES_FRAME_SLOTS .sheet = pages_sheet, .press = pages_press
#define PAGES_SLOTS \
	FRAME_SLOTS, .close = pages_close, .copy = frame_copy, .save = pages_save, .restore = pages_restore

#endif
