/* bench-hlo FILE: makes the HLO proto with which `make bench` measures the heap simulation: 100,000
 * instructions of one program, each with its own buffer that lives for a few hundred events.  Every run
 * writes the same bytes. */
#include <stdio.h>

#include "../lib/pbuild.h"

#define INSTRUCTIONS 100000
#define ALIVE 300 /* buffers at a time */
#define SIZE 65536

static struct pb shape(void)
{
	struct pb s = { 0 }, layout = { 0 }, tile = { 0 };

	pb_u(&s, 2, 11);
	pb_u(&s, 3, 128);
	pb_u(&s, 3, 120);
	pb_u(&tile, 1, 8);
	pb_u(&tile, 1, 128);
	pb_u(&layout, 1, 1);
	pb_u(&layout, 1, 0);
	pb_sub(&layout, 6, &tile);
	pb_sub(&s, 5, &layout);
	return s;
}

static void instruction(struct pb *computation, int i)
{
	struct pb p = { 0 }, s = shape(), meta = { 0 };
	char text[80];

	snprintf(text, sizeof text, "fusion.%d", i);
	pb_s(&p, 1, text);
	pb_s(&p, 2, "fusion");
	pb_sub(&p, 3, &s);
	snprintf(text, sizeof text, "jit(step)/layer_%d/block_%d/dot_general", i % 96, i % 7);
	pb_s(&meta, 2, text);
	pb_s(&meta, 3, "model.py");
	pb_u(&meta, 4, (uint64_t)(i % 999));
	pb_sub(&p, 7, &meta);
	pb_u(&p, 35, (uint64_t)i + 1);
	for (int k = 1; k <= 3 && k < i; k++)
		pb_u(&p, 36, (uint64_t)(i - k));
	pb_sub(computation, 2, &p);
}

static void buffer(struct pb *assignment, struct pb *allocation, int i)
{
	struct pb p = { 0 }, at = { 0 }, assigned = { 0 };

	pb_u(&p, 1, (uint64_t)i + 1);
	pb_u(&p, 2, SIZE);
	pb_u(&at, 4, (uint64_t)i + 1);
	pb_sub(&p, 3, &at);
	pb_sub(assignment, 1, &p);
	pb_u(&assigned, 1, (uint64_t)i + 1);
	pb_u(&assigned, 2, (uint64_t)(i % ALIVE) * SIZE);
	pb_u(&assigned, 3, SIZE);
	pb_sub(allocation, 9, &assigned);
}

static void event(struct pb *trace, int kind, int i)
{
	struct pb p = { 0 };
	char text[24];

	snprintf(text, sizeof text, "fusion.%d", i);
	pb_u(&p, 1, (uint64_t)kind);
	pb_u(&p, 2, (uint64_t)i + 1);
	pb_s(&p, 3, "main");
	pb_s(&p, 4, text);
	pb_sub(trace, 1, &p);
}

int main(int argc, char **argv)
{
	struct pb proto = { 0 }, module = { 0 }, entry = { 0 }, assignment = { 0 }, allocation = { 0 },
		  trace = { 0 };
	FILE *f = argc == 2 ? fopen(argv[1], "wb") : NULL;

	if (!f) {
		fprintf(stderr, "usage: bench-hlo FILE\n");
		return 2;
	}
	pb_s(&module, 1, "jit_step");
	pb_s(&module, 2, "main");
	pb_s(&entry, 1, "main");
	pb_u(&allocation, 2, (uint64_t)ALIVE * SIZE);
	for (int i = 0; i < INSTRUCTIONS; i++) {
		instruction(&entry, i);
		buffer(&assignment, &allocation, i);
		event(&trace, 0, i);
		if (i >= ALIVE - 1)
			event(&trace, 1, i - ALIVE + 1);
	}
	for (int i = INSTRUCTIONS - ALIVE + 1; i < INSTRUCTIONS; i++)
		event(&trace, 1, i);
	pb_sub(&module, 3, &entry);
	pb_sub(&assignment, 3, &allocation);
	pb_sub(&assignment, 4, &trace);
	pb_sub(&proto, 1, &module);
	pb_sub(&proto, 3, &assignment);
	fwrite(proto.b, 1, proto.n, f);
	pb_free(&proto);
	return fclose(f) ? 1 : 0;
}
