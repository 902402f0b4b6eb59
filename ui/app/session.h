/* The position that is saved for the next session on the same capture: the view, the state of each view, and
 * what was typed.  Read when a capture was loaded, written on quitting, and only if the user changed
 * something.  Only the interactive app opens one that is stored; for snapshots and benchmarks these functions do
 * nothing, unless the command line names a place (place.c). */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdbool.h>

#include "core/config/kv.h"

struct app;
struct view;

/* stored: in the file of the capture; else there is only the place that the command line names */
void app_session_open(struct app *, bool stored);
/* appends the state of the view on the screen and what is chosen for all views */
void app_session_here(struct app *, struct kv *);
void app_session_begin(struct app *);                  /* after the dump and its views were made */
const char *app_session_view(const struct app *);      /* the view to start with; NULL = none saved */
void app_session_restore(struct app *, struct view *); /* a view was opened */
void app_session_touch(struct app *);                  /* the user is about to do something */
/* before a reload of the same files, or of another run */
void app_session_keep(struct app *, bool same);
void app_session_save(struct app *);
void app_session_close(struct app *);
struct session;
void app_session_free(struct session *); /* NULL is allowed */

#endif
