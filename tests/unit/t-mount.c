/* Files on a mount that is not local: read in pieces and not mapped, changes while they are read are damage, a slow
 * one can be stopped, and
 * is followed by a thread that nobody waits for.  The mount is ours: this program says what the C library would. */
#include "config.h"
#include "load/load.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <cmocka.h>

#include "base/now.h"
#include "load/follow.h"
#include "load/probe/logdir.h"
#include "../lib/mkspace.h"
#include "../lib/rmtree.h"

static struct {
	bool on;
	_Atomic int ask_ms;
	int delay_ms, change_at; /* change_at: the read after which the file is written to; 0: none */
	const char *path;
	_Atomic int mapped, reads;
	_Atomic size_t longest;
} mount;

int fstatfs(int fd, struct statfs *fs)
{
	int bad = (int)syscall(SYS_fstatfs, fd, fs);

	if (mount.on)
		fs->f_type = 0x65735546;
	return bad;
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	if (mount.on && fd >= 0)
		mount.mapped++;
	return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}

ssize_t read(int fd, void *to, size_t n)
{
	if (mount.on) {
		if (mount.delay_ms)
			nanosleep(&(struct timespec){ .tv_nsec = mount.delay_ms * 1000000L }, NULL);
		if (n > mount.longest)
			mount.longest = n;
		if (++mount.reads == mount.change_at && truncate(mount.path, 9000000))
			abort();
	}
	return syscall(SYS_read, fd, to, n);
}

int stat(const char *restrict path, struct stat *restrict st)
{
	if (mount.ask_ms)
		nanosleep(&(struct timespec){ .tv_nsec = mount.ask_ms * 1000000L }, NULL);
	return fstatat(AT_FDCWD, path, st, 0);
}

/* An XSpace of some 12 MiB. */
static void make_file(const char *path)
{
	struct mkspace s = { 0 };
	char *note = xcalloc(1, 12 << 20);
	FILE *f = fopen(path, "wb");

	memset(note, 'x', (12 << 20) - 1);
	space_plane(&s, 1, "/device:TPU:0");
	space_line(&s, 1, "XLA Ops");
	space_event(&s, "a", 1000, 500);
	space_end(&s, 0);
	pb_s(&s.space, 2, note);
	if (!f || fwrite(s.space.b, 1, s.space.n, f) != s.space.n || fclose(f))
		abort();
	pb_free(&s.space);
	free(note);
}

static struct dump *open_there(const char *path, struct progress *progress)
{
	struct load_options o = { .threads = 1 };
	struct err err = { 0 };
	struct dump *d;

	mount.on = true;
	mount.mapped = mount.reads = 0;
	mount.longest = 0;
	d = load_paths(&path, 1, &o, progress, &err);
	mount.on = false;
	return d;
}

static void files_are_read_in_pieces(void **state)
{
	struct dump *d;

	(void)state;
	make_file("far.xplane.pb");
	mount.change_at = mount.delay_ms = 0;
	d = open_there("far.xplane.pb", NULL);
	assert_non_null(d);
	assert_int_equal(mount.mapped, 0);
	assert_true(mount.reads >= 3);
	assert_true(mount.longest <= 4 << 20);
	assert_int_equal(d->trace.events, 1);
	assert_int_equal(dump_status(d), EXIT_OK);
	dump_close(d);
	unlink("far.xplane.pb");
}

static void a_file_that_changes_meanwhile_is_damaged(void **state)
{
	bool told = false;
	struct dump *d;

	(void)state;
	make_file("far.xplane.pb");
	mount.path = "far.xplane.pb";
	mount.change_at = 3;
	d = open_there("far.xplane.pb", NULL);
	mount.change_at = 0;
	assert_non_null(d);
	for (size_t i = 0; i < d->problems->n; i++)
		told |= strstr(d->problems->v[i].text, "changed while it was read") != NULL;
	assert_true(told);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	unlink("far.xplane.pb");
}

