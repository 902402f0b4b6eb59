/* Internals of the loader of Perfetto traces.  A trace is gone through twice, packet by packet: first for what
 * describes tracks, which may follow their events, for names, and for the first time; then for events.
 *
 * packed.c unpacks packets in packets.  packets.c reads a packet and keeps the state of its sequence: names that a
 * sequence interns hold until it clears its state, so that each belongs to a generation.  tracks.c turns
 * descriptors into tracks.  stats.c decodes annotations of an event when somebody looks: its place is that of its
 * packet. */
#ifndef LOAD_PERFETTO_INTERNAL_H
#define LOAD_PERFETTO_INTERNAL_H

#include "load/build/builder.h"
#include "load/build/loaders.h"

#define PF_NONE UINT64_MAX

enum pf_interned { PF_CATEGORY = 1, PF_NAME, PF_KEY, PF_STRING };

/* A clock of a sequence, in its own units: `boot` is the time of the trace, in ns, when it showed `at`. */
struct pf_clock {
	uint64_t id;
	int64_t unit, at, now, boot;
	bool incremental;
};

struct pf_sequence {
	uint64_t *began; /* places where it cleared its state: its generations */
	size_t nbegan, began_cap;
	/* the state, of one pass */
	size_t generation;
	struct pf_clock *clocks;
	size_t nclocks, clocks_cap;
	uint64_t clock, track; /* defaults; PF_NONE: none */
	int64_t legacy_us;     /* of times in us, each counted from the last one */
};

struct pf_file { /* kept with the file (file.private) */
	const uint8_t *b;
	size_t n;
	uint8_t *owned;         /* unpacked packets */
	struct idmap sequences; /* id → index */
	struct pf_sequence *sequence;
	size_t nsequences, cap;
	struct idmap interned; /* sequence, generation, kind and id, mixed → strid */
};

struct pf_packet {
	uint64_t at; /* place of the field that it is */
	uint64_t ts, clock, sequence, flags;
	bool has_ts, other; /* other: has something that is not read */
	struct slice event, descriptor, thread, defaults, snapshot, interned, packed, packed_zstd;
};

struct pf_track {
	uint64_t uuid, parent;
	strid name, process, unit;
	int64_t pid, tid, rank;
	bool described, has_process, has_thread, has_rank, counter, incremental;
	double multiplier, value; /* of a counter: the sum of its increments */
	uint32_t track, samples;  /* in the build; IDMAP_NONE: not yet */
};

struct pf_reading {
	struct build b;
	struct pf_file *f;
	struct file *file;
	struct idmap track_of;
	struct pf_track *track;
	size_t ntracks, tracks_cap;
	int64_t offset[64]; /* of clocks of the system, to the time of the trace */
	bool known[64];
	bool pass2;
	int64_t first, last; /* ns; first > last: no event */
	struct idmap flows;  /* ids that began */
	uint64_t events, others, lost, legacy, nameless, zstd;
};

/* Finds the next packet from *w on and reads it; false at the end. */
bool pf_packet(const struct pf_file *, struct wire *w, struct pf_packet *);
/* Unpacks packets in packets between the others: from now on, a place is one in these bytes. */
void pf_unpack(struct pf_reading *);
struct pf_sequence *pf_sequence(struct pf_file *, uint64_t id);
/* Takes what a packet says about its sequence. */
void pf_state(struct pf_reading *, const struct pf_packet *, struct pf_sequence *);
int64_t pf_time(struct pf_reading *, const struct pf_packet *, struct pf_sequence *); /* ns */
uint32_t pf_name(const struct pf_file *, uint64_t sequence, size_t generation, enum pf_interned,
    uint64_t id); /* strid, or IDMAP_NONE */
size_t pf_generation(const struct pf_sequence *, uint64_t at);

void pf_describe(struct pf_reading *, struct slice descriptor);
void pf_describe_thread(struct pf_reading *, const struct pf_packet *,
    struct pf_sequence *);                                     /* by an old writer */
struct pf_track *pf_track(struct pf_reading *, uint64_t uuid); /* with its track in the build */

void pf_free(void *);
extern const struct stat_reader pf_stats;

#endif
