/* The tables of the chips, and where they and the card are. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/text/units.h"
#include "job/chips.h"
#include "widget/bar.h"
#include "widget/card.h"

/* Where the card is, by columns and rows. */
enum { BESIDE_COLS = 150, BESIDE_ROWS = 16, BESIDE = 56, BELOW_ROWS = 19, BELOW = 9, BELOW_MOST = 16 };
enum { LONGEST = 2000 /* rows of a full card */ };

struct chip_row {
	const struct chip *of;
	char process[80];
};

#define SCHEMA chip
#define SCHEMA_ROW struct chip_row
#define SCHEMA_DEF "job/chip.def"
#include "result/schema_def.h"

#define SCHEMA core
#define SCHEMA_ROW struct core_status
#define SCHEMA_DEF "job/core.def"
#include "result/schema_def.h"

static const struct schema chip_schema = { SCHEMA_COLUMNS(chip_columns),
	.view =
	    "device server hbm_percent| used total duty bandwidth idle queue -executions p50 p90 p95 p999 "
	    "process history" };
static const struct schema core_schema = { SCHEMA_COLUMNS(core_columns) };

static enum role chip_role(const void *ctx, size_t row, size_t column)
{
	const struct table *t = ctx;
	const char *id = t->columns[column].id;

	if (strcmp(id, "hbm_percent"))
		return ROLE_TEXT;
	return table_num(t, row, column) > 95 ? ROLE_BAD : ROLE_PROGRESS;
}

static void draw_past(const void *ctx, size_t row, struct canvas *c, struct rect r)
{
	const struct table *t = ctx;
	const struct watching *w = (const void *)((const char *)t -
	    offsetof(struct watching, table)); /* the sheet has one context */
	const struct chip_past *p = row < w->chips.n ? chips_past(w, &w->chips.v[row]) : NULL;
	size_t i = w->sheet.ncol - 1;
	int x = w->sheet.x[i], end = w->sheet.x[i + 1] - 2;

	if (p && end > x)
		past_line(&p->duty, w->moments, c, r.y, x, end - x, 100);
}

void chips_open_sheets(struct watching *w)
{
	sheet_open(&w->sheet, &chip_schema, NULL, NULL);
	sheet_open(&w->cores, &core_schema, NULL, NULL);
	w->sheet.ctx = &w->table;
	w->sheet.role = chip_role;
	w->sheet.mark = draw_past;
	w->drawn = SIZE_MAX;
}

void chips_close_sheets(struct watching *w)
{
	sheet_free(&w->sheet);
	sheet_free(&w->cores);
	table_free(&w->table);
	table_free(&w->core_table);
}

struct sheet *chips_sheet(struct watching *w)
{
	return w->on_cores ? &w->cores : &w->sheet;
}

/* Shows a table that was made anew, at the same rows. */
static void show_again(struct sheet *s, const struct table *t)
{
	size_t row = sheet_row(s), top = s->list.top;

	sheet_set(s, t);
	s->list.top = top;
	sheet_go(s, row);
}

static void take_news(struct watching *w)
{
	if (w->drawn == w->asked)
		return;
	w->drawn = w->asked;
	table_free(&w->table);
	table_begin(&w->table, &chip_schema);
	sheet_hide(&w->sheet, "process", !w->local.nowners);
	sheet_hide(&w->sheet, "server", w->servers.n < 2);
	sheet_hide(&w->cores, "server", w->servers.n < 2);
	for (size_t i = 0; i < w->chips.n; i++) {
		struct chip_row row = { .of = &w->chips.v[i] };

		chips_owner(w, row.of->device, row.process, sizeof row.process);
		table_add(&w->table, &row);
	}
	show_again(&w->sheet, &w->table);
	table_free(&w->core_table);
	table_begin(&w->core_table, &core_schema);
	for (size_t i = 0; i < w->ncores; i++)
		table_add(&w->core_table, &w->core[i]);
	show_again(&w->cores, &w->core_table);
}

