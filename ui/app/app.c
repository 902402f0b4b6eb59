#include "config.h"
#include "core/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/findings/findings.h"
#include "analyze/memory/rank.h"
#include "analyze/ptxla/ptxla.h"
#include "analyze/triage/triage.h"
#include "app/internal.h"
#include "base/mem.h"
#include "base/now.h"
#include "base/text/units.h"
#include "base/text/words.h"
#include "core/results.h"
#include "load/follow.h"
#include "model/hlo.h"
#include "model/llo.h"
#include "result/tool_names.h"

static __attribute__((format(printf, 3, 0))) void message(struct app *app, bool error, const char *fmt,
    va_list ap)
{
	vsnprintf(app->message, sizeof app->message, fmt, ap);
	app->message_error = error;
	app->p->dirty = true;
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(app, false, fmt, ap);
	va_end(ap);
}

void app_error(struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(app, true, fmt, ap);
	va_end(ap);
}

/* The graph is of HLO alone, schedules of kernels of the compiler's dumps. */
void app_no_view(struct app *app, const char *id)
{
	const struct view_ops *ops = app_view_ops(id);
	const char *why = !strcmp(id, "graph") && app->cap->dump ? hlo_modules_missing(app->cap->dump)
	    : !strcmp(id, "llo")
	    ? "no LLO dump is open: name its folder beside the capture (man 7 tpuscope: LLO DUMPS)"
	    : NULL;

	if (why)
		app_error(app, "%s", why);
	else
		app_error(app, "this capture has no data for the %s view", ops ? ops->title : id);
}

const struct view_ops *app_view_ops(const char *id)
{
	id = tool_view(id);
	for (size_t i = 0; view_list[i]; i++)
		if (!strcmp(view_list[i]->id, id))
			return view_list[i];
	return NULL;
}

/* Checks the options that can be wrong without reading any file. */
int app_check_options(const struct app_options *o, struct err *err)
{
	char all[400] = "";

	if (look_check(o, err))
		return -1;
	if (o->place && !o->view)
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--place needs --view: it is a place in that view");
	if (!o->view || app_view_ops(o->view))
		return 0;
	for (size_t i = 0; view_list[i]; i++) {
		if (word_is_typo(o->view, strlen(o->view), view_list[i]->id))
			return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown view '%s'; did you mean %s?",
			    o->view, view_list[i]->id);
		words_add(all, sizeof all, ", ", view_list[i]->id);
	}
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "unknown view '%s'; views: %s", o->view, all);
}

void app_begin(struct app *app, const struct app_options *o, struct term *term, const struct theme *theme,
    const struct glyphs *glyphs)
{
	int rows, cols;

	*app = (struct app){ .opt = o,
		.settings = look_settings(o),
		.theme = theme,
		.glyphs = glyphs,
		.cap = capture_new(),
		.p = xcalloc(1, sizeof *app->p) };
	keymap_copy(&app->keymap, o->keymap);
	app->cap->scope.module = o->module;
	snprintf(app->cap->scope.topology, sizeof app->cap->scope.topology, "%s",
	    o->topology ? o->topology : "");
	app->p->term = term;
	app->p->load = o->load;
	app->p->err.at = ERR_NOWHERE;
	app->p->against_path = o->against ? xstrdup(o->against) : NULL;
	app->p->dirty = true;
	term->ops->size(term, &rows, &cols);
	canvas_init(&app->p->canvas, rows, cols, glyphs, theme->mono);
	app->p->canvas.theme = theme;
}

static void chosen_free(struct chosen *c)
{
	while (c->n)
		free(c->paths[--c->n]);
	free(c->paths);
	free(c->run);
	*c = (struct chosen){ 0 };
}

void app_close_views(struct app *app)
{
	jobs_close(app);
	results_close(app);
	app_search_end(app);
	app_export_cancel(app);
	for (size_t i = 0; i < app->nviews; i++) {
		struct view *v = &app->views[i];

		if (v->opened && v->ops->close)
			v->ops->close(v);
		free(v->state);
	}
	free(app->views);
	app->views = NULL;
	app->nviews = app->current = 0;
	app->p->nplaces = app->p->nahead = 0;
	app->p->banner.on = false;
	app->p->working = false;
}

