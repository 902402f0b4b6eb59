#include "config.h"

#include "load/table/trace_table.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "load/build/builder.h"
#include "load/build/loaders.h"
#include "load/source/file_name.h"
#include "load/source/source.h"

#define CHECK_EACH 8192 /* events between two looks at progress */

struct reading {
	struct build b;
	struct table_file *table;
	struct file *file;
	uint64_t strange, damaged, damaged_at;
	struct err why; /* of the first block */
};

static const char *name_of(const struct reading *r, const struct table_event *e, size_t *n)
{
	const struct strtab *str = &r->b.dump->str;
	uint32_t id = e->has_ref ? idmap_get(&r->table->names, (int64_t)e->name_ref) : IDMAP_NONE;

	*n = id == IDMAP_NONE ? e->name_n : strtab_len(str, id);
	return id == IDMAP_NONE ? (const char *)e->name : strtab_str(str, id);
}

static int64_t clipped(uint64_t ps)
{
	return ps > INT64_MAX ? INT64_MAX : (int64_t)ps;
}

struct looking {
	struct reading *r;
	uint32_t meta;
};

static bool look_at_arg(void *ctx, const struct stat_value *v)
{
	struct looking *l = ctx;

	build_arg_name(&l->r->b, v->name, v->name_len);
	if (v->type == STAT_STR)
		build_arg(&l->r->b, l->meta, v->name, v->name_len, v->s, v->n);
	return true;
}

struct sampling {
	struct reading *r;
	uint32_t track;
	strid name;
	int64_t ts;
};

static bool add_sample(void *ctx, const struct stat_value *v)
{
	struct sampling *s = ctx;
	struct build *b = &s->r->b;
	strid unit = strtab_add(&b->dump->str, v->name, v->name_len);

	if (v->type < STAT_STR)
		build_sample(b, build_counter(b, s->track, unit, s->name, unit), s->ts, v->d);
	return true;
}

static void add_flow(struct build *b, const struct table_event *e, uint32_t track, int64_t ts, uint64_t at)
{
	static const uint8_t role[] = { [1] = FLOW_START, [2] = FLOW_STEP, [3] = FLOW_END };

	if (e->flow_type && e->flow_type < sizeof role)
		build_flow(b,
		    &(struct build_flow){
			.key = hash_mix(6, e->flow),
			.ts = ts,
			.at = at,
			.track = track,
			.role = role[e->flow_type],
			.bind = FLOW_SELF,
			.category = (uint8_t)e->flow_category,
		    });
}

/* Adds an event.  Its fields decide the kind: with a resource it is on a thread, with only a flow it is
 * asynchronous, with neither it is a sample of a counter. */
static void add_event(struct reading *r, const struct sstable_cursor *c, const struct table_event *e,
    uint64_t at)
{
	struct build *b = &r->b;
	size_t n;
	const char *name = name_of(r, e, &n);
	uint32_t meta = build_meta(b, name, n, 0, false), track;
	strid shown = b->dump->trace.metas[meta].name;
	int64_t ts = clipped(e->ts);
	bool counter = !e->has_resource && !e->has_flow;
	enum build_kind kind = counter ? BUILD_COUNTER : BUILD_ASYNC;

	if (e->has_resource)
		track = build_thread(b, (int64_t)e->device, (int64_t)e->resource);
	else
		track = build_lane(b, build_proc(b, (int64_t)e->device), kind, meta, shown);
	build_event(b, track, ts, clipped(e->dur), meta, at);
	if (counter) {
		tracetable_args(r->b.dump, r->table, e, c, add_sample,
		    &(struct sampling){ r, track, shown, ts });
	} else if (!build_looked(b, meta)) {
		build_look(b, meta);
		tracetable_args(r->b.dump, r->table, e, c, look_at_arg, &(struct looking){ r, meta });
	}
	if (e->has_flow)
		add_flow(b, e, track, ts, at);
}

static void block_damage(struct reading *r, uint64_t at, const struct err *why)
{
	if (!r->damaged++) {
		r->damaged_at = at;
		r->why = *why;
	}
}

