/* The profiler service of fake-job.  What it says when Profile is called:
 *
 *     ok        after the time asked for, the XSpace; earlier when the session is terminated
 *     now       the same at once                   slow    a second later than it should
 *     drip      in frames of one byte              gzip    packed
 *     empty     nothing was traced                 levels  like "empty", without an XSpace
 *     tools     an old server's files, two of them with names that want out of the folder
 *     flood     more of an old server's files than there can be
 *     old       writes its file itself             far     does so on another machine
 *     busy exists gone unimplemented refused       status 13, 6, 14, 12 without a body, the same with a reset
 *     escape    an error with control characters   error   another one
 *     bare      no status          away   GOAWAY   cut     the connection ends in the middle
 *     hang      never answers      short long two  lengths and messages that are wrong
 *     html      status 404 of HTTP                 junk    a message that is none
 *     http-N    status N of HTTP                   rst-N   the stream is reset with code N of HTTP/2 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec/gzip.h"
#include "base/codec/wire.h"
#include "tests/lib/fakejob.h"

struct asked {
	struct slice session, host, root;
	uint64_t ms;
	bool emit;
};

void fake_message(struct reply *r, struct pb *message)
{
	uint8_t head[5] = { 0, (uint8_t)(message->n >> 24), (uint8_t)(message->n >> 16),
		(uint8_t)(message->n >> 8), (uint8_t)message->n };

	pb_raw(&r->body, head, 5);
	pb_raw(&r->body, message->b, message->n);
	pb_free(message);
}

bool fake_stopped(const struct fake *f, const char *session)
{
	for (int i = 0; i < f->nstopped; i++)
		if (!strcmp(f->stopped[i], session))
			return true;
	return false;
}

/* An XSpace with one plane of the host and a stat that says where it is from, or what a file has. */
static struct pb space_of(const struct fake *f)
{
	struct pb space = { 0 }, plane = pb_plane(1, "/host:CPU"), line = pb_line(7, "python", 1000),
		  event = pb_event(1, 1000, 500000);
	uint8_t buf[65536];
	ssize_t n;
	int fd = f->space_file ? open(f->space_file, O_RDONLY) : -1;

	if (fd >= 0) {
		while ((n = read(fd, buf, sizeof buf)) > 0)
			pb_raw(&space, buf, (size_t)n);
		close(fd);
		pb_free(&plane);
		pb_free(&line);
		pb_free(&event);
		return space;
	}
	pb_sub(&line, 4, &event);
	pb_sub(&plane, 3, &line);
	pb_meta(&plane, 1, "step", NULL);
	pb_sub(&space, 1, &plane);
	return space;
}

static void good(const struct fake *f, struct reply *r, bool empty)
{
	struct pb m = { 0 }, space = space_of(f);

	if (empty)
		pb_u(&m, 7, 1);
	pb_sub(&m, 8, &space);
	fake_message(r, &m);
}

/* An XSpace of many MiB, one field with so many zeros. */
static void large(const struct fake *f, struct reply *r)
{
	struct pb m = { 0 }, inner = { 0 };
	uint64_t zeros = (uint64_t)f->mib << 20;
	uint8_t head[5] = { 0 };
	size_t n;

	pb_varint(&inner, 1000 << 3 | 2); /* a field that no XSpace has */
	pb_varint(&inner, zeros);
	pb_varint(&m, 8 << 3 | 2);
	pb_varint(&m, zeros + inner.n);
	pb_raw(&m, inner.b, inner.n);
	n = m.n + zeros;
	for (int i = 0; i < 4; i++)
		head[1 + i] = (uint8_t)(n >> (24 - 8 * i));
	pb_raw(&r->body, head, 5);
	pb_raw(&r->body, m.b, m.n);
	r->zeros = zeros;
	pb_free(&m);
	pb_free(&inner);
}

static void tools(struct reply *r, size_t n)
{
	static const char *const names[] = { "overview_page.pb", "../evil.json", ".hidden",
		"a.tf_stats_helper_result" };
	struct pb m = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct pb t = { 0 };

		pb_s(&t, 1, names[i % 4]);
		pb_s(&t, 2, "content");
		pb_sub(&m, 6, &t);
	}
	fake_message(r, &m);
}

