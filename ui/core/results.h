/* The results of the capture on the screen (capture/results.h), made in the background (job.h) when a view first asks
 * for them.  result_get() returns NULL until it is ready: the view then shows result_what(), and the app redraws
 * it when the result arrives.  A pointer is valid until the next turn of the loop, so a view asks again whenever
 * it draws.  result_run.c runs and keeps them, result_say.c describes their progress. */
#ifndef CORE_RESULTS_H
#define CORE_RESULTS_H

#include "capture/results.h"
#include "core/app.h"

const void *result_get(struct app *, enum result);
/* Returns a result that nobody has asked to see: it is made after all that is waited for, and a snapshot ends without
 * it. */
const void *result_when_idle(struct app *, enum result);
/* The findings, with what mending them saves as soon as that is known, which moves them; NULL: not ready */
const struct findings *result_findings(struct app *);
enum result result_findings_kind(struct app *); /* which result they are, or will be first */
/* changes each time the result is made, even when the pointer is the same; 0 = not ready */
unsigned long result_serial(const struct app *, enum result);
/* Asks for several results (bits of enum result): the number changes when any was made again; 0 = one is not
 * ready */
unsigned long results_serial(struct app *, unsigned which);
/* "summing op times 43 %" */
char *result_what(const struct app *, enum result, char *buf, size_t size);
void result_draw_what(const struct app *, enum result, struct canvas *, struct rect); /* in its first row */
void results_draw_what(const struct app *, unsigned which, struct canvas *,
    struct rect); /* the last of them */
/* for results read from a profiler's file because there is no capture: "the profiler's own numbers, file 1 of
 * 3"; "" = computed */
char *result_of_file(const struct app *, enum file_kind, char *buf, size_t size);
void results_forget(struct app *); /* after a change of host or clock: all are made again on demand */
void results_renew(struct app *, enum result); /* only that one and those made from it */
void results_close(struct app *);              /* stops their jobs; what is made stays the capture's */

#endif
