#include "config.h"

#include "view/timeline/steps/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"

enum { CORE = 13, CORE_WIDE = 24, WIDE = 110 }; /* columns */

struct table_columns {
	int number, name, name_w, core, core_w;
	int end[STEP_KEYS]; /* of numbers */
};

static struct table_columns columns_of(struct rect r)
{
	struct table_columns c = { .number = r.x + 3, .core_w = r.w < WIDE ? CORE : CORE_WIDE };

	c.end[STEP_INFEED] = r.x + r.w - 2;
	c.end[STEP_IDLE] = c.end[STEP_INFEED] - 12;
	c.core = c.end[STEP_IDLE] - 9 - c.core_w;
	c.end[STEP_NEXT] = c.core - 3;
	c.end[STEP_LONGEST] = c.end[STEP_NEXT] - 13;
	c.name = r.x + 14;
	c.name_w = c.end[STEP_LONGEST] - 14 - c.name;
	return c;
}

/* "w-1 TPU:3": of a long name of a host the middle goes. */
static void draw_core(const struct scene *sc, struct canvas *cv, int y, const struct table_columns *c,
    const struct step *s, enum role role)
{
	char core[24] = "host";
	const char *host;
	size_t len;
	int x = c->core;

	if (s->core >= 0)
		snprintf(core, sizeof core, "TPU:%d", s->core);
	if (sc->dump->nhosts > 1 && sc->host < 0 && s->host >= 0) {
		host = scene_host_name(sc, s->host, &len);
		x += canvas_cut(cv, y, x, c->core_w - (int)strlen(core) - 1, role, 0, host, len) + 1;
	}
	canvas_str(cv, y, x, c->core_w, role, 0, core);
}

static void draw_number(const struct step_table *p, struct canvas *cv, int y, const struct table_columns *c,
    const struct step_row *s, enum step_key key, enum role role)
{
	int64_t ps = step_table_value(s, key);
	char buf[48];

	canvas_right(cv, y, c->end[key], role, key == STEP_LONGEST && s->slow ? ATTR_BOLD : 0,
	    ps < 0 ? "–" : units_time_cell(buf, sizeof buf, ps, p->unit[key], scene_ascii(p->sc)));
}

static void draw_step(const struct step_table *p, struct canvas *cv, int y, struct rect r,
    const struct table_columns *c, const struct step_row *s, bool here)
{
	enum role role = here ? ROLE_SELECTED : ROLE_TEXT;

	if (here) {
		canvas_fill(cv, (struct rect){ y, r.x, 1, r.w - 1 }, ' ', role, 0);
		canvas_put(cv, y, r.x, '>', role, 0);
	}
	if (s->slow)
		canvas_put(cv, y, r.x + 1, '!', here ? role : ROLE_WARN, ATTR_BOLD);
	canvas_cut(cv, y, c->number, c->name - c->number - 1, role, s->slow ? ATTR_BOLD : 0, s->worst->label,
	    strlen(s->worst->label));
	if (s->worst->name && c->name_w > 3)
		canvas_cut(cv, y, c->name, c->name_w, role, 0, s->worst->name, s->worst->name_len);
	draw_core(p->sc, cv, y, c, s->worst, role);
	draw_number(p, cv, y, c, s, STEP_LONGEST, role);
	draw_number(p, cv, y, c, s, STEP_NEXT, role);
	draw_number(p, cv, y, c, s, STEP_IDLE, role);
	draw_number(p, cv, y, c, s, STEP_INFEED, role);
}

/* Behind the title of the column that the rows are sorted by. */
static void draw_arrow(const struct step_table *p, struct canvas *cv, int y, int x)
{
	canvas_put(cv, y, x, ' ', ROLE_TEXT, ATTR_UNDERLINE);
	canvas_glyph(cv, y, x + 1, step_table_falls(p) ? GLYPH_SORT_DOWN : GLYPH_SORT_UP, ROLE_TEXT,
	    ATTR_BOLD);
}

static void draw_left(const struct step_table *p, struct canvas *cv, int y, int x, int w, enum step_key key,
    const char *title)
{
	bool by = p->key == key;

	x += canvas_str(cv, y, x, w, ROLE_TEXT, ATTR_UNDERLINE | (by ? ATTR_BOLD : 0), title);
	if (by)
		draw_arrow(p, cv, y, x);
}

