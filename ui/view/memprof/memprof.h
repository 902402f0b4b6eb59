/* The memory profile: what the allocators of devices did over time (analyze/memprof/profile.h), with what
 * lay in memory at the peak; or what a device memory profile (memory.prof) says, as a tree of the calls
 * that made the buffers, or as the largest stacks.  It shares the tab of the memory viewer.  memprof.c is
 * the view, memprof_draw.c what it looks like. */
#ifndef VIEW_MEMPROF_MEMPROF_H
#define VIEW_MEMPROF_MEMPROF_H

#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "core/view.h"
#include "widget/frame.h"

enum memprof_table { MEMPROF_ACTIVE, MEMPROF_TREE, MEMPROF_STACKS, MEMPROF_TABLES };

struct memprof {
	struct frame frame;
	/* a result: asked for again when it is drawn; NULL while there is none */
	const struct memory_profile *events;
	struct pprof pprof;
	bool has_pprof, failed; /* failed: the message says why */
	char why[200];
	size_t device;      /* of events, or of pprof: a row of its devices, + 1; 0 = all */
	bool stacks;        /* pprof: the table of stacks */
	struct table table; /* shown: of the device chosen */
	struct pprof_node *node;
	size_t nnodes;
	uint32_t *parent;
	uint64_t *key; /* of the tree's rows */
	size_t *of;    /* of each row shown: the one in the whole table */
	size_t nof;
	const char *step; /* of the device's peak; NULL: not known */
	struct sheet sheet[MEMPROF_TABLES];
	int tabs_y, tabs_x[34];
	size_t ntabs; /* as drawn, for clicks */
};

void memprof_view_views_next(struct view *);         /* memory viewer, memory profile, and round again */
size_t memprof_view_devices(const struct memprof *); /* that can be chosen */
struct sheet *memprof_view_sheet(struct view *);     /* the one shown */
void memprof_view_device_name(const struct memprof *, size_t, char *buf, size_t size);

/* memprof_draw.c */
void memprof_view_draw(struct view *, struct canvas *, struct rect);
int memprof_view_card(struct view *, struct canvas *, struct rect, enum frame_card);

#endif