static void old_server(const struct fake *f, struct reply *r, const struct asked *a)
{
	struct pb m = { 0 }, space = space_of(f);
	char path[500];
	int fd;

	snprintf(path, sizeof path, "%.*s/%.*s", (int)a->root.n, a->root.s, (int)a->session.n, a->session.s);
	for (char *p = path + 1; *p; p++)
		if (*p == '/') {
			*p = 0;
			mkdir(path, 0755);
			*p = '/';
		}
	mkdir(path, 0755);
	snprintf(path + strlen(path), sizeof path - strlen(path), "/%.*s.xplane.pb", (int)a->host.n,
	    a->host.s);
	for (char *p = strrchr(path, '/'); *p; p++)
		if (*p == ':')
			*p = '_';
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	(void)!write(fd, space.b, space.n);
	close(fd);
	pb_free(&space);
	fake_message(r, &m);
}

static void packed(const struct fake *f, struct reply *r)
{
	struct reply plain = { 0 };
	struct pb m = { 0 };
	size_t n;
	uint8_t *p;

	good(f, &plain, false);
	p = gzip_pack(plain.body.b + 5, plain.body.n - 5, &n);
	pb_raw(&m, p, n);
	free(p);
	fake_message(r, &m);
	r->body.b[0] = 1;
	pb_free(&plain.body);
}

/* Answers that are a status and no more; false: it is another one. */
static bool error_of(const char *says, struct reply *r)
{
	static const struct {
		const char *says, *message;
		int status;
		bool reset;
	} errors[] = {
		{ "busy", "Another profiling session active.", 13, false },
		{ "exists", "A profiling session is already running.", 6, false },
		{ "gone", "try later", 14, false },
		{ "unimplemented", "", 12, false },
		{ "refused", "", 12, true },
		{ "escape", "%1B[31mtry later %C3%A9%0A%25", 13, false },
		{ "error", "/proc/nonexist; No such file or directory", 13, false },
	};

	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (!strcmp(errors[i].says, says)) {
			r->status = errors[i].status;
			r->message = errors[i].message;
			r->reset = errors[i].reset;
			r->trailers_only = true;
			return true;
		}
	return false;
}

static void broken(const char *says, struct reply *r)
{
	struct pb m = { 0 };

	if (!strcmp(says, "short"))
		r->body.b[4]++;
	else if (!strcmp(says, "long"))
		r->body.b[4]--;
	else if (!strcmp(says, "two"))
		fake_message(r, &m);
	else if (!strcmp(says, "cut")) {
		r->body.n /= 2;
		r->cut = true;
	} else if (!strcmp(says, "junk")) {
		for (size_t i = 5; i < r->body.n; i++)
			r->body.b[i] = 0xff;
	}
}

static void profile(const struct fake *f, struct reply *r, const char *says, const struct asked *a)
{
	static const char *const at_once[] = { "now", "drip", "gzip", "junk", "short", "long", "two", "cut",
		"bare", "tools", "flood", "levels", "empty" };

	r->after_ms = (int64_t)a->ms + (strcmp(says, "slow") ? 0 : 1000);
	for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++)
		if (!strcmp(says, at_once[i]))
			r->after_ms = 0;
	snprintf(r->session, sizeof r->session, "%.*s", (int)a->session.n, a->session.s);
	if (error_of(says, r)) {
		r->after_ms = 0;
	} else if (!strcmp(says, "tools") || !strcmp(says, "flood")) {
		tools(r, *says == 't' ? 4 : 1000);
	} else if (!strcmp(says, "old")) {
		old_server(f, r, a);
	} else if (!strcmp(says, "far")) {
		fake_message(r, &(struct pb){ 0 });
	} else if (!strcmp(says, "gzip")) {
		packed(f, r);
	} else if (!strcmp(says, "levels")) {
		struct pb m = { 0 };

		pb_u(&m, 7, 1);
		fake_message(r, &m);
	} else if (f->mib) {
		large(f, r);
	} else {
		good(f, r, !strcmp(says, "empty"));
	}
	r->drip = !strcmp(says, "drip");
	r->never = !strcmp(says, "hang");
	r->goaway = !strcmp(says, "away");
	r->http = !strcmp(says, "html") ? "404" : !strncmp(says, "http-", 5) ? says + 5 : NULL;
	r->rst = strncmp(says, "rst-", 4) ? -1 : atoi(says + 4);
	if (!strcmp(says, "bare") || r->http)
		r->status = -1;
	broken(says, r);
}

