#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/gzip.h"
#include "base/mem.h"
#include "load/probe/probe.h"
#include "load/source/file_name.h"
#include "load/source/source.h"

#define LARGEST ((size_t)1 << 30) /* it is copied */

/* Whether the content is that of the name, or of a file that is recognized surely, if its name says nothing. */
static bool is_its_kind(enum file_kind kind, enum file_kind named)
{
	return named == FILE_UNKNOWN
	    ? kind == FILE_TF_GRAPH || kind == FILE_XLA_DUMP || kind == FILE_HLO_PROTO
	    : kind == named;
}

static struct source *with_first(struct source *s, const char *path, uint8_t first)
{
	struct source *mended;
	size_t n;
	const uint8_t *raw = source_raw(s, &n);
	uint8_t *copy;

	if (!raw || !n || n > LARGEST)
		return NULL;
	if (!(copy = mem_try(NULL, 1, n)))
		return NULL;
	memcpy(copy, raw, n);
	*copy = first;
	mended = source_of_memory(copy, n, path);
	source_own(mended);
	return mended;
}

struct source *probe_mend(struct source *s, const char *path, const uint8_t *head, size_t n)
{
	static const uint8_t firsts[] = { 0x0a, 0x08 }; /* of messages: field 1, as bytes or as a number */
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const enum file_kind named = probe_name(name);
	struct source *mended = NULL;
	uint8_t *copy;

	if (n < 3 || source_packing(s) || (named == FILE_UNKNOWN && !file_name_ends(name, ".pb")))
		return NULL;
	copy = xmalloc(n);
	memcpy(copy, head, n);
	*copy = 0x1f;
	if (gzip_is(copy, n) && copy[2] == 8)
		mended = with_first(s, path, *copy);
	for (size_t i = 0; i < sizeof firsts && !mended && named != FILE_XSPACE; i++) {
		*copy = firsts[i];
		if (*head != *copy && is_its_kind(probe_kind(name, copy, n, NULL, 0), named))
			mended = with_first(s, path, *copy);
	}
	free(copy);
	return mended;
}