static uint64_t total_then; /* of the progress */

static uint64_t file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

static void *cancel_soon(void *ctx)
{
	struct progress *p = ctx;

	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	total_then = p->total;
	atomic_store(&p->cancel, true);
	return NULL;
}

/* Each read takes a while: what was asked to stop does after one. */
static void a_slow_mount_can_be_stopped(void **state)
{
	struct progress progress = { 0 };
	int64_t start = now_ms();
	pthread_t thread;
	struct dump *d;

	(void)state;
	make_file("far.xplane.pb");
	mount.delay_ms = 400;
	pthread_create(&thread, NULL, cancel_soon, &progress);
	d = open_there("far.xplane.pb", &progress);
	pthread_join(thread, NULL);
	mount.delay_ms = 0;
	assert_true(mount.reads < 3);
	assert_true(now_ms() - start < 1500);
	assert_int_equal(total_then, file_size("far.xplane.pb"));
	dump_close(d);
	unlink("far.xplane.pb");
}

static void an_empty_folder_gets_a_hint(void **state)
{
	const char *path = "far-folder";
	struct err err = { 0 };
	struct load_options o = { .threads = 1 };

	(void)state;
	mkdir(path, 0700);
	mount.on = true;
	assert_null(load_paths(&path, 1, &o, NULL, &err));
	mount.on = false;
	assert_non_null(strstr(err.msg, "--implicit-dirs"));
	rmdir(path);
}

/* Looks until there are news, never for long; returns their number. */
static size_t news_within(struct follow *f, struct dump *d, int ms, struct follow_news *news)
{
	int64_t end = now_ms() + ms, before;
	bool any = false;

	while (!any && now_ms() < end) {
		struct pollfd wait = { .fd = follow_fd(f), .events = POLLIN };

		before = now_ms();
		any = follow_look(f, d, true, news);
		assert_true(now_ms() - before < 200);
		poll(&wait, 1, 100);
		follow_woken(f);
	}
	return news->changes;
}

static void a_slow_mount_is_followed(void **state)
{
	struct follow_news news = { 0 };
	const char *path = "far-runs";
	struct follow *f;
	struct dump *d;
	int64_t before;

	(void)state;
	rmtree(path); /* of a run that failed */
	mkdir(path, 0700);
	mkdir("far-runs/plugins", 0700);
	mkdir("far-runs/plugins/profile", 0700);
	mkdir("far-runs/plugins/profile/2024_01_01", 0700);
	make_file("far-runs/plugins/profile/2024_01_01/h.xplane.pb");
	d = open_there(path, NULL);
	assert_non_null(d);
	mount.ask_ms = 500;
	f = follow_open(d);
	assert_true(follow_polls(f));
	assert_int_equal(news_within(f, d, 1000, &news), 0);
	assert_string_equal(news.run, "");
	assert_int_equal(truncate("far-runs/plugins/profile/2024_01_01/h.xplane.pb", 20 << 20), 0);
	assert_int_equal(news_within(f, d, 8000, &news), 1);
	assert_non_null(strstr(news.text, "h.xplane.pb grew"));
	mkdir("far-runs/plugins/profile/2024_01_02", 0700);
	make_file("far-runs/plugins/profile/2024_01_02/h.xplane.pb");
	assert_int_equal(news_within(f, d, 8000, &news), 0);
	assert_string_equal(news.run, "2024_01_02");
	make_file("far-runs/plugins/profile/2024_01_01/late.xplane.pb");
	assert_int_equal(news_within(f, d, 12000, &news), 0);
	assert_int_equal(news.nfiles, 1);
	assert_string_equal(news.file, "late.xplane.pb");
	sleep(2);
	follow_look(f, d, true, &news); /* asks again, and is left */
	before = now_ms();
	follow_close(f);
	dump_close(d);
	assert_true(now_ms() - before < 200);
	mount.ask_ms = 0;
	sleep(1);
	rmtree(path);
}

