#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "load/probe/probe.h"
#include "load/source/source.h"

#define HEAD_SIZE (64u << 10)
#define TAIL_SIZE 48

enum file_kind probe_file(const char *path)
{
	struct err err = { .status = 0 };
	struct source *source = source_open(path, &err);
	const char *slash = strrchr(path, '/');
	enum file_kind kind;
	uint8_t *head, tail[TAIL_SIZE];
	size_t nhead, ntail;

	if (!source)
		return FILE_UNKNOWN;
	head = xmalloc(HEAD_SIZE);
	nhead = source_peek(source, head, HEAD_SIZE);
	ntail = source_tail(source, tail, sizeof tail);
	kind = probe_kind(slash ? slash + 1 : path, head, nhead, tail, ntail);
	free(head);
	source_close(source);
	return kind;
}
