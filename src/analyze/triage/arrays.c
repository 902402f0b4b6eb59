#include "config.h"
#include "analyze/triage/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/units.h"

#define LARGE .25   /* share of all listed bytes that makes a shape worth naming */
#define WORDS 30000 /* a dimension at least this long may be a vocabulary */
#define LOOPS 1024  /* a loop over layers has fewer iterations than this */

static int64_t last(const struct triage_group *g)
{
	return g->shape.dim.n ? triage_dim(g, g->shape.dim.n - 1) : 0;
}

/* Does the group take at least `part` of what is listed?  Never when the list covers next to nothing of what
 * is needed. */
static bool enough(const struct triage_look *l, const struct triage_group *g, double part)
{
	return g->all >= part * l->listed && !(l->listed < TRIAGE_PART * l->needed);
}

/* Returns the first of the words that occurs in the op name or label of a listed buffer of this shape, or
 * NULL. */
static const char *named(const struct triage_look *l, const struct triage_group *g, const char *const *words)
{
	const struct table *b = l->listed_buffers;

	for (size_t i = l->o->in_buffers.from; i < l->o->in_buffers.to; i++) {
		const struct cell *c = &b->cells[i * b->ncolumns];

		if (c[TRIAGE_BUFFERS_error].u.i != (int64_t)l->error ||
		    c[TRIAGE_BUFFERS_shape].type != CELL_STR ||
		    strncmp(c[TRIAGE_BUFFERS_shape].s, g->text.s, g->text.n))
			continue;
		for (size_t w = 0; words[w]; w++)
			if ((c[TRIAGE_BUFFERS_op_name].type == CELL_STR &&
				strstr(c[TRIAGE_BUFFERS_op_name].s, words[w])) ||
			    (c[TRIAGE_BUFFERS_xla_label].type == CELL_STR &&
				strstr(c[TRIAGE_BUFFERS_xla_label].s, words[w])))
				return words[w];
	}
	return NULL;
}

bool triage_over_limit(struct triage_look *l)
{
	char g[200], b[32];

	for (size_t i = 0; i < l->n && triage_is_hbm(l); i++)
		if (l->v[i].size > l->limit && l->limit > 0) {
			snprintf(l->evidence, sizeof l->evidence, "%s; the limit is %s",
			    triage_group_text(&l->v[i], g, sizeof g), units_bytes(b, sizeof b, l->limit));
			l->v[i].told = true;
			return true;
		}
	return false;
}

/* Finds the next setting of a kernel that names a block size, such as \"block_kv_dkv\": 2048. */
static const char *next_block(const char *s, struct slice *name, int64_t *value)
{
	while ((s = strstr(s, "block"))) {
		const char *end = s + strcspn(s, "\\\":, "), *digits = end + strspn(end, "\\\": ");

		*name = (struct slice){ s, (size_t)(end - s) };
		*value = strtoll(digits, NULL, 10);
		s = end;
		if (*end && digits > end && *value > 1 && *value < INT32_MAX)
			return s;
	}
	return NULL;
}

/* Is one dimension the number of blocks that another dimension is split into? */
static bool blocks_of(struct triage_look *l, const struct triage_group *g, const char *setting)
{
	struct slice name;
	int64_t block;
	size_t n, k = g->shape.dim.n;
	const char *op = triage_op(g->op, &n);
	char a[32];

	while ((setting = next_block(setting, &name, &block)))
		for (size_t i = 0; i < k; i++)
			for (size_t j = 0; j < k; j++) {
				int64_t copies = triage_dim(g, i);

				if (i == j || copies < 2 || triage_dim(g, j) % block ||
				    triage_dim(g, j) / block != copies)
					continue;
				snprintf(l->evidence, sizeof l->evidence,
				    "%s %.*s of %.*s: %" PRId64 " is %" PRId64 " / %.*s (%" PRId64 ")",
				    units_bytes(a, sizeof a, g->size), (int)(g->text.n < 80 ? g->text.n : 80),
				    g->text.s, (int)(n < 60 ? n : 60), op, copies, triage_dim(g, j),
				    (int)(name.n < 40 ? name.n : 40), name.s, block);
				snprintf(l->advice, sizeof l->advice,
				    "Use larger blocks in that kernel: %.*s = %" PRId64 " makes %" PRId64
				    " copies instead of %" PRId64 ".",
				    (int)(name.n < 40 ? name.n : 40), name.s, 2 * block, (copies + 1) / 2,
				    copies);
				return true;
			}
	return false;
}

bool triage_kernel_blocks(struct triage_look *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (enough(l, &l->v[i], TRIAGE_PART) &&
		    (blocks_of(l, &l->v[i], l->v[i].label) || blocks_of(l, &l->v[i], l->v[i].op)))
			return l->v[i].told = true;
	return false;
}

/* Attention scores have the shape [batch, heads, s, s].  A shape of rank 3 may as well be a stack of square
 * weights, so its name must confirm it. */
static bool is_scores(const struct triage_look *l, const struct triage_group *g)
{
	static const char *const words[] = { "attention", "softmax", "attn", "qk", NULL };
	size_t n = g->shape.dim.n;

	return n >= 3 && last(g) >= TRIAGE_POSITIONS && triage_dim(g, n - 2) == last(g) &&
	    (n > 3 || named(l, g, words));
}

