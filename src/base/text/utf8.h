/* UTF-8, widths, and making bytes from files safe to show.  utf8_next() never reads past the end and returns
 * U+FFFD for broken bytes, one byte at a time.  utf8_safe() maps what must not reach a terminal to visible
 * symbols: C0 to U+2400 and up, DEL to U+2421; C1, bidi controls, zero-width and unassigned characters, and what
 * stands for broken bytes, to U+2426; newline and tab, too (callers split lines before).  The same holds for what
 * has no cell of its own: combining marks, variation selectors, skin tones, the letters that flags are made of.
 * A safe character therefore takes the same number of columns on every terminal.  Pure functions, thread safe. */
#ifndef BASE_TEXT_UTF8_H
#define BASE_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t utf8_next(const char **p, const char *end); /* requires *p < end */
int utf8_put(char *out, uint32_t c);                 /* writes up to 4 bytes, returns how many */
uint32_t utf8_safe(uint32_t c);
/* 1 or 2 for a safe character (own tables, independent of the locale) */
int utf8_width(uint32_t c);
/* A text that is not there (NULL, 0) has no end. */
static inline const char *utf8_end(const char *s, size_t len)
{
	return len ? s + len : s;
}
size_t utf8_bom(const char *s, size_t len);           /* bytes of the byte order mark it begins with */
int utf8_cols(const char *s, size_t len);             /* columns of the safe text */
size_t utf8_fit(const char *s, size_t len, int cols); /* bytes of the longest prefix that fits */
size_t utf8_head(const char *s, size_t len,
    size_t most); /* bytes of the longest that ends with a character */
/* Makes a safe, NUL-terminated text, cut between characters.  ascii: dashes and the like become their ASCII
 * equivalents, everything else '?'. */
char *utf8_clean(char *out, size_t size, const char *s, size_t len, bool ascii);
char *utf8_clean_text(char *out, size_t size, const char *s); /* of a whole text, not only in ASCII */

#endif
