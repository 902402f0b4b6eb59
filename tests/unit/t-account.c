/* The step account: parts add up to the markers, whatever the capture. */
#include "config.h"
#include "analyze/account/differ.h"
#include "analyze/account/why.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/mkpod.h"
#include "analyze/ops/opdb.h"
#include "analyze/overview/overview.h"
#include "base/file/embedded.h"
#include "base/mem.h"
#include "capture/results.h"
#include "load/load.h"

static int64_t sum_of(const struct account_parts *p)
{
	int64_t sum = p->overhang;

	for (int k = 0; k <= KIND_IDLE; k++) {
		assert_true(p->kind[k] >= 0);
		sum += p->kind[k];
	}
	return sum;
}

/* Kinds that have parts of their own are these parts. */
static void expect_cut(const struct account_parts *p)
{
	assert_int_equal(p->kind[KIND_INFEED] + p->kind[KIND_OUTFEED] + p->kind[KIND_HOST_TRANSFER],
	    p->kind[KIND_IO]);
	assert_true(p->kind[KIND_SEND_RECV] <= p->kind[KIND_COLLECTIVE]);
}

static double known(double v)
{
	return isnan(v) ? 0 : v;
}

/* What makes a step differ from the median one adds up. */
static void expect_differences(const struct account *a)
{
	struct step_differ d;
	size_t n = 0;

	for (size_t i = 0; i < a->nsteps; i++) {
		double sum;

		if (!account_differ(a, i, &d))
			continue;
		sum = d.spread + d.overhang;
		for (int k = 0; k <= KIND_IDLE; k++)
			sum += d.kind[k];
		assert_true(fabs(sum - d.by) < 1e4);
		n++;
	}
	assert_int_equal(n, account_median(a) == SIZE_MAX ? 0 : a->nsteps - 1);
}

/* The parts of every core and step are its marker, means of them the core time, and with the spread the step. */
static void expect_account(struct capture *c)
{
	const struct overview *o = capture_get(c, RESULT_OVERVIEW, NULL, NULL);
	const struct account *a = capture_get(c, RESULT_ACCOUNT, NULL, NULL);
	const struct step_cores *s = &o->cores;
	double sum = a->overhang;

	assert_true(a->nsteps > 0);
	assert_int_equal(a->nsteps, o->nsteps);
	expect_differences(a);
	assert_int_equal(a->ncores, s->ncores);
	for (size_t i = 0; i < s->ncores * s->nsteps; i++) {
		struct account_parts p = account_parts_of(&s->v[i], o->fed ? o->fed[i] : 0);

		if (p.total < 0)
			continue;
		assert_int_equal(sum_of(&p), p.total);
		expect_cut(&p);
	}
	for (int k = 0; k <= KIND_IDLE; k++)
		sum += known(a->ms[k]);
	assert_float_equal(sum, a->core_time, 1e-9 * a->core_time);
	assert_float_equal(a->step, facts_number(&o->summary, "steptime_ms_average"), 1e-9);
	assert_float_equal(100 * account_idle(a), facts_number(&o->summary, "step_idle_percent"), 1e-9);
	for (size_t i = 0; i < a->nsteps; i++) {
		const struct account_step *x = &a->step_of[i];
		double longest = 0, mean = 0, parts = x->overhang;

		for (size_t k = 0; k < s->ncores; k++) {
			double ms = (double)step_core_at(s, k, o->step[i].step)->total / 1e9;

			longest = fmax(longest, ms);
			mean += ms > 0 ? ms / (double)x->cores : 0;
		}
		for (int k = 0; k <= KIND_IDLE; k++)
			parts += known(x->ms[k]);
		assert_float_equal(parts, mean, 1e-9 * mean);
		assert_float_equal(x->core_time, mean, 1e-9 * mean);
		assert_float_equal(x->step, longest, 1e-12);
	}
	capture_close(c);
}

static void parts_of_a_pod_add_up(void **state)
{
	(void)state;
	for (int hosts = 1; hosts <= 3; hosts++)
		expect_account(capture_of(pod_load(hosts), 1));
}

static struct dump *sample(void)
{
	const struct embedded *e = embedded_find("simulated-v5e-4chip.xplane.pb.gz");
	struct load_options options = { .threads = 1 };
	struct err err = { 0 };

	return load_memory(e->bytes, e->size, e->name, &options, &err);
}

static void parts_of_the_sample_add_up(void **state)
{
	(void)state;
	expect_account(capture_of(sample(), 1));
}

