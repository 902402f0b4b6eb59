/* A canvas for tests of what draws on it:
 *
 *	fresh(3, 20);			… empty, in colors, with blocks as glyphs
 *	bar_draw(&c, …);
 *	shows("████▌\n\n\n");		… all that is on it
 *
 * canvas_end() is the teardown of the group of tests. */
#ifndef TESTS_MKCANVAS_H
#define TESTS_MKCANVAS_H

#include <stdlib.h>
#include <string.h>

#include "core/paint/canvas.h"

static struct canvas c;

static inline void fresh_as(int rows, int cols, const struct glyphs *g, bool mono)
{
	canvas_free(&c);
	canvas_init(&c, rows, cols, g, mono);
}

static inline void fresh(int rows, int cols)
{
	fresh_as(rows, cols, &glyphs_blocks, false);
}

static inline void shows(const char *want)
{
	size_t n;
	char *text = canvas_dump(&c, 0, &n);

	assert_string_equal(text, want);
	assert_int_equal(n, strlen(want));
	free(text);
}

static inline int canvas_end(void **state)
{
	(void)state;
	canvas_free(&c);
	return 0;
}

#endif
