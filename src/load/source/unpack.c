#include "config.h"

#include "load/source/unpack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/mem.h"
#include "base/memcap.h"
#include "load/source/decoder.h"

#define BLOCK ((size_t)1 << 20)
#define HEADROOM \
	((size_t)256 << 10) /* for bytes kept from the previous piece; more go to a buffer of their own */
#define RING 4
#define SPAN ((uint64_t)4 << 20) /* content between two copies of a decoder */
#define CACHED 16                /* unpacked spans kept for unpack_read(): 16 MiB */
#define OFTEN 4 /* once a quarter of the content was read again, the next reads will be, too */
#define KEPT ((uint64_t)1 << 30) /* bytes that are kept then, or what MEMORY_PART says, if that is less */
#define MEMORY_PART 4            /* of the memory that there is */

struct block {
	uint8_t *data;  /* has HEADROOM bytes before it */
	size_t n, used; /* used: bytes of the file that it consumed */
	uint64_t offset;
};

struct cached {
	uint64_t offset;
	size_t n;
	uint8_t *data;
	uint64_t stamp;
};

/* Where unpack_read() can start: a copy of the decoder, or a block compressed again. */
struct place {
	uint64_t offset;
	struct decoder at;
	uint8_t *packed; /* NULL: `at` is the copy */
	size_t npacked;
	uint8_t *kept; /* its content, NULL: to be unpacked */
	size_t nkept;
};

struct unpack {
	struct decoder dec;
	bool once;
	pthread_mutex_t lock;
	pthread_cond_t change;
	pthread_t thread;
	bool started, threaded, stop, done;
	struct block ring[RING];
	size_t made, taken; /* counts of blocks; the consumer holds block taken-1 */
	struct progress *progress;
	const uint8_t *piece;
	size_t piece_n;
	uint8_t *big; /* a piece that keeps more than the headroom */
	size_t big_cap;

	pthread_mutex_t read_lock; /* guards the members below */
	struct place *places;
	size_t nplaces, places_cap;
	struct cached cache[CACHED];
	uint64_t clock, again, kept; /* again, kept: bytes that were unpacked for it, and that stay */
	uint8_t *all;
	size_t all_n;
	uint64_t all_damaged;
	const char *why;
	char all_why[200];
};

struct unpack *unpack_new(const struct packing *how, const uint8_t *in, size_t n)
{
	struct unpack *u = xcalloc(1, sizeof *u);

