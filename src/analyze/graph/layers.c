#include "config.h"
#include "analyze/graph/layers.h"

#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 3 };

struct work {
	const struct graph_near *near;
	struct graph_layers *out;
	uint32_t *layer; /* by node */
};

/* The longest way from an instruction without operands; in a cycle, from those outside of it at most. */
static void find_layers(struct work *w)
{
	const struct graph_near *near = w->near;
	uint32_t *waits = xcalloc((size_t)near->n + 1, sizeof *waits), *queue, n = 0;
	uint32_t *at = xcalloc((size_t)near->n + 2, sizeof *at),
		 *out = xcalloc((size_t)near->ne + 1, sizeof *out);

	queue = xcalloc((size_t)near->n + 1, sizeof *queue);
	for (uint32_t k = 0; k < near->ne; k++) {
		waits[near->e[k].to]++;
		at[near->e[k].from + 2]++;
	}
	for (uint32_t i = 1; i <= near->n + 1; i++)
		at[i] += at[i - 1];
	for (uint32_t k = 0; k < near->ne; k++)
		out[at[near->e[k].from + 1]++] = near->e[k].to;
	for (uint32_t i = 0; i < near->n; i++)
		if (!waits[i])
			queue[n++] = i;
	for (uint32_t q = 0; q < n; q++)
		for (uint32_t k = at[queue[q]]; k < at[queue[q] + 1]; k++) {
			uint32_t to = out[k];

			if (w->layer[to] <= w->layer[queue[q]])
				w->layer[to] = w->layer[queue[q]] + 1;
			if (!--waits[to])
				queue[n++] = to;
		}
	free(waits);
	free(queue);
	free(at);
	free(out);
}

/* Moves instructions that have no operands here down to the layer of their first user. */
static void lower_sources(struct work *w)
{
	const struct graph_near *near = w->near;
	uint32_t *least = xmalloc(((size_t)near->n + 1) * sizeof *least);
	bool *has = xcalloc((size_t)near->n + 1, sizeof *has);

	memset(least, 0xff, ((size_t)near->n + 1) * sizeof *least);
	for (uint32_t k = 0; k < near->ne; k++) {
		const struct graph_edge *e = &near->e[k];

		has[e->to] = true;
		if (w->layer[e->to] < least[e->from])
			least[e->from] = w->layer[e->to];
	}
	for (uint32_t i = 0; i < near->n; i++)
		if (!has[i] && least[i] != UINT32_MAX && least[i] > 0)
			w->layer[i] = least[i] - 1;
	free(least);
	free(has);
}

static uint32_t add_item(struct graph_layers *l, uint32_t node, uint32_t layer, double order)
{
	VEC_ADD(l->v, l->n, l->cap, (struct graph_item){ node, layer, order, 0, 0 });
	return l->n - 1;
}

static void add_items(struct work *w)
{
	struct graph_layers *l = w->out;

	for (uint32_t i = 0; i < w->near->n; i++)
		add_item(l, i, w->layer[i], i);
	for (uint32_t k = 0; k < w->near->ne; k++) {
		const struct graph_edge *e = &w->near->e[k];
		uint32_t from = e->from, end = w->layer[e->to];

		if (w->layer[e->from] >= end || l->n + (end - w->layer[from]) > LAYER_ITEMS)
			continue;
		for (uint32_t y = w->layer[e->from] + 1; y <= end; y++) {
			uint32_t to = y == end ? e->to : add_item(l, HLO_NONE, y, e->from);

			VEC_ADD(l->s, l->ns, l->scap, (struct graph_segment){ from, to, -1, e->control });
			from = to;
		}
	}
}

struct ranked {
	double order;
	uint32_t layer, item;
};

VEC_ORDER(by_layer, struct ranked, UP(layer) UP(order) UP(item));

/* Sorts the items, and makes segments and nodes point to their new places. */
static void sort_items(struct graph_layers *l)
{
	struct ranked *r = xmalloc(((size_t)l->n + 1) * sizeof *r);
	struct graph_item *v = xmalloc(((size_t)l->n + 1) * sizeof *v);
	uint32_t *place = xmalloc(((size_t)l->n + 1) * sizeof *place);

	for (uint32_t i = 0; i < l->n; i++)
		r[i] = (struct ranked){ l->v[i].order, l->v[i].layer, i };
	VEC_SORT(r, l->n, by_layer);
	for (uint32_t i = 0; i < l->n; i++) {
		v[i] = l->v[r[i].item];
		place[r[i].item] = i;
	}
	memcpy(l->v, v, l->n * sizeof *v);
	for (uint32_t k = 0; k < l->ns; k++) {
		l->s[k].from = place[l->s[k].from];
		l->s[k].to = place[l->s[k].to];
	}
	free(r);
	free(v);
	free(place);
}

static void number_layers(struct graph_layers *l)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		if (i && l->v[i].layer != l->v[i - 1].layer)
			from = i;
		l->v[i].order = i - from;
	}
}

