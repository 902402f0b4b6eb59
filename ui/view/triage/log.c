#include "config.h"
#include "view/triage/triage.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/app.h"
#include "core/job.h"

#define DIRECT_BYTES ((size_t)4 << 20) /* texts up to this size are read at once, without a job */
#define SHIFT 8

struct tri_job {
	struct logs logs;
};

int triage_view_log_file(const struct view *v, const char *path)
{
	const struct dump *d = v->cap->dump;

	for (size_t i = 0; i < d->nfiles; i++)
		if (file_is_log(&d->files[i]) && !strcmp(d->files[i].path, path))
			return (int)i;
	return -1;
}

/* --- reading the logs --- */

static void run_job(void *ctx, struct progress *p)
{
	logs_read(&((struct tri_job *)ctx)->logs, p);
}

static void drop_job(void *ctx)
{
	struct tri_job *j = ctx;

	logs_free(&j->logs);
	free(j);
}

static size_t text_of(const struct logs *l, const char *path)
{
	size_t i = 0;

	while (i < l->ntexts && strcmp(l->texts[i].path, path))
		i++;
	return i;
}

/* The first line of a problem counts as an error, even if its record has a lower severity. */
static void mark_problems(struct view *v)
{
	struct tri_view *s = v->state;
	const struct table *e = &s->t->errors;

	for (size_t i = 0; i < s->n; i++) {
		size_t text = text_of(&s->log.logs, triage_view_str(e, s->order[i], TRIAGE_ERRORS_file));
		double line = table_num(e, s->order[i], TRIAGE_ERRORS_line);
		struct triage_lines *l = text < s->log.logs.ntexts ? &s->log.logs.texts[text].lines : NULL;
		char least =
		    strcmp(triage_view_str(e, s->order[i], TRIAGE_ERRORS_severity), "warning") ? 'E' : 'W';
		char *is = l && line >= 1 && line <= (double)l->n ? &l->severity[(size_t)line - 1] : NULL;

		if (is && triage_view_severity_rank(*is) < triage_view_severity_rank(least))
			*is = least;
	}
}

static const char *host_of(const struct table *logs, const char *path)
{
	for (size_t i = 0; logs && i < logs->nrows; i++)
		if (!strcmp(triage_view_str(logs, i, TRIAGE_LOGS_file), path))
			return triage_view_str(logs, i, TRIAGE_LOGS_host);
	return "";
}

/* Bytes that all names begin with; all of the first if they do not differ. */
static size_t common_start(const char *const *name, size_t n)
{
	size_t same = n ? strlen(name[0]) : 0;

	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < same; k++)
			if (name[0][k] != name[i][k])
				same = k;
	return same;
}

/* The hosts of the logs if they differ, else the names of the files; without what all of them begin with. */
static void name_texts(struct view *v)
{
	enum { LEAST = 3 }; /* bytes of a name that are kept in any case */
	struct tri_view *s = v->state;
	struct tri_log *l = &s->log;
	size_t n = l->logs.ntexts, same;
	const char **name = xcalloc(n + 1, sizeof *name);

	for (size_t i = 0; i < n; i++)
		name[i] = host_of(s->t ? &s->t->logs : NULL, l->logs.texts[i].path);
	same = common_start(name, n);
	if (n && !name[0][same]) {
		for (size_t i = 0; i < n; i++) {
			const char *base = strrchr(l->logs.texts[i].path, '/');

			name[i] = base ? base + 1 : l->logs.texts[i].path;
		}
		same = common_start(name, n);
	}
	l->names = xcalloc(n + 1, sizeof *l->names);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(name[i]),
		       skip = len < LEAST ? 0
		    : same < len - LEAST  ? same
					  : len - LEAST;

		l->names[i] = xstrdup(name[i] + skip);
	}
	free(name);
}

static void arrange_rows(struct view *v)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	struct err err;

	if (!l->job && triage_view_log_arrange(l, &err))
		app_error(v->app, "%s", err.msg);
}

static void take_logs(struct view *v, struct tri_job *j)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	l->logs = j->logs;
	j->logs = (struct logs){ 0 };
	l->job = NULL;
	if (frame_ready(v))
		mark_problems(v);
	name_texts(v);
	arrange_rows(v);
}

static void job_done(struct app *app, void *ctx)
{
	struct view *v = app_view(app, "triage");
	struct tri_view *s = v && v->opened ? v->state : NULL;

	if (s && s->log.job == ctx)
		take_logs(v, ctx);
}

static void close_logs(struct view *v)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	if (l->job)
		jobs_drop(v->app, l->job);
	l->job = NULL;
	for (size_t i = 0; l->names && i < l->logs.ntexts; i++)
		free(l->names[i]);
	free(l->names);
	logs_free(&l->logs);
	free(l->shown);
	free(l->times);
	free(l->worst);
	l->names = NULL;
	l->shown = NULL;
	l->times = NULL;
	l->worst = NULL;
	l->worst_of = 0;
	l->list = (struct list){ .rows = l->list.rows };
	l->file = -1;
}

void triage_view_log_close(struct view *v)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	close_logs(v);
	regex_free(l->filter);
	l->filter = NULL;
}

static bool line_is_wanted(const struct file *f, size_t i, int file)
{
	return file_is_log(f) && (file == TRI_MERGED || (size_t)file == i);
}

