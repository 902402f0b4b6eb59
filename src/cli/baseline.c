#include "config.h"
#include "cli/baseline.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text/slice.h"
#include "model/digest.h"

enum { FILES_MOST = 4096 };
#define TOGETHER_NS INT64_C(60000000000)

/* A digest of the folder: when its capture began, 0 = not known, and of which host it is. */
struct digest_file {
	const char *path;
	int64_t began;
	char *host;
	size_t nth;
};

VEC_ORDER(newest_first, struct digest_file, DOWN(began) DOWN(nth));

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Other folders hold folders, or captures under their own names. */
static bool may_be_digest(const char *path)
{
	static const char *const other[] = { ".xplane.pb", ".xplane.pb.gz", ".json", ".json.gz", ".txt",
		".hlo_proto.pb" };
	struct stat st;

	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (slice_ends(slice_of(path), other[i]))
			return false;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool list_files(struct baseline *b, const char *path)
{
	DIR *dir = opendir(path);
	bool all = true;

	for (struct dirent *e; dir && all && (e = readdir(dir));) {
		if (*e->d_name == '.')
			continue;
		VEC_ADD(b->file, b->nfiles, b->files_cap, xasprintf("%s/%s", path, e->d_name));
		all = may_be_digest(b->file[b->nfiles - 1]) && b->nfiles <= FILES_MOST;
	}
	if (dir)
		closedir(dir);
	if (all && b->nfiles)
		qsort(b->file, b->nfiles, sizeof *b->file, by_name);
	return all && b->nfiles;
}

static bool read_digest(const struct options *o, const char *path, struct digest_file *f)
{
	struct err err = { .at = ERR_NOWHERE };
	struct dump *d = cli_load_paths(o, &path, 1, NULL, &err);
	bool is = d && digest_count(d) == d->nfiles;

	*f = (struct digest_file){ .path = path, .began = d ? d->origin_ns : 0 };
	if (is && d->nhosts)
		f->host =
		    xstrndup(strtab_str(&d->str, d->hosts[0].name), strtab_len(&d->str, d->hosts[0].name));
	if (d)
		dump_close(d);
	return is;
}

/* false: there are as many runs as count, and it is of another one. */
static bool add_file(struct baseline *b, struct digest_file *v, size_t i)
{
	struct baseline_run *r = b->n ? &b->v[b->n - 1] : NULL;
	bool together = r && !v[i].began == !v[i - 1].began && v[i - 1].began - v[i].began < TOGETHER_NS;

	for (size_t k = 1; together && k <= r->n; k++)
		together = v[i].host && v[i - k].host && strcmp(v[i].host, v[i - k].host);
	if (!together) {
		if (b->n == BASELINE_RUNS)
			return false;
		r = &b->v[b->n++];
	}
	VEC_ADD(r->path, r->n, r->cap, v[i].path);
	return true;
}

bool sides_baseline(const struct options *o, const char *path, struct baseline *b)
{
	struct digest_file *v;
	size_t n = 0;
	bool are;

	*b = (struct baseline){ .n = 0 };
	are = list_files(b, path);
	v = xcalloc(b->nfiles + 1, sizeof *v);
	for (size_t i = 0; are && i < b->nfiles; i++, n++) {
		are = read_digest(o, b->file[i], &v[n]);
		v[n].nth = n;
	}
	VEC_SORT(v, n, newest_first);
	for (size_t i = 0; are && i < n && add_file(b, v, i); i++)
		;
	for (size_t i = 0; i < b->nfiles; i++)
		free(v[i].host);
	free(v);
	if (!are)
		baseline_free(b);
	return are;
}

void baseline_free(struct baseline *b)
{
	for (size_t i = 0; i < b->n; i++)
		free((void *)b->v[i].path);
	for (size_t i = 0; i < b->nfiles; i++)
		free(b->file[i]);
	free(b->file);
	*b = (struct baseline){ .n = 0 };
}
