/* Base64 as in RFC 4648, with padding and without line breaks.  The text ends with NUL; the caller frees it.  Any
 * thread. */
#ifndef BASE_CODEC_BASE64_H
#define BASE_CODEC_BASE64_H

#include <stddef.h>

char *base64_encode(const void *, size_t);

#endif
