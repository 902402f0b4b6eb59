/* Aligned hosts: `=` shifts the times of each host, on the screen only, so that the step under the cursor
 * begins on all of them at time 0, and opens a table of what each core did in it.  The model keeps its times;
 * stored times (marks, positions of the history) are times of a plane, so that they stay with what they
 * belong to.  `sc` is set once; lineup_free() frees the rest. */
#ifndef VIEW_TIMELINE_LINEUP_H
#define VIEW_TIMELINE_LINEUP_H

#include "analyze/events/host_align.h"
#include "view/timeline/scene/scene.h"

struct lineup_core {
	uint32_t plane;
	int64_t own, collective; /* own: all but collectives, waits and copies */
	double ratio;            /* own work relative to the median core's */
};

struct lineup {
	struct scene *sc;
	bool estimated;
	int64_t id;
	char name[160];
	int64_t *shift; /* by host, relative to the first host that has the step */
	struct lineup_core *core;
	size_t n; /* in the order of hosts and cores */
	int64_t median;
	size_t slowest;
	bool straggler; /* the slowest core stands out */
	/* what the findings call slow, of all steps; core -1: the whole host; host -1: none, or not known yet */
	int slow_host, slow_core;
	unsigned long findings;  /* serial of the findings that say so */
	struct align_host *host; /* estimated offsets, NULL = not yet estimated */
};

unsigned lineup_toggle(struct lineup *);
/* estimates the offsets of the clocks, once, and asks the findings for the straggler */
bool lineup_step(struct lineup *);
void lineup_free(struct lineup *);
void lineup_forget(struct lineup *); /* for when events have other times */
/* Text after names in the gutter: "+46.250 ns" for a shifted host; the estimated offset of its clock if not
 * aligned.  brief: "+46 ns". */
void lineup_tail(const struct lineup *, const struct rows_node *, bool brief, char *buf, size_t size);
/* " ! slowest" for the straggler: of the step that hosts are aligned on, else of all steps; " ! TPU:5" for the
 * host that it is in; " !" if brief; "" for all others. */
void lineup_mark(const struct lineup *, const struct rows_node *, bool brief, char *buf, size_t size);
void lineup_draw(struct lineup *, struct canvas *, struct rect);

#endif