void app_end(struct app *app)
{
	struct app_private *p = app->p;

	app_early_close(app);
	if (p->loader)
		loader_abandon(p->loader);
	app_close_views(app);
	app_overlay_end(app);
	follow_close(p->follow);
	capture_close(app->cap);
	capture_close(p->before);
	app_against_end(app);
	keymap_free(&app->keymap);
	canvas_free(&p->canvas);
	history_free(&p->commands);
	history_free(&p->patterns);
	history_free(&p->exports);
	free(p->command);
	app_session_close(app);
	chosen_free(&p->chosen);
	chosen_free(&p->chosen_before);
	kv_free(&p->carried);
	free(p->captured);
	for (size_t i = 0; i < p->nearlier; i++)
		free(p->earlier[i]);
	free(p);
	app->p = NULL;
}

bool app_too_small(const struct app *app)
{
	return app->p->canvas.rows < MIN_ROWS || app->p->canvas.cols < MIN_COLS;
}

struct view *app_here(struct app *app)
{
	return app->nviews ? &app->views[app->current] : NULL;
}

struct view *app_view(struct app *app, const char *id)
{
	id = tool_view(id);
	for (size_t i = 0; i < app->nviews; i++)
		if (!strcmp(app->views[i].ops->id, id))
			return &app->views[i];
	return NULL;
}

void app_layout(struct app *app)
{
	struct view *v = app_here(app);
	struct canvas *c = &app->p->canvas;

	app_early_layout(app);
	if (v && v->opened && !app_too_small(app)) {
		v->area = (struct rect){ 2 + banner_here(app), 0, c->rows - 4 - banner_here(app), c->cols };
		if (v->ops->resize)
			v->ops->resize(v, v->area.h, v->area.w);
		app->p->working = true;
	}
	app->p->dirty = true;
}

static int open_view(struct app *app, struct view *v)
{
	if (v->opened)
		return 0;
	v->state = xcalloc(1, v->ops->size ? v->ops->size : 1);
	if (v->ops->open(v)) {
		free(v->state);
		v->state = NULL;
		app_error(app, "%s cannot show this capture", v->ops->title);
		return -1;
	}
	v->opened = true;
	app_session_restore(app, v);
	return 0;
}

struct view *app_opened(struct app *app, const char *id)
{
	struct view *v = app_view(app, id);

	return v && !open_view(app, v) ? v : NULL;
}

void app_switch(struct app *app, size_t view)
{
	struct view *here = app_here(app);
	struct term *term = app->p->term;

	if (here && here->opened)
		app_session_touch(app);
	if (view >= app->nviews || open_view(app, &app->views[view]))
		return;
	app->current = view;
	for (size_t i = 0; i < app->nviews; i++)
		if (app_tab_of(app, i) == app_tab_of(app, view))
			app->views[i].left = i == view;
	if (term->ops->where)
		term->ops->where(term, app->views[view].ops->id);
	app_layout(app);
}

void app_remember(struct app *app, const struct ref *ref)
{
	struct app_private *p = app->p;

	if (p->nplaces == PLACES_MAX)
		memmove(p->places, p->places + 1, --p->nplaces * sizeof *p->places);
	p->places[p->nplaces++] = (struct place){ app->current, *ref };
	p->nahead = 0;
}

void app_remember_run(struct app *app)
{
	const struct dump *d = app->cap->dump;
	struct app_private *p = app->p;

	if (d->nruns < 2 || p->chosen.n)
		return;
	if (p->nearlier == RUNS_MAX) {
		free(p->earlier[0]);
		memmove(p->earlier, p->earlier + 1, --p->nearlier * sizeof *p->earlier);
	}
	p->earlier[p->nearlier++] = xstrdup(d->runs[d->run].name);
}

bool app_has_history(const struct app *app)
{
	return app_against_swapped(app) || app->p->nplaces || app->p->nearlier;
}

/* Pushes the current position, which Backspace returns to. */
static void push_place(struct app *app)
{
	struct view *v = app_here(app);
	struct ref ref = v->ops->here ? v->ops->here(v) : (struct ref){ 0 };

	app_remember(app, &ref);
}

int app_go(struct app *app, const char *id, const struct ref *ref)
{
	struct view *v = app_here(app) ? app_opened(app, id) : NULL;

	if (!v)
		return -1;
	push_place(app);
	app_switch(app, (size_t)(v - app->views));
	if (ref && (!v->ops->show || v->ops->show(v, ref)))
		return -1;
	app->p->working = app->p->dirty = true;
	return 0;
}

