/* HLO protos for tests: modules of computations of instructions, and shapes, made with pbuild.h.
 *
 *	struct pb body = hlo_computation("fused", 2), module = { 0 };
 *	hlo_add(&body, hlo_new("add.1", "add", 11));	… more fields may be added to an instruction first
 *	pb_sub(&module, 3, &body);
 *	struct pb proto = hlo_proto(&module);	… the value of the stat "Hlo Proto" */
#ifndef TESTS_MKHLO_H
#define TESTS_MKHLO_H

#include "../lib/pbuild.h"

static inline struct pb hlo_shape(int type, const int64_t *dims, size_t n, const int64_t *order, int64_t a,
    int64_t b)
{
	struct pb s = { 0 }, layout = { 0 }, tile = { 0 };

	pb_u(&s, 2, (uint64_t)type);
	for (size_t i = 0; i < n; i++) {
		pb_u(&s, 3, (uint64_t)dims[i]);
		pb_u(&layout, 1, (uint64_t)order[i]);
	}
	pb_u(&tile, 1, (uint64_t)a);
	pb_u(&tile, 1, (uint64_t)b);
	pb_sub(&layout, 6, &tile);
	pb_sub(&s, 5, &layout);
	return s;
}

static inline struct pb hlo_computation(const char *name, int64_t id)
{
	struct pb c = { 0 };

	pb_s(&c, 1, name);
	pb_u(&c, 5, (uint64_t)id);
	return c;
}

static inline struct pb hlo_new(const char *name, const char *opcode, int64_t id)
{
	struct pb i = { 0 };

	pb_s(&i, 1, name);
	pb_s(&i, 2, opcode);
	pb_u(&i, 35, (uint64_t)id);
	return i;
}

static inline struct pb hlo_fusion(const char *name, int64_t id, int64_t body)
{
	struct pb i = hlo_new(name, "fusion", id);

	pb_u(&i, 38, (uint64_t)body);
	return i;
}

static inline void hlo_add(struct pb *computation, struct pb instruction)
{
	pb_sub(computation, 2, &instruction);
}

static inline struct pb hlo_proto(struct pb *module)
{
	struct pb proto = { 0 };

	pb_sub(&proto, 1, module);
	return proto;
}

/* Buffer assignments: f32[floats] values, buffers, allocations with them, events of a heap trace. */
static inline struct pb hlo_value(const char *name, const char *opcode, int64_t id, int64_t floats)
{
	struct pb i = hlo_new(name, opcode, id), s = { 0 };

	pb_u(&s, 2, 11);
	pb_u(&s, 3, (uint64_t)floats);
	pb_sub(&i, 3, &s);
	return i;
}

static inline void hlo_buffer(struct pb *assignment, int64_t id, int64_t instruction, int64_t size, int space)
{
	struct pb b = { 0 }, at = { 0 };

	pb_u(&b, 1, (uint64_t)id);
	pb_u(&b, 2, (uint64_t)size);
	pb_u(&at, 4, (uint64_t)instruction);
	pb_sub(&b, 3, &at);
	pb_u(&b, 4, (uint64_t)space);
	pb_sub(assignment, 1, &b);
}

/* flag: 0, or the field that says what kind it is: 3 thread-local, 5 parameter, 7 live out, 12 constant */
static inline struct pb hlo_allocation(int index, int64_t size, int space, unsigned flag)
{
	struct pb a = { 0 };

	pb_u(&a, 1, (uint64_t)index);
	pb_u(&a, 2, (uint64_t)size);
	pb_u(&a, 8, (uint64_t)space);
	if (flag)
		pb_u(&a, flag, 1);
	return a;
}

static inline void hlo_assign(struct pb *allocation, int64_t buffer, int64_t offset, int64_t size)
{
	struct pb a = { 0 };

	pb_u(&a, 1, (uint64_t)buffer);
	pb_u(&a, 2, (uint64_t)offset);
	pb_u(&a, 3, (uint64_t)size);
	pb_sub(allocation, 9, &a);
}

/* kind: 0 ALLOC, 1 FREE, 2 SHARE_WITH */
static inline void hlo_event(struct pb *trace, int kind, int64_t buffer, const char *instruction,
    int64_t with)
{
	struct pb e = { 0 };

	pb_u(&e, 1, (uint64_t)kind);
	pb_u(&e, 2, (uint64_t)buffer);
	pb_s(&e, 4, instruction);
	if (with)
		pb_u(&e, 5, (uint64_t)with);
	pb_sub(trace, 1, &e);
}

#endif
