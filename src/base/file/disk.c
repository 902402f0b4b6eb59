#include "config.h"

#include "base/file/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

bool disk_writable(const char *folder)
{
	char *part = disk_existing(folder);
	bool can = !access(part, W_OK | X_OK);

	free(part);
	return can;
}

uint64_t disk_room(const char *folder)
{
	char *part = disk_existing(folder);
	struct statvfs v;
	bool known = !statvfs(part, &v);

	free(part);
	return known ? (uint64_t)v.f_bavail * v.f_frsize : UINT64_MAX;
}

/* --- without following links --- */

int disk_folder_open(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

FILE *disk_file_new(int folder, const char *name)
{
	int fd;
	FILE *f;

	unlinkat(folder, name, 0);
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	f = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!f && fd >= 0)
		close(fd);
	return f;
}

void disk_folder_remove(int at, const char *name)
{
	int fd = disk_folder_open(at, name);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	for (struct dirent *e; d && (e = readdir(d));)
		unlinkat(fd, e->d_name, 0);
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	unlinkat(at, name, AT_REMOVEDIR);
}
