/* The answer of a profiler server, read as it streams by: the XSpace in it goes to the sink piece by piece, files of
 * old servers are handed over whole.  Fields that are not known are skipped.  response_end() frees what is held. */
#ifndef REMOTE_PROFILER_RESPONSE_H
#define REMOTE_PROFILER_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/slice.h"

#define TOOL_DATA_MAX (64u << 20) /* of one file of an old server */
#define TOOLS_MAX 256             /* files; old servers have about ten */

struct response {
	void *self;
	bool (*space)(void *self, const uint8_t *, size_t); /* false: no more, please */
	void (*tool)(void *self, struct slice name, struct slice data);
	bool empty_trace, has_space;
	uint64_t at;        /* bytes read */
	const char *damage; /* NULL: none yet */
	/* the field that is being read */
	uint64_t value, left;
	unsigned shift, field, type;
	int part;
	uint8_t *held;
	size_t nheld, ntools;
};

/* false: damaged, or stopped by the sink (damage is NULL then) */
bool response_put(struct response *, const uint8_t *, size_t);
bool response_finish(struct response *); /* false: it ends in the middle of a field */
void response_end(struct response *);

#endif
