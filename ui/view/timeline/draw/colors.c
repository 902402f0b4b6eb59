#include "config.h"

#include "view/timeline/draw/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "analyze/device/peaks.h"
#include "base/now.h"
#include "model/lod.h"

enum {
	UTIL_LOW = CLASS_IO,
	UTIL_MIDDLE = CLASS_COPY,
	UTIL_HIGH = CLASS_MATMUL,
	STEP_EVEN = CLASS_COMPUTE,
	STEP_ODD = CLASS_COPY
};

#define LOW 0.16 /* share of the peak, as in XProf's op tables */
#define MIDDLE 0.36
#define NAME_CLASSES (CLASS_HOST + 1) /* classes that a name may get */

static const struct {
	const char *name, *letters, *legend, *mono_legend;
} ways[COLORS_WAYS] = {
	[COLORS_BY_CATEGORY] = { "category", NULL, "color: what took most of that time",
	    "letter: what took most of that time" },
	[COLORS_BY_UTILIZATION] = { "utilization", "HoMoLowo", "color: FLOP rate of the chip's peak",
	    "H M L: FLOP rate of the chip's peak" },
	[COLORS_BY_NAME] = { "name", "ABCDEFwo", "color: the name; see the table",
	    "letter: the name; see the table" },
	[COLORS_BY_STEP] = { "step", "oABooowo", "color: steps alternate", "letter: steps alternate" },
};

/* --- classes of kinds of events --- */

