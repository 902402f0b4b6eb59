#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"
#include "widget/text.h"

enum { BLOCK = 60, BAR = 12, LINES_BELOW = 3, SENTENCE = 400, ALL_WORDS = 100 };

struct table_place {
	struct rect r;
	int columns, width, rows;
	bool by_host;
	size_t *order, n;
	enum time_unit unit;
};

static const struct plane *plane_of(const struct lineup *l, size_t core)
{
	return &l->sc->cap->dump->trace.planes[l->core[core].plane];
}

static void core_name(const struct lineup *l, size_t core, bool host, char *buf, size_t size)
{
	const struct plane *p = plane_of(l, core);
	size_t len = 0;
	const char *name = p->host >= 0 ? scene_host_name(l->sc, p->host, &len) : "";
	char sub[24] = "";

	if (p->sub > 0)
		snprintf(sub, sizeof sub, " sparse %d", p->sub);
	if (host && p->host >= 0)
		snprintf(buf, size, "%.*s TPU:%d%s", (int)(len < 60 ? len : 60), name, p->core, sub);
	else
		snprintf(buf, size, "TPU:%d%s", p->core, sub);
}

static int slowest_first(const void *pa, const void *pb, void *lineup)
{
	const struct lineup *l = lineup;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	int64_t x = l->core[a].own, y = l->core[b].own;

	return x != y ? (x > y ? -1 : 1) : (a > b) - (a < b);
}

static void draw_heads(const struct lineup *l, struct canvas *cv, const struct table_place *p, int x,
    const char *head, size_t len)
{
	char text[40];

	canvas_cut(cv, p->r.y, x, 14, ROLE_TEXT, ATTR_UNDERLINE, head, len);
	snprintf(text, sizeof text, "own work %s", unit_name(p->unit, scene_ascii(l->sc)));
	canvas_right(cv, p->r.y, x + 27, ROLE_TEXT, ATTR_UNDERLINE, text);
	snprintf(text, sizeof text, "collective %s", unit_name(p->unit, scene_ascii(l->sc)));
	canvas_right(cv, p->r.y, x + 49, ROLE_TEXT, ATTR_UNDERLINE, text);
	canvas_right(cv, p->r.y, x + 58, ROLE_TEXT, ATTR_UNDERLINE,
	    scene_ascii(l->sc) ? "x median" : "\xc3\x97 median");
}

static void draw_core(const struct lineup *l, struct canvas *cv, const struct table_place *p, int y, int x,
    size_t core)
{
	const struct lineup_core *c = &l->core[core];
	bool here =
	    l->sc->cursor.row < l->sc->rows.nvis && scene_node(l->sc, l->sc->cursor.row)->plane == c->plane;
	unsigned attr = here || (l->straggler && core == l->slowest) ? ATTR_BOLD : 0;
	int64_t most = l->core[l->slowest].own;
	int bar = most > 0 ? (int)((double)(BAR - 3) * (double)c->own / (double)most + 0.5) : 0;
	char text[120];

	if (here)
		canvas_put(cv, y, x, '>', ROLE_MARK, ATTR_BOLD);
	core_name(l, core, !p->by_host, text, sizeof text);
	canvas_cut(cv, y, x + 2, p->by_host ? 14 : 17, ROLE_TEXT, attr, text, strlen(text));
	canvas_right(cv, y, x + 27, ROLE_TEXT, attr,
	    units_time_cell(text, sizeof text, c->own, p->unit, scene_ascii(l->sc)));
	for (int i = 0; i < bar; i++)
		canvas_put(cv, y, x + 28 + i, cv->mono ? '=' : ' ', cv->mono ? ROLE_TEXT : ROLE_FILL_MATMUL,
		    0);
	canvas_right(cv, y, x + 49, ROLE_TEXT, attr,
	    units_time_cell(text, sizeof text, c->collective, p->unit, scene_ascii(l->sc)));
	snprintf(text, sizeof text, "%.2f", c->ratio);
	canvas_right(cv, y, x + 58, ROLE_TEXT, attr, text);
}

/* A column per host if that fits; else the cores from the slowest on, as many as fit. */
static void arrange_columns(const struct lineup *l, struct table_place *p)
{
	size_t hosts = 0, most = 0, run = 0;

	p->order = xcalloc(l->n + 1, sizeof *p->order);
	for (size_t i = 0; i < l->n; i++) {
		bool new = !i || plane_of(l, i)->host != plane_of(l, i - 1)->host;

		p->order[i] = i;
		hosts += new;
		run = new ? 1 : run + 1;
		most = run > most ? run : most;
	}
	p->n = l->n;
	p->by_host = hosts <= (size_t)p->columns && most <= (size_t)p->rows;
	if (!p->by_host)
		qsort_r(p->order, p->n, sizeof *p->order, slowest_first, (void *)l);
}

