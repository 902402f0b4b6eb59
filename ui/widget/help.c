#include "config.h"
#include "core/overlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/device/kinds.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/input/command.h"
#include "widget/card.h"

#define KEYS_COLS 13
#define COMMAND_COLS 24
#define COLUMN_COLS 60
#define NOTE_COLS 22
#define WORD_COLS 30
#define FIND_MAX 40

/* The keys and commands of a view and of all views, from their tables; the view's own are in a separate
 * column where there is room for two.  Above them is what the signs on the screen mean, below them the columns of its
 * table, and at the end the words of others for all that. */
struct help {
	struct overlay base;
	enum scope scope;
	const struct keymap *keymap;
	const struct glyphs *glyphs;
	int top, rows, cols, lines;
	char find[FIND_MAX + 1]; /* what is searched; "" = nothing yet */
	bool typing;             /* keys belong to it */
	char *whole;             /* what is searched; owned */
	int whole_cols;
	int found;               /* the line that has it, -1 = none */
	struct help_note *notes; /* owned; not their texts */
	size_t nnotes;
};

#define IN(scope) (1u << SCOPE_##scope)
#define TREES (IN(OPS) | IN(MEMORY) | IN(MEMPROF) | IN(SCOPES))
#define KINDS (IN(TIMELINE) | IN(POD) | IN(OVERVIEW) | IN(GRAPH)) /* that color kinds of time */
#define SHEETS \
	(IN(TABLE) | IN(INPUT) | IN(FILES) | IN(ROOFLINE) | IN(PTXLA) | IN(LLO) | IN(DIFF) | IN(ACCOUNT) | \
	    IN(WHATIF) | IN(KERNELS) | IN(COMMUNICATION) | IN(IDLE) | IN(TF_GRAPH) | IN(SQL) | TREES)

/* Signs, as the glyphs in use draw them, and what they say. */
static const struct {
	unsigned scopes;
	enum glyph glyph; /* GLYPH_COUNT: the text `sign` */
	const char *sign, *text;
	enum role role;
} signs[] = {
	{ IN(TIMELINE), GLYPH_FULL, NULL, "Height of a block: how much of the column's time is busy",
	    ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_BEGIN, NULL, "An event begins", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_BEGIN_MANY, NULL, "Several begin in one column", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_CONTAINER, NULL, "An event begins that contains others", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_CUT_LEFT, NULL, "It begins before the view", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_CUT_RIGHT, NULL, "It ends after the view", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_SHADE, NULL, "Not a search hit, or filtered out", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_HIT, NULL, "A row with a search hit", ROLE_BOLD },
	{ IN(TIMELINE), GLYPH_HIT_HERE, NULL, "The current hit", ROLE_BOLD },
	{ IN(TIMELINE) | TREES, GLYPH_OPEN, NULL, "Open: what it holds is below", ROLE_BOLD },
	{ IN(TIMELINE) | TREES, GLYPH_FOLDED, NULL, "Folded: Enter or Space opens it", ROLE_BOLD },
	{ IN(FINDINGS), GLYPH_COUNT, "!!", "High: fix this first", ROLE_BOLD },
	{ IN(FINDINGS), GLYPH_COUNT, "!", "Medium", ROLE_BOLD },
	{ IN(FINDINGS), GLYPH_BULLET, NULL, "Low", ROLE_BOLD },
	{ IN(POD), GLYPH_COUNT, "[ ]", "The core that is selected", ROLE_BOLD },
	{ IN(POD), GLYPH_COUNT, "heat", "A core's share of the step, on the scale below the cores",
	    ROLE_BOLD },
	{ IN(POD), GLYPH_COUNT, "waiting", "Time in collectives until the last core came", ROLE_BOLD },
	{ IN(POD), GLYPH_COUNT, "\xc3\x97 median", "Time of this core divided by the median of all cores",
	    ROLE_BOLD },
	{ IN(POD), GLYPH_COUNT, "z",
	    "Robust z: how far the core is from the median, in robust standard deviations", ROLE_BOLD },
	{ IN(OVERVIEW) | IN(INPUT), GLYPH_SORT_UP, NULL, "The step that is selected", ROLE_WARN },
	{ IN(INPUT), GLYPH_FULL, NULL, "Wait for input in a step, the mean of the cores", ROLE_BLOCK_IO },
	{ IN(INPUT), GLYPH_TEE_UP, NULL, "The core that waits least; above it the one that waits most",
	    ROLE_BOLD },
	{ IN(INPUT), GLYPH_DASH, NULL, "Limit above which a step is input bound", ROLE_BAD },
	{ IN(OPS), GLYPH_COUNT, "!!", "Less than 16 % of FLOPS and of HBM; a red bar", ROLE_BAD },
	{ IN(OPS), GLYPH_COUNT, "!", "Less than 36 % of both; a yellow bar", ROLE_WARN },
	{ IN(OPS), GLYPH_COUNT, ">100", "More than the peak: the peak, or the cost that XLA states, is wrong",
	    ROLE_BOLD },
	{ IN(OPS), GLYPH_COUNT, "HBM, left", "Share of the HBM traffic of all ops", ROLE_BOLD },
	{ IN(OPS), GLYPH_COUNT, "Framework",
	    "Framework op that it was compiled from; of a group, its number of ops", ROLE_BOLD },
	{ IN(MEMORY), GLYPH_SHADE, NULL, "Padding, on top of what lives", ROLE_BAD },
	{ IN(MEMORY), GLYPH_CURSOR_TOP, NULL, "The peak; below the chart the life of the selected buffer",
	    ROLE_BOLD },
	{ IN(ROOFLINE), GLYPH_HIT_HERE, NULL, "The program as a whole", ROLE_WARN },
	{ IN(ROOFLINE), GLYPH_COUNT, "[ ]", "The op that is selected", ROLE_BOLD },
	{ IN(ROOFLINE), GLYPH_CUT_LEFT, NULL, "Ops outside of the plot, in this direction", ROLE_BOLD },
	{ IN(GRAPH), GLYPH_COUNT, "12.3 %", "Share of the time of the program", ROLE_BOLD },
	{ IN(POD) | IN(TIMELINE), GLYPH_COUNT, "!", "The straggler", ROLE_BOLD },
	{ SHEETS, GLYPH_SORT_DOWN, NULL, "The table is sorted by this column, largest first", ROLE_BOLD },
	{ SHEETS, GLYPH_SORT_UP, NULL, "Sorted by this column, smallest first", ROLE_BOLD },
	{ SHEETS | IN(POD) | IN(OVERVIEW) | IN(FINDINGS), GLYPH_COUNT, "\xe2\x80\x93",
	    "The capture does not say; never zero", ROLE_BOLD },
	{ SHEETS, GLYPH_ELLIPSIS, NULL, "Cut: h and l scroll long names, Enter shows all", ROLE_BOLD },
};
#define NSIGNS (sizeof signs / sizeof *signs)

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

