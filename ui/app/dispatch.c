#include "config.h"
#include "app/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/now.h"
#include "core/jump.h"
#include "model/hlo.h"
#include "widget/sheet/sheet.h"

enum { COUNT_MAX = 999 };

enum scope app_scope(const struct app *app)
{
	if (app->p->overlay)
		return app->p->overlay->ops->scope;
	if (app->nviews)
		return app->views[app->current].ops->scope;
	return app_early_view(app) ? app_early_view(app)->ops->scope : SCOPE_ALL;
}

void app_resized(struct app *app)
{
	struct app_private *p = app->p;
	int rows, cols;

	p->term->ops->size(p->term, &rows, &cols);
	if (rows != p->canvas.rows || cols != p->canvas.cols)
		canvas_resize(&p->canvas, rows, cols);
	p->nhot = 0; /* until the next frame */
	app_layout(app);
}

static void prompt_event(struct app *app, enum prompt_event e)
{
	struct prompt *p = &app->p->prompt;

	if (e != PROMPT_NOTHING)
		app->p->dirty = true;
	if (e == PROMPT_COMPLETE)
		app_complete(app, p);
	else if (e == PROMPT_DONE && p->label == ':')
		app_command(app, p->text);
	else if (e == PROMPT_DONE && p->label == '/')
		app_search(app, p->text);
	else if (e == PROMPT_DONE && p->label == '&')
		app_filter(app, p->text);
	else if (e == PROMPT_DONE && app->p->ask_done && app_here(app)) {
		app->p->ask_done(app_here(app), p->text);
		app->p->working = true; /* the answer may have given the view more work */
	}
}

void app_ask(struct app *app, char label, const char *text, const char *hint, struct history *h,
    void (*done)(struct view *, const char *typed))
{
	struct prompt *p = &app->p->prompt;

	prompt_open(p, label, h);
	prompt_set(p, text);
	snprintf(p->hint, sizeof p->hint, "%s", hint);
	app->p->ask_done = done;
	app->p->dirty = true;
}

void app_overlay_open(struct app *app, struct overlay *o)
{
	o->under = app_screen(app) ? app->p->overlay : NULL;
	app->p->overlay = o;
	app->p->dirty = true;
}

struct overlay *app_screen(const struct app *app)
{
	struct overlay *o = app->p->overlay;

	while (o && !o->ops->title)
		o = o->under;
	return o;
}

void app_overlay_end(struct app *app)
{
	for (struct overlay *o = app->p->overlay, *under; o; o = under) {
		under = o->under;
		o->ops->close(o);
	}
	app->p->overlay = NULL;
	app->p->dirty = true;
}

static void close_overlay(struct app *app)
{
	struct overlay *o = app->p->overlay;
	int picked = o->picked;
	void (*on_pick)(struct app *, int) = o->on_pick;

	app->p->overlay = o->under;
	app->p->dirty = true;
	o->ops->close(o);
	if (picked >= 0 && on_pick) {
		on_pick(app, picked);
		app->p->working = true;
	}
	if (!app->p->overlay && !app->cap->dump && !app->p->loader) /* there is nothing below a screen */
		app->p->quit = true;
	app_typed(app);
}

void app_overlay_react(struct app *app, unsigned react)
{
	if (react & REACT_BACK)
		close_overlay(app);
	if (react & REACT_REDRAW)
		app->p->dirty = true;
}

/* Ctrl-C quits, but where a menu, a list or a search is open it ends that, as it does in prompts. */
static bool is_control_c(struct key key)
{
	return key.mods == MOD_CTRL && key.code == 'c';
}

static void overlay_key(struct app *app, struct key key)
{
	struct overlay *o = app->p->overlay;
	enum action a = keymap_action(&app->keymap, o->ops->scope, key);
	unsigned react = REACT_NONE;

	if (is_control_c(key) && !o->ops->title) {
		close_overlay(app);
		return;
	}
	if (!o->ops->key || !o->ops->key(o, key, &react)) {
		if (a == ACT_QUIT || a == ACT_REDRAW || a == ACT_SUSPEND ||
		    (o->ops->title && (a == ACT_HELP || a == ACT_COMMAND || a == ACT_CAPTURE_JOB))) {
			app_action(app, a, 1);
			return;
		}
		react = a ? o->ops->act(o, a, 1) : REACT_NONE;
	}
	app_overlay_react(app, react);
}

