/* The capture that the one on the screen is compared with (--against, :against).  A job reads it; then both are held,
 * and either can be on the screen while the other keeps its results and positions. */
#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/compare.h"
#include "core/results.h"

struct against {
	char *path;          /* as given */
	struct capture *cap; /* the one that is not on the screen */
	struct side *base;
	const struct side *of_opened, *of_base; /* what each of the two is compared with */
	bool swapped;                           /* the base is on the screen */
	struct session *session;                /* of the one that is not on the screen; NULL: none yet */
	char view[32];                          /* where that one was left */
	struct ref ref;
	bool goes; /* to its view as soon as it is there */
};

/* What the job reads. */
struct reading {
	struct app *app;
	char *path, *run;
	struct load_options load;
	enum clock_kind clock;
	bool goes;
	unsigned long keys; /* a key pressed since means: stay */
	struct capture *cap;
	struct side *side;
	struct err err;
};

static void forget_read(struct reading *r)
{
	capture_side_free(r->side);
	capture_close(r->cap);
	r->side = NULL;
	r->cap = NULL;
}

static void drop_reading(void *ctx)
{
	struct reading *r = ctx;

	forget_read(r);
	if (r->app->p->reading == r)
		r->app->p->reading = NULL;
	free(r->path);
	free(r->run);
	free(r);
}

static void read_base(void *ctx, struct progress *p)
{
	struct reading *r = ctx;
	const char *path = r->path;
	struct side_options o = { .core = -1, .threads = r->load.threads, .progress = p };
	struct dump *d;

	forget_read(r);
	r->err = (struct err){ .at = ERR_NOWHERE };
	if (!(d = load_paths(&path, 1, &r->load, p, &r->err)))
		return;
	r->cap = capture_of(d, r->load.threads);
	if (progress_canceled(p))
		return;
	capture_prepare(r->cap, r->clock, NULL);
	progress_begin(p, 0);
	if (!progress_canceled(p))
		r->side = capture_side(r->cap, &o, &r->err);
}

static void base_is_read(struct app *app, void *ctx)
{
	struct reading *r = ctx;
	struct app_private *p = app->p;
	struct against *a;

	p->reading = NULL;
	if (!r->side) {
		app_error(app, "cannot compare with %s: %s", p->against_path, r->err.msg);
		free(p->against_path);
		p->against_path = p->against ? xstrdup(p->against->path) : NULL;
		return;
	}
	p->arrived = a = xcalloc(1, sizeof *a);
	*a = (struct against){ .path = xstrdup(p->against_path),
		.cap = r->cap,
		.base = r->side,
		.of_opened = r->side,
		.goes = r->goes && app->keys == r->keys };
	a->base->path = a->path;
	r->cap = NULL;
	r->side = NULL;
}

/* PATH, or PATH@RUN where no file is called so. */
static void take_path(struct reading *r, const char *text)
{
	char *whole = export_home(text);
	const char *at = access(whole, F_OK) ? strrchr(whole, '@') : NULL;

	r->run = at ? xstrdup(at + 1) : NULL;
	r->path = at ? xstrndup(whole, (size_t)(at - whole)) : xstrdup(whole);
	free(whole);
}

