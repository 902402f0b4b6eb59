/* PCRE2 behind a few functions.  Smart case: a pattern without capitals matches both cases. Patterns are UTF-8 if
 * they are valid UTF-8; subjects may be any bytes (invalid UTF-8 is matched as bytes).  Matching is bounded (match
 * and depth limits; JIT if available), and reaching a limit counts as no match; callers ask regex_too_expensive()
 * before they say that there is none.  A compiled pattern is read-only and may be used by several threads at once,
 * each with its own regex_scratch. */
#ifndef BASE_TEXT_REGEX_H
#define BASE_TEXT_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct regex;
struct regex_scratch;

enum regex_case { REGEX_SMART_CASE, REGEX_AS_WRITTEN };

/* NULL: err says what is wrong and at which character */
struct regex *regex_new(const char *pattern, enum regex_case, struct err *);
/* matches the text literally; regex_pattern() returns the text */
struct regex *regex_literal(const char *text);
void regex_free(struct regex *);
struct regex_scratch *regex_scratch_new(const struct regex *);
void regex_scratch_free(struct regex_scratch *);
/* from and to may be NULL */
bool regex_match(const struct regex *, struct regex_scratch *, const char *s, size_t len, size_t *from,
    size_t *to);
/* Did a match of it so far, in any thread, end at a limit?  Fills err: "pattern too expensive: ..." */
bool regex_too_expensive(const struct regex *, struct err *);
/* A match of what stands behind it, such as a query, ended at a limit. */
void regex_gave_up(const struct regex *);
const char *regex_pattern(const struct regex *);
/* for people: the comment that the pattern begins with, "(?#57 ops)", or the pattern itself */
const char *regex_shown(const struct regex *);

#endif
