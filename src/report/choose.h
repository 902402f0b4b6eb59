/* What the options of a report select: checks that it exists, sorts rows, and lists the choices if it does
 * not exist. */
#ifndef REPORT_CHOOSE_H
#define REPORT_CHOOSE_H

#include "report/reports.h"

/* -1 with err: the core or step asked for does not exist (pod uses choices_refuse() instead) */
int report_check(struct capture *, const struct report_options *, struct err *);
int report_order(const struct report_options *, struct table *, struct err *); /* --sort and --top */
/* Applies --sort and --top to one of several tables: to the one that --table names; in CSV to the first, the only one
 * it prints; else to the main table, or the first with that column if the main one lacks it or is not printed.  A NULL
 * table is not printed. */
int report_order_tables(const struct report_options *, const char *tool, struct table *const *, size_t n,
    size_t most, struct err *);
/* does --table name the i-th table of the tool? */
bool report_is_table(const struct report_options *, const char *tool, size_t i);

/* A list of what can be chosen: "0-7, 12, train 1" */
struct choices {
	char text[300];
	size_t n, range; /* range: where "-7" starts */
	long last;
	bool number, cut;
};
void choices_add(struct choices *, const char *name);
/* EXIT_USAGE: "no core 99; cores: 0-7" */
int choices_refuse(const struct choices *, const char *what, const char *asked, struct err *);

#endif
