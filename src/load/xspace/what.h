/* Which chips and programs an XSpace is of, without reading its events: whether two files may be of one job.  What is
 * damaged says nothing.  Pure; pages of events are not touched. */
#ifndef LOAD_XSPACE_WHAT_H
#define LOAD_XSPACE_WHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WHAT_PROGRAMS = 64 };

struct xwhat {
	char chip[64];                   /* device_type_string of its TPUs; "" = not stated */
	uint64_t program[WHAT_PROGRAMS]; /* fingerprints of modules */
	size_t nprograms;
};

void xspace_what(const uint8_t *b, size_t n, struct xwhat *);
/* They state different chips, or programs of which none is the same. */
bool xwhat_differs(const struct xwhat *, const struct xwhat *);

#endif
