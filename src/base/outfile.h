/* The one place that opens files for writing: a file without a name until it is complete, fsync, rename; an
 * existing file is only replaced with `force`.  A program that is killed leaves nothing behind, except where
 * the file system has no files without names: there it is one beside the target, NAME.PID-0.tmp.
 * "-" is standard output.  Errors are filled in with what and why. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* callers write to f, the rest is its own */
struct outfile {
	FILE *f;
	char *path, *temp;
	bool force, unnamed;
};

int outfile_open(struct outfile *, const char *path, bool force, struct err *);
/* keep false: the temporary file is removed */
int outfile_close(struct outfile *, bool keep, struct err *);

#endif
