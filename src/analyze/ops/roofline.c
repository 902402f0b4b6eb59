#include "config.h"
#include "analyze/ops/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/steps/steps.h"
#include "analyze/trace/clock.h"
#include "base/clamp.h"

static const struct {
	const char *name;
	enum op_peak peak;
} memories[ROOF_COUNT] = {
	[ROOF_HBM] = { "HBM", PEAK_HBM },
	[ROOF_CMEM_RD] = { "CMEM Read", PEAK_CMEM_RD },
	[ROOF_CMEM_WR] = { "CMEM Write", PEAK_CMEM_WR },
	[ROOF_VMEM_RD] = { "VMEM Read", PEAK_VMEM_RD },
	[ROOF_VMEM_WR] = { "VMEM Write", PEAK_VMEM_WR },
};

const char *roof_memory_name(enum roof_memory m)
{
	return memories[m].name;
}

double roof_memory_peak(const struct op_peaks *p, enum roof_memory m)
{
	return p->bw[memories[m].peak];
}

/* Bytes in all memories per ns that no op can move: the peaks together, or 10 times that of HBM where nothing
 * states those on the chip. */
static double peak_of_all(const struct op_peaks *p)
{
	double sum = 0;

	for (size_t i = 0; i < ROOF_COUNT; i++)
		sum += p->bw[memories[i].peak];
	return sum > p->bw[PEAK_HBM] ? sum : 10 * sum;
}

static bool is_beyond(double bytes, double ns, double peak)
{
	return peak > 0 && ns > 0 && bytes / ns > peak;
}

void roof_of(const struct opsum *s, const struct op_peaks *p, struct roof *r)
{
	const double bytes[ROOF_COUNT] = {
		[ROOF_HBM] = opsum_hbm(s),
		[ROOF_CMEM_RD] = s->mem[SPACE_CMEM][ACCESS_READ],
		[ROOF_CMEM_WR] = s->mem[SPACE_CMEM][ACCESS_WRITE],
		[ROOF_VMEM_RD] = s->mem[SPACE_VMEM][ACCESS_READ],
		[ROOF_VMEM_WR] = s->mem[SPACE_VMEM][ACCESS_WRITE],
	};
	double ns = (double)s->time / 1e3, best;

	*r = (struct roof){ .bound_by = "Unknown", .no_spaces = s->no_spaces };
	r->flop_rate = safe_div(s->flops, ns);
	r->model_rate = safe_div(s->model_flops, ns);
	r->all_bw = safe_div(s->bytes, ns) / GIB_PER_GB;
	r->all_intensity = safe_div(s->flops, s->bytes);
	r->bw[ROOF_HBM] = safe_div(bytes[ROOF_HBM], ns) / GIB_PER_GB;
	r->intensity[ROOF_HBM] = safe_div(s->flops, bytes[ROOF_HBM]);
	r->beyond[ROOF_HBM] = is_beyond(bytes[ROOF_HBM], ns, p->bw[PEAK_HBM] * ROOF_POSSIBLE);
	r->all_beyond = is_beyond(s->bytes, ns, peak_of_all(p));
	best = safe_div(r->flop_rate, p->tflops * 1e3);
	if (s->no_spaces)
		return;
	if (best > 0) {
		r->bound_by = "Compute";
		r->bottleneck = r->all_intensity;
	}
	for (size_t i = 0; i < ROOF_COUNT; i++) {
		double used;

		r->bw[i] = safe_div(bytes[i], ns) / GIB_PER_GB;
		r->intensity[i] = safe_div(s->flops, bytes[i]);
		r->beyond[i] = is_beyond(bytes[i], ns, p->bw[memories[i].peak] * ROOF_POSSIBLE);
		r->all_beyond |= s->has_mem && r->beyond[i];
		used = safe_div(r->bw[i], p->bw[memories[i].peak] / GIB_PER_GB);
		if (used <= best)
			continue;
		best = used;
		r->bound_by = memories[i].name;
		r->bottleneck = r->intensity[i];
	}
}

bool roof_has_cmem(const struct op_peaks *p)
{
	return p->bw[PEAK_CMEM_RD] > 0 || p->bw[PEAK_CMEM_WR] > 0;
}

void roof_use(const struct roof *r, const struct op_peaks *p, struct roof_use *u)
{
	bool cmem = roof_has_cmem(p);
	const bool counts[ROOF_COUNT] = {
		[ROOF_HBM] = true,
		[ROOF_CMEM_RD] = cmem,
		[ROOF_CMEM_WR] = cmem,
		[ROOF_VMEM_RD] = !cmem && p->merged_vmem,
		[ROOF_VMEM_WR] = !cmem && p->merged_vmem,
	};

	*u = (struct roof_use){ .compute = safe_div(r->flop_rate, p->tflops * 1e3) };
	if (r->no_spaces) /* the memories may be nearer to their roofs, or HBM farther from its own */
		return;
	for (size_t i = 0; i < ROOF_COUNT; i++) {
		double x = counts[i] ? safe_div(r->bw[i], p->bw[memories[i].peak] / GIB_PER_GB) : 0;

		u->memory = x > u->memory ? x : u->memory;
	}
	u->efficiency = u->compute > u->memory ? u->compute : u->memory;
	u->optimal_rate = safe_div(r->flop_rate, u->efficiency);
}

bool roof_is_transfer(const struct op *o)
{
	return memmem(o->category.s, o->category.n, "infeed", 6) ||
	    memmem(o->category.s, o->category.n, "outfeed", 7);
}

