/* Memory.  For small things, the x*() functions abort the program with a message when memory runs out (after
 * the hook of mem_on_fail() has restored the terminal).  For arrays whose size comes from a file, mem_try()
 * returns NULL and the caller reports how much it needs.  An arena frees everything at once; pointers into it
 * stay valid until arena_free(); it is not thread safe.  Sizes are bytes; products are checked for
 * overflow.
 *
 * mem_refusals() counts what the machine refused to mem_try(), and to libraries, which mem_refused() counts: whoever
 * shows numbers can say that some may be missing.  Sizes that no machine has are not counted.  Any thread. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* From now on, up to 16 MiB of what free() gets stay with the program: to get new pages from the system costs more time
 * than most of what is done with them.  Call it once, before any thread begins. */
void mem_keep_freed(void);
void *xmalloc(size_t);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *, size_t n, size_t size);
/* like xcalloc(), for types whose alignment is more than that of malloc(); a power of two that divides size */
void *xaligned(size_t alignment, size_t n, size_t size);
char *xstrdup(const char *);
char *xstrndup(const char *, size_t); /* xstrndup(NULL, 0) is "" */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* same semantics as realloc(); NULL when refused, and then `old` stays valid */
void *mem_try(void *old, size_t n, size_t size);
/* For a large array: pages of 2 MiB where the machine has them, which costs far less time than small ones.  NULL when
 * refused, which is not counted: there may be another way.  mem_large_free() needs its size.
 * Memory that is new has to be cleared by the kernel, which takes as long as filling it.  mem_large_keep() frees an
 * array for the next one of much the same size; that happens only between mem_keep_begin() and mem_keep_end(), around
 * work that makes many of them, one after the other. */
void *mem_large(size_t bytes);
void mem_large_free(void *, size_t bytes);
void mem_large_keep(void *, size_t bytes);
void mem_keep_begin(void);
void mem_keep_end(void);
void *xlarge(size_t bytes);                 /* never NULL */
_Noreturn void mem_exhausted(size_t bytes); /* as when an x*() function gets no memory */
size_t mem_whole_pages(size_t bytes);
void mem_refused(void);
uint64_t mem_refusals(void);
bool mem_mul(size_t a, size_t b, size_t *out); /* false on overflow */
void mem_on_fail(void (*hook)(void));

/* A growing array: VEC_PUSH(v, n, cap) makes room for one more element, v[n]; VEC_ADD(v, n, cap, value) also
 * puts the value there and counts it.  VEC_SORT(v, n, by) is qsort() where v may be NULL if n is 0.
 * VEC_ORDER(by, type, keys) makes the function that compares two elements, by fields:
 *
 *     VEC_ORDER(by_start, struct run, UP(start) DOWN(end));
 *
 * VEC_ORDER_POINTERS() the same for an array of pointers to them. */
#define VEC_PUSH(v, n, cap) \
	do { \
		if ((n) == (cap)) { \
			(cap) = (cap) ? (cap)*2 : 4; \
			(v) = xrealloc((v), (cap), sizeof *(v)); \
		} \
	} while (0)
#define VEC_ADD(v, n, cap, ...) \
	do { \
		VEC_PUSH(v, n, cap); \
		(v)[(n)++] = __VA_ARGS__; \
	} while (0)
#define VEC_SORT(v, n, by) \
	do { \
		if (n) \
			qsort((v), (n), sizeof *(v), (by)); \
	} while (0)
#define UP(field) x->field != y->field ? x->field < y->field ? -1 : 1:
#define DOWN(field) x->field != y->field ? x->field > y->field ? -1 : 1:
#define VEC_ORDER(by, type, keys) \
	static int by(const void *a, const void *b) \
	{ \
		const type *x = a, *y = b; \
		return keys 0; \
	} \
	static int by(const void *, const void *)
#define VEC_ORDER_POINTERS(by, type, keys) \
	static int by(const void *a, const void *b) \
	{ \
		const type *x = *(const type *const *)a, *y = *(const type *const *)b; \
		return keys 0; \
	} \
	static int by(const void *, const void *)

struct arena {
	struct arena_block *head;
	size_t used;
};
#define ARENA_ALIGN ((size_t)16)
/* what that many bytes take in an arena */
static inline size_t arena_size(size_t n)
{
	return n ? (n + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1) : ARENA_ALIGN;
}
void *arena_alloc(struct arena *, size_t); /* zeroed, aligned to ARENA_ALIGN */
char *arena_strndup(struct arena *, const char *, size_t);
void arena_free(struct arena *);

#endif
