#include "config.h"
#include "analyze/ops/digest_make.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/device/digest.h"
#include "analyze/device/step_metric.h"
#include "analyze/steps/digest_runs.h"
#include "analyze/ops/internal.h"
#include "analyze/ops/step_cores.h"
#include "analyze/ops/traffic.h"
#include "analyze/steps/duty_cycle.h"
#include "analyze/trace/clock.h"

struct maker {
	const struct dump *dump;
	const struct steps *steps;
	struct opdb_names names;
	uint8_t *stays, *traffic, *texts; /* by meta */
	uint32_t *kind, *first;           /* those of plane p are kind[first[p]] … kind[first[p + 1] - 1] */
	struct step_cores_builder *kinds_of_ops;
	struct strtab seen; /* program and symbol of the ops whose texts are kept */
	char *source;       /* name of the current file */
	struct arena arena; /* of the messages of the current file */
};

static void *digest_alloc(struct maker *k, size_t n, size_t size)
{
	return arena_alloc(&k->arena, (n + 1) * size);
}

static bool is_new(struct maker *k, uint64_t program, uint64_t symbol)
{
	const uint64_t op[] = { program, symbol };
	uint32_t n = k->seen.n;

	return strtab_add(&k->seen, (const char *)op, sizeof op) == n;
}

/* Sorts kinds by their place in the file, because the loader of the digest numbers them in that order. */
static int by_place(const void *a, const void *b, void *ctx)
{
	const struct evmeta *m = ctx;
	uint64_t x = m[*(const uint32_t *)a].at, y = m[*(const uint32_t *)b].at;

	return (x > y) - (x < y);
}

static void sort_kinds(struct maker *k)
{
	const struct trace *t = &k->dump->trace;

	k->kind = xcalloc(t->nmetas + 1, sizeof *k->kind);
	k->first = xcalloc((size_t)t->nplanes + 2, sizeof *k->first);
	for (size_t i = 0; i < t->nmetas; i++)
		if (t->metas[i].plane < t->nplanes)
			k->first[t->metas[i].plane + 2]++;
	for (size_t i = 1; i <= (size_t)t->nplanes + 1; i++)
		k->first[i] += k->first[i - 1];
	for (size_t i = 0; i < t->nmetas; i++)
		if (t->metas[i].plane < t->nplanes)
			k->kind[k->first[t->metas[i].plane + 1]++] = (uint32_t)i;
}

static uint32_t *kinds_of(const struct maker *k, uint32_t plane, size_t *n)
{
	const struct trace *t = &k->dump->trace;
	uint32_t *v = xcalloc(k->first[plane + 1] - k->first[plane] + 1, sizeof *v);

	*n = 0;
	for (uint32_t i = k->first[plane]; i < k->first[plane + 1]; i++)
		if (k->stays[k->kind[i]])
			v[(*n)++] = k->kind[i];
	if (*n)
		qsort_r(v, *n, sizeof *v, by_place, t->metas);
	return v;
}

/* an op without an ID has no sum, but its text is needed */
static void keep_nameless(struct maker *k, uint32_t meta)
{
	k->texts[meta] |= !k->stays[meta];
	k->stays[meta] = 1;
}

/* Marks the kinds that stay in the digest: ops that have sums or ran in steps, collectives and transfers, and whatever
 * marks steps and modules. */
static void find_kinds(struct maker *k, const struct plane_scan *scan, const struct digest_ops *runs,
    uint32_t plane)
{
	const struct trace *t = &k->dump->trace;

	for (size_t i = 0; i < scan->n; i++) {
		k->stays[scan->v[i].meta] = 1;
		k->texts[scan->v[i].meta] |= is_new(k, scan->v[i].program, scan->v[i].symbol);
	}
	for (size_t i = 0; i < runs->n; i++)
		keep_nameless(k, runs->v[i].meta);
	for (uint32_t j = UINT32_MAX; (j = trace_track_of(t, plane, j)) < t->ntracks;) {
		const struct track *line = &t->tracks[j];

		for (size_t i = 0; line->file >= 0 && i < line->n; i++) {
			uint32_t meta = track_meta(line, i);

			if (line->role == TRACK_STEPS || line->role == TRACK_MODULES) {
				k->stays[meta] = k->texts[meta] = 1;
			} else if (line->role == TRACK_OPS && k->traffic[meta]) {
				keep_nameless(k, meta);
			}
		}
	}
}

