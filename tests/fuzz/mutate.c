#include "config.h"
#include "mutate.h"

#include "../lib/pbuild.h"

size_t mutate_random(uint32_t *state, size_t n)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return n ? *state % n : 0;
}

void mutate_bytes(struct pb *out, const uint8_t *bytes, size_t n, size_t room)
{
	size_t before = out->n;

	pb_raw(out, bytes, n);
	for (size_t i = 0; i < room; i++)
		pb_raw(out, "", 1);
	if (n + room)
		out->n = before + LLVMFuzzerMutate(out->b + before, n, n + room);
}

static size_t length_of_head(const uint8_t *bytes, size_t n)
{
	size_t at = 0;

	for (int lines = 0; lines < mutate_head_lines; lines++) {
		const uint8_t *eol = memchr(bytes + at, '\n', n - at);

		if (!eol)
			return 0;
		at = (size_t)(eol - bytes) + 1;
	}
	return at;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed)
{
	static int (*const kinds[])(struct pb *, const uint8_t *, size_t, size_t,
	    uint32_t *) = { mutate_riegeli, mutate_table, mutate_json, mutate_wire };
	size_t head = length_of_head(bytes, size), room = max - head;
	uint32_t state = seed * 2654435761u | 1;
	struct pb out = { 0 };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && mutate_random(&state, 3); i++) {
		if (kinds[i](&out, bytes + head, size - head, room, &state))
			continue;
		if (!out.n || out.n > room)
			break;
		memcpy(bytes + head, out.b, out.n);
		size = head + out.n;
		pb_free(&out);
		return size;
	}
	pb_free(&out);
	return LLVMFuzzerMutate(bytes, size, max);
}
