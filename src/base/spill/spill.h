/* Arrays that are too large for the memory the program may take (memcap.h).  They live in a file without a name, in
 * $TMPDIR, else /var/tmp, else /tmp, and the kernel keeps of it in memory what it likes (resident.h).  The room on the
 * disk is taken at once, so that writing into the array cannot fail later.
 *
 * spill_wanted() says whether n bytes that are made in place of old ones should be there: arrays that stay together
 * take an eighth of the cap, and small ones never go.  spill_new() returns n bytes, all 0, at the beginning of a page;
 * NULL: no disk, or it is full (spill_refusal() says what failed, once for the program; NULL: nothing did).
 * Any thread. */
#ifndef BASE_SPILL_SPILL_H
#define BASE_SPILL_SPILL_H

#include <stdbool.h>
#include <stddef.h>

struct spill;

void spill_counts(size_t now, size_t before); /* bytes of arrays that might go, and are in memory */
bool spill_wanted(size_t n);
struct spill *spill_new(size_t n);
void *spill_bytes(const struct spill *);
void spill_free(struct spill *); /* NULL is allowed */
const char *spill_refusal(void);

#endif
