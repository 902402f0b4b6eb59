/* Pieces of a card of details: a rule with a title, a line of label and value, a paragraph.  Each returns
 * the row below what it drew (or would have drawn outside the rectangle). */
#ifndef WIDGET_CARD_H
#define WIDGET_CARD_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

/* ─ title ───── right ─ */
int card_rule(struct canvas *, struct rect, int y, const char *title, const char *right);
/* TITLE, and dimmed behind it what it is about */
void card_head(struct canvas *, int y, struct rect, const char *title, const char *about);
int card_pair(struct canvas *, struct rect, int y, int label_cols, const char *label, enum role,
    const char *value);
/* broken at blanks, else anywhere */
int card_text(struct canvas *, struct rect, int y, int indent, enum role, const char *text, size_t len);
int card_text_rows(int cols, const char *text, size_t len); /* rows that card_text() takes */

/* A card that is longer than its room: top is the first line in sight.  Actions that move a list move it;
 * false: another one. */
bool card_scroll(int *top, int lines, int rows, enum action, int count);
/* "lines 3-20 of 41"; "" = all in sight */
void card_scroll_text(int top, int lines, int rows, char *buf, size_t size);

/* A text of which the end matters more: cut at its beginning.  Returns the columns that it took. */
int card_tail(struct canvas *, int y, int x, int w, enum role, const char *s, size_t len);

#endif
