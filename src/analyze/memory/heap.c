#include "config.h"
#include "analyze/memory/internal.h"

#include <inttypes.h>
#include <stdlib.h>

#define CHAIN_MAX 4096 /* length limit of a chain of buffers that share memory with one another */

/* One entry per buffer put on the heap, in order; it lives during the events [born, died). */
struct entry {
	uint32_t buffer, older;
	int64_t born, died;
};

/* From event `at` on, `buffer` is shown in place of `root`, whose memory it uses. */
struct display {
	int64_t at;
	uint32_t root, buffer;
};

struct heap {
	struct simulation *s;
	struct entry *entry;
	size_t n, cap;
	struct display *display;
	size_t ndisplay, display_cap;
	int64_t bytes, unpadded, at, last;
	int64_t peak, peak_at, peak_unpadded;
	bool over;
};

static uint32_t number_of(const struct heap *h, const struct logical *l)
{
	return (uint32_t)(l - h->s->v);
}

static void stop_heap(struct heap *h, const char *what, const struct logical *l)
{
	memory_problem(h->s->m,
	    "the heap trace is damaged at event %" PRId64 " (buffer %" PRId64 "): %s; "
	    "showing what comes before",
	    h->at, l->p->id, what);
	h->over = true;
}

/* Returns the buffer at the end of the chain: the one that owns the memory the others share. */
static struct logical *root_of(struct heap *h, struct logical *l)
{
	for (int i = 0; l->canonical != NO_BUFFER; i++) {
		if (i == CHAIN_MAX) {
			stop_heap(h, "too many buffers share one memory", l);
			break;
		}
		l = &h->s->v[l->canonical];
	}
	return l;
}

static void grow_to(struct heap *h, struct logical *l)
{
	VEC_PUSH(h->entry, h->n, h->cap);
	h->entry[h->n] = (struct entry){ number_of(h, l), l->live, h->at, INT64_MAX };
	l->live = (uint32_t)h->n++;
	if (__builtin_add_overflow(h->bytes, l->size, &h->bytes) ||
	    __builtin_add_overflow(h->unpadded, l->unpadded, &h->unpadded)) {
		h->bytes = h->unpadded = 0;
		stop_heap(h, "its size is invalid", l);
		return;
	}
	if (h->bytes > h->peak) {
		h->peak = h->bytes;
		h->peak_at = h->at;
		h->peak_unpadded = h->unpadded;
	}
}

static void span(struct heap *h, struct logical *l)
{
	l->start = h->at;
	l->end = h->last;
	l->ended = false;
}

/* Begins a lifetime.  A buffer may have several in the trace; XProf's span is the last of them. */
static void claim(struct heap *h, struct logical *l)
{
	struct simulation *s = h->s;

	if (l->claims++)
		return;
	VEC_PUSH(s->life, s->nlife, s->life_cap);
	l->life = (uint32_t)s->nlife;
	s->life[s->nlife++] = (struct lifetime){ number_of(h, l), h->at, h->last };
}

static void release(struct heap *h, struct logical *l)
{
	if (l->claims && !--l->claims)
		h->s->life[l->life].end = h->at;
}

static void allocate(struct heap *h, struct logical *l)
{
	root_of(h, l)->ref++;
	grow_to(h, l);
	span(h, l);
	claim(h, l);
}

static void share_space(struct heap *h, struct logical *l, struct logical *with)
{
	struct logical *root = root_of(h, with);

	if (root == l) {
		stop_heap(h, "it shares memory with itself", l);
		return;
	}
	l->canonical = number_of(h, with);
	claim(h, l);
	if (++root->ref > 1)
		return;
	VEC_ADD(h->display, h->ndisplay, h->display_cap,
	    (struct display){ h->at, number_of(h, root), number_of(h, l) });
	span(h, l);
	grow_to(h, root);
}

/* Ends all entries of the buffer at once, as XProf does. */
static void drop_entries(struct heap *h, struct logical *root)
{
	for (uint32_t i = root->live; i != NO_BUFFER; i = h->entry[i].older)
		h->entry[i].died = h->at;
	root->live = NO_BUFFER;
	h->bytes -= root->size;
	h->unpadded -= root->unpadded;
	if (h->bytes < 0) {
		h->bytes = 0;
		stop_heap(h, "more is freed than was allocated", root);
	}
	if (root->start >= 0 && !root->ended) {
		root->end = h->at;
		root->ended = true;
	}
}

static void release_all(struct heap *h, struct logical *l)
{
	struct logical *root = root_of(h, l);

	release(h, l);
	if (root->ref <= 0) {
		stop_heap(h, "it is freed but was not allocated", l);
		return;
	}
	if (!--root->ref)
		drop_entries(h, root);
	if (l->start >= 0 && l->canonical != NO_BUFFER)
		l->end = h->at;
}

static void follow(struct heap *h, const Pb__HeapSimulatorTrace__Event *e)
{
	struct logical *l = memory_logical(h->s, e->buffer_id), *with;

	if (!l)
		return;
	if (e->kind == PB__HEAP_SIMULATOR_TRACE__EVENT__KIND__ALLOC)
		allocate(h, l);
	else if (e->kind == PB__HEAP_SIMULATOR_TRACE__EVENT__KIND__FREE)
		release_all(h, l);
	else if ((with = memory_logical(h->s, e->share_with_canonical_id)))
		share_space(h, l, with);
}

static void point(struct heap *h, const char *instruction)
{
	struct memory *m = h->s->m;

	m->heap[m->npoints] = h->bytes;
	m->unpadded[m->npoints] = h->unpadded;
	m->instruction[m->npoints++] = instruction ? instruction : "";
}

/* Keeps what was alive right after the event of the peak, and which buffer is shown for each at that time. */
static void keep_peak(struct heap *h)
{
	struct simulation *s = h->s;
	uint32_t *shown = xcalloc(s->b->n_logical_buffers + 1, sizeof *shown);

	for (size_t i = 0; i < h->ndisplay && h->display[i].at <= h->peak_at; i++)
		shown[h->display[i].root] = h->display[i].buffer + 1;
	s->peak = xcalloc(h->n + 1, sizeof *s->peak);
	for (size_t i = 0; i < h->n && h->peak > 0; i++) {
		const struct entry *e = &h->entry[i];

		if (e->born <= h->peak_at && e->died > h->peak_at)
			s->peak[s->npeak++] =
			    (struct peak){ e->buffer, shown[e->buffer] ? shown[e->buffer] - 1 : e->buffer };
	}
	free(shown);
}

void memory_simulate(struct simulation *s)
{
	struct heap h = { .s = s };
	struct memory *m = s->m;

	if (s->trace) {
		size_t n = s->trace->n_events;

		h.last = (int64_t)n - 1;
		m->heap = xcalloc(n + 1, sizeof *m->heap);
		m->unpadded = xcalloc(n + 1, sizeof *m->unpadded);
		m->instruction = xcalloc(n + 1, sizeof *m->instruction);
		for (size_t i = 0; i < n && !h.over; i++) {
			h.at = (int64_t)i;
			point(&h, s->trace->events[i]->instruction_name);
			follow(&h, s->trace->events[i]);
		}
		point(&h, NULL);
	}
	keep_peak(&h);
	m->peak_bytes = h.peak;
	m->peak_unpadded = h.peak_unpadded;
	m->peak_at = h.peak_at;
	free(h.entry);
	free(h.display);
}
