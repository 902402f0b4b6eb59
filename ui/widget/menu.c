#include "config.h"
#include "core/overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "widget/list.h"

enum { FILTER_MAX = 40 };

/* A list to choose from, drawn over the upper left corner of the view. */
struct menu {
	struct overlay base;
	char *title;
	struct menu_item *items;
	int n, width;
	struct list list; /* of the items below */
	int *shown;       /* those with the filter in their label or note; all of them without one */
	char filter[FILTER_MAX + 1];
	bool typing;     /* letters belong to the filter */
	struct rect box; /* as last drawn, with title and frame */
};

static const struct menu_item *item_at(const struct menu *m, size_t row)
{
	return &m->items[m->shown[row]];
}

/* Lists the items that have the filter in a text or word, and keeps the cursor on the same one if it is there. */
static void filter_items(struct menu *m)
{
	int at = m->list.n ? m->shown[m->list.at] : 0;
	size_t n = 0, here = 0;

	for (int i = 0; i < m->n; i++) {
		const struct menu_item *item = &m->items[i];

		if (!strcasestr(item->label, m->filter) && !strcasestr(item->note, m->filter) &&
		    !(item->word && strcasestr(item->word, m->filter)))
			continue;
		here = i == at ? n : here;
		m->shown[n++] = i;
	}
	m->list = (struct list){ .n = n, .at = here };
}

static void menu_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct menu *m = (struct menu *)o;
	int w = m->width + 2 < area.w ? m->width + 2 : area.w, h = m->n < area.h - 2 ? m->n : area.h - 2;
	struct rect box = { area.y, area.x, h + 2, w };

	m->box = box;
	canvas_fill(c, box, ' ', ROLE_TEXT, 0);
	if (m->typing)
		canvas_fmt(c, area.y, area.x + 1, w - 2, ROLE_HEAD, 0, "%s: %s_", m->title, m->filter);
	else
		canvas_str(c, area.y, area.x + 1, w - 2, ROLE_HEAD, 0, m->title);
	list_fit(&m->list, h);
	for (int i = 0; i < h && m->list.top + (size_t)i < m->list.n; i++) {
		const struct menu_item *item = item_at(m, m->list.top + (size_t)i);
		bool here = m->list.top + (size_t)i == m->list.at;
		int y = area.y + 1 + i;

		if (item->letter)
			canvas_put(c, y, area.x + 1, (unsigned char)item->letter, ROLE_BOLD, 0);
		canvas_cut(c, y, area.x + 3,
		    w - 5 - (*item->note ? 2 + utf8_cols(item->note, strlen(item->note)) : 0), ROLE_TEXT, 0,
		    item->label, strlen(item->label));
		if (*item->note)
			canvas_right(c, y, area.x + w - 2, ROLE_DIM, 0, item->note);
		if (here)
			canvas_role(c, (struct rect){ y, area.x, 1, w - 1 }, ROLE_SELECTED, 0);
	}
	canvas_vline(c, area.y, area.x + w - 1, h + 1);
	for (int x = 0; x < w; x++)
		canvas_glyph(c, area.y + h + 1, area.x + x, x == w - 1 ? GLYPH_TEE_UP : GLYPH_HLINE,
		    ROLE_LINE, 0);
}

/* The letters that move the cursor go on doing that until something else was typed. */
static bool begins_filter(const struct menu *m, struct key key)
{
	if (key.mods || key.code <= ' ' || key.code >= K_NONE)
		return false;
	if (key.code == '/')
		return true;
	for (int i = 0; i < m->n; i++)
		if (m->items[i].letter)
			return false;
	return key.code >= 0x7f || !strchr("jkgGq?:", (int)key.code);
}

static bool edit_filter(struct menu *m, struct key key)
{
	if (!key_type(m->filter, sizeof m->filter, key))
		return false;
	m->typing = m->filter[0];
	filter_items(m);
	return true;
}

static bool menu_key(struct overlay *o, struct key key, unsigned *react)
{
	struct menu *m = (struct menu *)o;
	bool begins = !m->typing && begins_filter(m, key);

	for (int i = 0; i < m->n && !m->typing; i++) {
		if (key.mods || !m->items[i].letter || key.code != (unsigned char)m->items[i].letter)
			continue;
		o->picked = i;
		*react = REACT_BACK;
		return true;
	}
	m->typing |= begins;
	*react = REACT_REDRAW;
	return m->typing && ((begins && key.code == '/') || edit_filter(m, key));
}

static unsigned menu_act(struct overlay *o, enum action a, int count)
{
	struct menu *m = (struct menu *)o;

	if (a == ACT_CHOOSE && !m->list.n)
		return REACT_NONE;
	if (a == ACT_CHOOSE)
		o->picked = m->shown[m->list.at];
	if (a == ACT_CHOOSE || a == ACT_DISMISS)
		return REACT_BACK;
	return list_act(&m->list, a, count) ? REACT_REDRAW : ACT_PASS;
}

/* A click on a line chooses it, a click outside closes the menu, a click on the frame does nothing. */
static unsigned menu_press(struct overlay *o, int y, int x)
{
	struct menu *m = (struct menu *)o;
	size_t line = m->list.top + (size_t)(y - m->box.y - 1);

	if (y < m->box.y || y >= m->box.y + m->box.h || x < m->box.x || x >= m->box.x + m->box.w)
		return REACT_BACK;
	if (y == m->box.y || y == m->box.y + m->box.h - 1 || x == m->box.x + m->box.w - 1 ||
	    line >= m->list.n)
		return REACT_NONE;
	o->picked = m->shown[line];
	return REACT_BACK;
}

static void menu_status(const struct overlay *o, char *buf, size_t size)
{
	const struct menu *m = (const struct menu *)o;

	if (!m->list.n)
		snprintf(buf, size, "none of %d %s has \"%s\"", m->n, m->title, m->filter);
	else
		snprintf(buf, size, "%zu of %zu %s", m->list.at + 1, m->list.n, m->title);
}

static void menu_close(struct overlay *o)
{
	struct menu *m = (struct menu *)o;

	for (int i = 0; i < m->n; i++) {
		free((char *)m->items[i].label);
		free((char *)m->items[i].note);
	}
	free(m->items);
	free(m->shown);
	free(m->title);
	free(m);
}

static const struct overlay_ops menu_ops = {
	.scope = SCOPE_MENU,
	.draw = menu_draw,
	.key = menu_key,
	.act = menu_act,
	.press = menu_press,
	.status = menu_status,
	.close = menu_close,
};

struct overlay *overlay_menu(const char *title, const struct menu_item *items, int n, int here,
    void (*on_pick)(struct app *, int))
{
	struct menu *m = xcalloc(1, sizeof *m);

	m->base = (struct overlay){ .ops = &menu_ops, .picked = -1, .on_pick = on_pick };
	m->title = xstrdup(title);
	m->items = xcalloc((size_t)n + 1, sizeof *items);
	m->n = n;
	m->width = utf8_cols(title, strlen(title)) + 2;
	for (int i = 0; i < n; i++) {
		int w = 6 + utf8_cols(items[i].label, strlen(items[i].label)) +
		    utf8_cols(items[i].note, strlen(items[i].note));

		m->items[i] = (struct menu_item){ items[i].letter, xstrdup(items[i].label),
			xstrdup(items[i].note), items[i].word };
		m->width = w > m->width ? w : m->width;
	}
	m->shown = xcalloc((size_t)n + 1, sizeof *m->shown);
	filter_items(m);
	m->list.at = here > 0 ? (size_t)here : 0;
	return &m->base;
}
