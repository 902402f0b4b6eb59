#include "config.h"

#include "load/gunzip.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"

#define BLOCK ((size_t)1 << 20)
#define HEADROOM ((size_t)256 << 10)	/* for bytes kept of the piece before; more go to their own buffer */
#define RING 4
#define SPAN ((uint64_t)4 << 20)	/* content between two checkpoints */
#define CACHED 4			/* inflated spans kept for gunzip_read() */
#define FEED ((size_t)1 << 30)		/* zlib counts in 32 bits */

enum state { GUNZIP_INFLATING, GUNZIP_ENDED, GUNZIP_DAMAGED };

struct inflater {
	z_stream z;
	const uint8_t *in;
	size_t n, used;			/* of in */
	uint64_t out;
	enum state state;
	const char *why;
};

struct block {
	uint8_t *data;			/* HEADROOM bytes before it are ours */
	size_t n, used;			/* used: bytes of the file it took */
	uint64_t offset;
};

struct span {
	uint64_t offset;
	size_t n;
	uint8_t *data;
	uint64_t stamp;
};

struct gunzip {
	struct inflater inf;
	pthread_mutex_t lock;
	pthread_cond_t change;
	pthread_t thread;
	bool started, threaded, stop, done;
	struct block ring[RING];
	size_t made, taken;		/* counts of blocks; the consumer holds block taken-1 */
	struct progress *progress;
	const uint8_t *piece;
	size_t piece_n;
	uint64_t piece_offset;
	uint8_t *big;			/* a piece that keeps more than the headroom */
	size_t big_cap;

	pthread_mutex_t read_lock;	/* for what follows */
	struct inflater **cp; size_t ncp, cp_cap;	/* each stays in place: zlib points back at it */
	struct span cache[CACHED];
	uint64_t clock;
	uint8_t *all;
	size_t all_n;
	uint64_t all_damaged;
};

static bool inflater_open(struct inflater *f, const uint8_t *in, size_t n)
{
	*f = (struct inflater){ .in = in, .n = n };
	return inflateInit2(&f->z, 15 + 16) == Z_OK;
}

static struct inflater *inflater_copy(struct inflater *from)
{
	struct inflater *f = xmalloc(sizeof *f);

	*f = *from;
	if (inflateCopy(&f->z, &from->z) == Z_OK)
		return f;
	free(f);
	return NULL;
}

static void inflater_free(struct inflater *f)
{
	inflateEnd(&f->z);
	free(f);
}

static void damage(struct inflater *f, const char *why)
{
	f->state = GUNZIP_DAMAGED;
	f->why = why;
}

/* Behind a member: another one, or padding with zeros, or the end. */
static void next_member(struct inflater *f)
{
	const uint8_t *p = f->in + f->used;
	size_t left = f->n - f->used, zeros = 0;

	if (left >= 2 && p[0] == 0x1f && p[1] == 0x8b) {
		inflateReset(&f->z);
		return;
	}
	while (zeros < left && !p[zeros])
		zeros++;
	if (zeros < left)
		damage(f, "something else follows the gzip data");
	else
		f->state = GUNZIP_ENDED;
}

/* Inflates up to size bytes into buf, fewer only at the end or at damage. */
static size_t inflater_fill(struct inflater *f, uint8_t *buf, size_t size)
{
	size_t filled = 0;

	while (filled < size && f->state == GUNZIP_INFLATING) {
		size_t give = f->n - f->used < FEED ? f->n - f->used : FEED;
		size_t room = size - filled < FEED ? size - filled : FEED;
		int r;

		/* zlib's types lack const; it does not write to its input */
		memcpy(&f->z.next_in, &(const uint8_t *){ f->in + f->used }, sizeof f->z.next_in);
		f->z.avail_in = (uInt)give;
		f->z.next_out = buf + filled;
		f->z.avail_out = (uInt)room;
		r = inflate(&f->z, Z_NO_FLUSH);
		f->used += give - f->z.avail_in;
		filled += room - f->z.avail_out;
		if (r == Z_STREAM_END)
			next_member(f);
		else if (r == Z_BUF_ERROR || (r == Z_OK && f->used == f->n && f->z.avail_out))
			damage(f, "the gzip data is cut off");
		else if (r == Z_MEM_ERROR)
			damage(f, "not enough memory to inflate");
		else if (r != Z_OK)
			damage(f, f->z.msg ? f->z.msg : "broken gzip data");
	}
	f->out += filled;
	return filled;
}

