#include "config.h"
#include "analyze/events/detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/peaks.h"
#include "analyze/hlo/host_memory.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"
#include "base/text/units.h"
#include "memory_access_breakdown.pb-c.h"

enum { SPACE_HBM = 1, SPACE_CMEM = 2, SPACE_VMEM = 3 };

struct filling {
	struct detail *x;
	size_t cap;
	double model_flops, written; /* written: to HBM */
	bool has_breakdown;
};

static char *copy_text(struct detail *x, const char *s, size_t n)
{
	return arena_strndup(&x->text, s, n);
}

static char *copy_id(struct detail *x, const struct dump *d, strid id)
{
	return copy_text(x, strtab_str(&d->str, id), strtab_len(&d->str, id));
}

static void add_stat(struct filling *f, const char *name, size_t name_len, const char *value,
    size_t value_len)
{
	struct detail *x = f->x;

	VEC_PUSH(x->stats, x->nstats, f->cap);
	x->stats[x->nstats].name = copy_text(x, name, name_len);
	x->stats[x->nstats++].value = copy_text(x, value, value_len);
}

static const char *space_name(uint64_t space)
{
	static const char
	    *const names[] = { [SPACE_HBM] = "HBM", [SPACE_CMEM] = "CMEM", [SPACE_VMEM] = "VMEM" };

	return space >= SPACE_HBM && space <= SPACE_VMEM ? names[space] : "other";
}

static void take_breakdown(struct filling *f, const struct stat_value *v)
{
	Pb__MemoryAccessBreakdown *b = pb__memory_access_breakdown__unpack(NULL, v->n, (const uint8_t *)v->s);
	char text[512] = "", size[32];
	size_t at = 0;

	for (size_t i = 0; b && i < b->n_memory_accessed; i++) {
		const Pb__MemoryAccess *a = b->memory_accessed[i];
		double bytes = (double)a->bytes_accessed;

		if (a->memory_space == SPACE_HBM)
			f->x->hbm_bytes += bytes;
		if (a->memory_space == SPACE_HBM && a->operation_type == PB__MEMORY_ACCESS__OPERATION__WRITE)
			f->written += bytes;
		if (a->memory_space == SPACE_VMEM)
			f->x->vmem_bytes += bytes;
		f->has_breakdown = true;
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %s %s", at ? ", " : "",
		    space_name(a->memory_space),
		    a->operation_type == PB__MEMORY_ACCESS__OPERATION__WRITE ? "write" : "read",
		    units_bytes(size, sizeof size, bytes));
		at = at < sizeof text ? at : sizeof text - 1;
	}
	if (b)
		pb__memory_access_breakdown__free_unpacked(b, NULL);
	if (at)
		add_stat(f, v->name, v->name_len, text, at);
}

static double stat_or_zero(const struct stat_value *v)
{
	double n;

	return stat_number(v, &n) ? n : 0;
}

/* Takes the stats that have a field of their own; of several stats with one name, the first counts. */
static void take_known(struct filling *f, const struct stat_value *v)
{
	struct detail *x = f->x;
	const struct {
		const char *name;
		double *number;
		char **text;
	} known[] = {
		{ "flops", &x->flops, NULL },
		{ "model_flops", &f->model_flops, NULL },
		{ "bytes_accessed", &x->bytes, NULL },
		{ "hlo_category", NULL, &x->category },
		{ "tf_op", NULL, &x->op_path },
		{ "source", NULL, &x->source },
		{ "source_stack", NULL, &x->source_stack },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (!stat_is(v, known[i].name))
			continue;
		if (known[i].number && *known[i].number <= 0)
			*known[i].number = stat_or_zero(v) > 0 ? stat_or_zero(v) : 0;
		else if (known[i].text && !*known[i].text && v->type == STAT_STR)
			*known[i].text = copy_text(x, v->s, v->n);
	}
}

static bool take_stat(void *ctx, const struct stat_value *v)
{
	struct filling *f = ctx;
	char text[40];

	take_known(f, v);
	switch (v->type) {
	case STAT_STR:
	case STAT_JSON:
		add_stat(f, v->name, v->name_len, v->s, v->n);
		return true;
	case STAT_BYTES:
		if (stat_is(v, "memory_access_breakdown") && !f->has_breakdown) {
			take_breakdown(f, v);
			return true;
		}
		snprintf(text, sizeof text, "%zu bytes", v->n);
		break;
	case STAT_DOUBLE:
		snprintf(text, sizeof text, "%.9g", v->d);
		break;
	case STAT_UINT:
		snprintf(text, sizeof text, "%" PRIu64, v->u);
		break;
	case STAT_INT:
		snprintf(text, sizeof text, "%" PRId64, v->i);
		break;
	}
	add_stat(f, v->name, v->name_len, text, strlen(text));
	return true;
}

/* On the device's clock, also shows the file's own pair, under the names that it has there. */
static void add_plain_pair(struct filling *f, const struct dump *d, const struct track *t, size_t i)
{
	int64_t v[2];

	if (!t->device_clock)
		return;
	clock_plain(d, t, i, &v[0], &v[1]);
	for (int k = 0; k < 2; k++) {
		const char *name = k ? "duration_ps" : "offset_ps";
		char text[24];

		snprintf(text, sizeof text, "%" PRId64, v[k]);
		add_stat(f, name, strlen(name), text, strlen(text));
	}
}

