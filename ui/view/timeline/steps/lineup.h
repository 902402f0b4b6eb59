/* Hosts side by side: `=` moves the times of each host, on the screen alone, so that the step under the
 * cursor begins on all of them at once, at 0, and opens a table of what each core did in it.  The model keeps
 * its times; what is kept here of times (marks, the places of the history) is a time of a plane, so that it
 * stays with what it was put on.  `sc` is given once; lineup_free() frees the rest. */
#ifndef VIEW_TIMELINE_LINEUP_H
#define VIEW_TIMELINE_LINEUP_H

#include "analyze/events/host_align.h"
#include "view/timeline/scene/scene.h"

struct lineup_core {
	uint32_t plane;
	int64_t own, collective; /* own: all but collectives and waits, copies too */
	double ratio;            /* own to the median core's */
};

struct lineup {
	struct scene *sc;
	bool estimated;
	int64_t id;
	char name[160];
	int64_t *shift; /* by host, against the first one with the step */
	struct lineup_core *core;
	size_t n; /* in order of hosts and cores */
	int64_t median;
	size_t slowest;
	bool straggler;          /* the slowest stands out */
	struct align_host *host; /* estimated offsets; NULL before */
};

unsigned lineup_toggle(struct lineup *);
bool lineup_step(struct lineup *); /* estimates the offsets of the clocks, once */
void lineup_free(struct lineup *);
void lineup_forget(struct lineup *); /* events have other times now */
/* Behind names in the gutter: "+46.250 ns" of a host that is moved; how far its clock seems to be ahead while
 * none is; "! slowest".  brief: "+46 ns". */
void lineup_tail(const struct lineup *, const struct rows_node *, bool brief, char *buf, size_t size);
void lineup_draw(struct lineup *, struct canvas *, struct rect);

#endif