struct gunzip *gunzip_new(const uint8_t *in, size_t n)
{
	struct gunzip *g = xcalloc(1, sizeof *g);

	if (!inflater_open(&g->inf, in, n))
		damage(&g->inf, "not enough memory to inflate");
	pthread_mutex_init(&g->lock, NULL);
	pthread_mutex_init(&g->read_lock, NULL);
	pthread_cond_init(&g->change, NULL);
	return g;
}

void gunzip_free(struct gunzip *g)
{
	if (!g)
		return;
	gunzip_stop(g);
	for (size_t i = 0; i < g->ncp; i++)
		inflater_free(g->cp[i]);
	for (size_t i = 0; i < CACHED; i++)
		free(g->cache[i].data);
	inflateEnd(&g->inf.z);
	free(g->cp);
	free(g->all);
	pthread_cond_destroy(&g->change);
	pthread_mutex_destroy(&g->read_lock);
	pthread_mutex_destroy(&g->lock);
	free(g);
}

size_t gunzip_head(const uint8_t *in, size_t n, uint8_t *buf, size_t size)
{
	struct inflater f;
	size_t got = 0;

	if (inflater_open(&f, in, n))
		got = inflater_fill(&f, buf, size);
	inflateEnd(&f.z);
	return got;
}

/* A copy of the whole state, window included, each SPAN: where gunzip_read() can begin. */
static void checkpoint(struct gunzip *g)
{
	struct inflater *copy;

	if (g->inf.state != GUNZIP_INFLATING || (g->ncp && g->inf.out < g->cp[g->ncp - 1]->out + SPAN))
		return;
	copy = inflater_copy(&g->inf);
	if (!copy)
		return;
	pthread_mutex_lock(&g->read_lock);
	VEC_PUSH(g->cp, g->ncp, g->cp_cap);
	g->cp[g->ncp++] = copy;
	pthread_mutex_unlock(&g->read_lock);
}

static void make_block(struct gunzip *g)
{
	struct block *b = &g->ring[g->made % RING];
	size_t used = g->inf.used;

	checkpoint(g);
	b->offset = g->inf.out;
	b->n = inflater_fill(&g->inf, b->data, BLOCK);
	b->used = g->inf.used - used;
}

/* The end may come just behind a full block: an empty one is none. */
static void publish(struct gunzip *g)
{
	g->done = g->inf.state != GUNZIP_INFLATING;
	g->made += g->ring[g->made % RING].n > 0;
}

static void *run(void *arg)
{
	struct gunzip *g = arg;

	pthread_mutex_lock(&g->lock);
	while (!g->done) {
		while (!g->stop && g->made - (g->taken ? g->taken - 1 : 0) == RING)
			pthread_cond_wait(&g->change, &g->lock);
		if (g->stop)
			break;
		pthread_mutex_unlock(&g->lock);
		make_block(g);
		pthread_mutex_lock(&g->lock);
		publish(g);
		pthread_cond_broadcast(&g->change);
	}
	pthread_mutex_unlock(&g->lock);
	return NULL;
}

static bool launch(struct gunzip *g)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);	/* a file that shrinks must be caught where it is read */
	sigdelset(&all, SIGSEGV);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ok = !pthread_create(&g->thread, NULL, run, g);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

