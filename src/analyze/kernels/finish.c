#include "config.h"
#include "analyze/kernels/internal.h"

#include <stdlib.h>

#include "base/clamp.h"
#include "base/mem.h"

void kernel_sum_add(struct kernel_sum *s, int64_t ns, const int64_t *gap)
{
	s->min = !s->n || ns < s->min ? ns : s->min;
	s->max = ns > s->max ? ns : s->max;
	s->total = add_clamped(s->total, ns);
	s->n++;
	if (gap) {
		s->gap = add_clamped(s->gap, *gap);
		s->launches++;
	}
}

VEC_ORDER(by_row, struct kernel_ran, UP(row) UP(track));

static void count_streams(struct kernels_making *m)
{
	VEC_SORT(m->ran, m->nran, by_row);
	for (size_t i = 0; i < m->nran; i++)
		if (!i || by_row(&m->ran[i], &m->ran[i - 1]))
			m->k->v[m->ran[i].row].streams++;
}

/* One op may have many variants with the same row. */
static void count_rows_of_ops(struct kernels_making *m)
{
	size_t n = m->variants.n > 1 ? m->variants.n - 1 : 0, k = 0;
	struct kernel_ran *v = xcalloc(n + 1, sizeof *v);

	for (size_t i = 0; i < n; i++)
		v[k++] = (struct kernel_ran){ m->variant[i].op, m->variant[i].row };
	VEC_SORT(v, k, by_row);
	for (size_t i = 0; i < k; i++)
		if (!i || by_row(&v[i], &v[i - 1]))
			m->k->ops[v[i].row].kernels++;
	free(v);
}

static void sum_merge(struct kernel_sum *to, const struct kernel_sum *s)
{
	if (!s->n)
		return;
	to->min = !to->n || s->min < to->min ? s->min : to->min;
	to->max = s->max > to->max ? s->max : to->max;
	to->total = add_clamped(to->total, s->total);
	to->n += s->n;
	to->gap = add_clamped(to->gap, s->gap);
	to->launches += s->launches;
}

static void make_devices(struct kernels *k)
{
	uint32_t *number = xcalloc(k->dump->trace.nplanes + 1, sizeof *number); /* by plane, from 1 */
	struct spans *busy;
	size_t cap = 0;

	for (size_t i = 0; i < k->nstreams; i++) {
		struct kernel_stream *s = &k->streams[i];
		uint32_t plane = k->dump->trace.tracks[s->track].plane;
		struct kernel_device *d;

		if (!number[plane]) {
			VEC_ADD(k->devices, k->ndevices, cap, (struct kernel_device){ .plane = plane });
			number[plane] = (uint32_t)k->ndevices;
		}
		s->device = number[plane] - 1;
		d = &k->devices[s->device];
		sum_merge(&d->sum, &s->sum);
		d->copies = add_clamped(d->copies, s->copies);
		d->ncopies += s->ncopies;
		k->copies = add_clamped(k->copies, s->copies);
	}
	free(number);
	busy = xcalloc(k->ndevices + 1, sizeof *busy);
	for (size_t i = 0; i < k->nstreams; i++)
		spans_add(&busy[k->streams[i].device], &k->streams[i].busy);
	for (size_t at = 0; at < k->ndevices; at++) {
		spans_join(&busy[at]);
		k->devices[at].busy = spans_length(&busy[at]);
		free(busy[at].v);
	}
	free(busy);
}

static int order_shape(const struct kernel_shape *a, const struct kernel_shape *b)
{
	for (int i = 0; i < 6; i++) {
		uint32_t x = i < 3 ? a->grid[i] : a->block[i - 3], y = i < 3 ? b->grid[i] : b->block[i - 3];

		if (x != y)
			return x < y ? -1 : 1;
	}
	if (a->registers != b->registers)
		return a->registers < b->registers ? -1 : 1;
	if (a->static_shared != b->static_shared)
		return a->static_shared < b->static_shared ? -1 : 1;
	return (a->dynamic_shared > b->dynamic_shared) - (a->dynamic_shared < b->dynamic_shared);
}

static int by_total(const void *a, const void *b)
{
	const struct kernel *x = a, *y = b;
	int order;

	if (x->sum.total != y->sum.total)
		return x->sum.total > y->sum.total ? -1 : 1;
	order = slice_order(x->name, y->name);
	order = order ? order : order_shape(&x->shape, &y->shape);
	return order ? order : slice_order(x->op, y->op);
}

static int ops_by_total(const void *a, const void *b)
{
	const struct kernel_op *x = a, *y = b;

	if (x->sum.total != y->sum.total)
		return x->sum.total > y->sum.total ? -1 : 1;
	return slice_order(x->name, y->name);
}

void kernels_finish(struct kernels_making *m)
{
	struct kernels *k = m->k;

	count_streams(m);
	count_rows_of_ops(m);
	make_devices(k);
	VEC_SORT(k->v, k->n, by_total);
	VEC_SORT(k->ops, k->nops, ops_by_total);
}
