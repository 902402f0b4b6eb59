/* Classifies events by kind of work: matmul or convolution, other compute, copy, collective, infeed or
 * outfeed, host work, waiting, and other (containers, steps, modules).  The rules are in data/classes.tsv
 * (category or name pattern → class), and the first match wins.  hlo_category is tried before the name; the
 * kind of plane (host or device) decides for unknown names.  classify() fills trace.meta_class for all metas
 * that have none yet.  It works once per kind of event, never per event.  Owner thread of the dump. */
#ifndef ANALYZE_DEVICE_CLASSIFY_H
#define ANALYZE_DEVICE_CLASSIFY_H

#include "model/dump.h"

void classify(struct dump *);
extern const char *const class_label[CLASS_COUNT]; /* "matmul/conv", "copy, DMA wait", … */
extern const char class_letter[CLASS_COUNT];       /* M V C X I H w o, for monochrome screens */

#endif
