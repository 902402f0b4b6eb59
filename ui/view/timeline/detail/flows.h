/* Arrows between events: those of the file and those that ids tell.  Reading them takes a look at every
 * event, so it is a job (core/job.h), begun when the view has nothing else to do.  Who needs them asks
 * flows_want(); a jump that comes too early is made when they are there, unless another key was typed
 * since.  `sc` is given once. */
#ifndef VIEW_TIMELINE_FLOW_H
#define VIEW_TIMELINE_FLOW_H

#include "view/timeline/scene/scene.h"

struct flows_job;

struct flows {
	struct scene *sc;
	bool known;            /* they are in the dump */
	struct flows_job *job; /* while they are looked for */
	enum action wanted;    /* to be done when they are known */
	int count;
	unsigned long keys; /* app->keys when it was asked for */
	/* the jump made last, which the same key takes to the next end: from where, to which of `n` ends
	 * (from 0), and what was selected then; dir 0: none */
	int dir;
	size_t nth, n;
	uint32_t track, to_track;
	size_t event, to_event;
};

void flows_find(struct flows *); /* when there is nothing else to do */
bool flows_want(struct flows *); /* now; true: known */
unsigned flows_wait(struct flows *, enum action, int count);
bool flows_waits(const struct flows *);
enum action flows_due(struct flows *); /* what waited and may be done now, `count` times; once */
void flows_free(struct flows *);
/* "→ jit_f (TPU:0), 3 more   ← DoEnqueueProgram (main)"; "" when nothing is known */
void flows_text(struct flows *, uint32_t track, size_t event, char *buf, size_t size);
/* one of them after the other: dir > 0 leaves the event; false: there is no nth */
bool flows_nth(struct flows *, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size);
/* to the first end of the flows of an event; repeated, by the same key at once: to the next one, round and
 * round */
unsigned flows_move(struct flows *, int dir, int count, bool repeated);
/* at the ends of rows: where the flows of the selected event go to and come from */
void flows_draw(struct flows *, struct canvas *);

#endif
