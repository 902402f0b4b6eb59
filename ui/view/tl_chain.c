#include "config.h"

#include "view/tl.h"

#include <stdio.h>
#include <string.h>

#include "analyze/links.h"
#include "base/units.h"
#include "base/utf8.h"

enum { MARKS = 64 };

/* --- arrows --- */

void tl_want_links(struct tl *t)
{
	if (t->links)
		return;
	links_build(t->dump, NULL);
	t->links = true;
}

static void end_text(const struct tl *t, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct strtab *str = &t->dump->str;
	const struct track *k = tl_track(t, track);
	strid name = t->dump->trace.metas[k->meta[event]].name, plane = t->dump->trace.planes[k->plane].name;
	bool device = t->dump->trace.planes[k->plane].kind != PLANE_HOST;
	strid where = device ? plane : k->name;
	const char *s = strtab_str(str, where);
	int len = (int)strtab_len(str, where), n = (int)strtab_len(str, name);

	if (device && len > 8 && !memcmp(s, "/device:", 8)) {
		s += 8;
		len -= 8;
	}
	snprintf(buf, size, "%.*s (%.*s)", n > 80 ? 80 : n, strtab_str(str, name), len > 40 ? 40 : len, s);
}

bool tl_flow_nth(struct tl *t, uint32_t track, size_t event, size_t nth, int *dir, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(t->dump, track, event, &out), m;
	const struct track *k = tl_track(t, track), *other;
	const struct edge *e;
	char name[160], lag[48];
	int64_t by;

	if (nth < n) {
		e = &out[nth];
		*dir = 1;
	} else {
		m = links_to(t->dump, track, event, in, MARKS);
		if (nth - n >= (m < MARKS ? m : MARKS))
			return false;
		e = &t->dump->trace.edges[in[nth - n]];
		*dir = -1;
	}
	other = tl_track(t, *dir > 0 ? e->dst_track : e->src_track);
	end_text(t, *dir > 0 ? e->dst_track : e->src_track, *dir > 0 ? e->dst : e->src, name, sizeof name);
	by = other->start[*dir > 0 ? e->dst : e->src] - k->start[event];
	snprintf(buf, size, "%s %s, %s%s", *dir > 0 ? "to" : "from", name, by >= 0 ? "+" : "",
	    units_time(lag, sizeof lag, by, tl_ascii(t)));
	return true;
}

void tl_flow_text(struct tl *t, uint32_t track, size_t event, char *buf, size_t size)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n = links_from(t->dump, track, event, &out), m = links_to(t->dump, track, event, in, MARKS);
	const struct edge *e = m ? &t->dump->trace.edges[in[0]] : NULL;
	bool ascii = tl_ascii(t);
	char name[160];

	*buf = '\0';
	if (n) {
		end_text(t, out->dst_track, out->dst, name, sizeof name);
		snprintf(buf, size, "%s %s", ascii ? "->" : "\xe2\x86\x92", name);
		if (n > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", n - 1);
	}
	if (e) {
		end_text(t, e->src_track, e->src, name, sizeof name);
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s %s", n ? "   " : "",
		    ascii ? "<-" : "\xe2\x86\x90", name);
		if (m > 1)
			snprintf(buf + strlen(buf), size - strlen(buf), ", %zu more", m - 1);
	}
}

/* One mark per row: where something arrives and leaves, what leaves. */
static void draw_mark(struct tl *t, struct canvas *cv, uint32_t track, bool leaves)
{
	struct rect plot = t->lay.plot;
	uint32_t node = track < t->rows.ntracks ? t->rows.node_of[track] : TL_NONE, sign;
	size_t place;

	if (node == TL_NONE)
		return;
	place = tl_rows_find(&t->rows, t->rows.v[node].id);
	for (int i = 0; i < plot.h; i++) {
		if (tl_place_at(t, i) != place)
			continue;
		sign = leaves ? '>' : '<';
		if (!tl_ascii(t))
			sign = leaves ? 0x2192 : 0x2190;
		canvas_put(cv, plot.y + i, plot.x + t->grid.w, sign, ROLE_MARK, ATTR_BOLD);
		return;
	}
}

