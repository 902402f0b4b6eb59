/* Classifies events by kind of work (kinds.h); other is what holds others: containers, steps, modules.  The rules are
 * in data/classes.tsv
 * (category or name pattern → class), and the first match wins.  hlo_category is tried before the name; the
 * kind of plane (host or device) decides for unknown names.  classify() fills trace.meta_class for all metas
 * that have none yet.  It works once per kind of event, never per event.  Owner thread of the dump. */
#ifndef ANALYZE_DEVICE_CLASSIFY_H
#define ANALYZE_DEVICE_CLASSIFY_H

#include "model/dump.h"

void classify(struct dump *);
/* Returns the classes, [nmetas], of a dump that may not be changed.  Any thread; the caller frees. */
uint8_t *classes_of(const struct dump *);

#endif
