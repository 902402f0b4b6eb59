/* What the shapes of the listed buffers say about an out-of-memory error (tpuscope(7), TRIAGE): single
 * arrays that are too large, one copy per block of a kernel, attention scores, logits, what loops keep,
 * padding, the batch. shapes.c gathers the buffers of one error by shape; rules.c has the table of rules,
 * including those that look at the message or at all buffers; arrays.c has the rules that look for a single
 * array.  A rule says "looks like" where it concludes from names and numbers.  Sizes are bytes.  A gathered
 * list lives until triage_look_end(). */
#ifndef ANALYZE_TRIAGE_SHAPES_H
#define ANALYZE_TRIAGE_SHAPES_H

#include <string.h>

#include "analyze/hlo/shape.h"
#include "analyze/triage/internal.h"

#define TRIAGE_GROUPS 64 /* shapes that are examined; messages list the largest first */
#define TRIAGE_TEXT 400
#define TRIAGE_PART .10       /* share of the listed bytes below which a shape does not explain a failure */
#define TRIAGE_POSITIONS 1024 /* shorter sequences have small score arrays */

/* Listed buffers of one shape, whatever their layout. */
struct triage_group {
	struct shape shape;         /* of the first buffer, which is the largest */
	struct slice text;          /* the shape without its layout */
	const char *op, *label;     /* "" when unknown */
	double size, unpadded, all; /* size and unpadded: of the first buffer; all: sum over all */
	double padding;             /* sum over all; 0: none or not known */
	size_t count;
	bool told; /* a rule has explained this shape */
};

struct triage_look {
	const struct triage_work *w;
	const struct table *listed_buffers, *usage_report; /* of the triage, of all errors */
	size_t error;
	const struct triage_occurrence *o;
	struct triage_group v[TRIAGE_GROUPS];
	size_t n;
	size_t buffers; /* number of buffers, of all shapes */
	double listed;  /* bytes of all buffers, including those whose shape is not known */
	double limit, needed, exceeded, arguments; /* NaN: the text does not say */
	int64_t loop; /* iterations of the loop that keeps most, set by a rule; 0: none */
	bool low;     /* set by a rule that holds but explains next to nothing */
	char evidence[TRIAGE_TEXT], advice[TRIAGE_TEXT]; /* advice: goes before the advice of the rule */
	struct arena arena;
};

/* A rule of the table.  holds() returns false when the rule does not apply; otherwise it fills in the
 * evidence. */
struct triage_rule {
	const char *id, *severity, *title;
	bool (*holds)(struct triage_look *);
	const char *advice; /* paragraphs separated by " | " */
};

void triage_look_begin(const struct triage_work *, size_t error, struct triage_look *);
void triage_look_end(struct triage_look *);
/* writes "7 x 4.0 GiB f32[8192,1024,128] of fusion" */
char *triage_group_text(const struct triage_group *, char *buf, size_t size);
extern const struct triage_rule triage_rules[];
extern const size_t triage_nrules;

/* Helpers of the rules. */
static inline int64_t triage_dim(const struct triage_group *g, size_t i)
{
	return g->shape.dim.v[i];
}

/* the memory of the device, not that of a kernel */
static inline bool triage_is_hbm(const struct triage_look *l)
{
	return l->o->kind == l->w->special[KIND_GPU] ||
	    (l->o->text[TEXT_SPACE] && !strcmp(l->o->text[TEXT_SPACE], "hbm"));
}

/* rules of arrays.c */
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
