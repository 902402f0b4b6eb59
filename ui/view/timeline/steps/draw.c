#include "config.h"

#include "view/timeline/steps/internal.h"

#include <stdio.h>
#include <string.h>

#include "analyze/account/differ.h"
#include "analyze/account/why.h"
#include "base/text/units.h"
#include "core/results.h"

struct step_view_row {
	const struct scene *sc;
	const struct step_row *of;
	const struct step *timed;         /* the step with the times of its ops, if they are known */
	const struct step_differ *differ; /* to the median; NULL: not known */
};

static struct cell why_cell(const struct step_view_row *r, struct arena *text)
{
	char buf[DIFFER_TEXT];

	if (!r->differ)
		return cell_null();
	return arena_cell(text, step_differ_say(r->differ, scene_ascii(r->sc), buf, sizeof buf));
}

static struct cell ps_cell(int64_t ps)
{
	return ps < 0 ? cell_null() : cell_int(ps);
}

/* "TPU:3", or "w-1 TPU:3" if there are several hosts */
static struct cell core_name(const struct scene *sc, const struct step *s, struct arena *text)
{
	char core[24] = "host", buf[256];
	const char *host = "";
	size_t len = 0;

	if (s->core >= 0)
		snprintf(core, sizeof core, "TPU:%d", s->core);
	if (sc->cap->dump->nhosts > 1 && sc->host < 0 && s->host >= 0)
		host = scene_host_name(sc, s->host, &len);
	snprintf(buf, sizeof buf, "%.*s%s%s", (int)(len < 200 ? len : 200), host, len ? " " : "", core);
	return arena_cell(text, buf);
}

#define SCHEMA steps
#define SCHEMA_ROW struct step_view_row
#define SCHEMA_DEF "view/timeline/steps/steps.def"
#include "result/schema_def.h"
const struct schema step_table_schema = { SCHEMA_COLUMNS(steps_columns) };

static void draw_sign(const void *ctx, size_t row, struct canvas *cv, struct rect r)
{
	const struct step_table *p = ctx;
	const struct step_row *s = sheet_of(&p->sheet, row);

	if (s->slow)
		canvas_put(cv, r.y, r.x + 1, '!', row == sheet_row(&p->sheet) ? ROLE_SELECTED : ROLE_WARN,
		    ATTR_BOLD);
}

void step_table_open(struct step_table *p)
{
	sheet_open(&p->sheet, &step_table_schema, NULL, NULL);
	sheet_name(&p->sheet, "step", NULL);
	p->sheet.lead = 2;
	p->sheet.mark = draw_sign;
	p->sheet.ctx = p;
}

void step_table_fill(struct step_table *p)
{
	const struct steps *steps = &p->sc->view->cap->steps;
	const struct step_parts *parts = p->serial ? result_get(p->sc->view->app, RESULT_STEPS) : NULL;
	struct step_view_row r = { .sc = p->sc };
	struct step_differ differ;

	parts = parts && parts->steps.n == steps->n ? parts : NULL;
	table_begin(&p->table, &step_table_schema);
	for (size_t i = 0; i < p->n; i++) {
		size_t row = (size_t)(p->row[i].worst - steps->v);

		r.of = &p->row[i];
		r.timed = parts ? &parts->steps.v[row] : r.of->worst;
		r.differ = parts && account_row_differ(steps, parts->row, parts->median, row, &differ)
		    ? &differ
		    : NULL;
		table_add(&p->table, &r);
	}
	sheet_set_rows(&p->sheet,
	    &(struct sheet_rows){ .table = &p->table, .of = p->row, .size = sizeof *p->row });
}

static void draw_title(struct step_table *p, struct canvas *cv, struct rect r)
{
	const struct steps *s = &p->sc->view->cap->steps;
	char left[240], right[120], mean[48];

	snprintf(left, sizeof left, "steps%s%.*s",
	    s->source == STEPS_MODULES    ? ": runs of "
		: s->source == STEPS_HOST ? " of the host"
					  : "",
	    (int)strcspn(s->module, "("), s->source == STEPS_MODULES ? s->module : "");
	snprintf(right, sizeof right, "%zu step%s, mean %s, %zu slow%s", p->n, p->n == 1 ? "" : "s",
	    units_time(mean, sizeof mean, (int64_t)p->mean, scene_ascii(p->sc)), p->nslow,
	    p->nslow ? " (!)" : "");
	scene_pane_title(p->sc, cv, r, left, strlen(left), right);
}

/* Below the rows: of which ops the difference of the chosen step is.  Returns whether there is room for it. */
static bool draw_ops(const struct step_table *p, struct canvas *cv, struct rect r)
{
	const struct steps *steps = &p->sc->view->cap->steps;
	const struct step_parts *parts = p->serial ? result_get(p->sc->view->app, RESULT_STEPS) : NULL;
	const struct step_row *here = step_table_here(p);
	size_t row = here ? (size_t)(here->worst - steps->v) : SIZE_MAX;
	char text[WHY_TEXT] = "", line[WHY_TEXT + 80];
	struct step_differ d;

	if (r.h < TABLE_FRAME + 3 || steps->source == STEPS_HOST)
		return false;
	if (row < steps->n && parts && parts->steps.n == steps->n &&
	    account_row_differ(steps, parts->row, parts->median, row, &d))
		step_why_say(p->sc->cap->base, &parts->why[row], d.by, WHY_OPS, scene_ascii(p->sc), text,
		    sizeof text);
	snprintf(line, sizeof line, "step %s by op: %s", here ? here->worst->label : "", *text ? text : "–");
	canvas_cut(cv, r.y + r.h - 1, r.x + 3, r.w - 4, ROLE_DIM, 0, line, strlen(line));
	return true;
}

void step_table_draw(struct step_table *p, struct canvas *cv, struct rect r)
{
	struct rect old = canvas_clip(cv, r);

	step_table_want(p);
	draw_title(p, cv, r);
	r.h -= draw_ops(p, cv, r);
	sheet_draw(&p->sheet, cv, (struct rect){ r.y + 1, r.x, r.h - 1, r.w });
	canvas_clip(cv, old);
}

int step_table_copy(struct step_table *p, FILE *f)
{
	step_table_want(p);
	return sheet_copy(&p->sheet, f);
}
