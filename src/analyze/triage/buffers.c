#include "config.h"
#include "analyze/triage/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/digit.h"

#define VALUE_MAX (256u << 10)

enum key {
	KEY_SIZE,
	KEY_OPERATOR,
	KEY_SHAPE,
	KEY_UNPADDED,
	KEY_PADDING,
	KEY_TAG,
	KEY_LABEL,
	KEY_ALLOCATION,
	KEYS
};

/* Words that begin the lines of an entry: those of TPUs, then those that GPUs spell otherwise. */
static const struct {
	const char *text;
	enum key key;
} keys[] = {
	{ "Operator:", KEY_OPERATOR },
	{ "Shape:", KEY_SHAPE },
	{ "Unpadded size:", KEY_UNPADDED },
	{ "Extra memory due to padding", KEY_PADDING },
	{ "Tag:", KEY_TAG },
	{ "XLA label:", KEY_LABEL },
	{ "Allocation type:", KEY_ALLOCATION },
	{ "XLA Label:", KEY_LABEL },
	{ "Entry Parameter Subshape:", KEY_SHAPE },
};

/* rest: what follows the key */
static int key_of(struct slice s, struct slice *rest)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_cut(&s, keys[i].text)) {
			*rest = s;
			return keys[i].key;
		}
	return -1;
}

static bool is_rule(struct slice s)
{
	size_t n = 0;

	while (n < s.n && s.s[n] == '=')
		n++;
	return n >= 3 && (n == s.n || s.s[n] == ' ');
}

/* Parses "N. Size: X", and "Buffer N:" of GPUs, whose size is in the next line. */
static bool entry_of(struct slice s, int64_t *rank, struct slice *rest)
{
	bool gpu = slice_cut(&s, "Buffer ");
	size_t n = 0;

	for (*rank = 0; n < s.n && n < 9 && is_digit(s.s[n]); n++)
		*rank = *rank * 10 + (s.s[n] - '0');
	*rest = (struct slice){ s.s + n, s.n - n };
	return n && (gpu ? slice_cut(rest, ":") && !slice_trim(*rest).n : slice_cut(rest, ". Size:"));
}

/* Parses "Program hbm requirement 18.29G:" and "Total hbm usage >= 48.00G:" into the memory space and what
 * follows it. */
static bool titled(struct slice s, const char *first, const char *second, struct slice *space,
    struct slice *rest)
{
	const char *at;

	if (!slice_begins(s, first) || !(at = slice_find(s, second)))
		return false;
	*space = (struct slice){ s.s + strlen(first), (size_t)(at - s.s) };
	if (at < s.s + strlen(first))
		return false;
	space->n = (size_t)(at - space->s);
	if (!space->n || space->n > 32 || memchr(space->s, ' ', space->n))
		return false;
	*rest = (struct slice){ at + strlen(second), (size_t)(s.s + s.n - at) - strlen(second) };
	return true;
}

static bool heading_of(struct slice s, bool *arguments, struct slice *space)
{
	static const char *const titles[] = { "Largest program allocations in ",
		"Largest program arguments and outputs in " };

	for (int i = 0; i < 2; i++)
		if (slice_cut(&s, titles[i])) {
			slice_cut_end(&s, ":");
			*arguments = i;
			*space = s;
			return s.n <= 32;
		}
	return false;
}

/* Is this a line like " arguments 0B" of a block whose title is cut off? */
static bool is_total(struct slice s, const char *name)
{
	int64_t v;

	if (!slice_cut(&s, name) || !slice_begins(s, "    ") || !size_read(&s, &v))
		return false;
	return !slice_trim(s).n || slice_begins(s, " size");
}

static bool is_headless_total(struct slice s)
{
	return is_total(s, "program") || is_total(s, "arguments");
}

bool triage_is_block(struct slice s)
{
	struct slice space, rest;
	int64_t rank;
	bool arguments;

	if (!s.n)
		return false;
	switch (*s.s) {
	case 'O':
		return key_of(s, &rest) >= 0 || slice_begins(s, "Output size ");
	case 'S':
	case 'U':
	case 'E':
	case 'X':
	case 'A':
		return key_of(s, &rest) >= 0;
	case 'T':
		return key_of(s, &rest) >= 0 || titled(s, "Total ", " usage >= ", &space, &rest);
	case 'p':
	case 'a':
		return is_headless_total(s);
	case 'P':
		return titled(s, "Program ", " requirement ", &space, &rest);
	case 'L':
		return heading_of(s, &arguments, &space);
	default:
		return is_digit(*s.s) && entry_of(s, &rank, &rest);
	}
}

