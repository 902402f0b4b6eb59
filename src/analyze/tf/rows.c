#include "config.h"

#include "analyze/tf/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text/digit.h"

#define NONE UINT32_MAX
#define DIGITS_MAX 18

struct making {
	const struct tf_compat *compat;
	const struct tf_tree *tree;
	struct tf_rows *out;
	uint64_t *hash; /* of each line: what is in it, without its own name; NULL: no series */
};

/* --- series --- */

/* A child of a scope that may be in a series: "layer" of layer_7 or layer7, and 7. */
struct candidate {
	uint64_t hash, id;
	const char *name;
	uint32_t prefix, line;
};

static int by_series(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int names;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	names = slice_order((struct slice){ x->name, x->prefix }, (struct slice){ y->name, y->prefix });
	if (names)
		return names;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

static struct candidate candidate_of(const struct making *m, uint32_t line)
{
	const struct tf_scope *s = &m->tree->v[line];
	struct candidate c = { .hash = m->hash[line], .name = s->name, .prefix = s->name_len, .line = line };
	uint32_t digits = 0;

	while (digits < s->name_len && s->name[s->name_len - 1 - digits] >= '0' &&
	    s->name[s->name_len - 1 - digits] <= '9')
		digits++;
	if (digits > DIGITS_MAX)
		return c;
	c.prefix -= digits;
	for (uint32_t i = c.prefix; i < s->name_len; i++)
		c.id = c.id * 10 + (uint64_t)(s->name[i] - '0');
	if (digits && c.prefix && s->name[c.prefix - 1] == '_')
		c.prefix--;
	return c;
}

static bool goes_on(const struct candidate *a, const struct candidate *b)
{
	return a->hash == b->hash && a->id + 1 == b->id &&
	    slice_same((struct slice){ a->name, a->prefix }, (struct slice){ b->name, b->prefix });
}

/* Hashes the ops and names of each line and of all lines in it.  Children come after their scopes. */
static bool hash_lines(struct making *m)
{
	const struct tf_tree *t = m->tree;

	m->hash = mem_try(NULL, (size_t)t->n + 1, sizeof *m->hash);
	for (uint32_t i = 0; m->hash && i < t->n; i++)
		m->hash[i] = HASH_START;
	for (uint32_t i = t->n; m->hash && i-- > 1;) {
		const struct tf_scope *s = &t->v[i];
		uint64_t own;

		if (s->node != TF_NO_NODE) {
			const struct tf_node *x = &m->compat->nodes->v[s->node];

			m->hash[i] = hash_bytes(m->hash[i] + s->incompatible, &x->op, sizeof x->op);
		}
		/* (layer_7) is the same in each */
		own = hash_bytes(m->hash[i], s->strict ? "" : s->name, s->strict ? 0 : s->name_len);
		m->hash[s->parent] = (m->hash[s->parent] ^ own) * 0x100000001b3u;
	}
	return m->hash;
}

/* --- rows --- */

static uint32_t put_row(struct making *m, uint32_t line, uint32_t parent)
{
	const struct tf_scope *s = &m->tree->v[line];
	struct tf_rows *out = m->out;

	out->v[out->n] = (struct tf_row){ .scope = line, .ops = s->ops, .incompatible = s->incompatible };
	out->parent[out->n] = parent;
	return out->n++;
}

static void put_children(struct making *m, uint32_t line, uint32_t row);

static void put_line(struct making *m, uint32_t line, uint32_t parent)
{
	uint32_t row = put_row(m, line, parent);

	m->out->of_scope[line] = row;
	if (m->tree->v[line].end > line + 1)
		put_children(m, line, row);
}

static void put_series(struct making *m, const struct candidate *c, size_t n, uint32_t parent)
{
	uint32_t row = put_row(m, c->line, parent);
	struct tf_row *r = &m->out->v[row];

	r->members = (uint32_t)n;
	r->low = c[0].id;
	r->high = c[n - 1].id;
	for (size_t i = 1; i < n; i++) {
		r->ops += m->tree->v[c[i].line].ops;
		r->incompatible += m->tree->v[c[i].line].incompatible;
	}
	for (size_t i = 0; i < n; i++)
		put_line(m, c[i].line, row);
}

struct series {
	uint32_t first; /* line of the first member in the order of the tree */
	size_t from, n; /* candidates */
};

VEC_ORDER(by_first, struct series, UP(first));

/* Finds the series among sorted candidates, and marks their members: line 0 is the root, which is in none. */
static size_t find_series(struct candidate *c, size_t n, struct series **out)
{
	struct series *v = NULL;
	size_t nv = 0, cap = 0;

	for (size_t i = 0, end; i < n; i = end) {
		uint32_t first = c[i].line;

		for (end = i + 1; end < n && goes_on(&c[end - 1], &c[end]); end++)
			first = c[end].line < first ? c[end].line : first;
		if (end - i >= TF_SERIES_LEAST)
			VEC_ADD(v, nv, cap, (struct series){ first, i, end - i });
	}
	VEC_SORT(v, nv, by_first);
	*out = v;
	return nv;
}

static void put_grouped(struct making *m, uint32_t line, uint32_t row)
{
	const struct tf_tree *t = m->tree;
	size_t n = t->v[line].children, nv, k = 0, at = 0;
	struct candidate *c = xcalloc(n + 1, sizeof *c);
	struct series *v;
	bool *in = xcalloc(n + 1, sizeof *in); /* by place among the children: it is in a series */
	uint32_t *place = xcalloc(n + 1, sizeof *place);

	for (uint32_t i = line + 1; i < t->v[line].end; i = t->v[i].end) {
		c[at] = candidate_of(m, i);
		place[at++] = i;
	}
	VEC_SORT(c, n, by_series);
	nv = find_series(c, n, &v);
	for (size_t s = 0; s < nv; s++)
		for (size_t i = 0; i < v[s].n; i++) {
			size_t low = 0, high = n;

			while (high - low > 1) {
				size_t mid = (low + high) / 2;

				*(place[mid] <= c[v[s].from + i].line ? &low : &high) = mid;
			}
			in[low] = true;
		}
	for (size_t i = 0; i < n; i++) {
		if (k < nv && v[k].first == place[i]) {
			put_series(m, c + v[k].from, v[k].n, row);
			k++;
		} else if (!in[i]) {
			put_line(m, place[i], row);
		}
	}
	free(c);
	free(v);
	free(in);
	free(place);
}

/* Nesting is limited by TF_DEPTH. */
static void put_children(struct making *m, uint32_t line, uint32_t row)
{
	const struct tf_tree *t = m->tree;

	if (m->hash && t->v[line].children >= TF_SERIES_LEAST) {
		put_grouped(m, line, row);
		return;
	}
	for (uint32_t c = line + 1; c < t->v[line].end; c = t->v[c].end)
		put_line(m, c, row);
}

/* Members of a series have the key that they have without it. */
static void make_keys(const struct tf_tree *t, struct tf_rows *out)
{
	for (uint32_t i = 0; i < out->n; i++) {
		const struct tf_row *r = &out->v[i];
		const struct tf_scope *x = &t->v[r->scope];
		uint32_t up = out->parent[i];
		uint64_t key = HASH_START;

		if (up != NONE && out->v[up].members)
			up = out->parent[up];
		if (up != NONE)
			key = hash_bytes(key, &out->key[up], sizeof *out->key);
		key = hash_bytes(key, x->name, x->name_len);
		out->key[i] = hash_bytes(key, (char[]){ r->members > 0, x->strict }, 2);
	}
}

int tf_rows_make(const struct tf_compat *c, const struct tf_tree *t, bool series, struct tf_rows *out,
    struct err *err)
{
	struct making m = { .compat = c, .tree = t, .out = out };
	/* a series has five members or more */
	size_t most = (size_t)t->n + t->n / TF_SERIES_LEAST + 1;

	*out = (struct tf_rows){ 0 };
	out->v = mem_try(NULL, most, sizeof *out->v);
	out->parent = mem_try(NULL, most, sizeof *out->parent);
	out->key = mem_try(NULL, most, sizeof *out->key);
	out->of_scope = mem_try(NULL, (size_t)t->n + 1, sizeof *out->of_scope);
	if (!out->v || !out->parent || !out->key || !out->of_scope || (series && !hash_lines(&m))) {
		tf_rows_free(out);
		return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for %u lines", t->n);
	}
	out->of_scope[0] = NONE;
	put_children(&m, 0, NONE);
	make_keys(t, out);
	free(m.hash);
	return 0;
}

void tf_rows_free(struct tf_rows *r)
{
	free(r->v);
	free(r->parent);
	free(r->key);
	free(r->of_scope);
	*r = (struct tf_rows){ 0 };
}

struct cell tf_row_name(const struct tf_tree *t, const struct tf_row *r, struct arena *text)
{
	const struct tf_scope *s = &t->v[r->scope];
	uint32_t prefix = s->name_len;
	char *name, numbers[64];
	int n;

	if (!r->members)
		return tf_scope_name(s, text);
	n = snprintf(numbers, sizeof numbers, "[%" PRIu64 "-%" PRIu64 "]", r->low, r->high);
	while (prefix && is_digit(s->name[prefix - 1]))
		prefix--;
	name = arena_alloc(text, (size_t)prefix + (size_t)n + 1);
	memcpy(name, s->name, prefix);
	memcpy(name + prefix, numbers, (size_t)n);
	return cell_str(name, prefix + (size_t)n);
}

#define SCHEMA rows
#define SCHEMA_ROW struct tf_row_of
#define SCHEMA_DEF "analyze/tf/rows.def"
#include "result/schema_def.h"
const struct schema tf_rows_schema = { SCHEMA_COLUMNS(rows_columns),
	.view = "name ops incompatible tpu_percent op class device -node" };

void tf_rows_table(const struct tf_compat *c, const struct tf_tree *t, const struct tf_rows *rows,
    struct table *out)
{
	table_begin(out, &tf_rows_schema);
	for (uint32_t i = 0; i < rows->n; i++) {
		uint32_t node = rows->v[i].members ? TF_NO_NODE : t->v[rows->v[i].scope].node;

		table_add(out,
		    &(struct tf_row_of){ c, t, &rows->v[i], node == TF_NO_NODE ? NULL : &c->nodes->v[node] });
	}
}
