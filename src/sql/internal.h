/* What the files of the room share.  A session has a capture for each schema of its connection: main, and base where a
 * query compares.  Tables are made by name when SQLite does not find them. */
#ifndef SQL_INTERNAL_H
#define SQL_INTERNAL_H

#include <sqlite3.h>

#include "analyze/trace/clock.h"
#include "sql/sql.h"

/* What the kind of an event says, read once per kind. */
struct sql_kind {
	bool read;
	bool has_flops, has_bytes, has_program;
	int64_t flops, bytes, program;
	char *tf_op, *source;
};

struct sql_session;

struct sql {
	struct sql_session *s;
	const char *schema;
	struct capture *c;
	const struct dump *d;
	struct clock_names clock;
	uint64_t *first;           /* id of the first slice of each track, and behind the last */
	struct sql_kind *kind;     /* by meta */
	struct sql_waits *waits;   /* NULL: not needed yet */
	struct sql_groups *groups; /* likewise: the steps that events of the host belong to */
};

struct sql_session {
	sqlite3 *db;
	const struct sql_options *o;
	struct sql side[2]; /* main, base */
	size_t n;
	sqlite3_stmt *query;
	bool making;      /* a table of our own is being written */
	int unfilled;     /* why one misses rows; 0: none does */
	int64_t until_ms; /* when it takes too long */
	bool late;
	struct report *out; /* where rows are written as they come; NULL: nowhere */
	int64_t flushed_ms;
};

/* sql.c: whether the query takes too long, or nobody wants it any more; ctx: the session */
int sql_ends(void *ctx);
/* opens the captures and prepares the query; -1 with err. sql_close() also after that. */
int sql_open(struct sql_session *, struct capture *, struct capture *base, const struct sql_options *,
    struct err *);
void sql_close(struct sql_session *);
/* says what SQLite says about the query; -1 */
int sql_say_error(const struct sql_session *, const char *why, struct err *);
struct column *sql_columns(const struct sql_session *, bool row); /* freed with sql_columns_free() */
void sql_columns_free(struct column *, size_t n);
struct cell sql_cell(sqlite3_stmt *, int column); /* its text is SQLite's, until the next row */

/* events.c: the module of slices, args, counters and Events; rows of a track that need a walk (walk.c) */
int sql_events_open_module(struct sql_session *); /* once for a connection */
int sql_events_open(struct sql *);
void sql_events_close(struct sql *);
/* says name and columns of each of its tables, and of the views on them */
void sql_events_about(void (*say)(void *ctx, const char *name, const char *columns), void *ctx);
uint32_t sql_track_of(const struct sql *, uint64_t id, size_t *i); /* UINT32_MAX: none */
/* the statistics of the kind of an event */
const struct sql_kind *sql_kind_of(struct sql *, uint32_t meta);
const char *sql_role_name(const struct dump *, const struct track *);

/* walk.c: columns that need the events before, made for one track at a time */
enum sql_line { SQL_STEPS = 1, SQL_MODULES = 2, SQL_LINES }; /* ids of the lines of a TPU */
struct sql_walk {
	uint32_t track;          /* UINT32_MAX: of none */
	int64_t *self, *self_ns; /* NULL: not made */
	uint32_t *parent;        /* UINT32_MAX: none */
	uint32_t *depth;         /* number of events around it */
	const struct step **step;
	strid *holder[SQL_LINES]; /* names */
};
void sql_walk_self(struct sql *, struct sql_walk *, uint32_t track);
void sql_walk_self_ns(struct sql *, struct sql_walk *, uint32_t track);
void sql_walk_steps(struct sql *, struct sql_walk *, uint32_t track);
void sql_walk_free(struct sql_walk *);
/* start and duration on the device's clock, where the event has them */
void sql_device_time(const struct sql *, const struct track *, size_t i, int64_t *start, int64_t *dur);
/* likewise on the clock of the markers of steps: paired says that these have the device's, too */
bool sql_steps_paired(const struct sql *, const struct step *first, size_t n);
void sql_step_time(const struct sql *, bool paired, const struct track *, size_t i, int64_t *start,
    int64_t *dur);
/* ps that a collective waited: beyond the shortest of those with its id; -1: not known */
int64_t sql_wait(struct sql *, uint32_t track, size_t i);
void sql_waits_free(struct sql_waits *);
/* name of the event of that line of the plane that holds an event; 0: none */
strid sql_walk_holder(struct sql *, struct sql_walk *, uint32_t track, enum sql_line, size_t i);

/* groups.c: the step that an event of the host belongs to, as XProf says it; NULL: none */
const char *sql_group(struct sql *, uint32_t track, size_t i);
void sql_groups_free(struct sql *);

/* tables.c: 0: made, 1: there is no such table, -1: err */
int sql_make_table(struct sql *, const char *name, struct err *);
/* creates a table and fills it row by row; what cannot be written is counted in `unfilled` */
struct sql_filler;
struct sql_filler *sql_fill(struct sql *, const char *name, const struct column *, size_t n);
void sql_fill_row(struct sql_filler *, const struct cell *);
void sql_fill_end(struct sql_filler *); /* NULL is allowed */

/* graph.c: the tables of HLO modules; likewise */
int sql_make_graph(struct sql *, const char *name);
const struct schema *sql_graph_schema(size_t i, const char **name); /* NULL: there are no more */

/* examples.c */
void sql_say_examples(FILE *);

/* functions.c */
int sql_functions(sqlite3 *);

#endif
