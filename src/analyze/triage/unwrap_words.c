#include "config.h"
#include "analyze/triage/unwrap.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/text/digit.h"

#define LONGEST 24 /* bytes of a word of a sentence */

/* What the messages say between names; # stands for a number. */
static const char sentences[] =
    " XLA:TPU compile permanent error. Ran out of memory in memory space Used # of # "
    " Exceeded hbm capacity by # Exceeded vmem capacity by # Exceeded smem capacity by # HLO module: "
    " Ran out of memory on HBM, the total memory required for HLO temporaries # exceeds available HBM # "
    " Ran out of memory in memory space vmem while allocating on stack for "
    " Scoped allocation with size # and limit # exceeded scoped vmem limit by # "
    " It should not be possible to run out of scoped vmem - see for more information. "
    " Allocation would exceed memory "
    " input window allocation for operator input # The window shape is while the full shape is "
    " output window allocation for operator output # The window shape is while the full shape is "
    " The u8 shape/size shown above represents the raw byte size of this window in VMEM. This allocation is"
    " single buffered. "
    " Error allocating device buffer: Attempting to allocate # That was not possible. There are # free. The "
    "largest"
    " contiguous region of free memory is # due to fragmentation. "
    " Error loading program Attempting to reserve # at the bottom of memory. That was not possible. There are"
    " # free, # reserved, and # reservable. while running replica # and partition # of a replicated "
    "computation"
    " (other replicas may have failed as well). "
    " Compilation failure: Aborting compilation early because it's unlikely to have enough device memory."
    " Requires # has # available. If more detailed logging is desired, set "
    " TPU TensorCore Hbm usage:  SparseCore Hbm usage exceeding available bytes: # "
    " Can't reduce memory use below # by rematerialization; only reduced to # down from # originally "
    " Core halted unexpectedly: INTERNAL: Accelerator device halted prematurely, perhaps due to an on-device"
    " check-failure. Node # halted unexpectedly at tag:pc no debugging message found for this tag:pc. "
    " utilization: Unpadded Padded fragmentation  Extra memory due to padding: expansion "
    " expected parameter # of size # but got buffer with incompatible size # "
    " HLO: HLO computation:  Unsuccessful retry compilation of after due to error: RESOURCE_EXHAUSTED: ";

/* Three bytes that follow each other in a sentence, by 16 bits of them: other words hardly ever have only such. */
static uint64_t triples[(UINT16_MAX + 1) / 64];
static pthread_once_t filled = PTHREAD_ONCE_INIT;

static unsigned triple(const char *s)
{
	return ((unsigned)(uint8_t)s[0] << 10 ^ (unsigned)(uint8_t)s[1] << 5 ^ (unsigned)(uint8_t)s[2]) &
	    UINT16_MAX;
}

static void fill_triples(void)
{
	for (size_t i = 0; i + 3 < sizeof sentences; i++)
		triples[triple(sentences + i) / 64] |= UINT64_C(1) << triple(sentences + i) % 64;
}

static bool may_be_said(const char *s, size_t n)
{
	for (size_t i = 0; i + 3 <= n; i++)
		if (!(triples[triple(s + i) / 64] >> triple(s + i) % 64 & 1))
			return false;
	return true;
}

static bool is_number(struct slice s)
{
	size_t n = s.n > 1 && *s.s == '(';

	return s.n > n && is_digit(s.s[n]);
}

static bool is_said(struct slice before, const char *between, struct slice after)
{
	char text[2 * LONGEST + 3];
	size_t n = 0, blank = strlen(between);

	if (!before.n || !after.n || before.n > LONGEST || after.n > LONGEST)
		return false;
	text[n++] = ' ';
	memcpy(text + n, before.s, before.n);
	n += before.n;
	memcpy(text + n, between, blank);
	n += blank;
	memcpy(text + n, after.s, after.n);
	n += after.n;
	text[n++] = ' ';
	return may_be_said(text, n) && memmem(sentences, sizeof sentences - 1, text, n);
}

/* Two numbers follow one another in no sentence. */
static bool is_said_apart(struct slice before, struct slice after)
{
	static const struct slice number = { "#", 1 };

	if (is_number(before) && is_number(after))
		return false;
	return is_said(is_number(before) ? number : before, " ", is_number(after) ? number : after);
}

int unwrap_ask_words(const struct unwrap *u, size_t i)
{
	const struct unwrap_line *l = &u->line[i];
	struct slice before = { u->bytes + l->at + l->n - l->after.last_word, l->after.last_word };
	struct slice after = { unwrap_next_text(u, i).s, l->after.word };

	pthread_once(&filled, fill_triples);
	return is_said(before, "", after) - is_said_apart(before, after);
}
