#include "config.h"
#include "analyze/steps/duty_cycle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/core_details.h"
#include "analyze/device/digest.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/span.h"

#define PIECE 4096 /* ops between two checks for cancellation */

static const char *const off_duty[] = { "infeed", "outfeed", "host send", "host send-done", "host recv",
	"host recv-done", "async-done", "megacore fusion" };

/* A TensorCore, or a SparseCore, whose ops count only for the span. */
struct core {
	uint32_t plane;
	int host, core;
	int64_t chip;
	bool tensor; /* a TensorCore */
	struct spans busy;
	int64_t first, last;
	bool digest;
	int64_t own_busy, chip_busy; /* from a digest; used instead of busy */
};

struct scan {
	const struct dump *dump;
	const uint8_t *off; /* by meta: the category is off duty */
	struct core *core;
	struct progress *progress;
};

/* Ops that reach beyond the place that the painter has come to, by start.  Of those that run at a time the one that
 * began last says whether the core is on duty. */
struct painter {
	struct stroke {
		int64_t to;
		bool on;
	} * open;
	size_t n, cap;
	int64_t at;
	struct spans *spans;
};

static inline void paint_until(struct painter *p, int64_t to)
{
	while (p->n && p->at < to) {
		const struct stroke *top = &p->open[p->n - 1];
		int64_t end = top->to < to ? top->to : to;

		if (top->on && p->at < end)
			spans_append(p->spans, p->at, end);
		p->at = end > p->at ? end : p->at;
		p->n -= top->to <= p->at;
	}
	p->at = to;
}

struct timed {
	int64_t start, end;
	uint32_t i;
};

VEC_ORDER(in_time, struct timed, UP(start) DOWN(end) UP(i));

/* Returns the events in order of the plain clock when the columns have the device clock, else NULL. */
static struct timed *plain_order(const struct dump *d, const struct track *t, const struct progress *progress)
{
	struct timed *v;

	if (!t->device_clock || !(v = mem_try(NULL, t->n + 1, sizeof *v)))
		return NULL;
	for (size_t i = 0; i < t->n; i++) {
		int64_t dur;

		clock_plain(d, t, i, &v[i].start, &dur);
		v[i].end = v[i].start + dur;
		v[i].i = (uint32_t)i;
	}
	sort_items(v, t->n, sizeof *v, in_time, progress);
	return v;
}

/* Adds the spans of a track to those of the core, which are not in order then. */
static void paint_track(const struct scan *s, struct core *c, const struct track *t)
{
	struct timed *order = plain_order(s->dump, t, s->progress);
	struct spans own = { 0 };
	struct painter p = { .spans = c->busy.n ? &own : &c->busy };

	for (size_t i = 0; i < t->n; i++) {
		int64_t from = order ? order[i].start : track_start(t, i),
			to = order ? order[i].end : from + track_dur(t, i);
		const struct stroke *top;
		bool on;

		if (i % PIECE == 0) {
			if (progress_canceled(s->progress))
				break;
			progress_add(s->progress, t->n - i < PIECE ? t->n - i : PIECE, 0);
		}
		on = !s->off[track_meta(t, order ? order[i].i : i)];
		top = p.n ? &p.open[p.n - 1] : NULL;
		if (from >= to || (top && top->on && on && to <= top->to)) /* changes nothing */
			continue;
		paint_until(&p, from);
		VEC_ADD(p.open, p.n, p.cap, (struct stroke){ to, on });
	}
	paint_until(&p, INT64_MAX);
	spans_add(&c->busy, &own);
	free(own.v);
	free(p.open);
	free(order);
}

static void widen(const struct dump *d, struct core *c, const struct track *t)
{
	int64_t start, dur;

	for (size_t i = 0; i < t->n; i++) {
		clock_plain(d, t, i, &start, &dur);
		c->first = start < c->first ? start : c->first;
		c->last = start + dur > c->last ? start + dur : c->last;
		if (!t->device_clock) { /* sorted by start, so only the ends have to be looked at */
			c->last = t->last > c->last ? t->last : c->last;
			break;
		}
	}
}

static bool take_digest(const struct dump *d, struct core *c)
{
	Pb__DigestPlane *m = digest_of_plane(d, c->plane);

	if (m && m->has_busy) {
		c->digest = true;
		c->first = m->duty_first;
		c->last = m->duty_last;
		c->own_busy = m->busy;
		c->chip_busy = m->chip_busy;
	}
	digest_free(m);
	return c->digest;
}

static void scan_core(void *ctx, size_t i)
{
	const struct scan *s = ctx;
	struct core *c = &s->core[i];

	if (take_digest(s->dump, c))
		return;
	for (uint32_t k = UINT32_MAX;
	     (k = trace_track_of(&s->dump->trace, c->plane, k)) < s->dump->trace.ntracks;) {
		const struct track *t = &s->dump->trace.tracks[k];

		if (t->file < 0 || (t->role != TRACK_OPS && t->role != TRACK_MODULES))
			continue;
		widen(s->dump, c, t);
		if (t->role == TRACK_OPS && s->dump->trace.planes[c->plane].kind == PLANE_TPU)
			paint_track(s, c, t);
	}
	spans_join(&c->busy);
	dump_let_go(s->dump, c->plane);
}

VEC_ORDER(by_chip, struct core, UP(host) UP(chip) UP(plane));

