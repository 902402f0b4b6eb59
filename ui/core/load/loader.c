#include "config.h"
#include "core/load/loader.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/now.h"
#include "core/load/scout.h"
#include "core/worker.h"
#include "load/source/source.h"

#define ABANDON_MS 200

struct loader {
	struct worker worker;
	struct app_options opt; /* a copy: an abandoned thread outlives the app */
	struct load_options load;
	char *run, **paths;
	struct progress progress;
	/* by the user; progress.cancel is reset for the stages that must complete */
	_Atomic bool canceled;
	int64_t began;       /* ms */
	struct capture *cap; /* NULL: err says why */
	struct err err;
	struct early early;
	struct scout scout;
	_Atomic(struct loader_early *) ready; /* made by the loader, taken by loader_early() */
};

struct capture *load_now(const struct app_options *o, const struct load_options *load, struct progress *p,
    struct err *err)
{
	struct capture *c;
	struct dump *d;

	*err = (struct err){ .at = ERR_NOWHERE };
	if (o->sample)
		d = load_memory(o->sample, o->sample_size, o->sample_name, load, err);
	else
		d = load_paths(o->paths, o->npaths, load, p, err);
	if (!d)
		return NULL;
	c = capture_of(d, load->threads);
	capture_prepare(c, o->clock, p);
	return c;
}

/* --- what is there before the end --- */

void loader_early_free(struct loader_early *e)
{
	if (!e)
		return;
	capture_close(e->cap);
	free(e);
}

struct loader_early *loader_early(struct loader *l)
{
	return atomic_exchange(&l->ready, NULL);
}

static void make_early(struct loader *l, const void *bytes, size_t n, const char *name,
    const struct tracetable_window *w)
{
	struct load_options load = l->load;
	struct loader_early *e;
	struct dump *d = NULL;
	void *copy;

	if (l->canceled)
		return;
	e = xcalloc(1, sizeof *e);
	e->alone = l->early.tables > 1;
	if (w) {
		e->windowed = true;
		e->t0 = (int64_t)w->t0;
		e->t1 = (int64_t)w->t1;
		e->all = w->all;
	}
	load.early = NULL;
	if ((copy = mem_try(NULL, 1, n))) {
		memcpy(copy, bytes, n);
		d = load_memory(copy, n, name, &load, NULL);
	}
	if (d)
		source_own(d->files[0].source);
	else
		free(copy);
	if (d)
		e->cap = capture_of(d, load.threads);
	if (!d || !d->trace.ntracks) {
		loader_early_free(e);
		return;
	}
	capture_prepare(e->cap, l->opt.clock, NULL);
	loader_early_free(atomic_exchange(&l->ready, e));
	worker_wake(&l->worker);
}

static void show_early(void *ctx, const void *bytes, size_t n, const char *name)
{
	make_early(ctx, bytes, n, name, NULL);
}

static void show_window(void *ctx, const void *bytes, size_t n, const char *name,
    const struct tracetable_window *w)
{
	make_early(ctx, bytes, n, name, w);
}

void loader_want(struct loader *l, int64_t t0, int64_t t1)
{
	scout_want(&l->scout, t0, t1);
}

static void note_table(void *ctx, const char *name, const uint8_t *bytes, size_t n)
{
	struct loader *l = ctx;

	scout_table(&l->scout, name, bytes, n);
}

static void drop_table(void *ctx)
{
	scout_gone(&((struct loader *)ctx)->scout);
}

static void run_loader(void *arg)
{
	struct loader *l = arg;

	l->cap = load_now(&l->opt, &l->load, &l->progress, &l->err);
	scout_end(&l->scout);
}

static void loader_free(struct loader *l)
{
	for (size_t i = 0; i < l->opt.npaths; i++)
		free(l->paths[i]);
	free(l->paths);
	free(l->run);
	loader_early_free(loader_early(l));
	free(l);
}

struct loader *loader_start(const struct app_options *o, const struct load_options *load, struct err *err)
{
	struct loader *l = xcalloc(1, sizeof *l);
	int error;

	l->opt = *o;
	l->load = *load;
	l->scout = SCOUT_INIT;
	l->scout.show = show_window;
	l->scout.ctx = l;
	l->early = (struct early){ .show = show_early, .ctx = l, .table = note_table, .gone = drop_table };
	l->load.early = &l->early;
	l->paths = xcalloc(o->npaths + 1, sizeof *l->paths);
	for (size_t i = 0; i < o->npaths; i++)
		l->paths[i] = xstrdup(o->paths[i]);
	l->opt.paths = (const char *const *)l->paths;
	if (load->run)
		l->load.run = l->run = xstrdup(load->run);
	l->began = now_ms();
	if ((error = worker_start(&l->worker, run_loader, l))) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "cannot start loading: %s", strerror(error));
		loader_free(l);
		return NULL;
	}
	return l;
}

int loader_fd(const struct loader *l)
{
	return worker_fd(&l->worker);
}
bool loader_ended(const struct loader *l)
{
	return worker_ended(&l->worker);
}

const struct progress *loader_progress(const struct loader *l)
{
	return &l->progress;
}
bool loader_canceled(const struct loader *l)
{
	return l->canceled;
}

int64_t loader_elapsed_ms(const struct loader *l)
{
	return now_ms() - l->began;
}

void loader_cancel(struct loader *l)
{
	l->canceled = true;
	atomic_store(&l->progress.cancel, true);
}

struct capture *loader_finish(struct loader *l, struct err *err)
{
	struct capture *c;

	worker_join(&l->worker);
	c = l->cap;
	*err = l->err;
	loader_free(l);
	return c;
}

void loader_abandon(struct loader *l)
{
	loader_cancel(l);
	if (!worker_join_within(&l->worker, ABANDON_MS))
		return; /* its thread may block in a read forever and uses all of it, so nothing is freed */
	capture_close(l->cap);
	loader_free(l);
}
