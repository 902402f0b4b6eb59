/* The stats of an event as one cell: those of its kind, then its own, in the order of the file; a name
 * that comes again gets "#2".  JSON (and CSV) get an object, text gets name=value.  Bytes are left out;
 * integers beyond 2^53 become strings of digits, as everywhere.  The cell is valid until the next one. */
#ifndef REPORT_ARGS_H
#define REPORT_ARGS_H

#include "analyze/table.h"
#include "model/dump.h"

struct args;
struct args *args_new(const struct dump *, bool text);
void args_free(struct args *);
struct cell args_of(struct args *, const struct track *, size_t i);

#endif
