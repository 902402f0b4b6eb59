#include "config.h"
#include "core/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct null_term {
	struct term base;
	struct canvas frame; /* copy of the last one drawn */
	int rows, cols;
};

static int null_wait(struct term *term, int fd, int timeout)
{
	(void)term;
	(void)fd;
	(void)timeout;
	return 0;
}

static int null_key(struct term *term, struct key *key)
{
	(void)term;
	(void)key;
	return 0;
}

static void null_size(struct term *term, int *rows, int *cols)
{
	struct null_term *t = (struct null_term *)term;

	*rows = t->rows;
	*cols = t->cols;
}

static bool null_draw(struct term *term, const struct canvas *c, int most)
{
	struct null_term *t = (struct null_term *)term;
	struct canvas_cell *cells;

	if (c->rows != t->frame.rows || c->cols != t->frame.cols)
		canvas_resize(&t->frame, c->rows, c->cols);
	cells = t->frame.cells;
	t->frame = *c;
	t->frame.cells = cells;
	memcpy(cells, c->cells, (size_t)c->rows * (size_t)c->cols * sizeof *cells);
	(void)most;
	return false;
}

static void null_nothing(struct term *term)
{
	(void)term;
}

static int null_clipboard(struct term *term, const char *text, size_t n)
{
	(void)term;
	(void)text;
	return n > CLIPBOARD_MAX ? -1 : 0;
}

static void null_close(struct term *term)
{
	struct null_term *t = (struct null_term *)term;

	canvas_free(&t->frame);
	free(t);
}

static const struct term_ops null_ops = {
	.wait = null_wait,
	.key = null_key,
	.size = null_size,
	.draw = null_draw,
	.redraw = null_nothing,
	.suspend = null_nothing,
	.leave = null_nothing,
	.back = null_nothing,
	.clipboard = null_clipboard,
	.close = null_close,
};

struct term *term_null_open(int rows, int cols)
{
	struct null_term *t = xcalloc(1, sizeof *t);

	t->base.ops = &null_ops;
	t->rows = rows;
	t->cols = cols;
	canvas_init(&t->frame, rows, cols, &glyphs_ascii, true);
	return &t->base;
}

const struct canvas *term_null_frame(const struct term *term)
{
	return &((const struct null_term *)term)->frame;
}
