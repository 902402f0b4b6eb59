/* Lists of words in a buffer: "a, b, c".  What does not fit is cut off.  Pure. */
#ifndef BASE_TEXT_WORDS_H
#define BASE_TEXT_WORDS_H

#include <stddef.h>

/* adds a word at the end, with `between` before it unless it is the first */
void words_add(char *list, size_t size, const char *between, const char *word);

#endif
