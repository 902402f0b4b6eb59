/* One event, for the files that show it: details.c makes it and draws the pane, lines.c draws its lines of
 * numbers, step_card.c what is said of a step, page.c writes all that is known, to the whole screen or as text. */
#ifndef VIEW_TIMELINE_DETAIL_INTERNAL_H
#define VIEW_TIMELINE_DETAIL_INTERNAL_H

#include <math.h>

#include "analyze/account/differ.h"
#include "analyze/account/why.h"
#include "view/timeline/detail/details.h"

#define DETAILS_NA "\xe2\x80\x93"
#define DETAILS_LABEL 11 /* columns of a label and its gap */

/* Columns of numbers: label, end of the number … end of the percentage.  fixed: every op has the line, with
 * its words at the same places, so that only numbers change from op to op. */
struct details_at {
	int x, number, unit, bar, bar_w, percent;
	bool fixed;
};

static inline bool details_known(double v)
{
	return isfinite(v) && v >= 0;
}

/* details.c */
void details_make(struct details *);          /* for the selected event */
bool details_has_full(const struct detail *); /* has a long name that adds to the short one */
/* what the FLOPs and bytes of its lines are */
const char *details_compute(const struct detail *);
const char *details_memory(const struct detail *);
const char *details_category(const struct details *);
void details_step_text(const struct details *, char *buf, size_t size); /* the step that it begins in */
int64_t details_start(const struct details *);                          /* start time on the screen */
void details_title(struct details *, struct canvas *, struct rect, bool named);

/* lines.c: each returns how many lines it took */
int details_rate(const struct detail *, struct canvas *, int y, const struct details_at *, const char *label,
    double rate, double peak, const char *unit);
int details_intensity(const struct detail *, struct canvas *, int y, const struct details_at *);
int details_work(const struct detail *, struct canvas *, int y, const struct details_at *);
int details_all(const struct details *, struct canvas *, int y, const struct details_at *);
int details_neighbors(const struct details *, struct canvas *, int y, const struct details_at *, int end);
void details_peak_text(const struct detail *, double rate, double peak, const char *unit, char *buf,
    size_t size);

void details_field(struct canvas *, int y, int x, int w, const char *label, const char *value);

/* step_card.c */
struct step_facts {
	const struct step *step;           /* that the event is */
	const struct account_parts *parts; /* NULL: not known, or not yet */
	bool is_median, has_median;        /* has_median: `differ` and `why` are to the median step */
	struct step_differ differ;
	const struct step_why *why;
};
bool details_step_of(const struct details *, struct step_facts *); /* false: the event is no step */
char *details_step_median(const struct details *, const struct step_facts *, char *buf, size_t size);
/* of a step of a host: what takes most of it on its thread; "" = nothing */
char *details_step_inside(const struct details *, const struct step_facts *, char *buf, size_t size);
char *details_step_ops(const struct details *, const struct step_facts *, char *buf,
    size_t size); /* "": none */
/* The kinds of time that it has, the largest difference first; kind: room for all.  Returns how many. */
size_t details_step_kinds(const struct step_facts *, enum time_kind *kind);
void details_step_draw(const struct details *, const struct step_facts *, struct canvas *, struct rect);

#endif
