/* How much memory the program may take: what --memory says, else half of what the machine has free, and its container
 * allows, when a capture is loaded.  The kernel counts (RLIMIT_DATA): everything but files that are mapped, which it
 * can drop: the input, and the columns that did not fit (spill.h).  A given cap holds
 * from memcap_set() to the end of the program; the other only from memcap_begin() to memcap_end(), around loading:
 * views may take the rest.  What is refused, mem_try() returns as NULL.  For xmalloc() and the like, which cannot, and
 * for what is made from a capture, half of a given cap is kept; when that is gone, too, the program ends.  With
 * sanitizers, whose own memory would count, only loaders that ask memcap_bytes() keep to it.  Any thread. */
#ifndef BASE_MEMCAP_H
#define BASE_MEMCAP_H

#include <stdbool.h>
#include <stdint.h>

#define MEMCAP_LEAST ((uint64_t)64 << 20)

void memcap_set(uint64_t bytes);
uint64_t memcap_bytes(void); /* never 0 */
uint64_t memcap_free(void);  /* bytes that the machine has free, or that a container allows if that is less */
void memcap_begin(void);
void memcap_end(void);
bool memcap_spend(
    void); /* lets everybody use what was kept; false: that was done before, or there is no cap */
bool memcap_is_set(void);

#endif
