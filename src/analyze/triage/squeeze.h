/* Finds known sentences over a line break.  Blanks may be missing where a line was broken, and the break may be in the
 * midst of a word; so sentences are compared without their blanks.  A known sentence is found in both cases, and tells
 * whether the break is between two of its words.  Numbers count as one sign.  The caller frees it; const after the last
 * squeeze_learn(). */
#ifndef ANALYZE_TRIAGE_SQUEEZE_H
#define ANALYZE_TRIAGE_SQUEEZE_H

#include "base/text/slice.h"

struct squeeze;

enum squeeze_joint {
	SQUEEZE_UNKNOWN, /* no known sentence lies over the break */
	SQUEEZE_OVER,    /* one does */
	SQUEEZE_WORD,    /* one does, and the break is in the midst of a word */
	SQUEEZE_WORDS    /* one does, and the break is between two words */
};

struct squeeze *squeeze_new(void); /* knows the sentences of XLA's messages */
void squeeze_learn(struct squeeze *, struct slice sentence);
void squeeze_free(struct squeeze *);
/* Looks for a known sentence that lies over the break between both texts. */
enum squeeze_joint squeeze_across(const struct squeeze *, struct slice before, struct slice after);

#endif
