#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"

static bool digit(const char *s, const char *end)
{
	return s < end && is_digit(*s);
}

static struct slice behind(struct slice s, const char *at, size_t skip)
{
	return (struct slice){ at + skip, s.n - (size_t)(at - s.s) - skip };
}

static void set_number(struct triage_occurrence *o, enum triage_number id, struct slice s, const char *phrase)
{
	int64_t v;

	if (o->num[id] == SIZE_NONE && size_read_after(s, phrase, &v))
		o->num[id] = v;
}

/* Sets a number that the sentence gives in bytes, without a unit. */
static void set_bytes(struct triage_occurrence *o, enum triage_number id, struct slice s, const char *phrase)
{
	const char *at = slice_find(s, phrase);
	int64_t v;

	if (!at)
		return;
	s = behind(s, at, strlen(phrase));
	if (o->num[id] == SIZE_NONE && size_read(&s, &v))
		o->num[id] = v;
}

void triage_set(struct triage_occurrence *o, enum triage_text_id id, struct slice v)
{
	if (!o->text[id] && v.n)
		o->text[id] = arena_strndup(&o->arena, v.s, v.n);
}

/* Sets a text from what follows `phrase`, up to any byte of `stop`. */
static bool text_after(struct triage_occurrence *o, enum triage_text_id id, struct slice s,
    const char *phrase, const char *stop)
{
	const char *at = slice_find(s, phrase);
	size_t n = 0;

	if (!at)
		return false;
	s = behind(s, at, strlen(phrase));
	while (n < s.n && s.s[n] && !strchr(stop, s.s[n]) && n < 4096)
		n++;
	if (id == TEXT_MODULE) /* the name of a module may end with the sentence */
		n -= n && s.s[n - 1] == '.';
	triage_set(o, id, (struct slice){ s.s, n });
	return n;
}

/* Finds an error code: "E1000:", or the address ".../error_1000". */
void triage_code(struct triage_occurrence *o, struct slice s)
{
	const char *at = slice_find(s, "/errors/error_"), *end = s.s + s.n;
	char code[6] = "E";

	if (o->text[TEXT_CODE])
		return;
	if (at && end - at >= 18) {
		memcpy(code + 1, at + 14, 4);
	} else {
		for (at = s.s; (at = memchr(at, 'E', (size_t)(end - at))); at++)
			if (end - at >= 6 && at[5] == ':' && digit(at + 1, end) && digit(at + 2, end) &&
			    digit(at + 3, end) && digit(at + 4, end) &&
			    (at == s.s || at[-1] == ' ' || at[-1] == '(' || at[-1] == '\'' || at[-1] == '"' ||
				at[-1] == ':'))
				break;
		if (!at)
			return;
		memcpy(code + 1, at + 1, 4);
	}
	if (digit(code + 1, code + 5) && digit(code + 2, code + 5) && digit(code + 3, code + 5) &&
	    digit(code + 4, code + 5))
		triage_set(o, TEXT_CODE, (struct slice){ code, 5 });
}

static void space_of(struct triage_occurrence *o, struct slice s)
{
	static const char *const phrases[] = { "memory in memory space ", "space=", "Ran out of memory on " };
	char low[32];

	for (size_t i = 0; i < 3 && !o->text[TEXT_SPACE]; i++) {
		const char *at = slice_find(s, phrases[i]), *end = s.s + s.n;
		size_t n = 0;

		if (!at)
			continue;
		for (at += strlen(phrases[i]); at + n < end && n < sizeof low - 1 &&
		     (((at[n] | 32) >= 'a' && (at[n] | 32) <= 'z') || digit(at + n, end) || at[n] == '_');
		     n++)
			low[n] = (char)(at[n] >= 'A' && at[n] <= 'Z' ? at[n] | 32 : at[n]);
		triage_set(o, TEXT_SPACE, (struct slice){ low, n });
	}
}

/* Parses "Used 18.50G of 15.75G hbm". */
static void used_of(struct triage_occurrence *o, struct slice s)
{
	const char *at;
	int64_t needed, limit;

	for (; (at = slice_find(s, "Used ")); s = behind(s, at, 5)) {
		struct slice rest = behind(s, at, 5);

		if (!size_read_unit(&rest, &needed) || !slice_begins(slice_trim(rest), "of "))
			continue;
		rest = slice_trim(rest);
		rest = (struct slice){ rest.s + 3, rest.n - 3 };
		if (!size_read_unit(&rest, &limit))
			continue;
		o->num[NUM_NEEDED] = needed;
		o->num[NUM_LIMIT] = limit;
		return;
	}
}

static void exceeded_of(struct triage_occurrence *o, struct slice s)
{
	static const char *const verbs[] = { "Exceeded ", "exceeded " };

	for (size_t i = 0; i < 2; i++) {
		const char *at = slice_find(s, verbs[i]);

		if (at)
			set_number(o, NUM_EXCEEDED, behind(s, at, 0), " by ");
	}
}