void app_react(struct app *app, struct view *v, unsigned react)
{
	app->p->working = true;
	if (react & REACT_RELAYOUT && v == app_here(app))
		app_layout(app);
	if (react & (REACT_REDRAW | REACT_RELAYOUT))
		app->p->dirty = true;
	if (react & REACT_BACK)
		app_back(app);
	if (react & REACT_QUIT)
		app->p->quit = true;
}

void app_back(struct app *app)
{
	char key[32];

	if (app_search_end(app))
		return;
	if (app_has_history(app))
		app_return(app, false);
	else if (banner_here(app))
		banner_close(app);
	else if (app->p->stays)
		app_say(app, "nothing to go back from; %s quits",
		    keymap_key_text(&app->keymap, ACT_QUIT, SCOPE_ALL, key, sizeof key));
	else
		app->p->quit = true;
}

void app_devices(struct app *app)
{
	static const struct {
		enum plane_kind kind;
		const char *name;
	} kinds[] = { { PLANE_TPU, "TPU" }, { PLANE_GPU, "GPU" } };
	char *out = app->p->title_devices, type[64];
	const struct trace *t = &app->cap->dump->trace;

	*out = 0;
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !*out; k++) {
		size_t n = 0;

		snprintf(type, sizeof type, "%s", kinds[k].name);
		for (size_t i = 0; i < t->nplanes; i++) {
			if (t->planes[i].kind != kinds[k].kind ||
			    (app->cap->scope.host >= 0 && t->planes[i].host != app->cap->scope.host))
				continue;
			if (!n++)
				stat_plane_str(app->cap->dump, (uint32_t)i, "device_type_string", type,
				    sizeof type);
		}
		if (n)
			snprintf(out, sizeof app->p->title_devices, "%zu %s", n, type);
	}
}

static void make_views(struct app *app)
{
	const struct trace *t = &app->cap->dump->trace;
	size_t n = 0;

	while (view_list[n])
		n++;
	app->views = xcalloc(n + 1, sizeof *app->views);
	for (size_t i = 0; i < n; i++)
		if (!view_list[i]->needs || (view_list[i]->needs & NEED_AGAINST && app->cap->nagainst) ||
		    (view_list[i]->needs == NEED_TRACE && (t->ntracks || t->ncounters)) ||
		    (view_list[i]->any && view_list[i]->any(app->cap->dump)))
			app->views[app->nviews++] =
			    (struct view){ .ops = view_list[i], .app = app, .cap = app->cap };
}

/* Offers to open a job that lies in several runs as a whole, or says which of the runs is open. */
static void tell_runs(struct app *app)
{
	size_t n = dump_more_runs(app->cap->dump);
	char key[32];

	if (n)
		app_say(app, "%zu more run%s seem%s to belong to the same job; %s opens all together", n,
		    n == 1 ? "" : "s", n == 1 ? "s" : "",
		    keymap_key_text(&app->keymap, ACT_JOIN_RUNS, SCOPE_ALL, key, sizeof key));
	else if (app->p->chosen.n > 1)
		app_say(app, "%zu runs are open together; %s opens one alone", app->p->chosen.n,
		    keymap_key_text(&app->keymap, ACT_JOIN_RUNS, SCOPE_ALL, key, sizeof key));
	else if (app->cap->dump->nruns > 1 && !app->cap->dump->run && !app->p->load.run &&
	    !app->p->chosen.run)
		app_say(app, "the newest of %zu runs is open; %s lists them", app->cap->dump->nruns,
		    keymap_key_text(&app->keymap, ACT_RUN, SCOPE_ALL, key, sizeof key));
}

/* Warns about partial or damaged data before the user trusts the numbers. */
static void tell_state(struct app *app)
{
	const struct dump *d = app->cap->dump;
	size_t partial = 0;
	char events[32], where[48] = "", files[64] = "";

	for (size_t i = 0; i < d->nfiles; i++)
		partial += d->files[i].partial;
	if (d->canceled) {
		app_say(app, "stopped: showing the %s events read so far (F5 loads everything)",
		    units_count(events, sizeof events, d->trace.events));
		return;
	}
	for (size_t i = 0; i < d->problems->n; i++) {
		const struct problem *p = &d->problems->v[i];

		if (p->level != PROBLEM_DAMAGE)
			continue;
		if (p->at != ERR_NOWHERE)
			snprintf(where, sizeof where, " at byte %llu", (unsigned long long)p->at);
		if (d->nfiles > 1)
			snprintf(files, sizeof files, " (%zu of %zu files)", partial, d->nfiles);
		app_error(app, "damaged%s: showing what could be read%s; v f for details", where, files);
		return;
	}
	tell_runs(app);
}

