/* Shared by the files of this folder. */
#ifndef VIEW_TIMELINE_STEPS_INTERNAL_H
#define VIEW_TIMELINE_STEPS_INTERNAL_H

#include "view/timeline/steps/lineup.h"
#include "view/timeline/steps/table.h"

/* with fewer steps the pane is as high as they need, with title, header, and a line about the chosen step */
enum { PANE_STEPS_MOST = 16, TABLE_FRAME = 2 };

void step_table_fill(struct step_table *); /* makes the table and the sheet of the current rows */

char *lineup_time(char *buf, size_t size, int64_t ps, bool ascii); /* "+46.250 ns" */

#endif
