#include "config.h"

#include "load/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/memcap.h"
#include "base/text/slice.h"
#include "load/riegeli/riegeli.h"
#include "load/source/decoder.h"
#include "load/source/guard.h"
#include "load/source/mount.h"
#include "load/source/unpack.h"

#define PIECE ((size_t)8 << 20) /* of an uncompressed file: limits resident memory */
#define READ_STEP ((size_t)4 << 20)
#define PIPE_PIECE ((size_t)1 << 20) /* of a streamed pipe */
#define FIFO_WAIT_MS 2000
#define EMPTY_DEVICE makedev(1, 3) /* /dev/null, which is as good as an empty file */
#define WAIT_MS 50                 /* between two looks whether to go on waiting */

struct source {
	char *name;
	const uint8_t *bytes; /* as on disk */
	size_t n;
	enum { SOURCE_BORROWED, SOURCE_READ, SOURCE_MAPPED } how;
	void *guard;
	_Atomic bool shrunk;
	const struct packing *how_packed; /* NULL: not compressed */
	struct unpack *unpack;
	uint64_t limit; /* of unpacked bytes, 0 = by free memory */
	int threads;    /* that unpack records; 0: it holds none */
	struct riegeli *riegeli;
	uint64_t riegeli_cut; /* where unpacking the file that holds them ended, ERR_NOWHERE: at its end */

	size_t behind, piece; /* of an uncompressed file: end and length of the last piece */
	int pipe;             /* a pipe with more to read, -1: all was read */
	uint64_t before;      /* bytes of a pipe that were discarded */
	struct progress *progress;
	const struct source_look *look;
	bool mixed;     /* it changed while it was read */
	bool far;       /* on a file system that may be slow to answer */
	bool stopped;   /* canceled while it was read: bytes are what came until then */
	uint64_t id[2]; /* of a file on disk: device and inode; 0, 0: none */
	struct timespec written;
	enum source_change told, heard; /* heard: source_hear() */
};

static int cannot(struct err *err, const char *what)
{
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", what);
}

static int map_file(struct source *s, int fd, size_t n)
{
	void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED)
		return -1;
	s->guard = guard_add(p, n, &s->shrunk);
	if (!s->guard) {
		munmap(p, n);
		return -1;
	}
	madvise(p, n, MADV_SEQUENTIAL);
	s->bytes = p;
	s->n = n;
	s->how = SOURCE_MAPPED;
	return 0;
}

static void take_look(const struct source *s, const uint8_t *p, size_t n)
{
	if (s->look && n)
		s->look->look(s->look->ctx, s->name, p, n);
}

/* Waits until there is something to read, after n bytes that were read; false: no longer. */
static bool wait_to_read(struct source *s, int fd, const uint8_t *p, size_t n)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	while (s->progress && !s->stopped && !poll(&ready, 1, WAIT_MS)) {
		take_look(s, p, n);
		s->stopped = progress_canceled(s->progress);
	}
	return !s->stopped;
}

/* Reads until the buffer is full, the file ends or nobody waits any longer; -1 with err. */
static int read_full(struct source *s, int fd, uint8_t *p, size_t size, size_t *n, uint64_t at,
    struct err *err)
{
	while (*n < size && wait_to_read(s, fd, p, *n)) {
		/* in pieces, so that one may stop on a slow mount */
		ssize_t r = read(fd, p + *n, size - *n < READ_STEP ? size - *n : READ_STEP);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_set(err, EXIT_NOTHING, at + *n, "read error: %s", strerror(errno));
		if (!r)
			break;
		*n += (size_t)r;
		progress_add(s->progress, (uint64_t)r, 0);
		take_look(s, p, *n);
		/* a file on a slow mount is always ready, and blocks: there may be more of it */
		s->stopped = (size_t)r == READ_STEP && progress_canceled(s->progress);
	}
	return 0;
}

/* Reads to the end, after n bytes that were read before; `expected`, more than n, is a hint, 0: none. */
static int read_file(struct source *s, int fd, size_t expected, const uint8_t *first, size_t n,
    struct err *err)
{
	size_t limit = (size_t)memcap_bytes(), cap = expected ? expected + 1 : READ_STEP;
	uint8_t *p = cap <= limit ? mem_try(NULL, 1, cap) : NULL;

