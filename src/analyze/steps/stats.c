#include "config.h"
#include "analyze/steps/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/robust.h"

#define SLOW_Z 3.5
#define SLOW_SHARE 0.02 /* equal steps vary by about as much */
/* Steps that are so near touch each other, by clocks and rounding: 1 us and a thousandth of the step. */
#define ABUT_PS 1000000
#define ABUT_SHARE 1000

bool steps_slow(const struct robust *others, int64_t dur)
{
	return robust_z(others, (double)dur) > SLOW_Z && (double)dur >= (1 + SLOW_SHARE) * others->median;
}

/* Do the steps of a core leave no time between them, so that where the last one ends is another matter? */
static bool leave_no_time(const struct step *v, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (v[i].start + v[i].dur + ABUT_PS + v[i].dur / ABUT_SHARE < v[i + 1].start)
			return false;
	return n > 1;
}

/* Does anything begin on the plane of a step after its end? */
static bool something_follows(const struct dump *d, const struct step *s)
{
	int64_t from, to;

	steps_span(s, d, &from, &to);
	for (uint32_t k = UINT32_MAX; (k = trace_track_of(&d->trace, s->plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		if (t->file >= 0 && t->n && track_start(t, t->n - 1) >= to)
			return true;
	}
	return false;
}

void steps_mark_open(const struct dump *d, struct steps *s)
{
	for (size_t a = 0, b; a < s->n; a = b) {
		struct step *last;

		b = steps_core_end(s, a);
		last = &s->v[b - 1];
		last->open = last->core >= 0 && !last->to_next &&
		    (s->source == STEPS_MODULES || leave_no_time(s->v + a, b - a) ||
			!something_follows(d, last));
	}
}

/* Compares those steps of a core that are of one program. */
static void outliers_of(struct step *s, size_t n, strid program, double *v)
{
	struct robust core;
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i].program == program)
			v[found++] = (double)s[i].dur;
	core = robust_of(v, found);
	for (size_t i = 0; i < n; i++) {
		if (s[i].program != program)
			continue;
		s[i].outlier = (double)s[i].dur > core.median + 3 * core.mad &&
		    (double)s[i].dur >= (1 + SLOW_SHARE) * core.median;
		s[i].slow = steps_slow(&core, s[i].dur);
	}
}

static void intervals_and_outliers(struct steps *s)
{
	double *v = xcalloc(s->n + 1, sizeof *v);

	for (size_t a = 0, b; a < s->n; a = b) {
		b = steps_core_end(s, a);
		for (size_t i = a; i < b; i++)
			s->v[i].interval = s->v[i].to_next ? s->v[i].dur
			    : i + 1 < b                    ? s->v[i + 1].start - s->v[i].start
							   : -1;
		for (size_t k = 0; k < (s->programs.n ? s->programs.n : 1); k++)
			outliers_of(s->v + a, b - a, s->programs.name[k], v);
	}
	free(v);
}

static int by_number(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;
	int c = x->id != y->id ? (x->id < y->id ? -1 : 1) : 0;

	return c ? c : strcmp(x->number, y->number);
}

/* If there are more host steps than this, XProf leaves out the first and the last, which may be incomplete in
 * the capture. */
#define HOST_STEPS_ALL 5

/* Selects the rows for the summary: steps that all cores have (all steps, if there are none); for host steps,
 * those that XProf takes. */
static bool *counted_rows(const struct steps *s)
{
	bool *counted = steps_everywhere(s), any = false;

	for (size_t i = 0; i < s->n; i++)
		any |= counted[i];
	for (size_t a = 0, b; a < s->n; a = b) {
		b = steps_core_end(s, a);
		for (size_t i = a; i < b; i++)
			if (s->source == STEPS_HOST)
				counted[i] = b - a <= HOST_STEPS_ALL || (i > a && i + 1 < b);
			else
				counted[i] |= !any;
	}
	return counted;
}

/* Each step counts as long as its longest core. */
static void summarize(struct steps *s)
{
	const struct step **row = xcalloc(s->n + 1, sizeof *row);
	bool *counted = counted_rows(s);
	double sum = 0, squares = 0, *v = xcalloc(s->n + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		row[i] = &s->v[i];
	VEC_SORT(row, s->n, by_number);
	for (size_t a = 0, b; a < s->n; a = b) {
		int64_t longest = -1;

		for (b = a; b < s->n && !by_number(&row[a], &row[b]); b++)
			if (counted[row[b] - s->v] && row[b]->dur > longest)
				longest = row[b]->dur;
		s->distinct++;
		if (longest < 0)
			continue;
		v[n] = (double)longest / 1e9;
		s->min_ms = !n || v[n] < s->min_ms ? v[n] : s->min_ms;
		s->max_ms = !n || v[n] > s->max_ms ? v[n] : s->max_ms;
		sum += v[n++];
	}
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - sum / (double)n) * (v[i] - sum / (double)n);
	s->avg_ms = n ? sum / (double)n : 0;
	s->sd_ms = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	free(row);
	free(counted);
	free(v);
}

void steps_statistics(struct steps *s)
{
	intervals_and_outliers(s);
	summarize(s);
	if (s->programs.n > 1)
		s->avg_ms = s->sd_ms = s->min_ms = s->max_ms = NAN;
}
