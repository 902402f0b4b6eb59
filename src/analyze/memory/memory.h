/* Where the memory of one compiled program goes (tpuscope(7), MEMORY): the heap simulation of a module's
 * buffer assignment for one memory space, as XProf 2.24.2 does it (values checked equal), and beside it what
 * is true where XProf is not: occupancy by address, padding of parameters, all lifetimes of a buffer.  Sizes
 * are bytes, lifetimes indices of heap events [start, end].  Damage (negative heap, unknown ids, no
 * assignment, a cut file) keeps what was computed: `problem` says what and at which event.  What a profiler
 * left instead of a message (module->result) becomes the same, as far as it tells.  Texts belong to the
 * memory or to the module's message, which must stay; the caller frees (memory_free).  Pure; any thread that
 * owns the memory. */
#ifndef ANALYZE_MEMORY_MEMORY_H
#define ANALYZE_MEMORY_MEMORY_H

#include "analyze/hlo/shape.h"
#include "model/dump.h"
#include "model/hlo.h"
#include "result/facts.h"

enum { MEMORY_VMEM = 1 };

enum memory_category {
	MEMORY_PARAMETER,
	MEMORY_OUTPUT,
	MEMORY_THREAD_LOCAL,
	MEMORY_CONSTANT,
	MEMORY_TEMPORARY,
	MEMORY_CATEGORIES
};

struct memory_life {
	int64_t start, end;
};

struct memory_buffer {
	int64_t id;                    /* of the logical buffer; -1: the small ones (< 16 KiB) together */
	enum memory_category category; /* MEMORY_CATEGORIES for the small ones */
	int64_t size, unpadded;
	uint32_t allocation;
	int64_t offset;     /* in it */
	int64_t start, end; /* XProf's span; -1 = the whole program */
	const struct memory_life *life;
	size_t nlives;                      /* all of them; a buffer may come again */
	bool shares;                        /* the memory of another one */
	const char *name;                   /* instruction with {index}, "" for the small ones */
	const char *opcode, *op_name;       /* "" when unknown */
	const char *shape, *source, *stack; /* as memory_describe() makes them: NULL before in `all` */
	const char *label;                  /* XProf's: "name: shape # op" */
	const Pb__HloInstructionProto *instruction; /* NULL for the small ones */
	const Pb__ShapeProto *shape_proto;
};

/* What the small ones start from: nothing is known of it, texts are "". */
extern const struct memory_buffer memory_no_buffer;

/* An output of the program that could take the place of a parameter, were it donated: same size and shape. */
struct memory_donation {
	const struct memory_buffer *parameter, *output;
	int64_t size;
};

struct memory_space_info {
	int space;
	const char *name;
	int64_t bytes; /* of its allocations */
};

struct memory {
	struct facts summary; /* the ids of `report memory` */
	int space;
	const struct hlo_module *module;
	const Pb__HloProto *proto;     /* given, or made of the module's texts; NULL: there is none */
	const Pb__HloModuleProto *hlo; /* NULL: there is none */
	const char *lacks;             /* what the texts do not say; NULL: it is not from texts */
	int64_t *heap, *unpadded;
	const char **instruction;
	size_t npoints; /* before each event and after the last: nevents + 1; with the indefinite part */
	/* occupancy by address at the same points; equals heap where no buffers share; NULL: not known */
	int64_t *address;
	struct memory_buffer *peak;
	size_t npeak; /* the heap at its peak, program order, small ones last */
	struct memory_buffer *all;
	size_t nall; /* every logical buffer of the space with a lifetime, by start, id */
	struct memory_donation *donation;
	size_t ndonations;                                  /* by size; their buffers are in `peak` */
	int64_t category[MEMORY_CATEGORIES], fragmentation; /* at the peak */
	int64_t peak_bytes, peak_unpadded, peak_at, allocated, limit; /* limit -1 = not known */
	/* of VMEM: the most that an instruction takes for itself, beside the heap; XProf's peak is both.
	 * -1 = not said: hlo_module_scoped() comes first */
	int64_t scoped;
	const char *problem; /* NULL = none */
	struct arena text;
};

/* proto NULL: of the module's result */
void memory_build(const struct hlo_module *, const Pb__HloProto *, int space, int64_t limit, struct memory *);
void memory_free(struct memory *);
/* shape, source, stack and label of a buffer of `all`; those of `peak` have them */
void memory_describe(struct memory *, struct memory_buffer *);
/* spaces that the module uses, by number; returns how many of at most `max` */
size_t memory_spaces(const Pb__HloProto *, struct memory_space_info *, size_t max);
const char *memory_space_name(int space);               /* "HBM" …; NULL */
const char *memory_category_name(enum memory_category); /* "" for MEMORY_CATEGORIES */
/* bytes that a program may use on a core of this kind of device ("TPU v5 lite", analyze/device/chips.h); -1 = not
 * known */
int64_t memory_limit(const char *device);
/* The same of the devices that the dump has, or that its modules were compiled for, when there is one kind;
 * where nothing says it, of the device that the user states.  Other spaces than HBM are not known. */
int64_t memory_limit_of(const struct dump *, int space);
/* a problem of the dump when the user states another device than it */
void memory_check_device(struct dump *);

#endif
