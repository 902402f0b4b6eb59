#include "config.h"

#include "view/timeline/internal.h"

const struct bar_entry *timeline_bar(const struct view *view, size_t *n)
{
	static const enum bar_page of_pane[] = {
		[PANE_VIEW] = PAGE_NONE,
		[PANE_EVENT] = PAGE_NONE,
		[PANE_HITS] = PAGE_TIMELINE_HITS,
		[PANE_STEPS] = PAGE_TIMELINE_STEPS,
		[PANE_CHAIN] = PAGE_TIMELINE_CHAIN,
		[PANE_STATS] = PAGE_TIMELINE_STATS,
		[PANE_ALIGN] = PAGE_TIMELINE_ALIGN,
	};
	const struct timeline *t = view->state;
	enum pane pane = scene_pane(&t->scene);

	if (pane == PANE_VIEW && t->scene.cursor.row < t->scene.rows.nvis &&
	    rows_shows_counter(scene_node(&t->scene, t->scene.cursor.row)))
		return action_page(PAGE_TIMELINE_COUNTER, n);
	return action_page(t->scene.cursor.full ? PAGE_TIMELINE_FULL : of_pane[pane], n);
}
