#include "config.h"
#include "analyze/overview/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/framework/host_events.h"
#include "analyze/steps/rows.h"

#define MS 1e9
/* If there are more steps than this, the first and the last may be cut off by the capture and are left out,
 * as in XProf. */
#define STEPS_ALL 5

enum part {
	PART_COMPUTE,
	PART_DEVICE_TO_DEVICE,
	PART_COLLECTIVES,
	PART_HOST_COMPUTE,
	PART_LAUNCH,
	PART_INPUT,
	PART_OUTPUT,
	PART_COMPILE,
	PART_OTHER,
	NPARTS
};

/* Each column is the sum of some types of time. */
static const struct {
	enum generic_column column;
	const char *average, *deviation; /* ids in the summary */
	unsigned types;
} parts[NPARTS] = {
	[PART_COMPUTE] = { GENERIC_deviceComputeTimeMs, "device_compute_time_ms_avg",
	    "device_compute_time_ms_sdv", 1u << TIME_COMPUTE_32 | 1u << TIME_COMPUTE_16 },
	[PART_DEVICE_TO_DEVICE] = { GENERIC_deviceToDeviceTimeMs, "device_to_device_time_ms_avg",
	    "device_to_device_time_ms_sdv", 1u << TIME_DEVICE_TO_DEVICE | 1u << TIME_WAIT_DEVICE },
	[PART_COLLECTIVES] = { GENERIC_deviceCollectivesTimeMs, "device_collectives_time_ms_avg",
	    "device_collectives_time_ms_sdv", 1u << TIME_DEVICE_COLLECTIVES },
	[PART_HOST_COMPUTE] = { GENERIC_hostComputeTimeMs, "host_compute_time_ms_avg",
	    "host_compute_time_ms_sdv", 1u << TIME_HOST_COMPUTE },
	[PART_LAUNCH] = { GENERIC_kernelLaunchTimeMs, "kernel_launch_time_ms_avg",
	    "kernel_launch_time_ms_sdv", 1u << TIME_HOST_PREPARE },
	[PART_INPUT] = { GENERIC_infeedTimeMs, "infeed_time_ms_avg", "infeed_time_ms_sdv",
	    1u << TIME_WAIT_INPUT | 1u << TIME_HOST_TO_DEVICE },
	[PART_OUTPUT] = { GENERIC_outfeedTimeMs, "outfeed_time_ms_avg", "outfeed_time_ms_sdv",
	    1u << TIME_DEVICE_TO_HOST },
	[PART_COMPILE] = { GENERIC_compileTimeMs, "compile_time_ms_avg", "compile_time_ms_sdv",
	    1u << TIME_COMPILE },
	[PART_OTHER] = { GENERIC_otherTimeMs, "other_time_ms_avg", "other_time_ms_sdv", 1u << TIME_UNKNOWN },
};

const struct overview_part overview_parts[OVERVIEW_PARTS] = {
	{ KIND_DEVICE, { GENERIC_deviceComputeTimeMs } },
	{ KIND_HOST_COMPUTE, { GENERIC_hostComputeTimeMs } },
	{ KIND_COLLECTIVE, { GENERIC_deviceCollectivesTimeMs } },
	{ KIND_COPY, { GENERIC_deviceToDeviceTimeMs, GENERIC_outfeedTimeMs } },
	{ KIND_HOST_WAIT, { GENERIC_infeedTimeMs } },
	{ KIND_LAUNCH, { GENERIC_kernelLaunchTimeMs } },
	{ KIND_COMPILE, { GENERIC_compileTimeMs } },
	{ KIND_OTHER, { GENERIC_otherTimeMs } },
};

struct piece {
	int64_t from, to;
	enum time_type type;
};

struct span_step {
	const struct step *row;
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
	size_t ngroups; /* number of rows that belong to a group */
	bool gpu;       /* without a GPU there is nothing to prepare for, so that time counts as host work */
};

static void add_piece(struct span_step *s, int64_t from, int64_t to, enum time_type type)
{
	if (type == TIME_NONE)
		return;
	VEC_ADD(s->v, s->n, s->cap, (struct piece){ from, to, type });
}

VEC_ORDER_POINTERS(by_group, struct span_step, UP(row->host) UP(row->group));

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

/* Adds what lies in the time of the step on a track of the host: for steps without a group. */
static void add_track(struct span_step *s, const struct dump *d, const struct track *t)
{
	int64_t begin = s->row->start, end = begin + s->row->dur;

	for (size_t i = track_lower(t, begin); i < t->n && track_start(t, i) < end; i++)
		if (track_end(t, i) > begin && track_end(t, i) <= end)
			add_piece(s, track_start(t, i), track_end(t, i), host_time_type(d, track_meta(t, i)));
}