static const char *keep(struct triage_occurrence *o, struct slice s)
{
	return s.n ? arena_strndup(&o->arena, s.s, s.n) : NULL;
}

static struct triage_buffer *buffer_of(struct triage_occurrence *o)
{
	return o->nbuffers && !o->buffers[o->nbuffers - 1].closed ? &o->buffers[o->nbuffers - 1] : NULL;
}

static struct triage_buffer *buffer_new(struct triage_occurrence *o)
{
	VEC_PUSH(o->buffers, o->nbuffers, o->buffers_cap);
	o->buffers[o->nbuffers] = (struct triage_buffer){ .arguments = o->arguments,
		.rank = SIZE_NONE,
		.size = SIZE_NONE,
		.unpadded = SIZE_NONE,
		.padding = SIZE_NONE,
		.expansion = NAN };
	return &o->buffers[o->nbuffers++];
}

/* Parses name="text" and unescapes \".  Without quotes the value ends at the next blank. */
static const char *attribute(struct triage_occurrence *o, struct slice s, const char *name)
{
	const char *at = s.s, *end = s.s + s.n;
	size_t len = strlen(name), n = 0;
	char *out;

	for (;; at++) {
		if (!(at = memmem(at, (size_t)(end - at), name, len)))
			return NULL;
		if (at == s.s || at[-1] == ' ' || at[-1] == '{')
			break;
	}
	at += len;
	if (at >= end)
		return NULL;
	if (*at != '"') {
		while (at + n < end && at[n] != ' ')
			n++;
		return keep(o, (struct slice){ at, n });
	}
	out = arena_alloc(&o->arena, (size_t)(end - at) + 1);
	for (at++; at < end && *at != '"'; at++) {
		if (*at == '\\' && at + 1 < end && at[1] == '"')
			at++;
		out[n++] = *at;
	}
	return n ? out : NULL;
}

static void operator_of(struct triage_occurrence *o, struct triage_buffer *b, struct slice v)
{
	const char *file, *line;
	size_t n;
	char *source;

	b->op_type = attribute(o, v, "op_type=");
	b->op_name = attribute(o, v, "op_name=");
	file = attribute(o, v, "source_file=");
	line = attribute(o, v, "source_line=");
	if (!file)
		return;
	n = strlen(file) + (line ? strlen(line) : 0) + 2;
	source = arena_alloc(&o->arena, n);
	strcpy(source, file);
	if (line) {
		strcat(source, ":");
		strcat(source, line);
	}
	b->source = source;
}

/* A value is complete when the next key, entry or ===== line begins. */
static void value_end(struct triage_occurrence *o, bool sure)
{
	struct triage_buffer *b = buffer_of(o);
	struct slice v = slice_trim((struct slice){ o->value, sure ? o->value_len : o->value_sure });
	int key = o->key;

	o->key = -1;
	if (key < 0 || !b || !v.s)
		return;
	if (key == KEY_OPERATOR)
		operator_of(o, b, v);
	else if (key == KEY_TAG)
		b->tag = keep(o, v);
	else if (key == KEY_LABEL)
		b->label = keep(o, v);
}

static bool value_add(struct triage_occurrence *o, struct slice s)
{
	if (o->value_len + s.n + 1 > VALUE_MAX)
		return false;
	o->value = xrealloc(o->value, o->value_len + s.n + 2, 1);
	if (o->value_len)
		o->value[o->value_len++] = ' '; /* the line may have been wrapped there */
	memcpy(o->value + o->value_len, s.s, s.n);
	o->value_len += s.n;
	return true;
}

static bool has_key(const struct triage_buffer *b, int key)
{
	switch (key) {
	case KEY_SIZE:
		return b->size != SIZE_NONE;
	case KEY_OPERATOR:
		return b->op_name || b->op_type;
	case KEY_SHAPE:
		return b->shape;
	case KEY_UNPADDED:
		return b->unpadded != SIZE_NONE;
	case KEY_PADDING:
		return b->padding != SIZE_NONE;
	case KEY_TAG:
		return b->tag;
	case KEY_LABEL:
		return b->label;
	default:
		return b->allocation;
	}
}

