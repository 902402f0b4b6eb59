#include "config.h"

#include "load/early.h"

#include <stdlib.h>

#include "base/codec/wire.h"
#include "base/now.h"
#include "load/probe/probe.h"
#include "load/source/decoder.h"
#include "load/table/coarse.h"

#define LEAST ((size_t)64 << 10)
#define MOST ((size_t)64 << 20)    /* what is more useful after this takes longer than a moment */
#define PART ((size_t)16 << 20)    /* of a large file */
#define LARGE ((size_t)96 << 20)   /* smaller ones are read in a moment */
#define LONG ((uint64_t)512 << 20) /* of all files: less is read in a second */
#define LARGE_TABLE ((size_t)8 << 20)
#define COARSE 150000 /* events of a table, which take a moment */
enum { PATIENCE_MS = 300, AGAIN_MS = 1000, SHARE = 10 /* of the time may go into it */, HEAD = 4096 };

/* Returns the end of the last plane that is whole; 0: none is. */
static size_t whole_planes(const uint8_t *b, size_t n)
{
	struct wire w = wire_open(b, n);
	size_t end = 0;

	while (wire_next(&w))
		if (w.field == 1 && w.type == 2)
			end = (size_t)(w.p - b);
	return end;
}

/* Returns how many of the first n bytes of a file can be shown. */
static size_t usable(const char *name, const uint8_t *b, size_t n)
{
	if (packing_of(b, n))
		return n;
	switch (probe_kind(name, b, n < HEAD ? n : HEAD, NULL, 0)) {
	case FILE_XSPACE:
		return whole_planes(b, n);
	case FILE_CHROME_JSON:
		return n;
	default:
		return 0;
	}
}

/* The first time the least part that has something will do. */
static void show(struct early *e, const char *name, const uint8_t *b, size_t n)
{
	for (size_t part = e->shown ? MOST : PART; part <= 4 * MOST; part *= 4) {
		size_t whole = usable(name, b, part < n ? part : n);

		if (whole) {
			int64_t began = now_ms();

			e->shown = n;
			e->show(e->ctx, b, whole, name);
			e->ended = now_ms();
			e->took = e->ended - began;
		}
		if (whole || part >= n)
			return;
	}
}

void early_came(struct early *e, const char *name, const uint8_t *b, size_t n)
{
	int64_t now = now_ms();

	if (!e->began)
		e->began = now;
	if (n < LEAST || n < e->shown + e->shown / 4 || now - e->began < PATIENCE_MS)
		return;
	if (!e->shown || (n <= MOST && now - e->ended >= AGAIN_MS + SHARE * e->took))
		show(e, name, b, n);
}

/* Its levels are in the order of their size. */
static void show_coarse(struct early *e, const char *name, const uint8_t *b, size_t n)
{
	size_t len;
	uint8_t *part = tracetable_coarse(b, n, COARSE, NULL, &len);

	if (!part)
		return;
	e->shown = n;
	if (e->table)
		e->table(e->ctx, name, b, n);
	e->show(e->ctx, part, len, name);
	free(part);
}

void early_large(struct early *e, const char *name, const uint8_t *b, size_t n)
{
	if (!e->shown && n >= LARGE_TABLE)
		show_coarse(e, name, b, n);
	if (!e->shown && n >= LARGE && e->bytes >= LONG)
		show(e, name, b, n);
}
