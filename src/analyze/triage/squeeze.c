#include "config.h"
#include "analyze/triage/squeeze.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text/digit.h"

#define GRAM 7  /* signs of a piece of a sentence */
#define LEAST 3 /* of them on either side of a break */
#define NEAR 40 /* bytes on either side of a break that are looked at */
#define SLOT_BITS 15
#define SLOTS (1u << SLOT_BITS)

/* Between signs k - 1 and k of the piece is a blank, or there is none (bit k). */
struct gram {
	uint32_t hash; /* 0: the slot is empty */
	uint8_t blank, tight;
};

struct squeeze {
	struct gram slot[SLOTS];
	size_t n;
};

/* XLA's messages without the names in them; # stands for a number. */
static const char *const sentences[] = {
	"RuntimeError: Bad StatusOr access: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. ",
	"(0) Resource exhausted: Attempting to allocate #. ",
	"OP_REQUIRES failed at tpu_execute_op.cc:# : RESOURCE_EXHAUSTED: Attempting to reserve #",
	"RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space ",
	"RESOURCE_EXHAUSTED: Error loading program ",
	"RESOURCE_EXHAUSTED: Error allocating device buffer: ",
	"RESOURCE_EXHAUSTED: Allocation (size=",
	"Ran out of memory in memory space hbm. Used # of # hbm. Exceeded hbm capacity by #. HLO module: ",
	"Ran out of memory in memory space vmem. Used # of # vmem. Exceeded vmem capacity by #. HLO module: ",
	"Ran out of memory in memory space smem. Used # of # smem. Exceeded smem capacity by #. HLO module: ",
	"Ran out of memory on HBM, the total memory required for HLO temporaries (#) exceeds available HBM "
	"(#).",
	"Ran out of memory in memory space vmem while allocating on stack for %",
	". Scoped allocation with size # and limit # exceeded scoped vmem limit by #. ",
	"It should not be possible to run out of scoped vmem - see for more information. ",
	"Allocation (size=#) would exceed memory (size=#) :: ",
	"input window allocation for operator input #. The window shape is while the full shape is ",
	"output window allocation for operator output #. The window shape is while the full shape is ",
	"]. The u8 shape/size shown above represents the raw byte size of this window in VMEM. This "
	"allocation is"
	" single buffered. ",
	"Error allocating device buffer: Attempting to allocate #. That was not possible. There are # free. "
	"The "
	"largest contiguous region of free memory is # due to fragmentation. ",
	"Attempting to allocate #. That was not possible. There are # free.; (",
	"Error loading program ': Attempting to reserve # at the bottom of memory. That was not possible. "
	"There "
	"are # free, # reserved, and # reservable.",
	": while running replica # and partition # of a replicated computation"
	" (other replicas may have failed as well).",
	"Compilation failure: Aborting compilation early because it's unlikely to have enough device memory. "
	"Requires #, has # available. If more detailed logging is desired, set --",
	"TPU TensorCore Hbm usage: #, SparseCore Hbm usage #, exceeding available bytes: # ",
	"Can't reduce memory use below # (# bytes) by rematerialization; only reduced to # (# bytes), down "
	"from # "
	"(# bytes) originally ",
	"Non-OK-status: status status: INTERNAL: Core halted unexpectedly: INTERNAL: Accelerator device "
	"halted prematurely, perhaps due to an on-device "
	"check-failure. Node # halted unexpectedly at tag:pc ",
	": no debugging message found for this tag:pc. HLO: fusion.#; HLO computation: SyncTensorsGraph.#",
	"(#% utilization: Unpadded (#) Padded (#), #% fragmentation (#))",
	"Extra memory due to padding: # (#x expansion)",
	"expected parameter # of size # but got buffer with incompatible size # ",
	"Unsuccessful retry compilation of after due to error: RESOURCE_EXHAUSTED: ",
	"run with envvar XLA_FLAGS=",
	"cumulative_size; size; offset; used_by_n_values; shapes_list",
};

