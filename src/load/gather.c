#include "config.h"

#include "load/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "load/graphs_beside.h"
#include "load/probe/foreign.h"
#include "load/probe/logdir.h"
#include "load/probe/probe.h"
#include "load/refuse.h"
#include "load/source/archive.h"
#include "load/source/decoder.h"
#include "load/source/file_name.h"
#include "load/source/source.h"
#include "load/split_run.h"
#include "load/twice.h"
#include "model/llo.h"

#define HEAD_SIZE (64u << 10) /* enough to find the events of any trace JSON seen */
#define FIRST_SIZE 4096       /* enough to recognize an XSpace */
#define LOG_SIZE 4096
#define TAIL_SIZE 48 /* footer of a trace table */

void gather_failed(struct loading *l, const char *path, const struct err *e)
{
	if (!l->first.status) {
		l->first = *e;
		if (path)
			err_set(&l->first, e->status, e->at, "%.150s: %.300s", path, e->msg);
	}
	problem_add(l->dump->problems, PROBLEM_DAMAGE, -1, e->at, 1, "%s%s%s", path ? path : "",
	    path ? ": " : "", e->msg);
}

/* The profiler creates the file first and fills it later, so an empty file of that name is an empty
 * XSpace. */
static bool named_xspace(const char *path)
{
	size_t stem;

	return file_kind_info[file_kind_named(file_name_plain(path), &stem)].family == FILES_CAPTURE;
}

/* A file named like a capture is not a log, even if it holds text. */
static bool named_capture(const char *path)
{
	return file_name_ends(path, ".pb") || file_name_ends(path, ".json") ||
	    probe_name(path) != FILE_UNKNOWN;
}

/* A log may hold anything that a program printed, but is mostly text; nearly all of it where it has NULs. */
static bool is_log(const uint8_t *s, size_t n)
{
	size_t plain = 0, nul = 0;

	for (size_t i = 0; i < n; i++) {
		nul += !s[i];
		plain += (s[i] >= ' ' && s[i] < 0x7f) || s[i] == '\n' || s[i] == '\t';
	}
	return n && plain >= n - n / (nul ? 16 : 4);
}

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Records of a log, an array of them or one in each line, or a notebook; nothing tells what a single object is. */
static bool is_json_log(const char *name, const uint8_t *s, size_t n)
{
	const uint8_t *end = s + n, *line = memchr(s, '\n', n);

	if (file_name_ends(name, ".ipynb"))
		return true;
	for (; s < end && is_blank(*s); s++)
		;
	if (s < end && *s == '[') {
		for (s++; s < end && is_blank(*s); s++)
			;
		return s < end && *s == '{';
	}
	return line && line > s && line + 2 < end && line[-1] == '}' && line[1] == '{';
}

/* Finds out what a file is; head: gets what was looked at; texts: becomes true of a log of JSON.  Its source is another
 * one if its first byte is damaged. */
static void find_kind(const struct loading *l, struct file *f, bool *texts, uint8_t *head, size_t *nhead)
{
	const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
	uint8_t tail[TAIL_SIZE];
	size_t ntail = source_tail(f->source, tail, sizeof tail);
	struct source *mended;

	*nhead = source_peek(f->source, head, FIRST_SIZE);
	f->kind = probe_kind(name, head, *nhead, tail, ntail);
	if (f->kind != FILE_XSPACE) {
		*nhead = source_peek(f->source, head, HEAD_SIZE);
		f->kind = probe_kind(name, head, *nhead, tail, ntail);
	}
	if (f->kind == FILE_UNKNOWN && (mended = probe_mend(f->source, f->path, head, *nhead))) {
		source_close(f->source);
		f->source = mended;
		source_limit(mended, l->options->max_memory);
		f->partial = true;
		*nhead = source_peek(mended, head, HEAD_SIZE);
		f->kind = probe_kind(name, head, *nhead, NULL, 0);
	}
	if (f->kind == FILE_UNKNOWN && *texts && is_log(head, *nhead < LOG_SIZE ? *nhead : LOG_SIZE))
		f->kind = FILE_TEXT;
	if (f->kind == FILE_JSON && l->options->texts && is_json_log(name, head, *nhead)) {
		f->kind = FILE_TEXT;
		*texts = true;
	}
	if (f->kind == FILE_UNKNOWN && !packing_of(head, *nhead))
		f->kind = probe_name(name);
}