	if (p && n)
		memcpy(p, first, n);
	while (p) {
		uint8_t *more;

		if (read_full(s, fd, p, cap, &n, 0, err)) {
			free(p);
			return -1;
		}
		if (n < cap)
			break;
		more = cap <= limit / 2 ? mem_try(p, 1, cap * 2) : NULL;
		if (!more)
			free(p);
		p = more;
		cap *= 2;
	}
	if (!p)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "reading it needs more than the %zu MiB of memory that tpuscope may use; allow more with "
		    "--memory",
		    limit >> 20);
	s->bytes = n < cap / 2 ? xrealloc(p, n + 1, 1) : p;
	s->n = n;
	s->how = SOURCE_READ;
	return 0;
}

/* Reads the first piece of a pipe.  Compressed data is needed whole; else the rest is read while
 * streaming. */
static int read_head(struct source *s, int fd, const uint8_t *first, size_t n, struct err *err)
{
	uint8_t *p = xmalloc(PIPE_PIECE);
	int bad;

	memcpy(p, first, n);
	bad = read_full(s, fd, p, PIPE_PIECE, &n, 0, err);
	if (bad || packing_of(p, n)) {
		bad = bad ? bad : read_file(s, fd, 0, p, n, err);
		free(p);
		return bad;
	}
	s->bytes = p;
	s->n = n;
	s->how = SOURCE_READ;
	if (n == PIPE_PIECE)
		s->pipe = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return n == PIPE_PIECE && s->pipe < 0 ? cannot(err, "too many files are open") : 0;
}

int source_rest(struct source *s, struct err *err)
{
	uint8_t *first = (void *)(uintptr_t)s->bytes;

	if (s->pipe < 0)
		return 0;
	if (read_file(s, s->pipe, 0, first, s->n, err))
		return -1;
	free(first);
	close(s->pipe);
	s->pipe = -1;
	return 0;
}

/* Reads the next piece of a pipe, after the bytes that are kept. */
static int refill(struct source *s, size_t keep, struct err *err)
{
	uint8_t *p = (void *)(uintptr_t)s->bytes;
	size_t n = keep;

	s->before += s->n - keep;
	memmove(p, p + s->n - keep, keep);
	p = xrealloc(p, keep + PIPE_PIECE, 1);
	s->bytes = p;
	s->behind = s->piece = keep;
	if (read_full(s, s->pipe, p, keep + PIPE_PIECE, &n, s->before, err))
		return -1;
	s->n = n;
	return 0;
}

/* The FIFO was opened without waiting for a writer, so end of file means that there is none yet.  Finding out
 * may read a byte, which goes to *first. */
static int wait_for_writer(int fd, uint8_t *first, size_t *nfirst, struct err *err)
{
	for (int waited = 0; waited < FIFO_WAIT_MS; waited += 20) {
		ssize_t r = read(fd, first, 1);

		if (r > 0)
			*nfirst = 1;
		if (r > 0 || (r < 0 && errno == EAGAIN))
			return 0;
		poll(NULL, 0, 20);
	}
	return cannot(err, "nothing writes to this FIFO; start the writer first");
}

