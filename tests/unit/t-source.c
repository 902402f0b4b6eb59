#include "config.h"
#include "load/source/file_name.h"
#include "load/source/source.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/mem.h"
#include "load/source/decoder.h"

static char *path; /* a name in the scratch directory */

static int setup(void **state)
{
	const char *build = getenv("top_builddir");

	(void)state;
	path = xasprintf("%s/tests/scratch/source-%d", build ? build : ".", (int)getpid());
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	free(path);
	return 0;
}

static void put(const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

/* Every 4 bytes say where they are; compresses, but not to nothing. */
static uint8_t *content(size_t n)
{
	uint8_t *b = malloc(n + 4);

	for (uint32_t i = 0; i < n; i += 4)
		memcpy(b + i, &(uint32_t){ i * 2654435761u >> (i & 16) }, 4);
	return b;
}

struct bytes {
	uint8_t *b;
	size_t n;
};

static int gzip_level = 1;

static void append_gzip(struct bytes *out, const uint8_t *b, size_t n)
{
	z_stream z = { 0 };

	out->b = realloc(out->b, out->n + n + 10000);
	assert_int_equal(deflateInit2(&z, gzip_level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	memcpy(&z.next_in, &b, sizeof z.next_in);
	z.avail_in = (uInt)n;
	z.next_out = out->b + out->n;
	z.avail_out = (uInt)(n + 10000);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out->n += (size_t)z.total_out;
	deflateEnd(&z);
}

/* Streams everything, keeping `keep` bytes each time, and compares; returns how many bytes came.  *status: 0
 * or -1 at the end. */
static size_t stream(struct source *s, size_t keep, const uint8_t *expected, int *status, struct err *err)
{
	const uint8_t *piece;
	uint64_t offset, seen = 0;
	int64_t n;
	size_t kept = 0;

	assert_int_equal(source_stream_start(s, NULL, err), 0);
	while ((n = source_stream_block(s, kept, &piece, &offset, err)) > 0) {
		assert_int_equal(offset, seen - kept);
		assert_true((size_t)n > kept);
		assert_memory_equal(piece, expected + offset, (size_t)n);
		seen = offset + (uint64_t)n;
		kept = keep < (size_t)n ? keep : (size_t)n;
	}
	*status = (int)n;
	source_stream_stop(s);
	return (size_t)seen;
}

static void check_reread(struct source *s, const uint8_t *expected, size_t n)
{
	uint32_t random = 7;
	uint8_t buf[5000];

	for (int i = 0; i < 60; i++) {
		size_t at = (random = random * 1103515245 + 12345) % n,
		       want = n - at < sizeof buf ? n - at : sizeof buf;

		assert_int_equal(source_reread(s, at, buf, sizeof buf), want);
		assert_memory_equal(buf, expected + at, want);
	}
	assert_int_equal(source_reread(s, n, buf, 1), 0);
	assert_int_equal(source_reread(s, n + 12345678, buf, 1), 0);
}

static void check_sound(struct source *s, const uint8_t *expected, size_t n)
{
	static const size_t keeps[] = { 0, 1, 4096, 300000, 5000000, SIZE_MAX };
	struct err err = { 0 };
	uint64_t damaged = 0;
	const uint8_t *all;
	uint8_t head[100];
	size_t size;
	int status;

	assert_int_equal(source_peek(s, head, sizeof head), n < sizeof head ? n : sizeof head);
	assert_memory_equal(head, expected, n < sizeof head ? n : sizeof head);
	for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++) {
		assert_int_equal(stream(s, keeps[i], expected, &status, &err), n);
		assert_int_equal(status, 0);
	}
	check_reread(s, expected, n);
	all = source_bytes(s, &size, &damaged, NULL, &err);
	assert_non_null(all);
	assert_int_equal(size, n);
	assert_int_equal(damaged, ERR_NOWHERE);
	assert_memory_equal(all, expected, n);
}

static void plain_files(void **state)
{
	size_t n = (20 << 20) + 123;
	uint8_t *b = content(n), tail[8];
	struct err err = { 0 };
	struct source *s;

	(void)state;
	put(b, n);
	s = source_open(path, &err);
	assert_non_null(s);
	assert_int_equal(source_size(s), n);
	assert_null(source_packing(s));
	check_sound(s, b, n);
	assert_int_equal(source_tail(s, tail, sizeof tail), sizeof tail);
	assert_memory_equal(tail, b + n - sizeof tail, sizeof tail);
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	source_close(s);
	free(b);
}

static void in_memory(void **state)
{
	uint8_t *b = content(1000), tail[2000];
	struct source *s = source_of_memory(b, 1000, "name");

	(void)state;
	check_sound(s, b, 1000);
	assert_int_equal(source_tail(s, tail, sizeof tail), 1000);
	source_close(s);
	free(b);
}

static void empty(void **state)
{
	struct err err = { 0 };
	struct source *s;
	uint64_t damaged;
	uint8_t buf[10];
	size_t n;
	int status;

	(void)state;
	put("", 0);
	s = source_open(path, &err);
	assert_non_null(s);
	assert_int_equal(source_peek(s, buf, 10), 0);
	assert_int_equal(source_tail(s, buf, 10), 0);
	assert_int_equal(stream(s, 0, buf, &status, &err), 0);
	assert_int_equal(status, 0);
	assert_null(source_bytes(s, &n, &damaged, NULL, &err));
	source_close(s);
}

/* A file of several packed parts and some padding: one content.  Frees both. */
static void check_parts(const char *packing, const struct bytes *z, size_t padding, uint8_t *b, size_t n)
{
	struct err err = { 0 };
	struct source *s;

	put(z->b, z->n + padding);
	s = source_open(path, &err);
	assert_non_null(s);
	assert_string_equal(source_packing(s), packing);
	assert_int_equal(source_size(s), z->n + padding);
	assert_int_equal(source_tail(s, b, 1), 0);
	check_sound(s, b, n);
	source_close(s);
	free(z->b);
	free(b);
}

static void gzip_members(void **state)
{
	size_t n = (9 << 20) + 77;
	uint8_t *b = content(n);
	struct bytes z = { 0 };

	(void)state;
	append_gzip(&z, b, 5 << 20);
	append_gzip(&z, b, 0);
	append_gzip(&z, b + (5 << 20), n - (5 << 20));
	z.b = realloc(z.b, z.n + 512);
	memset(z.b + z.n, 0, 512); /* as tape archives are padded */
	check_parts("gzip", &z, 512, b, n);
}

/* So much and no less may come out of it. */
static void check_limit(void (*append)(struct bytes *out, const uint8_t *b, size_t n))
{
	size_t size, n = 6 << 20;
	uint8_t *b = content(n);
	struct bytes z = { 0 };
	uint64_t damaged;

	append(&z, b, n);
	for (int enough = 0; enough < 2; enough++) {
		struct source *s = source_of_memory(z.b, z.n, "z");
		struct err err = { 0 };

		source_limit(s, enough ? n : n - 1);
		assert_int_equal(source_bytes(s, &size, &damaged, NULL, &err) != NULL, enough);
		assert_int_equal(err.status, enough ? 0 : EXIT_NOTHING);
		source_close(s);
	}
	free(z.b);
	free(b);
}

static void limited(void **state)
{
	(void)state;
	check_limit(append_gzip);
}

/* What inflated comes, then an error that says at which compressed byte. */
static void check_damaged(const uint8_t *z, size_t nz, const uint8_t *b, size_t at_least, uint64_t at_from,
    uint64_t at_to, const char *why)
{
	struct source *s = source_of_memory(z, nz, "z");
	struct err err = { 0 };
	uint64_t damaged;
	size_t n, size = 0;
	int status;
	const uint8_t *all;

	n = stream(s, 100, b, &status, &err);
	assert_true(n >= at_least);
	assert_int_equal(status, -1);
	assert_int_equal(err.status, EXIT_DAMAGED);
	assert_true(err.at >= at_from && err.at <= at_to);
	if (!strstr(err.msg, why))
		fail_msg("%s", err.msg);
	all = source_bytes(s, &size, &damaged, NULL, &err);
	assert_int_equal(size, n);
	if (n) {
		assert_memory_equal(all, b, n);
		assert_int_equal(damaged, err.at);
		check_reread(s, b, n);
	}
	source_close(s);
}

static void damaged_gzip(void **state)
{
	size_t n = 6 << 20;
	uint8_t *b = content(n);
	struct bytes z = { 0 };
	uint8_t *copy;

	(void)state;
	append_gzip(&z, b, n);
	check_damaged(z.b, z.n / 2, b, n / 3, z.n / 2, z.n / 2, "cut off");
	check_damaged(z.b, z.n - 1, b, n, z.n - 1, z.n - 1, "cut off");
	copy = malloc(z.n + 5);
	memcpy(copy, z.b, z.n);
	memcpy(copy + z.n, "extra", 5);
	check_damaged(copy, z.n + 5, b, n, z.n, z.n, "follows");
	copy[z.n - 6] ^= 1; /* the checksum */
	check_damaged(copy, z.n, b, n, z.n - 8, z.n, "check");
	memcpy(copy, z.b, z.n);
	memset(copy + z.n / 2, 0xff, 40);
	{
		struct source *s = source_of_memory(copy, z.n, "z");
		struct err err = { 0 };
		const uint8_t *piece;
		uint64_t offset;
		int64_t got, last = 0;

		assert_int_equal(source_stream_start(s, NULL, &err), 0);
		while ((got = source_stream_block(s, 0, &piece, &offset, &err)) > 0)
			last = (int64_t)offset + got;
		assert_int_equal(got, -1);
		assert_true(last > (int64_t)n / 4 && err.at >= z.n / 2 - 300);
		source_stream_stop(s);
		source_close(s);
	}
	free(copy);
	free(z.b);
	free(b);
}

/* A file that would unpack to a thousand times its size is read up to a limit. */
static void bombs(void **state)
{
	size_t n = DECODER_FREE + (2 << 20);
	uint8_t *b = calloc(n, 1);
	struct bytes z = { 0 };
	struct err err = { 0 };
	struct source *s;
	int status;
	size_t seen;

	(void)state;
	gzip_level = 9;
	append_gzip(&z, b, 8 << 20);
	gzip_level = 1;
	for (size_t one = z.n; z.n < one * 17;) { /* members */
		z.b = realloc(z.b, z.n + one);
		memcpy(z.b + z.n, z.b, one);
		z.n += one;
	}
	s = source_of_memory(z.b, z.n, "z");
	source_once(s);
	seen = stream(s, 0, b, &status, &err);
	assert_true(seen >= DECODER_FREE && seen < n);
	assert_int_equal(status, -1);
	assert_int_equal(err.status, EXIT_DAMAGED);
	assert_non_null(strstr(err.msg, "over 100 times as much"));
	source_close(s);
	free(z.b);
	free(b);
}

#ifdef HAVE_ZSTD
static void append_zstd(struct bytes *out, const uint8_t *b, size_t n)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(n), r;

	out->b = realloc(out->b, out->n + bound + 100);
	ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	r = ZSTD_compress2(c, out->b + out->n, bound, b, n);
	assert_false(ZSTD_isError(r));
	out->n += r;
	ZSTD_freeCCtx(c);
}

static void append_skipped(struct bytes *out)
{
	out->b = realloc(out->b, out->n + 100);
	memcpy(out->b + out->n, "\x5e\x2a\x4d\x18\x05\0\0\0extra", 13);
	out->n += 13;
}

static void zstd_frames(void **state)
{
	size_t n = (9 << 20) + 77;
	uint8_t *b = content(n);
	struct bytes z = { 0 };

	(void)state;
	append_skipped(&z);
	append_zstd(&z, b, 5 << 20);
	append_zstd(&z, b, 0);
	append_skipped(&z);
	append_zstd(&z, b + (5 << 20), n - (5 << 20));
	append_skipped(&z);
	memset(z.b + z.n, 0, 50);
	check_parts("zstd", &z, 50, b, n);
}

static void zstd_limited(void **state)
{
	(void)state;
	check_limit(append_zstd);
}

static void damaged_zstd(void **state)
{
	size_t n = 6 << 20;
	uint8_t *b = content(n), *copy;
	struct bytes z = { 0 };
	struct err err = { 0 };

	(void)state;
	append_zstd(&z, b, n);
	check_damaged(z.b, z.n / 2, b, n / 3, z.n / 2, z.n / 2, "cut off");
	check_damaged(z.b, z.n - 1, b, n, z.n - 1, z.n - 1, "cut off");
	check_damaged(z.b, z.n - 4, b, n, z.n - 4, z.n - 4, "cut off");
	copy = malloc(z.n + 5);
	memcpy(copy, z.b, z.n);
	memcpy(copy + z.n, "extra", 5);
	check_damaged(copy, z.n + 5, b, n, z.n, z.n, "follows");
	copy[z.n - 2] ^= 1;
	check_damaged(copy, z.n, b, n, z.n - 4, z.n, "checksum");
	memcpy(copy, z.b, z.n);
	memset(copy + z.n / 2, 0xff, 40); /* what was unpacked before that block comes */
	{
		struct source *s = source_of_memory(copy, z.n, "z");
		uint64_t damaged;
		size_t size = 0;

		assert_non_null(source_bytes(s, &size, &damaged, NULL, &err));
		assert_true(size > n / 3 && damaged >= z.n / 2 - (128 << 10) && damaged <= z.n);
		source_close(s);
	}
	memset(copy + 5, 0xff, 40);
	put(copy, z.n);
	assert_null(source_open(path, &err)); /* nothing of it can be shown: no empty file */
	assert_int_equal(err.status, EXIT_NOTHING);
	assert_non_null(strstr(err.msg, "zstd"));
	free(copy);
	free(z.b);
	free(b);
}

static void zstd_wide_window(void **state)
{
	uint8_t head[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, (31 - 10) << 3, 1, 0, 0 };
	struct err err = { 0 };

	(void)state;
	put(head, sizeof head);
	assert_null(source_open(path, &err));
	assert_non_null(strstr(err.msg, "--long=31"));
}

static void once(void **state)
{
	size_t n = 3 << 20;
	uint8_t *b = content(n);
	struct bytes z = { 0 };
	struct err err = { 0 };
	struct source *s;
	int status;

	(void)state;
	append_zstd(&z, b, n);
	s = source_of_memory(z.b, z.n, "z");
	source_once(s);
	assert_int_equal(stream(s, 10, b, &status, &err), n);
	assert_int_equal(status, 0);
	assert_int_equal(source_reread(s, 0, &(uint8_t){ 0 }, 1), 0);
	source_close(s);
	free(z.b);
	free(b);
}
#else
static void zstd_left_out(void **state)
{
	struct err err = { 0 };

	(void)state;
	put("\x28\xb5\x2f\xfd and more", 13);
	assert_null(source_open(path, &err));
	assert_non_null(strstr(err.msg, "zstd -d"));
	print_message("the rest of zstd: built without libzstd\n");
	skip();
}
#endif

static void plain_names(void **state)
{
	(void)state;
	assert_int_equal(file_name_plain("a.pb").n, 4);
	assert_int_equal(file_name_plain("a.pb.gz").n, 4);
	assert_int_equal(file_name_plain("a.pb.ZST").n, 4);
	assert_int_equal(file_name_plain(".zst").n, 4);
	assert_int_equal(file_name_plain("zst").n, 3);
	assert_int_equal(file_name_plain("").n, 0);
}

static void tells_hosts(void **state)
{
	(void)state;
	assert_true(slice_is(file_name_host("vm-0.xplane.pb"), "vm-0"));
	assert_true(slice_is(file_name_host("vm.0.trace.json.gz"), "vm.0"));
	assert_true(slice_is(file_name_host("vm.SSTABLE"), "vm"));
	assert_true(slice_is(file_name_host(".xplane.pb"), ".xplane.pb"));
	assert_true(file_name_ends("VM.XPLANE.PB.gz", ".xplane.pb"));
	assert_false(file_name_ends("vm.pb.txt", ".pb"));
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Who reads all of it again and again, as for each of the tracks of a trace, does not unpack it each time. */
static void what_is_read_often_stays_unpacked(void **state)
{
	size_t n = 40 << 20;
	uint8_t *b = content(n), buf[1000];
	struct bytes z = { 0 };
	struct err err = { 0 };
	double began, first = 0;
	struct source *s;
	int status;

	(void)state;
	append_gzip(&z, b, n);
	s = source_of_memory(z.b, z.n, "z");
	assert_int_equal(stream(s, 0, b, &status, &err), n);
	began = cpu_seconds();
	for (int round = 0; round < 12; round++) {
		for (size_t at = 0; at < n; at += 1 << 20) {
			assert_int_equal(source_reread(s, at, buf, sizeof buf), sizeof buf);
			assert_memory_equal(buf, b + at, sizeof buf);
		}
		if (round == 1)
			first = cpu_seconds() - began;
	}
	assert_true(cpu_seconds() - began < 3 * first);
	source_close(s);
	free(z.b);
	free(b);
}

static void stopped_early(void **state)
{
	size_t n = 30 << 20;
	uint8_t *b = calloc(n, 1);
	struct bytes z = { 0 };
	struct err err = { 0 };
	const uint8_t *piece;
	uint64_t offset;

	(void)state;
	append_gzip(&z, b, n);
	for (int blocks = 0; blocks < 4; blocks++) {
		struct source *s = source_of_memory(z.b, z.n, "z");

		assert_int_equal(source_stream_start(s, NULL, &err), 0);
		for (int i = 0; i < blocks; i++)
			assert_true(source_stream_block(s, 10, &piece, &offset, &err) > 0);
		if (blocks & 1)
			source_stream_stop(s);
		source_close(s);
	}
	free(z.b);
	free(b);
}

static const char *refusal(const char *name)
{
	static struct err err;
	struct source *s;

	err = (struct err){ 0 };
	s = source_open(name, &err);
	if (s)
		fail_msg("%s was opened", name);
	assert_int_equal(err.status, EXIT_NOTHING);
	return err.msg;
}

static void what_is_no_file(void **state)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	unlink(path);
	assert_non_null(strstr(refusal("/"), "directory"));
	assert_non_null(strstr(refusal(path), "No such file"));
	if (strlen(path) < sizeof addr.sun_path) {
		strcpy(addr.sun_path, path);
		assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
		assert_non_null(strstr(refusal(path), "socket"));
		unlink(path);
	}
	close(fd);
}

static void *write_slowly(void *bytes)
{
	int fd;

	usleep(50000);
	fd = open(path, O_WRONLY);
	usleep(50000);
	for (int i = 0; i < 100; i++)
		if (write(fd, (uint8_t *)bytes + i * 10000, 10000) != 10000)
			abort();
	close(fd);
	return NULL;
}

static void fifos(void **state)
{
	uint8_t *b = content(1000000);
	struct err err = { 0 };
	struct source *s;
	pthread_t writer;

	(void)state;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_non_null(strstr(refusal(path), "nothing writes"));
	assert_int_equal(pthread_create(&writer, NULL, write_slowly, b), 0);
	s = source_open(path, &err);
	pthread_join(writer, NULL);
	assert_non_null(s);
	check_sound(s, b, 1000000);
	source_close(s);
	unlink(path);
	free(b);
}

static void standard_input(void **state)
{
	uint8_t *b = content(1000);
	struct err err = { 0 };
	struct source *s;
	int saved = dup(STDIN_FILENO), ends[2], fd;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], b, 1000), 1000);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	s = source_open("-", &err);
	assert_non_null(s);
	check_sound(s, b, 1000);
	source_close(s);
	/* a file, from where it stands */
	put(b, 1000);
	fd = open(path, O_RDONLY);
	assert_int_equal(lseek(fd, 400, SEEK_SET), 400);
	dup2(fd, STDIN_FILENO);
	close(fd);
	s = source_open("-", &err);
	assert_non_null(s);
	check_sound(s, b + 400, 600);
	source_close(s);
	dup2(saved, STDIN_FILENO);
	close(saved);
	free(b);
}

