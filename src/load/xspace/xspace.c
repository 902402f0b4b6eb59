#include "config.h"

#include "load/xspace/xspace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/pool.h"
#include "base/text/utf8.h"
#include "load/source/source.h"
#include "load/xspace/process.h"

struct job {
	struct xfile *f;
	struct xline *l;
};

struct jobs {
	struct xload *x;
	struct job *v;
	size_t n;
};

void xspace_events_free(struct xevents *ev)
{
	if (!ev)
		return;
	track_free(&ev->track);
	free(ev->unknown);
	idmap_free(&ev->unknown_of);
	free(ev);
}

static void xspace_free(void *xfile)
{
	struct xfile *f = xfile;

	for (size_t i = 0; i < f->npieces; i++) {
		idmap_free(&f->pieces[i].metas);
		idmap_free(&f->pieces[i].names);
	}
	for (size_t i = 0; i < f->nlines; i++)
		xspace_events_free(f->lines[i].events);
	free(f->pieces);
	free(f->lines);
	free(f);
}

/* ---- the content and what is where in it ---- */

static void tell_records(struct xload *x, const struct xfile *f)
{
	for (size_t i = 0; f->records && i < f->records->ndamages; i++) {
		const struct riegeli_damage *d = &f->records->damages[i];
		char text[400];

		x->dump->files[f->file].partial = true;
		problem_add(x->dump->problems, PROBLEM_DAMAGE, f->file, ERR_NOWHERE, d->count, "%s",
		    riegeli_say(d, text, sizeof text));
	}
}

static void open_one(void *ctx, size_t i)
{
	struct xload *x = ctx;
	struct xfile *f = x->files[i];
	struct file *file = &x->dump->files[f->file];
	uint64_t damaged = ERR_NOWHERE;

	f->counted = source_packing(file->source) != NULL;
	f->b = source_bytes(file->source, &f->n, &damaged, x->progress, &f->err);
	f->records = source_riegeli(file->source);
	if (!f->b)
		return;
	tell_records(x, f);
	if (damaged != ERR_NOWHERE) {
		f->truncated = file->partial = true;
		problem_add(x->dump->problems, PROBLEM_DAMAGE, f->file, damaged, 1,
		    "%s; showing what could be unpacked", source_why(file->source));
	}
	xspace_index(x, f);
	if (!f->npieces && f->damage.count) {
		err_set(&f->err, EXIT_NOTHING, f->damage.at,
		    "named like an XSpace, but nothing in it can be read as one; copy it again, as binary");
		f->b = NULL;
		return;
	}
	xspace_plan(x, f);
}

/* Finds the host of each file: what the file states, else by its name. */
static void find_hosts(struct xload *x)
{
	struct xprocess *v = xcalloc(x->nfiles + 1, sizeof *v);

	for (size_t i = 0; i < x->nfiles; i++) {
		const struct xfile *f = x->files[i];

		v[i].file = f->file;
		v[i].stated = (struct slice){ f->host, f->host_len };
	}
	process_hosts(x->dump, v, x->nfiles);
	free(v);
}