static bool is_description(const struct sstable_cursor *c)
{
	struct slice key = { (const char *)c->key, c->nkey };

	return slice_is(key, "trace") || slice_is(key, "/trace");
}

static void read_events(struct reading *r, size_t i, const struct sstable_block *block)
{
	struct sstable_cursor c = sstable_walk(block);
	struct table_event e;
	uint64_t n = 0, before = r->b.done;
	size_t whole = 0, run = 0;
	bool sparse = false;

	while (sstable_next(&c)) {
		if (whole < block->restarts && c.at == sstable_whole_key(block, whole)) {
			whole++;
			run = 0;
		} else {
			sparse |= ++run >= SSTABLE_RUN_MAX;
		}
		if (is_description(&c))
			continue;
		if (!tracetable_event(&c, &e))
			r->strange++;
		add_event(r, &c, &e, tracetable_place(i, c.at));
		if (++n % CHECK_EACH == 0) {
			progress_add(r->b.ctx->progress, 0, CHECK_EACH);
			r->b.done = before +
			    (uint64_t)((double)r->table->events.blocks[i].size * (double)c.at /
				(double)block->n);
			if (progress_canceled(r->b.ctx->progress))
				return;
		}
	}
	if (c.bad)
		block_damage(r, r->table->events.blocks[i].at,
		    &(struct err){ .msg = "a block of entries is damaged" });
	else if (sparse)
		block_damage(r, r->table->events.blocks[i].at,
		    &(struct err){ .msg = "a block has so few whole keys that args cannot be found in it" });
}

static void read_blocks(struct reading *r)
{
	struct sstable_block block = { 0 };
	uint64_t done = 0;

	for (size_t i = 0; i < r->table->events.nblocks; i++)
		r->b.total += r->table->events.blocks[i].size;
	for (size_t i = 0; i < r->table->events.nblocks && !progress_canceled(r->b.ctx->progress); i++) {
		struct err err = { 0 };

		r->b.done = done;
		done += r->table->events.blocks[i].size;
		if (sstable_block(&r->table->events, i, &block, &err)) {
			block_damage(r, r->table->events.blocks[i].at, &err);
			continue;
		}
		if (block.damaged)
			block_damage(r, r->table->events.blocks[i].at,
			    &(struct err){ .msg = "a block has a wrong checksum" });
		read_events(r, i, &block);
		progress_add(r->b.ctx->progress, r->table->events.blocks[i].size, 0);
	}
	sstable_release(&block);
}

/* Entry of the table of names: key = 1 (fixed64), value = 2. */
static void add_name(struct reading *r, struct wire entry)
{
	uint64_t key = 0;
	strid name = 0;

	while (wire_next(&entry)) {
		if (entry.field == 1 && entry.type == 1)
			key = entry.u;
		else if (entry.field == 2 && entry.type == 2)
			name = strtab_add(&r->b.dump->str, (const char *)entry.s, entry.n);
	}
	idmap_put(&r->table->names, (int64_t)key, name);
}

/* Reads Trace { devices = 1 map, name_table = 8 map }; its key is the first or the last one. */
static bool read_description(struct reading *r)
{
	static const char *const keys[] = { "trace", "/trace" };
	bool found = false;

	for (size_t k = 0; k < sizeof keys / sizeof *keys && !found; k++) {
		const uint8_t *key = (const uint8_t *)keys[k];
		size_t n = strlen(keys[k]), i = sstable_block_of(&r->table->events, key, n);
		struct sstable_cursor c;
		struct sstable_block block = { 0 };
		struct wire w;

		if (i == r->table->events.nblocks || sstable_block(&r->table->events, i, &block, NULL))
			continue;
		found = sstable_find(&block, key, n, &c);
		for (w = wire_open(found ? c.value : block.b, found ? c.nvalue : 0); wire_next(&w);) {
			if (w.field == 1 && w.type == 2)
				build_device(&r->b, wire_map_value(&w), false);
			else if (w.field == 8 && w.type == 2)
				add_name(r, wire_open(w.s, w.n));
		}
		sstable_release(&block);
	}
	return found;
}

