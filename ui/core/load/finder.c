#include "config.h"
#include "core/load/finder.h"

#include <stdlib.h>
#include <unistd.h>

#include "load/source/source.h"

void finder_table(struct finder *f, const char *path)
{
	char *beside = trie_path(path), *before = NULL;

	if (beside && (access(beside, R_OK) || !atomic_compare_exchange_strong(&f->path, &before, beside)))
		free(beside);
}

bool finder_can(const struct finder *f)
{
	return atomic_load(&f->path);
}

static bool open_trie(struct finder *f)
{
	uint64_t damaged = ERR_NOWHERE;
	const uint8_t *b;
	size_t n;

	f->source = source_open(atomic_load(&f->path), &f->why);
	b = f->source ? source_bytes(f->source, &n, &damaged, NULL, &f->why) : NULL;
	return b && !trie_open(&f->trie, b, n, &f->why);
}

static void find_name(void *ctx, const void *question)
{
	struct finder *f = ctx;
	struct trie_hits hits = { .n = 0 };

	atomic_store(&f->progress.cancel, asked_over(&f->asked));
	if (!f->tried)
		f->good = open_trie(f);
	f->tried = true;
	if (!f->good)
		hits.problem = f->why;
	else if (!trie_find(&f->trie, question, &hits, &f->progress))
		return;
	f->found(f->ctx, question, &hits);
}

void finder_ask(struct finder *f, const struct trie_want *want)
{
	atomic_store(&f->progress.cancel, true); /* of the question before */
	asked_ask(&f->asked, find_name, f, want, sizeof *want);
}

void finder_end(struct finder *f)
{
	atomic_store(&f->progress.cancel, true);
	asked_end(&f->asked);
	if (f->good)
		trie_close(&f->trie);
	source_close(f->source);
	free(atomic_exchange(&f->path, NULL));
	f->source = NULL;
	f->good = false;
}
