/* Shared by the files behind idle.h. */
#ifndef ANALYZE_IDLE_INTERNAL_H
#define ANALYZE_IDLE_INTERNAL_H

#include "analyze/idle/idle.h"

/* launches.c: what hosts did meanwhile */
void idle_find_launches(const struct core_times *, const struct idle_options *, struct idle *);

void idle_add(struct idle_core *sum, const struct idle_core *);
/* digest.c: adds the cores of digests, and their steps */
void idle_of_digests(const struct core_times *, const struct idle_options *, struct idle *);

#endif
