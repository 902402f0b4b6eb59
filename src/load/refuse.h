/* What a file that is not opened seems to be, and what to give instead: always an error, whose text is for the user.
 * Pure; any thread. */
#ifndef LOAD_REFUSE_H
#define LOAD_REFUSE_H

#include "base/err.h"
#include "model/dump.h"

/* Says it about a file of a kind that is not opened, by its name and its first bytes, unpacked; returns -1. */
int refuse_file(enum file_kind, const char *name, const uint8_t *head, size_t n, struct err *);

#endif
