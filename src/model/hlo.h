/* The HLO modules of a run: from *.hlo_proto.pb and *.hlo.pb files, from XLA dump folders, from inside
 * XSpaces (plane /host:metadata, stat "Hlo Proto"), and from what old memory viewers left.  The loaders
 * list them by what a glance at the bytes tells (name, id, whether there is a buffer assignment, size),
 * each module once; the message is unpacked when a module is first asked for, without literals, payloads
 * and backend configs over 64 KiB, which nothing here needs and which make up most of large files.  What
 * damage leaves of a message is kept: `damage` says what is wrong.  Modules and messages belong to the
 * dump.  Any thread: unpacking locks. */
#ifndef MODEL_HLO_H
#define MODEL_HLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "hlo.pb-c.h"
#include "memory_viewer.pb-c.h"

struct dump;
struct stat_value;

/* The statistic of an XSpace that holds an HloProto; in a digest it is packed (base/codec/gzip.h). */
#define HLO_STAT "Hlo Proto"
#define HLO_UNPACKED_MAX ((size_t)1 << 30)

/* TEXT: the compiler's texts about its buffers; there is no message */
enum hlo_origin { HLO_FILE, HLO_XSPACE, HLO_JSON, HLO_TEXT };
enum { HLO_TEXTS = 3 };

struct hlo_module {
	const char *name; /* as the module says, "jit_train_step"; of the dump's arena */
	/* program id: of the XSpace's metadata, "(id)" of the file name, or the module's own; 0 = not
	 * known */
	uint64_t program;
	enum hlo_origin origin;
	int file;
	uint32_t meta;             /* XSPACE: the kind of event that has it */
	uint64_t len;              /* bytes of the message */
	bool bare;                 /* an HloModuleProto, not an HloProto */
	bool has_buffers;          /* a buffer assignment is there */
	const char *device;        /* "TPU v5 lite": what the compiler was told; static, NULL = not known */
	bool oom;                  /* the file name says that compiling it failed for want of memory */
	const Pb__HloProto *proto; /* NULL = not unpacked yet */
	/* JSON: what a profiler made of the buffers, instead of a message */
	const Pb__PreprocessResult *result;
	struct {
		const char *s;
		size_t n;
	} text[HLO_TEXTS]; /* TEXT; of the files or the dump's arena */
	size_t ntexts;
	bool damaged;
	const char *damage; /* of the arena; known after unpacking */
	/* VMEM that an instruction takes for itself while it runs, the most of any: hlo_module_scoped();
	 * -1 = not said, or not looked for */
	int64_t scoped;
	bool scoped_read;
	struct arena arena; /* of the message */
};

struct hlo_glance {
	const char *name;
	size_t name_len;
	uint64_t id;
	bool bare, has_buffers;
	bool cut; /* it ends inside of a field */
};

/* false: no HLO proto; a cut one has what stands before the cut */
bool hlo_look(const uint8_t *, size_t, struct hlo_glance *);
bool hlo_is_stat(const struct stat_value *);
struct hlo_module *hlo_module_add(struct dump *, const char *name, size_t len, int file);
void hlo_modules_free(struct dump *);
/* NULL with err: cannot be read */
const Pb__HloProto *hlo_module_proto(const struct dump *, size_t module, struct err *);
/* The same, into the caller's arena; nothing is kept.  `damaged` as of pb_read_lean(). */
const Pb__HloProto *hlo_module_read(const struct dump *, size_t module, struct arena *, struct err *damaged,
    struct err *);
/* Looks for `scoped`, once: backend configs say it, also those too long to be kept. */
void hlo_module_scoped(const struct dump *, size_t module);
/* The same of the bytes of a message: the largest used_scoped_memory_configs[].size with memory_space 1 */
int64_t hlo_scoped(const uint8_t *, size_t);
/* "name", "name(id)" or the id.  Of several with one name: one whose buffers are known, one that failed, the
 * first.  -1 = none of that name */
int hlo_module_find(const struct dump *, const char *text);
int hlo_module_by_program(const struct dump *, uint64_t program, const char *name,
    size_t len); /* name NULL = any; -1 */

/* Names of the files that the compiler writes for one program with --xla_dump_to:
 * module_0007.jit_f.cl_1.after_optimizations.hlo.pb, and beside it other passes and texts.  What stands before the
 * pass, with the folder, is the stem: files with the same stem are of one program. */
size_t hlo_stem(const char *path); /* its length; 0: not such a file */
bool hlo_same_stem(const char *, const char *);
bool hlo_is_intermediate(const char *path); /* left only when compiling ran out of memory */
/* "module_0007.jit_f.cl_1.…" → "jit_f", not ended by a NUL; without a stem the whole name */
const char *hlo_name_in(const char *path, size_t *n);

#endif
