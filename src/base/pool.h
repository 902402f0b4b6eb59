/* A fixed set of jobs on a few threads: pool_run() calls fn(ctx, i) for i = 0 … n-1, each once, in that order
 * of starting, and returns when all are done. threads <= 1 runs in the caller's thread.  Jobs must write
 * only what is theirs. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

int pool_default_threads(void); /* online processors, 1…16 */
void pool_run(int threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx);

#endif
