#include "config.h"
#include "analyze/overview_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/host_events.h"
#include "analyze/tracestat.h"

#define MS 1e9
#define STEPS_ALL 5 /* of more, the first and the last may be cut off by the capture: left out, as in XProf */

static const struct column columns[] = {
	{ "stepnum", "step", "", COL_STRING },
	{ "deviceComputeTimeMs", "device compute", "ms", COL_NUMBER },
	{ "deviceToDeviceTimeMs", "device to device", "ms", COL_NUMBER },
	{ "deviceCollectivesTimeMs", "collectives", "ms", COL_NUMBER },
	{ "hostComputeTimeMs", "host compute", "ms", COL_NUMBER },
	{ "kernelLaunchTimeMs", "kernel launch", "ms", COL_NUMBER },
	{ "infeedTimeMs", "input", "ms", COL_NUMBER },
	{ "outfeedTimeMs", "output", "ms", COL_NUMBER },
	{ "compileTimeMs", "compile", "ms", COL_NUMBER },
	{ "otherTimeMs", "all others", "ms", COL_NUMBER },
	{ "stepTimeMs", "step time", "ms", COL_NUMBER },
	{ "step_name", "name", "", COL_STRING },
};
#define NCOLUMNS (sizeof columns / sizeof *columns)

/* The columns from the second on: each is the sum of some types of time. */
static const struct {
	const char *average, *deviation; /* ids of the summary */
	unsigned types;
} parts[] = {
	{ "device_compute_time_ms_avg", "device_compute_time_ms_sdv",
	    1u << TIME_COMPUTE_32 | 1u << TIME_COMPUTE_16 },
	{ "device_to_device_time_ms_avg", "device_to_device_time_ms_sdv",
	    1u << TIME_DEVICE_TO_DEVICE | 1u << TIME_WAIT_DEVICE },
	{ "device_collectives_time_ms_avg", "device_collectives_time_ms_sdv", 1u << TIME_DEVICE_COLLECTIVES },
	{ "host_compute_time_ms_avg", "host_compute_time_ms_sdv", 1u << TIME_HOST_COMPUTE },
	{ "kernel_launch_time_ms_avg", "kernel_launch_time_ms_sdv", 1u << TIME_HOST_PREPARE },
	{ "infeed_time_ms_avg", "infeed_time_ms_sdv", 1u << TIME_WAIT_INPUT | 1u << TIME_HOST_TO_DEVICE },
	{ "outfeed_time_ms_avg", "outfeed_time_ms_sdv", 1u << TIME_DEVICE_TO_HOST },
	{ "compile_time_ms_avg", "compile_time_ms_sdv", 1u << TIME_COMPILE },
	{ "other_time_ms_avg", "other_time_ms_sdv", 1u << TIME_UNKNOWN },
};
#define NPARTS (sizeof parts / sizeof *parts)

struct piece {
	int64_t from, to;
	enum time_type type;
};

struct span_step {
	const struct step *row;
	size_t nth; /* among the steps of its host */
	struct piece *v;
	size_t n, cap;
	int64_t ps[TIME_TYPES];
	bool worked;
};

struct builder {
	const struct overview_build *b;
	struct span_step *step;
	size_t n, cap;
	struct span_step **by_group;
	size_t ngroups; /* those that belong to one */
	bool gpu; /* else there is nothing to prepare for: it is work of the host */
};

static void add_piece(struct span_step *s, int64_t from, int64_t to, enum time_type type)
{
	int64_t begin = s->row->start, end = begin + s->row->dur;

	from = from > begin ? from : begin;
	to = to < end ? to : end;
	if (from >= to || type == TIME_NONE)
		return;
	VEC_PUSH(s->v, s->n, s->cap);
	s->v[s->n++] = (struct piece){ from, to, type };
}

