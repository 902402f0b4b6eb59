/* XSpaces for tests of the analyses, said in names instead of ids:
 *
 *	struct mkspace s = { 0 };
 *	space_plane(&s, 1, "/device:TPU:0");
 *	space_meta_str(&s, "fusion.1", "hlo_category", "loop fusion");
 *	space_line(&s, 3, "XLA Ops");
 *	space_event(&s, "fusion.1", 1000, 500);
 *	space_int(&s, "device_offset_ps", 990);		… of the event just begun
 *	struct dump *d = space_load(&s, 1);		… frees the spaces; space_close(d) ends it
 *
 * Several spaces are several hosts of one run, in files host-0-PID.xplane.pb … of the working directory that are gone
 * once they are loaded, or with space_close() if space_keeps. */
#ifndef TESTS_MKSPACE_H
#define TESTS_MKSPACE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/load.h"
#include "../lib/pbuild.h"

#define SPACE_NAMES 64

struct mkspace {
	struct pb space, plane, line, event;
	int level; /* the innermost open object: 0 none, 1 plane, 2 line, 3 event */
	const char *stat[SPACE_NAMES], *meta[SPACE_NAMES];
	struct pb meta_pb[SPACE_NAMES];
	int nstats, nmetas;
};

static inline int space_name(const char **names, int *n, const char *name)
{
	for (int i = 0; i < *n; i++)
		if (!strcmp(names[i], name))
			return i + 1;
	if (*n == SPACE_NAMES)
		abort();
	names[(*n)++] = name;
	return *n;
}

static inline void space_end(struct mkspace *s, int level)
{
	if (s->level >= 3 && level < 3)
		pb_sub(&s->line, 4, &s->event);
	if (s->level >= 2 && level < 2)
		pb_sub(&s->plane, 3, &s->line);
	if (s->level >= 1 && level < 1) {
		for (int i = 0; i < s->nmetas; i++)
			pb_entry(&s->plane, 4, i + 1, &s->meta_pb[i]);
		for (int i = 0; i < s->nstats; i++)
			pb_stat_name(&s->plane, i + 1, s->stat[i]);
		s->nstats = s->nmetas = 0;
		pb_sub(&s->space, 1, &s->plane);
	}
	if (s->level > level)
		s->level = level;
}

static inline void space_plane(struct mkspace *s, int64_t id, const char *name)
{
	space_end(s, 0);
	s->plane = pb_plane(id, name);
	s->level = 1;
}

static inline void space_line(struct mkspace *s, int64_t id, const char *name)
{
	space_end(s, 1);
	s->line = pb_line(id, name, 0);
	s->level = 2;
}

static inline int space_kind(struct mkspace *s, const char *name)
{
	int n = s->nmetas, id = space_name(s->meta, &s->nmetas, name);

	if (s->nmetas > n) {
		memset(&s->meta_pb[n], 0, sizeof s->meta_pb[n]);
		pb_u(&s->meta_pb[n], 1, (uint64_t)id);
		pb_s(&s->meta_pb[n], 2, name);
	}
	return id;
}

static inline void space_event(struct mkspace *s, const char *name, int64_t start, int64_t dur)
{
	int id = space_kind(s, name);

	space_end(s, 2);
	s->event = pb_event(id, start, dur);
	s->level = 3;
}

static inline void space_int(struct mkspace *s, const char *name, int64_t v)
{
	pb_stat_u(&s->event, 4, space_name(s->stat, &s->nstats, name), 4, (uint64_t)v);
}

static inline void space_pair(struct mkspace *s, int64_t offset, int64_t dur)
{
	space_int(s, "device_offset_ps", offset);
	space_int(s, "device_duration_ps", dur);
}

/* The event hands work to another: contexts of the same type and id. */
static inline void space_gives(struct mkspace *s, int64_t type, int64_t id)
{
	space_int(s, "_pt", type);
	space_int(s, "_p", id);
}

static inline void space_takes(struct mkspace *s, int64_t type, int64_t id)
{
	space_int(s, "_ct", type);
	space_int(s, "_c", id);
}

