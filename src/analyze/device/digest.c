#include "config.h"
#include "analyze/device/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"

struct wanted {
	const char *name;
	const uint8_t *s;
	size_t n;
};

static bool take_message(void *ctx, const struct stat_value *v)
{
	struct wanted *w = ctx;

	if (v->type != STAT_BYTES || !stat_is(v, w->name))
		return true;
	w->s = (const uint8_t *)v->s;
	w->n = v->n;
	return false;
}

const uint8_t *digest_stat(const struct dump *d, uint32_t plane, const char *name, size_t *n)
{
	int file = plane < d->trace.nplanes ? d->trace.planes[plane].file : -1;
	struct wanted w = { .name = name };

	if (file >= 0 && d->files[file].digest == DIGEST_VERSION)
		stats_of_plane(d, plane, take_message, &w);
	*n = w.n;
	return w.s;
}

Pb__DigestPlane *digest_of_plane(const struct dump *d, uint32_t plane)
{
	Pb__DigestPlane *m = NULL;
	size_t n;
	const uint8_t *bytes = digest_stat(d, plane, DIGEST_STAT, &n);

	if (bytes)
		m = pb__digest_plane__unpack(NULL, n, bytes);
	if (m && (m->version != DIGEST_VERSION || m->n_cell != m->n_step * DIGEST_CELLS)) {
		digest_free(m);
		return NULL;
	}
	return m;
}

uint32_t digest_kinds(const struct dump *d, uint32_t plane, size_t *n)
{
	const struct trace *t = &d->trace;
	size_t a;

	BISECT(a, t->nmetas, t->metas[a].plane < plane);
	for (*n = 0; a + *n < t->nmetas && t->metas[a + *n].plane == plane;)
		++*n;
	return (uint32_t)a;
}

static bool runs_fit(const Pb__DigestRuns *m)
{
	size_t ops = m->n_kind, cells;

	return !__builtin_mul_overflow(ops, m->n_step, &cells) && m->n_program == ops && m->n_start == ops &&
	    m->n_duration == ops && m->n_runs == cells && m->n_self == cells;
}

Pb__DigestRuns *digest_runs(const struct dump *d, uint32_t plane)
{
	size_t n;
	const uint8_t *bytes = digest_stat(d, plane, DIGEST_RUNS_STAT, &n);
	Pb__DigestRuns *m = bytes ? pb__digest_runs__unpack(NULL, n, bytes) : NULL;

	if (!m || runs_fit(m))
		return m;
	pb__digest_runs__free_unpacked(m, NULL);
	return NULL;
}

void digest_free(Pb__DigestPlane *m)
{
	if (m)
		pb__digest_plane__free_unpacked(m, NULL);
}

uint64_t digest_bits(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return __builtin_bswap64(bits);
}

double digest_double(uint64_t bits)
{
	double v;

	bits = __builtin_bswap64(bits);
	memcpy(&v, &bits, sizeof v);
	return v;
}

bool digest_cell(const Pb__DigestPlane *m, size_t event, size_t *at, struct step_core *c)
{
	for (size_t k = 0; k < m->n_step; k++) {
		const size_t i = *at;
		const int64_t *v = m->cell + i * DIGEST_CELLS;

		*at = i + 1 < m->n_step ? i + 1 : 0;
		if (m->step[i] != event)
			continue;
		*c = (struct step_core){ .crs = v[METRIC_COUNT],
			.async_done = v[METRIC_COUNT + 1],
			.nameless = v[METRIC_COUNT + 2] };
		memcpy(c->ps, v, sizeof c->ps);
		memcpy(c->kind, v + METRIC_COUNT + 3, sizeof c->kind);
		return true;
	}
	return false;
}

static const char busy_name[] = "busy (coarse digest)";

bool digest_is_counter(const struct dump *d, const struct counter *c)
{
	return c->track < 0 && slice_is(dump_text(d, c->name), busy_name);
}

int64_t digest_bucket(const struct counter *c)
{
	return c->n > 1 ? c->t[1] - c->t[0] : 0;
}

double digest_busy(const struct counter *c, int64_t t0, int64_t t1)
{
	size_t first = 0;
	double sum = 0;

	if (c->n < 2 || t1 <= c->t[0] || t0 >= c->t[c->n - 1])
		return -1;
	if (t0 > c->t[0]) /* all buckets have the same length, give or take a picosecond */
		first = (size_t)((double)(t0 - c->t[0]) / (double)(c->t[c->n - 1] - c->t[0]) *
		    (double)(c->n - 1));
	for (size_t i = first > 1 ? first - 1 : 0; i + 1 < c->n && c->t[i] < t1; i++) {
		int64_t from = c->t[i] > t0 ? c->t[i] : t0, to = c->t[i + 1] < t1 ? c->t[i + 1] : t1;

		if (from < to)
			sum += (double)(to - from) * c->v[i] / 100;
	}
	return sum;
}

/* After its last bucket, nothing is known of the core: the last sample only ends that bucket. */
static bool add_counter(struct dump *d, uint32_t plane, const Pb__DigestPlane *m, const struct counter *kind)
{
	int64_t first, last;
	double width;
	uint32_t k;

	if (!m->occupancy.len || __builtin_sub_overflow(m->occupancy_ns, d->origin_ns, &first) ||
	    __builtin_mul_overflow(first, INT64_C(1000), &first) ||
	    __builtin_add_overflow(first, m->occupancy_last, &last) ||
	    __builtin_add_overflow(first, m->occupancy_first, &first) || first >= last ||
	    first < -TRACE_TIME_MAX || last > TRACE_TIME_MAX)
		return false;
	width = (double)(last - first) / (double)m->occupancy.len;
	k = trace_add_counter(&d->trace, kind);
	d->trace.counters[k].plane = plane;
	for (size_t i = 0; i <= m->occupancy.len; i++)
		if (counter_add(&d->trace.counters[k], first + (int64_t)((double)i * width),
			i < m->occupancy.len ? m->occupancy.data[i] / 2.55 : 0))
			break;
	d->trace.counters[k].min = 0;
	d->trace.counters[k].max = 100;
	return true;
}

size_t digest_counters(struct dump *d)
{
	struct counter kind = { .track = -1 };
	size_t n = 0;

	if (!digest_count(d))
		return 0;
	for (size_t i = 0; i < d->trace.ncounters; i++)
		if (digest_is_counter(d, &d->trace.counters[i]))
			return 0;
	kind.name = strtab_addz(&d->str, busy_name);
	kind.unit = strtab_addz(&d->str, "%");
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		Pb__DigestPlane *m = d->trace.planes[i].kind == PLANE_TPU ? digest_of_plane(d, i) : NULL;

		n += m && add_counter(d, i, m, &kind);
		digest_free(m);
	}
	return n;
}
