/* Why a step takes longer or shorter than the others (tpuscope(7), STEP ACCOUNT): the differences of its parts to those
 * of the median step, which add up to the difference of the two.  The median is a step that there is, the lower one of
 * the middle two, so that its parts belong together; of rows, that of the same core and program; the last of a core,
 * which the capture may have cut off, is none.  Pure; any thread. */
#ifndef ANALYZE_ACCOUNT_DIFFER_H
#define ANALYZE_ACCOUNT_DIFFER_H

#include "analyze/account/account.h"
#include "base/text/units.h"

/* ps; a kind is 0 where it is not known of both steps */
struct step_differ {
	double by, kind[KIND_COUNT];
	double spread;   /* how much more the longest core takes than the mean of the cores */
	double overhang; /* as in the account */
};

enum { DIFFER_TEXT = 160 };

size_t account_median(const struct account *); /* SIZE_MAX: a single step, or steps of several programs */
/* false: there is no median, or the step is it */
bool account_differ(const struct account *, size_t step, struct step_differ *);
/* The median of each row, SIZE_MAX: none.  The caller frees. */
size_t *account_row_medians(const struct steps *);
/* false: the row has no median; NULL parts, or a total of -1: only `by` is known */
bool account_row_differ(const struct steps *, const struct account_parts *, const size_t *medians, size_t row,
    struct step_differ *);
/* "+0.25 ms: infeed +0.26, collective −0.02": the largest parts.  Returns buf (DIFFER_TEXT). */
char *step_differ_say(const struct step_differ *, bool ascii, char *buf, size_t size);
/* Is that part of a difference worth its name?  A tenth at least. */
bool step_differ_counts(double part, double by);
/* "+0.26" in that unit */
char *step_differ_time(double ps, enum time_unit, bool ascii, char *buf, size_t size);

#endif
