/* The files of a dump, found and opened, but not loaded yet: what a path names, what is beside it that belongs to
 * it, and the members of archives.  Each has its kind and its source, which the dump owns.  What cannot be opened is
 * in dump.problems, and the first of it in loading.first, which is the error if nothing else is usable.  One thread. */
#ifndef LOAD_GATHER_H
#define LOAD_GATHER_H

#include "load/load.h"

struct loading {
	struct dump *dump;
	const struct load_options *options;
	struct progress *progress;
	bool several;     /* several paths were given: errors name theirs */
	size_t nempty;    /* empty XSpaces */
	struct err first; /* the first error about an unusable path */
};

void gather_path(struct loading *, const char *path);
void gather_memory(struct loading *, const void *bytes, size_t n, const char *name);
void gather_end(struct loading *);                 /* after all paths: drops files that are there twice */
void gather_drop(struct loading *, struct file *); /* closes a file; the caller takes it out of the list */
/* notes an error about a path; NULL: the message names none */
void gather_failed(struct loading *, const char *path, const struct err *);

#endif
