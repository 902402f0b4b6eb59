#include "config.h"
#include "analyze/graph/kind.h"

#include <string.h>

/* By the beginning of the opcode; the first that fits. */
static const struct {
	const char *opcode;
	enum time_kind kind;
} opcodes[] = {
	{ "convolution", KIND_MATMUL },
	{ "dot", KIND_MATMUL },
	{ "ragged-dot", KIND_MATMUL },
	{ "scaled-dot", KIND_MATMUL },
	{ "all-", KIND_COLLECTIVE },
	{ "reduce-scatter", KIND_COLLECTIVE },
	{ "collective-", KIND_COLLECTIVE },
	{ "ragged-all-", KIND_COLLECTIVE },
	{ "partition-id", KIND_COMPUTE },
	{ "copy", KIND_COPY },
	{ "transpose", KIND_COPY },
	{ "infeed", KIND_IO },
	{ "outfeed", KIND_IO },
	{ "send", KIND_IO },
	{ "recv", KIND_IO },
	{ "parameter", KIND_OTHER },
	{ "constant", KIND_OTHER },
	{ "tuple", KIND_OTHER },
	{ "get-tuple-element", KIND_OTHER },
	{ "bitcast", KIND_OTHER },
	{ "after-all", KIND_OTHER },
	{ "while", KIND_OTHER },
	{ "conditional", KIND_OTHER },
	{ "call", KIND_OTHER },
};

static enum time_kind kind_of_opcode(struct slice opcode)
{
	for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
		if (slice_begins(opcode, opcodes[i].opcode))
			return opcodes[i].kind;
	return KIND_COMPUTE;
}

/* The strongest kind that a computation holds: a matmul, then anything but what only moves or names data. */
static enum time_kind stronger(enum time_kind a, enum time_kind b)
{
	if (a == KIND_OTHER || b == KIND_OTHER)
		return a == KIND_OTHER ? b : a;
	return a == KIND_MATMUL || b == KIND_MATMUL ? KIND_MATMUL : a == b ? a : KIND_COMPUTE;
}

/* Computations that others call come first in a module, so that one pass knows what a fusion holds; of others,
 * with cycles, what is not known yet counts as compute. */
uint8_t *graph_kinds(const struct hlo_graph *g)
{
	uint8_t *kind = xmalloc((size_t)g->n + 1), *holds = xmalloc((size_t)g->ncomputations + 1);

	memset(holds, KIND_OTHER, (size_t)g->ncomputations + 1);
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t c = g->v[i].computation;
		bool calls = hlo_opcode_is(g, i, "fusion") || slice_begins(hlo_opcode(g, i), "async");
		enum time_kind k = kind_of_opcode(hlo_opcode(g, i));

		for (uint32_t j = 0; calls && j < hlo_nlinks(&g->calls, i); j++) {
			uint32_t called = hlo_link(&g->calls, i, j);

			k = called == HLO_NONE ? k : holds[called];
		}
		kind[i] = (uint8_t)(calls && k == KIND_OTHER ? KIND_COMPUTE : k);
		holds[c] = (uint8_t)stronger(holds[c], kind[i]);
	}
	free(holds);
	return kind;
}
