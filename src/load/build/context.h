/* What every loader gets.  A loader reads files of the dump, given by index, into the dump.  It returns -1
 * with err only if nothing in them was usable; damage is noted in dump.problems. */
#ifndef LOAD_BUILD_CONTEXT_H
#define LOAD_BUILD_CONTEXT_H

#include "base/err.h"
#include "base/progress.h"
#include "model/dump.h"

struct load_ctx {
	struct dump *dump;
	int threads;
	struct progress *progress;
	bool join; /* files begin when their profilers were started */
};

#endif
