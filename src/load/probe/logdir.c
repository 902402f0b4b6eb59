#include "config.h"

#include "load/probe/logdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "load/probe/foreign.h"
#include "load/probe/listing.h"
#include "load/probe/run_time.h"
#include "load/probe/runs.h"
#include "load/source/file_name.h"
#include "load/source/mount.h"

#define DEPTH_MAX 8
#define SECONDS_APART 60 /* runs of one job that were started together */
#define FILES_MAX 20000u

/* Whether the compiler also wrote the same module as it is after all passes. */
static bool has_twin(const struct listing *l, const char *name)
{
	const char *kind = strstr(name, "after_codegen.hlo.pb"), *end;
	char *twin;
	bool has;

	kind = kind ? kind : strstr(name, "oom_intermediate_module.hlo.pb");
	if (!kind)
		return false;
	end = strstr(kind, ".hlo.pb");
	twin = xasprintf("%.*safter_optimizations%s", (int)(kind - name), name, end);
	has = bsearch(&twin, l->name, l->n, sizeof *l->name, listing_by_bytes);
	free(twin);
	return has;
}

/* Adds the files of a sort; a file that is there both compressed and not is added once. */
static void add_sort(struct logdir *ld, const char *dir, const struct listing *from, enum sort best)
{
	struct listing l = *from;

	for (size_t i = 0; i < l.n; i++) {
		if (l.sort[i] != best)
			continue;
		if (i && slice_same(file_name_plain(l.name[i]), file_name_plain(l.name[i - 1])))
			continue;
		if (best == HLO && has_twin(&l, l.name[i]))
			continue;
		VEC_ADD(ld->files, ld->nfiles, ld->files_cap, xasprintf("%s/%s", dir, l.name[i]));
	}
}

/* Where an XSpace is empty, the trace that was converted from it may still be whole. */
static void add_traces_of_empty(struct logdir *ld, const char *dir, const struct listing *l)
{
	for (size_t i = 0; i < l->n; i++) {
		char *path = xasprintf("%s/%s", dir, l->name[i]);
		struct stat st;
		bool empty = l->sort[i] == XSPACE && !stat(path, &st) && !st.st_size;
		size_t at, other;

		free(path);
		listing_sort_at(l->name[i], &at);
		for (size_t k = 0; k < l->n && empty; k++)
			if (l->sort[k] == JSON && listing_sort_at(l->name[k], &other) == JSON &&
			    at == other && !memcmp(l->name[i], l->name[k], at))
				VEC_ADD(ld->files, ld->nfiles, ld->files_cap,
				    xasprintf("%s/%s", dir, l->name[k]));
	}
}

static void add_each(struct logdir *ld, char **dirs, const struct listing *l, size_t n, enum sort sort)
{
	for (size_t i = 0; i < n; i++)
		add_sort(ld, dirs[i], &l[i], sort);
}

static enum sort list_each(struct logdir *ld, char **dirs, struct listing *l, size_t n)
{
	enum sort best = NOTHING;

	for (size_t i = 0; i < n; i++) {
		listing_free(&l[i]);
		l[i] = listing_files(ld, dirs[i]);
		best = listing_best(&l[i]) < best ? listing_best(&l[i]) : best;
	}
	return best;
}

/* Adds the files of a run, which may be in several folders.  Where no name tells of a trace, files are looked into.
 * Results of tools hold what traces without the statistics of XSpaces lack. */
static void add_files(struct logdir *ld, char **dirs, size_t n)
{
	struct listing *l = xcalloc(n, sizeof *l);
	enum sort best = list_each(ld, dirs, l, n);

	if (best >= TOOL && !ld->by_content) {
		ld->by_content = true;
		best = list_each(ld, dirs, l, n);
	}
	add_each(ld, dirs, l, n, best);
	for (size_t i = 0; i < n && best == XSPACE; i++)
		add_traces_of_empty(ld, dirs[i], &l[i]);
	ld->ncaptures = ld->nfiles;
	if (best != XSPACE && best != TOOL)
		add_each(ld, dirs, l, n, TOOL);
	if (best != HLO)
		add_each(ld, dirs, l, n, HLO);
	ld->ntexts = ld->nfiles;
	add_each(ld, dirs, l, n, LOG);
	if (best == HLO) /* messages of a program that did not compile */
		add_each(ld, dirs, l, n, TEXT);
	ld->ntexts = ld->nfiles - ld->ntexts;
	for (size_t i = 0; i < n; i++)
		listing_free(&l[i]);
	free(l);
}

