#include "config.h"
#include "analyze/triage_shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define LARGE .25 /* of all that is listed: worth naming */
#define PART .10 /* less does not explain a failure */
#define MOST .60
#define POSITIONS 1024 /* a sequence shorter than that has small scores */
#define LONGEST (INT64_C(1) << 40) /* dimensions beyond that are damage */
#define WORDS 30000 /* of a vocabulary, at least */
#define LOOPS 1024 /* a loop over layers is shorter */
#define PADDED .20 /* of the list, above which padding is a finding of its own */
#define PADDED_SOME .05
#define PADDED_LEAST .01 /* of the program */
#define NEARLY .03 /* of the limit */
#define FAR 2.0 /* times the limit */

static int64_t dim(const struct triage_group *g, size_t i)
{
	return g->shape.dim.v[i];
}

static int64_t last(const struct triage_group *g)
{
	return g->shape.dim.n ? dim(g, g->shape.dim.n - 1) : 0;
}

/* Of what is listed, unless that is next to nothing of what is needed. */
static bool enough(const struct triage_look *l, const struct triage_group *g, double part)
{
	return g->all >= part * l->listed && !(l->listed < PART * l->needed);
}

/* The first of the words that a buffer of that shape has in its op or label. */
static const char *named(const struct triage_look *l, const struct triage_group *g, const char *const *words)
{
	const struct table *b = &l->w->t->buffers;
	int error = table_column(b, "error"), shape = table_column(b, "shape"),
	    op = table_column(b, "op_name"), label = table_column(b, "xla_label");

	for (size_t i = l->o->in_buffers.from; i < l->o->in_buffers.to; i++) {
		const struct cell *c = &b->cells[i * b->ncolumns];

		if (c[error].u.i != (int64_t)l->error || c[shape].type != CELL_STR ||
		    strncmp(c[shape].s, g->text.s, g->text.n))
			continue;
		for (size_t w = 0; words[w]; w++)
			if ((c[op].type == CELL_STR && strstr(c[op].s, words[w])) ||
			    (c[label].type == CELL_STR && strstr(c[label].s, words[w])))
				return words[w];
	}
	return NULL;
}

static bool is_hbm(const struct triage_look *l)
{
	return l->o->text[TEXT_SPACE] && !strcmp(l->o->text[TEXT_SPACE], "hbm");
}

/* --- the message as a whole --- */

static bool parameters(struct triage_look *l)
{
	char a[32], b[32];

	if (!(l->arguments >= MOST * l->limit && l->arguments <= l->limit))
		return false;
	snprintf(l->evidence, sizeof l->evidence, "they take %s of %s (%.0f %%)",
	    units_bytes(a, sizeof a, l->arguments), units_bytes(b, sizeof b, l->limit),
	    100 * l->arguments / l->limit);
	return true;
}

static bool far_too_large(struct triage_look *l)
{
	if (!is_hbm(l) || !(l->needed >= FAR * l->limit && l->limit > 0) || l->arguments > l->limit ||
	    l->o->kind == l->w->special[KIND_REMAT])
		return false;
	snprintf(l->evidence, sizeof l->evidence,
	    "%.1f times the memory of one device; spread evenly it needs %.0f of them at least",
	    l->needed / l->limit, ceil(l->needed / l->limit));
	return true;
}

static bool nearly(struct triage_look *l)
{
	char a[32];

	if (!is_hbm(l) || !(l->exceeded > 0 && l->exceeded < NEARLY * l->limit))
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s less is enough (%.2f %%)",
	    units_bytes(a, sizeof a, l->exceeded), 100 * l->exceeded / l->limit);
	return true;
}

static bool no_list(struct triage_look *l)
{
	if (l->o->kind != l->w->special[KIND_HBM] || l->buffers || l->arguments > l->limit)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s",
	    l->o->truncated || l->o->lists->nneeds ? "the text ends before it"
						   : "newer libtpu leaves the list to its log and to dumps");
	return true;
}

/* shape = 'u8[268435456]{0}', … tag = 'input window allocation for operator input 0. The window shape
 * is …' */
