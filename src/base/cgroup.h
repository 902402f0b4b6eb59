/* What the control groups of this process allow it: the memory of a container or a pod, of which the machine knows
 * nothing.  Pure but for the files that it reads; any thread. */
#ifndef BASE_CGROUP_H
#define BASE_CGROUP_H

#include <stdint.h>

#define CGROUP_LIST "/proc/self/cgroup"
#define CGROUP_MOUNT "/sys/fs/cgroup"

/* The smallest limit in bytes, of the group and those around it, by a list of groups as the kernel prints it (of both
 * versions) and the folder where they are mounted.  UINT64_MAX = none, or nothing is known. */
uint64_t cgroup_memory(const char *list, const char *mount);

#endif
