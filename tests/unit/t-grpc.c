/* Addresses, the framing of messages, and calls to a server that behaves in all the ways that servers do
 * (tests/lib/fake_http.c). */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/codec/gzip.h"
#include "base/mem.h"
#include "base/now.h"
#include "remote/framing.h"
#include "tests/lib/fakerun.h"
#include "tests/lib/pbuild.h"

static void test_addresses(void **state)
{
	static const struct {
		const char *text, *shown, *file; /* shown NULL: refused */
	} cases[] = {
		{ "localhost:9012", "localhost:9012", "localhost_9012" },
		{ " grpc://10.0.0.2:8470 ", "10.0.0.2:8470", "10.0.0.2_8470" },
		{ "[::1]:9012", "[::1]:9012", "___1__9012" },
		{ "unix:/tmp/tpu", "unix:/tmp/tpu", "unix__tmp_tpu" },
		{ "localhost", NULL, NULL },
		{ "localhost:0", NULL, NULL },
		{ "localhost:99999", NULL, NULL },
		{ "localhost:80a", NULL, NULL },
		{ "../etc/x:1", NULL, NULL },
		{ "a/b:1", NULL, NULL },
		{ "::1:9012", NULL, NULL },
		{ "[::1:9012", NULL, NULL },
		{ "unix:here", NULL, NULL },
		{ "\033[31m:1", NULL, NULL },
		{ ":1", NULL, NULL },
		{ "", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = { 0 };
		struct address a;
		char file[256];
		int bad = address_parse(&a, slice_of(cases[i].text), &err);

		if (!cases[i].shown) {
			assert_int_equal(bad, -1);
			assert_int_equal(err.status, EXIT_USAGE);
			continue;
		}
		assert_int_equal(bad, 0);
		assert_string_equal(a.text, cases[i].shown);
		assert_string_equal(address_file_name(&a, file, sizeof file), cases[i].file);
	}
}

static void test_lists_of_addresses(void **state)
{
	struct err err = { 0 };
	struct address *a;
	size_t n;

	(void)state;
	assert_int_equal(address_list(&a, &n, "h1:1, [::1]:2,grpc://h3:3", 0, &err), 0);
	assert_int_equal(n, 3);
	assert_string_equal(a[1].host, "::1");
	assert_int_equal(a[2].port, 3);
	free(a);
	assert_int_equal(address_list(&a, &n, "10.0.0.1,10.0.0.2:7", 8466, &err), 0);
	assert_string_equal(a[0].text, "10.0.0.1:8466");
	assert_string_equal(a[1].text, "10.0.0.2:7");
	free(a);
	assert_int_equal(address_list(&a, &n, "h1:1,,h2:2", 0, &err), -1);
	assert_int_equal(address_list(&a, &n, "", 0, &err), -1);
}

static void test_what_is_loopback(void **state)
{
	static const struct {
		const char *text;
		bool loopback;
	} cases[] = { { "127.0.0.1:1", true }, { "127.9.8.7:1", true }, { "[::1]:1", true },
		{ "[::ffff:127.0.0.1]:1", true }, { "unix:/x", true }, { "0.0.0.0:1", false },
		{ "192.168.1.1:1", false }, { "[::ffff:10.0.0.1]:1", false } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct err err = { 0 };
		struct endpoint e;
		struct address a;

		assert_int_equal(address_parse(&a, slice_of(cases[i].text), &err), 0);
		assert_int_equal(address_look_up(&a, &e, &err), 0);
		assert_true(e.n > 0);
		assert_int_equal(e.loopback, cases[i].loopback);
	}
}

struct taken {
	struct pb got;
	uint64_t announced, limit;
};

static void take_begin(void *self, uint64_t bytes)
{
	((struct taken *)self)->announced = bytes;
}

static bool take_put(void *self, const uint8_t *p, size_t n)
{
	struct taken *t = self;

	pb_raw(&t->got, p, n);
	return !t->limit || t->got.n < t->limit;
}

static void test_framing_in_pieces(void **state)
{
	uint8_t text[3000], body[3100];
	size_t n;
	uint8_t *packed;

	(void)state;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (uint8_t)(i * i);
	packed = gzip_pack(text, sizeof text, &n);
	for (int pack = 0; pack < 2; pack++)
		for (size_t piece = 1; piece < 700; piece = piece * 5 + 1) {
			size_t length = pack ? n : sizeof text, whole = length + FRAMING_HEAD;
			struct taken t = { 0 };
			struct framing f = { .sink = { &t, take_begin, take_put } };
			const char *why = "";

			body[0] = (uint8_t)pack;
			body[1] = body[2] = 0;
			body[3] = (uint8_t)(length >> 8);
			body[4] = (uint8_t)length;
			memcpy(body + FRAMING_HEAD, pack ? packed : text, length);
			for (size_t at = 0; at < whole; at += piece) {
				assert_false(framing_whole(&f));
				assert_int_equal(framing_put(&f, body + at,
						     whole - at < piece ? whole - at : piece, &why),
				    FRAMING_OK);
			}
			assert_true(framing_whole(&f));
			assert_int_equal(t.announced, length);
			assert_int_equal(t.got.n, sizeof text);
			assert_memory_equal(t.got.b, text, sizeof text);
			assert_int_equal(framing_put(&f, body, 1, &why), FRAMING_BROKEN);
			framing_end(&f);
			pb_free(&t.got);
		}
	free(packed);
}

/* A message of zeros, which packs a thousand times. */
static void test_a_bomb(void **state)
{
	size_t n, size = 40 << 20;
	uint8_t *zeros = xcalloc(1, size), *packed = gzip_pack(zeros, size, &n);
	const uint8_t head[] = { 1, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n };
	struct taken t = { 0 };
	struct framing f = { .sink = { &t, take_begin, take_put } };
	const char *why = "";

	(void)state;
	assert_int_equal(framing_put(&f, head, sizeof head, &why), FRAMING_OK);
	assert_int_equal(framing_put(&f, packed, n, &why), FRAMING_BROKEN);
	assert_string_equal(why, "its message unpacks to far more than its size");
	assert_in_range(t.got.n, 16 << 20, 17 << 20);
	framing_end(&f);
	pb_free(&t.got);
	free(packed);
	free(zeros);
}

/* Calls Profile with 50 ms once; returns how it ended. */
static struct grpc_end ask(const char *port, struct taken *t, int64_t timeout)
{
	struct err err = { 0 };
	struct endpoint e;
	struct address a;
	struct grpc_conn *conn;
	struct grpc_call *call;
	struct grpc_end end;
	struct pb request = { 0 };
	char text[64];

	snprintf(text, sizeof text, "127.0.0.1:%s", port);
	assert_int_equal(address_parse(&a, slice_of(text), &err), 0);
	assert_int_equal(address_look_up(&a, &e, &err), 0);
	pb_u(&request, 1, 50);
	conn = grpc_open(&e, a.text);
	call = grpc_start(conn,
	    &(struct grpc_request){ .path = "/tensorflow.ProfilerService/Profile",
		.message = request.b,
		.n = request.n,
		.timeout_ms = timeout,
		.sink = { t, take_begin, take_put } });
	while (!grpc_end(call))
		grpc_wait(&conn, 1, -1);
	end = *grpc_end(call);
	grpc_free(call);
	grpc_close(conn);
	pb_free(&request);
	return end;
}

static void test_answers(void **state)
{
	static const struct {
		const char *says, *greeting;
		int code;
		enum grpc_cause cause;
		const char *text;
	} cases[] = {
		{ "ok", NULL, GRPC_OK, GRPC_ANSWERED, "" },
		{ "drip", NULL, GRPC_OK, GRPC_ANSWERED, "" },
		{ "gzip", NULL, GRPC_OK, GRPC_ANSWERED, "" },
		{ "busy", NULL, GRPC_INTERNAL, GRPC_ANSWERED, "Another profiling session active." },
		{ "unimplemented", NULL, GRPC_UNIMPLEMENTED, GRPC_ANSWERED, "" },
		{ "refused", NULL, GRPC_UNIMPLEMENTED, GRPC_ANSWERED, "" },
		{ "escape", NULL, GRPC_INTERNAL, GRPC_ANSWERED, "␛[31mtry later é␊%" },
		{ "bare", NULL, GRPC_INTERNAL, GRPC_BROKEN, "it ended without a status" },
		{ "away", NULL, GRPC_UNAVAILABLE, GRPC_LOST, "the server takes no more calls" },
		{ "cut", NULL, GRPC_UNAVAILABLE, GRPC_LOST,
		    "the connection ended: the job ended or the tunnel dropped" },
		{ "short", NULL, GRPC_INTERNAL, GRPC_BROKEN, "its message is shorter than it says" },
		{ "long", NULL, GRPC_INTERNAL, GRPC_BROKEN, "there is more after its message" },
		{ "two", NULL, GRPC_INTERNAL, GRPC_BROKEN, "there is more after its message" },
		{ "html", NULL, GRPC_UNIMPLEMENTED, GRPC_FOREIGN, "answers HTTP 404, not gRPC" },
		{ "http-401", NULL, GRPC_UNAUTHENTICATED, GRPC_FOREIGN, "answers HTTP 401, not gRPC" },
		{ "http-403", NULL, GRPC_DENIED, GRPC_FOREIGN, "answers HTTP 403, not gRPC" },
		{ "http-503", NULL, GRPC_UNAVAILABLE, GRPC_FOREIGN, "answers HTTP 503, not gRPC" },
		{ "http-418", NULL, GRPC_UNKNOWN, GRPC_FOREIGN, "answers HTTP 418, not gRPC" },
		{ "rst-2", NULL, GRPC_INTERNAL, GRPC_BROKEN,
		    "the server broke the call off (INTERNAL_ERROR)" },
		{ "rst-7", NULL, GRPC_UNAVAILABLE, GRPC_LOST, "the server takes no more calls" },
		{ "rst-8", NULL, GRPC_CANCELLED, GRPC_ANSWERED, "the server canceled the call" },
		{ "rst-11", NULL, GRPC_EXHAUSTED, GRPC_ANSWERED, "the server asks to be called less often" },
		{ "ok", "http", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "speaks HTTP/1, not gRPC: not a profiler server" },
		{ "ok", "ssh", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "is an SSH server, not a profiler server; is the port right?" },
		{ "ok", "tls", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "wants TLS, which profiler servers do not speak; use ssh -L to reach the plain port" },
		{ "ok", "junk", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "does not speak gRPC: not a profiler server" },
		{ "ok", "silent", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "is connected, but says nothing: not a profiler server?" },
		{ "ok", "close", GRPC_UNAVAILABLE, GRPC_FOREIGN,
		    "closed the connection at once: not a profiler server, or a tunnel to nothing" },
		{ "hang", NULL, GRPC_DEADLINE, GRPC_LATE, "no answer in time" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *argv[] = { cases[i].says, cases[i].greeting ? "--greeting" : NULL,
			cases[i].greeting, NULL };
		struct fakejob job = fakejob_start(argv);
		struct taken t = { 0 };
		struct grpc_end end = ask(job.port, &t, 300);

		if (end.code != cases[i].code || end.cause != cases[i].cause ||
		    strcmp(end.text, cases[i].text))
			fail_msg("%s %s: %d %d %s", cases[i].says, cases[i].greeting ? cases[i].greeting : "",
			    end.code, (int)end.cause, end.text);
		if (!end.code)
			assert_int_equal(t.got.n, 57); /* field 8 with the XSpace of fake-job */
		pb_free(&t.got);
		fakejob_end(&job);
	}
}

static void test_nobody_listens(void **state)
{
	const char *argv[] = { "ok", NULL };
	struct fakejob job = fakejob_start(argv);
	struct taken t = { 0 };
	struct grpc_end end;
	char port[sizeof job.port];

	(void)state;
	strcpy(port, job.port);
	assert_int_equal(address_listeners(atoi(port)), 1);
	fakejob_end(&job);
	end = ask(port, &t, 300);
	assert_int_equal(end.code, GRPC_UNAVAILABLE);
	assert_int_equal(end.cause, GRPC_UNREACHABLE);
	assert_string_equal(end.text, "Connection refused");
}

static void test_sink_that_has_enough(void **state)
{
	const char *argv[] = { "--mib", "50", "ok", NULL };
	struct fakejob job = fakejob_start(argv);
	struct taken t = { .limit = 100000 };
	struct grpc_end end = ask(job.port, &t, 5000);

	(void)state;
	assert_int_equal(end.code, GRPC_CANCELLED);
	assert_int_equal(end.cause, GRPC_STOPPED);
	assert_true(t.announced > 50 << 20);
	assert_true(t.got.n < 1 << 20);
	pb_free(&t.got);
	fakejob_end(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_lists_of_addresses),
		cmocka_unit_test(test_what_is_loopback),
		cmocka_unit_test(test_framing_in_pieces),
		cmocka_unit_test(test_a_bomb),
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_nobody_listens),
		cmocka_unit_test(test_sink_that_has_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
