/* The chips of this machine without asking anybody: what the PCI bus has, and which processes have their devices open.
 * The processes of others can be seen by root only.  The caller frees (local_free).  Any thread. */
#ifndef LIVE_LOCAL_H
#define LIVE_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

struct local_owner {
	int pid, number; /* number: of the device, as its name ends */
	char name[32];   /* of the process, printable */
	char device[40]; /* "/dev/accel0", "/dev/vfio/2" */
};

struct local_chips {
	size_t n;
	char type[16];  /* "TPU v5e"; "" = several kinds, or none */
	double hbm;     /* bytes of one chip; NaN */
	int per_chip;   /* devices of a chip */
	bool hidden;    /* there are processes whose files cannot be seen */
	size_t nowners; /* by number, then pid */
	struct local_owner *owner;
};

/* root: the folder that has sys and proc, "" for this machine's. */
void local_read(struct local_chips *, const char *root);
void local_free(struct local_chips *);
/* "python 1234", of the device of that number; false: nobody that can be seen. */
bool local_owner_of(const struct local_chips *, int number, char *buf, size_t size);

#endif
