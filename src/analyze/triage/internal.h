/* What the files of triage share.  A text is taken out of what it was packed in (cover.h) and cut into lines, and
 * wrapped ones are put together (unwrap.h, squeeze.h).  Each line loses its prefixes and the head of its log record
 * (records.c), is searched for known phrases (filter.c), and goes to its context: the lines of one process, thread
 * and place in the source.  A context has at most one open occurrence of an error (errors.c).  The blocks of an
 * occurrence are read line by line (buffers.c, usage_report.h), its sentence when it is closed (fields.c).  Closed
 * occurrences are merged in the order of the text (merge.c) and become tables at the end (tables.c, findings.c,
 * and shapes.h for what the listed buffers tell).  An occurrence owns its texts. */
#ifndef ANALYZE_TRIAGE_INTERNAL_H
#define ANALYZE_TRIAGE_INTERNAL_H

#include <string.h>

#include "analyze/cover/cover.h"
#include "analyze/hlo/sizes.h"
#include "analyze/hlo/usage_report.h"
#include "analyze/triage/front.h"
#include "analyze/triage/squeeze.h"
#include "analyze/triage/triage.h"
#include "analyze/triage/unwrap.h"
#include "base/text/slice.h"

#define TRIAGE_AHEAD (2u << 20)    /* bytes after which an occurrence stops waiting for more lines */
#define TRIAGE_LINE_MAX (4u << 20) /* longer lines are read in pieces */
#define TRIAGE_HITS 24

/* Kinds of errors from which more is read than the sentence.  All other kinds have only a row in the
 * table. */
enum triage_special {
	KIND_HBM,
	KIND_ABORT,
	KIND_VMEM,
	KIND_SCOPED,
	KIND_SMEM,
	KIND_SFLAG,
	KIND_MEMORY,
	KIND_SPARSECORE,
	KIND_FRAGMENT,
	KIND_ALLOC,
	KIND_LOAD,
	KIND_MISMATCH,
	KIND_VMEM_LIMIT,
	KIND_CHECK,
	KIND_HOST_OOM,
	KIND_IN_USE,
	KIND_INIT_FAILED,
	KIND_OP,
	KIND_SSH,
	KIND_REMAT,
	KIND_HALTED,
	KIND_HOSTNAME,
	KIND_GPU,
	KIND_GPU_SMEM,
	KIND_HANG,
	KIND_XRT,
	KIND_UNKNOWN_FATAL,
	KIND_UNKNOWN_ERROR,
	KIND_SPECIALS
};

struct triage_kind {
	const char *name, *severity, *space, *title, *advice;
	int special;
}; /* special: -1 for ordinary kinds */

/* Phrases to search for that are not errors themselves: the start of a block, a line to remember for the
 * error after it, the head of a log. */
enum triage_anchor { ANCHOR_BLOCK, ANCHOR_BEFORE, ANCHOR_LOG };

struct triage_phrase {
	struct slice text;
	int kind;
	enum triage_anchor anchor;
	bool weak, general; /* only the code or name of an error; a name that others say better */
};                          /* kind: -1 for an anchor */
struct triage_hit {
	const struct triage_phrase *phrase;
	size_t at;
};
struct triage_filter;

struct triage_filter *triage_filter_new(struct arena *, struct triage_kind **, size_t *nkinds,
    int special[KIND_SPECIALS]);
/* of other phrases, which are not copied */
struct triage_filter *triage_filter_of(const char *const *phrases, size_t n);
size_t triage_filter_find(const struct triage_filter *, struct slice, struct triage_hit hits[TRIAGE_HITS]);
/* Takes blanks and line breaks out, with room for all bytes; returns how many are left. */
size_t triage_squeeze(char *to, struct slice);
/* whether one of the phrases is in such a text: wherever its lines were broken */
bool triage_filter_any_tight(const struct triage_filter *, struct slice);
/* whether one of the phrases lies over the break between both */
enum squeeze_joint triage_filter_across(const struct triage_filter *, struct slice before,
    struct slice after);
void triage_filter_free(struct triage_filter *);

enum triage_number {
	NUM_NEEDED,
	NUM_LIMIT,
	NUM_EXCEEDED,
	NUM_USED,
	NUM_FREE,
	NUM_LARGEST,
	NUM_TOTAL,
	NUM_RESERVED,
	NUM_PROGRAM,
	NUM_ARGUMENTS,
	NUM_OUTPUT,
	NUM_SHARED,
	NUM_COUNT
};
enum triage_text_id {
	TEXT_TIME,
	TEXT_CODE,
	TEXT_SPACE,
	TEXT_DEVICE,
	TEXT_MODULE,
	TEXT_OP,
	TEXT_MESSAGE,
	TEXT_COUNT
};

struct triage_buffer {
	bool arguments, half, closed; /* half: its beginning is cut off; closed: its ===== line was seen */
	int64_t rank, size, unpadded, padding;
	double expansion; /* NaN: not known */
	const char *shape, *op_type, *op_name, *source, *allocation, *tag, *label;
};
struct triage_need {
	const char *name;
	int64_t size, unpadded, padded, fragmentation;
	double utilization, fragmentation_percent;
};

