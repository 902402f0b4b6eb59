#include "config.h"

#include "view/timeline/scene/internal.h"

#include <string.h>

int64_t scene_shift_of(const struct scene *sc, uint32_t plane)
{
	const struct scene_shift *s = &sc->shift;

	return !s->on ? 0 : plane < sc->cap->dump->trace.nplanes ? s->plane[plane] : -s->zero;
}

const int64_t *scene_shifts(const struct scene *sc)
{
	return sc->shift.on ? sc->shift.plane : NULL;
}

void scene_leave(struct scene *sc)
{
	sc->cursor.at += sc->port.shift;
	sc->port.shift = 0;
	sc->shift.inside = false;
}

void scene_enter(struct scene *sc, uint32_t plane)
{
	scene_leave(sc);
	sc->port.shift = scene_shift_of(sc, plane);
	sc->cursor.at -= sc->port.shift;
	sc->shift.inside = true;
}

void scene_enter_row(struct scene *sc)
{
	scene_enter(sc, sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row)->plane : UINT32_MAX);
}

static void widen_bounds(int64_t *first, int64_t *last, int64_t from, int64_t to)
{
	*first = from < *first ? from : *first;
	*last = to > *last ? to : *last;
}

void scene_bounds(const struct scene *sc, int64_t *first, int64_t *last)
{
	const struct trace *r = &sc->cap->dump->trace;

	*first = r->first;
	*last = r->last;
	if (!sc->shift.on)
		return;
	*first = TRACE_TIME_MAX;
	*last = -TRACE_TIME_MAX;
	for (size_t i = 0; i < r->ntracks; i++) {
		const struct track *k = &r->tracks[i];
		int64_t end = k->n ? track_start(k, 0) : 0, by = scene_shift_of(sc, k->plane);

		for (size_t e = 0; e < k->n; e++)
			end = track_end(k, e) > end ? track_end(k, e) : end;
		if (k->n)
			widen_bounds(first, last, track_start(k, 0) + by, end + by);
	}
	for (size_t i = 0; i < r->ncounters; i++) {
		const struct counter *c = &r->counters[i];
		int64_t by = scene_shift_of(sc, c->plane);

		if (c->n)
			widen_bounds(first, last, c->t[0] + by, c->t[c->n - 1] + by);
	}
}

/* Shortens "sim-tpu-v4-w-1" to "w-1" where all hosts have a common prefix. */
const char *scene_host_name(const struct scene *sc, int host, size_t *len)
{
	const struct dump *d = sc->cap->dump;
	const char *s;
	size_t n, at;

	*len = 0;
	if (host < 0)
		return "";
	if (d->hosts[host].label != d->hosts[host].name) {
		*len = dump_host_short(d, host).n;
		return dump_host_short(d, host).s;
	}
	s = strtab_str(&d->str, d->hosts[host].name);
	n = at = strtab_len(&d->str, d->hosts[host].name);
	for (int dashes = 0; at > 0; at--)
		if (s[at - 1] == '-' && ++dashes == 2)
			break;
	for (size_t i = 0; i < d->nhosts; i++)
		if (strtab_len(&d->str, d->hosts[i].name) <= at ||
		    memcmp(strtab_str(&d->str, d->hosts[i].name), s, at))
			at = 0;
	*len = n - at;
	return s + at;
}