/* Parses "31.00G (32.0x expansion)" of the line "Extra memory due to padding". */
static void padding_of(struct triage_buffer *b, struct slice v)
{
	const char *at;

	size_read_unit(&v, &b->padding);
	if ((at = slice_find(v, "(")) && slice_find(v, "x expansion")) {
		char number[24] = "";
		size_t n = (size_t)(v.s + v.n - at - 1);

		memcpy(number, at + 1, n < sizeof number - 1 ? n : sizeof number - 1);
		b->expansion = strtod(number, NULL);
	}
}

static void key_line(struct triage_occurrence *o, int key, struct slice s)
{
	struct triage_buffer *b;
	struct slice v;

	value_end(o, true);
	b = buffer_of(o);
	if (!b || has_key(b, key)) { /* the beginning of this entry is cut off */
		b = buffer_new(o);
		b->half = true;
	}
	slice_cut(&s, ":");
	v = slice_trim(s);
	o->section = SECTION_LIST;
	switch (key) {
	case KEY_SIZE:
		size_read_unit(&v, &b->size);
		break;
	case KEY_SHAPE:
		b->shape = keep(o, v);
		break;
	case KEY_UNPADDED:
		size_read_unit(&v, &b->unpadded);
		break;
	case KEY_PADDING:
		padding_of(b, v);
		break;
	case KEY_ALLOCATION:
		b->allocation = keep(o, v);
		break;
	default:
		o->key = key;
		o->value_len = 0;
		value_add(o, v);
		o->value_sure = o->value_len;
		break;
	}
}

static void drop_empty_half(struct triage_occurrence *o)
{
	struct triage_buffer *b = buffer_of(o);

	if (b && b->half && !b->shape && !b->label)
		o->nbuffers--;
}

static bool list_line(struct triage_occurrence *o, struct slice s)
{
	struct slice rest;
	int64_t rank;
	int key;

	if (entry_of(s, &rank, &rest)) {
		struct triage_buffer *b;

		value_end(o, true);
		drop_empty_half(o);
		b = buffer_new(o);
		b->rank = rank;
		size_read_unit(&rest, &b->size);
		o->section = SECTION_LIST;
		o->heading = false;
		return true;
	}
	key = key_of(s, &rest);
	if (key < 0 && buffer_of(o) && buffer_of(o)->size == SIZE_NONE && !buffer_of(o)->half &&
	    slice_cut(&s, "Size:")) {
		key = KEY_SIZE;
		rest = s;
	}
	if (key >= 0) {
		key_line(o, key, rest);
		o->heading = false;
		return true;
	}
	if (o->section != SECTION_LIST)
		return false;
	if (is_rule(s)) {
		value_end(o, true);
		drop_empty_half(o);
		if (buffer_of(o))
			buffer_of(o)->closed = s.n >= 5 && !memchr(s.s, ' ', s.n);
		return true;
	}
	return o->key >= 0 && value_add(o, s);
}

/* Parses "name 18.29G (86.3% utilization: Unpadded (15.79G) Padded (18.29G), 0.0% fragmentation (77.5K))". */
static bool need_line(struct triage_occurrence *o, struct slice s)
{
	static const char *const names[] = { "reserved", "global", "scoped", "overlays", "HLO temp" };
	struct triage_need x = { .unpadded = SIZE_NONE,
		.padded = SIZE_NONE,
		.fragmentation = SIZE_NONE,
		.utilization = NAN,
		.fragmentation_percent = NAN,
		.size = SIZE_NONE };
	const char *at;
	char *end;

	for (size_t i = 0; i < sizeof names / sizeof *names && !x.name; i++)
		if (slice_begins(s, names[i]) && (s.n == strlen(names[i]) || s.s[strlen(names[i])] == ' '))
			x.name = names[i];
	if (!x.name)
		return false;
	slice_cut(&s, x.name);
	if (!size_read_unit(&s, &x.size) && slice_trim(s).n)
		return false;
	size_read_after(s, "Unpadded (", &x.unpadded);
	size_read_after(s, " Padded (", &x.padded);
	size_read_after(s, "fragmentation (", &x.fragmentation);
	char *copy = xstrndup(s.s, s.n);

	if ((at = strchr(copy, '(')) && strstr(copy, "% utilization")) {
		x.utilization = strtod(at + 1, &end);
		if (*end != '%')
			x.utilization = NAN;
	}
	if ((at = strstr(copy, "% fragmentation"))) {
		while (at > copy && (at[-1] == '.' || is_digit(at[-1])))
			at--;
		x.fragmentation_percent = strtod(at, NULL);
	}
	free(copy);
	VEC_ADD(o->needs, o->nneeds, o->needs_cap, x);
	return true;
}

