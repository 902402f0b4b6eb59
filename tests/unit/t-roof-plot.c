/* The plot of the roofline: positions of values, the decades, moving between points, the cells drawn. */
#include "config.h"

#include "view/roofline/roofline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define N 60

static struct roof_point point[N];

/* 100 TFLOP/s, 1 TB/s: the ridge is at 100 FLOP/B */
static struct roof_plot a_plot(size_t n)
{
	return (struct roof_plot){ .a = { 1, ROOF_AXIS, 25, 61 },
		.flops = 1e14,
		.bw = 1e12,
		.memory = "HBM",
		.v = point,
		.n = n };
}

static void at(size_t i, double flops_per_byte, double flops, double share)
{
	point[i] = (struct roof_point){ .x = log10(flops_per_byte),
		.y = log10(flops),
		.share = share,
		.plotted = true,
		.shown = true };
}

static void whole_decades(void **state)
{
	struct roof_plot p = a_plot(2);

	(void)state;
	at(0, .5, 2e11, .5);
	at(1, 3000, 9e13, .1);
	roofline_view_plot_fit(&p);
	assert_int_equal(p.x0, -1);
	assert_int_equal(p.x1, 4);
	assert_int_equal(p.y0, 11);
	assert_int_equal(p.y1, 15); /* room above the line */
	p.n = 0;
	roofline_view_plot_fit(&p);
	assert_true(p.x0 <= 1 && p.x1 >= 3 && p.y0 <= 12 && p.y1 == 15);
	p.flops = p.bw = 0;
	roofline_view_plot_fit(&p);
	assert_true(p.x1 > p.x0 && p.y1 > p.y0);
	at(0, 1, 1e9, 1); /* a single point on a decade */
	p.n = 1;
	roofline_view_plot_fit(&p);
	assert_true(p.x1 == p.x0 + 1 && p.y1 == p.y0 + 1);
}

static void as_many_decades_as_have_room(void **state)
{
	struct roof_plot p = a_plot(3);

	(void)state;
	at(0, 50, 1e13, .9);
	at(1, 1e15, 1e13, .001);
	at(2, 1e-9, 1, .01);
	p.a.h = 8;
	p.a.w = 36;
	roofline_view_plot_fit(&p);
	assert_int_equal(p.x1 - p.x0, 6);
	assert_int_equal(p.y1 - p.y0, 4);
	assert_true(p.x0 <= 1 && p.x1 >= 2); /* the ridge stays visible */
	assert_int_equal(p.y1, 15);
	roofline_view_plot_place(&p); /* points outside are drawn at the edge */
	assert_int_equal(point[1].col, p.a.x + p.a.w - 1);
	assert_int_equal(point[2].row, p.a.y + p.a.h - 1);
}

static void values_to_cells(void **state)
{
	struct roof_plot p = a_plot(0);
	int third;

	(void)state;
	p.x0 = -2;
	p.x1 = 4; /* 10 columns a decade */
	p.y0 = 9;
	p.y1 = 15; /* 4 rows a decade */
	assert_int_equal(roofline_view_plot_col(&p, -2), ROOF_AXIS);
	assert_int_equal(roofline_view_plot_col(&p, 0), ROOF_AXIS + 20);
	assert_int_equal(roofline_view_plot_col(&p, .5), ROOF_AXIS + 25);
	assert_int_equal(roofline_view_plot_col(&p, 4), ROOF_AXIS + 60);
	assert_int_equal(roofline_view_plot_col(&p, 40), ROOF_AXIS + 60);
	assert_int_equal(roofline_view_plot_col(&p, -INFINITY), ROOF_AXIS);
	assert_int_equal(roofline_view_plot_row(&p, 15, &third), 1);
	assert_int_equal(third, 1);
	assert_int_equal(roofline_view_plot_row(&p, 9, &third), 25);
	assert_int_equal(roofline_view_plot_row(&p, 12, NULL), 13);
	assert_int_equal(roofline_view_plot_row(&p, 12 + 1 / 12., &third), 13);
	assert_int_equal(third, 0);
	assert_int_equal(roofline_view_plot_row(&p, 12 - 1 / 12., &third), 13);
	assert_int_equal(third, 2);
}

static void a_small_plot_maps(void **state)
{
	struct roof_plot p = a_plot(1);

	(void)state;
	at(0, 3, 1e12, 1);
	p.a.h = p.a.w = 1;
	roofline_view_plot_fit(&p);
	roofline_view_plot_place(&p);
	assert_int_equal(point[0].row, p.a.y);
	assert_int_equal(point[0].col, p.a.x);
}

/* Every point can be reached from every other, and a move never stays in the row or column that it should
 * leave. */
