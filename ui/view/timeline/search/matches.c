#include "config.h"

#include "view/timeline/search/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

void matches_end(struct matches *m)
{
	find_free(m->find);
	query_unbind(m->run);
	query_free(m->query);
	free(m->text);
	free(m->tracks);
	free(m->slot);
	memset(m, 0, sizeof *m);
}

static bool track_passes(void *run, uint32_t track)
{
	return query_track(run, track);
}

static bool event_passes(void *run, uint32_t track, size_t i)
{
	return query_event(run, track, i);
}

int matches_begin(struct scene *sc, struct matches *m, const char *text, struct err *e)
{
	struct regex *re = NULL;
	bool is_query = query_meant(text);

	matches_end(m);
	if (is_query ? !(m->query = query_new(text, e)) : !(re = regex_new(text, REGEX_SMART_CASE, e)))
		return -1;
	m->text = xstrdup(text);
	m->tracks = scene_tracks(sc, !is_query || query_wants_name(m->query), &m->ntracks);
	m->nslot = sc->cap->dump->trace.ntracks;
	m->slot = xcalloc(m->nslot + 1, sizeof *m->slot);
	memset(m->slot, 0xff, m->nslot * sizeof *m->slot);
	for (size_t k = 0; k < m->ntracks; k++)
		m->slot[m->tracks[k]] = (uint32_t)k;
	if (is_query) {
		m->run = query_bind(m->query, sc->cap->dump, &sc->view->cap->steps);
		m->find =
		    find_begin(sc->cap->dump, m->tracks, m->ntracks, track_passes, event_passes, m->run);
	} else {
		m->find = find_names(sc->cap->dump, re, m->tracks, m->ntracks);
		m->expensive = regex_too_expensive(re, &m->why);
		regex_free(re);
	}
	m->working = true;
	return 0;
}

bool matches_step(struct scene *sc, struct matches *m, int budget_ms)
{
	if (!m->working || find_more(m->find, sc->cap->dump, budget_ms))
		return m->working;
	m->working = false;
	m->expensive |= query_too_expensive(m->query, &m->why);
	query_unbind(m->run);
	query_free(m->query);
	m->run = NULL;
	m->query = NULL;
	return false;
}

int matches_percent(const struct matches *m)
{
	return m->find && m->find->total ? (int)(100 * m->find->looked / m->find->total) : 0;
}
