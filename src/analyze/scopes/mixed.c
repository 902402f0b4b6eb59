#include "config.h"
#include "analyze/scopes/internal.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/hlo/contents.h"
#include "base/mem.h"

enum { READS = 1 << 22 }; /* instructions, in all; a file may have a body that all its fusions call */

/* All cores of a program run the same instructions. */
struct known {
	const Pb__HloInstructionProto *fusion;
	enum leaf_mix mix;
};

struct reader {
	struct hlo_contents *h;
	size_t left;
	struct known *known;           /* by name */
	struct slice part[PATH_PARTS]; /* the scope that ops of the fusion are in */
	size_t n;
	bool any; /* … is known */
};

/* The scope of an op is its path without the op itself. */
static size_t scope_around(struct slice tf_op, struct slice *out)
{
	struct slice raw[PATH_PARTS];
	const size_t n = scope_fold(raw, scope_path(tf_op, raw), out);

	return n ? n - 1 : 0;
}

static bool is_elsewhere(struct reader *r, struct slice tf_op)
{
	struct slice part[PATH_PARTS];
	size_t n;

	if (!tf_op.n)
		return false;
	n = scope_around(tf_op, part);
	if (!r->any) {
		memcpy(r->part, part, n * sizeof *part);
		r->n = n;
		r->any = true;
		return false;
	}
	for (size_t i = 0; i < n && i < r->n; i++)
		if (!slice_same(part[i], r->part[i]))
			return true;
	return n != r->n;
}

static bool body_mixes(struct reader *r, uint64_t program, const Pb__HloComputationProto *body, int depth)
{
	for (size_t i = 0; i < body->n_instructions && r->left; i++) {
		const Pb__HloInstructionProto *x = body->instructions[i];
		const char *name = x->metadata ? x->metadata->op_name : NULL;
		const Pb__HloComputationProto *inner = contents_body(r->h, program, x);

		r->left--;
		if (contents_is(x) && is_elsewhere(r, slice_of(name ? name : "")))
			return true;
		if (inner && depth < HLO_DEPTH && body_mixes(r, program, inner, depth + 1))
			return true;
	}
	return false;
}

static enum leaf_mix mix_of(struct reader *r, const struct dump *d, const struct leaf *l)
{
	const struct evmeta *meta = &d->trace.metas[l->meta];
	const Pb__HloInstructionProto *x;
	const Pb__HloComputationProto *body;
	struct known *known = &r->known[l->name];
	uint64_t program;
	bool mixes;

	if (!slice_ends(dump_text(d, meta->category), "fusion"))
		return meta->category ? MIX_NONE : MIX_UNKNOWN;
	if (!cut_program(d, l->meta, &program) ||
	    !(x = contents_instruction(r->h, program, dump_text(d, meta->name))) ||
	    !(body = contents_body(r->h, program, x)))
		return MIX_UNKNOWN;
	if (known->fusion == x)
		return known->mix;
	r->any = false;
	is_elsewhere(r, l->scope);
	mixes = body_mixes(r, program, body, 0);
	*known = (struct known){ x, mixes ? MIX_SCOPES : r->left ? MIX_NONE : MIX_UNKNOWN };
	return known->mix;
}

void leaves_mixed(const struct dump *d, struct leaves *l)
{
	struct reader r = { .h = contents_new(d),
		.left = READS,
		.known = xcalloc(d->str.n + 1, sizeof *r.known) };

	for (size_t i = 0; i < l->n; i++)
		l->v[i].mix = mix_of(&r, d, &l->v[i]);
	free(r.known);
	contents_free(r.h);
}
