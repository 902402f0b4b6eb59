#include "config.h"
#include "view/tfgraph/tfgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tf/hint.h"
#include "base/mem.h"
#include "base/text/units.h"
#include "widget/card.h"

enum { LABEL = 10, VALUE = 200, PATH = 300, SHORT_MOST = 6, FULL_MOST = 1000 };

struct drawing {
	const struct tfgraph *s;
	struct canvas *c;
	struct rect r;
	int y;
	size_t most; /* lines of a list */
	bool titled; /* the name stands above */
};

static void put_head(struct drawing *d, const char *head, const char *gloss)
{
	if (d->y < d->r.y + d->r.h)
		card_head(d->c, d->y, d->r, head, gloss);
	d->y++;
}

static void put_pair(struct drawing *d, const char *label, enum role role, const char *value)
{
	d->y = card_pair(d->c, d->r, d->y, LABEL, label, role, value);
}

static void put_text(struct drawing *d, enum role role, const char *text)
{
	d->y = card_text(d->c, d->r, d->y, 0, role, text, strlen(text));
}

/* name … what */
static void put_line(struct drawing *d, struct slice name, enum role role, struct slice what)
{
	int w = d->r.w - 2, right = what.n ? w / 2 - 1 : 0;

	if (d->y < d->r.y + d->r.h) {
		if (right)
			canvas_cut(d->c, d->y, d->r.x + 1 + w - right, right, ROLE_DIM, 0, what.s, what.n);
		card_tail(d->c, d->y, d->r.x + 1, w - (right ? right + 1 : 0), role, name.s, name.n);
	}
	d->y++;
}

static void put_rest(struct drawing *d, size_t n)
{
	if (n && d->y < d->r.y + d->r.h)
		canvas_fmt(d->c, d->y, d->r.x + 1, d->r.w - 2, ROLE_DIM, 0, "… and %zu more", n);
	d->y += n > 0;
}

/* --- a scope --- */

struct tally {
	strid id;
	uint32_t n, bad;
};

VEC_ORDER(by_number, struct tally, DOWN(n) UP(id));

/* Ops, or devices, of the nodes in some lines of the tree, by how many there are. */
static struct tally *tally_of(const struct tf_shown *g, uint32_t from, uint32_t end, bool devices, size_t *n)
{
	const struct tf_nodes *x = &g->a.nodes;
	struct tally *v = xcalloc((size_t)x->text.n + 1, sizeof *v);

	*n = 0;
	for (uint32_t i = from; i < end; i++) {
		const struct tf_scope *s = &g->tree.v[i];
		struct tally *t;

		if (s->node == TF_NO_NODE)
			continue;
		t = &v[devices ? x->v[s->node].device : x->v[s->node].op];
		t->n++;
		t->bad += s->incompatible;
	}
	for (strid id = 0; id < x->text.n; id++)
		if (v[id].n) {
			v[id].id = id;
			v[(*n)++] = v[id];
		}
	VEC_SORT(v, *n, by_number);
	return v;
}

/* The last list of a card may take the lines that are left. */
static void use_rest(struct drawing *d)
{
	int left = d->r.y + d->r.h - d->y - 2; /* without its head, and the line that says what is left out */

	if (left > (int)d->most)
		d->most = (size_t)left;
}

static void put_tally(struct drawing *d, const char *head, uint32_t from, uint32_t end, bool devices)
{
	const struct tf_nodes *x = &d->s->shown->a.nodes;
	size_t n;
	struct tally *v = tally_of(d->s->shown, from, end, devices, &n);
	char count[40];

	put_head(d, head, "");
	for (size_t i = 0; i < n && i < d->most; i++) {
		struct slice name = strtab_text(&x->text, v[i].id);

		if (v[i].bad)
			snprintf(count, sizeof count, "%u, %u not TPU", v[i].n, v[i].bad);
		else
			snprintf(count, sizeof count, "%u", v[i].n);
		put_line(d, name.n ? name : slice_of(devices ? "not stated" : "no op"),
		    v[i].bad ? ROLE_BAD : ROLE_TEXT, slice_of(count));
	}
	put_rest(d, n > d->most ? n - d->most : 0);
	free(v);
}

