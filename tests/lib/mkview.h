/* The timeline over a made dump, without a terminal: a canvas stands for the screen, keys are actions.
 *
 *	view_begin(mk_done(&m), 40, 120, false);	… opened, as large as asked, nothing left to do
 *	act(ACT_DOWN);					… one action, and the work that it leaves
 *	assert_true(shown("fusion.1"));			… drawn now
 *	view_end();					… closes the dump, too
 *
 * view_close() leaves the dump to the caller. */
#ifndef TESTS_MKVIEW_H
#define TESTS_MKVIEW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/prepare.h"
#include "app/internal.h"
#include "core/results.h"
#include "view/timeline/timeline.h"
#include "view/timeline/internal.h"

static struct app app;
static struct app_options opt;
static struct view view;
static struct canvas canvas;

static inline struct timeline *tl(void)
{
	return view.state;
}

static inline void finish(void)
{
	do {
		while (view_timeline.step(&view, 15))
			;
	} while (jobs_finish(&app));
}

static inline void look(void)
{
	canvas_clear(&canvas);
	canvas_clip(&canvas, view.area);
	view_timeline.draw(&view, &canvas);
}

/* Size of the whole screen; the view gets what the program's own lines leave. */
static inline void resize(int rows, int cols)
{
	canvas_resize(&canvas, rows, cols);
	view.area = (struct rect){ 2, 0, rows - 4, cols };
	view_timeline.resize(&view, view.area.h, view.area.w);
}

static inline unsigned act(enum action a)
{
	unsigned react;

	*app.message = '\0';
	react = view_timeline.act(&view, a, 1);
	finish();
	return react;
}

static inline bool shown(const char *text)
{
	size_t n;
	char *all;
	bool found;

	look();
	all = canvas_dump(&canvas, 0, &n);
	found = strstr(all, text);
	free(all);
	return found;
}

static inline void view_begin(struct dump *d, int rows, int cols, bool mono)
{
	memset(&app, 0, sizeof app);
	app = (struct app){ .opt = &opt,
		.cap = capture_of(d, 1),
		.p = xcalloc(1, sizeof *app.p),
		.views = &view,
		.nviews = 1,
		.glyphs = mono ? &glyphs_ascii : &glyphs_blocks };
	keymap_init(&app.keymap);
	steps_find(d, &app.cap->steps);
	if (!d->trace.meta_class)
		prepare(d, &app.cap->clocks, CLOCK_PLAIN, 1, NULL);
	view = (struct view){ .ops = &view_timeline,
		.state = xcalloc(1, view_timeline.size),
		.app = &app,
		.cap = app.cap,
		.opened = true };
	canvas_init(&canvas, rows, cols, app.glyphs, mono);
	assert_int_equal(view_timeline.open(&view), 0);
	resize(rows, cols);
	finish();
}

static inline void view_close(void)
{
	if (app.p->overlay)
		app.p->overlay->ops->close(app.p->overlay);
	view_timeline.close(&view);
	results_close(&app);
	free(view.state);
	canvas_free(&canvas);
	keymap_free(&app.keymap);
	free(app.p);
	app.cap->base = NULL; /* stays open */
	capture_close(app.cap);
}

static inline void view_end(void)
{
	struct dump *d = app.cap->base;

	view_close();
	dump_close(d);
}

#endif
