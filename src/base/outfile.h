/* The one place that opens files for writing: a temporary name beside the target, fsync, rename; an existing
 * file is only replaced with `force`.  "-" is standard output.  Errors are filled in with what and why. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

struct outfile { FILE *f; char *path, *temp; bool force; };	/* callers write to f, the rest is its own */

int outfile_open(struct outfile *, const char *path, bool force, struct err *);
/* keep false: the temporary file is removed */
int outfile_close(struct outfile *, bool keep, struct err *);

#endif