/* A dump of schedules starts with its kernels.  An error message opened together with the dump of its program starts
 * in the memory view; alone, and logs, in the view that shows what they say. */
static struct view *first_view(struct app *app)
{
	const struct dump *d = app->cap->dump;
	struct view *memory = app_view(app, "memory"), *triage = app_view(app, "triage");

	if (!d->trace.ntracks && llo_any(d))
		return app_view(app, "llo");
	if (d->trace.ntracks || !triage_has_texts(d))
		return app->views;
	if (memory && memory_any(d))
		return memory;
	return triage && !ptxla_any(d) ? triage : app->views;
}

static bool has_trace(const struct app *app)
{
	const struct trace *t = &app->cap->dump->trace;

	return t->ntracks || t->ncounters;
}

bool app_leave_empty(struct app *app)
{
	static const char *const ids[] = { "memory", "memory_profile", "ptxla", "graph", "tf_graph",
		"triage" };
	struct app_private *p = app->p;
	const struct findings *f;
	struct view *v = NULL;

	if (!p->may_leave)
		return false;
	f = app->keys == p->leave_keys ? result_get(app, RESULT_FINDINGS) : NULL;
	if (!f && app->keys == p->leave_keys)
		return false;
	p->may_leave = false;
	for (size_t i = 0; f && !f->n && i < sizeof ids / sizeof *ids && !v; i++)
		v = app_view(app, ids[i]);
	if (!v)
		return false;
	app_switch(app, (size_t)(v - app->views));
	if (!*app->message)
		app_say(app, "no findings; Alt-1 shows what was checked");
	return true;
}

void app_show_capture(struct app *app, struct capture *c, const char *view, const struct ref *ref)
{
	struct view *v;

	if (c != app->cap) {
		follow_close(app->p->follow);
		app->p->follow = follow_open(c->dump);
	}
	app->cap = c;
	make_views(app);
	app_session_begin(app);
	app_devices(app);
	v = app_view(app, view);
	app_switch(app, v ? (size_t)(v - app->views) : 0);
	if (v && ref->kind != REF_NONE && v->ops->show)
		v->ops->show(v, ref);
	app->p->pattern_view = app->nviews;
	app->p->working = app->p->dirty = true;
}

static void adopt_capture(struct app *app, struct capture *c, const char *view)
{
	struct view *v;

	c->scope = app->cap->scope;
	capture_close(app->cap);
	app->cap = c;
	follow_close(app->p->follow);
	app->p->follow = follow_open(app->cap->dump);
	if (app->cap->scope.host >= (int)app->cap->dump->nhosts)
		app->cap->scope.host = -1;
	app_against_given(app, c);
	make_views(app);
	tell_state(app);
	app_session_begin(app);
	app_devices(app);
	view = view ? view : app->p->carried.n ? "timeline" : app_session_view(app);
	v = view ? app_view(app, view) : first_view(app);
	if (!v && view && strcmp(view, "diff")) /* what is compared with comes later, or not again */
		app_no_view(app, view);
	app_switch(app, v ? (size_t)(v - app->views) : 0);
	app->p->may_leave = !view && v && !strcmp(v->ops->id, "findings") && !has_trace(app);
	app->p->leave_keys = app->keys;
}

