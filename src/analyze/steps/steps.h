/* Steps of a capture (tpuscope(7), STEPS): the device's Steps line; without one, the runs of the program that
 * takes the most time ("XLA Modules", called pseudo steps), each from its begin to that of the next run on its
 * core, which leaves out the last one, unless it is the only one; where several programs alternate, like prefill
 * and decode, those of all of them, which have no mean; without a TPU, the host's own step events
 * (StepTraceAnnotation: stat _r with step_num, or names like "train 3"); otherwise none.  `number` is the text
 * that every tool prints: XProf's step number or, in captures without a TPU, the step's name.  `name` is the
 * program's own name of it, or NULL.  The start of a step is on the plain clock, as in the timeline and in `report
 * trace`; infeed, idle and compute are self times of ops on the device's clock (device_duration_ps, where the file
 * has it). ps.  The number is XProf's: the ID of the host step that launched the marker (groups.h).  If no marker
 * was launched by any, markers of each core are numbered on from the host's own steps.  With several hosts, steps
 * are aligned to those of the host whose steps span the shortest time, and numbered from 0, the first step that
 * all have.  Pseudo steps are numbered from 0. Rows are sorted by host, core, start.  The caller frees
 * (steps_free). */
#ifndef ANALYZE_STEPS_STEPS_H
#define ANALYZE_STEPS_STEPS_H

#include "analyze/trace/step_program.h"
#include "model/dump.h"
#include "result/table.h"

#define STEPS_WARM 1.5 /* a first step longer than so many medians warms up, where captures are compared */

enum step_source { STEPS_NONE, STEPS_LINE, STEPS_MODULES, STEPS_HOST };

struct groups;
struct robust;

struct step {
	char number[64];
	const char *name;
	size_t name_len; /* the program's name, or NULL */
	/* XProf's number, as in `number`; for host steps and pseudo steps, their count */
	int64_t id;
	/* What the file calls the marker ("101"), as shown on the ruler of the timeline; same as `number` for
	 * pseudo steps and host steps, and when all markers have the same name. */
	char label[64];
	int64_t shown; /* `label` as a number, else `id` */
	bool taken;    /* another step's label is the same as this one's number */
	/* ID of the group of the host step that launched it, or that it is (groups.h); -1: none */
	int64_t group;
	int host, core;        /* core -1: a host step */
	uint32_t plane, track; /* where its marker is */
	/* last: the last of consecutive markers that were merged into this step, else = event */
	size_t event, last;
	strid program; /* of a pseudo step */
	/* A pseudo step ends where the next run on its core begins, this event; all others, and the only run of
	 * a core, end with their marker. */
	bool to_next;
	uint32_t next_track;
	size_t next;
	int64_t start, dur, interval;  /* ps; interval -1: no next step */
	int64_t infeed, idle, compute; /* ps; valid with has_ops */
	bool has_ops;
	bool outlier,
	    slow; /* outlier: longer than median + 3 MAD of its core, by 2 % at least; slow: by steps_slow() */
	/* The last of a core, when it may be too short: nothing follows it, so the capture may have ended
	 * before it did; or steps leave no time between them, so it ends with what ran last and all others
	 * where the next one begins. A pseudo step: the only run. */
	bool open;
};

struct steps {
	struct step *v;
	size_t n;
	enum step_source source;
	size_t distinct;
	/* the longest core of each step counts; sd is the sample standard deviation; NaN: steps of several programs */
	double avg_ms, sd_ms, min_ms, max_ms;
	struct step_programs programs; /* STEPS_MODULES: what runs in them */
	char module[160];              /* … name of the one program, or "2 programs" */
	/* Markers left out, as in XProf: no host step launched them, although host steps launched others. */
	uint64_t unlinked;
	struct groups *groups; /* without the members */
	struct arena text;     /* texts of names */
};

/* Leaves out infeed, idle and compute: account_of_rows() takes them from the cells of the cores. */
void steps_find(const struct dump *, struct steps *);
void steps_free(struct steps *);
/* Does the text name the step: by its label, its name or, if no step's label is that text, its number? */
bool steps_is(const struct step *, const char *text);
/* Returns the label of the step that this group of the host is, or launched (groups.h); NULL: not known. */
const char *steps_group_label(const struct steps *, int host, int64_t group);
const char *steps_source_name(enum step_source); /* "Steps", "XLA Modules", "host", or NULL */
/* Returns the step at time t on a plane: one of its own core or, for host planes, of the host's first core or
 * its host steps; NULL: none. */
const struct step *steps_at(const struct steps *, const struct dump *, uint32_t plane, int64_t t);
/* the rows of a core, which stand together, by start; returns how many */
size_t steps_of_core(const struct steps *, int host, int core, const struct step **first);
/* the rows that steps_at() searches: those of a core */
size_t steps_of_plane(const struct steps *, const struct dump *, uint32_t plane, const struct step **first);
/* where the step is on the clock in use, as for steps_at() */
void steps_span(const struct step *, const struct dump *, int64_t *from, int64_t *to);
/* where it ends on the plain clock */
int64_t steps_plain_end(const struct step *, const struct dump *);
/* A converted trace has its events in the order of time: where it is cut off, this is how far the ops of a plane
 * were read, and the missing ones of a step that goes on behind it are not idle time.  INT64_MAX: to the end. */
int64_t steps_read_until(const struct dump *, uint32_t plane);
bool steps_is_read(const struct track *, size_t marker, int64_t until);
/* far longer than the others (robust.h): z > 3.5, and at least 2 % longer than their median */
bool steps_slow(const struct robust *others, int64_t dur);

#endif
