#include "config.h"
#include "view/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/events/host_align.h"
#include "base/text/regex.h"
#include "base/text/units.h"
#include "core/app.h"
#include "report/warnings.h"
#include "widget/card.h"
#include "widget/list.h"

#define LABEL_COLS 10

struct files {
	/* one line per file; one more for the run when it has problems of its own */
	struct list list;
	int scroll, lines;           /* of the card */
	bool full;                   /* the card has the whole area */
	const struct regex *pattern; /* NULL = no search */
};

static const struct dump *dump_of(const struct view *v)
{
	return v->app->dump;
}

/* The file on a line; -1 = the run as a whole. */
static int file_at(const struct view *v, size_t line)
{
	return line < dump_of(v)->nfiles ? (int)line : -1;
}

static int files_open(struct view *v)
{
	struct files *f = v->state;
	const struct dump *d = dump_of(v);

	f->list.n = d->nfiles;
	for (size_t i = 0; i < d->problems.n; i++)
		if (d->problems.v[i].file < 0)
			f->list.n = d->nfiles + 1;
	return 0;
}

enum { COL_NAME, COL_KIND, COL_HOST, COL_BYTES, COL_EVENTS, COL_PROBLEMS };
static const struct list_column columns[] = {
	[COL_NAME] = { "file", 0, 0, CUT_LEFT },
	[COL_KIND] = { "kind", 17, 3, CUT_MIDDLE },
	[COL_HOST] = { "host", 16, 4, CUT_MIDDLE },
	[COL_BYTES] = { "size", 10, 2, CUT_RIGHT_ALIGNED },
	[COL_EVENTS] = { "events", 11, 1, CUT_RIGHT_ALIGNED },
	[COL_PROBLEMS] = { "problems", 11, 0, CUT_RIGHT_ALIGNED },
};

static enum role file_cell(const void *ctx, size_t line, size_t column, char *buf, size_t size)
{
	const struct view *v = ctx;
	const struct dump *d = dump_of(v);
	int i = file_at(v, line);
	const struct file *f = i >= 0 ? &d->files[i] : NULL;
	uint64_t problems = 0, notes = 0;
	char n[32];

	switch (column) {
	case COL_NAME:
		snprintf(buf, size, "%s", f ? f->base : "(the run as a whole)");
		return ROLE_TEXT;
	case COL_KIND:
		if (f)
			snprintf(buf, size, "%s", file_label_of(f));
		return ROLE_TEXT;
	case COL_HOST:
		if (f && f->host >= 0)
			snprintf(buf, size, "%.*s", (int)strtab_len(&d->str, d->hosts[f->host].name),
			    strtab_str(&d->str, d->hosts[f->host].name));
		return ROLE_TEXT;
	case COL_BYTES:
		if (f)
			units_bytes(buf, size, (double)f->bytes);
		return ROLE_TEXT;
	case COL_EVENTS:
		if (f)
			units_count(buf, size, f->events);
		return ROLE_TEXT;
	default:
		for (size_t k = 0; k < d->problems.n; k++)
			if (f ? d->problems.v[k].file == i : d->problems.v[k].file < 0)
				*(d->problems.v[k].level == PROBLEM_NOTE ? &notes : &problems) +=
				    d->problems.v[k].count;
		units_count(n, sizeof n, problems ? problems : notes);
		snprintf(buf, size, "%s%s%s", f && f->partial ? "partial  " : "",
		    problems || notes ? n : "none",
		    problems || !notes ? ""
			: notes == 1   ? " note"
				       : " notes");
		return f && f->partial ? ROLE_BAD : problems ? ROLE_WARN : ROLE_DIM;
	}
}

static int draw_clocks(const struct view *v, struct canvas *c, struct rect r, int y, int file)
{
	const struct dump *d = dump_of(v);
	const struct clocks *k = &v->app->clocks;
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
		y = card_pair(c, r, y, LABEL_COLS, "clock", ROLE_TEXT, text);
	}
	return y;
}

