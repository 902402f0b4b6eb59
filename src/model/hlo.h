/* The HLO modules of a run: from *.hlo_proto.pb and *.hlo.pb files, from XLA dump folders, from inside
 * XSpaces (plane /host:metadata, stat "Hlo Proto"), and from what old memory viewers left.  The loaders list
 * each module once, with what a quick look at the bytes shows (name, ID, size, whether there is a buffer
 * assignment).  The message is unpacked when a module is first asked for, without literals, payloads and
 * backend configs over 64 KiB, which nothing here needs and which make up most of large files.  Intact parts
 * of a damaged message are kept, and `damage` says what is wrong.  Modules and messages belong to the dump.
 * Any thread: unpacking takes a lock. */
#ifndef MODEL_HLO_H
#define MODEL_HLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text/slice.h"
#include "hlo.pb-c.h"
#include "memory_viewer.pb-c.h"

struct dump;
struct stat_value;

/* The statistic of an XSpace that contains an HloProto; in a digest it is packed (base/codec/gzip.h). */
#define HLO_STAT "Hlo Proto"
#define HLO_UNPACKED_MAX ((size_t)1 << 30)

/* TEXT: only what the compiler wrote as text, about its buffers, or the program itself; there is no message. */
enum hlo_origin { HLO_FILE, HLO_XSPACE, HLO_JSON, HLO_TEXT };
enum { HLO_TEXTS = 3 };

struct hlo_module {
	const char *name; /* name in the module, "jit_train_step"; in the dump's arena */
	/* Program ID: from the XSpace's metadata, the "(id)" of the file name, or the module itself; 0 = not
	 * known. */
	uint64_t program;
	enum hlo_origin origin;
	int file;
	uint32_t meta;             /* XSPACE: the kind of event that has it */
	uint64_t len;              /* length of the message */
	bool bare;                 /* it is an HloModuleProto, not an HloProto */
	bool has_buffers;          /* it has a buffer assignment */
	const char *device;        /* target device of the compiler, "TPU v5 lite"; static; NULL = unknown */
	bool oom;                  /* according to the file name, compiling it failed for lack of memory */
	const Pb__HloProto *proto; /* NULL = not unpacked yet */
	/* JSON: the result that a profiler made from the buffers; there is no message */
	const Pb__PreprocessResult *result;
	struct {
		const char *s;
		size_t n;
	} text[HLO_TEXTS]; /* TEXT; in the files or the dump's arena */
	size_t ntexts;
	struct slice code; /* TEXT: the program as HLO text, in the file; n 0: there is none */
	bool damaged;
	const char *damage; /* in the arena; known after unpacking */
	/* The largest amount of VMEM that one instruction takes for itself while it runs, set by
	 * hlo_module_scoped(); -1 = not stated, or not read yet. */
	int64_t scoped;
	bool scoped_read;
	struct arena arena; /* of the message */
};

struct hlo_glance {
	const char *name;
	size_t name_len;
	uint64_t id;
	bool bare, has_buffers;
	bool cut; /* it ends inside a field */
};

/* false: not an HLO proto.  If it is cut, the struct has what comes before the cut. */
bool hlo_look(const uint8_t *, size_t, struct hlo_glance *);
bool hlo_is_stat(const struct stat_value *);
/* program 0: not known */
struct hlo_module *hlo_module_add(struct dump *, const char *name, size_t len, int file, uint64_t program);
void hlo_modules_drop(struct dump *, const bool *drop); /* by index; nothing of them was read yet */
void hlo_modules_free(struct dump *);
const char *hlo_modules_why(
    const struct dump *); /* why the kind of capture has none, and what to do; NULL: it may */
const char *hlo_modules_missing(
    const struct dump *); /* in one line: which file would have what is not here */
/* NULL with err: not readable */
const Pb__HloProto *hlo_module_proto(const struct dump *, size_t module, struct err *);
/* Same, but into the caller's arena; nothing is kept.  `damaged` is as for pb_read_lean(). */
const Pb__HloProto *hlo_module_read(const struct dump *, size_t module, struct arena *, struct err *damaged,
    struct err *);
/* The bytes that a module is read from: a message, or HLO text, which has code.n.  -1 with err: there are none. */
struct hlo_bytes {
	const uint8_t *p;
	size_t n;
	uint8_t *own; /* for the caller to free; NULL: they belong to the dump */
};
int hlo_module_bytes(const struct dump *, size_t module, struct hlo_bytes *, struct err *);
/* Sets `scoped`, once.  It is in backend configs, including those too long to be kept. */
void hlo_module_scoped(const struct dump *, size_t module);
/* Same for the bytes of a message: the largest used_scoped_memory_configs[].size with memory_space 1 */
int64_t hlo_scoped(const uint8_t *, size_t);
/* Finds a module by "name", "name(id)", ID, or title.  Of several with one name, takes one whose buffers are known,
 * else one that failed to compile, else the first.  -1 = none. */
int hlo_module_find(const struct dump *, const char *text);
enum { HLO_TITLE = 200 }; /* bytes for one; longer names are cut */
/* Its name; of several with one name "name(id)", or where that is not enough "name of module_0007", what its file
 * is called, or "name #2".  Returns buf. */
char *hlo_module_title(const struct dump *, size_t module, char *buf, size_t size);
/* name NULL = any; -1 = none */
int hlo_module_by_program(const struct dump *, uint64_t program, const char *name, size_t len);

/* Names of the files that the compiler writes for one program with --xla_dump_to:
 * module_0007.jit_f.cl_1.after_optimizations.hlo.pb, and beside it other passes and texts.  The stem is
 * what comes before the pass, including the folder; files with the same stem belong to one program. */
size_t hlo_stem(const char *path); /* its length; 0: not such a file */
bool hlo_same_stem(const char *, const char *);
bool hlo_is_intermediate(const char *path); /* left only when compiling ran out of memory */
/* "module_0007.jit_f.cl_1.…" → "jit_f", not terminated; without a stem, the whole name */
const char *hlo_name_in(const char *path, size_t *n);

#endif
