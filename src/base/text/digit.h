/* Decimal digits of ASCII, whatever the locale says and for any char, which isdigit() is not made for.  Pure. */
#ifndef BASE_TEXT_DIGIT_H
#define BASE_TEXT_DIGIT_H

#include <stdbool.h>

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

#endif