void tl_draw_flow_marks(struct tl *t, struct canvas *cv)
{
	const struct edge *out;
	uint32_t in[MARKS];
	size_t n, m;

	if (!t->selected || !t->links || t->search.find || t->sel_event >= tl_track(t, t->sel_track)->n)
		return;
	m = links_to(t->dump, t->sel_track, t->sel_event, in, MARKS);
	for (size_t i = 0; i < m && i < MARKS; i++)
		draw_mark(t, cv, t->dump->trace.edges[in[i]].src_track, false);
	n = links_from(t->dump, t->sel_track, t->sel_event, &out);
	for (size_t i = 0; i < n && i < MARKS; i++)
		draw_mark(t, cv, out[i].dst_track, true);
}

/* --- the pane --- */

void tl_chain_forget(struct tl *t)
{
	if (t->chain.made)
		chain_free(&t->chain.chain);
	t->chain.made = false;
}

/* The step that a marker is; NULL. */
static const struct step *step_of(const struct tl *t, uint32_t track, size_t event)
{
	const struct steps *s = &t->view->app->steps;
	const struct track *k = tl_track(t, track);

	for (size_t i = 0; i < s->n; i++) {
		int64_t from, to;

		if (s->v[i].track == track && s->v[i].event <= event && event <= s->v[i].last)
			return &s->v[i];
		if (k->file >= 0 || s->v[i].plane != k->plane)		/* repeats of a module: a row of our own */
			continue;
		steps_span(&s->v[i], t->dump, &from, &to);
		if (from == k->start[event])
			return &s->v[i];
	}
	return NULL;
}

static bool subject(const struct tl *t, uint32_t *track, size_t *event)
{
	if (t->selected) {
		*track = t->sel_track;
		*event = t->sel_event;
		return true;
	}
	if (tl_event_here(t, event, track))
		return true;
	return false;
}

static void make(struct tl *t)
{
	struct tl_chain *c = &t->chain;
	uint32_t track;
	size_t event;

	if ((c->made && c->of_table) || !subject(t, &track, &event) || (c->made && c->track == track && c->event == event))
		return;
	tl_chain_forget(t);
	tl_want_links(t);
	c->track = track;
	c->event = event;
	c->step = step_of(t, track, event);
	c->cur = c->top = 0;
	if (c->step)
		chain_of_step(t->dump, c->step, tl_ascii(t), &c->chain);
	else
		chain_of_event(t->dump, track, event, tl_ascii(t), &c->chain);
	c->made = true;
}

/* From the table of steps: what bounds the step chosen there. */
static void make_for_step(struct tl *t)
{
	struct tl_chain *c = &t->chain;
	const struct step *s = t->steps.row[t->steps.cur].worst;

	tl_chain_forget(t);
	tl_want_links(t);
	t->steps.open = false;
	*c = (struct tl_chain){ .open = true, .made = true, .of_table = true, .step = s, .track = s->track,
		.event = s->event };
	chain_of_step(t->dump, s, tl_ascii(t), &c->chain);
	tl_keep_visible(t);
}

/* Without anything under the cursor: the next event of the row, so that the cursor may stand in the gap. */
unsigned tl_chain_toggle(struct tl *t)
{
	uint32_t track;
	size_t event;

	if (t->steps.open && t->steps.cur < t->steps.n) {
		make_for_step(t);
		return REACT_REDRAW;
	}
	if (t->chain.open) {
		t->chain.open = false;
	} else {
		if (t->chain.of_table)
			tl_chain_forget(t);
		t->chain.of_table = false;
		if (!subject(t, &track, &event) && t->cur < t->rows.nvis) {
			struct tl_source s = tl_source_of(tl_node_at(t, t->cur));
			size_t i = s.track == TL_NONE ? 0 : track_lower(tl_track(t, s.track), t->cursor);

			if (s.track != TL_NONE && i < tl_track(t, s.track)->n)
				tl_select(t, s.track, i);
		}
		if (!subject(t, &track, &event)) {
			app_message(t->view->app, false, "No event at the cursor or after it on this row");
			return REACT_REDRAW;
		}
		if (!t->selected)
			tl_select(t, track, event);
		t->chain.open = true;
		make(t);
	}
	tl_keep_visible(t);
	return REACT_REDRAW;
}

