#include "config.h"
#include "analyze/triage/shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/units.h"

#define MOST .60
#define LONGEST (INT64_C(1) << 40) /* larger dimensions are taken for damage */
#define PADDED .20                 /* share of the list above which padding is a finding of its own */
#define PADDED_SOME .05
#define PADDED_LEAST .01 /* share of the program that padding must take at least */
#define NEARLY .03       /* share of the limit */
#define FAR 2.0          /* times the limit */

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
	if (!triage_is_hbm(l) || !(l->needed >= FAR * l->limit && l->limit > 0) || l->arguments > l->limit ||
	    l->o->kind == l->w->special[KIND_REMAT])
		return false;
	snprintf(l->evidence, sizeof l->evidence,
	    "%.1f times the memory of one device; evenly sharded it needs at least %.0f devices",
	    l->needed / l->limit, ceil(l->needed / l->limit));
	return true;
}

static bool nearly(struct triage_look *l)
{
	char a[32];

	if (!triage_is_hbm(l) || !(l->exceeded > 0 && l->exceeded < NEARLY * l->limit))
		return false;
	snprintf(l->evidence, sizeof l->evidence, "it is only %s too large (%.2f %%)",
	    units_bytes(a, sizeof a, l->exceeded), 100 * l->exceeded / l->limit);
	return true;
}

static bool no_list(struct triage_look *l)
{
	if (l->o->kind != l->w->special[KIND_HBM] || l->buffers || l->arguments > l->limit)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s",
	    l->o->truncated || l->o->lists->nneeds
		? "the text ends before the list"
		: "recent versions of libtpu write the list only to the log and to dumps");
	return true;
}

/* A message about a kernel that has neither a list nor a program: nothing else can be looked at. */
static bool no_program(struct triage_look *l)
{
	const struct triage_occurrence *o = l->o;
	const int *special = l->w->special;

	if (o->kind != special[KIND_VMEM] && o->kind != special[KIND_SCOPED] && o->kind != special[KIND_SMEM])
		return false;
	if (l->buffers || o->text[TEXT_MODULE] || o->dump || l->w->ndumps)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s%.80s",
	    o->text[TEXT_OP] ? "only the instruction: " : "neither a program nor an instruction",
	    o->text[TEXT_OP] ? o->text[TEXT_OP] : "");
	return true;
}

/* Parses shape = 'u8[268435456]{0}', ... tag = 'input window allocation for operator input 0.  The window
 * shape is ...'. */
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
	if (n > 110) /* cut at the end of a sentence */
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

