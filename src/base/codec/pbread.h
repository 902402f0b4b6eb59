/* Protobuf messages of files, read into an arena: nothing is freed one by one, all goes with the arena.  The
 * bytes are checked before protobuf-c sees them: a damaged byte is named, nesting is bounded (PB_DEPTH), and
 * so is the memory that a message may take beside its own size. pb_read_json() makes the same messages from
 * proto3 JSON: camelCase or snake_case names, 64-bit numbers and special doubles as strings, enums by
 * name, maps as objects (a repeated message of `key` and `value`); members that the message does not have
 * are passed over.  NULL with err. */
#ifndef BASE_CODEC_PBREAD_H
#define BASE_CODEC_PBREAD_H

#include <protobuf-c/protobuf-c.h>

#include "base/codec/json.h"

#define PB_DEPTH 48

void *pb_read(const ProtobufCMessageDescriptor *, struct arena *, const void *, size_t, struct err *);
/* As pb_read(), but without what the message does not know and without bytes longer than `longest`, and what
 * is not damaged is kept: `damaged` says what is wrong first (status 0: nothing).  For messages of which
 * little is needed. */
void *pb_read_lean(const ProtobufCMessageDescriptor *, struct arena *, const void *, size_t, size_t longest,
    struct err *damaged, struct err *);
void *pb_read_json(const ProtobufCMessageDescriptor *, struct arena *, const struct json *, struct err *);

#endif
