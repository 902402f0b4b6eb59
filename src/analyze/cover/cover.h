/* Takes the lines of a text out of what it was packed in: JSON of containers, clouds and notebooks, the literal of a
 * programming language, line ends of another kind.  The beginning of a text tells which of them it is (COVER_HEAD
 * bytes, or all of it); any other text passes unchanged and is not copied.  A text may come in pieces of any size.
 * Memory is bounded by the longest line and by COVER_HEAD; damage only ends what it is in.  The caller frees it; one
 * thread. */
#ifndef ANALYZE_COVER_COVER_H
#define ANALYZE_COVER_COVER_H

#include <stddef.h>
#include <stdint.h>

#define COVER_HEAD ((size_t)64 << 10)

struct cover;

/* give: gets one line with its end, which was made of line `line` of the text; or a piece of a text that was not
 * packed, whose line is 0. */
struct cover *cover_new(void (*give)(void *ctx, const char *, size_t n, uint64_t line), void *ctx);
void cover_text(struct cover *, const char *, size_t);
uint64_t cover_end(struct cover *); /* of a text; another one may follow: its lines, 0 if it was not packed */
void cover_free(struct cover *);    /* may be NULL */

#endif
