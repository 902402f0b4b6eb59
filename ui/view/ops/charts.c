/* Sums the rows of a table of ops for its charts. */
#include "config.h"
#include "view/ops/charts_kind.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tables/ops.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "view/ops/tables.h"

static struct slice text_of(const struct op_table *t, size_t row, const char *column)
{
	const struct cell *c = ops_view_table_cell(t, row, column);

	return c && c->type == CELL_STR && c->n ? cell_text(c) : slice_of("–");
}

static bool is_on(const struct op_table *t, size_t row, const char *where)
{
	return slice_is(text_of(t, row, "host_or_device"), where);
}

static bool counts_in_hlo(const struct op_table *t, size_t row)
{
	return !((const struct op *)sheet_of(&t->sheet, row))->sparse;
}

static bool counts_on_device(const struct op_table *t, size_t row)
{
	return is_on(t, row, "Device");
}

static bool counts_on_host(const struct op_table *t, size_t row)
{
	return is_on(t, row, "Host");
}

static struct slice category_of(const struct op_table *t, const struct dump *d, size_t row)
{
	(void)d;
	return text_of(t, row, "category");
}

static struct slice type_of(const struct op_table *t, const struct dump *d, size_t row)
{
	(void)d;
	return text_of(t, row, "type");
}

static struct slice program_of(const struct op_table *t, const struct dump *d, size_t row)
{
	const struct op *o = sheet_of(&t->sheet, row);

	return o->module ? op_program_label(d, o) : op_program_named(&t->charts.programs, o->program);
}

/* Rates from the highest to the lowest: in parts of the chip's peak, or in powers of ten where it is not known. */
static const struct {
	double least; /* GFLOP/s */
	const char *of_peak, *plain;
} rate[] = {
	{ 1e5, "80 % and more", "100 T and more" },
	{ 1e4, "60 – 80 %", "10 – 100 T" },
	{ 1e3, "40 – 60 %", "1 – 10 T" },
	{ 1e2, "20 – 40 %", "0.1 – 1 T" },
	{ 0, "below 20 %", "below 0.1 T" },
};
enum { RATES = sizeof rate / sizeof *rate };
static const char no_rate[] = "no FLOPs";

static void rate_gloss(const struct op_table *t, char *buf, size_t size)
{
	char peak[32];

	if (t->db->peaks.tflops > 0)
		snprintf(buf, size, "of %s",
		    units_si(peak, sizeof peak, t->db->peaks.tflops * 1e12, "FLOP/s"));
	else
		snprintf(buf, size, "FLOP/s");
}

static struct slice rate_of(const struct op_table *t, const struct dump *d, size_t row)
{
	const struct cell *c = ops_view_table_cell(t, row, "normalized_flop_rate");
	double peak = t->db->peaks.tflops * 1e3;

	(void)d;
	if (!c || c->type != CELL_NUM || !(c->u.d > 0))
		return slice_of(no_rate);
	for (size_t i = 0; i < RATES; i++)
		if (peak > 0 ? c->u.d >= (double)(RATES - 1 - i) / RATES * peak : c->u.d >= rate[i].least)
			return slice_of(peak > 0 ? rate[i].of_peak : rate[i].plain);
	return slice_of(no_rate);
}

static enum time_kind kind_of_hlo(const struct op_table *t, const struct dump *d, size_t row)
{
	const struct op *o = sheet_of(&t->sheet, row);

	if (!d->trace.meta_class || o->meta >= d->trace.nmetas)
		return KIND_ANY_COMPUTE;
	return kind_of_op(d->trace.meta_class[o->meta], d->trace.metas[o->meta].category);
}

static enum time_kind kind_of_framework(const struct op_table *t, const struct dump *d, size_t row)
{
	(void)d;
	return slice_is(text_of(t, row, "type"), "IDLE") ? KIND_IDLE
	    : counts_on_host(t, row)                     ? KIND_HOST
							 : KIND_DEVICE;
}

static const struct ops_chart_kind hlo_charts[OPS_CHARTS] = {
	{ "TIME BY CATEGORY", counts_in_hlo, category_of, kind_of_hlo, NULL, false },
	{ "TIME BY FLOP RATE", counts_in_hlo, rate_of, kind_of_hlo, rate_gloss, false },
	{ "TIME BY PROGRAM", counts_in_hlo, program_of, kind_of_hlo, NULL, true },
};
static const struct ops_chart_kind framework_charts[OPS_CHARTS] = {
	{ "ON DEVICE BY TYPE", counts_on_device, type_of, kind_of_framework, NULL, false },
	{ "ON HOST BY TYPE", counts_on_host, type_of, kind_of_framework, NULL, false },
};

/* --- sums --- */

/* The rates in their order, so that those without time between others are seen. */
static void begin_rates(struct ops_chart *c, struct strtab *names, bool peak)
{
	for (size_t i = 0; i <= RATES; i++) {
		const char *label = i == RATES ? no_rate : peak ? rate[i].of_peak : rate[i].plain;

		strtab_addz(names, label);
		VEC_ADD(c->bar, c->n, c->cap, (struct ops_bar){ .label = slice_of(label) });
	}
}

static void sum_row(struct ops_chart *c, struct strtab *names, const struct op_table *t, const struct dump *d,
    size_t row)
{
	const struct cell *self = ops_view_table_cell(t, row, "total_self_time");
	struct slice label;
	strid id;

	if (!self || self->type != CELL_NUM || !(self->u.d > 0) || !c->what->counts(t, row))
		return;
	label = c->what->label(t, d, row);
	id = strtab_ref(names, label.s, label.n) - 1;
	if (id == c->n)
		VEC_ADD(c->bar, c->n, c->cap, (struct ops_bar){ .label = label });
	c->bar[id].us += self->u.d;
	c->bar[id].kind[c->what->kind(t, d, row)] += self->u.d;
	c->us += self->u.d;
}

static int by_time(const void *a, const void *b)
{
	const struct ops_bar *x = a, *y = b;

	return x->us != y->us ? (x->us < y->us ? 1 : -1) : slice_order(x->label, y->label);
}

static void make_chart(struct ops_chart *c, const struct op_table *t, const struct dump *d)
{
	struct strtab names;

	strtab_init(&names);
	if (c->what->rates)
		begin_rates(c, &names, t->db->peaks.tflops > 0);
	for (size_t i = 0; i < t->sheet.list.n; i++)
		sum_row(c, &names, t, d, t->sheet.order[i]);
	strtab_free(&names);
	if (!c->what->rates)
		VEC_SORT(c->bar, c->n, by_time);
	if (!(c->us > 0) || (c->what->several && c->n < 2))
		c->what = NULL;
}

void ops_charts_make(struct ops_charts *s, const struct op_table *t, const struct dump *d)
{
	const struct ops_chart_kind *what = t->form->framework ? framework_charts : hlo_charts;

	if (s->made == t->sheet.made)
		return;
	ops_charts_free(s);
	s->made = t->sheet.made;
	s->dump = d;
	s->programs = op_program_names(d);
	for (size_t i = 0; i < OPS_CHARTS; i++) {
		if (!what[i].title)
			continue;
		s->v[i].what = &what[i];
		make_chart(&s->v[i], t, d);
	}
}

void ops_charts_free(struct ops_charts *s)
{
	for (size_t i = 0; i < OPS_CHARTS; i++)
		free(s->v[i].bar);
	free(s->programs.v);
	*s = (struct ops_charts){ 0 };
}