/* The main thread of the host, and a step on it. */
static inline void space_host(struct mkspace *s)
{
	space_plane(s, 9, "/host:CPU");
	space_line(s, 1, "main");
}

static inline void space_step(struct mkspace *s, int64_t number, int64_t start, int64_t dur)
{
	space_event(s, "train", start, dur);
	space_int(s, "_r", 1);
	space_int(s, "step_num", number);
}

static inline void space_meta_str(struct mkspace *s, const char *kind, const char *name, const char *v)
{
	int id = space_kind(s, kind);

	pb_stat_s(&s->meta_pb[id - 1], 5, space_name(s->stat, &s->nstats, name), v);
}

static inline void space_meta_int(struct mkspace *s, const char *kind, const char *name, int64_t v)
{
	int id = space_kind(s, kind);

	pb_stat_u(&s->meta_pb[id - 1], 5, space_name(s->stat, &s->nstats, name), 3, (uint64_t)v);
}

static inline void space_meta_bytes(struct mkspace *s, const char *kind, const char *name, const void *v,
    size_t n)
{
	int id = space_kind(s, kind);
	struct pb stat = pb_stat(space_name(s->stat, &s->nstats, name));

	pb_bytes(&stat, 6, v, n);
	pb_sub(&s->meta_pb[id - 1], 5, &stat);
}

/* The name that is shown of a kind whose own name is HLO text. */
static inline void space_display(struct mkspace *s, const char *kind, const char *name)
{
	pb_s(&s->meta_pb[space_kind(s, kind) - 1], 4, name);
}

/* A kind of op of a program; symbol 0: without one. */
static inline void space_op(struct mkspace *s, const char *name, const char *category, int program,
    int symbol)
{
	space_meta_str(s, name, "hlo_category", category);
	space_meta_int(s, name, "program_id", program);
	if (symbol)
		space_meta_int(s, name, "symbol_id", symbol);
}

static inline void space_plane_str(struct mkspace *s, const char *name, const char *v)
{
	pb_stat_s(&s->plane, 6, space_name(s->stat, &s->nstats, name), v);
}

static inline void space_plane_double(struct mkspace *s, const char *name, double v)
{
	pb_stat_d(&s->plane, 6, space_name(s->stat, &s->nstats, name), v);
}

static inline void space_path(char *path, size_t size, int i)
{
	snprintf(path, size, "host-%d-%ld.xplane.pb", i, (long)getpid());
}

static bool space_keeps;

static inline struct dump *space_load(struct mkspace *s, int n)
{
	struct load_options options = { .threads = 1 };
	struct err err = { 0 };
	struct dump *d;
	char path[8][64];
	const char *paths[8];

	for (int i = 0; i < n && i < 8; i++) {
		FILE *f;

		space_end(&s[i], 0);
		space_path(path[i], sizeof path[i], i);
		paths[i] = path[i];
		f = fopen(path[i], "wb");
		if (!f || fwrite(s[i].space.b, 1, s[i].space.n, f) != s[i].space.n || fclose(f))
			abort();
		pb_free(&s[i].space);
	}
	d = load_paths(paths, (size_t)n, &options, NULL, &err);
	for (int i = 0; !space_keeps && i < n && i < 8; i++)
		unlink(path[i]); /* what is mapped of it stays */
	if (!d) {
		fprintf(stderr, "%s\n", err.msg);
		abort();
	}
	return d;
}

static inline void space_close(struct dump *d)
{
	char path[64];

	dump_close(d);
	for (int i = 0; space_keeps && i < 8; i++) {
		space_path(path, sizeof path, i);
		unlink(path);
	}
}

/* The track with that line name in the n-th plane that has one. */
static inline uint32_t space_track(const struct dump *d, const char *name, int nth)
{
	for (uint32_t i = 0; i < d->trace.ntracks; i++) {
		strid id = d->trace.tracks[i].name;

		if (strtab_len(&d->str, id) == strlen(name) &&
		    !memcmp(strtab_str(&d->str, id), name, strlen(name)) && !nth--)
			return i;
	}
	abort();
}

#endif