/* Says which chips this machine has, where no server says what they do. */
static void describe_machine(const struct local_chips *l, char *buf, size_t size)
{
	if (l->n)
		snprintf(buf, size, "; this machine has %zu chip%s, %s", l->n, l->n == 1 ? "" : "s",
		    *l->type ? l->type : "of several kinds");
	else
		snprintf(buf, size, "; this machine has no TPU on its PCI bus");
	if (l->n && !l->nowners)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s",
		    l->hidden ? ", and who uses them is shown to root" : ", which no process uses");
}

/* Draws the news above everything else; returns the rest of the area. */
static struct rect draw_news(const struct watching *w, struct canvas *c, struct rect a)
{
	char text[900], from[20], to[20], machine[200] = "";
	struct tm tm;
	int rows;

	localtime_r(&w->lost, &tm);
	strftime(from, sizeof from, "%H:%M:%S", &tm);
	localtime_r(&w->since, &tm);
	strftime(to, sizeof to, "%H:%M:%S", &tm);
	if (w->looked)
		describe_machine(&w->local, machine, sizeof machine);
	if (!w->moments)
		snprintf(text, sizeof text, "asking %s", w->servers.address[0].text);
	else if (!w->answers)
		snprintf(text, sizeof text, "no answer since %s: %s%s; still trying", from, w->why, machine);
	else if (*w->why)
		snprintf(text, sizeof text, "%s", w->why);
	else if (w->lost)
		snprintf(text, sizeof text, "answering again since %s; no answers from %s until then", to,
		    from);
	else if (!w->chips.n)
		snprintf(text, sizeof text, "the server answers, but has no metrics of devices");
	else
		return a;
	rows = card_text(c, a, a.y, 0, w->answers || !w->moments ? ROLE_DIM : ROLE_WARN, text, strlen(text)) -
	    a.y;
	return (struct rect){ a.y + rows, a.x, a.h - rows, a.w };
}

static void draw_full(struct watching *w, struct canvas *c, struct rect a)
{
	struct rect old = canvas_clip(c, (struct rect){ 0 });
	bool wide = a.w >= 76;

	w->lines = chips_card(w, c, (struct rect){ 0, a.x, LONGEST, a.w }, wide);
	w->rows = a.h;
	w->scroll = w->scroll < w->lines - a.h ? w->scroll : w->lines > a.h ? w->lines - a.h : 0;
	canvas_clip(c, a);
	chips_card(w, c, (struct rect){ a.y - w->scroll, a.x, LONGEST, a.w }, wide);
	canvas_clip(c, old);
}

/* The table gets the rows that it needs; the card has what is left, at least some rows of a large screen. */
static void draw_both(struct watching *w, struct canvas *c, struct rect a)
{
	struct rect main = a, card = a, old;
	int left = a.h - 1 - (int)(w->chips.n < 1000 ? w->chips.n : 1000), rows = 0;

	if (a.w >= BESIDE_COLS && a.h >= BESIDE_ROWS) {
		main.w = a.w - BESIDE - 2;
		card = (struct rect){ a.y, a.x + a.w - BESIDE, a.h, BESIDE };
		canvas_vline(c, a.y, card.x - 1, a.h);
	} else {
		rows = left > BELOW ? left : a.h >= BELOW_ROWS ? BELOW : 0;
		rows = rows > BELOW_MOST && left < a.h / 2 ? BELOW_MOST : rows;
		main.h = a.h - rows;
		card = (struct rect){ a.y + main.h + 1, a.x, rows - 1, a.w };
		for (int x = a.x; x < a.x + a.w && rows > 0; x++)
			canvas_glyph(c, card.y - 1, x, GLYPH_HLINE, ROLE_LINE, 0);
	}
	sheet_draw(&w->sheet, c, main);
	if (card.h < 1 || !w->chips.n)
		return;
	old = canvas_clip(c, card);
	chips_card(w, c, card, card.w >= 76);
	canvas_clip(c, old);
}

void chips_draw(struct overlay *o, struct canvas *c, struct rect area)
{
	struct watching *w = (struct watching *)o;
	struct rect a;

	pthread_mutex_lock(&w->lock);
	take_news(w);
	a = draw_news(w, c, area);
	if (w->on_cores)
		sheet_draw(&w->cores, c, a);
	else if (w->full && w->chips.n)
		draw_full(w, c, a);
	else if (w->chips.n)
		draw_both(w, c, a);
	pthread_mutex_unlock(&w->lock);
}
