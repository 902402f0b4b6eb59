/* Where files can be written, and how those are deleted in whose place a link may stand by now.  Any thread; stat() of
 * a path on a slow mount may take long. */
#ifndef BASE_FILE_DISK_H
#define BASE_FILE_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

char *disk_existing(const char *path);  /* the longest part of the path that exists; the caller frees */
bool disk_writable(const char *folder); /* or could be made */
/* Bytes that are free where the folder is or would be; UINT64_MAX: not known. */
uint64_t disk_room(const char *folder);

/* None of these follows a link at the last part of a name, so that nothing behind it is written or deleted.  `at` is
 * an open folder or AT_FDCWD. */
int disk_folder_open(int at, const char *name); /* a descriptor; -1 with errno, for a link, too */
/* A new, empty file in an open folder, instead of whatever had the name; NULL with errno. */
FILE *disk_file_new(int folder, const char *name);
/* Deletes the files of a folder and then the folder, which stays if it has folders of its own. */
void disk_folder_remove(int at, const char *name);

#endif
