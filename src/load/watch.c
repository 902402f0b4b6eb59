#include "config.h"

#include "load/watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "load/probe/logdir.h"
#include "load/source/source.h"

static const struct {
	enum problem_level level;
	const char *text;
} news[] = {
	[SOURCE_GONE] = { PROBLEM_WARN,
	    "was deleted after it was opened; what is shown is right, but cannot be read again" },
	[SOURCE_REPLACED] = { PROBLEM_WARN,
	    "was replaced after it was opened; what is shown is the old file" },
	[SOURCE_GROWN] = { PROBLEM_NOTE, "grew after it was opened; the rest is read when it is read again" },
	[SOURCE_WRITTEN] = { PROBLEM_WARN,
	    "was written to after it was opened; names and details may be wrong until it is read again" },
	[SOURCE_SHRUNK] = { PROBLEM_DAMAGE,
	    "shrank after it was opened; names and details may be blank until it is read again" },
	[SOURCE_MIXED] = { PROBLEM_DAMAGE,
	    "changed while it was read; what is shown may be of two versions until it is read again" },
};

static const char no_memory[] =
    "there was not enough memory: numbers and details may be missing; allow more with --memory, end other "
    "programs, or open fewer files, and read it again";

size_t load_watch(struct dump *d, bool ask, char *text, size_t size)
{
	enum source_change worst = SOURCE_SAME;
	size_t n = 0, first = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		struct file *f = &d->files[i];
		enum source_change now = f->source ? source_news(f->source, ask) : SOURCE_SAME;

		if (now == SOURCE_SAME)
			continue;
		n++;
		problem_add(d->problems, news[now].level, (int)i, ERR_NOWHERE, 1, "%s", news[now].text);
		f->partial |= now >= SOURCE_SHRUNK;
		if (now > worst) {
			worst = now;
			first = i;
		}
	}
	if (mem_refusals() != d->refusals) {
		d->refusals = mem_refusals();
		problem_add(d->problems, PROBLEM_DAMAGE, -1, ERR_NOWHERE, 1, "%s", no_memory);
		if (!n++)
			snprintf(text, size, "%s", no_memory);
	} else if (n > 1)
		snprintf(text, size, "%s and %zu more: %s", d->files[first].base, n - 1, news[worst].text);
	else if (n)
		snprintf(text, size, "%s %s", d->files[first].base, news[worst].text);
	return n;
}

static const char *base_of(const char *dir)
{
	const char *slash = strrchr(dir, '/');

	return slash ? slash + 1 : dir;
}

/* Runs of several logdirs have names with the folders that tell them apart; beside the run are those of its own. */
static bool is_beside(const char *dir, const char *run)
{
	size_t n = (size_t)(base_of(run) - run);

	return (size_t)(base_of(dir) - dir) == n && !strncmp(dir, run, n);
}

void known_runs_of(const struct dump *d, struct known_runs *k)
{
	*k = (struct known_runs){ .parent = d->nruns ? xasprintf("%s/..", d->runs[d->run].dir) : NULL,
		.names = xcalloc(d->nruns + 1, sizeof *k->names) };
	for (size_t i = 0; i < d->nruns; i++)
		if (is_beside(d->runs[i].dir, d->runs[d->run].dir))
			k->names[k->n++] = xstrdup(base_of(d->runs[i].dir));
}

void known_runs_free(struct known_runs *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->names[i]);
	free(k->names);
	free(k->parent);
}

static bool is_known_run(const struct known_runs *k, const char *name)
{
	for (size_t i = 0; i < k->n; i++)
		if (!strcmp(k->names[i], name))
			return true;
	return false;
}

/* Whether a file in the folder is a capture, by its name. */
static bool has_capture(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct logdir_form form;
	struct dirent *e;
	bool found = false;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && !found && (e = readdir(dir)))
		found = *e->d_name != '.' && logdir_form_of(e->d_name, &form) && !form.result;
	if (dir)
		closedir(dir);
	return found;
}

