#include "config.h"

#include "base/text/digit.h"
#include "base/text/natural.h"

#include <stdbool.h>
#include <string.h>

static size_t digits_end(const char *s, size_t i, size_t len)
{
	while (i < len && is_digit(s[i]))
		i++;
	return i;
}

static size_t skip_zeros(const char *s, size_t i, size_t end)
{
	while (i + 1 < end && s[i] == '0')
		i++;
	return i;
}

int natural_cmp(const char *a, size_t alen, const char *b, size_t blen)
{
	size_t i = 0, j = 0;
	int zeros = 0; /* "7" comes before "07" when nothing else differs */

	while (i < alen && j < blen) {
		if (is_digit(a[i]) && is_digit(b[j])) {
			size_t aend = digits_end(a, i, alen), bend = digits_end(b, j, blen);
			size_t afrom = skip_zeros(a, i, aend), bfrom = skip_zeros(b, j, bend);
			int order;
			if (aend - afrom != bend - bfrom)
				return aend - afrom < bend - bfrom ? -1 : 1;
			order = memcmp(a + afrom, b + bfrom, aend - afrom);
			if (order)
				return order;
			if (!zeros && aend - i != bend - j)
				zeros = aend - i < bend - j ? -1 : 1;
			i = aend;
			j = bend;
		} else {
			if (a[i] != b[j])
				return (unsigned char)a[i] < (unsigned char)b[j] ? -1 : 1;
			i++;
			j++;
		}
	}
	if (i < alen || j < blen)
		return i < alen ? 1 : -1;
	return zeros;
}
