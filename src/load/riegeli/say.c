#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text/units.h"
#include "load/riegeli/riegeli.h"

static const char *library_of(uint8_t compression)
{
	return compression == 'b'
	    ? "brotli chunks: this build cannot read them (configure said no libbrotlidec)"
	    : "zstd chunks: this build cannot read them (configure said no libzstd)";
}

/* Says how much is lost with a chunk. */
static const char *lost(const struct riegeli_damage *d, char *buf, size_t size)
{
	char bytes[32];

	snprintf(buf, size, "%" PRIu64 " record%s, about %s of XSpace, %s lost", d->records,
	    d->records == 1 ? "" : "s", units_bytes(bytes, sizeof bytes, (double)d->bytes),
	    d->records == 1 ? "is" : "are");
	return buf;
}

static void say_chunk(const struct riegeli_damage *d, char *buf, size_t size)
{
	char what[160];

	lost(d, what, sizeof what);
	switch (d->why) {
	case RIEGELI_TRANSPOSED:
		snprintf(buf, size,
		    "%" PRIu64 " records at byte %" PRIu64
		    " are in transposed Riegeli chunks, which are not read; "
		    "write the file again without \"transpose\"",
		    d->records, d->from);
		break;
	case RIEGELI_UNKNOWN:
		snprintf(buf, size, "unknown chunk type 0x%02x at byte %" PRIu64 ": %s", d->what, d->from,
		    what);
		break;
	case RIEGELI_COMPRESSION:
		snprintf(buf, size, "unknown compression 0x%02x of the chunk at byte %" PRIu64 ": %s",
		    d->what, d->from, what);
		break;
	case RIEGELI_LIBRARY:
		snprintf(buf, size, "%s; at byte %" PRIu64 " %s", library_of(d->what), d->from, what);
		break;
	case RIEGELI_LARGE:
		snprintf(buf, size,
		    "bytes %" PRIu64 "–%" PRIu64
		    " unpack to more than such a file may, or than --memory allows: %s",
		    d->from, d->to, what);
		break;
	case RIEGELI_MEMORY:
		snprintf(buf, size, "not enough memory to unpack bytes %" PRIu64 "–%" PRIu64 ": %s", d->from,
		    d->to, what);
		break;
	default:
		snprintf(buf, size, "records of bytes %" PRIu64 "–%" PRIu64 " are damaged: %s", d->from,
		    d->to, what);
	}
}

const char *riegeli_say(const struct riegeli_damage *d, char *buf, size_t size)
{
	switch (d->why) {
	case RIEGELI_BLOCK:
		snprintf(buf, size, "block header at byte %" PRIu64 " is wrong%s; nothing is lost by that",
		    d->from, d->count > 1 ? ", as others are" : "");
		break;
	case RIEGELI_SIGNATURE:
		snprintf(buf, size,
		    d->bytes
			? "does not begin with the signature of Riegeli records; reading continues at byte "
			  "%" PRIu64
			: "does not begin with the signature of Riegeli records, and none follows in its "
			  "%" PRIu64 " bytes",
		    d->to);
		break;
	case RIEGELI_HEADER:
		snprintf(buf, size,
		    "chunk header at byte %" PRIu64 " is damaged: records are lost up to byte %" PRIu64,
		    d->from, d->to);
		break;
	case RIEGELI_CUT:
		snprintf(buf, size,
		    "cut: %" PRIu64 " of %" PRIu64 " bytes of the last chunk, at byte %" PRIu64, d->bytes,
		    d->records, d->from);
		break;
	default:
		say_chunk(d, buf, size);
	}
	return buf;
}