static int open_path(const char *path, struct stat *st, struct err *err)
{
	int fd;

	if (!strcmp(path, "-"))
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENXIO)
		return cannot(err, "is a socket, not a file");
	if (fd < 0 || fstat(fd, st)) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot be opened: %s", strerror(errno));
	} else if (S_ISDIR(st->st_mode)) {
		cannot(err, "is a directory, not a file");
	} else if (S_ISSOCK(st->st_mode)) {
		cannot(err, "is a socket, not a file");
	} else if (S_ISBLK(st->st_mode)) {
		cannot(err, "is a block device, not a file");
	} else if (S_ISCHR(st->st_mode) && isatty(fd)) {
		cannot(err, "is a terminal; name a file, or pipe one in");
	} else if (S_ISCHR(st->st_mode) && st->st_rdev != EMPTY_DEVICE) {
		cannot(err, "is a device, not a file");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static int fill(struct source *s, int fd, const struct stat *st, bool once, struct err *err)
{
	bool named = strcmp(s->name, "-") != 0;
	uint8_t first = 0;
	size_t nfirst = 0;
	int flags;

	if (S_ISREG(st->st_mode) && st->st_size > 0) {
		/* standard input may have been read from already */
		bool whole = named || lseek(fd, 0, SEEK_CUR) == 0;

		if ((uint64_t)st->st_size > PTRDIFF_MAX)
			return cannot(err, "is too large for the address space");
		s->far = named && mount_is_remote(fd);
		if (whole && !s->far && !map_file(s, fd, (size_t)st->st_size))
			return 0;
		if (s->progress)
			atomic_store(&s->progress->total, s->progress->bytes + (uint64_t)st->st_size);
		return read_file(s, fd, (size_t)st->st_size, &first, 0, err);
	}
	if (named && S_ISFIFO(st->st_mode) && wait_for_writer(fd, &first, &nfirst, err))
		return -1;
	flags = fcntl(fd, F_GETFL);
	if (named && flags >= 0)
		fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
	return once ? read_head(s, fd, &first, nfirst, err) : read_file(s, fd, 0, &first, nfirst, err);
}

static bool is_tar(struct slice name)
{
	static const char *const ends[] = { ".tar.bz2", ".tbz2", ".tar.xz", ".txz" };

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (slice_ends_nocase(name, ends[i]))
			return true;
	return false;
}

/* Rejects a compression that is not supported, and names the command that unpacks it. */
static int unpack_first(const struct source *s, const struct packing *how, struct err *err)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+,:=@%-";
	const char *base = strrchr(s->name, '/'), *file;

	base = base ? base + 1 : s->name;
	file = !strcmp(base, "-") ? "" : *base == '-' || base[strspn(base, plain)] ? " FILE" : NULL;
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "is compressed with %s; unpack it first: %s%s%s",
	    how->name, is_tar(slice_of(base)) ? "tar -xf" : how->command, file ? file : " ",
	    file ? "" : base);
}

static int detect_packed(struct source *s, struct err *err)
{
	const struct packing *how = packing_of(s->bytes, s->n);
	struct err broken = { .status = 0 };
	uint8_t first;

	if (!how)
		return 0;
	if (!how->open)
		return unpack_first(s, how, err);
	s->how_packed = how;
	s->unpack = unpack_new(how, s->bytes, s->n);
	if (unpack_head(s->unpack, &first, 1, &broken) || !broken.status)
		return 0;
	return err_set(err, broken.status, broken.at, "%s", broken.msg);
}

static struct source *source_new(const char *name)
{
	struct source *s = xcalloc(1, sizeof *s);

	s->name = xstrdup(name);
	s->pipe = -1;
	return s;
}

