#include "config.h"
#include "view/triage/triage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "core/app.h"
#include "core/job.h"

#define DIRECT_BYTES ((size_t)4 << 20) /* texts up to this size are searched at once, without a job */
#define SHOWN_BYTES 8192               /* of a line */
#define SHIFT 8

struct tri_job {
	const char *text;
	size_t n;
	struct triage_lines lines;
};

int triage_view_log_file(const struct view *v, const char *path)
{
	const struct dump *d = v->app->dump;

	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].kind == FILE_TEXT && !strcmp(d->files[i].path, path))
			return (int)i;
	return -1;
}

/* --- finding the lines --- */

static void run_job(void *ctx, struct progress *p)
{
	struct tri_job *j = ctx;

	triage_lines_free(&j->lines);
	triage_lines_find(j->text, j->n, p, &j->lines);
}

static void drop_job(void *ctx)
{
	struct tri_job *j = ctx;

	triage_lines_free(&j->lines);
	free(j);
}

/* The first line of a problem counts as an error, even if its record has another severity. */
static void mark_problems(struct view *v)
{
	struct tri_view *s = v->state;
	const char *path = v->app->dump->files[s->log.file].path;

	for (size_t i = 0; i < s->n; i++) {
		const struct table *e = &s->t->errors;
		double line = triage_view_num(e, s->order[i], "line");

		if (line >= 1 && line <= (double)s->log.lines.n &&
		    !strcmp(triage_view_str(e, s->order[i], "file"), path))
			s->log.lines.severity[(size_t)line - 1] =
			    strcmp(triage_view_str(e, s->order[i], "severity"), "warning") ? 'E' : 'W';
	}
}

static void take_lines(struct view *v, struct tri_job *j)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	l->lines = j->lines;
	j->lines = (struct triage_lines){ 0 };
	l->job = NULL;
	if (frame_ready(v))
		mark_problems(v);
	triage_view_log_arrange(l);
}

static void job_done(struct app *app, void *ctx)
{
	struct view *v = app_view(app, "triage");
	struct tri_view *s = v && v->opened ? v->state : NULL;

	if (s && s->log.job == ctx)
		take_lines(v, ctx);
}

static void close_file(struct view *v)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	if (l->job)
		jobs_drop(v->app, l->job);
	l->job = NULL;
	triage_lines_free(&l->lines);
	free(l->shown);
	l->shown = NULL;
	l->list = (struct list){ .rows = l->list.rows };
	l->file = -1;
	l->text = NULL;
	l->n = 0;
}

void triage_view_log_close(struct view *v)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	close_file(v);
	regex_free(l->filter);
	l->filter = NULL;
}

void triage_view_log_open(struct view *v, int file, size_t line)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	const struct file *f = &v->app->dump->files[file];
	struct tri_job *j;
	struct err e;

	l->want = line;
	if (l->file == file) {
		if (!l->job)
			triage_view_log_arrange(l);
		return;
	}
	close_file(v);
	l->file = file;
	l->shift = 0;
	l->text = f->content ? (const char *)f->content(f->source, &l->n, &e) : NULL;
	j = xcalloc(1, sizeof *j);
	j->text = l->text;
	j->n = l->text ? l->n : 0;
	l->job = j;
	if (j->n > DIRECT_BYTES) {
		jobs_add(v->app, &(struct job){ "reading the log", run_job, job_done, drop_job, j });
		return;
	}
	run_job(j, NULL);
	take_lines(v, j);
	drop_job(j);
}

/* --- which lines are shown --- */

static size_t line_at(const struct tri_log *l, size_t i)
{
	return l->shown ? l->shown[i] : i;
}

size_t triage_view_log_line(const struct tri_log *l)
{
	return !l->job && l->list.at < l->list.n ? line_at(l, l->list.at) : SIZE_MAX;
}

static int severity_rank(char severity)
{
	const char *at = severity && severity != ' ' ? strchr("DIWEF", severity) : NULL;

	return at ? (int)(at - "DIWEF") : -1;
}

