/* Internals of the XSpace loader.  A file is read in three passes: index.c finds planes and lines without
 * reading events; maps.c turns metadata ids into indices of trace.metas and stat names into interned strings;
 * line.c reads the events of each XLine into columns, in parallel.  Then tracks.c joins lines into tracks.  Records
 * (load/riegeli) hold an XSpace each, of which one may be cut off, so that each is read by itself.  A
 * struct xfile is kept as file.private: it knows where each message is, so that stats can be read later. */
#ifndef LOAD_XSPACE_XSPACE_H
#define LOAD_XSPACE_XSPACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/build/context.h"
#include "load/build/idmap.h"
#include "load/riegeli/riegeli.h"

/* Limits per file, larger than in any capture, so that a hostile file of 2-byte messages cannot exhaust
 * memory. */
#define XSPACE_PIECES_MAX (1u << 18)
#define XSPACE_LINES_MAX (1u << 18)
#define XSPACE_METAS_MAX (1u << 22)
#define XSPACE_METAS_ALL (1u << 30)   /* in all files: indices stay below XSPACE_UNKNOWN */
#define XSPACE_UNKNOWN_MAX (1u << 16) /* ids without metadata that get a name of their own, per line */

/* ns: larger timestamps count from 1970, smaller ones from the start of the capture */
#define XSPACE_EPOCH INT64_C(1000000000000000)

enum xwhy { XWHY_NOTHING, XWHY_CUT, XWHY_GARBAGE, XWHY_HOLE, XWHY_LONG, XWHY_MANY, XWHY_MEMORY };

/* What bytes that cannot be read are part of; EVENTS: of a line, behind its first event. */
enum xlevel { XLEVEL_SPACE, XLEVEL_PLANE, XLEVEL_LINE, XLEVEL_EVENTS };

struct wire;

struct xdamage { /* the first damage of a file, and how often there is damage */
	enum xwhy why;
	uint64_t at, count;
	uint32_t piece; /* UINT32_MAX: outside of planes */
	size_t line;    /* SIZE_MAX: outside of lines */
};

struct xpiece {                    /* one XPlane message; several may make one plane */
	uint64_t at, len;          /* in the content */
	uint64_t maps;             /* offset of its first map entry in the message */
	uint64_t stats, stats_end; /* offsets of its own stats in the message */
	const char *name;
	size_t name_len;
	int64_t id;
	uint32_t plane;            /* index into trace.planes */
	uint32_t next;             /* the next piece of that plane, UINT32_MAX = no more */
	struct idmap metas, names; /* id → index into trace.metas; id of a stat metadata → strid */
	bool cut; /* the file ends in it: what its last fields say, as the names of its events, is missing */
};

struct xevents {            /* the events of a line */
	struct track track; /* its columns; meta ≥ XSPACE_UNKNOWN: index into unknown[] */
	uint64_t negative, clipped;
	int64_t *unknown; /* ids without metadata */
	size_t nunknown, unknown_cap;
	struct idmap unknown_of;
	struct xdamage damage;
	/* the timestamp came after events that were read with another one */
	bool late;
};
#define XSPACE_UNKNOWN UINT32_C(0x80000000)

struct xline { /* one XLine message */
	uint64_t at, len;
	uint32_t piece;
	bool cut, has_events;
	const char *name, *display; /* in the content */
	size_t name_len, display_len;
	int64_t id, display_id, ts_ns;
	struct xevents *events; /* NULL: none, or moved to its track */
};

struct xfile {
	const uint8_t *b; /* the content */
	size_t n;
	const struct riegeli *records; /* in which it is; NULL: it is one message */
	bool counted;                  /* its bytes were reported to the progress while unpacking */
	int64_t shift_ns;              /* of times that count from its start; 0 unless files are joined */
	size_t empty;                  /* planes without any content */
	bool truncated;                /* unpacking found damage and reported it */
	int file;                      /* index into dump.files */
	struct xpiece *pieces;
	size_t npieces, pieces_cap; /* in file order, as are the lines */
	struct xline *lines;
	size_t nlines, lines_cap;
	const char *host;
	size_t host_len, nmetas;
	struct xdamage damage;
	struct err err; /* why the content could not be read */
};

struct xload { /* one call of load_xspaces() */
	struct dump *dump;
	struct progress *progress;
	struct xfile **files;
	size_t nfiles;
	int64_t epoch_ns; /* subtracted from timestamps ≥ XSPACE_EPOCH */
	bool join;        /* files begin when their profilers were started */
	bool mixed;       /* there are also smaller timestamps */
	/* shared by events without metadata when there are too many ids; IDMAP_NONE until made */
	uint32_t shared_meta;
	_Atomic bool canceled;
};

void xspace_index(struct xload *, struct xfile *); /* thread safe, per file */
void xspace_plan(struct xload *, struct xfile *);  /* thread safe, per file: sizes of its maps */
void xspace_maps(struct xload *, struct xfile *);  /* owner thread */
void xspace_line(struct xload *, struct xfile *, struct xline *); /* thread safe, per line */
/* owner thread; makes tracks and counters of the lines of a file */
void xspace_tracks(struct xload *, struct xfile *);
/* counters.c: makes counters of the samples that the events of a track are, or state */
void xspace_counters(struct dump *, int file, uint32_t track);
/* index.c: keeps the first damage and counts all */
void xspace_damage(struct xdamage *, enum xwhy, uint64_t at, uint32_t piece, size_t line);
/* resume.c: a reader that met something invalid goes on behind it, where what follows fits.  False: it stays there. */
bool xspace_resume(struct wire *, enum xlevel);

void xspace_events_free(struct xevents *); /* NULL allowed */
extern const struct stat_reader xspace_stats;

/* Returns the origin of a line's events in ps; saturates. */
int64_t xspace_base(const struct xfile *, int64_t ts_ns, int64_t epoch_ns);

/* An event.  xspace_event() reads the one whose field key is at a place; false: damaged. */
/* of functions that are called for each event: `pext` is then a constant in them */
#define FAST static inline __attribute__((always_inline))

struct xevent {
	uint64_t meta;
	int64_t offset, dur, count;
	bool aggregate;
	const uint8_t *p, *end; /* the message */
};
bool xspace_event(const struct xfile *, uint64_t at, struct xevent *);

/* Returns the first hostname of an XSpace, or of those in records, NULL when it has none. */
const char *xspace_host(const struct riegeli *, const uint8_t *b, size_t n, size_t *len);

bool xspace_has_events(const uint8_t *b, size_t n); /* an event of any line */
/* Loads all XSpaces of a run at once, so that their lines are read in parallel. */
int load_xspaces(struct load_ctx *, const int *files, size_t n, struct err *);

#endif
