#include "config.h"

#include "live/local.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

#define GOOGLE 0x1ae0
#define OWNERS_MAX 4096

/* The device on the PCI bus, and the subsystem where that tells kinds apart. */
static const struct {
	long device, subsystem;
	const char *type;
	double gib;
	int per_chip;
} kinds[] = {
	{ 0x0027, 0x004e, "TPU v2", 8, 2 },
	{ 0x0027, 0x004f, "TPU v3", 16, 2 },
	{ 0x005e, 0, "TPU v4", 32, 1 },
	{ 0x0063, 0, "TPU v5e", 16, 1 },
	{ 0x0062, 0, "TPU v5p", 95, 1 },
	{ 0x006f, 0, "TPU v6e", 32, 1 },
	{ 0x0076, 0, "TPU7x", 192, 2 },
};
#define NKINDS (sizeof kinds / sizeof *kinds)

static size_t read_text(int dir, const char *path, char *buf, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0 ? (size_t)n : 0;
}

static long read_number(int dir, const char *name, const char *file)
{
	char path[300], text[32];

	snprintf(path, sizeof path, "%s/%s", name, file);
	return read_text(dir, path, text, sizeof text) ? strtol(text, NULL, 16) : -1;
}

static size_t kind_of(int dir, const char *name)
{
	long device = read_number(dir, name, "device"), subsystem = -1;

	for (size_t i = 0; i < NKINDS; i++) {
		if (kinds[i].device != device)
			continue;
		if (kinds[i].subsystem && subsystem < 0)
			subsystem = read_number(dir, name, "subsystem_device");
		if (!kinds[i].subsystem || kinds[i].subsystem == subsystem)
			return i;
	}
	return NKINDS;
}

static void read_bus(struct local_chips *l, const char *root)
{
	size_t first = NKINDS;
	char path[PATH_MAX];
	DIR *d;

	snprintf(path, sizeof path, "%s/sys/bus/pci/devices", root);
	d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));) {
		size_t kind;

		if (*e->d_name == '.' || read_number(dirfd(d), e->d_name, "vendor") != GOOGLE ||
		    (kind = kind_of(dirfd(d), e->d_name)) == NKINDS)
			continue;
		if (!l->n++) {
			first = kind;
			snprintf(l->type, sizeof l->type, "%s", kinds[kind].type);
			l->hbm = kinds[kind].gib * GIB;
			l->per_chip = kinds[kind].per_chip;
		} else if (kind != first) {
			*l->type = 0;
			l->hbm = NAN;
		}
	}
	if (d)
		closedir(d);
}

/* The number of a chip's device: /dev/accel3, /dev/vfio/3; -1: another file. */
static int device_number(const char *path)
{
	static const char *const names[] = { "/dev/accel", "/dev/vfio/" };

	for (size_t i = 0; i < 2; i++) {
		const char *digits = path + strlen(names[i]);

		if (!strncmp(path, names[i], strlen(names[i])) && isdigit((unsigned char)*digits) &&
		    strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 6)
			return atoi(digits);
	}
	return -1;
}

static bool is_known(const struct local_chips *l, int pid, int number)
{
	for (size_t i = l->nowners; i-- > 0 && l->owner[i].pid == pid;)
		if (l->owner[i].number == number)
			return true;
	return false;
}

static void add_owner(struct local_chips *l, size_t *cap, int process, int pid, const char *device)
{
	struct local_owner o = { .pid = pid, .number = device_number(device) };
	char name[32];

	if (o.number < 0 || l->nowners >= OWNERS_MAX || is_known(l, pid, o.number))
		return;
	snprintf(o.device, sizeof o.device, "%.*s", (int)sizeof o.device - 1, device);
	read_text(process, "comm", name, sizeof name);
	utf8_clean(o.name, sizeof o.name, name, strcspn(name, "\n"), false);
	VEC_ADD(l->owner, l->nowners, *cap, o);
}

static void read_process(struct local_chips *l, size_t *cap, int proc, const char *pid)
{
	int process = openat(proc, pid, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;
	char target[80];
	ssize_t n;
	DIR *d;

	if (process < 0)
		return;
	fd = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd >= 0 ? fdopendir(fd) : NULL;
	l->hidden = l->hidden || !d;
	for (struct dirent *e; d && (e = readdir(d));) {
		n = readlinkat(dirfd(d), e->d_name, target, sizeof target - 1);
		target[n > 0 ? n : 0] = 0;
		add_owner(l, cap, process, atoi(pid), target);
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	close(process);
}

VEC_ORDER(by_number, struct local_owner, UP(number) UP(pid));

static void read_owners(struct local_chips *l, const char *root)
{
	char path[PATH_MAX];
	size_t cap = 0;
	DIR *d;

	snprintf(path, sizeof path, "%s/proc", root);
	d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d));)
		if (isdigit((unsigned char)*e->d_name))
			read_process(l, &cap, dirfd(d), e->d_name);
	if (d)
		closedir(d);
	VEC_SORT(l->owner, l->nowners, by_number);
}

void local_read(struct local_chips *l, const char *root)
{
	*l = (struct local_chips){ .hbm = NAN, .per_chip = 1 };
	read_bus(l, root);
	read_owners(l, root);
}

void local_free(struct local_chips *l)
{
	free(l->owner);
	*l = (struct local_chips){ 0 };
}

bool local_owner_of(const struct local_chips *l, int number, char *buf, size_t size)
{
	*buf = 0;
	for (size_t i = 0; i < l->nowners; i++) {
		size_t n = strlen(buf);

		if (l->owner[i].number == number)
			snprintf(buf + n, size - n, "%s%s %d", n ? ", " : "", l->owner[i].name,
			    l->owner[i].pid);
	}
	return *buf;
}
