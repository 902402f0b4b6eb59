/* One event, for the files that show it: tl_detail.c makes it and draws the pane, tl_detail_lines.c the
 * lines of numbers in that, tl_detail_page.c all that is known of it, over the whole screen or as text.
 * Nobody else includes this.  What is looked at is t->detail, of the selected event,
 * once tl_detail_make() was called. */
#ifndef VIEW_TIMELINE_DETAIL_H
#define VIEW_TIMELINE_DETAIL_H

#include <math.h>

#include "view/timeline/tl.h"

#define TL_DETAIL_NA "\xe2\x80\x93"
#define TL_DETAIL_LABEL 11 /* columns of a label and its gap */

/* Columns of numbers: label, end of the number … end of the percentage.  fixed: a line is there for every op,
 * its words always at the same places, so that from op to op numbers alone change. */
struct tl_detail_at {
	int x, number, unit, bar, bar_w, percent;
	bool fixed;
};

static inline bool tl_detail_known(double v)
{
	return isfinite(v) && v > 0;
}

/* tl_detail.c */
void tl_detail_make(struct tl *);
bool tl_detail_has_full(const struct detail *); /* a long name that says more than the short one */
const char *tl_detail_memory(const struct detail *);
const char *tl_detail_category(const struct tl *);
void tl_detail_step_text(const struct tl *, char *buf, size_t size); /* the step it begins in */
int64_t tl_detail_start(const struct tl *);                          /* on the screen */
void tl_detail_title(struct tl *, struct canvas *, struct rect, bool named);

/* tl_detail_lines.c: each returns how many lines it took */
int tl_detail_rate(const struct detail *, struct canvas *, int y, const struct tl_detail_at *,
    const char *label, double rate, double peak, const char *unit);
int tl_detail_intensity(const struct detail *, struct canvas *, int y, const struct tl_detail_at *);
int tl_detail_work(const struct detail *, struct canvas *, int y, const struct tl_detail_at *);
int tl_detail_all(const struct tl *, struct canvas *, int y, const struct tl_detail_at *);
int tl_detail_neighbours(const struct tl *, struct canvas *, int y, const struct tl_detail_at *, int end);
void tl_detail_peak_text(const struct detail *, double rate, double peak, const char *unit, char *buf,
    size_t size);

#endif
