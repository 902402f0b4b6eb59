/* The timeline's rectangles at every size: inside the area, not overlapping, never empty if shown. */
#include "config.h"

#include "view/timeline/viewport/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define MAX_RECTS 8

static const enum pane panes[] = { PANE_VIEW, PANE_EVENT, PANE_HITS };

static size_t rects_of(const struct layout *l, struct rect *out)
{
	const int strips[] = { l->minimap, l->hits, l->ruler };
	const struct rect others[] = { l->names, l->plot, l->ticks, l->pane };
	size_t n = 0;

	for (size_t i = 0; i < 3; i++)
		if (strips[i] >= 0)
			out[n++] = (struct rect){ strips[i], l->area.x, 1, l->area.w };
	for (size_t i = 0; i < 4; i++)
		if (others[i].h)
			out[n++] = others[i];
	return n;
}

static bool inside(struct rect r, struct rect of)
{
	return r.h > 0 && r.w > 0 && r.y >= of.y && r.x >= of.x && r.y + r.h <= of.y + of.h &&
	    r.x + r.w <= of.x + of.w;
}

static bool apart(struct rect a, struct rect b)
{
	return a.y + a.h <= b.y || b.y + b.h <= a.y || a.x + a.w <= b.x || b.x + b.w <= a.x;
}

static void check(int cols, int rows, enum pane pane, bool searching)
{
	struct rect area = { 2, 0, rows > 5 ? rows - 4 : 1, cols }, r[MAX_RECTS];
	struct layout l;
	size_t n;

	layout_make(&l, area, pane, 0, 0, searching);
	n = rects_of(&l, r);
	if (!l.plot.h || l.plot.w < 1 || l.gutter < 1 || l.names.w + l.plot.w + l.ticks.w != cols)
		fail_msg("%dx%d pane %d: gutter %d, plot %d x %d", cols, rows, pane, l.gutter, l.plot.w,
		    l.plot.h);
	for (size_t i = 0; i < n; i++) {
		if (!inside(r[i], area))
			fail_msg("%dx%d pane %d: rectangle %zu lies outside", cols, rows, pane, i);
		for (size_t k = 0; k < i; k++)
			if (!apart(r[i], r[k]))
				fail_msg("%dx%d pane %d: rectangles %zu and %zu overlap", cols, rows, pane, k,
				    i);
	}
}

static void every_size(void **state)
{
	(void)state;
	for (int cols = 20; cols <= 300; cols++)
		for (int rows = 5; rows <= 100; rows++)
			for (size_t p = 0; p < 3; p++)
				for (int searching = 0; searching < 2; searching++)
					check(cols, rows, panes[p], searching);
}

static struct layout at(int cols, int rows, enum pane pane)
{
	struct layout l;

	layout_make(&l, (struct rect){ 2, 0, rows - 4, cols }, pane, 0, 0, pane == PANE_HITS);
	return l;
}

/* The sizes that the layout was designed for. */
static void designed_sizes(void **state)
{
	(void)state;
	assert_int_equal(at(120, 40, PANE_VIEW).plot.w, 87);
	assert_int_equal(at(120, 40, PANE_VIEW).pane.h, 14);
	assert_int_equal(at(120, 40, PANE_VIEW).names.y, 4);
	assert_int_equal(at(120, 40, PANE_EVENT).pane.h, 14);
	assert_int_equal(at(120, 40, PANE_HITS).pane.h, 15);
	assert_int_equal(at(120, 40, PANE_HITS).names.y, 5);
	assert_int_equal(at(80, 24, PANE_VIEW).plot.w, 57);
	assert_int_equal(at(80, 24, PANE_VIEW).pane.h, 7);
	assert_int_equal(at(80, 24, PANE_EVENT).pane.h, 8);
	assert_true(at(80, 24, PANE_VIEW).numbers);
}

/* A pane is no higher than what it can fill, so that the rows get the rest. */
static void panes_fit_what_they_show(void **state)
{
	struct layout l;

	(void)state;
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_STEPS, 6, 0, false);
	assert_int_equal(l.pane.h, 6);
	assert_int_equal(l.plot.h, 36 - 2 - 6);
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_STEPS, 100, 0, false);
	assert_int_equal(l.pane.h, 13);
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_VIEW, 0, 10, false); /* few rows */
	assert_int_equal(l.plot.h, 11);
	assert_int_equal(l.pane.h, 36 - 2 - 11);
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_VIEW, 0, 30, false);
	assert_int_equal(l.pane.h, 14);
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_STEPS, 8, 10, false);
	assert_int_equal(l.pane.h, 8);
	layout_make(&l, (struct rect){ 2, 0, 36, 120 }, PANE_EVENT, 0, 10, false); /* no list */
	assert_int_equal(l.pane.h, 14);
}

static void small_screens_lose_parts(void **state)
{
	(void)state;
	assert_int_equal(at(80, 15, PANE_VIEW).pane.h, 0);
	assert_true(at(80, 16, PANE_VIEW).pane.h > 0);
	assert_int_equal(at(80, 23, PANE_HITS).hits, -1);
	assert_true(at(80, 24, PANE_HITS).hits >= 0);
	assert_false(at(59, 24, PANE_VIEW).numbers);
	assert_int_equal(at(59, 24, PANE_VIEW).gutter, 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size),
		cmocka_unit_test(designed_sizes),
		cmocka_unit_test(panes_fit_what_they_show),
		cmocka_unit_test(small_screens_lose_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
