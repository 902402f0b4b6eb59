#include "config.h"
#include "app/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/internal.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "core/results.h"
#include "view/timeline/timeline.h"

#define BAR_MAX 60

int64_t loading_eta_ms(const struct loading *l)
{
	if (!l->bytes || l->bytes >= l->total || l->elapsed_ms < 500)
		return -1;
	return (int64_t)((double)l->elapsed_ms * (double)(l->total - l->bytes) / (double)l->bytes);
}

const char *loading_text(const struct loading *l, char *buf, size_t size)
{
	char percent[16], eta[32];
	int64_t left = loading_eta_ms(l);
	int n = snprintf(buf, size, "loading");

	if (l->total)
		n += snprintf(buf + n, size - (size_t)n, ": %s %%",
		    units_percent(percent, sizeof percent,
			l->bytes >= l->total ? 1 : (double)l->bytes / (double)l->total));
	if (left >= 0)
		snprintf(buf + n, size - (size_t)n, "; ready in about %s s",
		    units_time_in(eta, sizeof eta, left * PS_PER_MS, UNIT_S, left < 10000));
	return buf;
}

static void draw_progress_bar(const struct loading *l, struct canvas *c, int y, int x, int w)
{
	double part = l->bytes >= l->total ? 1 : (double)l->bytes / (double)l->total;
	int eighths = (int)(part * w * 8);

	for (int i = 0; i < w; i++) {
		int fill = eighths - i * 8;
		uint32_t ch = c->glyphs->left[fill < 0 ? 0 : fill > 8 ? 8 : fill];

		canvas_put(c, y, x + i, ch == ' ' ? c->glyphs->g[GLYPH_BULLET] : ch,
		    ch == ' ' ? ROLE_DIM : ROLE_PROGRESS, 0);
	}
}

static void progress_text(const struct loading *l, char *buf, size_t size)
{
	char read[32], total[32], rate[32], percent[16], eta[32];
	int64_t left = loading_eta_ms(l);
	size_t n;

	snprintf(buf, size, "%s", units_bytes(read, sizeof read, (double)l->bytes));
	n = strlen(buf);
	if (l->total)
		snprintf(buf + n, size - n, " of %s   %s %%",
		    units_bytes(total, sizeof total, (double)l->total),
		    units_percent(percent, sizeof percent,
			l->bytes >= l->total ? 1 : (double)l->bytes / (double)l->total));
	n = strlen(buf);
	if (l->elapsed_ms >= 500)
		snprintf(buf + n, size - n, "   %s",
		    units_si(rate, sizeof rate, (double)l->bytes * 1000 / (double)l->elapsed_ms, "B/s"));
	n = strlen(buf);
	if (left >= 0)
		snprintf(buf + n, size - n, "   %s s left",
		    units_time_in(eta, sizeof eta, left * PS_PER_MS, UNIT_S, 1));
}

void loading_draw(const struct loading *l, struct canvas *c, struct rect area)
{
	int x = area.x + 3, w = area.w - 6 < BAR_MAX ? area.w - 6 : BAR_MAX, y = area.y + (area.h > 6);
	char text[160], events[32];

	canvas_str(c, y, x, 8, ROLE_DIM, 0, "opening");
	canvas_cut(c, y, x + 9, area.w - 15, ROLE_TEXT, 0, l->name, strlen(l->name));
	y += 1 + (area.h > 6);
	if (l->total)
		draw_progress_bar(l, c, y++, x, w);
	y += area.h > 6;
	if (l->bytes) {
		progress_text(l, text, sizeof text);
		canvas_str(c, y++, x, area.w - 4, ROLE_TEXT, 0, text);
	}
	if (l->events)
		x += canvas_fmt(c, y, x, area.w - 4, ROLE_TEXT, 0, "%s events   ",
		    units_count(events, sizeof events, l->events));
	canvas_str(c, y, x, area.x + area.w - x, ROLE_TEXT, 0,
	    l->stopping   ? "stopping"
		: l->what ? l->what
			  : "");
}

/* --- what is there already --- */

