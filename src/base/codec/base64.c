#include "config.h"
#include "base/codec/base64.h"

#include "base/mem.h"

char *base64_encode(const void *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *b = bytes;
	size_t groups = n / 3 + (n % 3 != 0);
	char *text, *out;

	out = text = xmalloc(groups * 4 + 1);
	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		unsigned v =
		    (unsigned)b[i] << 16 | (left > 1 ? b[i + 1] : 0u) << 8 | (left > 2 ? b[i + 2] : 0u);

		*out++ = digits[v >> 18];
		*out++ = digits[v >> 12 & 63];
		*out++ = left > 1 ? digits[v >> 6 & 63] : '=';
		*out++ = left > 2 ? digits[v & 63] : '=';
	}
	*out = 0;
	return text;
}
