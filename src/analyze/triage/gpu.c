#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* When a GPU runs out of memory, XLA and its allocator print numbers below the sentence, which are read here. */

/* "preallocated temp allocation:   47.29MiB" of the statistics of BufferAssignment, "Limit:   33550233600" of those of
 * the allocator, "memory_limit_: 14674281472" of its map */
static const struct {
	const char *name;
	enum triage_number id;
} numbers[] = {
	{ "parameter allocation:", NUM_ARGUMENTS },
	{ "maybe_live_out allocation:", NUM_OUTPUT },
	{ "total allocation:", NUM_PROGRAM },
	{ "Limit:", NUM_LIMIT },
	{ "InUse:", NUM_USED },
	{ "LargestFreeBlock:", NUM_LARGEST },
	{ "Sum Total of in-use chunks:", NUM_USED },
};

bool triage_is_gpu_line(struct slice s)
{
	static const char *const others[] = { "preallocated temp ", "Buffer ", "InUse at ", "Free  at ",
		"Free at ", "total_region_allocated_bytes_:", "Stats:" };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (slice_begins(s, numbers[i].name))
			return true;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (slice_begins(s, others[i]))
			return true;
	return false;
}

static struct triage_need *temporaries(struct triage_occurrence *o)
{
	if (!o->nneeds)
		VEC_ADD(o->needs, o->nneeds, o->needs_cap,
		    ((struct triage_need){ .name = "HLO temp",
			.size = SIZE_NONE,
			.unpadded = SIZE_NONE,
			.padded = SIZE_NONE,
			.fragmentation = SIZE_NONE,
			.utilization = NAN,
			.fragmentation_percent = NAN }));
	return &o->needs[0];
}

/* "preallocated temp allocation:   47.29MiB", "preallocated temp fragmentation:    3.50MiB (7.40%)" */
static bool temporary_line(struct triage_occurrence *o, struct slice s)
{
	char percent[24] = "";
	const char *at;
	size_t n;

	if (slice_cut(&s, "preallocated temp allocation:")) {
		size_read(&s, &temporaries(o)->size);
		return true;
	}
	if (!slice_cut(&s, "preallocated temp fragmentation:"))
		return false;
	size_read(&s, &temporaries(o)->fragmentation);
	if ((at = memchr(s.s, '(', s.n))) {
		n = (size_t)(s.s + s.n - at - 1);
		memcpy(percent, at + 1, n < sizeof percent ? n : sizeof percent - 1);
		temporaries(o)->fragmentation_percent = strtod(percent, NULL);
	}
	return true;
}

/* "Free  at 7f25fc000000 of size 2048 next 12": the map of the allocator */
static bool chunk_line(struct triage_occurrence *o, struct slice s)
{
	int64_t size, *free = &o->num[NUM_FREE], *largest = &o->num[NUM_LARGEST];
	const char *at;

	if (slice_begins(s, "InUse at "))
		return true;
	if (!slice_begins(s, "Free") || !(at = slice_find(s, " of size ")))
		return false;
	s = (struct slice){ at + strlen(" of size "), (size_t)(s.s + s.n - at) - strlen(" of size ") };
	if (!size_read(&s, &size) || size == SIZE_NONE || size > INT64_MAX / 2)
		return true;
	if (*free < INT64_MAX / 2)
		*free = (*free == SIZE_NONE ? 0 : *free) + size;
	*largest = size > *largest || *largest == SIZE_NONE ? size : *largest;
	return true;
}

bool triage_gpu_line(struct triage_occurrence *o, struct slice s)
{
	const char *at;
	int64_t v;

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (slice_cut(&s, numbers[i].name)) {
			if (size_read(&s, &v) && o->num[numbers[i].id] == SIZE_NONE)
				o->num[numbers[i].id] = v;
			return true;
		}
	if ((at = slice_find(s, "memory_limit_: "))) {
		s = (struct slice){ at + strlen("memory_limit_: "),
			(size_t)(s.s + s.n - at) - strlen("memory_limit_: ") };
		if (size_read(&s, &v) && o->num[NUM_LIMIT] == SIZE_NONE)
			o->num[NUM_LIMIT] = v;
		return true;
	}
	return slice_begins(s, "Stats:") || temporary_line(o, s) || chunk_line(o, s);
}
