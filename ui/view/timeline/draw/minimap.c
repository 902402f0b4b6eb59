#include "config.h"

#include "view/timeline/draw/minimap.h"

#include <stdlib.h>

#include "analyze/device/digest.h"
#include "base/now.h"
#include "model/lod.h"

enum { MINIMAP_AT_ONCE = 16 }; /* tracks summed before the time is checked */

/* The changes of the scene that the minimap depends on. */
static unsigned changes_now(const struct minimap *m)
{
	return m->sc->changes.times + m->sc->changes.colors + m->subset->filter->changes;
}

static void minimap_begin(struct minimap *m)
{
	viewport_init(&m->port, m->sc->port.first, m->sc->port.last, m->sc->port.w);
	free(m->busy);
	m->busy = xcalloc((size_t)m->port.w * CLASS_COUNT, sizeof *m->busy);
	m->done = 0;
	m->made = changes_now(m);
}

/* A core of a digest was busy with more ops than those in the digest. */
static void minimap_coarse(struct minimap *m, int counter, int x, const int64_t own[CLASS_COUNT])
{
	double ps = digest_busy(&m->sc->cap->dump->trace.counters[counter], viewport_time(&m->port, x),
	    viewport_time(&m->port, x + 1));

	for (int c = 0; c < CLASS_COUNT; c++)
		ps -= (double)own[c];
	if (ps > 0)
		m->busy[(size_t)x * CLASS_COUNT + CLASS_OTHER] += ps;
}

/* The sums of one track, as its index says. */
static void minimap_sum(struct minimap *m, const struct track *k, const uint8_t *classes, int coarse)
{
	struct lod_cell cell[64];

	m->port.shift = scene_shift_of(m->sc, k->plane);
	for (int x = 0; x < m->port.w; x += 64) {
		int n = m->port.w - x < 64 ? m->port.w - x : 64;

		lod_columns(k, classes, viewport_time(&m->port, x), m->port.c, n, k->rows, 1, cell);
		for (int i = 0; i < n; i++) {
			for (int c = 0; c < CLASS_COUNT; c++)
				m->busy[(size_t)(x + i) * CLASS_COUNT + (size_t)c] += (double)cell[i].busy[c];
			if (coarse >= 0)
				minimap_coarse(m, coarse, x + i, cell[i].busy);
		}
	}
	m->port.shift = 0;
}

static void minimap_add(struct minimap *m, uint32_t track, int coarse)
{
	const struct track *k = scene_track(m->sc, track), *drawn;
	struct track copy = { 0 };
	const uint8_t *classes;

	if (!k->lod)
		return;
	if (filter_on(m->subset->filter)) {
		size_t n;

		drawn = subset_passed(m->subset, track, &copy);
		classes = drawn == k ? m->sc->cap->dump->trace.meta_class : colors_classes(m->colors, &n);
		if (drawn)
			minimap_sum(m, drawn, classes, -1);
		track_free(&copy);
		return;
	}
	drawn = colors_track(m->colors, track, &copy, &classes);
	minimap_sum(m, drawn, classes, coarse);
}

bool minimap_step(struct minimap *m, int64_t budget_us, bool at_once)
{
	int64_t until = now_us() + budget_us;

	if (!m->busy || m->made != changes_now(m) || m->port.w != m->sc->port.w ||
	    m->port.first != m->sc->port.first || m->port.last != m->sc->port.last)
		minimap_begin(m);
	while (m->done < m->sc->rows.ndevice) {
		if (!at_once && filter_on(m->subset->filter))
			break;
		minimap_add(m, m->sc->rows.device[m->done],
		    m->sc->rows.threads_only ? -1 : m->sc->rows.coarse[m->done]);
		m->done++;
		if ((m->done % MINIMAP_AT_ONCE == 0 || filter_on(m->subset->filter)) && now_us() > until)
			break;
	}
	return m->done < m->sc->rows.ndevice;
}

bool minimap_done(const struct minimap *m)
{
	return m->made == changes_now(m) && m->done >= m->sc->rows.ndevice;
}
