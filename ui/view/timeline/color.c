#include "config.h"

#include "view/timeline/color.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/device/classify.h"
#include "analyze/device/peaks.h"
#include "model/lod.h"
#include "view/timeline/tl.h"

enum {
	UTIL_LOW = CLASS_IO,
	UTIL_MIDDLE = CLASS_COPY,
	UTIL_HIGH = CLASS_MATMUL,
	STEP_EVEN = CLASS_COMPUTE,
	STEP_ODD = CLASS_COPY
};

#define LOW 0.16 /* of the peak; as in XProf's op tables */
#define MIDDLE 0.36
#define NAME_CLASSES (CLASS_HOST + 1) /* classes that a name may get */

static const struct {
	const char *name, *letters, *legend, *mono_legend;
} ways[TL_BY_COUNT] = {
	[TL_BY_CATEGORY] = { "category", NULL, "colour: what took most of that time",
	    "letter: what took most of that time" },
	[TL_BY_UTILISATION] = { "utilisation", "HoMoLowo", "colour: FLOP rate of the chip's peak",
	    "H M L: FLOP rate of the chip's peak" },
	[TL_BY_NAME] = { "name", "ABCDEFwo", "colour: the name; see the table",
	    "letter: the name; see the table" },
	[TL_BY_STEP] = { "step", "oABooowo", "colour: steps alternate", "letter: steps alternate" },
};

/* --- classes of kinds of events --- */

uint8_t tl_colour_name_class(const struct tl *t, strid name)
{
	const char *s = strtab_str(&t->scene.dump->str, name);
	uint32_t h = 2166136261u;

	for (size_t i = 0, n = strtab_len(&t->scene.dump->str, name); i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	h ^= h >> 15;
	return (uint8_t)(h % NAME_CLASSES);
}

static uint8_t utilisation_class(const struct tl *t, uint32_t meta, const struct peaks *peaks)
{
	const struct tl_colour *c = &t->colour;
	double flops = 0, share;

	if (peaks->flops <= 0 || meta >= c->ndur || c->dur[meta] <= 0)
		return CLASS_OTHER;
	if ((!stat_meta_double(t->scene.dump, meta, "flops", &flops) || flops <= 0) &&
	    (!stat_meta_double(t->scene.dump, meta, "model_flops", &flops) || flops <= 0))
		return CLASS_OTHER;
	share = flops * c->count[meta] / (c->dur[meta] / 1e12) / peaks->flops;
	return share < LOW ? UTIL_LOW : share < MIDDLE ? UTIL_MIDDLE : UTIL_HIGH;
}

/* Of kinds that came since, too: rows are derived while one looks. */
static void make_classes(struct tl *t)
{
	struct tl_colour *c = &t->colour;
	const struct trace *r = &t->scene.dump->trace;
	struct peaks peaks = { 0 };
	uint32_t plane = UINT32_MAX;

	if (c->class && c->nmeta == r->nmetas)
		return;
	c->class = xrealloc(c->class, r->nmetas + 1, sizeof *c->class);
	for (; c->nmeta < r->nmetas; c->nmeta++) {
		const struct evmeta *m = &r->metas[c->nmeta];
		uint8_t was = r->meta_class[c->nmeta], class;

		if (c->by == TL_BY_UTILISATION && m->plane != plane && m->plane < r->nplanes) {
			plane = m->plane;
			peaks_of_plane(t->scene.dump, plane, &peaks);
		}
		class = c->by == TL_BY_NAME  ? tl_colour_name_class(t, m->name)
		    : m->plane >= r->nplanes ? CLASS_OTHER
		    : r->planes[m->plane].kind == PLANE_HOST
		    ? CLASS_HOST
		    : utilisation_class(t, (uint32_t)c->nmeta, &peaks);
		c->class[c->nmeta] = META_CLASS(was) == CLASS_WAIT || was & META_CONTAINER ? was : class;
	}
}

/* --- indexes --- */

static struct tl_tint *tint_of(struct tl_colour *c, uint32_t track)
{
	if (track >= c->ntint) {
		size_t n = (size_t)track + 16;

		c->tint = xrealloc(c->tint, n, sizeof *c->tint);
		memset(c->tint + c->ntint, 0, (n - c->ntint) * sizeof *c->tint);
		c->ntint = n;
	}
	return &c->tint[track];
}

static bool fits(const struct tl_tint *i, const struct track *k)
{
	return i->lod && i->start == k->start && i->n == k->n;
}

/* Returns whether there was something to do. */
static bool make_tint(struct tl *t, uint32_t track)
{
	const struct track *k = scene_track(&t->scene, track);
	struct tl_tint *i = tint_of(&t->colour, track);
	struct track copy = *k;

	if (!k->n || k->rows < 1 || fits(i, k))
		return false;
	lod_free(i->lod);
	i->lod = NULL;
	make_classes(t);
	copy.lod = NULL;
	if (lod_build(&copy, t->colour.class))
		return false; /* no memory: it stays by category */
	*i = (struct tl_tint){ copy.lod, k->start, k->n };
	return true;
}

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* Times of each kind of event: achieved rates are means. */
static bool scan(struct tl *t, int64_t until)
{
	struct tl_colour *c = &t->colour;
	const struct trace *r = &t->scene.dump->trace;

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
			if (k->meta[i] < c->ndur) {
				c->dur[k->meta[i]] += (double)k->dur[i];
				c->count[k->meta[i]]++;
			}
	}
	return false;
}

