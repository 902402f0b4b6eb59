#include "config.h"

#include "view/timeline/internal.h"

/* The most useful keys of what the timeline shows, the best ones first, because narrow screens show fewer.
 * Without a table here, the entries of core/input/actions.def are used. */

#define KEYS(text, id) \
	{ \
		SCOPE_TIMELINE, ACT_##id, text \
	}

static const struct bar_entry full[] = {
	KEYS("j k scroll", DOWN),
	KEYS("h l event", RIGHT),
	KEYS("[ ] same name", SAME_NEXT),
	KEYS("( ) flow", FLOW_NEXT),
	KEYS("y copy", COPY),
	KEYS("O op", SHOW_OPS),
	KEYS("q back", BACK),
};

static const struct bar_entry statistics[] = {
	KEYS("i by name/track", STATISTICS),
	KEYS("> < sort", SORT_NEXT),
	KEYS(", . move end", END_RIGHT),
	KEYS("; other end", END_OTHER),
	KEYS("m mark", MARK),
	KEYS("q close", BACK),
	KEYS("V add track", SELECT_TRACK),
	KEYS("r reverse", SORT_REVERSE),
	KEYS("E export", EXPORT),
};

static const struct bar_entry hits[] = {
	KEYS("n N hit", FIND_NEXT),
	KEYS("L longest", LONGEST),
	KEYS("> < sort", SORT_NEXT),
	KEYS("Enter in full", OPEN),
	KEYS("f fit", FIT),
	KEYS("& filter", FILTER),
	KEYS("q end", BACK),
	KEYS("w s zoom", ZOOM_IN),
	KEYS("a d pan", PAN_RIGHT),
	KEYS("o cause", CHAIN),
	KEYS("m mark", MARK),
	KEYS("E export", EXPORT),
};

static const struct bar_entry steps[] = {
	KEYS("j k step", DOWN),
	KEYS("Enter go", OPEN),
	KEYS("> < sort", SORT_NEXT),
	KEYS("[ ] slow", SAME_NEXT),
	KEYS("o cause", CHAIN),
	KEYS("w s zoom", ZOOM_IN),
	KEYS("q close", BACK),
	KEYS("a d pan", PAN_RIGHT),
	KEYS("e finding", PROBLEM_NEXT),
	KEYS("i statistics", STATISTICS),
	KEYS("E export", EXPORT),
};

static const struct bar_entry chain[] = {
	KEYS("j k line", DOWN),
	KEYS("Enter go", OPEN),
	KEYS("w s zoom", ZOOM_IN),
	KEYS("a d pan", PAN_RIGHT),
	KEYS("f fit", FIT),
	KEYS("h l event", RIGHT),
	KEYS("q close", BACK),
	KEYS("m mark", MARK),
	KEYS("y copy", COPY),
};

static const struct bar_entry align[] = {
	KEYS("{ } step", STEP_NEXT),
	KEYS("j k row", DOWN),
	KEYS("w s zoom", ZOOM_IN),
	KEYS("a d pan", PAN_RIGHT),
	KEYS("c color", COLOR),
	KEYS("e finding", PROBLEM_NEXT),
	KEYS("= off", ALIGN),
	KEYS("% numbers", GUTTER),
	KEYS("o cause", CHAIN),
	KEYS("m mark", MARK),
	KEYS("i statistics", STATISTICS),
};

/* On the row of a counter there are no names, flows or causes. */
static const struct bar_entry counter[] = {
	KEYS("h l sample", RIGHT),
	KEYS("j k row", DOWN),
	KEYS("w s zoom", ZOOM_IN),
	KEYS("a d pan", PAN_RIGHT),
	KEYS("0 whole", WHOLE),
	KEYS("{ } step", STEP_NEXT),
	KEYS("i statistics", STATISTICS),
	KEYS("z fold", FOLD),
	KEYS("t tracks", FILTER_TRACKS),
};

#define TABLE(v) \
	{ \
		v, sizeof(v) / sizeof *(v) \
	}

static const struct {
	const struct bar_entry *v;
	size_t n;
} of_pane[] = {
	[PANE_VIEW] = { NULL, 0 },
	[PANE_EVENT] = { NULL, 0 },
	[PANE_HITS] = TABLE(hits),
	[PANE_STEPS] = TABLE(steps),
	[PANE_CHAIN] = TABLE(chain),
	[PANE_STATS] = TABLE(statistics),
	[PANE_ALIGN] = TABLE(align),
};

const struct bar_entry *timeline_bar(const struct view *view, size_t *n)
{
	const struct timeline *t = view->state;
	enum pane pane = scene_pane(&t->scene);

	if (pane == PANE_VIEW && t->scene.cursor.row < t->scene.rows.nvis &&
	    rows_shows_counter(scene_node(&t->scene, t->scene.cursor.row))) {
		*n = sizeof counter / sizeof *counter;
		return counter;
	}
	*n = t->scene.cursor.full ? sizeof full / sizeof *full : of_pane[pane].n;
	return t->scene.cursor.full ? full : of_pane[pane].v;
}
