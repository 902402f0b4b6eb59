/* Running jobs on the screen, as overlays over the view: a capture that is being taken, and the chips of this machine.
 * Each has a thread of its own that talks to the servers, and shows what that has last said; the servers are asked
 * until the overlay is closed.  Only servers of this machine are asked. */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include "core/app.h"
#include "core/overlay.h"

/* What to capture: the dialog changes it. */
struct capture_wish {
	char servers[300], logdir[400], advanced[200]; /* servers: a list; advanced: "" = none */
	int duration_ms, host_level, device_level, python_level;
	bool no_hlo;
};

/* The dialog before a capture; picked = 0: begin. */
/* NULL with err: this viewer may not use the network */
struct overlay *overlay_dialog(struct capture_wish *, void (*on_pick)(struct app *, int), struct err *);
/* Captures the servers in a list.  When it is done, the overlay ends with picked = 0, and *run is the folder of the
 * run, which the caller frees.  NULL with err: wrong addresses, or nothing can be saved there. */
struct overlay *overlay_capture(const struct capture_wish *, char **run, void (*on_pick)(struct app *, int),
    struct err *);
/* The chips that the servers know, as a screen. */
struct overlay *overlay_chips(const struct app_live *, struct err *);
/* What jobs are doing, query by query, likewise. */
struct overlay *overlay_monitor(const struct app_live *, struct err *);

#endif