/* Adds cores a to b - 1, which are one chip. */
static void add_chip(struct scan *s, size_t a, size_t b, struct duty_cycle *out)
{
	int64_t first = INT64_MAX, last = INT64_MIN, busy = 0;
	struct spans all = { 0 };

	for (size_t i = a; i < b; i++) {
		struct core *c = &s->core[i];

		spans_add(&all, &c->busy);
		first = c->first < first ? c->first : first;
		last = c->last > last ? c->last : last;
	}
	spans_join(&all);
	busy = spans_length(&all);
	free(all.v);
	/* A digest has no spans, only the busy time of the core or of the whole chip. */
	if (s->core[a].digest)
		busy = b - a > 1 && s->core[a].chip_busy >= 0 ? s->core[a].chip_busy : s->core[a].own_busy;
	if (first > last)
		return;
	for (int k = 0; k < 2; k++) {
		struct duty *to = k ? s->core[a].host < 0 ? NULL : &out->host[s->core[a].host] : &out->all;

		if (!to)
			continue;
		to->busy = add_clamped(to->busy, busy);
		to->span = add_clamped(to->span, sub_clamped(last, first));
	}
}

VEC_ORDER(by_number, struct core, UP(host) UP(core) DOWN(tensor) UP(plane));

/* Gives the chip of a TensorCore to the SparseCores that have its number. */
static void join_chips(const struct dump *d, struct core *v, size_t n)
{
	const struct core *tensor = NULL;

	for (size_t i = 0; i < n; i++)
		v[i].tensor = d->trace.planes[v[i].plane].kind == PLANE_TPU;
	VEC_SORT(v, n, by_number);
	for (size_t i = 0; i < n; i++)
		if (v[i].tensor)
			tensor = &v[i];
		else if (tensor && tensor->host == v[i].host && tensor->core == v[i].core)
			v[i].chip = tensor->chip;
}

/* Finds the cores.  Without core_details each core counts as a chip; a SparseCore belongs to the chip of its
 * TensorCore. */
static size_t find_cores(const struct dump *d, const char *host, int core, struct core **cores)
{
	size_t n = 0, cap = 0;

	*cores = NULL;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		struct core_details at;

		if (!plane_is_tpu_core(p->kind) || (core >= 0 && p->core != core) ||
		    (host && !dump_host_is(d, p->host, host)))
			continue;
		at = core_details_of(d, i);
		VEC_ADD(*cores, n, cap,
		    (struct core){ .plane = i,
			.host = p->host,
			.core = p->core,
			.first = INT64_MAX,
			.last = INT64_MIN,
			.chip = at.known ? at.local_chip : INT64_C(1) << 40 | p->core });
	}
	join_chips(d, *cores, n);
	VEC_SORT(*cores, n, by_chip);
	return n;
}

/* Reads the spans of all cores, sorted by chip; free_cores() frees them. */
static size_t read_cores(struct scan *s, const char *host, int core, int threads)
{
	const struct dump *d = s->dump;
	uint8_t *off = xcalloc(d->trace.nmetas + 1, 1);
	size_t n = find_cores(d, host, core, &s->core);

	for (size_t k = 0; k < sizeof off_duty / sizeof *off_duty; k++) {
		strid category = strtab_find(&d->str, off_duty[k], strlen(off_duty[k]));

		for (size_t i = 0; i < d->trace.nmetas && category != UINT32_MAX; i++)
			off[i] |= d->trace.metas[i].category == category;
	}
	s->off = off;
	pool_run(threads > 0 ? threads : pool_default_threads(), n, scan_core, s);
	s->off = NULL;
	free(off);
	return n;
}

static void free_cores(struct scan *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(s->core[i].busy.v);
	free(s->core);
}

static size_t chip_end(const struct scan *s, size_t a, size_t n)
{
	size_t end = a + 1;

	while (end < n && s->core[end].host == s->core[a].host && s->core[end].chip == s->core[a].chip)
		end++;
	return end;
}

void duty_cycle(const struct dump *d, const char *host, int core, int threads, struct progress *progress,
    struct duty_cycle *out)
{
	struct scan s = { .dump = d, .progress = progress };
	size_t n = read_cores(&s, host, core, threads);

	*out = (struct duty_cycle){ .host = xcalloc(d->nhosts + 1, sizeof *out->host) };
	for (size_t a = 0; a < n; a = chip_end(&s, a, n))
		add_chip(&s, a, chip_end(&s, a, n), out);
	free_cores(&s, n);
}

struct duty_core *duty_cores(const struct dump *d, int threads, size_t *n)
{
	struct scan s = { .dump = d };
	struct duty_core *v;

	*n = read_cores(&s, NULL, -1, threads);
	v = xcalloc(*n + 1, sizeof *v);
	for (size_t a = 0, end; a < *n; a = end) {
		struct spans all = { 0 };

		end = chip_end(&s, a, *n);
		for (size_t i = a; i < end; i++) {
			struct core *c = &s.core[i];

			v[i] = (struct duty_core){ c->plane, c->first, c->last, spans_length(&c->busy), -1 };
			spans_add(&all, &c->busy);
		}
		spans_join(&all);
		v[a].chip_busy = spans_length(&all);
		free(all.v);
	}
	free_cores(&s, *n);
	return v;
}

void duty_free(struct duty_cycle *c)
{
	free(c->host);
	*c = (struct duty_cycle){ 0 };
}

double duty_percent(const struct duty *d)
{
	return d->span > 0 ? 100.0 * ((double)d->busy / (double)d->span) : NAN;
}