/* An object that is replaced as a whole while it is read gives bytes of both. */
static bool changed_since(const struct stat *before, int fd)
{
	struct stat now;

	return !fstat(fd, &now) &&
	    (now.st_size != before->st_size || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static struct source *open_source(const char *path, bool once, struct progress *progress,
    const struct source_look *look, struct err *err)
{
	struct source *s;
	struct stat st;
	int fd = open_path(path, &st, err);

	if (fd < 0)
		return NULL;
	s = source_new(path);
	s->progress = progress;
	s->look = look;
	if (S_ISREG(st.st_mode)) {
		s->id[0] = st.st_dev;
		s->id[1] = st.st_ino;
		s->written = st.st_mtim;
	}
	if (fill(s, fd, &st, once, err) || detect_packed(s, err)) {
		close(fd);
		source_close(s);
		return NULL;
	}
	s->mixed = s->how == SOURCE_READ && S_ISREG(st.st_mode) && !s->stopped && changed_since(&st, fd);
	close(fd);
	s->progress = NULL;
	s->look = NULL;
	return s;
}

struct source *source_open(const char *path, struct err *err)
{
	return open_source(path, false, NULL, NULL, err);
}

struct source *source_open_slowly(const char *path, struct progress *progress, const struct source_look *look,
    struct err *err)
{
	uint64_t before = progress ? progress->bytes : 0, total = progress ? progress->total : 0;
	struct source *s = open_source(path, false, progress, look, err);

	if (progress) { /* the loader counts them again */
		atomic_store(&progress->bytes, before);
		atomic_store(&progress->total, total);
		if (s && s->stopped)
			atomic_store(&progress->cancel, false);
	}
	return s;
}

bool source_stopped(const struct source *s)
{
	return s->stopped;
}

struct source *source_open_once(const char *path, struct err *err)
{
	struct source *s = open_source(path, true, NULL, NULL, err);

	if (s)
		source_once(s);
	return s;
}

struct source *source_of_memory(const void *bytes, size_t n, const char *name)
{
	struct source *s = source_new(name);

	s->bytes = n ? bytes : NULL;
	s->n = n;
	s->how = SOURCE_BORROWED;
	detect_packed(s, NULL);
	return s;
}

void source_own(struct source *s)
{
	s->how = SOURCE_READ;
}

void source_limit(struct source *s, uint64_t bytes)
{
	s->limit = bytes > PTRDIFF_MAX ? PTRDIFF_MAX : bytes;
}

void source_records(struct source *s, int threads)
{
	s->threads = threads > 0 ? threads : 1;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->riegeli)
		riegeli_free(s->riegeli);
	free(s->riegeli);
	unpack_free(s->unpack);
	if (s->how == SOURCE_MAPPED) {
		guard_remove(s->guard);
		munmap((void *)(uintptr_t)s->bytes, s->n);
	} else if (s->how == SOURCE_READ) {
		free((void *)(uintptr_t)s->bytes);
	}
	if (s->pipe >= 0)
		close(s->pipe);
	free(s->name);
	free(s);
}

uint64_t source_size(const struct source *s)
{
	return s->n;
}

bool source_id(const struct source *s, uint64_t id[2])
{
	memcpy(id, s->id, sizeof s->id);
	return id[0] || id[1];
}

const char *source_packing(const struct source *s)
{
	return s->threads ? "riegeli" : s->unpack ? s->how_packed->name : NULL;
}

bool source_mark(const struct source *s, struct source_mark *m)
{
	if ((s->how != SOURCE_MAPPED && !s->far) || !strcmp(s->name, "-"))
		return false;
	*m = (struct source_mark){ s->name, { s->id[0], s->id[1] }, s->n, s->written, s->far };
	return true;
}

/* By the name of the file, which may stand for another file by now. */
enum source_change source_compare(const struct source_mark *m)
{
	struct stat st;

	if (stat(m->path, &st))
		return errno == ENOENT || errno == ENOTDIR ? SOURCE_GONE : SOURCE_SAME;
	if (!m->far && (m->id[0] != st.st_dev || m->id[1] != st.st_ino))
		return SOURCE_REPLACED;
	if ((uint64_t)st.st_size > m->n)
		return SOURCE_GROWN;
	if ((uint64_t)st.st_size == m->n && st.st_mtim.tv_sec == m->written.tv_sec &&
	    st.st_mtim.tv_nsec == m->written.tv_nsec)
		return SOURCE_SAME;
	if (m->far) /* its bytes were read: those that are shown stay */
		return SOURCE_REPLACED;
	return (uint64_t)st.st_size < m->n ? SOURCE_SHRUNK : SOURCE_WRITTEN;
}

void source_hear(struct source *s, enum source_change change)
{
	s->heard = change;
}

enum source_change source_news(struct source *s, bool ask)
{
	enum source_change now = s->heard;
	struct source_mark mark;

	if (s->mixed)
		now = SOURCE_MIXED;
	else if (s->shrunk)
		now = SOURCE_SHRUNK;
	else if (ask && !s->far && source_mark(s, &mark))
		now = source_compare(&mark);
	if (now <= s->told)
		return SOURCE_SAME;
	return s->told = now;
}

size_t source_peek(struct source *s, uint8_t *buf, size_t size)
{
	if (s->unpack)
		return unpack_head(s->unpack, buf, size, NULL);
	return source_reread(s, 0, buf, size);
}

bool source_is_empty(const struct source *s)
{
	struct err broken = { .status = 0 };
	uint8_t first;

	return s->unpack ? !unpack_head(s->unpack, &first, 1, &broken) && !broken.status : !s->n;
}

const uint8_t *source_raw(const struct source *s, size_t *n)
{
	*n = s->n;
	return s->bytes;
}

size_t source_tail(struct source *s, uint8_t *buf, size_t size)
{
	if (s->unpack)
		return 0;
	return source_reread(s, s->n > size ? s->n - size : 0, buf, size);
}

static size_t unpacked_most(const struct source *s)
{
	return s->limit ? (size_t)s->limit : (size_t)memcap_bytes();
}

static const uint8_t *packed_bytes(struct source *s, size_t *size, uint64_t *damaged,
    struct progress *progress, struct err *err)
{
	if (s->unpack)
		return unpack_all(s->unpack, unpacked_most(s), size, damaged, progress, err);
	*size = s->n;
	*damaged = ERR_NOWHERE;
	if (!s->n) {
		cannot(err, "is empty");
		return NULL;
	}
	return s->bytes;
}

/* Why there is nothing in the records. */
static int no_records(const struct riegeli *r, struct err *err)
{
	char why[300];

	if (!r->ndamages)
		return cannot(err,
		    "Riegeli records with no capture in it: its profiler was stopped before it wrote one");
	return cannot(err, riegeli_say(&r->damages[0], why, sizeof why));
}

/* Unpacks the records, once. */
static const uint8_t *record_bytes(struct source *s, size_t *size, uint64_t *damaged,
    struct progress *progress, struct err *err)
{
	size_t n, most = unpacked_most(s);
	const uint8_t *file;

	if (!s->riegeli) {
		file = packed_bytes(s, &n, &s->riegeli_cut, s->unpack ? progress : NULL, err);
		if (!file)
			return NULL;
		if (n < (SIZE_MAX - DECODER_FREE) / DECODER_TIMES && n * DECODER_TIMES + DECODER_FREE < most)
			most = n * DECODER_TIMES + DECODER_FREE;
		s->riegeli = xcalloc(1, sizeof *s->riegeli);
		riegeli_open(s->riegeli, file, n, most, s->threads, s->unpack ? NULL : progress);
		source_forget(s, 0, s->n);
	}
	*size = s->riegeli->n;
	*damaged = s->riegeli_cut;
	if (!s->riegeli->nrecords && no_records(s->riegeli, err))
		return NULL;
	return s->riegeli->bytes;
}

const uint8_t *source_bytes(struct source *s, size_t *size, uint64_t *damaged, struct progress *progress,
    struct err *err)
{
	return s->threads ? record_bytes(s, size, damaged, progress, err)
			  : packed_bytes(s, size, damaged, progress, err);
}

const struct riegeli *source_riegeli(const struct source *s)
{
	return s->riegeli;
}

const char *source_why(const struct source *s)
{
	return s->unpack ? unpack_why(s->unpack) : "";
}

void source_once(struct source *s)
{
	if (s->unpack)
		unpack_once(s->unpack);
}

int source_stream_start(struct source *s, struct progress *progress, struct err *err)
{
	s->behind = s->piece = 0;
	s->progress = progress;
	return s->unpack ? unpack_start(s->unpack, progress, err) : 0;
}

int64_t source_stream_block(struct source *s, size_t keep, const uint8_t **piece, uint64_t *offset,
    struct err *err)
{
	size_t from, more;

	if (s->unpack)
		return unpack_block(s->unpack, keep, piece, offset, err);
	if (keep > s->piece)
		keep = s->piece;
	if (s->behind == s->n && s->pipe >= 0 && refill(s, keep, err))
		return -1;
	from = s->behind - keep;
	more = s->n - s->behind < PIECE ? s->n - s->behind : PIECE;
	if (!more)
		return 0;
	source_forget(s, s->behind - s->piece, from);
	s->behind += more;
	s->piece = keep + more;
	*piece = s->bytes + from;
	*offset = s->before + from;
	progress_add(s->progress, more, 0);
	return (int64_t)s->piece;
}

void source_stream_stop(struct source *s)
{
	if (s->unpack)
		unpack_stop(s->unpack);
}

void source_forget(struct source *s, uint64_t from, uint64_t to)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	to = to < s->n ? to / page * page : s->n;
	from = from / page * page;
	if (s->how == SOURCE_MAPPED && !s->unpack && to > from)
		madvise((void *)(uintptr_t)(s->bytes + from), (size_t)(to - from), MADV_DONTNEED);
}

size_t source_reread(struct source *s, uint64_t offset, void *buf, size_t size)
{
	if (s->unpack)
		return unpack_read(s->unpack, offset, buf, size);
	if (offset >= s->n)
		return 0;
	if (size > s->n - offset)
		size = (size_t)(s->n - offset);
	memcpy(buf, s->bytes + offset, size);
	return size;
}

void source_guard_install(void)
{
	guard_install();
}
