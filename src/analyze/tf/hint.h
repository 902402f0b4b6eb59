/* What an incompatible node is for, by its op and the scopes of its name: saving, metrics, input and texts belong on
 * the host in any program, so that they need no change.  Pure. */
#ifndef ANALYZE_TF_HINT_H
#define ANALYZE_TF_HINT_H

#include "base/text/slice.h"

enum tf_hint { TF_HINT_NONE, TF_HINT_SAVE, TF_HINT_METRICS, TF_HINT_INPUT, TF_HINT_TEXT, TF_HINTS };

enum tf_hint tf_hint_of(struct slice name, struct slice op);
const char *tf_hint_key(enum tf_hint);    /* "save": of advice in data/findings.tsv; "other" */
const char *tf_hint_advice(enum tf_hint); /* a sentence or two for people */

#endif
