/* fake-job [OPTIONS] SAYS...: stands for a job with a profiler server, on a port of 127.0.0.1 that it prints.  SAYS is
 * how it answers the calls of Profile, one word for each (fake_profiler.c); the last one stays.  Ends when its standard
 * input does.
 *
 *     --greeting http|ssh|tls|silent|close   speaks something else
 *     --space FILE   the XSpace that it captures          --mib N   so many MiB of one instead
 *     --monitor      has the old Monitor                  --metrics has the metrics of chips, too
 *     --devices N    so many of them, 4 otherwise         --metrics-are WORD   of another kind (fake_metrics.c)
 *     --log FILE     what it was asked                    --port N  this port */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <netinet/in.h>
#include <nghttp2/nghttp2.h>
#include <sys/socket.h>

#include "base/now.h"
#include "tests/lib/fakejob.h"

#define CONNS 16
#define STREAMS 256

struct stream {
	int32_t id;
	char path[128];
	struct pb in;
	struct reply reply;
	size_t sent;
	uint64_t zeros;
	int64_t due;
	bool whole, begun;
};

struct conn {
	int fd;
	nghttp2_session *session;
	struct stream stream[STREAMS];
	const uint8_t *out;
	size_t nout;
	bool cut;
};

static struct fake fake = { .devices = 4, .metrics_are = "" };
static struct conn conns[CONNS];

static struct stream *stream_of(struct conn *c, int32_t id)
{
	for (int i = 0; i < STREAMS; i++)
		if (c->stream[i].id == id)
			return &c->stream[i];
	return NULL;
}

static int on_begin(nghttp2_session *s, const nghttp2_frame *f, void *user)
{
	struct stream *st = stream_of(user, 0);

	(void)s;
	if (!st)
		return NGHTTP2_ERR_CALLBACK_FAILURE;
	*st = (struct stream){ .id = f->hd.stream_id };
	return 0;
}

static int on_header(nghttp2_session *s, const nghttp2_frame *f, const uint8_t *name, size_t nname,
    const uint8_t *value, size_t nvalue, uint8_t flags, void *user)
{
	struct stream *st = stream_of(user, f->hd.stream_id);

	(void)s;
	(void)flags;
	if (st && nname == 5 && !memcmp(name, ":path", 5))
		snprintf(st->path, sizeof st->path, "%.*s", (int)nvalue, value);
	if (st && nname == 12 && !memcmp(name, "grpc-timeout", 12))
		dprintf(fake.log, "timeout %.*s\n", (int)nvalue, value);
	return 0;
}

static int on_data(nghttp2_session *s, uint8_t flags, int32_t id, const uint8_t *p, size_t n, void *user)
{
	struct stream *st = stream_of(user, id);

	(void)s;
	(void)flags;
	if (st)
		pb_raw(&st->in, p, n);
	return 0;
}

static int on_frame(nghttp2_session *s, const nghttp2_frame *f, void *user)
{
	struct stream *st = stream_of(user, f->hd.stream_id);

	(void)s;
	if (!st || !(f->hd.flags & NGHTTP2_FLAG_END_STREAM) || st->whole)
		return 0;
	st->whole = true;
	if (st->in.n >= 5)
		fake_reply(&fake, &st->reply, st->path, st->in.b + 5, st->in.n - 5);
	st->zeros = st->reply.zeros;
	st->due = now_ms() + st->reply.after_ms;
	return 0;
}

static int on_close(nghttp2_session *s, int32_t id, uint32_t error, void *user)
{
	struct stream *st = stream_of(user, id);

	(void)s;
	if (!st)
		return 0;
	if (error)
		dprintf(fake.log, "reset %u\n", error);
	pb_free(&st->in);
	pb_free(&st->reply.body);
	*st = (struct stream){ 0 };
	return 0;
}

static nghttp2_nv header(const char *name, const char *value)
{
	return (nghttp2_nv){ (uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), 0 };
}

static size_t status_headers(const struct reply *r, char number[12], nghttp2_nv *h)
{
	size_t n = 0;

	snprintf(number, 12, "%d", r->status);
	h[n++] = header("grpc-status", number);
	if (r->message)
		h[n++] = header("grpc-message", r->message);
	return n;
}

