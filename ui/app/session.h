/* What a session keeps for the next one on the same capture: the view, what each view saves, and what was
 * typed.  Read when a capture is there, written at the end, and only when the user changed something worth
 * it.  The screen's app opens a session; snapshots and benchmarks have none, and everything here does
 * nothing then. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdbool.h>

struct app;
struct view;

void app_session_open(struct app *);
void app_session_begin(struct app *);                  /* the dump and its views are there */
const char *app_session_view(const struct app *);      /* id of the view to begin with, NULL */
void app_session_restore(struct app *, struct view *); /* a view was opened */
void app_session_touch(struct app *);                  /* the user is about to do something */
/* before a reload of the same files, or of another run */
void app_session_keep(struct app *, bool same);
void app_session_save(struct app *);
void app_session_close(struct app *);

#endif
