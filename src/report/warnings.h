/* Warnings about how far the numbers of a report can be trusted.  Write them before the first
 * summary or table. */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "report/write/writer.h"

struct hlo_module;
struct memory;
struct opdb;
struct steps;
struct toolfile;

/* once for the same text, however often it is reported */
void report_damage(const struct dump *, int file, uint64_t at, const char *text);
void report_dump_warnings(struct report *, const struct dump *);
/* the same for numbers from such a file; `more`: how many other files there are */
void report_tool_warnings(struct report *, const struct dump *, const struct toolfile *, size_t more);
/* the same with the files of that kind counted; NULL: the numbers are the capture's */
void report_file_warnings(struct report *, const struct dump *, const struct toolfile *, const char *host);
void report_steps_warnings(struct report *, const struct steps *);
/* where no line of a core could be cut: why */
void report_pieces_warnings(struct report *, const struct dump *, size_t cores);
/* warns if the two clocks of device events differ */
void report_clock_warnings(struct report *, const struct dump *);
/* --module: of several modules of that name, which one is shown */
void report_module_warning(struct report *, const struct dump *, const char *asked,
    const struct hlo_module *);
/* about the memory of a module (NULL: none was chosen) in a space */
void report_memory_warnings(struct report *, const struct dump *, const struct hlo_module *,
    const struct memory *, int space);
/* about ops, and about the dump */
void report_op_warnings(struct report *, const struct dump *, const struct opdb *);
void report_custom_warning(struct report *,
    double percent); /* percent of the op time: tables_custom_calls() */

#endif
