/* Internals of the loader of trace tables: LevelDB tables that XProf writes beside a capture.  Keys are
 * level, start and repetition, values TraceEvents; one more entry describes devices, threads and names.
 * trace_table.c reads them, stats.c decodes an event and its args, which may be in a second table. */
#ifndef LOAD_TABLE_TRACE_TABLE_H
#define LOAD_TABLE_TRACE_TABLE_H

#include <pthread.h>

#include "load/build/context.h"
#include "load/build/idmap.h"
#include "load/table/sstable.h"
#include "model/dump.h"

struct table_event {
	uint64_t device, resource, ts, dur, flow, flow_type, flow_category, group, name_ref;
	bool has_resource, has_flow, has_group, has_ref;
	const uint8_t *name, *raw;
	size_t name_n, raw_n;
};

struct table_file { /* kept with the file (file.private) */
	struct sstable events, args;
	struct source *args_source;
	bool has_args;
	struct idmap names;   /* reference → strid */
	pthread_mutex_t lock; /* guards the blocks read last, below */
	struct sstable_block block, args_block;
	size_t block_i, args_i; /* SIZE_MAX: none */
};

bool tracetable_event(const struct sstable_cursor *,
    struct table_event *);                              /* false: not an event, or damaged */
uint64_t tracetable_place(size_t block, size_t offset); /* for args; 0: over 40 bits */

/* Calls back for the args of an event, from the event or the other table. */
void tracetable_args(const struct dump *, struct table_file *, const struct table_event *,
    const struct sstable_cursor *, stat_fn *, void *ctx);
void tracetable_free(void *);
extern const struct stat_reader table_stats;

#endif
