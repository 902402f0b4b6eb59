#include "config.h"

#include "load/split_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

#define SECONDS_APART 60
#define TOLD_MAX 3 /* folders that are named */

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

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_near(const struct run *a, const struct run *b)
{
	time_t x, y;

	return begin_of(a->name, &x) && begin_of(b->name, &y) && y - x <= SECONDS_APART &&
	    x - y <= SECONDS_APART;
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

/* Marks the runs that go with the open one, and with one another.  Returns how many. */
static size_t mark_runs(struct dump *d, const struct logdir *ld)
{
	struct logdir *all = xcalloc(ld->nruns, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < ld->nruns; i++) {
		struct err err = { .status = 0 };
		bool apart;

		if (i == ld->run || !is_near(&ld->runs[ld->run], &ld->runs[i]))
			continue;
		apart = !logdir_find(ld->runs[i].dir, NULL, &all[n], &err) && is_apart(&all[n], ld);
		for (size_t k = 0; apart && k < n; k++)
			apart = is_apart(&all[n], &all[k]);
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

void split_run_tell(struct dump *d, const struct logdir *ld)
{
	size_t n = ld->nruns < 2 || ld->nruns != d->nruns ? 0 : mark_runs(d, ld), named = 0;
	char *command;

	if (!n)
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
	problem_add(&d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
	    "%zu run%s of other hosts began within a minute of %s, perhaps of the same job; to open "
	    "them together: %s%s",
	    n, n == 1 ? "" : "s", ld->runs[ld->run].name, command, n > named ? " …" : "");
	free(command);
}