static void a_local_folder_tells(void **state)
{
	struct follow_news news;
	const struct load_options o = { .threads = 1 };
	const char *path = "near-runs";
	struct pollfd wait = { .events = POLLIN };
	struct follow *f;
	struct dump *d;

	(void)state;
	mkdir(path, 0700);
	mkdir("near-runs/2024_01_01", 0700);
	make_file("near-runs/2024_01_01/h.xplane.pb");
	d = load_paths(&path, 1, &o, NULL, NULL);
	assert_non_null(d);
	f = follow_open(d);
	assert_false(follow_polls(f));
	assert_false(follow_look(f, d, true, &news));
	wait.fd = follow_fd(f);
	assert_int_equal(poll(&wait, 1, 0), 0);
	assert_int_equal(truncate("near-runs/2024_01_01/h.xplane.pb", 20 << 20), 0);
	assert_int_equal(poll(&wait, 1, 5000), 1);
	assert_true(follow_woken(f));
	assert_true(follow_look(f, d, true, &news));
	assert_int_equal(news.changes, 1);
	follow_close(f);
	dump_close(d);
	rmtree(path);
}

/* The files of other hosts come late: each is offered once, when it is written, and copies that were left out are
 * not. */
static void late_hosts_are_offered(void **state)
{
	const struct load_options o = { .threads = 1 }, one = { .threads = 1, .host = "a" };
	const char *path = "late", *file = "late/a.xplane.pb";
	struct follow_news news;
	struct follow *f;
	struct dump *d;

	(void)state;
	rmtree(path); /* of a run that failed */
	mkdir(path, 0700);
	make_file(file);
	make_file("late/a.trace.json.gz"); /* of a host that has an XSpace */
	d = load_paths(&path, 1, &o, NULL, NULL);
	f = follow_open(d);
	for (int i = 0; i < 3; i++)
		assert_false(follow_look(f, d, true, &news));
	close(open("late/b.xplane.pb", O_CREAT | O_WRONLY, 0600)); /* nothing yet */
	for (int i = 0; i < 3; i++)
		assert_false(follow_look(f, d, true, &news));
	make_file("late/b.xplane.pb");
	assert_false(follow_look(f, d, true, &news));
	assert_int_equal(truncate("late/b.xplane.pb", 20 << 20), 0);
	assert_false(follow_look(f, d, true, &news)); /* it grew */
	assert_true(follow_look(f, d, true, &news));
	assert_int_equal(news.nfiles, 1);
	assert_int_equal(news.changes, 0);
	assert_string_equal(news.file, "b.xplane.pb");
	assert_false(follow_look(f, d, true, &news));
	make_file("late/c.xplane.pb");
	make_file("late/d.xplane.pb");
	follow_look(f, d, true, &news);
	assert_true(follow_look(f, d, true, &news));
	assert_int_equal(news.nfiles, 2);
	follow_close(f);
	dump_close(d);
	for (int i = 0; i < 2; i++) { /* neither of a file alone, nor of one host */
		d = load_paths(i ? &path : &file, 1, i ? &one : &o, NULL, NULL);
		assert_non_null(d);
		f = follow_open(d);
		make_file(i ? "late/f.xplane.pb" : "late/e.xplane.pb");
		for (int k = 0; k < 3; k++)
			assert_false(follow_look(f, d, true, &news));
		follow_close(f);
		dump_close(d);
	}
	rmtree(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_in_pieces),
		cmocka_unit_test(a_file_that_changes_meanwhile_is_damaged),
		cmocka_unit_test(a_slow_mount_can_be_stopped),
		cmocka_unit_test(an_empty_folder_gets_a_hint),
		cmocka_unit_test(a_slow_mount_is_followed),
		cmocka_unit_test(a_local_folder_tells),
		cmocka_unit_test(late_hosts_are_offered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
