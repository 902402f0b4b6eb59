/* Source lines that captures name ("/model/train.py:96"), as files of this machine.  The setting source.path maps
 * folders: "A=B,C=D", the first that fits.  Only regular files are read, and only their begin (SOURCE_MOST bytes); a
 * file may be another one than that of the capture, which nothing in it says.  For the thread of the screen. */
#ifndef CORE_SOURCE_H
#define CORE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SOURCE_AROUND = 2, SOURCE_MOST = 4 << 20 };

/* Finds the first FILE:LINE in a text, of a file that has the name of source code; lines that say "source" are searched
 * first.  false: there is none, or it has no room. */
bool source_find(const char *text, char *file, size_t size, int *line);
struct settings;
const char *source_map(const struct settings *); /* the setting; "" = none */
/* Its path here, from the root, whether it exists or not; the caller frees. */
char *source_path(const char *map, const char *file);
/* The line and SOURCE_AROUND lines around it, numbered, each ending with a line break; NULL: no such file or line here.
 * The caller frees. */
char *source_excerpt(const char *map, const char *place);

#endif
