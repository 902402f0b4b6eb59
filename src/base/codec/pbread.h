/* Reads protobuf messages from files into an arena: nothing is freed one by one, everything goes with the
 * arena.  The bytes are checked before protobuf-c sees them: errors name the damaged byte, nesting is limited
 * (PB_DEPTH), and so is the memory that a message may take in relation to its size.  pb_read_json() makes the
 * same messages from proto3 JSON: camelCase or snake_case names, 64-bit numbers and special doubles as
 * strings, enums by name, maps as objects (for a repeated message of `key` and `value`); members that the
 * message does not have are skipped.  Returns NULL with err on failure. */
#ifndef BASE_CODEC_PBREAD_H
#define BASE_CODEC_PBREAD_H

#include <protobuf-c/protobuf-c.h>

#include "base/codec/json.h"

#define PB_DEPTH 48

void *pb_read(const ProtobufCMessageDescriptor *, struct arena *, const void *, size_t, struct err *);
/* Like pb_read(), but drops fields that the message does not know and bytes fields longer than `longest`, and
 * keeps what is not damaged.  *damaged describes the first damage (status 0: none).  For messages of which
 * little is needed. */
void *pb_read_lean(const ProtobufCMessageDescriptor *, struct arena *, const void *, size_t, size_t longest,
    struct err *damaged, struct err *);
void *pb_read_json(const ProtobufCMessageDescriptor *, struct arena *, const struct json *, struct err *);

#endif
