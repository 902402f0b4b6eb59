/* What held up an event (tpuscope(7), ARROWS): for a collective the core that came last to it (meeting.h),
 * the gap before it on its track, what launched the module that
 * it is in (arrows of trace.edges, which links.h must have made), and what the threads of its host did during
 * the gap.  For a step: the modules, and the idle pieces between them, that make up its time, in order of
 * time, each idle piece with the same kind of reasons.  This attributes time by the file's arrows and times;
 * it proves nothing.
 *
 * A chain is a list of lines in reading order, each with the event that it is about (track UINT32_MAX =
 * none).  Times are ps on the clock in use.  At most CHAIN_LOOK events of a thread and CHAIN_THREADS threads
 * are looked at.  The caller frees (chain_free); the dump is only read. */
#ifndef ANALYZE_EVENTS_CHAIN_H
#define ANALYZE_EVENTS_CHAIN_H

#include "analyze/steps/steps.h"
#include "model/dump.h"

#define CHAIN_NONE UINT32_MAX
#define CHAIN_LOOK 20000
#define CHAIN_THREADS 512

enum chain_kind {
	CHAIN_MEETING, /* the run of a collective on the core that the others waited for; level 1: what it ran before */
	CHAIN_GAP,    /* nothing ran between `from` and `to` */
	CHAIN_MODULE, /* a module, or a piece of a step in which it ran */
	CHAIN_LAUNCH, /* what launched it; level > 0: what caused that */
	CHAIN_HOST,   /* what a thread of the host did during the gap */
	CHAIN_NOTE
};

struct chain_line {
	enum chain_kind kind;
	int level;
	uint32_t track;
	size_t event;
	int64_t from, to;
	char *text;
};

struct chain {
	struct chain_line *v;
	size_t n, cap;
	struct arena text;
};

/* The time before an event in which nothing else ran on its track, or inside the event around it.  `before`:
 * the event that ran last, SIZE_MAX = none.  Returns false when there is no gap. */
struct chain_gap {
	int64_t from, to;
	size_t before;
};
bool chain_gap(const struct dump *, uint32_t track, size_t event, struct chain_gap *);

/* How lines write times.  `moment` NULL: counted from the start of the capture. */
struct chain_words {
	bool ascii;
	char *(*moment)(const void *by, int64_t t, char *buf, size_t);
	const void *by;
};

void chain_of_event(const struct dump *, uint32_t track, size_t event, const struct chain_words *,
    struct chain *);
void chain_of_step(const struct dump *, const struct step *, const struct chain_words *, struct chain *);
void chain_free(struct chain *);

#endif
