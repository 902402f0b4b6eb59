#include "config.h"

#include "remote/profiler/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/file/disk.h"
#include "base/mem.h"

#define HELD_MAX (128u << 20)
#define SEND_BYTES (4u << 20)
#define SAME_NAMES 1000

static int disk_error(struct err *err, const char *path, int error)
{
	return err_set(err, EXIT_DISK, ERR_NOWHERE, "%s: %s", path, strerror(error));
}

static char *absolute(const char *path)
{
	char *here, *full;

	if (*path == '/')
		return xstrdup(path);
	here = getcwd(NULL, 0);
	full = xasprintf("%s/%s", here ? here : ".", path);
	free(here);
	return full;
}

static void name_session(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm t;

	localtime_r(&now, &t);
	strftime(buf, size, "%Y_%m_%d_%H_%M_%S", &t);
}

int run_folder_choose(struct run_folder *f, const char *logdir, const char *session, struct err *err)
{
	char name[100], *part;
	struct stat st;
	int i = 1, bad;

	*f = (struct run_folder){ 0 };
	if (session &&
	    (!*session || *session == '.' || strchr(session, '/') || strlen(session) >= sizeof name))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "--session %.100s: must be a name for a folder",
		    session);
	if (strstr(logdir, "://"))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE,
		    "--logdir %.200s: must be a folder of this machine; copy the run into the bucket "
		    "afterward",
		    logdir);
	if (session)
		snprintf(name, sizeof name, "%s", session);
	else
		name_session(name, sizeof name);
	f->logdir = absolute(logdir);
	f->root = xasprintf("%s/plugins/profile", f->logdir);
	do {
		snprintf(f->session, sizeof f->session, i > 1 ? "%s_%d" : "%s", name, i);
		free(f->path);
		f->path = xasprintf("%s/%s", f->root, f->session);
	} while (!lstat(f->path, &st) && ++i < SAME_NAMES);
	part = disk_existing(f->path);
	bad = !stat(part, &st) && !S_ISDIR(st.st_mode) ? disk_error(err, part, ENOTDIR)
	    : access(part, W_OK | X_OK)                ? disk_error(err, part, errno)
						       : 0;
	free(part);
	return bad;
}

static int make_one(const char *path, bool *made, struct err *err)
{
	*made = !mkdir(path, 0777);
	return *made || errno == EEXIST ? 0 : disk_error(err, path, errno);
}

/* Makes the folders above, too, as mkdir -p does. */
int folder_make(const char *path, struct err *err)
{
	char *p = xstrdup(path);
	bool made;
	int bad = 0;

	for (char *slash = strchr(p + 1, '/'); slash && !bad; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		bad = make_one(p, &made, err);
		*slash = '/';
	}
	bad = bad ? bad : make_one(p, &made, err);
	free(p);
	return bad;
}

int run_folder_make(struct run_folder *f, struct err *err)
{
	char *plugins = xasprintf("%s/plugins", f->logdir);
	bool made[3];
	int bad = folder_make(f->logdir, err) || make_one(plugins, &made[0], err) ||
		make_one(f->root, &made[1], err) || make_one(f->path, &made[2], err)
	    ? -1
	    : 0;

	for (int i = 0; i < 3 && !bad; i++)
		f->made[i] = f->made[i] || made[i];
	free(plugins);
	return bad;
}

char *run_folder_below(const struct run_folder *f, const char *logdir)
{
	char *full = absolute(logdir), *path = xasprintf("%s/plugins/profile/%s", full, f->session);

	free(full);
	return path;
}

void run_folder_end(struct run_folder *f)
{
	char *plugins = xasprintf("%s/plugins", f->logdir ? f->logdir : "");

	/* rmdir() refuses a folder with something in it */
	if (f->made[2] && !rmdir(f->path) && f->made[1] && !rmdir(f->root) && f->made[0])
		rmdir(plugins);
	free(plugins);
	free(f->logdir);
	free(f->root);
	free(f->path);
	*f = (struct run_folder){ 0 };
}

char *scratch_name(void)
{
	const char *tmp = getenv("TMPDIR");
	uint64_t random;

	if (getrandom(&random, sizeof random, 0) != sizeof random)
		return NULL;
	return xasprintf("%s/tpuscope-%016llx", tmp && *tmp == '/' ? tmp : "/tmp",
	    (unsigned long long)random);
}