/* Orders each layer by where its operands (down) or users are, in the middle of them. */
static void sweep(struct graph_layers *l, bool down)
{
	double *sum = xcalloc((size_t)l->n + 1, sizeof *sum);
	uint32_t *count = xcalloc((size_t)l->n + 1, sizeof *count);

	for (uint32_t k = 0; k < l->ns; k++) {
		uint32_t of = down ? l->s[k].to : l->s[k].from, other = down ? l->s[k].from : l->s[k].to;

		sum[of] += l->v[other].order;
		count[of]++;
	}
	for (uint32_t i = 0; i < l->n; i++)
		if (count[i])
			l->v[i].order = sum[i] / count[i];
	free(sum);
	free(count);
	sort_items(l);
	number_layers(l);
}

static void index_layers(struct graph_layers *l)
{
	uint32_t layer = 0;

	l->nlayers = l->n ? l->v[l->n - 1].layer + 1 : 0;
	l->first = xcalloc((size_t)l->nlayers + 2, sizeof *l->first);
	for (uint32_t i = 0; i < l->n; i++)
		for (; layer <= l->v[i].layer; layer++)
			l->first[layer] = i;
	for (; layer <= l->nlayers; layer++)
		l->first[layer] = l->n;
}

/* The boxes of a layer share the width; the last ones are hidden where they would be too narrow. */
static void place_layer(struct graph_layers *l, uint32_t layer, int width)
{
	int boxes = 0, lines = 0, w, x, room;

	for (uint32_t i = l->first[layer]; i < l->first[layer + 1]; i++)
		*(l->v[i].node == HLO_NONE ? &lines : &boxes) += 1;
	lines = lines < width / 4 ? lines : width / 4;
	room = width - 2 * lines;
	w = boxes ? room / boxes - 1 : 0;
	w = w > LAYER_BOX_MAX ? LAYER_BOX_MAX : w < LAYER_BOX_MIN ? LAYER_BOX_MIN : w;
	if (boxes * (w + 1) > room) {
		int fit = room / (w + 1);

		l->hidden += (uint32_t)(boxes - fit);
		boxes = fit;
	}
	x = (width - boxes * (w + 1) - 2 * lines) / 2;
	for (uint32_t i = l->first[layer]; i < l->first[layer + 1]; i++) {
		struct graph_item *v = &l->v[i];
		int *left = v->node == HLO_NONE ? &lines : &boxes;

		v->x = x;
		v->w = *left <= 0 ? 0 : v->node == HLO_NONE ? 1 : w;
		x += v->w ? v->w + 1 : 0;
		--*left;
	}
}

static int middle(const struct graph_item *v)
{
	return v->x + v->w / 2;
}

struct bridge {
	int from, to;
	uint32_t layer, segment;
};

VEC_ORDER(by_place, struct bridge, UP(layer) UP(from) UP(to) UP(segment));

/* The rows between two layers: horizontal parts that overlap get rows of their own. */
static void place_tracks(struct graph_layers *l)
{
	struct bridge *bridge = xmalloc(((size_t)l->ns + 1) * sizeof *bridge);
	int end[LAYER_TRACKS];
	uint32_t n = 0, layer = UINT32_MAX;

	l->tracks = xcalloc((size_t)l->nlayers + 1, sizeof *l->tracks);
	for (uint32_t k = 0; k < l->ns; k++) {
		int a = middle(&l->v[l->s[k].from]), b = middle(&l->v[l->s[k].to]);

		if (a != b && l->v[l->s[k].from].w && l->v[l->s[k].to].w)
			bridge[n++] =
			    (struct bridge){ a < b ? a : b, a < b ? b : a, l->v[l->s[k].from].layer, k };
	}
	VEC_SORT(bridge, n, by_place);
	for (uint32_t k = 0; k < n; k++) {
		int t = 0;

		if (bridge[k].layer != layer)
			for (int i = 0; i < LAYER_TRACKS; i++)
				end[i] = -1;
		layer = bridge[k].layer;
		while (t < LAYER_TRACKS - 1 && end[t] >= bridge[k].from)
			t++;
		end[t] = bridge[k].to > end[t] ? bridge[k].to : end[t];
		l->s[bridge[k].segment].track = t;
		if (t + 1 > l->tracks[layer])
			l->tracks[layer] = t + 1;
	}
	free(bridge);
}

void graph_layers_make(const struct graph_near *near, int width, struct graph_layers *l)
{
	struct work w = { .near = near, .out = l };

	*l = (struct graph_layers){ .n = 0 };
	w.layer = xcalloc((size_t)near->n + 1, sizeof *w.layer);
	find_layers(&w);
	lower_sources(&w);
	add_items(&w);
	free(w.layer);
	sort_items(l);
	number_layers(l);
	for (int i = 0; i < SWEEPS; i++) {
		sweep(l, true);
		sweep(l, false);
	}
	index_layers(l);
	for (uint32_t i = 0; i < l->nlayers; i++)
		place_layer(l, i, width);
	place_tracks(l);
	l->item = xcalloc((size_t)near->n + 1, sizeof *l->item);
	for (uint32_t i = 0; i < l->n; i++)
		if (l->v[i].node != HLO_NONE)
			l->item[l->v[i].node] = i;
}

void graph_layers_free(struct graph_layers *l)
{
	free(l->v);
	free(l->first);
	free(l->s);
	free(l->tracks);
	free(l->item);
	*l = (struct graph_layers){ .n = 0 };
}
