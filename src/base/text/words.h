/* Lists of words in a buffer: "a, b, c"; what does not fit is cut off, and the list always ends with NUL.  Misspelled
 * words, and words of a shell.  Nothing is kept; any thread. */
#ifndef BASE_TEXT_WORDS_H
#define BASE_TEXT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* adds a word at the end, with `between` before it unless it is the first */
void words_add(char *list, size_t size, const char *between, const char *word);
/* whether one letter more, less or other, or two letters swapped, make the n bytes of s the word */
bool word_is_typo(const char *s, size_t n, const char *word);

/* As one word of a shell, in quotes where it needs them; the caller frees. */
char *words_quoted(const char *);

#endif
