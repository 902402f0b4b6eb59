#include "config.h"
#include "analyze/tables/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/hlo.h"
#include "model/llo.h"

struct file_row {
	const struct dump *dump;
	const struct file *of;    /* NULL: the run as a whole */
	const char *name, *label; /* label: of files that are shown as one; NULL: that of the file */
	uint64_t bytes, problems, notes;
};

struct parts {
	bool device, steps, host, hlo;
};

static struct parts parts_of(const struct dump *d, int file)
{
	struct parts has = { .hlo = false };

	for (size_t i = 0; i < d->trace.ntracks; i++) {
		const struct track *k = &d->trace.tracks[i];
		const struct plane *p = &d->trace.planes[k->plane];

		if (p->file != file || !k->n)
			continue;
		has.device |= plane_runs_ops(p->kind);
		has.host |= p->kind == PLANE_HOST;
		has.steps |= k->role == TRACK_STEPS;
	}
	for (size_t i = 0; i < d->nmodules; i++) /* those that lie beside it are as good */
		has.hlo |= d->modules[i].file == file || d->modules[i].origin == HLO_FILE;
	return has;
}

static struct cell xspace_lacks(const struct dump *d, int file, struct arena *text)
{
	struct parts has = parts_of(d, file);
	char buf[120];

	snprintf(buf, sizeof buf, "%s%s%s%s", has.device ? "" : ", device planes",
	    has.device && !has.steps ? ", steps" : "", has.host ? "" : ", host threads",
	    has.hlo ? "" : ", HLO protos");
	return arena_cell(text, *buf ? buf + 2 : NULL);
}

static struct cell lacks(const struct file_row *r, struct arena *text)
{
	if (!r->of)
		return cell_null();
	if (r->of->digest)
		return cell_strz("single events: it holds sums");
	if (r->of->kind == FILE_XSPACE)
		return xspace_lacks(r->dump, (int)(r->of - r->dump->files), text);
	if (file_kind_info[r->of->kind].lacks)
		return cell_strz(file_kind_info[r->of->kind].lacks);
	return cell_strz(file_kind_opens(r->of->kind) ? NULL : "everything: it is listed, but not read");
}

#define SCHEMA file
#define SCHEMA_ROW struct file_row
#define SCHEMA_DEF "analyze/tables/files.def"
#include "result/schema_def.h"

const struct schema files_schema = { SCHEMA_COLUMNS(file_columns),
	.view = "file label host bytes events problems partial lacks -kind -notes -packing -path",
	.text = "file label bytes events problems packing lacks" };

/* Returns false when nothing was said about it. */
static bool count_problems(const struct dump *d, int file, struct file_row *r)
{
	for (size_t i = 0; i < d->problems->n; i++) {
		const struct problem *p = &d->problems->v[i];

		if (p->file == file)
			*(p->level == PROBLEM_NOTE ? &r->notes : &r->problems) += p->count;
	}
	if (file < 0)
		r->problems += d->problems->lost;
	return r->problems || r->notes;
}

static int compare_names(const void *a, const void *b)
{
	const struct file *x = *(const struct file *const *)a, *y = *(const struct file *const *)b;
	int by = strcmp(x->base, y->base);

	return by ? by : strcmp(x->path, y->path);
}

/* The length of the folders that both paths begin with. */
static size_t common_folders(const char *a, const char *b)
{
	size_t len = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			len = i + 1;
	return len;
}

/* Files of one name are told apart by their paths, without the folders that all of them have in common; these
 * are what the first and the last path share, because they are sorted. */
static const char **name_files(const struct dump *d)
{
	const struct file **sorted = xcalloc(d->nfiles + 1, sizeof *sorted);
	const char **names = xcalloc(d->nfiles + 1, sizeof *names);

	for (size_t i = 0; i < d->nfiles; i++)
		sorted[i] = &d->files[i];
	qsort(sorted, d->nfiles, sizeof *sorted, compare_names);
	for (size_t i = 0, end; i < d->nfiles; i = end) {
		size_t common;

		for (end = i + 1; end < d->nfiles && !strcmp(sorted[end]->base, sorted[i]->base);)
			end++;
		common = common_folders(sorted[i]->path, sorted[end - 1]->path);
		for (size_t j = i; j < end; j++)
			names[sorted[j] - d->files] =
			    end - i > 1 ? sorted[j]->path + common : sorted[j]->base;
	}
	free(sorted);
	return names;
}

/* The files of an LLO dump: a line for each unit, named by it. */
static void add_llo(const struct dump *d, const char **names, struct table *t)
{
	struct llo_units u;

	llo_units(d, &u);
	for (size_t i = 0; i < u.n; i++) {
		const struct llo_unit *v = &u.v[i];
		struct file_row r = { .dump = d, .name = names[u.file[v->first]] };
		char label[48];
		size_t n = 0;

		for (size_t j = v->first; j < v->first + v->n; j++) {
			const struct file *f = &d->files[u.file[j]];

			if (file_kind_info[f->kind].family != FILES_LLO)
				continue;
			r.of = n++ ? r.of : f;
			r.bytes += f->bytes;
			count_problems(d, u.file[j], &r);
		}
		if (!n)
			continue;
		snprintf(label, sizeof label, "LLO unit, %zu files", n);
		r.label = n > 1 ? label : NULL;
		if (n > 1)
			r.name = arena_strndup(&t->text, v->name.s, v->name.n);
		table_add(t, &r);
	}
	llo_units_free(&u);
}

void files_table(const struct dump *d, struct table *t)
{
	const char **names = name_files(d);
	struct file_row r = { .dump = d };

	table_begin(t, &files_schema);
	for (size_t i = 0; i < d->nfiles; i++) {
		if (file_kind_info[d->files[i].kind].family == FILES_LLO)
			continue;
		r = (struct file_row){ d, &d->files[i], .name = names[i], .bytes = d->files[i].bytes };
		count_problems(d, (int)i, &r);
		table_add(t, &r);
	}
	add_llo(d, names, t);
	r = (struct file_row){ .dump = d };
	if (count_problems(d, -1, &r))
		table_add(t, &r);
	free(names);
}
