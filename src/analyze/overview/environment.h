/* Where and with what a capture was made: the stats of its plane "Task Environment" (jax_version,
 * libtpu_version, profile_start_time and so on), then what is known of the devices.  The columns are name and
 * value, both text; what differs between hosts has a row per host.  The caller frees (table_free).  Only
 * reads. */
#ifndef ANALYZE_OVERVIEW_ENVIRONMENT_H
#define ANALYZE_OVERVIEW_ENVIRONMENT_H

#include "analyze/ops/opdb.h"
#include "result/table.h"

extern const struct schema environment_schema;

enum {
#define COLUMN(id, ...) ENVIRONMENT_##id,
#include "analyze/overview/environment.def"
#undef COLUMN
};

void environment_init(struct table *);                                     /* a table without rows */
void environment_add(struct table *, const char *name, const char *value); /* both texts are copied */
/* Formats a time in ns since 1970, which is all digits; false: the value is something else, as in its file. */
bool environment_date(struct slice value, char *buf, size_t size);
void environment_build(const struct dump *, const struct opdb *, const char *host, struct table *);

#endif