struct view_part {
	int64_t t0, t1;
};

/* A timeline of the capture that was read so far. */
struct first_picture {
	struct view view;
	struct loader_early *of;
	bool moved;             /* by the user */
	struct view_part asked; /* of a table */
};

struct view *app_early_view(const struct app *app)
{
	struct first_picture *f = app->p->early;

	return f && f->view.area.h && app->p->loader ? &f->view : NULL;
}

void app_early_close(struct app *app)
{
	struct first_picture *f = app->p->early;

	if (!f)
		return;
	if (f->view.opened)
		f->view.ops->close(&f->view);
	free(f->view.state);
	loader_early_free(f->of);
	free(f);
	app->p->early = NULL;
}

/* Notes where the user went. */
static void carry_place(struct app *app)
{
	struct first_picture *f = app->p->early;
	struct kv *kv = &app->p->carried;

	if (!f || !f->moved)
		return;
	kv_free(kv);
	timeline_carry(&f->view, kv);
}

struct capture *app_early_keep(struct app *app, struct capture *c)
{
	struct first_picture *f = app->p->early;
	struct loader_early *e = NULL;

	carry_place(app);
	if (f && c && c->dump->canceled && c->dump->trace.events < f->view.cap->dump->trace.events) {
		e = f->of;
		f->of = NULL;
	}
	app_early_close(app);
	if (!e)
		return c;
	capture_close(c);
	c = e->cap;
	c->base->canceled = true;
	e->cap = NULL;
	loader_early_free(e);
	return c;
}

enum { EARLY_LEAST = 7 /* rows */ };

static void lay_out_picture(struct app *app)
{
	struct first_picture *f = app->p->early;
	const struct canvas *c = &app->p->canvas;
	int rows = c->rows - 4 - EARLY_ROWS;

	if (!f)
		return;
	f->view.area = (struct rect){ 0 };
	if (rows < EARLY_LEAST || app_too_small(app))
		return;
	f->view.area = (struct rect){ 2 + EARLY_ROWS, 0, rows, c->cols };
	f->view.ops->resize(&f->view, rows, c->cols);
	app->p->working = true; /* also when all was done before there was an area */
}

/* A table also has what is below the coarse levels, for one window at a time. */
static bool is_coarse(const struct first_picture *f)
{
	return f->view.cap->dump->files[0].kind == FILE_TRACE_TABLE;
}

static struct view_part part_in_view(const struct first_picture *f)
{
	struct ref r = f->view.ops->here(&f->view);

	return (struct view_part){ r.t0 > 0 ? r.t0 : 0, r.t1 }; /* a table has nothing before 0 */
}

static bool part_has(int64_t t0, int64_t t1, struct view_part v)
{
	return t0 <= v.t0 && v.t1 <= t1;
}

/* Is all of the table there of what is in view? */
static bool has_all_in_view(const struct first_picture *f)
{
	return f->of->windowed && f->of->all && part_has(f->of->t0, f->of->t1, part_in_view(f));
}

static void say_part(struct first_picture *f)
{
	f->view.part = !is_coarse(f) ? PART_TRACKS : has_all_in_view(f) ? PART_WINDOW : PART_LEVELS;
}

/* Asks for what is in view, unless all of it is there, or it is still to come, or was too much. */
static void want_window(struct app *app)
{
	struct first_picture *f = app->p->early;
	struct view_part v;

	if (!f || !f->view.area.h || !f->moved || !is_coarse(f) || has_all_in_view(f))
		return;
	v = part_in_view(f);
	if (!memcmp(&v, &f->asked, sizeof v))
		return;
	f->asked = v;
	loader_want(app->p->loader, v.t0, v.t1);
}

void app_early_layout(struct app *app)
{
	lay_out_picture(app);
	want_window(app);
}