static bool allocation(struct triage_look *l)
{
	const char *s = l->o->text[TEXT_MESSAGE], *tag = s ? strstr(s, "tag = '") : NULL,
		   *shape = tag ? strstr(s, "shape = '") : NULL;
	char a[32];
	size_t n, k;

	if (!tag || isnan(l->needed))
		return false;
	tag += 7;
	n = strcspn(tag, "'");
	if (n > 110) /* whole sentences */
		for (size_t i = n = 110; i > 20; i--)
			if (tag[i] == '.' || tag[i] == ',') {
				n = i;
				break;
			}
	shape = shape && shape < tag && strncmp(shape + 9, "u8[", 3) ? shape + 9 : "";
	k = strcspn(shape, "{'");
	snprintf(l->evidence, sizeof l->evidence, "%s%s%.*s: %.*s", units_bytes(a, sizeof a, l->needed),
	    k ? " " : "", (int)(k < 80 ? k : 80), shape, (int)n, tag);
	return true;
}

/* --- one array --- */

static bool over_limit(struct triage_look *l)
{
	char g[200], b[32];

	for (size_t i = 0; i < l->n && is_hbm(l); i++)
		if (l->v[i].size > l->limit && l->limit > 0) {
			snprintf(l->evidence, sizeof l->evidence, "%s; the limit is %s",
			    triage_group_text(&l->v[i], g, sizeof g), units_bytes(b, sizeof b, l->limit));
			l->v[i].told = true;
			return true;
		}
	return false;
}

/* The next setting of a kernel that names a block: \"block_kv_dkv\": 2048 */
static const char *next_block(const char *s, struct span *name, int64_t *value)
{
	while ((s = strstr(s, "block"))) {
		const char *end = s + strcspn(s, "\\\":, "), *digits = end + strspn(end, "\\\": ");

		*name = (struct span){ s, (size_t)(end - s) };
		*value = strtoll(digits, NULL, 10);
		s = end;
		if (*end && digits > end && *value > 1 && *value < INT32_MAX)
			return s;
	}
	return NULL;
}

/* A dimension that is the number of blocks of another one. */
static bool blocks_of(struct triage_look *l, const struct triage_group *g, const char *setting)
{
	struct span name;
	int64_t block;
	size_t n, k = g->shape.dim.n;
	const char *op = triage_op(g->op, &n);
	char a[32];

	while ((setting = next_block(setting, &name, &block)))
		for (size_t i = 0; i < k; i++)
			for (size_t j = 0; j < k; j++) {
				int64_t copies = dim(g, i);

				if (i == j || copies < 2 || dim(g, j) % block || dim(g, j) / block != copies)
					continue;
				snprintf(l->evidence, sizeof l->evidence,
				    "%s %.*s of %.*s: %" PRId64 " is %" PRId64 " / %.*s (%" PRId64 ")",
				    units_bytes(a, sizeof a, g->size), (int)(g->text.n < 80 ? g->text.n : 80),
				    g->text.s, (int)(n < 60 ? n : 60), op, copies, dim(g, j),
				    (int)(name.n < 40 ? name.n : 40), name.s, block);
				snprintf(l->advice, sizeof l->advice,
				    "Larger blocks in that kernel: %.*s = %" PRId64 " makes %" PRId64
				    " copies, not %" PRId64 ".",
				    (int)(name.n < 40 ? name.n : 40), name.s, 2 * block, (copies + 1) / 2,
				    copies);
				return true;
			}
	return false;
}

static bool kernel_blocks(struct triage_look *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (enough(l, &l->v[i], PART) &&
		    (blocks_of(l, &l->v[i], l->v[i].label) || blocks_of(l, &l->v[i], l->v[i].op)))
			return l->v[i].told = true;
	return false;
}

/* [batch, heads, s, s]; of rank 3 it may be a stack of square weights, so its name must say so. */
static bool is_scores(const struct triage_look *l, const struct triage_group *g)
{
	static const char *const words[] = { "attention", "softmax", "attn", "qk", NULL };
	size_t n = g->shape.dim.n;

	return n >= 3 && last(g) >= POSITIONS && dim(g, n - 2) == last(g) && (n > 3 || named(l, g, words));
}