bool logdir_runs_near(const char *a, const char *b)
{
	int64_t x, y;

	return run_time(a, true, &x) && run_time(b, true, &y) && y - x <= SECONDS_APART &&
	    x - y <= SECONDS_APART;
}

/* ---- folders of ranks ---- */

/* The name of a run in the folder of a rank: exp/dp_rank_0/RUN. */
struct rank_name {
	struct slice before, folder; /* folder.n 0: it is in none */
	const char *run;
};

static struct rank_name rank_name(const struct run *r)
{
	for (const char *at = r->name, *slash; (slash = strchr(at, '/')); at = slash + 1) {
		struct slice folder = { at, (size_t)(slash - at) };

		if (file_name_is_rank(folder))
			return (struct rank_name){ { r->name, (size_t)(at - r->name) }, folder, slash + 1 };
	}
	return (struct rank_name){ { r->name, 0 }, { r->name, 0 }, r->name };
}

/* The name without that folder. */
static char *run_name(const struct run *r)
{
	struct rank_name n = rank_name(r);

	return xasprintf("%.*s%s", (int)n.before.n, n.before.s, n.run);
}

static bool is_called(const struct run *r, const char *name)
{
	char *without = run_name(r);
	bool is = !strcmp(r->name, name) || !strcmp(without, name);

	free(without);
	return is;
}

static bool is_rank_of(const struct logdir *ld, const struct run *r, bool exactly)
{
	struct rank_name a = rank_name(r), b = rank_name(&ld->runs[ld->run]);

	if (!a.folder.n || slice_same(a.folder, b.folder) || !slice_same(a.before, b.before))
		return false;
	return exactly ? !strcmp(a.run, b.run) : logdir_runs_near(a.run, b.run);
}

/* Takes the runs of other ranks that go with the chosen one out of the list, one of each folder, and returns their
 * folders with that of the chosen one. */
static char **take_ranks(struct logdir *ld, size_t *n)
{
	char **dirs = xcalloc(ld->nruns, sizeof *dirs);
	struct slice *taken = xcalloc(ld->nruns, sizeof *taken);
	bool *gone = xcalloc(ld->nruns, sizeof *gone);
	size_t kept = 0, chosen = ld->run;

	dirs[(*n)++] = xstrdup(ld->runs[chosen].dir);
	for (size_t k = 0; k < 2 * ld->nruns && rank_name(&ld->runs[chosen]).folder.n; k++) {
		size_t i = k % ld->nruns;
		bool again = gone[i] || i == chosen || !is_rank_of(ld, &ld->runs[i], k < ld->nruns);

		for (size_t t = 1; t < *n && !again; t++)
			again = slice_same(taken[t], rank_name(&ld->runs[i]).folder);
		if (again)
			continue;
		gone[i] = true;
		taken[*n] = rank_name(&ld->runs[i]).folder;
		dirs[(*n)++] = xstrdup(ld->runs[i].dir);
	}
	for (size_t i = 0; i < ld->nruns; i++) {
		if (i == chosen)
			ld->run = kept;
		if (!gone[i])
			ld->runs[kept++] = ld->runs[i];
		else
			free(ld->runs[i].dir), free(ld->runs[i].name);
	}
	ld->nruns = kept;
	free(taken);
	free(gone);
	return dirs;
}

