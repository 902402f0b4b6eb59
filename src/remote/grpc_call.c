#include "config.h"

#include "remote/grpc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/now.h"
#include "base/text/utf8.h"
#include "remote/internal.h"

#define SLACK_MS 2000 /* for the server to say itself that the time is over */
#define LONGEST_MS 99999999

void call_end(struct grpc_call *c, int code, enum grpc_cause cause, const char *text)
{
	if (c->ended)
		return;
	c->ended = true;
	c->end.code = code;
	c->end.cause = cause;
	utf8_clean_text(c->end.text, sizeof c->end.text, text);
	framing_end(&c->framing);
}

void call_release(struct grpc_call *c)
{
	framing_end(&c->framing);
	free(c->path);
	free(c->body);
	free(c);
}

static void reset(struct grpc_call *c)
{
	if (c->conn && c->conn->session && c->stream)
		nghttp2_submit_rst_stream(c->conn->session, NGHTTP2_FLAG_NONE, c->stream, NGHTTP2_CANCEL);
}

void call_late(struct grpc_call *c)
{
	reset(c);
	call_end(c, GRPC_DEADLINE, GRPC_LATE, "no answer in time");
}

void grpc_cancel(struct grpc_call *c)
{
	if (c->ended)
		return;
	reset(c);
	call_end(c, GRPC_CANCELLED, GRPC_STOPPED, "canceled");
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* A message in a header: bytes that are not printable ASCII are %XX. */
static void decode_percent(char *out, size_t size, struct slice s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n + 1 < size; i++) {
		int high = s.s[i] == '%' && i + 2 < s.n ? hex_digit(s.s[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(s.s[i + 2]) : -1;

		out[n++] = low >= 0 ? (char)(high * 16 + low) : s.s[i];
		if (low >= 0)
			i += 2;
	}
	out[n] = 0;
}

static int number_of(struct slice s)
{
	int v = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (!isdigit((unsigned char)s.s[i]) || v > 9999)
			return GRPC_UNKNOWN;
		v = v * 10 + (s.s[i] - '0');
	}
	return s.n ? v : GRPC_UNKNOWN;
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t nname,
    const uint8_t *value, size_t nvalue, uint8_t flags, void *user)
{
	struct grpc_call *c = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
	struct slice key = { (const char *)name, nname }, text = { (const char *)value, nvalue };

	(void)flags;
	(void)user;
	if (!c)
		return 0;
	if (slice_is(key, ":status"))
		c->http = number_of(text);
	else if (slice_is(key, "content-type"))
		c->is_grpc = slice_begins(text, "application/grpc");
	else if (slice_is(key, "grpc-status"))
		c->status = number_of(text);
	else if (slice_is(key, "grpc-message"))
		decode_percent(c->message, sizeof c->message, text);
	return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *p, size_t n,
    void *user)
{
	struct grpc_call *c = nghttp2_session_get_stream_user_data(session, stream);
	const char *why = "";

	(void)flags;
	(void)user;
	if (!c || c->ended || !c->is_grpc)
		return 0;
	c->received += n;
	switch (framing_put(&c->framing, p, n, &why)) {
	case FRAMING_STOPPED:
		grpc_cancel(c);
		break;
	case FRAMING_BROKEN:
		reset(c);
		call_end(c, GRPC_INTERNAL, GRPC_BROKEN, why);
		break;
	default:
		break;
	}
	return 0;
}

/* What a status of HTTP means where the server said none of gRPC. */
static int code_of_http(int http)
{
	static const struct {
		int http, code;
	} table[] = { { 400, GRPC_INTERNAL }, { 401, GRPC_UNAUTHENTICATED }, { 403, GRPC_DENIED },
		{ 404, GRPC_UNIMPLEMENTED }, { 429, GRPC_UNAVAILABLE }, { 502, GRPC_UNAVAILABLE },
		{ 503, GRPC_UNAVAILABLE }, { 504, GRPC_UNAVAILABLE } };

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].http == http)
			return table[i].code;
	return GRPC_UNKNOWN;
}

/* The stream was closed without a status of gRPC. */
static void end_without_status(struct grpc_call *c, uint32_t error)
{
	char text[100];

	if (c->http > 0 && (c->http != 200 || !c->is_grpc)) {
		snprintf(text, sizeof text, "answers HTTP %d, not gRPC", c->http);
		call_end(c, code_of_http(c->http), GRPC_FOREIGN, text);
	} else if (error == NGHTTP2_REFUSED_STREAM) {
		call_end(c, GRPC_UNAVAILABLE, GRPC_LOST, "the server takes no more calls");
	} else if (error == NGHTTP2_ENHANCE_YOUR_CALM) {
		call_end(c, GRPC_EXHAUSTED, GRPC_ANSWERED, "the server asks to be called less often");
	} else if (error == NGHTTP2_CANCEL) {
		call_end(c, GRPC_CANCELLED, GRPC_ANSWERED, "the server canceled the call");
	} else if (error) {
		snprintf(text, sizeof text, "the server broke the call off (%s)",
		    nghttp2_http2_strerror(error));
		call_end(c, GRPC_INTERNAL, GRPC_BROKEN, text);
	} else {
		call_end(c, GRPC_INTERNAL, GRPC_BROKEN, "it ended without a status");
	}
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *user)
{
	struct grpc_call *c = nghttp2_session_get_stream_user_data(session, stream);

	(void)user;
	if (!c)
		return 0;
	c->stream = 0;
	if (c->status < 0)
		end_without_status(c, error);
	else if (c->status > 0)
		call_end(c, c->status, GRPC_ANSWERED, c->message);
	else if (!framing_whole(&c->framing))
		call_end(c, GRPC_INTERNAL, GRPC_BROKEN,
		    c->framing.nhead < FRAMING_HEAD ? "it reports success, but sent no message"
						    : "its message is shorter than it says");
	else
		call_end(c, GRPC_OK, GRPC_ANSWERED, c->message);
	return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user)
{
	struct grpc_conn *conn = user;

	(void)session;
	if (frame->hd.type != NGHTTP2_GOAWAY || conn->leaving)
		return 0;
	conn->leaving = true;
	conn->why = (struct grpc_end){ GRPC_UNAVAILABLE, GRPC_LOST, "the server is ending" };
	return 0;
}