static bool tint_rows(struct tl *t, int64_t until)
{
	bool any = false;

	for (int i = 0; i < t->scene.lay.plot.h && scene_place(&t->scene, i) < t->scene.rows.nvis; i++) {
		struct rows_source s = rows_source(scene_node(&t->scene, scene_place(&t->scene, i)));

		if (s.track == ROWS_NONE || !make_tint(t, s.track))
			continue;
		any = true;
		if (now_us() >= until)
			break;
	}
	return any;
}

bool tl_colour_step(struct tl *t, int budget_ms)
{
	struct tl_colour *c = &t->colour;
	int64_t until = now_us() + (int64_t)budget_ms * 1000;

	if (c->by != TL_BY_NAME && c->by != TL_BY_UTILISATION)
		return false;
	if (c->by == TL_BY_UTILISATION && scan(t, until))
		return true;
	if (tint_rows(t, until)) {
		c->done = false;
		t->scene.changes.colors++;
		t->scene.view->stale = true;
		return true;
	}
	for (size_t i = 0; i < t->scene.rows.ndevice && !c->done; i++)
		if (make_tint(t, t->scene.rows.device[i]) && now_us() >= until)
			return true;
	if (!c->done) {
		c->done = true;
		t->scene.changes.colors++;
		t->scene.view->stale = true;
		return true;
	}
	return false;
}

void tl_colour_forget(struct tl *t)
{
	struct tl_colour *c = &t->colour;
	enum tl_colour_by by = c->by;

	for (size_t i = 0; i < c->ntint; i++)
		lod_free(c->tint[i].lod);
	free(c->tint);
	free(c->class);
	free(c->dur);
	free(c->count);
	*c = (struct tl_colour){ .by = by };
}

/* --- choosing --- */

static void use(struct tl *t, enum tl_colour_by by)
{
	tl_colour_forget(t);
	t->colour.by = by;
	t->scene.changes.colors++;
	t->scene.view->stale = true;
}

static bool has_peaks(const struct tl *t)
{
	struct peaks peaks;

	for (uint32_t i = 0; i < t->scene.dump->trace.nplanes; i++)
		if (t->scene.dump->trace.planes[i].kind == PLANE_TPU &&
		    peaks_of_plane(t->scene.dump, i, &peaks) && peaks.flops > 0)
			return true;
	return false;
}

static bool has_steps(const struct tl *t)
{
	for (size_t i = 0; i < t->scene.rows.n; i++)
		if (t->scene.rows.v[i].steps != ROWS_NONE)
			return true;
	return false;
}

unsigned tl_colour_next(struct tl *t)
{
	static const char *const says[TL_BY_COUNT] = {
		"Colours by category",
		"By utilisation of the peak FLOP rate: green from 36 %, yellow 16 %, red below",
		"Colours by name: equal names are equal, different ones may be",
		"Colours by step, alternating",
	};
	enum tl_colour_by by = t->colour.by;

	do
		by = (enum tl_colour_by)((by + 1) % TL_BY_COUNT);
	while ((by == TL_BY_UTILISATION && !has_peaks(t)) || (by == TL_BY_STEP && !has_steps(t)));
	use(t, by);
	app_message(t->scene.view->app, false, "%s", says[by]);
	return 1;
}