static int no_such_run(const struct logdir *ld, const char *run, struct err *err)
{
	char names[300] = "";

	for (size_t i = 0; i < ld->nruns; i++) {
		size_t n = strlen(names);

		if (n + strlen(ld->runs[i].name) + 8 > sizeof names) {
			strcpy(names + n, ", …");
			break;
		}
		snprintf(names + n, sizeof names - n, "%s%s", i ? ", " : "", ld->runs[i].name);
	}
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no run %.80s; %s: %s", run,
	    ld->nruns == 1 ? "the only run" : "runs", names);
}

static int choose_run(struct logdir *ld, const char *run, struct err *err)
{
	char **dirs;
	size_t n = 0;

	ld->run = 0;
	while (run && ld->run < ld->nruns && !is_called(&ld->runs[ld->run], run))
		ld->run++;
	if (ld->run == ld->nruns)
		return no_such_run(ld, run, err);
	dirs = take_ranks(ld, &n);
	if (n > 1) {
		char *name = run_name(&ld->runs[ld->run]);

		free(ld->runs[ld->run].name);
		ld->runs[ld->run].name = name;
		VEC_SORT(dirs, n, listing_by_bytes);
	}
	add_files(ld, dirs, n);
	while (n)
		free(dirs[--n]);
	free(dirs);
	return 0;
}

/* Opens a run folder.  If it is in a profile folder, the runs beside it are listed, too. */
static int open_run_folder(struct logdir *ld, const char *path, const char *run, struct err *err)
{
	char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
	const char *name = slash && slash[1] ? slash + 1 : path;
	int status;

	if (slash && slash != real) {
		struct slice parent = { real, (size_t)(slash - real) };

		if (slice_ends(parent, "/profile")) {
			char *profile = xstrndup(parent.s, parent.n);

			runs_add_beside(ld, profile);
			free(profile);
		}
	}
	if (!ld->nruns)
		runs_add(ld, name, path);
	for (size_t i = 0; i < ld->nruns; i++) /* keep the path as it was given on the command line */
		if (!strcmp(ld->runs[i].name, name)) {
			free(ld->runs[i].dir);
			ld->runs[i].dir = xstrdup(path);
		}
	status = choose_run(ld, run ? run : name, err);
	free(real);
	return status;
}

/* Does a directory hold what the compiler writes about modules? */
static bool holds_dump(struct logdir *ld, const char *dir)
{
	struct listing l = listing_of(ld, dir, S_IFREG);
	bool holds = false;

	for (size_t i = 0; i < l.n && !holds; i++)
		holds = logdir_is_dump(l.name[i]);
	listing_free(&l);
	return holds;
}

static int open_directory(struct logdir *ld, const char *path, const char *run, struct err *err)
{
	for (int content = 0; content < 2; content++) {
		ld->by_content = content;
		if (runs_find(ld, path))
			return open_run_folder(ld, path, run, err);
		if (ld->nruns)
			return choose_run(ld, run, err);
	}
	if (holds_dump(ld, path)) /* for example as HTML or DOT only */
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "an XLA dump without HLO text or protos; add --xla_dump_hlo_as_text "
		    "--xla_dump_hlo_as_proto to XLA_FLAGS, and run the program again");
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "%s; name a logdir with plugins/profile/RUN/, a run folder with *.xplane.pb or *.xplane.riegeli, "
	    "or a file%s%s",
	    listing_is_kind(path, "plugins/profile", S_IFDIR) ? "a logdir without a run that holds a capture"
							      : "a directory without a capture",
	    ld->passed_over ? "; there are so many files that some were not looked into" : "",
	    mount_is_fuse(path) ? " (a FUSE mount shows folders of a bucket only with --implicit-dirs)" : "");
}

static int cannot_open(struct err *err)
{
	if (errno == ENOENT)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "no such file or directory");
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot be opened: %s", strerror(errno));
}

/* The folder can be listed, and its files are files. */
static int check_folder(const char *path, struct err *err)
{
	DIR *d = opendir(path);
	bool kernel = d && mount_is_kernel(dirfd(d));

	if (!d)
		return cannot_open(err);
	closedir(d);
	return kernel ? err_set(err, EXIT_NOTHING, ERR_NOWHERE,
			    "a folder of the kernel, in which no captures lie; name a logdir")
		      : 0;
}

