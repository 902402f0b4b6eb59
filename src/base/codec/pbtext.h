/* Reads the text form of a protobuf message (name: value, name { … }) and writes the wire format, so that
 * whatever reads binary files reads these, too.  Names stand for the numbers that the descriptor gives them;
 * fields that it does not have are skipped.  Nesting is limited (PBTEXT_DEPTH).  At damage it stops: what came
 * before it is kept, as in a binary file that is cut off there, so that the readers of base/codec/wire.h find a
 * message that is `cut`.  The caller frees the bytes.  Any thread. */
#ifndef BASE_CODEC_PBTEXT_H
#define BASE_CODEC_PBTEXT_H

#include <protobuf-c/protobuf-c.h>

#include "base/err.h"

#define PBTEXT_DEPTH 64

/* Returns NULL with err only when memory runs out.  damaged: what is wrong and where; its at is ERR_NOWHERE if
 * nothing is. */
uint8_t *pbtext_read(const ProtobufCMessageDescriptor *, const char *text, size_t len, size_t *n,
    struct err *damaged, struct err *);

#endif
