#include "config.h"

#include "load/source/mount.h"

#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/vfs.h>

#define FUSE 0x65735546

static uint32_t kind_of(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) ? 0 : (uint32_t)fs.f_type;
}

bool mount_is_remote(int fd)
{
	static const uint32_t magic[] = {
		FUSE,
		0x6969 /* NFS */,
		0x517b /* SMB */,
		0xff534d42 /* CIFS */,
		0xfe534d42 /* SMB2 */,
		0x01021997 /* 9P */,
		0x5346414f /* AFS */,
		0x00c36400 /* Ceph */,
		0x0bd00bd0 /* Lustre */,
		0x47504653 /* GPFS */,
	};
	uint32_t kind = kind_of(fd);

	for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
		if (kind == magic[i])
			return true;
	return false;
}

bool mount_is_kernel(int fd)
{
	uint32_t kind = kind_of(fd);

	return kind == 0x9fa0 /* proc */ || kind == 0x62656572 /* sysfs */;
}

bool mount_is_fuse(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool fuse = fd >= 0 && kind_of(fd) == FUSE;

	if (fd >= 0)
		close(fd);
	return fuse;
}
