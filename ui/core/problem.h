/* Findings as places: from a finding to the view that proves it, and in any view from one finding that is
 * proved there to the next. */
#ifndef CORE_PROBLEM_H
#define CORE_PROBLEM_H

#include "core/app.h"
#include "result/proof.h"

int problem_open(struct app *, size_t finding); /* goes to its proof; -1: stays, and says why */
/* The next finding that is proved in the view on the screen, after the one looked at last; round: behind the
 * last one the first.  false: there is none. */
bool problem_next(struct app *, bool round);
/* Says why there is no next one; while findings are being looked for the jump waits for them. */
void problem_none(struct app *);
/* The jump that waited, unless a key came in between; false: none is due. */
bool problem_due(struct app *);
char *problem_view(enum evidence, char *buf, size_t size); /* that shows it: "5 Input" */
struct ref problem_ref(const struct proof *); /* for that view's show(); REF_NONE: the view alone */

#endif
