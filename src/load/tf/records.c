#include "config.h"

#include "load/tf/records.h"

#include <endian.h>
#include <string.h>

#include "base/codec/crc32c.h"

static uint32_t stored_crc(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return le32toh(v);
}

static uint64_t stored_length(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return le64toh(v);
}

/* Is there a length whose checksum is right? */
bool tf_record_begins(const uint8_t *p, size_t n)
{
	return n >= TF_RECORD_HEAD && stored_crc(p + 8) == crc32c_mask(crc32c(p, 8));
}

static bool stop_damaged(struct tf_records *r, const char *why)
{
	r->damage = why;
	return false;
}

bool tf_record_next(struct tf_records *r, struct slice *data)
{
	const uint8_t *p = r->s + r->at;
	size_t left = r->n - r->at;
	uint64_t n;

	if (!left || r->damage)
		return false;
	if (left < TF_RECORD_HEAD)
		return stop_damaged(r, "it ends inside a record");
	if (!tf_record_begins(p, left))
		return stop_damaged(r, "the checksum of a record's length is wrong");
	n = stored_length(p);
	left -= TF_RECORD_HEAD;
	if (n > left || left - n < TF_RECORD_TAIL)
		return stop_damaged(r, "it ends inside a record");
	*data = (struct slice){ (const char *)p + TF_RECORD_HEAD, (size_t)n };
	if (stored_crc(p + TF_RECORD_HEAD + n) != crc32c_mask(crc32c(data->s, data->n)))
		return stop_damaged(r, "the checksum of a record is wrong");
	r->at += TF_RECORD_HEAD + (size_t)n + TF_RECORD_TAIL;
	return true;
}
