/* From times of planes to those of the screen.  A time on the screen is a time of a plane plus
 * scene_shift_of() that plane: 0 while hosts are not aligned.  Viewport, cursor, ruler, bounds of the run and of
 * what is in view are times on the screen, but for one thing: while the rows of a host are made, drawn or moved
 * along, port.shift is what its times are moved by, and viewport and cursor speak in times of that host:
 * scene_enter ... scene_leave.  So cursor.at + port.shift is the cursor on the screen everywhere.  Analyses of
 * several hosts are given scene_shifts().  Whoever aligns hosts fills in the struct and frees it. */
#ifndef VIEW_TIMELINE_SHIFT_H
#define VIEW_TIMELINE_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

struct scene;

struct scene_shift {
	bool on;
	bool inside;    /* cursor and viewport speak in times of a host now */
	int64_t *plane; /* by plane */
	int64_t zero;   /* where the step begins on the first host */
};

void scene_enter(struct scene *, uint32_t plane); /* UINT32_MAX: no host's */
void scene_enter_row(struct scene *);             /* of the cursor */
void scene_leave(struct scene *);
int64_t scene_shift_of(const struct scene *, uint32_t plane); /* UINT32_MAX: of what belongs to no host */
const int64_t *scene_shifts(const struct scene *);            /* the same by plane, NULL = none */
void scene_bounds(const struct scene *, int64_t *first, int64_t *last); /* of all events, on the screen */

#endif
