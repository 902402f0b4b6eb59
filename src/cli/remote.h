/* What the commands that talk to running jobs share: the servers that were named, looked up and allowed, and the
 * signals that end them.  remote_end() frees.  Main thread. */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include "cli/options.h"
#include "remote/address.h"

struct remote {
	struct address *address;
	struct endpoint *to;
	size_t n;
};

/* Looks up the servers in a list.  One that is not on this machine needs --allow-remote, or somebody at the terminal
 * who agrees.  Warns on stderr of what may not be what was meant. */
int remote_begin(struct remote *, const struct options *, const char *list, struct err *);
void remote_end(struct remote *);

/* Between the two, Ctrl-C and the like are counted rather than obeyed; system calls return early. */
void interrupts_count(void);
void interrupts_obey(void);
int interrupts(void); /* Ctrl-C so far; a signal that wants the program to end counts as many */

#endif
