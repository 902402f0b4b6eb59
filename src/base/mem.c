#include "config.h"

#include "base/mem.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/memcap.h"

#define ARENA_FIRST (1u << 10)   /* small, as many owners have little text */
#define ARENA_LARGEST (1u << 20) /* requests above a quarter of this get a block of their own */

#define KEPT_FREED (16 << 20)
#define HUGE_PAGE ((size_t)2 << 20)
/* Below, no large page fits.  Sanitizers watch only what malloc() makes. */
#ifdef ENABLE_SANITIZE
#define LARGE SIZE_MAX
#else
#define LARGE HUGE_PAGE
#endif

struct arena_block {
	struct arena_block *next;
	size_t size; /* of data */
	_Alignas(ARENA_ALIGN) char data[];
};

#define KEPT 4 /* blocks, so that as many threads find one again; more would be memory that nobody uses */

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	void *p; /* NULL: none */
	size_t room;
} kept[KEPT];
static unsigned keepers;
static void (*fail_hook)(void);
static _Atomic uint64_t refusals;

void mem_on_fail(void (*hook)(void))
{
	fail_hook = hook;
}

static _Noreturn void out_of_memory(size_t n, size_t size)
{
	void (*hook)(void) = fail_hook;

	fail_hook = NULL;
	if (hook)
		hook();
	if (memcap_is_set()) {
		fprintf(stderr,
		    "tpuscope: needs more than the %llu MiB of memory that --memory allows; allow more\n",
		    (unsigned long long)memcap_bytes() >> 20);
		_exit(EXIT_NOTHING);
	}
	fprintf(stderr, "tpuscope: out of memory (%zu x %zu bytes)\n", n, size);
	abort();
}

void mem_keep_freed(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, KEPT_FREED);
	mallopt(M_TRIM_THRESHOLD, KEPT_FREED);
#endif
}

bool mem_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

void mem_refused(void)
{
	atomic_fetch_add_explicit(&refusals, 1, memory_order_relaxed);
}

uint64_t mem_refusals(void)
{
	return atomic_load_explicit(&refusals, memory_order_relaxed);
}