static void every_point_is_reached(void **state)
{
	static const int way[4][2] = { { 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 } };
	struct roof_plot p = a_plot(N);
	bool seen[N] = { true };
	size_t queue[N] = { 0 }, n = 1;
	unsigned seed = 7;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		double x = (double)((seed = seed * 1103515245 + 12345) >> 16 & 0x7fff) / 0x7fff;
		double y = (double)((seed = seed * 1103515245 + 12345) >> 16 & 0x7fff) / 0x7fff;

		at(i, pow(10, 6 * x - 2), pow(10, 5 * y + 9), 1. / (double)(i + 2));
	}
	roofline_view_plot_fit(&p);
	roofline_view_plot_place(&p);
	for (size_t head = 0; head < n; head++) {
		for (size_t k = 0; k < 4; k++) {
			size_t from = queue[head],
			       to = roofline_view_plot_step(&p, from, way[k][0], way[k][1]);

			assert_true(to == from ||
			    (point[to].row - point[from].row) * way[k][0] +
				    (point[to].col - point[from].col) * way[k][1] >
				0);
			for (size_t i = 0; i < to; i++) /* the largest of its cell */
				assert_true(to == from || point[i].row != point[to].row ||
				    point[i].col != point[to].col);
			if (!seen[to])
				queue[n++] = to;
			seen[to] = true;
		}
		for (size_t to = roofline_view_plot_same(&p, queue[head], 1); !seen[to];
		     to = roofline_view_plot_same(&p, to, 1)) {
			queue[n++] = to;
			seen[to] = true;
		}
	}
	assert_int_equal(n, N);
}

static void hidden_points_are_passed(void **state)
{
	struct roof_plot p = a_plot(3);

	(void)state;
	at(0, 1, 1e12, .5);
	at(1, 10, 1e12, .4);
	at(2, 100, 1e12, .3);
	roofline_view_plot_fit(&p);
	roofline_view_plot_place(&p);
	assert_int_equal(roofline_view_plot_step(&p, 0, 0, 1), 1);
	point[1].shown = false;
	assert_int_equal(roofline_view_plot_step(&p, 0, 0, 1), 2);
	assert_int_equal(roofline_view_plot_step(&p, 2, 0, 1), 2);
	assert_int_equal(roofline_view_plot_same(&p, 0, 1), 0);
	assert_int_equal(roofline_view_plot_at(&p, point[2].row, point[2].col + 1), 2);
	assert_true(roofline_view_plot_at(&p, point[1].row, point[1].col) == SIZE_MAX);
}

static void draw(const struct roof_plot *p, const struct glyphs *g, bool mono, size_t here, const char *want)
{
	struct canvas c;
	char *text;
	size_t n;

	canvas_init(&c, 12, 40, g, mono);
	roofline_view_plot_draw(p, &c, here);
	text = canvas_dump(&c, 0, &n);
	assert_string_equal(text, want);
	free(text);
	canvas_free(&c);
}

static void cells_drawn(void **state)
{
	struct roof_plot p = a_plot(3);

	(void)state;
	p.a = (struct rect){ 0, ROOF_AXIS, 9, 31 };
	at(0, 1000, 9e13, .5);
	at(1, 1, 1e11, .015);
	at(2, 1000, 9e13, .0001); /* in the cell of the large one */
	point[1].above = true;
	roofline_view_plot_fit(&p);
	roofline_view_plot_place(&p);
	draw(&p, &glyphs_blocks, true, 1, /* without colors: another sign above the roof */
	    "   1 PF ·   ·   ·   ·   ·   ·   ·   ·\n"
	    "                         100.0 TFLOP/s\n"
	    " 100 TF ·   ·   ·   ·   · ▁▁━━━━━━━━━━█\n"
	    "          1.000 TB/s ▁▁─▔▔  ┊\n"
	    "  10 TF ·   ·   ▁▁─▔▔   ·   ┊   ·   ·\n"
	    "           ▁▁─▔▔            ┊\n"
	    "   1 TF ─▔▔ ·   ·   ·   ·   ┊   ·   ·\n"
	    "                            ┊\n"
	    " 100 GF[▲]  ·   ·   ·   ·   ┊   ·   ·\n"
	    "        1        10        100      1 k\n"
	    "           FLOP per byte, HBM (log)\n"
	    " ▲ above the roof  █ ≥ 2 %  ▆ ≥ 1 %\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_decades),
		cmocka_unit_test(as_many_decades_as_have_room),
		cmocka_unit_test(values_to_cells),
		cmocka_unit_test(a_small_plot_maps),
		cmocka_unit_test(every_point_is_reached),
		cmocka_unit_test(hidden_points_are_passed),
		cmocka_unit_test(cells_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