static void prompt_or_global(struct app *app, struct key key)
{
	if (key.mods == MOD_CTRL && (key.code == 'l' || key.code == 'z'))
		app_action(app, keymap_action(&app->keymap, SCOPE_ALL, key), 1);
	else
		prompt_event(app, prompt_key(&app->p->prompt, key));
}

/* Does what is there while the rest is loaded take the key? */
static bool early_key(struct app *app, struct key key)
{
	enum action a = keymap_action(&app->keymap, app_scope(app), key);

	if (app->p->prompt.open)
		prompt_or_global(app, key);
	else if (a == ACT_COMMAND && app->p->loader)
		app_action(app, a, 1);
	else
		return app_early_act(app, a);
	return true;
}

bool app_loading_act(struct app *app, enum action a)
{
	bool can = a == ACT_QUIT || a == ACT_REDRAW || a == ACT_SUSPEND || a == ACT_HELP;

	if (can)
		app_action(app, a, 1);
	return can;
}

/* Handles keys while loading: those that what is there already cannot take are kept until there is more, and all that
 * follow them.  Reload is ignored. */
static void loading_key(struct app *app, struct key key)
{
	struct app_private *p = app->p;
	enum action a = keymap_action(&app->keymap, app_scope(app), key);

	if (!p->ntyped && !p->command && early_key(app, key))
		return;
	if (key.code == K_ESC && p->loader) {
		loader_cancel(p->loader);
		p->dirty = true;
	} else if (a == ACT_BACK && key.code != K_ESC) {
		p->quit = true;
	} else if (!app_loading_act(app, a) && p->loader && a != ACT_RELOAD && p->ntyped < TYPED_MAX) {
		p->typed[p->ntyped++] = key;
	}
}

static void go_to_tab(struct app *app, int number)
{
	const char *id = app_tab_id(number);
	struct view *v = app_view(app, id);

	for (size_t i = 0; !v && i < app->nviews; i++) /* or the view that shares its tab */
		if (app->views[i].ops->of && !strcmp(app->views[i].ops->of, id))
			v = &app->views[i];
	if (v)
		app_switch(app, app_tab_leads(app, (size_t)(v - app->views)));
	else if (!*id)
		app_say(app, "no view on Alt-%d", number);
	else
		app_no_view(app, id);
}

size_t app_tab_of(struct app *app, size_t view)
{
	const char *of = app->views[view].ops->of;
	struct view *v = of ? app_view(app, of) : NULL;

	return v ? (size_t)(v - app->views) : view;
}

size_t app_tab_leads(struct app *app, size_t tab)
{
	if (app_tab_of(app, app->current) == tab)
		return tab;
	for (size_t i = 0; i < app->nviews; i++)
		if (app->views[i].left && app_tab_of(app, i) == tab)
			return i;
	return tab;
}

/* Along the tabs; pages that share the tab of a view are reached from that view. */
static void step_view(struct app *app, int by)
{
	size_t n = app->nviews, at = app_tab_of(app, app->current), step = by < 0 ? n - 1 : 1;

	for (int left = by < 0 ? -by : by; left; left--)
		do
			at = (at + step) % n;
		while (app_tab_of(app, at) != at);
	app_switch(app, app_tab_leads(app, at));
}

/* The run that was open before this one, at the position it was left at (session.c). */
static bool return_to_run(struct app *app)
{
	struct app_private *p = app->p;
	char *name;

	if (!p->nearlier || p->loader)
		return false;
	name = p->earlier[--p->nearlier];
	app_reload(app, name);
	free(name);
	return true;
}

