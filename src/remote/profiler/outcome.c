#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/now.h"
#include "remote/profiler/internal.h"

#define BUSY "profiling session"

static void try_again(struct worker *w, const char *why)
{
	worker_close(w);
	snprintf(w->text, sizeof w->text, "%s", why);
	if (!*w->first)
		snprintf(w->first, sizeof w->first, "%.*s", (int)sizeof w->first - 1, why);
	worker_enter(w, WORKER_RETRYING, now_ms() + PAUSE_MS);
}

/* True: there are attempts left, and the next one is on its way. */
static bool another_attempt(struct worker *w, const char *why)
{
	if (w->stopping || w->attempt >= w->capture->o.attempts)
		return false;
	w->attempt++;
	try_again(w, why);
	return true;
}

static void done(struct worker *w, char *path, const char *note)
{
	free(w->path);
	w->path = path;
	w->capture->saved = w->capture->saved || path;
	snprintf(w->text, sizeof w->text, "%s", note);
	worker_close(w);
	worker_enter(w, WORKER_DONE, 0);
}

static void nothing_traced(struct worker *w)
{
	const struct profile_options *what = &w->capture->o.what;

	if (another_attempt(w, "nothing was traced"))
		return;
	worker_fail(w, EXIT_EMPTY, "nothing was traced: %s",
	    !what->host_level && !what->device_level
		? "--host-level and --device-level are 0"
		: "is the program running steps? Try a longer --duration-ms; on a TPU, start the profiler "
		  "server after the backend");
}

/* An old server writes the file itself, and says nothing. */
static void written_there(struct worker *w)
{
	struct run_folder *f = &w->capture->folder;
	char *path = xasprintf("%s/%s.xplane.pb", f->path ? f->path : "", w->name);
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
		done(w, path, "written by the server");
		return;
	}
	worker_fail(w, EXIT_NOTHING,
	    "%s saved its capture on the disk of ITS machine, as %s; to have it sent, the job needs jaxlib "
	    "0.7 or "
	    "TensorFlow 2.21",
	    w->capture->o.save_there ? "as asked, the server" : "the server is old: it", path);
	free(path);
}

/* Does the same for a capture in memory. */
static void read_there(struct worker *w)
{
	const struct recording *c = w->capture;
	char *path =
	    xasprintf("%s/%s/%s.xplane.pb", c->scratch ? c->scratch : "", c->folder.session, w->name);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint8_t buf[65536];
	struct stat st;
	ssize_t n = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) ? 1 : -1;

	while (n > 0 && (n = read(fd, buf, sizeof buf)) > 0)
		n = worker_hold(w, buf, (size_t)n) ? n : -1;
	if (fd >= 0)
		close(fd);
	if (!n && w->nbytes)
		done(w, NULL, "");
	else
		worker_fail(w, EXIT_NOTHING,
		    "the server is too old to send captures: it saved one on the disk of ITS machine, as %s",
		    path);
	free(path);
}

static void saved(struct worker *w)
{
	char *path = w->opened ? xstrdup(w->save.path) : NULL;
	bool bad = w->opened && save_finish(&w->save, &w->trouble);

	w->opened = false;
	if (bad) {
		free(path);
		worker_fail(w, EXIT_DISK, "%s", w->trouble.msg);
	} else {
		done(w, path, "");
	}
}

static void answered(struct worker *w)
{
	const struct response *r = &w->response;

	if (!response_finish(&w->response))
		worker_fail(w, EXIT_NOTHING, "its answer is damaged at byte %llu: %s",
		    (unsigned long long)r->at, r->damage);
	else if (r->empty_trace)
		nothing_traced(w);
	else if (r->has_space && !w->capture->o.in_memory && worker_open_file(w))
		worker_fail(w, EXIT_DISK, "%s", w->trouble.msg);
	else if (r->has_space)
		saved(w);
	else if (w->path)
		done(w, xstrdup(w->path), "tools' data of an old server");
	else if (w->capture->o.in_memory)
		read_there(w);
	else
		written_there(w);
}

static void busy(struct worker *w)
{
	const char *who = "somebody else is profiling this job, or its continuous profiling is on";
	int64_t now = now_ms();

	if (!w->busy_since)
		w->busy_since = now;
	if (w->stopping || now + PAUSE_MS > w->busy_since + w->capture->o.grace_s * 1000LL)
		worker_fail(w, EXIT_BUSY, "%s", who);
	else
		try_again(w, who);
}

/* Why it failed in the end, and how it began if that was another reason. */
static void give_up(struct worker *w, int exit, const char *why)
{
	char text[sizeof w->text];

	if (*w->first && !strstr(why, w->first))
		snprintf(text, sizeof text, "%.380s; then: %.200s", w->first, why);
	else
		snprintf(text, sizeof text, "%.590s", why);
	worker_fail(w, exit, "%s", text);
}

static void unavailable(struct worker *w, const struct grpc_end *end)
{
	char why[420];

	snprintf(why, sizeof why, "%s%s", *end->text ? end->text : "the server is not available",
	    end->cause == GRPC_UNREACHABLE
		? "; is the job running, and has it started its profiler server on this port?"
		: "");
	if (!another_attempt(w, why))
		give_up(w, end->cause == GRPC_UNREACHABLE ? EXIT_UNREACHED : EXIT_NOTHING, why);
}

/* The sink wanted no more. */
static void refused_here(struct worker *w)
{
	if (w->response.damage)
		worker_fail(w, EXIT_NOTHING, "its answer is damaged at byte %llu: %s",
		    (unsigned long long)w->response.at, w->response.damage);
	else
		worker_fail(w, EXIT_DISK, "%s",
		    w->trouble.status
			? w->trouble.msg
			: "its answer is larger than the memory for it; try a shorter --duration-ms");
}

static bool is_busy(const struct grpc_end *end)
{
	return end->code == GRPC_EXISTS || (end->code == GRPC_INTERNAL && strstr(end->text, BUSY));
}

static bool is_worth_another(const struct grpc_end *end)
{
	return end->code == GRPC_UNAVAILABLE ||
	    (end->code == GRPC_UNKNOWN && strstr(end->text, "Stream removed"));
}

void worker_outcome(struct worker *w, const struct grpc_end *end)
{
	const struct capture_options *o = &w->capture->o;

	if (end->code == GRPC_OK)
		answered(w);
	else if (end->cause == GRPC_STOPPED)
		refused_here(w);
	else if (end->cause == GRPC_FOREIGN)
		worker_fail(w, EXIT_UNREACHED, "%s", end->text);
	else if (is_busy(end))
		busy(w);
	else if (is_worth_another(end))
		unavailable(w, end);
	else if (end->code == GRPC_UNIMPLEMENTED && !o->continuous)
		worker_fail(w, EXIT_UNREACHED, "is a gRPC server, but not a profiler server");
	else if (end->code == GRPC_DEADLINE)
		worker_fail(w, EXIT_LATE,
		    "no answer within %d s after the capture; it may still be collecting: raise --grace-s",
		    o->grace_s);
	else if (end->cause == GRPC_BROKEN)
		worker_fail(w, EXIT_NOTHING, "its answer breaks the rules of gRPC: %s", end->text);
	else
		give_up(w, EXIT_NOTHING, *end->text ? end->text : "the server refused without saying why");
}