static const char *text_of(const struct tri_log *l, size_t line, size_t *n)
{
	const char *s = l->text + l->lines.at[line];

	*n = l->lines.at[line + 1] - l->lines.at[line];
	while (*n && (s[*n - 1] == '\n' || s[*n - 1] == '\r'))
		--*n;
	*n = *n < SHOWN_BYTES ? *n : SHOWN_BYTES;
	return s;
}

static bool line_passes(const struct tri_log *l, size_t line, struct regex_scratch *scratch)
{
	size_t n;
	const char *s = text_of(l, line, &n);

	if (l->least && severity_rank(l->lines.severity[line]) < severity_rank(l->least))
		return false;
	return !l->filter || regex_match(l->filter, scratch, s, n, NULL, NULL);
}

/* Keeps the cursor on its line, or on the next one that is shown. */
void triage_view_log_arrange(struct tri_log *l)
{
	size_t here = l->want        ? l->want - 1
	    : l->list.at < l->list.n ? line_at(l, l->list.at)
				     : 0,
	       n = 0, at = 0;
	struct regex_scratch *scratch = l->filter ? regex_scratch_new(l->filter) : NULL;
	bool all = !l->least && !l->filter;
	size_t *shown = all ? NULL : xcalloc(l->lines.n + 1, sizeof *shown);

	for (size_t i = 0; !all && i < l->lines.n; i++)
		if (line_passes(l, i, scratch))
			shown[n++] = i;
	regex_scratch_free(scratch);
	free(l->shown);
	l->shown = shown;
	l->list.n = all ? l->lines.n : n;
	while (!all && at < n && shown[at] < here)
		at++;
	l->list.at = all ? here : at;
	if (l->list.at >= l->list.n)
		l->list.at = l->list.n ? l->list.n - 1 : 0;
	if (l->want) { /* keep some lines before it visible */
		size_t before = (size_t)(l->above >= 0 ? l->above : l->list.rows > 0 ? l->list.rows / 4 : 5);

		l->list.top = l->list.at > before ? l->list.at - before : 0;
	}
	l->want = 0;
	l->above = -1;
}

/* --- drawing --- */

static enum role severity_role(char severity)
{
	return severity == 'E' || severity == 'F' ? ROLE_BAD : severity == 'W' ? ROLE_WARN : ROLE_DIM;
}

/* Draws a line from the current horizontal scroll position, with hits marked. */
static void draw_text(const struct tri_log *l, struct canvas *c, int y, int x, int room, size_t line,
    const struct regex *find, struct regex_scratch *scratch)
{
	size_t n, from, to, skip;
	const char *s = text_of(l, line, &n);
	int at = x;

	skip = utf8_fit(s, n, l->shift);
	s += skip;
	n -= skip;
	if (!find || !regex_match(find, scratch, s, n, &from, &to) || to <= from) {
		canvas_text(c, y, x, room, ROLE_TEXT, 0, s, n);
		return;
	}
	at += canvas_text(c, y, at, x + room - at, ROLE_TEXT, 0, s, from);
	at += canvas_text(c, y, at, x + room - at, ROLE_HIT, 0, s + from, to - from);
	canvas_text(c, y, at, x + room - at, ROLE_TEXT, 0, s + to, n - to);
}

static const char *level_text(const struct tri_log *l)
{
	return l->least == 'W' ? "warnings and errors" : l->least == 'E' ? "errors" : "all lines";
}

