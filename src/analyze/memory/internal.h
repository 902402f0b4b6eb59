/* Shared by the files that follow a heap trace: the logical buffers of a module and what is known of each
 * while the trace is followed. */
#ifndef ANALYZE_MEMORY_INTERNAL_H
#define ANALYZE_MEMORY_INTERNAL_H

#include "analyze/memory/memory.h"
#include "result/sumtree.h"

#define NO_BUFFER UINT32_MAX
#define SMALL 16384 /* bytes; smaller buffers are shown as one entry */

struct id_index {
	struct id_key {
		int64_t id;
		uint32_t at;
	} * v;
	size_t n;
};

struct lifetime {
	uint32_t buffer;
	int64_t start, end;
};

struct logical {
	const Pb__LogicalBufferProto *p;
	/* NULL when the instruction is not known or the buffer is not in any allocation; its heap events are
	 * skipped */
	const Pb__HloInstructionProto *instruction;
	const Pb__ShapeProto *shape;
	uint32_t allocation;
	int64_t offset, room; /* offset and size within the allocation */
	int64_t size, unpadded;
	/* start, end: XProf's span, -1 for none; ref: how many buffers use its memory */
	int64_t ref, start, end;
	/* canonical: the buffer whose memory it shares; live: its most recent entry on the heap */
	uint32_t canonical, live;
	int64_t claims; /* how often it was allocated or shared without being freed yet */
	uint32_t life;  /* index of its open lifetime */
	bool ended;
};

struct simulation {
	struct memory *m;
	const Pb__BufferAssignmentProto *b;
	const Pb__HloModuleProto *module;
	struct logical *v; /* one for each element of b->logical_buffers */
	struct id_index by_id;
	const Pb__HeapSimulatorTrace *trace; /* NULL: none for this memory space */
	struct lifetime *life;
	size_t nlife, life_cap;
	/* bytes of what lives as long as the program runs, and how much of them is padding */
	int64_t indefinite, padding;
	struct peak *peak; /* what is alive at the peak, in program order */
	size_t npeak;
};

struct peak {
	uint32_t buffer, shown;
};

/* The size, or 0 for one that no memory has (below 0 or above 1 PiB), which only damaged files say. */
static inline int64_t memory_possible(int64_t size)
{
	return size < 0 || size > INT64_C(1) << 50 ? 0 : size;
}

void memory_problem(struct memory *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void memory_logicals(struct simulation *); /* fills v and by_id, for all allocations */
struct logical *memory_logical(const struct simulation *, int64_t id); /* NULL: not known */
bool memory_indefinite(const Pb__BufferAllocationProto *);
void memory_simulate(struct simulation *); /* makes the heap curves, the spans and the peak */
/* gathered.c: which buffers at the peak are weights that an all-gather put together */
void memory_find_gathered(struct simulation *);
/* address.c: makes the occupancy by address */
void memory_occupy(struct simulation *);
/* text.c */
const char *memory_buffer_name(struct arena *, const struct logical *);
/* memory.c: makes the summary of the sums; the two facts about scoped memory come behind.  peak_at -1: not known. */
void memory_summary(struct memory *, const char *module, const char *entry, int64_t peak_at);
/* result.c: from the memory result that a profiler left */
void memory_of_result(const Pb__PreprocessResult *, struct memory *);

#endif
