#include "config.h"

#include "remote/profiler/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file/disk.h"
#include "base/mem.h"
#include "base/memcap.h"
#include "base/now.h"
#include "remote/profiler/internal.h"

#define STOP_MS 5000

const char *worker_state_name(enum worker_state state)
{
	static const char *const names[] = { [WORKER_WAITING] = "waiting",
		[WORKER_CONNECTING] = "connecting",
		[WORKER_TRACING] = "tracing",
		[WORKER_COLLECTING] = "collecting",
		[WORKER_RECEIVING] = "receiving",
		[WORKER_FULL] = "disk full",
		[WORKER_RETRYING] = "retrying",
		[WORKER_DONE] = "done",
		[WORKER_FAILED] = "failed",
		[WORKER_CANCELED] = "canceled" };

	return names[state];
}

/* Two addresses may make the same name. */
static void name_files(struct recording *c, size_t i)
{
	struct worker *w = &c->worker[i];
	size_t n;
	int same = 1;

	address_file_name(w->address, w->name, sizeof w->name - 12);
	n = strlen(w->name);
	for (size_t k = 0; k < i; k++)
		if (!strcmp(c->worker[k].name, w->name)) {
			snprintf(w->name + n, sizeof w->name - n, "_%d", ++same);
			k = (size_t)-1; /* and compare with all others again */
		}
}

struct recording *recording_new(const struct capture_options *o, struct err *err)
{
	struct recording *c;

	if (grpc_missing()) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "%s", grpc_missing());
		return NULL;
	}
	if (request_check(&o->what, err))
		return NULL;
	c = xcalloc(1, sizeof *c);
	c->o = *o;
	if (!o->in_memory && run_folder_choose(&c->folder, o->logdir, o->session, err)) {
		run_folder_end(&c->folder);
		free(c);
		return NULL;
	}
	if (o->in_memory) {
		c->most = memcap_bytes() / 2 < BYTES_MAX ? memcap_bytes() / 2 : BYTES_MAX;
		c->scratch = scratch_name();
		snprintf(c->folder.session, sizeof c->folder.session, "tpuscope_%ld", (long)getpid());
	}
	c->worker = xcalloc(o->n, sizeof *c->worker);
	c->conn = xcalloc(o->n, sizeof *c->conn);
	for (size_t i = 0; i < o->n; i++) {
		struct worker *w = &c->worker[i];

		w->capture = c;
		w->address = &o->address[i];
		w->to = &o->to[i];
		w->attempt = 1;
		name_files(c, i);
		worker_enter(w, WORKER_WAITING, now_ms() + (o->n > 1 ? 0 : o->delay_ms));
	}
	return c;
}

void recording_free(struct recording *c)
{
	if (!c)
		return;
	recording_cancel(c);
	for (size_t i = 0; i < c->o.n; i++) {
		worker_close(&c->worker[i]);
		free(c->worker[i].path);
		free(c->worker[i].bytes);
	}
	scratch_end(c->scratch, c->folder.session);
	run_folder_end(&c->folder);
	free(c->worker);
	free(c->conn);
	free(c->spare);
	free(c);
}

/* The first full disk has a way out that was named beforehand. */
static void use_spare(struct recording *c)
{
	struct err err = { 0 };
	const char *spare = c->o.spare;

	c->o.spare = NULL;
	if (spare)
		recording_room(c, spare, &err);
}

static bool is_running(const struct recording *c)
{
	for (size_t i = 0; i < c->o.n; i++)
		if (!worker_over(&c->worker[i]))
			return true;
	return false;
}

bool recording_step(struct recording *c)
{
	int64_t now = now_ms(), wait = GRPC_TURN_MS;

	if (!is_running(c))
		return false;
	for (size_t i = 0; i < c->o.n; i++) {
		const struct worker *w = &c->worker[i];

		c->conn[i] = w->conn;
		if (!worker_over(w) && w->until && w->until - now < wait)
			wait = w->until > now ? w->until - now : 0;
	}
	grpc_wait(c->conn, c->o.n, wait);
	now = now_ms();
	for (size_t i = 0; i < c->o.n; i++) {
		worker_step(&c->worker[i], now);
		if (c->worker[i].state == WORKER_FULL)
			use_spare(c);
	}
	return is_running(c);
}

