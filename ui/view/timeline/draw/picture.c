#include "config.h"

#include "view/timeline/draw/internal.h"

#include <stdlib.h>

void picture_open(struct picture *p, struct scene *sc, struct search *search, const struct filter *filter,
    const struct lineup *lineup)
{
	*p = (struct picture){ .sc = sc,
		.search = search,
		.lineup = lineup,
		.colors = { .sc = sc },
		.counters = { .sc = sc },
		.subset = { .sc = sc, .search = search, .filter = filter, .colors = &p->colors },
		.cells = { .sc = sc, .colors = &p->colors, .subset = &p->subset, .counters = &p->counters },
		.map = { .sc = sc, .colors = &p->colors, .subset = &p->subset } };
}

void picture_close(struct picture *p)
{
	cells_free(&p->cells);
	subset_free(&p->subset);
	counters_free(&p->counters);
	colors_forget(&p->colors);
	free(p->map.busy);
}

void picture_draw(struct picture *p, struct canvas *cv)
{
	const struct scene *sc = p->sc;

	cells_frame(&p->cells, sc->cursor.top, sc->lay.plot.h);
	picture_draw_strips(p, cv);
	picture_draw_gutter(p, cv);
	picture_draw_rows(p, cv);
	if (!sc->rows.nvis && sc->lay.plot.h > 0)
		canvas_str(cv, sc->lay.plot.y, sc->lay.plot.x + 1, sc->lay.plot.w - 1, ROLE_DIM, 0,
		    "no events with times in this capture");
}
