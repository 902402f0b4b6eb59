#include "config.h"

#include "load/twice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bisect.h"
#include "base/hash.h"
#include "load/probe/logdir.h"
#include "load/source/file_name.h"
#include "load/source/source.h"
#include "load/xspace/xspace.h"

struct known {
	uint64_t id[2];
	size_t file;
}; /* id: the file on disk */

VEC_ORDER(by_id, struct known, UP(id[0]) UP(id[1]) UP(file));

static size_t mark_same(const struct dump *d, bool *drop)
{
	struct known *v = xcalloc(d->nfiles, sizeof *v);
	size_t n = 0, found = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		v[n].file = i;
		n += source_id(d->files[i].source, v[n].id);
	}
	qsort(v, n, sizeof *v, by_id);
	for (size_t i = 1; i < n; i++)
		if (!memcmp(v[i].id, v[i - 1].id, sizeof v->id)) {
			drop[v[i].file] = true;
			found++;
		}
	free(v);
	return found;
}

/* A file whose name says what it holds, and for which host. */
struct form {
	const char *base;
	struct logdir_form is;
	uint64_t dir[2];
	size_t file;
};

static bool find_folder(struct form *f, const char *path)
{
	char *dir = f->base == path ? xstrdup(".") : xstrndup(path, (size_t)(f->base - path));
	struct stat st;
	bool found = !stat(dir, &st);

	if (found) {
		f->dir[0] = st.st_dev;
		f->dir[1] = st.st_ino;
	}
	free(dir);
	return found;
}

static struct slice host_of(const struct form *f)
{
	return (struct slice){ f->base, f->is.host };
}

static int by_host(const void *a, const void *b)
{
	const struct form *x = a, *y = b;

	return slice_order(host_of(x), host_of(y));
}

/* Whether a file in the same folder, of the same host, is preferred to f. */
static bool is_beaten(const struct form *v, size_t nv, const struct form *f, struct slice host)
{
	size_t lo;

	BISECT(lo, nv, slice_order(host_of(&v[lo]), host) < 0);
	for (; lo < nv && slice_same(host_of(&v[lo]), host); lo++)
		if (!memcmp(v[lo].dir, f->dir, sizeof f->dir) && logdir_goes_before(&v[lo].is, &f->is))
			return true;
	return false;
}

/* Names of results contain more than the host, and the name of a linked trace has no host. */
static bool is_left_out(const struct form *v, size_t n, const struct form *f)
{
	if (f->is.host && is_beaten(v, n, f, host_of(f)))
		return true;
	for (size_t i = 1; f->is.result && i < f->is.host; i++)
		if (f->base[i] == '.' && is_beaten(v, n, f, (struct slice){ f->base, i }))
			return true;
	for (size_t i = 0; !f->is.host && i < n; i++)
		if (!memcmp(v[i].dir, f->dir, sizeof f->dir) && logdir_goes_before(&v[i].is, &f->is))
			return true;
	return false;
}

/* Continuous profiling may leave an XSpace without events beside the records. */
static bool is_without_events(const struct file *f)
{
	size_t n;
	const uint8_t *b = source_raw(f->source, &n);

	return f->kind == FILE_XSPACE && !f->packing && (!n || !xspace_has_events(b, n));
}

static bool is_twin(const struct file *pb, const struct file *riegeli)
{
	struct slice a = slice_of(pb->path), b = slice_of(riegeli->path);

	return slice_cut_end(&a, ".xplane.pb") && slice_cut_end(&b, ".xplane.riegeli") && slice_same(a, b);
}

/* Files of a folder are sorted: the records of a host follow its XSpace. */
static size_t mark_twins(struct dump *d, bool *drop)
{
	size_t found = 0;

	for (size_t i = 0; i + 1 < d->nfiles; i++)
		if (!drop[i] && is_twin(&d->files[i], &d->files[i + 1]) && is_without_events(&d->files[i])) {
			problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
			    "%s has no events and is left out: %s is read", d->files[i].base,
			    d->files[i + 1].base);
			drop[i] = true;
			found++;
		}
	return found;
}

static size_t mark_forms(const struct dump *d, bool *drop)
{
	struct form *v = xcalloc(d->nfiles, sizeof *v);
	size_t n = 0, found = 0;
	bool mixed = false;

	for (size_t i = 0; i < d->nfiles; i++) {
		v[n] = (struct form){ .base = d->files[i].base, .file = i };
		if (drop[i] || !logdir_form_of(v[n].base, &v[n].is) || source_is_empty(d->files[i].source))
			continue;
		mixed |= n && (v[n].is.rank != v[0].is.rank || v[n].is.packed != v[0].is.packed);
		n++;
	}
	for (size_t i = 0; mixed && i < n; i++)
		mixed = find_folder(&v[i], d->files[v[i].file].path);
	if (mixed)
		qsort(v, n, sizeof *v, by_host);
	for (size_t i = 0; mixed && i < n; i++)
		if (is_left_out(v, n, &v[i])) {
			drop[v[i].file] = true;
			found++;
		}
	free(v);
	return found;
}

