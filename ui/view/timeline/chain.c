#include "config.h"

#include "view/timeline/tl.h"

#include <stdio.h>
#include <string.h>

#include "base/text/utf8.h"

void tl_chain_forget(struct tl *t)
{
	if (t->chain.made)
		chain_free(&t->chain.chain);
	t->chain.made = t->chain.chosen = false;
}

/* The step that a marker is; NULL. */
static const struct step *step_of(const struct tl *t, uint32_t track, size_t event)
{
	const struct steps *s = &t->scene.view->app->steps;
	const struct track *k = scene_track(&t->scene, track);

	for (size_t i = 0; i < s->n; i++) {
		int64_t from, to;

		if (s->v[i].track == track && s->v[i].event <= event && event <= s->v[i].last)
			return &s->v[i];
		if (k->file >= 0 || s->v[i].plane != k->plane) /* repeats of a module: a row of our own */
			continue;
		steps_span(&s->v[i], t->scene.dump, &from, &to);
		if (from == k->start[event])
			return &s->v[i];
	}
	return NULL;
}

static bool subject(const struct tl *t, uint32_t *track, size_t *event)
{
	if (t->scene.cursor.selected) {
		*track = t->scene.cursor.track;
		*event = t->scene.cursor.event;
		return true;
	}
	if (cursor_event(&t->scene, event, track))
		return true;
	return false;
}

static char *moment(const void *sc, int64_t at, char *buf, size_t size)
{
	return scene_time_exact(sc, at, false, buf, size);
}

static void make(struct tl *t)
{
	const struct chain_words words = { scene_ascii(&t->scene), moment, &t->scene };
	struct tl_chain *c = &t->chain;
	uint32_t track;
	size_t event;

	if (!c->of_table && subject(t, &track, &event) &&
	    (!c->made || c->track != track || c->event != event)) {
		tl_chain_forget(t);
		c->track = track;
		c->event = event;
		c->step = step_of(t, track, event);
		c->cur = c->top = 0;
		c->chosen = true;
	}
	if (c->made && c->utc != scene_utc(&t->scene)) {
		chain_free(&c->chain);
		c->made = false;
	}
	if (c->made || !c->chosen || !flows_want(&t->flows))
		return;
	if (c->step)
		chain_of_step(t->scene.dump, c->step, &words, &c->chain);
	else
		chain_of_event(t->scene.dump, c->track, c->event, &words, &c->chain);
	c->made = true;
	c->utc = scene_utc(&t->scene);
}

/* From the table of steps: what bounds the step chosen there. */
static void make_for_step(struct tl *t)
{
	struct tl_chain *c = &t->chain;
	const struct step *s = t->steps.row[t->steps.cur].worst;

	tl_chain_forget(t);
	t->scene.open[PANE_STEPS] = false;
	t->scene.open[PANE_CHAIN] = true;
	*c = (struct tl_chain){ .chosen = true,
		.of_table = true,
		.step = s,
		.track = s->track,
		.event = s->event };
	make(t);
	scene_keep_visible(&t->scene);
}

/* Without anything under the cursor: the next event of the row, so that the cursor may stand in the gap. */
unsigned tl_chain_toggle(struct tl *t)
{
	uint32_t track;
	size_t event;

	if (t->scene.open[PANE_STEPS] && t->steps.cur < t->steps.n) {
		make_for_step(t);
		return REACT_REDRAW;
	}
	if (t->scene.open[PANE_CHAIN]) {
		t->scene.open[PANE_CHAIN] = false;
	} else {
		if (t->chain.of_table)
			tl_chain_forget(t);
		t->chain.of_table = false;
		if (!subject(t, &track, &event) && t->scene.cursor.row < t->scene.rows.nvis) {
			struct rows_source s = rows_source(scene_node(&t->scene, t->scene.cursor.row));
			size_t i = s.track == ROWS_NONE
			    ? 0
			    : track_lower(scene_track(&t->scene, s.track), t->scene.cursor.at);

			if (s.track != ROWS_NONE && i < scene_track(&t->scene, s.track)->n)
				cursor_select(&t->scene, s.track, i);
		}
		if (!subject(t, &track, &event)) {
			app_message(t->scene.view->app, false,
			    "No event at the cursor or after it on this row");
			return REACT_REDRAW;
		}
		if (!t->scene.cursor.selected)
			cursor_select(&t->scene, track, event);
		t->scene.open[PANE_CHAIN] = true;
		make(t);
	}
	scene_keep_visible(&t->scene);
	return REACT_REDRAW;
}

