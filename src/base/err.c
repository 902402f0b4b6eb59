#include "config.h"

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A message that is cut by the size of msg[] must not end inside a character. */
static void trim_partial_character(char *s, size_t len)
{
	size_t lead = len, size;
	unsigned char c;

	while (lead && ((unsigned char)s[lead - 1] & 0xc0) == 0x80)
		lead--;
	if (!lead--)
		return;
	c = (unsigned char)s[lead];
	size = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
	if (len - lead < size)
		s[lead] = '\0';
}

int err_set(struct err *err, int status, uint64_t at, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!err)
		return -1;
	err->status = status;
	err->at = at;
	va_start(ap, fmt);
	n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
	va_end(ap);
	if (n < 0)
		err->msg[0] = '\0';
	else if ((size_t)n >= sizeof err->msg)
		trim_partial_character(err->msg, sizeof err->msg - 1);
	return -1;
}
