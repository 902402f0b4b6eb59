#include "config.h"
#include "core/scout.h"

#include <stdlib.h>

#include "base/mem.h"

enum { LEVELS = 150000 /* events of levels over the whole run */, WINDOW = 300000 /* more in the window */ };

void scout_table(void *scout, const char *name, const uint8_t *bytes, size_t n)
{
	struct scout *s = scout;

	pthread_mutex_lock(&s->using);
	free(s->name);
	s->name = xstrdup(name);
	s->table = bytes;
	s->n = n;
	pthread_mutex_unlock(&s->using);
}

void scout_gone(void *scout)
{
	struct scout *s = scout;

	pthread_mutex_lock(&s->using);
	s->table = NULL;
	pthread_mutex_unlock(&s->using);
}

static bool is_over(struct scout *s)
{
	bool over;

	pthread_mutex_lock(&s->lock);
	over = s->over;
	pthread_mutex_unlock(&s->lock);
	return over;
}

/* First with as much on either side, so that a pan does not have to wait, if there is room for all of it. */
static void answer(struct scout *s, const struct tracetable_window *want)
{
	uint64_t span = want->t1 - want->t0;
	struct tracetable_window w = { want->t0 > span ? want->t0 - span : 0, want->t1 + span, WINDOW,
		false };
	uint8_t *b;
	char *name;
	size_t n;

	pthread_mutex_lock(&s->using);
	name = s->name ? xstrdup(s->name) : NULL; /* another table may come while this one is shown */
	b = s->table ? tracetable_coarse(s->table, s->n, LEVELS, &w, &n) : NULL;
	if (b && !w.all && !is_over(s)) {
		free(b);
		w = *want;
		b = tracetable_coarse(s->table, s->n, LEVELS, &w, &n);
	}
	pthread_mutex_unlock(&s->using);
	if (b && !is_over(s))
		s->show(s->ctx, b, n, name, &w);
	free(name);
	free(b);
}

static void run_scout(void *arg)
{
	struct scout *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->over) {
		struct tracetable_window want = s->want;

		if (!s->wanted) {
			pthread_cond_wait(&s->news, &s->lock);
			continue;
		}
		s->wanted = false;
		pthread_mutex_unlock(&s->lock);
		answer(s, &want);
		pthread_mutex_lock(&s->lock);
	}
	pthread_mutex_unlock(&s->lock);
}

void scout_want(struct scout *s, int64_t t0, int64_t t1)
{
	t0 = t0 > 0 ? t0 : 0;
	if (t1 <= t0)
		return;
	pthread_mutex_lock(&s->lock);
	s->want = (struct tracetable_window){ (uint64_t)t0, (uint64_t)t1, WINDOW, false };
	s->wanted = true;
	if (!s->runs && !s->over)
		s->runs = !worker_start(&s->worker, run_scout, s);
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->lock);
}

void scout_end(struct scout *s)
{
	bool runs;

	pthread_mutex_lock(&s->lock);
	s->over = true;
	runs = s->runs;
	s->runs = false;
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->lock);
	if (runs)
		worker_join(&s->worker);
	free(s->name);
	s->name = NULL;
}
