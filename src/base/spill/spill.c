#include "config.h"

#include "base/spill/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/memcap.h"

/* Below this, the pages that an array does not fill would matter. */
#define SPILL_LEAST ((size_t)256 << 10)
#define LARGE ((uint64_t)512 << 20)
#define CAP_OF_LARGE ((uint64_t)1 << 30)

struct spill {
	void *bytes;
	size_t n; /* whole pages */
	off_t at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static off_t end; /* of the file */
static size_t arrays;
static struct room { /* of arrays that are gone; none touches another */
	off_t at;
	size_t n;
} * rooms;
static size_t nrooms, rooms_cap;
static _Atomic size_t in_memory;
static _Atomic uint64_t expected;
static char refusal[512];

void spill_counts(size_t now, size_t before)
{
	atomic_fetch_add_explicit(&in_memory, now - before, memory_order_relaxed);
}

void spill_expect(uint64_t bytes)
{
	atomic_store_explicit(&expected, bytes, memory_order_relaxed);
}

bool spill_large(void)
{
	return atomic_load_explicit(&expected, memory_order_relaxed) >= LARGE;
}

static uint64_t cap_of_arrays(void)
{
	const uint64_t cap = memcap_bytes();

	return memcap_is_set() || !spill_large() || cap < CAP_OF_LARGE ? cap : CAP_OF_LARGE;
}

/* Would n bytes more be too many, when all may take 1/part of the cap? */
static bool too_many(size_t n, uint64_t part)
{
	return n >= SPILL_LEAST &&
	    n + atomic_load_explicit(&in_memory, memory_order_relaxed) > cap_of_arrays() / part;
}

bool spill_wanted(size_t n)
{
	return too_many(n, 8);
}

bool spill_due(size_t n)
{
	return n >= SPILL_LEAST &&
	    atomic_load_explicit(&in_memory, memory_order_relaxed) > cap_of_arrays() / 8;
}

static bool refuse(const char *what, int error)
{
	if (!*refusal)
		snprintf(refusal, sizeof refusal, "%s: %s", what, strerror(error));
	return false;
}

/* The i-th folder to try; NULL: there is no other. */
static const char *place(size_t i)
{
	const char *named = getenv("TMPDIR");

	return named ? i ? NULL : named : i == 0 ? "/var/tmp" : i == 1 ? "/tmp" : NULL;
}

const char *spill_folder(void)
{
	size_t i = 0;

	while (place(i) && access(place(i), W_OK))
		i++;
	return place(i);
}

static bool file_is_open(void)
{
	const char *folder;

	for (size_t i = 0; file < 0 && (folder = place(i)); i++) {
		char name[4096];

		file = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
		if (file < 0 &&
		    snprintf(name, sizeof name, "%s/tpuscope-XXXXXX", folder) < (int)sizeof name) {
			file = mkostemp(name, O_CLOEXEC);
			if (file >= 0)
				unlink(name);
		}
		if (file < 0)
			refuse(folder, errno);
	}
	return file >= 0;
}

static bool take_old_room(struct spill *s)
{
	for (size_t i = 0; i < nrooms; i++)
		if (rooms[i].n >= s->n) {
			s->at = rooms[i].at;
			rooms[i].at += (off_t)s->n;
			rooms[i].n -= s->n;
			if (!rooms[i].n)
				rooms[i] = rooms[--nrooms];
			return true;
		}
	return false;
}

/* A call that is interrupted is made again. */
static bool take_new_room(struct spill *s)
{
	int error = file_is_open() ? EINTR : -1;

	s->at = end;
	while (error == EINTR)
		error = posix_fallocate(file, s->at, (off_t)s->n);
	if (!error)
		end += (off_t)s->n;
	else if (error > 0)
		refuse("no room for columns on the disk of $TMPDIR", error);
	return !error;
}

static bool take_room(struct spill *s)
{
	bool taken;

	pthread_mutex_lock(&lock);
	taken = take_old_room(s) || take_new_room(s);
	arrays += taken;
	pthread_mutex_unlock(&lock);
	return taken;
}

static void join_rooms(struct room r)
{
	for (size_t i = 0; i < nrooms;) {
		const struct room other = rooms[i];

		if (other.at + (off_t)other.n != r.at && r.at + (off_t)r.n != other.at) {
			i++;
			continue;
		}
		r = (struct room){ other.at < r.at ? other.at : r.at, other.n + r.n };
		rooms[i] = rooms[--nrooms];
	}
	VEC_ADD(rooms, nrooms, rooms_cap, r);
}

/* The next array may have the room.  The disk gets it back with the last one: older kernels write what is in a place,
 * and wait for that, before they make a hole there. */
static void give_back(const struct spill *s)
{
	pthread_mutex_lock(&lock);
	if (--arrays) {
		join_rooms((struct room){ s->at, s->n });
	} else {
		int ignored = ftruncate(file, 0); /* else it comes back at the end of the program */

		(void)ignored;
		end = 0;
		free(rooms);
		rooms = NULL;
		nrooms = rooms_cap = 0;
	}
	pthread_mutex_unlock(&lock);
}

/* Columns are filled side by side: the kernel sees no order in their faults and makes small pages, one by one.
 * Asked for all of them at once it makes large ones.  Not more than a part of what may be in memory. */
static void populate(const struct spill *s)
{
#ifdef MADV_POPULATE_WRITE
	const size_t most = (size_t)(cap_of_arrays() / 8);

	madvise(s->bytes, s->n < most ? s->n : most, MADV_POPULATE_WRITE);
#else
	(void)s;
#endif
}

struct spill *spill_room(size_t n)
{
	struct spill s = { .n = mem_whole_pages(n) }, *made;