bool load_new_run(struct known_runs *k, char *name, size_t size)
{
	int fd = k->parent ? open(k->parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	bool found = false, waits = false;
	struct dirent *e;
	struct stat st;
	int64_t changed = 0;

	*name = 0;
	if (!dir && fd >= 0)
		close(fd);
	if (dir && !fstat(fd, &st))
		changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	while (dir && changed != k->seen && (e = readdir(dir))) {
		bool has;

		if (*e->d_name == '.' || is_known_run(k, e->d_name) || fstatat(fd, e->d_name, &st, 0) ||
		    !S_ISDIR(st.st_mode))
			continue;
		has = has_capture(fd, e->d_name);
		waits |= !has; /* it may come */
		if (has > found || (has == found && strcmp(e->d_name, name) > 0))
			snprintf(name, size, "%s", e->d_name);
		found |= has;
	}
	if (dir)
		closedir(dir);
	if (found || !waits)
		k->seen = changed;
	return found;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void know_host(struct known_files *k, const char *name)
{
	struct logdir_form form;

	if (!logdir_form_of(name, &form) || form.result)
		return;
	VEC_ADD(k->hosts, k->n, k->cap, xstrndup(name, form.host));
	k->forms |= 1u << form.rank;
}

void known_files_of(const struct dump *d, struct known_files *k)
{
	*k = (struct known_files){ .dir = d->folder.dir ? xstrdup(d->folder.dir) : NULL };
	for (size_t i = 0; i < d->folder.n; i++)
		know_host(k, d->folder.names[i]);
	VEC_SORT(k->hosts, k->n, by_text);
}

void known_files_free(struct known_files *k)
{
	for (size_t i = 0; i < k->n; i++)
		free(k->hosts[i]);
	free(k->hosts);
	free(k->dir);
}

/* Is the file one that opening the folder again would take: of a host that has none yet, in the form of the others? */
static bool is_new_file(const struct known_files *k, const char *name)
{
	struct logdir_form form;
	char *host;
	bool known;

	if (*name == '.' || !logdir_form_of(name, &form) || form.result || !(k->forms & 1u << form.rank))
		return false;
	host = xstrndup(name, form.host);
	known = bsearch(&host, k->hosts, k->n, sizeof *k->hosts, by_text);
	free(host);
	return !known;
}

/* Returns how many came that are not known; adds up their bytes. */
static size_t find_unknown(const struct known_files *k, DIR *dir, struct known_files *came, char *first,
    size_t size)
{
	struct dirent *e;
	struct stat st;
	bool empty = false;

	while ((e = readdir(dir))) {
		const char *name = e->d_name;

		if (!is_new_file(k, name) || fstatat(dirfd(dir), name, &st, 0) || !S_ISREG(st.st_mode))
			continue;
		empty |= !st.st_size;
		came->bytes += (uint64_t)st.st_size;
		if (!came->n || strcmp(name, first) < 0)
			snprintf(first, size, "%s", name);
		know_host(came, name);
	}
	came->coming = came->n;
	return empty ? 0 : came->n;
}

size_t load_new_files(struct known_files *k, char *name, size_t size)
{
	struct known_files came = { .n = 0 };
	struct stat st;
	int64_t changed;
	size_t n = 0;
	DIR *dir;

	if (!k->dir || stat(k->dir, &st))
		return 0;
	changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	if ((changed == k->seen && !k->coming) || !(dir = opendir(k->dir)))
		return 0;
	n = find_unknown(k, dir, &came, name, size);
	closedir(dir);
	k->seen = changed;
	if (n != k->coming || came.bytes != k->bytes)
		n = 0;
	k->coming = n ? 0 : came.coming;
	k->bytes = came.bytes;
	for (size_t i = 0; n && i < came.n; i++) {
		VEC_ADD(k->hosts, k->n, k->cap, came.hosts[i]);
		came.hosts[i] = NULL;
	}
	if (n)
		VEC_SORT(k->hosts, k->n, by_text);
	known_files_free(&came);
	return n;
}
