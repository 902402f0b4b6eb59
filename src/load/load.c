#include "config.h"

#include "load/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/memcap.h"
#include "base/pool.h"
#include "base/spill/spill.h"
#include "load/build/loaders.h"
#include "load/gather.h"
#include "load/hlo/hlo_file.h"
#include "load/hlo/hlo_text.h"
#include "load/probe/ptxla_text.h"
#include "load/probe/tool_name.h"
#include "load/source/file_name.h"
#include "load/source/source.h"
#include "load/tool/digest.h"
#include "load/xspace/process.h"
#include "load/xspace/xspace.h"
#include "model/tf/graph.h"

static bool is_empty(const struct file *f)
{
	return source_is_empty(f->source);
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
			gather_drop(l, f);
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
			gather_failed(l, d->nruns || l->several ? f->base : NULL, &why);
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
		gather_failed(l, l->several || found ? f->base : NULL, e);
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
		gather_failed(l, NULL, &err);
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

#define PACKED 8 /* bytes in one that is packed, or about as long as it takes to read it */

static uint64_t expected_bytes(const struct dump *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		n += source_size(d->files[i].source) * (d->files[i].packing ? PACKED : 1);
	return n;
}

/* Shows the beginning of the first file that is large. */
static void show_early(const struct loading *l)
{
	struct early *e = l->options->early;

	if (e)
		e->bytes = expected_bytes(l->dump);
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
		gather_path(&l, paths[i]);
	gather_end(&l);
	spill_expect(expected_bytes(l.dump));
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

	keep_peaks(&l);
	gather_memory(&l, bytes, n, name);
	return load_all(&l, err);
}