/* The n-th line of a scope: heading, actions, commands and the colors of kinds of time; a part that starts
 * with an empty line is left out if it is empty. */
static struct line line_in(const struct help *h, enum scope scope, int n)
{
	bool any = false;

	if (n-- == 0)
		return (struct line){ .kind = LINE_HEAD, .scope = scope };
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		if (keymap_has(h->keymap, scope, a) && !is_other_here(h, a) && n-- == 0)
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
	if (!(KINDS & 1u << scope) || n > CLASS_COUNT)
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
		if (i) /* in the look of the keys: changing it twice takes more bytes than they have */
			canvas_str(c, y, at - 1, 1, ROLE_BOLD, 0, " ");
		at += canvas_str(c, y, at, w, ROLE_BOLD, 0, one) + 1;
	}
	return at > x + KEYS_COLS ? at + 1 : x + KEYS_COLS;
}

static void draw_action(const struct help *h, struct canvas *c, int y, int x, int w, enum action a)
{
	const char *help = action_info[a].help;
	int at = draw_keys(h, c, y, x, x + w - utf8_cols(help, strlen(help)), a);

	card_start(c, y, at, x + w - at, ROLE_TEXT, 0, help);
}

static void draw_line(const struct help *h, struct canvas *c, int y, int x, int w, struct line l)
{
	char text[80];
	int at;

	switch (l.kind) {
	case LINE_HEAD:
		canvas_str(c, y, x, w, ROLE_HEAD, 0, scope_title[l.scope]);
		break;
	case LINE_ACTION:
		draw_action(h, c, y, x + 1, w - 1, (enum action)l.i);
		break;
	case LINE_COMMAND:
		snprintf(text, sizeof text, ":%s %s", command_info[l.i].name, command_info[l.i].arg);
		at = 1 + canvas_str(c, y, x + 1, w - 1, ROLE_BOLD, 0, text);
		at = at < COMMAND_COLS ? COMMAND_COLS : at;
		card_start(c, y, x + 1 + at, w - 1 - at, ROLE_TEXT, 0, command_info[l.i].help);
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

static int draw_sign(const struct help *h, struct canvas *c, struct rect r, int y, size_t i)
{
	enum role role = signs[i].role;

	if (!(signs[i].scopes & 1u << h->scope))
		return y;
	if (signs[i].glyph == GLYPH_COUNT)
		canvas_str(c, y, r.x + 1, KEYS_COLS, role, 0, signs[i].sign);
	else
		canvas_glyph(c, y, r.x + 1, signs[i].glyph, role, 0);
	return card_text(c, r, y, KEYS_COLS, ROLE_TEXT, signs[i].text, strlen(signs[i].text));
}

/* Draws the signs of this screen from row y on, which may be above the area; returns the row below. */
static int draw_signs(const struct help *h, struct canvas *c, struct rect area, int y)
{
	struct rect r = { area.y, area.x, area.h, area.w - 1 };
	int from = y + 1;

	for (size_t i = 0; i < NSIGNS; i++)
		from = draw_sign(h, c, r, from, i);
	if (from == y + 1)
		return y;
	canvas_str(c, y, r.x + 1, r.w - 2, ROLE_HEAD, 0, "On this screen");
	return from + 1;
}

/* Draws what the columns of its table mean. */
static int draw_notes(const struct help *h, struct canvas *c, struct rect area, int y)
{
	struct rect r = { area.y, area.x, area.h, area.w - 1 };
	int from = y + 2;

	if (!h->nnotes)
		return y;
	canvas_str(c, y + 1, r.x + 1, r.w - 2, ROLE_HEAD, 0, "Columns");
	for (size_t i = 0; i < h->nnotes; i++) {
		card_start(c, from, r.x + 2, NOTE_COLS - 3, ROLE_BOLD, 0, h->notes[i].label);
		from =
		    card_text(c, r, from, NOTE_COLS, ROLE_TEXT, h->notes[i].text, strlen(h->notes[i].text));
	}
	return from;
}

/* Words of the guides and of XProf, for who looks for one that is not ours. */
static const struct help_note glossary[] = {
#define WORD(word, text) { word, text },
#include "core/input/glossary.def"
#undef WORD
};

static int draw_glossary(struct canvas *c, struct rect area, int y)
{
	struct rect r = { area.y, area.x, area.h, area.w - 1 };
	int from = y + 2;

	canvas_str(c, y + 1, r.x + 1, r.w - 2, ROLE_HEAD, 0,
	    "Words of the guides and of XProf, and where it is here");
	for (size_t i = 0; i < sizeof glossary / sizeof *glossary; i++) {
		card_start(c, from, r.x + 2, WORD_COLS - 3, ROLE_BOLD, 0, glossary[i].label);
		from =
		    card_text(c, r, from, WORD_COLS, ROLE_TEXT, glossary[i].text, strlen(glossary[i].text));
	}
	return from;
}

static void draw_from_top(struct help *h, struct canvas *c, struct rect area)
{
	int keys, legend, notes, below = area.y + area.h,
				 own = h->scope == SCOPE_ALL ? 0 : lines_of(h, h->scope),
				 all = lines_of(h, SCOPE_ALL);
	bool two = own && area.w >= 2 * COLUMN_COLS;
	int gap = own ? 1 : 0;

	keys = two ? (own > all ? own : all) : own + gap + all;
	legend = draw_signs(h, c, area, below) - below; /* below the area: only their length */
	notes = draw_notes(h, c, area, below) - below;
	h->lines = legend + keys + notes + draw_glossary(c, area, below) - below;
	if (h->top > h->lines - area.h)
		h->top = h->lines - area.h;
	if (h->top < 0)
		h->top = 0;
	draw_signs(h, c, area, area.y - h->top);
	for (int i = 0; i < area.h; i++) {
		int n = h->top + i - legend, y = area.y + i;

		if (n < 0)
			continue;
		if (n < own)
			draw_line(h, c, y, area.x + 1, (two ? area.w / 2 : area.w) - 2,
			    line_in(h, h->scope, n));
		if (two && n < all)
			draw_line(h, c, y, area.x + area.w / 2 + 1, area.w / 2 - 2, line_in(h, SCOPE_ALL, n));
		else if (!two && n >= own + gap && n - own - gap < all)
			draw_line(h, c, y, area.x + 1, area.w - 2, line_in(h, SCOPE_ALL, n - own - gap));
	}
	draw_notes(h, c, area, area.y + legend + keys - h->top);
	draw_glossary(c, area, area.y + legend + keys + notes - h->top);
}

static void help_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct help *h = (struct help *)o;

	h->rows = area.h;
	h->cols = area.w;
	h->glyphs = c->glyphs;
	draw_from_top(h, c, area);
	if (h->found >= h->top && h->found < h->top + h->rows)
		canvas_attr(c, (struct rect){ area.y + h->found - h->top, area.x, 1, area.w }, ATTR_REVERSE);
}

/* --- searching --- */

/* The whole text as it is on a screen of its length: what is found is what can be read on one line.  Made once for a
 * width. */
static const char *whole_text(struct help *h)
{
	struct help all = *h;
	struct canvas c;
	size_t len;

	if (h->whole && h->whole_cols == h->cols)
		return h->whole;
	all.top = 0;
	canvas_init(&c, h->lines, h->cols, h->glyphs, true);
	draw_from_top(&all, &c, (struct rect){ 0, 0, h->lines, h->cols });
	free(h->whole);
	h->whole = canvas_dump(&c, 0, &len);
	h->whole_cols = h->cols;
	canvas_free(&c);
	return h->whole;
}

/* Does the line have each word of the text, in any order? */
static bool line_has(const char *line, const char *text)
{
	char word[FIND_MAX + 1];

	for (size_t n; *(text += strspn(text, " ")); text += n) {
		n = strcspn(text, " ");
		snprintf(word, sizeof word, "%.*s", (int)n, text);
		if (!strcasestr(line, word))
			return false;
	}
	return true;
}

/* Returns the first line from `from` on that has the text, or the last before it, as it stands or by its words; wraps
 * around; -1 = none. */
static int line_with(const char *text, const char *want, bool words, int from, int dir)
{
	int best = -1, wrapped = -1;
	const char *end;

	for (int i = 0; (end = strchr(text, '\n')); i++, text = end + 1) {
		char line[512];

		snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
		if (words ? !line_has(line, want) : !strcasestr(line, want))
			continue;
		if (dir > 0 ? i >= from && best < 0 : i <= from)
			best = i;
		if (dir < 0 || wrapped < 0)
			wrapped = i;
	}
	return best >= 0 ? best : wrapped;
}

static void find_line(struct help *h, int from, int dir)
{
	const char *text = whole_text(h);

	h->found = line_with(text, h->find, false, from, dir);
	if (h->found < 0)
		h->found = line_with(text, h->find, true, from, dir);
	if (h->found >= 0 && (h->found < h->top || h->found >= h->top + h->rows))
		h->top = h->found - h->rows / 3;
}

static bool help_key(struct overlay *o, struct key key, unsigned *react)
{
	struct help *h = (struct help *)o;

	*react = REACT_REDRAW;
	if (!h->glyphs) /* it was never drawn, because the terminal is too small */
		return false;
	if (h->typing && (key.code == K_ENTER || key.code == K_ESC)) {
		h->typing = false;
		if (key.code == K_ESC || !*h->find)
			h->found = -1;
	} else if (!h->typing && key.code == '/' && !key.mods) {
		h->typing = true;
		h->find[0] = '\0';
	} else if (h->typing && key_type(h->find, sizeof h->find, key)) {
		find_line(h, h->found >= 0 ? h->found : h->top, 1);
	} else if (!h->typing && *h->find && !key.mods && (key.code == 'n' || key.code == 'N')) {
		find_line(h, h->found + (key.code == 'n' ? 1 : -1), key.code == 'n' ? 1 : -1);
	} else {
		return false;
	}
	return true;
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

	if (h->typing || (*h->find && h->found < 0))
		snprintf(buf, size, "/%s%s%s", h->find, h->typing ? "_" : "",
		    *h->find && h->found < 0 ? "   not found" : "");
	else if (*h->find)
		snprintf(buf, size, "/%s   line %d of %d   n N: next, previous", h->find, h->found + 1,
		    h->lines);
	else if (h->lines > h->rows)
		snprintf(buf, size, "lines %d-%d of %d   / searches", h->top + 1, last, h->lines);
	else
		snprintf(buf, size, "every action is also a command: type : and its name");
}

static void help_close(struct overlay *o)
{
	free(((struct help *)o)->notes);
	free(((struct help *)o)->whole);
	free(o);
}

static const struct overlay_ops help_ops = {
	.scope = SCOPE_HELP,
	.draw = help_draw,
	.key = help_key,
	.act = help_act,
	.status = help_status,
	.close = help_close,
};

struct overlay *overlay_help(enum scope of_view, const struct keymap *keymap, const struct help_note *notes,
    size_t n)
{
	struct help *h = xcalloc(1, sizeof *h);

	h->base = (struct overlay){ .ops = &help_ops, .picked = -1 };
	h->scope = of_view;
	h->found = -1;
	h->keymap = keymap;
	h->notes = xcalloc(n + 1, sizeof *h->notes);
	for (size_t i = 0; i < n; i++)
		h->notes[i] = notes[i];
	h->nnotes = n;
	return &h->base;
}