static void scope_card(struct drawing *d, const struct tf_row *r, bool brief)
{
	const struct tf_shown *g = d->s->shown;
	const struct tf_scope *s = &g->tree.v[r->scope];
	char path[PATH], ops[24], bad[24], text[80];
	/* the lines of the members of a series need not stand together: those of the first are shown */
	uint32_t end = s->end;

	if (!d->titled)
		put_text(d, ROLE_BOLD, tf_shown_path(g, r->scope, path, sizeof path));
	units_count(ops, sizeof ops, r->ops);
	units_count(bad, sizeof bad, r->incompatible);
	if (r->members) {
		snprintf(text, sizeof text, "the first of %u that differ in a number", r->members);
		put_text(d, ROLE_DIM, text);
	}
	put_pair(d, "nodes", ROLE_TEXT, ops);
	if (g->a.graph->source != TF_KERAS) /* layers, not ops */
		put_pair(d, "not TPU", r->incompatible ? ROLE_BAD : ROLE_TEXT, bad);
	if (brief)
		return;
	d->y++;
	put_tally(d, "OPS", r->scope, end, false);
	d->y++;
	use_rest(d);
	put_tally(d, "DEVICES", r->scope, end, true);
}

/* --- a node --- */

static void put_verdict(struct drawing *d, const struct tf_node *x)
{
	static const char *const exempt[] = { [TF_CHECKED] = "",
		[TF_IN_FUNCTION] = "In a function, which TensorBoard does not check.",
		[TF_NO_OP] = "No op is stated.",
		[TF_OTHER_DEVICE] = "Placed on another device, so it need not run on a TPU.",
		[TF_SYSTEM_DEVICE] = "On the TPU's system device, which sets the TPU up.",
		[TF_LAYER] = "A layer of a Keras model, which does not say which ops it runs." };
	const struct tf_compat *c = &d->s->shown->a.compat;
	const struct tf_op_entry *e = &c->op[x->op];
	enum tf_exempt why = tf_compat_exempt(c, x);

	if (why != TF_CHECKED) {
		put_text(d, ROLE_DIM, exempt[why]);
	} else if (e->class == TF_VALID) {
		put_text(d, ROLE_GOOD,
		    e->own ? "Your table says that a TPU runs it."
			   : "A TPU runs it: it is in TensorBoard's list. Its types are not checked.");
	} else if (e->class == TF_PROBABLE) {
		put_text(d, ROLE_WARN,
		    "Not in TensorBoard's list of 2021, but TensorFlow 2.21 compiles it with XLA: a TPU most "
		    "likely runs it.");
	} else {
		put_text(d, ROLE_BAD, "It is not known to run on a TPU.");
		put_text(d, ROLE_TEXT,
		    tf_hint_advice(tf_hint_of(tf_node_name(x), strtab_text(&c->nodes->text, x->op))));
	}
}

struct listing {
	struct drawing *d;
	uint32_t function;
	size_t n;
	bool full;
};

static void list_input(void *ctx, const struct tf_input *in)
{
	struct listing *l = ctx;
	const struct tf_shown *g = l->d->s->shown;
	uint32_t from;

	if (l->n++ >= l->d->most)
		return;
	from = tf_links_find(&g->links, l->function, in->name);
	put_line(l->d, in->text, in->control ? ROLE_DIM : ROLE_TEXT,
	    from == TF_NO_LINK ? slice_of("") : strtab_text(&g->a.nodes.text, g->a.nodes.v[from].op));
}

static void list_attr(void *ctx, struct slice key, struct slice value)
{
	struct listing *l = ctx;
	char text[VALUE];

	if (l->n++ >= l->d->most)
		return;
	tf_attr_text(value, text, sizeof text);
	if (l->full) {
		put_line(l->d, key, ROLE_DIM, (struct slice){ NULL, 0 });
		l->d->y = card_text(l->d->c, l->d->r, l->d->y, 2, ROLE_TEXT, text, strlen(text));
	} else {
		put_line(l->d, key, ROLE_TEXT, slice_of(text));
	}
}

