/* Stats (args) of events, kinds of events and planes, decoded from the file at the moment somebody looks.
 * The loader of each file kind supplies the reader; everybody else calls stats_*().  Values and names passed
 * to the callback are valid only during the call; strings are raw bytes of the file.  Order and repetitions
 * are those of the file.  The callback returns false to stop.  Reading is thread safe. */
#ifndef MODEL_STAT_H
#define MODEL_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/strtab.h"

struct dump;
struct track;
struct stat_ints;

/* JSON: raw text of an object or array */
enum stat_type { STAT_DOUBLE, STAT_UINT, STAT_INT, STAT_STR, STAT_BYTES, STAT_JSON };

struct stat_value {
	const char *name;
	size_t name_len;
	strid name_id; /* interned name; UINT32_MAX if this file's names are not interned */
	enum stat_type type;
	double d; /* for DOUBLE; set for UINT and INT, too */
	uint64_t u;
	int64_t i; /* UINT and INT both set u and i */
	const char *s;
	size_t n; /* for STR, BYTES, JSON, where s is never NULL; name is never NULL, either */
};

static inline bool stat_is(const struct stat_value *v, const char *name)
{
	return slice_is((struct slice){ v->name, v->name_len }, name);
}

typedef bool stat_fn(void *ctx, const struct stat_value *);

struct stat_reader { /* supplied by the loader for each file */
	void (*event)(const struct dump *, const struct track *, size_t i, stat_fn *, void *);
	void (*meta)(const struct dump *, uint32_t meta, stat_fn *, void *);
	void (*plane)(const struct dump *, uint32_t plane, stat_fn *, void *);
	/* stat_ints_read(), for callers that check every event; NULL: event() is used. */
	unsigned (*ints)(struct stat_ints *, size_t i, int64_t *out);
	/* The plain pair of an event as in the file (ps since the origin), whichever clock the columns have
	 * now. */
	bool (*plain)(const struct dump *, const struct track *, size_t i, int64_t *start, int64_t *dur);
};

/* only the event's own stats, not those of its kind */
void stats_of_event(const struct dump *, const struct track *, size_t i, stat_fn *, void *ctx);
void stats_of_meta(const struct dump *, uint32_t meta, stat_fn *, void *ctx);
void stats_of_plane(const struct dump *, uint32_t plane, stat_fn *, void *ctx);

/* Reads of the events of a track the first stat of each of these names, which differ (interned; UINT32_MAX: not of this
 * dump), and returns a bit for each that exists.  A stat that is not a whole number sets 0; one that does not exist
 * leaves `out` unchanged.  A reader serves one thread; dump, track and names must stay alive. */
#define STAT_INTS_MAX 32
struct stat_ints {
	const struct dump *dump;
	const struct track *track;
	const strid *name;
	unsigned n;        /* at most STAT_INTS_MAX */
	unsigned has, all; /* bits of those found so far, and of those that there may be */
	int64_t *out;
	unsigned (*read)(struct stat_ints *, size_t i, int64_t *out);
	/* The loader's: a part of the file, and for each small id of a stat there the place of its name. */
	const void *part;
	uint8_t place[128];
};
void stat_ints_open(struct stat_ints *, const struct dump *, const struct track *, const strid *name,
    unsigned n);
static inline unsigned stat_ints_read(struct stat_ints *r, size_t i, int64_t *out)
{
	return r->read(r, i, out);
}
/* for loaders: what `all` is; takes a stat, as a stat_fn */
unsigned stat_ints_all(const struct stat_ints *);
bool stat_ints_take(void *stat_ints, const struct stat_value *);
/* Same, for a single event. */
unsigned stats_event_ints(const struct dump *, const struct track *, size_t i, const strid *name, unsigned n,
    int64_t *out);
/* Is that much cheaper than stats_of_event() on this track?  If so, all names of stats are interned. */
bool stats_ints_are_quick(const struct dump *, const struct track *);

/* The number that a stat holds, or that its text is, as in Chrome traces; false (out unchanged) if it is none.
 * Whole numbers have 64 bits; unsigned ones wrap. */
bool stat_whole(const struct stat_value *, int64_t *out);
bool stat_number(const struct stat_value *, double *out);
/* Converts a number, or a text that is one, as in Chrome traces.  Clamped to 64 bits; 0 for anything else. */
int64_t stat_integer(const struct stat_value *);

/* Read the first stat of that name; false when there is none (out unchanged). */
bool stat_meta_int(const struct dump *, uint32_t meta, const char *name, int64_t *out);
bool stat_meta_double(const struct dump *, uint32_t meta, const char *name, double *out);
/* raw bytes, cut to the size and terminated */
bool stat_meta_str(const struct dump *, uint32_t meta, const char *name, char *buf, size_t size);
bool stat_plane_int(const struct dump *, uint32_t plane, const char *name, int64_t *out);
bool stat_plane_double(const struct dump *, uint32_t plane, const char *name, double *out);
bool stat_plane_str(const struct dump *, uint32_t plane, const char *name, char *buf, size_t size);

#endif
