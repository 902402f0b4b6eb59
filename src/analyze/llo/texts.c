#include "config.h"
#include "analyze/llo/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool llo_next_line(struct slice *text, struct slice *line)
{
	const char *nl = text->n ? memchr(text->s, '\n', text->n) : NULL;

	if (!text->n)
		return false;
	*line = (struct slice){ text->s, nl ? (size_t)(nl - text->s) : text->n };
	text->s += line->n + (nl != NULL);
	text->n -= line->n + (nl != NULL);
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	return true;
}

bool llo_cut_number(struct slice *s, int64_t *v)
{
	struct slice t = *s;
	bool hex = slice_cut(&t, "0x"), minus = !hex && slice_cut(&t, "-");
	int64_t n = 0;
	size_t i = 0;

	for (; i < t.n && (hex ? isxdigit((unsigned char)t.s[i]) : isdigit((unsigned char)t.s[i])); i++) {
		int c = tolower((unsigned char)t.s[i]);

		n = add_clamped(mul_clamped(n, hex ? 16 : 10), c >= 'a' ? c - 'a' + 10 : c - '0');
	}
	if (!i)
		return false;
	*v = minus ? -n : n;
	*s = (struct slice){ t.s + i, t.n - i };
	return true;
}

struct slice llo_between(struct slice s, const char *before, const char *after)
{
	const char *p = slice_find(s, before), *end;

	if (!p)
		return (struct slice){ NULL, 0 };
	p += strlen(before);
	s = (struct slice){ p, (size_t)(s.s + s.n - p) };
	if (!*after)
		return s;
	end = slice_find(s, after);
	return end ? (struct slice){ p, (size_t)(end - p) } : (struct slice){ NULL, 0 };
}

/* --- utilization --- */

static void read_names(struct slice line, struct llo_matrix *m)
{
	while (line.n && m->nunits < LLO_UNITS_MOST) {
		const char *comma = memchr(line.s, ',', line.n);
		size_t n = comma ? (size_t)(comma - line.s) : line.n;

		m->name[m->nunits++] = slice_trim((struct slice){ line.s, n });
		line.s += n + (comma != NULL);
		line.n -= n + (comma != NULL);
	}
}

/* Returns how many numbers the line has, of which those that fit into v are stored; -1: it has others. */
static int read_row(struct slice line, int64_t v[LLO_UNITS_MOST])
{
	int n = 0;

	for (line = slice_trim(line); line.n; line = slice_trim(line)) {
		int64_t x;

		if (!llo_cut_number(&line, &x) || (line.n && *line.s != ' ') || x < 0 || x > UINT16_MAX)
			return -1;
		if (n < LLO_UNITS_MOST)
			v[n] = x;
		n++;
	}
	return n;
}

static void add_row(struct llo_matrix *m, struct slice line)
{
	int64_t v[LLO_UNITS_MOST];

	if (read_row(line, v) != (int)m->nunits || !m->nunits) {
		m->skipped++;
		return;
	}
	if (m->n == m->cap) {
		m->cap = m->cap ? m->cap * 2 : 64;
		m->use = xrealloc(m->use, m->cap * m->nunits, sizeof *m->use);
	}
	for (size_t i = 0; i < m->nunits; i++)
		m->use[m->n * m->nunits + i] = (uint16_t)v[i];
	m->n++;
}

void llo_read_matrix(struct slice text, struct llo_matrix *m)
{
	enum { BEFORE, CAPACITY, UTILIZATION } part = BEFORE;
	struct slice line;

	*m = (struct llo_matrix){ .n = 0 };
	while (llo_next_line(&text, &line)) {
		int64_t v[LLO_UNITS_MOST] = { 0 };

		line = slice_trim(line);
		if (slice_begins(line, "==")) {
			part = slice_find(line, "CAPA") ? CAPACITY
			    : slice_find(line, "UTIL")  ? UTILIZATION
							: BEFORE;
		} else if (part == CAPACITY && line.n && !m->nunits) {
			read_names(line, m);
		} else if (part == CAPACITY && line.n) {
			if (read_row(line, v) >= 0)
				for (size_t i = 0; i < m->nunits; i++)
					m->capacity[i] = (uint32_t)v[i];
		} else if (part == UTILIZATION && line.n) {
			add_row(m, line);
		}
	}
}

/* --- schedule analysis --- */

