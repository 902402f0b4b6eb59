#include "config.h"

#include "view/timeline/detail/cause.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

void cause_forget(struct cause *c)
{
	if (c->made)
		chain_free(&c->chain);
	c->made = c->chosen = false;
}

/* The step of a marker event; NULL = not a step. */
static const struct step *step_of(const struct scene *sc, uint32_t track, size_t event)
{
	const struct steps *s = &sc->view->cap->steps;
	const struct track *k = scene_track(sc, track);

	for (size_t i = 0; i < s->n; i++) {
		int64_t from, to;

		if (s->v[i].track == track && s->v[i].event <= event && event <= s->v[i].last)
			return &s->v[i];
		if (k->file >= 0 || s->v[i].plane != k->plane) /* the row was made from runs of a module */
			continue;
		steps_span(&s->v[i], sc->cap->dump, &from, &to);
		if (from == track_start(k, event))
			return &s->v[i];
	}
	return NULL;
}

static bool event_in_question(const struct scene *sc, uint32_t *track, size_t *event)
{
	if (sc->cursor.selected) {
		*track = sc->cursor.track;
		*event = sc->cursor.event;
		return true;
	}
	if (cursor_event(sc, event, track))
		return true;
	return false;
}

static char *moment_of(const void *sc, int64_t at, char *buf, size_t size)
{
	return scene_time_exact(sc, at, buf, size);
}

static void make_chain(struct cause *c)
{
	const struct chain_words words = { scene_ascii(c->sc), moment_of, c->sc };
	uint32_t track;
	size_t event;

	if (!c->of_table && event_in_question(c->sc, &track, &event) &&
	    (!c->made || c->track != track || c->event != event)) {
		cause_forget(c);
		c->track = track;
		c->event = event;
		c->step = step_of(c->sc, track, event);
		c->cur = c->top = 0;
		c->chosen = true;
	}
	if (c->made && c->utc != scene_utc(c->sc)) {
		chain_free(&c->chain);
		c->made = false;
	}
	if (c->made || !c->chosen || !flows_want(c->flows))
		return;
	if (c->step)
		chain_of_step(c->sc->cap->dump, c->step, &words, &c->chain);
	else
		chain_of_event(c->sc->cap->dump, c->track, c->event, &words, &c->chain);
	c->made = true;
	c->utc = scene_utc(c->sc);
}

unsigned cause_of_step(struct cause *c, const struct step *s)
{
	cause_forget(c);
	c->sc->open[PANE_STEPS] = false;
	c->sc->open[PANE_CHAIN] = true;
	*c = (struct cause){ .sc = c->sc,
		.flows = c->flows,
		.marks = c->marks,
		.chosen = true,
		.of_table = true,
		.step = s,
		.track = s->track,
		.event = s->event };
	make_chain(c);
	scene_keep_visible(c->sc);
	return REACT_REDRAW;
}

/* Uses the event at the cursor or, when the cursor is in a gap, the next event of the row. */
unsigned cause_toggle(struct cause *c)
{
	uint32_t track;
	size_t event;

	if (c->sc->open[PANE_CHAIN]) {
		c->sc->open[PANE_CHAIN] = false;
	} else {
		if (c->of_table)
			cause_forget(c);
		c->of_table = false;
		if (!event_in_question(c->sc, &track, &event) && c->sc->cursor.row < c->sc->rows.nvis) {
			struct rows_source s = rows_source(scene_node(c->sc, c->sc->cursor.row));
			size_t i = s.track == ROWS_NONE
			    ? 0
			    : track_lower(scene_track(c->sc, s.track), c->sc->cursor.at);

			if (s.track != ROWS_NONE && i < scene_track(c->sc, s.track)->n)
				cursor_select(c->sc, s.track, i);
		}
		if (!event_in_question(c->sc, &track, &event)) {
			app_say(c->sc->view->app, "no event at the cursor or after it on this row");
			return REACT_REDRAW;
		}
		if (!c->sc->cursor.selected)
			cursor_select(c->sc, track, event);
		c->sc->open[PANE_CHAIN] = true;
		make_chain(c);
	}
	scene_keep_visible(c->sc);
	return REACT_REDRAW;
}

static unsigned go_to_line(struct cause *c)
{
	const struct chain_line *l = c->cur < c->chain.n ? &c->chain.v[c->cur] : NULL;

	if (!l || l->track == CHAIN_NONE || l->event >= scene_track(c->sc, l->track)->n) {
		app_say(c->sc->view->app, "no event on this line");
		return REACT_REDRAW;
	}
	if (l->kind == CHAIN_GAP && l->to > l->from) {
		scene_enter(c->sc, scene_track(c->sc, l->track)->plane);
		cursor_go(c->sc, l->from, l->to);
		marks_gap(c->marks, l->from, l->to);
	} else if (!cursor_go_to_event(c->sc, l->track, l->event)) {
		app_say(c->sc->view->app, "that event is on a hidden row");
	}
	return REACT_REDRAW;
}