int gunzip_start(struct gunzip *g, struct progress *progress, struct err *err)
{
	for (int i = 0; i < RING; i++) {
		uint8_t *p = mem_try(NULL, 1, HEADROOM + BLOCK);

		if (!p) {
			gunzip_stop(g);
			return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory to inflate");
		}
		g->ring[i].data = p + HEADROOM;
	}
	if (g->inf.out) {			/* from the start again */
		inflateReset(&g->inf.z);
		g->inf.used = 0;
		g->inf.out = 0;
		g->inf.state = GUNZIP_INFLATING;
	}
	g->progress = progress;
	g->made = g->taken = 0;
	g->done = g->stop = false;
	g->piece_n = 0;
	g->started = true;
	g->threaded = launch(g);
	return 0;
}

/* The next block of the ring, NULL behind the last one.  The one before stays untouched until release(). */
static const struct block *take(struct gunzip *g)
{
	const struct block *b = NULL;

	pthread_mutex_lock(&g->lock);
	if (!g->threaded && !g->done && g->made == g->taken) {
		make_block(g);
		publish(g);
	}
	while (g->threaded && !g->done && g->made == g->taken)
		pthread_cond_wait(&g->change, &g->lock);
	if (g->made != g->taken)
		b = &g->ring[g->taken % RING];
	pthread_mutex_unlock(&g->lock);
	return b;
}

static void release(struct gunzip *g)
{
	pthread_mutex_lock(&g->lock);
	g->taken++;
	pthread_cond_broadcast(&g->change);
	pthread_mutex_unlock(&g->lock);
}

/* Puts the kept bytes and the block into the big buffer. */
static bool append(struct gunzip *g, size_t keep, const struct block *b)
{
	const uint8_t *kept = g->piece + g->piece_n - keep;
	bool inside = g->big && g->piece == g->big;
	size_t at = (size_t)(kept - g->piece), need = keep + b->n;

	if (need > g->big_cap || !g->big) {
		size_t cap = need < SIZE_MAX / 2 ? need * 2 : need;
		uint8_t *big = mem_try(g->big, 1, cap);

		if (!big)
			return false;
		g->big = big;
		g->big_cap = cap;
		if (inside)
			kept = big + at;
	}
	memmove(g->big, kept, keep);
	memcpy(g->big + keep, b->data, b->n);
	g->piece = g->big;
	return true;
}

static int64_t failed(const struct gunzip *g, struct err *err)
{
	return err_set(err, EXIT_DAMAGED, g->inf.used, "%s at byte %llu of the compressed file", g->inf.why,
		(unsigned long long)g->inf.used);
}

int64_t gunzip_block(struct gunzip *g, size_t keep, const uint8_t **piece, uint64_t *offset, struct err *err)
{
	const struct block *b = take(g);

	if (!b)
		return g->inf.state == GUNZIP_DAMAGED ? failed(g, err) : 0;
	if (keep > g->piece_n)
		keep = g->piece_n;
	if (keep > HEADROOM) {
		if (!append(g, keep, b))
			return err_set(err, EXIT_DAMAGED, ERR_NOWHERE,
				"not enough memory for a piece of %zu bytes", keep);
	} else {
		if (keep)
			memcpy(b->data - keep, g->piece + g->piece_n - keep, keep);
		g->piece = b->data - keep;
	}
	g->piece_n = keep + b->n;
	*piece = g->piece;
	*offset = b->offset - keep;
	progress_add(g->progress, b->used, 0);
	release(g);
	return (int64_t)g->piece_n;
}

void gunzip_stop(struct gunzip *g)
{
	if (g->started && g->threaded) {
		pthread_mutex_lock(&g->lock);
		g->stop = true;
		pthread_cond_broadcast(&g->change);
		pthread_mutex_unlock(&g->lock);
		pthread_join(g->thread, NULL);
	}
	g->started = g->threaded = false;
	for (int i = 0; i < RING; i++) {
		if (g->ring[i].data)
			free(g->ring[i].data - HEADROOM);
		g->ring[i].data = NULL;
	}
	free(g->big);
	g->big = NULL;
	g->big_cap = 0;
}