static struct asked read_request(const struct fake *f, const uint8_t *message, size_t n)
{
	struct wire w = wire_open(message, n), o;
	struct asked a = { 0 };

	for (; wire_next(&w);) {
		switch (w.field) {
		case 1:
			a.ms = w.u;
			break;
		case 5:
			a.root = wire_text(&w);
			break;
		case 6:
			a.session = wire_text(&w);
			break;
		case 7:
			a.host = wire_text(&w);
			break;
		case 9:
			a.emit = w.u;
			break;
		case 4:
			dprintf(f->log, "options");
			for (o = wire_open(w.s, w.n); wire_next(&o);)
				if (o.type == 0 && o.field == 8) /* a time of day */
					dprintf(f->log, " starts=%llds",
					    (long long)(o.u / 1000000000 + 1) - (long long)time(NULL));
				else if (o.type == 0)
					dprintf(f->log, " %u=%llu", o.field, (unsigned long long)o.u);
				else if (o.field == 12)
					dprintf(f->log, " advanced=%zu", o.n);
			dprintf(f->log, "\n");
		}
	}
	dprintf(f->log, "Profile session=%.*s host=%.*s root=%.*s ms=%llu emit=%d\n", (int)a.session.n,
	    a.session.s, (int)a.host.n, a.host.s, (int)a.root.n, a.root.s, (unsigned long long)a.ms, a.emit);
	return a;
}

static void monitor(struct reply *r, const uint8_t *message, size_t n)
{
	struct wire w = wire_open(message, n);
	struct pb m = { 0 };
	uint64_t level = 0;

	while (wire_next(&w))
		if (w.field == 2)
			level = w.u;
	pb_s(&m, 1,
	    level == 1 ? "Timestamp: 13:00:11\nTPU type: TPU v3\nUtilization of TPU Matrix Units (higher is "
			 "better): 0.058%\n"
		       : "Timestamp: 13:00:11\nTPU type: TPU v3\nNumber of TPU cores: 8 (Replica count = 8, "
			 "num cores per "
			 "replica = 1)\nTPU idle time (lower is better): 17.9%\nUtilization of TPU Matrix "
			 "Units (higher is "
			 "better): 0.058%\nStep time: 70.6ms (avg), 70.6ms (min), 70.6ms (max)\nInfeed "
			 "percentage: 0.000% "
			 "(avg), 0.000% (min), 0.000% (max)\n\x1b[31m");
	fake_message(r, &m);
}

static void terminate(struct fake *f, const uint8_t *message, size_t n)
{
	struct wire w = wire_open(message, n);

	while (wire_next(&w))
		if (w.field == 1 && f->nstopped < 8)
			snprintf(f->stopped[f->nstopped++], sizeof f->stopped[0], "%.*s", (int)w.n,
			    (const char *)w.s);
	dprintf(f->log, "Terminate %s\n", f->nstopped ? f->stopped[f->nstopped - 1] : "");
}

void fake_reply(struct fake *f, struct reply *r, const char *path, const uint8_t *message, size_t n)
{
	const char *profiler = "/tensorflow.ProfilerService/",
		   *metrics = "/tpu.monitoring.runtime.RuntimeMetricService/";
	const char *method = strrchr(path, '/') + 1;
	struct asked a;

	*r = (struct reply){ .rst = -1 };
	if (f->has_metrics && !strncmp(path, metrics, strlen(metrics))) {
		fake_metrics(r, f, method, message, n);
	} else if (strncmp(path, profiler, strlen(profiler)) || !f->nsays) {
		error_of("unimplemented", r);
	} else if (!strcmp(method, "Profile") || !strcmp(method, "GetSnapshot")) {
		a = read_request(f, message, n);
		profile(f, r, f->says[f->calls < f->nsays ? f->calls : f->nsays - 1], &a);
		f->calls++;
	} else if (!strcmp(method, "Terminate")) {
		terminate(f, message, n);
		fake_message(r, &(struct pb){ 0 });
	} else if (!strcmp(method, "Monitor") && f->monitors) {
		monitor(r, message, n);
	} else if (strstr(method, "ContinuousProfiling")) {
		dprintf(f->log, "%s\n", method);
		fake_message(r, &(struct pb){ 0 });
	} else {
		error_of("unimplemented", r);
		r->message = strcmp(method, "Monitor") ? "" : "unimplemented.";
	}
}
