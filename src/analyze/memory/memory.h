/* Where the memory of one compiled program goes (tpuscope(7), MEMORY): the heap simulation of a module's
 * buffer assignment for one memory space, with the same values as XProf 2.24.2, plus what XProf leaves out or
 * gets wrong: occupancy by address, padding of parameters, all lifetimes of a buffer.  Sizes are bytes;
 * lifetimes are indices of heap events [start, end].  Damage (a negative heap, unknown IDs, no assignment, a
 * truncated file) keeps what was computed so far, and `problem` says what is wrong and at which event.  A
 * memory result that a profiler left (module->result) fills the same struct as far as it goes.  Texts belong
 * to the struct or to the module's message, which must stay alive; the caller frees (memory_free).  Pure; any
 * thread that owns the struct. */
#ifndef ANALYZE_MEMORY_MEMORY_H
#define ANALYZE_MEMORY_MEMORY_H

#include "analyze/hlo/shape.h"
#include "model/dump.h"
#include "model/hlo.h"
#include "result/facts.h"

enum { MEMORY_HBM, MEMORY_VMEM };

enum memory_category {
	MEMORY_PARAMETER,
	MEMORY_OUTPUT,
	MEMORY_THREAD_LOCAL,
	MEMORY_CONSTANT,
	MEMORY_TEMPORARY,
	MEMORY_UNKNOWN, /* the texts do not say it */
	MEMORY_CATEGORIES
};

struct memory_life {
	int64_t start, end;
};

struct memory_buffer {
	int64_t id; /* ID of the logical buffer; -1: the entry for all small buffers (< 16 KiB) together */
	enum memory_category category; /* MEMORY_CATEGORIES for the entry of small buffers */
	int64_t size, unpadded;        /* unpadded <= 0: not known */
	uint32_t allocation;
	int64_t offset;     /* within the allocation; -1: not known */
	int64_t start, end; /* XProf's span in heap events; -1 = as long as the program runs */
	const struct memory_life *life;
	size_t nlives;    /* life: all lifetimes; a buffer may be allocated more than once */
	bool shares;      /* it uses the memory of another buffer */
	bool gathered;    /* at the peak: a parameter that an all-gather put together, a temporary */
	const char *name; /* name of the instruction with {index}; "" for the entry of small buffers */
	const char *opcode, *op_name; /* "" when not known */
	/* set by memory_describe(): until then NULL in `all`; always set in `peak` */
	const char *shape, *source, *stack;
	const char *label;                          /* XProf's label, "name: shape # op" */
	const Pb__HloInstructionProto *instruction; /* NULL for the entry of small buffers */
	const Pb__ShapeProto *shape_proto;
};

/* A buffer of which nothing is known, with all texts "". */
extern const struct memory_buffer memory_no_buffer;

/* A parameter whose memory an output of the same size and shape could take if the parameter were donated. */
struct memory_donation {
	const struct memory_buffer *parameter, *output;
	int64_t size;
};

struct memory_space_info {
	int space;
	const char *name;
	int64_t bytes; /* total size of its allocations */
};

/* Bytes, and percent; NaN: not known. */
struct memory_sums {
	double peak, peak_unpadded, allocated, parameters, live_out, fixed, indefinite;
	double by_address, padding, donatable; /* the peak by address; padding of parameters */
	double fragmentation;                  /* percent of what is allocated for temporaries */
};

