#include "config.h"
#include "view/files/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/host_align.h"
#include "base/text/units.h"
#include "core/app.h"
#include "widget/card.h"

#define LABEL_COLS 10

static const struct dump *dump_of(const struct view *v)
{
	return v->app->cap->base;
}

/* Draws a label and a text on as many lines as it needs. */
static int text_line(struct canvas *c, struct rect r, int y, const char *label, enum role role,
    const char *text)
{
	canvas_str(c, y, r.x + 1, LABEL_COLS - 1, ROLE_DIM, 0, label);
	return card_text(c, r, y, LABEL_COLS, role, text, strlen(text));
}

static int draw_clocks(const struct view *v, struct canvas *c, struct rect r, int y, int file)
{
	const struct dump *d = dump_of(v);
	const struct clocks *k = &v->app->cap->clocks;
	char text[300], residual[32], worst[32];
	bool ascii = c->glyphs->ascii;

	for (size_t i = 0; i < k->n; i++) {
		const struct clock_fit *fit = &k->fit[i];
		const struct plane *p = &d->trace.planes[fit->plane];

		if (p->file != file || !fit->differs)
			continue;
		snprintf(text, sizeof text,
		    "%.*s   %+.3f ppm   residual %s   %zu of %zu points on the line   farthest %s",
		    (int)strtab_len(&d->str, p->name), strtab_str(&d->str, p->name), (fit->slope - 1) * 1e6,
		    units_time(residual, sizeof residual, fit->residual, ascii), fit->inliers, fit->points,
		    units_time(worst, sizeof worst, fit->worst, ascii));
		y = text_line(c, r, y, "clock", ROLE_TEXT, text);
	}
	return y;
}

/* How far the clock of the file's host seems to differ from the first host's, estimated from the steps. */
static int draw_offset(const struct view *v, struct canvas *c, struct rect r, int y, int host)
{
	const struct dump *d = dump_of(v);
	struct align_host *all;
	char text[200], offset[32], spread[32];
	bool ascii = c->glyphs->ascii;

	if (d->nhosts < 2 || host < 0)
		return y;
	all = xcalloc(d->nhosts, sizeof *all);
	align_estimate(d, &v->app->cap->steps, all);
	if (all[host].known && host) {
		int64_t ps = all[host].offset;

		snprintf(text, sizeof text,
		    "%s%s against the first host: median of %zu steps, from which they differ by up to %s",
		    ps < 0 ? "-" : "+", units_time(offset, sizeof offset, ps < 0 ? -ps : ps, ascii),
		    all[host].steps, units_time(spread, sizeof spread, all[host].spread, ascii));
		y = text_line(c, r, y, "offset", ROLE_TEXT, text);
	}
	free(all);
	return y;
}

static int draw_problem(struct canvas *c, struct rect r, int y, const struct problem *p)
{
	static const struct {
		const char *label;
		enum role role;
	} levels[] = {
		[PROBLEM_NOTE] = { "note", ROLE_DIM },
		[PROBLEM_WARN] = { "warning", ROLE_WARN },
		[PROBLEM_DAMAGE] = { "damage", ROLE_BAD },
	};
	char where[80] = "", n[32];
	int indent = 1 + LABEL_COLS;

	canvas_str(c, y, r.x + 1, LABEL_COLS - 1, levels[p->level].role, 0, levels[p->level].label);
	if (p->at != ERR_NOWHERE)
		snprintf(where, sizeof where, "at byte %llu", (unsigned long long)p->at);
	if (p->count > 1)
		snprintf(where + strlen(where), sizeof where - strlen(where), "%s%s times",
		    *where ? ", " : "", units_count(n, sizeof n, p->count));
	if (*where)
		y = card_text(c, r, y, indent - 1, ROLE_TEXT, where, strlen(where));
	return card_text(c, r, y, indent - 1, ROLE_TEXT, p->text, strlen(p->text));
}

static int draw_file(const struct view *v, struct canvas *c, struct rect r, int y, const struct file *f)
{
	const struct dump *d = dump_of(v);
	char text[80], n[32];
	const struct files *s = v->state;
	size_t len;
	const char *lacks = table_string(&s->table, (size_t)(f - d->files), "lacks", &len);

	y = text_line(c, r, y, "path", ROLE_TEXT, f->path);
	snprintf(text, sizeof text, "%s%s%s, %s bytes", file_label_of(f), f->packing ? ", " : "",
	    f->packing ? f->packing : "", units_count(n, sizeof n, f->bytes));
	y = text_line(c, r, y, "kind", ROLE_TEXT, text);
	y = text_line(c, r, y, "events", ROLE_TEXT, units_count(n, sizeof n, f->events));
	if (len)
		y = text_line(c, r, y, "lacks", ROLE_TEXT, lacks);
	if (f->partial)
		y = text_line(c, r, y, "partial", ROLE_BAD,
		    d->canceled ? "loading was stopped; this is what was read"
				: "part of it could not be read; this is the rest");
	y = draw_clocks(v, c, r, y, (int)(f - d->files));
	return draw_offset(v, c, r, y, f->host);
}

static int draw_lines(const struct view *v, struct canvas *c, struct rect r, int y, int file)
{
	const struct dump *d = dump_of(v);
	char text[80], n[32];

	if (file >= 0)
		y = draw_file(v, c, r, y, &d->files[file]);
	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].file == file)
			y = draw_problem(c, r, y, &d->problems->v[i]);
	if (file < 0 && dump_more_runs(d)) {
		keymap_key_text(&v->app->keymap, ACT_JOIN_RUNS, SCOPE_FILES, n, sizeof n);
		y = text_line(c, r, y, n, ROLE_TEXT,
		    "opens them together with this one; again: this one alone");
	}
	if (file < 0 && d->problems->lost) {
		snprintf(text, sizeof text, "and %s more, not listed",
		    units_count(n, sizeof n, d->problems->lost));
		y = text_line(c, r, y, "", ROLE_TEXT, text);
	}
	return y;
}

const char *files_view_name(const struct view *v)
{
	int file = files_view_here(v);

	return file >= 0 ? dump_of(v)->files[file].base : "the run as a whole";
}

int files_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const char *name = files_view_name(v);
	int file = files_view_here(v), y = r.y, end;
	struct rect last = { r.y + r.h - 1, r.x, 1, r.w };

	if (how == FRAME_BELOW)
		y = card_rule(c, r, r.y, name, "");
	else if (how == FRAME_BESIDE)
		y = card_text(c, r, r.y, 0, ROLE_HEAD, name, strlen(name));
	end = draw_lines(v, c, r, y, file);
	if (how == FRAME_FULL || end <= r.y + r.h)
		return end;
	canvas_fill(c, last, ' ', ROLE_TEXT, 0);
	canvas_str(c, last.y, r.x + 1, r.w - 2, ROLE_DIM, 0, "Enter shows all of it");
	return end;
}
