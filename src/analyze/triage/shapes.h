/* What the listed buffers of an error tell by their shapes (tpuscope(7), TRIAGE): arrays too large by
 * themselves, copies for each block of a kernel, scores of attention, logits, what loops keep, padding, the
 * batch.  triage_shapes.c gathers the buffers of one error by shape; triage_rules.c is a table of rules over
 * them, with those that look at the message or at all buffers; triage_arrays.c has those that look for one
 * array.  A rule says "looks like" where it concludes from names and numbers.  Sizes are bytes; a gathered
 * list is alive until triage_look_end(). */
#ifndef ANALYZE_TRIAGE_SHAPES_H
#define ANALYZE_TRIAGE_SHAPES_H

#include <string.h>

#include "analyze/hlo/shape.h"
#include "analyze/triage/internal.h"

#define TRIAGE_GROUPS 64 /* shapes that are looked at; the largest come first in lists */
#define TRIAGE_TEXT 400
#define TRIAGE_PART .10       /* less does not explain a failure */
#define TRIAGE_POSITIONS 1024 /* a sequence shorter than that has small scores */

/* Listed buffers of one shape, whatever their layout. */
struct triage_group {
	struct shape shape;         /* of the first, which is the largest */
	struct slice text;          /* the shape without its layout */
	const char *op, *label;     /* "" */
	double size, unpadded, all; /* of the first; of all together */
	double padding;             /* of all; 0: none, or not known */
	size_t count;
	bool told; /* a rule has said what it is */
};

struct triage_look {
	const struct triage_work *w;
	size_t error;
	const struct triage_occurrence *o;
	struct triage_group v[TRIAGE_GROUPS];
	size_t n;
	size_t buffers;                            /* of all shapes */
	double listed;                             /* of all, also those whose shape is not known */
	double limit, needed, exceeded, arguments; /* NaN: the text does not say */
	int64_t loop; /* iterations of the loop that keeps most, once a rule has found it; 0 */
	bool low;     /* set by a rule: it holds, but explains next to nothing */
	char evidence[TRIAGE_TEXT], advice[TRIAGE_TEXT]; /* advice: goes before that of the rule */
	struct arena arena;
};

/* A rule of the table: false = it does not hold. */
struct triage_rule {
	const char *id, *severity, *title;
	bool (*holds)(struct triage_look *);
	const char *advice; /* paragraphs parted by " | " */
};

void triage_look_begin(const struct triage_work *, size_t error, struct triage_look *);
void triage_look_end(struct triage_look *);
/* "7 x 4.0 GiB f32[8192,1024,128] of fusion" */
char *triage_group_text(const struct triage_group *, char *buf, size_t size);
extern const struct triage_rule triage_rules[];
extern const size_t triage_nrules;

/* what the rules share */
static inline int64_t triage_dim(const struct triage_group *g, size_t i)
{
	return g->shape.dim.v[i];
}

static inline bool triage_is_hbm(const struct triage_look *l)
{
	return l->o->text[TEXT_SPACE] && !strcmp(l->o->text[TEXT_SPACE], "hbm");
}

/* those of triage_arrays.c */
bool triage_over_limit(struct triage_look *);
bool triage_kernel_blocks(struct triage_look *);
bool triage_attention_scores(struct triage_look *);
bool triage_vocabulary(struct triage_look *);
bool triage_loop_keeps(struct triage_look *);
bool triage_largest_buffer(struct triage_look *);
bool triage_kernel_buffers(struct triage_look *);
bool triage_same_shape(struct triage_look *);
bool triage_two_types(struct triage_look *);

#endif