static void take_names(struct detail *x, const struct dump *d, const struct track *t, size_t i)
{
	const struct evmeta *m = &d->trace.metas[track_meta(t, i)];
	const struct plane *p = &d->trace.planes[t->plane];

	x->name = copy_id(x, d, m->name);
	x->full = m->full ? copy_text(x, m->full, m->full_len) : x->name;
	if (m->category)
		x->category = copy_id(x, d, m->category);
	x->track_name = copy_id(x, d, t->name);
	x->plane_name = copy_id(x, d, p->name);
	x->host_name = copy_id(x, d, p->host >= 0 ? d->hosts[p->host].name : 0);
}

/* Files state 0 for what they do not know. */
static double positive_or_nan(double v)
{
	return v > 0 ? v : NAN;
}

static void take_rates(struct detail *x, const struct dump *d, const struct filling *f, uint32_t plane)
{
	double seconds = (double)x->dur / 1e12;
	struct peaks p;

	x->flops_of_model = !(x->flops > 0) && f->model_flops > 0;
	x->flops = positive_or_nan(x->flops > 0 ? x->flops : f->model_flops);
	x->bytes = positive_or_nan(x->bytes);
	if (!f->has_breakdown) { /* a breakdown without HBM is an answer: none of it */
		x->hbm_bytes = x->bytes;
		x->vmem_bytes = NAN;
		x->hbm_estimated = !isnan(x->bytes);
	}
	x->hbm_bytes -= host_memory_bytes(slice_of(x->full), x->hbm_bytes - f->written,
	    f->has_breakdown ? f->written : NAN);
	x->flop_rate = seconds > 0 ? x->flops / seconds : NAN;
	x->hbm_rate = seconds > 0 ? x->hbm_bytes / seconds : NAN;
	x->intensity = x->hbm_bytes > 0 ? x->flops / x->hbm_bytes : NAN;
	x->peak_flops = x->peak_hbm = x->ridge = NAN;
	if (!peaks_of_plane(d, plane, &p))
		return;
	x->peak_flops = positive_or_nan(p.flops);
	x->peak_hbm = positive_or_nan(p.hbm);
	x->peak_assumed = p.assumed;
	x->ridge = x->peak_flops / x->peak_hbm;
}

static void take_neighbors(struct detail *x, const struct dump *d, const struct track *t, size_t i)
{
	int row = track_row(t, i);

	for (size_t k = i; k-- > 0 && !x->before;) {
		if (track_row(t, k) != row)
			continue;
		x->before = copy_id(x, d, d->trace.metas[track_meta(t, k)].name);
		x->before_dur = track_dur(t, k);
	}
	for (size_t k = i + 1; k < t->n && !x->after; k++) {
		if (track_row(t, k) != row)
			continue;
		x->after = copy_id(x, d, d->trace.metas[track_meta(t, k)].name);
		x->after_dur = track_dur(t, k);
	}
	for (size_t k = 0; k < t->n; k++) {
		x->nth += k <= i && track_meta(t, k) == track_meta(t, i);
		x->occurrences += track_meta(t, k) == track_meta(t, i);
	}
}

void detail_of(const struct dump *d, const struct steps *s, uint32_t track, size_t event, struct detail *x)
{
	const struct track *t = &d->trace.tracks[track];
	struct filling f = { .x = x };

	*x = (struct detail){ .track = track, .event = event };
	x->start = track_start(t, event);
	x->dur = track_dur(t, event);
	x->self = track_self(t, event);
	take_names(x, d, t, event);
	stats_of_meta(d, track_meta(t, event), take_stat, &f);
	stats_of_event(d, t, event, take_stat, &f);
	add_plain_pair(&f, d, t, event);
	take_rates(x, d, &f, t->plane);
	take_neighbors(x, d, t, event);
	x->step = s ? steps_at(s, d, t->plane, x->start) : NULL;
}

/* Marks the kinds of events that are the same op: the same name and, where known, the same program. */
static bool *same_ops(const struct dump *d, uint32_t meta)
{
	const struct trace *t = &d->trace;
	bool *same = xcalloc(t->nmetas + 1, sizeof *same);
	int64_t program, other;
	bool known = stat_meta_int(d, meta, "program_id", &program);

	for (uint32_t i = 0; i < t->nmetas; i++)
		same[i] = t->metas[i].name == t->metas[meta].name &&
		    (i == meta || !known || !stat_meta_int(d, i, "program_id", &other) || other == program);
	return same;
}

void detail_all(const struct dump *d, struct detail *x)
{
	const struct trace *t = &d->trace;
	const struct track *own = &t->tracks[x->track];
	bool *same = same_ops(d, track_meta(own, x->event));
	double sum = 0;

	x->all_count = 0;
	x->all_min = x->all_max = x->dur;
	for (size_t k = 0; k < t->ntracks; k++) {
		const struct track *o = &t->tracks[k];

		if (o->role != own->role || (o->file < 0) != (own->file < 0) ||
		    t->planes[o->plane].kind != t->planes[own->plane].kind)
			continue;
		for (size_t i = 0; i < o->n; i++) {
			if (!same[track_meta(o, i)])
				continue;
			x->all_count++;
			sum += (double)track_dur(o, i);
			x->all_min = track_dur(o, i) < x->all_min ? track_dur(o, i) : x->all_min;
			x->all_max = track_dur(o, i) > x->all_max ? track_dur(o, i) : x->all_max;
		}
	}
	x->all_mean = x->all_count ? from_double(sum / (double)x->all_count) : 0;
	free(same);
}

void detail_free(struct detail *x)
{
	free(x->stats);
	arena_free(&x->text);
	*x = (struct detail){ 0 };
}