static bool scores(struct triage_look *l)
{
	char g[200];

	for (size_t i = 0; i < l->n; i++)
		if (is_scores(l, &l->v[i]) && enough(l, &l->v[i], PART)) {
			snprintf(l->evidence, sizeof l->evidence,
			    "%s is square in its last two dimensions: a number for every pair of %" PRId64
			    " positions",
			    triage_group_text(&l->v[i], g, sizeof g), last(&l->v[i]));
			return l->v[i].told = true;
		}
	return false;
}

static bool vocabulary(struct triage_look *l)
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
		if (!said || all < PART * l->listed || !is_hbm(l))
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

static bool loop(struct triage_look *l)
{
	static const char *const words[] = { "AllocateBuffer", "dynamic-update-slice", "dynamic_update_slice",
		NULL };
	char g[200];

	for (size_t i = 0; i < l->n; i++) {
		const struct triage_group *x = &l->v[i];

		if (x->shape.dim.n < 3 || dim(x, 0) < 2 || dim(x, 0) > LOOPS || !enough(l, x, LARGE) ||
		    x->told || !is_hbm(l) || !named(l, x, words))
			continue;
		snprintf(l->evidence, sizeof l->evidence,
		    "%s looks like what %" PRId64 " iterations of a loop keep, one slice each",
		    triage_group_text(x, g, sizeof g), dim(x, 0));
		l->loop = dim(x, 0);
		return l->v[i].told = true;
	}
	return false;
}

static bool largest(struct triage_look *l)
{
	char g[200];

	for (size_t i = 0; i < l->n && is_hbm(l); i++)
		if (l->buffers > 1 && enough(l, &l->v[i], LARGE) && l->v[i].count == 1 && !l->v[i].told) {
			snprintf(l->evidence, sizeof l->evidence, "%s, %.0f %% of all that is listed",
			    triage_group_text(&l->v[i], g, sizeof g), 100 * l->v[i].size / l->listed);
			return l->v[i].told = true;
		}
	return false;
}

/* In a kernel: what takes most of its memory. */
static bool kernel_buffers(struct triage_look *l)
{
	const struct triage_group *most = NULL;
	char g[200];

	for (size_t i = 0; i < l->n && !is_hbm(l); i++)
		if (enough(l, &l->v[i], LARGE) && l->v[i].all > (most ? most->all : 0))
			most = &l->v[i];
	if (!most)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s, %.0f %% of what is listed",
	    triage_group_text(most, g, sizeof g), 100 * most->all / l->listed);
	return true;
}