static void put_ops(struct maker *k, const struct plane_scan *scan, const uint32_t *place, Pb__DigestOps *m)
{
	size_t n = scan->n;

	m->has_first = m->has_last = m->has_dropped = m->has_absurd = m->has_overlap = true;
	m->first = scan->first;
	m->last = scan->last;
	m->dropped = scan->dropped;
	m->absurd = scan->absurd;
	m->overlap = scan->overlap;
	m->kind = digest_alloc(k, n, sizeof *m->kind);
	m->program = digest_alloc(k, n, sizeof *m->program);
	m->symbol = digest_alloc(k, n, sizeof *m->symbol);
	m->texts = digest_alloc(k, n, sizeof *m->texts);
	m->number = digest_alloc(k, n * DIGEST_NUMBERS, sizeof *m->number);
	m->amount = digest_alloc(k, n * DIGEST_AMOUNTS, sizeof *m->amount);
	m->has_mem = digest_alloc(k, n, sizeof *m->has_mem);
	m->mem = digest_alloc(k, n * DIGEST_MEMS, sizeof *m->mem);
	m->n_kind = m->n_program = m->n_symbol = m->n_texts = m->n_has_mem = n;
	m->n_number = n * DIGEST_NUMBERS;
	m->n_amount = n * DIGEST_AMOUNTS;
	for (size_t i = 0; i < n; i++) {
		const struct plane_op *o = &scan->v[i];
		const struct opsum *s = &o->sum;

		m->kind[i] = place[o->meta];
		m->program[i] = o->program;
		m->symbol[i] = o->symbol;
		m->texts[i] = o->texts;
		digest_put_op(o, m->number + i * DIGEST_NUMBERS, m->amount + i * DIGEST_AMOUNTS);
		m->has_mem[i] = s->has_mem;
		for (size_t j = 0; s->has_mem && j < DIGEST_MEMS; j++)
			m->mem[m->n_mem++] = digest_bits((&s->mem[0][0])[j]);
	}
}

static const struct step *steps_of(const struct steps *s, uint32_t plane, size_t *n)
{
	size_t a = 0;

	while (a < s->n && (s->v[a].core < 0 || s->v[a].plane != plane))
		a++;
	for (*n = 0; a + *n < s->n && s->v[a + *n].core >= 0 && s->v[a + *n].plane == plane;)
		++*n;
	return s->v + a;
}

static void put_steps(struct maker *k, const struct step *row, size_t n, Pb__DigestPlane *m)
{
	struct step_core *own = xcalloc(n + 1, sizeof *own);

	step_cores_of_rows(k->kinds_of_ops, row, n, own);
	m->step = digest_alloc(k, n, sizeof *m->step);
	m->cell = digest_alloc(k, n * DIGEST_CELLS, sizeof *m->cell);
	m->run = digest_alloc(k, n, sizeof *m->run);
	m->n_run = k->steps->source == STEPS_MODULES ? n : 0;
	for (size_t i = 0; i < n; i++) {
		int64_t *v = m->cell + i * DIGEST_CELLS;

		m->step[i] = row[i].event;
		m->run[i] = row[i].dur;
		memcpy(v, own[i].ps, sizeof own[i].ps);
		v[METRIC_COUNT] = own[i].crs;
		v[METRIC_COUNT + 1] = own[i].async_done;
		v[METRIC_COUNT + 2] = own[i].nameless;
		memcpy(v + METRIC_COUNT + 3, own[i].kind, sizeof own[i].kind);
	}
	m->n_step = n;
	m->n_cell = n * DIGEST_CELLS;
	free(own);
}