static ssize_t read_body(nghttp2_session *s, int32_t id, uint8_t *buf, size_t size, uint32_t *flags,
    nghttp2_data_source *source, void *user)
{
	struct conn *c = user;
	struct stream *st = stream_of(c, id);
	size_t n = st->reply.body.n - st->sent, k;
	nghttp2_nv h[2];
	char number[12];

	(void)source;
	if (st->reply.drip && size > 1)
		size = 1;
	n = n < size ? n : size;
	if (n)
		memcpy(buf, st->reply.body.b + st->sent, n);
	st->sent += n;
	if (!n && st->zeros) {
		n = st->zeros < size ? (size_t)st->zeros : size;
		memset(buf, 0, n);
		st->zeros -= n;
	}
	if (st->sent < st->reply.body.n || st->zeros)
		return (ssize_t)n;
	c->cut = st->reply.cut;
	*flags |= NGHTTP2_DATA_FLAG_EOF;
	if (st->reply.cut || st->reply.status >= 0)
		*flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
	if (!st->reply.cut && st->reply.status >= 0) {
		k = status_headers(&st->reply, number, h);
		nghttp2_submit_trailer(s, id, h, k);
	}
	return (ssize_t)n;
}

static void drop(struct conn *c)
{
	nghttp2_session_del(c->session);
	for (int i = 0; i < STREAMS; i++) {
		if (c->stream[i].id && !c->cut)
			dprintf(fake.log, "lost\n");
		pb_free(&c->stream[i].in);
		pb_free(&c->stream[i].reply.body);
	}
	close(c->fd);
	*c = (struct conn){ .fd = -1 };
}

static void send_all(struct conn *c)
{
	for (ssize_t n;;) {
		if (!c->nout) {
			n = nghttp2_session_mem_send(c->session, &c->out);
			if (n <= 0)
				break;
			c->nout = (size_t)n;
		}
		n = send(c->fd, c->out, c->nout, MSG_NOSIGNAL);
		if (n < 0)
			return;
		c->out += n;
		c->nout -= (size_t)n;
	}
	if (c->cut || (!nghttp2_session_want_read(c->session) && !nghttp2_session_want_write(c->session)))
		drop(c);
}

static void answer(struct conn *c, struct stream *st)
{
	const struct reply *r = &st->reply;
	nghttp2_data_provider body = { .read_callback = read_body };
	nghttp2_nv h[6] = { header(":status", r->http ? r->http : "200"),
		header("content-type", r->http ? "text/html" : "application/grpc"),
		header("grpc-accept-encoding", "identity, deflate, gzip") };
	size_t n = 3;
	char number[12];

	st->begun = true;
	if (r->goaway) {
		nghttp2_submit_goaway(c->session, NGHTTP2_FLAG_NONE, 0, NGHTTP2_NO_ERROR, NULL, 0);
		return;
	}
	if (r->rst >= 0) {
		nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, st->id, (uint32_t)r->rst);
		return;
	}
	if (r->trailers_only)
		n += status_headers(r, number, h + n);
	nghttp2_submit_response(c->session, st->id, h, n, r->trailers_only ? NULL : &body);
	if (r->reset) { /* as servers do that are done before they have read everything; nghttp2 would not */
		uint8_t frame[13] = { 0, 0, 4, 3, 0, 0, 0, 0, (uint8_t)st->id };

		send_all(c);
		(void)!write(c->fd, frame, sizeof frame);
	}
}

static void greet_otherwise(int fd)
{
	static const struct {
		const char *name, *text;
		size_t n;
	} greetings[] = { { "http", "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", 47 },
		{ "ssh", "SSH-2.0-OpenSSH_9.2p1 Debian\r\n", 30 },
		{ "tls", "\x15\x03\x01\x00\x02\x02\x46", 7 }, { "junk", "what is this, then?", 19 } };

	for (size_t i = 0; i < sizeof greetings / sizeof *greetings; i++)
		if (!strcmp(fake.greeting, greetings[i].name))
			(void)!write(fd, greetings[i].text, greetings[i].n);
	if (!strcmp(fake.greeting, "close"))
		close(fd);
}