/* Finds the dimension that tiling rounds up most.  Without a layout, finds the one whose rounding explains
 * the size. */
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
		for (size_t k = 0; k < sizeof tiles / sizeof *tiles && v[i].size > 0 && v[i].size < LONGEST;
		     k++) {
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
		snprintf(where, sizeof where, "; in %.*s %" PRId64 " takes the memory of %" PRId64,
		    (int)(most->text.n < 80 ? most->text.n : 80), most->text.s, d.size, d.padded);
		if (d.size > d.alignment && d.alignment >= 8)
			snprintf(l->advice, sizeof l->advice,
			    "Make the %" PRId64 " a multiple of %" PRId64 ": %" PRId64
			    " takes no more memory, %" PRId64 " takes less.",
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

/* The padding that the message reports, or, when it reports none, what shapes and sizes imply. */
static double wasted(const struct triage_look *l)
{
	const struct triage_occurrence *o = l->o->lists;
	const struct triage_group *most;
	double waste = 0;
	bool said = false;

	for (size_t i = 0; i < o->nbuffers; i++)
		if (!o->buffers[i].arguments && o->buffers[i].padding != SIZE_NONE) {
			waste += (double)o->buffers[i].padding;
			said = true;
		}
	return said ? waste : padding(l, &most);
}

static bool padded_much(struct triage_look *l)
{
	double waste = wasted(l),
	       program = l->o->num[NUM_PROGRAM] == SIZE_NONE ? l->needed : (double)l->o->num[NUM_PROGRAM];
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

	return most && triage_is_hbm(l) && !padded_much(l) && !(waste < PADDED_LEAST * l->needed) &&
	    waste > PADDED_SOME * l->listed && say_padding(l, most, waste);
}

/* --- many arrays --- */

static bool saved(struct triage_look *l)
{
	const struct table *b = l->listed_buffers;
	char x[32], y[32];
	double all = 0;

	for (size_t i = l->o->in_buffers.from; i < l->o->in_buffers.to; i++) {
		const struct cell *op = table_at(b, i, TRIAGE_BUFFERS_op_name),
				  *size = table_at(b, i, TRIAGE_BUFFERS_size_bytes);

		if (table_at(b, i, TRIAGE_BUFFERS_error)->u.i == (int64_t)l->error && op->type == CELL_STR &&
		    size->type == CELL_INT && (strstr(op->s, "jvp(") || strstr(op->s, "transpose(")))
			all += (double)size->u.i;
	}
	if (!(all > .5 * l->listed) || !triage_is_hbm(l) || l->listed < TRIAGE_PART * l->needed)
		return false;
	snprintf(l->evidence, sizeof l->evidence, "%s of the %s listed belong to computing gradients",
	    units_bytes(x, sizeof x, all), units_bytes(y, sizeof y, l->listed));
	return true;
}

/* Returns a middle dimension, long enough to be a sequence, that most of the listed bytes have; 0 = none. */
static int64_t sequence(const struct triage_look *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t d = 1; d + 1 < l->v[i].shape.dim.n; d++) {
			double all = 0;

			if (triage_dim(&l->v[i], d) < TRIAGE_POSITIONS)
				continue;
			for (size_t k = 0; k < l->n; k++)
				for (size_t e = 1; e + 1 < l->v[k].shape.dim.n; e++)
					if (triage_dim(&l->v[k], e) == triage_dim(&l->v[i], d)) {
						all += l->v[k].all;
						break;
					}
			if (all >= MOST * l->listed)
				return triage_dim(&l->v[i], d);
		}
	return 0;
}

/* Returns the first dimension that is not 1 if at least two more follow it, else 0. */
static int64_t leading(const struct triage_group *g)
{
	size_t n = g->shape.dim.n, i = 0;

	while (i < n && triage_dim(g, i) == 1)
		i++;
	return n - i > 2 ? triage_dim(g, i) : 0;
}

/* Estimates the batch size that would fit if all buffers of that batch shrank in proportion; a padded
 * dimension shrinks by whole tiles. */
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
	for (size_t i = 0; i < l->n && triage_is_hbm(l); i++) {
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
		if (count < 2 || all < MOST * l->listed || l->listed < TRIAGE_PART * l->needed ||
		    l->loop == b)
			continue;
		if ((s = sequence(l)) && s != b)
			snprintf(also, sizeof also, ", and %" PRId64 " like the sequence length", s);
		snprintf(l->evidence, sizeof l->evidence,
		    "%" PRId64 " is the first dimension of %s of the %s listed, so it looks like the batch%s",
		    b, units_bytes(x, sizeof x, all), units_bytes(y, sizeof y, l->listed), also);
		fits = fitting(l, g, all);
		if (fits > 0 && fits < b)
			snprintf(l->advice, sizeof l->advice,
			    "A batch of about %" PRId64 " instead of %" PRId64
			    " would fit, if all of these shrink with it.",
			    fits, b);
		return true;
	}
	return false;
}

/* Most likely causes first: what the message says outright, then what a single shape shows, then what many
 * buffers have in common. */
