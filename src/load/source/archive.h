/* The members of an archive in memory, in its order: regular files of a tar archive, unpacked (ustar, with the long
 * names of GNU and POSIX tar), or of a zip archive, stored or deflated.  Nothing is written anywhere, and names are
 * only shown, so they may be anything.  A member that the archive ends in is cut off; what comes after a damaged head
 * of a tar archive is not read, in a zip archive the next head is looked for.  Members of a zip archive that are
 * encrypted, or packed in another way, are counted and left out; all together they unpack to no more than what a
 * packed file may (decoder.h).  No state but the struct. */
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
	uint64_t unpacked; /* bytes of members until now */
	size_t left_out;
	bool trap; /* it unpacks to too much, and ends here */
};

struct archive_member {
	char name[ARCHIVE_NAME];
	const uint8_t *bytes;
	size_t n;
	bool cut; /* or damaged */
	bool own; /* the bytes were allocated for it, and belong to the caller */
};

bool archive_is(const uint8_t *head, size_t n); /* its first bytes, unpacked */
bool archive_next(struct archive *, struct archive_member *);

/* Likewise for zip archives. */
bool zip_is(const uint8_t *head, size_t n);
bool zip_next(struct archive *, struct archive_member *);

#endif
