#include "config.h"
#include "analyze/communication/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/mem.h"

/* The runs of a program look alike: a few of them tell what hides an op, without reading everything once more. */
enum { LOOKS = 32, READS = 1 << 19, DEPTH = 32, NAMED = 3 };

struct around {
	int64_t end;
	strid name;
	bool computes;
};

struct window {
	const struct core_times *times;
	struct comm_hiders *h;
	uint32_t op;
	int64_t end; /* of the flight */
	struct around around[DEPTH];
	int depth;
};

static void add_time(struct window *w, strid name, int64_t time)
{
	VEC_ADD(w->h->v, w->h->n, w->h->cap, (struct comm_hider){ w->op, name, time });
}

/* An op's own time is its duration less that of the ops in it. */
static void look_at(struct window *w, const struct track *t, size_t i)
{
	const struct dump *d = w->times->dump;
	const uint32_t meta = track_meta(t, i);
	const bool computes = w->times->ops->role[meta].time == PIECE_COMPUTE;
	int64_t begin, dur, plain, end;

	clock_plain(d, t, i, &plain, &dur);
	if (!clock_pair(d, &w->h->names, t, i, &begin, &dur))
		begin = plain;
	end = add_clamped(begin, dur);
	end = end < w->end ? end : w->end;
	while (w->depth && w->around[w->depth - 1].end <= begin)
		w->depth--;
	if (end <= begin)
		return;
	if (w->depth && w->around[w->depth - 1].computes)
		add_time(w, w->around[w->depth - 1].name, begin - end);
	if (computes)
		add_time(w, d->trace.metas[meta].name, end - begin);
	if (w->depth < DEPTH)
		w->around[w->depth++] = (struct around){ end, d->trace.metas[meta].name, computes };
}

void comm_hiders_take(const struct core_times *times, struct comm_hiders *h, uint32_t op,
    const struct time_flight *f)
{
	struct window w = { .times = times, .h = h, .op = op, .end = f->end.time };
	const struct track *t = &times->dump->trace.tracks[f->track];

	if (f->done_event == SIZE_MAX || f->end.compute == f->begin.compute || h->looks[op] == LOOKS ||
	    h->n >= READS || f->done_event - f->event > READS - h->n)
		return;
	h->looks[op]++;
	h->wall[op] = add_clamped(h->wall[op], f->end.time - f->begin.time);
	for (size_t i = f->event + 1; i < f->done_event; i++)
		look_at(&w, t, i);
}

VEC_ORDER(by_name, struct comm_hider, UP(op) UP(name));
VEC_ORDER(by_time, struct comm_hider, UP(op) DOWN(time) UP(name));

static size_t sum_up(struct comm_hider *v, size_t n)
{
	size_t k = 0;

	VEC_SORT(v, n, by_name);
	for (size_t i = 0; i < n; i++)
		if (k && !by_name(&v[k - 1], &v[i]))
			v[k - 1].time = add_clamped(v[k - 1].time, v[i].time);
		else
			v[k++] = v[i];
	VEC_SORT(v, k, by_time);
	return k;
}

/* "fusion.12 61 %, fusion.3 7 %" */
static const char *say_hiders(struct communication *c, const struct comm_hider *v, size_t n, int64_t wall)
{
	char text[512];
	size_t len = 0;

	for (size_t i = 0; i < n && i < NAMED && v[i].time > 0; i++) {
		struct slice name = dump_text(c->dump, v[i].name);

		len += (size_t)snprintf(text + len, sizeof text - len, "%s%.*s %.0f %%", i ? ", " : "",
		    (int)(name.n < 120 ? name.n : 120), name.s, 100 * (double)v[i].time / (double)wall);
	}
	return len ? arena_strndup(&c->text, text, len) : NULL;
}

void comm_hiders_end(struct communication *c, struct comm_hiders *h)
{
	size_t n = sum_up(h->v, h->n);

	for (size_t a = 0, b; a < n; a = b) {
		const uint32_t op = h->v[a].op;

		for (b = a; b < n && h->v[b].op == op;)
			b++;
		c->op[op].hidden_by = say_hiders(c, &h->v[a], b - a, h->wall[op]);
	}
	free(h->v);
	free(h->wall);
	free(h->looks);
}
