#include "config.h"

#include "load/chrome/chrome.h"

#include <stdlib.h>

#define SEARCH_MAX 256 /* open events of one id searched for the name of an end */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Returns the latest time in the file, which is where begins without an end are cut off. */
static int64_t trace_end(struct chrome *c)
{
	int64_t end = INT64_MIN;

	if (c->ended)
		return c->end;
	for (size_t i = 0; i < c->b.ntracks; i++) {
		const struct build_track *k = &c->b.tracks[i];

		for (size_t j = 0; j < k->t.n; j++)
			if (track_dur(&k->t, j) < INT64_MAX - CHROME_SPAN_US * 1000000)
				end = later(end, track_start(&k->t, j) + later(track_dur(&k->t, j), 0));
		for (size_t j = 0; j < k->nmarks; j++)
			end = later(end, k->marks[j].ts);
	}
	for (size_t i = 0; i < c->nasync; i++)
		end = later(end, c->async[i].ts);
	c->ended = true;
	c->end = end;
	return end;
}

VEC_ORDER(async_by_key_and_time, struct chrome_async, UP(key) UP(ts) UP(seq));

struct open_async {
	uint32_t meta, track;
	size_t event;
	int64_t ts;
};

struct open_stack {
	struct open_async *v;
	size_t n, cap;
};

static void close_at(struct chrome *c, const struct open_async *o, int64_t ts)
{
	struct track *t = &c->b.tracks[o->track].t;

	if (o->event != SIZE_MAX)
		track_set_time(t, o->event, track_start(t, o->event), ts - o->ts);
}

/* Ends the innermost event of the same name, else the innermost. */
static void end_async(struct chrome *c, struct open_stack *s, const struct chrome_async *a)
{
	size_t i = s->n, last = s->n > SEARCH_MAX ? s->n - SEARCH_MAX : 0;

	if (!s->n) {
		c->unopened++;
		return;
	}
	while (a->named && i > last && s->v[i - 1].meta != a->meta)
		i--;
	c->misnamed += i == last;
	i = i > last ? i - 1 : s->n - 1;
	close_at(c, &s->v[i], a->ts);
	for (s->n--; i < s->n; i++)
		s->v[i] = s->v[i + 1];
}

/* Everything inside an outermost event goes to the row of the outermost event's name. */
static void add_async(struct chrome *c, struct open_stack *s, const struct chrome_async *a)
{
	struct open_async o = { .meta = a->meta, .ts = a->ts };

	if (s->n)
		o.track = s->v[0].track;
	else
		o.track =
		    build_lane(&c->b, a->proc, BUILD_ASYNC, a->meta, c->b.dump->trace.metas[a->meta].name);
	o.event = build_event(&c->b, o.track, a->ts, 0, a->meta, a->at);
	if (a->half == ASYNC_INSTANT)
		return;
	VEC_ADD(s->v, s->n, s->cap, o);
}

static void close_rest(struct chrome *c, struct open_stack *s, int64_t end)
{
	c->unclosed += s->n;
	while (s->n)
		close_at(c, &s->v[--s->n], end);
}

static void pair_async(struct chrome *c)
{
	struct open_stack s = { 0 };
	int64_t end;

	if (!c->nasync)
		return;
	end = trace_end(c);
	qsort(c->async, c->nasync, sizeof *c->async, async_by_key_and_time);
	for (size_t i = 0; i < c->nasync; i++) {
		const struct chrome_async *a = &c->async[i];

		if (i && a->key != a[-1].key)
			close_rest(c, &s, end);
		if (a->half == ASYNC_END)
			end_async(c, &s, a);
		else
			add_async(c, &s, a);
	}
	close_rest(c, &s, end);
	free(s.v);
}

void chrome_pairs(struct chrome *c)
{
	struct build_paired paired = { 0 };

	for (size_t i = 0; i < c->b.ntracks; i++)
		if (c->b.tracks[i].nmarks)
			build_pair(&c->b.tracks[i], trace_end(c), &paired);
	c->unopened += paired.unopened;
	c->unclosed += paired.unclosed;
	c->misnamed += paired.misnamed;
	pair_async(c);
}