/* Adds the planes of a file, one per name, and gives each piece the index of its plane. */
static void add_planes(struct xload *x, struct xfile *f)
{
	struct trace *t = &x->dump->trace;
	struct idmap of = { .used = 0 };
	uint32_t *last = xcalloc(f->npieces + 1, sizeof *last), first = (uint32_t)t->nplanes;

	for (size_t i = 0; i < f->npieces; i++) {
		struct xpiece *p = &f->pieces[i];
		struct plane plane = {
			.file = f->file,
			.host = x->dump->files[f->file].host,
			.id = p->id,
			.at = p->at,
			.len = p->len,
			.name = strtab_ref(&x->dump->str, p->name, p->name_len),
		};

		p->next = UINT32_MAX;
		p->plane = idmap_get(&of, plane.name);
		if (p->plane != IDMAP_NONE) {
			f->pieces[last[p->plane - first]].next = (uint32_t)i;
			last[p->plane - first] = (uint32_t)i;
			continue;
		}
		plane.kind = plane_kind_of(p->name ? p->name : "", p->name_len, &plane.core, &plane.sub);
		p->plane = trace_add_plane(t, &plane);
		idmap_put(&of, plane.name, p->plane);
		last[p->plane - first] = (uint32_t)i;
	}
	if (f->empty)
		problem_add(x->dump->problems, PROBLEM_WARN, f->file, ERR_NOWHERE, 1,
		    "planes without any content, which were left out: %zu", f->empty);
	if (!f->npieces)
		problem_add(x->dump->problems, PROBLEM_NOTE, f->file, ERR_NOWHERE, 1,
		    "has no planes: the profiler recorded nothing");
	idmap_free(&of);
	free(last);
}

/* ---- origin ---- */

/* Timestamps of lines are relative to the start of the capture (small) or count from 1970.  The origin is 0
 * in the first case, else the smallest timestamp.  A mixture counts as relative, as long as all its times
 * fit into ps; if not, both kinds are handled separately. */
static void find_origin(struct xload *x)
{
	int64_t smallest = INT64_MAX, epoch = INT64_MAX, largest = INT64_MIN;

	for (size_t i = 0; i < x->nfiles; i++)
		for (size_t k = 0; k < x->files[i]->nlines; k++) {
			int64_t ts = x->files[i]->lines[k].ts_ns;

			smallest = ts < smallest ? ts : smallest;
			largest = ts > largest ? ts : largest;
			if (ts >= XSPACE_EPOCH && ts < epoch)
				epoch = ts;
		}
	x->epoch_ns = smallest >= XSPACE_EPOCH ? smallest : largest > TRACE_TIME_MAX / 1000 ? epoch : 0;
	if (smallest == INT64_MAX || x->epoch_ns == INT64_MAX)
		x->epoch_ns = 0;
	x->dump->origin_ns = x->epoch_ns;
	x->mixed = x->epoch_ns && smallest < XSPACE_EPOCH;
}

/* ---- lines ---- */

static void read_one(void *ctx, size_t i)
{
	struct jobs *j = ctx;
	struct job b = j->v[i];

	xspace_line(j->x, b.f, b.l);
	file_let_go(&j->x->dump->files[b.f->file], b.l->at, b.l->at + b.l->len);
}

VEC_ORDER(longest_first, struct job, DOWN(l->len) UP(l));

/* Reads the lines again whose timestamp came after events and differs; all lines, if that moves the
 * origin. */
static bool read_again(struct jobs *j)
{
	int64_t origin = j->x->epoch_ns;
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += j->v[i].l->events && j->v[i].l->events->late;
	if (!n)
		return false;
	find_origin(j->x);
	n = 0;
	for (size_t i = 0; i < j->n; i++) {
		struct xline *l = j->v[i].l;

		if (origin == j->x->epoch_ns && !(l->events && l->events->late))
			continue;
		xspace_events_free(l->events);
		l->events = NULL;
		j->v[n++] = j->v[i];
	}
	j->n = n;
	return true;
}

static void read_lines(struct xload *x, int threads)
{
	struct jobs j = { .x = x };
	size_t total = 0;

	for (size_t i = 0; i < x->nfiles; i++)
		total += x->files[i]->nlines;
	j.v = xrealloc(NULL, total ? total : 1, sizeof *j.v);
	for (size_t i = 0; i < x->nfiles; i++)
		for (size_t k = 0; k < x->files[i]->nlines; k++)
			if (x->files[i]->lines[k].has_events)
				j.v[j.n++] = (struct job){ x->files[i], &x->files[i]->lines[k] };
	qsort(j.v, j.n, sizeof *j.v, longest_first);
	pool_run(threads, j.n, read_one, &j);
	if (!x->canceled && read_again(&j))
		pool_run(threads, j.n, read_one, &j);
	free(j.v);
}