/* Stores for each bucket of time the share in which outermost ops ran. */
static void put_occupancy(struct maker *k, uint32_t plane, Pb__DigestPlane *m)
{
	double *busy = xcalloc(DIGEST_COLUMNS, sizeof *busy), width;
	int64_t first = INT64_MAX, last = INT64_MIN;
	const struct trace *t = &k->dump->trace;

	for (int pass = 0; pass < 2; pass++) {
		width = last > first ? (double)(last - first) / DIGEST_COLUMNS : 0;
		for (uint32_t j = UINT32_MAX; (j = trace_track_of(t, plane, j)) < t->ntracks;) {
			const struct track *line = &t->tracks[j];

			if (line->file < 0 || line->role != TRACK_OPS || !line->n)
				continue;
			first = !pass && line->first < first ? line->first : first;
			last = !pass && line->last > last ? line->last : last;
			for (size_t i = 0; pass && width > 0 && i < line->n; i++) {
				double from = (double)(track_start(line, i) - first) / width,
				       to = from + (double)track_dur(line, i) / width;

				if (line->depth[i])
					continue;
				for (size_t c = (size_t)from; c < DIGEST_COLUMNS && (double)c < to; c++)
					busy[c] += (to < (double)c + 1 ? to : (double)c + 1) -
					    (from > (double)c ? from : (double)c);
			}
		}
	}
	m->occupancy.data = digest_alloc(k, DIGEST_COLUMNS, 1);
	m->occupancy.len = last > first ? DIGEST_COLUMNS : 0;
	m->has_occupancy = m->has_occupancy_ns = m->has_occupancy_first = m->has_occupancy_last =
	    m->occupancy.len > 0;
	m->occupancy_ns = k->dump->origin_ns;
	m->occupancy_first = first;
	m->occupancy_last = last;
	for (size_t i = 0; i < m->occupancy.len; i++)
		m->occupancy.data[i] = (uint8_t)(busy[i] >= 1 ? 255 : busy[i] * 255 + 0.5);
	free(busy);
}

static void put_duty(uint32_t plane, const struct duty_core *v, size_t n, Pb__DigestPlane *m)
{
	m->chip_busy = -1;
	for (size_t i = 0; i < n; i++)
		if (v[i].plane == plane) {
			m->has_duty_first = m->has_duty_last = m->has_busy = m->has_chip_busy = true;
			m->duty_first = v[i].first;
			m->duty_last = v[i].last;
			m->busy = v[i].busy;
			m->chip_busy = v[i].chip_busy;
		}
}

/* Writes the runs that clock_runs() finds by the ops, which the digest will not have. */
static void put_modules(struct maker *k, const struct clock_names *names, uint32_t plane, Pb__DigestPlane *m)
{
	uint32_t track = clock_modules(k->dump, plane);
	const struct track *t = track == UINT32_MAX ? NULL : &k->dump->trace.tracks[track];
	struct clock_run *v;

	if (!t)
		return;
	v = clock_runs(k->dump, names, track);
	m->n_module = 2 * t->n;
	m->module = digest_alloc(k, m->n_module, sizeof *m->module);
	for (size_t i = 0; i < t->n; i++) {
		int64_t start, dur;

		clock_plain(k->dump, t, v[i].event, &start, &dur);
		m->module[2 * v[i].event] = v[i].from - start;
		m->module[2 * v[i].event + 1] = v[i].to - (start + dur);
	}
	free(v);
}

static void put_clock(struct maker *k, uint32_t plane, Pb__DigestPlane *m)
{
	struct clock_names names = clock_names_of(k->dump);
	struct clock_fit fit;

	if (!clock_fit_plane(k->dump, &names, plane, &fit))
		return;
	m->n_clock = DIGEST_CLOCKS;
	m->clock = digest_alloc(k, DIGEST_CLOCKS, sizeof *m->clock);
	memcpy(m->clock,
	    (const int64_t[DIGEST_CLOCKS]){ (int64_t)fit.points, (int64_t)fit.inliers, fit.residual,
		fit.worst, fit.differs, fit.shift, k->dump->origin_ns },
	    DIGEST_CLOCKS * sizeof *m->clock);
	m->has_clock_slope = true;
	m->clock_slope = digest_bits(fit.slope);
	if (fit.differs)
		put_modules(k, &names, plane, m);
}

