#include "config.h"

#include "load/probe/logdir.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"
#include "base/text/natural.h"
#include "load/probe/probe.h"
#include "load/probe/tool_name.h"
#include "load/source/file_name.h"
#include "load/source/mount.h"

#define DEPTH_MAX 8
#define SECONDS_APART 60 /* runs of one job that were started together */
#define FILES_MAX 20000u
#define MISSES_MAX 100u /* files of a directory whose content is looked at in vain */

/* Kinds of files by name, the best first.  The content is checked later. */
enum sort { XSPACE, JSON, LINKED_JSON, OLD_TRACE, TABLE, OTHER_TRACE, TOOL, HLO, LOG, TEXT, NOTHING };

struct listing {
	enum sort *sort; /* of each file */
	char **name;
	size_t n, cap;
};

static void listing_free(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	free(l->sort);
	*l = (struct listing){ .n = 0 };
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_kind(const char *dir, const char *name, mode_t kind)
{
	char *path = xasprintf("%s/%s", dir, name);
	struct stat st;
	bool is = !stat(path, &st) && (st.st_mode & S_IFMT) == kind;

	free(path);
	return is;
}

/* Lists the names of the files (S_IFREG) or directories (S_IFDIR) in a directory, without hidden ones,
 * sorted. */
static struct listing list(struct logdir *ld, const char *dir, mode_t kind)
{
	struct listing l = { .n = 0 };
	DIR *d = opendir(dir);
	struct dirent *e;

	if (!d && errno != ENOENT && errno != ENOTDIR && !ld->unread) {
		ld->why_unread = errno;
		ld->unread = xstrdup(dir);
	}
	while (d && (e = readdir(d))) {
		bool sure = e->d_type == (kind == S_IFDIR ? DT_DIR : DT_REG);
		bool maybe = e->d_type == DT_UNKNOWN || e->d_type == DT_LNK;

		if (e->d_name[0] == '.' || !(sure || (maybe && is_kind(dir, e->d_name, kind))))
			continue;
		VEC_ADD(l.name, l.n, l.cap, xstrdup(e->d_name));
	}
	if (d)
		closedir(d);
	VEC_SORT(l.name, l.n, by_bytes);
	return l;
}

static bool is_text_name(const char *name)
{
	return !logdir_is_dump(name) &&
	    (file_name_ends(name, ".txt") || file_name_ends(name, ".out") || file_name_ends(name, ".err"));
}

static enum sort sort_of_kind(enum file_kind kind)
{
	switch (file_kind_info[kind].family) {
	case FILES_CAPTURE:
		return XSPACE;
	case FILES_CONVERTED:
		return kind == FILE_CHROME_JSON ? JSON
		    : kind == FILE_OLD_TRACE    ? OLD_TRACE
		    : kind == FILE_TRACE_TABLE  ? TABLE
						: OTHER_TRACE;
	case FILES_TOOL:
		return TOOL;
	default:
		return NOTHING;
	}
}

/* Returns the sort of a file; *at: where the suffix that decides it starts. */
static enum sort sort_at(const char *name, size_t *at)
{
	static const struct {
		const char *suffix;
		enum sort sort;
	} table[] = {
		{ "perfetto_trace.json", LINKED_JSON },
		{ ".trie.SSTABLE", NOTHING },
		{ ".metadata.SSTABLE", NOTHING },
		{ "NO_MODULE.hlo_proto.pb", NOTHING },
		{ ".hlo_proto.pb", HLO },
		{ "after_optimizations.hlo.pb", HLO },
		{ "after_codegen.hlo.pb", HLO },
		{ "oom_intermediate_module.hlo.pb", HLO },
	};
	struct tool_name tool;
	struct slice plain = file_name_plain(name);
	enum file_kind kind;
	size_t stem;

	*at = 0;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!slice_ends_nocase(plain, table[i].suffix))
			continue;
		*at = plain.n - strlen(table[i].suffix);
		return table[i].sort;
	}
	kind = file_kind_named(plain, &stem);
	if (kind != FILE_UNKNOWN) {
		*at = stem;
		/* a table is read from its end */
		return kind == FILE_TRACE_TABLE && name[plain.n] ? NOTHING : sort_of_kind(kind);
	}
	if (tool_name(name, &tool) && tool.whole) {
		*at = tool.host;
		return TOOL;
	}
	if (strstr(name, ".log.") || slice_ends(slice_of(name), ".log"))
		return LOG;
	return is_text_name(name) ? TEXT : NOTHING;
}

static enum sort sort_of(const char *name)
{
	size_t at;

	return sort_at(name, &at);
}

/* Names of files that go with another one, or hold nothing. */
static bool tells_nothing_alone(const char *name)
{
	return strcasestr(name, ".SSTABLE") || strstr(name, "NO_MODULE.hlo_proto.pb");
}

/* Some programs save a trace under any name.  Only traces and results are told this way: folders of dumps and of
 * logs are opened in another way. */
static enum sort sort_by_content(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	enum sort sort = sort_of_kind(probe_file(path));

	free(path);
	return sort;
}