static void put_outputs(struct drawing *d, uint32_t node)
{
	const struct tf_shown *g = d->s->shown;
	uint32_t from = g->links.first[node], end = g->links.first[node + 1];

	put_head(d, "OUTPUTS", end == from ? "none" : "read by");
	for (uint32_t i = from; i < end && i - from < d->most; i++) {
		const struct tf_node *x = &g->a.nodes.v[g->links.reader[i]];

		put_line(d, tf_node_name(x), ROLE_TEXT, strtab_text(&g->a.nodes.text, x->op));
	}
	put_rest(d, end - from > d->most ? end - from - d->most : 0);
}

static void node_card(struct drawing *d, uint32_t node, bool brief, bool full)
{
	const struct tf_shown *g = d->s->shown;
	const struct tf_node *x = &g->a.nodes.v[node];
	struct listing l = { d, x->function, 0, full };
	char path[PATH], text[VALUE];

	if (!d->titled)
		put_text(d, ROLE_BOLD, tf_shown_path(g, g->tree.of_node[node], path, sizeof path));
	snprintf(text, sizeof text, "%.*s", (int)strtab_len(&g->a.nodes.text, x->op),
	    strtab_str(&g->a.nodes.text, x->op));
	put_pair(d, "op", ROLE_TEXT, text);
	put_pair(d, "device", ROLE_DIM, x->device ? "" : "not stated");
	if (d->y <= d->r.y + d->r.h)
		card_tail(d->c, d->y - 1, d->r.x + 1 + LABEL, d->r.w - 2 - LABEL, ROLE_TEXT,
		    strtab_str(&g->a.nodes.text, x->device), strtab_len(&g->a.nodes.text, x->device));
	put_verdict(d, x);
	if (brief)
		return;
	d->y++;
	put_head(d, "INPUTS", "");
	tf_node_inputs(x, list_input, &l);
	if (!l.n)
		put_text(d, ROLE_DIM, "none");
	put_rest(d, l.n > d->most ? l.n - d->most : 0);
	d->y++;
	put_outputs(d, node);
	d->y++;
	use_rest(d);
	put_head(d, "ATTRIBUTES", "");
	l.n = 0;
	tf_node_attrs(x, list_attr, &l);
	put_rest(d, l.n > d->most ? l.n - d->most : 0);
}

/* --- an op of the table of ops --- */

static void op_card(struct drawing *d)
{
	const struct tfgraph *s = d->s;
	size_t row = sheet_row(&s->sheet[TF_OPS]), n;
	const char *op = row == SIZE_MAX ? NULL : table_string(&s->table[TF_OPS], row, "op", &n);
	struct tf_node x = { .name = "", .function = TF_NO_FUNCTION };

	if (!op)
		return;
	d->y = card_text(d->c, d->r, d->y, 0, ROLE_BOLD, op, n);
	x.op = strtab_find(&s->shown->a.nodes.text, op, n);
	put_verdict(d, &x);
}

int tfgraph_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct tfgraph *s = v->state;
	struct drawing d = { .s = s,
		.c = c,
		.r = r,
		.y = r.y,
		.most = how == FRAME_FULL ? FULL_MOST : SHORT_MOST };
	const struct tf_row *row = tfgraph_row_here(s);
	uint32_t node = tfgraph_node_here(s), line = row ? row->scope : 0;
	char path[PATH] = "";

	if (how == FRAME_BELOW) {
		if (node != TF_NO_NODE)
			line = s->shown->tree.of_node[node];
		d.titled = s->page != TF_OPS;
		d.y = card_rule(c, r, r.y, d.titled ? tf_shown_path(s->shown, line, path, sizeof path) : "op",
		    "");
	}
	if (s->page == TF_OPS)
		op_card(&d);
	else if (node != TF_NO_NODE)
		node_card(&d, node, how == FRAME_BELOW && r.h < 9, how == FRAME_FULL);
	else if (row)
		scope_card(&d, row, how == FRAME_BELOW && r.h < 9);
	return d.y;
}
