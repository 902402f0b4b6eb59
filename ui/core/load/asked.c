#include "config.h"
#include "core/load/asked.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool asked_over(struct asked *a)
{
	bool over;

	pthread_mutex_lock(&a->lock);
	over = a->over;
	pthread_mutex_unlock(&a->lock);
	return over;
}

/* Answers the last question.  Call with the lock held, which it does not have meanwhile. */
static void answer_last(struct asked *a)
{
	asked_fn *answer = a->answer;
	void *ctx = a->ctx, *question = a->question;

	a->wanted = false;
	a->question = NULL;
	pthread_mutex_unlock(&a->lock);
	answer(ctx, question);
	free(question);
	pthread_mutex_lock(&a->lock);
}

static void run_asked(void *arg)
{
	struct asked *a = arg;

	pthread_mutex_lock(&a->lock);
	while (!a->over)
		if (a->wanted)
			answer_last(a);
		else
			pthread_cond_wait(&a->news, &a->lock);
	pthread_mutex_unlock(&a->lock);
}

void asked_ask(struct asked *a, asked_fn *answer, void *ctx, const void *question, size_t size)
{
	pthread_mutex_lock(&a->lock);
	if (!a->over) {
		a->answer = answer;
		a->ctx = ctx;
		a->question = a->question ? a->question : xmalloc(size);
		memcpy(a->question, question, size);
		a->wanted = true;
		if (!a->runs)
			a->runs = !worker_start(&a->worker, run_asked, a);
		pthread_cond_signal(&a->news);
	}
	pthread_mutex_unlock(&a->lock);
}

void asked_end(struct asked *a)
{
	bool runs;

	pthread_mutex_lock(&a->lock);
	a->over = true;
	runs = a->runs;
	a->runs = false;
	pthread_cond_signal(&a->news);
	pthread_mutex_unlock(&a->lock);
	if (runs)
		worker_join(&a->worker);
	free(a->question);
	a->question = NULL;
}
