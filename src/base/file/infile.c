#include "config.h"
#include "base/file/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIPE_WAIT_MS = 500 };

FILE *infile_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), flags;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && !S_ISREG(st.st_mode) && poll(&p, 1, PIPE_WAIT_MS) <= 0) {
		close(fd);
		errno = ENODATA;
		return NULL;
	}
	flags = fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return fdopen(fd, "r");
}
