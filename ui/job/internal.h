/* The servers that an overlay asks.  servers_end() frees. */
#ifndef JOB_INTERNAL_H
#define JOB_INTERNAL_H

#include "job/job.h"
#include "remote/address.h"

struct servers {
	struct address *address;
	struct endpoint *to;
	size_t n;
};

/* -1 with err, also for those that are not on this machine. */
int servers_begin(struct servers *, const char *list, struct err *);
void servers_end(struct servers *);

#endif
