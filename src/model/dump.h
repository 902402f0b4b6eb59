/* A dump is everything found for one opened run: its files, hosts, problems and the trace.  Ownership in one
 * sentence: everything reachable from a `struct dump` lives until dump_close(); callers free nothing and keep
 * nothing longer.  The dump is built by the loaders in one thread (with workers that write only their own
 * parts) and read-only after analyze/trace/prepare.h; later additions (derived tracks) are made by the owning
 * thread alone. */
#ifndef MODEL_DUMP_H
#define MODEL_DUMP_H

#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text/strtab.h"
#include "model/problem.h"
#include "model/stat.h"
#include "model/trace.h"

/* XSPACE to the last result of a tool are opened; the others are named, no more. */
enum file_kind {
	FILE_UNKNOWN,
	FILE_XSPACE,
	FILE_CHROME_JSON,
	FILE_OLD_TRACE,
	FILE_TRACE_TABLE,
	FILE_OP_PROFILE,
	FILE_FRAMEWORK_OPS,
	FILE_OVERVIEW,
	FILE_INPUT_PIPELINE,
	FILE_MEMORY_VIEWER,
	FILE_POD_VIEWER,
	FILE_PPROF,
	FILE_EMPTY,
	FILE_RIEGELI,
	FILE_HLO_PROTO,
	FILE_XLA_DUMP,
	FILE_TFEVENTS,
	FILE_JSON,
	FILE_TEXT,
	FILE_PERFETTO,
	FILE_KIND_COUNT
};

struct source;

struct file {
	char *path;
	const char *base; /* last part of path */
	enum file_kind kind;
	const char *packing; /* "gzip", "zstd"; NULL: as it is */
	bool partial;        /* damaged, cut off, or cancelled */
	uint64_t bytes;      /* on disk; unpacked size is the source's business */
	int host;            /* index into hosts, -1 */
	uint64_t events;
	uint32_t digest;       /* its version (model/digest.h), 0: no digest */
	const char *digest_of; /* name of the capture it was made of, NULL: not known */
	const struct stat_reader *stats;
	struct source *source; /* load/source/source.h; closed by close_source */
	void (*close_source)(struct source *);
	/* the whole, unpacked, until the source is closed; what could be read of a damaged one.  NULL: not
	 * of this kind */
	const uint8_t *(*content)(struct source *, size_t *, struct err *);
	void *private; /* the loader's own, freed by free_private */
	void (*free_private)(void *);
};

struct host {
	strid name;
};

struct run {
	char *name, *dir;
};

struct dump {
	struct arena arena;
	struct strtab str;
	struct problems problems;
	/* all runs of the logdir, newest first; which one is open.  nruns 0: single files */
	struct run *runs;
	size_t nruns, run;
	struct file *files;
	size_t nfiles, files_cap;
	struct host *hosts;
	size_t nhosts, hosts_cap;
	struct trace trace;
	struct hlo_module *modules;
	size_t nmodules, modules_cap;  /* model/hlo.h */
	pthread_mutex_t *modules_lock; /* while one is unpacked */
	/* model/toolfile.h: results that a profiler left, in order of files */
	struct toolfile *tools;
	size_t ntools, tools_cap;
	int64_t origin_ns;     /* subtracted from the times of the files; 0 for relative times */
	int64_t start_unix_ns; /* profile_start_time of the Task Environment, 0 = not known */
	/* FLOP/s and B/s of a core that the user stated: they replace what the planes say; 0 = none */
	double peak_flops, peak_hbm;
	const char *device; /* "v5e": the kind of chip, as the user states it; NULL */
	bool cancelled, simulated;
};

struct dump *dump_new(void);
void dump_close(struct dump *); /* NULL allowed */
int dump_add_file(struct dump *, const struct file *);
int dump_host(struct dump *, const char *name, size_t len);        /* finds or adds */
void dump_host_names(const struct dump *, char *buf, size_t size); /* "A, B, …", as many as fit */
size_t dump_captures(const struct dump *); /* files but for the HLO modules beside others */
int dump_status(const struct dump *);      /* EXIT_OK, EXIT_DAMAGED or EXIT_NOTHING */
/* "xspace", "chrome_trace", … as in `report info` JSON */
const char *file_kind_name(enum file_kind);
const char *file_kind_label(enum file_kind);    /* for people: "XSpace", "Chrome trace JSON" */
const char *file_kind_of(const struct file *);  /* the name, or "digest" */
const char *file_label_of(const struct file *); /* the label, or that of a digest */
bool file_kind_opens(enum file_kind);
bool file_kind_is_tool(enum file_kind); /* results that a profiler left */

/* is the host of that index (-1: none) called so? */
bool dump_host_is(const struct dump *, int host, const char *name);

static inline struct slice dump_text(const struct dump *d, strid id)
{
	return strtab_text(&d->str, id);
}

#endif