/* A pipe that somebody still holds open: canceling ends the wait and keeps what came. */
static void a_slow_pipe_can_be_left(void **state)
{
	struct progress progress = { .cancel = true };
	struct err err = { 0 };
	uint8_t *b = content(1000);
	int saved = dup(STDIN_FILENO), ends[2];
	struct source *s;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], b, 1000), 1000);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	s = source_open_slowly("-", &progress, NULL, &err);
	assert_non_null(s);
	assert_true(source_stopped(s));
	assert_false(progress.cancel); /* loading goes on with what came */
	assert_int_equal(progress.bytes, 0);
	check_sound(s, b, 1000);
	source_close(s);
	close(ends[1]);
	dup2(saved, STDIN_FILENO);
	close(saved);
	free(b);
}

struct sent {
	int fd;
	const uint8_t *b;
	size_t n;
};

static void *send_all(void *ctx)
{
	const struct sent *x = ctx;

	for (size_t at = 0; at < x->n;) {
		ssize_t r = write(x->fd, x->b + at, x->n - at < 12345 ? x->n - at : 12345);

		if (r < 0)
			break;
		at += (size_t)r;
	}
	close(x->fd);
	return NULL;
}

/* Opens what is sent through a pipe on standard input. */
static struct source *piped(const uint8_t *b, size_t n, struct sent *x, pthread_t *sender)
{
	struct err err = { 0 };
	struct source *s;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*x = (struct sent){ ends[1], b, n };
	assert_int_equal(pthread_create(sender, NULL, send_all, x), 0);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	s = source_open_once("-", &err);
	assert_non_null(s);
	return s;
}