static void open_picture(struct app *app, struct loader_early *e)
{
	struct first_picture *f = app->p->early = xcalloc(1, sizeof *f);
	f->of = e;
	f->view =
	    (struct view){ .ops = app_view_ops("timeline"), .app = app, .cap = e->cap, .part = PART_TRACKS };
	f->view.state = xcalloc(1, f->view.ops->size);
	f->view.opened = !f->view.ops->open(&f->view);
	if (!f->view.opened) {
		app_early_close(app);
		return;
	}
	f->moved = app->p->carried.n;
	if (f->moved)
		f->view.ops->restore(&f->view, &app->p->carried);
	lay_out_picture(app);
}

bool app_early_take(struct app *app)
{
	struct loader_early *e = loader_early(app->p->loader);
	struct view_part asked = { 0, 0 };

	if (!e)
		return false;
	if (app->p->early)
		asked = app->p->early->asked;
	carry_place(app);
	app_early_close(app);
	open_picture(app, e);
	if (app->p->early)
		app->p->early->asked = asked;
	return true;
}

/* "of NAME ": the trace table that is shown alone, though there are more; "": there are none */
static void app_early_of(const struct app *app, char *buf, size_t size)
{
	const struct first_picture *f = app->p->early;

	*buf = '\0';
	if (f && f->of->alone && is_coarse(f))
		snprintf(buf, size, "of %s ", f->view.cap->dump->files[0].base);
}

void app_early_draw(struct app *app, struct canvas *c)
{
	struct first_picture *f = app->p->early;
	struct rect r = f->view.area;
	char of[160];

	for (int x = 0; x < r.w; x++)
		canvas_glyph(c, r.y - 1, r.x + x, GLYPH_HLINE, ROLE_LINE, 0);
	say_part(f);
	app_early_of(app, of, sizeof of);
	if (*of && f->view.part == PART_LEVELS)
		canvas_fmt(c, r.y - 1, r.x + 2, r.w - 4, ROLE_BOLD, 0, " coarse levels %salone: sums follow ",
		    of);
	else if (f->view.part == PART_TRACKS)
		canvas_str(c, r.y - 1, r.x + 2, r.w - 4, ROLE_BOLD, 0, " tracks that are there already ");
	else if (f->view.part == PART_WINDOW)
		canvas_fmt(c, r.y - 1, r.x + 2, r.w - 4, ROLE_BOLD, 0,
		    " all events %sin this window; sums of the run follow ", of);
	else
		canvas_str(c, r.y - 1, r.x + 2, r.w - 4, ROLE_BOLD, 0,
		    " coarse levels of the table: sums follow ");
	canvas_clip(c, r);
	f->view.ops->draw(&f->view, c);
}

/* --- keys for it --- */

/* The page of an event has what is known of it, which is not there yet. */
bool app_early_can(const struct app *app, enum action a)
{
	const struct view *v = app_early_view(app);

	return v && (action_info[a].flags & EARLY) &&
	    ((a != ACT_OPEN && a != ACT_BACK) || (v->ops->here(v).kind == REF_EVENT) == (a == ACT_BACK));
}

/* It is what the user looks at: it stays when all is there. */
static void app_early_moved(struct app *app)
{
	app->p->early->moved = app->p->working = app->p->dirty = true;
}

/* goes there in it, as the user would */
static void app_early_show(struct app *app, const struct ref *r)
{
	struct view *v = &app->p->early->view;

	v->ops->show(v, r);
	app_early_moved(app);
	want_window(app);
}

int app_early_goto(struct app *app, const char *place, struct err *err)
{
	struct first_picture *f = app->p->early;
	struct ref r;

	say_part(f);
	if (f->view.ops->place(&f->view, place, &r, err))
		return -1;
	app_early_show(app, &r);
	return 0;
}

bool app_early_act(struct app *app, enum action a)
{
	struct first_picture *f = app->p->early;
	bool half = a == ACT_HALF_UP || a == ACT_HALF_DOWN;

	if (!app_early_can(app, a))
		return false;
	f->view.ops->act(&f->view,
	    a == ACT_HALF_UP         ? ACT_UP
		: a == ACT_HALF_DOWN ? ACT_DOWN
				     : a,
	    half && f->view.area.h > 2 ? f->view.area.h / 2 : 1);
	app_early_moved(app);
	want_window(app);
	return true;
}
