#include "config.h"

#include "load/probe/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text/natural.h"
#include "load/probe/listing.h"
#include "load/probe/logdir.h"
#include "load/probe/run_time.h"

#define FOLDERS_MAX 4000u /* that are looked into */
#define CONTENTS_MAX 200u /* the same where files are opened to see what they are */
#define DEPTH_MAX 10
#define EVENTS_MAX 1000u

#define PROFILE "plugins/profile"

struct folder_found {
	char *dir, *name; /* name: below the logdir */
	size_t parent;    /* of the list; SIZE_MAX: none */
	int depth;
	bool leaf; /* of a profile folder, whose folders are runs and have none */
	dev_t dev;
	ino_t ino;
};

/* The folders that are to be looked into, the nearest first. */
struct walk {
	struct folder_found *v;
	size_t n, cap;
};

/* When the captures in a folder were written; 0: not known. */
static int64_t written(const char *dir, const struct listing *l)
{
	int64_t newest = 0;

	for (size_t i = 0; i < l->n; i++) {
		char *path = l->sort[i] < HLO ? xasprintf("%s/%s", dir, l->name[i]) : NULL;
		struct stat st;

		if (path && !stat(path, &st) && st.st_mtime > newest)
			newest = st.st_mtime;
		free(path);
	}
	return newest;
}

/* Whether the folder holds a capture, and when it was written, if `at` is not NULL.  HLO modules alone (an XLA dump)
 * count only with `dump`. */
static bool holds_capture(struct logdir *ld, const char *dir, bool dump, int64_t *at)
{
	struct listing l = listing_files(ld, dir);
	bool holds = listing_best(&l) < (dump ? LOG : HLO);

	if (holds && at)
		*at = written(dir, &l);
	listing_free(&l);
	return holds;
}

static void add_at(struct logdir *ld, const char *name, const char *dir, int64_t at)
{
	VEC_ADD(ld->runs, ld->nruns, ld->runs_cap,
	    (struct run){ .name = xstrdup(name), .dir = xstrdup(dir), .began = at });
}

void runs_add(struct logdir *ld, const char *name, const char *dir)
{
	add_at(ld, name, dir, run_began(name, 0));
}

static void add_if_run(struct logdir *ld, const char *name, const char *dir)
{
	int64_t written = 0;

	if (holds_capture(ld, dir, false, run_began(name, 0) ? NULL : &written))
		add_at(ld, name, dir, run_began(name, written));
}

static int newest_first(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->began != y->began)
		return x->began < y->began ? 1 : -1;
	return natural_cmp(y->name, strlen(y->name), x->name, strlen(x->name));
}

bool logdir_is_graph(const char *name)
{
	return !strcmp(name, "graph.pbtxt") || !strcmp(name, "saved_model.pb") ||
	    !strcmp(name, "saved_model.pbtxt");
}

/* What an estimator or Keras writes beside runs: event files, and graphs that are files of their own. */
static bool may_have_graph(const char *name)
{
	return logdir_is_graph(name) ||
	    (strstr(name, "tfevents") && !slice_ends(slice_of(name), ".profile-empty"));
}

static void note_events(struct logdir *ld, const char *dir)
{
	struct listing l = listing_of(ld, dir, S_IFREG);

	for (size_t i = 0; i < l.n && ld->nevents < EVENTS_MAX && !ld->by_content; i++)
		if (may_have_graph(l.name[i]))
			VEC_ADD(ld->events, ld->nevents, ld->events_cap, xasprintf("%s/%s", dir, l.name[i]));
	listing_free(&l);
}

/* A link may lead back to a folder that it is in. */
static bool is_within_itself(const struct walk *w, size_t parent, const struct stat *st)
{
	for (; parent != SIZE_MAX; parent = w->v[parent].parent)
		if (w->v[parent].dev == st->st_dev && w->v[parent].ino == st->st_ino)
			return true;
	return false;
}

/* Takes what it is given. */
static void push_folder(struct walk *w, size_t parent, char *dir, char *name)
{
	struct stat st;
	struct folder_found f = { dir, name, parent, 0, false, 0, 0 };

	if (!stat(dir, &st) && S_ISDIR(st.st_mode) && !is_within_itself(w, parent, &st)) {
		f.depth = parent == SIZE_MAX ? 0 : w->v[parent].depth + 1;
		f.leaf = parent != SIZE_MAX && slice_ends(slice_of(w->v[parent].dir), "/" PROFILE);
		f.dev = st.st_dev;
		f.ino = st.st_ino;
		VEC_ADD(w->v, w->n, w->cap, f);
	} else {
		free(dir);
		free(name);
	}
}

static void push_below(struct logdir *ld, struct walk *w, size_t i)
{
	struct listing l = listing_of(ld, w->v[i].dir, S_IFDIR);

	for (size_t k = 0; k < l.n; k++) {
		const struct folder_found *f = &w->v[i];
		bool profile = !strcmp(l.name[k], "plugins");
		bool unnamed = profile || (!f->depth && !strcmp(l.name[k], "profile"));

		push_folder(w, i, xasprintf("%s/%s", f->dir, profile ? PROFILE : l.name[k]),
		    unnamed ? xstrdup(f->name)
			    : xasprintf("%s%s%s", f->name, *f->name ? "/" : "", l.name[k]));
	}
	listing_free(&l);
}

static void walk_free(struct walk *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->v[i].dir);
		free(w->v[i].name);
	}
	free(w->v);
}

static void walk_below(struct logdir *ld, const char *path)
{
	struct walk w = { .n = 0 };
	size_t i, most = ld->by_content ? CONTENTS_MAX : FOLDERS_MAX;

	push_folder(&w, SIZE_MAX, xstrdup(path), xstrdup(""));
	for (i = 0; i < w.n && i < most; i++) {
		if (i)
			add_if_run(ld, w.v[i].name, w.v[i].dir);
		if (w.v[i].leaf)
			continue;
		note_events(ld, w.v[i].dir);
		if (w.v[i].depth < DEPTH_MAX)
			push_below(ld, &w, i);
	}
	ld->folders_left = i < w.n;
	walk_free(&w);
}

void runs_add_beside(struct logdir *ld, const char *profile)
{
	struct listing l = listing_of(ld, profile, S_IFDIR);

	for (size_t i = 0; i < l.n; i++) {
		char *dir = xasprintf("%s/%s", profile, l.name[i]);

		add_if_run(ld, l.name[i], dir);
		free(dir);
	}
	listing_free(&l);
	qsort(ld->runs, ld->nruns, sizeof *ld->runs, newest_first);
}

static bool has_profile_runs(struct logdir *ld, const char *path)
{
	char *profile = xasprintf("%s/" PROFILE, path);
	struct listing l = listing_of(ld, profile, S_IFDIR);
	bool has = false;

	for (size_t i = 0; i < l.n && !has; i++) {
		char *dir = xasprintf("%s/%s", profile, l.name[i]);

		has = holds_capture(ld, dir, false, NULL);
		free(dir);
	}
	listing_free(&l);
	free(profile);
	return has;
}

bool runs_find(struct logdir *ld, const char *path)
{
	if (!has_profile_runs(ld, path) && holds_capture(ld, path, false, NULL))
		return true;
	walk_below(ld, path);
	if (ld->nruns)
		qsort(ld->runs, ld->nruns, sizeof *ld->runs, newest_first);
	return !ld->nruns && holds_capture(ld, path, true, NULL);
}
