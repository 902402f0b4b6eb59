/* Where the step goes, and what mending would save (tpuscope(7), STEP ACCOUNT): the time of all cores as nodes
 * (nodes.h), which is replayed with the cause of a problem taken out.  Only durations are used: cores meet in
 * collectives, whose last one is waited for, and in launches; no clock of two cores is compared.
 *
 * Every core and step is the sum of 30 parts, to the ps.  A prediction is measured − (replay unchanged − replay
 * changed), so that what the replay gets wrong cancels.  What cannot be known is NaN, or -1 of a count.  Times are
 * ps.  It refers to the dump, which must stay open.  Once made it does not change: any thread may predict.  The caller
 * frees. */
#ifndef ANALYZE_REPLAY_REPLAY_H
#define ANALYZE_REPLAY_REPLAY_H

#include "analyze/replay/nodes.h"

/* A core in a meeting. */
struct member {
	uint32_t core, node;
	double off;    /* of launches: how long after the last one it begins */
	int64_t total; /* with the wait before it */
};

/* A run of a collective on all its cores, or a launch on all cores together: who came last is waited for. */
struct meeting {
	uint32_t member, members;
	bool launch;
	int64_t least, least_alone; /* of the totals; without the waits before it */
};

/* Starts of one name on several cores, which exchange something: the pairs from `first` on, by core. */
struct exchange {
	size_t first, n;
};
struct exchange_pair {
	uint32_t core, pair;
};

/* The critical path: what the steps wait for, the last first.  A row: time of a core in something. */
enum path_what {
	PATH_OP,
	PATH_TRANSFER,
	PATH_ASYNC,
	PATH_DMA,
	PATH_INFEED,
	PATH_OUTFEED,
	PATH_HOST_TRANSFER,
	PATH_SPARSECORE,
	PATH_IDLE,
	PATH_SKEW
};
extern const char *const path_what_name[];
struct path_row {
	uint32_t core; /* NODE_NONE: none */
	enum path_what what;
	uint32_t name; /* of an op, or the cause of idle time */
	double ps;     /* in all steps used */
	size_t steps;
};
struct path {
	struct path_row *v; /* most time first */
	size_t n;
	size_t turns, syncs, near_ties; /* to another core; where another core came almost as late */
};

struct replay {
	const struct dump *dump;
	struct replay_core *core; /* by host, then number */
	size_t ncores, nsteps;
	struct member *member;
	size_t nmembers, members_cap;
	struct meeting *meeting;
	size_t nmeetings, meetings_cap, nsyncs; /* syncs: the first ones */
	struct exchange *exchange;
	struct exchange_pair *exchanged; /* of all exchanges */
	size_t nexchanges;
	bool together, waits_known, stuck;
	const struct node **unknown; /* collectives whose waits are not known, one of each kind */
	size_t nunknown;
	uint64_t unpaired, guessed;
	bool *used, *whole;                           /* by step */
	double *step, *unchanged, *light, *core_time; /* by step */
	int64_t (*parts)[SPENT_PARTS];                /* by core and step */
	uint32_t **peers;                             /* lists */
	size_t npeers, peers_cap;
	struct path path; /* of the steps used */
};

void replay_make(const struct dump *, const char *host, int threads, struct progress *, struct replay *);
void replay_free(struct replay *);
double replay_median(const struct replay *); /* of all steps */
size_t replay_count(const struct replay *, const bool *used);
double replay_error(
    const struct replay *); /* of the unchanged replay, at most, in percent; NaN: there is none */
double replay_mean(const struct replay *, const double *by_step, const bool *used); /* NaN: there are none */
static inline const int64_t *replay_parts(const struct replay *r, size_t core, size_t step)
{
	return r->parts[core * r->nsteps + step];
}
int64_t replay_time(const struct replay *, size_t core, size_t step); /* of its own marker */

/* One change or several: "op:fusion.1*0.5,transfer:*=0" */
struct change;
struct change *change_parse(const struct replay *, const char *text, struct err *);
void change_free(struct change *);
bool change_at_most(const char *text);
/* Predicted steps; NaN: not known.  nothing: the steps have nothing that the change is about */
struct prediction {
	double save, step;
	bool nothing;
};
struct prediction replay_predict(const struct replay *, const struct change *);

/* A row of what is asked, or of the changes that are always shown. */
struct lever {
	const char *id;
	char *expression;
	bool at_most;
	struct change *change; /* until it is predicted */
	struct prediction is;
};
struct levers {
	struct lever *v;
	size_t n, cap;
};
/* Adds the standard changes that have something to change here, or one that is asked for (-1: it cannot be read, and
 * err says why), then predicts all of them side by side.  The caller frees. */
void levers_standard(const struct replay *, struct levers *);
int levers_add(const struct replay *, const char *id, const char *expression, struct levers *, struct err *);
void levers_predict(const struct replay *, int threads, struct levers *);
void levers_free(struct levers *);
const char *lever_text(const char *id); /* of a standard change, for people */

extern const struct schema replay_parts_schema, replay_cores_schema, replay_steps_schema, replay_ops_schema,
    replay_path_schema, replay_levers_schema;
void replay_parts_table(const struct replay *, bool some, struct table *); /* some: those that take time */
void replay_cores_table(const struct replay *, int core, struct table *);
void replay_steps_table(const struct replay *, const char *step, struct table *);
void replay_ops_table(const struct replay *, struct table *);
void replay_path_table(const struct replay *, struct table *);
void replay_levers_table(const struct levers *, struct table *);

#endif
