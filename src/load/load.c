#include "config.h"

#include "load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/memcap.h"
#include "base/spill/spill.h"
#include "base/pool.h"
#include "load/build/loaders.h"
#include "load/graphs_beside.h"
#include "load/hlo/hlo_file.h"
#include "load/hlo/hlo_text.h"
#include "load/probe/foreign.h"
#include "load/probe/logdir.h"
#include "load/probe/probe.h"
#include "load/probe/ptxla_text.h"
#include "load/probe/tool_name.h"
#include "load/refuse.h"
#include "load/source/archive.h"
#include "load/source/decoder.h"
#include "load/source/file_name.h"
#include "load/source/source.h"
#include "load/split_run.h"
#include "load/tool/digest.h"
#include "load/twice.h"
#include "load/xspace/process.h"
#include "load/xspace/xspace.h"
#include "model/llo.h"
#include "model/tf/graph.h"

#define HEAD_SIZE (64u << 10) /* enough to find the events of any trace JSON seen */
#define FIRST_SIZE 4096       /* enough to recognize an XSpace */
#define LOG_SIZE 4096
#define TAIL_SIZE 48 /* footer of a trace table */

struct loading {
	struct dump *dump;
	const struct load_options *options;
	struct progress *progress;
	bool several;     /* several paths were given: errors name theirs */
	size_t nempty;    /* empty XSpaces */
	struct err first; /* the first error about an unusable path */
};

/* Notes an error about a path.  If nothing can be opened, the first one is reported. */
static void failed(struct loading *l, const char *path, const struct err *e)
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