static int add_source(struct loading *l, struct source *source, const char *path, struct err *err)
{
	struct file f = {
		.path = (char *)(uintptr_t)path,
		.host = -1,
		.source = source,
		.close_source = source_close,
		.forget = source_forget,
	};
	uint8_t *head = xmalloc(HEAD_SIZE);
	bool texts = l->options->texts && !named_capture(path), opens;
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *foreign = NULL;
	size_t nhead;
	int added;

	source_limit(source, l->options->max_memory);
	find_kind(l, &f, &texts, head, &nhead);
	source = f.source;
	if (f.kind == FILE_RIEGELI) {
		source_records(source,
		    l->options->threads > 0 ? l->options->threads : pool_default_threads());
		f.kind = FILE_XSPACE;
	}
	f.bytes = source_size(source);
	f.packing = source_packing(source);
	if (f.kind == FILE_EMPTY && named_xspace(path))
		f.kind = FILE_XSPACE;
	opens = file_kind_opens(f.kind) || (f.kind == FILE_TEXT && texts);
	if (!opens)
		refuse_file(f.kind, name, head, nhead, err);
	else if (f.kind == FILE_TEXT)
		foreign = foreign_text(name, (const char *)head, nhead);
	free(head);
	if (!opens) {
		source_close(source);
		return -1;
	}
	if (l->progress)
		atomic_fetch_add(&l->progress->total, f.bytes);
	added = dump_add_file(l->dump, &f);
	if (foreign)
		problem_add(l->dump->problems, PROBLEM_WARN, added, ERR_NOWHERE, 1, "%s", foreign);
	if (f.partial)
		problem_add(l->dump->problems, PROBLEM_DAMAGE, added, 0, 1,
		    "its first byte is damaged; the rest is read as what its name says");
	return added;
}

static void look_early(void *early, const char *name, const uint8_t *bytes, size_t n)
{
	early_came(early, name, bytes, n);
}

void gather_drop(struct loading *l, struct file *f)
{
	if (l->progress)
		atomic_fetch_sub(&l->progress->total, f->bytes);
	source_close(f->source);
}

static void drop_member(const struct archive_member *m)
{
	if (m->own)
		free((void *)(uintptr_t)m->bytes);
}

static int add_member(struct loading *l, const struct archive_member *m, const char *path, struct err *err)
{
	struct source *source;

	if (!m->n || strstr(path, "/__MACOSX/")) { /* what the Finder keeps of files */
		drop_member(m);
		return -1;
	}
	source = source_of_memory(m->bytes, m->n, path);
	if (m->own)
		source_own(source);
	return add_source(l, source, path, err);
}

/* Adds the members of an archive, in its memory, as files of their own; those of archives in it are not looked
 * into.  What is none of the known kinds is left out. */
static void add_members(struct loading *l, int file)
{
	enum { MEMBERS_MOST = 4096 };
	struct dump *d = l->dump;
	struct archive a = { .at = 0 };
	struct archive_member m;
	uint64_t damaged = ERR_NOWHERE;
	struct err err;
	int members = 0;

	a.bytes = source_bytes(d->files[file].source, &a.n, &damaged, l->progress, &err);
	while (a.bytes && archive_next(&a, &m)) {
		char *path = xasprintf("%s/%s", d->files[file].path, m.name);
		int added;

		if (members++ == MEMBERS_MOST) {
			problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
			    "more than %d files in the archive; the others are left out", MEMBERS_MOST);
			drop_member(&m);
			free(path);
			break;
		}
		added = add_member(l, &m, path, &err);
		if (added >= 0 && d->files[added].kind == FILE_ARCHIVE)
			gather_drop(l, &d->files[--d->nfiles]);
		else if (added >= 0)
			d->files[added].partial |= m.cut;
		free(path);
	}
	if (a.left_out)
		problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "members that are encrypted, or packed in another way than deflate, and are left out: "
		    "%zu; "
		    "unzip it first",
		    a.left_out);
	if (a.bytes && !a.damaged && damaged == ERR_NOWHERE)
		return;
	d->files[file].partial = true;
	if (!a.bytes)
		problem_add(d->problems, PROBLEM_DAMAGE, file, err.at, 1, "%s", err.msg);
	else
		problem_add(d->problems, PROBLEM_DAMAGE, file, damaged == ERR_NOWHERE ? a.where : damaged, 1,
		    "%s: %s",
		    damaged != ERR_NOWHERE ? source_why(d->files[file].source)
			: a.trap
			? "its members unpack to far more than its size; if you trust it, unzip it first"
			: "the archive is damaged or cut off",
		    zip_is(a.bytes, a.n) ? "what can be read is shown" : "the files before that are shown");
}

