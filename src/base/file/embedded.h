/* Files compiled into the program (EMBED_FILES in data/data.am), found by file name ("chips.tsv").  They are
 * constants: nothing to free, any thread may read.  The bytes are not NUL-terminated. */
#ifndef BASE_FILE_EMBEDDED_H
#define BASE_FILE_EMBEDDED_H

#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

struct embedded {
	const char *name;
	const unsigned char *bytes;
	size_t size;
};

extern const struct embedded embedded_files[];          /* ends with a NULL name */
const struct embedded *embedded_find(const char *name); /* NULL: no such file */
/* Reads the user's own file with more rows for a table, once, as it may be a pipe; forgets it with NULL.  To be called
 * before other threads run.  -1 with EXIT_USAGE: there is none now. */
int embedded_set_own(const char *name, const char *path, struct err *);
/* A copy of its text in the arena, and its path; NULL: the user has none. */
char *embedded_own(struct arena *, const char *name, const char **path);
/* The text of a table, terminated, in the arena: of the file of the user at `path`, or of the one compiled in if that
 * is NULL.  Returns NULL with EXIT_USAGE when the file cannot be read or is larger than a table ever is. */
char *embedded_or_file(struct arena *, const char *name, const char *path, struct err *);

#endif