int tl_colour_set(struct tl *t, const char *name)
{
	for (int i = 0; i < TL_BY_COUNT; i++)
		if (!strcmp(name, ways[i].name)) {
			use(t, (enum tl_colour_by)i);
			return 0;
		}
	return -1;
}

const char *tl_colour_name(const struct tl *t)
{
	return ways[t->colour.by].name;
}

/* --- asking --- */

const struct track *tl_colour_track(const struct tl *t, uint32_t track, struct track *copy,
    const uint8_t **classes)
{
	const struct tl_colour *c = &t->colour;
	const struct track *k = scene_track(&t->scene, track);

	*classes = t->scene.dump->trace.meta_class;
	if (!c->class || track >= c->ntint || !fits(&c->tint[track], k))
		return k;
	*copy = *k;
	copy->lod = c->tint[track].lod;
	*classes = c->class;
	return copy;
}

uint8_t tl_colour_at(const struct tl *t, const struct rows_node *v, int64_t at)
{
	uint32_t steps = v ? scene_steps_track(&t->scene, v) : ROWS_NONE;
	const struct step *runs, *s;
	const struct track *k;
	size_t i;

	if (v && scene_runs(&t->scene, v, &runs)) {
		s = steps_at(&t->scene.view->app->steps, t->scene.dump, v->plane,
		    at + t->scene.port.shift - scene_shift_of(&t->scene, v->plane));
		return !s ? CLASS_OTHER : (s - runs) % 2 ? STEP_ODD : STEP_EVEN;
	}
	for (size_t n = 0; !v && steps == ROWS_NONE && n < t->scene.rows.n; n++)
		steps = t->scene.rows.v[n].steps;
	if (steps == ROWS_NONE)
		return CLASS_OTHER;
	k = scene_track(&t->scene, steps);
	at += t->scene.port.shift - scene_shift_of(&t->scene, k->plane);
	i = track_lower(k, at + 1);
	if (!i || at >= k->start[i - 1] + k->dur[i - 1])
		return CLASS_OTHER;
	return (i - 1) % 2 ? STEP_ODD : STEP_EVEN;
}

uint8_t tl_colour_of(const struct tl *t, const struct rows_node *v, const struct track *k, size_t event)
{
	uint8_t was = t->scene.dump->trace.meta_class[k->meta[event]];
	const struct tl_colour *c = &t->colour;
	uint32_t track = (uint32_t)(k - t->scene.dump->trace.tracks);

	if (was & META_CONTAINER || META_CLASS(was) == CLASS_WAIT)
		return was;
	if (c->by == TL_BY_STEP)
		return tl_colour_at(t, v, k->start[event]);
	if (!c->class || k->meta[event] >= c->nmeta || track >= c->ntint || !fits(&c->tint[track], k))
		return was;
	return c->class[k->meta[event]];
}

/* The step of a column is that of its middle. */
void tl_colour_cells(const struct tl *t, const struct rows_node *v, struct tl_cell *cell, int from, int to)
{
	if (t->colour.by != TL_BY_STEP)
		return;
	for (int x = from; x < to; x++)
		if (cell[x].any && cell[x].class != CLASS_WAIT)
			cell[x].class =
			    tl_colour_at(t, v, viewport_time(&t->scene.port, x) + t->scene.port.c / 2);
}

char tl_colour_letter(const struct tl *t, int class)
{
	const char *letters = ways[t->colour.by].letters;

	return letters ? letters[class] : class_letter[class];
}

const char *tl_colour_label(const struct tl *t, int class)
{
	static const char *const label[CLASS_COUNT] = {
		[UTIL_HIGH] = "from 36 % of peak",
		[UTIL_MIDDLE] = "16 to 36 %",
		[UTIL_LOW] = "below 16 %",
		[CLASS_OTHER] = "no FLOPs known",
	};

	if (t->colour.by != TL_BY_UTILISATION)
		return class_label[class];
	return label[class] ? label[class] : "";
}

const char *tl_colour_legend(const struct tl *t, bool mono)
{
	return mono ? ways[t->colour.by].mono_legend : ways[t->colour.by].legend;
}
