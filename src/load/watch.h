/* What happened to the files of a dump since they were opened.  Files that shrank, or were written to, show wrong
 * bytes where they are still mapped; those that were replaced or deleted stay as they were.  load_watch() adds each
 * change once to dump.problems, and marks what shrank as partial.  So it does when the machine refused memory since the dump was
 * made: what was made without is incomplete.  For the owner of the dump, while nobody else reads
 * it. */
#ifndef LOAD_WATCH_H
#define LOAD_WATCH_H

#include "model/dump.h"

/* Returns the number of news, and names the worst in `text`.  ask: asks the file system, else only bytes
 * that were missed when they were read count. */
size_t load_watch(struct dump *, bool ask, char *text, size_t size);

/* Did a run come into the logdir that the dump does not know, with a capture in it?  The newest one's name.  seen: when
 * the folder had changed the last time, 0 at first; a run is told once.  Mounts that are not local are not asked, because
 * that may take long. */
bool load_new_run(const struct dump *, int64_t *seen, char *name, size_t size);

#endif
