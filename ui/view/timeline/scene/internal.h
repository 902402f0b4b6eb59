/* Shared by the files of this folder. */
#ifndef VIEW_TIMELINE_SCENE_INTERNAL_H
#define VIEW_TIMELINE_SCENE_INTERNAL_H

#include "view/timeline/scene/scene.h"

/* Begin or end of an event, to which ends of intervals and the timing tool snap. */
struct edge_at {
	int64_t t;
	size_t event;
	bool end;
};

bool edges_find(const struct scene *, int64_t from, int dir, struct edge_at *); /* on the cursor's row */
/* start of an event, on the screen */
int64_t picks_begin(const struct scene *, uint32_t track, size_t event);
/* moves the cursor to an event that has a row, and the view only if needed */
void cursor_show(struct scene *, uint32_t track, size_t event);

#endif
