#include "config.h"
#include "view/graph/graph.h"

/* The most useful keys of each page, the best ones first, because narrow screens show fewer. */

#define KEYS(text, id) \
	{ \
		SCOPE_GRAPH, ACT_##id, text \
	}

static const struct bar_entry navigator[] = {
	KEYS("h l walk", RIGHT),
	KEYS("Enter inside", OPEN),
	KEYS("U out", CALLER),
	KEYS("u pages", GRAPH_PAGE),
	KEYS("t boxes", GRAPH_BOXES),
	KEYS("L text", GRAPH_TEXT),
	KEYS("i lists", GRAPH_LISTS),
	KEYS("w heaviest", HEAVIEST),
	KEYS("T timeline", SHOW_TIMELINE),
	KEYS("/ search", FIND),
	KEYS("M module", MODULE),
	KEYS("E export", EXPORT),
};

static const struct bar_entry boxes[] = {
	KEYS("h j k l box", RIGHT),
	KEYS("Enter center", OPEN),
	KEYS("( ) radius", RADIUS_MORE),
	KEYS("u pages", GRAPH_PAGE),
	KEYS("U out", CALLER),
	KEYS("t back", GRAPH_BOXES),
	KEYS("L text", GRAPH_TEXT),
	KEYS("i lists", GRAPH_LISTS),
	KEYS("w heaviest", HEAVIEST),
	KEYS("T timeline", SHOW_TIMELINE),
	KEYS("/ search", FIND),
	KEYS("E export", EXPORT),
};

static const struct bar_entry text[] = {
	KEYS("j k line", DOWN),
	KEYS("h l name", RIGHT),
	KEYS("Enter go", OPEN),
	KEYS("* attributes", LONG_FORM),
	KEYS("/ search", FIND),
	KEYS("u pages", GRAPH_PAGE),
	KEYS("L back", GRAPH_TEXT),
	KEYS("U out", CALLER),
	KEYS("w heaviest", HEAVIEST),
	KEYS("T timeline", SHOW_TIMELINE),
	KEYS("E export", EXPORT),
};

static const struct bar_entry computations[] = {
	KEYS("Enter go", OPEN),
	KEYS("i instructions", GRAPH_LISTS),
	KEYS("> < sort", SORT_NEXT),
	KEYS("& filter", FILTER),
	KEYS("u pages", GRAPH_PAGE),
	KEYS("U out", CALLER),
	KEYS("o columns", COLUMNS),
	KEYS("/ search", FIND),
	KEYS("E export", EXPORT),
};

static const struct bar_entry instructions[] = {
	KEYS("Enter go", OPEN),
	KEYS("i back", GRAPH_LISTS),
	KEYS("> < sort", SORT_NEXT),
	KEYS("& filter", FILTER),
	KEYS("t boxes", GRAPH_BOXES),
	KEYS("L text", GRAPH_TEXT),
	KEYS("T timeline", SHOW_TIMELINE),
	KEYS("o columns", COLUMNS),
	KEYS("/ search", FIND),
	KEYS("E export", EXPORT),
};

#define TABLE(v) \
	{ \
		v, sizeof(v) / sizeof *(v) \
	}

static const struct {
	const struct bar_entry *v;
	size_t n;
} of_page[] = {
	[GRAPH_NAV] = TABLE(navigator),
	[GRAPH_BOXES] = TABLE(boxes),
	[GRAPH_TEXT] = TABLE(text),
	[GRAPH_COMPUTATIONS] = TABLE(computations),
	[GRAPH_INSTRUCTIONS] = TABLE(instructions),
};

const struct bar_entry *graph_view_bar(const struct view *v, size_t *n)
{
	const struct graph_view *s = v->state;

	*n = of_page[s->mode].n;
	return of_page[s->mode].v;
}
