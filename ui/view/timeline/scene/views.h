/* What was in view before each zoom, pan or jump, so that these can be undone and redone.  A run of equal
 * actions is one entry; the latest VIEWS_MOST are kept, until times on the screen change.  A zeroed struct is
 * empty and owns nothing. */
#ifndef VIEW_TIMELINE_VIEWS_H
#define VIEW_TIMELINE_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VIEWS_MOST = 64 };

struct scene;

struct scene_view {
	int64_t c, k; /* as in struct viewport */
	bool whole;
	int64_t at; /* the cursor */
};

struct scene_views {
	struct scene_view v[VIEWS_MOST];
	size_t n, here; /* before `here`: to undo; from it on: to redo */
	unsigned times; /* changes of the scene's times that they belong to */
};

struct scene_view views_now(const struct scene *);
/* after an action: remembers what was in view before it, if that is another part of the run */
void views_note(struct scene_views *, const struct scene *, const struct scene_view *before);
unsigned views_step(struct scene_views *, struct scene *, int by); /* by < 0: undo */

#endif
