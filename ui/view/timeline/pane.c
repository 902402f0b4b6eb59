#include "config.h"

#include "view/timeline/internal.h"

void timeline_draw_pane(struct timeline *t, struct canvas *cv)
{
	if (t->scene.lay.pane.h <= 0)
		return;
	canvas_late(cv, t->scene.lay.pane);
	switch (scene_pane(&t->scene)) {
	case PANE_ALIGN:
		lineup_draw(&t->lineup, cv, t->scene.lay.pane);
		break;
	case PANE_STATS:
		statistics_draw(&t->stats, cv, t->scene.lay.pane);
		break;
	case PANE_STEPS:
		step_table_draw(&t->steps, cv, t->scene.lay.pane);
		break;
	case PANE_CHAIN:
		scene_enter_row(&t->scene); /* it may look up what is under the cursor */
		cause_draw(&t->cause, cv, t->scene.lay.pane);
		scene_leave(&t->scene);
		break;
	case PANE_HITS:
		search_draw(&t->search, cv, t->scene.lay.pane);
		break;
	case PANE_EVENT:
		details_draw(&t->details, cv, t->scene.lay.pane);
		break;
	case PANE_VIEW:
		inview_draw(&t->inview, cv, t->scene.lay.pane);
	}
}
