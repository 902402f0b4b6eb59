/* A dump is everything found for one opened run: its files, hosts, problems and the trace.  Everything
 * reachable from a `struct dump` lives until dump_close(); callers free nothing and keep nothing longer.  The
 * dump is built by the loaders in one thread (with workers that write only their own parts) and does not change
 * after analyze/trace/prepare.h, problems and files that change on disk apart: what is derived later is in copies of
 * the struct (analyze/trace/overlay.h). */
#ifndef MODEL_DUMP_H
#define MODEL_DUMP_H

#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text/strtab.h"
#include "model/problem.h"
#include "model/stat.h"
#include "model/trace.h"

/* As file_kinds.def lists them. */
enum file_kind {
#define FILE_KIND(id, name, label, family, lacks) FILE_##id,
#include "model/file_kinds.def"
	FILE_KIND_COUNT
};

enum file_family {
	FILES_LISTED,    /* not opened, only listed */
	FILES_CAPTURE,   /* as the profiler wrote it */
	FILES_CONVERTED, /* traces that tools made for people to look at: file_is_converted() */
	FILES_TOOL,      /* results that a profiler left: model/toolfile.h */
	FILES_PROGRAM,   /* what the compiler wrote about a program: it has no host */
	FILES_GRAPH,     /* TensorFlow graphs */
	FILES_PTXLA,     /* what PyTorch/XLA prints about itself */
	FILES_LLO,       /* schedules of kernels, which the compiler wrote: model/llo.h */
	FILES_PACKED     /* its members follow as files of their own, in its memory */
};

struct file_kind_info {
	const char *name, *label, *lacks;
	enum file_family family;
};
extern const struct file_kind_info file_kind_info[FILE_KIND_COUNT];

/* By its name, which is without folders and suffixes for compression; *stem: the bytes before the suffix of that
 * kind.  FILE_UNKNOWN: the name says nothing. */
enum file_kind file_kind_named(struct slice name, size_t *stem);

static inline const char *file_kind_name(enum file_kind k)
{
	return file_kind_info[k].name;
}

static inline const char *file_kind_label(enum file_kind k)
{
	return file_kind_info[k].label;
}

static inline bool file_kind_opens(enum file_kind k)
{
	return file_kind_info[k].family != FILES_LISTED;
}

static inline bool file_kind_is_graph(enum file_kind k)
{
	return file_kind_info[k].family == FILES_GRAPH;
}

static inline bool file_kind_is_ptxla(enum file_kind k)
{
	return file_kind_info[k].family == FILES_PTXLA;
}

struct source;
struct tf_graph;

struct file {
	char *path;
	const char *base; /* last component of path */
	enum file_kind kind;
	const char *packing; /* "gzip", "zstd"; NULL: not packed */
	bool partial;        /* damaged, cut off, or canceled while reading */
	uint64_t bytes;      /* size on disk; the source knows the unpacked size */
	int host;            /* index in hosts, or -1 */
	/* the name of its host in dump.hosts, as one of several processes of a host; NULL: what the file says */
	const char *process;
	uint64_t events;
	uint32_t digest;       /* version of the digest (model/digest.h); 0: not a digest */
	const char *digest_of; /* name of the capture that it was made from; NULL: not known */
	const struct stat_reader *stats;
	struct source *source; /* load/source/source.h; closed with close_source */
	void (*close_source)(struct source *);
	/* Returns the whole unpacked file, valid until the source is closed; for a damaged file, what could
	 * be read.  NULL: this kind of file does not have it. */
	const uint8_t *(*content)(struct source *, size_t *, struct err *);
	/* a hint: these bytes of it, which was read once, need not stay in memory */
	void (*forget)(struct source *, uint64_t from, uint64_t to);
	void *private; /* private data of the loader, freed with free_private */
	void (*free_private)(void *);
};

struct host {
	strid name;
	strid machine; /* of one of several processes of a host: the name of that host; else its own */
	strid label;   /* on the screen: "rank 0 · MACHINE", or its name */
	int rank;      /* of such a process, by the name of its file; -1: it has none */
};

struct run {
	char *name, *dir;
	int64_t began; /* seconds since 1970, as its name says, or else when it was written; 0: not known */
	bool other_hosts; /* it seems to hold other hosts of the job of the run that is open */
};

