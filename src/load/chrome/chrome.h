/* Internals of the loader of Chrome trace JSON.  json.c walks the file and cuts it into records, record.c
 * parses a record (the hot part), events.c handles each phase, counters.c handles phase C, torch.c what PyTorch
 * says in its own way, pairs.c joins begins and ends once all are there, stats.c decodes args on demand.  Text members
 * of a record point into the piece in memory and are valid until the next record. */
#ifndef LOAD_CHROME_CHROME_H
#define LOAD_CHROME_CHROME_H

#include "load/build/builder.h"
#include "load/build/context.h"
#include "load/build/json_scan.h"

#define CHROME_EPOCH_US INT64_C(1000000000000)         /* ts from here on count from 1970 */
#define CHROME_EPOCH_LAST_US INT64_C(9000000000000000) /* later than the year 2200: not a time */
#define CHROME_SPAN_US INT64_C(4500000000000)          /* the longest trace: 52 days, so that ps fit */

enum chrome_has {
	HAS_PH = 1 << 0,
	HAS_TS = 1 << 1,
	HAS_DUR = 1 << 2,
	HAS_PID = 1 << 3,
	HAS_TID = 1 << 4,
	HAS_NAME = 1 << 5,
	HAS_ARGS = 1 << 6,
	HAS_CAT = 1 << 7,
	HAS_ID = 1 << 8,
	HAS_ID2 = 1 << 9,
	HAS_SCOPE = 1 << 10,
	HAS_BIND_ID = 1 << 11,
	HAS_FLOW_IN = 1 << 12,
	HAS_FLOW_OUT = 1 << 13,
	HAS_BP = 1 << 14,
	HAS_SF = 1 << 15,
	HAS_ENTRIES = 1 << 16,
	HAS_EVENT_STATS = 1 << 17,
	HAS_PID_TEXT = 1 << 18,
	HAS_TID_TEXT = 1 << 19,
	HAS_OTHER = 1 << 20,
	HAS_BAD_DUR = 1 << 21 /* a dur that is no number */
};

struct chrome_record {
	unsigned has; /* members without their bit are not set */
	char ph;
	struct scan_time ts, dur;
	int64_t pid, tid;
	struct slice name;                                       /* without the quotes */
	struct slice args, cat, id, id2, scope, bind_id, bp, sf; /* values */
	struct slice entries, event_stats, pid_text, tid_text;
	uint64_t at; /* its first byte in the content */
};

enum chrome_read { RECORD_OK, RECORD_CUT, RECORD_BAD };

/* *p is at the opening brace; afterward it is after the closing one, or where reading failed. */
enum chrome_read chrome_record(const char **p, const char *end, struct chrome_record *);

enum chrome_half { ASYNC_BEGIN, ASYNC_INSTANT, ASYNC_END };

struct chrome_async {
	uint64_t key, at;
	int64_t ts;
	uint32_t meta, proc, seq;
	uint8_t half;
	bool named;
};

/* torch.c: traces of PyTorch (Kineto), by the category of an event */
enum torch_kind { TORCH_NOTHING, TORCH_LAUNCH, TORCH_GPU };

struct chrome {
	struct build b;
	int64_t base_us;  /* subtracted from every ts */
	bool based;       /* base_us is chosen */
	bool restart;     /* base_us was a bad choice: read again from the start */
	uint64_t records; /* with a phase */

	struct chrome_frame {
		uint32_t meta;
		int64_t key;
	} * frames_wanted;
	size_t nframes_wanted, frames_wanted_cap;
	struct idmap frames; /* id of a stack frame → strid */
	char cat_text[64];   /* the last category, as in the file */
	size_t cat_n;
	strid cat;
	enum torch_kind torch; /* what it says of events of PyTorch */

	struct chrome_async *async;
	size_t nasync, async_cap;
	int64_t end; /* of the trace, for events without an end */
	bool ended;  /* end is known */

	/* counts for the Files view */
	uint64_t ignored[256], empty, no_phase, no_time, bad_duration, out_of_range, strange, flow_records,
	    bad_values;
	uint64_t unclosed, unopened, misnamed;
};

void chrome_event(struct chrome *, struct chrome_record *);
int64_t chrome_ps_slow(struct chrome *, const struct scan_time *);
strid chrome_string(struct chrome *, struct slice value); /* unescaped, interned */
int64_t chrome_key(struct slice id);                      /* key of an id in any notation */
uint32_t chrome_meta(struct chrome *, const struct chrome_record *);
void chrome_counter(struct chrome *, const struct chrome_record *, uint32_t proc);
void chrome_pairs(struct chrome *);
enum torch_kind chrome_torch_kind(struct slice category);
/* An event of the last category: what a GPU runs belongs to its section and is tied to its launch by the number
 * that both name, correlation. */
void chrome_torch(struct chrome *, const struct chrome_record *, uint32_t track, int64_t ts);
/* "[memory]", an instant with the size of all that is allocated; false: it is another instant */
bool chrome_torch_memory(struct chrome *, const struct chrome_record *);
void chrome_frames(struct chrome *); /* sets long names from stack frames */

/* Kept with the file (file.private). */
struct chrome_file {
	struct idmap frames, labels; /* labels: plane → strid */
};
void chrome_file_free(void *);
extern const struct stat_reader chrome_stats;

/* ps since base_us */
static inline int64_t chrome_ps(struct chrome *c, const struct scan_time *t)
{
	const uint64_t span = CHROME_SPAN_US, us = (uint64_t)t->us - (uint64_t)c->base_us;

	if (__builtin_expect(us + span > 2 * span || t->range || !c->based, 0))
		return chrome_ps_slow(c, t);
	return (int64_t)us * 1000000 + t->ps;
}

#endif
