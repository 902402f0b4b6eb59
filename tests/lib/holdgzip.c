/* Preloaded by a test: unpacking a gzip file stops after its first part while there is a file called "hold". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#define FIRST_PART 100000 /* bytes, more than is looked at to see what kind of file it is */

int inflate(z_streamp z, int flush)
{
	static int (*unpack)(z_streamp, int);

	while (z->total_out > FIRST_PART && !access("hold", F_OK))
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	if (!unpack)
		unpack = (int (*)(z_streamp, int))dlsym(RTLD_NEXT, "inflate");
	return unpack(z, flush);
}
