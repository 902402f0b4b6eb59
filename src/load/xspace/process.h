/* Which host a file is of.  Several files that state one host (hostnames of the XSpace, else the name of the file) are
 * processes of that host, each of which counts its devices from 0: every one becomes a host of the dump, with the name
 * of its file and the machine and rank that it belongs to.  Hosts are added in the order of files, processes of a
 * machine in that of their ranks. */
#ifndef LOAD_XSPACE_PROCESS_H
#define LOAD_XSPACE_PROCESS_H

#include "model/dump.h"

struct xprocess {
	int file; /* index in dump.files */
	struct slice stated;
	/* filled: its host, by the name of the file if none is stated, the first file of that, its rank (-1: none) */
	struct slice machine;
	int first, rank;
	size_t
	    port; /* length of "_8466" behind it in the name of the file: the only process of a host keeps it */
};

/* Sets file.process, unless it is, and file.host of all of them.  Sorts v. */
void process_hosts(struct dump *, struct xprocess *v, size_t n);
/* When all is loaded: numbers the chips of each machine across its processes if they do not say which they own. */
void process_chips(struct dump *);

#endif