uint8_t colors_name_class(const struct colors *c, strid name)
{
	const char *s = strtab_str(&c->sc->cap->dump->str, name);
	uint32_t h = 2166136261u;

	for (size_t i = 0, n = strtab_len(&c->sc->cap->dump->str, name); i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	h ^= h >> 15;
	return (uint8_t)(h % NAME_CLASSES);
}

static uint8_t utilization_class(const struct colors *c, uint32_t meta, const struct peaks *peaks)
{
	double flops = 0, share;

	if (peaks->flops <= 0 || meta >= c->ndur || c->dur[meta] <= 0)
		return CLASS_OTHER;
	if ((!stat_meta_double(c->sc->cap->dump, meta, "flops", &flops) || flops <= 0) &&
	    (!stat_meta_double(c->sc->cap->dump, meta, "model_flops", &flops) || flops <= 0))
		return CLASS_OTHER;
	share = flops * c->count[meta] / (c->dur[meta] / 1e12) / peaks->flops;
	return share < LOW ? UTIL_LOW : share < MIDDLE ? UTIL_MIDDLE : UTIL_HIGH;
}

/* Also classifies event kinds added since, because rows may be derived at any time. */
static void make_classes(struct colors *c)
{
	const struct trace *r = &c->sc->cap->dump->trace;
	struct peaks peaks = { 0 };
	uint32_t plane = UINT32_MAX;

	if (c->class && c->nmeta == r->nmetas)
		return;
	c->class = xrealloc(c->class, r->nmetas + 1, sizeof *c->class);
	for (; c->nmeta < r->nmetas; c->nmeta++) {
		const struct evmeta *m = &r->metas[c->nmeta];
		uint8_t was = r->meta_class[c->nmeta], class;

		if (c->by == COLORS_BY_UTILIZATION && m->plane != plane && m->plane < r->nplanes) {
			plane = m->plane;
			peaks_of_plane(c->sc->cap->dump, plane, &peaks);
		}
		class = c->by == COLORS_BY_NAME ? colors_name_class(c, m->name)
		    : m->plane >= r->nplanes    ? CLASS_OTHER
		    : r->planes[m->plane].kind == PLANE_HOST
		    ? CLASS_HOST
		    : utilization_class(c, (uint32_t)c->nmeta, &peaks);
		c->class[c->nmeta] = META_CLASS(was) == CLASS_WAIT || was & META_CONTAINER ? was : class;
	}
}

/* --- indexes --- */

static struct colors_tint *tint_of(struct colors *c, uint32_t track)
{
	if (track >= c->ntint) {
		size_t n = (size_t)track + 16;

		c->tint = xrealloc(c->tint, n, sizeof *c->tint);
		memset(c->tint + c->ntint, 0, (n - c->ntint) * sizeof *c->tint);
		c->ntint = n;
	}
	return &c->tint[track];
}

static bool fits_track(const struct colors_tint *i, const struct track *k)
{
	return i->lod && i->depth == k->depth && i->n == k->n;
}

/* Returns whether there was work to do. */
static bool make_tint(struct colors *c, uint32_t track)
{
	const struct track *k = scene_track(c->sc, track);
	struct colors_tint *i = tint_of(c, track);
	struct track copy = *k;

	if (!k->n || k->rows < 1 || fits_track(i, k))
		return false;
	lod_free(i->lod);
	i->lod = NULL;
	make_classes(c);
	copy.lod = NULL;
	if (lod_build(&copy, c->class))
		return false; /* out of memory: the track stays colored by category */
	*i = (struct colors_tint){ copy.lod, k->depth, k->n };
	return true;
}

/* Sums the times of each kind of event: achieved rates are means. */
static bool scan_tracks(struct colors *c, int64_t until)
{
	const struct trace *r = &c->sc->cap->dump->trace;

	if (!c->dur) {
		c->ndur = r->nmetas;
		c->dur = xcalloc(c->ndur + 1, sizeof *c->dur);
		c->count = xcalloc(c->ndur + 1, sizeof *c->count);
	}
	for (; c->scanned < r->ntracks; c->scanned++) {
		const struct track *k = &r->tracks[c->scanned];

		if (now_us() >= until)
			return true;
		for (size_t i = 0; k->role == TRACK_OPS && k->file >= 0 && i < k->n; i++)
			if (track_meta(k, i) < c->ndur) {
				c->dur[track_meta(k, i)] += (double)track_dur(k, i);
				c->count[track_meta(k, i)]++;
			}
	}
	return false;
}

static bool tint_rows(struct colors *c, int64_t until)
{
	bool any = false;

	for (int i = 0; i < c->sc->lay.plot.h && scene_place(c->sc, i) < c->sc->rows.nvis; i++) {
		struct rows_source s = rows_source(scene_node(c->sc, scene_place(c->sc, i)));

		if (s.track == ROWS_NONE || !make_tint(c, s.track))
			continue;
		any = true;
		if (now_us() >= until)
			break;
	}
	return any;
}

bool colors_step(struct colors *c, int budget_ms)
{
	int64_t until = now_us() + (int64_t)budget_ms * 1000;

	if (c->by != COLORS_BY_NAME && c->by != COLORS_BY_UTILIZATION)
		return false;
	if (c->by == COLORS_BY_UTILIZATION && scan_tracks(c, until))
		return true;
	if (tint_rows(c, until)) {
		c->done = false;
		c->sc->changes.colors++;
		c->sc->view->stale = true;
		return true;
	}
	for (size_t i = 0; i < c->sc->rows.ndevice && !c->done; i++)
		if (make_tint(c, c->sc->rows.device[i]) && now_us() >= until)
			return true;
	if (!c->done) {
		c->done = true;
		c->sc->changes.colors++;
		c->sc->view->stale = true;
		return true;
	}
	return false;
}

void colors_forget(struct colors *c)
{
	enum colors_by by = c->by;

	for (size_t i = 0; i < c->ntint; i++)
		lod_free(c->tint[i].lod);
	free(c->tint);
	free(c->class);
	free(c->dur);
	free(c->count);
	*c = (struct colors){ .sc = c->sc, .by = by };
}

/* --- choosing --- */

static void use_colors(struct colors *c, enum colors_by by)
{
	colors_forget(c);
	c->by = by;
	c->sc->changes.colors++;
	c->sc->view->stale = true;
}

static bool has_peaks(const struct colors *c)
{
	struct peaks peaks;

	for (uint32_t i = 0; i < c->sc->cap->dump->trace.nplanes; i++)
		if (c->sc->cap->dump->trace.planes[i].kind == PLANE_TPU &&
		    peaks_of_plane(c->sc->cap->dump, i, &peaks) && peaks.flops > 0)
			return true;
	return false;
}

static bool has_steps(const struct scene *sc)
{
	for (size_t i = 0; i < sc->rows.n; i++)
		if (sc->rows.v[i].steps != ROWS_NONE)
			return true;
	return false;
}

unsigned colors_next(struct colors *c)
{
	static const char *const says[COLORS_WAYS] = {
		"Colors by category",
		"By utilization of the peak FLOP rate: green from 36 %, yellow 16 %, red below",
		"Colors by name: a name has one color, several names may share it",
		"Colors by step, alternating",
	};
	enum colors_by by = c->by;

	do
		by = (enum colors_by)((by + 1) % COLORS_WAYS);
	while ((by == COLORS_BY_UTILIZATION && !has_peaks(c)) || (by == COLORS_BY_STEP && !has_steps(c->sc)));
	use_colors(c, by);
	app_say(c->sc->view->app, "%s", says[by]);
	return 1;
}

int colors_set(struct colors *c, const char *name)
{
	for (int i = 0; i < COLORS_WAYS; i++)
		if (!strcmp(name, ways[i].name)) {
			use_colors(c, (enum colors_by)i);
			return 0;
		}
	return -1;
}

const char *colors_name(const struct colors *c)
{
	return ways[c->by].name;
}

/* --- lookup --- */

const struct track *colors_track(const struct colors *c, uint32_t track, struct track *copy,
    const uint8_t **classes)
{
	const struct track *k = scene_track(c->sc, track);

	*classes = c->sc->cap->dump->trace.meta_class;
	if (!c->class || track >= c->ntint || !fits_track(&c->tint[track], k))
		return k;
	*copy = *k;
	copy->lod = c->tint[track].lod;
	*classes = c->class;
	return copy;
}

const uint8_t *colors_classes(const struct colors *c, size_t *n)
{
	const struct trace *r = &c->sc->cap->dump->trace;

	*n = r->nmetas;
	return c->class && c->nmeta == r->nmetas ? c->class : r->meta_class;
}

uint8_t colors_at(const struct colors *c, const struct rows_node *v, int64_t at)
{
	uint32_t steps = v ? scene_steps_track(c->sc, v) : ROWS_NONE;
	const struct step *runs, *s;
	const struct track *k;
	size_t i;

	if (v && scene_runs(c->sc, v, &runs)) {
		s = steps_at(&c->sc->view->cap->steps, c->sc->cap->dump, v->plane,
		    at + c->sc->port.shift - scene_shift_of(c->sc, v->plane));
		return !s ? CLASS_OTHER : (s - runs) % 2 ? STEP_ODD : STEP_EVEN;
	}
	for (size_t n = 0; !v && steps == ROWS_NONE && n < c->sc->rows.n; n++)
		steps = c->sc->rows.v[n].steps;
	if (steps == ROWS_NONE)
		return CLASS_OTHER;
	k = scene_track(c->sc, steps);
	at += c->sc->port.shift - scene_shift_of(c->sc, k->plane);
	i = track_lower(k, at + 1);
	if (!i || at >= track_end(k, i - 1))
		return CLASS_OTHER;
	return (i - 1) % 2 ? STEP_ODD : STEP_EVEN;
}

uint8_t colors_of(const struct colors *c, const struct rows_node *v, const struct track *k, size_t event)
{
	uint8_t was = c->sc->cap->dump->trace.meta_class[track_meta(k, event)];
	uint32_t track = (uint32_t)(k - c->sc->cap->dump->trace.tracks);

	if (was & META_CONTAINER || META_CLASS(was) == CLASS_WAIT)
		return was;
	if (c->by == COLORS_BY_STEP)
		return colors_at(c, v, track_start(k, event));
	if (!c->class || track_meta(k, event) >= c->nmeta || track >= c->ntint ||
	    !fits_track(&c->tint[track], k))
		return was;
	return c->class[track_meta(k, event)];
}

/* A column has the color of the step at its middle. */
void colors_cells(const struct colors *c, const struct rows_node *v, struct cells_column *cell, int from,
    int to)
{
	if (c->by != COLORS_BY_STEP)
		return;
	for (int x = from; x < to; x++)
		if (cell[x].any && cell[x].class != CLASS_WAIT)
			cell[x].class = colors_at(c, v, viewport_time(&c->sc->port, x) + c->sc->port.c / 2);
}

char colors_letter(const struct colors *c, int class)
{
	const char *letters = ways[c->by].letters;

	return letters ? letters[class] : class_info(class)->letter;
}

const char *colors_label(const struct colors *c, int class)
{
	static const char *const label[CLASS_COUNT] = {
		[UTIL_HIGH] = "from 36 % of peak",
		[UTIL_MIDDLE] = "16 to 36 %",
		[UTIL_LOW] = "below 16 %",
		[CLASS_OTHER] = "no FLOPs known",
	};

	if (c->by != COLORS_BY_UTILIZATION)
		return class_info(class)->name;
	return label[class] ? label[class] : "";
}

const char *colors_legend(const struct colors *c, bool mono)
{
	return mono ? ways[c->by].mono_legend : ways[c->by].legend;
}