/* ---- the same bytes in another file ---- */

struct content {
	const uint8_t *b;
	size_t n, file;
	uint64_t sample; /* hash of some of the bytes */
	struct slice host;
};

enum { SAMPLE = 4096, ROUNDS = 8 };

VEC_ORDER(by_size, struct content, UP(n) UP(sample) UP(file));

static struct slice named_host(const struct file *f)
{
	struct file_rank rank;

	return file_name_rank(f->path, &rank) ? rank.host : file_name_host(f->base);
}

static uint64_t sample_of(const uint8_t *b, size_t n)
{
	size_t some = n < SAMPLE ? n : SAMPLE;
	uint64_t h = hash_bytes(HASH_START, b, some);

	h = hash_bytes(h, b + (n - some) / 2, some);
	return hash_bytes(h, b + n - some, some);
}

static int by_named_host(const void *a, const void *b)
{
	const struct content *x = a, *y = b;
	int order = slice_order(x->host, y->host);

	return order ? order : (x->file > y->file) - (x->file < y->file);
}

/* Keeps the first file of each host among files with the same bytes.  Returns how many are dropped. */
static size_t mark_equal(struct dump *d, struct content *v, size_t n, bool *drop)
{
	size_t found = 0, first = v[0].file, kept = 0;

	for (size_t i = 1; i < n; i++)
		first = v[i].file < first ? v[i].file : first;
	VEC_SORT(v, n, by_named_host);
	for (size_t i = 0; i < n; i++) {
		bool same_host = i && slice_same(v[i].host, v[i - 1].host);

		kept = same_host ? kept : v[i].file;
		if (v[i].file == first)
			continue;
		problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    same_host ? "%s is a copy of %s: left out"
			      : "%s has the same bytes as %s, of another host by its name: both are read",
		    d->files[v[i].file].base, d->files[same_host ? kept : first].base);
		drop[v[i].file] = same_host;
		found += same_host;
	}
	return found;
}

/* The files have the same size and the same sample: nearly always the same bytes. */
static size_t mark_alike(struct dump *d, struct content *v, size_t n, bool *drop)
{
	size_t found = 0;

	for (int round = 0; n > 1 && round < ROUNDS; round++) {
		size_t same = 1;

		for (size_t i = 1; i < n; i++)
			if (!memcmp(v[i].b, v[0].b, v[0].n)) {
				struct content swap = v[same];

				v[same++] = v[i];
				v[i] = swap;
			}
		found += mark_equal(d, v, same, drop);
		v += same;
		n -= same;
	}
	return found;
}

static size_t mark_copies(struct dump *d, bool *drop)
{
	struct content *v = xcalloc(d->nfiles + 1, sizeof *v);
	size_t n = 0, found = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		v[n].file = i;
		v[n].b = source_raw(d->files[i].source, &v[n].n);
		n += !drop[i] && d->files[i].kind == FILE_XSPACE && v[n].n > 0;
	}
	VEC_SORT(v, n, by_size);
	for (size_t i = 0; i < n; i++)
		if ((i && v[i - 1].n == v[i].n) || (i + 1 < n && v[i + 1].n == v[i].n)) {
			v[i].sample = sample_of(v[i].b, v[i].n);
			v[i].host = named_host(&d->files[v[i].file]);
		}
	VEC_SORT(v, n, by_size);
	for (size_t a = 0, end; a < n; a = end) {
		for (end = a; end < n && v[end].n == v[a].n && v[end].sample == v[a].sample; end++)
			;
		found += mark_alike(d, v + a, end - a, drop);
	}
	free(v);
	return found;
}

static void tell_dropped(struct dump *d, const bool *drop, const bool *told, const char *why)
{
	char names[300] = "";
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++) {
		const char *base = d->files[i].base;

		if (!drop[i] || told[i])
			continue;
		if (n + strlen(base) + 8 > sizeof names) {
			strcpy(names + n, ", …");
			break;
		}
		n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", base);
	}
	problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1, "%s: %s", why, names);
}

bool *twice_find(struct dump *d)
{
	bool *drop = xcalloc(d->nfiles + 1, sizeof *drop), *same = xcalloc(d->nfiles + 1, sizeof *same);
	size_t nsame = mark_same(d, drop), nforms, ncopies, ntwins;

	if (nsame)
		tell_dropped(d, drop, same, "named more than once, read once");
	ntwins = mark_twins(d, drop);
	memcpy(same, drop, d->nfiles);
	nforms = mark_forms(d, drop);
	if (nforms)
		tell_dropped(d, drop, same,
		    "left out, as when opening the folder: a better form of their hosts is there");
	free(same);
	ncopies = mark_copies(d, drop);
	if (nsame || nforms || ncopies || ntwins)
		return drop;
	free(drop);
	return NULL;
}