static bool is_empty(const struct file *f)
{
	return source_is_empty(f->source);
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

static void drop_file(struct loading *l, struct file *f)
{
	if (l->progress)
		atomic_fetch_sub(&l->progress->total, f->bytes);
	source_close(f->source);
}

static int add_member(struct loading *l, const struct archive_member *m, const char *path, struct err *err)
{
	struct source *source;

	if (!m->n || strstr(path, "/__MACOSX/")) { /* what the Finder keeps of files */
		if (m->own)
			free((void *)(uintptr_t)m->bytes);
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
			free(path);
			break;
		}
		added = add_member(l, &m, path, &err);
		if (added >= 0 && d->files[added].kind == FILE_ARCHIVE)
			drop_file(l, &d->files[--d->nfiles]);
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
		failed(l, shown, &err);
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

static void drop_twice(struct loading *l)
{
	struct dump *d = l->dump;
	bool *drop = twice_find(d);
	size_t n = 0;

	for (size_t i = 0; drop && i < d->nfiles; i++) {
		if (drop[i])
			drop_file(l, &d->files[i]);
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
			drop_file(l, &d->files[--d->nfiles]);
	}
	found = d->nfiles > before;
	if (!found && logdir_tell_llo(&ld, &err)) {
		failed(l, l->several ? path : NULL, &err);
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
		failed(l, dir, &err);
	for (size_t i = 0; i < ld.nfiles - ld.ntexts; i++)
		add_file(l, ld.files[i], ld.files[i], i >= ld.ncaptures);
	logdir_free(&ld);
}

static void add_path(struct loading *l, const char *path)
{
	struct err err = { .status = 0 };
	struct logdir ld;

	if (logdir_find(path, l->options->run, &ld, &err)) {
		tell_unread(l, &ld);
		if (!add_folder(l, path))
			failed(l, l->several ? path : NULL, &err);
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

/* Returns the host that an XSpace states; n 0: none. */
static struct slice host_stated(struct loading *l, struct file *f)
{
	struct slice host = { NULL, 0 };
	uint64_t damaged;
	size_t n = 0;

	if (f->kind == FILE_XSPACE && !is_empty(f)) {
		const uint8_t *b = source_bytes(f->source, &n, &damaged, l->progress, NULL);

		host.s = b ? xspace_host(source_riegeli(f->source), b, n, &host.n) : NULL;
	}
	return host;
}

/* By the name of the file. */
static struct slice host_in(const struct file *f)
{
	struct tool_name tool;

	if (tool_name(f->base, &tool) && tool.host)
		return (struct slice){ f->base, tool.host };
	return file_name_host(f->base);
}

/* Processes of one host have names of their own, and that of the host. */
static void find_processes(struct loading *l)
{
	struct dump *d = l->dump;
	struct xprocess *v = xcalloc(d->nfiles + 1, sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		if (d->files[i].kind == FILE_XSPACE)
			v[n++] = (struct xprocess){ .file = (int)i, .stated = host_stated(l, &d->files[i]) };
	process_hosts(d, v, n);
	free(v);
}

static int no_such_host(const struct dump *d, const char *host, struct err *err)
{
	char names[300];

	dump_host_names(d, names, sizeof names);
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "no host %.80s; %s: %s", host,
	    d->nhosts == 1 ? "the only host" : "hosts", names);
}

static size_t close_all(struct dump *d, size_t n)
{
	while (n)
		source_close(d->files[--n].source);
	return 0;
}

/* Keeps the files of one host.  A file that is not an XSpace may have several hosts, so a single file is
 * kept. */
static int keep_host(struct loading *l, struct err *err)
{
	struct dump *d = l->dump;
	size_t n = 0, kept = 0;

	find_processes(l);
	for (size_t i = 0; i < d->nfiles; i++) {
		struct file *f = &d->files[i];
		enum file_family family = file_kind_info[f->kind].family;
		bool mine;

		/* has no host */
		if (family == FILES_PROGRAM || family == FILES_PACKED || family == FILES_GRAPH ||
		    family == FILES_LLO || f->kind == FILE_PPROF || file_is_log(f)) {
			d->files[n++] = *f;
			kept++;
			continue;
		}
		if (f->kind == FILE_XSPACE) {
			mine = dump_host_is(d, f->host, l->options->host);
		} else {
			struct slice host = host_in(f);

			dump_host(d, host.s, host.n);
			mine = d->nfiles == 1 || slice_is(host, l->options->host);
		}
		if (mine)
			d->files[n++] = *f;
		else
			drop_file(l, f);
	}
	if (n == kept && d->nfiles > n)
		no_such_host(d, l->options->host, err);
	n = d->nfiles > n && n == kept ? close_all(d, n) : n;
	d->nfiles = n;
	d->nhosts = 0;
	return n ? 0 : -1;
}

/* Lists the XSpaces that are not empty. */
static size_t find_xspaces(struct loading *l, int *xspaces)
{
	struct dump *d = l->dump;
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		struct file *f = &d->files[i];

		if (f->kind != FILE_XSPACE)
			continue;
		if (is_empty(f)) {
			struct slice host = host_in(f);

			f->host = dump_host(d, host.s, host.n);
			l->nempty++;
		} else {
			xspaces[n++] = (int)i;
		}
	}
	return n;
}

/* Reports empty XSpaces: beside traces a host is missing, beside modules the run was never traced, and with
 * nothing beside it (good 0) this is why nothing can be opened. */
static void tell_empty(struct loading *l, size_t good)
{
	struct dump *d = l->dump;
	enum problem_level level = d->trace.ntracks ? PROBLEM_DAMAGE : PROBLEM_WARN;

	for (size_t i = 0; i < d->nfiles; i++) {
		const struct file *f = &d->files[i];
		struct err why;

		if (f->kind != FILE_XSPACE || !is_empty(f))
			continue;
		err_set(&why, EXIT_NOTHING, ERR_NOWHERE, "%s",
		    file_name_ends(f->base, ".xplane.riegeli")
			? "the file is empty: continuous profiling ended before it wrote anything, or the "
			  "disk was full"
			: "the file is empty: the XSpace was probably over 2 GiB, which the profiler cannot "
			  "write; capture fewer steps, or with enable_continuous_profiling");
		if (good)
			problem_add(d->problems, level, (int)i, ERR_NOWHERE, 1, "%s", why.msg);
		else
			failed(l, d->nruns || l->several ? f->base : NULL, &why);
	}
}

/* Its members are loaded as files, which come after it. */
int load_archive(struct load_ctx *ctx, int file, struct err *err)
{
	const struct file *f = &ctx->dump->files[file];
	size_t n = strlen(f->path);

	if ((size_t)file + 1 < ctx->dump->nfiles && !strncmp(f[1].path, f->path, n) && f[1].path[n] == '/')
		return 0;
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "an archive without a file that tpuscope opens; of logs, tpuscope triage reads the errors");
}

/* A log has what PyTorch/XLA says rather at its beginning and its end. */
static void know_ptxla(struct load_ctx *ctx, int file)
{
	enum { LOOKED_AT = 4 << 20 };
	struct file *f = &ctx->dump->files[file];
	enum file_kind kind;
	struct err err;
	size_t n = 0;
	const char *s = (const char *)f->content(f->source, &n, &err);

	if (!s)
		return;
	kind = ptxla_text_kind(s, n < LOOKED_AT ? n : LOOKED_AT);
	if (kind == FILE_UNKNOWN && n > LOOKED_AT)
		kind = ptxla_text_kind(s + n - LOOKED_AT, LOOKED_AT);
	if (kind != FILE_UNKNOWN)
		f->kind = kind;
	if (kind == FILE_PTXLA_DEBUG)
		hlo_in_text(ctx, file);
}

/* A folder may well hold event files without a graph; that says only why nothing was found. */
static void failed_file(struct loading *l, const struct file *f, const struct err *e)
{
	bool found = !l->several && l->dump->nfiles > 1;

	if (f->kind != FILE_TFEVENTS || !found)
		failed(l, l->several || found ? f->base : NULL, e);
	else if (!l->first.status)
		err_set(&l->first, e->status, e->at, "%.150s: %.300s", f->base, e->msg);
}

/* Loads all XSpaces at once, then the other files one by one.  Returns how many files had anything usable. */
static size_t load_files(struct loading *l)
{
	struct load_ctx ctx = { .dump = l->dump,
		.progress = l->progress,
		.threads = l->options->threads,
		.join = l->options->join };
	static int (*const loaders[FILE_KIND_COUNT])(struct load_ctx *, int, struct err *) = {
#define LOADER(id, function) [FILE_##id] = function,
#include "model/file_kinds.def"
	};
	struct dump *d = l->dump;
	int *xspaces = xcalloc(d->nfiles ? d->nfiles : 1, sizeof *xspaces);
	size_t nx = find_xspaces(l, xspaces), good = 0;
	struct err err = { .status = 0 };

	if (ctx.threads <= 0)
		ctx.threads = pool_default_threads();
	if (nx && load_xspaces(&ctx, xspaces, nx, &err))
		failed(l, NULL, &err);
	else
		good += nx;
	free(xspaces);
	digest_mark(d);
	for (size_t i = 0; i < d->nfiles; i++) {
		if (d->files[i].kind == FILE_XSPACE)
			continue;
		err = (struct err){ .status = 0 };
		if (loaders[d->files[i].kind](&ctx, (int)i, &err))
			failed_file(l, &d->files[i], &err);
		else
			good++;
		if (d->files[i].kind == FILE_TEXT && d->files[i].content)
			know_ptxla(&ctx, (int)i);
	}
	if (l->nempty)
		tell_empty(l, good);
	return good;
}

static void tell_changed(struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++) {
		enum source_change now =
		    d->files[i].source ? source_news(d->files[i].source, false) : SOURCE_SAME;

		if (now < SOURCE_SHRUNK)
			continue;
		d->files[i].partial = true;
		problem_add(d->problems, PROBLEM_DAMAGE, (int)i, ERR_NOWHERE, 1,
		    "the file %s while it was read; open it again when it is complete",
		    now == SOURCE_SHRUNK ? "shrank" : "changed");
	}
}

static struct dump *give_up(struct loading *l, struct err *err)
{
	if (err && !err->status)
		*err = l->first;
	if (err && err->status == EXIT_DAMAGED) /* nothing in it is usable */
		err->status = EXIT_NOTHING;
	if (l->options->early && l->options->early->gone)
		l->options->early->gone(l->options->early->ctx);
	dump_close(l->dump);
	return NULL;
}

/* Shows the beginning of the first file that is large. */
static void show_early(const struct loading *l)
{
	struct early *e = l->options->early;

	for (size_t i = 0; e && i < l->dump->nfiles; i++)
		e->tables += l->dump->files[i].kind == FILE_TRACE_TABLE;
	for (size_t i = 0; e && i < l->dump->nfiles; i++) {
		const struct file *f = &l->dump->files[i];
		size_t n;
		const uint8_t *b = source_raw(f->source, &n);

		early_large(e, f->base, b, n);
	}
}

static struct dump *load_all(struct loading *l, struct err *err)
{
	struct err local = { .status = 0 };

	if (!err)
		err = &local;
	*err = (struct err){ .status = 0 };
	if (l->options->host && l->dump->nfiles && keep_host(l, err))
		return give_up(l, err);
	show_early(l);
	if (!l->dump->nfiles || !load_files(l))
		return give_up(l, err);
	hlo_list(l->dump);
	tf_graph_choose(l->dump);
	tell_changed(l->dump);
	process_chips(l->dump);
	trace_span(&l->dump->trace);
	trace_link(&l->dump->trace);
	return l->dump;
}

static void keep_peaks(struct loading *l)
{
	l->dump->peak_flops = l->options->peak_flops;
	l->dump->peak_hbm = l->options->peak_hbm;
	if (l->options->device)
		l->dump->device =
		    arena_strndup(&l->dump->arena, l->options->device, strlen(l->options->device));
}

struct dump *load_paths(const char *const *paths, size_t n, const struct load_options *options,
    struct progress *progress, struct err *err)
{
	static const struct load_options defaults;
	struct loading l = {
		.dump = dump_new(),
		.options = options ? options : &defaults,
		.progress = progress,
		.several = n > 1,
	};
	struct dump *d;

	memcap_begin();
	progress_what(progress, "opening");
	keep_peaks(&l);
	if (!n)
		err_set(&l.first, EXIT_USAGE, ERR_NOWHERE,
		    "nothing to open; name a logdir, a run folder or a file");
	for (size_t i = 0; i < n; i++)
		add_path(&l, paths[i]);
	drop_twice(&l);
	progress_what(progress, "reading");
	mem_keep_begin();
	d = load_all(&l, err);
	mem_keep_end();
	memcap_end();
	if (d && spill_refusal() && mem_refusals() != d->refusals)
		problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    "memory is full, and no temporary file could be written: %s; set TMPDIR to another "
		    "folder",
		    spill_refusal());
	return d;
}

struct dump *load_memory(const void *bytes, size_t n, const char *name, const struct load_options *options,
    struct err *err)
{
	static const struct load_options defaults;
	struct loading l = { .dump = dump_new(), .options = options ? options : &defaults };
	struct err why = { .status = 0 };
	int file;

	keep_peaks(&l);
	if ((file = add_source(&l, source_of_memory(bytes, n, name), name, &why)) < 0)
		failed(&l, NULL, &why);
	else if (l.dump->files[file].kind == FILE_ARCHIVE)
		add_members(&l, file);
	return load_all(&l, err);
}
