/* An HLO module as a graph: computations, their instructions, and what connects these.  It is made from the
 * bytes of a message (model/hlo.h) or from HLO text, and points into them: they must outlive it, and so does
 * `copy`, which the graph owns, where the bytes are nobody else's.  Names, opcodes and links are read at
 * once; everything else of an instruction (attributes, metadata, its shape) stays in the bytes until
 * hlo_detail() or a printer asks for it, so that an instruction takes some 60 bytes.
 *
 * Instructions are numbered from 0, those of a computation side by side in the order of the program: that of
 * the schedule where there is one.  Links that lead nowhere are HLO_NONE, and counted; instructions that depend
 * on themselves are kept, so whoever follows links must be able to end.  Whatever cannot be read is left out,
 * and `damage` says what; the rest is there.  The owner frees (hlo_graph_free).  Any thread; read-only once made. */
#ifndef MODEL_GRAPH_GRAPH_H
#define MODEL_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text/slice.h"
#include "base/text/strtab.h"
#include "model/dump.h"

#define HLO_NONE UINT32_MAX
enum { HLO_MOST = 1 << 22 }; /* instructions; the rest is left out */

struct hlo_instr {
	strid name, opcode;   /* in graph.names */
	uint32_t computation; /* its index */
	uint32_t shape_len;
	const char *shape; /* text: as written; message: the bytes of a ShapeProto.  NULL: it has none */
	/* text: from the parenthesis of the operands to the end; message: the bytes of the instruction */
	const char *at;
	uint32_t len;
	uint32_t args; /* text: length of the operands with both parentheses */
};

struct hlo_computation {
	strid name;
	uint32_t first, n; /* its instructions */
	uint32_t root;     /* HLO_NONE: not known */
	bool fusion;       /* a fusion runs it */
	bool embedded;     /* called for single elements, by reduce, sort and the like */
	struct slice thread;
};

/* The links of i are v[at[i]] … v[at[i + 1] - 1]. */
struct hlo_links {
	uint32_t *at, *v;
};

struct hlo_frame_line {
	uint32_t file; /* in graph.files; HLO_NONE: not known */
	int line;
};

struct hlo_id {
	uint64_t id;
	uint32_t i;
};

struct hlo_graph {
	const char *name;
	uint64_t id;
	bool text;           /* made from text */
	bool scheduled;      /* its instructions are in the order in which they run: it is compiled */
	struct strtab names; /* of instructions and opcodes */
	uint32_t *named;     /* by strid: the first instruction of that name, HLO_NONE */
	struct hlo_instr *v;
	uint32_t n, cap;
	struct hlo_computation *computation;
	uint32_t ncomputations, computations_cap;
	uint32_t entry; /* a computation; HLO_NONE: there is none */
	struct hlo_links operands, users, controls, control_users; /* of instructions: instructions */
	struct hlo_links calls;                                    /* of instructions: computations */
	struct hlo_links callers;                                  /* of computations: instructions */
	struct slice *files;
	uint32_t nfiles, files_cap;
	struct hlo_frame_line *locations, *frames; /* frames: by stack_frame_id - 1 */
	uint32_t nlocations, locations_cap, nframes, frames_cap;
	struct hlo_id *ids;      /* message: of its instructions, sorted; NULL: text */
	struct slice assignment; /* message: the bytes of its buffer assignment; n 0: there is none */
	struct slice header;     /* text: the line of the module */
	struct slice module;     /* message: the bytes of the module */
	uint32_t dangling;       /* links that lead nowhere */
	uint32_t unread;         /* lines of text, or pieces of a message, that are not HLO */
	bool cut;                /* it ends early */
	char damage[200];        /* "": none */
	uint8_t *copy;
};

/* NULL with err: there is nothing to read. */
struct hlo_graph *hlo_graph_of(const struct dump *, size_t module, struct err *);
struct hlo_graph *hlo_graph_of_text(const char *, size_t);
/* bare: an HloModuleProto, not an HloProto */
struct hlo_graph *hlo_graph_of_message(const uint8_t *, size_t, bool bare);
void hlo_graph_free(struct hlo_graph *); /* NULL is allowed */

static inline struct slice hlo_name(const struct hlo_graph *g, uint32_t i)
{
	return strtab_text(&g->names, g->v[i].name);
}
static inline struct slice hlo_opcode(const struct hlo_graph *g, uint32_t i)
{
	return strtab_text(&g->names, g->v[i].opcode);
}
static inline struct slice hlo_computation_name(const struct hlo_graph *g, uint32_t c)
{
	return strtab_text(&g->names, g->computation[c].name);
}
static inline uint32_t hlo_nlinks(const struct hlo_links *l, uint32_t i)
{
	return l->at[i + 1] - l->at[i];
}
static inline uint32_t hlo_link(const struct hlo_links *l, uint32_t i, uint32_t k)
{
	return l->v[l->at[i] + k];
}

uint32_t hlo_instr_named(const struct hlo_graph *,
    struct slice name); /* HLO_NONE; a % before it is skipped */
uint32_t hlo_computation_named(const struct hlo_graph *, struct slice name); /* likewise */
uint32_t hlo_instr_with_id(const struct hlo_graph *, uint64_t id);           /* HLO_NONE */
bool hlo_opcode_is(const struct hlo_graph *, uint32_t instr, const char *);

/* What else an instruction says; slices are empty and numbers -1 where it says nothing. */
struct hlo_detail {
	struct slice op_type, op_name, source, fusion_kind, target; /* target: of a custom call */
	int line;
	int64_t parameter, index; /* index: of a get-tuple-element */
};
void hlo_detail(const struct hlo_graph *, uint32_t instr, struct hlo_detail *);

struct slice hlo_attributes(const struct hlo_graph *,
    uint32_t instr); /* of text, what follows the operands */
struct slice hlo_operands_text(const struct hlo_graph *,
    uint32_t instr); /* of text, without the parentheses */

#endif
