#include "config.h"
#include "view/triage/triage.h"

#include <string.h>

#include "core/app.h"

/* The saved state waits in s->want until the texts have been read. */

/* Saves only what differs from the initial state. */
static void put_nonzero(struct kv *kv, const char *name, int64_t value)
{
	if (value)
		kv_put_int(kv, name, value);
}

void triage_view_save(const struct view *v, struct kv *kv)
{
	const struct tri_view *s = v->state;
	const struct tri_log *l = &s->log;
	const struct sheet *buffers = triage_view_buffers(v->state);
	struct kv logs = { 0 };
	struct log_line at = { .line = l->want.line ? l->want.line - 1 : 0 };

	if (!s->t) {
		kv_add(kv, "", &s->want);
		return;
	}
	put_nonzero(kv, "problem", (int64_t)s->at);
	put_nonzero(kv, "page", s->page);
	put_nonzero(kv, "scroll", s->frame.scroll);
	put_nonzero(kv, "line", (int64_t)buffers->list.at);
	put_nonzero(kv, "top", (int64_t)buffers->list.top);
	if (s->table.nrows)
		sheet_save(buffers, kv);
	put_nonzero(&logs, "line", (int64_t)s->logs.list.at);
	sheet_save(&s->logs, &logs);
	kv_add(kv, "logs.", &logs);
	kv_free(&logs);
	if (l->file == -1)
		return;
	triage_view_log_line(l, &at);
	kv_put_int(kv, "log",
	    l->logs.ntexts ? triage_view_log_file(v, l->logs.texts[at.text].path) : l->file);
	put_nonzero(kv, "log.merged", l->file == TRI_MERGED);
	put_nonzero(kv, "log.fold", l->fold);
	put_nonzero(kv, "least", l->least);
	put_nonzero(kv, "shift", l->shift);
	if (l->filter)
		kv_put(kv, "log.filter", regex_pattern(l->filter));
	kv_put_int(kv, "log.line", (int64_t)at.line + 1);
	if (l->list.at >= l->list.top)
		kv_put_int(kv, "log.above", (int64_t)(l->list.at - l->list.top));
}

void triage_view_restore(struct view *v, const struct kv *kv)
{
	struct tri_view *s = v->state;
	struct kv logs = { 0 };

	kv_add(&s->want, "", kv);
	kv_part(kv, "logs.", &logs);
	sheet_restore(&s->logs, &logs);
	kv_free(&logs);
}

static int64_t saved_number(const struct kv *kv, const char *name, int64_t below)
{
	int64_t n;

	return kv_get_int(kv, name, &n) && n >= 0 && n < below ? n : 0;
}

static void want_log(struct view *v, const struct kv *kv)
{
	struct tri_view *s = v->state;
	const struct dump *d = v->cap->dump;
	const char *pattern = kv_get(kv, "log.filter");
	int64_t least = saved_number(kv, "least", 128), file;

	if (!kv_get_int(kv, "log", &file) || file < 0 || file >= (int64_t)d->nfiles ||
	    !file_is_log(&d->files[file]))
		return;
	s->log.least = least == 'W' || least == 'E' ? (char)least : 0;
	s->log.filter = pattern ? regex_new(pattern, REGEX_SMART_CASE, NULL) : NULL;
	s->log.above = saved_number(kv, "log.above", INT32_MAX);
	s->log.fold = saved_number(kv, "log.fold", 2);
	triage_view_log_open(v, saved_number(kv, "log.merged", 2) ? TRI_MERGED : (int)file, (int)file,
	    (size_t)saved_number(kv, "log.line", INT64_MAX));
	s->log.shift = (int)saved_number(kv, "shift", 8192);
}

/* Skips what no longer fits if the texts have changed. */
void triage_view_return(struct view *v)
{
	struct tri_view *s = v->state;
	struct kv want = s->want;
	int64_t page = saved_number(&want, "page", TRI_LINE + 1);
	struct sheet *buffers;

	if (!want.n)
		return;
	s->want = (struct kv){ 0 };
	s->at = (size_t)saved_number(&want, "problem", (int64_t)s->n);
	triage_view_problem_make(v);
	buffers = triage_view_buffers(s);
	if (s->table.nrows)
		sheet_restore(buffers, &want);
	buffers->list.at = (size_t)saved_number(&want, "line", (int64_t)buffers->list.n);
	buffers->list.top = (size_t)saved_number(&want, "top", (int64_t)buffers->list.n);
	s->logs.list.at = (size_t)saved_number(&want, "logs.line", (int64_t)s->logs.list.n);
	want_log(v, &want);
	if (page == TRI_PROBLEM || (page == TRI_BUFFER && s->table.nrows) || (page == TRI_ADVICE && s->n) ||
	    (page >= TRI_LOG && s->log.file != -1))
		triage_view_show_page(v, (enum tri_page)page);
	s->frame.scroll = (int)saved_number(&want, "scroll", 20000);
	kv_free(&want);
}
