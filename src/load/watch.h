/* What happened to the files of a dump since they were opened.  Files that shrank, or were written to, show wrong
 * bytes where they are still mapped; those that were replaced or deleted stay as they were.  load_watch() adds each
 * change once to dump.problems, and marks what shrank as partial.  So it does when the machine refused memory since the
 * dump was made: what was made without is incomplete.  For the owner of the dump, while nobody else reads
 * it. */
#ifndef LOAD_WATCH_H
#define LOAD_WATCH_H

#include "model/dump.h"

/* Returns the number of news, and names the worst in `text`.  ask: asks the file system, else only bytes
 * that were missed when they were read count. */
size_t load_watch(struct dump *, bool ask, char *text, size_t size);

/* The runs that a dump knows, and its logdir; owns its texts. */
struct known_runs {
	char *parent; /* NULL: the dump is of single files */
	char **names;
	size_t n;
	int64_t seen; /* when the folder had changed the last time, 0 at first */
};

void known_runs_of(const struct dump *, struct known_runs *);
void known_runs_free(struct known_runs *);

/* Did a run come into the logdir that is not known, with a capture in it?  The newest one's name; a run is told once.
 * Else `name` is a folder that may get one, or "".  Any thread; a mount that is not local may take long to answer. */
bool load_new_run(struct known_runs *, char *name, size_t size);

/* The captures that a dump knows of the folder that is open; owns its texts. */
struct known_files {
	char *dir;    /* NULL: the dump is of files */
	char **hosts; /* of the captures; sorted */
	size_t n, cap;
	unsigned forms; /* bits: ranks of their forms (load/probe/logdir.h) */
	int64_t seen;   /* as of known_runs */
	/* those that are not known, at the last look: how many, and their bytes; they may still be written */
	size_t coming;
	uint64_t bytes;
};

void known_files_of(const struct dump *, struct known_files *);
void known_files_free(struct known_files *);
/* Did captures come that opening the folder again would open, and do they no longer grow?  Returns how many; `name` is
 * one of them.  They are known from then on.  Any thread, as load_new_run(). */
size_t load_new_files(struct known_files *, char *name, size_t size);

#endif