/* It is not read whole before its first piece is handed out; what is packed is. */
static void a_pipe_is_read_as_it_is_streamed(void **state)
{
	static const size_t keeps[] = { 0, 10, 3 << 20 };
	size_t n = (5 << 20) + 77;
	uint8_t *b = content(n);
	int saved = dup(STDIN_FILENO), status;
	struct bytes z = { 0 };
	struct err err = { 0 };
	struct source *s;
	pthread_t sender;
	struct sent x;

	(void)state;
	for (size_t i = 0; i < sizeof keeps / sizeof *keeps; i++) {
		s = piped(b, n, &x, &sender);
		assert_true(source_size(s) < n / 2);
		assert_int_equal(stream(s, keeps[i], b, &status, &err), n);
		assert_int_equal(status, 0);
		pthread_join(sender, NULL);
		source_close(s);
	}
	append_gzip(&z, b, n);
	s = piped(z.b, z.n, &x, &sender);
	assert_int_equal(source_size(s), z.n);
	assert_int_equal(stream(s, 0, b, &status, &err), n);
	pthread_join(sender, NULL);
	source_close(s);
	dup2(saved, STDIN_FILENO);
	close(saved);
	free(z.b);
	free(b);
}

static void files_are_told_apart(void **state)
{
	char *other = xasprintf("%s-other", path);
	struct source *s[4];
	uint64_t id[4][2];

	(void)state;
	put("x", 1);
	assert_int_equal(link(path, other), 0);
	s[0] = source_open(path, NULL);
	s[1] = source_open(other, NULL);
	unlink(other);
	assert_int_equal(symlink(strrchr(path, '/') + 1, other), 0);
	s[2] = source_open(other, NULL);
	unlink(other);
	unlink(path);
	put("x", 1);
	s[3] = source_open(path, NULL);
	for (int i = 0; i < 4; i++) {
		assert_true(source_id(s[i], id[i]));
		source_close(s[i]);
	}
	assert_memory_equal(id[0], id[1], sizeof id[0]);
	assert_memory_equal(id[0], id[2], sizeof id[0]);
	assert_memory_not_equal(id[0], id[3], sizeof id[0]);
	s[0] = source_of_memory("x", 1, "x");
	assert_false(source_id(s[0], id[0]));
	source_close(s[0]);
	free(other);
}