/* The files of a directory and what each is, by its name; with by_content files are also looked into whose names
 * tell nothing. */
static struct listing list_files(struct logdir *ld, const char *dir)
{
	struct listing l = list(ld, dir, S_IFREG);
	size_t misses = 0, passed_over = 0;

	l.sort = xcalloc(l.n + 1, sizeof *l.sort);
	for (size_t i = 0; i < l.n; i++) {
		l.sort[i] = sort_of(l.name[i]);
		if (!ld->by_content || l.sort[i] != NOTHING || tells_nothing_alone(l.name[i]) ||
		    logdir_is_dump(l.name[i]))
			continue;
		if (misses < MISSES_MAX)
			l.sort[i] = sort_by_content(dir, l.name[i]);
		else
			passed_over++;
		misses += l.sort[i] == NOTHING;
	}
	if (passed_over > ld->passed_over)
		ld->passed_over = passed_over;
	return l;
}

/* Returns the best sort of which there are files; NOTHING when there are none. */
static enum sort best_sort(const struct listing *l)
{
	enum sort best = NOTHING;

	for (size_t i = 0; i < l->n; i++) {
		if (l->sort[i] < best)
			best = l->sort[i];
	}
	return best;
}

/* Whether the folder holds a capture.  HLO modules alone (an XLA dump) count only with `dump`. */
static bool holds_capture(struct logdir *ld, const char *dir, bool dump)
{
	struct listing l = list_files(ld, dir);
	bool holds = best_sort(&l) < (dump ? LOG : HLO);

	listing_free(&l);
	return holds;
}

static void add_run(struct logdir *ld, const char *name, const char *dir)
{
	VEC_ADD(ld->runs, ld->nruns, ld->runs_cap,
	    (struct run){ .name = xstrdup(name), .dir = xstrdup(dir) });
}

/* Adds all subdirectories of a profile folder that hold a capture; `prefix` goes before their names. */
static void add_runs(struct logdir *ld, const char *profile, const char *prefix)
{
	struct listing l = list(ld, profile, S_IFDIR);

	for (size_t i = 0; i < l.n; i++) {
		char *dir = xasprintf("%s/%s", profile, l.name[i]);
		char *name = xasprintf("%s%s", prefix, l.name[i]);

		if (holds_capture(ld, dir, false))
			add_run(ld, name, dir);
		free(dir);
		free(name);
	}
	listing_free(&l);
}

/* Adds the runs of logdirs one level down, as TensorBoard does: train/plugins/profile/RUN. */
static void add_runs_below(struct logdir *ld, const char *dir)
{
	struct listing l = list(ld, dir, S_IFDIR);

	for (size_t i = 0; i < l.n; i++) {
		char *profile = xasprintf("%s/%s/plugins/profile", dir, l.name[i]);
		char *prefix = xasprintf("%s/", l.name[i]);

		add_runs(ld, profile, prefix);
		free(profile);
		free(prefix);
	}
	listing_free(&l);
}

static int newest_first(const void *a, const void *b)
{
	const char *x = ((const struct run *)a)->name, *y = ((const struct run *)b)->name;

	return natural_cmp(y, strlen(y), x, strlen(x));
}

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
	has = bsearch(&twin, l->name, l->n, sizeof *l->name, by_bytes);
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

