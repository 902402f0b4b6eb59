#include "config.h"

#include "fetch/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/codec/sha256.h"
#include "base/file/disk.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "base/text/utf8.h"

#define ADDRESS_FILE "ADDRESS" /* in the folder of an address: what it was fetched from */
#define DEPTH_MAX 32
#define LOCK_WAIT_MS 100

static char *cache_root(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (base && *base == '/')
		return xasprintf("%s/tpuscope/fetch", base);
	return home && *home == '/' ? xasprintf("%s/.cache/tpuscope/fetch", home) : NULL;
}

char *fetch_cache(uint64_t *bytes)
{
	char *root = cache_root();
	size_t files;

	*bytes = root ? cache_size(root, &files) : 0;
	return root;
}

int cache_make_folders(const char *path, struct err *err)
{
	char *p = xstrdup(path);
	int bad = 0;

	for (char *slash = p + 1; !bad && (slash = strchrnul(slash, '/')); slash++) {
		char was = *slash;

		*slash = 0;
		if (mkdir(p, 0700) && errno != EEXIST)
			bad = err_set(err, EXIT_NOTHING, ERR_NOWHERE,
			    "cannot make the folder %s: %s; set XDG_CACHE_HOME to one that can be written", p,
			    strerror(errno));
		*slash = was;
		if (!was)
			break;
	}
	free(p);
	return bad;
}

int cache_lock(const char *folder, const struct fetch_options *o, struct err *err)
{
	int fd = disk_folder_open(AT_FDCWD, folder);

	/* some file systems have no locks, and the fetch then goes on without one */
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		if (o->tell)
			o->tell(o->ctx, 0, 0, "waits until another process has fetched it");
		if (o->stopped && o->stopped()) {
			close(fd);
			return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "stopped; nothing was fetched");
		}
		poll(NULL, 0, LOCK_WAIT_MS);
	}
	return fd < 0
	    ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot use the folder %s: %s", folder, strerror(errno))
	    : fd;
}

static int write_address(const char *path, const char *url, struct err *err)
{
	int folder = disk_folder_open(AT_FDCWD, path);
	FILE *f;

	if (folder < 0)
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot use the folder %s: %s", path,
		    errno == ENOTDIR || errno == ELOOP ? "it is a link or a file" : strerror(errno));
	if ((f = disk_file_new(folder, ADDRESS_FILE))) {
		fprintf(f, "%s\n", url);
		fclose(f);
	}
	close(folder);
	return 0;
}

char *cache_folder(const char *url, struct err *err)
{
	char *root = cache_root(), *folder, id[17];
	uint8_t hash[32];

	if (!root) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "no folder for the cache: set XDG_CACHE_HOME or HOME");
		return NULL;
	}
	sha256(url, strlen(url), hash);
	for (int i = 0; i < 8; i++)
		snprintf(id + 2 * i, 3, "%02x", hash[i]);
	folder = xasprintf("%s/%s", root, id);
	free(root);
	if (cache_make_folders(folder, err) || write_address(folder, url, err)) {
		free(folder);
		return NULL;
	}
	return folder;
}

/* --- all files of a folder, without following links --- */

struct sum {
	uint64_t bytes;
	size_t files;
	bool remove;
	int failed; /* errno */
};

static void walk(int at, const char *name, struct sum *s, int depth)
{
	int fd = disk_folder_open(at, name);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct stat st;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && (e = readdir(dir))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
			walk(fd, e->d_name, s, depth + 1);
			continue;
		}
		s->bytes += (uint64_t)st.st_size;
		s->files += strcmp(e->d_name, ADDRESS_FILE) != 0;
		if (s->remove && unlinkat(fd, e->d_name, 0))
			s->failed = errno;
	}
	if (dir)
		closedir(dir);
	if (s->remove && unlinkat(at, name, AT_REMOVEDIR))
		s->failed = errno;
}

uint64_t cache_size(const char *path, size_t *files)
{
	struct sum s = { 0 };

	walk(AT_FDCWD, path, &s, 0);
	if (files)
		*files = s.files;
	return s.bytes;
}

int cache_remove_tree(const char *path, struct err *err)
{
	struct sum s = { .remove = true };

	walk(AT_FDCWD, path, &s, 0);
	return s.failed ? err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", path, strerror(s.failed)) : 0;
}

static bool is_id(const char *name)
{
	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16;
}

static void read_address(const char *folder, char *buf, size_t size)
{
	char *path = xasprintf("%s/" ADDRESS_FILE, folder);
	FILE *f = fopen(path, "re");

	*buf = 0;
	if (f) {
		if (!fgets(buf, (int)size, f))
			*buf = 0;
		buf[strcspn(buf, "\n")] = 0;
		fclose(f);
	}
	free(path);
}

/* Calls fn for the folder of each address until it returns other than 0. */
static int each_address(int (*fn)(void *, const char *folder, const char *id), void *ctx)
{
	char *root = cache_root();
	struct dirent **v = NULL;
	int n = root ? scandir(root, &v, NULL, alphasort) : 0, status = 0;

	for (int i = 0; i < n; i++) {
		char *folder = xasprintf("%s/%s", root, v[i]->d_name);

		if (!status && is_id(v[i]->d_name))
			status = fn(ctx, folder, v[i]->d_name);
		free(folder);
		free(v[i]);
	}
	free(v);
	free(root);
	return status;
}

struct listing {
	FILE *f;
	uint64_t bytes;
	size_t n;
};

static int list_one(void *ctx, const char *folder, const char *id)
{
	struct listing *l = ctx;
	char url[2000], clean[2400], size[40];
	size_t files;
	uint64_t bytes = cache_size(folder, &files);

	read_address(folder, url, sizeof url);
	utf8_clean_text(clean, sizeof clean, url);
	units_bytes(size, sizeof size, (double)bytes);
	fprintf(l->f, "%s  %10s  %3zu file%s  %s\n", id, size, files, files == 1 ? " " : "s", clean);
	l->bytes += bytes;
	l->n++;
	return 0;
}

int cache_list(FILE *f, struct err *err)
{
	struct listing l = { .f = f };
	char size[40];

	(void)err;
	each_address(list_one, &l);
	units_bytes(size, sizeof size, (double)l.bytes);
	if (l.n)
		fprintf(f, "%zu fetched, %s; tpuscope cache --delete ID|ADDRESS|all frees it\n", l.n, size);
	else
		fputs("nothing was fetched\n", f);
	return EXIT_OK;
}

struct deletion {
	const char *what;
	size_t n;
	struct err *err;
};

static int delete_one(void *ctx, const char *folder, const char *id)
{
	struct deletion *x = ctx;
	char url[2000];

	read_address(folder, url, sizeof url);
	if (strcmp(x->what, "all") && strcmp(x->what, id) && strcmp(x->what, url))
		return 0;
	x->n++;
	return cache_remove_tree(folder, x->err);
}

int cache_delete(const char *what, struct err *err)
{
	struct deletion x = { .what = what, .err = err };

	if (each_address(delete_one, &x))
		return -1;
	return x.n || !strcmp(what, "all")
	    ? 0
	    : err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%.200s was not fetched; tpuscope cache lists what was",
		  what);
}