	decoder_open(&u->dec, how, in, n);
	pthread_mutex_init(&u->lock, NULL);
	pthread_mutex_init(&u->read_lock, NULL);
	pthread_cond_init(&u->change, NULL);
	return u;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	unpack_stop(u);
	for (size_t i = 0; i < u->nplaces; i++) {
		if (!u->places[i].packed)
			decoder_close(&u->places[i].at);
		free(u->places[i].packed);
		free(u->places[i].kept);
	}
	for (size_t i = 0; i < CACHED; i++)
		free(u->cache[i].data);
	decoder_close(&u->dec);
	free(u->places);
	free(u->all);
	pthread_cond_destroy(&u->change);
	pthread_mutex_destroy(&u->read_lock);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

static int failed(const struct decoder *f, int status, struct err *err)
{
	char why[200];

	return err_set(err, status, f->used, "%s", decoder_why(f, why, sizeof why));
}

void unpack_once(struct unpack *u)
{
	u->once = true;
}

size_t unpack_head(const struct unpack *u, uint8_t *buf, size_t size, struct err *err)
{
	struct decoder f;
	size_t got;

	decoder_open(&f, u->dec.how, u->dec.in, u->dec.n);
	got = decoder_fill(&f, buf, size);
	if (!got && f.state == DECODER_DAMAGED)
		failed(&f, EXIT_NOTHING, err);
	decoder_close(&f);
	return got;
}

static void add_place(struct unpack *u, const struct place *p)
{
	pthread_mutex_lock(&u->read_lock);
	VEC_ADD(u->places, u->nplaces, u->places_cap, *p);
	pthread_mutex_unlock(&u->read_lock);
}

/* Before a block: copies the decoder, including its window, once per SPAN. */
static void copy_decoder(struct unpack *u)
{
	struct place p = { .offset = u->dec.out };

	if (u->once || !u->dec.how->copy || u->dec.state != DECODER_RUNNING)
		return;
	if (u->nplaces && p.offset < u->places[u->nplaces - 1].offset + SPAN)
		return;
	if (decoder_copy(&p.at, &u->dec))
		add_place(u, &p);
}

/* After a block: compresses the block again, for formats whose decoder cannot be copied. */
static void pack_block(struct unpack *u, const struct block *b)
{
	struct place p = { .offset = b->offset };

	if (u->once || !u->dec.how->pack || !b->n)
		return;
	if (u->nplaces && p.offset <= u->places[u->nplaces - 1].offset)
		return;
	p.npacked = u->dec.how->pack(b->data, b->n, &p.packed);
	if (p.npacked)
		add_place(u, &p);
}

static void make_block(struct unpack *u)
{
	struct block *b = &u->ring[u->made % RING];
	size_t used = u->dec.used;

	copy_decoder(u);
	b->offset = u->dec.out;
	b->n = decoder_fill(&u->dec, b->data, BLOCK);
	b->used = u->dec.used - used;
	pack_block(u, b);
}

/* Makes a block available; the end may come right after a full block, so an empty one is not counted. */
static void publish(struct unpack *u)
{
	u->done = u->dec.state != DECODER_RUNNING;
	u->made += u->ring[u->made % RING].n > 0;
}

static void *run(void *arg)
{
	struct unpack *u = arg;

	pthread_mutex_lock(&u->lock);
	while (!u->done) {
		while (!u->stop && u->made - (u->taken ? u->taken - 1 : 0) == RING)
			pthread_cond_wait(&u->change, &u->lock);
		if (u->stop)
			break;
		pthread_mutex_unlock(&u->lock);
		make_block(u);
		pthread_mutex_lock(&u->lock);
		publish(u);
		pthread_cond_broadcast(&u->change);
	}
	pthread_mutex_unlock(&u->lock);
	return NULL;
}

static bool launch(struct unpack *u)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	sigdelset(&all, SIGBUS); /* a file that shrinks raises it in the thread that reads */
	sigdelset(&all, SIGSEGV);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ok = !pthread_create(&u->thread, NULL, run, u);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

int unpack_start(struct unpack *u, struct progress *progress, struct err *err)
{
	for (int i = 0; i < RING; i++) {
		uint8_t *p = mem_try(NULL, 1, HEADROOM + BLOCK);

		if (!p) {
			unpack_stop(u);
			return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory to unpack");
		}
		u->ring[i].data = p + HEADROOM;
	}
	if (u->dec.used) /* restart */
		decoder_rewind(&u->dec);
	u->progress = progress;
	u->made = u->taken = 0;
	u->done = u->stop = false;
	u->piece_n = 0;
	u->started = true;
	u->threaded = launch(u);
	return 0;
}

/* Returns the next block of the ring, NULL after the last.  The previous one stays valid until release(). */
static const struct block *take_block(struct unpack *u)
{
	const struct block *b = NULL;

	pthread_mutex_lock(&u->lock);
	if (!u->threaded && !u->done && u->made == u->taken) {
		make_block(u);
		publish(u);
	}
	while (u->threaded && !u->done && u->made == u->taken)
		pthread_cond_wait(&u->change, &u->lock);
	if (u->made != u->taken)
		b = &u->ring[u->taken % RING];
	pthread_mutex_unlock(&u->lock);
	return b;
}

static void release(struct unpack *u)
{
	pthread_mutex_lock(&u->lock);
	u->taken++;
	pthread_cond_broadcast(&u->change);
	pthread_mutex_unlock(&u->lock);
}

/* Puts the kept bytes and the block into the big buffer. */
static bool append(struct unpack *u, size_t keep, const struct block *b)
{
	const uint8_t *kept = u->piece + u->piece_n - keep;
	bool inside = u->big && u->piece == u->big;
	size_t at = (size_t)(kept - u->piece), need = keep + b->n;

	if (need > u->big_cap || !u->big) {
		size_t cap = need < SIZE_MAX / 2 ? need * 2 : need;
		uint8_t *big = mem_try(u->big, 1, cap);

		if (!big)
			return false;
		u->big = big;
		u->big_cap = cap;
		if (inside)
			kept = big + at;
	}
	memmove(u->big, kept, keep);
	memcpy(u->big + keep, b->data, b->n);
	u->piece = u->big;
	return true;
}

int64_t unpack_block(struct unpack *u, size_t keep, const uint8_t **piece, uint64_t *offset, struct err *err)
{
	const struct block *b = take_block(u);

	if (!b)
		return u->dec.state == DECODER_DAMAGED ? failed(&u->dec, EXIT_DAMAGED, err) : 0;
	if (keep > u->piece_n)
		keep = u->piece_n;
	if (keep > HEADROOM) {
		if (!append(u, keep, b))
			return err_set(err, EXIT_DAMAGED, ERR_NOWHERE,
			    "not enough memory for a piece of %zu bytes", keep);
	} else {
		if (keep)
			memcpy(b->data - keep, u->piece + u->piece_n - keep, keep);
		u->piece = b->data - keep;
	}
	u->piece_n = keep + b->n;
	*piece = u->piece;
	*offset = b->offset - keep;
	progress_add(u->progress, b->used, 0);
	release(u);
	return (int64_t)u->piece_n;
}

void unpack_stop(struct unpack *u)
{
	if (u->started && u->threaded) {
		pthread_mutex_lock(&u->lock);
		u->stop = true;
		pthread_cond_broadcast(&u->change);
		pthread_mutex_unlock(&u->lock);
		pthread_join(u->thread, NULL);
	}
	u->started = u->threaded = false;
	for (int i = 0; i < RING; i++) {
		if (u->ring[i].data)
			free(u->ring[i].data - HEADROOM);
		u->ring[i].data = NULL;
	}
	free(u->big);
	u->big = NULL;
	u->big_cap = 0;
}

/* Unpacks everything into u->all; false when it does not fit into `limit`. */
static bool all_of_it(struct unpack *u, struct decoder *f, size_t limit, struct progress *progress)
{
	size_t cap = 0;

	while (f->state == DECODER_RUNNING && !progress_canceled(progress)) {
		size_t used = f->used, room;

		if (u->all_n == cap) {
			size_t want = cap ? cap * 2 : BLOCK;
			uint8_t *p, more;

			if (cap == limit && !decoder_fill(f, &more, 1))
				break;
			want = want < limit ? want : limit;
			p = want > cap ? mem_try(u->all, 1, want) : NULL;
			if (!p)
				return false;
			u->all = p;
			cap = want;
		}
		room = cap - u->all_n;
		u->all_n += decoder_fill(f, u->all + u->all_n, room < BLOCK ? room : BLOCK);
		progress_add(progress, f->used - used, 0);
	}
	return true;
}

const uint8_t *unpack_all(struct unpack *u, size_t limit, size_t *size, uint64_t *damaged,
    struct progress *progress, struct err *err)
{
	struct decoder f;
	bool fits = true;

