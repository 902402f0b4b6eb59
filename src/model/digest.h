/* What a digest keeps of a capture, said by the analysis (analyze/digest.h) to the writer (load/digest.h): for each device plane the message that stands for its ops, and which kinds of events stay.
 * Places are byte offsets in the inflated file, as in struct plane and struct evmeta.  Parts are sorted by file and place, kinds by place; digest_parts_free() ends both. */
#ifndef MODEL_DIGEST_H
#define MODEL_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_STAT "tpuscope_digest"

struct digest_kind {
	uint64_t at;
	bool texts, events;
}; /* texts: with its HLO text and source; events: its events stay, too */

struct digest_part {
	int file;
	uint64_t at; /* of the XPlane */
	uint8_t *message;
	size_t len;
	struct digest_kind *kind;
	size_t nkinds;
};

void digest_parts_free(struct digest_part *, size_t n);

#endif
