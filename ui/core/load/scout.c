#include "config.h"
#include "core/load/scout.h"

#include <stdlib.h>

#include "base/mem.h"

enum { LEVELS = 150000 /* events of levels over the whole run */, WINDOW = 300000 /* more in the window */ };

void scout_table(struct scout *s, const char *name, const uint8_t *bytes, size_t n)
{
	pthread_mutex_lock(&s->using);
	free(s->name);
	s->name = xstrdup(name);
	s->table = bytes;
	s->n = n;
	pthread_mutex_unlock(&s->using);
}

void scout_gone(struct scout *s)
{
	pthread_mutex_lock(&s->using);
	s->table = NULL;
	pthread_mutex_unlock(&s->using);
}

/* First with as much on either side, so that a pan does not have to wait, if there is room for all of it. */
static void show_window(void *ctx, const void *question)
{
	struct scout *s = ctx;
	const struct tracetable_window *want = question;
	uint64_t span = want->t1 - want->t0;
	struct tracetable_window w = { want->t0 > span ? want->t0 - span : 0, want->t1 + span, WINDOW,
		false };
	uint8_t *b;
	char *name;
	size_t n;

	pthread_mutex_lock(&s->using);
	name = s->name ? xstrdup(s->name) : NULL; /* another table may come while this one is shown */
	b = s->table ? tracetable_coarse(s->table, s->n, LEVELS, &w, &n) : NULL;
	if (b && !w.all && !asked_over(&s->asked)) {
		free(b);
		w = *want;
		b = tracetable_coarse(s->table, s->n, LEVELS, &w, &n);
	}
	pthread_mutex_unlock(&s->using);
	if (b && !asked_over(&s->asked))
		s->show(s->ctx, b, n, name, &w);
	free(name);
	free(b);
}

void scout_want(struct scout *s, int64_t t0, int64_t t1)
{
	t0 = t0 > 0 ? t0 : 0;
	if (t1 <= t0)
		return;
	asked_ask(&s->asked, show_window, s,
	    &(struct tracetable_window){ (uint64_t)t0, (uint64_t)t1, WINDOW, false },
	    sizeof(struct tracetable_window));
}

void scout_end(struct scout *s)
{
	asked_end(&s->asked);
	free(s->name);
	s->name = NULL;
}