struct dump {
	struct arena arena;
	struct strtab str;
	struct problems *problems; /* what is noted later, too, such as files that changed */
	uint64_t refusals;         /* mem_refusals() that are among the problems, or came before */
	/* All runs of the logdir, newest first; `run` is the one that is open.  nruns 0: single files were
	 * given. */
	struct run *runs;
	size_t nruns, run;
	/* The folder that was opened, or that of the run, and the names of its captures then; also of those that were
	 * left out as copies.  dir NULL: files were given, or one host was asked for. */
	struct folder {
		const char *dir, **names;
		size_t n;
	} folder;
	struct file *files;
	size_t nfiles, files_cap;
	struct host *hosts;
	size_t nhosts, hosts_cap;
	struct trace trace;
	struct hlo_module *modules;
	size_t nmodules, modules_cap; /* model/hlo.h */
	/* the first module of each program, and of each program and name: hlo_module_by_program() */
	struct module_index {
		struct strtab of;
		uint32_t *first;
		size_t cap;
	} modules_by_program, modules_by_name;
	pthread_mutex_t *modules_lock; /* held while a module is unpacked */
	/* model/toolfile.h: results that a profiler left, in the order of files */
	struct toolfile *tools;
	size_t ntools, tools_cap;
	/* model/tf/graph.h: TensorFlow graphs, in the order of files */
	struct tf_graph *graphs;
	size_t ngraphs, graphs_cap;
	int64_t origin_ns;     /* subtracted from the times of the files; 0 for relative times */
	int64_t start_unix_ns; /* profile_start_time of the Task Environment; 0 = not known */
	/* FLOP/s and B/s of a core as stated by the user, which override those of the planes; 0 = not
	 * stated */
	double peak_flops, peak_hbm;
	const char *device;     /* kind of chip as stated by the user, such as "v5e"; NULL: not stated */
	size_t llo_passed_over; /* files of LLO dumps whose passes are not read */
	bool canceled, simulated;
};

struct dump *dump_new(void);
void dump_close(struct dump *); /* NULL is allowed */
int dump_add_file(struct dump *, const struct file *);
int dump_host(struct dump *, const char *name, size_t len);        /* finds or adds a host */
size_t dump_machines(const struct dump *);                         /* hosts, of which some are processes */
size_t dump_more_runs(const struct dump *);                        /* runs with other_hosts */
void dump_host_names(const struct dump *, char *buf, size_t size); /* "A, B, …", as many as fit */
/* number of files without the HLO modules that lie beside others */
size_t dump_captures(const struct dump *);
int dump_status(const struct dump *); /* EXIT_OK, EXIT_DAMAGED or EXIT_NOTHING */
/* name of its kind, "xspace" and so on, or "digest" */
const char *file_kind_of(const struct file *);
const char *file_label_of(const struct file *); /* label of its kind, or that of a digest */
bool file_is_log(const struct file *);          /* a text that logs may be in: those of PyTorch/XLA are */
/* A trace that a tool made of a capture for people to look at: its kinds of events have no stats of their own,
 * those of its events are texts and far away (compressed), ops bear no ids and little of their cost. */
bool file_is_converted(const struct file *);
/* A pass over these bytes, or over events of a plane and their stats, is over.  Of a large capture, what was looked at
 * need not stay in memory, where the kernel maps far more than that.  Any thread, also while others look at it. */
void file_let_go(const struct file *, uint64_t from, uint64_t to);
void dump_let_go(const struct dump *, uint32_t plane);
bool dump_has_converted(const struct dump *);

/* Does the host with that index have that name, or is it a process of a host that has?  False for -1. */
bool dump_host_is(const struct dump *, int host, const char *name);

static inline struct slice dump_text(const struct dump *d, strid id)
{
	return strtab_text(&d->str, id);
}

/* The host's name without the machine if all hosts are processes of one machine: "rank 0", "process 1". */
struct slice dump_host_short(const struct dump *, int host);

/* How people read the name of a host; "" for -1. */
static inline struct slice dump_host_label(const struct dump *d, int host)
{
	return host < 0 ? (struct slice){ "", 0 } : dump_text(d, d->hosts[host].label);
}

#endif
