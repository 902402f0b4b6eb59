#include "config.h"
#include "analyze/trace/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "base/clamp.h"
#include "base/sort.h"

#define SAMPLE 1024
#define TRIALS 512
#define PAIR_MAX (INT64_MAX / 8) /* times beyond this are damage */
/* 1 us: differences that limited resolution or rounding can cause between equal times */
#define NOISE 1000000

struct clock_names clock_names_of(const struct dump *d)
{
	return (struct clock_names){
		.offset = strtab_find(&d->str, "device_offset_ps", 16),
		.duration = strtab_find(&d->str, "device_duration_ps", 18),
	};
}

bool clock_pair_and(const struct dump *d, const struct clock_names *names, const struct track *t, size_t i,
    int64_t *offset, int64_t *dur, strid name, int64_t *id)
{
	bool pair = names->offset != UINT32_MAX && names->duration != UINT32_MAX;
	strid want[3];
	int64_t v[3];
	unsigned n = 0, has;

	if (pair) {
		want[n++] = names->offset;
		want[n++] = names->duration;
	}
	if (name != UINT32_MAX)
		want[n++] = name;
	if (!n || t->file < 0 || !track_args(t, i))
		return false;
	has = stats_event_ints(d, t, i, want, n, v);
	if (name != UINT32_MAX && has >> (n - 1))
		*id = v[n - 1];
	if (!pair || (has & 3) != 3 || v[1] < 0 || v[0] < -PAIR_MAX || v[0] > PAIR_MAX || v[1] > PAIR_MAX)
		return false;
	*offset = v[0];
	*dur = v[1];
	return true;
}

bool clock_pair(const struct dump *d, const struct clock_names *names, const struct track *t, size_t i,
    int64_t *offset, int64_t *dur)
{
	return clock_pair_and(d, names, t, i, offset, dur, UINT32_MAX, NULL);
}

void clock_read_plain(const struct dump *d, const struct track *t, size_t i, int64_t *start, int64_t *dur)
{
	const struct stat_reader *r = t->file >= 0 ? d->files[t->file].stats : NULL;

	if (!r || !r->plain || !r->plain(d, t, i, start, dur)) {
		*start = track_start(t, i);
		*dur = track_dur(t, i);
	}
}

/* Fitting.  Most events are where the line of the file says; the others are late by anything up to seconds.
 * Of the lines through two points, the one with the most other points near it wins. */
struct point {
	double x, y;
}; /* x: device time; y: plain time less device time */

struct line {
	double slope, shift;
}; /* y = shift + slope × x */

static size_t inliers(const struct point *p, size_t n, struct line l, double tolerance)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		k += fabs(p[i].y - l.shift - l.slope * p[i].x) <= tolerance;
	return k;
}

static struct line least_squares(const struct point *p, size_t n, struct line near, double tolerance)
{
	double sx = 0, sy = 0, xx = 0, xy = 0, k = 0;
	struct line l = near;

	for (size_t i = 0; i < n; i++) {
		if (fabs(p[i].y - near.shift - near.slope * p[i].x) > tolerance)
			continue;
		sx += p[i].x;
		sy += p[i].y;
		k++;
	}
	for (size_t i = 0; i < n && k; i++) {
		double x = p[i].x - sx / k, y = p[i].y - sy / k;

		if (fabs(p[i].y - near.shift - near.slope * p[i].x) > tolerance)
			continue;
		xx += x * x;
		xy += x * y;
	}
	if (xx > 0)
		l.slope = xy / xx;
	if (k)
		l.shift = sy / k - l.slope * (sx / k);
	return l;
}

static struct line search(const struct point *p, size_t n, double tolerance, size_t *best)
{
	uint64_t random = 0x9e3779b97f4a7c15u;
	double reach = fabs(p[n - 1].x - p[0].x) / 10;
	struct line found = { 0, p[0].y };

	*best = inliers(p, n, found, tolerance);
	for (int trial = 0; trial < TRIALS && *best < n - n / 64; trial++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		const struct point *a = &p[(random >> 33) % n];

		random = random * 6364136223846793005u + 1442695040888963407u;
		const struct point *b = &p[(random >> 33) % n];

		if (fabs(a->x - b->x) <= reach)
			continue;
		struct line l = { .slope = (b->y - a->y) / (b->x - a->x) };

		l.shift = a->y - l.slope * a->x;
		size_t k = fabs(l.slope) < 0.01 ? inliers(p, n, l, tolerance) : 0;

		if (k > *best) {
			*best = k;
			found = l;
		}
	}
	return found;
}

