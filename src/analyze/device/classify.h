/* What kind of work an event is: matmul/convolution, other compute, copy, collective, infeed/outfeed, host
 * work, wait, other (containers, steps, modules).  Rules are the table data/classes.tsv (category or name
 * pattern → class), first match wins; hlo_category decides before the name, and the plane's kind (host or
 * device) says what an unknown name is.  classify() fills trace.meta_class for all metas that have none
 * yet. Once per distinct kind of event, never per event. */
#ifndef ANALYZE_DEVICE_CLASSIFY_H
#define ANALYZE_DEVICE_CLASSIFY_H

#include "model/dump.h"

void classify(struct dump *);
extern const char *const class_label[CLASS_COUNT]; /* "matmul/conv", "copy, DMA wait", … */
extern const char class_letter[CLASS_COUNT];       /* M V C X I H w o, for mono screens */

#endif