/* How far the clock of the file's host seems to be from the first one's, as the steps tell. */
static int draw_offset(const struct view *v, struct canvas *c, struct rect r, int y, int host)
{
	const struct dump *d = dump_of(v);
	struct align_host *all;
	char text[200], offset[32], spread[32];
	bool ascii = c->glyphs->ascii;

	if (d->nhosts < 2 || host < 0)
		return y;
	all = xcalloc(d->nhosts, sizeof *all);
	align_estimate(d, &v->app->steps, all);
	if (all[host].known) {
		int64_t ps = all[host].offset;

		snprintf(text, sizeof text,
		    "%s%s against the first host by %zu steps, median; single ones %s from it",
		    ps < 0 ? "-" : "+", units_time(offset, sizeof offset, ps < 0 ? -ps : ps, ascii),
		    all[host].steps, units_time(spread, sizeof spread, all[host].spread, ascii));
		y = card_pair(c, r, y, LABEL_COLS, "offset", ROLE_TEXT, text);
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

static int draw_card_lines(const struct view *v, struct canvas *c, struct rect r, int y, int file)
{
	const struct dump *d = dump_of(v);
	const struct file *f = file >= 0 ? &d->files[file] : NULL;
	char text[80], n[32];

	if (f) {
		canvas_str(c, y, r.x + 1, LABEL_COLS - 1, ROLE_DIM, 0, "path");
		y = card_text(c, r, y, LABEL_COLS, ROLE_TEXT, f->path, strlen(f->path));
		snprintf(text, sizeof text, "%s%s%s, %s bytes", file_label_of(f), f->packing ? ", " : "",
		    f->packing ? f->packing : "", units_count(n, sizeof n, f->bytes));
		y = card_pair(c, r, y, LABEL_COLS, "kind", ROLE_TEXT, text);
		if (f->partial)
			y = card_pair(c, r, y, LABEL_COLS, "partial", ROLE_BAD,
			    d->cancelled ? "stopped while reading: shown is what was read"
					 : "not all of it could be read: shown is the rest");
		y = draw_clocks(v, c, r, y, file);
		y = draw_offset(v, c, r, y, f->host);
	}
	for (size_t i = 0; i < d->problems.n; i++)
		if (d->problems.v[i].file == file)
			y = draw_problem(c, r, y, &d->problems.v[i]);
	if (file < 0 && d->problems.lost) {
		snprintf(text, sizeof text, "and %s more, not kept",
		    units_count(n, sizeof n, d->problems.lost));
		y = card_pair(c, r, y, LABEL_COLS, "", ROLE_TEXT, text);
	}
	return y;
}

static void draw_card(struct view *v, struct canvas *c, struct rect r)
{
	struct files *f = v->state;
	int file = file_at(v, f->list.at), room = r.h - 1;
	struct rect body = { r.y + 1, r.x, room, r.w }, old;
	char right[64] = "";

	if (!f->full)
		f->scroll = 0;
	/* Drawn once outside the clip to know its height, then where it belongs. */
	old = canvas_clip(c, (struct rect){ 0 });
	f->lines = draw_card_lines(v, c, (struct rect){ 0, body.x, 0, body.w }, 0, file);
	if (f->scroll > f->lines - room)
		f->scroll = f->lines > room ? f->lines - room : 0;
	canvas_clip(c, body);
	draw_card_lines(v, c, body, body.y - f->scroll, file);
	canvas_clip(c, old);
	if (f->full)
		card_scroll_text(f->scroll, f->lines, room, right, sizeof right);
	else if (f->lines > room)
		snprintf(right, sizeof right, "Enter: all of it");
	card_rule(c, r, r.y, file >= 0 ? dump_of(v)->files[file].base : "the run as a whole", right);
}

static void files_draw(struct view *v, struct canvas *c)
{
	struct files *f = v->state;
	struct rect a = v->area, list = a;
	int most = a.h / 2;

	if (f->full) {
		draw_card(v, c, a);
		return;
	}
	list.h = f->list.n + 1 < (size_t)most ? (int)f->list.n + 1 : most;
	if (a.h < 8)
		list.h = a.h;
	list_draw(&f->list, c, list, columns, sizeof columns / sizeof *columns, file_cell, v);
	if (list.h + 3 <= a.h)
		draw_card(v, c, (struct rect){ a.y + list.h + 1, a.x, a.h - list.h - 1, a.w });
}

static unsigned files_act(struct view *v, enum action a, int count)
{
	struct files *f = v->state;

	if (a == ACT_OPEN || (a == ACT_BACK && f->full)) {
		f->full = !f->full;
		f->scroll = 0;
		return REACT_REDRAW;
	}
	if (f->full)
		return card_scroll(&f->scroll, f->lines, v->area.h - 1, a, count) ? REACT_REDRAW : ACT_PASS;
	return list_act(&f->list, a, count) ? REACT_REDRAW : ACT_PASS;
}

static bool matches(const struct view *v, const struct regex *re, struct regex_scratch *scratch, size_t line)
{
	int i = file_at(v, line);

	return i >= 0 &&
	    regex_match(re, scratch, dump_of(v)->files[i].path, strlen(dump_of(v)->files[i].path), NULL,
		NULL);
}

/* Hits among the first `n` files. */
static int hits_before(const struct view *v, const struct regex *re, size_t n)
{
	struct regex_scratch *scratch = regex_scratch_new(re);
	int hits = 0;

	for (size_t i = 0; i < n; i++)
		hits += matches(v, re, scratch, i);
	regex_scratch_free(scratch);
	return hits;
}

static int files_find(struct view *v, const struct regex *re, int dir)
{
	struct files *f = v->state;
	size_t n = f->list.n, from = f->list.at;
	struct regex_scratch *scratch;

	f->pattern = re;
	if (!re || !n)
		return 0;
	scratch = regex_scratch_new(re);
	for (size_t i = dir ? 1 : 0; i <= n; i++) {
		size_t line = (from + (dir < 0 ? n - i : i)) % n;

		if (matches(v, re, scratch, line)) {
			f->list.at = line;
			break;
		}
	}
	regex_scratch_free(scratch);
	return hits_before(v, re, n);
}

static void files_find_status(const struct view *v, char *buf, size_t size)
{
	const struct files *f = v->state;

	snprintf(buf, size, "hit %d of %d", hits_before(v, f->pattern, f->list.at + 1),
	    hits_before(v, f->pattern, f->list.n));
}

static struct ref files_here(const struct view *v)
{
	const struct files *f = v->state;

	return (struct ref){ .kind = REF_FILE, .file = file_at(v, f->list.at) };
}

static int files_show(struct view *v, const struct ref *ref)
{
	struct files *f = v->state;

	if (ref->kind != REF_FILE || ref->file >= (int)dump_of(v)->nfiles)
		return -1;
	f->list.at = ref->file < 0 ? f->list.n - 1 : (size_t)ref->file;
	return 0;
}

static void files_status(const struct view *v, char *left, char *right, size_t size)
{
	const struct files *f = v->state;
	uint64_t problems = problems_count(&dump_of(v)->problems, -1);
	char n[32];

	snprintf(left, size, "%zu of %zu", f->list.at + 1, f->list.n);
	if (problems)
		snprintf(right, size, "%s problem%s in all", units_count(n, sizeof n, problems),
		    problems == 1 ? "" : "s");
}

static void files_title(const struct view *v, char *buf, size_t size)
{
	const struct dump *d = dump_of(v);
	char bytes[32], events[32];
	double sum = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		sum += (double)d->files[i].bytes;
	snprintf(buf, size, "%zu file%s   %s   %s events", d->nfiles, d->nfiles == 1 ? "" : "s",
	    units_bytes(bytes, sizeof bytes, sum), units_count(events, sizeof events, d->trace.events));
}

/* The card of the line as text. */
static int files_copy(struct view *v, FILE *out)
{
	static const char *const levels[] = { "note", "warning", "damage" };
	const struct files *f = v->state;
	const struct dump *d = dump_of(v);
	int at = file_at(v, f->list.at);
	const struct file *file = at >= 0 ? &d->files[at] : NULL;

	if (!f->list.n)
		return -1;
	if (file)
		fprintf(out, "path      %s\nkind      %s%s%s\nbytes     %llu\nevents    %llu\n", file->path,
		    file_label_of(file), file->packing ? ", " : "", file->packing ? file->packing : "",
		    (unsigned long long)file->bytes, (unsigned long long)file->events);
	for (size_t i = 0; i < d->problems.n; i++)
		if (d->problems.v[i].file == at)
			fprintf(out, "%-9s %s\n", levels[d->problems.v[i].level], d->problems.v[i].text);
	return 0;
}

static struct cell cell_of(const char *s)
{
	return cell_str(s, strlen(s));
}

static void files_export(struct view *v, struct report *r)
{
	static const struct column cols[] = { { "file", "file", "", COL_STRING },
		{ "path", "path", "", COL_STRING }, { "kind", "kind", "", COL_STRING },
		{ "host", "host", "", COL_STRING }, { "bytes", "size", "B", COL_INTEGER },
		{ "events", "events", "", COL_INTEGER }, { "problems", "problems", "", COL_INTEGER },
		{ "partial", "partial", "", COL_BOOLEAN } };
	const struct dump *d = dump_of(v);

	report_dump_warnings(r, d);
	report_table(r, NULL, cols, sizeof cols / sizeof *cols);
	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		strid host = f->host >= 0 ? d->hosts[f->host].name : 0;
		struct cell row[] = { cell_of(f->base), cell_of(f->path), cell_of(file_kind_of(f)),
			f->host >= 0 ? cell_str(strtab_str(&d->str, host), strtab_len(&d->str, host))
				     : cell_null(),
			cell_int((int64_t)f->bytes), cell_int((int64_t)f->events),
			cell_int((int64_t)problems_count(&d->problems, (int)i)), cell_bool(f->partial) };

		report_row(r, row);
	}
	report_table_end(r);
}

static unsigned files_mouse(struct view *v, const struct mouse *m)
{
	struct files *f = v->state;
	int line;

	if (m->kind != MOUSE_PRESS || m->button != 1 || f->full)
		return m->kind == MOUSE_WHEEL ? ACT_PASS : REACT_NONE;
	if ((line = list_line_at(&f->list, m->y)) < 0)
		return REACT_NONE;
	if ((size_t)line == f->list.at)
		return files_act(v, ACT_OPEN, 1);
	f->list.at = (size_t)line;
	return REACT_REDRAW;
}

static void files_save(const struct view *v, struct kv *kv)
{
	const struct files *f = v->state;

	if (f->list.at)
		kv_put_int(kv, "line", (int64_t)f->list.at);
}

static void files_restore(struct view *v, const struct kv *kv)
{
	struct files *f = v->state;
	int64_t line;

	if (kv_get_int(kv, "line", &line) && line >= 0 && (uint64_t)line < f->list.n)
		f->list.at = (size_t)line;
}

const struct view_ops view_files = {
	.id = "files",
	.title = "Files",
	.letter = 'f',
	.scope = SCOPE_FILES,
	.size = sizeof(struct files),
	.open = files_open,
	.draw = files_draw,
	.act = files_act,
	.find = files_find,
	.find_status = files_find_status,
	.here = files_here,
	.show = files_show,
	.status = files_status,
	.title_right = files_title,
	.mouse = files_mouse,
	.save = files_save,
	.restore = files_restore,
	.copy = files_copy,
	.export = files_export,
};
