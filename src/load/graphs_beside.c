#include "config.h"

#include "load/graphs_beside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "load/source/source.h"
#include "load/tf/events.h"

#define HEAD_SIZE ((size_t)1 << 20) /* the first records, among which a graph is */
#define TAKEN_MAX 8
#define LOOKED_AT_MAX 100
#define SIZE_MOST ((off_t)256 << 20)

static bool has_graph(const char *path)
{
	const char *slash = strrchr(path, '/');
	bool named = logdir_is_graph(slash ? slash + 1 : path);
	struct err err;
	struct source *source = named ? NULL : source_open(path, &err);
	uint8_t *head = source ? xmalloc(HEAD_SIZE) : NULL;
	bool has = named || (source && tf_events_have_graph(head, source_peek(source, head, HEAD_SIZE)));

	free(head);
	if (source)
		source_close(source);
	return has;
}

/* How many bytes of the path of a folder the path of a run begins with; 0: it is not below it. */
static size_t nearness(const char *path, const char *run)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) + 1 : 0;

	return !strncmp(path, run, n) ? n : 0;
}

static int nearest_newest(const void *a, const void *b, void *run)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t m = nearness(x, run), n = nearness(y, run);

	return m != n ? m < n ? 1 : -1 : strcmp(y, x);
}

static bool is_large(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size > SIZE_MOST;
}

void graphs_beside(struct dump *d, const struct logdir *ld, void (*take)(void *ctx, const char *path),
    void *ctx)
{
	char **path = xcalloc(ld->nevents + 1, sizeof *path);
	size_t taken = 0;

	if (ld->nevents)
		memcpy(path, ld->events, ld->nevents * sizeof *path);
	if (ld->nruns)
		qsort_r(path, ld->nevents, sizeof *path, nearest_newest, ld->runs[ld->run].dir);
	for (size_t i = 0; i < ld->nevents && i < LOOKED_AT_MAX && taken < TAKEN_MAX && ld->nruns; i++) {
		if (!has_graph(path[i]))
			continue;
		if (is_large(path[i]))
			problem_add(d->problems, PROBLEM_NOTE, -1, ERR_NOWHERE, 1,
			    "%s has a graph and is large; to open it, name it, too", path[i]);
		else
			take(ctx, path[i]);
		taken++;
	}
	free(path);
}
