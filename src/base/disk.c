#include "config.h"

#include "base/disk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/mem.h"

char *disk_existing(const char *path)
{
	char *part = xstrdup(path);
	struct stat st;

	while (*part && stat(part, &st)) {
		char *slash = strrchr(part, '/');

		if (!slash || slash == part) {
			strcpy(part, "/");
			break;
		}
		*slash = 0;
	}
	return part;
}

uint64_t disk_room(const char *folder)
{
	char *part = disk_existing(folder);
	struct statvfs v;
	bool known = !statvfs(part, &v);

	free(part);
	return known ? (uint64_t)v.f_bavail * v.f_frsize : UINT64_MAX;
}