/* The position left goes onto the other stack. */
void app_return(struct app *app, bool forward)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);
	size_t *from = forward ? &p->nahead : &p->nplaces, *to = forward ? &p->nplaces : &p->nahead;
	struct place place, *kept = forward ? p->places : p->ahead;

	if (v && !*from && !forward && (app_against_return(app) || return_to_run(app)))
		return;
	if (!*from || !v) {
		app_say(app,
		    forward ? "no later position to go forward to" : "no earlier position to go back to");
		return;
	}
	if (banner_here(app))
		banner_close(app);
	place = (forward ? p->ahead : p->places)[--*from];
	if (*to < PLACES_MAX)
		kept[(*to)++] =
		    (struct place){ app->current, v->ops->here ? v->ops->here(v) : (struct ref){ 0 } };
	app_switch(app, place.view);
	if (place.ref.kind != REF_NONE && app_here(app)->ops->show)
		app_here(app)->ops->show(app_here(app), &place.ref);
	p->working = p->dirty = true;
}

static void suspend(struct app *app)
{
	app->p->term->ops->suspend(app->p->term);
	app_resized(app);
}

/* false: that view cannot show it, and nothing has changed */
static bool goes_to(struct app *app, const char *id, const struct ref *ref)
{
	if (ref->kind == REF_NONE)
		return false;
	if (!app_go(app, id, ref))
		return true;
	app_return(app, false);
	app->p->nahead = 0;
	return false;
}

/* Is the selection of a program that no module is of? */
static bool lacks_module(const struct app *app, const struct ref *ref)
{
	const struct trace *t = &app->cap->dump->trace;
	int64_t id = (int64_t)ref->program;

	if (ref->kind == REF_EVENT && ref->track < t->ntracks && ref->event < t->tracks[ref->track].n)
		stat_meta_int(app->cap->dump, track_meta(&t->tracks[ref->track], ref->event), "program_id",
		    &id);
	return id && hlo_module_by_program(app->cap->dump, (uint64_t)id, NULL, 0) < 0;
}

const char *app_shows_in(enum action a)
{
	switch (a) {
	case ACT_SHOW_TIMELINE:
		return "timeline";
	case ACT_SHOW_OPS:
		return "ops";
	case ACT_SHOW_BUFFERS:
		return "memory";
	case ACT_SHOW_GRAPH:
		return "graph";
	case ACT_SHOW_LLO:
		return "llo";
	default:
		return NULL;
	}
}

static void show_account(struct app *app, const char *id)
{
	if (!app_view(app, id) || app_go(app, id, NULL))
		app_say(app, "no cores whose steps could be replayed are in this capture");
}

/* Shows the current selection, or what it is part of, in another view; changes nothing when that view cannot. */
static void show_elsewhere(struct app *app, const char *id)
{
	struct view *v = app_here(app), *to = app_view(app, id);
	struct ref ref = v->ops->here ? v->ops->here(v) : (struct ref){ 0 };
	struct ref around = to && to != v && v->ops->around ? v->ops->around(v) : (struct ref){ 0 };

	if (!to)
		app_no_view(app, id);
	else if (to == v)
		app_say(app, "already in %s", v->ops->title);
	else if (ref.kind == REF_NONE)
		app_say(app, "nothing is selected");
	else if (goes_to(app, id, &ref))
		return;
	else if (goes_to(app, id, &around))
		app_say(app, "%s runs it", around.text);
	else if (!strcmp(id, "ops") && (ref.kind == REF_STEP || ref.kind == REF_CORE) &&
	    !app_go(app, id, NULL))
		app_say(app, "ops of all steps and cores; K chooses a core");
	else if (!strcmp(id, "graph") && lacks_module(app, &ref))
		app_say(app, "%s", hlo_modules_missing(app->cap->dump));
	else
		app_say(app, "the selection is not in %s", to->ops->title);
}

/* Tells the user when the view has no use for an action, where silence would be confusing. */
static void say_unused(struct app *app, enum action a, const struct view *v)
{
	static const struct {
		enum action action;
		const char *text;
	} unused[] = {
		{ ACT_SORT_NEXT, "nothing to sort" },
		{ ACT_SORT_PREV, "nothing to sort" },
		{ ACT_SORT_REVERSE, "nothing to sort" },
		{ ACT_SORT_BY, "nothing to sort" },
		{ ACT_COLUMNS, "no columns to choose" },
	};

	for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
		if (unused[i].action == a)
			app_say(app, "%s: %s", v->ops->title, unused[i].text);
}