/* beside: the file is beside a capture; being empty or of another kind then does not make the run damaged. */
static void add_file(struct loading *l, const char *path, const char *shown, bool beside)
{
	struct err err = { .status = 0 };
	const struct source_look look = { look_early, l->options->early };
	struct source *source = source_open_slowly(path, l->progress, l->options->early ? &look : NULL, &err);
	bool stopped = source && source_stopped(source);
	int file = source ? add_source(l, source, path, &err) : -1;

	if (file >= 0 && stopped) {
		l->dump->files[file].partial = l->dump->canceled = true;
		problem_add(l->dump->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "reading was stopped; this is what came until then");
	}
	if (file >= 0) {
		if (l->dump->files[file].kind == FILE_ARCHIVE)
			add_members(l, file);
		return;
	}
	if (beside)
		problem_add(l->dump->problems, PROBLEM_WARN, -1, err.at, 1, "%s: %s", shown, err.msg);
	else
		gather_failed(l, shown, &err);
}

static void add_beside(void *loading, const char *path)
{
	add_file(loading, path, path, true);
}

static void take_runs(struct dump *d, const struct logdir *ld)
{
	if (d->nruns || !ld->nruns)
		return;
	d->runs = arena_alloc(&d->arena, ld->nruns * sizeof *d->runs);
	d->nruns = ld->nruns;
	d->run = ld->run;
	for (size_t i = 0; i < ld->nruns; i++)
		d->runs[i] = (struct run){
			.name = arena_strndup(&d->arena, ld->runs[i].name, strlen(ld->runs[i].name)),
			.dir = arena_strndup(&d->arena, ld->runs[i].dir, strlen(ld->runs[i].dir)),
			.began = ld->runs[i].began,
		};
}

static void take_folder(struct dump *d, const struct logdir *ld)
{
	const char *slash = ld->ncaptures ? strrchr(ld->files[0], '/') : NULL;
	struct folder *f = &d->folder;

	if (!slash)
		return;
	f->dir = arena_strndup(&d->arena, ld->files[0], (size_t)(slash - ld->files[0]) + 1);
	f->names = arena_alloc(&d->arena, ld->ncaptures * sizeof *f->names);
	for (; f->n < ld->ncaptures; f->n++) {
		const char *path = ld->files[f->n], *base = strrchr(path, '/');

		base = base ? base + 1 : path;
		f->names[f->n] = arena_strndup(&d->arena, base, strlen(base));
	}
}

void gather_end(struct loading *l)
{
	struct dump *d = l->dump;
	bool *drop = twice_find(d);
	size_t n = 0;

	for (size_t i = 0; drop && i < d->nfiles; i++) {
		if (drop[i])
			gather_drop(l, &d->files[i]);
		else
			d->files[n++] = d->files[i];
	}
	if (drop)
		d->nfiles = n;
	free(drop);
}

/* Whether a file of a folder without a capture is opened: what the compiler wrote about programs and their
 * buffers, graphs, and logs if options.texts. */
static bool is_of_failure(const struct loading *l, const struct file *f)
{
	enum file_family family = file_kind_info[f->kind].family;
	const char *pass;

	return family == FILES_PROGRAM || family == FILES_PTXLA || family == FILES_GRAPH ||
	    family == FILES_LLO ||
	    (f->kind == FILE_TEXT && l->options->texts && !logdir_is_dump(f->base) &&
		!foreign_is_llo(f->base, &pass));
}

/* Most files of an LLO dump, and nearly all of its bytes, are of passes that nothing here reads. */
static bool is_passed_over(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct llo_name of;

	return llo_name(name, &of) && llo_kind(name) == FILE_UNKNOWN && !slice_is(of.pass, "hlo");
}

