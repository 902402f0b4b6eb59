#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "load/source/source.h"
#include "load/tf/internal.h"

enum { BYTES = 2 }; /* the wire type of texts and messages */
enum { META_INFO = 1, META_GRAPH = 2 };
enum { INFO_TAGS = 4 };
enum { RUN_PARTITION = 3, RUN_FUNCTION = 4 };
enum { FUNCTION_BEFORE = 2 }; /* the graph as it was traced */

const uint8_t *tf_content(struct load_ctx *ctx, int file, size_t *n, struct err *err)
{
	struct file *f = &ctx->dump->files[file];
	uint64_t damaged;
	const uint8_t *bytes = source_bytes(f->source, n, &damaged, ctx->progress, err);

	if (!bytes)
		return NULL;
	progress_add(ctx->progress, f->packing ? 0 : *n, 0);
	if (damaged != ERR_NOWHERE)
		tf_damage(ctx, file, damaged, source_why(f->source));
	return bytes;
}

void tf_damage(struct load_ctx *ctx, int file, uint64_t at, const char *what)
{
	struct file *f = &ctx->dump->files[file];

	if (!f->partial)
		problem_add(ctx->dump->problems, PROBLEM_DAMAGE, file, at, 1, "%s", what);
	f->partial = true;
}

void tf_list(struct load_ctx *ctx, int file, enum tf_source source, struct slice tag,
    const struct slice *piece, size_t npieces)
{
	const struct tf_graph *g;
	const struct dump *d = ctx->dump;

	/* those of a file lie together */
	if (d->ngraphs >= TF_GRAPHS_MAX && d->graphs[d->ngraphs - TF_GRAPHS_MAX].file == file) {
		problem_add(ctx->dump->problems, PROBLEM_WARN, file, ERR_NOWHERE, 1,
		    "more than %u graphs; the others are left out", TF_GRAPHS_MAX);
		return;
	}
	g = tf_graph_add(ctx->dump, file, source, tag, piece, npieces);
	if (g->damaged)
		tf_damage(ctx, file, ERR_NOWHERE, "a graph in it is damaged or cut off");
}

/* "serve, gpu" */
static void tags_of(struct slice info, char *buf, size_t size)
{
	struct wire w = wire_open(info.s, info.n);

	*buf = 0;
	while (wire_next(&w)) {
		char tag[64];

		if (w.field != INFO_TAGS || w.type != BYTES || w.n >= sizeof tag)
			continue;
		memcpy(tag, w.s, w.n);
		tag[w.n] = 0;
		words_add(buf, size, ", ", tag);
	}
}

void tf_list_meta_graph(struct load_ctx *ctx, int file, struct slice meta)
{
	struct wire w = wire_open(meta.s, meta.n);
	struct slice graph = { NULL, 0 };
	char tags[256] = "";

	while (wire_next(&w) || (w.bad && w.s)) {
		if (w.field == META_INFO && w.type == BYTES && !w.bad)
			tags_of(wire_text(&w), tags, sizeof tags);
		if (w.field == META_GRAPH && w.type == BYTES)
			graph = wire_text(&w);
		if (w.bad)
			break;
	}
	if (w.bad)
		tf_damage(ctx, file, ERR_NOWHERE, "a meta graph in it is damaged or cut off");
	if (graph.s)
		tf_list(ctx, file, TF_META_GRAPH, slice_of(tags), &graph, 1);
}

/* The graph of one function as it was traced; the others were made from it. */
static struct slice traced_graph(struct slice function)
{
	struct wire w = wire_open(function.s, function.n);

	while (wire_next(&w))
		if (w.field == FUNCTION_BEFORE && w.type == BYTES)
			return wire_text(&w);
	return (struct slice){ NULL, 0 };
}

void tf_list_run_metadata(struct load_ctx *ctx, int file, struct slice tag, struct slice metadata)
{
	struct slice *traced = NULL, *part = NULL;
	size_t ntraced = 0, traced_cap = 0, nparts = 0, parts_cap = 0;
	struct wire w = wire_open(metadata.s, metadata.n);

	while (wire_next(&w)) {
		struct slice g = { NULL, 0 };

		if (w.type == BYTES && w.field == RUN_FUNCTION)
			g = traced_graph(wire_text(&w));
		if (g.s)
			VEC_ADD(traced, ntraced, traced_cap, g);
		if (w.type == BYTES && w.field == RUN_PARTITION)
			VEC_ADD(part, nparts, parts_cap, wire_text(&w));
	}
	if (w.bad)
		tf_damage(ctx, file, ERR_NOWHERE, "the metadata of a run is damaged");
	if (ntraced)
		tf_list(ctx, file, TF_RUN_METADATA, tag, traced, ntraced);
	else if (nparts)
		tf_list(ctx, file, TF_RUN_METADATA, tag, part, nparts);
	free(traced);
	free(part);
}
