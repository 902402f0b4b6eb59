#include "config.h"

#include "load/riegeli/riegeli.h"

#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/spill/spill.h"
#include "load/riegeli/internal.h"

#define IN_MEMORY ((size_t)256 << 20)
#define TIMES_ON_DISK 32 /* captures do not shrink by more */
#define SLACK 64         /* bytes after content that a fast reader may look at: zeros */

struct opening {
	struct riegeli *r;
	struct riegeli_file file;
	struct riegeli_chunks chunks;
	struct progress *progress;
};

bool riegeli_begins(const uint8_t *head, size_t n)
{
	static const uint8_t signature[] = { 0x83, 0xaf, 0x70, 0xd1, 0x0d, 0x88, 0x4a, 0x3f, 0, 0, 0, 0, 0, 0,
		0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x91, 0xba, 0xc2, 0x3c, 0x92, 0x87, 0xe1, 0xa9, 0, 0, 0, 0,
		0, 0, 0, 0, 0xe1, 0x9f, 0x13, 0xc0, 0xe9, 0xb1, 0xc3, 0x72, 's', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0 };

	return !memcmp(head, signature, n < sizeof signature ? n : sizeof signature);
}

bool riegeli_is(const uint8_t *head, size_t n)
{
	return n >= RIEGELI_SIGNED && riegeli_begins(head, n);
}

/* Gives each chunk its place in the content, as long as there is room.  Returns the size of the content. */
static size_t give_places(struct opening *o, size_t limit)
{
	size_t n = 0;

	for (size_t i = 0; i < o->chunks.n; i++) {
		struct riegeli_chunk *c = &o->chunks.v[i];

		c->to = n;
		if (c->decoded > limit - n) {
			c->lost = true;
			c->decoded = 0;
			c->damage.why = RIEGELI_LARGE;
		} else {
			n += (size_t)c->decoded;
		}
	}
	return n;
}

/* Large content goes into a file, as columns of events do, from which the kernel reads the parts that are looked at.
 * Without a file there is less room. */
static void plan_content(struct opening *o, size_t limit, size_t in_memory)
{
	struct riegeli *r = o->r;
	size_t n = give_places(o, limit);

	if (n > IN_MEMORY || n > in_memory || spill_wanted(n))
		r->spill = spill_room(n + SLACK);
	if (!r->spill && n > in_memory)
		n = give_places(o, in_memory);
	r->bytes = r->spill ? spill_bytes(r->spill) : mem_try(NULL, 1, n + SLACK);
	if (r->bytes)
		memset(r->bytes + n, 0, SLACK);
	r->n = r->bytes ? n : 0;
}

/* A file gets what is unpacked in large pieces, which cost the kernel much less than pages of the mapping. */
static void unpack_chunk(const struct opening *o, struct riegeli_chunk *c)
{
	const struct riegeli *r = o->r;
	const size_t n = (size_t)c->decoded;
	uint8_t *content = NULL;

	if (r->spill && n && !spill_wanted(n))
		content = mem_large(n);
	if (!content) {
		riegeli_unpack(&o->file, c, r->bytes + c->to);
		return;
	}
	spill_counts(n, 0);
	riegeli_unpack(&o->file, c, content);
	if (!c->lost && !spill_write(r->spill, c->to, content, n, SPILL_PICKED)) {
		c->lost = true;
		c->damage.why = RIEGELI_MEMORY;
	}
	spill_counts(0, n);
	mem_large_keep(content, n);
}

static void unpack_one(void *opening, size_t i)
{
	struct opening *o = opening;
	struct riegeli_chunk *c = &o->chunks.v[i];

	if (progress_canceled(o->progress))
		c->lost = true;
	else if (!c->lost)
		unpack_chunk(o, c);
	progress_add(o->progress, c->end - c->at, 0);
}

/* Nothing was written to the place of a chunk that is lost, or not all of it. */
static void clear_lost(const struct riegeli *r, const struct riegeli_chunk *c)
{
	memset(r->bytes + c->to, 0, c->decoded < SLACK ? (size_t)c->decoded : SLACK);
}

static void take_records(struct riegeli *r, const struct riegeli_chunk *c)
{
	size_t at = c->to;

	for (size_t i = 0; i < c->nrecords; i++) {
		if (c->sizes[i])
			VEC_ADD(r->records, r->nrecords, r->records_cap,
			    (struct riegeli_record){ at, c->sizes[i], c->at });
		at += c->sizes[i];
	}
}

VEC_ORDER(by_place, struct riegeli_damage, UP(from) UP(to));

/* Returns how many bytes may go into a file: no input may fill the disk by claiming a large size. */
static size_t disk_limit(size_t n, size_t limit)
{
	return n < SIZE_MAX / TIMES_ON_DISK && n * TIMES_ON_DISK > limit ? n * TIMES_ON_DISK : limit;
}

void riegeli_open(struct riegeli *r, const uint8_t *file, size_t n, size_t limit, int threads,
    struct progress *progress)
{
	struct opening o = { .r = r, .file = { file, n }, .progress = progress };

	*r = (struct riegeli){ .n = 0 };
	riegeli_walk(r, &o.file, &o.chunks);
	plan_content(&o, disk_limit(n, limit), limit);
	if (r->bytes)
		pool_run(threads, o.chunks.n, unpack_one, &o);
	for (size_t i = 0; i < o.chunks.n; i++) {
		struct riegeli_chunk *c = &o.chunks.v[i];

		if (!r->bytes)
			c->damage.why = RIEGELI_MEMORY;
		if (r->bytes && !c->lost) {
			take_records(r, c);
		} else if (!progress_canceled(progress)) {
			riegeli_damaged(r, &c->damage);
			if (r->bytes)
				clear_lost(r, c);
		}
		free(c->sizes);
	}
	VEC_SORT(r->damages, r->ndamages, by_place);
	free(o.chunks.v);
}

void riegeli_free(struct riegeli *r)
{
	if (!r->spill)
		free(r->bytes);
	spill_free(r->spill);
	free(r->records);
	free(r->damages);
	*r = (struct riegeli){ .n = 0 };
}

const struct riegeli_record *riegeli_record_at(const struct riegeli *r, size_t at)
{
	const struct riegeli_record *found;

	BISECT_LAST(found, r->records, r->nrecords, found->at <= at);
	return found;
}