static void take(int listener)
{
	nghttp2_session_callbacks *on;
	int fd = accept(listener, NULL, NULL), i = 0;

	if (fd < 0)
		return;
	while (i < CONNS && conns[i].fd >= 0)
		i++;
	if (fake.greeting) {
		greet_otherwise(fd);
		return;
	}
	if (i == CONNS) {
		close(fd);
		return;
	}
	fcntl(fd, F_SETFL, O_NONBLOCK);
	conns[i].fd = fd;
	nghttp2_session_callbacks_new(&on);
	nghttp2_session_callbacks_set_on_begin_headers_callback(on, on_begin);
	nghttp2_session_callbacks_set_on_header_callback(on, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(on, on_data);
	nghttp2_session_callbacks_set_on_frame_recv_callback(on, on_frame);
	nghttp2_session_callbacks_set_on_stream_close_callback(on, on_close);
	nghttp2_session_server_new(&conns[i].session, on, &conns[i]);
	nghttp2_session_callbacks_del(on);
	nghttp2_submit_settings(conns[i].session, NGHTTP2_FLAG_NONE, NULL, 0);
}

static void serve(struct conn *c, short events)
{
	uint8_t buf[16384];
	ssize_t n = events & ~POLLOUT ? recv(c->fd, buf, sizeof buf, 0) : -1;

	if (!n || (n < 0 && events & (POLLERR | POLLHUP)) ||
	    (n > 0 && nghttp2_session_mem_recv(c->session, buf, (size_t)n) < 0)) {
		drop(c);
		return;
	}
	for (int i = 0; i < STREAMS; i++) {
		struct stream *st = &c->stream[i];
		bool ready =
		    now_ms() >= st->due || (*st->reply.session && fake_stopped(&fake, st->reply.session));

		if (st->id && st->whole && !st->begun && !st->reply.never && ready)
			answer(c, st);
	}
	send_all(c);
}

static int options(int argc, char **argv)
{
	static const struct option longs[] = { { "greeting", 1, NULL, 'g' }, { "space", 1, NULL, 's' },
		{ "mib", 1, NULL, 'b' }, { "monitor", 0, NULL, 'm' }, { "metrics", 0, NULL, 't' },
		{ "devices", 1, NULL, 'd' }, { "metrics-are", 1, NULL, 'a' }, { "log", 1, NULL, 'l' },
		{ "port", 1, NULL, 'p' }, { 0 } };
	int port = 0;

	fake.log = open("/dev/null", O_WRONLY);
	for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
		switch (c) {
		case 'g':
			fake.greeting = optarg;
			break;
		case 's':
			fake.space_file = optarg;
			break;
		case 'b':
			fake.mib = (unsigned)atoi(optarg);
			break;
		case 'm':
			fake.monitors = true;
			break;
		case 't':
			fake.has_metrics = true;
			break;
		case 'a':
			fake.has_metrics = true;
			fake.metrics_are = optarg;
			break;
		case 'd':
			fake.devices = atoi(optarg);
			break;
		case 'l':
			fake.log = open(optarg, O_WRONLY | O_CREAT | O_APPEND, 0666);
			break;
		case 'p':
			port = atoi(optarg);
			break;
		default:
			exit(2);
		}
	fake.says = (const char *const *)argv + optind;
	fake.nsays = argc - optind;
	return port;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	signal(SIGPIPE, SIG_IGN);
	at.sin_port = htons((uint16_t)options(argc, argv));
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	setsockopt(listener, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
	if (bind(listener, (void *)&at, sizeof at) || listen(listener, 16) ||
	    getsockname(listener, (void *)&at, &n))
		return 1;
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	for (int i = 0; i < CONNS; i++)
		conns[i].fd = -1;
	for (;;) {
		struct pollfd p[CONNS + 2] = { { .fd = listener, .events = POLLIN },
			{ .fd = 0, .events = POLLIN } };
		char c;

		for (int i = 0; i < CONNS; i++)
			p[i + 2] = (struct pollfd){ .fd = conns[i].fd,
				.events = (short)(POLLIN | (conns[i].nout ? POLLOUT : 0)) };
		poll(p, CONNS + 2, 5);
		if (p[1].revents && read(0, &c, 1) <= 0)
			return 0;
		if (p[0].revents)
			take(listener);
		for (int i = 0; i < CONNS; i++)
			if (conns[i].fd >= 0 && conns[i].session)
				serve(&conns[i], p[i + 2].fd == conns[i].fd ? p[i + 2].revents : 0);
	}
}