void triage_view_log_draw(struct view *v, struct canvas *c, struct rect a)
{
	struct tri_view *s = v->state;
	struct tri_log *l = &s->log;
	struct regex_scratch *scratch = s->frame.find ? regex_scratch_new(s->frame.find) : NULL;
	char number[24];
	int digits = snprintf(number, sizeof number, "%zu", l->lines.n), x;

	if (a.h >= 4 && l->file >= 0) {
		x = a.x + 1 +
		    canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_HEAD, 0, v->app->dump->files[l->file].base);
		canvas_fmt(c, a.y, x + 2, a.x + a.w - 3 - x, ROLE_DIM, 0, "%s%s%s", level_text(l),
		    l->filter ? "   &" : "", l->filter ? regex_pattern(l->filter) : "");
		a.y++;
		a.h--;
	}
	list_fit(&l->list, a.h);
	l->list.y = a.y;
	if (l->job || !l->list.n)
		canvas_str(c, a.y, a.x + 1, a.w - 2, ROLE_DIM, 0,
		    l->job ? "reading the log" : "no matching lines (3 shows all)");
	for (int y = 0; y < a.h && !l->job && l->list.top + (size_t)y < l->list.n; y++) {
		size_t i = l->list.top + (size_t)y, line = line_at(l, i);

		snprintf(number, sizeof number, "%zu", line + 1);
		canvas_right(c, a.y + y, a.x + 1 + digits, ROLE_DIM, 0, number);
		canvas_put(c, a.y + y, a.x + 2 + digits, (uint32_t)l->lines.severity[line],
		    severity_role(l->lines.severity[line]), ATTR_BOLD);
		draw_text(l, c, a.y + y, a.x + 4 + digits, a.w - 4 - digits, line, s->frame.find, scratch);
		if (i == l->list.at)
			canvas_role(c, (struct rect){ a.y + y, a.x, 1, a.w }, ROLE_SELECTED, 0);
	}
	regex_scratch_free(scratch);
}

void triage_view_log_status(const struct view *v, char *left, size_t size)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	size_t line = triage_view_log_line(l);

	if (line != SIZE_MAX)
		snprintf(left, size, "line %zu of %zu%s", line + 1, l->lines.n,
		    l->shown ? "   filtered" : "");
}

/* --- keys --- */

static unsigned other_file(struct view *v, int by)
{
	const struct tri_view *s = v->state;
	const struct dump *d = v->app->dump;
	int at = s->log.file;

	for (size_t i = 0; i < d->nfiles; i++) {
		at = (at + by + (int)d->nfiles) % (int)d->nfiles;
		if (d->files[at].kind == FILE_TEXT) {
			triage_view_log_open(v, at, 1);
			return REACT_REDRAW;
		}
	}
	return REACT_NONE;
}

unsigned triage_view_log_act(struct view *v, enum action a, int count)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	switch (a) {
	case ACT_LOG_NEXT:
		return other_file(v, 1);
	case ACT_LOG_PREV:
		return other_file(v, -1);
	case ACT_LEFT:
		l->shift = l->shift > SHIFT * count ? l->shift - SHIFT * count : 0;
		return REACT_REDRAW;
	case ACT_RIGHT:
		l->shift = l->shift + SHIFT * count < SHOWN_BYTES ? l->shift + SHIFT * count : SHOWN_BYTES;
		return REACT_REDRAW;
	case ACT_LOG_ALL:
	case ACT_LOG_WARNINGS:
	case ACT_LOG_ERRORS:
		l->least = a == ACT_LOG_ALL ? 0 : a == ACT_LOG_WARNINGS ? 'W' : 'E';
		if (!l->job)
			triage_view_log_arrange(l);
		return REACT_REDRAW;
	default:
		return list_react(&l->list, a, count);
	}
}

int triage_view_log_filter(struct view *v, const char *pattern, struct err *err)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	struct regex *re = NULL;

	if (*pattern && !(re = regex_new(pattern, true, err)))
		return -1;
	regex_free(l->filter);
	l->filter = re;
	if (!l->job)
		triage_view_log_arrange(l);
	return (int)l->list.n;
}

struct looking {
	const struct tri_log *in;
	const struct regex *re;
	struct regex_scratch *scratch;
};

static bool is_hit(const void *ctx, size_t at)
{
	const struct looking *f = ctx;
	size_t n;
	const char *text = text_of(f->in, line_at(f->in, at), &n);

	return regex_match(f->re, f->scratch, text, n, NULL, NULL);
}

/* Searches the lines that are shown. */
int triage_view_log_find(struct view *v, const struct regex *re, int dir, struct list_hits *hits)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	struct looking f = { l, re, NULL };
	size_t to;

	if (l->job)
		return -1;
	f.scratch = regex_scratch_new(re);
	to = list_find(hits, l->list.n, l->list.at, dir, is_hit, &f);
	regex_scratch_free(f.scratch);
	l->list.at = to == SIZE_MAX ? l->list.at : to;
	return (int)hits->n;
}
