#include "config.h"

#include "cli/repeat.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/disk.h"
#include "base/mem.h"
#include "base/now.h"
#include "cli/capture_options.h"
#include "remote/profiler/continuous.h"

#define EVERY_S 60
#define TURN_MS 100

/* The runs that this program made, the oldest first. */
struct made {
	char **path;
	size_t n, cap;
};

static bool interrupted(void *self)
{
	(void)self;
	return interrupts() > 0;
}

static void keep_run(struct made *m, char *path, size_t keep)
{
	VEC_ADD(m->path, m->n, m->cap, path);
	printf("%s\n", path);
	fflush(stdout);
	while (keep && m->n > keep) {
		disk_folder_remove(AT_FDCWD, m->path[0]);
		free(m->path[0]);
		memmove(m->path, m->path + 1, --m->n * sizeof *m->path);
	}
}

/* Waits for the next moment; Enter does not wait for it, and the end of the input is not Enter. */
static void wait_for_next(int64_t until, bool *input)
{
	char buf[256];

	while (!interrupts() && now_ms() < until) {
		struct pollfd p = { .fd = *input ? STDIN_FILENO : -1, .events = POLLIN };

		if (poll(&p, 1, TURN_MS) > 0) {
			if (read(STDIN_FILENO, buf, sizeof buf) > 0)
				return;
			*input = false;
		}
	}
}

/* A capture that fails is told, and the next one may succeed; returns the status of the last one. */
static int take_captures(const struct options *o, const struct capture_options *co, struct err *err)
{
	int64_t every = (o->remote.every ? o->remote.every : EVERY_S) * 1000LL, next = now_ms();
	int most = o->remote.queries < 0 ? 0 : o->remote.queries, status = 0;
	bool input = isatty(STDIN_FILENO);
	struct made m = { 0 };
	char *path;

	for (int i = 0; status >= 0 && (!most || i < most); i++) {
		if (i || co->continuous) /* there has to be something in the buffer */
			wait_for_next(next += every, &input);
		if (interrupts())
			break;
		status = capture_run(co, &path, err);
		if (path)
			keep_run(&m, path, (size_t)o->remote.keep);
		next = next + every < now_ms() ? now_ms() - every : next;
	}
	while (m.n)
		free(m.path[--m.n]);
	free(m.path);
	return status;
}

int capture_again(const struct options *o, const struct remote *r, struct err *err)
{
	struct capture_options co = capture_options_of(o, r);
	struct err stop = { 0 };
	int status;

	interrupts_count();
	co.continuous = o->remote.continuous;
	if (co.continuous && continuous_start(&co, interrupted, err)) {
		interrupts_obey();
		return -1;
	}
	if (co.continuous)
		fputs("tpuscope: continuous profiling is on; nobody else can capture this job. Enter takes a "
		      "snapshot, "
		      "Ctrl-C ends it\n",
		    stderr);
	status = take_captures(o, &co, err);
	if (co.continuous && continuous_stop(&co, &stop))
		fprintf(stderr, "tpuscope: continuous profiling may still be on: %s\n", stop.msg);
	interrupts_obey();
	return status;
}
