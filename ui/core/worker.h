/* A thread whose end can be waited for together with the keyboard: worker_fd() becomes readable when run()
 * returned, and when run() calls worker_wake().  Signals are blocked in it, because the thread of the screen handles
 * them; signals of a fault are delivered to the faulting thread anyway.  What run() wrote belongs to the starter again
 * after worker_join(). */
#ifndef CORE_WORKER_H
#define CORE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

struct worker {
	pthread_t thread;
	int fd[2]; /* the writing end is closed when run() has returned */
	void (*run)(void *);
	void *ctx;
};

/* The struct must not move until the join.  Returns 0, or an errno when no thread was started. */
int worker_start(struct worker *, void (*run)(void *ctx), void *ctx);
static inline int worker_fd(const struct worker *w)
{
	return w->fd[0];
}
void worker_wake(const struct worker *);  /* from run(): there is something to look at */
bool worker_ended(const struct worker *); /* worker_join() would not wait; empties the fd otherwise */
void worker_join(struct worker *);
/* for leaving the program: false = still running, and it will not be waited for */
bool worker_join_within(struct worker *, int ms);

#endif
