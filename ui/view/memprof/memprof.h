/* The memory profile: what the allocators of devices did over time (analyze/memprof/profile.h) and what was
 * allocated at the peak, by how long it lives; or a device memory profile (memory.prof), as a tree of the calls that
 * made the buffers, or as the largest stacks.  It shares the tab of the memory viewer.  memprof.c is the view, draw.c
 * draws it, card.c its card. */
#ifndef VIEW_MEMPROF_MEMPROF_H
#define VIEW_MEMPROF_MEMPROF_H

#include "analyze/memprof/pprof.h"
#include "analyze/memprof/profile.h"
#include "capture/results.h"
#include "core/view.h"
#include "view/frame.h"
#include "widget/tabs.h"

enum memprof_table { MEMPROF_GROUPS, MEMPROF_TREE, MEMPROF_STACKS, MEMPROF_TABLES };

struct memprof {
	struct frame frame;
	/* a result, requested again for each drawing; NULL = not ready */
	const struct memory_profile *events;
	const struct memory_besides *beside; /* likewise; may come later */
	struct pprof pprof;
	bool has_pprof, failed; /* failed: `why` is the message */
	char why[200];
	size_t device;      /* index in events; for pprof the row of its devices + 1, 0 = all */
	bool stacks;        /* pprof: show the table of stacks */
	struct table table; /* the table shown, of the chosen device */
	struct pprof_node *node;
	size_t nnodes;
	uint32_t *parent;
	uint64_t *key;    /* of the tree's rows */
	const char *step; /* step of the device's peak; NULL: unknown */
	struct sheet sheet[MEMPROF_TABLES];
	struct tabs tabs;
};

void memprof_view_views_next(struct view *);         /* switches between memory viewer and memory profile */
size_t memprof_view_devices(const struct memprof *); /* number of devices to choose from */
struct sheet *memprof_view_sheet(struct view *);     /* the sheet shown */
void memprof_view_device_name(const struct memprof *, size_t, char *buf, size_t size);
const char *memprof_view_short_name(const char *name); /* "0" of "device 0" */

/* draw.c */
void memprof_view_draw(struct view *, struct canvas *, struct rect);

/* card.c */
int memprof_view_card(struct view *, struct canvas *, struct rect, enum frame_card);

#endif
