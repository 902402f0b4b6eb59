/* Tables of recommendations, of the overview and of the input pipeline: id, severity, title, evidence,
 * advice.
 * The texts are copied; the caller frees the table. */
#ifndef RESULT_ADVICE_H
#define RESULT_ADVICE_H

#include "result/table.h"

extern const struct schema advice_schema;
void advice_init(struct table *);
void advice_add(struct table *, const char *id, const char *severity, const char *title, const char *evidence,
    const char *advice);

#endif
