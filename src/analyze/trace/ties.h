/* The stats that link events to each other (tpuscope(7), ARROWS), read once per event: which event hands work
 * to which (_p, _pt: producer; _c, _ct: consumer), flows, runs of a program, and what makes an event the root
 * of a group (_r, step_num, iter_num, group_id).  Used by links.c (arrows) and groups.c (which step launched
 * what).  `ties_names` belongs to the caller and is read-only once made; reading is thread safe.  Values
 * written as text count, too (Chrome traces). */
#ifndef ANALYZE_TRACE_TIES_H
#define ANALYZE_TRACE_TIES_H

#include "base/progress.h"
#include "model/dump.h"

enum tie {
	TIE_P,
	TIE_PT,
	TIE_C,
	TIE_CT,
	TIE_PID,
	TIE_FLOW,
	TIE_ROOT,
	TIE_STEP_NUM,
	TIE_ITER_NUM,
	TIE_GROUP,
	TIE_RUN,
	TIE_ORDINAL,
	TIE_CORRELATION,
	TIE_OFFLOAD_CORE,
	TIE_OFFLOAD_START,
	TIE_COUNT
};

#define TIE_HAS(t, what) ((t)->has & 1u << (what))

struct ties {
	uint32_t has; /* bits 1 << enum tie; of several stats with one name, the first counts */
	int64_t v[TIE_COUNT];
};

struct ties_names {
	uint8_t *kind; /* by strid: enum tie + 1, 0 = something else */
	strid id[TIE_COUNT];
	unsigned nids; /* how many of these names the dump has */
	/* present: bits of the names that are among the dump's strings (names in JSON and trace tables are
	 * not) */
	uint32_t n, present;
};

void ties_names_init(struct ties_names *, const struct dump *);
void ties_names_free(struct ties_names *);
/* Reads the events of one track, in one thread; names, dump and track must stay alive. */
struct ties_reader {
	const struct ties_names *names;
	struct stat_ints ints;
	bool quick;
};
void ties_open(struct ties_reader *, const struct ties_names *, const struct dump *, const struct track *);
/* false: the event has none of them */
bool ties_read(struct ties_reader *, size_t i, struct ties *);

/* One end of a hand-over; ends with the same host and key belong together. */
struct tie_end {
	uint64_t key;
	uint32_t host_type, track; /* host_type: host × 256 + context type */
	size_t event;
	bool producer;
};

/* A key with as many producers and as many consumers is meaningless. */
#define TIE_FAN_MAX 64

struct tie_ends {
	struct tie_end *v;
	size_t n, cap;
};

/* adds the ends that _p and _c state */
void tie_ends_add(struct tie_ends *, const struct dump *, uint32_t track, size_t event, const struct ties *);

#define TIE_LAUNCHER "DoEnqueue" /* the events of a host that launch a program on a core begin so */

/* adds a run of a program, or its launch, where no _c or _p joins them but the run and the core do */
void tie_ends_add_launch(struct tie_ends *, const struct dump *, uint32_t track, size_t event,
    const struct ties *);

/* Sorts the ends and calls fn for every key that has both: `producers` of them first, consumers behind them
 * up to n, each by track and event.  Adds the number of keys skipped for having too many ends to *skipped,
 * which may be NULL.  Returns false when canceled. */
bool tie_ends_by_key(struct tie_ends *,
    void (*fn)(void *ctx, const struct tie_end *, size_t producers, size_t n), void *ctx, size_t *skipped,
    const struct progress *);
/* Joins the ends, and calls fn for every producer and consumer of one key. */
bool tie_ends_join(struct tie_ends *,
    void (*fn)(void *ctx, const struct tie_end *from, const struct tie_end *to), void *ctx, size_t *skipped,
    const struct progress *);

#endif
