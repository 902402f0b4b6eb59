/* Which file systems are not local disks.  There a mapped page can fail at any moment, so files are read instead; and
 * nobody tells of changes that were made elsewhere.  Any thread. */
#ifndef LOAD_SOURCE_MOUNT_H
#define LOAD_SOURCE_MOUNT_H

#include <stdbool.h>

bool mount_is_remote(int fd);
bool mount_is_kernel(int fd);         /* /proc, /sys: nothing in it is a file */
bool mount_is_fuse(const char *path); /* gcsfuse, s3fs, sshfs and the like */

#endif