/* A SparseCore counts words of four bytes, in memories that have numbers. */
static void words_of(struct triage_occurrence *o, struct slice s)
{
	static const struct {
		enum triage_number id;
		const char *phrase;
	} sizes[] = { { NUM_NEEDED, "allocation offset upper bound (" },
		{ NUM_LIMIT, "allocatable offset upper bound (" } };
	enum { WORD = 4 };

	for (size_t i = 0; i < 2; i++) {
		const char *at = slice_find(s, sizes[i].phrase);
		struct slice rest = at ? behind(s, at, strlen(sizes[i].phrase)) : (struct slice){ s.s, 0 };
		int64_t v;

		if (at && o->num[sizes[i].id] == SIZE_NONE && size_read(&rest, &v) && v != SIZE_NONE &&
		    v < INT64_MAX / WORD && slice_begins(rest, " words"))
			o->num[sizes[i].id] = v * WORD;
	}
	if (o->num[NUM_LIMIT] != SIZE_NONE && slice_find(s, "memory space 201"))
		triage_set(o, TEXT_SPACE, slice_of("tilespmem"));
}

static void allocation_of(struct triage_occurrence *o, struct slice s)
{
	int64_t tc, sc;

	set_number(o, NUM_NEEDED, s, "Scoped allocation with size ");
	set_number(o, NUM_LIMIT, s, " and limit ");
	set_number(o, NUM_NEEDED, s, "Allocation (size=");
	set_number(o, NUM_LIMIT, s, "would exceed memory (size=");
	if (size_read_after(s, "TensorCore Hbm usage: ", &tc) &&
	    size_read_after(s, "SparseCore Hbm usage", &sc) && o->num[NUM_NEEDED] == SIZE_NONE &&
	    tc != SIZE_NONE && sc != SIZE_NONE && tc < INT64_MAX / 2 && sc < INT64_MAX / 2)
		o->num[NUM_NEEDED] = tc + sc;
	set_number(o, NUM_LIMIT, s, "exceeding available bytes: ");
	words_of(o, s);
	set_number(o, NUM_NEEDED, s, "used: ");
	set_number(o, NUM_LIMIT, s, "limit: ");
}

static void compile_fields(struct triage_occurrence *o, struct slice s)
{
	const char *at;

	space_of(o, s);
	used_of(o, s);
	exceeded_of(o, s);
	if ((at = slice_find(s, "total memory required")))
		set_number(o, NUM_NEEDED, behind(s, at, 0), "(");
	set_number(o, NUM_LIMIT, s, "available HBM (");
	set_number(o, NUM_NEEDED, s, "Requires ");
	set_number(o, NUM_LIMIT, s, ", has ");
	allocation_of(o, s);
	if (!text_after(o, TEXT_OP, s, "on stack for %", " =,'\"") &&
	    !text_after(o, TEXT_OP, s, "Hlo-Op: ", " :") && !text_after(o, TEXT_OP, s, "] :: ", " \t'\",") &&
	    !text_after(o, TEXT_OP, s, "failed for HLO :: ", " "))
		text_after(o, TEXT_OP, s, "compilation of ", " ");
}

static void device_of(struct triage_occurrence *o, struct slice s)
{
	const char *at, *from, *to;

	for (; (at = slice_find(s, "_HBM")); s = behind(s, at, 4)) {
		for (from = at; from > s.s && (digit(from - 1, at) || from[-1] == 'x'); from--)
			;
		for (to = at + 4; digit(to, s.s + s.n); to++)
			;
		if (from < at && from > s.s && (from[-1] == '(' || from[-1] == ' ')) {
			triage_set(o, TEXT_DEVICE, (struct slice){ from, (size_t)(to - from) });
			return;
		}
	}
}

/* Sets a number from the size right before `phrase`. */
static void number_before(struct triage_occurrence *o, enum triage_number id, struct slice s,
    const char *phrase)
{
	const char *at = slice_find(s, phrase), *from = at;

	if (!at)
		return;
	while (from > s.s &&
	    (digit(from - 1, at) || from[-1] == '.' || from[-1] == 'i' || from[-1] == 'B' ||
		strchr("KMGTP", from[-1]) ||
		(from[-1] == ' ' && from < at && strchr("KMGTP", *from) && from - 1 > s.s &&
		    digit(from - 2, at))))
		from--;
	while (from < at && !digit(from, at))
		from++;
	struct slice rest = { from, (size_t)(at - from) };
	int64_t v;

	if (o->num[id] == SIZE_NONE && size_read(&rest, &v))
		o->num[id] = v;
}

