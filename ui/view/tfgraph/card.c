#include "config.h"
#include "view/tfgraph/tfgraph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/tf/hint.h"
#include "base/mem.h"
#include "widget/fields.h"

enum { LABEL = 10, VALUE = 200, PATH = 300, SHORT_MOST = 6, FULL_MOST = 1000 };

struct drawing {
	const struct tfgraph *s;
	struct pen p;
	size_t most; /* lines of a list */
	bool titled; /* the name stands above */
};

/* name … what */
static void put_line(struct pen *p, struct slice name, enum role role, struct slice what)
{
	int w = p->r.w - 2, right = what.n ? w / 2 - 1 : 0;

	if (pen_fits(p)) {
		if (right)
			canvas_cut(p->c, p->y, p->r.x + 1 + w - right, right, ROLE_DIM, 0, what.s, what.n);
		card_tail(p->c, p->y, p->r.x + 1, w - (right ? right + 1 : 0), role, name.s, name.n);
	}
	p->y++;
}

/* A text whose end matters more than its beginning. */
static void put_end(struct pen *p, const char *label, enum role role, struct slice text)
{
	if (pen_fits(p)) {
		canvas_str(p->c, p->y, p->r.x + 1, LABEL - 1, ROLE_DIM, 0, label);
		card_tail(p->c, p->y, p->r.x + 1 + LABEL, p->r.w - 2 - LABEL, role, text.s, text.n);
	}
	p->y++;
}

static void put_rest(struct drawing *d, size_t n)
{
	if (n > d->most)
		pen_fmt(&d->p, ROLE_DIM, "… and %zu more", n - d->most);
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
	const struct pen *p = &d->p;
	/* without its head, and the line that says what is left out */
	int left = p->r.y + p->r.h - p->y - 2;

	if (left > (int)d->most)
		d->most = (size_t)left;
}

static void put_tally(struct drawing *d, const char *head, uint32_t from, uint32_t end, bool devices)
{
	const struct tf_nodes *x = &d->s->shown->a.nodes;
	size_t n;
	struct tally *v = tally_of(d->s->shown, from, end, devices, &n);
	char count[40];

	pen_head(&d->p, head, "");
	for (size_t i = 0; i < n && i < d->most; i++) {
		struct slice name = strtab_text(&x->text, v[i].id);

		if (v[i].bad)
			snprintf(count, sizeof count, "%u, %u not TPU", v[i].n, v[i].bad);
		else
			snprintf(count, sizeof count, "%u", v[i].n);
		put_line(&d->p, name.n ? name : slice_of(devices ? "not stated" : "no op"),
		    v[i].bad ? ROLE_BAD : ROLE_TEXT, slice_of(count));
	}
	put_rest(d, n);
	free(v);
}