/* No op waits for input; the host feeds the core for 30 of the 60 us that it idles. */
static void idle_time_that_the_host_explains(void **state)
{
	struct step_core c = { .total = 100, .kind = { [KIND_MATMUL] = 40 }, .sync = -1 };
	struct account_parts p;

	(void)state;
	c.ps[METRIC_IDLE] = 60;
	p = account_parts_of(&c, 30);
	assert_int_equal(p.kind[KIND_HOST_WAIT], 30);
	assert_int_equal(p.kind[KIND_IDLE], 30);
	p = account_parts_of(&c, 90); /* more than it idled */
	assert_int_equal(p.kind[KIND_HOST_WAIT], 60);
	assert_int_equal(p.kind[KIND_IDLE], 0);
	assert_int_equal(sum_of(&p), 100);
}

/* A core that waits for its input, and one that does not; means of the two; one alone. */
static void means_of_cores(void **state)
{
	struct step_core cell[2] = { { .total = 100, .sync = -1 }, { .total = 80, .sync = 5 } };
	struct step_core_info core[2] = { { .core = 0 }, { .core = 1 } };
	struct step_cores s = { .core = core, .ncores = 2, .nsteps = 1, .v = cell };
	const int64_t fed[2] = { 10, 0 };
	struct account a;

	(void)state;
	cell[0].kind[KIND_MATMUL] = 60;
	cell[0].ps[METRIC_IDLE] = 40;
	cell[1].kind[KIND_COLLECTIVE] = 80;
	cell[1].ps[METRIC_COLLECTIVES] = 70;
	cell[1].ps[METRIC_SEND] = 10;
	s.step = xcalloc(1, sizeof *s.step);
	s.step->everywhere = true;
	account_of_cores(&s, fed, -1, &a);
	assert_float_equal(a.step, 100e-9, 1e-15);
	assert_float_equal(a.core_time, 90e-9, 1e-15);
	assert_float_equal(a.ms[KIND_MATMUL], 30e-9, 1e-15);
	assert_float_equal(a.ms[KIND_HOST_WAIT], 5e-9, 1e-15);
	assert_float_equal(a.ms[KIND_IDLE], 15e-9, 1e-15);
	assert_float_equal(account_idle(&a), 20. / 90, 1e-12);
	assert_true(isnan(a.step_of[0].wait)); /* not known of one */
	assert_true(isnan(a.ms[KIND_ANY_COMPUTE]));
	assert_int_equal(a.nkinds, 4);
	assert_float_equal(a.core[0].busy, 60e-9, 1e-15);
	assert_float_equal(a.core[1].busy, 10e-9, 1e-15);
	assert_float_equal(a.core[1].collective, 70e-9, 1e-15);
	account_free(&a);
	account_of_cores(&s, fed, 1, &a);
	assert_float_equal(a.step, 80e-9, 1e-15);
	assert_float_equal(a.core_time, a.step, 0);
	assert_float_equal(a.step_of[0].wait, 5e-9, 1e-15);
	account_free(&a);
	free(s.step);
}

static struct step row_of(int core, int64_t dur)
{
	return (struct step){ .core = core, .dur = dur };
}

/* The differences of the kinds, in words, and of which rows they are. */
static void why_a_step_is_long(void **state)
{
	struct step v[] = { row_of(0, 100), row_of(0, 300), row_of(0, 200), row_of(1, 100), row_of(1, 900) };
	struct account_parts parts[5] = { { .total = 100, .kind[KIND_MATMUL] = 100 },
		{ .total = 300, .kind = { [KIND_MATMUL] = 110, [KIND_IO] = 190, [KIND_INFEED] = 190 } },
		{ .total = 200, .kind = { [KIND_MATMUL] = 100, [KIND_IO] = 100, [KIND_INFEED] = 100 } },
		{ .total = -1 }, { .total = -1 } };
	struct steps s = { .v = v, .n = 5 };
	size_t *median = account_row_medians(&s);
	struct step_differ d;
	char text[DIFFER_TEXT];

	(void)state;
	assert_int_equal(median[1], 2);
	assert_int_equal(median[4], 3);
	assert_false(account_row_differ(&s, parts, median, 2, &d));
	assert_true(account_row_differ(&s, parts, median, 4, &d));
	assert_string_equal(step_differ_say(&d, true, text, sizeof text), "+800 ps"); /* kinds not known */
	assert_true(account_row_differ(&s, parts, median, 1, &d));
	assert_string_equal(step_differ_say(&d, true, text, sizeof text), "+100 ps: infeed +90, matmul +10");
	assert_true(account_row_differ(&s, parts, median, 0, &d));
	assert_string_equal(step_differ_say(&d, true, text, sizeof text), "-100 ps: infeed -100");
	free(median);
	v[4].open = true; /* it may be cut off: the other is alone */
	median = account_row_medians(&s);
	assert_int_equal(median[3], SIZE_MAX);
	assert_int_equal(median[4], SIZE_MAX);
	free(median);
}

/* Self times of one row by name, from a pass over all rows. */
struct one_row {
	const struct dump *dump;
	size_t row;
	double *ps; /* by name */
};