struct memory {
	struct facts summary;    /* the ids of `report memory` */
	struct memory_sums sums; /* they are made from these */
	int space;
	const struct hlo_module *module;
	const Pb__HloProto *proto;     /* given, or rebuilt from the texts of the module; NULL: none */
	const Pb__HloModuleProto *hlo; /* NULL: none */
	const char *lacks;             /* what the texts, or the heap trace, do not say; NULL: nothing */
	bool no_kinds;                 /* nor of what kind its buffers are: MEMORY_UNKNOWN */
	bool no_places; /* nor where they lie: no addresses, and no size of what is allocated */
	bool no_times;  /* nor when they live: all count as alive at the peak */
	bool no_shapes; /* nor all shapes: what is padding is not known */
	int64_t *heap, *unpadded;
	const char **instruction;
	/* The curves have nevents + 1 points, one before each event and one after the last; they include what
	 * lives as long as the program runs. */
	size_t npoints;
	/* Occupancy by address at the same points; equals `heap` where no buffers share memory.  NULL: not
	 * known. */
	int64_t *address;
	struct memory_buffer *peak;
	size_t npeak; /* peak: what is alive at the peak, in program order, the entry of small buffers last */
	struct memory_buffer *small;
	size_t nsmall; /* what the entry of small buffers stands for; 0 where texts do not say it */
	struct memory_buffer *all;
	size_t nall; /* all: every logical buffer of the space that has a lifetime, by start, then ID */
	struct memory_donation *donation;
	size_t ndonations; /* largest first; their buffers point into `peak` */
	int64_t category[MEMORY_CATEGORIES], fragmentation; /* bytes at the peak */
	int64_t gathered; /* part of the temporaries; without small buffers */
	/* bytes; peak_at: index of the point; allocated, limit: -1 = not known */
	int64_t peak_bytes, peak_unpadded, peak_at, allocated, limit;
	bool limit_said; /* the limit is what a message says */
	/* padding of what lives as long as the program, which XProf counts as data, too: peak_unpadded and
	 * unpadded have it */
	int64_t fixed_padding;
	int64_t
	    untraced; /* of temporaries that the heap trace leaves out, if they are much of the peak; else 0 */
	/* VMEM only: the largest amount that one instruction takes for itself beside the heap; XProf's peak
	 * is the sum of both. -1 = not known; call hlo_module_scoped() first. */
	int64_t scoped;
	const char *problem; /* NULL = none */
	struct arena text;
};

/* Bytes of data at the peak, without any padding; -1: not known. */
static inline int64_t memory_data_at_peak(const struct memory *m)
{
	return (m->peak_unpadded > 0 || !m->peak_bytes) && !m->no_shapes ? m->peak_unpadded - m->fixed_padding
									 : -1;
}

/* Builds the memory of a module of the dump from whatever there is of it: its message, the result of a
 * profiler, texts of the compiler.  The limit of HBM is `said`, what an error message says of this program
 * (triage_limits()), or with -1 that of the dump.  The message stays with the dump, or goes into `scratch` when
 * that is given.  Returns -1 when the message cannot be read: err says why.  With 0, err.status is set when a
 * message in `scratch` is damaged.  The caller frees the memory in both cases. */
int memory_make(const struct dump *, size_t module, int space, int64_t said, struct arena *scratch,
    struct memory *, struct err *);
/* Without a proto (NULL), uses the memory result or the texts of the module. */
void memory_build(const struct hlo_module *, const Pb__HloProto *, int space, int64_t limit, struct memory *);
void memory_free(struct memory *);
/* Makes the shape, source, stack and label of a buffer of `all` or `small`; those of `peak` have them already. */
void memory_describe(struct memory *, struct memory_buffer *);
/* Fills in at most `max` memory spaces that the module uses, by number; returns how many. */
size_t memory_spaces(const Pb__HloProto *, struct memory_space_info *, size_t max);
const char *memory_space_name(int space); /* "HBM" and so on; NULL when not known */
double memory_padded_times(
    void); /* a buffer is called padded from so many times its data (data/findings.tsv) */
const char *memory_category_name(enum memory_category); /* "" for the two last */
/* Returns the bytes that a program may use on a core of this kind of device ("TPU v5 lite",
 * analyze/device/chips.h); -1 = not known. */
int64_t memory_limit(const char *device);
/* Same for the devices in the dump, or for those that its modules were compiled for, if all are of one kind.
 * If nothing in the dump says it, for the device that the user states. -1 for spaces other than HBM. */
int64_t memory_limit_of(const struct dump *, int space);
/* adds a problem to the dump when the user states another device than the dump names */
void memory_check_device(struct dump *);

#endif