static void half_page(struct app *app, enum action way, int count)
{
	int rows = app_here(app) ? app_here(app)->area.h / 2 : 0;

	if (app_here(app))
		app_action(app, way, count * (rows > 0 ? rows : 1));
}

static void search_steps(struct app *app, int dir, int count)
{
	do
		app_search_step(app, dir);
	while (--count > 0 && app->p->pattern);
}

/* The keys, and what is on the screen: with a sheet, all its columns. */
static void open_help(struct app *app)
{
	struct help_note notes[SHEET_COLUMNS];
	struct overlay *screen = app->p->overlay;
	struct view *v = screen ? NULL : app_here(app);
	const struct sheet *s = v && v->opened ? app_sheet(v) : NULL;
	const struct schema *columns = v && !s ? v->ops->columns : NULL;
	size_t n = s                       ? sheet_meanings(s, notes)
	    : screen && screen->ops->notes ? screen->ops->notes(screen, notes, SHEET_COLUMNS)
					   : 0;

	for (size_t i = 0; columns && i < columns->n && n < SHEET_COLUMNS; i++)
		if (columns->columns[i].show != SHOW_LEVEL)
			notes[n++] =
			    (struct help_note){ columns->columns[i].label, columns->columns[i].meaning };

	app_overlay_open(app, overlay_help(app_scope(app), &app->keymap, notes, n));
}

static void quit(struct app *app)
{
	app->p->quit = true;
}

static void redraw(struct app *app)
{
	app->p->term->ops->redraw(app->p->term);
}

static void reload(struct app *app)
{
	app_reload(app, *app->p->new_run ? app->p->new_run : NULL);
}

static void count_again(struct app *app)
{
	app->p->counting = true;
	app->p->count = 0;
}

/* What actions do that depend on nothing else. */
static void (*const plain_actions[ACT_COUNT])(struct app *) = {
	[ACT_QUIT] = quit,
	[ACT_HELP] = open_help,
	[ACT_REDRAW] = redraw,
	[ACT_SUSPEND] = suspend,
	[ACT_VIEW_GO] = app_choose_view,
	[ACT_ACTIONS] = app_choose_action,
	[ACT_RUN] = app_choose_run,
	[ACT_CAPTURE_JOB] = app_capture_ask,
	[ACT_JOIN_RUNS] = app_join_runs,
	[ACT_HOST] = app_choose_host,
	[ACT_RELOAD] = reload,
	[ACT_REPEAT] = count_again,
	[ACT_MOUSE] = app_mouse_toggle,
	[ACT_COPY] = app_copy,
	[ACT_COPY_MORE] = app_copy_menu,
	[ACT_EXPORT] = app_export_ask,
	[ACT_EDIT] = app_edit,
};

/* Handles actions of the app itself; false: the action is for the view. */
static bool own_action(struct app *app, enum action a, int count)
{
	struct app_private *p = app->p;

	switch (a) {
	case ACT_VIEW_NEXT:
	case ACT_VIEW_PREV:
		step_view(app, a == ACT_VIEW_NEXT ? count : -count);
		break;
	case ACT_WATCH_JOB:
		app_monitor(app, "");
		break;
	case ACT_WATCH_CHIPS:
		app_chips(app, "");
		break;
	case ACT_RETURN:
	case ACT_FORWARD:
		app_return(app, a == ACT_FORWARD);
		break;
	case ACT_COMMAND:
		prompt_open(&p->prompt, ':', &p->commands);
		break;
	case ACT_FIND:
	case ACT_FILTER:
		prompt_open(&p->prompt, a == ACT_FIND ? '/' : '&', &p->patterns);
		break;
	case ACT_HALF_UP:
	case ACT_HALF_DOWN:
		half_page(app, a == ACT_HALF_UP ? ACT_UP : ACT_DOWN, count);
		break;
	case ACT_SHOW_TIMELINE:
	case ACT_SHOW_OPS:
	case ACT_SHOW_BUFFERS:
	case ACT_SHOW_GRAPH:
	case ACT_SHOW_LLO:
		show_elsewhere(app, app_shows_in(a));
		break;
	case ACT_SHOW_ACCOUNT:
	case ACT_SHOW_WHATIF:
		show_account(app, a == ACT_SHOW_ACCOUNT ? "account" : "whatif");
		break;
	case ACT_FIND_NEXT:
	case ACT_FIND_PREV:
		search_steps(app, a == ACT_FIND_NEXT ? 1 : -1, count);
		break;
	default:
		if (!plain_actions[a])
			return false;
		plain_actions[a](app);
	}
	p->dirty = true;
	return true;
}

