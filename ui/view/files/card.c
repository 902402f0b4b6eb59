#include "config.h"
#include "view/files/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/host_align.h"
#include "analyze/tables/files.h"
#include "base/text/units.h"
#include "core/app.h"
#include "widget/fields.h"

#define LABEL_COLS 10

static const struct dump *dump_of(const struct view *v)
{
	return v->cap->base;
}

static void put_clocks(struct pen *p, const struct view *v, int file)
{
	const struct dump *d = dump_of(v);
	const struct clocks *k = &v->cap->clocks;
	char text[300], residual[32], worst[32];

	for (size_t i = 0; i < k->n; i++) {
		const struct clock_fit *fit = &k->fit[i];
		const struct plane *plane = &d->trace.planes[fit->plane];

		if (plane->file != file || !fit->differs)
			continue;
		snprintf(text, sizeof text,
		    "%.*s   %+.3f ppm   residual %s   %zu of %zu points on the line   farthest %s",
		    (int)strtab_len(&d->str, plane->name), strtab_str(&d->str, plane->name),
		    (fit->slope - 1) * 1e6, units_time(residual, sizeof residual, fit->residual, false),
		    fit->inliers, fit->points, units_time(worst, sizeof worst, fit->worst, false));
		pen_field(p, "clock", ROLE_TEXT, text);
	}
}

/* How far the clock of the file's host seems to differ from the first host's, estimated from the steps. */
static void put_offset(struct pen *p, const struct view *v, int host)
{
	const struct dump *d = dump_of(v);
	struct align_host *all;
	char text[200], offset[32], spread[32];

	if (d->nhosts < 2 || host < 0)
		return;
	all = xcalloc(d->nhosts, sizeof *all);
	align_estimate(d, &v->cap->steps, all);
	if (all[host].known && host) {
		int64_t ps = all[host].offset;

		snprintf(text, sizeof text,
		    "%s%s against the first host: median of %zu steps, from which they differ by up to %s",
		    ps < 0 ? "-" : "+", units_time(offset, sizeof offset, ps < 0 ? -ps : ps, false),
		    all[host].steps, units_time(spread, sizeof spread, all[host].spread, false));
		pen_field(p, "offset", ROLE_TEXT, text);
	}
	free(all);
}

static void put_problem(struct pen *p, const struct problem *said)
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

	if (said->at != ERR_NOWHERE)
		snprintf(where, sizeof where, "at byte %llu", (unsigned long long)said->at);
	if (said->count > 1)
		snprintf(where + strlen(where), sizeof where - strlen(where), "%s%s times",
		    *where ? ", " : "", units_count(n, sizeof n, said->count));
	canvas_str(p->c, p->y, p->r.x + 1, LABEL_COLS - 1, levels[said->level].role, 0,
	    levels[said->level].label);
	if (*where)
		pen_text(p, LABEL_COLS, ROLE_TEXT, slice_of(where), 0);
	pen_text(p, LABEL_COLS, ROLE_TEXT, slice_of(said->text), 0);
}

static void put_file(struct pen *p, const struct view *v, const struct file *f)
{
	const struct dump *d = dump_of(v);
	const struct files *s = v->state;
	char kind[80], n[32];
	struct slice lacks = table_str(&s->table, (size_t)(f - d->files), FILES_lacks);

	snprintf(kind, sizeof kind, "%s%s%s, %s bytes", file_label_of(f), f->packing ? ", " : "",
	    f->packing ? f->packing : "", units_count(n, sizeof n, f->bytes));
	pen_fields(p,
	    FIELDS({ "path", .text = f->path }, { "kind", .text = kind },
		{ "events", COUNT, .v = (double)f->events }, { "lacks", .text = lacks.s, .no = !lacks.n },
		{ "partial", .role = ROLE_BAD, .no = !f->partial,
		    .text = d->canceled ? "loading was stopped; this is what was read"
					: "part of it could not be read; this is the rest" }));
	put_clocks(p, v, (int)(f - d->files));
	put_offset(p, v, f->host);
}

static void put_lines(struct pen *p, const struct view *v, int file)
{
	const struct dump *d = dump_of(v);
	const struct problems *all = d->problems;
	char text[80], n[32];

	if (file >= 0)
		put_file(p, v, &d->files[file]);
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].file == file)
			put_problem(p, &all->v[i]);
	if (file < 0 && dump_more_runs(d)) {
		keymap_key_text(&v->app->keymap, ACT_JOIN_RUNS, SCOPE_FILES, n, sizeof n);
		pen_field(p, n, ROLE_TEXT, "opens them together with this one; again: this one alone");
	}
	if (file < 0 && all->lost) {
		snprintf(text, sizeof text, "and %s more, not listed", units_count(n, sizeof n, all->lost));
		pen_field(p, "", ROLE_TEXT, text);
	}
}

const char *files_view_name(const struct view *v)
{
	int file = files_view_here(v);

	return file >= 0 ? dump_of(v)->files[file].base : "the run as a whole";
}

int files_view_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const char *name = files_view_name(v);
	struct pen p = { .c = c, .r = r, .y = r.y, .label = LABEL_COLS };
	struct rect last = { r.y + r.h - 1, r.x, 1, r.w };

	if (how == FRAME_BELOW)
		p.y = card_rule(c, r, r.y, name, "");
	else if (how == FRAME_BESIDE)
		pen_say(&p, ROLE_HEAD, name);
	put_lines(&p, v, files_view_here(v));
	if (how == FRAME_FULL || p.y <= r.y + r.h)
		return p.y;
	canvas_fill(c, last, ' ', ROLE_TEXT, 0);
	canvas_str(c, last.y, r.x + 1, r.w - 2, ROLE_DIM, 0, "Enter shows all of it");
	return p.y;
}
