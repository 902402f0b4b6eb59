#include "config.h"
#include "analyze/memory/usage_pb.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/codec/wire.h"

/* AllocationEntry: hlo_text 6 */
static void put_rows(FILE *f, struct wire entry)
{
	while (wire_next(&entry))
		if (entry.field == 6 && entry.type == 2)
			fprintf(f, "%.*s\n", (int)(entry.n < INT32_MAX ? entry.n : INT32_MAX),
			    (const char *)entry.s);
}

/* MemorySpaceAllocationEntries: total_bytes 1, memory_space_color 2, allocation_entries 3 */
static void put_space(FILE *f, const uint8_t *s, size_t n)
{
	struct wire head = wire_open(s, n), rows = wire_open(s, n);
	uint64_t total = 0, color = 0;

	while (wire_next(&head)) {
		if (head.type == 0 && head.field == 1)
			total = head.u;
		else if (head.type == 0 && head.field == 2)
			color = head.u;
	}
	fprintf(f, "Memory Space:  (color=%" PRIu64 ")\nTotal bytes: %" PRIu64 "\n", color, total);
	while (wire_next(&rows))
		if (rows.field == 3 && rows.type == 2)
			put_rows(f, wire_open(rows.s, rows.n));
}

char *memory_usage_text(const char *bytes, size_t n, size_t *len)
{
	struct wire w = wire_open((const uint8_t *)bytes, n);
	char *text = NULL;
	FILE *f;

	if (!n || *bytes != 0x0a || !wire_next(&w) || w.n < 2 || *w.s != 0x08 ||
	    !(f = open_memstream(&text, len)))
		return NULL;
	do {
		if (w.field == 1 && w.type == 2)
			put_space(f, w.s, w.n);
	} while (wire_next(&w));
	fclose(f);
	return text;
}
