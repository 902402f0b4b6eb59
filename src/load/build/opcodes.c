#include "config.h"

#include "load/build/builder.h"

#include <stdlib.h>
#include <string.h>

/* Opcodes that tell the category of an op, and what the profiler calls it where that is another word. */
static const struct {
	const char *opcode, *category;
} opcodes[] = {
	{ "all-gather", NULL },
	{ "all-gather-done", NULL },
	{ "all-gather-start", NULL },
	{ "all-reduce", NULL },
	{ "all-reduce-done", NULL },
	{ "all-reduce-start", NULL },
	{ "all-to-all", NULL },
	{ "async-done", NULL },
	{ "async-start", NULL },
	{ "async-update", NULL },
	{ "call", NULL },
	{ "collective-broadcast", NULL },
	{ "collective-permute", NULL },
	{ "collective-permute-done", NULL },
	{ "collective-permute-start", NULL },
	{ "conditional", NULL },
	{ "convolution", NULL },
	{ "copy", "data formatting" },
	{ "copy-done", NULL },
	{ "copy-start", NULL },
	{ "custom-call", NULL },
	{ "dynamic-slice", NULL },
	{ "dynamic-slice-done", "async-done" },
	{ "dynamic-slice-start", "async-start" },
	{ "infeed", NULL },
	{ "iota", NULL },
	{ "outfeed", NULL },
	{ "ragged-all-to-all", NULL },
	{ "recv", NULL },
	{ "recv-done", NULL },
	{ "reduce-scatter", NULL },
	{ "reshape", "data formatting" },
	{ "send", NULL },
	{ "send-done", NULL },
	{ "slice", NULL },
	{ "slice-done", "async-done" },
	{ "slice-start", "async-start" },
	{ "sort", NULL },
	{ "transpose", "data formatting" },
	{ "while", NULL },
};

static int by_opcode(const void *key, const void *entry)
{
	const struct slice *name = key;
	const char *opcode = *(const char *const *)entry;

	return slice_order(*name, (struct slice){ opcode, strlen(opcode) });
}

/* "all-reduce.36" is an all-reduce: XLA names an op after its opcode unless the program has a name for it. */
static const char *category_of(struct slice name)
{
	const char *dot = memchr(name.s, '.', name.n);
	const void *found;
	size_t at;

	if (dot)
		name.n = (size_t)(dot - name.s);
	found = bsearch(&name, opcodes, sizeof opcodes / sizeof *opcodes, sizeof *opcodes, by_opcode);
	if (!found)
		return NULL;
	at = (size_t)((const char *)found - (const char *)opcodes) / sizeof *opcodes;
	return opcodes[at].category ? opcodes[at].category : opcodes[at].opcode;
}

void build_categories(struct build *b)
{
	struct trace *t = &b->dump->trace;
	uint8_t *done = xcalloc(t->nmetas + 1, 1);

	for (size_t i = 0; i < b->ntracks; i++) {
		const struct track *ops =
		    b->tracks[i].index == UINT32_MAX ? NULL : &t->tracks[b->tracks[i].index];

		if (!ops || ops->role != TRACK_OPS || t->planes[ops->plane].kind != PLANE_TPU)
			continue;
		for (size_t k = 0; k < ops->n; k++) {
			struct evmeta *m = &t->metas[track_meta(ops, k)];
			const char *category;

			if (done[track_meta(ops, k)] || m->category)
				continue;
			done[track_meta(ops, k)] = 1;
			category = category_of(dump_text(b->dump, m->name));
			if (category)
				m->category = strtab_add(&b->dump->str, category, strlen(category));
		}
	}
	free(done);
}
