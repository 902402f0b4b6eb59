#include "config.h"
#include "analyze/framework/internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clamp.h"

#define LETTERS_LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* Returns how many characters match: one of `first`, then any number of `rest`. */
static size_t match(struct slice t, const char *first, const char *rest)
{
	size_t i = 0;

	if (!t.n || !t.s[0] || !strchr(first, t.s[0]))
		return 0;
	for (i = 1; i < t.n && t.s[i] && strchr(rest, t.s[i]);)
		i++;
	return i;
}

static enum framework_kind parse_memcpy(struct slice full, struct slice *name, struct slice *type)
{
	static const char *const kinds[] = { "MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH" };

	*name = full;
	*type = slice_of("");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (full.n < strlen(kinds[i]) || strncasecmp(full.s, kinds[i], strlen(kinds[i])))
			continue;
		*type = slice_of(kinds[i]);
		return FRAMEWORK_MEMCPY;
	}
	return FRAMEWORK_UNKNOWN;
}

/* Returns the last part of a path, without a trailing "_12". */
static struct slice type_of_path(struct slice path)
{
	const char *slash = path.n ? memrchr(path.s, '/', path.n) : NULL, *under;
	struct slice t = path, digits;

	if (slash)
		t = (struct slice){ slash + 1, path.n - (size_t)(slash + 1 - path.s) };
	under = t.n ? memrchr(t.s, '_', t.n) : NULL;
	if (!under)
		return t;
	digits = (struct slice){ under + 1, t.n - (size_t)(under + 1 - t.s) };
	if (digits.n > 1 && (*digits.s == '+' || *digits.s == '-')) {
		digits.s++;
		digits.n--;
	}
	if (digits.n && match(digits, DIGITS, DIGITS) == digits.n)
		t.n = (size_t)(under - t.s);
	return t;
}

enum framework_kind framework_parse(struct slice full, struct slice *name, struct slice *type)
{
	const char *colon = full.n ? memchr(full.s, ':', full.n) : NULL;
	struct slice head, tail, t;
	size_t n;

	if (!colon)
		return parse_memcpy(full, name, type);
	head = (struct slice){ full.s, (size_t)(colon - full.s) };
	tail = (struct slice){ colon + 1, full.n - head.n - 1 };
	*name = full;
	if (slice_is(head, "Iterator")) {
		*type = slice_of("Dataset");
		return FRAMEWORK_DATA;
	}
	*name = head;
	*type = tail;
	n = match(head, LETTERS_LOWER LETTERS_UPPER DIGITS ".", LETTERS_LOWER LETTERS_UPPER DIGITS "_./>-");
	if (n && n == head.n && tail.n &&
	    match(tail, LETTERS_UPPER "_", LETTERS_LOWER LETTERS_UPPER DIGITS "_") == tail.n)
		return FRAMEWORK_TF;
	t = tail.n ? tail : type_of_path(head);
	n = match(t, LETTERS_LOWER "_", LETTERS_LOWER DIGITS "_");
	if (n && (n == t.n || (t.s[n] == '[' && t.s[t.n - 1] == ']'))) {
		*type = (struct slice){ t.s, n };
		return FRAMEWORK_JAX;
	}
	*type = t;
	if (!tail.n)
		return FRAMEWORK_TF;
	*name = full;
	*type = slice_of("");
	return FRAMEWORK_UNKNOWN;
}

bool framework_is_idle(const struct framework_row *r)
{
	return slice_is(r->name, "IDLE");
}

static size_t slot_of(const struct framework_table *t, struct slice name)
{
	size_t i = strtab_hash(name.s, name.n) & (t->nslots - 1);

	while (t->slot[i] && !slice_same(t->v[t->slot[i] - 1].name, name))
		i = (i + 1) & (t->nslots - 1);
	return i;
}

uint32_t framework_row_of(struct framework_table *t, struct slice name, struct slice type)
{
	if (t->n * 2 >= t->nslots) {
		free(t->slot);
		t->nslots = t->nslots ? t->nslots * 2 : 256;
		t->slot = xcalloc(t->nslots, sizeof *t->slot);
		for (size_t i = 0; i < t->n; i++)
			t->slot[slot_of(t, t->v[i].name)] = (uint32_t)i + 1;
	}
	size_t i = slot_of(t, name);

	if (!t->slot[i]) {
		VEC_ADD(t->v, t->n, t->cap, (struct framework_row){ .name = name, .type = type });
		t->slot[i] = (uint32_t)t->n;
	}
	if (!t->v[t->slot[i] - 1].type.n)
		t->v[t->slot[i] - 1].type = type;
	return t->slot[i] - 1;
}

void framework_add_idle(struct framework_table *t, int64_t idle)
{
	uint32_t row = framework_row_of(t, slice_of("IDLE"), slice_of("IDLE"));
	struct opsum *s = &t->v[row].sum;

	s->time = add_clamped(s->time, idle);
	s->self = add_clamped(s->self, idle);
}

static void group_device(const struct dump *d, const struct opdb *db, struct framework_table *t)
{
	for (size_t i = 0; i < db->n; i++) {
		const struct op *o = &db->v[i];
		struct slice name = dump_text(d, o->name), type = slice_of("");
		struct opsum sum = o->sum, *to;
		uint32_t row;

		if (o->sparse)
			continue;
		if (o->provenance.n)
			framework_parse(o->provenance, &name, &type);
		row = framework_row_of(t, name, type.n ? type : slice_of("Unknown"));
		to = &t->v[row].sum;
		if (!t->v[row].longest || o->sum.self > t->v[row].longest->sum.self)
			t->v[row].longest = o;
		sum.has_mem = sum.no_spaces = false;
		memset(sum.mem, 0, sizeof sum.mem);
		sum.occurrences = sum.occurrences > to->occurrences ? sum.occurrences - to->occurrences : 0;
		opsum_add(to, &sum);
	}
	t->total = db->total;
	t->op_time = db->op_time;
	if (db->planes)
		framework_add_idle(t, sub_clamped(sub_clamped(db->total, db->op_time), db->other));
}

static int by_self(const void *a, const void *b)
{
	const struct framework_row *x = a, *y = b;

	if (x->sum.self != y->sum.self)
		return x->sum.self > y->sum.self ? -1 : 1;
	return slice_order(x->name, y->name);
}

static void sort(struct framework_table *t)
{
	VEC_SORT(t->v, t->n, by_self);
}

bool framework_host(const struct dump *d, const struct framework_host_options *o, struct framework *f)
{
	bool whole;

	*f = (struct framework){ 0 };
	strtab_init(&f->text);
	whole = framework_host_rows(d, o, f);
	sort(&f->host);
	return whole;
}

void framework_ops(const struct dump *d, const struct opdb *db, const struct framework_host_options *o,
    struct framework *f)
{
	*f = (struct framework){ 0 };
	strtab_init(&f->text);
	group_device(d, db, &f->device);
	framework_host_rows(d, o, f);
	sort(&f->device);
	sort(&f->host);
}

void framework_free(struct framework *f)
{
	free(f->device.v);
	free(f->device.slot);
	free(f->host.v);
	free(f->host.slot);
	strtab_free(&f->text);
	*f = (struct framework){ 0 };
}