/* Adds the files of a folder without a capture, and of those below; false: there are none. */
static bool add_folder(struct loading *l, const char *path)
{
	struct dump *d = l->dump;
	size_t before = d->nfiles;
	struct err err = { .status = 0 };
	struct logdir ld;
	bool found;

	if (logdir_files(path, &ld, &err))
		return false;
	for (size_t i = 0; i < ld.nfiles; i++) {
		struct source *source;
		int file;

		if (is_passed_over(ld.files[i])) {
			d->llo_passed_over++;
			continue;
		}
		source = source_open(ld.files[i], &err);
		file = source ? add_source(l, source, ld.files[i], &err) : -1;
		if (file >= 0 && d->files[file].kind == FILE_ARCHIVE)
			add_members(l, file);
		else if (file >= 0 && !is_of_failure(l, &d->files[file]))
			gather_drop(l, &d->files[--d->nfiles]);
	}
	found = d->nfiles > before;
	if (!found && logdir_tell_llo(&ld, &err)) {
		gather_failed(l, l->several ? path : NULL, &err);
		found = true;
	}
	logdir_free(&ld);
	return found;
}

/* A folder whose names cannot be read may hold what is missing; it is the reason when nothing was found. */
static void tell_unread(struct loading *l, const struct logdir *ld)
{
	const char *why = strerror(ld->why_unread);

	if (!ld->unread)
		return;
	problem_add(l->dump->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1, "the folder %s cannot be read: %s",
	    ld->unread, why);
	if (!l->first.status)
		err_set(&l->first, EXIT_NOTHING, ERR_NOWHERE, "the folder %.300s cannot be read: %s",
		    ld->unread, why);
}

/* Tells of files that nobody looked into: a missing capture may be in one of them. */
static void tell_passed_over(struct loading *l, const struct logdir *ld)
{
	if (ld->by_content && ld->passed_over)
		problem_add(l->dump->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    "files not looked into, as too many here are no captures: %zu; name the captures",
		    ld->passed_over);
	if (ld->folders_left)
		problem_add(l->dump->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    "there are so many folders below this one that runs were not looked for in all; name the "
		    "logdir itself");
}

/* The captures of another run of the same job. */
static void add_joined(struct loading *l, const char *dir)
{
	struct err err = { .status = 0 };
	struct logdir ld;

	if (logdir_find(dir, NULL, &ld, &err))
		gather_failed(l, dir, &err);
	for (size_t i = 0; i < ld.nfiles - ld.ntexts; i++)
		add_file(l, ld.files[i], ld.files[i], i >= ld.ncaptures);
	logdir_free(&ld);
}

void gather_path(struct loading *l, const char *path)
{
	struct err err = { .status = 0 };
	struct logdir ld;

	if (logdir_find(path, l->options->run, &ld, &err)) {
		tell_unread(l, &ld);
		if (!add_folder(l, path))
			gather_failed(l, l->several ? path : NULL, &err);
	} else {
		take_runs(l->dump, &ld);
		if (!l->several && !l->options->host && (ld.nfiles != 1 || strcmp(ld.files[0], path) != 0))
			take_folder(l->dump, &ld);
		for (size_t i = 0; i < ld.nfiles - (l->options->texts ? 0 : ld.ntexts); i++) {
			const char *file = ld.files[i], *base = strrchr(file, '/');
			bool itself = !ld.nruns; /* the path itself, which the caller's message names */

			add_file(l, file,
			    l->several   ? file
				: itself ? NULL
				: base   ? base + 1
					 : file,
			    i >= ld.ncaptures && ld.nruns);
		}
		if (!l->several && (!l->options->host || l->options->join))
			split_run_tell(l->dump, &ld, l->options->join);
		graphs_beside(l->dump, &ld, add_beside, l);
		for (size_t i = 0; l->options->join && !l->several && i < l->dump->nruns; i++)
			if (l->dump->runs[i].other_hosts)
				add_joined(l, l->dump->runs[i].dir);
		tell_unread(l, &ld);
		tell_passed_over(l, &ld);
	}
	logdir_free(&ld);
}

void gather_memory(struct loading *l, const void *bytes, size_t n, const char *name)
{
	struct err err = { .status = 0 };
	int file = add_source(l, source_of_memory(bytes, n, name), name, &err);

	if (file < 0)
		gather_failed(l, NULL, &err);
	else if (l->dump->files[file].kind == FILE_ARCHIVE)
		add_members(l, file);
}
