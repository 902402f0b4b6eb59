/* Loads texts of the compiler, and logs: they are kept in file.content for the analyses. */
#include "config.h"

#include "load/build/loaders.h"
#include "load/source/source.h"

static const uint8_t *text_content(struct source *s, size_t *n, struct err *err)
{
	uint64_t damaged;

	return source_bytes(s, n, &damaged, NULL, err);
}

int load_text(struct load_ctx *ctx, int file, struct err *err)
{
	struct dump *d = ctx->dump;
	struct file *f = &d->files[file];
	uint64_t damaged;
	size_t n;

	if (!source_bytes(f->source, &n, &damaged, ctx->progress, err))
		return -1;
	progress_add(ctx->progress, f->packing ? 0 : n, 0);
	if (damaged != ERR_NOWHERE) {
		f->partial = true;
		problem_add(d->problems, PROBLEM_DAMAGE, file, damaged, 1, "%s", source_why(f->source));
	}
	f->content = text_content;
	return 0;
}
