/* Findings as places: from a finding to the view that proves it, and in any view from one finding that is
 * proved there to the next. */
#ifndef CORE_JUMP_H
#define CORE_JUMP_H

#include "core/app.h"
#include "result/proof.h"

int jump_open(struct app *, size_t finding); /* goes to its proof; -1: stays, and says why */
/* The next finding that is proved in the view on the screen, after the one looked at last; round: behind the
 * last one the first.  false: there is none. */
bool jump_next(struct app *, bool round);
/* Says why there is no next one; while findings are being looked for the jump waits for them. */
void jump_none(struct app *);
/* The jump that waited, unless a key came in between; false: none is due. */
bool jump_due(struct app *);
char *jump_view(enum evidence, char *buf, size_t size); /* that shows it: "5 Input" */
struct ref jump_ref(const struct proof *);              /* for that view's show(); REF_NONE: the view alone */

#endif
