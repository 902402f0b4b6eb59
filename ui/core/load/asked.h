/* A thread that is asked questions of which only the last one counts: what was asked before, and is not begun, is
 * forgotten.  answer() runs in that thread, gets a copy of the question, and looks at asked_over() when it takes long.
 * Questions of one asked are of one size.  Start with ASKED_INIT; the struct must not move.  asked_end() waits for the
 * answer in work and must be called before the struct goes; nothing is answered after it. */
#ifndef CORE_ASKED_H
#define CORE_ASKED_H

#include <pthread.h>
#include <stddef.h>

#include "core/worker.h"

typedef void asked_fn(void *ctx, const void *question);

struct asked {
	pthread_mutex_t lock; /* guards the next ones */
	pthread_cond_t news;
	bool wanted, over, runs;
	asked_fn *answer;
	void *ctx, *question;
	struct worker worker;
};

#define ASKED_INIT \
	{ \
		.lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER \
	}

void asked_ask(struct asked *, asked_fn *answer, void *ctx, const void *question, size_t size);
bool asked_over(struct asked *);
void asked_end(struct asked *);

#endif
