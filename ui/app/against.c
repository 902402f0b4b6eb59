/* The capture that the one on the screen is compared with (--against, :against).  A job reads it; then both are held,
 * and either can be on the screen while the other keeps its results and positions.  Of several, joined with commas,
 * the first is held and the others are compared with, too. */
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

/* Captures of one side; paths are those of the sides. */
struct base {
	const struct side **v;
	char **path;
	size_t n, cap;
};

struct against {
	char *path;          /* as given */
	struct capture *cap; /* the one that is not on the screen */
	struct base base;
	const struct side *of_base; /* what the base is compared with; the opened one is with `base` */
	bool swapped;               /* the base is on the screen */
	struct session *session;    /* of the one that is not on the screen; NULL: none yet */
	char view[32];              /* where that one was left */
	struct ref ref;
	bool goes; /* to its view as soon as it is there */
};

/* What the job reads. */
struct reading {
	struct app *app;
	char *text; /* as given */
	struct load_options load;
	enum clock_kind clock;
	bool goes;
	unsigned long keys; /* a key pressed since means: stay */
	struct capture *cap;
	struct base base;
	struct err err;
};

static void free_base(struct base *b)
{
	for (size_t i = 0; i < b->n; i++) {
		capture_side_free((struct side *)b->v[i]);
		free(b->path[i]);
	}
	free((void *)b->v);
	free(b->path);
	*b = (struct base){ .n = 0 };
}

static void forget_read(struct reading *r)
{
	free_base(&r->base);
	capture_close(r->cap);
	r->cap = NULL;
}

static void drop_reading(void *ctx)
{
	struct reading *r = ctx;

	forget_read(r);
	if (r->app->p->reading == r)
		r->app->p->reading = NULL;
	free(r->text);
	free(r);
}

/* PATH, or PATH@RUN where no file is called so.  The caller frees both. */
static void take_path(const char *text, char **path, char **run)
{
	char *whole = export_home(text);
	const char *at = access(whole, F_OK) ? strrchr(whole, '@') : NULL;

	*run = at ? xstrdup(at + 1) : NULL;
	*path = at ? xstrndup(whole, (size_t)(at - whole)) : xstrdup(whole);
	free(whole);
}

/* The next of several, or the only one: a comma parts them, unless a file is called so.  NULL: there is none; the
 * caller frees. */
static char *next_name(const char **rest)
{
	char *whole = export_home(*rest), *name;
	size_t n = access(whole, F_OK) ? strcspn(*rest, ",") : strlen(*rest);

	free(whole);
	if (!**rest)
		return NULL;
	name = xstrndup(*rest, n);
	*rest += n + ((*rest)[n] == ',');
	return name;
}

static struct side *read_one(struct reading *r, const char *name, struct progress *p)
{
	struct side_options o = { .core = -1, .threads = r->load.threads, .progress = p };
	struct load_options load = r->load;
	struct side *s = NULL;
	char *path, *run;
	struct capture *c;
	struct dump *d;

	take_path(name, &path, &run);
	load.run = run;
	if ((d = load_paths((const char *const *)&path, 1, &load, p, &r->err))) {
		c = capture_of(d, r->load.threads);
		if (!progress_canceled(p)) {
			capture_prepare(c, r->clock, NULL);
			progress_begin(p, 0);
		}
		if (!progress_canceled(p))
			s = capture_side(c, &o, &r->err);
		if (s && !r->cap)
			r->cap = c;
		else
			capture_close(c);
	}
	free(path);
	free(run);
	return s;
}

static void read_base(void *ctx, struct progress *p)
{
	struct reading *r = ctx;
	const char *rest = r->text;
	struct side *s = NULL;
	char *name;

	forget_read(r);
	r->err = (struct err){ .at = ERR_NOWHERE };
	while ((name = next_name(&rest)) && (s = read_one(r, name, p))) {
		r->base.path = xrealloc(r->base.path, r->base.n + 1, sizeof *r->base.path);
		s->path = r->base.path[r->base.n] = name;
		VEC_ADD(r->base.v, r->base.n, r->base.cap, s);
	}
	if (name && !s)
		forget_read(r);
	if (!s)
		free(name);
}

static void base_is_read(struct app *app, void *ctx)
{
	struct reading *r = ctx;
	struct app_private *p = app->p;
	struct against *a;

	p->reading = NULL;
	if (!r->base.n) {
		app_error(app, "cannot compare with %s: %s", p->against_path, r->err.msg);
		free(p->against_path);
		p->against_path = p->against ? xstrdup(p->against->path) : NULL;
		return;
	}
	p->arrived = a = xcalloc(1, sizeof *a);
	*a = (struct against){ .path = xstrdup(p->against_path),
		.cap = r->cap,
		.base = r->base,
		.goes = r->goes && app->keys == r->keys };
	r->cap = NULL;
	r->base = (struct base){ .n = 0 };
}

/* What a read may never return from cannot be stopped. */
static bool has_pipe(const char *rest)
{
	char *name, *path, *run;
	bool is = false;
	struct stat st;

	while (!is && (name = next_name(&rest))) {
		take_path(name, &path, &run);
		is = !strcmp(path, "-") || (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
		free(name);
		free(path);
		free(run);
	}
	return is;
}

static void begin_reading(struct app *app, bool goes)
{
	struct reading *r = xcalloc(1, sizeof *r);

	*r = (struct reading){ .app = app,
		.load = app->p->load,
		.clock = app->opt->clock,
		.goes = goes,
		.keys = app->keys };
	r->text = xstrdup(app->p->against_path);
	r->load.early = NULL;
	if (has_pipe(r->text)) {
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

static void free_against(struct against *a)
{
	if (!a)
		return;
	capture_close(a->cap);
	free_base(&a->base);
	app_session_free(a->session);
	free(a->path);
	free(a);
}

/* Neither what is read nor what has arrived is compared with; false: there is neither. */
static bool forget_next(struct app *app)
{
	struct app_private *p = app->p;
	bool any = p->reading || p->arrived;

	if (p->reading)
		jobs_drop(app, p->reading);
	free_against(p->arrived);
	p->arrived = NULL;
	return any;
}

bool app_against_cancel(struct app *app)
{
	struct app_private *p = app->p;

	if (!forget_next(app))
		return false;
	app_say(app, "reading %s was stopped: nothing to compare with", p->against_path);
	free(p->against_path);
	p->against_path = p->against ? xstrdup(p->against->path) : NULL;
	return true;
}

/* --- both are there --- */

const char *app_against_path(const struct app *app, size_t i)
{
	const struct against *a = app->p->against;

	return a && i < a->base.n ? a->base.path[i] : NULL;
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

	c->against = p->against ? p->against->base.v : NULL;
	c->nagainst = p->against ? p->against->base.n : 0;
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
	*app->p->new_run = '\0'; /* it is beside the other one */
	app->p->session = a->session;
	a->session = session;
	if (!app->p->session && a->swapped)
		app_session_open(app, false);
	other->against = a->swapped ? &a->of_base : a->base.v;
	other->nagainst = a->swapped ? 1 : a->base.n;
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
		forget_next(app);
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