int logdir_find(const char *path, const char *run, struct logdir *ld, struct err *err)
{
	struct stat st;

	*ld = (struct logdir){ .run = 0 };
	if (strcmp(path, "-") && stat(path, &st))
		return cannot_open(err);
	if (!strcmp(path, "-") || !S_ISDIR(st.st_mode)) {
		VEC_ADD(ld->files, ld->nfiles, ld->files_cap, xstrdup(path));
		return 0;
	}
	if (check_folder(path, err))
		return -1;
	return open_directory(ld, path, run, err);
}

static void files_below(struct logdir *ld, const char *dir, int depth)
{
	struct dirent **names;
	int n = depth < DEPTH_MAX ? scandir(dir, &names, NULL, alphasort) : 0;
	struct stat st;

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		char *path = xasprintf("%s/%s", dir, name);

		if (strcmp(name, ".") && strcmp(name, "..") && !lstat(path, &st) && ld->nfiles < FILES_MAX) {
			if (S_ISDIR(st.st_mode)) {
				files_below(ld, path, depth + 1);
			} else if (S_ISREG(st.st_mode)) {
				VEC_ADD(ld->files, ld->nfiles, ld->files_cap, path);
				path = NULL;
			}
		}
		free(path);
		free(names[i]);
	}
	if (n > 0)
		free(names);
}

int logdir_files(const char *path, struct logdir *ld, struct err *err)
{
	*ld = (struct logdir){ .run = 0 };
	if (check_folder(path, err))
		return -1;
	files_below(ld, path, 0);
	return 0;
}

bool logdir_form_of(const char *name, struct logdir_form *f)
{
	enum sort sort = listing_sort_at(name, &f->host);
	const char *packed = name + file_name_plain(name).n;

	f->rank = (int)sort;
	f->packed = *packed ? packed[1] : file_name_ends(name, ".xplane.riegeli") ? 'r' : 0;
	f->result = sort == TOOL;
	/* metadata tables beside a trace table have that suffix, too */
	return sort <= TOOL || (sort == NOTHING && strcasestr(name, ".SSTABLE"));
}

bool logdir_goes_before(const struct logdir_form *a, const struct logdir_form *b)
{
	if (a->result || b->result)
		return b->result && a->rank == XSPACE;
	return a->rank < b->rank || (a->rank == b->rank && a->packed < b->packed);
}

bool logdir_is_dump(const char *name)
{
	if (slice_begins(slice_of(name), "module_") || !strcmp(name, "module.mlir"))
		return true;
	return file_name_ends(name, ".pb") && (strstr(name, ".hlo_proto") || strstr(name, ".hlo."));
}

bool logdir_tell_llo(const struct logdir *ld, struct err *err)
{
	static const char *const passes[] = { "final_bundles", "static-per-bundle-utilization" };
	size_t n[] = { 0, 0 }, all = 0;

	for (size_t i = 0; i < ld->nfiles; i++) {
		const char *slash = strrchr(ld->files[i], '/'), *pass;

		if (!foreign_is_llo(slash ? slash + 1 : ld->files[i], &pass))
			continue;
		all++;
		for (size_t k = 0; k < 2; k++)
			n[k] += strstr(pass, passes[k]) != NULL;
	}
	if (all)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "files of an LLO dump, the compiler's schedules of kernels and no measurement: %zu (%zu "
		    "with bundles, %zu with utilization, %zu of other passes); name their folder to open it",
		    all, n[0], n[1], all - n[0] - n[1]);
	return all;
}

void logdir_free(struct logdir *ld)
{
	for (size_t i = 0; i < ld->nfiles; i++)
		free(ld->files[i]);
	for (size_t i = 0; i < ld->nruns; i++) {
		free(ld->runs[i].name);
		free(ld->runs[i].dir);
	}
	for (size_t i = 0; i < ld->nevents; i++)
		free(ld->events[i]);
	free(ld->files);
	free(ld->events);
	free(ld->runs);
	free(ld->unread);
	*ld = (struct logdir){ .run = 0 };
}