struct triage_finding {
	const char *id, *severity, *title, *evidence, *advice;
	int64_t error;
};

enum triage_section { SECTION_NONE, SECTION_TOTAL, SECTION_REQUIREMENT, SECTION_LIST, SECTION_REPORT };

struct triage_occurrence {
	/* next in the order of the text; for rows, next in the same hash bucket */
	struct triage_occurrence *next;
	int kind; /* -1: a block whose kind is not known yet */
	size_t file;
	uint64_t line, place, count;
	bool closed, dropped, tentative, headless, weak, general, ignored;
	bool special; /* advice of its kind is for what its sentence says, not for all of them */
	int64_t num[NUM_COUNT];
	uint32_t exact; /* bit set of the numbers that were printed in exact bytes, not rounded */
	const char *text[TEXT_COUNT];
	const char *advice; /* of its kind, for what its sentence says; NULL: not closed */
	const char *source; /* of a record that no rule knows: "client.h:88" */
	char *head;
	size_t head_len, message_at; /* message_at: where the message begins in the head */
	int head_lines; /* head: the lines of the sentence; head_lines: how many, -1 when no more are taken */

	enum triage_section section;
	bool arguments, heading, total, unknown_program, requirement;
	const char *block_space;
	char *value;
	size_t value_len, value_sure;
	int key; /* which key `value` belongs to; the value may continue on the next line */
	struct triage_buffer *buffers;
	size_t nbuffers, buffers_cap;
	struct triage_need *needs;
	size_t nneeds, needs_cap;
	struct usage_report report;
	bool truncated;
	/* for rows: the occurrence whose lists are shown, either itself or another one that it owns */
	struct triage_occurrence *lists;
	/* for rows: path of the dump of its module; of a message without a module, names of those it may be */
	const char *dump, *candidates;
	bool no_dump; /* it names a module, and none of the dump's files is of that module */
	struct triage_rows {
		size_t from, to;
	} in_buffers, in_report; /* for rows: where its lists are in the tables */
	struct arena arena;
};

enum triage_format { FORMAT_NONE, FORMAT_GLOG, FORMAT_GLOG0, FORMAT_TF, FORMAT_PYTHON, FORMATS };

/* The log record that a line belongs to. */
struct triage_record {
	uint64_t prefix; /* hash of its process's prefix; 0 = none */
	uint64_t key;    /* hash of its prefix, thread and place in the source */
	enum triage_format format;
	char severity; /* D I W E F; 0: not in a log record */
	char time[40];
	uint64_t used;
};

struct triage_log {
	char *path, *host;
	uint64_t lines, bytes, records, severities[5], formats[FORMATS];
	char first[40], last[40];
	char *build;
	int64_t pid;
	int year, month; /* of the last record; year 0: not known */
};

#define TRIAGE_RECORDS 16
#define TRIAGE_CONTEXTS 32

struct triage_context {
	uint64_t key, used;
	struct triage_occurrence *open;
	uint64_t until; /* offset in the text at which it is closed */
	char *before;
	size_t before_len;
	/* number of the line `before`, which may name the code or op of the error that follows */
	uint64_t before_place;
};

/* Numbers of the lines that were taken out of a cover, and not read yet. */
struct triage_covered {
	uint64_t *line;
	size_t n, cap, next;
};

/* The first record of a severity that no rule knows. */
struct triage_unknown {
	char severity; /* E F; 0: there is none, or a rule knows it */
	size_t file;
	uint64_t line, place, count, key; /* key: of the record */
	char message[400], exception[400], source[120], time[40];
};

struct triage_seen {
	uint64_t hash;
	size_t file;
};

struct triage_work {
	struct triage *t;
	struct triage_filter *filter;
	struct triage_kind *kinds;
	size_t nkinds;
	int special[KIND_SPECIALS];
	struct triage_log *logs;
	size_t nlogs, logs_cap;
	uint64_t line, place, offset, bytes; /* of the file; place: lines as they were put together */
	/* last_key: the context that a line without a prefix may continue; gpu_key: that of the last error of a GPU */
	uint64_t ticks, last_key, gpu_key;
	struct cover *cover;
	struct triage_covered covered;
	struct unwrap unwrap;
	bool piece; /* the beginning of the line was read already */
	char *clean, *repr;
	size_t clean_cap, repr_cap;
	struct triage_record records[TRIAGE_RECORDS], *record; /* record: that of the current line */
	bool headed;                                           /* the current line begins a record */
	bool bare;           /* the current line has neither a prefix nor the head of a record */
	struct slice prefix; /* of the current line: prefixes and heads of records */
	/* gets the lines in place of triage_message(); NULL: a triage */
	void (*other)(struct triage_work *, struct slice);
	struct triage_context contexts[TRIAGE_CONTEXTS];
	size_t nopen;
	uint64_t until;
	struct triage_occurrence *queue, **queue_end; /* closed or open occurrences that are not merged yet */
	struct triage_unknown waiting, unknown;       /* waiting: more of its lines may follow */
	bool traceback;
	struct triage_occurrence **rows;
	size_t nrows, rows_cap;
	struct triage_occurrence **buckets;
	size_t nbuckets;
	struct triage_seen *seen;
	size_t nseen, seen_cap;
	char **dumps;
	size_t ndumps, dumps_cap;
};

