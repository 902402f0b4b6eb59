/* The stats of events, one cell per event: those of its metadata, then its own, in file order; a name that
 * occurs again gets "#2".  JSON and CSV get an object, text gets name=value.  Stats of type bytes are left
 * out; integers beyond 2^53 become strings of digits, as in all reports.
 * Many events are read in the order of their position in the files, because in a compressed file each step
 * back unpacks megabytes again. */
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

/* Fills `out`, valid until the next call, and returns how many bytes the cells hold. */
size_t args_read(struct args *, const struct args_event *, size_t n, struct cell *out);

#endif
