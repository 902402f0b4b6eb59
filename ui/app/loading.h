/* The picture shown while loading: what is read, how far, how fast, how long it will take.  Draws only what
 * it is given. */
#ifndef APP_LOADING_H
#define APP_LOADING_H

#include "core/paint/canvas.h"

struct loading {
	const char *name, *what;       /* what is opened; "reading", "indexing" */
	uint64_t bytes, total, events; /* total 0 = not known */
	int64_t elapsed_ms;
	bool stopping;
};

void loading_draw(const struct loading *, struct canvas *, struct rect area);
int64_t loading_eta_ms(const struct loading *); /* -1 = not known */
/* "loading: 45 %; ready in about 3 s", as far as that is known */
const char *loading_text(const struct loading *, char *buf, size_t);

#endif