/* lines.c */
void triage_line(struct triage_work *, struct slice); /* one physical line, without its line break */

static inline bool triage_digits(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return true;
}

/* 0 in `shape` stands for a digit */
static inline bool triage_shape_is(struct slice s, size_t at, const char *shape)
{
	size_t n = strlen(shape);

	if (at > s.n || s.n - at < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (shape[i] == '0' ? !triage_digits(s.s + at + i, 1) : shape[i] != s.s[at + i])
			return false;
	return true;
}

/* records.c */
/* Removes prefixes and the heads of records; sets w->record. */
struct slice triage_record_take(struct triage_work *, struct slice);
/* The head of a record of glog, even if it is cut: "I1121 07:59:39.9" */
#define TRIAGE_DATE 32 /* bytes that tell most records apart: with the thread */
bool triage_is_dated(struct slice);
bool triage_is_headed(struct slice); /* a line that begins as a record of any format does */
/* A record begins there, behind the prefixes. */
bool triage_has_record(struct slice, const struct triage_front *);
/* Counts more lines of the current record that have its head. */
void triage_record_count(struct triage_work *, size_t more);
/* Bytes of prefixes and the head of a record at the beginning of a line; prefixed: not only of a record. */
size_t triage_head_length(struct slice, const struct triage_front *, bool *prefixed);
/* Whether the first n bytes are one head: digits of the date of a prefix may differ, and what all lines have in front
 * need not be as long. */
bool triage_same_head(const struct triage_front *, struct slice, struct slice, size_t n);
/* takes the host, build label, process ID and year */
void triage_record_facts(struct triage_work *, struct slice);
void triage_log_begin(struct triage_work *, const char *path);
void triage_log_free(struct triage_log *);

/* errors.c */
void triage_message(struct triage_work *, struct slice, const struct triage_hit *, size_t nhits);
void triage_close_all(struct triage_work *);
/* Whether the phrase at `at` of the line, one of its hits, means an error of that kind. */
bool triage_is_error(const struct triage_work *, int kind, struct slice line, const struct triage_hit *,
    size_t nhits, size_t at);
void triage_occurrence_free(struct triage_occurrence *);
/* an out-of-memory error, which may have blocks of buffers */
bool triage_is_oom(const struct triage_work *, int kind);

/* advice.c: paragraphs separated by " | ".  Those that begin with {phrase, phrase} are kept, without it, if the
 * sentence has one of the phrases, {a & b & !c} if it has a and b, and not c; they come first.  "[phrase|other]" is
 * replaced by what follows the phrase in the sentence, or by the other text. */
const char *triage_advice(struct arena *, const char *advice, struct slice sentence);
bool triage_advice_is_special(const char *advice, struct slice sentence); /* one such paragraph is kept */

/* fields.c */
void triage_fields(struct triage_work *, struct triage_occurrence *); /* reads the sentence */
void triage_code(struct triage_occurrence *, struct slice);
/* keeps the first text that was set */
void triage_set(struct triage_occurrence *, enum triage_text_id, struct slice);

/* buffers.c, usage_report.h: true when the line is part of a block */
bool triage_is_block(struct slice);
bool triage_block_line(struct triage_work *, struct triage_occurrence *, struct slice);
void triage_blocks_end(struct triage_occurrence *);

/* gpu.c: statistics of programs and of the allocator, and its map, below the sentence about a GPU */
bool triage_is_gpu_line(struct slice);
bool triage_gpu_line(struct triage_occurrence *, struct slice);

/* merge.c */
void triage_merge_queue(struct triage_work *);
void triage_merge_file_end(struct triage_work *);
void triage_merge_end(struct triage_work *);

/* unknown.c: errors in a log that no rule knows; the first of the highest severity becomes a row, unless a rule knows
 * one that is as bad. */
void triage_unknown_line(struct triage_work *, struct slice, bool known);
void triage_unknown_decide(struct triage_work *);
void triage_unknown_end(struct triage_work *);

/* join.c: the dump of the program of each error */
void triage_join_dumps(struct triage_work *);

/* tables.c, findings.c */
void triage_tables_init(struct triage *);
void triage_tables_fill(struct triage_work *);
void triage_add_buffer(struct triage *, size_t error, const struct triage_buffer *);
void triage_sum_buffers(struct triage *, size_t from); /* those of one error, which begin at row `from` */
void triage_add_finding(struct triage *, const struct triage_finding *);
void triage_findings(struct triage_work *);

#endif