/* What a read may never return from cannot be stopped. */
static bool is_pipe(const struct reading *r)
{
	struct stat st;

	return !strcmp(r->path, "-") || (!stat(r->path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static void begin_reading(struct app *app, bool goes)
{
	struct reading *r = xcalloc(1, sizeof *r);

	*r = (struct reading){ .app = app,
		.load = app->p->load,
		.clock = app->opt->clock,
		.goes = goes,
		.keys = app->keys };
	take_path(r, app->p->against_path);
	r->load.run = r->run;
	r->load.early = NULL;
	if (is_pipe(r)) {
		app_error(app, "cannot compare with %s: neither a file nor a folder", app->p->against_path);
		free(app->p->against_path);
		app->p->against_path = app->p->against ? xstrdup(app->p->against->path) : NULL;
		drop_reading(r);
		return;
	}
	app->p->reading = r;
	jobs_add(app,
	    &(struct job){ "reading the base (Esc stops)", read_base, base_is_read, drop_reading, r });
}

bool app_against_cancel(struct app *app)
{
	struct app_private *p = app->p;

	if (!p->reading)
		return false;
	app_say(app, "reading %s was stopped: nothing to compare with", p->against_path);
	free(p->against_path);
	p->against_path = p->against ? xstrdup(p->against->path) : NULL;
	jobs_drop(app, p->reading);
	return true;
}

/* --- both are there --- */

const char *app_against_name(const struct app *app)
{
	return app->p->against ? app->p->against->path : NULL;
}

const struct capture *app_other(const struct app *app)
{
	return app->p->against ? app->p->against->cap : NULL;
}

bool app_against_swapped(const struct app *app)
{
	return app->p->against && app->p->against->swapped;
}

void app_against_given(struct app *app, struct capture *c)
{
	struct app_private *p = app->p;

	c->against = p->against ? &p->against->of_opened : NULL;
	c->nagainst = p->against != NULL;
	if (p->against_path && !p->against && !p->reading && !p->arrived)
		begin_reading(app, !app->opt->view || !strcmp(app->opt->view, "diff"));
}

/* Other views of the same capture; those there already stay as they are. */
static void renew_views(struct app *app)
{
	struct view *v = app_here(app);
	struct ref ref = v->ops->here ? v->ops->here(v) : (struct ref){ .kind = REF_NONE };
	char id[32];

	snprintf(id, sizeof id, "%s", v->ops->id);
	app_session_keep(app, true);
	app_close_views(app);
	capture_forget(app->cap, result_users(RESULT_DIFF));
	app_against_given(app, app->cap);
	app_show_capture(app, app->cap, id, &ref);
}

/* The other capture comes on the screen, with its own results, views and positions. */
static void put_on_screen(struct app *app, const char *view, const struct ref *ref)
{
	struct against *a = app->p->against;
	struct capture *here = app->cap, *other = a->cap;
	struct session *session = app->p->session;
	struct view *v = app_here(app);

	snprintf(a->view, sizeof a->view, "%s", v->ops->id);
	a->ref = v->ops->here ? v->ops->here(v) : (struct ref){ .kind = REF_NONE };
	if (!a->swapped) {
		a->of_base = &((const struct compared *)capture_has(here, RESULT_DIFF))->side;
		capture_forget(other, result_users(RESULT_DIFF));
	}
	app_session_keep(app, true);
	app_close_views(app);
	a->swapped = !a->swapped;
	a->cap = here;
	app->p->session = a->session;
	a->session = session;
	if (!app->p->session && a->swapped)
		app_session_open(app, false);
	other->against = a->swapped ? &a->of_base : &a->of_opened;
	other->nagainst = 1;
	app_show_capture(app, other, view, ref);
}

void app_against_swap(struct app *app, const char *view, const char *op)
{
	const struct against *a = app->p->against;
	struct ref ref = REF_EMPTY;

	if (!a || (!a->swapped && !capture_has(app->cap, RESULT_DIFF)))
		return;
	if (op) {
		ref.name = strtab_find(&a->cap->dump->str, op, strlen(op));
		ref.kind = ref.name && ref.name != UINT32_MAX ? REF_NAME : REF_NONE;
	}
	put_on_screen(app, view, &ref);
}

bool app_against_return(struct app *app)
{
	struct against *a = app->p->against;
	struct ref ref;
	char view[32];

	if (!a || !a->swapped)
		return false;
	snprintf(view, sizeof view, "%s", a->view);
	ref = a->ref;
	put_on_screen(app, view, &ref);
	return true;
}

static void free_against(struct against *a)
{
	if (!a)
		return;
	capture_close(a->cap);
	capture_side_free(a->base);
	app_session_free(a->session);
	free(a->path);
	free(a);
}

/* The views have to be made again. */
static void drop_against(struct app *app)
{
	struct against *a = app->p->against;

	app_against_return(app);
	app->p->against = NULL;
	app->cap->nagainst = 0;
	results_renew(app, RESULT_DIFF);
	free_against(a);
}

bool app_against_due(struct app *app)
{
	struct app_private *p = app->p;
	char key[80];

	if (!p->arrived || p->overlay || p->prompt.open || !app_here(app))
		return false;
	if (p->against)
		drop_against(app);
	p->against = p->arrived;
	p->arrived = NULL;
	renew_views(app);
	if (p->against->goes)
		app_go(app, "diff", NULL);
	else
		app_say(app, "compared with %s; %s %c shows what differs", p->against->path,
		    keymap_key_text(&app->keymap, ACT_VIEW_GO, SCOPE_ALL, key, sizeof key),
		    app_view_ops("diff")->letter);
	return true;
}

void app_against(struct app *app, const char *path)
{
	struct app_private *p = app->p;

	if (*path) {
		if (p->reading)
			jobs_drop(app, p->reading);
		free(p->against_path);
		p->against_path = xstrdup(path);
		begin_reading(app, true);
	} else if (!app_against_cancel(app) && !p->against) {
		app_say(app, "compared with nothing; :against PATH compares with another capture");
	} else if (p->against) {
		free(p->against_path);
		p->against_path = NULL;
		drop_against(app);
		renew_views(app);
		app_say(app, "compared with nothing from now on");
	}
}

void app_against_end(struct app *app)
{
	free_against(app->p->against);
	free_against(app->p->arrived);
	free(app->p->against_path);
}