/* Of an XSpace that is empty a trace may be whole. */
static void add_traces_of_empty(struct logdir *ld, const char *dir, const struct listing *l)
{
	for (size_t i = 0; i < l->n; i++) {
		char *path = xasprintf("%s/%s", dir, l->name[i]);
		struct stat st;
		bool empty = l->sort[i] == XSPACE && !stat(path, &st) && !st.st_size;
		size_t at, other;

		free(path);
		sort_at(l->name[i], &at);
		for (size_t k = 0; k < l->n && empty; k++)
			if (l->sort[k] == JSON && sort_at(l->name[k], &other) == JSON && at == other &&
			    !memcmp(l->name[i], l->name[k], at))
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
		l[i] = list_files(ld, dirs[i]);
		best = best_sort(&l[i]) < best ? best_sort(&l[i]) : best;
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

/* When a run began, by its name: 2026_05_06_04_47_36.  False: the name is none of the profiler's. */
static bool begin_of(const char *name, time_t *at)
{
	const char *slash = strrchr(name, '/');
	struct tm t = { .tm_isdst = 0 };
	int end = 0;

	name = slash ? slash + 1 : name;
	if (sscanf(name, "%4d_%2d_%2d_%2d_%2d_%2d%n", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour,
		&t.tm_min, &t.tm_sec, &end) != 6 ||
	    name[end])
		return false;
	t.tm_year -= 1900;
	t.tm_mon--;
	*at = timegm(&t);
	return true;
}

bool logdir_runs_near(const char *a, const char *b)
{
	time_t x, y;

	return begin_of(a, &x) && begin_of(b, &y) && y - x <= SECONDS_APART && x - y <= SECONDS_APART;
}

/* ---- folders of ranks ---- */

/* The folder of a rank that a run is in, which its name begins with; n 0: none. */
static struct slice rank_folder(const struct run *r)
{
	const char *slash = strchr(r->name, '/');
	struct slice folder = { r->name, slash ? (size_t)(slash - r->name) : 0 };

	return file_name_is_rank(folder) ? folder : (struct slice){ r->name, 0 };
}

/* The name without that folder. */
static const char *run_name(const struct run *r)
{
	struct slice folder = rank_folder(r);

	return folder.n ? r->name + folder.n + 1 : r->name;
}

static bool is_rank_of(const struct logdir *ld, const struct run *r, bool exactly)
{
	const struct run *chosen = &ld->runs[ld->run];

	if (!rank_folder(r).n || slice_same(rank_folder(r), rank_folder(chosen)))
		return false;
	return exactly ? !strcmp(run_name(r), run_name(chosen))
		       : logdir_runs_near(run_name(r), run_name(chosen));
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
	for (size_t k = 0; k < 2 * ld->nruns && rank_folder(&ld->runs[chosen]).n; k++) {
		size_t i = k % ld->nruns;
		bool again = gone[i] || i == chosen || !is_rank_of(ld, &ld->runs[i], k < ld->nruns);

		for (size_t t = 1; t < *n && !again; t++)
			again = slice_same(taken[t], rank_folder(&ld->runs[i]));
		if (again)
			continue;
		gone[i] = true;
		taken[*n] = rank_folder(&ld->runs[i]);
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

	qsort(ld->runs, ld->nruns, sizeof *ld->runs, newest_first);
	ld->run = 0;
	while (run && ld->run < ld->nruns && strcmp(ld->runs[ld->run].name, run) &&
	    strcmp(run_name(&ld->runs[ld->run]), run))
		ld->run++;
	if (ld->run == ld->nruns)
		return no_such_run(ld, run, err);
	dirs = take_ranks(ld, &n);
	if (n > 1) {
		char *name = xstrdup(run_name(&ld->runs[ld->run]));

		free(ld->runs[ld->run].name);
		ld->runs[ld->run].name = name;
		VEC_SORT(dirs, n, by_bytes);
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

			add_runs(ld, profile, "");
			free(profile);
		}
	}
	if (!ld->nruns)
		add_run(ld, name, path);
	for (size_t i = 0; i < ld->nruns; i++) /* keep the path as it was given on the command line */
		if (!strcmp(ld->runs[i].name, name)) {
			free(ld->runs[i].dir);
			ld->runs[i].dir = xstrdup(path);
		}
	status = choose_run(ld, run ? run : name, err);
	free(real);
	return status;
}

/* Finds the runs below a directory.  Returns true if the directory is itself a run folder. */
static bool find_runs(struct logdir *ld, const char *path)
{
	char *profile = xasprintf("%s/plugins/profile", path), *below = xasprintf("%s/profile", path);
	bool is_run;

	add_runs(ld, profile, "");
	is_run = !ld->nruns && holds_capture(ld, path, false);
	if (!is_run && !ld->nruns)
		add_runs(ld, path, "");
	if (!is_run && !ld->nruns)
		add_runs(ld, below, "");
	if (!is_run && !ld->nruns)
		add_runs_below(ld, path);
	is_run |= !ld->nruns && holds_capture(ld, path, true);
	free(profile);
	free(below);
	return is_run;
}

/* Does a directory hold what the compiler writes about modules? */
static bool holds_dump(struct logdir *ld, const char *dir)
{
	struct listing l = list(ld, dir, S_IFREG);
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
		if (find_runs(ld, path))
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
	    is_kind(path, "plugins/profile", S_IFDIR) ? "a logdir without a run that holds a capture"
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

int logdir_find(const char *path, const char *run, struct logdir *ld, struct err *err)
{
	struct stat st;
	DIR *d;

	*ld = (struct logdir){ .run = 0 };
	if (strcmp(path, "-") && stat(path, &st))
		return cannot_open(err);
	if (!strcmp(path, "-") || !S_ISDIR(st.st_mode)) {
		VEC_ADD(ld->files, ld->nfiles, ld->files_cap, xstrdup(path));
		return 0;
	}
	d = opendir(path);
	if (!d)
		return cannot_open(err);
	closedir(d);
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
	DIR *d = strcmp(path, "-") ? opendir(path) : NULL;

	*ld = (struct logdir){ .run = 0 };
	if (!d)
		return cannot_open(err);
	closedir(d);
	files_below(ld, path, 0);
	return 0;
}

bool logdir_form_of(const char *name, struct logdir_form *f)
{
	enum sort sort = sort_at(name, &f->host);
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

void logdir_free(struct logdir *ld)
{
	for (size_t i = 0; i < ld->nfiles; i++)
		free(ld->files[i]);
	for (size_t i = 0; i < ld->nruns; i++) {
		free(ld->runs[i].name);
		free(ld->runs[i].dir);
	}
	free(ld->files);
	free(ld->runs);
	free(ld->unread);
	*ld = (struct logdir){ .run = 0 };
}
