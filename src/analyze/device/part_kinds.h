/* In a converted trace, ops of one name are one kind of event, whatever their programs mean by it: fusion.1 of
 * one is a convolution, that of the next one a loop.  kinds_part() gives those whose hlo_category is another
 * than that of their kind a kind of their own, so that all that goes by kinds (colors, totals, searches) tells
 * them apart.  It looks at planes that ran several programs, reads the args of few of their
 * ops, and works before classify(); after it does nothing more.  Owner thread of the dump. */
#ifndef ANALYZE_DEVICE_PART_KINDS_H
#define ANALYZE_DEVICE_PART_KINDS_H

#include "model/dump.h"

void kinds_part(struct dump *);

#endif
