/* Files compiled into the program (EMBED_FILES in data/data.am), found by file name ("chips.tsv").  They are
 * constants: nothing to free, any thread may read.  The bytes are not NUL-terminated. */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded {
	const char *name;
	const unsigned char *bytes;
	size_t size;
};

extern const struct embedded embedded_files[];          /* ends with a NULL name */
const struct embedded *embedded_find(const char *name); /* NULL: no such file */

#endif
