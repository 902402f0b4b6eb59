#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/input/prompt.h"
#include "job/internal.h"
#include "remote/profiler/request.h"
#include "widget/card.h"
#include "widget/list.h"

#define LONGEST_MS 86400000
#define LABEL 18
#define VALUE 34
#define ABOUT_LEAST 60 /* columns beside the fields; below them it stands in any case */

/* What can be changed before a capture.  A choice has its values as words; what each of them costs is said beside
 * it. */
enum { FIELD_TEXT, FIELD_NUMBER, FIELD_CHOICE, FIELD_FLAG };

static const struct field {
	const char *label;
	int kind;
	size_t at, size; /* in the options */
	const char *about[4];
} fields[] = {
#define IN(member) offsetof(struct capture_wish, member), sizeof((struct capture_wish *)NULL)->member
	{ "profiler servers", FIELD_TEXT, IN(servers), { "host:port of each worker, comma-separated" } },
	{ "duration ms", FIELD_NUMBER, IN(duration_ms),
	    { "several steps; a second is about 0.3 MB on a CPU" } },
	{ "save into", FIELD_TEXT, IN(logdir), { "a logdir; the run gets a folder of its own in it" } },
	{ "host tracer", FIELD_CHOICE, IN(host_level),
	    { "0: nothing of the host; no steps and no input pipeline then",
		"1: what the program marks: steps and its own annotations; costs next to nothing",
		"2: also costly calls of the runtime (usual)",
		"3: also cheap calls: large captures, and the host gets slower" } },
	{ "device tracer", FIELD_CHOICE, IN(device_level),
	    { "0: nothing on the chips", "1: all ops (usual)" } },
	{ "Python tracer", FIELD_CHOICE, IN(python_level),
	    { "0: no Python (usual)",
		"1: every call: slows the job, some 25 MB for each second, and collecting takes five times "
		"as long" } },
	{ "without programs", FIELD_FLAG, IN(no_hlo),
	    { "no: with their HLO, some 200 kB more", "yes: no memory view and no graph" } },
	{ "advanced", FIELD_TEXT, IN(advanced),
	    { "key=value,key=value: they depend on the server's version" } },
#undef IN
};
#define NFIELDS (sizeof fields / sizeof *fields)

struct dialog {
	struct overlay base;
	struct capture_wish *o;
	struct list list;
	struct prompt edit; /* of the field at the cursor, if it is text */
	struct history none;
	char why[700];
};

static void *member_of(const struct dialog *d, const struct field *f)
{
	return (char *)d->o + f->at;
}

static int level_of(const struct dialog *d, const struct field *f)
{
	return f->kind == FIELD_FLAG ? *(bool *)member_of(d, f) : *(int *)member_of(d, f);
}

static void value_text(const struct dialog *d, const struct field *f, char *buf, size_t size)
{
	if (f->kind == FIELD_TEXT)
		snprintf(buf, size, "%s", (const char *)member_of(d, f));
	else if (f->kind == FIELD_FLAG)
		snprintf(buf, size, "%s", level_of(d, f) ? "yes" : "no");
	else
		snprintf(buf, size, "%d", level_of(d, f));
}

static bool is_typed(const struct field *f)
{
	return f->kind == FIELD_TEXT || f->kind == FIELD_NUMBER;
}

/* The field at the cursor is edited where it stands. */
static void enter_field(struct dialog *d)
{
	char text[PROMPT_MAX + 1];

	value_text(d, &fields[d->list.at], text, sizeof text);
	prompt_open(&d->edit, ' ', &d->none);
	prompt_set(&d->edit, text);
}

static void leave_field(struct dialog *d)
{
	const struct field *f = &fields[d->list.at];

	if (f->kind == FIELD_TEXT)
		snprintf(member_of(d, f), f->size, "%s", d->edit.text);
	else if (f->kind == FIELD_NUMBER)
		*(int *)member_of(d, f) = strlen(d->edit.text) < 10 ? atoi(d->edit.text) : LONGEST_MS;
}

static const char *about_field(const struct dialog *d, const struct field *f)
{
	int level = is_typed(f) ? 0 : level_of(d, f);

	return level >= 0 && level < 4 && f->about[level] ? f->about[level] : "";
}

static void draw_field(const struct dialog *d, struct canvas *c, int y, size_t i, int w)
{
	const struct field *f = &fields[i];
	bool here = i == d->list.at;
	int x = 1 + LABEL, room = VALUE < w - x - 1 ? VALUE : w - x - 1;
	char text[PROMPT_MAX + 1];
	bool empty;

	if (here && is_typed(f))
		snprintf(text, sizeof text, "%s", d->edit.text);
	else
		value_text(d, f, text, sizeof text);
	empty = !*text && !here;
	if (empty)
		snprintf(text, sizeof text, "%s",
		    f->at == offsetof(struct capture_wish, advanced) ? "none" : "–");
	canvas_str(c, y, 1, LABEL - 1, ROLE_TEXT, 0, f->label);
	if (here)
		canvas_fill(c, (struct rect){ y, x, 1, room }, ' ', ROLE_SELECTED, 0);
	card_tail(c, y, x, room - 1, here ? ROLE_SELECTED : empty ? ROLE_DIM : ROLE_BOLD, text, strlen(text));
	if (here && is_typed(f)) {
		c->cursor_y = y;
		c->cursor_x =
		    x + (utf8_cols(text, strlen(text)) < room ? utf8_cols(text, d->edit.at) : room - 1);
	}
	if (w > x + room + ABOUT_LEAST)
		canvas_cut(c, y, x + room + 2, w - x - room - 3, ROLE_DIM, 0, about_field(d, f),
		    strlen(about_field(d, f)));
}

