#include "config.h"

#include "model/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define TEXT_MAX 1024

struct problems *problems_new(void)
{
	struct problems *p = xcalloc(1, sizeof *p);

	pthread_mutex_init(&p->lock, NULL);
	return p;
}

void problems_free(struct problems *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i].text);
	free(p->v);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static struct problem *find_problem(struct problems *p, enum problem_level level, int file, const char *text)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].file == file && p->v[i].level == level && !strcmp(p->v[i].text, text))
			return &p->v[i];
	return NULL;
}

/* Room for one of that level.  When there is no more, the last of the least level gives way to one that says more, so
 * that damage is never hidden by notes.  NULL: it is only counted. */
static struct problem *room_for(struct problems *p, enum problem_level level)
{
	struct problem *least = NULL;

	if (p->n < PROBLEM_MAX) {
		VEC_PUSH(p->v, p->n, p->cap);
		return &p->v[p->n++];
	}
	for (size_t i = p->n; i-- > 0;)
		if (p->v[i].level < (least ? least->level : level))
			least = &p->v[i];
	p->lost += (least ? least->level : level) != PROBLEM_NOTE;
	if (least)
		free(least->text);
	return least;
}

void problem_add(struct problems *p, enum problem_level level, int file, uint64_t at, uint64_t count,
    const char *fmt, ...)
{
	char text[TEXT_MAX];
	struct problem *old, *new;
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(text, sizeof text, fmt, ap) < 0)
		text[0] = '\0';
	va_end(ap);
	pthread_mutex_lock(&p->lock);
	old = find_problem(p, level, file, text);
	if (old) {
		old->count += count;
		if (at < old->at)
			old->at = at;
	} else if ((new = room_for(p, level))) {
		*new = (struct problem){
			.level = level,
			.file = file,
			.at = at,
			.count = count,
			.text = xstrdup(text),
		};
	}
	pthread_mutex_unlock(&p->lock);
}

uint64_t problems_count(const struct problems *p, int file)
{
	uint64_t n = file < 0 ? p->lost : 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].level != PROBLEM_NOTE && (file < 0 || p->v[i].file == file))
			n += p->v[i].count;
	return n;
}
