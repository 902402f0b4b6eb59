/* Arrows between events: those of the file and those that ids tell.  Reading them takes a look at every
 * event, so it is a job (core/job.h), begun when the view has nothing else to do.  Who needs them asks
 * tl_want_links(); a jump that comes too early is made when they are there, unless another key was typed
 * since. */
#ifndef VIEW_TIMELINE_FLOW_H
#define VIEW_TIMELINE_FLOW_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

struct tl;
struct tl_flow_job;

struct tl_flow {
	bool known;              /* they are in the dump */
	struct tl_flow_job *job; /* while they are looked for */
	enum action wanted;      /* to be done when they are known */
	int count;
	unsigned long keys; /* app->keys when it was asked for */
	/* the jump made last, which the same key takes to the next end: from where, to which of `n` ends
	 * (from 0), and what was selected then; dir 0: none */
	int dir;
	size_t nth, n;
	uint32_t track, to_track;
	size_t event, to_event;
};

void tl_find_links(struct tl *); /* when there is nothing else to do */
bool tl_want_links(struct tl *); /* now; true: known */
unsigned tl_flow_wait(struct tl *, enum action, int count);
bool tl_flow_waits(const struct tl *);
enum action tl_flow_due(struct tl *); /* what waited and may be done now, `count` times; once */
void tl_flow_free(struct tl *);
/* "→ jit_f (TPU:0), 3 more   ← DoEnqueueProgram (main)"; "" when nothing is known */
void tl_flow_text(struct tl *, uint32_t track, size_t event, char *buf, size_t size);
/* one of them after the other: dir > 0 leaves the event; false: there is no nth */
bool tl_flow_nth(struct tl *, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size);
/* `) (`: to the first end of the flows of an event; at once again: to the next one, round and round */
unsigned tl_move_flow(struct tl *, int dir, int count);
/* at the ends of rows: where the flows of the selected event go to and come from */
void tl_draw_flow_marks(struct tl *, struct canvas *);

#endif
