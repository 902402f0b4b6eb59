#include "config.h"

#include "load/split_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "load/probe/probe.h"
#include "load/source/source.h"
#include "load/xspace/what.h"

#define TOLD_MAX 3             /* folders that are named */
#define PACKED_MOST (32 << 20) /* bytes of a packed file that is unpacked to look into it */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Two runs of one program have files of the same hosts. */
static bool is_apart(const struct logdir *a, const struct logdir *b)
{
	for (size_t i = 0; i < a->ncaptures; i++)
		for (size_t k = 0; k < b->ncaptures; k++)
			if (!strcmp(base_of(a->files[i]), base_of(b->files[k])))
				return false;
	return a->ncaptures;
}

/* What the first capture of a run says of its chips and programs, where that costs little. */
static struct xwhat what_runs(const struct logdir *ld)
{
	struct err err = { .status = 0 };
	struct source *s = ld->ncaptures ? source_open(ld->files[0], &err) : NULL;
	struct xwhat what = { .nprograms = 0 };
	const uint8_t *b, *raw;
	uint64_t damaged;
	bool packed;
	size_t n;

	if (!s)
		return what;
	raw = source_raw(s, &n);
	packed = raw && n > 3 && ((raw[0] == 0x1f && raw[1] == 0x8b) || (raw[0] == 0x28 && raw[1] == 0xb5));
	if (raw && (!packed || n <= PACKED_MOST)) {
		b = source_bytes(s, &n, &damaged, NULL, NULL);
		if (b && probe_kind(base_of(ld->files[0]), b, n, NULL, 0) == FILE_XSPACE)
			xspace_what(b, n, &what);
	}
	source_close(s);
	return what;
}

/* Marks the runs that go with the open one, and with one another.  Returns how many. */
static size_t mark_runs(struct dump *d, const struct logdir *ld)
{
	struct logdir *all = xcalloc(ld->nruns, sizeof *all);
	struct xwhat here = { .nprograms = 0 };
	bool known = false;
	size_t n = 0;

	for (size_t i = 0; i < ld->nruns; i++) {
		struct err err = { .status = 0 };
		bool apart;

		if (i == ld->run || !logdir_runs_near(ld->runs[ld->run].name, ld->runs[i].name))
			continue;
		apart = !logdir_find(ld->runs[i].dir, NULL, &all[n], &err) && is_apart(&all[n], ld);
		for (size_t k = 0; apart && k < n; k++)
			apart = is_apart(&all[n], &all[k]);
		if (apart && !known) {
			here = what_runs(ld);
			known = true;
		}
		if (apart) {
			struct xwhat there = what_runs(&all[n]);

			apart = !xwhat_differs(&here, &there);
		}
		d->runs[i].other_hosts = apart;
		if (apart)
			n++;
		else
			logdir_free(&all[n]);
	}
	for (size_t i = 0; i < n; i++)
		logdir_free(&all[i]);
	free(all);
	return n;
}

void split_run_tell(struct dump *d, const struct logdir *ld, bool joined)
{
	size_t n = ld->nruns < 2 || ld->nruns != d->nruns ? 0 : mark_runs(d, ld), named = 0;
	char *command;

	if (!n || joined)
		return;
	command = xasprintf("tpuscope %s", ld->runs[ld->run].dir);
	for (size_t i = 0; i < d->nruns && named < TOLD_MAX; i++) {
		char *more;

		if (!d->runs[i].other_hosts)
			continue;
		more = xasprintf("%s %s", command, ld->runs[i].dir);
		free(command);
		command = more;
		named++;
	}
	problem_add(d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
	    "%zu run%s of other hosts began within a minute of %s, perhaps of the same job; --join opens "
	    "them together, as does: %s%s",
	    n, n == 1 ? "" : "s", ld->runs[ld->run].name, command, n > named ? " …" : "");
	free(command);
}
