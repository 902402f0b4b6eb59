/* The records of an event file: length, its checksum, data, their checksum (base/codec/crc32c.h).  A record whose data
 * is damaged is left out; behind a damaged length, the next place with a right one is looked for, not
 * beyond DAMAGE_MOST (base/codec/wire.h).  `damage` says what
 * was wrong first and `damaged_at` where.  The data stays where it is.  Pure. */
#ifndef LOAD_TF_RECORDS_H
#define LOAD_TF_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/slice.h"

#define TF_RECORD_HEAD 12 /* length and its checksum */
#define TF_RECORD_TAIL 4  /* the checksum of the data */

struct tf_records {
	const uint8_t *s;
	size_t n, at;       /* at: of the next record */
	const char *damage; /* NULL: none */
	size_t damaged_at;
	bool damaged_too; /* also those whose data is damaged */
};

bool tf_record_next(struct tf_records *, struct slice *data); /* false: the end */
bool tf_record_begins(const uint8_t *, size_t n);             /* a length of which the checksum is right */

#endif