static unsigned follow(struct tl *t)
{
	const struct tl_chain *c = &t->chain;
	const struct chain_line *l = c->cur < c->chain.n ? &c->chain.v[c->cur] : NULL;

	if (!l || l->track == CHAIN_NONE || l->event >= scene_track(&t->scene, l->track)->n) {
		app_message(t->scene.view->app, false, "This line speaks of no event");
		return REACT_REDRAW;
	}
	if (l->kind == CHAIN_GAP && l->to > l->from) {
		scene_enter(&t->scene, scene_track(&t->scene, l->track)->plane);
		cursor_go(&t->scene, l->from, l->to);
	} else if (!cursor_go_to_event(&t->scene, l->track, l->event)) {
		app_message(t->scene.view->app, false, "That event is on a row that is not shown");
	}
	return REACT_REDRAW;
}

bool tl_chain_act(struct tl *t, enum action a, int count, unsigned *react)
{
	struct tl_chain *c = &t->chain;

	if (!t->scene.open[PANE_CHAIN])
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
		*react = follow(t);
		return true;
	case ACT_BACK:
		t->scene.open[PANE_CHAIN] = false;
		t->scene.open[PANE_STEPS] = c->of_table;
		scene_keep_visible(&t->scene);
		return true;
	default:
		return false;
	}
}

/* Bytes of a line that its first row holds: up to a blank, when there is one in its second half. */
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

/* Rows that the lines from … to take. */
static int rows_of(const struct tl_chain *c, size_t from, size_t to, int w)
{
	int rows = 0;

	for (size_t i = from; i <= to && i < c->chain.n; i++) {
		const struct chain_line *l = &c->chain.v[i];
		size_t len = strlen(l->text);

		rows += first_row(l->text, len, w - text_x(l)) < len ? 2 : 1;
	}
	return rows;
}

/* On two rows when it is long; the middle of the second one goes when that is not enough.  Rows taken. */
static int draw_line(struct canvas *cv, struct rect r, const struct chain_line *l, bool here)
{
	size_t len = strlen(l->text), first = first_row(l->text, len, r.w - text_x(l));
	enum role role = here ? ROLE_SELECTED : ROLE_TEXT;
	unsigned attr = l->kind == CHAIN_GAP ? ATTR_BOLD : 0;
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

void tl_chain_title(const struct tl *t, char *buf, size_t size)
{
	const struct tl_chain *c = &t->chain;
	const struct track *k = scene_track(&t->scene, c->track);
	strid name = c->event < k->n ? t->scene.dump->trace.metas[k->meta[c->event]].name : 0;
	char step[128] = "";

	if (c->step)
		scene_step_title(&t->scene, c->step, step, sizeof step);
	if (*step)
		snprintf(buf, size, "what bounds %s", step);
	else
		snprintf(buf, size, "what held up %.*s",
		    (int)(strtab_len(&t->scene.dump->str, name) > 80 ? 80
								     : strtab_len(&t->scene.dump->str, name)),
		    strtab_str(&t->scene.dump->str, name));
}

void tl_draw_chain(struct tl *t, struct canvas *cv, struct rect r)
{
	struct tl_chain *c = &t->chain;
	struct rect old = canvas_clip(cv, r);
	int y = r.y + 1, end = y + (r.h > 2 ? r.h - 2 : 1);
	char left[160];

	make(t);
	if (!c->made) {
		const char *wait = c->chosen ? "what held it up: finding arrows first" : "what held it up";

		scene_pane_title(&t->scene, cv, r, wait, strlen(wait), "");
		canvas_clip(cv, old);
		return;
	}
	tl_chain_title(t, left, sizeof left);
	scene_pane_title(&t->scene, cv, r, left, strlen(left), "Enter: go there   Esc: close");
	if (c->cur < c->top)
		c->top = c->cur;
	while (c->top < c->cur && rows_of(c, c->top, c->cur, r.w - 1) > end - y)
		c->top++;
	for (size_t i = c->top; i < c->chain.n && y < end; i++)
		y += draw_line(cv, (struct rect){ y, r.x, end - y, r.w - 1 }, &c->chain.v[i], i == c->cur);
	canvas_clip(cv, old);
}