/* Opens HOST.metadata.SSTABLE beside HOST.SSTABLE, which has the args if it was written. */
static void open_args(struct table_file *f, const char *path, struct dump *d, int file)
{
	const char *dot = strrchr(path, '.');
	char *beside;
	uint64_t damaged;
	size_t n;
	const uint8_t *b;

	if (!dot || strcmp(dot, ".SSTABLE"))
		return;
	beside = xasprintf("%.*s.metadata.SSTABLE", (int)(dot - path), path);
	f->args_source = source_open(beside, NULL);
	free(beside);
	b = f->args_source ? source_bytes(f->args_source, &n, &damaged, NULL, NULL) : NULL;
	if (b && !sstable_open(&f->args, b, n, NULL))
		f->has_args = true;
	if (f->has_args && f->args.cut)
		problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "the metadata table beside it is cut off: some events have no args");
	else if (f->args_source && !f->has_args)
		problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "the metadata table beside it is damaged: no args");
	else if (f->has_args && f->args.index_damaged)
		problem_add(d->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "the index of the metadata table beside it is damaged: some events may have no args");
}

static void report_problems(struct reading *r, bool described)
{
	struct problems *p = r->b.dump->problems;
	int file = r->b.file;

	if (progress_canceled(r->b.ctx->progress))
		r->b.dump->canceled = r->file->partial = true;
	if (r->table->events.cut)
		problem_add(p, PROBLEM_DAMAGE, file, r->table->events.n, 1, "the file is cut off");
	if (r->table->events.index_damaged)
		problem_add(p, PROBLEM_DAMAGE, file, r->table->events.index_at, 1,
		    "the index of the table is damaged: some of its blocks may be missing");
	if (!described)
		problem_add(p, PROBLEM_DAMAGE, file, ERR_NOWHERE, 1,
		    "the names of devices and threads are missing");
	if (r->damaged)
		problem_add(p, PROBLEM_DAMAGE, file, r->damaged_at, r->damaged, "%s", r->why.msg);
	if (r->strange)
		problem_add(p, PROBLEM_WARN, file, ERR_NOWHERE, r->strange,
		    "entries that are not events of a trace");
	if (r->damaged || !described || r->table->events.cut || r->table->events.index_damaged)
		r->file->partial = true;
}

int load_trace_table(struct load_ctx *ctx, int file, struct err *err)
{
	struct reading r = { .file = &ctx->dump->files[file] };
	uint64_t damaged = ERR_NOWHERE;
	const uint8_t *bytes;
	bool described;
	size_t n;

	progress_what(ctx->progress, "reading");
	if (file_name_ends(r.file->base, ".metadata.SSTABLE") ||
	    file_name_ends(r.file->base, ".trie.SSTABLE"))
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "this is the metadata of another table; open the *.SSTABLE beside it");
	bytes = source_bytes(r.file->source, &n, &damaged, ctx->progress, err);
	if (!bytes)
		return -1;
	r.table = xcalloc(1, sizeof *r.table);
	pthread_mutex_init(&r.table->lock, NULL);
	r.table->block_i = r.table->args_i = SIZE_MAX;
	if (sstable_open(&r.table->events, bytes, n, err)) {
		tracetable_free(r.table);
		return -1;
	}
	open_args(r.table, r.file->path, ctx->dump, file);
	build_init(&r.b, ctx, file);
	described = read_description(&r);
	read_blocks(&r);
	report_problems(&r, described);
	if (!r.b.ntracks && r.damaged) {
		build_free(&r.b);
		tracetable_free(r.table);
		return err_set(err, EXIT_NOTHING, r.damaged_at, "%s", r.why.msg);
	}
	build_finish(&r.b, 0);
	build_free(&r.b);
	r.file->private = r.table;
	r.file->free_private = tracetable_free;
	r.file->stats = &table_stats;
	return 0;
}
