/* What the files of this room share. */
#ifndef VIEW_TIMELINE_STEPS_INTERNAL_H
#define VIEW_TIMELINE_STEPS_INTERNAL_H

#include "view/timeline/steps/lineup.h"
#include "view/timeline/steps/table.h"

bool step_table_falls(const struct step_table *);                 /* the largest first */
int64_t step_table_value(const struct step_row *, enum step_key); /* a number, ps; -1: not known */

char *lineup_time(char *buf, size_t size, int64_t ps, bool ascii); /* "+46.250 ns" */

#endif
