#include "config.h"
#include "analyze/triage/triage.h"

#include <string.h>

#include "analyze/memory/rank.h"
#include "model/hlo.h"

#define PIECE ((size_t)256 << 10)

bool triage_has_texts(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (file_is_log(&d->files[i]))
			return true;
	return false;
}

/* Leaves out files that XLA_METRICS_FILE names: they hold nothing but reports, perhaps a hundred thousand of them. */
static bool is_metrics_file(const struct file *f, const char *s, size_t n)
{
	static const char first[] = "[MetricsData; step=";

	return f->kind == FILE_PTXLA_METRICS && s && n > strlen(first) && !memcmp(s, first, strlen(first));
}

static void read_text(struct triage *t, const struct file *f, struct progress *p)
{
	struct err e;
	size_t n = 0;
	const char *s = (const char *)f->content(f->source, &n, &e);

	if (is_metrics_file(f, s, n))
		return;
	triage_file(t, f->path);
	for (size_t at = 0; s && at < n && !progress_canceled(p); at += PIECE) {
		size_t piece = n - at < PIECE ? n - at : PIECE;

		triage_text(t, s + at, piece);
		if (f->forget)
			f->forget(f->source, at, at + piece);
		progress_add(p, piece, 0);
	}
}

static int module_of(const struct dump *d, const struct triage *t, size_t error)
{
	const struct cell *name = table_get(&t->errors, error, "module");

	if (name->type == CELL_STR)
		return hlo_module_find(d, name->s);
	return table_get(&t->errors, error, "dump")->type == CELL_STR ? memory_failed(d) : -1;
}

int triage_module(const struct triage *t, const struct dump *d)
{
	for (int rank = 0; rank < TRIAGE_RANKS; rank++)
		for (size_t i = 0; i < t->errors.nrows; i++) {
			int module = triage_rank(t, i) == rank ? module_of(d, t, i) : -1;

			if (module >= 0 && memory_is_known(&d->modules[module]))
				return module;
		}
	return -1;
}

const char *triage_module_why(const struct triage *t, const struct dump *d, size_t module)
{
	return t && triage_module(t, d) == (int)module && memory_failed(d) != (int)module
	    ? "the message is about"
	    : memory_first_why(d, module);
}

const char *triage_missing(const struct triage *t, const struct dump *d)
{
	for (int rank = 0; t && d->nmodules && rank < TRIAGE_RANKS - 1; rank++)
		for (size_t i = 0; i < t->errors.nrows; i++) {
			const struct cell *name = table_get(&t->errors, i, "module");

			if (triage_rank(t, i) != rank || table_get(&t->errors, i, "space")->type != CELL_STR)
				continue;
			if (module_of(d, t, i) >= 0)
				return NULL;
			if (name->type == CELL_STR)
				return name->s;
		}
	return NULL;
}

/* all that have the name in the message: they were compiled for one kind of chip */
int64_t *triage_limits(const struct triage *t, const struct dump *d)
{
	int64_t *v = xcalloc(d->nmodules + 1, sizeof *v);

	for (size_t i = 0; i < d->nmodules; i++)
		v[i] = -1;
	for (size_t i = 0; t && i < t->errors.nrows; i++) {
		const struct cell *limit = table_get(&t->errors, i, "limit_bytes");
		struct slice name = cell_text(table_get(&t->errors, i, "module"));
		int module;

		if (limit->type != CELL_INT || !slice_is(cell_text(table_get(&t->errors, i, "space")), "hbm"))
			continue;
		module = module_of(d, t, i);
		for (size_t k = 0; k < d->nmodules; k++)
			if (v[k] < 0 && ((int)k == module || slice_is(name, d->modules[k].name)))
				v[k] = limit->u.i;
	}
	return v;
}

void triage_list_from(const struct dump *d, struct triage *t, size_t error)
{
	static const char *const spaces[] = { "hbm", "vmem", "smem" };
	static const int colors[] = { 0, 1, 4 };
	const struct cell *space = table_get(&t->errors, error, "space");
	struct memory m;
	struct err e;
	int color = -1, module;

	for (int i = 0; i < 3 && space->type == CELL_STR; i++)
		color = !strcmp(space->s, spaces[i]) ? colors[i] : color;
	if (color < 0 || table_get(&t->errors, error, "listed_buffers")->u.i)
		return;
	module = module_of(d, t, error);
	if (module < 0 || !d->modules[module].has_buffers)
		return;
	memory_make(d, (size_t)module, color, -1, NULL, &m, &e);
	triage_add_peak(t, error, &m);
	memory_free(&m);
}

void triage_of_dump(const struct dump *d, struct progress *p, struct triage *t)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		bytes += file_is_log(&d->files[i]) ? d->files[i].bytes : 0;
	progress_begin(p, bytes);
	triage_begin(t);
	for (size_t i = 0; i < d->nfiles && !progress_canceled(p); i++) {
		if (file_is_log(&d->files[i]) && d->files[i].content)
			read_text(t, &d->files[i], p);
		else if (d->files[i].kind == FILE_HLO_PROTO || d->files[i].kind == FILE_XLA_DUMP ||
		    d->files[i].kind == FILE_HLO_TEXT)
			triage_dump(t, d->files[i].path);
	}
	triage_end(t);
	for (size_t i = 0; i < t->errors.nrows && !progress_canceled(p); i++)
		triage_list_from(d, t, i);
}
