/* Parts of a card of details: a rule with a title, a line of label and value, a paragraph.  Each returns the
 * row below what it drew (or would have drawn outside the rectangle). */
#ifndef WIDGET_CARD_H
#define WIDGET_CARD_H

#include "core/input/action.h"
#include "core/paint/canvas.h"

/* ─ title ───── right ─ */
int card_rule(struct canvas *, struct rect, int y, const char *title, const char *right);
/* TITLE, followed by dim text that describes it */
void card_head(struct canvas *, int y, struct rect, const char *title, const char *about);
int card_pair(struct canvas *, struct rect, int y, int label_cols, const char *label, const char *value);
/* a label at the left, cut where the value at the right begins */
int card_sides(struct canvas *, struct rect, int y, const char *label, const char *value);
/* wraps at spaces, or anywhere if there are none; where the rectangle ends before the text, an ellipsis says so */
int card_text(struct canvas *, struct rect, int y, int indent, enum role, const char *text, size_t len);
int card_text_rows(int cols, const char *text, size_t len); /* rows that card_text() takes */

/* Scrolls a card that is longer than its room; top is the first visible line.  Handles the actions that move
 * in a list; false: another action. */
bool card_scroll(int *top, int lines, int rows, enum action, int count);
/* "lines 3-20 of 41"; "" = all visible */
void card_scroll_text(int top, int lines, int rows, char *buf, size_t size);

/* Draws a text cut at its end, with an ellipsis.  Returns the columns used. */
int card_start(struct canvas *, int y, int x, int w, enum role, unsigned attr, const char *);

/* Draws a text cut at its beginning, because its end matters more.  Returns the columns used. */
int card_tail(struct canvas *, int y, int x, int w, enum role, const char *s, size_t len);

#endif