/* ---- problems of a file ---- */

static const char *clean_name(char *buf, size_t size, const char *name, size_t len)
{
	return utf8_clean(buf, size, name ? name : "", name ? len : 0, false);
}

/* Whether the file went through a text decoder, which turned bytes that are not UTF-8 into U+FFFD. */
static bool is_recoded(const struct xfile *f)
{
	size_t n = f->n < 4096 ? f->n : 4096, marks = 0;

	for (size_t i = 0; i + 3 <= n; i++)
		marks += !memcmp(f->b + i, "\xef\xbf\xbd", 3);
	return marks >= 8;
}

static void tell_damage(struct xload *x, struct xfile *f)
{
	static const char *const why[] = {
		[XWHY_CUT] = "cut off: the file ends too early",
		[XWHY_GARBAGE] = "cannot be read from here on",
		[XWHY_HOLE] = "some bytes cannot be read",
		[XWHY_LONG] = "a message is longer than the one it is part of",
		[XWHY_MANY] = "too many planes, lines or kinds of events for a capture",
		[XWHY_MEMORY] = "not enough memory for more events",
	};
	const struct xdamage *d = &f->damage;
	char plane[128] = "", line[128] = "", more[64] = "", record[64] = "";
	bool device = false;

	if (!d->count || (f->truncated && !f->records && d->why == XWHY_CUT))
		return;
	if (f->records)
		snprintf(record, sizeof record, "a record in the chunk at byte %llu: ",
		    (unsigned long long)riegeli_record_at(f->records, (size_t)d->at - (d->why == XWHY_CUT))
			->chunk);
	x->dump->files[f->file].partial = true;
	if (d->line != SIZE_MAX) {
		const struct xline *l = &f->lines[d->line];
		bool display = l->display_len != 0;

		clean_name(line, sizeof line, display ? l->display : l->name,
		    display ? l->display_len : l->name_len);
	}
	if (d->piece != UINT32_MAX) {
		const struct xpiece *p = &f->pieces[d->piece];

		clean_name(plane, sizeof plane, p->name, p->name_len);
		device = p->cut && !f->records && x->dump->trace.planes[p->plane].kind == PLANE_TPU;
	}
	if (d->count > 1)
		snprintf(more, sizeof more, ", and %llu more damaged place%s",
		    (unsigned long long)d->count - 1, d->count == 2 ? "" : "s");
	problem_add(x->dump->problems, PROBLEM_DAMAGE, f->file, f->records ? ERR_NOWHERE : d->at, 1,
	    "%s%s%s%s%s%s%s; %s%s", record,
	    f->records && d->why == XWHY_CUT ? "cut off: the record ends too early" : why[d->why],
	    *plane ? ", in plane " : "", plane, *line ? ", line " : "", line, more,
	    is_recoded(f)             ? "a text tool changed the file; copy it as binary"
		: d->why == XWHY_HOLE ? "showing what is whole"
				      : "showing what comes before",
	    device ? ", but what there is of this device is in no number" : "");
}

static bool is_simulated(struct xload *x, const struct file *file)
{
	struct dump *d = x->dump;
	int64_t yes;

	if (slice_begins(dump_text(d, d->hosts[file->host].machine), "sim-") ||
	    strstr(file->base, "simulated"))
		return true;
	if (strtab_find(&d->str, "simulated", 9) == UINT32_MAX)
		return false;
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];

		if (&d->files[p->file] == file && stat_plane_int(d, i, "simulated", &yes) && yes)
			return true;
	}
	return false;
}

/* Takes the start time from the plane Task Environment: the earliest of all hosts. */
static void find_start_time(struct dump *d)
{
	strid name = strtab_find(&d->str, "Task Environment", strlen("Task Environment"));
	int64_t at;

	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		if (d->trace.planes[i].name != name || !stat_plane_int(d, i, "profile_start_time", &at) ||
		    at <= 0)
			continue;
		if (!d->start_unix_ns || at < d->start_unix_ns)
			d->start_unix_ns = at;
	}
}

