/* SQL: queries over the capture (:sql, i), whose rows are a sheet; Enter goes to the event, op or buffer of a row.  A
 * query runs in a job, with results of its own (capture_beside()), until it is done or Esc cancels it.  Before the
 * first one, examples are listed.  src/sql says what can be asked; without SQLite the view says so. */
#ifndef VIEW_SQL_SQL_H
#define VIEW_SQL_SQL_H

#include "core/input/prompt.h"
#include "core/view.h"
#include "sql/sql.h"
#include "view/frame.h"
#include "widget/sheet/sheet.h"

enum { SQL_VALUES = 4, SQL_TIMEOUT_S = 5 };

/* The query that runs, for its job. */
struct sql_asking {
	struct view *view;
	char *text;
	struct sql_value value
	    [SQL_VALUES]; /* $from, $to: what the timeline shows; $track, $step: what is selected there */
	size_t nvalues;
	struct sql_answer *answer;
	struct err err;
};

struct sql_view {
	struct frame frame;
	struct history past;
	char *text;                                 /* of the last query; NULL: none yet */
	struct sql_answer *answer;                  /* NULL: there is none */
	char error[sizeof(((struct err *)0)->msg)]; /* why; "": it runs */
	struct sheet sheet;                         /* of the answer */
	struct list examples;
	struct sql_asking *asking;  /* NULL: nothing runs */
	struct capture *own, *base; /* for queries; NULL: not needed yet */
};

void sql_view_run(struct view *, const char *text); /* run.c */
bool sql_view_cancel(struct view *);                /* false: nothing runs */
void sql_view_forget(struct view *);                /* stops and frees all */

struct rect sql_view_above(struct view *, struct canvas *, struct rect); /* draw.c */
void sql_view_examples(struct view *, struct canvas *, struct rect);
/* the query of an example; the caller frees; NULL: there are no more */
char *sql_view_example(size_t);

#endif
