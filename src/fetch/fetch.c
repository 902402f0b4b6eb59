#include "config.h"

#include "fetch/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "base/file/disk.h"
#include "base/mem.h"
#include "base/now.h"
#include "base/text/slice.h"
#include "base/text/units.h"

#define TELL_MS 1000

struct fetching {
	const struct fetch_options *o;
	const char *part, *name; /* the file or folder that is being written */
	uint64_t done, total;    /* done: of the files before it */
	int64_t told;            /* when */
};

static void tell_progress(void *ctx)
{
	struct fetching *f = ctx;
	struct stat st;
	uint64_t now = 0;

	if (!f->o->tell || now_ms() < f->told + TELL_MS)
		return;
	f->told = now_ms();
	if (!lstat(f->part, &st))
		now = S_ISDIR(st.st_mode) ? cache_size(f->part, NULL) : (uint64_t)st.st_size;
	f->o->tell(f->o->ctx, f->done + now, f->total, f->name);
}

static int run(const char *command, const char *source, const char *place, struct fetch_bytes *out,
    struct fetching *f, struct err *err)
{
	char **argv = fetch_words(command, source, place);
	int bad = !argv[0] ? err_set(err, EXIT_USAGE, ERR_NOWHERE, "the command of the config file is empty")
			   : fetch_run(argv, out, f->o, out ? NULL : tell_progress, f, err);

	fetch_words_free(argv);
	return bad;
}

static bool is_there(const char *path, const struct fetch_file *f)
{
	struct stat st;

	return !lstat(path, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size == f->bytes &&
	    (!f->time || st.st_mtim.tv_sec == f->time);
}

/* Gives a file that is complete its name and the time of the listing. */
static int accept_file(const char *part, const char *path, const struct fetch_file *f, struct err *err)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_NOW }, { .tv_sec = f->time } };
	struct stat st;

	if (lstat(part, &st) || !S_ISREG(st.st_mode))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%.200s: the tool wrote no file", f->name);
	if ((uint64_t)st.st_size != f->bytes)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "%.200s: %llu of %llu bytes came; it may have changed meanwhile: try again", f->name,
		    (unsigned long long)st.st_size, (unsigned long long)f->bytes);
	if (f->time)
		utimensat(AT_FDCWD, part, times, 0);
	chmod(part, 0600);
	return rename(part, path) ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", path, strerror(errno))
				  : 0;
}

static int get_file(const struct fetch_tool *t, const struct fetch_file *f, const char *folder,
    struct fetching *x, struct err *err)
{
	char *path = xasprintf("%s/%s", folder, f->name), *part = xasprintf("%s.part", path);
	int bad = 0;

	x->part = part;
	x->name = f->name;
	if (!is_there(path, f)) {
		unlink(part);
		bad = run(t->copy, f->url, part, NULL, x, err);
		if (!bad)
			bad = accept_file(part, path, f, err);
		if (bad)
			unlink(part);
	}
	x->done += f->bytes;
	free(path);
	free(part);
	return bad;
}

/* Counts the files that are not in the folder yet. */
static void count_missing(const struct fetch_list *l, const char *folder, size_t *n, uint64_t *bytes)
{
	*n = 0;
	*bytes = 0;
	for (size_t i = 0; i < l->n; i++) {
		char *path = xasprintf("%s/%s", folder, l->v[i].name);

		if (!is_there(path, &l->v[i])) {
			++*n;
			*bytes += l->v[i].bytes;
		}
		free(path);
	}
}

static int check_room(const char *folder, uint64_t bytes, struct err *err)
{
	uint64_t room = disk_room(folder);
	char needed[40], free_now[40];

	if (bytes <= room)
		return 0;
	units_bytes(needed, sizeof needed, (double)bytes);
	units_bytes(free_now, sizeof free_now, (double)room);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
	    "%s to fetch, and %s are free in the cache; tpuscope cache says what can be deleted there, "
	    "XDG_CACHE_HOME puts it elsewhere",
	    needed, free_now);
}

