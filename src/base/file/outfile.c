#include "config.h"

#include "base/file/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

#define TEMP_TRIES 100
#define PROC_NAME 32
#define NO_REPLACE 1u /* RENAME_NOREPLACE; musl has neither the name nor the function */

static int refuse_existing(struct err *err)
{
	return err_set(err, EXIT_USAGE, ERR_NOWHERE,
	    "the file exists; choose another name, or replace it with --force");
}

static int fail(struct err *err, const char *what, int error)
{
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s: %s", what, strerror(error));
}

static void clear(struct outfile *o)
{
	free(o->path);
	free(o->temp);
	*o = (struct outfile){ 0 };
}

/* A name for an open file that may have no other. */
static void proc_name(char name[PROC_NAME], int fd)
{
	snprintf(name, PROC_NAME, "/proc/self/fd/%d", fd);
}

/* Opens a file without a name in the folder of the target; -1: the file system does not support it, or the
 * file could not be given a name later. */
static int open_unnamed(struct outfile *o)
{
	const char *slash = strrchr(o->path, '/');
	char *dir = slash ? xstrndup(o->path, (size_t)(slash - o->path) + 1) : xstrdup(".");
	int fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
	char name[PROC_NAME];

	free(dir);
	proc_name(name, fd);
	if (fd >= 0 && access(name, F_OK)) {
		close(fd);
		fd = -1;
	}
	o->unnamed = fd >= 0;
	return fd;
}

/* Makes a new file, or a name for the one without; -1 with errno.  mkstemp() will not do: the file must get
 * the permissions of an ordinary new file, which the kernel derives from the umask. */
static int make_temp(struct outfile *o, int unnamed)
{
	char from[PROC_NAME];
	int r = -1, error = EEXIST;

	proc_name(from, unnamed);
	for (int i = 0; r < 0 && error == EEXIST && i < TEMP_TRIES; i++) {
		free(o->temp);
		o->temp = xasprintf("%s.%ld-%d.tmp", o->path, (long)getpid(), i);
		r = unnamed < 0 ? open(o->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
				: linkat(AT_FDCWD, from, AT_FDCWD, o->temp, AT_SYMLINK_FOLLOW);
		error = errno;
	}
	if (r < 0) {
		free(o->temp);
		o->temp = NULL;
	}
	errno = error;
	return r;
}

/* A pipe or /dev/null has nothing to lose, and nothing can be renamed onto it. */
static bool written_in_place(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) || S_ISCHR(st->st_mode);
}

static int open_target(struct outfile *o, bool force, struct err *err)
{
	struct stat st;
	bool exists = stat(o->path, &st) == 0;
	int fd;

	if (exists && written_in_place(&st)) {
		fd = open(o->path, O_WRONLY | O_CLOEXEC);
		return fd < 0 ? fail(err, "cannot be opened for writing", errno) : fd;
	}
	if (exists && S_ISDIR(st.st_mode))
		return err_set(err, EXIT_USAGE, ERR_NOWHERE, "is a directory; name a file");
	if (!force && lstat(o->path, &st) == 0)
		return refuse_existing(err);
	if (exists) { /* follow symbolic links: the file at their end is replaced, not the link */
		char *real = realpath(o->path, NULL);
		if (real) {
			free(o->path);
			o->path = real;
		}
	}
	fd = open_unnamed(o);
	if (fd < 0)
		fd = make_temp(o, -1);
	if (fd < 0)
		return fail(err, "cannot create a file there", errno);
	if (exists)
		(void)fchmod(fd, st.st_mode & 0777); /* failing is acceptable: the content matters more */
	return fd;
}

int outfile_open(struct outfile *o, const char *path, bool force, struct err *err)
{
	int fd;

	*o = (struct outfile){ 0 };
	if (!strcmp(path, "-")) {
		o->f = stdout;
		return 0;
	}
	o->path = xstrdup(path);
	o->force = force;
	fd = open_target(o, force, err);
	if (fd < 0) {
		clear(o);
		return -1;
	}
	o->f = fdopen(fd, "w");
	if (o->f)
		return 0;
	fail(err, "cannot be opened for writing", errno);
	close(fd);
	if (o->temp)
		unlink(o->temp);
	clear(o);
	return -1;
}

/* Renames `temp` to `path` unless that exists, in one atomic step, so that no other file is lost. */
static int rename_new(const char *temp, const char *path)
{
	if (syscall(SYS_renameat2, AT_FDCWD, temp, AT_FDCWD, path, NO_REPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (link(temp, path)) /* works on network file systems, too */
		return -1;
	unlink(temp);
	return 0;
}

static int put_in_place(const struct outfile *o, struct err *err)
{
	if ((o->force ? rename(o->temp, o->path) : rename_new(o->temp, o->path)) == 0)
		return 0;
	return errno == EEXIST ? refuse_existing(err)
			       : fail(err, "cannot be renamed to its final name", errno);
}

/* Makes sure that everything is on the disk under some name; otherwise sets errno, which usually is that of
 * the write that failed. */
static bool complete(struct outfile *o)
{
	bool real = o->temp || o->unnamed;

	if (!ferror(o->f))
		errno = 0;
	if (fflush(o->f) || ferror(o->f) || (real && fsync(fileno(o->f))))
		return false;
	return !o->unnamed || !make_temp(o, fileno(o->f));
}

void outfile_name(struct outfile *o, const char *path)
{
	free(o->path);
	o->path = xstrdup(path);
}

int outfile_close(struct outfile *o, struct err *err)
{
	int error = 0, result = 0;

	if (!o->f)
		return 0;
	if (!complete(o))
		error = errno ? errno : EIO;
	if (o->f != stdout && fclose(o->f) && !error)
		error = errno;
	if (error)
		result = fail(err, "cannot be written", error);
	else if (o->temp)
		result = put_in_place(o, err);
	if (o->temp && result)
		unlink(o->temp);
	clear(o);
	return result;
}

void outfile_drop(struct outfile *o)
{
	if (o->f && o->f != stdout)
		fclose(o->f);
	if (o->temp)
		unlink(o->temp);
	clear(o);
}
