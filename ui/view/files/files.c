#include "config.h"
#include "view/files/files.h"

#include <stdio.h>
#include <string.h>

#include "analyze/tables/files.h"
#include "base/text/units.h"
#include "core/app.h"
#include "report/write/writer.h"
#include "view/frames.h"

/* What is in the files, not what was derived. */
static const struct dump *dump_of(const struct view *v)
{
	return v->cap->base;
}

int files_view_here(const struct view *v)
{
	const struct files *f = v->state;
	size_t row = sheet_row(&f->sheet);

	return row < dump_of(v)->nfiles ? (int)row : -1;
}

/* --- the table --- */

static void files_take(struct view *v)
{
	struct files *f = v->state;

	files_table(dump_of(v), &f->table);
	f->problems = dump_of(v)->problems->n;
	sheet_set(&f->sheet, &f->table);
}

static void files_drop(struct view *v)
{
	struct files *f = v->state;

	sheet_set(&f->sheet, NULL);
	table_free(&f->table);
}

/* Data that is decoded on demand may turn out to be damaged, so problems may be added later. */
static bool is_ready(struct view *v)
{
	struct files *f = v->state;

	if (f->problems != dump_of(v)->problems->n) {
		sheet_keep(&f->sheet);
		files_drop(v);
		files_take(v);
	}
	return true;
}

static enum role cell_role(const void *ctx, size_t row, size_t column)
{
	const struct files *f = ctx;
	const struct cell *partial = table_at(&f->table, row, FILES_partial);

	if (column != FILES_problems && column != FILES_partial)
		return ROLE_TEXT;
	if (partial->type == CELL_BOOL && partial->u.b)
		return ROLE_BAD;
	return column == FILES_problems && table_num(&f->table, row, column) > 0 ? ROLE_WARN : ROLE_DIM;
}

/* --- frame --- */

static struct sheet *shown_sheet(struct view *v)
{
	return &((struct files *)v->state)->sheet;
}

static void draw_sheet(struct view *v, struct canvas *c, struct rect r)
{
	sheet_draw(shown_sheet(v), c, r);
}

/* When there are few files, the card gets the remaining rows. */
static struct frame_place files_divide(struct view *v, struct rect a)
{
	const struct files *f = v->state;
	struct frame_place p = frame_divide(&frame_forms[FORM_FILES], a);
	int spare = p.main.h - 2 - (int)(f->sheet.list.n < 100 ? f->sheet.list.n : 100);

	if (p.how == FRAME_BELOW && spare > 0) {
		p.main.h -= spare;
		p.card.y -= spare;
		p.card.h += spare;
	}
	return p;
}

static void card_title(struct view *v, char *title, char *right, size_t size)
{
	snprintf(title, size, "%s", files_view_name(v));
	*right = 0;
}

static const struct frame_ops frame_ops = { .form = &frame_forms[FORM_FILES],
	.take = files_take,
	.drop = files_drop,
	.ready = is_ready,
	.sheet = shown_sheet,
	.divide = files_divide,
	.main = draw_sheet,
	.card = files_view_card,
	.title = card_title };

/* --- life, links, texts --- */

static int files_open(struct view *v)
{
	struct files *f = v->state;

	sheet_open(&f->sheet, &files_schema, NULL, NULL);
	sheet_name(&f->sheet, "path", NULL);
	f->sheet.all = true;
	f->sheet.role = cell_role;
	f->sheet.ctx = f;
	return 0;
}

static void files_close(struct view *v)
{
	frame_close(v);
	sheet_free(shown_sheet(v));
}

static struct ref files_here(const struct view *v)
{
	struct ref r = REF_EMPTY;

	if (frame_ready(v)) {
		r.kind = REF_FILE;
		r.file = files_view_here(v);
	}
	return r;
}

static int files_show(struct view *v, const struct ref *ref)
{
	struct files *f = v->state;

	if (ref->kind != REF_FILE || ref->file >= (int)dump_of(v)->nfiles || !frame_ready(v))
		return -1;
	sheet_show(&f->sheet, ref->file < 0 ? f->table.nrows - 1 : (size_t)ref->file);
	return 0;
}

static void files_status(const struct view *v, char *left, char *right, size_t size)
{
	uint64_t problems = problems_count(dump_of(v)->problems, -1);
	char n[32], key[32];

	if (frame_ready(v))
		sheet_status(shown_sheet((struct view *)v), left, size);
	if (dump_more_runs(dump_of(v)))
		snprintf(right, size, "%s opens the whole job",
		    keymap_key_text(&v->app->keymap, ACT_JOIN_RUNS, SCOPE_FILES, key, sizeof key));
	else if (problems)
		snprintf(right, size, "%s problem%s in total", units_count(n, sizeof n, problems),
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

/* Copies the row, and the problems of the file. */
static char *files_name(const struct view *v)
{
	int file = frame_ready(v) ? files_view_here(v) : -1;

	return file < 0 ? NULL : xstrdup(dump_of(v)->files[file].path);
}

static int files_copy(struct view *v, FILE *out)
{
	static const char *const levels[] = { "note", "warning", "damage" };
	const struct dump *d = dump_of(v);

	if (!frame_ready(v) || sheet_copy(shown_sheet(v), out))
		return -1;
	for (size_t i = 0; i < d->problems->n; i++)
		if (d->problems->v[i].file == files_view_here(v))
			fprintf(out, "%s\t%s\n", levels[d->problems->v[i].level], d->problems->v[i].text);
	return 0;
}

static void add_files(void *view, struct report *r)
{
	struct table t;

	if (report_for_people(r)) /* who have it in the report */
		return;
	files_table(dump_of(view), &t);
	report_whole(r, "files", &t);
	table_free(&t);
}

static void files_save(const struct view *v, struct kv *kv)
{
	sheet_keep(shown_sheet((struct view *)v));
	sheet_save(shown_sheet((struct view *)v), kv);
}

static void files_restore(struct view *v, const struct kv *kv)
{
	sheet_restore(shown_sheet(v), kv);
}

static const struct view_table tables[] = { { "files", &files_schema }, { NULL, NULL } };

const struct view_ops view_files = {
	.id = "files",
	.title = "Files",
	.tables = tables,
	.letter = 'f',
	.scope = SCOPE_FILES,
	.frame = &frame_ops,
	.size = sizeof(struct files),
	.open = files_open,
	FRAME_SLOTS,
	.here = files_here,
	.show = files_show,
	.status = files_status,
	.title_right = files_title,
	.close = files_close,
	.save = files_save,
	.restore = files_restore,
	.name = files_name,
	.copy = files_copy,
	.report = "info",
	.add = add_files,
};
