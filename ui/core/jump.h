/* Jumps to the evidence of findings: from a finding to the view that proves it, and from one finding to the
 * next that is proved in the same view. */
#ifndef CORE_JUMP_H
#define CORE_JUMP_H

#include "core/app.h"
#include "result/proof.h"

int jump_open(struct app *, size_t finding); /* goes to its proof; -1: stays and shows a message */
/* Goes to the next finding that is proved in the current view; round: wraps around after the last.  false:
 * there is none. */
bool jump_next(struct app *, bool round);
/* Shows why there is no next finding; if findings are still being computed, the jump happens when they are
 * ready. */
void jump_none(struct app *);
/* Makes the jump that waited for findings, unless a key was pressed in between; false: no jump was made. */
bool jump_due(struct app *);
char *jump_view(enum evidence, char *buf, size_t size); /* the view that shows it: "5 Input" */
struct ref jump_ref(const struct proof *); /* for that view's show(); REF_NONE: only switch to it */

#endif
