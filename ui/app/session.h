/* The position that is saved for the next session on the same capture: the view, the state of each view, and
 * what was typed.  Read when a capture was loaded, written on quitting, and only if the user changed
 * something.  Only the interactive app opens a session; for snapshots and benchmarks these functions do
 * nothing. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdbool.h>

struct app;
struct view;

void app_session_open(struct app *);
void app_session_begin(struct app *);                  /* after the dump and its views were made */
const char *app_session_view(const struct app *);      /* the view to start with; NULL = none saved */
void app_session_restore(struct app *, struct view *); /* a view was opened */
void app_session_touch(struct app *);                  /* the user is about to do something */
/* before a reload of the same files, or of another run */
void app_session_keep(struct app *, bool same);
void app_session_save(struct app *);
void app_session_close(struct app *);

#endif