/* The steps of a host by start, and the latest end below each node of a binary tree over them: what an event
 * overlaps is found without looking at the others. */
struct step_tree {
	struct span_step **v;
	int64_t *latest; /* node k has 2k and 2k + 1 below it; step i is node leaves + i */
	size_t n, leaves;
};

VEC_ORDER_POINTERS(by_host_start, struct span_step, UP(row->host) UP(row->start));

static int64_t end_of(const struct span_step *s)
{
	return s->row->start + s->row->dur;
}

static struct step_tree tree_of(struct span_step **v, size_t n)
{
	struct step_tree t = { .v = v, .n = n, .leaves = 1 };

	while (t.leaves < n)
		t.leaves *= 2;
	t.latest = xcalloc(2 * t.leaves, sizeof *t.latest);
	for (size_t i = 0; i < t.leaves; i++)
		t.latest[t.leaves + i] = i < n ? end_of(v[i]) : INT64_MIN;
	for (size_t k = t.leaves; --k > 0;)
		t.latest[k] = t.latest[2 * k] > t.latest[2 * k + 1] ? t.latest[2 * k] : t.latest[2 * k + 1];
	return t;
}

/* Returns the first step from number i on that ends after `when`; n: none. */
static size_t next_ending_after(const struct step_tree *t, size_t i, int64_t when)
{
	size_t k = t->leaves + i;

	if (i >= t->n)
		return t->n;
	while (t->latest[k] <= when) {
		while (k & 1)
			k /= 2;
		if (!k)
			return t->n;
		k++; /* what is right of it */
	}
	while (k < t->leaves)
		k = 2 * k + (t->latest[2 * k] <= when);
	return k - t->leaves;
}

static void add_kernels(const struct step_tree *s, const struct dump *d, const struct track *t)
{
	for (size_t i = 0; i < t->n; i++) {
		int64_t from = track_start(t, i), to = from + track_dur(t, i);

		for (size_t k = next_ending_after(s, 0, from); k < s->n && s->v[k]->row->start < to;
		     k = next_ending_after(s, k + 1, from))
			add_piece(s->v[k], from, to, gpu_time_type(d, track_meta(t, i)));
	}
}

static void add_gpus(struct builder *x, struct span_step **v, size_t n)
{
	const struct dump *d = x->b->dump;
	struct step_tree steps = tree_of(v, n);

	for (size_t k = 0; k < d->trace.ntracks && !progress_canceled(x->b->options->progress); k++) {
		const struct track *t = &d->trace.tracks[k];

		if (d->trace.planes[t->plane].kind == PLANE_GPU && t->file >= 0 && t->role == TRACK_OTHER &&
		    d->trace.planes[t->plane].host == v[0]->row->host)
			add_kernels(&steps, d, t);
	}
	free(steps.latest);
}

static void add_tracks(struct builder *x)
{
	const struct dump *d = x->b->dump;
	struct span_step **v = xcalloc(x->n + 1, sizeof *v);

	for (size_t i = 0; i < x->n && !progress_canceled(x->b->options->progress); i++) {
		v[i] = &x->step[i];
		if (v[i]->row->group < 0)
			add_track(v[i], d, &d->trace.tracks[v[i]->row->track]);
	}
	if (!progress_canceled(x->b->options->progress)) {
		VEC_SORT(v, x->n, by_host_start);
		for (size_t i = 0, end; i < x->n; i = end) {
			for (end = i; end < x->n && v[end]->row->host == v[i]->row->host;)
				end++;
			if (x->gpu)
				add_gpus(x, &v[i], end - i);
		}
	}
	free(v);
}

struct edge_at {
	int64_t at;
	enum time_type type;
	bool begins;
};

VEC_ORDER(by_time, struct edge_at, UP(at) UP(begins) DOWN(type));

static struct edge_at *edges_of(const struct span_step *s)
{
	struct edge_at *e = xcalloc(2 * s->n + 1, sizeof *e);

	for (size_t i = 0; i < s->n; i++) {
		e[2 * i] = (struct edge_at){ s->v[i].from, s->v[i].type, true };
		e[2 * i + 1] = (struct edge_at){ s->v[i].to, s->v[i].type, false };
	}
	if (s->n)
		qsort(e, 2 * s->n, sizeof *e, by_time);
	return e;
}