void app_take(struct app *app, struct capture *c, const struct err *err)
{
	struct app_private *p = app->p;
	const char *view = *p->before_view ? p->before_view : app->opt->view;

	if (p->carried.n) { /* it was left for another place while it was read again */
		p->before_ref.kind = REF_NONE;
		view = app->opt->view;
	}

	if (!c && !p->before) {
		p->err = *err;
		p->status = -1;
		p->quit = true;
		return;
	}
	if (c) {
		chosen_free(&p->chosen_before);
		*p->new_run = '\0';
		capture_close(p->before);
		p->before = NULL;
		for (size_t i = 0; i < app->opt->nnotes; i++)
			problem_add(c->dump->problems, PROBLEM_NOTE, -1, ERR_NOWHERE, 1, "%s",
			    app->opt->notes[i]);
		adopt_capture(app, c, view);
		if (app->opt->nnotes && !*app->message)
			app_error(app, "%s%s",
			    app->opt->nnotes > 1 ? "first of several (v f lists all): " : "",
			    app->opt->notes[0]);
	} else {
		if (p->chose) {
			chosen_free(&p->chosen);
			p->chosen = p->chosen_before;
			p->chosen_before = (struct chosen){ 0 };
		}
		c = p->before;
		p->before = NULL;
		adopt_capture(app, c, view);
		app_error(app, "reload failed: %s", err->msg);
	}
	if (*p->term->note && !*app->message)
		app_say(app, "%s", p->term->note);
	*p->term->note = '\0';
	if (p->before_ref.kind != REF_NONE && app_here(app)->ops->show)
		app_here(app)->ops->show(app_here(app), &p->before_ref);
	p->pattern_view = strcmp(app_here(app)->ops->id, p->before_view) ? app->nviews : app->current;
	app_search_due(app);
	p->before_view[0] = 0;
	p->before_ref.kind = REF_NONE;
	p->chose = false;
}

struct app_options app_source(const struct app *app)
{
	const struct chosen *c = &app->p->chosen;
	struct app_options o = *app->opt;

	if (c->n) {
		o.sample = NULL;
		o.paths = (const char *const *)c->paths;
		o.npaths = c->n;
	}
	return o;
}

int app_load(struct app *app)
{
	struct app_private *p = app->p;
	struct app_options opt = app_source(app);
	struct load_options load = p->load;

	if (p->chosen.n)
		load.join = p->chosen.n > 1;
	if (p->chosen.n || p->chosen.run)
		load.run = p->chosen.run;
	if ((p->loader = loader_start(&opt, &load, &p->err)))
		return 0;
	p->status = -1;
	p->quit = true;
	return -1;
}

bool app_reads_stdin(const struct app *app)
{
	struct app_options o = app_source(app);

	for (size_t i = 0; !o.sample && i < o.npaths; i++)
		if (!strcmp(o.paths[i], "-"))
			return true;
	return false;
}

/* Files are those of the capture that was opened. */
static bool is_base(struct app *app)
{
	if (app_against_swapped(app))
		app_say(app, "this is the base of a comparison: go back to the other capture first");
	return app_against_swapped(app);
}

void app_reload(struct app *app, const char *run)
{
	struct chosen one = { .run = run ? xstrdup(run) : NULL };

	if (app_here(app))
		app_open_again(app, run ? &one : NULL);
	else
		chosen_free(&one);
}

/* Says why nothing can be read again now, where that is not plain. */
static bool cannot_open(struct app *app, const struct chosen *other)
{
	if (app->p->loader || is_base(app))
		return true;
	if ((other && other->n) || !app_reads_stdin(app))
		return false;
	app_error(app, "cannot reload: standard input can be read only once");
	return true;
}

/* Keeps the old capture in reserve: it comes back when the files cannot be read now. */
void app_open_again(struct app *app, struct chosen *other)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);
	bool same = !other;
	char *searched;

	if (cannot_open(app, other)) {
		if (other)
			chosen_free(other);
		return;
	}
	if (other) {
		p->chosen_before = p->chosen;
		p->chosen = *other;
		p->chose = true;
	}
	if (!v) { /* nothing was open but a screen */
		app_load(app);
		return;
	}
	snprintf(p->before_view, sizeof p->before_view, "%s", v->ops->id);
	/* indices change when files are reread, times do not; a session saves more than this */
	if (same && v->ops->here && !(p->session && v->ops->save)) {
		struct ref r = v->ops->here(v);

		p->before_ref = r.t1 > r.t0 ? (struct ref){ .kind = REF_TIME,
			.track = UINT32_MAX,
			.t0 = r.t0,
			.t1 = r.t1,
			.file = -1 }
					    : (struct ref){ 0 };
	}
	app_session_keep(app, same);
	results_forget(app);
	searched = app_search_text(app);
	app_close_views(app);
	p->search_wanted = searched;
	p->before = app->cap;
	app->cap = capture_new();
	app->cap->scope = p->before->scope;
	p->dirty = true;
	app_load(app);
}
