#include "config.h"
#include "analyze/account/differ.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

/* parts that are named, and the least share of the whole difference that has a name */
enum { PARTS_SAID = 3, LEAST_PERCENT = 10 };

/* --- steps of the account --- */

struct by_time {
	double time;
	size_t at;
};

VEC_ORDER(by_time, struct by_time, UP(time) UP(at));

size_t account_median(const struct account *a)
{
	struct by_time *v;
	size_t at;

	if (a->nsteps < 2 || a->several)
		return SIZE_MAX;
	v = xcalloc(a->nsteps, sizeof *v);
	for (size_t i = 0; i < a->nsteps; i++)
		v[i] = (struct by_time){ a->step_of[i].step, i };
	VEC_SORT(v, a->nsteps, by_time);
	at = v[(a->nsteps - 1) / 2].at;
	free(v);
	return at;
}

static double known(double ms)
{
	return isnan(ms) ? 0 : ms * 1e9;
}

bool account_differ(const struct account *a, size_t step, struct step_differ *d)
{
	size_t median = account_median(a);
	const struct account_step *x, *y;

	if (median == SIZE_MAX || median == step || step >= a->nsteps)
		return false;
	x = &a->step_of[step];
	y = &a->step_of[median];
	*d = (struct step_differ){ .by = known(x->step - y->step),
		.overhang = known(x->overhang - y->overhang) };
	d->spread = d->by - known(x->core_time - y->core_time);
	for (int k = 0; k < KIND_COUNT; k++)
		d->kind[k] = known(x->ms[k] - y->ms[k]);
	return true;
}

/* --- rows --- */

struct by_length {
	int host, core;
	strid program;
	int64_t dur;
	size_t at;
};

VEC_ORDER(by_length, struct by_length, UP(host) UP(core) UP(program) UP(dur) UP(at));

static bool same_kind(const struct by_length *a, const struct by_length *b)
{
	return a->host == b->host && a->core == b->core && a->program == b->program;
}

size_t *account_row_medians(const struct steps *s)
{
	struct by_length *v = xcalloc(s->n + 1, sizeof *v);
	size_t *median = xcalloc(s->n + 1, sizeof *median), n = 0;

	for (size_t i = 0; i < s->n; i++) {
		median[i] = SIZE_MAX;
		if (!s->v[i].open)
			v[n++] =
			    (struct by_length){ s->v[i].host, s->v[i].core, s->v[i].program, s->v[i].dur, i };
	}
	VEC_SORT(v, n, by_length);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && same_kind(&v[from], &v[to]);)
			to++;
		for (size_t i = from; to - from > 1 && i < to; i++)
			median[v[i].at] = v[from + (to - from - 1) / 2].at;
	}
	free(v);
	return median;
}

bool account_row_differ(const struct steps *s, const struct account_parts *parts, const size_t *medians,
    size_t row, struct step_differ *d)
{
	size_t median = medians[row];

	if (median == SIZE_MAX || median == row)
		return false;
	*d = (struct step_differ){ .by = (double)s->v[row].dur - (double)s->v[median].dur };
	if (!parts || parts[row].total < 0 || parts[median].total < 0)
		return true;
	for (int k = 0; k < KIND_COUNT; k++)
		d->kind[k] = (double)parts[row].kind[k] - (double)parts[median].kind[k];
	d->overhang = (double)parts[row].overhang - (double)parts[median].overhang;
	return true;
}

/* --- as text --- */

struct part {
	const char *name;
	double by;
};

static int by_size(const void *a, const void *b)
{
	double x = fabs(((const struct part *)a)->by), y = fabs(((const struct part *)b)->by);

	return (x < y) - (x > y);
}

/* Infeed and its like are named by themselves where they are told apart. */
static size_t parts_of(const struct step_differ *d, struct part *v)
{
	bool io = d->kind[KIND_INFEED] != 0 || d->kind[KIND_OUTFEED] != 0 || d->kind[KIND_HOST_TRANSFER] != 0;
	size_t n = 0;

	for (int k = 0; k < KIND_COUNT; k++)
		if (d->kind[k] != 0 && !(k == KIND_IO && io) && k != KIND_SEND_RECV)
			v[n++] = (struct part){ kind_info[k].short_name, d->kind[k] };
	v[n++] = (struct part){ "uneven cores", d->spread };
	v[n++] = (struct part){ "overhang", d->overhang };
	qsort(v, n, sizeof *v, by_size);
	return n;
}

bool step_differ_counts(double part, double by)
{
	return part != 0 && fabs(part) * 100 >= LEAST_PERCENT * fabs(by);
}

char *step_differ_time(double ps, enum time_unit unit, bool ascii, char *buf, size_t size)
{
	char text[40];
	double whole = fabs(ps) / (double)unit_ps[unit];

	units_time_in(text, sizeof text, from_double(fabs(ps)), unit,
	    unit == UNIT_PS || unit == UNIT_NS || whole >= 99.95 ? 0
		: whole >= 9.995                                 ? 1
								 : 2);
	snprintf(buf, size, "%s%s", ps < 0 ? (ascii ? "-" : "−") : "+", text);
	return buf;
}

char *step_differ_say(const struct step_differ *d, bool ascii, char *buf, size_t size)
{
	enum time_unit unit = unit_for(from_double(fabs(d->by)));
	struct part v[KIND_COUNT + 2];
	size_t n = parts_of(d, v);
	char text[48];
	int at = snprintf(buf, size, "%s %s", step_differ_time(d->by, unit, ascii, text, sizeof text),
	    unit_name(unit, ascii));

	for (size_t i = 0; i < n && i < PARTS_SAID; i++) {
		if (!step_differ_counts(v[i].by, d->by) || at < 0 || (size_t)at >= size)
			break;
		at += snprintf(buf + at, size - (size_t)at, "%s%s %s", i ? ", " : ": ", v[i].name,
		    step_differ_time(v[i].by, unit, ascii, text, sizeof text));
	}
	return buf;
}
