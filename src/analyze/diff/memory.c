#include "config.h"
#include "analyze/diff/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct keyed {
	uint64_t key;
	int which;
	size_t at;
};

VEC_ORDER(by_key, struct keyed, UP(key) UP(which) UP(at));

struct name_pair {
	uint64_t base, new;
};

VEC_ORDER(by_new_name, struct name_pair, UP(new) UP(base));

struct buffers {
	struct comparison *c;
	const struct side *s[SIDES];
	bool *taken[SIDES];
	struct keyed *v;
	struct name_pair *named; /* by the name of the new op */
	size_t nnamed;
};

static uint64_t text_hash(uint64_t h, const char *text)
{
	return hash_bytes(h, text, strlen(text) + 1);
}

/* The instruction of "fusion.3{1}". */
static uint64_t instruction_hash(const char *name)
{
	return hash_bytes(HASH_START, name, strcspn(name, "{"));
}

/* Keys of the levels; 0: the buffer has none. */
static uint64_t key_parameter(const struct buffers *x, int which, const struct side_buffer *b)
{
	(void)x;
	(void)which;
	return b->category == MEMORY_PARAMETER ? text_hash(HASH_START, b->label) : 0;
}

static uint64_t key_small(const struct buffers *x, int which, const struct side_buffer *b)
{
	(void)x;
	(void)which;
	return b->category == MEMORY_CATEGORIES ? 1 : 0;
}

/* Buffers of ops that are the same on both sides, whatever they are called. */
static uint64_t key_instruction(const struct buffers *x, int which, const struct side_buffer *b)
{
	uint64_t name = instruction_hash(b->name);
	size_t low = 0, high = x->nnamed;

	while (which == NEW && low < high) {
		size_t middle = (low + high) / 2;

		if (x->named[middle].new < name)
			low = middle + 1;
		else
			high = middle;
	}
	if (which == NEW && low < x->nnamed && x->named[low].new == name)
		name = x->named[low].base;
	else if (which == NEW && !x->c->same_program)
		return 0;
	return hash_mix(name, text_hash(HASH_START, b->name + strcspn(b->name, "{")));
}

static uint64_t key_shape(const struct buffers *x, int which, const struct side_buffer *b)
{
	(void)x;
	(void)which;
	return text_hash(text_hash(text_hash(HASH_START + (uint64_t)b->category, b->opcode), b->shape),
	    b->op_name);
}

static uint64_t key_size(const struct buffers *x, int which, const struct side_buffer *b)
{
	(void)x;
	(void)which;
	return hash_mix((uint64_t)b->bytes, (uint64_t)b->category + 1);
}

static const char *reason_of(const struct side_buffer *a, const struct side_buffer *b)
{
	if (!a || !b)
		return a ? "gone" : "new";
	if (a->bytes == b->bytes)
		return NULL;
	return strcspn(a->shape, "{") != strcspn(b->shape, "{") ||
		strncmp(a->shape, b->shape, strcspn(a->shape, "{"))
	    ? "shape"
	    : strcmp(a->shape, b->shape) ? "layout"
					 : "lifetime";
}

struct memory_row {
	const struct side_buffer *a, *b;
	const char *reason;
};

#define SCHEMA memory
#define SCHEMA_ROW struct memory_row
#define SCHEMA_DEF "analyze/diff/memory.def"
#include "result/schema_def.h"

const struct schema diff_memory_schema = { SCHEMA_COLUMNS(memory_columns) };

static void add_row(struct buffers *x, const struct side_buffer *a, const struct side_buffer *b)
{
	table_add(&x->c->d->table[DIFF_MEMORY], &(struct memory_row){ a, b, reason_of(a, b) });
}

static void match_level(struct buffers *x,
    uint64_t (*key)(const struct buffers *, int, const struct side_buffer *))
{
	size_t n = 0, middle, end;

	for (int k = 0; k < SIDES; k++)
		for (size_t i = 0; i < x->s[k]->nbuffers; i++) {
			uint64_t h = x->taken[k][i] ? 0 : key(x, k, &x->s[k]->buffer[i]);

			if (h)
				x->v[n++] = (struct keyed){ h, k, i };
		}
	VEC_SORT(x->v, n, by_key);
	for (size_t i = 0; i < n; i = end) {
		for (middle = i; middle < n && x->v[middle].key == x->v[i].key && x->v[middle].which == BASE;)
			middle++;
		for (end = middle; end < n && x->v[end].key == x->v[i].key;)
			end++;
		for (size_t k = 0; i + k < middle && middle + k < end; k++) {
			size_t a = x->v[i + k].at, b = x->v[middle + k].at;

			x->taken[BASE][a] = x->taken[NEW][b] = true;
			add_row(x, &x->s[BASE]->buffer[a], &x->s[NEW]->buffer[b]);
		}
	}
}

static void list_names(struct buffers *x)
{
	x->named = xcalloc(x->c->nunits + 1, sizeof *x->named);
	for (size_t i = 0; i < x->c->nunits; i++) {
		const struct unit *u = &x->c->unit[i];

		if (u->op[BASE] && u->op[NEW] && !u->group)
			x->named[x->nnamed++] =
			    (struct name_pair){ hash_bytes(HASH_START, u->op[BASE]->name.s,
						    u->op[BASE]->name.n),
				    hash_bytes(HASH_START, u->op[NEW]->name.s, u->op[NEW]->name.n) };
	}
	VEC_SORT(x->named, x->nnamed, by_new_name);
}

/* Rows add up to the difference of the peaks: what buffers share is in none of them. */
static void add_rest(struct buffers *x)
{
	struct side_buffer rest[SIDES];

	for (int k = 0; k < SIDES; k++) {
		rest[k] = (struct side_buffer){ .label = "not in a buffer",
			.name = "",
			.shape = "",
			.bytes = x->s[k]->memory_peak };
		for (size_t i = 0; i < x->s[k]->nbuffers; i++)
			rest[k].bytes -= x->s[k]->buffer[i].bytes;
	}
	if (rest[BASE].bytes || rest[NEW].bytes)
		add_row(x, &rest[BASE], &rest[NEW]);
}

void compare_memory(struct comparison *c)
{
	struct buffers x = { .c = c, .s = { c->v[0], c->v[c->first[NEW]] } };

	if (x.s[BASE]->memory_peak < 0 || x.s[NEW]->memory_peak < 0)
		return;
	for (int k = 0; k < SIDES; k++)
		x.taken[k] = xcalloc(x.s[k]->nbuffers + 1, sizeof *x.taken[k]);
	x.v = xcalloc(x.s[BASE]->nbuffers + x.s[NEW]->nbuffers + 1, sizeof *x.v);
	list_names(&x);
	match_level(&x, key_small);
	match_level(&x, key_parameter);
	match_level(&x, key_instruction);
	match_level(&x, key_shape);
	match_level(&x, key_size);
	for (int k = 0; k < SIDES; k++)
		for (size_t i = 0; i < x.s[k]->nbuffers; i++)
			if (!x.taken[k][i])
				add_row(&x, k ? NULL : &x.s[k]->buffer[i], k ? &x.s[k]->buffer[i] : NULL);
	add_rest(&x);
	for (int k = 0; k < SIDES; k++)
		free(x.taken[k]);
	free(x.v);
	free(x.named);
}
