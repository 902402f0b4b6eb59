#include "config.h"

#include "view/timeline/scene/views.h"

#include <string.h>

#include "view/timeline/scene/scene.h"

struct scene_view views_now(const struct scene *sc)
{
	return (struct scene_view){ sc->port.c, sc->port.k, sc->port.whole, sc->cursor.at };
}

static void forget_other_times(struct scene_views *s, const struct scene *sc)
{
	if (s->times == sc->changes.times)
		return;
	s->n = s->here = 0;
	s->times = sc->changes.times;
}

void views_note(struct scene_views *s, const struct scene *sc, const struct scene_view *before)
{
	forget_other_times(s, sc);
	if (before->c == sc->port.c && before->k == sc->port.k)
		return;
	if (s->here == VIEWS_MOST)
		memmove(s->v, s->v + 1, --s->here * sizeof *s->v);
	s->v[s->here++] = *before;
	s->n = s->here;
}

/* The entry that is shown is exchanged with what was in view, which is then the one to return to. */
unsigned views_step(struct scene_views *s, struct scene *sc, int by)
{
	struct scene_view now = views_now(sc), to;
	size_t i;

	forget_other_times(s, sc);
	if (by < 0 ? !s->here : s->here == s->n) {
		app_say(sc->view->app, by < 0 ? "no zoom or pan to undo" : "no zoom or pan to redo");
		return REACT_REDRAW;
	}
	i = by < 0 ? --s->here : s->here++;
	to = s->v[i];
	s->v[i] = now;
	sc->port.c = to.c;
	sc->port.k = to.k;
	sc->port.whole = to.whole;
	viewport_resize(&sc->port, sc->port.w); /* it may have another width by now */
	sc->cursor.at = to.at;
	scene_keep_visible(sc);
	return REACT_REDRAW;
}
