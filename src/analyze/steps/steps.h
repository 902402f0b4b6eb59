/* Steps of a capture (tpuscope(7), STEPS): the device's Steps line; without one, repeats of the most
 * time-consuming module ("XLA Modules", pseudo steps, said so); without a TPU, the host's own step events
 * (StepTraceAnnotation: stat _r with step_num, or names "train 3"); else none.  `number` is the text every
 * tool prints: XProf's step number, or the step's name in captures without a TPU; `name` is the program's
 * name of it, or NULL.  Where a step stands is the plain clock (timeline's), as in `report trace`; infeed,
 * idle and compute are self times of the ops on the device's clock (device_duration_ps where the file has
 * it).  ps. Numbers (XProf's): the id of the host step that launched the marker (groups.h); when none did,
 * the i-th marker of each core counts on from the host's own steps.  With several hosts the steps are
 * aligned to those of the host with the shortest run, and numbered from 0 where all have begun.  Pseudo
 * steps are counted from 0. Rows are sorted by host, core, start.  The caller frees (steps_free). */
#ifndef ANALYZE_STEPS_STEPS_H
#define ANALYZE_STEPS_STEPS_H

#include "base/progress.h"
#include "model/dump.h"
#include "result/table.h"

enum step_source { STEPS_NONE, STEPS_LINE, STEPS_MODULES, STEPS_HOST };

struct groups;
struct robust;

struct step {
	char number[64];
	const char *name;
	size_t name_len; /* program's name, NULL */
	/* XProf's number, as in `number`; of host steps and pseudo steps: counted */
	int64_t id;
	/* what the file calls the marker ("101"), as the ruler of the timeline says it; `number` for pseudo
	 * and host steps, and where all markers have one name */
	char label[64];
	int64_t shown;         /* the number that `label` is, else `id` */
	bool taken;            /* another step is called what this one's `number` is */
	int64_t group;         /* groups.h: the host step that launched it (or that it is), -1 */
	int host, core;        /* core -1: host step */
	uint32_t plane, track; /* where the marker is */
	/* last: of markers that follow each other with one number, else = event */
	size_t event, last;
	int64_t start, dur, interval;  /* interval -1: last one */
	int64_t infeed, idle, compute; /* valid with has_ops */
	bool has_ops;
	bool outlier, slow; /* of its core: beyond median + 3 MAD; steps_slow() */
};

struct steps {
	struct step *v;
	size_t n;
	enum step_source source;
	size_t distinct;
	double avg_ms, sd_ms, min_ms, max_ms; /* per step the longest core; sample standard deviation */
	char module[160];                     /* STEPS_MODULES: whose repeats */
	/* markers left out, as in XProf: no host step launched them, but some launched others */
	uint64_t unlinked;
	struct groups *groups; /* groups.h, without the members */
	struct arena text;     /* names */
};

/* with_ops: fills infeed, idle, compute (scans XLA Ops) */
int steps_find(const struct dump *, struct steps *, bool with_ops);
/* fills them in steps found without; false: cancelled, and they are not all there */
bool steps_times(const struct dump *, struct steps *, struct progress *);
void steps_free(struct steps *);
/* its label, its name, or, where no step is called so, its number */
bool steps_is(const struct step *, const char *text);
/* what the step is called that this group of the host is, or launched (groups.h); NULL: none is known */
const char *steps_group_label(const struct steps *, int host, int64_t group);
const char *steps_source_name(enum step_source); /* "Steps", "XLA Modules", "host", or NULL */
/* step a moment of a plane belongs to: own core's, for host planes the host's first core or host steps;
 * NULL */
const struct step *steps_at(const struct steps *, const struct dump *, uint32_t plane, int64_t t);
/* the rows steps_at() looks at: contiguous, by start */
size_t steps_of_plane(const struct steps *, const struct dump *, uint32_t plane, const struct step **first);
/* where the marker stands now: the clock in use, as steps_at() */
void steps_span(const struct step *, const struct dump *, int64_t *from, int64_t *to);
/* far above the others (robust.h): z > 3.5, and at least 2 % longer than their median */
bool steps_slow(const struct robust *others, int64_t dur);
extern const struct schema steps_schema;
/* labels: steps by what the timeline calls them, not by number */
void steps_table(const struct steps *, const struct dump *, bool labels, struct table *);

#endif
