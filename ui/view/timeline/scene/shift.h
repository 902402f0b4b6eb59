/* Converts times of planes to times of the screen.  A time on the screen is a time of a plane plus
 * scene_shift_of() that plane, which is 0 unless hosts are aligned.  Viewport, cursor, ruler and the bounds
 * of the run are times on the screen, with one exception: between scene_enter() and scene_leave(), while the
 * rows of a host are made, drawn or moved along, port.shift is the shift of that host, and viewport and
 * cursor hold times of that host.  So cursor.at + port.shift is always the cursor on the screen.  Analyses of
 * several hosts are given scene_shifts().  Whoever aligns hosts fills in the struct and frees it. */
#ifndef VIEW_TIMELINE_SHIFT_H
#define VIEW_TIMELINE_SHIFT_H

#include <stdbool.h>
#include <stdint.h>

struct scene;

struct scene_shift {
	bool on;
	bool inside; /* between scene_enter() and scene_leave(): cursor and viewport hold times of a host */
	int64_t *plane; /* by plane */
	int64_t zero;   /* start of the step on the first host */
};

void scene_enter(struct scene *, uint32_t plane); /* UINT32_MAX: no host */
void scene_enter_row(struct scene *);             /* enters the host of the cursor's row */
void scene_leave(struct scene *);
int64_t scene_shift_of(const struct scene *, uint32_t plane); /* UINT32_MAX: what belongs to no host */
const int64_t *scene_shifts(const struct scene *);            /* all shifts by plane, NULL = none */
void scene_bounds(const struct scene *, int64_t *first, int64_t *last); /* of all events, on the screen */

#endif
