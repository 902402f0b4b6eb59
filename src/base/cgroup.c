#include "config.h"

#include "base/cgroup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_ROOM 4096

/* Returns the number in a file; UINT64_MAX: there is no such file, or it says "max". */
static uint64_t limit_in(const char *mount, const char *group, const char *file)
{
	char path[2 * PATH_ROOM], line[64], *end = line;
	uint64_t limit = UINT64_MAX;
	FILE *f;

	snprintf(path, sizeof path, "%s%s/%s", mount, group, file);
	f = fopen(path, "re");
	if (f && fgets(line, sizeof line, f))
		limit = strtoull(line, &end, 10);
	if (f)
		fclose(f);
	return end > line ? limit : UINT64_MAX;
}

/* A group has no more than those around it.  In a container the path may be that of the machine outside, and what is
 * mounted its own group: the walk ends there. */
static uint64_t smallest(const char *mount, char *group, const char *file)
{
	uint64_t least = UINT64_MAX;
	char *slash;

	for (;;) {
		uint64_t limit = limit_in(mount, group, file);

		least = limit < least ? limit : least;
		if (!(slash = strrchr(group, '/')))
			return least;
		*slash = 0;
	}
}

uint64_t cgroup_memory(const char *list, const char *mount)
{
	FILE *f = fopen(list, "re");
	char line[PATH_ROOM], v1[PATH_ROOM];
	uint64_t least = UINT64_MAX;

	snprintf(v1, sizeof v1, "%s/memory", mount);
	while (f && fgets(line, sizeof line, f)) {
		char *kinds = strchr(line, ':'), *group = kinds ? strchr(kinds + 1, ':') : NULL;
		uint64_t limit = UINT64_MAX;

		line[strcspn(line, "\n")] = 0;
		if (!group)
			continue;
		*group++ = 0;
		if (!kinds[1])
			limit = smallest(mount, group, "memory.max");
		else if (!strcmp(kinds + 1, "memory"))
			limit = smallest(v1, group, "memory.limit_in_bytes");
		least = limit < least ? limit : least;
	}
	if (f)
		fclose(f);
	return least;
}