static unsigned follow(struct tl *t)
{
	const struct tl_chain *c = &t->chain;
	const struct chain_line *l = c->cur < c->chain.n ? &c->chain.v[c->cur] : NULL;

	if (!l || l->track == CHAIN_NONE || l->event >= tl_track(t, l->track)->n) {
		app_message(t->view->app, false, "This line speaks of no event");
		return REACT_REDRAW;
	}
	if (l->kind == CHAIN_GAP && l->to > l->from) {
		tl_grid_reveal(&t->grid, l->from, l->to);
		t->cursor = l->from;
		tl_keep_visible(t);
	} else if (!tl_goto_event(t, l->track, l->event)) {
		app_message(t->view->app, false, "That event is on a row that is not shown");
	}
	return REACT_REDRAW;
}

bool tl_chain_act(struct tl *t, enum action a, int count, unsigned *react)
{
	struct tl_chain *c = &t->chain;

	if (!c->open)
		return false;
	*react = REACT_REDRAW;
	switch (a) {
	case ACT_UP: c->cur = c->cur > (size_t)count ? c->cur - (size_t)count : 0; return true;
	case ACT_DOWN:
		c->cur += (size_t)count;
		if (c->cur + 1 > c->chain.n)
			c->cur = c->chain.n ? c->chain.n - 1 : 0;
		return true;
	case ACT_OPEN: *react = follow(t); return true;
	case ACT_BACK:
		c->open = false;
		tl_keep_visible(t);
		return true;
	default: return false;
	}
}

void tl_draw_chain(struct tl *t, struct canvas *cv, struct rect r)
{
	struct tl_chain *c = &t->chain;
	struct rect old = canvas_clip(cv, r);
	const struct track *k;
	size_t rows = r.h > 2 ? (size_t)r.h - 2 : 1;
	char left[160];
	strid name;

	make(t);
	if (!c->made) {
		tl_pane_title(t, cv, r, "what held it up", 15, "");
		canvas_clip(cv, old);
		return;
	}
	k = tl_track(t, c->track);
	name = c->event < k->n ? t->dump->trace.metas[k->meta[c->event]].name : 0;
	if (c->step)
		snprintf(left, sizeof left, "what bounds step %.40s", c->step->number);
	else
		snprintf(left, sizeof left, "what held up %.*s",
		    (int)(strtab_len(&t->dump->str, name) > 80 ? 80 : strtab_len(&t->dump->str, name)),
		    strtab_str(&t->dump->str, name));
	tl_pane_title(t, cv, r, left, strlen(left), "Enter: go there   Esc: close");
	if (c->cur < c->top)
		c->top = c->cur;
	if (c->cur >= c->top + rows)
		c->top = c->cur - rows + 1;
	for (size_t i = c->top; i < c->chain.n && i < c->top + rows; i++) {
		const struct chain_line *l = &c->chain.v[i];
		int y = r.y + 1 + (int)(i - c->top), x = r.x + 1 + 2 * l->level;
		enum role role = i == c->cur ? ROLE_SELECTED : ROLE_TEXT;

		if (i == c->cur)
			canvas_fill(cv, (struct rect){ y, r.x, 1, r.w - 1 }, ' ', role, 0);
		canvas_cut(cv, y, x, r.x + r.w - 1 - x, role, l->kind == CHAIN_GAP ? ATTR_BOLD : 0, l->text, strlen(l->text));
	}
	canvas_clip(cv, old);
}
