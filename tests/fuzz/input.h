/* Inputs of the fuzz targets that begin with lines of text.  Pure. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The next line of the input as a text; false: there is none, or it is too long. */
static inline bool take_line(const uint8_t **p, const uint8_t *end, char *buf, size_t size)
{
	const uint8_t *eol = memchr(*p, '\n', (size_t)(end - *p));
	size_t n = eol ? (size_t)(eol - *p) : 0;

	if (!eol || n >= size || memchr(*p, 0, n))
		return false;
	memcpy(buf, *p, n);
	buf[n] = 0;
	*p = eol + 1;
	return true;
}

#endif
