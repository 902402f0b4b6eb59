/* What the files of this room share with nobody else. */
#ifndef VIEW_TIMELINE_SCENE_INTERNAL_H
#define VIEW_TIMELINE_SCENE_INTERNAL_H

#include "view/timeline/scene/scene.h"

/* Begin or end of an event: where ends of intervals and the cursor of the timing tool snap to. */
struct edge_at {
	int64_t t;
	size_t event;
	bool end;
};

bool edges_find(const struct scene *, int64_t from, int dir, struct edge_at *); /* on the row of the cursor */
int64_t picks_begin(const struct scene *, uint32_t track, size_t event); /* of an event, on the screen */
/* the cursor goes to an event that has a row, the view only if it is not there */
void cursor_show(struct scene *, uint32_t track, size_t event);

#endif