static int64_t stated(struct slice line, const char *what)
{
	struct slice t = llo_between(line, what, "");
	int64_t v = -1;

	t = slice_trim(t);
	return t.s && llo_cut_number(&t, &v) ? v : -1;
}

void llo_read_schedule(struct slice text, struct llo_totals *t)
{
	struct slice line;

	*t = (struct llo_totals){ -1, -1 };
	while ((t->total < 0 || t->empty < 0) && llo_next_line(&text, &line)) {
		if (t->total < 0)
			t->total = stated(line, "total scheduled bundles:");
		if (t->empty < 0 && !slice_find(line, "non empty"))
			t->empty = stated(line, "empty scheduled bundles:");
	}
}

/* the first word before a parenthesis: " custom-call(" */
static struct slice called(struct slice s)
{
	for (size_t i = 0; i + 1 < s.n; i++) {
		size_t n = 0;

		if (s.s[i] != ' ' || !islower((unsigned char)s.s[i + 1]))
			continue;
		while (i + 1 + n < s.n &&
		    (islower((unsigned char)s.s[i + 1 + n]) || isdigit((unsigned char)s.s[i + 1 + n]) ||
			s.s[i + 1 + n] == '-'))
			n++;
		if (i + 1 + n < s.n && s.s[i + 1 + n] == '(')
			return (struct slice){ s.s + i + 1, n };
		i += n;
	}
	return (struct slice){ NULL, 0 };
}

/* Lines " 345.00 scheduled bundles (100.00%): %NAME = SHAPE OPCODE(...)"; others have "[opcode]" in its place. */
struct slice llo_result_of(struct slice hlo)
{
	const char *equals = slice_find(hlo, " = ");
	struct slice op;

	if (!equals)
		return (struct slice){ NULL, 0 };
	hlo = (struct slice){ equals + 3, (size_t)(hlo.s + hlo.n - equals - 3) };
	op = called((struct slice){ hlo.s - 1, hlo.n + 1 });
	return (struct slice){ hlo.s, op.s ? (size_t)(op.s + op.n - hlo.s) : 0 };
}

void llo_read_instruction(struct slice text, struct llo_kernel *k, bool cut)
{
	static const char marker[] = "scheduled bundles (";
	struct slice line;

	while (llo_next_line(&text, &line)) {
		const char *p = slice_find(line, marker), *name;
		struct slice hlo = { p, p ? (size_t)(line.s + line.n - p) : 0 }, rest, op;

		if (!p || !(name = slice_find(hlo, "%): %")))
			continue;
		name += 5;
		hlo = (struct slice){ name, (size_t)(line.s + line.n - name) };
		p = memchr(hlo.s, ' ', hlo.n);
		rest = (struct slice){ p, p ? (size_t)(hlo.s + hlo.n - p) : 0 };
		hlo.n = p ? (size_t)(p - hlo.s) : hlo.n;
		if (!slice_begins(rest, " = ") || hlo.n < k->name.n || memcmp(hlo.s, k->name.s, k->name.n) ||
		    (hlo.n > k->name.n && !cut))
			continue;
		if (!(op = called((struct slice){ rest.s + 2, rest.n - 2 })).s)
			continue;
		k->name = hlo;
		k->opcode = op;
		k->result = llo_result_of(rest);
		k->target = llo_between(rest, "custom_call_target=\"", "\"");
		k->op_name = llo_between(rest, "op_name=\"", "\"");
		return;
	}
}

/* --- regions --- */

/* "loop: start=S, step=T, limit=L" */
static int64_t trips_of(struct slice line)
{
	int64_t start, step, limit, trips;
	bool known = slice_cut(&line, "loop: start=") && llo_cut_number(&line, &start) &&
	    slice_cut(&line, ", step=") && llo_cut_number(&line, &step) && slice_cut(&line, ", limit=") &&
	    llo_cut_number(&line, &limit) && !line.n;

	if (!known || step <= 0)
		return -1;
	limit = sub_clamped(limit, start);
	trips = limit / step + (limit > 0 && limit % step != 0);
	return trips < 0 ? 0 : trips;
}

static struct slice kind_of(struct slice name, struct slice rest)
{
	static const char *const kinds[] = { "input window", "output window", "scratch operand",
		"internal scratch" };
	struct slice tag = llo_between(rest, "tag = '", "'");

