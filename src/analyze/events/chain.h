/* What held an event up (tpuscope(7), ARROWS): the gap before it on its track, who launched the module it is
 * in (arrows of trace.edges, see links.h, which must have been built), and what the threads of its host did
 * in the gap.  And of a step: the modules and the idle pieces between them that bound it, in order of time,
 * each idle piece with the same reasons.  An attribution, no proof: it says what the file's arrows and times
 * say.
 *
 * A chain is a list of lines, each with the event it speaks of (track UINT32_MAX = none), in order of
 * reading. ps, the clock in use.  Looks at no more than CHAIN_LOOK events of a thread and CHAIN_THREADS
 * threads.  The caller frees (chain_free); the dump is only read. */
#ifndef ANALYZE_EVENTS_CHAIN_H
#define ANALYZE_EVENTS_CHAIN_H

#include "analyze/steps/steps.h"
#include "model/dump.h"

#define CHAIN_NONE UINT32_MAX
#define CHAIN_LOOK 20000
#define CHAIN_THREADS 512

enum chain_kind {
	CHAIN_GAP,    /* nothing ran: from … to */
	CHAIN_MODULE, /* a module, or a piece of a step in which it ran */
	CHAIN_LAUNCH, /* who launched it; level > 0: who caused that */
	CHAIN_HOST,   /* what a thread of the host did in the gap */
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

/* The time before an event in which nothing ran beside it on its track, or inside the event around it;
 * `before`: what ran last, SIZE_MAX = nothing did.  false: nothing comes before it. */
struct chain_gap {
	int64_t from, to;
	size_t before;
};
bool chain_gap(const struct dump *, uint32_t track, size_t event, struct chain_gap *);

/* How lines write times; `moment` NULL: moments count from the begin of the capture. */
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