bool triage_attention_scores(struct triage_look *l)
{
	char g[200];

	for (size_t i = 0; i < l->n; i++)
		if (is_scores(l, &l->v[i]) && enough(l, &l->v[i], TRIAGE_PART)) {
			snprintf(l->evidence, sizeof l->evidence,
			    "%s is square in its last two dimensions: one number for every pair of %" PRId64
			    " positions",
			    triage_group_text(&l->v[i], g, sizeof g), last(&l->v[i]));
			return l->v[i].told = true;
		}
	return false;
}

bool triage_vocabulary(struct triage_look *l)
{
	static const char *const words[] = { "softmax", "cross_entropy", "logits", "one_hot", "lm_head",
		"embed", "vocab", NULL };

	for (size_t i = 0; i < l->n; i++) {
		double all = 0;
		const char *said = NULL;
		size_t n = 0;
		char a[32], b[32];

		if (last(&l->v[i]) < WORDS || l->v[i].shape.dim.n < 2)
			continue;
		for (size_t k = 0; k < l->n; k++) {
			if (last(&l->v[k]) != last(&l->v[i]))
				continue;
			all += l->v[k].all;
			said = said ? said : named(l, &l->v[k], words);
		}
		if (!said || all < TRIAGE_PART * l->listed || !triage_is_hbm(l))
			continue;
		for (size_t k = 0; k < l->n; k++)
			if (last(&l->v[k]) == last(&l->v[i])) {
				l->v[k].told = true;
				n += l->v[k].count;
			}
		snprintf(l->evidence, sizeof l->evidence,
		    "%s of the %s listed, in %zu buffer%s, have the dimension %" PRId64
		    ", which looks like the vocabulary (%s)",
		    units_bytes(a, sizeof a, all), units_bytes(b, sizeof b, l->listed), n, n == 1 ? "" : "s",
		    last(&l->v[i]), said);
		return true;
	}
	return false;
}

bool triage_loop_keeps(struct triage_look *l)
{
	static const char *const words[] = { "AllocateBuffer", "dynamic-update-slice", "dynamic_update_slice",
		NULL };
	char g[200];

	for (size_t i = 0; i < l->n; i++) {
		const struct triage_group *x = &l->v[i];

		if (x->shape.dim.n < 3 || triage_dim(x, 0) < 2 || triage_dim(x, 0) > LOOPS ||
		    !enough(l, x, LARGE) || x->told || !triage_is_hbm(l) || !named(l, x, words))
			continue;
		snprintf(l->evidence, sizeof l->evidence,
		    "%s looks like the values that %" PRId64 " iterations of a loop keep, one slice each",
		    triage_group_text(x, g, sizeof g), triage_dim(x, 0));
		l->loop = triage_dim(x, 0);
		return l->v[i].told = true;
	}
	return false;
}

bool triage_largest_buffer(struct triage_look *l)
{
	char g[200];

	for (size_t i = 0; i < l->n && triage_is_hbm(l); i++)
		if (l->buffers > 1 && enough(l, &l->v[i], LARGE) && l->v[i].count == 1 && !l->v[i].told) {
			snprintf(l->evidence, sizeof l->evidence, "%s, %.0f %% of all that is listed",
			    triage_group_text(&l->v[i], g, sizeof g), 100 * l->v[i].size / l->listed);
			return l->v[i].told = true;
		}
	return false;
}

/* For kernels: the shape that takes most of the kernel's memory. */
bool triage_kernel_buffers(struct triage_look *l)
{
	const struct triage_group *most = NULL;
	char g[200];

	for (size_t i = 0; i < l->n && !triage_is_hbm(l); i++)
		if (enough(l, &l->v[i], LARGE) && l->v[i].all > (most ? most->all : 0))
			most = &l->v[i];
	if (!most)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s, %.0f %% of what is listed",
	    triage_group_text(most, g, sizeof g), 100 * most->all / l->listed);
	return true;
}

bool triage_same_shape(struct triage_look *l)
{
	char g[200], a[32];

	for (size_t i = 0; i < l->n && triage_is_hbm(l); i++)
		if (l->v[i].count > 1 && enough(l, &l->v[i], LARGE) && !l->v[i].told) {
			snprintf(l->evidence, sizeof l->evidence, "%s are live at once, %s in total",
			    triage_group_text(&l->v[i], g, sizeof g), units_bytes(a, sizeof a, l->v[i].all));
			return l->v[i].told = true;
		}
	return false;
}

static bool same_dims(const struct triage_group *a, const struct triage_group *b)
{
	if (a->shape.dim.n != b->shape.dim.n || a->shape.type == b->shape.type)
		return false;
	for (size_t i = 0; i < a->shape.dim.n; i++)
		if (triage_dim(a, i) != triage_dim(b, i))
			return false;
	return true;
}

bool triage_two_types(struct triage_look *l)
{
	for (size_t i = 0; i < l->n && triage_is_hbm(l); i++)
		for (size_t k = 0; k < l->n; k++) {
			const struct triage_group *a = &l->v[i], *b = &l->v[k];
			char x[32], y[32];

			if (!same_dims(a, b) || b->size >= a->size || !enough(l, a, TRIAGE_PART) ||
			    !enough(l, b, TRIAGE_PART / 2))
				continue;
			snprintf(l->evidence, sizeof l->evidence, "there are %s %.*s and %s %.*s",
			    units_bytes(x, sizeof x, a->size), (int)(a->text.n < 80 ? a->text.n : 80),
			    a->text.s, units_bytes(y, sizeof y, b->size),
			    (int)(b->text.n < 80 ? b->text.n : 80), b->text.s);
			return true;
		}
	return false;
}
