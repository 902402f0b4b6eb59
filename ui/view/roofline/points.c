#include "config.h"
#include "view/roofline/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tables/roofline.h"
#include "base/clamp.h"
#include "base/mem.h"

/* Computes the point of an op or the program for one memory. */
static void put_point(const struct roof_view *r, const struct opsum *s, double total, struct roof_point *q)
{
	const struct roof_plot *p = &r->plot;
	double flops, bytes, ridge = p->flops > 0 && p->bw > 0 ? p->flops / p->bw : NAN, x;
	struct roof roof;

	roof_of(s, &r->t.db->peaks, &roof);
	flops = roof.flop_rate * 1e9;
	bytes = roof.bw[r->memory] * GIB_PER_GB * 1e9;
	x = roof.intensity[r->memory];
	*q = (struct roof_point){ .share = safe_div((double)s->self, total),
		.use = NAN,
		.side = ROOF_NO_SIDE };
	q->plotted = flops > 0 && x > 0;
	if (q->plotted) {
		q->x = log10(x);
		q->y = log10(flops);
		if (isfinite(ridge))
			q->side = x >= ridge ? ROOF_COMPUTE_SIDE : ROOF_MEMORY_SIDE;
	}
	if ((flops > 0 && p->flops > 0) || (bytes > 0 && p->bw > 0))
		q->use = fmax(safe_div(flops, p->flops), safe_div(bytes, p->bw));
	q->above = q->use > 1;
}

static bool op_is_wanted(const struct roof_view *r, const struct op *o, double total)
{
	return !o->sparse && !(r->without_transfers && roof_is_transfer(o)) &&
	    !(r->only && (double)o->sum.self < .01 * total);
}

void roofline_view_make_rows(struct roof_view *r, const struct dump *d)
{
	const struct opdb *db = r->t.db;
	struct roof_part part = { .t = &r->table,
		.db = db,
		.transfers = !r->without_transfers,
		.people = true,
		.steps = 1 };
	struct opsum program;
	size_t n = 0;

	roof_program(db, !r->without_transfers, &program);
	part.total = (double)program.time;
	roof_table_init(&r->table, true);
	r->op = r->ops = xcalloc(db->n + 1, sizeof *r->ops);
	for (size_t i = 0; i < db->n; i++) {
		if (!op_is_wanted(r, &db->v[i], part.total))
			continue;
		roof_row(&part, d, "Total", &db->v[i], &db->v[i].sum);
		r->ops[n++] = (uint32_t)i;
	}
}

void roofline_view_make_points(struct roof_view *r)
{
	const struct opdb *db = r->t.db;
	struct roof_plot *p = &r->plot;
	struct opsum program;
	double total, used = 0;

	roof_program(db, !r->without_transfers, &program);
	total = (double)program.time;
	p->flops = db->peaks.tflops * 1e12;
	p->bw = roof_memory_peak(&db->peaks, r->memory) * 1e9;
	p->memory = roof_memory_name(r->memory);
	p->n = r->table.nrows;
	p->v = xrealloc(p->v, p->n + 1, sizeof *p->v);
	put_point(r, &program, total, &p->program);
	r->program_use = p->program.use;
	memset(r->time, 0, sizeof r->time);
	for (size_t i = 0; i < p->n; i++) {
		put_point(r, &db->v[r->op[i]].sum, total, &p->v[i]);
	}
	for (size_t i = 0; i < db->n; i++) { /* all ops, not only the large ones */
		struct roof_point q;

		if (db->v[i].sparse || (r->without_transfers && roof_is_transfer(&db->v[i])))
			continue;
		put_point(r, &db->v[i].sum, total, &q);
		r->time[q.side] += q.share;
		used += q.share;
	}
	r->idle = total > 0 && used < 1 ? 1 - used : 0;
}

/* Applies the filter to the points and finds those that lose most time. */
void roofline_view_look_at_filter(struct roof_view *r)
{
	struct roof_plot *p = &r->plot;

	r->nfar = r->plotted = 0;
	for (size_t i = 0; i < p->n; i++)
		p->v[i].shown = false;
	for (size_t i = 0; i < r->t.sheet.list.n; i++) {
		struct roof_point *q = &p->v[r->t.sheet.order[i]];

		q->shown = true;
		r->plotted += q->plotted;
	}
	for (size_t i = 0; i < p->n; i++) {
		double lost = p->v[i].share * (1 - p->v[i].use);
		size_t at = r->nfar;

		if (!p->v[i].shown || !(lost > 0))
			continue;
		while (at > 0 && p->v[r->far[at - 1]].share * (1 - p->v[r->far[at - 1]].use) < lost)
			at--;
		if (at == ROOF_FAR)
			continue;
		r->nfar += r->nfar < ROOF_FAR;
		memmove(r->far + at + 1, r->far + at, (r->nfar - at - 1) * sizeof *r->far);
		r->far[at] = (uint32_t)i;
	}
}
