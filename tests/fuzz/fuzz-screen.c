/* Fuzz target of the screen: a file is opened, a view is chosen, keys are pressed.  The input is
 *
 *	NAME of the file, as a person would see it		x.xplane.pb
 *	VIEW and size of the screen in columns and rows		timeline 80 24
 *	KEYS as `tpuscope snapshot --keys` takes them		jj<Enter>
 *	the bytes of the file
 *
 * with a newline behind each of the first three.  What is drawn after every key must be what a screen drawn from
 * nothing shows.  Nothing is written outside of the folder: in a prompt '/' and '~' are left out. */
#include "config.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/internal.h"
#include "base/mem.h"
#include "mutate.h"
#include "input.h"

enum { KEYS_MAX = 64, ROWS_MAX = 80, COLS_MAX = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

const int mutate_head_lines = 3;

static bool is_same(const struct canvas_cell *a, const struct canvas_cell *b)
{
	return a->ch == b->ch && a->role == b->role && a->attr == b->attr && a->under == b->under;
}

/* Draws over rubbish, so that a cell that nobody sets is seen. */
static void check_redraw(struct app *app)
{
	struct canvas *c = &app->p->canvas;
	size_t n = (size_t)c->rows * (size_t)c->cols;
	struct canvas_cell *shown = xrealloc(NULL, n + 1, sizeof *shown);

	memcpy(shown, c->cells, n * sizeof *shown);
	for (size_t i = 0; i < n; i++)
		c->cells[i] = (struct canvas_cell){ .ch = '#', .role = ROLE_BAD, .attr = ATTR_BOLD };
	app_draw(app);
	for (size_t i = 0; i < n; i++)
		if (!is_same(&shown[i], &c->cells[i]))
			abort();
	free(shown);
}

static void press_keys(struct app *app, const char *keys)
{
	struct key key;

	app_settle(app);
	check_redraw(app);
	for (int i = 0; *keys && i < KEYS_MAX && !app->p->quit; i++) {
		if (key_parse(&keys, &key)) {
			keys++;
			continue;
		}
		if ((key.code == '/' || key.code == '~') && app->p->prompt.open)
			continue;
		app_play_key(app, key);
		check_redraw(app);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static bool begun;
	const uint8_t *p = bytes, *end = bytes + size;
	char name[80], where[80], keys[1000], view[40];
	struct theme_ground paper = { .colors = 256, .unicode = true };
	struct app_options options;
	struct capture *c;
	struct err err;
	struct term *term;
	struct app app;
	int cols = 80, rows = 24;

	if (!begun && (begun = true) && !setlocale(LC_ALL, "C.UTF-8"))
		abort();
	if (!take_line(&p, end, name, sizeof name) || !take_line(&p, end, where, sizeof where) ||
	    !take_line(&p, end, keys, sizeof keys) || !*name || strchr(name, '/'))
		return 0;
	if (sscanf(where, "%39s %d %d", view, &cols, &rows) < 1 || cols < 1 || cols > COLS_MAX || rows < 1 ||
	    rows > ROWS_MAX)
		return 0;
	options = (struct app_options){ .sample = p,
		.sample_size = (size_t)(end - p),
		.sample_name = name,
		.load = { .threads = 1, .max_memory = 256u << 20 },
		.glyphs = "unicode",
		.colors = -1 };
	if (!(c = load_now(&options, &options.load, NULL, &err)))
		return 0;
	term = term_null_open(rows, cols);
	app_begin(&app, &options, term, themes[0], &glyphs_ascii);
	look_open(&app, &paper);
	app_take(&app, c, &err);
	if (app_view(&app, view))
		app_switch(&app, (size_t)(app_view(&app, view) - app.views));
	press_keys(&app, keys);
	app_end(&app);
	term->ops->close(term);
	return 0;
}
