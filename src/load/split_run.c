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

/* Two runs of one program have files of the same hosts. */
static bool has_other_hosts(const struct logdir *ld, const char *dir)
{
	struct err err = { .status = 0 };
	struct logdir other;
	bool others;

	if (logdir_find(dir, NULL, &other, &err)) {
		logdir_free(&other);
		return false;
	}
	others = other.ncaptures;
	for (size_t i = 0; i < other.ncaptures; i++)
		for (size_t k = 0; k < ld->ncaptures; k++)
			others &= strcmp(base_of(other.files[i]), base_of(ld->files[k])) != 0;
	logdir_free(&other);
	return others;
}

void split_run_tell(struct dump *d, const struct logdir *ld)
{
	time_t begin, other;
	char *command;
	int told = 0;

	if (ld->nruns < 2 || !begin_of(ld->runs[ld->run].name, &begin))
		return;
	command = xasprintf("tpuscope %s", ld->runs[ld->run].dir);
	for (size_t i = 0; i < ld->nruns && told < TOLD_MAX; i++) {
		char *more;

		if (i == ld->run || !begin_of(ld->runs[i].name, &other) || other - begin > SECONDS_APART ||
		    begin - other > SECONDS_APART || !has_other_hosts(ld, ld->runs[i].dir))
			continue;
		more = xasprintf("%s %s", command, ld->runs[i].dir);
		free(command);
		command = more;
		told++;
	}
	if (told)
		problem_add(&d->problems, PROBLEM_WARN, -1, ERR_NOWHERE, 1,
		    "%d run%s of other hosts began within a minute of %s, perhaps of the same job; to open "
		    "them "
		    "together: %s",
		    told, told == 1 ? "" : "s", ld->runs[ld->run].name, command);
	free(command);
}