static void put_kinds(struct maker *k, const uint32_t *kind, size_t n, struct digest_part *part)
{
	part->nkinds = n;
	part->kind = xcalloc(n + 1, sizeof *part->kind);
	for (size_t i = 0; i < n; i++)
		part->kind[i] = (struct digest_kind){ k->dump->trace.metas[kind[i]].at, k->texts[kind[i]],
			k->traffic[kind[i]] };
}

static void add_message(struct digest_part *part, const char *name, const ProtobufCMessage *m)
{
	uint8_t *bytes = xmalloc(protobuf_c_message_get_packed_size(m) + 1);

	digest_part_add(part, name, bytes, protobuf_c_message_pack(m, bytes));
}

static void make_part(struct maker *k, uint32_t plane, const struct duty_core *duty, size_t nduty,
    struct digest_part *part)
{
	const struct trace *t = &k->dump->trace;
	struct plane_scan scan = { .dump = k->dump, .names = &k->names, .plane = plane };
	Pb__DigestPlane m = PB__DIGEST_PLANE__INIT;
	Pb__DigestOps ops = PB__DIGEST_OPS__INIT;
	Pb__DigestRuns in_steps = PB__DIGEST_RUNS__INIT;
	uint32_t *kind, *place = xcalloc(t->nmetas + 1, sizeof *place);
	const struct step *row;
	struct digest_ops runs;
	size_t n, nrows;

	opdb_scan(&scan);
	row = steps_of(k->steps, plane, &nrows);
	digest_ops_make(k->dump, row, nrows, &runs);
	find_kinds(k, &scan, &runs, plane);
	kind = kinds_of(k, plane, &n);
	for (size_t i = 0; i < n; i++)
		place[kind[i]] = (uint32_t)i;
	m.has_version = true;
	m.version = DIGEST_VERSION;
	m.source = k->source;
	put_ops(k, &scan, place, &ops);
	put_steps(k, row, nrows, &m);
	put_duty(plane, duty, nduty, &m);
	put_occupancy(k, plane, &m);
	put_clock(k, plane, &m);
	digest_ops_put(k->dump, &runs, place, &k->arena, &in_steps);
	in_steps.step = m.step;
	in_steps.n_step = runs.left_out ? 0 : m.n_step;
	*part = (struct digest_part){ .file = t->planes[plane].file, .at = t->planes[plane].at };
	put_kinds(k, kind, n, part);
	add_message(part, DIGEST_STAT, &m.base);
	add_message(part, DIGEST_OPS_STAT, &ops.base);
	add_message(part, DIGEST_RUNS_STAT, &in_steps.base);
	digest_ops_free(&runs);
	free(kind);
	free(place);
	opdb_scan_free(&scan);
	arena_free(&k->arena);
}

struct digest_part *digest_make(const struct dump *d, const struct steps *steps, int threads, size_t *n)
{
	struct maker k = { .dump = d, .steps = steps, .names = opdb_names_of(d) };
	struct digest_part *part = NULL;
	struct duty_core *duty;
	size_t cap = 0, nduty, nmetas = d->trace.nmetas + 1;

	*n = 0;
	k.kinds_of_ops = step_cores_know(d);
	strtab_init(&k.seen);
	k.stays = xcalloc(nmetas, 1);
	k.traffic = xcalloc(nmetas, 1);
	k.texts = xcalloc(nmetas, 1);
	for (size_t i = 0; i < d->trace.nmetas; i++)
		k.traffic[i] = traffic_roles(dump_text(d, d->trace.metas[i].category)) != 0;
	sort_kinds(&k);
	duty = duty_cores(d, threads, &nduty);
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (p->file < 0 || d->files[p->file].kind != FILE_XSPACE || p->kind != PLANE_TPU)
			continue;
		k.source = xstrdup(d->files[p->file].base);
		VEC_PUSH(part, *n, cap);
		make_part(&k, i, duty, nduty, &part[(*n)++]);
		free(k.source);
	}
	free(duty);
	free(k.stays);
	free(k.traffic);
	free(k.texts);
	free(k.kind);
	free(k.first);
	strtab_free(&k.seen);
	step_cores_forget(k.kinds_of_ops);
	return part;
}