static int by_group(const void *a, const void *b)
{
	const struct step *x = (*(struct span_step *const *)a)->row,
			  *y = (*(struct span_step *const *)b)->row;

	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

static void index_groups(struct builder *x)
{
	x->by_group = xcalloc(x->n + 1, sizeof *x->by_group);
	for (size_t i = 0; i < x->n; i++)
		if (x->step[i].row->group >= 0)
			x->by_group[x->ngroups++] = &x->step[i];
	qsort(x->by_group, x->ngroups, sizeof *x->by_group, by_group);
}

static void add_host_event(void *ctx, const struct host_event *e)
{
	struct builder *x = ctx;
	struct step row = { .host = e->host, .group = e->group };
	struct span_step key = { .row = &row }, *p = &key, **found;

	found = bsearch(&p, x->by_group, x->ngroups, sizeof *x->by_group, by_group);
	if (found)
		add_piece(*found, e->start, e->end,
		    e->type == TIME_HOST_PREPARE && !x->gpu ? TIME_HOST_COMPUTE : e->type);
}

/* What lies in the time of the step on a track: of steps that no group knows, and of GPUs. */
static void add_track(struct span_step *s, const struct dump *d, const struct track *t, bool gpu)
{
	int64_t begin = s->row->start, end = begin + s->row->dur;

	for (size_t i = track_lower(t, gpu ? INT64_MIN : begin); i < t->n && t->start[i] < end; i++)
		if (t->start[i] + t->dur[i] > begin && (gpu || t->start[i] + t->dur[i] <= end))
			add_piece(s, t->start[i], t->start[i] + t->dur[i],
			    gpu ? gpu_time_type(d, t->meta[i]) : host_time_type(d, t->meta[i]));
}

static void add_tracks(struct builder *x)
{
	const struct dump *d = x->b->dump;

	for (size_t i = 0; i < x->n && !progress_cancelled(x->b->options->progress); i++) {
		struct span_step *s = &x->step[i];

		if (s->row->group < 0)
			add_track(s, d, &d->trace.tracks[s->row->track], false);
		for (size_t k = 0; k < d->trace.ntracks; k++) {
			const struct track *t = &d->trace.tracks[k];

			if (d->trace.planes[t->plane].kind == PLANE_GPU && t->file >= 0 &&
			    t->role == TRACK_OTHER && d->trace.planes[t->plane].host == s->row->host)
				add_track(s, d, t, true);
		}
	}
}

struct edge_at {
	int64_t at;
	enum time_type type;
	int change;
};

static int by_time(const void *a, const void *b)
{
	const struct edge_at *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Where pieces overlap, the type that counts most has the time; what none covers is not known. */
static void add_up(struct span_step *s)
{
	struct edge_at *e = xcalloc(2 * s->n + 1, sizeof *e);
	int64_t at = s->row->start, end = at + s->row->dur;
	size_t open[TIME_TYPES] = { 0 }, n = 0;

	for (size_t i = 0; i < s->n; i++) {
		e[n++] = (struct edge_at){ s->v[i].from, s->v[i].type, 1 };
		e[n++] = (struct edge_at){ s->v[i].to, s->v[i].type, -1 };
		s->worked |= s->v[i].type == TIME_HOST_COMPUTE || s->v[i].type == TIME_COMPUTE_16 ||
			     s->v[i].type == TIME_COMPUTE_32;
	}
	if (n)
		qsort(e, n, sizeof *e, by_time);
	for (size_t i = 0; i <= n; i++) {
		int64_t to = i < n ? e[i].at : end;
		size_t type = TIME_TYPES - 1;

		while (type && !open[type])
			type--;
		s->ps[type] += to - at;
		at = to;
		if (i < n)
			open[e[i].type] += (size_t)e[i].change;
	}
	free(e);
}

static void find_steps(struct builder *x)
{
	const struct steps *s = x->b->steps;
	const char *host = x->b->options->host;

	for (size_t a = 0, end; a < s->n; a = end) {
		for (end = a; end < s->n && s->v[end].host == s->v[a].host && s->v[end].core == s->v[a].core;)
			end++;
		if (s->v[a].core >= 0 || (host && !trace_host_is(x->b->dump, s->v[a].host, host)))
			continue;
		bool all = end - a <= STEPS_ALL;

		for (size_t i = all ? a : a + 1; i < (all ? end : end - 1); i++) {
			VEC_PUSH(x->step, x->n, x->cap);
			x->step[x->n++] = (struct span_step){ .row = &s->v[i], .nth = i - a };
		}
	}
}

static bool is_unsigned_number(void *ctx, const struct stat_value *v)
{
	bool *found = ctx;

	if (v->name_len != 8 || memcmp(v->name, "step_num", 8))
		return true;
	*found = v->type == STAT_UINT;
	return false;
}

/* XProf reads a step_num that the file has as unsigned as 0. */
static struct cell xprof_number(struct table *t, const struct dump *d, const struct step *s)
{
	const struct track *track = &d->trace.tracks[s->track];
	const char *space = strrchr(s->number, ' ');
	bool zero = false;
	char text[sizeof s->number + 2];
	int n;

	stats_of_event(d, track, s->event, is_unsigned_number, &zero);
	if (!zero || !space)
		return cell_str(s->number, strlen(s->number));
	n = snprintf(text, sizeof text, "%.*s 0", (int)(space - s->number), s->number);
	return cell_str(table_copy(t, text, (size_t)n), (size_t)n);
}

static void add_row(struct table *t, const struct dump *d, const struct span_step *s)
{
	struct cell *c = table_row(t);

	c[0] = xprof_number(t, d, s->row);
	c[NCOLUMNS - 1] = cell_str(s->row->number, strlen(s->row->number));
	for (size_t k = 0; k < NPARTS; k++) {
		double ms = 0;

		for (unsigned type = 0; type < TIME_TYPES; type++)
			if (parts[k].types & 1u << type)
				ms += (double)s->ps[type] / MS;
		c[1 + k] = cell_num(ms);
	}
	c[1 + NPARTS] = cell_num((double)s->row->dur / MS);
}

/* Of several hosts, the one on which a step took longest. */
static bool is_longest(const struct builder *x, size_t i)
{
	const struct span_step *s = &x->step[i];

	for (size_t k = 0; k < x->n; k++) {
		const struct span_step *o = &x->step[k];

		if (o->worked && o->nth == s->nth && o != s &&
		    (o->row->dur > s->row->dur || (o->row->dur == s->row->dur && k < i)))
			return false;
	}
	return true;
}

void overview_generic_columns(struct table *t)
{
	table_init(t, columns, NCOLUMNS);
}

void overview_generic_steps(struct overview_build *b)
{
	struct builder x = { .b = b };
	struct groups groups;
	size_t dropped = 0;

	overview_generic_columns(&b->out->steps);
	for (size_t i = 0; i < b->dump->trace.nplanes; i++)
		x.gpu |= b->dump->trace.planes[i].kind == PLANE_GPU;
	find_steps(&x);
	if (x.n) {
		index_groups(&x);
		groups_find(b->dump, &groups);
		host_events(b->dump, &groups, b->options->host, b->options->progress, add_host_event, &x);
		groups_free(&groups);
		add_tracks(&x);
	}
	for (size_t i = 0; i < x.n; i++) {
		add_up(&x.step[i]);
		dropped += !x.step[i].worked;
	}
	for (size_t i = 0; i < x.n; i++) {
		if (x.step[i].worked && (b->dump->nhosts < 2 || is_longest(&x, i))) {
			add_row(&b->out->steps, b->dump, &x.step[i]);
			b->out->host_to_device_ms += (double)x.step[i].ps[TIME_HOST_TO_DEVICE] / MS;
		}
		free(x.step[i].v);
	}
	if (b->out->steps.nrows)
		b->out->host_to_device_ms /= (double)b->out->steps.nrows;
	if (dropped)
		overview_warn(
		    b->out, "%zu steps without any work of the host or a GPU in them are left out", dropped);
	free(x.by_group);
	free(x.step);
}

static double *column(const struct table *t, size_t c)
{
	double *v = xcalloc(t->nrows + 1, sizeof *v);

	for (size_t i = 0; i < t->nrows; i++)
		v[i] = t->cells[i * t->ncolumns + c].u.d;
	return v;
}

void overview_generic_facts(struct overview_build *b)
{
	for (size_t k = 0; k < NPARTS; k++) {
		double *v = column(&b->out->steps, 1 + k);
		struct summary s = overview_summary(v, b->out->steps.nrows);

		overview_put(b->out, parts[k].average, s.avg, b->out->steps.nrows > 0);
		overview_put(b->out, parts[k].deviation, s.sd, b->out->steps.nrows > 1);
		free(v);
	}
}
