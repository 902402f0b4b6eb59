/* Where files can be written.  Any thread; stat() of a path on a slow mount may take long. */
#ifndef BASE_DISK_H
#define BASE_DISK_H

#include <stdint.h>

char *disk_existing(const char *path); /* the longest part of the path that exists; the caller frees */
/* Bytes that are free where the folder is or would be; UINT64_MAX: not known. */
uint64_t disk_room(const char *folder);

#endif