/* On a slow line the selection should follow the key, whatever there is to say about what it passes. */
static void set_rest(struct app *app, enum action a)
{
	bool moves = a == ACT_UP || a == ACT_DOWN || a == ACT_LEFT || a == ACT_RIGHT || a == ACT_STEP_LEFT ||
	    a == ACT_STEP_RIGHT || a == ACT_WAIT_LEFT || a == ACT_WAIT_RIGHT;

	app->p->rest = moves ? now_ms() + REST_MS : 0;
}

/* What is done in a view that computes waits for it, and what comes after that, too, until the user goes elsewhere. */
static void wait_for_view(struct app *app, enum action a, int count)
{
	struct app_private *p = app->p;

	if (p->waiting_view != app->current)
		p->nwaiting = 0;
	p->waiting_view = app->current;
	if (p->nwaiting == TYPED_MAX)
		return;
	p->waiting[p->nwaiting].action = a;
	p->waiting[p->nwaiting++].count = count;
}

void app_waiting_due(struct app *app)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);
	size_t n = p->nwaiting;

	if (!n || (v && p->waiting_view == app->current && view_computes(v)))
		return;
	p->nwaiting = 0;
	for (size_t i = 0; i < n && v && app->current == p->waiting_view; i++)
		app_action(app, p->waiting[i].action, p->waiting[i].count);
}

void app_action(struct app *app, enum action a, int count)
{
	struct view *v = app_here(app);
	unsigned react;

	app_session_touch(app);
	set_rest(app, a);
	if (a == ACT_BACK && app_export_cancel(app)) {
		app_say(app, "not exported");
		return;
	}
	if (a == ACT_BACK && app_against_cancel(app))
		return;
	if (a == ACT_BACK && app->p->nwaiting) {
		app->p->nwaiting = 0;
		return;
	}
	if (own_action(app, a, count) || !v || (a == ACT_PROBLEM_NEXT && jump_next(app, false)))
		return;
	react = v->ops->act(v, a, count);
	if (react == REACT_LATER && view_computes(v))
		wait_for_view(app, a, count);
	else if (!(react & ACT_PASS))
		app_react(app, v, react);
	else if (a == ACT_BACK)
		app_back(app);
	else if (a != ACT_PROBLEM_NEXT)
		say_unused(app, a, v);
	else if (!jump_next(app, true))
		jump_none(app);
}

void app_flush(struct app *app)
{
	enum action a = app->p->pending;

	app->p->pending = ACT_NONE;
	if (a != ACT_NONE)
		app_action(app, a, app->p->pending_count);
}

/* Does the key belong to a count: a digit, or Esc, which cancels the count? */
static bool count_key(struct app *app, struct key key, enum action a)
{
	struct app_private *p = app->p;
	bool digit = !key.mods && key.code >= '0' && key.code <= '9';

	if (a == ACT_REPEAT && !p->counting) {
		app_flush(app);
		app_action(app, a, 1);
	} else if (!p->counting || (!digit && a != ACT_REPEAT && key.code != K_ESC)) {
		return false;
	}
	p->dirty = true;
	if (key.code == K_ESC)
		p->counting = false;
	else if (digit)
		p->count = p->count * 10 + (int)(key.code - '0');
	p->count = p->count > COUNT_MAX ? COUNT_MAX : p->count;
	return true;
}

/* Ends the count and returns it; 1 if none was typed. */
static int take_count(struct app_private *p)
{
	int count = p->counting && p->count > 0 ? p->count : 1;

	p->dirty |= p->counting;
	p->counting = false;
	return count;
}

/* Does what Esc does inside the view: closes a list or a card, drops the selection, ends the search. */
static bool ends_inner(struct app *app)
{
	struct view *v = app_here(app);
	unsigned react;

	if (app_export_cancel(app))
		return true;
	react = v->ops->act(v, ACT_BACK, 1);
	if (react & ACT_PASS)
		return app_search_end(app);
	app_react(app, v, react);
	return true;
}