const char *roof_bound(const struct roof *r, const struct op *o)
{
	switch (o ? step_metric_of(o->category.s, o->category.n) : METRIC_LOW_FLOPS) {
	case METRIC_COLLECTIVES:
	case METRIC_SEND:
	case METRIC_RECV:
		return "network";
	case METRIC_INFEED:
	case METRIC_OUTFEED:
	case METRIC_HOST_TRANSFER:
		return "host";
	default:
		return strcmp(r->bound_by, "Unknown") != 0 ? r->bound_by : NULL;
	}
}

static bool is_container(const struct op *o)
{
	static const char *const names[] = { "call", "conditional", "while", "megacore fusion" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (slice_is(o->category, names[i]))
			return true;
	return false;
}

void roof_program(const struct opdb *db, bool transfers, struct opsum *s)
{
	int64_t left_out = 0;

	*s = (struct opsum){ 0 };
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];

		if (is_container(o) || o->sparse)
			continue;
		if (!transfers && roof_is_transfer(o)) {
			left_out = add_clamped(left_out, o->sum.time);
			continue;
		}
		opsum_add(s, &o->sum);
	}
	s->time = sub_clamped(sub_clamped(db->total, db->other), left_out);
	s->self = 0;
	s->occurrences = 1;
	s->dma = 0;
}

VEC_ORDER_POINTERS(by_id, struct step, UP(id) UP(host) UP(core) UP(plane) UP(start));

/* Makes a window from the marker of a step and the end of the step before it on the same core. */
static struct op_window window_of(const struct dump *d, const struct steps *s, const struct step *x)
{
	struct op_window w = { .plane = x->plane, .before = INT64_MIN };
	const struct track *t = &d->trace.tracks[x->track];
	int64_t dur;

	clock_plain(d, t, x->event, &w.from, &dur);
	w.to = steps_plain_end(x, d);
	if (x > s->v && x[-1].plane == x->plane)
		w.before = steps_plain_end(&x[-1], d);
	return w;
}

/* On each core of a host, a step lasts as long as its longest marker there. */
static int64_t total_of(const struct step *const *v, size_t n)
{
	int64_t total = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t longest = 0;

		for (size_t k = 0; k < n; k++)
			if (v[k]->host == v[i]->host && v[k]->dur > longest)
				longest = v[k]->dur;
		total = add_clamped(total, longest);
	}
	return total;
}

static bool step_is_wanted(const struct dump *d, const struct step *s, const struct opdb_options *o)
{
	return s->core >= 0 && (o->core < 0 || s->core == o->core) &&
	    (!o->host || dump_host_is(d, s->host, o->host));
}

/* Counts the cores of the first step; rows are by step, then core. */
static size_t count_cores(const struct step *const *v, size_t n)
{
	size_t cores = 0;

	for (size_t i = 0; i < n && v[i]->id == v[0]->id; i++)
		cores += !i || v[i]->plane != v[i - 1]->plane;
	return cores;
}

static void fill_steps(const struct dump *d, const struct steps *s, const struct opdb_options *o,
    const struct step *const *v, size_t n, struct op_step *x)
{
	struct op_window *w = xcalloc(n, sizeof *w);
	struct opdb_options options = *o;

	for (size_t i = 0; i < n; i++)
		w[i] = window_of(d, s, v[i]);
	options.windows = w;
	options.nwindows = n;
	options.no_texts = true;
	memcpy(x->number, v[0]->number, sizeof x->number);
	memcpy(x->label, v[0]->label, sizeof x->label);
	opdb_build(d, &options, &x->db);
	x->db.total = total_of(v, n);
	free(w);
}

struct op_window *roof_windows(const struct dump *d, const struct opdb_options *o, const char *step,
    size_t *n, int64_t *total)
{
	const struct step **v;
	struct op_window *w = NULL;
	struct steps s;

	*n = 0;
	steps_find(d, &s);
	v = xcalloc(s.n + 1, sizeof *v);
	for (size_t i = 0; i < s.n; i++)
		if (step_is_wanted(d, &s.v[i], o) && steps_is(&s.v[i], step))
			v[(*n)++] = &s.v[i];
	if (*n)
		w = xcalloc(*n, sizeof *w);
	for (size_t i = 0; i < *n; i++)
		w[i] = window_of(d, &s, v[i]);
	*total = total_of(v, *n);
	free(v);
	steps_free(&s);
	return w;
}

struct op_step *roof_steps(const struct dump *d, const struct opdb_options *o, const char *step, size_t *n)
{
	struct op_step *v = NULL;
	const struct step **order;
	struct steps s;
	size_t rows = 0, cap = 0, cores = 0;

	*n = 0;
	if (digest_count(d)) /* digests do not know which ops ran in which step */
		return NULL;
	steps_find(d, &s);
	order = xcalloc(s.n + 1, sizeof *order);
	for (size_t i = 0; i < s.n && s.source == STEPS_LINE; i++)
		if (step_is_wanted(d, &s.v[i], o))
			order[rows++] = &s.v[i];
	VEC_SORT(order, rows, by_id);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t a = 0, b; a < rows; a = b) {
			size_t have;

			for (b = a; b < rows && order[b]->id == order[a]->id;)
				b++;
			have = count_cores(order + a, b - a);
			if (!pass) {
				cores = have > cores ? have : cores;
			} else if (have == cores && (!step || steps_is(order[a], step))) {
				VEC_PUSH(v, *n, cap);
				v[*n] = (struct op_step){ 0 };
				fill_steps(d, &s, o, order + a, b - a, &v[(*n)++]);
			}
		}
	}
	free(order);
	steps_free(&s);
	return v;
}

void roof_steps_free(struct op_step *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		opdb_free(&v[i].db);
	free(v);
}
