/* What matters for trusting the numbers of a document, among its warnings: of reports and of what the screen
 * writes to files.  To be said before the first summary or table. */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "report/write/writer.h"

struct hlo_module;
struct memory;
struct opdb;
struct steps;
struct toolfile;

void report_dump_warnings(struct report *, const struct dump *);
/* the same, where the numbers are those of such a file; `more`: how many others there are */
void report_tool_warnings(struct report *, const struct dump *, const struct toolfile *, size_t more);
void report_steps_warnings(struct report *, const struct steps *);
/* says so when the file's times of device events and the device's own differ */
void report_clock_warnings(struct report *, struct dump *);
/* of the memory of a module (NULL: none was chosen) in a space */
void report_memory_warnings(struct report *, const struct hlo_module *, const struct memory *, int space);
/* of ops, with those of the dump */
void report_op_warnings(struct report *, const struct dump *, const struct opdb *);
void report_custom_warning(struct report *, double percent); /* of the op time: tables_custom_calls() */

#endif
