/* Arrays that are too large for the memory the program may take (memcap.h).  They live in a file without a name, in
 * $TMPDIR, else /var/tmp, else /tmp, and the kernel keeps of it in memory what it likes.  The room on the
 * disk is taken at once, so that writing into the array cannot fail later, and later arrays use it again.
 *
 * Arrays that stay together take an eighth of the cap, and small ones never go.  Unless the user set it, the cap of a
 * large capture is at most 1 GB: it takes no longer, and leaves the memory to others.  spill_wanted() says whether n
 * bytes more should be there from the beginning; spill_new() returns them, at the beginning of a page.  So does
 * spill_room(), for what spill_write() puts there.
 * An array that moves once it is whole is made by spill_make(): in memory, as long as there is some and all of them
 * take no more than a third of the cap.  spill_settle() moves it.  For memory of other kinds, spill_due() says whether
 * n bytes that are whole should go, and spill_copy() writes them: that costs the kernel much less than pages of the
 * mapping that are filled one by one.
 * NULL: no disk, or it is full (spill_refusal() says what failed, once for the program; NULL: nothing did).
 * spill_counts() is told of all such arrays that are in memory.  Any thread. */
#ifndef BASE_SPILL_SPILL_H
#define BASE_SPILL_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spill;

const char *spill_folder(void); /* where the file would be, as far as that can be told; NULL: nowhere */

/* How much is written in one call.  Linux since 6.18 keeps that in one piece, up to 2 MiB, and maps all of it when one
 * byte is looked at.  Where events are looked at one here and one there, large pieces would fill the memory in a few
 * milliseconds; for what is read from beginning to end, small ones cost a call and a fault each. */
enum spill_piece { SPILL_PICKED = 64 << 10, SPILL_SCANNED = 1 << 20 };

void spill_expect(uint64_t bytes); /* so many will be loaded */
bool spill_large(void);            /* are they many? */

void spill_counts(size_t now, size_t before); /* bytes of arrays that might go, and are in memory */
bool spill_wanted(size_t n);
bool spill_due(size_t n);
/* Returns n bytes, in the file if *spill is set.  more: n less the bytes in memory of the array that they replace.
 * NULL: there is room neither in memory nor on the disk. */
void *spill_make(size_t n, size_t more, struct spill **spill);
/* Moves what spill_make() returned, in memory, from byte `skip` on, if that is due.  NULL: it stays where it is. */
struct spill *spill_settle(void *, size_t n, size_t skip);
void spill_drop(void *, size_t n, struct spill *); /* frees what spill_make() returned; NULL is allowed */
struct spill *spill_new(size_t n);
struct spill *spill_room(size_t n);
/* false: the disk failed */
bool spill_write(const struct spill *, size_t to, const void *, size_t n, enum spill_piece);
struct spill *spill_copy(const void *, size_t n);
void *spill_bytes(const struct spill *);
void spill_let_go(const struct spill *); /* nobody looks at it for a while */
void spill_free(struct spill *);         /* NULL is allowed */
const char *spill_refusal(void);

#endif