static void draw_head(const struct step_table *p, struct canvas *cv, int y, const struct table_columns *c,
    enum step_key key, const char *title)
{
	bool by = p->key == key;
	char buf[48];

	snprintf(buf, sizeof buf, "%s %s", title, unit_name(p->unit[key], scene_ascii(p->sc)));
	canvas_right(cv, y, c->end[key] - (by ? 2 : 0), ROLE_TEXT, ATTR_UNDERLINE | (by ? ATTR_BOLD : 0),
	    buf);
	if (by)
		draw_arrow(p, cv, y, c->end[key] - 2);
}

static void draw_heads(const struct step_table *p, struct canvas *cv, int y, const struct table_columns *c)
{
	draw_left(p, cv, y, c->number, 8, STEP_NUMBER, "step");
	if (c->name_w > 3)
		canvas_str(cv, y, c->name, c->name_w, ROLE_TEXT, ATTR_UNDERLINE, "name");
	draw_head(p, cv, y, c, STEP_LONGEST, "longest");
	draw_head(p, cv, y, c, STEP_NEXT, "to next");
	draw_left(p, cv, y, c->core, c->core_w, STEP_CORE, "on");
	draw_head(p, cv, y, c, STEP_IDLE, "idle");
	draw_head(p, cv, y, c, STEP_INFEED, "infeed");
}

static void draw_title(struct step_table *p, struct canvas *cv, struct rect r)
{
	const struct steps *s = &p->sc->view->app->steps;
	char left[240], right[120], mean[48];

	snprintf(left, sizeof left, "steps%s%.*s",
	    s->source == STEPS_MODULES    ? ": runs of "
		: s->source == STEPS_HOST ? " of the host"
					  : "",
	    (int)strcspn(s->module, "("), s->source == STEPS_MODULES ? s->module : "");
	snprintf(right, sizeof right, "%zu steps, mean %s, %zu slow (!)", p->n,
	    units_time(mean, sizeof mean, (int64_t)p->mean, scene_ascii(p->sc)), p->nslow);
	scene_pane_title(p->sc, cv, r, left, strlen(left), right);
}

void step_table_draw(struct step_table *p, struct canvas *cv, struct rect r)
{
	struct table_columns c = columns_of(r);
	struct rect old = canvas_clip(cv, r);
	size_t rows = r.h > 3 ? (size_t)r.h - 3 : 1;

	step_table_want(p);
	draw_title(p, cv, r);
	draw_heads(p, cv, r.y + 1, &c);
	if (p->cur < p->top)
		p->top = p->cur;
	if (p->cur >= p->top + rows)
		p->top = p->cur - rows + 1;
	if (p->top + rows > p->n)
		p->top = p->n > rows ? p->n - rows : 0;
	for (size_t i = p->top; i < p->n && i < p->top + rows; i++)
		draw_step(p, cv, r.y + 2 + (int)(i - p->top), r, &c, &p->row[i], i == p->cur);
	canvas_clip(cv, old);
}

/* The row of the table's cursor, as in the tables of ops. */
int step_table_copy(struct step_table *p, FILE *f)
{
	static const struct {
		const char *label;
		enum step_key key;
	} times[] = {
		{ "longest ps", STEP_LONGEST },
		{ "to next ps", STEP_NEXT },
		{ "idle ps", STEP_IDLE },
		{ "infeed ps", STEP_INFEED },
	};
	const struct step_row *r;

	step_table_want(p);
	if (p->cur >= p->n)
		return -1;
	r = &p->row[p->cur];
	fprintf(f, "%-18s %s\n", "step", r->worst->label);
	if (r->worst->name)
		fprintf(f, "%-18s %.*s\n", "name", (int)r->worst->name_len, r->worst->name);
	if (r->worst->host >= 0)
		fprintf(f, "%-18s %s\n", "host",
		    strtab_str(&p->sc->dump->str, p->sc->dump->hosts[r->worst->host].name));
	if (r->worst->core >= 0)
		fprintf(f, "%-18s TPU:%d\n", "on", r->worst->core);
	fprintf(f, "%-18s %" PRId64 "\n", "start ps", r->from);
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		if (step_table_value(r, times[i].key) >= 0)
			fprintf(f, "%-18s %" PRId64 "\n", times[i].label, step_table_value(r, times[i].key));
	fprintf(f, "%-18s %s\n", "slow", r->slow ? "yes" : "no");
	return 0;
}
