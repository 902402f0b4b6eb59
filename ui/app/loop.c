#include "config.h"
#include "app/internal.h"

#include "base/now.h"
#include "core/jump.h"
#include "core/worker.h"
#include "load/follow.h"
#include "load/source/source.h"

static bool moves(const struct app *app)
{
	struct overlay *o = app->p->overlay;

	return app->p->loader || jobs_fd(app) >= 0 || (o && o->ops->moves && o->ops->moves(o));
}

/* The thread that makes what a screen shows; NULL: none. */
static struct worker *screen_worker(const struct app *app)
{
	struct overlay *o = app_screen(app);

	return o && o->ops->worker ? o->ops->worker(o) : NULL;
}

/* What wakes the loop besides keys; a loader and jobs have frames at regular times, which show a screen, too. */
static int news_fd(const struct app *app)
{
	if (app->p->loader)
		return loader_fd(app->p->loader);
	if (jobs_fd(app) >= 0)
		return jobs_fd(app);
	return screen_worker(app) ? worker_fd(screen_worker(app)) : follow_fd(app->p->follow);
}

static void draw_frame(struct app *app)
{
	struct app_private *p = app->p;
	int64_t pause = settings_on(&app->settings, SET_SLOW) ? SLOW_FRAME_MS : FRAME_MS;

	p->rested = now_ms() >= p->next_frame + pause;
	app_watch(app);
	app_draw(app);
	if (app_watch(app)) /* drawing read what is no longer there */
		app_draw(app);
	p->behind = p->term->ops->draw(p->term, &p->canvas, now_ms() < p->rest ? MOVE_BYTES : 0);
	p->dirty = false;
	p->next_frame = now_ms() + pause;
}

/* Limits the frame rate.  Exempt is the frame right after one that was drawn after a pause: it shows the
 * result that the first one had no time for, and the user is waiting for it. */
static bool is_time(const struct app *app, int bits)
{
	const struct app_private *p = app->p;

	return now_ms() >= p->next_frame || (p->rested && !p->working && !(bits & TERM_KEY));
}

/* Milliseconds to wait for input: 0 while the view has work, else until a frame is due; -1 = no limit. */
static int time_to_wait(const struct app *app, int64_t now)
{
	const struct app_private *p = app->p;
	int64_t until = INT64_MAX;

	if (p->working)
		return 0;
	if (p->dirty)
		until = p->next_frame;
	if (moves(app) && p->next_progress < until)
		until = p->next_progress;
	if (p->watch_due && p->next_watch < until)
		until = p->next_watch;
	if (p->behind && p->rest < until)
		until = p->rest;
	if (until == INT64_MAX)
		return -1;
	return until > now ? (int)(until - now) : 0;
}

static void finish_load(struct app *app)
{
	struct capture *c;
	struct err err;

	if (loader_elapsed_ms(app->p->loader) > 500)
		app->p->esc_from = now_ms() + 1000;
	c = loader_finish(app->p->loader, &err);
	app->p->loader = NULL;
	c = app_early_keep(app, c);
	app->p->dirty = true;
	app->p->next_frame = 0; /* draw the loaded capture at once */
	if (app->p->command)
		app_say(app, "%s", ""); /* that it waits */
	app_take(app, c, &err);
	app_waiting_command(app);
	if (app->p->ntyped)
		app_draw(app); /* drawing sets the page length that keys need */
	app_typed(app);
	app_flush(app);
}

static int64_t progress_ms(const struct app *app)
{
	return settings_on(&app->settings, SET_SLOW) ? SLOW_PROGRESS_MS : PROGRESS_MS;
}

/* Starts and finishes jobs; a finished job may give the view more work. */
static void take_turn(struct app *app)
{
	struct app_private *p = app->p;
	bool idle = jobs_fd(app) < 0;

	if (jobs_turn(app))
		p->working = p->dirty = true;
	jump_due(app);
	app_leave_empty(app);
	app_waiting_due(app);
	app_export_due(app);
	app_against_due(app);
	app_search_due(app);
	if (idle && jobs_fd(app) >= 0)
		p->next_progress = now_ms() + progress_ms(app);
}

/* Runs a slice of the view's own work and redraws if it improved the picture. */
static void work_slice(struct app *app, int budget_ms)
{
	struct view *v = app->p->loader ? app_early_view(app) : app_here(app);
	bool more = v && v->opened && v->ops->step && v->ops->step(v, budget_ms);

	app->p->working = more;
	if (v && v->stale) {
		v->stale = false;
		app->p->dirty = true;
	}
}

/* Work that takes only a moment is done before the frame that answers a key. */
static void work_ahead(struct app *app)
{
	int64_t until = now_ms() + AHEAD_MS;

	while (app->p->working && now_ms() < until)
		work_slice(app, AHEAD_MS);
}

void app_turn(struct app *app)
{
	struct app_private *p = app->p;
	struct term *t = p->term;
	struct key key;
	int64_t now;
	int bits;

	take_turn(app);
	bits = t->ops->wait(t, news_fd(app), time_to_wait(app, now_ms()));

	if (bits & TERM_HUP) {
		p->quit = true;
		p->status = 128 + 1; /* as a shell reports SIGHUP */
		return;
	}
	while (t->ops->key(t, &key))
		app_key(app, key);
	app_flush(app);
	app_mouse_mode(app);
	if (bits & TERM_FD && p->loader && loader_ended(p->loader))
		finish_load(app);
	else if (!(bits & TERM_KEY) && p->working)
		work_slice(app, STEP_BUDGET_MS);
	if (p->loader && app_early_take(app)) {
		p->working = p->dirty = true;
		app_typed_early(app);
	}
	if (bits & TERM_FD && screen_worker(app)) {
		worker_ended(screen_worker(app)); /* reads what woke the loop */
		p->dirty = true;
	}
	app_watch_woken(app);
	now = now_ms();
	if (p->watch_due && now >= p->next_watch)
		app_watch(app);
	if (p->moved && !moves(app))
		p->dirty = true; /* the end is shown, too */
	p->moved = moves(app);
	if (p->moved && now >= p->next_progress) {
		p->next_progress = now + progress_ms(app);
		p->dirty = true;
	}
	if (p->overlay && p->overlay->ops->moves && p->overlay->picked >= 0)
		app_overlay_react(app, REACT_BACK);
	if (p->behind && now >= p->rest)
		p->dirty = true;
	if (p->dirty && !p->quit && is_time(app, bits)) {
		if (bits & TERM_KEY)
			work_ahead(app);
		draw_frame(app);
	}
}

int app_run(const struct app_options *o, struct err *err)
{
	struct theme_ground ground;
	struct app app;
	struct term *term;
	int status;

	if (app_check_options(o, err) || !(term = term_curses_open(&ground, err)))
		return -1;
	source_guard_install(); /* again, so that it runs before the terminal's own handler */
	app_begin(&app, o, term, themes[0], &glyphs_ascii);
	look_open(&app, &ground);
	app_session_open(&app, true);
	draw_frame(&app);
	if (o->live)
		app_watch_job(&app);
	else if (!app_load(&app))
		app.p->next_progress = now_ms() + PROGRESS_MS;
	while (!app.p->quit)
		app_turn(&app);
	term->ops->close(term);
	app_against_return(&app); /* it is this one's positions that are saved */
	app_session_save(&app);
	status = app.p->status;
	if (status < 0)
		*err = app.p->err;
	else if (!status && app.cap->dump)
		status = dump_status(app.cap->dump);
	app_end(&app);
	return status;
}
