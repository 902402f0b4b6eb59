#include "config.h"

#include "base/checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define VALUE_ROOM 1000

void checks_add(struct checks *c, const char *name, enum check_state state, const char *advice,
    const char *fmt, ...)
{
	char value[VALUE_ROOM];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof value, fmt, ap);
	va_end(ap);
	VEC_ADD(c->v, c->n, c->cap,
	    ((struct check){ name, state, xstrdup(value), advice ? xstrdup(advice) : NULL }));
}

void checks_free(struct checks *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].value);
		free(c->v[i].advice);
	}
	free(c->v);
	*c = (struct checks){ 0 };
}
