#include "config.h"

#include "view/timeline/scene/internal.h"

#include <stdio.h>

#include "base/text/units.h"
#include "base/text/utf8.h"

static void name_of(const struct scene *sc, const struct track *k, size_t event, char *buf, size_t size)
{
	strid name = sc->cap->dump->trace.metas[track_meta(k, event)].name;
	const char *s = strtab_str(&sc->cap->dump->str, name);

	snprintf(buf, size, "%.*s", (int)utf8_fit(s, strtab_len(&sc->cap->dump->str, name), 24), s);
}

/* "3.1 µs after copy.1 ends". */
static void edge_text(const struct scene *sc, int dir, char *buf, size_t size)
{
	struct edge_at e;
	char name[128], time[40];

	*buf = '\0';
	if (!edges_find(sc, sc->cursor.at, dir, &e))
		return;
	name_of(sc, scene_track(sc, rows_source(scene_node(sc, sc->cursor.row)).track), e.event, name,
	    sizeof name);
	units_time(time, sizeof time, dir > 0 ? e.t - sc->cursor.at : sc->cursor.at - e.t, scene_ascii(sc));
	snprintf(buf, size, "   %s %s %s %s", time, dir > 0 ? "before" : "after", name,
	    e.end ? "ends" : "begins");
}

/* Two events: the gap between them; more: the interval they span. */
static void picks_text(const struct scene *sc, char *buf, size_t size)
{
	const struct pick *p = sc->picks.v, *q = p + 1;
	char a[128], b[128], time[48], sum[48];
	int64_t t0, t1, gap;

	if (sc->picks.n != 2) {
		picks_span(sc, false, &t0, &t1);
		units_time_exact(time, sizeof time, t1 - t0, scene_ascii(sc));
		units_time_exact(sum, sizeof sum, picks_sum(sc), scene_ascii(sc));
		if (sc->picks.n == 1)
			snprintf(buf, size, "1 event selected, %s", sum);
		else
			snprintf(buf, size, "%s%zu events %sselected, sum %s, %s from first to last",
			    sc->picks.cut ? "only the first " : "", sc->picks.n,
			    sc->picks.cut ? "of the box are " : "", sum, time);
		return;
	}
	if (picks_begin(sc, p->track, p->event) > picks_begin(sc, q->track, q->event)) {
		q = p;
		p = sc->picks.v + 1;
	}
	gap = picks_begin(sc, q->track, q->event) - picks_begin(sc, p->track, p->event) -
	    track_dur(scene_track(sc, p->track), p->event);
	name_of(sc, scene_track(sc, p->track), p->event, a, sizeof a);
	name_of(sc, scene_track(sc, q->track), q->event, b, sizeof b);
	units_time_exact(time, sizeof time, gap < 0 ? -gap : gap, scene_ascii(sc));
	snprintf(buf, size,
	    gap < 0 ? "%s overlap: end of %s, start of %s" : "%s gap: end of %s to start of %s", time, a, b);
}

bool scene_status(const struct scene *sc, char *buf, size_t size)
{
	char time[48], before[200], after[200];

	if (sc->picks.n) {
		picks_text(sc, buf, size);
		return true;
	}
	if (sc->cursor.tool != CURSOR_TIMES)
		return false;
	edge_text(sc, -1, before, sizeof before);
	edge_text(sc, 1, after, sizeof after);
	scene_time_exact(sc, sc->cursor.at + sc->port.shift, time, sizeof time);
	snprintf(buf, size, "timing %s%s%s", time, before, after);
	return true;
}

const char *scene_event_name(const struct scene *sc, const struct track *k, size_t event, int *len)
{
	strid name = sc->cap->dump->trace.metas[track_meta(k, event)].name;
	size_t n = strtab_len(&sc->cap->dump->str, name);

	*len = (int)utf8_head(strtab_str(&sc->cap->dump->str, name), n, 100);
	return strtab_str(&sc->cap->dump->str, name);
}
