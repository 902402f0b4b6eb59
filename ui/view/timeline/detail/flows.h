/* Flows between events: those in the file and those derived from ids.  Finding them reads every event, so it
 * is a job (core/job.h), started when the view has nothing else to do.  Code that needs them calls
 * flows_want(); a jump that is requested before they are known is made when they are, unless another key was
 * pressed since.  `sc` is set once. */
#ifndef VIEW_TIMELINE_FLOW_H
#define VIEW_TIMELINE_FLOW_H

#include "view/timeline/scene/scene.h"

struct flows_job;

struct flows {
	struct scene *sc;
	bool known;            /* the dump has them now */
	struct flows_job *job; /* while they are being found */
	enum action wanted;    /* action to run when they are known */
	int count;
	unsigned long keys; /* app->keys when it was requested */
	/* the last jump, which the same key continues with the next end: from where, to which of `n` ends
	 * (from 0), and what it selected; dir 0: none */
	int dir;
	size_t nth, n;
	uint32_t track, to_track;
	size_t event, to_event;
};

void flows_find(struct flows *); /* starts the job when there is nothing else to do */
bool flows_want(struct flows *); /* starts the job at once; true: already known */
bool flows_waits(const struct flows *);
enum action flows_due(
    struct flows *); /* the action that waited and can run now, `count` times; returned once */
void flows_free(struct flows *);
/* "→ jit_f (TPU:0), 3 more   ← DoEnqueueProgram (main)"; "" = none known */
void flows_text(struct flows *, uint32_t track, size_t event, char *buf, size_t size);
/* one at a time: dir > 0 for flows that leave the event; false: there is no nth */
bool flows_nth(struct flows *, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size);
/* goes to the first end of the flows of an event; when repeated at once by the same key, to the next one,
 * wrapping around */
unsigned flows_move(struct flows *, int dir, int count, bool repeated);
/* draws where the flows of the selected event go to and come from: marks at the ends of rows, and lines to the
 * ends that are in view, too */
void flows_draw(struct flows *, struct canvas *);

#endif