	if (n > SIZE_MAX / 4 || !take_room(&s))
		return NULL;
	s.bytes = mmap(NULL, s.n, PROT_READ | PROT_WRITE, MAP_SHARED, file, s.at);
	if (s.bytes == MAP_FAILED) {
		give_back(&s);
		return NULL;
	}
	made = xmalloc(sizeof *made);
	*made = s;
	return made;
}

struct spill *spill_new(size_t n)
{
	struct spill *made = spill_room(n);

	if (made)
		populate(made);
	return made;
}

void *spill_make(size_t n, size_t more, struct spill **s)
{
	void *p = too_many(more, 3) ? NULL : mem_large(n);

	*s = p || n < SPILL_LEAST ? NULL : spill_new(n);
	if (*s)
		return (*s)->bytes;
	if (!p)
		p = mem_large(n);
	if (p)
		spill_counts(n, 0);
	else
		mem_refused();
	return p;
}

void spill_drop(void *p, size_t n, struct spill *s)
{
	if (!s && p) {
		spill_counts(0, n);
		mem_large_free(p, n);
	}
	spill_free(s);
}

bool spill_write(const struct spill *s, size_t to, const void *bytes, size_t n, enum spill_piece piece)
{
	const char *p = bytes;
	off_t at = s->at + (off_t)to;

	while (n) {
		ssize_t done = pwrite(file, p, n < (size_t)piece ? n : (size_t)piece, at);

		if (done < 0 && errno != EINTR) {
			int error = errno;

			pthread_mutex_lock(&lock);
			refuse("the disk of $TMPDIR does not take columns", error);
			pthread_mutex_unlock(&lock);
			return false;
		}
		if (done > 0) {
			p += done;
			n -= (size_t)done;
			at += done;
		}
	}
	return true;
}

struct spill *spill_copy(const void *bytes, size_t n)
{
	struct spill *made = spill_room(n);

	if (made && !spill_write(made, 0, bytes, n, SPILL_SCANNED)) {
		spill_free(made);
		return NULL;
	}
	return made;
}

struct spill *spill_settle(void *p, size_t n, size_t skip)
{
	struct spill *made = spill_due(n) ? spill_copy((const char *)p + skip, n - skip) : NULL;

	if (made) {
		spill_counts(0, n);
		mem_large_keep(p, n);
	}
	return made;
}

void spill_let_go(const struct spill *s)
{
	madvise(s->bytes, s->n, MADV_DONTNEED);
}

void *spill_bytes(const struct spill *s)
{
	return s->bytes;
}

void spill_free(struct spill *s)
{
	if (!s)
		return;
	munmap(s->bytes, s->n);
	give_back(s);
	free(s);
}

const char *spill_refusal(void)
{
	return *refusal ? refusal : NULL;
}
