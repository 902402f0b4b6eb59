/* The tables over events while they are read: their columns, and the cursor that stands on a row.  events.c chooses the
 * rows, values.c says what stands in them.  Private to the room. */
#ifndef SQL_ROWS_H
#define SQL_ROWS_H

#include "model/stat.h"
#include "sql/internal.h"

enum table_kind { SLICES, ARGS, COUNTERS, EVENTS };

/* clang-format off */
#define SLICE_COLUMNS \
	C(id, INTEGER) C(track_id, INTEGER) C(host, TEXT) C(plane, TEXT) C(line, TEXT) C(kind, TEXT) \
	C(core, INTEGER) C(name, TEXT) C(start_ps, INTEGER) C(duration_ps, INTEGER) C(self_ps, INTEGER) \
	C(depth, INTEGER) C(parent_id, INTEGER) C(step, INTEGER) C(category, TEXT) C(tf_op_name, TEXT) \
	C(source_info, TEXT) C(flops, INTEGER) C(bytes_accessed, INTEGER) C(program_id, INTEGER) \
	C(wait_ps, INTEGER)
/* those of XProf's own table, and the host */
#define EVENT_COLUMNS \
	C(device, TEXT) C(stream_id, INTEGER) C(thread_id, INTEGER) C(thread_name, TEXT) \
	C(kernel_name, TEXT) C(tf_op_name, TEXT) C(tf_op_type, TEXT) C(hlo_op, TEXT) C(hlo_module, TEXT) \
	C(start_ns, INTEGER) C(end_ns, INTEGER) C(self_time_ns, INTEGER) C(step, TEXT) C(category, TEXT) \
	C(flops, INTEGER) C(memory_accessed, INTEGER) C(source_line, TEXT) C(kernel_details, TEXT) \
	C(input_tensors, TEXT) C(output_tensors, TEXT) C(trace_args, TEXT) C(hlo_fingerprint, INTEGER) \
	C(flow, INTEGER) C(correlation_id, INTEGER) C(host, TEXT)
/* clang-format on */

#define C(name, type) S_##name,
enum { SLICE_COLUMNS S_COLUMNS };
#undef C
#define C(name, type) E_##name,
enum { EVENT_COLUMNS E_COLUMNS };
#undef C
enum { A_slice_id, A_key, A_value };
enum { N_track_id, N_name, N_time_ps, N_value };

/* A condition that is pushed down. */
struct condition {
	int column, op;
	sqlite3_value *v;
};

struct arg {
	char *key, *text; /* text NULL: a number */
	size_t n;
	bool whole;
	int64_t i;
	double d;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct sql *q;
	uint32_t track;  /* of counters: the counter */
	size_t i, end;   /* in the track */
	uint64_t only;   /* one event; UINT64_MAX: all */
	uint32_t *order; /* their ids by name; NULL: as they are in the tracks */
	size_t norder, at_order;
	struct condition *condition;
	int nconditions;
	uint8_t *named;   /* by meta: 1 = its name fits, 2 = it does not; NULL: no condition */
	int64_t from, to; /* bounds of the starts */
	struct sql_walk walk;
	struct arg *arg;
	size_t nargs, args_cap, at_arg;
};

static inline const struct track *track_here(const struct cursor *c)
{
	return &c->q->d->trace.tracks[c->track];
}

static inline struct slice host_of(const struct sql *q, const struct plane *p)
{
	return p->host >= 0 ? strtab_text(&q->d->str, q->d->hosts[p->host].name) : (struct slice){ NULL, 0 };
}

/* by_name.c: events by name, so that SQLite need not sort them to group them: can rows be given in that order, without
 * columns that are made for a track at a time?  first and next go to a row that fits. */
bool sql_can_order(const struct sql *, sqlite3_index_info *);
void sql_order(struct cursor *, bool down, void (*first)(struct cursor *), void (*next)(struct cursor *));
void sql_ordered_row(struct cursor *); /* the next one */

/* values.c: each puts what a column of its table has in the row of the cursor */
void slice_column(struct cursor *, sqlite3_context *, int column);
void arg_column(struct cursor *, sqlite3_context *, int column);
void counter_column(struct cursor *, sqlite3_context *, int column);
void event_column(struct cursor *, sqlite3_context *, int column);

#endif