	if (!u->all) {
		decoder_open(&f, u->dec.how, u->dec.in, u->dec.n);
		fits = all_of_it(u, &f, limit, progress);
		u->all_damaged = f.state == DECODER_DAMAGED ? f.used : ERR_NOWHERE;
		if (f.state == DECODER_DAMAGED)
			u->why = decoder_why(&f, u->all_why, sizeof u->all_why);
		decoder_close(&f);
	}
	if (!fits) {
		free(u->all);
		u->all = NULL;
		u->all_n = 0;
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "unpacked, it needs more than the %zu MiB of memory that tpuscope may use; allow more "
		    "with --memory",
		    limit >> 20);
		return NULL;
	}
	*size = u->all_n;
	*damaged = u->all_damaged;
	if (!u->all_n) {
		err_set(err, EXIT_NOTHING, *damaged, "nothing in it can be unpacked");
		return NULL;
	}
	return u->all;
}

const char *unpack_why(const struct unpack *u)
{
	return u->why;
}

/* Returns the last place at or before offset. */
static size_t place_before(const struct unpack *u, uint64_t offset)
{
	size_t after;

	BISECT(after, u->nplaces, u->places[after].offset <= offset);
	return after ? after - 1 : 0;
}

static size_t fill_from(const struct unpack *u, const struct place *p, uint8_t *buf, size_t n)
{
	struct decoder f;
	size_t got = 0;

	if (p->packed)
		decoder_open(&f, u->dec.how, p->packed, p->npacked);
	else if (!decoder_copy(&f, &p->at))
		return 0;
	got = decoder_fill(&f, buf, n);
	decoder_close(&f);
	return got;
}

/* Who reads track by track what is in order of time reads all of it again for each track: then what was unpacked
 * stays, if there is room. */
static struct cached keep_span(struct unpack *u, struct place *p, struct cached *s)
{
	uint64_t most = (uint64_t)memcap_bytes() / MEMORY_PART;
	struct cached span = *s;

	u->again += s->n;
	if (u->again < u->places[u->nplaces - 1].offset / OFTEN ||
	    u->kept + s->n > (most < KEPT ? most : KEPT))
		return span;
	p->kept = s->data;
	p->nkept = s->n;
	u->kept += s->n;
	*s = (struct cached){ 0 };
	return span;
}

/* Returns the content from a place to the next one, from the cache or unpacked now. */
static struct cached span_at(struct unpack *u, size_t k)
{
	struct place *p = &u->places[k];
	uint64_t n = k + 1 < u->nplaces ? p[1].offset - p->offset : SPAN;
	struct cached *s = &u->cache[0];

	if (p->kept)
		return (struct cached){ p->offset, p->nkept, p->kept, 0 };
	for (size_t i = 0; i < (p->packed ? CACHED : CACHED / (SPAN / BLOCK)); i++) {
		if (u->cache[i].n && u->cache[i].offset == p->offset)
			s = &u->cache[i];
		else if ((!s->n || s->offset != p->offset) && u->cache[i].stamp < s->stamp)
			s = &u->cache[i];
	}
	s->stamp = ++u->clock;
	if (s->n && s->offset == p->offset)
		return *s;
	free(s->data);
	s->data = mem_try(NULL, 1, (size_t)n);
	s->offset = p->offset;
	s->n = s->data ? fill_from(u, p, s->data, (size_t)n) : 0;
	return keep_span(u, p, s);
}

size_t unpack_read(struct unpack *u, uint64_t offset, void *buf, size_t size)
{
	uint8_t *out = buf;
	size_t got = 0;

	pthread_mutex_lock(&u->read_lock);
	while (got < size && u->nplaces) {
		struct cached s = span_at(u, place_before(u, offset + got));
		uint64_t skip = offset + got - s.offset;
		size_t n;

		if (!s.n || skip >= s.n)
			break;
		n = s.n - (size_t)skip < size - got ? s.n - (size_t)skip : size - got;
		memcpy(out + got, s.data + skip, n);
		got += n;
	}
	pthread_mutex_unlock(&u->read_lock);
	return got;
}
