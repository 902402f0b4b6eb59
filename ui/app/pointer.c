#include "config.h"
#include "app/internal.h"

#include <string.h>

enum { WHEEL_LINES = 3 };

void app_hot(struct app *app, int y, int x, int end, int tab, enum action a)
{
	struct app_private *p = app->p;

	if (p->nhot < HOT_MAX)
		p->hot[p->nhot++] = (struct hot){ y, x, end, tab, a };
}

/* The key under the mouse in the key bar, as "w" or "s" of "w s zoom". */
static bool key_at(const struct canvas *c, int y, int x, struct key *key)
{
	const struct canvas_cell *row = c->cells + (size_t)y * (size_t)c->cols;
	bool alone = (x == 0 || row[x - 1].ch <= ' ') && (x + 1 >= c->cols || row[x + 1].ch <= ' ');

	if (row[x].role != ROLE_KEYBAR_KEY || row[x].ch <= ' ' || !alone)
		return false;
	*key = (struct key){ row[x].ch, 0 };
	return true;
}

/* Handles a click on the title, tabs or key bar; true when something was hit. */
static bool click_bars(struct app *app, const struct mouse *m)
{
	struct app_private *p = app->p;
	const struct canvas *c = &p->canvas;

	for (size_t i = 0; i < p->nhot; i++) {
		const struct hot h = p->hot[i];
		struct key key;

		if (m->y != h.y || m->x < h.x || m->x >= h.end)
			continue;
		if (h.tab >= 0) {
			if (p->overlay)
				return false;
			if ((size_t)h.tab < app->nviews)
				app_switch(app, app_tab_leads(app, (size_t)h.tab));
		} else if (key_at(c, m->y, m->x, &key) ||
		    keymap_keys(&app->keymap, h.action, app_scope(app), &key, 1)) {
			app_key(app, key);
		}
		return true;
	}
	return false;
}

static void turn_wheel(struct app *app, int dir)
{
	enum action a = dir < 0 ? ACT_UP : ACT_DOWN;
	struct overlay *o = app->p->overlay;

	if (!o)
		app_action(app, a, WHEEL_LINES);
	else
		app_overlay_react(app, o->ops->act(o, a, WHEEL_LINES));
}

static void hand_over(struct app *app, struct view *v, const struct mouse *m)
{
	unsigned react;

	app_session_touch(app);
	react = v->ops->mouse ? v->ops->mouse(v, m) : ACT_PASS;
	if (!(react & ACT_PASS))
		app_react(app, v, react);
	else if (m->kind == MOUSE_WHEEL)
		turn_wheel(app, m->dir);
}

void app_mouse(struct app *app, const struct mouse *m)
{
	struct app_private *p = app->p;
	struct view *v = app_here(app);
	struct rect a = v ? v->area : (struct rect){ 0 };
	bool inside = m->y >= a.y && m->y < a.y + a.h && m->x >= a.x && m->x < a.x + a.w;

	app_flush(app);
	if (!settings_on(&app->settings, SET_MOUSE) || p->prompt.open || app_too_small(app))
		return;
	if (m->kind == MOUSE_PRESS && *app->message) {
		app->message[0] = 0;
		p->dirty = true;
	}
	if (m->kind == MOUSE_PRESS && m->button == 1 && click_bars(app, m))
		return;
	if (p->overlay) {
		p->held = false;
		if (m->kind == MOUSE_WHEEL)
			turn_wheel(app, m->dir);
		else if (m->kind == MOUSE_PRESS && m->button == 1 && p->overlay->ops->press)
			app_overlay_react(app, p->overlay->ops->press(p->overlay, m->y, m->x));
		return;
	}
	if (!v || !v->opened || (m->kind == MOUSE_PRESS || m->kind == MOUSE_WHEEL ? !inside : !p->held))
		return;
	if (m->kind != MOUSE_WHEEL) /* a drag that began inside the view continues outside */
		p->held = m->kind != MOUSE_RELEASE;
	hand_over(app, v, m);
}

/* Tells the terminal which mouse events to report now. */
void app_mouse_mode(struct app *app)
{
	struct term *t = app->p->term;
	struct view *v = app_here(app);
	enum mouse_mode mode = MOUSE_OFF;
	struct err err;

	if (settings_on(&app->settings, SET_MOUSE))
		mode = v && v->opened && v->ops->drags && v->ops->drags(v) ? MOUSE_DRAGS : MOUSE_CLICKS;
	if (!t->ops->mouse || !t->ops->mouse(t, mode) || mode == MOUSE_OFF)
		return;
	settings_set(&app->settings, SET_MOUSE, "off", SET_BY_USER, &err);
	app_error(app, "this terminal sends no mouse events");
}

void set_mouse(struct app *app, const char *value)
{
	app_say(app,
	    strcmp(value, "on") ? "mouse off: the terminal selects text again"
				: "mouse on: click, wheel, drag; Shift-drag selects text; F12 turns it off");
}

void app_mouse_toggle(struct app *app)
{
	const char *value = settings_on(&app->settings, SET_MOUSE) ? "off" : "on";
	struct err err;

	settings_set(&app->settings, SET_MOUSE, value, SET_BY_USER, &err);
	set_mouse(app, value);
}
