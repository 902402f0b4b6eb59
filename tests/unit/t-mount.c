/* Files on a mount that is not local: read in pieces and not mapped, changes while they are read are damage, a slow
 * one can be stopped.  The mount is ours: this program says what the C library would. */
#include "config.h"
#include "load/load.h"

#include <fcntl.h>
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
#include "load/probe/logdir.h"
#include "../lib/mkspace.h"

static struct {
	bool on;
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
	for (size_t i = 0; i < d->problems.n; i++)
		told |= strstr(d->problems.v[i].text, "changed while it was read") != NULL;
	assert_true(told);
	assert_int_equal(dump_status(d), EXIT_DAMAGED);
	dump_close(d);
	unlink("far.xplane.pb");
}

static void *cancel_soon(void *ctx)
{
	struct progress *p = ctx;

	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_in_pieces),
		cmocka_unit_test(a_file_that_changes_meanwhile_is_damaged),
		cmocka_unit_test(a_slow_mount_can_be_stopped),
		cmocka_unit_test(an_empty_folder_gets_a_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
