/* The stats of events as a cell each: those of its kind, then its own, in the order of the file; a name
 * that comes again gets "#2".  JSON (and CSV) get an object, text gets name=value.  Bytes are left out;
 * integers beyond 2^53 become strings of digits, as everywhere.
 * Many events are read in the order in which they lie in their files, for in a packed one each step back
 * unpacks megabytes again. */
#ifndef REPORT_ARGS_H
#define REPORT_ARGS_H

#include "model/dump.h"
#include "result/table.h"

struct args;
struct args *args_new(const struct dump *, bool text);
void args_free(struct args *);

struct args_event {
	const struct track *track;
	size_t i;
};

/* Cells valid until the next call; how many bytes they hold. */
size_t args_read(struct args *, const struct args_event *, size_t n, struct cell *out);

#endif
