#include "config.h"
#include "core/overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/input/command.h"

#define KEYS_COLS 13
#define COMMAND_COLS 24
#define COLUMN_COLS 60

/* The keys and commands of a view and of all views, from their tables; the view's own are in a separate
 * column where there is room for two. */
struct help {
	struct overlay base;
	enum scope scope;
	const struct keymap *keymap;
	int top, rows, lines;
};

enum line_kind { LINE_NONE, LINE_HEAD, LINE_ACTION, LINE_COMMAND, LINE_CLASS, LINE_END };
struct line {
	enum line_kind kind;
	enum scope scope;
	int i;
}; /* index of the action, command or class */

/* Is this an action of all views whose keys do something else, or nothing, in this view? */
static bool is_other_here(const struct help *h, enum action a)
{
	struct key key;

	if (h->scope == SCOPE_ALL || action_info[a].scope != SCOPE_ALL)
		return false;
	if (a == ACT_LEFT || a == ACT_RIGHT)
		return h->scope == SCOPE_FINDINGS || h->scope == SCOPE_FILES;
	return !keymap_keys(h->keymap, a, h->scope, &key, 1) && keymap_keys(h->keymap, a, SCOPE_ALL, &key, 1);
}

/* The n-th line of a scope: heading, actions, commands and, for the timeline, the colors; a part that starts
 * with an empty line is left out if it is empty. */
static struct line line_in(const struct help *h, enum scope scope, int n)
{
	bool any = false;

	if (n-- == 0)
		return (struct line){ .kind = LINE_HEAD, .scope = scope };
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (action_info[a].scope == scope && !is_other_here(h, a) && n-- == 0)
			return (struct line){ .kind = LINE_ACTION, .i = a };
	for (int i = 0; i < DO_COUNT; i++) {
		if (command_info[i].scope != scope)
			continue;
		if (!any && n-- == 0)
			return (struct line){ .kind = LINE_NONE };
		any = true;
		if (n-- == 0)
			return (struct line){ .kind = LINE_COMMAND, .i = i };
	}
	if (scope != SCOPE_TIMELINE || n > CLASS_COUNT)
		return (struct line){ .kind = LINE_END };
	return n ? (struct line){ .kind = LINE_CLASS, .i = n - 1 } : (struct line){ .kind = LINE_NONE };
}

static int lines_of(const struct help *h, enum scope scope)
{
	int n = 1;

	while (line_in(h, scope, n).kind != LINE_END)
		n++;
	return n == 1 ? 0 : n;
}

/* Draws as many keys as fit their columns, more if the help text leaves room; returns where the help text
 * begins. */
static int draw_keys(const struct help *h, struct canvas *c, int y, int x, int end, enum action a)
{
	struct key keys[6];
	size_t n = keymap_keys(h->keymap, a, h->scope, keys, 6);
	char one[32];
	int at = x;

	for (size_t i = 0; i < n; i++) {
		int w = (int)strlen(key_show(keys[i], one, sizeof one));

		if (at + w >= x + KEYS_COLS && at + w + 2 > end)
			break;
		at += canvas_str(c, y, at, w, ROLE_BOLD, 0, one) + 1;
	}
	return at > x + KEYS_COLS ? at + 1 : x + KEYS_COLS;
}

static void draw_action(const struct help *h, struct canvas *c, int y, int x, int w, enum action a)
{
	const char *help = action_info[a].help;
	int at = draw_keys(h, c, y, x, x + w - utf8_cols(help, strlen(help)), a);

	canvas_str(c, y, at, x + w - at, ROLE_TEXT, 0, help);
}

static void draw_line(const struct help *h, struct canvas *c, int y, int x, int w, struct line l)
{
	switch (l.kind) {
	case LINE_HEAD:
		canvas_str(c, y, x, w, ROLE_HEAD, 0, scope_title[l.scope]);
		break;
	case LINE_ACTION:
		draw_action(h, c, y, x + 1, w - 1, (enum action)l.i);
		break;
	case LINE_COMMAND:
		canvas_fmt(c, y, x + 1, COMMAND_COLS - 1, ROLE_BOLD, 0, ":%s %s", command_info[l.i].name,
		    command_info[l.i].arg);
		canvas_str(c, y, x + 1 + COMMAND_COLS, w - 1 - COMMAND_COLS, ROLE_TEXT, 0,
		    command_info[l.i].help);
		break;
	case LINE_CLASS:
		canvas_fmt(c, y, x + 1, 3, (enum role)(ROLE_FILL_MATMUL + l.i), 0, " %c ",
		    class_info(l.i)->letter);
		canvas_str(c, y, x + 1 + KEYS_COLS, w - 1 - KEYS_COLS, ROLE_TEXT, 0, class_info(l.i)->name);
		break;
	default:
		break;
	}
}

static void help_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct help *h = (struct help *)o;
	int own = h->scope == SCOPE_ALL ? 0 : lines_of(h, h->scope), all = lines_of(h, SCOPE_ALL);
	bool two = own && area.w >= 2 * COLUMN_COLS;
	int gap = own ? 1 : 0;

	h->rows = area.h;
	h->lines = two ? (own > all ? own : all) : own + gap + all;
	if (h->top > h->lines - h->rows)
		h->top = h->lines - h->rows;
	if (h->top < 0)
		h->top = 0;
	for (int i = 0; i < area.h; i++) {
		int n = h->top + i, y = area.y + i;

		if (n < own)
			draw_line(h, c, y, area.x + 1, (two ? area.w / 2 : area.w) - 2,
			    line_in(h, h->scope, n));
		if (two && n < all)
			draw_line(h, c, y, area.x + area.w / 2 + 1, area.w / 2 - 2, line_in(h, SCOPE_ALL, n));
		else if (!two && n >= own + gap && n - own - gap < all)
			draw_line(h, c, y, area.x + 1, area.w - 2, line_in(h, SCOPE_ALL, n - own - gap));
	}
}

static unsigned help_act(struct overlay *o, enum action a, int count)
{
	struct help *h = (struct help *)o;
	int page = h->rows > 2 ? h->rows - 1 : 1;

	switch (a) {
	case ACT_CLOSE:
		return REACT_BACK;
	case ACT_UP:
		h->top -= count;
		break;
	case ACT_DOWN:
		h->top += count;
		break;
	case ACT_PAGE_UP:
		h->top -= count * page;
		break;
	case ACT_PAGE_DOWN:
		h->top += count * page;
		break;
	case ACT_TOP:
		h->top = 0;
		break;
	case ACT_BOTTOM:
		h->top = h->lines;
		break;
	default:
		return ACT_PASS;
	}
	return REACT_REDRAW; /* drawing limits `top` */
}

static void help_status(const struct overlay *o, char *buf, size_t size)
{
	const struct help *h = (const struct help *)o;
	int last = h->top + h->rows < h->lines ? h->top + h->rows : h->lines;

	if (h->lines > h->rows)
		snprintf(buf, size, "lines %d-%d of %d", h->top + 1, last, h->lines);
	else
		snprintf(buf, size, "every action is also a command: type : and its name");
}

static void help_close(struct overlay *o)
{
	free(o);
}

static const struct overlay_ops help_ops = {
	.scope = SCOPE_HELP,
	.draw = help_draw,
	.act = help_act,
	.status = help_status,
	.close = help_close,
};

struct overlay *overlay_help(enum scope of_view, const struct keymap *keymap)
{
	struct help *h = xcalloc(1, sizeof *h);

	h->base = (struct overlay){ .ops = &help_ops, .picked = -1 };
	h->scope = of_view;
	h->keymap = keymap;
	return &h->base;
}