static char *get_run(const struct fetch_tool *t, struct fetch_list *l, const char *cache, const char *run,
    struct fetching *x, struct err *err)
{
	char *folder = xasprintf("%s/plugins/profile/%s", cache, run);
	size_t n;
	uint64_t bytes;
	int bad = cache_make_folders(folder, err);

	count_missing(l, folder, &n, &bytes);
	for (size_t i = 0; i < l->n; i++)
		x->total += l->v[i].bytes;
	if (!bad)
		bad = check_room(folder, bytes, err);
	if (!bad && n && x->o->agree && !x->o->agree(x->o->ctx, n, bytes))
		bad = err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "nothing was downloaded; --yes downloads it without asking");
	for (size_t i = 0; i < l->n && !bad; i++)
		bad = get_file(t, &l->v[i], folder, x, err);
	if (bad) {
		free(folder);
		return NULL;
	}
	return folder;
}

static char *get_listed(const struct fetch_tool *t, const char *url, const char *cache, struct fetching *x,
    struct err *err)
{
	struct fetch_bytes out = { 0 };
	struct fetch_list l = { 0 };
	char *name = NULL, *folder = NULL, *path;

	if (!run(t->list, url, "", &out, x, err)) {
		bool one;

		fetch_list_parse(&l, out.s, url, t->form);
		one = l.n == 1 && !strcmp(l.v[0].url, url);
		if (!fetch_choose(&l, url, one ? NULL : x->o->run, &name, err))
			folder = get_run(t, &l, cache, name, x, err);
		if (folder && one) {
			path = xasprintf("%s/%s", folder, l.v[0].name);
			free(folder);
			folder = path;
		}
	}
	free(out.s);
	free(name);
	fetch_list_free(&l);
	return folder;
}

/* Everything below an address, or one file, by a tool that does not say what is there. */
static char *get_whole(const char *command, const char *url, const char *cache, bool file, struct fetching *x,
    struct err *err)
{
	const char *slash = strrchr(url, '/');
	char *name = xstrndup(slash + 1, strcspn(slash + 1, "?#")), *path, *part;
	int bad;

	if (!file || !*name || *name == '.') {
		free(name);
		name = xstrdup(file ? "file" : "tree");
	}
	path = xasprintf("%s/%s", cache, name);
	part = xasprintf("%s.part", path);
	x->part = part;
	x->name = name;
	cache_remove_tree(part, NULL);
	unlink(part);
	bad = run(command, url, part, NULL, x, err);
	if (!bad && access(part, F_OK))
		bad = err_set(err, EXIT_NOTHING, ERR_NOWHERE, "the tool wrote no file");
	if (!bad) {
		cache_remove_tree(path, NULL);
		unlink(path);
		if (rename(part, path))
			bad = err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", path, strerror(errno));
	}
	if (bad) {
		cache_remove_tree(part, NULL);
		unlink(part);
		free(path);
		path = NULL;
	}
	free(part);
	free(name);
	return path;
}

char *fetch_get(const char *url, const struct fetch_options *o, struct err *err)
{
	const struct fetch_tool *t = fetch_tool_for(url, true), *first = fetch_tool_for(url, false);
	struct fetching x = { .o = o, .part = "", .name = "", .told = now_ms() };
	char *cache, *path = NULL;
	int lock;
	bool http = !strncmp(url, "http", 4);

	if (fetch_check_url(url, err))
		return NULL;
	if (!t && !o->own) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "%s, which downloads such addresses, is not installed: %s", first->program, first->page);
		return NULL;
	}
	if (!(cache = cache_folder(url, err)))
		return NULL;
	if ((lock = cache_lock(cache, o, err)) < 0)
		; /* err says why */
	else if (o->own)
		path = get_whole(o->own, url, cache, http, &x, err);
	else if (t->list)
		path = get_listed(t, url, cache, &x, err);
	else
		path = get_whole(t->tree ? t->tree : t->copy, url, cache, http, &x, err);
	if (lock >= 0)
		close(lock);
	free(cache);
	return path;
}
