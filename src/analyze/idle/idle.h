/* Why cores are idle (tpuscope(7), IDLE TIME): every ps in which no op runs has one cause, the first that fits.
 * Inside a run of a program: another core (barrier-cores), another op (dependency-wait), an asynchronous
 * collective or a copy in flight, or the program itself.  Outside: before the host had enqueued the next run,
 * input or the launch itself; after that, the turn-around of the device; else it is unknown.  The causes add up to
 * the idle time, of a core and of each of its steps.  Made from struct core_times, which must stay alive; times
 * are ps.  The caller frees. */
#ifndef ANALYZE_IDLE_IDLE_H
#define ANALYZE_IDLE_IDLE_H

#include "analyze/pieces/core_times.h"
#include "result/table.h"

enum idle_cause {
#define CAUSE(id, name, text) IDLE_##id,
#include "analyze/idle/causes.def"
#undef CAUSE
	IDLE_CAUSES
};
extern const char *const idle_cause_id[IDLE_CAUSES];   /* "in_run" */
extern const char *const idle_cause_name[IDLE_CAUSES]; /* "inside the program" */

struct idle_core {
	int host, core;
	const struct step *step;               /* NULL: the whole window */
	int64_t window, idle, overlap, infeed; /* the latter two of a step: -1, not known */
	int64_t cause[IDLE_CAUSES];            /* add up to idle */
};

enum idle_cause idle_cause_of(enum piece_class); /* of a class of idle time */

/* What a host did on a thread while cores waited for it to launch a run. */
struct idle_launch {
	uint32_t track; /* the thread */
	strid top, low; /* names of events: the outermost that is of the wait and the innermost; 0: none */
	int64_t time, count; /* count: of waits in which it was */
	size_t wait;         /* while they are gathered: which */
};

/* What hosts did in most of the time in which cores waited for a launch, by its name. */
struct idle_host_event {
	strid name;
	int64_t time, waits;
};

struct idle_gap {
	int host, core;
	struct time_gap of;
	enum idle_cause cause; /* most of it */
};

struct idle {
	const struct dump *dump;
	struct idle_core sum; /* of all cores */
	struct idle_core *core, *step;
	size_t ncores, nsteps;
	struct idle_launch *launch; /* most time first */
	size_t nlaunches;
	struct idle_host_event host; /* waits 0: none */
	struct idle_gap *gap;        /* the longest, by length */
	size_t ngaps;
};

struct idle_options {
	const char *host; /* NULL = all */
	int core;         /* -1 = all */
	const char *step; /* NULL = the whole capture */
};

void idle_make(const struct core_times *, const struct idle_options *, struct idle *);
void idle_free(struct idle *);
double idle_percent(const struct idle_core *);                         /* NaN: there is no time */
enum idle_cause idle_most(const struct idle_core *, int64_t *of_idle); /* the cause of most of it */

/* Why a core is idle at a moment of the host's clock, and from when to when; meta: the kind of event in which the
 * thread that launches its next run is then, CUT_NONE: not known.  false: it is busy, or the gap is too short to be
 * kept. */
struct idle_moment {
	enum idle_cause cause;
	int64_t from, to;
	uint32_t meta;
};
bool idle_at(const struct core_times *, int host, int core, int64_t time, struct idle_moment *);

extern const struct schema idle_cores_schema, idle_steps_schema, idle_launches_schema, idle_longest_schema;
void idle_cores_table(const struct idle *, struct table *);
void idle_steps_table(const struct idle *, bool labels, struct table *);
void idle_launches_table(const struct idle *, struct table *);
void idle_longest_table(const struct idle *, struct table *);

#endif
