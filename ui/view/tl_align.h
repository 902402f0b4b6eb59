/* Hosts side by side: `=` moves the times of each host, on the screen alone, so that the step under the cursor begins on all of them at
 * once, and opens a table of what each core did in it.  The model keeps its times.  While the rows of a host are made, drawn or moved
 * along, grid.shift is what its times are moved by and the cursor is a time of that host: tl_align_enter … tl_align_leave; outside both
 * are those of the screen.  Title of the table and status line say that hosts are moved. */
#ifndef VIEW_TL_ALIGN_H
#define VIEW_TL_ALIGN_H

#include "analyze/align.h"
#include "core/canvas.h"

struct tl;
struct tl_node;

struct tl_align_core {
	uint32_t plane;
	int64_t own, collective;	/* own: all but collectives and waits, copies too */
	double ratio;			/* own to the median core's */
};

struct tl_align {
	bool on, inside, estimated;
	int64_t id;
	char name[160];
	int64_t *shift;			/* by host */
	struct tl_align_core *core; size_t n;	/* in order of hosts and cores */
	int64_t median;
	size_t slowest;
	bool straggler;			/* the slowest stands out */
	struct align_host *host;	/* estimated offsets; NULL before */
};

unsigned tl_align_toggle(struct tl *);
bool tl_align_step(struct tl *);			/* estimates the offsets of the clocks, once */
void tl_align_free(struct tl *);
void tl_align_forget(struct tl *);			/* events have other times now */
void tl_align_enter(struct tl *, uint32_t plane);	/* UINT32_MAX: no host's */
void tl_align_enter_row(struct tl *);			/* of the cursor */
void tl_align_leave(struct tl *);
int64_t tl_align_shift(const struct tl *, uint32_t plane);
bool tl_align_moved(const struct tl *);			/* some host is moved */
void tl_align_tail(const struct tl *, const struct tl_node *, char *buf, size_t size);	/* behind names in the gutter */
const char *tl_align_host(const struct tl *, int host, size_t *len);	/* "w-1" of "sim-tpu-v4-w-1" */
void tl_draw_align(struct tl *, struct canvas *, struct rect);

#endif
