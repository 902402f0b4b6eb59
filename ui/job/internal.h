/* The servers that an overlay asks.  servers_end() frees. */
#ifndef JOB_INTERNAL_H
#define JOB_INTERNAL_H

#include "job/job.h"
#include "remote/address.h"

struct servers {
	struct address *address;
	struct endpoint *to;
	size_t n;
	char warning[160]; /* of what may not be what was meant; "" */
};

/* Reads the list; -1 with err: a wrong one, or a viewer without network. */
int servers_begin(struct servers *, const char *list, struct err *);
/* Finds out where they are, which may wait for a name server: in the thread that will ask them.  -1 with err: a name is
 * not known, or of another machine. */
int servers_look_up(struct servers *, bool allow_remote, struct err *);
void servers_end(struct servers *);

#endif