static struct tri_job *job_for(const struct dump *d, int file, size_t *bytes)
{
	struct tri_job *j = xcalloc(1, sizeof *j);
	struct log_text *texts = xcalloc(d->nfiles + 1, sizeof *texts);
	size_t n = 0;
	struct err e;

	*bytes = 0;
	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];

		if (!line_is_wanted(f, i, file))
			continue;
		texts[n].path = f->path;
		if (f->content)
			texts[n].bytes = (const char *)f->content(f->source, &texts[n].n, &e);
		if (!texts[n].bytes)
			texts[n].n = 0;
		*bytes += texts[n++].n;
	}
	logs_take(&j->logs, texts, n);
	return j;
}

void triage_view_log_open(struct view *v, int file, int of, size_t line)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	const struct dump *d = v->cap->dump;
	struct tri_job *j;
	size_t bytes;

	l->want = (struct log_line){ .line = line };
	for (int i = 0; file == TRI_MERGED && i < of; i++)
		l->want.text += file_is_log(&d->files[i]);
	if (l->file == file) {
		arrange_rows(v);
		return;
	}
	close_logs(v);
	l->file = file;
	l->shift = 0;
	l->job = j = job_for(d, file, &bytes);
	if (bytes > DIRECT_BYTES) {
		jobs_add(v->app, &(struct job){ "reading the logs", run_job, job_done, drop_job, j });
		return;
	}
	run_job(j, NULL);
	take_logs(v, j);
	drop_job(j);
}

/* --- keys --- */

/* The file of the dump that the line under the cursor is of. */
static int file_here(const struct view *v, size_t *line)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	struct log_line at;

	if (!triage_view_log_line(l, &at))
		return l->file;
	*line = at.line + 1;
	return triage_view_log_file(v, l->logs.texts[at.text].path);
}

static unsigned other_file(struct view *v, int by)
{
	const struct dump *d = v->cap->dump;
	size_t line;
	int at = file_here(v, &line);

	for (size_t i = 0; at >= 0 && i < d->nfiles; i++) {
		at = (at + by + (int)d->nfiles) % (int)d->nfiles;
		if (file_is_log(&d->files[at])) {
			triage_view_log_open(v, at, at, 1);
			return REACT_REDRAW;
		}
	}
	return REACT_NONE;
}

/* From one log to all, or from all to the log of the line under the cursor. */
static unsigned merge_or_part(struct view *v)
{
	const struct tri_log *l = &((const struct tri_view *)v->state)->log;
	const struct dump *d = v->cap->dump;
	size_t texts = 0, line = 1;
	int file = file_here(v, &line);

	for (size_t i = 0; i < d->nfiles; i++)
		texts += file_is_log(&d->files[i]);
	if (texts < 2 || file < 0)
		app_say(v->app, "there is only one log");
	else
		triage_view_log_open(v, l->file == TRI_MERGED ? file : TRI_MERGED, file, line);
	return REACT_REDRAW;
}

static unsigned change_rows(struct view *v, enum action a)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	if (a == ACT_LOG_FOLD)
		l->fold = !l->fold;
	else
		l->least = a == ACT_LOG_ALL ? 0 : a == ACT_LOG_WARNINGS ? 'W' : 'E';
	arrange_rows(v);
	return REACT_REDRAW;
}

unsigned triage_view_log_act(struct view *v, enum action a, int count)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;

	switch (a) {
	case ACT_LOG_NEXT:
		return other_file(v, 1);
	case ACT_LOG_PREV:
		return other_file(v, -1);
	case ACT_LOG_MERGE:
		return merge_or_part(v);
	case ACT_LEFT:
		l->shift = l->shift > SHIFT * count ? l->shift - SHIFT * count : 0;
		return REACT_REDRAW;
	case ACT_RIGHT:
		l->shift =
		    l->shift + SHIFT * count < TRI_LINE_BYTES ? l->shift + SHIFT * count : TRI_LINE_BYTES;
		return REACT_REDRAW;
	case ACT_LOG_FOLD:
	case ACT_LOG_ALL:
	case ACT_LOG_WARNINGS:
	case ACT_LOG_ERRORS:
		return change_rows(v, a);
	default:
		return list_react(&l->list, a, count);
	}
}

/* --- search and filter --- */

int triage_view_log_filter(struct view *v, const char *pattern, struct err *err)
{
	struct tri_log *l = &((struct tri_view *)v->state)->log;
	struct regex *re = NULL;

	if (*pattern && !(re = regex_new(pattern, REGEX_SMART_CASE, err)))
		return -1;
	regex_free(l->filter);
	l->filter = re;
	if (!l->job && triage_view_log_arrange(l, err))
		return -1;
	return (int)l->list.n;
}

struct looking {
	const struct tri_log *in;
	const struct regex *re;
	struct regex_scratch *scratch;
};

static bool log_row_is_hit(const void *ctx, size_t row)
{
	const struct looking *f = ctx;
	struct slice s = logs_bytes(&f->in->logs, triage_view_log_row(f->in, row));

	return regex_match(f->re, f->scratch, s.s, s.n < TRI_LINE_BYTES ? s.n : TRI_LINE_BYTES, NULL, NULL);
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
	to = list_find(hits, l->list.n, l->list.at, dir, log_row_is_hit, &f);
	regex_scratch_free(f.scratch);
	l->list.at = to == SIZE_MAX ? l->list.at : to;
	return (int)hits->n;
}