static void scope_card(struct drawing *d, const struct tf_row *r, bool brief)
{
	const struct tf_shown *g = d->s->shown;
	const struct tf_scope *s = &g->tree.v[r->scope];
	char path[PATH];
	/* the lines of the members of a series need not stand together: those of the first are shown */
	uint32_t end = s->end;

	if (!d->titled)
		pen_say(&d->p, ROLE_BOLD, tf_shown_path(g, r->scope, path, sizeof path));
	if (r->members)
		pen_fmt(&d->p, ROLE_DIM, "the first of %u that differ in a number", r->members);
	pen_fields(&d->p,
	    FIELDS({ "nodes", COUNT, .v = r->ops },
		{ "not TPU", COUNT, .v = r->incompatible, .role = r->incompatible ? ROLE_BAD : ROLE_TEXT,
		    .no = g->a.graph->source == TF_KERAS })); /* layers, not ops */
	if (brief)
		return;
	d->p.y++;
	put_tally(d, "OPS", r->scope, end, false);
	d->p.y++;
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
		pen_say(&d->p, ROLE_DIM, exempt[why]);
	} else if (e->class == TF_VALID) {
		pen_say(&d->p, ROLE_GOOD,
		    e->own ? "Your table says that a TPU runs it."
			   : "A TPU runs it: it is in TensorBoard's list. Its types are not checked.");
	} else if (e->class == TF_PROBABLE) {
		pen_say(&d->p, ROLE_WARN,
		    "Not in TensorBoard's list of 2021, but TensorFlow 2.21 compiles it with XLA: a TPU most "
		    "likely runs it.");
	} else {
		pen_say(&d->p, ROLE_BAD, "It is not known to run on a TPU.");
		pen_say(&d->p, ROLE_TEXT,
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
	put_line(&l->d->p, in->text, in->control ? ROLE_DIM : ROLE_TEXT,
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
		put_line(&l->d->p, key, ROLE_DIM, (struct slice){ NULL, 0 });
		pen_text(&l->d->p, 2, ROLE_TEXT, slice_of(text), 0);
	} else {
		put_line(&l->d->p, key, ROLE_TEXT, slice_of(text));
	}
}

static void put_outputs(struct drawing *d, uint32_t node)
{
	const struct tf_shown *g = d->s->shown;
	uint32_t from = g->links.first[node], end = g->links.first[node + 1];

	pen_head(&d->p, "OUTPUTS", end == from ? "none" : "read by");
	for (uint32_t i = from; i < end && i - from < d->most; i++) {
		const struct tf_node *x = &g->a.nodes.v[g->links.reader[i]];

		put_line(&d->p, tf_node_name(x), ROLE_TEXT, strtab_text(&g->a.nodes.text, x->op));
	}
	put_rest(d, end - from);
}

static void node_card(struct drawing *d, uint32_t node, bool brief, bool full)
{
	const struct tf_shown *g = d->s->shown;
	const struct tf_node *x = &g->a.nodes.v[node];
	struct listing l = { d, x->function, 0, full };
	char path[PATH];

	if (!d->titled)
		pen_say(&d->p, ROLE_BOLD, tf_shown_path(g, g->tree.of_node[node], path, sizeof path));
	put_end(&d->p, "op", ROLE_TEXT, strtab_text(&g->a.nodes.text, x->op));
	put_end(&d->p, "device", x->device ? ROLE_TEXT : ROLE_DIM,
	    x->device ? strtab_text(&g->a.nodes.text, x->device) : slice_of("not stated"));
	put_verdict(d, x);
	if (brief)
		return;
	d->p.y++;
	pen_head(&d->p, "INPUTS", "");
	tf_node_inputs(x, list_input, &l);
	if (!l.n)
		pen_say(&d->p, ROLE_DIM, "none");
	put_rest(d, l.n);
	d->p.y++;
	put_outputs(d, node);
	d->p.y++;
	use_rest(d);
	pen_head(&d->p, "ATTRIBUTES", "");
	l.n = 0;
	tf_node_attrs(x, list_attr, &l);
	put_rest(d, l.n);
}

/* --- an op of the table of ops --- */

static void op_card(struct drawing *d)
{
	const struct tfgraph *s = d->s;
	struct slice op = table_str(&s->table[TF_OPS], sheet_row(&s->sheet[TF_OPS]), TF_OPS_op);
	struct tf_node x = { .name = "", .function = TF_NO_FUNCTION };

	if (!op.n)
		return;
	pen_text(&d->p, 0, ROLE_BOLD, op, 0);
	x.op = strtab_find(&s->shown->a.nodes.text, op.s, op.n);
	put_verdict(d, &x);
}

int tfgraph_card(struct view *v, struct canvas *c, struct rect r, enum frame_card how)
{
	const struct tfgraph *s = v->state;
	struct drawing d = { .s = s,
		.p = { .c = c, .r = r, .y = r.y, .label = LABEL },
		.most = how == FRAME_FULL ? FULL_MOST : SHORT_MOST };
	const struct tf_row *row = tfgraph_row_here(s);
	uint32_t node = tfgraph_node_here(s), line = row ? row->scope : 0;
	char path[PATH] = "";

	if (how == FRAME_BELOW) {
		if (node != TF_NO_NODE)
			line = s->shown->tree.of_node[node];
		d.titled = s->page != TF_OPS;
		d.p.y = card_rule(c, r, r.y,
		    d.titled ? tf_shown_path(s->shown, line, path, sizeof path) : "op", "");
	}
	if (s->page == TF_OPS)
		op_card(&d);
	else if (node != TF_NO_NODE)
		node_card(&d, node, how == FRAME_BELOW && r.h < 9, how == FRAME_FULL);
	else if (row)
		scope_card(&d, row, how == FRAME_BELOW && r.h < 9);
	return d.p.y;
}