/* Asks for huge pages where they fit in n bytes: a fault for each small one takes longer than filling it. */
static void want_huge(char *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	const size_t before = -(uintptr_t)p % HUGE_PAGE;

	madvise(p + before, (n - before) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#else
	(void)p;
	(void)n;
#endif
}

/* Frees what was kept; returns whether there was something. */
static bool drop_kept(void)
{
	bool any = false;

	pthread_mutex_lock(&kept_lock);
	for (size_t i = 0; i < KEPT; i++) {
		if (kept[i].p)
			munmap(kept[i].p, kept[i].room);
		any |= kept[i].p != NULL;
		kept[i].p = NULL;
	}
	pthread_mutex_unlock(&kept_lock);
	return any;
}

static void *resized(void *old, size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (!mem_mul(n, size, &bytes) || bytes > PTRDIFF_MAX)
		return NULL;
	p = realloc(old, bytes ? bytes : 1);
	if (!p && drop_kept())
		p = realloc(old, bytes ? bytes : 1);
	if (p && bytes >= LARGE)
		want_huge(p, bytes);
	return p;
}

void *mem_try(void *old, size_t n, size_t size)
{
	void *p = resized(old, n, size);
	size_t bytes;

	if (!p && mem_mul(n, size, &bytes) && bytes <= PTRDIFF_MAX)
		mem_refused();
	return p;
}

/* n bytes from the beginning of a huge page */
static void *map_huge(size_t n)
{
	size_t more = n + HUGE_PAGE, before;
	char *p = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p % HUGE_PAGE;
	if (before)
		munmap(p, before);
	if (before < HUGE_PAGE)
		munmap(p + before + n, HUGE_PAGE - before);
	want_huge(p + before, n);
	return p + before;
}

size_t mem_whole_pages(size_t n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (n + page - 1) / page * page;
}

/* What a large array of that size takes: up to an eighth more, so that arrays of much the same size fit into the same
 * blocks.  Pages that nobody touches take no memory. */
static size_t room_for(size_t bytes)
{
	size_t step = HUGE_PAGE / 8;

	while (step <= bytes / 16)
		step *= 2;
	return (bytes + step - 1) / step * step;
}

static void *take_kept(size_t room)
{
	void *p = NULL;

	pthread_mutex_lock(&kept_lock);
	for (size_t i = 0; i < KEPT && !p; i++)
		if (kept[i].p && kept[i].room == room) {
			p = kept[i].p;
			kept[i].p = NULL;
		}
	pthread_mutex_unlock(&kept_lock);
	return p;
}

void *mem_large(size_t bytes)
{
	size_t room;
	void *p;

	if (bytes < LARGE)
		return resized(NULL, bytes, 1);
	if (bytes > PTRDIFF_MAX / 2)
		return NULL;
	room = room_for(bytes);
	p = take_kept(room);
	if (!p)
		p = map_huge(room);
	if (!p && drop_kept())
		p = map_huge(room);
	return p;
}

void mem_large_free(void *p, size_t bytes)
{
	if (bytes < LARGE)
		free(p);
	else
		munmap(p, room_for(bytes));
}

void mem_large_keep(void *p, size_t bytes)
{
	if (bytes >= LARGE) {
		pthread_mutex_lock(&kept_lock);
		for (size_t i = 0; keepers && p && i < KEPT; i++)
			if (!kept[i].p) {
				kept[i].p = p;
				kept[i].room = room_for(bytes);
				p = NULL;
			}
		pthread_mutex_unlock(&kept_lock);
	}
	if (p)
		mem_large_free(p, bytes);
}

void mem_keep_begin(void)
{
	pthread_mutex_lock(&kept_lock);
	keepers++;
	pthread_mutex_unlock(&kept_lock);
}

void mem_keep_end(void)
{
	bool last;

	pthread_mutex_lock(&kept_lock);
	last = !--keepers;
	pthread_mutex_unlock(&kept_lock);
	if (last)
		drop_kept();
}

void *xrealloc(void *old, size_t n, size_t size)
{
	void *p = resized(old, n, size);

	if (!p && memcap_spend())
		p = resized(old, n, size);
	if (!p)
		out_of_memory(n, size);
	return p;
}

_Noreturn void mem_exhausted(size_t bytes)
{
	out_of_memory(1, bytes);
}

void *xlarge(size_t bytes)
{
	void *p = mem_large(bytes);

	if (!p && memcap_spend())
		p = mem_large(bytes);
	if (!p)
		mem_exhausted(bytes);
	return p;
}

void *xmalloc(size_t size)
{
	return xrealloc(NULL, 1, size);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p && memcap_spend())
		p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		out_of_memory(n, size);
	return p;
}

void *xaligned(size_t alignment, size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (!mem_mul(n ? n : 1, size, &bytes) || bytes > PTRDIFF_MAX ||
	    (!(p = aligned_alloc(alignment, bytes)) &&
		(!memcap_spend() || !(p = aligned_alloc(alignment, bytes)))))
		out_of_memory(n, size);
	return memset(p, 0, bytes);
}

char *xstrndup(const char *s, size_t len)
{
	char *copy;

	len = len ? strnlen(s, len) : 0;
	copy = xmalloc(len + 1);
	if (len)
		memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory(1, strlen(fmt));
	return s;
}

static struct arena_block *arena_block_new(size_t size)
{
	struct arena_block *b;

	if (size > PTRDIFF_MAX - sizeof *b)
		out_of_memory(1, size);
	b = xcalloc(1, sizeof *b + size);
	b->size = size;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->head;
	size_t next;
	void *p;

	if (size > PTRDIFF_MAX - ARENA_ALIGN)
		out_of_memory(1, size);
	size = arena_size(size);
	if (!b || b->size - a->used < size) {
		next = !b ? ARENA_FIRST : b->size < ARENA_LARGEST ? b->size * 2 : ARENA_LARGEST;
		/* put it after the head, so that the rest of the head stays in use */
		if (b && size > next / 4) {
			struct arena_block *own = arena_block_new(size);
			own->next = b->next;
			b->next = own;
			return own->data;
		}
		b = arena_block_new(size > next ? size : next);
		b->next = a->head;
		a->head = b;
		a->used = 0;
	}
	p = b->data + a->used;
	a->used += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *copy;

	if (len == SIZE_MAX)
		out_of_memory(1, len);
	copy = arena_alloc(a, len + 1);
	if (len)
		memcpy(copy, s, len);
	return copy;
}

void arena_free(struct arena *a)
{
	struct arena_block *b = a->head, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	a->head = NULL;
	a->used = 0;
}
