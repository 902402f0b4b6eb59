/* Where bytes come from.  source_open() maps a regular file (read() into memory on FUSE and network file
 * systems and for pipes, FIFOs with a writer and "-" = stdin); gzip and zstd are recognized by magic.
 * source_bytes() gives the whole content as one block, unpacking it first (in memory, bounded by what the
 * machine has free, and to what load/source/decoder.h allows); loaders that can stream use source_stream() instead,
 * which unpacks in a thread of its own and hands over blocks of about 1 MiB in order; source_reread() fetches any piece
 * again later: from the map, or by unpacking what was streamed (load/source/unpack.h).
 * A file of Riegeli records, which its owner says it is, has the content of its records one after the other.
 * A file that shrinks while mapped raises SIGBUS: source_guard_install() turns that into zero bytes, and
 * source_news() says so.
 * source_open_once() is for files that are read once and in pieces: a pipe is then not read to its end first,
 * unless it is compressed.
 * Opening a directory, a socket or an unreadable file is an error that says so.  The source owns its memory;
 * source_close() frees.  One thread at a time, except that source_bytes() memory may be read by many and
 * source_reread() locks. */
#ifndef LOAD_SOURCE_SOURCE_H
#define LOAD_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/err.h"
#include "base/progress.h"

struct riegeli;
struct source;

/* look() gets all that came so far, which may move before the next time */
struct source_look {
	void (*look)(void *ctx, const char *name, const uint8_t *bytes, size_t n);
	void *ctx;
};

struct source *source_open(const char *path, struct err *); /* "-" = stdin */
/* Same; while it waits for a slow pipe or mount it counts the bytes that came, of how many if that is known.  Canceling
 * ends the wait and keeps them: then source_stopped(), and the progress may go on, as nothing else was asked to stop.
 * The look, which may be NULL, is taken when more of it came, and while it waits. */
struct source *source_open_slowly(const char *path, struct progress *, const struct source_look *,
    struct err *);
bool source_stopped(const struct source *);
struct source *source_open_once(const char *path, struct err *); /* only for streaming */
/* Reads the rest of a pipe, of which nothing was streamed yet: then the source is as one of source_open(). */
int source_rest(struct source *, struct err *);
/* not copied; must outlive the source */
struct source *source_of_memory(const void *, size_t, const char *name);
void source_own(struct source *); /* those bytes are its own from now on: it frees them */
/* limit for what source_bytes() unpacks; 0 (the default): half of the memory that is free then */
void source_limit(struct source *, uint64_t bytes);
/* Its content is that of the records in it, unpacked on so many threads; only source_bytes() has it. */
void source_records(struct source *, int threads);
void source_close(struct source *);
uint64_t source_size(const struct source *);           /* bytes on disk */
bool source_id(const struct source *, uint64_t id[2]); /* equal: the same file; false: not on disk */
/* "gzip", "zstd", "riegeli"; NULL: not packed */
const char *source_packing(const struct source *);
/* What happened to the file since it was opened, by how much it matters.  Of a file that was read into memory, as those
 * of remote file systems are, what was read stays right, unless it is SOURCE_MIXED: it changed while it was read. */
enum source_change {
	SOURCE_SAME,
	SOURCE_GONE,
	SOURCE_REPLACED,
	SOURCE_GROWN,
	SOURCE_WRITTEN,
	SOURCE_SHRUNK,
	SOURCE_MIXED
};
/* What a file was when it was opened, for one who asks while the source is used, or closed.  The path is the source's.
 * false: it is no file that may change. */
struct source_mark {
	const char *path;
	uint64_t id[2], n;
	struct timespec written;
	bool far; /* on a remote mount, where asking may take long */
};
bool source_mark(const struct source *, struct source_mark *);
enum source_change source_compare(const struct source_mark *); /* asks the file system; any thread */
void source_hear(struct source *, enum source_change); /* what came of asking: source_news() says it */
/* Returns SOURCE_SAME also when the change, or a worse one, was returned before.  With `ask` the file system is asked
 * about files that are not far; else only what was heard, and bytes that were missed when they were read, count. */
enum source_change source_news(struct source *, bool ask);
size_t source_peek(struct source *, uint8_t *buf, size_t size); /* first bytes of the content (unpacked) */
bool source_is_empty(const struct source *); /* false: also when nothing of it can be unpacked */
/* the bytes on disk, as they are */
const uint8_t *source_raw(const struct source *, size_t *n);
/* last bytes, uncompressed files only; 0 otherwise */
size_t source_tail(struct source *, uint8_t *buf, size_t size);

/* Returns the whole content; NULL with err.  Of a damaged compressed file it returns what could be unpacked;
 * *damaged is the byte of the file where the damage is (ERR_NOWHERE = none). */
const uint8_t *source_bytes(struct source *, size_t *size, uint64_t *damaged, struct progress *,
    struct err *);

/* The records that source_bytes() put together, and what was lost of them; NULL: they are none. */
const struct riegeli *source_riegeli(const struct source *);

/* Why the content ends at *damaged, as a message. */
const char *source_why(const struct source *);

/* Streaming.  block() gives the next piece: a pointer valid until the next call, with `keep` bytes of the
 * previous piece's end copied in front of the new ones (the bytes that the loader has not consumed yet).
 * Returns the length of the whole piece including kept bytes, 0 at the end, -1 with err. *offset is the
 * position of the piece's first byte in the content.  At the end or with an error the previous piece stays
 * valid until source_stream_stop(). Pieces of an uncompressed file are in the mapping; what a loader no
 * longer keeps is dropped from memory. */
int source_stream_start(struct source *, struct progress *, struct err *);
int64_t source_stream_block(struct source *, size_t keep, const uint8_t **piece, uint64_t *offset,
    struct err *);
void source_stream_stop(struct source *);

void source_once(struct source *); /* a hint, before the start: source_reread() will not be called */
size_t source_reread(struct source *, uint64_t offset, void *buf, size_t size); /* returns the bytes read */
/* a hint: these bytes of the file need not stay in memory */
void source_forget(struct source *, uint64_t from, uint64_t to);
void source_guard_install(void);

#endif
