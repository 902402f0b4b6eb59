#include "config.h"

#include "load/tf/records.h"

#include <endian.h>
#include <string.h>

#include "base/codec/crc32c.h"
#include "base/codec/wire.h"

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

static void note_damage(struct tf_records *r, const char *why)
{
	if (r->damage)
		return;
	r->damage = why;
	r->damaged_at = r->at;
}

/* Goes to the next place where a record seems to begin. */
static void skip_to_record(struct tf_records *r)
{
	size_t last = r->n - r->at > DAMAGE_MOST ? r->at + DAMAGE_MOST : r->n;

	do
		r->at++;
	while (r->at + TF_RECORD_HEAD <= last && !tf_record_begins(r->s + r->at, r->n - r->at));
	if (r->at + TF_RECORD_HEAD > last)
		r->at = r->n;
}

/* Whether the next record is whole; goes behind what is not. */
static bool take_record(struct tf_records *r, struct slice *data)
{
	const uint8_t *p = r->s + r->at;
	size_t left = r->n - r->at;
	uint64_t n = left < TF_RECORD_HEAD ? 0 : stored_length(p);

	if (left >= TF_RECORD_HEAD && !tf_record_begins(p, left)) {
		note_damage(r, "the checksum of a record's length is wrong");
		skip_to_record(r);
		return false;
	}
	if (left < TF_RECORD_HEAD + TF_RECORD_TAIL || n > left - TF_RECORD_HEAD - TF_RECORD_TAIL) {
		note_damage(r, "it ends inside a record");
		r->at = r->n;
		return false;
	}
	*data = (struct slice){ (const char *)p + TF_RECORD_HEAD, (size_t)n };
	if (stored_crc(p + TF_RECORD_HEAD + n) == crc32c_mask(crc32c(data->s, data->n))) {
		r->at += TF_RECORD_HEAD + (size_t)n + TF_RECORD_TAIL;
		return true;
	}
	note_damage(r, "the checksum of a record is wrong");
	r->at += TF_RECORD_HEAD + (size_t)n + TF_RECORD_TAIL;
	return r->damaged_too;
}

bool tf_record_next(struct tf_records *r, struct slice *data)
{
	while (r->at < r->n)
		if (take_record(r, data))
			return true;
	return false;
}
