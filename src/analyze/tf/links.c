#include "config.h"

#include "analyze/tf/links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint32_t slot_of(const struct tf_links *l, uint32_t function, struct slice name)
{
	return (strtab_hash(name.s, name.n) ^ (function + 1) * 0x9e3779b9u) & l->mask;
}

uint32_t tf_links_find(const struct tf_links *l, uint32_t function, struct slice name)
{
	for (uint32_t i = slot_of(l, function, name); l->slot[i]; i = (i + 1) & l->mask) {
		const struct tf_node *x = &l->nodes->v[l->slot[i] - 1];

		if (x->function == function && slice_same(tf_node_name(x), name))
			return l->slot[i] - 1;
	}
	return TF_NO_LINK;
}

static void index_names(struct tf_links *l)
{
	for (uint32_t k = 0; k < l->nodes->n; k++) {
		const struct tf_node *x = &l->nodes->v[k];
		uint32_t i = slot_of(l, x->function, tf_node_name(x));

		if (tf_links_find(l, x->function, tf_node_name(x)) != TF_NO_LINK) {
			l->repeated += x->function == TF_NO_FUNCTION;
			continue; /* the first of a name is meant */
		}
		while (l->slot[i])
			i = (i + 1) & l->mask;
		l->slot[i] = k + 1;
	}
}

struct walk {
	struct tf_links *l;
	uint32_t node;
};

static uint32_t source_of(const struct walk *w, const struct tf_input *in)
{
	return tf_links_find(w->l, w->l->nodes->v[w->node].function, in->name);
}

static void count_reader(void *ctx, const struct tf_input *in)
{
	struct walk *w = ctx;
	uint32_t from = source_of(w, in);

	if (from != TF_NO_LINK)
		w->l->first[from + 1]++;
	else if (w->l->nodes->v[w->node].function == TF_NO_FUNCTION && !w->l->dangling++)
		w->l->first_dangling = in->name; /* in a function it is an argument */
}

static void put_reader(void *ctx, const struct tf_input *in)
{
	struct walk *w = ctx;
	uint32_t from = source_of(w, in);

	if (from != TF_NO_LINK)
		w->l->reader[w->l->first[from]++] = w->node;
}

static void walk_inputs(struct tf_links *l, void (*each)(void *, const struct tf_input *))
{
	for (uint32_t i = 0; i < l->nodes->n; i++)
		tf_node_inputs(&l->nodes->v[i], each, &(struct walk){ l, i });
}

static bool link_readers(struct tf_links *l)
{
	size_t n = l->nodes->n;

	walk_inputs(l, count_reader);
	for (size_t i = 0; i < n; i++)
		l->first[i + 1] += l->first[i];
	l->reader = mem_try(NULL, (size_t)l->first[n] + 1, sizeof *l->reader);
	if (!l->reader)
		return false;
	walk_inputs(l, put_reader); /* moves each first to its end, where the next one's begins */
	memmove(l->first + 1, l->first, n * sizeof *l->first);
	l->first[0] = 0;
	return true;
}

int tf_links_make(const struct tf_nodes *x, struct tf_links *l, struct err *err)
{
	size_t slots = 256;

	*l = (struct tf_links){ .nodes = x };
	while (slots / 2 <= x->n)
		slots *= 2;
	l->mask = (uint32_t)(slots - 1);
	l->slot = mem_try(NULL, slots, sizeof *l->slot);
	l->first = mem_try(NULL, x->n + 1, sizeof *l->first);
	if (l->slot && l->first) {
		memset(l->slot, 0, slots * sizeof *l->slot);
		memset(l->first, 0, (x->n + 1) * sizeof *l->first);
		index_names(l);
		if (link_readers(l))
			return 0;
	}
	tf_links_free(l);
	return err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for the edges of %zu nodes", x->n);
}

char *tf_links_damage(const struct tf_links *l, char *buf, size_t size)
{
	struct slice first = l->first_dangling;
	size_t n;

	*buf = '\0';
	if (l->dangling == 1)
		snprintf(buf, size, "1 input comes from a node that is not in the graph (%.*s)",
		    (int)(first.n < 60 ? first.n : 60), first.s);
	else if (l->dangling)
		snprintf(buf, size, "%zu inputs come from nodes that are not in the graph (first: %.*s)",
		    l->dangling, (int)(first.n < 60 ? first.n : 60), first.s);
	n = strlen(buf);
	if (l->repeated)
		snprintf(buf + n, size - n, "%s%zu node%s the name of an earlier one", n ? ", " : "",
		    l->repeated, l->repeated == 1 ? " has" : "s have");
	return buf;
}

void tf_links_free(struct tf_links *l)
{
	free(l->slot);
	free(l->first);
	free(l->reader);
	*l = (struct tf_links){ 0 };
}
