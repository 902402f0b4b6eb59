/* What the options of a report pick: whether it is there, the order of rows, and what to say when it is not. */
#ifndef REPORT_CHOOSE_H
#define REPORT_CHOOSE_H

#include "report/reports.h"

/* -1: a core or step was asked for that is not there (of pod: see choices_refuse) */
int report_check(const struct dump *, const struct report_options *, struct err *);
int report_order(const struct report_options *, struct table *, struct err *); /* --sort and --top */
/* The same of several tables: of --table, of the first one in CSV, which has no other, else of the one that
 * matters most, or where that one has no such column the first that has.  NULL: a table that is not
 * printed. */
int report_order_tables(const struct report_options *, const char *const *names, struct table *const *,
    size_t n, size_t most, struct err *);

/* What there is to choose from: "0-7, 12, train 1" */
struct choices {
	char text[300];
	size_t n, range; /* range: where "-7" begins */
	long last;
	bool number, cut;
};
void choices_add(struct choices *, const char *name);
/* EXIT_USAGE: "no core 99 — cores are 0-7" */
int choices_refuse(const struct choices *, const char *what, const char *asked, struct err *);

#endif
