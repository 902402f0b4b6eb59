/* Where a capture is saved: LOGDIR/plugins/profile/SESSION/HOST.xplane.pb, as XProf expects it.  The folder of the run
 * is made when there is something to put into it, and is gone again when there is nothing in it at the end.  A file
 * has no name until it is whole (base/file/outfile.h).  When its disk is full, what arrives is held until save_again()
 * finds room, there or in another folder; nothing that was written is lost on the way.  Frees with run_folder_end() and
 * save_drop() or save_finish().  Errors have EXIT_DISK.  One thread. */
#ifndef REMOTE_PROFILER_SAVE_H
#define REMOTE_PROFILER_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file/outfile.h"

#define EXIT_DISK 7

struct run_folder {
	char *logdir, *root, *path; /* absolute; root: LOGDIR/plugins/profile */
	char session[120];
	bool made[3]; /* plugins, profile, the run: made here */
};

struct save {
	struct outfile out;
	char *path;
	uint64_t written, sent; /* sent: to the disk, or on their way there */
	int error;              /* why the disk takes no more, 0 = it does */
	uint8_t *held;
	size_t nheld;
};

/* session NULL: the time of day.  A run of that name that exists already is not touched: the name gets a number. */
int run_folder_choose(struct run_folder *, const char *logdir, const char *session, struct err *);
int run_folder_make(struct run_folder *, struct err *);
int folder_make(const char *path, struct err *); /* and those above it */
/* The folder of this run below another logdir.  The caller frees. */
char *run_folder_below(const struct run_folder *, const char *logdir);
void run_folder_end(struct run_folder *); /* removes it if it is empty */

/* A name that nobody can guess for a folder where a server that does not send what it has can write it; servers make
 * their folders.  Its end removes it if it is there, with what is in the folder of that session, and frees. */
char *scratch_name(void);
void scratch_end(char *, const char *session);

int save_open(struct save *, const char *folder, const char *name, struct err *);
void save_hold(struct save *); /* from now on, as if the disk were full; before save_open(), too */
bool save_put(struct save *, const uint8_t *, size_t); /* false: too much is held */
/* Tries again to write what is held, in the other folder if one is given; -1: still no room. */
int save_again(struct save *, const char *folder, struct err *);
int save_finish(struct save *, struct err *);
/* Keeps what is there as NAME.part. */
int save_part(struct save *, struct err *);
void save_drop(struct save *);

#endif
