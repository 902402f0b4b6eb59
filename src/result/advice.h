/* Tables of recommendations, for the overview and the input pipeline: id, severity, title, evidence, advice.
 * Texts are copied; the caller frees the table (table_free). */
#ifndef RESULT_ADVICE_H
#define RESULT_ADVICE_H

#include "result/table.h"

extern const struct schema advice_schema;
enum {
#define COLUMN(id, ...) ADVICE_##id,
#include "result/advice.def"
#undef COLUMN
};
void advice_init(struct table *);
void advice_add(struct table *, const char *id, const char *severity, const char *title, const char *evidence,
    const char *advice);

#endif