/* Where pieces overlap, the highest type gets the time; what no piece covers is unknown.  As in XProf, a type
 * keeps the time until one of its pieces ends and no other one is open, and at one moment ends come before
 * begins.  An instant in a gap therefore takes the gap up to the next end of its type. */
static void add_up(struct span_step *s)
{
	struct edge_at *e = edges_of(s);
	int64_t begin = s->row->start, end = begin + s->row->dur, open[TIME_TYPES] = { 0 };
	unsigned now = TIME_UNKNOWN;

	s->ps[TIME_UNKNOWN] = s->row->dur;
	for (size_t i = 0; i + 1 < 2 * s->n; i++) {
		int64_t from = e[i].at > begin ? e[i].at : begin, to = e[i + 1].at < end ? e[i + 1].at : end;

		open[e[i].type] += e[i].begins ? 1 : -1;
		if (e[i].begins)
			now = e[i].type > now ? e[i].type : now;
		else if (e[i].type == now && !open[now])
			while (now && open[now] <= 0)
				now--;
		s->worked |= now == TIME_HOST_COMPUTE || now == TIME_COMPUTE_16 || now == TIME_COMPUTE_32;
		if (from < to && now) {
			s->ps[now] += to - from;
			s->ps[TIME_UNKNOWN] -= to - from;
		}
	}
	free(e);
}

static void find_steps(struct builder *x)
{
	const struct steps *s = x->b->steps;
	const char *host = x->b->options->host;

	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].core >= 0 || (host && !dump_host_is(x->b->dump, s->v[i].host, host)))
			continue;
		VEC_ADD(x->step, x->n, x->cap, (struct span_step){ .row = &s->v[i] });
	}
}

static bool is_unsigned_number(void *ctx, const struct stat_value *v)
{
	bool *found = ctx;

	if (!stat_is(v, "step_num"))
		return true;
	*found = v->type == STAT_UINT;
	return false;
}

/* XProf reads an unsigned step_num as 0. */
struct generic_step {
	const struct dump *dump;
	const struct span_step *step;
};

static struct cell xprof_number(const struct generic_step *r, struct arena *arena)
{
	const struct step *s = r->step->row;
	const struct dump *d = r->dump;
	const struct track *track = &d->trace.tracks[s->track];
	const char *space = strrchr(s->number, ' ');
	bool zero = false;
	char text[sizeof s->number + 2];
	int n;

	stats_of_event(d, track, s->event, is_unsigned_number, &zero);
	if (!zero || !space)
		return cell_str(s->number, strlen(s->number));
	n = snprintf(text, sizeof text, "%.*s 0", (int)(space - s->number), s->number);
	return cell_str(arena_strndup(arena, text, (size_t)n), (size_t)n);
}

static struct cell part_cell(const struct generic_step *r, enum part k)
{
	double ms = 0;

	for (unsigned type = 0; type < TIME_TYPES; type++)
		if (parts[k].types & 1u << type)
			ms += (double)r->step->ps[type] / MS;
	return cell_num(ms);
}

#define SCHEMA generic
#define SCHEMA_ROW struct generic_step
#define SCHEMA_DEF "analyze/overview/steps_generic.def"
#include "result/schema_def.h"

const struct schema overview_generic_schema = { SCHEMA_COLUMNS(generic_columns) };

/* Returns the steps with work in them, numbered across hosts if there are several.  `from`: the corresponding
 * elements of x->step.  The caller frees both. */
static struct steps worked_steps(const struct builder *x, const struct span_step ***from)
{
	bool outer = false;
	struct steps all = { .v = xcalloc(x->n + 1, sizeof *all.v) };

	*from = xcalloc(x->n + 1, sizeof **from);
	for (size_t a = 0, end; a < x->n; a = end) {
		size_t first = all.n, n;

		for (end = a; end < x->n && x->step[end].row->host == x->step[a].row->host; end++)
			if (x->step[end].worked)
				(*from)[all.n++] = &x->step[end];
		n = all.n - first;
		if (n > STEPS_ALL) {
			memmove(*from + first, *from + first + 1, (n - 2) * sizeof **from);
			all.n -= 2;
			outer = true;
		}
	}
	if (outer)
		table_say(&x->b->out->warnings,
		    "the first and the last step may be cut off and are left out, as in XProf");
	for (size_t i = 0; i < all.n; i++) {
		all.v[i] = *(*from)[i]->row;
		all.v[i].id = (int64_t)i;
	}
	steps_align(&all);
	return all;
}