static bool many(struct triage_look *l)
{
	char g[200], a[32];

	for (size_t i = 0; i < l->n && is_hbm(l); i++)
		if (l->v[i].count > 1 && enough(l, &l->v[i], LARGE) && !l->v[i].told) {
			snprintf(l->evidence, sizeof l->evidence, "%s live at once, %s together",
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
		if (dim(a, i) != dim(b, i))
			return false;
	return true;
}

static bool two_types(struct triage_look *l)
{
	for (size_t i = 0; i < l->n && is_hbm(l); i++)
		for (size_t k = 0; k < l->n; k++) {
			const struct triage_group *a = &l->v[i], *b = &l->v[k];
			char x[32], y[32];

			if (!same_dims(a, b) || b->size >= a->size || !enough(l, a, PART) ||
			    !enough(l, b, PART / 2))
				continue;
			snprintf(l->evidence, sizeof l->evidence, "%s %.*s stands beside %s %.*s",
			    units_bytes(x, sizeof x, a->size), (int)(a->text.n < 80 ? a->text.n : 80),
			    a->text.s, units_bytes(y, sizeof y, b->size),
			    (int)(b->text.n < 80 ? b->text.n : 80), b->text.s);
			return true;
		}
	return false;
}

/* --- padding --- */

static double padding(const struct triage_look *l, const struct triage_group **most)
{
	double all = 0;

	*most = NULL;
	for (size_t i = 0; i < l->n; i++) {
		all += l->v[i].padding;
		if (l->v[i].padding > (*most ? (*most)->padding : 0))
			*most = &l->v[i];
	}
	return all;
}

/* The dimension that the tile rounds up most; without a layout the one that explains the size. */
static bool padded(const struct triage_group *g, struct shape_dim *worst)
{
	static const int64_t tiles[] = { 2, 4, 8, 16, 32, 64, 128, 256 };
	struct shape_dim v[8];
	size_t n = shape_fit(&g->shape, v, 8);
	double more = 1.001;

	for (size_t i = 0; i < n; i++)
		if (v[i].size > 0 && (double)v[i].padded > more * (double)v[i].size) {
			more = (double)v[i].padded / (double)v[i].size;
			*worst = v[i];
		}
	for (size_t i = g->shape.layout ? 0 : n; i-- > 0 && more < 1.01;)
		for (size_t k = 0; k < sizeof tiles / sizeof *tiles && v[i].size > 0 && v[i].size < LONGEST; k++) {
			int64_t to = (v[i].size + tiles[k] - 1) / tiles[k] * tiles[k];
			double size = g->unpadded * (double)to / (double)v[i].size;

			if (to == v[i].size || fabs(size - g->size) > .005 * g->size)
				continue;
			*worst = v[i];
			worst->padded = to;
			worst->alignment = tiles[k];
			return true;
		}
	return more > 1.01;
}

static bool say_padding(struct triage_look *l, const struct triage_group *most, double waste)
{
	char a[32], b[32], where[200] = "";
	struct shape_dim d = { 0 };

	if (padded(most, &d)) {
		snprintf(where, sizeof where, "; in %.*s %" PRId64 " takes the room of %" PRId64,
		    (int)(most->text.n < 80 ? most->text.n : 80), most->text.s, d.size, d.padded);
		if (d.size > d.alignment && d.alignment >= 8)
			snprintf(l->advice, sizeof l->advice,
			    "Make the %" PRId64 " a multiple of %" PRId64 ": %" PRId64
			    " needs no more memory, %" PRId64 " less.",
			    d.size, d.alignment, d.padded, d.padded - d.alignment);
		else
			snprintf(l->advice, sizeof l->advice,
			    "Merge the %" PRId64
			    " with a dimension beside it, or move a long one to its place "
			    "(transpose).",
			    d.size);
	} else {
		snprintf(where, sizeof where, "; most in %.*s", (int)(most->text.n < 80 ? most->text.n : 80),
		    most->text.s);
	}
	snprintf(l->evidence, sizeof l->evidence, "%s of the %s listed are padding%s",
	    units_bytes(a, sizeof a, waste), units_bytes(b, sizeof b, l->listed), where);
	return true;
}

/* What the message says of padding; where it says nothing, what shapes and sizes do. */
static double wasted(const struct triage_look *l)
{
	const struct triage_occurrence *o = l->o->lists;
	const struct triage_group *most;
	double waste = 0;
	bool said = false;

	for (size_t i = 0; i < o->nbuffers; i++)
		if (!o->buffers[i].arguments && o->buffers[i].padding != TRIAGE_NONE) {
			waste += (double)o->buffers[i].padding;
			said = true;
		}
	return said ? waste : padding(l, &most);
}

static bool padded_much(struct triage_look *l)
{
	double waste = wasted(l),
	       program = l->o->num[NUM_PROGRAM] == TRIAGE_NONE ? l->needed : (double)l->o->num[NUM_PROGRAM];
	const struct triage_group *most;
	char a[32], b[32];

	if (!(waste > PADDED * l->listed) || !(waste >= PADDED_LEAST * program))
		return false;
	l->low = waste < PADDED_LEAST * l->needed;
	padding(l, &most);
	if (most)
		return say_padding(l, most, waste);
	snprintf(l->evidence, sizeof l->evidence, "%s of the %s listed are padding",
	    units_bytes(a, sizeof a, waste), units_bytes(b, sizeof b, l->listed));
	return true;
}

static bool padded_some(struct triage_look *l)
{
	const struct triage_group *most;
	double waste = padding(l, &most);

	return most && is_hbm(l) && !padded_much(l) && !(waste < PADDED_LEAST * l->needed) &&
	       waste > PADDED_SOME * l->listed && say_padding(l, most, waste);
}

/* --- many arrays --- */

static bool saved(struct triage_look *l)
{
	const struct table *b = &l->w->t->buffers;
	int error = table_column(b, "error"), op = table_column(b, "op_name"),
	    size = table_column(b, "size_bytes");
	char x[32], y[32];
	double all = 0;

	for (size_t i = l->o->in_buffers.from; i < l->o->in_buffers.to; i++) {
		const struct cell *c = &b->cells[i * b->ncolumns];

		if (c[error].u.i == (int64_t)l->error && c[op].type == CELL_STR && c[size].type == CELL_INT &&
		    (strstr(c[op].s, "jvp(") || strstr(c[op].s, "transpose(")))
			all += (double)c[size].u.i;
	}
	if (!(all > .5 * l->listed) || !is_hbm(l) || l->listed < PART * l->needed)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s of the %s listed belong to computing gradients",
	    units_bytes(x, sizeof x, all), units_bytes(y, sizeof y, l->listed));
	return true;
}

/* A dimension, not the first nor the last, that most have and that is long enough for a sequence. */
static int64_t sequence(const struct triage_look *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t d = 1; d + 1 < l->v[i].shape.dim.n; d++) {
			double all = 0;

			if (dim(&l->v[i], d) < POSITIONS)
				continue;
			for (size_t k = 0; k < l->n; k++)
				for (size_t e = 1; e + 1 < l->v[k].shape.dim.n; e++)
					if (dim(&l->v[k], e) == dim(&l->v[i], d)) {
						all += l->v[k].all;
						break;
					}
			if (all >= MOST * l->listed)
				return dim(&l->v[i], d);
		}
	return 0;
}

