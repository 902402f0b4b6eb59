/* The only place that opens files for writing.  A file has no name until it is complete; then it is synced
 * and renamed.  An existing file is replaced only with `force`.  A program that is killed leaves nothing
 * behind, except on file systems without unnamed files, where NAME.PID-0.tmp may remain beside the target.
 * "-" is standard output.  Errors say what failed and why. */
#ifndef BASE_FILE_OUTFILE_H
#define BASE_FILE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

/* Callers write to f, and may read with pread() what they wrote; the other members are private. */
struct outfile {
	FILE *f;
	char *path, *temp;
	bool force, unnamed;
};

int outfile_open(struct outfile *, const char *path, bool force, struct err *);
void outfile_name(struct outfile *, const char *path); /* it will have another name than it was opened for */
int outfile_close(struct outfile *, struct err *);
void outfile_drop(struct outfile *);

#endif
