/* The one message of a body of gRPC: five bytes before it say whether it is packed and how long it is.  It goes to the
 * sink as it arrives, unpacked; one that unpacks to far more than its size is broken.  framing_end() frees what
 * unpacking takes.  One thread. */
#ifndef REMOTE_FRAMING_H
#define REMOTE_FRAMING_H

#include <zlib.h>

#include "remote/grpc.h"

#define FRAMING_HEAD 5

struct framing {
	struct grpc_sink sink;
	uint8_t head[FRAMING_HEAD];
	size_t nhead;
	uint64_t size, left;
	bool unpacking, unpacked; /* the stream is open; it has come to its end */
	uint64_t out;             /* bytes unpacked */
	z_stream z;
};

enum framing_result { FRAMING_OK, FRAMING_STOPPED, FRAMING_BROKEN };
enum framing_result framing_put(struct framing *, const uint8_t *, size_t, const char **why);
bool framing_whole(const struct framing *);
void framing_end(struct framing *);

#endif