static void add_of_row(void *ctx, const struct step_op *o)
{
	struct one_row *r = ctx;

	if (o && o->step == r->row)
		r->ps[r->dump->trace.metas[o->meta].name] += (double)o->self;
}

static double *row_by_name(const struct dump *d, const struct steps *s, size_t row)
{
	size_t first = row, end = row;
	struct one_row r = { .dump = d, .ps = xcalloc(d->str.n + 1, sizeof *r.ps) };

	while (first && s->v[first - 1].plane == s->v[row].plane)
		first--;
	while (end < s->n && s->v[end].plane == s->v[row].plane)
		end++;
	r.row = row - first;
	assert_true(step_ops_visit(d, s->v + first, end - first, NULL,
	    &(struct step_ops_visitor){ .visit = add_of_row, .ctx = &r }));
	return r.ps;
}

/* The ops that are named are those that differ most, by what a pass of its own finds. */
static void the_ops_that_make_it_long(void **state)
{
	struct dump *d = sample();
	struct capture *c = capture_of(d, 2);
	const struct step_parts *p;
	size_t checked = 0;

	(void)state;
	capture_prepare(c, CLOCK_PLAIN, NULL);
	p = capture_get(c, RESULT_STEPS, NULL, NULL);
	for (size_t i = 0; i < p->steps.n; i++) {
		double *x, *y, least = INFINITY;

		if (p->median[i] == SIZE_MAX || p->median[i] == i)
			continue;
		x = row_by_name(c->base, &p->steps, i);
		y = row_by_name(c->base, &p->steps, p->median[i]);
		assert_int_equal(p->why[i].n, WHY_OPS);
		for (size_t k = 0; k < p->why[i].n; k++) {
			const struct why_op *o = &p->why[i].op[k];

			assert_float_equal(o->ps[0], x[o->name], 0.5);
			assert_float_equal(o->ps[1], y[o->name], 0.5);
			assert_true(fabs(o->ps[0] - o->ps[1]) <= least);
			least = fabs(o->ps[0] - o->ps[1]);
			x[o->name] = y[o->name] = 0;
		}
		for (size_t k = 0; k < c->base->str.n; k++)
			assert_true(fabs(x[k] - y[k]) <= least);
		free(x);
		free(y);
		checked++;
	}
	assert_true(checked > 0);
	capture_close(c);
}

/* Only ops with a tenth of the difference have a name. */
static void ops_in_words(void **state)
{
	struct dump *d = sample();
	struct step_why w = { .n = 2,
		.op = { { d->trace.metas[0].name, { 9e6, 1e6 } },
		    { d->trace.metas[1].name, { 0, 0.5e6 } } } };
	char text[WHY_TEXT], name[128];

	(void)state;
	snprintf(name, sizeof name, "%.*s +8.00 us", (int)op_name_in(dump_text(d, w.op[0].name)).n,
	    op_name_in(dump_text(d, w.op[0].name)).s);
	assert_string_equal(step_why_say(d, &w, 8e6, WHY_OPS, true, text, sizeof text), name);
	assert_string_equal(step_why_say(d, &w, 100e6, WHY_OPS, true, text, sizeof text), "");
	dump_close(d);
}

static void no_core_is_no_step(void **state)
{
	struct step_core c = { .total = -1 };

	(void)state;
	assert_int_equal(account_parts_of(&c, 0).total, -1);
	/* of a digest that is damage: nothing adds up to the marker */
	c = (struct step_core){ .total = 100, .kind[KIND_MATMUL] = INT64_MIN };
	assert_int_equal(account_parts_of(&c, 0).total, -1);
	c = (struct step_core){ .total = 100, .kind[KIND_MATMUL] = INT64_MAX, .ps[METRIC_IDLE] = INT64_MAX };
	assert_int_equal(account_parts_of(&c, 0).total, 100);
	assert_int_equal(account_none.nsteps, 0);
}

/* What ops take beyond the end of the marker is said, so that the parts still add up. */
static void ops_beyond_the_marker_are_told(void **state)
{
	struct step_core c = { .total = 100, .kind = { [KIND_MATMUL] = 90, [KIND_COPY] = 30 }, .sync = -1 };
	struct account_parts p = account_parts_of(&c, 0);

	(void)state;
	assert_int_equal(p.overhang, -20);
	assert_int_equal(p.wait, -1);
	assert_int_equal(sum_of(&p), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_pod_add_up),
		cmocka_unit_test(parts_of_the_sample_add_up),
		cmocka_unit_test(idle_time_that_the_host_explains),
		cmocka_unit_test(means_of_cores),
		cmocka_unit_test(why_a_step_is_long),
		cmocka_unit_test(the_ops_that_make_it_long),
		cmocka_unit_test(ops_in_words),
		cmocka_unit_test(no_core_is_no_step),
		cmocka_unit_test(ops_beyond_the_marker_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