/* The first dimension that is not 1, where at least two more follow; 0 = none. */
static int64_t leading(const struct triage_group *g)
{
	size_t n = g->shape.dim.n, i = 0;

	while (i < n && dim(g, i) == 1)
		i++;
	return n - i > 2 ? dim(g, i) : 0;
}

/* How many would fit, if all buffers of that batch shrink with it; in whole tiles where they are padded. */
static int64_t fitting(const struct triage_look *l, const struct triage_group *g, double all)
{
	double part = 1 - l->exceeded / all;
	struct shape_dim d;

	if (!(l->exceeded > 0) || part <= 0 || leading(g) > LONGEST)
		return 0;
	if (padded(g, &d) && d.size == leading(g) && d.alignment > 1 && d.padded < LONGEST)
		return (int64_t)((double)d.padded * part) / d.alignment * d.alignment;
	return (int64_t)((double)leading(g) * part);
}

static bool batch(struct triage_look *l)
{
	for (size_t i = 0; i < l->n && is_hbm(l); i++) {
		const struct triage_group *g = &l->v[i];
		int64_t b = leading(g), s, fits;
		double all = 0;
		size_t count = 0;
		char x[32], y[32], also[80] = "";

		for (size_t k = 0; k < l->n && b > 1; k++)
			if (leading(&l->v[k]) == b) {
				all += l->v[k].all;
				count += l->v[k].count;
			}
		if (count < 2 || all < MOST * l->listed || l->listed < PART * l->needed || l->loop == b)
			continue;
		if ((s = sequence(l)) && s != b)
			snprintf(also, sizeof also, ", %" PRId64 " like the sequence length", s);
		snprintf(l->evidence, sizeof l->evidence,
		    "%" PRId64 " leads the shapes of %s of the %s listed: it looks like the batch%s", b,
		    units_bytes(x, sizeof x, all), units_bytes(y, sizeof y, l->listed), also);
		fits = fitting(l, g, all);
		if (fits > 0 && fits < b)
			snprintf(l->advice, sizeof l->advice,
			    "A batch of about %" PRId64 " instead of %" PRId64
			    " fits, if all of that shrinks with it.",
			    fits, b);
		return true;
	}
	return false;
}

