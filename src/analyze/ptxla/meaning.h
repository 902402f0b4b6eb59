/* What metrics and counters of PyTorch/XLA mean, and what to do about them; NULL: nothing is known of it.  The
 * texts are static; pure. */
#ifndef ANALYZE_PTXLA_MEANING_H
#define ANALYZE_PTXLA_MEANING_H

#include "base/text/slice.h"

const char *ptxla_meaning(struct slice name);
const char *ptxla_advice(struct slice name);
/* of an analysis of PT_XLA_DEBUG, by what it says as its cause */
const char *ptxla_cause_meaning(struct slice cause);

#endif
