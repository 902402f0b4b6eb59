/* The members of a tar archive (ustar, with the long names of GNU and POSIX tar), in memory, unpacked: regular files
 * in the order of the archive.  Nothing is written anywhere, and names are only shown, so they may be anything.  A
 * member that the archive ends in is cut off; what comes after a damaged head is not read.  Pure. */
#ifndef LOAD_SOURCE_ARCHIVE_H
#define LOAD_SOURCE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARCHIVE_NAME 1024 /* bytes of a name that are kept, with the end */

struct archive {
	const uint8_t *bytes;
	size_t n, at;
	bool damaged; /* a head is no head, or a member is cut off */
	uint64_t where;
};

struct archive_member {
	char name[ARCHIVE_NAME];
	const uint8_t *bytes;
	size_t n;
	bool cut;
};

bool archive_is(const uint8_t *head, size_t n); /* its first bytes, unpacked */
bool archive_next(struct archive *, struct archive_member *);

#endif