nghttp2_session *call_session(struct grpc_conn *conn)
{
	static const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 16 << 20 },
		{ NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
	};
	nghttp2_session_callbacks *on = NULL;
	nghttp2_session *session = NULL;

	if (nghttp2_session_callbacks_new(&on))
		return NULL;
	nghttp2_session_callbacks_set_on_header_callback(on, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(on, on_data);
	nghttp2_session_callbacks_set_on_stream_close_callback(on, on_close);
	nghttp2_session_callbacks_set_on_frame_recv_callback(on, on_frame);
	if (!nghttp2_session_client_new(&session, on, conn)) {
		nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings,
		    sizeof settings / sizeof *settings);
		nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, 16 << 20);
	}
	nghttp2_session_callbacks_del(on);
	return session;
}

static ssize_t read_body(nghttp2_session *session, int32_t stream, uint8_t *buf, size_t size, uint32_t *flags,
    nghttp2_data_source *source, void *user)
{
	struct grpc_call *c = source->ptr;
	size_t n = c->nbody - c->nsent < size ? c->nbody - c->nsent : size;

	(void)session;
	(void)stream;
	(void)user;
	memcpy(buf, c->body + c->nsent, n);
	c->nsent += n;
	if (c->nsent == c->nbody)
		*flags |= NGHTTP2_DATA_FLAG_EOF;
	return (ssize_t)n;
}

static nghttp2_nv header(const char *name, const char *value)
{
	return (nghttp2_nv){ (uint8_t *)name, (uint8_t *)value, strlen(name), strlen(value), 0 };
}

void call_submit(struct grpc_call *c)
{
	nghttp2_data_provider body = { .source.ptr = c, .read_callback = read_body };
	char timeout[32];

	if (c->timeout <= LONGEST_MS)
		snprintf(timeout, sizeof timeout, "%lldm", (long long)c->timeout);
	else
		snprintf(timeout, sizeof timeout, "%lldS", (long long)(c->timeout / 1000));
	nghttp2_nv headers[] = { header(":method", "POST"), header(":scheme", "http"),
		header(":path", c->path), header(":authority", c->conn->authority),
		header("content-type", "application/grpc"), header("te", "trailers"),
		header("grpc-timeout", timeout), header("grpc-accept-encoding", "identity,gzip"),
		header("user-agent", "tpuscope/" PACKAGE_VERSION) };

	c->stream = nghttp2_submit_request(c->conn->session, NULL, headers, sizeof headers / sizeof *headers,
	    &body, c);
	if (c->stream < 0) {
		c->stream = 0;
		call_end(c, GRPC_UNAVAILABLE, GRPC_LOST, "the connection takes no more calls");
		return;
	}
	c->sent = now_ms();
	c->until = c->sent + c->timeout + SLACK_MS;
}

struct grpc_call *grpc_start(struct grpc_conn *conn, const struct grpc_request *r)
{
	struct grpc_call *c = xcalloc(1, sizeof *c);

	c->conn = conn;
	c->path = xstrdup(r->path);
	c->nbody = FRAMING_HEAD + r->n;
	c->body = xcalloc(1, c->nbody);
	for (int i = 0; i < 4; i++)
		c->body[1 + i] = (uint8_t)(r->n >> (24 - 8 * i));
	if (r->n)
		memcpy(c->body + FRAMING_HEAD, r->message, r->n);
	c->timeout = r->timeout_ms;
	c->framing.sink = r->sink;
	c->status = -1;
	c->next = conn->calls;
	conn->calls = c;
	if (grpc_dead(conn))
		call_end(c, conn->why.code, conn->why.cause, conn->why.text);
	else if (conn->state == CONN_OPEN)
		call_submit(c);
	return c;
}

void grpc_free(struct grpc_call *c)
{
	if (!c)
		return;
	grpc_cancel(c);
	if (c->conn && c->stream) { /* nghttp2 still knows it */
		c->abandoned = true;
		return;
	}
	for (struct grpc_call **at = c->conn ? &c->conn->calls : NULL; at && *at; at = &(*at)->next)
		if (*at == c) {
			*at = c->next;
			break;
		}
	call_release(c);
}

const struct grpc_end *grpc_end(const struct grpc_call *c)
{
	return c->ended ? &c->end : NULL;
}

int64_t grpc_sent_at(const struct grpc_call *c)
{
	return c->sent;
}

uint64_t grpc_received(const struct grpc_call *c)
{
	return c->received;
}

uint64_t grpc_expected(const struct grpc_call *c)
{
	return c->framing.nhead == FRAMING_HEAD ? c->framing.size + FRAMING_HEAD : 0;
}