/* Parses a rounded size followed by the exact bytes in parentheses. */
static bool number_line(struct triage_occurrence *o, struct slice s, const char *name, enum triage_number id)
{
	int64_t v, bytes;
	bool exact;

	if (!slice_cut(&s, name) || !(id == NUM_LIMIT || id == NUM_USED ? size_read : size_read_unit)(&s, &v))
		return false;
	exact = slice_find(s, " bytes)") && size_read_after(s, "(", &bytes) && bytes != SIZE_NONE;
	if (exact || o->num[id] == SIZE_NONE)
		if (!(o->exact & 1u << id)) {
			o->num[id] = exact ? bytes : v;
			o->exact |= exact ? 1u << id : 0;
		}
	return true;
}

static bool total_line(struct triage_occurrence *o, struct slice s)
{
	static const struct {
		const char *name;
		enum triage_number id;
	} lines[] = {
		{ "reserved(Infeed/Outfeed/Continuations)", NUM_RESERVED },
		{ "reserved ", NUM_RESERVED },
		{ "program ", NUM_PROGRAM },
		{ "arguments ", NUM_ARGUMENTS },
		{ "heap allocations (without fragmentation)", NUM_USED },
		{ "heap allocations ", NUM_USED },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (number_line(o, s, lines[i].name, lines[i].id)) {
			o->unknown_program |= lines[i].id == NUM_PROGRAM && o->num[NUM_PROGRAM] == SIZE_NONE;
			return true;
		}
	return false;
}

/* Parses the memory statistics that some runtimes print after the error sentence. */
static bool stats_line(struct triage_occurrence *o, struct slice s)
{
	static const struct {
		const char *name;
		enum triage_number id;
	} lines[] = {
		{ "HBM capacity ", NUM_LIMIT },
		{ "Top-of-Memory reserved:", NUM_RESERVED },
		{ "Currently allocated:", NUM_USED },
		{ "Limit:", NUM_LIMIT },
		{ "InUse:", NUM_USED },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (number_line(o, s, lines[i].name, lines[i].id))
			return true;
	if (slice_cut(&s, "Max free chunk")) { /* a number in the sentence takes precedence */
		int64_t size;
		const char *head = o->head;

		if (size_read(&s, &size) &&
		    !(head && (strstr(head, "largest contiguous") || strstr(head, "reservable"))))
			o->num[NUM_LARGEST] = size;
		return true;
	}
	return false;
}

static bool same_space(struct triage_occurrence *o, struct slice space)
{
	return !o->block_space ||
	    (strlen(o->block_space) == space.n && !strncasecmp(o->block_space, space.s, space.n));
}

static void take_space(struct triage_occurrence *o, struct slice space)
{
	char low[40];

	if (o->block_space)
		return;
	for (size_t i = 0; i < space.n; i++)
		low[i] = (char)(space.s[i] >= 'A' && space.s[i] <= 'Z' ? space.s[i] | 32 : space.s[i]);
	o->block_space = keep(o, (struct slice){ low, space.n });
}

/* Does the block name the same memory space as the sentence? */
static bool sentence_space(struct triage_occurrence *o, struct slice space)
{
	struct slice head = { o->head, o->head_len };
	const char *at = o->head ? slice_find(head, "memory in memory space ") : NULL;

	return !at ||
	    (head.s + head.n - at > (ptrdiff_t)(23 + space.n - 1) && !strncasecmp(at + 23, space.s, space.n));
}

static bool title_line(struct triage_occurrence *o, struct slice s, bool *refused)
{
	struct slice space, rest;
	int64_t v;
	bool arguments;

	*refused = false;
	if (titled(s, "Total ", " usage >= ", &space, &rest)) {
		*refused = o->total || o->requirement || !same_space(o, space) || !sentence_space(o, space);
		if (*refused || !size_read_unit(&rest, &v))
			return true;
		o->num[NUM_TOTAL] = v;
		o->total = true;
		o->section = SECTION_TOTAL;
		take_space(o, space);
		return true;
	}
	if (titled(s, "Program ", " requirement ", &space, &rest)) {
		*refused = o->requirement || !same_space(o, space) || !sentence_space(o, space) ||
		    (o->kind < 0 && o->nbuffers);
		if (*refused || !size_read_unit(&rest, &v))
			return true;
		if (o->num[NUM_PROGRAM] == SIZE_NONE && !o->unknown_program)
			o->num[NUM_PROGRAM] = v;
		if (o->kind < 0) /* the total is the main number of a report without a sentence */
			o->head_lines = -1;
		o->requirement = true;
		o->section = SECTION_REQUIREMENT;
		take_space(o, space);
		return true;
	}
	if (heading_of(s, &arguments, &space)) {
		*refused = !same_space(o, space) || (arguments == o->arguments && o->heading) ||
		    (o->nbuffers && o->arguments == arguments);
		if (*refused)
			return true;
		value_end(o, true);
		take_space(o, space);
		o->arguments = arguments;
		o->heading = true;
		o->section = SECTION_LIST;
		return true;
	}
	return false;
}

static bool report_line(struct triage_occurrence *o, struct slice s)
{
	bool taken;

	o->report.open = o->section == SECTION_REPORT;
	taken = usage_report_line(&o->report, s, &o->arena);
	if (o->report.open)
		o->section = SECTION_REPORT;
	return taken;
}

bool triage_block_line(struct triage_work *w, struct triage_occurrence *o, struct slice s)
{
	bool oom = o->kind < 0 || triage_is_oom(w, o->kind), refused;
	int64_t v;

	if (o->kind >= 0 && o->kind == w->special[KIND_GPU] && triage_gpu_line(o, s))
		return true;
	if (slice_find(s, "/errors/error_")) {
		triage_code(o, s);
		return true;
	}
	if (!oom)
		return false;
	if (title_line(o, s, &refused)) {
		if (!refused && o->kind < 0 && o->section == SECTION_REQUIREMENT) {
			o->line = w->line;
			o->text[TEXT_MESSAGE] = NULL;
			triage_set(o, TEXT_MESSAGE, s);
		}
		return !refused;
	}
	if (slice_begins(s, "Output size ")) {
		if (o->nbuffers)
			return false;
		size_read_after(s, "Output size ", &o->num[NUM_OUTPUT]);
		if (size_read_after(s, "; shares ", &v))
			o->num[NUM_SHARED] = v;
		return true;
	}
	if (list_line(o, s))
		return true;
	if (!s.n) {
		o->section = o->section == SECTION_TOTAL || o->section == SECTION_REQUIREMENT ? SECTION_NONE
											      : o->section;
		return o->section == SECTION_REPORT;
	}
	if (o->section == SECTION_REQUIREMENT && need_line(o, s))
		return true;
	if (o->kind < 0 && !o->requirement && !o->nbuffers && is_headless_total(s))
		o->section = SECTION_TOTAL;
	if (o->section == SECTION_TOTAL ? total_line(o, s)
					: o->section == SECTION_NONE && slice_begins(s, "arguments ") &&
		    o->num[NUM_ARGUMENTS] == SIZE_NONE && total_line(o, s))
		return true;
	return (o->kind >= 0 && (o->kind == w->special[KIND_ALLOC] || o->kind == w->special[KIND_LOAD]) &&
		   stats_line(o, s)) ||
	    report_line(o, s);
}

void triage_blocks_end(struct triage_occurrence *o)
{
	value_end(o, false);
	drop_empty_half(o);
	/* Unless it is cut off, the last table covers its whole allocation (100 %). */
	o->report.cut |= o->report.nslots && o->report.slots[o->report.nslots - 1].percent < 100;
}
