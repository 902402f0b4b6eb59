#include "config.h"

#include "view/timeline/draw/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "base/bisect.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

#define BLOCK 256 /* samples per entry of the index of largest values */

static size_t first_after(const struct counter *c, int64_t t)
{
	size_t lo;

	BISECT(lo, c->n, c->t[lo] <= t);
	return lo;
}

static const double *index_of(struct counters *v, int counter)
{
	const struct counter *c = &v->sc->cap->dump->trace.counters[counter];
	struct counters_index *x;

	for (size_t i = 0; i < v->n; i++)
		if (v->v[i].counter == counter)
			return v->v[i].max;
	v->v = xrealloc(v->v, v->n + 1, sizeof *v->v);
	x = &v->v[v->n++];
	x->counter = counter;
	x->max = xcalloc(c->n / BLOCK + 1, sizeof *x->max);
	for (size_t i = 0; i < c->n; i++)
		if (i % BLOCK == 0 || c->v[i] > x->max[i / BLOCK])
			x->max[i / BLOCK] = c->v[i];
	return x->max;
}

double counters_peak(struct counters *v, int counter, int64_t t0, int64_t t1, bool *any)
{
	const struct counter *c = &v->sc->cap->dump->trace.counters[counter];
	size_t from = first_after(c, t0), to = first_after(c, t1 - 1);
	double peak = 0;

	if (from) /* the value at the start of the interval */
		from--;
	*any = from < to;
	if (!*any)
		return 0;
	peak = c->v[from];
	for (size_t i = from; i < to;) {
		double next = c->v[i];
		size_t step = 1;

		if (i % BLOCK == 0 && to - i >= BLOCK) {
			next = index_of(v, counter)[i / BLOCK];
			step = BLOCK;
		}
		peak = next > peak ? next : peak;
		i += step;
	}
	return peak;
}

void counters_free(struct counters *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->v[i].max);
	free(v->v);
	*v = (struct counters){ .sc = v->sc };
}

/* --- as text --- */

bool counter_is_bytes(const struct scene *sc, const struct counter *c)
{
	struct slice unit = dump_text(sc->cap->dump, c->unit);

	return slice_is(unit, "B") || slice_is(unit, "bytes");
}

/* Some captures give the name of the stat that holds the value as its unit; that is no unit. */
bool counter_has_unit(const struct scene *sc, const struct counter *c)
{
	size_t n = strtab_len(&sc->cap->dump->str, c->unit);

	return n && n <= 12 && !memchr(strtab_str(&sc->cap->dump->str, c->unit), '_', n) &&
	    c->unit != c->name;
}

static void value_text(const struct scene *sc, const struct counter *c, double v, char *buf, size_t size)
{
	bool bytes = counter_is_bytes(sc, c), unit = !bytes && counter_has_unit(sc, c);
	char number[40];

	if (bytes)
		units_bytes(number, sizeof number, v);
	else if (v >= 0 && v < 1e15 && v == floor(v))
		units_count(number, sizeof number, (uint64_t)v);
	else
		snprintf(number, sizeof number, "%.6g", v);
	snprintf(buf, size, "%s%s%.*s", number, unit ? " " : "",
	    unit ? (int)strtab_len(&sc->cap->dump->str, c->unit) : 0,
	    strtab_str(&sc->cap->dump->str, c->unit));
}

bool counters_here(const struct scene *sc, char *buf, size_t size)
{
	const struct rows_node *v = sc->cursor.row < sc->rows.nvis ? scene_node(sc, sc->cursor.row) : NULL;
	const struct counter *c =
	    v && rows_shows_counter(v) ? &sc->cap->dump->trace.counters[v->counter] : NULL;
	char value[64], since[64];
	const char *name;
	size_t at;
	int len;

	if (!c || digest_is_counter(sc->cap->dump, c))
		return false;
	name = strtab_str(&sc->cap->dump->str, c->name);
	len = (int)utf8_fit(name, strtab_len(&sc->cap->dump->str, c->name), sc->lay.narrow ? 24 : 40);
	at = first_after(c, sc->cursor.at);
	if (!at) {
		snprintf(buf, size, "%.*s: no sample yet", len, name);
		return true;
	}
	value_text(sc, c, c->v[at - 1], value, sizeof value);
	if (sc->lay.narrow)
		scene_time_brief(sc, c->t[at - 1] + sc->port.shift, since, sizeof since);
	else
		scene_time_exact(sc, c->t[at - 1] + sc->port.shift, since, sizeof since);
	snprintf(buf, size, "%.*s %s since %s", len, name, value, since);
	return true;
}
