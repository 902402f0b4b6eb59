#include "config.h"

#include "model/dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/spill/spill.h"
#include "model/hlo.h"
#include "model/toolfile.h"

const struct file_kind_info file_kind_info[FILE_KIND_COUNT] = {
#define FILE_KIND(id, name, label, family, lacks) [FILE_##id] = { name, label, lacks, FILES_##family },
#include "model/file_kinds.def"
};

enum file_kind file_kind_named(struct slice name, size_t *stem)
{
	static const struct {
		const char *suffix;
		enum file_kind kind;
	} table[] = {
#define SUFFIX(id, suffix) { suffix, FILE_##id },
#include "model/file_kinds.def"
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (slice_ends_nocase(name, table[i].suffix)) {
			*stem = name.n - strlen(table[i].suffix);
			return table[i].kind;
		}
	*stem = name.n;
	return FILE_UNKNOWN;
}

struct dump *dump_new(void)
{
	struct dump *d = xcalloc(1, sizeof *d);

	strtab_init(&d->str);
	d->problems = problems_new();
	d->trace.last = -1;
	d->refusals = mem_refusals();
	d->modules_lock = xcalloc(1, sizeof *d->modules_lock);
	pthread_mutex_init(d->modules_lock, NULL);
	return d;
}

void dump_close(struct dump *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nfiles; i++) {
		struct file *f = &d->files[i];

		if (f->private && f->free_private)
			f->free_private(f->private);
		if (f->source && f->close_source)
			f->close_source(f->source);
	}
	hlo_modules_free(d);
	for (size_t i = 0; i < d->ntools; i++)
		toolfile_free(&d->tools[i]);
	free(d->tools);
	free(d->graphs);
	free(d->files);
	free(d->hosts);
	trace_free(&d->trace);
	problems_free(d->problems);
	strtab_free(&d->str);
	arena_free(&d->arena);
	free(d);
}

int dump_add_file(struct dump *d, const struct file *file)
{
	const char *slash;
	struct file *f;

	VEC_PUSH(d->files, d->nfiles, d->files_cap);
	f = &d->files[d->nfiles];
	*f = *file;
	f->path = arena_strndup(&d->arena, file->path, strlen(file->path));
	slash = strrchr(f->path, '/');
	f->base = slash ? slash + 1 : f->path;
	return (int)d->nfiles++;
}

int dump_host(struct dump *d, const char *name, size_t len)
{
	strid id = strtab_add(&d->str, name, len);

	for (size_t i = 0; i < d->nhosts; i++)
		if (d->hosts[i].name == id)
			return (int)i;
	d->str.v[id].s = arena_strndup(&d->arena, name, len); /* the table may refer to a file */
	VEC_PUSH(d->hosts, d->nhosts, d->hosts_cap);
	d->hosts[d->nhosts] = (struct host){ .name = id, .machine = id, .label = id, .rank = -1 };
	return (int)d->nhosts++;
}

size_t dump_machines(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nhosts; i++) {
		size_t k = 0;

		while (d->hosts[k].machine != d->hosts[i].machine)
			k++;
		n += k == i;
	}
	return n;
}

struct slice dump_host_short(const struct dump *d, int host)
{
	static const char between[] = " · ";
	struct slice s = dump_host_label(d, host);
	const char *at = host >= 0 && d->hosts[host].label != d->hosts[host].name && dump_machines(d) == 1
	    ? slice_find(s, between)
	    : NULL;

	if (!at)
		return s;
	if (d->hosts[host].rank >= 0)
		return (struct slice){ s.s, (size_t)(at - s.s) };
	at += strlen(between);
	return (struct slice){ at, (size_t)(s.s + s.n - at) };
}

size_t dump_more_runs(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nruns; i++)
		n += d->runs[i].other_hosts;
	return n;
}

void dump_host_names(const struct dump *d, char *buf, size_t size)
{
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; i < d->nhosts; i++) {
		const char *s = strtab_str(&d->str, d->hosts[i].name);
		size_t len = strtab_len(&d->str, d->hosts[i].name);

		if (n + len + 8 > size) {
			strcpy(buf + n, ", …");
			break;
		}
		n += (size_t)snprintf(buf + n, size - n, "%s%.*s", i ? ", " : "", (int)len, s);
	}
}

size_t dump_captures(const struct dump *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nfiles; i++)
		n += d->files[i].kind != FILE_HLO_PROTO;
	return n ? n : d->nfiles;
}

int dump_status(const struct dump *d)
{
	if (!d->nfiles)
		return EXIT_NOTHING;
	for (size_t i = 0; i < d->problems->n; i++) {
		const struct problem *p = &d->problems->v[i];
		/* what was not read to its end looks cut off */
		bool stopped = d->canceled && p->file >= 0 && d->files[p->file].partial;

		if (p->level == PROBLEM_DAMAGE && !stopped)
			return EXIT_DAMAGED;
	}
	return EXIT_OK;
}

const char *file_kind_of(const struct file *f)
{
	return f->digest ? "digest" : file_kind_name(f->kind);
}

const char *file_label_of(const struct file *f)
{
	return f->digest ? "digest of a capture" : file_kind_label(f->kind);
}

bool file_is_log(const struct file *f)
{
	return f->kind == FILE_TEXT || file_kind_is_ptxla(f->kind);
}

void file_let_go(const struct file *f, uint64_t from, uint64_t to)
{
	if (spill_large() && f->forget && from < to)
		f->forget(f->source, from, to);
}

void dump_let_go(const struct dump *d, uint32_t plane)
{
	for (uint32_t k = UINT32_MAX;
	     spill_large() && (k = trace_track_of(&d->trace, plane, k)) < d->trace.ntracks;) {
		const struct track *t = &d->trace.tracks[k];

		if (t->file >= 0 && t->n)
			file_let_go(&d->files[t->file], track_args(t, 0), track_args(t, t->n - 1));
		if (t->spill)
			spill_let_go(t->spill);
	}
}

bool file_is_converted(const struct file *f)
{
	return file_kind_info[f->kind].family == FILES_CONVERTED;
}

bool dump_has_converted(const struct dump *d)
{
	for (size_t i = 0; i < d->nfiles; i++)
		if (file_is_converted(&d->files[i]))
			return true;
	return false;
}

bool dump_host_is(const struct dump *d, int host, const char *name)
{
	if (host < 0)
		return slice_is(dump_text(d, 0), name);
	return slice_is(dump_text(d, d->hosts[host].name), name) ||
	    slice_is(dump_text(d, d->hosts[host].machine), name);
}
