/* Inside of memory*.c: the logical buffers of a module with what is known of each while its heap trace is
 * followed. */
#ifndef ANALYZE_MEMORY_INTERNAL_H
#define ANALYZE_MEMORY_INTERNAL_H

#include "analyze/memory/memory.h"
#include "result/sumtree.h"

#define NO_BUFFER UINT32_MAX
#define SMALL 16384 /* bytes; buffers below it are shown together */

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
	/* NULL: not known, or not in an allocation; its events are passed over */
	const Pb__HloInstructionProto *instruction;
	const Pb__ShapeProto *shape;
	uint32_t allocation;
	int64_t offset, room; /* in it */
	int64_t size, unpadded;
	int64_t ref, start, end;  /* of XProf's span, -1 */
	uint32_t canonical, live; /* the last of its entries in the list of what is alive */
	int64_t claims;           /* times that it holds its own address */
	uint32_t life;            /* its open lifetime */
	bool ended;
};

struct simulation {
	struct memory *m;
	const Pb__BufferAssignmentProto *b;
	const Pb__HloModuleProto *module;
	struct logical *v; /* parallel to b->logical_buffers */
	struct id_index by_id;
	const Pb__HeapSimulatorTrace *trace; /* NULL: none for this space */
	struct lifetime *life;
	size_t nlife, life_cap;
	/* bytes of what lives as long as the program, and how much of them is padding */
	int64_t indefinite, padding;
	struct peak *peak; /* what is alive at the peak, in order */
	size_t npeak;
};

struct peak {
	uint32_t buffer, shown;
};

void memory_problem(struct memory *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void memory_logicals(struct simulation *);                             /* v and by_id, of all allocations */
struct logical *memory_logical(const struct simulation *, int64_t id); /* NULL: not known */
bool memory_indefinite(const Pb__BufferAllocationProto *);
enum memory_category memory_category_of(const Pb__BufferAllocationProto *);
void memory_simulate(struct simulation *); /* heap, unpadded, spans, peak */
void memory_occupy(struct simulation *);   /* address */
const char *memory_buffer_name(struct arena *, const struct logical *);
void memory_of_result(const Pb__PreprocessResult *, struct memory *); /* what a profiler left */

#endif
