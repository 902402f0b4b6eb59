/* Runs a fixed set of jobs on a few threads: pool_run() calls fn(ctx, i) once for each i from 0 to n-1,
 * started in that order, and returns when all are done.  threads <= 1 runs in the caller's thread.  Jobs must
 * write only to data of their own. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

int pool_default_threads(void); /* online processors, from 1 to 16 */
void pool_run(int threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx);

#endif