	if (slice_ends(name, "_spill"))
		return slice_of("spill");
	if (slice_find(rest, "fixed_abs"))
		return (struct slice){ NULL, 0 };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (slice_begins(tag, kinds[i]))
			return slice_of(kinds[i]);
	return slice_of("other");
}

static void add_memory(struct llo_kernel *k, struct slice space, struct slice kind, int64_t bytes)
{
	enum { SPACES_MOST = 64 };
	size_t i = 0;

	while (
	    i < k->nmemory && !(slice_same(k->memory[i].space, space) && slice_same(k->memory[i].kind, kind)))
		i++;
	if (i == SPACES_MOST)
		return;
	if (i == k->nmemory) {
		k->memory = xrealloc(k->memory, ++k->nmemory, sizeof *k->memory);
		k->memory[i] = (struct llo_memory){ space, kind, 0 };
	}
	k->memory[i].bytes = add_clamped(k->memory[i].bytes, bytes);
}

/* "#allocation3 [shape = '...', space=vmem, size = 0x80000, ...]" */
static void read_allocation(struct slice line, struct llo_kernel *k)
{
	const char *blank = memchr(line.s, ' ', line.n);
	struct slice name = { line.s, blank ? (size_t)(blank - line.s) : 0 };
	struct slice space = llo_between(line, "', space=", ","), kind;
	struct slice size = llo_between(line, ", size = ", "");
	int64_t bytes;

	if (!slice_begins(line, "#allocation") || !name.n || !space.n || !slice_begins(size, "0x") ||
	    !llo_cut_number(&size, &bytes))
		return;
	kind = kind_of(name, size);
	if (!kind.n)
		return;
	add_memory(k, space, kind, bytes);
	if (slice_is(kind, "spill"))
		for (int i = 0; i < 2; i++)
			if (slice_is(space, i ? "smem" : "vmem"))
				k->spill_bytes[i] = add_clamped(k->spill_bytes[i], bytes);
}

void llo_read_regions(struct slice text, struct llo_kernel *k, struct llo_regions_text *r)
{
	struct slice line;

	while (llo_next_line(&text, &line)) {
		line = slice_trim(line);
		if (slice_begins(line, "loop: start="))
			VEC_ADD(r->trips, r->n, r->cap, trips_of(line));
		else if (slice_begins(line, "// DoWhile loop"))
			VEC_ADD(r->trips, r->n, r->cap, -1);
		else if (slice_begins(line, "#allocation"))
			read_allocation(line, k);
	}
}

/* --- chains --- */

static int by_region(const void *a, const void *b)
{
	const struct llo_chain *x = a, *y = b;

	return x->region != y->region ? (x->region > y->region) - (x->region < y->region)
				      : (x->length < y->length) - (x->length > y->length);
}

static int by_length(const void *a, const void *b)
{
	const struct llo_chain *x = a, *y = b;

	return x->length != y->length ? (x->length < y->length) - (x->length > y->length)
				      : (x->region > y->region) - (x->region < y->region);
}

/* Regions may be in others: the outermost one, whose parent is -1, is the whole unit with what enters and leaves it. */
void llo_read_chains(struct slice text, struct llo_kernel *k)
{
	size_t cap = 0, n = 0;
	struct slice line;
	int64_t region, length;
	bool in = false;

	while (llo_next_line(&text, &line)) {
		if (slice_cut(&line, "New basic block in region: ")) {
			in = slice_cut(&line, "region") && llo_cut_number(&line, &region) &&
			    slice_begins(line, " {members=") && !slice_find(line, " parent=-1}") &&
			    region >= 0 && region < LLO_NONE;
			if (in)
				VEC_ADD(k->chain, k->nchains, cap,
				    (struct llo_chain){ (uint32_t)region, LLO_NONE, -1, -1 });
			continue;
		}
		line = slice_trim(line);
		if (in && slice_cut(&line, "Length to end: ") && llo_cut_number(&line, &length) &&
		    length > k->chain[k->nchains - 1].length)
			k->chain[k->nchains - 1].length = length;
	}
	VEC_SORT(k->chain, k->nchains, by_region);
	for (size_t i = 0; i < k->nchains; i++)
		if (k->chain[i].length >= 0 && (!n || k->chain[n - 1].region != k->chain[i].region))
			k->chain[n++] = k->chain[i];
	k->nchains = n;
	VEC_SORT(k->chain, k->nchains, by_length);
}