static void draw_cores(const struct lineup *l, struct canvas *cv, struct rect r)
{
	struct table_place p = { .r = r, .columns = r.w / BLOCK > 0 ? r.w / BLOCK : 1, .rows = r.h - 1 };
	int column = -1, row = 0;
	int64_t most = l->n ? l->core[l->slowest].own : 0;

	p.unit = unit_for(most);
	arrange_columns(l, &p);
	for (size_t i = 0; i < p.n && p.rows > 0; i++) {
		const struct plane *plane = plane_of(l, p.order[i]);
		bool new = p.by_host ? !i || plane->host != plane_of(l, p.order[i - 1])->host
				     : !(i % (size_t)p.rows);
		struct slice name = dump_host_short(l->sc->cap->dump, plane->host);

		if (new) {
			column++;
			row = 0;
			if (column >= p.columns)
				break;
			draw_heads(l, cv, &p, r.x + 1 + column * BLOCK,
			    p.by_host && plane->host >= 0 ? name.s : "slowest first",
			    p.by_host && plane->host >= 0 ? name.n : 13);
		}
		draw_core(l, cv, &p, r.y + 1 + row++, r.x + column * BLOCK, p.order[i]);
	}
	free(p.order);
}

/* Explains the numbers: which core is slow, and what it costs the others. */
static void make_sentences(const struct lineup *a, char say[2][SENTENCE])
{
	const struct lineup_core *c = &a->core[a->slowest];
	char name[120], own[40], median[40], theirs[40], this[40], wait[40];
	bool ascii = scene_ascii(a->sc);
	double sum = 0;
	int64_t mean;

	core_name(a, a->slowest, true, name, sizeof name);
	units_time(own, sizeof own, c->own, ascii);
	units_time(median, sizeof median, a->median, ascii);
	snprintf(say[0], SENTENCE, "%s%s%s has %s of own work, the median core %s (%.2f%s).",
	    a->straggler ? "" : "No core stands out: the slowest, ", name, a->straggler ? "" : ",", own,
	    median, c->ratio, ascii ? "x" : "×");
	for (size_t i = 0; i < a->n; i++)
		sum += i == a->slowest ? 0 : (double)a->core[i].collective;
	mean = a->n > 1 ? (int64_t)(sum / (double)(a->n - 1)) : 0;
	*say[1] = '\0';
	if (a->straggler && mean > c->collective)
		snprintf(say[1], SENTENCE,
		    "The other %zu cores average %s in collectives, this one %s: they wait about %s for it.",
		    a->n - 1, units_time(theirs, sizeof theirs, mean, ascii),
		    units_time(this, sizeof this, c->collective, ascii),
		    units_time_short(wait, sizeof wait, mean - c->collective, ascii));
}

/* Draws a text on as many lines as it needs; cv NULL: only counts them. */
static int put_lines(struct canvas *cv, struct rect r, unsigned attr, const char *s)
{
	size_t len = strlen(s), n;
	int lines = 0;

	for (; len; s += n, len -= n, lines++) {
		for (; len > 1 && *s == ' '; s++)
			len--;
		n = text_wrap(s, len, r.w);
		if (cv && lines < r.h)
			canvas_text(cv, r.y + lines, r.x, r.w, ROLE_TEXT, attr, s, n);
	}
	return lines;
}

static void draw_sentences(const struct lineup *l, struct canvas *cv, struct rect r)
{
	bool straggler = l->straggler;
	struct rect at = { r.y, r.x + 2, r.h, r.w - 2 };
	char say[2][SENTENCE];
	int first, all;

	make_sentences(l, say);
	first = put_lines(NULL, at, 0, say[0]);
	all = first + put_lines(NULL, at, 0, say[1]);
	at.y += all < r.h ? r.h - (all < 2 ? 2 : all) : 0;
	if (straggler)
		canvas_put(cv, at.y, r.x, '!', ROLE_WARN, ATTR_BOLD);
	at.h = r.y + r.h - at.y;
	put_lines(cv, at, straggler ? ATTR_BOLD : 0, say[0]);
	at.y += first;
	at.h -= first;
	put_lines(cv, at, 0, say[1]);
}

void lineup_draw(struct lineup *a, struct canvas *cv, struct rect r)
{
	char right[200] = "", at[80] = "", time[48];
	size_t moved = 0, len;

	if (r.w >= ALL_WORDS)
		snprintf(at, sizeof at, " at %.60s", a->name);

	for (size_t i = 0; i < a->sc->cap->dump->nhosts; i++)
		moved += a->shift[i] != 0;
	for (size_t i = 0; i < a->sc->cap->dump->nhosts && moved == 1; i++)
		if (a->shift[i]) {
			const char *host = scene_host_name(a->sc, (int)i, &len);

			snprintf(right, sizeof right, "aligned%s: %.*s shifted %s; times count from the step",
			    at, (int)(len < 40 ? len : 40), host,
			    lineup_time(time, sizeof time, a->shift[i], scene_ascii(a->sc)));
		}
	if (moved > 1)
		snprintf(right, sizeof right, "aligned%s: %zu hosts shifted; times count from the step", at,
		    moved);
	else if (!moved)
		snprintf(right, sizeof right, "%s",
		    a->sc->cap->dump->nhosts > 1
			? "aligned: all hosts start the step together; times count from it"
			: "one host, nothing to shift; times count from the step");
	scene_pane_title(a->sc, cv, r, a->name, strlen(a->name), right);
	if (!a->n || r.h < 4)
		return;
	draw_cores(a, cv, (struct rect){ r.y + 1, r.x, r.h - 1 - LINES_BELOW, r.w });
	draw_sentences(a, cv, (struct rect){ r.y + r.h - LINES_BELOW, r.x + 1, LINES_BELOW, r.w - 2 });
}