static void warn_hosts(struct overview *o, const struct steps *all)
{
	size_t own = steps_host_end(all, 0);

	table_say(&o->warnings,
	    "several hosts: the parts of a step are from the first host, the step time from the "
	    "slowest");
	if (o->steps.nrows < own)
		table_say(&o->warnings, "%zu of its %zu steps %s not on all hosts and left out",
		    own - o->steps.nrows, own, own - o->steps.nrows == 1 ? "is" : "are");
}

/* As in XProf, rows are the steps of the first host that all hosts have, with the times of the first host.
 * Only the step time is that of the host on which the step took longest. */
static void add_rows(struct overview_build *b, const struct builder *x)
{
	const struct span_step **from;
	struct steps all = worked_steps(x, &from);
	bool *everywhere = steps_everywhere(&all);
	double *longest = xcalloc(all.n + 1, sizeof *longest); /* by ID */

	b->out->longest = xcalloc(all.n + 1, sizeof *b->out->longest);
	for (size_t i = 0; i < all.n; i++) {
		double ms = (double)all.v[i].dur / MS;

		if (everywhere[i] && ms > longest[all.v[i].id])
			longest[all.v[i].id] = ms;
	}
	for (size_t i = 0; i < all.n && all.v[i].host == all.v[0].host; i++) {
		if (!everywhere[i])
			continue;
		b->out->longest[b->out->steps.nrows] = longest[all.v[i].id];
		table_add(&b->out->steps, &(struct generic_step){ b->dump, from[i] });
		b->out->host_to_device_ms += (double)from[i]->ps[TIME_HOST_TO_DEVICE] / MS;
	}
	if (all.n && all.v[0].host != all.v[all.n - 1].host)
		warn_hosts(b->out, &all);
	free(longest);
	free(everywhere);
	free(from);
	free(all.v);
}

void overview_generic_columns(struct table *t)
{
	table_begin(t, &overview_generic_schema);
}

void overview_generic_steps(struct overview_build *b)
{
	struct builder x = { .b = b };
	size_t dropped = 0;

	overview_generic_columns(&b->out->steps);
	for (size_t i = 0; i < b->dump->trace.nplanes; i++)
		x.gpu |= b->dump->trace.planes[i].kind == PLANE_GPU;
	find_steps(&x);
	if (x.n) {
		index_groups(&x);
		host_events(b->dump, b->steps->groups, b->options->host, b->options->progress, add_host_event,
		    &x);
		add_tracks(&x);
	}
	for (size_t i = 0; i < x.n; i++) {
		add_up(&x.step[i]);
		dropped += !x.step[i].worked;
	}
	add_rows(b, &x);
	for (size_t i = 0; i < x.n; i++)
		free(x.step[i].v);
	if (b->out->steps.nrows)
		b->out->host_to_device_ms /= (double)b->out->steps.nrows;
	if (dropped)
		table_say(&b->out->warnings, "%zu step%s without work on the host or a GPU %s left out",
		    dropped, dropped == 1 ? "" : "s", dropped == 1 ? "is" : "are");
	free(x.by_group);
	free(x.step);
}

static double *column_values(const struct table *t, size_t c)
{
	double *v = xcalloc(t->nrows + 1, sizeof *v);

	for (size_t i = 0; i < t->nrows; i++)
		v[i] = table_at(t, i, c)->u.d;
	return v;
}

static void forget_part(struct table *t, size_t c)
{
	for (size_t i = 0; i < t->nrows; i++)
		t->cells[i * t->ncolumns + c] = cell_null();
}

/* Whether the capture tells this part of a step from others.  XProf has a column for compiling, but counts what
 * compiled as host compute; the rest but host compute and other time are of GPUs. */
static bool part_known(const struct overview_build *b, enum part k, double average)
{
	if (k == PART_HOST_COMPUTE || k == PART_OTHER || average > 0)
		return true;
	return k == PART_INPUT ? isnan(overview_hidden_input(b->out))
			       : k != PART_COMPILE && trace_has_plane(&b->dump->trace, PLANE_GPU);
}

void overview_generic_facts(struct overview_build *b)
{
	size_t n = b->out->steps.nrows;

	for (size_t k = 0; k < NPARTS; k++) {
		double *v = column_values(&b->out->steps, parts[k].column);
		struct summary s = overview_summary(v, n);
		bool known = part_known(b, (enum part)k, s.avg);

		if (!known)
			forget_part(&b->out->steps, parts[k].column);
		overview_put(b->out, parts[k].average, s.avg, n > 0 && known);
		overview_put(b->out, parts[k].deviation, s.sd, n > 1 && known);
		free(v);
	}
}