bool cause_act(struct cause *c, enum action a, int count, unsigned *react)
{
	if (!c->sc->open[PANE_CHAIN])
		return false;
	*react = REACT_REDRAW;
	switch (a) {
	case ACT_UP:
		c->cur = c->cur > (size_t)count ? c->cur - (size_t)count : 0;
		return true;
	case ACT_DOWN:
		c->cur += (size_t)count;
		if (c->cur + 1 > c->chain.n)
			c->cur = c->chain.n ? c->chain.n - 1 : 0;
		return true;
	case ACT_OPEN:
		*react = go_to_line(c);
		return true;
	case ACT_BACK:
		c->sc->open[PANE_CHAIN] = false;
		c->sc->open[PANE_STEPS] = c->of_table;
		scene_keep_visible(c->sc);
		return true;
	default:
		return false;
	}
}

/* Bytes of a line that fit on its first row, cut at a space if there is one in the second half. */
static size_t first_row(const char *text, size_t len, int cols)
{
	size_t fits = utf8_fit(text, len, cols > 0 ? cols : 0), at = fits;

	if (fits == len)
		return len;
	while (at > fits / 2 && text[at] != ' ')
		at--;
	return at > fits / 2 ? at : fits;
}

static int text_x(const struct chain_line *l)
{
	return 1 + 2 * l->level;
}

/* Rows taken by the lines from … to. */
static int rows_of(const struct cause *c, size_t from, size_t to, int w)
{
	int rows = 0;

	for (size_t i = from; i <= to && i < c->chain.n; i++) {
		const struct chain_line *l = &c->chain.v[i];
		size_t len = strlen(l->text);

		rows += first_row(l->text, len, w - text_x(l)) < len ? 2 : 1;
	}
	return rows;
}

/* Draws a long line on two rows, cutting the middle of the second one if needed.  Returns the rows used. */
static int draw_line(struct canvas *cv, struct rect r, const struct chain_line *l, bool here)
{
	size_t len = strlen(l->text), first = first_row(l->text, len, r.w - text_x(l));
	enum role role = here ? ROLE_SELECTED : ROLE_TEXT;
	unsigned attr = l->kind == CHAIN_GAP || (l->kind == CHAIN_MEETING && !l->level) ? ATTR_BOLD : 0;
	int x = r.x + text_x(l), rows = first < len && r.h > 1 ? 2 : 1;

	if (here)
		canvas_fill(cv, (struct rect){ r.y, r.x, rows, r.w }, ' ', role, 0);
	if (rows == 1) {
		canvas_cut(cv, r.y, x, r.x + r.w - x, role, attr, l->text, len);
		return 1;
	}
	canvas_text(cv, r.y, x, r.x + r.w - x, role, attr, l->text, first);
	first += l->text[first] == ' ';
	canvas_cut(cv, r.y + 1, x + 2, r.x + r.w - x - 2, role, attr, l->text + first, len - first);
	return 2;
}

static void cause_title(const struct cause *c, char *buf, size_t size)
{
	const struct track *k = scene_track(c->sc, c->track);
	strid name = c->event < k->n ? c->sc->cap->dump->trace.metas[track_meta(k, c->event)].name : 0;
	char step[128] = "";

	if (c->step)
		scene_step_title(c->sc, c->step, step, sizeof step);
	if (*step)
		snprintf(buf, size, "what bounds %s", step);
	else
		snprintf(buf, size, "what held up %.*s",
		    (int)(strtab_len(&c->sc->cap->dump->str, name) > 80
			    ? 80
			    : strtab_len(&c->sc->cap->dump->str, name)),
		    strtab_str(&c->sc->cap->dump->str, name));
}

void cause_draw(struct cause *c, struct canvas *cv, struct rect r)
{
	struct rect old = canvas_clip(cv, r);
	int y = r.y + 1, end = y + (r.h > 2 ? r.h - 2 : 1);
	char left[160];

	make_chain(c);
	if (!c->made) {
		const char *wait = c->chosen ? "what held it up: finding flows first" : "what held it up";

		scene_pane_title(c->sc, cv, r, wait, strlen(wait), "");
		canvas_clip(cv, old);
		return;
	}
	cause_title(c, left, sizeof left);
	scene_pane_title(c->sc, cv, r, left, strlen(left), "Enter: go there   Esc: close");
	if (c->cur < c->top)
		c->top = c->cur;
	while (c->top < c->cur && rows_of(c, c->top, c->cur, r.w - 1) > end - y)
		c->top++;
	for (size_t i = c->top; i < c->chain.n && y < end; i++)
		y += draw_line(cv, (struct rect){ y, r.x, end - y, r.w - 1 }, &c->chain.v[i], i == c->cur);
	canvas_clip(cv, old);
}

/* Copies all lines, indented as in the pane. */
int cause_copy(const struct cause *c, FILE *f)
{
	char title[160];

	if (!c->made || !c->chain.n)
		return -1;
	cause_title(c, title, sizeof title);
	fprintf(f, "%s\n", title);
	for (size_t i = 0; i < c->chain.n; i++)
		fprintf(f, "%*s%s\n", 2 * c->chain.v[i].level, "", c->chain.v[i].text);
	return 0;
}