/* Inflates everything into g->all; false when it does not fit into `limit`. */
static bool inflate_all(struct gunzip *g, struct inflater *f, size_t limit, struct progress *progress)
{
	size_t cap = 0;

	while (f->state == GUNZIP_INFLATING && !progress_cancelled(progress)) {
		size_t used = f->used, room;

		if (g->all_n == cap) {
			size_t want = cap ? cap * 2 : BLOCK;
			uint8_t *p;

			want = want < limit ? want : limit;
			p = want > cap ? mem_try(g->all, 1, want) : NULL;
			if (!p)
				return false;
			g->all = p;
			cap = want;
		}
		room = cap - g->all_n;
		g->all_n += inflater_fill(f, g->all + g->all_n, room < BLOCK ? room : BLOCK);
		progress_add(progress, f->used - used, 0);
	}
	return true;
}

const uint8_t *gunzip_all(struct gunzip *g, size_t limit, size_t *size, uint64_t *damaged,
	struct progress *progress, struct err *err)
{
	struct inflater f;
	bool fits = true;

	if (!g->all) {
		if (!inflater_open(&f, g->inf.in, g->inf.n))
			damage(&f, "not enough memory to inflate");
		fits = inflate_all(g, &f, limit, progress);
		g->all_damaged = f.state == GUNZIP_DAMAGED ? f.used : ERR_NOWHERE;
		inflateEnd(&f.z);
	}
	if (!fits) {
		free(g->all);
		g->all = NULL;
		g->all_n = 0;
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
			"inflated it needs more than the %zu MiB of memory that may be used",
			limit >> 20);
		return NULL;
	}
	*size = g->all_n;
	*damaged = g->all_damaged;
	if (!g->all_n) {
		err_set(err, EXIT_NOTHING, *damaged, "nothing in it can be inflated");
		return NULL;
	}
	return g->all;
}

/* The checkpoint before offset. */
static size_t checkpoint_of(const struct gunzip *g, uint64_t offset)
{
	size_t lo = 0, n = g->ncp;

	while (n > 1) {
		size_t half = n / 2;

		if (g->cp[lo + half]->out <= offset) {
			lo += half;
			n -= half;
		} else {
			n = half;
		}
	}
	return lo;
}

/* The content from a checkpoint to the next, inflated now or still there from last time. */
static const struct span *span_of(struct gunzip *g, size_t k)
{
	uint64_t from = g->cp[k]->out, n = k + 1 < g->ncp ? g->cp[k + 1]->out - from : SPAN;
	struct span *s = &g->cache[0];
	struct inflater *f;

	for (size_t i = 0; i < CACHED; i++) {
		if (g->cache[i].n && g->cache[i].offset == from)
			s = &g->cache[i];
		else if ((!s->n || s->offset != from) && g->cache[i].stamp < s->stamp)
			s = &g->cache[i];
	}
	s->stamp = ++g->clock;
	if (s->n && s->offset == from)
		return s;
	free(s->data);
	s->n = 0;
	s->data = mem_try(NULL, 1, (size_t)n);
	f = s->data ? inflater_copy(g->cp[k]) : NULL;
	if (f) {
		s->offset = from;
		s->n = inflater_fill(f, s->data, (size_t)n);
		inflater_free(f);
	}
	return s;
}

size_t gunzip_read(struct gunzip *g, uint64_t offset, void *buf, size_t size)
{
	uint8_t *out = buf;
	size_t got = 0;

	pthread_mutex_lock(&g->read_lock);
	while (got < size && g->ncp) {
		const struct span *s = span_of(g, checkpoint_of(g, offset + got));
		uint64_t skip = offset + got - s->offset;
		size_t n;

		if (!s->n || skip >= s->n)
			break;
		n = s->n - (size_t)skip < size - got ? s->n - (size_t)skip : size - got;
		memcpy(out + got, s->data + skip, n);
		got += n;
	}
	pthread_mutex_unlock(&g->read_lock);
	return got;
}
