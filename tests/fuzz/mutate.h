/* Changes an input of a fuzz target as what it is: a protobuf message by its fields, JSON by its values, a trace table
 * by its entries, a file of records by those, and anything else by its bytes.  What is shorter than its lengths say,
 * and the like, comes from changes of bytes; these keep the input readable to its depth.  libFuzzer calls it for its
 * mutations, replay.c for some of its own. Pure; the same seed makes the same change. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

struct pb;

/* of each target: lines of text before the bytes of the file, which only changes of bytes change */
extern const int mutate_head_lines;

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed);
/* libFuzzer's, or replay.c's: changes bytes */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max);

/* 0 … n-1; 0 when n is 0 */
size_t mutate_random(uint32_t *state, size_t n);
/* 1 of n */
static inline int mutate_rarely(uint32_t *state, size_t n)
{
	return !mutate_random(state, n);
}
/* Bytes with some of them changed; at most `room` more than there were. */
void mutate_bytes(struct pb *out, const uint8_t *bytes, size_t n, size_t room);

/* Writes the changed input to an empty `out`, of at most about `max` bytes; -1: it is of another kind. */
int mutate_wire(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state);
int mutate_json(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state);
int mutate_riegeli(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state);
int mutate_table(struct pb *out, const uint8_t *bytes, size_t n, size_t max, uint32_t *state);

#endif