static void dialog_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct dialog *d = (struct dialog *)o;
	const char *about = about_field(d, &fields[d->list.at]);
	int y = area.y + 2;

	canvas_fill(c, area, ' ', ROLE_TEXT, 0);
	canvas_str(c, area.y, 1, area.w - 2, ROLE_HEAD, 0, "Capture a running job");
	list_fit(&d->list, area.h - 5);
	d->list.y = y;
	for (int i = 0; i < d->list.rows && d->list.top + (size_t)i < NFIELDS; i++, y++)
		draw_field(d, c, y, d->list.top + (size_t)i, area.w);
	y++;
	if (!*d->why || d->list.rows >= (int)NFIELDS) /* where room is short, what is wrong goes first */
		y = card_text(c, (struct rect){ y, 0, area.h, area.w }, y, 0, ROLE_TEXT, about,
		    strlen(about));
	if (*d->why)
		card_text(c, (struct rect){ y, 0, area.h, area.w }, y, 0, ROLE_BAD, d->why, strlen(d->why));
}

/* The next value of a choice, from either end to the other. */
static void turn_value(struct dialog *d, int by)
{
	const struct field *f = &fields[d->list.at];
	int n = 0, v = level_of(d, f);

	while (n < 4 && f->about[n])
		n++;
	v = (v + by + n) % n;
	if (f->kind == FIELD_FLAG)
		*(bool *)member_of(d, f) = v;
	else
		*(int *)member_of(d, f) = v;
}

/* Keys that change a field stay here; true: one of them. */
static bool dialog_key(struct overlay *o, struct key key, unsigned *react)
{
	struct dialog *d = (struct dialog *)o;
	const struct field *f = &fields[d->list.at];
	bool moves = key.code == K_UP || key.code == K_DOWN || key.code == K_TAB || key.code == K_ENTER ||
	    key.code == K_ESC;

	*react = REACT_REDRAW;
	if (moves || key.mods & ~MOD_CTRL)
		return false;
	*d->why = 0;
	if (is_typed(f)) {
		if (key.mods && (key.code == 'l' || key.code == 'z'))
			return false;
		if (f->kind != FIELD_NUMBER || key.mods || key.code > 126 ||
		    (key.code >= '0' && key.code <= '9'))
			prompt_key(&d->edit, key);
		d->edit.open = true; /* Backspace in an empty field does not end it */
		return true;
	}
	if (key.code == K_LEFT || key.code == K_RIGHT || key.code == ' ') {
		turn_value(d, key.code == K_LEFT ? -1 : 1);
		return true;
	}
	return !key.mods && key.code < 127; /* letters are no commands among fields */
}

/* Checks the options: says in `why` what is wrong, and moves the cursor there. */
static bool check_fields(struct dialog *d)
{
	const struct profile_options what = { .duration_ms = 1, .advanced = d->o->advanced };
	struct err err = { 0 };
	size_t bad = NFIELDS;

	if (!*d->o->servers)
		bad = 0;
	else if (d->o->duration_ms < 1 || d->o->duration_ms > LONGEST_MS)
		bad = 1;
	else if (!*d->o->logdir)
		bad = 2;
	else if (*d->o->advanced && request_check(&what, &err))
		bad = NFIELDS - 1;
	if (bad == NFIELDS)
		return true;
	snprintf(d->why, sizeof d->why, "%s: %s", fields[bad].label,
	    *err.msg       ? err.msg
		: bad == 0 ? "for example localhost:9012"
		: bad == 1 ? "from 1 to 86400000"
			   : "which folder? For example /tmp/log");
	d->list.at = bad;
	return false;
}

static unsigned dialog_act(struct overlay *o, enum action a, int count)
{
	struct dialog *d = (struct dialog *)o;

	if (a == ACT_DIALOG_CLOSE)
		return REACT_BACK;
	leave_field(d);
	if (a == ACT_DIALOG_BEGIN && check_fields(d)) {
		o->picked = 0;
		return REACT_BACK;
	}
	if (a == ACT_DIALOG_NEXT)
		d->list.at = (d->list.at + 1) % NFIELDS;
	else
		list_act(&d->list, a, count);
	enter_field(d);
	return REACT_REDRAW;
}

static unsigned dialog_press(struct overlay *o, int y, int x)
{
	struct dialog *d = (struct dialog *)o;
	int line = list_line_at(&d->list, y);

	(void)x;
	leave_field(d);
	if (line >= 0)
		d->list.at = (size_t)line;
	enter_field(d);
	return REACT_REDRAW;
}

static void dialog_status(const struct overlay *o, char *buf, size_t size)
{
	(void)o;
	snprintf(buf, size, "type to change, Left and Right choose");
}

static void dialog_close(struct overlay *o)
{
	history_free(&((struct dialog *)o)->none);
	free(o);
}

static const struct overlay_ops dialog_ops = {
	.scope = SCOPE_DIALOG,
	.draw = dialog_draw,
	.key = dialog_key,
	.act = dialog_act,
	.press = dialog_press,
	.status = dialog_status,
	.close = dialog_close,
};

struct overlay *overlay_dialog(struct capture_wish *options, void (*on_pick)(struct app *, int),
    struct err *err)
{
	struct dialog *d;

	if (!address_network()) {
		err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "this viewer was not started with --live; from a shell: tpuscope capture --addr %s "
		    "--logdir %s",
		    options->servers, *options->logdir ? options->logdir : "DIR");
		return NULL;
	}
	d = xcalloc(1, sizeof *d);
	d->base = (struct overlay){ .ops = &dialog_ops, .picked = -1, .on_pick = on_pick };
	d->o = options;
	d->list.n = NFIELDS;
	enter_field(d);
	return &d->base;
}
