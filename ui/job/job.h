/* Running jobs on the screen, as overlays over the view: a capture that is being taken, and the chips of this machine.
 * Each has a thread of its own that talks to the servers, and shows what that has last said; the servers are asked until
 * the overlay is closed.  Only servers of this machine are asked. */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "core/app.h"
#include "core/overlay.h"

/* Captures the servers in a list.  When it is done, the overlay ends with picked = 0, and *run is the folder of the run,
 * which the caller frees.  NULL with err: wrong addresses, or nothing can be saved there. */
struct overlay *overlay_capture(const char *servers, const char *logdir, int duration_ms, char **run,
    void (*on_pick)(struct app *, int), struct err *);
/* The chips that the servers know, as a screen. */
struct overlay *overlay_chips(const struct app_live *, struct err *);
/* What jobs are doing, query by query, likewise. */
struct overlay *overlay_monitor(const struct app_live *, struct err *);

#endif