/* In a child, whose handler may go wrong. */
static int shrinking(void)
{
	long page = sysconf(_SC_PAGESIZE);
	struct err err = { 0 };
	struct source *s;
	uint64_t damaged;
	const uint8_t *all;
	size_t n;

	source_guard_install();
	s = source_open(path, &err);
	all = s ? source_bytes(s, &n, &damaged, NULL, &err) : NULL;
	if (!all || truncate(path, page) || source_news(s, false))
		return 1;
	for (size_t i = (size_t)page; i < n; i += 100)
		if (all[i])
			return 2;
	return source_news(s, false) == SOURCE_SHRUNK && !source_news(s, true) && all[5] == 'x' ? 0 : 3;
}

static void a_file_that_shrinks_reads_as_zeros(void **state)
{
	long page = sysconf(_SC_PAGESIZE);
	char *b = malloc((size_t)page * 20);
	int status;
	pid_t child;

	(void)state;
	memset(b, 'x', (size_t)page * 20);
	put(b, (size_t)page * 20);
	child = fork();
	if (!child)
		_exit(shrinking());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* any other SIGBUS ends the program as it did before */
	child = fork();
	if (!child) {
		signal(SIGBUS, SIG_DFL);
		source_guard_install();
		source_guard_install();
		raise(SIGBUS);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	free(b);
}

static void news_of_a_file_are_told_once(void **state)
{
	const struct timespec long_ago[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char *other = xasprintf("%s-other", path);
	struct source *s;

	(void)state;
	put("0123456789", 10);
	assert_int_equal(rename(path, other), 0);
	put("0123456789", 10);
	s = source_open(path, NULL);
	assert_non_null(s);
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	unlink(path);
	assert_int_equal(source_news(s, false), SOURCE_SAME);
	assert_int_equal(source_news(s, true), SOURCE_GONE);
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	assert_int_equal(rename(other, path), 0);
	assert_int_equal(source_news(s, true), SOURCE_REPLACED);
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	source_close(s);
	s = source_open(path, NULL);
	assert_non_null(s);
	assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
	assert_int_equal(source_news(s, true), SOURCE_WRITTEN);
	assert_int_equal(truncate(path, 3), 0);
	assert_int_equal(source_news(s, true), SOURCE_SHRUNK);
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	unlink(path); /* of less importance than what was told */
	assert_int_equal(source_news(s, true), SOURCE_SAME);
	source_close(s);
	free(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_files),
		cmocka_unit_test(in_memory),
		cmocka_unit_test(empty),
		cmocka_unit_test(gzip_members),
		cmocka_unit_test(limited),
		cmocka_unit_test(bombs),
		cmocka_unit_test(damaged_gzip),
#ifdef HAVE_ZSTD
		cmocka_unit_test(zstd_frames),
		cmocka_unit_test(zstd_limited),
		cmocka_unit_test(damaged_zstd),
		cmocka_unit_test(zstd_wide_window),
		cmocka_unit_test(once),
#else
		cmocka_unit_test(zstd_left_out),
#endif
		cmocka_unit_test(plain_names),
		cmocka_unit_test(tells_hosts),
		cmocka_unit_test(what_is_read_often_stays_unpacked),
		cmocka_unit_test(stopped_early),
		cmocka_unit_test(what_is_no_file),
		cmocka_unit_test(fifos),
		cmocka_unit_test(standard_input),
		cmocka_unit_test(a_slow_pipe_can_be_left),
		cmocka_unit_test(a_pipe_is_read_as_it_is_streamed),
		cmocka_unit_test(files_are_told_apart),
		cmocka_unit_test(a_file_that_shrinks_reads_as_zeros),
		cmocka_unit_test(news_of_a_file_are_told_once),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
