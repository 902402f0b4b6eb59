/* Inside of the XSpace loader.  A file is read in three passes: index (xspace_index.c) finds planes and lines
 * without looking at events; maps (xspace_maps.c) turn metadata ids into indices of trace.metas and stat
 * names into interned strings; lines (xspace_line.c) read the events of each XLine into columns, in
 * parallel; xspace_tracks.c puts the lines together to tracks.  A struct xfile stays as file.private: it
 * knows where each message is, for stats. */
#ifndef LOAD_XSPACE_XSPACE_H
#define LOAD_XSPACE_XSPACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/build/context.h"
#include "load/build/idmap.h"

/* More of these per file than any capture has; the rest is refused, so that a hostile file of 2-byte
 * messages cannot exhaust memory. */
#define XSPACE_PIECES_MAX (1u << 18)
#define XSPACE_LINES_MAX (1u << 18)
#define XSPACE_METAS_MAX (1u << 22)
#define XSPACE_METAS_ALL (1u << 30)   /* of all files: indices stay below XSPACE_UNKNOWN */
#define XSPACE_UNKNOWN_MAX (1u << 16) /* ids without metadata that get a name of their own, per line */

/* ns: larger timestamps count from 1970, smaller ones from the start of the capture */
#define XSPACE_EPOCH INT64_C(1000000000000000)

enum xwhy { XWHY_NOTHING, XWHY_CUT, XWHY_GARBAGE, XWHY_LONG, XWHY_MANY, XWHY_MEMORY };

struct xdamage { /* the first one of a file, and how many there are */
	enum xwhy why;
	uint64_t at, count;
	uint32_t piece; /* UINT32_MAX: outside of any plane */
	size_t line;    /* SIZE_MAX: in no line */
};

struct xpiece {                    /* one XPlane message; several may make one plane */
	uint64_t at, len;          /* in the content */
	uint64_t maps;             /* where in the message its first map entry is */
	uint64_t stats, stats_end; /* where in it its own statistics are */
	const char *name;
	size_t name_len;
	int64_t id;
	uint32_t plane;            /* index into trace.planes */
	struct idmap metas, names; /* id → index into trace.metas; id of a stat metadata → strid */
};

struct xevents {            /* what a line holds */
	struct track track; /* its columns; meta ≥ XSPACE_UNKNOWN: unknown[] of it */
	uint64_t negative, clipped;
	int64_t *unknown; /* ids without metadata */
	size_t nunknown, unknown_cap;
	struct idmap unknown_of;
	struct xdamage damage;
	/* the timestamp came behind events and was not the one they were read with */
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
	bool counted;   /* its bytes were when it was unpacked */
	bool truncated; /* unpacking found damage and told it */
	int file;       /* index into dump.files */
	struct xpiece *pieces;
	size_t npieces, pieces_cap; /* in file order, as are the lines */
	struct xline *lines;
	size_t nlines, lines_cap;
	const char *host;
	size_t host_len, nmetas;
	struct xdamage damage;
	struct err err; /* the content could not be had */
};

struct xload { /* one call of load_xspaces() */
	struct dump *dump;
	struct progress *progress;
	struct xfile **files;
	size_t nfiles;
	int64_t epoch_ns; /* subtracted from timestamps ≥ XSPACE_EPOCH */
	bool mixed;       /* and there are smaller ones, too */
	/* of events whose id nobody names, when there are too many of those; IDMAP_NONE until made */
	uint32_t shared_meta;
	_Atomic bool cancelled;
};

void xspace_index(struct xload *, struct xfile *); /* thread safe, per file */
void xspace_plan(struct xload *, struct xfile *);  /* thread safe, per file: sizes of its maps */
void xspace_maps(struct xload *, struct xfile *);  /* owner thread */
void xspace_line(struct xload *, struct xfile *, struct xline *); /* thread safe, per line */
/* owner thread; the lines of a file become tracks and counters */
void xspace_tracks(struct xload *, struct xfile *);
/* the first is kept, all are counted */
void xspace_damage(struct xdamage *, enum xwhy, uint64_t at, uint32_t piece, size_t line);
void xspace_events_free(struct xevents *); /* NULL allowed */
void xspace_free(void *xfile);
extern const struct stat_reader xspace_stats;

/* Origin of a line's events in ps; saturates. */
int64_t xspace_base(int64_t ts_ns, int64_t epoch_ns);

/* One event at its field key; false when it is damaged. */
struct xevent {
	uint64_t meta;
	int64_t offset, dur, count;
	bool aggregate;
	const uint8_t *p, *end; /* the message */
};
bool xspace_event(const struct xfile *, uint64_t at, struct xevent *);
bool xspace_event_fields(struct xevent *); /* of p … end */
int64_t xspace_add(int64_t a, int64_t b);  /* saturating */

/* First hostname of an XSpace, NULL when it has none. */
const char *xspace_host(const uint8_t *b, size_t n, size_t *len);

/* all XSpaces of a run at once: their lines are parsed in parallel */
int load_xspaces(struct load_ctx *, const int *files, size_t n, struct err *);

#endif