static void say_unbound(struct app *app, struct key key)
{
	char find[32], help[32], name[32];

	keymap_key_text(&app->keymap, ACT_FIND, app_scope(app), find, sizeof find);
	keymap_key_text(&app->keymap, ACT_HELP, app_scope(app), help, sizeof help);
	app_say(app, "%s is not used here; %s searches, %s lists the keys", key_show(key, name, sizeof name),
	    find, help);
}

/* Keys without an action here: a number is that of a view. */
static void unbound_key(struct app *app, struct key key)
{
	bool digit = key.code >= '1' && key.code <= '9';

	app_flush(app);
	if (digit && (key.mods == MOD_ALT || !key.mods))
		go_to_tab(app, (int)(key.code - '0'));
	else
		say_unbound(app, key);
}

static void view_key(struct app *app, struct key key)
{
	struct app_private *p = app->p;
	enum action a = keymap_action(&app->keymap, app_scope(app), key);
	int count;

	if (count_key(app, key, a))
		return;
	count = take_count(p);
	if (key.code == K_ESC && now_ms() < p->esc_from)
		return;
	if (a == ACT_NONE) {
		unbound_key(app, key);
		return;
	}
	if (a == p->pending) {
		p->pending_count += count;
		return;
	}
	app_flush(app);
	if (a == ACT_QUIT && is_control_c(key) && ends_inner(app))
		return;
	if (action_info[a].flags & MERGED) {
		p->pending = a;
		p->pending_count = count;
	} else {
		app_action(app, a, count);
	}
}

/* One Esc too many is no wish to leave, nor is a key that pans the timeline and is pressed in another view (azerty:
 * q). */
bool app_back_stays(const struct app *app, struct key key)
{
	return key.code == K_ESC || keymap_action(&app->keymap, SCOPE_ALL, key) != ACT_BACK ||
	    keymap_action(&app->keymap, SCOPE_TIMELINE, key) != ACT_BACK;
}

/* Passes the key to the prompt, the overlay or the view. */
static void give_key(struct app *app, struct key key)
{
	struct app_private *p = app->p;

	p->stays = keymap_action(&app->keymap, app_scope(app), key) == ACT_BACK && app_back_stays(app, key);
	if (p->prompt.open)
		prompt_or_global(app, key);
	else if (p->overlay)
		overlay_key(app, key);
	else if (!app_here(app) || app_too_small(app))
		loading_key(app, key);
	else
		view_key(app, key);
}

/* Keys typed during a load do not clear messages: the user has not seen the message of the load yet. */
void app_typed(struct app *app)
{
	struct app_private *p = app->p;
	size_t n = p->ntyped;

	if (!app_here(app) || p->overlay)
		return;
	p->ntyped = 0;
	for (size_t i = 0; i < n && !p->quit; i++) { /* after a reload or with an overlay the rest waits */
		app->keys++;
		give_key(app, p->typed[i]);
	}
}

void app_typed_early(struct app *app)
{
	struct app_private *p = app->p;
	size_t n = 0;

	while (!p->command && n < p->ntyped && early_key(app, p->typed[n]))
		n++;
	p->ntyped -= n;
	memmove(p->typed, p->typed + n, p->ntyped * sizeof *p->typed);
}

void app_key(struct app *app, struct key key)
{
	struct app_private *p = app->p;

	if (p->quit)
		return;
	if (key.code == K_RESIZE) {
		app_flush(app);
		app_resized(app);
		return;
	}
	if (p->term->pasted && !p->prompt.open && app_scope(app) != SCOPE_DIALOG)
		return; /* pasted text is not a series of commands */
	app->keys++;
	p->rest = 0;
	if (key.code == K_MOUSE) {
		take_count(p);
		p->stays = false;
		app_mouse(app, &p->term->mouse);
		return;
	}
	if (*app->message && !p->prompt.open) { /* any key clears the message; Esc does only that */
		app->message[0] = 0;
		p->dirty = true;
		if (key.code == K_ESC)
			return;
	}
	give_key(app, key);
}
