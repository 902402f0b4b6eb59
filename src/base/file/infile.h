/* Small files of the user: settings, tables of rules, saved positions.  Opening never waits for a pipe that nothing
 * writes to.  The caller closes.  Any thread. */
#ifndef BASE_FILE_INFILE_H
#define BASE_FILE_INFILE_H

#include <stdio.h>

FILE *infile_open(const char *path); /* NULL with errno; ENODATA: a pipe or device that says nothing */

#endif