/* Times of a file count from the start of its session: when files are joined, the earliest is the origin. */
static void shift_files(struct xload *x)
{
	const struct dump *d = x->dump;

	find_start_time(x->dump);
	for (uint32_t i = 0; i < d->trace.nplanes; i++) {
		const struct plane *p = &d->trace.planes[i];
		int64_t at;

		if (!slice_is(dump_text(d, p->name), "Task Environment") ||
		    !stat_plane_int(d, i, "profile_start_time", &at) || at <= 0)
			continue;
		for (size_t k = 0; k < x->nfiles; k++)
			if (x->files[k]->file == p->file)
				x->files[k]->shift_ns = at - d->start_unix_ns;
	}
}

static uint64_t bytes_of_lines(const struct xfile *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < f->nlines; i++)
		n += f->lines[i].has_events ? f->lines[i].len : 0;
	return n;
}

static void add_file(struct xload *x, struct xfile *f)
{
	struct file *file = &x->dump->files[f->file];

	file->private = f;
	file->free_private = xspace_free;
	file->stats = &xspace_stats;
	add_planes(x, f);
	xspace_maps(x, f);
	if (!f->counted) /* all bytes but those of lines, which are counted when they are read */
		progress_add(x->progress, f->n - bytes_of_lines(f), 0);
}

static void finish_file(struct xload *x, struct xfile *f)
{
	struct file *file = &x->dump->files[f->file];

	xspace_tracks(x, f);
	tell_damage(x, f);
	for (size_t i = 0; i < f->npieces; i++)
		idmap_free(&f->pieces[i].metas);
	if (x->canceled)
		file->partial = true;
	if (is_simulated(x, file))
		x->dump->simulated = true;
}

/* Reports files whose content could not be read and drops them from the list; -1 when none is left. */
static int drop_unreadable(struct xload *x, struct err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < x->nfiles; i++) {
		struct xfile *f = x->files[i];

		if (f->b || !f->err.status) {
			x->files[n++] = f;
			continue;
		}
		*err = f->err;
		problem_add(x->dump->problems, PROBLEM_DAMAGE, f->file, f->err.at, 1, "%s", f->err.msg);
		x->dump->files[f->file].partial = true;
		xspace_free(f);
	}
	x->nfiles = n;
	return n ? 0 : -1;
}

int load_xspaces(struct load_ctx *ctx, const int *files, size_t n, struct err *err)
{
	struct xload x = {
		.dump = ctx->dump,
		.progress = ctx->progress,
		.join = ctx->join,
		.nfiles = n,
		.shared_meta = IDMAP_NONE,
	};
	int status;

	x.files = xcalloc(n ? n : 1, sizeof *x.files);
	for (size_t i = 0; i < n; i++) {
		x.files[i] = xcalloc(1, sizeof **x.files);
		x.files[i]->file = files[i];
	}
	progress_what(ctx->progress, "reading");
	pool_run(ctx->threads, n, open_one, &x);
	status = drop_unreadable(&x, err);
	find_hosts(&x);
	for (size_t i = 0; i < x.nfiles; i++)
		add_file(&x, x.files[i]);
	if (x.join)
		shift_files(&x);
	find_origin(&x);
	read_lines(&x, ctx->threads);
	for (size_t i = 0; i < x.nfiles; i++)
		finish_file(&x, x.files[i]);
	if (x.mixed)
		problem_add(ctx->dump->problems, PROBLEM_NOTE, -1, ERR_NOWHERE, 1,
		    "some lines count time from 1970, others from the start of the capture");
	find_start_time(ctx->dump);
	trace_span(&ctx->dump->trace);
	if (x.canceled || progress_canceled(ctx->progress))
		ctx->dump->canceled = true;
	free(x.files);
	return status;
}