/* A text as signs: no blanks, each number one sign. */
struct signs {
	char c[2 * NEAR + 2];
	uint32_t n;
	unsigned blank; /* bit k: there is a blank before sign k; of the first ones */
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "56.44G", and the # that stands for it; a word may begin at `other` without a blank before it */
static size_t number_end(struct slice s, size_t at, size_t other)
{
	size_t end = at;

	if (s.s[at] == '#')
		return at + 1;
	while (
	    end < s.n && (is_digit(s.s[end]) || (s.s[end] == '.' && end + 1 < s.n && is_digit(s.s[end + 1]))))
		end++;
	if (end > at && end < s.n && memchr("BKMGTP", s.s[end], 6) &&
	    !(end + 1 < s.n && end + 1 != other && (s.s[end + 1] | 32) >= 'a' && (s.s[end + 1] | 32) <= 'z'))
		end++;
	return end;
}

static size_t next_sign(struct slice s, size_t at, size_t other, struct signs *out)
{
	size_t end = number_end(s, at, other);

	if (end > at) {
		out->c[out->n++] = '#';
		return end;
	}
	if (!is_blank(s.s[at]))
		out->c[out->n++] = s.s[at];
	else if (out->n <= GRAM)
		out->blank |= 1u << out->n;
	return at + 1;
}

static uint32_t hash_of(const char *signs)
{
	uint64_t h = hash_bytes(HASH_START, signs, GRAM);

	return (uint32_t)(h ^ h >> 32) | 1;
}

static struct gram *slot_of(const struct squeeze *q, uint32_t hash)
{
	size_t i = hash >> (32 - SLOT_BITS);

	while (q->slot[i].hash && q->slot[i].hash != hash)
		i = (i + 1) % SLOTS;
	return (struct gram *)&q->slot[i];
}

static void learn_gram(struct squeeze *q, const struct signs *signs)
{
	uint32_t hash = hash_of(signs->c);
	struct gram *g = slot_of(q, hash);

	if (!g->hash && 2 * ++q->n > SLOTS) /* more phrases than anybody writes */
		return;
	g->hash = hash;
	g->blank |= (uint8_t)signs->blank;
	g->tight |= (uint8_t)~signs->blank;
}

void squeeze_learn(struct squeeze *q, struct slice s)
{
	struct signs signs = { .n = 0 };

	for (size_t at = 0; at < s.n;) {
		uint32_t before = signs.n;

		at = next_sign(s, at, s.n, &signs);
		if (signs.n > GRAM) {
			memmove(signs.c, signs.c + 1, --signs.n);
			signs.blank >>= 1;
			before--;
		}
		if (signs.n == GRAM && signs.n > before)
			learn_gram(q, &signs);
	}
}

struct squeeze *squeeze_new(void)
{
	struct squeeze *q = xcalloc(1, sizeof *q);

	for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
		squeeze_learn(q, slice_of(sentences[i]));
	return q;
}

void squeeze_free(struct squeeze *q)
{
	free(q);
}

enum squeeze_joint squeeze_across(const struct squeeze *q, struct slice before, struct slice after)
{
	size_t n = before.n < NEAR ? before.n : NEAR, k = after.n < NEAR ? after.n : NEAR;
	struct signs signs = { .n = 0 };
	char text[2 * NEAR];
	struct slice s = { text, n + k };
	unsigned blank = 0, tight = 0;
	bool inside = false;
	uint32_t at_break = 0;

	if (!n || !k)
		return SQUEEZE_UNKNOWN;
	memcpy(text, before.s + before.n - n, n);
	memcpy(text + n, after.s, k);
	for (size_t at = 0, next; at < s.n; at = next) {
		next = next_sign(s, at, n, &signs);
		if (next <= n)
			at_break = signs.n;
		inside |= at < n && next > n;
	}
	for (uint32_t from = at_break > GRAM - LEAST ? at_break - (GRAM - LEAST) : 0;
	     from + LEAST <= at_break && from + GRAM <= signs.n; from++) {
		const struct gram *g = slot_of(q, hash_of(signs.c + from));

		blank |= g->hash && g->blank >> (at_break - from) & 1;
		tight |= g->hash && g->tight >> (at_break - from) & 1;
	}
	if (inside && blank + tight)
		return SQUEEZE_WORD;
	return blank && tight ? SQUEEZE_OVER : blank ? SQUEEZE_WORDS : tight ? SQUEEZE_WORD : SQUEEZE_UNKNOWN;
}