void recording_status(const struct recording *c, size_t i, struct worker_status *s)
{
	const struct worker *w = &c->worker[i];

	*s = (struct worker_status){ .address = w->address->text,
		.state = w->state,
		.attempt = w->attempt,
		.exit = w->exit,
		.since = w->since,
		.until = w->until,
		.bytes = w->received,
		.expected = w->expected,
		.stopping = w->stopping,
		.text = w->text,
		.path = w->path };
}

const char *recording_folder(const struct recording *c)
{
	return c->spare ? c->spare : c->folder.path;
}

static void cancel_worker(struct worker *w)
{
	if (worker_over(w))
		return;
	if (w->call)
		grpc_cancel(w->call);
	worker_close(w);
	snprintf(w->text, sizeof w->text, "canceled");
	w->exit = EXIT_STOPPED;
	worker_enter(w, WORKER_CANCELED, 0);
}

void recording_cancel(struct recording *c)
{
	for (size_t i = 0; i < c->o.n; i++)
		cancel_worker(&c->worker[i]);
}

void recording_stop(struct recording *c)
{
	size_t n;
	uint8_t *message = request_terminate(c->folder.session, &n);

	for (size_t i = 0; i < c->o.n; i++) {
		struct worker *w = &c->worker[i];

		if (w->state < WORKER_TRACING || w->state == WORKER_RETRYING)
			cancel_worker(w);
		if (w->state != WORKER_TRACING || w->stopping)
			continue;
		w->stopping = true;
		w->stop = grpc_start(w->conn,
		    &(struct grpc_request){ .path = PROFILER_SERVICE "Terminate",
			.message = message,
			.n = n,
			.timeout_ms = STOP_MS });
	}
	free(message);
}

/* Tries to write what is held; no file is open yet if there was no room for its first byte. */
static int make_room(struct worker *w, struct err *err)
{
	struct recording *c = w->capture;
	uint64_t left = w->expected > w->received ? w->expected - w->received : 0;
	bool opened = w->opened;

	if (disk_room(recording_folder(c)) < left)
		return err_set(err, EXIT_DISK, ERR_NOWHERE, "%s: not enough room", recording_folder(c));
	if (worker_open_file(w)) {
		*err = w->trouble;
		return -1;
	}
	if (save_again(&w->save, opened ? c->spare : NULL, err))
		return -1;
	grpc_hold(w->conn, false);
	worker_enter(w, WORKER_RECEIVING, 0);
	return 0;
}

int recording_room(struct recording *c, const char *logdir, struct err *err)
{
	int bad = 0;

	if (logdir) {
		free(c->spare);
		c->spare = run_folder_below(&c->folder, logdir);
	}
	for (size_t i = 0; i < c->o.n; i++)
		if (c->worker[i].state == WORKER_FULL && make_room(&c->worker[i], err))
			bad = -1;
	return bad;
}

void recording_no_room(struct recording *c)
{
	for (size_t i = 0; i < c->o.n; i++) {
		struct worker *w = &c->worker[i];
		char kept[300] = "";

		if (w->state != WORKER_FULL)
			continue;
		if (w->opened && w->save.written) {
			snprintf(kept, sizeof kept, "; what arrived is %.250s.part", w->save.path);
			w->opened = false;
			if (save_part(&w->save, &w->trouble))
				*kept = 0;
		}
		worker_fail(w, EXIT_DISK, "no room on the disk for its %llu bytes%s",
		    (unsigned long long)w->expected, kept);
	}
}

int recording_exit(const struct recording *c)
{
	for (size_t i = 0; i < c->o.n; i++)
		if (c->worker[i].exit)
			return c->worker[i].exit;
	return 0;
}

const char *recording_path(const struct recording *c)
{
	return c->saved ? recording_folder(c) : NULL;
}

const uint8_t *recording_bytes(const struct recording *c, size_t i, size_t *n)
{
	*n = c->worker[i].nbytes;
	return c->worker[i].bytes;
}