static void fit_points(const struct point *p, size_t n, struct clock_fit *fit)
{
	static const double tolerances[] = { 20e6, 200e6, 2e9 };
	double left[SAMPLE], tolerance = 0, worst = 0;
	struct line l = { 0, 0 };
	size_t k = 0;

	for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances && k < n / 10 + 1; i++) {
		tolerance = tolerances[i];
		l = search(p, n, tolerance, &k);
	}
	for (int again = 0; again < 3; again++)
		l = least_squares(p, n, l, tolerance);
	fit->slope = 1 + l.slope;
	fit->shift = from_double(round(l.shift));
	fit->points = n;
	fit->inliers = 0;
	for (size_t i = 0; i < n; i++) {
		double r = fabs(p[i].y - l.shift - l.slope * p[i].x);

		if (r <= tolerance)
			left[fit->inliers++] = r;
		worst = r > worst ? r : worst;
	}
	VEC_SORT(left, fit->inliers, sort_by_double);
	fit->residual = fit->inliers ? from_double(round(left[fit->inliers / 2])) : 0;
	fit->worst = from_double(round(worst));
	fit->differs |= fit->worst > NOISE;
}

/* Takes the fit that was found when the digest was made: it keeps too few ops to find it again. */
static bool digest_clock(const struct dump *d, uint32_t plane, struct clock_fit *fit)
{
	Pb__DigestPlane *m = digest_of_plane(d, plane);
	bool has = m && m->n_clock == DIGEST_CLOCKS && m->has_clock_slope;
	int64_t shift;

	if (has) {
		const int64_t *v = m->clock;

		*fit = (struct clock_fit){ .plane = plane,
			.slope = digest_double(m->clock_slope),
			.points = (size_t)v[0],
			.inliers = (size_t)v[1],
			.residual = v[2],
			.worst = v[3],
			.differs = v[4] != 0,
			.shift = v[5] };
		has = !__builtin_sub_overflow(v[6], d->origin_ns, &shift) &&
		    !__builtin_mul_overflow(shift, INT64_C(1000), &shift) &&
		    !__builtin_add_overflow(shift, fit->shift, &fit->shift) && v[0] >= v[1] && v[1] >= 0 &&
		    fit->residual >= 0 && fit->worst >= 0 && fit->slope > .5 && fit->slope < 2;
	}
	digest_free(m);
	return has;
}

bool clock_fit_plane(const struct dump *d, const struct clock_names *names, uint32_t plane,
    struct clock_fit *fit)
{
	struct point p[SAMPLE];
	size_t n = 0;

	*fit = (struct clock_fit){ .plane = plane, .slope = 1 };
	if (d->trace.planes[plane].file >= 0 && d->files[d->trace.planes[plane].file].digest)
		return digest_clock(d, plane, fit);
	if (d->trace.planes[plane].file >= 0 && file_is_converted(&d->files[d->trace.planes[plane].file]))
		return false;
	for (uint32_t k = UINT32_MAX; !n && (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];
		size_t want = t->n < SAMPLE ? t->n : SAMPLE;

		if (t->role != TRACK_OPS || t->file < 0)
			continue;
		for (size_t s = 0; s < want; s++) {
			size_t i = (size_t)((double)s * (double)t->n / (double)want);
			int64_t offset, dur, start, plain;

			if (!clock_pair(d, names, t, i, &offset, &dur))
				continue;
			clock_plain(d, t, i, &start, &plain);
			fit->differs |= llabs(plain - dur) > NOISE;
			p[n++] = (struct point){ (double)offset, (double)(start - offset) };
		}
	}
	dump_let_go(d, plane);
	if (n)
		fit_points(p, n, fit);
	return n > 0;
}

void clock_fit_all(const struct dump *d, struct clocks *c)
{
	struct clock_names names = clock_names_of(d);
	struct clock_fit fit;
	size_t cap = 0;

	*c = (struct clocks){ .in_use = CLOCK_PLAIN };
	if ((names.offset == UINT32_MAX || names.duration == UINT32_MAX) && !digest_count(d))
		return;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		enum plane_kind kind = d->trace.planes[i].kind;

		if (!plane_is_tpu_core(kind) || !clock_fit_plane(d, &names, i, &fit))
			continue;
		VEC_ADD(c->fit, c->n, cap, fit);
		c->any_differs |= fit.differs;
	}
	for (size_t i = 0; i < d->trace.ntracks; i++)
		if (d->trace.tracks[i].device_clock)
			c->in_use = CLOCK_DEVICE;
}

void clock_free(struct clocks *c)
{
	free(c->fit);
	*c = (struct clocks){ 0 };
}