const struct triage_rule triage_rules[] = {
	{ "parameters_most", "high", "Arguments take most of the memory", parameters,
	    "Shard parameters and optimizer state over more devices (FSDP): in_shardings, not replicated. |"
	    " Donate what a step replaces: donate_argnums of jax.jit. | Use bfloat16 or int8 where precision "
	    "allows, an optimizer with less state, or offload its state to the host." },
	{ "far_too_large", "high", "Far too large for one device", far_too_large,
	    "Shard the largest arrays over that many devices (parameters, batch, sequence); small savings do "
	    "not help." },
	{ "buffer_over_limit", "high", "One buffer is larger than the memory", triage_over_limit,
	    "Shard that array over devices, or compute it in pieces (lax.map or lax.scan over chunks); "
	    "savings elsewhere cannot help." },
	{ "kernel_blocks", "high", "Looks like one copy per block of a kernel", triage_kernel_blocks, "" },
	{ "attention_scores", "high", "Looks like attention scores", triage_attention_scores,
	    "Use a flash attention kernel, which keeps no scores: splash_attention or flash_attention of "
	    "jax.experimental.pallas.ops.tpu. | Use shorter sequences: half the length takes a quarter. | "
	    "Compute the queries in chunks (lax.map)." },
	{ "vocabulary", "high", "Looks like logits over a vocabulary", triage_vocabulary,
	    "Compute the loss in chunks of the sequence, or with a fused linear and cross entropy kernel: "
	    "the logits then never exist as a whole. | Keep logits in bfloat16, or shard their last "
	    "dimension." },
	{ "loop_keeps", "high", "A loop keeps something of each iteration", triage_loop_keeps,
	    "Put jax.checkpoint around the body of the scan: the backward pass recomputes it. | Keep less "
	    "of each iteration: policy=jax.checkpoint_policies.save_only_these_names(...), or offload it to"
	    " the host (save_and_offload_only_these_names)." },
	{ "padding_waste", "high", "Padding takes much of the memory", padded_much,
	    "The two most minor dimensions are rounded up to the tile (8 x 128, 16 x 128 for bfloat16): "
	    "make them multiples of it, or put the long dimensions there (transpose). | Use a batch that is "
	    "a "
	    "multiple of 64 with features a multiple of 128, or of 1024 with features a multiple of 8. | "
	    "Merge small dimensions (heads with the head size, 3 channels with space to depth)." },
	{ "batch", "medium", "Most of it grows with the batch", batch, "" },
	{ "backward_pass", "medium", "Activations of training", saved,
	    "Put jax.checkpoint around the layers: the backward pass recomputes them. | Offload activations"
	    " to the host. | Accumulate gradients over smaller batches." },
	{ "largest_buffer", "medium", "One buffer takes much of it", triage_largest_buffer,
	    "Reduce that buffer first: shard it, compute it in chunks, or use a smaller type." },
	{ "same_shape", "medium", "Several buffers of one shape", triage_same_shape,
	    "Use each before the next one is made: lax.scan or lax.map instead of a Python loop." },
	{ "padded_dimension", "medium", "Some of it is padding", padded_some, "" },
	{ "two_types", "medium", "Looks like one array in two types", triage_two_types,
	    "Convert as late as possible, inside the op that needs it (preferred_element_type, dtype= of"
	    " reductions), so that no second copy is written." },
	{ "allocation", "medium", "What the kernel asks for", allocation, "" },
	{ "kernel_buffers", "medium", "Most of the kernel's memory", triage_kernel_buffers, "" },
	{ "nearly_fits", "medium", "It nearly fits", nearly,
	    "Little is missing: try the cheapest of these first." },
	{ "no_list", "low", "The message lists no buffers", no_list,
	    "Add the log of libtpu: tpuscope triage MESSAGE /tmp/tpu_logs (or where TPU_LOG_DIR points; the "
	    "list needs TPU_MIN_LOG_LEVEL 2 or less). | Or let the compiler "
	    "dump the program (XLA_FLAGS=--xla_dump_to=DIR) and add the folder: tpuscope triage MESSAGE "
	    "DIR." },
	{ "no_program", "low", "The message names no program", no_program,
	    "Let the compiler dump the programs (XLA_FLAGS=--xla_dump_to=DIR); their texts say where the "
	    "instruction comes from. Then run: tpuscope triage MESSAGE DIR." },
};
const size_t triage_nrules = sizeof triage_rules / sizeof *triage_rules;