/* Most likely first: what the message says outright, what a shape says, what many buffers have in
 * common. */
const struct triage_rule triage_rules[] = {
	{ "parameters_most", "high", "Arguments take most of the memory", parameters,
	    "Shard parameters and optimizer state over more devices (FSDP): in_shardings, not replicated. |"
	    " Donate what a step replaces: donate_argnums of jax.jit. | bfloat16 or int8 for what allows "
	    "it, an optimizer with less state, or its state offloaded to the host." },
	{ "far_too_large", "high", "Far too large for one device", far_too_large,
	    "Shard what is largest over that many devices (parameters, batch, sequence); small savings do "
	    "not help." },
	{ "buffer_over_limit", "high", "One buffer is larger than the memory", over_limit,
	    "Shard that array over devices, or compute it in pieces (lax.map or lax.scan over chunks); "
	    "savings elsewhere cannot help." },
	{ "kernel_blocks", "high", "Looks like one copy per block of a kernel", kernel_blocks, "" },
	{ "attention_scores", "high", "Looks like scores of attention", scores,
	    "A flash attention kernel keeps no scores: splash_attention or flash_attention of "
	    "jax.experimental.pallas.ops.tpu. | Shorter sequences: half the length takes a quarter. | "
	    "Queries in chunks (lax.map)." },
	{ "vocabulary", "high", "Looks like logits over a vocabulary", vocabulary,
	    "Compute the loss in chunks of the sequence, or with a fused linear and cross entropy kernel: "
	    "the logits never exist whole. | Keep logits in bfloat16, or shard their last dimension." },
	{ "loop_keeps", "high", "A loop keeps something of each iteration", loop,
	    "jax.checkpoint around the body of the scan: the backward pass computes it again. | Keep less "
	    "of each iteration: policy=jax.checkpoint_policies.save_only_these_names(...), or offload it to"
	    " the host (save_and_offload_only_these_names)." },
	{ "padding_waste", "high", "Padding takes much of the memory", padded_much,
	    "The two most minor dimensions are rounded up to the tile (8 x 128, 16 x 128 for bfloat16): "
	    "make them multiples, or put the long dimensions there (transpose). | Batch a multiple of 64 "
	    "with features a multiple of 128, or batch a multiple of 1024 with features a multiple of 8. | "
	    "Merge small dimensions (heads with their size, 3 channels with space to depth)." },
	{ "batch", "medium", "Most of it grows with the batch", batch, "" },
	{ "backward_pass", "medium", "Activations of training", saved,
	    "jax.checkpoint around the layers: the backward pass computes them again. | Offload activations"
	    " to the host. | Accumulate gradients over smaller batches." },
	{ "largest_buffer", "medium", "One buffer takes much of it", largest,
	    "That buffer first: shard it, compute it in chunks, or in a smaller type." },
	{ "same_shape", "medium", "Several of one shape", many,
	    "Use each before the next is made: lax.scan or lax.map, not a loop of Python." },
	{ "padded_dimension", "medium", "Some of it is padding", padded_some, "" },
	{ "two_types", "medium", "Looks like one array in two types", two_types,
	    "Convert as late as possible, inside of the op that needs it (preferred_element_type, dtype= of"
	    " reductions), so that no second copy is written." },
	{ "allocation", "medium", "What the kernel asks for", allocation, "" },
	{ "kernel_buffers", "medium", "Most of the kernel's memory", kernel_buffers, "" },
	{ "nearly_fits", "medium", "It nearly fits", nearly,
	    "A little less is enough: try the cheapest of these first." },
	{ "no_list", "low", "The message lists no buffers", no_list,
	    "Give the log of libtpu as well: tpuscope triage MESSAGE /tmp/tpu_logs. | Or let the compiler "
	    "write the program (XLA_FLAGS=--xla_dump_to=DIR) and give the folder: tpuscope triage MESSAGE "
	    "DIR." },
};
const size_t triage_nrules = sizeof triage_rules / sizeof *triage_rules;