/* Whoever runs the server made the folders: no link in them leads to files of somebody else. */
void scratch_end(char *path, const char *session)
{
	int top = path ? disk_folder_open(AT_FDCWD, path) : -1;

	if (top >= 0) {
		disk_folder_remove(top, session);
		close(top);
		rmdir(path);
	}
	free(path);
}

int save_open(struct save *s, const char *folder, const char *name, struct err *err)
{
	char *path = xasprintf("%s/%s", folder, name);
	char why[sizeof err->msg];

	if (outfile_open(&s->out, path, false, err)) {
		memcpy(why, err->msg, sizeof why);
		err_set(err, EXIT_DISK, ERR_NOWHERE, "%s: %s", path, why);
		free(path);
		return -1;
	}
	setvbuf(s->out.f, NULL, _IONBF, 0); /* what write() did not take is known to the byte */
	free(s->path);
	s->path = path;
	return 0;
}

/* Begins to write to the disk what the file has, so that little is left to wait for at its end. */
static void send_to_disk(struct save *s)
{
#ifdef SYNC_FILE_RANGE_WRITE
	if (s->written - s->sent < SEND_BYTES)
		return;
	sync_file_range(fileno(s->out.f), (off_t)s->sent, (off_t)(s->written - s->sent),
	    SYNC_FILE_RANGE_WRITE);
	s->sent = s->written;
#else
	(void)s;
#endif
}

/* Returns how many bytes the file took. */
static size_t write_some(struct save *s, const uint8_t *p, size_t n)
{
	size_t done;

	errno = 0;
	done = fwrite(p, 1, n, s->out.f);
	s->error = done == n ? 0 : errno ? errno : EIO;
	clearerr(s->out.f);
	s->written += done;
	send_to_disk(s);
	return done;
}

void save_hold(struct save *s)
{
	s->error = ENOSPC;
}

bool save_put(struct save *s, const uint8_t *p, size_t n)
{
	size_t done = s->error ? 0 : write_some(s, p, n);

	if (done == n)
		return true;
	if (n - done > HELD_MAX - s->nheld)
		return false;
	s->held = xrealloc(s->held, 1, s->nheld + n - done);
	memcpy(s->held + s->nheld, p + done, n - done);
	s->nheld += n - done;
	return true;
}

/* Copies what was written into another file. */
static int copy_into(struct save *to, const struct save *from, struct err *err)
{
	uint8_t buf[65536];

	for (uint64_t at = 0; at < from->written;) {
		ssize_t n = pread(fileno(from->out.f), buf, sizeof buf, (off_t)at);

		if (n <= 0)
			return disk_error(err, from->path, n ? errno : EIO);
		if (write_some(to, buf, (size_t)n) < (size_t)n)
			return disk_error(err, to->path, to->error);
		at += (uint64_t)n;
	}
	return 0;
}

static int move(struct save *s, const char *folder, struct err *err)
{
	struct save to = { 0 };

	if (folder_make(folder, err) || save_open(&to, folder, strrchr(s->path, '/') + 1, err))
		return -1;
	if (copy_into(&to, s, err)) {
		outfile_drop(&to.out);
		free(to.path);
		return -1;
	}
	outfile_drop(&s->out);
	free(s->path);
	s->out = to.out;
	s->sent = to.sent;
	s->path = to.path;
	return 0;
}

int save_again(struct save *s, const char *folder, struct err *err)
{
	size_t done;

	if (folder && move(s, folder, err))
		return -1;
	done = write_some(s, s->held, s->nheld);
	s->nheld -= done;
	memmove(s->held, s->held + done, s->nheld);
	return s->nheld ? disk_error(err, s->path, s->error) : 0;
}

static void free_save(struct save *s)
{
	free(s->path);
	free(s->held);
	*s = (struct save){ 0 };
}

int save_finish(struct save *s, struct err *err)
{
	char why[sizeof err->msg];
	int bad = outfile_close(&s->out, err);

	if (bad) {
		memcpy(why, err->msg, sizeof why);
		err_set(err, EXIT_DISK, ERR_NOWHERE, "%s: %s", s->path, why);
	}
	free_save(s);
	return bad;
}

int save_part(struct save *s, struct err *err)
{
	char *part = xasprintf("%s.part", s->path);
	int bad;

	outfile_name(&s->out, part);
	free(s->path);
	s->path = part;
	bad = outfile_close(&s->out, err);
	free_save(s);
	return bad;
}

void save_drop(struct save *s)
{
	outfile_drop(&s->out);
	free_save(s);
}
