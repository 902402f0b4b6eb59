#include "config.h"

#include "load/follow.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include "base/mem.h"
#include "base/now.h"
#include "load/source/source.h"

#define FAR_MS 2000 /* between two questions to a remote mount */
#define FILE_CHANGES (IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONESHOT)
#define FOLDER_CHANGES (IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONESHOT)

struct follow {
	pthread_mutex_t lock;
	int users; /* its owner, and a thread that asks */
	int told;  /* an inotify; of a remote mount an eventfd: there is an answer */
	bool far;  /* files are on a remote mount */
	bool busy; /* the thread asks: what it writes to is its own */
	bool answered;
	int64_t asked; /* when the thread began; 0: never */
	struct followed {
		size_t file;
		struct source_mark mark;
		enum source_change change;
	} * files;
	size_t nfiles;
	struct known_runs runs;
	bool came;
	char run[256]; /* that came, or that may get a capture */
	struct known_files known;
	size_t files_came;
	char name[256]; /* of one of them */
};

struct follow *follow_open(const struct dump *d)
{
	struct follow *f = xcalloc(1, sizeof *f);

	pthread_mutex_init(&f->lock, NULL);
	f->users = 1;
	f->files = xcalloc(d->nfiles + 1, sizeof *f->files);
	for (size_t i = 0; i < d->nfiles; i++) {
		struct followed *of = &f->files[f->nfiles];

		if (!d->files[i].source || !source_mark(d->files[i].source, &of->mark))
			continue;
		of->file = i;
		of->mark.path = xstrdup(of->mark.path);
		f->far |= of->mark.far;
		f->nfiles++;
	}
	known_runs_of(d, &f->runs);
	known_files_of(d, &f->known);
	f->told = f->far ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	return f;
}

/* The last one frees it. */
static void leave(struct follow *f)
{
	int left;

	pthread_mutex_lock(&f->lock);
	left = --f->users;
	pthread_mutex_unlock(&f->lock);
	if (left)
		return;
	for (size_t i = 0; i < f->nfiles; i++)
		free((char *)(uintptr_t)f->files[i].mark.path);
	free(f->files);
	known_runs_free(&f->runs);
	known_files_free(&f->known);
	if (f->told >= 0)
		close(f->told);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

void follow_close(struct follow *f)
{
	if (f)
		leave(f);
}

int follow_fd(const struct follow *f)
{
	return f ? f->told : -1;
}

bool follow_woken(struct follow *f)
{
	char events[4096];
	bool any = false;

	while (f && f->told >= 0 && read(f->told, events, sizeof events) > 0)
		any = true;
	return any;
}

/* Each tells once, so that a file that is written all the time does not wake anybody all the time. */
static void have_told(struct follow *f)
{
	for (size_t i = 0; i < f->nfiles; i++)
		inotify_add_watch(f->told, f->files[i].mark.path, FILE_CHANGES);
	if (f->runs.parent)
		inotify_add_watch(f->told, f->runs.parent, FOLDER_CHANGES);
	if (f->known.dir)
		inotify_add_watch(f->told, f->known.dir, FOLDER_CHANGES);
	if (*f->run) {
		char *path = xasprintf("%s/%s", f->runs.parent, f->run);

		inotify_add_watch(f->told, path, FOLDER_CHANGES);
		free(path);
	}
}

static void *ask_far(void *self)
{
	const uint64_t one = 1;
	struct follow *f = self;

	for (size_t i = 0; i < f->nfiles; i++)
		f->files[i].change = source_compare(&f->files[i].mark);
	f->came = load_new_run(&f->runs, f->run, sizeof f->run);
	f->files_came = load_new_files(&f->known, f->name, sizeof f->name);
	pthread_mutex_lock(&f->lock);
	f->busy = false;
	f->answered = true;
	pthread_mutex_unlock(&f->lock);
	if (f->told >= 0 && write(f->told, &one, sizeof one) < 0)
		perror("eventfd");
	leave(f);
	return NULL;
}

static void have_asked(struct follow *f)
{
	pthread_attr_t detached;
	pthread_t thread;
	sigset_t all, before;

	if (f->asked && now_ms() < f->asked + FAR_MS)
		return;
	f->asked = now_ms();
	f->users = 2;
	f->busy = true;
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all); /* they are for the thread of the screen */
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, &detached, ask_far, f)) {
		f->users = 1;
		f->busy = false;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
}

/* Returns whether a run or a file came. */
static bool look_far(struct follow *f, struct dump *d, bool ask)
{
	bool busy, answered;

	pthread_mutex_lock(&f->lock);
	busy = f->busy;
	answered = f->answered;
	pthread_mutex_unlock(&f->lock);
	if (busy)
		return false;
	for (size_t i = 0; answered && i < f->nfiles; i++)
		source_hear(d->files[f->files[i].file].source, f->files[i].change);
	f->answered = false;
	if (answered && (f->came || f->files_came))
		return true; /* the next look asks */
	if (ask)
		have_asked(f);
	return false;
}

bool follow_look(struct follow *f, struct dump *d, bool ask, struct follow_news *news)
{
	bool came;

	*news = (struct follow_news){ 0 };
	if (f->far) {
		came = look_far(f, d, ask);
		news->changes = load_watch(d, false, news->text, sizeof news->text);
	} else {
		if (ask)
			have_told(f);
		news->changes = load_watch(d, ask, news->text, sizeof news->text);
		f->came = ask && load_new_run(&f->runs, f->run, sizeof f->run);
		f->files_came = ask ? load_new_files(&f->known, f->name, sizeof f->name) : 0;
		came = f->came || f->files_came;
	}
	if (came && f->came) {
		memcpy(news->run, f->run, sizeof f->run);
		*f->run = 0;
	}
	if (came && f->files_came) {
		news->nfiles = f->files_came;
		memcpy(news->file, f->name, sizeof f->name);
	}
	return news->changes || came;
}

bool follow_polls(const struct follow *f)
{
	return f->far;
}
