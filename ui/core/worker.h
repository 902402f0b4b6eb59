/* A thread whose end can be waited for together with the keyboard: worker_fd() becomes readable when run()
 * returned. No signal reaches it: they are the business of the thread of the screen; those that a fault
 * raises come where the fault is, blocked or not.  What run() wrote belongs to the starter again after
 * worker_join(). */
#ifndef CORE_WORKER_H
#define CORE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

struct worker {
	pthread_t thread;
	int fd[2]; /* closed at the writing end when the work is over */
	void (*run)(void *);
	void *ctx;
};

/* The struct stays where it is until the join.  0, or an errno and nothing was started. */
int worker_start(struct worker *, void (*run)(void *ctx), void *ctx);
static inline int worker_fd(const struct worker *w)
{
	return w->fd[0];
}
bool worker_ended(const struct worker *); /* worker_join() would not wait */
void worker_join(struct worker *);
/* for leaving the program: false = it is still at work, and from now on nobody waits for it */
bool worker_join_within(struct worker *, int ms);

#endif
