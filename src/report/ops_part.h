/* What the reports on ops share: the database with the options given, its warnings, cells of texts and
 * programs. Strings of cells live as long as the table or the database. */
#ifndef REPORT_OPS_PART_H
#define REPORT_OPS_PART_H

#include "analyze/opdb.h"
#include "report/reports.h"

/* Wrong options of a report with two tables; -1 with err. */
int ops_check(const struct report_options *, const char *tool, const char *table, const char *other, struct err *);
void ops_build(const struct dump *, const struct report_options *, struct opdb *);
void ops_warnings(struct report *, const struct dump *, const struct opdb *);
struct cell ops_text(struct optext);
struct cell ops_program(struct table *, uint64_t program);
struct cell ops_us(double ps);
/* The table; text for people has the columns of `ids` (ends with NULL) only, in that order. */
void ops_table(struct report *, const struct report_options *, const char *name, const struct table *,
    const char *const *ids);

#endif