/* Where the messages of a kind say a number: the first phrase that is there counts. */
static const struct {
	int kind;
	void (*set)(struct triage_occurrence *, enum triage_number, struct slice, const char *phrase);
	enum triage_number id;
	const char *phrase;
} numbers[] = {
	{ KIND_ALLOC, set_number, NUM_NEEDED, "Attempting to allocate " },
	{ KIND_ALLOC, set_number, NUM_NEEDED, "Attempting to reserve " },
	{ KIND_ALLOC, set_number, NUM_NEEDED, "Could not allocate " },
	{ KIND_ALLOC, set_number, NUM_FREE, "There are " },
	{ KIND_ALLOC, number_before, NUM_FREE, " bytes available" },
	{ KIND_ALLOC, set_number, NUM_LARGEST, "largest contiguous region of free memory is " },
	{ KIND_ALLOC, number_before, NUM_LARGEST, " reservable" },
	{ KIND_ALLOC, number_before, NUM_LARGEST, " bytes allocatable" },
	{ KIND_GPU, set_number, NUM_NEEDED, "trying to allocate " },
	{ KIND_GPU, set_number, NUM_NEEDED, "Tried to allocate " },
	{ KIND_GPU, set_number, NUM_LIMIT, "total capacity of " },
	{ KIND_GPU, number_before, NUM_LIMIT, " total capacity" },
	{ KIND_GPU, number_before, NUM_USED, " already allocated" },
	{ KIND_GPU, number_before, NUM_FREE, " free;" },
	{ KIND_GPU, set_number, NUM_FREE, "of which " },
	{ KIND_GPU, set_bytes, NUM_NEEDED, "trying to allocate " },
	{ KIND_GPU_SMEM, set_bytes, NUM_NEEDED, "requested " },
	{ KIND_GPU_SMEM, set_bytes, NUM_NEEDED, "Required: " },
	{ KIND_GPU_SMEM, set_bytes, NUM_LIMIT, "available: " },
	{ KIND_GPU_SMEM, set_bytes, NUM_LIMIT, "Hardware limit: " },
	{ KIND_MISMATCH, set_number, NUM_NEEDED, "of size " },
	{ KIND_MISMATCH, set_number, NUM_USED, "incompatible size " },
	{ KIND_VMEM_LIMIT, number_before, NUM_NEEDED, " bytes of scoped Vmem" },
	{ KIND_VMEM_LIMIT, set_bytes, NUM_LIMIT, "max valid bytes is " },
};

static void remat_fields(struct triage_occurrence *o, struct slice s)
{
	const char *at = slice_find(s, "memory use below"), *to;

	if (!at || !(to = slice_find(s, "only reduced to")))
		return;
	struct slice limit = { at, to > at ? (size_t)(to - at) : 0 }, needed = behind(s, to, 0);

	set_number(o, NUM_LIMIT, limit, "(");
	set_number(o, NUM_LIMIT, limit, "below ");
	if ((at = slice_find(needed, ", down from")))
		needed.n = (size_t)(at - needed.s);
	set_number(o, NUM_NEEDED, needed, "(");
	set_number(o, NUM_NEEDED, needed, "reduced to ");
}

static void check_fields(struct triage_occurrence *o, struct slice s)
{
	const char *at = slice_find(s, "Check failed: "), *end;

	if (!at)
		return;
	s = slice_trim(behind(s, at, strlen("Check failed: ")));
	if ((at = slice_find(s, " vs. ")) && (end = memrchr(s.s, '(', (size_t)(at - s.s))))
		s = slice_trim((struct slice){ s.s, (size_t)(end - s.s) });
	triage_set(o, TEXT_OP, s);
}

void triage_fields(struct triage_work *w, struct triage_occurrence *o)
{
	struct slice s = { o->head, o->head_len };
	int special = o->kind >= 0 ? w->kinds[o->kind].special : -1;

	if (!o->head)
		return;
	triage_code(o, s);
	if (!text_after(o, TEXT_MODULE, s, "HLO module: ", " ,;'\"") &&
	    !text_after(o, TEXT_MODULE, s, "Error loading program '", "'"))
		text_after(o, TEXT_MODULE, s, "Executable(", ")");
	if (!text_after(o, TEXT_DEVICE, s, "Physical location: ", " ,;"))
		text_after(o, TEXT_DEVICE, s, "chip locations are:", ";");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].kind == (special == KIND_LOAD ? KIND_ALLOC : special))
			numbers[i].set(o, numbers[i].id, s, numbers[i].phrase);
	switch (special) {
	case KIND_HBM:
	case KIND_ABORT:
	case KIND_VMEM:
	case KIND_SCOPED:
	case KIND_SMEM:
	case KIND_SFLAG:
	case KIND_MEMORY:
	case KIND_SPARSECORE:
		compile_fields(o, s);
		break;
	case KIND_ALLOC:
	case KIND_LOAD:
		device_of(o, s);
		break;
	case KIND_HALTED:
		text_after(o, TEXT_OP, s, "hlo: ", " ,;");
		break;
	case KIND_CHECK:
		check_fields(o, s);
		break;
	case KIND_OP:
		text_after(o, TEXT_OP, s, "No registered '", "'");
		break;
	case KIND_REMAT:
		remat_fields(o, s);
		break;
	default:
		break;
	}
}
